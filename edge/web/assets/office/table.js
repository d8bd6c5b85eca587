// A table that a person can find something in: typed words narrow it, a heading sorts it,
// and what is more than a page is turned over. It holds thousands of rows and draws fifty.
import { element, write } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";

const perPage = 50;

// A column is { head, cell, value, number }: cell returns what is shown of a row, value
// what it is sorted and found by, which is the cell's text unless something else is said. A
// title says what the column means.
export class Table {
  element;
  #columns;
  #rows = [];
  #empty;
  #sorted = -1;
  #down = false;
  #page = 0;
  #find;
  #head;
  #body;
  #count;
  #back;
  #on;

  constructor({ columns, empty, name, findable = true, tools = [] }) {
    this.#columns = columns;
    this.#empty = empty;
    this.#find = element("input", "", "", { type: "search", placeholder: strings.find, "aria-label": strings.findIn(name), autocomplete: "off" });
    this.#find.addEventListener("input", () => { this.#page = 0; this.#draw(); });
    this.#head = columns.map((column, i) => this.#heading(column, i));
    this.#body = element("tbody");
    this.#count = element("p", "quiet", "", { role: "status" });
    this.#back = this.#turn(strings.back, -1);
    this.#on = this.#turn(strings.on, 1);
    const whole = element("table", "", [element("caption", "unseen", name), element("thead", "", [element("tr", "", this.#head)]), this.#body]);
    this.element = element("div", "listing", [
      element("div", "tools", [...(findable ? [this.#find] : []), ...tools]),
      element("div", "roll", [whole], { tabindex: "0", role: "region", "aria-label": name }),
      ...(findable ? [element("div", "pager", [this.#count, this.#back, this.#on])] : []),
    ]);
  }

  // show shows other rows. What was typed, sorted and turned to stays.
  show(rows) {
    this.#rows = rows;
    this.#draw();
  }

  // foot shows a further line of sums below the rows.
  foot(cells) {
    const line = element("tr", "", cells.map((cell, i) => element(i === 0 ? "th" : "td", this.#columns[i].number ? "number" : "", cell, i === 0 ? { scope: "row" } : {})));
    const sums = this.#body.nextElementSibling;
    if (sums) sums.append(line);
    else this.#body.after(element("tfoot", "", [line]));
  }

  #heading(column, i) {
    const press = element("button", "heading", column.head, { type: "button", title: column.title ?? null });
    press.addEventListener("click", () => {
      this.#down = this.#sorted === i && !this.#down;
      this.#sorted = i;
      this.#draw();
    });
    return element("th", column.number ? "number" : "", column.head === "" ? [element("span", "unseen", strings.actsHead)] : [press], { scope: "col" });
  }

  #turn(text, by) {
    const press = element("button", "", text, { type: "button" });
    press.addEventListener("click", () => { this.#page += by; this.#draw(); });
    return press;
  }

  #valueOf(column, row) {
    if (column.value) return column.value(row);
    const shown = column.cell(row);
    return typeof shown === "string" ? shown : [shown].flat().map((part) => part.textContent ?? part).join(" ");
  }

  // found returns the rows that have every word that was typed.
  #found() {
    const words = this.#find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const searched = this.#columns.filter((column) => column.head !== "");
    const rows = words.length === 0 ? this.#rows
      : this.#rows.filter((row) => {
        const text = searched.map((column) => this.#valueOf(column, row)).join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      });
    const column = this.#columns[this.#sorted];
    if (!column) return rows;
    const order = (a, b) => typeof a === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    const sorted = rows.map((row) => [this.#valueOf(column, row), row]).sort((a, b) => order(a[0], b[0])).map(([, row]) => row);
    return this.#down ? sorted.reverse() : sorted;
  }

  #draw() {
    const rows = this.#found();
    const pages = Math.max(1, Math.ceil(rows.length / perPage));
    this.#page = Math.max(0, Math.min(this.#page, pages - 1));
    const shown = rows.slice(this.#page * perPage, (this.#page + 1) * perPage);
    this.#body.replaceChildren(...(shown.length > 0 ? shown.map((row) => this.#row(row)) : [this.#nothing()]));
    for (const [i, th] of this.#head.entries()) th.setAttribute("aria-sort", this.#sorted !== i ? "none" : this.#down ? "descending" : "ascending");
    write(this.#count, strings.shown(shown.length, rows.length, this.#rows.length, this.#page + 1, pages));
    this.#back.hidden = this.#on.hidden = pages === 1;
    this.#back.disabled = this.#page === 0;
    this.#on.disabled = this.#page === pages - 1;
  }

  #row(row) {
    return element("tr", "", this.#columns.map((column, i) => element(i === 0 ? "th" : "td", column.number ? "number" : "", [column.cell(row)].flat(), i === 0 ? { scope: "row" } : {})));
  }

  #nothing() {
    return element("tr", "", [element("td", "quiet", this.#rows.length === 0 ? this.#empty : strings.noneFound, { colspan: this.#columns.length })]);
  }
}
