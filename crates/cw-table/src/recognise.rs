//! What a package's menu entries mean, read out of its scripts without running them (F29–F36).

use std::collections::BTreeMap;

use cw_octgn::{ActionDefinition, Tabletop};

/// How much is known about an entry (F33–F36).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryMark {
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
pub enum ScriptEffect {
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
    pub mark: EntryMark,
    /// What it does.
    pub effect: Option<ScriptEffect>,
    /// The verb that it means, as notation: `{cards}` and `{pile}` are what it is chosen on, `{to=Deck}` is
    /// what was recognised and can be changed, `{to}` what has to be said.
    pub lines: Vec<String>,
    /// Built-in verbs that fit the words of a script's menu text (F36).
    pub offers: Vec<&'static str>,
}

impl PackageAction {
    /// What the entry would do on these cards or this pile (as notation): what was answered is filled in,
    /// else what was recognised; what is still open is named.
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
        let mut fill = |hole: &Hole<'_>| {
            let given = match hole.name {
                "cards" => Some(cards).filter(|cards| !cards.is_empty()),
                "pile" => Some(pile).filter(|pile| !pile.is_empty()),
                _ => None,
            };
            let answer = answers.get(hole.name).map(String::as_str);
            // A pile that the text names is meant wherever the entry was chosen.
            let found = answer.or(hole.known).or(given);
            if found.is_none() && !open.iter().any(|other| other == hole.name) {
                open.push(hole.name.to_owned());
            }
            found.unwrap_or_default().to_owned()
        };
        let lines: Vec<String> = self
            .lines
            .iter()
            .map(|line| fill_holes(line, &mut fill))
            .collect();
        if open.is_empty() { Ok(lines) } else { Err(open) }
    }

    /// What an entry can be given, in the order of its lines, each with what was recognised: the fields of
    /// its form. What it is chosen on (`cards`, `pile`) is a field, too.
    pub fn fields(&self) -> Vec<(String, Option<String>)> {
        let mut fields: Vec<(String, Option<String>)> = Vec::new();
        for line in &self.lines {
            fill_holes(line, &mut |hole: &Hole<'_>| {
                if !fields.iter().any(|(name, _)| name == hole.name) {
                    fields.push((hole.name.to_owned(), hole.known.map(str::to_owned)));
                }
                String::new()
            });
        }
        fields
    }

    /// The lines with what was recognised in its place; what is open stands in braces.
    pub fn shown(&self) -> Vec<String> {
        let shown = |hole: &Hole<'_>| match hole.known {
            Some(known) => known.to_owned(),
            None => format!("{{{}}}", hole.name),
        };
        self.lines
            .iter()
            .map(|line| fill_holes(line, &mut { shown }))
            .collect()
    }
}

/// A place of a line that is filled in: `{to}`, or `{to=Deck}` where it was recognised.
struct Hole<'a> {
    name: &'a str,
    known: Option<&'a str>,
}

fn fill_holes(line: &str, fill: &mut dyn FnMut(&Hole<'_>) -> String) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, (inside, after))) = rest
        .split_once('{')
        .and_then(|(before, inner)| Some((before, inner.split_once('}')?)))
    {
        out.push_str(before);
        let (name, known) = match inside.split_once('=') {
            Some((name, known)) => (name, Some(known)),
            None => (inside, None),
        };
        out.push_str(&fill(&Hole { name, known }));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A hole with what was recognised, if that can stand in one.
fn hole(name: &str, known: Option<&str>) -> String {
    match known.filter(|known| !known.contains(['{', '}'])) {
        Some(known) => format!("{{{name}={known}}}"),
        None => format!("{{{name}}}"),
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
                offers: if meant.mark == EntryMark::Script && !definition.separator {
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
enum FunctionToken {
    Word(String),
    Text(String),
    Number(String),
    Sign(char),
}

/// A top-level function: its tokens and how many lines it has.
#[derive(Debug, Default)]
struct ScriptFunction {
    tokens: Vec<FunctionToken>,
    lines: usize,
    /// Its first parameter: the card or the group that the entry was chosen on.
    group: String,
}

/// The first parameter of a function's head, `pick(card, x = 0)`.
fn parameter(head: &str) -> String {
    let inside = head.split_once('(').map_or("", |(_, inside)| inside);
    let first = inside.split([',', ')', '=']).next().unwrap_or("");
    first.trim().to_owned()
}

struct Library {
    functions: BTreeMap<String, ScriptFunction>,
    /// Constants of the top level that begin with a text: names of markers.
    constants: BTreeMap<String, String>,
    counters: Vec<String>,
}

struct EntryMeaning {
    mark: EntryMark,
    effect: Option<ScriptEffect>,
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
        let mut current: Option<(String, ScriptFunction)> = None;
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
                    let mut function = ScriptFunction {
                        group: parameter(rest),
                        ..ScriptFunction::default()
                    };
                    if !body.trim().is_empty() {
                        function.tokens = tokens(body);
                        function.lines = 1;
                    }
                    current = Some((name, function));
                } else if let Some((name, value)) = line.split_once('=') {
                    let first = tokens(value).into_iter().find_map(|token| match token {
                        FunctionToken::Text(text) => Some(text),
                        _ => None,
                    });
                    if let Some(text) = first {
                        self.constants.insert(name.trim().to_owned(), text);
                    }
                }
            } else if let Some((_, function)) = &mut current
                && !line.trim().is_empty()
            {
                function.tokens.push(FunctionToken::Sign('\n'));
                function.tokens.extend(tokens(line));
                function.lines += 1;
            }
        }
        if let Some((name, function)) = current {
            self.functions.insert(name, function);
        }
    }

    fn meaning(&self, definition: &ActionDefinition, in_pile: bool) -> EntryMeaning {
        let script = EntryMeaning {
            mark: EntryMark::Script,
            effect: None,
            lines: Vec::new(),
        };
        let Some(own) = self.functions.get(definition.execute.trim()) else {
            return script;
        };
        let mut found = RecognisedText::default();
        self.gather(definition.execute.trim(), DEPTH, &mut Vec::new(), &mut found);
        if found.script || found.lines > MOST_LINES {
            return script;
        }
        let condition = own.tokens.iter().any(|token| {
            matches!(
                token,
                FunctionToken::Word(word) if matches!(word.as_str(), "if" | "elif" | "while")
            )
        });
        let Some((effect, parameter)) = found.only() else {
            if found.effects.is_empty() && found.says {
                return EntryMeaning {
                    mark: EntryMark::Says,
                    effect: None,
                    lines: Vec::new(),
                };
            }
            return script;
        };
        let place = EntryPlace {
            of_card: definition.of_card,
            in_pile,
            many: found.many.clone(),
            from: found.from.clone(),
            targeted: found.targeted,
            asked: found.asked,
        };
        let (effect, lines) = line_of(effect, parameter, &place);
        let complete = lines.iter().all(|line| is_complete(line, &place));
        EntryMeaning {
            mark: if complete && !condition {
                EntryMark::Exact
            } else {
                EntryMark::Likely
            },
            effect: Some(effect),
            lines,
        }
    }

    fn gather(&self, name: &str, depth: usize, seen: &mut Vec<String>, found: &mut RecognisedText) {
        if seen.iter().any(|other| other == name) {
            return;
        }
        seen.push(name.to_owned());
        let Some(function) = self.functions.get(name) else {
            return;
        };
        found.lines += function.lines;
        let tokens = &function.tokens;
        found.asked |= tokens.iter().any(|token| is_word(token, "askInteger"));
        found.targeted |= tokens.iter().any(|token| is_word(token, "targetedBy"));
        for at in 0..tokens.len() {
            self.loop_at(tokens, at, &function.group, found);
            self.source_at(tokens, at, found);
            self.effect_at(tokens, at, found);
            if let FunctionToken::Word(word) = &tokens[at]
                && depth > 0
                && tokens.get(at + 1) == Some(&FunctionToken::Sign('('))
                && !matches!(
                    at.checked_sub(1).map(|before| &tokens[before]),
                    Some(FunctionToken::Sign('.'))
                )
                && self.functions.contains_key(word)
            {
                self.gather(word, depth - 1, seen, found);
            }
        }
    }

    /// `for … in …`: how many cards it is done to, and where they come from.
    fn loop_at(&self, tokens: &[FunctionToken], at: usize, group: &str, found: &mut RecognisedText) {
        if !is_word(&tokens[at], "for") {
            return;
        }
        let rest = &tokens[at + 1..];
        let Some(from) = rest.iter().take(6).position(|token| is_word(token, "in")) else {
            return;
        };
        let over = &rest[from + 1..];
        let end = end_of(over);
        let over = &over[..end];
        let called = |name: &str| {
            let at = over.iter().position(|token| is_word(token, name))?;
            (over.get(at + 1) == Some(&FunctionToken::Sign('('))).then(|| &over[at + 2..])
        };
        let many = if let Some(inside) = called("top") {
            Many::Some(number_in(inside), "")
        } else if let Some(inside) = called("bottom") {
            Many::Some(number_in(inside), " bottom")
        } else if called("len").is_some() {
            Many::All(None)
        } else if let Some(inside) = called("range").or_else(|| called("xrange")) {
            Many::Some(number_in(last_argument(inside)), "")
        } else if over.iter().any(|token| is_word(token, "table")) {
            Many::Table
        } else if matches!(over, [FunctionToken::Word(word)] if word == group) {
            Many::All(None)
        } else if let Some(pile) = self.pile_in(over) {
            Many::All(Some(pile))
        } else {
            return;
        };
        // The outer loop says how many; an inner one only goes through them.
        if found.many == Many::One {
            found.many = many;
        }
    }

    /// A pile that cards are taken from by name: `me.piles['Deck'].top()`, `me.piles['Deck'][0]`.
    fn source_at(&self, tokens: &[FunctionToken], at: usize, found: &mut RecognisedText) {
        if !is_word(&tokens[at], "piles") || tokens.get(at + 1) != Some(&FunctionToken::Sign('[')) {
            return;
        }
        let Some(end) = closing(&tokens[at + 1..]) else {
            return;
        };
        let after = &tokens[at + 2 + end..];
        let takes = match after {
            [FunctionToken::Sign('['), ..] => true,
            [FunctionToken::Sign('.'), FunctionToken::Word(word), ..] => {
                matches!(word.as_str(), "top" | "bottom" | "random" | "shuffle" | "lookAt")
            }
            _ => false,
        };
        if takes && let Some(name) = text_of(tokens.get(at + 2)) {
            found.from.get_or_insert(quote(&name));
        }
    }

    /// What begins at one token.
    fn effect_at(&self, tokens: &[FunctionToken], at: usize, found: &mut RecognisedText) {
        let FunctionToken::Word(word) = &tokens[at] else {
            return;
        };
        let after_dot = at > 0 && tokens[at - 1] == FunctionToken::Sign('.');
        let called = tokens.get(at + 1) == Some(&FunctionToken::Sign('('));
        let assigned = assigned(&tokens[at + 1..]);
        match word.as_str() {
            "moveTo" | "moveToBottom" if called => {
                let spot = match index_of(&tokens[at + 2..]) {
                    _ if word == "moveToBottom" => " bottom".to_owned(),
                    None => String::new(),
                    Some(Some(0)) => " top".to_owned(),
                    Some(Some(place)) => format!(" at {}", place.saturating_add(1)),
                    Some(None) => " at {n}".to_owned(),
                };
                let pile = self.pile_in(&tokens[at + 2..]);
                found.add(
                    ScriptEffect::Move,
                    Some(format!("{}{spot}", hole("to", pile.as_deref()))),
                );
            }
            "moveToTable" if called => found.add(ScriptEffect::Play, Some(String::new())),
            "markers" if tokens.get(at + 1) == Some(&FunctionToken::Sign('[')) => {
                if let Some(change) = marker_change(&tokens[at + 1..]) {
                    let name: Option<String> = match tokens.get(at + 2) {
                        Some(FunctionToken::Word(constant)) => self.constants.get(constant).cloned(),
                        Some(FunctionToken::Sign('(')) => text_of(tokens.get(at + 3)),
                        other => text_of(other),
                    };
                    let name = name.map(|name| quote(&name));
                    found.add(
                        ScriptEffect::Marker,
                        Some(format!("{} {change}", hole("marker", name.as_deref()))),
                    );
                }
            }
            "create" if called => found.add(ScriptEffect::Create, None),
            "orientation" if after_dot && assigned => {
                let turn = tokens[at + 1..].iter().take(4).find_map(|token| match token {
                    FunctionToken::Word(word) => match word.as_str() {
                        "Rot0" => Some("to 0"),
                        "Rot90" => Some("toggle"),
                        "Rot180" => Some("by 180"),
                        "Rot270" => Some("by 270"),
                        _ => None,
                    },
                    _ => None,
                });
                found.add(ScriptEffect::Rotate, turn.map(str::to_owned));
            }
            "highlight" if after_dot && assigned => {
                let colour = tokens[at + 1..].iter().take(3).find_map(|token| match token {
                    FunctionToken::Text(text) if text.starts_with('#') => Some(text.clone()),
                    FunctionToken::Word(word) if word == "None" => Some("none".to_owned()),
                    FunctionToken::Word(word) => self
                        .constants
                        .get(word)
                        .filter(|text| text.starts_with('#'))
                        .cloned(),
                    _ => None,
                });
                found.add(ScriptEffect::Highlight, colour);
            }
            "filter" if after_dot && assigned => found.add(ScriptEffect::Filter, None),
            "shuffle" if called && after_dot => found.add(ScriptEffect::Shuffle, Some(String::new())),
            // OCTGN's scripts wait by drawing a number that nobody uses.
            "rnd" if called && begins_line(tokens, at) => {}
            "rnd" if called => found.add(ScriptEffect::Dice, bounds(&tokens[at + 2..])),
            "random" if called => found.add(ScriptEffect::Dice, None),
            "isFaceUp" if after_dot && assigned => {
                let turn = tokens[at + 1..].iter().take(3).find_map(|token| match token {
                    FunctionToken::Word(word) if word == "True" => Some("up"),
                    FunctionToken::Word(word) if word == "False" => Some("down"),
                    FunctionToken::Word(word) if word == "not" => Some("over"),
                    _ => None,
                });
                found.add(ScriptEffect::Turn, turn.map(str::to_owned));
            }
            "lookAt" if called => found.add(ScriptEffect::Look, Some(String::new())),
            "setPhase" if called => {
                let number = match tokens.get(at + 2) {
                    Some(FunctionToken::Number(number)) => Some(format!("phase {number}")),
                    _ => None,
                };
                found.add(ScriptEffect::Phase, number);
            }
            "nextTurn" | "setActivePlayer" | "nextPhase" if called => {
                found.add(
                    ScriptEffect::Phase,
                    (word == "nextTurn").then(|| "pass".to_owned()),
                );
            }
            "target" if called && after_dot => {
                let off = tokens.get(at + 2) == Some(&FunctionToken::Word("False".to_owned()));
                found.add(
                    ScriptEffect::Target,
                    Some(if off { "off" } else { "on" }.to_owned()),
                );
            }
            "alternate" if after_dot && assigned => found.add(ScriptEffect::Form, Some(String::new())),
            "setBoard" | "board"
                if (called || assigned) && word == "setBoard" || after_dot && assigned && word == "board" =>
            {
                found.add(ScriptEffect::Board, None);
            }
            "peek" if called => found.add(ScriptEffect::Peek, Some(String::new())),
            "controller" if after_dot && assigned => found.add(ScriptEffect::Control, None),
            "delete" if called && after_dot => found.add(ScriptEffect::Delete, Some(String::new())),
            "visibility" if after_dot && assigned => found.add(ScriptEffect::Visibility, None),
            "counters" if tokens.get(at + 1) == Some(&FunctionToken::Sign('[')) => {
                let name = text_of(tokens.get(at + 2));
                let change = counter_change(&tokens[at + 1..]);
                if tokens[at + 1..]
                    .iter()
                    .take(8)
                    .any(|token| *token == FunctionToken::Sign('='))
                {
                    let name = name.map(|name| quote(&name));
                    let change = change.unwrap_or_else(|| hole("change", None));
                    found.add(
                        ScriptEffect::Counter,
                        Some(format!("{} {change}", hole("counter", name.as_deref()))),
                    );
                }
            }
            "setGlobalVariable" | "remoteCall" | "webRead" | "webPost" | "openUrl" | "cardDlg"
            | "SystemWindow" | "setStop" | "resetGame" | "properties" | "clr" | "Application"
            | "MessageBox" => found.script = true,
            "notify" | "notifyAll" | "whisper" | "notifyBar" if called => found.says = true,
            name if after_dot && assigned && self.counters.iter().any(|counter| counter == name) => {
                let change = counter_change(&tokens[at + 1..]).unwrap_or_else(|| hole("change", None));
                found.add(
                    ScriptEffect::Counter,
                    Some(format!("{} {change}", hole("counter", Some(&quote(name))))),
                );
            }
            _ => {}
        }
    }

    /// The pile that a call's first argument names.
    fn pile_in(&self, tokens: &[FunctionToken]) -> Option<String> {
        let argument: Vec<&FunctionToken> = tokens
            .iter()
            .take_while(|token| **token != FunctionToken::Sign(')'))
            .take(8)
            .collect();
        let word = |text: &str| {
            argument
                .iter()
                .any(|token| matches!(token, FunctionToken::Word(word) if word == text))
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
struct RecognisedText {
    effects: Vec<(ScriptEffect, Option<String>)>,
    says: bool,
    script: bool,
    lines: usize,
    /// A number is asked for.
    asked: bool,
    /// It looks at what the seat targets.
    targeted: bool,
    many: Many,
    from: Option<String>,
}

/// To how many cards something is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Many {
    #[default]
    One,
    /// So many from a pile's end, if the number is written there.
    Some(Option<u64>, &'static str),
    /// All of the pile that it is chosen on, or of a pile that is named.
    All(Option<String>),
    /// Cards of the table.
    Table,
}

/// What an entry is chosen on, and what its text says about that.
struct EntryPlace {
    of_card: bool,
    in_pile: bool,
    many: Many,
    from: Option<String>,
    targeted: bool,
    asked: bool,
}

impl EntryPlace {
    /// The pile that something is done with.
    fn pile(&self) -> String {
        match &self.many {
            Many::All(Some(pile)) => hole("pile", Some(pile)),
            _ => hole("pile", self.from.as_deref().filter(|_| !self.in_pile)),
        }
    }

    /// The cards that something is done to: where no card is chosen, those of the seat on the table, or its
    /// targets.
    fn cards(&self) -> String {
        if self.of_card {
            return "{cards}".to_owned();
        }
        let whole = if self.targeted {
            "table:targeted"
        } else {
            "table:mine"
        };
        hole(
            "cards",
            (self.targeted || self.many == Many::Table).then_some(whole),
        )
    }

    /// How many are taken from the end of a pile.
    fn count(&self) -> (String, &'static str) {
        match self.many {
            Many::Some(Some(number), end) => (hole("n", Some(&number.to_string())), end),
            Many::Some(None, end) => (hole("n", None), end),
            // A number is asked for, and nothing else says what it is of.
            Many::One if self.asked => (hole("n", None), ""),
            Many::One | Many::All(_) | Many::Table => (hole("n", Some("1")), ""),
        }
    }
}

impl RecognisedText {
    fn add(&mut self, effect: ScriptEffect, parameter: Option<String>) {
        match self.effects.iter_mut().find(|(other, _)| *other == effect) {
            // Twice with different arguments: which is meant is not literal.
            Some((_, known)) if *known != parameter => {
                *known = common(known.as_deref(), parameter.as_deref());
            }
            Some(_) => {}
            None => self.effects.push((effect, parameter)),
        }
    }

    /// The one row of F32 that all effects are.
    fn only(&self) -> Option<(ScriptEffect, Option<String>)> {
        let has = |effect: ScriptEffect| self.effects.iter().find(|(own, _)| *own == effect);
        let only = |effects: &[ScriptEffect]| {
            self.effects.iter().all(|(own, _)| effects.contains(own)) && has(effects[0]).is_some()
        };
        if let [(effect, parameter)] = &self.effects[..] {
            return Some((*effect, parameter.clone()));
        }
        if only(&[ScriptEffect::Dice, ScriptEffect::Move, ScriptEffect::Turn]) {
            return Some((
                ScriptEffect::Random,
                has(ScriptEffect::Move).and_then(|(_, pile)| pile.clone()),
            ));
        }
        if only(&[ScriptEffect::Move, ScriptEffect::Shuffle]) {
            return Some((
                ScriptEffect::ShuffleInto,
                has(ScriptEffect::Move).and_then(|(_, pile)| pile.clone()),
            ));
        }
        if only(&[ScriptEffect::Look, ScriptEffect::Shuffle]) {
            return Some((ScriptEffect::Look, Some(String::new())));
        }
        if only(&[ScriptEffect::Shuffle, ScriptEffect::Turn]) {
            return Some((ScriptEffect::Shuffle, Some(String::new())));
        }
        if only(&[ScriptEffect::Move, ScriptEffect::Turn]) {
            return has(ScriptEffect::Move).cloned();
        }
        if only(&[
            ScriptEffect::Target,
            ScriptEffect::Highlight,
            ScriptEffect::Filter,
        ]) || only(&[ScriptEffect::Highlight, ScriptEffect::Filter])
        {
            return Some((ScriptEffect::ClearMarks, Some(String::new())));
        }
        None
    }
}

/// What two texts with holes have in common: holes that differ are open.
fn common(one: Option<&str>, other: Option<&str>) -> Option<String> {
    let (one, other) = (one?, other?);
    let parts = |text: &str| -> Vec<String> { text.split_inclusive('}').map(str::to_owned).collect() };
    let (one, other) = (parts(one), parts(other));
    if one.len() != other.len() {
        return None;
    }
    let both = one.iter().zip(&other).map(|(one, other)| {
        if one == other {
            return Some(one.clone());
        }
        let head = |text: &str| text.split(['=', '}']).next().unwrap_or_default().to_owned();
        (one.ends_with('}') && head(one) == head(other)).then(|| format!("{}}}", head(one)))
    });
    both.collect()
}

/// All that a line needs is written in the text; what it is chosen on is not counted.
fn is_complete(line: &str, place: &EntryPlace) -> bool {
    let mut complete = true;
    fill_holes(line, &mut |hole: &Hole<'_>| {
        let chosen =
            hole.name == "cards" && place.of_card || hole.name == "pile" && place.in_pile && !place.of_card;
        complete &= chosen || hole.known.is_some();
        String::new()
    });
    complete
}

/// The verb that an effect means. What has to be said is a hole in it.
fn line_of(
    effect: ScriptEffect,
    parameter: Option<String>,
    place: &EntryPlace,
) -> (ScriptEffect, Vec<String>) {
    let given = parameter.filter(|text| !text.is_empty());
    let or = |text: &str| given.clone().unwrap_or_else(|| text.to_owned());
    let (pile, cards) = (place.pile(), place.cards());
    let to = or("{to}");
    let line = match effect {
        ScriptEffect::Move | ScriptEffect::Draw if place.of_card => {
            return (ScriptEffect::Move, vec![format!("move {{cards}} to {to}")]);
        }
        ScriptEffect::Move | ScriptEffect::Draw => return take(&pile, &to, place),
        ScriptEffect::Marker => format!("marker {cards} {}", or("{marker} {change}")),
        ScriptEffect::Create => format!("create {}", or("{name}")),
        ScriptEffect::Rotate => match given.as_deref() {
            Some("toggle") => format!("rotate {cards}"),
            Some("to 0") if !place.of_card && place.many == Many::Table && !place.targeted => {
                "straighten".to_owned()
            }
            Some(turn) => format!("rotate {cards} {turn}"),
            None => format!("rotate {cards} to {{degrees}}"),
        },
        ScriptEffect::Highlight => format!("highlight {cards} {}", hole("colour", given.as_deref())),
        ScriptEffect::Filter => format!("filter {cards} {{colour}}"),
        ScriptEffect::Shuffle => format!("shuffle {pile}"),
        ScriptEffect::Random if given.is_none() => format!("random {pile} {} show", place.count().0),
        ScriptEffect::Random => format!("random {pile} {} to {to}", place.count().0),
        ScriptEffect::Dice => or("roll {dice}"),
        ScriptEffect::Turn => format!("turn {cards} {}", or("over")),
        ScriptEffect::Look => match place.many {
            Many::Some(..) => {
                let (count, end) = place.count();
                let end = if end.is_empty() { " top" } else { end };
                format!("look {pile}{end} {count}")
            }
            Many::One | Many::All(_) | Many::Table => format!("look {pile}"),
        },
        ScriptEffect::Phase => or("phase {phase}"),
        ScriptEffect::ClearMarks => "clearmarks".to_owned(),
        ScriptEffect::ShuffleInto => return shuffled_into(&pile, &to, place),
        ScriptEffect::Counter => format!("counter {}", or("{counter} {change}")),
        ScriptEffect::Form => format!("form {cards}"),
        ScriptEffect::Play => format!("move {cards} to table"),
        ScriptEffect::Board => "board {board}".to_owned(),
        ScriptEffect::Peek => format!("peek {cards}"),
        ScriptEffect::Target if given.as_deref() == Some("off") => format!("untarget {cards}"),
        ScriptEffect::Target => format!("target {cards}"),
        ScriptEffect::Control => format!("give {cards} to {{seat}}"),
        ScriptEffect::Delete => format!("delete {cards}"),
        ScriptEffect::Visibility => format!("viewers {pile} {{eyes}}"),
    };
    (effect, vec![line])
}

/// Cards go from a pile, or from the table, to a pile.
fn take(pile: &str, to: &str, place: &EntryPlace) -> (ScriptEffect, Vec<String>) {
    let (count, end) = place.count();
    match &place.many {
        Many::All(_) => (ScriptEffect::Move, vec![format!("moveall {pile} to {to}")]),
        Many::Table => (
            ScriptEffect::Move,
            vec![format!("move {} to {to}", place.cards())],
        ),
        Many::One | Many::Some(..) if to == "{to=Hand}" => {
            (ScriptEffect::Draw, vec![format!("draw {pile} {count}{end}")])
        }
        Many::One | Many::Some(..) => (
            ScriptEffect::Move,
            vec![format!("movetop {pile} {count}{end} to {to}")],
        ),
    }
}

fn shuffled_into(pile: &str, to: &str, place: &EntryPlace) -> (ScriptEffect, Vec<String>) {
    let goal = to.split_inclusive('}').next().unwrap_or("{to}");
    let first = if place.of_card {
        format!("move {{cards}} to {to}")
    } else {
        take(pile, to, place).1.join("")
    };
    (ScriptEffect::ShuffleInto, vec![first, format!("shuffle {goal}")])
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

fn text_of(token: Option<&FunctionToken>) -> Option<String> {
    match token {
        Some(FunctionToken::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Whether these tokens begin with an assignment: `=`, `+=`, `^=` …, not `==`.
fn assigned(tokens: &[FunctionToken]) -> bool {
    match tokens {
        [FunctionToken::Sign('='), FunctionToken::Sign('='), ..] => false,
        [FunctionToken::Sign('='), ..] => true,
        [
            FunctionToken::Sign('+' | '-' | '^' | '|' | '&' | '*' | '/' | '%'),
            FunctionToken::Sign('='),
            ..,
        ] => true,
        _ => false,
    }
}

fn is_word(token: &FunctionToken, text: &str) -> bool {
    matches!(token, FunctionToken::Word(word) if word == text)
}

/// How many tokens a loop goes over: up to its colon, the end of its list, or a condition in it.
fn end_of(tokens: &[FunctionToken]) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            FunctionToken::Sign('(' | '[' | '{') => depth += 1,
            FunctionToken::Sign(')' | ']' | '}') if depth > 0 => depth -= 1,
            FunctionToken::Sign(':' | '\n' | ')' | ']' | '}') if depth == 0 => return at,
            FunctionToken::Word(word) if depth == 0 && word == "if" => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// The number that an argument is; an empty one is one card.
fn number_in(tokens: &[FunctionToken]) -> Option<u64> {
    match tokens {
        [FunctionToken::Sign(')'), ..] => Some(1),
        [FunctionToken::Number(number), FunctionToken::Sign(')' | ','), ..] => number.parse().ok(),
        _ => None,
    }
}

/// From the last argument of a call on.
fn last_argument(tokens: &[FunctionToken]) -> &[FunctionToken] {
    let end = tokens
        .iter()
        .position(|token| *token == FunctionToken::Sign(')'))
        .unwrap_or(tokens.len());
    let comma = tokens[..end]
        .iter()
        .rposition(|token| *token == FunctionToken::Sign(','));
    &tokens[comma.map_or(0, |at| at + 1)..]
}

/// The second argument of a call, if it has one: the number that it is, if one is written.
fn index_of(tokens: &[FunctionToken]) -> Option<Option<u64>> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            FunctionToken::Sign('(' | '[') => depth += 1,
            FunctionToken::Sign(')' | ']') => depth = depth.checked_sub(1)?,
            FunctionToken::Sign(',') if depth == 0 => {
                return Some(match &tokens[at + 1..] {
                    [FunctionToken::Number(number), FunctionToken::Sign(')'), ..] => number.parse().ok(),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    None
}

/// Nothing uses what a call gives back.
fn begins_line(tokens: &[FunctionToken], at: usize) -> bool {
    matches!(
        at.checked_sub(1).map(|before| &tokens[before]),
        None | Some(FunctionToken::Sign('\n' | ':' | ';'))
    )
}

/// The number that `rnd(a, b)` draws, where its bounds are written; a coin has two sides.
fn bounds(tokens: &[FunctionToken]) -> Option<String> {
    let bound = |token: &FunctionToken| match token {
        FunctionToken::Number(number) => number.parse::<i64>().ok().map(|number| number.to_string()),
        _ => None,
    };
    match tokens {
        [low, FunctionToken::Sign(','), high, FunctionToken::Sign(')'), ..] => {
            let from = hole("from", bound(low).as_deref());
            let up_to = hole("upto", bound(high).as_deref());
            Some(format!("number {from} {up_to}"))
        }
        _ => None,
    }
}
/// After `markers`: `[…] += 1` and its kind.
fn marker_change(tokens: &[FunctionToken]) -> Option<String> {
    let end = closing(tokens)?;
    let rest = &tokens[end + 1..];
    assigned(rest).then(|| change_of(rest))
}

fn counter_change(tokens: &[FunctionToken]) -> Option<String> {
    let from = match tokens.first() {
        Some(FunctionToken::Sign('[')) => closing(tokens)? + 1,
        _ => 0,
    };
    let rest = tokens[from..]
        .iter()
        .position(|token| matches!(token, FunctionToken::Sign('+' | '-' | '=')))?;
    Some(change_of(&tokens[from + rest..]))
}

/// `+= 2` is `+2`, `-= 1` is `-1`, `= 0` is `=0`, `= it - 1` is `-1`; the sign is kept where the number is
/// open.
fn change_of(tokens: &[FunctionToken]) -> String {
    let amount = |sign: char, tokens: &[FunctionToken]| match tokens {
        [FunctionToken::Number(number), FunctionToken::Sign('\n' | ';'), ..]
        | [FunctionToken::Number(number)] => hole("change", Some(&format!("{sign}{number}"))),
        _ if sign == '=' => hole("change", None),
        _ => format!("{sign}{}", hole("n", None)),
    };
    match tokens {
        [
            FunctionToken::Sign(sign @ ('+' | '-')),
            FunctionToken::Sign('='),
            rest @ ..,
        ] => amount(*sign, rest),
        [FunctionToken::Sign('='), rest @ ..] => {
            let end = rest
                .iter()
                .position(|token| *token == FunctionToken::Sign('\n'))
                .unwrap_or(rest.len());
            // What it was before stands on both sides: only the difference counts.
            let last = rest[..end]
                .iter()
                .rposition(|token| matches!(token, FunctionToken::Sign('+' | '-')));
            let before = |at: usize| {
                rest[..at]
                    .iter()
                    .any(|token| matches!(token, FunctionToken::Word(_)))
            };
            match last
                .filter(|at| before(*at))
                .map(|at| (&rest[at], &rest[at + 1..]))
            {
                Some((FunctionToken::Sign(sign), rest)) => amount(*sign, rest),
                Some(_) | None => amount('=', rest),
            }
        }
        _ => hole("change", None),
    }
}

fn closing(tokens: &[FunctionToken]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            FunctionToken::Sign('[') => depth += 1,
            FunctionToken::Sign(']') => {
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

fn tokens(line: &str) -> Vec<FunctionToken> {
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
                out.push(FunctionToken::Word(word.to_owned()));
            }
            end
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            out.push(FunctionToken::Number(rest[..end].to_owned()));
            end
        } else if c == '"' || c == '\'' {
            let end = string_end(rest);
            let inner = rest[..end].trim_matches(c).replace('\\', "");
            out.push(FunctionToken::Text(inner));
            end
        } else {
            out.push(FunctionToken::Sign(c));
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

def drawMany(group, x = 0, y = 0):
    mute()
    count = askInteger("Draw how many cards?", 5)
    if count is None: return
    for c in group.top(count): c.moveTo(me.hand)

def drawThree(group):
    for c in group.top(3):
        c.moveTo(me.hand)

def drawInTurns(group):
    n = askInteger("How many?", 2)
    for i in range(0, n):
        drawOne(group)

def mill(group):
    for card in me.piles["Deck"].top(2):
        card.moveTo(me.piles["Basket"])

def discardAll(group):
    for card in group:
        card.moveTo(me.piles["Basket"])

def discardHand(group):
    for card in me.hand:
        card.moveTo(me.piles["Basket"])

def listed(group):
    [card.moveTo(me.piles["Basket"]) for card in group]

def readyAll(group, x = 0, y = 0):
    mute()
    myCards = (card for card in table if card.controller == me)
    for card in myCards:
        card.orientation = Rot0

def dyeTargets(group):
    for card in table:
        if card.targetedBy and card.targetedBy == me:
            card.highlight = "#ff0000"

def sixSides(group):
    n = rnd(1, 6)
    notify("{} rolls {}".format(me, n))

def sides(group):
    most = askInteger("How many sides?", 20)
    notify("{} rolls {}".format(me, rnd(1, most)))

def subWorm(card, count = 1):
    card.markers[Worm] -= count

def subWritten(card):
    card.markers[Worm] = card.markers[Worm] - 1

def addMany(card):
    count = askInteger("How many?", 1)
    card.markers[Worm] += count

def eitherWay(card):
    if card.isFaceUp: card.markers[Worm] += 1
    else: card.markers[Worm] -= 1

def anyMarker(card):
    marker, quantity = askMarker()
    card.markers[marker] -= quantity

def patient(group):
    rnd(1, 10)
    for card in group.top(1):
        card.moveTo(me.piles["Basket"])

def toThird(card):
    card.moveTo(me.piles["Deck"], 2)

def loseLuck(group):
    me.Luck -= askInteger("How much?", 1)
"##;

    fn meaning(execute: &str, of_card: bool, in_pile: bool) -> (EntryMark, Option<ScriptEffect>, String) {
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
        let shown = PackageAction {
            pile: None,
            definition,
            key: None,
            mark: found.mark,
            effect: found.effect,
            lines: found.lines,
            offers: Vec::new(),
        };
        (found.mark, found.effect, shown.shown().join("; "))
    }

    #[track_caller]
    fn check(execute: &str, of_card: bool, expected: (EntryMark, Option<ScriptEffect>, &str)) {
        let (mark, effect, lines) = meaning(execute, of_card, !of_card);
        assert_eq!((mark, effect, lines.as_str()), expected, "{execute}");
    }

    /// F31–F36: what a function does is read, also through calls; nothing is run (F29).
    #[test]
    fn functions_are_recognised() {
        check(
            "pick",
            true,
            (
                EntryMark::Exact,
                Some(ScriptEffect::Move),
                "move {cards} to \"Basket\"",
            ),
        );
        check(
            "outer",
            true,
            (
                EntryMark::Exact,
                Some(ScriptEffect::Move),
                "move {cards} to \"Basket\"",
            ),
        );
        check(
            "drawOne",
            false,
            (EntryMark::Exact, Some(ScriptEffect::Draw), "draw {pile} 1"),
        );
        check(
            "drawIf",
            false,
            (EntryMark::Likely, Some(ScriptEffect::Draw), "draw {pile} 1"),
        );
        check(
            "worm",
            true,
            (
                EntryMark::Exact,
                Some(ScriptEffect::Marker),
                "marker {cards} \"Worm\" +1",
            ),
        );
        check(
            "turnAside",
            true,
            (EntryMark::Exact, Some(ScriptEffect::Rotate), "rotate {cards}"),
        );
        check("wait", false, (EntryMark::Says, None, ""));
        check(
            "rain",
            false,
            (
                EntryMark::Exact,
                Some(ScriptEffect::Counter),
                "counter \"Luck\" -2",
            ),
        );
        check(
            "back",
            true,
            (
                EntryMark::Exact,
                Some(ScriptEffect::ShuffleInto),
                "move {cards} to \"Deck\" bottom; shuffle \"Deck\"",
            ),
        );
        check("storm", false, (EntryMark::Script, None, ""));
        check("nowhere", false, (EntryMark::Script, None, ""));
    }

    /// F31–F34: numbers that are asked for, loops, bounds, signs and waits are read; what is open is a hole.
    #[test]
    fn how_many_and_of_what_is_recognised() {
        use EntryMark::{Exact, Likely};
        let rows: [(&str, bool, bool, EntryMark, &str); 21] = [
            ("drawMany", false, true, Likely, "draw {pile} {n}"),
            ("drawThree", false, true, Exact, "draw {pile} 3"),
            ("drawInTurns", false, true, Likely, "draw {pile} {n}"),
            ("mill", false, false, Exact, "movetop \"Deck\" 2 to \"Basket\""),
            ("discardAll", false, true, Exact, "moveall {pile} to \"Basket\""),
            ("discardHand", false, false, Exact, "moveall Hand to \"Basket\""),
            ("listed", false, true, Exact, "moveall {pile} to \"Basket\""),
            ("readyAll", false, false, Likely, "straighten"),
            (
                "dyeTargets",
                false,
                false,
                Likely,
                "highlight table:targeted #ff0000",
            ),
            ("sixSides", false, false, Exact, "number 1 6"),
            ("sides", false, false, Likely, "number 1 {upto}"),
            ("worm", true, false, Exact, "marker {cards} \"Worm\" +1"),
            ("subWorm", true, false, Likely, "marker {cards} \"Worm\" -{n}"),
            ("subWritten", true, false, Exact, "marker {cards} \"Worm\" -1"),
            ("addMany", true, false, Likely, "marker {cards} \"Worm\" +{n}"),
            (
                "eitherWay",
                true,
                false,
                Likely,
                "marker {cards} \"Worm\" {change}",
            ),
            ("anyMarker", true, false, Likely, "marker {cards} {marker} -{n}"),
            ("patient", false, true, Exact, "movetop {pile} 1 to \"Basket\""),
            ("toThird", true, false, Exact, "move {cards} to \"Deck\" at 3"),
            ("loseLuck", false, false, Likely, "counter \"Luck\" -{n}"),
            ("rain", false, false, Exact, "counter \"Luck\" -2"),
        ];
        for (execute, of_card, in_pile, mark, lines) in rows {
            let found = meaning(execute, of_card, in_pile);
            assert_eq!((found.0, found.2.as_str()), (mark, lines), "{execute}");
        }
    }

    /// F34: the form of an entry has a field for all that can be said, filled in as far as it was recognised.
    #[test]
    fn an_entry_is_a_form() {
        let entry = PackageAction {
            pile: None,
            definition: ActionDefinition::default(),
            key: None,
            mark: EntryMark::Likely,
            effect: Some(ScriptEffect::Marker),
            lines: vec!["marker {cards} {marker=\"Worm\"} -{n}".to_owned()],
            offers: Vec::new(),
        };
        let fields = entry.fields();
        let named: Vec<(&str, Option<&str>)> = fields
            .iter()
            .map(|(name, known)| (name.as_str(), known.as_deref()))
            .collect();
        assert_eq!(
            named,
            [("cards", None), ("marker", Some("\"Worm\"")), ("n", None)]
        );
        assert_eq!(entry.filled("7", "", &BTreeMap::new()), Err(vec!["n".to_owned()]));
        let answers = BTreeMap::from(
            [("n", "2"), ("marker", "Stone")].map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        assert_eq!(
            entry.filled("7", "", &answers),
            Ok(vec!["marker 7 Stone -2".to_owned()])
        );
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
