// Signing on at a terminal: the dialog that asks who works here, and says so to the house
// under the key of the terminal. It forgets the password whatever the house answers.
import { Refused } from "./api.js";
import { element, write } from "./dom.js";
import { signStrings as strings } from "./strings.js";

export class SignOn {
  #dialog;
  #done;
  #device = null;
  #person = element("input", "", "", { id: "person", inputmode: "numeric", autocomplete: "username", required: true });
  #password = element("input", "", "", { id: "password", type: "password", autocomplete: "current-password", required: true });
  #fault = element("p", "fault", "", { id: "sign-fault" });

  // A dialog is built in its place in the page; done is told who has signed on.
  constructor(dialog, done) {
    this.#dialog = dialog;
    this.#done = done;
    const back = element("button", "", strings.back, { type: "button", id: "sign-back" });
    back.addEventListener("click", () => dialog.close());
    const form = element("form", "", [
      element("h2", "", strings.title, { id: "sign-title" }),
      element("label", "", [element("span", "", strings.person), this.#person]),
      element("label", "", [element("span", "", strings.password), this.#password]),
      this.#fault,
      element("div", "acts", [back, element("button", "main", strings.title, { type: "submit" })]),
    ], { method: "dialog" });
    form.addEventListener("submit", (event) => this.#send(event));
    dialog.replaceChildren(form);
  }

  // open asks who works at a terminal from now on.
  open(device) {
    this.#device = device;
    write(this.#fault, "");
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#person.focus();
  }

  async #send(event) {
    event.preventDefault();
    const person = Number(this.#person.value);
    try {
      await this.#device.ask("POST", `/v1/terminals/${this.#device.terminal}/shift`, { person, password: this.#password.value });
      this.#dialog.close();
      this.#done(person);
    } catch (error) {
      write(this.#fault, error instanceof Refused ? error.message : strings.noHouse);
    } finally {
      this.#password.value = "";
    }
  }
}
