// What the browser tests share: the program, the browser, and how to play at the table.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { chromium, firefox } from "playwright-core";
import { temporary } from "./temporary.mjs";

export const root = resolve(import.meta.dirname, "../..");
export const binary = process.env.CARDWRIGHT ?? join(root, "target/debug/cardwright");
/** Chromium, unless a file of tests asks for Firefox before it imports this. */
export const inFirefox = process.env.BROWSER === "firefox";
const found = (inFirefox
  ? [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"]
  : [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"])
  .find((path) => path && existsSync(path));
export const skip = !found && (inFirefox ? "no Firefox found: set FIREFOX to its path" : "no Chromium found: set CHROMIUM to its path");
if (skip) console.error(`\n*** browser tests are skipped: ${skip} ***\n`);
export const shots = process.env.SHOTS ?? join(root, "target/screenshots");
mkdirSync(shots, { recursive: true });

export const DESK = { width: 1280, height: 720 };
export const PHONE = { width: 390, height: 844 };
export const LARGE = { width: 1920, height: 1080 };

/** Where Firefox saves what a page gives, since its driver says nothing of that. */
const downloads = temporary("downloads");

let browser;
before(async () => {
  if (skip) return;
  // The system's own Firefox, by WebDriver BiDi.
  browser = inFirefox ? await firefox.launch({
    channel: "moz-firefox", executablePath: found,
    firefoxUserPrefs: { "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.useDownloadDir": true },
  }) : await chromium.launch({
    executablePath: found,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--force-color-profile=srgb"],
  });
});
after(() => browser?.close());

/**
 * A port for a program that is started again under the same links. It lies outside the range from which systems give
 * ports away: while the program is down, nobody else gets it. Each test file runs in a process of its own.
 */
export const steadyPort = String(20000 + process.pid % 10000);

/** Starts the program; resolves with the links to seats and to the front page that it prints. */
export async function serve(...options) {
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const store = options.includes("--store") ? [] : ["--store", fresh()];
  const child = spawn(binary, ["play", "--no-open", ...port, ...store, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const links = await new Promise((done, failed) => {
    child.on("exit", (code) => failed(new Error(`the program ended with ${code}: ${said}`)));
    child.stdout.on("data", (data) => {
      said += data;
      if (said.includes("Ctrl+C")) done(said.match(/http:\S+/g));
    });
  });
  child.removeAllListeners("exit");
  const front = links.find((link) => link.includes("/front/"));
  return { links: links.filter((link) => link !== front), front, pid: child.pid, stop: () => new Promise((done) => {
    // One that is gone already says so no second time: to wait for it would hide why a test has failed.
    if (child.exitCode !== null || child.signalCode !== null) { done(); return; }
    child.on("exit", done);
    child.kill("SIGKILL");
  }) };
}

/** Plays with a server that is stopped whatever happens. */
export async function table(options, use) {
  const served = await serve(...options);
  try {
    await use(served.links, served);
  } finally {
    await closeAll();
    await served.stop();
  }
}

/** A page whose server is gone would go on asking for it. */
export const closeAll = () => Promise.all(browser.contexts().map((context) => context.close()));

export const fresh = () => join(temporary("table"), "duels.db");

export async function open(link, options = {}) {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: "reduce", colorScheme: "dark", ...options });
  const page = await context.newPage();
  const faults = [];
  // A picture brings a style of the driver's, which Firefox reports as the page's: one of ours is found in Chromium. And
  // it reports what a reload breaks off.
  const known = inFirefox ? /ERR_CONNECTION|ERR_INCOMPLETE|blocked an inline style|ServiceWorker intercepted/ : /ERR_CONNECTION|ERR_INCOMPLETE/;
  const note = (text) => { if (!known.test(text)) faults.push(text); };
  // Some faults of a browser have no words: then it is said where they come from.
  page.on("pageerror", (error) => note(error.message === "Error" ? error.stack || "Error" : error.message));
  page.on("console", (message) => { if (message.type() === "error") note(message.text()); });
  // Duels are played at the speed of the machine, unless a test looks at what a person sees.
  const settings = { speed: "off", ...options.settings };
  await page.addInitScript((kept) => {
    if (location.protocol !== "http:") return;
    for (const [key, value] of Object.entries(kept)) localStorage.getItem(key) ?? localStorage.setItem(key, value);
  }, settings);
  // Another style or script than the program's own, to try it out: files of the same names below the folder ASSETS.
  for (const name of process.env.ASSETS ? readdirSync(process.env.ASSETS, { recursive: true }) : []) {
    if (!/\.(css|js)$/.test(name)) continue;
    await page.route(new RegExp(`/assets/${name.replaceAll(".", "\\.")}$`), (route) => route.fulfill({ path: join(process.env.ASSETS, name) }));
  }
  await options.before?.(page);
  await page.goto(link);
  // What a script measures stands right before the second frame; on a busy machine a test could look before it.
  if (options.javaScriptEnabled !== false) {
    // At a free table the script of the duels' table is empty, and never ready.
    await page.waitForFunction(() => document.documentElement.classList.contains("ready") || !document.querySelector("#table, #invited") || !document.querySelector('script[src$="/assets/table.js"]'));
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  }
  return Object.assign(page, { faults });
}

/** The path of the file that the page gives away when this is done. */
export async function saved(page, act) {
  if (!inFirefox) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return download.path();
  }
  const old = new Set(readdirSync(downloads));
  await act();
  for (let count = 0; count < 300; count += 1) {
    const made = readdirSync(downloads);
    const done = made.find((name) => !old.has(name) && !name.endsWith(".part") && !made.includes(`${name}.part`) && statSync(join(downloads, name)).size);
    if (done) return join(downloads, done);
    await page.waitForTimeout(100);
  }
  throw new Error("nothing was saved within 30 seconds");
}

export const over = (page) => page.locator("#prompt .result").count();
export const number = (page) => page.locator("#prompt").getAttribute("data-number");

/** Waits until the seat is asked again, or the duel is over. */
export async function asked(page, since) {
  await page.waitForFunction((old) => {
    const prompt = document.getElementById("prompt");
    return prompt.dataset.number !== old && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result"));
  }, since, { timeout: 20000 });
}

/** Waits until the page shows something newer. */
export async function changed(page, since) {
  await page.waitForFunction((old) => document.getElementById("prompt").dataset.number !== old, since, { timeout: 20000 });
}

/** Clicks as a person does: the pointer comes from elsewhere, or the finger waits for a moment. */
export async function choose(page, option) {
  await page.mouse.move(3, 3);
  await option.click();
}

/** An option that gets on: never one that takes back. */
export async function answers(page) {
  // Several cards are collected, as many as there must be, and sent by one button.
  if (await page.locator("#prompt[data-collect]").count()) {
    const done = page.locator("#prompt .collected");
    while (await done.isDisabled()) await page.locator('#prompt [data-pick][aria-pressed="false"]').first().click();
    return { options: done, at: 0 };
  }
  const options = page.locator("#prompt .faces button.legal, #prompt .options button:not(.back)");
  const words = await options.allTextContents();
  const at = words.findIndex((text) => !/Call .* back|Do not counter/.test(text));
  return { options, at: Math.max(at, 0) };
}

export async function axe(page, state) {
  // Numbers that fly from a card are hidden from readers and fade as they go: their contrast is no lasting one.
  const { violations } = await new AxeBuilder({ page }).exclude(".float").analyze();
  const piles = await page.locator(".piles").count();
  if (piles) violations.push(...(await new AxeBuilder({ page }).include(".piles").withRules(["label-content-name-mismatch"]).analyze()).violations);
  assert.deepEqual(violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes[0].html.slice(0, 200)}`), []);
}

export async function fits(page, state = "") {
  const [tall, high, wide, across] = await page.evaluate(() =>
    [document.documentElement.scrollHeight, innerHeight, document.documentElement.scrollWidth, innerWidth]);
  assert.ok(tall <= high && wide <= across, `${state}: the page is ${wide}×${tall} in ${across}×${high}`);
}

/** Saves a picture for people to look at; where nobody does, it is not taken. */
export const picture = async (page, name) => {
  if (process.env.CI && !process.env.SHOTS) return;
  await page.screenshot({ path: join(shots, `${name}.png`) });
};

/** Plays to the end; `act` answers one decision. */
export async function play(page, act) {
  const kinds = new Set();
  for (let count = 0; count < 600 && !await over(page); count += 1) {
    kinds.add(await page.locator("#prompt").getAttribute("data-kind"));
    const since = await number(page);
    await act(page);
    await asked(page, since);
  }
  assert.equal(await over(page), 1, "the duel ends");
  assert.deepEqual(page.faults, []);
  return kinds;
}
