// A scanner types the serial of a card wherever the focus is, and Enter behind it. Two
// players may call on one number: the card of the second must not become the number of a
// supervisor, the reason for a void, or the Enter that ends the game.
const serial = /^[0-9a-z]*-\d{6}-\d{2}-\d{2}$/i;

// isSerial reports whether a text is a serial, or one whose first letter was a key.
export const isSerial = (text) => serial.test(text.trim());

// onScan calls act with every serial that is scanned outside a field for serials: where
// nothing is typed, or into a field for something else, which is emptied then.
export function onScan(own, act) {
  let typed = "";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const field = event.target.closest?.("input:not([type=checkbox])");
    if (event.key !== "Enter") {
      typed = field || event.key === " " ? "" : event.key.length === 1 ? typed + event.key : event.key === "Shift" ? typed : "";
      return;
    }
    const text = field ? field.value : typed;
    typed = "";
    if (field === own || !isSerial(text)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (field) field.value = "";
    act(text.trim().toUpperCase());
  }, { capture: true });
}
