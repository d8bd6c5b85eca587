// The series of games that a screen is about: the one that its address names, or else the first.
import { strings } from "./strings.js";

const first = 1;
const wanted = Number(new URLSearchParams(location.search).get("series")) || first;

// ofSeries is what a request says of the series; of the first it says nothing.
export const ofSeries = wanted === first ? {} : { series: wanted };

// inSeries is the address of a question about the series.
export const inSeries = (path) => (wanted === first ? path : `${path}${path.includes("?") ? "&" : "?"}series=${wanted}`);

// isOver reports whether a series has had its last Keno Day.
export const isOver = (series) => Boolean(series.last_day) && !series.day_open && series.day >= series.last_day;

// seriesOf returns the series on a board.
export const seriesOf = (board) => board.series.find((s) => s.series === wanted) ?? board.series[0];

// moveOn goes to a series that is sold here, where the one that the address names is not. Tickets of that series are
// paid here all the same.
export function moveOn(sold) {
  if (sold.length > 0 && !sold.some(({ series }) => series === wanted)) location.replace(`?series=${sold[0].series}`);
}

// choose shows the series that are sold here as links, where there is more than one.
export function choose(nav, sold) {
  nav.setAttribute("aria-label", strings.onSaleHere);
  nav.hidden = sold.length < 2;
  nav.replaceChildren(...sold.map(({ series, name }) => {
    const link = document.createElement("a");
    link.href = series === first ? location.pathname : `?series=${series}`; // The view of an office begins anew.
    link.textContent = name;
    if (series === wanted) link.setAttribute("aria-current", "page");
    return link;
  }));
}
