// Drafts: alone by mouse, by keyboard and on a phone, and two people with six computers, with the program killed in the
// middle. No pick is lost, everybody ends with a deck, and the decks play each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, axe, closeAll, fresh, open, picture, serve, skip, steadyPort, table } from "./table.mjs";

const limit = { skip, timeout: 300000 };
const taken = (page) => page.locator(".deck-side .count").getAttribute("data-total").then(Number);

/** The way from the front page to a draft that begins. */
async function begin(page, { packs = 1, seats = 4, friends = 0 } = {}) {
  await page.getByRole("link", { name: "Decks and packs" }).click();
  await page.locator('a[href="/front/draft"]').click();
  const form = page.locator("form:has(.packs)");
  await form.locator("[name^='p.']").first().fill(String(packs));
  await form.locator("[name=seats]").selectOption(String(seats));
  await form.locator("[name=friends]").selectOption(String(friends));
  await form.getByRole("button", { name: "Open the packs" }).click();
  await page.waitForSelector("#draft");
}

/** Waits until the page shows so many cards as taken. */
const has = (page, many) => page.waitForFunction((many) => Number(document.querySelector(".deck-side .count")?.dataset.total) === many, many);

/** Takes the card at a place, as a person does: choosing it, then taking it. */
async function take(page, place, touch = false) {
  const before = await taken(page);
  const name = await page.locator(".offered li").nth(place).getAttribute("data-name");
  const card = page.locator(".offered .card").nth(place);
  await (touch ? card.tap() : card.click());
  await page.waitForSelector('.offered .card[aria-pressed="true"]');
  const button = page.locator(".take");
  await (touch ? button.tap() : button.click());
  await has(page, before + 1);
  return name;
}

/** The names of all cards that were taken, in order of the list. */
const picks = (page) => page.locator(".picked .called").allTextContents();

test("a draft against computers, by mouse and keyboard, looked back at and played", limit, () => table([], async (_links, { front }) => {
  const page = await open(front);
  await page.getByRole("link", { name: "Decks and packs" }).click();
  await page.locator('a[href="/front/draft"]').click();
  await axe(page, "a new draft");
  await picture(page, "draft-new-desk");
  await page.goBack();
  await page.goBack();
  await begin(page, { packs: 1, seats: 8 });
  await axe(page, "a draft");
  await picture(page, "draft-desk");
  const names = [];
  for (let count = 0; count < 4; count += 1) names.push(await take(page, count));
  // By keyboard: arrows choose, Enter takes; the keyboard stays in the pack.
  await page.locator(".offered .card").first().focus();
  for (let count = 4; count < 11; count += 1) {
    if (count < 10) await page.keyboard.press("ArrowRight");
    else await page.keyboard.press("1");
    const chosen = page.locator('.offered .card[aria-pressed="true"]');
    names.push(await chosen.locator("..").getAttribute("data-name"));
    await page.keyboard.press("Enter");
    await has(page, count + 1);
    if (count < 10) assert.equal(await page.evaluate(() => document.activeElement?.matches(".offered .card")), true);
  }
  await axe(page, "a draft with picks");
  await picture(page, "draft-picks-desk");
  names.push(await take(page, 0));
  await page.waitForSelector(".after");
  assert.deepEqual([...new Set(names)].sort(), (await picks(page)).sort());
  await axe(page, "a draft that is over");
  await picture(page, "draft-over-desk");

  await page.getByRole("link", { name: "Look back" }).click();
  assert.equal(await page.locator(".pick-review").count(), 12);
  assert.equal(await page.locator(".reviewed [data-taken]").count(), 12);
  await axe(page, "looking back");
  await picture(page, "draft-review-desk");
  await page.goBack();

  await page.getByRole("link", { name: "Build your deck" }).click();
  await page.waitForSelector(".bench");
  assert.match(await page.locator(".legal").innerText(), /A legal deck/);
  await page.locator("#suggest").click();
  await page.locator(".reasons").waitFor();
  await axe(page, "the builder of a draft");
  await page.getByRole("link", { name: "Play the other drafters" }).click();
  await page.getByRole("heading", { name: "Table" }).waitFor();
  assert.equal(await page.locator(".standings tbody tr").count(), 8);
  while (await page.getByRole("button", { name: "Let the computers play each other" }).count()) {
    await page.getByRole("button", { name: "Let the computers play each other" }).click();
    await page.waitForSelector(".standings");
  }
  // Each of seven computers has met six others.
  const played = await page.locator(".standings .exact").allTextContents();
  assert.equal(played.map(Number).reduce((sum, one) => sum + one, 0), 7 * 6);
  await axe(page, "results");
  await picture(page, "draft-results-desk");
  await page.locator(".foes-of-draft [name=level]").first().selectOption("random");
  await page.locator(".foes-of-draft").getByRole("button", { name: "Play" }).first().click();
  await page.waitForSelector("#prompt");
  await page.getByRole("button", { name: "Concede" }).click();
  await page.getByRole("button", { name: "Concede the duel" }).click();
  await page.waitForSelector("#prompt .result");
  await page.goto(new URL("/front/decks", page.url()).href);
  await page.locator('.own-decks a[href^="/front/drafts/"]').click();
  await page.getByRole("link", { name: "Decks and duels" }).click();
  await page.getByText("you lost").waitFor();
  assert.equal(await page.locator(".standings [data-own] .exact").nth(1).innerText(), "1");
  assert.deepEqual(page.faults, []);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`a draft on a phone, ${colorScheme}`, limit, () => table([], async (_links, { front }) => {
    const page = await open(front, { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme });
    await begin(page, { packs: 1, seats: 3 });
    await axe(page, "a draft on a phone");
    await picture(page, `draft-phone-${colorScheme}`);
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);
    for (let count = 0; count < 12; count += 1) {
      await take(page, 0, true);
      if (count === 4) {
        await page.locator("[data-show=deck]").tap();
        await picture(page, `draft-phone-picks-${colorScheme}`);
        await axe(page, "picks on a phone");
        await page.locator("[data-show=cards]").tap();
      }
    }
    await page.waitForSelector(".after");
    await picture(page, `draft-phone-over-${colorScheme}`);
    await page.getByRole("link", { name: "Decks and duels" }).tap();
    await page.waitForSelector(".standings");
    await axe(page, "results on a phone");
    await picture(page, `draft-phone-results-${colorScheme}`);
    await page.goBack();
    await page.getByRole("link", { name: "Look back" }).tap();
    await picture(page, `draft-phone-review-${colorScheme}`);
    assert.deepEqual(page.faults, []);
  }));
}

test("without scripts each card is a button that takes it", limit, () => table([], async (_links, { front }) => {
  const page = await open(front, { javaScriptEnabled: false });
  await begin(page, { packs: 1, seats: 2 });
  for (let count = 0; count < 12; count += 1) await page.locator(".offered .card").first().click();
  await page.waitForSelector(".after");
  assert.equal(await taken(page), 12);
}));

test("two people and six computers, killed in the middle: eight decks, and no pick is lost", limit, async () => {
  const store = fresh();
  let served = await serve("--store", store, "--port", steadyPort);
  const names = [[], []];
  try {
    const one = await open(served.front);
    await begin(one, { packs: 2, seats: 8, friends: 1 });
    const link = await one.locator(".link input").inputValue();
    const two = await open(link);
    await axe(two, "an invitation to a draft");
    await picture(two, "draft-invitation");
    await two.locator("[name=name]").fill("Ben");
    await two.getByRole("button", { name: "Sit down" }).click();
    await two.waitForSelector("#draft");
    await one.locator(".seats-of-draft b", { hasText: "Ben" }).waitFor();
    await axe(one, "a draft of two people");
    await picture(one, "draft-people");
    const pages = [one, two];
    const pass = async (rounds) => {
      for (let count = 0; count < rounds; count += 1) {
        for (const [at, page] of pages.entries()) {
          await page.waitForSelector(".offered .card");
          names[at].push(await take(page, count % await page.locator(".offered .card").count()));
        }
      }
    };
    await pass(9);
    // One is a pick ahead of the other when the program is killed.
    await one.waitForSelector(".offered .card");
    names[0].push(await take(one, 0));
    await served.stop();
    served = await serve("--store", store, "--port", steadyPort);
    // Nobody reloads: the streams come back by themselves.
    await two.waitForSelector(".offered .card");
    await two.waitForFunction(() => !document.getElementById("said")?.textContent);
    names[1].push(await take(two, 0));
    assert.deepEqual(await Promise.all(pages.map(taken)), [10, 10]);
    for (const [at, page] of pages.entries()) assert.deepEqual((await picks(page)).sort(), [...new Set(names[at])].sort());
    await pass(14);
    for (const [at, page] of pages.entries()) {
      await page.waitForSelector(".after");
      assert.equal(await taken(page), 24);
      assert.deepEqual((await picks(page)).sort(), [...new Set(names[at])].sort(), "no pick is lost");
      await page.getByRole("link", { name: "Build your deck" }).click();
      await page.waitForSelector(".bench");
      assert.match(await page.locator(".legal").innerText(), /A legal deck/);
      await page.getByRole("link", { name: "Play the other drafters" }).click();
      await page.waitForSelector(".standings");
      const decks = await page.locator(".standings tbody td:nth-child(2)").allTextContents();
      assert.equal(decks.length, 8);
      assert.ok(decks.every((words) => /^\d+ cards/.test(words) && !/not legal/.test(words)), decks.join("; "));
    }
    // One asks the other for a duel, who finds the way on their own page.
    await one.locator(".foes-of-draft li", { hasText: "Ben" }).getByRole("button", { name: "Ask for a duel" }).click();
    await one.getByRole("button", { name: "Sit down" }).waitFor();
    await two.reload();
    await two.getByRole("link", { name: "They wait for you: sit down" }).click();
    await two.getByRole("button", { name: "Sit down" }).click();
    await one.getByRole("button", { name: "Sit down" }).click();
    await Promise.all(pages.map((page) => page.waitForSelector("#prompt")));
    assert.deepEqual(pages.flatMap((page) => page.faults), []);
  } finally {
    await closeAll();
    await served.stop();
  }
});
