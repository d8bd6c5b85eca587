// The board as the events change it. This is the twin of the fold in the server:
// a board with events added here equals the board that the server would send.

// apply adds an event to a board.
export function apply(board, name, event) {
  const series = board.series.find((s) => s.series === event.series);
  const change = changes[name];
  if (!series || !change) throw new Error(`no place for ${name} of series ${event.series}`);
  change(series, event, board);
  board.id = event.id;
}

// names are the names of the events that a board takes.
export function names() {
  return Object.keys(changes);
}

const changes = {
  day_opened(series, e) {
    series.day = e.day;
    series.day_open = true;
    series.utc_offset_seconds = e.utc_offset_seconds;
  },
  day_closed(series) {
    series.day_open = false;
  },
  game_opened(series, e) {
    series.open = { day: e.day, game: e.game, ordinal: e.ordinal, closes: e.closes, numbers: [] };
  },
  game_closed(series, e) {
    if (series.open?.ordinal !== e.ordinal) throw new Error(`game ${e.game} is not on sale`);
    const game = { ...series.open, closed_at: e.time, sold: { plays: e.plays, stakes_cents: e.stakes_cents } };
    series.open = null;
    series.drawing.push(game);
  },
  game_sealed(series, e) {
    drawing(series, e).seal = { fingerprint: e.fingerprint, time: e.time, note: e.note };
  },
  number_drawn(series, e) {
    const game = drawing(series, e);
    if (e.k === 1) game.numbers = [];
    game.numbers.push(e.number);
  },
  game_drawn(series, e) {
    drawing(series, e).drawn_at = e.time;
  },
  game_settled(series, e, board) {
    const game = drawing(series, e);
    game.result = { winners: e.winners, prizes_cents: e.prizes_cents };
    game.settled_at = e.time;
    series.drawing = series.drawing.filter((g) => g !== game);
    series.results.unshift(game);
    series.results.splice(board.results_kept);
  },
};

function drawing(series, e) {
  const game = series.drawing.find((g) => g.ordinal === e.ordinal);
  if (!game) throw new Error(`game ${e.game} is not being drawn`);
  return game;
}

// shownGame is the game whose numbers a series shows: the one being drawn, or
// else the last one that was.
export function shownGame(series) {
  return series.drawing[0] ?? series.results[0] ?? null;
}

// phaseOf says how far a game has come.
export function phaseOf(game) {
  if (!game) return "none";
  if (game.result) return "settled";
  if (game.drawn_at) return "drawn";
  if (game.numbers.length > 0) return "drawing";
  return game.seal ? "sealed" : "closed";
}

// tally counts the numbers of a game by rows of ten and by halves.
export function tally(numbers, of) {
  const rows = new Array(of / 10).fill(0);
  let heads = 0;
  let sum = 0;
  for (const n of numbers) {
    rows[Math.floor((n - 1) / 10)]++;
    if (n <= of / 2) heads++;
    sum += n;
  }
  return { rows, heads, tails: numbers.length - heads, sum };
}
