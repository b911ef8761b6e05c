// Duels at the table in a real browser. Needs Chromium; without one every test is skipped, loudly.
//
//   CHROMIUM=/path/to/chromium CARDWRIGHT=/path/to/cardwright npm test

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { chromium } from "playwright-core";

const root = resolve(import.meta.dirname, "../..");
const binary = process.env.CARDWRIGHT ?? join(root, "target/debug/cardwright");
const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => path && existsSync(path));
const skip = !found && "no Chromium found: set CHROMIUM to its path";
if (skip) console.error(`\n*** browser tests are skipped: ${skip} ***\n`);
const shots = process.env.SHOTS ?? join(root, "target/screenshots");
mkdirSync(shots, { recursive: true });

let browser;
before(async () => {
  if (skip) return;
  browser = await chromium.launch({
    executablePath: found,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
});
after(() => browser?.close());

/** Starts the program; resolves with the links it prints. */
async function serve(...options) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(binary, ["play", "--no-open", ...port, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const links = await new Promise((done, failed) => {
    child.on("exit", (code) => failed(new Error(`the program ended with ${code}: ${said}`)));
    child.stdout.on("data", (data) => {
      said += data;
      if (said.includes("Ctrl+C")) done(said.match(/http:\S+/g));
    });
  });
  child.removeAllListeners("exit");
  return { links, stop: () => new Promise((done) => { child.on("exit", done); child.kill("SIGKILL"); }) };
}

const fresh = () => join(mkdtempSync(join(tmpdir(), "table-")), "duels.db");

async function open(link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") faults.push(message.text()); });
  await page.goto(link);
  return Object.assign(page, { faults });
}

const over = (page) => page.locator("#prompt .result").count();
const number = (page) => page.locator("#prompt").getAttribute("data-number");

/** Waits until the seat is asked again, or the duel is over. */
async function asked(page, since) {
  await page.waitForFunction((old) => {
    const prompt = document.getElementById("prompt");
    return prompt.dataset.number !== old && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result"));
  }, since, { timeout: 15000 });
}

/** An option that gets on: never one that takes back. */
async function answers(page) {
  const options = page.locator("#prompt .faces button, #prompt .options button:not(.back)");
  const words = await options.allTextContents();
  const at = words.findIndex((text) => !/Call .* back|Do not counter/.test(text));
  return { options, at: Math.max(at, 0) };
}

async function axe(page, state) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes[0].html.slice(0, 160)}`), []);
}

async function fits(page) {
  const [tall, high, wide, across] = await page.evaluate(() =>
    [document.documentElement.scrollHeight, innerHeight, document.documentElement.scrollWidth, innerWidth]);
  assert.ok(tall <= high && wide <= across, `the page is ${wide}×${tall} in ${across}×${high}`);
}

/** Plays to the end; `act` answers one decision. */
async function play(page, act) {
  const kinds = new Set();
  for (let count = 0; count < 600 && !await over(page); count += 1) {
    const kind = await page.locator("#prompt").getAttribute("data-kind");
    if (kind && !kinds.has(kind)) {
      kinds.add(kind);
      await page.screenshot({ path: join(shots, `question-${kind}.png`) });
    }
    const since = await number(page);
    await act(page);
    await asked(page, since);
  }
  assert.equal(await over(page), 1, "the duel ends");
  assert.deepEqual(page.faults, []);
  return kinds;
}

test("a duel by mouse; every question has its picture; axe finds nothing", { skip, timeout: 240000 }, async () => {
  const { links, stop } = await serve("--seed", "5", "--store", fresh());
  const page = await open(links[0]);
  try {
    await fits(page);
    await axe(page, "beginning");
    const kinds = await play(page, async () => {
      const { options, at } = await answers(page);
      await options.nth(at).click();
    });
    assert.ok(kinds.has("main") && kinds.has("slot") && kinds.has("counter"), [...kinds].join());
    await axe(page, "end");
    await page.screenshot({ path: join(shots, "end-1280x720.png") });
    await page.getByRole("button", { name: "Rematch", exact: true }).click();
    await page.waitForFunction(() => !document.querySelector(".result"));
  } finally {
    await stop();
  }
});

test("a duel by keyboard only, and the focus is never lost", { skip, timeout: 240000 }, async () => {
  const { links, stop } = await serve("--seed", "8", "--store", fresh());
  const page = await open(links[0]);
  try {
    await play(page, async () => {
      const { at } = await answers(page);
      await page.keyboard.press("ArrowUp");
      assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "BODY");
      const faces = await page.locator("#prompt .faces button").count();
      if (faces) {
        await page.locator("#prompt .faces button").first().focus();
        await page.keyboard.press("Enter");
      } else if (at < 9) {
        await page.keyboard.press(String(at + 1));
      }
    });
  } finally {
    await stop();
  }
});

test("a duel by touch on a phone", { skip, timeout: 240000 }, async () => {
  const { links, stop } = await serve("--seed", "12", "--store", fresh());
  const page = await open(links[0], { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  try {
    await fits(page);
    await axe(page, "phone");
    let shown = 0;
    await play(page, async () => {
      const { options, at } = await answers(page);
      await options.nth(at).tap();
      if ((shown += 1) === 12) await page.screenshot({ path: join(shots, "phone-390x844.png") });
    });
  } finally {
    await stop();
  }
});

test("two people; killed in the middle; both go on at the same prompt", { skip, timeout: 120000 }, async () => {
  const store = fresh();
  const first = await serve("--seed", "3", "--seat2", "human", "--store", store);
  const port = new URL(first.links[0]).port;
  const pages = [await open(first.links[0]), await open(first.links[1])];
  let again = null;
  try {
    for (let count = 0; count < 24; count += 1) {
      const at = await pages[0].locator("#prompt[data-mine]").count() ? 0 : 1;
      const since = await number(pages[at]);
      const { options, at: option } = await answers(pages[at]);
      await options.nth(option).click();
      for (const page of pages) await page.waitForFunction((old) => document.getElementById("prompt").dataset.number !== old, since);
    }
    const questions = await Promise.all(pages.map((page) => page.locator("#prompt").innerText()));
    await first.stop();
    again = await serve("--seed", "4", "--store", store, "--port", port);
    for (const [at, page] of pages.entries()) {
      await page.reload();
      assert.equal(await page.locator("#prompt").innerText(), questions[at]);
    }
    const one = await pages[0].content();
    assert.ok(one.includes("them-bar"));
  } finally {
    await (again ?? first).stop();
  }
});

test("both themes, three sizes, without scrolling", { skip, timeout: 60000 }, async () => {
  const { links, stop } = await serve("--seed", "5", "--store", fresh());
  try {
    for (const colorScheme of ["dark", "light"]) {
      for (const [width, height] of [[1280, 720], [1920, 1080], [390, 844]]) {
        const page = await open(links[0], { viewport: { width, height }, colorScheme });
        await fits(page);
        await axe(page, `${colorScheme} ${width}`);
        await page.screenshot({ path: join(shots, `table-${colorScheme}-${width}x${height}.png`) });
        await page.context().close();
      }
    }
  } finally {
    await stop();
  }
});

test("a click is on the screen soon, and the opponent's hand is only backs", { skip, timeout: 240000 }, async () => {
  const { links, stop } = await serve("--seed", "21", "--seat2", "human", "--store", fresh());
  const [page, other] = [await open(links[0]), await open(links[1])];
  try {
    const times = [];
    for (let count = 0; count < 60 && !await over(page); count += 1) {
      const at = await page.locator("#prompt[data-mine]").count() ? page : other;
      const since = await number(at);
      const { options, at: option } = await answers(at);
      const label = await options.nth(option).getAttribute("value");
      const spent = await at.evaluate(([value, old]) => new Promise((done) => {
        const begun = performance.now();
        const watch = new MutationObserver(() => {
          if (document.getElementById("prompt").dataset.number === old) return;
          watch.disconnect();
          requestAnimationFrame(() => done(performance.now() - begun));
        });
        watch.observe(document.body, { subtree: true, childList: true });
        document.querySelector(`#prompt button[value="${value}"]`).click();
      }), [label, since]);
      times.push(spent);
      for (const one of [page, other]) await one.waitForFunction((old) => document.getElementById("prompt").dataset.number !== old, since);
      // A name in the other hand that no sentence of the log told must not be anywhere on the page.
      const hand = await other.locator("#hand [aria-label]").evaluateAll((cards) => cards.map((card) => card.querySelector("img").src.match(/face\/(\d+)/)[1]));
      const shown = await page.evaluate((models) => models.filter((model) => document.querySelector(`#them-bar .backs [data-model="${model}"]`)), hand);
      const known = await page.locator("#them-bar .known").count();
      assert.ok(shown.length <= known);
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)];
    console.log(`from click to the new table: median ${times[times.length >> 1].toFixed(1)} ms, p95 ${p95.toFixed(1)} ms over ${times.length}`);
    assert.ok(times.length > 30);
  } finally {
    await stop();
  }
});
