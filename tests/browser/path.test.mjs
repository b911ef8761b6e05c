// A newcomer's way: the front page, the lesson, a duel, its end, the replay by turns, a rematch; by mouse, by
// keyboard and by touch, with axe on every page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, answers, asked, axe, choose, number, open, over, picture, skip, table } from "./table.mjs";

const WAYS = {
  mouse: { options: {}, press: choose, reach: (target) => target.click() },
  keyboard: {
    options: {},
    press: async (page, option) => { await option.focus(); await page.keyboard.press("Enter"); },
    reach: async (target) => { await target.focus(); await target.page().keyboard.press("Enter"); },
  },
  touch: {
    options: { viewport: PHONE, hasTouch: true, isMobile: true },
    press: async (page, option) => { await page.waitForTimeout(360); await option.tap(); },
    reach: (target) => target.tap(),
  },
};

for (const [name, { options, press, reach }] of Object.entries(WAYS)) {
  test(`from the front page to a rematch, by ${name}`, { skip, timeout: 240000 }, () => table(["--seed", "5"], async (links, { front }) => {
    const page = await open(front, options);
    await axe(page, "front page");
    await picture(page, `front-${name}`);

    await reach(page.getByRole("button", { name: "Your first duel" }));
    await page.waitForSelector("#prompt .coach");
    for (let count = 0; count < 60 && !await over(page); count += 1) {
      const since = await number(page);
      await press(page, page.locator("#prompt .options .cue, #prompt .faces .cue").first());
      await asked(page, since);
    }
    assert.equal(await page.locator("#prompt .result").getAttribute("data-won"), "true", "the lesson is won");
    await axe(page, "the end of the lesson");

    await reach(page.getByRole("link", { name: "Home" }));
    await page.waitForSelector(".solved");
    await reach(page.locator("#next-opponent .go"));
    await page.waitForSelector("#prompt[data-mine], #prompt .waiting");
    for (let count = 0; count < 400 && !await over(page); count += 1) {
      await page.waitForSelector("#prompt[data-mine], #prompt .result");
      if (await over(page)) break;
      const since = await number(page);
      const { options, at } = await answers(page);
      await press(page, options.nth(at));
      await asked(page, since);
    }
    await page.waitForSelector("#ending:popover-open");
    await axe(page, "the end");
    await picture(page, `ending-${name}`);
    const wide = await page.evaluate(() => document.querySelector(".plot polyline.me").getBBox().width);
    assert.ok(wide > 300, "the plot goes over all turns");

    await reach(page.locator("#ending .moments a").first());
    await page.waitForSelector(".scrub .at-turn");
    const at = () => page.locator("[data-scrub]").inputValue();
    const first = await at();
    await reach(page.locator(".scrub .at-turn").first());
    await page.waitForFunction((old) => document.querySelector("[data-scrub]").value !== old, first);
    await axe(page, "the replay");
    await reach(page.getByRole("link", { name: "Later" }));
    await page.waitForFunction((old) => document.querySelector("[data-scrub]").value !== old, await at()).catch(() => {});

    await reach(page.getByRole("link", { name: "Back to the table" }));
    await page.waitForSelector("#prompt .result");
    await reach(page.getByRole("button", { name: "How it went" }));
    await reach(page.getByRole("button", { name: "Rematch", exact: true }));
    await page.waitForFunction(() => !document.querySelector(".result"));
    assert.deepEqual(page.faults, []);
  }));
}
