// Around the cloth: seats with their piles and counters, the turn, questions, the log and the chat.

import { $, S, act, ask, backPath, cards, chosen, deck, el, facePath, get, hand, hasFace, isHand, kit, quoted, seatName, quiet, when } from "./state.js";
import { decks, menuIsOpen, onNotice, openMenu, openingHand, question, rename, tell, zoom } from "./menu.js";

/** The parts of the page, made once. */
export function build() {
  document.body.className = "free";
  document.body.replaceChildren(
    el("header", { id: "others", aria: { label: "The other seats" } }),
    el("main", { id: "felt", tabIndex: 0, aria: { label: "The table. Arrow keys move between cards, M opens a menu, question mark lists all keys." } },
      el("div", { id: "cloth" }), world(), el("div", { id: "frame", hidden: true }), el("p", { id: "notice", aria: { role: "status" } }), el("img", { id: "preview", alt: "", hidden: true }), tools()),
    el("div", { id: "questions" }, el("div", { id: "asked" }), el("div")), el("section", { id: "shown", aria: { label: "Cards that are shown" } }),
    el("section", { id: "turn", aria: { label: "The turn" } }),
    el("section", { id: "mine", aria: { label: "Your seat" } }),
    el("section", { id: "hand", aria: { label: "Your hand" } }),
    aside(), el("div", { id: "windows" }), el("div", { id: "drag" }));
  if (kit.background) {
    const image = new Image();
    image.onload = () => { $("cloth").classList.add("pictured", kit.style); $("cloth").style.backgroundImage = `url("${image.src}")`; };
    image.src = "/free/background";
  }
  addEventListener("resize", () => { if (S.seats.length) { arrange(); drawTurn(); } });
  onNotice(notice);
  // A click on a counter or a tool does not keep the keyboard: Space is for the card under the pointer.
  when(document, "mousedown", (event) => { if (event.target.closest?.(".counter button, #tools button, .ribbon button")) { event.preventDefault(); if (document.activeElement.matches("input, textarea")) document.activeElement.blur(); } });
}
function world() {
  const made = el("div", { id: "world" }, el("div", { id: "ground" }), el("div", { id: "board" }));
  const [w, h] = kit.table;
  Object.assign(made.firstChild.style, { width: `${w}px`, height: `${h}px`, transform: `translate(${-w / 2}px, ${-h / 2}px)` });
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  lines.id = "arrows";
  made.append(lines);
  return made;
}
function tools() {
  const button = (id, words, title) => el("button", { id, textContent: words, title, aria: { label: title } });
  return el("div", { id: "tools" }, button("menu", "Table", "What can be done at the table"), button("undo", "Undo", "Take back what I did last (Z)"), button("fit", "⤢", "Show all cards"), button("closer", "+", "Closer"), button("farther", "−", "Farther"), button("log-tab", "Log", "Log and chat"));
}
function aside() {
  const say = el("input", { id: "say", autocomplete: "off", maxLength: 500, placeholder: "Say something" });
  say.setAttribute("aria-label", "Say something, or /help");
  return el("aside", { id: "side", aria: { label: "Log and chat" } },
    el("div", { className: "row" }, el("h1", {}, document.body.dataset.title), el("button", { id: "links", textContent: document.body.dataset.seats ? "Hand over" : "Invite" }), el("a", { href: "/cards", target: "_blank", textContent: "Cards", aria: { label: "All cards of the game" } }), el("button", { id: "look", textContent: "Look", aria: { label: "How the page looks" } }), el("button", { id: "help", textContent: "?", aria: { label: "Keys and commands" } }), el("button", { id: "unlog", textContent: "Close" })),
    el("ul", { id: "packs", aria: { label: "Seeds of the packs", live: "polite" } }),
    el("ol", { id: "log", tabIndex: 0, aria: { label: "What happened", live: "polite" } }),
    el("form", { id: "chat", autocomplete: "off" }, el("button", { id: "phrases", textContent: "…", aria: { label: "Ready phrases" } }), say, el("button", { type: "submit", textContent: "Say" })));
}

export function notice(words, long = 5000) {
  const box = $("notice");
  box.textContent = words;
  box.classList.toggle("on", Boolean(words));
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => box.classList.remove("on"), long);
}

// --- seats ------------------------------------------------------------------------------------------

const parts = new Map();
/** Only what reads otherwise than before is made anew. */
function part(key, box, text, make) {
  let one = parts.get(key);
  if (one?.text === text && one.made.parentNode === box) return one.made;
  const made = make();
  if (one?.made.parentNode === box) {
    const focused = one.made.contains(document.activeElement) && document.activeElement.dataset.key;
    one.made.replaceWith(made);
    if (focused) made.querySelector(`[data-key="${focused}"]`)?.focus();
  } else box.append(made);
  parts.set(key, { text, made });
  return made;
}

/** How many characters wide a name is written so that it has two lines at most, broken between its words. */
function wideFor(name) {
  // An m is wider than the digit that counts as one.
  const words = name.split(/\s+|(?<=[a-z])(?=[A-Z(])|(?<=[/&_-])(?=\w)/).map((word) => word.length + 0.6 * word.replace(/[^mwMW]/g, "").length);
  const lines = (wide) => words.reduce(([count, used], word) => (used && used + 1 + word > wide ? [count + 1, word] : [count, used ? used + 1 + word : word]), [1, 0])[0];
  let wide = Math.max(...words, Math.min(name.length, 7));
  while (wide < name.length && lines(wide) > 2) wide += 1;
  return Math.min(wide, 22) + 0.5;
}
/** A name breaks between its words, never inside of one: “R&D/Stack”, “ScriptingPile”, “Archives(Hidden)”. */
const breakable = (name) => name.split(/(?<=[a-z])(?=[A-Z(])|(?<=[/&_-])(?=\w)/).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));
function pileButton(one) {
  const top = one.cards.find(([, at]) => at === 0) ?? (one.ordered ? null : one.viewers === "everybody" ? one.cards.at(-1) : null);
  const card = top && S.cards.get(top[0]);
  const what = one.count === 0 ? null : card && hasFace(card) ? el("img", { src: facePath(card, "small"), alt: "", draggable: false }) : el("img", { src: backPath(card), alt: "", draggable: false });
  const looked = one.windows.filter((seat) => seat !== S.me).map(seatName);
  const words = `${one.count} ${one.name}${one.owner === S.me || one.owner === null ? "" : ` of ${seatName(one.owner)}`}${card?.name ? `, on top ${card.name}` : ""}${looked.length ? `, ${looked.join(" and ")} ${looked.length > 1 ? "look" : "looks"} into it` : ""}`;
  const made = el("button", { className: `pile${looked.length ? " watched" : ""}${isHand(one) ? " ishand" : ""}`, title: one.name, data: { pile: one.id, key: `p${one.id}` }, aria: { label: words } },
    el("span", { className: "stack" }, what), el("b", {}, one.count), " ", el("span", { className: "name" }, ...breakable(one.name)));
  made.style.setProperty("--wide", wideFor(one.name));
  made.style.setProperty("--deep", Math.min(5, Math.ceil(one.count / 10)));
  return made;
}
function seatPanel(seat) {
  const one = S.seats[seat], mine = seat === S.me;
  const piles = S.piles.filter((other) => other.owner === seat && !(mine && isHand(other)));
  const shown = mine ? piles : [...piles].sort((a, b) => Number(isHand(b)) - Number(isHand(a)));
  const state = one.conceded ? "gave up" : !one.present ? "away" : one.here ? one.ready ? "ready" : "" : one.came ? "away" : "not here";
  const made = el("div", { className: `seat seat${seat}${S.turn.active === seat ? " active" : ""}${isOpen(seat) ? " open" : ""}`, data: { seat } },
    el("div", { className: "who" }, el("h2", {}, el("i", { className: one.here ? "dot on" : "dot" }), one.name, mine ? el("small", {}, " you") : null),
      el("p", {}, [state, one.sealed && "has sealed a value", one.counters.length ? null : one.summary].filter(Boolean).join(" · "))),
    one.counters.length ? el("div", { className: "counters" }, ...one.counters.map(([name, value], index) => counter(seat, index, name, value))) : null,
    shown.length ? el("div", { className: "piles" }, ...shown.map(pileButton)) : null);
  made.style.setProperty("--weight", 3 + shown.length + one.counters.length);
  return made;
}
/** The other seats, clockwise from the left (F179). */
const others = () => S.seats.map((_, at) => (at + (S.me ?? -1) + 1) % S.seats.length).filter((seat) => seat !== S.me);
/** The seat whose chip a person opened, or "none"; whose turn it is else. */
let opened = null, openedIn = null;
function isOpen(seat) {
  if (seat === S.me) return false;
  if (openedIn !== S.turn.active) { opened = null; openedIn = S.turn.active; }
  if (opened !== null) return opened === seat;
  return !document.body.classList.contains("over") && seat === (S.turn.active !== null && S.turn.active !== S.me ? S.turn.active : others()[0]);
}
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
    const words = [one.conceded ? "gave up" : null, held && `${held.name} ${held.count}`, ...one.counters.slice(0, others().length > 3 ? 0 : 1).map(([name, value]) => `${name} ${value}`)].filter(Boolean).join(" · ");
    return el("button", { className: `chip seat${seat}${S.turn.active === seat ? " active" : ""}`, title: isOpen(seat) ? `Close the piles of ${one.name}` : `Open the piles of ${one.name}`, data: { key: `chip${seat}` }, aria: { expanded: isOpen(seat) }, onclick: () => openSeat(seat) },
      el("i", { className: one.here ? "dot on" : "dot" }), el("b", {}, one.name), words ? " " : null, words ? el("span", {}, words) : null);
  }));
}
/** How the panels stand: side by side, as chips with one open, or with the open one over the cloth. */
let laid = "";
function arrange() {
  const body = document.body;
  const key = JSON.stringify([innerWidth, innerHeight, body.parentElement.className, S.me, S.seats.map((seat) => [seat.name, seat.counters.length]), S.piles.map((one) => [one.owner, one.name])]);
  if (key === laid) return;
  laid = key;
  opened = null;
  const many = others().length, box = $("others"), felt = $("felt");
  const own = S.piles.filter((one) => one.owner === S.me && !isHand(one)).length;
  body.classList.toggle("many", own > 6);
  body.classList.remove("chips", "over");
  // A panel of less width would break its names; a table of less height would be none.
  const narrow = () => [...box.querySelectorAll(".seat")].some((one) => one.clientWidth < 230);
  const flat = (part) => felt.clientHeight < innerHeight * part;
  const lying = innerHeight <= 480 && innerWidth < 1000;
  if (many > 3 || lying && many > 0 || many > 1 && innerWidth < 1000 || narrow() && many > 0 || flat(0.48) && many > 0) body.classList.add("chips");
  redraw();
  if (body.classList.contains("chips") && (lying || flat(0.36))) { body.classList.add("over"); redraw(); }
}
/** Which one is open follows from how they stand. */
function redraw() {
  parts.delete("chips");
  document.getElementById("chips")?.remove();
  drawSeats();
}
function counter(seat, index, name, value) {
  const may = seat === S.me || seat === null;
  const change = (by) => act(`counter ${seat === null ? "*/" : ""}${JSON.stringify(name)} ${by}`);
  const made = el("div", { className: "counter", title: name },
    may ? el("button", { textContent: "−", data: { key: `m${seat}-${index}` }, aria: { label: `${name} −1` }, onclick: () => change("-1") }) : null,
    el("button", { className: "value", disabled: !may, data: { key: `v${seat}-${index}` }, aria: { label: `${value} ${name}` }, onclick: async () => { const given = await question(name, [{ name: "n", words: "New value; +3 or -2 changes it", value }], "Set it"); if (given) change(/^[+-]/.test(given.n) ? given.n : `=${given.n}`); } }, el("b", {}, value), " ", el("span", {}, name)),
    may ? el("button", { textContent: "+", data: { key: `a${seat}-${index}` }, aria: { label: `${name} +1` }, onclick: () => change("+1") }) : null);
  made.style.setProperty("--wide", wideFor(name));
  return made;
}

function drawSeats() {
  const box = $("others"), mine = $("mine");
  const key = (seat) => JSON.stringify([S.seats[seat], S.turn.active, isOpen(seat), S.piles.filter((one) => one.owner === seat).map((one) => [one, one.cards.filter(([, at]) => at === 0 || at === null).map(([handle]) => S.cards.get(handle)?.face)])]);
  if (others().length) {
    const made = part("chips", box, JSON.stringify([S.seats, S.turn.active, others().map(isOpen), S.piles.filter(isHand).map((one) => one.count)]), chips);
    if (box.firstChild !== made) box.prepend(made);
  }
  for (const seat of others()) part(`seat${seat}`, box, key(seat), () => seatPanel(seat));
  if (S.me !== null) part(`seat${S.me}`, mine, key(S.me), () => seatPanel(S.me));
  const shared = S.piles.filter((one) => one.owner === null);
  if (shared.length || S.shared.length) {
    part("shared", box, JSON.stringify([shared, S.shared, shared.map((one) => S.cards.get(one.cards[0]?.[0])?.face)]), () => {
      const made = el("div", { className: "seat shared" }, el("div", { className: "who" }, el("h2", {}, "Shared")),
        S.shared.length ? el("div", { className: "counters" }, ...S.shared.map(([name, value], index) => counter(null, index, name, value))) : null, el("div", { className: "piles" }, ...shared.map(pileButton)));
      made.style.setProperty("--weight", 3 + shared.length + S.shared.length);
      return made;
    });
  }
}

export function drawPanels() {
  drawSeats();
  arrange();
  $("undo").hidden = S.me === null;
  $("hand").hidden = hand() === null;
  if (hand()) { $("hand").dataset.pile = hand().id; $("hand").setAttribute("aria-label", `Your hand, ${hand().count} cards`); }
  drawTurn();
  drawQuestions();
  drawBegin();
  drawShown();
}

/** A seat without cards is asked for its deck: the table does not open empty. */
function drawBegin() {
  const sits = S.me !== null && !S.turn.ended && !S.table.some((handle) => S.cards.get(handle).owner === S.me);
  const empty = sits && S.piles.every((one) => one.owner !== S.me || one.count === 0);
  // A package may put a card or two into the hand at once.
  const step = empty ? "deck" : sits && S.turn.active === null && hand() && hand().count < 3 && deck()?.count > 4 ? "hand" : "";
  const old = $("begin");
  if (!step || drawBegin.later === step) { old?.remove(); return; }
  if (old?.dataset.step === step) return;
  old?.remove();
  const later = el("button", { textContent: "Later", onclick: () => { drawBegin.later = step; drawBegin(); } });
  const made = step === "deck"
    ? [el("h2", {}, "Which deck do you play?"), el("button", { className: "go", textContent: "Choose a deck", data: { key: "begin" }, onclick: () => decks() }), el("button", { textContent: "My name …", onclick: rename })]
    : [el("h2", {}, "Your deck lies ready"), quiet("Draw a hand; then somebody begins the first turn. Menus have the rest, also of the package: a right click or a second tap on the table, a pile or a card."),
      el("button", { className: "go", textContent: "Draw a hand …", data: { key: "begin" }, onclick: openingHand }), el("button", { textContent: "The table's menu …", onclick: () => $("menu").click() })];
  $("shown").after(el("section", { id: "begin", data: { step }, aria: { label: made[0].textContent } }, ...made, later));
}

/** F84: what is shown stands in a row on every screen, until who shows it puts it away or one has read it. */
const putAway = new Set();
function drawShown() {
  const eyes = S.me ?? 8;
  const now = S.piles.flatMap((one) => one.cards.map(([handle]) => [one, S.cards.get(handle)])).filter(([one, card]) => card?.shown && card.name && (card.shown.includes(eyes) || one.owner === S.me));
  for (const handle of [...putAway]) if (!now.some(([, card]) => card.h === handle)) putAway.delete(handle);
  const rows = now.filter(([, card]) => !putAway.has(card.h));
  const key = JSON.stringify(rows);
  if (drawShown.key === key) return;
  drawShown.key = key;
  $("shown").replaceChildren(...rows.map(([one, card]) => {
    const face = hasFace(card) ? el("img", { src: facePath(card, "small"), alt: "", draggable: false }) : el("span", { className: "blank", textContent: card.name });
    const read = el("button", { className: "thumb", data: { h: card.h }, aria: { label: `Read ${card.name}` }, onclick: () => zoom(card.h) }, face);
    const mine = one.owner === S.me;
    return el("div", { className: `showing seat${one.owner ?? ""}` }, el("p", { textContent: mine ? `You show this in ${one.name}` : `${one.owner === null ? "Shown" : `${seatName(one.owner)} shows`} in ${one.name}` }), read,
      el("button", { textContent: "Put away", aria: { label: `Put ${card.name} away` }, onclick: () => { if (mine) act(`hide ${cards([card.h])}`); else { putAway.add(card.h); drawShown(); } } }));
  }));
}

function drawTurn() {
  const { active, turn, phase, stops } = S.turn;
  part("turn", $("turn"), JSON.stringify([S.turn, S.seats.map((seat) => seat.name)]), () => {
    const mine = active === S.me && S.me !== null;
    const count = turn ? `Turn ${turn}: ` : "";
    const step = (by, sign, words) => (mine && kit.phases.length ? el("button", { className: "step", textContent: sign, data: { key: words }, aria: { label: words }, disabled: phase + by < 1 || phase + by > kit.phases.length, onclick: () => act(`phase ${phase + by}`) }) : null);
    const name = active === null ? "Nobody's turn" : mine ? `${count}your turn` : `${count}${seatName(active)}'s turn`;
    const may = S.me !== null;
    return el("div", { className: `ribbon${mine ? " own" : ""}` }, el("strong", {}, S.turn.ended ? "The game is over" : name[0].toUpperCase() + name.slice(1)),
      mine && kit.phases.length && !phase ? quiet("no phase yet", "span") : null, step(-1, "‹", "Previous phase"),
      el("ol", {}, ...kit.phases.map((words, index) => el("li", { className: phase === index + 1 ? "now" : "" },
        el("button", { textContent: words, disabled: !may, data: { key: `f${index}` }, className: stops.includes(index + 1) ? "stop" : "", title: stops.includes(index + 1) ? "You stop here. A right click ends that" : "A right click stops here",
          aria: { ...(phase === index + 1 && { current: "step" }) }, onclick: () => act(`phase ${index + 1}`), oncontextmenu: (event) => { event.preventDefault(); act(`${stops.includes(index + 1) ? "unstop" : "stop"} ${index + 1}`); } })))),
      step(1, "›", "Next phase"), may ? el("button", { className: "pass", data: { key: "pass" }, textContent: active === null ? "Begin the first turn" : mine ? "Pass the turn" : S.turn.end ? "Do not wait for me at its end" : "Wait for me before this turn ends", onclick: () => act(active === null ? `active ${S.me + 1}` : mine ? "pass" : S.turn.end ? "unstop end" : "stop end") }) : null);
  });
  // The phase that it is stands in sight.
  const strip = $("turn").querySelector("ol"), now = strip?.querySelector(".now");
  strip?.classList.toggle("cut", strip.scrollWidth > strip.clientWidth);
  if (now) strip.scrollLeft = now.offsetLeft - strip.offsetLeft - (strip.clientWidth - now.clientWidth) / 2;
}

function drawQuestions() {
  drawAsked();
  $("questions").lastChild.replaceChildren(...S.questions.map((one) => {
    const words = one.words.replace(/ \(question \d+\)$/, "");
    const answer = (text, how) => el("button", { textContent: text, className: how === "yes" ? "go" : "", onclick: () => act(`answer ${one.id} ${how}`) });
    const looks = /look|search/.test(words);
    const said = one.rewind === null ? words : rewindWords(one, words);
    return el("div", { className: "question", aria: { role: one.mine ? "alertdialog" : "status", label: "A question" } }, el("p", { textContent: `${said}.` }),
      one.mine ? el("div", { className: "row" }, answer("Agree", "yes"), looks ? answer("Always agree", "always") : null, answer("No", "no"), looks ? quiet(`Always: ${seatName(one.by)} need not ask again for this pile.`) : null) : quiet(`Waiting for ${one.open.map(seatName).join(", ")}.`), one.by === S.me ? answer("Withdraw", "no") : null);
  }));
}
/** What scripts ask: the person answers beside the table, which shows meanwhile what would be. */
let shownRuns = "[]";
function drawAsked() {
  const now = JSON.stringify(S.runs);
  if (now === shownRuns) return;
  shownRuns = now;
  $("asked").replaceChildren(...S.runs.map((run) => el("div", { className: "question", aria: { role: run.q ? "alertdialog" : "status", label: run.name } },
    el("strong", {}, run.by === S.me ? run.name : `${seatName(run.by)}: ${run.name}`), ...(run.q ? asked(run, run.q) : [quiet(`Waiting for ${seatName(run.of)}.`)]),
    run.by === S.me ? el("button", { textContent: "Break it off", className: "quiet", onclick: () => act(`breakoff ${run.id}`) }) : null)));
  ($("asked").querySelector("input") ?? $("asked").querySelector(".go, .row button"))?.focus();
}
function asked(run, q) {
  const reply = (words) => act(`reply ${run.id} ${words}`);
  const button = (text, words, go) => el("button", { textContent: text, className: go ? "go" : "", onclick: () => reply(words) });
  const row = (...inside) => el("div", { className: "row" }, ...inside, el("button", { textContent: "Close", onclick: () => reply("closed") }));
  const form = (input, more, words) => { const made = el("form", {}, el("label", {}, input), more, row(el("button", { type: "submit", className: "go", textContent: "OK" }))); when(made, "submit", (event) => { event.preventDefault(); reply(words()); }); return made; };
  const number = (value, min = 0) => el("input", { type: "number", min, value, required: true, inputMode: "numeric", ariaLabel: "How many" });
  const said = [...run.said.map((line) => quiet(line)), ...(q.text ?? "").split("\n").map((line) => el("p", { textContent: line }))];
  const lists = { marker: () => kit.markers.map((one) => one.name), model: () => q.models };
  if (lists[q.kind]) {
    const pick = el("select", { ariaLabel: "Which" }, ...lists[q.kind]().map((text, value) => el("option", { value, textContent: text }))), many = number(1, 1);
    return [...said, form(pick, many, () => `counted ${pick.value} ${many.value}`)];
  }
  if (q.kind === "confirm") return [...said, el("div", { className: "row" }, button("Yes", "yes", true), button("No", "no"))];
  if (q.kind === "number") { const input = number(q.value); return [...said, form(input, null, () => input.value)]; }
  if (q.kind === "text") { const input = el("input", { value: q.value, maxLength: 500, ariaLabel: "Your answer" }); return [...said, form(input, null, () => quoted(input.value))]; }
  if (q.kind === "choice") return [...said, el("div", { className: "row many" }, ...q.choices.map(([text, colour], at) => { const one = button(text, at + 1); if (colour) one.style.borderColor = colour; return one; })), row(...q.buttons.map((text, at) => button(text, -1 - at)))];
  const picked = [], done = el("button", { className: "go", textContent: "OK", onclick: () => reply(`places ${picked.join(",")}`) });
  const order = !q.bottom && !q.most, least = order ? q.cards.length : q.least, most = order ? q.cards.length : q.most;
  const all = [...q.cards, ...q.bottom ?? []].map((card, at) => el("button", { className: "pick", ariaPressed: "false", title: card.name, onclick: () => { const was = picked.indexOf(at); if (was >= 0) picked.splice(was, 1); else picked.push(at); mark(); } },
    el("img", { src: card.face ? facePath(card, "small") : backPath(), alt: card.name }), el("b")));
  const mark = () => { all.forEach((one, at) => { const place = picked.indexOf(at); one.ariaPressed = String(place >= 0); one.lastChild.textContent = place < 0 ? "" : place + 1; }); done.disabled = picked.length < least || picked.length > most; };
  if (q.bottom) picked.push(...q.cards.keys());
  mark();
  const words = order ? "Choose all in their new order" : q.bottom ? `Chosen: ${q.label || "above"}; others: ${q.below || "below"}` : q.label;
  return [...said, words && quiet(words), quiet(least === most ? `${least} of ${all.length}` : `${least} to ${most} of ${all.length}`), el("div", { className: "picks" }, ...all), row(done)];
}
function rewindWords(one, words) {
  const after = S.log.filter((line) => line.step >= one.rewind && !S.undone.includes(line.step) && line.text && !["say", "ask", "me", "name"].includes(line.kind));
  // What it is, as the log has it: “Seat 2 asks to take back: draws 2 cards”.
  const said = after.map((line) => plainly(line.text).slice(line.by === one.by && actor(line) ? actor(line).length + 1 : 0).replace(/\.$/, ""));
  const some = said.slice(0, 3).join("; ") + (said.length > 3 ? `; and ${said.length - 3} more` : "");
  // Moves on the table are in no log, but one's own go back, too.
  const own = words.split(`(${seatName(S.me)} `).length - 1;
  return `${seatName(one.by)} asks to take back: ${some || "steps"}${own && one.by !== S.me ? `; and of yours: ${own}` : ""}`;
}

// --- log and chat -----------------------------------------------------------------------------------

let written = 0;
/** The name with which a line begins: that of its seat, or one that the seat had before. */
const actor = (line) => line.by !== null && [seatName(line.by), ...S.log.filter((old) => old.kind === "name" && old.by === line.by).map((old) => old.text.split(" is now called ")[0])].find((name) => line.text.startsWith(`${name} `) || line.text.startsWith(`${name}:`));
/** The log's words without the numbers that only the record needs. */
const plainly = (text) => text.replace(/ \(question \d+\)/g, "").replace(/ (agrees|says no) to question \d+/, " $1").replace(/answered question \d+/, "answered")
  .replace(/ \(list [0-9a-f]{4,}\)/, "").replace(/\bstep \d+ \(([^)]*)\)/g, "$1").replace(/everything after step \d+: /, "");
/** F217: what the seed of packs was promised to be has a place of its own, and the page looks itself whether that was kept. */
async function checkPacks(text) {
  const digest = /committed to as (\w+)/.exec(text)?.[1], told = /was (\w+); its BLAKE3 digest is (\w+)/.exec(text);
  const words = el("span", {}, "The packs' seed, told at the end, has the BLAKE3 digest ");
  if (digest) $("packs").append(el("li", { data: { digest } }, words, el("code", {}, digest)));
  if (!told) return;
  const made = $("packs").querySelector(`[data-digest="${told[2]}"] span`);
  const { blake3 } = await import("./shuffle.js");
  const fits = made && blake3(Uint8Array.from(told[1].match(/../g), (byte) => parseInt(byte, 16))) === told[2];
  (made ?? $("packs").appendChild(words)).textContent = `${fits ? "✓ The packs' seed fits" : "✗ The packs' seed does not fit"}: ${told[1]} has the BLAKE3 digest `;
}
export function drawLog(fresh) {
  const log = $("log");
  if (fresh) { log.replaceChildren(...(S.scripts ? [el("li", { className: "k-scripts", textContent: S.scripts })] : [])); $("packs").replaceChildren(); written = 0; }
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  for (const line of S.log.slice(written)) {
    if (!line.text) continue;
    if (line.kind === "packs") checkPacks(line.text);
    // Comings and goings of a seat are one line that changes.
    const presence = /^(.*) is (?:away|here)$/.exec(line.text);
    if (presence && line.kind === "seat") [...log.children].slice(-12).filter((old) => old.dataset.presence === presence[1]).forEach((old) => old.remove());
    const one = el("li", { className: `k-${line.kind} ${line.by === null ? "" : `seat${line.by}`}`, data: { step: line.step } });
    if (presence && line.kind === "seat") one.dataset.presence = presence[1];
    const words = plainly(line.text), name = actor(line);
    if (name) one.append(el("b", {}, name), words.slice(name.length));
    else one.textContent = words;
    if (line.own) one.append(" ", el("small", { className: "secret", textContent: "only for you" }));
    when(one, "contextmenu", (event) => { event.preventDefault(); if (S.me !== null) openMenu([{ words: "Ask to go back to before this", run: () => act(`propose ${line.step}`) }], event.clientX, event.clientY); });
    log.append(one);
    if (["say", "me", "announce", "whisper"].includes(line.kind) && line.by !== S.me && !fresh) $("log-tab").classList.add("news");
  }
  written = S.log.length;
  // Chat is never taken back.
  for (const one of log.children) one.classList.toggle("undone", S.undone.includes(Number(one.dataset.step)) && !one.classList.contains("k-undo"));
  while (log.children.length > 500) log.firstChild.remove();
  if (atEnd || fresh) log.scrollTop = log.scrollHeight;
}

const PHRASES = ["Hello!", "Good luck, have fun.", "I am ready.", "Your turn.", "Wait, please: I have something.", "No response.", "Yes.", "No.", "May I take that back?", "What does that card do?", "I am thinking.", "Sorry, one moment.", "Well played.", "Thank you for the game."];
export function startChat() {
  when($("chat"), "submit", async (event) => {
    event.preventDefault();
    const line = $("say").value.trim();
    if (!line) return;
    const answer = await ask({ chat: { line, selected: chosen.size ? cards(chosen) : "" } });
    if (answer) $("say").value = "";
    if (answer?.help) tell("Commands", el("pre", {}, answer.help));
  });
  when($("phrases"), "click", (event) => { const box = event.currentTarget.getBoundingClientRect(); openMenu(PHRASES.map((words) => ({ words, run: () => ask({ chat: { line: words } }) })), box.left, box.top - 400); });
  when($("say"), "keydown", (event) => { if (event.key === "Escape") { $("felt").focus(); event.stopPropagation(); } });
  const drawer = (on) => { document.body.classList.toggle("logged", on); $("log-tab").classList.remove("news"); if (on) $("log").scrollTop = $("log").scrollHeight; };
  when($("log-tab"), "click", () => drawer(!document.body.classList.contains("logged")));
  when($("unlog"), "click", () => drawer(false));
  when($("links"), "click", invite);
  when($("look"), "click", (event) => { const box = event.currentTarget.getBoundingClientRect(); openMenu([{ title: "Theme" }, ...["dark", "light", "system"].map((theme) => ({ words: { dark: "Dark", light: "Light", system: "As the system" }[theme], run: () => setTheme(theme) })), { title: "Text" }, ...["normal", "large"].map((size) => ({ words: { normal: "Normal", large: "Large" }[size], run: () => setText(size) })), ...(kit.sounds.length ? [{ title: "Sounds of the package" }, ...["on", "off"].map((how) => ({ words: { on: "On", off: "Off" }[how], run: () => keep("sound", how) }))] : [])], box.left, box.bottom); });
  when($("help"), "click", help);
  if (S.me === null) $("chat").hidden = true;
  if (S.me === null || document.body.dataset.seats === "alone") $("links").hidden = true;
}
const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not allowed to */ } };
const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
export function setTheme(theme = kept("theme") ?? "system") {
  keep("theme", theme);
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.toggle("light", theme === "light");
}
export function setText(size = kept("free-text") ?? "normal") { keep("free-text", size); document.documentElement.classList.toggle("large", size === "large"); if (S.seats.length) drawPanels(); }

export const NO_SOUND = "This sound of the package is not here.";
/** F24: a sound is loaded only where sound is on; the duel's page keeps that in the same place. */
export async function sounds(line) {
  const at = kit.sounds.findIndex((name) => line.text.endsWith(` plays the sound ${name}`));
  if (kept("sound") !== "on" || at < 0) return;
  const bytes = await get(`/free/sound/${at}`, "arrayBuffer", NO_SOUND);
  if (!bytes) return;
  const audio = sounds.audio ??= new AudioContext(), source = audio.createBufferSource();
  source.buffer = await audio.decodeAudioData(bytes);
  source.connect(audio.destination);
  source.start();
}

async function invite() {
  const links = await get("links");
  if (!links) return;
  if (document.body.dataset.seats) {
    tell("Hand over", quiet("The page is covered until the next player says that the device is theirs."),
      el("ul", { className: "links" }, ...links.map((link) => el("li", {}, el("a", { href: link.path }, link.name)))));
    return;
  }
  const whole = (link) => (link.origin ?? location.origin) + link.path;
  const copy = (address) => el("button", { textContent: "Copy the link", onclick: async (event) => { try { await navigator.clipboard.writeText(address); event.target.textContent = "Copied"; } catch { event.target.textContent = "Copy it by hand"; } } });
  const line = (words, address) => el("li", {}, el("p", {}, words), el("input", { readOnly: true, value: address, onfocus: (event) => event.target.select(), aria: { label: words } }), copy(address));
  tell("Invite", quiet("A link to a seat works once. Who watches sees only what all see."),
    links.some((link) => link.origin) ? null : quiet("These links work on this machine; with --host in your network, too."),
    el("ul", { className: "links" }, ...links.map((link) => line(link.seat === null ? "To watch" : link.name, whole(link)))));
}

const KEYS = "Arrows:go from card to card; with Shift, choose them|Enter:what a double click does|M:the menu of the card, pile or table|Space:read the card large|T:rotate|F:turn over|D:draw a card|S:shuffle the deck|L:look into the pile|P:peek|R:show to all|G:to the discards|H:to the hand|1–9:to the first, second … pile|Shift+1–9:look into that pile|+ −:the first marker of a card, or the box of markers|N:next phase|E:pass the turn|U:straighten my cards|K:token or card|A:choose all my cards|Z:take back|C:from the table to the hand and back|I:the table as a list|/:chat|0:show all cards|Ctrl + −:closer, farther|Page up, Page down:in front, behind|Esc:close, or choose nothing|?:this list".split("|").map((row) => row.split(":"));
export function help() {
  const run = el("input", { autocomplete: "off", placeholder: "roll 2d6+1" });
  run.setAttribute("aria-label", "A line for the table");
  const form = el("form", {}, run, el("button", { type: "submit", textContent: "Do it" }));
  when(form, "submit", async (event) => { event.preventDefault(); if (await act(run.value)) run.value = ""; });
  const table = (rows) => el("table", {}, ...rows.map(([key, words]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words))));
  tell("Keys and commands", el("p", {}, "Drag cards; with Shift they go face down, and from card to card it draws an arrow. A right click or a second tap opens a menu; a long press or Space shows a card large. The wheel or two fingers zoom. The package's own keys come first."),
    table(KEYS), el("h3", {}, "Commands of the chat"), el("pre", {}, kit.commands.join("\n")), el("h3", {}, "Any line for the table"), S.me === null ? null : form, table(kit.verbs));
}
export const idle = () => !menuIsOpen() && !document.querySelector("dialog[open]");

