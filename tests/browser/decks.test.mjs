// Decks are built by mouse, by keyboard and on a phone, and each then plays a duel; packs are opened, and a deck of what lay in
// them is played.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, answers, axe, choose, open, over, picture, play, skip, table } from "./table.mjs";

const limit = { skip, timeout: 240000 };
const total = (page) => page.locator("#panel .count").getAttribute("data-total").then(Number);
/** Waits until the deck has so many cards, and is kept. */
async function has(page, many) {
  await page.waitForFunction((many) => Number(document.querySelector("#panel .count").dataset.total) === many && document.getElementById("saved").textContent === "Saved.", many);
}
/** The way from the front page to a builder with one of the package's decks. */
async function building(front, options) {
  const page = await open(front, options);
  await page.getByRole("link", { name: "Decks and packs" }).click();
  await page.waitForSelector(".decks-page");
  return page;
}
/** Plays the duel that begins to its end. */
async function duel(page, touch = false) {
  await page.locator('[name="level"]').selectOption("random");
  const begin = page.getByRole("button", { name: "Begin the duel" });
  await (touch ? begin.tap() : begin.click());
  await page.waitForSelector("#prompt");
  await play(page, async () => {
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
  });
  assert.equal(await over(page), 1);
}

test("a deck is built by mouse, with drags and steps back, and played", limit, () => table(["--seed", "5"], async (_links, { front }) => {
  const page = await building(front);
  await axe(page, "decks");
  await picture(page, "decks-desk");
  await page.getByRole("button", { name: "Harbour Lights" }).click();
  await page.waitForSelector("body.scripted .bench");
  await has(page, 50);
  assert.match(await page.locator(".legal").innerText(), /A legal deck/);
  await axe(page, "builder");
  await picture(page, "builder-desk");

  // One out of the deck, another one in, by the mouse alone.
  await page.locator(".lines-of-deck [data-step='-1']").first().click();
  await has(page, 49);
  assert.equal(await page.locator(".legal").getAttribute("data-legal"), "false");
  await page.locator("#cards .card").first().click();
  await has(page, 50);
  await page.locator("#undo").click();
  await has(page, 49);
  await page.locator("#redo").click();
  await has(page, 50);
  await page.locator(".lines-of-deck li").nth(1).dragTo(page.locator(".shelf .told"));
  await has(page, 49);
  await page.locator("#undo").click();
  await has(page, 50);
  await page.locator("#cards li").nth(2).dragTo(page.locator("#deck .count"));
  await has(page, 51);
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await has(page, 49);
  await page.locator("#undo").click();
  await has(page, 50);

  // A test hand is of the deck, and the chances are said for both who go first and second.
  await page.locator("#hand").click();
  assert.equal(await page.locator(".hand-cards li").count(), 5);
  await page.getByRole("button", { name: "Draw one more" }).click();
  assert.equal(await page.locator(".hand-cards li").count(), 6);
  await axe(page, "test hand");
  await page.locator("[data-close]").click();
  const first = await page.locator(".chances tbody td").first().innerText();
  await page.locator("#second").check();
  await page.waitForFunction((old) => document.querySelector(".chances tbody td").textContent !== old, first);

  // It is there again after the page is closed.
  await page.locator("[name=name]").fill("By mouse");
  await page.locator("[name=name]").blur();
  await has(page, 50);
  await page.reload();
  assert.equal(await page.locator("h1").innerText(), "By mouse");
  await duel(page);
}));

test("a deck is built by keyboard alone, and played", limit, () => table(["--seed", "6"], async (_links, { front }) => {
  const page = await building(front);
  await page.getByRole("button", { name: "Second Rise" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("body.scripted .bench");
  await has(page, 50);
  await page.locator(".lines-of-deck [data-step='-1']").first().focus();
  await page.keyboard.press("Enter");
  await has(page, 49);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("/");
  const found = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get("q") === "kind:character");
  await page.keyboard.type("kind:character");
  await (await found).finished();
  await page.waitForTimeout(600);
  await page.keyboard.press("Escape");
  await page.locator("#cards .card").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await has(page, 50);
  await page.keyboard.press("-");
  await has(page, 49);
  await page.keyboard.press("Control+z");
  await has(page, 50);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await has(page, 50);
  assert.match(await page.locator(".legal").innerText(), /A legal deck/);
  await duel(page);
}));

test("a deck is built on a phone, and played", limit, () => table(["--seed", "7"], async (_links, { front }) => {
  const page = await building(front, { viewport: PHONE, hasTouch: true, isMobile: true });
  await page.getByRole("button", { name: "Harbour Lights" }).tap();
  await page.waitForSelector("body.scripted .bench");
  await has(page, 50);
  await axe(page, "builder on a phone");
  await picture(page, "builder-phone");
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
  const side = (name) => page.locator(".switch button", { hasText: name }).tap();
  await side("Deck");
  await axe(page, "the deck on a phone");
  await picture(page, "builder-phone-deck");
  await page.locator(".lines-of-deck [data-step='-1']").first().tap();
  await has(page, 49);
  await side("Cards");
  await page.locator("#cards .card").nth(1).tap();
  await has(page, 50);
  assert.match(await page.locator("#so-far").innerText(), /50 of 50/);
  await side("Deck");
  await page.locator("#undo").tap();
  await page.locator("#undo").tap();
  await has(page, 50);
  await duel(page, true);
}));

test("packs are opened, and a deck of what lay in them is played", limit, () => table(["--seed", "8"], async (_links, { front }) => {
  const page = await building(front);
  await page.getByRole("link", { name: "Open packs" }).click();
  await axe(page, "packs");
  await page.getByRole("button", { name: "Open them" }).click();
  await page.waitForSelector("body.scripted .pack");
  const down = () => page.locator(".card.turned").count();
  const all = await down();
  await page.locator(".card.turned").first().click();
  assert.equal(await down(), all - 1);
  await page.getByRole("button", { name: "Turn this pack" }).click();
  await page.waitForFunction(() => !document.querySelector(".pack").querySelector(".turned"));
  await picture(page, "opening");
  await axe(page, "opening");
  await page.getByRole("button", { name: "Turn all" }).click();
  assert.equal(await down(), 0);
  await page.getByRole("link", { name: "Build a deck" }).click();
  await page.waitForSelector("body.scripted .bench");
  await page.locator("#suggest").click();
  await page.locator(".reasons").waitFor();
  await page.waitForFunction(() => document.querySelector(".legal")?.dataset.legal === "true");
  assert.ok(await total(page) > 10);
  await axe(page, "sealed builder");
  await picture(page, "builder-sealed");
  await duel(page);
}));

/** Lines of a list of compared cards. */
const pile = (page, title) => page.locator(".pile-of", { has: page.getByRole("heading", { name: title }) }).locator("li");

test("a deck is compared by keyboard with another one and with a pasted list", limit, () => table(["--seed", "9"], async (_links, { front }) => {
  const page = await building(front);
  await page.getByRole("button", { name: "Harbour Lights", exact: true }).click();
  await page.waitForSelector("body.scripted .bench");
  await page.locator(".lines-of-deck [data-step='-1']").first().click();
  await has(page, 49);
  await page.getByRole("link", { name: "Compare", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".versus");
  await axe(page, "comparison to come");
  await page.locator("[name=b]").focus();
  await page.locator("[name=b]").selectOption({ label: "Harbour Lights" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Compare");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".sides");
  assert.match(page.url(), /compare\?b=deck%3A\d+$/, "two decks are an address");
  assert.match(await page.locator(".sum-up").innerText(), /In common: 49 cards\. Only in one of them: 0 and 1\./);
  assert.deepEqual(await page.locator(".sides .legal").evaluateAll((all) => all.map((one) => one.dataset.legal)), ["false", "true"]);
  await axe(page, "comparison");
  await picture(page, "compare-desk");

  // A list that is written chooses itself; a line of it that names no card is said.
  await page.getByText("Paste a list").click();
  await page.locator("textarea").fill("2 Crumb\n1 Nobody at all");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("No card is called `Nobody at all`").waitFor();
  assert.match(await pile(page, /^In both/).innerText(), /2\s*Crumb/);
  await axe(page, "comparison with a list");
  await page.getByRole("link", { name: "Harbour Lights", exact: true }).click();
  await page.waitForSelector("body.scripted .bench");
  await has(page, 49);
}));

test("decks are compared on a phone, from the cards of the game", limit, () => table(["--seed", "9"], async (_links, { front }) => {
  const page = await open(front, { viewport: PHONE, hasTouch: true, isMobile: true });
  await page.goto(new URL("/cards", page.url()).href);
  await page.getByRole("link", { name: "Compare decks" }).tap();
  await page.locator("[name=a]").selectOption({ label: "Harbour Lights" });
  await page.locator("[name=b]").selectOption({ label: "Night School" });
  await page.getByRole("button", { name: "Compare" }).tap();
  await page.waitForSelector(".sides");
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
  assert.equal(await page.locator(".pile-of").count(), 2);
  await axe(page, "comparison on a phone");
  await picture(page, "compare-phone");
}));

test("the ladder is climbed with a deck from the builder, and the front page remembers it", limit, () => table(["--seed", "10"], async (_links, { front }) => {
  const page = await building(front);
  await page.getByRole("button", { name: "Second Rise", exact: true }).click();
  await page.waitForSelector("body.scripted .bench");
  const builder = page.url();
  // Of a card of which there are two, so that it can be put back.
  const two = page.locator(".lines-of-deck li", { has: page.locator(".many", { hasText: /^2$/ }) }).first();
  const key = await two.getAttribute("data-key");
  const step = (by) => page.locator(`.lines-of-deck li[data-key="${key}"] [data-step='${by}']`).click();
  await step(-1);
  await has(page, 49);
  await page.getByRole("button", { name: /^Challenge/ }).first().click();
  await page.locator("#refused").waitFor();
  assert.match(await page.locator("#refused").innerText(), /“Second Rise” cannot be played: /);
  await axe(page, "a refused deck");
  await step(1);
  await has(page, 50);
  await page.locator("[name=name]").fill("Mine");
  await page.locator("[name=name]").blur();
  await has(page, 50);
  await page.getByRole("button", { name: /^Challenge/ }).first().click();
  await page.waitForSelector("#prompt");
  assert.match(await page.locator("#them-bar").innerText(), /Auntie Rye/);
  await page.goto(new URL("/front/", builder).href);
  const own = page.locator("#next-opponent [name=own]");
  assert.equal(await own.evaluate((select) => select.selectedOptions[0].textContent), "Mine");
  assert.equal(await own.inputValue(), `kept:${builder.split("/").pop()}`);
}));

for (const [name, options] of Object.entries({ desk: {}, phone: { viewport: PHONE, hasTouch: true, isMobile: true } })) {
  test(`computers try out a deck: ${name}`, limit, () => table(["--seed", "11"], async (_links, { front }) => {
    const page = await building(front, options);
    await page.getByRole("button", { name: "Night School", exact: true }).click();
    await page.waitForSelector("body.scripted .bench");
    const builder = page.url();
    if (name === "phone") await page.locator(".switch button", { hasText: "Deck" }).tap();
    await page.getByRole("link", { name: /^Try it in the arena/ }).click();
    await axe(page, "arena");
    await page.locator("[name=level]").selectOption("normal");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.waitForSelector(".arena-run[data-running]");
    await page.waitForFunction(() => Number(document.querySelector(".arena-run progress").value) > 0);
    await axe(page, "arena running");
    // The button keeps the keyboard while the table is shown again and again.
    await page.locator("#stop").focus();
    await page.waitForTimeout(1600);
    assert.equal(await page.evaluate(() => document.activeElement.id), "stop");
    await page.keyboard.press("Enter");
    await page.getByText("The run was stopped.").waitFor();
    await page.locator("#go-on").click();
    await page.waitForSelector(".arena-run[data-running]");

    // Another tab, with another deck, has to wait.
    const tab = await page.context().newPage();
    await tab.goto(new URL("/front/decks", builder).href);
    await tab.getByRole("button", { name: "Harbour Lights", exact: true }).click();
    await tab.waitForSelector("body.scripted .bench");
    await tab.goto(`${tab.url()}/arena`);
    await tab.getByRole("button", { name: "Start the run" }).click();
    await tab.getByRole("alert").waitFor();
    assert.match(await tab.getByRole("alert").innerText(), /Computers are playing “Night School” in the arena now/);
    await axe(tab, "a busy arena");
    await tab.getByRole("button", { name: "Stop that run" }).click();
    await tab.close();
    await page.getByText("The run was stopped.").waitFor();

    await page.locator("[name=level]").selectOption("random");
    await page.locator("[name=pairs]").selectOption("10");
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.locator(".arena-state", { hasText: "All pairs have been played." }).waitFor({ timeout: 60000 });
    assert.equal(await page.locator(".arena-table tbody tr").count(), 9);
    const sums = await page.locator(".arena-table tfoot .exact").allInnerTexts();
    assert.equal(Number(sums[0]) + Number(sums[1]) + Number(sums[2]), 180, `two duels of each pair: ${sums}`);
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
    await axe(page, "arena done");
    await picture(page, `arena-${name}`);
  }));
}
