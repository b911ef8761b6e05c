//! A run as it stands.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use cw_duel::{Decks, Game, PerSeat, Seed};
use cw_load::RuleTwist;
use cw_octgn::PackChance;
use cw_program::ModelId;

use crate::{RunAct, RunBook, RunRefused, RunSeed};

/// The longest record of a run, in bytes: a link carries it.
pub const MOST_RECORD: usize = 1000;
/// With so few cards a deck loses none.
const LEAST_DECK: usize = 20;

/// A run: what was drafted, how far it has come, what it has won and lost. Its [`Run::record`] is all of it.
#[derive(Clone, Debug)]
pub struct Run {
    book: Arc<RunBook>,
    seed: RunSeed,
    acts: Vec<RunAct>,
    /// For each step the two foes that wait there.
    way: Vec<[usize; 2]>,
    /// In the order in which the cards came.
    deck: Vec<ModelId>,
    /// Places in [`RunBook::charms`].
    charms: Vec<usize>,
    lives: usize,
    /// The step that the run has come to, from 0.
    step: usize,
    fought: Vec<FoughtDuel>,
    phase: RunPhase,
}

/// What a run waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPhase {
    /// A card is taken out of a pack.
    Draft {
        /// Which pack, from 0.
        pack: usize,
        /// What is left of it.
        cards: Vec<ModelId>,
        /// Cards that may still be taken out of it.
        left: usize,
    },
    /// An opponent is chosen.
    Way,
    /// A duel is played against one of the foes of the step.
    Duel {
        /// Which of the two.
        choice: usize,
    },
    /// A reward is chosen: a card, a card less, or a charm.
    Reward {
        /// The card that is offered.
        card: Option<ModelId>,
        /// The charm that is offered.
        charm: Option<usize>,
    },
    /// It is over.
    Over {
        /// Whether all duels were won.
        won: bool,
    },
}

/// A duel that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoughtDuel {
    /// At which step, from 0.
    pub step: usize,
    /// Against whom: a place in [`RunBook::foes`].
    pub foe: usize,
    /// Whether it was won.
    pub won: bool,
}

/// A duel of a run. The person has seat one.
#[derive(Clone, Debug)]
pub struct RunDuel {
    /// The game with everything that is otherwise in this duel.
    pub game: Arc<Game>,
    /// What is otherwise.
    pub twist: RuleTwist,
    /// The decks. They need not be legal.
    pub decks: Decks,
    /// What all its chance comes from.
    pub seed: Seed,
    /// The foe: a place in [`RunBook::foes`].
    pub foe: usize,
    /// The name of the level that plays for them.
    pub level: String,
}

/// A text is no record of a run in this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotThisRun {
    /// It is too long.
    #[error("a run has at most {MOST_RECORD} letters")]
    TooLong,
    /// It does not begin with a seed.
    #[error("{0}")]
    Seed(#[from] crate::NoRunSeed),
    /// Something in it is nothing that can be done.
    #[error("“{0}” is nothing that can be done in a run")]
    Unreadable(String),
    /// Something in it cannot be done.
    #[error("step {at} of the run cannot be done: {why}")]
    Refused {
        /// Which act, from 1.
        at: usize,
        /// Why not.
        why: RunRefused,
    },
}

/// What chance is drawn for: each purpose has a stream of its own, so that nothing depends on what was chosen
/// before.
#[derive(Clone, Copy)]
enum RunStream {
    Way,
    Charms,
    Pack(usize),
    Reward(usize),
}

impl Run {
    /// A run begins.
    pub fn new(book: Arc<RunBook>, seed: RunSeed) -> Run {
        let mut run = Run {
            seed,
            acts: Vec::new(),
            way: Vec::new(),
            deck: book.starter.clone(),
            charms: Vec::new(),
            lives: book.lives,
            step: 0,
            fought: Vec::new(),
            phase: RunPhase::Way,
            book,
        };
        run.way = run.draw_way();
        run.open_pack(0);
        run
    }

    /// A run as [`Run::record`] wrote it.
    ///
    /// # Errors
    /// If the text is not of a run of this game.
    pub fn read(book: Arc<RunBook>, text: &str) -> Result<Run, NotThisRun> {
        if text.len() > MOST_RECORD {
            return Err(NotThisRun::TooLong);
        }
        let (seed, mut rest) = text.split_once('.').unwrap_or((text, ""));
        let mut run = Run::new(book, seed.parse()?);
        while !rest.is_empty() {
            let Some((act, after)) = RunAct::read(rest) else {
                return Err(NotThisRun::Unreadable(rest.chars().take(12).collect()));
            };
            let at = run.acts.len() + 1;
            run.act(act).map_err(|why| NotThisRun::Refused { at, why })?;
            rest = after;
        }
        Ok(run)
    }

    /// The whole run as a short text: its seed, a full stop, and everything that was done.
    pub fn record(&self) -> String {
        let mut text = format!("{}.", self.seed);
        for act in &self.acts {
            let _ = write!(text, "{act}");
        }
        text
    }

    fn chance(&self, stream: RunStream) -> PackChance {
        let number = match stream {
            RunStream::Way => 0,
            RunStream::Charms => 1,
            RunStream::Pack(at) => 100 + at as u64,
            RunStream::Reward(at) => 200 + at as u64,
        };
        PackChance::stream(self.seed.number(), number)
    }

    /// Two foes for each step; nobody is met twice on the way while there are others.
    fn draw_way(&self) -> Vec<[usize; 2]> {
        let mut chance = self.chance(RunStream::Way);
        let mut met: BTreeMap<&str, usize> = BTreeMap::new();
        let mut way = Vec::new();
        for step in &self.book.steps {
            let name = |foe: usize| self.book.foes[foe].name.as_str();
            let mut foes = step.foes.clone();
            chance.shuffle(&mut foes);
            foes.sort_by_key(|foe| met.get(name(*foe)).copied().unwrap_or(0));
            let first = foes.first().copied().unwrap_or(0);
            let other = foes.iter().copied().find(|foe| name(*foe) != name(first));
            let two = [first, other.or(foes.get(1).copied()).unwrap_or(first)];
            for foe in two {
                *met.entry(name(foe)).or_default() += 1;
            }
            way.push(two);
        }
        way
    }

    /// How many cards are taken out of a pack: the picks are shared out evenly, the first packs give one
    /// more.
    /// The picks of this pack: an equal share of those that are left, so that the later packs give what a
    /// short one could not.
    fn picks_of(&self, pack: usize) -> usize {
        let taken = self.deck.len().saturating_sub(self.book.starter.len());
        let packs = self.book.packs().saturating_sub(pack).max(1);
        self.book.picks.saturating_sub(taken).div_ceil(packs)
    }

    fn open_pack(&mut self, first: usize) {
        for pack in first..self.book.packs() {
            let cards = self.book.open(pack, self.chance(RunStream::Pack(pack)));
            let left = self.picks_of(pack).min(cards.len());
            if left > 0 {
                self.phase = RunPhase::Draft { pack, cards, left };
                return;
            }
        }
        self.go_on();
    }

    /// To the step that comes next, or to the end.
    fn go_on(&mut self) {
        self.phase = match self.step < self.way.len() {
            true => RunPhase::Way,
            false => RunPhase::Over { won: true },
        };
    }

    /// Does something, or leaves everything as it is.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn act(&mut self, act: RunAct) -> Result<(), RunRefused> {
        if let RunPhase::Over { .. } = self.phase {
            return Err(RunRefused::Over);
        }
        match act {
            RunAct::Pick(place) => self.pick(place)?,
            RunAct::Fight(choice) => match self.phase {
                RunPhase::Way if choice < 2 => self.phase = RunPhase::Duel { choice },
                RunPhase::Way => return Err(RunRefused::NoPlace),
                _ => return Err(RunRefused::NotNow),
            },
            RunAct::Won => self.ended(true)?,
            RunAct::Lost => self.ended(false)?,
            RunAct::TakeCard | RunAct::Remove(_) | RunAct::TakeCharm => self.reward(act)?,
            RunAct::GiveUp => self.phase = RunPhase::Over { won: false },
        }
        self.acts.push(act);
        Ok(())
    }

    fn pick(&mut self, place: usize) -> Result<(), RunRefused> {
        let RunPhase::Draft { pack, cards, left } = &mut self.phase else {
            return Err(RunRefused::NotNow);
        };
        if place >= cards.len() {
            return Err(RunRefused::NoPlace);
        }
        self.deck.push(cards.remove(place));
        *left -= 1;
        let next = *pack + 1;
        if *left == 0 {
            self.open_pack(next);
        }
        Ok(())
    }

    fn ended(&mut self, won: bool) -> Result<(), RunRefused> {
        let foe = self.foe_now().ok_or(RunRefused::NotNow)?;
        self.fought.push(FoughtDuel {
            step: self.step,
            foe,
            won,
        });
        if won {
            self.step += 1;
            self.phase = match self.step < self.way.len() {
                true => match self.rewards() {
                    // Where nothing can be taken, the way goes on.
                    RunPhase::Reward {
                        card: None,
                        charm: None,
                    } if !self.can_remove() => RunPhase::Way,
                    rewards => rewards,
                },
                false => RunPhase::Over { won: true },
            };
        } else {
            self.lives = self.lives.saturating_sub(1);
            self.phase = match self.lives {
                0 => RunPhase::Over { won: false },
                _ => RunPhase::Way,
            };
        }
        Ok(())
    }

    /// What is offered after the step that was just won.
    fn rewards(&self) -> RunPhase {
        let cards = self.book.open(0, self.chance(RunStream::Reward(self.step)));
        // The best of a pack, the first of equals.
        let best = (0..cards.len()).max_by_key(|at| (self.book.rating(cards[*at]), std::cmp::Reverse(*at)));
        let mut charms: Vec<usize> = (0..self.book.charms.len()).collect();
        self.chance(RunStream::Charms).shuffle(&mut charms);
        // Each step offers the next one of a fixed order, so that the offer depends little on what was taken.
        let many = charms.len().max(1);
        let charm = (0..charms.len())
            .map(|further| charms[(self.step + further) % many])
            .find(|charm| !self.charms.contains(charm));
        RunPhase::Reward {
            card: best.map(|at| cards[at]),
            charm,
        }
    }

    fn reward(&mut self, act: RunAct) -> Result<(), RunRefused> {
        let RunPhase::Reward { card, charm } = self.phase else {
            return Err(RunRefused::NotNow);
        };
        match act {
            RunAct::TakeCard => self.deck.push(card.ok_or(RunRefused::NoCard)?),
            RunAct::TakeCharm => self.charms.push(charm.ok_or(RunRefused::NoCharm)?),
            RunAct::Remove(place) => {
                if !self.can_remove() {
                    return Err(RunRefused::TooSmall(self.deck.len()));
                }
                let cards = self.cards();
                let (card, _) = cards.get(place).ok_or(RunRefused::NoPlace)?;
                // The copy that came last.
                if let Some(at) = self.deck.iter().rposition(|other| other == card) {
                    self.deck.remove(at);
                }
            }
            _ => return Err(RunRefused::NotNow),
        }
        self.go_on();
        Ok(())
    }

    /// Whether a card may be taken out of the deck as a reward.
    pub fn can_remove(&self) -> bool {
        self.deck.len() > LEAST_DECK
    }

    /// What the package has for its runs.
    pub fn book(&self) -> &Arc<RunBook> {
        &self.book
    }

    /// Which run it is.
    pub fn seed(&self) -> RunSeed {
        self.seed
    }

    /// What it waits for.
    pub fn phase(&self) -> &RunPhase {
        &self.phase
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, RunPhase::Over { .. })
    }

    /// For each step the two foes that wait there: places in [`RunBook::foes`].
    pub fn way(&self) -> &[[usize; 2]] {
        &self.way
    }

    /// The step that it has come to, from 0: so many were won.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Duels that may still be lost; with the last one the run is over.
    pub fn lives(&self) -> usize {
        self.lives
    }

    /// The charms that were taken: places in [`RunBook::charms`].
    pub fn charms(&self) -> &[usize] {
        &self.charms
    }

    /// The duels that were played, in their order.
    pub fn fought(&self) -> &[FoughtDuel] {
        &self.fought
    }

    /// Everything that was done.
    pub fn acts(&self) -> &[RunAct] {
        &self.acts
    }

    /// The deck, in the order in which the cards came.
    pub fn deck(&self) -> &[ModelId] {
        &self.deck
    }

    /// The different cards of the deck with their copies, in the order of the game.
    pub fn cards(&self) -> Vec<(ModelId, usize)> {
        let mut counts: BTreeMap<ModelId, usize> = BTreeMap::new();
        for card in &self.deck {
            *counts.entry(*card).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// The foe of the duel that is played.
    pub fn foe_now(&self) -> Option<usize> {
        match self.phase {
            RunPhase::Duel { choice } => Some(self.way[self.step][choice]),
            _ => None,
        }
    }

    /// The duel that is to be played, if the run waits for one. The same duel comes each time that it is
    /// asked for.
    pub fn duel(&self) -> Option<RunDuel> {
        let at = self.foe_now()?;
        let (book, step) = (&self.book, &self.book.steps[self.step]);
        let foe = &book.foes[at];
        let charms = self.charms.iter().map(|charm| &book.charms[*charm].twist);
        let twist = charms.fold(step.twist.and(&foe.twist), |sum, charm| sum.and(charm));
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.number().to_le_bytes());
        seed[8..16].copy_from_slice(b"run duel");
        seed[16..24].copy_from_slice(&(self.fought.len() as u64).to_le_bytes());
        seed[24..].copy_from_slice(&(at as u64).to_le_bytes());
        Some(RunDuel {
            game: Arc::new(twist.of_game(&book.game)),
            twist,
            decks: PerSeat([self.deck.clone(), foe.deck.clone()]),
            seed: Seed(seed),
            foe: at,
            level: foe.level.clone().unwrap_or_else(|| step.level.to_owned()),
        })
    }

    /// One line to send to others. It says how far the run has come, and nothing of whom or what it met:
    /// `●` is a duel that was won, `◆` a boss, `○` a duel that was lost.
    pub fn result_line(&self) -> String {
        let mark = |duel: &FoughtDuel| match (duel.won, self.book.foes[duel.foe].is_boss()) {
            (false, _) => '○',
            (true, false) => '●',
            (true, true) => '◆',
        };
        let marks: String = self.fought.iter().map(mark).collect();
        let marks = if marks.is_empty() { "–".to_owned() } else { marks };
        let which = match self.seed {
            RunSeed::Day(_) => self.seed.to_string(),
            RunSeed::Number(number) => format!("#{number}"),
        };
        format!(
            "{}, {} {which}: {marks} {} of {}, {}",
            self.book.game.name,
            self.book.name,
            self.step,
            self.way.len(),
            match self.lives {
                0 => "no life left".to_owned(),
                1 => "1 life left".to_owned(),
                lives => format!("{lives} lives left"),
            }
        )
    }
}

/// Two runs are the same if the same was done in them.
impl PartialEq for Run {
    fn eq(&self, other: &Run) -> bool {
        Arc::ptr_eq(&self.book, &other.book) && self.seed == other.seed && self.acts == other.acts
    }
}

impl Eq for Run {}
