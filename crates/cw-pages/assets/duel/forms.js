// How answers reach the table. A form is sent until it is taken or refused for good, and counts once however often it comes.
// Also what follows an answer by itself: the second half of a drop, and the page's part in a shuffle between people.

import { $, PATIENCE, notice, request, say, the } from "./page.js";
import { begin } from "./pace.js";

/** What two people shuffle with: few pages have it, and those wait for it before they send anything. */
const SHUFFLES = "[data-commit], [data-reveal], [data-shuffle]";
/** @type {typeof import("../shuffle.js") | null} */
let shuffles = null;
const needShuffles = async () => (shuffles ??= await import("../shuffle.js"));
if (document.querySelector(SHUFFLES)) await needShuffles();
/** Binds this page in a shuffle to come, if the form is about one. */
export function bind(/** @type {HTMLFormElement} */ form, act = "") { shuffles?.bind(form, act); }

/** The questions whose forms are on their way. The next question may be shown before the answer to the
 * last one is acknowledged: it can be answered all the same, and each of them once. */
const onTheWay = new Set();
/** Sends a form as if this button of it were pressed; `slot` is where a character was dropped.
 * @param {HTMLFormElement} form @param {HTMLButtonElement | null} [button] @param {string | null} [slot] */
export async function send(form, button, slot = null) {
  if (!shuffles && form.querySelector(SHUFFLES)) await needShuffles();
  bind(form, button?.value);
  const body = bodyOf(form);
  if (button?.name) body.set(button.name, button.value);
  // A character that is played goes to the first free slot, or where it was dropped.
  if (form.id === "answer" && the("prompt").dataset.kind === "main") body.set("slot", slot ?? "first");
  const question = `${form.id} ${body.get("n")}`;
  if (onTheWay.has(question)) return;
  onTheWay.add(question);
  begin();
  try {
    await deliver(form.action, body);
  } finally {
    onTheWay.delete(question);
  }
}

/** The form that answers the question on the screen. */
export const answerForm = () => /** @type {HTMLFormElement} */ (the("answer"));
const bodyOf = (/** @type {HTMLFormElement} */ form) => new URLSearchParams(/** @type {any} */ (new FormData(form)));

/** Sends a form until the table has taken it or has refused it for good: the same form counts once. */
async function deliver(/** @type {string} */ address, /** @type {URLSearchParams} */ body) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    /** @type {Response | null} */
    let answer = null;
    try {
      answer = await request(address, PATIENCE, { method: "POST", body });
    } catch (fault) {
      // Nothing came back, not even a refusal: the answer is kept, and sent again.
      notice(/** @type {Error} */ (fault).name === "TimeoutError" ? say.silent : say.dead, wait + 4000 + PATIENCE);
    }
    const again = !answer || answer.status === 503 || answer.status === 429;
    if (answer && !again) {
      if (answer.status === 409) { wish = null; notice(await answer.text()); }
      else if (answer.redirected) location.href = answer.url;
      else if (!answer.ok) location.reload();
      else notice("");
      return;
    }
    if (answer) notice(await answer.text(), wait + 4000);
    await new Promise((done) => setTimeout(done, wait));
    // Whatever has changed the question meanwhile has answered it, or it was taken after all.
    if (superseded(body)) return;
  }
}

/** Whether the question that a form answers waits no longer. */
function superseded(/** @type {URLSearchParams} */ body) {
  const shown = $("prompt")?.dataset.number;
  return body.has("o") && shown !== undefined && shown !== body.get("n");
}

let shuffling = false;
/** What a shuffle between people wants of this page now: its part, once all are bound, and a look at the end. */
export async function shuffle() {
  if (!shuffles && !document.querySelector(SHUFFLES)) return;
  const { reveal, verify } = await needShuffles();
  verify(document);
  const form = shuffling ? null : reveal(document, (words) => notice(words, 60000));
  if (!form) return;
  shuffling = true;
  try { await deliver(form.action, bodyOf(form)); } finally { shuffling = false; }
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "post" || "plain" in form.dataset) return;
  event.preventDefault();
  event.submitter?.closest("[popover]")?.hidePopover();
  wish = null;
  send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
});

/** What the question that follows a drop is answered with. `after` is the number of the question that the drop has answered.
 * @typedef {{slot: string | null, target: string | null, after: string | undefined}} DropWish */
/** @type {DropWish | null} */
let wish = null;
/** A card was dropped: its next question is answered by where it fell. */
export function wishFor(/** @type {DropWish} */ dropped) { wish = dropped; }
/** After a drop the question where to, whenever it comes, is answered by where the card was dropped. */
export function carryOn(/** @type {boolean} */ more) {
  const { number, kind, mine } = $("prompt")?.dataset ?? {};
  if (!wish || more || number === undefined || number === wish.after) return;
  const { slot, target } = wish;
  wish = null;
  if (mine === undefined) return;
  /** @type {HTMLButtonElement | null} */
  const button = kind === "slot" || kind === "move"
    ? document.querySelector(`#me-ring [data-slot="${slot}"] button.legal`)
    : ["back-up", "join", "block", "target"].includes(kind ?? "")
      ? document.querySelector(`.felt .card.legal[data-card="${target}"][type="submit"]`)
      : null;
  if (button) queueMicrotask(() => send(answerForm(), button));
}
