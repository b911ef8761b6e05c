// Three games on the free table, with drawn faces only: what docs/free-tables.md shows. CARDWRIGHT_BLESS=1 writes the pictures.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { DESK, open, picture, root, skip, table } from "./table.mjs";
import { ask, does, packageOf, sit, without } from "./free.mjs";
import { temporary } from "./temporary.mjs";

/** Lays a table: each seat a deck, a hand, some cards out. */
async function lay(links, { decks, out, marker, light = false }) {
  const pages = [await sit(links[0], { viewport: DESK, colorScheme: light ? "light" : "dark" }), await sit(links[1])];
  const kit = await (await pages[0].request.get(new URL("/free/kit.json", pages[0].url()).href)).json();
  for (const [seat, page] of pages.entries()) {
    const answer = await ask(page, { deck: kit.decks.indexOf(decks[seat]) });
    assert.ok(!answer.no, answer.no);
    await does(page, "hand 7");
  }
  for (let turn = 0; turn < out; turn += 1) for (const [seat, page] of pages.entries()) {
    const card = await page.locator("#hand .card").nth(turn % 2).getAttribute("data-h");
    const [x, y] = [(turn - (out - 1) / 2) * kit.card[0] * 1.25 - kit.card[0] / 2, seat === 0 ? 30 : -30 - kit.card[1]];
    await does(page, `place ${card} ${Math.round(x)},${Math.round(y)}${turn === 1 ? " down" : ""}`);
    await page.waitForTimeout(150);
  }
  const first = await pages[0].locator("#world .card").first().getAttribute("data-h");
  if (marker) await does(pages[0], `marker table:${first} ${JSON.stringify(marker)} +3`);
  await does(pages[0], "active 1", "roll 2d6");
  await pages[0].locator("#fit").click();
  await pages[0].mouse.move(640, 3);
  await pages[0].evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  await pages[0].waitForTimeout(400);
  assert.deepEqual(pages[0].faults, []);
  return pages[0];
}
async function show(page, name) {
  await picture(page, `free-${name}`);
  if (process.env.CARDWRIGHT_BLESS) await page.screenshot({ path: join(root, `docs/free-${name}.png`) });
}
const seed = ["--seed", "11", "--seats", "2"];

test("Saltmarsh on the free table, from the front page", { skip, timeout: 90000 }, () => table(["--seed", "3"], async (_links, { front }) => {
  const page = await open(front);
  await page.getByRole("button", { name: "The free table" }).click();
  await page.getByText("Two people").click();
  await page.getByRole("button", { name: "Open the table" }).click();
  await page.waitForSelector("body[data-ready]");
  await page.getByRole("button", { name: "Table", exact: true }).or(page.locator("#menu")).first().click();
  await page.getByRole("menuitem", { name: /Choose a deck/ }).click();
  await page.locator("dialog .choices button").first().click();
  await page.locator("#log li", { hasText: "loads" }).first().waitFor();
  await page.locator("#links").click();
  assert.match(await page.locator("dialog .links input").first().inputValue(), /\/free\/open\//);
  assert.deepEqual(page.faults, []);
}));

for (const [name, setting, light] of [
  ["netrunner", { decks: ["Core-Weyland Starting deck", "Core-Criminal Starting deck"], out: 5, marker: "Yellow" }, false],
  ["stargate", null, true],
  ["mlp", null, false],
]) test(`${name} on the free table`, { skip: without(name), timeout: 90000 }, () => table(["--game", packageOf(name), ...seed], async (links) => {
  const kit = await (await fetch(new URL("/free/kit.json", links[0]))).json();
  const page = await lay(links, { decks: [kit.decks[0], kit.decks[1] ?? kit.decks[0]], out: 4, marker: kit.markers.at(-1).name, ...setting, light });
  await show(page, name);
}));

/** An archive of files that are not pressed. */
function archive(files) {
  const number = (value, bytes) => { const made = Buffer.alloc(bytes); made.writeUIntLE(value, 0, bytes); return made; };
  const local = [], central = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const about = Buffer.concat([number(20, 2), number(0x800, 2), number(0, 2), number(0, 2), number(0x21, 2), number(crc32(bytes), 4), number(bytes.length, 4), number(bytes.length, 4), number(Buffer.byteLength(name), 2), number(0, 2)]);
    const head = Buffer.concat([number(0x04034b50, 4), about, Buffer.from(name)]);
    local.push(head, bytes);
    central.push(Buffer.concat([number(0x02014b50, 4), number(20, 2), about, number(0, 2), number(0, 2), number(0, 2), number(0, 4), number(at, 4), Buffer.from(name)]));
    at += head.length + bytes.length;
  }
  const size = central.reduce((sum, one) => sum + one.length, 0);
  return Buffer.concat([...local, ...central, number(0x06054b50, 4), number(0, 4), number(files.length, 2), number(files.length, 2), number(size, 4), number(at, 4), number(0, 2)]);
}

test("pictures of an image pack are shown", { skip, timeout: 60000 }, async () => {
  const definition = readFileSync(join(root, "games/saltmarsh/definition.xml"), "utf8");
  const game = /<game[^>]*? id="([^"]+)"/s.exec(definition)[1];
  const [set] = readdirSync(join(root, "games/saltmarsh/Sets"));
  const text = readFileSync(join(root, "games/saltmarsh/Sets", set, "set.xml"), "utf8");
  const identity = /<set[^>]*? id="([^"]+)"/s.exec(text)[1];
  const [, card, name] = /<card id="([^"]+)" name="([^"]+)"/.exec(text);
  const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
  const folder = temporary("pictures");
  const pack = join(folder, "pack.o8c");
  const of = (file, bytes) => [`${game}/Sets/${identity}/Cards/${file}`, bytes];
  writeFileSync(pack, archive([of(`${card}.png`, dot), of("no picture.png", Buffer.from("<script>"))]));
  await table(["--free", "--pictures", pack], async (links) => {
    const page = await sit(links[0]);
    const found = await page.evaluate(async (wanted) => (await fetch(`find?q=${encodeURIComponent(wanted)}`)).json(), name);
    const [number] = found.find(([, other]) => other === name);
    const kind = async (model) => page.evaluate(async (path) => (await fetch(path)).headers.get("content-type"), `/free/face/${model}/0/full`);
    assert.equal(await kind(number), "image/png");
    assert.equal(await kind(number === 0 ? 1 : 0), "image/svg+xml", "other cards are drawn");
    await does(page, `create ${JSON.stringify(name)} at 0,0`);
    await page.waitForFunction(() => document.querySelector("#world .card img")?.naturalWidth === 1);
    assert.deepEqual(page.faults, []);
  });
});
