// A package of many piles, made by the tests.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "./temporary.mjs";

const NAMES = ["Hand", "Deck", "Discard Pile", "Removed from Game", "Encounter Deck", "Encounter Discard", "Sideboard", "Out of play", "Victory Display", "Special Deck", "Archives(Hidden)", "Set aside", "R&amp;D/Stack"];
/** A package of so many piles a seat (beside the hand) and shared ones. */
export function packageWith(piles, shared) {
  const folder = temporary("piles");
  const group = (name, at) => `<group name="${name}" visibility="${at === 0 ? "me" : at % 2 ? "none" : "all"}" ordered="${at !== 0}" icon="" />`;
  const counters = ["Hit Points", "Threat", "Gold"].map((name) => `<counter name="${name}" default="20" icon="" />`).join("");
  const phases = ["Untap", "Upkeep", "Draw step", "First main phase", "Declare attackers", "Declare blockers", "Damage", "Second main phase", "End of turn"].map((name) => `<phase name="${name}" icon="" />`).join("");
  mkdirSync(join(folder, "Sets"));
  writeFileSync(join(folder, "definition.xml"), `<?xml version="1.0" encoding="utf-8"?>
<game name="Many piles" id="5f0c2f0a-0000-4000-8000-00000000${String(1000 + piles * 20 + shared)}" version="1.0.0.0" octgnVersion="3.1.0.0">
<card back="" front="" width="63" height="88" cornerRadius="3"><property name="Type" type="String" /></card>
<table name="Table" width="1000" height="700" background="" /><phases>${phases}</phases>
<shared>${shared ? `<counter name="Round" default="1" icon="" />` : ""}${NAMES.slice(1, shared + 1).map((name, at) => group(name, at + 1)).join("")}</shared>
<player summary="Hand: {#Hand}">${counters}${NAMES.slice(0, piles + 1).map(group).join("")}</player>
</game>`);
  return folder;
}

/** The cards of the wood: eight of each kind, whose names stand in no other word. */
export const WOOD = Object.fromEntries(["Amber", "Birch", "Cedar", "Storm"].map((kind) => [kind, ["bark", "bud", "cone", "leaf", "moss", "root", "seed", "twig"].map((part) => `${kind} ${part}`)]));
const id = (part, number) => `6a0c2f0a-0000-4000-8000-${part}${String(number).padStart(8, "0")}`;
const idOf = (name) => { const [kind, part] = name.split(" "); return id("0001", Object.keys(WOOD).indexOf(kind) * 10 + WOOD[kind].findIndex((own) => own.endsWith(part))); };
/** A deck of the wood as OCTGN writes it: three of each kind, two aside; with the shared cards, if wanted. */
export function woodDeck(kind, shared = "") {
  const section = (name, cards, words = "") => `<section name="${name}"${words}>${cards.map(([count, card]) => `<card qty="${count}" id="${idOf(card)}">${card}</card>`).join("")}</section>`;
  return `<?xml version="1.0" encoding="utf-8"?><deck game="${id("0000", 0)}">${section("Main", WOOD[kind].map((card) => [3, card]))}${section("Sideboard", [[2, WOOD[kind][0]]])}${shared && section("Weather", WOOD[shared].map((card) => [1, card]), ' shared="True"')}</deck>`;
}
/** A wood: twelve piles a seat and four shared ones, forty at three seats; with cards, a deck, a pack, a sound, documents. */
export function wood() {
  const folder = temporary("wood");
  for (const inside of ["Sets", join("Sets", id("0002", 0)), "Decks"]) mkdirSync(join(folder, inside));
  const group = (name, visibility) => `<group name="${name}" visibility="${visibility}" ordered="${name !== "Hand"}" icon="" />`;
  const counter = (name, value) => `<counter name="${name}" default="${value}" icon="" />`;
  writeFileSync(join(folder, "definition.xml"), `<?xml version="1.0" encoding="utf-8"?>
<game name="The wood" id="${id("0000", 0)}" version="1.0.0.0" octgnVersion="3.1.0.0">
<card back="" front="" width="63" height="88" cornerRadius="3"><property name="Type" type="String" /></card>
<sounds><sound name="Bell" src="bell.wav" /></sounds>
<documents><document name="Paths of the wood" src="paths.txt" icon="" /></documents>
<markers><marker name="Ant" id="ant" src="" /></markers>
<table name="Table" width="1000" height="700" background="" /><phases><phase name="Day" icon="" /><phase name="Dusk" icon="" /><phase name="Night" icon="" /></phases>
<shared>${counter("Round", 1)}${["Weather", "Weather gone", "Market", "Commons"].map((name, at) => group(name, at ? "all" : "none")).join("")}</shared>
<player summary="Hand: {#Hand}">${counter("Sap", 20)}${counter("Light", 0)}${["Hand", "Deck", "Discard Pile", "Removed from Game", "Sideboard", "Out of play", "Victory Display", "Special Deck", "Archives(Hidden)", "Set aside", "Under the ground", "Nest"].map((name) => group(name, name === "Hand" ? "me" : /Deck|Sideboard|Hidden/.test(name) ? "none" : "all")).join("")}</player>
<deck><section name="Main" group="Deck" /><section name="Sideboard" group="Sideboard" /></deck><sharedDeck><section name="Weather" group="Weather" /></sharedDeck></game>`);
  const cards = Object.values(WOOD).flat().map((name) => `<card id="${idOf(name)}" name="${name}"><property name="Type" value="${/leaf|bud|seed|twig/.test(name) ? "Green" : "Brown"}" /></card>`);
  writeFileSync(join(folder, "Sets", id("0002", 0), "set.xml"), `<?xml version="1.0" encoding="utf-8"?>
<set name="First ring" id="${id("0002", 0)}" gameId="${id("0000", 0)}" gameVersion="1.0.0.0" version="1.0.0.0"><packaging><pack name="Basket" id="${id("0003", 0)}"><pick qty="4" key="Type" value="Green" /></pack></packaging><cards>${cards.join("")}</cards></set>`);
  writeFileSync(join(folder, "Decks", "Grove.o8d"), woodDeck("Cedar"));
  writeFileSync(join(folder, "paths.txt"), "Keep to the left.");
  writeFileSync(join(folder, "bell.wav"), SILENCE);
  return folder;
}
/** Eight samples of silence. */
export const SILENCE = Buffer.concat([Buffer.from("RIFF"), Buffer.from([44, 0, 0, 0]), Buffer.from("WAVEfmt "), Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]), Buffer.from("data"), Buffer.from([8, 0, 0, 0]), Buffer.alloc(8, 128)]);
