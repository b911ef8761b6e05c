// How the free table is handled: what fresh eyes met there once, each by what they did.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESK, PHONE, skip, table } from "./table.mjs";
import { ask, does, drag, menu, packageOf, sit, told, without } from "./free.mjs";

const settled = (page) => page.waitForTimeout(350);
const onTable = (page) => page.locator("#world .card");
const inHand = (page) => page.locator("#hand .card");
const menus = (page) => page.locator(".menu");

/** A seat at the demo game with a hand of so many cards. */
const alone = (use, { cards = 5, ...options } = {}) => table(["--free", "--seats", "1", "--seed", "5"], async (links) => {
  const page = await sit(links[0], { viewport: DESK, ...options });
  await ask(page, { deck: 0 });
  await does(page, `hand ${cards}`);
  await page.waitForFunction((many) => document.querySelectorAll("#hand .card").length === many, cards);
  await use(page);
  assert.deepEqual(page.faults.filter((fault) => !/409/.test(fault)), []);
});
const netrunner = (use, options = {}) => table(["--game", packageOf("netrunner"), "--seats", "2"], async (links) => {
  const page = await sit(links[0], { viewport: DESK, ...options });
  const kit = await (await page.request.get(new URL("/free/kit.json", page.url()).href)).json();
  await ask(page, { deck: kit.decks.indexOf("Core-Jinteki Starting deck") });
  await does(page, "hand 5");
  await page.waitForFunction(() => document.querySelectorAll("#hand .card").length >= 5);
  await use(page, kit, links);
  assert.deepEqual(page.faults.filter((fault) => !/409/.test(fault)), []);
});
/** Puts so many cards of the hand into the middle of the table. */
async function lay(page, many = 1) {
  for (let at = 0; at < many; at += 1) {
    const handle = await inHand(page).first().getAttribute("data-h");
    await does(page, `place ${handle} ${at * 90 - 120},10`);
    await page.waitForFunction((count) => document.querySelectorAll("#world .card").length === count, at + 1);
  }
  await page.locator("#fit").click();
  await settled(page);
}

test("Escape closes a menu with its submenu, level by level", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page);
  await menu(page, onTable(page).first(), /^Place/);
  assert.equal(await menus(page).count(), 2);
  await page.keyboard.press("Escape");
  assert.equal(await menus(page).count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await menus(page).count(), 0);
  // The keyboard is the table's again.
  await page.keyboard.press("i");
  await page.getByRole("dialog", { name: "The table as a list" }).waitFor();
}));

test("Space reads the card under the pointer, whatever was clicked before", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  await lay(page);
  const counter = page.locator("#mine .counter").first();
  await counter.getByRole("button", { name: /\+1$/ }).click();
  await page.waitForFunction(() => document.querySelector("#mine .counter b").textContent === "1");
  await onTable(page).first().hover();
  await page.keyboard.press("Space");
  await page.locator("dialog.zoom").waitFor();
  assert.equal(await counter.locator("b").textContent(), "1", "the counter was not pressed again");
}));

test("the hand fits after the window has another size", { skip, timeout: 60000 }, () => alone(async (page) => {
  for (const viewport of [{ width: 844, height: 390 }, { width: 1920, height: 1080 }, DESK, PHONE]) {
    await page.setViewportSize(viewport);
    await settled(page);
    const box = await page.locator("#hand").boundingBox();
    for (const card of await inHand(page).all()) {
      const high = await card.evaluate((one) => one.clientHeight);
      assert.ok(Math.abs(high - box.height * 0.88) < 3, `${viewport.width}: cards of ${high} in a hand of ${box.height}`);
    }
  }
}));

test("a card that gets the keyboard does not scroll the cloth", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page);
  // The cloth is dragged until the card lies beyond its edge.
  const felt = await page.locator("#felt").boundingBox();
  for (let at = 0; at < 2; at += 1) {
    await page.mouse.move(felt.x + 60, felt.y + felt.height - 60);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(felt.x + felt.width - 10, felt.y + felt.height - 60, { steps: 4 });
    await page.mouse.up({ button: "middle" });
  }
  const box = await onTable(page).first().boundingBox();
  assert.ok(box.x > felt.x + felt.width, "the card is out of sight");
  await onTable(page).first().evaluate((card) => card.focus());
  await settled(page);
  assert.deepEqual(await page.locator("#felt").evaluate((felt) => [felt.scrollLeft, felt.scrollTop]), [0, 0]);
  await page.locator("#fit").click({ timeout: 2000 });
}));

test("a menu under a resting pointer opens no submenu by itself", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page);
  await page.setViewportSize({ width: 900, height: 560 });
  await page.locator("#fit").click();
  await settled(page);
  const card = onTable(page).first();
  const open = async (y) => {
    await card.evaluate((one, y) => one.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: 290, clientY: y })), y);
    await menus(page).first().waitFor();
    // It has its place a frame later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await menus(page).first().waitFor({ state: "detached" });
  };
  // Near the lower edge the menu is moved up, and its entries come to lie under the pointer, which rests: where, a menu
  // opened right before tells.
  await page.waitForFunction(() => innerHeight === 560);
  const places = async () => {
    await page.mouse.move(40, 60);
    await open(550);
    const all = await menus(page).first().locator("[aria-haspopup]").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => ({ x: box.x + 20, y: box.y + box.height / 2 })));
    await close();
    return all;
  };
  const seen = [];
  for (const last of [1, 2, 3]) {
    const { x, y } = (await places()).at(-last);
    await page.mouse.move(x, y, { steps: 2 });
    await open(550);
    const under = await page.evaluate(({ x, y }) => {
      const one = document.elementFromPoint(x, y);
      return { submenu: Boolean(one?.closest(".menu [aria-haspopup]")), at: `${x},${y}: ${one?.outerHTML.slice(0, 120)}` };
    }, { x, y });
    seen.push(under);
    if (under.submenu) {
      await page.waitForTimeout(600);
      assert.equal(await menus(page).count(), 1, `at ${y}`);
    }
    await close();
  }
  assert.ok(seen.some((under) => under.submenu), `an entry with a submenu lay under the pointer: ${seen.map((under) => under.at).join("; ")}`);
}));

test("after “show all” no card lies under the tools", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page, 5);
  const handles = await onTable(page).evaluateAll((cards) => cards.map((card) => card.dataset.h));
  for (const viewport of [DESK, PHONE, { width: 844, height: 390 }]) {
    await page.setViewportSize(viewport);
    await settled(page);
    // In the shape of the cloth, so that cards reach both its upper and its left edge.
    const felt = await page.locator("#felt").boundingBox();
    const [wide, high] = [600 * felt.width / (felt.height - 50), 600];
    for (const [at, handle] of handles.entries()) {
      const [x, y] = [[0, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]][at];
      await does(page, `place ${handle} ${Math.round(x * wide / 2)},${Math.round(y * high / 2)}`);
    }
    await settled(page);
    await page.locator("#fit").click();
    await settled(page);
    const tools = await page.locator("#tools").boundingBox();
    let beside = 0;
    for (const card of await onTable(page).all()) {
      const box = await card.boundingBox();
      const apart = box.x >= tools.x + tools.width || box.x + box.width <= tools.x || box.y >= tools.y + tools.height || box.y + box.height <= tools.y;
      assert.ok(apart, `${viewport.width}: a card at ${Math.round(box.x)},${Math.round(box.y)} under the tools`);
      beside += box.x < tools.x + tools.width && box.y < tools.y + tools.height + 60;
    }
    assert.ok(beside > 0, `${viewport.width}: a card lies below the tools`);
  }
}));

test("the top card of a pile without order is dragged to the table, the one that drawing takes", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  const pile = page.locator("#mine .pile").filter({ hasText: "R&D" });
  const many = Number(await pile.locator("b").textContent());
  const felt = await page.locator("#felt").boundingBox();
  await drag(page, pile, [felt.x + felt.width / 2, felt.y + felt.height / 2]);
  await onTable(page).first().waitFor();
  await settled(page);
  const box = await onTable(page).first().boundingBox();
  assert.ok(Math.abs(box.x + box.width / 2 - felt.x - felt.width / 2) < 6, "it lies where it was let go");
  assert.equal(Number(await page.locator("#mine .pile").filter({ hasText: "R&D" }).locator("b").textContent()), many - 1);
}));

test("a note is moved by dragging it", { skip, timeout: 60000 }, () => alone(async (page) => {
  await does(page, "note 0,0 \"pay later\"");
  const note = page.locator(".note");
  await note.waitFor();
  const before = await note.boundingBox();
  await drag(page, note, [before.x + Math.min(before.width / 2, 24) + 150, before.y + Math.min(before.height / 2, 60) + 60]);
  await settled(page);
  const after = await note.boundingBox();
  assert.ok(Math.abs(after.x - before.x - 150) < 3 && Math.abs(after.y - before.y - 60) < 3, `from ${before.x},${before.y} to ${after.x},${after.y}`);
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  await note.waitFor();
  await page.locator("#fit").click();
  assert.equal(await page.locator(".card.sel").count(), 0);
}));

test("keys of entries that only tell of a script do what the table does with them", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  await lay(page, 2);
  await onTable(page).first().focus();
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll("#world .card").length === 1);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.locator("#felt").click({ position: { x: 15, y: 200 } });
  await page.keyboard.press("Control+a");
  await page.locator("#world .card.sel").waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 0);
}));

test("help and lists are read from their top", { skip, timeout: 60000 }, () => alone(async (page) => {
  for (const key of ["?", "i"]) {
    await page.keyboard.press(key);
    const dialog = page.locator("dialog[open]");
    await dialog.waitFor();
    assert.equal(await dialog.evaluate((one) => one.scrollTop), 0, key);
    const close = await dialog.getByRole("button", { name: "Close" }).boundingBox();
    assert.ok(close.y + close.height <= DESK.height, "the button that closes it is in sight");
    await page.keyboard.press("Escape");
    // A dialog closes a moment after the key: the next key is not for it.
    await dialog.waitFor({ state: "detached" });
  }
}));

test("what one brings to the table comes in sight", { skip, timeout: 60000 }, () => alone(async (page) => {
  const handle = await inHand(page).first().getAttribute("data-h");
  await page.locator("#closer").click({ clickCount: 4 });
  await does(page, `move ${handle} to table`);
  await onTable(page).first().waitFor({ state: "attached" });
  await settled(page);
  const [felt, card] = [await page.locator("#felt").boundingBox(), await onTable(page).first().boundingBox()];
  assert.ok(card.x >= felt.x && card.y >= felt.y && card.x + card.width <= felt.x + felt.width && card.y + card.height <= felt.y + felt.height);
}));

test("“show all” takes the notice away", { skip, timeout: 60000 }, () => alone(async (page) => {
  await page.locator("#say").fill("/rol 2d6");
  await page.keyboard.press("Enter");
  await page.locator("#notice.on").waitFor();
  await page.locator("#fit").click();
  assert.equal(await page.locator("#notice.on").count(), 0);
}));

test("a card under a resting pointer is shown large beside it", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page, 4);
  const card = await onTable(page).first().boundingBox();
  await page.mouse.move(card.x + card.width / 2, card.y + card.height / 2, { steps: 3 });
  const large = page.locator("#preview");
  await large.waitFor();
  const box = await large.boundingBox();
  assert.ok(box.height > card.height * 1.2);
  assert.ok(box.x >= card.x + card.width || box.x + box.width <= card.x, "it does not lie upon the card");
  await page.mouse.move(5, 5);
  await large.waitFor({ state: "hidden" });
}));

test("a search without a hit says so and keeps the window", { skip, timeout: 60000 }, () => alone(async (page) => {
  const deck = await page.locator("#mine .pile").first().getAttribute("data-pile");
  await does(page, `look #${deck}`);
  const one = page.locator(".window");
  await one.waitFor();
  await settled(page);
  const before = await one.boundingBox();
  await one.getByRole("searchbox").fill("no such card");
  await one.getByText("Nothing matches.").waitFor();
  assert.match(await one.locator("h2").textContent(), /\(0 of \d+\)/);
  assert.ok(Math.abs((await one.boundingBox()).height - before.height) < 8);
  await page.keyboard.press("Escape");
  assert.equal(await one.getByRole("searchbox").inputValue(), "", "Escape clears what is searched first");
  assert.equal(await one.count(), 1);
}));

test("names of piles break between words only", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    await settled(page);
    const broken = await page.locator("#mine .pile .name").evaluateAll((names) => names.flatMap((one) => {
      const found = [];
      for (const text of one.childNodes) for (const word of (text.data ?? "").matchAll(/[\p{L}\d]+/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) found.push(word[0]);
      }
      return found;
    }));
    assert.deepEqual(broken, [], String(viewport.width));
  }
}));

test("entries that a script would do are folded", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  await lay(page);
  await menu(page, onTable(page).first(), /^Done by hand here/);
  assert.equal(await menus(page).first().locator(".script").count(), 0);
  assert.ok(await menus(page).nth(1).locator("button").count() > 0);
  const box = await menus(page).first().boundingBox();
  assert.ok(box.y + box.height <= DESK.height);
}));

test("the phase that it is stands in sight, and markers are named in full", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page, kit, links) => {
  await lay(page);
  const handle = await onTable(page).first().getAttribute("data-h");
  const marker = kit.markers.find((one) => one.name === "Brain Damage");
  await does(page, `marker table:${handle} ${JSON.stringify(marker?.name ?? kit.markers[0].name)} +1`);
  await page.locator(".mk").waitFor();
  assert.equal(await page.locator(".mk b").textContent(), "1");
  await does(page, "active 1");
  const other = await sit(links[1]);
  await other.getByRole("button", { name: "Wait for me before this turn ends" }).click();
  await told(other, "stops");
  if (!kit.phases.length) return;
  await page.setViewportSize(PHONE);
  await does(page, `phase ${kit.phases.length}`);
  await settled(page);
  const [strip, now] = [await page.locator("#turn ol").boundingBox(), await page.locator("#turn .now").boundingBox()];
  assert.ok(now.x >= strip.x - 1 && now.x + now.width <= strip.x + strip.width + 1);
}));

test("on a phone that lies the own counters are in sight", { skip: without("netrunner"), timeout: 60000 }, () => netrunner(async (page) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await settled(page);
  const mine = await page.locator("#mine").boundingBox();
  const first = await page.locator("#mine .counter").first().boundingBox();
  assert.ok(first.y + first.height <= mine.y + mine.height);
}));

test("twenty cards of a hand can be told apart", { skip, timeout: 60000 }, () => alone(async (page) => {
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    await settled(page);
    const at = await inHand(page).evaluateAll((cards) => cards.map((card) => { const box = card.getBoundingClientRect(); return [Math.round(box.top), box.left]; }).sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    const steps = at.slice(1).flatMap(([top, left], one) => (top === at[one][0] ? [left - at[one][1]] : []));
    assert.ok(Math.min(...steps) >= (viewport === DESK ? 36 : 28), `${viewport.width}: ${Math.min(...steps)} of each card is seen`);
  }
}, { cards: 20 }));

test("who asks can withdraw the question", { skip, timeout: 60000 }, () => table(["--free", "--seats", "2", "--seed", "5"], async (links) => {
  const [page, other] = [await sit(links[0], { viewport: DESK }), await sit(links[1], { viewport: DESK })];
  await ask(page, { deck: 0 });
  await does(other, "look 1/Deck top 2");
  const waits = page.locator(".question");
  await waits.getByRole("button", { name: "Agree", exact: true }).waitFor();
  assert.equal(await waits.getByRole("button", { name: "Withdraw" }).count(), 0, "only who asks withdraws");
  await other.locator(".question").getByRole("button", { name: "Withdraw" }).click();
  await waits.waitFor({ state: "detached" });
  await told(page, "withdraws");
  // Who wanted to act before the turn ends reads that this is the moment, and a stop has a name.
  await does(page, "active 1");
  await does(other, "stop end");
  await does(page, "pass");
  await other.locator("#notice.on").filter({ hasText: / ends the turn: act now/ }).waitFor();
}));

test("where nobody is left who could agree, going back is not asked for", { skip, timeout: 150000 }, () => table(["--free", "--seats", "2", "--seed", "5"], async (links) => {
  const page = await sit(links[0], { viewport: DESK });
  await ask(page, { deck: 0 });
  await does(page, "draw 1");
  // Who never came counts as away after a minute.
  await page.locator("#others .who p").filter({ hasText: /^away/ }).waitFor({ timeout: 90000 });
  await page.keyboard.press("z");
  await page.locator("#notice.on").filter({ hasText: "nobody else is here" }).waitFor({ timeout: 8000 });
  assert.equal(await page.locator("dialog[open]").count(), 0);
}));

test("the end of a look is not what is taken back", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page);
  const other = page.locator("#mine .pile").filter({ hasText: "Deck" });
  await does(page, `look #${await other.getAttribute("data-pile")}`);
  await page.locator(".window").waitFor();
  const handle = await onTable(page).first().getAttribute("data-h");
  const turned = () => onTable(page).first().evaluate((card) => card.getAttribute("style"));
  const before = await turned();
  await does(page, `rotate table:${handle}`);
  await page.waitForFunction((old) => document.querySelector("#world .card").getAttribute("style") !== old, before);
  await page.locator(".window").getByRole("button", { name: "Close", exact: true }).click();
  await page.locator(".window").waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await page.waitForFunction((old) => document.querySelector("#world .card").getAttribute("style") === old, before);
}));

test("Space shows one's own card that lies face down", { skip, timeout: 60000 }, () => alone(async (page) => {
  await lay(page);
  const card = onTable(page).first();
  await does(page, `turn table:${await card.getAttribute("data-h")}`);
  await page.locator("#world .card:not(:has(img[src*=face]))").waitFor();
  await card.hover();
  await page.keyboard.press("Space");
  await page.locator("dialog.zoom img[src*='/free/face/']").waitFor();
  await told(page, "peeks");
}));

test("an open window keeps the keyboard where it was when its cards change", { skip, timeout: 60000 }, () => alone(async (page) => {
  const deck = await page.locator("#mine .pile").filter({ hasText: "Deck" }).getAttribute("data-pile");
  await does(page, `look #${deck}`);
  const thumbs = page.locator(".window .thumb");
  await thumbs.nth(3).focus();
  const handle = await thumbs.nth(3).getAttribute("data-h");
  const focused = () => page.evaluate(() => document.activeElement?.dataset.h);
  await does(page, `move #${deck}:${await thumbs.first().getAttribute("data-h")} to hand`);
  await page.waitForFunction((handle) => document.querySelectorAll(".window .thumb")[2]?.dataset.h === handle, handle);
  assert.equal(await focused(), handle, "the same card");
  await does(page, `move #${deck}:${handle} to hand`);
  await page.waitForFunction((handle) => !document.querySelector(`.window [data-h="${handle}"]`), handle);
  assert.equal(await page.evaluate(() => [...document.querySelectorAll(".window .thumb")].indexOf(document.activeElement)), 2, "the card that follows");
}));

test("keys of phases go to the phase, and a strip that is cut says so", { skip: without("mlp"), timeout: 60000 }, () => table(["--game", packageOf("mlp"), "--seats", "1"], async (links) => {
  const page = await sit(links[0], { viewport: PHONE });
  await does(page, "active 1");
  await page.keyboard.press("F3");
  await page.locator("#turn .now").filter({ hasText: "Main" }).waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 0);
  const signs = () => page.locator("#turn ol").evaluate((strip) => [strip.scrollWidth > strip.clientWidth, getComputedStyle(strip).maskImage !== "none"]);
  assert.deepEqual(await signs(), [true, true], "more phases than fit: they fade at the edge");
  // Arrows are what they look like: they go to the phase before and to the next one.
  await page.getByRole("button", { name: "Next phase" }).click();
  await page.locator("#turn .now").filter({ hasText: "Score" }).waitFor();
  await page.getByRole("button", { name: "Previous phase" }).click();
  await page.locator("#turn .now").filter({ hasText: "Main" }).waitFor();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await settled(page);
  assert.deepEqual(await signs(), [false, false]);
}));

test("of markers with the same name one is listed", { skip: without("mtg-sample"), timeout: 60000 }, () => table(["--game", packageOf("mtg-sample"), "--seats", "1"], async (links) => {
  const page = await sit(links[0], { viewport: DESK });
  const { markers } = await (await page.request.get(new URL("/free/kit.json", page.url()).href)).json();
  const all = new Set(markers.map(({ name }) => name));
  assert.ok(markers.length > all.size, "the package has markers with the same name");
  await ask(page, { deck: 0 });
  await does(page, "draw 1");
  await inHand(page).first().waitFor();
  await lay(page);
  await onTable(page).first().focus();
  await page.keyboard.press("+");
  const names = await page.locator(".markerbox div > button:first-child").evaluateAll((all) => all.map((one) => one.textContent.trim()));
  assert.deepEqual(names.length, new Set(names).size, "each once");
  assert.ok(names.length > 2);
}));
