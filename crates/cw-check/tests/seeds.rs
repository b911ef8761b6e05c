//! D45: every example of the seed documents, with its tree and its findings. Where a finding
//! differs from what the document says of the example, the note tells why.

use std::fmt::Write;

use cw_check::{KnownCard, KnownCards, check_rule};
use cw_program::CardType;
use cw_syntax::{Arena, dump, parse};
use cw_text::{FileId, Span};

/// Example, and why its findings are right.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "target = character\nvars = _coin := flipCoin()\n\
         action = {F}: [[if _coin]] bp(+500) target(tgt.0) [[else]] damage(300) to(this)",
        "",
    ),
    (
        "#target = players\naction = trash(5) # Anything after the hash sign is ignored",
        "",
    ),
    (
        "label = \"Label for the first action\"\naction = draw()\naction = draw()",
        "the document labels one of two actions; RS011 asks for the other",
    ),
    (
        "label = \"Action button 1\"\naction = draw()\nlabel = Action button 2\naction = draw()",
        "",
    ),
    ("requisite = character<1>@oppRing\naction = draw()", ""),
    (
        "vars = _cards := getTargets('*s@myDiscards')\n\
         action = {F}: [[if _cards.size > 0]] bp(+500) to(*[bp<=300])",
        "",
    ),
    ("action = reveal() to(character<1>[powerful]@anyDeck)", ""),
    ("action = reveal() to(*@discards)", ""),
    ("action = freeze() to(character@myRing; character@oppRing)", ""),
    ("action = reveal() to(<2>action@oppDiscards)", ""),
    (
        "action = reveal() to(<,5>*@myDeck)",
        "a choice from a deck without shuffle: RS053",
    ),
    ("action = reveal() to(<r3>character@hand)", ""),
    ("action = draw() to(players)", ""),
    (
        "action = freeze() to(character&warrior)",
        "D28: both on one card, as the document says, so no RS022",
    ),
    ("action = reveal() to(!\"Emulate\"[action]@oppDiscards)", ""),
    ("action = reveal() to(*s@myDeck)", ""),
    ("action = reveal() to(character<1>@anyDeck)", ""),
    ("action = reveal() to(*s<-2>@deck)", ""),
    ("action = freeze() to(characters[bp<=400]@ring)", ""),
    ("action = freeze() to(*s[backedup & attack, -frozen])", ""),
    ("action = [[ may 'Draw a card?' ]] draw()", ""),
    ("action = [[if all card.bp <= 300 in me.ring]] draw()", ""),
    ("action = [[if me.sp < opp.sp]] draw()", ""),
    ("action = prophecy(3, top) & shuffle?(deck)", ""),
    ("action = discard(character) || destroy()", ""),
    ("action = draw(); draw() target(opp)", ""),
    ("action = +frosted oppUeot", ""),
    ("action = +cantplayac to(opp)", ""),
    (
        "action = destroy() target(character@myRing); destroy() target(character@oppRing)",
        "",
    ),
    ("action = moveTo(deck) from?(*s@hand)", ""),
    ("auto = ~myDrawPhase~ draw() target(me)", ""),
    (
        "auto = ~powerless,backedUp~ damage(100)",
        "the document lets \"the player\" receive the damage; D27 makes it the card itself: RS066",
    ),
    (
        "auto = ~oppEndPhase:once~ destroy() target(<r>character@oppRing)",
        "D5: in the opponent's phase `oppRing` is the card's own ring: RS061 offers `myRing`",
    ),
    (
        "auto = ?oppCanBlock:this? [[if opp.ring.size > 1]]",
        "the comment says it the wrong way round (R507): true allows",
    ),
    (
        "auto = ~endPhase~ [[cond if alone]] draw()",
        "`cond` is only a word of the formal syntax (D44)",
    ),
];

#[test]
fn examples_of_the_seed_documents() {
    let card = |name: &str, card_type, subtype: Option<&str>| KnownCard {
        id: format!("{name:0>32}"),
        name: name.to_string(),
        card_type: Some(card_type),
        subtype: subtype.map(str::to_string),
        ..KnownCard::default()
    };
    let cards = KnownCards::new(vec![
        card("Emulate", CardType::Action, None),
        card("Rook", CardType::Character, Some("Warrior")),
    ]);
    let mut out = String::new();
    for (text, note) in EXAMPLES {
        let arena = Arena::new();
        let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
        let mut found = parsed.diagnostics;
        found.extend(check_rule(FileId(0), text, &parsed.rule, &cards, cards.all().last()).diagnostics);
        let _ = write!(
            out,
            "==== {}\n{}",
            text.replace('\n', "\n     "),
            dump(&parsed.rule)
        );
        for one in found {
            let _ = writeln!(out, "{:?} {} {}", one.span, one.code, one.message);
        }
        if !note.is_empty() {
            let _ = writeln!(out, "note: {note}");
        }
    }
    insta::assert_snapshot!(out);
}
