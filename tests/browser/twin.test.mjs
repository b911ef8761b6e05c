// The engine of the page plays the same duels in a browser as in Node, which `cw-browser`'s test `twin` compares with the
// program itself. `TWIN_DUELS=100000 node --test twin.test.mjs` is the campaign; `firefox.test.mjs` runs a slice in Firefox.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { ask } from "../../crates/cw-browser/tests/twin.mjs";
import { binary, closeAll, open, root, skip as noBrowser } from "./table.mjs";
import { temporary } from "./temporary.mjs";

const module = process.env.MODULE ?? join(root, "target/site/cardwright.wasm");
const skip = noBrowser || (!existsSync(module) && "there is no module of the page: `cargo xtask module` builds it");
const duels = Number(process.env.TWIN_DUELS ?? 60);

test("duels of the page's engine are the same in a browser as in Node", { skip, timeout: 120000 + duels * 100 },
  () => compare(join(root, "games/saltmarsh"), ["random", "easy"]));

const data = join(root, "../shared/data/cfc");
const noData = !existsSync(data) && "there are no real packages here";
test("a real package without rules plays the same in a browser as in Node", { skip: skip || noData, timeout: 120000 + duels * 100 },
  () => compare(data, ["random"]));

/** Plays duels of a game, errors or not, in a page and in Node: as many of `random` as are wanted, and one of other levels for a hundred of these. */
async function compare(folder, levels) {
  const packed = join(temporary("twin"), "game.o8g");
  const exported = spawnSync(binary, ["export", folder, "--allow-errors", "--output", packed], { encoding: "utf8" });
  assert.equal(exported.status, 0, exported.stderr);
  const [code, game] = [readFileSync(module), readFileSync(packed)];
  const server = createServer((request, response) => {
    const body = { "/": "<!doctype html><title>twin</title>", "/module": code, "/game": game }[request.url];
    response.writeHead(body ? 200 : 404, { "content-type": request.url === "/" ? "text/html" : "application/octet-stream" });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const page = await open(`http://127.0.0.1:${server.address().port}/`);
  try {
    const step = Math.min(100, duels);
    for (let from = 0; from < duels; from += step) {
      const tasks = levels.map((level) => (level === "random" ? { level, from, to: from + step } : { level, from: from / step, to: from / step + 1 }));
      // Both play at the same time.
      const plays = page.evaluate(`(async () => {
        const [code, game] = await Promise.all(["/module", "/game"].map(async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())));
        return (${ask})(code, game, ${JSON.stringify(tasks)});
      })()`);
      const here = await ask(code, game, tasks);
      assert.equal(JSON.parse(here[0]).duels, step, here[0]);
      assert.deepEqual(await plays, here);
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await closeAll();
  }
}
