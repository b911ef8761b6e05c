// What can be done, as menus: with a card, a pile, the table; and what a double click does (F190).
//
// In reading order: `cardMenu` (F198), `pileMenu` and `tableMenu` are tables of contents, each entry one verb or a dialog
// that ends in one; below each stands what only its entries need. `usual` is what a double click or Enter does. `dialogs`
// shows menus, `entries` has the package's own, `decks` the dialogs with a search, `windows` what is only read.

import {
  S, act, ask, cardName, cardOf, cards, chosen, deck, el, group, isHand, kindOf, kit, meant, pileOf, placeOf, quoted,
  seatName,
} from "./state.js";
import { drawChosen, elementOf, freeSpot, handOrder } from "./table.js";
import { notice, number, openMenu, pick, question, tell } from "./dialogs.js";
import { COLOURS, entriesOf, entry, ofPackage } from "./entries.js";
import { decks, markers, ownList, packs, token } from "./decks.js";
import { list, lookInto, onCardMenu, search, window, zoom } from "./windows.js";

onCardMenu((handle, x, y) => openMenu(cardMenu(handle), x, y));

/** Seats but one's own. */
const otherSeats = () => [...S.seats.keys()].filter((seat) => seat !== S.me);
/** @type {(colour: string) => Node} */
const swatch = (colour) => { const made = el("b", { className: "swatch" }); made.style.background = colour; return made; };
/** @type {(verb: string, what: string) => MenuEntries} */
const colours = (verb, what) => [
  ...COLOURS.map(([colour, words]) => ({ words, icon: swatch(colour), run: () => act(`${verb} ${what} ${colour}`) })),
  { words: "None", run: () => act(`${verb} ${what} none`) },
];

/** Piles where cards can go: the own ones, shared ones, then other seats' (F17). @type {(what: string) => MenuEntries} */
function goals(what) {
  const all = S.piles.filter((one) => kindOf(one).moveto !== false);
  /** @param {number | null} owner */
  const of = (owner) => all.filter((one) => one.owner === owner);
  const theirs = all.filter((one) => one.owner !== null && one.owner !== S.me);
  /** @type {(one: FreePile, words: string) => MenuEntry} */
  const to = (one, words) => {
    /** @type {(spot: string) => () => unknown} */
    const move = (spot) => () => act(`move ${what} to ${group(one.id)}${spot}`);
    const { key } = kindOf(one);
    if (!one.ordered) return { words, key, run: move("") };
    const put = () => number(`To ${one.name}`, "Which place from the top?", "Put it there", 2, (n) => move(` at ${n}`)());
    return { words, key, sub: [
      { words: "On top", run: move(" top") }, { words: "At the bottom", run: move(" bottom") },
      { words: "At a place …", run: put },
    ] };
  };
  return [
    ...[...of(S.me), ...of(null)].map((one) => to(one, one.name)),
    theirs.length && "-", ...theirs.map((one) => to(one, `${seatName(one.owner)}: ${one.name}`)),
  ];
}

/** Cards of a pile come to the table where the person looks. @type {(list: number[], how: string) => unknown} */
export const play = (list, how) => act(`place ${cards(list)} ${freeSpot(cardOf(list[0]).size).join(",")}${how}`);

/**
 * Everything that can be done with a card (F198); it never depends on what the card is. @returns {MenuEntries}
 * @param {number} handle
 */
export function cardMenu(handle) {
  const list = meant(handle), what = cards(list), card = cardOf(handle), where = placeOf(handle);
  const many = list.length > 1 ? ` (${list.length})` : "";
  const isTable = where === "table";
  const others = otherSeats();
  if (S.me === null) return [{ words: "Read it", run: () => zoom(handle) }];
  const write = async () => {
    /** @type {AskedField} */
    const field = { name: "t", words: "Seen by everybody who knows the card", value: card.note ?? "", most: 80 };
    const given = await question("Write on the card", [field], "Write");
    if (given) act(`cardnote ${what} ${quoted(given.t)}`);
  };
  const bind = () => {
    if (card.host) act(`detach ${what}`);
    else pick("Choose the card to attach to", (goal) => attach(list, goal));
  };
  const arrow = () =>
    pick("Choose where the arrow ends", (goal) => act(`arrow ${cards([handle])} to ${cards([goal])}`));
  return [
    { words: `Read ${cardName(card)}`, key: "Space", run: () => zoom(handle) },
    isTable && { words: `Rotate${many}`, key: "T", run: () => act(`rotate ${what}`) },
    { words: `Turn over${many}`, key: "F", run: () => act(`turn ${what}`) },
    !isTable && { words: `Play${many}`, run: () => play(list, "") },
    !isTable && { words: `Play face down${many}`, run: () => play(list, " down") },
    { words: `Move to${many}`, sub: () => goals(what) },
    { words: "Markers …", key: "+", run: () => markers(what) },
    isTable && {
      words: card.target === S.me ? "Stop targeting" : "Target",
      run: () => act(`${card.target === S.me ? "untarget" : "target"} ${what}`),
    },
    { words: "Look and show", sub: () => [
      { words: "Peek", key: "P", run: () => act(`peek ${what}`) },
      { words: "Show to all", key: "R", run: () => act(`reveal ${what} to all`) },
      ...others.map((seat) => ({ words: `Show to ${seatName(seat)}`, run: () => act(`reveal ${what} to ${seat + 1}`) })),
      { words: "Stop showing", run: () => act(`hide ${what}`) },
      card.seen && {
        words: `Who has seen it: ${seen(card)}`, run: () => tell("Who has seen this card", el("p", {}, seen(card))),
      },
    ] },
    { words: "Colour and notes", sub: () => [
      isTable && { words: "Edge", sub: colours("highlight", what) },
      isTable && { words: "Tint", sub: colours("filter", what) },
      { words: "Write on it …", run: write },
    ] },
    isTable && { words: "Place", sub: () => [
      { words: "In front", key: "PageUp", run: () => act(`front ${what}`) },
      { words: "Behind", key: "PageDown", run: () => act(`back ${what}`) },
      { words: "In a row", run: () => act(`arrange ${what} row`) },
      { words: "In a stack", run: () => act(`arrange ${what} stack`) },
      { words: "In a block", run: () => act(`arrange ${what} ${Math.ceil(Math.sqrt(list.length))}`) },
      { words: "Rotate to", sub: [0, 90, 180, 270].map((turn) => ({
        words: turn ? `${turn}°` : "Upright", run: () => act(`rotate ${what} to ${turn}`),
      })) },
      {
        words: card.anchored ? "Raise the anchor" : "Anchor",
        run: () => act(`${card.anchored ? "unanchor" : "anchor"} ${what}`),
      },
      {
        words: card.locked ? "Unlock" : "Lock: stays as it is when all are straightened",
        run: () => act(`${card.locked ? "unlock" : "lock"} ${what}`),
      },
      { words: card.host ? "Detach" : "Attach to …", run: bind },
    ] },
    { words: "More", sub: () => [
      isTable && { words: "Arrow to …", run: arrow },
      isTable && { words: "Point at it", run: () => act(`point ${what}`) },
      isTable && { words: "Shake it", run: () => act(`shake ${what}`) },
      (card.face?.[2] ?? 1) > 1 && { words: "Next form", run: () => act(`form ${what}`) },
      card.name && { words: "Copy", run: () => act(`copy ${what}`) },
      { words: "Delete", run: () => act(`delete ${what}`) },
      ...others.map((seat) => ({ words: `Give to ${seatName(seat)}`, run: () => act(`give ${what} to ${seat + 1}`) })),
      { words: "Take control", run: () => act(`take ${what}`) },
    ] },
    // The hand's own entries: on a phone its cards leave no place to point at beside them.
    where !== "table" && pileOf(where).owner === S.me && isHand(pileOf(where)) &&
      { words: "The whole hand", sub: () => pileMenu(where) },
    ...ofPackage(true, where, { cards: what }),
  ];
}
/** Attached cards lie tucked under their host, each a little further out. @param {number[]} list @param {number} goal */
function attach(list, goal) {
  const host = cardOf(goal), what = cards(list);
  const there = S.table.filter((handle) => cardOf(handle).host === goal).length;
  const out = ((host.side ?? 0) === 2 ? 1 : -1) * Math.round(host.size[1] * 0.2);
  const isNear = placeOf(list[0]) === "table" && !list.includes(goal);
  const tucked = isNear ? [
    ...list.map((handle, at) => `place ${cards([handle])} ${host.at[0]},${host.at[1] + out * (there + at + 1)}`),
    ...list.map((handle) => `back ${cards([handle])}`),
  ] : [];
  return act(`attach ${what} to ${cards([goal])}`, ...tucked);
}
/** Who has seen a card, in words. @param {FreeCard} card */
function seen(card) {
  const all = (card.seen ?? []).filter((seat) => seat === 8 || seat < S.seats.length);
  return all.map((seat) => (seat === 8 ? "the spectators" : seatName(seat))).join(", ") || "nobody";
}

/**
 * Says whether one draws from a pile: hidden decks whose order does not matter are drawn from, too.
 * @param {FreePile} one
 */
const draws = (one) =>
  (one.owner === S.me || one.owner === null) && !isHand(one) && (one.ordered || one.viewers === "nobody");
/** What others may do with a pile, in words and as verbs have it. */
const PROTECTIONS = [["Freely", "free"], ["If I agree", "ask"], ["Never", "never"]];

/** Everything that can be done with a pile. @returns {MenuEntries} @param {number} id */
export function pileMenu(id) {
  const one = pileOf(id), where = group(id), mine = one.owner === S.me || one.owner === null;
  const { me } = S, isDeck = deck()?.id === id;
  if (me === null) return [{ words: `Look at ${one.name}`, run: () => window(id) }];
  /** Who is to see it. @type {(verb: string) => MenuEntries} */
  const anyEyes = (verb) => {
    /** @type {(words: string, who: string | number) => MenuEntry} */
    const one = (words, who) => ({ words, run: () => act(`${verb} ${where} ${who}`) });
    const seats = otherSeats().map((seat) => one(seatName(seat), seat + 1));
    return [one("Everybody", "everybody"), one("Myself", me + 1), ...seats, one("Nobody", "nobody")];
  };
  const others = S.piles.filter((other) => other.id !== id);
  const own = others.filter((other) => other.owner === me || other.owner === null);
  /** All its cards to another pile of its owner, or a shared one. @type {(random: string) => MenuEntries} */
  const all = (random) => others.filter((other) => other.owner === one.owner || other.owner === null)
    .map((other) => ({ words: other.name, run: () => act(`moveall ${where} to ${group(other.id)}${random}`) }));
  const draw = () => number(`Draw from ${one.name}`, "How many?", "Draw", 2, (n) => act(`draw ${where} ${n}`));
  const top = () => number(one.name, "How many from the top?", "Look", 3, (n) => act(`look ${where} top ${n}`));
  const bottom = () => number(one.name, "How many from the bottom?", "Look", 1, (n) => act(`look ${where} bottom ${n}`));
  /** @param {FreePile} other */
  const several = (other) => () => number(`To ${other.name}`, "How many from the top?", "Move them", 1,
    (n) => act(`movetop ${where} ${n} to ${group(other.id)}`));
  const until = async () => {
    const fields = [{ name: "p", words: "Which property?", value: "Type" }, { name: "t", words: "What must it be?" }];
    const given = await question("Turn cards over until one matches", fields, "Turn over");
    if (given) act(`until ${where} ${quoted(given.p)} ${quoted(given.t)}`);
  };
  const mulligan = () =>
    number("Mulligan", "How many new cards to draw?", "Put back and draw", one.count, (n) => act(`mulligan ${n}`));
  return [
    draws(one) && { words: "Draw a card", key: isDeck ? "D" : null, run: () => act(`draw ${where} 1`) },
    draws(one) && { words: "Draw cards …", run: draw },
    mine && { words: "Shuffle", key: kindOf(one).shuffle ?? (isDeck ? "S" : null), run: () => act(`shuffle ${where}`) },
    {
      words: one.viewers === "everybody" || isHand(one) && mine ? "Look through it" : "Look at all …", key: "L",
      run: () => lookInto(id),
    },
    one.ordered && { words: "Look at the top cards …", run: top },
    one.ordered && mine && { words: "Look at the bottom cards …", run: bottom },
    mine && { words: "Search, then shuffle …", run: () => search(id) },
    mine && { words: "Top card", sub: () => [
      one.ordered && { words: "To the table", run: () => act(`place ${where}:@1 ${freeSpot().join(",")} up`) },
      one.ordered && { words: "To the table, face down", run: () => act(`place ${where}:@1 ${freeSpot().join(",")} down`) },
      one.ordered && { words: "Show it to all", run: () => act(`reveal ${where}:@1 to all`) },
      { words: "Keep the top card shown to", sub: anyEyes("keeptop") },
      one.ordered && {
        words: "Several to …", sub: () => own.map((other) => ({ words: other.name, run: several(other) })),
      },
      one.ordered && { words: "Turn over until …", run: until },
    ] },
    mine && { words: "A random card", sub: () => [
      { words: "Show it", run: () => act(`random ${where} 1 show`) },
      ...own.map((other) => ({ words: `To ${other.name}`, run: () => act(`random ${where} 1 to ${group(other.id)}`) })),
      { words: "To the table", run: () => act(`random ${where} 1 to table`) },
    ] },
    mine && {
      words: "All cards", sub: () => [{ title: "To" }, ...all(""), { title: "In random order, to" }, ...all(" random")],
    },
    mine && { words: "Who sees the cards", sub: () => [
      ...anyEyes("viewers"), "-", { title: "Others may look into it" },
      ...PROTECTIONS.map(([words, how]) => ({ words, run: () => act(`protect ${where} ${how}`) })),
    ] },
    mine && isHand(one) && { words: "Mulligan …", run: mulligan },
    mine && { words: "Control", sub: () => otherSeats().map((seat) => ({
      words: `Give it to ${seatName(seat)}`, run: () => act(`givepile ${where} to ${seat + 1}`),
    })) },
    !mine && { words: "Take control", run: () => act(`takepile ${where}`) },
    ...(mine ? ofPackage(false, id, { pile: where }) : []),
  ];
}

/**
 * Everything that can be done with the table itself, at a place if one was pointed at.
 * @param {number} [x] @param {number} [y] @returns {MenuEntries}
 */
export function tableMenu(x, y) {
  const { me } = S;
  if (me === null) return [{ words: "The table as a list", run: list }];
  const placed = x === undefined || y === undefined ? "" : ` ${Math.round(x)},${Math.round(y)}`;
  const dice = async () => {
    const given = await question("Dice", [{ name: "d", words: "Which, as in 2d6+1?", value: "2d6" }], "Roll");
    if (given) act(`roll ${given.d}`);
  };
  const random = async () => {
    /** @type {AskedField[]} */
    const fields = [
      { name: "a", words: "From", type: "number", value: 1 }, { name: "b", words: "To", type: "number", value: 20 },
    ];
    const given = await question("A number", fields, "Draw it");
    if (given) act(`number ${given.a} ${given.b}`);
  };
  const seal = async () => {
    const given = await question("A sealed value", [{ name: "t", words: "Nobody can read it until it is opened" }], "Seal");
    if (given) act(`seal ${quoted(given.t)}`);
  };
  /** @type {(one: { name: string, opens: boolean }, index: number) => MenuEntry} */
  const documentEntry = ({ name, opens }, index) => (opens
    ? { words: name, run: () => open(`/free/document/${index}`, "_blank", "noopener") }
    : { words: `${name} (not here)`, run: () => tell(name, el("p", {}, NOT_HERE)) });
  const isReady = () => S.seats[me].ready;
  return [
    { words: "Choose a deck …", run: decks },
    { words: "My name …", run: rename },
    { words: "Opening hand …", run: openingHand },
    "-",
    { words: "Chance", sub: () => [
      { words: "A die", run: () => act("roll 1d6") }, { words: "Dice …", run: dice },
      { words: "A coin", run: () => act("coin") }, { words: "A number …", run: random },
      { words: "Who goes first", run: () => act("order") },
    ] },
    { words: "Token or card …", key: "K", run: () => token(placed) },
    { words: "Note …", run: () => note(placed) },
    { words: "Straighten my cards", key: "U", run: () => act("straighten") },
    { words: "Clear my targets and arrows", run: () => act("clearmarks") },
    "-",
    { words: "Turn", sub: () => [
      { words: "Pass the turn", key: "E", run: () => act("pass") },
      kit.phases.length > 0 && { words: "Next phase", key: "N", run: nextPhase },
      ...S.seats.map((seat, index) => ({ words: `It is ${seat.name}'s turn`, run: () => act(`active ${index + 1}`) })),
      {
        words: S.turn.end ? "Do not wait for me before turns end" : "Wait for me before turns end",
        run: () => act(S.turn.end ? "unstop end" : "stop end"),
      },
      { words: isReady() ? "I am not ready" : "I am ready", run: () => act(isReady() ? "unready" : "ready") },
    ] },
    { words: "Secret choice", sub: () => [
      { words: "Seal a value …", run: seal },
      { words: "Open mine", run: () => act("open") }, { words: "Open all when all have sealed", run: () => act("openall") },
    ] },
    kit.documents.length > 0 && { words: "Documents", sub: () => kit.documents.map(documentEntry) },
    kit.sounds.length > 0 && {
      words: "Sounds", sub: () => kit.sounds.map((name) => ({ words: name, run: () => act(`sound ${quoted(name)}`) })),
    },
    kit.boards.length > 0 && { words: "Board", sub: () => [
      ...kit.boards.map((board, index) => ({ words: board.name || "The board", run: () => act(`board ${index + 1}`) })),
      { words: "None", run: () => act("board none") }, { words: "Turn the background", run: () => act("background") },
    ] },
    { words: "Game", sub: () => [
      kit.packs.length > 0 && { words: "Open packs …", run: packs },
      S.pool.length > 0 && { words: "Build a deck from my pool …", run: () => ownList("build") },
      { words: "Swap with the sideboard …", run: () => ownList("sideboard") },
      { words: "Take back", key: "Z", run: takeBack }, { words: "Restore what I took back", run: () => act("redo") },
      { words: "Put my cards away …", run: () => sure("Put all your cards away?", "clear", "Put them away") },
      {
        words: "Begin again with the same decks …",
        run: () => sure("Begin again? The others will be asked.", "reset", "Begin again"),
      },
      {
        words: "Begin again without cards …",
        run: () => sure("Begin again without cards? The others will be asked.", "reset hard", "Begin again"),
      },
      { words: "Show my deck list to all", run: () => act("showdeck all") },
      { words: "Give up …", run: () => sure("Give up this game?", "concede", "Give up") },
      {
        words: "Agree that the game is over …",
        run: () => sure("Agree that the game is over?", "endgame", "It is over"),
      },
      S.turn.ended && { words: "Show my hidden cards", run: () => act("showhidden") },
    ] },
    { words: "The table as a list", key: "I", run: list },
    ...ofPackage(false, "table", {}),
  ];
}
const NOT_HERE = "Only PDFs, texts and pictures in the package are shown.";
export function openingHand() {
  const key = `hand ${kit.name}`;
  return number("Opening hand", "How many cards?", "Draw", Number(localStorage.getItem(key) ?? 5), (n) => {
    localStorage.setItem(key, String(n));
    act(`hand ${n}`);
  });
}
/** What one is called, here and at tables to come: the duel's page keeps it in the same place. */
export async function rename() {
  const value = localStorage.getItem("name") ?? seatName(S.me);
  const given = await question("Your name", [{ name: "n", words: "What is your name?", value, most: 24 }], "Take it");
  if (given && await act(`rename ${quoted(given.n)}`)) localStorage.setItem("name", given.n);
}
/** @param {string} words @param {string} line @param {string} button */
async function sure(words, line, button) { if (await question(words, [], button)) act(line); }
export const nextPhase = () => kit.phases.length && act(`phase ${(S.turn.phase % kit.phases.length) + 1}`);
/** @param {string} placed */
async function note(placed) {
  /** @type {AskedField[]} */
  const fields = [
    { name: "t", words: "What does it say?", most: 1000 },
    { name: "p", words: "Who reads it?", choices: [["", "Everybody"], [" private", "Only me"]] },
  ];
  const given = await question("A note on the table", fields, "Write it");
  if (given?.t) act(`note${placed || ` ${freeSpot().join(",")}`}${given.p} ${quoted(given.t)}`);
}
/** @param {number} id */
export async function editNote(id) {
  const one = S.notes.find((other) => other.id === id);
  if (!one || S.me === null) return;
  const field = { name: "t", words: "What does it say? Nothing removes it.", value: one.text, most: 1000 };
  const given = await question("A note on the table", [field], "Write it");
  if (given) act(given.t ? `editnote ${id} ${quoted(given.t)}` : `removenote ${id}`);
}
/** Lines of the log that are no step of the table. */
const NO_STEP = ["say", "me", "announce", "whisper", "undo", "ask", "point", "shake", "ready", "stop", "name"];
/** F131, F132: alone if that is possible, else the others are asked. */
export async function takeBack() {
  const answer = await ask({ lines: ["undo 1"] }, true);
  if (!answer?.no) return;
  /** @param {FreeLine} line */
  const isStep = (line) =>
    !S.undone.includes(line.step) && line.by !== null && !NO_STEP.includes(line.kind);
  const last = S.log.findLast(isStep);
  if (!/propose it/.test(answer.no) || !last) { notice(answer.no); return; }
  if (!S.seats.some((seat, at) => at !== S.me && seat.present)) {
    notice("Somebody else has to agree, and nobody else is here.");
    return;
  }
  const words = `Everybody here must agree to go back before: “${last.text}”`;
  if (await question("Ask to take it back?", [], "Ask the others", words)) act(`propose ${last.step}`);
}

/** Chooses all cards of the own hand, or of the table that are one's own. @param {"table" | "hand"} where */
export function chooseAll(where) {
  chosen.clear();
  const handles = where === "table" ? S.table.filter((handle) => cardOf(handle).by === S.me) : handOrder();
  handles.forEach((handle) => chosen.add(handle));
  drawChosen();
  elementOf(handles[0])?.focus({ preventScroll: true });
}

// --- what a double click does, and Enter ------------------------------------------------------------

/**
 * The package's entry for this that it marks as the usual one, unless it would only be told.
 * @param {boolean} isCard @param {FreePlace} where
 */
const usualEntry = (isCard, where) =>
  entriesOf(isCard, where).find((action) => action.default && action.mark !== "script");
/** F190. @param {number} handle */
export function usual(handle) {
  const where = placeOf(handle), what = cards(meant(handle));
  if (S.me === null) { zoom(handle); return; }
  const own = usualEntry(true, where), ofGroup = usualEntry(false, where);
  if (kit.doubles && S.scripts) act(`doubleclick ${cards([handle])}`);
  else if (own) entry(own, { cards: what });
  else if (ofGroup) entry(ofGroup, where === "table" ? {} : { pile: group(where) });
  else if (where === "table") act(`rotate ${what}`);
  else if (isHand(pileOf(where))) play(meant(handle), "");
  else zoom(handle);
}
/** @param {number} id */
export function usualOfPile(id) {
  const one = pileOf(id);
  if (S.me === null) { lookInto(id); return; }
  const ofGroup = one.owner === S.me && usualEntry(false, id);
  if (ofGroup) entry(ofGroup, { pile: group(id) });
  else if (draws(one) && one.viewers !== "everybody") act(`draw ${group(id)} 1`);
  else lookInto(id);
}
