// How a room stands, in one word, and which of its games a screen shows.

// standing returns { state, game }. The states are those of hallStrings.state. Between
// games the one that is over stays in view until the next is sealed.
export function standing(room) {
  const { session, game, last } = room;
  if (!session) return { state: "none", game: null };
  if (session.phase === "closed") return { state: "closed", game: last ?? null };
  if (session.phase === "entering") return { state: "entering", game: null };
  if (!game) return { state: "ended", game: last ?? null };
  switch (game.phase) {
    case "drawing jackpot numbers": return { state: "jackpot", game };
    case "calling": return { state: ofCalling(game), game };
    default: return { state: "between", game: last ?? null };
  }
}

function ofCalling(game) {
  if (openClaims(game).length) return "checking";
  if (bingos(game).length) return "won";
  return game.calls.length ? "calling" : "sealed";
}

// openClaims are the claims that nobody has checked.
export const openClaims = (game) => game.claims.filter((c) => !c.decided);

// bingos are the claims of a full house that were found good.
export const bingos = (game) => game.claims.filter((c) => c.accepted && c.pattern === "bingo");

// fresh are the claims on the last number, for anything, that were found good.
export const fresh = (game) => game.claims.filter((c) => c.accepted && c.called === game.calls.length);

// results groups what was won in a game by pattern: { name, cards, winners, each, jackpot }. Winners are players: somebody
// with several cards has one share, which stands with one of the claims. What fraud took is no result.
export function results(game) {
  return game.prizes.map(({ pattern, name }) => {
    const good = game.claims.filter((c) => c.accepted && !c.withdrawn && c.pattern === pattern), shares = good.filter((c) => c.cents > 0);
    return { pattern, name, cards: good.length, winners: shares.length, each: shares[0]?.cents ?? 0, jackpot: good.reduce((sum, c) => sum + c.jackpot_cents, 0) };
  });
}
