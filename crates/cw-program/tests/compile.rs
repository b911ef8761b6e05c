//! What the compiler makes of rules: programs, and findings about names.

use cw_program::{
    Amount, AutoKind, CardNameId, CardTest, CardType, Command, CompiledRule, CostAmount, CountRange,
    EachGroup, Freezing, ModelId, NoNames, NumberArgument, PackageNames, PileName, PilePosition, PileRef,
    RestrictionEnd, RuleEffectKind, RuleFlag, RuleValue, Scope, StatementKind, SubtypeId, Target, TargetKind,
    TargetQuantity, TargetType, Transform, Whose, ZonePlace, ZoneSide, compile,
};
use cw_syntax::{Arena, parse};
use cw_text::{FileId, Span};

struct Cards;

const SUBTYPES: [&str; 3] = ["warrior", "boss", "trigger"];

impl PackageNames for Cards {
    fn subtype(&self, name: &str) -> Option<SubtypeId> {
        (0u16..)
            .zip(SUBTYPES)
            .find(|(_, known)| *known == name)
            .map(|(id, _)| SubtypeId(id))
    }
    fn card_name(&self, name: &str) -> Option<CardNameId> {
        (name == "rook").then_some(CardNameId(7))
    }
    fn model(&self, guid: &str) -> Option<ModelId> {
        (guid == "0f8fad5b-d9cb-469f-a165-70867728950e").then_some(ModelId(3))
    }
    fn subtypes(&self) -> Vec<String> {
        SUBTYPES.iter().map(ToString::to_string).collect()
    }
    fn card_names(&self) -> Vec<String> {
        vec!["rook".to_string()]
    }
}

fn compiled(text: &str, names: &dyn PackageNames) -> (CompiledRule, Vec<String>) {
    let arena = Arena::new();
    let parse = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let compiled = compile(FileId(0), text, &parse.rule, names);
    let mut found = parse.diagnostics;
    found.extend(compiled.diagnostics);
    let line = |one: &cw_text::Diagnostic| format!("{:?} {} {}", one.span, one.code, one.message);
    (compiled.rule, found.iter().map(line).collect())
}

/// The findings about a rule, one per `|`; a finding may be cut short.
#[track_caller]
fn check(text: &str, expected: &str) {
    let (_, found) = compiled(text, &Cards);
    let expected: Vec<&str> = expected.split(" | ").filter(|line| !line.is_empty()).collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| found.starts_with(expected));
    assert!(same, "{text}\n found    {found:#?}\n expected {expected:#?}");
}

#[track_caller]
fn good(text: &str) -> CompiledRule {
    let (rule, found) = compiled(text, &Cards);
    assert_eq!(found, Vec::<String>::new(), "{text}");
    rule
}

#[track_caller]
fn command(call: &str) -> Command {
    let rule = good(&format!("action = {call}"));
    let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
        panic!("a condition in {call}")
    };
    let RuleEffectKind::Command(command) = &branch.effects[0].kind else {
        panic!("no command in {call}")
    };
    command.clone()
}

#[track_caller]
fn target(text: &str) -> Target {
    good(&format!("target = {text}\nabilities = rush"))
        .target
        .expect("there is a target")
        .targets
        .remove(0)
}

fn card(test: CardTest) -> TargetType {
    TargetType::Card(test)
}

/// Unknown commands are reported with the nearest name; known ones may be in any case (R609, RS003).
#[test]
fn unknown_commands() {
    check(
        "action = drow(2)",
        "9..13 RS003 unknown command `drow`; did you mean `draw`?",
    );
    check("action = DRAW(2)", "");
    check("action = each(card in moved => drow())", "31..35 RS003");
}

/// A command with too few or too many arguments is reported (R610, RS005).
#[test]
fn argument_counts() {
    check(
        "action = modCost(action)",
        "16..24 RS005 `modCost` takes 2 arguments, not 1",
    );
    check("action = destroy(1)", "17..18 RS005");
    check("action = moveTo(deck, 1, true, 4, 5)", "31..35 RS005");
    check("action = moveTo(deck, 1, true)", "");
}

/// An argument of the wrong kind is reported, and so is a number that is no
/// integer (RS007, RS024, R117).
#[test]
fn argument_kinds() {
    check("action = skip(lunch) to(opp)", "14..19 RS007");
    check("action = skip(counter-attack) to(opp)", "");
    check("action = damage(1.5) to(opp)", "16..19 RS024");
    check("action = damage('5') to(opp)", "16..19 RS007");
    check("action = damage(=5) to(opp)", "16..18 RS007");
    check("action = damage(99999999999) to(opp)", "16..27 RS024");
    check("action = sp(x2)", "12..14 RS007");
    check("action = bp(x2)", "");
    check("action = alterCost(action, me.sp)", "27..32 RS007");
    check(
        "action = enableRule(piercng)",
        "20..27 RS007 `piercng` is not a rule of the game; did you mean `piercing`?",
    );
    check("action = enableRule(play_char_bp_limit)", "20..38 RS007");
    check("action = modRule(play_char_bp_limit, 800)", "");
    check("action = movePile(ring, deck)", "18..22 RS007");
    check("action = moveTo(arena)", "16..21 RS007");
    check("action = moveTo(deck, top)", "22..25 RS007");
    check("action = prophecy(2, deck)", "21..25 RS007");
    check("action = pileView(deck, open)", "24..28 RS007");
    check("action = freeze(maybe) to(opp)", "16..21 RS007");
    check("action = draw(opp)", "14..17 RS007");
    check("action = each(5)", "14..15 RS007");
}

/// Unknown zones and prefixes that do not fit are reported; the zone left out is the
/// arena (RS012, R219, R221, R617, D34).
#[test]
fn zones() {
    check(
        "target = *@oppHands\nabilities = rush",
        "11..19 RS012 unknown zone `oppHands`; did you mean `oppHand`?",
    );
    check(
        "target = *@my ring\nabilities = rush",
        "11..18 RS012 prefix and zone are one word",
    );
    check(
        "target = *@myArena\nabilities = rush",
        "11..18 RS012 `arena` takes no prefix",
    );
    check("target = *@sameHand\nabilities = rush", "11..19 RS012");
    check("action = moveTo(anyDeck)", "16..23 RS012");
    check("action = reveal(myHand)", "16..22 RS012");
    check(
        "action = shuffle(dek)",
        "17..20 RS012 unknown pile `dek`; did you mean `deck`?",
    );
    assert_eq!(target("*@sameRing").zone.side, ZoneSide::Same);
    assert_eq!(target("*").zone.place, ZonePlace::Arena);
    assert_eq!(target("*@oppInFront").zone.place, ZonePlace::InFront);
}

/// Unknown abilities are reported; known ones may be in any case (RS013, R113).
#[test]
fn abilities() {
    check(
        "abilities = unblokable",
        "12..22 RS013 unknown ability `unblokable`; did you mean `unblockable`?",
    );
    check("action = +rash", "10..14 RS013");
    check("action = -Rush", "");
}

/// Unknown events and suffixes are reported; known ones are read with their
/// scope (RS015, RS016, R247, R905, R909, D20).
#[test]
fn events() {
    check(
        "auto = ~myEndFase~ draw()",
        "8..17 RS015 unknown event `myEndFase`; did you mean `myEndPhase`?",
    );
    check(
        "auto = ~me.endPhase~ draw()",
        "8..19 RS015 an event's prefix has no dot",
    );
    check("auto = ~endphase:this~ draw()", "16..21 RS016");
    check("auto = ~attacks:this~ draw()", "");
    check(
        "auto = ~endphase:ones~ draw()",
        "17..21 RS016 unknown event suffix `ones`",
    );
    let rule = good(
        "auto = ~anyBackedUp:this, oppPowerless:any:once~ draw(); \
         ~beforePayCostAction:action~ modCost(action, 1)",
    );
    let AutoKind::Events(events) = &rule.autos[0].kind else {
        panic!("no events")
    };
    assert_eq!((events[0].scope, events[0].this), (Scope::Any, true));
    assert_eq!(
        (events[1].scope, events[1].any, events[1].once),
        (Scope::Opp, true, true)
    );
    let AutoKind::Events(events) = &rule.autos[1].kind else {
        panic!("no events")
    };
    assert!(
        events[0].test.is_some(),
        "D23: the second statement opens a group of its own"
    );
}

/// An auto without event runs on entering, is continuous, or listens to a hand (R902, R509, RS030, D24).
#[test]
fn autos_without_event() {
    assert!(matches!(
        good("auto = disableRule(piercing)").autos[0].kind,
        AutoKind::Entering
    ));
    assert!(matches!(
        good("auto = [[if alone]] +rush [[else]] -rush").autos[0].kind,
        AutoKind::Continuous
    ));
    assert!(matches!(
        good("auto = [[if alone]] draw()").autos[0].kind,
        AutoKind::Entering
    ));
    check("auto = [[if me.hand.size == 2]] draw()", "12..24 RS030");
    let (rule, _) = compiled("auto = [[if opp.hand.size == 2]] draw()", &Cards);
    let AutoKind::Events(events) = &rule.autos[0].kind else {
        panic!("no events")
    };
    assert_eq!(events[0].scope, Scope::Opp);
}

/// A restriction goes with its effects, and is reported where it times none of them (D26, RS025, R804).
#[test]
fn restrictions() {
    check("action = draw() ueot", "16..20 RS025");
    check("action = bp(+300) ueot", "");
    check("action = draw() & +rush oppUynt", "");
    check("action = each(card in moved => bp(100)) ueot", "");
    let rule = good("action = +rush oppUynt");
    let StatementKind::Plain(branch) = &rule.actions[0].statements[0].kind else {
        panic!("a condition")
    };
    let restriction = branch.restriction.expect("there is one");
    assert_eq!(
        (restriction.opponent, restriction.until),
        (true, RestrictionEnd::NextTurn)
    );
}

/// Types are read with their plurals, and lists of them by `,` and `&` (R208, R209, R210, R404, D28).
#[test]
fn types() {
    let warrior = CardTest {
        subtype: Some(SubtypeId(0)),
        ..CardTest::default()
    };
    let boss = CardTest {
        subtype: Some(SubtypeId(1)),
        ..CardTest::default()
    };
    let kind = |text: &str| match target(text).kind {
        TargetKind::Either(items) => items
            .iter()
            .map(|item| (item.what, item.plural))
            .collect::<Vec<_>>(),
        TargetKind::Each(_) | TargetKind::Computed(_) => Vec::new(),
    };
    assert_eq!(kind("warriors"), [(card(warrior), true)]);
    assert_eq!(kind("boss"), [(card(boss), false)], "R210: the exact name wins");
    assert_eq!(kind("me,*"), [(card(CardTest::default()), false)], "R209");
    assert_eq!(kind("all"), [(card(CardTest::default()), true)]);
    let both = CardTest {
        card_type: Some(CardType::Character),
        ..warrior
    };
    assert_eq!(kind("character&warrior"), [(card(both), false)]);
    assert!(matches!(target("warrior&boss").kind, TargetKind::Each(items) if items.len() == 2));
    assert!(matches!(target("character&action").kind, TargetKind::Each(items) if items.len() == 2));
    let negated = target("character&!warrior");
    assert!(negated.filters[0][0].negated);
    assert_eq!(target("\"Rook\"s").pick, None);
}

/// Subtypes, card names and ids that no card of the package has are
/// reported (RS048, RS049, RS050, R218, R1201).
#[test]
fn names_of_the_package() {
    check(
        "target = warior@ring\nabilities = rush",
        "9..15 RS048 no card has the subtype `warior`; did you mean `warrior`?",
    );
    check(
        "target = charater\nabilities = rush",
        "9..17 RS048 no card has the subtype `charater`; did you mean `character`?",
    );
    check("target = *[characters]\nabilities = rush", "11..21 RS048");
    // D44: a variable with a prefix is no type.
    check(
        "target = ^card@ring\nabilities = rush",
        "10..14 RS048 `card` is a variable, and `^` and `!` stand before types",
    );
    check(
        "target = \"Rok\"@deck\nabilities = rush",
        "10..13 RS049 no card has the name `Rok`; did you mean `rook`?",
    );
    check("action = transform('1234') to(me)", "19..25 RS050");
    check(
        "action = transform('0f8fad5b-d9cb-469f-a165-708677289500') to(me)",
        "19..57 RS050 no card has this id",
    );
    let quiet = compiled("target = ninja,\"Nobody\"[pilot]\nabilities = rush", &NoNames);
    assert_eq!(
        quiet.1,
        Vec::<String>::new(),
        "without a package unknown names are no finding"
    );
}

/// Quantities and picks are compiled to what they mean (R203, R204, R206, D36).
#[test]
fn quantities() {
    assert_eq!(target("*").quantity, TargetQuantity::Default);
    assert_eq!(
        target("<2>*").quantity,
        TargetQuantity::Between(CountRange { min: 2, max: 2 })
    );
    assert_eq!(
        target("<,3>*").quantity,
        TargetQuantity::Between(CountRange { min: 1, max: 3 })
    );
    assert_eq!(
        target("<**>*").quantity,
        TargetQuantity::Between(CountRange {
            min: 1,
            max: u16::MAX
        })
    );
    assert_eq!(target("<r2>*").quantity, TargetQuantity::Random(2));
    assert_eq!(target("*<-2>").pick, Some(-2));
    assert_eq!(target("*<0>").pick, None, "R206: pick 0 has no effect");
}

/// A variable or an expression is a computed target, unless a subtype has its name (R230, D44).
#[test]
fn expression_targets() {
    assert!(matches!(target("tgt.0").kind, TargetKind::Computed(_)));
    assert!(matches!(target("attacker").kind, TargetKind::Computed(_)));
    assert!(
        matches!(target("trigger").kind, TargetKind::Either(_)),
        "a subtype has that name"
    );
    let rule = good("vars = _a := me.ring.0\ntarget = _A\naction = draw()");
    assert!(matches!(
        rule.target.expect("a target").targets[0].kind,
        TargetKind::Computed(_)
    ));
}

/// A number in an argument may count the targets that a text asks for (R1015, R606).
#[test]
fn arguments_count_targets() {
    good("action = hp(100 * getTargets('characters@myRing').size)");
    good("action = draw(getTargets(\"warriors@oppRing\").size)");
    check("action = draw(characters@myRing)", "14..31 RS007");
}

/// Conditions of a filter that cannot be tested are reported; alternatives are kept
/// apart (R214–R217, R422, RS023, RS024).
#[test]
fn filters() {
    check("target = *[bp>=abc]\nabilities = rush", "15..18 RS024");
    check("target = *[hp>=3]\nabilities = rush", "11..13 RS023");
    check("target = *[bp:highest]\nabilities = rush", "11..21 RS023");
    check("target = *[bp]\nabilities = rush", "11..13 RS024");
    assert_eq!(target("*[bp<=300 & -frozen, bp:lowest]").filters.len(), 2);
}

/// Each cost is compiled, and the zone of its target is forced (R701–R706).
#[test]
fn costs() {
    let rule = good("action = {F}{S}{S(character@deck)}{D}{D(2)}{D(action)}: draw()");
    let costs = rule.actions[0].costs();
    assert_eq!(costs.len(), 6);
    let cw_program::RuleCost::Sacrifice(target) = &costs[2] else {
        panic!("no sacrifice")
    };
    assert_eq!(target.zone.place, ZonePlace::Ring, "R703: the zone is forced");
    let cw_program::RuleCost::Discard(target) = &costs[4] else {
        panic!("no discard")
    };
    assert_eq!(
        target.quantity,
        TargetQuantity::Between(CountRange { min: 2, max: 2 })
    );
}

/// Commands are compiled with their arguments, and with what stands for those left
/// out (R606, R617, R621, D33, GQ44).
#[test]
fn commands() {
    assert!(matches!(
        command("draw()"),
        Command::Draw(NumberArgument::Literal(1))
    ));
    assert!(matches!(
        command("draw(0)"),
        Command::Draw(NumberArgument::Literal(0))
    ));
    assert!(matches!(
        command("damage(tgt.bp)"),
        Command::Damage(NumberArgument::Computed(_))
    ));
    assert!(matches!(
        command("bp(=500)"),
        Command::Bp(Amount::Set(NumberArgument::Literal(500)))
    ));
    assert!(matches!(
        command("bp(x3)"),
        Command::Bp(Amount::Times(NumberArgument::Literal(3)))
    ));
    assert!(matches!(
        command("bp(x(me.sp))"),
        Command::Bp(Amount::Times(NumberArgument::Computed(_)))
    ));
    assert!(matches!(
        command("sp(=me.sp)"),
        Command::Sp(Amount::Set(NumberArgument::Computed(_)))
    ));
    assert!(matches!(
        command("hp(+this.bp)"),
        Command::Hp(NumberArgument::Computed(_))
    ));
    assert!(matches!(
        command("alterCost(ua3, =-5)"),
        Command::AlterCost(_, CostAmount::Set(-5))
    ));
    assert!(matches!(
        command("modRule(piercing, false)"),
        Command::ModRule(RuleFlag::Piercing, RuleValue::Bool(false))
    ));
    let deck = PileRef {
        whose: Whose::Controller,
        name: PileName::Deck,
    };
    assert!(matches!(
        command("moveTo(ctrlDeck, -2, true)"),
        Command::MoveTo(pile, PilePosition::FromBottom(1), Some(true)) if pile == deck
    ));
    assert!(matches!(
        command("moveTo(hand, false)"),
        Command::MoveTo(_, PilePosition::FromTop(0), Some(false))
    ));
    assert!(matches!(
        command("moveTo(deck, ?)"),
        Command::MoveTo(_, PilePosition::Ask, None)
    ));
    assert!(matches!(
        command("shuffle()"),
        Command::Shuffle((None, PileName::Deck))
    ));
    assert!(matches!(
        command("shuffle(myDeck)"),
        Command::Shuffle((Some(Whose::Mine), PileName::Deck))
    ));
    assert!(matches!(
        command("prophecy(3, bottom)"),
        Command::Prophecy(NumberArgument::Literal(3), Some(PilePosition::FromBottom(0)))
    ));
    assert!(matches!(
        command("rndDiscard(2)"),
        Command::RndDiscard(target) if target.quantity == TargetQuantity::Random(2)
    ));
    assert!(matches!(
        command("discard(<1,2>character@deck)"),
        Command::Discard(target) if target.zone.place == ZonePlace::Pile(PileName::Hand)
    ));
    assert!(matches!(
        command("freeze(toggle) to(character)"),
        Command::Freeze(Freezing::Toggles)
    ));
    assert!(matches!(
        command("freeze(false) to(character)"),
        Command::Freeze(Freezing::Freezes)
    ));
    assert!(matches!(
        command("transform('0f8fad5b-d9cb-469f-a165-70867728950e') to(this)"),
        Command::Transform(Transform::Model(Some(ModelId(3))))
    ));
    let Command::Each(each) = command("each(card.bp in me.ring => draw() & hp(1))") else {
        panic!("no each")
    };
    assert!(matches!(each.over, EachGroup::Mapped { .. }));
    assert_eq!(each.body.len(), 2);
    let Command::Each(each) = command("each(characters[fresh] => draw())") else {
        panic!("no each")
    };
    assert!(matches!(each.over, EachGroup::Found(_)));
}

/// An action is named by its label, else by its first command, else by its number (R105, R111, R307).
#[test]
fn labels() {
    let rule = good("label = \"Draw Two\"\naction = draw(2)\naction = damage(1) to(opp)\naction = +rush");
    let labels: Vec<(&str, bool)> = rule
        .actions
        .iter()
        .map(|action| (&*action.label, action.labelled))
        .collect();
    assert_eq!(
        labels,
        [("Draw Two", true), ("Deal damage", false), ("Action 3", false)]
    );
}

/// R109: the first of a single key wins.
#[test]
fn first_of_a_key_wins() {
    let (rule, _) = compiled("target = me\ntarget? = opp\naction = draw()", &Cards);
    assert!(!rule.target.expect("a target").optional);
}

/// What a rule's own variable holds is nil where its type is wrong, and the other effects are done: it is
/// told, and no error (R1004, R606). The same text without the variable is one.
#[test]
fn variables_of_a_wrong_type_are_told() {
    for (rule, code) in [
        ("vars = _b := 'text'\naction = hp(_b); draw(1)", "RS088"),
        ("vars = _b := 7\naction = copyAbility(_b); draw(1)", "RS088"),
        ("action = hp('text'); draw(1)", "RS007"),
    ] {
        let (made, found) = compiled(rule, &Cards);
        assert!(found.iter().any(|one| one.contains(code)), "{rule}: {found:?}");
        let kept = usize::from(code == "RS088") + 1;
        let statements: usize = made.actions[0]
            .statements
            .iter()
            .map(|one| match &one.kind {
                StatementKind::Plain(branch) => branch.effects.len(),
                StatementKind::May { .. } | StatementKind::If { .. } => 0,
            })
            .sum();
        assert_eq!(statements, kept, "{rule}");
    }
}

/// A question and the branches of a condition are compiled with their texts (R501, R504, R237).
#[test]
fn conditions() {
    let rule =
        good("action = [[may 'Really?']] draw(); [[if alone]] hp(1) [[elif me.sp]] hp(2) [[else]] hp(3)");
    let StatementKind::May { question, .. } = &rule.actions[0].statements[0].kind else {
        panic!("no may")
    };
    assert_eq!(question.as_deref(), Some("Really?"));
    let StatementKind::If { arms, otherwise } = &rule.actions[0].statements[1].kind else {
        panic!("no if")
    };
    assert_eq!((arms.len(), otherwise.is_some()), (2, true));
    assert_eq!(&*rule.formulas[1].text, "me.sp");
}
