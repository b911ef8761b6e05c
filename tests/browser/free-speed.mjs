// How smoothly cards move on the free table, and how fast the other seat sees it: `npm run bench-free`, on a release build.
// 200 cards lie on the table, of the demo game; both seats are open in a browser of this machine.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

process.env.CARDWRIGHT ??= join(import.meta.dirname, "../../target/release/cardwright");
const { DESK, skip, table } = await import("./table.mjs");
const { does, sit } = await import("./free.mjs");

const load = () => spawnSync("uptime", { encoding: "utf8" }).stdout.trim().split("load average: ")[1] ?? "?";
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
const told = (times) => { times.sort((a, b) => a - b); return `median ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms, longest ${at(times, 1).toFixed(1)} ms`; };

/** 200 cards on the table, of twenty kinds. */
async function laid(pages) {
  const found = await pages[0].evaluate(async () => (await fetch("find?q=")).json());
  for (const [seat, page] of pages.entries()) for (const [, name] of found.slice(seat * 10, seat * 10 + 10)) await does(page, `create ${JSON.stringify(name)} 10 kept`);
  await pages[0].waitForFunction(() => document.querySelectorAll("#world .card").length >= 190, null, { timeout: 30000 });
  await pages[0].locator("#fit").click();
  await pages[1].locator("#fit").click();
  await pages[0].waitForTimeout(3000);
  return pages[0].locator("#world .card").count();
}

test("dragging a card among 200, and the other seat", { skip, timeout: 300000 }, () => table(["--free", "--seed", "7"], async (links) => {
  const [ann, ben] = [await sit(links[0], { viewport: DESK, reducedMotion: "no-preference" }), await sit(links[1], { viewport: DESK, reducedMotion: "no-preference" })];
  const count = await laid([ann, ben]);

  // The main thread while a card is dragged, from the browser's own trace.
  const browser = ann.context().browser();
  const file = join(process.env.TMPDIR ?? "/tmp", `free-trace-${process.pid}.json`);
  const card = ann.locator("#world .card").nth(150);
  const box = await card.boundingBox();
  await ann.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await ann.mouse.down();
  await ann.mouse.move(box.x + 30, box.y + 30, { steps: 4 });
  await ann.waitForTimeout(500);
  await browser.startTracing(ann, { path: file, categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"] });
  for (let round = 0; round < 6; round += 1) for (let step = 0; step <= 40; step += 1) {
    const angle = (round * 40 + step) / 40 * Math.PI * 2;
    await ann.mouse.move(500 + Math.cos(angle) * 250, 290 + Math.sin(angle) * 150);
  }
  await browser.stopTracing();
  await ann.mouse.up();
  const { traceEvents } = JSON.parse(readFileSync(file, "utf8"));
  const main = traceEvents.find((event) => event.name === "FireAnimationFrame");
  const thread = traceEvents.filter((event) => main && event.pid === main.pid && event.tid === main.tid);
  const frames = thread.filter((event) => event.name === "FireAnimationFrame").map((event) => event.ts).sort((a, b) => a - b);
  const tasks = thread.filter((event) => event.ph === "X" && /RunTask$/.test(event.name));
  const work = frames.slice(0, -1).map((from, index) => {
    const until = frames[index + 1];
    // What the thread itself worked, not what it waited for on a busy machine.
    return tasks.filter((task) => task.ts >= from && task.ts < until).reduce((sum, task) => sum + (task.tdur ?? task.dur), 0) / 1000;
  });
  if (process.env.TELL) {
    const sums = new Map();
    for (const event of thread.filter((one) => one.ph === "X" && !/RunTask$/.test(one.name))) sums.set(event.name, (sums.get(event.name) ?? 0) + (event.tdur ?? event.dur) / 1000 / frames.length);
    console.log([...sums].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([what, ms]) => `${what} ${ms.toFixed(2)}`).join(", "));
  }
  const layouts = thread.filter((event) => event.name === "Layout" && event.ts > frames[2]);
  console.log(`${count} cards; ${frames.length} frames of a drag, work of the main thread in each: ${told(work)}; layouts: ${layouts.length} (load ${load()})`);

  // From letting go to the card's new place on the other screen.
  const handles = await ann.evaluate(() => [...document.querySelectorAll("#world .card")].slice(0, 60).map((one) => one.dataset.h));
  await ben.evaluate(() => {
    window.moves = [];
    new MutationObserver((all) => { for (const one of all) if (one.target.matches?.(".card")) window.moves.push(performance.timeOrigin + performance.now()); })
      .observe(document.getElementById("world"), { subtree: true, attributes: true, attributeFilter: ["style"] });
  });
  const times = [];
  for (const [index, handle] of handles.entries()) {
    await ben.evaluate(() => { window.moves.length = 0; });
    const begun = await ann.evaluate(async ([card, x]) => {
      const begun = performance.timeOrigin + performance.now();
      const body = JSON.stringify({ k: document.body.dataset.stamp, lines: [`place table:${card} ${x},300`] });
      fetch("do", { method: "POST", headers: { "content-type": "application/json" }, body });
      return begun;
    }, [handle, index * 7]);
    await ben.waitForFunction(() => window.moves.length > 0);
    times.push(await ben.evaluate(() => window.moves[0]) - begun);
    await ann.waitForTimeout(60);
  }
  console.log(`a move reaches the other seat, ${times.length} moves: ${told(times)} (load ${load()})`);
}));
