//! What was meant by a line that is wrong: the nearest line in which nothing is found.
//!
//! A search: small edits, each a row of the table of [wordings](wordings) or a word, quote or bracket that is
//! near to what stands there, are tried on the line, the cheapest first, and whatever they give is checked
//! like any rule. Nothing is offered that is not sound, nothing of weight is left out of a line, and the
//! order of tries is fixed.

mod brackets;
pub(crate) mod pattern;
mod wordings;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use cw_program::{Manual, PackageNames};
use cw_syntax::{NameKind, RuleTokenKind, Spelling, rs, tokens};
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Severity, Span, apply_fixes, nearest};

use crate::again::is_within;
use crate::cards::KnownCards;
use crate::check::{CheckedRule, check_text};
use crate::lints::COUNTS_ITSELF;
use crate::settings::SeveritySettings;

/// How many wrong lines of a package are thought about.
const MOST_LINES: usize = 24;

/// How many lines are checked to find what one means.
const TRIES: usize = 300;

/// A line that is longer, or a rule, is not thought about.
const LONGEST_LINE: usize = 400;
const LONGEST_RULE: usize = 4_000;

/// How many edits lead from what is written to what is meant.
const MOST_EDITS: u8 = 4;

/// How many lines come from one by one edit.
const MOST_NEXT: usize = 200;

/// What one finding more weighs against an edit.
const OF_FINDING: u32 = 3;

/// Warnings about a line that says something else than what was meant; of others nobody knows that.
const TRAPS: [&str; 5] = [
    rs::RS048.code,
    rs::RS058.code,
    rs::RS072.code,
    rs::RS076.code,
    rs::RS038.code,
];

/// Offers for the first finding of each wrong line that has no mend the nearest line in which nothing is
/// found. `rules` and `found` are those of the file, in order of place. What the offers before this one found
/// out is in `known`, and what this one needed of it or found out will be.
pub fn offer_meant(
    file: FileId,
    text: &str,
    rules: &[CheckedRule],
    cards: &KnownCards,
    settings: &SeveritySettings,
    found: &mut [Diagnostic],
    known: &mut MeantRules,
) {
    // Findings come in order of place: those of this file stand together.
    let Some(from) = found.iter().position(|one| one.file == file) else {
        return;
    };
    let count = found[from..].iter().take_while(|one| one.file == file).count();
    let found = &mut found[from..from + count];
    if !found.iter().any(is_wrong) {
        return;
    }
    for rule in rules {
        let section = rule.header.to(rule.body);
        let from = found.partition_point(|one| one.span.start < section.start);
        let count = found[from..].partition_point(|one| one.span.start <= section.end);
        let found = &mut found[from..from + count];
        if section.range().len() > LONGEST_RULE || !found.iter().any(is_wrong) {
            continue;
        }
        if known.lines == 0 {
            return;
        }
        let written = &text[section.range()];
        let start = section.start;
        let inner = |span: Span| Span::between(span.start - start, span.end - start);
        let outer = |span: Span| Span::between(span.start + start, span.end + start);
        let is_inner =
            |one: &Diagnostic| is_within(file, one, |span| start <= span.start && span.end <= section.end);
        let before: Option<Vec<Diagnostic>> = found.iter().all(is_inner).then(|| {
            let moved = found.iter().map(|one| one.clone().moved(file, inner));
            moved.collect()
        });
        if let Some(meant) = before.as_ref().and_then(|before| known.take(written, before)) {
            for (one, after) in found.iter_mut().zip(&meant.after) {
                *one = after.clone().moved(file, outer);
            }
            known.keep(meant);
            continue;
        }
        let mut search = Search {
            text,
            section,
            cards,
            settings,
            seen: BTreeSet::new(),
            tries: 0,
            near: BTreeMap::new(),
        };
        let mut lines = 0;
        for span in lines_of(text, rule.body) {
            if lines == known.lines {
                known.lines = 0;
                return;
            }
            lines += usize::from(search.offer(file, span, found));
        }
        match before {
            None => known.lines -= lines,
            Some(before) => known.keep(MeantRule {
                written: written.to_owned(),
                after: found.iter().map(|one| one.clone().moved(file, inner)).collect(),
                before,
                lines,
            }),
        }
    }
}

/// What wrong rules were found to mean, for the next time that they are looked at: with the same cards and
/// settings the same comes of them.
#[derive(Debug)]
pub struct MeantRules {
    /// How many lines may still be thought about.
    lines: usize,
    /// Those of this time.
    now: Vec<MeantRule>,
    /// Those of the last time.
    before: Vec<MeantRule>,
}

/// A rule with what is found in it before and after an offer; places are counted from its beginning.
#[derive(Debug)]
struct MeantRule {
    written: String,
    before: Vec<Diagnostic>,
    after: Vec<Diagnostic>,
    /// How many lines were thought about.
    lines: usize,
}

impl Default for MeantRules {
    fn default() -> Self {
        MeantRules {
            lines: MOST_LINES,
            now: Vec::new(),
            before: Vec::new(),
        }
    }
}

impl MeantRules {
    /// For the next time: what was found out this time, and as many lines to think about.
    #[must_use]
    pub fn again(self) -> MeantRules {
        MeantRules {
            before: self.now,
            ..MeantRules::default()
        }
    }

    /// What is known of a rule in which this is found, if so many lines may be thought about.
    fn take(&mut self, written: &str, found: &[Diagnostic]) -> Option<MeantRule> {
        let is_same =
            |rule: &MeantRule| rule.written == written && rule.lines <= self.lines && rule.before == found;
        let at = self.before.iter().position(is_same)?;
        Some(self.before.swap_remove(at))
    }

    fn keep(&mut self, rule: MeantRule) {
        self.lines -= rule.lines;
        self.now.push(rule);
    }
}

/// The lines of a part of a text, without the blanks around them.
fn lines_of(text: &str, part: Span) -> impl Iterator<Item = Span> {
    let mut at = part.start as usize;
    text[part.range()].split_inclusive('\n').map(move |line| {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        Span::new(start, start + line.trim().len())
    })
}

/// Whether a finding is of a line that does not say what was meant.
fn is_wrong(found: &Diagnostic) -> bool {
    match found.severity {
        // What cannot be computed may be meant in any way.
        Severity::Error => found.code.0 != rs::RS082.code,
        Severity::Warning => TRAPS.contains(&found.code.0),
        Severity::Hint => false,
    }
}

/// Whether a mend leaves a word out.
fn takes_away(text: &str, found: &Diagnostic) -> bool {
    found.fix.as_ref().is_some_and(|fix| {
        fix.edits.iter().any(|edit| {
            let gone = text.get(edit.span.range()).unwrap_or_default();
            edit.text.is_empty() && gone.contains(char::is_alphanumeric)
        })
    })
}

/// The mend that makes one line of another; it changes what differs.
fn fix(file: FileId, text: &str, span: Span, meant: &str) -> FindingFix {
    let written = &text[span.range()];
    let same = |one: &mut dyn Iterator<Item = char>, other: &mut dyn Iterator<Item = char>| {
        one.zip(other)
            .take_while(|(one, other)| one == other)
            .map(|(one, _)| one.len_utf8())
            .sum::<usize>()
    };
    let front = same(&mut written.chars(), &mut meant.chars());
    let back = same(
        &mut written[front..].chars().rev(),
        &mut meant[front..].chars().rev(),
    );
    FindingFix::one(
        match meant.split_once('\n') {
            None => format!("did you mean `{meant}`?"),
            Some(_) => "did you mean these lines?".to_owned(),
        },
        Safety::Unsafe,
        file,
        Span::new(span.start as usize + front, span.end as usize - back),
        meant[front..meant.len() - back].to_owned(),
    )
}

/// A line on the way from what is written to what is meant.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// What the edits cost, and what is found still.
    weight: u32,
    /// The first of equals goes first.
    number: usize,
    cost: u32,
    edits: u8,
    line: String,
}

/// The search for what lines of one rule mean.
struct Search<'a> {
    text: &'a str,
    section: Span,
    cards: &'a KnownCards,
    settings: &'a SeveritySettings,
    seen: BTreeSet<String>,
    tries: usize,
    /// What words that nobody knows were looked for already, and those that are spelt alike.
    near: BTreeMap<String, Vec<&'static str>>,
}

/// What is found in a rule with another line.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// In the line: errors, and warnings.
    here: usize,
    /// Errors beside it.
    beside: usize,
    /// Warnings in the line that say themselves how they are mended.
    mended: u32,
}

impl Search<'_> {
    /// Offers what is meant by one line, if it is wrong; tells whether it was thought about.
    fn offer(&mut self, file: FileId, span: Span, found: &mut [Diagnostic]) -> bool {
        let here = |one: &Diagnostic| span.start <= one.span.start && one.span.start <= span.end;
        let is_wrong_here = |one: &Diagnostic| here(one) && is_wrong(one);
        let Some(first) = found.iter().position(is_wrong_here) else {
            return false;
        };
        if span.range().len() > LONGEST_LINE {
            return false;
        }
        // What earlier lines, or words of this one, are mended by may be all; but what is only taken away was
        // meant somehow.
        let before = found.partition_point(|one| one.span.start <= span.end);
        let mends = &found[..before];
        let takes_away = mends.iter().any(|one| here(one) && takes_away(self.text, one));
        let is_any = mends.iter().any(|one| one.fix.is_some());
        if is_any && !takes_away && self.is_mended(file, span, mends) {
            return true;
        }
        if let Some(meant) = self.nearest(span) {
            let wrong = found.iter_mut().filter(|one| is_wrong_here(one));
            wrong.for_each(|one| one.fix = None);
            found[first].fix = Some(fix(file, self.text, span, &meant));
        }
        true
    }

    /// The nearest line in which nothing is found, in place of the one at `span`.
    fn nearest(&mut self, span: Span) -> Option<String> {
        self.seen.clear();
        self.tries = 0;
        let written = &self.text[span.range()];
        let (written, comment) = without_comment(written);
        let before = self.found(span, written);
        let mut open = BinaryHeap::new();
        open.push(Reverse(Step {
            weight: 0,
            number: 0,
            cost: 0,
            edits: 0,
            line: written.to_owned(),
        }));
        self.seen.insert(written.to_owned());
        while let Some(Reverse(step)) = open.pop() {
            let mut best: Option<(u32, String)> = None;
            for (cost, line) in self.edits(&step.line) {
                let cost = step.cost + cost;
                if best.as_ref().is_some_and(|(least, _)| *least <= cost) || !self.seen.insert(line.clone()) {
                    continue;
                }
                if question(&line).is_some_and(|asked| question(written) != Some(asked)) {
                    continue;
                }
                if self.tries >= TRIES {
                    break;
                }
                self.tries += 1;
                let found = self.found(span, &line);
                if found.here == 0 && found.beside <= before.beside {
                    let cost = cost + found.mended;
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, line));
                    }
                } else if step.edits + 1 < MOST_EDITS {
                    let worse = u32::try_from(found.here + found.beside).unwrap_or(u32::MAX / 8);
                    open.push(Reverse(Step {
                        weight: cost + worse * OF_FINDING,
                        number: self.tries,
                        cost,
                        edits: step.edits + 1,
                        line,
                    }));
                }
            }
            if let Some((_, line)) = best {
                return Some(format!("{line}{comment}"));
            }
            if self.tries >= TRIES {
                break;
            }
        }
        None
    }

    /// Whether nothing is found in the line once these mends are applied.
    fn is_mended(&self, file: FileId, span: Span, mends: &[Diagnostic]) -> bool {
        let (text, _) = apply_fixes(file, self.text, mends, Safety::Unsafe);
        // As many lines stand behind it as before, since mends of words add none.
        let line = self.text[..span.start as usize].matches('\n').count();
        let start = self.section.start as usize;
        let behind = self.text.len() - self.section.end as usize;
        let Some(section) = text.get(start..text.len() - behind) else {
            return false;
        };
        let before = self.text[..start].matches('\n').count();
        let checked = check_text(FileId::default(), section, self.cards, self.settings);
        let mut wrong = checked.diagnostics.iter().filter(|one| is_wrong(one));
        wrong.all(|one| before + section[..one.span.start as usize].matches('\n').count() != line)
    }

    /// What is found with this line.
    fn found(&self, span: Span, line: &str) -> Found {
        let section = &self.text[self.section.range()];
        let (from, to) = (
            (span.start - self.section.start) as usize,
            (span.end - self.section.start) as usize,
        );
        let rule = format!("{}{line}{}", &section[..from], &section[to..]);
        let end = from + line.len();
        let checked = check_text(FileId::default(), &rule, self.cards, self.settings);
        let mut out = Found::default();
        for one in &checked.diagnostics {
            let is_here = (from..=end).contains(&(one.span.start as usize));
            match one.severity {
                Severity::Error if is_here => out.here += 1,
                // What other engines make of it, and a line that is missing elsewhere, say nothing about what
                // is meant.
                Severity::Warning if is_here && [rs::RS064.code, rs::RS065.code].contains(&one.code.0) => {
                    out.mended += 1;
                }
                // What does not count, or is always the same, was not meant.
                Severity::Warning
                    if is_here
                        && (one.fix.is_none() || [rs::RS032.code, rs::RS072.code].contains(&one.code.0))
                        && !one.message.ends_with(COUNTS_ITSELF) =>
                {
                    out.here += 1;
                }
                Severity::Warning if is_here => out.mended += 1,
                Severity::Error => out.beside += 1,
                Severity::Warning | Severity::Hint => {}
            }
        }
        out
    }

    /// What comes of a line by one edit, the cheapest first.
    fn edits(&mut self, line: &str) -> Vec<(u32, String)> {
        let mut out = Vec::new();
        let tokens = tokens(line);
        let (wordings, words) = wordings::all();
        let line = pattern::Line::new(line, &tokens, self.cards, words);
        for wording in wordings {
            wording.rewrite(&line, &mut out);
        }
        brackets::repair(&line, &mut out);
        self.near_words(&line, &mut out);
        out.sort_by_key(|(cost, _)| *cost);
        out.truncate(MOST_NEXT);
        out
    }

    /// Words that nobody knows become those that are spelt alike, or are put into quotes.
    fn near_words(&mut self, line: &pattern::Line<'_>, out: &mut Vec<(u32, String)>) {
        for (at, token) in line.tokens.iter().enumerate() {
            let word = line.token(at);
            if token.kind != RuleTokenKind::Word || word.starts_with('_') {
                continue;
            }
            if self.cards.subtype(&word.to_lowercase()).is_some() {
                out.push((1, line.with(at, at + 1, &format!("'{}'", word.to_lowercase()))));
            }
            if !self.near.contains_key(word) {
                self.near.insert(word.to_owned(), near_words(word));
            }
            let near = self.near.get(word).into_iter().flatten();
            out.extend(near.map(|near| (2, line.with(at, at + 1, near))));
        }
    }
}

/// The words of each class that are spelt like one that nobody knows.
fn near_words(word: &str) -> Vec<&'static str> {
    if is_known(word) {
        return Vec::new();
    }
    let classes = WORDS.iter().map(|class| class());
    classes
        .filter_map(|class| nearest(word, class.iter().map(|word| &**word)))
        .collect()
}

/// Whether a word stands for something in the language.
fn is_known(word: &str) -> bool {
    let kinds = [
        NameKind::Command,
        NameKind::Ability,
        NameKind::Event,
        NameKind::Zone,
        NameKind::Type,
        NameKind::Filter,
        NameKind::Argument,
    ];
    kinds.into_iter().any(|kind| Manual.spell(kind, word).is_some())
        || pattern::names()
            .iter()
            .any(|name| name.eq_ignore_ascii_case(word))
}

/// The words of the language, class by class.
const WORDS: [fn() -> &'static [String]; 5] = [
    pattern::commands,
    pattern::abilities,
    pattern::events,
    pattern::zones,
    pattern::names,
];

/// A line and the comment behind it, with the blanks between.
fn without_comment(line: &str) -> (&str, &str) {
    let comment = tokens(line)
        .last()
        .filter(|token| token.kind == RuleTokenKind::Comment)
        .map_or(line.len(), |token| token.start as usize);
    line.split_at(line[..comment].trim_end().len())
}

/// What a line asks its player, which may be any words: no edit makes a question of what was none.
fn question(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("[[may")?;
    let asked = behind.split("]]").next()?.trim();
    (!asked.is_empty()).then_some(asked)
}
