// What others do is a show that takes its time, and a finger that is faster than the eye answers nothing.
// The page's clock is the test's: no machine is too slow for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, asked, axe, changed, choose, number, open, over, picture, skip, table } from "./table.mjs";

const limit = { skip, timeout: 120000 };
const STEP = 40;

/** What the page shows now. */
const shown = (page) => page.evaluate(() => ({
  words: document.querySelector("#prompt .happening")?.textContent ?? "",
  prompt: document.getElementById("prompt").innerText,
  asked: document.getElementById("prompt").hasAttribute("data-mine") || Boolean(document.querySelector("#prompt .result")),
  showing: document.documentElement.hasAttribute("data-showing"),
  moving: Math.max(0, ...document.getAnimations().map((one) => one.effect.getComputedTiming())
    .filter(({ iterations }) => iterations !== Infinity).map(({ duration }) => Number(duration) || 0)),
}));
const real = (long) => new Promise((done) => setTimeout(done, long));

/** A page that is watched, and one beside it that tells when the computer has done all it does. */
async function watched(link, settings = {}) {
  const beside = await open(link);
  const page = await open(link, { settings: { speed: "normal", ...settings }, before: (page) => page.clock.install() });
  await page.clock.pauseAt(Date.now() + 1000);
  return { page, beside };
}

/** Answers until the computer acts; everything it does has happened, and the page has shown the first of it. */
async function untilOthersAct({ page, beside }, from = 0) {
  for (let count = 0; count < 60; count += 1) {
    const since = await number(beside);
    await page.clock.runFor(6000);
    assert.equal(await number(page), since, "both pages show the same question");
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(beside, since);
    await real(150);
    if ((await shown(page)).showing && from <= count) return since;
  }
  return assert.fail("the computer never acts");
}

/** Lets the page's time pass until the seat is asked; what was shown, and for how long. */
async function watch(page) {
  const all = [];
  for (let time = 0; time < 20000; time += STEP) {
    const now = await shown(page);
    if (now.asked) return { all, time };
    const last = all.at(-1);
    if (last?.words === now.words) last.long += STEP;
    else all.push({ ...now, long: STEP });
    await page.clock.runFor(STEP);
    await real(4);
  }
  return assert.fail("the show ends");
}

test("the opening hands are dealt within a second; not again, and not for who wants no motion", limit, () => table(["--seed", "5"], async (links) => {
  const dealt = (page) => page.evaluate(() => document.getAnimations().filter(({ id }) => id === "deal")
    .map(({ effect }) => effect.getComputedTiming().endTime));
  const page = await open(links[0], { reducedMotion: "no-preference", settings: { speed: "normal" } });
  const ends = await dealt(page);
  assert.ok(ends.length >= 5 && Math.max(...ends) <= 1000, ends.join());
  await page.reload();
  assert.deepEqual(await dealt(page), []);
  for (const options of [{ reducedMotion: "reduce", settings: { speed: "normal" } }, { reducedMotion: "no-preference" }]) {
    assert.deepEqual(await dealt(await open(links[0], options)), []);
  }
}));

test("every act of the other player takes its moment, and a whole turn two to five seconds", limit, () => table(["--seed", "5"], async (links) => {
  const both = await watched(links[0]);
  let longest = 0, acts = 0;
  for (let turns = 0; turns < 4; turns += 1) {
    await untilOthersAct(both);
    const { all, time } = await watch(both.page);
    longest = Math.max(longest, time);
    for (const one of all) {
      assert.doesNotMatch(one.prompt, /earlier moment/i);
      assert.ok(one.moving <= 100, `with reduced motion nothing moves: ${one.moving} ms`);
      if (!/ plays? | attacks? /.test(one.words)) continue;
      acts += 1;
      assert.ok(one.long >= 300, `“${one.words}” is shown for ${one.long} ms`);
    }
    if (turns === 0) await picture(both.page, "show-1280x720");
  }
  assert.ok(acts >= 3, `${acts} acts`);
  // A fight has up to six seconds of its own.
  assert.ok(longest >= 2000 && longest <= 11200, `the longest show took ${longest} ms`);
}));

for (const [how, collapse] of [["key", (page) => page.keyboard.press("a")], ["click", (page) => page.locator(".felt").click({ position: { x: 8, y: 8 } })]]) {
  test(`any ${how} shows the end of it at once, and answers nothing`, limit, () => table(["--seed", "5"], async (links) => {
    const both = await watched(links[0]);
    await untilOthersAct(both);
    await collapse(both.page);
    await real(100);
    assert.ok((await shown(both.page)).asked);
    assert.equal(await number(both.page), await number(both.beside));
    assert.deepEqual(both.page.faults, []);
  }));
}

test("the speed can be set", limit, () => table(["--seed", "5"], async (links) => {
  const both = await watched(links[0]);
  // The shortest act of a turn: the longest is another act in another turn.
  const shortest = {};
  for (const speed of ["slow", "fast"]) {
    await both.page.evaluate((speed) => localStorage.setItem("speed", speed), speed);
    await untilOthersAct(both);
    shortest[speed] = Math.min(...(await watch(both.page)).all.map(({ long }) => long));
  }
  assert.ok(shortest.slow > shortest.fast * 1.5, JSON.stringify(shortest));
}));

test("what is set is kept when the page is loaded again", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator("[data-setting=speed]").selectOption("fast");
  await page.locator("[data-setting=sound]").setChecked(true);
  await page.locator("[data-setting=volume]").fill("30");
  await axe(page, "settings");
  await picture(page, "settings-1280x720");
  await page.reload();
  const kept = await page.evaluate(() => ["speed", "sound", "volume"].map((name) => {
    const field = document.querySelector(`[data-setting=${name}]`);
    return field.type === "checkbox" ? field.checked : field.value;
  }));
  assert.deepEqual(kept, ["fast", true, "30"]);
}));

/** Counts the answers that the page sends. */
function counted(page) {
  const sent = [];
  page.on("request", (request) => { if (request.method() === "POST" && request.url().endsWith("/answer")) sent.push(request.postData()); });
  return sent;
}

test("a stray second click, tap or Space does not answer the next question", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0], { hasTouch: true });
  const strays = [
    async (button) => { const { x, y } = await button.boundingBox(); await page.mouse.dblclick(x + 9, y + 9, { delay: 20 }); },
    async (button) => { const { x, y } = await button.boundingBox(); for (let taps = 0; taps < 2; taps += 1) { await page.touchscreen.tap(x + 9, y + 9); await real(40); } },
    async (button) => { await button.focus(); await page.keyboard.press(" "); await real(40); await page.keyboard.press(" "); },
  ];
  for (const [at, stray] of strays.entries()) {
    // Counted from when the question is on the screen: a busy machine shows it late.
    await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
    await real(500);
    const sent = counted(page);
    const since = await number(page);
    await stray(page.locator("#prompt .options button.go, #prompt .options button").last());
    await asked(page, since);
    await real(300);
    assert.equal(new Set(sent).size, 1, `stray ${at}`);
    if (await over(page)) return;
  }
}));

test("an answer is for the question that was there when the finger went down", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  const beside = await open(links[0]);
  const sent = counted(page);
  const button = await page.locator("#prompt .options button").last().boundingBox();
  const since = await number(page);
  await page.mouse.move(button.x + 9, button.y + 9);
  await page.mouse.down();
  await beside.locator("#prompt .options button").last().click();
  await asked(page, since);
  await real(400);
  await page.mouse.up();
  await real(200);
  assert.equal(sent.length, 0);
  // A card of the hand stays the same button from one question to the next.
  await page.mouse.move(3, 3);
  await real(400);
  for (let count = 0; count < 12 && !await page.locator("#hand .card.legal[type=submit]").count(); count += 1) {
    const before = await number(page);
    await beside.locator("#prompt .options button").last().click();
    await asked(page, before);
    await real(400);
  }
  const card = await page.locator("#hand .card.legal[type=submit]").first().boundingBox();
  const now = await number(page);
  await page.mouse.move(card.x + 20, card.y + 40);
  await page.mouse.down();
  await beside.locator("button[value=control]").click();
  await asked(page, now);
  await page.mouse.up();
  await real(300);
  assert.equal(sent.length, 0, "the card is not played for the question that came after");
  // Nor does a key that was down before it came.
  for (const key of [" ", "Enter"]) {
    const held = page.locator("#hand .card.legal[type=submit]").first();
    const then = await number(page);
    await held.focus();
    // Enter answers when it goes down: it is kept from that once, and then held.
    if (key === "Enter") {
      await page.evaluate(() => document.activeElement.addEventListener("keydown", (event) => event.preventDefault(), { once: true }));
    }
    await page.keyboard.down(key);
    await beside.locator("button[value=control]").click();
    await asked(page, then);
    if (key === "Enter") await page.keyboard.down(key);
    await page.keyboard.up(key);
    await real(300);
    assert.equal(sent.length, 0, `the card is not played by a ${key === " " ? "Space" : key} that came before the question`);
  }
}));

test("a card that stays is the same element, and so keeps what it shows", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  let same = 0;
  for (let count = 0; count < 6 && !await over(page); count += 1) {
    const since = await number(page);
    const marked = await page.evaluate(() => [...document.querySelectorAll("#hand [data-card]")].map((card) => {
      card.marked = true;
      return card.dataset.card;
    }));
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
    const stayed = await page.evaluate((marked) => [...document.querySelectorAll("#hand [data-card]")]
      .filter((card) => marked.includes(card.dataset.card)).map((card) => [card.getAttribute("aria-label"), Boolean(card.marked)]), marked);
    assert.deepEqual(stayed.filter(([, marked]) => !marked), [], "cards that stayed in the hand");
    same += stayed.length;
  }
  assert.ok(same > 6, `${same} cards stayed`);
}));

test("when a card leaves the hand, those behind it neither move nor lose the focus", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  const since = await number(page);
  const [first, last] = await page.evaluate(() => {
    const cards = [...document.querySelectorAll("#hand .card")];
    window.moved = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) if (node.localName === "li") window.moved.push(node.textContent);
    }).observe(document.getElementById("hand"), { childList: true });
    cards.at(-1).focus();
    const first = cards.find((card) => card.matches(".legal[type=submit]"));
    return [first?.dataset.card, cards.at(-1).dataset.card];
  });
  assert.ok(first && first !== last);
  await page.evaluate((card) => document.querySelector(`#hand [data-card="${card}"]`).click(), first);
  await changed(page, since);
  await page.waitForFunction((card) => !document.querySelector(`#hand [data-card="${card}"]`), first);
  assert.deepEqual(await page.evaluate(() => window.moved), []);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.card), last);
}));

test("who plays with keys stands at the next question, also after the other's turn", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  for (let count = 0; count < 5 && !await over(page); count += 1) {
    const since = await number(page);
    const option = page.locator("#prompt .options button").last();
    await option.focus();
    await page.keyboard.press("Enter");
    await asked(page, since);
    // After the end the focus lies in the dialog, at what comes next.
    const ended = await over(page);
    await page.waitForFunction((ended) => ended ? document.activeElement?.closest("#ending .again") : document.activeElement?.id === "question", ended, { timeout: 5000 });
  }
}));

test("a computer that thinks for longer than a moment says so, until it has done", limit, () => table(["--seed", "5", "--seat2", "hard"], async (links) => {
  const page = await open(links[0]);
  // What the words looked like just before and after the moment, by the animation's own clock.
  await page.evaluate(() => {
    window.thought = [];
    new MutationObserver(() => {
      const words = document.querySelector("#prompt .thinks");
      const [arrives] = words?.getAnimations() ?? [];
      if (!words || words.seen) return;
      words.seen = true;
      arrives.pause();
      const at = (time) => { arrives.currentTime = time; return Number(getComputedStyle(words).opacity); };
      window.thought.push({ words: words.textContent, before: at(arrives.effect.getComputedTiming().delay), after: at(arrives.effect.getComputedTiming().endTime), delay: arrives.effect.getComputedTiming().delay });
    }).observe(document.getElementById("table"), { childList: true, subtree: true });
  });
  let thought = [];
  for (let count = 0; count < 30 && !thought.length && !await over(page); count += 1) {
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
    thought = await page.evaluate(() => window.thought);
    assert.equal(await page.locator(".thinks").count(), 0, "the question takes its place");
  }
  assert.ok(thought.length > 0, "it thinks");
  assert.match(thought[0].words, /^The computer is thinking/);
  assert.deepEqual([thought[0].delay, thought[0].before, thought[0].after], [300, 0, 1]);
}));
