//! The page of the book that teaches rules: each example is right for the text above it, and each slip is
//! told.

use slips::Kind::{self, Action, Auto, Reaction, Triggered};
use slips::{found, lines, silent, told};

mod slips;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/writing-rules.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    page.replace("\r\n", "\n")
}

/// The examples: a comment with the kind of a card and its text, and the rule below it.
fn examples(page: &str) -> Vec<(Kind, &str, &str)> {
    let blocks = page.split("```rules\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("\n```").next().unwrap_or_default());
    let one = |example| -> (Kind, &str, &str) {
        let example: &str = example;
        let (card, rule) = example.split_once('\n').expect("a text and a rule");
        let (kind, text) = card.split_once(": ").expect("a kind and a text");
        let kind = match kind {
            "# Action" => Action,
            "# Reaction" => Reaction,
            "# Ability" => Triggered,
            "# Auto" => Auto,
            other => panic!("{other} is no kind of card"),
        };
        (kind, text, rule.trim_end())
    };
    blocks.flat_map(|block| block.split("\n\n")).map(one).collect()
}

#[test]
fn examples_are_right() {
    let page = page();
    let examples = examples(&page);
    assert!(examples.len() > 30, "{} examples", examples.len());
    silent(&examples);
}

/// Every target in the tables is one.
#[test]
fn targets_of_the_tables_are_understood() {
    let page = page();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    for written in rows.filter_map(|row| row.split("` |").next()) {
        // Only what stands for cards; the page has other tables.
        if !written.contains('@') || written.contains('(') {
            continue;
        }
        count += 1;
        let rule = format!("action = bp(+100) to({written})");
        let all = found(Action, "", &rule);
        let wrong: Vec<_> = all
            .into_iter()
            .filter(|one| one.severity == cw_text::Severity::Error)
            .collect();
        assert!(wrong.is_empty(), "{rule}: {}", lines(&wrong));
    }
    assert!(count >= 14, "{count} targets");
}

/// The slips at the end of the page, with the texts of cards on which they are slips.
#[test]
fn slips_of_the_page_are_told() {
    told(&[
        (
            Action,
            "All enemy characters freeze.",
            "action = freeze() to(character@oppRing)",
            "RS093",
            "says all of them",
            "action = freeze() to(characters@oppRing)",
        ),
        (
            Triggered,
            "Freeze this character: draw a card.",
            "action = freeze(); draw()",
            "RS093",
            "an effect, not a cost",
            "action = {F}: draw()",
        ),
        (
            Action,
            "The opponent loses 2 SP.",
            "action = sp(-2)",
            "RS093",
            "says that the opponent loses",
            "action = sp(-2) to(opp)",
        ),
        (
            Reaction,
            "One of your countering characters gains 300 BP until the end of the turn.",
            "action = bp(+300) to(character[block]@myRing) ueot",
            "RS088",
            "in the opponent's turn",
            "action = bp(+300) to(character[block]@myRing) oppUeot",
        ),
        (
            Auto,
            "Whenever one of your characters attacks, it gains 100 BP until the end of the turn.",
            "auto = ~attacks~ bp(+100) to(trigger) ueot",
            "RS093",
            "heard of this card alone",
            "auto = ~attacks:any~ [[if trigger.controller == this.controller]] bp(+100) to(trigger) ueot",
        ),
    ]);
}
