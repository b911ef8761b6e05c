// How long it takes from a click to the new table on the screen, and from the start of the program to the
// first one: `npm run bench`, on a release build.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

process.env.CARDWRIGHT ??= join(import.meta.dirname, "../../target/release/cardwright");
const { answers, changed, closeAll, number, open, over, serve, skip, table } = await import("./table.mjs");

const load = () => spawnSync("uptime", { encoding: "utf8" }).stdout.trim().split("load average: ")[1] ?? "?";
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(1);

test("from `cardwright play` to the table, beside `cardwright help`", { skip, timeout: 300000 }, async () => {
  const [helps, answered, shown] = [[], [], []];
  // The browser runs already: what is measured is the program and one page of it.
  const browsing = await open("about:blank");
  for (let count = 0; count < 15; count += 1) {
    let begun = performance.now();
    spawnSync(process.env.CARDWRIGHT, ["help"], { encoding: "utf8" });
    helps.push(performance.now() - begun);
    begun = performance.now();
    const served = await serve("--seed", "21");
    answered.push(performance.now() - begun);
    await browsing.goto(served.links[0]);
    await browsing.waitForSelector("#prompt .options button");
    shown.push(performance.now() - begun);
    await browsing.goto("about:blank");
    await served.stop();
  }
  await closeAll();
  console.log(`cardwright help: median ${median(helps)} ms; cardwright play: ${median(answered)} ms to its link, `
    + `${median(shown)} ms to the table on the screen (load ${load()})`);
});

/** The CPU time of a page's main thread, in milliseconds: unlike the time that passes, it is the same on a busy machine. */
async function clock(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return metrics.find((one) => one.name === "TaskDuration").value * 1000;
  };
}

test("from click to the new table", { skip, timeout: 300000 }, () => table(["--seed", "21", "--seat2", "human"], async (links) => {
  const pages = [await open(links[0]), await open(links[1])];
  const clocks = await Promise.all(pages.map(clock));
  const [times, work] = [[], []];
  for (let count = 0; count < 200 && !await over(pages[0]); count += 1) {
    const mine = await pages[0].locator("#prompt[data-mine]").count() ? 0 : 1;
    const page = pages[mine];
    const since = await number(page);
    const { options, at } = await answers(page);
    const value = await options.nth(at).getAttribute("value");
    const before = await clocks[mine]();
    times.push(await page.evaluate(([value, old]) => new Promise((done) => {
      const begun = performance.now();
      const watch = new MutationObserver(() => {
        if (document.getElementById("prompt").dataset.number === old) return;
        watch.disconnect();
        requestAnimationFrame(() => done(performance.now() - begun));
      });
      watch.observe(document.body, { subtree: true, childList: true });
      document.querySelector(`#prompt button[value="${value}"][form="answer"]`).click();
    }), [value, since]));
    work.push(await clocks[mine]() - before);
    await Promise.all(pages.map((one) => changed(one, since)));
  }
  const at = (all, part) => all.sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))].toFixed(1);
  const line = (all) => `median ${at(all, 0.5)} ms, p95 ${at(all, 0.95)} ms, longest ${at(all, 1)} ms`;
  console.log(`click to new table, ${times.length} choices: ${line(times)} (load ${load()})`);
  console.log(`the page's own thread works for it, whatever else the machine does: ${line(work)}`);
}));
