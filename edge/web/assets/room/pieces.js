// What the screens of a room are made of: the numbers, a box of a card, the picture of a
// pattern, the colour of the paper. How they are laid out is the form of the room.
import { element, write } from "../kit/dom.js";
import { roomStrings as strings } from "../kit/strings-bingo.js";

// nameOf returns a number as it is called: with the letter of its column, if there are letters.
export function nameOf(n, form) {
  if (!form?.letters) return String(n);
  return `${form.letters[form.column_first.findLastIndex((first) => first <= n)]} ${n}`;
}

// showName shows a number as it is called: a letter stands above it.
export function showName(part, n, form) {
  const name = n === undefined ? "" : nameOf(n, form);
  if (part.textContent !== name) part.replaceChildren(...(name && form?.letters ? [element("span", "named", name)] : [name]));
}

// earlierOf lists numbers that were called before the last one, the latest first.
export function earlierOf(calls, count, form) {
  return calls.slice(0, -1).slice(-count).reverse().map((n) => {
    const item = element("li");
    showName(item, n, form);
    return item;
  });
}

// namesOf returns numbers as they are called.
export const namesOf = (list, form) => list.map((n) => nameOf(n, form));

// Grid is the board of all numbers: tens in lines, or the columns of the cards, each in a line
// behind its letter. It is made when the form of the room is known.
export class Grid {
  #parent;
  #cells = [];
  #form = null;

  constructor(parent) {
    this.#parent = parent;
    parent.setAttribute("role", "table");
  }

  #make(form) {
    const lines = form.letters ? form.column_first : Array.from({ length: Math.ceil(form.numbers / 10) }, (_, i) => 10 * i + 1);
    const long = form.letters ? Math.max(...lines.map((first, i) => (lines[i + 1] ?? form.numbers + 1) - first)) : 10;
    this.#parent.style.setProperty("--long", long);
    this.#parent.style.setProperty("--lines", lines.length);
    this.#parent.dataset.letters = form.letters ? "yes" : "";
    this.#parent.setAttribute("aria-label", strings.grid(form.numbers));
    this.#parent.replaceChildren(...lines.map((first, i) => {
      const line = element("div", "row", "", { role: "row" });
      if (form.letters) line.append(element("span", "letter", form.letters[i], { role: "rowheader" }));
      for (let n = first; n < (lines[i + 1] ?? form.numbers + 1); n++) {
        this.#cells[n] = element("span", "number", String(n), { role: "cell", "data-number": n });
        line.append(this.#cells[n]);
      }
      return line;
    }));
    this.#form = form;
  }

  // show marks what was called, in its order, and which of them win the jackpot.
  show(form, calls, jackpot = []) {
    if (JSON.stringify(form) !== JSON.stringify(this.#form)) this.#make(form);
    const order = new Map(calls.map((n, i) => [n, i + 1]));
    for (let n = 1; n <= form.numbers; n++) {
      const place = order.get(n);
      const state = !place ? "" : place === calls.length ? "last" : "called";
      this.#set(this.#cells[n], "called", place ? String(place) : "");
      this.#set(this.#cells[n], "state", state);
      this.#set(this.#cells[n], "jackpot", jackpot.includes(n) ? "yes" : "");
      this.#cells[n].setAttribute("aria-label", strings.cell(nameOf(n, form), state));
    }
  }

  #set(cell, name, value) {
    if ((cell.dataset[name] ?? "") === value) return;
    if (value) cell.dataset[name] = value;
    else delete cell.dataset[name];
  }
}

// boxOf makes a box of a card, with the letters of its columns above it, if there are any. The
// marks are a set of numbers; press, if given, is what a number does when it is pressed.
export function boxOf(form, lines, marks, { press = null, last = 0 } = {}) {
  const free = new Set((form.free ?? []).map(String));
  const box = element("div", "box", (form.letters ?? []).map((letter) => element("span", "cell letter", letter)));
  box.style.setProperty("--columns", form.columns);
  lines.forEach((line, i) => line.forEach((n, column) => {
    if (free.has(String([i, column]))) return box.append(element("span", "cell free", [element("span", "", strings.free)], { "data-marked": true }));
    if (!n) return box.append(element("span", "cell blank"));
    const marked = marks.has(n);
    const attributes = { "data-n": n, "data-marked": marked, "data-last": n === last && marked };
    if (!press) return box.append(element("span", "cell", [element("span", "", String(n))], attributes));
    const cell = element("button", "cell", [element("span", "", String(n))], { ...attributes, type: "button", "aria-pressed": String(marked) });
    cell.addEventListener("click", () => press(n));
    return box.append(cell);
  }));
  return box;
}

// pictureOf draws a pattern line by line: full discs for the places that are needed, rings
// where others would do as well.
export function pictureOf(form, prize) {
  const picture = element("span", "pattern", "", { role: "img", "aria-label": strings.picture(prize.says ?? prize.name) });
  picture.style.setProperty("--per-line", form.per_line);
  const places = new Set(prize.places ?? []);
  for (let i = 0; i < form.lines * form.per_line; i++) picture.append(element("span", places.has(i) ? (prize.exact ? "disc" : "ring") : "dot"));
  return picture;
}

// colourOf shows the colour of the paper by name and swatch.
export function showColour(part, name, shade) {
  write(part, name ?? "");
  part.hidden = !name;
  part.style.setProperty("--paper", shade || "transparent");
}
