//! What is printed on a card, as lints ask for it: in lower case, word by word.

use std::cell::OnceCell;

use memchr::memchr_iter;

use crate::cards::KnownCard;

/// The printed text of a card, where there is one.
#[derive(Clone, Debug)]
pub(super) struct SaidText {
    /// In lower case, with one blank between words and one around all of it.
    text: String,
    /// The words of each sentence, once somebody has asked.
    sentence_words: OnceCell<SentenceWords>,
}

/// The words of each sentence of a text, and what words there may be.
#[derive(Clone, Debug)]
struct SentenceWords {
    sentences: Vec<Vec<Box<str>>>,
    filter: WordFilter,
}

impl SaidText {
    pub(super) fn of(card: Option<&KnownCard>) -> Option<SaidText> {
        let text = &card?.text;
        if text.trim().is_empty() {
            return None;
        }
        Some(SaidText::read(text))
    }

    /// All of a text without its full stops: one sentence.
    pub(super) fn read_one(words: &str) -> SaidText {
        SaidText::read(words)
    }

    fn read(text: &str) -> SaidText {
        let lower = text.to_lowercase().replace('\u{2019}', "'");
        let words: Vec<&str> = lower.split_whitespace().collect();
        SaidText {
            text: format!(" {} ", words.join(" ")),
            sentence_words: OnceCell::new(),
        }
    }

    /// The sentences, each with a blank at both ends.
    pub(super) fn sentences(&self) -> impl Iterator<Item = SaidText> + '_ {
        let parts = self.text.split_inclusive(['.', ';', '!', '?']);
        parts.filter(|part| !part.trim().is_empty()).map(|part| SaidText {
            text: format!(" {} ", part.trim()),
            sentence_words: OnceCell::new(),
        })
    }

    /// What stands before the first colon, if there is one.
    pub(super) fn before_colon(&self) -> Option<SaidText> {
        let (before, _) = self.text.split_once(':')?;
        Some(SaidText::read(before))
    }

    /// The sentences, cut at commas and colons.
    pub(super) fn pieces(&self) -> impl Iterator<Item = SaidText> + '_ {
        let pieces = self.text.split(['.', ';', '!', '?', ',', ':']);
        let pieces = pieces.filter(|piece| !piece.trim().is_empty());
        pieces.map(|piece| SaidText {
            text: format!(" {} ", piece.trim()),
            sentence_words: OnceCell::new(),
        })
    }

    /// The pieces that say what is done, not when or if, nor what is paid for it.
    pub(super) fn main_pieces(&self) -> impl Iterator<Item = SaidText> + '_ {
        let is_main = |piece: &SaidText| {
            !piece.says(
                "^ ?then ?but ?and ?or if|unless|when|whenever|while|as|once|after|until|\
                 at|in|during|each|every|before|instead|otherwise|choose|with|for|those|who",
            ) && !piece.says(
                "cannot|can't|may|instead|would|whenever|when|if|unless|or|\
                 cost|costs|can|while|not|who|that|by|without",
            )
        };
        let paid = self.sentences().filter_map(|sentence| sentence.before_colon());
        let paid: Vec<String> = paid
            .flat_map(|part| part.pieces().map(|one| one.text).collect::<Vec<_>>())
            .collect();
        self.pieces()
            .filter(move |piece| is_main(piece) && !paid.contains(&piece.text))
    }

    /// The two things that a text lets somebody choose from, as labels.
    pub(super) fn two_choices(&self) -> Option<[String; 2]> {
        let text = self.text.trim().trim_end_matches('.');
        let text = text.strip_prefix("choose one").unwrap_or(text);
        let text = text.trim_start_matches([':', ' ', '-', '\u{2014}']);
        let (one, other) = text.split_once(" or ")?;
        let label = |part: &str| {
            let part = part.trim_matches([';', ',', '.', ':', ' ']);
            let first = part.chars().next()?.to_uppercase();
            let is_plain =
                !part.contains(['"', '\\', ';', '.']) && part.len() <= 60 && !part.contains(" or ");
            let words = [" hp", " sp", " bp"];
            let text: String = first.chain(part.chars().skip(1)).collect();
            let text = words
                .iter()
                .fold(text, |text, word| text.replace(word, &word.to_uppercase()));
            is_plain.then_some(text)
        };
        Some([label(one)?, label(other)?])
    }

    /// The words, as a message quotes them.
    pub(super) fn quoted(&self) -> &str {
        self.text.trim()
    }

    /// Where a phrase begins whose first and last letters are not parts of longer words.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let (bytes, phrase) = (self.text.as_bytes(), phrase.as_bytes());
        let begins_word = is_word(phrase.first());
        let ends_word = is_word(phrase.last());
        // Hundreds of phrases are looked for in each text, which is short: to prepare a search takes longer
        // than to look.
        memchr_iter(*phrase.first()?, bytes).find(|at| {
            let joins_front = begins_word && *at > 0 && is_word(bytes.get(at - 1));
            !joins_front
                && bytes[*at..].starts_with(phrase)
                && !(ends_word && is_word(bytes.get(at + phrase.len())))
        })
    }

    pub(super) fn has(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Whether one of the phrases is there.
    pub(super) fn any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// Whether a sentence has words that follow this pattern: `one|another` is one of these, `#` a number,
    /// `*` any word, `..` none to fourteen words, and `?the` may be missing; `^` is where a sentence begins.
    pub(super) fn says(&self, pattern: &str) -> bool {
        let SentenceWords { sentences, filter } = self.sentence_words.get_or_init(|| self.split());
        // Hundreds of patterns are asked of each text, and few of their words are there.
        if !filter.may_say(pattern) {
            return false;
        }
        if let Some(rest) = pattern.strip_prefix("^ ") {
            return sentences.iter().any(|words| follows(words, rest));
        }
        let (first, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
        let is_plain = first != ".." && !first.starts_with('?');
        sentences.iter().any(|words| {
            (0..words.len()).any(|from| match is_plain {
                true => fits(first, &words[from]) && follows(&words[from + 1..], rest),
                false => follows(&words[from..], pattern),
            })
        })
    }

    /// Whether it [says](SaidText::says) one of these.
    pub(super) fn says_one(&self, patterns: &[&str]) -> bool {
        patterns.iter().any(|pattern| self.says(pattern))
    }

    fn split(&self) -> SentenceWords {
        let sentences = self.text.split(['.', ';', '!', '?']);
        let words = |sentence: &str| {
            let words = sentence.split(is_between).filter(|word| !word.is_empty());
            words.map(Box::from).collect::<Vec<Box<str>>>()
        };
        let sentences: Vec<Vec<Box<str>>> = sentences.map(words).filter(|words| !words.is_empty()).collect();
        let filter = WordFilter::of(sentences.iter().flatten());
        SentenceWords { sentences, filter }
    }

    /// The words with the places where they begin.
    pub(super) fn words(&self) -> Vec<&str> {
        self.text
            .split(is_between)
            .filter(|word| !word.is_empty())
            .collect()
    }
}

/// Which words a text may have: a Bloom filter of one hash, with 256 bits for some twenty words.
#[derive(Clone, Debug, Default)]
struct WordFilter {
    bits: [u64; 4],
    has_number: bool,
}

impl WordFilter {
    fn of<'w>(words: impl Iterator<Item = &'w Box<str>>) -> WordFilter {
        let mut filter = WordFilter::default();
        for word in words {
            let bit = WordFilter::bit(word.as_bytes());
            filter.bits[bit / 64] |= 1 << (bit % 64);
            filter.has_number |= number(word).is_some();
        }
        filter
    }

    /// By the first and the last letter and the length.
    fn bit(word: &[u8]) -> usize {
        let [first, last] = [word.first(), word.last()].map(|byte| byte.map_or(0, |byte| usize::from(*byte)));
        (first * 7 + last * 31 + word.len() * 61) % 256
    }

    /// Whether each part that a pattern needs may be there.
    fn may_say(&self, pattern: &str) -> bool {
        pattern.split(' ').all(|part| {
            part.starts_with(['?', '^', '.'])
                || part
                    .as_bytes()
                    .split(|byte| *byte == b'|')
                    .any(|known| match known {
                        b"#" => self.has_number,
                        b"*" => true,
                        _ => {
                            let bit = WordFilter::bit(known);
                            self.bits[bit / 64] >> (bit % 64) & 1 == 1
                        }
                    })
        })
    }
}

fn is_between(letter: char) -> bool {
    !letter.is_alphanumeric() && !matches!(letter, '\'' | '+' | '-')
}

/// How many words `..` stands for.
const GAP: usize = 14;

/// Whether words begin as a pattern says.
fn follows(words: &[Box<str>], pattern: &str) -> bool {
    if pattern.is_empty() {
        return true;
    }
    let (part, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
    if part == ".." {
        return (0..=words.len().min(GAP)).any(|skip| follows(&words[skip..], rest));
    }
    let (part, is_optional) = part.strip_prefix('?').map_or((part, false), |part| (part, true));
    let is_there = words.first().is_some_and(|word| fits(part, word));
    is_there && follows(&words[1..], rest) || is_optional && follows(words, rest)
}

/// Whether a word is one of those in a part of a pattern.
fn fits(part: &str, word: &str) -> bool {
    let mut all = part.as_bytes().split(|byte| *byte == b'|');
    all.any(|known| match known {
        b"#" => number(word).is_some(),
        b"*" => true,
        _ => known == word.as_bytes(),
    })
}

/// A word without the letter of its plural.
pub(super) fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
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
        assert!(said.says("^ each of your|their turns ally gain|gains # ?more sp"));
        assert!(said.says("your .. sp") && said.says("^ draw") && !said.says("sp draw"));
        assert!(!said.says("^ ally") && !said.says("all gains"));
        assert_eq!(said.words()[4..8], ["ally", "gains", "+2", "sp"]);
        assert_eq!(
            [number("two"), number("+3"), number("many")],
            [Some(2), Some(3), None]
        );
    }
}
