//! What a position is worth: numbers read off it, and the weights that they have.
//!
//! A position is worth a thousand times the logarithm of its odds for a seat. It is the sum of what is
//! read off both sides, each number with the weight that it has for the side whose turn it is or for the
//! other one, and of what single cards are worth in the ring and in the hand. The weights come from duels
//! ([`fit`](crate::fit)). All are integers: a position is worth the same on every machine.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use cw_duel::{Duel, DuelOutcome, Game, MAX_SLOTS, Question, Seat};
use cw_program::{CardType, ModelId};
use serde::Deserialize;

/// A duel that is won, and one that is lost.
pub(crate) const WON: i64 = 1_000_000;
pub(crate) const LOST: i64 = -WON;

/// The numbers that are read off a side, in thousandths of BP, HP, SP, cards or shares, by their names in
/// files.
const NAMES: [&str; 33] = [
    "hp",
    "hp up to 1500",
    "hp up to 700",
    "hp up to 300",
    "bp",
    "bp of the strongest",
    "characters",
    "no characters",
    "characters more than the other",
    "bp of unfrozen",
    "unfrozen characters",
    "fresh characters",
    "bp of fresh",
    "stop the strongest of the other",
    "hand",
    "hand over 4",
    "no hand",
    "characters in hand",
    "may play a character",
    "best bp to play now",
    "best bp to play next turn",
    "actions that can be paid",
    "reactions that can be paid",
    "sp up to 5",
    "sp up to 12",
    "sp up to 25",
    "raised characters",
    // From here on by what the other side has.
    "bp for each hp of the other",
    "its square",
    "unblocked now for each hp of the other",
    "unblocked now is enough",
    "unblocked next turn for each hp of the other",
    "unblocked next turn is enough",
];
const TERMS: usize = NAMES.len();
/// How many of them are read off the side alone.
const ALONE: usize = 27;

/// Where a package keeps what positions are worth, as `cardwright players fit` writes it.
pub const VALUES: &str = "Players/values.toml";

/// The weights of a game: what [`Level`](crate::Level)s that search go by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionWeights {
    /// Of the side whose turn it is, and of the other one.
    sides: [[i32; TERMS]; 2],
    /// Of having the turn: in the Main phase, and after it.
    turn: [i32; 2],
    /// Of each model in the ring, where its ability is in force, and in the hand.
    ring: Vec<i32>,
    hand: Vec<i32>,
}

/// A file of weights could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesError(String);

impl std::fmt::Display for ValuesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValuesError {}

/// A file of weights. Cards are named by their ids; those that are not in it are worth nothing of their
/// own, only what the other numbers say.
#[derive(Clone, Debug, Default, Deserialize)]
struct Sheet {
    #[serde(default)]
    active: BTreeMap<String, i32>,
    #[serde(default)]
    other: BTreeMap<String, i32>,
    #[serde(default)]
    turn: BTreeMap<String, i32>,
    #[serde(default)]
    ring: BTreeMap<String, i32>,
    #[serde(default)]
    hand: BTreeMap<String, i32>,
}

const TURN: [&str; 2] = ["in the main phase", "after the main phase"];

impl Sheet {
    fn read(text: &str) -> Result<Sheet, ValuesError> {
        let sheet: Sheet = toml::from_str(text).map_err(|error| ValuesError(error.to_string()))?;
        let known = |table: &BTreeMap<String, i32>, names: &[&str]| {
            let strange = table.keys().find(|name| !names.contains(&name.as_str()));
            strange.map_or(Ok(()), |name| {
                Err(ValuesError(format!(
                    "“{name}” is no number of a position; `cardwright players fit` makes the file anew"
                )))
            })
        };
        known(&sheet.active, &NAMES)?;
        known(&sheet.other, &NAMES)?;
        known(&sheet.turn, &TURN)?;
        Ok(sheet)
    }

    fn of(&self, game: &Game) -> PositionWeights {
        let all = |table: &BTreeMap<String, i32>| NAMES.map(|name| table.get(name).copied().unwrap_or(0));
        let cards = |table: &BTreeMap<String, i32>| {
            let models = game.models.iter();
            models
                .map(|model| table.get(&*model.id).copied().unwrap_or(0))
                .collect()
        };
        PositionWeights {
            sides: [all(&self.active), all(&self.other)],
            turn: TURN.map(|name| self.turn.get(name).copied().unwrap_or(0)),
            ring: cards(&self.ring),
            hand: cards(&self.hand),
        }
    }
}

impl PositionWeights {
    /// Reads a file of weights, as [`fit`](crate::fit) makes it, for this game.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str, game: &Game) -> Result<PositionWeights, ValuesError> {
        Ok(Sheet::read(text)?.of(game))
    }

    /// The weights that come with the program: those of the demo game. Cards of other games have none of
    /// their own.
    pub fn shared(game: &Game) -> PositionWeights {
        static SHEET: OnceLock<Sheet> = OnceLock::new();
        let sheet = SHEET.get_or_init(|| {
            Sheet::read(include_str!("values.toml"))
                .expect("the file comes with the program; a test reads it")
        });
        sheet.of(game)
    }

    /// No weights: to whom only the end of the duel counts, and who proves no win, either. A control for
    /// tests of strength.
    pub fn blind(game: &Game) -> PositionWeights {
        Sheet::default().of(game)
    }

    /// A number made of all weights: others have another one.
    pub fn digest(&self) -> u64 {
        crate::sight::digest(self)
    }

    pub(crate) fn is_blind(&self) -> bool {
        let mut weights = self.sides.iter().flatten().chain(&self.turn);
        weights.all(|weight| *weight == 0)
    }

    /// What the position of a guess is worth to `seat`. It reads the whole position, hidden or not, so it
    /// is no business of true duels.
    pub(crate) fn worth(&self, duel: &Duel, seat: Seat) -> i64 {
        match duel.outcome() {
            Some(DuelOutcome::Won { winner, .. }) if winner == seat => WON,
            Some(DuelOutcome::Won { .. }) => LOST,
            Some(DuelOutcome::Drawn) => 0,
            None => {
                let active = duel.active();
                let (numbers, late) = numbers(duel);
                let [own, other] = [0, 1].map(|at| {
                    let weights = self.sides[at].iter().zip(&numbers[at]);
                    weights
                        .map(|(weight, term)| i64::from(*weight) * i64::from(*term))
                        .sum::<i64>()
                        / 1000
                });
                let cards = self.cards(duel, active) - self.cards(duel, active.other());
                let worth = own - other + cards + i64::from(self.turn[usize::from(late)]);
                if active == seat { worth } else { -worth }
            }
        }
    }

    fn cards(&self, duel: &Duel, seat: Seat) -> i64 {
        let glance = duel.glance(seat);
        let at = |of: &[i32], model: ModelId| i64::from(of[usize::from(model.0)]);
        let ring = glance.fighters().filter_map(|fighter| fighter.ability);
        let hand = glance.hand().map(|(_, model)| at(&self.hand, model));
        ring.map(|model| at(&self.ring, model)).sum::<i64>() + hand.sum::<i64>()
    }
}

/// A position as [`fit`](crate::fit) reads it: places of numbers in [`columns`] and what they are for the
/// side whose turn it is, against the other; those that are 0 are left out.
pub(crate) fn row(duel: &Duel) -> Vec<(u16, i32)> {
    let (numbers, late) = numbers(duel);
    let mut row = Vec::new();
    let mut push = |at: usize, number: i32| {
        if let (1.., Ok(at)) = (number.abs(), u16::try_from(at)) {
            row.push((at, number));
        }
    };
    for (at, term) in numbers[0].iter().enumerate() {
        push(at, *term);
    }
    for (at, term) in numbers[1].iter().enumerate() {
        push(TERMS + at, -*term);
    }
    push(2 * TERMS + usize::from(late), 1000);
    let ring = 2 * TERMS + 2;
    let hand = ring + duel.game().models.len();
    for (seat, sign) in [(duel.active(), 1000), (duel.active().other(), -1000)] {
        let glance = duel.glance(seat);
        for model in glance.fighters().filter_map(|fighter| fighter.ability) {
            push(ring + usize::from(model.0), sign);
        }
        for (_, model) in glance.hand() {
            push(hand + usize::from(model.0), sign);
        }
    }
    row
}

/// The columns of [`row`]: the table of the file in which each stands, and its name there. Only the first
/// `SHARED` mean the same in all games.
pub(crate) fn columns(game: &Game) -> Vec<(&'static str, String)> {
    let named = |table: &'static str, names: &[&str]| -> Vec<(&'static str, String)> {
        names.iter().map(|name| (table, (*name).to_owned())).collect()
    };
    let mut columns = named("active", &NAMES);
    columns.extend(named("other", &NAMES));
    columns.extend(named("turn", &TURN));
    for table in ["ring", "hand"] {
        columns.extend(game.models.iter().map(|model| (table, model.id.to_string())));
    }
    columns
}

/// Columns that are about no single card.
pub(crate) const SHARED: usize = 2 * TERMS + 2;

/// The numbers of the side whose turn it is and of the other one, and whether the Main phase is over.
fn numbers(duel: &Duel) -> ([[i32; TERMS]; 2], bool) {
    let seat = duel.active();
    let late = duel
        .pending()
        .is_none_or(|decision| decision.question != Question::Main);
    let sides = [
        SideStrength::of(duel, seat, !late),
        SideStrength::of(duel, seat.other(), false),
    ];
    let [active, other] = &sides;
    ([active.against(other, true), other.against(active, false)], late)
}

/// What one side has.
struct SideStrength {
    terms: [i32; TERMS],
    hp: i64,
    bp: i64,
    /// BP of all characters, and of those that are not frozen, the weakest first.
    all: Bps,
    unfrozen: Bps,
}

#[derive(Default)]
struct Bps {
    sorted: [i32; MAX_SLOTS],
    number: usize,
}

impl Bps {
    fn add(&mut self, bp: i32) {
        self.sorted[self.number] = bp;
        self.number += 1;
    }

    fn as_slice(&self) -> &[i32] {
        &self.sorted[..self.number]
    }

    fn sort(&mut self) {
        self.sorted[..self.number].sort_unstable();
    }

    fn strongest(&self) -> i32 {
        self.as_slice().last().copied().unwrap_or(0)
    }

    /// What comes through if so many blockers stop the strongest.
    fn through(&self, blockers: usize) -> i64 {
        let unblocked = self.number.saturating_sub(blockers);
        self.sorted[..unblocked].iter().map(|bp| i64::from(*bp)).sum()
    }
}

fn thousands(count: usize) -> i32 {
    i32::try_from(count * 1000).unwrap_or(i32::MAX)
}

fn flag(is: bool) -> i32 {
    i32::from(is) * 1000
}

impl SideStrength {
    fn of(duel: &Duel, seat: Seat, may_play: bool) -> SideStrength {
        let glance = duel.glance(seat);
        let game = duel.game();
        let hp = glance.hp().max(0);
        let sp = glance.sp();
        let (mut all, mut unfrozen) = (Bps::default(), Bps::default());
        let (mut fresh, mut fresh_bp, mut raised) = (0, 0, 0);
        for fighter in glance.fighters() {
            let bp = fighter.bp.max(0);
            all.add(bp);
            if !fighter.frozen {
                unfrozen.add(bp);
            }
            if fighter.fresh {
                fresh += 1;
                fresh_bp += bp;
            }
            raised += usize::from(bp > game.model(fighter.model).bp);
        }
        all.sort();
        unfrozen.sort();
        let room = all.number < usize::from(game.constants.ring_slots);
        let (mut hand, mut characters, mut actions, mut reactions) = (0, 0, 0, 0);
        let (mut now, mut next) = (0, 0);
        for (_, model) in glance.hand() {
            let model = game.model(model);
            hand += 1;
            let paid = model.sp >= 0 || -model.sp <= sp;
            match model.card_type {
                Some(CardType::Character) => {
                    characters += 1;
                    // Who has a fresh character has played it this turn.
                    if paid && room && may_play && fresh == 0 {
                        now = now.max(model.bp);
                    } else if paid && room {
                        next = next.max(model.bp);
                    }
                }
                Some(CardType::Action) => actions += usize::from(paid),
                Some(CardType::Reaction) => reactions += usize::from(paid),
                None => {}
            }
        }
        let sum = |bps: &Bps| bps.as_slice().iter().sum::<i32>();
        let mut terms = [0; TERMS];
        terms[..ALONE].copy_from_slice(&[
            hp,
            hp.min(1500),
            hp.min(700),
            hp.min(300),
            sum(&all),
            all.strongest(),
            thousands(all.number),
            flag(all.number == 0),
            0,
            sum(&unfrozen),
            thousands(unfrozen.number),
            thousands(fresh),
            fresh_bp,
            0,
            thousands(hand),
            thousands(hand.saturating_sub(4)),
            flag(hand == 0),
            thousands(characters),
            flag(now > 0),
            now,
            next,
            thousands(actions),
            thousands(reactions),
            sp.min(5) * 1000,
            sp.min(12) * 1000,
            sp.min(25) * 1000,
            thousands(raised),
        ]);
        SideStrength {
            terms,
            hp: i64::from(hp),
            bp: i64::from(sum(&all)),
            all,
            unfrozen,
        }
    }

    /// All numbers: what its characters can do to the other side in this turn, if it is its own, and in
    /// its next one.
    fn against(&self, other: &SideStrength, has_turn: bool) -> [i32; TERMS] {
        let share = |bp: i64| i32::try_from((bp * 1000 / other.hp.max(1)).min(1000)).unwrap_or(1000);
        let strongest = other.all.strongest();
        let stop = self.unfrozen.as_slice().iter();
        let stop = stop.filter(|bp| strongest > 0 && **bp >= strongest).count();
        let reach = share(self.bp);
        let now = if has_turn {
            share(self.unfrozen.through(other.unfrozen.number))
        } else {
            0
        };
        let next = share(self.all.through(other.unfrozen.number));
        let mut terms = self.terms;
        terms[8] = thousands(self.all.number.saturating_sub(other.all.number));
        terms[13] = thousands(stop);
        terms[ALONE..].copy_from_slice(&[
            reach,
            reach * reach / 1000,
            now,
            flag(now >= 1000),
            next,
            flag(next >= 1000),
        ]);
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_the_program_can_be_read() {
        let sheet = Sheet::read(include_str!("values.toml")).expect("it is well-formed");
        assert!(sheet.active.len() > 20 && sheet.other.len() > 20);
        assert!(sheet.ring.len() > 30 && sheet.hand.len() > 30);
        assert!(sheet.active["bp"] > 0 && sheet.other["bp"] > 0);
    }

    /// A game whose cards are not in the file goes by the other numbers, and a blind player by none.
    #[test]
    fn unknown_cards_fall_back_to_what_all_games_share() {
        let game = Game::default();
        let shared = PositionWeights::shared(&game);
        assert!(shared.ring.is_empty());
        assert_ne!(shared, PositionWeights::blind(&game));
        assert_eq!(
            shared.sides,
            PositionWeights::read(include_str!("values.toml"), &game)
                .unwrap()
                .sides
        );
    }

    #[test]
    fn a_number_that_does_not_exist_is_named() {
        let fault = PositionWeights::read("[active]\n\"luck\" = 3\n", &Game::default()).unwrap_err();
        assert!(fault.to_string().contains("luck"), "{fault}");
        assert!(PositionWeights::read("[active", &Game::default()).is_err());
        assert!(PositionWeights::read("[ring]\nx = 1.5", &Game::default()).is_err());
    }

    #[test]
    fn the_strongest_are_stopped_first() {
        let mut bps = Bps::default();
        [300, 700, 500].into_iter().for_each(|bp| bps.add(bp));
        bps.sort();
        assert_eq!(
            [0, 1, 2, 3].map(|blockers| bps.through(blockers)),
            [1500, 800, 300, 0]
        );
        assert_eq!(bps.strongest(), 700);
    }
}
