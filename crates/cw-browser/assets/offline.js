// Keeps the files of the site, so that it opens without a network. It answers nothing of the game: only the page does.
//
// It runs as the folder's service worker, and on a first visit before that as a worker of the page, which loads what is to be
// kept and ends: a service worker holds the memory that this takes for as long as somebody plays.

/** @type {SiteKeeper} */
const site = /** @type {any} */ (self);
/** The folder's address. A worker of a page has no registration. */
const folder = site.registration?.scope ?? new URL("./", location.href).href;
/** What the caches of this folder begin with: a host may have several games, or one game in several folders. */
const NAMES = `cardwright ${folder} `;
const VERSION = NAMES + "{{VERSION}}";
/** What a visitor plays with, each file with its digest: it is kept at once. @type {Record<string, string>} */
const FILES = /*FILES*/{};
/** The rest is kept from when something of it was used: free tables, games of the visitor's own, the playground. @type {Record<string, string>} */
const MORE = /*MORE*/{};
/** All digests by address. */
const digests = new Map(Object.entries({ ...FILES, ...MORE }).map(([name, digest]) => [new URL(name, folder).href, digest]));

/** The caches of this folder. */
const own = async () => (await caches.keys()).filter((name) => name.startsWith(NAMES));
/** Whether any version of the rest is kept. */
async function hasMore() {
  const [one] = Object.keys(MORE);
  for (const name of await own()) if (await (await caches.open(name)).match(one)) return true;
  return false;
}

/** An address without what stands behind the file's. @param {string} address */
const fileOf = (address) => address.split(/[?#]/)[0];

/**
 * Loads a file; nothing but this version's will do. The host may have a newer one by now, and a cache on the way an older one:
 * parts of two versions do not fit together. The browser compares the digest, so that no copy of the file stands in this
 * script's memory, and what the page has loaded before need not be loaded again. Pages are not looked at, since some hosts
 * write something into them.
 * @param {string} address
 */
async function its(address) {
  if (address.endsWith(".html")) return fetch(address, { cache: "reload" });
  const integrity = `sha256-${digests.get(address)}`;
  return fetch(address, { integrity }).catch(() => fetch(address, { integrity, cache: "reload" }));
}

/** How many files are loaded at a time to be kept: who plays meanwhile shares the memory and the network. */
const LANES = 3;
/** Keeps files that are not kept yet. @param {string[]} files */
async function keep(files) {
  const cache = await caches.open(VERSION);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const left = files.map((file) => new URL(file, folder).href).filter((address) => !kept.has(address)).values();
  const lane = async () => {
    for (const address of left) {
      const answer = await its(address);
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      await cache.put(address, answer);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Keeps what belongs to a visit; and the rest, where that was kept of an earlier version. */
const keepAll = async () => keep(Object.keys(await hasMore() ? { ...FILES, ...MORE } : FILES));

/** Deletes what other versions have kept. */
async function dropOthers() {
  for (const name of await own()) if (name !== VERSION) await caches.delete(name);
}

// What could not be kept now is asked for again when this script is installed. Where it never is, one version is all that lies
// there.
if (!site.registration) keepAll().then(dropOthers).catch((fault) => console.info(fault)).then(() => postMessage("kept"));

site.addEventListener("install", (event) => event.waitUntil(keepAll()));
site.addEventListener("activate", (event) => event.waitUntil(dropOthers().then(() => site.clients.claim())));
site.addEventListener("message", (event) => {
  if (event.data === "take over") site.skipWaiting();
  // Where the network is lost meanwhile, the next use begins it again.
  if (event.data === "keep more") event.waitUntil(keep(Object.keys(MORE)).catch((fault) => console.info(fault)));
});

/** The status of a file that belongs to another version. */
const OTHER_VERSION = 409;

site.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    // The folder's own address is its page: most visitors have never asked for `index.html`.
    const isHome = fileOf(request.url) === folder;
    const had = await cache.match(isHome ? "index.html" : request, { ignoreSearch: true });
    // A browser refuses an answer that was led elsewhere, where it wanted a page.
    if (had) return had.redirected ? new Response(had.body, { headers: had.headers }) : had;
    const address = fileOf(request.url);
    if (!digests.has(address)) return fetch(request);
    const got = await its(address).catch(async () => {
      // Another version's file is there, or none: only that tells.
      const { ok } = await fetch(address, { method: "HEAD", cache: "reload" });
      if (ok) site.registration?.update().catch(() => {});
      // The page says so, and offers the new version once that is here.
      return new Response("", { status: ok ? OTHER_VERSION : 404 });
    });
    if (got.ok) cache.put(address, got.clone());
    return got;
  };
  event.respondWith(answer());
});
