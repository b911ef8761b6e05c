// What stands around the page: it starts the worker that holds the game, and gives the page in the frame what a server
// would give. Nothing of what is played leaves this browser.

/** A part of the page: `index.html` has them all. @type {(id: string) => HTMLElement} */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const folder = new URL("./", location.href);
const frame = /** @type {HTMLIFrameElement} */ ($("page"));

/** Files that stand for addresses: `/face/3/small.svg` may lie under `face/3/small.svg`. @type {Record<string, string>} */
let files = {};
/** Whether their list can be had. */
const listed = fetch("files.json").then((answer) => answer.json()).then((list) => { files = list; return true; }, () => {
  stop("This page cannot reach its own files. Are you online?");
  return false;
});
/** Who waits for which answer. @type {Map<number, (frame: AnswerFrame) => void>} */
const waiting = new Map();
let last = 0;
/** The game of this folder was put aside for one of the visitor's own. */
let visiting = false;
let entry = "/front/";

const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => heard(data);
worker.onerror = () => stop("The table has crashed. What you played is kept in this browser: reload the page to continue.");

/** Does what the worker says. @param {WorkerAnswer} data */
function heard(data) {
  if (data.frames) {
    for (const one of data.frames) {
      const wait = waiting.get(one.id);
      if (one.kind === "end") waiting.delete(one.id);
      wait?.(one);
    }
  } else if (data.progress !== undefined) {
    const bar = /** @type {HTMLProgressElement} */ ($("progress"));
    if (data.progress < 1) bar.value = data.progress; else bar.removeAttribute("value");
  } else if (data.opened) opened(data.opened);
  else if (data.why) stop(data.why);
  else if (data.notice) notice(data.notice);
  else if (data.saved) save(data.saved);
  else if (data.packed) shared(data.packed);
  else if (data.workshop) { asking.get(data.workshop.id)?.(data.workshop); asking.delete(data.workshop.id); }
  else if (data.more) kept.then(() => navigator.serviceWorker.controller?.postMessage("keep more"));
  else if (data.again) location.reload();
  else if (data.broken) stop("The table has crashed. What you played is kept in this browser: reload the page to continue.");
}

/** Nothing can be played: these words say why, and what to do. @param {string} words */
function stop(words) {
  frame.hidden = true;
  $("tools").hidden = true;
  $("cover").hidden = false;
  $("cover").classList.add("stopped");
  $("words").textContent = words;
  const again = document.createElement("button");
  again.textContent = "Reload the page";
  again.onclick = () => location.reload();
  $("more").replaceChildren(again);
}

let quiet = 0;
/** Says something for a while, below what is still said. The offer of a new version stays. @param {string} words */
function notice(words) {
  const place = $("notice");
  const offer = place.querySelector("button");
  if (offer) place.firstChild?.before(`${words}\n`);
  else place.textContent = place.hidden ? words : `${place.textContent}\n${words}`;
  place.hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => { place.hidden = !place.querySelector("button"); }, 9000);
}

/** What the frame shows if nothing else is wanted: where the address of this page leads. */
const wanted = () => (location.hash.startsWith("#/") && !visiting ? location.hash.slice(1) : "");
/** The page with which the frame began while the worker opened the game. @type {string | undefined} */
let begun;
/** The frame's page may ask the worker now. */
let ready = () => {};

/** Shows a game that can be played now. @param {OpenedGame} about */
async function opened(about) {
  if (!await listed) return;
  setTimeout(stay, 2000);
  entry = about.entry;
  visiting = about.visiting;
  const isPages = (/** @type {string} */ path) => path.startsWith("/assets/") && path !== "/assets/cards.css";
  if (visiting) files = Object.fromEntries(Object.entries(files).filter(([path]) => isPages(path)));
  document.title = about.name;
  frame.title = about.name;
  for (const words of about.remarks.slice(0, 3)) notice(words);
  $("cover").hidden = true;
  frame.hidden = false;
  // The way in gives the page its keys; then it goes where the link leads.
  try {
    const answer = await cardwright.fetch(entry);
    home = new URL(answer.url).search.slice(1);
    cardwright.carry(home, await answer.text());
    const sent = about.link && about.rules ? await sentThing(about.link) : "";
    const path = sent || wanted() || home;
    // A page that began with something else waits until it is replaced.
    if (path === begun) ready();
    else cardwright.ready = Promise.resolve();
    if (path !== begun) frame.src = `page.html?${path}`;
    begun = undefined;
  } catch { stop("The table cannot be shown."); }
}

/** What stands before the letters of a link that carries something. */
const MARK = "#open=";

/** Where such a link leads: to what it opens, or to a page that says what it is. @param {string} letters */
async function sentThing(letters) {
  const about = `/front/link?link=${letters}`;
  // A page's base address is for the frame, and not allowed here.
  const text = (await (await cardwright.fetch(about)).text()).replace(/<base [^>]*>/, "");
  const page = new DOMParser().parseFromString(text, "text/html");
  const form = /** @type {HTMLFormElement | null} */ (page.querySelector("form[data-opens]"));
  if (!form) return about;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form))).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const opened = await cardwright.fetch(form.getAttribute("action") ?? about, { method: "POST", headers, body });
  return new URL(opened.url).search.slice(1);
}
// A link that is opened in a tab where the game is shown already changes nothing but the address.
addEventListener("hashchange", () => { if (location.hash.startsWith(MARK)) location.reload(); });

/** Where *Home* is. */
let home = "/front/";

/** The text of a page that the frame is about to show. @type {{ path: string, text: string } | undefined} */
let carried;

/** What the page in the frame asks for. It is found there as `parent.cardwright`. @type {Cardwright} */
const cardwright = {
  folder,
  /** The file that stands for an address, or nothing. */
  file: (path) => (Object.hasOwn(files, path) ? new URL(files[path], folder).href : undefined),
  /** Pictures that the worker drew, by address: one for all pages. */
  drawn: new Map(),
  /** Settles when the worker can be asked. */
  ready: new Promise((done) => { ready = () => done(undefined); }),
  /** Keeps a page that was led to, for the frame that shows it next: it need not be asked for again. */
  carry(path, text) { carried = { path, text }; },
  /** What was kept under this path. */
  carried(path) {
    const text = carried?.path === path ? carried.text : undefined;
    carried = undefined;
    return text;
  },
  ask(request, hear) {
    const id = ++last;
    waiting.set(id, hear);
    worker.postMessage({ ask: { id, headers: [], body: "", ...request } });
    return id;
  },
  drop(id) {
    if (waiting.delete(id)) worker.postMessage({ drop: id });
  },
  /** The address of the page that shows what a server would show under this path. */
  page: (path) => new URL(`page.html?${path}`, folder).href,
  /** As `fetch`, of the worker. It follows where it is led. */
  async fetch(path, { method = "GET", headers = {}, body = "", signal, prepare } = {}) {
    for (let moved = 0; moved < 8; moved += 1) {
      const answer = await one({ method, path, headers: Object.entries(headers), body }, signal);
      if (!answer.head.location) {
        const { status, kind } = answer.head;
        const text = /^(text|application\/json)/.test(kind) ? new TextDecoder().decode(answer.bytes) : undefined;
        const content = text === undefined ? answer.bytes : prepare?.(text) ?? text;
        const given = [204, 304].includes(status) ? null : content;
        const response = new Response(given, { status, headers: { "content-type": kind } });
        Object.defineProperty(response, "url", { value: cardwright.page(path) });
        Object.defineProperty(response, "redirected", { value: moved > 0 });
        return response;
      }
      path = answer.head.location;
      [method, body] = ["GET", ""];
    }
    throw new TypeError("led in a circle");
  },
  /** A page is shown: the address says which, and the front page has tools. */
  shown(path, title) {
    if (!visiting) history.replaceState(null, "", `#${path}`);
    document.title = title;
    tools(back.hidden && (path.split("?")[0] === home.split("?")[0] || visiting && path.startsWith("/f/")));
  },
};
globalThis.cardwright = cardwright;

/**
 * One answer of the worker, whole.
 * @param {SiteRequest} request @param {AbortSignal | null} [signal]
 * @returns {Promise<{ head: AnswerHead, bytes: Uint8Array<ArrayBuffer> }>}
 */
function one(request, signal) {
  return new Promise((done, failed) => {
    if (signal?.aborted) { failed(signal.reason); return; }
    /** @type {AnswerHead | undefined} */
    let head;
    /** @type {Uint8Array[]} */
    const parts = [];
    const id = cardwright.ask(request, (part) => {
      if (part.kind === "head") head = part.head;
      else if (part.kind !== "end") parts.push(part.bytes ?? new Uint8Array());
      else if (head) done({ head, bytes: joined(parts) });
      else failed(new TypeError("the answer has no beginning"));
    });
    signal?.addEventListener("abort", () => { cardwright.drop(id); failed(signal.reason); });
  });
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

// Tools of the front page: what a server would do with files.

/** Shows the tools, or hides them. @param {boolean} show */
function tools(show) {
  const bar = $("tools");
  bar.hidden = !show;
  if (show && !bar.firstChild) {
    const about = document.createElement("p");
    about.textContent = visiting
      ? "Your own game, read here and sent nowhere."
      : "Everything runs and is kept in this browser; nothing is sent.";
    bar.append(
      about,
      button("Playground", () => work({})),
      button("Save what you played", () => worker.postMessage({ save: true })),
      file("Restore it", ".json", async (chosen) => {
        const text = await chosen[0].text();
        if (confirm("The file replaces everything that is kept here. Restore it?")) worker.postMessage({ bring: text });
      }),
      ...(visiting ? [
        button("Share this game", () => worker.postMessage({ pack: true })),
        button("Back to this site's game", () => { history.replaceState(null, "", folder); location.reload(); }),
      ] : [
        ...report(bar.dataset.report),
        file("Open your own game or spreadsheet", ".o8g,.zip,.nupkg,.csv,.tsv,.xlsx,image/*", (chosen) => visit([...chosen])),
      ]),
    );
  }
  document.documentElement.style.setProperty("--tools", show ? `${bar.offsetHeight}px` : "0px");
}
addEventListener("resize", () => {
  document.documentElement.style.setProperty("--tools", `${$("tools").offsetHeight}px`);
});

/** The way to the report on this site's game, if it has one. It opens beside the table. @param {string} [address] */
function report(address) {
  if (!address) return [];
  const made = document.createElement("a");
  Object.assign(made, { href: address, target: "_blank", textContent: "Balance report" });
  return [made];
}

/** @param {string} words @param {(() => unknown) | null} act */
function button(words, act) {
  const made = document.createElement("button");
  made.textContent = words;
  made.onclick = act;
  return made;
}

/**
 * A button that takes files of some kinds.
 * @param {string} words @param {string} kinds @param {(files: FileList) => unknown} take
 */
function file(words, kinds, take) {
  const label = document.createElement("label");
  label.className = "file";
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept: kinds, multiple: kinds.includes("image/") });
  input.onchange = () => { if (input.files?.length) take(input.files); input.value = ""; };
  label.append(words, input);
  return label;
}

/** Gives a text away as a file. @param {string} text */
function save(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "cardwright-tables.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The playground comes when somebody wants it.

/** Who waits for which answer of the workshop. @type {Map<number, (answer: WorkshopAnswer) => void>} */
const asking = new Map();
/** The playground, once somebody wants it. @type {ReturnType<typeof import("./playground.js").playground> | undefined} */
let bench;
const back = button("Back to the playground", async () => { (await bench)?.back(); back.hidden = true; });
back.id = "back-to-work";
back.hidden = true;
document.body.append(back);

/**
 * Asks the workshop; what is transferred is the worker's from then on.
 * @param {Omit<WorkshopRequest, "id">} what @param {Transferable[]} [transfer] @returns {Promise<WorkshopAnswer>}
 */
function askWorkshop(what, transfer = []) {
  const id = ++last;
  return new Promise((done) => {
    asking.set(id, done);
    worker.postMessage({ workshop: { id, ...what } }, transfer);
  });
}

/**
 * Finds out whether scripts can be had before they are imported: some browsers never ask again for one whose import has failed.
 * @param {string[]} names
 */
async function there(...names) {
  for (const name of names) {
    const { ok, status } = await fetch(name).catch(() => Response.error());
    if (!ok) throw new Error(status === 409 ? "This page has been updated since you opened it. Load the new version to open this part."
      : "This part of the page cannot be loaded. Are you online?");
  }
}
/** What reads folders. */
async function reader() {
  await there("folder.js");
  return import("./folder.js");
}

/**
 * Opens the playground with a game: the one that is shown if none is given.
 * @param {NonNullable<WorkshopRequest["open"]>} what
 */
async function work(what) {
  const begin = async () => (await there("playground.js", "editor.js"), await import("./playground.js")).playground({
    ask: askWorkshop,
    reader,
    notice,
    share: (archive) => worker.postMessage({ pack: archive }),
    tried() { back.hidden = false; tools(false); },
    // What was tried out is gone with it; the site's own game is there again.
    left() { history.replaceState(null, "", folder); location.reload(); },
  });
  bench ??= begin();
  try { await (await bench).open(what); } catch (fault) {
    bench = undefined;
    notice(/** @type {Error} */ (fault).message);
  }
}

/** A small game of the visitor's own as a link. @param {PackedGame} packed */
async function shared(packed) {
  if (packed.why) { notice(`This game cannot be shared by a link: ${packed.why}.`); return; }
  const dialog = document.createElement("dialog");
  dialog.className = "shared";
  const field = document.createElement("textarea");
  const value = `${packed.name}: a game of mine. Try it:\n${folder.href}${MARK}${packed.letters}`;
  Object.assign(field, { readOnly: true, rows: 6, value });
  field.dataset.share = "";
  field.setAttribute("aria-label", "A link to this game");
  const [send, take] = [button("Share …", null), button("Copy", null)];
  [send.dataset.send, take.dataset.take, take.dataset.done] = ["", "", "Copied."];
  const row = document.createElement("p");
  row.append(send, take, button("Close", () => dialog.remove()));
  dialog.append(field, row);
  document.body.append(dialog);
  dialog.showModal();
  (await import("./assets/share.js")).share(dialog);
}

/** A file that is a spreadsheet, by its name. @param {File} file */
const isSheet = ({ name }) => /\.(csv|tsv|xlsx)$/i.test(name);

/**
 * Opens a game of the visitor's own: an archive, or a spreadsheet with the pictures that were chosen beside it.
 * @param {File[]} chosen
 */
async function visit(chosen) {
  if (bench && (await bench).isChanged() && !confirm("Your changes in the playground are not saved. Open something else?")) return;
  const first = chosen.find(isSheet) ?? chosen[0];
  $("tools").replaceChildren();
  $("tools").hidden = true;
  frame.hidden = true;
  $("cover").hidden = false;
  back.hidden = true;
  $("words").textContent = `Reading ${first.name} …`;
  try {
    const bytes = isSheet(first) ? await drafted(chosen) : new Uint8Array(await first.arrayBuffer());
    worker.postMessage({ visit: bytes }, [bytes.buffer]);
  } catch (fault) { stop(/** @type {Error} */ (fault).message); }
}

/** The archive of a game that is made of a spreadsheet. @param {File[]} chosen */
async function drafted(chosen) {
  const files = await (await reader()).ofPicker(chosen);
  const made = await askWorkshop({ open: { files } });
  if (made.why) throw new Error(`No game can be made of this spreadsheet.\n${made.why}`);
  const packed = await askWorkshop({ bytes: "package" });
  if (packed.why) throw new Error(`The game cannot be packed: ${packed.why}`);
  if (made.remarks.length) notice(made.remarks.join("\n"));
  return packed.bytes;
}
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop" && event instanceof DragEvent && event.dataTransfer) takeDrop(event.dataTransfer);
  });
}

/**
 * What was dropped: a folder goes to the playground, and so does anything while it is open.
 * @param {DataTransfer} transfer
 */
async function takeDrop(transfer) {
  const dropped = [...transfer.files];
  if (!dropped.length) return;
  // Entries can be asked for only while the event lasts.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const folders = entries.filter((entry) => entry.isDirectory);
  try {
    if (folders.length) {
      const read = await reader();
      const inFolders = await Promise.all(folders.map((folder) => read.ofEntry(folder)));
      // A folder among the files is no file itself.
      const beside = dropped.filter(({ name }) => !folders.some((folder) => folder.name === name));
      await work({ files: [...await read.ofPicker(beside), ...inFolders.flat()] });
    } else if (!bench || !(await bench).isShown()) await visit(dropped);
    else if (dropped.some(isSheet)) await work({ files: await (await reader()).ofPicker(dropped) });
    else await work({ archive: new Uint8Array(await dropped[0].arrayBuffer()) });
  } catch (fault) { notice(/** @type {Error} */ (fault).message); }
}
cardwright.takeDrop = takeDrop;

// One tab has the tables: two would play them apart.

function begin() {
  const link = location.hash.startsWith(MARK) ? location.hash.slice(MARK.length) : "";
  const start = () => {
    worker.postMessage({ begin: true, link, play: $("page").dataset.play });
    if (link) return;
    begun = wanted() || home;
    frame.src = `page.html?${begun}`;
  };
  const others = new BroadcastChannel(`cardwright ${folder.href}`);
  if (!navigator.locks) { start(); return; }
  navigator.locks.request(`cardwright ${folder.href}`, { ifAvailable: true }, (lock) => {
    if (!lock) {
      if (link) others.postMessage({ open: link });
      stop(link ? "This game is open in another tab: the link was opened there."
        : "This game is open in another tab. Continue there, or close it and reload this page.");
      return undefined;
    }
    others.onmessage = ({ data }) => { if (data.open) location.hash = MARK + data.open; };
    start();
    return new Promise(() => {});
  }).catch((fault) => {
    // Where a browser blocks what sites keep, it allows no locks either; then two tabs share nothing.
    if (fault?.name === "SecurityError") start();
  });
}
begin();

// The site stays there without a network; a new version waits until it is asked for. On a first visit, what keeps the files
// begins when the table is there: until then the network is the table's.

/** Whether this folder's own script keeps the page. A host may have several games, and a folder above this one another such script. */
const isKept = () => navigator.serviceWorker?.controller?.scriptURL === new URL("offline.js", folder).href;
/** Resolves when it does. */
const kept = new Promise((done) => {
  let was = isKept();
  if (was) done(true);
  navigator.serviceWorker?.addEventListener("controllerchange", () => {
    // Another version has taken over: this page belongs to the one before.
    if (was) location.reload();
    was = isKept();
    if (was) done(true);
  });
});

/** How long a network may take for the files of a first visit. */
const PATIENCE = 300000;
/**
 * Keeps the files of a first visit. It ends when they are kept or cannot be; and when nobody looks any more, since then the
 * browser may stop it at any time, but not the installation that follows.
 */
const keptFirst = () => new Promise((ended) => {
  const keeper = new Worker("offline.js");
  const end = () => ended(keeper.terminate());
  keeper.onmessage = keeper.onerror = end;
  document.addEventListener("visibilitychange", end, { once: true });
  addEventListener("pagehide", end, { once: true });
  setTimeout(end, PATIENCE);
});

let staying = false;
async function stay() {
  if (staying || !("serviceWorker" in navigator) || !isSecureContext) return;
  staying = true;
  try {
    const known = await navigator.serviceWorker.getRegistration().catch(() => undefined);
    if (known?.scope !== folder.href && !document.hidden) await keptFirst();
    const registration = await navigator.serviceWorker.register("offline.js");
    // The browser may have found a new version before this page asked, in this visit or in an earlier one.
    announce(registration.waiting);
    announce(registration.installing);
    registration.addEventListener("updatefound", () => announce(registration.installing));
  } catch (fault) {
    // Nothing is kept; e.g. the page is being left, or the browser keeps nothing of sites.
    console.info(fault);
  }
}

/** Offers a new version once all of its files are there. @param {ServiceWorker | null} fresh */
function announce(fresh) {
  if (!fresh) return;
  const offer = () => {
    if (fresh.state !== "installed" || !isKept()) return;
    const load = button("Load it", () => fresh.postMessage("take over"));
    clearTimeout(quiet);
    $("notice").replaceChildren("A new version of this game is available. ", load);
    $("notice").hidden = false;
  };
  offer();
  fresh.addEventListener("statechange", offer);
}
if (isKept()) stay();
