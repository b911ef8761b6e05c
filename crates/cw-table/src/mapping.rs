//! `Rules/table.toml`: what menu entries of a package do where scripts cannot run (D74).
//!
//! ```toml
//! [actions."Fruit/Pick"]
//! of = "card"                       # or "group"; both if left out
//! ask = { n = "How many?" }         # a whole number each
//! when = "count(Basket) < 5 and n > 0"
//! verbs = ["move {cards} to Basket", "draw {n}"]
//! ```
//!
//! Verbs are lines of the table's notation. `{cards}` and `{pile}` are what the entry was chosen on, `{n}` an
//! answer. Conditions see counts alone: of piles, of counters, of answers, never what a card is.

use std::collections::BTreeMap;

use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span, nearest};
use serde::Deserialize;
use toml::Spanned;

use crate::count::long;
use crate::{FreeTable, Kit, TableSeat, TableSettings, TableState, TableVerb, VerbRefusal};

/// The file cannot be read.
pub const FT001: FindingCode = FindingCode("FT001");
/// There is no such menu entry.
pub const FT002: FindingCode = FindingCode("FT002");
/// A line is no verb.
pub const FT003: FindingCode = FindingCode("FT003");
/// A condition is none, or sees more than counts.
pub const FT004: FindingCode = FindingCode("FT004");
/// A placeholder stands for nothing.
pub const FT005: FindingCode = FindingCode("FT005");

/// A whole mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    rules: BTreeMap<String, MappingRule>,
}

/// What one entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingRule {
    /// Of cards, of groups, or of both.
    pub of: Option<bool>,
    /// Numbers that are asked for: name and question.
    pub ask: Vec<(String, String)>,
    /// When it can be chosen.
    pub when: Option<String>,
    /// Lines of notation.
    pub verbs: Vec<String>,
}

/// Why an entry does nothing now, or what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapped {
    /// These lines, one after the other.
    Lines(Vec<String>),
    /// Its condition does not hold.
    NotNow(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MappingFile {
    #[serde(default)]
    actions: BTreeMap<Spanned<String>, MappedAction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MappedAction {
    of: Option<Spanned<String>>,
    #[serde(default)]
    ask: BTreeMap<String, String>,
    when: Option<Spanned<String>>,
    verbs: Vec<Spanned<String>>,
}

impl Mapping {
    /// Reads a file against a package; what is wrong in it comes with its place, what is right is kept.
    pub fn read(text: &str, file: FileId, kit: &Kit) -> (Mapping, Vec<Diagnostic>) {
        let mut findings = Vec::new();
        let read: MappingFile = match toml::from_str(text) {
            Ok(read) => read,
            Err(error) => {
                let span = error.span().map_or(Span::at(0), span);
                findings.push(finding(FT001, file, span, error.message().to_owned()));
                return (Mapping::default(), findings);
            }
        };
        let scratch = TableState::new(kit, TableSettings::for_seats(2), cw_chance::Chance::seeded(0), 0);
        let mut mapping = Mapping::default();
        for (path, action) in read.actions {
            let known: Vec<String> = kit
                .actions
                .iter()
                .map(|action| action.definition.path())
                .collect();
            if !known.contains(path.get_ref()) {
                let message = format!("the package has no menu entry `{}`", path.get_ref());
                let mut found = finding(FT002, file, span(path.span()), message);
                let near = nearest(path.get_ref(), known.iter().map(String::as_str));
                found.help = near.map(|near| format!("did you mean `{near}`?"));
                findings.push(found);
                continue;
            }
            let before = findings.len();
            let of = match action.of.as_ref().map(|of| of.get_ref().as_str()) {
                None => None,
                Some("card") => Some(true),
                Some("group") => Some(false),
                Some(other) => {
                    let place = action.of.as_ref().map_or(0..0, Spanned::span);
                    findings.push(finding(
                        FT001,
                        file,
                        span(place),
                        format!("`{other}` is neither `card` nor `group`"),
                    ));
                    None
                }
            };
            let kinds = |of_card: bool| {
                let mut actions = kit.actions.iter().map(|action| &action.definition);
                let named =
                    actions.any(|action| action.path() == *path.get_ref() && action.of_card == of_card);
                named && of.is_none_or(|of| of == of_card)
            };
            let (of_card, of_group) = (kinds(true), kinds(false));
            if let (Some(of), false, false) = (of, of_card, of_group) {
                let (wanted, other) = if of { ("card", "group") } else { ("group", "card") };
                let place = action.of.as_ref().map_or(0..0, Spanned::span);
                let message = format!("`{}` is not an entry of a {wanted}", path.get_ref());
                let mut found = finding(FT002, file, span(place), message);
                found.help = Some(format!("it is one of a {other}: write of = \"{other}\""));
                findings.push(found);
            }
            if action.verbs.is_empty() {
                let message = format!("`{}` has no verbs: it would do nothing", path.get_ref());
                findings.push(finding(FT003, file, span(path.span()), message));
            }
            for line in &action.verbs {
                if of_group && line.get_ref().contains("{cards}") {
                    let message = "an entry of a group is not chosen on cards: `{cards}` stands for nothing";
                    let mut found = finding(FT005, file, span(line.span()), message.to_owned());
                    let help = if of_card {
                        "the package has the entry for cards, too: write of = \"card\""
                    } else {
                        "write `{pile}`, or name the cards"
                    };
                    found.help = Some(help.to_owned());
                    findings.push(found);
                }
                if let Err((code, message)) = check_line(kit, &scratch, line.get_ref(), &action.ask) {
                    findings.push(finding(code, file, span(line.span()), message));
                }
            }
            if let Some(when) = &action.when {
                let asked: BTreeMap<String, i64> = action.ask.keys().map(|name| (name.clone(), 1)).collect();
                if let Err(message) = holds(when.get_ref(), kit, &scratch, TableSeat(0), &asked) {
                    findings.push(finding(FT004, file, span(when.span()), message));
                }
            }
            if findings.len() == before {
                let rule = MappingRule {
                    of,
                    ask: action.ask.into_iter().collect(),
                    when: action.when.map(Spanned::into_inner),
                    verbs: action.verbs.into_iter().map(Spanned::into_inner).collect(),
                };
                mapping.rules.insert(path.into_inner(), rule);
            }
        }
        (mapping, findings)
    }

    /// As [`Mapping::read`], of bytes that may be no text.
    pub fn read_bytes(
        bytes: &[u8],
        name: &str,
        sources: &mut cw_text::Sources,
        kit: &Kit,
    ) -> (Mapping, Vec<Diagnostic>) {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let file = sources.add(name, text);
                Mapping::read(text, file, kit)
            }
            Err(error) => {
                let file = sources.add(name, "");
                let message = format!("the file is not UTF-8 text: see byte {}", error.valid_up_to() + 1);
                let found = finding(FT001, file, Span::at(0), message);
                (Mapping::default(), vec![found])
            }
        }
    }

    /// What this file says of an entry; a user's own file is asked before the package's.
    pub fn rule(&self, path: &str, of_card: bool) -> Option<&MappingRule> {
        let rule = self.rules.get(path)?;
        rule.of.is_none_or(|of| of == of_card).then_some(rule)
    }

    /// Puts another mapping over this one.
    #[must_use]
    pub fn under(mut self, own: Mapping) -> Mapping {
        self.rules.extend(own.rules);
        self
    }
}

impl MappingRule {
    /// The lines of an entry that was chosen on these cards or this pile (as notation).
    ///
    /// # Errors
    /// If an answer is missing or the condition cannot be read.
    pub fn lines(
        &self,
        table: &FreeTable,
        seat: TableSeat,
        cards: &str,
        pile: &str,
        answers: &BTreeMap<String, i64>,
    ) -> Result<Mapped, VerbRefusal> {
        let missing: Vec<&(String, String)> = self
            .ask
            .iter()
            .filter(|(name, _)| !answers.contains_key(name))
            .collect();
        if let Some((_, question)) = missing.first() {
            let names: Vec<String> = missing.iter().map(|(name, _)| format!("{name}=2")).collect();
            return Err(VerbRefusal::Missing(question.clone(), names.join(" ")));
        }
        let asked = |name: &str| self.ask.iter().any(|(asked, _)| asked == name);
        if let Some(other) = answers.keys().find(|name| !asked(name)) {
            let names: Vec<&str> = self.ask.iter().map(|(name, _)| name.as_str()).collect();
            let help = match names.as_slice() {
                [] => "; the entry asks for nothing".to_owned(),
                names => format!("; the entry asks for {}", names.join(", ")),
            };
            return Err(VerbRefusal::NotUnderstood(other.clone(), help));
        }
        for (hole, given, what) in [("{cards}", cards, "cards"), ("{pile}", pile, "pile")] {
            if given.is_empty() && self.verbs.iter().any(|line| line.contains(hole)) {
                return Err(VerbRefusal::NothingChosen(what));
            }
        }
        if let Some(when) = &self.when {
            let now = holds(when, table.kit(), table.state(), seat, answers);
            match now {
                Ok(true) => {}
                Ok(false) => return Ok(Mapped::NotNow(when.clone())),
                Err(message) => return Err(VerbRefusal::NotUnderstood(when.clone(), format!("; {message}"))),
            }
        }
        let lines = self.verbs.iter().map(|line| fill(line, cards, pile, answers));
        Ok(Mapped::Lines(lines.collect()))
    }
}

fn fill(line: &str, cards: &str, pile: &str, answers: &BTreeMap<String, i64>) -> String {
    let mut out = line.replace("{cards}", cards).replace("{pile}", pile);
    for (name, value) in answers {
        out = out.replace(&format!("{{{name}}}"), &value.to_string());
    }
    out
}

fn check_line(
    kit: &Kit,
    scratch: &TableState,
    line: &str,
    ask: &BTreeMap<String, String>,
) -> Result<(), (FindingCode, String)> {
    let answers = ask.keys().map(|name| (name.clone(), 1)).collect();
    // Verbs about piles are tried on one, verbs about cards on one of the table: no card needs to be there.
    let filled = fill(line, "table:1", "#0", &answers);
    if let Some(at) = filled.find('{') {
        let name = filled[at..]
            .split('}')
            .next()
            .unwrap_or("")
            .trim_start_matches('{');
        return Err((
            FT005,
            format!("`{{{name}}}` is neither cards, nor pile, nor asked for"),
        ));
    }
    let verb = crate::notation::parse(kit, scratch, TableSeat(0), &filled);
    match verb {
        Ok(verb) if verb.is_of_host() => Err((FT003, "this verb is the host's".to_owned())),
        Ok(verb) if verb.parts().iter().any(for_people) => Err((
            FT003,
            "taking back and answering is for people: an entry cannot do it".to_owned(),
        )),
        Ok(_) => Ok(()),
        Err(refusal) => Err((FT003, refusal.to_string())),
    }
}

/// Whether a verb is about what people agree on, which no entry may do in their stead.
fn for_people(verb: &TableVerb) -> bool {
    matches!(
        verb,
        TableVerb::Undo { .. } | TableVerb::Redo | TableVerb::Propose { .. } | TableVerb::Answer { .. }
    )
}

/// Whether a condition holds: comparisons of counts, joined by `and`.
fn holds(
    when: &str,
    kit: &Kit,
    state: &TableState,
    seat: TableSeat,
    answers: &BTreeMap<String, i64>,
) -> Result<bool, String> {
    let mut all = true;
    for term in when.split(" and ") {
        let (at, sign) = ["<=", ">=", "==", "!=", "<", ">"]
            .iter()
            .filter_map(|sign| term.find(sign).map(|at| (at, *sign)))
            .min_by_key(|(at, sign)| (*at, usize::MAX - sign.len()))
            .ok_or_else(|| format!("`{}` compares nothing", term.trim()))?;
        let left = count(&term[..at], kit, state, seat, answers)?;
        let right = count(&term[at + sign.len()..], kit, state, seat, answers)?;
        all &= match sign {
            "<=" => left <= right,
            ">=" => left >= right,
            "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            _ => left > right,
        };
    }
    Ok(all)
}

fn count(
    term: &str,
    kit: &Kit,
    state: &TableState,
    seat: TableSeat,
    answers: &BTreeMap<String, i64>,
) -> Result<i64, String> {
    let term = term.trim();
    if let Ok(number) = term.parse() {
        return Ok(number);
    }
    if let Some(value) = answers.get(term) {
        return Ok(*value);
    }
    let argument = |word: &str| {
        let inner = term.strip_prefix(word)?.strip_suffix(')')?;
        Some(inner.trim().trim_matches('"'))
    };
    if term == "seats" {
        return Ok(long(state.seats.len()));
    }
    if let Some(name) = argument("count(") {
        if name == "table" {
            return Ok(long(state.table.len()));
        }
        let found = kit
            .piles
            .iter()
            .position(|pile| pile.name.eq_ignore_ascii_case(name));
        if let Some(kind) = found {
            return Ok(long(state.pile(state.pile_of(kit, seat, kind)).cards.len()));
        }
        let shared = kit
            .shared_piles
            .iter()
            .position(|pile| pile.name.eq_ignore_ascii_case(name));
        let kind = shared.ok_or_else(|| format!("there is no pile `{name}`"))?;
        return Ok(long(state.piles[kind].cards.len()));
    }
    if let Some(name) = argument("counter(") {
        let found = kit
            .counters()
            .iter()
            .position(|counter| counter.name.eq_ignore_ascii_case(name));
        let at = found.ok_or_else(|| format!("there is no counter `{name}`"))?;
        return Ok(i64::from(state.seat(seat).counters[at]));
    }
    Err(format!(
        "`{term}` is not a count: count(PILE), counter(NAME), seats, a number or an answer"
    ))
}

fn finding(code: FindingCode, file: FileId, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(code, Severity::Error, file, span, message)
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::between(
        u32::try_from(range.start).unwrap_or(u32::MAX),
        u32::try_from(range.end).unwrap_or(u32::MAX),
    )
}
