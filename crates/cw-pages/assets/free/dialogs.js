// How the page asks a person, and says something: menus, dialogs, a card of the table that is waited for, the notice.

import { $, el, focused, instead, isKept, targetOf, when } from "./state.js";

// --- menus ------------------------------------------------------------------------------------------

/** The menu that is open, and the submenus above it. @type {HTMLElement[]} */
const open = [];
/** What had the keyboard before a menu took it. @type {HTMLElement | null} */
let back = null;
export const menuIsOpen = () => open.length > 0;
export function closeMenus(from = 0) {
  for (const menu of open.splice(from)) menu.remove();
  if (from === 0 && back?.isConnected) { back.focus({ preventScroll: true }); back = null; }
}
let byTouch = false;
addEventListener("pointerdown", (event) => {
  byTouch = event.pointerType === "touch";
  if (open.length && !targetOf(event).closest(".menu")) closeMenus();
}, true);

/**
 * Opens a menu at a place of the screen. An entry has words, and something to do or entries below it. Where the room on the
 * right is too small, a menu ends at `left`: a submenu must not cover the entry that has opened it, or the click that was
 * meant for that entry hits one of its own.
 * @param {MenuEntries} entries @param {number} x @param {number} y
 */
export function openMenu(entries, x, y, level = 0, left = x) {
  if (level === 0) { closeMenus(); back = focused(); } else closeMenus(level);
  const menu = el("div", { className: "menu", aria: { role: "menu" } });
  /** @type {HTMLElement | null} */
  let hot = null;
  for (const entry of entries) {
    if (!entry) continue;
    if (entry === "-") { menu.append(el("hr")); continue; }
    if (entry.title !== undefined) { menu.append(el("p", {}, entry.title)); continue; }
    const key = entry.key && (isKept(entry.key) ? [el("s", {}, entry.key), " ", instead(entry.key)] : [entry.key]);
    const words = el("span", {}, entry.words);
    const aria = { role: "menuitem", ...(entry.sub && { haspopup: "true" }) };
    const one = el("button", { className: entry.mark ?? "", aria },
      entry.icon ?? null, words, key ? el("kbd", {}, ...key) : null, entry.sub ? el("i", {}, "▸") : null);
    if (entry.hint) one.title = entry.hint;
    if (entry.later) entry.later.then((name) => {
      if (name === false) one.remove();
      else if (name) words.textContent = name;
    });
    const go = () => {
      if (entry.sub) {
        const box = one.getBoundingClientRect();
        const sub = typeof entry.sub === "function" ? entry.sub() : entry.sub;
        openMenu(sub, box.right - 4, box.top - 4, level + 1, box.left + 4);
      } else { closeMenus(); entry.run(); }
    };
    when(one, "click", go);
    // A menu that opens under a resting pointer was not pointed at.
    when(one, "pointermove", (event) => {
      if (event.pointerType !== "mouse" || hot === one || !(event.movementX || event.movementY)) return;
      hot = one;
      if (entry.sub) go(); else if (open.length > level + 1) { closeMenus(level + 1); one.focus({ preventScroll: true }); }
    });
    menu.append(one);
  }
  document.body.append(menu);
  open.push(menu);
  // The finger that opened it is still over it: what follows its tap is not meant for an entry.
  if (level === 0 && byTouch) { menu.classList.add("coming"); setTimeout(() => menu.classList.remove("coming"), 350); }
  const box = menu.getBoundingClientRect();
  const fits = x + box.width <= innerWidth - 4 || left - box.width < 4;
  menu.style.left = `${Math.max(4, Math.min(fits ? x : left - box.width, innerWidth - box.width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 4))}px`;
  when(menu, "keydown", (event) => {
    const buttons = [...menu.querySelectorAll("button")];
    const on = focused(), at = on ? buttons.indexOf(on) : -1;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Home") buttons[0].focus();
    else if (event.key === "End") buttons.at(-1)?.focus();
    else if (event.key === "ArrowRight" && on?.getAttribute("aria-haspopup")) on.click();
    else if (event.key === "ArrowLeft" && level) {
      closeMenus(level);
      open[level - 1]?.querySelector("button:focus, button")?.focus();
    } else if (event.key === "Escape") {
      closeMenus(level);
      if (level) open[level - 1]?.querySelector("button")?.focus({ preventScroll: true });
    } else if (event.key === "Tab") { closeMenus(); return; }
    else if (event.key.length === 1 && /\S/.test(event.key)) {
      /** @param {HTMLElement} button */
      const begins = (button) => button.textContent.toLowerCase().startsWith(event.key.toLowerCase());
      const next = [...buttons.slice(at + 1), ...buttons].find(begins);
      if (!next) return;
      next.focus();
    } else return;
    event.preventDefault(); event.stopPropagation();
  });
  menu.querySelector("button")?.focus({ preventScroll: true });
}

// --- dialogs ----------------------------------------------------------------------------------------

/** What a value is chosen or written with. @param {AskedField} field */
function inputOf({ name, type = "text", value, choices, min = 0, most = 500 }) {
  if (choices) {
    const select = el("select", { name }, ...choices.map(([one, text]) => el("option", { value: one, textContent: text })));
    if (value !== undefined) select.value = String(value);
    return select;
  }
  const input = el("input", { name, type, autocomplete: "off" });
  if (value !== undefined) input.value = String(value ?? "");
  if (type === "number") { input.min = String(min); input.inputMode = "numeric"; } else input.maxLength = most;
  return input;
}
/**
 * Asks the person for some values; resolves with them by name, or with nothing.
 * @param {string} title @param {AskedField[]} fields @param {string} button @param {string} [words]
 * @returns {Promise<Record<string, string> | null>}
 */
export function question(title, fields, button, words = "") {
  return new Promise((done) => {
    const inputs = fields.map(inputOf);
    const labels = fields.map((field, at) => el("label", {}, el("span", {}, field.words), inputs[at]));
    const go = el("button", { type: "submit", className: "go", textContent: button });
    const never = el("button", { textContent: "Never mind", value: "" });
    const form = el("form", { method: "dialog" }, el("h2", {}, title), words ? el("p", {}, words) : null, ...labels,
      el("div", { className: "row" }, never, go));
    const dialog = el("dialog", { className: "ask" }, form);
    dialog.setAttribute("aria-label", title);
    when(never, "click", () => dialog.close());
    /** @type {Record<string, string> | null} */
    let values = null;
    when(form, "submit", () => {
      values = {};
      for (const [name, value] of new FormData(form)) values[name] = String(value);
    });
    when(dialog, "close", () => { dialog.remove(); done(values); });
    document.body.append(dialog);
    dialog.showModal();
    const first = inputs.at(0) ?? go;
    first.focus();
    if (first instanceof HTMLInputElement) first.select();
  });
}
/**
 * Asks for a number of at least one.
 * @param {string} title @param {string} words @param {string} button @param {number} value
 * @param {(n: number) => unknown} use
 */
export async function number(title, words, button, value, use) {
  const given = await question(title, [{ name: "n", words, type: "number", value, min: 1 }], button);
  if (given?.n) use(Number(given.n));
}
/** Something to read. @param {string} title @param {MadeChild[]} inside */
export function tell(title, ...inside) {
  const close = el("button", { className: "go", textContent: "Close" }), head = el("h2", {}, title);
  const dialog = el("dialog", { className: "tell" }, head, ...inside, el("div", { className: "row" }, close));
  dialog.setAttribute("aria-label", title);
  when(close, "click", () => dialog.close());
  when(dialog, "close", () => dialog.remove());
  document.body.append(dialog);
  // Whatever can be typed into stands further down: it is read from its top.
  head.tabIndex = -1; head.autofocus = true;
  dialog.showModal();
  return dialog;
}

// --- a card that is waited for, and the notice -----------------------------------------------------------

/** What a click on a card of the table is waited for with. @type {((handle: number) => unknown) | null} */
let picking = null;
/** Waits for a click on a card of the table. @param {string} words @param {(handle: number) => unknown} use */
export function pick(words, use) { picking = use; document.body.classList.add("picking"); notice(words); }
/** Says whether a card was waited for: it is this one, or none after all. @param {number | null} handle */
export function picked(handle) {
  if (!picking) return false;
  const use = picking;
  picking = null;
  document.body.classList.remove("picking");
  if (handle !== null) use(handle);
  return true;
}

let noticed = 0;
/** Says something beside the cards for a moment. @param {string} words */
export function notice(words, long = 5000) {
  const box = $("notice");
  box.textContent = words;
  box.classList.toggle("on", Boolean(words));
  clearTimeout(noticed);
  noticed = setTimeout(() => box.classList.remove("on"), long);
}
