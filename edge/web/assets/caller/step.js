// The one step that is next in a room: what the caller reads, what the key does, and
// where it is sent. A step without a path is for somebody else.
import { callerStrings as strings } from "../kit/strings-bingo.js";
import { bingos, openClaims } from "../room/standing.js";

// stepOf returns { kind, text: [title, hint], path, body, key }.
export function stepOf(room) {
  const { session, game } = room;
  const idle = (kind) => ({ kind, text: strings.step[kind] });
  if (!session) return idle("none");
  if (session.phase === "entering") return idle("entering");
  if (session.phase === "closed") return idle("closed");
  if (!game) return idle("ended");
  if (session.halted) return idle("halted");
  const at = `/sessions/${session.session}/games/${game.game}`;
  switch (game.phase) {
    case "waiting":
      return session.jackpot_to_draw ? { kind: "sealJackpot", text: strings.step.sealJackpot(game), path: `${at}/jackpot`, key: "Enter" } : announce(at, game);
    case "ready": return announce(at, game);
    case "drawing jackpot numbers": return jackpot(at, session);
    case "calling": return calling(at, game, room.form.numbers);
    default: return idle("none");
  }
}

const announce = (at, game) => ({ kind: "announce", text: strings.step.announce(game.game), path: `${at}/announcement`, key: "Enter" });

function jackpot(at, session) {
  const k = session.jackpot_numbers.length + 1;
  if (k > session.jackpot_to_draw) return { kind: "endJackpot", text: strings.step.endJackpot, path: `${at}/finish`, key: "Enter" };
  return { kind: "call", text: strings.step.jackpot(k, session.jackpot_to_draw), path: `${at}/calls`, body: { place: k }, key: "Space" };
}

function calling(at, game, numbers) {
  const open = openClaims(game);
  if (open.length) return { kind: "check", text: strings.step.check(open.length), claim: open[0].claim, key: "Enter" };
  if (bingos(game).length) return { kind: "finish", text: strings.step.finish, path: `${at}/finish`, key: "Enter" };
  const k = game.calls.length + 1;
  if (k > numbers) return { kind: "finish", text: strings.step.finishAll(numbers), path: `${at}/finish`, key: "Enter" };
  return { kind: "call", text: strings.step.call(k), path: `${at}/calls`, body: { place: k }, key: "Space" };
}
