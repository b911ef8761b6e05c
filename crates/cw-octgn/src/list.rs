//! Lists of cards as people write and paste them: `3 Name`, `3x Name`, `Name x3`, sections by their words,
//! `SB:` before a line of the sideboard, comments behind `//` or `#`, and what
//! [`deck_text`](crate::deck_text) writes.
//!
//! A line is read in every way that it can be, and the first way whose name is that of a card counts: so a
//! card called `7 Wonders` or `Fire // Ice` needs no rule of its own.

use cw_text::{Diagnostic, FileId, SharedText, Sources, Span, nearest, offset};

use crate::codes::{PK124, PK165, PK166};
use crate::fold::{loose_name, strict_name};
use crate::read::clipped;
use crate::report::FileReport;
use crate::xml::{self, Decoded};
use crate::{
    CardRef, Deck, DeckCard, DeckSection, FilePlace, Guid, LocatedValue, Package, PackageLimits,
    SectionDefinition, Str,
};

/// Words for the section that decks of nearly every game have.
const MAIN_WORDS: [&str; 6] = ["deck", "main", "maindeck", "main deck", "mainboard", "main board"];

/// Words for the section that is exchanged between the games of a match.
const SIDE_WORDS: [&str; 6] = ["side", "sideboard", "side board", "sidedeck", "side deck", "sb"];

/// How many possible cards, or lines, a finding names.
const MOST_NAMED: usize = 8;

/// The card that a person means by a name: letter case, accents, apostrophes and blanks do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch {
    /// One card.
    Card {
        /// The first of the cards with this name, or the one of the set that stands behind it.
        card: CardRef,
        /// How many cards it may be.
        namesakes: usize,
    },
    /// The first cards of several names that are the same but for accents and the like.
    Several(Vec<CardRef>),
}

/// A line of a list that names a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLine<'t> {
    /// How many; none where no number is written.
    pub count: Option<u64>,
    /// The name as it is written.
    pub name: &'t str,
    /// The card.
    pub card: NameMatch,
}

/// Whether a file is a list of cards: no `.o8d`, and its text does not begin as XML does.
pub fn is_card_list(name: &str, bytes: &[u8]) -> bool {
    !name.to_ascii_lowercase().ends_with(".o8d") && is_list_text(&xml::decode(bytes.to_vec()))
}

fn is_list_text(decoded: &Decoded) -> bool {
    !decoded.text.trim_start().starts_with('<')
}

impl Package {
    /// The card that a person means by a name, or by the name of one of its forms.
    pub fn card_named(&self, name: &str) -> Option<NameMatch> {
        let same = self.namesakes(name)?;
        let strict = same.names.get(&strict_name(name));
        Some(
            match strict.or_else(|| same.names.values().next().filter(|_| same.names.len() == 1)) {
                Some((card, namesakes)) => NameMatch::Card {
                    card: *card,
                    namesakes: *namesakes,
                },
                None => NameMatch::Several(same.names.values().map(|(card, _)| *card).collect()),
            },
        )
    }

    /// The card of a name in the set that is named behind it; the first of all where no such set has one.
    fn card_of_set(&self, name: &str, set: &str) -> Option<NameMatch> {
        let wanted = loose_name(set);
        let is_in = |card: &CardRef| {
            let own = self.set_of(*card);
            let short = own.short_name.as_ref().map(|short| loose_name(short));
            loose_name(&own.name) == wanted || short.as_ref() == Some(&wanted)
        };
        let found = self.namesakes(name)?.cards.iter().copied().find(is_in);
        match found {
            Some(card) => Some(NameMatch::Card { card, namesakes: 1 }),
            None => self.card_named(name),
        }
    }

    /// Reads a line of a list; nothing if it names no card.
    ///
    /// ```
    /// # let package = cw_octgn::Package::read(
    /// #     &cw_octgn::MemoryFiles::new().with("definition.xml", "<game/>"),
    /// # )?;
    /// assert!(package.list_line("3x Nobody").is_none());
    /// # Ok::<(), cw_octgn::FilesError>(())
    /// ```
    pub fn list_line<'t>(&self, line: &'t str) -> Option<ListLine<'t>> {
        // A number in brackets is sooner how many than a set.
        [false, true].into_iter().find_map(|with_set| {
            readings(line)
                .into_iter()
                .find_map(|LineReading { count, name }| {
                    let spellings = spellings(name).into_iter();
                    let mut spellings = spellings.filter(|(_, set)| set.is_some() == with_set);
                    spellings.find_map(|(name, set)| {
                        let card = match set {
                            Some(set) => self.card_of_set(name, set),
                            None => self.card_named(name),
                        };
                        card.map(|card| ListLine { count, name, card })
                    })
                })
        })
    }

    /// Reads a deck: the bytes of an `.o8d` file, or a list of cards; nothing if it is neither.
    ///
    /// The text joins `sources` under `name`, so that the findings can be shown.
    pub fn read_deck(
        &self,
        name: &str,
        bytes: Vec<u8>,
        limits: &PackageLimits,
        sources: &mut Sources,
    ) -> (Option<Deck>, Vec<Diagnostic>) {
        if name.to_ascii_lowercase().ends_with(".o8d") {
            return Deck::read(name, bytes, limits, sources);
        }
        let decoded = xml::decode(bytes);
        if !is_list_text(&decoded) {
            return Deck::of_text(name, &decoded, limits, sources);
        }
        let mut report = FileReport::new(sources.add(name, decoded.text.clone()));
        if !decoded.report(&mut report) {
            return (None, report.finish());
        }
        let deck = self.deck_of_list(name, &decoded.text, report.file, &mut report);
        let mut found = report.finish();
        found.sort_by_key(|finding| finding.span);
        (Some(deck), found)
    }

    fn deck_of_list(&self, name: &str, text: &SharedText, file: FileId, report: &mut FileReport) -> Deck {
        let mut list = ListReader {
            package: self,
            text,
            sections: Vec::new(),
            here: None,
            notes: None,
            uncounted: 0,
            unknown: Vec::new(),
            shared_names: Vec::new(),
            has_errors: false,
            report,
        };
        list.read();
        let notes = list.notes;
        let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
        Deck {
            file,
            name: Str::from(stem),
            game: LocatedValue::from(self.definition.id.value),
            sections: list.sections,
            notes,
            sleeve: None,
        }
    }
}

struct ListReader<'a> {
    package: &'a Package,
    text: &'a SharedText,
    sections: Vec<DeckSection>,
    /// The section that was named last.
    here: Option<&'a SectionDefinition>,
    notes: Option<LocatedValue<Str>>,
    /// Cards that were named without a number.
    uncounted: usize,
    /// Lines without a number that are neither cards nor sections.
    unknown: Vec<(&'a str, Option<&'a SectionDefinition>)>,
    /// Lines whose name several cards have.
    shared_names: Vec<(Span, String)>,
    has_errors: bool,
    report: &'a mut FileReport,
}

/// One way to read a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineReading<'t> {
    /// How many cards; none where no number is written.
    count: Option<u64>,
    name: &'t str,
}

impl<'a> ListReader<'a> {
    fn read(&mut self) {
        let text: &'a str = self.text;
        let mut is_after_blank = true;
        for whole in text.split_inclusive('\n') {
            let line = whole.trim();
            if line.is_empty() {
                is_after_blank = true;
                continue;
            }
            if is_after_blank && self.is_title(line) {
                let at = span_of(text, line).end as usize;
                if self.sections.is_empty() {
                    continue;
                }
                self.keep_notes(at);
                break;
            }
            is_after_blank = false;
            self.line(line);
        }
        self.tell_unknown();
        self.tell_shared_names();
        if self.sections.is_empty() && !self.has_errors {
            let message = "this list has no cards";
            let finding = self.report.error(PK165, Span::at(0), message);
            let help = "write a number and a name on each line, as in `3 Name of a card`";
            self.report.add(finding.help(help));
        }
    }

    /// Whether a line is the game's name, behind which the text export has the notes (P142).
    fn is_title(&self, line: &str) -> bool {
        let is_card = || self.package.namesakes(line).is_some();
        *self.package.definition.name == *line
            && self.section_called(line).is_none()
            && (self.uncounted == 0 || !is_card())
    }

    fn keep_notes(&mut self, from: usize) {
        let rest = self.text[from..].trim();
        if !rest.is_empty() {
            self.notes = Some(LocatedValue::new(Str::from(rest), span_of(self.text, rest)));
        }
    }

    fn line(&mut self, line: &'a str) {
        let line = line.strip_prefix(['•', '*']).map_or(line, str::trim);
        let line = line.strip_prefix("- ").map_or(line, str::trim);
        if let Some(section) = self.section_called(line) {
            self.here = Some(section);
            return;
        }
        if self.card(line, None) {
            return;
        }
        if let Some((word, rest)) = line.split_once(':')
            && !rest.trim().is_empty()
            && let Some(section) = self.section(word)
            && (self.card(rest.trim(), Some(section)) || self.unknown_card(rest.trim(), Some(section)))
        {
            return;
        }
        if let Some(title) = heading(line) {
            self.heading(line, title);
        } else if !is_comment(line) && !self.unknown_card(line, None) {
            self.unknown.push((line, self.here));
        }
    }

    /// Adds the card that a line names; whether it names one, or several that are told.
    fn card(&mut self, line: &'a str, section: Option<&'a SectionDefinition>) -> bool {
        let Some(ListLine { count, name, card }) = self.package.list_line(line) else {
            return false;
        };
        let span = span_of(self.text, name);
        match card {
            NameMatch::Several(cards) => self.ask(name, &cards),
            NameMatch::Card { card, namesakes } => {
                let found = self.package.card(card);
                if namesakes > 1 {
                    let set = clipped(&self.package.set_of(card).name);
                    let name = clipped(&found.name);
                    let words = format!("{namesakes} cards are called `{name}`; the one of `{set}` is taken");
                    self.shared_names.push((span, words));
                }
                self.add(count, found.id.value, &found.name.value, span, section);
            }
        }
        true
    }

    /// Keeps a line with a number whose card nobody knows: [`check_deck`](crate::check_deck) says so.
    fn unknown_card(&mut self, line: &'a str, section: Option<&'a SectionDefinition>) -> bool {
        let counted = readings(line).into_iter().find(|reading| reading.count.is_some());
        let Some(LineReading { count, name }) = counted else {
            return false;
        };
        let (name, _) = spellings(name).pop().unwrap_or((name, None));
        self.add(
            count,
            Guid::NIL,
            &Str::from(name),
            span_of(self.text, name),
            section,
        );
        true
    }

    fn add(
        &mut self,
        count: Option<u64>,
        id: Guid,
        name: &Str,
        span: Span,
        section: Option<&'a SectionDefinition>,
    ) {
        self.uncounted += usize::from(count.is_none());
        let number = count.unwrap_or(1);
        let Some(quantity) = i32::try_from(number).ok().filter(|number| *number > 0) else {
            let message = format!("{number} of a card cannot be in a deck");
            self.has_errors = true;
            self.report.add(self.report.error(PK165, span, message));
            return;
        };
        let section = section.or(self.here).or_else(|| self.main());
        let (called, shared) = section.map_or((Str::from("Deck"), false), |section| {
            (section.name.value.clone(), section.shared)
        });
        let line = DeckCard {
            id: LocatedValue::new(id, span),
            quantity: LocatedValue::new(quantity, span),
            name: LocatedValue::new(name.clone(), span),
            place: FilePlace(span),
        };
        let known = self
            .sections
            .iter_mut()
            .find(|known| known.name.value == called && known.shared == shared);
        match known {
            Some(known) => known.cards.push(line),
            None => self.sections.push(DeckSection {
                name: LocatedValue::new(called, span),
                shared,
                cards: vec![line],
            }),
        }
    }

    /// The game's section that a whole line names, alone or as a title.
    fn section_called(&self, line: &str) -> Option<&'a SectionDefinition> {
        let exact = |section: &&SectionDefinition| *section.name.value == *line;
        let sections = &self.package.definition.sections;
        if let Some(section) = sections.iter().find(exact) {
            return Some(section);
        }
        let section = self.section(heading(line).unwrap_or(line))?;
        let is_card = heading(line).is_none() && self.package.namesakes(line).is_some();
        (!is_card).then_some(section)
    }

    /// The section that a word means: by its name, as a plural, or as people call such a section.
    fn section(&self, word: &str) -> Option<&'a SectionDefinition> {
        let sections = &self.package.definition.sections;
        let wanted = loose_name(word);
        if wanted.is_empty() {
            return None;
        }
        let named = |is: &dyn Fn(&str) -> bool| {
            let mut all = sections.iter().filter(|section| is(&loose_name(&section.name)));
            let first = all.next();
            first
                .filter(|first| !first.shared)
                .or(all.find(|other| !other.shared))
                .or(first)
        };
        let singular = |name: &str| name.strip_suffix('s').unwrap_or(name).to_owned();
        named(&|name| name == wanted)
            .or_else(|| named(&|name| singular(name) == singular(&wanted)))
            .or_else(|| self.main().filter(|_| MAIN_WORDS.contains(&wanted.as_str())))
            .or_else(|| {
                let is_side = SIDE_WORDS.contains(&wanted.as_str());
                named(&|name| SIDE_WORDS.contains(&name))
                    .or_else(|| named(&|name| name.contains("side")))
                    .filter(|_| is_side)
            })
    }

    /// The section of cards before which no section is named.
    fn main(&self) -> Option<&'a SectionDefinition> {
        let sections = &self.package.definition.sections;
        let own = || sections.iter().filter(|section| !section.shared);
        own()
            .find(|section| MAIN_WORDS.contains(&loose_name(&section.name).as_str()))
            .or_else(|| own().next())
            .or(sections.first())
    }

    /// A title that names no section of the game: of the sites that group a list by kinds of cards, or a
    /// slip.
    fn heading(&mut self, line: &'a str, title: &str) {
        let names = || {
            self.package
                .definition
                .sections
                .iter()
                .map(|section| section.name.as_str())
        };
        let is_side = SIDE_WORDS.contains(&loose_name(title).as_str());
        let near = nearest(title, names());
        if is_comment(line) && !is_side {
            return;
        }
        let span = span_of(self.text, line);
        if is_side || near.is_some() {
            let message = format!("the game has no section `{}`", clipped(title));
            let help = match near {
                Some(near) => format!("did you mean `{}`?", clipped(near)),
                None => format!("its sections are {}", names().collect::<Vec<_>>().join(", ")),
            };
            self.report
                .add(self.report.error(PK124, span, message).help(help));
        } else {
            self.tell_heading(span, title, self.here);
        }
    }

    fn tell_heading(&mut self, span: Span, title: &str, here: Option<&SectionDefinition>) {
        let section = here.or_else(|| self.main());
        let section = section.map_or("Deck", |section| section.name.as_str());
        let message = format!(
            "`{}` is taken for a title; the cards below it go to `{}`",
            clipped(title),
            clipped(section)
        );
        self.report.add(self.report.hint(PK166, span, message));
    }

    /// Where all cards have numbers, a line without one is a title; else it is a card that is not there.
    fn tell_unknown(&mut self) {
        let is_counted = self.uncounted == 0 && !self.sections.is_empty();
        for (line, here) in std::mem::take(&mut self.unknown) {
            let span = span_of(self.text, line);
            if is_counted {
                self.tell_heading(span, line, here);
            } else {
                self.add(None, Guid::NIL, &Str::from(line), span, here);
            }
        }
    }

    fn tell_shared_names(&mut self) {
        let Some((first, words)) = self.shared_names.first() else {
            return;
        };
        let message = match self.shared_names.len() {
            1 => words.clone(),
            count => format!("{count} lines have names that several cards share; one of each is taken"),
        };
        let mut finding = self.report.hint(PK166, *first, message);
        if self.shared_names.len() > 1 {
            for (span, words) in self.shared_names.iter().take(MOST_NAMED) {
                finding = finding.label(self.report.file, *span, words.clone());
            }
        }
        let help = "a set behind the name chooses: `Name (set)`";
        self.report.add(finding.help(help));
    }

    fn ask(&mut self, name: &str, cards: &[CardRef]) {
        self.has_errors = true;
        let names: Vec<String> = cards
            .iter()
            .take(MOST_NAMED)
            .map(|card| format!("`{}`", clipped(&self.package.card(*card).name)))
            .collect();
        let message = format!("`{}` may be {}", clipped(name), names.join(" or "));
        let finding = self.report.error(PK165, span_of(self.text, name), message);
        self.report
            .add(finding.help("write the name as the card has it, with its accents"));
    }
}

/// Where a part of a text stands in it.
fn span_of(text: &str, part: &str) -> Span {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    Span::between(offset(start), offset(start + part.len()))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with('#')
}

/// What a line says that looks like a title: `Name:`, `[Name]`, `== Name ==`, `// Name`, `Name (15)`.
fn heading(line: &str) -> Option<&str> {
    let marks: &[_] = &['#', '/', '=', '[', ']', '*', '_', '-', ' ', '\t'];
    let inner = line.trim_matches(marks);
    let is_marked = inner.len() < line.len();
    let (inner, is_counted) = match inner.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((title, number)) if is_number(number) => (title.trim(), true),
        _ => (inner, false),
    };
    let (title, has_colon) = match inner.rsplit_once(':') {
        Some((title, number)) if number.trim().is_empty() || is_number(number.trim()) => (title.trim(), true),
        _ => (inner, false),
    };
    let is_title = (is_marked || is_counted || has_colon) && title.chars().any(char::is_alphabetic);
    (is_title && !title.starts_with(|c: char| c.is_ascii_digit())).then_some(title)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const TIMES: [char; 4] = ['x', 'X', '×', '*'];

/// The ways to read a line, the likeliest first.
fn readings(line: &str) -> Vec<LineReading<'_>> {
    let mut all = Vec::new();
    let mut left = Some(line);
    for _ in 0..MOST_CUTS {
        let Some(line) = left else { break };
        all.extend(counts_before(line));
        all.push(LineReading {
            count: None,
            name: line,
        });
        all.extend(count_behind(line));
        let comment = [" //", " #", "\t"]
            .iter()
            .filter_map(|mark| line.rfind(mark))
            .max();
        left = comment
            .map(|at| line[..at].trim())
            .filter(|rest| !rest.is_empty());
    }
    all
}

/// What may be a comment is taken off a line at most so often.
const MOST_CUTS: usize = 4;

/// `3 Name`, `3x Name`, `x3 Name`, `3 x Name`.
fn counts_before(line: &str) -> Vec<LineReading<'_>> {
    let mut all = Vec::new();
    let Some((first, name)) = split_word(line) else {
        return all;
    };
    let Some(count) = number(first.trim_matches(TIMES)) else {
        return all;
    };
    let count = Some(count);
    all.push(LineReading { count, name });
    if let Some((times, name)) = split_word(name)
        && is_number(first)
        && is_times(times)
    {
        all.push(LineReading { count, name });
    }
    all
}

/// `Name x3`, `Name x 3`, `Name (x3)`, `Name (3)`, `Name, 3`, `Name: 3`, and a number in the next column.
fn count_behind(line: &str) -> Option<LineReading<'_>> {
    let bare = line.trim_end_matches([')', ']']);
    let before = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let count = number(&bare[before.len()..])?;
    let blanks = [' ', '\t'];
    let (open, has_times) = match before.trim_end_matches(blanks).strip_suffix(TIMES) {
        // `Boeingx7` is a word.
        Some(open) if open.ends_with([' ', '\t', '(', '[']) => (open, true),
        Some(_) | None => (before, false),
    };
    let is_marked = has_times
        || open.ends_with('\t')
        || open.trim_end_matches(blanks).ends_with(['(', '[', ',', ':', ';']);
    let name = open.trim_end_matches([' ', '\t', '(', '[', ',', ':', ';']);
    (is_marked && !name.is_empty()).then_some(LineReading {
        count: Some(count),
        name,
    })
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(char::is_whitespace)?;
    Some((word, rest.trim_start()))
}

fn is_times(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|letter| TIMES.contains(&letter)) && letters.next().is_none()
}

/// A number; one that is too large for any is the largest.
fn number(text: &str) -> Option<u64> {
    is_number(text).then(|| text.parse().unwrap_or(u64::MAX))
}

/// A name as it is written, without what lists add to it, and the set that stands behind it.
fn spellings(name: &str) -> Vec<(&str, Option<&str>)> {
    let mut all = vec![(name, None)];
    let unquoted = name
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(name);
    if unquoted != name && !unquoted.is_empty() {
        all.push((unquoted, None));
    }
    // `Name (SET) 123 *F*`, `Name [SET]`
    let mut opened = unquoted
        .char_indices()
        .filter(|(_, letter)| matches!(letter, '(' | '['));
    if let Some((at, open)) = opened.next_back()
        && at > 0
    {
        let close = if open == '(' { ')' } else { ']' };
        let set = unquoted[at + 1..].split(close).next().unwrap_or_default().trim();
        let name = unquoted[..at].trim();
        if !name.is_empty() {
            all.push((name, Some(set)));
        }
    }
    all
}
