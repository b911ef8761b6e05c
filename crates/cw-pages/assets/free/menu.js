// Menus, questions to the person, windows on piles, the large card, the list of the table.

import { $, S, act, ask, backPath, cardName, cards, chosen, deck, el, facePath, get, group, hand, hasFace, instead, isHand, isKept, kindOf, kit, meant, pile, place, quoted, seatName, quiet, when } from "./state.js";
import { drawChosen, elementOf, freeSpot, handOrder, label } from "./table.js";

// --- menus ------------------------------------------------------------------------------------------

let open = [];
let back = null;
export const menuIsOpen = () => open.length > 0;
export function closeMenus(from = 0) {
  for (const menu of open.splice(from)) menu.remove();
  if (from === 0 && back?.isConnected) { back.focus({ preventScroll: true }); back = null; }
}
let byTouch = false;
addEventListener("pointerdown", (event) => { byTouch = event.pointerType === "touch"; if (open.length && !event.target.closest?.(".menu")) closeMenus(); }, true);

/** Opens a menu at a place of the screen. An entry has words, and something to do or entries below it. */
export function openMenu(entries, x, y, level = 0) {
  if (level === 0) { closeMenus(); back = document.activeElement; } else closeMenus(level);
  const menu = el("div", { className: "menu", aria: { role: "menu" } });
  let hot = null;
  for (const entry of entries.filter(Boolean)) {
    if (entry === "-") { menu.append(el("hr")); continue; }
    if (entry.title) { menu.append(el("p", {}, entry.title)); continue; }
    const key = entry.key && (isKept(entry.key) ? [el("s", {}, entry.key), " ", instead(entry.key)] : [entry.key]);
    const one = el("button", { className: entry.mark ?? "", aria: { role: "menuitem", ...(entry.sub && { haspopup: "true" }) } },
      entry.icon ?? null, el("span", {}, entry.words), key ? el("kbd", {}, ...key) : null, entry.sub ? el("i", {}, "▸") : null);
    if (entry.hint) one.title = entry.hint;
    if (entry.later) entry.later.then((name) => { if (name === false) one.remove(); else if (name) one.querySelector("span").textContent = name; });
    const go = () => {
      if (entry.sub) {
        const box = one.getBoundingClientRect();
        const sub = typeof entry.sub === "function" ? entry.sub() : entry.sub;
        openMenu(sub, box.right - 4, box.top - 4, level + 1);
      } else { closeMenus(); entry.run(); }
    };
    when(one, "click", go);
    // A menu that opens under a resting pointer was not pointed at.
    when(one, "pointermove", (event) => {
      if (event.pointerType !== "mouse" || hot === one || !(event.movementX || event.movementY)) return;
      hot = one;
      if (entry.sub) go(); else if (open.length > level + 1) { closeMenus(level + 1); one.focus({ preventScroll: true }); }
    });
    menu.append(one);
  }
  document.body.append(menu);
  open.push(menu);
  // The finger that opened it is still over it: what follows its tap is not meant for an entry.
  if (level === 0 && byTouch) { menu.classList.add("coming"); setTimeout(() => menu.classList.remove("coming"), 350); }
  const box = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - box.width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - box.height - 4))}px`;
  when(menu, "keydown", (event) => {
    const buttons = [...menu.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Home") buttons[0].focus();
    else if (event.key === "End") buttons.at(-1).focus();
    else if (event.key === "ArrowRight" && document.activeElement.getAttribute("aria-haspopup")) document.activeElement.click();
    else if (event.key === "ArrowLeft" && level) { closeMenus(level); open[level - 1]?.querySelector("button:focus, button")?.focus(); }
    else if (event.key === "Escape") { closeMenus(level); if (level) open[level - 1]?.querySelector("button")?.focus({ preventScroll: true }); }
    else if (event.key === "Tab") { closeMenus(); return; }
    else if (event.key.length === 1 && /\S/.test(event.key)) {
      const next = [...buttons.slice(at + 1), ...buttons].find((button) => button.textContent.toLowerCase().startsWith(event.key.toLowerCase()));
      if (!next) return;
      next.focus();
    } else return;
    event.preventDefault(); event.stopPropagation();
  });
  menu.querySelector("button")?.focus({ preventScroll: true });
}
const at = (element) => { const box = element.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };

// --- dialogs ----------------------------------------------------------------------------------------

/** Asks the person for some values; resolves with them by name, or with nothing. */
export function question(title, fields, button, words = "") {
  return new Promise((done) => {
    const inputs = fields.map((field) => {
      const input = field.choices
        ? el("select", {}, ...field.choices.map(([value, text]) => el("option", { value, textContent: text })))
        : el("input", { type: field.type ?? "text", autocomplete: "off" });
      input.name = field.name;
      if (field.value !== undefined) input.value = field.value;
      if (field.type === "number") { input.min = field.min ?? 0; input.inputMode = "numeric"; }
      if (field.type !== "number" && !field.choices) input.maxLength = field.most ?? 500;
      return el("label", {}, el("span", {}, field.words), input);
    });
    const form = el("form", { method: "dialog" }, el("h2", {}, title), words ? el("p", {}, words) : null, ...inputs,
      el("div", { className: "row" }, el("button", { textContent: "Never mind", value: "" }), el("button", { type: "submit", className: "go", textContent: button })));
    const dialog = el("dialog", { className: "ask" }, form);
    dialog.setAttribute("aria-label", title);
    form.querySelector("button[type=button]").addEventListener("click", () => dialog.close());
    let values = null;
    when(form, "submit", () => { values = Object.fromEntries(new FormData(form)); });
    when(dialog, "close", () => { dialog.remove(); done(values); });
    document.body.append(dialog);
    dialog.showModal();
    (inputs[0]?.querySelector("input, select") ?? form.querySelector(".go")).focus();
    inputs[0]?.querySelector("input")?.select();
  });
}
async function number(title, words, button, value, use) {
  const given = await question(title, [{ name: "n", words, type: "number", value, min: 1 }], button);
  if (given?.n) use(Number(given.n));
}
/** Something to read. */
export function tell(title, ...inside) {
  const dialog = el("dialog", { className: "tell" }, el("h2", {}, title), ...inside.filter(Boolean), el("div", { className: "row" }, el("button", { className: "go", textContent: "Close" })));
  dialog.setAttribute("aria-label", title);
  dialog.querySelector(".row button").addEventListener("click", () => dialog.close());
  when(dialog, "close", () => dialog.remove());
  document.body.append(dialog);
  // Whatever can be typed into stands further down: it is read from its top.
  const head = dialog.querySelector("h2");
  head.tabIndex = -1; head.autofocus = true;
  dialog.showModal();
  return dialog;
}

// --- what can be done -------------------------------------------------------------------------------

const COLOURS = [["#ff6b5e", "Red"], ["#ffd166", "Yellow"], ["#5fd38d", "Green"], ["#4fb6ff", "Blue"], ["#b28dff", "Violet"], ["#f2ecdf", "White"], ["#11131a", "Black"]];
const swatch = (colour) => { const made = el("b", { className: "swatch" }); made.style.background = colour; return made; };
const colours = (verb, what) => [...COLOURS.map(([colour, words]) => ({ words, icon: swatch(colour), run: () => act(`${verb} ${what} ${colour}`) })), { words: "None", run: () => act(`${verb} ${what} none`) }];

/** Piles where cards can go: the own ones, shared ones, then other seats' (F17). */
function goals(what, spots) {
  const all = S.piles.filter((one) => kindOf(one).moveto !== false);
  const of = (owner) => all.filter((one) => one.owner === owner);
  const theirs = all.filter((one) => one.owner !== null && one.owner !== S.me);
  const move = (one, spot, words) => ({ words, run: () => act(`move ${what} to ${group(one.id)}${spot}`) });
  const entries = (list, name = (one) => one.name) => list.flatMap((one) => (one.ordered && spots
    ? [{ words: name(one), key: kindOf(one).key, sub: [move(one, " top", "On top"), move(one, " bottom", "At the bottom"), { words: "At a place …", run: () => number(`To ${one.name}`, "Which place from the top?", "Put it there", 2, (n) => act(`move ${what} to ${group(one.id)} at ${n}`)) }] }]
    : [{ ...move(one, "", name(one)), key: kindOf(one).key }]));
  return [
    ...entries(of(S.me)), ...entries(of(null)),
    theirs.length && "-", ...entries(theirs, (one) => `${seatName(one.owner)}: ${one.name}`),
  ];
}

/** The package's own entries for a card or a group, in their submenus. */
function ofPackage(isCard, where, what) {
  const pileName = where === "table" ? null : kindOf(pile(where)).name;
  const list = kit.actions.filter((action) => action.card === isCard && (action.pile ?? null) === pileName);
  if (!list.some((action) => !action.line)) return [];
  // S201: some say themselves whether they are shown, and under which name.
  const looks = list.some((action) => action.asks) && ask({ menu: what });
  const tree = (level, prefix) => {
    const out = [], seen = new Set();
    for (const action of list) {
      if (!prefix.every((part, index) => action.menu[index] === part) || action.menu.length <= level) continue;
      if (action.line && action.menu.length === level + 1) { out.push("-"); continue; }
      const head = action.menu[level];
      if (action.menu.length === level + 1) {
        out.push({ words: head, later: action.asks && looks.then((answer) => answer?.looks[action.n]), key: action.combo, mark: action.mark, hint: HINTS[action.mark], run: () => entry(action, what) });
      } else if (!seen.has(head)) { seen.add(head); out.push({ words: head, sub: () => tree(level + 1, [...prefix, head]) }); }
    }
    return out;
  };
  // Scripts are not run: what they are called stands together at the end, and hides nothing that works.
  const only = (keep) => function of(branch) {
    return branch.flatMap((one) => {
      if (!one.words || !one.sub) return one.words && keep(one) ? [one] : [];
      const inside = of(one.sub());
      return inside.length ? [{ ...one, sub: () => inside }] : [];
    });
  };
  const all = tree(0, []), works = only((one) => one.mark !== "script")(all), told = only((one) => one.mark === "script")(all);
  return [{ title: "From the package" }, ...works, told.length > 0 && { words: "Done by hand here", hint: HINTS.script, sub: () => told }];
}
const HINTS = {
  runs: "Runs the package's own script", exact: "Done at once", mapped: "Done as the package's mapping says", likely: "Shown first, then done when you agree",
  says: "Only says it, in the log", script: "A script: the table does not run it, and says what can be done by hand",
};

/** Chooses an entry of the package on cards (`table:1,2`) or a pile (`#3`). */
export async function entry(action, { cards: on = "", pile: onPile = "" } = {}, answers = {}, sure = false, plain = sure) {
  // “Go to Main phase” needs no script: the table has that phase.
  const bald = (text) => text.toLowerCase().replace(/\(.*\)|\W|phase|step/g, "");
  const phase = action.mark === "script" && /phase|step/i.test(action.menu.at(-1)) ? kit.phases.findIndex((words) => bald(action.menu.at(-1)).replace(/^(go|jump)to/, "") === bald(words)) : -1;
  if (phase >= 0) { act(`phase ${phase + 1}`); return; }
  const answer = await ask({ entry: { number: action.n, cards: on, pile: onPile, answers, sure, plain } });
  const name = action.menu.at(-1);
  if (answer?.ask) {
    const fields = answer.ask.map((field) => fieldOf(field));
    const given = await question(name, fields, "Go on");
    if (given) entry(action, { cards: on, pile: onPile }, { ...answers, ...written(given) }, sure, plain);
  } else if (answer?.form) {
    // F34: all that can be said, filled in as far as it was recognised; it is done when the person agrees.
    const given = await question(name, answer.form.map((field) => fieldOf(field, onPile)), "Do it", answer.form.length ? "" : `This probably means: ${answer.lines.map(readable).join("; ")}.`);
    if (given) entry(action, { cards: on, pile: onPile }, { ...answers, ...written(given) }, true);
  } else if (answer?.script) {
    tell(name, el("p", {}, answer.script), answer.offers.length ? el("p", { textContent: `By hand: ${answer.offers.join(", ")}.` }) : null,
      answer.plain && el("p", {}, el("button", { textContent: "Do it without the script", onclick: (event) => { event.target.closest("dialog").close(); entry(action, { cards: on, pile: onPile }, {}, false, true); } })));
  }
}
const readable = (line) => line.replace(/\{cards\}|(table|#\d+):[\d,@]+/g, "the chosen cards").replace(/table:mine/g, "my cards").replace(/table:targeted/g, "my targets").replace(/\{pile\}/g, "the pile").replace(/#(\d+)/g, (all, id) => pile(Number(id))?.name ?? all);
const written = (given) => Object.fromEntries(Object.entries(given).map(([key, value]) => [key, quotedIf(key, value)]));
const quotedIf = (name, value) => (["marker", "counter", "name", "to", "pile", "board"].includes(name) && !/^(#\d+|table)$/.test(value) ? quoted(value) : value);
/** A name as a script writes it. */
const bare = (value) => (/^".*"$/.test(value ?? "") ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value);
/** A field of an entry's form; what the choices hold is chosen from them. */
function fieldOf({ name, words, value: known }, onPile = "") {
  const named = (list, owner) => list.find((one) => one.owner === owner && one.name.toLowerCase() === bare(known)?.replace(/^\*\//, "").toLowerCase());
  const own = S.piles.filter((one) => one.owner === S.me), shared = S.piles.filter((one) => one.owner === null);
  const meantPile = known == null ? null : /^hand$/i.test(known) ? hand() : named(own, S.me) ?? named(shared, null);
  const piles = [...own, ...shared].map((one) => [group(one.id), one.name]);
  const pileValue = meantPile ? group(meantPile.id) : undefined;
  const choices = (list) => (known != null && !list.some(([value]) => String(value) === bare(known)) ? [[bare(known), bare(known)], ...list] : list);
  const picks = chosen.size ? [[cards(chosen), `The ${chosen.size} chosen`]] : [];
  const kinds = {
    to: { words: "To which pile?", choices: [...piles, ["table", "The table"]], value: pileValue },
    pile: { words: "Which pile?", choices: piles, value: pileValue ?? (onPile || (deck() ? group(deck().id) : undefined)) },
    cards: { words: "Which cards?", choices: [...picks, ["table:mine", "All of mine on the table"], ["table:targeted", "Those that I target"], ["table:all", "All on the table"]], value: known ?? picks[0]?.[0] },
    marker: { words: "Which marker?", choices: choices(kit.markers.map((one) => [one.name, one.name])), value: bare(known) },
    counter: { words: "Which counter?", choices: choices([...(S.seats[S.me]?.counters ?? []), ...S.shared].map(([text]) => [text, text])), value: bare(known) },
    change: { words: "How many? +2 adds, -2 takes away, =2 sets it", value: known ?? "+1" },
    n: { words: "How many?", type: "number", value: known ?? 1, min: 0 },
    from: { words: "From", type: "number", value: known ?? 1, min: -999999 }, upto: { words: "Up to", type: "number", value: known ?? 6, min: -999999 },
    dice: { words: "Which dice, as in 2d6+1?", value: known ?? "1d6" },
    colour: { words: "Which colour?", choices: choices([...COLOURS, ["none", "None"]]), value: known },
    degrees: { words: "Turned by how much?", choices: [0, 90, 180, 270].map((turn) => [turn, turn ? `${turn}°` : "Upright"]), value: known },
    phase: { words: "Which phase?", choices: kit.phases.map((text, index) => [index + 1, text]), value: known },
    board: { words: "Which board?", choices: kit.boards.map((one, index) => [one.name || index + 1, one.name || "The board"]) },
    seat: { words: "Which seat?", choices: S.seats.map((one, index) => [index + 1, one.name]) },
    eyes: { words: "Who sees the cards?", choices: [["nobody", "Nobody"], ["everybody", "Everybody"], ...S.seats.map((one, index) => [index + 1, one.name])] },
    name: { words: "Which card, or what words?", value: bare(known) },
  };
  // A question of the package's mapping has words of its own and wants a number.
  if (words) return { name, words, type: "number", value: 1 };
  return { name, ...(kinds[name] ?? { words: `${name}?`, value: known ?? "" }) };
}

/** Cards of a pile come to the table where the person looks. */
export const play = (list, how) => act(`place ${cards(list)} ${freeSpot(S.cards.get(list[0])?.size).join(",")}${how}`);

/** Everything that can be done with a card (F198); it never depends on what the card is. */
export function cardMenu(handle) {
  const list = meant(handle), what = cards(list), card = S.cards.get(handle), where = place.get(handle);
  const many = list.length > 1 ? ` (${list.length})` : "";
  const isTable = where === "table";
  const others = S.seats.map((_, seat) => seat).filter((seat) => seat !== S.me);
  if (S.me === null) return [{ words: "Read it", run: () => zoom(handle) }];
  return [
    { words: `Read ${cardName(card)}`, key: "Space", run: () => zoom(handle) },
    isTable && { words: `Rotate${many}`, key: "T", run: () => act(`rotate ${what}`) },
    { words: `Turn over${many}`, key: "F", run: () => act(`turn ${what}`) },
    !isTable && { words: `Play${many}`, run: () => play(list, "") },
    !isTable && { words: `Play face down${many}`, run: () => play(list, " down") },
    { words: `Move to${many}`, sub: () => goals(what, true) },
    { words: "Markers …", key: "+", run: () => markers(what) },
    isTable && { words: card.target === S.me ? "Stop targeting" : "Target", run: () => act(`${card.target === S.me ? "untarget" : "target"} ${what}`) },
    { words: "Look and show", sub: () => [
      { words: "Peek", key: "P", run: () => act(`peek ${what}`) },
      { words: "Show to all", key: "R", run: () => act(`reveal ${what} to all`) },
      ...others.map((seat) => ({ words: `Show to ${seatName(seat)}`, run: () => act(`reveal ${what} to ${seat + 1}`) })),
      { words: "Stop showing", run: () => act(`hide ${what}`) },
      card.seen && { words: `Who has seen it: ${seen(card)}`, run: () => tell("Who has seen this card", el("p", {}, seen(card))) },
    ] },
    { words: "Colour and notes", sub: () => [
      isTable && { words: "Edge", sub: colours("highlight", what) },
      isTable && { words: "Tint", sub: colours("filter", what) },
      { words: "Write on it …", run: async () => { const given = await question("Write on the card", [{ name: "t", words: "Seen by who knows the card", value: card.note ?? "", most: 80 }], "Write"); if (given) act(`cardnote ${what} ${quoted(given.t)}`); } },
    ] },
    isTable && { words: "Place", sub: () => [
      { words: "In front", key: "PageUp", run: () => act(`front ${what}`) }, { words: "Behind", key: "PageDown", run: () => act(`back ${what}`) },
      { words: "In a row", run: () => act(`arrange ${what} row`) }, { words: "In a stack", run: () => act(`arrange ${what} stack`) }, { words: "In a block", run: () => act(`arrange ${what} ${Math.ceil(Math.sqrt(list.length))}`) },
      { words: "Rotate to", sub: [0, 90, 180, 270].map((turn) => ({ words: turn ? `${turn}°` : "Upright", run: () => act(`rotate ${what} to ${turn}`) })) },
      { words: card.anchored ? "Raise the anchor" : "Anchor", run: () => act(`${card.anchored ? "unanchor" : "anchor"} ${what}`) },
      { words: card.locked ? "Unlock" : "Lock: stays as it is when all are straightened", run: () => act(`${card.locked ? "unlock" : "lock"} ${what}`) },
      { words: card.host ? "Detach" : "Attach to …", run: () => (card.host ? act(`detach ${what}`) : pick("Choose the card to attach to", (goal) => attach(list, goal))) },
    ] },
    { words: "More", sub: () => [
      isTable && { words: "Arrow to …", run: () => pick("Choose where the arrow ends", (goal) => act(`arrow ${cards([handle])} to ${cards([goal])}`)) },
      isTable && { words: "Point at it", run: () => act(`point ${what}`) }, isTable && { words: "Shake it", run: () => act(`shake ${what}`) },
      (card.face?.[2] ?? 1) > 1 && { words: "Next form", run: () => act(`form ${what}`) },
      card.name && { words: "Copy", run: () => act(`copy ${what}`) },
      { words: "Delete", run: () => act(`delete ${what}`) },
      ...others.map((seat) => ({ words: `Give to ${seatName(seat)}`, run: () => act(`give ${what} to ${seat + 1}`) })),
      { words: "Take control", run: () => act(`take ${what}`) },
    ] },
    ...ofPackage(true, where, { cards: what }),
  ];
}
/** Attached cards lie tucked under their host, each a little further out. */
function attach(list, goal) {
  const host = S.cards.get(goal), what = cards(list);
  const there = S.table.filter((handle) => S.cards.get(handle).host === goal).length;
  const out = Math.round(host.size[1] * 0.2);
  const tucked = place.get(list[0]) === "table" && !list.includes(goal) ? [...list.map((handle, at) => `place ${cards([handle])} ${host.at[0]},${host.at[1] + ((host.side ?? 0) === 2 ? 1 : -1) * out * (there + at + 1)}`), ...list.map((handle) => `back ${cards([handle])}`)] : [];
  return act(`attach ${what} to ${cards([goal])}`, ...tucked);
}
const seen = (card) => (card.seen ?? []).filter((seat) => seat === 8 || seat < S.seats.length).map((seat) => (seat === 8 ? "those who watch" : seatName(seat))).join(", ") || "nobody";

/** Whether one draws from a pile: hidden decks whose order does not matter are drawn from, too. */
export const draws = (one) => (one.owner === S.me || one.owner === null) && !isHand(one) && (one.ordered || one.viewers === "nobody");

/** Everything that can be done with a pile. */
export function pileMenu(id) {
  const one = pile(id), where = group(id), mine = one.owner === S.me || one.owner === null;
  const top = kindOf(one);
  if (S.me === null) return [{ words: `Look at ${one.name}`, run: () => window(id) }];
  const eyes = (verb, words, who) => ({ words, run: () => act(`${verb} ${where} ${who}`) });
  const anyEyes = (verb) => [
    eyes(verb, "Everybody", "everybody"), eyes(verb, "Myself", S.me + 1),
    ...S.seats.map((_, seat) => seat).filter((seat) => seat !== S.me).map((seat) => eyes(verb, seatName(seat), seat + 1)),
    eyes(verb, "Nobody", "nobody"),
  ];
  const all = (random) => S.piles.filter((other) => other.id !== id && (other.owner === one.owner || other.owner === null)).map((other) => ({ words: other.name, run: () => act(`moveall ${where} to ${group(other.id)}${random}`) }));
  return [
    draws(one) && { words: "Draw a card", key: deck()?.id === id ? "D" : null, run: () => act(`draw ${where} 1`) },
    draws(one) && { words: "Draw cards …", run: () => number(`Draw from ${one.name}`, "How many?", "Draw", 2, (n) => act(`draw ${where} ${n}`)) },
    mine && { words: "Shuffle", key: top.shuffle ?? (deck()?.id === id ? "S" : null), run: () => act(`shuffle ${where}`) },
    { words: one.viewers === "everybody" || isHand(one) && mine ? "Look through it" : "Look at all …", key: "L", run: () => lookInto(id) },
    one.ordered && { words: "Look at the top cards …", run: () => number(one.name, "How many from the top?", "Look", 3, (n) => act(`look ${where} top ${n}`)) },
    one.ordered && mine && { words: "Look at the bottom cards …", run: () => number(one.name, "How many from the bottom?", "Look", 1, (n) => act(`look ${where} bottom ${n}`)) },
    mine && { words: "Search, then shuffle …", run: () => { searching.add(id); act(`search ${where}`); } },
    mine && { words: "Top card", sub: () => [
      one.ordered && { words: "To the table", run: () => act(`place ${where}:@1 ${freeSpot().join(",")} up`) }, one.ordered && { words: "To the table, face down", run: () => act(`place ${where}:@1 ${freeSpot().join(",")} down`) },
      one.ordered && { words: "Show it to all", run: () => act(`reveal ${where}:@1 to all`) },
      { words: "Keep the top card shown to", sub: anyEyes("keeptop") },
      one.ordered && { words: "Several to …", sub: () => S.piles.filter((other) => other.id !== id && (other.owner === S.me || other.owner === null)).map((other) => ({ words: other.name, run: () => number(`To ${other.name}`, "How many from the top?", "Move them", 1, (n) => act(`movetop ${where} ${n} to ${group(other.id)}`)) })) },
      one.ordered && { words: "Turn over until …", run: async () => { const given = await question("Turn cards over until one fits", [{ name: "p", words: "Which property?", value: "Type" }, { name: "t", words: "What must it be?" }], "Turn over"); if (given) act(`until ${where} ${quoted(given.p)} ${quoted(given.t)}`); } },
    ] },
    mine && { words: "A random card", sub: () => [
      { words: "Show it", run: () => act(`random ${where} 1 show`) },
      ...S.piles.filter((other) => other.id !== id && (other.owner === S.me || other.owner === null)).map((other) => ({ words: `To ${other.name}`, run: () => act(`random ${where} 1 to ${group(other.id)}`) })),
      { words: "To the table", run: () => act(`random ${where} 1 to table`) },
    ] },
    mine && { words: "All cards", sub: () => [{ title: "To" }, ...all(""), { title: "In random order, to" }, ...all(" random")] },
    mine && { words: "Who sees the cards", sub: () => [...anyEyes("viewers"), "-", { title: "Others may look into it" }, ...["free", "ask", "never"].map((how) => ({ words: { free: "Freely", ask: "If I agree", never: "Never" }[how], run: () => act(`protect ${where} ${how}`) }))] },
    mine && isHand(one) && { words: "Mulligan …", run: () => number("Mulligan", "How many cards to draw anew?", "Put back and draw", one.count, (n) => act(`mulligan ${n}`)) },
    mine && { words: "Control", sub: () => [...S.seats.map((_, seat) => seat).filter((seat) => seat !== S.me).map((seat) => ({ words: `Give it to ${seatName(seat)}`, run: () => act(`givepile ${where} to ${seat + 1}`) }))] },
    !mine && { words: "Take control", run: () => act(`takepile ${where}`) },
    ...(mine ? ofPackage(false, id, { pile: where }) : []),
  ];
}
export async function lookInto(id) {
  const one = pile(id);
  const known = one.viewers === "everybody" || Array.isArray(one.viewers) && one.viewers.includes(S.me) || one.windows.includes(S.me);
  if (known) window(id); else await act(`look ${group(id)}`);
}

/** Everything that can be done with the table itself. */
export function tableMenu(x, y) {
  if (S.me === null) return [{ words: "The table as a list", run: list }];
  const placed = x === undefined ? "" : ` ${Math.round(x)},${Math.round(y)}`;
  return [
    { words: "Choose a deck …", run: decks },
    { words: "My name …", run: rename },
    { words: "Opening hand …", run: openingHand },
    "-",
    { words: "Chance", sub: () => [
      { words: "A die", run: () => act("roll 1d6") }, { words: "Dice …", run: async () => { const given = await question("Dice", [{ name: "d", words: "Which, as in 2d6+1?", value: "2d6" }], "Roll"); if (given) act(`roll ${given.d}`); } },
      { words: "A coin", run: () => act("coin") }, { words: "A number …", run: async () => { const given = await question("A number", [{ name: "a", words: "From", type: "number", value: 1 }, { name: "b", words: "To", type: "number", value: 20 }], "Draw it"); if (given) act(`number ${given.a} ${given.b}`); } },
      { words: "Who begins", run: () => act("order") },
    ] },
    { words: "Token or card …", key: "K", run: () => token(placed) },
    { words: "Note …", run: () => note(placed) },
    { words: "Straighten my cards", key: "U", run: () => act("straighten") },
    { words: "Clear my targets and arrows", run: () => act("clearmarks") },
    "-",
    { words: "Turn", sub: () => [
      { words: "Pass the turn", key: "E", run: () => act("pass") }, ...(kit.phases.length ? [{ words: "Next phase", key: "N", run: nextPhase }] : []),
      ...S.seats.map((seat, index) => ({ words: `It is ${seat.name}'s turn`, run: () => act(`active ${index + 1}`) })),
      { words: S.turn.end ? "Do not wait for me before turns end" : "Wait for me before turns end", run: () => act(S.turn.end ? "unstop end" : "stop end") },
      { words: S.seats[S.me].ready ? "I am not ready" : "I am ready", run: () => act(S.seats[S.me].ready ? "unready" : "ready") },
    ] },
    { words: "Secret choice", sub: () => [
      { words: "Seal a value …", run: async () => { const given = await question("A sealed value", [{ name: "t", words: "Nobody reads it before it is opened" }], "Seal"); if (given) act(`seal ${quoted(given.t)}`); } },
      { words: "Open mine", run: () => act("open") }, { words: "Open all when all have sealed", run: () => act("openall") },
    ] },
    kit.documents.length > 0 && { words: "Documents", sub: () => kit.documents.map((one, index) => ({ words: one.opens ? one.name : `${one.name ?? one} (not here)`, run: () => (one.opens ? globalThis.open(`/free/document/${index}`, "_blank", "noopener") : tell(one.name ?? one, el("p", {}, "Only PDF, text and pictures that lie in the package are shown."))) })) },
    kit.sounds.length > 0 && { words: "Sounds", sub: () => kit.sounds.map((name) => ({ words: name, run: () => act(`sound ${quoted(name)}`) })) },
    kit.boards.length > 0 && { words: "Board", sub: () => [...kit.boards.map((board, index) => ({ words: board.name || "The board", run: () => act(`board ${index + 1}`) })), { words: "None", run: () => act("board none") }, { words: "Turn the background", run: () => act("background") }] },
    { words: "Game", sub: () => [
      kit.packs.length > 0 && { words: "Open packs …", run: packs },
      S.pool.length > 0 && { words: "Build a deck of my pool …", run: () => ownList("build") },
      { words: "Exchange with the sideboard …", run: () => ownList("sideboard") },
      { words: "Take back", key: "Z", run: takeBack }, { words: "Restore what I took back", run: () => act("redo") },
      { words: "Put my cards away …", run: () => sure("Put all your cards away?", "clear", "Put them away") },
      { words: "Begin again with the same decks …", run: () => sure("Begin again? The others are asked.", "reset", "Begin again") },
      { words: "Begin again without cards …", run: () => sure("Begin again without cards? The others are asked.", "reset hard", "Begin again") },
      { words: "Show my deck list to all", run: () => act("showdeck all") },
      { words: "Give up …", run: () => sure("Give up this game?", "concede", "Give up") },
      { words: "Agree that the game is over …", run: () => sure("Agree that the game is over?", "endgame", "It is over") },
      S.turn.ended && { words: "Show my hidden cards", run: () => act("showhidden") },
    ] },
    { words: "The table as a list", key: "I", run: list },
    ...ofPackage(false, "table", {}),
  ];
}
export const openingHand = () => number("Opening hand", "How many cards?", "Draw", Number(localStorage.getItem(`hand ${kit.name}`) ?? 5), (n) => { localStorage.setItem(`hand ${kit.name}`, n); act(`hand ${n}`); });
/** What one is called, here and at tables to come: the duel's page keeps it in the same place. */
export async function rename() {
  const given = await question("Your name", [{ name: "n", words: "What are you called?", value: localStorage.getItem("name") ?? S.seats[S.me].name, most: 24 }], "Take it");
  if (given && await act(`rename ${quoted(given.n)}`)) localStorage.setItem("name", given.n);
}
async function sure(words, line, button) { if (await question(words, [], button)) act(line); }
export const nextPhase = () => kit.phases.length && act(`phase ${(S.turn.phase % kit.phases.length) + 1}`);
async function note(placed) {
  const given = await question("A note on the table", [{ name: "t", words: "What does it say?", most: 1000 }, { name: "p", words: "Who reads it?", choices: [["", "Everybody"], [" private", "Only I"]] }], "Write it");
  if (given?.t) act(`note${placed || ` ${freeSpot().join(",")}`}${given.p} ${quoted(given.t)}`);
}
export async function editNote(id) {
  const one = S.notes.find((other) => other.id === id);
  if (!one || S.me === null) return;
  const given = await question("A note on the table", [{ name: "t", words: "What does it say? Nothing removes it.", value: one.text, most: 1000 }], "Write it");
  if (given) act(given.t ? `editnote ${id} ${quoted(given.t)}` : `removenote ${id}`);
}
/** F131, F132: alone if that is possible, else the others are asked. */
export async function takeBack() {
  const answer = await ask({ lines: ["undo 1"] }, true);
  if (!answer?.no) return;
  const last = [...S.log].reverse().find((line) => !S.undone.includes(line.step) && line.by !== null && !["say", "me", "announce", "whisper", "undo", "ask", "point", "shake", "ready", "stop", "name"].includes(line.kind));
  if (!/propose it/.test(answer.no) || !last) { flashNotice(answer.no); return; }
  if (!S.seats.some((seat, at) => at !== S.me && seat.present)) { flashNotice("Somebody else has to agree, and nobody is here."); return; }
  if (await question("Ask to take it back?", [], "Ask the others", `All who are there must agree to go back before: “${last.text}”`)) act(`propose ${last.step}`);
}
let flashNotice = () => {};
export const onNotice = (use) => { flashNotice = use; };

/** A click on a card of the table is waited for. */
let picking = null;
export function pick(words, use) { picking = use; document.body.classList.add("picking"); flashNotice(words); }
export function picked(handle) {
  if (!picking) return false;
  const use = picking;
  picking = null;
  document.body.classList.remove("picking");
  if (handle !== null) use(handle);
  return true;
}

/** Decks that were brought to this game in this browser. */
const savedKey = () => `free-decks ${kit.name}`;
function savedDecks() { try { return JSON.parse(localStorage.getItem(savedKey())) ?? []; } catch { return []; } }
function saveDeck(name, text) {
  try { localStorage.setItem(savedKey(), JSON.stringify([{ name, text }, ...savedDecks().filter((one) => one.name !== name)].slice(0, 30))); } catch { /* no room: it is played all the same */ }
}
/** A seat brings its deck: one of the package, a file, pasted text, or one that it brought before. */
export async function decks() {
  if (S.me === null) return;
  const find = el("input", { type: "search", placeholder: "Find a deck", autocomplete: "off" });
  find.setAttribute("aria-label", "Find a deck");
  const box = el("ul", { className: "choices" });
  const file = el("input", { type: "file", accept: ".o8d,.txt,.dek,.dec,.xml,text/plain" });
  const text = el("textarea", { placeholder: "3 Name of a card\n2 Name of another\nSideboard\n1 …", maxLength: 60000, spellcheck: false });
  const load = el("button", {}, "Load this list");
  const saved = savedDecks();
  const dialog = tell("Choose a deck", saved.length + kit.decks.length > 8 ? find : null, box,
    el("h3", {}, "From a file"), el("label", {}, quiet("An OCTGN deck (.o8d) or a list of cards", "span"), file),
    el("h3", {}, "Or paste a list"), el("label", {}, quiet("A number and a name on each line; the name of a section stands alone", "span"), text), load);
  const done = (answer, name) => {
    if (!answer) return;
    dialog.close();
    if (answer.remarks?.length) tell(name, ...answer.remarks.map((words) => el("p", {}, words)));
  };
  const bring = async (name, words) => {
    const answer = await ask({ "deck-text": { name, text: words } });
    if (answer) saveDeck(name, words);
    done(answer, name);
  };
  const all = [...saved.map((one) => ({ name: one.name, note: "brought before", run: () => bring(one.name, one.text) })), ...kit.decks.map((name, index) => ({ name, run: async () => done(await ask({ deck: index }), name) }))];
  const show = () => box.replaceChildren(...all.filter((one) => one.name.toLowerCase().includes(find.value.toLowerCase())).slice(0, 200)
    .map((one) => el("li", {}, el("button", { onclick: one.run }, el("span", {}, one.name), one.note ? " " : null, one.note ? el("small", {}, one.note) : null))));
  when(file, "change", async () => { const [given] = file.files; if (given) bring(given.name.replace(/\.[^.]+$/, ""), await given.text()); });
  when(load, "click", () => { if (text.value.trim()) bring(`List of ${new Date().toLocaleDateString()}`, text.value); else text.focus(); });
  when(find, "input", show);
  show();
  if (find.isConnected) find.focus();
}
/** F217: all seats open the same packs, each with its own luck. */
async function packs() {
  const given = await question("Open packs", [{ name: "p", words: "Which?", choices: kit.packs }, { name: "n", words: "How many for each seat?", type: "number", value: 3, min: 1 }], "Open them");
  if (given) act(`packs ${`${given.p} `.repeat(Math.min(given.n, 100))}`);
}
/** F124, F217: the seat's own cards as a list that is changed by hand. */
async function ownList(how) {
  const all = await get("lists");
  if (!all) return;
  const text = el("textarea", { value: all[how], rows: 14, maxLength: 60000, spellcheck: false });
  const words = how === "build" ? `Leave what you play; the rest is your sideboard.${all.free && ` Of these you may have any number: ${all.free}.`}` : "Between two games, cards change their section here.";
  const button = el("button", { className: "go", textContent: how === "build" ? "Build it" : "Exchange", onclick: async () => { if (await ask({ "deck-text": { name: "Pool", text: text.value, how } })) dialog.close(); } });
  const dialog = tell(how === "build" ? "Your pool" : "Your deck", el("label", {}, quiet(words, "span"), text), button);
}
async function token(placed) {
  const find = el("input", { type: "search", placeholder: "A card of the package, or any words", autocomplete: "off" });
  find.setAttribute("aria-label", "A card of the package, or any words");
  const box = el("ul", { className: "choices" });
  const dialog = tell("Token or card", find, box);
  const made = (name) => { dialog.close(); act(`create ${name} at${placed || ` ${freeSpot().join(",")}`}`); };
  const show = async () => {
    const words = find.value.trim();
    const found = await get(`find?q=${encodeURIComponent(words)}`) ?? [];
    if (find.value.trim() !== words) return;
    box.replaceChildren(
      ...(words ? [el("li", {}, el("button", { textContent: `A blank that says “${words}”`, onclick: () => made(`=${quoted(words)}`) }))] : []),
      ...found.map(([model, name, id, set]) => el("li", {}, el("button", { className: "pictured", onclick: () => made(`=${id}`) },
        el("img", { src: `/free/face/${model}/0/small`, alt: "", loading: "lazy" }), el("span", {}, name, set ? " " : null, set ? el("small", {}, set) : null)))));
  };
  when(find, "input", show);
  show();
  find.focus();
}
/** The box of markers: one click puts one on, with Shift takes one off. */
export function markers(what) {
  const find = el("input", { type: "search", placeholder: "Find a marker", autocomplete: "off" });
  find.setAttribute("aria-label", "Find a marker");
  const box = el("div", { className: "markerbox" });
  const dialog = tell("Markers", quiet("A click puts one on; − takes one off."), find, box);
  const show = () => box.replaceChildren(...kit.markers.map((one, index) => [one, index]).filter(([one]) => kit.markers.find(({ name }) => name === one.name) === one && one.name.toLowerCase().includes(find.value.toLowerCase())).slice(0, 120).map(([one, index]) => {
    const picture = one.picture ? el("img", { src: `/free/marker/${index}`, alt: "", width: 28, height: 28 }) : "";
    return el("div", {}, el("button", { onclick: () => act(`marker ${what} ${quoted(one.name)} +1`) }, picture || null, el("span", {}, one.name)),
      el("button", { textContent: "−", aria: { label: `One ${one.name} less` }, onclick: () => act(`marker ${what} ${quoted(one.name)} -1`) }));
  }));
  when(find, "input", show);
  show();
  return dialog;
}

// --- the large card ---------------------------------------------------------------------------------

/** Shows a card large, with its text for who cannot see it. */
export async function zoom(handle) {
  let card = S.cards.get(handle);
  // One's own card that lies face down is peeked at, which the table tells the others.
  if (card?.owner === S.me && S.me !== null && !hasFace(card) && place.get(handle) === "table") {
    await act(`peek ${cards([handle])}`);
    for (let tries = 20; tries && !hasFace(card = S.cards.get(handle)); tries -= 1) await new Promise((go) => setTimeout(go, 50));
  }
  if (!card) return;
  const picture = el("img", { src: hasFace(card) ? facePath(card, "full") : backPath(card), alt: "", className: "big" });
  const words = el("dl");
  const own = card.name && !card.up && place.get(handle) === "table";
  tell(cardName(card), own ? el("p", { className: "secret", textContent: "It lies face down: only who has seen it sees this." }) : null, el("div", { className: "reading" }, card.name && !hasFace(card) ? null : picture, words)).classList.add("zoom");
  if (!hasFace(card)) return;
  const about = await get(`/free/card/${card.face[0]}/${card.face[1]}`);
  if (about) words.append(...about.properties.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

let shownLarge = null, waiting = 0;
/** A card of the cloth under a mouse that rests is shown beside it, large enough to be read. */
export function preview(handle) {
  const may = handle !== null && place.get(handle) === "table" && hasFace(S.cards.get(handle)) && !menuIsOpen();
  if (may && handle === shownLarge) return;
  clearTimeout(waiting);
  const box = $("preview");
  if (shownLarge !== null) box.hidden = true;
  shownLarge = may ? handle : null;
  if (may) waiting = setTimeout(() => {
    const card = S.cards.get(handle), one = elementOf(handle);
    if (!one || !hasFace(card)) return;
    const felt = $("felt").getBoundingClientRect(), rect = one.getBoundingClientRect();
    const high = Math.min(felt.height - 16, 420), wide = high * card.size[0] / card.size[1];
    // Where the card is as large already there is nothing to show; and it never lies upon the card itself.
    const left = rect.left - felt.left > felt.right - rect.right;
    if (rect.height > high * 0.8 || (left ? rect.left - felt.left : felt.right - rect.right) < wide + 16) return;
    box.src = facePath(card, "full");
    box.style.height = `${high}px`;
    box.style.left = `${left ? rect.left - felt.left - wide - 10 : rect.right - felt.left + 10}px`;
    box.style.top = `${Math.max(8, Math.min(felt.height - high - 8, rect.top - felt.top + rect.height / 2 - high / 2))}px`;
    box.hidden = false;
  }, 350);
}

// --- windows on piles -------------------------------------------------------------------------------

const windows = new Map();
/** Piles that are searched: closing their window shuffles them, ordered or not. */
const searching = new Set();
/** A window on a pile: what of it the seat may see, with a search over names. */
export function window(id) {
  if (windows.has(id)) { windows.get(id).querySelector("input").focus(); return; }
  const one = pile(id);
  const find = el("input", { type: "search", placeholder: "Find by name, type, text …", autocomplete: "off" });
  find.setAttribute("aria-label", `Find in ${one.name}`);
  const made = el("section", { className: "window", data: { pile: id }, tabIndex: -1, aria: { role: "dialog", label: one.name } },
    el("header", {}, el("h2"), find, el("button", { textContent: "Close", onclick: () => closeWindow(id, false) })), el("ul"));
  const shuffle = el("button", { textContent: "Close and shuffle", onclick: () => closeWindow(id, true) });
  if (one.viewers !== "everybody" && !isHand(one) && (one.owner === S.me || one.owner === null)) made.querySelector("header").append(shuffle);
  when(find, "input", () => { const list = made.querySelector("ul"); list.style.minHeight ||= `${list.clientHeight}px`; drawWindow(id); findModels(find.value); });
  when(find, "keydown", (event) => { if (event.key === "Escape" && find.value) { find.value = ""; drawWindow(id); event.stopPropagation(); } });
  when(made, "keydown", (event) => { if (event.key === "Escape") { closeWindow(id, false); event.stopPropagation(); } });
  windows.set(id, made);
  $("windows").append(made);
  drawWindow(id);
  find.focus();
}
function closeWindow(id, shuffle) {
  windows.get(id)?.remove();
  windows.delete(id);
  shuffle ||= searching.delete(id) && pile(id)?.viewers !== "everybody";
  if (pile(id)?.windows.includes(S.me)) act(shuffle ? `close ${group(id)} shuffle` : `leave ${group(id)}`);
  else if (shuffle) act(`shuffle ${group(id)}`);
}
function drawWindow(id) {
  const made = windows.get(id), one = pile(id);
  const wanted = made.querySelector("input").value.toLowerCase();
  const list = isHand(one) && one.owner === S.me ? handOrder().map((handle) => [handle, null]) : one.cards;
  const printed = models.get(wanted);
  const shown = list.filter(([handle]) => { const card = S.cards.get(handle); return cardName(card).toLowerCase().includes(wanted) || hasFace(card) && printed?.has(card.face[0]); }).slice(0, 600);
  // The order in which an unordered pile happens to lie tells nothing (D80).
  if (!one.ordered && !isHand(one)) shown.sort(([a], [b]) => cardName(S.cards.get(a)).localeCompare(cardName(S.cards.get(b))));
  const many = wanted ? `${shown.length} of ${one.count}` : one.count;
  made.querySelector("h2").textContent = `${one.owner !== null && one.owner !== S.me ? `${seatName(one.owner)}: ` : ""}${one.name} (${many})`;
  const empty = one.count === 0 ? "It is empty." : shown.length === 0 && list.length ? "Nothing of that kind." : null;
  // Who goes by keys stays at the same card, or where it was.
  const on = made.querySelector("ul").contains(document.activeElement) && document.activeElement, stands = on && [...made.querySelectorAll(".thumb")].indexOf(on);
  made.querySelector("ul").replaceChildren(...(one.viewers !== "everybody" && one.windows.includes(S.me) ? [el("li", { className: "secret", textContent: one.windows.length > 1 ? "Only who looks sees these." : "Only you see these." })] : []), ...(empty ? [el("li", { className: "none", textContent: empty })] : []), ...shown.map(([handle, at]) => {
    const card = S.cards.get(handle);
    const face = hasFace(card) ? el("img", { src: facePath(card, "small"), alt: "", loading: "lazy", draggable: false }) : card.name ? el("span", { className: "blank", textContent: card.name }) : el("img", { src: backPath(card), alt: "", draggable: false });
    const button = el("button", { className: "thumb", data: { h: handle } }, face, el("span", { textContent: `${at === null ? "" : `${at + 1}. `}${cardName(card)}${card.remembered ? " (seen going there)" : ""}` }));
    when(button, "click", () => openMenu(cardMenu(handle), ...atOf(button)));
    when(button, "contextmenu", (event) => { event.preventDefault(); openMenu(cardMenu(handle), event.clientX, event.clientY); });
    return el("li", {}, button);
  }), ...(one.count > list.length ? [quiet(`${one.count - list.length} you do not see`, "li")] : []));
  if (on) (made.querySelector(`[data-h="${on.dataset.h}"]`) ?? [...made.querySelectorAll(".thumb")].slice(0, stands + 1).at(-1) ?? made).focus();
}
/** Which models have these words anywhere on them, once they were asked for. */
const models = new Map();
async function findModels(words) {
  const wanted = words.toLowerCase();
  if (wanted.trim().length < 2 || models.has(wanted)) return;
  models.set(wanted, null);
  const found = await get(`find?on=card&q=${encodeURIComponent(wanted)}`);
  if (!found) { models.delete(wanted); return; }
  models.set(wanted, new Set(found));
  for (const id of windows.keys()) if (pile(id)) drawWindow(id);
}
const atOf = at;
let watched = new Set();
/** Windows follow what the seat may see; one opens where a look was granted. */
export function drawWindows() {
  const now = new Set(S.piles.filter((one) => one.windows.includes(S.me)).map((one) => one.id));
  for (const id of now) if (!watched.has(id) && !windows.has(id)) window(id);
  for (const id of watched) if (!now.has(id) && windows.has(id)) { windows.get(id).remove(); windows.delete(id); }
  watched = now;
  for (const id of windows.keys()) if (pile(id)) drawWindow(id);
}
export function closeTopWindow() {
  const last = [...windows.keys()].at(-1);
  if (last === undefined) return false;
  closeWindow(last, false);
  return true;
}

// --- the table as a list ----------------------------------------------------------------------------

let listed = null;
/** Everything on the table as text: each card is a button with its menu. */
export function list() {
  listed = tell("The table as a list", el("div", { className: "list", tabIndex: 0 }));
  when(listed, "close", () => { listed = null; });
  drawList();
}
export function drawList() {
  if (!listed) return;
  const box = listed.querySelector(".list");
  const focused = document.activeElement?.dataset?.h;
  const button = (handle) => {
    const card = S.cards.get(handle);
    const one = el("button", { textContent: label(card, place.get(handle)), data: { h: handle } });
    when(one, "click", () => { const where = at(one); listed?.close(); openMenu(cardMenu(handle), ...where); });
    return el("li", {}, one);
  };
  const piles = (seat) => S.piles.filter((one) => one.owner === seat).flatMap((one) => [
    el("h4", { textContent: `${one.name}: ${one.count}` }), one.cards.length ? el("ul", {}, ...one.cards.map(([handle]) => button(handle))) : null]);
  const on = (seat) => S.table.filter((handle) => (S.cards.get(handle).by ?? null) === seat);
  box.replaceChildren(...[...S.seats.keys(), null].flatMap((seat) => [
    el("h3", { textContent: seat === null ? "Of nobody" : seat === S.me ? `${seatName(seat)} (you)` : seatName(seat) }),
    seat === null ? null : el("p", { textContent: S.seats[seat].counters.map(([name, value]) => `${name} ${value}`).join(", ") }),
    on(seat).length ? el("h4", { textContent: `On the table: ${on(seat).length}` }) : null,
    on(seat).length ? el("ul", {}, ...on(seat).map(button)) : null, ...piles(seat)]).filter(Boolean));
  if (focused) box.querySelector(`[data-h="${focused}"]`)?.focus();
}

/** Chooses all cards of the own hand, or of the table that are one's own. */
export function chooseAll(where) {
  chosen.clear();
  const handles = where === "table" ? S.table.filter((handle) => S.cards.get(handle).by === S.me) : handOrder();
  handles.forEach((handle) => chosen.add(handle));
  drawChosen();
  elementOf(handles[0])?.focus({ preventScroll: true });
}
