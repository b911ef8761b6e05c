// What is read beside the cloth: the large card, windows on piles, the table as a list.

import {
  $, S, act, backPath, cardName, cardOf, cards, el, eyes, facePath, focused, get, group, hasFace, isHand, pile, pileOf,
  place, quiet, seatName, when,
} from "./state.js";
import { elementOf, handOrder, label } from "./table.js";
import { menuIsOpen, tell } from "./dialogs.js";

/** Opens the menu of a card at a place of the screen. @typedef {(handle: number, x: number, y: number) => void} CardMenu */
/** @type {CardMenu} */
let menuOfCard = () => {};
/** Who opens menus of cards: menus open windows, so that they are not known here. @type {(use: CardMenu) => void} */
export const onCardMenu = (use) => { menuOfCard = use; };
/** @type {(element: Element) => Point} */
const middleOf = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

// --- the large card ---------------------------------------------------------------------------------

/** Shows a card large, with its text for who cannot see it. @param {number} handle */
export async function zoom(handle) {
  let card = S.cards.get(handle);
  // One's own card that lies face down is peeked at, which the table tells the others.
  if (card?.owner === S.me && S.me !== null && !hasFace(card) && place.get(handle) === "table") {
    await act(`peek ${cards([handle])}`);
    for (let tries = 20; tries && !hasFace(card = S.cards.get(handle)); tries -= 1) {
      await new Promise((go) => setTimeout(go, 50));
    }
  }
  if (!card) return;
  const picture = el("img", { src: hasFace(card) ? facePath(card, "full") : backPath(card), alt: "", className: "big" });
  const words = el("dl"), own = card.name && !card.up && place.get(handle) === "table";
  const secret = own && el("p", { className: "secret", textContent: "It is face down: only players who have seen it can see this." });
  const reading = el("div", { className: "reading" }, card.name && !hasFace(card) ? null : picture, words);
  tell(cardName(card), secret, reading).classList.add("zoom");
  if (!hasFace(card)) return;
  const about = await get(`/free/card/${card.face[0]}/${card.face[1]}`);
  if (about) words.append(...about.properties.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** @type {number | null} */
let shownLarge = null;
let waiting = 0;
/**
 * A card of the cloth under a mouse that rests is shown beside it, large enough to be read.
 * @param {number | null} handle
 */
export function preview(handle) {
  const may = handle !== null && place.get(handle) === "table" && hasFace(S.cards.get(handle)) && !menuIsOpen();
  if (may && handle === shownLarge) return;
  clearTimeout(waiting);
  const box = $("preview");
  if (shownLarge !== null) box.hidden = true;
  shownLarge = may ? handle : null;
  if (may) waiting = setTimeout(() => {
    const card = S.cards.get(handle), one = elementOf(handle);
    if (!one || !hasFace(card)) return;
    const felt = $("felt").getBoundingClientRect(), rect = one.getBoundingClientRect();
    const high = Math.min(felt.height - 16, 420), wide = high * card.size[0] / card.size[1];
    // Where the card is as large already there is nothing to show; and it never lies upon the card itself.
    const left = rect.left - felt.left > felt.right - rect.right;
    if (rect.height > high * 0.8 || (left ? rect.left - felt.left : felt.right - rect.right) < wide + 16) return;
    box.src = facePath(card, "full");
    box.style.height = `${high}px`;
    box.style.left = `${left ? rect.left - felt.left - wide - 10 : rect.right - felt.left + 10}px`;
    box.style.top = `${Math.max(8, Math.min(felt.height - high - 8, rect.top - felt.top + rect.height / 2 - high / 2))}px`;
    box.hidden = false;
  }, 350);
}

// --- windows on piles -------------------------------------------------------------------------------

/** Windows that are open, by the number of their pile. @type {Map<number, PileWindow>} */
const windows = new Map();
/** Piles that are searched: closing their window shuffles them, ordered or not. @type {Set<number>} */
const searching = new Set();
/** Searches a pile; when the window that comes is closed, the pile is shuffled. @param {number} id */
export function search(id) { searching.add(id); act(`search ${group(id)}`); }
/** A window on a pile: what of it the seat may see, with a search over names. @param {number} id */
export function window(id) {
  const old = windows.get(id);
  if (old) { old.find.focus(); return; }
  const one = pileOf(id);
  const find = el("input", { type: "search", placeholder: "Find by name, type, text …", autocomplete: "off" });
  find.setAttribute("aria-label", `Find in ${one.name}`);
  const close = el("button", { textContent: "Close", onclick: () => closeWindow(id, false) });
  const shuffle = el("button", { textContent: "Close and shuffle", onclick: () => closeWindow(id, true) });
  const may = one.viewers !== "everybody" && !isHand(one) && (one.owner === S.me || one.owner === null);
  const head = el("h2"), list = el("ul");
  const aria = { role: "dialog", label: one.name };
  const made = el("section", { className: "window", data: { pile: id }, tabIndex: -1, aria },
    el("header", {}, head, find, close, may && shuffle), list);
  when(find, "input", () => { list.style.minHeight ||= `${list.clientHeight}px`; drawWindow(id); findModels(find.value); });
  when(find, "keydown", (event) => {
    if (event.key === "Escape" && find.value) { find.value = ""; drawWindow(id); event.stopPropagation(); }
  });
  when(made, "keydown", (event) => { if (event.key === "Escape") { closeWindow(id, false); event.stopPropagation(); } });
  windows.set(id, { made, head, find, list });
  $("windows").append(made);
  drawWindow(id);
  find.focus();
}
/** @param {number} id @param {boolean} shuffle */
function closeWindow(id, shuffle) {
  windows.get(id)?.made.remove();
  windows.delete(id);
  const one = pile(id);
  shuffle ||= searching.delete(id) && one?.viewers !== "everybody";
  if (one?.windows.includes(eyes())) act(shuffle ? `close ${group(id)} shuffle` : `leave ${group(id)}`);
  else if (shuffle) act(`shuffle ${group(id)}`);
}
/** @param {number} id */
function drawWindow(id) {
  const open = windows.get(id), one = pile(id);
  if (!open || !one) return;
  const { made, head, find, list } = open;
  const wanted = find.value.toLowerCase(), printed = models.get(wanted);
  /** @type {FreePile["cards"]} */
  const all = isHand(one) && one.owner === S.me ? handOrder().map((handle) => [handle, null]) : one.cards;
  const shown = all.filter(([handle]) => {
    const card = cardOf(handle);
    return cardName(card).toLowerCase().includes(wanted) || hasFace(card) && printed?.has(card.face[0]);
  }).slice(0, 600);
  // The order in which an unordered pile happens to lie tells nothing (D80).
  if (!one.ordered && !isHand(one)) shown.sort(([a], [b]) => cardName(cardOf(a)).localeCompare(cardName(cardOf(b))));
  const many = wanted ? `${shown.length} of ${one.count}` : one.count;
  head.textContent = `${one.owner !== null && one.owner !== S.me ? `${seatName(one.owner)}: ` : ""}${one.name} (${many})`;
  const empty = one.count === 0 ? "It is empty." : shown.length === 0 && all.length ? "Nothing matches." : null;
  const lone = one.windows.length > 1 ? "Only the player who is looking sees these." : "Only you see these.";
  const isSecret = one.viewers !== "everybody" && one.windows.includes(eyes());
  // Who goes by keys stays at the same card, or where it was.
  const had = focused(), on = had && list.contains(had) ? had : null;
  const stands = on ? [...made.querySelectorAll(".thumb")].indexOf(on) : -1;
  list.replaceChildren(
    ...(isSecret ? [el("li", { className: "secret", textContent: lone })] : []),
    ...(empty ? [el("li", { className: "none", textContent: empty })] : []),
    ...shown.map(([handle, at]) => el("li", {}, thumb(handle, at))),
    ...(one.count > all.length ? [quiet(`${one.count - all.length} you do not see`, "li")] : []));
  const near = () => [...made.querySelectorAll(".thumb")].slice(0, stands + 1).at(-1) ?? made;
  if (on) (made.querySelector(`[data-h="${on.dataset.h}"]`) ?? near()).focus();
}
/** A card of a window, with its place in the pile if that is known. @param {number} handle @param {number | null} at */
function thumb(handle, at) {
  const card = cardOf(handle);
  const face = hasFace(card) ? el("img", { src: facePath(card, "small"), alt: "", loading: "lazy", draggable: false })
    : card.name ? el("span", { className: "blank", textContent: card.name })
      : el("img", { src: backPath(card), alt: "", draggable: false });
  const words = `${at === null ? "" : `${at + 1}. `}${cardName(card)}${card.remembered ? " (seen going there)" : ""}`;
  const button = el("button", { className: "thumb", data: { h: handle } }, face, el("span", { textContent: words }));
  when(button, "click", () => menuOfCard(handle, ...middleOf(button)));
  when(button, "contextmenu", (event) => { event.preventDefault(); menuOfCard(handle, event.clientX, event.clientY); });
  return button;
}
/** Which models have these words anywhere on them, once they were asked for. @type {Map<string, Set<number> | null>} */
const models = new Map();
/** @param {string} words */
async function findModels(words) {
  const wanted = words.toLowerCase();
  if (wanted.trim().length < 2 || models.has(wanted)) return;
  models.set(wanted, null);
  const found = await get(`find?on=card&q=${encodeURIComponent(wanted)}`);
  if (!found) { models.delete(wanted); return; }
  models.set(wanted, new Set(found));
  for (const id of windows.keys()) drawWindow(id);
}
/** Piles that the seat was looking into. @type {Set<number>} */
let watched = new Set();
/** Windows follow what the seat may see; one opens where a look was granted. */
export function drawWindows() {
  const now = new Set(S.piles.filter((one) => one.windows.includes(eyes())).map((one) => one.id));
  for (const id of now) if (!watched.has(id) && !windows.has(id)) window(id);
  for (const id of watched) if (!now.has(id)) { windows.get(id)?.made.remove(); windows.delete(id); }
  watched = now;
  for (const id of windows.keys()) drawWindow(id);
}
export function closeTopWindow() {
  const last = [...windows.keys()].at(-1);
  if (last === undefined) return false;
  closeWindow(last, false);
  return true;
}
/** @param {number} id */
export async function lookInto(id) {
  const one = pileOf(id), { viewers } = one;
  const sees = viewers === "everybody" || Array.isArray(viewers) && viewers.includes(eyes());
  if (sees || one.windows.includes(eyes())) window(id); else await act(`look ${group(id)}`);
}

// --- the table as a list ----------------------------------------------------------------------------

/** @type {HTMLDialogElement | null} */
let listed = null;
const listBox = el("div", { className: "list", tabIndex: 0 });
/** Everything on the table as text: each card is a button with its menu. */
export function list() {
  listed = tell("The table as a list", listBox);
  when(listed, "close", () => { listed = null; });
  drawList();
}
export function drawList() {
  if (!listed) return;
  const stands = focused()?.dataset.h;
  /** @param {number} handle */
  const button = (handle) => {
    const one = el("button", { textContent: label(cardOf(handle), place.get(handle)), data: { h: handle } });
    when(one, "click", () => { const where = middleOf(one); listed?.close(); menuOfCard(handle, ...where); });
    return el("li", {}, one);
  };
  /** Cards below a heading. @type {(words: string, handles: number[]) => HTMLElement[]} */
  const part = (words, handles) => [
    el("h4", { textContent: words }), ...(handles.length ? [el("ul", {}, ...handles.map(button))] : []),
  ];
  /** @type {(seat: number | null, words: string, counters: FreeSeat["counters"] | null) => HTMLElement[]} */
  const of = (seat, words, counters) => {
    const on = S.table.filter((handle) => (cardOf(handle).by ?? null) === seat);
    const piles = S.piles.filter((one) => one.owner === seat);
    return [
      el("h3", { textContent: words }),
      ...(counters ? [el("p", { textContent: counters.map(([name, value]) => `${name} ${value}`).join(", ") })] : []),
      ...(on.length ? part(`On the table: ${on.length}`, on) : []),
      ...piles.flatMap((one) => part(`${one.name}: ${one.count}`, one.cards.map(([handle]) => handle))),
    ];
  };
  /** @param {number} seat */
  const words = (seat) => (seat === S.me ? `${seatName(seat)} (you)` : seatName(seat));
  listBox.replaceChildren(
    ...S.seats.flatMap((one, seat) => of(seat, words(seat), one.counters)), ...of(null, "Of nobody", null));
  if (stands) listBox.querySelector(`[data-h="${stands}"]`)?.focus();
}
