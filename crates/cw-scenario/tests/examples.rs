//! Every command of RuleScript in use: cards of the demo game, in scenarios that are run here. The page of
//! the book and its pictures are made of what ran; `CARDWRIGHT_BLESS=1` writes them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cw_duel::{Duel, DuelEvent, DuelObject, Game, Seat, Sink, StepResult, TraceStep, Traced};
use cw_load::Loaded;
use cw_octgn::Folder;
use cw_program::{ClosedWord, CommandName, ModelId};
use cw_scenario::{RunOptions, Scenario, begin, read, run, state};
use cw_words::EventReader;
use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A rule as it stands in its file, without what speaks of the next card.
struct Rule {
    start: usize,
    text: String,
}

fn rules(loaded: &Loaded) -> BTreeMap<ModelId, Rule> {
    let rule = |rule: &cw_load::RuleText| {
        let range = rule.body.range();
        let whole = loaded
            .project
            .package
            .sources
            .get(rule.file)
            .text
            .get(range.clone());
        let mut text = whole.unwrap_or_default().trim_end();
        while let Some((before, _)) = text.rsplit_once('\n').filter(|(_, last)| last.starts_with('#')) {
            text = before.trim_end();
        }
        Rule {
            start: range.start,
            text: text.to_owned(),
        }
    };
    loaded
        .rules
        .iter()
        .map(|(model, text)| (*model, rule(text)))
        .collect()
}

/// What happened at one choice.
struct Moment {
    before: Value,
    after: Value,
    events: Vec<String>,
    lines: Vec<Traced>,
}

#[derive(Default)]
struct Witness {
    events: Vec<DuelEvent>,
    lines: Vec<Traced>,
}

impl Sink for Witness {
    fn event(&mut self, event: &DuelEvent) {
        self.events.push(*event);
    }

    fn wants_trace(&self) -> bool {
        true
    }

    fn traced(&mut self, line: &Traced) {
        self.lines.push(line.clone());
    }
}

/// The choices of a scenario, one by one.
fn moments(scenario: &Scenario, game: &std::sync::Arc<Game>) -> Vec<Moment> {
    let report = run(scenario, game, RunOptions::default());
    assert_eq!(report.failure, None, "{}", scenario.name);
    let (mut duel, _) = begin(scenario, game).expect("it was run");
    let mut moments = Vec::new();
    for answered in report.steps.iter().flat_map(|step| &step.answers) {
        let before = state(&duel);
        let mut witness = Witness::default();
        duel.answer(answered.choice, &mut witness).expect("it was run");
        moments.push(Moment {
            before,
            after: state(&duel),
            events: told(&duel, &witness.events),
            lines: witness.lines,
        });
    }
    moments
}

fn told(duel: &Duel, events: &[DuelEvent]) -> Vec<String> {
    let reader = EventReader { duel, seat: None };
    events
        .iter()
        .filter_map(|event| cw_words::event(reader, event))
        .collect()
}

/// A moment in which a command did what it is for.
struct Example<'a> {
    command: CommandName,
    card: ModelId,
    rule: &'a Rule,
    /// The scenario as it stands in its file.
    scenario: &'a str,
    moment: &'a Moment,
}

fn uses(text: &str, command: CommandName) -> bool {
    let name = command.signature().usage;
    let name = name.split('(').next().unwrap_or(name);
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start_matches('?');
        after.starts_with('(') && !before.is_some_and(char::is_alphanumeric)
    })
}

/// Whether the line says that the command did its work.
fn shows(line: &Traced, game: &Game, rule: &Rule, command: CommandName) -> bool {
    line.step == TraceStep::Step(StepResult::Effect(true))
        && span(game, rule, line).is_some_and(|span| uses(&rule.text[span], command))
}

fn span(game: &Game, rule: &Rule, line: &Traced) -> Option<Range<usize>> {
    let span = game.span_at(line.place)?;
    let span = span.start.checked_sub(rule.start)?..span.end.checked_sub(rule.start)?;
    rule.text.get(span.clone()).map(|_| span)
}

// The page

fn page(loaded: &Loaded, examples: &[Example<'_>]) -> String {
    let mut out = String::from(
        "# Commands in use\n\n\
         <!-- Generated from the demo game's scenarios: \
         `CARDWRIGHT_BLESS=1 cargo test -p cw-scenario --test examples`. -->\n\n\
         Each command of RuleScript, in the rule of a card of the demo game. \
         The scenario below it is run as a test; the picture shows how things stood before and after, \
         and which parts of the rule ran. What each command takes is in [Commands](commands.md), \
         what scenarios are in [Scenario files](../scenarios.md).\n",
    );
    let game = loaded.game.as_ref().expect("the demo game can be played");
    for example in examples {
        let usage = example.command.signature().usage;
        let name = usage.split('(').next().unwrap_or(usage);
        let model = &game.models[usize::from(example.card.0)];
        let printed: Vec<&str> = model
            .text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let _ = write!(
            out,
            "\n## `{name}`\n\n**{}**: {}\n\n```text\n{}\n```\n\n\
             ![{}, before and after](examples/{name}.svg)\n\n\
             <details><summary>The scenario</summary>\n\n```toml\n{}\n```\n\n</details>\n",
            model.name,
            printed.join(" "),
            example.rule.text.trim_start_matches('\n'),
            model.name,
            without_rules(example.scenario.trim_end()),
        );
    }
    out
}

/// A scenario whose name cites no rules: they mean nothing to who writes cards.
fn without_rules(scenario: &str) -> String {
    let line = |line: &str| match (line.starts_with("name = "), line.rsplit_once(" (")) {
        (true, Some((name, _))) if line.ends_with(")\"") => format!("{name}\""),
        _ => line.to_owned(),
    };
    scenario.lines().map(line).collect::<Vec<_>>().join("\n")
}

// The picture

const WIDE: usize = 760;
const ROW: usize = 20;
const INK: &str = "#f2ecdf";
const QUIET: &str = "#9aa1b5";
const LEGAL: &str = "#ffd166";

struct Picture {
    out: String,
    y: usize,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// At most so many letters.
fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

impl Picture {
    fn text(&mut self, x: usize, fill: &str, more: &str, text: &str) {
        let (y, text) = (self.y, escaped(text));
        let _ = writeln!(
            self.out,
            r#"<text x="{x}" y="{y}" fill="{fill}"{more}>{text}</text>"#
        );
    }

    fn heading(&mut self, text: &str) {
        self.y += 20;
        self.text(
            20,
            QUIET,
            r#" font-size="12" letter-spacing="1""#,
            &text.to_uppercase(),
        );
        self.y += 4;
    }

    /// How things stand: one player's numbers, and its ring.
    fn seat(&mut self, x: usize, words: &str, now: &Value, other: &Value) {
        let mut at = x;
        self.text(at, QUIET, r#" font-size="12""#, words);
        at += 66;
        for (key, name) in [
            ("hp", "HP"),
            ("sp", "SP"),
            ("hand-size", "hand"),
            ("deck-size", "deck"),
            ("discards-size", "discards"),
        ] {
            let fill = if now[key] == other[key] { INK } else { LEGAL };
            let said = format!("{name} {}", now[key]);
            self.text(at, fill, r#" font-size="12""#, &said);
            at += 12 + said.chars().count() * 6 + 6 * usize::from(key == "hp");
        }
        self.y += 7;
        for slot in 0..now["ring"].as_array().map_or(0, Vec::len) {
            let (card, was) = (&now["ring"][slot], &other["ring"][slot]);
            let seen = [
                "card",
                "bp",
                "frozen",
                "ability",
                "backups",
                "abilities",
                "attacks",
                "fresh",
            ];
            let changed = seen.iter().any(|key| card[*key] != was[*key]);
            let left = x + slot * 88;
            let stroke = if changed { LEGAL } else { "#3a4158" };
            let fill = if card.is_null() { "none" } else { "#1b2030" };
            let top = self.y;
            let _ = writeln!(
                self.out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"84\" height=\"54\" \
                     rx=\"6\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>"
            );
            if card.is_null() {
                continue;
            }
            let back = self.y;
            let name = card["card"].as_str().unwrap_or_default();
            // A long name takes two lines.
            let (first, second) = broken(name);
            self.y = back + 15;
            self.text(left + 6, INK, r#" font-size="11""#, &first);
            self.y = back + 28;
            self.text(left + 6, INK, r#" font-size="11""#, &second);
            self.y = back + 46;
            self.text(
                left + 6,
                LEGAL,
                r#" font-size="15" font-weight="bold""#,
                &card["bp"].to_string(),
            );
            let frozen = card["frozen"] == true;
            let state = [
                (frozen, "frozen"),
                (card["attacks"] == true, "attacks"),
                (card["fresh"] == true, "fresh"),
            ];
            if let Some((_, word)) = state.iter().find(|(is, _)| *is) {
                self.text(left + 41, "#7fe7ff", r#" font-size="10.5""#, word);
            }
            self.y = back;
        }
        self.y += 54;
    }

    fn board(&mut self, moment: &Moment) {
        let top = self.y;
        for (x, title, now, other) in [
            (20, "before", &moment.before, &moment.after),
            (396, "after", &moment.after, &moment.before),
        ] {
            self.y = top + 14;
            self.text(
                x,
                QUIET,
                r#" font-size="12" letter-spacing="1""#,
                &title.to_uppercase(),
            );
            for (seat, words) in [("opponent", "Player 2"), ("me", "Player 1")] {
                self.y += 20;
                self.seat(x, words, &now[seat], &other[seat]);
            }
        }
    }

    /// The rule's lines, wrapped, with what ran marked.
    fn rule(&mut self, text: &str, ran: &[Range<usize>]) {
        const LETTERS: usize = 96;
        const LETTER: f32 = 7.5;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let mut rest = line.trim_end_matches('\n');
            let mut at = start;
            start += line.len();
            while !rest.is_empty() {
                let end = rest.char_indices().nth(LETTERS).map_or(rest.len(), |(end, _)| {
                    rest[..end].rfind(' ').map_or(end, |blank| blank + 1)
                });
                let piece = &rest[..end];
                self.y += ROW;
                for span in ran {
                    let from = span.start.clamp(at, at + end) - at;
                    let to = span.end.clamp(at, at + end) - at;
                    if from < to {
                        let (Some(before), Some(inside)) = (piece.get(..from), piece.get(from..to)) else {
                            continue;
                        };
                        let x = 20.0 + before.chars().count() as f32 * LETTER;
                        let wide = inside.trim_end().chars().count() as f32 * LETTER;
                        let top = self.y - 15;
                        let _ = writeln!(
                            self.out,
                            "<rect x=\"{:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"20\" \
                                 rx=\"4\" fill=\"#4a3c12\" stroke=\"#ffd166\"/>",
                            x - 2.0,
                            wide + 4.0
                        );
                    }
                }
                let shown = piece.trim_end();
                let long = shown.chars().count() as f32 * LETTER;
                let more = format!(
                    " font-family=\"ui-monospace, monospace\" font-size=\"12.5\" \
                     xml:space=\"preserve\" textLength=\"{long:.1}\""
                );
                self.text(20, INK, &more, shown);
                rest = &rest[end..];
                at += end;
            }
        }
    }
}

fn broken(name: &str) -> (String, String) {
    const MOST: usize = 12;
    if name.chars().count() <= MOST {
        return (name.to_owned(), String::new());
    }
    let blank = name.match_indices(' ').map(|(at, _)| at).rfind(|at| *at <= MOST);
    let (first, second) = blank.map_or((name, ""), |at| (&name[..at], &name[at + 1..]));
    (cut(first, MOST), cut(second, MOST))
}

fn picture(loaded: &Loaded, example: &Example<'_>) -> String {
    let game = loaded.game.as_ref().expect("the demo game can be played");
    let mut picture = Picture {
        out: String::new(),
        y: 8,
    };
    let lines = &example.moment.lines;
    let own: Vec<&Traced> = lines
        .iter()
        .filter(|line| line.place.model == example.card && line.depth > 0)
        .collect();
    let mut steps: Vec<(String, &str, String)> = Vec::new();
    let mut ran: Vec<Range<usize>> = Vec::new();
    for line in own {
        let TraceStep::Step(result) = line.step else {
            continue;
        };
        let Some(span) = span(game, example.rule, line) else {
            continue;
        };
        let said = match result {
            StepResult::Condition(true) => "holds",
            StepResult::Condition(false) => "does not hold",
            StepResult::Effect(true) => "done",
            StepResult::Effect(false) => "failed",
            StepResult::NoTargets => "no targets",
            StepResult::Paid => "paid",
            StepResult::Unpaid => "not paid",
            StepResult::Targets(_) | StepResult::Skipped | StepResult::Reverted => continue,
        };
        let targets: Vec<String> = line
            .targets
            .iter()
            .map(|object| named(game, line, *object))
            .collect();
        let step = (
            example.rule.text[span.clone()].replace('\n', " "),
            said,
            targets.join(", "),
        );
        if steps.last() != Some(&step) {
            steps.push(step);
        }
        ran.push(span);
    }
    picture.heading("what ran");
    picture.rule(example.rule.text.trim_start_matches('\n'), &ran);
    picture.y += 8;
    picture.heading("step by step");
    for (at, (text, said, targets)) in steps.iter().enumerate() {
        picture.y += ROW;
        let good = !["failed", "does not hold", "no targets", "not paid"].contains(said);
        picture.text(20, QUIET, r#" font-size="12""#, &format!("{}", at + 1));
        picture.text(
            40,
            INK,
            r#" font-family="ui-monospace, monospace" font-size="12""#,
            &cut(text, 46),
        );
        picture.text(
            390,
            if good { "#5fd38d" } else { "#ff8296" },
            r#" font-size="12""#,
            said,
        );
        if !targets.is_empty() {
            picture.text(480, INK, r#" font-size="12""#, &cut(&format!("→ {targets}"), 42));
        }
    }
    picture.y += 8;
    picture.heading("what happened");
    for event in &example.moment.events {
        picture.y += ROW;
        picture.text(20, INK, r#" font-size="13""#, &cut(event, 104));
    }
    picture.y += 12;
    picture.board(example.moment);
    let tall = picture.y + 18;
    let name = &game.models[usize::from(example.card.0)].name;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {tall}\" \
             width=\"{WIDE}\" height=\"{tall}\" font-family=\"system-ui, sans-serif\">\n\
         <title>{}</title>\n\
         <rect width=\"{WIDE}\" height=\"{tall}\" rx=\"12\" fill=\"#11131a\"/>\n\
         {}</svg>\n",
        escaped(name),
        picture.out
    )
}

fn named(game: &Game, line: &Traced, object: DuelObject) -> String {
    match (object.as_card(), object.as_player()) {
        (Some(card), _) => line.model(card).map_or_else(String::new, |model| {
            game.models
                .get(usize::from(model.0))
                .map_or_else(String::new, |model| model.name.to_string())
        }),
        (None, Some(Seat::One)) => "Player 1".to_owned(),
        (None, Some(Seat::Two)) => "Player 2".to_owned(),
        (None, None) => String::new(),
    }
}

#[test]
fn every_command_has_an_example_that_runs() {
    let loaded =
        cw_load::load(Folder::new(Path::new(ROOT).join("games/saltmarsh"))).expect("the demo game is there");
    let game = loaded.game.clone().expect("the demo game can be played");
    let rules = rules(&loaded);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(Path::new(ROOT).join("games/saltmarsh-tests"))
        .expect("the demo game has scenarios")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .collect();
    paths.sort();
    // Each scenario with its text and what happens in it.
    let mut all: Vec<(String, Vec<Moment>)> = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)
            .expect("a scenario file is text")
            .replace("\r\n", "\n");
        let file = read(&text).unwrap_or_else(|fault| panic!("{}: {}", path.display(), fault.message));
        let starts: Vec<usize> = text.match_indices("[[scenario]]").map(|(at, _)| at).collect();
        assert_eq!(starts.len(), file.scenarios.len(), "{}", path.display());
        for (index, scenario) in file.scenarios.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(text.len());
            all.push((
                text[starts[index]..end].trim_end().to_owned(),
                moments(scenario, &game),
            ));
        }
    }
    let mut examples = Vec::new();
    let mut missing = Vec::new();
    for command in CommandName::ALL.iter().copied() {
        let mut best: Option<(usize, Example<'_>)> = None;
        for (scenario, moments) in &all {
            for moment in moments {
                for line in &moment.lines {
                    let Some(rule) = rules.get(&line.place.model) else {
                        continue;
                    };
                    if !shows(line, &game, rule, command) {
                        continue;
                    }
                    // The shortest says it best, if it is not about a failure.
                    let fails = scenario.contains("fail");
                    let length = 3 * rule.text.len() + scenario.len() + 1000 * usize::from(fails);
                    if best.as_ref().is_none_or(|(least, _)| length < *least) {
                        let example = Example {
                            command,
                            card: line.place.model,
                            rule,
                            scenario,
                            moment,
                        };
                        best = Some((length, example));
                    }
                }
            }
        }
        match best {
            Some((_, example)) => examples.push(example),
            None => missing.push(command.signature().usage),
        }
    }
    assert_eq!(
        missing,
        Vec::<&str>::new(),
        "no scenario of the demo game shows these"
    );
    let folder = Path::new(ROOT).join("docs/reference");
    let mut files = vec![(folder.join("examples.md"), page(&loaded, &examples))];
    for example in &examples {
        let usage = example.command.signature().usage;
        let name = usage.split('(').next().unwrap_or(usage);
        files.push((
            folder.join(format!("examples/{name}.svg")),
            picture(&loaded, example),
        ));
    }
    let bless = std::env::var_os("CARDWRIGHT_BLESS").is_some();
    for (path, text) in files {
        if bless {
            std::fs::create_dir_all(path.parent().expect("it lies in a folder"))
                .expect("a folder can be made");
            std::fs::write(&path, &text).expect("a page can be written");
        }
        let committed = std::fs::read_to_string(&path)
            .unwrap_or_default()
            .replace("\r\n", "\n");
        assert!(
            committed == text,
            "{} is stale: CARDWRIGHT_BLESS=1 cargo test -p cw-scenario --test examples",
            path.display()
        );
    }
}
