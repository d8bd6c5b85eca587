// Reports: choose one, look at it, take it along.
import { ofSeries } from "../kit/series.js";
import { element } from "../kit/dom.js";
import { Refused } from "../kit/api.js";
import { officeStrings as strings } from "../kit/strings-office.js";
import { form } from "./form.js";
import { Table } from "./table.js";
import { facts } from "./today.js";

export async function showReports(page, chosen = "") {
  const { desk } = page;
  const { reports, formats, series } = await desk.getOfHouse("/v1/reports");
  const report = reports.find((r) => r.name === chosen) ?? reports[0];
  const list = element("ul", "list", reports.map((r) => element("li", "", [element("a", "", strings.reportName(r.name), { href: `#reports/${r.name}`, "aria-current": r === report ? "page" : null })])));
  const shown = element("div", "report", "", { id: "report" });
  const { venues } = await desk.getOfHouse("/v1/venues");
  const where = report.by_venue ? [{ name: "venue", label: strings.venue, kind: "numberChoice", optional: true, options: [["", strings.allVenues], ...venues.map((v) => [v.number, strings.venueName(v.number, v.name)])] }] : [];
  const games = report.by_series && series.length > 1 ? [{ name: "series", label: strings.ofSeries, kind: "numberChoice", optional: true, value: ofSeries.series ?? "", options: [["", strings.allSeries], ...series.map((s) => [s.series, strings.seriesName(s.series, s.name)])] }] : [];
  const time = report.by_time ? [{ name: "by", label: strings.byTime, optional: true, options: strings.times }] : [];
  const days = {
    some: [{ name: "from", label: strings.fromDay, kind: "date", optional: true, hint: strings.fromDayHint }, { name: "to", label: strings.toDay, kind: "date", optional: true, hint: strings.toDayHint }],
    one: [{ name: "from", label: strings.ofDay, kind: "date" }],
    none: [],
  }[report.days];
  const choose = form("report-choice", [...days, ...time, ...games, ...where],
    strings.showReport, async (values) => {
      const query = new URLSearchParams(values).toString();
      const asked = `/v1/reports/${report.name}`;
      const { series: _, ...ofHouse } = values, entries = new URLSearchParams(ofHouse).toString();
      const table = await desk.getOfHouse(`${asked}?${query}`);
      const files = [
        ...formats.map((format) => [strings.formats[format] ?? format, `${asked}/${format}?${query}`, `${report.name}.${format === "text" ? "txt" : format}`]),
        // The trial balance is what journal entries come to; they are of the house, and of no series alone.
        ...(report.name === "accounts" ? [[strings.entriesCSV, `/v1/ledger/csv?${entries}`, "entries.csv"], [strings.entriesPlain, `/v1/ledger/ledger?${entries}`, "entries.journal"]] : []),
      ];
      const show = () => shown.replaceChildren(...whole(report, table, files, behind));
      const behind = !report.behind ? null : async (figure) => {
        try {
          const records = await desk.getOfHouse(`${asked}/behind?${new URLSearchParams({ ...values, figure })}`);
          const back = element("button", "", strings.backToReport, { type: "button" });
          back.addEventListener("click", show);
          shown.replaceChildren(element("p", "acts", [back]), ...whole(report, records, []));
          back.focus();
        } catch (error) {
          shown.prepend(element("p", "fault", error instanceof Refused ? error.message : strings.noHouse, { role: "alert" }));
        }
      };
      show();
    });
  choose.classList.add("row");
  page.target.append(element("div", "split narrow", [element("nav", "panel", [element("h2", "", strings.views.reports), list], { "aria-label": strings.views.reports }),
    element("div", "view", [element("section", "panel", [element("h2", "", strings.reportName(report.name)), element("p", "hint", strings.about(report.about)), choose]), shown])]));
}

// whole is a report with its figures, its rows and the files that it can be had as. A press on a figure asks for the
// records behind it, where behind is given.
function whole(report, { title, period, up_to: upTo, notes, figures, columns, rows, subtotals, total }, files, behind) {
  const places = new Map([...rows.map((row, i) => [row, i + 1]), [total, "total"]]);
  const figureOf = (column, row, i) => {
    const shown = strings.reportCell(column.kind, row[i]);
    if (!behind || shown === "" || !["flow", "opening", "closing"].includes(column.over) || Number(row[i]) === 0) return shown;
    const press = element("button", "heading", shown, { type: "button", title: strings.recordsBehind });
    press.addEventListener("click", () => behind(`${places.get(row)}/${column.name}`));
    return press;
  };
  const number = (column) => column.kind !== "text";
  const table = new Table({ name: title, empty: strings.emptyReport, columns: columns.map((column, i) => ({
    head: column.name, title: column.means, number: number(column), cell: (row) => figureOf(column, row, i), value: (row) => number(column) && row[i] !== "" ? Number(row[i]) : row[i] })) });
  table.show(rows);
  for (const sums of subtotals ?? []) table.foot(sums.map((_, i) => strings.reportCell(columns[i].kind, sums[i])));
  if (total) table.foot(total.map((_, i) => figureOf(columns[i], total, i)));
  return [element("section", "panel", [
    element("h2", "", title), element("p", "quiet", [period, ...(upTo ? [strings.upToRecord(upTo)] : [])].join(". ")),
    ...(figures.length > 0 ? [element("dl", "facts wide", facts(figures.map((f) => [f.name, f.value])))] : []),
    element("p", "acts", files.map(([label, uri, download]) => element("a", "button", label, { href: uri, download }))),
    table.element, ...(notes ?? []).map((note) => element("p", "hint", note)), meanings(columns)])];
}

// meanings lists what each column means.
function meanings(columns) {
  return element("details", "meanings", [element("summary", "", strings.columnMeanings),
    element("dl", "facts", columns.flatMap((c) => [element("dt", "", c.name), element("dd", "", [c.means, strings.severalDays[c.over]].filter(Boolean).join(" "))]))]);
}
