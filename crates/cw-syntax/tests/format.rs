//! The layout, and its two laws: twice is once, and the tree stays.

use cw_syntax::{Arena, AsWritten, SyntaxKind, SyntaxNode, dump, format_rules, lossless, parse};
use cw_text::{FileId, Span};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn tree(text: &str) -> String {
    let arena = Arena::new();
    let dumped = dump(&parse(&arena, FileId(0), text, Span::new(0, text.len())).rule);
    // Blanks within expressions may change.
    dumped
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let formatted = format_rules(text, &AsWritten);
    assert_eq!(formatted, expected, "{text}");
    assert_eq!(format_rules(&formatted, &AsWritten), formatted, "twice is once");
    assert_eq!(tree(&formatted), tree(text), "the tree stays");
}

#[test]
fn parts_have_their_order_and_blanks() {
    check(
        "ACTION={f} {d( 2 )} :draw( 2 )&  hp(+3 )ueot",
        "action = {F}{D(2)}: draw(2) & hp(+3) ueot\n",
    );
    check("action = to( me ;opp)draw()", "action = draw() to(me; opp)\n");
    check(
        "auto=~ powerless ,backedUp : once~[[if  a  ==  'x  y' ]]draw();",
        "auto = ~powerless, backedUp:once~ [[if a == 'x  y']] draw()\n",
    );
    check(
        "action = [[may Really?]] draw() oppueot",
        "action = [[may 'Really?']] draw() oppUeot\n",
    );
    check(
        "target?=< 1 , 3 >character , \"A  b\"s<-2>[ bp <= 300 &-frozen,fresh ] @oppRing :: not ( a )",
        "target? = <,3>character,\"A  b\"s<-2>[bp<=300 & -frozen, fresh]@oppRing::not(a)\n",
    );
    check(
        "vars=_a:=1;_b := max( 1,2 ) ;",
        "vars = _a := 1; _b := max( 1,2 )\n",
    );
    check("abilities=rush ,pierce# why", "abilities = rush, pierce # why\n");
    check("requisite=me&&<r1>opp", "requisite = me && <r>opp\n");
    check(
        "action = each( card in moved=>draw()&+rush )",
        "action = each(card in moved => draw() & +rush)\n",
    );
    check("label='Draw two'", "label = 'Draw two'\n");
}

/// Line ends are those of the author's system, the first one for all.
#[test]
fn line_ends_stay() {
    let crlf = "\u{feff}\r\n\r\n[a]\r\naction=draw()\r\n\r\n\r\nlabel: x\r\n";
    let formatted = format_rules(crlf, &AsWritten);
    assert_eq!(formatted, "[a]\r\naction = draw()\r\n\r\nlabel: x\r\n");
    assert_eq!(format_rules(&formatted, &AsWritten), formatted);
    assert_eq!(format_rules("[a]\nauto=x\r\n", &AsWritten), "[a]\nauto=x\n");
    assert_eq!(
        format_rules("[a]\r\nauto=x\nlabel=a", &AsWritten),
        "[a]\r\nauto=x\r\nlabel = a\r\n"
    );
    assert_eq!(format_rules("\n\n", &AsWritten), "");
}

#[test]
fn comments_blank_lines_and_headers() {
    check(
        "\u{feff}\n\
         # head\r\n\
         \r\n\
         \r\n\
         [ a ]\n\
         abilities = rush\n\
         # next\n\
         [b] # name\n\n\
         \x20 # inner\n\
         abilities=pierce\n\n",
        "# head\n\n[a]\nabilities = rush\n\n# next\n[b] # name\n\n# inner\nabilities = pierce\n",
    );
    check("", "");
}

/// A line with a mistake is the author's to mend.
#[test]
fn mistakes_stay() {
    check("action  =  draw(  hp(1)", "action  =  draw(  hp(1)\n");
    check("foo   bar", "foo   bar\n");
}

fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "action",
        "auto",
        "target",
        "target?",
        "vars",
        "label",
        " = ",
        "=",
        "draw()",
        "each(card in moved => hp(1))",
        "to(me)",
        "to?(<2>character[frozen & bp<=3]@oppRing)",
        "{F}",
        "{D(2)}",
        ":",
        ";",
        " & ",
        "&&",
        "||",
        "[[if a]]",
        "[[else]]",
        "[[may 'x']]",
        "~endPhase:once~",
        "?canBlock?",
        "+rush",
        "-rush",
        "oppUeot",
        "\"A b\"s",
        "'",
        "\"",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "<1,2>",
        "::not(tgt)",
        "@",
        ",",
        "#",
        "\n",
        "\r\n",
        " ",
        "[id]",
        "_x := 1",
        "é",
        "\\",
    ];
    prop_oneof![
        8 => (0..pieces.len()).prop_map(move |index| pieces[index].to_string()),
        1 => "\\PC{0,4}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    /// Any text: formatting twice is formatting once, and the tree stays.
    #[test]
    fn laws_hold_for_any_text(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = pieces.concat();
        let formatted = format_rules(&text, &AsWritten);
        prop_assert_eq!(&format_rules(&formatted, &AsWritten), &formatted);
        prop_assert_eq!(tree(&formatted), tree(&text));
    }

    /// Any text: every byte is in the lossless tree.
    #[test]
    fn lossless_trees_lose_nothing(pieces in prop::collection::vec(piece(), 0..24)) {
        let text = format!("# top\n[id]\n{}", pieces.concat());
        let node = SyntaxNode::new_root(lossless(&text));
        prop_assert_eq!(node.text().to_string(), text);
    }
}

/// The lossless tree has the nodes of the typed one.
#[test]
fn lossless_trees_have_nodes() {
    let text = "[id]\naction = {F}: [[if a]] draw( 2 ) to(<2>character[frozen]@ring) # note\n";
    let node = SyntaxNode::new_root(lossless(text));
    let kinds: Vec<SyntaxKind> = node.descendants().map(|node| node.kind()).collect();
    assert_eq!(
        kinds,
        [
            SyntaxKind::File,
            SyntaxKind::Section,
            SyntaxKind::Header,
            SyntaxKind::Property,
            SyntaxKind::Statement,
            SyntaxKind::Cost,
            SyntaxKind::Mark,
            SyntaxKind::Effect,
            SyntaxKind::Argument,
            SyntaxKind::Clause,
            SyntaxKind::Target,
            SyntaxKind::Type,
            SyntaxKind::Filter,
        ]
    );
}
