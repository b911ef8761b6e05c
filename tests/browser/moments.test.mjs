// What a newcomer watches: a fight blow by blow, whose turn it is, and a network that falls silent.
// The page's clock is the test's where time is measured: no machine is too slow for it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { proxy, through } from "./proxy.mjs";
import { PHONE, answers, asked, axe, changed, choose, number, open, over, picture, skip, table } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const limit = { skip, timeout: 120000 };
const real = (long) => new Promise((done) => setTimeout(done, long));

/** Three attack, two counter: blows on both sides, KOs, and a blow that reaches the player. */
const FIGHT = join(temporary("fight"), "fight.toml");
writeFileSync(FIGHT, `[[scenario]]
name = "Three against two"
active = "opponent"
phase = "counter-attack"
me = { hp = 3000, ring = ["Gasket 600", "Crumb 300"] }
opponent = { ring = ["Auntie Rye 500 attacks", "Deckhand Dab 700 attacks", "Sabreur Sabine 400 attacks"] }
blocks = { Gasket = "Auntie Rye", Crumb = "Deckhand Dab" }
`);

/** Notes what each change of the table shows: HP of both, and who stands in the rings with how much BP. */
const watchChanges = (page) => page.evaluate(() => {
  const state = () => ({
    time: performance.now(),
    hp: ["me", "them"].map((side) => Number(document.querySelector(`#${side}-bar .hp b`).textContent)),
    fighters: Object.fromEntries([...document.querySelectorAll(".felt .fighter[data-card]")].map((card) => [card.dataset.card, Number.parseInt(card.querySelector(".bp").textContent, 10)])),
  });
  window.changes = [state()];
  new MutationObserver(() => {
    const now = state();
    const last = window.changes.at(-1);
    if (JSON.stringify([now.hp, now.fighters]) !== JSON.stringify([last.hp, last.fighters])) window.changes.push(now);
  }).observe(document.getElementById("table"), { childList: true, subtree: true, characterData: true, attributes: true });
});

/** What happened between two states: blows, KOs and changes of a player's HP. */
function events(before, after) {
  const happened = [];
  for (const [at, hp] of before.hp.entries()) if (after.hp[at] !== hp) happened.push(`HP ${hp} → ${after.hp[at]}`);
  for (const [card, bp] of Object.entries(before.fighters)) {
    if (!(card in after.fighters)) happened.push(`${card} falls`);
    else if (after.fighters[card] < bp) happened.push(`${card} ${bp} → ${after.fighters[card]}`);
  }
  return happened;
}

const fights = (use, settings = {}, options = {}) => table(["--scenario", FIGHT, "--seat2", "random"], async (links) => {
  const page = await open(links[0], { settings: { speed: "normal", ...settings }, before: (page) => page.clock.install(), ...options });
  await page.clock.pauseAt(Date.now() + 1000);
  await watchChanges(page);
  const since = await number(page);
  await choose(page, page.locator("#prompt .onward button").last());
  await real(400);
  await use(page, since);
  assert.deepEqual(page.faults, []);
});

for (const reducedMotion of ["reduce", "no-preference"]) {
  test(`a fight is seen blow by blow: each for 400 ms at least, all of it within six seconds (${reducedMotion})`, limit, () => fights(async (page) => {
    let time = 0;
    for (; time < 9000; time += 50) {
      await page.clock.runFor(50);
      if (!await page.evaluate(() => document.documentElement.hasAttribute("data-showing"))) break;
    }
    const changes = await page.evaluate(() => window.changes);
    const steps = changes.slice(1).map((after, at) => ({ happened: events(changes[at], after), since: after.time - changes[at].time }));
    for (const { happened } of steps) assert.ok(happened.length <= 1, `one frame shows ${happened.join(" and ")}`);
    const told = steps.filter(({ happened }) => happened.length);
    // Two exchange blows twice, one of each falls, and one blow reaches the player.
    assert.ok(told.length >= 6, told.map(({ happened }) => happened).join());
    for (const { happened, since } of told.slice(1)) assert.ok(since >= 400, `${happened} comes ${since} ms after the blow before it`);
    const long = changes.at(-1).time - changes[1].time;
    assert.ok(long <= 6000, `the fight took ${long} ms`);
    assert.ok(time <= 9000, "the show ends");
  }, {}, { reducedMotion }));
}

test("any key shows the end of a fight at once, and answers nothing", limit, () => fights(async (page) => {
  await page.clock.runFor(700);
  assert.ok(await page.evaluate(() => document.documentElement.hasAttribute("data-showing")), "it is being shown");
  const before = (await page.evaluate(() => window.changes)).length;
  await page.keyboard.press("x");
  await page.clock.runFor(20);
  assert.equal(await page.evaluate(() => document.documentElement.hasAttribute("data-showing")), false);
  assert.ok((await page.evaluate(() => window.changes)).length > before, "the rest is on the table");
  assert.ok((await page.evaluate(() => window.changes.at(-1).hp[0])) < 3000);
}));

test("at a fast pace what the other does is over within two seconds, a fight with it", limit, () => fights(async (page) => {
  let time = 0;
  for (; time < 4000; time += 50) {
    if (time > 300 && !await page.evaluate(() => document.documentElement.hasAttribute("data-showing"))) break;
    await page.clock.runFor(50);
    await real(5);
  }
  assert.ok(time <= 2000, `the show took ${time} ms`);
  assert.ok((await page.evaluate(() => window.changes)).length > 3, "and is seen");
}, { speed: "fast" }));

for (const [late, least, most] of [[1000, 200, 900], [3000, 900, 2000]]) {
  // What the answer takes is a part of the two seconds; who has thought for long is watched all the same.
  let arrives;
  const held = new Promise((done) => { arrives = done; });
  const before = async (page) => {
    await page.clock.install();
    await page.route(/\/answer$/, async (route) => { await held; await route.continue(); });
  };
  test(`at a fast pace the two seconds begin with the click, ${late} ms before the fight`, limit, () => fights(async (page) => {
    await page.clock.runFor(late);
    arrives();
    await page.waitForFunction(() => window.changes.length > 1, null, { polling: 20 });
    let time = 0;
    for (; time < 4000 && await page.evaluate(() => document.documentElement.hasAttribute("data-showing")); time += 50) {
      await page.clock.runFor(50);
      await real(5);
    }
    assert.ok(time >= least && time <= most, `the show took ${time} ms`);
  }, { speed: "fast" }, { before }));
}

test("whose turn begins is said in large letters and in the tab, and why the last one ended by itself", limit, () => fights(async (page) => {
  const banners = new Set();
  for (let time = 0; time < 16000 && !await page.evaluate(() => document.getElementById("prompt").hasAttribute("data-mine")); time += 50) {
    await page.clock.runFor(50);
    const words = await page.locator(".banner").allTextContents();
    for (const banner of words) banners.add(banner);
    if (words.length && banners.size === 1) await picture(page, "banner-1280x720");
  }
  assert.ok([...banners].some((words) => /you/i.test(words)), [...banners].join());
  assert.match(await page.title(), /^Your turn · /i);
  // Who waits reads it in the tab, too.
  const since = await number(page);
  await choose(page, page.locator("#prompt .onward button").last());
  await real(300);
  await page.clock.runFor(100);
  if (await number(page) !== since && !await page.evaluate(() => document.getElementById("prompt").hasAttribute("data-mine"))) {
    assert.doesNotMatch(await page.title(), /^Your turn/i);
  }
}));

test("while the other acts the question's place tells the act in words and shows the card", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0], { settings: { speed: "normal" }, before: (page) => page.clock.install() });
  await page.clock.pauseAt(Date.now() + 1000);
  let acts = 0, cards = 0;
  for (let count = 0; count < 40 && acts < 3 && !await over(page); count += 1) {
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await real(500);
    for (let time = 0; time < 14000 && !await page.evaluate(() => document.getElementById("prompt").hasAttribute("data-mine")); time += 100) {
      await page.clock.runFor(100);
      if (!await page.evaluate(() => document.documentElement.hasAttribute("data-showing"))) { await real(30); continue; }
      const { words, actor } = await page.evaluate(() => ({ words: document.querySelector("#prompt .happening")?.textContent ?? "", actor: Boolean(document.querySelector("#prompt .actor img")) }));
      if (!/ plays? | attacks/.test(words)) continue;
      acts += 1;
      cards += Number(actor);
    }
  }
  assert.ok(acts > 0, "it acts");
  assert.ok(cards > 0, "the card that acts is shown beside the words");
}));

test("sound begins with the first click, has a switch in sight, and two volumes", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0], { before: (page) => page.addInitScript(() => {
    window.made = 0;
    const Real = window.AudioContext;
    window.AudioContext = class extends Real { constructor(...rest) { super(...rest); window.made += 1; } };
  }) });
  const button = page.locator('.tools [data-act="sound"]');
  assert.ok(await button.isVisible());
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  assert.equal(await page.evaluate(() => window.made), 0, "nothing sounds before the first click");
  await page.locator(".felt").click({ position: { x: 8, y: 8 } });
  assert.equal(await page.evaluate(() => window.made), 1);
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await page.reload();
  assert.equal(await button.getAttribute("aria-pressed"), "false", "it is kept");
  await page.locator(".felt").click({ position: { x: 8, y: 8 } });
  assert.equal(await page.evaluate(() => window.made), 0, "it stays off");
  await page.getByRole("button", { name: "Settings" }).click();
  for (const volume of ["volume-table", "volume"]) assert.ok(await page.locator(`[data-setting="${volume}"]`).isVisible(), volume);
}));

test("the front page is one screen at 1280×800 and two on a phone, also with duels to go on with", limit, () => table(["--seed", "5"], async (links, { front }) => {
  const playing = await open(links[0]);
  const since = await number(playing);
  const { options, at } = await answers(playing);
  await choose(playing, options.nth(at));
  await asked(playing, since);
  for (const [viewport, screens] of [[{ width: 1280, height: 800 }, 1], [PHONE, 2]]) {
    const page = await open(front, { viewport });
    const [tall, wide] = await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
    assert.ok(tall <= viewport.height * screens, `${tall} of ${viewport.height * screens}`);
    assert.ok(wide <= viewport.width, `${wide} of ${viewport.width}`);
    for (const words of ["Continue", "Next opponent", "Learn", "With a friend"]) assert.ok(await page.getByRole("heading", { name: words }).isVisible(), words);
    await axe(page, `front page at ${viewport.width}`);
    // A deck can be read before it is chosen.
    await page.getByRole("button", { name: "Read the decks" }).click();
    await page.locator(".deck-list summary").first().click();
    assert.ok(await page.locator(".deck-list li").first().isVisible());
    await picture(page, `front-${viewport.width}`);
  }
}));

test("on a silent network the page says so within six seconds, keeps the answer, and the other seat reads “away” within ten", limit, () => table(["--seed", "5", "--seat2", "human"], async (links) => {
  const swallows = await proxy(new URL(links[0]).port);
  try {
    const mine = await open(through(swallows, links[0]));
    const other = await open(links[1]);
    // The other one goes on until this seat is asked.
    for (let count = 0; count < 60 && !await mine.locator("#prompt[data-mine]").count(); count += 1) {
      await other.waitForSelector("#prompt[data-mine]");
      const before = await number(other);
      const { options } = await answers(other);
      await choose(other, options.last());
      await Promise.all([mine, other].map((page) => changed(page, before)));
    }
    await mine.waitForSelector("#prompt[data-mine]");
    await other.waitForSelector('#them-bar [data-presence="here"]');
    // It has answered a beat: the table knows that it does.
    await mine.waitForResponse((response) => response.url().endsWith("/here"));
    swallows.state.silent = true;
    const begun = Date.now();
    const since = await number(mine);
    const { options, at } = await answers(mine);
    await choose(mine, options.nth(at));
    await mine.waitForFunction(() => document.getElementById("notice").textContent, null, { timeout: 15000 });
    const said = Date.now() - begun;
    await other.waitForSelector('#them-bar [data-presence="away"]', { timeout: 20000 });
    const away = Date.now() - begun;
    assert.ok(said <= 6000, `the page said so after ${said} ms`);
    assert.ok(away <= 10000, `the other seat read it after ${away} ms`);
    console.log(`said after ${said} ms, away after ${away} ms`);
    assert.equal(await number(other), since, "the answer has not come through");
    swallows.state.silent = false;
    await changed(other, since);
    await changed(mine, since);
    await other.waitForSelector('#them-bar [data-presence="here"]', { timeout: 20000 });
    assert.equal(await number(mine), await number(other), "it was taken once");
  } finally {
    swallows.stop();
  }
}));

test("the log is one stop, arrow keys walk along it, and Tab stays inside a dialog until Escape", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  for (let count = 0; count < 8; count += 1) {
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  const lines = page.locator("#log-turns a");
  assert.ok(await lines.count() > 4);
  assert.equal(await page.locator('#log-turns a:not([tabindex="-1"])').count(), 1, "one stop");
  await page.locator('#log-turns a:not([tabindex="-1"])').focus();
  const words = () => page.evaluate(() => document.activeElement.textContent);
  const last = await words();
  await page.keyboard.press("ArrowUp");
  assert.notEqual(await words(), last);
  await page.keyboard.press("ArrowDown");
  assert.equal(await words(), last);
  await page.keyboard.press("Home");
  assert.equal(await words(), await lines.first().textContent());
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => Boolean(document.activeElement.closest("#log-turns"))), false, "Tab leaves the log");
  for (const name of ["Settings", "Help", "Learn", "Concede"]) {
    const opener = page.getByRole("button", { name, exact: true });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(":popover-open")?.contains(document.activeElement));
    for (let count = 0; count < 60; count += 1) {
      await page.keyboard.press(count % 20 < 15 ? "Tab" : "Shift+Tab");
      assert.ok(await page.evaluate(() => document.querySelector(":popover-open").contains(document.activeElement)), `Tab leaves ${name}`);
    }
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(":popover-open").count(), 0);
    assert.ok(await opener.evaluate((button) => button === document.activeElement), `${name} has the focus again`);
  }
}));

test("help begins with the game and what fits the device", limit, () => table(["--seed", "5"], async (links) => {
  for (const [options, first] of [[{}, /^Help\s+Close\s+The game\s+[^\n]+\s+Fights\s+[^\n]+\s+United Attacks\s+[^\n]+\s+Mouse and keys/], [{ viewport: PHONE, hasTouch: true, isMobile: true }, /^Help\s+Close\s+The game\s+[^\n]+\s+Fights\s+[^\n]+\s+United Attacks\s+[^\n]+\s+With a finger/]]) {
    const page = await open(links[0], options);
    await page.getByRole("button", { name: "Help" }).click();
    await page.waitForSelector("#help .by-mouse");
    assert.match((await page.locator("#help").innerText()).trim(), first);
  }
}));
