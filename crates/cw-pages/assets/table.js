// The page of a duel, and of all around it: sends its own forms, swaps the regions that changed, and adds what a page without
// scripts lacks: keyboard, dragging, enlarged cards, motion and sound. It decides nothing.
//
// This file says what a click means, and starts the rooms in `duel/`. In reading order: `page` holds what all rooms share;
// `stream` hears the table, `pace` lets its frames wait for their moment, `frames` shows one; `motion`, `layout` and `zoom` are
// how it looks; `answers` guards what is answered, `forms` sends it, `drag` and `keyboard` are other ways to answer; `ending`,
// `hints`, `settings` and `sheets` stand beside the table; `replay` is loaded where one is shown.

import { collects, isStray } from "./duel/answers.js";
import { endsDrag } from "./duel/drag.js";
import { review } from "./duel/ending.js";
import { shuffle } from "./duel/forms.js";
import { show } from "./duel/frames.js";
import { noteSolved, sayOnce, tellTimes } from "./duel/hints.js";
import { rove } from "./duel/keyboard.js";
import { mark, settle, toggleLog } from "./duel/layout.js";
import { deal } from "./duel/motion.js";
import { cutsShort, entitle, showWith } from "./duel/pace.js";
import { $, targetOf } from "./duel/page.js";
import { showSound, switchSound } from "./duel/settings.js";
import { copy, explain } from "./duel/sheets.js";
import { follow } from "./duel/stream.js";
import { endsPress, numberCards, pin, read } from "./duel/zoom.js";

/** Whether this page shows a duel that was played. */
const replay = document.body.classList.contains("replay") && await import("./duel/replay.js");

// --- Clicks: no other file listens for them on the whole page, so their order is only here ---
/** Who takes a click from what was clicked, asked in this order: the first one ends it. A click that cuts the show short, or
 * ends a press or a drag, was not meant for what lies under it. A pick is no answer yet, so it needs no guard. */
const TAKERS = [cutsShort, endsPress, endsDrag, collects, isStray];
document.addEventListener("click", (event) => {
  if (!TAKERS.some((takes) => takes(event))) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

/** What buttons of the page do by themselves, by their `data-act`. @type {Record<string, (button: HTMLElement) => void>} */
const ACTS = { copy, log: toggleLog, run: () => replay && replay.toggleRun(), sound: switchSound };
/** What a click does, by what was clicked: the first row that fits. @type {[string, (clicked: HTMLElement, event: MouseEvent) => void][]} */
const CLICKS = [
  ["[data-act]", (button) => ACTS[button.dataset.act ?? ""]?.(button)],
  ["[data-copy]", (field) => /** @type {HTMLInputElement} */ (field).select()],
  ["a.number, a[data-insight]", explain],
  [".scrub a[rel], .scrub .at-turn, .replay #log a", (link, event) => replay && replay.follow(link, event)],
  [".card[data-model], .name[data-model]", pin],
];
document.addEventListener("click", (event) => {
  for (const [selector, act] of CLICKS) {
    const clicked = targetOf(event).closest(selector);
    if (clicked) { act(clicked, event); return; }
  }
});

// --- Start ---
showWith(show);
tellTimes();
noteSolved();
sayOnce();
if ($("table") && !replay) follow();
if ($("table")?.dataset.at && !replay) deal();
mark();
read();
numberCards();
showSound();
entitle();
addEventListener("resize", () => { mark(); settle(); });
review();
shuffle();
settle();
rove();
// Some buttons need this script.
document.documentElement.classList.add("ready");
