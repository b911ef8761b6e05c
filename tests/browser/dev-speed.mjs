// How long it takes from saving a rule to the table under the new one: `npm run bench-dev`, on a release build.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

process.env.CARDWRIGHT ??= join(import.meta.dirname, "../../target/release/cardwright");
const { dev } = await import("./dev.mjs");
const { open, skip } = await import("./table.mjs");

const RULES = "Rules/core.rules";
const load = () => spawnSync("uptime", { encoding: "utf8" }).stdout.trim().split("load average: ")[1] ?? "?";

test("from a save to the table", { skip, timeout: 300000 }, () => dev(async ({ seat, change }) => {
  const page = await open(seat);
  await page.locator("#work.watching").waitFor();
  // Both clocks are the machine's: the page says when the strip above the table had been drawn anew.
  await page.evaluate(() => {
    const serial = () => document.getElementById("work")?.dataset.serial;
    let old = serial();
    window.shown = 0;
    new MutationObserver(() => {
      if (serial() === old) return;
      old = serial();
      requestAnimationFrame(() => { window.shown = performance.timeOrigin + performance.now(); });
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  // Two cards in turn: the strip names the one whose rule has changed.
  const rules = ["action = {F}: bp(+", "auto = ~myBackedUp:char~ bp(+"];
  const now = [200, 100];
  const times = [];
  for (let count = 0; count < 60; count += 1) {
    const which = count % 2;
    const [from, to] = [now[which], now[which] + 100];
    now[which] = to;
    await page.evaluate(() => { window.shown = 0; });
    const saved = performance.timeOrigin + performance.now();
    change(RULES, `${rules[which]}${from}`, `${rules[which]}${to}`);
    for (let waited = 0; await page.evaluate(() => window.shown) === 0; waited += 1) {
      if (waited === 100) console.log(await page.evaluate(() => [window.shown, document.getElementById("work").outerHTML]));
      await page.waitForTimeout(50);
    }
    times.push(await page.evaluate(() => window.shown) - saved);
    // A save of its own, not a part of the last one; and the page is at rest.
    await page.waitForTimeout(400);
  }
  const at = (part) => times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(0);
  console.log(`save to table, ${times.length} saves: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (load ${load()})`);
}));
