// Small things that every screen does with its page.

// element makes one, with its class, its text or children, and its attributes.
export function element(name, className = "", content = "", attributes = {}) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (Array.isArray(content)) made.append(...content);
  else if (content !== "") made.append(content);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  return made;
}

// write changes a text only if it is another, so that nothing is redrawn or spoken that
// did not change.
export function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// parts returns the elements of the page that have an id, by it.
export function parts() {
  return Object.fromEntries([...document.querySelectorAll("[id]")].map((part) => [part.id, part]));
}

// words writes the texts of a page: an element with data-text="a.b" gets strings.a.b.
export function words(strings) {
  for (const part of document.querySelectorAll("[data-text]")) {
    part.textContent = part.dataset.text.split(".").reduce((found, key) => found[key], strings);
  }
}
