// The one-time token is in the fragment of the address, which no server is sent and no
// log has.
const form = document.getElementById("form");
const answer = document.getElementById("answer");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const body = { token: location.hash.slice(1), name: data.get("name"), password: data.get("password") };
  if (data.get("contact")) body.contact = data.get("contact");
  answer.textContent = "";
  try {
    const response = await fetch("/v1/setup", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await response.json();
    if (!response.ok) {
      answer.textContent = said.error.sentence;
      return;
    }
    form.hidden = true;
    history.replaceState(null, "", location.pathname);
    answer.textContent = `You are person ${said.number}. Sign on with that number and your password.`;
  } catch {
    answer.textContent = "The house does not answer. Try again.";
  }
});
