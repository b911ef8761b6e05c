// What a computer thinks of a duel that is over: on the page after the end, and in the replay.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, answers, axe, choose, open, over, picture, play, skip, table } from "./table.mjs";

test("the chance of winning and the costliest choices lead into the replay", { skip, timeout: 300000 }, () => table(["--seed", "12"], async (links) => {
  for (const [name, viewport] of [["desk", undefined], ["phone", PHONE]]) {
    const page = await open(links[0], viewport && { viewport });
    if (!await over(page)) {
      await play(page, async () => {
        const { options, at } = await answers(page);
        await choose(page, options.nth(at));
      });
    } else if (!await page.locator("#ending:popover-open").count()) {
      // The duel ended on the other device.
      await page.getByRole("button", { name: "How it went" }).click();
    }
    await page.waitForSelector("#ending:popover-open");
    await page.waitForSelector("#review[data-done] .plot polyline", { timeout: 120000 });
    await page.locator("#review").scrollIntoViewIfNeeded();
    await axe(page, "the end with its review");
    await picture(page, `review-${name}`);
    const cut = await page.evaluate(() => [...document.querySelectorAll("#review *")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length);
    assert.equal(cut, 0, "no text runs over its box");
    // The dots are explained, and the falls of the graph by more than the own choices.
    assert.match(await page.locator("#review figcaption").innerText(), /^● one of your costliest choices/);
    assert.match(await page.locator("#review").innerText(), /Turn \d+ \d+ % → \d+ %: .*luck and the computer's play/);
    const point = page.locator("#review .points a").first();
    const told = await point.innerText();
    await point.click();
    // Before the script listens, the link leads to a page of its own.
    await page.waitForSelector("html.ready body.replay");
    await page.locator(".scrub a", { hasText: "What would the computer do?" }).click();
    await page.waitForSelector("#insight:popover-open .thoughts li");
    const thoughts = await page.locator("#insight").innerText();
    assert.match(thoughts, /\d+ %/);
    // What the review likes better is what the computer would have done there.
    const better = told.split("; better: ")[1];
    assert.ok(thoughts.includes(better), `${better} in ${thoughts}`);
    await axe(page, "what the computer thinks");
    await picture(page, `thoughts-${name}`);
    assert.deepEqual(page.faults, []);
  }
}));
