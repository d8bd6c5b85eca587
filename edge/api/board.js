// A board of a house on any page, by one line:
//
//   <script src="https://HOUSE/board.js" async></script>
//
// It shows the last results and the jackpots where the line stands, and follows them. What may stand in the line, too:
//
//   data-series="2"     another series of games than the first
//   data-results="10"   how many results, 5 if nothing is said and 10 at most
//   data-show="results" results or jackpots alone
//   data-game="Spiel"   the words: data-game, data-spots, data-void, data-waits, data-lang for the form of amounts
//
// It sets no cookie, loads nothing else and asks only the house that it comes from. Its looks are changed by CSS from
// outside: drawhouse-board { --ink: #fff; --paper: #123; --mark: #fc0; font: ... }.
(() => {
  const line = document.currentScript;
  const house = new URL(line.src).origin;
  const said = { series: "1", results: "5", show: "results jackpots", game: "Game", spots: "spots", void: "No result", waits: "No connection. Trying again.", ...line.dataset };
  const most = Math.min(Math.max(Number(said.results) || 5, 1), 10), series = Number(said.series) || 1;
  const patience = 25_000; // with a silent stream, which gives a sign every ten seconds

  const looks = `
    :host { display: block; color: var(--ink, inherit); background: var(--paper, transparent); container-type: inline-size }
    ol, dl { list-style: none; margin: 0; padding: 0 }
    li { margin: 0 0 .8em }
    h3 { font: inherit; font-weight: bold; margin: 0 0 .3em }
    .numbers { display: flex; flex-wrap: wrap; gap: .3em }
    .numbers span { min-width: 2em; padding: .25em 0; text-align: center; border: 1px solid var(--mark, currentColor); border-radius: 1em; font-variant-numeric: tabular-nums }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .2em 1em; margin: 0 0 .8em }
    dd { margin: 0; font-variant-numeric: tabular-nums }
    p { margin: 0 }
    [hidden] { display: none }`;

  const made = (name, text = "", parts = []) => {
    const element = document.createElement(name);
    element.textContent = text;
    element.append(...parts);
    return element;
  };

  const board = made("drawhouse-board"), root = board.attachShadow({ mode: "open" });
  const jackpots = made("dl"), results = made("ol"), status = made("p");
  const sheet = new CSSStyleSheet(); // A policy of the page that forbids styles in it allows these.
  sheet.replaceSync(looks);
  root.adoptedStyleSheets = [sheet];
  status.setAttribute("role", "status");
  jackpots.hidden = !said.show.includes("jackpots");
  results.hidden = !said.show.includes("results");
  root.append(jackpots, results, status);
  line.after(board);

  let games = [], stream, timer, wait = 1000;

  const showJackpots = (list, currency) => {
    const amount = new Intl.NumberFormat(said.lang || document.documentElement.lang || undefined, { style: "currency", currency });
    jackpots.replaceChildren(...list.flatMap(({ spots, cents }) => [made("dt", `${spots} ${said.spots}`), made("dd", amount.format(cents / 100))]));
  };

  const showResults = () => results.replaceChildren(...games.map((g) => {
    const numbers = made("div", "", [...g.numbers].sort((a, b) => a - b).map((n) => made("span", n)));
    numbers.className = "numbers";
    return made("li", "", [made("h3", `${said.game} ${g.game} · ${g.day}`), g.void ? made("p", said.void) : numbers]);
  }));

  // add shows the result of a game, in the place of an earlier one of the same game.
  const add = (result) => {
    games = [result, ...games.filter((g) => g.ordinal !== result.ordinal)].sort((a, b) => b.ordinal - a.ordinal).slice(0, most);
    showResults();
  };

  const ask = async (path) => {
    const answer = await fetch(house + path, { credentials: "omit", signal: AbortSignal.timeout(patience) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };

  // again begins anew after a while, which grows: a house that comes back is not met by all pages at once.
  const again = () => {
    stream?.close();
    clearTimeout(timer);
    status.textContent = said.waits;
    timer = setTimeout(begin, wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, 60_000);
  };

  // alive waits for the next sign of life.
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(again, patience);
  };

  async function begin() {
    try {
      const now = await ask("/v1/board"), own = now.series.find((s) => s.series === series);
      if (!own) throw new Error(`the house has no series ${series}`);
      games = own.results.slice(0, most).map((g) => ({ ...g, void: Boolean(g.void) }));
      showResults();
      showJackpots(own.jackpots ?? [], own.currency);
      stream = new EventSource(`${house}/v1/results/events?series=${series}&after=${encodeURIComponent(now.id)}`);
    } catch {
      again();
      return;
    }
    const on = (name, act) => stream.addEventListener(name, ({ data }) => { alive(); act(JSON.parse(data)); });
    on("tick", () => { wait = 1000; status.textContent = ""; });
    on("result", add);
    on("jackpots", (now) => showJackpots(now.jackpots, now.currency));
    on("reset", () => { stream.close(); begin(); });
    stream.addEventListener("error", again);
    alive();
  }
  begin();
})();
