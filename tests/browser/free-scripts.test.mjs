// An evening with a package whose scripts run: two people, one of them on a phone, and a spectator (S170–S216).

import assert from "node:assert/strict";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DESK, PHONE, axe, fits, picture, root, skip, table } from "./table.mjs";
import { ask, does, sit } from "./free.mjs";
import { temporary } from "./temporary.mjs";

const LANTERNS = join(root, "crates/cw-table/tests/packages/lanterns");
const LIST = "Main\n3 Candle\n3 Torch\n3 Moth\n3 Owl\n3 Old tale\n3 Dawn";
const inHand = (page) => page.locator("#hand .card");
const onTable = (page) => page.locator("#world .card");
const pile = (page, name) => page.locator("#mine .pile", { hasText: name });
const count = async (page, name) => Number(await pile(page, name).locator("b").textContent());
const box = (page) => page.locator("#asked .question");
const settled = (page) => page.waitForTimeout(350);
const log = (page) => page.evaluate(() => [...document.querySelectorAll("#log li")].map((line) => line.textContent).join("\n"));

/** Waits until the log has these words; on a phone it is folded away. */
const told = (page, words) => page.locator("#log li").filter({ hasText: words }).last().waitFor({ state: "attached", timeout: 10000 });

/** Presses something as the person of the page does: with a finger, or with the mouse. */
const press = (page, what) => (page.touch ? what.tap() : what.click());
/** Chooses entries of the open menus by their words: the package's stand last. */
async function picks(page, ...words) {
  for (const word of words) {
    const entry = page.getByRole("menuitem", { name: word }).last();
    await entry.scrollIntoViewIfNeeded();
    await press(page, entry);
  }
  await page.locator(".menu").first().waitFor({ state: "detached" });
}
async function ofTable(page, ...words) { await press(page, page.locator("#menu")); await picks(page, ...words); }
async function ofPile(page, name, ...words) {
  if (page.touch) await pile(page, name).tap(); else await pile(page, name).click({ button: "right" });
  await picks(page, ...words);
}
/** The menu of a card: a right click, or a tap that chooses it and a second one. */
async function ofCard(page, card, ...words) {
  if (page.touch) {
    if (!await card.evaluate((one) => one.classList.contains("sel"))) { await card.tap({ position: { x: 12, y: 20 } }); await settled(page); }
    await card.tap({ position: { x: 12, y: 20 } });
  } else await card.click({ button: "right", position: { x: 12, y: 20 } });
  await page.locator(".menu").first().waitFor();
  await picks(page, ...words);
}
/** Answers with a button of the question. */
async function answers(page, button) { await press(page, box(page).getByRole("button", { name: button, exact: true })); }
async function types(page, label, value) {
  await box(page).getByLabel(label).fill(value);
  await answers(page, "OK");
}

test("an evening with scripts: set up, ten turns, questions on a phone, an undo, an error", { skip, timeout: 300000 }, () => table(["--game", LANTERNS, "--free", "--seats", "2", "--seed", "7"], async (links) => {
  const ann = await sit(links[0], { viewport: DESK, colorScheme: "dark" });
  const ben = await sit(links[1], { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: "light" });
  const eve = await sit(links[2], { viewport: DESK, colorScheme: "light" });
  ben.touch = true;
  const all = [ann, ben, eve];
  const moment = async (name, pages = all) => {
    for (const page of pages) {
      await settled(page);
      await fits(page, name);
      await picture(page, `scripts-${name}-${["ann", "ben", "eve"][all.indexOf(page)]}`);
    }
  };
  for (const [page, name] of [[ann, "Ann"], [ben, "Ben"]]) {
    await does(page, `rename ${name}`);
    await ask(page, { "deck-text": { name: "All", text: LIST } });
    await told(page, "loads a deck");
  }
  // All are told that a program comes with the package, and whose it is.
  for (const page of all) assert.match(await log(page), /Lanterns 1\.2\.0\.0 brings scripts of \d+ lines/);
  await moment("begins");

  // The script sets up. Nobody else is told what it asks, or sees anything before it is done.
  await ofTable(ann, "Game", "Set up");
  await box(ann).getByText("Set up the game?").waitFor();
  await box(ben).getByText("Waiting for Ann").waitFor();
  for (const page of [ben, eve]) assert.doesNotMatch(await page.locator("#asked").textContent(), /Set up the game\?/);
  await axe(ann, "a question of a script");
  await moment("asks");
  await answers(ann, "Yes");
  for (const page of all) await told(page, "Ann sets up: 4 cards in hand, 13 in the deck.");
  assert.equal(await inHand(ann).count(), 4);
  assert.equal(await onTable(eve).count(), 1);
  await ofTable(ben, "Game", "Set up");
  await box(ben).getByText("Set up the game?").waitFor();
  await axe(ben, "a question of a script on a phone");
  await moment("asks-phone");
  await answers(ben, "Yes");
  for (const page of all) await told(page, "Ben sets up: 4 cards in hand, 13 in the deck.");
  await moment("set-up");

  /** What its seat does in each of the ten turns; the turn ends by the script's own entry. */
  const turns = [
    async () => {
      await ofPile(ann, "Deck", /^Draw$/);
      await told(ben, "Ann draws a card.");
      assert.equal(await count(ann, "Deck"), 12);
    },
    // On the phone: two numbers, one after the other; what was said so far stands above the second.
    async () => {
      await ofPile(ben, "Deck", "Draw many");
      await box(ben).getByText("How many cards?").waitFor();
      await types(ben, "How many", "3");
      await box(ben).getByText("How many of them do you keep?").waitFor();
      assert.equal(await inHand(ben).count(), 7, "the hand as it would be");
      await moment("asks-twice");
      await types(ben, "How many", "6");
      for (const page of all) await told(page, "Ben draws 3 cards and keeps 6.");
      assert.deepEqual([await inHand(ben).count(), await count(ben, "Discard")], [6, 1]);
    },
    // An open run is taken back by its seat alone: the script's marker with all else.
    async () => {
      const lamp = onTable(ann).filter({ has: ann.locator(".mk") }).first();
      const oil = async (page) => (await page.locator("#world .mk b").allTextContents()).join(" ");
      const before = await oil(ann);
      await ofCard(ann, onTable(ann).nth(0), "Oil up");
      await told(ben, /Ann pours oil on/);
      await lamp.waitFor();
      await moment("oiled");
      const after = await oil(ann);
      assert.notEqual(after, before);
      await ann.keyboard.press("Escape");
      await ann.keyboard.press("z");
      await told(ben, /Ann takes back/);
      for (const page of all) await page.waitForFunction((was) => [...document.querySelectorAll("#world .mk b")].map((one) => one.textContent).join(" ") === was, before);
      await moment("taken-back");
    },
    // On the phone: a choice, a text, a marker.
    async () => {
      await ofTable(ben, "Which?");
      await box(ben).getByText("Which?").first().waitFor();
      await moment("asks-which", [ben]);
      await answers(ben, "two");
      await box(ben).getByText("Say it in your words").waitFor();
      await moment("asks-words", [ben]);
      await types(ben, "Your answer", "a second one");
      await box(ben).getByLabel("Which").waitFor();
      await moment("asks-marker", [ben]);
      await types(ben, "How many", "2");
      for (const page of all) await told(page, "two a second one Oil 2");
    },
    // A script fails in the middle: nothing has changed, one sentence says where, and others read a short one.
    async () => {
      const [hand, deck] = [await inHand(ann).count(), await count(ann, "Deck")];
      await ofTable(ann, "Fails in the middle");
      await ann.getByText(/Fails in the middle failed: ZeroDivisionError.*scripts\/cards\.py, line \d+.*Nothing has changed\./).first().waitFor();
      await moment("fails");
      assert.deepEqual([await inHand(ann).count(), await count(ann, "Deck")], [hand, deck]);
      assert.match(await log(ben), /Fails in the middle failed: ZeroDivisionError/);
      assert.doesNotMatch(await log(ben), /cards\.py/, "where it failed is read by who chose it");
      for (let many = 0; many < 2; many += 1) await ann.keyboard.press("Escape");
    },
    // On the phone: cards of one's own deck, of which one is taken; all read that it was looked into.
    async () => {
      await ofPile(ben, "Deck", "Search");
      await box(ben).getByText("Take one of them").waitFor();
      const cards = box(ben).locator(".pick");
      assert.equal(await cards.count(), 3);
      assert.equal(await box(ben).getByRole("button", { name: "OK", exact: true }).isDisabled(), true);
      await cards.nth(1).tap();
      await axe(ben, "cards that a script asks for");
      await moment("asks-cards");
      const names = await cards.locator("img").evaluateAll((pictures) => pictures.map((one) => one.alt));
      await answers(ben, "OK");
      for (const page of all) await told(page, "Ben searches the top 3 cards.");
      assert.match(await log(eve), /Ben's Search looked at 3 cards of Ben's Deck/);
      assert.ok(names.every((name) => name !== "a card"), String(names));
    },
    async () => {
      const lie = await onTable(eve).count();
      await ofCard(ann, ann.locator('#hand .card[aria-label^="Owl"]').first(), "Play");
      await told(ben, "Ann plays Owl for 3.");
      await onTable(eve).nth(lie).waitFor();
      await ann.locator("#mine .counter b", { hasText: /^0$/ }).waitFor();
      await moment("played");
    },
    // A question is cancelled on the phone: nothing has changed.
    async () => {
      await ofTable(ben, "How many?");
      await box(ben).getByText("How many?").last().waitFor();
      await press(ben, box(ben).getByRole("button", { name: "Cancel it" }));
      await told(ann, "Ben cancels “How many?”");
      assert.equal(await box(ben).count(), 0);
    },
    async () => {
      await ofCard(ann, onTable(ann).last(), /^Light/);
      await told(ben, /Ann (lights|puts out)/);
    },
    async () => {
      await ofCard(ben, inHand(ben).last(), "The whole hand", "Discard at random");
      await told(ann, /Ben discards .* at random/);
    },
  ];
  for (const [at, turn] of turns.entries()) {
    const page = [ann, ben][at % 2];
    await turn();
    // Dusk, night, and the next turn.
    for (let phase = 0; phase < 3; phase += 1) {
      const said = (await log(eve)).split("It is").length;
      await ofTable(page, "Next phase");
      await eve.waitForFunction((was) => document.getElementById("log").textContent.split("It is").length > was, said, { timeout: 10000 });
    }
  }
  await moment("ends");
  for (const page of all) assert.deepEqual(page.faults.filter((fault) => !/409/.test(fault)), []);
}));

// The page sent no click at all for as long as no test had clicked: a `pointerup` does not count presses.
test("the scripts hear of a click, and once of a double click", { skip, timeout: 120000 }, async () => {
  const folder = temporary("clicks");
  const game = join(folder, "game"), definition = join(game, "definition.xml");
  cpSync(LANTERNS, game, { recursive: true });
  const heard = "<events><event name=\"OnCardClicked\" action=\"clicked\"/></events></game>";
  writeFileSync(definition, readFileSync(definition, "utf8").replace("</game>", heard));
  appendFileSync(join(game, "scripts/cards.py"), "\ndef clicked(args):\n    notify(\"{} points at {}.\".format(me, args.card))\n");
  await table(["--game", game, "--free", "--seats", "1", "--seed", "7"], async (links) => {
    const ann = await sit(links[0], { viewport: DESK });
    await does(ann, "rename Ann");
    await ask(ann, { "deck-text": { name: "All", text: LIST } });
    await does(ann, "draw Deck 1", "movetop Deck 1 to table");
    const clicks = async () => (await log(ann)).split("Ann points at").length - 1;
    const card = onTable(ann).first();
    await card.click();
    await told(ann, "Ann points at");
    assert.equal(await clicks(), 1);
    await ann.waitForTimeout(800);
    await card.dblclick();
    await ann.waitForFunction(() => document.getElementById("log").textContent.split("Ann points at").length > 2, null, { timeout: 10000 });
    await ann.waitForTimeout(500);
    assert.equal(await clicks(), 2);
    // A card that lies across is chosen where it is drawn.
    await does(ann, "rotate table:all to 90");
    await settled(ann);
    const { x, y, width, height } = await card.boundingBox();
    await ann.mouse.move(x - 40, y - 40);
    await ann.mouse.down();
    await ann.mouse.move(x + width / 2 + 4, y + height / 2 + 4, { steps: 6 });
    await ann.mouse.up();
    assert.equal(await ann.locator("#world .card.sel").count(), 1);
    assert.deepEqual(ann.faults, []);
  });
  rmSync(folder, { recursive: true });
});
