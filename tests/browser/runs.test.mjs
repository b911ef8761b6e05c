// Runs: drafted, on the way, a duel that is given up, and back; by mouse and on a phone. What was done is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, axe, open, picture, skip, table } from "./table.mjs";

const limit = { skip, timeout: 300000 };

/** Begins a run with a seed of its own, and drafts it. */
async function draft(page, seed) {
  await page.getByRole("link", { name: "A run", exact: true }).click();
  await page.locator('input[name="seed"][type="text"]').fill(String(seed));
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  for (let left = 15; left > 0; left -= 1) {
    await page.locator(".offered .card").first().click();
    await page.waitForFunction((left) => document.querySelectorAll(".offered .card").length === 0 || Number(document.querySelector('[name="n"]').value) === 15 - left, left - 1);
  }
  await page.waitForSelector(".choice-of-run");
}

test("a run is drafted, a duel is given up and costs a life, and the run is there again", limit, () => table([], async (_links, { front }) => {
  const page = await open(front);
  await page.getByRole("link", { name: "A run", exact: true }).click();
  await axe(page, "all runs");
  await picture(page, "runs-desk");
  await page.goBack();
  await draft(page, 7);
  await axe(page, "the way of a run");
  await picture(page, "run-way-desk");
  assert.equal(await page.locator(".run-way li").count(), 7);
  await page.locator(".choice-of-run .go").first().click();
  await page.waitForURL(/\/s\//);
  const home = page.url();
  await page.goto(new URL("/front/run/7", home).href);
  await page.getByRole("link", { name: "Go to your duel" }).click();
  await page.waitForURL(home);
}));

test("a run on a phone", limit, () => table([], async (_links, { front }) => {
  const page = await open(front, PHONE);
  await draft(page, 8);
  await axe(page, "a run on a phone");
  await picture(page, "run-way-phone");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
}));
