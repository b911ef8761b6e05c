//! What is to be played.

use std::sync::Arc;

use cw_duel::{Duel, DuelSetup, Game, PerSeat, Seat, SetupError, Silent, Sink};
use cw_players::SearchBudget;
use cw_stats::{Sprt, Verdict};

use crate::Results;

/// The decks of both seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchup {
    /// The decks' names, for people.
    pub names: PerSeat<String>,
    /// Their cards.
    pub decks: cw_duel::Decks,
}

/// Pairs of duels between two players.
#[derive(Clone, Debug)]
pub struct DuelPlan {
    /// The game.
    pub game: Arc<Game>,
    /// The matchups, taken in turn.
    pub matchups: Vec<Matchup>,
    /// The seed of everything.
    pub seed: u64,
    /// How much each player may try out for one answer.
    pub budgets: [SearchBudget; 2],
    /// What the two duels of a pair differ in.
    pub exchange: Exchange,
    /// When it is enough.
    pub stop: StopRule,
}

/// What the two duels of a pair differ in; everything else they have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The players exchange their seats: which of two players is better?
    Players,
    /// The other seat goes first: which of two decks is better, and what is going first worth? The
    /// first player has the first deck in both duels.
    Turns,
}

/// When a plan has been played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// After so many pairs.
    After(u64),
    /// When it is known which side is ahead, and after so many pairs at the latest.
    Ahead {
        /// At the latest.
        most: u64,
    },
    /// When the score is known to so much either way, and after so many pairs at the latest.
    Width {
        /// Half of the interval's width, as a score from 0 to 1.
        half: f64,
        /// At the latest.
        most: u64,
    },
    /// When the score of every matchup is known to so much either way: a matchup that is known is left
    /// out while the others go on. After so many pairs at the latest, counted as if none were left out.
    ///
    /// A matchup is known when its interval of a fixed number of pairs is narrow enough, without luck where
    /// that is known ([`Total::half`](crate::Total::half)). Such a rule stops by the variance, not by the
    /// score, and its interval holds the truth as often as it says when it is narrow (Chow and Robbins 1965).
    Each {
        /// Half of the interval's width, as a score from 0 to 1.
        half: f64,
        /// At the latest.
        most: u64,
    },
    /// When a test has decided, and after so many pairs at the latest.
    Test {
        /// The test.
        sprt: Sprt,
        /// At the latest.
        most: u64,
    },
}

/// Pairs between two looks at a test. Looks lie at fixed numbers of pairs, so that where a plan stops
/// does not depend on which pair was ready first.
const LOOK: u64 = 16;
/// Each matchup has so many pairs before the first look at whether it is known, and so many between two
/// looks.
const FIRST_ROUNDS: u64 = 32;
const ROUNDS: u64 = 4;
/// How sure it has to be who is ahead, or how wide the interval is.
pub(crate) const CONFIDENCE: f64 = 0.95;

impl StopRule {
    /// When what such a plan measures is known to `half` either way: between two players their score, with
    /// one player on both sides that of every matchup. After so many pairs at the latest; if it is not said,
    /// 1000, or 2000 of each matchup.
    pub fn known(half: f64, exchange: Exchange, matchups: usize, most: Option<u64>) -> StopRule {
        match exchange {
            Exchange::Turns if matchups > 1 => StopRule::Each {
                half,
                most: most.unwrap_or(2 * StopRule::PAIRS * matchups as u64),
            },
            Exchange::Turns | Exchange::Players => StopRule::Width {
                half,
                most: most.unwrap_or(StopRule::PAIRS),
            },
        }
    }

    /// The most pairs where nobody says how many.
    pub const PAIRS: u64 = 1000;

    /// The most pairs that may be played.
    pub fn most(&self) -> u64 {
        match self {
            StopRule::After(most)
            | StopRule::Test { most, .. }
            | StopRule::Ahead { most }
            | StopRule::Each { most, .. }
            | StopRule::Width { most, .. } => *most,
        }
    }

    /// Whether it is looked, after so many pairs of so many matchups, which of them are known.
    pub(crate) fn looks(pairs: u64, matchups: u64) -> bool {
        pairs.is_multiple_of(ROUNDS * matchups) && pairs >= FIRST_ROUNDS * matchups
    }

    /// At how many pairs a confidence sequence is narrowest: where half of what may be played was.
    pub fn planned(&self) -> u64 {
        (self.most() / 2).clamp(1, 500)
    }

    /// Whether these results, of the first pairs of the plan, are all that it wants; of [`StopRule::Each`]
    /// only [`Total`](crate::Total) knows before the last one.
    pub fn is_reached(&self, results: &Results) -> bool {
        let number = results.pairs.number();
        number >= self.most() || self.verdict(results).is_some() || self.is_known(results)
    }

    /// Whether an interval that may be looked at answers the question by now.
    fn is_known(&self, results: &Results) -> bool {
        if !results.pairs.number().is_multiple_of(LOOK) || results.pairs.number() == 0 {
            return false;
        }
        let interval = || results.pairs.sequence(self.planned(), CONFIDENCE);
        match self {
            StopRule::After(_) | StopRule::Test { .. } | StopRule::Each { .. } => false,
            StopRule::Ahead { .. } => interval().low > 0.5 || interval().high < 0.5,
            StopRule::Width { half, .. } => interval().high - interval().low <= 2.0 * half,
        }
    }

    /// What the test came to, where there is one and it may be looked at.
    pub fn verdict(&self, results: &Results) -> Option<Verdict> {
        match self {
            StopRule::Test { sprt, most } => {
                let number = results.pairs.number();
                let look = number.is_multiple_of(LOOK) || number == *most;
                look.then(|| sprt.verdict(&results.pairs)).flatten()
            }
            StopRule::After(_) | StopRule::Ahead { .. } | StopRule::Width { .. } | StopRule::Each { .. } => {
                None
            }
        }
    }
}

/// How a pair begins: all that its two duels have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'a> {
    pub matchup: &'a Matchup,
    /// Of the cards.
    pub seed: u64,
    /// Of the players' own chance.
    pub players: u64,
    /// By duel: who goes first, and the first player's seat.
    pub halves: [Half; 2],
}

/// What the duels of a pair differ in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    pub first: Seat,
    pub seat: Seat,
}

impl DuelPlan {
    /// The matchup of a pair.
    pub fn matchup(&self, pair: u64) -> &Matchup {
        &self.matchups[self.place(pair)]
    }

    /// The place of a pair's matchup among them: they take turns.
    pub fn place(&self, pair: u64) -> usize {
        let turn = usize::try_from(pair % self.matchups.len() as u64);
        turn.expect("less than there are matchups")
    }

    /// Begins a duel of every matchup, so that nothing is refused later.
    ///
    /// # Errors
    /// If a duel cannot start.
    pub fn check(&self) -> Result<(), SetupError> {
        for pair in 0..self.matchups.len() as u64 {
            self.start(&self.beginning(pair), 0, &mut Silent)?;
        }
        Ok(())
    }

    /// What a pair comes to depends on, in 16 hexadecimal digits, but for the players themselves, which
    /// are named: the game, the decks, the seed, the budgets, and the versions of rules and levels.
    pub fn digest(&self, players: [&str; 2]) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut text = |text: &[u8]| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text);
        };
        text(cw_duel::RULES_VERSION.as_bytes());
        text(&cw_players::VERSION.to_le_bytes());
        text(self.game.fingerprint.as_bytes());
        text(&self.seed.to_le_bytes());
        for (player, budget) in players.into_iter().zip(self.budgets) {
            text(player.as_bytes());
            text(&budget.playouts.to_le_bytes());
        }
        for deck in self.matchups.iter().flat_map(|matchup| &matchup.decks.0) {
            text(&(deck.len() as u64).to_le_bytes());
            deck.iter()
                .for_each(|model| text(self.game.model(*model).id.as_bytes()));
        }
        match self.exchange {
            Exchange::Players => {}
            Exchange::Turns => text(b"turns"),
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// The first position of a pair's first or second duel.
    ///
    /// # Panics
    /// If it cannot start: [`DuelPlan::check`] tells beforehand.
    pub fn duel(&self, pair: u64, half: usize) -> Duel {
        let begun = self.start(&self.beginning(pair), half, &mut Silent);
        begun.expect("the plan was checked")
    }

    /// The seeds are digests of the plan's seed, what they are for, the matchup's decks and the pair:
    /// two plans that differ in a player or in a card's rule deal the same cards, pair by pair.
    pub(crate) fn beginning(&self, pair: u64) -> Beginning<'_> {
        let matchup = self.matchup(pair);
        let digest = |what: &str| {
            let mut hasher = blake3::Hasher::new();
            let mut text = |text: &[u8]| {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text);
            };
            text(&self.seed.to_le_bytes());
            text(what.as_bytes());
            for deck in &matchup.decks.0 {
                text(&(deck.len() as u64).to_le_bytes());
                deck.iter()
                    .for_each(|model| text(self.game.model(*model).id.as_bytes()));
            }
            text(&pair.to_le_bytes());
            let bytes = hasher.finalize();
            u64::from_le_bytes(std::array::from_fn(|at| bytes.as_bytes()[at]))
        };
        let round = pair / self.matchups.len() as u64;
        let turn = Seat::from_index((round % 2) as usize);
        let halves = Seat::BOTH.map(|half| match self.exchange {
            Exchange::Players => Half {
                first: turn,
                seat: half,
            },
            Exchange::Turns => Half {
                first: half,
                seat: Seat::One,
            },
        });
        Beginning {
            matchup,
            seed: digest("cards"),
            players: digest("players"),
            halves,
        }
    }

    pub(crate) fn start(
        &self,
        beginning: &Beginning<'_>,
        half: usize,
        sink: &mut dyn Sink,
    ) -> Result<Duel, SetupError> {
        let setup = DuelSetup {
            first: Some(beginning.halves[half].first),
            allow_illegal_decks: true,
            ..DuelSetup::from(beginning.seed)
        };
        Duel::new_with(Arc::clone(&self.game), &beginning.matchup.decks, setup, sink)
    }
}
