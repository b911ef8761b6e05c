//! The words of rules, from the tables that compiler and reference read.

use cw_check::plain;
use cw_formula::{ATTRIBUTES, FUNCTIONS, NAMES};
use cw_program::{
    CardType, ClosedWord, CommandName, CostKind, EventName, FilterFlag, Keyword, PhaseName, PileName,
    RuleFlag, Scope, zone_words,
};
use cw_text::Span;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordClass {
    Key,
    Command,
    Event,
    Zone,
    Ability,
    Filter,
    CardType,
    Flag,
    Phase,
    Cost,
    Pile,
    Name,
    Attribute,
    Function,
    Duration,
}

impl WordClass {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            WordClass::Key => "line of a rule",
            WordClass::Command => "command",
            WordClass::Event => "event",
            WordClass::Zone => "zone",
            WordClass::Ability => "ability",
            WordClass::Filter => "filter",
            WordClass::CardType => "card type",
            WordClass::Flag => "rule of the game",
            WordClass::Phase => "phase",
            WordClass::Cost => "cost",
            WordClass::Pile => "pile",
            WordClass::Name => "name in expressions",
            WordClass::Attribute => "attribute in expressions",
            WordClass::Function => "function in expressions",
            WordClass::Duration => "duration",
        }
    }
}

/// A word with what the reference says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownWord {
    pub(crate) word: String,
    pub(crate) class: WordClass,
    /// How it is written, where that is more than the word.
    pub(crate) usage: Option<String>,
    pub(crate) meaning: String,
}

/// The lines that a rule can have.
pub(crate) const KEYS: [(&str, &str); 6] = [
    ("target", "targets that are chosen before the card is played"),
    (
        "requisite",
        "a target that must be there, or the card cannot be played",
    ),
    ("action", "what the card does when it is played or used"),
    (
        "auto",
        "what the card does at events, as statements with `;` between them",
    ),
    ("abilities", "abilities that the card always has"),
    ("vars", "variables, as `_name := expression`"),
];

const DURATIONS: [(&str, &str); 3] = [
    ("ueot", "until the end of the turn"),
    ("uynt", "until your next turn"),
    ("unac", "until the next action card"),
];

fn closed<W: ClosedWord>(class: WordClass) -> Vec<KnownWord> {
    let all = W::ALL
        .iter()
        .map(|word| known(word.word(), class, word.meaning()));
    all.collect()
}

fn known(word: &str, class: WordClass, meaning: &str) -> KnownWord {
    KnownWord {
        word: word.to_owned(),
        class,
        usage: None,
        meaning: plain(meaning).to_owned(),
    }
}

/// All words of a class.
pub(crate) fn words_of(class: WordClass) -> Vec<KnownWord> {
    match class {
        WordClass::Key => KEYS.map(|(word, meaning)| known(word, class, meaning)).into(),
        WordClass::Duration => DURATIONS
            .map(|(word, meaning)| known(word, class, meaning))
            .into(),
        WordClass::Command => commands(),
        WordClass::Event => events(),
        WordClass::Zone => {
            let all = zone_words().into_iter();
            all.map(|zone| known(&zone, class, zone_meaning(&zone))).collect()
        }
        WordClass::Ability => closed::<Keyword>(class),
        WordClass::Filter => closed::<FilterFlag>(class),
        WordClass::CardType => closed::<CardType>(class),
        WordClass::Flag => closed::<RuleFlag>(class),
        WordClass::Phase => closed::<PhaseName>(class),
        WordClass::Cost => closed::<CostKind>(class),
        WordClass::Pile => closed::<PileName>(class),
        WordClass::Name => NAMES
            .iter()
            .map(|name| known(name.word, class, name.meaning))
            .collect(),
        WordClass::Attribute => ATTRIBUTES
            .iter()
            .map(|one| known(one.word, class, one.meaning))
            .collect(),
        WordClass::Function => FUNCTIONS
            .iter()
            .map(|one| KnownWord {
                usage: Some(format!("{}({})", one.word, one.params)),
                ..known(one.word, class, one.meaning)
            })
            .collect(),
    }
}

fn commands() -> Vec<KnownWord> {
    let all = CommandName::ALL.iter().map(|command| KnownWord {
        usage: Some(command.signature().usage.to_owned()),
        ..known(command.word(), WordClass::Command, command.meaning())
    });
    all.collect()
}

/// Events with each prefix that says whose they are: `activatePhase`, `myActivatePhase`, …
fn events() -> Vec<KnownWord> {
    let mut all = Vec::new();
    for event in EventName::ALL {
        let (word, form) = (event.word(), event.form());
        let meaning = format!("{}; run by {}", plain(event.meaning()), form.executor);
        all.push(known(word, WordClass::Event, &meaning));
        for scope in Scope::ALL {
            let name = match word.split_at_checked(1) {
                Some((first, rest)) => format!("{}{}{rest}", scope.word(), first.to_uppercase()),
                None => continue,
            };
            all.push(known(&name, WordClass::Event, &meaning));
        }
    }
    all
}

fn zone_meaning(zone: &str) -> &'static str {
    match zone {
        _ if zone.starts_with("my") => "a zone of the player of this card",
        _ if zone.starts_with("opp") => "a zone of the opponent",
        "arena" => "both rings",
        _ => "a zone of both players, or beside this card",
    }
}

/// The classes in the order in which a word is looked up where nothing says what it is.
const ORDER: [WordClass; 15] = [
    WordClass::Command,
    WordClass::Key,
    WordClass::Event,
    WordClass::Zone,
    WordClass::Ability,
    WordClass::Filter,
    WordClass::CardType,
    WordClass::Flag,
    WordClass::Duration,
    WordClass::Phase,
    WordClass::Name,
    WordClass::Function,
    WordClass::Attribute,
    WordClass::Cost,
    WordClass::Pile,
];

/// What a word means; `first` is what it most likely is there.
pub(crate) fn find(word: &str, first: Option<WordClass>) -> Option<KnownWord> {
    let classes = first.into_iter().chain(ORDER);
    let singular = word.strip_suffix('s').unwrap_or(word);
    let mut found = classes.filter_map(|class| {
        let all = words_of(class);
        let is_plural = class == WordClass::CardType;
        all.into_iter().find(|known| {
            known.word.eq_ignore_ascii_case(word) || is_plural && known.word.eq_ignore_ascii_case(singular)
        })
    });
    found.next()
}

/// The word of a text at a byte: letters, digits and `_`.
pub(crate) fn word_at(text: &str, at: usize) -> Option<Span> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (before, behind) = text.split_at_checked(at)?;
    let start = before.trim_end_matches(is_word).len();
    let end = at + (behind.len() - behind.trim_start_matches(is_word).len());
    (start < end).then(|| Span::new(start, end))
}
