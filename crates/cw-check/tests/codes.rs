//! Every code: where it is reported, what stays silent, and that its page tells the truth.

use cw_check::{AbilityType, KnownCard, KnownCards, PAGES, SeveritySettings, check_file, check_rule};
use cw_program::CardType;
use cw_syntax::{Arena, LINTS, parse, parse_rules};
use cw_text::{Diagnostic, FileId, FindingPage, Severity, Span};

const ROOK: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";
const RIPOSTE: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae8";
const STORM: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

fn cards() -> KnownCards {
    let character = |id: &str, name: &str, subtype: &str| KnownCard {
        id: id.to_string(),
        name: name.to_string(),
        card_type: Some(CardType::Character),
        subtype: Some(subtype.to_string()),
        ability: Some(AbilityType::Triggered),
        text: String::new(),
    };
    KnownCards::new(vec![
        character(ROOK, "Rook", "Warrior"),
        character("16fd2706-8baf-433b-82eb-8c7fada847da", "Sparrow", "Ninja"),
        KnownCard {
            id: STORM.to_string(),
            name: "Storm".to_string(),
            card_type: Some(CardType::Action),
            subtype: None,
            ability: None,
            text: "Deal 300 damage.".to_string(),
        },
        KnownCard {
            id: RIPOSTE.to_string(),
            name: "Riposte".to_string(),
            card_type: Some(CardType::Reaction),
            subtype: None,
            ability: None,
            text: String::new(),
        },
    ])
}

/// All findings about one rule of a card.
fn findings(card: &str, text: &str) -> Vec<Diagnostic> {
    let cards = cards();
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let mut found = parsed.diagnostics;
    found.extend(check_rule(FileId(0), text, &parsed.rule, &cards, cards.find(card)).diagnostics);
    found.sort_by_key(|one| one.span);
    found
}

fn lines(found: &[Diagnostic]) -> Vec<String> {
    let line = |one: &Diagnostic| format!("{:?} {} {}", one.span, one.code, one.message);
    found.iter().map(line).collect()
}

#[track_caller]
fn check_of(card: &str, text: &str, expected: &str) {
    let found = lines(&findings(card, text));
    let expected: Vec<&str> = expected.split(" | ").filter(|line| !line.is_empty()).collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| found.starts_with(expected));
    assert!(same, "{text}\n found    {found:#?}\n expected {expected:#?}");
}

/// The findings about a rule of a character, one per `|`; a finding may be cut short.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_of(ROOK, text, expected);
}

/// A reaction is played in the opponent's turn (R804, RS088).
#[test]
fn reactions_last_until_the_end_of_a_turn() {
    let ueot = "action = +preventpierce to(character[block]@myRing) ueot";
    check_of(
        RIPOSTE,
        ueot,
        "52..56 RS088 a reaction is played in the opponent's turn",
    );
    check_of(RIPOSTE, &ueot.replace("ueot", "oppUeot"), "");
    // An ability is used in one's own turn, when nobody counter-attacks (RS089).
    check_of(ROOK, ueot, "37..42 RS089 | 52..56 RS089");
}

/// An example is the rule of a character, the rule of an action card whose text says "Deal 300 damage.", a
/// whole file, or something that is not text or lies in several files.
fn page_findings(page: &FindingPage, text: &str) -> Vec<Diagnostic> {
    match page.example {
        "character" => findings(ROOK, text),
        "action" => {
            let text = format!("[{STORM}]\n{text}");
            file_findings(&text)
        }
        "file" => file_findings(text),
        "elsewhere" => Vec::new(),
        other => panic!("{}: no example is a `{other}`", page.code),
    }
}

fn file_findings(text: &str) -> Vec<Diagnostic> {
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), text);
    check_file(FileId(0), text, parsed, &cards(), &SeveritySettings::default()).diagnostics
}

/// Every code has a page, in order, whose wrong example has the finding, and whose right example
/// has none at all.
#[test]
fn pages_tell_the_truth() {
    let lints = LINTS.iter().map(|lint| (lint.code, lint.severity, lint.title));
    let pages = PAGES.iter().map(|page| (page.code.0, page.severity, page.title));
    assert_eq!(pages.collect::<Vec<_>>(), lints.collect::<Vec<_>>());
    for page in PAGES.iter().filter(|page| page.example != "elsewhere") {
        let wrong = page_findings(page, page.wrong);
        assert!(
            wrong.iter().any(|found| found.code == page.code),
            "{}: {:?}",
            page.code,
            lines(&wrong)
        );
        let right = page_findings(page, page.right);
        assert_eq!(
            lines(&right),
            Vec::<String>::new(),
            "{}: right example",
            page.code
        );
    }
    let found = PAGES.find("rs003");
    assert!(found.is_some_and(|page| page.markdown("").contains("unknown command")));
}

/// Fixes mend: applying all fixes of a wrong example leaves the finding no more.
#[test]
fn fixes_mend() {
    for page in PAGES.iter().filter(|page| page.example == "character") {
        let wrong = findings(ROOK, page.wrong);
        let offered: Vec<Diagnostic> = wrong
            .into_iter()
            .filter(|found| found.code == page.code && found.fix.is_some())
            .collect();
        if offered.is_empty() {
            continue;
        }
        let (text, _) = cw_text::apply_fixes(FileId(0), page.wrong, &offered, cw_text::Safety::Unsafe);
        let left = findings(ROOK, &text);
        assert!(
            left.iter().all(|found| found.code != page.code),
            "{}: {text}",
            page.code
        );
    }
}

/// Rules that do nothing, keys given twice, and labels and actions that do not match are
/// reported (RS008, RS009, RS010, RS011, RS055, R109, R111, R112).
#[test]
fn keys() {
    check("target = character", "0..6 RS008");
    check("abilities = rush", "");
    check("foo = 1\ntarget = me", "0..3 RS001");
    check("target = me\ntarget? = opp\naction = draw()", "12..25 RS009");
    check("action = draw()\naction = hp(1)\nlabel = a\nlabel = b", "");
    check("label = A\nauto = ~myEndPhase~ draw()", "0..9 RS010");
    check("label = A\nlabel = B\naction = draw()", "10..19 RS010");
    check("label = A\nlabel = B\nauto = ~myEndPhase~ draw()", "0..9 RS055");
    check("action = draw()\naction = hp(1)", "0..15 RS011");
    check("requisite = me\nauto = ~myEndPhase~ draw()", "0..9 RS055");
}

/// Abilities of players on cards, and those of characters on players, are reported (RS014, R802).
#[test]
fn abilities_of_players_and_cards() {
    check("action = +cantplayac to(character)", "9..20 RS014");
    check("action = +rush to(opp)", "9..14 RS014");
    check("action = +cantplayac to(opp); +rush", "");
    check("action = +rush to(opp,character)", "");
    check("abilities = cantplayre", "12..22 RS014");
}

/// A quantity on a plural, and a pick in play that looks like a quantity, are
/// reported (RS017, RS020, R414, R418).
#[test]
fn quantities_that_do_nothing() {
    check("action = freeze() to(<2>characters)", "21..24 RS017");
    check("action = freeze() to(<2>warriors)", "21..24 RS017");
    check("action = freeze() to(<r2>characters)", "");
    check("action = freeze() to(character<2>)", "30..33 RS020");
    check("action = moveTo(hand) & shuffle() to(character<2>@deck)", "");
    check("requisite = character<1>\naction = draw()", "");
}

/// Types joined by `&` are reported where they mean one card of each (RS022, D28, R404).
#[test]
fn one_of_each() {
    check("action = freeze() to(warrior&ninja)", "21..34 RS022");
    check("action = freeze() to(character&warrior)", "");
    check("action = freeze() to(\"Rook\"&\"Sparrow\")", "21..37 RS022");
}

/// Filters that nothing can pass are reported (RS052).
#[test]
fn filters_that_are_never_true() {
    check(
        "target = character[frozen]@hand\naction = moveTo(deck)",
        "19..25 RS052",
    );
    check(
        "target = action[bp>=300]@hand\naction = moveTo(deck)",
        "16..23 RS052",
    );
    check("action = hp(1) to(player[fresh])", "25..30 RS052");
    check("action = hp(1) to(player[sp>=3])", "");
    check(
        "action = freeze() to(character[frozen & -frozen])",
        "40..47 RS052",
    );
    check(
        "action = freeze() to(character[bp<=300 & bp>=500])",
        "41..48 RS052",
    );
    check("action = freeze() to(character[bp<=500 & bp>=300])", "");
    check(
        "action = freeze() to(character[powerful & powerless])",
        "42..51 RS052",
    );
    check("action = freeze() to(character[action])", "31..37 RS052");
    check("action = moveTo(ctrlDeck) to(action)", "29..35 RS052");
    check("action = {D(character[frozen])}: draw()", "22..28 RS052");
}

/// A requisite for which other engines would ask the player is reported (RS054, R304, D29).
#[test]
fn requisites_pick() {
    check("requisite = character@oppRing\naction = draw()", "12..21 RS054");
    check("requisite = characters@oppRing\naction = draw()", "");
    check("requisite = this[frozen]\naction = draw()", "");
}

/// What other engines ignore or lack is reported (RS065).
#[test]
fn other_engines() {
    check("action = freeze() to(character[-powerful])", "31..40 RS065");
    check("action = freeze() to(character[-frozen])", "");
    check("action = freeze() to(character[bp:lowest])", "31..40 RS065");
    check("action = -rush to(character)", "9..14 RS065");
    check("auto = ~backedUp:char~ draw()", "17..21 RS065");
}

/// Hooks written as events, events written as hooks, and hooks that act are reported (RS029, D18, R233).
#[test]
fn hooks_and_events() {
    check(
        "auto = ~canBlock~ [[if blocker.bp >= 600]]",
        "7..17 RS029 | 23..40 RS081",
    );
    check("auto = ?canBlock? [[if blocker.bp >= 600]]", "23..40 RS081");
    check("auto = ?myEndPhase? draw()", "7..19 RS029");
    check("auto = ?canBlock? draw()", "18..24 RS029");
    check("auto = ~myBeforePayCostAction~ modCost(action, 1)", "");
    check("auto = ~cancelCombatDamage:this~ draw()", "");
    let severe = findings(ROOK, "auto = ?canBlock? draw()");
    assert_eq!(severe[0].severity, Severity::Error, "D18");
}

/// Statements behind an `else`, conditions that guard nothing, and what never runs are
/// reported (RS034, RS035, RS059, R503, R507).
#[test]
fn order_of_statements() {
    check(
        "action = [[if alone]] draw() [[else]] hp(100); sp(+1)",
        "47..53 RS034",
    );
    check("action = [[if alone]] draw(); sp(+1)", "");
    check("action = [[if alone]]", "9..21 RS035");
    check("action = [[if alone]]; draw()", "23..29 RS059");
    check("action = [[may]]; draw()", "");
    check("auto = ~myEndPhase~ [[if alone]]", "20..32 RS035");
}

/// Effects that hit the card itself when nothing is found are reported (RS045, R309, R413).
#[test]
fn effects_that_fall_back() {
    check("action = destroy() to?(character[frozen])", "9..18 RS045");
    check("action = draw() to?(opp)", "");
    check("target? = character\naction = bp(+100)", "29..37 RS045");
    check(
        "target = character<1>@discards\naction = destroy()",
        "40..49 RS045",
    );
}

/// A search of the deck without a shuffle is reported (RS053).
#[test]
fn searches_without_shuffle() {
    check("action = moveTo(hand) to(character@deck)", "35..39 RS053");
    check("action = moveTo(hand) & shuffle() to(character@deck)", "");
    check("action = moveTo(hand) to(character<1>@deck)", "");
    check("action = moveTo(hand) to(<r>character@deck)", "");
    check("action = moveTo(hand) to(character@discards)", "");
    check("target = character@deck\naction = moveTo(hand)", "19..23 RS053");
}

/// `modCost` and `modDamage` are reported outside of their events (RS056).
#[test]
fn changes_outside_their_event() {
    check("action = modCost(action, 1)", "9..27 RS056");
    check("action = modDamage(1)", "9..21 RS056");
    check(
        "auto = ~myBeforePayCostAction~ modCost(character, 1)",
        "31..52 RS056",
    );
    check("auto = ~beforeDamage~ modDamage(1)", "");
    check("action = alterCost(action, 1)", "");
}

/// An auto of an Action card that is gone before its event is reported (RS057, R908).
#[test]
fn autos_of_action_cards() {
    check_of(STORM, "auto = ~endPhase~ damage(300) to(opp)", "8..16 RS057");
    check_of(STORM, "auto = ~endPhase:once~ damage(300) to(opp)", "");
    check("auto = ~endPhase~ damage(300) to(opp)", "");
}

/// `&&` and `||` are reported behind a command that cannot fail (RS058, R604).
#[test]
fn joiners_behind_what_cannot_fail() {
    check("action = draw() && hp(100)", "16..18 RS058");
    check("action = draw() || hp(100)", "16..18 RS058");
    check("action = discard() || hp(100) & draw()", "");
    check("action = rndDiscard() && hp(100)", "");
}

/// Commands with too few or too many targets are reported (RS060).
#[test]
fn numbers_of_targets() {
    check("action = swapChars() to(character@myRing)", "21..41 RS060");
    check("action = swapChars() to(<2>character@myRing)", "");
    check("action = swapChars() to(character@myRing; character@myRing)", "");
    check("action = swapChars()", "9..20 RS060");
    check("action = moveToSlot() to(characters)", "22..36 RS060");
    check("action = moveToSlot() to(character)", "");
}

/// Words that mean the other player in an opponent's event, such as `me`, are
/// reported (RS061, D5, R301).
#[test]
fn me_in_events_of_others() {
    check("auto = ~oppEndPhase~ draw() to(me)", "31..33 RS061");
    check(
        "auto = ~oppEndPhase:once~ destroy() to(<r>character@oppRing)",
        "52..59 RS061",
    );
    check("auto = ~oppEndPhase~ [[if me.sp > 3]] draw()", "26..28 RS061");
    check("auto = ~oppEndPhase~ draw() to(this.controller)", "");
    check("auto = ~myEndPhase~ draw() to(me)", "");
    let found = findings(
        ROOK,
        "auto = ~oppEndPhase:once~ destroy() to(<r>character@oppRing)",
    );
    let fix = found[0].fix.as_ref().expect("D5 offers the other ring");
    assert_eq!(fix.edits[0].text, "myRing");
}

/// A card that would go to the wrong player's pile is reported (RS062, R617).
#[test]
fn piles_of_the_wrong_player() {
    check("action = moveTo(hand) to(character)", "16..20 RS062");
    check("action = moveTo(ctrlHand) to(character)", "");
    check("action = moveTo(hand) to(character@myRing)", "");
    check("action = moveTo(oppHand) to(character@oppRing)", "");
    check("action = moveTo(hand) to(this)", "");
}

/// Commands on what they cannot act on are reported (RS063).
#[test]
fn commands_on_the_wrong_objects() {
    check("action = destroy() to(opp)", "9..18 RS063");
    check("action = draw() to(character)", "16..29 RS063");
    check("action = damage(100) & draw() to(character)", "");
    check("action = skip(draw) to(character)", "9..19 RS063");
    check("action = damage(100) to(opp,character)", "");
}

/// `prevTgt` is reported where nothing before it has targets (RS064, R1102).
#[test]
fn previous_targets() {
    check("action = bp(prevTgt.0.bp)", "12..19 RS064");
    check("action = freeze() to(character); bp(prevTgt.0.bp)", "");
    check("target = character\naction = bp(prevTgt.0.bp) to(this)", "");
}

/// Damage that hits its own card for want of a target is reported (RS066, D27).
#[test]
fn effects_on_the_card_itself() {
    check("auto = ~endPhase~ damage(100)", "18..29 RS066");
    check("auto = ~endPhase~ damage(100) to(this)", "");
    check("target = opp\naction = damage(100)", "");
    check("action = destroy()", "");
}

/// RS080, R701: what is no character cannot be frozen.
#[test]
fn actions_pay_nothing_by_freezing() {
    check_of(
        STORM,
        "action = {F}: damage(300) to(opp)",
        "9..12 RS080 an action cannot be frozen",
    );
    check_of(
        STORM,
        "action = {D}{F}: damage(300) to(opp)",
        "9..12 RS093 | 12..15 RS080",
    );
    check("action = {F}: damage(300) to(opp)", "");
    for (rule, mended) in [
        (
            "action = {F} : damage(300) to(opp)",
            "action = damage(300) to(opp)",
        ),
        (
            "action = {D}{F}: damage(300) to(opp)",
            "action = {D}: damage(300) to(opp)",
        ),
    ] {
        let found = findings(STORM, rule);
        let (text, _) = cw_text::apply_fixes(FileId(0), rule, &found, cw_text::Safety::Unsafe);
        assert_eq!(text, mended);
    }
}

/// RS081, R507: the condition of a block says when it is allowed; the hint goes where the card's text says so
/// too.
#[test]
fn conditions_of_blocks_read_as_they_count() {
    #[track_caller]
    fn told(text: &str, test: &str, expected: &str) {
        let mut all = cards().all().to_vec();
        text.clone_into(&mut all[0].text);
        let cards = KnownCards::new(all);
        let rule = format!("auto = ?canBlock:this? [[if {test}]]");
        let arena = Arena::new();
        let parsed = parse(&arena, FileId(0), &rule, Span::new(0, rule.len()));
        let found = check_rule(FileId(0), &rule, &parsed.rule, &cards, cards.find(ROOK)).diagnostics;
        let found = found.iter().find(|one| one.code.0 == "RS081");
        let said = found.map_or("", |one| one.message.as_str());
        assert_eq!(said, expected, "{text} {test}");
        let mended = found
            .and_then(|one| one.fix.as_ref())
            .map(|fix| fix.edits[0].text.clone());
        let is_backwards = expected.starts_with("this says");
        assert_eq!(mended, is_backwards.then(|| format!("not ({test})")), "{text}");
    }
    const OPEN: &str = "a block is allowed where this is true";
    const BACKWARDS: &str = "this says who can block the card; its text says who cannot";
    told("", "blocker.bp >= 600", OPEN);
    told("Draw a card.", "blocker.bp >= 600", OPEN);
    told(
        "Only characters with 600 BP or more can block it.",
        "blocker.bp >= 600",
        "",
    );
    told(
        "It can't be blocked by characters with 500 BP or less.",
        "blocker.bp <= 500",
        BACKWARDS,
    );
    told(
        "It cannot be blocked by weaker characters.",
        "attacker.bp > blocker.bp",
        BACKWARDS,
    );
    told(
        "It cannot be blocked by weaker characters.",
        "blocker.bp >= attacker.bp",
        "",
    );
    told(
        "It cannot be blocked by weaker characters.",
        "not (blocker.bp < attacker.bp)",
        "",
    );
    told(
        "It cannot be blocked by Ninjas.",
        "blocker.subtype == 'ninja'",
        OPEN,
    );
}

/// RS078, D65: a text that can only steal from its own card.
#[test]
fn stealing_from_oneself() {
    check("action = steal() from(this)", "9..16 RS078");
    check("action = steal(this) to(this)", "9..20 RS078");
    check("target = this\naction = steal()", "23..30 RS078");
    check("auto = ~endPhase~ steal()", "18..25 RS078");
    // D104: in an action as well.
    check("action = steal()", "9..16 RS078");
    check("action = steal(character@myRing) from(this)", "");
    check("action = steal() from(character@oppRing)", "");
}

/// Variables are reported where their cost, command or event has not set
/// them (RS044, R304, R910, R912, R1103).
#[test]
fn variables_that_cannot_exist_yet() {
    check(
        "vars = _d := discarded.size\naction = {D}: draw(_d)",
        "13..22 RS044",
    );
    check("action = {D}: draw(discarded.size)", "");
    check("action = draw(destroyed.size)", "14..23 RS044");
    check("action = destroy() to(character) & draw(destroyed.size)", "");
    check("action = destroy() to(character); draw(destroyed.size)", "");
    check("action = each(card in moved => draw())", "22..27 RS044");
    check("action = damage(attacker.bp) to(opp)", "16..24 RS044");
    check("auto = ~blocked~ bp(uaBP) to(attacker)", "");
    check("auto = ~attacks~ bp(uaBP) to(this)", "20..24 RS044");
    check("auto = ~endPhase~ bp(trigger.bp) to(this)", "21..28 RS044");
    check("auto = ~backedUp~ bp(trigger.bp) to(this)", "");
}

/// A number of the rule that the card's text has otherwise is reported (RS071).
#[test]
fn printed_numbers() {
    let rule = |text: &str| lines(&file_findings(&format!("[{STORM}]\n{text}")));
    assert_eq!(
        rule("action = damage(400) to(opp)"),
        ["55..58 RS071 the rule says 400, the card's text 300"]
    );
    assert_eq!(rule("action = damage(300) to(opp)"), Vec::<String>::new());
    let numbers = rule("action = draw(2)");
    assert!(!numbers.iter().any(|line| line.contains("RS071")), "{numbers:?}");
}

/// Conditions that are always the same are reported (RS072).
#[test]
fn conditions_that_never_change() {
    check("action = [[if true]] draw()", "14..18 RS072");
    check("action = [[if me.hand.size < 0]] draw()", "14..30 RS072");
    check("action = [[if me.hand.size <= 0]] draw()", "");
    check(
        "action = [[if alone]] draw() [[elif alone]] hp(1)",
        "36..41 RS072",
    );
}

/// Effects that do nothing are reported (RS076).
#[test]
fn effects_that_do_nothing() {
    check("action = draw(0)", "9..16 RS076");
    check("action = movePile(deck, myDeck)", "9..31 RS076");
    check("action = bp(=0) to(character)", "");
    check("action = hp(-100)", "");
    check("action = damage(-100) to(opp)", "9..21 RS076");
}

/// Sections without a card or a rule and unknown settings are reported, and allowed findings are
/// not (RS051, RS073, RS008, D60).
#[test]
fn sections_and_settings() {
    let found = |text: &str| lines(&file_findings(text));
    assert_eq!(
        found("[99999999-d9cb-469f-a165-70867728950e]\nabilities = rush"),
        ["1..37 RS051 no card of the package has this id"]
    );
    assert_eq!(
        found(&format!("[{ROOK}]\n# nothing")),
        ["0..38 RS008 this card has no rule"]
    );
    let allowed =
        format!("[{ROOK}]\n# cardwright: allow RS058 because it reads well\naction = draw() && hp(1)");
    assert_eq!(found(&allowed), Vec::<String>::new());
    let on_the_line = format!("[{ROOK}]\naction = draw() && hp(1) # cardwright: allow RS058");
    assert_eq!(found(&on_the_line), Vec::<String>::new());
    let unknown = format!("[{ROOK}]\n# cardwright: allow RS999\nabilities = rush");
    assert_eq!(found(&unknown), ["59..64 RS073 no finding has the code `RS999`"]);
    let level = format!("[{ROOK}]\n# cardwright: ignore RS058\nabilities = rush");
    assert_eq!(found(&level), ["53..59 RS073 unknown setting `ignore`"]);
}

/// Severities per game.
#[test]
fn games_set_severities() {
    let text = format!("[{ROOK}]\naction = draw() && hp(1)");
    let mut settings = SeveritySettings::default();
    settings.set("rs058", cw_check::SeverityLevel::Error);
    let arena = Arena::new();
    let found = check_file(
        FileId(0),
        &text,
        parse_rules(&arena, FileId(0), &text),
        &cards(),
        &settings,
    )
    .diagnostics;
    assert_eq!(found[0].severity, Severity::Error);
    settings.set("RS058", cw_check::SeverityLevel::Allow);
    let found = check_file(
        FileId(0),
        &text,
        parse_rules(&arena, FileId(0), &text),
        &cards(),
        &settings,
    )
    .diagnostics;
    assert_eq!(lines(&found), Vec::<String>::new());
}

/// RS007, RS024, RS038, R606, R1015: expressions that never give what is wanted.
#[test]
fn expressions_of_the_wrong_kind() {
    check("action = damage((c.bp for c in me.ring)) to(opp)", "16..39 RS007");
    check("action = damage([1]) to(opp)", "16..19 RS007");
    check("action = draw(me.ring)", "14..21 RS007");
    check("action = draw(this)", "14..18 RS007");
    check("action = draw(me.ring.size)", "");
    check("action = damage(sum(c.bp for c in me.ring)) to(opp)", "");
    check("action = draw(isChar(this))", "");
    check(
        "action = [[if isChar(.0)]] draw()",
        "14..24 RS007 this is called as `isChar(card)`",
    );
    check("action = [[if isChar(this.bp > 3)]] draw()", "14..33 RS007");
    check("action = [[if isChar()]] draw()", "14..22 RS007");
    check("action = [[if isChar(me.ring.0) and isChar(this)]] draw()", "");
    check("action = [[if flipCoin(this)]] draw()", "14..28 RS007");
    check(
        "action = [[if isChar]] draw()",
        "14..20 RS038 `isChar` is a function",
    );
    check("vars = _a := getTargets&('*')\naction = draw(_a)", "13..23 RS038");
    check("vars = _a := filter(isChar, me.ring)\naction = draw(len(_a))", "");
    check("vars = isChar := 3\naction = draw(isChar)", "7..13 RS041");
    check(
        "action = bp(--300) to(character)",
        "12..17 RS024 `--300` has two signs",
    );
    check("action = bp(- +3) to(character)", "12..16 RS024");
    check("action = bp(-300) to(character)", "");
}

/// RS048, RS049, RS072, D41: texts that no card's type, subtype or name is.
#[test]
fn texts_that_nothing_equals() {
    let on = |test: &str| format!("auto = ~myBackedUp~ [[if {test}]] draw()");
    let found = |test: &str, expected: &str| check(&on(test), expected);
    found(
        "trigger.type == 'charater'",
        "42..50 RS072 no card is of the type `charater`; did you mean",
    );
    found("trigger.type == 'Character'", "");
    found(
        "trigger.subtype != 'warior'",
        "45..51 RS048 no card has the subtype `warior`; did you mean",
    );
    found("'warrior' == trigger.subtype", "");
    found("trigger.subtype == ''", "");
    found(
        "trigger.subtype in ['warrior', 'nnja']",
        "25..63 RS040 | 57..61 RS048",
    );
    found(
        "trigger.name == 'Rok'",
        "42..45 RS049 no card has the name `rok`; did you mean",
    );
    found("trigger.name == 'ROOK'", "");
}

/// RS007, RS072: kinds that do not go together.
#[test]
fn kinds_that_never_meet() {
    check(
        "action = [[if me.hand > 3]] draw()",
        "14..25 RS072 always the same: a list is compared with a number",
    );
    check("action = [[if me.hand.size > 3]] draw()", "");
    check("action = [[if this.bp == 'x']] draw()", "14..28 RS072");
    check("action = [[if this == me]] draw()", "14..24 RS072");
    check("action = [[if this.controller == me]] draw()", "");
    check("action = [[if alone == 1]] draw()", "");
    check("target = character\naction = [[if tgt == nil]] draw()", "");
    check(
        "action = [[if 1 == 2]] draw()",
        "14..20 RS072 this condition is always the same: it does not name anything",
    );
    check("action = [[if not true]] draw()", "14..22 RS072");
    check(
        "action = [[if me]] draw()",
        "14..16 RS072 this condition is always the same: a player",
    );
    check("action = [[if opp.ring]] draw()", "");
    check("vars = _a := 3\naction = [[if _a]] draw()", "");
    check(
        "action = each(card in 3 => draw())",
        "14..23 RS007 a number is not a list",
    );
    check("action = each(card in me => draw())", "14..24 RS007");
    check("action = each(card in me.ring => draw())", "");
    check(
        "action = freeze() to(tgt.0.bp)",
        "21..29 RS007 targets are cards and players",
    );
    check("target = character\naction = freeze() to(tgt.0)", "");
}

/// RS012, RS024: what is nearly a target.
#[test]
fn targets_without_their_signs() {
    check(
        "action = freeze() to(character oppRing)",
        "21..38 RS012 `@` is missing",
    );
    check("action = freeze() to(warrior  ring)", "21..34 RS012");
    check(
        "action = freeze() to(character[bp 300])",
        "31..37 RS024 `bp` is compared",
    );
    check("action = freeze() to(character[sp])", "31..33 RS024");
    let fix = findings(ROOK, "action = freeze() to(warrior  ring)")[0]
        .fix
        .clone();
    assert_eq!(fix.expect("it is offered").edits[0].text, "warrior@ring");
}
