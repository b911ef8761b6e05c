// The table's page: sends its own forms, swaps the regions that changed, and adds what a page
// without scripts lacks: keyboard, dragging, enlarged cards, motion and sound. It decides nothing.

import { bind, reveal, verify } from "./shuffle.js";

/** @typedef {{number: number, more: boolean, swap: [string, string, string][], gone: string[],
 *   effects: {kind: string, at: string, by: number, from?: string}[], fight?: number, ended?: string, aloud: string, reload?: boolean}} Frame */

const $ = (/** @type {string} */ id) => document.getElementById(id);
const base = document.baseURI;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const say = { lost: document.body.dataset.sayLost, again: document.body.dataset.sayAgain, dead: document.body.dataset.sayDead,
  changed: document.body.dataset.sayChanged, turn: document.body.dataset.sayTurn, silent: document.body.dataset.saySilent, unread: document.body.dataset.sayUnread };
const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not allowed to */ } };
const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };

/** No answer takes longer than this on a network that works. */
const PATIENCE = 5000;
/** How the page asks for anything: no request waits for ever. */
const request = (address, patience = PATIENCE, more) => fetch(new URL(address, base), { headers: { "x-table": "1" }, signal: AbortSignal.timeout(patience), ...more });
/** What stands at an address; nothing, and why is said, if it does not come. */
async function pageAt(address) {
  try {
    const answer = await request(address);
    if (answer.ok) return await answer.text();
  } catch { notice(say.unread); }
  return "";
}

// --- Theme -------------------------------------------------------------------------------------
const THEMES = ["dark", "light"], TEXTS = ["large", "largest"];
function dress() {
  const { classList } = document.documentElement;
  const [theme, text] = [recall("theme"), recall("text")];
  for (const name of [...THEMES, ...TEXTS]) classList.toggle(name, name === theme || name === text);
}
dress();

// --- Sound: what lies and moves on the table, and what happens to it; each as loud as its reader likes ---
let audio = null;
let masters = {};
let voices = 0;
const volume = (of) => Number(recall(of) ?? 60) / 100;
const sounding = () => (recall("sound") ?? "on") === "on";
/** Sound begins with the first click or key: browsers want that. */
function listen() {
  if (!sounding()) { audio?.close(); audio = null; return; }
  if (!audio) {
    audio = new AudioContext();
    for (const of of ["volume-table", "volume"]) (masters[of] = audio.createGain()).connect(audio.destination);
    voices = 0;
  }
  for (const of in masters) masters[of].gain.value = volume(of);
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { if (!audio && sounding()) listen(); }, true);
function sound(kind, by = 0) {
  if (!audio || voices > 1) return;
  const now = audio.currentTime;
  const tone = (frequency, at, length, type = "triangle", loud = 0.12) => {
    const wave = audio.createOscillator(), gain = audio.createGain();
    wave.type = type;
    wave.frequency.value = frequency;
    gain.gain.setValueAtTime(loud, now + at);
    gain.gain.exponentialRampToValueAtTime(0.001, now + at + length);
    wave.connect(gain).connect(masters[kind === "card" || kind === "sp" || kind === "turn" ? "volume-table" : "volume"]);
    wave.start(now + at);
    wave.stop(now + at + length);
    voices += 1;
    wave.onended = () => { voices -= 1; };
  };
  if (kind === "card") tone(620, 0, 0.05, "square", 0.04);
  if (kind === "sp") { tone(by < 0 ? 520 : 390, 0, 0.09); tone(by < 0 ? 390 : 520, 0.09, 0.12); }
  if (kind === "turn") tone(330, 0, 0.25, "sine", 0.06);
  if (kind === "hit" || kind === "blow" || kind === "hp") tone(Math.max(60, 240 - Math.abs(by) / 8), 0, 0.18, "sawtooth", 0.1);
  if (kind === "ko") tone(62, 0, 0.4, "sine", 0.3);
  if (kind === "win") [392, 494, 587].forEach((pitch, at) => tone(pitch, at * 0.14, 0.3));
}

// --- Motion: first, last, invert, play ------------------------------------------------------------
const places = () => {
  const found = new Map();
  // To ask where cards lie costs a layout.
  if (calm.matches) return found;
  for (const card of document.querySelectorAll(".table [data-card]")) {
    if (card.closest("[popover]")) continue;
    found.set(card.dataset.card, card.getBoundingClientRect());
  }
  return found;
};

function glide(before, fallen) {
  if (calm.matches) return;
  for (const card of document.querySelectorAll(".table [data-card]")) {
    const from = before.get(card.dataset.card);
    before.delete(card.dataset.card);
    if (!from || card.closest("[popover]") || card.dataset.card === drag?.key) continue;
    const to = card.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.abs(x) + Math.abs(y) < 2 || !to.width) continue;
    card.animate(
      [{ translate: `${x}px ${y}px`, scale: String(from.width / to.width), zIndex: 7 }, { translate: "0 0", scale: "1", zIndex: 7 }],
      { duration: 180, easing: "ease-out" });
  }
  for (const [key, { node, rect }] of fallen) {
    if (document.querySelector(`.table [data-card="${key}"]:not([popover] *)`)) continue;
    node.className = "card ghost";
    node.removeAttribute("form");
    Object.assign(node.style, { left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px` });
    document.body.append(node);
    setTimeout(() => node.remove(), 300);
  }
}

/** Whose turn begins, in large letters for a moment, and why the last one is over if nobody has ended it. */
function announce({ effects, ended }) {
  const turn = effects.find(({ kind }) => kind === "turn");
  const words = turn && $("ribbon")?.querySelector(".whose")?.textContent.replace(/^\W+/, "");
  document.querySelector(".banner")?.remove();
  if (!words || !speed() || document.querySelector("#prompt .result")) return;
  const banner = document.createElement("div");
  banner.className = `banner ${turn.at}`;
  banner.setAttribute("aria-hidden", "true");
  for (const [name, text] of [["b", words], ["small", ended]]) {
    if (!text) continue;
    const line = document.createElement(name);
    line.textContent = text;
    banner.append(line);
  }
  (document.querySelector(".felt") ?? document.body).append(banner);
  setTimeout(() => banner.remove(), (ended ? 2200 : 1100) * Math.max(.5, speed()));
}
/** The title of the tab says when the seat is asked. */
const title = document.title;
function entitle() {
  document.title = asksNow() && !document.querySelector("#prompt .result") && say.turn ? `${say.turn} · ${title}` : title;
}

/** The end of a duel is a moment of its own, and then the page that tells how it went. */
function finish() {
  const result = document.querySelector("#prompt .result");
  if (!result || !$("ending")) return;
  const long = calm.matches ? Math.min(1, speed()) * 500 : Math.min(1.2, speed()) * 1200;
  const fanfare = document.createElement("div");
  fanfare.className = "fanfare";
  fanfare.dataset.won = result.dataset.won ?? "";
  fanfare.textContent = result.textContent;
  fanfare.setAttribute("aria-hidden", "true");
  if (long) document.body.append(fanfare);
  const tell = () => {
    if (!fanfare.parentNode && long) return;
    fanfare.remove();
    if (!$("ending") || document.querySelector("[popover]:popover-open")) return;
    $("ending").showPopover();
    // Who plays with keys stands in the dialog, at what comes next.
    $("ending").querySelector(".again :is(.go, button):not([hidden])")?.focus({ preventScroll: true });
  };
  if (!long) { queueMicrotask(tell); return; }
  setTimeout(tell, long);
  for (const kind of ["pointerdown", "keydown"]) fanfare.ownerDocument.addEventListener(kind, tell, { once: true });
}

/** What the choices of the duel cost comes after its end, when the computer has looked through them. */
let reviewed = "", asksForReview = false;
async function review() {
  const place = document.querySelector("[data-review]");
  if (!place || place.dataset.done || asksForReview) return;
  asksForReview = true;
  try {
    while (!reviewed) {
      const answer = await request(place.dataset.review);
      if (answer.status === 200) reviewed = await answer.text();
      else if (answer.ok || answer.status === 429 || answer.status === 503) await new Promise((go) => setTimeout(go, 1000));
      else break;
      if (!document.querySelector("[data-review]")) return;
    }
    const now = document.querySelector("[data-review]");
    if (!now) return;
    if (reviewed) now.replaceChildren(fragment(reviewed));
    else now.hidden = true;
    now.dataset.done = "1";
  } catch { /* the table is away; the next message of it asks again */ } finally { asksForReview = false; }
}

/** The opening hands are dealt, once. */
function deal() {
  const { turn, number } = $("table").dataset;
  const done = document.querySelector("#me-ring .fighter");
  const key = `dealt ${base} ${number}`;
  const seen = (() => { try { const old = sessionStorage.getItem(key); sessionStorage.setItem(key, "1"); return old; } catch { return null; } })();
  if (Number(turn) > 2 || done || seen || calm.matches || !speed()) return;
  for (const [side, hand] of [["me", "#hand .card"], ["them", "#them-bar .backs .card"]]) {
    const pile = document.querySelector(`[data-pile="${side}-deck"]`)?.getBoundingClientRect();
    if (!pile) continue;
    document.querySelectorAll(hand).forEach((card, order) => {
      const { left, top, width, height } = card.getBoundingClientRect();
      if (!width || order > 7) return;
      const [x, y] = [pile.left + pile.width / 2 - left - width / 2, pile.top + pile.height / 2 - top - height / 2];
      card.animate([{ translate: `${x}px ${y}px`, rotate: "-14deg", scale: ".5", opacity: 0, zIndex: 7 }, { opacity: 1, offset: .3 }, { translate: "0 0", rotate: "0deg", scale: "1", opacity: 1, zIndex: 7 }],
        { id: "deal", duration: 280, delay: order * 90 + (side === "me" ? 0 : 45), easing: "cubic-bezier(.2, .8, .3, 1)", fill: "backwards" });
      setTimeout(() => sound("card"), order * 90);
    });
  }
}

/** Who strikes goes at what it strikes and comes back, and those that join its attack with it; the number
 * comes with the blow. */
const IMPACT = 190;
const lying = (key) => document.querySelector(`.table [data-card="${key}"]:not([popover] *)`);
function lunge({ kind, at, from }) {
  if (calm.matches || !from || kind !== "blow" && kind !== "hp" || !lying(from)?.closest(".ring")) return false;
  const struck = kind === "hp" ? $(`${at}-bar`) : lying(at);
  if (!struck) return false;
  const middle = (node) => { const box = node.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
  const [c, d] = middle(struck);
  const followers = [...document.querySelectorAll(`.felt [data-joins="${from}"]`)].map((mark) => mark.closest(".card"));
  for (const striker of [lying(from), ...followers]) {
    const [a, b] = middle(striker);
    const far = (part) => `${(c - a) * part}px ${(d - b) * part}px`;
    striker.animate([{ translate: "0 0", zIndex: 8 }, { translate: far(-.08), offset: .3, zIndex: 8, easing: "ease-in" },
      { translate: far(.55), offset: .5, scale: "1.06", zIndex: 8, easing: "ease-out" }, { translate: "0 0", zIndex: 8 }], { id: "lunge", duration: IMPACT * 2 });
  }
  struck.animate([{ translate: "0 0" }, { translate: "6px 0" }, { translate: "-5px 0" }, { translate: "3px 0" }, { translate: "0 0" }], { delay: IMPACT, duration: 160 });
  return true;
}

/** A bar drains from what it was to what it is. */
const draining = {};
function drain({ kind, at, by }) {
  const meter = kind === "hp" && document.querySelector(`#${at}-bar .hp meter`);
  if (!meter || calm.matches || !speed()) return;
  const [to, begun] = [Number(meter.getAttribute("value")), performance.now() + IMPACT];
  cancelAnimationFrame(draining[at]);
  const turn = (now) => {
    if (!meter.isConnected) return;
    const done = Math.min(1, Math.max(0, (now - begun) / 260));
    meter.value = Math.round(to - by * (1 - done));
    draining[at] = done < 1 ? requestAnimationFrame(turn) : 0;
  };
  turn(begun);
}

function floatNumber(effect) {
  const host = effect.kind === "hp" || effect.kind === "sp"
    ? document.querySelector(`#${effect.at}-bar .${effect.kind}`)
    : document.querySelector(`.felt [data-card="${effect.at}"]`);
  if (!host || !effect.by) return;
  const number = document.createElement("span");
  number.className = `float ${effect.by < 0 ? "minus" : "plus"}`;
  number.textContent = (effect.by < 0 ? "−" : "+") + Math.abs(effect.by);
  number.setAttribute("aria-hidden", "true");
  host.append(number);
  drain(effect);
  if (lunge(effect)) number.style.animationDelay = `${IMPACT}ms`;
  // What a card deals flies from it to where it hits.
  const from = !calm.matches && !number.style.animationDelay && effect.from && document.querySelector(`.table .card[data-card="${effect.from}"]:not([popover] *)`);
  if (from) {
    const [a, b] = [from.getBoundingClientRect(), number.getBoundingClientRect()];
    const [x, y] = [a.left + a.width / 2 - b.left, a.top + a.height / 2 - b.top];
    number.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: 240, easing: "ease-in" });
  }
  setTimeout(() => number.remove(), number.style.animationDelay ? 600 + IMPACT : 600);
}

// --- Frames: each act takes its moment; any key or click shows the end of them at once --------------
/** @type {Frame[]} */
const waiting = [];
let timer = 0;
/** Somebody does not want to watch, until the seat is asked again. */
let hurried = false;
/** When the seat answered, or the acts that are being shown began. */
let began = 0;

/** How long acts take: nothing is shown in between if it is 0. */
const SPEEDS = { slow: 1.8, normal: 1, fast: 0.55, off: 0 };
const speed = () => SPEEDS[recall("speed") ?? "normal"] ?? 1;
/** What the eye needs for each kind of thing that happens, in milliseconds. */
const MOMENTS = { turn: 700, card: 900, use: 900, attack: 480, block: 480, blow: 650, hit: 650, hp: 700, ko: 600, win: 0, lose: 0 };
/** A whole turn of the other player takes no longer than this, and no act less than it needs to be seen. */
const WHOLE = 4800, LEAST = 320;
/** A blow of a fight is looked at by itself; a whole fight takes no longer than this. */
const FIGHT = 6000, BLOW = 650;
/** At a fast pace acts and fights together are over so long after the click: the next question is there within two seconds. */
const BRISK = 1500;

/** How long acts may take together. */
const whole = () => recall("speed") === "fast" ? BRISK : WHOLE * speed();
/** Whether nothing is shown in between. */
const atOnce = () => hurried || !speed();
/** Several frames as one: of each region what it is in the end, of all that happened everything. */
function joined(frames) {
  const last = frames.at(-1);
  if (!frames[1]) return last;
  const swap = new Map(), gone = new Set();
  for (const one of frames) {
    for (const id of one.gone) { gone.add(id); swap.delete(id); }
    for (const region of one.swap) { gone.delete(region[0]); swap.set(region[0], region); }
  }
  return { ...last, swap: [...swap.values()], gone: [...gone], effects: frames.flatMap((one) => one.effects),
    aloud: frames.map((one) => one.aloud).join(" ").trim() };
}

function next() {
  clearTimeout(timer);
  timer = 0;
  const frame = atOnce() ? joined(waiting.splice(0)) : waiting.shift();
  // What was shown last has had its time: its pane is a pane again.
  if (!frame) { $("zoom")?.classList.remove("presents"); showing(); return; }
  if (!began) began = performance.now();
  show(frame);
  if (asksNow()) { hurried = false; began = 0; }
  const long = hurried ? 0 : hold(frame);
  if (long) timer = setTimeout(next, long);
  else if (waiting.length) next();
  else $("zoom")?.classList.remove("presents");
  showing();
}

/** What the eye needs to see what happened; nothing for what it would not notice. */
function moment(frame) {
  if (frame.fight) return 0;
  const moments = frame.effects.map(({ kind }) => MOMENTS[kind] ?? 0).filter(Boolean);
  // A person knows what their own hand does.
  if (frame.by === "me" && !frame.effects.some(({ kind }) => ["blow", "hit", "hp", "ko"].includes(kind))) return moments.length && LEAST;
  if (!moments.length) return frame.aloud && frame.by === "them" ? LEAST : 0;
  return Math.min(Math.max(...moments) + 200 * (moments.length - 1), 1500);
}

/** How long this frame stays: less than it likes to if many follow. */
function hold(frame) {
  const left = Math.max(0, began + whole() - performance.now());
  if (recall("speed") === "fast") {
    const likes = (one) => (one.fight ? BLOW : moment(one)) * speed();
    const all = waiting.reduce((sum, other) => sum + likes(other), likes(frame));
    return all > left ? likes(frame) * left / all : likes(frame);
  }
  if (frame.fight) {
    const long = Math.min(BLOW, FIGHT / frame.fight) * speed();
    // The acts around a fight have their own time.
    began += long;
    return long;
  }
  const wanted = moment(frame) * speed();
  const all = wanted + waiting.reduce((sum, other) => sum + moment(other) * speed(), 0);
  const least = Math.min(wanted, LEAST * Math.min(1, speed()));
  return Math.max(least, all > left ? wanted * left / all : wanted);
}

/** Whether something is being shown that a key or a click cuts short. */
const playing = () => !asksNow() && (waiting.length > 0 || timer > 0);
/** Whether the question on the screen, or the end, waits for this seat. */
function asksNow() {
  const prompt = $("prompt");
  return Boolean(prompt && (prompt.hasAttribute("data-mine") || prompt.querySelector(".result")));
}

/** Tells the page, and whoever tests it, that acts are being shown. */
function showing() {
  entitle();
  document.documentElement.toggleAttribute("data-showing", playing());
}

function hurry() {
  if (!asksNow()) hurried = true;
  while (waiting.length) next();
  clearTimeout(timer);
  timer = 0;
  $("zoom")?.classList.remove("presents");
  showing();
}

function receive(frame) {
  // Any news of a page before the duel is that it is another one, also where the duel began before it listened.
  if (frame.reload || table.classList.contains("gathering")) { location.reload(); return; }
  // What comes after a long thought is a show of its own.
  if (!timer && !waiting[0] && performance.now() - began > whole()) began = 0;
  waiting.push(frame);
  // What is shown without a pause is one change of the page: its layout is made once, not for each blow.
  if (atOnce() && frame.more) return;
  if (!timer || atOnce()) next();
}

// A click cuts the show short and means nothing else: the question was not on the screen yet.
document.addEventListener("click", (event) => {
  if (!playing() || !event.isTrusted || event.target.closest?.(".tools, [popover], #log, #zoom, .pile")) return;
  hurry();
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// --- Morphing: what stays the same keeps its element, and with it focus, pointer, motion and picture -
/** A card is the same wherever it lies, and the line that it is alone in; a question is another one each time. */
const keyOf = (node) => {
  if (node.id === "prompt") return `prompt ${node.dataset.number}`;
  const card = node.dataset?.card ?? (node.localName === "li" && node.firstElementChild?.dataset.card);
  return node.id || (card ? `${node.localName} ${card}` : "");
};
/** Makes `old` what `made` is, or puts `made` in its place. */
function morph(old, made) {
  if (old.isEqualNode(made)) return;
  if (old.nodeType === Node.TEXT_NODE && made.nodeType === Node.TEXT_NODE) { old.nodeValue = made.nodeValue; return; }
  // What a reader has entered is not in the attributes.
  if (old.nodeName !== made.nodeName || keyOf(old) !== keyOf(made) || old.matches?.("input, select, textarea")) { old.replaceWith(made); return; }
  // Its facts are others: it is read anew.
  if (old === enlarged) enlarged = null;
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  // What leaves goes first, so that what stays need not move.
  const staying = new Set([...made.children].map(keyOf));
  for (const child of [...old.children]) if (keyOf(child) && !staying.has(keyOf(child))) child.remove();
  const keyed = new Map([...old.children].map((child) => [keyOf(child), child]));
  keyed.delete("");
  let at = old.firstChild;
  for (const child of [...made.childNodes]) {
    const key = keyOf(child);
    const same = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (!same) { old.insertBefore(child, at); continue; }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    morph(same, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** The cards that are KOed, as they stand before they fall. */
const falling = (effects) => calm.matches ? [] : effects.filter(({ kind }) => kind === "ko").flatMap(({ at }) => {
  const card = document.querySelector(`.felt [data-card="${at}"]`);
  return card ? [[at, { node: card.cloneNode(true), rect: card.getBoundingClientRect() }]] : [];
});
/** Markup as nodes that load no picture before they are on the page: most of them are there already. */
const fragment = (markup) => Object.assign(document.createElement("template"), { innerHTML: markup }).content;
/** What rules of the whole table hang on. As `:has()` in the styles every change of the page would ask for it again. */
const MARKS = {
  asked: ".near > [data-mine]",
  aim: ".near > :is([data-kind=target], [data-kind=sacrifice], [data-kind=back-up], [data-kind=join], [data-kind=block])",
  coach: ".near > .prompt > .coach",
  six: ".hand li:nth-child(6)",
  fighter: ".arena li",
  fighters: ".arena li + li",
  shown: ".side > .shown:not([hidden])",
  several: ".choices li:nth-child(3)",
};
function mark() {
  for (const [name, way] of Object.entries(MARKS)) table?.classList.toggle(`has-${name}`, table.querySelector(way) !== null);
}
/** @param {Frame} frame */
function show(frame) {
  const before = places();
  const fallen = falling(frame.effects);
  const focus = keepFocus();
  const ended = Boolean(document.querySelector("#prompt .result"));
  for (const id of frame.gone) $(id)?.remove();
  for (const [id, parent, markup] of frame.swap) {
    const made = fragment(markup).firstElementChild;
    const old = $(id);
    if (old) {
      const open = [old, ...old.querySelectorAll("[popover]")].filter((sheet) => sheet.matches("[popover]:popover-open")).map((sheet) => sheet.id);
      morph(old, made);
      for (const sheet of open) if (!$(sheet)?.matches(":popover-open")) $(sheet)?.showPopover();
    } else {
      $(parent)?.append(made);
    }
  }
  mark();
  tellTimes();
  focus();
  shuffle();
  carry();
  read();
  numberCards();
  rove();
  glide(before, fallen);
  for (const effect of frame.effects) {
    floatNumber(effect);
    sound(effect.kind, effect.by);
  }
  if (frame.by === "them" || frame.fight) present(frame.effects);
  announce(frame);
  if (frame.aloud) $("aloud").textContent = frame.aloud;
  settle();
  if (!ended) finish();
  review();
  noteQuestion();
  noteSolved();
  sayOnce();
  carryOn(frame.more);
  document.documentElement.dataset.number = String(frame.number);
}

/** What has to be measured is measured once for all frames of a paint, right before it. */
let settling = 0;
function settle() {
  settling ||= requestAnimationFrame(() => {
    settling = 0;
    $("prompt")?.classList.remove("tight");
    lines();
    giveWay();
    // All is asked before anything is set: what is set where the next is asked costs one more layout.
    const zoom = $("zoom"), long = zoom?.scrollHeight > zoom?.clientHeight;
    let parts = overflowing();
    if (parts.some(([part, flows]) => flows && part.matches(".choices"))) {
      // What explains the answers gives way to them.
      $("prompt").classList.add("tight");
      giveWay();
      parts = overflowing();
    }
    // What scrolls can be reached by keys.
    if (long) zoom.tabIndex = 0; else zoom?.removeAttribute("tabindex");
    toTheEnd();
    for (const [part, flows] of parts) if (part.classList.toggle("flows", flows) && part.matches(".choices")) countMore(part);
  });
}

/** The question stands beside the buttons at its top, or under them where they take nearly half of its width. */
function giveWay() {
  const feet = document.querySelector("#prompt > footer"), head = document.querySelector("#prompt > h2");
  if (!feet || !head) return;
  const { paddingTop, rowGap } = getComputedStyle(feet.parentNode);
  const wide = feet.offsetTop < feet.offsetHeight && feet.offsetWidth;
  const high = feet.offsetTop + feet.offsetHeight - parseFloat(paddingTop);
  const under = wide > feet.parentNode.clientWidth * .45;
  head.style.margin = under ? `${high}px 0 0` : wide ? `0 ${wide + 8}px 0 0` : "";
  head.style.minHeight = wide && !under ? `${high - parseFloat(rowGap)}px` : "";
}

/** The parts of the question that scroll, and whether they do: what an earlier answer to that has added does not count. */
const overflowing = () => {
  const parts = [...document.querySelectorAll(".choices, .coach")];
  for (const part of parts) { part.classList.remove("flows"); delete part.dataset.more; }
  return parts.map((part) => [part, part.scrollHeight > part.clientHeight]);
};
/** How many answers lie below what is in sight. */
function countMore(part) {
  const end = part.getBoundingClientRect().bottom - parseFloat(getComputedStyle(part).scrollPaddingBottom);
  const more = [...part.querySelectorAll("button")].filter((one) => one.getBoundingClientRect().bottom > end + 1).length;
  if (more) part.dataset.more = more;
  else delete part.dataset.more;
}
document.addEventListener("scroll", ({ target }) => { if (target.matches?.(".choices.flows")) countMore(target); }, true);

/** Focus must not fall to the page when its element leaves: it goes to the next question, now or when there is one. */
let homeless = false;
function keepFocus() {
  const had = document.activeElement;
  if (had && had !== document.body) homeless = false;
  else if (!homeless) return () => {};
  const card = had?.closest("[data-card]")?.dataset.card;
  const id = had?.id;
  const place = had?.closest("#hand") ? "hand" : had?.closest(".ring")?.id;
  return () => {
    // Who has kept it is done; what has moved gets it back.
    if (!homeless && document.activeElement === had) return;
    if (!homeless && document.contains(had) && had.getClientRects().length) { had.focus({ preventScroll: true }); return; }
    const again = (id && $(id)) || (card && document.querySelector(`.table [data-card="${card}"]`)) ||
      (place && document.querySelector(`#${place} .card`)) || $("question");
    homeless = !again;
    again?.focus({ preventScroll: true });
  };
}

// --- Lines: who blocks, joins and aims at whom ----------------------------------------------------
function lines(aim) {
  const svg = $("lines");
  if (!svg) return;
  // Measured only where there is a line to draw: it costs a layout.
  let frame = null;
  const middle = (element) => {
    frame ??= svg.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  };
  const made = [];
  const draw = (kind, way) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", kind);
    path.setAttribute("d", way);
    made.push(path);
  };
  const join = (kind, from, to) => {
    // A card inside a closed pile lies nowhere.
    if (!from?.getClientRects().length || !to?.getClientRects().length) return;
    const [a, b] = middle(from), [c, d] = middle(to);
    draw(kind, `M${a} ${b}Q${(a + c) / 2 + (d - b) / 6} ${(b + d) / 2} ${c} ${d}`);
  };
  /** Around the cards between them, which may attack by themselves: a bracket on the side of the middle. */
  const bracket = (from, to) => {
    if (!from || !to) return;
    const way = from.closest(".ring.them") ? 1 : -1;
    const [[a, b], [c, d]] = [from, to].map((card) => { const [x, y] = middle(card); return [x, y + way * card.offsetHeight / 2]; });
    draw("join", `M${a} ${b}V${(way > 0 ? Math.max(b, d) : Math.min(b, d)) + way * 8}H${c}V${d}`);
  };
  for (const mark of document.querySelectorAll(".felt [data-blocks]")) {
    join("block", mark.closest(".card"), document.querySelector(`.felt [data-card="${mark.dataset.blocks}"]`));
  }
  for (const mark of document.querySelectorAll(".felt [data-joins]")) {
    bracket(mark.closest(".card"), document.querySelector(`.felt [data-card="${mark.dataset.joins}"]`));
  }
  const source = $("prompt")?.dataset.source;
  if (aim && source) join("aim", document.querySelector(`.table [data-card="${source}"]`), aim);
  if (made.length || svg.firstChild) svg.replaceChildren(...made);
}

// --- Enlarged cards -------------------------------------------------------------------------------
let enlarged = null;
/** How far the pane is scrolled: to ask it would cost a layout. */
let paneAt = 0;
addEventListener("scroll", ({ target }) => { if (target === $("zoom")) paneAt = target.scrollTop; }, { capture: true, passive: true });
/** Shows a card in the pane; with `after`, its picture, the largest of the page, comes when the table is on the screen. */
function enlarge(card, after = false) {
  const zoom = $("zoom");
  if (!zoom || !card || card === enlarged) return;
  enlarged = card;
  [reading, readIn] = [card.closest("[popover]") ? null : card.dataset.card ?? null, nowIn()];
  const photo = card.querySelector("img")?.getAttribute("src")?.startsWith("/picture/");
  const src = photo ? `/picture/${card.dataset.model}` : `/face/${card.dataset.model}/full.svg`;
  const old = zoom.querySelector(":scope > img");
  const picture = old?.getAttribute("src") === src ? old : document.createElement("img");
  picture.removeAttribute("title");
  const alt = card.getAttribute("aria-label") ?? card.textContent;
  picture.alt = alt;
  const load = () => { picture.src = src; };
  if (after && picture !== old) requestAnimationFrame(() => setTimeout(load)); else load();
  const parts = [picture];
  const facts = card.querySelector(".facts");
  if (facts) {
    const copy = facts.cloneNode(true);
    copy.hidden = false;
    picture.title = facts.querySelector(".icons")?.title ?? "";
    const more = card.querySelector(".facts.more > span");
    if (more) copy.prepend(more.cloneNode(true));
    parts.push(copy);
    const forms = [...copy.querySelectorAll(".form")];
    if (forms.length) parts.splice(1, 0, pager(picture, [src, alt, "1"], forms));
  }
  // Where it lies over the table it can be closed.
  const close = document.createElement("button");
  Object.assign(close, { type: "button", className: "small close", textContent: zoom.dataset.close });
  close.addEventListener("click", shrink);
  zoom.replaceChildren(close, ...parts);
  if (paneAt) zoom.scrollTop = paneAt = 0;
  settle();
}
/** What stood in the pane before any card was read. */
const greeting = [...($("zoom")?.childNodes ?? [])];
let readFor = null;
/** The card on the table that the pane shows, and in which phase of which turn it was read. */
let reading = null, readIn = "";
const nowIn = () => `${$("ribbon")?.querySelector("strong")?.textContent} ${$("ribbon")?.querySelector("[aria-current]")?.textContent}`;
/** The pane shows the card that asks, or the only one that can answer; no card that has left, and none of another phase. */
function read() {
  const { number, source } = $("prompt")?.dataset ?? {};
  if (asksNow() && number !== readFor && !pinned) {
    readFor = number;
    const could = new Set([...document.querySelectorAll("#prompt .options [data-for]:not(:disabled)")].map((option) => option.dataset.for));
    const about = source ?? (could.size === 1 ? [...could][0] : null);
    const card = about && document.querySelector(`.table .card[data-card="${about}"][data-model]:not([popover] *)`);
    if (card) { enlarge(card, true); return; }
    if (reading && readIn !== nowIn() && !$("zoom").matches(".open, :hover") && !lying(reading)?.matches(":hover")) { forget(); return; }
  }
  if (!reading || $("zoom").matches(".open, .presents")) return;
  const now = document.querySelector(`.table .card[data-card="${reading}"][data-model]:not([popover] *)`);
  if (now && now !== enlarged) {
    // It is told as it is now.
    const scrolled = paneAt;
    enlarge(now, true);
    if (scrolled) $("zoom").scrollTop = paneAt = scrolled;
  } else if (!now) {
    forget();
  }
}
function forget() {
  [enlarged, reading, pinned] = [null, null, false];
  $("zoom").classList.remove("pinned");
  $("zoom").replaceChildren(...greeting);
}
/** The number of its option stands on the card, too. */
function numberCards() {
  const digits = new Map();
  for (const option of document.querySelectorAll("#prompt .options [data-for]:not(:disabled)")) {
    const [digit, card] = [option.querySelector("kbd")?.textContent, option.dataset.for];
    if (digit) digits.set(card, digits.has(card) ? `${digits.get(card)} ${digit}` : digit);
  }
  for (const card of document.querySelectorAll(".hand .card")) {
    const key = card.matches(".legal") && digits.get(card.dataset.card);
    if (!key) delete card.dataset.key;
    else if (card.dataset.key !== key) card.dataset.key = key;
  }
}
/** The card that the other player plays or uses, large, for as long as its act is shown. */
function present(effects) {
  const act = effects.findLast(({ kind }) => kind === "card" || kind === "use");
  const card = act && document.querySelector(`.table .card[data-card="${act.at}"][data-model]`);
  if (!card || !speed()) return;
  enlarge(card);
  $("zoom").classList.add("presents");
}
/** Buttons that page through the other forms of a card. */
function pager(picture, first, forms) {
  const pages = [first, ...forms.map((form) => [form.dataset.src, form.dataset.name, form.textContent])];
  const row = document.createElement("div");
  row.className = "pager";
  pages.forEach(([source, name, words], at) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "small", textContent: words });
    button.setAttribute("aria-pressed", String(at === 0));
    button.addEventListener("click", () => {
      Object.assign(picture, { src: source, alt: name });
      for (const other of row.children) other.setAttribute("aria-pressed", String(other === button));
    });
    row.append(button);
  });
  return row;
}
function shrink() {
  if ($("zoom")?.classList.contains("open")) pinned = false;
  $("zoom")?.classList.remove("open");
  if (!pinned) $("zoom")?.classList.remove("pinned");
  enlarged = null;
}
const cardAt = (target) => target instanceof Element ? target.closest(".card[data-model], .name[data-model]") : null;

/** Who is on the way to what the enlarged card says does not mean the cards in between. */
const PASSING = 130;
let coming = 0;
let pinned = false;
document.addEventListener("pointerover", (event) => {
  const card = cardAt(event.target);
  clearTimeout(coming);
  if (card && event.pointerType === "mouse" && !pinned && !card.closest("#zoom")) {
    if (enlarged?.isConnected) coming = setTimeout(() => enlarge(card), PASSING);
    else enlarge(card);
  }
  if (card?.classList.contains("legal")) lines(card);
});
// A click on a card that is no answer pins it, or lets go of it.
document.addEventListener("click", (event) => {
  const card = cardAt(event.target);
  if (!card || card.type !== "button" || card.hasAttribute("popovertarget") || card.closest("#zoom, #log")) return;
  pinned = !(pinned && card === enlarged);
  enlarge(card);
  $("zoom")?.classList.toggle("pinned", pinned);
  // Where no pane is beside the table, it opens over it.
  if (pinned && !$("zoom")?.getClientRects().length) $("zoom").classList.add("open");
  else if (!pinned && $("zoom")?.classList.contains("open")) shrink();
});
document.addEventListener("pointerout", (event) => { if (cardAt(event.target)) lines(); });
document.addEventListener("focusin", (event) => {
  const card = cardAt(event.target) ?? event.target.querySelector?.(":scope > .name[data-model]");
  if (!card) return;
  enlarge(card);
  if (card.classList.contains("legal")) lines(card);
});

let press = 0;
let held = false;
/** A tap beside a card that lies over the table closes it, and means nothing else. */
let beside = false;
document.addEventListener("pointerdown", (event) => {
  const card = cardAt(event.target);
  beside = Boolean($("zoom")?.classList.contains("open") && !event.target.closest?.("#zoom"));
  if (beside) { shrink(); return; }
  if (event.pointerType === "mouse" || !card) { if (!event.target.closest?.("#zoom") && !(card && pinned)) shrink(); return; }
  held = false;
  press = setTimeout(() => { held = true; enlarge(card); $("zoom").classList.add("open"); }, 350);
});
for (const end of ["pointerup", "pointercancel", "scroll"]) addEventListener(end, () => clearTimeout(press), true);
document.addEventListener("click", (event) => {
  if (beside || held && cardAt(event.target)) { event.preventDefault(); event.stopPropagation(); }
  beside = held = false;
}, true);
document.addEventListener("contextmenu", (event) => { if (cardAt(event.target)) event.preventDefault(); });

// --- Choosing several: a click takes a card in or lets it go, and one button sends them all ---------
document.addEventListener("click", (event) => {
  const prompt = $("prompt");
  if (!prompt?.matches("[data-collect]")) return;
  const card = event.target.closest?.("[data-pick]") ?? (event.target.closest?.(".table .card.legal[data-card]:not(#prompt *)"));
  const pick = card?.matches("[data-pick]") ? card : card && prompt.querySelector(`[data-pick][data-for="${card.dataset.card}"]`);
  if (!pick) return;
  event.preventDefault();
  event.stopPropagation();
  const taken = () => [...prompt.querySelectorAll('[data-pick][aria-pressed="true"]')];
  const done = prompt.querySelector(".collected");
  const { min, max, none, some, more } = done.dataset;
  // Who has as many as there may be lets go of one first.
  if (pick.getAttribute("aria-pressed") !== "true" && taken().length >= Number(max)) return;
  pick.setAttribute("aria-pressed", String(pick.getAttribute("aria-pressed") !== "true"));
  const all = taken();
  for (const lies of document.querySelectorAll(".table .card[data-card]")) lies.classList.toggle("taken", all.some((one) => one.dataset.for === lies.dataset.card));
  done.value = `${all.map((one) => one.dataset.pick).join(",")},`;
  done.disabled = all.length < Number(min);
  const missing = Number(min) - all.length;
  done.firstElementChild.textContent = missing > 0 ? more.replace("{n}", missing) : all.length ? some.replace("{n}", all.length) : none;
  const count = prompt.querySelector("[data-count]");
  count.textContent = `${all.length} of ${count.dataset.of}`;
}, true);

// --- Forms ----------------------------------------------------------------------------------------
/** The questions whose forms are on their way. The next question may be shown before the answer to the
 * last one is acknowledged: it can be answered all the same, and each of them once. */
const onTheWay = new Set();
async function send(form, button, slot = null) {
  bind(form, button?.value);
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  // A character that is played goes to the first free slot, or where it was dropped.
  if (form.id === "answer" && $("prompt").dataset.kind === "main") body.set("slot", slot ?? "first");
  const question = `${form.id} ${body.get("n")}`;
  if (onTheWay.has(question)) return;
  onTheWay.add(question);
  hurry();
  [hurried, began] = [false, performance.now()];
  try {
    await deliver(form.action, body);
  } finally {
    onTheWay.delete(question);
  }
}

/** Sends a form until the table has taken it or has refused it for good: the same form counts once. */
async function deliver(address, body) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    let answer = null;
    try {
      answer = await request(address, PATIENCE, { method: "POST", body });
    } catch (fault) {
      // Nothing came back, not even a refusal: the answer is kept, and sent again.
      notice(fault.name === "TimeoutError" ? say.silent : say.dead, wait + 4000 + PATIENCE);
    }
    const again = !answer || answer.status === 503 || answer.status === 429;
    if (!again) {
      if (answer.status === 409) { wish = null; notice(await answer.text()); }
      else if (answer.redirected) location.href = answer.url;
      else if (!answer.ok) location.reload();
      else notice("");
      return;
    }
    if (answer) notice(await answer.text(), wait + 4000);
    await new Promise((done) => setTimeout(done, wait));
    // Whatever has changed the question meanwhile has answered it, or it was taken after all.
    if (superseded(body)) return;
  }
}

/** Whether the question that a form answers waits no longer. */
function superseded(body) {
  const shown = $("prompt")?.dataset.number;
  return body.has("o") && shown !== undefined && shown !== body.get("n");
}

/** What a shuffle between people wants of this page now: its part, once all are bound, and a look at the end. */
let shuffling = false;
async function shuffle() {
  verify(document);
  const form = shuffling ? null : reveal(document, (words) => notice(words, 60000));
  if (!form) return;
  shuffling = true;
  try { await deliver(form.action, new URLSearchParams(new FormData(form))); } finally { shuffling = false; }
}

// A finger that is faster than the eye answers nothing: an answer is for the question that was on the
// screen when the finger went down, and a question that appears under it waits for a moment.
const GUARD = 350, SPOT = 24;
/** The question on the screen, since when, and how the one before was answered. */
let question = { number: $("prompt")?.dataset.number, since: -Infinity };
let answered = { by: "", at: [0, 0] };
let pressed = null;
function noteQuestion() {
  const { number } = $("prompt")?.dataset ?? {};
  if (number !== question.number && asksNow()) question = { number, since: performance.now() };
}
const isNew = () => performance.now() - question.since < GUARD;
// A dialog that the pointer opened leaves the keys to the table when it closes: the space bar goes on, and does not open
// it again. The focus comes back to its button while it closes, so it is sent away at once, before any key.
let pointed = false, closing = "";
document.addEventListener("beforetoggle", ({ newState, target }) => {
  if (newState === "open") target.dataset.pointed = pointed;
  closing = newState === "closed" && target.dataset.pointed === "true" ? target.id : "";
}, true);
document.addEventListener("focusin", ({ target }) => { if (closing && target.getAttribute("popovertarget") === closing) target.blur(); });
document.addEventListener("toggle", () => { closing = ""; }, true);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { pointed = kind === "pointerdown"; }, true);
document.addEventListener("pointerdown", () => { pressed = $("prompt")?.dataset.number ?? null; }, true);
// A key that is held answers no question that comes while it is.
let keyed = null;
document.addEventListener("keydown", ({ key, repeat }) => {
  if (!repeat && (key === "Enter" || key === " ")) keyed = $("prompt")?.dataset.number ?? null;
}, true);
document.addEventListener("keyup", () => setTimeout(() => { keyed = null; }), true);
// Who has moved the pointer away and comes back means it.
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  if (answered.by === "pointer" && Math.hypot(clientX - answered.at[0], clientY - answered.at[1]) >= SPOT) answered.by = "";
});
document.addEventListener("click", (event) => {
  // A script is no finger, and a key has no place.
  const answer = event.target.closest?.('[form="answer"], [form="act"][value="undo"]');
  if (!answer || !event.isTrusted) return;
  const byKey = !event.detail;
  const at = [event.clientX, event.clientY];
  const stray = !byKey && isNew() && answered.by === "pointer" && Math.hypot(at[0] - answered.at[0], at[1] - answered.at[1]) < SPOT;
  const down = byKey ? keyed : pressed;
  if (stray || down !== null && down !== $("prompt").dataset.number) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!stray) notice(say.changed);
    return;
  }
  if (!byKey) answered = { by: "pointer", at };
}, true);

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "post" || "plain" in form.dataset) return;
  event.preventDefault();
  event.submitter?.closest("[popover]")?.hidePopover();
  wish = null;
  send(form, event.submitter);
});

let noticed = 0;
function notice(words, long = 4000) {
  $("notice").textContent = words;
  clearTimeout(noticed);
  noticed = setTimeout(() => { $("notice").textContent = ""; }, long);
}

// --- Dragging: a card onto a slot, a target or the felt ---------------------------------------------
/** What the question that follows a drop is answered with. */
let wish = null;
let drag = null;

/** The first answer of a card, as a click on it would give it. */
const answerOf = (card) => card?.type === "submit" ? card : document.querySelector(`[data-of="${card?.dataset.card}"] button`);
/** What it would mean to take the first answer of a card. */
function meaning(card) {
  const button = card?.classList.contains("legal") ? answerOf(card) : null;
  return button && `${$("prompt")?.dataset.kind} ${button.getAttribute("aria-label") ?? button.textContent}`;
}

document.addEventListener("dragstart", (event) => event.preventDefault());
document.addEventListener("pointerdown", (event) => {
  const card = cardAt(event.target);
  if (event.pointerType !== "mouse" || event.button !== 0 || !card?.classList.contains("legal") || !card.dataset.card) return;
  drag = { key: card.dataset.card, means: meaning(card), from: [event.clientX, event.clientY], by: [0, 0], moving: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.by = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
  if (!drag.moving && Math.hypot(...drag.by) < 8) return;
  drag.moving = true;
  document.documentElement.toggleAttribute("data-dragging", Boolean(document.querySelector('#prompt[data-kind="main"]')) && Boolean(lying(drag.key)?.matches(".hand .card:has(.bp)")));
  carry();
});
/** The dragged card follows the pointer, drawn anew or not. */
function carry() {
  if (!drag?.moving) return;
  const [x, y] = drag.by;
  const card = lying(drag.key);
  if (card) Object.assign(card.style, { translate: `${x}px ${y}px`, transition: "none", zIndex: "30", pointerEvents: "none" });
}
function letGo() {
  document.documentElement.removeAttribute("data-dragging");
  const done = drag?.moving ? drag : null;
  const card = done && lying(done.key);
  drag = null;
  if (card) Object.assign(card.style, { translate: "", transition: "", zIndex: "", pointerEvents: "" });
  return { done, card };
}
document.addEventListener("pointercancel", letGo);
document.addEventListener("pointerup", (event) => {
  const { done, card } = letGo();
  if (!done) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  if (!under?.closest(".felt") || card?.contains(under)) return;
  swallow = true;
  setTimeout(() => { swallow = false; }, 0);
  // A card that would now answer another question than the one it was picked up for stays where it is.
  if (meaning(card) !== done.means) { notice(say.changed); return; }
  const slot = under.closest(".ring.me .slot");
  send($("answer"), answerOf(card), slot?.dataset.slot);
  wish = {
    slot: slot?.dataset.slot ?? null,
    target: under.closest("[data-card]")?.dataset.card ?? null,
    after: $("prompt").dataset.number,
  };
});
let swallow = false;
document.addEventListener("click", (event) => {
  if (swallow && event.isTrusted) { event.preventDefault(); event.stopPropagation(); }
}, true);
/** After a drop the question where to, whenever it comes, is answered by where the card was dropped. */
function carryOn(more) {
  const { number, kind, mine } = $("prompt")?.dataset ?? {};
  if (!wish || more || number === undefined || number === wish.after) return;
  const { slot, target } = wish;
  wish = null;
  if (mine === undefined) return;
  const button = kind === "slot" || kind === "move"
    ? document.querySelector(`#me-ring [data-slot="${slot}"] button.legal`)
    : ["back-up", "join", "block", "target"].includes(kind)
      ? document.querySelector(`.felt .card.legal[data-card="${target}"][type="submit"]`)
      : null;
  if (button) queueMicrotask(() => send($("answer"), button));
}

// --- Keyboard -------------------------------------------------------------------------------------
const typing = (event) => event.target instanceof HTMLInputElement && event.target.type !== "range";
addEventListener("keydown", (event) => {
  if (!$("table") || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  // A key that cuts the show short answers nothing: the question was not on the screen yet.
  if (playing() && event.key !== "Tab" && event.key !== "Shift") { hurry(); event.preventDefault(); return; }
  const sheet = document.querySelector("[popover]:popover-open");
  const option = (selector) => document.querySelector(`#prompt .options ${selector}`);
  const on = document.activeElement;
  if (/^[1-9]$/.test(event.key) && !sheet) {
    const collects = document.querySelectorAll("#prompt [data-pick]");
    (collects.length ? collects : document.querySelectorAll("#prompt .options button"))[Number(event.key) - 1]?.click();
  } else if (event.key === " " && !sheet && !on?.closest("button:not(.card), [data-pick], a, summary")) {
    if (event.repeat || isNew() && answered.by === " ") { event.preventDefault(); return; }
    answered = { by: " ", at: [0, 0] };
    const all = document.querySelectorAll("#prompt .options button, #prompt .faces button.legal");
    (option("button.go") ?? (all.length === 1 ? all[0] : null))?.click();
    event.preventDefault();
  } else if (event.key === "Escape" && !sheet) {
    if (pinned && !$("zoom").classList.contains("open")) { pinned = false; $("zoom").classList.remove("pinned"); }
    else if ($("zoom")?.classList.contains("open") || $("log")?.classList.contains("open")) { shrink(); $("log").classList.remove("open"); }
    else option("button.back")?.click();
  } else if (event.key === "?") {
    $("help")?.togglePopover();
  } else if (event.key === "z" || event.key === "Z") {
    (document.querySelector('[form="act"][value="undo"]') ?? option("button.back"))?.click();
  } else if ((event.key === "a" || event.key === "A") && !sheet) {
    document.querySelector('[form="act"][value="attack-all"]')?.click();
  } else if (event.key === "f" || event.key === "F") {
    document.querySelector('[form="act"][value="control"]')?.click();
  } else if (event.key === "t" || event.key === "T") {
    document.querySelector("a[data-insight]")?.click();
  } else if (event.key === "l" || event.key === "L") {
    toggleLog();
  } else if (on?.closest("#log-turns") && walkLog(event.key)) {
    event.preventDefault();
  } else if (event.key.startsWith("Arrow") && document.body.classList.contains("replay") && !on?.matches("[data-scrub]") && /Left|Right/.test(event.key)) {
    const link = document.querySelector(`.scrub a[rel="${event.key === "ArrowLeft" ? "prev" : "next"}"]`);
    if (link) turnTo(link.getAttribute("href"));
  } else if (event.key.startsWith("Arrow") && !on?.matches("[data-scrub]")) {
    if (walk(event.key, sheet)) event.preventDefault();
  }
});

/** Arrow keys go to the nearest button in that direction. */
function walk(key, inside) {
  const scope = inside ?? $("table");
  const stops = [...scope.querySelectorAll("button, a[href]")].filter((stop) =>
    stop.getClientRects().length && (inside || !stop.closest("[popover]")) && !stop.closest("#log"));
  const on = document.activeElement;
  if (!stops.includes(on)) {
    (scope.querySelector(".hand .card.legal, .card.legal, .options button") ?? stops[0])?.focus();
    return true;
  }
  const here = on.getBoundingClientRect();
  const [x, y] = [here.left + here.width / 2, here.top + here.height / 2];
  let best = null, least = Infinity;
  for (const stop of stops) {
    if (stop === on) continue;
    const box = stop.getBoundingClientRect();
    const [dx, dy] = [box.left + box.width / 2 - x, box.top + box.height / 2 - y];
    const [along, across] = key === "ArrowLeft" ? [-dx, dy] : key === "ArrowRight" ? [dx, dy] : key === "ArrowUp" ? [-dy, dx] : [dy, dx];
    const far = along + Math.abs(across) * 2;
    if (along > 4 && far < least) { best = stop; least = far; }
  }
  best?.focus();
  return Boolean(best);
}

function toggleLog() {
  $("log").classList.toggle("open");
  toTheEnd();
}
/** The log shows its newest lines; the uppermost line begins where its heading ends. */
function toTheEnd() {
  const turns = $("log-turns");
  if (!turns) return;
  // All is asked before anything is set, so that it costs one layout.
  const filled = parseFloat(turns.style.paddingBottom) || 0;
  const [at, room, long] = [turns.scrollTop, turns.clientHeight, turns.scrollHeight - filled];
  const end = Math.max(0, long - room);
  let rest = 0;
  if (end) {
    const top = turns.getBoundingClientRect().top + end - at;
    // From the end, which is near: a long log costs no more than a short one.
    for (const line of [...turns.querySelectorAll("section, li")].reverse()) {
      const head = line.matches("li") ? line.closest("section").firstElementChild.offsetHeight : 0;
      const under = Math.ceil(line.getBoundingClientRect().top - top - head);
      if (under < 0) break;
      rest = under;
    }
  }
  turns.style.paddingBottom = rest ? `${rest}px` : "";
  turns.scrollTop = end + rest;
}

document.addEventListener("click", (event) => {
  const act = event.target.closest?.("[data-act]")?.dataset.act;
  if (act === "log") toggleLog();
  if (act === "sound") { remember("sound", sounding() ? "off" : "on"); listen(); showSound(); sound("card"); }
  if (act === "run") {
    if (running) { clearTimeout(running); running = 0; } else { run(); }
    showRunning();
  }
});

/** The switch beside the table, and the setting of the same name. */
function showSound() {
  for (const button of document.querySelectorAll('[data-act="sound"]')) { button.hidden = false; button.setAttribute("aria-pressed", String(sounding())); }
  for (const field of document.querySelectorAll('[data-setting="sound"]')) field.checked = sounding();
}
// What a reader has set is kept by the browser.
for (const field of document.querySelectorAll("[data-setting]")) {
  const kept = recall(field.dataset.setting);
  if (field.type === "checkbox") field.checked = kept === null ? field.defaultChecked : kept === "on";
  else if (kept !== null) field.value = kept;
  field.addEventListener(field.type === "range" ? "input" : "change", () => {
    remember(field.dataset.setting, field.type === "checkbox" ? (field.checked ? "on" : "off") : field.value);
    dress();
    listen();
    showSound();
    if (field.dataset.setting === "volume") sound("hit");
    else if (/sound|volume/.test(field.dataset.setting)) sound("card");
    settle();
  });
}

// Links are copied with one click where the browser allows it; a name is kept for the next time.
for (const button of document.querySelectorAll('[data-act="copy"]')) button.hidden = !navigator.clipboard;
document.addEventListener("click", async (event) => {
  if (event.target.matches?.("[data-copy]")) event.target.select();
  if (event.target.closest?.("[data-act]")?.dataset.act !== "copy") return;
  await navigator.clipboard.writeText(document.querySelector("[data-copy]").value).catch(() => {});
  notice(event.target.dataset.done);
});
for (const field of document.querySelectorAll("[data-name-kept]")) {
  field.value = recall("name") ?? "";
  field.form?.addEventListener("submit", () => { bind(field.form); remember("name", field.value); });
}

// When a duel began, in the reader's own words; which puzzles and lessons this browser has seen solved.
function tellTimes() {
  for (const time of document.querySelectorAll("time[data-seconds]:empty")) {
    const when = new Date(time.dataset.seconds * 1000);
    time.dateTime = when.toISOString();
    const long = "short" in time.dataset ? {} : { weekday: "long", day: "numeric", month: "long" };
    time.textContent = when.toLocaleString([], { ...long, hour: "2-digit", minute: "2-digit" });
  }
}
tellTimes();
function noteSolved() {
  const { stage } = $("table")?.dataset ?? {};
  if (stage && document.querySelector('#prompt .result[data-won="true"]')) remember(`solved ${stage}`, "yes");
  for (const { classList, dataset } of document.querySelectorAll("button[data-stage]")) classList.toggle("solved", recall(`solved ${dataset.stage}`) === "yes");
  // The next lesson is marked, and a lost duel leads on to it.
  const due = document.querySelector("[data-lesson]:not(.solved)"), offer = document.querySelector("[data-due]");
  due?.classList.add("due");
  if (!due || !offer) return;
  offer.value = due.value;
  offer.lastElementChild.textContent = due.dataset.stage;
  offer.hidden = false;
  $("ending").querySelector('[value="rematch"]').className = "option";
}
noteSolved();

/** What is new to a person is said at the first question at which it can be done, until they put it away. */
function sayOnce() {
  const hint = document.querySelector("[data-once]");
  if (!hint) return;
  const key = `hint ${hint.dataset.once}`, here = `${base} ${$("prompt").dataset.number}`;
  hint.hidden = (recall(key) ?? here) !== here;
  // What was said costs no layout.
  if (hint.hidden) return;
  // It leaves the answers their room, and is said another time.
  const choices = document.querySelector("#prompt .choices");
  if (choices?.scrollHeight > choices?.clientHeight + 1) hint.hidden = true;
  else if (!recall(key)) remember(key, here);
  hint.lastElementChild.onclick = () => { remember(key, "said"); sayOnce(); };
}
sayOnce();

// A link may lead to what lies one click behind a page: its sheet opens, and what is meant is chosen.
const meant = location.hash && $(location.hash.slice(1));
if (meant) {
  meant.closest("[popover]")?.showPopover();
  meant.checked = true;
  meant.focus();
}

// What few people open is sent when somebody does.
document.addEventListener("toggle", async ({ target, newState }) => {
  const place = newState === "open" && target.querySelector("[data-load]");
  if (!place) return;
  const text = await pageAt(place.dataset.load);
  if (text) place.replaceWith(fragment(text));
  noteSolved();
}, true);

// Numbers and the engine's trace open over the table.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a.number, a[data-insight]");
  if (!link || !$("insight") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const text = await pageAt(link.href);
  if (!text) return;
  link.closest("[popover]")?.hidePopover();
  $("insight").replaceChildren(fragment(text));
  $("insight").showPopover();
  if (text.includes("data-share")) (await import("./share.js")).share($("insight"));
});

/** Shows the cards that have the words and are of the kinds that are asked for. */
function sortOut(place) {
  const words = place.querySelector("[data-search]")?.value.toLowerCase() ?? "";
  const kinds = [...place.querySelectorAll("[data-filter]")].filter(({ value }) => value);
  const items = [...place.querySelectorAll("[data-name]")];
  for (const item of items) item.hidden = !item.dataset.name.includes(words) || kinds.some((kind) => item.dataset[kind.dataset.filter] !== kind.value);
  const nothing = place.querySelector("[data-nothing]");
  if (nothing) nothing.hidden = items.some((item) => !item.hidden);
}
// A browser that goes back keeps what was entered.
addEventListener("pageshow", () => { for (const place of document.querySelectorAll(".sheet-like")) sortOut(place); });

// A dialog takes the focus when it opens, and Tab stays inside; Escape gives it back, as the browser does for what pops up.
const dialogNow = () => [...document.querySelectorAll('[popover][role="dialog"]:popover-open')].at(-1);
document.addEventListener("toggle", ({ target, newState }) => {
  if (newState !== "open" || target.getAttribute("role") !== "dialog" || target.contains(document.activeElement)) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}, true);
addEventListener("keydown", (event) => {
  const dialog = event.key === "Tab" && dialogNow();
  if (!dialog) return;
  const stops = [...dialog.querySelectorAll("button, a[href], input, select, summary, [tabindex='0']")].filter((stop) => !stop.disabled && stop.getClientRects().length);
  const [first, last] = [stops[0], stops.at(-1)];
  const on = document.activeElement;
  const outside = !dialog.contains(on) || on === dialog;
  const to = event.shiftKey ? (outside || on === first) && last : (!dialog.contains(on) || on === last) && first;
  if (!to) return;
  to.focus();
  event.preventDefault();
});

// The lines of the log are one stop; arrow keys walk along them.
function rove() {
  const lines = [...document.querySelectorAll("#log-turns a")];
  const on = lines.find((line) => line === document.activeElement) ?? lines.find((line) => line.tabIndex === 0 && line.dataset.stop) ?? lines.at(-1);
  for (const line of lines) if (line.tabIndex !== (line === on ? 0 : -1)) line.tabIndex = line === on ? 0 : -1;
}
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches?.("#log-turns a")) return;
  for (const line of document.querySelectorAll("#log-turns a[data-stop]")) delete line.dataset.stop;
  target.dataset.stop = "1";
  rove();
});
function walkLog(key) {
  const lines = [...document.querySelectorAll("#log-turns a")];
  const at = lines.indexOf(document.activeElement);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: lines.length - 1 }[key];
  if (to === undefined) return false;
  lines[to]?.focus();
  return true;
}

// Menus open beside their card; the search field of a sheet filters its cards.
document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (event.newState !== "open" || !menu.dataset?.of) return;
  const card = document.querySelector(`[popovertarget="${menu.id}"]`).getBoundingClientRect();
  const left = Math.min(innerWidth - menu.offsetWidth - 8, Math.max(8, card.left + card.width / 2 - menu.offsetWidth / 2));
  const top = card.top - menu.offsetHeight - 8;
  Object.assign(menu.style, { margin: "0", inset: "auto", left: `${left}px`, top: `${top > 8 ? top : card.bottom + 8}px` });
  menu.querySelector("button")?.focus();
}, true);
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-search], [data-filter]")) sortOut(event.target.closest(".sheet, .sheet-like, .prompt"));
  if (event.target.matches("[data-scrub]")) {
    clearTimeout(press);
    const wanted = `moment/${event.target.value}${event.target.dataset.scrub}`;
    press = setTimeout(() => turnTo(wanted), 60);
  }
});

// --- The replay: turns pages in place, and runs by itself ----------------------------------------
let running = 0;
let turning = false;
let wanted = null;
/** Shows another moment. Of those that are asked for while one is on its way the last one counts. */
async function turnTo(address) {
  wanted = address;
  if (turning) return;
  turning = true;
  try {
    while (wanted) await turnOnce(wanted);
  } finally {
    turning = false;
  }
}
async function turnOnce(address) {
  wanted = null;
  const text = await pageAt(address);
  if (!text) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const before = places();
  // Going on shows what happens; going back, or far, only what is there.
  const moment = (table) => [Number(table.dataset.at), Number(table.dataset.from)];
  const [old, made] = [moment($("table")), moment(page.getElementById("table"))];
  const onwards = made[0] === old[0] ? made[1] > old[1] : made[0] > old[0] && made[0] - old[0] < 12;
  const effects = onwards ? JSON.parse(page.getElementById("table").dataset.effects ?? "[]") : [];
  const fallen = falling(effects);
  const speed = document.querySelector("[data-speed]")?.value;
  const scrubbing = document.activeElement?.matches("[data-scrub]");
  const on = document.activeElement?.rel ?? "";
  for (const id of ["table", "scrub"]) $(id)?.replaceWith(document.adoptNode(page.getElementById(id)));
  if (speed) document.querySelector("[data-speed]").value = speed;
  if (scrubbing) document.querySelector("[data-scrub]").focus();
  else if (on) document.querySelector(`.scrub a[rel="${on}"]`)?.focus();
  history.replaceState(null, "", new URL(address, base));
  enlarged = null;
  greeting.splice(0, Infinity, ...$("zoom").childNodes);
  glide(before, fallen);
  for (const effect of effects) { floatNumber(effect); sound(effect.kind, effect.by); }
  showRunning();
  settle();
  rove();
}
/** The turn that is shown is in sight among many. */
function showTurn() {
  document.querySelector(".turns [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}
function showRunning() {
  showTurn();
  const button = document.querySelector('[data-act="run"]');
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(Boolean(running)));
}
function run() {
  clearTimeout(running);
  running = setTimeout(async () => {
    const range = document.querySelector("[data-scrub]");
    if (!running || !range || range.value === range.max) { running = 0; showRunning(); return; }
    await turnTo(document.querySelector('.scrub a[rel="next"]').getAttribute("href"));
    if (running) run();
  }, Number(document.querySelector("[data-speed]")?.value ?? 1000));
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".scrub a[rel], .scrub .at-turn, .replay #log a");
  if (!link || link.rel === "" && !link.closest("#log, .turns") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  turnTo(link.getAttribute("href"));
});

// --- The stream -----------------------------------------------------------------------------------
const table = $("table");
let stream = null;
/** When the table was last heard. It sends a beat every two seconds; a network that swallows bytes breaks nothing,
 * so what is silent for longer is asked, and what does not answer is lost. */
let heard = performance.now(), asking = false;
const SILENCE = 3500, REPLY = 1800;
const here = (patience) => request("here", patience, { method: "POST" });
function found() {
  heard = performance.now();
  if (!document.body.dataset.lost) return;
  delete document.body.dataset.lost;
  notice(say.again);
}
function lost(words) {
  document.body.dataset.lost = "1";
  notice(words, 60000);
}
function tune() {
  stream?.close();
  stream = new EventSource(new URL(`events?number=${$("prompt")?.dataset.number ?? table.dataset.number}`, base));
  const mine = stream;
  stream.onmessage = (event) => { found(); receive(JSON.parse(event.data)); };
  // The first answer tells the table that this page answers beats: who falls silent right after it is missed, too.
  const beat = () => { found(); here(PATIENCE).catch(() => {}); };
  stream.addEventListener("beat", beat);
  stream.onopen = beat;
  stream.onerror = () => {
    if (mine !== stream) return;
    lost(say.lost);
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 500);
  };
}
async function listenForBeats() {
  if (asking || performance.now() - heard < SILENCE) return;
  asking = true;
  try {
    await here(REPLY);
    if (document.body.dataset.lost || stream.readyState !== EventSource.OPEN) tune();
    found();
  } catch {
    lost(say.silent ?? say.lost);
  } finally {
    asking = false;
  }
}
if (table && !document.body.classList.contains("replay")) {
  tune();
  setInterval(listenForBeats, 500);
}
if (table?.dataset.at && !document.body.classList.contains("replay")) deal();
mark();
read();
numberCards();
showRunning();
showSound();
entitle();
addEventListener("resize", () => { mark(); settle(); });
review();
shuffle();
settle();
rove();
