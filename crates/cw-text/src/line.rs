//! Text that people write to be shown in a line among others: their names, for example.

/// Text as one line: without blanks at its ends, without characters that nobody sees or that turn the
/// direction of what follows; `None` if nothing is left.
pub fn one_line(written: &str) -> Option<String> {
    let plain: String = written
        .chars()
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .filter(|letter| !letter.is_control() && !is_unseen(*letter))
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    Some(words.join(" ")).filter(|line| !line.is_empty())
}

/// Characters that nobody sees, or that turn the direction of what follows.
fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
    )
}
