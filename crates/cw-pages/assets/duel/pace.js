// The pace at which acts are shown. The table sends a frame for each act; `receive` lets it wait, `next` shows it and then
// rests for as long as `hold` says. A person sees so what the other player does, and whoever does not want to watch cuts it
// short: `hurry` shows the end of what waits at once. How a frame is shown is none of this room's business: `showWith` says.

import { $, asksNow, recall, say, speed, targetOf } from "./page.js";

/** Shows one frame. @type {(frame: Frame) => void} */
let show = () => {};
export function showWith(/** @type {(frame: Frame) => void} */ use) { show = use; }


/** What is not shown yet. @type {Frame[]} */
const waiting = [];
/** What shows the next frame, while one is looked at. */
let timer = 0;
/** Somebody does not want to watch, until the seat is asked again. */
let hurried = false;
/** When the seat answered, or the acts that are being shown began. */
let began = 0;

/** What the eye needs for each kind of thing that happens, in milliseconds. @type {Record<string, number>} */
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
function joined(/** @type {Frame[]} */ frames) {
  const last = frames.at(-1);
  if (!last || !frames[1]) return last;
  /** @type {Map<string, Frame["swap"][0]>} */
  const swap = new Map();
  /** @type {Set<string>} */
  const gone = new Set();
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
function moment(/** @type {Frame} */ frame) {
  if (frame.fight) return 0;
  const moments = frame.effects.map(({ kind }) => MOMENTS[kind] ?? 0).filter(Boolean);
  // A person knows what their own hand does.
  if (frame.by === "me" && !frame.effects.some(({ kind }) => ["blow", "hit", "hp", "ko"].includes(kind))) return moments.length && LEAST;
  if (!moments.length) return frame.aloud && frame.by === "them" ? LEAST : 0;
  return Math.min(Math.max(...moments) + 200 * (moments.length - 1), 1500);
}

/** How long this frame stays: less than it likes to if many follow. */
function hold(/** @type {Frame} */ frame) {
  const left = Math.max(0, began + whole() - performance.now());
  if (recall("speed") === "fast") {
    const likes = (/** @type {Frame} */ one) => (one.fight ? BLOW : moment(one)) * speed();
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
export const playing = () => !asksNow() && (waiting.length > 0 || timer > 0);
/** Tells the page, and whoever tests it, that acts are being shown. */
function showing() {
  entitle();
  document.documentElement.toggleAttribute("data-showing", playing());
}
/** Shows at once all that waits. */
export function hurry() {
  if (!asksNow()) hurried = true;
  while (waiting.length) next();
  clearTimeout(timer);
  timer = 0;
  $("zoom")?.classList.remove("presents");
  showing();
}
/** The seat has answered: what is still shown is over, and what comes of the answer is a show of its own. */
export function begin() {
  hurry();
  [hurried, began] = [false, performance.now()];
}

/** Takes a frame that the table has sent. */
export function receive(/** @type {Frame} */ frame) {
  // Any news before a duel is of another page.
  if ($("table")?.classList.contains("gathering")) { import("./gather.js").then(({ gather }) => gather()); return; }
  if (frame.reload) { location.reload(); return; }
  // What comes after a long thought is a show of its own.
  if (!timer && !waiting[0] && performance.now() - began > whole()) began = 0;
  waiting.push(frame);
  // What is shown without a pause is one change of the page: its layout is made once, not for each blow.
  if (atOnce() && frame.more) return;
  if (!timer || atOnce()) next();
}
/** A click cuts the show short and means nothing else: the question was not on the screen yet. */
export function cutsShort(/** @type {MouseEvent} */ event) {
  if (!playing() || !event.isTrusted || targetOf(event).closest(".tools, [popover], #log, #zoom, .pile")) return false;
  hurry();
  return true;
}

const title = document.title;
/** The title of the tab says when the seat is asked. */
export function entitle() {
  document.title = asksNow() && !document.querySelector("#prompt .result") && say.turn ? `${say.turn} · ${title}` : title;
}
