// A package of many piles, made by the tests.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["Hand", "Deck", "Discard Pile", "Removed from Game", "Encounter Deck", "Encounter Discard", "Sideboard", "Out of play", "Victory Display", "Special Deck", "Archives(Hidden)", "Set aside", "R&amp;D/Stack"];
/** A package of so many piles a seat (beside the hand) and shared ones. */
export function packageWith(piles, shared) {
  const folder = mkdtempSync(join(tmpdir(), "piles-"));
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
