// What stands at the head of a screen that sells: whether the house can be reached, what
// its feed tells, and the request that has no answer yet. They are kept beside one another
// and shown by one rule, so that no news of the feed hides that money is in question.
import { write } from "./dom.js";

export class Status {
  #parts; // where it is shown: notice, and connection where the page has one
  #words; // state and offlineNotice
  #connection = "loading";
  #told = "";
  #awaited = "";

  constructor(parts, words) {
    this.#parts = parts;
    this.#words = words;
    this.#show();
  }

  // connection is what the feed knows of the house: "loading", "live" or "offline".
  connection(state) {
    this.#connection = state;
    this.#show();
  }

  // tell takes what the feed has to tell everybody, or nothing.
  tell(text) {
    this.#told = text;
    this.#show();
  }

  // awaits says which request has no answer yet, until answered is called.
  awaits(text) {
    this.#awaited = text;
    this.#show();
  }

  // answered ends the wait. The house has just spoken, so that it can be reached.
  answered() {
    this.#awaited = "";
    this.#connection = "live";
    this.#show();
  }

  #show() {
    const state = this.#awaited ? "pending" : this.#connection;
    document.documentElement.dataset.state = state;
    write(this.#parts.connection, this.#words.state[state]);
    write(this.#parts.notice, this.#awaited || (state === "offline" ? this.#words.offlineNotice : this.#told));
  }
}
