// How pages look: every kind of question, every state, three sizes, both themes, large text. Each is
// searched for accessibility faults and leaves its picture in target/screenshots.

import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DESK, LARGE, PHONE, answers, asked, axe, choose, closeAll, fits, number, open, picture, root, serve, shots, skip, table } from "./table.mjs";

const limit = { skip, timeout: 240000 };
const PROMPTS = join(root, "crates/cw-serve/tests/prompts.toml");
const at = (only) => ["--scenario", PROMPTS, "--only", only, "--after-steps", "--seat2", "human"];

const QUESTIONS = ["C1 ", "C2 ", "C3 ", "C4 ", "C5 ", "C6 ", "C7 ", "C8 a target", "C8 several", "C8 cards", "C8 the opponent",
  "C8 a player", "C8 whose", "C9 ", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19", "C20"];

test("every kind of question fits on the screen and has no faults", limit, async () => {
  let page = null;
  for (const [count, only] of QUESTIONS.entries()) {
    const served = await serve(...at(only));
    try {
      page ??= await open(served.links[0]);
      await page.emulateMedia({ colorScheme: count % 2 ? "light" : "dark" });
      await page.setViewportSize(DESK);
      await page.goto(served.links[0]);
      await page.waitForSelector("#prompt[data-mine]");
      await fits(page, only);
      await axe(page, only);
      const name = `question-${only.trim().replaceAll(" ", "-")}`;
      await picture(page, name);
      await page.setViewportSize(PHONE);
      await fits(page, `${only} on a phone`);
      await picture(page, `${name}-phone`);
      assert.deepEqual(page.faults, []);
      await page.goto("about:blank");
    } finally {
      await served.stop();
    }
  }
  await closeAll();
});

test("both themes, three sizes, without scrolling", limit, () => table(at("C6"), async (links) => {
  for (const colorScheme of ["dark", "light"]) {
    for (const viewport of [DESK, LARGE, PHONE]) {
      const page = await open(links[0], { viewport, colorScheme });
      const name = `${colorScheme}-${viewport.width}x${viewport.height}`;
      await fits(page, name);
      await axe(page, name);
      if (viewport !== PHONE) await page.locator("#me-slot-1 .card").hover();
      await picture(page, `table-${name}`);
      await page.context().close();
    }
  }
}));

test("the theme can be changed, and stays", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator("[data-setting=theme]").selectOption("light");
  await page.locator("[data-setting=text]").selectOption("large");
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("light")));
  await page.reload();
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("light")));
  await axe(page, "chosen theme");
}));

test("text at 200 % can be read", limit, () => table(at("C6"), async (links) => {
  const page = await open(links[0], { viewport: LARGE });
  await page.evaluate(() => document.styleSheets[0].insertRule(":root { font-size: 200% !important; }", document.styleSheets[0].cssRules.length));
  await fits(page, "200 %");
  const cut = await page.evaluate(() => [...document.querySelectorAll("#prompt button span:not(.sr), #question, .bar h2")]
    .filter((words) => words.getClientRects().length && words.scrollWidth > words.clientWidth + 1 && getComputedStyle(words).display !== "inline")
    .map((words) => words.textContent));
  assert.deepEqual(cut, []);
  await axe(page, "200 %");
  await picture(page, "text-200");
}));

test("a card is enlarged at once, with why it cannot be played; a pile is searched", limit, () => table(at("C8 several"), async (links) => {
  const page = await open(links[0]);
  const atOnce = await page.evaluate(() => {
    const card = document.querySelector("#me-slot-2 .card");
    card.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    return Boolean(document.querySelector("#zoom img"));
  });
  assert.ok(atOnce, "nothing is waited for");
  await page.locator(".pile[data-pile='me-discards']").click();
  await page.waitForSelector("#pile-me-discards:popover-open");
  await axe(page, "pile");
  await picture(page, "pile-1280x720");
  await page.keyboard.press("Escape");
}));

test("a card's question can be answered the same way every time, and asked again", limit, () => table(at("C10"), async (links) => {
  const page = await open(links[0]);
  const since = await number(page);
  await page.getByRole("button", { name: "Always no" }).click();
  await page.waitForFunction((old) => document.getElementById("prompt").dataset.number !== old, since);
  await page.getByRole("button", { name: "1 automatic" }).click();
  await picture(page, "automatic-1280x720");
  await page.locator("#always button").click();
  await page.waitForFunction(() => !document.querySelector('[popovertarget="always"]'));
}));

test("a duel that is over can be watched, from both sides, and played on from any moment", limit, () => table(["--seed", "5"], async (links) => {
  const page = await open(links[0]);
  for (let count = 0; count < 12; count += 1) {
    const since = await number(page);
    const { options, at: option } = await answers(page);
    await choose(page, options.nth(option));
    await asked(page, since);
  }
  await page.locator("#log li a").nth(4).hover();
  await page.getByRole("button", { name: "Concede" }).click();
  await page.getByRole("button", { name: "Concede the duel" }).click();
  await page.waitForSelector("#prompt .result");
  await page.getByRole("link", { name: "Watch it again" }).click();
  await page.waitForSelector(".scrub");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector("[data-scrub]").value) >= 2);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await axe(page, "replay");
  await picture(page, "replay-1280x720");
  const mine = await page.locator("#hand .card").first().getAttribute("aria-label");
  await page.getByRole("link", { name: "Other side" }).click();
  await page.waitForFunction((old) => document.querySelector("#hand .card").getAttribute("aria-label") !== old, mine);
  await page.getByRole("link", { name: "Own side" }).click();
  await page.waitForFunction((old) => document.querySelector("#hand .card").getAttribute("aria-label") === old, mine);
  const here = page.url();
  await page.getByRole("button", { name: "Take over from here" }).click();
  await page.waitForFunction((old) => location.href !== old && document.querySelector("#prompt") && !document.querySelector(".scrub"), here);
  await page.waitForSelector("#prompt[data-mine]");
  assert.deepEqual(page.faults, []);
}));

test("any number is explained, and the engine's last steps are shown", limit, () => table(at("C17"), async (links) => {
  const page = await open(links[0]);
  await page.locator("#me-bar .sp a.number").click();
  await page.waitForSelector("#insight:popover-open .shares li");
  await axe(page, "explanation");
  await picture(page, "explained-1280x720");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.waitForSelector("#insight:popover-open .rule mark");
  await axe(page, "trace");
  await picture(page, "trace-1280x720");
}));

test("the page is light", limit, async () => {
  await table(["--seed", "5"], async (links) => {
    const counted = [];
    await open(links[0], { before: (page) => page.on("response", (response) => {
      const endless = response.headers()["content-type"]?.startsWith("text/event-stream");
      const counts = !endless && response.status() === 200 && !/\/face\/|\/surface\/|\/picture\/|\/back\/|\/marker\//.test(response.url());
      if (counts) counted.push(response);
    }) });
    assert.ok(counted.length >= 4, "the page, its styles and its script");
    const sum = (lengths) => lengths.reduce((one, other) => one + other, 0);
    // What goes over the wire, bodies only: styles and scripts are compressed, the page is not, since it holds secrets.
    const sent = sum(await Promise.all(counted.map(async (response) => (await response.request().sizes()).responseBodySize)));
    const read = sum(await Promise.all(counted.map(async (response) => (await response.body()).length)));
    console.log(`page weight without pictures: ${(sent / 1000).toFixed(1)} kB sent, ${(read / 1000).toFixed(1)} kB to read`);
    assert.ok(sent > 10_000 && sent < 62_000, `${sent} bytes are sent`);
    assert.ok(read < 165_000, `${read} bytes are to be read`);
  });
});

test("the pictures of the table's page in the book", limit, async () => {
  const pictures = [["C6", "dark", "table-dark"], ["C3 ", "light", "table-light"]];
  for (const [only, colorScheme, name] of pictures) {
    await table([...at(only)], async (links) => {
      const page = await open(links[0], { colorScheme });
      await page.locator("#me-slot-3 .card, #me-slot-2 .card").last().hover();
      await page.waitForSelector("#zoom img");
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      await picture(page, name);
      if (process.env.CARDWRIGHT_BLESS) copyFileSync(join(shots, `${name}.png`), join(root, `docs/${name}.png`));
    });
  }
});

test("on the desk three or four answers below a button are whole", limit, async () => {
  for (const only of ["C3 ", "C6"]) await table([...at(only)], async (links) => {
    const page = await open(links[0]);
    const hidden = await page.locator("#prompt .choices").evaluate((choices) => choices.scrollHeight - choices.clientHeight);
    assert.ok(hidden <= 1, `${only}: ${hidden} px are hidden`);
  });
});
