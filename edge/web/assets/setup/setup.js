// The one-time token is in the fragment of the address, which no server is sent and no
// log has.
import { ask, Refused } from "../kit/api.js";
import { words } from "../kit/dom.js";
import { setupStrings as strings } from "../kit/strings.js";

const form = document.getElementById("form");
const answer = document.getElementById("answer");
words({ setup: strings });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const body = { token: location.hash.slice(1), name: data.get("name"), password: data.get("password") };
  if (data.get("contact")) body.contact = data.get("contact");
  answer.textContent = "";
  try {
    const { json } = await ask("POST", "/v1/setup", { body: JSON.stringify(body) });
    form.hidden = true;
    history.replaceState(null, "", location.pathname);
    answer.textContent = strings.made(json.number);
    document.getElementById("next").hidden = false;
  } catch (error) {
    answer.textContent = error instanceof Refused ? error.message : strings.noHouse;
  }
});
