//! A large file is read in parts, and nobody can tell.

use cw_check::{KnownCards, SeverityLevel, SeveritySettings, check_file, check_text};
use cw_syntax::{Arena, parse_rules, parts};
use cw_text::FileId;

/// Some thousand rules, with mistakes, comments that set severities, and a line that belongs to no card.
fn large() -> String {
    let mut text = "\u{feff}astray = 1\r\n".to_string();
    for index in 0..3_000 {
        text.push_str(&format!("[0f8fad5b-d9cb-469f-a165-{index:012x}]\r\n"));
        text.push_str(match index % 5 {
            0 => "action = drow(1) # cardwright: hint RS003\r\naction = drow(2)\r\n",
            1 => "  # cardwright: allow RS053\r\naction = moveTo(hand) to(*@deck)\r\n\r\n",
            2 => "action = draw(,2)\naction = {F draw()\n",
            3 => "auto = ~myEndPhase~ sp(+1) to(me)\n",
            _ => "# nothing\n",
        });
    }
    text
}

#[test]
fn parts_say_what_the_whole_says() {
    let text = large();
    let cut: Vec<_> = parts(&text).collect();
    assert!(cut.len() > 3);
    let joined: String = cut.iter().map(|part| &text[part.range()]).collect();
    assert_eq!(joined, text);

    let mut settings = SeveritySettings::default();
    settings.set("RS074", SeverityLevel::Warning);
    settings.set("RS006", SeverityLevel::Allow);
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), &text);
    let whole = check_file(FileId(0), &text, parsed, &KnownCards::default(), &settings);
    let in_parts = check_text(FileId(0), &text, &KnownCards::default(), &settings);
    assert_eq!(in_parts.diagnostics, whole.diagnostics);
    assert_eq!(in_parts.rules.len(), 3_000);
    let count = |code: &str| whole.diagnostics.iter().filter(|one| one.code.0 == code).count();
    assert_eq!(
        ["RS074", "RS006", "RS053", "RS003", "RS008"].map(count),
        [1, 0, 0, 1_200, 600]
    );
}
