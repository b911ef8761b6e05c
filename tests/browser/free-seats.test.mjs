// The free table's seats: at every size, with two to eight of them, each pile, counter and option can be hit and read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, axe, fits, picture, skip, table } from "./table.mjs";
import { does, hitless, packageOf, sit, without } from "./free.mjs";
import { packageWith } from "./piles.mjs";

const SIZES = [[1280, 720], [1280, 800], [1366, 768], [1440, 900], [1920, 1080], [2560, 1440], [1024, 768], [820, 1180], [390, 844], [844, 390]]
  .map(([width, height]) => ({ width, height }));
/** The campaign: every number of seats, every package; else a slice of it. */
const all = Boolean(process.env.FREE_SEATS);

/** The law, at every size, with every chip opened once. */
async function reachable(page, what, { least = 0.28, piles, shared, look } = {}) {
  const faults = [];
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await page.waitForFunction(([wide, high]) => innerWidth === wide && innerHeight === high, [viewport.width, viewport.height]);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const where = `${what} at ${viewport.width}×${viewport.height}`;
    await fits(page, where);
    const seen = await page.evaluate(() => [document.getElementById("felt").clientHeight / innerHeight, [...document.querySelectorAll("#mine .pile")].length, [...document.querySelectorAll(".shared .pile")].filter((one) => one.getClientRects().length).length]);
    if (seen[0] < least) faults.push(`${where}: the cloth has ${Math.round(seen[0] * 100)} % of the height`);
    if (piles !== undefined) assert.deepEqual(seen.slice(1), [piles, shared], `${where}: own and shared piles are always in sight`);
    if (look?.includes(viewport.width)) await picture(page, `${what.replaceAll(/\W+/g, "-")}-${viewport.width}`);
    faults.push(...await hitless(page, where));
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(faults, []);
}

const SYNTHETIC = all ? [[3, 0], [6, 4], [12, 0], [12, 12], [0, 12]] : [[12, 12]];
for (const [piles, shared] of SYNTHETIC) for (const seats of all ? [2, 3, 4, 5, 6, 7, 8] : [3, 8]) {
  test(`${seats} seats of ${piles} piles and ${shared} shared ones stand beside each other (F179)`, { skip, timeout: 240000 }, () =>
    table(["--game", packageWith(piles, shared), "--free", "--seats", String(seats)], async (links) => {
      const page = await sit(links[0]);
      await does(page, "counter \"Hit Points\" =1203");
      if (seats === 3) await axe(page, "three seats");
      await reachable(page, `${seats} seats ${piles} piles ${shared} shared`, { piles, shared, look: seats === 3 || seats === 8 ? [1440, 390, 844, 820] : [] });
      assert.deepEqual(page.faults, []);
    }));
}

for (const name of all ? ["cfc", "mlp", "mtg-sample", "netrunner", "stargate"] : ["netrunner"]) {
  for (const seats of all ? [2, 3, 4, 5, 6, 7, 8] : [2, 4]) {
    test(`${seats} seats of ${name} stand beside each other (F179)`, { skip: without(name), timeout: 240000 }, () =>
      table(["--game", packageOf(name), "--free", "--seats", String(seats)], async (links) => {
        const page = await sit(links[0]);
        await reachable(page, `${seats} seats of ${name}`, { least: 0.3, look: [1440, 390] });
        assert.deepEqual(page.faults, []);
      }));
  }
}

test("a seat over the cloth closes with Escape, and takes cards while it is open (F179)", { skip, timeout: 60000 }, () =>
  table(["--game", packageWith(12, 12), "--free", "--seats", "6"], async (links) => {
    const page = await sit(links[0], { viewport: PHONE });
    assert.equal(await page.locator("#others .seat.open:visible").count(), 0, "nothing lies over the cloth by itself");
    await page.locator(".chip").nth(2).click();
    assert.match(await page.locator("#others .seat.open").textContent(), /Seat 4/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#others .seat.open").count(), 0);
  }));
