// What comes next is said: after an end, where something is done for the first time, on the front page, and at a free
// table; and what only one person sees is marked as such.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, does, sit, told } from "./free.mjs";
import { answers, asked, choose, number, open, picture, skip, table } from "./table.mjs";

const limit = { skip, timeout: 120000 };

test("a lost duel leads on to the next lesson and to an easier opponent; with all lessons done to a rematch", limit, () => table(["--seed", "5"], async (links, { front }) => {
  const page = await open(front);
  assert.deepEqual(await page.locator(".learn .due b").allInnerTexts(), ["1. First steps in the ring"], "the next lesson is marked");
  await page.goto(links[0]);
  await page.getByRole("button", { name: "Concede" }).click();
  await page.getByRole("button", { name: "Concede the duel" }).click();
  await page.waitForSelector("#ending:popover-open");
  const gold = () => page.evaluate(() => [...document.querySelectorAll("#ending .again .go")].filter((one) => one.getClientRects().length).map((one) => one.innerText.trim().replace(/\s+/g, " ")));
  assert.deepEqual(await gold(), ["Next lesson: First steps in the ring"]);
  await picture(page, "lost-leads-on");
  await page.evaluate(() => { for (const lesson of document.querySelectorAll("#learn [data-lesson]")) localStorage.setItem(`solved ${lesson.dataset.stage}`, "yes"); });
  await page.reload();
  await page.getByRole("button", { name: "How it went" }).click();
  assert.deepEqual(await gold(), ["Rematch"]);
  await page.getByRole("link", { name: "An easier opponent: novice" }).click();
  await page.waitForSelector("#new-duel:popover-open");
  assert.equal(await page.locator("#new-duel [name=level]:checked").getAttribute("value"), "novice");
  assert.deepEqual(page.faults, []);
}));

test("what is new is said once, and a fight is explained where somebody attacks", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0]);
  const hint = page.locator("#prompt .once:visible");
  const heard = [];
  let explained = false;
  for (let count = 0; count < 60 && !(explained && heard.length > 2); count += 1) {
    const since = await number(page);
    if (await hint.count()) {
      const [words] = await hint.allInnerTexts();
      assert.ok(!heard.includes(words), `“${words}” is said once`);
      heard.push(words);
      // It stays while the question does, also when the page is loaded anew.
      if (heard.length === 1) { await page.reload(); await hint.waitFor(); }
      await picture(page, `hint-${heard.length}`);
      await hint.getByRole("button", { name: "Got it" }).click();
      assert.equal(await hint.count(), 0);
      await page.reload();
      await page.waitForSelector("#prompt[data-mine]");
      assert.equal(await hint.count(), 0, "what was put away stays away");
    }
    if (!explained && await page.locator("#prompt[data-kind=attack]").count()) {
      await page.getByRole("button", { name: "How fights work" }).click();
      await page.waitForFunction(() => !document.querySelector("#help [data-load]"));
      assert.match(await page.locator("#help").innerText(), /An attack costs no SP[\s\S]*counter[\s\S]*Lost BP stays lost/);
      await page.locator("#help .heading button").click();
      explained = true;
    }
    const { options, at } = await answers(page);
    await choose(page, options.nth(at));
    await asked(page, since);
  }
  assert.ok(explained && heard.length > 2, heard.join("; "));
  assert.deepEqual(page.faults, []);
}));

test("a character in a ring shows no SP: what it gave was no bonus", limit, () => table(["--seed", "12"], async (links) => {
  const page = await open(links[0]);
  const since = await number(page);
  const { options, at } = await answers(page);
  await choose(page, options.nth(at));
  await asked(page, since);
  const fighter = page.locator(".ring.me .fighter").first();
  // Where the plate would be is the ground of the card, as it is left of it.
  const { x, y, width, height } = await fighter.boundingBox();
  const spot = (across, down) => page.screenshot({ clip: { x: Math.round(x + width * across), y: Math.round(y + height * down), width: 3, height: 3 } });
  const ground = await spot(0.55, 0.9);
  for (const [across, down] of [[0.88, 0.9], [0.77, 0.9], [0.765, 0.9], [0.88, 0.83], [0.94, 0.94]]) assert.ok((await spot(across, down)).equals(ground), `the plate is not seen at ${across},${down}`);
  await picture(page, "no-sp-in-the-ring");
}));

test("a free table says what comes next, what only one person sees, and what always agreeing means", limit, () => table(["--free", "--seats", "2", "--seed", "7"], async (links) => {
  const ann = await sit(links[0]), ben = await sit(links[1]);
  await ask(ann, { deck: 0 });
  await ask(ben, { deck: 1 });
  await ann.locator("#begin").getByRole("button", { name: "Draw a hand" }).click();
  await ann.locator("dialog input").fill("5");
  await ann.getByRole("button", { name: "Draw", exact: true }).click();
  await ann.locator("#hand .card").nth(4).waitFor();
  await ann.locator("#begin").waitFor({ state: "detached" });
  // Which cards it drew reads only who did: that is marked, and only there.
  await told(ben, "draws 5 cards");
  assert.equal(await ann.locator("#log li", { hasText: "draws 5 cards" }).locator(".secret").count(), 1);
  assert.equal(await ben.locator("#log li", { hasText: "draws 5 cards" }).locator(".secret").count(), 0);
  await does(ben, "look 1/Deck top 3");
  await ann.getByText(/Always: .* need not ask again for this pile/).waitFor();
  await ann.locator(".question").getByRole("button", { name: "Agree", exact: true }).click();
  await ben.locator(".window .secret", { hasText: "Only you see these" }).waitFor();
  await picture(ben, "free-only-you");
  await ann.getByRole("button", { name: "Begin the first turn" }).click();
  await told(ann, "takes the turn");
  const before = await ann.locator("#log li.undone").count();
  await ann.getByRole("button", { name: "Take back my last step" }).click();
  await ann.waitForFunction((before) => document.querySelectorAll("#log li.undone").length > before, before);
  assert.deepEqual([ann.faults, ben.faults], [[], []]);
}));
