// The connection to the house: the board once, then the events after it. When
// the connection is lost the feed goes on behind the last event it saw.
import { apply, names } from "./fold.js";

// silence is how long a living connection may be quiet: the house ticks every
// ten seconds.
const silence = 25_000;

// retries are the waits before connecting again, the last one for good.
const retries = [500, 1_000, 2_000, 4_000, 8_000];

export class Feed {
  #listener;
  #board = null;
  #source = null;
  #attempts = 0;
  #timer = 0;
  #watchdog = 0;
  #offsets = [];

  // The listener has board(board), event(board, name, event) and
  // connection(state), where state is "loading", "live" or "offline".
  constructor(listener) {
    this.#listener = listener;
    addEventListener("online", () => this.#connect());
  }

  start() {
    this.#listener.connection("loading");
    this.#connect();
  }

  // now is the time of the server, as well as it is known.
  now() {
    return steady() + (this.#offsets.length ? Math.max(...this.#offsets) : Date.now() - steady());
  }

  async #connect() {
    this.#stop();
    try {
      if (!this.#board) await this.#load();
      this.#open();
    } catch {
      this.#lost();
    }
  }

  async #load() {
    const asked = steady();
    const answer = await fetch("/v1/board", { cache: "no-store", signal: AbortSignal.timeout(silence) });
    if (!answer.ok) throw new Error(`board: ${answer.status}`);
    const board = await answer.json();
    this.#offsets = [];
    this.#setClock(board.now, (asked + steady()) / 2);
    this.#board = board;
    this.#listener.board(board);
  }

  #open() {
    const source = new EventSource(`/v1/events?after=${encodeURIComponent(this.#board.id)}`);
    this.#source = source;
    const on = (name, take) => source.addEventListener(name, (message) => {
      if (source !== this.#source) return;
      this.#alive();
      take(JSON.parse(message.data));
    });
    for (const name of names()) on(name, (event) => this.#take(name, event));
    on("tick", (tick) => this.#setClock(tick.now, steady()));
    on("reset", () => this.#reload());
    source.onerror = () => {
      if (source === this.#source) this.#lost();
    };
    this.#watch();
  }

  #take(name, event) {
    try {
      apply(this.#board, name, event);
    } catch {
      // The board and the house disagree; what the house sends whole is right.
      this.#reload();
      return;
    }
    this.#listener.event(this.#board, name, event);
  }

  #reload() {
    this.#board = null;
    this.#connect();
  }

  #alive() {
    this.#attempts = 0;
    this.#watch();
    this.#listener.connection("live");
  }

  // A connection that is quiet for too long is dead, whatever the browser thinks.
  #watch() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), silence);
  }

  #lost() {
    this.#stop();
    this.#listener.connection("offline");
    const wait = retries[Math.min(this.#attempts++, retries.length - 1)];
    // Many screens lose a house at once and should not all come back at once.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#watchdog);
    this.#source?.close();
    this.#source = null;
  }

  // Time on the way can only make the house's clock look late, so of the last
  // offsets the greatest is the best.
  #setClock(now, at) {
    this.#offsets.push(Date.parse(now) - at);
    this.#offsets.splice(0, this.#offsets.length - 6);
  }
}

// steady is a clock that does not jump when somebody sets the machine's.
function steady() {
  return performance.timeOrigin + performance.now();
}
