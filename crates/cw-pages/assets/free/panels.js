// Around the cloth: the parts of the page, seats with their piles and counters, the turn, what is shown, how to begin.
//
// In reading order: `build` makes the parts once; `part` makes anew only what reads otherwise; `seatPanel` is one seat;
// `arrange` measures whether the panels have room, or stand as chips of which one is open; `drawPanels` draws all of it. The
// questions are in `questions`, the log and what stands beside it in `log`.

import {
  $, S, act, backPath, cardOf, cards, deck, el, eyes, facePath, focused, hand, hasFace, isHand, keep, kept, kit, quiet,
  seatName, targetOf, when,
} from "./state.js";
import { question } from "./dialogs.js";
import { decks } from "./decks.js";
import { openingHand, rename } from "./menu.js";
import { zoom } from "./windows.js";

/** The parts of the page, made once. */
export function build() {
  document.body.className = "free";
  const table = "The table. Arrow keys move between cards, M opens a menu, question mark lists all keys.";
  document.body.replaceChildren(
    el("header", { id: "others", aria: { label: "The other seats" } }),
    el("main", { id: "felt", tabIndex: 0, aria: { label: table } },
      el("h1", { className: "sr" }, document.body.dataset.title), el("div", { id: "cloth" }), world(), el("div", { id: "frame", hidden: true }),
      el("p", { id: "notice", aria: { role: "status" } }), el("img", { id: "preview", alt: "", hidden: true }), tools()),
    el("div", { id: "questions" }, el("div", { id: "asked" }), el("div")),
    el("section", { id: "shown", aria: { label: "Cards that are shown" } }),
    el("section", { id: "turn", aria: { label: "The turn" } }),
    el("section", { id: "mine", aria: { label: "Your seat" } }),
    el("section", { id: "hand", aria: { label: "Your hand" } }),
    aside(), el("div", { id: "windows" }), el("div", { id: "drag" }));
  if (kit.background) {
    const image = new Image();
    image.onload = () => {
      $("cloth").classList.add("pictured", kit.style);
      $("cloth").style.backgroundImage = `url("${image.src}")`;
    };
    image.src = "/free/background";
  }
  addEventListener("resize", () => { if (S.seats.length) { arrange(); drawTurn(); } });
  // A click on a counter or a tool does not keep the keyboard: Space is for the card under the pointer.
  when(document, "mousedown", (event) => {
    if (!targetOf(event).closest(".counter button, #tools button, .ribbon button")) return;
    event.preventDefault();
    if (focused()?.matches("input, textarea")) focused()?.blur();
  });
}
function world() {
  const ground = el("div", { id: "ground" });
  const made = el("div", { id: "world" }, ground, el("div", { id: "board" }));
  const [w, h] = kit.table;
  Object.assign(ground.style, { width: `${w}px`, height: `${h}px`, transform: `translate(${-w / 2}px, ${-h / 2}px)` });
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  lines.id = "arrows";
  made.append(lines);
  return made;
}
function tools() {
  /** @type {(id: string, words: string, title: string) => Node} */
  const button = (id, words, title) => el("button", { id, textContent: words, title, aria: { label: title } });
  return el("div", { id: "tools" },
    button("menu", "Table", "What you can do at the table"), button("undo", "Undo", "Take back my last step (Z)"),
    button("fit", "⤢", "Show all cards"), button("closer", "+", "Closer"), button("farther", "−", "Farther"),
    button("log-tab", "Log", "Log and chat"));
}
function aside() {
  const { title, seats } = document.body.dataset;
  const say = el("input", { id: "say", autocomplete: "off", maxLength: 500, placeholder: "Say something" });
  say.setAttribute("aria-label", "Say something, or /help");
  return el("aside", { id: "side", aria: { label: "Log and chat" } },
    el("div", { className: "row" }, el("strong", { className: "title" }, title),
      el("button", { id: "links", textContent: seats ? "Hand over" : "Invite" }),
      el("a", { href: "/cards", target: "_blank", textContent: "Cards", aria: { label: "All cards of the game" } }),
      el("button", { id: "look", textContent: "Look", aria: { label: "How the page looks" } }),
      el("button", { id: "help", textContent: "?", aria: { label: "Keys and commands" } }),
      el("button", { id: "unlog", textContent: "Close" })),
    el("ul", { id: "packs", aria: { label: "Seeds of the packs", live: "polite" } }),
    el("ol", { id: "log", tabIndex: 0, aria: { label: "What happened", live: "polite" } }),
    el("form", { id: "chat", autocomplete: "off" },
      el("button", { id: "phrases", textContent: "…", aria: { label: "Ready phrases" } }), say,
      el("button", { type: "submit", textContent: "Say" })));
}
/** How large the text is: as it was, or as it is wished now. */
export function setText(size = kept("free-text") ?? "normal") {
  keep("free-text", size);
  document.documentElement.classList.toggle("large", size === "large");
  if (S.seats.length) drawPanels();
}

// --- seats ------------------------------------------------------------------------------------------

/** What is there, by its key, with what it was made of. @type {Map<string, { text: string, made: HTMLElement }>} */
const parts = new Map();
/**
 * Only what reads otherwise than before is made anew.
 * @param {string} key @param {HTMLElement} box @param {string} text @param {() => HTMLElement} make
 */
function part(key, box, text, make) {
  const one = parts.get(key);
  if (one?.text === text && one.made.parentNode === box) return one.made;
  const made = make();
  if (one?.made.parentNode === box) {
    const had = focused(), stands = had && one.made.contains(had) && had.dataset.key;
    one.made.replaceWith(made);
    if (stands) made.querySelector(`[data-key="${stands}"]`)?.focus();
  } else box.append(made);
  parts.set(key, { text, made });
  return made;
}

/**
 * How many characters wide a name is written so that it has two lines at most, broken between its words.
 * @param {string} name
 */
function wideFor(name) {
  // An m is wider than the digit that counts as one.
  const words = name.split(/\s+|(?<=[a-z])(?=[A-Z(])|(?<=[/&_-])(?=\w)/)
    .map((word) => word.length + 0.6 * word.replace(/[^mwMW]/g, "").length);
  /** @param {number} wide */
  const lines = (wide) => words.reduce(([count, used], word) => (
    used && used + 1 + word > wide ? [count + 1, word] : [count, used ? used + 1 + word : word]), [1, 0])[0];
  let wide = Math.max(...words, Math.min(name.length, 7));
  while (wide < name.length && lines(wide) > 2) wide += 1;
  return Math.min(wide, 22) + 0.5;
}

/**
 * A name breaks between its words, never inside of one: “R&D/Stack”, “ScriptingPile”, “Archives(Hidden)”.
 * @param {string} name
 */
const breakable = (name) => name.split(/(?<=[a-z])(?=[A-Z(])|(?<=[/&_-])(?=\w)/)
  .flatMap((part, at) => (at ? [el("wbr"), part] : [part]));
/**
 * The card that a pile shows, and the handle of the one on top: a pile that all see, without order, shows any.
 * @param {FreePile} one
 */
function topOf(one) {
  const first = one.cards.find(([, at]) => at === 0);
  const top = first ?? (one.ordered || one.viewers !== "everybody" ? undefined : one.cards.at(-1));
  return top && cardOf(top[0]);
}
/** @param {FreePile} one */
function pileButton(one) {
  const card = topOf(one);
  const picture = hasFace(card) ? facePath(card, "small") : backPath(card);
  const what = one.count === 0 ? null : el("img", { src: picture, alt: "", draggable: false });
  const looking = one.windows.filter((seat) => seat !== S.me).map(seatName);
  const of = one.owner === S.me || one.owner === null ? "" : ` of ${seatName(one.owner)}`;
  const onTop = card?.name ? `, on top ${card.name}` : "";
  const looks = looking.length ? `, ${looking.join(" and ")} ${looking.length > 1 ? "look" : "looks"} into it` : "";
  const made = el("button", {
    className: `pile${looking.length ? " watched" : ""}${isHand(one) ? " ishand" : ""}`, title: one.name,
    data: { pile: one.id, key: `p${one.id}` }, aria: { label: `${one.count} ${one.name}${of}${onTop}${looks}` },
  },
  el("span", { className: "stack" }, what), el("b", {}, one.count), " ",
  el("span", { className: "name" }, ...breakable(one.name)));
  made.style.setProperty("--wide", String(wideFor(one.name)));
  made.style.setProperty("--deep", String(Math.min(5, Math.ceil(one.count / 10))));
  return made;
}
/** How a seat is: nothing where it is as it should be. @param {FreeSeat} seat */
function stateOf({ conceded, present, here, ready, came }) {
  if (conceded) return "gave up";
  if (!present) return "away";
  if (here) return ready ? "ready" : "";
  return came ? "away" : "not here";
}
/** @param {number} seat */
function seatPanel(seat) {
  const one = S.seats[seat], mine = seat === S.me;
  const piles = S.piles.filter((other) => other.owner === seat && !(mine && isHand(other)));
  const shown = mine ? piles : [...piles].sort((a, b) => Number(isHand(b)) - Number(isHand(a)));
  const words = [stateOf(one), one.sealed && "has sealed a value", one.counters.length ? null : one.summary];
  const made = el("div", {
    className: `seat seat${seat}${S.turn.active === seat ? " active" : ""}${isOpen(seat) ? " open" : ""}`, data: { seat },
  },
  el("div", { className: "who" },
    el("h2", {}, el("i", { className: one.here ? "dot on" : "dot" }), one.name, mine ? el("small", {}, " you") : null),
    el("p", {}, words.filter(Boolean).join(" · "))),
  countersOf(seat, one.counters),
  shown.length ? el("div", { className: "piles" }, ...shown.map(pileButton)) : null);
  made.style.setProperty("--weight", String(3 + shown.length + one.counters.length));
  return made;
}
/** The other seats, clockwise from the left (F179). */
const others = () => S.seats.map((_, at) => (at + (S.me ?? -1) + 1) % S.seats.length).filter((seat) => seat !== S.me);
/** The seat whose chip a person opened, or "none"; whose turn it is else. @type {number | "none" | null} */
let opened = null;
/** In whose turn that was. @type {number | null} */
let openedIn = null;
/** @param {number} seat */
function isOpen(seat) {
  if (seat === S.me) return false;
  if (openedIn !== S.turn.active) { opened = null; openedIn = S.turn.active; }
  if (opened !== null) return opened === seat;
  const first = S.turn.active !== null && S.turn.active !== S.me ? S.turn.active : others()[0];
  return !document.body.classList.contains("over") && seat === first;
}
/** @param {number} seat */
function openSeat(seat) {
  opened = isOpen(seat) ? "none" : seat;
  drawPanels();
}
/** Closes the seat that lies over the cloth; says whether one did. */
export function closeSeat() {
  if (!document.body.classList.contains("over") || !others().some(isOpen)) return false;
  opened = "none";
  drawPanels();
  return true;
}
function chips() {
  return el("div", { id: "chips", aria: { role: "group", label: "The other seats" } }, ...others().map((seat) => {
    const one = S.seats[seat], held = S.piles.find((other) => other.owner === seat && isHand(other));
    const counters = one.counters.slice(0, others().length > 3 ? 0 : 1).map(([name, value]) => `${name} ${value}`);
    const parts = [one.conceded ? "gave up" : null, held && `${held.name} ${held.count}`, ...counters];
    const words = parts.filter(Boolean).join(" · ");
    return el("button", {
      className: `chip seat${seat}${S.turn.active === seat ? " active" : ""}`, data: { key: `chip${seat}` },
      title: isOpen(seat) ? `Close the piles of ${one.name}` : `Open the piles of ${one.name}`,
      aria: { expanded: isOpen(seat) }, onclick: () => openSeat(seat),
    },
    el("i", { className: one.here ? "dot on" : "dot" }), el("b", {}, one.name), words ? " " : null,
    words ? el("span", {}, words) : null);
  }));
}
/** How the panels stand: side by side, as chips with one open, or with the open one over the cloth. */
let laid = "";
function arrange() {
  const { body } = document;
  const seats = S.seats.map((seat) => [seat.name, seat.counters.length]);
  const piles = S.piles.map((one) => [one.owner, one.name]);
  const key = JSON.stringify([innerWidth, innerHeight, document.documentElement.className, S.me, seats, piles]);
  if (key === laid) return;
  laid = key;
  opened = null;
  const many = others().length, box = $("others"), felt = $("felt");
  const own = S.piles.filter((one) => one.owner === S.me && !isHand(one)).length;
  body.classList.toggle("many", own > 6);
  body.classList.remove("chips", "over");
  // A panel of less width would break its names; a table of less height would be none.
  const narrow = () => [...box.querySelectorAll(".seat")].some((one) => one.clientWidth < 230);
  /** @param {number} part */
  const flat = (part) => felt.clientHeight < innerHeight * part;
  const lying = innerHeight <= 480 && innerWidth < 1000;
  const asChips = () => many > 3 || lying || many > 1 && innerWidth < 1000 || narrow() || flat(0.48);
  if (many > 0 && asChips()) body.classList.add("chips");
  redraw();
  if (body.classList.contains("chips") && (lying || flat(0.36))) { body.classList.add("over"); redraw(); }
}
/** Which one is open follows from how they stand. */
function redraw() {
  parts.delete("chips");
  document.getElementById("chips")?.remove();
  drawSeats();
}
/** Counters of a seat, or those that are shared. @param {number | null} seat @param {FreeSeat["counters"]} counters */
function countersOf(seat, counters) {
  if (!counters.length) return null;
  return el("div", { className: "counters" }, ...counters.map(([name, value], index) => counter(seat, index, name, value)));
}
/** @param {number | null} seat @param {number} index @param {string} name @param {number} value */
function counter(seat, index, name, value) {
  const may = seat === S.me || seat === null;
  /** @param {string} by */
  const change = (by) => act(`counter ${seat === null ? "*/" : ""}${JSON.stringify(name)} ${by}`);
  const set = async () => {
    const given = await question(name, [{ name: "n", words: "New value; +3 or -2 changes it", value }], "Set it");
    if (given) change(/^[+-]/.test(given.n) ? given.n : `=${given.n}`);
  };
  /** @type {(sign: string, kind: string, by: string) => Node} */
  const step = (sign, kind, by) => el("button", {
    textContent: sign, data: { key: `${kind}${seat}-${index}` }, aria: { label: `${name} ${sign}1` },
    onclick: () => change(by),
  });
  const made = el("div", { className: "counter", title: name },
    may ? step("−", "m", "-1") : null,
    el("button", {
      className: "value", disabled: !may, data: { key: `v${seat}-${index}` }, aria: { label: `${value} ${name}` },
      onclick: set,
    }, el("b", {}, value), " ", el("span", {}, name)),
    may ? step("+", "a", "+1") : null);
  made.style.setProperty("--wide", String(wideFor(name)));
  return made;
}

function drawSeats() {
  const box = $("others"), mine = $("mine");
  /** What a seat's panel is made of. @param {number} seat */
  const key = (seat) => {
    const piles = S.piles.filter((one) => one.owner === seat);
    /** @param {FreePile} one */
    const faces = (one) =>
      one.cards.filter(([, at]) => at === 0 || at === null).map(([handle]) => S.cards.get(handle)?.face);
    return JSON.stringify([S.seats[seat], S.turn.active, isOpen(seat), piles.map((one) => [one, faces(one)])]);
  };
  if (others().length) {
    const hands = S.piles.filter(isHand).map((one) => one.count);
    const made = part("chips", box, JSON.stringify([S.seats, S.turn.active, others().map(isOpen), hands]), chips);
    if (box.firstChild !== made) box.prepend(made);
  }
  for (const seat of others()) part(`seat${seat}`, box, key(seat), () => seatPanel(seat));
  const { me } = S;
  if (me !== null) part(`seat${me}`, mine, key(me), () => seatPanel(me));
  const shared = S.piles.filter((one) => one.owner === null);
  if (shared.length || S.shared.length) {
    const faces = shared.map((one) => S.cards.get(one.cards[0]?.[0])?.face);
    part("shared", box, JSON.stringify([shared, S.shared, faces]), () => {
      const made = el("div", { className: "seat shared" }, el("div", { className: "who" }, el("h2", {}, "Shared")),
        countersOf(null, S.shared), el("div", { className: "piles" }, ...shared.map(pileButton)));
      made.style.setProperty("--weight", String(3 + shared.length + S.shared.length));
      return made;
    });
  }
}

export function drawPanels() {
  drawSeats();
  arrange();
  const held = hand();
  $("undo").hidden = S.me === null;
  $("hand").hidden = held === null;
  if (held) {
    $("hand").dataset.pile = String(held.id);
    $("hand").setAttribute("aria-label", `Your hand, ${held.count} cards`);
  }
  drawTurn();
  drawBegin();
  drawShown();
}

/** What a seat without a game has put off. */
let later = "";
/** A seat without cards is asked for its deck: the table does not open empty. */
function drawBegin() {
  const held = hand();
  const sits = S.me !== null && !S.turn.ended && !S.table.some((handle) => cardOf(handle).owner === S.me);
  const empty = sits && S.piles.every((one) => one.owner !== S.me || one.count === 0);
  // A package may put a card or two into the hand at once.
  const lies = sits && S.turn.active === null && held && held.count < 3 && (deck()?.count ?? 0) > 4;
  const step = empty ? "deck" : lies ? "hand" : "";
  const old = $("begin");
  if (!step || later === step) { old?.remove(); return; }
  if (old?.dataset.step === step) return;
  old?.remove();
  const putOff = el("button", { textContent: "Later", onclick: () => { later = step; drawBegin(); } });
  /** @type {(textContent: string, onclick: () => unknown) => Node} */
  const go = (textContent, onclick) => el("button", { className: "go", textContent, data: { key: "begin" }, onclick });
  const how = "Draw a hand; then somebody begins the first turn. Menus have the rest, also of the package: "
    + "a right click or a second tap on the table, a pile or a card.";
  const label = step === "deck" ? "Which deck do you play?" : "Your deck is ready";
  const made = step === "deck"
    ? [go("Choose a deck", decks), el("button", { textContent: "My name …", onclick: rename })]
    : [quiet(how), go("Draw a hand …", openingHand),
      el("button", { textContent: "The table's menu …", onclick: () => $("menu").click() })];
  $("shown").after(el("section", { id: "begin", data: { step }, aria: { label } }, el("h2", {}, label), ...made, putOff));
}

/** Cards that were shown and that one has read. @type {Set<number>} */
const putAway = new Set();
let shownKey = "";
/** F84: what is shown stands in a row on every screen, until who shows it puts it away or one has read it. */
function drawShown() {
  /** @type {[FreePile, FreeCard][]} */
  const now = S.piles.flatMap((one) => one.cards.flatMap(([handle]) => {
    const card = S.cards.get(handle);
    const isShown = card?.shown && card.name && (card.shown.includes(eyes()) || one.owner === S.me);
    return isShown ? [[one, card]] : [];
  }));
  for (const handle of [...putAway]) if (!now.some(([, card]) => card.h === handle)) putAway.delete(handle);
  const rows = now.filter(([, card]) => !putAway.has(card.h));
  const key = JSON.stringify(rows);
  if (shownKey === key) return;
  shownKey = key;
  $("shown").replaceChildren(...rows.map(([one, card]) => {
    const face = hasFace(card) ? el("img", { src: facePath(card, "small"), alt: "", draggable: false })
      : el("span", { className: "blank", textContent: card.name });
    const aria = { label: `Read ${card.name}` };
    const read = el("button", { className: "thumb", data: { h: card.h }, aria, onclick: () => zoom(card.h) }, face);
    const mine = one.owner === S.me;
    const who = one.owner === null ? "Shown" : `${seatName(one.owner)} shows`;
    const away = () => { if (mine) act(`hide ${cards([card.h])}`); else { putAway.add(card.h); drawShown(); } };
    return el("div", { className: `showing seat${one.owner ?? ""}` },
      el("p", { textContent: mine ? `You show this in ${one.name}` : `${who} in ${one.name}` }), read,
      el("button", { textContent: "Put away", aria: { label: `Put ${card.name} away` }, onclick: away }));
  }));
}

function drawTurn() {
  part("turn", $("turn"), JSON.stringify([S.turn, S.seats.map((seat) => seat.name)]), ribbon);
  // The phase that it is stands in sight.
  const strip = $("turn").querySelector("ol"), now = strip?.querySelector(".now");
  strip?.classList.toggle("cut", strip.scrollWidth > strip.clientWidth);
  if (strip && now) strip.scrollLeft = now.offsetLeft - strip.offsetLeft - (strip.clientWidth - now.clientWidth) / 2;
}
/** Whose turn it is, its phases, and how it is passed. */
function ribbon() {
  const { active, turn, phase, stops } = S.turn, { me } = S;
  const mine = active === me && me !== null;
  const count = turn ? `Turn ${turn}: ` : "";
  const name = active === null ? "Nobody's turn" : mine ? `${count}your turn` : `${count}${seatName(active)}'s turn`;
  /** @type {(by: number, sign: string, words: string) => Node | null} */
  const step = (by, sign, words) => (mine && kit.phases.length ? el("button", {
    className: "step", textContent: sign, data: { key: words }, aria: { label: words },
    disabled: phase + by < 1 || phase + by > kit.phases.length, onclick: () => act(`phase ${phase + by}`),
  }) : null);
  const phases = kit.phases.map((words, index) => {
    const number = index + 1, isStop = stops.includes(number);
    return el("li", { className: phase === number ? "now" : "" }, el("button", {
      textContent: words, disabled: me === null, data: { key: `f${index}` }, className: isStop ? "stop" : "",
      title: isStop ? "You stop here. Right-click to stop no longer" : "Right-click to stop here",
      aria: { ...(phase === number && { current: "step" }) }, onclick: () => act(`phase ${number}`),
      oncontextmenu: (event) => { event.preventDefault(); act(`${isStop ? "unstop" : "stop"} ${number}`); },
    }));
  });
  const wait = S.turn.end ? "Do not wait for me at its end" : "Wait for me before this turn ends";
  const pass = me === null ? null : el("button", {
    className: "pass", data: { key: "pass" },
    textContent: active === null ? "Begin the first turn" : mine ? "Pass the turn" : wait,
    onclick: () => act(active === null ? `active ${me + 1}` : mine ? "pass" : S.turn.end ? "unstop end" : "stop end"),
  });
  return el("div", { className: `ribbon${mine ? " own" : ""}` },
    el("strong", {}, S.turn.ended ? "The game is over" : name[0].toUpperCase() + name.slice(1)),
    mine && kit.phases.length && !phase ? quiet("no phase yet", "span") : null, step(-1, "‹", "Previous phase"),
    el("ol", {}, ...phases), step(1, "›", "Next phase"), pass);
}
