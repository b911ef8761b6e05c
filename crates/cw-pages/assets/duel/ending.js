// The end of a duel: a moment of its own, the sheet that tells how it went, and what the choices cost, once the computer has
// looked through them.

import { $, calm, fragment, request, speed } from "./page.js";

/** The end of a duel is a moment of its own, and then the page that tells how it went. */
export function finish() {
  const result = document.querySelector("#prompt .result");
  if (!result || !$("ending")) return;
  const long = calm.matches ? Math.min(1, speed()) * 500 : Math.min(1.2, speed()) * 1200;
  const fanfare = document.createElement("div");
  fanfare.className = "fanfare";
  fanfare.dataset.won = result.dataset.won ?? "";
  fanfare.textContent = result.textContent;
  fanfare.setAttribute("aria-hidden", "true");
  if (long) document.body.append(fanfare);
  const tell = () => {
    if (!fanfare.parentNode && long) return;
    fanfare.remove();
    const ending = $("ending");
    if (!ending || document.querySelector("[popover]:popover-open")) return;
    ending.showPopover();
    // Who plays with keys stands in the dialog, at what comes next.
    ending.querySelector(".again :is(.go, button):not([hidden])")?.focus({ preventScroll: true });
  };
  if (!long) { queueMicrotask(tell); return; }
  setTimeout(tell, long);
  for (const kind of ["pointerdown", "keydown"]) fanfare.ownerDocument.addEventListener(kind, tell, { once: true });
}

let reviewed = "", asksForReview = false;
/** What the choices of the duel cost comes after its end, when the computer has looked through them. */
export async function review() {
  const place = document.querySelector("[data-review]");
  if (!place || place.dataset.done || asksForReview) return;
  asksForReview = true;
  try {
    while (!reviewed) {
      const answer = await request(place.dataset.review ?? "");
      if (answer.status === 200) reviewed = await answer.text();
      else if (answer.ok || answer.status === 429 || answer.status === 503) await new Promise((go) => setTimeout(go, 1000));
      else break;
      if (!document.querySelector("[data-review]")) return;
    }
    const now = document.querySelector("[data-review]");
    if (!now) return;
    if (reviewed) now.replaceChildren(fragment(reviewed));
    else now.hidden = true;
    now.dataset.done = "1";
  } catch { /* the table is away; the next message of it asks again */ } finally { asksForReview = false; }
}
