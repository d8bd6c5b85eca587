// Forms: fields by what they hold, and what is wrong with one beside it, with the clause.
import { centsOf as amount } from "../kit/amount.js";
import { Refused, Unreachable } from "../kit/api.js";
import { element } from "../kit/dom.js";
import { officeStrings as strings } from "../kit/strings-office.js";

// readers turn what was typed into what is sent. An amount is typed in dollars and sent
// in cents, and no step between them has a fraction of a cent.
const readers = {
  text: (input) => input.value.trim(),
  number: (input) => Number(input.value),
  cents: (input) => centsOf(input.value),
  check: (input) => input.checked,
  list: (input) => input.value.split(",").map((word) => word.trim()).filter(Boolean),
  numbers: (input) => input.value.split(/[\s,]+/).filter(Boolean).map(Number),
  records: (input, { fields }) => input.value.split(";").filter((part) => part.trim() !== "").map((part) => recordOf(part, fields)),
  truth: (input) => input.value === "true",
  date: (input) => input.value,
  time: (input) => new Date(input.value).toISOString(),
  choice: (input) => input.value,
  file: (input) => input.files[0],
  numberChoice: (input) => Number(input.value),
};

// centsOf reads an amount; what is none becomes no number, which the house refuses by its
// field.
export function centsOf(text) {
  const cents = amount(text);
  return Number.isNaN(cents) ? null : cents;
}

// recordOf reads the values of a record in the order of its fields, such as 500 1 3.
function recordOf(text, fields) {
  const values = text.trim().split(/\s+/);
  return Object.fromEntries(fields.map((field, i) => [field.name, field.kind === "cents" ? centsOf(values[i] ?? "") : Number(values[i])]));
}

const types = { number: { inputmode: "numeric", pattern: "[0-9]*" }, cents: { inputmode: "decimal" }, date: { type: "date" }, time: { type: "datetime-local" }, check: { type: "checkbox" }, file: { type: "file" } };

function control(field, id) {
  if (field.options) {
    const options = field.options.map(([value, text]) => element("option", "", text, { value, selected: String(value) === String(field.value ?? "") }));
    return element("select", "", options, { name: field.name, id, required: !field.optional && field.options.some(([value]) => value === "") });
  }
  return element("input", "", "", {
    name: field.name, id, required: !field.optional && field.kind !== "check", autocomplete: "off", value: field.value ?? null, list: field.suggestions ? `${id}-list` : null,
    maxlength: field.kind === "text" || !field.kind ? 200 : null, ...types[field.kind],
  });
}

function labelled(form, field) {
  const id = `${form}-${field.name}`;
  const made = control(field, id);
  const parts = [element("label", field.kind === "check" ? "check" : "", [element("span", "", field.label), made], { for: id })];
  if (field.hint) parts.push(element("p", "hint", field.hint));
  if (field.none && field.options.length === 0) parts.push(element("p", "notice", field.none));
  if (field.suggestions) parts.push(element("datalist", "", field.suggestions.map(([value, text]) => element("option", "", text, { value })), { id: `${id}-list` }));
  parts.push(element("p", "fault", "", { id: `${id}-fault`, role: "alert" }), element("p", "clause", "", { id: `${id}-clause` }));
  return element("div", "field", parts, { "data-field": field.name });
}

// form returns a form with an id. Its act gets the values that were filled in, by name;
// those that may be left out and are, it does not get.
export function form(id, fields, button, act, { main = true } = {}) {
  const press = element("button", main ? "main" : "", button);
  const foot = element("p", "fault", "", { role: "alert", id: `${id}-fault` });
  const clause = element("p", "clause", "");
  const made = element("form", "fields", [...fields.map((field) => labelled(id, field)), foot, clause, element("p", "", [press])], { id });
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (made.ariaBusy === "true") return; // What was pressed twice is sent once.
    for (const part of made.querySelectorAll(".fault, .clause")) part.textContent = "";
    for (const part of made.querySelectorAll("[aria-invalid]")) part.removeAttribute("aria-invalid");
    made.ariaBusy = "true";
    try {
      await act(valuesOf(made, fields));
    } catch (error) {
      refused(made, fields, error, foot, clause);
    } finally {
      made.ariaBusy = "false";
    }
  });
  return made;
}

function valuesOf(made, fields) {
  const values = {};
  for (const field of fields) {
    const input = made.elements[field.name];
    if (field.optional && input.value === "" && field.kind !== "check") continue;
    values[field.name] = readers[field.kind ?? (field.options ? "choice" : "text")](input, field);
  }
  return values;
}

// sentenceOf says what is wrong with a request. What is neither an answer nor the want of one is a defect of this page:
// the page says so, and the console has it.
function sentenceOf(error) {
  if (error instanceof Refused) return error.message;
  if (error instanceof Unreachable) return strings.noAnswer;
  if (error instanceof DOMException && error.name === "NotReadableError") return strings.fileUnreadable;
  console.error(error);
  return strings.pageFailed(error.message);
}

// refused writes what is wrong beside the field that it is about, or else at the foot.
function refused(made, fields, error, foot, clause) {
  const path = (error.field ?? "").replace(/\[.*$/, "").split(".");
  const named = (name) => fields.find((f) => f.name === name || f.sentAs === name);
  const field = named(path.at(-1)) ?? named(path[0]); // A part of a value is said beside the value.
  const id = field ? `${made.id}-${field.name}` : "";
  const input = field ? made.elements[field.name] : null;
  const sentence = sentenceOf(error);
  (input ? made.querySelector(`#${CSS.escape(id)}-fault`) : foot).textContent = sentence;
  (input ? made.querySelector(`#${CSS.escape(id)}-clause`) : clause).textContent = error.clause ? strings.clause(error.clause) : "";
  if (!input) return;
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", `${id}-fault`);
  input.focus();
}
