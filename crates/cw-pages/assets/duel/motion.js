// What moves: cards glide from where they were to where they are (first, last, invert, play), strikers lunge, bars drain,
// numbers float. Nothing here changes what is on the table, and who asked for less motion sees only where things end.

import { $, base, calm, lying, speed, the } from "./page.js";
import { sound } from "./settings.js";

/** @typedef {Map<string | undefined, DOMRect>} Places Where cards lie, by their keys. */

/** Where all cards of the table lie now. */
export const places = () => {
  /** @type {Places} */
  const found = new Map();
  // To ask where cards lie costs a layout.
  if (calm.matches) return found;
  for (const card of document.querySelectorAll(".table [data-card]")) {
    if (card.closest("[popover]")) continue;
    found.set(card.dataset.card, card.getBoundingClientRect());
  }
  return found;
};
/** The cards that are KOed, as they stand before they fall. */
export const falling = (/** @type {Effect[]} */ effects) => calm.matches ? [] : effects.filter(({ kind }) => kind === "ko").flatMap(({ at }) => {
  const card = document.querySelector(`.felt [data-card="${at}"]`);
  return card ? [{ key: at, node: /** @type {HTMLElement} */ (card.cloneNode(true)), rect: card.getBoundingClientRect() }] : [];
});
/** Moves each card from where it was to where it is, which the page knows already; those that fell fade where they stood.
 * The dragged one lies where the pointer is. @param {Places} before @param {ReturnType<typeof falling>} fallen @param {string} [dragged] */
export function glide(before, fallen, dragged) {
  if (calm.matches) return;
  for (const card of document.querySelectorAll(".table [data-card]")) {
    const from = before.get(card.dataset.card);
    before.delete(card.dataset.card);
    if (!from || card.closest("[popover]") || card.dataset.card === dragged) continue;
    const to = card.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.abs(x) + Math.abs(y) < 2 || !to.width) continue;
    card.animate(
      [{ translate: `${x}px ${y}px`, scale: String(from.width / to.width), zIndex: 7 }, { translate: "0 0", scale: "1", zIndex: 7 }],
      { duration: 180, easing: "ease-out" });
  }
  for (const { key, node, rect } of fallen) {
    if (lying(key)) continue;
    node.className = "card ghost";
    node.removeAttribute("form");
    Object.assign(node.style, { left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px` });
    document.body.append(node);
    setTimeout(() => node.remove(), 300);
  }
}

/** Whose turn begins, in large letters for a moment, and why the last one is over if nobody has ended it. */
export function announce(/** @type {Frame} */ { effects, ended }) {
  const turn = effects.find(({ kind }) => kind === "turn");
  const words = turn && $("ribbon")?.querySelector(".whose")?.textContent.replace(/^\W+/, "");
  document.querySelector(".banner")?.remove();
  if (!words || !speed() || document.querySelector("#prompt .result")) return;
  const banner = document.createElement("div");
  banner.className = `banner ${turn.at}`;
  banner.setAttribute("aria-hidden", "true");
  for (const [name, text] of /** @type {[string, string | undefined][]} */ ([["b", words], ["small", ended]])) {
    if (!text) continue;
    const line = document.createElement(name);
    line.textContent = text;
    banner.append(line);
  }
  (document.querySelector(".felt") ?? document.body).append(banner);
  setTimeout(() => banner.remove(), (ended ? 2200 : 1100) * Math.max(.5, speed()));
}

/** The opening hands are dealt, once. */
export function deal() {
  const { turn, number } = the("table").dataset;
  const done = document.querySelector("#me-ring .fighter");
  const key = `dealt ${base} ${number}`;
  const seen = (() => { try { const old = sessionStorage.getItem(key); sessionStorage.setItem(key, "1"); return old; } catch { return null; } })();
  if (Number(turn) > 2 || done || seen || calm.matches || !speed()) return;
  for (const [side, hand] of [["me", "#hand .card"], ["them", "#them-bar .backs .card"]]) {
    const pile = document.querySelector(`[data-pile="${side}-deck"]`)?.getBoundingClientRect();
    if (!pile) continue;
    document.querySelectorAll(hand).forEach((card, order) => {
      const { left, top, width, height } = card.getBoundingClientRect();
      if (!width || order > 7) return;
      const [x, y] = [pile.left + pile.width / 2 - left - width / 2, pile.top + pile.height / 2 - top - height / 2];
      card.animate([{ translate: `${x}px ${y}px`, rotate: "-14deg", scale: ".5", opacity: 0, zIndex: 7 }, { opacity: 1, offset: .3 }, { translate: "0 0", rotate: "0deg", scale: "1", opacity: 1, zIndex: 7 }],
        { id: "deal", duration: 280, delay: order * 90 + (side === "me" ? 0 : 45), easing: "cubic-bezier(.2, .8, .3, 1)", fill: "backwards" });
      setTimeout(() => sound("card"), order * 90);
    });
  }
}

/** How long a striker is on its way: what the blow changes comes then. */
const IMPACT = 190;
/** Who strikes goes at what it strikes and comes back, and those that join its attack with it. */
function lunge(/** @type {Effect} */ { kind, at, from }) {
  if (calm.matches || !from || kind !== "blow" && kind !== "hp" || !lying(from)?.closest(".ring")) return false;
  const struck = kind === "hp" ? $(`${at}-bar`) : lying(at);
  if (!struck) return false;
  const middle = (/** @type {Element} */ node) => { const box = node.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
  const [c, d] = middle(struck);
  const followers = [...document.querySelectorAll(`.felt [data-joins="${from}"]`)].map((mark) => mark.closest(".card"));
  for (const striker of [lying(from), ...followers]) {
    if (!striker) continue;
    const [a, b] = middle(striker);
    const far = (/** @type {number} */ part) => `${(c - a) * part}px ${(d - b) * part}px`;
    striker.animate([{ translate: "0 0", zIndex: 8 }, { translate: far(-.08), offset: .3, zIndex: 8, easing: "ease-in" },
      { translate: far(.55), offset: .5, scale: "1.06", zIndex: 8, easing: "ease-out" }, { translate: "0 0", zIndex: 8 }], { id: "lunge", duration: IMPACT * 2 });
  }
  struck.animate([{ translate: "0 0" }, { translate: "6px 0" }, { translate: "-5px 0" }, { translate: "3px 0" }, { translate: "0 0" }], { delay: IMPACT, duration: 160 });
  return true;
}

/** The frames of bars that drain, by the side. @type {Record<string, number>} */
const draining = {};
/** A bar drains from what it was to what it is. */
function drain(/** @type {Effect} */ { kind, at, by }) {
  const meter = kind === "hp" && /** @type {HTMLMeterElement | null} */ (document.querySelector(`#${at}-bar .hp meter`));
  if (!meter || calm.matches || !speed()) return;
  const [to, begun] = [Number(meter.getAttribute("value")), performance.now() + IMPACT];
  cancelAnimationFrame(draining[at]);
  const turn = (/** @type {number} */ now) => {
    if (!meter.isConnected) return;
    const done = Math.min(1, Math.max(0, (now - begun) / 260));
    meter.value = Math.round(to - by * (1 - done));
    draining[at] = done < 1 ? requestAnimationFrame(turn) : 0;
  };
  turn(begun);
}

/** Shows by how much something changed, where it changed, with the blow that changed it. */
export function floatNumber(/** @type {Effect} */ effect) {
  const host = effect.kind === "hp" || effect.kind === "sp"
    ? document.querySelector(`#${effect.at}-bar .${effect.kind}`)
    : document.querySelector(`.felt [data-card="${effect.at}"]`);
  if (!host || !effect.by) return;
  const number = document.createElement("span");
  number.className = `float ${effect.by < 0 ? "minus" : "plus"}`;
  number.textContent = (effect.by < 0 ? "−" : "+") + Math.abs(effect.by);
  number.setAttribute("aria-hidden", "true");
  host.append(number);
  drain(effect);
  if (lunge(effect)) number.style.animationDelay = `${IMPACT}ms`;
  // What a card deals flies from it to where it hits.
  const from = !calm.matches && !number.style.animationDelay && effect.from && document.querySelector(`.table .card[data-card="${effect.from}"]:not([popover] *)`);
  if (from) {
    const [a, b] = [from.getBoundingClientRect(), number.getBoundingClientRect()];
    const [x, y] = [a.left + a.width / 2 - b.left, a.top + a.height / 2 - b.top];
    number.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: 240, easing: "ease-in" });
  }
  setTimeout(() => number.remove(), number.style.animationDelay ? 600 + IMPACT : 600);
}
