// The cards of a game: searched, sorted out, scrolled through and read; of a game with rules, and of games without.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PHONE, axe, open, picture, root, skip, table } from "./table.mjs";

const limit = { skip, timeout: 120000 };
const shown = (page) => page.locator("#cards li a").count();
/** What the page says it has found, once that is another number than before. */
async function found(page, since) {
  if (since !== undefined) await page.waitForFunction((old) => document.querySelector("#told b")?.textContent !== old, since);
  return page.locator("#told b").innerText();
}
const query = (page, text) => page.locator(".search [name=q]").fill(text);

test("cards are searched, sorted out and read by keyboard", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(new URL("/cards", links[0]).href);
  const all = await found(page);
  assert.match(all, /^\d{2,} cards$/);
  await axe(page, "gallery");
  await picture(page, "cards-desk");

  // What can be written is offered, and taken with the arrow keys.
  await page.locator(".search [name=q]").click();
  await page.keyboard.type("ki");
  await page.locator("#offers li", { hasText: "Kind:" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("#offers li", { hasText: "Action" }).first().waitFor();
  await axe(page, "offers");
  await page.keyboard.type("reac");
  // What was offered before the last letter is gone.
  await page.waitForFunction(() => [...document.querySelectorAll("#offers li")].every((offer) => offer.textContent.includes("Reaction")));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.href.includes("q=Kind%3AReaction"));
  const reactions = await found(page);
  assert.equal(await page.locator(".search [name=q]").inputValue(), "Kind:Reaction ");

  // A value of a property leaves those that have it, and says how many there are.
  const rarity = page.locator('select[name="f.Rarity"]');
  const option = await rarity.locator("option").nth(1).innerText();
  await rarity.selectOption({ index: 1 });
  const rare = await found(page, reactions);
  assert.equal(rare.split(" ")[0], option.match(/\((\d+)\)/)[1], "the number that stood beside it");
  await page.locator('select[name="f.Rarity"]').selectOption("");
  await found(page, rare);

  // What is wrong is explained at its place.
  await query(page, "colour:red");
  await page.locator("#told .fault", { hasText: "no property" }).waitFor();
  assert.equal(await page.locator("#told mark").innerText(), "colour");
  await axe(page, "a wrong query");
  await query(page, "rok name:zzzz");
  await page.locator("#told", { hasText: "0 cards" }).waitFor();
  await query(page, "");
  await found(page, "0 cards");

  // Arrows go from card to card, Enter opens one; who comes back finds the list as it was.
  await page.locator("#cards li a").first().focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await page.waitForFunction(() => Number(document.activeElement?.closest("li")?.dataset.at) > 6);
  const name = await page.evaluate(() => document.activeElement.getAttribute("aria-label").split(",")[0]);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".one-card dl");
  assert.equal(await page.locator("h1").innerText(), name);
  assert.match(await page.locator(".one-card").innerText(), /Booster.* of packs have it \(\d+\/\d+\)/);
  await axe(page, "a card's page");
  await picture(page, "card-page");
  await page.locator('a[rel="next"]').click();
  await page.waitForFunction((old) => document.querySelector("h1").textContent !== old, name);
  assert.deepEqual(page.faults, []);
}));

test("on a phone, in the light", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(new URL("/cards", links[0]).href, { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: "light" });
  await found(page);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  await picture(page, "cards-phone");
  await axe(page, "gallery on a phone");
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
  await page.locator("#cards li a").nth(3).tap();
  await page.waitForSelector(".one-card dl");
  await picture(page, "card-page-phone");
  assert.deepEqual(page.faults, []);
}));

const data = join(root, "../shared/data");
for (const game of ["mtg-sample", "netrunner"]) {
  const missing = !existsSync(join(data, game)) && `there is no ${game} at ${data}`;
  test(`the cards of ${game}, which has no rules, are a window of a few`, { timeout: 240000, skip: skip || missing }, () => table(["--game", join(data, game), "--seed", "1"], async (links) => {
    const page = await open(new URL("/cards", links[0]).href);
    const many = Number((await found(page)).split(" ")[0]);
    assert.ok(many > 500, `${many} cards`);
    assert.ok(await shown(page) < 100, "only those in sight are on the page");
    await axe(page, game);
    // To the end, and what stands there is the last card.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator(`#cards li[aria-posinset="${many}"] a`).waitFor();
    assert.ok(await shown(page) < 100);
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
    await picture(page, `cards-${game}`);
    const frames = await page.evaluate(() => new Promise((done) => {
      const times = [];
      let last = performance.now();
      const step = (now) => {
        times.push(now - last);
        last = now;
        scrollBy(0, -60);
        if (times.length < 120) requestAnimationFrame(step); else done(times.slice(5).sort((one, other) => one - other));
      };
      requestAnimationFrame(step);
    }));
    console.log(`${game}: ${many} cards; while scrolling half of the frames came within ${frames[frames.length >> 1].toFixed(1)} ms, 95 % within ${frames[Math.floor(frames.length * 0.95)].toFixed(1)} ms`);
    await page.locator("#cards li a").first().click();
    await page.waitForSelector(".one-card dl");
    await picture(page, `card-of-${game}`);
    assert.deepEqual(page.faults, []);
  }));
}
