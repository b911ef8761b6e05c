// The package's own menu entries: which a menu shows, how one is chosen, and what it asks first (F30–F36).

import { S, act, ask, cards, chosen, deck, el, group, hand, kindNameOf, kit, pile, quoted } from "./state.js";
import { question, tell } from "./dialogs.js";

/** Colours of edges and tints. @type {[colour: string, words: string][]} */
export const COLOURS = [
  ["#ff6b5e", "Red"], ["#ffd166", "Yellow"], ["#5fd38d", "Green"], ["#4fb6ff", "Blue"], ["#b28dff", "Violet"],
  ["#f2ecdf", "White"], ["#11131a", "Black"],
];
/** What is said of an entry by what the table does with it. @type {Record<EntryMark, string>} */
const HINTS = {
  runs: "Runs the package's own script", exact: "Done at once", mapped: "Done as the package's mapping says",
  likely: "Shown first, then done when you agree", says: "Only writes it in the log",
  script: "A script: the table does not run it, but says what you can do by hand",
};

/**
 * The package's entries for a card or a group, with lines between.
 * @type {(isCard: boolean, where: FreePlace) => PackageEntry[]}
 */
const actionsOf = (isCard, where) =>
  kit.actions.filter((action) => action.card === isCard && (action.pile ?? null) === kindNameOf(where));

/** The same without lines. @type {(isCard: boolean, where: FreePlace) => PackageEntry[]} */
export const entriesOf = (isCard, where) => actionsOf(isCard, where).filter((action) => !action.line);

/**
 * Entries of which something is said, in their submenus.
 * @param {MenuEntries} branch @param {(one: MenuChoice) => boolean} keep @returns {MenuChoice[]}
 */
function only(branch, keep) {
  /** @type {MenuChoice[]} */
  const kept = [];
  for (const one of branch) {
    if (!one || one === "-" || !one.words) continue;
    if (!one.sub) { if (keep(one)) kept.push(one); continue; }
    const inside = only(typeof one.sub === "function" ? one.sub() : one.sub, keep);
    if (inside.length) kept.push({ ...one, sub: () => inside });
  }
  return kept;
}
/**
 * The package's own entries for a card or a group, in their submenus.
 * @param {boolean} isCard @param {FreePlace} where @param {EntryTarget} what @returns {MenuEntries}
 */
export function ofPackage(isCard, where, what) {
  const list = actionsOf(isCard, where);
  if (!list.some((action) => !action.line)) return [];
  // S201: some say themselves whether they are shown, and under which name.
  const looks = list.some((action) => action.asks) && ask({ menu: what });
  /** @type {(level: number, prefix: string[]) => MenuEntries} */
  const tree = (level, prefix) => {
    /** @type {MenuEntries} */
    const out = [];
    /** @type {Set<string>} */
    const seen = new Set();
    for (const action of list) {
      if (!prefix.every((part, index) => action.menu[index] === part) || action.menu.length <= level) continue;
      if (action.line && action.menu.length === level + 1) { out.push("-"); continue; }
      const head = action.menu[level];
      if (action.menu.length === level + 1) {
        const later = action.asks && looks && looks.then((answer) => answer?.looks?.[action.n]);
        const hint = HINTS[action.mark];
        out.push({ words: head, later, key: action.combo, mark: action.mark, hint, run: () => entry(action, what) });
      } else if (!seen.has(head)) {
        seen.add(head);
        out.push({ words: head, sub: () => tree(level + 1, [...prefix, head]) });
      }
    }
    return out;
  };
  // Scripts are not run: what they are called stands together at the end, and hides nothing that works.
  const all = tree(0, []);
  const works = only(all, (one) => one.mark !== "script"), told = only(all, (one) => one.mark === "script");
  return [
    { title: "From the package" }, ...works,
    told.length > 0 && { words: "Done by hand here", hint: HINTS.script, sub: () => told },
  ];
}

/**
 * Chooses an entry of the package on cards (`table:1,2`) or a pile (`#3`).
 * @param {PackageEntry} action @param {EntryTarget} [target] @param {Record<string, string>} [answers]
 * @param {boolean} [sure] what it probably means is done @param {boolean} [plain] without the package's script
 */
export async function entry(action, { cards: on = "", pile: onPile = "" } = {}, answers = {}, sure = false, plain = sure) {
  const name = action.menu.at(-1) ?? "";
  // “Go to Main phase” needs no script: the table has that phase.
  /** @param {string} text */
  const bald = (text) => text.toLowerCase().replace(/\(.*\)|\W|phase|step/g, "");
  const meant = bald(name).replace(/^(go|jump)to/, "");
  const isPhase = action.mark === "script" && /phase|step/i.test(name);
  const phase = isPhase ? kit.phases.findIndex((words) => meant === bald(words)) : -1;
  if (phase >= 0) { act(`phase ${phase + 1}`); return; }
  const answer = await ask({ entry: { number: action.n, cards: on, pile: onPile, answers, sure, plain } });
  if (answer?.ask) {
    const fields = answer.ask.map((field) => fieldOf(field));
    const given = await question(name, fields, "Go on");
    if (given) entry(action, { cards: on, pile: onPile }, { ...answers, ...written(given) }, sure, plain);
  } else if (answer?.form) {
    // F34: all that can be said, filled in as far as it was recognised; it is done when the person agrees.
    const fields = answer.form.map((field) => fieldOf(field, onPile));
    const words = answer.form.length ? "" : `This probably means: ${answer.lines.map(readable).join("; ")}.`;
    const given = await question(name, fields, "Do it", words);
    if (given) entry(action, { cards: on, pile: onPile }, { ...answers, ...written(given) }, true);
  } else if (answer?.script) {
    const without = () => { dialog.close(); entry(action, { cards: on, pile: onPile }, {}, false, true); };
    const dialog = tell(name, el("p", {}, answer.script),
      answer.offers.length ? el("p", { textContent: `By hand: ${answer.offers.join(", ")}.` }) : null,
      answer.plain && el("p", {}, el("button", { textContent: "Do it without the script", onclick: without })));
  }
}
/** @type {(line: string) => string} */
const readable = (line) => line.replace(/\{cards\}|(table|#\d+):[\d,@]+/g, "the chosen cards")
  .replace(/table:mine/g, "my cards").replace(/table:targeted/g, "my targets").replace(/\{pile\}/g, "the pile")
  .replace(/#(\d+)/g, (all, id) => pile(Number(id))?.name ?? all);
/** What was given, as verbs write it. @type {(given: Record<string, string>) => Record<string, string>} */
const written = (given) => Object.fromEntries(Object.entries(given).map(([key, value]) => [key, quotedIf(key, value)]));
const NAMES = ["marker", "counter", "name", "to", "pile", "board"];
/** @type {(name: string, value: string) => string} */
const quotedIf = (name, value) => (NAMES.includes(name) && !/^(#\d+|table)$/.test(value) ? quoted(value) : value);
/** A name as a script writes it. @type {(value: string) => string} */
const bare = (value) => (/^".*"$/.test(value) ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value);
/**
 * A field of an entry's form; what the choices hold is chosen from them.
 * @param {EntryField} field @param {string} [onPile] @returns {AskedField}
 */
function fieldOf({ name, words, value: known }, onPile = "") {
  const knownBare = known == null ? known : bare(known);
  /** @type {(list: FreePile[]) => FreePile | undefined} */
  const named = (list) => list.find((one) => one.name.toLowerCase() === knownBare?.replace(/^\*\//, "").toLowerCase());
  const own = S.piles.filter((one) => one.owner === S.me), shared = S.piles.filter((one) => one.owner === null);
  const meantPile = known == null ? null : /^hand$/i.test(known) ? hand() : named(own) ?? named(shared);
  /** @type {(one: FreePile) => FieldChoice} */
  const choiceOf = (one) => [group(one.id), one.name];
  const piles = [...own, ...shared].map(choiceOf), mine = deck();
  const pileValue = meantPile ? group(meantPile.id) : undefined;
  /** What is known is one of the choices. @type {(list: FieldChoice[]) => FieldChoice[]} */
  const choices = (list) =>
    (knownBare != null && !list.some(([value]) => String(value) === knownBare) ? [[knownBare, knownBare], ...list] : list);
  /** @type {FieldChoice[]} */
  const picks = chosen.size ? [[cards(chosen), `The ${chosen.size} chosen`]] : [];
  /** @type {FieldChoice[]} */
  const seats = S.seats.map((one, index) => [index + 1, one.name]);
  const counters = [...(S.me === null ? [] : S.seats[S.me]?.counters ?? []), ...S.shared];
  /** @type {Record<string, Omit<AskedField, "name">>} */
  const kinds = {
    to: { words: "To which pile?", choices: [...piles, ["table", "The table"]], value: pileValue },
    pile: { words: "Which pile?", choices: piles, value: pileValue ?? (onPile || (mine ? group(mine.id) : undefined)) },
    cards: {
      words: "Which cards?", value: known ?? picks[0]?.[0],
      choices: [...picks, ["table:mine", "All of mine on the table"], ["table:targeted", "Cards that I target"],
        ["table:all", "All on the table"]],
    },
    marker: { words: "Which marker?", choices: choices(kit.markers.map((one) => [one.name, one.name])), value: knownBare },
    counter: { words: "Which counter?", choices: choices(counters.map(([text]) => [text, text])), value: knownBare },
    change: { words: "How many? +2 adds, -2 takes away, =2 sets it", value: known ?? "+1" },
    n: { words: "How many?", type: "number", value: known ?? 1, min: 0 },
    from: { words: "From", type: "number", value: known ?? 1, min: -999999 },
    upto: { words: "Up to", type: "number", value: known ?? 6, min: -999999 },
    dice: { words: "Which dice, as in 2d6+1?", value: known ?? "1d6" },
    colour: { words: "Which colour?", choices: choices([...COLOURS, ["none", "None"]]), value: known },
    degrees: {
      words: "Turn by how much?", value: known,
      choices: [0, 90, 180, 270].map((turn) => [turn, turn ? `${turn}°` : "Upright"]),
    },
    phase: { words: "Which phase?", choices: kit.phases.map((text, index) => [index + 1, text]), value: known },
    board: { words: "Which board?", choices: kit.boards.map(({ name }, at) => [name || at + 1, name || "The board"]) },
    seat: { words: "Which seat?", choices: seats },
    eyes: { words: "Who sees the cards?", choices: [["nobody", "Nobody"], ["everybody", "Everybody"], ...seats] },
    name: { words: "Which card, or what words?", value: knownBare },
  };
  // A question of the package's mapping has words of its own and wants a number.
  if (words) return { name, words, type: "number", value: 1 };
  return { name, ...(kinds[name] ?? { words: `${name}?`, value: known ?? "" }) };
}
