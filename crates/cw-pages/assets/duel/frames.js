// How a frame changes the page. `show` takes its regions over and then calls every room whose business the change is. The
// order matters: places are measured before the first change; the focus is back before anything looks where it is; the
// dragged card and the pane are set before motion starts, since cards glide to where they are then.
//
// `morph` makes what is there into what came: what stays the same keeps its element, and with it focus, pointer, motion and
// picture. A frame that exchanged whole regions would end a hover, a drag and an animation with each act.

import { noteQuestion } from "./answers.js";
import { carry, dragged } from "./drag.js";
import { finish, review } from "./ending.js";
import { carryOn, shuffle } from "./forms.js";
import { noteSolved, sayOnce, tellTimes } from "./hints.js";
import { rove } from "./keyboard.js";
import { mark, settle } from "./layout.js";
import { announce, falling, floatNumber, glide, places } from "./motion.js";
import { $, focused, fragment, the } from "./page.js";
import { sound } from "./settings.js";
import { numberCards, outdate, present, read } from "./zoom.js";


/** What a node is: nodes with the same key become each other. A card is the same wherever it lies, and so is the line that
 * it is alone in; a question is another one each time, so that no click meant for the last one hits its buttons. */
const keyOf = (/** @type {Node | null} */ one) => {
  if (!(one instanceof Element)) return "";
  const node = /** @type {HTMLElement} */ (one), inner = /** @type {HTMLElement | null} */ (one.firstElementChild);
  if (node.id === "prompt") return `prompt ${node.dataset.number}`;
  const card = node.dataset.card ?? (node.localName === "li" && inner?.dataset.card);
  return node.id || (card ? `${node.localName} ${card}` : "");
};
/** Whether a field is as it was sent: what is entered is no attribute, and extensions of browsers add their own. */
const isSame = (/** @type {Element} */ old, /** @type {Element} */ made) => old.innerHTML === made.innerHTML
  && [...made.attributes].every(({ name, value }) => old.getAttribute(name) === value)
  && [...old.attributes].every(({ name }) => made.hasAttribute(name) || /^(style|data-)/.test(name));
/** Makes `old` what `made` is, or puts `made` in its place. @param {ChildNode} old @param {ChildNode} made */
export function morph(old, made) {
  if (old.isEqualNode(made)) return;
  if (old.nodeType === Node.TEXT_NODE && made.nodeType === Node.TEXT_NODE) { old.nodeValue = made.nodeValue; return; }
  if (!(old instanceof Element && made instanceof Element) || old.nodeName !== made.nodeName || keyOf(old) !== keyOf(made)) { old.replaceWith(made); return; }
  if (old.matches("input, select, textarea")) { if (!isSame(old, made)) old.replaceWith(made); return; }
  outdate(old);
  // What a reader has unfolded stays so.
  for (const { name } of [...old.attributes]) if (name !== "open" && !made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  // What leaves goes first, so that what stays need not move.
  const staying = new Set([...made.children].map(keyOf));
  for (const child of [...old.children]) if (keyOf(child) && !staying.has(keyOf(child))) child.remove();
  const keyed = new Map([...old.children].map((child) => [keyOf(child), /** @type {ChildNode} */ (child)]));
  keyed.delete("");
  // `at` is where the next child belongs: what stands before it is done. A child with a key becomes the one of the same key,
  // wherever that stands; one without becomes whatever without a key stands here. E.g. the hand A B C becomes C B: A leaves
  // first, C is moved before B, B is there already.
  let at = old.firstChild;
  for (const child of [...made.childNodes]) {
    const key = keyOf(child);
    /** @type {ChildNode | null | undefined} */
    const same = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (!same) { old.insertBefore(child, at); continue; }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    morph(same, child);
  }
  // What is left stands for nothing that came.
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Shows a frame. */
export function show(/** @type {Frame} */ frame) {
  const before = places();
  const fallen = falling(frame.effects);
  const focus = keepFocus();
  const ended = Boolean(document.querySelector("#prompt .result"));
  for (const id of frame.gone) $(id)?.remove();
  for (const [id, parent, markup] of frame.swap) {
    const made = fragment(markup).firstElementChild;
    const old = $(id);
    if (!made) continue;
    if (old) {
      // What pops up and is put away with its old element opens again.
      const open = [old, ...old.querySelectorAll("[popover]")].filter((sheet) => sheet.matches("[popover]:popover-open")).map((sheet) => sheet.id);
      morph(old, made);
      for (const sheet of open) if (!$(sheet)?.matches(":popover-open")) $(sheet)?.showPopover();
    } else {
      $(parent)?.append(made);
    }
  }
  mark();
  tellTimes();
  focus();
  shuffle();
  carry();
  read();
  numberCards();
  rove();
  glide(before, fallen, dragged());
  for (const effect of frame.effects) {
    floatNumber(effect);
    sound(effect.kind, effect.by);
  }
  if (frame.by === "them" || frame.fight) present(frame.effects);
  announce(frame);
  if (frame.aloud) the("aloud").textContent = frame.aloud;
  settle();
  if (!ended) finish();
  review();
  noteQuestion();
  noteSolved();
  sayOnce();
  carryOn(frame.more);
  document.documentElement.dataset.number = String(frame.number);
}

/** The element with the focus has left, and nothing was there to take it. */
let homeless = false;
/** Focus must not fall to the page when its element leaves: it goes to the next question, now or when there is one. To be
 * called before a change; what it returns, after it. */
function keepFocus() {
  const had = focused();
  if (had && had !== document.body) homeless = false;
  else if (!homeless) return () => {};
  const card = had?.closest("[data-card]")?.dataset.card;
  const id = had?.id;
  const place = had?.closest("#hand") ? "hand" : had?.closest(".ring")?.id;
  return () => {
    // Who has kept it is done; what has moved gets it back.
    if (!homeless && document.activeElement === had) return;
    if (!homeless && had && document.contains(had) && had.getClientRects().length) { had.focus({ preventScroll: true }); return; }
    const again = (id && $(id)) || (card && document.querySelector(`.table [data-card="${card}"]`)) ||
      (place && document.querySelector(`#${place} .card`)) || $("question");
    homeless = !again;
    again?.focus({ preventScroll: true });
  };
}
