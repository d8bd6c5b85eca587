// What a scanner reads off a receipt. Scanners send it as if it were typed, so that
// the lengths of the texts tell what they are; package receipt prints them and reads
// them in the same way (ParseScan).

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's base 32
const claimBits = 80n;

// parseScan returns { serial } or { claim }, or null for anything else. Whether the
// check digit of a serial fits is for the house to say.
export function parseScan(text) {
  text = text.trim();
  if (text.includes("://")) text = /\/t\/([^#]*)/.exec(text)?.[1] ?? "";
  if (/^\d{26}$/.test(text)) return claimOfBars(text);
  const bare = text.replaceAll(/[ -]/g, "").toUpperCase();
  if (/^\d{16}$/.test(bare)) return { serial: bare };
  if (/^T[O0][0-9A-Z]{25}$/.test(bare)) return { serial: `TO${bare.slice(2)}` }; // Screens have no key for the letter O.
  const claim = bare.replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return claim.length === 16 && [...claim].every((c) => alphabet.includes(c)) ? { claim: grouped(claim) } : null;
}

// claimOfBars turns the number in a claim code's bars into its 16 characters.
function claimOfBars(digits) {
  let rest = BigInt(digits), claim = "";
  if (rest >> claimBits) return null;
  for (let i = 0; i < 16; i++) {
    claim = alphabet[Number(rest & 31n)] + claim;
    rest >>= 5n;
  }
  return { claim: grouped(claim) };
}

// otherCode returns what may be the code of a ticket of another system, or null. Only the house knows whether it is one.
export function otherCode(text) {
  const bare = text.trim().replaceAll("-", "").toUpperCase();
  return /^[0-9A-Z]{8,40}$/.test(bare) && /(\d.*){6}/.test(bare) ? bare : null;
}

const grouped = (text) => text.match(/.{4}/g).join("-");
