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
    delete series.closes_at;
  },
  game_opened(series, e) {
    // What other rules bring, the board must be asked for.
    if (series.rulebook.hash !== e.rulebook || series.schedule !== e.schedule) throw new Error(`game ${e.game} is played under other rules`);
    series.open = { day: e.day, game: e.game, ordinal: e.ordinal, closes: e.closes, numbers: [] };
  },
  game_closed(series, e) {
    pools(series, e);
    if (series.open?.ordinal !== e.ordinal) throw new Error(`game ${e.game} is not on sale`);
    const game = { ...series.open, closed_at: e.time, sold: { plays: e.plays, stakes_cents: e.stakes_cents } };
    series.open = null;
    series.drawing.push(game);
  },
  game_sealed(series, e) {
    drawing(series, e).seal = { fingerprint: e.fingerprint, time: e.time, note: e.note };
  },
  game_witnessed(series, e) {
    const game = drawing(series, e);
    if (game.seal) game.seal = { ...game.seal, note: e.note, witnessed_by: e.by };
  },
  number_drawn(series, e) {
    const game = drawing(series, e);
    if (e.k === 1) game.numbers = [];
    game.numbers.push(e.number);
  },
  draw_voided(series, e) {
    const game = drawing(series, e);
    game.numbers = [];
    delete game.drawn_at;
    game.void_draws = (game.void_draws ?? 0) + 1;
  },
  game_drawn(series, e) {
    drawing(series, e).drawn_at = e.time;
  },
  game_settled(series, e, board) {
    pools(series, e);
    const game = drawing(series, e);
    game.result = resultOf(e);
    over(series, game, e, board);
  },
  game_resettled(series, e) {
    pools(series, e);
    for (const game of series.results) if (game.day === e.day && game.game === e.game) game.result = resultOf(e);
  },
  result_corrected(series, e) {
    for (const game of series.results) if (game.day === e.day && game.game === e.game) Object.assign(game, { numbers: e.numbers, corrected: e.reason });
  },
  game_voided(series, e, board) {
    pools(series, e);
    const game = drawing(series, e);
    game.void = e.reason;
    game.numbers = [];
    over(series, game, e, board);
  },
  jackpots_changed(series, e) {
    pools(series, e);
  },
  play_paused(series, e) {
    series.paused = e.reason;
  },
  play_resumed(series) {
    delete series.paused;
  },
  notice_shown(series, e) {
    if (e.text) series.notice = e.text;
    else delete series.notice;
  },
  closure_announced(series, e) {
    series.closes_at = e.at;
  },
  series_limited(series, e) {
    series.last_day = e.last_day;
  },
};

function drawing(series, e) {
  const game = series.drawing.find((g) => g.ordinal === e.ordinal);
  if (!game) throw new Error(`game ${e.game} is not being drawn`);
  return game;
}

// over moves a game to those that are settled or void.
function over(series, game, e, board) {
  game.settled_at = e.time;
  series.drawing = series.drawing.filter((g) => g !== game);
  series.results.unshift(game);
  series.results.splice(board.results_kept);
}

function resultOf(e) {
  const result = { winners: e.winners, prizes_cents: e.prizes_cents };
  if (e.multiplier) result.multiplier = e.multiplier;
  if (e.jackpots) result.jackpots = e.jackpots;
  return result;
}

// pools shows what the jackpots have come to.
function pools(series, e) {
  if (e.pools) series.jackpots = e.pools;
}

// shownGame is the game whose numbers a series shows: the one being drawn, or
// else the last one that was.
export function shownGame(series) {
  return series.drawing[0] ?? series.results[0] ?? null;
}

// phaseOf says how far a game has come.
export function phaseOf(game) {
  if (!game) return "none";
  if (game.void) return "void";
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

// places ranks the rows of a finished draw as a race: by how many of their numbers
// were drawn, and among equals by which of them reached that count first. With two
// rows that are full, all others are third.
export function places(numbers, of) {
  const rows = tally(numbers, of).rows;
  const reached = rows.map((count, row) => {
    let left = count;
    return count === 0 ? -1 : numbers.findIndex((n) => Math.floor((n - 1) / 10) === row && --left === 0);
  });
  const order = rows.map((_, row) => row).sort((a, b) => rows[b] - rows[a] || reached[a] - reached[b] || a - b);
  const full = rows.filter((count) => count === 10).length;
  return rows.map((count, row) => (full === 2 && count < 10 ? 3 : order.indexOf(row) + 1));
}
