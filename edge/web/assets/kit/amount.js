// Amounts as people type them, read by one rule at every screen: dollars, with or without
// two digits of cents behind a point, and commas between groups of three digits or none.
// What could mean two amounts, such as 1,5 or 1.000, is none.
const form = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/;

// centsOf reads an amount: null for nothing, NaN for what is no amount.
export function centsOf(text) {
  const bare = String(text).trim();
  if (bare === "") return null;
  const found = form.exec(bare);
  return found ? Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : NaN;
}
