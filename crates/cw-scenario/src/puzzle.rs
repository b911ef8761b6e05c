//! Puzzles that are made: positions are tried by chance until one is proven to need what its kind is about.

mod oracle;

use std::fmt::Write as _;
use std::sync::Arc;

use cw_duel::{CardModel, Chance, Choice, Duel, Game, Seat};
use cw_program::CardType;

pub use oracle::{PuzzleGoal, PuzzleOracle, puzzle_options};

/// Deals of what `me` does not see on which an answer has to be right.
const DEALS: u64 = 24;
/// Positions that are looked at to prove one question.
const LEFT: u32 = 12_000;
/// Draws after which no card is found that fits.
const DRAWS: usize = 400;

/// What a puzzle is about.
#[derive(Debug)]
pub struct PuzzleKind {
    /// Its name.
    pub name: &'static str,
    /// What is to be reached.
    pub goal: PuzzleGoal,
    phase: &'static str,
    /// Characters of each side, at least and at most.
    rings: [(usize, usize); 2],
    /// Cards in the hands, at most.
    hands: [usize; 2],
    sp: usize,
    /// What is needed: without it the goal is out of reach.
    needs: fn(Choice) -> bool,
    /// What looks right and is wrong must be offered.
    tempts: fn(Choice) -> bool,
    /// Only what a player without judgement does not find with most chances is kept. Of some kinds it finds
    /// nearly all.
    pub hard: bool,
}

fn nothing(_: Choice) -> bool {
    false
}

fn joins(choice: Choice) -> bool {
    matches!(choice, Choice::Join(_))
}

fn plays(choice: Choice) -> bool {
    matches!(choice, Choice::Play(_))
}

fn backs_up(choice: Choice) -> bool {
    matches!(choice, Choice::BackUp(_))
}

fn activates(choice: Choice) -> bool {
    matches!(choice, Choice::Activate(_))
}

fn attacks(choice: Choice) -> bool {
    matches!(choice, Choice::Attack(_))
}

fn blocks(choice: Choice) -> bool {
    matches!(choice, Choice::Block(_))
}

fn passes(choice: Choice) -> bool {
    choice == Choice::Pass
}

/// What puzzles are about.
#[rustfmt::skip]
pub static PUZZLE_KINDS: [PuzzleKind; 11] = [
    PuzzleKind {
        name: "all who can", goal: PuzzleGoal::Win, phase: "attack",
        rings: [(3, 4), (1, 4)], hands: [0, 0], sp: 9,
        needs: attacks, tempts: passes, hard: false,
    },
    PuzzleKind {
        name: "as one", goal: PuzzleGoal::Win, phase: "attack",
        rings: [(3, 4), (1, 4)], hands: [0, 0], sp: 12,
        needs: joins, tempts: passes, hard: true,
    },
    PuzzleKind {
        name: "an ability first", goal: PuzzleGoal::Win, phase: "main",
        rings: [(2, 4), (1, 3)], hands: [0, 0], sp: 8,
        needs: activates, tempts: passes, hard: true,
    },
    PuzzleKind {
        name: "one more card", goal: PuzzleGoal::Win, phase: "main",
        rings: [(2, 3), (1, 3)], hands: [3, 0], sp: 8,
        needs: plays, tempts: passes, hard: true,
    },
    PuzzleKind {
        name: "a back-up", goal: PuzzleGoal::Win, phase: "main",
        rings: [(2, 4), (1, 3)], hands: [3, 0], sp: 6,
        needs: backs_up, tempts: passes, hard: true,
    },
    PuzzleKind {
        name: "which card", goal: PuzzleGoal::Win, phase: "main",
        rings: [(2, 3), (1, 3)], hands: [3, 0], sp: 8,
        needs: plays, tempts: plays, hard: true,
    },
    PuzzleKind {
        name: "do not overpay", goal: PuzzleGoal::Win, phase: "main",
        rings: [(2, 3), (1, 2)], hands: [2, 0], sp: 9,
        needs: joins, tempts: plays, hard: true,
    },
    PuzzleKind {
        name: "whatever they hold", goal: PuzzleGoal::Win, phase: "attack",
        rings: [(2, 4), (1, 3)], hands: [0, 1], sp: 12,
        needs: attacks, tempts: attacks, hard: true,
    },
    PuzzleKind {
        name: "in the way", goal: PuzzleGoal::Hold, phase: "counter-attack",
        rings: [(2, 4), (2, 4)], hands: [0, 0], sp: 4,
        needs: blocks, tempts: blocks, hard: false,
    },
    PuzzleKind {
        name: "a card in the fight", goal: PuzzleGoal::Hold, phase: "counter-attack",
        rings: [(0, 2), (1, 3)], hands: [2, 0], sp: 9,
        needs: plays, tempts: passes, hard: true,
    },
    PuzzleKind {
        name: "somebody stays at home", goal: PuzzleGoal::Last, phase: "attack",
        rings: [(2, 4), (2, 4)], hands: [0, 0], sp: 4,
        needs: nothing, tempts: attacks, hard: true,
    },
];

/// A position that may be a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzlePosition {
    /// As a scenario has it, without its name.
    pub text: String,
    /// The HP on which the goal depends.
    pub hp: usize,
}

/// Draws positions.
struct PositionMaker<'a> {
    game: &'a Game,
    chance: Chance,
    /// BP and HP are multiples of it.
    unit: usize,
}

impl PositionMaker<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound.max(1)).unwrap_or(u32::MAX);
        self.chance.below(bound, &[]) as usize
    }

    fn between(&mut self, (least, most): (usize, usize)) -> usize {
        least + self.below(most - least + 1)
    }

    /// The name of a card that fits, as TOML; nothing if the game has hardly one.
    fn card(&mut self, of: impl Fn(&CardModel) -> bool) -> Option<String> {
        for _ in 0..DRAWS {
            let at = self.below(self.game.models.len());
            let model = self.game.models.get(at)?;
            if model.card_type.is_some() && of(model) {
                return Some(model.name.replace('\\', "\\\\").replace('"', "\\\""));
            }
        }
        None
    }

    fn ring(&mut self, number: (usize, usize), attack: bool) -> Option<String> {
        let number = self.between(number);
        let mut ring = String::new();
        for _ in 0..number {
            let name = self.card(CardModel::is_character)?;
            let bp = self.unit * (1 + self.below(8));
            let how = match self.below(6) {
                _ if attack => " attacks",
                0 => " frozen",
                1 => " fresh",
                _ => "",
            };
            let _ = write!(ring, "\"{name} {bp}{how}\", ");
        }
        Some(ring)
    }

    fn hand(&mut self, most: usize, reactions: bool) -> Option<String> {
        let mut hand = String::new();
        for _ in 0..most {
            let name = self.card(|model| (model.card_type == Some(CardType::Reaction)) == reactions)?;
            let _ = write!(hand, "\"{name}\", ");
        }
        Some(hand)
    }

    fn side(&mut self, hp: usize, kind: &PuzzleKind, at: usize, attack: bool) -> Option<String> {
        let ring = self.ring(kind.rings[at], attack)?;
        let reactions = at == 1 || kind.phase == "counter-attack";
        let hand = self.hand(kind.hands[at], reactions)?;
        let sp = self.below(kind.sp + 1);
        let deck = match at {
            1 if kind.hands[1] > 0 => format!(", deck = [{}]", self.hand(6, true)?),
            _ => String::new(),
        };
        Some(format!(
            "{{ hp = {hp}, sp = {sp}, ring = [{ring}], hand = [{hand}]{deck} }}"
        ))
    }

    fn position(&mut self, kind: &PuzzleKind) -> Option<PuzzlePosition> {
        let (unit, fights) = (self.unit, kind.phase == "counter-attack");
        let hp = unit * (1 + self.below(12));
        let lasting = unit * (1 + self.below(8));
        let wins = kind.goal == PuzzleGoal::Win;
        let [mine, theirs] = if wins {
            [15 * unit, hp]
        } else {
            [lasting, 25 * unit]
        };
        let mut text = format!("phase = \"{}\"\n", kind.phase);
        if fights {
            text += "active = \"opponent\"\n";
        }
        let _ = writeln!(text, "me = {}", self.side(mine, kind, 0, false)?);
        let _ = writeln!(text, "opponent = {}", self.side(theirs, kind, 1, fights)?);
        let hp = if wins { hp } else { lasting };
        Some(PuzzlePosition { text, hp })
    }
}

impl PuzzleKind {
    /// A position of this kind by chance, of cards of the game. Most are no puzzles. Nothing if the game
    /// lacks cards for it.
    pub fn candidate(&self, game: &Game, seed: u64) -> Option<PuzzlePosition> {
        let unit = usize::try_from(game.constants.hp / 30).unwrap_or(0).max(1);
        let chance = Chance::seeded(seed);
        PositionMaker { game, chance, unit }.position(self)
    }

    /// The options that are right at its first question, if the position is a puzzle of the kind.
    pub fn right(&self, duel: &Duel) -> Option<Vec<Choice>> {
        if duel.pending()?.seat != Seat::One {
            return None;
        }
        let right = right_choices(duel, self.goal, LEFT)?;
        let all = puzzle_options(duel);
        let wrong = |option: &Choice| !right.contains(option);
        if right.is_empty() || !all.iter().any(|option| wrong(option) && (self.tempts)(*option)) {
            return None;
        }
        if (self.needs)(Choice::Attack(cw_duel::CardId(0))) || self.goal == PuzzleGoal::Last {
            // Chance rarely finds it: half of the options are wrong, at least.
            return (right.len() * 2 <= all.len()).then_some(right);
        }
        let mut without = PuzzleOracle::new(duel, Seat::One, self.goal, LEFT).without(self.needs);
        (!without.holds(duel)?).then_some(right)
    }
}

/// The options that are right, however the unknown cards lie: the same is done on all deals until `me` sees a
/// difference. Nothing if that takes too long to say.
pub fn right_choices(duel: &Duel, goal: PuzzleGoal, left: u32) -> Option<Vec<Choice>> {
    let me = Seat::One;
    let mut oracle = PuzzleOracle::new(duel, me, goal, left);
    // Without it for who knows all cards, there is nothing to look at further.
    if !oracle.holds(duel)? {
        return Some(Vec::new());
    }
    let mut all = vec![duel.clone()];
    for deal in 0..DEALS {
        all.push(duel.sample(me, deal)?);
    }
    let mut right = Vec::new();
    for option in puzzle_options(duel) {
        if oracle.is_planned_after(&all, option)? {
            right.push(option);
        }
    }
    Some(right)
}

/// A way to the goal of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleWay {
    /// What is chosen, by both sides, as steps of a scenario.
    pub steps: Vec<String>,
    /// At how many of the own questions something else would have been wrong.
    pub hard: usize,
}

impl PuzzleWay {
    /// A way to the goal against the first defence that leads to another question.
    pub fn of(duel: &Duel, goal: PuzzleGoal, left: u32) -> Option<PuzzleWay> {
        let mut oracle = PuzzleOracle::new(duel, Seat::One, goal, left);
        let mut way = PuzzleWay {
            steps: Vec::new(),
            hard: 0,
        };
        let mut duel = duel.clone();
        while duel.outcome().is_none() {
            let seat = duel.pending()?.seat;
            let options = puzzle_options(&duel);
            let choice = if seat == Seat::One {
                let judged: Option<Vec<bool>> = options.iter().map(|one| oracle.after(&duel, *one)).collect();
                let judged = options.iter().copied().zip(judged?);
                let mut right: Vec<Choice> = judged.filter(|one| one.1).map(|one| one.0).collect();
                way.hard += usize::from(right.len() < options.len());
                // What is not needed is not done.
                right.sort_by_key(|one| *one != Choice::Pass);
                *right.first()?
            } else {
                let blocks = options.iter().find(|one| matches!(one, Choice::Block(_)));
                *blocks.or(options.first())?
            };
            way.steps.push(step_words(&duel, choice)?);
            duel.answer_silently(choice).ok()?;
        }
        Some(way)
    }

    /// How hard a puzzle is: by the number of choices that could be wrong (docs/scenarios.md).
    pub fn grade(&self) -> u8 {
        match self.hard {
            0 => 0,
            1..=3 => 1,
            4..=5 => 2,
            _ => 3,
        }
    }
}

/// A choice as a step of a scenario: its words, or its number where another option has the same words.
fn step_words(duel: &Duel, choice: Choice) -> Option<String> {
    let labels = crate::state(duel)["options"].clone();
    let at = duel.pending()?.options.iter().position(|one| *one == choice)?;
    let words = labels[at].as_str()?.to_owned();
    let same = labels.as_array()?.iter();
    match same.filter(|one| one.as_str() == Some(&words)).count() {
        1 => Some(format!("{words:?}")),
        _ => Some(format!("{}", at + 1)),
    }
}

/// Candidates that are tried for one puzzle.
const TRIES: u64 = 6_000;
/// Choices of a puzzle of the day at which something is wrong, at least.
const LEAST_HARD: usize = 2;
/// Of its own choices, at most: it is to be solved over a cup of tea.
const MOST_STEPS: usize = 16;

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePuzzle {
    /// The file of it: one scenario with a goal, a grade, and a way to the goal as its steps.
    pub text: String,
    /// What it is about: the name of its kind.
    pub kind: &'static str,
    /// How hard it is.
    pub grade: u8,
}

/// A puzzle of a game for a number: the same one wherever it is made. It is won in one turn, whatever the
/// other side does and however the cards lie that nobody sees: that is proven by trying everything. Nothing
/// if the game has too few cards for one.
pub fn puzzle_for(game: &Arc<Game>, number: u64, name: &str) -> Option<MadePuzzle> {
    let kinds: Vec<&PuzzleKind> = PUZZLE_KINDS
        .iter()
        .filter(|kind| kind.goal == PuzzleGoal::Win)
        .collect();
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    for attempt in 0..TRIES {
        // Kinds take turns; a day begins with another one than the day before.
        let at = usize::try_from((number % 97 + attempt) % kinds.len() as u64).unwrap_or(0);
        let kind = kinds[at];
        let seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(attempt);
        let Some(position) = kind.candidate(game, seed) else {
            continue;
        };
        let file = |more: &str| {
            let (goal, text) = (kind.goal.words(), &position.text);
            format!("[[scenario]]\nname = \"{name}\"\ngoal = \"{goal}\"\n{more}{text}")
        };
        let Some(duel) = begun(&file(""), game) else {
            continue;
        };
        if kind.right(&duel).is_none() {
            continue;
        }
        let way = PuzzleWay::of(&duel, kind.goal, 4 * LEFT);
        let way = way.filter(|way| way.hard >= LEAST_HARD && way.steps.len() <= MOST_STEPS);
        if let Some(way) = way {
            let grade = way.grade();
            let steps = way.steps.iter().map(|step| format!("  {{ choose = {step} }},\n"));
            let steps = format!("steps = [\n{}]\n", steps.collect::<String>());
            let text = file(&format!("grade = {grade}\n")) + &steps;
            return Some(MadePuzzle {
                text,
                kind: kind.name,
                grade,
            });
        }
    }
    None
}

fn begun(text: &str, game: &Arc<Game>) -> Option<Duel> {
    let file = crate::read(text).ok()?;
    let (duel, _) = crate::begin(file.scenarios.first()?, game).ok()?;
    Some(duel)
}
