// The marks of a card whose holder presses the numbers, game by game, kept on the device
// so that a page that was closed has them again. A device that has none of a game, such
// as one that replaces another, begins with every number that was called (8.5).

const name = "drawhouse-marks";

export class Marks {
  #key = "";
  #set = new Set();

  // of goes to a game, and returns what is marked there.
  of(game, called) {
    if (game !== this.#key) {
      this.#key = game;
      const kept = this.#kept();
      this.#set = new Set(kept?.game === game ? kept.marked : called);
      this.#keep();
    }
    return this.#set;
  }

  // press marks a number, or takes the mark off.
  press(number) {
    if (!this.#set.delete(number)) this.#set.add(number);
    this.#keep();
  }

  #kept() {
    try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
  }

  #keep() {
    try { localStorage.setItem(name, JSON.stringify({ game: this.#key, marked: [...this.#set] })); } catch { /* It lives as long as the page then. */ }
  }
}

// manual remembers whether the holder marks.
export const manual = {
  get: () => localStorage.getItem("drawhouse-manual") === "yes",
  set: (on) => localStorage.setItem("drawhouse-manual", on ? "yes" : ""),
};
