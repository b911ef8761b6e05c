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

  // The page of the duel says what holds in it.
  await page.locator(".holds").click();
  await page.locator("#holds").getByText("The opponent begins with 600 more HP.").waitFor();
  await axe(page, "what holds in a duel of a run");
  await picture(page, "run-duel-holds-desk");
  await page.keyboard.press("Escape");
  // Given up, it costs a life, and can be watched again from the run's page.
  await page.getByRole("button", { name: "Concede" }).first().click();
  await page.locator("#concede .back").click();
  await page.getByRole("link", { name: "Back to the run" }).last().click();
  await page.locator(".hearts[aria-label='2 lives']").waitFor();
  await axe(page, "a run with a duel that was lost");
  await picture(page, "run-lost-desk");
  await page.getByRole("link", { name: /^Watch the duel/ }).click();
  await page.waitForSelector("body.replay");

  // The run in a link: at another table it goes on.
  await page.goto(new URL("/front/run/7", home).href);
  await page.getByRole("link", { name: "Share this run" }).click();
  const message = await page.locator("textarea[data-share]").inputValue();
  assert.ok(message.length < 1000, `${message.length} letters`);
  assert.match(message, /○ 0 of 7, 2 lives left/);
  await table([], async (_none, { front: elsewhere }) => {
    const there = await open(elsewhere);
    await there.getByRole("link", { name: "Open a link" }).click();
    await there.locator("textarea").fill(message);
    await there.getByRole("button", { name: "Open", exact: true }).click();
    await axe(there, "a run in a link");
    await there.getByRole("button", { name: "Open this run" }).click();
    await there.locator(".hearts[aria-label='2 lives']").waitFor();
  });
}));

test("a run on a phone", limit, () => table([], async (_links, { front }) => {
  const page = await open(front, { viewport: PHONE });
  await draft(page, 8);
  await axe(page, "a run on a phone");
  await picture(page, "run-way-phone");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await page.locator(".choice-of-run .go").first().click();
  await page.waitForURL(/\/s\//);
  await page.locator(".holds").click();
  await page.locator("#holds").getByText("Your charms").waitFor();
  await picture(page, "run-duel-holds-phone");
}));
