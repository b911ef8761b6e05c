//! What a package's menu entries mean, read out of its scripts without running them (F29–F36).

use std::collections::BTreeMap;

use cw_octgn::{ActionDefinition, Tabletop};

/// How much is known about an entry (F33–F36).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// One effect, no condition, everything it needs is written: it is done at once.
    Exact,
    /// One effect: it is filled in for the seat to confirm.
    Likely,
    /// A message only: the entry's text is said.
    Says,
    /// A script: the table does not run it.
    Script,
}

/// What the text of a function does (F32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named after the rows of F32")]
pub enum Effect {
    Move,
    Draw,
    Marker,
    Create,
    Rotate,
    Highlight,
    Shuffle,
    Random,
    Dice,
    Turn,
    Look,
    Phase,
    ClearMarks,
    ShuffleInto,
    Counter,
    Form,
    Play,
    Board,
    Filter,
    Peek,
    Target,
    Control,
    Delete,
    Visibility,
}

/// A menu entry of the package (F30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageAction {
    /// The pile whose menu it stands in; the table's if none.
    pub pile: Option<String>,
    /// What the definition says.
    pub definition: ActionDefinition,
    /// The key, unless an earlier entry of the same menu has it (F194).
    pub key: Option<String>,
    /// How much is known.
    pub mark: Mark,
    /// What it does.
    pub effect: Option<Effect>,
    /// The verb that it means, as notation; `{cards}` and `{pile}` are what it is chosen on.
    pub lines: Vec<String>,
    /// Built-in verbs that fit the words of a script's menu text (F36).
    pub offers: Vec<&'static str>,
}

impl PackageAction {
    /// What the entry would do on these cards or this pile (as notation): what was recognised is filled in, and so
    /// is what was answered; what is still open is named.
    ///
    /// # Errors
    /// The names of what has to be said yet: `to`, `marker`, `colour`, `name` …
    pub fn filled(
        &self,
        cards: &str,
        pile: &str,
        answers: &BTreeMap<String, String>,
    ) -> Result<Vec<String>, Vec<String>> {
        let mut open: Vec<String> = Vec::new();
        let mut lines = Vec::new();
        for line in &self.lines {
            let mut out = String::new();
            let mut rest = line.as_str();
            while let Some((before, (name, after))) = rest
                .split_once('{')
                .and_then(|(before, inner)| Some((before, inner.split_once('}')?)))
            {
                out.push_str(before);
                let given = match name {
                    "cards" => Some(cards).filter(|cards| !cards.is_empty()),
                    "pile" => Some(pile).filter(|pile| !pile.is_empty()),
                    _ => None,
                };
                let given = given.or_else(|| answers.get(name).map(String::as_str));
                match given {
                    Some(given) => out.push_str(given),
                    None if !open.iter().any(|other| other == name) => open.push(name.to_owned()),
                    None => {}
                }
                rest = after;
            }
            out.push_str(rest);
            lines.push(out);
        }
        if open.is_empty() { Ok(lines) } else { Err(open) }
    }
}

/// Reads what every entry means. A pure function of the package.
pub fn recognise(top: &Tabletop, scripts: &[String]) -> Vec<PackageAction> {
    let library = Library::read(scripts, top);
    let mut found = Vec::new();
    let menus = std::iter::once((None, &top.actions)).chain(
        top.piles
            .iter()
            .chain(&top.shared_piles)
            .map(|pile| (Some(pile.name.to_string()), &pile.actions)),
    );
    for (pile, actions) in menus {
        let mut keys: Vec<(bool, String)> = Vec::new();
        for definition in actions {
            let written = definition.shortcut.as_ref().map(|key| key.trim().to_lowercase());
            let own = written
                .map(|key| (definition.of_card, key))
                .filter(|key| !keys.contains(key));
            keys.extend(own.clone());
            let meant = library.meaning(definition, pile.is_some());
            found.push(PackageAction {
                pile: pile.clone(),
                key: own.map(|(_, key)| key),
                mark: meant.mark,
                effect: meant.effect,
                lines: meant.lines,
                offers: if meant.mark == Mark::Script && !definition.separator {
                    offers(definition)
                } else {
                    Vec::new()
                },
                definition: definition.clone(),
            });
        }
    }
    found
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(String),
    Sign(char),
}

/// A top-level function: its tokens and how many lines it has.
#[derive(Debug, Default)]
struct Function {
    tokens: Vec<Token>,
    lines: usize,
}

struct Library {
    functions: BTreeMap<String, Function>,
    /// Constants of the top level that begin with a text: names of markers.
    constants: BTreeMap<String, String>,
    counters: Vec<String>,
}

struct Meaning {
    mark: Mark,
    effect: Option<Effect>,
    lines: Vec<String>,
}

/// Longer functions do more than one thing (F32).
const MOST_LINES: usize = 25;
/// How deep calls are followed (F31).
const DEPTH: usize = 3;
/// Bytes of scripts that are read.
const MOST_BYTES: usize = 16 << 20;

impl Library {
    fn read(scripts: &[String], top: &Tabletop) -> Library {
        let mut library = Library {
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            counters: top
                .counters
                .iter()
                .map(|counter| counter.name.to_string())
                .collect(),
        };
        let mut left = MOST_BYTES;
        for script in scripts {
            if script.len() > left {
                break;
            }
            left -= script.len();
            library.script(script);
        }
        library
    }

    fn script(&mut self, text: &str) {
        let clean = without_comments(text);
        let mut current: Option<(String, Function)> = None;
        for line in clean.lines() {
            let top = line.starts_with(|c: char| !c.is_whitespace());
            if top {
                if let Some((name, function)) = current.take() {
                    // The last definition of a name counts.
                    self.functions.insert(name, function);
                }
                if let Some(rest) = line.strip_prefix("def ") {
                    let name = rest.split('(').next().unwrap_or("").trim().to_owned();
                    let body = rest.split_once("):").map_or("", |(_, body)| body);
                    let mut function = Function::default();
                    if !body.trim().is_empty() {
                        function.tokens = tokens(body);
                        function.lines = 1;
                    }
                    current = Some((name, function));
                } else if let Some((name, value)) = line.split_once('=') {
                    let first = tokens(value).into_iter().find_map(|token| match token {
                        Token::Text(text) => Some(text),
                        _ => None,
                    });
                    if let Some(text) = first {
                        self.constants.insert(name.trim().to_owned(), text);
                    }
                }
            } else if let Some((_, function)) = &mut current
                && !line.trim().is_empty()
            {
                function.tokens.extend(tokens(line));
                function.lines += 1;
            }
        }
        if let Some((name, function)) = current {
            self.functions.insert(name, function);
        }
    }

    fn meaning(&self, definition: &ActionDefinition, in_pile: bool) -> Meaning {
        let script = Meaning {
            mark: Mark::Script,
            effect: None,
            lines: Vec::new(),
        };
        let Some(own) = self.functions.get(definition.execute.trim()) else {
            return script;
        };
        let mut found = Found::default();
        self.gather(definition.execute.trim(), DEPTH, &mut Vec::new(), &mut found);
        if found.script || found.lines > MOST_LINES {
            return script;
        }
        let condition = own.tokens.iter().any(
            |token| matches!(token, Token::Word(word) if matches!(word.as_str(), "if" | "elif" | "while")),
        );
        let Some((effect, parameter)) = found.only() else {
            if found.effects.is_empty() && found.says {
                return Meaning {
                    mark: Mark::Says,
                    effect: None,
                    lines: Vec::new(),
                };
            }
            return script;
        };
        let (effect, lines, complete) = line_of(effect, parameter, definition.of_card, in_pile);
        Meaning {
            mark: if complete && !condition {
                Mark::Exact
            } else {
                Mark::Likely
            },
            effect: Some(effect),
            lines,
        }
    }

    fn gather(&self, name: &str, depth: usize, seen: &mut Vec<String>, found: &mut Found) {
        if seen.iter().any(|other| other == name) {
            return;
        }
        seen.push(name.to_owned());
        let Some(function) = self.functions.get(name) else {
            return;
        };
        found.lines += function.lines;
        let tokens = &function.tokens;
        for at in 0..tokens.len() {
            self.effect_at(tokens, at, found);
            if let Token::Word(word) = &tokens[at]
                && depth > 0
                && tokens.get(at + 1) == Some(&Token::Sign('('))
                && !matches!(
                    at.checked_sub(1).map(|before| &tokens[before]),
                    Some(Token::Sign('.'))
                )
                && self.functions.contains_key(word)
            {
                self.gather(word, depth - 1, seen, found);
            }
        }
    }

    /// What begins at one token.
    fn effect_at(&self, tokens: &[Token], at: usize, found: &mut Found) {
        let Token::Word(word) = &tokens[at] else {
            return;
        };
        let after_dot = at > 0 && tokens[at - 1] == Token::Sign('.');
        let called = tokens.get(at + 1) == Some(&Token::Sign('('));
        let assigned = assigned(&tokens[at + 1..]);
        match word.as_str() {
            "moveTo" | "moveToBottom" if called => {
                let bottom = if word == "moveToBottom" { " bottom" } else { "" };
                let pile = self.pile_in(&tokens[at + 2..]);
                found.add(Effect::Move, pile.map(|pile| format!("{pile}{bottom}")));
            }
            "moveToTable" if called => found.add(Effect::Play, Some(String::new())),
            "markers" if tokens.get(at + 1) == Some(&Token::Sign('[')) => {
                if let Some(change) = marker_change(&tokens[at + 1..]) {
                    let name = match tokens.get(at + 2) {
                        Some(Token::Word(constant)) => self.constants.get(constant).cloned(),
                        Some(Token::Sign('(')) => text_of(tokens.get(at + 3)),
                        other => text_of(other),
                    };
                    found.add(
                        Effect::Marker,
                        name.map(|name| format!("{} {change}", quote(&name))),
                    );
                }
            }
            "create" if called => found.add(Effect::Create, None),
            "orientation" if after_dot && assigned => {
                let turn = tokens[at + 1..].iter().take(4).find_map(|token| match token {
                    Token::Word(word) => match word.as_str() {
                        "Rot0" => Some("to 0"),
                        "Rot90" => Some("toggle"),
                        "Rot180" => Some("by 180"),
                        "Rot270" => Some("by 270"),
                        _ => None,
                    },
                    _ => None,
                });
                found.add(Effect::Rotate, turn.map(str::to_owned));
            }
            "highlight" if after_dot && assigned => {
                let colour = tokens[at + 1..].iter().take(3).find_map(|token| match token {
                    Token::Text(text) if text.starts_with('#') => Some(text.clone()),
                    Token::Word(word) if word == "None" => Some("none".to_owned()),
                    Token::Word(word) => self
                        .constants
                        .get(word)
                        .filter(|text| text.starts_with('#'))
                        .cloned(),
                    _ => None,
                });
                found.add(Effect::Highlight, colour);
            }
            "filter" if after_dot && assigned => found.add(Effect::Filter, None),
            "shuffle" if called && after_dot => found.add(Effect::Shuffle, Some(String::new())),
            "rnd" | "random" if called => found.add(Effect::Dice, None),
            "isFaceUp" if after_dot && assigned => {
                let turn = tokens[at + 1..].iter().take(3).find_map(|token| match token {
                    Token::Word(word) if word == "True" => Some("up"),
                    Token::Word(word) if word == "False" => Some("down"),
                    Token::Word(word) if word == "not" => Some("over"),
                    _ => None,
                });
                found.add(Effect::Turn, turn.map(str::to_owned));
            }
            "lookAt" if called => found.add(Effect::Look, Some(String::new())),
            "setPhase" if called => {
                let number = match tokens.get(at + 2) {
                    Some(Token::Number(number)) => Some(format!("phase {number}")),
                    _ => None,
                };
                found.add(Effect::Phase, number);
            }
            "nextTurn" | "setActivePlayer" | "nextPhase" if called => {
                found.add(Effect::Phase, (word == "nextTurn").then(|| "pass".to_owned()));
            }
            "target" if called && after_dot => {
                let off = tokens.get(at + 2) == Some(&Token::Word("False".to_owned()));
                found.add(Effect::Target, Some(if off { "off" } else { "on" }.to_owned()));
            }
            "alternate" if after_dot && assigned => found.add(Effect::Form, Some(String::new())),
            "setBoard" | "board"
                if (called || assigned) && word == "setBoard" || after_dot && assigned && word == "board" =>
            {
                found.add(Effect::Board, None);
            }
            "peek" if called => found.add(Effect::Peek, Some(String::new())),
            "controller" if after_dot && assigned => found.add(Effect::Control, None),
            "delete" if called && after_dot => found.add(Effect::Delete, Some(String::new())),
            "visibility" if after_dot && assigned => found.add(Effect::Visibility, None),
            "counters" if tokens.get(at + 1) == Some(&Token::Sign('[')) => {
                let name = text_of(tokens.get(at + 2));
                let change = counter_change(&tokens[at + 1..]);
                if tokens[at + 1..]
                    .iter()
                    .take(8)
                    .any(|token| *token == Token::Sign('='))
                {
                    let line = name
                        .zip(change)
                        .map(|(name, change)| format!("{} {change}", quote(&name)));
                    found.add(Effect::Counter, line);
                }
            }
            "setGlobalVariable" | "remoteCall" | "webRead" | "webPost" | "openUrl" | "cardDlg"
            | "SystemWindow" | "setStop" | "resetGame" | "properties" | "clr" | "Application"
            | "MessageBox" => found.script = true,
            "notify" | "notifyAll" | "whisper" | "notifyBar" if called => found.says = true,
            name if after_dot && assigned && self.counters.iter().any(|counter| counter == name) => {
                let change = counter_change(&tokens[at + 1..]);
                found.add(
                    Effect::Counter,
                    change.map(|change| format!("{} {change}", quote(name))),
                );
            }
            _ => {}
        }
    }

    /// The pile that a call's first argument names.
    fn pile_in(&self, tokens: &[Token]) -> Option<String> {
        let argument: Vec<&Token> = tokens
            .iter()
            .take_while(|token| **token != Token::Sign(')'))
            .take(8)
            .collect();
        let word = |text: &str| {
            argument
                .iter()
                .any(|token| matches!(token, Token::Word(word) if word == text))
        };
        if word("hand") {
            return Some("Hand".to_owned());
        }
        if word("piles") {
            let name = argument.iter().find_map(|token| text_of(Some(token)))?;
            let shared = if word("shared") { "*/" } else { "" };
            return Some(format!("{shared}{}", quote(&name)));
        }
        None
    }
}

/// What a function's text does.
#[derive(Debug, Default)]
struct Found {
    effects: Vec<(Effect, Option<String>)>,
    says: bool,
    script: bool,
    lines: usize,
}

impl Found {
    fn add(&mut self, effect: Effect, parameter: Option<String>) {
        match self.effects.iter_mut().find(|(other, _)| *other == effect) {
            // Twice with different arguments: which is meant is not literal.
            Some((_, known)) if *known != parameter => *known = None,
            Some(_) => {}
            None => self.effects.push((effect, parameter)),
        }
    }

    /// The one row of F32 that all effects are.
    fn only(&self) -> Option<(Effect, Option<String>)> {
        let has = |effect: Effect| self.effects.iter().find(|(own, _)| *own == effect);
        let only = |effects: &[Effect]| {
            self.effects.iter().all(|(own, _)| effects.contains(own)) && has(effects[0]).is_some()
        };
        if let [(effect, parameter)] = &self.effects[..] {
            return Some((*effect, parameter.clone()));
        }
        if only(&[Effect::Dice, Effect::Move, Effect::Turn]) {
            return Some((
                Effect::Random,
                has(Effect::Move).and_then(|(_, pile)| pile.clone()),
            ));
        }
        if only(&[Effect::Move, Effect::Shuffle]) {
            return Some((
                Effect::ShuffleInto,
                has(Effect::Move).and_then(|(_, pile)| pile.clone()),
            ));
        }
        if only(&[Effect::Look, Effect::Shuffle]) {
            return Some((Effect::Look, Some(String::new())));
        }
        if only(&[Effect::Shuffle, Effect::Turn]) {
            return Some((Effect::Shuffle, Some(String::new())));
        }
        if only(&[Effect::Move, Effect::Turn]) {
            return has(Effect::Move).cloned();
        }
        if only(&[Effect::Target, Effect::Highlight, Effect::Filter])
            || only(&[Effect::Highlight, Effect::Filter])
        {
            return Some((Effect::ClearMarks, Some(String::new())));
        }
        None
    }
}

/// The verb that an effect means, and whether all it needs is there.
fn line_of(
    effect: Effect,
    parameter: Option<String>,
    of_card: bool,
    in_pile: bool,
) -> (Effect, Vec<String>, bool) {
    let known = parameter.is_some();
    let given = parameter.unwrap_or_default();
    let or = |text: &str| {
        if given.is_empty() {
            text.to_owned()
        } else {
            given.clone()
        }
    };
    let one = |line: String| vec![line];
    match effect {
        Effect::Move | Effect::Draw if !of_card && in_pile && given == "Hand" => {
            (Effect::Draw, one("draw {pile} 1".to_owned()), known)
        }
        Effect::Move | Effect::Draw if of_card => (
            Effect::Move,
            one(format!("move {{cards}} to {}", or("{to}"))),
            known,
        ),
        Effect::Move | Effect::Draw => (
            Effect::Move,
            one(format!("movetop {{pile}} 1 to {}", or("{to}"))),
            known,
        ),
        Effect::Marker => (
            effect,
            one(format!("marker {{cards}} {}", or("{marker} +1"))),
            known && of_card,
        ),
        Effect::Create => (effect, one("create {name}".to_owned()), false),
        Effect::Rotate if given == "toggle" => (effect, one("rotate {cards}".to_owned()), of_card),
        Effect::Rotate => (
            effect,
            one(format!("rotate {{cards}} {given}").trim_end().to_owned()),
            known && of_card,
        ),
        Effect::Highlight => (
            effect,
            one(format!("highlight {{cards}} {}", or("{colour}"))),
            known && of_card,
        ),
        Effect::Filter => (effect, one("filter {cards} {colour}".to_owned()), false),
        Effect::Shuffle => (effect, one("shuffle {pile}".to_owned()), in_pile && !of_card),
        Effect::Random if given.is_empty() => (effect, one("random {pile} 1 show".to_owned()), false),
        Effect::Random => (
            effect,
            one(format!("random {{pile}} 1 to {given}")),
            in_pile && !of_card,
        ),
        Effect::Dice => (effect, one("roll {dice}".to_owned()), false),
        Effect::Turn => (
            effect,
            one(format!("turn {{cards}} {}", or("over"))),
            known && of_card,
        ),
        Effect::Look => (effect, one("look {pile}".to_owned()), in_pile && !of_card),
        Effect::Phase => (effect, one(or("phase {phase}")), known),
        Effect::ClearMarks => (effect, one("clearmarks".to_owned()), true),
        Effect::ShuffleInto => {
            let pile = or("{to}");
            let shuffled = pile.trim_end_matches(" bottom").to_owned();
            let lines = vec![format!("move {{cards}} to {pile}"), format!("shuffle {shuffled}")];
            (effect, lines, known && of_card)
        }
        Effect::Counter => (effect, one(format!("counter {}", or("{counter} +1"))), known),
        Effect::Form => (effect, one("form {cards}".to_owned()), of_card),
        Effect::Play => (effect, one("move {cards} to table".to_owned()), of_card),
        Effect::Board => (effect, one("board {board}".to_owned()), false),
        Effect::Peek => (effect, one("peek {cards}".to_owned()), of_card),
        Effect::Target if given == "off" => (effect, one("untarget {cards}".to_owned()), of_card),
        Effect::Target => (effect, one("target {cards}".to_owned()), of_card),
        Effect::Control => (effect, one("give {cards} to {seat}".to_owned()), false),
        Effect::Delete => (effect, one("delete {cards}".to_owned()), of_card),
        Effect::Visibility => (effect, one("viewers {pile} {eyes}".to_owned()), false),
    }
}

/// Built-ins for words of a menu text (F36).
const OFFERS: [(&[&str], &str); 14] = [
    (&["counter", "marker", "token counter", "credit"], "marker"),
    (&["add", "remove", "lose", "gain", "damage", "pay"], "counter"),
    (&["play", "install", "deploy", "cast"], "move {cards} to table"),
    (&["phase", "step"], "phase"),
    (&["turn", "end"], "pass"),
    (&["discard", "trash", "destroy", "bury"], "move"),
    (&["flip", "turn over", "face"], "turn"),
    (&["draw"], "draw"),
    (&["target"], "target"),
    (&["tap", "rotate", "exhaust", "ready", "bow"], "rotate"),
    (&["look", "search", "inspect"], "look"),
    (&["shuffle", "mulligan"], "shuffle"),
    (&["token", "create"], "create"),
    (&["roll", "die", "coin", "random"], "roll"),
];

fn offers(definition: &ActionDefinition) -> Vec<&'static str> {
    let text = definition.menu.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let fits = |wanted: &&str| words.contains(wanted) || (wanted.contains(' ') && text.contains(*wanted));
    OFFERS
        .iter()
        .filter(|(wanted, _)| wanted.iter().any(&fits))
        .map(|(_, verb)| *verb)
        .collect()
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn text_of(token: Option<&Token>) -> Option<String> {
    match token {
        Some(Token::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Whether these tokens begin with an assignment: `=`, `+=`, `^=` …, not `==`.
fn assigned(tokens: &[Token]) -> bool {
    match tokens {
        [Token::Sign('='), Token::Sign('='), ..] => false,
        [Token::Sign('='), ..] => true,
        [
            Token::Sign('+' | '-' | '^' | '|' | '&' | '*' | '/' | '%'),
            Token::Sign('='),
            ..,
        ] => true,
        _ => false,
    }
}

/// After `markers`: `[…] += 1` and its kind.
fn marker_change(tokens: &[Token]) -> Option<String> {
    let end = closing(tokens)?;
    let rest = &tokens[end + 1..];
    assigned(rest).then(|| change_of(rest).unwrap_or_else(|| "+1".to_owned()))
}

fn counter_change(tokens: &[Token]) -> Option<String> {
    let from = match tokens.first() {
        Some(Token::Sign('[')) => closing(tokens)? + 1,
        _ => 0,
    };
    let rest = tokens[from..]
        .iter()
        .position(|token| matches!(token, Token::Sign('+' | '-' | '=')))?;
    change_of(&tokens[from + rest..])
}

/// `+= 2` is `+2`, `-= 1` is `-1`, `= 0` is `=0`; only where a number is written.
fn change_of(tokens: &[Token]) -> Option<String> {
    match tokens {
        [
            Token::Sign(sign @ ('+' | '-')),
            Token::Sign('='),
            Token::Number(number),
            ..,
        ] => Some(format!("{sign}{number}")),
        [Token::Sign('='), Token::Number(number), ..] => Some(format!("={number}")),
        _ => None,
    }
}

fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('[') => depth += 1,
            Token::Sign(']') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// A script without comments and without texts that stand alone in three quotes.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut fresh = true;
    while let Some(c) = rest.chars().next() {
        if c == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        if rest.starts_with("\"\"\"") || rest.starts_with("'''") {
            let mark = &rest[..3];
            let end = rest[3..].find(mark).map_or(rest.len(), |end| end + 6);
            if !fresh {
                out.push_str(&rest[..end].replace('\n', " "));
            }
            rest = &rest[end..];
            continue;
        }
        if c == '"' || c == '\'' {
            let end = string_end(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            fresh = false;
            continue;
        }
        fresh = if c == '\n' {
            true
        } else {
            fresh && c.is_whitespace()
        };
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Bytes of the text in quotes that a line begins with.
fn string_end(rest: &str) -> usize {
    let mut chars = rest.char_indices();
    let Some((_, mark)) = chars.next() else {
        return 0;
    };
    let mut escaped = false;
    for (at, c) in chars {
        match c {
            '\n' => return at,
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            c if c == mark && !escaped => return at + c.len_utf8(),
            _ => {}
        }
        escaped = false;
    }
    rest.len()
}

fn tokens(line: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = if c.is_alphabetic() || c == '_' {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let word = &rest[..end];
            let prefix = matches!(word, "u" | "r" | "ur" | "b") && rest[end..].starts_with(['"', '\'']);
            if !prefix {
                out.push(Token::Word(word.to_owned()));
            }
            end
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            out.push(Token::Number(rest[..end].to_owned()));
            end
        } else if c == '"' || c == '\'' {
            let end = string_end(rest);
            let inner = rest[..end].trim_matches(c).replace('\\', "");
            out.push(Token::Text(inner));
            end
        } else {
            out.push(Token::Sign(c));
            c.len_utf8()
        };
        rest = rest[length..].trim_start();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r##"
Worm = ("Worm", "worm-id")
# a comment with def hidden():
def pick(card, x = 0, y = 0):
    """Puts it into the basket: shuffle()"""
    mute()
    card.moveTo(me.piles['Basket'])
    notify("{} picks {}".format(me, card))

def drawOne(group):
    group[0].moveTo(me.hand)

def drawIf(group):
    if len(group) == 0: return
    group[0].moveTo(me.hand)

def worm(card):
    card.markers[Worm] += 1

def turnAside(card):
    card.orientation ^= Rot90

def wait(group): notify("{} waits".format(me))

def rain(group):
    me.Luck -= 2

def back(card):
    card.moveToBottom(me.piles["Deck"])
    me.piles["Deck"].shuffle()

def storm(group):
    setGlobalVariable("storm", "1")
    me.Luck = 0

def outer(card):
    pick(card)
"##;

    fn meaning(execute: &str, of_card: bool, in_pile: bool) -> (Mark, Option<Effect>, String) {
        let top = Tabletop {
            counters: vec![cw_octgn::CounterDefinition {
                name: "Luck".into(),
                ..Default::default()
            }],
            ..Tabletop::default()
        };
        let library = Library::read(&[SCRIPT.to_owned()], &top);
        let definition = ActionDefinition {
            of_card,
            execute: execute.into(),
            ..ActionDefinition::default()
        };
        let found = library.meaning(&definition, in_pile);
        (found.mark, found.effect, found.lines.join("; "))
    }

    #[track_caller]
    fn check(execute: &str, of_card: bool, expected: (Mark, Option<Effect>, &str)) {
        let (mark, effect, lines) = meaning(execute, of_card, !of_card);
        assert_eq!((mark, effect, lines.as_str()), expected, "{execute}");
    }

    /// F31–F36: what a function does is read, also through calls; nothing is run (F29).
    #[test]
    fn functions_are_recognised() {
        check(
            "pick",
            true,
            (Mark::Exact, Some(Effect::Move), "move {cards} to \"Basket\""),
        );
        check(
            "outer",
            true,
            (Mark::Exact, Some(Effect::Move), "move {cards} to \"Basket\""),
        );
        check(
            "drawOne",
            false,
            (Mark::Exact, Some(Effect::Draw), "draw {pile} 1"),
        );
        check(
            "drawIf",
            false,
            (Mark::Likely, Some(Effect::Draw), "draw {pile} 1"),
        );
        check(
            "worm",
            true,
            (Mark::Exact, Some(Effect::Marker), "marker {cards} \"Worm\" +1"),
        );
        check(
            "turnAside",
            true,
            (Mark::Exact, Some(Effect::Rotate), "rotate {cards}"),
        );
        check("wait", false, (Mark::Says, None, ""));
        check(
            "rain",
            false,
            (Mark::Exact, Some(Effect::Counter), "counter \"Luck\" -2"),
        );
        check(
            "back",
            true,
            (
                Mark::Exact,
                Some(Effect::ShuffleInto),
                "move {cards} to \"Deck\" bottom; shuffle \"Deck\"",
            ),
        );
        check("storm", false, (Mark::Script, None, ""));
        check("nowhere", false, (Mark::Script, None, ""));
    }

    /// F36: a script's entry offers what fits its words.
    #[test]
    fn scripts_offer_built_ins() {
        let definition = ActionDefinition {
            menu: "Draw and discard".into(),
            ..ActionDefinition::default()
        };
        assert_eq!(offers(&definition), ["move", "draw"]);
    }
}
