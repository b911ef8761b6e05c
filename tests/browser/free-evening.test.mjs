// The free table: a whole evening of three seats with forty piles, names of seats, a network that falls silent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { proxy, through } from "./proxy.mjs";
import { axe, fits, open, picture, skip, table } from "./table.mjs";
import { ask, does, drag, everything, hitless, menu, sit, told } from "./free.mjs";
import { WOOD, packageWith, wood, woodDeck } from "./piles.mjs";

const limit = { skip, timeout: 120000 };

test("on a silent network the page says so within six seconds, keeps the act, and the other seat reads “away” within ten", limit, () => table(["--game", packageWith(3, 0), "--free", "--seats", "2"], async (links) => {
  const swallows = await proxy(new URL(links[0]).port);
  try {
    const mine = await sit(through(swallows, links[0]));
    const other = await sit(links[1]);
    await mine.waitForResponse((response) => response.url().endsWith("/here"));
    const state = other.locator('#others [data-seat="0"] .who p');
    await other.locator('#others [data-seat="0"] .dot.on').waitFor();
    swallows.state.silent = true;
    const begun = Date.now();
    const more = mine.locator('#mine button[aria-label="Hit Points +1"]');
    // Two acts: both are kept, in their order.
    await more.click();
    await more.click();
    await mine.waitForFunction(() => /cannot be reached|does not answer/.test(document.querySelector("#notice.on")?.textContent), null, { timeout: 15000 });
    const said = Date.now() - begun;
    await state.filter({ hasText: "away" }).waitFor({ timeout: 20000 });
    const away = Date.now() - begun;
    assert.ok(said <= 6000, `the page said so after ${said} ms`);
    assert.ok(away <= 10000, `the other seat read it after ${away} ms`);
    console.log(`said after ${said} ms, away after ${away} ms`);
    swallows.state.silent = false;
    await told(other, /Hit Points.*21.*22/);
    await other.locator('#others [data-seat="0"] .dot.on').waitFor({ timeout: 20000 });
    assert.equal(await other.locator("#log li").filter({ hasText: "Hit Points" }).count(), 2, "each was done once");
    await mine.waitForFunction(() => !document.body.classList.contains("lost"));
  } finally {
    swallows.stop();
  }
}));

test("what the page reads has its time: each that does not come is said, and can be tried again", limit, () => table(["--game", wood(), "--free", "--seats", "2"], async (links) => {
  // The package itself first: nothing is there without it, so it is asked for until it comes.
  let swallow = true;
  const mine = await open(links[0], { before: (page) => page.route("**/free/kit.json", (route) => { if (!swallow) route.continue(); }) });
  await mine.locator("#opening", { hasText: "The table does not answer." }).waitFor({ timeout: 15000 });
  swallow = false;
  await mine.waitForSelector("body[data-ready]");
  await ask(mine, { deck: 0 });
  await does(mine, "draw 1", "create =\"Stone\" at 0,20");
  await inHand(mine).first().waitFor();
  await mine.evaluate(() => localStorage.setItem("sound", "on"));
  const reads = {
    "links": () => mine.getByRole("button", { name: "Invite" }).click(),
    "lists": () => chooses(mine, "Game", "Swap with the sideboard"),
    "find?q=": () => chooses(mine, /Token or card/),
    "free/card/": async () => { await inHand(mine).first().focus(); await mine.keyboard.press("Space"); },
    "find?on=card": async () => { await pile(mine, "Nest").click({ button: "right" }); await mine.getByRole("menuitem", { name: "Look through it" }).click(); await mine.locator(".window input").fill("green"); },
    "free/sound/": () => chooses(mine, "Sounds", "Bell"),
  };
  const notice = mine.locator("#notice.on", { hasText: "The table does not answer. Try it again in a moment." });
  for (const [address, go] of Object.entries(reads)) {
    let held = 0;
    const hold = (url) => url.href.includes(`/${address}`);
    await mine.route(hold, () => { held += 1; });
    await go();
    await notice.waitFor({ timeout: 15000 }).catch(() => assert.fail(`${address}: nothing was said`));
    assert.equal(held, 1, address);
    await mine.unroute(hold);
    for (let many = 0; many < 2; many += 1) await mine.keyboard.press("Escape");
    await mine.evaluate(() => document.getElementById("notice").classList.remove("on"));
    const came = mine.waitForResponse((response) => hold(new URL(response.url())));
    if (address === "find?on=card") await mine.locator(".window").getByRole("button", { name: "Close", exact: true }).click({ timeout: 1000 }).catch(() => {});
    await go();
    assert.ok((await came).ok(), `${address} can be read again`);
    for (let many = 0; many < 2; many += 1) await mine.keyboard.press("Escape");
  }
  assert.deepEqual(mine.faults, []);
}));

test("a seat takes a name, and all read it", limit, () => table(["--game", packageWith(3, 0), "--free", "--seats", "2"], async (links) => {
  const mine = await sit(links[0]);
  const other = await sit(links[1]);
  await does(mine, 'counter "Hit Points" +1');
  await mine.getByRole("button", { name: "My name" }).click();
  await mine.getByLabel("What is your name?").fill("<b>Ann</b> & Co");
  await mine.keyboard.press("Enter");
  await told(other, "is now called <b>Ann</b> & Co");
  assert.match(await other.locator('#others [data-seat="0"] h2').textContent(), /^<b>Ann<\/b> & Co/);
  await does(mine, 'counter "Hit Points" +1', "roll 1d6");
  // What stood there before is of the same seat; the sentence of a taking back names nobody twice.
  assert.equal(await other.locator("#log li b").first().textContent(), "Seat 1");
  await other.locator("#log li").first().click({ button: "right" });
  await other.getByRole("menuitem", { name: "Ask to go back" }).click();
  const asked = mine.locator(".question p").first();
  await asked.waitFor();
  const words = await asked.textContent();
  assert.match(words, /^Seat 2 asks to take back: /);
  assert.doesNotMatch(words, /is now called/);
  await mine.getByRole("button", { name: "Agree", exact: true }).click();
  await told(other, "takes back");
  assert.match(await other.locator('#others [data-seat="0"] h2').textContent(), /^<b>Ann/, "a name is not taken back");
  // It is offered at the next table.
  assert.equal(await mine.evaluate(() => localStorage.getItem("name")), "<b>Ann</b> & Co");
}));

const SIZES = [[390, 844], [1024, 768], [1366, 768], [1920, 1080]].map(([width, height]) => ({ width, height }));
const inHand = (page) => page.locator("#hand .card");
const onTable = (page) => page.locator("#world .card");
const pile = (page, name) => page.locator("#mine .pile").filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
const count = async (page, name) => Number(await pile(page, name).locator("b").textContent());
const plain = async (card) => (await card.getAttribute("aria-label")).split(",")[0];
const log = (page) => page.evaluate(() => [...document.querySelectorAll("#log li")].map((line) => line.textContent).join("\n"));
const settled = (page) => page.waitForTimeout(350);
const chooses = async (page, ...words) => { await page.locator("#menu").click(); for (const word of words) await page.getByRole("menuitem", { name: word }).first().click(); };
/** An answer to a question with one field. */
const says = async (page, label, value, button) => { await page.getByLabel(label).fill(value); await page.getByRole("button", { name: button, exact: true }).click(); await page.locator("dialog").waitFor({ state: "detached" }); };

test("an evening of three seats with forty piles", { skip, timeout: 600000 }, () => table(["--game", wood(), "--free", "--seats", "3", "--seed", "11"], async (links) => {
  const [ann, ben, cyd, eve] = await Promise.all(links.slice(0, 4).map((link, at) => sit(link, { viewport: [SIZES[3], SIZES[2], SIZES[1], SIZES[2]][at], colorScheme: at % 2 ? "light" : "dark" })));
  const seats = [ann, ben, cyd], all = [...seats, eve];
  const kinds = new Map([[ann, ["Amber", "Storm"]], [ben, ["Birch"]], [cyd, ["Cedar"]], [eve, []]]);
  /** What a page was sent of cards that its person did not bring: only what its own log named. */
  const discreet = async () => {
    for (const page of all) {
      const [bytes, words] = [await everything(page), await log(page)];
      for (const [kind, cards] of Object.entries(WOOD)) {
        if (kinds.get(page).includes(kind)) continue;
        for (const card of cards) assert.ok(!bytes.includes(card) || words.includes(card), `${card} was sent to ${["Ann", "Ben", "Cyd", "Eve"][all.indexOf(page)]}, and nothing told of it`);
      }
    }
  };
  /** At every size nothing lies on a pile, a counter or an option, and the page does not overflow. */
  const reachable = async (moment, pages, more = "") => {
    const faults = [];
    for (const page of pages) {
      const was = page.viewportSize(), who = "abce"[all.indexOf(page)];
      for (const viewport of SIZES) {
        const where = `${moment}-${viewport.width}-${who}`;
        await page.setViewportSize(viewport);
        await page.waitForFunction(([wide, high]) => innerWidth === wide && innerHeight === high, [viewport.width, viewport.height]);
        if (!await page.locator("dialog").count()) await page.locator("#fit").click();
        await settled(page);
        await fits(page, where);
        await picture(page, `free-three-${where}`);
        faults.push(...await hitless(page, where, more));
        if (!await page.locator("dialog").count()) await page.keyboard.press("Escape");
      }
      await page.setViewportSize(was);
      await settled(page);
    }
    assert.deepEqual(faults, []);
  };

  // Nobody has cards yet: each is asked for a deck, and for a name.
  assert.equal(await ann.evaluate(() => document.querySelectorAll(".pile").length), 3 * 12 + 4 - 1, "forty piles; one's own hand is no button");
  await reachable("begins", [ann, eve], "#begin button");
  for (const [page, name] of [[ann, "Ann"], [ben, "Ben"], [cyd, "Cyd"]]) {
    await page.locator("#begin").getByRole("button", { name: "My name" }).click();
    await says(page, "What is your name?", name, "Take it");
    for (const other of all) await told(other, `is now called ${name}`);
  }
  assert.equal(await eve.locator("#begin").count(), 0, "who watches is not asked");

  // Each brings its deck in another way: a file, a list, the package's.
  await ann.locator("#begin").getByRole("button", { name: "Choose a deck" }).click();
  await ann.locator("dialog input[type=file]").setInputFiles({ name: "Amber and storm.o8d", mimeType: "text/xml", buffer: Buffer.from(woodDeck("Amber", "Storm")) });
  await told(ben, "Ann loads a deck: 24 into Deck, 2 into Sideboard, 8 into Weather");
  await pile(ben, "Deck").click();
  await ben.locator("dialog textarea").fill(`Main\n${WOOD.Birch.map((card) => `3 ${card}`).join("\n")}\n\nSideboard\n2 Birch bark`);
  await ben.getByRole("button", { name: "Load this list" }).click();
  await told(ann, "Ben loads a deck: 24 into Deck, 2 into Sideboard");
  await chooses(cyd, /Choose a deck/);
  await cyd.getByRole("button", { name: "Grove", exact: true }).click();
  await told(cyd, "loads a deck “Grove”");
  await told(eve, "Cyd loads a deck: 24 into Deck, 2 into Sideboard");
  for (const page of [ann, ben, eve]) assert.doesNotMatch(await log(page), /Grove/, "which deck it is reads only who brings it (F211)");
  for (const page of [ben, cyd, eve]) assert.doesNotMatch(await log(page), /Amber and storm/);
  assert.deepEqual(await Promise.all(seats.flatMap((page) => [count(page, "Deck"), count(page, "Sideboard"), page.locator("#begin[data-step=deck]").count()])), [24, 2, 0, 24, 2, 0, 24, 2, 0]);
  await discreet();

  // Opening hands; one of them again.
  await ann.getByRole("button", { name: "Begin the first turn" }).click();
  for (const page of seats) { await chooses(page, /Opening hand/); await says(page, "How many cards?", "5", "Draw"); await inHand(page).nth(4).waitFor(); }
  await does(cyd, "mulligan 5");
  for (const page of all) { await told(page, /Ann.*draws 5 cards|Ann.*5 cards/); await told(page, /Cyd.*(mulligan|puts|draws)/); }
  await discreet();

  // A card face up, one face down: all know the first, nobody the second.
  await settled(ann);
  const played = await plain(inHand(ann).first());
  await drag(ann, inHand(ann).first(), [700, 500]);
  for (const page of all) await told(page, played);
  const hidden = await plain(inHand(ben).first());
  await drag(ben, inHand(ben).first(), [600, 330], { shift: true });
  for (const page of [ann, cyd, eve]) {
    await told(page, /Ben moves a card from Hand to the table, face down/);
    await onTable(page).nth(1).waitFor();
    assert.deepEqual((await onTable(page).evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label").split(",")[0]))).sort(), [played, "a face-down card"].sort());
    assert.ok(!(await everything(page)).includes(hidden), "nothing of it was sent");
  }

  // A deck is searched, a card taken, and shuffled on closing.
  await pile(cyd, "Deck").click({ button: "right" });
  await cyd.getByRole("menuitem", { name: /Search, then shuffle/ }).click();
  const search = cyd.locator(".window");
  await search.locator("input").fill("cedar moss");
  await cyd.waitForFunction(() => { const found = [...document.querySelectorAll(".window .thumb")]; return found.length > 0 && found.every((one) => /Cedar moss/.test(one.textContent)); });
  for (const page of [ann, ben, eve]) { await told(page, "Cyd searches Deck"); await page.locator('[data-seat="2"] .pile.watched').waitFor({ state: "attached" }); }
  await search.locator(".thumb").first().click();
  await cyd.getByRole("menuitem", { name: "Move to" }).click();
  await cyd.locator(".menu").nth(1).getByRole("menuitem", { name: "Hand", exact: true }).click();
  await inHand(cyd).nth(5).waitFor();
  await search.getByRole("button", { name: "Close", exact: true }).click();
  for (const page of [ann, ben, eve]) { await told(page, "Cyd shuffles Deck"); assert.ok(!(await everything(page)).includes("Cedar moss")); }

  // A card is shown to all until it is put away; another to Ann alone.
  const [open, whispered] = ["Cedar moss", await plain(cyd.locator('#hand .card:not([aria-label^="Cedar moss"])').first())];
  const card = (page, name) => page.locator(`#hand .card[aria-label^="${name}"]`).first();
  await menu(cyd, card(cyd, open), "Look and show", "Show to all");
  for (const page of [ann, ben, eve]) await page.locator("#shown").getByRole("button", { name: `Read ${open}` }).waitFor();
  await cyd.keyboard.press("Escape");
  await menu(cyd, card(cyd, whispered), "Look and show", "Show to Ann");
  await ann.locator("#shown").getByRole("button", { name: `Read ${whispered}` }).waitFor();
  for (const page of [ben, eve]) { await told(page, /Cyd shows a card of Hand to Ann/); assert.equal(await page.locator("#shown > *").count(), 1); }
  assert.ok((await log(ann)).includes(whispered));
  await discreet();
  // One's own row is one's own: Ben has read it, the others still see it.
  await ben.locator("#shown").getByRole("button", { name: `Put ${open} away` }).click();
  await ben.locator("#shown > *").waitFor({ state: "detached" });
  assert.equal(await eve.locator("#shown > *").count(), 1);

  // Tokens, an attachment, markers, counters, a shared counter, a die, a coin, a note.
  await does(ann, "create =\"Ladder\" at 40,60", "create =\"Rope\" at 180,60");
  // “Show all” leaves room for what is shown.
  await ann.locator("#fit").click();
  await settled(ann);
  await menu(ann, onTable(ann).filter({ hasText: "Rope" }), /^Place/, "Attach to …");
  await onTable(ann).filter({ hasText: "Ladder" }).click();
  for (const page of all) { await told(page, /Ann.*attach/); await page.locator('#world .card[aria-label*="attached to Ladder"]').waitFor(); }
  await menu(ann, onTable(ann).filter({ hasText: "Ladder" }), "Markers");
  await ann.locator(".markerbox button", { hasText: "Ant" }).click();
  await ann.locator(".markerbox button", { hasText: "Ant" }).click();
  await ann.keyboard.press("Escape");
  for (const page of all) await page.waitForFunction(() => [...document.querySelectorAll("#world .mk b")].some((one) => one.textContent === "2"));
  await ben.locator('#mine button[aria-label="Sap −1"]').click();
  await cyd.locator('.shared button[aria-label="Round +1"]').click();
  for (const page of all) { await told(page, /Ben.*Sap.*20.*19/); await told(page, /Cyd.*Round.*1.*2/); assert.equal(await page.locator(".shared .counter b").textContent(), "2"); }
  await chooses(ben, "Chance", "A die");
  await chooses(cyd, "Chance", "A coin");
  for (const page of all) { await told(page, "Ben rolls 1d6"); await told(page, /Cyd.*coin/); }
  const rolled = await Promise.all(all.map(async (page) => /Ben rolls 1d6[^\n]*/.exec(await log(page))[0]));
  assert.equal(new Set(rolled).size, 1, "all read the same number");
  await does(ben, "note 120,20 private \"Mind the ladder\"", "note -120,20 \"Ours\"");
  for (const page of [ann, cyd, eve]) { await page.locator("#world .note", { hasText: "Ours" }).waitFor(); assert.ok(!(await everything(page)).includes("Mind the ladder"), "a private note is its writer's"); }

  // Chat: to all, a ready phrase, and a whisper.
  await ann.locator("#say").fill("Good evening");
  await ann.keyboard.press("Enter");
  await ben.locator("#phrases").click();
  await ben.getByRole("menuitem", { name: "Well played." }).click();
  for (const page of all) { await told(page, /Ann.*Good evening/); await told(page, /Ben.*Well played/); }
  await cyd.locator("#log-tab:visible").click({ timeout: 2000 }).catch(() => {});
  await cyd.locator("#say").fill("/w 1 the ant is mine");
  await cyd.keyboard.press("Enter");
  await told(ann, "the ant is mine");
  await cyd.keyboard.press("Escape");
  await settled(ben);
  for (const page of [ben, eve]) assert.ok(!(await everything(page)).includes("the ant is mine"), "a whisper is for one");

  // A sound plays only where sound is on; a document of the package opens.
  const heard = (page) => { const list = []; page.on("request", (request) => { if (request.url().includes("/free/sound/")) list.push(request.url()); }); return list; };
  const sounds = seats.map(heard);
  await ben.locator("#look").click();
  await ben.getByRole("menuitem", { name: "On", exact: true }).click();
  await chooses(ann, "Sounds", "Bell");
  for (const page of all) await told(page, "Ann plays the sound Bell");
  await settled(ben);
  assert.deepEqual(sounds.map((list) => list.length), [0, 1, 0]);
  const opened = ben.context().waitForEvent("page");
  await chooses(ben, "Documents", "Paths of the wood");
  const paths = await opened;
  await paths.waitForLoadState();
  assert.equal((await paths.textContent("body")).trim(), "Keep to the left.");
  await paths.close();

  // A draw is taken back when both others agree; one refusal ends the next question.
  const before = await inHand(ben).count();
  await pile(ben, "Deck").dblclick();
  for (const page of [ann, cyd, eve]) await told(page, "Ben draws a card from Deck");
  await inHand(ben).nth(before).waitFor();
  await ben.locator("#felt").focus();
  await ben.keyboard.press("z");
  await ben.getByRole("button", { name: "Ask the others" }).click();
  for (const page of [ann, cyd]) assert.match(await page.locator(".question p").first().textContent(), /^Ben asks to take back: draws a card/);
  await reachable("asked", [ann, cyd], "#questions button, #shown button");
  await ann.getByRole("button", { name: "Agree", exact: true }).click();
  await ben.locator(".question", { hasText: "Waiting for Cyd." }).waitFor();
  assert.equal(await inHand(ben).count(), before + 1, "one is not both");
  await cyd.getByRole("button", { name: "Agree", exact: true }).click();
  for (const page of all) await told(page, /takes back/);
  await ben.waitForFunction((many) => document.querySelectorAll("#hand .card").length === many, before);
  await does(cyd, "draw 1");
  await inHand(cyd).nth(6).waitFor();
  await cyd.keyboard.press("z");
  await cyd.getByRole("button", { name: "Ask the others" }).click();
  await ben.locator(".question").getByRole("button", { name: "No", exact: true }).click();
  for (const page of all) await page.locator(".question").waitFor({ state: "detached" });
  assert.equal(await inHand(cyd).count(), 7, "what was refused stays done");
  await discreet();

  // Cyd leaves, the others read it, and finds everything as it was.
  const lies = (page) => page.evaluate(() => [...document.querySelectorAll("#hand .card, #world .card, #mine .pile, #others .pile, #shown .thumb")].map((one) => one.getAttribute("aria-label")).sort());
  const left = await lies(cyd), address = cyd.url();
  await cyd.goto("about:blank");
  for (const page of [ann, ben, eve]) await page.locator('#others [data-seat="2"] .dot:not(.on)').waitFor({ state: "attached", timeout: 20000 });
  await does(ann, 'counter "Light" +3');
  await cyd.goto(address);
  await cyd.waitForSelector("body[data-ready]");
  for (const page of [ann, ben, eve]) await page.locator('#others [data-seat="2"] .dot.on').waitFor({ state: "attached", timeout: 20000 });
  await told(cyd, /Ann.*Light.*0.*3/);
  assert.deepEqual(await lies(cyd), left);
  assert.equal(await eve.locator('#others [data-seat="2"] h2').textContent(), "Cyd");

  // The table in the middle of the evening, at every size, for everybody.
  for (const page of seats) for (let many = 0; many < 2; many += 1) await does(page, `move ${await inHand(page).first().getAttribute("data-h")} to table`);
  await does(ann, 'movetop */Weather 1 to */"Weather gone"');
  for (const page of all) await told(page, /Storm/);
  await reachable("middle", all, "#shown button");
  await axe(ann, "three seats, dark");
  await axe(ben, "three seats, light");
  await discreet();

  // Game over for all; then again with the same decks, and Ben exchanges a card with his sideboard.
  await does(ann, "reset");
  for (const page of [ben, cyd]) await page.getByRole("button", { name: "Agree", exact: true }).click();
  for (const page of all) await told(page, "begins the game again");
  await ben.waitForFunction(() => document.querySelectorAll("#hand .card, #world .card").length === 0);
  await chooses(ben, "Game", "Swap with the sideboard");
  const list = ben.locator("dialog textarea");
  await list.fill((await list.inputValue()).replace("3 Birch twig", "2 Birch twig\n1 Birch bark").replace("2 Birch bark", "1 Birch bark\n1 Birch twig").replace(/(Main\n[^]*?)1 Birch bark\n1 Birch twig/, (all) => all));
  await ben.getByRole("button", { name: "Exchange", exact: true }).click();
  await list.waitFor({ state: "detached" });
  for (const page of all) await told(page, "Ben exchanges 2 cards between sections");
  // Ann's deck has a shared section: it stays what it is, and where it is.
  await chooses(ann, "Game", "Swap with the sideboard");
  const lines = ann.locator("dialog textarea");
  assert.doesNotMatch(await lines.inputValue(), /Storm|Weather/, "shared cards are nobody's to exchange");
  await lines.fill((await lines.inputValue()).replace("Sideboard\n2 Amber bark", "Sideboard\n1 Amber bark").replace("3 Amber bark", "4 Amber bark"));
  await ann.getByRole("button", { name: "Exchange", exact: true }).click();
  await lines.waitFor({ state: "detached" });
  await told(cyd, "Ann exchanges 1 card between sections");
  assert.deepEqual([await count(ann, "Deck"), await count(ann, "Sideboard")], [25, 1]);
  assert.equal(await cyd.locator(".shared .pile", { hasText: /Weather$/ }).locator("b").textContent(), "8");
  await discreet();

  // Limited: all clear the table and open packs; each builds of its own pool.
  await does(ben, "reset hard");
  for (const page of [ann, cyd]) await page.getByRole("button", { name: "Agree", exact: true }).click();
  for (const page of all) await told(page, "clears the table");
  await chooses(cyd, "Game", "Open packs");
  await cyd.getByLabel("How many for each seat?").fill("2");
  await cyd.getByRole("button", { name: "Open them" }).click();
  const promised = new Set();
  for (const page of all) { await told(page, /Cyd opens 2 packs for every seat: Basket, Basket/); promised.add(/commit[^\n]* ([0-9a-f]{64})/.exec(await log(page))?.[1]); }
  assert.equal(promised.size, 1, "all read the same commitment");
  const pools = [];
  for (const page of seats) {
    await chooses(page, "Game", "Build a deck from my pool");
    const pool = (await page.locator("dialog textarea").inputValue()).split("\n");
    assert.equal(pool.reduce((sum, line) => sum + Number.parseInt(line, 10), 0), 8, String(pool));
    pools.push(pool.join());
    if (page === ann) await reachable("pool", [ann], "dialog button");
    await page.getByRole("button", { name: "Build it" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    for (const other of all) await told(other, new RegExp(`${["Ann", "Ben", "Cyd"][seats.indexOf(page)]} loads a deck.*: 8 into`));
  }
  assert.equal(new Set(pools).size, 3, "each opened its own");

  // A token by the dialog, with its set.
  await ann.locator("#felt").focus();
  await ann.keyboard.press("k");
  await ann.getByRole("searchbox", { name: /A card of the package/ }).fill("storm root");
  await ann.getByRole("button", { name: "Storm root First ring" }).click();
  for (const page of all) await told(page, /Ann.*Storm root/);

  // The end: all agree, and what was promised is opened.
  for (const page of seats) { await chooses(page, "Game", /Agree that the game is over/); await page.getByRole("button", { name: "It is over" }).click(); }
  for (const page of all) { await page.getByText("The game is over").first().waitFor(); await told(page, /seed/i); }
  await reachable("over", [ben, eve]);
  for (const page of all) assert.deepEqual(page.faults.filter((fault) => !/409|429/.test(fault)), []);
}));
