// Every scenario that ships, at ten sizes and in three sizes of text: each question of the lessons, the beginning of
// each puzzle, its failure and its end, with every dialog and a notice. Nothing that a player needs is covered, clipped
// or off the screen.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { look, SIZES } from "./fit.mjs";
import { asked, choose, closeAll, number, open, over, picture, root, serve, skip } from "./table.mjs";

/** Whether every page is looked at in all sizes of text; otherwise every sixth is, in one each. */
const ALL = Boolean(process.env.LESSONS) || Number(process.env.QUESTIONS ?? 60) >= 300;
const TEXTS = ["", "large", "largest"];
const folder = join(root, "games/saltmarsh/Lessons");
const SCENARIOS = readdirSync(folder).filter((file) => file.endsWith(".toml")).sort().flatMap((file) => {
  const parts = readFileSync(join(folder, file), "utf8").split("[[scenario]]").slice(1);
  return parts.map((part) => ({ file: join(folder, file), name: part.match(/^name = "(.*)"/m)[1], puzzle: /^goal = /m.test(part) }));
});

const faults = new Map();
let pages = 0;
async function lookAtAll(page, state) {
  const end = / solved$/.test(state) || await over(page);
  if (!ALL && !end && pages++ % 6) return;
  const texts = ALL ? TEXTS : [TEXTS[Math.floor(pages / 6) % TEXTS.length]];
  if (ALL || end) pages += 1;
  for (const text of texts) {
    await page.evaluate((text) => {
      localStorage.setItem("text", text);
      for (const name of ["large", "largest"]) document.documentElement.classList.toggle(name, name === text);
    }, text);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const sized = `${size.width}x${size.height}${text && ` ${text}`}`;
      for (const fault of (await look(page)).faults) {
        const key = `${sized}: ${fault}`;
        if (!faults.has(key)) {
          if (faults.size < 60) await picture(page, `fault-${sized.replace(" ", "-")}-${faults.size}`);
          faults.set(key, state);
        }
      }
    }
  }
}

/** What the page offers that opens over the table: each must fit, or scroll inside itself with its last part in reach. */
async function lookAtDialogs(page, state) {
  const sheets = await page.evaluate(() => [...document.querySelectorAll(".sheet[popover][id]")].filter((sheet) => sheet.id !== "insight").map(({ id }) => id));
  for (const [at, text] of TEXTS.entries()) {
    await page.evaluate((text) => { for (const name of ["large", "largest"]) document.documentElement.classList.toggle(name, name === text); }, text);
    for (const size of ALL ? SIZES : SIZES.filter((_, place) => place % TEXTS.length === at)) {
      await page.setViewportSize(size);
      const found = await page.evaluate(async (sheets) => {
        const found = [];
        for (const id of sheets) {
          const sheet = document.getElementById(id);
          sheet.showPopover();
          while (sheet.querySelector("[data-load]")) await new Promise((done) => setTimeout(done, 20));
          const { left, top, right, bottom } = sheet.getBoundingClientRect();
          if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`the dialog ${id} is off the screen`);
          if (sheet.scrollWidth > sheet.clientWidth + 1) found.push(`the dialog ${id} runs over its side`);
          for (const button of sheet.querySelectorAll("button, select, a[href]")) {
            if (!button.getClientRects().length) continue;
            button.scrollIntoView({ block: "nearest", behavior: "instant" });
            const box = button.getBoundingClientRect();
            const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            if (!hit || !(button.contains(hit) || hit.contains(button))) found.push(`“${button.textContent.trim().slice(0, 40)}” in ${id} cannot be reached: ${hit?.tagName}.${hit?.className}`);
            if (button.scrollWidth > button.clientWidth + 1) found.push(`“${button.textContent.trim().slice(0, 40)}” in ${id} runs over its box`);
          }
          sheet.hidePopover();
        }
        return found;
      }, sheets);
      for (const fault of found) faults.set(`${size.width}x${size.height}${text && ` ${text}`}: ${fault}`, state);
    }
  }
}

/** A notice covers neither cards nor the question, and moves nothing. */
async function lookAtNotice(page, state) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const found = await page.evaluate(() => {
      const found = [], notice = document.getElementById("notice");
      const board = () => ["felt", "near", "bar"].map((name) => { const { left, top, width, height } = document.querySelector(`.${name}`).getBoundingClientRect(); return [left, top, width, height].map((part) => part.toFixed(1)).join(); }).join(" ");
      const before = board();
      notice.textContent = "This card cannot be played now: it costs 9 SP, and you have 3.";
      if (board() !== before) found.push(`a notice moves the table from ${before} to ${board()}`);
      const mine = notice.getBoundingClientRect();
      if (mine.left < 0 || mine.right > innerWidth || mine.bottom > innerHeight) found.push("a notice is off the screen");
      for (const other of document.querySelectorAll(".felt .fighter, .hand .card, #question, #prompt .options button")) {
        const there = other.getBoundingClientRect();
        if (there.width && mine.left < there.right - 1 && there.left < mine.right - 1 && mine.top < there.bottom - 1 && there.top < mine.bottom - 1) found.push(`a notice lies over ${other.className || other.id}`);
      }
      notice.textContent = "";
      return found;
    });
    for (const fault of found) faults.set(`${size.width}x${size.height}: ${fault}`, state);
  }
}

const told = () => { const all = [...faults].map(([fault, state]) => `${state}: ${fault}`); faults.clear(); return all; };

async function at(scenario, options, use) {
  const served = await serve("--scenario", scenario.file, "--only", scenario.name, ...options);
  try {
    await use(await open(served.links[0], { viewport: SIZES[0] }));
  } finally {
    await closeAll();
    await served.stop();
  }
}

for (const scenario of SCENARIOS.filter(({ puzzle }) => !puzzle)) {
  test(`the lesson “${scenario.name}” fits ten sizes, from its first word to its end`, { skip, timeout: 900000 }, async () => {
    await at(scenario, [], async (page) => {
      await lookAtDialogs(page, scenario.name);
      await lookAtNotice(page, scenario.name);
      for (let count = 0; count < 60; count += 1) {
        await lookAtAll(page, `${scenario.name}, question ${count}`);
        if (await over(page)) break;
        await page.setViewportSize(SIZES[0]);
        const since = await number(page);
        await choose(page, page.locator("#prompt .options .cue, #prompt .faces .cue, #prompt .all.cue").first());
        await asked(page, since);
      }
      assert.equal(await over(page), 1, "the lesson ends");
      await lookAtDialogs(page, `${scenario.name}, at its end`);
      assert.deepEqual(page.faults, []);
    });
    assert.deepEqual(told(), []);
  });
}

test("puzzles fit ten sizes: where they begin, where they fail, and where they are solved", { skip, timeout: 1800000 }, async () => {
  const puzzles = SCENARIOS.filter(({ puzzle }) => puzzle);
  assert.ok(puzzles.length > 0);
  for (const scenario of ALL ? puzzles : puzzles.filter((_, at) => at % 12 === 0)) {
    await at(scenario, [], async (page) => {
      for (let count = 0; count < 12; count += 1) {
        await lookAtAll(page, `${scenario.name}, question ${count}`);
        if (await over(page)) break;
        await page.setViewportSize(SIZES[0]);
        const since = await number(page);
        await page.mouse.move(3, 3);
        await page.waitForTimeout(360);
        await page.locator("#prompt .options button").last().click();
        await asked(page, since);
      }
      assert.equal(await over(page), 1, `${scenario.name} fails or ends`);
      await lookAtDialogs(page, `${scenario.name}, failed`);
    });
    await at(scenario, ["--after-steps"], async (page) => {
      await lookAtAll(page, `${scenario.name}, solved`);
    });
  }
  assert.deepEqual(told(), []);
});
