// Keeps the files of the site, so that it opens without a network. It answers nothing of the game: only the page does.

/** @type {SiteKeeper} */
const site = /** @type {any} */ (self);
/** What the caches of this folder begin with: a host may have several games, or one game in several folders. */
const NAMES = `cardwright ${site.registration.scope} `;
const VERSION = NAMES + "{{VERSION}}";
/** What a visitor plays with: it is kept at once. @type {string[]} */
const FILES = /*FILES*/[];
/** The rest is kept from when something of it was used: free tables, games of the visitor's own, the playground. @type {string[]} */
const MORE = /*MORE*/[];

/** The caches of this folder. */
const own = async () => (await caches.keys()).filter((name) => name.startsWith(NAMES));
/** Whether any version of the rest is kept. */
async function hasMore() {
  for (const name of await own()) if (await (await caches.open(name)).match(MORE[0])) return true;
  return false;
}
async function keepMore() {
  const cache = await caches.open(VERSION);
  for (const file of MORE) if (!await cache.match(file)) await cache.add(new Request(file, { cache: "no-cache" }));
}

site.addEventListener("install", (event) => {
  const keep = async () => {
    const files = await hasMore() ? [...FILES, ...MORE] : FILES;
    await (await caches.open(VERSION)).addAll(files.map((file) => new Request(file, { cache: "reload" })));
  };
  event.waitUntil(keep());
});
site.addEventListener("activate", (event) => {
  const others = async () => {
    for (const name of await own()) if (name !== VERSION) await caches.delete(name);
    await site.clients.claim();
  };
  event.waitUntil(others());
});
site.addEventListener("message", (event) => {
  if (event.data === "take over") site.skipWaiting();
  // Where the network is lost meanwhile, the next use begins it again.
  if (event.data === "keep more") event.waitUntil(keepMore().catch((fault) => console.info(fault)));
});
site.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    // The folder's own address is its page: most visitors have never asked for `index.html`.
    const isHome = event.request.url.split(/[?#]/)[0] === site.registration.scope;
    const had = await cache.match(isHome ? "index.html" : event.request, { ignoreSearch: true });
    // A browser refuses an answer that was led elsewhere, where it wanted a page.
    if (had) return had.redirected ? new Response(had.body, { headers: had.headers }) : had;
    const got = await fetch(event.request);
    // Faces come into the cache when they are first seen.
    if (got.ok && new URL(event.request.url).origin === location.origin) cache.put(event.request, got.clone());
    return got;
  };
  event.respondWith(answer());
});
