// Colours rules in the book by the grammar that editors have. Made by `cargo run -p cw-lsp --example grammar`; do not edit.
(() => {
  /** @type {any} */
  const grammar = {
  "comment": "Made from the words that the compiler knows by `cargo run -p cw-lsp --example grammar`; do not edit.",
  "fileTypes": [
    "rules"
  ],
  "name": "RuleScript",
  "patterns": [
    {
      "match": "#.*$",
      "name": "comment.line.number-sign.rulescript"
    },
    {
      "captures": {
        "2": {
          "name": "entity.name.class.rulescript"
        }
      },
      "match": "^\\s*(\\[)([0-9A-Fa-f-]+)(\\])"
    },
    {
      "captures": {
        "1": {
          "name": "variable.other.property.rulescript"
        }
      },
      "match": "(?i)^\\s*(abilities|requisite|action|target|auto|vars)(?=\\s*=)"
    },
    {
      "match": "\"[^\"\\n]*\"",
      "name": "string.quoted.double.rulescript"
    },
    {
      "match": "'[^'\\n]*'",
      "name": "string.quoted.single.rulescript"
    },
    {
      "captures": {
        "1": {
          "name": "keyword.control.rulescript"
        }
      },
      "match": "(?i)\\[\\[\\s*(if|elif|else|may)\\b"
    },
    {
      "captures": {
        "1": {
          "name": "support.constant.zone.rulescript"
        }
      },
      "match": "(?i)@\\s*(ctrlDiscards|anyDiscards|ctrlInfront|ctrlRemoved|oppDiscards|anyInfront|anyRemoved|myDiscards|oppInfront|oppRemoved|myInfront|myRemoved|ctrlDeck|ctrlHand|ctrlRing|discards|sameRing|anyDeck|anyHand|anyRing|infront|oppDeck|oppHand|oppRing|removed|myDeck|myHand|myRing|arena|deck|hand|ring)\\b"
    },
    {
      "captures": {
        "1": {
          "name": "support.variable.property.rulescript"
        }
      },
      "match": "(?i)\\.(controller|ncDamaged|discards|ability|removed|subtype|lastBP|lostSP|owner|deck|hand|name|ring|size|type|bp|hp|sp)\\b"
    },
    {
      "match": "(?i)(?<=[~?,]|[~?,] )(?:any|opp|my)?(?:beforePayCostCharacter|beforePayCostReaction|beforePayCostAction|playerCombatDamaged|cancelCombatDamage|beforePayCostUa2|beforePayCostUa3|activatePhase|preventPierce|beforeAttack|beforeDamage|beforePlayAC|beforePlayRE|cleanupPhase|backupLimit|beforeBlock|handChanges|playAsFresh|ringChanges|blockPhase|leavesRing|drawPhase|powerless|backedUp|canBlock|endPhase|attacks|blocked|removed|blocks)\\b",
      "name": "entity.name.function.event.rulescript"
    },
    {
      "match": "(?i)\\b(?:removeFromAttack|moveRevealedTo|playExtraChar|swapAbilities|copyAbility|disableRule|loseAbility|enableRule|moveToSlot|rndDiscard|alterCost|modDamage|swapChars|swapPiles|transform|activate|loseLife|movePile|pileView|prophecy|unfreeze|destroy|discard|modCost|modRule|shuffle|damage|freeze|moveTo|reveal|clear|steal|trash|turns|unite|draw|each|peek|skip|bp|hp|sp)(?=\\??\\()",
      "name": "support.function.command.rulescript"
    },
    {
      "match": "(?i)\\b(?:isCharacter|getTargets|inUAttack|flipCoin|isChar)(?=\\()",
      "name": "support.function.rulescript"
    },
    {
      "match": "(?i)\\bto(?=\\??\\()",
      "name": "keyword.control.rulescript"
    },
    {
      "match": "\\b_[A-Za-z0-9_]*\\b",
      "name": "variable.other.readwrite.rulescript"
    },
    {
      "match": "(?i)\\b(?:sacrificed|soloAttack|destroyed|discarded|oppLostSP|triggered|attacker|reaction|blocker|instant|prevTgt|trashed|trigger|action|alone|moved|auto|card|char|this|uaBP|opp|tgt|me)\\b",
      "name": "variable.language.rulescript"
    },
    {
      "match": "(?i)\\b(?:character|reaction|action)s?\\b",
      "name": "storage.type.rulescript"
    },
    {
      "match": "(?i)\\b(?:unlimitedbackup|preventpierce|unblockable|unfreezable|cantattack|cantplayac|cantplayre|cantblock|frosted|pierce|rush|abinstant|abtrigger|powerless|backedup|powerful|blocked|uattack|abauto|attack|frozen|block|fresh)\\b",
      "name": "constant.language.rulescript"
    },
    {
      "match": "\\b(?:and|or|not|in|for)\\b",
      "name": "keyword.operator.word.rulescript"
    },
    {
      "match": "\\b[0-9]+\\b",
      "name": "constant.numeric.rulescript"
    }
  ],
  "scopeName": "source.rulescript"
};

  // What the book's theme calls the kinds of words; of several that fit, the first.
  /** @type {[string, string][]} */
  const kinds = [
    ["comment", "comment"], ["string", "string"], ["constant.numeric", "number"], ["keyword", "keyword"],
    ["entity.name.class", "title"], ["entity.name.function", "symbol"], ["support.function", "built_in"],
    ["support.variable", "attr"], ["variable.other.property", "attr"], ["variable", "variable"], ["storage", "type"],
    ["constant", "literal"], ["support", "literal"],
  ];
  const patterns = grammar.patterns.map((/** @type {{ match: string, name?: string, captures: Record<string, { name: string }> }} */ { match, name, captures }) => {
    const anyCase = match.startsWith("(?i)");
    return { name, captures, regex: new RegExp(anyCase ? match.slice(4) : match, anyCase ? "dgi" : "dg") };
  });
  const escaped = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  function span(/** @type {string} */ text, /** @type {string} */ scope) {
    const kind = kinds.find(([prefix]) => scope.startsWith(prefix));
    return kind ? `<span class="hljs-${kind[1]}">${escaped(text)}</span>` : escaped(text);
  }

  function line(/** @type {string} */ text) {
    let out = "", at = 0;
    while (at < text.length) {
      let first;
      for (const pattern of patterns) {
        pattern.regex.lastIndex = at;
        const found = pattern.regex.exec(text);
        if (found?.[0] && (!first || found.index < first.found.index)) first = { pattern, found };
      }
      if (!first) break;
      const { pattern: { name, captures }, found } = first;
      out += escaped(text.slice(at, found.index));
      at = found.index + found[0].length;
      if (name) { out += span(found[0], name); continue; }
      let from = found.index;
      for (const [number, { name: scope }] of Object.entries(captures)) {
        const [start, end] = found.indices[number];
        out += escaped(text.slice(from, start)) + span(text.slice(start, end), scope);
        from = end;
      }
      out += escaped(text.slice(from, at));
    }
    return out + escaped(text.slice(at));
  }

  /** A text of rules as markup with colours. */
  const coloured = (/** @type {string} */ text) => text.split("\n").map(line).join("\n");
  Object.assign(globalThis, { colouredRules: coloured });
  const blocks = globalThis.document?.querySelectorAll("code.language-rules") ?? [];
  for (const block of blocks) block.innerHTML = coloured(block.textContent ?? "");
})();
