// What guards an answer: a finger or key that is faster than the eye answers nothing. And how several cards are collected
// before one button sends them all.

import { $, asksNow, notice, say, targetOf, the } from "./page.js";

// A finger that is faster than the eye answers nothing: an answer is for the question that was on the
// screen when the finger went down, and a question that appears under it waits for a moment.
const GUARD = 350, SPOT = 24;
/** The question on the screen, since when, and how the one before was answered. */
let question = { number: $("prompt")?.dataset.number, since: -Infinity };
let answered = { by: "", at: [0, 0] };
/** The question that was on the screen when the finger went down. @type {string | null} */
let pressed = null;
/** Notes since when the question is on the screen. */
export function noteQuestion() {
  const { number } = $("prompt")?.dataset ?? {};
  if (number !== question.number && asksNow()) question = { number, since: performance.now() };
}
const isNew = () => performance.now() - question.since < GUARD;
document.addEventListener("pointerdown", () => { pressed = $("prompt")?.dataset.number ?? null; }, true);
/** Whether the space bar answers: once, not the next question right after the last one. */
export function bySpace(/** @type {KeyboardEvent} */ { repeat }) {
  if (repeat || isNew() && answered.by === " ") return false;
  answered = { by: " ", at: [0, 0] };
  return true;
}
/** A key that is held answers no question that comes while it is. @type {string | null} */
let keyed = null;
document.addEventListener("keydown", ({ key, repeat }) => {
  if (!repeat && (key === "Enter" || key === " ")) keyed = $("prompt")?.dataset.number ?? null;
}, true);
document.addEventListener("keyup", () => setTimeout(() => { keyed = null; }), true);
// Who has moved the pointer away and comes back means it.
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (answered.by === "pointer" && Math.hypot(clientX - answered.at[0], clientY - answered.at[1]) >= SPOT) answered.by = "";
});
/** Whether a click on an answer is none. */
export function isStray(/** @type {MouseEvent} */ event) {
  // A script is no finger, and a key has no place.
  const answer = targetOf(event).closest('[form="answer"], [form="act"][value="undo"]');
  if (!answer || !event.isTrusted) return false;
  const byKey = !event.detail;
  const at = [event.clientX, event.clientY];
  const stray = !byKey && isNew() && answered.by === "pointer" && Math.hypot(at[0] - answered.at[0], at[1] - answered.at[1]) < SPOT;
  const down = byKey ? keyed : pressed;
  if (stray || down !== null && down !== the("prompt").dataset.number) {
    if (!stray) notice(say.changed);
    return true;
  }
  if (!byKey) answered = { by: "pointer", at };
  return false;
}

/** Choosing several: a click takes a card in or lets it go. Whether it was such a click. */
export function collects(/** @type {MouseEvent} */ event) {
  const prompt = $("prompt"), target = targetOf(event);
  if (!prompt?.matches("[data-collect]")) return false;
  const card = target.closest("[data-pick]") ?? target.closest(".table .card.legal[data-card]:not(#prompt *)");
  const pick = card?.matches("[data-pick]") ? card : card && prompt.querySelector(`[data-pick][data-for="${card.dataset.card}"]`);
  if (!pick) return false;
  const taken = () => [...prompt.querySelectorAll('[data-pick][aria-pressed="true"]')];
  const done = /** @type {HTMLButtonElement} */ (prompt.querySelector(".collected"));
  const { min, max, none = "", some = "", more = "" } = done.dataset;
  // Who has as many as there may be lets go of one first.
  if (pick.getAttribute("aria-pressed") !== "true" && taken().length >= Number(max)) return true;
  pick.setAttribute("aria-pressed", String(pick.getAttribute("aria-pressed") !== "true"));
  const all = taken();
  for (const lies of document.querySelectorAll(".table .card[data-card]")) lies.classList.toggle("taken", all.some((one) => one.dataset.for === lies.dataset.card));
  done.value = `${all.map((one) => one.dataset.pick).join(",")},`;
  done.disabled = all.length < Number(min);
  const missing = Number(min) - all.length;
  const words = missing > 0 ? more : all.length ? some : none;
  /** @type {Element} */ (done.firstElementChild).textContent = words.replace("{n}", String(missing > 0 ? missing : all.length));
  const count = /** @type {HTMLElement} */ (prompt.querySelector("[data-count]"));
  count.textContent = `${all.length} of ${count.dataset.of}`;
  return true;
}
