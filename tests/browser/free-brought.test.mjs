// The free table: decks that a seat brings, cards that are shown, searches, entries of the package, questions.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DESK, PHONE, axe, picture, skip, table } from "./table.mjs";
import { ask, does, sit, told } from "./free.mjs";
import { SILENCE } from "./piles.mjs";
import { temporary } from "./temporary.mjs";

const inHand = (page) => page.locator("#hand .card");

const SCRIPT = `
def drawMany(group, x = 0, y = 0):
    mute()
    count = askInteger("Draw how many cards?", 3)
    for c in group.top(count): c.moveTo(me.hand)

def subMarker(card, x = 0, y = 0, count = 1):
    card.markers[("Worm", "worm")] -= count

def readyAll(group, x = 0, y = 0):
    for card in table:
        if card.controller == me and card.isFaceUp: card.highlight = "#ff0000"
`;
/** An orchard of broad cards, whose deck has no order and whose package brings no deck. */
export function orchard() {
  const folder = temporary("orchard");
  const set = "7e0c2f0a-0000-4000-8000-000000000001";
  for (const inside of [["Sets"], ["Sets", set], ["Scripts"]]) mkdirSync(join(folder, ...inside));
  writeFileSync(join(folder, "definition.xml"), `<?xml version="1.0" encoding="utf-8"?>
<game name="Orchard" id="7e0c2f0a-0000-4000-8000-000000000000" version="1.0.0.0" octgnVersion="3.1.0.0">
<card back="" front="" width="88" height="63" cornerRadius="3"><property name="Type" type="String" /><property name="Text" type="String" /></card>
<scripts><script src="Scripts/orchard.py" /></scripts>
<sounds><sound name="Bell" src="bell.wav" /></sounds>
<documents><document name="Rules of the orchard" src="rules.txt" icon="" /><document name="A film" src="film.avi" icon="" /></documents>
<markers><marker name="Worm" id="worm" src="" /></markers>
<table name="Table" width="1000" height="700" background=""><cardaction menu="Sub Marker" execute="subMarker" /><groupaction menu="Ready All" execute="readyAll" /></table>
<player summary=""><group name="Hand" visibility="me" ordered="False" icon="" /><group name="Deck" visibility="none" ordered="False" icon=""><groupaction menu="Draw Many" execute="drawMany" /></group><group name="Basket" visibility="all" icon="" /><group name="Sideboard" visibility="none" ordered="False" icon="" /></player>
<deck><section name="Main" group="Deck" /><section name="Sideboard" group="Sideboard" /></deck></game>`);
  const cards = ["Apple", "Pear", "Plum", "Quince", "Fig"].map((name, at) => `<card id="7e0c2f0a-0000-4000-8000-0000000001${String(10 + at)}" name="${name}"><property name="Type" value="${at % 2 ? "Event" : "Fruit"}" /><property name="Text" value="It grows on rung ${at}." /></card>`);
  writeFileSync(join(folder, "Sets", set, "set.xml"), `<?xml version="1.0" encoding="utf-8"?>
<set name="First harvest" id="${set}" gameId="7e0c2f0a-0000-4000-8000-000000000000" gameVersion="1.0.0.0" version="1.0.0.0"><packaging><pack name="Crate" id="7e0c2f0a-0000-4000-8000-000000000201"><pick qty="2" key="Type" value="Fruit" /></pack></packaging><cards>${cards.join("")}</cards></set>`);
  writeFileSync(join(folder, "Scripts", "orchard.py"), SCRIPT);
  writeFileSync(join(folder, "bell.wav"), SILENCE);
  writeFileSync(join(folder, "rules.txt"), "Pick what is ripe.");
  return folder;
}
const LIST = "Main\n3 Apple\n3x Pear\nPlum x2\n// not this\n1 Quince\nFig";
const evening = (use, { seats = 2, scripts = "on", ...options } = {}) => table(["--game", orchard(), "--free", "--seats", String(seats), "--scripts", scripts], async (links) => {
  const ann = await sit(links[0], { viewport: DESK, ...options });
  const ben = await sit(links[1], { viewport: DESK });
  await use(ann, ben, links);
  for (const page of [ann, ben]) assert.deepEqual(page.faults.filter((fault) => !/409/.test(fault)), []);
});
/** A deck by the dialog, as a person pastes it. */
async function bring(page, text = LIST) {
  await page.getByRole("button", { name: "Choose a deck" }).click();
  await page.locator("dialog textarea").fill(text);
  await page.getByRole("button", { name: "Load this list" }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await told(page, "loads a deck");
}

test("a seat without cards is asked for its deck, and brings it as a list, a file, or once more (F210–F212)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  await ann.locator("#begin").waitFor();
  await picture(ann, "free-begin");
  await axe(ann, "a table that opens");
  // An empty deck pile opens the same dialog.
  await ann.locator("#mine .pile", { hasText: "Deck" }).click();
  await ann.getByRole("dialog", { name: "Choose a deck" }).waitFor();
  await picture(ann, "free-decks");
  await ann.keyboard.press("Escape");
  await bring(ann);
  assert.equal(await ann.locator("#mine .pile", { hasText: "Deck" }).locator("b").textContent(), "10");
  // What comes next is said, until there is a hand.
  assert.match(await ann.locator("#begin").innerText(), /Your deck is ready[\s\S]*Draw a hand/);
  await axe(ann, "a deck that lies ready");
  await told(ben, "loads a deck: 10 into Deck");
  assert.doesNotMatch(await ben.locator("#log").textContent(), /List of/, "which deck it is reads only who brings it (F211)");
  // A file; what does not fit is said with its line.
  await ben.getByRole("button", { name: "Choose a deck" }).click();
  await ben.locator("dialog input[type=file]").setInputFiles({ name: "Ben's.txt", mimeType: "text/plain", buffer: Buffer.from("4 Fig\n2 Durian") });
  await ben.getByText("Line 2: there is no card “Durian”").waitFor();
  await ben.keyboard.press("Escape");
  assert.equal(await ben.locator("#mine .pile", { hasText: "Deck" }).locator("b").textContent(), "6");
  assert.match((await ask(ben, { "deck-text": { name: "x", text: "nothing of this" } })).no, /none of these 1 lines names a card of Orchard/);
  assert.match((await ask(ben, { "deck-text": { name: "x", text: "<deck>" } })).no, /this is not an OCTGN deck: .*paste it as a list/);
  // What was brought once stands in the list.
  await ben.locator("#menu").click();
  await ben.getByRole("menuitem", { name: /Choose a deck/ }).click();
  await ben.getByRole("button", { name: /^Ben's used before/ }).waitFor();
}));

test("likely entries are forms, filled in as far as they were recognised (F34)", { skip, timeout: 90000 }, () => evening(async (ann) => {
  await bring(ann);
  const deck = ann.locator("#mine .pile", { hasText: "Deck" });
  await deck.click({ button: "right" });
  await ann.getByRole("menuitem", { name: /Draw Many/ }).click();
  await ann.getByLabel("How many?").fill("4");
  await ann.getByRole("button", { name: "Do it" }).click();
  await told(ann, "draws 4 cards");
  const handle = await inHand(ann).first().getAttribute("data-h");
  await does(ann, `place ${handle} 0,20`, `marker ${handle} Worm +3`);
  await ann.locator("#world .card .mk").waitFor();
  await ann.locator("#world .card").first().click({ button: "right" });
  await ann.getByRole("menuitem", { name: /Sub Marker/ }).click();
  assert.equal(await ann.getByLabel("Which marker?").inputValue(), "Worm");
  await ann.getByRole("button", { name: "Do it" }).click();
  await ann.waitForFunction(() => document.querySelector("#world .mk b").textContent === "2");
  // A group's entry has its cards: no “Choose cards first”.
  await ann.locator("#menu").click();
  await ann.getByRole("menuitem", { name: /Ready All/ }).click();
  assert.equal(await ann.getByLabel("Which cards?").inputValue(), "table:mine");
  await picture(ann, "free-form");
  await ann.getByRole("button", { name: "Do it" }).click();
  await ann.locator("#world .card.edged").waitFor();
}, { scripts: "off" }));

test("an entry runs the package's script, which asks beside the table (S171, S176)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  await bring(ann);
  const choose = async () => {
    await ann.locator("#mine .pile", { hasText: "Deck" }).click({ button: "right" });
    await ann.getByRole("menuitem", { name: /Draw Many/ }).click();
  };
  await choose();
  const box = ann.locator("#asked .question");
  await box.getByText("Draw how many cards?").waitFor();
  assert.equal(await box.getByLabel("How many").inputValue(), "3");
  assert.equal(await box.getByLabel("How many").evaluate((one) => one === document.activeElement), true, "the answer can be typed at once");
  // Others read that it waits, not what is asked.
  await ben.locator("#asked").getByText("Waiting for Seat 1").waitFor();
  assert.doesNotMatch(await ben.locator("#asked").textContent(), /how many/i);
  await axe(ann);
  await box.getByLabel("How many").fill("4");
  await ann.keyboard.press("Enter");
  await inHand(ann).nth(3).waitFor();
  await told(ben, "runs “Draw Many”");
  assert.equal(await ben.locator("#asked .question").count(), 0);
  // Broken off, nothing has changed.
  await choose();
  await box.getByRole("button", { name: "Cancel it" }).click();
  await told(ben, "cancels “Draw Many”");
  assert.equal(await inHand(ann).count(), 4);
}));

test("what is shown stands in a row until it is put away (F84), and a search finds by every property (F81)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  await bring(ann);
  await does(ann, "draw 3");
  await inHand(ann).nth(2).waitFor();
  const handle = await inHand(ann).first().getAttribute("data-h");
  const name = (await inHand(ann).first().getAttribute("aria-label")).split(",")[0];
  assert.equal(await ben.locator("#shown > *").count(), 0);
  await does(ann, `reveal ${handle} to all`);
  await ben.locator("#shown").getByRole("button", { name: `Read ${name}` }).waitFor();
  assert.match(await ben.locator("#shown").textContent(), /Seat 1 shows this? ?in Hand|Seat 1 shows in Hand/);
  await picture(ben, "free-shown");
  await ann.locator("#shown").getByRole("button", { name: `Put ${name} away` }).click();
  await ben.locator("#shown > *").waitFor({ state: "detached" });
  // Typing what is printed finds it; closing the search shuffles, though the deck has no order.
  await ann.locator("#mine .pile", { hasText: "Deck" }).click({ button: "right" });
  await ann.getByRole("menuitem", { name: /Search, then shuffle/ }).click();
  await ann.locator(".window input").fill("event");
  await ann.waitForFunction(() => document.querySelectorAll(".window .thumb").length > 0);
  const found = await ann.locator(".window .thumb").allTextContents();
  assert.ok(found.every((words) => /Pear|Quince/.test(words)), String(found));
  await ann.locator(".window").getByRole("button", { name: "Close", exact: true }).click();
  await told(ben, "Seat 1 shuffles");
  // Tokens show their set and picture.
  await ann.locator("#felt").focus();
  await ann.keyboard.press("k");
  await ann.locator("dialog .choices .pictured", { hasText: "First harvest" }).first().waitFor();
  await ann.keyboard.press("Escape");
  // Documents have their place.
  await ann.locator("#menu").click();
  await ann.getByRole("menuitem", { name: "Documents" }).click();
  await ann.getByRole("menuitem", { name: "A film (not here)" }).waitFor();
  assert.equal(await (await ann.request.get(new URL("/free/document/0", ann.url()).href)).text(), "Pick what is ripe.");
  assert.equal((await ann.request.get(new URL("/free/document/1", ann.url()).href)).status(), 404);
}));

test("a question lies over one's own windows, and says plainly what is taken back (F132)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  await does(ann, "create =\"Stone\" 3 at 0,20");
  await does(ben, "create =\"Brick\" 2 at 60,-80", "roll 1d6");
  await ann.locator("#mine .pile", { hasText: "Basket" }).click();
  await ann.locator(".window").waitFor();
  await ben.keyboard.press("z");
  await ben.getByRole("button", { name: "Ask the others" }).click();
  const question = ann.locator(".question");
  await question.waitFor();
  assert.match(await question.textContent(), /^Seat 2 asks to take back: creates .*rolls 1d6/);
  for (const viewport of [DESK, PHONE, { width: 844, height: 390 }]) {
    await ann.setViewportSize(viewport);
    for (const button of await question.getByRole("button").all()) {
      const box = await button.boundingBox();
      const hit = await ann.evaluate(([x, y]) => document.elementFromPoint(x, y)?.textContent, [box.x + box.width / 2, box.y + box.height / 2]);
      assert.equal(hit, await button.textContent(), `${viewport.width}: nothing lies on it`);
    }
  }
}));

test("a hand of broad cards stays inside its strip", { skip, timeout: 90000 }, () => evening(async (ann) => {
  await ask(ann, { "deck-text": { name: "x", text: LIST } });
  await does(ann, "draw 7");
  await inHand(ann).nth(6).waitFor();
  for (const viewport of [DESK, PHONE, { width: 844, height: 390 }]) {
    await ann.setViewportSize(viewport);
    await ann.waitForTimeout(300);
    const strip = await ann.locator("#hand").boundingBox();
    for (const card of await inHand(ann).all()) {
      const box = await card.locator(".c").boundingBox();
      assert.ok(box.x >= strip.x - 3 && box.x + box.width <= strip.x + strip.width + 3, `${viewport.width}: ${Math.round(box.x)}+${Math.round(box.width)} in ${strip.x}+${strip.width}`);
    }
  }
}));

test("attached cards lie tucked under their host and are marked (F105); comings and goings are one line", { skip, timeout: 90000 }, () => evening(async (ann) => {
  await does(ann, "create =\"Wall\" at 0,20", "create =\"Ivy\" at 200,60");
  const [wall, ivy] = [ann.locator("#world .card", { hasText: "Wall" }), ann.locator("#world .card", { hasText: "Ivy" })];
  await ivy.waitFor();
  await ivy.click({ button: "right" });
  // Near the edge of the window a submenu opens on the other side, never over the entry that is pointed at.
  await ann.getByRole("menuitem", { name: /^Place/ }).hover();
  await ann.getByRole("menuitem", { name: "Attach to …" }).waitFor();
  await ann.getByRole("menuitem", { name: /^Place/ }).click({ timeout: 5000 });
  await ann.getByRole("menuitem", { name: "Attach to …" }).click();
  await wall.click();
  await ivy.locator(".tied").waitFor();
  await ann.waitForTimeout(300);
  const [under, over] = [await ivy.boundingBox(), await wall.boundingBox()];
  assert.ok(Math.abs(under.x - over.x) < 3 && under.y < over.y && under.y + under.height > over.y, "it looks out above");
  assert.equal(await wall.locator(".tied").textContent(), "+1");
  assert.match(await ivy.getAttribute("aria-label"), /attached to Wall/);
  assert.ok(await ann.evaluate(([x, y]) => document.elementFromPoint(x, y).closest(".card").getAttribute("aria-label").startsWith("Wall"), [over.x + over.width / 2, over.y + over.height / 2]), "the host lies above");
}));

test("packs are opened and a deck is built of the pool (F217); cards change their section between games (F124)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  const chooses = async (page, ...words) => { await page.locator("#menu").click(); for (const word of words) await page.getByRole("menuitem", { name: word }).click(); };
  await chooses(ann, "Game", "Open packs");
  assert.deepEqual(await ann.locator("dialog option").allTextContents(), ["First harvest: Crate"]);
  await ann.getByLabel("How many for each seat?").fill("3");
  await ann.getByRole("button", { name: "Open them" }).click();
  await told(ben, "opens 3 packs for every seat");
  await chooses(ann, "Game", "Build a deck from my pool");
  const list = ann.locator("dialog textarea");
  const pool = (await list.inputValue()).split("\n");
  assert.equal(pool.reduce((sum, line) => sum + Number.parseInt(line, 10), 0), 6, String(pool));
  await picture(ann, "free-pool");
  // What is not in the pool cannot be built, and the list stays.
  await list.fill("9 Quince");
  await ann.getByRole("button", { name: "Build it" }).click();
  await ann.locator("#notice.on").waitFor();
  const [, first] = /^\d+ (.*)$/.exec(pool[0]);
  await list.fill(`1 ${first}`);
  await ann.getByRole("button", { name: "Build it" }).click();
  await list.waitFor({ state: "detached" });
  const count = (page, name) => page.locator("#mine .pile", { hasText: name }).locator("b").textContent();
  await told(ben, "loads a deck");
  assert.deepEqual([await count(ann, "Deck"), await count(ann, "Sideboard")], ["1", "5"]);
  // Between two games.
  await does(ann, "reset");
  await ben.getByRole("button", { name: "Agree", exact: true }).click();
  await told(ben, "begins the game again");
  await chooses(ann, "Game", "Swap with the sideboard");
  assert.match(await list.inputValue(), /^Main\n1 .*\n\nSideboard\n\d /);
  const lines = (await list.inputValue()).replace(/\nSideboard\n(\d+) (.*)/, (_, number, name) => `1 ${name}\n\nSideboard\n${number - 1 || "//"} ${name}`);
  await list.fill(lines);
  await ann.getByRole("button", { name: "Exchange", exact: true }).click();
  await list.waitFor({ state: "detached" });
  await told(ben, "exchanges 1 card between sections");
  assert.deepEqual([await count(ann, "Deck"), await count(ann, "Sideboard")], ["2", "4"]);
  // The promise has a place of its own, and each page looks itself whether it was kept.
  const [promised, other] = await Promise.all([ann, ben].map((page) => page.locator("#packs code").innerText()));
  assert.match(promised, /^[0-9a-f]{64}$/);
  assert.equal(other, promised);
  // Ben was promised something else.
  await ben.evaluate(() => { document.querySelector("#packs li").dataset.digest = "0".repeat(64); });
  await does(ann, "endgame");
  await does(ben, "endgame");
  await ann.locator("#packs li").filter({ hasText: /^✓ The packs' seed fits: ([0-9a-f]{16})+ has/ }).waitFor({ state: "attached" });
  await ben.locator("#packs").filter({ hasText: "✗ The packs' seed does not fit" }).waitFor({ state: "attached" });
}));

test("sounds of the package are loaded only where sound is on (F24)", { skip, timeout: 90000 }, () => evening(async (ann, ben) => {
  const loaded = (page) => { const all = []; page.on("request", (request) => { if (/\/free\/sound\//.test(request.url())) all.push(request.url()); }); return all; };
  const [own, other] = [loaded(ann), loaded(ben)];
  await ben.locator("#look").click();
  await ben.getByRole("menuitem", { name: "On", exact: true }).click();
  await ann.locator("#menu").click();
  await ann.getByRole("menuitem", { name: "Sounds" }).click();
  const came = ben.waitForResponse((response) => response.url().endsWith("/free/sound/0"));
  await ann.getByRole("menuitem", { name: "Bell" }).click();
  assert.equal((await came).headers()["content-type"], "audio/wav");
  await told(ben, "plays the sound Bell");
  assert.deepEqual([own.length, other.length], [0, 1]);
  assert.equal(await ben.locator("#notice.on").count(), 0, "it could be played");
}));
