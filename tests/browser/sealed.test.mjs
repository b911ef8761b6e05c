// Sealed by the letter of OCTGN's document on packs: cards of other sets with overridden values, cards in any number, a hidden
// set. The game is a new one with the two sets of `letter`.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PHONE, axe, binary, open, picture, skip, table } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const limit = { skip, timeout: 240000 };

/** The folder of the game. */
function game() {
  const folder = temporary("letter");
  const made = spawnSync(binary, ["new", "g", "--seed", "1"], { cwd: folder, encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
  for (const [set, id] of [["harvest", "a1000000-0000-4000-8000-000000000001"], ["vault", "b1000000-0000-4000-8000-000000000001"]]) {
    mkdirSync(join(folder, "g/Sets", id));
    copyFileSync(join(import.meta.dirname, "letter", `${set}.xml`), join(folder, "g/Sets", id, "set.xml"));
  }
  return join(folder, "g");
}

/** Opens packs of the game; the page is the one on which cards are turned. */
async function packs(page) {
  await page.getByRole("link", { name: "Decks and packs" }).click();
  await page.getByRole("link", { name: "Open packs" }).click();
  // Each pack is named by its set and its own name; those of hidden sets are offered, too.
  for (const [name, many] of [["Harvest: Harvest Pack", 6], ["Harvest: Windfall Pack", 2], ["Vault: Vault Pack", 1]]) {
    await page.getByLabel(name).fill(String(many));
  }
  await page.getByRole("button", { name: "Open them" }).click();
  await page.waitForSelector(".pack");
}
const names = (page) => page.locator("#cards li").evaluateAll((items) => items.map((item) => item.dataset.name));
/** What a search in the builder finds. */
async function finds(page, query) {
  // The page's script listens.
  await page.waitForSelector("body.scripted");
  const answer = page.waitForResponse((one) => (new URL(one.url()).searchParams.get("q") ?? "") === query && one.url().includes("/found"));
  await page.locator("[name=q]").fill(query);
  await (await answer).finished();
  await page.waitForFunction((query) => new URLSearchParams(document.getElementById("cards").dataset.rows.split("?")[1]).get("q") === query, query);
  return names(page);
}

test("packs by the letter: overridden values, any number, a hidden set", limit, () => table(["--game", game(), "--seed", "4"], async (_links, { front }) => {
  const page = await open(front);
  await packs(page);
  // Nothing of what a pack has made of a card is seen before the card is turned.
  assert.equal(await page.locator(".turned ~ .changed").filter({ visible: true }).count(), 0);
  await page.getByRole("button", { name: "Turn all" }).click();
  await axe(page, "packs with cards of other sets");
  await picture(page, "letter-opening-desk");
  const seen = await page.locator(".pack:not(.in-any-number) .card").evaluateAll((cards) => cards.map((card) => card.dataset.name));
  assert.equal(seen.length, 6 * 9 + 2, "one of the options, two, five and one; of the hidden set both cards, though three are wanted");
  assert.ok(seen.filter((name) => /^Golden Sheaf|^Scythe Dancer|^Apprentice/.test(name)).length === 6, "each pack has one card of the options");
  for (const name of seen.filter((name) => name.startsWith("Apprentice"))) assert.equal(name, "Apprentice, here Rarity Rare, here BP 900");
  const free = await page.locator(".in-any-number .card").evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")));
  assert.deepEqual(free, ["Fallen Apple", "Porter, here Rarity Windfall"], "all that match, each once, however many packs there are");
  await page.getByRole("link", { name: "Build a deck" }).click();
  await page.waitForSelector("body.scripted .bench");

  // In the builder search and filters look at the overridden values.
  if (seen.some((name) => name.startsWith("Apprentice"))) {
    assert.deepEqual(await finds(page, "bp>=900"), ["Apprentice"]);
    assert.equal(await page.locator("#cards .changed").innerText(), "Rarity Rare, BP 900");
    await picture(page, "letter-found-desk");
  }
  assert.deepEqual(await finds(page, "rarity=d"), [], "nothing has the rarity that is printed on the cards of the other set");
  assert.deepEqual(await finds(page, "rarity:windfall"), ["Fallen Apple", "Porter"]);
  await finds(page, "");
  await page.locator("[name='f.Rarity']").selectOption("Windfall");
  await page.waitForFunction(() => document.querySelectorAll("#cards li").length === 2);
  assert.deepEqual(await names(page), ["Fallen Apple", "Porter"]);
  assert.deepEqual(await page.locator("#cards .held").allTextContents(), ["0/∞", "0/∞"]);

  // Any number of them is any number, whatever the limit of copies is.
  const apple = page.locator("#cards li[data-name='Fallen Apple'] button.card");
  for (let count = 0; count < 30; count += 1) await apple.click();
  await page.waitForFunction(() => Number(document.querySelector("#panel .count").dataset.total) === 30 && document.getElementById("saved").textContent === "Saved.");
  assert.doesNotMatch(await page.locator(".legal").innerText(), /Fallen Apple|at most/);
  assert.equal(await page.locator("#cards li[data-name='Fallen Apple'] .held").innerText(), "30/∞");
  await axe(page, "a builder with cards in any number");
  await picture(page, "letter-any-number-desk");
  await page.locator("[name='f.Rarity']").selectOption("");
  // Of what was counted there is no more than lay in the packs, and no more than the rules of decks allow.
  const door = page.locator("#cards li[data-name='Vault Door']");
  assert.equal(await door.getAttribute("data-there"), "1");
  assert.doesNotMatch(await door.locator("img").getAttribute("src"), /back/, "a card of a hidden set has its face");
  await door.locator("button.card").click();
  await door.locator("button.card").click();
  await page.getByText("The packs had only 1.").waitFor();
  await page.locator("#suggest").click();
  await page.waitForFunction(() => document.querySelector(".legal")?.dataset.legal === "true");
  await picture(page, "letter-suggested-desk");

  // The card itself stays as it is printed, and says what the pack makes of it.
  await page.goto(new URL("/cards?q=!apprentice", page.url()).href);
  await page.locator("#cards .card").first().click();
  await page.getByText("; there Rarity is Rare, BP is 900").waitFor();
  assert.match(await page.locator(".printed").first().innerText(), /Rarity\s+D/);
  await picture(page, "letter-card-desk");

  // Hidden cards are in no gallery and in no builder of ordinary decks: not as cards, not as values, not while typing.
  await page.goto(new URL("/cards", page.url()).href);
  const gallery = await page.content();
  assert.doesNotMatch(gallery, /Vault|Ironclad|Sealed Away/);
  for (const query of ["vault", "set:", "set:v", "subtype:iron", "subtype:", "rarity:sea", "name:vault"]) {
    for (const way of ["found", "complete"]) {
      const answer = await (await page.request.get(new URL(`/cards/${way}?q=${encodeURIComponent(query)}`, page.url()).href)).text();
      const words = answer.replaceAll(/data-rows="[^"]*"/g, "").replaceAll(`“${query.split(":").at(-1)}”`, "");
      assert.doesNotMatch(words, /Vault|Ironclad|Sealed Away/, `${way} ${query}`);
    }
  }
  await page.goto(new URL("/front/decks", page.url()).href);
  await page.getByRole("button", { name: "A new deck" }).click();
  await page.waitForSelector("body.scripted .bench");
  assert.doesNotMatch(await page.content(), /Vault|Ironclad|Sealed Away/);
  assert.deepEqual(await finds(page, "is:hidden"), []);
  assert.deepEqual(page.faults, []);
}));

test("packs by the letter on a phone", limit, () => table(["--game", game(), "--seed", "4"], async (_links, { front }) => {
  const page = await open(front, { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: "light" });
  await packs(page);
  await page.getByRole("button", { name: "Turn all" }).tap();
  await picture(page, "letter-opening-phone");
  await page.locator(".in-any-number").scrollIntoViewIfNeeded();
  await picture(page, "letter-any-number-phone");
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
  await page.getByRole("link", { name: "Build a deck" }).tap();
  await page.waitForSelector("body.scripted .bench");
  await axe(page, "a builder with cards of other sets on a phone");
  await picture(page, "letter-builder-phone");
  assert.deepEqual(page.faults, []);
}));
