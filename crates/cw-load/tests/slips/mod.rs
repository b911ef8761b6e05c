//! Slips of the pen in rules, settings, sets and decks: what can be mended.

use cw_octgn::{MemoryFiles, PackChance, PackageFiles};

/// What is written, and what somebody writes instead.
const SLIPS: [(&str, &str); 44] = [
    ("(", " "),
    (")", ""),
    ("(", ""),
    ("(1)", " 1"),
    ("\"", "\u{201c}"),
    ("\"", "\u{201d}"),
    ("'", "\u{2019}"),
    ("==", "="),
    (" = ", ": "),
    (" = ", " == "),
    ("action", "actions"),
    ("trigger", "triger"),
    ("target", "targets"),
    ("target", "Target"),
    ("character", "charater"),
    ("opp", "opponent"),
    ("opp", "enemy"),
    ("all", "any"),
    (";", ","),
    (",", ";"),
    ("; ", " "),
    ("to(", "on("),
    ("]]", "]"),
    ("[[", "["),
    ("damage", "dammage"),
    ("draw", "drow"),
    ("discard", "discrad"),
    ("[", "["),
    ("True", "true"),
    ("False", "0"),
    ("&amp;", "&"),
    ("\" ", "\""),
    ("=\"", "=''"),
    ("name=", "nmae="),
    ("value=", "Value="),
    ("qty=", "quantity="),
    ("id=", "Id="),
    ("</", "<"),
    ("/>", ">"),
    ("Character", "character"),
    ("Main", "main"),
    ("-", "\u{2013}"),
    ("...", "\u{2026}"),
    ("me", "self"),
];

/// The demo game with a slip or two in one text.
pub fn slip(files: &MemoryFiles, chance: &mut PackChance) -> (MemoryFiles, String) {
    let names: Vec<String> = files.list().expect("memory can be listed");
    let mut below = |most: usize| chance.below(most.max(1) as u32) as usize;
    let ends: &[&str] = match below(10) {
        0..=5 => &[".rules"],
        6 => &[".toml"],
        7 => &[".o8d"],
        _ => &["set.xml", "definition.xml"],
    };
    let texts: Vec<&String> = names
        .iter()
        .filter(|name| ends.iter().any(|end| name.ends_with(end)) && !name.starts_with("Lessons/"))
        .collect();
    let name = texts[below(texts.len())];
    let bytes = files.read(name, u64::MAX).expect("it is listed");
    let mut text = String::from_utf8(bytes).expect("it is text");
    let mut told = Vec::new();
    for _ in 0..1 + below(2) {
        let places = |what: &str| text.match_indices(what).map(|(at, _)| at).collect::<Vec<_>>();
        if below(2) == 0 {
            let (written, instead) = SLIPS[below(SLIPS.len())];
            let places = places(written);
            if let Some(at) = places.get(below(places.len())) {
                told.push(format!("`{instead}` for `{written}` at {at}"));
                text.replace_range(*at..*at + written.len(), instead);
            }
            continue;
        }
        // A word with a letter less, a letter twice, two exchanged or a capital.
        let letters: Vec<(usize, char)> = text
            .char_indices()
            .filter(|(_, letter)| letter.is_ascii_alphabetic())
            .collect();
        let (at, letter) = letters[below(letters.len())];
        let next = text[at + 1..].chars().next().filter(char::is_ascii_alphabetic);
        let instead = match (below(4), next) {
            (0, _) => String::new(),
            (1, _) => format!("{letter}{letter}"),
            (2, Some(next)) => format!("{next}{letter}"),
            _ => letter.to_ascii_uppercase().to_string(),
        };
        let length = if instead.len() == 2 && !instead.starts_with(letter) {
            2
        } else {
            1
        };
        told.push(format!("`{instead}` for `{}` at {at}", &text[at..at + length]));
        text.replace_range(at..at + length, &instead);
    }
    let told = format!("{name}: {}", told.join(", "));
    (files.clone().with(name.as_str(), text), told)
}
