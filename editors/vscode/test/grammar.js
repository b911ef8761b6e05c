// The patterns of the grammar are ones that can be read, and colour what they should.
"use strict";

const assert = require("node:assert");
const grammar = require("../syntaxes/rulescript.tmLanguage.json");

/** The pattern as JavaScript has it. */
const compiled = ({ match }) => new RegExp(match.replace(/^\(\?i\)/, ""), match.startsWith("(?i)") ? "gim" : "gm");

/** The first pattern that colours these words in a line, by its name or those of its parts. */
function colour(line, words) {
  for (const rule of grammar.patterns) {
    for (const found of line.matchAll(compiled(rule))) {
      if (found[0] === words) return rule.name ?? Object.values(rule.captures)[0].name;
      const part = Object.entries(rule.captures ?? {}).find(([at]) => found[at] === words);
      if (part) return part[1].name;
    }
  }
  return null;
}

const line = 'auto = ~myActivatePhase~ [[if this.bp > _n]] draw(3) & bp(+1) to(character[frozen]@oppRing) # note';
for (const [words, name] of [
  ["auto", "variable.other.property"],
  ["myActivatePhase", "entity.name.function.event"],
  ["if", "keyword.control"],
  ["this", "variable.language"],
  ["_n", "variable.other.readwrite"],
  ["draw", "support.function.command"],
  ["to", "keyword.control"],
  ["character", "storage.type"],
  ["frozen", "constant.language"],
  ["oppRing", "support.constant.zone"],
  ["# note", "comment.line.number-sign"],
]) assert.strictEqual(colour(line, words), `${name}.rulescript`, words);
assert.strictEqual(colour("[0f8fad5b-d9cb-469f-a165-70867728950e]", "0f8fad5b-d9cb-469f-a165-70867728950e"), "entity.name.class.rulescript");
assert.strictEqual(colour("action = nonsense(1)", "nonsense"), null);
