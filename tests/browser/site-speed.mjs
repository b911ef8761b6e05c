// The static site's figures: how much is loaded, how soon the first choice can be made on a slow computer, how long a
// click takes, and the memory. `npm run bench-site`, on the module of `cargo xtask module` and a release build.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { temporary } from "./temporary.mjs";

process.env.CARDWRIGHT ??= join(import.meta.dirname, "../../target/release/cardwright");
const { answers, binary, closeAll, number, open, over, root, skip } = await import("./table.mjs");
const module = process.env.MODULE ?? join(root, "target/site/cardwright.wasm");
const load = () => spawnSync("uptime", { encoding: "utf8" }).stdout.trim().split("load average: ")[1] ?? "?";
const quantile = (times, part) => times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))];
const RUNS = 5, CLICKS = 150, SLOW_CLICKS = 70, PAUSE = 1500;
const mega = (bytes) => (bytes / 1e6).toFixed(2);

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm" };

/** Serves the folder as a file host does, packed with gzip and good for ten minutes; counts what is asked for. */
async function host(place) {
  const files = new Map();
  const collect = (folder, name) => {
    for (const one of readdirSync(folder)) {
      const path = join(folder, one);
      if (statSync(path).isDirectory()) collect(path, `${name}${one}/`);
      else files.set(`${name}${one}`, readFileSync(path));
    }
  };
  collect(place, "");
  const packed = new Map([...files].map(([name, bytes]) => [name, gzipSync(bytes, { level: 9 })]));
  const site = { asked: new Map(), files, packed };
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname.slice(1)) || "index.html";
    if (!packed.has(name)) { response.writeHead(404).end(); return; }
    site.asked.set(name, packed.get(name).length);
    response.writeHead(200, { "content-type": KINDS[extname(name)] ?? "application/octet-stream", "content-encoding": "gzip", "cache-control": "max-age=600" });
    response.end(packed.get(name));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  site.link = `http://localhost:${server.address().port}/`;
  site.close = () => { server.closeAllConnections(); server.close(); };
  return site;
}

const asked = (frame, since) => frame.waitForFunction((old) => {
  const prompt = document.getElementById("prompt");
  return prompt && prompt.dataset.number !== old && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result"));
}, since, { timeout: 60000 });

/**
 * The memory of the browser's process that shows the page, in bytes; of Linux only. `RssAnon` is the process's own, the
 * footprint in the browser's task manager; `Pss` has its part of what all of the browser's processes share, too.
 */
function memory(file, what) {
  const shares = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((process) => {
    try {
      if (!readFileSync(`/proc/${process}/cmdline`, "latin1").includes("--type=renderer")) return 0;
      const text = readFileSync(`/proc/${process}/${file}`, "latin1");
      return Number(text.match(new RegExp(`^${what}:\\s+(\\d+) kB`, "m"))?.[1] ?? 0) * 1024;
    } catch { return 0; }
  });
  return Math.max(...shares);
}

/** A visitor comes and begins a duel. */
async function duel(page, site) {
  await page.goto(site.link);
  const frame = await (await page.waitForSelector("#page:not([hidden])", { timeout: 60000 })).contentFrame();
  await frame.waitForSelector("main");
  await frame.locator('[popovertarget="new-duel"]').first().click();
  await frame.locator("#new-duel .go").click();
  await frame.waitForSelector("#prompt[data-mine]");
  return frame;
}

/**
 * Plays duels, one after another, for so many choices.
 * @param {(frame: any, value: string, number: string) => Promise<void>} choose
 */
async function play(page, site, count, choose) {
  const frame = await duel(page, site);
  for (let made = 0; made < count;) {
    // The next duel begins where the last one has ended, as for a person.
    if (await over(frame)) {
      await frame.getByRole("button", { name: "Rematch", exact: true }).last().click();
      await frame.waitForSelector("#prompt[data-mine]", { timeout: 60000 });
    }
    const since = await number(frame);
    const { options, at } = await answers(frame);
    const value = await options.nth(at).getAttribute("value");
    if (value === null) await options.nth(at).click();
    else {
      await choose(frame, value, since);
      made += 1;
    }
    await asked(frame, since);
  }
}

/** Prints the memory right after something, and half a minute later. */
async function tell(page, what) {
  for (const [when, wait] of [["right after", 0], ["half a minute after", 30000]]) {
    await page.waitForTimeout(wait);
    console.log(`memory of the page ${when} ${what}: ${mega(memory("status", "RssAnon"))} MB, with its part of the browser's own `
      + `${mega(memory("smaps_rollup", "Pss"))} MB`);
  }
}

test("the static site", { skip: skip || (!existsSync(module) && "there is no module: cargo xtask module"), timeout: 900000 }, async () => {
  const out = join(temporary("site"), "site");
  const made = spawnSync(binary, ["site", "--out", out, "--module", module], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const site = await host(out);
  // What a visitor has who plays, and what comes with free tables, games of one's own and the playground.
  const [, players] = site.files.get("offline.js").toString().match(/const FILES = (\{.*?\});/);
  for (const [what, names] of [["all that a player's visit loads", Object.keys(JSON.parse(players))], ["the whole folder", [...site.files.keys()]]]) {
    const gzip = names.reduce((sum, name) => sum + site.packed.get(name).length, 0);
    const brotli = names.reduce((sum, name) => sum + brotliCompressSync(site.files.get(name)).length, 0);
    console.log(`${what}: ${mega(gzip)} MB with gzip, ${mega(brotli)} MB with brotli`);
  }
  const largest = [...site.packed].sort((a, b) => b[1].length - a[1].length).slice(0, 6);
  console.log(`largest: ${largest.map(([name, bytes]) => `${name} ${mega(bytes.length)}`).join(", ")}`);

  const firsts = [], fronts = [];
  // What keeps the files for later begins after the page is there, and is not waited for.
  const keeping = site.packed.get("offline.js");
  site.packed.set("offline.js", gzipSync(""));
  for (let run = 0; run < RUNS; run += 1) {
    site.asked.clear();
    const page = await open("about:blank");
    const client = await page.context().newCDPSession(page);
    await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    // The module runs in a worker: that is throttled, too.
    await client.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const begun = performance.now();
    await page.goto(site.link);
    const frame = await (await page.waitForSelector("#page:not([hidden])", { timeout: 120000 })).contentFrame();
    await frame.waitForSelector("main", { timeout: 120000 });
    fronts.push(performance.now() - begun);
    await frame.getByRole("button", { name: "First steps in the ring" }).click();
    await frame.waitForSelector("#prompt .cue", { timeout: 120000 });
    firsts.push(performance.now() - begun);
    if (run === 0) console.log(`before the first choice: ${([...site.asked.values()].reduce((a, b) => a + b, 0) / 1e6).toFixed(3)} MB with gzip, ${site.asked.size} files`);
    await closeAll();
  }
  console.log(`one core, 4 times slower: front page ${Math.round(quantile(fronts, .5))} ms, first choice ${Math.round(quantile(firsts, .5))} ms (median of ${firsts.length}; load ${load()})`);

  site.packed.set("offline.js", keeping);
  // As fast as choices can be made, then at a person's pace: a browser collects its garbage when it has time.
  const fast = await open("about:blank");
  const times = [];
  await play(fast, site, CLICKS, async (frame, value, old) => {
    times.push(await frame.evaluate(([value, old]) => new Promise((done) => {
      const begun = performance.now();
      const watch = new MutationObserver(() => {
        if (document.getElementById("prompt").dataset.number === old) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
      });
      watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
      document.querySelector(`#prompt button[value="${value}"]`).click();
    }), [value, old]));
  });
  console.log(`from a click to the new table: median ${quantile(times, .5).toFixed(1)} ms, p95 ${quantile(times, .95).toFixed(1)} ms, `
    + `${times.length} choices (load ${load()})`);
  await tell(fast, `${CLICKS} choices in a row`);
  await closeAll();

  const page = await open("about:blank");
  const seen = [];
  await play(page, site, SLOW_CLICKS, async (frame, value) => {
    await frame.locator(`#prompt button[value="${value}"]`).first().click();
    await page.waitForTimeout(PAUSE);
    seen.push(memory("status", "RssAnon"));
  });
  console.log(`memory of the page while ${SLOW_CLICKS} choices are made, one each ${PAUSE / 1000} s: ${mega(Math.min(...seen))} to ${mega(Math.max(...seen))} MB, `
    + `median ${mega(quantile(seen, .5))} MB`);
  await tell(page, "them");
  await closeAll();
  site.close();
});
