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
