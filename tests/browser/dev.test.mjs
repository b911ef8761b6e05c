// A game that is changed while it is played: what a save does to the table, and the workbench.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dev } from "./dev.mjs";
import { DESK, PHONE, answers, axe, changed, number, open, picture, skip } from "./table.mjs";

const limit = { skip, timeout: 180000 };
const SET = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
const RULES = "Rules/core.rules";

const strip = (page, kind) => page.locator(`#work.${kind}`).waitFor({ timeout: 30000 });
const words = (page) => page.locator("#work").innerText();
/** What must stay as it is: who is asked in which turn, both players' numbers, and what lies where. */
const standing = (page) => page.evaluate(() => ({
  turn: document.querySelector("#table").dataset.turn,
  bars: ["me", "them"].map((side) => [...document.querySelectorAll(`#${side}-bar :is(.hp, .sp) b`)].map((one) => one.textContent)),
  hand: document.querySelectorAll("#hand .card").length,
}));

test("D108: errors stand above the table and go when they are fixed; the duel goes on from the same position", limit, () => dev(async ({ seat, change }) => {
  const page = await open(seat);
  await strip(page, "watching");
  const before = await standing(page);
  change(RULES, "action = {F}: bp(+200", "action = {F}: pb(+200");
  await strip(page, "errors");
  assert.match(await words(page), /core\.rules:\d+:\d+ .*RS003/);
  assert.deepEqual(await standing(page), before);
  await axe(page, "errors");
  await picture(page, "dev-errors");
  await page.evaluate(() => { window.marked = true; });
  change(RULES, "pb(+200", "bp(+400");
  const saved = Date.now();
  await strip(page, "changed");
  console.error(`saved → shown: ${Date.now() - saved} ms`);
  assert.match(await words(page), /same position, new rules[\s\S]*“Brioche Bruno”: another rule/);
  assert.deepEqual(await standing(page), before);
  // It is the same page, drawn anew only where the rules have changed it; and the duel goes on.
  assert.equal(await page.evaluate(() => window.marked), true);
  await axe(page, "changed");
  await picture(page, "dev-changed");
  await page.setViewportSize(PHONE);
  await picture(page, "dev-phone");
  await page.setViewportSize(DESK);
  const since = await number(page);
  const { options, at } = await answers(page);
  await options.nth(at).click();
  await changed(page, since);
  assert.deepEqual(page.faults, []);
}));

test("D108: what cannot be carried over is said, with the way to begin again beside it", limit, () => dev(async ({ seat, folder }) => {
  const page = await open(seat);
  await strip(page, "watching");
  const path = join(folder, SET);
  const text = readFileSync(path, "utf8");
  const hand = await page.locator("#hand").evaluate((part) => part.outerHTML);
  const gone = [...text.matchAll(/ {4}<card id="([^"]*)" name="([^"]*)">[\s\S]*?<\/card>\n/g)].find((card) => hand.includes(card[2]));
  assert.ok(gone, "a card of the hand is one of the set");
  // The run of the game names cards, too.
  rmSync(join(folder, "Rules/run.toml"));
  const rules = readFileSync(join(folder, RULES), "utf8").split(/(?=^\[)/m);
  writeFileSync(join(folder, RULES), rules.filter((section) => !section.startsWith(`[${gone[1]}`)).join(""));
  writeFileSync(path, text.replace(gone[0], ""));
  await strip(page, "stays");
  // Only its player sees the card: nobody is told its name as that of a card that is gone from this duel.
  assert.match(await words(page), /cards that are gone: a card that not everybody sees/);
  await picture(page, "dev-stays");
  await axe(page, "stays");
  await page.getByRole("button", { name: "Begin again" }).click();
  await strip(page, "changed");
  assert.match(await words(page), /has begun again/);
  // Who begins, and so draws, is chance.
  assert.ok([5, 6].includes((await standing(page)).hand));
  assert.deepEqual(page.faults, []);
}));

test("the workbench: a card with its rule, and a board that is played and kept", limit, () => dev(async ({ seat, front, folder }) => {
  const page = await open(seat);
  await strip(page, "watching");
  await page.goto(front);
  await page.goto(new URL("/front/dev/", front).href);
  await page.locator("#find").fill("brioche");
  await page.locator('#palette li:not([hidden]) a').first().click();
  await page.locator(".card-bench pre").waitFor();
  assert.match(await page.locator(".card-bench pre").innerText(), /getTargets/);
  await axe(page, "workbench");
  await picture(page, "dev-bench");
  // By clicks, and by dragging.
  await page.locator('#palette li[data-name="Brioche Bruno"] [data-take]').click();
  await page.locator('[data-side="me"] [data-slot="0"] [data-lay]').click();
  await page.locator('#palette li[data-name="Crumb"]').dragTo(page.locator('[data-side="opponent"] [data-slot="1"]'));
  assert.equal(await page.locator(".laid").count(), 2);
  await page.locator('[data-side="opponent"] .laid [name="bp"]').fill("100");
  // A file is saved meanwhile, or the page is loaded again: the board stays.
  await page.reload();
  assert.equal(await page.locator(".laid").count(), 2);
  await page.locator("#name").fill("Bruno meets a crumb");
  await page.locator("#keep").click();
  await page.locator("#notice", { hasText: "Tests/bruno-meets-a-crumb.toml" }).waitFor();
  assert.ok(existsSync(join(folder, "Tests/bruno-meets-a-crumb.toml")));
  await page.locator("#keep").click();
  await page.locator("#notice", { hasText: "already" }).waitFor();
  await picture(page, "dev-board");
  await page.locator("#play").click();
  await page.locator("#them-ring .fighter").first().waitFor();
  assert.match(await page.locator("#them-ring").innerText(), /100/);
  await page.setViewportSize(PHONE);
  await page.goto(new URL("/front/dev/", front).href);
  await picture(page, "dev-bench-phone");
  // The status 409 of a refused name is no fault of the page.
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("409")), []);
}));
