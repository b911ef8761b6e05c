//! What is printed on a card, as lints ask for it: in lower case, word by word.

use crate::cards::KnownCard;

/// The printed text of a card, where there is one.
#[derive(Debug)]
pub(super) struct SaidText {
    /// In lower case, with one blank between words and one around all of it.
    text: String,
}

impl SaidText {
    pub(super) fn of(card: Option<&KnownCard>) -> Option<SaidText> {
        let text = &card?.text;
        if text.trim().is_empty() {
            return None;
        }
        Some(SaidText::read(text))
    }

    fn read(text: &str) -> SaidText {
        let lower = text.to_lowercase().replace('\u{2019}', "'");
        let words: Vec<&str> = lower.split_whitespace().collect();
        SaidText {
            text: format!(" {} ", words.join(" ")),
        }
    }

    /// The sentences, each with a blank at both ends.
    pub(super) fn sentences(&self) -> impl Iterator<Item = SaidText> + '_ {
        let parts = self.text.split_inclusive(['.', ';', '!', '?']);
        parts.filter(|part| !part.trim().is_empty()).map(|part| SaidText {
            text: format!(" {} ", part.trim()),
        })
    }

    /// Where a phrase begins whose first and last letters are not parts of longer words.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = self.text.as_bytes();
        let mut found = self.text.match_indices(phrase).map(|(at, _)| at);
        found.find(|at| {
            let end = at + phrase.len();
            let joins_front = is_word(phrase.as_bytes().first()) && *at > 0 && is_word(bytes.get(at - 1));
            let joins_back = is_word(phrase.as_bytes().last()) && is_word(bytes.get(end));
            !joins_front && !joins_back
        })
    }

    pub(super) fn has(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Whether one of the phrases is there.
    pub(super) fn any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// The words with the places where they begin.
    pub(super) fn words(&self) -> Vec<&str> {
        self.text
            .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '+' | '-'))
            .filter(|word| !word.is_empty())
            .collect()
    }
}

/// A number in digits or as a word, with or without its sign.
pub(super) fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let known = WORDS.iter().position(|known| *known == word);
    known
        .and_then(|at| i64::try_from(at).ok())
        .or_else(|| word.trim_start_matches('+').parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{SaidText, number};

    /// Words are whole: `all` is not in `ally`, nor `your turn` in `your turns`.
    #[test]
    fn phrases_are_whole_words() {
        let said = SaidText::read("Each of your\nturns, ALLY gains +2 SP. Draw.");
        assert!(said.has("each of your turns"));
        assert!(!said.has("your turn") && !said.has("all"));
        assert!(said.any(&["all", "ally"]));
        assert_eq!(said.sentences().count(), 2);
        assert_eq!(said.words()[4..8], ["ally", "gains", "+2", "sp"]);
        assert_eq!(
            [number("two"), number("+3"), number("many")],
            [Some(2), Some(3), None]
        );
    }
}
