// What the browser keeps for its reader: achievements with what to try next, and the puzzles of days with their streak.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, axe, open, picture, skip, table } from "./table.mjs";

const limit = { skip, timeout: 300000 };
const kept = (page, key) => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "null"), key);
const yesterday = (day) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, colorScheme: "light" } })) {
  test(`achievements are marked, and the next one is named: ${name}`, limit, () => table([], async (_links, { front }) => {
    const page = await open(front, options);
    assert.match(await page.locator(".today [data-feats-next]").innerText(), /^Next: Back a character up/);
    await page.evaluate(() => localStorage.setItem("feats Saltmarsh", JSON.stringify(["back-up", "pierce"])));
    await page.reload();
    assert.equal(await page.locator("[data-feats-count]").innerText(), "2 of 20 done.");
    assert.match(await page.locator(".today [data-feats-next]").innerText(), /^Next: Use the abilities/);
    await page.getByRole("button", { name: /^Achievements/ }).click();
    assert.equal(await page.locator(".feat-list .done").count(), 2);
    await axe(page, `achievements ${name}`);
    await picture(page, `feats-${name}`);
    // Another game has its own.
    await page.evaluate(() => { document.querySelector("[data-feats]").dataset.feats = "Other"; });
    await page.evaluate(async () => (await import("/assets/duel/kept.js")).noteFeats());
    assert.equal(await page.locator(".feat-list .done").count(), 0);
    assert.deepEqual(page.faults, []);
  }));

  test(`the puzzle of the day counts tries and days in a row: ${name}`, limit, () => table([], async (_links, { front }) => {
    const page = await open(front, options);
    const day = await page.locator("[data-day]").first().getAttribute("data-day");
    await picture(page, `front-with-daily-${name}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the front page is ${wide} px too wide`);
    // Yesterday's was solved.
    const old = { day: yesterday(day), tries: 2, solved: true, streak: 4, last: yesterday(day), attempts: [] };
    await page.evaluate((old) => localStorage.setItem("daily Saltmarsh", JSON.stringify(old)), old);
    await page.reload();
    assert.equal(await page.locator(".today [data-streak]").innerText(), "4 days in a row so far.");
    await page.getByRole("button", { name: /^Puzzle of the day/ }).click();
    await page.waitForURL(/\/s\//);
    await page.waitForSelector(`#table[data-stage="Puzzle of ${day}"]`);
    const duel = page.url();
    // The turn ends without a win: a try.
    await page.getByRole("button", { name: "Concede" }).first().click();
    await page.locator("#concede .back").click();
    await page.waitForSelector('#prompt .result[data-won="false"]');
    await page.waitForFunction(() => JSON.parse(localStorage.getItem("daily Saltmarsh")).tries === 1);
    assert.equal((await kept(page, "daily Saltmarsh")).day, day);
    // Looking at it again counts nothing.
    await page.reload();
    await page.waitForSelector('#prompt .result[data-won="false"]');
    assert.equal((await kept(page, "daily Saltmarsh")).tries, 1);
    assert.equal(await page.locator("#prompt .result-line").isVisible(), false);
    // As it is said once it is solved at the next try.
    await page.evaluate(async () => {
      document.querySelector("#prompt .result").dataset.won = "true";
      document.querySelector("#prompt [data-daily]").dataset.attempt = "another";
      (await import("/assets/duel/kept.js")).noteDaily();
    });
    const line = `Saltmarsh, puzzle of ${day}: ○●, 5 days in a row`;
    assert.equal(await page.locator("#prompt .result-line").inputValue(), line);
    await picture(page, `daily-solved-${name}`);
    await page.goto(new URL("/front/", duel).href);
    // A script writes both.
    await page.locator(".today [data-streak]", { hasText: "Solved after 2 tries, 5 days in a row." }).waitFor();
    await page.waitForFunction((line) => document.querySelector("#all-feats .result-line")?.value === line, line);
    // Another table has the same puzzle.
    await axe(page, `front page with a puzzle that was solved ${name}`);
    assert.deepEqual(page.faults, []);
  }));
}
