// What the screens of a room are made of: the ninety numbers, a box of a card, the
// picture of a pattern, the colour of the paper.
import { element, write } from "../kit/dom.js";
import { roomStrings as strings } from "../kit/strings-bingo.js";

const numbers = 90;

// Grid is the board of the ninety numbers.
export class Grid {
  #cells = [];

  constructor(parent) {
    for (let row = 0; row < 9; row++) {
      const line = element("div", "row", "", { role: "row" });
      for (let column = 1; column <= 10; column++) {
        const n = row * 10 + column;
        const cell = element("span", "number", String(n), { role: "cell", "data-number": n });
        this.#cells[n] = cell;
        line.append(cell);
      }
      parent.append(line);
    }
    parent.setAttribute("role", "table");
    parent.setAttribute("aria-label", strings.grid);
  }

  // show marks what was called, in its order, and which of them win the jackpot.
  show(calls, jackpot = []) {
    const order = new Map(calls.map((n, i) => [n, i + 1]));
    for (let n = 1; n <= numbers; n++) {
      const place = order.get(n);
      const state = !place ? "" : place === calls.length ? "last" : "called";
      this.#set(this.#cells[n], "called", place ? String(place) : "");
      this.#set(this.#cells[n], "state", state);
      this.#set(this.#cells[n], "jackpot", jackpot.includes(n) ? "yes" : "");
      this.#cells[n].setAttribute("aria-label", strings.cell(n, state));
    }
  }

  #set(cell, name, value) {
    if ((cell.dataset[name] ?? "") === value) return;
    if (value) cell.dataset[name] = value;
    else delete cell.dataset[name];
  }
}

// boxOf makes a box of a card: three lines of nine cells. The marks are a set of numbers;
// press, if given, is what a number does when it is pressed.
export function boxOf(lines, marks, { press = null, last = 0 } = {}) {
  return element("div", "box", lines.flat().map((n) => {
    if (!n) return element("span", "cell blank");
    const marked = marks.has(n);
    const attributes = { "data-n": n, "data-marked": marked, "data-last": n === last && marked };
    if (!press) return element("span", "cell", [element("span", "", String(n))], attributes);
    const cell = element("button", "cell", [element("span", "", String(n))], { ...attributes, type: "button", "aria-pressed": String(marked) });
    cell.addEventListener("click", () => press(n));
    return cell;
  }));
}

// pictureOf draws a pattern as three lines of five: full discs for the numbers that are
// needed, rings where others would do as well.
export function pictureOf(prize) {
  const picture = element("span", "pattern", "", { role: "img", "aria-label": strings.picture(prize.says ?? prize.name) });
  const places = new Set(prize.places ?? []);
  for (let i = 0; i < 15; i++) picture.append(element("span", places.has(i) ? (prize.exact ? "disc" : "ring") : "dot"));
  return picture;
}

// colourOf shows the colour of the paper by name and swatch.
export function showColour(part, name, shade) {
  write(part, name ?? "");
  part.hidden = !name;
  part.style.setProperty("--paper", shade || "transparent");
}
