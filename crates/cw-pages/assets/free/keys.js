// Everything by the keyboard (F193–F196): the package's keys first, then the table's own.

import {
  $, S, act, cardOf, cards, chosen, combo, deck, focused, group, hand, instead, isKept, kindOf, kit, meant, pile,
  place, placeOf, quoted, targetOf, when,
} from "./state.js";
import { camera, drawChosen, elementOf, fit, handOrder, middle, toScreen, zoomAt } from "./table.js";
import { closeMenus, menuIsOpen, notice, openMenu, picked } from "./dialogs.js";
import { entriesOf, entry } from "./entries.js";
import { markers, token } from "./decks.js";
import { cardMenu, chooseAll, nextPhase, pileMenu, tableMenu, takeBack, usual, usualOfPile } from "./menu.js";
import { closeTopWindow, list, lookInto, zoom } from "./windows.js";
import { closeSeat } from "./panels.js";
import { help, idle } from "./log.js";
import { holdSpace, isDragging, under } from "./drag.js";

/** The card that keys are about: the focused one, else the one under the pointer, else the first that is chosen. */
function target() {
  const stands = focused()?.dataset.h;
  if (stands && place.has(Number(stands))) return Number(stands);
  if (under.handle !== null && place.has(under.handle)) return under.handle;
  return [...chosen][0] ?? null;
}
function targetPile() {
  const stands = focused()?.dataset.pile;
  return stands !== undefined ? Number(stands) : under.pile;
}

/** @param {KeyboardEvent} event */
const pressed = (event) => {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isShift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  const held = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", isShift ? "Shift" : "", key];
  return held.filter(Boolean).join("+");
};
/** @type {(action: PackageEntry, key: string) => boolean} */
const fits = ({ combo: own }, key) => own != null && (own === key || (isKept(own) && instead(own) === key));

/**
 * The package's keys come first, in the order of F193.
 * @param {string} key @param {number | null} handle @param {number | null} onPile
 * @param {(action: PackageEntry) => boolean} which
 */
function ofPackage(key, handle, onPile, which) {
  /** @type {(isCard: boolean, where: FreePlace, what: EntryTarget) => boolean} */
  const choose = (isCard, where, what) => {
    const found = entriesOf(isCard, where).find((action) => fits(action, key) && which(action));
    if (found) entry(found, what);
    return Boolean(found);
  };
  /** @param {FreePlace} where */
  const ofGroup = (where) => choose(false, where, where === "table" ? {} : { pile: group(where) });
  if (handle !== null && choose(true, placeOf(handle), { cards: cards(meant(handle)) })) return true;
  const mine = S.piles.filter((one) => one.owner === S.me);
  if (handle !== null) {
    for (const goal of mine) {
      const own = kindOf(goal).key;
      if (!own || ![combo(own), combo(`Alt+${own}`)].includes(key)) continue;
      act(`move ${cards(meant(handle))} to ${group(goal.id)}${key === combo(own) ? "" : " bottom"}`);
      return true;
    }
  }
  const shuffled = mine.find((one) => {
    const own = kindOf(one).shuffle;
    return own && combo(own) === key;
  });
  if (shuffled) { act(`shuffle ${group(shuffled.id)}`); return true; }
  if (onPile !== null && pile(onPile)?.owner === S.me && ofGroup(onPile)) return true;
  if (chosen.size && choose(true, placeOf([...chosen][0]), { cards: cards(chosen) })) return true;
  if (ofGroup("table")) return true;
  return mine.some((one) => ofGroup(one.id));
}

const ownPiles = () => S.piles.filter((one) => one.owner === S.me);
/** The pile that discards go to (F196). */
const discards = () => ownPiles().find((one) => {
  const { key } = kindOf(one);
  return key && combo(key) === "Delete";
}) ?? ownPiles().find((one) => one.viewers === "everybody");

/** Where arrow keys go on the screen. @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Goes from card to card. @param {string} key @param {boolean} choose */
function step(key, choose) {
  const from = target(), own = hand();
  if (from === null || !elementOf(from)) {
    const first = handOrder()[0] ?? S.table[0];
    if (first !== undefined) focus(first, choose);
    return;
  }
  if (own && place.get(from) === own.id) {
    const all = handOrder();
    /** @param {number} by */
    const beside = (by) => all[Math.max(0, Math.min(all.length - 1, all.indexOf(from) + by))];
    if (key === "ArrowLeft" || key === "ArrowRight") focus(beside(key === "ArrowRight" ? 1 : -1), choose);
    else if (key === "ArrowUp") {
      const nearest = closest(screenMiddleOfHand(from), () => true);
      if (nearest !== null) focus(nearest, choose);
    }
    return;
  }
  const [u, v] = WAYS[key];
  const next = closest(toScreen(...middle(cardOf(from))),
    (dx, dy, handle) => handle !== from && dx * u + dy * v > Math.abs(dx * v + dy * u) * 0.6);
  if (next !== null) focus(next, choose);
  else if (key === "ArrowDown" && handOrder().length) focus(handOrder()[0], choose);
}
/** @returns {Point} @param {number} handle */
function screenMiddleOfHand(handle) {
  const card = (elementOf(handle) ?? $("hand")).getBoundingClientRect(), felt = $("felt").getBoundingClientRect();
  return [card.left + card.width / 2 - felt.left, felt.height];
}
/**
 * The card of the table that is next to a place of the screen, of those that may be: `may` hears how far each is from it.
 * @param {Point} place @param {(dx: number, dy: number, handle: number) => boolean} may
 */
function closest([x, y], may) {
  let best = null, least = Infinity;
  for (const handle of S.table) {
    const [u, v] = toScreen(...middle(cardOf(handle)));
    const far = Math.hypot(u - x, v - y);
    if (far < least && may(u - x, v - y, handle)) { least = far; best = handle; }
  }
  return best;
}
/** @param {number} handle @param {boolean} choose */
function focus(handle, choose) {
  under.handle = null;
  if (choose) {
    if (place.get([...chosen][0] ?? handle) !== place.get(handle)) chosen.clear();
    chosen.add(handle);
    drawChosen();
  }
  elementOf(handle)?.focus({ preventScroll: true });
  if (place.get(handle) !== "table") return;
  // The view follows who goes by keys.
  const box = $("felt").getBoundingClientRect();
  const [x, y] = toScreen(...middle(cardOf(handle)));
  if (x < 20 || y < 20 || x > box.width - 20 || y > box.height - 20) {
    camera.x += box.width / 2 - x;
    camera.y += box.height / 2 - y;
    zoomAt(0, 0, 1);
  }
}

export function start() {
  when(document, "keyup", (event) => { if (event.key === " ") holdSpace(false); });
  when(document, "keydown", (event) => {
    const on = targetOf(event);
    const typing = on.closest("input, textarea, select, dialog[open]");
    if (event.key === "Escape" && menuIsOpen()) { event.preventDefault(); closeMenus(); return; }
    if (typing || isDragging() || !idle()) return;
    const key = pressed(event);
    if (key === "Escape") { escape(); return; }
    if (key === "Space" && (!on.closest("button") || on.closest(".card"))) {
      event.preventDefault();
      if (event.repeat) return;
      const handle = target();
      if (handle !== null) zoom(handle); else holdSpace(true);
      return;
    }
    if (/^(Shift\+)?Arrow/.test(key)) {
      if (on.closest("#log, .window, #side")) return;
      event.preventDefault();
      step(event.key, event.shiftKey);
      return;
    }
    if (event.repeat && !/^(\+|-)$/.test(key)) return;
    const onButton = on.closest("button");
    if ((key === "Enter" || key === "Space") && onButton && !onButton.closest(".pile")) return;
    const handle = target(), onPile = targetPile();
    // An entry that only tells what a script would do does not hide what the table does itself with that key.
    const may = S.me !== null && !["Enter", "Tab", "Shift+Tab"].includes(key);
    if (may && ofPackage(key, handle, onPile, (action) => action.mark !== "script")) { event.preventDefault(); return; }
    if (builtIn(key, event, handle, onPile)) event.preventDefault();
    else if (may && ofPackage(key, handle, onPile, (action) => action.mark === "script")) event.preventDefault();
  });
}
/** Ends what is nearest to its end: a card that is waited for, the log, a window, an open seat, a choice of cards. */
function escape() {
  if (picked(null)) return;
  if (document.body.classList.contains("logged")) document.body.classList.remove("logged");
  else if (!closeTopWindow() && !closeSeat()) { chosen.clear(); drawChosen(); }
}

/**
 * What the table itself does with a key; says whether it does something.
 * @param {string} key @param {KeyboardEvent} event @param {number | null} handle @param {number | null} onPile
 */
function builtIn(key, event, handle, onPile) {
  const box = $("felt").getBoundingClientRect();
  switch (key) {
    case "M": case "ContextMenu": case "Shift+F10": openMenuHere(box, handle, onPile); return true;
    case "?": help(); return true;
    case "I": list(); return true;
    case "/": case "Ctrl+T": document.body.classList.add("logged"); $("say").focus(); return true;
    case "0": fit(); notice(""); return true;
    case "Ctrl++": case "Ctrl+=": zoomAt(box.width / 2, box.height / 2, 1.25); return true;
    case "Ctrl+-": zoomAt(box.width / 2, box.height / 2, 0.8); return true;
    default:
  }
  if (S.me === null) return false;
  if (ofSeat(key, handle, onPile)) return true;
  return ofNumber(event, handle) ?? (handle !== null && ofCard(key, handle));
}
/**
 * The menu of the card, the pile or the table, beside it.
 * @param {DOMRect} box @param {number | null} handle @param {number | null} onPile
 */
function openMenuHere(box, handle, onPile) {
  /** @type {(entries: MenuEntries, element: Element | null | undefined) => void} */
  const beside = (entries, element) => {
    const rect = (element ?? $("felt")).getBoundingClientRect();
    openMenu(entries, rect.left + rect.width / 2, rect.top + rect.height / 2);
  };
  if (handle !== null) beside(cardMenu(handle), elementOf(handle));
  else if (onPile !== null && pile(onPile)) beside(pileMenu(onPile), document.querySelector(`[data-pile="${onPile}"]`));
  else openMenu(tableMenu(), box.left + box.width / 2 - 100, box.top + 40);
}
/** Keys of a seat, for any card. @param {string} key @param {number | null} handle @param {number | null} onPile */
function ofSeat(key, handle, onPile) {
  switch (key) {
    case "Enter":
      if (handle !== null) usual(handle); else if (onPile !== null) usualOfPile(onPile); else return false;
      return true;
    case "D": act("draw 1"); return true;
    case "S": act(`shuffle${onPile !== null && pile(onPile)?.owner === S.me ? ` ${group(onPile)}` : ""}`); return true;
    case "N": nextPhase(); return true;
    case "E": act("pass"); return true;
    case "U": act("straighten"); return true;
    case "Z": case "Ctrl+Z": takeBack(); return true;
    case "K": token(); return true;
    case "A": case "Ctrl+A": chooseAll(handle === null || place.get(handle) === "table" ? "table" : "hand"); return true;
    case "C": {
      const goal = handle !== null && place.get(handle) !== "table" ? S.table[0] : handOrder()[0];
      if (goal !== undefined) focus(goal, false);
      return true;
    }
    case "L": {
      const own = deck();
      if (onPile !== null) lookInto(onPile); else if (own) act(`look ${group(own.id)} top 1`);
      return true;
    }
    default: return false;
  }
}
/**
 * A number goes to that pile; with Shift it looks into it. Says whether there is one, or nothing if it is another key.
 * @param {KeyboardEvent} event @param {number | null} handle
 */
function ofNumber(event, handle) {
  const number = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (!number || event.ctrlKey || event.altKey) return null;
  const one = ownPiles()[Number(number) - 1];
  if (!one) return false;
  if (event.shiftKey) lookInto(one.id);
  else if (handle !== null) act(`move ${cards(meant(handle))} to ${group(one.id)}`);
  else document.querySelector(`.pile[data-pile="${one.id}"]`)?.focus();
  return true;
}
/** Keys of a card. @param {string} key @param {number} handle */
function ofCard(key, handle) {
  const what = cards(meant(handle)), isTable = place.get(handle) === "table";
  const first = S.cards.get(handle)?.markers?.[0]?.[0];
  const bin = discards(), own = hand();
  switch (key) {
    case "T": if (isTable) act(`rotate ${what}`); return true;
    case "F": act(`turn ${what}`); return true;
    case "P": case "Ctrl+P": act(`peek ${what}`); return true;
    case "R": act(`reveal ${what} to all`); return true;
    case "G": case "Delete": if (bin) act(`move ${what} to ${group(bin.id)}`); return true;
    case "H": if (own) act(`move ${what} to ${group(own.id)}`); return true;
    case "PageUp": if (isTable) act(`front ${what}`); return true;
    case "PageDown": if (isTable) act(`back ${what}`); return true;
    case "+": case "=":
      if (first === undefined) markers(what); else act(`marker ${what} ${quoted(kit.markers[first].name)} +1`);
      return true;
    case "-": if (first !== undefined) act(`marker ${what} ${quoted(kit.markers[first].name)} -1`); return true;
    default: return false;
  }
}
