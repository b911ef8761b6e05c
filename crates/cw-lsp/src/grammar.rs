//! The grammar by which editors colour rules before, or without, the server: in the form of TextMate, made
//! from the words that the compiler knows.

use cw_formula::{ATTRIBUTES, FUNCTIONS, NAMES};
use cw_program::{CardType, ClosedWord, CommandName, EventName, FilterFlag, Keyword, Scope, zone_words};
use serde_json::{Value, json};

use crate::words::KEYS;

/// The script with which the book colours rules, by the grammar that editors have.
///
/// ```
/// assert!(cw_lsp::book_script().contains("source.rulescript"));
/// ```
pub fn book_script() -> String {
    include_str!("book.js").replace("\"{{GRAMMAR}}\"", grammar().trim_end())
}

/// A grammar of RuleScript for editors, as JSON.
///
/// ```
/// let grammar: serde_json::Value = serde_json::from_str(&cw_lsp::grammar()).expect("it is JSON");
/// assert_eq!(grammar["scopeName"], "source.rulescript");
/// ```
pub fn grammar() -> String {
    let keys = KEYS.iter().map(|(word, _)| *word);
    let scopes = Scope::ALL.iter().map(|scope| scope.word());
    let events = EventName::ALL.iter().map(|event| event.word());
    let zones = zone_words();
    let types = CardType::ALL.iter().map(|one| one.word());
    let patterns = [
        rule("comment.line.number-sign.rulescript", "#.*$"),
        json!({
            "match": r"^\s*(\[)([0-9A-Fa-f-]+)(\])",
            "captures": { "2": { "name": "entity.name.class.rulescript" } },
        }),
        json!({
            "match": format!(r"(?i)^\s*({})(?=\s*=)", any(keys)),
            "captures": { "1": { "name": "variable.other.property.rulescript" } },
        }),
        rule("string.quoted.double.rulescript", "\"[^\"\\n]*\""),
        rule("string.quoted.single.rulescript", r"'[^'\n]*'"),
        json!({
            "match": r"(?i)\[\[\s*(if|elif|else|may)\b",
            "captures": { "1": { "name": "keyword.control.rulescript" } },
        }),
        json!({
            "match": format!(r"(?i)@\s*({})\b", any(zones.iter().map(String::as_str))),
            "captures": { "1": { "name": "support.constant.zone.rulescript" } },
        }),
        json!({
            "match": format!(r"(?i)\.({})\b", any(ATTRIBUTES.iter().map(|one| one.word))),
            "captures": { "1": { "name": "support.variable.property.rulescript" } },
        }),
        rule(
            "entity.name.function.event.rulescript",
            &format!(r"(?i)(?<=[~?,]|[~?,] )(?:{})?(?:{})\b", any(scopes), any(events)),
        ),
        rule(
            "support.function.command.rulescript",
            &format!(r"(?i)\b(?:{})(?=\??\()", words::<CommandName>()),
        ),
        rule(
            "support.function.rulescript",
            &format!(r"(?i)\b(?:{})(?=\()", any(FUNCTIONS.iter().map(|one| one.word))),
        ),
        rule("keyword.control.rulescript", r"(?i)\bto(?=\??\()"),
        rule("variable.other.readwrite.rulescript", r"\b_[A-Za-z0-9_]*\b"),
        rule(
            "variable.language.rulescript",
            &format!(r"(?i)\b(?:{})\b", any(NAMES.iter().map(|one| one.word))),
        ),
        rule(
            "storage.type.rulescript",
            &format!(r"(?i)\b(?:{})s?\b", any(types)),
        ),
        rule(
            "constant.language.rulescript",
            &format!(r"(?i)\b(?:{}|{})\b", words::<Keyword>(), words::<FilterFlag>()),
        ),
        rule("keyword.operator.word.rulescript", r"\b(?:and|or|not|in|for)\b"),
        rule("constant.numeric.rulescript", r"\b[0-9]+\b"),
    ];
    let grammar = json!({
        "comment": "Made from the words that the compiler knows \
                    by `cargo run -p cw-lsp --example grammar`; do not edit.",
        "name": "RuleScript",
        "scopeName": "source.rulescript",
        "fileTypes": ["rules"],
        "patterns": patterns,
    });
    format!("{grammar:#}\n")
}

fn rule(name: &str, pattern: &str) -> Value {
    json!({ "name": name, "match": pattern })
}

fn words<W: ClosedWord>() -> String {
    any(W::ALL.iter().map(|word| word.word()))
}

/// A pattern that takes one of these words, the longest that fits.
fn any<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut all: Vec<&str> = words.collect();
    all.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    all.dedup();
    all.join("|")
}
