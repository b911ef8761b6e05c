//! The text of a scenario file becomes scenarios; names of cards are looked up later.

use cw_duel::{CardId, Choice, PerSeat, Phase, Seat, Seed, Shuffle};
use cw_program::{ClosedWord, Keyword, PhaseName, RuleFlag};
use cw_text::{Span, nearest};

use crate::node::{Fields, KEY, KIND, ScenarioFault, ScenarioNode, ScenarioValue, parse, unknown_key};

/// A file of scenarios.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// The game's folder, relative to the file, and where that stands; `None` is the game that the
    /// caller has in mind.
    pub game: Option<(String, Span)>,
    /// The scenarios, in the order of the file.
    pub scenarios: Vec<Scenario>,
}

/// One scenario: a position, then what happens, and what is expected of it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows.
    pub name: String,
    /// Where it begins.
    pub span: Span,
    /// Which scenario of the file, from 0.
    pub index: usize,
    pub(crate) setup: ScenarioSetup,
    /// What people are told at its beginning.
    pub note: Option<String>,
    /// A puzzle: what player 1 is to reach before the turn ends.
    pub goal: Option<String>,
    /// How hard a puzzle is: 1, 2 or 3.
    pub grade: Option<u8>,
    /// Who answers what no step answers.
    pub answers: ScenarioPolicy,
    /// What happens, in order.
    pub steps: Vec<ScenarioStep>,
}

/// Who answers the questions that no step answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioPolicy {
    /// Nobody: such a question is an error.
    Ask,
    /// The first options, as many as must be, at least one where one is possible.
    First,
    /// The same from the end.
    Last,
}

#[derive(Clone, Debug)]
pub(crate) struct ScenarioSetup {
    pub turn: Option<u16>,
    pub phase: Phase,
    pub active: Seat,
    pub first: Seat,
    pub players: PerSeat<PlayerSetup>,
    pub united: Vec<(String, Span)>,
    pub blocks: Vec<((String, Span), (String, Span))>,
    pub flags: Vec<(RuleFlag, Option<Seat>, i32)>,
    pub costs: Vec<(cw_program::CostKind, cw_duel::CostChange)>,
    pub random: ScenarioRandom,
    pub shuffle: Shuffle,
}

#[derive(Clone, Debug)]
pub(crate) enum ScenarioRandom {
    Seed {
        seed: Seed,
        /// Words drawn from it before.
        drawn: u64,
    },
    First,
    List(Vec<u32>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerSetup {
    pub span: Span,
    pub hp: Option<i32>,
    pub sp: Option<i32>,
    pub ring: Vec<ScenarioNode>,
    pub hand: Vec<(String, Span)>,
    pub deck: Option<Vec<(String, Span)>>,
    pub discards: Vec<(String, Span)>,
    pub removed: Vec<(String, Span)>,
    pub characters_played: Option<u8>,
    pub characters_per_turn: Option<u8>,
    pub backups_played: Option<u8>,
    pub nc_damaged: bool,
    pub lost_sp: Option<i32>,
    pub skips: Vec<Phase>,
    pub extra_turns: Option<u8>,
    pub keywords: Vec<Keyword>,
}

/// One step: something that is done, answers to what is asked then, and expectations after it.
#[derive(Clone, Debug)]
pub struct ScenarioStep {
    /// Where it stands.
    pub span: Span,
    /// Which step of the scenario, from 0.
    pub index: usize,
    /// What people are told before it.
    pub note: Option<String>,
    pub(crate) action: Option<ScenarioAction>,
    /// A second card: who is backed up, joined, blocked.
    pub(crate) on: Option<(String, Span)>,
    /// The slot of a played character, from 0.
    pub(crate) slot: Option<u8>,
    pub(crate) choose: Vec<(ScenarioAnswer, Span)>,
    /// It is expected not to be allowed, perhaps because of a rule or a reason.
    pub(crate) refused: Option<(Option<String>, Span)>,
    pub(crate) expect: Option<ScenarioNode>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScenarioAction {
    /// With a card.
    With(ScenarioVerb, String, Span),
    Pass,
    EndTurn,
    GiveUp(Seat),
}

/// What is done with a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScenarioVerb {
    Play,
    BackUp,
    Activate,
    Attack,
    Join,
    Block,
    CancelAttack,
    CancelBlock,
}

impl ScenarioVerb {
    pub(crate) const ALL: [ScenarioVerb; 8] = [
        ScenarioVerb::Play,
        ScenarioVerb::BackUp,
        ScenarioVerb::Activate,
        ScenarioVerb::Attack,
        ScenarioVerb::Join,
        ScenarioVerb::Block,
        ScenarioVerb::CancelAttack,
        ScenarioVerb::CancelBlock,
    ];

    /// What the engine calls it.
    pub(crate) fn choice(self, card: CardId) -> Choice {
        match self {
            ScenarioVerb::Play => Choice::Play(card),
            ScenarioVerb::BackUp => Choice::BackUp(card),
            ScenarioVerb::Activate => Choice::Activate(card),
            ScenarioVerb::Attack => Choice::Attack(card),
            ScenarioVerb::Join => Choice::Join(card),
            ScenarioVerb::Block => Choice::Block(card),
            ScenarioVerb::CancelAttack => Choice::CancelAttack(card),
            ScenarioVerb::CancelBlock => Choice::CancelBlock(card),
        }
    }

    /// Its key in a file: the word that records and bots use, too.
    pub(crate) fn word(self) -> &'static str {
        self.choice(CardId(0)).word()
    }
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScenarioAnswer {
    /// The option at this place, from 1.
    Place(i64),
    /// The option with these words, or a card.
    Words(String),
}

/// Reads the text of a scenario file, TOML or JSON.
///
/// # Errors
/// The first fault, with its place.
pub fn read(text: &str) -> Result<ScenarioFile, ScenarioFault> {
    match read_any(text)? {
        AnyScenarios::Duels(file) => Ok(file),
        AnyScenarios::Free(file) => {
            let message = "this file is of the free table, and not of duels";
            Err(ScenarioFault::new(KEY, file.package.1, message).help("`cardwright test` runs it"))
        }
    }
}

/// Scenarios of either kind.
#[derive(Clone, Debug)]
pub enum AnyScenarios {
    /// Of duels.
    Duels(ScenarioFile),
    /// Of the free table: the file names its package by `table`.
    Free(crate::FreeFile),
}

/// Reads a scenario file of either kind.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read_any(text: &str) -> Result<AnyScenarios, ScenarioFault> {
    let root = parse(text)?;
    let is_free = root.table()?.iter().any(|(key, _)| key.name == "table");
    match is_free {
        true => crate::free::file(&root).map(AnyScenarios::Free),
        false => duels(&root).map(AnyScenarios::Duels),
    }
}

fn duels(root: &ScenarioNode) -> Result<ScenarioFile, ScenarioFault> {
    let mut fields = Fields::of(root)?;
    let game = fields.get("game").map(words).transpose()?;
    fields.get("$schema");
    let scenarios = match fields.get("scenario") {
        None => {
            fields.finish()?;
            return Err(ScenarioFault::new(KEY, Span::at(0), "the file holds no scenario")
                .help("begin one with [[scenario]]"));
        }
        Some(node) => node.one_or_more(),
    };
    fields.finish()?;
    let scenarios = scenarios
        .iter()
        .enumerate()
        .map(|(index, node)| scenario(node, index))
        .collect::<Result<_, _>>()?;
    Ok(ScenarioFile { game, scenarios })
}

pub(crate) fn words(node: &ScenarioNode) -> Result<(String, Span), ScenarioFault> {
    Ok((node.text()?.to_owned(), node.span))
}

fn scenario(node: &ScenarioNode, index: usize) -> Result<Scenario, ScenarioFault> {
    let mut fields = Fields::of(node)?;
    let name = match fields.get("name") {
        Some(name) => name.text()?.to_owned(),
        None => {
            return Err(ScenarioFault::new(
                KEY,
                node.span,
                "a scenario needs a `name`: what does it show?",
            ));
        }
    };
    let note = text(fields.get("note"))?;
    let goal = text(fields.get("goal"))?;
    let grade = match fields.get("grade") {
        None => None,
        Some(node) => match node.number::<u8>()? {
            grade @ 1..=3 => Some(grade),
            _ => {
                return Err(ScenarioFault::new(
                    KIND,
                    node.span,
                    "a puzzle's `grade` is 1, 2 or 3",
                ));
            }
        },
    };
    let setup = setup(&mut fields)?;
    let answers = match fields.get("answers") {
        None => ScenarioPolicy::Ask,
        Some(node) => *one_of(
            node,
            &[
                ("ask", ScenarioPolicy::Ask),
                ("first", ScenarioPolicy::First),
                ("last", ScenarioPolicy::Last),
            ],
        )?,
    };
    let steps = match fields.get("steps") {
        None => Vec::new(),
        Some(node) => node
            .list()?
            .iter()
            .enumerate()
            .map(|(index, node)| step(node, index))
            .collect::<Result<_, _>>()?,
    };
    fields.finish()?;
    Ok(Scenario {
        name,
        span: node.span,
        index,
        setup,
        note,
        goal,
        grade,
        answers,
        steps,
    })
}

pub(crate) fn text(node: Option<&ScenarioNode>) -> Result<Option<String>, ScenarioFault> {
    node.map(|node| Ok(node.text()?.to_owned())).transpose()
}

/// One of several words.
pub(crate) fn one_of<'a, T>(node: &ScenarioNode, words: &'a [(&str, T)]) -> Result<&'a T, ScenarioFault> {
    let text = node.text()?;
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|(_, value)| value).ok_or_else(|| {
        let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        unknown_word(node.span, text, &list)
    })
}

pub(crate) fn unknown_word(span: Span, text: &str, words: &[&str]) -> ScenarioFault {
    let fault = ScenarioFault::new(KIND, span, format!("“{text}” means nothing here"));
    match nearest(text, words.iter().copied()) {
        Some(nearest) => fault.help(format!("did you mean “{nearest}”?")),
        None => fault.help(format!("known here: {}", words.join(", "))),
    }
}

fn seat(node: &ScenarioNode) -> Result<Seat, ScenarioFault> {
    one_of(node, &[("me", Seat::One), ("opponent", Seat::Two)]).copied()
}

fn setup(fields: &mut Fields<'_>) -> Result<ScenarioSetup, ScenarioFault> {
    let turn = fields.get("turn").map(ScenarioNode::number::<u16>).transpose()?;
    let phase = fields.get("phase").map(phase).transpose()?.unwrap_or(Phase::Main);
    let active = fields.get("active").map(seat).transpose()?.unwrap_or(Seat::One);
    let first = fields.get("first").map(seat).transpose()?.unwrap_or(active);
    let mut players = PerSeat::<PlayerSetup>::default();
    let mut flags = rule_flags(fields.get("flags"), None)?;
    for (seat, key) in [(Seat::One, "me"), (Seat::Two, "opponent")] {
        if let Some(node) = fields.get(key) {
            let mut own = Fields::of(node)?;
            flags.extend(rule_flags(own.get("flags"), Some(seat))?);
            players[seat] = player(own, node.span)?;
        }
    }
    let united = match fields.get("united") {
        None => Vec::new(),
        Some(node) => cards(node)?,
    };
    let blocks = match fields.get("blocks") {
        None => Vec::new(),
        Some(node) => node
            .table()?
            .iter()
            .map(|(blocker, attacker)| Ok(((blocker.name.clone(), blocker.span), words(attacker)?)))
            .collect::<Result<_, ScenarioFault>>()?,
    };
    let costs = match fields.get("costs") {
        None => Vec::new(),
        Some(node) => costs(node)?,
    };
    let seed = fields.get("seed").map(seed).transpose()?;
    let drawn = fields.get("drawn");
    if let (None, Some(node)) = (seed, drawn) {
        return Err(ScenarioFault::new(
            KIND,
            node.span,
            "`drawn` counts what was drawn from a `seed`",
        ));
    }
    let drawn = drawn.map(ScenarioNode::number::<u64>).transpose()?.unwrap_or(0);
    let random = match (seed, fields.get("random")) {
        (Some(_), Some(node)) => {
            return Err(ScenarioFault::new(
                KIND,
                node.span,
                "either `seed` or `random`, not both",
            ));
        }
        (Some(seed), None) => ScenarioRandom::Seed { seed, drawn },
        (None, None) => ScenarioRandom::First,
        (None, Some(node)) => random(node)?,
    };
    let shuffle = match fields.get("shuffle") {
        None => Shuffle::Keep,
        Some(node) => *one_of(node, &[("keep", Shuffle::Keep), ("rotate", Shuffle::Rotate)])?,
    };
    Ok(ScenarioSetup {
        turn,
        phase,
        active,
        first,
        players,
        united,
        blocks,
        flags,
        costs,
        random,
        shuffle,
    })
}

fn phase(node: &ScenarioNode) -> Result<Phase, ScenarioFault> {
    let text = node.text()?;
    let found = PhaseName::find(text).filter(|phase| *phase != PhaseName::Setup);
    let phase = found.and_then(|phase| Phase::from_index(phase as usize));
    phase.ok_or_else(|| {
        let words: Vec<&str> = PhaseName::ALL[1..].iter().map(|phase| phase.word()).collect();
        unknown_word(node.span, text, &words)
    })
}

/// A number, or the digits of a seed that is none (D70).
pub(crate) fn seed(node: &ScenarioNode) -> Result<Seed, ScenarioFault> {
    let ScenarioValue::Text(text) = &node.value else {
        return Ok(node.number::<u64>()?.into());
    };
    text.parse()
        .map_err(|error: cw_duel::NoSeed| ScenarioFault::new(KIND, node.span, error.to_string()))
}

fn random(node: &ScenarioNode) -> Result<ScenarioRandom, ScenarioFault> {
    let ScenarioValue::List(outcomes) = &node.value else {
        one_of(node, &[("first", ())])?;
        return Ok(ScenarioRandom::First);
    };
    let outcomes = outcomes.iter().map(|outcome| {
        if let ScenarioValue::Text(_) = outcome.value {
            one_of(outcome, &[("heads", 0), ("tails", 1)]).copied()
        } else {
            outcome.number::<u32>()
        }
    });
    Ok(ScenarioRandom::List(outcomes.collect::<Result<_, _>>()?))
}

fn rule_flags(
    node: Option<&ScenarioNode>,
    seat: Option<Seat>,
) -> Result<Vec<(RuleFlag, Option<Seat>, i32)>, ScenarioFault> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let mut flags = Vec::new();
    for (key, value) in node.table()? {
        let Some(flag) = RuleFlag::find(&key.name) else {
            let words: Vec<&str> = RuleFlag::ALL.iter().map(|flag| flag.word()).collect();
            return Err(unknown_key(key, &words));
        };
        let value = if let ScenarioValue::Bool(value) = value.value {
            i32::from(value)
        } else {
            value.number()?
        };
        flags.push((flag, seat, value));
    }
    Ok(flags)
}

fn costs(node: &ScenarioNode) -> Result<Vec<(cw_program::CostKind, cw_duel::CostChange)>, ScenarioFault> {
    use cw_program::CostKind;
    let mut costs = Vec::new();
    for (key, value) in node.table()? {
        let Some(kind) = CostKind::find(&key.name) else {
            let words: Vec<&str> = CostKind::ALL.iter().map(|kind| kind.word()).collect();
            return Err(unknown_key(key, &words));
        };
        for value in value.one_or_more() {
            costs.push((kind, cost(value)?));
        }
    }
    Ok(costs)
}

/// A number is added; `"=number"` replaces.
fn cost(node: &ScenarioNode) -> Result<cw_duel::CostChange, ScenarioFault> {
    use cw_duel::CostChange;
    let ScenarioValue::Text(text) = &node.value else {
        return Ok(CostChange::Add(node.number()?));
    };
    let number = text.trim_start_matches('=').trim().parse::<i32>();
    let number = number.map_err(|_| {
        ScenarioFault::new(KIND, node.span, "expected a number to add, or \"=number\" to set")
    })?;
    Ok(if text.starts_with('=') {
        CostChange::Set(number)
    } else {
        CostChange::Add(number)
    })
}

fn player(mut fields: Fields<'_>, span: Span) -> Result<PlayerSetup, ScenarioFault> {
    let pile = |node: Option<&ScenarioNode>| node.map(cards).transpose();
    let setup = PlayerSetup {
        span,
        hp: fields.get("hp").map(ScenarioNode::number).transpose()?,
        sp: fields.get("sp").map(ScenarioNode::number).transpose()?,
        ring: match fields.get("ring") {
            None => Vec::new(),
            Some(node) => node.list()?.to_vec(),
        },
        hand: pile(fields.get("hand"))?.unwrap_or_default(),
        deck: pile(fields.get("deck"))?,
        discards: pile(fields.get("discards"))?.unwrap_or_default(),
        removed: pile(fields.get("removed"))?.unwrap_or_default(),
        characters_played: fields
            .get("characters-played")
            .map(ScenarioNode::number)
            .transpose()?,
        characters_per_turn: fields
            .get("characters-per-turn")
            .map(ScenarioNode::number)
            .transpose()?,
        backups_played: fields
            .get("backups-played")
            .map(ScenarioNode::number)
            .transpose()?,
        nc_damaged: fields
            .get("non-combat-damaged")
            .map(ScenarioNode::bool)
            .transpose()?
            .unwrap_or(false),
        lost_sp: fields.get("lost-sp").map(ScenarioNode::number).transpose()?,
        skips: match fields.get("skips") {
            None => Vec::new(),
            Some(node) => node.list()?.iter().map(phase).collect::<Result<_, _>>()?,
        },
        extra_turns: fields.get("extra-turns").map(ScenarioNode::number).transpose()?,
        keywords: match fields.get("abilities") {
            None => Vec::new(),
            Some(node) => keywords(node)?,
        },
    };
    fields.finish()?;
    Ok(setup)
}

pub(crate) fn keywords(node: &ScenarioNode) -> Result<Vec<Keyword>, ScenarioFault> {
    let texts = node.texts()?.into_iter();
    texts
        .map(|(text, span)| {
            Keyword::find(text).ok_or_else(|| {
                let words: Vec<&str> = Keyword::ALL.iter().map(|keyword| keyword.word()).collect();
                unknown_word(span, text, &words)
            })
        })
        .collect()
}

/// Names of cards; `3x Name` is three of them.
pub(crate) fn cards(node: &ScenarioNode) -> Result<Vec<(String, Span)>, ScenarioFault> {
    let mut cards = Vec::new();
    for (text, span) in node.texts()? {
        let times = text.split_once("x ").and_then(|(count, name)| {
            let count: usize = count.trim().parse().ok()?;
            Some((count, name))
        });
        let (count, name) = times.unwrap_or((1, text));
        if count > 250 {
            return Err(ScenarioFault::new(KIND, span, "a duel has at most 250 cards"));
        }
        cards.extend(std::iter::repeat_n((name.trim().to_owned(), span), count));
    }
    Ok(cards)
}

fn step(node: &ScenarioNode, index: usize) -> Result<ScenarioStep, ScenarioFault> {
    let mut step = ScenarioStep {
        span: node.span,
        index,
        note: None,
        action: None,
        on: None,
        slot: None,
        choose: Vec::new(),
        refused: None,
        expect: None,
    };
    if matches!(node.value, ScenarioValue::Text(_)) {
        step.action = Some(plain_action(node)?);
        return Ok(step);
    }
    let mut fields = Fields::of(node)?;
    let mut actions = Vec::new();
    for verb in ScenarioVerb::ALL {
        let key = verb.word();
        if let Some(node) = fields.get(key) {
            actions.push(ScenarioAction::With(verb, node.text()?.to_owned(), node.span));
        }
    }
    if let Some(node) = fields.get("do") {
        actions.push(plain_action(node)?);
    }
    if let Some(node) = fields.get("give-up") {
        actions.push(ScenarioAction::GiveUp(seat(node)?));
    }
    if actions.len() > 1 {
        return Err(ScenarioFault::new(KIND, node.span, "a step does one thing")
            .help("make a step of its own of the other"));
    }
    step.action = actions.pop();
    step.on = fields.get("on").map(words).transpose()?;
    step.slot = match fields.get("slot") {
        None => None,
        Some(node) => {
            let slot: u8 = node.number()?;
            Some(
                slot.checked_sub(1)
                    .ok_or_else(|| ScenarioFault::new(KIND, node.span, "slots are counted from 1"))?,
            )
        }
    };
    step.choose = match fields.get("choose") {
        None => Vec::new(),
        Some(node) => answers(node)?,
    };
    step.refused = match fields.get("refused") {
        None => None,
        Some(node) if node.value == ScenarioValue::Bool(true) => Some((None, node.span)),
        Some(node) => Some((Some(node.text()?.to_owned()), node.span)),
    };
    step.expect = match fields.get("expect") {
        None => None,
        Some(node) => {
            node.table()?;
            Some(node.clone())
        }
    };
    step.note = text(fields.get("note"))?;
    fields.finish()?;
    if step.action.is_none() && step.choose.is_empty() && step.expect.is_none() {
        return Err(ScenarioFault::new(
            KIND,
            node.span,
            "this step does nothing and expects nothing",
        ));
    }
    if let (Some(_), None) = (&step.refused, &step.action) {
        return Err(ScenarioFault::new(KIND, node.span, "what is refused here?")
            .help("as in { attack = \"…\", refused = \"G130\" }"));
    }
    Ok(step)
}

fn plain_action(node: &ScenarioNode) -> Result<ScenarioAction, ScenarioFault> {
    let words = [
        ("pass", ScenarioAction::Pass),
        ("end phase", ScenarioAction::Pass),
        ("end turn", ScenarioAction::EndTurn),
    ];
    one_of(node, &words).cloned()
}

fn answers(node: &ScenarioNode) -> Result<Vec<(ScenarioAnswer, Span)>, ScenarioFault> {
    let answer = |node: &ScenarioNode| {
        let answer = if let ScenarioValue::Number(place) = node.value {
            ScenarioAnswer::Place(place)
        } else {
            ScenarioAnswer::Words(node.text()?.to_owned())
        };
        Ok((answer, node.span))
    };
    node.one_or_more().iter().map(answer).collect()
}
