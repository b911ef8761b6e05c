// What a person brings to the table, by dialogs with a search: decks, packs, tokens, markers.

import { S, act, ask, el, get, kit, quiet, quoted, when } from "./state.js";
import { freeSpot } from "./table.js";
import { question, tell } from "./dialogs.js";

/** A field that looks for something in a list. @type {(words: string) => HTMLInputElement} */
function search(words) {
  const find = el("input", { type: "search", placeholder: words, autocomplete: "off" });
  find.setAttribute("aria-label", words);
  return find;
}

/** A deck that was brought to this game in this browser. @typedef {{ name: string, text: string }} SavedDeck */
const savedKey = () => `free-decks ${kit.name}`;
/** @returns {SavedDeck[]} */
function savedDecks() { try { return JSON.parse(localStorage.getItem(savedKey()) ?? "[]") ?? []; } catch { return []; } }
/** @param {string} name @param {string} text */
function saveDeck(name, text) {
  const others = savedDecks().filter((one) => one.text !== text);
  let own = name;
  for (let n = 2; others.some((one) => one.name === own); n += 1) own = `${name} (${n})`;
  const all = [{ name: own, text }, ...others].slice(0, 30);
  try { localStorage.setItem(savedKey(), JSON.stringify(all)); } catch { /* no room: it is played all the same */ }
}
/** A seat brings its deck: one of the package, a file, pasted text, or one that it brought before. */
export async function decks() {
  if (S.me === null) return;
  const find = search("Find a deck");
  const box = el("ul", { className: "choices" });
  const file = el("input", { type: "file", accept: ".o8d,.txt,.dek,.dec,.xml,text/plain" });
  const placeholder = "3 Name of a card\n2 Name of another\nSideboard\n1 …";
  const text = el("textarea", { placeholder, maxLength: 60000, spellcheck: false });
  const load = el("button", {}, "Load this list");
  const saved = savedDecks();
  const dialog = tell("Choose a deck", saved.length + kit.decks.length > 8 ? find : null, box,
    el("h3", {}, "From a file"), el("label", {}, quiet("An OCTGN deck (.o8d) or a list of cards", "span"), file),
    el("h3", {}, "Or paste a list"),
    el("label", {}, quiet("A number and a name on each line; the name of a section on a line of its own", "span"), text), load);
  /** @param {FreeAnswer | null} answer @param {string} name */
  const done = (answer, name) => {
    if (!answer) return;
    dialog.close();
    if (answer.remarks?.length) tell(name, ...answer.remarks.map((words) => el("p", {}, words)));
  };
  /** @param {string} name @param {string} words */
  const bring = async (name, words) => {
    const answer = await ask({ "deck-text": { name, text: words } });
    if (answer) saveDeck(name, words);
    done(answer, name);
  };
  const all = [
    ...saved.map((one) => ({ name: one.name, note: "used before", run: () => bring(one.name, one.text) })),
    ...kit.decks.map((name, index) => ({ name, note: "", run: async () => done(await ask({ deck: index }), name) })),
  ];
  const show = () => {
    const wanted = find.value.toLowerCase(), found = all.filter((one) => one.name.toLowerCase().includes(wanted));
    box.replaceChildren(...found.slice(0, 200).map((one) => el("li", {}, el("button", { onclick: one.run },
      el("span", {}, one.name), one.note ? " " : null, one.note ? el("small", {}, one.note) : null))));
  };
  when(file, "change", async () => {
    const given = file.files?.[0];
    if (given) bring(given.name.replace(/\.[^.]+$/, ""), await given.text());
  });
  when(load, "click", () => {
    if (text.value.trim()) bring(`List of ${new Date().toLocaleDateString()}`, text.value); else text.focus();
  });
  when(find, "input", show);
  show();
  if (find.isConnected) find.focus();
}
/** F217: all seats open the same packs, each with its own luck. */
export async function packs() {
  /** @type {AskedField[]} */
  const fields = [
    { name: "p", words: "Which?", choices: kit.packs },
    { name: "n", words: "How many for each seat?", type: "number", value: 3, min: 1 },
  ];
  const given = await question("Open packs", fields, "Open them");
  if (given) act(`packs ${`${given.p} `.repeat(Math.min(Number(given.n), 100))}`);
}
/** F124, F217: the seat's own cards as a list that is changed by hand. @param {OwnListKind} how */
export async function ownList(how) {
  const all = await get("lists");
  if (!all) return;
  const text = el("textarea", { value: all[how], rows: 14, maxLength: 60000, spellcheck: false });
  const free = all.free && ` Of these you may have any number: ${all.free}.`;
  const words = how === "build" ? `Keep the cards you play; the rest is your sideboard.${free}`
    : "Between two games, you can move cards to another section here.";
  const give = async () => { if (await ask({ "deck-text": { name: "Pool", text: text.value, how } })) dialog.close(); };
  const button = el("button", { className: "go", textContent: how === "build" ? "Build it" : "Exchange", onclick: give });
  const title = how === "build" ? "Your pool" : "Your deck";
  const dialog = tell(title, el("label", {}, quiet(words, "span"), text), button);
}
/** A new card, of the package or of any words. `placed` is where it comes to, as the verb has it, or empty: in sight. */
export async function token(placed = "") {
  const find = search("A card of the package, or any words");
  const box = el("ul", { className: "choices" });
  const dialog = tell("Token or card", find, box);
  /** @param {string} name */
  const made = (name) => {
    dialog.close();
    act(`create ${name} at${placed || ` ${freeSpot().join(",")}`}`);
  };
  const show = async () => {
    const words = find.value.trim();
    const found = await get(`find?q=${encodeURIComponent(words)}`) ?? [];
    if (find.value.trim() !== words) return;
    const blank = el("button", { textContent: `A blank that says “${words}”`, onclick: () => made(`=${quoted(words)}`) });
    /** @type {(card: FoundCard) => Node} */
    const one = ([model, name, id, set]) => el("button", { className: "pictured", onclick: () => made(`=${id}`) },
      el("img", { src: `/free/face/${model}/0/small`, alt: "", loading: "lazy" }),
      el("span", {}, name, set ? " " : null, set ? el("small", {}, set) : null));
    const buttons = [...(words ? [blank] : []), ...found.map(one)];
    box.replaceChildren(...buttons.map((button) => el("li", {}, button)));
  };
  when(find, "input", show);
  show();
  find.focus();
}
/** The box of markers for some cards: one click puts one on, − takes one off. @param {string} what */
export function markers(what) {
  const find = search("Find a marker");
  const box = el("div", { className: "markerbox" });
  const dialog = tell("Markers", quiet("A click puts one on; − takes one off."), find, box);
  /** Of markers with the same name the first one is meant. @type {(one: FreeMarker) => boolean} */
  const fits = (one) => kit.markers.find(({ name }) => name === one.name) === one
    && one.name.toLowerCase().includes(find.value.toLowerCase());
  const show = () => {
    const all = kit.markers.map((one, index) => ({ one, index })).filter(({ one }) => fits(one));
    box.replaceChildren(...all.slice(0, 120).map(({ one, index }) => {
      const picture = one.picture ? el("img", { src: `/free/marker/${index}`, alt: "", width: 28, height: 28 }) : null;
      /** @param {string} by */
      const change = (by) => () => act(`marker ${what} ${quoted(one.name)} ${by}`);
      return el("div", {}, el("button", { onclick: change("+1") }, picture, el("span", {}, one.name)),
        el("button", { textContent: "−", aria: { label: `One ${one.name} less` }, onclick: change("-1") }));
    }));
  };
  when(find, "input", show);
  show();
  return dialog;
}
