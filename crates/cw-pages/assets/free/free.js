// The free table's page: it shows what its seat is sent, and asks for what the person does.

import { $, S, apply, load, onRefusal, seatName, send, when } from "./state.js";
import { bringIntoView, draw, fit, flash, look, rects, showSignal, start as startTable, zoomAt } from "./table.js";
import { drawList, drawWindows, openMenu, tableMenu, takeBack } from "./menu.js";
import { NO_SOUND, build, drawLog, drawPanels, notice, setText, setTheme, sounds, startChat } from "./panels.js";
import { start as startDrag } from "./drag.js";
import { start as startKeys } from "./keys.js";

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
function show(message) {
  const from = rects();
  const before = apply(message);
  drawPanels();
  if (!begun) { begun = true; fit(); startChat(); }
  const outside = draw(message.fresh ? null : before, from);
  // What one brings to the table oneself is not looked for.
  const own = (message.log ?? []).some((line) => line.by === S.me) ? outside.filter((handle) => S.cards.get(handle).by === S.me) : [];
  if (own.length) bringIntoView(own);
  const others = outside.length - own.length;
  if (others) notice(`${others === 1 ? "A card" : `${others} cards`} came to the table outside of your view; ⤢ shows all.`);
  drawWindows();
  drawList();
  drawLog(message.fresh);
  if (!message.fresh) for (const line of message.log ?? []) {
    // Who wanted to act before the turn ends reads that this is the moment.
    if (/ before the end of the turn, as (.*) asked$/.exec(line.text)?.[1].split(" and ").includes(seatName(S.me))) notice(`${seatName(line.by)} ends the turn: act now.`);
    if (line.kind === "sound") sounds(line).catch(() => notice(NO_SOUND));
  }
  for (const line of message.log ?? []) if (line.cards.length && !message.fresh) flash(line.cards, line.kind);
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
  if ("turn" in message || "me" in message) look();
}

/** When the table was last heard. It sends a beat every two seconds; a network that swallows bytes breaks nothing, so
 * what is silent for longer is asked, and what does not answer is lost. */
let heard = performance.now(), asking = false, stream = null;
const SILENCE = 3500, REPLY = 1800;
function found() {
  heard = performance.now();
  if (!document.body.classList.contains("lost")) return;
  document.body.classList.remove("lost");
  notice("The table is back.");
}
function lost() {
  document.body.classList.add("lost");
  notice("The table cannot be reached. It is tried again by itself; what you did is kept.", 60000);
}
/** Follows the table; a browser gives a stream up that was refused once, the page does not. */
function follow() {
  stream?.close();
  const mine = stream = new EventSource("events");
  when(stream, "view", (event) => { found(); show(JSON.parse(event.data)); });
  // The first answer tells the table that this page answers beats: who falls silent right after it is missed, too.
  const beat = () => { found(); send("here").catch(() => {}); };
  when(stream, "beat", beat);
  when(stream, "open", beat);
  when(stream, "signal", (event) => showSignal(JSON.parse(event.data)));
  when(stream, "error", () => {
    if (mine !== stream) return;
    lost();
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { if (mine === stream) follow(); }, 2000);
  });
}
follow();
setInterval(async () => {
  if (asking || performance.now() - heard < SILENCE) return;
  asking = true;
  try {
    await send("here", undefined, REPLY);
    if (document.body.classList.contains("lost") || stream.readyState !== EventSource.OPEN) follow();
    found();
  } catch { lost(); }
  asking = false;
}, 500);

when($("menu"), "click", (event) => { const box = event.currentTarget.getBoundingClientRect(); openMenu(tableMenu(), box.left, box.bottom + 4); });
when($("fit"), "click", () => { fit(); notice(""); });
when($("undo"), "click", takeBack);
const middle = () => { const box = $("felt").getBoundingClientRect(); return [box.width / 2, box.height / 2]; };
when($("closer"), "click", () => zoomAt(...middle(), 1.25));
when($("farther"), "click", () => zoomAt(...middle(), 0.8));
