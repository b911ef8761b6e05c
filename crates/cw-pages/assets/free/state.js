// What the seat has been sent, how it asks for something, and the words both are made of.

/** What the package has: read once. */
export const kit = {};
/** What the seat may see now. */
export const S = {
  me: null, two: true, seats: [], shared: [], turn: {}, table: [], piles: [], arrows: [], notes: [], questions: [], runs: [],
  born: "", scripts: null, board: null, turned: false, sealed: null, pool: [], undone: [], cards: new Map(), log: [],
};
/** Handles of the cards that are chosen: all in one group. */
export const chosen = new Set();

const stamp = document.body.dataset.stamp;
export const el = (tag, props = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), tag === "button" && { type: "button" }, props);
  for (const [name, value] of Object.entries(props.data ?? {})) made.dataset[name] = value;
  for (const [name, value] of Object.entries(props.aria ?? {})) made.setAttribute(name === "role" ? name : `aria-${name}`, value);
  made.append(...inside.filter((one) => one != null && one !== false));
  return made;
};
/** Words beside what matters. */
export const quiet = (words, tag = "p") => el(tag, { className: "quiet", textContent: words });
/** Listens. */
export const when = (one, ...rest) => one.addEventListener(...rest);
export const $ = (id) => document.getElementById(id);

export async function load() {
  // The page begins with it, so it is asked for until it comes.
  let had = null;
  while (!(had = await get("/free/kit.json"))) {
    $("opening").textContent = SILENT;
    await later(1000);
  }
  Object.assign(kit, had);
  kit.actions.forEach((action) => { action.combo = action.key ? combo(action.key) : null; });
}

/** Takes over what changed; returns what the pictures have to know: which cards came from where. */
export function apply(message) {
  const before = new Map();
  for (const [handle] of S.cards) before.set(handle, place.get(handle));
  if (message.fresh) { S.cards.clear(); S.log.length = 0; }
  for (const handle of message.gone ?? []) { S.cards.delete(handle); chosen.delete(handle); }
  for (const card of message.cards ?? []) S.cards.set(card.h, card);
  for (const name of ["me", "two", "seats", "shared", "turn", "table", "piles", "arrows", "notes", "questions", "runs", "born", "scripts", "board", "turned", "sealed", "pool", "undone"]) {
    if (name in message) S[name] = message[name];
  }
  S.log.push(...message.log ?? []);
  if (message.table || message.piles || message.fresh) {
    place.clear();
    S.table.forEach((handle) => place.set(handle, "table"));
    for (const pile of S.piles) for (const [handle] of pile.cards) place.set(handle, pile.id);
  }
  const groups = new Set([...chosen].map((handle) => place.get(handle)));
  if (groups.size > 1) chosen.clear();
  return before;
}

/** Where each card lies that the seat can tell apart: "table", or a pile's number. */
export const place = new Map();
export const pile = (id) => S.piles.find((one) => one.id === id);
export const kindOf = (one) => (one.owner === null ? kit.sharedPiles : kit.piles)[one.kind] ?? {};
export const own = (kind) => S.piles.find((one) => one.owner === S.me && one.kind === kind);
export const hand = () => (S.me === null || kit.hand === null ? null : own(kit.hand));
export const deck = () => (S.me === null || kit.deck === null ? null : own(kit.deck));
export const isHand = (one) => one.owner !== null && one.kind === kit.hand;
export const seatName = (seat) => S.seats[seat]?.name ?? "nobody";
export const side = () => (S.me === null ? 0 : S.seats[S.me]?.side ?? 0);
export const cardName = (card) => card?.name ?? "a face-down card";

export const group = (where) => (where === "table" ? "table" : `#${where}`);
/** Cards as a verb names them: `table:4,8` or `#3:7`. */
export const cards = (handles) => {
  const list = [...handles];
  return `${group(place.get(list[0]))}:${list.join(",")}`;
};
export const quoted = (text) => `"${String(text).replace(/\\/g, "\\\\").replace(/"/g, "\\\"")}"`;
/** What is meant by a verb on a card: the selection if the card is in it. */
export const meant = (handle) => (chosen.has(handle) ? [...chosen] : [handle]);

let notify = () => {};
export const onRefusal = (use) => { notify = use; };

/** No answer takes longer than this on a network that works. */
export const PATIENCE = 5000;
const request = (where, patience, more) => fetch(where, { ...more, signal: AbortSignal.timeout(patience) });
export const send = (where, body, patience = PATIENCE) => request(where, patience, { method: "POST", headers: { "content-type": "application/json" }, body });
const SILENT = "The table does not answer. Try it again in a moment.";
const later = (wait) => new Promise((done) => setTimeout(done, wait));
/** Reads what the table has; nothing, and why is said, if it does not come or is not there. */
export async function get(where, as = "json", missing = SILENT) {
  try {
    const answer = await request(where, PATIENCE);
    if (answer.ok) return await answer[as]();
    notify((await answer.json().catch(() => null))?.no ?? missing);
  } catch { notify(SILENT); }
  return null;
}
/** Sends until an answer comes: the table does what has one number once. */
async function deliver(what) {
  const body = JSON.stringify({ k: stamp, n: `${S.born}-${mark}-${asked += 1}`, ...what });
  for (let wait = 500; ; wait = Math.min(wait * 2, 4000)) {
    try { return await (await send("do", body)).json(); } catch { notify("The table does not answer. What you did is kept and sent again.", 60000); }
    await later(wait);
  }
}
const mark = Math.random().toString(36).slice(2);
let asked = 0, last = null;
/** Asks for something, after what was asked before; resolves with the answer, or with nothing if it was refused, which is shown. */
export async function ask(what, quiet = false) {
  const answer = await (last = (last ?? Promise.resolve()).then(() => deliver(what)));
  if (answer.no && !quiet) notify(answer.no);
  return answer.no ? (quiet ? answer : null) : answer;
}
/** Lines of notation: all of them, or none. */
export const act = (...lines) => ask({ lines });

let lastSignal = 0;
let pending = null;
/** Others see where one points; never what a hidden card is. */
export function signal(what) {
  if (S.me === null || S.seats.filter((seat) => seat.here).length < 2) return;
  pending = what;
  const wait = 50 - (performance.now() - lastSignal);
  if (wait > 0) { if (!signal.timer) signal.timer = setTimeout(() => { signal.timer = 0; flush(); }, wait); return; }
  flush();
}
function flush() {
  if (!pending) return;
  lastSignal = performance.now();
  send("signal", JSON.stringify(pending)).catch(() => {});
  pending = null;
}

/** A key with its modifiers, always spelt alike: "Ctrl+Shift+S". */
export function combo(text) {
  const parts = text.split("+").map((part) => part.trim()).filter(Boolean);
  if (text.trim().endsWith("+")) parts.push("+");
  const key = parts.pop() ?? "";
  const has = (name) => parts.some((part) => part.toLowerCase() === name);
  const names = { del: "Delete", delete: "Delete", esc: "Escape", ins: "Insert", insert: "Insert", tab: "Tab", space: "Space", enter: "Enter", return: "Enter", plus: "+", minus: "-", oemplus: "+", oemminus: "-", pgup: "PageUp", pgdn: "PageDown", backspace: "Backspace", home: "Home", end: "End" };
  const last = names[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key[0].toUpperCase() + key.slice(1));
  return [(has("ctrl") || has("control")) && "Ctrl", has("alt") && "Alt", has("shift") && "Shift", last].filter(Boolean).join("+");
}
/** Keys that browsers keep for themselves; the same with Alt stands for them. */
const KEPT = new Set(["Ctrl+W", "Ctrl+N", "Ctrl+T", "Ctrl+Tab", "Ctrl+Shift+W", "Ctrl+Shift+T", "Ctrl+Shift+N"]);
export const isKept = (key) => KEPT.has(key);
export const instead = (key) => key.replace("Ctrl", "Alt");

/** Which picture a card shows: its face if the seat knows it, else its back. */
export const facePath = (card, size) => `/free/face/${card.face[0]}/${card.face[1]}/${size}`;
export const backPath = (card) => `/free/back/${card?.back ?? 0}`;
export const hasFace = (card) => card?.face && card.face[0] !== null;
