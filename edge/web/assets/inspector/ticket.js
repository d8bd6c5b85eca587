// A ticket: what was bet, what was won and by which clause and numbers, and every
// record that is about it.
import { get } from "../kit/api.js";
import { element } from "../kit/dom.js";
import { inspectorStrings as strings, money } from "../kit/strings.js";
import { timeLine } from "./evidence.js";

const cents = (amount) => money(amount, strings.currency);

// showTicket asks for a serial, and shows the ticket that has it.
export async function showTicket(target, volumes, serial) {
  const input = element("input", "", "", { name: "serial", inputmode: "numeric", autocomplete: "off", required: true, maxlength: 40, value: serial });
  const form = element("form", "panel", [element("h2", "", strings.whyPaid), element("div", "tools", [element("label", "", [strings.serial, input]), element("button", "main", strings.show)])]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#ticket/${encodeURIComponent(input.value.replaceAll(" ", ""))}`;
  });
  target.replaceChildren(form);
  if (serial === "") return;
  const ticket = await get(`/v1/tickets/${encodeURIComponent(serial)}`);
  const [volume, seq] = ticket.place.split(":").map(Number);
  const about = [];
  for (const { volume: of } of volumes.all.filter((head) => head.volume >= volume)) {
    const journal = await volumes.journal(of);
    const seqs = [...(of === volume ? [seq] : []), ...(journal.tickets.get(ticket.place) ?? [])];
    if (seqs.length > 0) about.push(timeLine(of, seqs.map((n) => ({ seq: n, ...journal.entries[n] }))));
  }
  target.append(
    element("section", "panel", [
      element("h2", "", strings.ticketTitle(ticket.serial)), element("p", "", strings.ticketSums(ticket, cents)),
      ...(ticket.anonymous ? [element("p", "", strings.anonymous)] : []),
      ...ticket.ticket.bets.map((bet) => element("p", "", strings.bet(bet, cents))),
      element("p", "", [element("a", "button", strings.keepStory, { href: `/v1/tickets/${encodeURIComponent(serial)}/story`, download: `story-${ticket.serial}.json` })]),
      element("p", "hint", strings.storyHint),
    ]),
    ...ticket.games.map(gamePanel),
    element("section", "panel", [element("h2", "", strings.recordsOf), ...(about.length === 0 ? [element("p", "quiet", strings.otherVolume(volume))] : about)]));
}

function gamePanel(game) {
  const name = `${game.day}/${game.game}`;
  const parts = [element("h2", "", [element("a", "", strings.game(name), { href: `#game/${name}` })]), element("p", "", strings.gameSums(game, cents))];
  if (game.numbers.length > 0) parts.push(element("ol", "numbers", game.numbers.map((n) => element("li", "", String(n)))));
  if (game.lines?.length) {
    parts.push(element("ol", "why", game.lines.map((line) => element("li", "", [strings.way(line.way, line.text), " ", element("span", "clause", strings.clause(line.clause)), ` ${cents(line.amount_cents)}`]))));
  } else if (game.phase === "settled") {
    parts.push(element("p", "quiet", strings.wonNothing));
  }
  return element("section", "panel why-game", parts);
}
