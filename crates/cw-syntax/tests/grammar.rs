//! What the parser makes of texts: trees and findings.

use cw_syntax::{Arena, dump, parse, parse_python, parse_rules};
use cw_text::{Diagnostic, FileId, Span};

fn lines(found: &[Diagnostic]) -> Vec<String> {
    let line = |one: &Diagnostic| format!("{:?} {} {}", one.span, one.code, one.message);
    found.iter().map(line).collect()
}

/// The findings about a rule, one per `|`; a finding may be cut short behind its code.
#[track_caller]
fn check(text: &str, expected: &str) {
    let arena = Arena::new();
    let parse = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let found = lines(&parse.diagnostics);
    let expected: Vec<&str> = expected.split(" | ").filter(|line| !line.is_empty()).collect();
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| found.starts_with(expected));
    assert!(same, "{text}\n found    {found:#?}\n expected {expected:#?}");
}

/// The tree of a rule without findings; `/` parts lines, `.` stands for a step of indentation.
#[track_caller]
fn tree(text: &str, expected: &str) {
    let arena = Arena::new();
    let parse = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    assert_eq!(lines(&parse.diagnostics), Vec::<String>::new(), "{text}");
    let dumped = dump(&parse.rule)
        .replace("  ", ".")
        .trim_end()
        .replace('\n', " / ");
    assert_eq!(dumped, expected, "{text}");
}

/// A line is a property, a comment or blank; its first `=` ends the
/// key (R101, R102, R103, R106, R107, R110).
#[test]
fn lines_are_properties_comments_or_blank() {
    tree(
        "\u{feff}  target = me\r\n\r\n# note\r\n  action=draw()",
        "target / .target me / action / .statement / ..draw",
    );
    tree("action = draw() # then rest", "action / .statement / ..draw");
    tree("#action = x\ntarget=me", "target / .target me");
    tree("action = bp(=500)", "action / .statement / ..bp / ...raw =500");
}

/// Keys are known in any case, and `target?` is one (R104, R108).
#[test]
fn keys_in_any_case() {
    tree("TARGET? = Opp", "target? / .target Opp");
    tree("Abilities = Rush , pierce", "abilities / .Rush / .pierce");
}

/// A label is text that keeps its case; a `#` inside its quotes is reported (R111, R106, R105, RS046).
#[test]
fn labels_are_texts() {
    tree("label = 'Don\\'t (stop'", "label \"Don\\\\'t (stop\"");
    tree("label = Don't :) # x", "label \"Don't :)\"");
    check("label = \"Rule #1\"", "8..17 RS046");
    tree("label = \"a\" and \"b\"", "label \"a\\\" and \\\"b\"");
}

/// Variables are `name := expression`; other items and other names are
/// reported (R114, RS036, R115, RS037).
#[test]
fn variables() {
    tree(
        "vars = _a := tgt.0; _b := 'x;y';",
        "vars / ._a := tgt.0 / ._b := 'x;y'",
    );
    check("vars = _a = 3", "10..11 RS036");
    check("vars = _a", "7..9 RS036");
    check("vars = _a := 1 := 2", "15..17 RS036");
    check("vars = my-var := 1", "7..13 RS037");
    check("vars = 2x := 1", "7..9 RS037");
}

/// Targets are read with all their parts, and quoted names as they
/// stand (R118, R119, R201, R203, R204, R206, R212, R214, R243).
#[test]
fn targets() {
    tree(
        "target = <1,3>\"Foo (bar); @ [x]\"s,\
         ^warriors<-2>[bp<=300 & -frozen, bp:lowest]@oppRing::not(tgt.0 + _x)",
        "target / .target <1,3> \"Foo (bar); @ [x]\"s or ^warriors pick -2 \
         where bp <= 300 and -frozen or bp : lowest at oppRing not (tgt.0 + _x)",
    );
    tree(
        "target = <,2>reaction@discards",
        "target / .target <1,2> reaction at discards",
    );
    tree("target = < 1 , 2 >*", "target / .target <1,2> *");
    tree(
        "target = <2>*<5>; <-2>*; *<2>",
        "target / .target <2> * pick 5 / .target * pick -2 / .target * pick 2",
    );
    tree(
        "target = <r>*s@hand; <R3>all; <r0>*",
        "target / .target <r1> *s at hand / .target <r3> all / .target <r1> *",
    );
    tree(
        "target = <**>character&\"A & B\"",
        "target / .target <**> character and \"A & B\"",
    );
    tree("target = [frozen]@ring", "target / .target where frozen at ring");
    tree(
        "target = street fighter@ring",
        "target / .target street fighter at ring",
    );
}

/// A target with a dot or parentheses is an expression; a lone name is read as a type (R230, D44).
#[test]
fn expression_targets() {
    tree(
        "target = tgt.0; trigger.controller",
        "target / .target expression tgt.0 / .target expression trigger.controller",
    );
    tree(
        "target = getTargets('*s@hand')",
        "target / .target expression getTargets('*s@hand')",
    );
    tree("target = _char", "target / .target _char");
}

/// A malformed quantity or pick is reported, and a quantity that nothing can
/// meet (R205, RS018, RS019, RS047).
#[test]
fn quantities() {
    check("target = <1,2,3>character", "9..16 RS018");
    check("target = <1,>character", "9..13 RS018");
    check("target = <>character", "9..11 RS018");
    check("target = character<1,2>", "18..23 RS018");
    check("target = <4,2>character", "9..14 RS019");
    check("target = <0>character", "9..12 RS019");
    check("target = <0,2>character", "");
    check("target = <1character", "9..10 RS047");
}

/// Parts of a target that are odd, empty or out of place are
/// reported (R207, RS020, R208, RS021, R211, R216, RS023, R221).
#[test]
fn odd_targets() {
    check("target = *@deck<1>", "15..18 RS020");
    check("target = me,character&ninja", "21..22 RS021");
    check("target = ^!character", "10..11 RS068");
    check("target = character[bp=300]", "21..22 RS023");
    check("target = character[bp<300]", "21..22 RS023");
    check("target = character[bp>=300]", "");
    check("target = character[bp>=-300]", "");
    check("target = character[bp=<300]", "21..23 RS068");
    check("target = character[!frozen]", "19..20 RS068");
    check("target = character[frozen && fresh]", "26..28 RS068");
    check("target = character[]", "18..20 RS006");
    check("target = me,", "11..12 RS006");
    check("target = 'Some Name'@deck", "9..20 RS068");
    check("target = *@", "10..11 RS012");
    check("target = *@hand@deck", "15..20 RS068");
    check("target = *::nor(tgt)", "12..15 RS068");
}

/// Costs are read; unknown ones, ones without `:` and ones after a trigger are
/// reported (R231, R232, R707, RS026, RS027, RS028, D23).
#[test]
fn costs() {
    tree(
        "action = {D(<2>)}{d(3)}{F}{S(\"A B\")}: draw()",
        "action / .statement / ..cost D / ...target <2> / ..cost D 3 \
         / ..cost F / ..cost S / ...target \"A B\" / ..draw",
    );
    check("action = {F} draw()", "9..12 RS028");
    check("action = {E}: draw()", "10..11 RS026");
    check("action = {}: draw()", "9..11 RS026");
    check("action = {F(2)}: draw()", "11..14 RS026");
    check("action = {D,F}: draw()", "11..13 RS068");
    check("auto = ~endphase~ {F}: draw()", "18..22 RS027");
    check("action = ~endphase~ draw()", "9..19 RS027");
    tree(
        "auto = ~endphase~ draw(); {F}: ~any:once~ hp(1)",
        "auto / .statement / ..trigger / ...endphase / ..draw \
         / .statement / ..cost F / ..trigger / ...any:once / ..hp / ...int 1",
    );
}

/// Triggers stand between `~` or `?`; what is unclosed or odd in them is
/// reported (R233, R909, R915, RS015, RS047).
#[test]
fn triggers() {
    tree(
        "auto = ?oppCanBlock:this, attacks? [[if x]]",
        "auto / .statement / ..hook / ...oppCanBlock:this / ...attacks / ..if x",
    );
    tree(
        "auto = ~me.endPhase~ draw()",
        "auto / .statement / ..trigger / ...me.endPhase / ..draw",
    );
    check("auto = ~endphase draw()", "7..8 RS047");
    check("auto = ~endphase? draw()", "16..17 RS047");
    check("auto = ~endphase,~ draw()", "16..18 RS015");
    check("auto = ~endphase drawphase~ draw()", "17..26 RS068");
}

/// Conditions have any number of branches; a mark in the wrong place is
/// reported (R234–R237, R501, R502, RS031, RS068, D44).
#[test]
fn conditions() {
    tree(
        "action = [[if x[0] == ']']] draw() [[elif a]] hp(1) [[elif b]] [[else]] +rush",
        "action / .statement / ..if x[0] == ']' / ...draw / ..elif a \
         / ...hp / ....int 1 / ..elif b / ..else / ...+rush",
    );
    tree(
        "action = [[may 'Draw; now?']] draw()",
        "action / .statement / ..may \"Draw; now?\" / ...draw",
    );
    tree(
        "action = [[may Take Tom's card?]] draw()",
        "action / .statement / ..may \"Take Tom's card?\" / ...draw",
    );
    tree("action = [[may]] draw()", "action / .statement / ..may / ...draw");
    check("action = [[else]] draw()", "9..17 RS031");
    check("action = [[if a]] draw() [[if b]] draw()", "25..33 RS031");
    check("action = draw() [[if a]]", "16..24 RS031");
    check("action = [[may]] draw() [[else]] hp(1)", "24..32 RS031");
    check(
        "action = [[if a]] draw() [[else]] hp(1) [[elif b]] hp(2)",
        "40..50 RS031",
    );
    check("action = [[if a]] draw() [[else if b]] hp(2)", "27..34 RS031");
    check("action = [[cond if a]] draw()", "11..16 RS068");
    check("action = [[fi a]] draw()", "11..13 RS068");
    check("action = [if a] draw()", "9..15 RS068");
    check("action = [[if]] draw()", "9..15 RS068");
    check("action = [[a == 1]] draw()", "11..12 RS068");
}

/// A branch has effects, one to-clause and one restriction; what is left over is
/// reported (R237, R239, R240, RS032, RS004, R244, RS067, RS068).
#[test]
fn branches() {
    tree(
        "action = draw() to(me) & +rush oppUeot",
        "action / .statement / ..draw / ..+rush / ..to / ...target me / ..until oppueot",
    );
    tree(
        "action = to?(character; me) hp?(-1)",
        "action / .statement / ..hp? / ...int -1 / ..to? / ...target character / ...target me",
    );
    tree(
        "action = a() && b() || c() & -rush",
        "action / .statement / ..a / ..&& b / ..|| c / ..-rush",
    );
    check("action = destroy to(character)", "9..16 RS004");
    check("action = draw() hp(100)", "15..16 RS067");
    check("action = draw() &", "16..17 RS067");
    check("action = && draw()", "9..11 RS067");
    check("action = draw() | hp(1)", "16..17 RS068");
    check("action = draw() form(me)", "16..20 RS068");
    check("action = draw() ueto", "16..20 RS068");
    check("action = draw() to(me) to(opp)", "23..30 RS032");
    check("action = draw() ueot uynt", "21..25 RS032");
    check("action = draw();; draw()", "16..18 RS006");
    check("action = draw();", "");
    check("action = @ draw()", "9..10 RS068");
}

/// Arguments are read by their form; empty ones and clauses inside `each` are
/// reported (R117, R242, R246, RS006, D30, R622, RS033).
#[test]
fn arguments() {
    tree(
        "action = a(1, -2, +3, x2, 'q,r', ?, counter-attack, max(1, 2), <1,12>*@hand, 1.5)",
        "action / .statement / ..a / ...int 1 / ...int -2 / ...int 3 / ...word x2 / ...text \"q,r\" / ...? \
         / ...word counter-attack / ...raw max(1, 2) / ...raw <1,12>*@hand / ...raw 1.5",
    );
    tree(
        "action = a(<,2>x, <10,12>y)",
        "action / .statement / ..a / ...raw <,2>x / ...raw <10,12>y",
    );
    tree(
        "action = each(a, b<1>=>draw() & hp(1) || c())",
        "action / .statement / ..each / ...each a, b<1> / ....draw / ....hp / .....int 1 / ....|| c",
    );
    check("action = draw(,2)", "14..15 RS006");
    check("action = draw(2,)", "15..16 RS006");
    check("action = each(card in moved => draw() to(opp))", "38..45 RS033");
    check("action = each(card in moved => draw() ueot)", "38..42 RS033");
    check("action = each(card in moved => [[if a]] draw())", "31..39 RS033");
    check("action = each(=> draw())", "14..16 RS068");
    check("action = each(card in moved =>)", "28..30 RS068");
}

/// RS047: one slip, one message, and the statements behind it are still read.
#[test]
fn lost_brackets() {
    check("action = {F: draw()", "9..10 RS047");
    check("action = draw(", "13..14 RS047");
    check("action = draw())", "15..16 RS047");
    check("action = damage(300; draw()", "15..16 RS047");
    check("action = draw() to(character[frozen)", "28..29 RS047");
    check("action = [[if alone] draw()", "9..10 RS047");
    check("action = [[if alone draw()", "9..11 RS047");
    check("action = [if alone]] draw()", "19..20 RS047");
    check("action = damage(max(1, 2) to(opp)", "15..16 RS047");
    check("action = transform('abc) to(opp)", "19..20 RS047");
    check("target = \"Foo@deck", "9..10 RS047");
}

/// Lines that are no known property, or no plain text, are reported (RS001, RS002, RS070).
#[test]
fn lines_that_are_no_properties() {
    check(
        "actions = draw()",
        "0..7 RS001 unknown key `actions`; did you mean `action`?",
    );
    check("foo = bar", "0..3 RS001 unknown key `foo`");
    check("target ? = me", "0..8 RS002");
    check("target: me", "6..7 RS002");
    check("action := draw()", "0..8 RS002");
    check("draw()", "0..6 RS002");
    check("= draw()", "0..1 RS002");
    check("action =", "0..8 RS002");
    check("action = draw()\u{0}", "15..16 RS070");
}

/// A rules file has a section for each card; bad ids and lines outside are
/// reported (R120, D60, RS050, RS074).
#[test]
fn rules_files_have_sections() {
    let text =
        "# head\n[0f8fad5b-d9cb-469f-a165-70867728950e] # Rook\naction = draw()\n\n[bad]\nabilities = rush\n";
    let arena = Arena::new();
    let file = parse_rules(&arena, FileId(0), text);
    assert_eq!(
        lines(&file.diagnostics),
        ["71..74 RS050 `bad` is not the id of a card"]
    );
    let cards: Vec<_> = file
        .rules
        .iter()
        .map(|rule| (rule.card.text, rule.rule.properties.len()))
        .collect();
    assert_eq!(cards, [("0f8fad5b-d9cb-469f-a165-70867728950e", 1), ("bad", 1)]);
    let astray = parse_rules(
        &arena,
        FileId(0),
        "action = draw()\n[0f8fad5bd9cb469fa16570867728950e\nabilities=rush",
    );
    assert_eq!(
        lines(&astray.diagnostics),
        [
            "0..15 RS074 this line belongs to no card",
            "16..17 RS047 `[` is never closed"
        ]
    );
    assert_eq!(astray.rules.len(), 1);
}

/// R235, RS047: a question may hold an apostrophe, and what follows it is read; a quote that opens a
/// question must be closed, or it would take the rest of the line.
#[test]
fn quotes_in_questions() {
    check("action = [[may Don't you?]] draw()", "");
    check("action = [[may Don't you?]] draw() to(me) x", "42..43 RS068");
    check("action = [[may 'Go?]] draw()", "15..16 RS047");
    check("action = [[may 'Go; or stay?]] move", "15..16 RS047");
}

/// D60: assignments in scripts are data.
#[test]
fn python_scripts_hold_rules() {
    let text = "\
        import x\n\
        # RulesDict['no'] = ''\n\
        RulesDict = {}\n\
        RulesDict[\"0f8fad5b-d9cb-469f-a165-70867728950e\"] = u\"\"\"\n\
        \x20 action = draw()\n\
        \"\"\"\n\
        RulesDict = {'0f8fad5bd9cb469fa16570867728950e': '''abilities = rush''', # c\n\
        }\n\
        s = \"RulesDict['x']\"\n";
    let arena = Arena::new();
    let file = parse_python(&arena, FileId(0), text);
    assert_eq!(lines(&file.diagnostics), Vec::<String>::new());
    let found: Vec<String> = file.rules.iter().map(|rule| dump(&rule.rule)).collect();
    assert_eq!(found, ["action\n  statement\n    draw\n", "abilities\n  rush\n"]);
    let key = file.rules[0].rule.properties[0].key;
    assert_eq!(&text[key.span.range()], "action");
}

/// Any prefix of any text gives a tree, and every span lies within it.
#[test]
fn any_prefix_is_read() {
    let text = "\
        target? = <1,3>\"Foo (bar)\"s,^é<-2>[bp<=300 & -frozen]@oppRing::not(tgt.0)\n\
        action = {D(<2>)}{F}: [[if a[0]]] each(card in moved => draw()) && +rush oppUeot; \
            [[may 'x?']] hp?(=1)\n\
        auto = ~x:once, y~ a(b, ?)";
    for (end, _) in text.char_indices() {
        let arena = Arena::new();
        let parse = parse(&arena, FileId(0), &text[..end], Span::new(0, end));
        assert!(
            parse
                .diagnostics
                .iter()
                .all(|found| found.span.end as usize <= end)
        );
        assert!(dump(&parse.rule).len() < 10_000);
    }
}

/// One slip gives one message: what follows from it is not told.
#[test]
fn one_slip_is_told_once() {
    for (text, found) in [
        ("action = damage(300) to opp", "21..27 RS068"),
        ("action = damage(300) to opp & draw()", "21..27 RS068"),
        ("action = damage(300) to", "21..23 RS068"),
        ("action = hp(1), draw()", "14..15 RS068 effects are joined by `&`"),
        ("action = hp(1): draw()", "14..15 RS068 unexpected `:`"),
        ("action = hp(1) & & draw()", "17..18 RS067"),
        ("action = hp(1) draw()", "14..15 RS067"),
        ("action = hp(1) and draw()", "15..18 RS004"),
        ("action = x draw()", "9..10 RS004"),
        ("action = hp(1) until the end", "15..28 RS004"),
        ("action = freeze() to(<2,>>character)", "21..25 RS018"),
        (
            "target = character{frozen]",
            "18..19 RS047 `{` and `]` do not match",
        ),
        ("target = character[[frozen]", "18..19 RS047"),
        // Two slips are two.
        ("action = hp(1) drw & draw() to me", "15..18 RS004 | 28..33 RS068"),
        ("action = hp(1) draw() sp(1)", "14..15 RS067 | 21..22 RS067"),
    ] {
        check(text, found);
    }
}
