// A page's part in a shuffle between people (D105): it commits before it knows the others' parts, reveals only when all
// three are bound, and looks at the end whether what it was shown is what was used. The table alone is not believed.

const LIST = "shuffles", MOST = 100;
/** @typedef {{own: string, nonce: string, host?: string, other?: string}} Part */
/** What this browser keeps: its nonces by their digests, with the digests of the others that it was shown. @returns {Part[]} */
function kept() {
  try { return JSON.parse(localStorage.getItem(LIST) ?? "[]"); } catch { return []; }
}
function keep(/** @type {Part} */ part) {
  const parts = [...kept().filter(({ own }) => own !== part.own), part];
  try { localStorage.setItem(LIST, JSON.stringify(parts.slice(-MOST))); return true; } catch { return false; }
}

/** Acts that bind this page in a shuffle to come. */
const BINDING = ["rematch", "swap", "ask-back", "let-back"];

/** Binds this page: makes a nonce that nobody else can choose or foresee, keeps it, and puts its digest into the form. */
export function bind(/** @type {HTMLFormElement} */ form, act = "") {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-commit]"))) {
    const kindOfForm = form.id === "act" ? BINDING.includes(act) : true;
    // What a person has typed stands; what was made for an earlier request is made anew: no nonce is used twice.
    if (!kindOfForm || field.value && field.value !== field.dataset.made) continue;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const nonce = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const own = blake3(nonce);
    if (keep({ own, nonce })) field.value = field.dataset.made = own;
  }
}

/** The digests whose nonces this page has revealed. A mark upon the form would be gone with the next frame. */
const revealed = new Set();
/** The form that reveals this page's nonce, if all are bound; nothing if something does not fit, which is said.
 * @param {ParentNode} root @param {(words: string) => void} say */
export function reveal(root, say) {
  const form = /** @type {HTMLFormElement | null} */ (root.querySelector("form[data-reveal]"));
  const { own = "", other, host, sayLost = "", sayChanged = "" } = form?.dataset ?? {};
  if (!form || revealed.has(own)) return null;
  const part = kept().find((part) => part.own === own);
  if (!part || blake3(part.nonce) !== own) { say(sayLost); return null; }
  // Whoever was shown other digests before was cheated.
  if (part.other && (part.other !== other || part.host !== host)) { say(sayChanged); return null; }
  if (!keep({ ...part, other, host })) { say(sayLost); return null; }
  revealed.add(own);
  /** @type {HTMLInputElement} */ (form.elements.namedItem("nonce")).value = part.nonce;
  return form;
}

/** Looks at each shuffle that is told at the end, and says what of it fits. */
export function verify(/** @type {ParentNode} */ root) {
  for (const told of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-shuffle]"))) {
    const { secret = "", one = "", two = "", seed, mine, sayFits = "", sayWrong = "", sayUnseen = "" } = told.dataset;
    const [own, other] = mine === "1" ? [one, two] : [two, one];
    const part = kept().find((part) => part.nonce === own);
    const fits = blake3(secret + one + two) === seed
      && (!part || blake3(own) === part.own && blake3(other) === part.other && blake3(secret) === part.host);
    told.textContent = !fits ? sayWrong : part?.host ? sayFits : sayUnseen;
    told.dataset.fits = String(fits && Boolean(part?.host));
  }
}

const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUND = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
const CHUNK_START = 1, CHUNK_END = 2, ROOT = 8;

/** The BLAKE3 digest of a text, or of bytes, of at most 1,024 bytes, which is one chunk. Browsers have none of their own, and what
 * they have they do not offer to pages that come over a network without encryption. */
export function blake3(/** @type {string | Uint8Array} */ text) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const count = Math.max(1, Math.ceil(bytes.length / 64));
  let chain = Uint32Array.from(START);
  for (let at = 0; at < count; at += 1) {
    const block = bytes.subarray(at * 64, at * 64 + 64);
    const words = new Uint32Array(16);
    block.forEach((byte, place) => { words[place >> 2] |= byte << place % 4 * 8; });
    const flags = (at ? 0 : CHUNK_START) | (at === count - 1 ? CHUNK_END | ROOT : 0);
    chain = compress(chain, words, block.length, flags);
  }
  const digest = new DataView(new ArrayBuffer(32));
  chain.forEach((word, at) => digest.setUint32(at * 4, word, true));
  return [...new Uint8Array(digest.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint32Array} chain @param {Uint32Array} block @param {number} length @param {number} flags */
function compress(chain, block, length, flags) {
  const s = Uint32Array.from([...chain, ...START.slice(0, 4), 0, 0, length, flags]);
  const turn = (/** @type {number} */ word, /** @type {number} */ by) => word >>> by | word << 32 - by;
  /** @type {(a: number, b: number, c: number, d: number, word: number, by: [number, number]) => void} */
  const half = (a, b, c, d, word, [first, second]) => {
    s[a] += s[b] + word;
    s[d] = turn(s[d] ^ s[a], first);
    s[c] += s[d];
    s[b] = turn(s[b] ^ s[c], second);
  };
  let words = [...block];
  for (let round = 0; round < 7; round += 1) {
    ROUND.forEach(([a, b, c, d], at) => {
      half(a, b, c, d, words[at * 2], [16, 12]);
      half(a, b, c, d, words[at * 2 + 1], [8, 7]);
    });
    words = ORDER.map((from) => words[from]);
  }
  return s.slice(0, 8).map((word, at) => word ^ s[at + 8]);
}
