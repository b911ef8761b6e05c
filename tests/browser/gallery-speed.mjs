// How fast the gallery of a large game is: how long an answer to a search takes, and how smoothly the cards scroll, with a
// package of 80,000 forms: `npm run bench-gallery`, on a release build. The package is a real one, repeated with ids of its own
// for each copy; DATA is its folder.

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "./temporary.mjs";

process.env.CARDWRIGHT ??= join(import.meta.dirname, "../../target/release/cardwright");
const { DESK, open, root, skip, table } = await import("./table.mjs");

const data = process.env.DATA ?? join(root, "../shared/data/mtg-sample");
const FORMS = 80_000;
/** What players type, letter by letter, and what is hard: as in the bench `search` of cw-octgn. */
const QUERIES = ["", "d", "dra", "draw a card", "name:el", "-the or of", "type:creature", "t", "set:a order:-name",
  "/\\bdraws? (two|three)\\b/", "name:/^s.*r$/ -is:alternate", "cmc>=3", "(one or two) three not four order:name",
  "unique:cards order:name", "name=\"No such name\"", "is:alternate"];
const load = () => spawnSync("uptime", { encoding: "utf8" }).stdout.trim().split("load average: ")[1] ?? "?";
const at = (times, part) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))];
/** The processor time of a process so far, in milliseconds: unlike the time that passes, it is the same on a busy machine. */
const processor = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
  try { return sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "latin1").split(" ")[0]) / 1e6; } catch { return sum; }
}, 0);
const told = (times) => `median ${at(times, .5).toFixed(1)} ms, p95 ${at(times, .95).toFixed(1)} ms, longest ${at(times, 1).toFixed(1)} ms`;

/** The package, often enough: each copy has its own sets, cards, names. */
function repeated() {
  const folder = temporary("gallery");
  cpSync(join(data, "definition.xml"), join(folder, "definition.xml"));
  const sets = readdirSync(join(data, "Sets")).map((name) => readFileSync(join(data, "Sets", name, "set.xml"), "utf8"));
  const forms = sets.reduce((sum, text) => sum + (text.match(/<(card|alternate)\s/g)?.length ?? 0), 0);
  const times = Math.ceil(FORMS / forms);
  const GUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
  for (let time = 0; time < times; time += 1) {
    // One new id for each old one, so that includes still name their cards; that of the game stays.
    const ids = new Map();
    const fresh = (id) => ids.get(id) ?? ids.set(id, randomUUID()).get(id);
    for (const text of sets) {
      const game = text.match(/gameId="([^"]*)"/i)?.[1].toLowerCase();
      let copy = text;
      if (time > 0) {
        copy = copy.replaceAll(GUID, (id) => id.toLowerCase() === game ? id : fresh(id.toLowerCase()))
          .replaceAll(/(<(?:card|set|alternate)\b[^>]*?\sname=")([^"]*)"/g, (_, start, name) => `${start}${name} ${time + 1}"`);
      }
      const place = join(folder, "Sets", randomUUID());
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "set.xml"), copy);
    }
  }
  return { folder, forms: forms * times };
}

test("the gallery of 80,000 forms", { skip: skip || (!existsSync(data) && `there is no package at ${data}: set DATA`), timeout: 900000 }, async () => {
  const { folder, forms } = repeated();
  const limits = ["cards", "entries", "file", "unpacked", "xml"].flatMap((name) => ["--limit", `${name}=2000000000`]);
  try {
    await table(["--free", "--game", folder, ...limits], async (links, { pid }) => {
      const page = await open(links[0], { viewport: DESK, reducedMotion: "no-preference" });
      const link = new URL("/cards", page.url()).href;
      const ask = async (way) => {
        const begun = performance.now();
        const answer = await fetch(new URL(way, link));
        await answer.text();
        if (!answer.ok) throw new Error(`${way}: ${answer.status}`);
        return performance.now() - begun;
      };
      const first = await ask("/cards");
      // More queries than are remembered: each is searched for.
      const [searches, rows, offers, work] = [[], [], [], []];
      const slow = new Map();
      for (let round = 0; round < 8; round += 1) {
        for (const query of QUERIES) {
          const before = processor(pid);
          searches.push(await ask(`/cards/found?q=${encodeURIComponent(query)}`));
          const time = processor(pid) - before;
          work.push(time);
          slow.set(query, [...slow.get(query) ?? [], time]);
          offers.push(await ask(`/cards/complete?q=${encodeURIComponent(query)}`));
        }
        for (let count = 0; count < 16; count += 1) rows.push(await ask(`/cards/rows?q=&from=${Math.floor(Math.random() * forms)}&many=48`));
      }
      console.log(`${forms} forms; the first page, which lays them out: ${first.toFixed(0)} ms (load ${load()})`);
      console.log(`a search: ${told(searches)}, ${searches.length} answers (load ${load()}); the program works for it: ${told(work)}`);
      const slowest = [...slow].map(([query, times]) => [query, at(times, .5)]).sort((a, b) => b[1] - a[1]).slice(0, 4);
      console.log(`slowest: ${slowest.map(([query, time]) => `${query || "all"} ${time.toFixed(1)} ms`).join(", ")}`);
      console.log(`cards while scrolling: ${told(rows)}; what can be written: ${told(offers)}`);

      await page.goto(link);
      await page.waitForSelector("#cards.live li");
      const client = await page.context().newCDPSession(page);
      await client.send("Performance.enable", { timeDomain: "threadTicks" });
      const thread = async () => (await client.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value * 1000;
      for (const [words, step] of [["a finger's pace", 12], ["a quick one", 60], ["as fast as a wheel goes", 240]]) {
        const before = await thread();
        const frames = await page.evaluate((step) => new Promise((done) => {
          scrollTo(0, 0);
          const times = [];
          let last = performance.now();
          const next = (now) => {
            times.push(now - last);
            last = now;
            scrollBy(0, step);
            if (times.length < 300) requestAnimationFrame(next); else done(times.slice(5));
          };
          requestAnimationFrame(next);
        }), step);
        const spent = (await thread() - before) / 300;
        const whole = frames.reduce((sum, one) => sum + one, 0);
        console.log(`scrolling at ${words} (${step} px a frame): ${(frames.length / whole * 1000).toFixed(1)} frames a second, p95 of a frame ${at(frames, .95).toFixed(1)} ms, `
          + `${spent.toFixed(1)} ms of the page's own thread a frame (load ${load()})`);
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
