// The words of the page of a seal.
import { gameNumber } from "../kit/strings.js";

export const sealStrings = {
  title: (game, day) => `Game ${gameNumber(Number(game))} of ${day}`,
  loading: "Asking the house",
  offline: "The house cannot be reached.",
  seal: "Fingerprint of the seal",
  notSealed: "Not sealed yet",
  willBeSealed: "When the game closes, the house seals the list of its tickets before the first number is drawn.",
  inLog: "Sealed, and in the public log",
  notInLog: "Sealed, and not yet shown in the public log",
  summary: (game) => `What was sold in game ${game} is fixed by this seal, and the seal is in the public log of the house. Your browser has just checked this.`,
  wallAgrees: "It is the seal whose code you scanned.",
  wallDiffers: "It is another seal than the one whose code you scanned.",
  otherGame: "The seal is of another game.",
  doesNotHold: "The seal does not hold",
  tellInspector: "Keep a picture of the wall and tell the inspector.",
  notProved: "What is not proved",
  noWitness: "That everybody finds the same in the public log: this house has no witnesses.",
  few: (have, of) => `That everybody finds the same in the public log: only ${have} of the ${of} witnesses whom the house names have cosigned these entries.`,
  rest: "What else the log says: this page looks at one entry. A program that follows the whole log (drawhouse watch) finds a second seal of this game, a late sale or a wrong result.",
  keys: "That the keys of house, log and witnesses are whose they say: this page has them from the house. Keep the proof, and check it with keys that you know from somebody you trust.",
  keep: "Keep the proof",
  elsewhere: "Check it without this page",
};
