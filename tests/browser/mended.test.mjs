// Faults that people met at the table once, each by what they did: they stay mended.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, changed, closeAll, fresh, number, open, picture, serve, skip, table } from "./table.mjs";

const limit = { skip, timeout: 120000 };

test("an answer to a table that is gone is sent again when it is back, and the question stays in sight", limit, async () => {
  const store = fresh();
  const first = await serve("--seed", "5", "--store", store);
  let again = null;
  try {
    const page = await open(first.links[0]);
    const since = await number(page);
    const { options, at } = await answers(page);
    await options.nth(at).click();
    await changed(page, since);
    await page.waitForSelector("#prompt[data-mine]");
    const stays = await number(page);
    await first.stop();
    await page.waitForFunction(() => document.body.dataset.lost);
    const next = await answers(page);
    await page.waitForTimeout(400);
    await next.options.nth(next.at).click();
    await page.getByText("It will be tried again").waitFor();
    const { notice, question } = await page.evaluate(() => Object.fromEntries(["notice", "question"].map((id) => {
      const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
      return [id, { left, top, right, bottom }];
    })));
    const apart = notice.right <= question.left || question.right <= notice.left || notice.bottom <= question.top || question.bottom <= notice.top;
    assert.ok(apart, "the notice does not lie over the question");
    await picture(page, "no-answer-1280x720");
    assert.equal(await number(page), stays);
    again = await serve("--seed", "6", "--store", store, "--port", new URL(first.links[0]).port);
    await changed(page, stays);
    await page.waitForSelector("#prompt[data-mine]");
  } finally {
    await closeAll();
    await (again ?? first).stop();
  }
});

test("after a rematch with the other deck the page says who plays what now", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  const versus = () => page.locator("#zoom").innerText();
  assert.match(await versus(), /“Harbour Lights” against “Night School”/);
  await page.getByRole("button", { name: "Concede" }).click();
  await page.getByRole("button", { name: "Concede the duel" }).click();
  await page.locator("#ending").getByRole("button", { name: "Rematch with the other deck" }).click();
  await page.waitForFunction(() => document.querySelector("#prompt") && !document.querySelector(".result"));
  assert.match(await versus(), /“Night School” against “Harbour Lights”/);
}));

test("the enlarged card stays while the pointer passes over others, and a click pins it", limit, () => table(["--seed", "5"], async (links) => {
  // The page's clock is the test's: no machine is too slow to be on the way.
  const page = await open(links[0], { before: (page) => page.clock.install() });
  await page.waitForSelector("#prompt[data-mine]");
  await page.clock.pauseAt(Date.now() + 1000);
  const large = () => page.locator("#zoom img").first().getAttribute("src");
  const cards = page.locator("#hand .card");
  await cards.nth(0).hover();
  await page.waitForSelector("#zoom img");
  const held = await large();
  const [other, zoom] = [await cards.nth(1).boundingBox(), await page.locator("#zoom").boundingBox()];
  await page.mouse.move(other.x + 20, other.y + 40);
  await page.clock.runFor(50);
  await page.mouse.move(zoom.x + 40, zoom.y + 40);
  await page.clock.runFor(300);
  assert.equal(await large(), held, "who is on the way means no other card");
  await page.locator("#hand .card[type=button]:not([popovertarget])").first().click();
  await page.waitForSelector("#zoom.pinned");
  const pinned = await large();
  await page.mouse.move(other.x + 20, other.y + 40);
  await page.clock.runFor(300);
  assert.equal(await large(), pinned);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#zoom.pinned").count(), 0);
}));
