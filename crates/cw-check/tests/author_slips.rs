//! Mistakes of authors who know the language and think of the game, or of the card's text, wrongly: phases and turns,
//! the order of statements, who hears an event, and words of the text. Beside each family stands what is right.

use cw_check::{AbilityType, KnownCard, KnownCards, SeveritySettings, check_file};
use cw_program::CardType;
use cw_syntax::{Arena, parse_rules};
use cw_text::{Diagnostic, FileId, Safety, apply_fixes};

const CARD: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// The kinds of cards that rules are written for here.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Action,
    Reaction,
    /// An ability that is used in the Main phase, once it is not fresh.
    Triggered,
    /// One that works by itself.
    Auto,
}

use Kind::{Action, Auto, Reaction, Triggered};

fn cards(kind: Kind, text: &str) -> KnownCards {
    let (card_type, ability) = match kind {
        Action => (CardType::Action, None),
        Reaction => (CardType::Reaction, None),
        Triggered => (CardType::Character, Some(AbilityType::Triggered)),
        Auto => (CardType::Character, Some(AbilityType::Auto)),
    };
    let subtype = (card_type == CardType::Character).then(|| "Student".to_owned());
    let card = |id: &str, name: &str, subtype: &str| KnownCard {
        id: id.to_owned(),
        name: name.to_owned(),
        card_type: Some(CardType::Character),
        subtype: Some(subtype.to_owned()),
        ability: None,
        text: String::new(),
    };
    KnownCards::new(vec![
        KnownCard {
            id: CARD.to_owned(),
            name: "Rook".to_owned(),
            card_type: Some(card_type),
            subtype,
            ability,
            text: text.to_owned(),
        },
        card("16fd2706-8baf-433b-82eb-8c7fada847da", "Crumb", "Student"),
        card("16fd2706-8baf-433b-82eb-8c7fada847db", "Gate", "Guard"),
    ])
}

fn found(kind: Kind, text: &str, rule: &str) -> Vec<Diagnostic> {
    let file = format!("[{CARD}]\n{rule}\n");
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), &file);
    let settings = SeveritySettings::default();
    check_file(FileId(0), &file, parsed, &cards(kind, text), &settings).diagnostics
}

fn lines(found: &[Diagnostic]) -> String {
    let line = |one: &Diagnostic| {
        let fix = one.fix.as_ref().map_or("", |fix| fix.title.as_str());
        let help = one.help.as_deref().unwrap_or_default();
        format!("{} {} / {help} / {fix}\n", one.code, one.message)
    };
    found.iter().map(line).collect()
}

/// A card, its text, its rule, the code and words of what must be found, and the rule once it is mended; empty where
/// no mend is offered.
type Slip = (
    Kind,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

#[track_caller]
fn told(slips: &[Slip]) {
    let mut out = String::new();
    for (kind, text, rule, code, words, mended) in slips {
        let all = found(*kind, text, rule);
        let lines = lines(&all);
        let is_told = lines
            .lines()
            .any(|line| line.starts_with(code) && line.contains(words));
        if !is_told {
            out += &format!("{kind:?} {rule:?} {text:?}\n  wanted {code} {words}\n  said   {lines}\n");
            continue;
        }
        let of_code: Vec<Diagnostic> = all
            .into_iter()
            .filter(|one| one.code.0 == *code && one.fix.is_some())
            .collect();
        let file = format!("[{CARD}]\n{rule}\n");
        let (after, _) = apply_fixes(FileId(0), &file, &of_code, Safety::Unsafe);
        let after = after.trim_start_matches(&format!("[{CARD}]\n")).trim_end();
        let got = if of_code.is_empty() { "" } else { after };
        if got != *mended {
            out += &format!("{kind:?} {rule:?}\n  mended {mended:?}\n  got    {got:?}\n");
            continue;
        }
        let left = found(*kind, text, after);
        if !mended.is_empty() && !left.is_empty() {
            out += &format!("{kind:?} mended {after:?}\n  said {}\n", self::lines(&left));
        }
    }
    assert_eq!(out, "", "{out}");
}

#[track_caller]
fn silent(right: &[(Kind, &str, &str)]) {
    let mut out = String::new();
    for (kind, text, rule) in right {
        let all = found(*kind, text, rule);
        if !all.is_empty() {
            out += &format!("{kind:?} {rule:?} {text:?}\n  said {}\n", lines(&all));
        }
    }
    assert_eq!(out, "", "{out}");
}

/// The mistakes of readers of the book alone: each is told (R301–R313, R402, R905, R1103, RS059–RS093).
#[test]
fn slips_of_readers_of_the_book() {
    told(&[
        (
            Auto,
            "When it attacks, 100 damage to the opponent.",
            "trigger = attacks\naction = damage(100) to(opp)",
            "RS001",
            "both lines as one",
            "auto = ~attacks~ damage(100) to(opp)",
        ),
        (
            Auto,
            "",
            "auto = ~attacks~\naction = damage(100) to(opp)",
            "RS076",
            "nothing follows this event",
            "auto = ~attacks~ damage(100) to(opp)",
        ),
        (
            Auto,
            "",
            "auto = ~attacks~ draw(1)\naction = damage(100) to(opp)",
            "RS059",
            "works by itself",
            "",
        ),
        (
            Triggered,
            "",
            "action = {F}: damage(randint(1, 6) * 100) to(opp)",
            "RS038",
            "there are no random numbers",
            "",
        ),
        (
            Action,
            "",
            "action = destroy() to(character@oppRing); hp(tgt.0.bp)",
            "RS064",
            "`destroyed.0.lastBP`",
            "action = destroy() to(character@oppRing); hp(destroyed.0.lastBP)",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = destroy(); hp(tgt.0.bp)",
            "RS090",
            "has left the ring",
            "target = character@oppRing\naction = destroy(); hp(tgt.0.lastBP)",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = destroy() to(character@oppRing)",
            "RS091",
            "is not used",
            "",
        ),
        (
            Triggered,
            "",
            "action = {F}: damage(300) to(character@oppRing); [[if destroyed.size > 0]] draw(1)",
            "RS044",
            "Ask `[[if prevTgt.0.bp <= 0]]`",
            "",
        ),
        (
            Action,
            "",
            "action = movePile(hand, discards) to(opp)",
            "RS063",
            "in the brackets",
            "action = movePile(oppHand, oppDiscards)",
        ),
        (
            Action,
            "",
            "action = damage(300) to(character[attack]@oppRing)",
            "RS089",
            "make the card a reaction",
            "",
        ),
        (
            Action,
            "",
            "action = discard(all) to(opp); draw(opp.hand.size)",
            "RS090",
            "is empty here",
            "action = discard(all) to(opp); draw(discarded.size)",
        ),
        (
            Action,
            "",
            "action = +cantattack to(character@oppRing) ueot",
            "RS089",
            "ends before it matters",
            "action = +cantattack to(character@oppRing) oppUeot",
        ),
        (
            Action,
            "",
            "action = +cantblock to(character@myRing) ueot",
            "RS089",
            "ends before it matters",
            "action = +cantblock to(character@myRing) oppUeot",
        ),
        (
            Triggered,
            "",
            "action = {S(character)}: bp(+300)",
            "RS088",
            "may be the card itself",
            "action = {S(^character)}: bp(+300)",
        ),
        (
            Triggered,
            "",
            "action = {F}: bp(this.bp * 2)",
            "RS088",
            "3 times as much",
            "action = {F}: bp(x2)",
        ),
        (
            Auto,
            "Whenever you take combat damage, draw a card.",
            "auto = ~playerCombatDamaged~ draw(1)",
            "RS093",
            "trigger.controller != this.controller",
            "",
        ),
        (
            Auto,
            "",
            "auto = ~handChanges~ draw(1)",
            "RS092",
            "until the deck is empty",
            "",
        ),
        (
            Auto,
            "Once per turn, at the end of your turn, gains 100 BP.",
            "auto = ~myEndPhase:once~ bp(+100)",
            "RS093",
            "once in the duel",
            "auto = ~myEndPhase~ bp(+100)",
        ),
        (
            Auto,
            "Cannot attack while it is your only character.",
            "auto = ?beforeAttack? [[if alone]]",
            "RS081",
            "its text says when it cannot",
            "auto = ?beforeAttack? [[if not alone]]",
        ),
        (
            Action,
            "KO an enemy character that costs 2 SP or more.",
            "action = destroy() to(character[sp >= 2]@oppRing)",
            "RS093",
            "a cost is negative",
            "action = destroy() to(character[sp <= -2]@oppRing)",
        ),
        (
            Triggered,
            "",
            "action = {F}: steal(character@oppRing)",
            "RS078",
            "gets the ability",
            "action = {F}: steal() from(character@oppRing)",
        ),
        (
            Action,
            "All your characters gain 100 BP.",
            "action = bp(+100) to(character@myRing)",
            "RS093",
            "the card's text says all",
            "action = bp(+100) to(characters@myRing)",
        ),
        (
            Action,
            "Each of your characters gains 100 BP.",
            "action = bp(+100) to(character@myRing)",
            "RS093",
            "the card's text says all",
            "action = bp(+100) to(characters@myRing)",
        ),
        (
            Auto,
            "At the end of each turn, it gains 100 BP.",
            "auto = ~endPhase~ bp(+100)",
            "RS093",
            "every player's",
            "auto = ~anyEndPhase~ bp(+100)",
        ),
        (
            Action,
            "",
            "action = bp(+100) to(characters[student & guard]@myRing)",
            "RS052",
            "one subtype",
            "action = bp(+100) to(characters[student, guard]@myRing)",
        ),
        (
            Action,
            "",
            "action = swapChars() to(character@myRing; character@oppRing)",
            "RS060",
            "different rings",
            "action = swapChars() to(<2>character@sameRing)",
        ),
        (
            Action,
            "Put a character on top of its player's deck.",
            "action = moveTo(ctrlDeck, 1) to(character@oppRing)",
            "RS093",
            "says on top",
            "action = moveTo(ctrlDeck, 0) to(character@oppRing)",
        ),
        (
            Auto,
            "The opponent loses 100 HP at the end of their turn.",
            "auto = ~oppEndPhase~ loseLife(100) to(opp)",
            "RS061",
            "means the card's own player",
            "",
        ),
    ]);
    silent(&[
        (
            Auto,
            "The opponent loses 100 HP at the end of their turn.",
            "auto = ~oppEndPhase~ loseLife(100) to(me)",
        ),
        (
            Auto,
            "Whenever you take combat damage, draw a card.",
            "auto = ~playerCombatDamaged:any~ [[if trigger.controller != this.controller]] draw(1) to(this.controller)",
        ),
        (
            Action,
            "",
            "action = damage(300) to(character@oppRing); [[if prevTgt.0.bp <= 0]] draw(1)",
        ),
        (Reaction, "", "action = damage(300) to(character[attack]@oppRing)"),
        (
            Auto,
            "At the end of each of your turns, it gains 100 BP.",
            "auto = ~endPhase~ bp(+100)",
        ),
        (Auto, "", "auto = ~handChanges~ [[if me.hand.size < 3]] draw(1)"),
    ]);
}
