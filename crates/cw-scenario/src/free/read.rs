//! The text of a file becomes scenarios; names of cards, piles, counters and entries are looked up later.

use cw_duel::Seed;
use cw_text::Span;

use super::SEATS;
use crate::node::{Fields, KEY, KIND, ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue, parse};
use crate::read::{one_of, seed, text, words};

/// A file of scenarios of the free table.
#[derive(Clone, Debug)]
pub struct FreeFile {
    /// The package's folder, relative to the file, and where that stands.
    pub package: (String, Span),
    /// The scenarios, in the order of the file.
    pub scenarios: Vec<FreeScenario>,
}

/// One scenario of the free table.
#[derive(Clone, Debug)]
pub struct FreeScenario {
    /// What it shows.
    pub name: String,
    /// Where it begins.
    pub span: Span,
    /// What people are told of it.
    pub note: Option<String>,
    /// Names of the seats.
    pub(crate) seats: Vec<String>,
    pub(crate) seed: Seed,
    /// When entries are chosen, in seconds since 1970.
    pub(crate) time: i64,
    pub(crate) position: FreePosition,
    pub(crate) rules: FreeRules,
    pub(crate) steps: Vec<FreeStep>,
}

/// What lies where, as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreePosition {
    /// What a seat has, or nobody.
    pub of: Vec<(Option<usize>, ScenarioNode)>,
    pub table: Vec<ScenarioNode>,
    pub variables: Vec<(ScenarioKey, ScenarioNode)>,
    pub active: Option<usize>,
    pub turn: u32,
    pub phase: Option<(String, Span)>,
    pub begins: bool,
}

/// Settings of the table that scripts feel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FreeRules {
    pub remote_is_free: bool,
    pub reach_is_own: bool,
    pub rights_are_open: bool,
    pub is_solo: bool,
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct FreeStep {
    pub span: Span,
    pub index: usize,
    /// Whose it is.
    pub by: usize,
    pub action: Option<FreeAction>,
    /// The cards that an entry is chosen on.
    pub on: Vec<(String, Span)>,
    pub at: Option<(i32, i32)>,
    pub answers: Vec<ScenarioNode>,
    /// The table does not do it, perhaps for this reason.
    pub refused: Option<(Option<String>, Span)>,
    /// The script fails or is broken off, with these words.
    pub fails: Option<(String, Span)>,
    pub expect: Option<ScenarioNode>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum FreeAction {
    /// Chooses a menu entry.
    Run(String, Span),
    /// A verb in the table's notation.
    Do(String, Span),
}

/// Reads a file of scenarios of the free table.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read_free(text: &str) -> Result<FreeFile, ScenarioFault> {
    file(&parse(text)?)
}

pub(crate) fn file(node: &ScenarioNode) -> Result<FreeFile, ScenarioFault> {
    let mut fields = Fields::of(node)?;
    let package = match fields.get("table") {
        Some(node) => words(node)?,
        None => {
            let message = "a file of the free table names the package's folder: table = \"../package\"";
            return Err(ScenarioFault::new(KEY, node.span, message));
        }
    };
    fields.get("$schema");
    let scenarios = fields.get("scenario");
    fields.finish()?;
    let Some(scenarios) = scenarios else {
        return Err(ScenarioFault::new(KEY, Span::at(0), "the file holds no scenario")
            .help("begin one with [[scenario]]"));
    };
    let scenarios = scenarios.one_or_more();
    let scenarios = scenarios.iter().map(scenario).collect::<Result<_, _>>()?;
    Ok(FreeFile { package, scenarios })
}

fn scenario(node: &ScenarioNode) -> Result<FreeScenario, ScenarioFault> {
    let mut fields = Fields::of(node)?;
    let Some(name) = fields.get("name") else {
        return Err(ScenarioFault::new(
            KEY,
            node.span,
            "a scenario needs a `name`: what does it show?",
        ));
    };
    let name = name.text()?.to_owned();
    let note = text(fields.get("note"))?;
    let seats = seats(fields.get("seats"))?;
    let seed = fields.get("seed").map(seed).transpose()?.unwrap_or(0.into());
    let time = fields
        .get("time")
        .map(ScenarioNode::number)
        .transpose()?
        .unwrap_or(0);
    let mut position = FreePosition {
        turn: fields
            .get("turn")
            .map(ScenarioNode::number)
            .transpose()?
            .unwrap_or(0),
        active: fields.get("active").map(|node| seat(node, &seats)).transpose()?,
        phase: fields.get("phase").map(words).transpose()?,
        begins: fields
            .get("begins")
            .map(ScenarioNode::bool)
            .transpose()?
            .unwrap_or(false),
        ..FreePosition::default()
    };
    for (at, word) in SEATS.iter().enumerate() {
        if let Some(own) = fields.get(word) {
            if at >= seats.len() {
                return Err(no_seat(own.span, seats.len()));
            }
            own.table()?;
            position.of.push((Some(at), own.clone()));
        }
    }
    if let Some(shared) = fields.get("shared") {
        shared.table()?;
        position.of.push((None, shared.clone()));
    }
    if let Some(table) = fields.get("table") {
        position.table = table.list()?.to_vec();
    }
    if let Some(variables) = fields.get("variables") {
        position.variables = variables.table()?.to_vec();
    }
    let rules = FreeRules {
        remote_is_free: is(fields.get("remote"), "ask", "free")?,
        reach_is_own: is(fields.get("reach"), "public", "own")?,
        rights_are_open: is(fields.get("rights"), "own", "open")?,
        is_solo: fields
            .get("solo")
            .map(ScenarioNode::bool)
            .transpose()?
            .unwrap_or(false),
    };
    let steps = match fields.get("steps") {
        None => Vec::new(),
        Some(node) => {
            let steps = node.list()?.iter().enumerate();
            steps
                .map(|(index, node)| step(node, index, &seats))
                .collect::<Result<_, _>>()?
        }
    };
    fields.finish()?;
    Ok(FreeScenario {
        name,
        span: node.span,
        note,
        seats,
        seed,
        time,
        position,
        rules,
        steps,
    })
}

/// A number of seats, or their names.
fn seats(node: Option<&ScenarioNode>) -> Result<Vec<String>, ScenarioFault> {
    let numbered = |count: usize| (1..=count).map(|seat| format!("Seat {seat}")).collect();
    let Some(node) = node else {
        return Ok(numbered(2));
    };
    let seats: Vec<String> = match &node.value {
        ScenarioValue::Number(_) => numbered(node.number::<u8>()?.into()),
        _ => {
            let names = node.list()?.iter();
            names
                .map(|name| Ok(name.text()?.to_owned()))
                .collect::<Result<_, ScenarioFault>>()?
        }
    };
    if (1..=SEATS.len()).contains(&seats.len()) {
        return Ok(seats);
    }
    Err(ScenarioFault::new(KIND, node.span, "a table has 1 to 8 seats"))
}

/// Whether the second of two words stands here; the first is the default.
fn is(node: Option<&ScenarioNode>, first: &str, second: &str) -> Result<bool, ScenarioFault> {
    node.map_or(Ok(false), |node| {
        one_of(node, &[(first, false), (second, true)]).copied()
    })
}

fn no_seat(span: Span, seats: usize) -> ScenarioFault {
    ScenarioFault::new(KIND, span, format!("this table has {seats} seats"))
        .help("say seats = 3, or their names")
}

/// A seat by its word or its name.
pub(crate) fn seat(node: &ScenarioNode, seats: &[String]) -> Result<usize, ScenarioFault> {
    let text = node.text()?;
    let of_word = SEATS.iter().position(|word| word.eq_ignore_ascii_case(text));
    let found = of_word.or_else(|| seats.iter().position(|name| name.eq_ignore_ascii_case(text)));
    match found {
        Some(seat) if seat < seats.len() => Ok(seat),
        Some(_) => Err(no_seat(node.span, seats.len())),
        None => {
            let fault = ScenarioFault::new(KIND, node.span, format!("“{text}” is no seat"));
            Err(fault.help(format!("known here: {}", SEATS[..seats.len()].join(", "))))
        }
    }
}

fn step(node: &ScenarioNode, index: usize, seats: &[String]) -> Result<FreeStep, ScenarioFault> {
    let mut step = FreeStep {
        span: node.span,
        index,
        by: 0,
        action: None,
        on: Vec::new(),
        at: None,
        answers: Vec::new(),
        refused: None,
        fails: None,
        expect: None,
    };
    if let ScenarioValue::Text(line) = &node.value {
        step.action = Some(FreeAction::Do(line.clone(), node.span));
        return Ok(step);
    }
    let mut fields = Fields::of(node)?;
    if let Some(by) = fields.get("by") {
        step.by = seat(by, seats)?;
    }
    let run = fields.get("run").map(words).transpose()?;
    let line = fields.get("do").map(words).transpose()?;
    step.action = match (run, line) {
        (Some(_), Some((_, span))) => {
            return Err(ScenarioFault::new(KIND, span, "a step does one thing")
                .help("make a step of its own of the other"));
        }
        (Some((path, span)), None) => Some(FreeAction::Run(path, span)),
        (None, Some((line, span))) => Some(FreeAction::Do(line, span)),
        (None, None) => None,
    };
    if let Some(on) = fields.get("on") {
        let names = on.texts()?.into_iter();
        step.on = names.map(|(name, span)| (name.to_owned(), span)).collect();
    }
    step.at = fields.get("at").map(point).transpose()?;
    // One answer, or several: what is itself a list stands in a list, as in `answers = [["Candle"]]`.
    let one = fields.get("answer").into_iter().cloned();
    step.answers.extend(one);
    if let Some(answers) = fields.get("answers") {
        step.answers.extend(answers.list()?.iter().cloned());
    }
    step.refused = match fields.get("refused") {
        None => None,
        Some(node) if node.value == ScenarioValue::Bool(true) => Some((None, node.span)),
        Some(node) => Some((Some(node.text()?.to_owned()), node.span)),
    };
    step.fails = fields.get("fails").map(words).transpose()?;
    if let Some(expect) = fields.get("expect") {
        expect.table()?;
        step.expect = Some(expect.clone());
    }
    fields.get("note");
    fields.finish()?;
    if step.action.is_none() && step.answers.is_empty() && step.expect.is_none() {
        return Err(ScenarioFault::new(
            KIND,
            node.span,
            "this step does nothing and expects nothing",
        ));
    }
    if let (Some((_, span)), None) = (&step.refused, &step.action) {
        return Err(ScenarioFault::new(KIND, *span, "what is refused here?")
            .help("as in { run = \"Game/Set up\", refused = true }"));
    }
    let is_entry = matches!(step.action, Some(FreeAction::Run(..)));
    if !is_entry && (!step.on.is_empty() || step.at.is_some()) {
        return Err(ScenarioFault::new(
            KIND,
            node.span,
            "`on` and `at` belong to a menu entry: run = \"…\"",
        ));
    }
    Ok(step)
}

/// `[x, y]`
pub(crate) fn point(node: &ScenarioNode) -> Result<(i32, i32), ScenarioFault> {
    match node.list()? {
        [x, y] => Ok((x.number()?, y.number()?)),
        _ => Err(ScenarioFault::new(KIND, node.span, "a place is [x, y]")),
    }
}
