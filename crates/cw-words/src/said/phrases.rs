//! Small pieces of sentences: numbers, lists, articles, nouns with their number.

/// How many a noun speaks of, as its verb has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NounNumber {
    /// The reader: left out where a sentence is a request.
    You,
    One,
    Many,
}

/// Somebody or something that a sentence speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NounPhrase {
    pub(super) text: String,
    pub(super) number: NounNumber,
}

impl NounPhrase {
    pub(super) fn one(text: impl Into<String>) -> NounPhrase {
        NounPhrase {
            text: text.into(),
            number: NounNumber::One,
        }
    }

    pub(super) fn many(text: impl Into<String>) -> NounPhrase {
        NounPhrase {
            text: text.into(),
            number: NounNumber::Many,
        }
    }

    /// The form of a verb that agrees: `gains` of one, `gain` of many and of the reader.
    pub(super) fn verb<'v>(&self, one: &'v str, many: &'v str) -> &'v str {
        match self.number {
            NounNumber::One => one,
            NounNumber::You | NounNumber::Many => many,
        }
    }

    /// `its`, `their` or `your`.
    pub(super) fn its(&self) -> &'static str {
        match self.number {
            NounNumber::You => "your",
            NounNumber::One => "its",
            NounNumber::Many => "their",
        }
    }

    /// Something of somebody: `your deck`, `the deck of a player of your choice`.
    pub(super) fn owned(&self, what: &str) -> String {
        match self.text.contains(" of ") {
            true => format!("the {what} of {}", self.text),
            false => format!("{} {what}", self.whose()),
        }
    }

    /// Whose something is: `your`, `the opponent's`.
    pub(super) fn whose(&self) -> String {
        match self.number {
            NounNumber::You => "your".to_owned(),
            NounNumber::Many if self.text.ends_with('s') => format!("{}'", self.text),
            NounNumber::One | NounNumber::Many => format!("{}'s", self.text),
        }
    }
}

/// A number of cards or times, as a word where it is small.
pub(super) fn count_word(count: u32) -> String {
    const WORDS: [&str; 11] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let known = usize::try_from(count).ok().and_then(|at| WORDS.get(at));
    known.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// `a, b and c`.
pub(super) fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} {word} {last}", all.join(", ")),
    }
}

/// A word with its article: `a card`, `an action`, `a United Attack`.
pub(super) fn with_an(word: &str) -> String {
    let lower = word.to_lowercase();
    let is_vowel = lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !lower.starts_with("uni");
    format!("{} {word}", if is_vowel { "an" } else { "a" })
}

/// Many of a word: `cards`, `Witches`, `Berries`.
pub(super) fn plural(word: &str) -> String {
    let ends = |ends: &[&str]| ends.iter().any(|end| word.ends_with(end));
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["s", "x", "ch", "sh", "z"]) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// A sentence with a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let mut out: String = first.to_uppercase().collect();
    out.push_str(letters.as_str().trim_end_matches(','));
    if !out.ends_with(['.', '?', '!']) {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{count_word, joined, plural, sentence, with_an};

    #[test]
    fn pieces_are_english() {
        assert_eq!([count_word(2), count_word(12)], ["two", "12"]);
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(joined(&parts, "or"), "a, b or c");
        assert_eq!(
            [with_an("action"), with_an("United Attack")],
            ["an action", "a United Attack"]
        );
        assert_eq!(
            ["Baker", "Witch", "Berry", "Boy"].map(plural),
            ["Bakers", "Witches", "Berries", "Boys"]
        );
        assert_eq!(sentence("draw a card"), "Draw a card.");
    }
}
