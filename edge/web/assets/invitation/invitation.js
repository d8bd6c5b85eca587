// The one-time token is in the fragment of the address, which no server is sent and no
// log has.
import { ask, Refused } from "../kit/api.js";
import { words, write } from "../kit/dom.js";
import { invitationStrings as strings } from "../kit/strings.js";

const form = document.getElementById("form");
const answer = document.getElementById("answer");
words({ invitation: strings });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  write(answer, "");
  try {
    await ask("POST", "/v1/invitations", { body: JSON.stringify({ token: location.hash.slice(1), password: new FormData(form).get("password") }) });
    form.hidden = true;
    history.replaceState(null, "", location.pathname);
    write(answer, strings.set);
  } catch (error) {
    write(answer, error instanceof Refused ? error.message : strings.noHouse);
  }
});
