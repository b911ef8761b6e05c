// Keeps the files of the site, so that it opens without a network. It answers nothing of the game: only the page does.

const VERSION = "{{VERSION}}";
/** @type {string[]} */
const FILES = /*FILES*/[];
/** @type {SiteKeeper} */
const site = /** @type {any} */ (self);

site.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});
site.addEventListener("activate", (event) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name !== VERSION && name.startsWith("{{NAMES}}")) await caches.delete(name);
    await site.clients.claim();
  };
  event.waitUntil(others());
});
site.addEventListener("message", (event) => { if (event.data === "take over") site.skipWaiting(); });
site.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    const had = await cache.match(event.request, { ignoreSearch: true });
    if (had) return had;
    const got = await fetch(event.request);
    // Faces come into the cache when they are first seen.
    if (got.ok && new URL(event.request.url).origin === location.origin) cache.put(event.request, got.clone());
    return got;
  };
  event.respondWith(answer());
});
