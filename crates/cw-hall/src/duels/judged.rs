//! Duels that are over are reviewed, one choice at a time among the computers of all tables.

use cw_pages::review::{Review, choices_of, judge};

use super::*;

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
                .work(move || judge(&hall.setting.package.now(), room.table()?, seat, step));
            review.choices.extend(judged.await.ok().flatten());
            drop(permit);
        }
        cell.beside.reviews.end(duel, seat, review);
    }
}
