// The free table: an evening of two people, by mouse, touch and keyboard; that nothing hidden is sent; its weight.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DESK, LARGE, PHONE, axe, fits, picture, root, skip, table } from "./table.mjs";
import { ask, does, drag, everything, menu, packageOf, sit, told, without } from "./free.mjs";

const settled = (page) => page.waitForTimeout(350);
const onTable = (page) => page.locator("#world .card");
const inHand = (page) => page.locator("#hand .card");
const name = (card) => card.getAttribute("aria-label");

test("an evening of Netrunner", { skip: without("netrunner"), timeout: 240000 }, () => table(["--game", packageOf("netrunner"), "--seats", "2"], async (links) => {
  const ann = await sit(links[0]);
  const ben = await sit(links[1], { colorScheme: "light" });
  const watching = await sit(links[2]);
  const kit = await (await ann.request.get(new URL("/free/kit.json", ann.url()).href)).json();

  // Decks of the package, by the dialog.
  for (const [page, deck] of [[ann, "Core-Jinteki Starting deck"], [ben, "Core-Shaper Starting deck"]]) {
    await page.locator("#menu").click();
    await page.getByRole("menuitem", { name: /Choose a deck/ }).click();
    await page.getByRole("searchbox", { name: "Find a deck" }).fill(deck);
    await page.getByRole("button", { name: deck, exact: true }).click();
    await told(page, `loads a deck “${deck}”`);
    assert.doesNotMatch(await (page === ann ? ben : ann).locator("#log").textContent(), new RegExp(deck), "which deck it is says nobody else's log (F211)");
  }
  const cardsOf = (deck) => {
    const found = readdirSync(join(packageOf("netrunner"), "Decks"), { recursive: true }).find((file) => file.endsWith(`${deck}.o8d`));
    const lines = readFileSync(join(packageOf("netrunner"), "Decks", found), "utf8").matchAll(/<card [^>]*>([^<]+)</g);
    return new Set([...lines].map(([, words]) => words.replaceAll("&amp;", "&").trim()));
  };
  const [own, other] = [cardsOf("Core-Jinteki Starting deck"), cardsOf("Core-Shaper Starting deck")];
  for (const shared of [...own].filter((card) => other.has(card))) { own.delete(shared); other.delete(shared); }
  // A word of a deck's name says nothing about a card.
  for (const card of [...own, ...other]) if ("Core-Jinteki Starting deck Core-Shaper".includes(card)) { own.delete(card); other.delete(card); }
  const named = (text, cards) => [...cards].filter((card) => text.includes(JSON.stringify(card).slice(1, -1)));

  // Shuffle, an opening hand, a mulligan.
  await ann.keyboard.press("s");
  await told(ben, "Seat 1 shuffles");
  await does(ann, "hand 5");
  await does(ben, "hand 5");
  await told(ann, "Seat 2 draws 5 cards");
  await does(ann, "mulligan 5");
  await told(ben, "Seat 1");
  await settled(ann);
  assert.equal(await inHand(ann).count(), 5);
  assert.deepEqual(named(await everything(ben), own), [], "nothing of the other hand was sent");

  // Install one face down with Shift, play one face up.
  const installed = await name(inHand(ann).nth(1));
  await drag(ann, inHand(ann).nth(1), [420, 330], { shift: true });
  await told(ben, "face down");
  await onTable(ben).first().waitFor();
  assert.equal(await name(onTable(ben).first()), "a face-down card, of Seat 1");
  assert.equal(await name(onTable(ann).first()), "a face-down card, yours", "whoever would know again peeks, and all read it");
  const played = (await name(inHand(ben).nth(0))).split(",")[0];
  await drag(ben, inHand(ben).nth(0), [520, 330]);
  await told(ann, played);

  // One element a card: what moves on the one screen moves on the other.
  const before = await onTable(ben).first().evaluate((card) => card.style.transform);
  await drag(ann, onTable(ann).first(), [300, 260]);
  await ben.waitForFunction((old) => document.querySelector("#world .card").style.transform !== old, before);

  // A marker; then Ann peeks, which all read, and only she learns what it is.
  await ben.waitForTimeout(100);
  await does(ben, "draw 1");
  await menu(ann, onTable(ann).first(), "Markers");
  await ann.getByRole("searchbox", { name: "Find a marker" }).fill(kit.markers.at(-1).name);
  await ann.locator(".markerbox button").first().click();
  await ann.locator("dialog .row button").click();
  await ben.locator("#world .mk").waitFor();
  await menu(ann, onTable(ann).first(), "Look and show", "Peek");
  await told(ben, "peeks");
  assert.ok((await name(onTable(ann).first())).startsWith(`${installed.split(",")[0]}, face down, known to you`));
  assert.deepEqual(named(await everything(ben), own), []);
  assert.deepEqual(named(await everything(watching), new Set([...own, ...other])), [played].filter((card) => other.has(card)));

  // Counters, by the panel.
  const counter = kit && ann.locator("#mine .counter").first();
  await counter.getByRole("button", { name: /\+1$/ }).click();
  await told(ben, "Seat 1");
  await ben.waitForFunction(() => document.querySelector("#others .counter b").textContent === "1");

  // Reveal: now all know it.
  await onTable(ann).first().focus();
  await ann.keyboard.press("f");
  const public_ = installed.split(",")[0];
  await told(ben, public_);
  await settled(ben);
  assert.ok((await name(onTable(ben).first())).startsWith(public_));
  const now = named(await everything(ben), own);
  assert.deepEqual(now, own.has(public_) ? [public_] : []);

  // Take back: a thing that came to light needs the other's consent.
  await ann.keyboard.press("z");
  await ann.getByRole("button", { name: "Ask the others" }).click();
  await ben.getByRole("button", { name: "Agree", exact: true }).click();
  await told(ann, "takes back");
  await settled(ben);
  assert.equal(await name(onTable(ben).first()).then((words) => words.includes("face-down")), true);

  // Chat, ready phrases, commands; the turn.
  await ann.keyboard.press("/");
  await ann.keyboard.type("Good evening");
  await ann.keyboard.press("Enter");
  await told(ben, "Good evening");
  await ann.locator("#say").fill("/rol 2d6");
  await ann.keyboard.press("Enter");
  await ann.locator("#notice.on", { hasText: "/roll" }).waitFor();
  await ann.locator("#say").fill("/roll 2d6");
  await ann.keyboard.press("Enter");
  await told(ben, "rolls 2d6");
  await ben.locator("#phrases").click();
  await ben.getByRole("menuitem", { name: "Well played." }).click();
  await told(ann, "Well played.");
  await ann.getByRole("button", { name: "Begin the first turn" }).click();
  await told(ben, "Seat 1");

  // The other's pointer.
  await ann.mouse.move(500, 300);
  await ann.mouse.move(510, 310, { steps: 4 });
  await ben.locator(".pointer:not(.off)").waitFor();

  // More on the table for the pictures.
  for (const page of [ann, ben]) {
    await does(page, "draw 3");
    for (let count = 0; count < 3; count += 1) {
      const handle = await inHand(page).first().getAttribute("data-h");
      await does(page, `move ${handle} to table${count === 1 ? " down" : ""}`);
      await settled(page);
    }
  }
  await does(ann, "note 120,20 \"3 credits on the next run\"");
  for (const page of [ann, ben, watching]) { await page.keyboard.press("Escape"); await page.locator("#fit").click(); }
  await settled(ann);
  for (const [size, viewport] of [["desk", DESK], ["large", LARGE], ["phone", PHONE], ["lying", { width: 844, height: 390 }]]) {
    for (const [seat, page] of [["a", ann], ["b", ben]]) {
      await page.setViewportSize(viewport);
      await page.locator("#fit").click();
      await settled(page);
      await fits(page, size);
      await picture(page, `free-evening-${size}-${seat}`);
    }
  }
  for (const page of [ann, ben]) await page.setViewportSize(DESK);
  await axe(ann, "the free table, dark");
  await axe(ben, "the free table, light");

  // A look into the other's deck needs leave; it is the owner who decides.
  const stack = await ben.locator("#others .pile:not(.ishand)").first().getAttribute("data-pile");
  await does(ben, `look #${stack}`);
  await ann.locator(".question").getByRole("button", { name: "No", exact: true }).click();
  await ben.locator(".question").waitFor({ state: "detached" });
  // The end: both agree.
  await does(ann, "endgame");
  await does(ben, "endgame");
  await ann.getByText("The game is over").first().waitFor();

  // Every byte of the evening: what Ben may know of Ann's cards came to light by itself.
  const lit = await ann.evaluate(() => [...document.querySelectorAll("#log li")].map((line) => line.textContent).join("\n"));
  for (const page of [ben, watching]) {
    const log = await page.evaluate(() => [...document.querySelectorAll("#log li")].map((line) => line.textContent).join("\n"));
    for (const card of named(await everything(page), own)) assert.ok(log.includes(card), `${card} was sent, and the log never named it`);
  }
  for (const card of named(await everything(ann), other)) assert.ok(lit.includes(card), `${card} was sent, and the log never named it`);
  for (const page of [ann, ben, watching]) assert.deepEqual(page.faults.filter((fault) => !/409|429/.test(fault)), []);
}));

test("by touch: drag, select, menu, pinch, long press, a swipe that draws", { skip, timeout: 60000 }, () => table(["--free", "--seats", "1", "--seed", "5"], async (links) => {
  const page = await sit(links[0], { viewport: PHONE, hasTouch: true, isMobile: true });
  await ask(page, { deck: 0 });
  await does(page, "hand 4");
  await settled(page);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const box = await inHand(page).nth(1).boundingBox();
  const [x, y] = [box.x + 20, box.y + 60];
  await touch("touchStart", [x, y]);
  for (let step = 1; step <= 10; step += 1) await touch("touchMove", [x + step * 8, y - step * 35]);
  await touch("touchEnd");
  await onTable(page).waitFor();
  // A card that comes from the hand is on its way for a moment.
  await settled(page);
  const lying = await onTable(page).boundingBox();
  const middle = [lying.x + lying.width / 2, lying.y + lying.height / 2];
  await page.touchscreen.tap(...middle);
  await page.locator(".card.sel").waitFor();
  await page.touchscreen.tap(...middle);
  await page.locator(".menu").waitFor();
  await page.waitForTimeout(400);
  assert.equal(await page.locator(".menu").count(), 1, "the tap that opens a menu chooses nothing in it");
  for (const entry of await page.locator(".menu button").all()) assert.ok((await entry.boundingBox()).height >= 44, "targets are large");
  await page.keyboard.press("Escape");
  const zoom = () => page.locator("#world").evaluate((world) => world.style.transform);
  const before = await zoom();
  await touch("touchStart", [150, 400], [250, 400]);
  for (let step = 1; step <= 8; step += 1) await touch("touchMove", [150 - step * 8, 400], [250 + step * 8, 400]);
  await touch("touchEnd");
  assert.notEqual(await zoom(), before, "two fingers zoom");
  const held = await inHand(page).first().boundingBox();
  await touch("touchStart", [held.x + 15, held.y + 60]);
  await page.locator("dialog.zoom").waitFor();
  await touch("touchEnd");
  await page.keyboard.press("Escape");
  await page.locator("dialog.zoom").waitFor({ state: "hidden" });
  const pile = await page.locator("#mine .pile").first().boundingBox();
  // On a busy machine a swipe may take so long that it is a press, which opens a menu.
  for (let tries = 0; tries < 3; tries += 1) {
    await touch("touchStart", [pile.x + 20, pile.y + 20]);
    for (let step = 1; step <= 5; step += 1) await touch("touchMove", [pile.x + 20, pile.y + 20 - step * 12]);
    await touch("touchEnd");
    const drawn = page.waitForFunction(() => document.querySelectorAll("#hand .card").length === 4, null, { timeout: 10000 });
    if (await drawn.then(() => true, () => false)) break;
    await page.keyboard.press("Escape");
  }
  assert.equal(await page.locator("#hand .card").count(), 4);
  assert.deepEqual(page.faults, []);
}));

test("the page is light", { skip }, () => table(["--free", "--seats", "1"], async (links) => {
  const page = await sit(links[0]);
  // The scripts and the style go over the wire compressed.
  let [sent, read] = [0, 0];
  for (const name of readdirSync(join(root, "crates/cw-pages/assets/free"))) {
    const response = await page.request.get(new URL(`/assets/free/${name}`, page.url()).href, { headers: { "accept-encoding": "gzip, deflate, br" } });
    sent += Number(response.headers()["content-length"]);
    read += (await response.body()).length;
  }
  console.log(`weight of the free table's page: ${(sent / 1000).toFixed(1)} kB sent, ${(read / 1000).toFixed(1)} kB to read`);
  assert.ok(sent > 10_000 && sent < 60_000, `${sent} bytes are sent`);
  assert.ok(read < 180_000, `${read} bytes are to be read`);
}));
