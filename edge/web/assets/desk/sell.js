// Taking a player in: member, books, paper or an electronic card, and the fee.
import { element, write } from "../kit/dom.js";
import { deskStrings as strings } from "../kit/strings-bingo.js";

export class Sell {
  #p;
  #run; // does an act at the desk
  #desk = null;
  #money = String;
  #refused = null; // the member whom the programme does not know

  constructor(parts, run) {
    this.#p = parts;
    this.#run = run;
    parts.medium.replaceChildren(element("option", "", strings.paper, { value: "paper" }), element("option", "", strings.device, { value: "device" }));
    parts.medium.addEventListener("change", () => this.#showMedium());
    parts.series.addEventListener("change", () => this.#suggest());
    parts.sell.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#sell();
    });
    parts["take-in"].addEventListener("click", () => this.#takeIn());
    this.#showMedium();
  }

  show(desk, money) {
    const p = this.#p, before = p.series.value;
    this.#desk = desk;
    this.#money = money;
    p["sell-panel"].hidden = desk.phase !== "entering";
    if (p["sell-panel"].hidden) return;
    p.series.replaceChildren(...desk.plays.map((id) => element("option", "", id, { value: id })));
    if (desk.plays.includes(before)) p.series.value = before;
    p.books.placeholder = String(desk.books_max);
    write(p.fee, money(desk.fee_cents));
    if (!p.sell.contains(document.activeElement) || !p.first.value) this.#suggest();
  }

  #showMedium() {
    const device = this.#p.medium.value === "device";
    this.#p["device-label"].hidden = !device;
    this.#p.device.required = device;
  }

  // suggest fills in the next book that nobody has, and all the books of the fee.
  #suggest() {
    const stock = this.#desk?.stock.find((s) => s.series === this.#p.series.value);
    if (!stock) return;
    this.#p.first.value = stock.next > stock.last ? "" : stock.next;
    if (!this.#p.books.value) this.#p.books.value = this.#desk.books_max;
    write(this.#p["first-hint"], strings.booksHint(stock.next, stock.last));
  }

  async #sell() {
    const p = this.#p, first = Number(p.first.value), member = p.member.value.trim();
    const body = { member, fee_cents: this.#desk.fee_cents, books: [{ series: p.series.value, first, last: first + Number(p.books.value) - 1 }] };
    if (p.medium.value === "device") body.device = Number(p.device.value);
    p["take-in"].hidden = true;
    const refused = await this.#run(async (station) => {
      const { record } = await station.send(`/sessions/${this.#desk.session}/players`, body);
      p.member.value = p.device.value = p.first.value = "";
      p.member.focus();
      return strings.sold(record, this.#money);
    });
    this.#refused = refused?.code === "not_a_member" ? member : null;
    p["take-in"].hidden = !this.#refused;
    write(p["take-in"], strings.takeIn);
  }

  // takeIn makes the one who was refused a member, and sells.
  async #takeIn() {
    const member = this.#refused;
    this.#p["take-in"].hidden = true;
    const refused = await this.#run(async (station) => {
      await station.send("/members", { member });
      return strings.takenIn(member);
    });
    if (!refused) await this.#sell();
  }
}
