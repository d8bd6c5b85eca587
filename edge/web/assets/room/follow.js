// What the screens of a bingo room follow: the room as the house shows it, asked for
// anew at every event of the feed. The house answers with what is in its journal and
// nothing else, and tells of a record once it is durable, so that a number cannot be seen
// before it is there. An answer is whole: a screen that was cut off needs no memory.
import { get, Refused } from "../kit/api.js";
import { useLocale } from "../kit/strings.js";

const patience = 8_000; // with an answer, in milliseconds
const quiet = 25_000; // that a living feed may be: the house ticks every ten seconds
const retries = [500, 1_000, 2_000, 4_000]; // waits before asking again, the last one for good

// events are those of the feed that tell of rooms.
const events = [
  "session_set", "session_begun", "session_closing", "session_closed", "halted", "resumed", "announced", "sealed", "witnessed",
  "number_called", "call_corrected", "drawn", "claim_opened", "claim_checked", "settled", "voided",
].map((name) => `bingo_${name}`);

// Looks asks one question at a time. What may have changed while it was asked is asked for
// again, so that anybody who waits for now() has an answer that was asked for after that.
export class Looks {
  #ask;
  #under = null;
  #soon = false;

  constructor(ask) { this.#ask = ask; }

  now() {
    this.#soon = true;
    this.#under ??= this.#run().finally(() => { this.#under = null; });
    return this.#under;
  }

  async #run() {
    while (this.#soon) {
      this.#soon = false;
      await this.#ask();
    }
  }
}

export class Follow {
  #hall;
  #listener;
  #known = "";
  #looks = new Looks(() => this.#ask());
  #source = null;
  #failed = 0;
  #timer = 0;

  // The listener has room(room), connection(state) with "loading", "live" or "offline",
  // and refused(error) for a room that there is not.
  constructor(hall, listener) {
    this.#hall = hall;
    this.#listener = listener;
  }

  start() {
    this.#listener.connection("loading");
    addEventListener("online", () => this.look());
    return this.look();
  }

  // look asks now, so that anybody who has just changed something sees it at once.
  look() { return this.#looks.now(); }

  async #ask() {
    try {
      const { id, ...room } = await get(`/v1/hall/${this.#hall}`, { wait: patience });
      if (room.session) delete room.session.id; // It counts records, also those of others.
      const text = JSON.stringify(room);
      useLocale(room.locale);
      if (text !== this.#known) this.#listener.room(room);
      this.#known = text;
      if (!this.#source) this.#open(id);
    } catch (error) {
      if (error instanceof Refused) this.#listener.refused?.(error);
      this.#lost();
    }
  }

  // open follows the events after what was seen.
  #open(id) {
    const source = new EventSource(`/v1/events?after=${encodeURIComponent(id)}`);
    this.#source = source;
    const heard = (take) => (message) => {
      if (source !== this.#source) return;
      this.#alive();
      if (take) take(JSON.parse(message.data));
    };
    for (const name of events) source.addEventListener(name, heard((event) => event.hall === this.#hall && this.look()));
    source.addEventListener("tick", heard());
    source.addEventListener("reset", heard(() => this.#lost()));
    source.onopen = heard();
    source.onerror = () => source === this.#source && this.#lost();
  }

  #alive() {
    this.#failed = 0;
    this.#listener.connection("live");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lost(), quiet);
  }

  #lost() {
    this.#source?.close();
    this.#source = null;
    this.#listener.connection("offline");
    clearTimeout(this.#timer);
    const wait = retries[Math.min(this.#failed++, retries.length - 1)];
    this.#timer = setTimeout(() => this.look(), wait * (0.75 + Math.random() / 2)); // Not all screens at once.
  }
}
