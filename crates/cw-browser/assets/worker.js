// The worker: holds the game as a WebAssembly module, and keeps what is played in the browser's own database. What must
// be written down is written before the answer that rests on it is shown.
//
// A site may have two modules. `play.wasm` holds what is done with a game that has rules, and is what a visitor waits for. It
// answers 421 to whatever it does not do; then the whole module, `cardwright.wasm`, begins with what was kept and is asked instead (see `grow`).
// `play.wasm` may be split: functions that do not run before the first choice lie in `play-rest.wasm` (see `complete`).

/** The instance that holds the tables. @type {SiteModule} */
let module;
/** Whether that is one of the whole module. */
let isWhole = false;
/** Messages that came while no instance could take them. @type {SiteRequests[]} */
const early = [];
/** The whole module takes the place of the small one. */
let growing = false;
/**
 * What the page has asked and waits for, by number; `begun` once an answer has begun.
 * @type {Map<number, { ask: NumberedRequest, begun: boolean }>}
 */
const asked = new Map();
const text = new TextDecoder();
const bytesOf = new TextEncoder();

const functions = {
  passed: () => performance.now(),
  today: () => Date.now(),
  random: () => crypto.getRandomValues(new Uint32Array(1))[0],
  told: () => console.error(text.decode(given())),
};

/** @type {(instance: SiteModule) => Uint8Array<ArrayBuffer>} */
const memory = (instance) => new Uint8Array(instance.memory.buffer);

/** Gives the module what its next function is about. @param {Uint8Array} bytes */
function give(bytes, instance = module) {
  const at = instance.room(bytes.length);
  memory(instance).set(bytes, at);
}

/** What the module has given. */
function given(instance = module) {
  const at = instance.given();
  return memory(instance).slice(at, at + instance.given_length());
}

/** Says that something broke; what was kept is safe. @param {unknown} fault */
function broke(fault) {
  console.error(fault);
  postMessage(fault instanceof NotLoaded ? { why: whyNot(fault) } : { broken: true });
}

/** @param {MessageEvent<WorkerMessage>} message */
onmessage = async ({ data }) => {
  try {
    if (data.begin) await begin(data.link, data.play);
    else if (data.visit) await visit(data.visit);
    else if (data.save) postMessage({ saved: JSON.stringify({ cardwright: 1, kept: await all() }) });
    else if (data.bring) await bring(data.bring);
    else if (data.workshop) postMessage({ workshop: { id: data.workshop.id, ...await workshop(data.workshop) } });
    else if (data.pack) postMessage({ packed: packed(data.pack === true ? own : data.pack) });
    else if (!module || growing) early.push(data);
    else take(data);
  } catch (fault) { broke(fault); }
};

/** Asks the module what the page asks. @param {SiteRequests} data */
function take(data) {
  if (data.ask) {
    asked.set(data.ask.id, { ask: data.ask, begun: false });
    give(bytesOf.encode(JSON.stringify(data.ask)));
    module.ask();
    restSoon();
  } else if (data.drop) {
    asked.delete(data.drop);
    module.drop_request(data.drop);
  }
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
  } catch (fault) { broke(fault); }
};

const KINDS = ["keep", "head", "part", "end"];

/** The status of what this module does not do. */
const NOT_HERE = 421;

/** Sends what the module gave; what is to be kept is kept first. @param {Uint8Array<ArrayBuffer>} given */
async function send(given) {
  /** Answers that say only that the whole module is to be asked. @type {Set<number>} */
  const elsewhere = new Set();
  const view = new DataView(given.buffer);
  /** @type {AnswerFrame[]} */
  let frames = [];
  const flush = () => { if (frames.length) postMessage({ frames }); frames = []; };
  for (let at = 0; at < given.length;) {
    const [id, kind, length] = [0, 4, 8].map((step) => view.getUint32(at + step, true));
    const bytes = given.slice(at + 12, at + 12 + length);
    at += 12 + length;
    if (kind === 0) {
      flush();
      await keep(JSON.parse(text.decode(bytes)));
      continue;
    }
    const head = kind === 1 ? JSON.parse(text.decode(bytes)) : undefined;
    if (head?.status === NOT_HERE && !isWhole) elsewhere.add(id);
    if (elsewhere.has(id)) continue;
    const waits = asked.get(id);
    if (waits) waits.begun = true;
    if (kind === 3) asked.delete(id);
    frames.push({ id, kind: KINDS[kind], ...(head ? { head } : { bytes }) });
  }
  flush();
  if (elsewhere.size) await grow(elsewhere);
}

/** The whole module. @type {Promise<WebAssembly.Module> | undefined} */
let wholeCode;
function whole() {
  wholeCode ??= compiled("cardwright.wasm");
  // Who used it once finds it without a network, too.
  wholeCode.then(() => postMessage({ more: true }), () => { wholeCode = undefined; });
  return wholeCode;
}
/** A file that the host does not give. */
class NotLoaded extends Error {
  /** @param {string} file @param {number} status That of the answer; 0 if there was none. */
  constructor(file, status) {
    super(`${file}: ${status || "no answer"}`);
    this.status = status;
  }
}
/** Says why a part of the page is not there. @param {unknown} fault */
const whyNot = (fault) => (fault instanceof NotLoaded && fault.status === 409
  ? "This page has been updated since you opened it. Load the new version to open this part."
  : "This part of the page cannot be loaded. Are you online?");

// The rest of a module that was split. A function of it that runs too early is a placeholder, which loads the rest there
// and then; but as a rule it was loaded while the visitor looked at the front page.

const REST = "play-rest.wasm";
/** What Binaryen's `wasm-split` calls the module whose functions are placeholders. */
const PLACEHOLDER = "placeholder";
/** When the rest is loaded: so many milliseconds in which the page asked for nothing. What it shows comes first. */
const REST_AFTER = 2000;

/** The compiled rest, once it is there. @type {WebAssembly.Module | undefined} */
let rest;
/** The first part that has no rest yet. @type {WebAssembly.Exports | undefined} */
let incomplete;
let quiet = 0;
function restSoon() {
  clearTimeout(quiet);
  if (incomplete) quiet = setTimeout(completeSoon, REST_AFTER);
}

/** Puts the functions of the rest into the table of the first part. */
function complete() {
  if (!rest) {
    // Within a call of the module nothing can be waited for.
    const request = new XMLHttpRequest();
    request.open("GET", REST, false);
    request.responseType = "arraybuffer";
    try { request.send(); } catch { throw new NotLoaded(REST, 0); }
    if (request.status !== 200) throw new NotLoaded(REST, request.status);
    rest = new WebAssembly.Module(request.response);
  }
  if (incomplete) new WebAssembly.Instance(rest, { primary: incomplete });
  incomplete = undefined;
}

/** Loads the rest beforehand. Where that fails, the placeholders try it again. */
async function completeSoon() {
  if (!incomplete) return;
  try {
    rest ??= await compiled(REST);
    complete();
  } catch (fault) { console.info(fault); }
}

/**
 * Begins the whole module with what was kept, and asks it what waits for an answer. Answers that have begun (streams) end:
 * the page tunes in again.
 * @param {Set<number>} elsewhere
 */
async function grow(elsewhere) {
  growing = true;
  try {
    const code = await whole();
    const { instance, answer } = await start(code, shown, await all());
    if (answer.why) throw new Error(answer.why);
    // A game of the visitor's own may have come meanwhile: it stays.
    if (!isWhole) module = instance;
    isWhole = true;
    incomplete = undefined;
  } catch (fault) {
    console.error(fault);
    const why = whyNot(fault);
    postMessage({ notice: why });
    const head = { status: 503, location: null, kind: "text/plain" };
    const bytes = bytesOf.encode(why);
    const frames = [...elsewhere].flatMap((id) => [
      { id, kind: "head", head }, { id, kind: "part", bytes }, { id, kind: "end" },
    ]);
    for (const id of elsewhere) asked.delete(id);
    postMessage({ frames });
  }
  growing = false;
  more = true;
  const waiting = [...asked.values()];
  if (isWhole) {
    asked.clear();
    const ended = waiting.filter(({ begun }) => begun).map(({ ask }) => ({ id: ask.id, kind: "end" }));
    if (ended.length) postMessage({ frames: ended });
    for (const { ask, begun } of waiting) if (!begun) take({ ask });
  }
  for (const data of early.splice(0)) take(data);
}

// What is kept: keys with texts.

/** @type {IDBDatabase | null} */
let database = null;
/** Where nothing can be kept: until the page is closed. @type {Map<string, string>} */
const loose = new Map();
const NO_ROOM = "The browser has no room left to save what you play: save it to a file before you close the page.";
const NOTHING_KEPT = "This browser does not let the page save anything: what you play is lost when you close the page.";

/** @returns {Promise<IDBDatabase | null>} */
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

/** All that is kept. @returns {Promise<KeptPair[]>} */
async function all() {
  if (!database) return [...loose].sort(([a], [b]) => (a < b ? -1 : 1));
  const store = database.transaction("kept").objectStore("kept");
  /** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
  const got = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  const [keys, values] = await Promise.all([got(store.getAllKeys()), got(store.getAll())]);
  const pairs = new Map(keys.map((key, at) => [String(key), values[at]]));
  change(pairs, owed);
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Makes changes of kept texts. @param {Map<string, string>} kept @param {KeptChange[]} changes */
function change(kept, changes) {
  for (const one of changes) {
    if (one.do === "put") kept.set(one.key, one.text);
    else if (one.do === "remove") kept.delete(one.key);
    else for (const key of [...kept.keys()]) if (key.startsWith(one.prefix)) kept.delete(key);
  }
}

/**
 * Changes that could not be written, for want of room: they are written before the next ones, or the log of a table
 * would have a gap, and the whole table could not be read again.
 * @type {KeptChange[]}
 */
let owed = [];

let complained = false;
/** Keeps changes, and returns whether they were written. @param {KeptChange[]} changes @returns {Promise<boolean>} */
function keep(changes) {
  const place = database;
  if (!place) {
    change(loose, changes);
    return Promise.resolve(true);
  }
  const due = [...owed, ...changes];
  return new Promise((done) => {
    const failed = () => {
      owed = due;
      if (!complained) postMessage({ notice: NO_ROOM });
      complained = true;
      done(false);
    };
    try {
      const work = place.transaction("kept", "readwrite", { durability: "strict" });
      const store = work.objectStore("kept");
      for (const one of due) {
        if (one.do === "put") store.put(one.text, one.key);
        else if (one.do === "remove") store.delete(one.key);
        else store.delete(IDBKeyRange.bound(one.prefix, `${one.prefix}\uffff`));
      }
      work.oncomplete = () => { owed = []; done(true); };
      work.onabort = failed;
    } catch { failed(); }
  });
}

/** What was saved to a file; nothing, if it is another file. @param {string} file @returns {KeptPair[] | null} */
function saved(file) {
  let kept;
  try { ({ kept } = JSON.parse(file)); } catch { return null; }
  const isText = (/** @type {unknown} */ one) => typeof one === "string";
  const isPair = (/** @type {unknown} */ pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText);
  // Every file has the secret of the seats.
  return Array.isArray(kept) && kept.every(isPair) && kept.some(([key]) => key === "key") ? kept : null;
}
/** Puts back what was saved to a file, in place of what is here. @param {string} file */
async function bring(file) {
  const kept = saved(file);
  if (!kept) {
    postMessage({ notice: "That file was not saved by this page." });
    return;
  }
  if (!database) {
    postMessage({ notice: "Nothing can be restored here: what is played now is not kept." });
    return;
  }
  /** @type {KeptChange[]} */
  const changes = [{ do: "clear", prefix: "" }];
  for (const [key, text] of kept) changes.push({ do: "put", key, text });
  // The file brings the secret of its seats, too: without it nobody finds them again.
  const [had, owing] = [database, owed];
  owed = [];
  const written = keep(changes);
  // What the tables of before still write does not belong to those that were brought.
  database = null;
  if (await written) { postMessage({ again: true }); return; }
  [database, owed] = [had, owing];
}

// Beginning.

/**
 * Loads a file. Of the ways to do that it leaves the fewest copies behind, and says how much is there.
 * @param {string} path @param {(part: number) => void} [share] @returns {Promise<ArrayBuffer>}
 */
function load(path, share = () => {}) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "arraybuffer";
    request.onprogress = ({ lengthComputable, loaded, total }) => { if (lengthComputable) share(loaded / total); };
    request.onload = () => { if (request.status === 200) done(request.response); else failed(new NotLoaded(path, request.status)); };
    request.onerror = () => failed(new NotLoaded(path, 0));
    request.send();
  });
}

/** Loads a module, and compiles it. @param {string} path @param {(part: number) => void} [share] */
async function compiled(path, share) {
  const bytes = await load(path, share);
  const code = await WebAssembly.compile(bytes);
  // The module has its own copy. This one is given up at once: it may be long until a browser collects what nobody has.
  bytes.transfer?.(0);
  return code;
}

/** What the module asks for. A library in it names functions of another loader; it calls none of them. */
function imports(/** @type {WebAssembly.Module} */ code) {
  /** @type {Record<string, Record<string, WebAssembly.ImportValue>>} */
  const all = { env: { ...functions } };
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    all[module] ??= {};
    all[module][name] ??= module === PLACEHOLDER ? placeholder(Number(name))
      : () => { throw new Error(`${module}.${name} is not there`); };
  }
  return all;
}

/** Stands for the function of the rest at this place of the table. @param {number} at */
const placeholder = (at) => (/** @type {unknown[]} */ ...given) => {
  const { table } = /** @type {{ table: WebAssembly.Table }} */ (/** @type {unknown} */ (incomplete));
  complete();
  return table.get(at)(...given);
};

/**
 * An instance of the module with its tables, and what it says of them.
 * @param {WebAssembly.Module} code @param {Uint8Array} game @param {KeptPair[]} kept
 * @returns {Promise<{ instance: SiteModule, answer: WorkshopAnswer }>}
 */
async function start(code, game, kept) {
  const { exports } = await WebAssembly.instantiate(code, imports(code));
  if (WebAssembly.Module.imports(code).some(({ module }) => module === PLACEHOLDER)) incomplete = exports;
  const instance = /** @type {WebAssembly.Exports & SiteModule} */ (exports);
  const page = new URL("./", location.href).href;
  const head = bytesOf.encode(JSON.stringify({ kept, game: game.length, page }));
  const message = new Uint8Array(head.length + 1 + game.length);
  message.set(head);
  message.set(game, head.length + 1);
  give(message, instance);
  instance.begin();
  return { instance, answer: JSON.parse(text.decode(given(instance))) };
}

/**
 * @param {string} link What the page's address carries, if it carries something.
 * @param {string} play The file of the module that holds duels alone, if the site has one.
 */
async function begin(link, play) {
  let code, game;
  try {
    const shares = [0, 0];
    /** @type {(at: number) => (part: number) => void} */
    const share = (at) => (part) => { shares[at] = part; postMessage({ progress: (shares[0] * 4 + shares[1]) / 5 }); };
    const loading = compiled(play || "cardwright.wasm", share(0));
    const [whole, files, base] = await Promise.all([loading, load("game.o8g", share(1)), opening()]);
    postMessage({ progress: 1 });
    code = whole;
    if (!play) wholeCode = Promise.resolve(code);
    isWhole = !play;
    game = new Uint8Array(files);
    shown = game;
    database = base;
  } catch (fault) {
    postMessage({ why: `The game cannot be loaded (${/** @type {Error} */ (fault).message}). Are you online?` });
    return;
  }
  if (!database) postMessage({ notice: NOTHING_KEPT });
  const { instance, answer } = await start(code, game, await all());
  module = instance;
  if (answer.why) { postMessage({ why: `This game cannot be opened: ${answer.why}` }); return; }
  const linked = link ? unpacked(link) : undefined;
  if (linked?.game) { await visit(linked.game); return; }
  if (linked?.why) postMessage({ notice: linked.why });
  postMessage({ opened: { ...answer.opened, visiting: false, link: linked?.letters } });
  restSoon();
  for (const data of early.splice(0)) take(data);
  go();
}

/**
 * What a link carries: a game, or what the page of this game opens.
 * @param {string} link @returns {{ game?: Uint8Array<ArrayBuffer>, why?: string, letters?: string }}
 */
function unpacked(link) {
  give(bytesOf.encode(link));
  module.unpack();
  const found = given();
  if (found[0] === 0) return { game: found.slice(1) };
  if (found[0] === 1) return { why: `The link cannot be opened: ${text.decode(found.slice(1))}.` };
  return { letters: link };
}

/** A game as the letters of a link. @param {Uint8Array} game @returns {WorkshopAnswer} */
function packed(game) {
  give(game);
  module.pack();
  return JSON.parse(text.decode(given()));
}

// The workshop: a game in the making. Nothing of it is kept but by whoever saves it.

/** The game that is shown. @type {Uint8Array} */
let shown = new Uint8Array();

/**
 * The instance that holds the workshop: one of the whole module, begun with the game that is shown.
 * @type {SiteModule | undefined}
 */
let bench;

/**
 * Does what is asked for in the workshop; what comes of it.
 * @param {WorkshopRequest} request @returns {Promise<WorkshopAnswer>}
 */
async function workshop({ open, ask, bytes, out }) {
  try { bench ??= (await start(await whole(), shown, [])).instance; } catch (fault) { return { why: whyNot(fault) }; }
  if (open) {
    const { files } = open;
    const head = bytesOf.encode(JSON.stringify({ files: files?.map(({ path, bytes }) => [path, bytes.length]) }));
    const parts = files ? files.map((file) => file.bytes) : [open.archive ?? shown];
    give(joined([head, new Uint8Array(1), ...parts]), bench);
    bench.workshop();
    return JSON.parse(text.decode(given(bench)));
  }
  if (ask) {
    give(bytesOf.encode(JSON.stringify(ask)), bench);
    bench.workshop_ask();
    return JSON.parse(text.decode(given(bench)));
  }
  if (bytes) {
    bench.workshop_bytes(bytes === "zip" ? 0 : 1);
    const found = given(bench);
    return found[0] === 0 ? { bytes: found.slice(1) } : { why: text.decode(found.slice(1)) };
  }
  // What is tried out is not kept, and what was played before is closed.
  bench.try_out(out ?? 0xffff_ffff);
  const answer = JSON.parse(text.decode(given(bench)));
  if (answer.why) return { why: answer.why };
  module = bench;
  isWhole = true;
  database = null;
  loose.clear();
  postMessage({ opened: { ...answer.opened, visiting: true, link: answer.link ?? undefined } });
  go();
  return {};
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

/** The visitor's own game, as it was opened. @type {Uint8Array} */
let own = new Uint8Array();

/** A game of the visitor's own: nothing of it is kept. @param {Uint8Array<ArrayBuffer>} game */
async function visit(game) {
  /** @type {Awaited<ReturnType<typeof start>> | undefined} */
  let begun;
  /** @type {string | undefined} */
  let why;
  try {
    begun = await start(await whole(), game, []);
    if (begun.answer.why) why = `That game cannot be opened: ${begun.answer.why}`;
  } catch (fault) {
    console.error(fault);
    why = whyNot(fault);
  }
  // Until the game is there, the tables of before go on, and are kept.
  if (!begun || why) {
    postMessage({ why });
    return;
  }
  database = null;
  loose.clear();
  const { instance, answer } = begun;
  module = instance;
  isWhole = true;
  bench = undefined;
  own = game;
  shown = game;
  postMessage({ opened: { ...answer.opened, visiting: true } });
  go();
}
