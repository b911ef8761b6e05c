//! A draft with everything that was done in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_octgn::{CardRef, PoolCard, Ratings};

use crate::{Draft, DraftAct, DraftPacks, DraftPlayer, DraftRefused, pick_of_computer};

/// A draft, the way it came, and the way back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftRecord {
    players: Vec<DraftPlayer>,
    acts: Vec<DraftAct>,
    draft: Draft,
}

/// A line is not of this draft.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the draft cannot be done: {why}")]
pub struct NotThisDraft {
    /// Which, from 1.
    pub line: usize,
    /// Why not.
    pub why: String,
}

/// A pick, looked back at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickReview {
    /// Its round, from 1.
    pub round: usize,
    /// Its number in the round, from 1.
    pub number: usize,
    /// The pack as it lay there.
    pub pack: Vec<PoolCard>,
    /// The place of the card that was taken.
    pub taken: usize,
    /// Who took each card of the pack.
    pub fates: Vec<Option<CardFate>>,
}

/// Who took a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardFate {
    /// Which seat.
    pub seat: usize,
    /// The number of their pick in the round, from 1.
    pub number: usize,
}

/// A copy of a card in a draft: round, opener, place in the pack.
type CopyPlace = (usize, usize, usize);

impl DraftRecord {
    /// A draft begins.
    pub fn new(packs: Arc<DraftPacks>, players: &[DraftPlayer]) -> DraftRecord {
        DraftRecord {
            players: players.to_vec(),
            acts: Vec::new(),
            draft: Draft::new(packs, players),
        }
    }

    /// A sealed game; see [`Draft::sealed`].
    pub fn sealed(packs: Arc<DraftPacks>, players: &[DraftPlayer]) -> DraftRecord {
        DraftRecord {
            players: players.to_vec(),
            acts: Vec::new(),
            draft: Draft::sealed(packs, players),
        }
    }

    /// A draft as [`DraftRecord::write`] wrote it.
    ///
    /// # Errors
    /// If a line cannot be done.
    pub fn read(
        packs: Arc<DraftPacks>,
        players: &[DraftPlayer],
        text: &str,
    ) -> Result<DraftRecord, NotThisDraft> {
        let mut record = DraftRecord::new(packs, players);
        for (number, line) in text.lines().enumerate() {
            let wrong = |why: String| NotThisDraft {
                line: number + 1,
                why,
            };
            let act: DraftAct = line
                .parse()
                .map_err(|()| wrong(format!("“{line}” is nothing that can be done")))?;
            record.act(act).map_err(|why| wrong(why.to_string()))?;
        }
        Ok(record)
    }

    /// Everything that was done, a line each.
    pub fn write(&self) -> String {
        self.acts.iter().map(|act| format!("{act}\n")).collect()
    }

    /// The draft as it stands.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What was done.
    pub fn acts(&self) -> &[DraftAct] {
        &self.acts
    }

    /// Whether this very thing was done: a pick that a network sends a second time is the same pick.
    pub fn has_done(&self, act: DraftAct) -> bool {
        self.acts.contains(&act)
    }

    /// Does something.
    ///
    /// # Errors
    /// As [`Draft::act`]; nothing has changed then.
    pub fn act(&mut self, act: DraftAct) -> Result<(), DraftRefused> {
        self.draft.act(act)?;
        self.acts.push(act);
        Ok(())
    }

    /// What a computer would take for a seat before which a pack lies.
    pub fn computers_pick(
        &self,
        seat: usize,
        ratings: &Ratings,
        most: &dyn Fn(CardRef) -> u32,
    ) -> Option<DraftAct> {
        self.draft.player(seat)?;
        let view = self.draft.view(seat);
        (!view.pack.is_empty()).then(|| DraftAct::Pick {
            seat,
            number: view.number,
            place: pick_of_computer(&view, ratings, most),
        })
    }

    /// Computers pick until only people are waited for. Their picks are written down as those of people: who
    /// reads the record later needs no ratings.
    pub fn run_computers(&mut self, ratings: &Ratings, most: &dyn Fn(CardRef) -> u32) {
        while let Some(seat) = self.draft.computer_to_pick() {
            let act = self.computers_pick(seat, ratings, most);
            // Every pick takes a card away, so this ends.
            if act.is_none_or(|act| self.act(act).is_err()) {
                debug_assert!(false, "a computer's pick is possible");
                return;
            }
        }
    }

    /// The picks of a seat so far, with what became of each card of the packs. It tells what others took: for
    /// afterwards.
    pub fn review(&self, seat: usize) -> Vec<PickReview> {
        let mut draft = Draft::new(Arc::clone(&self.draft.packs), &self.players);
        let mut fates: BTreeMap<CopyPlace, CardFate> = BTreeMap::new();
        let mut own: Vec<(PickReview, Vec<CopyPlace>)> = Vec::new();
        // Picks in the round that is being drafted.
        let (mut round, mut made) = (0, vec![0; draft.seats()]);
        for act in &self.acts {
            if round != draft.round {
                (round, made) = (draft.round, vec![0; draft.seats()]);
            }
            if let DraftAct::Pick { seat: by, place, .. } = *act
                && let Some(pack) = draft.seats[by].waiting.front()
            {
                made[by] += 1;
                let places: Vec<CopyPlace> = pack
                    .cards
                    .iter()
                    .map(|(at, _)| (round, pack.opener, *at))
                    .collect();
                fates.insert(
                    places[place],
                    CardFate {
                        seat: by,
                        number: made[by],
                    },
                );
                if by == seat {
                    let review = PickReview {
                        round,
                        number: made[by],
                        pack: pack.cards.iter().map(|(_, card)| *card).collect(),
                        taken: place,
                        fates: Vec::new(),
                    };
                    own.push((review, places));
                }
            }
            let done = draft.act(*act);
            debug_assert!(done.is_ok(), "it was done before");
        }
        let with_fates = own.into_iter().map(|(mut review, places)| {
            review.fates = places.iter().map(|place| fates.get(place).copied()).collect();
            review
        });
        with_fates.collect()
    }
}
