//! The packs of a draft, opened before anybody sees them.

use cw_octgn::{Booster, CardRef, OpenedBooster, Opener, PackChance, PoolCard};

/// The packs of all rounds. What lies in them follows from the seed alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DraftPacks {
    /// For each round one pack a seat.
    pub(crate) rounds: Vec<Vec<DraftPack>>,
    pub(crate) seats: usize,
}

/// What a pack of a draft gives: cards that go round, and those that it gives in any number to whoever opens
/// it (P86).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DraftPack {
    /// Cards that go round.
    pub cards: Vec<PoolCard>,
    /// Cards in any number.
    pub unlimited: Vec<PoolCard>,
}

/// A cube has too few cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cube has {there} cards, and the packs need {wanted}")]
pub struct CubeTooSmall {
    /// Cards of the cube.
    pub there: usize,
    /// Cards of all packs.
    pub wanted: usize,
}

impl DraftPacks {
    /// Opens the packs of all rounds (one booster each) for all seats: seat `n` with stream `n` of the seed
    /// (P91), so that a seat's packs do not depend on how many seats there are.
    pub fn of_boosters(boosters: &[Booster], seats: usize, seed: u64) -> DraftPacks {
        let mut chances: Vec<PackChance> = (0..seats as u64)
            .map(|seat| PackChance::stream(seed, seat))
            .collect();
        let rounds = boosters.iter().map(|booster| {
            let mut opener = Opener::new(booster);
            let open = |chance: &mut PackChance| {
                let mut opened = OpenedBooster::default();
                opener.open(chance, &mut opened);
                DraftPack {
                    cards: opened
                        .limited
                        .iter()
                        .map(|drawn| PoolCard::of(booster, *drawn))
                        .collect(),
                    unlimited: opened
                        .unlimited
                        .iter()
                        .map(|drawn| PoolCard::of(booster, *drawn))
                        .collect(),
                }
            };
            chances.iter_mut().map(open).collect()
        });
        DraftPacks {
            rounds: rounds.collect(),
            seats,
        }
    }

    /// The packs of a cube: its cards are shuffled, and each comes into the packs as often as the cube has
    /// it; `size` cards a pack, in every round one pack a seat.
    ///
    /// # Errors
    /// If it has too few cards.
    pub fn of_cube(
        cube: &[CardRef],
        seats: usize,
        rounds: usize,
        size: usize,
        seed: u64,
    ) -> Result<DraftPacks, CubeTooSmall> {
        let wanted = seats.saturating_mul(rounds).saturating_mul(size);
        let mut cards: Vec<PoolCard> = cube.iter().copied().map(PoolCard::plain).collect();
        PackChance::new(seed).shuffle(&mut cards);
        let too_small = CubeTooSmall {
            there: cards.len(),
            wanted,
        };
        let dealt = cards.get(..wanted).filter(|_| wanted > 0).ok_or(too_small)?;
        let mut packs = dealt.chunks(size).map(|cards| DraftPack {
            cards: cards.to_vec(),
            unlimited: Vec::new(),
        });
        Ok(DraftPacks {
            rounds: (0..rounds)
                .map(|_| packs.by_ref().take(seats).collect())
                .collect(),
            seats,
        })
    }

    /// Packs as they are handed in: for each round one a seat.
    pub fn of_rounds(rounds: Vec<Vec<DraftPack>>, seats: usize) -> DraftPacks {
        DraftPacks { rounds, seats }
    }

    /// How many seats take part.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The packs, round by round.
    pub fn rounds(&self) -> &[Vec<DraftPack>] {
        &self.rounds
    }
}

/// How long a pick may take: data for whoever has a clock. A draft without one waits for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PickTimer {
    /// Seconds for any pick.
    pub base: u32,
    /// Seconds more for each card that lies in the pack.
    pub per_card: u32,
}

impl PickTimer {
    /// Seconds for a pick out of so many cards.
    pub fn seconds(self, cards: usize) -> u64 {
        u64::from(self.base) + u64::from(self.per_card) * cards as u64
    }
}
