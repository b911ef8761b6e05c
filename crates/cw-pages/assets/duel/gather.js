// The page before a duel, where two people sit down: what is typed there stays when there is news. Few pages are one, so it
// is loaded when there is.

import { morph } from "./frames.js";
import { $, fragment, pageAt } from "./page.js";

/** Whether the page is being asked for, and whether there is news since. */
let asking = false, news = false;
/** Shows the page as it is now. Where there is nothing to type it is loaded again. */
export async function gather() {
  news = true;
  if (asking) return;
  asking = true;
  while (news) {
    news = false;
    const made = fragment(await pageAt(location.href)).querySelector("#table.gathering");
    const old = $("table");
    if (!old || !$("sit") || !made?.querySelector("#sit")) { location.reload(); return; }
    morph(old, made);
  }
  asking = false;
}
