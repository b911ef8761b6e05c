// The gallery: a search field above a window of all cards that are found. What is looked for stands in the address, and who
// comes back from a card finds the list where it was.

import { searches } from "./search.js";
import { CardWindow } from "./window.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.search"));
const place = /** @type {HTMLElement} */ (document.getElementById("found"));
const list = () => /** @type {HTMLElement} */ (document.getElementById("cards"));
const view = new CardWindow({ list: list() });
document.body.classList.add("scripted");

/** Under which name this browser tab remembers where a search was left. */
const key = (/** @type {string} */ params) => `cards ${params}`;
let shown = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value)).toString();

searches(form, place, (params) => {
  view.take(list());
  shown = params.toString();
  history.replaceState(null, "", `/cards${shown ? `?${shown}` : ""}`);
});

addEventListener("pagehide", () => { try { sessionStorage.setItem(key(shown), String(view.top)); } catch { /* not allowed to */ } });
let left = 0;
try { left = Number(sessionStorage.getItem(key(shown))); } catch { /* not allowed to */ }
if (left > 0) view.scrollTo(left);
