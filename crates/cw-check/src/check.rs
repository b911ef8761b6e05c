//! Ways in: one rule, one file, the rules of a package.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_program::{Compiled, CompiledRule as Program, PackageNames, compile, compile_into, event_name};
use cw_syntax::{Arena, CardRule, MOST_FINDINGS, RuleFile, guid, parse_part, parts, rs};
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Severity, Span, TextEdit};

use crate::cards::{KnownCard, KnownCards};
use crate::consequences;
use crate::lints::{self, Context};
use crate::settings::{SeveritySettings, apply_comments, has_comments};

/// A rule that was checked.
#[derive(Clone, Debug)]
pub struct RuleCheck {
    /// What it means; without the parts that could not be understood.
    pub program: Program,
    /// What is wrong with it, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl RuleCheck {
    /// Whether an error was found: `play` refuses such a rule (D38).
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }
}

fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

/// Compiles and checks one rule. `text` is the whole file; what the parser found is not repeated.
pub fn check_rule(
    file: FileId,
    text: &str,
    rule: &cw_syntax::RuleSyntax<'_>,
    names: &dyn PackageNames,
    card: Option<&KnownCard>,
) -> RuleCheck {
    let arena = Arena::new();
    let context = Context {
        names,
        card,
        arena: &arena,
    };
    let Compiled {
        rule: program,
        mut diagnostics,
    } = compile(file, text, rule, names);
    run_lints(file, text, rule, &program, &context, &[], &mut diagnostics);
    crate::remedies::add(&mut diagnostics);
    RuleCheck { program, diagnostics }
}

/// Adds to what the compiler found, where the parser found `of_parser`.
fn run_lints(
    file: FileId,
    text: &str,
    rule: &cw_syntax::RuleSyntax<'_>,
    program: &Program,
    context: &Context<'_>,
    of_parser: &[Diagnostic],
    out: &mut Vec<Diagnostic>,
) {
    for found in out.iter_mut() {
        compares(file, text, found);
        quotes_subtype(file, text, context.names, found);
    }
    consequences::drop_of_parser(text, of_parser, out);
    let broken = has_errors(of_parser) || has_errors(out);
    let own = out.len();
    if cfg!(any(feature = "lints", not(target_family = "wasm"))) {
        lints::run(file, text, rule, program, context, broken, out);
    }
    if broken {
        consequences::drop_of_errors(out, own);
    }
    out.sort_by_key(|found| found.span);
}

/// RS038: a condition with one `=` means two of them.
fn compares(file: FileId, text: &str, found: &mut Diagnostic) {
    let Some(around) = text.get(found.span.range()) else {
        return;
    };
    if found.code.0 != rs::RS038.code || around.trim() != "=" || found.fix.is_some() {
        return;
    }
    let start = found.span.start as usize + (around.len() - around.trim_start().len());
    let (written, meant, help) = match text.as_bytes().get(start + 1) {
        Some(b'>') => ("=>", ">=", "at least is written `>=`"),
        Some(b'<') => ("=<", "<=", "at most is written `<=`"),
        _ => ("=", "==", "`==` asks whether two values are the same"),
    };
    found.help = Some(help.to_owned());
    found.fix = Some(FindingFix::one(
        format!("replace `{written}` with `{meant}`"),
        Safety::Unsafe,
        file,
        Span::new(start, start + written.len()),
        meant.to_owned(),
    ));
}

/// RS038: the name of a subtype is a text.
fn quotes_subtype(file: FileId, text: &str, names: &dyn PackageNames, found: &mut Diagnostic) {
    if found.code.0 != rs::RS038.code || !found.message.starts_with("nothing is called") {
        return;
    }
    let Some(word) = text.get(found.span.range()).map(str::to_lowercase) else {
        return;
    };
    let before = text[..found.span.start as usize].trim_end();
    let is_compared = before.ends_with("==") || before.ends_with("!=");
    if !is_compared || names.subtype(&word).is_none() {
        return;
    }
    found.message = format!("nothing is called `{word}`; it is a subtype");
    found.help = Some(format!("put text in quotes: `.subtype == '{word}'`"));
    found.fix = Some(FindingFix::one(
        format!("write `'{word}'`"),
        Safety::Unsafe,
        file,
        found.span,
        format!("'{word}'"),
    ));
}

/// RS004: the name of an event stands between two `~`.
fn marks_events(file: FileId, text: &str, found: &mut [Diagnostic]) {
    for found in found {
        let Some(word) = text.get(found.span.range()) else {
            continue;
        };
        if found.code.0 != rs::RS004.code || event_name(word).is_none() {
            continue;
        }
        found.message = format!("`{word}` is an event, not an effect");
        found.help = Some(format!("write an event between two `~`: `~{word}~`"));
        let behind = text[found.span.end as usize..].find(|letter: char| letter != ' ');
        let behind = found.span.end as usize + behind.unwrap_or_default();
        let colon = text[behind..].starts_with([':', ',']);
        let end = match colon {
            true => behind + 1,
            false => found.span.end as usize,
        };
        found.fix = Some(FindingFix::one(
            format!("write `~{word}~`"),
            Safety::Unsafe,
            file,
            Span::new(found.span.start as usize, end),
            format!("~{word}~"),
        ));
    }
}

/// RS002, RS067: a value that goes on in the next line is one mistake, and both lines become one.
fn joins_lines(file: FileId, text: &str, found: &mut Vec<Diagnostic>) {
    let joiners = ["&&", "&", ";", ","];
    let mut at = 0;
    while let Some(next) = found[at..].iter().position(|one| one.code.0 == rs::RS002.code) {
        at += next;
        let span = found[at].span;
        let line = &text[span.range()];
        let before = text[..span.start as usize].trim_end();
        let lines_between = text[before.len()..span.start as usize].matches('\n').count();
        let dangles = joiners.iter().any(|joiner| before.ends_with(joiner));
        let goes_on = dangles
            || line.starts_with(['&', ';'])
            || ["to(", "to (", "from(", "[[else"]
                .iter()
                .any(|word| line.starts_with(word));
        let last = before.rsplit('\n').next().unwrap_or_default();
        if lines_between == 1
            && goes_on
            && last.contains('=')
            && !last.contains('#')
            && found[at].fix.is_none()
        {
            found[at].message = "a value cannot continue on the next line".to_owned();
            found[at].help = Some("write all of it on one line, however long".to_owned());
            found[at].fix = Some(FindingFix::one(
                "join both lines",
                Safety::Unsafe,
                file,
                Span::new(before.len(), span.start as usize),
                " ",
            ));
            let is_joiner =
                |one: &Diagnostic| one.code.0 == rs::RS067.code && one.span.end as usize == before.len();
            let count = found.len();
            found.retain(|one| !is_joiner(one));
            at -= count - found.len();
        }
        at += 1;
    }
}

/// The rules of a file that was checked.
#[derive(Clone, Debug, Default)]
pub struct CheckedFile {
    /// In order of place.
    pub rules: Vec<CheckedRule>,
    /// All that is wrong in the file, the parser's findings included, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckedRule {
    /// What the rule means, at the place where it stands now.
    pub fn placed(&self) -> Option<Program> {
        let mut program = (**self.program.as_ref()?).clone();
        program.moved += self.moved;
        Some(program)
    }
}

impl CheckedFile {
    /// Adds what was found in the part of the file behind this one; a person reads only so much.
    pub fn append(&mut self, mut next: CheckedFile) {
        if !self.is_full() {
            self.rules.append(&mut next.rules);
            self.diagnostics.append(&mut next.diagnostics);
            limit(
                &mut self.diagnostics,
                MOST_FINDINGS,
                "more than 20,000 findings in this file",
            );
        }
    }

    /// Whether so much was found that the rest of the file is not checked; the last finding says
    /// so (RS069).
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() > MOST_FINDINGS
    }
}

/// One rule of a file.
#[derive(Clone, Debug)]
pub struct CheckedRule {
    /// The id of its card as a number, unless it is malformed.
    pub card: Option<u128>,
    /// Where its header stands.
    pub header: Span,
    /// Where its lines stand.
    pub body: Span,
    /// What it means; without the parts that could not be understood. `None` where programs are not kept.
    pub program: Option<Arc<Program>>,
    /// How many bytes the rule has moved since its program was made.
    pub moved: isize,
}

/// Reads, compiles and checks a `.rules` file; trees and programs are not kept. Comments in it may
/// change severities; the game's settings are applied where comments say nothing.
pub fn check_text(file: FileId, text: &str, cards: &KnownCards, settings: &SeveritySettings) -> CheckedFile {
    let mut checking = Checking::new(file, text, cards, settings);
    let mut arena = Arena::new();
    for part in parts(text) {
        checking.part(&arena, part);
        arena.reset();
        if checking.out.is_full() {
            break;
        }
    }
    checking.out
}

/// As [`check_text`], for one of the [`parts`](cw_syntax::parts) of a file; programs are kept. Parts may be
/// checked at the same time; [`CheckedFile::append`] joins them, in their order.
pub fn check_part(
    file: FileId,
    text: &str,
    part: Span,
    cards: &KnownCards,
    settings: &SeveritySettings,
) -> CheckedFile {
    let mut checking = Checking::new(file, text, cards, settings);
    checking.keeps = true;
    checking.part(&Arena::new(), part);
    checking.out
}

/// As [`check_text`], for rules that were read already; programs are kept.
pub fn check_file(
    file: FileId,
    text: &str,
    parsed: RuleFile<'_>,
    cards: &KnownCards,
    settings: &SeveritySettings,
) -> CheckedFile {
    let mut checking = Checking::new(file, text, cards, settings);
    checking.keeps = true;
    checking.commented = has_comments(text);
    checking.rules(parsed);
    checking.out
}

/// How many findings of one rule are kept.
pub(crate) const MOST_IN_RULE: usize = MOST_FINDINGS / 10;

/// Keeps the first findings; where the rest would stand an error says that there is more (RS069).
fn limit(found: &mut Vec<Diagnostic>, most: usize, what: &str) {
    if found.len() > most {
        let rest = rs::RS069.at(
            found[most].file,
            found[most].span,
            format!("{what}; the rest is not shown"),
        );
        found.truncate(most);
        found.push(rest.help("fix some and check again"));
    }
}

/// A file that is being checked.
struct Checking<'a> {
    file: FileId,
    text: &'a str,
    cards: &'a KnownCards,
    settings: &'a SeveritySettings,
    /// Whether there may be comments that change severities.
    commented: bool,
    /// Whether programs are kept.
    keeps: bool,
    /// Where what is found out about one rule lies.
    arena: Arena,
    /// What the rule was compiled to.
    compiled: Compiled,
    out: CheckedFile,
}

impl<'a> Checking<'a> {
    fn new(
        file: FileId,
        text: &'a str,
        cards: &'a KnownCards,
        settings: &'a SeveritySettings,
    ) -> Checking<'a> {
        Checking {
            file,
            text,
            cards,
            settings,
            commented: false,
            keeps: false,
            arena: Arena::new(),
            compiled: Compiled::default(),
            out: CheckedFile::default(),
        }
    }

    /// Reads and checks one part; its trees lie in `arena`.
    fn part(&mut self, arena: &Arena, part: Span) {
        let whole = part.range().len() == self.text.len();
        let most = if whole { MOST_FINDINGS } else { MOST_FINDINGS / 10 };
        self.commented = has_comments(&self.text[part.range()]);
        self.rules(parse_part(arena, self.file, self.text, part, most));
    }

    fn rules(&mut self, parsed: RuleFile<'_>) {
        let from = self.out.diagnostics.len();
        // What the parser found about a rule lies between its header and the next one.
        let mut of_parser = parsed.diagnostics;
        marks_events(self.file, self.text, &mut of_parser);
        joins_lines(self.file, self.text, &mut of_parser);
        crate::joins::joins_keys(self.file, self.text, &mut of_parser);
        self.settings.apply(&mut of_parser);
        let mut of_parser = of_parser.into_iter().peekable();
        self.out.rules.reserve(parsed.rules.len());
        for rule in &parsed.rules {
            let mut here = Vec::new();
            let (header, end) = (rule.header.span.start, rule.header.body.end);
            while let Some(found) = of_parser.next_if(|found| found.span.start < end) {
                if found.span.start < header {
                    self.out.diagnostics.push(found);
                } else {
                    here.push(found);
                }
            }
            self.rule(rule, &mut here);
            limit(&mut here, MOST_IN_RULE, "more than 2,000 findings in this rule");
            self.out.diagnostics.append(&mut here);
            if self.out.is_full() {
                break;
            }
        }
        self.out.diagnostics.extend(of_parser);
        crate::remedies::add(&mut self.out.diagnostics[from..]);
        self.out.diagnostics[from..].sort_by_key(|found| found.span);
        limit(
            &mut self.out.diagnostics,
            MOST_FINDINGS,
            "more than 20,000 findings in this file",
        );
    }

    /// Checks one rule; `here` holds what the parser found in it.
    fn rule(&mut self, rule: &CardRule<'_>, here: &mut Vec<Diagnostic>) {
        let (file, header) = (self.file, rule.header.span);
        let id = rule.id;
        let card = id.and_then(|id| self.cards.with_id(id));
        let context = Context {
            names: self.cards,
            card,
            arena: &self.arena,
        };
        let (compiled, arena, text) = (&mut self.compiled, &self.arena, self.text);
        compile_into(compiled, arena, file, text, &rule.rule, self.cards);
        let Compiled {
            rule: program,
            diagnostics: found,
        } = compiled;
        run_lints(file, self.text, &rule.rule, program, &context, here, found);
        here.append(found);
        self.names_for_ids(here);
        if rule.rule.properties.is_empty() && here.is_empty() {
            here.push(rs::RS008.at(file, header, "this card has no rule"));
        }
        match card {
            None if id.is_some() && self.cards.is_complete() => {
                let message = "no card of the package has this id";
                let finding = rs::RS051.at(file, rule.card.span, message);
                here.push(match self.cards.like(rule.card.text) {
                    Some(card) => meant(finding, card),
                    None => finding,
                });
            }
            None if self.cards.is_complete() => {
                let header = here.iter_mut().find(|found| found.code.0 == rs::RS050.code);
                if let (Some(found), Some(card)) = (header, self.cards.named(rule.card.text)) {
                    *found = meant(found.clone(), card);
                }
            }
            None => {}
            Some(card) if cfg!(any(feature = "lints", not(target_family = "wasm"))) && !has_errors(here) => {
                lints::card_text(file, &rule.rule, card, &self.arena, here);
            }
            Some(_) => {}
        }
        if !here.is_empty() {
            self.settings.apply(here);
        }
        if self.commented {
            apply_comments(file, self.text, header.to(rule.header.body), here);
        }
        self.out.rules.push(CheckedRule {
            card: id,
            header,
            body: rule.header.body,
            program: self
                .keeps
                .then(|| Arc::new(std::mem::take(&mut self.compiled.rule))),
            moved: 0,
        });
        self.arena.reset();
    }
}

impl Checking<'_> {
    /// RS038, RS048, RS050: a card's name where its id, or its name in quotes, is wanted.
    fn names_for_ids(&self, here: &mut [Diagnostic]) {
        for found in here {
            let code = found.code.0;
            let is_name = [rs::RS038.code, rs::RS048.code, rs::RS050.code].contains(&code);
            let Some(text) = self.text.get(found.span.range()).filter(|_| is_name) else {
                continue;
            };
            let name = text.trim_matches(['"', '\'']);
            if self.cards.card_name(&name.to_lowercase()).is_none() {
                continue;
            }
            let in_transform = self.text[..found.span.start as usize]
                .trim_end_matches(['"', '\''])
                .to_ascii_lowercase()
                .ends_with("transform(");
            let Some(card) = self.cards.named(name) else {
                continue;
            };
            let (file, span) = (found.file, found.span);
            let (help, title, text) = if in_transform {
                let quoted = text.starts_with(['"', '\'']) || code == rs::RS050.code;
                let id = match quoted && !text.starts_with(['"', '\'']) {
                    true => card.id.clone(),
                    false => format!("\"{}\"", card.id),
                };
                let help = format!("cards are named by id here: `{}` has `{}`", card.name, card.id);
                (help, format!("write the id of `{}`", card.name), id)
            } else if code == rs::RS048.code {
                let quoted = format!("\"{}\"", card.name);
                let help = "a card's name goes in double quotes".to_owned();
                (help, format!("write `{quoted}`"), quoted)
            } else {
                continue;
            };
            found.help = Some(help);
            found.fix = Some(FindingFix::one(title, Safety::Unsafe, file, span, text));
        }
    }
}

/// Says which card a header probably means, and writes its id.
fn meant(finding: Diagnostic, card: &KnownCard) -> Diagnostic {
    let edit = TextEdit {
        file: finding.file,
        span: finding.span,
        text: card.id.clone(),
    };
    finding
        .help(format!("did you mean `{}`, the id of `{}`?", card.id, card.name))
        .fix(FindingFix {
            title: format!("write the id of `{}`", card.name),
            safety: Safety::Unsafe,
            edits: vec![edit],
        })
}

/// What concerns all files of a package: rules given twice (RS075), cards with rules text but
/// without rule (RS051) and the other way round (RS079). `files` are in order of force; `text_of` tells where
/// a card is printed.
pub fn check_package(
    files: &[(FileId, &CheckedFile)],
    cards: &KnownCards,
    text_of: &dyn Fn(&KnownCard) -> Option<(FileId, Span)>,
    settings: &SeveritySettings,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut first = vec![None; cards.all().len()];
    let mut first_unknown: BTreeMap<u128, (FileId, Span)> = BTreeMap::new();
    for (file, checked) in files {
        for rule in &checked.rules {
            let Some(id) = rule.card else { continue };
            let index = cards.index_of(id);
            let known = index.map_or_else(|| first_unknown.get(&id).copied(), |index| first[index]);
            match known {
                Some((first_file, first_span)) => out.push(
                    rs::RS075
                        .at(
                            *file,
                            rule.header,
                            "this card has a rule already; this one is not used",
                        )
                        .label(first_file, first_span, "the rule that counts"),
                ),
                None => {
                    let here = (*file, rule.header);
                    match index {
                        Some(index) => first[index] = Some(here),
                        None => drop(first_unknown.insert(id, here)),
                    }
                    let card = index.map(|index| &cards.all()[index]);
                    if let Some(card) = card.filter(|card| card.text.trim().is_empty()) {
                        let message = format!("`{}` has a rule but no printed text", card.name);
                        out.push(
                            rs::RS079
                                .at(*file, rule.header, message)
                                .help("players need to read what a card does: write it in the set"),
                        );
                    }
                }
            }
        }
    }
    for (card, own) in cards.all().iter().zip(&first) {
        if own.is_some() || card.text.trim().is_empty() {
            continue;
        }
        // Of cards with one id the first has the rule of all.
        let of_first = guid(&card.id).and_then(|id| first[cards.index_of(id)?]);
        if of_first.is_some() {
            continue;
        }
        if let Some((file, span)) = text_of(card) {
            let message = format!("`{}` has rules text but no rule", card.name);
            out.push(
                rs::RS051
                    .at(file, span, message)
                    .help("players will be told to apply it by hand"),
            );
        }
    }
    settings.apply(&mut out);
    out
}
