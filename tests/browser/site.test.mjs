// The static site: a folder of files from a plain file server, below a path of its own. No request leaves the folder, and
// everything is there again after the page is closed, and without a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { PHONE, answers, axe, binary, closeAll, inFirefox, number, open, over, picture, root, saved, skip as noBrowser } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const module = process.env.MODULE ?? join(root, "target/site/cardwright.wasm");
const noModule = !existsSync(module) && "there is no module of the page: `cargo xtask module` builds it";
if (noModule) console.error(`\n*** the tests of the static site are skipped: ${noModule} ***\n`);
const skip = noBrowser || noModule;

const run = (...options) => {
  const done = spawnSync(binary, options, { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
};

const folder = () => temporary("site");
/** The folder of a site; of the demo game if none is named. */
function made(game, out = join(folder(), "site")) {
  run("site", ...(game ? [game] : []), "--out", out, "--module", module);
  return out;
}

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm", ".png": "image/png" };
const PLACE = "/games/mine/";
const servers = [];
after(() => { for (const server of servers) { server.closeAllConnections(); server.close(); } });

/** Serves the folder below a path; whatever is asked for elsewhere, or is not there, is noted. */
async function host(place) {
  const site = { place, missed: [], asked: [], lasting: "no-cache" };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname === PLACE ? "index.html" : decodeURIComponent(pathname.slice(PLACE.length));
    const path = join(site.place, name);
    site.asked.push(name);
    if (!pathname.startsWith(PLACE) || !existsSync(path) || !statSync(path).isFile()) {
      site.missed.push(request.url);
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream", "cache-control": site.lasting });
    response.end(readFileSync(path));
  });
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  site.link = `http://localhost:${server.address().port}${PLACE}`;
  return site;
}

/** Goes to a link; within the page that is open, Firefox's driver would wait for a load that does not come. */
async function go(page, link) {
  const same = page.url().split("#")[0] === link.split("#")[0];
  await (same ? page.evaluate((link) => { location.href = link; }, link) : page.goto(link));
}

/** Opens a site; resolves with its page and with the frame in which the game is shown. */
async function visit(site, options = {}) {
  const elsewhere = [];
  const page = await open(site.link, {
    ...options,
    before: (page) => page.context().on("request", (request) => {
      if (!request.url().startsWith(site.link.split("#")[0]) && !/^(blob|data):/.test(request.url())) elsewhere.push(request.url());
    }),
  });
  return Object.assign(page, { elsewhere, game: await shown(page) });
}

/** The frame of the game, once it shows a page of it. */
async function shown(page, selector = "main") {
  const holder = await page.waitForSelector("#page:not([hidden])", { timeout: 60000 });
  const frame = await holder.contentFrame();
  await frame.waitForSelector(selector, { timeout: 30000 }).catch(async (fault) => { await picture(page, "site-stuck"); throw fault; });
  return frame;
}

/** Waits until the browser keeps the site's files: from then on a first visitor needs no network. */
async function keptForOffline(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && (await (await caches.open((await caches.keys())[0])).keys()).length > 20);
}

/** Waits until a script of this name, in the folder of the page, answers what the page asks for. */
const isKeptBy = (page, name) => page.waitForFunction((name) => navigator.serviceWorker.controller?.scriptURL === new URL(name, location.href).href, name,
  { timeout: 60000 });

/** Waits until the seat is asked again, or the duel is over. */
const asked = (frame, since) => frame.waitForFunction((old) => {
  const prompt = document.getElementById("prompt");
  return prompt && prompt.dataset.number !== old && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result"));
}, since, { timeout: 40000 });

/** Answers as a person does: the pointer comes from elsewhere, or the finger waits for a moment. */
async function answer(frame, option) {
  const since = await number(frame);
  const page = frame.page();
  if (await page.evaluate(() => matchMedia("(pointer: coarse)").matches)) {
    await page.waitForTimeout(360);
    await option.tap();
  } else {
    await page.mouse.move(3, 3);
    await option.click();
  }
  await asked(frame, since);
}

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, hasTouch: true, ...(inFirefox ? {} : { isMobile: true }) } })) {
  test(`from a link to the first duel, without a server: ${name}`, { skip, timeout: 300000 }, async () => {
    const site = await host(made());
    const page = await visit(site, options);
    let game = page.game;
    await axe(page, "front page");
    await picture(page, `site-front-${name}`);
    await game.getByRole("button", { name: "First steps in the ring" }).click();
    await game.waitForSelector("#prompt .coach");
    for (let count = 0; count < 60 && !await over(game); count += 1) {
      await answer(game, game.locator("#prompt .options .cue, #prompt .faces .cue").first());
    }
    assert.equal(await game.locator("#prompt .result").getAttribute("data-won"), "true", "the lesson is won");
    await game.locator("#prompt .after .go").click();
    await game.waitForSelector("#them-bar .portrait");
    await game.waitForSelector("#prompt[data-mine]");
    for (let count = 0; count < 12 && !await over(game); count += 1) {
      const { options: found, at } = await answers(game);
      await answer(game, found.nth(at));
    }
    await picture(page, `site-duel-${name}`);
    const asks = await number(game);
    const words = await game.locator("#prompt").innerText();

    // The page is closed and opened again at the same address: the same question waits.
    const link = page.url();
    assert.match(link, /#\/s\/\w+\//);
    await page.reload();
    game = await shown(page, "#prompt");
    assert.equal(await number(game), asks);
    assert.equal(await game.locator("#prompt").innerText(), words);
    // Back to the front page, where the duel is listed.
    await page.goto(site.link);
    await page.reload();
    game = await shown(page, "#prompt, main");
    assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
    await closeAll();
  });
}

test("a deck is compared, tried out and sent up the ladder without a server", { skip, timeout: 300000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  const { game } = page;
  await game.getByRole("link", { name: "Decks and packs" }).click();
  await game.getByRole("button", { name: "Harbour Lights", exact: true }).click();
  await game.waitForSelector("body.scripted .bench");
  await game.getByRole("link", { name: "Compare", exact: true }).click();
  await game.locator("[name=b]").selectOption({ label: "Night School" });
  await game.getByRole("button", { name: "Compare", exact: true }).click();
  await game.getByRole("heading", { name: /^More in Night School/ }).waitFor();
  await game.getByText("Paste a list").click();
  await game.locator("textarea").fill("2 Crumb");
  await game.getByRole("button", { name: "Compare", exact: true }).click();
  await game.getByRole("heading", { name: /^In both/ }).waitFor();
  await game.getByRole("link", { name: "Harbour Lights", exact: true }).click();
  await game.getByRole("link", { name: /^Try it in the arena/ }).click();
  await game.getByRole("button", { name: "Start the run" }).click();
  await game.waitForFunction(() => Number(document.querySelector(".arena-run progress")?.value) > 0, null, { timeout: 60000 });
  // The worker plays, and answers all the same.
  await game.locator("#stop").click();
  await game.getByText("The run was stopped.").waitFor();
  await game.locator("[name=level]").selectOption("random");
  await game.locator("[name=pairs]").selectOption("10");
  await game.getByRole("button", { name: "Start the run" }).click();
  await game.locator(".arena-state", { hasText: "All pairs have been played." }).waitFor({ timeout: 120000 });
  await picture(page, "site-arena");
  await game.getByRole("link", { name: "Harbour Lights", exact: true }).click();
  await game.getByRole("button", { name: /^Challenge/ }).first().click();
  await game.waitForSelector("#them-bar .portrait");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await closeAll();
});

test("a whole duel, its review and its cards are there without a network", { skip, timeout: 540000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await keptForOffline(page);
  await shown(page);
  // The browser itself looks for a newer version of the script that keeps the files, whatever the test says of the network.
  const fromNetwork = () => site.asked.filter((name) => name !== "offline.js");
  const before = fromNetwork();
  await page.context().setOffline(true);
  await page.reload();
  let game = await shown(page);
  await game.getByRole("button", { name: "Choose decks and a level" }).click();
  await game.locator("#new-duel button[type=submit]").click();
  await game.waitForSelector("#prompt[data-mine]", { timeout: 40000 });
  for (let count = 0; count < 400 && !await over(game); count += 1) {
    const { options, at } = await answers(game);
    await answer(game, options.nth(at));
  }
  assert.ok(await over(game), "the duel ends");
  await picture(page, "site-offline-end");
  // The review is computed in the page, and leads to moments that can be looked at.
  await game.waitForSelector("#review[data-done] .plot polyline", { timeout: 120000 });
  // Not every duel has a choice that cost much.
  const [costly, told] = [game.locator("#review .points a"), game.locator("#log a[href*=moment]")];
  await (await costly.count() ? costly : told).first().click();
  await game.waitForSelector("#table.replay, [data-scrub]", { timeout: 30000 });
  await picture(page, "site-offline-moment");
  const broken = await game.evaluate(() => [...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.src));
  assert.deepEqual(broken, []);
  assert.deepEqual(fromNetwork(), before, "nothing was asked of the network");
  assert.deepEqual([page.elsewhere, page.faults], [[], []]);
  await closeAll();
});

test("a visitor's own package lies on the free table, and is sent nowhere", { skip, timeout: 240000 }, async (t) => {
  const data = join(root, "../shared/data");
  if (!existsSync(data)) { t.skip("no real packages here"); return; }
  const own = join(folder(), "own.o8g");
  const made1 = spawnSync(binary, ["export", join(data, process.env.PACKAGE ?? "mlp"), "--output", own, "--allow-errors"], { encoding: "utf8" });
  if (made1.status !== 0) { t.skip(made1.stderr); return; }
  const site = await host(made());
  const page = await visit(site);
  await page.locator("#tools input[type=file]").last().setInputFiles(own);
  await page.waitForSelector("#cover:not([hidden])");
  const game = await shown(page, "#table, canvas, .seat");
  await game.waitForTimeout(1500);
  await picture(page, "site-visitor");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await page.getByRole("button", { name: "Back to this site's game" }).click();
  await shown(page);
  await closeAll();
});

/** A grey picture of one pixel. */
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==", "base64");

/** Sixty cards, each with a picture of its own. @returns {{ name: string, mimeType: string, buffer: Buffer }[]} */
function sheet(cost = "2") {
  const rows = Array.from({ length: 60 }, (_, at) => `Lamp ${at},Light,${at === 7 ? cost : at % 5},Draw a card.,lamp-${at}.png`);
  const text = `Name,Type,Cost,Text,Picture\n${rows.join("\n")}\n`;
  const pictures = rows.map((_, at) => ({ name: `lamp-${at}.png`, mimeType: "image/png", buffer: PIXEL }));
  return [{ name: "lamps.csv", mimeType: "text/csv", buffer: Buffer.from(text) }, ...pictures];
}

test("a spreadsheet with pictures becomes a free table, chosen or dropped, and a wrong cell is named", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  const chosen = sheet("two");
  let game = page.game;
  // What covers the page meanwhile may be gone before anybody looks: the next page is known by what it lacks.
  const next = () => game.evaluate(() => { document.documentElement.dataset.before = ""; });
  const there = () => shown(page, "html:not([data-before]) :is(#table, canvas, .seat)");
  await next();
  await page.locator("#tools input[type=file]").last().setInputFiles(chosen);
  game = await there();
  assert.match(await page.textContent("#notice"), /lamps\.csv: row 9, column C \("Cost"\): "two" is no whole number/);
  await picture(page, "site-sheet");
  assert.equal(await page.title(), "lamps");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);

  // Dropped on the table that lies there: the page around it takes it. The cell counts as a number now.
  const drop = (files) => game.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of files) transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
    // The page around it may exchange this one at once, which would break off the call.
    setTimeout(() => document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })));
  }, files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, bytes: [...buffer] })));
  await next();
  await drop(sheet());
  game = await there();
  assert.equal(await page.title(), "lamps");

  // A picture that is not there: no game, and the cell.
  await drop(sheet().filter(({ name }) => name !== "lamp-3.png"));
  await page.waitForSelector("#cover.stopped:not([hidden])");
  assert.match(await page.textContent("#words"), /row 5, column E \("Picture"\): there is no picture “lamp-3\.png”; did you mean/);
  await closeAll();
});

/** Drafts a run of this seed, on the page of a game, and goes to its first duel. */
async function toDuelOfRun(page, seed) {
  let game = await shown(page, "main");
  await game.getByRole("link", { name: "A run", exact: true }).click();
  game = await shown(page, "input[name=seed][type=text]");
  await game.locator("input[name=seed][type=text]").fill(String(seed));
  await game.getByRole("button", { name: "Begin", exact: true }).click();
  for (let left = 15; left > 0; left -= 1) {
    await game.waitForSelector(".offered .card, .choice-of-run");
    await game.waitForFunction((left) => document.querySelector('[name="n"]')?.value === String(15 - left), left);
    await game.locator(".offered .card").first().click();
  }
  await game.waitForSelector(".choice-of-run", { timeout: 30000 });
  await picture(page, "site-run-way");
  await game.locator(".choice-of-run .go").first().click();
  await game.waitForSelector("#prompt", { timeout: 40000 });
  return game;
}

test("a run and the puzzle of the day, without a network: kept, watched, and opened by a link", { skip, timeout: 540000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await keptForOffline(page);
  await shown(page);
  await page.context().setOffline(true);
  let game = await toDuelOfRun(page, 7);
  await game.locator(".holds").click();
  await game.locator("#holds").getByText("The opponent begins with 600 more HP.").waitFor();
  await picture(page, "site-run-duel");
  await page.keyboard.press("Escape");
  await game.waitForSelector("#prompt[data-mine]", { timeout: 40000 });
  const { options, at } = await answers(game);
  await answer(game, options.nth(at));
  // The page is closed in the middle of the duel: it goes on with its twist.
  const number1 = await number(game);
  await page.reload();
  game = await shown(page, "#prompt");
  assert.equal(await number(game), number1);
  await game.locator(".holds").waitFor();
  await game.getByRole("button", { name: "Concede" }).first().click();
  await game.locator("#concede .back").click();
  await game.getByRole("link", { name: "Back to the run" }).last().click();
  await game.waitForSelector(".hearts[aria-label='2 lives']");
  await picture(page, "site-run-lost");
  await game.getByRole("link", { name: "Share this run" }).click();
  await game.waitForSelector("textarea[data-share]");
  const message = await game.locator("textarea[data-share]").inputValue();
  assert.ok(message.length < 1000, `${message.length} letters`);

  // The puzzle of the day.
  await page.goto(site.link);
  await page.reload();
  game = await shown(page, ".today");
  await game.getByRole("button", { name: /^Puzzle of the day/ }).click();
  await game.waitForSelector("#prompt", { timeout: 60000 });
  await game.waitForSelector('#table[data-stage^="Puzzle of 20"]');
  await picture(page, "site-daily");
  assert.deepEqual([page.elsewhere, page.faults], [[], []]);

  // Somebody else opens the run by its link.
  const other = await visit({ ...site, link: linkIn(message) });
  const there = await shown(other, ".hearts[aria-label='2 lives']");
  assert.match(await there.locator(".fought").innerText(), /lost/);
  assert.deepEqual(other.faults, []);
  await closeAll();
});

test("cards are looked for, packs opened, a deck built, a draft drafted and played, without a network", { skip, timeout: 540000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await keptForOffline(page);
  let game = await shown(page);
  await page.context().setOffline(true);

  // The gallery: a search, an explained mistake, one card's page.
  await game.locator(`a.way[href="/cards"]`).click();
  await game.waitForSelector("#cards.live li .card, #cards.live li a");
  const total = await game.locator("#cards").getAttribute("data-count");
  await game.locator(".search [name=q]").fill("draw");
  await game.waitForFunction((total) => document.querySelector("#cards")?.dataset.count !== total, total);
  await game.locator(".search [name=q]").fill("colour:red");
  await game.locator("#told .fault", { hasText: "no property" }).waitFor();
  await game.locator(".search [name=q]").fill("draw");
  await game.waitForFunction(() => !document.querySelector("#told .fault") && document.querySelector("#cards li a, #cards li .card"));
  await picture(page, "site-cards");
  await game.locator("#cards li a").first().click();
  await game.waitForSelector(".one-card, .of-card, article, .card-page");
  await picture(page, "site-card");

  // Packs: opened, a deck of what lay in them, saved.
  await page.goto(site.link);
  game = await shown(page);
  await game.getByRole("link", { name: "Decks and packs" }).click();
  await game.getByRole("link", { name: "Open packs" }).click();
  await game.getByRole("button", { name: "Open them" }).click();
  await game.waitForSelector(".pack");
  await game.getByRole("button", { name: "Turn all" }).click();
  assert.equal(await game.locator(".card.turned").count(), 0);
  await picture(page, "site-packs");
  await game.getByRole("link", { name: "Build a deck" }).click();
  await game.waitForSelector("body.scripted .bench");
  await game.locator("#suggest").click();
  await game.locator(".reasons").waitFor();
  await game.waitForFunction(() => document.querySelector(".legal")?.dataset.legal === "true");
  await picture(page, "site-builder");

  // A draft against computers; the page is closed in its middle.
  await page.goto(site.link);
  game = await shown(page);
  await game.getByRole("link", { name: "Decks and packs" }).click();
  await game.locator('a[href="/front/draft"]').click();
  const form = game.locator("form:has(.packs)");
  await form.locator("[name^='p.']").first().fill("1");
  await form.locator("[name=seats]").selectOption("3");
  assert.equal(await form.locator("[name=friends]").count(), 0, "nobody else can be invited here");
  await form.getByRole("button", { name: "Open the packs" }).click();
  await game.waitForSelector("#draft");
  const names = [];
  const take = async () => {
    const before = Number(await game.locator(".deck-side .count").getAttribute("data-total"));
    names.push(await game.locator(".offered li").first().getAttribute("data-name"));
    await game.locator(".offered .card").first().click();
    await game.waitForSelector('.offered .card[aria-pressed="true"]');
    await game.locator(".take").click();
    await game.waitForFunction((many) => Number(document.querySelector(".deck-side .count")?.dataset.total) === many, before + 1);
  };
  for (let count = 0; count < 4; count += 1) await take();
  await picture(page, "site-draft");
  await page.reload();
  game = await shown(page, "#draft");
  const picks = () => game.locator(".picked .called").allTextContents();
  assert.deepEqual((await picks()).sort(), [...new Set(names)].sort(), "no pick is lost");
  while (!await game.locator(".after").count()) await take();
  await game.getByRole("link", { name: "Build your deck" }).click();
  await game.waitForSelector("body.scripted .bench");
  assert.match(await game.locator(".legal").innerText(), /A legal deck/);
  await game.getByRole("link", { name: "Play the other drafters" }).click();
  await game.waitForSelector(".standings");
  const table = () => game.locator(".standings").innerText();
  while (await game.getByRole("button", { name: "Let the computers play each other" }).count()) {
    const before = await table();
    await game.getByRole("button", { name: "Let the computers play each other" }).click();
    await game.waitForFunction((before) => (document.querySelector(".standings")?.innerText ?? before) !== before, before, { timeout: 60000 });
  }
  await picture(page, "site-draft-results");
  await game.locator(".foes-of-draft [name=level]").first().selectOption("random");
  await game.locator(".foes-of-draft").getByRole("button", { name: "Play" }).first().click();
  await game.waitForSelector("#prompt[data-mine]", { timeout: 40000 });
  const { options, at } = await answers(game);
  await answer(game, options.nth(at));
  await game.getByRole("button", { name: "Concede" }).first().click();
  await game.locator("#concede .back").click();
  await game.waitForSelector("#prompt .result");
  assert.deepEqual([page.elsewhere, page.faults], [[], []]);
  await closeAll();
});

/** Opens a free table from the front page. */
async function freeTable(frame) {
  const form = frame.locator("form[action='/front/free']");
  await frame.locator(`[popovertarget="${await form.evaluate((form) => form.closest("[popover]").id)}"]`).first().click();
  await form.locator("button[type=submit]").click();
}

test("duels and cards come with the small module; patterns, a free table and the playground bring the whole one", { skip, timeout: 300000 }, async (t) => {
  const site = await host(made());
  if (!existsSync(join(site.place, "play.wasm"))) { t.skip("there is no small module beside the whole one"); return; }
  const modules = () => site.asked.filter((name) => name.endsWith(".wasm") && name !== "play-rest.wasm");
  // What keeps the files for later would load both.
  writeFileSync(join(site.place, "offline.js"), "");
  const page = await visit(site);
  let game = page.game;
  await game.getByRole("button", { name: "Choose decks and a level" }).click();
  await game.locator("#new-duel button[type=submit]").click();
  await game.waitForSelector("#prompt[data-mine]", { timeout: 40000 });
  const { options, at } = await answers(game);
  await answer(game, options.nth(at));
  const [asks, duel] = [await number(game), page.url()];
  assert.deepEqual(modules(), ["play.wasm"], "a duel needs no more");

  // Cards are looked for with the small module, but for a regular expression.
  await page.goto(site.link);
  await page.reload();
  game = await shown(page);
  await game.locator(`a.way[href="/cards"]`).click();
  await game.waitForSelector("#cards.live");
  const found = async (text) => {
    // The list of another search is another element.
    await game.locator("#cards").evaluate((list) => { list.dataset.before = ""; });
    await game.locator(".search [name=q]").fill(text);
    await game.waitForSelector("#cards:not([data-before])", { state: "attached", timeout: 60000 });
    return game.locator("#cards").getAttribute("data-count");
  };
  const plain = await found("draw");
  assert.deepEqual(new Set(modules()), new Set(["play.wasm"]), "cards need no more");
  assert.equal(await found("/dr[a]w/"), plain);
  assert.equal(modules().at(-1), "cardwright.wasm");
  assert.notEqual(await found("/xyz[q]/"), plain);
  site.asked.length = 0;

  // A free table of the same game, beside the duel.
  await page.goto(site.link);
  await page.reload();
  game = await shown(page, "main");
  await freeTable(game);
  await game.waitForSelector("#table, canvas, .seat", { timeout: 60000 });
  assert.match(page.url(), /#\/f\//);
  // A page that is left at once may have begun to fetch, or not: how often a module was asked for says nothing.
  assert.equal(modules().indexOf("cardwright.wasm"), modules().length - 1, "the whole module comes once it is wanted");

  // The whole module has the duel, too, and goes on with it.
  await go(page, duel);
  await page.waitForFunction(() => location.hash.startsWith("#/s/"));
  await page.reload();
  game = await shown(page, "#prompt");
  assert.equal(await number(game), asks);

  // The playground has a module of its own beside the duel's.
  await page.goto(site.link);
  await page.reload();
  await shown(page, "main");
  await page.getByRole("button", { name: "Playground" }).click();
  await page.waitForSelector(".cm-editor", { timeout: 60000 });
  assert.equal(modules().at(-1), "cardwright.wasm");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await closeAll();
});

test("the rest of a split module comes behind the front page, or when something of it is wanted", { skip, timeout: 300000 }, async (t) => {
  const site = await host(made());
  if (!existsSync(join(site.place, "play-rest.wasm"))) { t.skip("the module was not split: there is no `wasm-split` here"); return; }
  writeFileSync(join(site.place, "offline.js"), "");
  const parts = () => site.asked.filter((name) => name.endsWith(".wasm"));
  const page = await visit(site);
  for (let waited = 0; parts().length < 2 && waited < 20000; waited += 100) await page.waitForTimeout(100);
  assert.deepEqual(parts(), ["play.wasm", "play-rest.wasm"], "it comes by itself");

  // Here it never does: the front page and the first question of the first lesson need nothing of it.
  const worker = join(site.place, "worker.js");
  const text = readFileSync(worker, "utf8");
  assert.match(text, /const REST_AFTER = 2000;/);
  writeFileSync(worker, text.replace("const REST_AFTER = 2000;", "const REST_AFTER = 2 ** 30;"));
  site.asked.length = 0;
  await page.goto(site.link);
  await page.reload();
  let game = await shown(page);
  await game.getByRole("button", { name: "First steps in the ring" }).click();
  await game.waitForSelector("#prompt .cue", { timeout: 60000 });
  assert.deepEqual([...new Set(parts())], ["play.wasm"]);

  // Whoever wants something of it has it at once.
  await page.goto(site.link);
  await page.reload();
  game = await shown(page);
  await game.getByRole("button", { name: "Choose decks and a level" }).click();
  await game.locator("#new-duel button[type=submit]").click();
  await game.waitForSelector("#prompt[data-mine]", { timeout: 60000 });
  for (let count = 0; count < 12 && !await over(game); count += 1) {
    const { options, at } = await answers(game);
    await answer(game, options.nth(at));
  }
  const [asks, duel] = [await number(game), page.url()];
  assert.equal(parts().at(-1), "play-rest.wasm");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);

  // Without a network the page says what is the matter; then the duel goes on.
  await page.route("**/play-rest.wasm", (route) => route.abort());
  await page.goto(site.link);
  await page.reload();
  await page.getByText("This part of the page cannot be loaded. Are you online?").waitFor();
  await picture(page, "site-no-rest");
  await page.unroute("**/play-rest.wasm");
  await go(page, duel);
  await page.getByRole("button", { name: "Reload the page" }).click();
  game = await shown(page, "#prompt");
  assert.equal(await number(game), asks);
  await closeAll();
});

test("what the whole module does is told where that cannot be loaded", { skip, timeout: 240000 }, async (t) => {
  const site = await host(made());
  if (!existsSync(join(site.place, "play.wasm"))) { t.skip("there is no small module beside the whole one"); return; }
  writeFileSync(join(site.place, "offline.js"), "");
  const page = await visit(site);
  await page.route("**/cardwright.wasm", (route) => route.abort());
  const game = page.game;
  await freeTable(game);
  await page.waitForFunction(() => document.getElementById("notice")?.textContent?.includes("cannot be loaded"), null, { timeout: 30000 });
  await (await shown(page, "main.message")).getByText("Are you online?").waitFor();
  await picture(page, "site-not-loaded");
  await page.frameLocator("#page").getByRole("link", { name: "Back to the front page" }).click();
  await page.frameLocator("#page").locator("main.home, main.rooms").first().waitFor();
  // With the network, the next try works; what was there goes on.
  await page.unroute("**/cardwright.wasm");
  await page.reload();
  const again = await shown(page, "main");
  await freeTable(again);
  await again.waitForSelector("#table, canvas, .seat", { timeout: 60000 });
  await closeAll();
});

test("the front page leads to the balance report that the site was made with", { skip, timeout: 240000 }, async () => {
  const [report, out] = [join(folder(), "report.html"), join(folder(), "site")];
  writeFileSync(report, '<!doctype html>\n<link rel="icon" href="data:,">\n<title>Balance of a game</title>\n');
  run("site", "--out", out, "--module", module, "--report", report);
  const site = await host(out);
  const page = await visit(site);
  const link = page.getByRole("link", { name: "Balance report" });
  await page.goto(new URL(await link.getAttribute("href"), site.link).href);
  assert.equal(await page.title(), "Balance of a game");
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await closeAll();
});

test("one tab has the tables, and a new version is announced", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  const second = await page.context().newPage();
  await second.goto(site.link);
  await second.getByText("open in another tab").waitFor();
  await second.close();
  // In the first visit already.
  await isKeptBy(page, "offline.js");
  const begun = join(folder(), "game");
  run("new", begun);
  site.place = made(begun);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  const load = page.getByRole("button", { name: "Load it" });
  await load.waitFor({ timeout: 60000 });
  await load.click();
  await page.waitForFunction(() => !document.title.includes("Saltmarsh"), undefined, { timeout: 60000 });
  await shown(page);
  const isKept = (name) => page.evaluate(async (name) => !!await caches.match(name), name);
  if (existsSync(join(site.place, "play.wasm"))) assert.equal(await isKept("cardwright.wasm"), false, "nobody has used it");

  // What is used once is kept, in the next version as well.
  await page.getByRole("button", { name: "Playground", exact: true }).click();
  await page.locator("#playground .count").getByText(/No problems found|hint|warning/).waitFor({ timeout: 60000 });
  await page.waitForFunction(async () => (await Promise.all(["cardwright.wasm", "playground.css"].map((name) => caches.match(name)))).every(Boolean));

  // A version that came while nobody looked, and was not taken then, is announced at the next visit.
  site.place = made();
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const fresh = registration.installing ?? registration.waiting;
    await new Promise((done) => { if (fresh.state === "installed") done(); else fresh.addEventListener("statechange", () => { if (fresh.state === "installed") done(); }); });
  });
  await page.reload();
  await shown(page);
  await load.click();
  await page.waitForFunction(() => document.title.includes("Saltmarsh"), undefined, { timeout: 60000 });
  assert.equal((await page.evaluate(() => caches.keys())).length, 1);
  assert.deepEqual([await isKept("cardwright.wasm"), await isKept("playground.css"), await isKept("play.wasm")], [true, true, existsSync(join(site.place, "play.wasm"))]);
  await closeAll();
});

test("what a visitor has loaded is not loaded again to be kept", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  site.lasting = "max-age=600";
  const page = await visit(site);
  await keptForOffline(page);
  await page.waitForFunction(async () => !!await caches.match("worker.js"), undefined, { timeout: 60000 });
  // The module that tests look at is not made small: it may be too large for a browser's own cache.
  const times = (name) => site.asked.filter((asked) => asked === name).length;
  assert.deepEqual(["game.o8g", "site.js", "worker.js"].map(times), [1, 1, 1]);
  // A worker of the page has done it, and has ended: a service worker would hold the memory that it took. Firefox's driver
  // says nothing of either.
  const [keeper] = page.context().serviceWorkers();
  assert.ok(keeper || inFirefox);
  const loaded = await keeper?.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)) ?? [];
  assert.deepEqual([loaded, page.workers().filter((worker) => worker.url().endsWith("offline.js")).length], [[], 0]);
  await closeAll();
});

test("a game in a folder below another's is kept by itself, without a word of a new version", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  made(undefined, join(site.place, "inner"));
  const page = await visit(site);
  await isKeptBy(page, "offline.js");
  await page.goto(`${site.link}inner/index.html`);
  await shown(page);
  await page.evaluate(() => { window.isFirst = true; });
  await isKeptBy(page, "offline.js");
  await page.waitForTimeout(1000);
  assert.deepEqual(await page.evaluate(() => [window.isFirst, document.getElementById("notice").textContent]), [true, ""]);
  // What is used of it is kept in its own place.
  await page.getByRole("button", { name: "Playground", exact: true }).click();
  await page.locator("#playground .count").getByText(/No problems found|hint|warning/).waitFor({ timeout: 60000 });
  await page.waitForFunction(() => caches.match(new URL("playground.css", location.href).href));
  assert.equal(await page.evaluate(async () => !!await caches.match(new URL("../playground.css", location.href).href)), false);
  assert.equal((await page.evaluate(() => caches.keys())).length, 2);
  await closeAll();
});

test("a page takes nothing of another version, and offers that one", { skip, timeout: 240000 }, async (t) => {
  const site = await host(made());
  if (!existsSync(join(site.place, "play.wasm"))) { t.skip("there is no small module beside the whole one"); return; }
  const page = await visit(site);
  await isKeptBy(page, "offline.js");
  const { game } = page;
  // The same game with another module, which has a section more: the page does not know of it.
  const modules = folder();
  for (const part of ["play.wasm", "play-rest.wasm"]) {
    if (existsSync(join(module, "..", part))) copyFileSync(join(module, "..", part), join(modules, part));
  }
  const name = Buffer.from("other");
  const other = join(modules, "cardwright.wasm");
  writeFileSync(other, Buffer.concat([readFileSync(module), Buffer.from([0, name.length + 1, name.length]), name]));
  site.place = join(folder(), "site");
  run("site", "--out", site.place, "--module", other);
  await freeTable(game);
  const told = "This page has been updated since you opened it. Load the new version to open this part.";
  await (await shown(page, "main.message")).getByText(told).waitFor({ timeout: 60000 });
  const load = page.getByRole("button", { name: "Load it" });
  await load.waitFor({ timeout: 60000 });
  await picture(page, "site-other-version");
  assert.equal(await page.evaluate(async () => !!await caches.match("cardwright.wasm")), false, "nothing of it is kept");
  await Promise.all([page.waitForNavigation(), load.click()]);
  const after = await shown(page, "main, #table, canvas, .seat");
  await freeTable(after).catch(() => {});
  await after.waitForSelector("#table, canvas, .seat", { timeout: 60000 });
  await page.waitForFunction(async () => !!await caches.match("cardwright.wasm"));

  // A script that was changed on its way is refused in the same words; what a cache on the way still has of before is not taken for it.
  const fresh = await host(made());
  const second = await visit(fresh);
  await keptForOffline(second);
  await second.reload();
  await shown(second);
  const script = join(fresh.place, "playground.js");
  const was = readFileSync(script);
  writeFileSync(script, `${was}\n// of another version`);
  await second.getByRole("button", { name: "Playground", exact: true }).click();
  await second.getByText("Load the new version to open this part.").waitFor();
  writeFileSync(script, was);
  await second.getByRole("button", { name: "Playground", exact: true }).click();
  await second.locator("#playground .count").getByText(/No problems found|hint|warning/).waitFor({ timeout: 60000 });
  await closeAll();
});

/** The link in a message that is ready to be pasted. */
const linkIn = (message) => message.match(/https?:\S+/)[0];
/** The first part of a puzzle's name that a link can carry, as `cardwright open` would say it. */
const puzzleOf = (game) => game.locator(".stages [data-stage]:not([data-lesson])").first();

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, hasTouch: true, ...(inFirefox ? {} : { isMobile: true }) } })) {
  test(`a puzzle, a deck and a duel at a moment are opened by their links: ${name}`, { skip, timeout: 480000 }, async () => {
    const site = await host(made());
    const page = await visit(site, options);
    let game = page.game;
    // The newest thing that is shared, as text.
    const message = async () => {
      const field = game.locator("textarea[data-share]").last();
      await field.waitFor();
      return field.inputValue();
    };

    // A puzzle: shared where it is not solved yet, opened by somebody else.
    await game.getByRole("button", { name: "Lessons and puzzles" }).click();
    const puzzle = await puzzleOf(game).getAttribute("data-stage");
    await puzzleOf(game).click();
    await game.waitForSelector("#prompt");
    await game.getByRole("button", { name: "Learn" }).click();
    await game.getByRole("link", { name: "Share this puzzle" }).click();
    const asks = await message();
    assert.ok(asks.startsWith(`Saltmarsh, puzzle “${puzzle}”: `), asks);
    await game.locator("#insight [data-take]:not([hidden])").waitFor();
    await axe(page, "share");
    await picture(page, `site-share-${name}`);

    // A deck.
    await go(page, `${site.link}#/front/share/deck/2`);
    await page.reload();
    game = await shown(page, "textarea[data-share]");
    const deck = await message();
    assert.match(deck, /^Saltmarsh: the deck “.+”\. Try it:\n/);
    await picture(page, `site-share-deck-${name}`);
    assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
    await page.context().close();

    // Somebody else opens them, in a browser that has never been here.
    const other = await visit({ ...site, link: linkIn(asks) }, options);
    game = await shown(other, "#prompt");
    assert.equal(await game.locator("#table").getAttribute("data-stage"), puzzle);
    await picture(other, `site-puzzle-by-link-${name}`);
    // The table is theirs: it is there after the page is loaded again, also if nothing was done.
    assert.match(other.url(), /#\/s\/\w+\//);
    await other.reload();
    game = await shown(other, "#prompt");
    assert.equal(await game.locator("#table").getAttribute("data-stage"), puzzle);

    await go(other, linkIn(deck));
    game = await shown(other, "main.linked");
    await picture(other, `site-deck-by-link-${name}`);
    await axe(other, "a deck by a link");
    await game.locator("input[value=random]").check();
    await game.getByRole("button", { name: "Play this deck" }).click();
    await game.waitForSelector("#prompt[data-mine]", { timeout: 60000 });
    // The duel is given up after some turns, and shared at a moment.
    for (let count = 0; count < 8 && !await over(game); count += 1) {
      const { options: found, at } = await answers(game);
      await answer(game, found.nth(at));
    }
    await game.locator("button[popovertarget=concede]").first().evaluate((button) => button.click());
    await game.locator("#concede [value=concede]").click();
    await game.waitForSelector("#prompt .result");
    const seat = new URL(other.url()).hash.slice(1);
    await go(other, `${site.link}#${seat}moment/6`);
    await other.reload();
    game = await shown(other, "#scrub");
    await game.locator("#scrub a[data-insight][href^=share]").click();
    const [moment, position] = await Promise.all([0, 1].map(async (at) => {
      await game.locator("#insight textarea").nth(at).waitFor();
      return game.locator("#insight textarea").nth(at).inputValue();
    }));
    await picture(other, `site-share-moment-${name}`);
    assert.ok(linkIn(moment).length < 700, `${linkIn(moment).length} letters`);
    assert.deepEqual([other.elsewhere, site.missed, other.faults], [[], [], []]);
    await other.context().close();

    const third = await visit({ ...site, link: linkIn(moment) }, options);
    game = await shown(third, "#scrub");
    assert.match(third.url(), /\/moment\/6$/);
    await picture(third, `site-moment-by-link-${name}`);
    await go(third, linkIn(position));
    game = await shown(third, "#prompt");
    assert.equal(await game.locator("#scrub").count(), 0);
    // What is damaged or for another game says why.
    await go(third, `${site.link}#open=AQIJU2Fsd`);
    await third.getByText("this is not a link of Cardwright's").waitFor();
    assert.deepEqual([third.elsewhere, site.missed, third.faults], [[], [], []]);
    await closeAll();
  });
}

test("a small game of somebody's own travels in a link", { skip, timeout: 240000 }, async () => {
  const begun = join(folder(), "game");
  run("new", begun);
  const own = join(folder(), "own.o8g");
  run("export", begun, "--output", own);
  const site = await host(made());
  const page = await visit(site);
  await page.locator("#tools input[type=file]").last().setInputFiles(own);
  await page.getByRole("button", { name: "Share this game" }).click();
  const field = page.locator("dialog textarea");
  await field.waitFor();
  const link = linkIn(await field.inputValue());
  await picture(page, "site-share-game");
  await page.context().close();
  const other = await visit({ ...site, link });
  await other.getByText("Your own game, read here and sent nowhere.").waitFor();
  assert.notEqual(await other.title(), "Saltmarsh");
  await picture(other, "site-game-by-link");
  // In another tab the link is opened where the game is open already.
  const second = await other.context().newPage();
  await go(second, `${site.link}#open=AQIJU2FsdG1hcnNo`);
  await second.getByText("the link was opened there").waitFor();
  assert.deepEqual([other.elsewhere, site.missed, other.faults], [[], [], []]);
  await closeAll();
});

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, hasTouch: true, ...(inFirefox ? {} : { isMobile: true }) } })) {
  test(`an author's edit, a finding, its fix, a table with the card: ${name}`, { skip, timeout: 480000 }, async () => {
    const site = await host(made());
    const page = await visit(site, options);
    await keptForOffline(page);
    const isKept = (name) => page.evaluate(async (name) => !!await caches.match(name), name);
    const isSmall = existsSync(join(site.place, "play.wasm"));
    assert.deepEqual([await isKept("play.wasm"), await isKept("cardwright.wasm"), await isKept("editor.js")], [isSmall, !isSmall, false], "players do not need it");
    // Who opens the playground once has all of it without a network from then on.
    await page.getByRole("button", { name: "Playground", exact: true }).click();
    await page.locator("#playground .count").getByText(/No problems found|hint|warning/).waitFor({ timeout: 60000 });
    await page.waitForFunction(async () => (await Promise.all(["cardwright.wasm", "editor.js", "playground.js", "playground.css", "folder.js"].map((name) => caches.match(name)))).every(Boolean));
    await page.reload();
    await shown(page);
    const fromNetwork = () => site.asked.filter((name) => name !== "offline.js");
    const before = fromNetwork();
    await page.context().setOffline(true);
    const dialogs = [];
    page.on("dialog", (dialog) => { dialogs.push(dialog.message()); dialog.accept(); });

    // The author's own game: a folder from the picker.
    const own = join(folder(), "mine");
    run("new", own);
    await page.getByRole("button", { name: "Playground", exact: true }).click();
    const bench = page.locator("#playground");
    await bench.locator(".count").getByText(/No problems found|hint|warning/).waitFor({ timeout: 60000 });
    await picture(page, `playground-demo-${name}`);
    await bench.locator("summary", { hasText: "Open" }).click();
    // Firefox's driver gives no folder to a page: there an archive of it is opened.
    if (inFirefox) {
      const packed = join(folder(), "mine.o8g");
      run("export", own, "--output", packed);
      await bench.locator("input[type=file]:not([webkitdirectory])").first().setInputFiles(packed);
    } else {
      await bench.locator("input[webkitdirectory]").setInputFiles(own);
    }
    await bench.locator("h1", { hasText: "mine" }).waitFor({ state: "attached", timeout: 60000 });
    const files = await bench.locator("select[aria-label=File] option").allTextContents();
    const rules = files.find((file) => file.endsWith(".rules"));
    assert.ok(rules && files.includes("definition.xml"), String(files));

    // A slip in a rule is found while one types, at its place.
    const editor = page.locator("#playground .code .cm-content");
    const text = readFileSync(join(own, rules), "utf8");
    const word = text.match(/\bdraw\(/) ? "draw" : "bp";
    const find = async (words) => editor.evaluate((content, words) => {
      const line = [...content.querySelectorAll(".cm-line")].find((line) => line.textContent.includes(words));
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(words.replace(/\(.*/, ""));
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at + 2);
        range.collapse(true);
        content.focus();
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        return true;
      }
      return false;
    }, words);
    assert.ok(await find(`${word}(`));
    await page.waitForTimeout(100);
    await page.keyboard.type("x");
    const first = bench.locator(".found .error").first();
    await first.waitFor({ timeout: 30000 });
    await bench.locator(".count").getByText("1 error").waitFor();
    await page.locator("#playground .cm-lintRange-error").waitFor();
    await picture(page, `playground-finding-${name}`);
    await axe(page, "playground");

    // Its fix is one click; nothing else is wrong then.
    await first.locator(".fix").click();
    await bench.locator(".count").getByText("1 error").waitFor({ state: "detached", timeout: 30000 });
    assert.equal(await page.locator("#playground .cm-lintRange-error").count(), 0);

    // The card of the rule is drawn, and tried out at a table with it in hand.
    await bench.getByRole("tab", { name: "Card" }).click();
    const card = await bench.locator("select[aria-label=Card] option:checked").textContent();
    await page.waitForFunction(() => document.querySelector("#playground .face")?.naturalWidth > 100);
    await picture(page, `playground-card-${name}`);
    await bench.getByRole("button", { name: /Try it/ }).click();
    await page.waitForSelector("#playground", { state: "hidden" });
    await page.waitForTimeout(500);
    let game = await shown(page, "#hand");
    await game.locator("#hand").getByRole("button", { name: new RegExp(`^${card}`) }).or(game.locator(`#hand [aria-label*="${card}"]`)).first().waitFor();
    await picture(page, `playground-table-${name}`);
    await page.getByRole("button", { name: "Back to the playground" }).click();
    await bench.waitFor();

    // It leaves as a zip, with the change in it.
    await bench.locator("summary", { hasText: "Save" }).click();
    const zip = await saved(page, () => bench.getByRole("button", { name: "The folder as a zip" }).click());
    assert.equal(spawnSync("python3", ["-c", "import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))", zip], { encoding: "utf8" }).stdout.trim().split("\n").includes("definition.xml"), true);
    await bench.getByRole("tab", { name: "Scenarios" }).click();
    await bench.getByRole("button", { name: "Run the scenarios" }).click();
    await bench.locator("#panel-scenarios [role=status]").getByText(/scenarios/).waitFor();

    assert.deepEqual(fromNetwork(), before, "nothing was asked of the network");
    assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
    await closeAll();
  });
}

test("a folder that is dropped opens in the playground", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  // A dropped folder is an entry of the browser's; a test makes one of the same shape.
  const files = { "mine/definition.xml": readFileSync(join(root, "games/saltmarsh/definition.xml"), "utf8"), "mine/.git/config": "secret", "mine/Rules/game.toml": "" };
  await page.evaluate((files) => {
    const entry = (path) => {
      if (files[path] !== undefined) return { isFile: true, isDirectory: false, fullPath: `/${path}`, file: (done) => done(new File([files[path]], path)) };
      const inside = [...new Set(Object.keys(files).filter((one) => one.startsWith(`${path}/`)).map((one) => `${path}/${one.slice(path.length + 1).split("/")[0]}`))];
      return { isFile: false, isDirectory: true, fullPath: `/${path}`, createReader: () => ({ readEntries: (done) => done(inside.splice(0).map(entry)) }) };
    };
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    const folder = new File([], "mine");
    Object.defineProperty(event, "dataTransfer", { value: { files: [folder], items: [{ webkitGetAsEntry: () => entry("mine") }] } });
    document.body.dispatchEvent(event);
  }, files);
  const bench = page.locator("#playground");
  await bench.locator("select[aria-label=File] option", { hasText: "Rules/game.toml" }).waitFor({ state: "attached", timeout: 60000 });
  assert.equal(await bench.locator("select[aria-label=File] option", { hasText: "git" }).count(), 0);
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await closeAll();
});

test("two people share a device at the free table: each page is covered until its player is there", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await page.game.getByRole("button", { name: "Free table" }).click();
  await page.game.getByRole("button", { name: "Open" }).or(page.game.locator("#free button.go")).last().click();
  let game = await shown(page, "#cover[open]");
  await picture(page, "site-cover");
  await axe(page, "cover");
  const [first] = (await game.locator("#cover h2").innerText()).match(/(?<=Hand the device to ).*/);
  // Nothing behind the cover can be reached, and nothing of it is seen.
  assert.equal(await game.evaluate(() => document.querySelector("#hand").contains(document.elementFromPoint(innerWidth / 2, innerHeight - 20))), false);
  await game.locator("#cover button").click();
  await game.locator("#cover").waitFor({ state: "hidden" });
  assert.equal(await game.getByRole("button", { name: "Invite" }).count(), 0, "nobody can come");
  await game.locator("#links").evaluate((button) => button.click());
  const other = game.locator("dialog .links a").first();
  const name = await other.innerText();
  assert.notEqual(name, first);
  await other.click();
  await page.waitForTimeout(300);
  game = await shown(page, "#cover[open]");
  assert.equal(await game.locator("#cover h2").innerText(), `Hand the device to ${name}`);
  // And back again, as often as they like.
  await game.locator("#cover button").click();
  await game.locator("#links").evaluate((button) => button.click());
  await game.locator("dialog .links a", { hasText: first }).first().click();
  await page.waitForTimeout(300);
  game = await shown(page, "#cover[open]");
  assert.equal(await game.locator("#cover h2").innerText(), `Hand the device to ${first}`);
  assert.deepEqual([page.elsewhere, site.missed, page.faults], [[], [], []]);
  await closeAll();
});

// Each visit left a stream open in the worker, and the seventeenth was refused, loaded the page again, and was refused.
test("a seat is visited as often as one likes", { skip, timeout: 240000 }, async () => {
  const page = await visit(await host(made()));
  await page.game.getByRole("button", { name: "First steps in the ring" }).click();
  await page.game.waitForSelector("#prompt .coach");
  const seat = new URL(page.url()).hash.slice(1);
  for (let n = 0; n < 18; n += 1) for (const [to, there] of [["/front/", "main"], [seat, "#prompt"]]) {
    await page.evaluate((to) => { document.getElementById("page").src = `page.html?${to}`; }, to);
    await shown(page, there);
    await page.waitForTimeout(150);
  }
  let loads = 0;
  page.on("framenavigated", (frame) => { if (frame.parentFrame()) loads += 1; });
  await page.waitForTimeout(3000);
  assert.equal(loads, 0);
  await closeAll();
});

test("what was played is saved to a file and brought back elsewhere", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await page.game.getByRole("button", { name: "First steps in the ring" }).click();
  await page.game.waitForSelector("#prompt .coach");
  await answer(page.game, page.game.locator("#prompt .options .cue, #prompt .faces .cue").first());
  const asks = await number(page.game);
  const seat = new URL(page.url()).hash;
  await go(page, `${site.link}#/front/`);
  await page.reload();
  await shown(page);
  const path = join(folder(), "tables.json");
  copyFileSync(await saved(page, () => page.getByRole("button", { name: "Save what you played" }).click()), path);
  await page.context().close();

  const other = await visit(site);
  const questions = [];
  other.on("dialog", (dialog) => { questions.push(dialog.message()); dialog.accept(); });
  await other.locator("#tools input[type=file]").first().setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("[]") });
  await other.getByText("That file was not saved by this page.").waitFor();
  // Nor was one without the secret of the seats, which would leave nothing here.
  await other.locator("#tools input[type=file]").first().setInputFiles({ name: "y.json", mimeType: "application/json", buffer: Buffer.from('{"kept":[]}') });
  let begun = 0;
  other.on("load", () => { begun += 1; });
  await other.waitForTimeout(1500);
  assert.equal(begun, 0, "the page does not begin again");
  // The page begins again by itself with what was brought: its own load ends before anything else is asked of it.
  await Promise.all([
    other.waitForEvent("load"),
    other.locator("#tools input[type=file]").first().setInputFiles(path),
  ]);
  assert.match(questions.at(-1), /replaces everything/);
  await go(other, `${site.link}${seat}`);
  await other.reload();
  const game = await shown(other, "#prompt");
  assert.equal(await number(game), asks);
  await closeAll();
});
