// What the tests of the free table share: two people at it, and how they act.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { open, root, skip as noBrowser } from "./table.mjs";

export const data = join(root, "../shared/data");
/** Why a test on a real package is skipped, if it is. */
export function without(name) {
  if (noBrowser) return noBrowser;
  const folder = process.env.CARDWRIGHT_DATA ?? data;
  if (existsSync(join(folder, name, "definition.xml"))) return false;
  console.error(`\n*** ${name} is not there: its tests are skipped ***\n`);
  return `no ${name}`;
}
export const packageOf = (name) => join(process.env.CARDWRIGHT_DATA ?? data, name);

/** Opens a seat; every byte that it is sent is kept in `page.sent`. */
export async function sit(link, options = {}) {
  const page = await open(link, {
    ...options,
    before: async (made) => {
      made.sent = [];
      made.on("response", (response) => { if (/\/(do|find|links)$/.test(new URL(response.url()).pathname)) response.text().then((text) => made.sent.push(text)).catch(() => {}); });
      // The stream as the page reads it: a response that never ends has no body for the test.
      await made.addInitScript(() => {
        const Source = window.EventSource;
        window.received = [];
        window.EventSource = class extends Source {
          constructor(...all) { super(...all); for (const kind of ["view", "signal"]) this.addEventListener(kind, (event) => window.received.push(event.data)); }
        };
      });
      await options.before?.(made);
    },
  });
  await page.waitForSelector("body[data-ready]");
  return page;
}
/** Everything that a seat was sent so far. */
export const everything = async (page) => [...page.sent, ...await page.evaluate(() => window.received)].join("\n");

/** Asks as the page does. */
export const ask = (page, what) => page.evaluate(async (asked) => {
  const body = JSON.stringify({ k: document.body.dataset.stamp, ...asked });
  return (await fetch("do", { method: "POST", headers: { "content-type": "application/json" }, body })).json();
}, what);
export async function does(page, ...lines) {
  const answer = await ask(page, { lines });
  if (answer.no) throw new Error(`${lines.join("; ")}: ${answer.no}`);
}

/** Waits until the log has these words. */
export const told = (page, words) => page.locator("#log li").filter({ hasText: words }).last().waitFor({ timeout: 10000 });

/** Drags an element to a place of the cloth, by its left edge: in a full hand the next card covers the rest. */
export async function drag(page, from, to, { shift = false, steps = 12 } = {}) {
  const box = await from.boundingBox();
  await page.mouse.move(box.x + Math.min(box.width / 2, 24), box.y + Math.min(box.height / 2, 60));
  if (shift) await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await page.mouse.up();
  if (shift) await page.keyboard.up("Shift");
}
/** Chooses entries of menus by their words. */
export async function menu(page, target, ...words) {
  await target.click({ button: "right", position: { x: 20, y: 20 } });
  for (const [level, word] of words.entries()) await page.locator(".menu").nth(level).getByRole("menuitem", { name: word }).first().click();
}

/** Everything of the seats that cannot be hit or read as it stands. What lies in a box that shows its bar is scrolled to. */
const unreachable = (page, what) => page.evaluate((what) => {
  const faults = [];
  const visible = (one) => one.getClientRects().length > 0;
  const name = (one) => `${one.closest("[data-seat]")?.dataset.seat ?? (one.closest(".shared") ? "shared" : "")} ${one.getAttribute("aria-label") ?? one.textContent}`.trim();
  for (const one of document.querySelectorAll(what)) {
    if (!visible(one)) continue;
    const bar = one.closest(".ribbon ol, #chips, #mine, .shared, .seat.open, #shown, dialog");
    if (bar && getComputedStyle(bar).scrollbarWidth !== "none") {
      const [box, out] = [one.getBoundingClientRect(), bar.getBoundingClientRect()];
      if (box.bottom > out.bottom || box.right > out.right || box.top < out.top || box.left < out.left) one.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const box = one.getBoundingClientRect();
    for (const [u, v] of [[0.5, 0.5], [0.12, 0.2], [0.88, 0.2], [0.12, 0.8], [0.88, 0.8]]) {
      const hit = document.elementFromPoint(box.left + box.width * u, box.top + box.height * v);
      if (!hit || !one.contains(hit)) { faults.push(`${name(one)}: ${hit ? hit.id || hit.className || hit.tagName : "nothing"} lies on it at ${u},${v}`); break; }
    }
    for (const text of one.querySelectorAll(".name, b, span:not(.stack)")) {
      if (!visible(text)) continue;
      if (text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).display !== "inline" || text.scrollHeight > text.clientHeight + 2 && getComputedStyle(text).display !== "inline") faults.push(`${name(one)}: “${text.textContent}” is cut`);
      if (text.matches(".name")) for (const part of [...text.childNodes].filter((node) => node.data)) for (const word of part.data.matchAll(/[^\s]+/g)) {
        const range = document.createRange();
        range.setStart(part, word.index); range.setEnd(part, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((line) => Math.round(line.top / 4))).size > 1) faults.push(`${name(one)}: “${word[0]}” breaks`);
      }
      if (parseFloat(getComputedStyle(text).fontSize) < 11) faults.push(`${name(one)}: “${text.textContent}” is too small`);
    }
  }
  return faults;
}, what);
/** What stands around the cloth: piles, counters, options. */
const THINGS = ".pile, .counter button, .chip, .ribbon button, #tools button";
/** What of all that cannot be hit or read, with every chip opened once; `more` names what else stands there now. A
 * question lies over what one opens oneself, until it is answered: beside it the chips stay closed; a dialog stands alone. */
export async function hitless(page, where, more = "") {
  const alone = /^dialog/.test(more);
  const faults = (await unreachable(page, alone ? more : more ? `${THINGS}, ${more}` : THINGS)).map((fault) => `${where}: ${fault}`);
  const chips = page.locator(".chip:visible");
  if (!alone && !/question/.test(more)) for (let at = 0; at < await chips.count(); at += 1) {
    if (await chips.nth(at).getAttribute("aria-expanded") !== "true") await chips.nth(at).click();
    const open = await page.locator("#others .seat.open").count();
    if (open !== 1) faults.push(`${where}: ${open} seats are open`);
    faults.push(...(await unreachable(page, "#others .seat.open .pile, #others .seat.open .counter button")).map((fault) => `${where}, open: ${fault}`));
  }
  return faults;
}
