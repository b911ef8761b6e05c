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
         action = {F}{D(<2>character)}: damage(_low.size * 100) \
             to(opp,^character[frozen,-fresh & bp>=300]@oppRing)\n",
        "abilities rush\n\
         variable _low = `getTargets('characters[bp<=200]@oppRing')`\n\
         action \"Deal damage\"\n  \
           cost: freeze this\n  \
           cost: discard 2 of character in my hand\n  \
           damage(`_low.size * 100`)\n    \
             to opponent or other character that is frozen, \
             or not fresh and bp >= 300 in the opponent's ring\n\
         list 0: every character that is bp <= 200 in the opponent's ring\n",
    );
    check(
        "auto = ~oppEndPhase:once~ [[if me.hand.size >= 7]] \
         draw(2) && discard() [[else]] +rush to(this) oppUeot\n",
        "auto on opponent's endPhase, once\n  \
           if `me.hand.size >= 7`\n    \
             draw(2)\n    \
             if that worked: discard(card in my hand)\n  \
           else\n    \
             give rush\n      \
               to this\n      \
               until the end of the opponent's turn\n",
    );
}

/// R606–R623, D33, D34: every argument is told as it would be written, defaults included.
#[test]
fn a_command_is_told_as_it_would_be_written() {
    for command in [
        "activate(`tgt.0`)",
        "alterCost(ua3, =-5)",
        "alterCost(action, +1)",
        "bp(x3)",
        "bp(=500)",
        "bp(+300)",
        "clear()",
        "disableRule(piercing)",
        "enableRule(play_removed)",
        "freeze(toggle)",
        "freeze()",
        "modCost(action, 1)",
        "modRule(play_char_bp_limit, 400)",
        "movePile(myHand, ctrlDeck)",
        "moveTo(ctrlDeck, -2, true)",
        "moveTo(myDeck, ?)",
        "moveRevealedTo(oppDiscards, 0)",
        "pileView(myDeck, expanded)",
        "prophecy(3, -1)",
        "reveal(hand)",
        "reveal()",
        "shuffle(oppDeck)",
        "shuffle(deck)",
        "skip(draw)",
        "sp(-2)",
        "swapPiles(myHand, oppHand)",
        "trash(2)",
    ] {
        let text = command
            .replace('`', "")
            .replace("prophecy(3, -1)", "prophecy(3, bottom)");
        check(
            &format!("action = {text}\n"),
            &format!("action \"{}\"\n  {command}\n", label(&text)),
        );
    }
    check(
        "action = rndDiscard(2) & steal(this) from(character@oppRing)\n",
        "action \"rndDiscard\"\n  \
           rndDiscard(2 random of card in my hand)\n  \
           steal(this)\n    \
             to character in the opponent's ring\n",
    );
}

/// What the action is called: its first effect.
fn label(text: &str) -> String {
    let arena = Arena::new();
    let rule = format!("action = {text}");
    let parsed = parse(&arena, FileId(0), &rule, Span::new(0, rule.len()));
    let compiled = compile(FileId(0), &rule, &parsed.rule, &NoNames);
    compiled.rule.actions[0].label.to_string()
}
