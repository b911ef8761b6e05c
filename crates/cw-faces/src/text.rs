//! Setting text without a font at hand: widths are estimated, and a little too wide rather than
//! too narrow.

/// Hundredths of the font size that a letter of a plain sans takes.
fn advance(letter: char) -> u32 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '’' | '|' | '!' => 28,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '-' | '1' => 36,
        'm' | 'w' | 'M' | 'W' | '—' | '@' => 88,
        'A'..='Z' | '0'..='9' => 66,
        _ if letter.is_ascii() => 55,
        _ => 70,
    }
}

/// The estimated width of a line at this font size.
pub(crate) fn width(text: &str, size: u32) -> u32 {
    text.chars().map(advance).sum::<u32>() * size / 100
}

/// Breaks a text into lines at spaces; a word that is too long stands alone.
pub(crate) fn wrap(text: &str, size: u32, room: u32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + width(" ", size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How many there are, for reckoning with heights.
pub(crate) fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

/// The largest of the sizes at which the text has room in so many units of height, and its lines.
pub(crate) fn fit(text: &str, sizes: &[u32], room: (u32, u32)) -> (u32, Vec<String>) {
    let smallest = sizes.last().copied().unwrap_or(12);
    for size in sizes {
        let lines = wrap(text, *size, room.0);
        let wide = lines.iter().any(|line| width(line, *size) > room.0);
        if !wide && count(&lines) * size * 5 / 4 <= room.1 {
            return (*size, lines);
        }
    }
    (smallest, wrap(text, smallest, room.0))
}

#[cfg(test)]
mod tests {
    use super::{fit, wrap};

    #[test]
    fn lines_break_at_spaces_and_keep_every_word() {
        let text = "one two three four five";
        let lines = wrap(text, 20, 90);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap("", 20, 90), Vec::<String>::new());
        assert_eq!(wrap("incomprehensibilities", 20, 10).len(), 1);
    }

    #[test]
    fn a_longer_text_is_set_smaller() {
        let short = fit("short", &[40, 30, 20], (200, 60)).0;
        let long = fit(&"word ".repeat(20), &[40, 30, 20], (200, 200)).0;
        assert!(short > long, "{short} {long}");
    }
}
