// The pointer: mouse, pen and finger alike. While something is dragged only transforms change; nothing is measured.

import { $, S, act, cards, chosen, deck, el, group, hand, kit, meant, pile, place, quoted, signal, when } from "./state.js";
import { camera, draw, drawChosen, elementOf, handOrder, held, layHand, noteTransform, pan, reorderHand, shiftOf, toTable, transformOf, zoomAt } from "./table.js";
import { cardMenu, decks, editNote, lookInto, openMenu, picked, pileMenu, preview, tableMenu, zoom } from "./menu.js";
import { usual, usualOfPile } from "./keys.js";
import { notice } from "./panels.js";

const touches = new Map();
let drag = null;
let press = null;
let frame = 0;
let spaceHeld = false;
export const holdSpace = (on) => { spaceHeld = on; };
export const isDragging = () => drag !== null;
/** What lies under the pointer: for keys. */
export const under = { handle: null, pile: null };

const handleOf = (target) => { const one = target.closest?.("[data-h]"); return one ? Number(one.dataset.h) : null; };
const pileOf = (target) => { const one = target.closest?.("[data-pile]"); return one ? Number(one.dataset.pile) : null; };

export function start() {
  const felt = $("felt");
  when(document, "pointerdown", down);
  when(document, "pointermove", moved, { passive: true });
  when(document, "pointerup", up);
  when(document, "pointercancel", cancel);
  when(document, "keydown", (event) => { if (event.key === "Escape" && drag) { cancel(); event.stopPropagation(); } }, true);
  when(felt, "wheel", (event) => {
    event.preventDefault();
    const box = feltBox();
    zoomAt(event.clientX - box.left, event.clientY - box.top, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
  }, { passive: false });
  when(document, "contextmenu", (event) => {
    if (event.target.closest("input, .menu, dialog, #log")) return;
    event.preventDefault();
    if (drag || press?.touch) return;
    menuAt(event.target, event.clientX, event.clientY);
  });
  when(document, "dblclick", (event) => {
    if (event.target.closest("dialog, .window")) return;
    const handle = handleOf(event.target), one = pileOf(event.target);
    const note = event.target.closest(".note");
    if (note) editNote(Number(note.dataset.note));
    else if (handle !== null) usual(handle);
    else if (one !== null && event.target.closest(".pile")) usualOfPile(one);
  });
  addEventListener("resize", () => { box = null; });
  addEventListener("blur", () => { spaceHeld = false; });
}
let box = null;
const feltBox = () => (box ??= $("felt").getBoundingClientRect());

export function menuAt(target, x, y) {
  const handle = handleOf(target), one = pileOf(target);
  const note = target.closest(".note");
  if (note) { const id = Number(note.dataset.note); openMenu([{ words: "Change it …", run: () => editNote(id) }, { words: "Remove it", run: () => act(`removenote ${id}`) }], x, y); return; }
  if (handle !== null) { if (!chosen.has(handle)) { chosen.clear(); drawChosen(); } openMenu(cardMenu(handle), x, y); return; }
  if (one !== null) { openMenu(pileMenu(one), x, y); return; }
  if (target.closest("#felt")) { const at = toTable(x - feltBox().left, y - feltBox().top); openMenu(tableMenu(...at), x, y); }
}

function down(event) {
  const { target } = event;
  preview(null);
  if (target.closest("dialog, .menu, #side, #tools, #questions, #turn, input, .counter")) return;
  box = null;
  touches.set(event.pointerId, [event.clientX, event.clientY]);
  if (touches.size === 2 && event.pointerType === "touch") { cancel(); pinch(); return; }
  if (press || drag || event.button === 2) return;
  const handle = handleOf(target), one = pileOf(target);
  if (handle === null && one === null && !target.closest("#felt")) return;
  // A finger that rests on a card must not select text or scroll.
  if (handle !== null || one !== null) event.preventDefault?.();
  const marker = target.closest(".mk");
  press = { id: event.pointerId, x: event.clientX, y: event.clientY, handle, pile: handle === null || target.closest(".thumb") ? one : null, touch: event.pointerType === "touch", button: event.button,
    shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey, marker: marker ? Number(marker.dataset.kind) : null, thumb: Boolean(target.closest(".thumb")), note: target.closest(".note"), target, time: performance.now() };
  if (press.touch && handle !== null) press.long = setTimeout(() => { if (press && !drag) { press = null; zoom(handle); } }, 550);
}

function moved(event) {
  if (touches.has(event.pointerId)) touches.set(event.pointerId, [event.clientX, event.clientY]);
  if (pinching) { pinchMove(); return; }
  last = [event.clientX, event.clientY, event.shiftKey, event.altKey];
  if (drag) { if (event.pointerId === drag.id && !frame) frame = requestAnimationFrame(step); return; }
  if (press && event.pointerId === press.id) {
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > (press.touch ? 8 : 4)) begin();
    return;
  }
  if (event.pointerType === "mouse" && event.target.closest) {
    under.handle = handleOf(event.target); under.pile = pileOf(event.target);
    preview(event.target.closest("#felt") ? under.handle : null);
    if (event.target.closest("#felt")) tellPointer(event.clientX, event.clientY);
  }
}
let last = [0, 0, false, false];
function tellPointer(x, y, more = {}) {
  const [u, v] = toTable(x - feltBox().left, y - feltBox().top);
  const seen = under.handle !== null && place.get(under.handle) === "table" ? [under.handle] : [];
  signal({ at: [Math.round(u), Math.round(v)], cards: seen, ...more });
}

/** What the pointer drags is decided here, and everything that is measured is measured here. */
function begin() {
  clearTimeout(press.long);
  const from = press;
  const felt = feltBox();
  drag = { id: from.id, x: from.x, y: from.y, shift: from.shift, alt: from.alt, kind: "pan", at: [camera.x, camera.y] };
  const watches = S.me === null;
  if (from.button === 1 || spaceHeld || (from.handle === null && from.pile === null && (from.touch && !from.note || watches))) { /* the whole table */ }
  else if (from.marker !== null && from.handle !== null && kit.markers[from.marker]?.drag && !watches) ghost("marker", markerGhost(from));
  else if (from.handle !== null && from.shift && place.get(from.handle) === "table" && !from.thumb && !watches) Object.assign(drag, { kind: "arrow", from: from.handle });
  else if (from.handle !== null && from.thumb && !watches) { ghost("cards", thumbGhost(from.target)); drag.handles = [from.handle]; }
  else if (from.handle !== null && !watches) beginCards(from.handle);
  else if (from.pile !== null && !watches && pile(from.pile)?.count && !from.target.closest("#hand, .window")) {
    const one = pile(from.pile);
    ghost("pile", thumbGhost(from.target.closest(".pile")));
    drag.pile = one.id;
  } else if (from.note && !watches) {
    const note = S.notes.find((one) => one.id === Number(from.note.dataset.note));
    if (!note) { drag = null; press = null; return; }
    Object.assign(drag, { kind: "note", note, element: from.note, was: from.note.style.transform });
  } else if (from.handle === null && from.pile === null) {
    drag.kind = "frame";
    drag.felt = [felt.left, felt.top];
    $("frame").hidden = false;
    if (!from.ctrl) chosen.clear();
    drag.before = new Set(chosen);
    drag.middles = S.table.filter((handle) => S.cards.get(handle).by === S.me && !S.cards.get(handle).anchored);
  } else { drag = null; press = null; return; }
  drag.goals = [...document.querySelectorAll(".pile[data-pile], #hand[data-pile], .window[data-pile]")].map((one) => [Number(one.dataset.pile), one.getBoundingClientRect(), one]);
  drag.felt ??= [felt.left, felt.top];
  drag.feltBox = felt;
  drag.marker = from.marker; drag.card = from.handle;
  drag.touch = from.touch; drag.time = from.time;
  document.body.classList.add("dragging");
  press = null;
}
function ghost(kind, one) {
  drag.kind = kind;
  drag.ghost = one;
  one.classList.add("ghost");
  $("drag").append(one);
}
const markerGhost = (from) => (kit.markers[from.marker].picture ? el("img", { src: `/free/marker/${from.marker}`, alt: "", width: 30, height: 30 }) : el("span", { className: "mk", textContent: kit.markers[from.marker].name }));
function thumbGhost(target) {
  const picture = target.querySelector("img")?.cloneNode() ?? el("span", {}, "?");
  const made = el("div", { className: "ghostcard" }, picture);
  const width = Math.max(44, kit.card[0] * camera.zoom);
  made.style.width = `${width}px`;
  made.style.height = `${width * kit.card[1] / kit.card[0]}px`;
  return made;
}
function beginCards(handle) {
  if (!chosen.has(handle)) { chosen.clear(); drawChosen(); }
  const list = meant(handle).filter((one) => !S.cards.get(one).anchored);
  const isTable = place.get(handle) === "table";
  drag.kind = "cards";
  drag.handles = list;
  drag.table = isTable;
  drag.moving = list.map((one) => [elementOf(one), S.cards.get(one), elementOf(one)?.style.transform]).filter(([one]) => one);
  // What is attached goes along (F105).
  if (isTable) for (const other of S.table) { const card = S.cards.get(other); if (card.host && list.includes(card.host) && !list.includes(other)) drag.moving.push([elementOf(other), card, elementOf(other).style.transform]); }
  for (const [one, card] of drag.moving) { one.classList.add("drag"); one.style.zIndex = 9000 + (isTable ? S.table.indexOf(card.h) : 0); held.add(card.h); }
  // Edges of other cards that this one may snap to.
  drag.lead = S.cards.get(handle);
  drag.snaps = isTable ? S.table.filter((one) => !list.includes(one)).map((one) => S.cards.get(one)) : [];
}

/** One frame of a drag: no measure, no layout. */
function step() {
  frame = 0;
  if (!drag) return;
  const [x, y] = last;
  const dx = x - drag.x, dy = y - drag.y;
  if (drag.kind === "pan") { pan(drag.at[0] + dx - camera.x, drag.at[1] + dy - camera.y); return; }
  if (drag.ghost) drag.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  if (drag.kind === "cards" && drag.moving) {
    if (drag.table) {
      const [u, v] = snapped(...shiftOf(dx, dy));
      drag.by = [u, v];
      for (const [one, card] of drag.moving) one.style.transform = transformOf(card, u, v);
      signal({ at: toTable(x - drag.felt[0], y - drag.felt[1]).map(Math.round), cards: drag.handles, shift: [u, v] });
    } else {
      for (const [one, , was] of drag.moving) one.style.transform = `translate(${dx}px, ${dy}px) ${was}`;
    }
  } else if (drag.kind === "note") {
    drag.by = shiftOf(dx, dy).map(Math.round);
    drag.element.style.transform = noteTransform(drag.note, ...drag.by);
  } else if (drag.kind === "frame") {
    const [left, top] = [Math.min(x, drag.x) - drag.felt[0], Math.min(y, drag.y) - drag.felt[1]];
    const [wide, high] = [Math.abs(dx), Math.abs(dy)];
    $("frame").style.transform = `translate(${left}px, ${top}px) scale(${wide}, ${high})`;
    const one = toTable(left, top), other = toTable(left + wide, top + high);
    const [x1, x2] = [Math.min(one[0], other[0]), Math.max(one[0], other[0])], [y1, y2] = [Math.min(one[1], other[1]), Math.max(one[1], other[1])];
    chosen.clear();
    drag.before.forEach((handle) => chosen.add(handle));
    for (const handle of drag.middles) {
      const card = S.cards.get(handle);
      const [u, v] = [card.at[0] + card.size[0] / 2, card.at[1] + card.size[1] / 2];
      if (u > x1 && u < x2 && v > y1 && v < y2) chosen.add(handle);
    }
    drawChosen();
  } else if (drag.kind !== "arrow") signal({ at: toTable(x - drag.felt[0], y - drag.felt[1]).map(Math.round), cards: [] });
  mark(goalAt(x, y));
}
/** Near the edge of another card a card takes its line; Alt prevents that. */
function snapped(u, v) {
  if (last[3] || !drag.lead) return [Math.round(u), Math.round(v)];
  const near = 7 / Math.max(camera.zoom, 0.4);
  const [x, y] = [drag.lead.at[0] + u, drag.lead.at[1] + v];
  let [bestX, bestY] = [near, near], [sx, sy] = [0, 0];
  for (const card of drag.snaps) {
    const [w, h] = card.size, gap = Math.round(w * 0.05);
    if (Math.abs(card.at[0] - x) > 2.5 * w || Math.abs(card.at[1] - y) > 2 * h) continue;
    for (const edge of [card.at[0], card.at[0] + w + gap, card.at[0] - drag.lead.size[0] - gap]) if (Math.abs(edge - x) < bestX) { bestX = Math.abs(edge - x); sx = edge - x; }
    for (const edge of [card.at[1], card.at[1] + Math.round(h * 0.2), card.at[1] - Math.round(h * 0.2), card.at[1] + h + gap, card.at[1] - drag.lead.size[1] - gap]) if (Math.abs(edge - y) < bestY) { bestY = Math.abs(edge - y); sy = edge - y; }
  }
  return [Math.round(u + sx), Math.round(v + sy)];
}
function goalAt(x, y) {
  let found = null;
  for (const [id, rect, one] of drag.goals) if (x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom) found = [id, one];
  return found;
}
function mark(goal) {
  const one = goal && ["cards", "pile"].includes(drag.kind) ? goal[1] : null;
  if (drag.marked === one) return;
  drag.marked?.classList.remove("goal");
  drag.marked = one;
  one?.classList.add("goal");
}

async function up(event) {
  touches.delete(event.pointerId);
  if (pinching) { if (touches.size < 2) pinching = null; press = null; return; }
  if (!drag) { if (press?.id === event.pointerId) click(event); return; }
  if (event.pointerId !== drag.id) return;
  last = [event.clientX, event.clientY, event.shiftKey, event.altKey];
  if (frame) cancelAnimationFrame(frame);
  step();
  const done = drag;
  const goal = goalAt(event.clientX, event.clientY);
  mark(null);
  drag = null;
  document.body.classList.remove("dragging");
  done.ghost?.remove();
  $("frame").hidden = true;
  const inside = event.clientX >= done.feltBox.left && event.clientX <= done.feltBox.right && event.clientY >= done.feltBox.top && event.clientY <= done.feltBox.bottom;
  const at = toTable(event.clientX - done.felt[0], event.clientY - done.felt[1]);
  const down = event.shiftKey;
  try {
    if (done.kind === "cards") await dropCards(done, goal, inside, at, down, event);
    else if (done.kind === "pile" && done.touch && performance.now() - done.time < 350 && done.y - event.clientY > 24) await act(`draw ${group(done.pile)} 1`);
    else if (done.kind === "pile") await dropTop(done, goal, inside, at, down, event.altKey);
    else if (done.kind === "note" && done.by) { done.kept = Boolean(await act(`movenote ${done.note.id} ${done.note.x + done.by[0]},${done.note.y + done.by[1]}`)); }
    else if (done.kind === "marker") await dropMarker(done, at, inside, event);
    else if (done.kind === "arrow") {
      const to = topAt(at, done.from);
      if (to !== null) await act(`arrow ${cards([done.from])} to ${cards([to])}`);
    }
  } finally { release(done); }
}
function release(done) {
  for (const [one, card] of done.moving ?? []) { one.classList.remove("drag"); held.delete(card.h); }
  if (done.moving) draw();
  if (done.kind === "note" && !done.kept) done.element.style.transform = done.was;
}
/** Where cards land whose middle is here. */
const corner = ([u, v], card) => `${Math.round(u - card.size[0] / 2)},${Math.round(v - card.size[1] / 2)}`;

async function dropCards(done, goal, inside, at, down, event) {
  const what = cards(done.handles), from = place.get(done.handles[0]);
  if (goal && goal[0] !== from) { await act(`move ${what} to ${group(goal[0])}${event.altKey ? " bottom" : ""}`); chosen.clear(); return; }
  if (goal && goal[1].id === "hand") { reorderHand(done.handles[0], handUnder(event.clientX, done.handles[0])); return; }
  if (goal || !inside) return;
  if (done.table) {
    const [u, v] = done.by ?? [0, 0];
    const first = S.cards.get(done.handles[0]);
    // The first of the selection in the table's order leads (F64).
    const lead = S.table.find((handle) => done.handles.includes(handle)) ?? first.h;
    const { at: [x, y] } = S.cards.get(lead);
    if (u || v) await act(`place ${what} ${x + u},${y + v}`);
  } else {
    const card = S.cards.get(done.handles[0]);
    await act(`place ${what} ${corner(at, card)}${down ? " down" : ""}`);
    chosen.clear();
  }
}
function handUnder(x, moved) {
  const after = handOrder().filter((handle) => handle !== moved).find((handle) => { const rect = elementOf(handle).getBoundingClientRect(); return rect.left + rect.width / 2 > x; });
  return after ?? null;
}
async function dropTop(done, goal, inside, at, down, alt) {
  const one = pile(done.pile);
  if (!one?.count || (goal && goal[0] === one.id)) return;
  // Of a pile without order it is the card that drawing takes.
  const top = one.ordered ? "@1" : one.cards[0]?.[0] ?? "@1";
  if (top === "@1" && goal && goal[0] === hand()?.id) { await act(`draw ${group(one.id)} 1`); return; }
  if (goal && top === "@1" && !one.ordered) await act(`movetop ${group(one.id)} 1 to ${group(goal[0])}${alt ? " bottom" : ""}`);
  else if (goal) await act(`move ${group(one.id)}:${top} to ${group(goal[0])}${alt ? " bottom" : ""}`);
  else if (inside) await act(`place ${group(one.id)}:${top} ${corner(at, { size: kit.card })}${down ? " down" : ""}`);
}
async function dropMarker(done, at, inside, event) {
  const name = quoted(kit.markers[done.marker].name);
  const count = S.cards.get(done.card)?.markers?.find(([kind]) => kind === done.marker)?.[1] ?? 1;
  const many = event.shiftKey ? count : 1;
  const to = inside ? topAt(at, null) : null;
  if (to === done.card) return;
  if (to === null) await act(`marker ${cards([done.card])} ${name} -${many}`);
  else await act(`${event.altKey ? "copymarker" : "movemarker"} ${cards([done.card])} to ${cards([to])} ${name} ${many}`);
}
/** The uppermost card of the table at a place. */
function topAt([u, v], but) {
  return [...S.table].reverse().find((handle) => {
    const card = S.cards.get(handle);
    const across = ((card.quarter ?? 0) + (card.side ?? 0)) % 2 === 1;
    const [w, h] = across ? [card.size[1], card.size[0]] : card.size;
    const [x, y] = [card.at[0] + (card.size[0] - w) / 2, card.at[1] + (card.size[1] - h) / 2];
    return handle !== but && u >= x && u <= x + w && v >= y && v <= y + h;
  }) ?? null;
}

let lastTap = null;
function click(event) {
  const { handle, touch, ctrl, shift, pile: one, target, thumb, long, note } = press;
  clearTimeout(long);
  press = null;
  if (event.button === 1 || thumb) return;
  if (picked(handle)) return;
  if (handle !== null) {
    if (S.me !== null && shift && place.get(handle) === "table") { act(`${S.cards.get(handle).target === S.me ? "untarget" : "target"} ${cards([handle])}`); return; }
    if (touch && chosen.has(handle) && chosen.size === 1) { openMenu(cardMenu(handle), event.clientX, event.clientY); return; }
    if (ctrl && place.get(handle) === place.get([...chosen][0] ?? handle)) { if (chosen.has(handle)) chosen.delete(handle); else chosen.add(handle); } else { chosen.clear(); chosen.add(handle); }
    elementOf(handle)?.focus({ preventScroll: true });
    if (kit.clicks && S.me !== null && event.detail === 1) act(`click ${cards([handle])}`);
  } else if (one !== null && target.closest(".pile")) {
    if (one === deck()?.id && pile(one).count === 0) decks();
    else if (touch) openMenu(pileMenu(one), event.clientX, event.clientY);
    else if (one === deck()?.id) notice("A double click or D draws a card; a right click shows all that can be done with the deck.");
    else if (pile(one).viewers === "everybody" || one === hand()?.id) lookInto(one);
    return;
  } else if (note) { if (touch && lastTap === note) editNote(Number(note.dataset.note)); lastTap = note; return; }
  else { if (touch && chosen.size === 0 && lastTap === "felt") openMenu(tableMenu(...toTable(event.clientX - feltBox().left, event.clientY - feltBox().top)), event.clientX, event.clientY); lastTap = "felt"; chosen.clear(); $("felt").focus({ preventScroll: true }); }
  if (handle !== null) lastTap = null;
  drawChosen();
}

function cancel(event) {
  if (event) touches.delete(event.pointerId);
  clearTimeout(press?.long);
  press = null;
  if (!drag) return;
  const done = drag;
  mark(null);
  drag = null;
  done.ghost?.remove();
  $("frame").hidden = true;
  document.body.classList.remove("dragging");
  release(done);
  layHand();
}

// --- two fingers ------------------------------------------------------------------------------------

let pinching = null;
function pinch() {
  const [[x1, y1], [x2, y2]] = touches.values();
  pinching = { far: Math.hypot(x2 - x1, y2 - y1), x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}
function pinchMove() {
  if (touches.size < 2) return;
  const [[x1, y1], [x2, y2]] = touches.values();
  const [far, x, y] = [Math.hypot(x2 - x1, y2 - y1), (x1 + x2) / 2, (y1 + y2) / 2];
  const felt = feltBox();
  pan(x - pinching.x, y - pinching.y);
  zoomAt(x - felt.left, y - felt.top, far / (pinching.far || 1));
  Object.assign(pinching, { far, x, y });
}
