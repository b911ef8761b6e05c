// The drawer beside the table: the log, the chat, links for others, how the page looks and sounds, help.

import {
  $, S, act, actor, ask, cards, chosen, el, get, keep, kept, kit, plainly, quiet, when,
} from "./state.js";
import { menuIsOpen, openMenu, tell } from "./dialogs.js";
import { setText } from "./panels.js";

/** How many lines of the log are on the page. */
let written = 0;
/**
 * F217: what the seed of packs was promised to be has a place of its own, and the page looks itself whether that was kept.
 * @param {string} text
 */
async function checkPacks(text) {
  const digest = /committed to as (\w+)/.exec(text)?.[1], told = /was (\w+); its BLAKE3 digest is (\w+)/.exec(text);
  const words = el("span", {}, "The packs' seed, told at the end, has the BLAKE3 digest ");
  if (digest) $("packs").append(el("li", { data: { digest } }, words, el("code", {}, digest)));
  if (!told) return;
  const [, seed, of] = told;
  const made = $("packs").querySelector(`[data-digest="${of}"] span`);
  const { blake3 } = await import("./shuffle.js");
  const fits = made && blake3(Uint8Array.from(seed.match(/../g) ?? [], (byte) => parseInt(byte, 16))) === of;
  const found = fits ? "✓ The packs' seed fits" : "✗ The packs' seed does not fit";
  (made ?? $("packs").appendChild(words)).textContent = `${found}: ${seed} has the BLAKE3 digest `;
}
/** The step of the last entry whose script has run. */
let ran = -1;
/** Writes what is new; all of it, if the page is fresh. */
export function drawLog(fresh = false) {
  const log = $("log");
  if (fresh) {
    log.replaceChildren(...(S.scripts ? [el("li", { className: "k-scripts", textContent: S.scripts })] : []));
    $("packs").replaceChildren();
    written = 0;
  }
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  for (const line of S.log.slice(written)) {
    if (!line.text) continue;
    if (line.kind === "packs") checkPacks(line.text);
    // Comings and goings of a seat are one line that changes.
    const whose = line.kind === "seat" ? /^(.*) is (?:away|here)$/.exec(line.text)?.[1] : undefined;
    if (whose !== undefined) {
      for (const old of [...log.querySelectorAll("li")].slice(-12)) if (old.dataset.presence === whose) old.remove();
    }
    // An entry of the package that waited says so no longer once it is done; what it did stands under it.
    const ends = ["run", "failed"].includes(line.kind);
    if (ends) for (const old of log.querySelectorAll(`[data-waits="${line.by}"]`)) old.remove();
    const made = lineOf(line, whose);
    if (line.kind === "run" && line.text.endsWith(" …")) made.dataset.waits = String(line.by);
    else if (line.kind === "run") ran = line.step;
    else if (line.step === ran) made.classList.add("within");
    log.append(made);
    const isSaid = ["say", "me", "announce", "whisper"].includes(line.kind);
    if (isSaid && line.by !== S.me && !fresh) $("log-tab").classList.add("news");
  }
  written = S.log.length;
  // Chat is never taken back.
  for (const one of log.querySelectorAll("li")) {
    one.classList.toggle("undone", S.undone.includes(Number(one.dataset.step)) && !one.classList.contains("k-undo"));
  }
  while (log.children.length > 500) log.firstElementChild?.remove();
  if (atEnd || fresh) log.scrollTop = log.scrollHeight;
}
/** A line of the log; `whose` is whose presence it says. @param {FreeLine} line @param {string} [whose] */
function lineOf(line, whose) {
  const one = el("li", {
    className: `k-${line.kind} ${line.by === null ? "" : `seat${line.by}`}`, data: { step: line.step },
  });
  if (whose !== undefined) one.dataset.presence = whose;
  const words = plainly(line.text), name = actor(line);
  if (name) one.append(el("b", {}, name), words.slice(name.length));
  else one.textContent = words;
  if (line.own) one.append(" ", el("small", { className: "secret", textContent: "only for you" }));
  const goBack = { words: "Ask to go back to before this", run: () => act(`propose ${line.step}`) };
  when(one, "contextmenu", (event) => {
    event.preventDefault();
    if (S.me !== null) openMenu([goBack], event.clientX, event.clientY);
  });
  return one;
}

const PHRASES = [
  "Hello!", "Good luck, have fun.", "I am ready.", "Your turn.", "Please wait: I have a response.", "No response.", "Yes.",
  "No.", "May I take that back?", "What does that card do?", "I am thinking.", "Sorry, one moment.", "Well played.",
  "Thank you for the game.",
];
export function startChat() {
  when($("chat"), "submit", async (event) => {
    event.preventDefault();
    const line = $("say").value.trim();
    if (!line) return;
    const answer = await ask({ chat: { line, selected: chosen.size ? cards(chosen) : "" } });
    if (answer) $("say").value = "";
    if (answer?.help) tell("Commands", el("pre", {}, answer.help));
  });
  when($("phrases"), "click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    openMenu(PHRASES.map((words) => ({ words, run: () => ask({ chat: { line: words } }) })), box.left, box.top - 400);
  });
  when($("say"), "keydown", (event) => { if (event.key === "Escape") { $("felt").focus(); event.stopPropagation(); } });
  /** @param {boolean} on */
  const drawer = (on) => {
    document.body.classList.toggle("logged", on);
    $("log-tab").classList.remove("news");
    if (on) $("log").scrollTop = $("log").scrollHeight;
  };
  when($("log-tab"), "click", () => drawer(!document.body.classList.contains("logged")));
  when($("unlog"), "click", () => drawer(false));
  when($("links"), "click", invite);
  when($("look"), "click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    openMenu(lookMenu(), box.left, box.bottom);
  });
  when($("help"), "click", help);
  if (S.me === null) $("chat").hidden = true;
  if (S.me === null || document.body.dataset.seats === "alone") $("links").hidden = true;
}

/** @returns {MenuEntries} */
const lookMenu = () => [
  { title: "Theme" },
  { words: "Dark", run: () => setTheme("dark") },
  { words: "Light", run: () => setTheme("light") },
  { words: "Follow the system", run: () => setTheme("system") },
  { title: "Text" },
  { words: "Normal", run: () => setText("normal") },
  { words: "Large", run: () => setText("large") },
  ...(kit.sounds.length ? [
    { title: "Sounds of the package" },
    { words: "On", run: () => keep("sound", "on") },
    { words: "Off", run: () => keep("sound", "off") },
  ] : []),
];
/** The colours of the page: as they were, or as they are wished now. */
export function setTheme(theme = kept("theme") ?? "system") {
  keep("theme", theme);
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.documentElement.classList.toggle("light", theme === "light");
}

export const NO_SOUND = "This sound of the package is missing.";
/** @type {AudioContext | null} */
let audio = null;
/** F24: a sound is loaded only where sound is on; the duel's page keeps that in the same place. @param {FreeLine} line */
export async function sounds(line) {
  const at = kit.sounds.findIndex((name) => line.text.endsWith(` plays the sound ${name}`));
  if (kept("sound") !== "on" || at < 0) return;
  const bytes = await get(`/free/sound/${at}`, "arrayBuffer", NO_SOUND);
  if (!bytes) return;
  audio ??= new AudioContext();
  const source = audio.createBufferSource();
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
  /** @param {string} address */
  const copy = (address) => {
    const button = el("button", { textContent: "Copy the link" });
    when(button, "click", async () => {
      try {
        await navigator.clipboard.writeText(address);
        button.textContent = "Copied";
      } catch { button.textContent = "Copy it by hand"; }
    });
    return button;
  };
  /** @param {InviteLink} link */
  const line = (link) => {
    const words = link.seat === null ? "To watch" : link.name, address = (link.origin ?? location.origin) + link.path;
    const field = el("input", { readOnly: true, value: address, aria: { label: words } });
    when(field, "focus", () => field.select());
    return el("li", {}, el("p", {}, words), field, copy(address));
  };
  tell("Invite", quiet("A link to a seat works once. Spectators see only what everybody sees."),
    links.some((link) => link.origin) ? null : quiet("These links work on this machine; with --host in your network, too."),
    el("ul", { className: "links" }, ...links.map(line)));
}

/** @type {[key: string, what: string][]} */
const KEYS = [
  ["Arrows", "go from card to card; with Shift, choose them"], ["Enter", "what a double click does"],
  ["M", "the menu of the card, pile or table"], ["Space", "read the card large"], ["T", "rotate"], ["F", "turn over"],
  ["D", "draw a card"], ["S", "shuffle the deck"], ["L", "look into the pile"], ["P", "peek"], ["R", "show to all"],
  ["G", "to the discards"], ["H", "to the hand"], ["1–9", "to the first, second … pile"],
  ["Shift+1–9", "look into that pile"], ["+ −", "the first marker of a card, or the box of markers"],
  ["N", "next phase"], ["E", "pass the turn"], ["U", "straighten my cards"], ["K", "token or card"],
  ["A", "choose all my cards"], ["Z", "take back"], ["C", "from the table to the hand and back"],
  ["I", "the table as a list"], ["/", "chat"], ["0", "show all cards"], ["Ctrl + −", "closer, farther"],
  ["Page up, Page down", "in front, behind"], ["Esc", "close, or choose nothing"], ["?", "this list"],
];
export function help() {
  const run = el("input", { autocomplete: "off", placeholder: "roll 2d6+1" });
  run.setAttribute("aria-label", "A line for the table");
  const form = el("form", {}, run, el("button", { type: "submit", textContent: "Do it" }));
  when(form, "submit", async (event) => { event.preventDefault(); if (await act(run.value)) run.value = ""; });
  /** @param {[key: string, what: string][]} rows */
  const table = (rows) => el("table", {}, ...rows.map(([key, words]) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words))));
  const how = "Drag cards; with Shift they go face down, and from card to card it draws an arrow. A right click or a second "
    + "tap opens a menu; a long press or Space shows a card large. The wheel or two fingers zoom. "
    + "The package's own keys come first.";
  tell("Keys and commands", el("p", {}, how),
    table(KEYS), el("h3", {}, "Commands of the chat"), el("pre", {}, kit.commands.join("\n")),
    el("h3", {}, "Any line for the table"), S.me === null ? null : form, table(kit.verbs));
}
export const idle = () => !menuIsOpen() && !document.querySelector("dialog[open]");
