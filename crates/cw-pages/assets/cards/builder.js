// The builder of decks. The deck is a list of lines that this page holds; each change is sent, kept, and judged where the
// page comes from, and what there is to say of the deck comes back. Cards come by click, by keyboard, by touch, or are
// dragged; every change can be taken back.

import { searches } from "./search.js";
import { CardWindow } from "./window.js";

const the = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const side = the("deck");
const panel = the("panel");
const saved = the("saved");
const form = /** @type {HTMLFormElement} */ (document.querySelector("form.search"));
const name = /** @type {HTMLInputElement} */ (side.querySelector("[name=name]"));
const [undo, redo] = /** @type {HTMLButtonElement[]} */ ([the("undo"), the("redo")]);
document.body.classList.add("scripted");

// The deck: lines as the program reads them, "section count key".

/** How many copies, by section and key. @type {Map<string, number>} */
let lines = read(side.dataset.lines ?? "");
/** Decks as they were, and those that were taken back. @type {string[]} */
const past = [];
/** @type {string[]} */
const taken = [];

function read(/** @type {string} */ text) {
  const found = new Map();
  for (const line of text.split("\n")) {
    const [section, count, key] = line.trim().split(/\s+/);
    if (key) found.set(`${section} ${key}`, (found.get(`${section} ${key}`) ?? 0) + Number(count));
  }
  return found;
}
const written = () => [...lines].map(([line, count]) => { const [section, key] = line.split(" "); return `${section} ${count} ${key}`; }).join("\n");
/** How many copies of a card are in the deck, in all sections. */
function held(/** @type {string} */ key) {
  let sum = 0;
  for (const [line, count] of lines) if (line.endsWith(` ${key}`)) sum += count;
  return sum;
}
const section = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("section"))?.value ?? side.dataset.section ?? "0";

/** How many copies of a card there are. */
const copies = (/** @type {Element | null} */ item) => {
  const there = item instanceof HTMLElement ? item.dataset.there : undefined;
  return there === undefined || there === "∞" ? Infinity : Number(there);
};

/** Adds copies of a card, or takes them out; of the last section that has it if none is named. */
function step(/** @type {string} */ key, /** @type {number} */ by, /** @type {string | undefined} */ where = undefined) {
  const there = copies(view.find(key));
  if (by > 0 && held(key) + by > there) { say(`The packs had only ${there}.`); return; }
  const own = where ?? (by > 0 || lines.has(`${section()} ${key}`) ? section() : [...lines.keys()].find((line) => line.endsWith(` ${key}`))?.split(" ")[0]);
  if (own === undefined) return;
  const line = `${own} ${key}`;
  const count = Math.min((lines.get(line) ?? 0) + by, 1000);
  if (count < 0 || (by < 0 && !lines.has(line))) return;
  const next = new Map(lines);
  if (count) next.set(line, count); else next.delete(line);
  become(next);
}

/** Takes another state of the deck; the one before can be had again. */
function become(/** @type {Map<string, number>} */ next) {
  past.push(written());
  if (past.length > 500) past.shift();
  taken.length = 0;
  lines = next;
  changed();
}
function back(/** @type {string[]} */ from, /** @type {string[]} */ to) {
  const text = from.pop();
  if (text === undefined) return;
  to.push(written());
  lines = read(text);
  changed();
}
undo.onclick = () => back(past, taken);
redo.onclick = () => back(taken, past);

function changed() {
  undo.disabled = !past.length;
  redo.disabled = !taken.length;
  view.mark();
  keep();
}

// Keeping: one request at a time, always with the newest deck. What cannot be sent is tried again.

let sending = false;
let again = false;
function say(/** @type {string} */ words) { saved.textContent = words; }
async function keep() {
  if (sending) { again = true; return; }
  sending = true;
  again = false;
  say("Saving …");
  const second = /** @type {HTMLInputElement | null} */ (document.getElementById("second"))?.checked ? "yes" : "";
  const body = new URLSearchParams({ k: side.dataset.stamp ?? "", name: name.value, cards: written(), second });
  try {
    const answer = await fetch(side.dataset.keep ?? "", { method: "POST", body });
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.text());
    say("Saved.");
    side.dataset.kept = body.get("cards") ?? "";
  } catch (fault) {
    say(`Not saved yet: ${/** @type {Error} */ (fault).message}`);
    setTimeout(() => { if (!sending) keep(); }, 3000);
  }
  sending = false;
  if (again) keep();
}
/** Puts what came in the place of what was there; the keyboard stays where it stood. */
function show(/** @type {string} */ markup) {
  const held = document.activeElement instanceof HTMLElement && panel.contains(document.activeElement) ? document.activeElement : null;
  const [key, by, id] = [held?.closest("li")?.dataset.key, held?.dataset.step, held?.id];
  panel.innerHTML = markup;
  count();
  const same = id ? document.getElementById(id) : key ? panel.querySelector(`li[data-key="${CSS.escape(key)}"] [data-step="${by}"]`) : null;
  if (held) (same ?? /** @type {HTMLElement} */ (form.elements.namedItem("q"))).focus();
}
name.addEventListener("change", () => keep());
panel.addEventListener("change", (event) => { if (event.target instanceof HTMLInputElement && event.target.id === "second") keep(); });

// What is on the page of the cards.

const view = Object.assign(new CardWindow({ list: the("cards"), least: 132, most: 220, added: mark }), {
  find: (/** @type {string} */ key) => document.querySelector(`#cards li[data-key="${CSS.escape(key)}"]`),
  mark: () => { for (const item of document.querySelectorAll("#cards li[data-key]")) mark(/** @type {HTMLElement} */ (item)); },
});
/** Says at a card how many of it are in the deck. */
function mark(/** @type {HTMLElement} */ item) {
  const count = held(item.dataset.key ?? "");
  const there = item.dataset.there;
  const words = there ? `${count}/${there}` : count ? String(count) : "";
  const badge = item.querySelector(".held");
  if (badge) badge.textContent = words;
  item.classList.toggle("in-deck", count > 0);
  item.classList.toggle("used-up", there !== undefined && count >= copies(item));
  const button = item.querySelector("button");
  if (button) button.setAttribute("aria-description", `${count} in the deck`);
}
searches(form, the("found"), () => view.take(the("cards")));

document.addEventListener("click", (event) => {
  const clicked = event.target instanceof Element ? event.target : null;
  const item = clicked?.closest("li[data-key]");
  if (!clicked || !item) return;
  const stepped = clicked.closest("[data-step]");
  const key = /** @type {HTMLElement} */ (item).dataset.key ?? "";
  if (stepped) step(key, Number(/** @type {HTMLElement} */ (stepped).dataset.step), /** @type {HTMLElement} */ (item).dataset.section);
  else if (clicked.closest("button.card")) step(key, 1);
});
addEventListener("keydown", (event) => {
  const { target, key } = event;
  const writes = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !(writes && target.type !== "checkbox")) {
    const act = key.toLowerCase() === "z" ? (event.shiftKey ? redo : undo) : key.toLowerCase() === "y" ? redo : null;
    if (act) { event.preventDefault(); act.click(); }
    return;
  }
  if (writes || event.ctrlKey || event.altKey || event.metaKey) return;
  if (key === "/") { event.preventDefault(); /** @type {HTMLElement} */ (form.elements.namedItem("q")).focus(); return; }
  const item = target instanceof Element ? target.closest("li[data-key]") : null;
  if (item && (key === "-" || key === "Delete" || key === "Backspace")) {
    event.preventDefault();
    step(/** @type {HTMLElement} */ (item).dataset.key ?? "", -1, /** @type {HTMLElement} */ (item).dataset.section);
  } else if (item && key === "+") step(/** @type {HTMLElement} */ (item).dataset.key ?? "", 1);
});

// Dragging: a card into the deck, or a line out of it.

const KIND = "application/x-card";
document.addEventListener("dragstart", (event) => {
  const item = event.target instanceof Element ? event.target.closest("li[data-key]") : null;
  if (!item || !event.dataTransfer) return;
  const { key, section: of } = /** @type {HTMLElement} */ (item).dataset;
  event.dataTransfer.setData(KIND, JSON.stringify({ key, of }));
  event.dataTransfer.effectAllowed = "copyMove";
  document.body.classList.add(of === undefined ? "dragging-in" : "dragging-out");
});
document.addEventListener("dragend", () => document.body.classList.remove("dragging-in", "dragging-out"));
for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes(KIND)) return;
    const place = event.target instanceof Element ? event.target : null;
    const isIn = document.body.classList.contains("dragging-in");
    if (!place?.closest(isIn ? "#deck" : ".shelf")) return;
    event.preventDefault();
    if (kind === "dragover") return;
    const { key, of } = JSON.parse(event.dataTransfer.getData(KIND));
    step(key, isIn ? 1 : -1, isIn ? undefined : of);
  });
}

// A test hand: drawn here, of the deck as it stands.

const dialog = /** @type {HTMLDialogElement} */ (the("test-hand"));
/** @type {HTMLElement[]} */
let rest = [];
/** A whole number below `many`, each as likely. */
function any(/** @type {number} */ many) {
  const most = 2 ** 32 - (2 ** 32 % many);
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1));
    if (drawn < most) return drawn % many;
  }
}
function draw() {
  const [line] = rest.splice(any(Math.max(1, rest.length)), 1);
  if (!line) return;
  const item = document.createElement("li");
  const image = Object.assign(document.createElement("img"), { width: 63, height: 88, alt: line.querySelector(".called")?.textContent ?? "" });
  image.src = line.dataset.picture ?? "";
  item.append(image);
  dialog.querySelector("ul")?.append(item);
}
function hand() {
  const own = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll(".lines-of-deck li")]).filter((line) => line.dataset.section === side.dataset.section);
  rest = own.flatMap((line) => Array(Number(line.querySelector(".many")?.textContent ?? 0)).fill(line));
  dialog.querySelector("ul")?.replaceChildren();
  for (let count = Number(document.body.dataset.hand); count > 0; count -= 1) draw();
}
the("hand").onclick = () => { hand(); dialog.showModal(); };
dialog.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.matches("[data-draw]")) draw();
  else if (button?.matches("[data-again]")) hand();
  else if (button) dialog.close();
});

// In a sealed game: the deck that the computer would make.

const suggest = document.getElementById("suggest");
suggest?.addEventListener("click", async () => {
  try {
    const answer = await fetch(suggest.dataset.from ?? "");
    if (!answer.ok) throw new Error(await answer.text());
    const text = await answer.text();
    const end = text.indexOf("\n\n");
    become(read(text.slice(0, end)));
    document.querySelector(".reasons")?.remove();
    panel.insertAdjacentHTML("afterend", text.slice(end));
  } catch (fault) { say(/** @type {Error} */ (fault).message); }
});

// Where there is room for one of them only, the cards or the deck are shown.

const switches = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show]"));
document.body.dataset.shown = "cards";
for (const button of switches) {
  button.onclick = () => {
    document.body.dataset.shown = button.dataset.show ?? "";
    for (const other of switches) other.setAttribute("aria-pressed", String(other === button));
    scrollTo({ top: 0, behavior: "instant" });
    dispatchEvent(new Event("scroll"));
  };
}
/** Says how many cards the deck has, and whether it is legal, where the deck itself may be out of sight. */
function count() {
  const isLegal = panel.querySelector(".legal[data-legal='true']");
  the("so-far").textContent = ` ${panel.querySelector(".count")?.textContent?.replace(" cards", "") ?? ""}${isLegal ? " ✓" : ""}`;
}
count();
view.mark();
