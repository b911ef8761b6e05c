// A list of very many cards of which only those in sight are on the page. The list is as high as if all were there, so the
// page scrolls as ever; cards come by the chunk, and each stands at its place in the list whenever it comes.
//
// Without scripts the first cards stand in a plain grid, with links to the others.

/** Cards that are asked for at once. */
const CHUNK = 48;
/** Rows that are ready above and below those in sight. */
const AHEAD = 3;
/** Answers that are waited for at a time: who scrolls far wants those in sight, not all on the way. */
const AT_ONCE = 2;
/** Chunks that are kept. */
const KEPT = 60;
/** Faster than so many pixels in a millisecond nobody sees what is on a card: it stands there when the list is slower
 * than the second. Between both nothing changes, so that a frame that takes long does not end it. */
const FAST = 2.5, SLOW = 1;
/** Cards out of sight that are put there in one frame: a row of them at once would be felt. */
const AHEAD_AT_ONCE = 1;
/** After so many milliseconds without a step the list has come to rest. */
const REST = 90;

/** @typedef {{ list: HTMLElement, least?: number, most?: number, added?: (item: HTMLElement) => void }} WindowOptions */

/** Shows a list as a window. Only one is shown at a time. */
export class CardWindow {
  /** @type {HTMLElement} */ #list;
  #count = 0;
  /** The address of rows, with what is looked for. */
  #rows = "";
  /** The markup of each chunk that came, or nothing while it is on its way. @type {Map<number, string[] | null>} */
  #chunks = new Map();
  /** What is on the page, by its place in the list. @type {Map<number, HTMLElement>} */
  #shown = new Map();
  #waiting = 0;
  #columns = 1;
  #cell = { width: 0, height: 0, gap: 16 };
  #frame = 0;
  #age = 0;
  /** Where the page was scrolled to last, and when. */
  #last = { y: scrollY, at: performance.now() };
  #rest = 0;
  #isFast = false;
  #options;
  #observer = new ResizeObserver(() => this.#measure());
  #abort = new AbortController();

  /** @param {WindowOptions} options */
  constructor(options) {
    this.#options = options;
    this.#list = options.list;
    const { signal } = this.#abort;
    addEventListener("scroll", () => this.#soon(), { passive: true, signal, capture: true });
    this.take(options.list);
  }

  get count() { return this.#count; }

  /** Nothing is shown any more by this window. */
  end() {
    this.#abort.abort();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  /** Takes the place of another search's list: `list` holds its first cards. */
  take(/** @type {HTMLElement} */ list) {
    this.#age += 1;
    this.#waiting = 0;
    this.#chunks.clear();
    this.#shown.clear();
    this.#list = list;
    list.addEventListener("keydown", (event) => this.#walk(event), { signal: this.#abort.signal });
    this.#count = Number(list.dataset.count);
    this.#rows = list.dataset.rows ?? "";
    const first = Number(list.dataset.first ?? 0);
    const items = [...list.children].map((item) => item.outerHTML);
    if (first === 0) this.#chunks.set(0, items);
    list.replaceChildren();
    list.classList.add("live");
    this.#observer.disconnect();
    this.#observer.observe(list);
    this.#measure();
  }

  /** Which card is at the top of what is in sight. */
  get top() { return Math.max(0, this.#row(-this.#list.getBoundingClientRect().top)) * this.#columns; }

  /** Scrolls to a card by its place. */
  scrollTo(/** @type {number} */ at) {
    const above = this.#list.getBoundingClientRect().top + scrollY;
    const row = Math.floor(at / this.#columns);
    if (row > 0) scrollTo({ top: above + row * (this.#cell.height + this.#cell.gap), behavior: "instant" });
  }

  #row(/** @type {number} */ y) { return Math.floor(y / (this.#cell.height + this.#cell.gap)); }

  #measure() {
    const width = this.#list.clientWidth;
    if (!width) return;
    const least = this.#options.least ?? (width < 500 ? 140 : 180);
    const gap = width < 500 ? 10 : 16;
    const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
    const each = Math.min((width - gap * (columns - 1)) / columns, this.#options.most ?? 320);
    const top = this.top;
    const changed = columns !== this.#columns;
    this.#columns = columns;
    this.#cell = { width: each, height: each * 88 / 63, gap };
    const rows = Math.ceil(this.#count / columns);
    this.#list.style.height = `${Math.max(0, rows * (this.#cell.height + gap) - gap)}px`;
    this.#list.style.setProperty("--card", `${each}px`);
    for (const [at, item] of this.#shown) this.#place(item, at);
    if (changed && top > 0) this.scrollTo(top);
    this.#show();
  }

  #soon() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const [y, at] = [scrollY, performance.now()];
      // A leap from rest is no pace: its cards are wanted at once.
      const time = Math.max(at - this.#last.at, 1);
      this.#isFast = Math.abs(y - this.#last.y) > (this.#isFast ? SLOW : FAST) * time && time < REST;
      this.#last = { y, at };
      clearTimeout(this.#rest);
      if (this.#isFast) this.#rest = setTimeout(() => { this.#isFast = false; this.#show(); }, REST);
      this.#show(this.#isFast);
    });
  }

  /** The places from the first to the one behind the last in sight, with so many rows above and below. */
  #sight(ahead = AHEAD) {
    const top = -this.#list.getBoundingClientRect().top;
    const first = Math.max(0, this.#row(top) - ahead) * this.#columns;
    const last = (this.#row(top + innerHeight) + 1 + ahead) * this.#columns;
    return [Math.min(first, this.#count), Math.min(Math.max(last, 0), this.#count)];
  }

  #place(/** @type {HTMLElement} */ item, /** @type {number} */ at) {
    const [row, column] = [Math.floor(at / this.#columns), at % this.#columns];
    const { width, height, gap } = this.#cell;
    item.style.translate = `${column * (width + gap)}px ${row * (height + gap)}px`;
  }

  /** Puts on the page what is in sight; while the list flies past, empty places instead of cards that were not there. */
  #show(isFast = false) {
    const [from, to] = this.#sight();
    const [seen, unseen] = this.#sight(0);
    let ahead = AHEAD_AT_ONCE, isMore = false;
    const held = this.#list.contains(document.activeElement) ? document.activeElement?.closest("li") : null;
    for (const [at, item] of this.#shown) {
      // What the keyboard stands at stays.
      if ((at < from || at >= to) && item !== held) { item.remove(); this.#shown.delete(at); }
    }
    const missing = new Set();
    for (let at = from; at < to; at += 1) {
      const known = this.#shown.get(at);
      const chunk = Math.floor(at / CHUNK);
      const markup = isFast ? undefined : this.#chunks.get(chunk)?.[at - chunk * CHUNK];
      if (!markup && !isFast && !this.#chunks.get(chunk)) missing.add(chunk);
      if (known && (!markup || !known.classList.contains("coming"))) continue;
      if (markup && (at < seen || at >= unseen) && (ahead -= 1) < 0) { isMore = true; continue; }
      const item = /** @type {HTMLElement} */ (markup
        ? Object.assign(document.createElement("template"), { innerHTML: markup }).content.firstElementChild
        : Object.assign(document.createElement("li"), { className: "coming" }));
      item.setAttribute("aria-setsize", String(this.#count));
      item.setAttribute("aria-posinset", String(at + 1));
      item.dataset.at = String(at);
      this.#place(item, at);
      if (known) known.replaceWith(item); else this.#insert(item, at);
      this.#shown.set(at, item);
      if (markup) this.#options.added?.(item);
    }
    if (isMore) this.#soon();
    for (const chunk of missing) if (this.#waiting < AT_ONCE && !this.#chunks.has(chunk)) this.#ask(chunk);
  }

  /** Items stand in the order of the list, for those who go through them by keyboard or hear them. */
  #insert(/** @type {HTMLElement} */ item, /** @type {number} */ at) {
    let next = null;
    for (const [other, shown] of this.#shown) if (other > at && (!next || other < next[0])) next = /** @type {[number, HTMLElement]} */ ([other, shown]);
    this.#list.insertBefore(item, next?.[1] ?? null);
  }

  async #ask(/** @type {number} */ chunk) {
    const age = this.#age;
    this.#waiting += 1;
    this.#chunks.set(chunk, null);
    let items = null;
    try {
      const answer = await fetch(`${this.#rows}&from=${chunk * CHUNK}&many=${CHUNK}`);
      if (answer.ok) items = [...Object.assign(document.createElement("template"), { innerHTML: await answer.text() }).content.children].map((item) => item.outerHTML);
    } catch { /* it is asked for again when it is in sight */ }
    if (age !== this.#age) return;
    this.#waiting -= 1;
    if (items) {
      this.#chunks.delete(chunk);
      this.#chunks.set(chunk, items);
      for (const old of this.#chunks.keys()) if (this.#chunks.size > KEPT && old !== chunk) this.#chunks.delete(old);
      this.#show();
    } else {
      setTimeout(() => { if (age === this.#age) { this.#chunks.delete(chunk); this.#soon(); } }, 2000);
    }
  }

  /** Arrows go from card to card, also to those that are not on the page yet. */
  #walk(/** @type {KeyboardEvent} */ event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns, ArrowUp: -this.#columns, Home: -this.#count, End: this.#count };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    if (!step || !item || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = Math.min(Math.max(Number(item.dataset.at) + step, 0), this.#count - 1);
    const go = (/** @type {number} */ tries) => {
      const wanted = this.#shown.get(at)?.querySelector("a, button");
      if (wanted) { wanted.focus(); wanted.scrollIntoView({ block: "nearest" }); return; }
      if (!tries) return;
      if (!this.#shown.has(at)) this.scrollTo(at);
      setTimeout(() => go(tries - 1), 50);
    };
    go(40);
  }
}
