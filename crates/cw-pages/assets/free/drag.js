// The pointer: mouse, pen and finger alike. While something is dragged only transforms change; nothing is measured.
//
// In reading order: `down` keeps where something was pressed; `moved` begins a drag once the pointer has gone far enough;
// `dragOf` decides what is dragged, and `begin` measures everything that will be needed; `step` shows one frame of it; `up`
// drops it, by one function for each kind of thing; `click` is a press that became no drag. Two fingers are at the end.

import {
  $, S, act, cardOf, cards, chosen, deck, el, group, hand, kit, meant, pile, pileOf, place, quoted, signal, targetOf, when,
} from "./state.js";
import {
  camera, draw, drawChosen, elementOf, handOrder, held, layHand, middle, noteTransform, pan, reorderHand, shiftOf, toTable,
  transformOf, zoomAt,
} from "./table.js";
import { notice, openMenu, picked } from "./dialogs.js";
import { decks } from "./decks.js";
import { cardMenu, editNote, pileMenu, tableMenu, usual, usualOfPile } from "./menu.js";
import { lookInto, preview, zoom } from "./windows.js";

/** Where the fingers and the mouse are that are down, by their pointers' ids. @type {Map<number, Point>} */
const touches = new Map();
/** What is dragged. @type {FreeDrag | null} */
let drag = null;
/** What is pressed and not dragged yet. @type {FreePress | null} */
let press = null;
/** The frame that the browser was asked for. */
let frame = 0;
/**
 * Where the pointer was last, and which keys were held with it.
 * @type {[x: number, y: number, shift: boolean, alt: boolean]}
 */
let last = [0, 0, false, false];
let spaceHeld = false;
/** @param {boolean} on */
export const holdSpace = (on) => { spaceHeld = on; };
export const isDragging = () => drag !== null;
/** What lies under the pointer: for keys. @type {{ handle: number | null, pile: number | null }} */
export const under = { handle: null, pile: null };

/** @type {(target: Element) => number | null} */
const handleAt = (target) => { const one = target.closest("[data-h]"); return one ? Number(one.dataset.h) : null; };
/** @type {(target: Element) => number | null} */
const pileAt = (target) => { const one = target.closest("[data-pile]"); return one ? Number(one.dataset.pile) : null; };
/** @type {(point: Point) => Point} */
const rounded = ([x, y]) => [Math.round(x), Math.round(y)];

export function start() {
  const felt = $("felt");
  when(document, "pointerdown", down);
  when(document, "pointermove", moved, { passive: true });
  when(document, "pointerup", up);
  when(document, "pointercancel", cancel);
  // In the capture phase, before `keys.js` hears of it: Escape ends the drag and closes no window.
  when(document, "keydown", (event) => { if (event.key === "Escape" && drag) { cancel(); event.stopPropagation(); } }, true);
  when(felt, "wheel", (event) => {
    event.preventDefault();
    const box = feltBox();
    // Some browsers count lines of a wheel, not pixels (`deltaMode` 1): a line is worth more.
    zoomAt(event.clientX - box.left, event.clientY - box.top, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
  }, { passive: false });
  when(document, "contextmenu", (event) => {
    const target = targetOf(event);
    if (target.closest("input, .menu, dialog, #log")) return;
    event.preventDefault();
    // A finger that rests raises this event, too. A long press shows the card large instead (F197).
    if (drag || press?.touch) return;
    menuAt(target, event.clientX, event.clientY);
  });
  when(document, "dblclick", (event) => {
    const target = targetOf(event);
    if (target.closest("dialog, .window")) return;
    const handle = handleAt(target), one = pileAt(target);
    const note = target.closest(".note");
    if (note) editNote(Number(note.dataset.note));
    else if (handle !== null) usual(handle);
    else if (one !== null && target.closest(".pile")) usualOfPile(one);
  });
  addEventListener("resize", () => { box = null; });
  addEventListener("blur", () => { spaceHeld = false; });
}
/** @type {DOMRect | null} */
let box = null;
const feltBox = () => (box ??= $("felt").getBoundingClientRect());

/** Opens the menu of what is at a place of the screen. @param {Element} target @param {number} x @param {number} y */
function menuAt(target, x, y) {
  const handle = handleAt(target), one = pileAt(target);
  const note = target.closest(".note");
  if (note) {
    const id = Number(note.dataset.note);
    const change = { words: "Change it …", run: () => editNote(id) };
    openMenu([change, { words: "Remove it", run: () => act(`removenote ${id}`) }], x, y);
  } else if (handle !== null) {
    if (!chosen.has(handle)) { chosen.clear(); drawChosen(); }
    openMenu(cardMenu(handle), x, y);
  } else if (one !== null) openMenu(pileMenu(one), x, y);
  else if (target.closest("#felt")) openMenu(tableMenu(...toTable(x - feltBox().left, y - feltBox().top)), x, y);
}

/** @param {PointerEvent} event */
function down(event) {
  const target = targetOf(event);
  preview(null);
  if (target.closest("dialog, .menu, #side, #tools, #questions, #turn, input, .counter")) return;
  // The page may have a new layout since the last press, so the cloth is measured anew.
  box = null;
  touches.set(event.pointerId, [event.clientX, event.clientY]);
  // A second finger ends what the first one began: two of them zoom and pan (F197).
  if (touches.size === 2 && event.pointerType === "touch") { cancel(); pinch(); return; }
  if (press || drag || event.button === 2) return;
  const handle = handleAt(target), one = pileAt(target);
  if (handle === null && one === null && !target.closest("#felt")) return;
  // A finger that rests on a card must not select text or scroll.
  if (handle !== null || one !== null) event.preventDefault();
  const marker = target.closest(".mk"), thumb = Boolean(target.closest(".thumb"));
  press = {
    id: event.pointerId, x: event.clientX, y: event.clientY, time: performance.now(),
    touch: event.pointerType === "touch", button: event.button, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey,
    target, handle, pile: handle === null || thumb ? one : null, marker: marker ? Number(marker.dataset.kind) : null, thumb,
    note: target.closest(".note"), long: 0,
  };
  if (press.touch && handle !== null) {
    press.long = setTimeout(() => { if (press && !drag) { press = null; zoom(handle); } }, 550);
  }
}

/** @param {PointerEvent} event */
function moved(event) {
  if (touches.has(event.pointerId)) touches.set(event.pointerId, [event.clientX, event.clientY]);
  if (pinching) { pinchMove(pinching); return; }
  last = [event.clientX, event.clientY, event.shiftKey, event.altKey];
  // A pointer may move more often than frames are shown. Only the last place counts, so one frame is
  // asked for.
  if (drag) { if (event.pointerId === drag.id && !frame) frame = requestAnimationFrame(step); return; }
  if (press && event.pointerId === press.id) {
    // A finger is less steady than a mouse: its drag begins after 8 px (F197).
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > (press.touch ? 8 : 4)) begin(press);
    return;
  }
  if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return;
  const target = event.target, onFelt = target.closest("#felt");
  under.handle = handleAt(target); under.pile = pileAt(target);
  preview(onFelt ? under.handle : null);
  if (onFelt) tellPointer(event.clientX, event.clientY);
}
/** Tells the others where the pointer is. @param {number} x @param {number} y */
function tellPointer(x, y) {
  const at = toTable(x - feltBox().left, y - feltBox().top);
  const seen = under.handle !== null && place.get(under.handle) === "table" ? [under.handle] : [];
  signal({ at: rounded(at), cards: seen });
}

/** What the pointer drags is decided here, and everything that is measured is measured here. @param {FreePress} from */
function begin(from) {
  clearTimeout(from.long);
  press = null;
  const felt = feltBox();
  const what = dragOf(from);
  if (!what) return;
  const goals = [...document.querySelectorAll(".pile[data-pile], #hand[data-pile], .window[data-pile]")];
  drag = {
    id: from.id, x: from.x, y: from.y, touch: from.touch, time: from.time, felt, marked: null,
    goals: goals.map((one) => ({ id: Number(one.dataset.pile), box: one.getBoundingClientRect(), one })), ...what,
  };
  document.body.classList.add("dragging");
}
/** What is dragged of what was pressed; nothing, if it stays. @param {FreePress} from @returns {DraggedThing | null} */
function dragOf(from) {
  const { handle, marker, target } = from, watches = S.me === null;
  const isNothing = handle === null && from.pile === null;
  // The whole table.
  if (from.button === 1 || spaceHeld || (isNothing && (from.touch && !from.note || watches))) {
    return { kind: "pan", at: [camera.x, camera.y] };
  }
  if (!watches && handle !== null) {
    // A marker that the package does not let be dragged (F94) moves its card like the rest of its
    // picture.
    if (marker !== null && kit.markers[marker]?.drag) {
      return { kind: "marker", marker, card: handle, ghost: ghost(markerGhost(marker)) };
    }
    if (from.shift && place.get(handle) === "table" && !from.thumb) return { kind: "arrow", card: handle };
    if (from.thumb) return { kind: "thumb", handles: [handle], ghost: ghost(thumbGhost(target)) };
    return cardsDrag(handle);
  }
  if (!watches && from.pile !== null && pile(from.pile)?.count && !target.closest("#hand, .window")) {
    return { kind: "pile", pile: from.pile, ghost: ghost(thumbGhost(target.closest(".pile"))) };
  }
  if (from.note && !watches) {
    const { note: element } = from;
    const note = S.notes.find((one) => one.id === Number(element.dataset.note));
    return note ? { kind: "note", note, element, was: element.style.transform, by: null, kept: false } : null;
  }
  if (!isNothing) return null;
  // The empty cloth is left, under a mouse or a pen: a frame chooses own cards (F192), with Ctrl besides
  // those chosen before.
  $("frame").hidden = false;
  if (!from.ctrl) chosen.clear();
  const mine = S.table.map(cardOf).filter((card) => card.by === S.me && !card.anchored);
  return { kind: "frame", before: new Set(chosen), cards: mine };
}
/** @type {(one: HTMLElement) => HTMLElement} */
function ghost(one) {
  one.classList.add("ghost");
  $("drag").append(one);
  return one;
}
/** @param {number} marker */
function markerGhost(marker) {
  const { picture, name } = kit.markers[marker];
  return picture ? el("img", { src: `/free/marker/${marker}`, alt: "", width: 30, height: 30 })
    : el("span", { className: "mk", textContent: name });
}
/** @param {Element | null} target */
function thumbGhost(target) {
  const picture = target?.querySelector("img")?.cloneNode() ?? el("span", {}, "?");
  const made = el("div", { className: "ghostcard" }, picture);
  const width = Math.max(44, kit.card[0] * camera.zoom);
  made.style.width = `${width}px`;
  made.style.height = `${width * kit.card[1] / kit.card[0]}px`;
  return made;
}
/** @param {number} handle @returns {DraggedThing | null} */
function cardsDrag(handle) {
  if (!chosen.has(handle)) { chosen.clear(); drawChosen(); }
  const handles = meant(handle).filter((one) => !cardOf(one).anchored);
  if (!handles.length) return null;
  const isTable = place.get(handle) === "table";
  // What is attached goes along (F105).
  const tied = isTable ? S.table.filter((one) => {
    const { host } = cardOf(one);
    return host && handles.includes(host) && !handles.includes(one);
  }) : [];
  /** @type {DraggedCard[]} */
  const moving = [...handles, ...tied].flatMap((other) => {
    const one = elementOf(other);
    return one ? [{ one, card: cardOf(other), was: one.style.transform }] : [];
  });
  // A card in `held` stays at the pointer if the table changes meanwhile: `draw` does not place it.
  for (const { one, card } of moving) {
    one.classList.add("drag");
    one.style.zIndex = String(9000 + (isTable ? S.table.indexOf(card.h) : 0));
    held.add(card.h);
  }
  // Edges of other cards that this one may snap to.
  const snaps = isTable ? S.table.filter((one) => !handles.includes(one)).map(cardOf) : [];
  return { kind: "cards", handles, isTable, moving, lead: cardOf(handle), snaps, by: null };
}

/** One frame of a drag: no measure, no layout. */
function step() {
  frame = 0;
  if (!drag) return;
  const [x, y] = last;
  const dx = x - drag.x, dy = y - drag.y;
  if (drag.kind === "pan") { pan(drag.at[0] + dx - camera.x, drag.at[1] + dy - camera.y); return; }
  const at = rounded(toTable(x - drag.felt.left, y - drag.felt.top));
  switch (drag.kind) {
    case "cards":
      // Cards of the table move in its coordinates, so each gets a new transform. Cards of the hand move
      // on the screen: the shift is put before the transform that they have.
      if (drag.isTable) {
        const by = drag.by = snapped(drag, ...shiftOf(dx, dy));
        for (const { one, card } of drag.moving) one.style.transform = transformOf(card, ...by);
        signal({ at, cards: drag.handles, shift: by });
      } else for (const { one, was } of drag.moving) one.style.transform = `translate(${dx}px, ${dy}px) ${was}`;
      break;
    case "note":
      drag.by = rounded(shiftOf(dx, dy));
      drag.element.style.transform = noteTransform(drag.note, ...drag.by);
      break;
    case "frame": frameTo(drag, x, y); break;
    case "arrow": break;
    default:
      drag.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
      signal({ at, cards: [] });
  }
  mark(drag, goalAt(drag, x, y));
}
/**
 * Chooses the cards whose middle is in the frame.
 * @param {FreeDrag & { kind: "frame" }} drag @param {number} x @param {number} y
 */
function frameTo(drag, x, y) {
  const left = Math.min(x, drag.x) - drag.felt.left, top = Math.min(y, drag.y) - drag.felt.top;
  const wide = Math.abs(x - drag.x), high = Math.abs(y - drag.y);
  $("frame").style.transform = `translate(${left}px, ${top}px) scale(${wide}, ${high})`;
  const one = toTable(left, top), other = toTable(left + wide, top + high);
  const [x1, x2] = [Math.min(one[0], other[0]), Math.max(one[0], other[0])];
  const [y1, y2] = [Math.min(one[1], other[1]), Math.max(one[1], other[1])];
  chosen.clear();
  drag.before.forEach((handle) => chosen.add(handle));
  for (const { h } of drag.cards) {
    const card = S.cards.get(h);
    if (!card) continue;
    const [u, v] = middle(card);
    if (u > x1 && u < x2 && v > y1 && v < y2) chosen.add(h);
  }
  drawChosen();
}
/**
 * Near the edge of another card a card takes its line; Alt prevents that.
 * @param {FreeDrag & { kind: "cards" }} drag @param {number} u @param {number} v @returns {Point}
 */
function snapped({ lead, snaps }, u, v) {
  if (last[3]) return rounded([u, v]);
  // 7 px of the screen, in units of the table; where cards are shown very small, at most 17.5 units.
  const near = 7 / Math.max(camera.zoom, 0.4);
  const [x, y] = [lead.at[0] + u, lead.at[1] + v];
  let [bestX, bestY] = [near, near], [sx, sy] = [0, 0];
  for (const { at: [left, top], size: [w, h] } of snaps) {
    if (Math.abs(left - x) > 2.5 * w || Math.abs(top - y) > 2 * h) continue;
    // A card may take an edge of the other, or lie beside it with a gap. Along y it may also lie a fifth
    // of the height further up or down, as in a fanned column.
    const gap = Math.round(w * 0.05), fan = Math.round(h * 0.2);
    for (const edge of [left, left + w + gap, left - lead.size[0] - gap]) {
      if (Math.abs(edge - x) < bestX) { bestX = Math.abs(edge - x); sx = edge - x; }
    }
    for (const edge of [top, top + fan, top - fan, top + h + gap, top - lead.size[1] - gap]) {
      if (Math.abs(edge - y) < bestY) { bestY = Math.abs(edge - y); sy = edge - y; }
    }
  }
  return rounded([u + sx, v + sy]);
}
/**
 * The pile, hand or window at a place of the screen: of several the last.
 * @param {FreeDrag} drag @param {number} x @param {number} y
 */
const goalAt = ({ goals }, x, y) =>
  goals.findLast(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
/** Shows where cards would go. @param {FreeDrag} drag @param {DragGoal | undefined} goal */
function mark(drag, goal) {
  const one = goal && ["cards", "thumb", "pile"].includes(drag.kind) ? goal.one : null;
  if (drag.marked === one) return;
  drag.marked?.classList.remove("goal");
  drag.marked = one;
  one?.classList.add("goal");
}

/** @param {PointerEvent} event */
async function up(event) {
  touches.delete(event.pointerId);
  if (pinching) { if (touches.size < 2) pinching = null; press = null; return; }
  if (!drag) { if (press?.id === event.pointerId) click(event, press); return; }
  if (event.pointerId !== drag.id) return;
  const { clientX: x, clientY: y } = event;
  last = [x, y, event.shiftKey, event.altKey];
  // The last frame may lie behind the pointer, and `by` with it. It is made up for here, or cards would
  // land short of where they were dropped.
  if (frame) cancelAnimationFrame(frame);
  step();
  const done = drag, { felt } = done;
  const inside = x >= felt.left && x <= felt.right && y >= felt.top && y <= felt.bottom;
  const goal = goalAt(done, x, y), at = toTable(x - felt.left, y - felt.top);
  /** @type {FreeDrop} */
  const drop = { x, goal, inside, at, shift: event.shiftKey, alt: event.altKey };
  end(done);
  const isFlick = done.touch && performance.now() - done.time < 350 && done.y - y > 24;
  // The drag ends before the answer comes, so another can begin. Until then dragged cards stay where
  // they were dropped: released earlier they would jump back first.
  try {
    switch (done.kind) {
      case "pan": case "frame": break;
      case "cards": case "thumb": await dropCards(done, drop); break;
      case "pile": if (isFlick) await act(`draw ${group(done.pile)} 1`); else await dropTop(done.pile, drop); break;
      case "note": await dropNote(done); break;
      case "marker": await dropMarker(done.marker, done.card, drop); break;
      case "arrow": {
        const to = topAt(drop.at, done.card);
        if (to !== null) await act(`arrow ${cards([done.card])} to ${cards([to])}`);
      }
    }
  } finally { release(done); }
}
/** What is shown of a drag goes, before what it does is known. @param {FreeDrag} done */
function end(done) {
  mark(done, undefined);
  drag = null;
  document.body.classList.remove("dragging");
  if ("ghost" in done) done.ghost.remove();
  $("frame").hidden = true;
}
/** @param {FreeDrag} done */
function release(done) {
  if (done.kind === "cards") {
    for (const { one, card } of done.moving) { one.classList.remove("drag"); held.delete(card.h); }
    draw();
  }
  if (done.kind === "note" && !done.kept) done.element.style.transform = done.was;
}
/** Where cards land whose middle is here. @param {Point} at @param {readonly number[]} size */
const corner = ([u, v], [wide, high]) => `${Math.round(u - wide / 2)},${Math.round(v - high / 2)}`;

/** @param {FreeDrag & { kind: "cards" | "thumb" }} done @param {FreeDrop} drop */
async function dropCards(done, { x, goal, inside, at, shift, alt }) {
  const { handles } = done, what = cards(handles), [first] = handles;
  if (goal && goal.id !== place.get(first)) {
    await act(`move ${what} to ${group(goal.id)}${alt ? " bottom" : ""}`);
    chosen.clear();
    return;
  }
  // The order of the own hand is a matter of this page: no verb, and others do not see it.
  if (goal?.one.id === "hand") { reorderHand(first, handUnder(x, first)); return; }
  if (goal || !inside) return;
  if (done.kind === "cards" && done.isTable) {
    const [u, v] = done.by ?? [0, 0];
    // The first of the selection in the table's order leads (F64).
    const lead = cardOf(S.table.find((handle) => handles.includes(handle)) ?? first);
    if (u || v) await act(`place ${what} ${lead.at[0] + u},${lead.at[1] + v}`);
  } else {
    await act(`place ${what} ${corner(at, cardOf(first).size)}${shift ? " down" : ""}`);
    chosen.clear();
  }
}
/** The card of the hand that one dropped here comes before. @param {number} x @param {number} moved */
function handUnder(x, moved) {
  const after = handOrder().find((handle) => {
    const rect = handle !== moved && elementOf(handle)?.getBoundingClientRect();
    return rect && rect.left + rect.width / 2 > x;
  });
  return after ?? null;
}
/** Without an answer that it is there the note goes back. @param {FreeDrag & { kind: "note" }} done */
async function dropNote(done) {
  if (!done.by) return;
  const { note: { id, x, y }, by: [u, v] } = done;
  done.kept = Boolean(await act(`movenote ${id} ${x + u},${y + v}`));
}
/** @param {number} id @param {FreeDrop} drop */
async function dropTop(id, { goal, inside, at, shift, alt }) {
  const one = pile(id);
  if (!one?.count || goal?.id === one.id) return;
  // Of a pile without order it is the card that drawing takes.
  const top = one.ordered ? "@1" : one.cards[0]?.[0] ?? "@1";
  if (top === "@1" && goal && goal.id === hand()?.id) { await act(`draw ${group(one.id)} 1`); return; }
  const to = goal && `to ${group(goal.id)}${alt ? " bottom" : ""}`;
  if (to && top === "@1" && !one.ordered) await act(`movetop ${group(one.id)} 1 ${to}`);
  else if (to) await act(`move ${group(one.id)}:${top} ${to}`);
  else if (inside) await act(`place ${group(one.id)}:${top} ${corner(at, kit.card)}${shift ? " down" : ""}`);
}
/** @param {number} marker @param {number} card @param {FreeDrop} drop */
async function dropMarker(marker, card, { inside, at, shift, alt }) {
  const name = quoted(kit.markers[marker].name);
  const count = S.cards.get(card)?.markers?.find(([kind]) => kind === marker)?.[1] ?? 1;
  const many = shift ? count : 1;
  const to = inside ? topAt(at, null) : null;
  if (to === card) return;
  // Dropped on no card, markers are removed (F192).
  if (to === null) await act(`marker ${cards([card])} ${name} -${many}`);
  else await act(`${alt ? "copymarker" : "movemarker"} ${cards([card])} to ${cards([to])} ${name} ${many}`);
}
/** The uppermost card of the table at a place. @param {Point} at @param {number | null} but */
function topAt([u, v], but) {
  return S.table.findLast((handle) => {
    const card = cardOf(handle);
    // The box of a card that lies across has its width and its height exchanged.
    const across = ((card.quarter ?? 0) + (card.side ?? 0)) % 2 === 1;
    const [w, h] = across ? [card.size[1], card.size[0]] : card.size;
    const [x, y] = middle(card);
    return handle !== but && Math.abs(u - x) <= w / 2 && Math.abs(v - y) <= h / 2;
  }) ?? null;
}

/** What a finger has tapped last, but for cards. @type {Element | "felt" | null} */
let lastTap = null;
/** The card that was clicked last, and when. @type {{ handle: number | null, at: number }} */
let lastClick = { handle: null, at: 0 };
/** Two presses within so many milliseconds are a double click. */
const DOUBLE_CLICK = 500;
/** A press that became no drag. @param {PointerEvent} event @param {FreePress} pressed */
function click(event, { handle, touch, ctrl, shift, pile: onPile, target, thumb, long, note }) {
  clearTimeout(long);
  press = null;
  if (event.button === 1 || thumb) return;
  if (picked(handle)) return;
  if (handle !== null) { clickCard(event, handle, touch, ctrl, shift); return; }
  if (onPile !== null && target.closest(".pile")) { clickPile(event, pileOf(onPile), touch); return; }
  if (note) {
    // The second tap in a row opens what a double click or a right button would.
    if (touch && lastTap === note) editNote(Number(note.dataset.note));
    lastTap = note;
    return;
  }
  const { clientX: x, clientY: y } = event;
  if (touch && chosen.size === 0 && lastTap === "felt") menuAt($("felt"), x, y);
  lastTap = "felt";
  chosen.clear();
  $("felt").focus({ preventScroll: true });
  drawChosen();
}
/** @param {PointerEvent} event @param {number} handle @param {boolean} touch @param {boolean} ctrl @param {boolean} shift */
function clickCard(event, handle, touch, ctrl, shift) {
  if (S.me !== null && shift && place.get(handle) === "table") {
    act(`${S.cards.get(handle)?.target === S.me ? "untarget" : "target"} ${cards([handle])}`);
    return;
  }
  // Tapping the only chosen card again opens its menu (F197).
  if (touch && chosen.has(handle) && chosen.size === 1) { openMenu(cardMenu(handle), event.clientX, event.clientY); return; }
  // A selection lies in one group (F64): with Ctrl, a card of another group begins a new one.
  if (ctrl && place.get(handle) === place.get([...chosen][0] ?? handle)) {
    if (chosen.has(handle)) chosen.delete(handle); else chosen.add(handle);
  } else { chosen.clear(); chosen.add(handle); }
  elementOf(handle)?.focus({ preventScroll: true });
  // The package's scripts hear of a click. The second press of a double click is not one more (a `pointerup` does not
  // count presses, as a `click` does).
  const isSecond = lastClick.handle === handle && event.timeStamp - lastClick.at < DOUBLE_CLICK;
  lastClick = { handle, at: event.timeStamp };
  if (kit.clicks && S.me !== null && !isSecond) act(`click ${cards([handle])}`);
  lastTap = null;
  drawChosen();
}
/** @param {PointerEvent} event @param {FreePile} one @param {boolean} touch */
function clickPile(event, one, touch) {
  const isDeck = one.id === deck()?.id;
  if (isDeck && one.count === 0) decks();
  else if (touch) openMenu(pileMenu(one.id), event.clientX, event.clientY);
  else if (isDeck) notice("A double click or D draws a card; a right click shows all that can be done with the deck.");
  else if (one.viewers === "everybody" || one.id === hand()?.id) lookInto(one.id);
}

/** Ends what the pointer does, and nothing has happened. @param {PointerEvent} [event] */
function cancel(event) {
  if (event) touches.delete(event.pointerId);
  clearTimeout(press?.long);
  press = null;
  if (!drag) return;
  const done = drag;
  end(done);
  release(done);
  layHand();
}

// --- two fingers ------------------------------------------------------------------------------------

/** How far the fingers were from each other, and where their middle was. @type {FreePinch | null} */
let pinching = null;
/** @returns {FreePinch} */
function fingers() {
  const [[x1, y1], [x2, y2]] = touches.values();
  return { far: Math.hypot(x2 - x1, y2 - y1), x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}
function pinch() { pinching = fingers(); }
/** @param {FreePinch} before */
function pinchMove(before) {
  if (touches.size < 2) return;
  const now = fingers(), felt = feltBox();
  // First the table follows the middle of the fingers, then it grows about the place where that is now.
  pan(now.x - before.x, now.y - before.y);
  zoomAt(now.x - felt.left, now.y - felt.top, now.far / (before.far || 1));
  pinching = now;
}
