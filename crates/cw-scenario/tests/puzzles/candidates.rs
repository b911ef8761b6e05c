//! New puzzles, by trying positions until one needs what its kind is about.

use std::fmt::Write;
use std::sync::Arc;

use cw_duel::{CardModel, Choice, Duel, Game, Seat};
use cw_players::{Level, PositionWeights, RandomPlayer, mix};

use crate::oracle::{Goal, Oracle, options};
use crate::{Puzzle, begun, right_words, solves};

/// What a puzzle is about.
struct Kind {
    name: &'static str,
    goal: Goal,
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
    /// Only what a blind player does not find with most chances is kept. Of some kinds it finds nearly all.
    hard: bool,
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

#[rustfmt::skip]
const KINDS: [Kind; 11] = [
    Kind { name: "all who can", goal: Goal::Win, phase: "attack", rings: [(3, 4), (1, 4)], hands: [0, 0], sp: 9, needs: attacks, tempts: passes, hard: false },
    Kind { name: "as one", goal: Goal::Win, phase: "attack", rings: [(3, 4), (1, 4)], hands: [0, 0], sp: 12, needs: joins, tempts: passes, hard: true },
    Kind { name: "an ability first", goal: Goal::Win, phase: "main", rings: [(2, 4), (1, 3)], hands: [0, 0], sp: 8, needs: activates, tempts: passes, hard: true },
    Kind { name: "one more card", goal: Goal::Win, phase: "main", rings: [(2, 3), (1, 3)], hands: [3, 0], sp: 8, needs: plays, tempts: passes, hard: true },
    Kind { name: "a back-up", goal: Goal::Win, phase: "main", rings: [(2, 4), (1, 3)], hands: [3, 0], sp: 6, needs: backs_up, tempts: passes, hard: true },
    Kind { name: "which card", goal: Goal::Win, phase: "main", rings: [(2, 3), (1, 3)], hands: [3, 0], sp: 8, needs: plays, tempts: plays, hard: true },
    Kind { name: "do not overpay", goal: Goal::Win, phase: "main", rings: [(2, 3), (1, 2)], hands: [2, 0], sp: 9, needs: joins, tempts: plays, hard: true },
    Kind { name: "whatever they hold", goal: Goal::Win, phase: "attack", rings: [(2, 4), (1, 3)], hands: [0, 1], sp: 12, needs: attacks, tempts: attacks, hard: true },
    Kind { name: "in the way", goal: Goal::Hold, phase: "counter-attack", rings: [(2, 4), (2, 4)], hands: [0, 0], sp: 4, needs: blocks, tempts: blocks, hard: false },
    Kind { name: "a card in the fight", goal: Goal::Hold, phase: "counter-attack", rings: [(0, 2), (1, 3)], hands: [2, 0], sp: 9, needs: plays, tempts: passes, hard: true },
    Kind { name: "somebody stays at home", goal: Goal::Last, phase: "attack", rings: [(2, 4), (2, 4)], hands: [0, 0], sp: 4, needs: nothing, tempts: attacks, hard: true },
];

struct Maker<'a> {
    game: &'a Game,
    random: RandomPlayer,
}

impl Maker<'_> {
    fn card(&mut self, of: impl Fn(&CardModel) -> bool) -> String {
        loop {
            let at = self.random.below(self.game.models.len());
            let model = &self.game.models[at];
            if of(model) {
                return model.name.to_string();
            }
        }
    }

    fn between(&mut self, (least, most): (usize, usize)) -> usize {
        least + self.random.below(most - least + 1)
    }

    fn ring(&mut self, number: (usize, usize), attack: bool) -> String {
        let number = self.between(number);
        let mut ring = String::new();
        for _ in 0..number {
            let name = self.card(CardModel::is_character);
            let bp = 100 * (1 + self.random.below(8));
            let how = match self.random.below(6) {
                _ if attack => " attacks",
                0 => " frozen",
                1 => " fresh",
                _ => "",
            };
            let _ = write!(ring, "\"{name} {bp}{how}\", ");
        }
        ring
    }

    fn hand(&mut self, most: usize, reactions: bool) -> String {
        let mut hand = String::new();
        for _ in 0..most {
            let name = self.card(|model| {
                let reaction = model.card_type == Some(cw_program::CardType::Reaction);
                reaction == reactions
            });
            let _ = write!(hand, "\"{name}\", ");
        }
        hand
    }

    fn side(&mut self, hp: usize, kind: &Kind, at: usize, attack: bool) -> String {
        let ring = self.ring(kind.rings[at], attack);
        let reactions = at == 1 || kind.phase == "counter-attack";
        let hand = self.hand(kind.hands[at], reactions);
        let sp = self.random.below(kind.sp + 1);
        let deck = match at {
            1 if kind.hands[1] > 0 => format!(", deck = [{}]", self.hand(6, true)),
            _ => String::new(),
        };
        format!("{{ hp = {hp}, sp = {sp}, ring = [{ring}], hand = [{hand}]{deck} }}")
    }

    /// A position, without its name.
    fn position(&mut self, kind: &Kind) -> (String, usize) {
        let fights = kind.phase == "counter-attack";
        let hp = 100 * (1 + self.random.below(12));
        let lasting = 100 * (1 + self.random.below(8));
        let mine = if kind.goal == Goal::Win { 1500 } else { lasting };
        let theirs = if kind.goal == Goal::Win { hp } else { 2500 };
        let mut text = format!("phase = \"{}\"\n", kind.phase);
        if fights {
            text += "active = \"opponent\"\n";
        }
        let _ = writeln!(text, "me = {}", self.side(mine, kind, 0, false));
        let _ = writeln!(text, "opponent = {}", self.side(theirs, kind, 1, fights));
        (text, if kind.goal == Goal::Win { hp } else { lasting })
    }
}

fn scenario(name: &str, note: &str, goal: Goal, position: &str) -> String {
    format!(
        "[[scenario]]\nname = \"{name}\"\ngoal = \"{}\"\nnote = \"{note}\"\n{position}\n",
        goal.words()
    )
}

const LEFT: u32 = 12_000;

/// What is right, if the position is a puzzle of the kind.
fn right(duel: &Duel, kind: &Kind) -> Option<Vec<Choice>> {
    let me = Seat::One;
    if duel.pending()?.seat != me {
        return None;
    }
    let right = crate::right(duel, kind.goal, LEFT)?;
    let all = options(duel);
    let wrong = |option: &Choice| !right.contains(option);
    if right.is_empty() || !all.iter().any(|option| wrong(option) && (kind.tempts)(*option)) {
        return None;
    }
    let mut without = Oracle::new(duel, me, kind.goal, LEFT).without(kind.needs);
    if (kind.needs)(Choice::Attack(cw_duel::CardId(0))) || kind.goal == Goal::Last {
        // Chance rarely finds it: half of the options are wrong, at least.
        return (right.len() * 2 <= all.len()).then_some(right);
    }
    (!without.holds(duel)?).then_some(right)
}

/// The same position, so much harder that what was right is wrong.
fn control(game: &Arc<Game>, kind: &Kind, text: &str, hp: usize, right: &[Choice]) -> Option<String> {
    let from = format!("{{ hp = {hp},");
    for step in 1..=8 {
        let hp = match kind.goal {
            Goal::Win => hp + 100 * step,
            Goal::Hold | Goal::Last => hp.checked_sub(100 * step).filter(|hp| *hp > 0)?,
        };
        let position = text.replacen(&from, &format!("{{ hp = {hp},"), 1);
        let scenario = scenario("control", "", kind.goal, &position);
        let duel = begun(&scenario, game).ok()?;
        let still = crate::right(&duel, kind.goal, LEFT)?;
        if right.iter().all(|option| !still.contains(option)) {
            return Some(position);
        }
    }
    None
}

/// Prints so many puzzles of these kinds with their controls, as the file has them.
pub fn print(game: &Arc<Game>, number: u64, seed: u64, kinds: impl Fn(&str) -> bool) {
    let blind = PositionWeights::blind(game);
    for (at, kind) in KINDS.iter().enumerate() {
        if !kinds(kind.name) {
            continue;
        }
        let mut found = 0;
        for attempt in 0..12_000 {
            let mut maker = Maker {
                game,
                random: RandomPlayer::new(mix(&[seed, at as u64, attempt])),
            };
            let (text, hp) = maker.position(kind);
            let Ok(duel) = begun(&scenario("candidate", "", kind.goal, &text), game) else {
                continue;
            };
            let Some(right) = right(&duel, kind) else { continue };
            // What is found without any judgement is not hard enough.
            let puzzle = Puzzle {
                name: String::new(),
                goal: kind.goal,
                duel,
                note: String::new(),
            };
            let stumbles = (0..4).filter(|seed| solves(&puzzle, Level::Normal, Some(&blind), 1_000 + seed));
            if kind.hard && stumbles.count() > 2 {
                continue;
            }
            let Some(control) = control(game, kind, &text, hp, &right) else {
                continue;
            };
            found += 1;
            let name = format!("{} {found}", kind.name);
            let words = right_words(&puzzle.duel, &right);
            println!("{}", scenario(&name, &words, kind.goal, &text));
            let hard = begun(&scenario("control", "", kind.goal, &control), game).expect("it began before");
            let still = crate::right(&hard, kind.goal, LEFT).expect("it was found before");
            let words = right_words(&hard, &still);
            println!(
                "{}",
                scenario(&format!("{name}, control"), &words, kind.goal, &control)
            );
            if found == number {
                break;
            }
        }
        assert!(found > 0, "{}", kind.name);
    }
}
