// Asks the page's module in Node: node twin.mjs MODULE GAME TASKS. One answer a line.

import { readFileSync } from "node:fs";

const [code, game, tasks] = process.argv.slice(2).map((path) => readFileSync(path));
const compiled = new WebAssembly.Module(code);
const imports = { env: {
  passed: () => performance.now(),
  today: () => Date.now(),
  random: () => 4,
  told: () => console.error(new TextDecoder().decode(given())),
} };
for (const { module, name } of WebAssembly.Module.imports(compiled)) {
  imports[module] ??= {};
  imports[module][name] ??= () => { throw new Error(`${name} is not there`); };
}
const module = new WebAssembly.Instance(compiled, imports).exports;
const memory = () => new Uint8Array(module.memory.buffer);
const given = () => memory().slice(module.given(), module.given() + module.given_length());
for (const task of JSON.parse(tasks)) {
  const message = Buffer.concat([Buffer.from(JSON.stringify(task)), Buffer.from([0]), game]);
  const at = module.room(message.length);
  memory().set(message, at);
  module.twin();
  console.log(new TextDecoder().decode(given()));
}
