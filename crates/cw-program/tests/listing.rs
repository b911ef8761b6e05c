//! A program as lines.

use cw_program::{Labels, NoNames, compile, listing};
use cw_syntax::{Arena, parse};
use cw_text::{FileId, Span};

#[track_caller]
fn check(text: &str, lines: &str) {
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let compiled = compile(FileId(0), text, &parsed.rule, &NoNames);
    assert_eq!(compiled.diagnostics, []);
    assert_eq!(listing(&compiled.rule, Labels::default()), lines);
}

/// R201: each part of a rule has its line, and every number its meaning.
#[test]
fn a_rule_is_listed() {
    check(
        "abilities = rush\n\
         vars = _low := getTargets('characters[bp<=200]@oppRing')\n\
         action = {F}{D(<2>character)}: damage(_low.size * 100) to(opp,^character[frozen,-fresh & bp>=300]@oppRing)\n",
        "abilities rush\n\
         variable _low = `getTargets('characters[bp<=200]@oppRing')`\n\
         action \"Deal damage\"\n  \
           cost: freeze this\n  \
           cost: discard 2 of character in my hand\n  \
           Damage(`_low.size * 100`)\n    \
             to opponent or other character that is frozen, or not fresh and bp >= 300 in the opponent's ring\n\
         list 0: every character that is bp <= 200 in the opponent's ring\n",
    );
    check(
        "auto = ~oppEndPhase:once~ [[if me.hand.size >= 7]] draw(2) && discard() [[else]] +rush to(this) oppUeot\n",
        "auto on opponent's endPhase, once\n  \
           if `me.hand.size >= 7`\n    \
             Draw(2)\n    \
             if that worked: Discard(card in my hand)\n  \
           else\n    \
             give rush\n      \
               to this\n      \
               until the end of the opponent's turn\n",
    );
}
