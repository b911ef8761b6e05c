// The stream of what changes at the table, and whether it is heard at all. A page answers the table's beats, so both sides
// know when the other has fallen silent.

import { receive } from "./pace.js";
import { $, PATIENCE, base, notice, request, say } from "./page.js";

/** @type {EventSource | null} */
let stream = null;
/** When the table was last heard. It sends a beat every two seconds; a network that swallows bytes breaks nothing,
 * so what is silent for longer is asked, and what does not answer is lost. */
let heard = performance.now(), asking = false;
const SILENCE = 3500, REPLY = 1800;
const here = (/** @type {number} */ patience) => request("here", patience, { method: "POST" });
function found() {
  heard = performance.now();
  if (!document.body.dataset.lost) return;
  delete document.body.dataset.lost;
  notice(say.again);
}
function lost(/** @type {string} */ words) {
  document.body.dataset.lost = "1";
  notice(words, 60000);
}
function tune() {
  stream?.close();
  const mine = new EventSource(new URL(`events?number=${$("prompt")?.dataset.number ?? $("table")?.dataset.number}`, base));
  stream = mine;
  mine.onmessage = (event) => { found(); receive(JSON.parse(event.data)); };
  // The first answer tells the table that this page answers beats: who falls silent right after it is missed, too.
  const beat = () => { found(); here(PATIENCE).catch(() => {}); };
  mine.addEventListener("beat", beat);
  mine.onopen = beat;
  mine.onerror = () => {
    if (mine !== stream) return;
    lost(say.lost);
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 500);
  };
}
async function listenForBeats() {
  if (asking || performance.now() - heard < SILENCE) return;
  asking = true;
  try {
    await here(REPLY);
    if (document.body.dataset.lost || stream?.readyState !== EventSource.OPEN) tune();
    found();
  } catch {
    lost(say.silent || say.lost);
  } finally {
    asking = false;
  }
}

/** Follows the table from now on. */
export function follow() {
  tune();
  setInterval(listenForBeats, 500);
}
