// The tree over the records of a volume (RFC 6962), whole in memory, hashed by the
// browser itself. With all its levels kept, the root of any earlier size is a few
// hashes away: that is what a checkpoint or a seal of the past is held against.

async function hash(first, ...parts) {
  const data = new Uint8Array(parts.reduce((n, p) => n + p.length, 1));
  data[0] = first;
  let at = 1;
  for (const part of parts) { data.set(part, at); at += part.length; }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

export const leafHash = (record) => hash(0, record);
const nodeHash = (left, right) => hash(1, left, right);

export class Tree {
  #levels = [[]]; // of each level the nodes that are complete

  get size() { return this.#levels[0].length; }

  leaf(place) { return this.#levels[0][place]; }

  // add appends records and completes the nodes above them.
  async add(records) {
    this.#levels[0].push(...await Promise.all(records.map(leafHash)));
    for (let level = 0; this.#levels[level].length > 1; level++) {
      const below = this.#levels[level], above = this.#levels[level + 1] ??= [];
      const fresh = [];
      for (let i = above.length; 2 * i + 1 < below.length; i++) fresh.push(nodeHash(below[2 * i], below[2 * i + 1]));
      above.push(...await Promise.all(fresh));
    }
  }

  // root returns the root of the first so many records. The size falls into complete
  // nodes, the largest first; they are joined from the last one up.
  async root(size) {
    if (size === 0) return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array()));
    const nodes = [];
    for (let level = this.#levels.length - 1, from = 0; level >= 0; level--) {
      const width = 2 ** level;
      if (from + width > size) continue;
      nodes.push(this.#levels[level][from / width]);
      from += width;
    }
    let root = nodes.pop();
    while (nodes.length > 0) root = await nodeHash(nodes.pop(), root);
    return root;
  }
}
