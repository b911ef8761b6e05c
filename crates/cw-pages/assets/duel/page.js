// What every room of the duels' page shares: the page's elements, what the browser keeps, how the table is asked, and words
// for the reader. It knows none of the other rooms.

export const $ = (/** @type {string} */ id) => document.getElementById(id);
/** An element that is there wherever it is asked for. */
export const the = (/** @type {string} */ id) => /** @type {HTMLElement} */ ($(id));
/** What an event is about; the whole page where that is no element. */
export const targetOf = (/** @type {Event} */ { target }) => /** @type {HTMLElement} */ (target instanceof Element ? target : document.documentElement);
/** What the keyboard stands at. */
export const focused = () => /** @type {HTMLElement | null} */ (document.activeElement);
export const base = document.baseURI;
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const { sayLost = "", sayAgain = "", sayDead = "", sayChanged = "", sayTurn = "", saySilent = "", sayUnread = "" } = document.body.dataset;
/** What the page says by itself; nothing where it has no words for it. */
export const say = { lost: sayLost, again: sayAgain, dead: sayDead, changed: sayChanged, turn: sayTurn, silent: saySilent, unread: sayUnread };
export const remember = (/** @type {string} */ key, /** @type {string} */ value) => { try { localStorage.setItem(key, value); } catch { /* not allowed to */ } };
export const recall = (/** @type {string} */ key) => { try { return localStorage.getItem(key); } catch { return null; } };

/** How long acts take: nothing is shown in between if it is 0. @type {Record<string, number>} */
const SPEEDS = { slow: 1.8, normal: 1, fast: 0.55, off: 0 };
export const speed = () => SPEEDS[recall("speed") ?? "normal"] ?? 1;
/** Whether the question on the screen, or the end, waits for this seat. */
export function asksNow() {
  const prompt = $("prompt");
  return Boolean(prompt && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result")));
}
/** A card on the table by its key, unless it lies in a pile that pops up. */
export const lying = (/** @type {string} */ key) => document.querySelector(`.table [data-card="${key}"]:not([popover] *)`);
/** The card, or the name of one, that an event is about. */
export const cardAt = (/** @type {Event} */ event) => /** @type {HTMLButtonElement | null} */ (targetOf(event).closest(".card[data-model], .name[data-model]"));
/** Markup as nodes that load no picture before they are on the page: most of them are there already. */
export const fragment = (/** @type {string} */ markup) => Object.assign(document.createElement("template"), { innerHTML: markup }).content;

/** No answer takes longer than this on a network that works. */
export const PATIENCE = 5000;
/** How the page asks for anything: no request waits for ever. @type {(address: string, patience?: number, more?: RequestInit) => Promise<Response>} */
const request = (address, patience = PATIENCE, more) => fetch(new URL(address, base), { headers: { "x-table": "1" }, signal: AbortSignal.timeout(patience), ...more });
export { request };
/** What stands at an address; nothing, and why is said, if it does not come. */
export async function pageAt(/** @type {string} */ address) {
  try {
    const answer = await request(address);
    if (answer.ok) return await answer.text();
  } catch { notice(say.unread); }
  return "";
}

let noticed = 0;
/** Says something for a moment. */
export function notice(/** @type {string} */ words, long = 4000) {
  the("notice").textContent = words;
  clearTimeout(noticed);
  noticed = setTimeout(() => { the("notice").textContent = ""; }, long);
}
