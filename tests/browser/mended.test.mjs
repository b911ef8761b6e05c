// Faults that people met at the table once, each by what they did: they stay mended.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PHONE, answers, asked, changed, choose, closeAll, fresh, number, open, over, picture, root, serve, skip, steadyPort, table } from "./table.mjs";
import { SIZES } from "./fit.mjs";
import { MENDS, assets } from "./unmended.mjs";
import { temporary } from "./temporary.mjs";

const limit = { skip, timeout: 120000 };

test("an answer to a table that is gone is sent again when it is back, and the question stays in sight", limit, async () => {
  const store = fresh();
  const first = await serve("--seed", "5", "--store", store, "--port", steadyPort);
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
    // A click while acts are still shown would cut them short, and mean nothing else.
    await page.waitForFunction(() => !document.documentElement.hasAttribute("data-showing"));
    const next = await answers(page);
    await page.waitForTimeout(400);
    await next.options.nth(next.at).click();
    await page.getByText("Trying again as soon as").waitFor();
    const { notice, question } = await page.evaluate(() => Object.fromEntries(["notice", "question"].map((id) => {
      const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
      return [id, { left, top, right, bottom }];
    })));
    const apart = notice.right <= question.left || question.right <= notice.left || notice.bottom <= question.top || question.bottom <= notice.top;
    assert.ok(apart, "the notice does not lie over the question");
    await picture(page, "no-answer-1280x720");
    assert.equal(await number(page), stays);
    again = await serve("--seed", "6", "--store", store, "--port", steadyPort);
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
  await page.waitForSelector("#ending:popover-open");
  // What can be done next is in sight, however long the story is, and nothing of the story touches.
  await page.evaluate(() => {
    const long = document.createElement("div");
    long.style.height = "2000px";
    document.querySelector("#ending .story").append(long);
  });
  for (const [width, height] of [[1280, 800], [820, 1180], [390, 844], [844, 390]]) {
    await page.setViewportSize({ width, height });
    for (const name of ["Rematch", "Rematch with decks swapped", "Watch it again", "Look at the table", "Home"]) {
      const { x, y, width: wide, height: tall } = await page.locator("#ending .again").getByText(name, { exact: true }).boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + tall <= height, `${name} at ${width}x${height}: ${x},${y}`);
    }
    const [words, plot] = await page.evaluate(() => [document.querySelector("#ending .story > p").getBoundingClientRect().bottom, document.querySelector("#ending .plot").getBoundingClientRect().top]);
    assert.ok(plot - words >= 4, `${plot - words} px at ${width}x${height}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  // By key: a pointer that rests would lie over a card of the new duel, and the pane would show that.
  await page.mouse.move(3, 3);
  await page.locator("#ending").getByRole("button", { name: "Rematch with decks swapped" }).press("Enter");
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

/** Plays on until the question is as wanted; whether it came. */
async function until(page, wanted) {
  for (let count = 0; count < 60 && !await over(page); count += 1) {
    if (await wanted()) return true;
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  return false;
}
const options = (page) => page.locator("#prompt .options button");

test("on a phone a tap opens a card that is no answer, a held finger any card, and a tap beside it closes it", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0], { viewport: PHONE, hasTouch: true, isMobile: true });
  const large = page.locator("#zoom.open img");
  const card = page.locator("#hand .card[type=button]:not([popovertarget])").first();
  assert.ok(await until(page, () => card.count()), "there is a card that cannot be played");
  await card.tap();
  await large.waitFor();
  await picture(page, "card-read-390x844");
  await page.touchscreen.tap(20, 830);
  await large.waitFor({ state: "hidden" });
  // The question stays in sight, a button closes the card, and a tap on what lies beside it answers nothing.
  await card.tap();
  await large.waitFor();
  const [below, asks] = await page.evaluate(() => [document.getElementById("zoom").getBoundingClientRect().bottom, document.getElementById("prompt").getBoundingClientRect().top]);
  assert.ok(below <= asks, `${below} over ${asks}`);
  await page.locator("#zoom").getByRole("button", { name: "Close" }).tap();
  await large.waitFor({ state: "hidden" });
  const before = await number(page);
  const answer = await options(page).first().boundingBox();
  await card.tap();
  await large.waitFor();
  await page.touchscreen.tap(answer.x + 20, answer.y + 10);
  await large.waitFor({ state: "hidden" });
  await page.waitForTimeout(300);
  assert.equal(await number(page), before);
  const legal = page.locator("#hand .card.legal").first();
  assert.ok(await until(page, () => legal.count()));
  const since = await number(page);
  const { x, y } = await legal.boundingBox();
  const client = await page.context().newCDPSession(page);
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 20, y: y + 20 }] });
  await large.waitFor();
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(300);
  assert.equal(await number(page), since, "a held finger plays nothing");
}));

test("the pane shows the card that asks, as it is now, and none that has left", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0]);
  const backs = () => options(page).filter({ hasText: /^\d?Back up with/ });
  assert.ok(await until(page, async () => await backs().count() > 0), "somebody can be backed up");
  const key = await backs().first().getAttribute("data-for");
  await page.locator(`#hand [data-card="${key}"]`).hover();
  await page.waitForFunction((key) => document.querySelector("#zoom img")?.alt === document.querySelector(`#hand [data-card="${key}"]`).getAttribute("aria-label"), key);
  const since = await number(page);
  await choose(page, backs().first());
  await asked(page, since);
  if (await page.locator("#prompt[data-kind=back-up]").count()) {
    const next = await number(page);
    await choose(page, options(page).first());
    await asked(page, next);
  }
  assert.equal(await page.locator(`.table .felt [data-card="${key}"], #hand [data-card="${key}"]`).count(), 0);
  assert.match(await page.locator("#zoom").innerText(), /against/, "the card lies under another now");
  const source = () => page.evaluate(() => { const { mine, source } = document.getElementById("prompt").dataset; return mine === undefined ? null : source; });
  const there = async () => await source() && await page.locator(`.table .card[data-card="${await source()}"]:not([popover] *)`).count() > 0;
  if (await until(page, there)) {
    const model = await page.locator(`.table .card[data-card="${await source()}"]:not([popover] *)`).first().getAttribute("data-model");
    assert.match(await page.locator("#zoom img").first().getAttribute("src"), new RegExp(`/${model}(/|$)`));
  }
}));

test("the pane shows the only card that can answer, and no card of an earlier phase", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0]);
  const shows = () => page.evaluate(() => Number(/\/(\d+)(\/|$)/.exec(document.querySelector("#zoom > img")?.getAttribute("src") ?? "")?.[1] ?? -1));
  /** The model of the one card that could answer; 0 if there are several, or an effect asks. */
  const only = () => page.evaluate(() => {
    const { mine, source } = document.getElementById("prompt").dataset;
    const keys = new Set([...document.querySelectorAll("#prompt .options [data-for]")].map((option) => option.dataset.for));
    const card = document.querySelector(`.table .card[data-card="${[...keys][0]}"]:not([popover] *)`);
    return mine !== undefined && !source && keys.size === 1 ? Number(card?.dataset.model ?? 0) : 0;
  });
  const phase = () => page.locator("#ribbon [aria-current]").innerText();
  let followed = 0, emptied = 0;
  for (let count = 0; count < 40 && !await over(page) && !(followed > 2 && emptied > 1); count += 1) {
    const since = await number(page);
    // Something is read in each Main phase, and the pointer goes on.
    const fighter = page.locator("#me-ring .fighter").first();
    const read = await phase() === "Main" && await fighter.count();
    if (read) await fighter.hover();
    const before = await phase();
    const { options: all, at } = await answers(page);
    await choose(page, all.nth(at));
    await asked(page, since);
    if (await over(page)) break;
    const model = await only();
    if (model) { assert.equal(await shows(), model); followed += 1; continue; }
    const asks = await page.evaluate(() => document.getElementById("prompt").dataset.source);
    if (read && !asks && await phase() !== before) { assert.equal(await shows(), -1, `${before} to ${await phase()}`); emptied += 1; }
  }
  assert.ok(followed > 0 && emptied > 0, `${followed}, ${emptied}`);
}));

test("on a phone on its side five cards lie side by side, and an effect's text can be read", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0], { viewport: { width: 844, height: 390 } });
  await page.waitForSelector("#prompt[data-mine]");
  const sides = await page.locator("#hand .card").evaluateAll((cards) => cards.map((card) => { const { left, right } = card.getBoundingClientRect(); return [left, right]; }));
  assert.equal(sides.length, 5);
  for (const [at, [left]] of sides.entries()) if (at) assert.ok(sides[at - 1][1] + 3 <= left, `${sides}`);
  const few = async () => await page.locator("#prompt .because:not(.cannot)").count() && await page.locator("#prompt .options:not(.onward) li").count() < 3;
  assert.ok(await until(page, few), "an effect asks for a target");
  assert.ok(await page.locator("#prompt .because").isVisible());
  // The whole card is a tap away.
  await page.getByRole("button", { name: "Read the card" }).click();
  await page.locator("#zoom.open img").waitFor();
}));

test("the log begins with a whole line", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0], { viewport: { width: 1280, height: 800 } });
  let scrolled = 0;
  for (let count = 0; count < 24 && !await over(page); count += 1) {
    const since = await number(page);
    const { options: all, at } = await answers(page);
    await choose(page, all.nth(at));
    await asked(page, since);
    const { cut, more } = await page.evaluate(() => {
      const log = document.getElementById("log-turns"), { top } = log.getBoundingClientRect();
      const box = (node) => node.getBoundingClientRect();
      const cut = [...log.querySelectorAll("li")].filter((line) => {
        const rim = Math.max(top, box(line.closest("section").firstElementChild).bottom);
        // Lines have 2 px of air.
        return box(line).top < rim - 2 && box(line).bottom > rim + 2;
      });
      return { cut: cut.map((line) => line.textContent), more: log.scrollHeight > log.clientHeight };
    });
    assert.deepEqual(cut, []);
    scrolled += Number(more);
  }
  assert.ok(scrolled > 4, `${scrolled}`);
}));

test("numbers follow the hand, stand on the cards, and one button takes back", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0]);
  let seen = 0;
  for (let count = 0; count < 14 && !await over(page); count += 1) {
    const { hand, listed, digits } = await page.evaluate(() => {
      const legal = [...document.querySelectorAll("#hand .card.legal")];
      return {
        hand: legal.map((card) => card.dataset.card),
        listed: [...document.querySelectorAll("#prompt .options [data-for]")].map((option) => option.dataset.for),
        digits: legal.map((card) => card.dataset.key?.split(" ")[0]).filter(Boolean).map(Number),
      };
    });
    const order = listed.filter((key) => hand.includes(key));
    assert.deepEqual(order, [...order].sort((a, b) => hand.indexOf(a) - hand.indexOf(b)));
    assert.deepEqual(digits, [...digits].sort((a, b) => a - b));
    assert.equal(digits.length > 0, order.length > 0, "the numbers are on the cards");
    seen = Math.max(seen, new Set(order).size);
    const back = await page.locator("#prompt .options button.back").count();
    if (back) assert.equal(await page.locator("#prompt button[value=undo]").count(), 0, "two buttons that take back");
    assert.doesNotMatch(await page.locator("#log-turns").innerText(), /in slot \d|blocked|has no effect/);
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  assert.ok(seen > 2, `${seen} cards`);
}));

test("decks can be told apart, and a duel begins from the first screen", limit, async () => {
  const served = await serve("--seed", "5");
  try {
    const page = await open(served.front, { viewport: { width: 1280, height: 800 } });
    await page.getByRole("button", { name: "Choose decks and a level" }).click();
    const decks = await page.evaluate(() => [...document.querySelector("#new-duel .decks").querySelectorAll(".deck")].map((deck) => ({
      faces: [...deck.querySelectorAll("img")].map((face) => face.getAttribute("src")).join(),
      words: deck.querySelector(".called small").textContent,
    })));
    assert.equal(new Set(decks.map(({ faces }) => faces)).size, decks.length, "each has cards of its own");
    assert.ok(decks.length > 4 && decks.every(({ words }) => words.length > 5) && new Set(decks.map(({ words }) => words)).size === decks.length, JSON.stringify(decks));
    const { y, height } = await page.getByRole("button", { name: "Begin the duel" }).boundingBox();
    assert.ok(y + height <= 800, `${y}`);
    // It covers no deck that one chooses from.
    for (const viewport of [{ width: 1280, height: 800 }, { width: 820, height: 1180 }, PHONE, { width: 844, height: 390 }]) {
      const phone = await open(served.front, { viewport });
      await phone.getByRole("button", { name: "Choose decks and a level" }).click();
      const begin = await phone.getByRole("button", { name: "Begin the duel" }).boundingBox();
      assert.ok(begin.y + begin.height <= viewport.height, `${begin.y}`);
      for (const deck of await phone.locator("#new-duel .decks .deck").all()) {
        const there = await deck.boundingBox();
        assert.ok(there.y >= begin.y + begin.height || there.y + there.height <= begin.y, `${there.y} ${begin.y}`);
      }
    }
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("with two answers to an attack neither is sliced by the button below", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0], { viewport: { width: 1280, height: 800 } });
  const two = () => page.evaluate(() => document.querySelector("#prompt")?.dataset.kind === "counter" && document.querySelectorAll("#prompt .options:not(.onward) li").length === 2);
  for (let count = 0; count < 60 && !await two(); count += 1) {
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  assert.ok(await two(), "an attack with two answers");
  const hidden = await page.locator("#prompt .choices").evaluate((choices) => choices.scrollHeight - choices.clientHeight);
  assert.ok(hidden <= 1, `${hidden} px are hidden`);
}));

test("on the narrowest phone a question with two or three buttons above it leaves its answers room", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0], { viewport: { width: 320, height: 640 } });
  for (const more of ["", '<button class="small">Begin again</button>']) {
    const { seen, wide, under } = await page.evaluate(async (more) => {
      const prompt = document.getElementById("prompt");
      prompt.querySelector("footer").innerHTML = `<button class="small read">Read the card</button><button class="small">Undo</button>${more}`;
      document.getElementById("question").textContent = "Clean Sweep: choose a character from your hand to discard as cost.";
      const option = "<li><button>Backflow Beryl</button></li>";
      prompt.querySelector(".choices").innerHTML = `<p class="warns">As things stand, this does nothing, whatever you pay with.</p><ol class="options">${option}${option}</ol>`;
      prompt.querySelector(".onward")?.remove();
      dispatchEvent(new Event("resize"));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const inside = prompt.querySelector(".choices").getBoundingClientRect();
      const [question, feet] = ["h2", "footer"].map((part) => prompt.querySelector(part).getBoundingClientRect());
      return { seen: inside.height, wide: question.width / prompt.clientWidth, under: feet.bottom - question.top };
    }, more);
    assert.ok(wide > .9, `the question is ${wide} of the place wide`);
    assert.ok(under <= 1, `the question lies ${under} px under the buttons`);
    assert.ok(seen > 40, `${seen} px for the answers`);
  }
}));

test("on a phone a bar has one row, with wide numbers and a wider font too", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0], { viewport: PHONE });
  const [before, after] = await page.evaluate(() => {
    const bar = document.getElementById("them-bar");
    const tall = () => bar.getBoundingClientRect().height;
    const was = tall();
    for (const number of bar.querySelectorAll("b")) number.textContent = number.closest(".hp") ? "3000" : "14";
    bar.style.letterSpacing = ".07em";
    return [was, tall()];
  });
  assert.ok(after <= before + 1, `${before} px, then ${after}`);
}));

test("on a phone on its side the replay's words are whole", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0], { viewport: { width: 844, height: 390 } });
  for (let count = 0; count < 3; count += 1) {
    const since = await number(page);
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  await page.goto(new URL("moment/3", page.url()).href);
  const hidden = await page.locator("#prompt .happening").evaluate((words) => {
    words.textContent = "The computer's SP: 8 → 5 (−3, for Costume Change). The computer plays Costume Change.";
    return words.scrollHeight - words.clientHeight;
  });
  assert.ok(hidden <= 1, `${hidden} px are hidden`);
}));

test("a pile that lies open makes no bar taller, however large it is", limit, () => table(["--seed", "31"], async (links) => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 820, height: 1180 }, PHONE, { width: 844, height: 390 }]) {
    const page = await open(links[0], { viewport });
    const card = page.locator("#hand .card img").first();
    await card.waitFor();
    for (const many of [3, 20]) {
      const { before, after, out } = await page.evaluate((count) => {
        const bar = document.getElementById("them-bar");
        const tall = () => bar.getBoundingClientRect().height;
        const was = tall();
        const spread = document.createElement("ol");
        spread.className = "spread";
        const face = document.querySelector("#hand .card img").outerHTML;
        spread.innerHTML = `<li><div class="card mini">${face}</div></li>`.repeat(count);
        bar.querySelector(".piles").lastElementChild.before(spread);
        const edge = bar.getBoundingClientRect().right;
        const told = { before: was, after: tall(), out: Math.max(...[...bar.querySelectorAll(".pile, .spread li")].map((one) => one.getBoundingClientRect().right)) - edge };
        spread.remove();
        return told;
      }, many);
      assert.ok(after <= before + 1 && out <= 0, `${viewport.width}, ${many} cards: ${before} px, then ${after}; ${out} px out`);
    }
  }
}));

test("three attackers and all of them are whole on phones", limit, () => table(["--seed", "31"], async (links) => {
  for (const viewport of [PHONE, { width: 844, height: 390 }]) {
    const page = await open(links[0], { viewport });
    const hidden = await page.evaluate(() => {
      const prompt = document.getElementById("prompt");
      prompt.querySelector("footer").innerHTML = '<button class="small">Undo</button>';
      document.getElementById("question").textContent = "Attack phase. Who attacks?";
      prompt.querySelector(".because")?.remove();
      const option = (words) => `<li><button class="option"><span>Attack with ${words}<small class="then">400 to the computer if not countered</small></span></button></li>`;
      prompt.querySelector(".choices").innerHTML = `<button class="all">Attack with all 3 (1200 in all)</button><ol class="options">${["Backflow Beryl", "Master Flange", "Coxswain Kelp"].map(option).join("")}</ol>`;
    dispatchEvent(new Event("resize"));
      prompt.querySelector(".onward")?.remove();
      const rest = document.createElement("ol");
      rest.className = "options onward";
      rest.innerHTML = '<li><button class="option"><span>Do not attack<small class="then">Backflow Beryl, Master Flange and 1 more stay back</small></span></button></li>';
      prompt.querySelector(".choices").after(rest);
      const choices = prompt.querySelector(".choices");
      return choices.scrollHeight - choices.clientHeight;
    });
    assert.ok(hidden <= 1, `${viewport.width}: ${hidden} px are hidden`);
  }
}));

test("a moment that a replay turns to is marked as one that is loaded", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0]);
  const marks = () => page.evaluate(() => [...document.getElementById("table").classList].filter((name) => name.startsWith("has-")).sort());
  const fought = () => page.locator(".arena li").count();
  for (let count = 0; count < 60 && !await fought(); count += 1) {
    const { options, at } = await answers(page), since = await number(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  // From the beginning, when no card was in play, to the last moment, which has some.
  await page.goto(new URL("moment/1", page.url()).href);
  const scrub = page.locator("[data-scrub]");
  const last = await scrub.getAttribute("max");
  await scrub.focus();
  await page.keyboard.press("End");
  await page.waitForFunction((last) => location.pathname.endsWith(`/${last}`), last);
  const turned = await marks();
  await page.reload();
  await page.waitForSelector("#table.has-fighter");
  assert.deepEqual(turned, await marks());
  assert.deepEqual(page.faults, []);
}));

test("on the desk the replay's controls are one row, with all that may stand in it", limit, () => table(["--seed", "31"], async (links) => {
  const page = await open(links[0], { viewport: { width: 1280, height: 800 } });
  await page.goto(new URL("moment/1", page.url()).href);
  // The script shows the button that runs the replay.
  await page.waitForSelector('.scrub [data-act="run"]:not([hidden])');
  const tops = await page.evaluate(() => {
    const scrub = document.querySelector(".scrub");
    scrub.querySelector("output").textContent = "140 of 287 · ×: KO";
    const has = (words) => [...scrub.children].some((one) => one.textContent === words);
    for (const words of ["What would the computer do?", "Other side", "Take over from here"].filter((words) => !has(words))) {
      const button = document.createElement("button");
      button.className = "small";
      button.textContent = words;
      scrub.append(button);
    }
    return [...scrub.querySelectorAll(":scope > .small")].map((one) => Math.round(one.getBoundingClientRect().top));
  });
  assert.ok(tops.length > 5 && new Set(tops).size === 1, JSON.stringify(tops));
}));

test("the line of a United Attack goes around who attacks alone", limit, () => table(["--scenario", join(root, "crates/cw-serve/tests/prompts.toml"), "--only", "C6", "--after-steps", "--seat2", "human"], async (links) => {
  for (const viewport of [{ width: 1280, height: 800 }, PHONE, { width: 844, height: 390 }]) {
    const page = await open(links[0], { viewport });
    const line = page.locator(".lines .join");
    await line.waitFor({ state: "attached" });
    const { card, lowest } = await page.evaluate(() => {
      const [path, alone] = [document.querySelector(".lines .join"), document.querySelector("#them-ring .fighter.attacks [aria-label*=Deckhand], .ring.them [aria-label*='Deckhand Dab']")];
      const svg = document.getElementById("lines").getBoundingClientRect();
      const middle = path.getPointAtLength(path.getTotalLength() / 2);
      return { card: alone.getBoundingClientRect().bottom, lowest: svg.top + middle.y };
    });
    assert.ok(lowest >= card, `${viewport.width}: the line is at ${lowest}, the card ends at ${card}`);
  }
}));

test("six cards in the hand of an upright phone each show what they cost, and the board stays", limit, () => table(["--seed", "31"], async (links) => {
  for (const viewport of [PHONE, { width: 320, height: 640 }]) {
    const page = await open(links[0], { viewport });
    const board = () => page.locator(".felt").evaluate((felt) => JSON.stringify(felt.getBoundingClientRect()));
    const before = await board();
    const covered = await page.evaluate(() => {
      const hand = document.querySelector("#hand :is(ol, ul), ul#hand, ol#hand");
      while (hand.children.length < 6) hand.append(hand.firstElementChild.cloneNode(true));
      dispatchEvent(new Event("resize"));
      return [...hand.querySelectorAll(".card")].filter((card) => {
        const { left, top, width, height } = card.getBoundingClientRect();
        return !card.contains(document.elementFromPoint(left + width * 0.93, top + height * 0.9));
      }).length;
    });
    assert.equal(covered, 0, `${viewport.width}: cards whose SP are covered`);
    assert.equal(await board(), before, `${viewport.width}: the board`);
  }
}));

test("a long story of a replay tells that it goes on, and covers no card of the hand", limit, () => table(["--seed", "31"], async (links) => {
  for (const viewport of [PHONE, { width: 844, height: 390 }, { width: 820, height: 1180 }]) {
    const page = await open(links[0], { viewport });
    await page.goto(new URL("moment/1", page.url()).href);
    const story = page.locator(".happening");
    const edge = () => story.evaluate((story) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(["--up", "--down"].map((name) => parseFloat(getComputedStyle(story).getPropertyValue(name)) > 0))))));
    await story.evaluate((story) => { story.textContent = "Over."; });
    assert.deepEqual(await edge(), [false, false], `${viewport.width}: a short one`);
    await story.evaluate((story) => { story.classList.add("long"); story.textContent = "Polite Poltergeist strikes Pressure Pete for 1000. ".repeat(30); });
    assert.deepEqual(await edge(), [false, true], `${viewport.width}: at its beginning`);
    await story.evaluate((story) => { story.scrollTop = story.scrollHeight; });
    assert.deepEqual(await edge(), [true, false], `${viewport.width}: at its end`);
    const cut = await page.evaluate(() => {
      const above = document.querySelector(".scrub").getBoundingClientRect().top;
      return [...document.querySelectorAll("#hand .card")].filter((card) => card.getBoundingClientRect().bottom > above).length;
    });
    assert.equal(cut, 0, `${viewport.width}: cards under the controls`);
  }
}));

test("every mend that can be taken out is still written so", () => {
  const gone = MENDS.flatMap(([fault, file, [mend], , , more]) => [[file, mend], ...more ? [more] : []]
    .filter(([name, words]) => !readFileSync(join(assets, name), "utf8").includes(words)).map(([name, words]) => `${fault}: ${name} has no “${words}”`));
  assert.deepEqual(gone, []);
});

test("how many options lie further down is told at every size, and each comes into sight", limit, async () => {
  const scenario = join(temporary("many"), "many.toml");
  writeFileSync(scenario, `
[[scenario]]
name = "many"
me = { sp = 12, ring = ["Seance Sybil", "Crumb", "Auntie Rye"], hand = ["Drum Major Doro", "Piccolo Pip", "Bandleader Bram", "Rolling Pin", "Deckhand Dab", "Gasket", "Sabreur Sabine"] }
opponent = { ring = ["Crumb"] }
`);
  const served = await serve("--scenario", scenario);
  try {
    const page = await open(served.links[0]);
    let told = 0;
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const count = () => page.evaluate(() => {
        const choices = document.querySelector(".choices"), end = choices.getBoundingClientRect().bottom;
        const below = [...choices.querySelectorAll("button")].filter((option) => option.getBoundingClientRect().bottom > end + 1).length;
        return { below, more: Number(choices.dataset.more ?? 0), words: getComputedStyle(choices, "::after").content, line: parseFloat(getComputedStyle(choices).scrollPaddingBottom) || 0 };
      });
      const { below, more, words, line } = await count();
      assert.ok(below === 0 || more >= below && words.includes("more below") && line > 12, `${size.width}x${size.height}: ${more} of ${below} told: ${words}`);
      told += more;
      await page.evaluate(() => document.querySelector(".choices").scrollTo({ top: 9999, behavior: "instant" }));
      await page.waitForFunction(() => !document.querySelector(".choices").dataset.more);
      await picture(page, `options-end-${size.width}x${size.height}`);
      await page.evaluate(() => document.querySelector(".choices").scrollTo({ top: 0, behavior: "instant" }));
      await picture(page, `options-${size.width}x${size.height}`);
    }
    assert.ok(told > 5, "there are more options than fit");
  } finally {
    await closeAll();
    await served.stop();
  }
});

test("Help begins with the game in short, and its Close is in sight however far one has read", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: "Help", exact: true }).click();
    await page.waitForFunction(() => !document.querySelector("#help [data-load]"));
    assert.match(await page.locator("#help h3").nth(1).innerText(), /game/i);
    for (const top of [0, 9999]) {
      await page.evaluate((top) => document.getElementById("help").scrollTo({ top, behavior: "instant" }), top);
      const hit = await page.evaluate(() => {
        const close = document.querySelector("#help .heading button"), { left, top, width, height } = close.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === close;
      });
      assert.ok(hit, `${size.width}x${size.height}, scrolled to ${top}: Close is in sight`);
    }
    await picture(page, `help-${size.width}x${size.height}`);
    await page.locator("#help .heading button").click();
    // A dialog that was opened by the mouse gives the keys back: the space bar is for the question.
    await page.waitForFunction(() => !document.querySelector("#help:popover-open"));
    await page.keyboard.press("Space");
    assert.equal(await page.locator("#help:popover-open").count(), 0, "the space bar does not open a closed dialog again");
    await page.waitForSelector("#prompt[data-mine]");
  }
}));
