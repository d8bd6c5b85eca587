// How a screen asks the house. An answer is JSON; what is no answer is a Refused, which
// has the house's own sentence, or an Unreachable, after which nobody knows whether the
// house has heard.

const patience = 15_000; // with one answer, in milliseconds

// Refused is the house's no: a code for programs, a sentence for people, and where it
// applies the field and the clause.
export class Refused extends Error {
  constructor(status, { code, sentence, field = "", clause = "", cents = 0 }) {
    super(sentence);
    Object.assign(this, { status, code, field, clause, cents });
  }
}

// Unreachable means that no answer came, or one that says to ask again.
export class Unreachable extends Error {}

// again are the statuses after which the same request may be sent once more.
const again = (status) => status === 502 || status === 503 || status === 504;

// ask sends a request and returns { json, response }. The body, if there is one, is
// sent as it is; anybody who signs it must have signed these very bytes. A device that signs
// leaves out the cookie of a person who has signed on in the same browser: a request is
// one's or the other's.
export async function ask(method, uri, { body, headers = {}, wait = patience, credentials = "same-origin" } = {}) {
  let response, text;
  try {
    response = await fetch(uri, {
      method, body, credentials, cache: "no-store", signal: AbortSignal.timeout(wait),
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
    });
    text = await response.text();
  } catch (cause) {
    throw new Unreachable(uri, { cause });
  }
  let json;
  try { json = JSON.parse(text); } catch { /* Not from the house. */ }
  if (response.ok && json !== undefined) return { json, response };
  if (again(response.status) || !json?.error?.sentence) throw new Unreachable(`${uri}: ${response.status}`);
  const refused = new Refused(response.status, json.error);
  refused.date = Date.parse(response.headers.get("Date")); // by the clock of the house
  throw refused;
}

// get asks a question.
export const get = async (uri, options) => (await ask("GET", uri, options)).json;
