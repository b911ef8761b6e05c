//! Patterns of tokens, and what is written in their place.

use std::sync::OnceLock;

use cw_formula::{FUNCTIONS, NAMES};
use cw_program::{
    CardType, ClosedWord, CommandName, FilterFlag, Keyword, PackageNames, event_name, find_zone, zone_words,
};
use cw_syntax::{RuleToken, RuleTokenKind};

use crate::cards::KnownCards;

const ASKS: &str = "getTargets(";

/// How many ways one pattern fits at one place.
const MOST_FITS: usize = 6;

/// A line of a rule.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [RuleToken],
    cards: &'a KnownCards,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [RuleToken], cards: &'a KnownCards) -> Line<'a> {
        Line { text, tokens, cards }
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

#[derive(Clone, Debug)]
enum Part {
    /// `^`: where a statement begins.
    Start,
    /// `^^`: where the line begins.
    LineStart,
    /// `$`: where a statement ends.
    End,
    /// `!(`: what must not follow.
    Not(&'static str),
    /// `the/a`: one of these; with `?` before it, or none.
    Words(Vec<&'static str>, bool),
    /// `%the/a`: one of these, which is taken.
    OneOf(Vec<&'static str>),
    Class(Class),
}

/// A pattern, and what is written in its place.
#[derive(Debug)]
pub(super) struct Wording {
    cost: u32,
    parts: Vec<Part>,
    instead: &'static str,
}

/// The parts of a pattern that took tokens: from, to.
type Taken = Vec<(usize, usize)>;

impl Wording {
    pub(super) fn new(cost: u32, pattern: &'static str, instead: &'static str) -> Wording {
        let parts = pattern.split_whitespace().map(part).collect();
        Wording { cost, parts, instead }
    }

    /// Adds the lines that come of it.
    pub(super) fn rewrite(&self, line: &Line<'_>, out: &mut Vec<(u32, String)>) {
        // What asks for targets already is not asked for again.
        if self.instead.contains(ASKS) && line.text.contains(ASKS) {
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
            Part::Not(word)
                if line.tokens.get(at).is_none() || !line.token(at).eq_ignore_ascii_case(word) =>
            {
                self.fit(line, part + 1, at, taken, out);
            }
            Part::Start | Part::LineStart | Part::End | Part::Not(_) => {}
            Part::Words(words, optional) => {
                let is_one = at < line.tokens.len()
                    && words.iter().any(|word| word.eq_ignore_ascii_case(line.token(at)));
                if is_one {
                    self.fit(line, part + 1, at + 1, taken, out);
                }
                if *optional && !is_one {
                    self.fit(line, part + 1, at, taken, out);
                }
            }
            Part::OneOf(words) => {
                let is_one = at < line.tokens.len()
                    && words.iter().any(|word| word.eq_ignore_ascii_case(line.token(at)));
                if is_one {
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

fn part(text: &'static str) -> Part {
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
                ("!", word) if !word.is_empty() && word != "=" => Part::Not(word),
                ("%", words) if !words.is_empty() => Part::OneOf(words.split('/').collect()),
                ("?", words) if !words.is_empty() => Part::Words(words.split('/').collect(), true),
                _ => Part::Words(text.split('/').collect(), false),
            };
        }
    };
    Part::Class(class)
}

/// Where something of a class that begins here may end.
fn ends(class: Class, line: &Line<'_>, at: usize) -> Vec<usize> {
    use RuleTokenKind::{Caret, Less, LessEqual, Minus, Number, Plus, Quoted, Semicolon, Star, Word};
    let Some(kind) = line.kind(at) else {
        return Vec::new();
    };
    let word = line.token(at);
    let one = |fits: bool| match fits {
        true => vec![at + 1],
        false => Vec::new(),
    };
    match class {
        Class::Number => match kind {
            Number => vec![at + 1],
            Plus | Minus if line.kind(at + 1) == Some(Number) => vec![at + 2],
            _ => Vec::new(),
        },
        Class::Unsigned => one(kind == Number),
        Class::Word => one(kind == Word),
        Class::Command => one(CommandName::find(word).is_some()),
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
        Class::Event => one(kind == Word && event_name(word).is_some()),
        Class::Ability => one(Keyword::find(word).is_some()),
        Class::Zone => one(find_zone(word).is_some()),
        Class::Filter => one(FilterFlag::find(word).is_some()),
        Class::Subtype => {
            let word = word.to_lowercase();
            let single = word.strip_suffix('s').unwrap_or(&word);
            one([&*word, single]
                .iter()
                .any(|word| line.cards.subtype(word).is_some()))
        }
        Class::Type => one(is_type(word)),
        Class::Compare => {
            use RuleTokenKind::{BangEqual, Equal, EqualEqual, Greater, GreaterEqual};
            one(matches!(
                kind,
                Less | LessEqual | Greater | GreaterEqual | EqualEqual | BangEqual | Equal
            ))
        }
        Class::Quoted => one(kind == Quoted),
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
        let grammar = [
            "action",
            "auto",
            "target",
            "vars",
            "label",
            "abilities",
            "requisite",
            "if",
            "else",
            "elif",
            "may",
            "to",
            "from",
            "ueot",
            "uynt",
            "unac",
            "oppUeot",
            "in",
            "not",
            "and",
            "or",
            "players",
            "characters",
            "actions",
            "reactions",
            "bp",
            "sp",
            "hp",
            "size",
            "ring",
            "controller",
            "owner",
            "subtype",
            "type",
            "name",
            "is",
            "for",
            "nil",
            "true",
            "false",
            "lowest",
            "any",
            "all",
            "once",
            "fromThis",
            "x2",
            "x3",
            "top",
            "bottom",
            "player",
        ];
        words.extend(grammar.map(str::to_owned));
        words
    })
}
