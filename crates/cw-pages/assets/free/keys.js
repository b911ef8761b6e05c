// Everything by the keyboard (F193–F196), and what a double click does (F190).

import { $, S, act, cards, chosen, combo, deck, group, hand, instead, isHand, isKept, kindOf, kit, meant, pile, place, quoted, when } from "./state.js";
import { camera, drawChosen, elementOf, fit, handOrder, middle, toScreen, zoomAt } from "./table.js";
import { cardMenu, chooseAll, closeMenus, closeTopWindow, draws, entry, list, lookInto, markers, menuIsOpen, nextPhase, openMenu, picked, pileMenu, play, tableMenu, takeBack, zoom } from "./menu.js";
import { closeSeat, help, idle, notice } from "./panels.js";
import { holdSpace, isDragging, under } from "./drag.js";

const pileName = (where) => (where === "table" ? null : kindOf(pile(where)).name);
const actionsOf = (isCard, where) => kit.actions.filter((action) => !action.line && action.card === isCard && (action.pile ?? null) === pileName(where));

/** F190. */
export function usual(handle) {
  const where = place.get(handle), what = cards(meant(handle));
  if (S.me === null) { zoom(handle); return; }
  const own = actionsOf(true, where).find((action) => action.default && action.mark !== "script");
  const ofGroup = actionsOf(false, where).find((action) => action.default && action.mark !== "script");
  if (kit.doubles && S.scripts) act(`doubleclick ${cards([handle])}`);
  else if (own) entry(own, { cards: what });
  else if (ofGroup) entry(ofGroup, where === "table" ? {} : { pile: group(where) });
  else if (where === "table") act(`rotate ${what}`);
  else if (isHand(pile(where))) play(meant(handle), "");
  else zoom(handle);
}
export function usualOfPile(id) {
  const one = pile(id);
  if (S.me === null) { lookInto(id); return; }
  const ofGroup = actionsOf(false, id).find((action) => action.default && action.mark !== "script" && one.owner === S.me);
  if (ofGroup) entry(ofGroup, { pile: group(id) });
  else if (draws(one) && one.viewers !== "everybody") act(`draw ${group(id)} 1`);
  else lookInto(id);
}

/** The card that keys are about: the focused one, else the one under the pointer, else the first that is chosen. */
function target() {
  const focused = document.activeElement?.dataset?.h;
  if (focused && place.has(Number(focused))) return Number(focused);
  if (under.handle !== null && place.has(under.handle)) return under.handle;
  return [...chosen][0] ?? null;
}
function targetPile() {
  const focused = document.activeElement?.dataset?.pile;
  if (focused !== undefined) return Number(focused);
  return under.pile;
}

const pressed = (event) => {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key)) ? "Shift" : "", key].filter(Boolean).join("+");
};
const fits = (action, key) => action.combo && (action.combo === key || (isKept(action.combo) && instead(action.combo) === key));

/** The package's keys come first, in the order of F193. */
function ofPackage(key, handle, onPile, which) {
  const card = (where, what) => { const found = actionsOf(true, where).find((action) => fits(action, key) && which(action)); if (found) entry(found, { cards: what }); return Boolean(found); };
  const ofGroup = (where) => { const found = actionsOf(false, where).find((action) => fits(action, key) && which(action)); if (found) entry(found, where === "table" ? {} : { pile: group(where) }); return Boolean(found); };
  if (handle !== null && card(place.get(handle), cards(meant(handle)))) return true;
  if (handle !== null) {
    const goal = S.piles.find((one) => one.owner === S.me && kindOf(one).key && [combo(kindOf(one).key), combo(`Alt+${kindOf(one).key}`)].includes(key));
    if (goal) { act(`move ${cards(meant(handle))} to ${group(goal.id)}${key === combo(kindOf(goal).key) ? "" : " bottom"}`); return true; }
  }
  const shuffled = S.piles.find((one) => one.owner === S.me && kindOf(one).shuffle && combo(kindOf(one).shuffle) === key);
  if (shuffled) { act(`shuffle ${group(shuffled.id)}`); return true; }
  if (onPile !== null && pile(onPile)?.owner === S.me && ofGroup(onPile)) return true;
  if (chosen.size && card(place.get([...chosen][0]), cards(chosen))) return true;
  if (ofGroup("table")) return true;
  return S.piles.filter((one) => one.owner === S.me).some((one) => ofGroup(one.id));
}

/** The pile that discards go to (F196). */
const discards = () => S.piles.find((one) => one.owner === S.me && kindOf(one).key && combo(kindOf(one).key) === "Delete") ?? S.piles.find((one) => one.owner === S.me && one.viewers === "everybody");
const ownPiles = () => S.piles.filter((one) => one.owner === S.me);

function step(key, choose) {
  const from = target();
  const inHand = from !== null && hand() && place.get(from) === hand().id;
  if (from === null || !elementOf(from)) { const first = handOrder()[0] ?? S.table[0]; if (first !== undefined) focus(first, choose); return; }
  if (inHand && (key === "ArrowLeft" || key === "ArrowRight")) {
    const all = handOrder();
    focus(all[Math.max(0, Math.min(all.length - 1, all.indexOf(from) + (key === "ArrowRight" ? 1 : -1)))], choose);
    return;
  }
  if (inHand) { if (key === "ArrowUp") { const nearest = closest(toScreenMiddleOfHand(from), () => true); if (nearest !== null) focus(nearest, choose); } return; }
  const [x, y] = toScreen(...middle(S.cards.get(from)));
  const [u, v] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const next = closest([x, y], (dx, dy, handle) => handle !== from && dx * u + dy * v > Math.abs(dx * v + dy * u) * 0.6);
  if (next !== null) focus(next, choose);
  else if (key === "ArrowDown" && handOrder().length) focus(handOrder()[0], choose);
}
function toScreenMiddleOfHand(handle) {
  const card = elementOf(handle).getBoundingClientRect(), felt = $("felt").getBoundingClientRect();
  return [card.left + card.width / 2 - felt.left, felt.height];
}
function closest([x, y], may) {
  let best = null, least = Infinity;
  for (const handle of S.table) {
    const [u, v] = toScreen(...middle(S.cards.get(handle)));
    const far = Math.hypot(u - x, v - y);
    if (far < least && may(u - x, v - y, handle)) { least = far; best = handle; }
  }
  return best;
}
function focus(handle, choose) {
  under.handle = null;
  if (choose) { if (place.get([...chosen][0] ?? handle) !== place.get(handle)) chosen.clear(); chosen.add(handle); drawChosen(); }
  elementOf(handle)?.focus({ preventScroll: true });
  if (place.get(handle) !== "table") return;
  // The view follows who goes by keys.
  const box = $("felt").getBoundingClientRect();
  const [x, y] = toScreen(...middle(S.cards.get(handle)));
  if (x < 20 || y < 20 || x > box.width - 20 || y > box.height - 20) { camera.x += box.width / 2 - x; camera.y += box.height / 2 - y; zoomAt(0, 0, 1); }
}

export function start() {
  when(document, "keyup", (event) => { if (event.key === " ") holdSpace(false); });
  when(document, "keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, dialog[open]");
    if (event.key === "Escape" && menuIsOpen()) { event.preventDefault(); closeMenus(); return; }
    if (typing || isDragging() || !idle()) return;
    const key = pressed(event);
    if (key === "Escape") {
      if (menuIsOpen()) closeMenus(); else if (picked(null)) return; else if (document.body.classList.contains("logged")) document.body.classList.remove("logged"); else if (!closeTopWindow() && !closeSeat()) { chosen.clear(); drawChosen(); }
      return;
    }
    if (key === "Space" && (!event.target.closest("button") || event.target.closest(".card"))) {
      event.preventDefault();
      if (event.repeat) return;
      const handle = target();
      if (handle !== null) zoom(handle); else holdSpace(true);
      return;
    }
    if (/^(Shift\+)?Arrow/.test(key)) { if (event.target.closest("#log, .window, #side")) return; event.preventDefault(); step(event.key, event.shiftKey); return; }
    if (event.repeat && !/^(\+|-)$/.test(key)) return;
    const onButton = event.target.closest("button");
    if ((key === "Enter" || key === "Space") && onButton && !onButton.closest(".pile")) return;
    const handle = target(), onPile = targetPile();
    // An entry that only tells what a script would do does not hide what the table does itself with that key.
    const may = S.me !== null && !["Enter", "Tab", "Shift+Tab"].includes(key);
    if (may && ofPackage(key, handle, onPile, (action) => action.mark !== "script")) { event.preventDefault(); return; }
    if (builtIn(key, event, handle, onPile)) event.preventDefault();
    else if (may && ofPackage(key, handle, onPile, (action) => action.mark === "script")) event.preventDefault();
  });
}

function builtIn(key, event, handle, onPile) {
  const watching = S.me === null;
  const box = $("felt").getBoundingClientRect();
  const what = handle === null ? null : cards(meant(handle));
  const isTable = handle !== null && place.get(handle) === "table";
  const centre = (element) => { const rect = element.getBoundingClientRect(); return [rect.left + rect.width / 2, rect.top + rect.height / 2]; };
  switch (key) {
    case "M": case "ContextMenu": case "Shift+F10":
      if (handle !== null) { const one = elementOf(handle); openMenu(cardMenu(handle), ...centre(one ?? $("felt"))); } else if (onPile !== null && pile(onPile)) openMenu(pileMenu(onPile), ...centre(document.querySelector(`[data-pile="${onPile}"]`)));
      else openMenu(tableMenu(), box.left + box.width / 2 - 100, box.top + 40);
      return true;
    case "?": help(); return true;
    case "I": list(); return true;
    case "/": document.body.classList.add("logged"); $("say").focus(); return true;
    case "Ctrl+T": document.body.classList.add("logged"); $("say").focus(); return true;
    case "0": fit(); notice(""); return true;
    case "Ctrl++": case "Ctrl+=": zoomAt(box.width / 2, box.height / 2, 1.25); return true;
    case "Ctrl+-": zoomAt(box.width / 2, box.height / 2, 0.8); return true;
    default:
  }
  if (watching) return false;
  switch (key) {
    case "Enter": if (handle !== null) usual(handle); else if (onPile !== null) usualOfPile(onPile); else return false; return true;
    case "D": act("draw 1"); return true;
    case "S": act(`shuffle${onPile !== null && pile(onPile)?.owner === S.me ? ` ${group(onPile)}` : ""}`); return true;
    case "N": nextPhase(); return true;
    case "E": act("pass"); return true;
    case "U": act("straighten"); return true;
    case "Z": case "Ctrl+Z": takeBack(); return true;
    case "K": tableMenu().find((item) => item?.key === "K")?.run(); return true;
    case "A": case "Ctrl+A": chooseAll(isTable || handle === null ? "table" : "hand"); return true;
    case "C": { const goal = handle !== null && !isTable ? S.table[0] : handOrder()[0]; if (goal !== undefined) focus(goal, false); return true; }
    case "L": if (onPile !== null) lookInto(onPile); else if (deck()) act(`look ${group(deck().id)} top 1`); return true;
    default:
  }
  const number = /^(Shift\+)?Digit([1-9])$/.exec(`${event.shiftKey ? "Shift+" : ""}${event.code}`);
  if (number && !event.ctrlKey && !event.altKey) {
    const one = ownPiles()[Number(number[2]) - 1];
    if (!one) return false;
    if (number[1]) lookInto(one.id); else if (handle !== null) act(`move ${what} to ${group(one.id)}`); else document.querySelector(`.pile[data-pile="${one.id}"]`)?.focus();
    return true;
  }
  if (handle === null) return false;
  const first = S.cards.get(handle)?.markers?.[0]?.[0];
  switch (key) {
    case "T": if (isTable) act(`rotate ${what}`); return true;
    case "F": act(`turn ${what}`); return true;
    case "P": case "Ctrl+P": act(`peek ${what}`); return true;
    case "R": act(`reveal ${what} to all`); return true;
    case "G": case "Delete": if (discards()) act(`move ${what} to ${group(discards().id)}`); return true;
    case "H": if (hand()) act(`move ${what} to ${group(hand().id)}`); return true;
    case "PageUp": if (isTable) act(`front ${what}`); return true;
    case "PageDown": if (isTable) act(`back ${what}`); return true;
    case "+": case "=": if (first === undefined) markers(what); else act(`marker ${what} ${quoted(kit.markers[first].name)} +1`); return true;
    case "-": if (first !== undefined) act(`marker ${what} ${quoted(kit.markers[first].name)} -1`); return true;
    default: return false;
  }
}

