// A copy of the demo game under `cardwright dev`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, closeAll, root } from "./table.mjs";
import { temporary } from "./temporary.mjs";

/** Starts the program on a copy of the demo game; ends it whatever happens. */
export async function dev(use) {
  const folder = join(temporary("dev"), "game");
  cpSync(join(root, "games/saltmarsh"), folder, { recursive: true });
  const child = spawn(binary, ["dev", folder, "--no-open", "--port", "0", "--seed", "7"], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const links = await new Promise((done, failed) => {
    child.on("exit", (code) => failed(new Error(`the program ended with ${code}: ${said}`)));
    child.stdout.on("data", (data) => {
      said += data;
      if (said.includes("Ctrl+C")) done(said.match(/http:\S+/g));
    });
  });
  child.removeAllListeners("exit");
  const change = (name, from, to) => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    assert.ok(text.includes(from), `${name} has no ${from}`);
    writeFileSync(path, text.replace(from, to));
  };
  try {
    await use({ seat: links[0], front: links[1], folder, change });
  } finally {
    await closeAll();
    await new Promise((done) => { child.on("exit", done); child.kill("SIGKILL"); });
  }
}
