// Sheets and menus: what opens over a page, what is sent when it opens, and how the cards of a list are found. Also links
// and names that people bring along from page to page.

import { bind } from "./forms.js";
import { noteSolved } from "./hints.js";
import { $, fragment, notice, pageAt, recall, remember, targetOf } from "./page.js";

// Links are copied with one click where the browser allows it; a name is kept for the next time.
for (const button of document.querySelectorAll('[data-act="copy"]')) button.hidden = !navigator.clipboard;
export async function copy(/** @type {HTMLElement} */ button) {
  const field = /** @type {HTMLInputElement} */ (document.querySelector("[data-copy]"));
  await navigator.clipboard.writeText(field.value).catch(() => {});
  notice(button.dataset.done ?? "");
}
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-name-kept]"))) {
  const { form } = field;
  field.value = recall("name") ?? "";
  form?.addEventListener("submit", () => { bind(form); remember("name", field.value); });
}

// A link may lead to what lies one click behind a page: its sheet opens, and what is meant is chosen.
const meant = /** @type {HTMLInputElement | null} */ (location.hash && $(location.hash.slice(1)) || null);
if (meant) {
  meant.closest("[popover]")?.showPopover();
  meant.checked = true;
  meant.focus();
}

// What few people open is sent when somebody does.
document.addEventListener("toggle", async (event) => {
  const place = event.newState === "open" && targetOf(event).querySelector("[data-load]");
  if (!place) return;
  const text = await pageAt(place.dataset.load ?? "");
  if (text) place.replaceWith(fragment(text));
  noteSolved();
}, true);

/** Numbers and the engine's trace open over the table. */
export async function explain(/** @type {HTMLElement} */ link, /** @type {MouseEvent} */ event) {
  const insight = $("insight");
  if (!insight || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const text = await pageAt(/** @type {HTMLAnchorElement} */ (link).href);
  if (!text) return;
  link.closest("[popover]")?.hidePopover();
  insight.replaceChildren(fragment(text));
  insight.showPopover();
  if (text.includes("data-share")) (await import("../share.js")).share(insight);
}

/** Shows the cards that have the words and are of the kinds that are asked for. */
function sortOut(/** @type {HTMLElement | null} */ place) {
  if (!place) return;
  const words = /** @type {HTMLInputElement | null} */ (place.querySelector("[data-search]"))?.value.toLowerCase() ?? "";
  const kinds = [.../** @type {NodeListOf<HTMLSelectElement>} */ (place.querySelectorAll("[data-filter]"))].filter(({ value }) => value);
  const items = [...place.querySelectorAll("[data-name]")];
  for (const item of items) item.hidden = !item.dataset.name?.includes(words) || kinds.some(({ dataset, value }) => item.dataset[dataset.filter ?? ""] !== value);
  const nothing = place.querySelector("[data-nothing]");
  if (nothing) nothing.hidden = items.some((item) => !item.hidden);
}
// A browser that goes back keeps what was entered.
addEventListener("pageshow", () => { for (const place of document.querySelectorAll(".sheet-like")) sortOut(place); });

// Menus open beside their card; the search field of a sheet filters its cards.
document.addEventListener("toggle", (event) => {
  const menu = targetOf(event);
  const card = document.querySelector(`[popovertarget="${menu.id}"]`)?.getBoundingClientRect();
  if (event.newState !== "open" || !menu.dataset.of || !card) return;
  const left = Math.min(innerWidth - menu.offsetWidth - 8, Math.max(8, card.left + card.width / 2 - menu.offsetWidth / 2));
  const top = card.top - menu.offsetHeight - 8;
  Object.assign(menu.style, { margin: "0", inset: "auto", left: `${left}px`, top: `${top > 8 ? top : card.bottom + 8}px` });
  menu.querySelector("button")?.focus();
}, true);
document.addEventListener("input", (event) => {
  const target = targetOf(event);
  if (target.matches("[data-search], [data-filter]")) sortOut(target.closest(".sheet, .sheet-like, .prompt"));
});
