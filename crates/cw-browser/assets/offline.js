// Keeps the files of the site, so that it opens without a network. It answers nothing of the game: only the page does.

/** @type {SiteKeeper} */
const site = /** @type {any} */ (self);
/** What the caches of this folder begin with: a host may have several games, or one game in several folders. */
const NAMES = `cardwright ${site.registration.scope} `;
const VERSION = NAMES + "{{VERSION}}";
/** What a visitor plays with, each file with its digest: it is kept at once. @type {Record<string, string>} */
const FILES = /*FILES*/{};
/** The rest is kept from when something of it was used: free tables, games of the visitor's own, the playground. @type {Record<string, string>} */
const MORE = /*MORE*/{};
/** All of them by address. */
const digests = new Map(Object.entries({ ...FILES, ...MORE }).map(([name, digest]) => [new URL(name, site.registration.scope).href, digest]));

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
 * Whether an answer is the file of this version. The host may have a newer one by now, and a cache on the way an older one:
 * parts of two versions do not fit together. Pages are not looked at, since some hosts write something into them.
 * @param {Response} answer
 */
async function isOwn(answer, address = answer.url) {
  const digest = digests.get(fileOf(address));
  if (digest === undefined || address.endsWith(".html")) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.clone().arrayBuffer()));
  return digest === [...found.subarray(0, digest.length / 2)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Loads a file anew; nothing but this version's will do. @param {string} file */
async function fresh(file) {
  const answer = await fetch(new Request(file, { cache: "reload" }));
  if (answer.ok && await isOwn(answer, new URL(file, site.registration.scope).href)) return answer;
  throw new Error(`${file} is not that of this version: ${answer.status}`);
}

/** Keeps files that are not kept yet. @param {string[]} files */
async function keep(files) {
  const cache = await caches.open(VERSION);
  await Promise.all(files.map(async (file) => { if (!await cache.match(file)) await cache.put(file, await fresh(file)); }));
}

site.addEventListener("install", (event) => {
  const all = async () => keep(Object.keys(await hasMore() ? { ...FILES, ...MORE } : FILES));
  event.waitUntil(all());
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
    const isHome = fileOf(request.url) === site.registration.scope;
    const had = await cache.match(isHome ? "index.html" : request, { ignoreSearch: true });
    // A browser refuses an answer that was led elsewhere, where it wanted a page.
    if (had) return had.redirected ? new Response(had.body, { headers: had.headers }) : had;
    const got = await fetch(request);
    if (!got.ok || new URL(request.url).origin !== location.origin) return got;
    // Faces come into the cache when they are first seen.
    const its = await isOwn(got, request.url) ? got : await fresh(fileOf(request.url)).catch(() => undefined);
    if (its) { cache.put(request, its.clone()); return its; }
    // The page says so, and offers the new version once that is here.
    site.registration.update().catch(() => {});
    return new Response("", { status: OTHER_VERSION });
  };
  event.respondWith(answer());
});
