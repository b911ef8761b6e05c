// The cloth: one element a card, moved by transforms only; the camera; arrows, notes, other people's pointers.
//
// In reading order: the camera and its two systems of coordinates, the screen below the cloth's corner and the table as
// side A sees it (`toTable`, `toScreen`, `look`, `fit`); where a card is drawn (`transformOf`); what a card shows (`dress`);
// `draw`, which brings all of it to what the seat sees now; the own hand (`layHand`); then what lies beside cards.

import {
  $, S, backPath, cardName, cardOf, chosen, el, facePath, hand, hasFace, kit, place, seatName, side, when,
} from "./state.js";

/** @type {Map<number, CardElement>} */
const elements = new Map();
/** Cards that are moved by this page's own pointer: nothing else moves them meanwhile. @type {Set<number>} */
export const held = new Set();
export const camera = { x: 0, y: 0, zoom: 1 };
/** @type {HTMLElement} */
let world;
/** @type {HTMLElement} */
let felt;
/** @type {HTMLElement} */
let handBox;
/** @param {number} handle */
export const elementOf = (handle) => elements.get(handle);

export function start() {
  felt = $("felt"); world = $("world"); handBox = $("hand");
  addEventListener("resize", look);
  // After the new layout, not before it: a phone that is turned.
  new ResizeObserver(layHand).observe(handBox);
}

const turns = [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];
/**
 * From the screen, below the cloth's corner, to the coordinates of side A.
 * @param {number} x @param {number} y @returns {Point}
 */
export function toTable(x, y) {
  const [a, b, c, d] = turns[(4 - side()) % 4];
  const [u, v] = [(x - camera.x) / camera.zoom, (y - camera.y) / camera.zoom];
  // The inverse of a turn is its transpose.
  return [a * u + b * v, c * u + d * v];
}
/** @param {number} x @param {number} y @returns {Point} */
export function toScreen(x, y) {
  const [a, b, c, d] = turns[(4 - side()) % 4];
  return [(a * x + c * y) * camera.zoom + camera.x, (b * x + d * y) * camera.zoom + camera.y];
}
/** A distance on the screen, on the table. @param {number} dx @param {number} dy @returns {Point} */
export function shiftOf(dx, dy) {
  const [a, b, c, d] = turns[(4 - side()) % 4];
  return [(a * dx + b * dy) / camera.zoom, (c * dx + d * dy) / camera.zoom];
}

let looking = 0;
/** Shows the world through the camera. */
export function look() {
  if (!world) return;
  world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom}) rotate(${-side() * 90}deg)`;
  world.style.setProperty("--zoom", String(camera.zoom));
  clearTimeout(looking);
  looking = setTimeout(sharpen, 200);
}
let large = false, wideHand = false;
/** Faces that are shown large are asked for with all their text. */
function sharpen() {
  const now = kit.card[0] * camera.zoom > 150;
  if (now === large) return;
  large = now;
  for (const handle of S.table) dress(elements.get(handle), S.cards.get(handle));
}
/** Brings a place of the screen closer. @param {number} x @param {number} y @param {number} factor */
export function zoomAt(x, y, factor) {
  const zoom = Math.min(6, Math.max(0.08, camera.zoom * factor));
  camera.x = x - (x - camera.x) * zoom / camera.zoom;
  camera.y = y - (y - camera.y) * zoom / camera.zoom;
  camera.zoom = zoom;
  look();
}
/** @param {number} dx @param {number} dy */
export function pan(dx, dy) { camera.x += dx; camera.y += dy; look(); }
/** How much of the cloth's height is free: cards that are shown stand over its lower edge. */
const free = () => felt.clientHeight - Math.min($("shown").offsetHeight, felt.clientHeight * 0.4);
/** All cards and notes; or, where there are none, the middle of the table. */
export function fit(whole = false) {
  const box = felt.getBoundingClientRect();
  const [w, h] = kit.card;
  let [left, top, right, bottom] = [-3.3 * w, -1.8 * h, 3.3 * w, 1.8 * h];
  if (whole) [left, top, right, bottom] = [-kit.table[0] / 2, -kit.table[1] / 2, kit.table[0] / 2, kit.table[1] / 2];
  else if (S.table.length || S.notes.length) {
    [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    /** @type {(x: number, y: number, wide: number, high: number) => void} */
    const take = (x, y, wide, high) => {
      left = Math.min(left, x); top = Math.min(top, y);
      right = Math.max(right, x + wide); bottom = Math.max(bottom, y + high);
    };
    for (const handle of S.table) {
      const { at: [x, y], size } = cardOf(handle), most = Math.max(...size);
      take(x - (most - size[0]) / 2 - 14, y - (most - size[1]) / 2 - 14, most + 28, most + 28);
    }
    for (const note of S.notes) take(note.x - 10, note.y - 10, 170, 60);
  }
  const across = side() % 2 === 1;
  const [wide, high] = across ? [bottom - top, right - left] : [right - left, bottom - top];
  // The tools stand above the cards, not on them.
  const above = 50, below = free();
  camera.zoom = Math.min(box.width / wide, (below - above) / high, 1.9);
  camera.x = camera.y = 0;
  const [x, y] = toScreen((left + right) / 2, (top + bottom) / 2);
  camera.x = box.width / 2 - x; camera.y = (below + above) / 2 - y;
  look();
}

/** Moves the view so that these cards are in it; if that cannot be, all cards are shown. @param {number[]} handles */
export function bringIntoView(handles) {
  const [wide, high] = [felt.clientWidth, free()];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const handle of handles) {
    const card = cardOf(handle), [x, y] = toScreen(...middle(card)), half = Math.max(...card.size) * camera.zoom / 2 + 8;
    left = Math.min(left, x - half); right = Math.max(right, x + half);
    top = Math.min(top, y - half); bottom = Math.max(bottom, y + half);
  }
  if (right - left > wide || bottom - top > high) { fit(); return; }
  pan(Math.max(-left, 0) - Math.max(right - wide, 0), Math.max(-top, 0) - Math.max(bottom - high, 0));
}

/**
 * A place in sight for a card of this seat, below no other: in its own half, from the middle outwards.
 * @param {readonly number[]} size
 */
export function freeSpot(size = kit.card) {
  const [wide, high] = [felt.clientWidth, free()];
  const [w, h] = [size[0] * 1.08 * camera.zoom, size[1] * 1.08 * camera.zoom];
  const [mx, my] = toScreen(0, 0);
  const left = Math.min(Math.max(mx, w / 2 + 4), Math.max(wide - w / 2 - 4, w / 2));
  const top = S.two && my + h < high ? Math.max(my, 0) + h / 2 + 4 : h / 2 + 4;
  const taken = S.table.map((handle) => [...middle(cardOf(handle)), Math.max(...cardOf(handle).size)]);
  const least = Math.min(...size);
  /** @type {(u: number, v: number) => boolean} */
  const isFree = (u, v) => taken.every(
    ([a, b, most]) => Math.abs(a - u) >= (least + most) / 2.3 || Math.abs(b - v) >= (size[1] + most) / 2.3);
  for (let y = top; y + h / 2 <= high; y += h) for (let column = 0; column * w <= wide; column += 1) {
    for (const x of column ? [left + column * w, left - column * w] : [left]) {
      if (x < w / 2 || x > wide - w / 2) continue;
      const [u, v] = toTable(x, y);
      if (isFree(u, v)) return [Math.round(u - size[0] / 2), Math.round(v - size[1] / 2)];
    }
  }
  const [u, v] = toTable(wide / 2, high / 2);
  return [Math.round(u - size[0] / 2 + S.table.length % 9 * 6), Math.round(v - size[1] / 2 + S.table.length % 9 * 6)];
}

/**
 * Where a card of the table is drawn: side A's coordinates, turned about its middle.
 * @param {FreeCard} card @param {number} [dx] @param {number} [dy]
 */
export function transformOf(card, dx = 0, dy = 0) {
  const [w, h] = card.size;
  const [quarter, faces] = [card.quarter ?? 0, card.side ?? 0];
  const off = quarter % 2 && faces % 2 === 0 ? (faces === 2 ? -1 : 1) * (h - w) / 2 : 0;
  return `translate(${card.at[0] + off + dx}px, ${card.at[1] + off + dy}px) rotate(${quarter * 90 + faces * 90}deg)`;
}
/** The middle of a card of the table. @param {FreeCard} card @returns {Point} */
export function middle(card) {
  const [w, h] = card.size;
  const [quarter, faces] = [card.quarter ?? 0, card.side ?? 0];
  const off = quarter % 2 && faces % 2 === 0 ? (faces === 2 ? -1 : 1) * (h - w) / 2 : 0;
  return [card.at[0] + w / 2 + off, card.at[1] + h / 2 + off];
}

/** What somebody who cannot see the card is told. @param {FreeCard} card @param {FreePlace | undefined} where */
export function label(card, where) {
  const words = [cardName(card)];
  if (where === "table") {
    if (card.name && !card.up) words.push("face down, known to you");
    if (card.quarter) words.push(`turned ${card.quarter * 90} degrees`);
    if (card.by != null) words.push(card.by === S.me ? "yours" : `of ${seatName(card.by)}`);
  }
  for (const [kind, count] of card.markers ?? []) words.push(`${count} × ${kit.markers[kind]?.name}`);
  if (card.target != null) words.push(`target of ${seatName(card.target)}`);
  if (card.host) words.push(`attached to ${cardName(S.cards.get(card.host))}`);
  if (where === "table" && tied(card)) words.push(`${tied(card)} attached`);
  if (card.anchored) words.push("anchored");
  if (card.locked) words.push("locked");
  if (card.note) words.push(`note: ${card.note}`);
  return words.join(", ");
}

/** @returns {CardElement} @param {number} handle */
function make(handle) {
  const inner = el("div", { className: "c" });
  const made = el("div", { className: "card", tabIndex: -1, data: { h: handle }, aria: { role: "button" } }, inner);
  const one = Object.assign(made, { inner, dressed: "", shown: "" });
  elements.set(handle, one);
  return one;
}

/** How many cards are attached to one. @type {(card: FreeCard) => number} */
const tied = (card) => S.table.filter((handle) => cardOf(handle).host === card.h).length;

/**
 * Shows what a card shows; only what changed is touched.
 * @param {CardElement | undefined} one @param {FreeCard | undefined} card
 */
function dress(one, card) {
  if (!one || !card) return;
  const where = place.get(card.h);
  const isTable = where === "table";
  const size = (isTable ? large : wideHand) ? "full" : "small";
  const shown = hasFace(card) ? facePath(card, size) : card.name ? "blank" : backPath(card);
  const text = JSON.stringify([
    card.size, shown, card.markers, card.edge, card.tint, card.target, card.anchored, card.locked, card.note, card.token,
    card.up, card.by, card.name, isTable, card.quarter, card.side, card.host, tied(card),
  ]);
  if (one.dressed === text) return;
  one.dressed = text;
  const { inner } = one;
  if (isTable) { one.style.width = `${card.size[0]}px`; one.style.height = `${card.size[1]}px`; }
  if (one.shown !== shown) {
    one.shown = shown;
    const old = inner.querySelector(".face");
    const fresh = shown === "blank"
      ? el("div", { className: "face blank" }, el("span", {}, card.name))
      : el("img", { className: "face", src: shown, alt: "", draggable: false, decoding: "async" });
    if (old) old.replaceWith(fresh); else inner.prepend(fresh);
  } else if (shown === "blank") inner.querySelector(".face span")?.replaceChildren(card.name ?? "");
  one.classList.toggle("down", isTable && !card.up);
  one.classList.toggle("known", isTable && !card.up && Boolean(card.name));
  one.classList.toggle("anchored", Boolean(card.anchored));
  one.classList.toggle("token", Boolean(card.token));
  one.style.setProperty("--net", `${-((card.quarter ?? 0) + (card.side ?? 0) - side()) * 90}deg`);
  inner.querySelectorAll(".over").forEach((old) => old.remove());
  if (card.tint) inner.append(tinted(card.tint));
  one.classList.toggle("edged", Boolean(card.edge));
  if (card.edge) one.style.setProperty("--edge", card.edge);
  if (card.markers?.length) {
    const box = el("div", { className: "over marks" });
    for (const [kind, count] of card.markers) {
      const chip = el("span", { className: "mk", title: `${count} × ${kit.markers[kind]?.name}`, data: { kind } });
      const { name = "?", picture = false } = kit.markers[kind] ?? {};
      const sign = picture ? el("img", { src: `/free/marker/${kind}`, alt: "", draggable: false }) : el("i", {}, name);
      chip.append(sign, el("b", {}, count));
      box.append(chip);
    }
    inner.append(box);
  }
  if (card.target != null) inner.append(el("span", { className: `over aim seat${card.target}`, textContent: "◎" }));
  if (card.anchored) inner.append(el("span", { className: "over pin", textContent: "⚓\uFE0E" }));
  if (isTable && (card.host || tied(card))) {
    inner.append(el("span", { className: "over tied", textContent: card.host ? "⤷" : `+${tied(card)}` }));
  }
  if (card.note) inner.append(el("span", { className: "over said", textContent: card.note }));
  one.classList.toggle("aimed", card.target != null);
  one.setAttribute("aria-label", label(card, where));
}
/** @type {(colour: string) => Node} */
const tinted = (colour) => {
  const made = el("span", { className: "over tint" });
  made.style.background = colour;
  return made;
};

/**
 * Where a card that comes from a pile or a hand begins its way, in side A's coordinates.
 * @param {FreePlace | undefined} where @param {PlaceBoxes} rects
 */
function originOf(where, rects) {
  const rect = rects.get(where);
  if (!rect) return null;
  const box = felt.getBoundingClientRect();
  return toTable(rect.left + rect.width / 2 - box.left, rect.top + rect.height / 2 - box.top);
}
/** Where the piles and hand cards are on the screen, before anything changes. */
export function rects() {
  /** @type {PlaceBoxes} */
  const found = new Map();
  for (const one of document.querySelectorAll("[data-pile]")) {
    found.set(Number(one.dataset.pile), one.getBoundingClientRect());
  }
  return found;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Brings the cloth and the hand to what the seat sees now; returns new cards that are out of sight. With what was before,
 * cards come from where they were. A card is out of sight if its middle is; or, where `whole` is set, most of one side.
 * @param {FormerPlaces | null} [before] @param {PlaceBoxes} [from]
 */
export function draw(before, from, whole = false) {
  /** @type {number[]} */
  const outside = [];
  const mine = hand();
  const handles = new Set([...S.table, ...(mine?.cards ?? []).map(([handle]) => handle)]);
  for (const [handle, one] of elements) {
    if (handles.has(handle)) continue;
    one.remove();
    elements.delete(handle);
    held.delete(handle);
  }
  S.table.forEach((handle, at) => {
    const card = cardOf(handle);
    const one = elements.get(handle) ?? make(handle);
    const came = one.parentNode !== world;
    if (came) { one.classList.remove("inhand"); world.append(one); }
    dress(one, card);
    one.style.zIndex = String(at + 1);
    if (held.has(handle)) return;
    const to = transformOf(card);
    if (came && before) {
      const [x, y] = toScreen(...middle(card));
      const room = whole ? Math.min(...card.size) * camera.zoom * 0.45 : 0;
      const [wide, high] = [felt.clientWidth - room, free() - room];
      if (x < room || y < room || x > wide || y > high) outside.push(handle);
    }
    const begun = came && !calm.matches && before && from && originOf(before.get(handle) ?? guess(card, before), from);
    one.style.transform = to;
    if (!begun) return;
    const away = `translate(${begun[0] - card.size[0] / 2}px, ${begun[1] - card.size[1] / 2}px) scale(.8)`;
    one.animate([{ transform: away, opacity: 0.6 }, { transform: to, opacity: 1 }], { duration: 180, easing: "ease-out" });
  });
  layHand();
  drawChosen();
  drawArrows();
  drawNotes();
  drawBoard();
  return outside;
}
/**
 * A card that nobody could follow: it comes from the hand of its owner, or just appears.
 * @param {FreeCard} card @param {FormerPlaces} before
 */
function guess(card, before) {
  if (before.size === 0 || card.owner == null) return undefined;
  return S.piles.find((one) => one.owner === card.owner && one.kind === kit.hand)?.id;
}

/** Cards of the own hand, in the order that the person gave them. @type {number[]} */
let order = [];
export function handOrder() {
  const now = (hand()?.cards ?? []).map(([handle]) => handle);
  order = [...order.filter((handle) => now.includes(handle)), ...now.filter((handle) => !order.includes(handle))];
  return order;
}
/** Moves a card of the own hand to before another, or to the end. @param {number} handle @param {number | null} before */
export function reorderHand(handle, before) {
  order = order.filter((other) => other !== handle);
  order.splice(before === null ? order.length : order.indexOf(before), 0, handle);
  layHand();
}
export function layHand() {
  const all = handOrder();
  handBox.classList.toggle("empty", all.length === 0);
  if (!all.length) return;
  const wide = handBox.clientWidth, high = handBox.clientHeight;
  // The broadest card decides: one of landscape form is as broad as others are tall.
  /** @type {(size: readonly number[]) => number} */
  const breadth = ([w, h]) => Math.min(w / h, 1);
  const broadest = Math.max(...all.map((handle) => breadth(cardOf(handle).size)), breadth(kit.card));
  /** @type {(part: number) => number} */
  const broad = (part) => Math.min(high * part * broadest, wide - 20);
  /** @type {(width: number, many: number) => number} */
  const apart = (width, many) => (many > 1 ? Math.min(width * 1.02, (wide - width - 20) / (many - 1)) : 0);
  // A hand of many cards stands in two rows, so that of each enough is seen.
  const rows = apart(broad(0.88), all.length) < Math.min(broad(0.88) * 0.5, 44) ? 2 : 1;
  const part = rows === 2 ? 0.6 : 0.88, tall = high * part, width = broad(part);
  const first = Math.ceil(all.length / rows), step = apart(width, first);
  // Text on a narrower card could not be read: its name, crest and cost are shown large instead.
  wideHand = width > 150;
  const left = (wide - width - step * (first - 1)) / 2;
  all.forEach((handle, at) => {
    const card = cardOf(handle);
    const one = elements.get(handle) ?? make(handle);
    if (one.parentNode !== handBox) { one.classList.add("inhand"); handBox.append(one); }
    const ratio = card.size[0] / card.size[1];
    const across = Math.min(tall * Math.min(ratio, 1), wide - 20);
    one.style.width = `${across}px`; one.style.height = `${across / ratio}px`;
    dress(one, card);
    one.style.zIndex = String(at + 1);
    if (held.has(handle)) return;
    const row = at < first ? 0 : 1, place = at - row * first;
    const out = rows === 2 ? 0 : (at - (all.length - 1) / 2) / Math.max(all.length, 6);
    const top = high * (0.06 + row * 0.34) + out * out * high * 0.18;
    one.style.transform = `translate(${left + place * step}px, ${top}px) rotate(${out * 9}deg)`;
  });
}

export function drawChosen() {
  for (const [handle, one] of elements) one.classList.toggle("sel", chosen.has(handle));
}

function drawArrows() {
  const lines = $("arrows");
  const made = [];
  for (const [seat, from, to] of S.arrows) {
    const [one, other] = [S.cards.get(from), S.cards.get(to)];
    if (!one || !other) continue;
    const [x1, y1] = middle(one), [x2, y2] = middle(other);
    const long = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [u, v] = [(x2 - x1) / long, (y2 - y1) / long];
    const [ex, ey] = [x2 - u * 18, y2 - v * 18];
    const tip = `M${x2} ${y2}L${ex - v * 8} ${ey + u * 8}L${ex + v * 8} ${ey - u * 8}z`;
    made.push(`<g class="seat${seat}"><path d="M${x1} ${y1}L${ex} ${ey}"/><path class="tip" d="${tip}"/></g>`);
  }
  // Only numbers of our own are in it.
  lines.innerHTML = made.join("");
}
/** @type {Map<number, HTMLElement>} */
const noteElements = new Map();
function drawNotes() {
  const now = new Set(S.notes.map((note) => note.id));
  for (const [id, one] of noteElements) if (!now.has(id)) { one.remove(); noteElements.delete(id); }
  for (const note of S.notes) {
    let one = noteElements.get(note.id);
    if (!one) {
      one = el("div", { className: "note", tabIndex: 0, data: { note: note.id }, aria: { role: "button" } });
      noteElements.set(note.id, one);
      world.append(one);
    }
    one.textContent = note.text;
    one.className = `note seat${note.by}${note.private ? " private" : ""}`;
    one.setAttribute("aria-label", `Note of ${seatName(note.by)}${note.private ? ", for you alone" : ""}: ${note.text}`);
    one.style.transform = noteTransform(note);
  }
}
/** @type {(note: FreeNote, dx?: number, dy?: number) => string} */
export const noteTransform = (note, dx = 0, dy = 0) =>
  `translate(${note.x + dx}px, ${note.y + dy}px) rotate(${side() * 90}deg)`;
let drawnBoard = "";
function drawBoard() {
  const key = `${S.board} ${S.turned}`;
  if (key === drawnBoard) return;
  drawnBoard = key;
  const box = $("board");
  const board = S.board === null ? null : kit.boards[S.board];
  box.replaceChildren();
  if (!board?.picture) return;
  const [x, y, w, h] = board.box;
  const image = el("img", { src: `/free/board/${S.board}`, alt: "", draggable: false });
  when(image, "error", () => image.remove(), { once: true });
  Object.assign(image.style, { width: `${w}px`, height: `${h}px`, transform: `translate(${x}px, ${y}px)` });
  box.append(image);
}

/** @type {Map<number, PointerElement>} */
const pointers = new Map();
/** Another seat's pointer, and the cards that it moves. @param {HeardSignal} signal */
export function showSignal({ by, at, cards, shift }) {
  let one = pointers.get(by);
  if (!one) {
    one = el("div", { className: `pointer seat${by}`, aria: { hidden: "true" } }, el("i"), el("span", {}, seatName(by)));
    pointers.set(by, one);
    world.append(one);
  }
  one.classList.toggle("off", !at);
  if (at) one.style.transform = `translate(${at[0]}px, ${at[1]}px) rotate(${side() * 90}deg) scale(${1 / camera.zoom})`;
  for (const handle of one.cards ?? []) if (!cards.includes(handle)) {
    const other = elements.get(handle), card = S.cards.get(handle);
    other?.classList.remove("looked", `seat${by}`);
    if (other && card && place.get(handle) === "table" && !held.has(handle)) other.style.transform = transformOf(card);
  }
  for (const handle of cards) {
    const other = elements.get(handle), card = S.cards.get(handle);
    if (!other || !card || held.has(handle)) continue;
    other.classList.add("looked", `seat${by}`);
    if (shift) other.style.transform = transformOf(card, ...shift);
  }
  one.cards = cards;
  clearTimeout(one.timer);
  one.timer = setTimeout(() => showSignal({ by, at: null, cards: [], shift: null }), 4000);
}
/** A card that somebody points at or shakes. @param {number[]} handles @param {string} kind */
export function flash(handles, kind) {
  const frames = kind === "shake" ? [0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }))
    : ["brightness(1)", "brightness(1.7) drop-shadow(0 0 8px #ffd166)", "brightness(1)"].map((filter) => ({ filter }));
  for (const handle of handles) elements.get(handle)?.inner.animate(frames, { duration: 900 });
}
