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
            // `{cards}` and `{pile}` are known from where the entry was chosen. An empty text means that
            // nothing of that kind was chosen there, so the hole stays open.
            let given = match hole.name {
                "cards" => Some(cards).filter(|cards| !cards.is_empty()),
                "pile" => Some(pile).filter(|pile| !pile.is_empty()),
                _ => None,
            };
            let answer = answers.get(hole.name).map(String::as_str);
            // A pile that the text names is meant wherever the entry was chosen.
            // An answer of the seat counts more than both.
            let found = answer.or(hole.known).or(given);
            // A name that stands in several lines (`move … to {to}`, `shuffle {to}`) is asked for once.
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
    // Holes do not nest. A brace that is never closed ends the loop and stays in the text.
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
    // A brace in a name would end the hole too early, so such a name counts as not recognised.
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
        // Entries of cards and of the group are two kinds, and both may have Del. Of one kind the first
        // entry keeps the key, and later ones are shown without it (F194).
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
            // A part of a script could cut a function in two and change what it means. So a script that
            // exceeds the limit is not read at all, nor are those after it.
            if script.len() > left {
                break;
            }
            left -= script.len();
            library.script(script);
        }
        library
    }

    fn script(&mut self, text: &str) {
        // Indentation is all of Python’s grammar that is needed here: a line in column 0 ends the `def`
        // before it, and indented lines belong to the `def` that is open. Under a class none is, so
        // methods are left out.
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
                    // A function of one line has its body after the head:
                    // `def wait(group): notify("…")`.
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
                    // A marker is written as `Worm = ("Worm", "worm-id")`: the first text is its name.
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
                // The break stays as a token: it ends the amount of `+= 2` and shows where statements
                // begin.
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
        // The steps: collect the effects of the function and of those it calls (F31), find the one row
        // of F32 that they are, write this row as a verb, and see what the text leaves open. An entry
        // that names no function of the package is a script, too (F36).
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
        // A condition in a helper does not count, only one in the entry’s own function (F33).
        let condition = own.tokens.iter().any(|token| {
            matches!(
                token,
                FunctionToken::Word(word) if matches!(word.as_str(), "if" | "elif" | "while")
            )
        });
        // A message alone is said (F35). A mix of rows, or no visible effect, is a script (F36).
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
        // A function is read once: recursion ends here, and a helper that is called twice counts once.
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
            // `pick(card)` calls a function of the package. `card.pick()` is a method, which only
            // happens to have the name of one.
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
        // `for card in group.top(3)`: variables, then `in`, then what they come from. `in` stands within
        // six tokens, or this is a loop of some other kind.
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
        // From the particular to the general. `me.piles['Deck'].top(3)` names a pile as well, but means
        // three cards, so the pile comes last. `range(len(group))` is all of the group, so `len` comes
        // before `range`.
        let many = if let Some(inside) = called("top") {
            Many::Some(number_in(inside), "", self.pile_in(over))
        } else if let Some(inside) = called("bottom") {
            Many::Some(number_in(inside), " bottom", self.pile_in(over))
        } else if called("len").is_some() {
            Many::All(None)
        } else if let Some(inside) = called("range").or_else(|| called("xrange")) {
            Many::Some(length_of_range(inside), "", None)
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
        // A pile may also be named as a goal, as in `card.moveTo(me.piles['Deck'])`. Only an access to
        // what is in it says that cards come from there.
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
        // One word decides on the row of F32, and the tokens after it give the parameter. Most arms have
        // a guard that tells a use from a name: a variable called `highlight` or a parameter called
        // `filter` does nothing.
        let FunctionToken::Word(word) = &tokens[at] else {
            return;
        };
        let after_dot = at > 0 && tokens[at - 1] == FunctionToken::Sign('.');
        let called = tokens.get(at + 1) == Some(&FunctionToken::Sign('('));
        let assigned = assigned(&tokens[at + 1..]);
        match word.as_str() {
            "moveTo" | "moveToBottom" if called => {
                // `moveTo(pile)` leaves the place to the rule of arrival (F68). A number is one lower
                // than in the notation, which counts from 1. Any other index has to be asked for.
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
                let end = closing(&tokens[at + 1..]).unwrap_or(0);
                let after = &tokens[at + 2 + end..];
                if end > 0 && self::assigned(after) {
                    // `markers[Worm]`, `markers[("Worm", "id")]` or `markers["Worm"]`. A variable of the
                    // function is not a constant, so the name stays open.
                    let name: Option<String> = match tokens.get(at + 2) {
                        Some(FunctionToken::Word(constant)) => self.constants.get(constant).cloned(),
                        Some(FunctionToken::Sign('(')) => text_of(tokens.get(at + 3)),
                        other => text_of(other),
                    };
                    let name = name.map(|name| quote(&name));
                    let change = change_of(after, key_of(&tokens[at + 2..at + 1 + end]));
                    found.add(
                        ScriptEffect::Marker,
                        Some(format!("{} {change}", hole("marker", name.as_deref()))),
                    );
                }
            }
            "create" if called => found.add(ScriptEffect::Create, None),
            "orientation" if after_dot && assigned => {
                // `^= Rot90` turns a card and turns it back. That is the verb without an angle
                // (`rotate CARDS`), and `= Rot90` is read as the same. Otherwise `=` sets an angle, and the
                // other signs turn by it.
                let sets = tokens[at + 1] == FunctionToken::Sign('=');
                let turn = tokens[at + 1..].iter().take(4).find_map(|token| match token {
                    FunctionToken::Word(word) => match word.as_str() {
                        "Rot0" => Some("to 0"),
                        "Rot90" => Some("toggle"),
                        "Rot180" => Some(if sets { "to 180" } else { "by 180" }),
                        "Rot270" => Some(if sets { "to 270" } else { "by 270" }),
                        _ => None,
                    },
                    _ => None,
                });
                found.add(ScriptEffect::Rotate, turn.map(str::to_owned));
            }
            "highlight" if after_dot && assigned => {
                // A colour is a text like `"#ff0000"`, or a constant of the package that holds one.
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
                // `card.isFaceUp = not card.isFaceUp` turns the card over, whichever way it lies.
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
                // In `me.counters['Luck'].value += 1` the attribute `value` stands between the bracket and
                // the sign. Without an assignment the counter is only read.
                let name = text_of(tokens.get(at + 2));
                let after = closing(&tokens[at + 1..]).map_or(&[][..], |end| &tokens[at + 2 + end..]);
                let after = match after {
                    [FunctionToken::Sign('.'), FunctionToken::Word(_), rest @ ..] => rest,
                    rest => rest,
                };
                if self::assigned(after) {
                    let change = change_of(after, name.as_deref());
                    let name = name.map(|name| quote(&name));
                    found.add(
                        ScriptEffect::Counter,
                        Some(format!("{} {change}", hole("counter", name.as_deref()))),
                    );
                }
            }
            // A built-in verb can replace none of these: variables, other players’ machines, windows,
            // the web. One of them makes the whole entry a script (F36).
            "setGlobalVariable" | "remoteCall" | "webRead" | "webPost" | "openUrl" | "cardDlg"
            | "SystemWindow" | "setStop" | "resetGame" | "properties" | "clr" | "Application"
            | "MessageBox" => found.script = true,
            "notify" | "notifyAll" | "whisper" | "notifyBar" if called => found.says = true,
            // A counter is an attribute of its player: `me.Luck -= 2`. This comes last, so a counter
            // that has the name of another attribute (`filter`) is read as that attribute.
            name if after_dot && assigned && self.counters.iter().any(|counter| counter == name) => {
                let change = change_of(&tokens[at + 1..], Some(name));
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
        // `me.piles['Deck']` is six tokens. The search ends at the first `)`, so that a pile of a later
        // call is not found.
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
            // In the notation a pile of the table has a star for its owner: `*/"Market"`.
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
    /// A number of cards from a pile's end: the number if it is written there, the end, and the pile if the
    /// loop names it.
    Some(Option<u64>, &'static str, Option<String>),
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
            Many::All(Some(pile)) | Many::Some(_, _, Some(pile)) => hole("pile", Some(pile)),
            // In the menu of a pile that pile counts, and one that the text takes cards from does not.
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
            Many::Some(Some(number), end, _) => (hole("n", Some(&number.to_string())), end),
            Many::Some(None, end, _) => (hole("n", None), end),
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
            // If one branch adds a marker and another removes it, only the marker is known.
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
        // The first effect must be there, and the others may be: they belong to its row of F32. A
        // shuffle after cards were turned down is still a shuffle.
        let only = |effects: &[ScriptEffect]| {
            self.effects.iter().all(|(own, _)| effects.contains(own)) && has(effects[0]).is_some()
        };
        if let [(effect, parameter)] = &self.effects[..] {
            return Some((*effect, parameter.clone()));
        }
        // A random number together with a move or a face picks a random card. Without a move it has no
        // goal, and the card is only shown.
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
        // A move with or without a face is the same row.
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
    // `{marker="Worm"} {change=+1}` and `{marker="Worm"} {change=-1}` have `{marker="Worm"} {change}` in
    // common. Texts with other words or other holes have nothing in common.
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
    // The holes are only visited here: the text that comes of it is not used.
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
    // `None` is a parameter that was not found, an empty text one that the effect does not need. In both
    // cases the line keeps its own hole.
    let given = parameter.filter(|text| !text.is_empty());
    let or = |text: &str| given.clone().unwrap_or_else(|| text.to_owned());
    let (pile, cards) = (place.pile(), place.cards());
    let to = or("{to}");
    let line = match effect {
        // The entry of a card moves what it was chosen on. That of a group takes cards from somewhere.
        ScriptEffect::Move | ScriptEffect::Draw if place.of_card => {
            return (ScriptEffect::Move, vec![format!("move {{cards}} to {to}")]);
        }
        ScriptEffect::Move | ScriptEffect::Draw => return take(&pile, &to, place),
        ScriptEffect::Marker => format!("marker {cards} {}", or("{marker} {change}")),
        ScriptEffect::Create => format!("create {}", or("{name}")),
        ScriptEffect::Rotate => match given.as_deref() {
            Some("toggle") => format!("rotate {cards}"),
            // A verb of its own sets all cards upright, and leaves locked ones as they are (F90).
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
                // `look` names the end before the number, also the top: `look Deck top 3`.
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
        // From a pile to the hand is a draw (F32). With a place (`{to=Hand} bottom`) it is not, so the
        // whole text is compared.
        Many::One | Many::Some(..) if to == "{to=Hand}" => {
            (ScriptEffect::Draw, vec![format!("draw {pile} {count}{end}")])
        }
        // The end is part of the verb here, and a word of its own in a draw.
        Many::One | Many::Some(..) => {
            let verb = if end.is_empty() { "movetop" } else { "movebottom" };
            (ScriptEffect::Move, vec![format!("{verb} {pile} {count} to {to}")])
        }
    }
}

fn shuffled_into(pile: &str, to: &str, place: &EntryPlace) -> (ScriptEffect, Vec<String>) {
    // `to` may have a place behind its hole (`{to="Deck"} bottom`), which `shuffle` does not take.
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
    // A single word must stand alone, or “Step” would be found in “Stepmother”. Two words are looked for
    // in the whole text.
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
        // A comparison begins like an assignment, so it is tested first.
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
            // A bracket that was not opened here ends the list around: `[f(card) for card in group]`.
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

/// The second argument of a call, if it has one: the number that it is, if one is written.
fn index_of(tokens: &[FunctionToken]) -> Option<Option<u64>> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            FunctionToken::Sign('(' | '[') => depth += 1,
            // The bracket that closes the call itself was not opened here: the call has one argument.
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

/// The word or text that a marker is looked up by: `Worm` in `Worm`, in `"Worm"` and in `("Worm", "id")`.
fn key_of(tokens: &[FunctionToken]) -> Option<&str> {
    tokens.iter().find_map(|token| match token {
        FunctionToken::Word(text) | FunctionToken::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// The number of times that a loop over `range` runs, from the opening bracket of its arguments on:
/// `range(3)` and `range(1, 4)` three times. Unknown with a step.
fn length_of_range(inside: &[FunctionToken]) -> Option<u64> {
    match inside {
        [
            FunctionToken::Number(from),
            FunctionToken::Sign(','),
            FunctionToken::Number(end),
            FunctionToken::Sign(')'),
            ..,
        ] => Some(end.parse::<u64>().ok()?.saturating_sub(from.parse().ok()?)),
        [FunctionToken::Number(end), FunctionToken::Sign(')'), ..] => end.parse().ok(),
        _ => None,
    }
}

/// `+= 2` is `+2`, `-= 1` is `-1`, `= 0` is `=0`; for the counter `it`, `= it - 1` is `-1`. The sign is kept
/// where the number is open.
fn change_of(tokens: &[FunctionToken], it: Option<&str>) -> String {
    // The number must end the statement: in `+= 2 * n` the 2 is not the amount, and `+{n}` asks for it.
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
            // The counter itself stands on both sides of `me.Luck = me.Luck - 1`, so only the difference
            // counts. `me.Luck = start - 1` sets it, and so does `= -1`.
            let last = rest[..end]
                .iter()
                .rposition(|token| matches!(token, FunctionToken::Sign('+' | '-')));
            let before = |at: usize| {
                rest[..at]
                    .iter()
                    .any(|token| it.is_some() && key_of(std::slice::from_ref(token)) == it)
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
        // A `#` in a text is not a comment. Texts are copied whole further down, so none is met here.
        if c == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        }
        // Three quotes come before one: `"""` would be an empty text and the begin of another. A text in
        // three quotes that nothing stands before is a doc string and goes. Elsewhere it is a value, and
        // is put on one line, so that its own lines are not taken for lines of the script.
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
            // A quote that is never closed ends with its line, and the lines after it are still read.
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
            // `piles[u"Deck"]` must look like `piles["Deck"]`, so the prefix of a text is not a word.
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

def fromBelow(group):
    for card in group.bottom(2):
        card.moveTo(me.piles["Basket"])

def drawTwoOfThree(group):
    for i in range(1, 3):
        group[i].moveTo(me.hand)

def inSteps(group):
    for i in range(0, 9, 3):
        group[i].moveTo(me.hand)

def upsideDown(card):
    card.orientation = Rot180

def halfTurn(card):
    card.orientation ^= Rot180

def asks(card):
    lucky = me.counters["Luck"].value == 0
    card.moveTo(me.piles["Basket"])

def spendsOne(card):
    me.counters["Luck"].value = me.counters["Luck"].value - 1

def countsHand(group):
    me.Luck = len(me.hand) - 1

def bringsBack(group):
    me.Luck = me.Luck + 3

def oneWormLess(card):
    card.markers[("Worm", "x")] = card.markers[("Worm", "x")] - 1

def wormsAsStones(card):
    card.markers[("Worm", "x")] = card.markers[("Stone", "x")] - 1

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
        let rows: [(&str, bool, bool, EntryMark, &str); 33] = [
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
            // A pile that the text names is meant, also in the menu of another pile.
            ("mill", false, true, Exact, "movetop \"Deck\" 2 to \"Basket\""),
            (
                "fromBelow",
                false,
                true,
                Exact,
                "movebottom {pile} 2 to \"Basket\"",
            ),
            ("drawTwoOfThree", false, true, Exact, "draw {pile} 2"),
            ("inSteps", false, true, Likely, "draw {pile} {n}"),
            ("upsideDown", true, false, Exact, "rotate {cards} to 180"),
            ("halfTurn", true, false, Exact, "rotate {cards} by 180"),
            // A counter that is only read does not change.
            ("asks", true, false, Exact, "move {cards} to \"Basket\""),
            ("spendsOne", true, false, Exact, "counter \"Luck\" -1"),
            ("countsHand", false, true, Likely, "counter \"Luck\" {change}"),
            ("bringsBack", false, true, Exact, "counter \"Luck\" +3"),
            ("oneWormLess", true, false, Exact, "marker {cards} \"Worm\" -1"),
            (
                "wormsAsStones",
                true,
                false,
                Likely,
                "marker {cards} \"Worm\" {change}",
            ),
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
