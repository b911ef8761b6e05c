// The free table: names of seats, and a network that falls silent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { proxy, through } from "./proxy.mjs";
import { skip, table } from "./table.mjs";
import { does, sit, told } from "./free.mjs";
import { packageWith } from "./piles.mjs";

const limit = { skip, timeout: 120000 };

test("on a silent network the page says so within six seconds, keeps the act, and the other seat reads “away” within ten", limit, () => table(["--game", packageWith(3, 0), "--free", "--seats", "2"], async (links) => {
  const swallows = await proxy(new URL(links[0]).port);
  try {
    const mine = await sit(through(swallows, links[0]));
    const other = await sit(links[1]);
    await mine.waitForResponse((response) => response.url().endsWith("/here"));
    const state = other.locator('#others [data-seat="0"] .who p');
    await other.locator('#others [data-seat="0"] .dot.on').waitFor();
    swallows.state.silent = true;
    const begun = Date.now();
    const more = mine.locator('#mine button[aria-label="Hit Points +1"]');
    // Two acts: both are kept, in their order.
    await more.click();
    await more.click();
    await mine.waitForFunction(() => /cannot be reached|does not answer/.test(document.querySelector("#notice.on")?.textContent), null, { timeout: 15000 });
    const said = Date.now() - begun;
    await state.filter({ hasText: "away" }).waitFor({ timeout: 20000 });
    const away = Date.now() - begun;
    assert.ok(said <= 6000, `the page said so after ${said} ms`);
    assert.ok(away <= 10000, `the other seat read it after ${away} ms`);
    console.log(`said after ${said} ms, away after ${away} ms`);
    swallows.state.silent = false;
    await told(other, /Hit Points.*21.*22/);
    await other.locator('#others [data-seat="0"] .dot.on').waitFor({ timeout: 20000 });
    assert.equal(await other.locator("#log li").filter({ hasText: "Hit Points" }).count(), 2, "each was done once");
    await mine.waitForFunction(() => !document.body.classList.contains("lost"));
  } finally {
    swallows.stop();
  }
}));

test("a seat takes a name, and all read it", limit, () => table(["--game", packageWith(3, 0), "--free", "--seats", "2"], async (links) => {
  const mine = await sit(links[0]);
  const other = await sit(links[1]);
  await does(mine, 'counter "Hit Points" +1');
  await mine.getByRole("button", { name: "My name" }).click();
  await mine.getByLabel("What are you called?").fill("<b>Ann</b> & Co");
  await mine.keyboard.press("Enter");
  await told(other, "is now called <b>Ann</b> & Co");
  assert.match(await other.locator('#others [data-seat="0"] h2').textContent(), /^<b>Ann<\/b> & Co/);
  await does(mine, 'counter "Hit Points" +1', "roll 1d6");
  // What stood there before is of the same seat; the sentence of a taking back names nobody twice.
  assert.equal(await other.locator("#log li b").first().textContent(), "Seat 1");
  await other.locator("#log li").first().click({ button: "right" });
  await other.getByRole("menuitem", { name: "Ask to go back" }).click();
  const asked = mine.locator(".question p").first();
  await asked.waitFor();
  const words = await asked.textContent();
  assert.match(words, /^Seat 2 asks to take back: /);
  assert.doesNotMatch(words, /is now called/);
  await mine.getByRole("button", { name: "Agree", exact: true }).click();
  await told(other, "takes back");
  assert.match(await other.locator('#others [data-seat="0"] h2').textContent(), /^<b>Ann/, "a name is not taken back");
  // It is offered at the next table.
  assert.equal(await mine.evaluate(() => localStorage.getItem("name")), "<b>Ann</b> & Co");
}));
