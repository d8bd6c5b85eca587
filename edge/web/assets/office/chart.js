// Charts, drawn here: an axis with its unit, a line at zero, marks that have a name under
// the pointer, and the same figures as a table beside the picture for anybody who reads it.
import { element } from "../kit/dom.js";
import { officeStrings } from "../kit/strings-office.js";

const width = 720, height = 220, left = 76, right = 12, top = 14, bottom = 30;

function svg(name, attributes = {}, children = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// steps returns round values from zero to at least the greatest one.
export function steps(most) {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const list = [];
  for (let n = 0; n < most + step; n += step) list.push(n);
  return list;
}

// frame draws the axes. Of the names below as many are written as there is room for.
function frame(name, most, unit, names) {
  const marks = steps(most);
  const greatest = marks.at(-1);
  const y = (value) => top + (height - top - bottom) * (1 - value / greatest);
  const x = (i) => left + (width - left - right) * (names.length > 1 ? i / (names.length - 1) : .5);
  const lines = marks.map((value) => svg("g", { class: value === 0 ? "zero" : "grid" }, [
    svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value) }), svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, [unit(value)])]));
  const every = Math.max(1, Math.ceil(names.length / 8));
  const below = names.map((text, i) => [text, i]).filter(([, i]) => i % every === 0)
    .map(([text, i]) => svg("text", { x: x(i), y: height - 8, "text-anchor": i === 0 ? "start" : "middle" }, [text]));
  const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, [...lines, ...below]);
  return { drawing, x, y };
}

// bars draws one bar for each point, { name, value, title }.
export function bars(name, points, unit) {
  const { drawing, y } = frame(name, Math.max(0, ...points.map((p) => p.value)), unit, points.map((p) => p.name));
  const room = (width - left - right) / Math.max(1, points.length);
  for (const [i, p] of points.entries()) {
    drawing.append(svg("rect", { class: "bar", x: left + i * room + room * .12, width: room * .76, y: y(p.value), height: Math.max(0, y(0) - y(p.value)) }, [svg("title", {}, [p.title])]));
  }
  return drawing;
}

// line draws the values of one thing over its points, { name, value, title, marked }. A
// marked point has a ring: something happened there.
export function line(name, points, unit) {
  const { drawing, x, y } = frame(name, Math.max(0, ...points.map((p) => p.value)), unit, points.map((p) => p.name));
  drawing.append(svg("path", { class: "line", d: points.map((p, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(p.value).toFixed(1)}`).join("") }));
  for (const [i, p] of points.entries()) {
    if (p.marked || points.length <= 60) drawing.append(svg("circle", { class: p.marked ? "won" : "dot", cx: x(i), cy: y(p.value), r: p.marked ? 6 : 2.5 }, [svg("title", {}, [p.title])]));
  }
  return drawing;
}

// figure puts a chart, what it is of, and its figures together.
export function figure(chart, text, rows, heads) {
  const table = element("table", "", [element("thead", "", [element("tr", "", heads.map((head, i) => element("th", i > 0 ? "number" : "", head, { scope: "col" })))]),
    element("tbody", "", rows.map((row) => element("tr", "", row.map((cell, i) => element(i === 0 ? "th" : "td", i > 0 ? "number" : "", cell, i === 0 ? { scope: "row" } : {})))))]);
  return element("figure", "", [element("div", "roll", [chart]), element("figcaption", "quiet", text),
    element("details", "", [element("summary", "", officeStrings.figures), element("div", "roll", [table], { tabindex: "0", role: "region", "aria-label": text })])]);
}
