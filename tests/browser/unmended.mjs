// Not a test: takes one mend after the other out of the page and looks whether a test fails without it.
// `npm run unmended` prints a line for each; a mend that no test misses is a fault and ends it with 1.
// Mends outside of the page's script and style are listed in the README of this folder.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporary } from "./temporary.mjs";

export const assets = resolve(import.meta.dirname, "../../crates/cw-pages/assets");
const CSS = "table.css", FRONT = "front.css";
const DUEL = Object.fromEntries(["answers", "drag", "ending", "forms", "frames", "hints", "keyboard", "layout", "motion", "pace", "page", "settings", "sheets", "zoom"].map((room) => [room, `duel/${room}.js`]));
const FREE = {
  css: "free/free.css",
  ...Object.fromEntries(["decks", "dialogs", "drag", "entries", "free", "keys", "log", "menu", "panels", "questions", "state", "table", "windows"].map((name) => [name, `free/${name}.js`])),
};

/** The fault that people met, the mend as it is written and how it was before, and the test that misses it. */
export const MENDS = [
  ["a turn of the other player flashes by", DUEL.pace, ["const long = hurried ? 0 : hold(frame);", "const long = 0;"], "show", "every act of the other player"],
  ["a click does not collapse the show", DUEL.pace, ["if (!playing() || !event.isTrusted", "if (true || !playing() || !event.isTrusted"], "show", "any click shows the end"],
  ["there is no speed", DUEL.page, ['const speed = () => SPEEDS[recall("speed") ?? "normal"] ?? 1;', "const speed = () => 1;"], "show", "the speed can be set"],
  ["a stray second click answers the next question", DUEL.answers, ["const GUARD = 350", "const GUARD = 0"], "show", "a stray second click"],
  ["an answer is for another question than the finger saw", DUEL.answers, ["if (stray || down !== null", "if (stray || false && down !== null"], "show", "an answer is for the question"],
  ["what is set is lost on reload", DUEL.page, ["{ try { return localStorage.getItem(key);", "{ try { return null;"], "show", "what is set is kept"],
  ["a word of 128 px in a player's bar", CSS, [".bar .words .m { border: 1px solid var(--line); font-size: .75rem; }", ".bar .words .m { font-size: 10cqw; min-width: 0 } .bar .words { font-size: 128px } .bar .words .m { font-size: 128px; }"], "fit", "a keyword in a player's bar"],
  ["the hand count is hidden on a phone", CSS, [".backs { display: none; }", ".backs, .in-hand { display: none; }"], "fit", "questions of whole duels"],
  ["the board jumps between questions", CSS, [".prompt { height: calc(clamp(10.5rem, 31vh, 26rem) - var(--taken, 0px)); }", ".prompt { height: auto; }"], "fit", "questions of whole duels"],
  ["the log opens at the top", DUEL.layout, ["turns.scrollTop = end + rest;", ""], "fit", "on a phone the log opens"],
  ["a phone on its side puts the question outside", CSS, ['.table { grid-template: "them near" auto "felt near" minmax(0, 1fr) "me near" auto / minmax(0, 1.28fr) minmax(0, 1fr); gap: 4px; padding: 4px; }', '.table { grid-template: "them" auto "felt" minmax(0, 1fr) "me" auto "near" auto / minmax(0, 1fr); }'], "fit", "questions of whole duels"],
  ["options lie under the yellow button", CSS, [".options.onward { margin-top: auto; }", ".options.onward { position: absolute; bottom: 0; left: 0; right: 0; z-index: 3; }"], "fit", "questions of whole duels"],
  ["320 px overflow", CSS, ["/ minmax(0, 1fr); gap: 5px; padding: 5px; }", "/ minmax(370px, 1fr); gap: 5px; padding: 5px; }"], "fit", "questions of whole duels"],
  ["what is shown covers the board of a phone", CSS, [".shown { grid-area: near; align-self: end; height: 2.8rem;", ".shown { grid-area: felt; align-self: center; z-index: 14; height: 7rem;"], "fit", "what was shown has a place"],
  ["offline: what is promised is not tried again", DUEL.forms, ["const again = !answer || ", "const again = "], "mended", "an answer to a table that is gone"],
  ["the notice covers the question", CSS, [".notice:not(:empty) { inset: calc(var(--u) * .6 + 40 * var(--px)) calc(var(--u) * .6) auto auto;", ".notice:not(:empty) { inset: auto auto 13.2rem 75%;"], "mended", "an answer to a table that is gone"],
  ["the enlarged card changes on the way to it", DUEL.zoom, ["const PASSING = 130;", "const PASSING = 0;"], "mended", "the enlarged card stays"],
  ["a click does not pin the enlarged card", DUEL.zoom, ["pinned = !(pinned && card === enlarged);", "pinned = false;"], "mended", "the enlarged card stays"],
  ["cards being played cover the board", CSS, [".arena { --card: calc(var(--u) * 9); display: flex;", ".arena { --card: calc(var(--u) * 9); position: fixed; inset: 20vh auto auto 40vw; z-index: 6; display: flex;"], "fit", "cards being played"],
  ["on a phone a card cannot be read", DUEL.zoom, ['if (pinned && !$("zoom")?.getClientRects().length) the("zoom").classList.add("open");', ""], "mended", "on a phone a tap opens"],
  ["the enlarged card is one that has left", DUEL.frames, ["  read();\n  numberCards();\n  rove", "  numberCards();\n  rove"], "mended", "the pane shows the card that asks"],
  ["numbers are not on the cards", DUEL.zoom, ["card.dataset.key = key;", "card.dataset.not = key;"], "mended", "numbers follow the hand"],
  ["the start is below the first screen", FRONT, [".start { position: sticky; top: 0; order: -1;", ".start { top: 0;"], "mended", "decks can be told apart"],
  ["“is thinking” flashes up at once", CSS, [".thinks { animation: arrive .25s .3s both; }", ".thinks { animation: arrive .01s both; }"], "show", "a computer that thinks"],
  ["a tap beside the enlarged card answers", DUEL.zoom, ["beside = Boolean(", "beside = false && Boolean("], "mended", "on a phone a tap opens"],
  ["the enlarged card covers the question", CSS, ["max-height: calc(100vh - clamp(10.5rem, 31vh, 26rem) - 4rem); z-index: 16;", "min-height: 84vh; z-index: 16;"], "mended", "on a phone a tap opens"],
  ["the pane shows another card than the only one that can answer", DUEL.zoom, ["source ?? (could.size === 1 ? [...could][0] : null)", "source"], "mended", "the pane shows the only card"],
  ["the pane shows a card of an earlier phase", DUEL.zoom, ["if (reading && readIn !== nowIn()", "if (false && reading && readIn !== nowIn()"], "mended", "the pane shows the only card"],
  ["the log begins with half a line", DUEL.layout, ["rest = under;", ""], "mended", "the log begins with a whole line"],
  ["what comes after a duel is out of sight", CSS, [".ending:popover-open { display: flex; flex-direction: column; }", ".ending:popover-open { display: block; overflow: auto; }"], "mended", "after a rematch with the other deck"],
  ["the plot touches what stands above it", CSS, [".plot { margin-inline: 0; margin-bottom: 0; }", ".plot { margin: 0; }"], "mended", "after a rematch with the other deck"],
  ["the start covers decks", FRONT, [".start { position: sticky; top: 0; order: -1;", ".start { position: sticky; bottom: 0;"], "mended", "decks can be told apart"],
  ["on a phone six shown cards are slivers", CSS, [".shown .faces { display: none; } .shown > .look { display: inline-block; }", ""], "fit", "what was shown has a place"],
  ["on a phone the card that asks cannot be read", CSS, [".read { display: inline-block;", ".read {"], "mended", "on a phone on its side five"],
  ["of six cards that are shown two are out of sight", CSS, ["padding: 2px; gap: 6px; flex-wrap: wrap; overflow: visible; }", "padding: 2px; gap: 6px; }"], "fit", "what was shown has a place", [CSS, ".shown .faces:has(li:nth-child(5)) { --card: calc(var(--u) * 2.7); gap: 2px; }", ""]],
  ["nothing says why a card lies apart", CSS, [".arena::before { content: attr(data-words);", '.arena::before { content: "";'], "fit", "cards being played"],
  ["five cards overlap on a phone on its side", CSS, [".near { --hand-card: min(7.6vw, 17vh); }", ".near { --hand-card: min(12vw, 27vh); }"], "mended", "on a phone on its side five"],
  ["on a phone on its side an effect has no text", CSS, ["@media (max-height: 500px) { .because { -webkit-line-clamp: 6; }", "@media (max-height: 500px) { .because { display: none; }"], "mended", "on a phone on its side five"],
  ["a fight is one jump", DUEL.pace, ["const long = Math.min(BLOW, FIGHT / frame.fight) * speed();", "const long = 0;"], "moments", "a fight is seen blow by blow"],
  ["at a fast pace the next question is late", DUEL.pace, ["const BRISK = 1500;", "const BRISK = 9000;"], "moments", "at a fast pace"],
  ["Tab leaves a dialog", DUEL.keyboard, ['event.key === "Tab" && dialogNow()', "false"], "moments", "the log is one stop"],
  ["every line of the log is a stop", DUEL.keyboard, ["line.tabIndex = line === on ? 0 : -1;", "void 0;"], "moments", "the log is one stop"],
  ["help on a phone begins with keys", CSS, ["@media (any-pointer: coarse) { .by-touch { display: block; }", "@media (any-pointer: coarse) { .by-touch { display: none; }"], "moments", "help begins with"],
  ["the space bar opens a closed dialog again", DUEL.keyboard, ['target.dataset.pointed === "true"', "false"], "mended", "Help begins"],
  ["options further down are not told", DUEL.layout, ["if (more) part.dataset.more = String(more);", "if (false) void 0;"], "mended", "how many options"],
  ["Close of a long dialog scrolls away", CSS, [".sheet.narrow .heading { position: sticky;", ".sheet.narrow .heading { position: static;"], "mended", "Help begins"],
  // The free table.
  ["Escape does nothing once a submenu was open", FREE.dialogs, ['if (level) open[level - 1]?.querySelector("button")?.focus({ preventScroll: true });', ""], "handling", "Escape closes a menu", [FREE.keys, 'if (event.key === "Escape" && menuIsOpen()) { event.preventDefault(); closeMenus(); return; }', ""]],
  ["Space presses the counter that was clicked last", FREE.panels, ['event.preventDefault();\n    if (focused()?.matches("input, textarea")) focused()?.blur();', ""], "handling", "Space reads the card"],
  ["the hand is one resize behind", FREE.table, ["new ResizeObserver(layHand).observe(handBox);", 'addEventListener("resize", layHand);'], "handling", "the hand fits"],
  ["a focused card scrolls the cloth", FREE.css, ["#felt { position: relative; overflow: clip;", "#felt { position: relative; overflow: hidden;"], "handling", "a card that gets the keyboard"],
  ["a submenu opens by itself", FREE.dialogs, ['when(one, "pointermove", (event) => {\n      if (event.pointerType !== "mouse" || hot === one || !(event.movementX || event.movementY)) return;', 'when(one, "pointerenter", (event) => {\n      if (event.pointerType !== "mouse") return;'], "handling", "a menu under a resting pointer"],
  ["cards lie under the tools after “show all”", FREE.table, ["const above = 50,", "const above = 0,"], "handling", "no card lies under the tools"],
  ["the top card of a pile without order cannot be dragged", FREE.drag, ['one.cards[0]?.[0] ?? "@1"', "one.cards[0]?.[0] ?? \"@99\""], "handling", "the top card of a pile without order"],
  ["notes cannot be moved", FREE.drag, ["  if (from.note && !watches) {", "  if (false) {"], "handling", "a note is moved"],
  ["keys of scripts hide the table's own", FREE.keys, ['(action) => action.mark !== "script")) {', "() => true)) {"], "handling", "keys of entries"],
  ["help opens in its middle", FREE.dialogs, ["head.tabIndex = -1; head.autofocus = true;", ""], "handling", "help and lists"],
  ["one's own card lands out of sight", FREE.free, ["if (own.length) bringIntoView(own);", ""], "handling", "what one brings to the table"],
  ["a notice stays over the cards", FREE.free, ['{ fit(); notice(""); }', "fit()"], "handling", "takes the notice away"],
  ["a search without a hit says nothing", FREE.windows, ['"Nothing matches."', "null"], "handling", "a search without a hit"],
  ["names of piles break inside words", FREE.css, ["width: calc(var(--wide, 8) * 1ch); max-width: 100%;", "width: 4ch; word-break: break-all;"], "handling", "names of piles"],
  ["counters are below the fold of a phone that lies", FREE.css, [".counters { display: contents; }", ".counters { display: flex; margin-top: 20rem; }"], "handling", "on a phone that lies"],
  ["piles lie upon each other", FREE.panels, ['body.classList.add("chips");', ""], "free-seats", "8 seats of 12"],
  ["the open seat takes the table away", FREE.panels, ['{ body.classList.add("over"); redraw(); }', "{}"], "free-seats", "3 seats of 12"],
  ["a question lies under one's own window", FREE.css, ["display: grid; gap: .4rem; z-index: 40; }", "display: grid; gap: .4rem; z-index: 14; }"], "free-brought", "a question lies"],
  ["broad cards leave the hand", FREE.table, ["Math.min(high * part * broadest, wide - 20)", "high * part * 0.7"], "free-brought", "broad cards"],
  ["attached cards lie where they lay", FREE.menu, ["to ${cards([goal])}`, ...tucked);", "to ${cards([goal])}`);"], "free-brought", "attached cards"],
  ["a search does not shuffle", FREE.windows, ["shuffle ||= searching.delete(id)", "shuffle ||= false && searching.delete(id)"], "free-brought", "what is shown"],
  ["what is shown is not seen", FREE.panels, ["  drawShown();\n}", "}"], "free-brought", "what is shown"],
  ["a table opens empty", FREE.panels, ["  drawBegin();\n  drawShown", "  drawShown"], "free-brought", "is asked for its deck"],
  ["“show all” shows cards below those that are shown", FREE.table, ['felt.clientHeight - Math.min($("shown").offsetHeight, felt.clientHeight * 0.4)', "felt.clientHeight"], "free-evening", "evening of three seats"],
  ["a question lies on the tools", FREE.css, ["justify-self: center; margin-top: 3.5rem;", "justify-self: center; margin-top: .6rem;"], "free-evening", "evening of three seats"],
  ["a read waits for ever", FREE.state, ["fetch(where, { ...more, signal: AbortSignal.timeout(patience) })", "fetch(where, more)"], "free-evening", "what the page reads"],
  ["a large hand stands in one row", FREE.table, ["* 0.5, 44) ? 2 : 1;", "* 0.5, 44) ? 1 : 1;"], "handling", "twenty cards"],
  ["a question cannot be withdrawn", FREE.questions, ['one.by === S.me ? answer("Withdraw", "no") : null', "null"], "handling", "who asks can withdraw"],
  ["who wanted to act before the turn ends is not told", FREE.free, ["ends the turn: act now.", "ends the turn."], "handling", "who asks can withdraw"],
  ["going back is asked of nobody", FREE.menu, ["if (!S.seats.some((seat, at) => at !== S.me && seat.present)) {", "if (false) {"], "handling", "where nobody is left"],
  ["the end of a look is taken back", FREE.windows, ["`leave ${group(id)}`", "`close ${group(id)}`"], "handling", "the end of a look"],
  ["Space shows the back of one's own card", FREE.windows, ["await act(`peek ${cards([handle])}`);", ""], "handling", "Space shows one's own"],
  ["a window that changes takes the keyboard away", FREE.windows, ["  if (on) (made.querySelector(", "  if (false) (made.querySelector("], "handling", "an open window keeps"],
  ["keys of phases tell of a script", FREE.entries, ["if (phase >= 0) {", "if (false) {"], "handling", "keys of phases"],
  ["phases that are cut do not say so", FREE.panels, ['strip?.classList.toggle("cut", strip.scrollWidth > strip.clientWidth);', ""], "handling", "keys of phases"],
  ["nobody looks whether the packs' seed fits", FREE.log, ["const fits = made && ", "const fits = made || "], "free-brought", "packs are opened"],
  ["markers are listed twice", FREE.decks, ["kit.markers.find(({ name }) => name === one.name) === one", "true"], "handling", "of markers with the same name"],
  ["two buttons take the width of the question", DUEL.layout, ["    giveWay();\n    //", "    //"], "mended", "on the narrowest phone"],
  ["a bar of two rows moves the board", CSS, [".bar { gap: 5px; } .bar h2 { flex: none; min-width: 0; font-size: min(.75rem, 22px); } .bar .hp, .bar .sp { column-gap: .2rem; }", ".bar h2 { flex: none; }"], "mended", "on a phone a bar has one row"],
  ["a lying phone's replay cuts its words", CSS, [" .replay .prompt .quiet { display: none; } .replay .prompt .happening { font-size: .875rem; line-height: 1.25; }", ""], "mended", "on a phone on its side the replay"],
  ["of six cards in a phone's hand the SP are covered", CSS, [".table.has-six .near { --hand-card: min(var(--row), calc((100vw - 24px) / 6 - 5px)); }", ""], "mended", "six cards in the hand"],
  ["a long story ends in the middle of a line", CSS, ["animation: goes-on linear both; animation-timeline: scroll(self);", ""], "mended", "a long story of a replay"],
  ["the board moves when the turn passes", CSS, [".bar h2:has(> .presence) { min-height: 2.9rem; align-content: center; }", ""], "fit", "between two people the board"],
  ["a newcomer: a lost duel leads to no lesson", DUEL.hints, ["offer.hidden = false;", ""], "next", "a lost duel leads on"],
  ["a newcomer: a link to a level opens nothing", DUEL.sheets, ['meant.closest("[popover]")?.showPopover();', ""], "next", "a lost duel leads on"],
  ["a newcomer: what is new is said again and again", DUEL.hints, ["hint.hidden = (recall(key) ?? here) !== here;", "hint.hidden = false;"], "next", "what is new is said once"],
  ["a newcomer: a card in the ring shows its SP", CSS, ["width: 24%; height: 17.5%; background: #11131a;", "display: none;"], "next", "a character in a ring"],
  ["a newcomer: the way to Help slices the answers below a hint", DUEL.layout, ["high - parseFloat(rowGap)", "high + 99"], "mended", "with two answers to an attack"],
  ["a newcomer: after a deck nothing is said", FREE.panels, ["held.count < 3 && ", "false && "], "next", "a free table says"],
  ["a newcomer: what only one reads is not marked", FREE.log, ["if (line.own) ", "if (false) "], "next", "a free table says"],
  ["a seat's name is not sent", FREE.menu, ["act(`rename ${quoted(given.n)}`)", "false"], "free-evening", "a seat takes a name"],
  ["three answers are sliced below a button", DUEL.layout, [`the("prompt").classList.add("tight");`, ""], "pages", "on the desk three or four"],
];

/** Takes out those that are asked for, one by one. */
function run(wanted) {
  let missed = 0;
  for (const [fault, file, [mend, before], tests, name, more] of MENDS) {
    if (wanted && !fault.includes(wanted)) continue;
    const text = readFileSync(join(assets, file), "utf8");
    if (!text.includes(mend)) { console.log(`NOT FOUND  ${fault}: ${mend}`); missed += 1; continue; }
    const folder = temporary("unmended");
    for (const name of [file, ...more ? [more[0]] : []]) mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, file), text.replaceAll(mend, before));
    // Some mends stand in two places.
    if (more) {
      const [other, also, instead] = more, place = join(folder, other);
      const rest = other === file ? readFileSync(place, "utf8") : readFileSync(join(assets, other), "utf8");
      if (!rest.includes(also)) { console.log(`NOT FOUND  ${fault}: ${also}`); missed += 1; continue; }
      writeFileSync(place, rest.replaceAll(also, instead));
    }
    const run = spawnSync(process.execPath, ["--test", `--test-name-pattern=${name}`, `${tests}.test.mjs`],
      { cwd: import.meta.dirname, env: { QUESTIONS: "20", ...process.env, ASSETS: folder, SHOTS: folder }, encoding: "utf8" });
    const ran = Number(/^# tests (\d+)/m.exec(run.stdout)?.[1] ?? /ℹ tests (\d+)/.exec(run.stdout)?.[1] ?? 0);
    const failed = run.status !== 0 && ran > 0;
    if (!failed) missed += 1;
    console.log(`${failed ? "fails" : "MISSED"}  ${fault}  (${tests}.test.mjs, “${name}”)`);
  }
  process.exitCode = missed ? 1 : 0;
}
if (process.argv[1] === import.meta.filename) run(process.argv[2]);
