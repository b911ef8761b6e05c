// What stands around the page: it starts the worker that holds the game, and gives the page in the frame what a server
// would give. Nothing of what is played leaves this browser.

const $ = (/** @type {string} */ id) => document.getElementById(id);
const folder = new URL("./", location.href);
const frame = /** @type {HTMLIFrameElement} */ ($("page"));

/** Files that stand for addresses: `/face/3/small.svg` may lie under `face/3/small.svg`. @type {Record<string, string>} */
let files = {};
/** Who waits for which answer. @type {Map<number, (frame: {kind: string, head?: any, bytes?: Uint8Array}) => void>} */
const waiting = new Map();
let last = 0;
/** The game of this folder was put aside for one of the visitor's own. */
let visiting = false;
let entry = "/front/";

const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => heard(data);
worker.onerror = () => stop("The table has broken. What was played is kept in this browser: load the page again to go on.");

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
  else if (data.again) location.reload();
  else if (data.broken) stop("The table has broken. What was played is kept in this browser: load the page again to go on.");
}

/** Nothing can be played: these words say why, and what to do. */
function stop(words) {
  frame.hidden = true;
  $("tools").hidden = true;
  $("cover").hidden = false;
  $("cover").classList.add("stopped");
  $("words").textContent = words;
  const again = document.createElement("button");
  again.textContent = "Load the page again";
  again.onclick = () => location.reload();
  $("more").replaceChildren(again);
}

let quiet = 0;
function notice(words) {
  $("notice").textContent = words;
  $("notice").hidden = false;
  clearTimeout(quiet);
  quiet = setTimeout(() => { $("notice").hidden = true; }, 9000);
}

function opened(about) {
  entry = about.entry;
  visiting = about.visiting;
  if (visiting) files = Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith("/assets/") && path !== "/assets/cards.css"));
  document.title = about.name;
  frame.title = about.name;
  for (const words of about.remarks.slice(0, 3)) notice(words);
  const wanted = location.hash.startsWith("#/") && !visiting ? location.hash.slice(1) : "";
  $("cover").hidden = true;
  frame.hidden = false;
  // The way in gives the page its keys; then it goes where the link leads.
  cardwright.fetch(entry).then((answer) => {
    const way = new URL(answer.url).search.slice(1);
    frame.src = `page.html?${wanted || way}`;
    home = way;
  }, () => stop("The table cannot be shown."));
}

/** Where *Home* is. */
let home = "/front/";

/** What the page in the frame asks for. It is found there as `parent.cardwright`. */
const cardwright = {
  folder,
  /** The file that stands for an address, or nothing. */
  file: (path) => (Object.hasOwn(files, path) ? new URL(files[path], folder).href : undefined),
  /** Pictures that the worker drew, by address: one for all pages. @type {Map<string, Promise<string>>} */
  drawn: new Map(),
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
  async fetch(path, { method = "GET", headers = {}, body = "", signal, prepare = (text) => text } = {}) {
    for (let moved = 0; moved < 8; moved += 1) {
      const answer = await one(path, method, headers, body, signal);
      if (!answer.head.location) {
        const { status, kind } = answer.head;
        const isText = /^(text|application\/json)/.test(kind);
        const content = isText ? prepare(new TextDecoder().decode(answer.bytes)) : answer.bytes;
        const response = new Response([204, 304].includes(status) ? null : content, { status, headers: { "content-type": kind } });
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
    tools(path.split("?")[0] === home.split("?")[0] || visiting && path.startsWith("/f/"));
  },
};
globalThis.cardwright = cardwright;

function one(path, method, headers, body, signal) {
  return new Promise((done, failed) => {
    if (signal?.aborted) { failed(signal.reason); return; }
    let head;
    const parts = [];
    const id = cardwright.ask({ method, path, headers: Object.entries(headers), body }, (part) => {
      if (part.kind === "head") head = part.head;
      else if (part.kind === "part") parts.push(part.bytes);
      else done({ head, bytes: joined(parts) });
    });
    signal?.addEventListener("abort", () => { cardwright.drop(id); failed(signal.reason); });
  });
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}

// Tools of the front page: what a server would do with files.

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
      button("Save what was played", () => worker.postMessage({ save: true })),
      file("Bring it back", ".json", async (chosen) => worker.postMessage({ bring: await chosen[0].text() })),
      visiting ? button("Back to this site's game", () => location.reload())
        : file("Open your own game (.o8g)", ".o8g,.zip,.nupkg", (chosen) => visit(chosen[0])),
    );
  }
  document.documentElement.style.setProperty("--tools", show ? `${bar.offsetHeight}px` : "0px");
}
addEventListener("resize", () => document.documentElement.style.setProperty("--tools", `${$("tools").offsetHeight}px`));

function button(words, act) {
  const made = document.createElement("button");
  made.textContent = words;
  made.onclick = act;
  return made;
}

function file(words, kinds, take) {
  const label = document.createElement("label");
  label.className = "file";
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept: kinds });
  input.onchange = () => { if (input.files?.length) take(input.files); input.value = ""; };
  label.append(words, input);
  return label;
}

function save(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "cardwright-tables.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Opens a game of the visitor's own: an archive, or the files of a folder. */
async function visit(archive) {
  const bytes = new Uint8Array(await archive.arrayBuffer());
  $("tools").replaceChildren();
  $("tools").hidden = true;
  frame.hidden = true;
  $("cover").hidden = false;
  $("words").textContent = `Reading ${archive.name} …`;
  worker.postMessage({ visit: bytes }, [bytes.buffer]);
}
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    const dropped = event instanceof DragEvent ? event.dataTransfer?.files[0] : undefined;
    if (kind === "drop" && dropped) visit(dropped);
  });
}
cardwright.visit = visit;

// One tab has the tables: two would play them apart.

async function begin() {
  try {
    files = await (await fetch("files.json")).json();
  } catch { stop("This page cannot reach its own files. Is the network there?"); return; }
  const start = () => worker.postMessage({ begin: true });
  if (!navigator.locks) { start(); return; }
  navigator.locks.request(`cardwright ${folder.href}`, { ifAvailable: true }, (lock) => {
    if (!lock) { stop("This game is open in another tab. Go on there, or close it and load this page again."); return undefined; }
    start();
    return new Promise(() => {});
  });
}
begin();

// The site stays there without a network; a new version waits until it is asked for.
if ("serviceWorker" in navigator && isSecureContext) {
  navigator.serviceWorker.register("offline.js").then((registration) => {
    registration.addEventListener("updatefound", () => {
      const fresh = registration.installing;
      fresh?.addEventListener("statechange", () => {
        if (fresh.state !== "installed" || !navigator.serviceWorker.controller) return;
        $("notice").replaceChildren("A new version of this game is there. ", button("Load it", () => fresh.postMessage("take over")));
        $("notice").hidden = false;
      });
    });
  }, () => {});
  const had = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (had) location.reload(); });
}
