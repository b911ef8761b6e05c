// Dragging with the mouse: a card onto a slot, a target or the felt. A drop sends the first answer of the card, as a click
// on it would; where it fell answers the question that follows (`wishFor`). Frames may come while a card is dragged: they
// make the card anew, so only its key is kept, and `carry` is called after each of them.

import { answerForm, send, wishFor } from "./forms.js";
import { $, cardAt, lying, notice, say, targetOf, the } from "./page.js";

/** The card that the mouse holds: its key, what its answer meant when it was picked up, and where the pointer was then.
 * @type {{key: string, means: string | null, from: number[], by: number[], moving: boolean} | null} */
let drag = null;
/** The key of the card that is dragged. */
export const dragged = () => drag?.key;

/** The first answer of a card, as a click on it would give it. */
/** @type {(card: HTMLButtonElement | null) => HTMLButtonElement | null} */
const answerOf = (card) => card?.type === "submit" ? card : document.querySelector(`[data-of="${card?.dataset.card}"] button`);
/** What it would mean to take the first answer of a card. */
function meaning(/** @type {HTMLButtonElement | null} */ card) {
  const button = card?.classList.contains("legal") ? answerOf(card) : null;
  return button && `${$("prompt")?.dataset.kind} ${button.getAttribute("aria-label") ?? button.textContent}`;
}

document.addEventListener("dragstart", (event) => { if (!targetOf(event).closest('[draggable="true"]')) event.preventDefault(); });
document.addEventListener("pointerdown", (event) => {
  const card = cardAt(event);
  if (event.pointerType !== "mouse" || event.button !== 0 || !card?.classList.contains("legal") || !card.dataset.card) return;
  drag = { key: card.dataset.card, means: meaning(card), from: [event.clientX, event.clientY], by: [0, 0], moving: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.by = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
  if (!drag.moving && Math.hypot(...drag.by) < 8) return;
  drag.moving = true;
  document.documentElement.toggleAttribute("data-dragging", Boolean(document.querySelector('#prompt[data-kind="main"]')) && Boolean(lying(drag.key)?.matches(".hand .card:has(.bp)")));
  carry();
});
/** The dragged card follows the pointer, drawn anew or not. */
export function carry() {
  if (!drag?.moving) return;
  const [x, y] = drag.by;
  const card = lying(drag.key);
  if (card) Object.assign(card.style, { translate: `${x}px ${y}px`, transition: "none", zIndex: "30", pointerEvents: "none" });
}
function letGo() {
  document.documentElement.removeAttribute("data-dragging");
  const done = drag?.moving ? drag : null;
  const card = /** @type {HTMLButtonElement | null} */ (done && lying(done.key));
  drag = null;
  if (card) Object.assign(card.style, { translate: "", transition: "", zIndex: "", pointerEvents: "" });
  return { done, card };
}
document.addEventListener("pointercancel", letGo);
document.addEventListener("pointerup", (event) => {
  const { done, card } = letGo();
  if (!done) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  if (!under?.closest(".felt") || card?.contains(under)) return;
  swallow = true;
  setTimeout(() => { swallow = false; }, 0);
  // A card that would now answer another question than the one it was picked up for stays where it is.
  if (meaning(card) !== done.means) { notice(say.changed); return; }
  const slot = under.closest(".ring.me .slot");
  send(answerForm(), answerOf(card), slot?.dataset.slot);
  wishFor({
    slot: slot?.dataset.slot ?? null,
    target: under.closest("[data-card]")?.dataset.card ?? null,
    after: the("prompt").dataset.number,
  });
});
let swallow = false;
/** Whether a click is only the end of a drag. */
export const endsDrag = (/** @type {MouseEvent} */ event) => swallow && event.isTrusted;
