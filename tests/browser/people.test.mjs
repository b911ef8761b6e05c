// Two people on two links: they play each other, survive the end of the program, and neither's page
// nor network ever holds a name that its seat may not know.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answers, axe, changed, choose, closeAll, fits, fresh, number, open, over, picture, root, serve, skip, steadyPort, table } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const limit = { skip, timeout: 180000 };

/** Waits until both pages show the same moment, with all that led to it. */
async function settled(pages) {
  for (;;) {
    const numbers = await Promise.all(pages.map(number));
    const [mine, ended] = [await asking(pages), await over(pages[0])];
    const after = await Promise.all(pages.map(number));
    if ((mine >= 0 || ended) && new Set([...numbers, ...after]).size === 1) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Whose page asks; −1 if none does. */
async function asking(pages) {
  const mine = await Promise.all(pages.map((page) => page.locator("#prompt[data-mine]").count()));
  return mine.indexOf(1);
}

/** Answers for whoever is asked; returns which. */
async function step(pages, turn = 0) {
  await settled(pages);
  const at = await asking(pages);
  const since = await number(pages[at]);
  const { options, at: option } = await answers(pages[at]);
  const count = await options.count();
  await choose(pages[at], options.nth(turn % 3 ? option : (option + turn) % count));
  await Promise.all(pages.map((page) => changed(page, since)));
  await settled(pages);
  return at;
}

test("killed in the middle of a decision; both go on at the same prompt", limit, async () => {
  const store = fresh();
  const first = await serve("--seed", "3", "--seat2", "human", "--store", store, "--port", steadyPort);
  const pages = [await open(first.links[0]), await open(first.links[1])];
  let again = null;
  try {
    for (let count = 0; count < 24; count += 1) await step(pages);
    const questions = await Promise.all(pages.map((page) => page.locator("#prompt").innerText()));
    await first.stop();
    await Promise.all(pages.map((page) => page.waitForFunction(() => document.body.dataset.lost)));
    again = await serve("--seed", "4", "--store", store, "--port", steadyPort);
    // Nobody reloads: the pages come back by themselves, at the same question.
    const since = Date.now();
    await Promise.all(pages.map((page) => page.waitForFunction(() => !document.body.dataset.lost)));
    console.log(`both pages were back ${Date.now() - since} ms after the program`);
    for (const [at, page] of pages.entries()) {
      assert.equal(await page.locator("#prompt").innerText(), questions[at]);
    }
    await step(pages);
    assert.deepEqual(pages.flatMap((page) => page.faults), []);
  } finally {
    await closeAll();
    await (again ?? first).stop();
  }
});

test("two people sit down, and each page adds its part to the shuffle", limit, () => table(["--seat2", "human"], async (links) => {
  const sent = [];
  const digests = [];
  const pages = [];
  for (const link of links) {
    pages.push(await open(link, { before: (page) => page.on("request", (request) => {
      if (request.method() !== "POST") return;
      const body = new URLSearchParams(request.postData());
      // Nobody shows a part before all are bound.
      if (body.get("commit")) { assert.deepEqual(sent, []); digests.push(body.get("commit")); }
      if (body.get("nonce")) { assert.equal(digests.length, 2); sent.push(body.get("nonce")); }
    }) }));
  }
  const bound = await Promise.all(pages.map((page) => page.locator("code.digest").textContent()));
  assert.equal(bound[0], bound[1]);
  await axe(pages[0], "before the shuffle");
  await fits(pages[0], "before the shuffle");
  await picture(pages[0], "sit-down-1280x720");
  await pages[0].getByRole("button", { name: "Sit down" }).click();
  await pages[0].getByText("Waiting for the other player").waitFor();
  await pages[1].getByRole("button", { name: "Sit down" }).click();
  await Promise.all(pages.map((page) => page.waitForSelector("#prompt")));
  // A page that is loaded again meanwhile may show its part twice; it is the same one.
  const parts = [...new Set(sent)];
  assert.equal(parts.length, 2);
  assert.ok(parts.every((part) => /^[0-9a-f]{64}$/.test(part)) && parts[0] !== parts[1], parts.join());
  await pages[0].getByRole("button", { name: "Concede" }).click();
  await pages[0].getByRole("button", { name: "Concede the duel" }).click();
  await pages[1].waitForSelector("#prompt .result");
  await pages[1].getByText("How it was shuffled").click();
  const told = await pages[1].locator(".chance").innerText();
  assert.ok([bound[0], ...parts, ...digests].every((part) => told.includes(part)), told);
  for (const page of pages) assert.equal(await page.locator("[data-shuffle]").getAttribute("data-fits"), "true");
  await axe(pages[1], "after the shuffle");
  await fits(pages[1], "after the shuffle");
  assert.deepEqual(pages.flatMap((page) => page.faults), []);
}));

test("one takes back what the other one lets it, and what was drawn since does not come again", limit, () =>
  table(["--seed", "3", "--seat2", "human"], async (links) => {
    const pages = [await open(links[0]), await open(links[1])];
    const hand = (page) => page.evaluate(() => [...document.querySelectorAll("#hand .card")].map((card) => card.dataset.model).sort().join());
    // Until somebody's last choice lies before something that came to light.
    let asking = null;
    let before = "";
    for (let count = 0; count < 60 && asking === null; count += 1) {
      const hands = [await hand(pages[0]), await hand(pages[1])];
      const at = await step(pages);
      const anew = await pages[at].locator("#ask-back details.chance").count();
      if (anew) [asking, before] = [at, hands[at]];
    }
    assert.notEqual(asking, null);
    const [one, other] = [pages[asking], pages[1 - asking]];
    await one.getByRole("button", { name: "Take back?" }).click();
    await axe(one, "asking to take back");
    await picture(one, "take-back-1280x720");
    await one.getByRole("button", { name: "Ask", exact: true }).click();
    await one.getByText("Waiting for the other player").waitFor();
    await other.getByText("would like to take this back").waitFor();
    await fits(other, "asked for consent");
    await axe(other, "asked for consent");
    await picture(other, "take-back-asked-1280x720");
    await other.setViewportSize({ width: 390, height: 844 });
    await picture(other, "take-back-asked-390x844");
    await other.getByRole("button", { name: "Allow it" }).click();
    await one.waitForSelector("#prompt[data-mine]");
    assert.equal(await hand(one), before, "the hand is what it was");
    for (const page of pages) await page.locator("#log li", { hasText: "shuffled again" }).waitFor({ state: "attached" });
    assert.deepEqual(pages.flatMap((page) => page.faults), []);
  }));

test("a friend comes by an invitation; both see who is there, agree on a draw and play again", limit, () =>
  table(["--host=127.0.0.2"], async (_, { front }) => {
    const mine = await open(front);
    await mine.getByRole("button", { name: "Choose decks and make a link" }).click();
    await axe(mine, "the front page with the invitation");
    await picture(mine, "front-invite-1280x720");
    await mine.getByRole("button", { name: "Make a link", exact: true }).click();
    const link = await mine.getByLabel("Link for your friend").inputValue();
    assert.match(link, /^http:\/\/127\.0\.0\.2:\d+\/invite\//);
    await axe(mine, "the invitation");
    await picture(mine, "invitation-1280x720");
    await mine.setViewportSize({ width: 390, height: 844 });
    await picture(mine, "invitation-390x844");
    await mine.setViewportSize({ width: 1280, height: 720 });

    const friend = await open(link, { viewport: { width: 390, height: 844 }, hasTouch: true, settings: { name: "Ann" } });
    await axe(friend, "an invitation that is opened");
    await picture(friend, "invited-390x844");
    assert.equal(await friend.getByLabel("Your name").inputValue(), "Ann");
    // A lesson comes first, if one likes, and *Home* leads back; the invitation is as good as before.
    await friend.getByRole("button", { name: "Learn first" }).tap();
    await friend.waitForSelector("#prompt[data-mine]");
    await fits(friend, "a friend's first lesson");
    await friend.getByRole("link", { name: "Home" }).first().tap();
    await friend.getByRole("button", { name: "Sit down" }).waitFor();
    const decks = friend.getByRole("group", { name: "Your deck" }).getByRole("radio");
    assert.ok(await decks.count() > 2);
    await friend.locator(".deck").nth(2).tap();
    assert.ok(await decks.nth(2).isChecked());
    const chosen = (await friend.locator(".deck .called").nth(2).innerText()).split("\n")[0];
    await picture(friend, "invited-to-choose-390x844");
    await mine.getByLabel("Your name").fill("Bo");
    await mine.getByText("Why nobody can cheat in the shuffle").click();
    await mine.getByLabel("Your name").focus();
    await friend.getByRole("button", { name: "Sit down" }).tap();
    await friend.getByText("Waiting for the other player").waitFor();
    await mine.getByText("Ann has sat down").waitFor();
    assert.equal(await mine.getByLabel("Link for your friend").count(), 0, "the link is used up");
    // Somebody was typing: what stands there stays, and so does what was unfolded.
    assert.equal(await mine.getByLabel("Your name").inputValue(), "Bo");
    assert.equal(await mine.evaluate(() => document.activeElement?.getAttribute("name")), "name");
    await mine.locator("code.digest").waitFor();
    await mine.getByRole("button", { name: "Sit down" }).click();
    await Promise.all([mine, friend].map((page) => page.waitForSelector("#prompt")));
    await mine.waitForSelector('#them-bar [data-presence="here"]');
    await fits(friend, "a friend's table");
    await picture(mine, "with-a-friend-1280x720");
    await picture(friend, "with-a-friend-390x844");
    assert.match(await mine.locator("#them-bar").innerText(), /Ann/);
    assert.match(await friend.locator("#them-bar").innerText(), /Bo/);
    assert.ok(chosen.length > 3, chosen);
    // The page as it is sent says so; once it is shown, the pane may have a card instead.
    assert.match(await friend.evaluate(async () => (await fetch(location.href)).text()), new RegExp(`You play “${chosen.slice(0, 8)}`));

    const seat = friend.url();
    await friend.goto("about:blank");
    await mine.waitForSelector('#them-bar [data-presence="reconnecting"]');
    await mine.waitForSelector('#them-bar [data-presence="away"] time:not(:empty)', { timeout: 20000 });
    await axe(mine, "alone at the table");
    await friend.goto(seat);
    await mine.waitForSelector('#them-bar [data-presence="here"]');

    await mine.getByRole("button", { name: "Concede" }).click();
    await mine.getByRole("button", { name: "Offer a draw" }).click();
    await mine.getByText("You have offered a draw").waitFor();
    await friend.getByText("Bo offers a draw").waitFor();
    await axe(friend, "a draw is offered");
    await fits(friend, "a draw is offered");
    await picture(friend, "draw-offered-390x844");
    await friend.getByRole("button", { name: "Accept the draw" }).tap();
    for (const page of [mine, friend]) await page.locator("#ending").getByText("You agreed to a draw").waitFor();
    await friend.locator("#ending").getByRole("button", { name: "Rematch", exact: true }).tap();
    await mine.locator("#ending").getByText("Ann would like to play again.").waitFor();
    await axe(mine, "a rematch is asked for");
    await picture(mine, "rematch-asked-1280x720");
    await mine.locator("#ending").getByRole("button", { name: "Play again" }).click();
    await Promise.all([mine, friend].map((page) => page.waitForFunction(() => document.querySelector("#prompt") && !document.querySelector(".result"))));
    assert.match(await friend.locator("#them-bar").innerText(), /Bo/);
    assert.deepEqual([...mine.faults, ...friend.faults], []);
  }));

/** Two decks without a card in common, and without one that shows hidden cards. */
const DECKS = [
  ["Crumb", "Auntie Rye", "Deckhand Dab", "Piccolo Pip", "Bandleader Bram", "Apprentice Drip", "Master Flange", "Bosun Brill", "Gasket", "Marzipan Mei"],
  ["Junior Clerk Finch", "Footman Fade", "Lord Lacklustre", "Page Turner", "Sabreur Sabine", "Lady Needle", "Notary Null", "Hotspur Halle", "Hungry Echo", "Countess Ombra"],
];

function deck(names) {
  const set = readFileSync(join(root, "games/saltmarsh/Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml"), "utf8");
  const cards = names.map((name) => {
    const [, id] = set.match(new RegExp(`<card (?=[^>]*name="${name}")[^>]*id="([^"]+)"`)) ?? assert.fail(name);
    return `<card qty="5" id="${id}">${name}</card>`;
  });
  const file = join(temporary("deck"), "deck.o8d");
  writeFileSync(file, `<?xml version="1.0" encoding="utf-8"?><deck game="6ac0a9aa-437c-4074-8135-5f1bef8a6dca"><section name="Main">${cards.join("")}</section></deck>`);
  return file;
}

/** Everything that the browser of a page receives. */
async function listen(page, heard) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.eventSourceMessageReceived", ({ data }) => heard.push(data));
  page.on("response", async (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (!type.startsWith("text/event-stream")) heard.push(`${response.url()} ${await response.text().catch(() => "")}`);
  });
}

test("over a whole duel nothing received or shown names a card of the other hand or of a deck", limit, () =>
  table(["--seed", "11", "--seat2", "human", "--illegal-decks", "--deck1", deck(DECKS[0]), "--deck2", deck(DECKS[1])], async (links) => {
    const heard = [[], []];
    const pages = [];
    for (const at of [0, 1]) pages.push(await open(links[at], { before: (page) => listen(page, heard[at]) }));
    const held = [new Set(), new Set()];
    const names = DECKS.flat();
    const namesIn = (text) => names.filter((name) => text.includes(name));
    /** What a seat has held, and what its own log says came into the open: all but what it drew. */
    const look = async (at) => {
      const [hand, log, backs] = await pages[at].evaluate(() => [
        [...document.querySelectorAll("#hand .card")].map((card) => card.getAttribute("aria-label")).join("\n"),
        [...document.querySelectorAll("#log li")].map((line) => line.textContent).filter((line) => !/^You draw/.test(line)).join("\n"),
        document.querySelectorAll("#them-bar .backs li").length,
      ]);
      namesIn(hand).forEach((name) => held[at].add(name));
      return { public: namesIn(log), hand: hand.split("\n").filter(Boolean).length, backs };
    };
    let steps = 0;
    let checked = 0;
    for (; steps < 800 && !await over(pages[0]); steps += 1) {
      const seen = [await look(0), await look(1)];
      for (const at of [0, 1]) {
        const other = 1 - at;
        assert.equal(seen[at].backs, seen[other].hand, "as many backs as cards");
        // The other seat's page says what of its cards became public; what this seat held it may know.
        const may = new Set([...held[at], ...seen[other].public]);
        const all = [...heard[at], await pages[at].content()].join("\n");
        const leaked = names.filter((name) => !may.has(name) && all.includes(name));
        assert.deepEqual(leaked, [], `seat ${at + 1} after ${steps} choices`);
        checked += 1;
      }
      await step(pages, steps);
    }
    assert.equal(await over(pages[0]), 1, "the duel ends");
    assert.ok(checked > 60 && heard.every((all) => all.length > steps), `${checked} looks`);
  }));
