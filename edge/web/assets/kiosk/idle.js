// Whether somebody is still there. After a while without a touch the kiosk asks, and
// after another while it ends the visit.

export class Idle {
  #quiet;
  #patience;
  #listener; // asks(seconds), stays(), leaves()
  #timer = 0;
  #left = 0;
  #on = false;

  constructor({ quiet, patience }, listener) {
    this.#quiet = quiet;
    this.#patience = patience;
    this.#listener = listener;
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => this.#on && this.touched(), { capture: true });
  }

  // watch begins or ends to watch; a kiosk that waits for nobody is not asked.
  watch(on) {
    this.#on = on;
    clearTimeout(this.#timer);
    if (on) this.touched();
  }

  touched() {
    clearTimeout(this.#timer);
    if (this.#left > 0) this.#listener.stays();
    this.#left = 0;
    this.#timer = setTimeout(() => this.#ask(this.#patience), this.#quiet);
  }

  #ask(left) {
    this.#left = left;
    if (left <= 0) {
      this.#on = false;
      this.#listener.leaves();
      return;
    }
    this.#listener.asks(left / 1_000);
    this.#timer = setTimeout(() => this.#ask(left - 1_000), 1_000);
  }
}
