// The free table's page: it shows what its seat is sent, and asks for what the person does.

import { $, S, apply, cardOf, load, onRefusal, seatName, send, when } from "./state.js";
import {
  bringIntoView, draw, fit, flash, look, rects, showSignal, start as startTable, zoomAt,
} from "./table.js";
import { notice, openMenu } from "./dialogs.js";
import { tableMenu, takeBack } from "./menu.js";
import { drawList, drawWindows } from "./windows.js";
import { build, drawPanels, setText } from "./panels.js";
import { drawQuestions } from "./questions.js";
import { NO_SOUND, drawLog, setTheme, sounds, startChat } from "./log.js";
import { start as startDrag } from "./drag.js";
import { start as startKeys } from "./keys.js";
// These two are named so that the browser asks for all modules at once.
import "./entries.js";
import "./decks.js";

setTheme();
setText();
await load();
// Where several people share a device, whose cards come next says so first.
const cover = $("cover");
build();
if (cover) {
  document.body.append(cover);
  cover.showModal();
}
onRefusal((words, long) => notice(words[0].toUpperCase() + words.slice(1), long));
startTable();
startDrag();
startKeys();

let begun = false;
/** Shows what changed. @param {FreeMessage} message */
function show(message) {
  const from = rects();
  const before = apply(message);
  drawPanels();
  drawQuestions();
  if (!begun) { begun = true; fit(); startChat(); }
  // Where a script has put cards, nobody has pointed: all of them are to be seen, and not only their middle.
  const isScript = (message.log ?? []).some((line) => line.kind === "run" && line.by === S.me);
  const outside = draw(message.fresh ? null : before, from, isScript);
  // What one brings to the table oneself is not looked for.
  const isOwn = (message.log ?? []).some((line) => line.by === S.me);
  const own = isOwn ? outside.filter((handle) => cardOf(handle).by === S.me) : [];
  if (own.length && isScript) fit();
  else if (own.length) bringIntoView(own);
  const others = outside.length - own.length;
  if (others) notice(`${others === 1 ? "A card" : `${others} cards`} came onto the table outside your view; ⤢ shows all.`);
  drawWindows();
  drawList();
  drawLog(message.fresh);
  if (!message.fresh) for (const line of message.log ?? []) {
    // Who wanted to act before the turn ends reads that this is the moment.
    const asked = / before the end of the turn, as (.*) asked$/.exec(line.text)?.[1].split(" and ");
    if (asked?.includes(seatName(S.me))) notice(`${seatName(line.by)} ends the turn: act now.`);
    if (line.kind === "sound") sounds(line).catch(() => notice(NO_SOUND));
  }
  for (const line of message.log ?? []) if (line.cards.length && !message.fresh) flash(line.cards, line.kind);
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
  if ("turn" in message || "me" in message) look();
}

/** When the table was last heard. It sends a beat every two seconds; a network that swallows bytes breaks nothing, so
 * what is silent for longer is asked, and what does not answer is lost. */
let heard = performance.now(), asking = false;
/** @type {EventSource | null} */
let stream = null;
const SILENCE = 3500, REPLY = 1800;
function found() {
  heard = performance.now();
  if (!document.body.classList.contains("lost")) return;
  document.body.classList.remove("lost");
  notice("The table is back.");
}
function lost() {
  document.body.classList.add("lost");
  notice("The table cannot be reached. Trying again; what you did is kept.", 60000);
}
/** Follows the table; a browser gives a stream up that was refused once, the page does not. */
function follow() {
  stream?.close();
  const mine = stream = new EventSource("events");
  when(mine, "view", (event) => { found(); show(JSON.parse(event.data)); });
  // The first answer tells the table that this page answers beats: who falls silent right after it is missed, too.
  const beat = () => { found(); send("here").catch(() => {}); };
  when(mine, "beat", beat);
  when(mine, "open", beat);
  when(mine, "signal", (event) => showSignal(JSON.parse(event.data)));
  when(mine, "error", () => {
    if (mine !== stream) return;
    lost();
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (mine === stream) follow(); }, 2000);
  });
}
follow();
setInterval(async () => {
  if (asking || performance.now() - heard < SILENCE) return;
  asking = true;
  try {
    await send("here", undefined, REPLY);
    if (document.body.classList.contains("lost") || stream?.readyState !== EventSource.OPEN) follow();
    found();
  } catch { lost(); }
  asking = false;
}, 500);

when($("menu"), "click", (event) => {
  const box = event.currentTarget.getBoundingClientRect();
  openMenu(tableMenu(), box.left, box.bottom + 4);
});
when($("fit"), "click", () => { fit(); notice(""); });
when($("undo"), "click", takeBack);
/** @param {number} factor */
const closer = (factor) => {
  const box = $("felt").getBoundingClientRect();
  zoomAt(box.width / 2, box.height / 2, factor);
};
when($("closer"), "click", () => closer(1.25));
when($("farther"), "click", () => closer(0.8));
