// The transport of a static site's page: what a page asks of its server, it asks of the worker around it. Everything else
// of the page is as it would be on a server.

const site = parent.cardwright;
// A browser that brings a visit back may begin with this page: the one around it opens it anew when it is ready.
if (!site) await new Promise(() => {});
const folder = site.folder.href;
const path = location.search.slice(1) || "/front/";

/** The address that a server would know: of a relative one, an absolute one, or one below this folder. */
function pathOf(/** @type {string | URL} */ address) {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) return undefined;
  const rest = url.href.startsWith(folder) ? `/${url.href.slice(folder.length)}` : url.pathname + url.search;
  const shown = rest.match(/^\/page\.html\?(.*)/);
  return (shown ? shown[1] : rest).replace(/#.*/s, "");
}

const DRAWN = /(\s)(src|href)=(\\?")(\/(?:assets|face|picture|back|marker|free\/(?:face|back|marker|board|background))(?:\/[^"\\]*)?)\3/g;

/** The same of an address that is known to be a server's. */
const own = (/** @type {string | URL} */ address) => /** @type {string} */ (pathOf(address));

/** A text of the server, so that pictures, styles and scripts come from this folder, or later from the worker. */
function prepared(/** @type {string} */ text) {
  return text.replace(DRAWN, (/** @type {string[]} */ ...[, blank, name, quote, address]) => {
    const file = site.file(address);
    return file ? `${blank}${name}=${quote}${file}${quote}` : `${blank}data-drawn=${quote}${address}${quote}`;
  });
}

/** @type {(address: string | URL, more?: RequestInit) => Promise<Response>} */
const ask = (address, { method, headers, body, signal } = {}) => {
  const sent = body instanceof FormData || body instanceof URLSearchParams ? new URLSearchParams(/** @type {any} */ (body)).toString() : /** @type {string} */ (body ?? "");
  /** @type {Record<string, string>} */
  const kind = body instanceof FormData || body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {};
  return site.fetch(own(address), { method, body: sent, signal, prepare: prepared, headers: { ...kind, ...Object.fromEntries(new Headers(headers)) } });
};
globalThis.fetch = /** @type {any} */ (ask);

/** As the browser's own, of the worker. */
/** Streams that are open: a page that is left ends them, as a browser would. @type {Set<WorkerStream>} */
const streams = new Set();
function leave() { for (const one of streams) one.close(); }

class WorkerStream extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  readyState = 0;
  onopen = null; onmessage = null; onerror = null;
  #address; #id = 0; #last = ""; #retry = 1000; #rest = "";

  constructor(/** @type {string | URL} */ address) {
    super();
    streams.add(this);
    this.#address = own(address);
    this.#tune();
  }

  close() {
    this.readyState = 2;
    streams.delete(this);
    site.drop(this.#id);
  }

  #say(/** @type {Event} */ event) {
    /** @type {any} */ (this)[`on${event.type}`]?.(event);
    this.dispatchEvent(event);
  }

  #tune() {
    const decoder = new TextDecoder();
    const headers = this.#last ? [["last-event-id", this.#last]] : [];
    this.#rest = "";
    this.#id = site.ask({ method: "GET", path: this.#address, headers }, (part) => {
      if (this.readyState === 2) return;
      if (part.kind === "head") {
        if (part.head?.status === 200) { this.readyState = 1; this.#say(new Event("open")); } else { this.readyState = 2; this.#say(new Event("error")); }
      } else if (part.kind === "part") this.#read(decoder.decode(part.bytes, { stream: true }));
      else {
        this.readyState = 0;
        this.#say(new Event("error"));
        setTimeout(() => { if (this.readyState === 0) this.#tune(); }, this.#retry);
      }
    });
  }

  #read(/** @type {string} */ text) {
    const messages = (this.#rest + text).split("\n\n");
    this.#rest = messages.pop() ?? "";
    for (const message of messages) {
      let [kind, data] = ["message", ""];
      for (const line of message.split("\n")) {
        const [name, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).replace(/^ /, "")];
        if (name === "event") kind = value;
        else if (name === "data") data += (data ? "\n" : "") + value;
        else if (name === "id") this.#last = value;
        else if (name === "retry") this.#retry = Number(value);
      }
      if (data) this.#say(new MessageEvent(kind, { data: prepared(data), lastEventId: this.#last }));
    }
  }
}
globalThis.EventSource = /** @type {any} */ (WorkerStream);

const replaceState = history.replaceState.bind(history);
history.replaceState = (state, unused, address) => {
  const shown = address && pathOf(address);
  replaceState(state, unused, shown ? site.page(shown) : undefined);
  if (shown) site.shown(shown, document.title);
};

// Pictures that no file stands for come from the worker, when they are seen.

/** The address under which the browser shows what the worker drew. */
function drawn(/** @type {string} */ address) {
  if (!site.drawn.has(address)) {
    // The address is of the page around this one, since it serves the pages that come after this one, too.
    const keeps = /** @type {Window & typeof globalThis} */ (parent).URL;
    site.drawn.set(address, site.fetch(address).then(async (answer) => (answer.ok ? keeps.createObjectURL(await answer.blob()) : "")));
  }
  return site.drawn.get(address);
}

async function draw(/** @type {HTMLElement} */ element) {
  const address = element.dataset.drawn ?? "";
  const url = await drawn(address);
  if (element.dataset.drawn !== address || !url) return;
  if (element instanceof HTMLLinkElement) element.href = url;
  else sourceOf.set?.call(element, url);
}

const sourceOf = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src"));
Object.defineProperty(HTMLImageElement.prototype, "src", {
  ...sourceOf,
  set(value) {
    const text = String(value);
    if (!text.startsWith("/")) { sourceOf.set?.call(this, text); return; }
    const file = site.file(text);
    if (file) { delete this.dataset.drawn; sourceOf.set?.call(this, file); return; }
    this.dataset.drawn = text;
    see(this);
  },
});

const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) { near.unobserve(target); draw(/** @type {HTMLElement} */ (target)); }
}, { rootMargin: "300px" });
const see = (/** @type {HTMLElement & {loading?: string}} */ element) => { if (element.loading === "lazy" && element.isConnected) near.observe(element); else draw(element); };

function watch() {
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") { const shown = /** @type {HTMLElement} */ (target); if (shown.dataset.drawn) see(shown); continue; }
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches("[data-drawn]")) see(/** @type {HTMLElement} */ (node));
        for (const inner of node.querySelectorAll("[data-drawn]")) see(inner);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-drawn"] });
}

// Links and forms.

const go = (/** @type {string} */ wanted) => { location.href = site.page(wanted); };

function follow() {
  addEventListener("pagehide", leave);
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const wanted = link.href.startsWith("blob:") ? undefined : pathOf(link.href);
    if (wanted === undefined) return;
    event.preventDefault();
    if (link.hash && wanted === pathOf(location.href)) { document.getElementById(link.hash.slice(1))?.scrollIntoView(); return; }
    if (link.hasAttribute("download") || /record(\.json)?$/.test(wanted)) take(wanted, link.download); else go(wanted);
  });
  addEventListener("submit", async (event) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLFormElement) || event.target.method === "dialog") return;
    event.preventDefault();
    const form = event.target;
    const sent = new FormData(form, event.submitter);
    const wanted = own(event.submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href);
    if (form.method !== "post") { go(`${wanted}?${new URLSearchParams(/** @type {any} */ (sent))}`); return; }
    const answer = await ask(wanted, { method: "POST", body: sent });
    if (!answer.redirected) { show(await pageOf(answer)); return; }
    site.carry(new URL(answer.url).search.slice(1), await answer.text());
    location.href = answer.url;
  });
  // Files that are dropped here are for the page around this one; a picture of the page is no file of the visitor's.
  let isOwn = false;
  addEventListener("dragstart", () => { isOwn = true; });
  addEventListener("dragend", () => { isOwn = false; });
  for (const kind of ["dragover", "drop"]) {
    addEventListener(kind, (event) => {
      const transfer = event instanceof DragEvent ? event.dataTransfer : null;
      if (isOwn || !transfer?.types.includes("Files")) return;
      event.preventDefault();
      if (kind === "drop") site.takeDrop?.(transfer);
    });
  }
  globalThis.open = (address) => { take(own(String(address)), "", true); return null; };
}

/** A file of the worker, saved or shown beside the page. */
async function take(/** @type {string} */ wanted, name = "", shown = false) {
  const answer = await site.fetch(wanted);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  if (shown) link.target = "_blank"; else link.download = name || (wanted.split("/").pop() ?? "");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function show(/** @type {string} */ html) {
  leave();
  document.open();
  follow();
  watch();
  // A page says below which address its own ones are; one that does not has none.
  document.write(html.replace(/<base href="\/([^"]*)"/, (/** @type {string} */ _, /** @type {string} */ below) => `<base href="${folder}${below}"`));
  document.close();
  site.shown(own(location.href), document.title);
}

/** The page of an answer; one that is only words, of the worker's own, becomes one. @param {Response} answer */
async function pageOf(answer) {
  const text = await answer.text();
  if (!answer.headers.get("content-type")?.startsWith("text/plain")) return text;
  const words = new Option(text).innerHTML;
  return prepared(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">`
    + `<base href="/"><title>${words}</title><link rel="stylesheet" href="/assets/table.css">`
    + `<main class="message"><h1>Not here yet</h1><p>${words}</p><p><a href="front/">Back to the front page</a></p></main>`);
}

await site.ready;
const carried = site.carried(path);
if (carried === undefined) {
  const answer = await ask(path);
  if (answer.redirected) replaceState(null, "", answer.url);
  show(await pageOf(answer));
} else show(prepared(carried));
