//! RuleScript's expressions over a small made-up game.

use cw_formula::{
    Arena, CardKind, EngineName, Error, ExprLimits, Formula, FormulaFindingKind, FormulaPlace, FormulaScope,
    GameFacts, GetTargetsFilter, HostObject, Item, KeptValue, Value, ValueAttribute, VarId, compile,
    compile_group, keep, whole_number,
};

/// Objects: players 1 and 2, lists 10 to 19, cards from 100.
struct Table {
    coin: Option<bool>,
    asked: Vec<String>,
    element: Option<HostObject>,
}

const ME: u64 = 1;
const OPP: u64 = 2;
const MY_RING: u64 = 10;
const OPP_RING: u64 = 11;
const MY_HAND: u64 = 12;
const TARGETS: u64 = 13;
const EMPTY: u64 = 14;

/// Cards: BP, printed SP, kind.
const CARDS: [(f64, i64, CardKind); 6] = [
    (300.0, -2, CardKind::Character),
    (500.0, 1, CardKind::Character),
    (200.0, -1, CardKind::Character),
    (f64::NAN, -3, CardKind::Action),
    (f64::NAN, 0, CardKind::Reaction),
    (700.0, 2, CardKind::Character),
];

fn list(object: u64) -> Option<&'static [u64]> {
    Some(match object {
        MY_RING => &[100, 101],
        OPP_RING => &[102],
        MY_HAND => &[103, 104, 105],
        TARGETS => &[102, 100],
        EMPTY => &[],
        _ => return None,
    })
}

fn host(object: u64) -> Value {
    Value::Host(HostObject(object))
}

impl GameFacts for Table {
    fn name(&mut self, name: EngineName) -> Result<Value, Error> {
        Ok(match name {
            EngineName::This => host(100),
            EngineName::Me => host(ME),
            EngineName::Opp => host(OPP),
            EngineName::Targets => host(TARGETS),
            EngineName::FirstTarget => host(102),
            EngineName::Trigger => host(103),
            EngineName::Card => self.element.map_or(Value::None, Value::Host),
            EngineName::Alone => Value::Bool(false),
            EngineName::SoloAttack => Value::Bool(true),
            EngineName::UaBp => Value::Int(800),
            EngineName::Var(VarId(0)) => host(105),
            EngineName::Var(VarId(2)) => host(OPP_RING),
            EngineName::PrevTargets | EngineName::Moved | EngineName::Discarded => host(EMPTY),
            EngineName::Trashed
            | EngineName::Destroyed
            | EngineName::Sacrificed
            | EngineName::Attacker
            | EngineName::Blocker
            | EngineName::Var(_) => {
                return Err(Error::raise(cw_expr::ExceptionKind::NameError, "not defined now"));
            }
        })
    }

    fn attribute(&mut self, object: HostObject, attribute: ValueAttribute) -> Result<Option<Value>, Error> {
        let card = object.0.checked_sub(100).and_then(|at| CARDS.get(at as usize));
        Ok(Some(match (object.0, attribute, card) {
            (ME, ValueAttribute::Hand, _) => host(MY_HAND),
            (ME, ValueAttribute::Ring, _) => host(MY_RING),
            (OPP, ValueAttribute::Ring, _) => host(OPP_RING),
            (ME, ValueAttribute::Sp, _) => Value::Int(4),
            (OPP, ValueAttribute::Sp, _) => Value::Int(6),
            (OPP, ValueAttribute::LostSp, _) => Value::Int(2),
            (_, ValueAttribute::Bp, Some((bp, ..))) if bp.is_nan() => Value::Float(*bp),
            (_, ValueAttribute::Bp, Some((bp, ..))) => Value::Int(*bp as i64),
            (_, ValueAttribute::Sp, Some((_, sp, _))) => Value::Int(*sp),
            (_, ValueAttribute::Ability, Some(_)) => Value::str("instant"),
            (_, ValueAttribute::Controller, Some(_)) => host(ME),
            (_, ValueAttribute::Type, Some((.., CardKind::Character))) => Value::str("character"),
            _ => return Ok(None),
        }))
    }

    fn is_kind(&mut self, card: HostObject, kind: CardKind) -> Option<bool> {
        let card = card.0.checked_sub(100).and_then(|at| CARDS.get(at as usize))?;
        Some(card.2 == kind)
    }

    fn in_united_attack(&mut self, card: HostObject) -> bool {
        card.0 == 101
    }

    fn flip_coin(&mut self) -> Result<bool, Error> {
        self.asked.push("coin".to_owned());
        self.coin.ok_or_else(Error::suspend)
    }

    fn targets(&mut self, filter: GetTargetsFilter<'_>) -> Result<Value, Error> {
        self.asked.push(format!("{filter:?}"));
        Ok(host(OPP_RING))
    }

    fn len(&mut self, object: HostObject) -> Option<usize> {
        list(object.0).map(<[u64]>::len)
    }

    fn item(&mut self, object: HostObject, index: usize) -> Result<Value, Error> {
        Ok(host(list(object.0).expect("a list")[index]))
    }

    fn type_name(&self, object: HostObject) -> &'static str {
        match object.0 {
            ME | OPP => "player",
            10..=19 => "list",
            _ => "card",
        }
    }
}

fn table() -> Table {
    Table {
        coin: None,
        asked: Vec::new(),
        element: None,
    }
}

fn formula(text: &str, place: FormulaPlace) -> Formula {
    let vars = ["_c", "_undefined", "_low"].map(str::to_owned);
    compile(
        text,
        &FormulaScope {
            vars: &vars,
            ..FormulaScope::new(place)
        },
        &Arena::new(),
    )
    .expect("compiles")
}

fn shown(text: &str, place: FormulaPlace) -> String {
    match formula(text, place).repr(&mut table(), &ExprLimits::CARD) {
        Ok(shown) => shown,
        Err(error) => error.to_string(),
    }
}

/// The value in a condition.
#[track_caller]
fn check(text: &str, wanted: &str) {
    assert_eq!(shown(text, FormulaPlace::Condition), wanted, "{text}");
}

/// The value in an argument of a command.
#[track_caller]
fn check_argument(text: &str, wanted: &str) {
    assert_eq!(shown(text, FormulaPlace::Argument), wanted, "{text}");
}

/// The faults that a checker hears of.
#[track_caller]
fn check_findings(text: &str, wanted: &[(&str, FormulaFindingKind)]) {
    let findings = match compile(text, &FormulaScope::new(FormulaPlace::Condition), &Arena::new()) {
        Ok(formula) => formula.findings,
        Err(finding) => vec![finding],
    };
    let found: Vec<(&str, FormulaFindingKind)> = findings
        .iter()
        .map(|finding| (&text[finding.span.range()], finding.fault.clone()))
        .collect();
    assert_eq!(found, wanted, "{text}");
}

/// R1010, R1035: the constructs of real cards.
#[test]
fn expressions_of_real_cards_work() {
    check("me.hand.size >= 7", "False");
    check("this.bp >= 300", "True");
    check("tgt.0.bp + 100", "300");
    check("not alone and opp.sp > 3", "True");
    check("all card.bp <= 300 in me.ring", "False");
    check("me.ring.0.bp", "300");
    check("abs(this.sp)", "2");
    check("+this.bp", "300");
    check("this.controller == me", "True");
    check("this.ability == instant", "True");
    check("isChar(trigger) or inUAttack(me.ring.1)", "True");
}

/// R1001: the expression part of Python, over values of the game, and no statement.
#[test]
fn expressions_are_pythons_over_values_of_the_game() {
    check(
        "[me.ring.1.bp // 3, -this.sp ** 2, me.sp % 3 or 7]",
        "[166, -4, 1]",
    );
    check("(lambda card: card.bp)(tgt.0)", "200");
    check("max(me.ring, key=lambda c: c.bp) == me.ring.1", "True");
    for statement in [
        "x = 1",
        "print me",
        "me.sp += 1",
        "del me",
        "return 1",
        "if me: 1",
    ] {
        assert!(
            matches!(
                compile(statement, &FormulaScope::new(FormulaPlace::Condition), &Arena::new()),
                Err(finding) if matches!(finding.fault, FormulaFindingKind::Syntax(_))
            ),
            "{statement}"
        );
    }
}

/// R1002: a tree is read, no text is rewritten: words inside texts and longer names stay what they are.
#[test]
fn texts_are_not_rewritten() {
    check("'all card in me.ring'", "'all card in me.ring'");
    check("len('tgt.0'), 'x in y'.count('in')", "(5, 1)");
    check("'this.bp' + ' all ' + `'me'`", "\"this.bp all 'me'\"");
    check("[meme for meme in [1]], [tgt2 for tgt2 in [2]]", "([1], [2])");
}

/// R1016: `num` is not a word of the language.
#[test]
fn num_is_unknown() {
    check("num(3)", "NameError: name 'num' is not defined");
    let findings = compile(
        "num(3)",
        &FormulaScope::new(FormulaPlace::Condition),
        &Arena::new(),
    )
    .unwrap()
    .findings;
    assert!(matches!(
        &*findings,
        [only] if matches!(
            &only.fault,
            FormulaFindingKind::UnknownName { name, .. } if name == "num"
        )
    ));
}

/// R1025: the example, one variable after the other.
#[test]
fn a_list_of_targets_is_kept_and_counted() {
    let mut facts = table();
    let low = formula(
        "getTargets('characters[bp<=200]@oppRing')",
        FormulaPlace::Condition,
    );
    let value = low.eval(&mut facts, &ExprLimits::CARD).unwrap();
    let Some(KeptValue::List(items)) = keep(&value, &mut facts) else {
        panic!("no list")
    };
    assert_eq!(items.len(), 1);
    assert_eq!(low.filters[0].text, "characters[bp<=200]@oppRing");
    check("_low.size * 2", "2");
}

/// D41, R104, R1003: names and literals know no case.
#[test]
fn case_does_not_matter() {
    check("ME.Hand.SIZE", "3");
    check("True AND Not None", "True");
    check("this.Type == 'CHARACTER'", "True");
    check("'ABC'", "'abc'");
    check("nil, true, false, none", "(None, True, False, None)");
}

/// Cards and players are true; nil, zero and what is empty are false (R1005).
#[test]
fn cards_and_players_are_true_and_empty_lists_false() {
    check(
        "[bool(x) for x in [nil, false, 0, '', [], discarded, this, me, tgt]]",
        "[False, False, False, False, False, False, True, True, True]",
    );
}

/// R1020, R1023: `in` is membership outside group forms, and comprehensions work.
#[test]
fn in_is_membership() {
    check("this in me.ring", "True");
    check("this not in me.hand", "True");
    check("'a' in 'abc'", "True");
    check("[c.bp for c in me.ring if c.bp > 300]", "[500]");
    check("sum(c.bp for c in me.ring)", "800");
    check("sum(card.bp for card in me.ring)", "800");
}

/// `all` and `any` take the rest of the expression as their list (R1021, R1024).
#[test]
fn all_and_any_take_the_rest() {
    check("all card.bp <= 500 in me.ring", "True");
    check("not all card.bp <= 300 in me.ring", "True");
    check("any card.bp > 400 in me.ring", "True");
    check("all card.bp > 0 in discarded", "True");
    check("any card in discarded", "False");
    check("(all card.bp <= 300 in me.ring) or alone or opp.sp == 6", "True");
    check("all (card.bp <= 300) in me.ring", "False");
    check("all([1, 2]) and any([0])", "False");
    check("all (any card == this in me.ring) in me.ring", "True");
    check(
        "any (any card == this in me.ring) and card == me.ring.1 in me.ring",
        "True",
    );
}

/// D30, R1022: the words for card types are the element or nil, and nil elements do not count.
#[test]
fn words_for_card_types_are_the_element_or_nil() {
    check("all char.bp > 600 in me.hand", "True");
    check("any action in me.hand", "True");
    check("any char.bp < 600 in me.hand", "False");
    check("action == trigger, reaction, char", "(True, None, None)");
}

/// R622, D30: the left part of `each`.
#[test]
fn each_computes_x_for_every_element() {
    let group = compile_group(
        "char in me.hand",
        &FormulaScope::new(FormulaPlace::Condition),
        &Arena::new(),
    )
    .unwrap();
    let Value::Host(hand) = group.list.eval(&mut table(), &ExprLimits::CARD).unwrap() else {
        panic!("no list")
    };
    let truths: Vec<bool> = list(hand.0)
        .unwrap()
        .iter()
        .map(|card| {
            let mut facts = Table {
                element: Some(HostObject(*card)),
                ..table()
            };
            group.value.truth(&mut facts, &ExprLimits::CARD).unwrap()
        })
        .collect();
    assert_eq!(truths, [false, false, true]);
    assert!(
        compile_group(
            "me.hand",
            &FormulaScope::new(FormulaPlace::Condition),
            &Arena::new()
        )
        .is_err()
    );
    let group = compile_group(
        "card.bp >= 500 in opp.ring",
        &FormulaScope::new(FormulaPlace::Argument),
        &Arena::new(),
    )
    .unwrap();
    assert_eq!(group.value.findings, []);
}

/// R1104, D31: one value usable both ways in arguments.
#[test]
fn targets_in_arguments_are_first_and_list() {
    check("tgt.size, tgt.0 == tgt.1", "(2, False)");
    check_argument("tgt.bp, tgt.0.bp, tgt.1.bp, tgt.size", "(200, 200, 300, 2)");
    check_argument("tgt == opp.ring.0", "True");
    check_argument(
        "this in tgt, [c.bp for c in tgt], len(tgt), isChar(tgt)",
        "(True, [200, 300], 2, True)",
    );
    check_argument("all card.bp <= 300 in tgt", "True");
}

/// R10.2: not-a-number compares false, except that it differs.
#[test]
fn bp_of_a_non_character_is_not_a_number() {
    check(
        "trigger.bp > 0, trigger.bp <= 0, trigger.bp == 0, trigger.bp != 0",
        "(False, False, False, True)",
    );
    check("trigger.bp + 100 > 0", "False");
    assert_eq!(whole_number(&Value::Float(f64::NAN)), None);
}

/// R1032: mixed values have an order, things of the game have identity only.
#[test]
fn things_of_the_game_have_no_order() {
    check("nil < -1 < true < 'a' < (1,), 2 > true == 1", "(True, True)");
    check(
        "this == me.ring.0, this != me.ring.0, this == me.ring.1",
        "(True, False, False)",
    );
    check("me == opp, me != opp, me == me", "(False, True, True)");
    for text in [
        "this < me.ring.1",
        "me >= opp",
        "sorted(me.ring)",
        "cmp(this, me)",
    ] {
        let shown = shown(text, FormulaPlace::Condition);
        assert!(
            shown.starts_with("TypeError: no ordering relation"),
            "{text}: {shown}"
        );
    }
}

/// R1033: a leading plus is legal before numbers, and an error before lists.
#[test]
fn a_leading_plus_is_legal() {
    check_argument("+this.bp", "300");
    check("+ +3, +-3, +2.5, +true", "(3, -3, 2.5, 1)");
    check("+me.ring", "TypeError: bad operand type for unary +: 'list'");
    check("+[1]", "TypeError: bad operand type for unary +: 'list'");
}

/// R1034: away from zero, toward zero, and a command's number toward zero.
#[test]
fn rounding_goes_as_in_python_2() {
    check(
        "round(2.5), round(-2.5), round(0.5), round(2)",
        "(3.0, -3.0, 1.0, 2.0)",
    );
    check("int(2.9), int(-2.9), int('7')", "(2, -2, 7)");
    for (text, wanted) in [("2.9", 2), ("-2.9", -2), ("7 / 2.0", 3), ("round(2.5)", 3)] {
        let value = formula(text, FormulaPlace::Argument)
            .eval(&mut table(), &ExprLimits::CARD)
            .unwrap();
        assert_eq!(whole_number(&value), Some(wanted), "{text}");
    }
}

/// Wrong uses of lists, cards and numbers are errors of Python (R1011, R1004).
#[test]
fn wrong_uses_are_errors() {
    check(
        "me.ring.bp",
        "AttributeError: 'list' object has no attribute 'bp'",
    );
    check(
        "this < me.ring.1",
        "TypeError: no ordering relation is defined for 'card' objects",
    );
    check("this == me, this != me", "(False, True)");
    check("+tgt", "TypeError: bad operand type for unary +: 'list'");
    check("me.ring.7", "IndexError: list index out of range");
    check("1 / 0", "ZeroDivisionError: integer division or modulo by zero");
    check("destroyed.size", "NameError: not defined now");
}

/// R1015, RS038: a literal filter is compiled beforehand, another arrives as text.
#[test]
fn get_targets_knows_its_literals() {
    let text = "getTargets('Characters[bp<=200]@oppRing').size + getTargets('a' + 'b').size";
    let formula = compile(
        text,
        &FormulaScope {
            first_filter: 5,
            ..FormulaScope::new(FormulaPlace::Condition)
        },
        &Arena::new(),
    )
    .unwrap();
    assert_eq!(formula.filters[0].text, "Characters[bp<=200]@oppRing");
    assert_eq!(
        &text[formula.filters[0].span.range()],
        "Characters[bp<=200]@oppRing"
    );
    let mut facts = table();
    assert_eq!(formula.repr(&mut facts, &ExprLimits::CARD).unwrap(), "2");
    assert_eq!(facts.asked, ["Literal(5)", "Text(\"ab\")"]);
    assert!(formula.asks);
}

/// D42, R1047: a question ends the evaluation at once, and the next one starts from the beginning.
#[test]
fn asking_suspends() {
    let formula = formula(
        "opp.sp > 100 or flipCoin() and flipCoin()",
        FormulaPlace::Condition,
    );
    let mut facts = table();
    assert!(
        formula
            .eval(&mut facts, &ExprLimits::CARD)
            .unwrap_err()
            .is_suspend()
    );
    assert_eq!(facts.asked, ["coin"]);
    facts.coin = Some(true);
    assert!(formula.truth(&mut facts, &ExprLimits::CARD).unwrap());
    assert_eq!(facts.asked, ["coin", "coin", "coin"]);
}

/// Words that are derived from others have their values (D32, D35).
#[test]
fn derived_words() {
    check("oppLostSP", "True");
    check("soloAttack, alone, uaBP", "(True, False, 800)");
}

/// D44: keywords are their own text, unless a variable has the name.
#[test]
fn keywords_are_texts() {
    check("this.type == character", "True");
    check(
        "instant, triggered, auto, toggle",
        "('instant', 'triggered', 'auto', 'toggle')",
    );
    let vars = ["character".to_owned()];
    let formula = compile(
        "character.bp",
        &FormulaScope {
            vars: &vars,
            ..FormulaScope::new(FormulaPlace::Condition)
        },
        &Arena::new(),
    )
    .unwrap();
    assert_eq!(formula.repr(&mut table(), &ExprLimits::CARD).unwrap(), "700");
}

/// Variables win over words of the language (R1044, R1105, R1106).
#[test]
fn variables_win_over_words() {
    check("_c.bp", "700");
    check("_undefined", "NameError: not defined now");
    check("[me for me in [1, 2]]", "[1, 2]");
}

/// D43, D103, RS043: floats to the bit; what is left over is an error where it is made.
#[test]
fn variables_keep_little() {
    let mut facts = table();
    let mut kept = |text: &str| {
        let value = formula(text, FormulaPlace::Condition)
            .eval(&mut table(), &ExprLimits::CARD)
            .unwrap();
        keep(&value, &mut facts)
    };
    assert_eq!(
        kept("'a' * 255"),
        Some(KeptValue::Item(Item::Text("a".repeat(255))))
    );
    assert_eq!(kept("'a' * 256"), None);
    assert_eq!(kept("[1] * 129"), None);
    assert_eq!(kept("0.1 + 0.2"), Some(KeptValue::Item(Item::Float(0.1 + 0.2))));
    let mixed = vec![
        Item::Float(-0.5),
        Item::Text("rope".into()),
        Item::Bool(true),
        Item::Nil,
    ];
    assert_eq!(kept("[-0.5, 'rope', 1 == 1, nil]"), Some(KeptValue::List(mixed)));
    assert_eq!(kept("[[1]]"), None);
    assert_eq!(kept("{1: 2}"), None);
    assert_eq!(kept("2 ** 64"), None);
    let Some(KeptValue::List(items)) = kept("me.ring") else {
        panic!("no list")
    };
    assert_eq!(Value::from(&items[1]).type_of(), host(0).type_of());
    assert_eq!(whole_number(&Value::Float(-2.7)), Some(-2));
}

/// R1042, R1043, RS042: the sandbox.
#[test]
fn getattr_knows_documented_attributes_only() {
    check("getattr(this, 'bp')", "300");
    check("getattr(this, 'nothing', 5)", "5");
    check(
        "getattr(this, '__class__')",
        "NotAvailable: not available in card rules: __class__",
    );
    check("hasattr(me.hand, 'size')", "True");
    check_findings(
        "open('x')",
        &[("open", FormulaFindingKind::Refused("open".into()))],
    );
    check_findings(
        "table.x",
        &[("table", FormulaFindingKind::Refused("table".into()))],
    );
    check_findings(
        "this.__class__",
        &[("__class__", FormulaFindingKind::Refused("__class__".into()))],
    );
}

/// Findings of expressions stand at their places (RS038, RS039, RS040, RS043).
#[test]
fn findings_have_places() {
    check_findings(
        "dicarded.size > 1",
        &[(
            "dicarded",
            FormulaFindingKind::UnknownName {
                name: "dicarded".into(),
                nearest: Some("discarded"),
            },
        )],
    );
    check_findings(
        "card.bp > 1",
        &[(
            "card",
            FormulaFindingKind::UnknownName {
                name: "card".into(),
                nearest: None,
            },
        )],
    );
    check_findings(
        "me.bp > 3",
        &[(
            "bp",
            FormulaFindingKind::WrongAttribute {
                name: "bp".into(),
                of: cw_formula::WordKind::Player,
            },
        )],
    );
    check_findings(
        "me.ring.bp",
        &[(
            "bp",
            FormulaFindingKind::WrongAttribute {
                name: "bp".into(),
                of: cw_formula::WordKind::Cards,
            },
        )],
    );
    check_findings(
        "this.sise",
        &[(
            "sise",
            FormulaFindingKind::UnknownAttribute {
                name: "sise".into(),
                nearest: Some("size"),
            },
        )],
    );
    check_findings(
        "this in me.ring",
        &[("this in me.ring", FormulaFindingKind::Membership)],
    );
    check_findings(
        "1 +",
        &[(
            "",
            FormulaFindingKind::Syntax("unexpected EOF while parsing".into()),
        )],
    );
    check_findings(
        &"[".repeat(65),
        &[("[", FormulaFindingKind::Limit("too many nested brackets".into()))],
    );
    // What stands behind the list is looked through too; brackets end it.
    check_findings(
        "all card.bp > 3 in me.ring and tgt.0.bp == 3",
        &[("me.ring and tgt.0.bp == 3", FormulaFindingKind::Swallowed)],
    );
    check_findings(
        "(all card.bp > 3 in me.ring) and tgt.0.bp == 3 and 'x'.upper() == [1].count(1)",
        &[],
    );
}
