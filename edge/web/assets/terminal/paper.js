// The paper of a counter: shown on the screen, printed by the terminal's printer, or by
// the browser where the house has none for this terminal. A ticket that is sold and not
// in the customer's hand is a state of its own, and the writer is led out of it.
import { Refused, Unreachable } from "../kit/api.js";
import { inSeries } from "../kit/series.js";
import { terminalStrings as strings } from "../kit/strings.js";
import { element, write } from "../kit/dom.js";

export class Papers {
  #p;
  #device;
  #printer;
  #last = null; // { paper, answer, code } of the newest paper
  #desk; // reissue(paper), undelivered(paper, reason): what only the desk can do

  constructor(parts, device, printer, desk) {
    this.#p = parts;
    this.#device = device;
    this.#printer = printer;
    this.#desk = desk;
    parts["last-paper"].disabled = true;
    parts.paper.addEventListener("close", () => { if (!parts.paper.open) parts.roll.replaceChildren(); });
  }

  // forget ends what F4 shows. A claim code is money for anybody who reads it, and so the papers
  // of a customer are shown to nobody after that customer's visit.
  forget() {
    this.#last = null;
    this.#p["last-paper"].disabled = true;
  }

  // putAway waits until the paper on the screen was put away, so that none hides another.
  #putAway() {
    const { paper } = this.#p;
    return paper.open ? new Promise((resolve) => paper.addEventListener("close", resolve, { once: true })) : undefined;
  }

  #make(sheet, format, code) {
    const body = { paper: sheet.paper, answer: sheet.answer, format };
    if (code) body.claim_code = code;
    if (sheet.duplicate) body.duplicate = true;
    return this.#device.ask("POST", inSeries(`/v1/terminals/${this.#device.terminal}/papers`), body);
  }

  // hand brings a paper to the customer. It returns what there is to say about it.
  async hand(sheet) {
    this.#last = sheet;
    this.#p["last-paper"].disabled = false;
    await this.#putAway();
    if (!this.#printer) {
      await this.show(sheet, strings.noPrinter);
      return "";
    }
    try {
      const made = await this.#make(sheet, "print", sheet.code);
      return made.low_paper ? strings.lowPaper : strings.printed;
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
      await this.show(sheet, strings.notPrinted(error.message), true);
      return strings.notDelivered;
    }
  }

  showLast() {
    return this.#last ? this.show(this.#last) : null;
  }

  // show shows a paper. The claim code is on it only where it must be printed from here.
  async show(sheet, state = "", failed = false) {
    const p = this.#p;
    write(p["paper-title"], strings.papers[sheet.paper]);
    write(p["paper-state"], state);
    p["paper-acts"].replaceChildren(); // Those of an earlier paper are not for this one.
    try {
      const { svg } = await this.#make(sheet, "svg", this.#printer ? "" : sheet.code);
      p.roll.replaceChildren(document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
    } catch (error) {
      p.roll.replaceChildren(element("p", "fault", error.message));
    }
    p.roll.setAttribute("aria-label", strings.papers[sheet.paper]);
    p["paper-acts"].replaceChildren(...this.#acts(sheet, failed));
    if (!p.paper.open) p.paper.showModal();
    p["paper-acts"].lastElementChild.focus();
  }

  #acts(sheet, failed) {
    const act = (text, run, className = "") => {
      const made = element("button", className, text, { type: "button" });
      made.addEventListener("click", run);
      return made;
    };
    const acts = [act(strings.savePDF, () => this.#save(sheet))];
    if (!this.#printer) acts.push(act(strings.printHere, () => window.print()));
    const close = () => this.#p.paper.close();
    if (!failed) return [...acts, act(strings.close, close, "main")];
    acts.push(act(strings.close, close));
    if (sheet.paper === "ticket") acts.push(act(strings.voidIt, () => this.#undelivered(sheet)), act(strings.reprint, () => this.#reissue(sheet)));
    return [...acts, act(strings.tryPrinter, () => this.#again(sheet), "main")];
  }

  async #save(sheet) {
    const { pdf } = await this.#make(sheet, "pdf", sheet.code);
    const bytes = Uint8Array.from(atob(pdf), (c) => c.charCodeAt(0));
    const link = element("a", "", "", { href: URL.createObjectURL(new Blob([bytes], { type: "application/pdf" })), download: `${sheet.answer.serial ?? sheet.paper}.pdf` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  // again prints the same paper once more; what may have come out already is a
  // duplicate then.
  async #again(sheet) {
    this.#p.paper.close();
    this.#desk.say(await this.hand({ ...sheet, duplicate: true }));
  }

  // reissue prints another sheet with a code of its own. Once the first game is sealed the
  // house wants a second person to agree, and the number of the approval.
  async #reissue(sheet, approval = 0) {
    try {
      await this.#desk.reissue(sheet, approval);
    } catch (error) {
      write(this.#p["paper-state"], error.message);
      if (error.code === "sheet_sealed") this.#p["paper-acts"].replaceChildren(this.#consent(strings.replaceSheet, (number) => this.#reissue(sheet, number)));
    }
  }

  // consent asks for the number under which a second person has agreed, and does by it what
  // was agreed.
  #consent(name, act) {
    const number = element("input", "", "", { inputmode: "numeric", autocomplete: "off", required: true, id: "approval" });
    const form = element("form", "", [element("label", "", [element("span", "", strings.approval), number]),
      element("div", "acts", [element("button", "", strings.later, { type: "button" }), element("button", "main", name, { type: "submit" })])]);
    form.querySelector("[type=button]").addEventListener("click", () => this.#p.paper.close());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await act(Number(number.value));
    });
    return form;
  }

  async #takeBack(sheet, approval) {
    try {
      await this.#desk.takeBack(sheet, approval);
      this.#p.paper.close();
    } catch (error) {
      write(this.#p["paper-state"], error.message);
    }
  }

  async #undelivered(sheet) {
    try {
      await this.#desk.undelivered(sheet, strings.printerReason);
      write(this.#p["paper-state"], strings.voidAsked);
      this.#p["paper-acts"].replaceChildren(this.#consent(strings.takeBack, (number) => this.#takeBack(sheet, number)));
    } catch (error) {
      write(this.#p["paper-state"], error.message);
    }
  }
}
