// The pane beside the table: it shows a card large, with its words. A card gets there when it asks (`read`), when the other
// player acts with it (`present`), when somebody points at it, or by a click, which pins it (`pin`). Where there is no room
// for a pane it opens over the table, by a tap or a long press. Of several wishes the later one wins, but a pinned card
// stays until it is let go of or leaves the table.

import { lines, settle } from "./layout.js";
import { $, asksNow, cardAt, lying, speed, targetOf, the } from "./page.js";

/** The card that the pane shows. A card that was made anew is another one: what it says may have changed.
 * @type {HTMLElement | null} */
let enlarged = null;
/** What a card says has changed: it is read anew when it is asked for next. */
export function outdate(/** @type {Node} */ card) { if (card === enlarged) enlarged = null; }
/** How far the pane is scrolled: to ask it would cost a layout. */
let paneAt = 0;
addEventListener("scroll", ({ target }) => { if (target === $("zoom")) paneAt = the("zoom").scrollTop; }, { capture: true, passive: true });
/** Shows a card in the pane; with `after`, its picture, the largest of the page, comes when the table is on the screen. */
function enlarge(/** @type {HTMLElement | null} */ card, after = false) {
  const zoom = $("zoom");
  if (!zoom || !card || card === enlarged) return;
  enlarged = card;
  [reading, readIn] = [card.closest("[popover]") ? null : card.dataset.card ?? null, nowIn()];
  const photo = card.querySelector("img")?.getAttribute("src")?.startsWith("/picture/");
  const src = photo ? `/picture/${card.dataset.model}` : `/face/${card.dataset.model}/full.svg`;
  /** @type {HTMLImageElement | null} */
  const old = zoom.querySelector(":scope > img");
  const picture = old?.getAttribute("src") === src ? old : document.createElement("img");
  picture.removeAttribute("title");
  const alt = card.getAttribute("aria-label") ?? card.textContent ?? "";
  picture.alt = alt;
  const load = () => { picture.src = src; };
  if (after && picture !== old) requestAnimationFrame(() => setTimeout(load)); else load();
  /** @type {HTMLElement[]} */
  const parts = [picture];
  const facts = card.querySelector(".facts");
  if (facts) {
    const copy = /** @type {HTMLElement} */ (facts.cloneNode(true));
    copy.hidden = false;
    picture.title = facts.querySelector(".icons")?.title ?? "";
    const more = card.querySelector(".facts.more > span");
    if (more) copy.prepend(more.cloneNode(true));
    parts.push(copy);
    const forms = [...copy.querySelectorAll(".form")];
    if (forms.length) parts.splice(1, 0, pager(picture, [src, alt, "1"], forms));
  }
  // Where it lies over the table it can be closed.
  const close = document.createElement("button");
  Object.assign(close, { type: "button", className: "small close", textContent: zoom.dataset.close });
  close.addEventListener("click", shrink);
  zoom.replaceChildren(close, ...parts);
  if (paneAt) zoom.scrollTop = paneAt = 0;
  settle();
}
/** What stood in the pane before any card was read. */
let greeting = [...($("zoom")?.childNodes ?? [])];
/** The question that the pane has answered to. @type {string | undefined} */
let readFor;
/** The card on the table that the pane shows, by its key. @type {string | null} */
let reading = null;
/** In which phase of which turn it was read. */
let readIn = "";
/** The page was exchanged: what its pane holds is what stands there before any card is read. */
export function afresh() {
  enlarged = null;
  greeting = [...the("zoom").childNodes];
}
const nowIn = () => `${$("ribbon")?.querySelector("strong")?.textContent} ${$("ribbon")?.querySelector("[aria-current]")?.textContent}`;
/** The pane shows the card that asks, or the only one that can answer; no card that has left, and none of another phase. */
export function read() {
  const { number, source } = $("prompt")?.dataset ?? {};
  if (asksNow() && number !== readFor && !pinned) {
    readFor = number;
    const could = new Set([...document.querySelectorAll("#prompt .options [data-for]:not(:disabled)")].map((option) => option.dataset.for));
    const about = source ?? (could.size === 1 ? [...could][0] : null);
    const card = about && document.querySelector(`.table .card[data-card="${about}"][data-model]:not([popover] *)`);
    if (card) { enlarge(card, true); return; }
    if (reading && readIn !== nowIn() && !the("zoom").matches(".open, :hover") && !lying(reading)?.matches(":hover")) { forget(); return; }
  }
  if (!reading || the("zoom").matches(".open, .presents")) return;
  const now = document.querySelector(`.table .card[data-card="${reading}"][data-model]:not([popover] *)`);
  if (now && now !== enlarged) {
    // It is told as it is now.
    const scrolled = paneAt;
    enlarge(now, true);
    if (scrolled) the("zoom").scrollTop = paneAt = scrolled;
  } else if (!now) {
    forget();
  }
}
/** The pane shows no card any more. */
function forget() {
  [enlarged, reading, pinned] = [null, null, false];
  the("zoom").classList.remove("pinned");
  the("zoom").replaceChildren(...greeting);
}
/** The number of its option stands on the card, too. */
export function numberCards() {
  /** @type {Map<string | undefined, string>} */
  const digits = new Map();
  for (const option of document.querySelectorAll("#prompt .options [data-for]:not(:disabled)")) {
    const [digit, card] = [option.querySelector("kbd")?.textContent, option.dataset.for];
    if (digit) digits.set(card, digits.has(card) ? `${digits.get(card)} ${digit}` : digit);
  }
  for (const card of document.querySelectorAll(".hand .card")) {
    const key = card.matches(".legal") && digits.get(card.dataset.card);
    if (!key) delete card.dataset.key;
    else if (card.dataset.key !== key) card.dataset.key = key;
  }
}
/** The card that the other player plays or uses, large, for as long as its act is shown. */
export function present(/** @type {Effect[]} */ effects) {
  const act = effects.findLast(({ kind }) => kind === "card" || kind === "use");
  const card = act && document.querySelector(`.table .card[data-card="${act.at}"][data-model]`);
  if (!card || !speed()) return;
  enlarge(card);
  the("zoom").classList.add("presents");
}
/** Buttons that page through the other forms of a card; the first page is the card itself: its picture, name and words.
 * @param {HTMLImageElement} picture @param {[source: string, name: string, words: string]} first @param {HTMLElement[]} forms */
function pager(picture, first, forms) {
  const pages = [first, ...forms.map((form) => [form.dataset.src ?? "", form.dataset.name ?? "", form.textContent ?? ""])];
  const row = document.createElement("div");
  row.className = "pager";
  pages.forEach(([source, name, words], at) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "small", textContent: words });
    button.setAttribute("aria-pressed", String(at === 0));
    button.addEventListener("click", () => {
      Object.assign(picture, { src: source, alt: name });
      for (const other of row.children) other.setAttribute("aria-pressed", String(other === button));
    });
    row.append(button);
  });
  return row;
}
/** A card that lies over the table closes. */
export function shrink() {
  if ($("zoom")?.classList.contains("open")) pinned = false;
  $("zoom")?.classList.remove("open");
  if (!pinned) $("zoom")?.classList.remove("pinned");
  enlarged = null;
}
/** Lets go of the card that is pinned beside the table; whether there was one. */
export function unpin() {
  const lets = pinned && !the("zoom").classList.contains("open");
  if (lets) { pinned = false; the("zoom").classList.remove("pinned"); }
  return lets;
}

/** Who is on the way to what the enlarged card says does not mean the cards in between. */
const PASSING = 130;
let coming = 0;
/** The card stays in the pane, wherever the pointer goes. */
let pinned = false;
document.addEventListener("pointerover", (event) => {
  const card = cardAt(event);
  clearTimeout(coming);
  if (card && event.pointerType === "mouse" && !pinned && !card.closest("#zoom")) {
    if (enlarged?.isConnected) coming = setTimeout(() => enlarge(card), PASSING);
    else enlarge(card);
  }
  if (card?.classList.contains("legal")) lines(card);
});
/** A click on a card that is no answer pins it, or lets go of it. */
export function pin(/** @type {HTMLElement} */ clicked) {
  const card = /** @type {HTMLButtonElement} */ (clicked);
  if (card.type !== "button" || card.hasAttribute("popovertarget") || card.closest("#zoom, #log")) return;
  pinned = !(pinned && card === enlarged);
  enlarge(card);
  $("zoom")?.classList.toggle("pinned", pinned);
  // Where no pane is beside the table, it opens over it.
  if (pinned && !$("zoom")?.getClientRects().length) the("zoom").classList.add("open");
  else if (!pinned && $("zoom")?.classList.contains("open")) shrink();
}
document.addEventListener("pointerout", (event) => { if (cardAt(event)) lines(); });
document.addEventListener("focusin", (event) => {
  const card = cardAt(event) ?? targetOf(event).querySelector(":scope > .name[data-model]");
  if (!card) return;
  enlarge(card);
  if (card.classList.contains("legal")) lines(card);
});

let press = 0;
/** A finger has rested on a card, which opened it: the click that follows means nothing. */
let held = false;
/** A tap beside a card that lies over the table closes it, and means nothing else. */
let beside = false;
document.addEventListener("pointerdown", (event) => {
  const card = cardAt(event), away = !targetOf(event).closest("#zoom");
  beside = Boolean($("zoom")?.classList.contains("open") && away);
  if (beside) { shrink(); return; }
  if (event.pointerType === "mouse" || !card) { if (away && !(card && pinned)) shrink(); return; }
  held = false;
  press = setTimeout(() => { held = true; enlarge(card); the("zoom").classList.add("open"); }, 350);
});
for (const end of ["pointerup", "pointercancel", "scroll"]) addEventListener(end, () => clearTimeout(press), true);
/** Whether a click only ends what a press began: a tap beside the open card, or the end of a long press. */
export function endsPress(/** @type {MouseEvent} */ event) {
  const ends = beside || held && cardAt(event) !== null;
  beside = held = false;
  return ends;
}
document.addEventListener("contextmenu", (event) => { if (cardAt(event)) event.preventDefault(); });
