// The worker: holds the game as a WebAssembly module, and keeps what is played in the browser's own database. What must
// be written down is written before the answer that rests on it is shown.

/** @type {any} */
let module;
/** Messages that came before the game was open. */
let early = [];
const memory = () => new Uint8Array(module.memory.buffer);
const text = new TextDecoder();
const bytesOf = new TextEncoder();

const functions = {
  passed: () => performance.now(),
  today: () => Date.now(),
  random: () => crypto.getRandomValues(new Uint32Array(1))[0],
  told: () => console.error(text.decode(given())),
};

function give(bytes) {
  const at = module.room(bytes.length);
  memory().set(bytes, at);
}

function given() {
  const at = module.given();
  return memory().slice(at, at + module.given_length());
}

onmessage = async ({ data }) => {
  try {
    if (data.begin) await begin(data.link);
    else if (data.visit) await visit(data.visit);
    else if (data.save) postMessage({ saved: JSON.stringify({ cardwright: 1, kept: await all() }) });
    else if (data.bring) await bring(data.bring);
    else if (data.workshop) postMessage({ workshop: { id: data.workshop.id, ...workshop(data.workshop) } });
    else if (data.pack) postMessage({ packed: packed(data.pack === true ? own : data.pack) });
    else if (!module) early.push(data);
    else take(data);
  } catch (fault) {
    console.error(fault);
    postMessage({ broken: true });
  }
};

function take(data) {
  if (data.ask) {
    give(bytesOf.encode(JSON.stringify(data.ask)));
    module.ask();
  } else if (data.drop) module.drop_request(data.drop);
  go();
}

// The module's turns. One runs at a time; between two of them messages come in.

let timer = 0;
let going = false;
/** Something was asked for while a turn's frames were being kept. */
let more = false;
function go() {
  if (going) { more = true; return; }
  going = true;
  clearTimeout(timer);
  queue.postMessage(null);
}
const { port1: queue, port2: turns } = new MessageChannel();
turns.onmessage = async () => {
  try {
    const next = module.turn();
    await send(given());
    going = false;
    if (next === 0 || more) { more = false; go(); }
    else if (next > 0) timer = setTimeout(go, next);
  } catch (fault) {
    console.error(fault);
    postMessage({ broken: true });
  }
};

const KINDS = ["keep", "head", "part", "end"];

/** Sends what the module gave; what is to be kept is kept first. */
async function send(given) {
  const view = new DataView(given.buffer);
  let frames = [];
  const flush = () => { if (frames.length) postMessage({ frames }); frames = []; };
  for (let at = 0; at < given.length;) {
    const [id, kind, length] = [0, 4, 8].map((step) => view.getUint32(at + step, true));
    const bytes = given.slice(at + 12, at + 12 + length);
    at += 12 + length;
    if (kind === 0) {
      flush();
      await keep(JSON.parse(text.decode(bytes)));
    } else frames.push({ id, kind: KINDS[kind], ...(kind === 1 ? { head: JSON.parse(text.decode(bytes)) } : { bytes }) });
  }
  flush();
}

// What is kept: keys with texts.

/** @type {IDBDatabase | null} */
let database = null;
/** Where nothing can be kept: until the page is closed. */
const loose = new Map();
const NOTHING_KEPT = "This browser lets the page keep nothing: what you play is lost when you close it.";

function opening() {
  return new Promise((done) => {
    try {
      const request = indexedDB.open(`cardwright ${new URL("./", location.href).pathname}`, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("kept");
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    } catch { done(null); }
  });
}

async function all() {
  if (!database) return [...loose].sort(([a], [b]) => (a < b ? -1 : 1));
  const store = database.transaction("kept").objectStore("kept");
  const got = (request) => new Promise((done, failed) => { request.onsuccess = () => done(request.result); request.onerror = () => failed(request.error); });
  const [keys, values] = await Promise.all([got(store.getAllKeys()), got(store.getAll())]);
  return keys.map((key, at) => [key, values[at]]);
}

let complained = false;
function keep(changes) {
  if (!database) {
    for (const one of changes) {
      if (one.do === "put") loose.set(one.key, one.text);
      else if (one.do === "remove") loose.delete(one.key);
      else for (const key of [...loose.keys()]) if (key.startsWith(one.prefix)) loose.delete(key);
    }
    return Promise.resolve();
  }
  return new Promise((done) => {
    const failed = () => {
      if (!complained) postMessage({ notice: "The browser has no room to keep what you play: save it to a file before you close the page." });
      complained = true;
      done(undefined);
    };
    try {
      const work = database.transaction("kept", "readwrite", { durability: "strict" });
      const store = work.objectStore("kept");
      for (const one of changes) {
        if (one.do === "put") store.put(one.text, one.key);
        else if (one.do === "remove") store.delete(one.key);
        else store.delete(IDBKeyRange.bound(one.prefix, `${one.prefix}\uffff`));
      }
      work.oncomplete = () => done(undefined);
      work.onabort = failed;
    } catch { failed(); }
  });
}

/** Puts back what was saved to a file, beside what is here. */
async function bring(file) {
  let kept;
  try { ({ kept } = JSON.parse(file)); } catch { /* told below */ }
  const sound = Array.isArray(kept) && kept.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === "string"));
  if (!sound) {
    postMessage({ notice: "That file was not saved by this page." });
    return;
  }
  // The file brings the secret of its seats, too: without it nobody finds them again.
  await keep([{ do: "clear", prefix: "" }, ...kept.map(([key, text]) => ({ do: "put", key, text }))]);
  postMessage({ again: true });
}

// Beginning.

async function load(path, share) {
  const answer = await fetch(path);
  if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status}`);
  const whole = Number(answer.headers.get("content-length"));
  const reader = answer.body.getReader();
  const parts = [];
  let had = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    had += value.length;
    if (whole && !answer.headers.get("content-encoding")) share(had / whole);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** What the module asks for. A library in it names functions of another loader; it calls none of them. */
function imports(code) {
  const all = { env: functions };
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    all[module] ??= {};
    all[module][name] ??= () => { throw new Error(`${module}.${name} is not there`); };
  }
  return all;
}

let compiled;
async function start(game, kept) {
  const instance = await WebAssembly.instantiate(compiled, imports(compiled));
  const fresh = instance.exports;
  module = fresh;
  const page = new URL("./", location.href).href;
  const head = bytesOf.encode(JSON.stringify({ kept, game: game.length, page }));
  const message = new Uint8Array(head.length + 1 + game.length);
  message.set(head);
  message.set(game, head.length + 1);
  give(message);
  fresh.begin();
  return JSON.parse(text.decode(given()));
}

/** @param {string} link What the page's address carries, if it carries something. */
async function begin(link) {
  let game;
  try {
    const shares = [0, 0];
    const share = (at) => (part) => { shares[at] = part; postMessage({ progress: (shares[0] * 4 + shares[1]) / 5 }); };
    const [code, files, base] = await Promise.all([load("cardwright.wasm", share(0)), load("game.o8g", share(1)), opening()]);
    postMessage({ progress: 1 });
    compiled = await WebAssembly.compile(code);
    game = files;
    shown = files;
    database = base;
  } catch (fault) {
    postMessage({ why: `The game cannot be loaded (${fault.message}). Is the network there?` });
    return;
  }
  if (!database) postMessage({ notice: NOTHING_KEPT });
  const answer = await start(game, await all());
  if (answer.why) { postMessage({ why: `This game cannot be opened: ${answer.why}` }); return; }
  const linked = link ? unpacked(link) : undefined;
  if (linked?.game) { await visit(linked.game); return; }
  if (linked?.why) postMessage({ notice: linked.why });
  postMessage({ opened: { ...answer.opened, visiting: false, link: linked?.letters } });
  for (const data of early.splice(0)) take(data);
  go();
}

/** What a link carries: a game, or what the page of this game opens. */
function unpacked(link) {
  give(bytesOf.encode(link));
  module.unpack();
  const found = given();
  if (found[0] === 0) return { game: found.slice(1) };
  if (found[0] === 1) return { why: `The link cannot be opened: ${text.decode(found.slice(1))}.` };
  return { letters: link };
}

/** A game as the letters of a link. */
function packed(game) {
  give(game);
  module.pack();
  return JSON.parse(text.decode(given()));
}

// The workshop: a game in the making. Nothing of it is kept but by whoever saves it.

/** The game that is shown. @type {Uint8Array} */
let shown = new Uint8Array();

/** Does what is asked for in the workshop; what comes of it. */
function workshop({ open, ask, bytes, out }) {
  if (open) {
    const { files } = open;
    const head = bytesOf.encode(JSON.stringify({ files: files?.map(({ path, bytes }) => [path, bytes.length]) }));
    const parts = files ? files.map((file) => file.bytes) : [open.archive ?? shown];
    give(joined([head, new Uint8Array(1), ...parts]));
    module.workshop();
    return JSON.parse(text.decode(given()));
  }
  if (ask) {
    give(bytesOf.encode(JSON.stringify(ask)));
    module.workshop_ask();
    return JSON.parse(text.decode(given()));
  }
  if (bytes) {
    module.workshop_bytes(bytes === "zip" ? 0 : 1);
    const found = given();
    return found[0] === 0 ? { bytes: found.slice(1) } : { why: text.decode(found.slice(1)) };
  }
  // What is tried out is not kept, and what was played before is closed.
  module.try_out(out ?? 0xffff_ffff);
  const answer = JSON.parse(text.decode(given()));
  if (answer.why) return { why: answer.why };
  database = null;
  loose.clear();
  postMessage({ opened: { ...answer.opened, visiting: true, link: answer.link ?? undefined } });
  go();
  return {};
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

/** The visitor's own game, as it was opened. @type {Uint8Array} */
let own = new Uint8Array();

/** A game of the visitor's own: nothing of it is kept. */
async function visit(game) {
  const before = [module, database];
  database = null;
  loose.clear();
  const answer = await start(game, []);
  if (answer.why) {
    [module, database] = before;
    postMessage({ why: `That game cannot be opened: ${answer.why}` });
    return;
  }
  own = game;
  shown = game;
  postMessage({ opened: { ...answer.opened, visiting: true } });
  go();
}
