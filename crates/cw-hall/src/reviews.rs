//! Reviews of duels that are over. A review takes seconds, so nobody waits for it: the first request begins it, later
//! ones ask whether it is ready. It thinks one choice at a time among the computers of all tables.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use cw_duel::Seat;
use cw_pages::review::{Review, ReviewProgress, choices_of, judge};
use cw_pages::room::SeatRoom;

use crate::duels::{DuelHall, HostedDuel};
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
    fn begin(&self, duel: u64, seat: Seat) -> bool {
        let mut all = locked(&self.0);
        all.retain(|(other, _), _| *other == duel);
        all.insert((duel, seat.index()), ReviewProgress::Running)
            .is_none()
    }

    fn end(&self, duel: u64, seat: Seat, review: Review) {
        if let Some(progress) = locked(&self.0).get_mut(&(duel, seat.index())) {
            *progress = ReviewProgress::Done(Arc::new(review));
        }
    }
}

impl DuelHall {
    /// Begins to review what a seat chose in the duel that is over, unless that goes on already.
    pub fn begin_review(self: &Arc<DuelHall>, cell: &Arc<HostedDuel>, seat: Seat) {
        let room = cell.room();
        let Some(table) = room.table().filter(|table| table.is_over()) else {
            return;
        };
        let duel = table.first_number();
        if cell.beside.reviews.begin(duel, seat) {
            let review = Arc::clone(self).review(Arc::clone(cell), room, duel, seat);
            self.tasks.spawn(review);
        }
    }

    async fn review(self: Arc<DuelHall>, cell: Arc<HostedDuel>, room: Arc<SeatRoom>, duel: u64, seat: Seat) {
        let mut review = Review::default();
        for step in room
            .table()
            .map(|table| choices_of(table, seat))
            .unwrap_or_default()
        {
            // Those who play go first; a rematch ends it.
            let permit = self.thinkers.acquire().await;
            if cell
                .room()
                .table()
                .is_none_or(|table| table.first_number() != duel)
            {
                return;
            }
            let (hall, room) = (Arc::clone(&self), Arc::clone(&room));
            let judged = self
                .tasks
                .work(move || judge(&hall.setting.package, room.table()?, seat, step));
            review.choices.extend(judged.await.ok().flatten());
            drop(permit);
        }
        cell.beside.reviews.end(duel, seat, review);
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
