//! The worked examples of the language (section 15) and quirks that are mended in its text.

use cw_check::{KnownCard, KnownCards, check_package, check_rule};
use cw_program::CardType;
use cw_program::{
    AutoKind, Command, CompiledRule, RuleEffectKind, Scope, StatementKind, TargetKind, TargetQuantity,
    TargetType, ZoneSide,
};
use cw_syntax::{Arena, parse, parse_rules};
use cw_text::{FileId, Span};

fn cards() -> KnownCards {
    KnownCards::new(vec![KnownCard {
        id: "0f8fad5b-d9cb-469f-a165-70867728950e".to_string(),
        name: "Rook (the 2nd); boss's".to_string(),
        card_type: Some(CardType::Character),
        subtype: Some("Ninja".to_string()),
        ..KnownCard::default()
    }])
}

fn checked(text: &str) -> (CompiledRule, Vec<String>) {
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let checked = check_rule(FileId(0), text, &parsed.rule, &cards(), cards().all().first());
    let found = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let lines = found.map(|one| format!("{:?} {}", one.span, one.code)).collect();
    (checked.program, lines)
}

#[track_caller]
fn check(text: &str, expected: &[&str]) -> CompiledRule {
    let (rule, found) = checked(text);
    assert_eq!(found, expected, "{text}");
    rule
}

/// The example of costs and effects has both costs and no finding (R1501).
#[test]
fn costs_then_effects() {
    let rule = check("action = {D(<2>)}{F}: draw(3) & discard()", &[]);
    assert_eq!(rule.actions[0].costs().len(), 2);
}

/// The example of a requisite has its pick and no finding (R1502, R304).
#[test]
fn requisites() {
    let rule = check(
        "requisite = ninja<1>[fresh]@oppRing\naction = freeze() to(ninja[fresh]@oppRing)",
        &[],
    );
    assert_eq!(rule.requisites[0].pick, Some(1));
}

/// In the example of an optional command only that command is optional (R1503, R245).
#[test]
fn optional_commands() {
    let rule = check(
        "target = <,2>reaction@discards\naction = {F}: moveTo(deck, -1) & shuffle?()",
        &[],
    );
    let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
        panic!("a condition")
    };
    assert_eq!(
        branch
            .effects
            .iter()
            .map(|effect| effect.optional)
            .collect::<Vec<_>>(),
        [false, true]
    );
}

/// R1504, R904: the statements behind `;` run on the same event.
#[test]
fn statements_share_the_trigger() {
    let rule = check(
        "auto = ~myDrawPhase~ [[if me.hand.size >= 7]] discard(<r>); sp(+1)",
        &[],
    );
    assert_eq!((rule.autos.len(), rule.autos[0].statements.len()), (1, 2));
}

/// The event of an example without a prefix is the player's own (R1505, R901).
#[test]
fn shapes_of_autos() {
    let rule = check("auto = ~ringChanges~ [[if alone]] +unblockable", &[]);
    assert!(matches!(&rule.autos[0].kind, AutoKind::Events(events) if events[0].scope == Scope::My));
}

/// A chain of conditions keeps all its branches, also with two `elif` (R1506, R236, RQ31).
#[test]
fn chains_of_conditions() {
    let text = "vars = _w := flipCoin()\n\
                action = [[if _w]] hp(+200) to(me) [[elif me.sp > 5]] sp(-5) to(me) \
                [[elif me.hp < 9]] draw() [[else]] loseLife(100) to(me)";
    let rule = check(text, &[]);
    let StatementKind::If { arms, otherwise } = &rule.actions[0].statements[0].kind else {
        panic!("no if")
    };
    assert_eq!((arms.len(), otherwise.is_some()), (3, true));
}

/// R1507, R424: a plural takes all, whatever joins the filters.
#[test]
fn filters_join() {
    let rule = check("action = moveTo(ctrlHand) to(characters[attack, block])", &[]);
    let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
        panic!("a condition")
    };
    assert_eq!(branch.to.as_ref().expect("a clause").targets[0].filters.len(), 2);
    check("target = <1,3>characters\naction = freeze()", &["9..14 RS017"]);
    check(
        "target = <1,3>character[frozen]@oppRing\naction = unfreeze()",
        &[],
    );
}

/// Examples of sacrifices have no finding, not even with an odd card name (R1508, R119, R703).
#[test]
fn sacrifices() {
    check(
        "action = {S(^character)}: damage(sacrificed.0.lastBP) to(opp,character@oppRing)",
        &[],
    );
    check("action = {S(\"Rook (the 2nd); boss's\")}: draw()", &[]);
}

/// R1509, D33: without an action in it the searched deck is moved, so RS045 has nothing to say.
#[test]
fn searched_decks() {
    check(
        "target = action<1>@oppDeck\naction = moveRevealedTo(ctrlDeck, -1) && moveTo(oppDiscards, true)",
        &[],
    );
}

/// The last examples have no finding (R1510, R1511, R1512).
#[test]
fn last_examples() {
    check("action = each(card.bp >= 500 in opp.ring => draw())", &[]);
    check("action = discard(<1>character) || loseLife(200)", &[]);
    check("auto = ~oppBeforePayCostAction~ modCost(action, -1)", &[]);
}

/// Examples from the text of the specification have no finding but one (R1025, R1108, R423).
#[test]
fn examples_in_the_text() {
    check(
        "vars = _low := getTargets('characters[bp<=200]@oppRing'); _n := _low.size * 2\naction = draw(_n)",
        &[],
    );
    check(
        "action = moveTo(ctrlHand) to(character@oppRing); loseLife(prevTgt.0.bp)",
        &[],
    );
    check(
        "auto = ?oppCanBlock:this? [[if blocker.bp >= 600]]",
        &["31..48 RS081"],
    );
}

/// R116, R118, RQ23: separators in quotes and brackets separate nothing.
#[test]
fn separators_in_quotes() {
    check(
        "action = damage(max(1, 2)) to(\"Rook (the 2nd); boss's\"@ring)",
        &[],
    );
    check("action = [[may 'Draw; or & not?']] draw()", &[]);
}

/// RQ22, RQ25, R607: zero is a number, a trailing `;` and a blank line are nothing.
#[test]
fn small_mended_quirks() {
    check(
        "vars = _a := me.sp;\n\naction = bp(=0) to(character) & draw(_a);",
        &[],
    );
    check("action = discard(<10,12>*@hand)", &[]);
}

/// Targets without a type, with `ctrl` and with `::not` are compiled as they are
/// written (R202, R213, R220, RQ27, RQ30).
#[test]
fn parts_of_targets() {
    let target = |text: &str| {
        let rule = check(&format!("action = freeze() to({text})"), &[]);
        let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
            panic!("a condition")
        };
        branch.to.as_ref().expect("a clause").targets[0].clone()
    };
    let bare = target("[frozen]@ring");
    assert!(
        matches!(&bare.kind, TargetKind::Either(items) if matches!(items[0].what, TargetType::Card(_))),
        "R202"
    );
    assert_eq!(bare.quantity, TargetQuantity::Default);
    assert_eq!(target("ninja@ctrlRing").zone.side, ZoneSide::Controller, "R220");
    assert!(
        target("characters@ring::not(this)").not.is_some(),
        "R243 works everywhere"
    );
}

/// R238, R241, D30: `&` inside `each` joins its effects.
#[test]
fn effects_inside_each() {
    let rule = check("action = each(card in me.ring => draw() & hp(1)) & sp(1)", &[]);
    let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
        panic!("a condition")
    };
    assert_eq!(branch.effects.len(), 2);
    let RuleEffectKind::Command(Command::Each(each)) = &branch.effects[0].kind else {
        panic!("no each")
    };
    assert_eq!(each.body.len(), 2);
}

/// Mistakes in expressions are reported with their codes (RS038–RS043), and what card rules may use of
/// Python is compiled (R1001, R1002, R1040, R1041, R1043, R1045).
#[test]
fn expressions() {
    check("action = damage(_x) to(opp)", &["16..18 RS038"]);
    check("action = damage(1 +) to(opp)", &["16..19 RS038"]);
    check("action = [[if me.bp > 3]] draw()", &["17..19 RS039"]);
    check("action = [[if me.hnad.size > 3]] draw()", &["17..21 RS039"]);
    check("action = [[if this in me.ring]] draw()", &["14..29 RS040"]);
    check("vars = opp := 1\naction = draw(opp)", &["7..10 RS041"]);
    check("vars = _opp := 1\naction = draw(_opp)", &[]);
    check("vars = _f := open('x')\naction = draw(_f)", &["13..17 RS042"]);
    check(
        "vars = _f := __import__('os')\naction = draw(_f)",
        &["13..23 RS042"],
    );
    let deep = format!("action = draw({}1{})", "(".repeat(100), ")".repeat(100));
    let (_, found) = checked(&deep);
    assert!(
        found.iter().all(|line| line.ends_with("RS043")) && found.len() == 1,
        "{found:?}"
    );
    check(
        "action = draw(sorted([card.bp for card in me.ring])[0].bit_length())",
        &[],
    );
    check("action = draw(print 1)", &["14..20 RS038"]);
}

/// Loops nested too deep and variables that nothing uses are reported (RS069, RS077).
#[test]
fn limits_and_unused_variables() {
    let nested = format!(
        "action = {}draw(){}",
        "each(card in me.ring => ".repeat(9),
        ")".repeat(9)
    );
    let (_, found) = checked(&nested);
    assert!(found.iter().any(|line| line.ends_with("RS069")), "{found:?}");
    let fine = format!(
        "action = {}draw(){}",
        "each(card in me.ring => ".repeat(8),
        ")".repeat(8)
    );
    check(&fine, &[]);
    check("vars = _a := 1; _b := 2\naction = draw(_a)", &["16..18 RS077"]);
    check("vars = _a := 1; _b := _a\naction = draw(_b)", &[]);
}

/// RS075, RS051, RS079, D60, D67: the first file counts, cards with text want a rule and those with a
/// rule a text.
#[test]
fn several_files() {
    let cards = KnownCards::new(vec![
        cards().all()[0].clone(),
        KnownCard {
            id: "7c9e6679-7425-40de-944b-e07fc1f90ae7".to_string(),
            name: "Storm".to_string(),
            text: "Deal 300 damage.".to_string(),
            ..KnownCard::default()
        },
    ]);
    let settings = cw_check::SeveritySettings::default();
    let arena = Arena::new();
    let text = "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush\n";
    let read = |file| cw_check::check_file(file, text, parse_rules(&arena, file, text), &cards, &settings);
    let (first, second) = (read(FileId(0)), read(FileId(1)));
    let files = [(FileId(0), &first), (FileId(1), &second)];
    let found = check_package(&files, &cards, &|_| Some((FileId(2), Span::new(3, 9))), &settings);
    let lines: Vec<String> = found
        .iter()
        .map(|one| format!("{:?} {:?} {}", one.file, one.span, one.code))
        .collect();
    assert_eq!(
        lines,
        [
            "FileId(0) 0..38 RS079",
            "FileId(1) 0..38 RS075",
            "FileId(2) 3..9 RS051"
        ]
    );
    let mut rook = cards.all()[0].clone();
    rook.text = "Rush.".to_string();
    let cards = KnownCards::new(vec![rook]);
    assert_eq!(check_package(&files[..1], &cards, &|_| None, &settings), []);
}
