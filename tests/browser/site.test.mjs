// The static site: a folder of files from a plain file server, below a path of its own. No request leaves the folder, and
// everything is there again after the page is closed, and without a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { PHONE, answers, axe, binary, closeAll, number, open, over, picture, root, skip as noBrowser } from "./table.mjs";

const module = process.env.MODULE ?? join(root, "target/site/cardwright.wasm");
const noModule = !existsSync(module) && "there is no module of the page: `cargo xtask module` builds it";
if (noModule) console.error(`\n*** the tests of the static site are skipped: ${noModule} ***\n`);
const skip = noBrowser || noModule;

const run = (...options) => {
  const done = spawnSync(binary, options, { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
};

const folder = () => mkdtempSync(join(tmpdir(), "site-"));
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
  const site = { place, missed: [], asked: [] };
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
    response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream", "cache-control": "no-cache" });
    response.end(readFileSync(path));
  });
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  site.link = `http://localhost:${server.address().port}${PLACE}`;
  return site;
}

/** Opens a site; resolves with its page and with the frame in which the game is shown. */
async function visit(site, options = {}) {
  const elsewhere = [];
  const page = await open(site.link, {
    ...options,
    before: (page) => page.context().on("request", (request) => {
      if (!request.url().startsWith(site.link) && !/^(blob|data):/.test(request.url())) elsewhere.push(request.url());
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

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, hasTouch: true, isMobile: true } })) {
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

test("a whole duel, its review and its cards are there without a network", { skip, timeout: 540000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && (await (await caches.open((await caches.keys())[0])).keys()).length > 20);
  await page.reload();
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
  await game.locator("#review .points a").first().click();
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

test("one tab has the tables, and a new version is announced", { skip, timeout: 240000 }, async () => {
  const site = await host(made());
  const page = await visit(site);
  const second = await page.context().newPage();
  await second.goto(site.link);
  await second.getByText("open in another tab").waitFor();
  await second.close();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await shown(page);
  const begun = join(folder(), "game");
  run("new", begun);
  site.place = made(begun);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  const load = page.getByRole("button", { name: "Load it" });
  await load.waitFor({ timeout: 60000 });
  await load.click();
  await page.waitForFunction(() => !document.title.includes("Saltmarsh"), undefined, { timeout: 60000 });
  await shown(page);
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
  await page.goto(`${site.link}#/front/`);
  await page.reload();
  await shown(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save what was played" }).click()]);
  const path = join(folder(), "tables.json");
  await download.saveAs(path);
  await page.context().close();

  const other = await visit(site);
  await other.locator("#tools input[type=file]").first().setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("[]") });
  await other.getByText("That file was not saved by this page.").waitFor();
  // The page begins again by itself with what was brought: its own load ends before anything else is asked of it.
  await Promise.all([
    other.waitForEvent("load"),
    other.locator("#tools input[type=file]").first().setInputFiles(path),
  ]);
  await other.goto(`${site.link}${seat}`);
  await other.reload();
  const game = await shown(other, "#prompt");
  assert.equal(await number(game), asks);
  await closeAll();
});
