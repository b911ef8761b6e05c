// Whole duels against the computer: by mouse, by keyboard only, by touch on a phone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PHONE, answers, axe, changed, choose, fits, number, open, over, picture, play, asked, root, skip, table } from "./table.mjs";

const PROMPTS = join(root, "crates/cw-serve/tests/prompts.toml");
const limit = { skip, timeout: 240000 };

test("a duel by mouse, to the rematch", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  await fits(page);
  await axe(page, "beginning");
  const kinds = await play(page, async () => {
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
  });
  assert.ok(kinds.has("main") && kinds.has("counter"), [...kinds].join());
  await axe(page, "end");
  await picture(page, "end-1280x720");
  await page.getByRole("button", { name: "Rematch", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector(".result"));
}));

test("a character is played by one click, and undo takes it back", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  const fighters = () => page.locator("#me-ring .fighter").count();
  const click = async (target) => { const since = await number(page); await choose(page, target); await asked(page, since); };
  // While something useful can be done the yellow button does not end the phase, and neither does Space.
  assert.equal(await page.locator("#prompt .go").count(), 0);
  assert.match(await page.locator("#prompt .onward").innerText(), /unused:/);
  // It looks like the other options, so that it is no advice.
  const looks = (options) => options.first().evaluate((option) => { const { borderColor, borderWidth, fontWeight } = getComputedStyle(option); return { borderColor, borderWidth, fontWeight }; });
  assert.deepEqual(await looks(page.locator("#prompt .onward .option")), await looks(page.locator("#prompt .options:not(.onward) .option")));
  const before = await number(page);
  await page.keyboard.press(" ");
  await page.waitForTimeout(200);
  assert.equal(await number(page), before);

  await click(page.locator("#hand .card.legal[data-model]").first());
  assert.equal(await fighters(), 1);
  await page.keyboard.press("z");
  await page.waitForFunction(() => !document.querySelector("#me-ring .fighter"));
  assert.deepEqual(page.faults, []);
}));

test("a card and two attacks take four clicks", limit, () =>
  table(["--scenario", PROMPTS, "--only", "C3 ", "--after-steps", "--seat2", "random"], async (links) => {
    // The card and the end of the Main phase are two of them: here the attack begins.
    const page = await open(links[0]);
    const attackers = page.locator("#me-ring .fighter.attacks");
    let since = await number(page);
    await page.getByRole("button", { name: /Call Gasket back/ }).last().click();
    await asked(page, since);
    since = await number(page);
    await choose(page, page.locator(".all"));
    await asked(page, since);
    assert.ok(await attackers.count() >= 2);
    await page.keyboard.press("z");
    await page.waitForFunction(() => !document.querySelector("#me-ring .fighter.attacks"));
    since = await number(page);
    await page.keyboard.press("a");
    await asked(page, since);
    assert.ok(await attackers.count() >= 2);
    await picture(page, "attack-with-all-1280x720");
    since = await number(page);
    await choose(page, page.locator("#prompt .go"));
    await changed(page, since);
    assert.deepEqual(page.faults, []);
  }));

/** Takes the first playable card of the hand up and moves it over a slot. */
async function take(page, slot) {
  const from = await page.locator("#hand .card.legal").first().boundingBox();
  const to = await page.locator(slot).boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
}

test("a character is dragged from the hand into a slot, and taken back", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  const before = await page.locator("#hand .card").count();
  await take(page, "#me-slot-3");
  await page.mouse.up();
  await page.waitForSelector("#me-slot-3 .fighter");
  assert.equal(await page.locator("#hand .card").count(), before - 1);
  await page.keyboard.press("z");
  await page.waitForSelector("#me-slot-3 button.empty.legal, #me-slot-3 span.empty");
}));

/** Answers that reach the table `there` ms late, and are acknowledged `back` ms after they were taken. */
const slowly = (there, back) => (page) => page.route("**/answer", async (route) => {
  await new Promise((done) => setTimeout(done, there));
  const response = await route.fetch();
  await new Promise((done) => setTimeout(done, back));
  await route.fulfill({ response }).catch(() => {});
});

for (const [when, there, back] of [["before the answer is acknowledged", 0, 1500], ["late", 3500, 0]]) {
  test(`a drop is not lost when the next question comes ${when}`, limit, () => table(["--seed", "5"], async (links) => {
    const page = await open(links[0], { before: slowly(there, back) });
    await take(page, "#me-slot-3");
    await page.mouse.up();
    await page.waitForSelector("#me-slot-3 .fighter");
    assert.deepEqual(page.faults, []);
  }));
}

test("a click is not lost when the next question comes before the answer is acknowledged", limit, () =>
  table(["--seed", "5"], async (links) => {
    const page = await open(links[0], { before: slowly(0, 1500) });
    for (let count = 0; count < 5; count += 1) {
      const since = await number(page);
      const { options, at } = await answers(page);
      await choose(page, options.nth(at));
      await asked(page, since);
    }
    assert.equal(await page.locator("#notice").textContent(), "");
  }));

test("a card stays in the hand that holds it when the table is drawn anew", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  await take(page, "#me-slot-3");
  const other = await page.context().newPage();
  await other.goto(page.url());
  // The hand is drawn anew, as a message from the table draws it, and then a message comes.
  await page.evaluate(() => {
    const drawn = document.getElementById("hand").cloneNode(true);
    for (const card of drawn.querySelectorAll(".card")) card.removeAttribute("style");
    document.getElementById("hand").replaceWith(drawn);
  });
  const since = await number(page);
  await other.getByRole("button", { name: "Full control" }).click();
  await changed(page, since);
  const moved = await page.evaluate(() => document.querySelector('#hand .card[style*="translate"]')?.style.translate);
  assert.match(moved ?? "", /px/);
  await page.mouse.up();
  await page.waitForSelector("#me-slot-3 .fighter");
}));

test("a duel by keyboard only, and the focus is never lost", limit, () => table(["--seed", "8"], async (links) => {
  const page = await open(links[0]);
  let pointed = 0;
  page.on("request", (request) => { pointed += Number(request.url().includes("mouse")); });
  await play(page, async () => {
    await page.keyboard.press("ArrowUp");
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "BODY");
    const { at } = await answers(page);
    const faces = await page.locator("#prompt .faces button.legal").count();
    if (faces) {
      await page.locator("#prompt .faces button.legal").first().focus();
      await page.keyboard.press("Enter");
    } else if (at < 9) {
      await page.keyboard.press(String(at + 1));
    }
  });
  await page.keyboard.press("?");
  await page.waitForSelector("#help:popover-open");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("#help:popover-open"));
}));

test("a duel by touch on a phone", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0], { viewport: PHONE, hasTouch: true, isMobile: true });
  await fits(page);
  await axe(page, "phone");
  let shown = 0;
  await play(page, async () => {
    const { options, at } = await answers(page);
    await page.waitForTimeout(360);
    await options.nth(at).tap();
    shown += 1;
    if (shown === 12 || shown === 20) await picture(page, `phone-${shown}-390x844`);
  });
  await picture(page, "phone-end-390x844");
}));

test("with reduced motion nothing moves for long; without it, it does", limit, () => table(["--seed", "5"], async (links) => {
  for (const [reducedMotion, least, most] of [["reduce", 0, 100], ["no-preference", 101, 1000]]) {
    const page = await open(links[0], { reducedMotion });
    const longest = await page.evaluate(async () => {
      let longest = 0;
      const number = () => document.getElementById("prompt").dataset.number;
      const since = number();
      document.querySelector("#prompt .options button").click();
      // However long the answer takes: what moves begins when it is shown.
      for (let left = 60; left > 0; left -= Number(number() !== since)) {
        for (const moving of document.getAnimations()) {
          const { duration, iterations } = moving.effect.getComputedTiming();
          if (iterations !== Infinity) longest = Math.max(longest, Number(duration) || 0);
        }
        await new Promise(requestAnimationFrame);
      }
      return longest;
    });
    assert.ok(longest >= least && longest <= most, `${reducedMotion}: ${longest} ms`);
    await page.context().close();
  }
}));

test("the guided first duel can be followed to its end by doing what the coach says", limit, () => table(["--lesson"], async (links) => {
  const page = await open(links[0]);
  await picture(page, "lesson-1280x720");
  await axe(page, "lesson");
  const heard = new Set();
  for (let count = 0; count < 60 && !await over(page); count += 1) {
    heard.add(await page.locator(".coach").textContent());
    const since = await number(page);
    await choose(page, page.locator("#prompt .options .cue, #prompt .faces .cue").first());
    await asked(page, since);
    if (count === 8) await picture(page, "lesson-later-1280x720");
  }
  assert.equal(await page.locator("#prompt .result").getAttribute("data-won"), "true");
  assert.ok(heard.size > 12, `${heard.size} things were said`);
  assert.deepEqual(page.faults, []);
}));

test("a puzzle from the shelf is opened beside the duel, failed and begun again", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  await page.getByRole("button", { name: "Learn" }).click();
  await picture(page, "learn-1280x720");
  await page.waitForSelector("#learn h4 ~ h4");
  await axe(page, "learn");
  await page.locator("#learn button", { hasText: "Manners before muscles" }).click();
  await page.waitForFunction(() => document.querySelector("#zoom h2")?.textContent === "Manners before muscles");
  for (let count = 0; count < 6 && !await page.getByText("Not solved").count(); count += 1) {
    const since = await number(page);
    await page.waitForTimeout(360);
    await page.locator("#prompt .options button").last().click();
    await asked(page, since);
  }
  await picture(page, "puzzle-failed-1280x720");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForSelector("#prompt[data-kind=main]");
}));
