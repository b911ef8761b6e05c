// Not a test: takes the pictures of one whole duel at four sizes, dark and light, for eyes to look at one by one:
// the front page, each kind of question twice, the log, the piles, the end, the replay. `npm run series` writes them
// to `target/screenshots/series`, or to the folder SERIES; SEED is another duel.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answers, asked, choose, closeAll, number, open, over, serve, shots, skip } from "./table.mjs";

const folder = process.env.SERIES ?? join(shots, "series");
const SIZES = [[1280, 800], [390, 844], [844, 390], [820, 1180]];
mkdirSync(folder, { recursive: true });

test("a series of pictures", { skip, timeout: 900000 }, async () => {
  const served = await serve("--seed", process.env.SEED ?? "12");
  try {
    const pages = [];
    let taken = 0;
    const take = async (name) => {
      const number = String(taken += 1).padStart(2, "0");
      for (const { page, tag } of pages) await page.screenshot({ path: join(folder, `${number}-${name}-${tag}.png`) });
    };
    const all = async (act) => { for (const { page } of pages) await act(page).catch(() => {}); };
    for (const colorScheme of ["dark", "light"]) for (const [width, height] of SIZES) {
      pages.push({ page: await open(served.front, { viewport: { width, height }, colorScheme }), tag: `${width}x${height}-${colorScheme}` });
    }
    await take("front");
    for (const { page } of pages) await page.goto(served.links[0]);
    const main = pages[0].page;
    const settled = () => all((page) => page.waitForSelector("#prompt[data-mine], #prompt .result", { timeout: 5000 }));
    await settled();
    await take("opening");
    const seen = new Map();
    for (let count = 0; count < 400 && !await over(main); count += 1) {
      const kind = await main.locator("#prompt").getAttribute("data-kind");
      const times = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, times);
      if (count && (times === 1 || times === 5)) { await settled(); await take(`question-${kind}`); }
      if (count === 24) {
        await settled();
        await all((page) => page.locator("#hand .card[type=button]:not([popovertarget])").first().click({ timeout: 2000 }));
        await take("a-card-enlarged");
        await all((page) => page.keyboard.press("Escape"));
        await all((page) => page.getByRole("button", { name: "Log" }).click({ timeout: 1000 }));
        await take("log");
        await all((page) => page.keyboard.press("Escape"));
        await all((page) => page.locator("button.pile").first().click({ timeout: 1000 }));
        await take("a-pile");
        await all((page) => page.keyboard.press("Escape"));
        // A pointer that stays on the pile would light it up in all the pictures that follow.
        await all((page) => page.mouse.move(1, 1));
      }
      const since = await number(main);
      const { options, at } = await answers(main);
      await choose(main, options.nth(at));
      await asked(main, since);
    }
    await all((page) => page.waitForSelector("#ending:popover-open", { timeout: 5000 }));
    await take("end");
    await all((page) => page.evaluate(() => { const story = document.querySelector("#ending .story"); story.scrollTop = story.scrollHeight; }));
    await take("end-scrolled-down");
    for (const { page } of pages) await page.goto(new URL("moment/40", page.url()).href);
    await take("replay");
    for (const { page } of pages) await page.goto(served.front);
    await take("front-after-a-duel");
    console.log(`${taken * pages.length} pictures in ${folder}`);
  } finally {
    await closeAll();
    await served.stop();
  }
});
