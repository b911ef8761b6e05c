//! Drafts at a host: how they are kept, whose seats they have, what everybody's deck is, how their duels
//! ended.

use std::sync::Arc;

use cw_draft::{CubeTooSmall, DraftPacks, DraftPlayer, DraftRecord, MOST_SEATS, PickTimer};
use cw_load::Project;
use cw_octgn::{CardRef, Pool, Ratings, build, deck_of};
use serde::{Deserialize, Serialize};

use crate::decks::{MOST_PACKS, SealedGame, lines_of, rules_of};

/// A draft as it is kept: from these few lines everything follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDraft {
    /// What is drafted.
    pub source: DraftSource,
    /// All packs follow from it, together with the source.
    pub seed: u64,
    /// Who sits where.
    pub seats: Vec<KeptSeat>,
    /// Seconds for a pick, and seconds more for each card of the pack; none if everybody takes their time.
    #[serde(default)]
    pub timer: Option<(u32, u32)>,
    /// Whether nothing goes round: a sealed game, in which everybody keeps the packs that they open.
    #[serde(default)]
    pub sealed: bool,
    /// What was done, as [`DraftRecord::write`] writes it.
    #[serde(default)]
    pub acts: String,
    /// The duels among the drafters.
    #[serde(default)]
    pub duels: Vec<KeptMatch>,
    /// Counts what was kept, so that the newest draft comes first.
    #[serde(default)]
    pub order: u64,
}

/// What is drafted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DraftSource {
    /// Packs, by ids, with how many of each; everybody opens them in this order.
    Packs(Vec<(String, u32)>),
    /// A list of cards that is shuffled into packs.
    Cube {
        /// Its lines; see [`lines_of`].
        cards: String,
        /// Packs a seat.
        rounds: u32,
        /// Cards a pack.
        size: u32,
    },
}

impl Default for DraftSource {
    fn default() -> DraftSource {
        DraftSource::Packs(Vec::new())
    }
}

/// A seat of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSeat {
    /// What they are called.
    pub name: String,
    /// Whether a person sits there, or is invited to.
    #[serde(default)]
    pub is_person: bool,
    /// Whether they have sat down.
    #[serde(default)]
    pub has_come: bool,
    /// In a sealed game whether their deck is built and they wait for the duel.
    #[serde(default)]
    pub is_ready: bool,
}

/// A duel between two drafters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptMatch {
    /// The drafters.
    pub seats: [usize; 2],
    /// The public names of their seats at the duel's table; none where computers have played it out.
    #[serde(default)]
    pub table: Option<[String; 2]>,
    /// Which of the two has won: 0, 1, or 2 for nobody; none while it goes on.
    #[serde(default)]
    pub won: Option<usize>,
}

/// Why there is no such draft.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDraft {
    /// There are no such packs.
    #[error("this game does not have these packs")]
    NoPacks,
    /// Too many or too few.
    #[error("choose from 1 to {0} packs for each seat")]
    Rounds(u32),
    /// Too many or too few seats.
    #[error("a draft has 2 to 8 seats")]
    Seats,
    /// The cube is too small.
    #[error("{0}; take fewer seats or smaller packs")]
    Cube(#[from] CubeTooSmall),
    /// The package has changed, or the text was damaged.
    #[error("the draft does not fit the game as it is now: {0}")]
    Changed(String),
    /// What the package says about its cards.
    #[error("{0}")]
    Figures(String),
}

/// Packs for a seat of a draft; in a sealed game there may be more.
pub const MOST_ROUNDS: u32 = 12;

/// A draft, ready to go on.
#[derive(Clone, Debug)]
pub struct OpenedDraft {
    /// As it is kept.
    pub kept: KeptDraft,
    /// The draft with what was done.
    pub record: DraftRecord,
    /// What computers hold cards to be worth.
    pub ratings: Arc<Ratings>,
}

impl KeptDraft {
    /// The packs, with what is printed on their cards rated.
    fn packs(&self, project: &Project) -> Result<(DraftPacks, Ratings), CannotDraft> {
        let package = &project.package;
        let seats = self.seats.len();
        if !(2..=MOST_SEATS).contains(&seats) {
            return Err(CannotDraft::Seats);
        }
        match &self.source {
            DraftSource::Packs(packs) => {
                let many: u32 = packs
                    .iter()
                    .map(|(_, count)| count)
                    .fold(0, |sum, one| sum.saturating_add(*one));
                let most = if self.sealed { MOST_PACKS } else { MOST_ROUNDS };
                if !(1..=most).contains(&many) {
                    return Err(CannotDraft::Rounds(most));
                }
                let boosters = SealedGame {
                    packs: packs.clone(),
                    seed: self.seed,
                }
                .boosters(package);
                if boosters.is_empty() {
                    return Err(CannotDraft::NoPacks);
                }
                let ratings = Ratings::new(package, &boosters, None);
                Ok((DraftPacks::of_boosters(&boosters, seats, self.seed), ratings))
            }
            DraftSource::Cube { cards, rounds, size } => {
                if !(1..=MOST_ROUNDS).contains(rounds) {
                    return Err(CannotDraft::Rounds(MOST_ROUNDS));
                }
                let (lines, _) = lines_of(package, cards);
                let cube: Vec<CardRef> = lines
                    .iter()
                    .flat_map(|line| std::iter::repeat_n(line.card.card, line.count as usize))
                    .collect();
                let packs = DraftPacks::of_cube(&cube, seats, *rounds as usize, *size as usize, self.seed)?;
                Ok((packs, Ratings::of_cards(package, &cube, None)))
            }
        }
    }

    fn players(&self) -> Vec<DraftPlayer> {
        let player = |seat: &KeptSeat| match seat.is_person {
            true => DraftPlayer::Person,
            false => DraftPlayer::Computer,
        };
        self.seats.iter().map(player).collect()
    }

    /// The draft as it stands.
    ///
    /// # Errors
    /// If there is no such draft in this game.
    pub fn open(self, project: &Project) -> Result<OpenedDraft, CannotDraft> {
        let (packs, printed) = self.packs(project)?;
        let (packs, players) = (Arc::new(packs), self.players());
        let record = match self.sealed {
            true => DraftRecord::sealed(packs, &players),
            false => DraftRecord::read(packs, &players, &self.acts)
                .map_err(|fault| CannotDraft::Changed(fault.to_string()))?,
        };
        let ratings = project.draft_ratings(printed).map_err(CannotDraft::Figures)?;
        Ok(OpenedDraft {
            kept: self,
            record,
            ratings: Arc::new(ratings),
        })
    }

    /// The packs that everybody of a sealed game opens.
    pub fn sealed_game(&self) -> Option<SealedGame> {
        match &self.source {
            DraftSource::Packs(packs) if self.sealed => Some(SealedGame {
                packs: packs.clone(),
                seed: self.seed,
            }),
            DraftSource::Packs(_) | DraftSource::Cube { .. } => None,
        }
    }

    /// The duel that waits for its end, of those of a seat.
    pub fn open_duel(&self, seat: usize) -> Option<&KeptMatch> {
        let mut duels = self.duels.iter().rev();
        duels.find(|duel| duel.won.is_none() && duel.table.is_some() && duel.seats.contains(&seat))
    }

    /// How long a pick may take.
    pub fn pick_timer(&self) -> Option<PickTimer> {
        self.timer.map(|(base, per_card)| PickTimer { base, per_card })
    }

    /// The seat of whoever has opened it: the first of a person.
    pub fn owner(&self) -> usize {
        self.seats.iter().position(|seat| seat.is_person).unwrap_or(0)
    }

    /// How often a seat has won, lost and played without a winner, among the duels that are over.
    pub fn score(&self, seat: usize) -> [usize; 3] {
        let mut score = [0; 3];
        for duel in &self.duels {
            let (Some(own), Some(won)) = (duel.seats.iter().position(|one| *one == seat), duel.won) else {
                continue;
            };
            score[match won {
                2 => 2,
                won if won == own => 0,
                _ => 1,
            }] += 1;
        }
        score
    }

    /// The duel between two seats, if there was one.
    pub fn duel_of(&self, one: usize, other: usize) -> Option<&KeptMatch> {
        let mut duels = self.duels.iter().rev();
        duels.find(|duel| duel.seats == [one, other] || duel.seats == [other, one])
    }
}

impl OpenedDraft {
    /// Computers pick, and what was done is written down.
    pub fn settle(&mut self, most: &dyn Fn(CardRef) -> u32) {
        self.record.run_computers(&self.ratings, most);
        self.kept.acts = self.record.write();
    }

    /// The deck that a computer makes of what a seat has taken.
    pub fn suggested(&self, project: &Project, seat: usize) -> Vec<(CardRef, u32)> {
        suggested(project, self.record.draft().pool(seat), &self.ratings)
    }

    /// The deck of a seat that has built none, with its name.
    pub fn deck(&self, project: &Project, seat: usize) -> cw_octgn::Deck {
        deck_of(
            &project.package,
            &self.kept.seats[seat].name,
            &self.suggested(project, seat),
        )
    }
}

/// The deck of the best rated cards of a pool, by the rules of limited play.
pub fn suggested(project: &Project, pool: &Pool, ratings: &Ratings) -> Vec<(CardRef, u32)> {
    match rules_of(project, Some(pool)) {
        None => build(pool, ratings, None, &|_| u32::MAX),
        Some(rules) => build(pool, ratings, Some(*rules.size.start()), &|card| {
            rules.copies_of(card)
        }),
    }
}
