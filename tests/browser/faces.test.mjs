// The faces of cards: no text runs past its room, past the card, or into another text.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { binary, closeAll, open, root, shots, skip } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const data = join(root, "../shared/data");
const real = existsSync(data) ? readdirSync(data).filter((name) => existsSync(join(data, name, "definition.xml"))) : [];
if (!real.length) console.error(`\n*** faces of real packages are not measured: no packages at ${data} ***\n`);

/** The faces of a game, or so many of them, as SVG. */
function faces(game, count) {
  const folder = temporary("faces");
  const from = game ? ["--game", join(data, game)] : [];
  execFileSync(binary, ["cards", "render", "-o", folder, "--sample", `${count}`, ...from], { stdio: "ignore" });
  return readdirSync(folder).sort().map((name) => ({ name, svg: readFileSync(join(folder, name), "utf8") }));
}

/** What is wrong with the texts of the faces on the page, and how many there are. */
function measured() {
  // Letters may stick out of the width that they advance by, as J does.
  const beyond = 5;
  const faults = [];
  let texts = 0;
  for (const svg of document.querySelectorAll("body > svg")) {
    const [, , wide, tall] = svg.getAttribute("viewBox").split(" ").map(Number);
    const name = svg.querySelector("title").textContent;
    const seen = [];
    for (const group of svg.querySelectorAll("g.t")) {
      const box = group.getBBox();
      const [x, y, across, down] = group.dataset.room.split(" ").map(Number);
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      texts += 1;
      if (box.x < x - beyond || right > x + across + beyond || box.y < y - beyond || bottom > y + down + beyond) {
        faults.push(`${name}: a text of ${[box.x, box.y, box.width, box.height].map(Math.round)} in ${group.dataset.room}`);
      }
      if (box.x < 0 || box.y < 0 || right > wide || bottom > tall) faults.push(`${name}: a text runs past the card`);
      for (const other of seen) {
        const apart = other.x + other.width - 1 <= box.x || right - 1 <= other.x || other.y + other.height - 1 <= box.y
          || bottom - 1 <= other.y;
        if (!apart) faults.push(`${name}: two texts overlap at ${Math.round(box.x)}, ${Math.round(box.y)}`);
      }
      seen.push(box);
    }
  }
  return { faults, texts };
}

/** Fonts of the machine may differ; the letters of faces do not. */
async function check(game, count) {
  const all = faces(game, count);
  assert.ok(all.length >= Math.min(count, 72), `${all.length} faces`);
  const page = await open("about:blank");
  let texts = 0;
  for (let at = 0; at < all.length; at += 25) {
    await page.setContent(all.slice(at, at + 25).map(({ svg }) => svg).join(""));
    const found = await page.evaluate(measured);
    assert.deepEqual(found.faults, []);
    texts += found.texts;
  }
  assert.ok(texts > 2 * all.length, `${texts} texts`);
  await page.setViewportSize({ width: 1680, height: 1480 });
  const pictures = all.slice(0, 40).map(({ svg }) => `<img src="data:image/svg+xml,${encodeURIComponent(svg)}">`);
  await page.setContent(`<body style="margin:4px;background:#777;display:flex;flex-wrap:wrap;gap:4px">
    <style>img{height:290px;max-width:1600px}</style>${pictures.join("")}`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await page.screenshot({ path: join(shots, `faces-${game ?? "saltmarsh"}.png`), fullPage: true });
  await closeAll();
}

test("every face of Saltmarsh keeps to its room", { skip, timeout: 600_000 }, () => check(undefined, 1000));
for (const game of real) {
  test(`200 faces of ${game} keep to their room`, { skip, timeout: 600_000 }, () => check(game, 200));
}
