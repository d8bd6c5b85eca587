// What a kiosk hands out: printed by its printer, or shown to be printed by the browser.
// A sheet that did not come out stays on the screen, without its claim code, until it did.
import { Refused, Unreachable } from "../kit/api.js";
import { inSeries } from "../kit/series.js";
import { element, write } from "../kit/dom.js";
import { kioskStrings as strings } from "../kit/strings.js";

export class Papers {
  #p;
  #device;
  #printer;

  constructor(parts, device, printer) {
    this.#p = parts;
    this.#device = device;
    this.#printer = printer;
  }

  #make(sheet, format, code) {
    const body = { paper: sheet.paper, answer: sheet.answer, format, ...(code ? { claim_code: code } : {}), ...(sheet.duplicate ? { duplicate: true } : {}) };
    return this.#device.ask("POST", inSeries(`/v1/terminals/${this.#device.terminal}/papers`), body);
  }

  // hand returns once the sheet is in the player's hand.
  async hand(sheet) {
    let failed = "";
    while (this.#printer) {
      try {
        await this.#make(failed ? { ...sheet, duplicate: true } : sheet, "print", sheet.code);
        return;
      } catch (error) {
        if (!(error instanceof Refused) && !(error instanceof Unreachable)) throw error;
        failed = strings.notPrinted;
      }
      await this.#show(sheet, failed, "", strings.printAgain);
    }
    await this.#show(sheet, strings.keepIt, sheet.code, strings.haveIt);
  }

  // show shows a sheet and returns when its button is pressed.
  async #show(sheet, state, code, goOn) {
    const p = this.#p;
    write(p["paper-title"], strings.papers[sheet.paper]);
    write(p["paper-state"], state);
    p.roll.setAttribute("aria-label", strings.papers[sheet.paper]);
    p.roll.replaceChildren(await this.#drawn(sheet, code));
    const act = element("button", "main", goOn, { type: "button" });
    const print = element("button", "", strings.printHere, { type: "button" });
    print.addEventListener("click", () => window.print());
    p["paper-acts"].replaceChildren(...(this.#printer ? [] : [print]), act);
    p.paper.oncancel = (event) => event.preventDefault(); // A sheet is not lost by a key.
    p.paper.showModal();
    act.focus();
    await new Promise((resolve) => act.addEventListener("click", resolve, { once: true }));
    p.paper.close();
  }

  // drawn asks until the house has drawn the sheet: it is the player's money.
  async #drawn(sheet, code) {
    for (;;) {
      try {
        const { svg } = await this.#make(sheet, "svg", code);
        return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
      } catch (error) {
        if (error instanceof Refused) return element("p", "fault", error.message);
        if (!(error instanceof Unreachable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }
  }
}
