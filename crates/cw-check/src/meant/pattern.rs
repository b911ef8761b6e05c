//! Patterns of tokens, and what is written in their place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use cw_formula::{FUNCTIONS, NAMES};
use cw_program::{
    CardType, ClosedWord, CommandName, FilterFlag, Keyword, PackageNames, event_name, find_zone, zone_words,
};
use cw_syntax::{RuleToken, RuleTokenKind};

const ASKS: &str = "getTargets(";

/// How many ways one pattern fits at one place.
const MOST_FITS: usize = 6;

/// The words of all patterns, numbered, so that numbers are compared.
#[derive(Debug, Default)]
pub(crate) struct PatternWords(BTreeMap<String, u16>);

impl PatternWords {
    /// Stands for every word that no pattern has.
    const OTHER: u16 = u16::MAX;

    fn add(&mut self, word: &str) -> u16 {
        let next = u16::try_from(self.0.len()).unwrap_or(PatternWords::OTHER);
        *self.0.entry(word.to_ascii_lowercase()).or_insert(next)
    }

    fn find(&self, word: &str) -> u16 {
        let known = self.0.get(&*word.to_ascii_lowercase());
        known.copied().unwrap_or(PatternWords::OTHER)
    }
}

/// A line of a rule.
pub(crate) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [RuleToken],
    /// The numbers of the words that the tokens are.
    words: Vec<u16>,
    /// Which words are there.
    has_word: Vec<bool>,
    /// Which classes a token alone is of, one bit each.
    classes: Vec<u16>,
    /// Those of all tokens.
    has_class: u16,
}

impl<'a> Line<'a> {
    pub(crate) fn new(
        text: &'a str,
        tokens: &'a [RuleToken],
        cards: &dyn PackageNames,
        known: &PatternWords,
    ) -> Line<'a> {
        let said = |token: &RuleToken| &text[token.span().range()];
        let words: Vec<u16> = tokens.iter().map(|token| known.find(said(token))).collect();
        let mut has_word = vec![false; known.0.len()];
        for word in &words {
            if let Some(is_there) = has_word.get_mut(usize::from(*word)) {
                *is_there = true;
            }
        }
        let classes: Vec<u16> = tokens
            .iter()
            .map(|token| classes_of(token.kind, said(token), cards))
            .collect();
        let has_class = classes.iter().fold(0, |all, one| all | one);
        Line {
            text,
            tokens,
            words,
            has_word,
            classes,
            has_class,
        }
    }

    fn is_one_of(&self, at: usize, words: &[u16]) -> bool {
        self.words.get(at).is_some_and(|word| words.contains(word))
    }

    fn is_of(&self, at: usize, class: Class) -> bool {
        self.classes
            .get(at)
            .is_some_and(|classes| classes & class.bit() != 0)
    }

    /// What a token says.
    pub(super) fn token(&self, at: usize) -> &'a str {
        &self.text[self.tokens[at].span().range()]
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        match from < to {
            true => &self.text[self.tokens[from].start as usize..self.tokens[to - 1].end as usize],
            false => "",
        }
    }

    /// The line with something else in place of some tokens.
    pub(super) fn with(&self, from: usize, to: usize, instead: &str) -> String {
        let start = self.tokens[from].start as usize;
        let end = self.tokens[to - 1].end as usize;
        let (before, behind) = (&self.text[..start], &self.text[end..]);
        let behind = match instead.is_empty() || instead.ends_with(' ') {
            true => behind.trim_start(),
            false => behind,
        };
        let mut line = format!("{before}{instead}{behind}");
        line.truncate(line.trim_end().len());
        line
    }

    /// The line with something behind a token.
    pub(super) fn behind(&self, at: usize, more: &str) -> String {
        let end = self.tokens[at].end as usize;
        format!("{}{more}{}", &self.text[..end], &self.text[end..])
    }

    fn kind(&self, at: usize) -> Option<RuleTokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The token behind the partner of a bracket that opens.
    fn behind_bracket(&self, at: usize) -> Option<usize> {
        let mate = self.tokens.get(at)?.mate;
        (mate != RuleToken::ALONE && mate as usize > at).then(|| mate as usize + 1)
    }

    fn is_start(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        self.kind(before) == Some(RuleTokenKind::Semicolon)
            || before < 3 && matches!(self.token(before), "=" | ":")
    }

    fn is_end(&self, at: usize) -> bool {
        matches!(
            self.kind(at),
            None | Some(RuleTokenKind::Semicolon | RuleTokenKind::Comment)
        )
    }
}

/// What a part of a pattern stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// `$n`: a number, with its sign.
    Number,
    /// `$u`: a number without a sign.
    Unsigned,
    /// `$w`
    Word,
    /// `$c`: the name of a command.
    Command,
    /// `$C`: a whole effect.
    Effect,
    /// `$e`: an event.
    Event,
    /// `$a`
    Ability,
    /// `$z`
    Zone,
    /// `$f`: a word of a filter.
    Filter,
    /// `$s`: a subtype of the game.
    Subtype,
    /// `$k`: a type of cards, one or many.
    Type,
    /// `$o`: a sign that compares.
    Compare,
    /// `$q`: something in quotes.
    Quoted,
    /// `$t`: what stands together, as targets do.
    Target,
    /// `$x`: anything that has its brackets in pairs.
    Any,
}

impl Class {
    const fn bit(self) -> u16 {
        1 << self as u8
    }

    /// Whether one token alone is of it or not.
    fn is_of_tokens(self) -> bool {
        !matches!(self, Class::Number | Class::Effect | Class::Target | Class::Any)
    }
}

#[derive(Clone, Debug)]
enum Part {
    /// `^`: where a statement begins.
    Start,
    /// `^^`: where the line begins.
    LineStart,
    /// `$`: where a statement ends.
    End,
    /// `!(`: what must not follow.
    Not(u16),
    /// `the/a`: one of these; with `?` before it, or none.
    Words(Vec<u16>, bool),
    /// `%the/a`: one of these, which is taken.
    OneOf(Vec<u16>),
    Class(Class),
}

/// A pattern, and what is written in its place.
#[derive(Debug)]
pub(crate) struct Wording {
    cost: u32,
    parts: Vec<Part>,
    /// The classes of tokens without which it fits nowhere, one bit each.
    needs: u16,
    /// Whether it makes a line ask for targets that did not before.
    asks: bool,
    instead: &'static str,
}

/// The parts of a pattern that took tokens: from, to.
type Taken = Vec<(usize, usize)>;

impl Wording {
    pub(crate) fn new(
        cost: u32,
        pattern: &'static str,
        instead: &'static str,
        words: &mut PatternWords,
    ) -> Wording {
        let parts: Vec<Part> = pattern.split_whitespace().map(|text| part(text, words)).collect();
        let needs = parts.iter().fold(0, |all, part| match part {
            Part::Class(class) if class.is_of_tokens() => all | class.bit(),
            _ => all,
        });
        Wording {
            cost,
            parts,
            needs,
            asks: instead.contains(ASKS) && !pattern.starts_with("gettargets"),
            instead,
        }
    }

    /// Whether the line has what the pattern cannot do without.
    fn may_fit(&self, line: &Line<'_>) -> bool {
        let has = |words: &[u16]| {
            let mut words = words.iter();
            words.any(|word| line.has_word.get(usize::from(*word)).is_some_and(|is| *is))
        };
        self.needs & !line.has_class == 0
            && self.parts.iter().all(|part| match part {
                Part::Words(words, false) | Part::OneOf(words) => has(words),
                _ => true,
            })
    }

    /// Adds the lines that come of it.
    pub(super) fn rewrite(&self, line: &Line<'_>, out: &mut Vec<(u32, String)>) {
        // What asks for targets already is not asked for again.
        if !self.may_fit(line) || self.asks && line.text.contains(ASKS) {
            return;
        }
        for start in 0..line.tokens.len() {
            let mut fits = Vec::new();
            self.fit(line, 0, start, &mut Vec::new(), &mut fits);
            for (taken, end) in fits.into_iter().filter(|(_, end)| *end > start) {
                out.push((self.cost, line.with(start, end, &self.written(line, &taken))));
            }
        }
    }

    /// The first place where it fits: the bytes of the line that it takes, those of one of its parts, counted
    /// from 1, or all where `part` is 0, and what is written in place of all.
    pub(crate) fn find(&self, line: &Line<'_>, part: usize) -> Option<(Range<usize>, Range<usize>, String)> {
        if !self.may_fit(line) {
            return None;
        }
        let bytes = |from: usize, to: usize| {
            line.tokens[from].start as usize..line.tokens[to.max(from + 1) - 1].end as usize
        };
        (0..line.tokens.len()).find_map(|start| {
            let mut fits = Vec::new();
            self.fit(line, 0, start, &mut Vec::new(), &mut fits);
            let (taken, end) = fits.into_iter().find(|(_, end)| *end > start)?;
            let all = bytes(start, end);
            let place = part.checked_sub(1).and_then(|at| taken.get(at));
            let place = place.map_or(all.clone(), |(from, to)| bytes(*from, *to));
            Some((all, place, self.written(line, &taken)))
        })
    }

    fn written(&self, line: &Line<'_>, taken: &Taken) -> String {
        let mut pieces = self.instead.split('$');
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let capital = piece.starts_with('^');
            let (number, rest) = piece.trim_start_matches('^').split_at(1);
            let number: usize = number.parse().unwrap_or_default();
            if let Some((from, to)) = number.checked_sub(1).and_then(|at| taken.get(at)) {
                let slice = line.slice(*from, *to);
                let takes = self
                    .parts
                    .iter()
                    .filter(|part| matches!(part, Part::OneOf(_) | Part::Class(_)));
                let is_quoted = matches!(takes.clone().nth(number - 1), Some(Part::Class(Class::Quoted)));
                let slice = match is_quoted {
                    true => slice.trim_matches(['"', '\'']),
                    false => slice,
                };
                let first = slice.chars().next().filter(|_| capital);
                out.extend(first.map(|first| first.to_ascii_uppercase()));
                out += &slice[first.map_or(0, char::len_utf8)..];
            }
            out += rest;
        }
        out
    }

    fn fit(&self, line: &Line<'_>, part: usize, at: usize, taken: &mut Taken, out: &mut Vec<(Taken, usize)>) {
        if out.len() >= MOST_FITS {
            return;
        }
        let Some(this) = self.parts.get(part) else {
            out.push((taken.clone(), at));
            return;
        };
        match this {
            Part::Start if line.is_start(at) => self.fit(line, part + 1, at, taken, out),
            Part::LineStart if at == 0 => self.fit(line, part + 1, at, taken, out),
            Part::End if line.is_end(at) => self.fit(line, part + 1, at, taken, out),
            Part::Not(word) if line.words.get(at) != Some(word) => {
                self.fit(line, part + 1, at, taken, out);
            }
            Part::Start | Part::LineStart | Part::End | Part::Not(_) => {}
            Part::Words(words, optional) => {
                let is_one = line.is_one_of(at, words);
                if is_one {
                    self.fit(line, part + 1, at + 1, taken, out);
                }
                if *optional && !is_one {
                    self.fit(line, part + 1, at, taken, out);
                }
            }
            Part::OneOf(words) => {
                if line.is_one_of(at, words) {
                    taken.push((at, at + 1));
                    self.fit(line, part + 1, at + 1, taken, out);
                    taken.pop();
                }
            }
            Part::Class(class) if class.is_of_tokens() => {
                if line.is_of(at, *class) {
                    taken.push((at, at + 1));
                    self.fit(line, part + 1, at + 1, taken, out);
                    taken.pop();
                }
            }
            Part::Class(class) => {
                for end in ends(*class, line, at) {
                    taken.push((at, end));
                    self.fit(line, part + 1, end, taken, out);
                    taken.pop();
                }
            }
        }
    }
}

fn part(text: &str, known: &mut PatternWords) -> Part {
    let mut numbers = |words: &str| words.split('/').map(|word| known.add(word)).collect();
    let class = match text {
        "^" => return Part::Start,
        "^^" => return Part::LineStart,
        "$" => return Part::End,
        "$n" => Class::Number,
        "$u" => Class::Unsigned,
        "$w" => Class::Word,
        "$c" => Class::Command,
        "$C" => Class::Effect,
        "$e" => Class::Event,
        "$a" => Class::Ability,
        "$z" => Class::Zone,
        "$f" => Class::Filter,
        "$s" => Class::Subtype,
        "$k" => Class::Type,
        "$o" => Class::Compare,
        "$q" => Class::Quoted,
        "$t" => Class::Target,
        "$x" => Class::Any,
        _ => {
            return match text.split_at(1) {
                ("!", word) if !word.is_empty() && word != "=" => Part::Not(known.add(word)),
                ("%", words) if !words.is_empty() => Part::OneOf(numbers(words)),
                ("?", words) if !words.is_empty() => Part::Words(numbers(words), true),
                _ => Part::Words(numbers(text), false),
            };
        }
    };
    Part::Class(class)
}

/// The classes that one token is of, one bit each.
fn classes_of(kind: RuleTokenKind, word: &str, cards: &dyn PackageNames) -> u16 {
    use RuleTokenKind::{
        BangEqual, Equal, EqualEqual, Greater, GreaterEqual, Less, LessEqual, Number, Quoted, Word,
    };
    let compares = [
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        EqualEqual,
        BangEqual,
        Equal,
    ];
    let is_word = kind == Word;
    let is_subtype = || {
        let word = word.to_lowercase();
        let single = word.strip_suffix('s').unwrap_or(&word);
        [&*word, single].iter().any(|word| cards.subtype(word).is_some())
    };
    let classes = [
        (Class::Unsigned, kind == Number),
        (Class::Word, is_word),
        (Class::Command, CommandName::find(word).is_some()),
        (Class::Event, is_word && event_name(word).is_some()),
        (Class::Ability, Keyword::find(word).is_some()),
        (Class::Zone, find_zone(word).is_some()),
        (Class::Filter, FilterFlag::find(word).is_some()),
        (Class::Subtype, is_subtype()),
        (Class::Type, is_type(word)),
        (Class::Compare, compares.contains(&kind)),
        (Class::Quoted, kind == Quoted),
    ];
    let of = classes.iter().filter(|(_, is)| *is);
    of.fold(0, |all, (class, _)| all | class.bit())
}

/// Where something of a class that begins here may end.
fn ends(class: Class, line: &Line<'_>, at: usize) -> Vec<usize> {
    use RuleTokenKind::{Caret, Less, Minus, Number, Plus, Quoted, Semicolon, Star, Word};
    let Some(kind) = line.kind(at) else {
        return Vec::new();
    };
    let word = line.token(at);
    match class {
        Class::Number => match kind {
            Number => vec![at + 1],
            Plus | Minus if line.kind(at + 1) == Some(Number) => vec![at + 2],
            _ => Vec::new(),
        },
        Class::Effect => match kind {
            Plus | Minus => {
                let is_ability =
                    line.kind(at + 1) == Some(Word) && Keyword::find(line.token(at + 1)).is_some();
                match is_ability {
                    true => vec![at + 2],
                    false => Vec::new(),
                }
            }
            Word if CommandName::find(word).is_some() => {
                let open = at + 1 + usize::from(line.kind(at + 1) == Some(RuleTokenKind::Question));
                match line.kind(open) {
                    Some(RuleTokenKind::LeftParen) => line.behind_bracket(open).into_iter().collect(),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        },
        Class::Unsigned
        | Class::Word
        | Class::Command
        | Class::Event
        | Class::Ability
        | Class::Zone
        | Class::Filter
        | Class::Subtype
        | Class::Type
        | Class::Compare
        | Class::Quoted => Vec::new(),
        Class::Target => {
            let begins = matches!(kind, Word | Quoted | Less | Caret | Star);
            if !begins || CommandName::find(word).is_some() {
                return Vec::new();
            }
            let mut end = at;
            while let Some(token) = line.tokens.get(end) {
                let is_behind = end == at || line.tokens[end - 1].end == token.start;
                let closes = matches!(token.kind, Semicolon | RuleTokenKind::Comma)
                    || token.kind != Less && is_closing(token.kind);
                if !is_behind || closes {
                    break;
                }
                end = line.behind_bracket(end).unwrap_or(end + 1);
            }
            vec![end]
        }
        Class::Any => {
            let mut out = Vec::new();
            let mut end = at;
            while let Some(token) = line.tokens.get(end) {
                if matches!(token.kind, Semicolon | RuleTokenKind::Comment) || is_closing(token.kind) {
                    break;
                }
                end = line.behind_bracket(end).unwrap_or(end + 1);
                out.push(end);
            }
            out
        }
    }
}

fn is_closing(kind: RuleTokenKind) -> bool {
    use RuleTokenKind::{RightBrace, RightBracket, RightParen};
    matches!(kind, RightParen | RightBracket | RightBrace)
}

fn is_type(word: &str) -> bool {
    let one = word.strip_suffix(['s', 'S']).unwrap_or(word);
    [word, one].into_iter().any(|word| CardType::find(word).is_some())
}

fn list(cell: &'static OnceLock<Vec<String>>, words: impl FnOnce() -> Vec<String>) -> &'static [String] {
    cell.get_or_init(words)
}

fn closed<W: ClosedWord>() -> Vec<String> {
    W::ALL.iter().map(|word| word.word().to_owned()).collect()
}

/// The names of all commands.
pub(super) fn commands() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    list(&WORDS, closed::<CommandName>)
}

/// All abilities.
pub(super) fn abilities() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    list(&WORDS, closed::<Keyword>)
}

/// All events, with those who raise them before them.
pub(super) fn events() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    list(&WORDS, || {
        let mut words = closed::<cw_program::EventName>();
        for event in closed::<cw_program::EventName>() {
            for whose in ["my", "opp", "any"] {
                let (first, rest) = event.split_at(1);
                words.push(format!("{whose}{}{rest}", first.to_uppercase()));
            }
        }
        words
    })
}

/// All zones.
pub(super) fn zones() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    list(&WORDS, zone_words)
}

/// What expressions and targets name, and the words of the grammar.
pub(super) fn names() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    list(&WORDS, || {
        let mut words: Vec<String> = NAMES.iter().map(|name| name.word.to_owned()).collect();
        words.extend(FUNCTIONS.iter().map(|function| function.word.to_owned()));
        words.extend(closed::<FilterFlag>());
        words.extend(closed::<CardType>());
        let grammar = "action auto target vars label abilities requisite if else elif may to from ueot uynt \
            unac oppUeot in not and or players characters actions reactions bp sp hp size ring \
            controller owner subtype type name is for nil true false lowest any all once fromThis \
            x2 x3 top bottom player";
        words.extend(grammar.split(' ').map(str::to_owned));
        words
    })
}
