//! How a deck does against others, played by computers.

use std::sync::Arc;

use cw_duel::{Game, PerSeat, SetupError};
use cw_players::Level;
use cw_program::ModelId;
use cw_sim::{DuelPlan, Exchange, Matchup, PacedEnd, PacedSums, StopRule};
use cw_stats::Interval;

use crate::room::ChosenDeck;

/// Decks that a deck plays against at most.
pub const MOST_RIVALS: usize = 30;
/// Pairs of duels against each of them at most.
pub const MOST_PAIRS: u64 = 200;
/// Pairs that can be chosen.
pub const PAIRS: [u64; 5] = [10, 25, 50, 100, MOST_PAIRS];
/// Pairs if nobody says how many.
pub const USUAL_PAIRS: u64 = 25;
/// The levels that can play: those that answer so soon that a page shows every second how far they are.
pub const LEVELS: [Level; 5] = [
    Level::Random,
    Level::Plain,
    Level::Novice,
    Level::Easy,
    Level::Normal,
];
/// How sure the intervals are, as on the command line.
pub const CONFIDENCE: f64 = 0.95;
/// All shuffles follow from it: the same run comes to the same figures.
pub const SEED: u64 = 1;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArenaState {
    /// Computers play.
    Running,
    /// Somebody has stopped it.
    Stopped,
    /// All pairs were played.
    Done,
    /// A duel could not be played on.
    Broken,
}

/// A deck against other decks: what is to be played, and what was.
#[derive(Clone, Debug)]
pub struct ArenaRun {
    /// The name of the deck in addresses.
    pub deck: String,
    /// What it is called.
    pub name: String,
    /// Its lines when the run began.
    pub lines: String,
    /// Who plays both sides.
    pub level: Level,
    /// How far it is.
    pub state: ArenaState,
    plan: Arc<DuelPlan>,
    /// By rival.
    sums: Vec<PacedSums>,
    played: u64,
}

/// Why a deck cannot play against others.
#[derive(Debug, thiserror::Error)]
pub enum CannotRun {
    /// There are none.
    #[error("this game has no other deck to play against")]
    NoRival,
    /// The game refuses it.
    #[error("{0}")]
    Setup(#[from] SetupError),
}

/// What a deck came to against another one, or against all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArenaScore {
    /// Duels that it won, drew and lost.
    pub duels: [u64; 3],
    /// Its share of the points.
    pub score: f64,
    /// Where the true share lies.
    pub interval: Interval,
}

impl ArenaScore {
    /// Whether it is sure who is ahead: the deck, the other one, or nobody.
    pub fn ahead(&self) -> Option<bool> {
        match (self.interval.low > 0.5, self.interval.high < 0.5) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

impl ArenaRun {
    /// A run that nobody has begun: the deck against those of other cards.
    ///
    /// # Errors
    /// If there are none, or the game refuses the decks.
    pub fn new(
        game: &Arc<Game>,
        own: &ChosenDeck,
        others: &[(String, Vec<ModelId>)],
        level: Level,
        pairs: u64,
    ) -> Result<ArenaRun, CannotRun> {
        let sorted = |cards: &[ModelId]| {
            let mut cards = cards.to_vec();
            cards.sort_unstable();
            cards
        };
        let mine = sorted(&own.cards);
        // A deck against itself says nothing of decks.
        let rivals = others.iter().filter(|(_, cards)| sorted(cards) != mine);
        let matchups: Vec<Matchup> = rivals
            .take(MOST_RIVALS)
            .map(|(name, cards)| Matchup {
                names: PerSeat([own.name.clone(), name.clone()]),
                decks: PerSeat([own.cards.clone(), cards.clone()]),
            })
            .collect();
        if matchups.is_empty() {
            return Err(CannotRun::NoRival);
        }
        let pairs = pairs.clamp(1, MOST_PAIRS) * matchups.len() as u64;
        let plan = DuelPlan {
            game: Arc::clone(game),
            matchups,
            seed: SEED,
            budgets: [level.budget(); 2],
            exchange: Exchange::Turns,
            stop: StopRule::After(pairs),
        };
        plan.check()?;
        Ok(ArenaRun {
            deck: String::new(),
            name: own.name.clone(),
            lines: String::new(),
            level,
            state: ArenaState::Running,
            sums: vec![PacedSums::default(); plan.matchups.len()],
            plan: Arc::new(plan),
            played: 0,
        })
    }

    /// The run as one of the deck of this name in addresses, with its lines.
    #[must_use]
    pub fn of_deck(self, deck: &str, lines: &str) -> ArenaRun {
        ArenaRun {
            deck: deck.to_owned(),
            lines: lines.to_owned(),
            ..self
        }
    }

    /// What is played.
    pub fn plan(&self) -> &Arc<DuelPlan> {
        &self.plan
    }

    /// The number of the pair that is played next, while somebody plays.
    pub fn next(&self) -> Option<u64> {
        (self.state == ArenaState::Running).then_some(self.played)
    }

    /// Pairs that were played, and all.
    pub fn progress(&self) -> [u64; 2] {
        [self.played, self.plan.stop.most()]
    }

    /// Pairs against each deck.
    pub fn pairs(&self) -> u64 {
        self.plan.stop.most() / self.plan.matchups.len() as u64
    }

    /// Notes how a pair ended; nothing if it is not the next one.
    pub fn note(&mut self, pair: u64, ends: [PacedEnd; 2]) {
        if self.next() != Some(pair) {
            return;
        }
        self.sums[self.plan.place(pair)].add(ends);
        self.played += 1;
        if self.played >= self.plan.stop.most() {
            self.state = ArenaState::Done;
        }
    }

    /// Stops it, if it runs.
    pub fn stop(&mut self) {
        if self.state == ArenaState::Running {
            self.state = ArenaState::Stopped;
        }
    }

    /// The other decks, with what this one came to against each.
    pub fn scores(&self) -> Vec<(&str, ArenaScore)> {
        let rivals = self.plan.matchups.iter().zip(&self.sums);
        rivals
            .map(|(matchup, sums)| {
                (
                    &*matchup.names.0[1],
                    self.score(sums, self.plan.matchups.len() as u64),
                )
            })
            .collect()
    }

    /// What it came to against all.
    pub fn total(&self) -> ArenaScore {
        self.score(&self.sums_of_all(), 1)
    }

    /// The share of duels that were won by who went first, of those that were not drawn.
    pub fn first(&self) -> Option<f64> {
        let sums = self.sums_of_all();
        let decided = sums.duels[0] + sums.duels[2];
        (decided > 0).then(|| sums.first_won as f64 / decided as f64)
    }

    fn sums_of_all(&self) -> PacedSums {
        let mut all = PacedSums::default();
        self.sums.iter().for_each(|sums| all.join(sums));
        all
    }

    /// The interval of a number of pairs that was fixed beforehand, once all were played; till then the wider
    /// one that may be looked at any time, since whoever looks may stop.
    fn score(&self, sums: &PacedSums, shares: u64) -> ArenaScore {
        let planned = (self.plan.stop.most() / shares / 2).max(1);
        let interval = match (sums.pairs.number(), self.state) {
            (0, _) => Interval { low: 0.0, high: 1.0 },
            (_, ArenaState::Done) => sums.pairs.interval(CONFIDENCE),
            (_, ArenaState::Running | ArenaState::Stopped | ArenaState::Broken) => {
                sums.pairs.sequence(planned, CONFIDENCE)
            }
        };
        ArenaScore {
            duels: sums.duels,
            score: match sums.pairs.number() {
                0 => 0.5,
                _ => sums.pairs.score(),
            },
            interval,
        }
    }
}
