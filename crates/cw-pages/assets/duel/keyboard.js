// The keyboard: what keys mean at the table, where arrow keys lead, and where the focus is while dialogs open and close.

import { bySpace } from "./answers.js";
import { toggleLog } from "./layout.js";
import { hurry, playing } from "./pace.js";
import { $, focused, targetOf, the } from "./page.js";
import { shrink, unpin } from "./zoom.js";


/** Whether a field has the key, and the table has not. @param {KeyboardEvent} event */
const typing = (event) => {
  const field = targetOf(event);
  if (!field.matches("input, select, textarea")) return false;
  // The line of a replay is walked by these keys; the others are the table's there.
  return !field.matches("[data-scrub]") || /^(Arrow|Home|End|Page)/.test(event.key);
};
addEventListener("keydown", (event) => {
  if (!$("table") || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  // A key that cuts the show short answers nothing: the question was not on the screen yet.
  if (playing() && event.key !== "Tab" && event.key !== "Shift") { hurry(); event.preventDefault(); return; }
  const sheet = document.querySelector("[popover]:popover-open");
  const option = (/** @type {string} */ selector) => document.querySelector(`#prompt .options ${selector}`);
  const on = focused();
  if (/^[1-9]$/.test(event.key) && !sheet) {
    const collects = document.querySelectorAll("#prompt [data-pick]");
    (collects.length ? collects : document.querySelectorAll("#prompt .options button"))[Number(event.key) - 1]?.click();
  } else if (event.key === " " && !sheet && !on?.closest("button:not(.card), [data-pick], a, summary")) {
    event.preventDefault();
    if (!bySpace(event)) return;
    const all = document.querySelectorAll("#prompt .options button, #prompt .faces button.legal");
    (option("button.go") ?? (all.length === 1 ? all[0] : null))?.click();
  } else if (event.key === "Escape" && !sheet) {
    if (unpin()) return;
    if ($("zoom")?.classList.contains("open") || $("log")?.classList.contains("open")) { shrink(); the("log").classList.remove("open"); }
    else option("button.back")?.click();
  } else if (event.key === "?") {
    $("help")?.togglePopover();
  } else if (event.key === "z" || event.key === "Z") {
    (document.querySelector('[form="act"][value="undo"]') ?? option("button.back"))?.click();
  } else if ((event.key === "a" || event.key === "A") && !sheet) {
    document.querySelector('[form="act"][value="attack-all"]')?.click();
  } else if (event.key === "f" || event.key === "F") {
    document.querySelector('[form="act"][value="control"]')?.click();
  } else if (event.key === "t" || event.key === "T") {
    document.querySelector("a[data-insight]")?.click();
  } else if (event.key === "l" || event.key === "L") {
    toggleLog();
  } else if (on?.closest("#log-turns") && walkLog(event.key)) {
    event.preventDefault();
  } else if (event.key.startsWith("Arrow") && document.body.classList.contains("replay") && !on?.matches("[data-scrub]") && /Left|Right/.test(event.key)) {
    document.querySelector(`.scrub a[rel="${event.key === "ArrowLeft" ? "prev" : "next"}"]`)?.click();
  } else if (event.key.startsWith("Arrow") && !on?.matches("[data-scrub]")) {
    if (walk(event.key, sheet)) event.preventDefault();
  }
});

/** Arrow keys go to the nearest button in that direction. */
function walk(/** @type {string} */ key, /** @type {HTMLElement | null} */ inside) {
  const scope = inside ?? the("table");
  const stops = [...scope.querySelectorAll("button, a[href]")].filter((stop) =>
    stop.getClientRects().length && (inside || !stop.closest("[popover]")) && !stop.closest("#log"));
  const on = focused();
  if (!on || !stops.includes(on)) {
    (scope.querySelector(".hand .card.legal, .card.legal, .options button") ?? stops[0])?.focus();
    return true;
  }
  const here = on.getBoundingClientRect();
  const [x, y] = [here.left + here.width / 2, here.top + here.height / 2];
  /** @type {HTMLElement | null} */
  let best = null;
  let least = Infinity;
  for (const stop of stops) {
    if (stop === on) continue;
    const box = stop.getBoundingClientRect();
    const [dx, dy] = [box.left + box.width / 2 - x, box.top + box.height / 2 - y];
    const [along, across] = key === "ArrowLeft" ? [-dx, dy] : key === "ArrowRight" ? [dx, dy] : key === "ArrowUp" ? [-dy, dx] : [dy, dx];
    const far = along + Math.abs(across) * 2;
    if (along > 4 && far < least) { best = stop; least = far; }
  }
  /** @type {HTMLElement | null} */ (best)?.focus();
  return best !== null;
}

const logLines = () => [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#log-turns a"))];
/** The lines of the log are one stop; arrow keys walk along them. */
export function rove() {
  const lines = logLines();
  const on = lines.find((line) => line === document.activeElement) ?? lines.find((line) => line.tabIndex === 0 && line.dataset.stop) ?? lines.at(-1);
  for (const line of lines) if (line.tabIndex !== (line === on ? 0 : -1)) line.tabIndex = line === on ? 0 : -1;
}
document.addEventListener("focusin", (event) => {
  const target = targetOf(event);
  if (!target.matches("#log-turns a")) return;
  for (const line of document.querySelectorAll("#log-turns a[data-stop]")) delete line.dataset.stop;
  target.dataset.stop = "1";
  rove();
});
function walkLog(/** @type {string} */ key) {
  const lines = logLines();
  const at = lines.indexOf(/** @type {HTMLAnchorElement} */ (focused()));
  const to = /** @type {Record<string, number>} */ ({ ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: lines.length - 1 })[key];
  if (to === undefined) return false;
  lines[to]?.focus();
  return true;
}

// A dialog that the pointer opened leaves the keys to the table when it closes: the space bar goes on, and does not open
// it again. The focus comes back to its button while it closes, so it is sent away at once, before any key.
let pointed = false, closing = "";
document.addEventListener("beforetoggle", (event) => {
  const target = targetOf(event), { newState } = event;
  if (newState === "open") target.dataset.pointed = String(pointed);
  closing = newState === "closed" && target.dataset.pointed === "true" ? target.id : "";
}, true);
document.addEventListener("focusin", (event) => { if (closing && targetOf(event).getAttribute("popovertarget") === closing) targetOf(event).blur(); });
document.addEventListener("toggle", () => { closing = ""; }, true);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { pointed = kind === "pointerdown"; }, true);

// A dialog takes the focus when it opens, and Tab stays inside; Escape gives it back, as the browser does for what pops up.
const dialogNow = () => [...document.querySelectorAll('[popover][role="dialog"]:popover-open')].at(-1);
document.addEventListener("toggle", (event) => {
  const target = targetOf(event);
  if (event.newState !== "open" || target.getAttribute("role") !== "dialog" || target.contains(document.activeElement)) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}, true);
addEventListener("keydown", (event) => {
  const dialog = event.key === "Tab" && dialogNow();
  if (!dialog) return;
  const stops = [...dialog.querySelectorAll("button, a[href], input, select, summary, [tabindex='0']")].filter((stop) => !stop.matches(":disabled") && stop.getClientRects().length);
  const [first, last] = [stops[0], stops.at(-1)];
  const on = focused();
  const outside = !dialog.contains(on) || on === dialog;
  const to = event.shiftKey ? (outside || on === first) && last : (!dialog.contains(on) || on === last) && first;
  if (!to) return;
  to.focus();
  event.preventDefault();
});
