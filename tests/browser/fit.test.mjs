// Questions of whole duels at five sizes: nothing that a player needs is covered, clipped or off the screen,
// the board stays where it is, and no text runs over its box.

import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./fit.mjs";
import { PHONE, answers, choose, closeAll, changed, number, open, over, picture, serve, skip } from "./table.mjs";

/** Questions that are looked at; a longer run finds rarer ones. */
const QUESTIONS = Number(process.env.QUESTIONS ?? 60);
const SIZES = [{ width: 1280, height: 800 }, PHONE, { width: 844, height: 390 }, { width: 820, height: 1180 }, { width: 320, height: 640 }];
const named = ({ width, height }) => `${width}x${height}`;

test("questions of whole duels, at five sizes", { skip, timeout: 900000 }, async () => {
  const faults = new Map(), boards = new Map();
  let questions = 0;
  for (let seed = 31; questions < QUESTIONS; seed += 1) {
    const served = await serve("--seed", String(seed));
    try {
      const pages = [];
      for (const size of SIZES) pages.push(await open(served.links[0], { viewport: size, colorScheme: seed % 2 ? "dark" : "light" }));
      for (let turn = 0; questions < QUESTIONS && turn < 90 && !await over(pages[0]); turn += 1) {
        questions += 1;
        const since = await number(pages[0]);
        for (const [at, page] of pages.entries()) {
          const found = await look(page);
          const size = named(SIZES[at]);
          for (const fault of found.faults) {
            const key = `${size}: ${fault}`;
            if (!faults.has(key)) await picture(page, `fault-${size}-${faults.size}`);
            faults.set(key, (faults.get(key) ?? 0) + 1);
          }
          const known = boards.get(size) ?? boards.set(size, found.board).get(size);
          const apart = (one, other) => Math.max(...one.split(/[ ,]/).map((part, at) => Math.abs(part - other.split(/[ ,]/)[at])));
          if (apart(known, found.board) > 1 && !faults.has(`${size}: the board moves from ${known} to ${found.board}`)) await picture(page, `fault-${size}-${faults.size}`);
          if (apart(known, found.board) > 1) faults.set(`${size}: the board moves from ${known} to ${found.board}`, 1);
        }
        const { options, at } = await answers(pages[0]);
        const count = await options.count();
        await choose(pages[0], options.nth(turn % 4 ? at : turn % count));
        await Promise.all(pages.map((page) => changed(page, since)));
        for (const page of pages) await page.waitForFunction(() => document.querySelector("#prompt[data-mine], #prompt .result"));
      }
    } finally {
      await closeAll();
      await served.stop();
    }
  }
  console.log(`${questions} questions at ${SIZES.length} sizes`);
  assert.deepEqual([...faults].map(([fault, times]) => `${fault} (${times}×)`), []);
});

test("between two people the board keeps its place when the turn passes", { skip, timeout: 240000 }, async () => {
  const { links, stop } = await serve("--seed", "21", "--seat2", "human");
  try {
    const pages = [await open(links[0]), await open(links[1])];
    const first = new Map();
    let [last, turns] = ["", 0];
    for (let count = 0; count < 60 && turns < 4; count += 1) {
      const asked = await pages[0].locator("#prompt[data-mine]").count() ? 0 : 1;
      const turn = await pages[0].locator(".bar .turn").evaluate((turn) => turn.closest(".bar").id);
      if (last !== turn) {
        last = turn;
        turns += 1;
        for (const size of SIZES) {
          await pages[0].setViewportSize(size);
          const place = await pages[0].locator(".felt").evaluate((felt) => new Promise((done) => requestAnimationFrame(() => { const { left, top, right, bottom } = felt.getBoundingClientRect(); done([left, top, right, bottom]); })));
          if (!first.has(named(size))) first.set(named(size), place);
          const moved = place.map((at, side) => at - first.get(named(size))[side]);
          assert.ok(moved.every((by) => Math.abs(by) < 0.6), `${named(size)}, choice ${count}, turn of ${turn}: the board moved by ${moved}`);
        }
      }
      const since = await number(pages[asked]);
      const { options, at } = await answers(pages[asked]);
      await options.nth(at).evaluate((button) => button.click());
      await Promise.all(pages.map((page) => changed(page, since)));
    }
    assert.equal(turns, 4, "turns that were seen");
  } finally { await stop(); await closeAll(); }
});

test("a keyword in a player's bar is as small as the words beside it", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    for (const size of SIZES) {
      const page = await open(served.links[0], { viewport: size });
      const large = await page.evaluate(() => {
        const words = document.createElement("div");
        words.className = "words";
        words.innerHTML = '<i class="m" title="x">untouchable</i>';
        document.querySelector("#them-bar .sp").after(words);
        return parseFloat(getComputedStyle(words.firstChild).fontSize);
      });
      assert.ok(large <= 16, `${named(size)}: ${large} px`);
      await page.context().close();
    }
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("what was shown has a place of its own: it covers nothing, and the board stays", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    for (const size of SIZES) {
      const page = await open(served.links[0], { viewport: size });
      await page.waitForSelector("#prompt[data-mine]");
      const before = await look(page);
      await page.evaluate(() => {
        const panel = document.getElementById("shown");
        const face = document.querySelector("#hand .card img").outerHTML;
        panel.innerHTML = `<p>Shown from the computer's deck:</p><ul class="faces">${`<li><span class="card">${face}</span></li>`.repeat(6)}</ul><button class="small" type="button" value="dismiss">Hide</button><button class="small look" type="button">Look at 6 cards</button>`;
        panel.hidden = false;
        dispatchEvent(new Event("resize"));
        // The page measures anew, as it does when something is shown to it.
        dispatchEvent(new Event("resize"));
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
      });
      // Six cards are all in sight where there is room.
      const inSight = await page.evaluate(() => {
        const { right, bottom } = document.getElementById("shown").getBoundingClientRect();
        return [...document.querySelectorAll("#shown .card")].filter((card) => card.getBoundingClientRect().width && card.getBoundingClientRect().right <= right && card.getBoundingClientRect().bottom <= bottom).length;
      });
      const roomy = size.width > 700 && size.height > 700;
      assert.equal(inSight, roomy ? 6 : 0, named(size));
      // Where there is no room for cards that can be told apart, a button opens them.
      const look_at = page.getByRole("button", { name: "Look at 6 cards" });
      assert.equal(await look_at.isVisible(), !roomy, named(size));
      if (!roomy) await look_at.click({ trial: true, timeout: 2000 });
      const { faults, board } = await look(page);
      await picture(page, `shown-${named(size)}`);
      assert.deepEqual(faults, before.faults, named(size));
      assert.equal(board, before.board, named(size));
      await page.context().close();
    }
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("cards being played lie beside the hand: over no slot, no phase, no question", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    for (const size of SIZES) {
      const page = await open(served.links[0], { viewport: size });
      await page.waitForSelector("#prompt[data-mine]");
      const before = await look(page);
      const over = await page.evaluate(() => {
        const card = document.querySelector("#hand .card").cloneNode(true);
        card.className = "card";
        const arena = document.getElementById("arena");
        for (const [at] of [0, 0].entries()) arena.append(Object.assign(document.createElement("li"), { id: `played-${at}` }));
        for (const place of arena.children) place.append(card.cloneNode(true));
        dispatchEvent(new Event("resize"));
        const box = (node) => node.getBoundingClientRect();
        const found = [];
        if (!/played/.test(getComputedStyle(arena, "::before").content)) found.push("nothing says what they are");
        for (const played of arena.querySelectorAll(".card")) for (const other of document.querySelectorAll(".slot, #ribbon, #prompt, .bar, .hand .card, #zoom")) {
          const [a, b] = [box(played), box(other)];
          if (!a.width) found.push("it is not there");
          if (b.width && a.left < b.right - 4 && b.left < a.right - 4 && a.top < b.bottom - 4 && b.top < a.bottom - 4) found.push(other.id || other.className);
        }
        return found;
      });
      const { faults, board } = await look(page);
      await picture(page, `played-${named(size)}`);
      assert.deepEqual(over, [], named(size));
      assert.deepEqual(faults, before.faults, named(size));
      assert.equal(board, before.board, named(size));
      await page.context().close();
    }
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("text of twice the size stays on the screen, and so does the question", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    for (const size of SIZES) {
      const page = await open(served.links[0], { viewport: size });
      await page.evaluate(() => document.styleSheets[0].insertRule(":root { font-size: 200% !important; }", document.styleSheets[0].cssRules.length));
      const { faults } = await look(page);
      const lost = faults.filter((fault) => /the question|the page is|off the screen/.test(fault) && !/pile|number|hand count/.test(fault));
      await picture(page, `text-200-${named(size)}`);
      assert.deepEqual(lost, [], named(size));
      await page.context().close();
    }
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("a very large screen is used: the board fills it, and text grows with it", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    const page = await open(served.links[0], { viewport: { width: 3840, height: 2160 } });
    for (let count = 0; count < 8; count += 1) {
      const since = await number(page);
      const { options, at } = await answers(page);
      await choose(page, options.nth(at));
      await changed(page, since);
      await page.waitForFunction(() => document.querySelector("#prompt[data-mine], #prompt .result"));
      assert.deepEqual((await look(page)).faults, []);
    }
    await picture(page, "table-3840x2160");
    const { text, felt } = await page.evaluate(() => ({
      text: parseFloat(getComputedStyle(document.querySelector("#question")).fontSize),
      felt: document.querySelector(".felt").getBoundingClientRect().width / innerWidth,
    }));
    assert.ok(text > 36 && felt > .5, `${text} px, ${felt}`);
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("on a phone the log opens at its newest line", { skip, timeout: 60000 }, async () => {
  const served = await serve("--seed", "31");
  try {
    const page = await open(served.links[0], { viewport: PHONE });
    for (let count = 0; count < 12; count += 1) {
      const since = await number(page);
      const { options, at } = await answers(page);
      await choose(page, options.nth(at));
      await changed(page, since);
      await page.waitForFunction(() => document.querySelector("#prompt[data-mine], #prompt .result"));
    }
    await page.getByRole("button", { name: "Log" }).click();
    const below = await page.evaluate(() => { const log = document.getElementById("log-turns"); return log.scrollHeight - log.scrollTop - log.clientHeight; });
    assert.ok(below < 3, `${below} px are below`);
  } finally {
    await closeAll();
    await served.stop();
  }
});
