// What the seat has been sent, how it asks for something, and the words both are made of.

/** What the package has: read once. @type {FreeKit} */
export let kit;
/** What the seat may see now. @type {FreeState} */
export const S = {
  me: null, two: true, seats: [], shared: [], turn: { active: null, turn: 0, phase: 0, stops: [], end: false, ended: false },
  table: [], piles: [], arrows: [], notes: [], questions: [], runs: [], born: "", scripts: null, board: null, turned: false,
  sealed: null, pool: [], undone: [], cards: new Map(), log: [],
};
/** Handles of the cards that are chosen: all in one group. @type {Set<number>} */
export const chosen = new Set();

const stamp = document.body.dataset.stamp;
/**
 * Makes an element; what is nothing is left out of it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {MadeProps<HTMLElementTagNameMap[K]>} [props] @param {MadeChild[]} inside
 */
export const el = (tag, props, ...inside) => {
  const made = document.createElement(tag);
  Object.assign(made, tag === "button" && { type: "button" }, props);
  for (const [name, value] of Object.entries(props?.data ?? {})) made.dataset[name] = String(value);
  for (const [name, value] of Object.entries(props?.aria ?? {})) {
    made.setAttribute(name === "role" ? name : `aria-${name}`, String(value));
  }
  made.append(...inside.filter((one) => one != null && one !== false));
  return made;
};
/** Words beside what matters. @type {(words: string, tag?: "p" | "span" | "li") => HTMLElement} */
export const quiet = (words, tag = "p") => el(tag, { className: "quiet", textContent: words });
/**
 * Listens. An event of an element has the element that listened with it.
 * @template {HTMLElement} T @template {keyof HTMLElementEventMap} K
 * @overload @param {T} one @param {K} kind @param {(event: HTMLElementEventMap[K] & { currentTarget: T }) => unknown} use
 * @param {AddEventListenerOptions} [how] @returns {void}
 */
/**
 * @template {keyof DocumentEventMap} K
 * @overload @param {Document} one @param {K} kind @param {(event: DocumentEventMap[K]) => unknown} use
 * @param {boolean | AddEventListenerOptions} [how] @returns {void}
 */
/**
 * @template {keyof StreamEventMap} K
 * @overload @param {EventSource} one @param {K} kind @param {(event: StreamEventMap[K]) => unknown} use
 * @returns {void}
 */
/**
 * @param {EventTarget} one @param {string} kind @param {EventListener} use
 * @param {boolean | AddEventListenerOptions} [how] @returns {void}
 */
export function when(one, kind, use, how) { one.addEventListener(kind, use, how); }
/** A part of the page. @type {<K extends keyof FreeParts>(id: K) => FreeParts[K]} */
export const $ = (id) => /** @type {FreeParts[typeof id]} */ (document.getElementById(id));
/** What an event is about; the whole page where that is no element. @type {(event: Event) => Element} */
export const targetOf = ({ target }) => (target instanceof Element ? target : document.documentElement);
/** What the keyboard stands at. @type {() => HTMLElement | null} */
export const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement : null);

/** What this browser keeps; nothing where it is not allowed to. @type {(key: string, value: string) => void} */
export const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not allowed to */ } };
/** @type {(key: string) => string | null} */
export const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };

export async function load() {
  // The page begins with it, so it is asked for until it comes.
  let had = null;
  while (!(had = await get("/free/kit.json"))) {
    const opening = $("opening");
    if (opening) opening.textContent = SILENT;
    await later(1000);
  }
  kit = had;
  kit.actions.forEach((action) => { action.combo = action.key ? combo(action.key) : null; });
}

/**
 * Takes over what changed; returns what the pictures have to know: which cards came from where.
 * @param {FreeMessage} message
 */
export function apply(message) {
  /** @type {FormerPlaces} */
  const before = new Map();
  for (const [handle] of S.cards) before.set(handle, place.get(handle));
  const { fresh, gone = [], cards: changed = [], log = [], ...sections } = message;
  if (fresh) { S.cards.clear(); S.log.length = 0; }
  for (const handle of gone) { S.cards.delete(handle); chosen.delete(handle); }
  for (const card of changed) S.cards.set(card.h, card);
  Object.assign(S, sections);
  S.log.push(...log);
  if (sections.table || sections.piles || fresh) {
    place.clear();
    S.table.forEach((handle) => place.set(handle, "table"));
    for (const pile of S.piles) for (const [handle] of pile.cards) place.set(handle, pile.id);
  }
  const groups = new Set([...chosen].map((handle) => place.get(handle)));
  if (groups.size > 1) chosen.clear();
  return before;
}

/** What is there for certain. @template T @param {T | undefined} one */
const must = (one) => /** @type {T} */ (one);
/** A card that the seat was sent: those of the table and of piles always are. @type {(handle: number) => FreeCard} */
export const cardOf = (handle) => must(S.cards.get(handle));
/** Where each card lies that the seat can tell apart. @type {Map<number, FreePlace>} */
export const place = new Map();
/** Where a card lies that the seat was sent. @type {(handle: number) => FreePlace} */
export const placeOf = (handle) => must(place.get(handle));
/** A pile, if there is one of this number. @type {(id: FreePlace | undefined) => FreePile | undefined} */
export const pile = (id) => S.piles.find((one) => one.id === id);
/** A pile that there is: piles of a seat and of the table come and stay. @type {(id: FreePlace) => FreePile} */
export const pileOf = (id) => must(pile(id));
/** @type {(one: FreePile) => Partial<FreePileKind>} */
export const kindOf = (one) => (one.owner === null ? kit.sharedPiles : kit.piles)[one.kind] ?? {};
/** What the package calls the piles that a place is one of; the table has no such name. @param {FreePlace} where */
export const kindNameOf = (where) => (where === "table" ? null : kindOf(pileOf(where)).name);
/** @param {number} kind */
export const own = (kind) => S.piles.find((one) => one.owner === S.me && one.kind === kind);
export const hand = () => (S.me === null || kit.hand === null ? null : own(kit.hand));
export const deck = () => (S.me === null || kit.deck === null ? null : own(kit.deck));
/** @type {(one: FreePile | undefined) => boolean} */
export const isHand = (one) => one != null && one.owner !== null && one.kind === kit.hand;
/** @type {(seat: number | null) => string} */
export const seatName = (seat) => (seat === null ? undefined : S.seats[seat]?.name) ?? "nobody";
/** The seat among those who see something: those who watch are one of them. */
export const eyes = () => S.me ?? 8;
export const side = () => (S.me === null ? 0 : S.seats[S.me]?.side ?? 0);
/** @type {(card: FreeCard | undefined) => string} */
export const cardName = (card) => card?.name ?? "a face-down card";

/** The name with which a line begins: that of its seat, or one that the seat had before. @param {FreeLine} line */
export function actor({ by, text }) {
  if (by === null) return undefined;
  const renamed = S.log.filter((old) => old.kind === "name" && old.by === by);
  const former = renamed.map((old) => old.text.split(" is now called ")[0]);
  return [seatName(by), ...former].find((name) => text.startsWith(`${name} `) || text.startsWith(`${name}:`));
}
/** The log's words without the numbers that only the record needs. @type {(text: string) => string} */
export const plainly = (text) => text.replace(/ \(question \d+\)/g, "")
  .replace(/ (agrees|says no) to question \d+/, " $1").replace(/answered question \d+/, "answered")
  .replace(/ \(list [0-9a-f]{4,}\)/, "").replace(/\bstep \d+ \(([^)]*)\)/g, "$1").replace(/everything after step \d+: /, "");

/** A place as a verb names it. @type {(where: FreePlace | undefined) => string} */
export const group = (where) => (where === "table" ? "table" : `#${where}`);
/** Cards as a verb names them: `table:4,8` or `#3:7`. @type {(handles: Iterable<number>) => string} */
export const cards = (handles) => {
  const list = [...handles];
  return `${group(place.get(list[0]))}:${list.join(",")}`;
};
/** @type {(text: string) => string} */
export const quoted = (text) => `"${text.replace(/\\/g, "\\\\").replace(/"/g, "\\\"")}"`;
/** What is meant by a verb on a card: the selection if the card is in it. @type {(handle: number) => number[]} */
export const meant = (handle) => (chosen.has(handle) ? [...chosen] : [handle]);

/** Says something to the person, for some milliseconds. @typedef {(words: string, long?: number) => void} Notify */
/** @type {Notify} */
let notify = () => {};
/** Who says why something is refused. @type {(use: Notify) => void} */
export const onRefusal = (use) => { notify = use; };

/** No answer takes longer than this on a network that works. */
export const PATIENCE = 5000;
/** @type {(where: string, patience: number, more?: RequestInit) => Promise<Response>} */
const request = (where, patience, more) => fetch(where, { ...more, signal: AbortSignal.timeout(patience) });
/** @type {(where: string, body?: string, patience?: number) => Promise<Response>} */
export const send = (where, body, patience = PATIENCE) =>
  request(where, patience, { method: "POST", headers: { "content-type": "application/json" }, body });
const SILENT = "The table does not answer. Try it again in a moment.";
/** @param {number} wait */
const later = (wait) => new Promise((done) => setTimeout(done, wait));
/**
 * Reads what the table has; nothing, and why is said, if it does not come or is not there.
 * @overload @param {"/free/kit.json"} where @returns {Promise<FreeKit | null>}
 */
/** @overload @param {"links"} where @returns {Promise<InviteLink[] | null>} */
/** @overload @param {"lists"} where @returns {Promise<OwnLists | null>} */
/** @overload @param {`find?q=${string}`} where @returns {Promise<FoundCard[] | null>} */
/** @overload @param {`find?on=card&q=${string}`} where @returns {Promise<number[] | null>} */
/** @overload @param {`/free/card/${string}`} where @returns {Promise<CardText | null>} */
/**
 * @overload @param {`/free/sound/${number}`} where @param {"arrayBuffer"} as @param {string} missing
 * @returns {Promise<ArrayBuffer | null>}
 */
/**
 * @param {string} where @param {"json" | "arrayBuffer"} as @param {string} missing
 * @returns {Promise<unknown>}
 */
export async function get(where, as = "json", missing = SILENT) {
  try {
    const answer = await request(where, PATIENCE);
    if (answer.ok) return await answer[as]();
    notify((await answer.json().catch(() => null))?.no ?? missing);
  } catch { notify(SILENT); }
  return null;
}
/**
 * Sends until an answer comes: the table does what has one number once.
 * @param {FreeRequest} what @returns {Promise<FreeAnswer>}
 */
async function deliver(what) {
  const body = JSON.stringify({ k: stamp, n: `${S.born}-${mark}-${asked += 1}`, ...what });
  for (let wait = 500; ; wait = Math.min(wait * 2, 4000)) {
    try {
      const answer = await send("do", body);
      // What is refused as it stands would be refused each time it is sent.
      if (answer.status === 413) return { no: "that is too long for the table, which takes 16 KiB at once" };
      return await answer.json();
    } catch {
      notify("The table does not answer. What you did is kept and will be sent again.", 60000);
    }
    await later(wait);
  }
}
const mark = Math.random().toString(36).slice(2);
let asked = 0;
/** What was asked last. @type {Promise<unknown>} */
let last = Promise.resolve();
/**
 * Asks for something, after what was asked before; resolves with the answer, or with nothing if it was refused, which is
 * shown.
 * @param {FreeRequest} what @param {boolean} [quiet] a refusal is an answer, and is not shown
 */
export async function ask(what, quiet = false) {
  const delivered = last.then(() => deliver(what));
  last = delivered;
  const answer = await delivered;
  if (answer.no && !quiet) notify(answer.no);
  return answer.no ? (quiet ? answer : null) : answer;
}
/** Lines of notation: all of them, or none. @param {...string} lines */
export const act = (...lines) => ask({ lines });

let lastSignal = 0, signalTimer = 0;
/** @type {FreeSignal | null} */
let pending = null;
/** Others see where one points; never what a hidden card is. @param {FreeSignal} what */
export function signal(what) {
  if (S.me === null || S.seats.filter((seat) => seat.here).length < 2) return;
  pending = what;
  const wait = 50 - (performance.now() - lastSignal);
  if (wait > 0) { signalTimer ||= setTimeout(() => { signalTimer = 0; flush(); }, wait); return; }
  flush();
}
function flush() {
  if (!pending) return;
  lastSignal = performance.now();
  send("signal", JSON.stringify(pending)).catch(() => {});
  pending = null;
}

/** A key with its modifiers, always spelt alike: "Ctrl+Shift+S". @param {string} text */
export function combo(text) {
  const parts = text.split("+").map((part) => part.trim()).filter(Boolean);
  if (text.trim().endsWith("+")) parts.push("+");
  const key = parts.pop() ?? "";
  /** @param {string} name */
  const has = (name) => parts.some((part) => part.toLowerCase() === name);
  /** @type {Record<string, string>} */
  const names = {
    del: "Delete", delete: "Delete", esc: "Escape", ins: "Insert", insert: "Insert", tab: "Tab", space: "Space",
    enter: "Enter", return: "Enter", plus: "+", minus: "-", oemplus: "+", oemminus: "-", pgup: "PageUp", pgdn: "PageDown",
    backspace: "Backspace", home: "Home", end: "End",
  };
  const last = names[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key[0].toUpperCase() + key.slice(1));
  const isCtrl = has("ctrl") || has("control");
  return [isCtrl && "Ctrl", has("alt") && "Alt", has("shift") && "Shift", last].filter(Boolean).join("+");
}
/** Keys that browsers keep for themselves; the same with Alt stands for them. */
const KEPT = new Set(["Ctrl+W", "Ctrl+N", "Ctrl+T", "Ctrl+Tab", "Ctrl+Shift+W", "Ctrl+Shift+T", "Ctrl+Shift+N"]);
/** @param {string} key */
export const isKept = (key) => KEPT.has(key);
/** @param {string} key */
export const instead = (key) => key.replace("Ctrl", "Alt");

/**
 * Which picture a card shows: its face if the seat knows it, else its back.
 * @type {(card: { face: readonly [model: number, form: number, ...unknown[]] }, size: "small" | "full") => string}
 */
export const facePath = (card, size) => `/free/face/${card.face[0]}/${card.face[1]}/${size}`;
/** @type {(card?: FreeCard) => string} */
export const backPath = (card) => `/free/back/${card?.back ?? 0}`;
/** @param {FreeCard | undefined} card @returns {card is FacedCard} */
export const hasFace = (card) => card?.face != null && card.face[0] !== null;
