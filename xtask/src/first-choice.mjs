// Goes the way of a visitor until the first choice, with a module that notes which of its functions run: the front page,
// the first lesson, its table. `node first-choice.mjs MODULE GAME PROFILE` writes the notes where `wasm-split` reads them.
// Several visitors go that way: which functions of a hash table run depends on chance and on where things lie in memory,
// and how a time is rounded depends on the browser's clock.

import { readFileSync, writeFileSync } from "node:fs";

const [code, game, profile] = process.argv.slice(2);
const compiled = await WebAssembly.compile(readFileSync(code));
const text = new TextDecoder();
let chance = 1;
/** A number that looks like chance, and is the same in each run. */
const random = () => { chance = Math.imul(chance, 1103515245) + 12345; return chance >>> 1; };
let clock = 0;
/** Milliseconds: browsers tell them whole, in tenths, or as finely as they can. */
const passed = () => { clock += [1, 0.1, 0.005, 1 / 3][random() % 4]; return clock; };
const today = () => Math.floor(1.7e12 + clock);
/** @type {Record<string, Record<string, Function>>} */
const imports = { env: { passed, today, random, told: () => console.error(text.decode(given())) } };
for (const { module, name } of WebAssembly.Module.imports(compiled)) {
  imports[module] ??= {};
  imports[module][name] ??= () => { throw new Error(`${module}.${name} is not there`); };
}
const { exports: module } = await WebAssembly.instantiate(compiled, imports);
const memory = () => new Uint8Array(module.memory.buffer);
const given = () => memory().slice(module.given(), module.given() + module.given_length());
const give = (bytes) => { const at = module.room(bytes.length); memory().set(bytes, at); };
const fail = (why) => { console.error(why); process.exit(1); };

/** What the page is to keep: keys with their texts. */
const kept = new Map();
function keep(changes) {
  for (const one of changes) {
    if (one.do === "put") kept.set(one.key, one.text);
    else if (one.do === "remove") kept.delete(one.key);
    else for (const key of [...kept.keys()]) if (key.startsWith(one.prefix)) kept.delete(key);
  }
}
/** The answers so far, by the number of the request. */
const answers = new Map();
/** Lets the module go on until it waits; what it sends belongs to requests. */
function goOn() {
  for (let next = 0; next === 0;) {
    next = module.turn();
    const frames = given();
    const view = new DataView(frames.buffer);
    for (let at = 0; at < frames.length;) {
      const [id, kind, length] = [0, 4, 8].map((step) => view.getUint32(at + step, true));
      const bytes = frames.slice(at + 12, at + 12 + length);
      at += 12 + length;
      const answer = answers.get(id);
      if (kind === 0) keep(JSON.parse(text.decode(bytes)));
      if (answer && kind === 1) answer.head = JSON.parse(text.decode(bytes));
      if (answer && kind === 2) answer.body += text.decode(bytes);
    }
  }
}
/** The answer to a request, where it leads; of a stream, what it begins with. */
function ask(method, path, body = "", headers = [["content-type", "application/x-www-form-urlencoded"]]) {
  const [id, answer] = [answers.size + 1, { path, head: undefined, body: "" }];
  answers.set(id, answer);
  give(Buffer.from(JSON.stringify({ id, method, path, headers, body })));
  module.ask();
  goOn();
  if (answer.head?.location) return ask("GET", answer.head.location);
  if (![200, 204].includes(answer.head?.status)) fail(`${method} ${path}: ${JSON.stringify(answer.head)}`);
  return answer;
}

const VISITORS = 32;
const files = readFileSync(game);
for (let visitor = 0; visitor < VISITORS; visitor += 1) {
  const page = `http://localhost/${"site/".repeat(visitor)}`;
  // Every second one was on the front page before.
  if (visitor % 2 === 0) kept.clear();
  const head = JSON.stringify({ kept: [...kept].sort(), game: files.length, page });
  give(Buffer.concat([Buffer.from(`${head}\0`), files]));
  module.begin();
  const { opened, why } = JSON.parse(text.decode(given()));
  if (!opened) fail(why);
  if (visitor % 2) visit(opened.entry); else ask("GET", opened.entry);
}

/** Goes from the front page to the first question. */
function visit(entry) {
  const front = ask("GET", entry);
  const forms = [...front.body.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const [, action, fields] = forms.find(([, action]) => action === "/front/learn") ?? fail("the front page offers no lesson");
  // A form has a button for each lesson; the first one is for the first.
  const sent = new Map([...fields.matchAll(/name="([^"]*)" value="([^"]*)"/g)].reverse().map(([, name, value]) => [name, value]));
  const table = ask("POST", action, new URLSearchParams([...sent]).toString());
  const [, number] = table.body.match(/ data-number="(\d+)"/) ?? fail("the lesson asks nothing");
  ask("GET", `${table.path}events?number=${number}`);
  // The page is in sight; it is left.
  ask("POST", `${table.path}here`, "", [["x-table", "1"]]);
  module.drop_request(answers.size - 1);
  goOn();
}

const room = 1 << 22;
const at = module.room(room);
const length = module.__write_profile(at, room);
writeFileSync(profile, memory().slice(at, at + length));
