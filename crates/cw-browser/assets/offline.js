// Keeps the files of the site, so that it opens without a network. It answers nothing of the game: only the page does.

/** @type {SiteKeeper} */
const site = /** @type {any} */ (self);
/** What the caches of this folder begin with: a host may have several games, or one game in several folders. */
const NAMES = `cardwright ${site.registration.scope} `;
const VERSION = NAMES + "{{VERSION}}";
/** @type {string[]} */
const FILES = /*FILES*/[];

site.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});
site.addEventListener("activate", (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name !== VERSION && name.startsWith(NAMES)) await caches.delete(name);
    await site.clients.claim();
  };
  event.waitUntil(others());
});
site.addEventListener("message", (event) => { if (event.data === "take over") site.skipWaiting(); });
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
