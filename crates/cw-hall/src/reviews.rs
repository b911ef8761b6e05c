//! Reviews of duels that are over. A review takes seconds, so nobody waits for it: the first request begins
//! it, later ones ask whether it is ready. It thinks one choice at a time among the computers of all tables.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use cw_duel::Seat;
use cw_pages::review::{Review, ReviewProgress};

use crate::lock::locked;

/// The reviews of the duel that is behind a door, by seat. Those of an earlier duel are forgotten.
#[derive(Debug, Default)]
pub struct Reviews(Mutex<BTreeMap<(u64, usize), ReviewProgress>>);

impl Reviews {
    /// How far the review of a seat is, if it was begun. `duel` is the first number of the duel's table.
    pub fn of(&self, duel: u64, seat: Seat) -> Option<ReviewProgress> {
        locked(&self.0).get(&(duel, seat.index())).cloned()
    }

    /// Whether nobody has begun it: the caller does.
    pub(crate) fn begin(&self, duel: u64, seat: Seat) -> bool {
        let mut all = locked(&self.0);
        all.retain(|(other, _), _| *other == duel);
        all.insert((duel, seat.index()), ReviewProgress::Running)
            .is_none()
    }

    pub(crate) fn end(&self, duel: u64, seat: Seat, review: Review) {
        if let Some(progress) = locked(&self.0).get_mut(&(duel, seat.index())) {
            *progress = ReviewProgress::Done(Arc::new(review));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_begun_once_for_each_duel_and_seat() {
        let reviews = Reviews::default();
        assert!(reviews.of(1, Seat::One).is_none());
        assert!(reviews.begin(1, Seat::One));
        assert!(!reviews.begin(1, Seat::One));
        assert!(reviews.begin(1, Seat::Two));
        reviews.end(1, Seat::One, Review::default());
        assert!(matches!(reviews.of(1, Seat::One), Some(ReviewProgress::Done(_))));
        assert!(reviews.begin(9, Seat::One), "another duel");
        assert!(reviews.of(1, Seat::One).is_none(), "the earlier one is forgotten");
    }
}
