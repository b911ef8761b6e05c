// The replay: turns its pages in place, and runs by itself. Only pages of a replay load this room.

import { rove } from "./keyboard.js";
import { mark, settle } from "./layout.js";
import { falling, floatNumber, glide, places } from "./motion.js";
import { $, base, pageAt, targetOf } from "./page.js";
import { sound } from "./settings.js";
import { afresh } from "./zoom.js";

const scrub = () => /** @type {HTMLInputElement | null} */ (document.querySelector("[data-scrub]"));
const pause = () => /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-speed]"));

/** What turns the next page while the replay runs. */
let running = 0;
let turning = false;
/** @type {string | null} */
let wanted = null;
/** Shows another moment. Of those that are asked for while one is on its way the last one counts. */
export async function turnTo(/** @type {string} */ address) {
  wanted = address;
  if (turning) return;
  turning = true;
  try {
    while (wanted) await turnOnce(wanted);
  } finally {
    turning = false;
  }
}
async function turnOnce(/** @type {string} */ address) {
  wanted = null;
  const text = await pageAt(address);
  if (!text) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const before = places();
  // Going on shows what happens; going back, or far, only what is there.
  const moment = (/** @type {HTMLElement | null} */ table) => [Number(table?.dataset.at), Number(table?.dataset.from)];
  const [old, made] = [moment($("table")), moment(page.getElementById("table"))];
  const onwards = made[0] === old[0] ? made[1] > old[1] : made[0] > old[0] && made[0] - old[0] < 12;
  /** @type {Effect[]} */
  const effects = onwards ? JSON.parse(page.getElementById("table")?.dataset.effects ?? "[]") : [];
  const fallen = falling(effects);
  const speed = pause()?.value;
  const scrubbing = document.activeElement?.matches("[data-scrub]");
  const on = /** @type {HTMLAnchorElement | null} */ (document.activeElement)?.rel ?? "";
  for (const id of ["table", "scrub"]) $(id)?.replaceWith(document.adoptNode(/** @type {HTMLElement} */ (page.getElementById(id))));
  const field = pause();
  if (speed && field) field.value = speed;
  if (scrubbing) scrub()?.focus();
  else if (on) document.querySelector(`.scrub a[rel="${on}"]`)?.focus();
  history.replaceState(null, "", new URL(address, base));
  mark();
  afresh();
  glide(before, fallen);
  for (const effect of effects) { floatNumber(effect); sound(effect.kind, effect.by); }
  showRunning();
  settle();
  rove();
}
/** The turn that is shown is in sight among many. */
function showTurn() {
  document.querySelector(".turns [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
function showRunning() {
  showTurn();
  const button = document.querySelector('[data-act="run"]');
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(Boolean(running)));
}
function run() {
  clearTimeout(running);
  running = setTimeout(async () => {
    const range = scrub();
    if (!running || !range || range.value === range.max) { running = 0; showRunning(); return; }
    await turnTo(document.querySelector('.scrub a[rel="next"]')?.getAttribute("href") ?? "");
    if (running) run();
  }, Number(pause()?.value ?? 1000));
}
/** A link to another moment is followed in place. */
export function follow(/** @type {HTMLElement} */ link, /** @type {MouseEvent} */ event) {
  if (link.getAttribute("rel") === "" && !link.closest("#log, .turns") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  turnTo(link.getAttribute("href") ?? "");
}
/** Runs the replay, or stops it. */
export function toggleRun() {
  if (running) { clearTimeout(running); running = 0; } else { run(); }
  showRunning();
}

let sliding = 0;
document.addEventListener("input", (event) => {
  const range = scrub();
  if (!range || targetOf(event) !== range) return;
  clearTimeout(sliding);
  const wanted = `moment/${range.value}${range.dataset.scrub}`;
  sliding = setTimeout(() => turnTo(wanted), 60);
});
showRunning();
