// Drafts: alone by mouse, by keyboard and on a phone, and two people with six computers, with the program killed in the
// middle. No pick is lost, everybody ends with a deck, and the decks play each other. Sealed games with a friend, and the time
// for a pick.

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
  await page.waitForSelector("body.scripted .bench");
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
      await page.waitForSelector("body.scripted .bench");
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
    await two.getByRole("link", { name: "They wait for you: to the duel" }).click();
    await two.getByRole("button", { name: "Sit down" }).click();
    await one.getByRole("button", { name: "Sit down" }).click();
    await Promise.all(pages.map((page) => page.waitForSelector("#prompt")));
    assert.deepEqual(pages.flatMap((page) => page.faults), []);
  } finally {
    await closeAll();
    await served.stop();
  }
});

/** The way from the front page to a sealed game with a friend: two pages at their seats. */
async function beginSealed(front, many = 4, options = [{}, {}]) {
  const one = await open(front, options[0]);
  await one.getByRole("link", { name: "Decks and packs" }).click();
  await one.getByRole("link", { name: "Open packs" }).click();
  await one.locator("[name^='p.']").first().fill(String(many));
  await one.locator("[name=with]").selectOption("friend");
  await one.getByRole("button", { name: "Open them" }).click();
  await one.waitForSelector("#draft");
  const two = await open(await one.locator(".link input").inputValue(), options[1]);
  return [one, two];
}
const own = (page) => picks(page).then((names) => names.sort().join());

test("a sealed game with a friend: own packs, decks, and a duel when both are ready", limit, async () => {
  const store = fresh();
  let served = await serve("--store", store, "--port", steadyPort);
  try {
    const phone = { viewport: PHONE, hasTouch: true, isMobile: true };
    const [one, two] = await beginSealed(served.front, 6, [{}, phone]);
    await axe(two, "an invitation to a sealed game");
    await picture(two, "sealed-invitation-phone");
    await two.locator("[name=name]").fill("Ben");
    await two.getByRole("button", { name: "Sit down" }).tap();
    await two.waitForSelector(".sealed-ways");
    await one.locator(".seats-of-draft b", { hasText: "Ben" }).waitFor();
    await axe(one, "a sealed game");
    await picture(one, "sealed-desk");
    await axe(two, "a sealed game on a phone");
    await picture(two, "sealed-phone");
    const pools = await Promise.all([one, two].map(own));
    assert.notEqual(pools[0], pools[1], "each opens their own packs");
    const wide = await two.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide[0] <= wide[1], `nothing lies beside the screen: ${wide}`);

    await one.getByRole("link", { name: "Turn your cards" }).click();
    await one.getByRole("button", { name: "Turn all" }).click();
    assert.equal(await one.locator(".card.turned").count(), 0);
    await picture(one, "sealed-opening-desk");
    await one.getByRole("link", { name: "Build a deck" }).click();
    await one.waitForSelector("body.scripted .bench");
    await one.locator("#suggest").click();
    await one.locator(".reasons").waitFor();
    await axe(one, "the builder of a sealed game");
    await picture(one, "sealed-builder-desk");
    // An illegal deck is refused, with the reason.
    await one.locator(".lines-of-deck [data-step='-1']").first().click();
    await one.waitForFunction(() => document.querySelector(".legal")?.dataset.legal === "false" && document.getElementById("saved")?.textContent === "Saved.");
    const refused = one.waitForResponse((answer) => answer.url().endsWith("/ready"));
    await one.getByRole("button", { name: "I am ready" }).click();
    assert.equal((await refused).status(), 409);
    await one.getByText("Your deck cannot be played yet:").waitFor();
    await picture(one, "sealed-refused-desk");
    assert.equal(await one.getByText("✓ ready").count(), 0);
    await one.getByRole("link", { name: "Build your deck" }).click();
    await one.locator("#suggest").click();
    await one.waitForFunction(() => document.querySelector(".legal")?.dataset.legal === "true" && document.getElementById("saved")?.textContent === "Saved.");
    await one.getByRole("button", { name: "I am ready" }).click();
    await one.getByText("The duel begins as soon as the other one is ready").waitFor();
    await two.getByText("✓ ready").waitFor();
    await picture(one, "sealed-ready-desk");
    await axe(one, "ready for a sealed duel");

    // The friend leaves, the program ends and begins again, the friend comes back by the way they have: nothing is lost.
    const address = two.url();
    await two.goto("about:blank");
    await served.stop();
    served = await serve("--store", store, "--port", steadyPort);
    await two.goto(address);
    await two.waitForSelector(".sealed-ways");
    await one.waitForFunction(() => !document.getElementById("said")?.textContent);
    assert.deepEqual(await Promise.all([one, two].map(own)), pools);
    await two.getByText("✓ ready").waitFor();

    // The friend plays the suggested deck. Who waited goes to the duel by themselves.
    await two.getByRole("button", { name: "I am ready" }).tap();
    await Promise.all([one, two].map((page) => page.getByRole("button", { name: "Sit down" }).waitFor()));
    await two.getByRole("button", { name: "Sit down" }).click();
    await one.getByRole("button", { name: "Sit down" }).click();
    await Promise.all([one, two].map((page) => page.waitForSelector("#prompt")));
    // Back at the sealed game there is a way to the duel, and no deck is ready twice.
    await two.goto(address);
    await two.getByRole("link", { name: "Go to the duel" }).waitFor();
    await picture(two, "sealed-duel-phone");
    await two.getByRole("link", { name: "Go to the duel" }).tap();
    await two.waitForSelector("#prompt");
    await two.getByRole("button", { name: "Concede" }).click();
    await two.getByRole("button", { name: "Concede the duel" }).click();
    await two.waitForSelector("#prompt .result");
    await two.goto(address);
    await two.getByText("So far: 0 won, 1 lost, 0 drawn").waitFor();
    await two.getByRole("button", { name: "I am ready" }).waitFor();
    // The refusal is an answer of 409, which the browser's console names.
    assert.deepEqual([one, two].flatMap((page) => page.faults.filter((fault) => !fault.includes("409"))), []);
  } finally {
    await closeAll();
    await served.stop();
  }
});

/** The way to a draft with a time limit: as short as the form allows when it is sent by hand. */
async function beginTimed(page, limit, { seats = 2 } = {}) {
  await page.getByRole("link", { name: "Decks and packs" }).click();
  await page.locator('a[href="/front/draft"]').click();
  const form = page.locator("form:has(.packs)");
  await form.locator("[name^='p.']").first().fill("1");
  await form.locator("[name=seats]").selectOption(String(seats));
  await form.locator("[name=timer]").evaluate((select, value) => { select.add(new Option(value, value)); select.value = value; }, limit);
  await form.getByRole("button", { name: "Open the packs" }).click();
  await page.waitForSelector("#draft");
}
const clock = (page) => page.locator(".clock b").innerText().then(Number);

test("the time for a pick: it counts down, survives a reload, and at its end a computer picks, which is said once", limit, () => table([], async (_links, { front }) => {
  const page = await open(front);
  // Long enough for what is looked at within it on a machine that is busy with other things.
  await beginTimed(page, "20+0");
  const first = await clock(page);
  assert.ok(first > 5 && first <= 20, `${first} seconds are left of 20`);
  await axe(page, "a draft with a time limit");
  await picture(page, "draft-timer-desk");
  // Everything that readers of screens are told, as it is told.
  const listen = () => page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById("aloud").textContent)).observe(document.getElementById("aloud"), { childList: true });
  });
  await page.waitForFunction((first) => Number(document.querySelector(".clock b").textContent) < first, first);
  const before = await clock(page);
  await page.reload();
  await page.waitForSelector(".clock");
  assert.ok(await clock(page) <= before, "a reload gives no time");
  assert.equal(await page.locator(".clock").getAttribute("role"), "timer");
  assert.equal(await page.locator("#draft [aria-live]").count(), 0, "the seconds themselves are not read aloud");
  await listen();
  await page.waitForSelector(".clock[data-short]", { timeout: 25000 });
  assert.equal(await page.locator(".clock").evaluate((clock) => getComputedStyle(clock).animationName), "none", "nothing moves for who wants little motion");
  await picture(page, "draft-timer-short-desk");
  await page.waitForSelector("#late", { timeout: 25000 });
  // At once: the time of the next pick runs, and its last seconds are said, too.
  const heard = await page.evaluate(() => [...window.heard]);
  // The next pick has its own time: the clock shows it when it ticks.
  await page.waitForFunction(() => Number(document.querySelector(".clock b")?.textContent) > 10, null, { timeout: 8000 });
  assert.equal(await taken(page), 1);
  const [name] = await picks(page);
  assert.equal(await page.locator("#late").innerText(), `Your time was over: a computer took ${name} for you.`);
  await axe(page, "a pick that was late");
  await picture(page, "draft-late-desk");
  assert.deepEqual(heard.slice(-1), [`Your time was over: a computer took ${name} for you.`]);
  assert.ok(heard.length <= 2 && heard.slice(0, -1).every((words) => /^\d+ seconds left for this pick$/.test(words)), `not every second is said: ${heard}`);
  // The notice goes with the next pick.
  await take(page, 0);
  assert.equal(await page.locator("#late").count(), 0);
  assert.deepEqual(page.faults, []);
}));

test("time runs for nobody who has not sat down, and a late friend's picks are theirs", limit, () => table([], async (_links, { front }) => {
  const one = await open(front, { viewport: PHONE, hasTouch: true, isMobile: true, reducedMotion: "no-preference" });
  await one.getByRole("link", { name: "Decks and packs" }).click();
  await one.locator('a[href="/front/draft"]').click();
  const form = one.locator("form:has(.packs)");
  await form.locator("[name^='p.']").first().fill("1");
  await form.locator("[name=seats]").selectOption("2");
  await form.locator("[name=friends]").selectOption("1");
  await form.locator("[name=timer]").evaluate((select) => { select.add(new Option("4+0", "4+0")); select.value = "4+0"; });
  await form.getByRole("button", { name: "Open the packs" }).click();
  await one.waitForSelector("#late", { timeout: 15000 });
  await picture(one, "draft-late-phone");
  await one.waitForTimeout(5000);
  const seats = await one.locator(".seats-of-draft .exact").allTextContents();
  assert.match(seats[1], /^0 taken/, "nobody picks for the friend who is to come");
  const two = await open(await one.locator(".link input").inputValue());
  await two.locator("[name=name]").fill("Ben");
  await two.getByRole("button", { name: "Sit down" }).click();
  await two.waitForSelector(".clock");
  assert.equal(await two.locator("#late").count(), 0);
  await take(two, 0);
  assert.equal(await taken(two), 1);
  assert.deepEqual([...one.faults, ...two.faults], []);
}));

test("an answer that is lost on the way: the pick that is sent again is the same one", limit, () => table([], async (_links, { front }) => {
  const page = await open(front);
  await begin(page, { packs: 1, seats: 2 });
  // The pick comes through, its answer does not; then it is sent again, as browsers do with a connection that breaks.
  let sent = 0;
  await page.route("**/pick", async (route) => {
    sent += 1;
    await route.fetch();
    await route.continue();
  });
  await take(page, 0);
  await page.waitForFunction(() => !document.querySelector(".taking"));
  assert.equal(sent, 1);
  assert.equal(await taken(page), 1);
  assert.equal(await page.locator("#said").innerText(), "");
  assert.deepEqual(page.faults, []);
}));
