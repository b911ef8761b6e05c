//! Sends what changes on a page: one message for each frame.
//!
//! Nothing is queued for a reader: each connection renders what it has not seen from the table's
//! history when it can take it. A slow one misses nothing and holds nobody up; one that takes
//! nothing for long is dropped, and finds its place again when it comes back.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse;
use cw_duel::Seat;
use cw_pages::frames::ShownPage;
use futures_lite::future;

use crate::connection::Busy;
use crate::work::work;
use cw_hall::bell::BellListener;
use cw_hall::clock::Moment;
use cw_hall::duels::HostedDuel;
use cw_hall::presence::{BEAT, Present};
use cw_hall::quota::{Held, HostLimits};
use cw_hall::runtime::Tasks;

/// Messages that wait for a reader; more are not made until it takes one.
const WAITING: usize = 2;
/// When a browser that lost the table asks again.
pub(crate) const RETRY: Duration = Duration::from_millis(300);
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) type SeatMessage = Result<sse::Event, Infallible>;

/// The messages of one connection.
pub(crate) type SeatMessages = async_channel::Receiver<SeatMessage>;

/// One connection of those that follow a table.
#[derive(Debug)]
pub(crate) struct Follower {
    pub tasks: Tasks,
    pub cell: Arc<HostedDuel>,
    pub seat: Seat,
    pub limits: HostLimits,
    /// The connection is in use, and counts among those of the seat, as long as these live.
    pub _held: (Held, Option<Busy>, Present<Seat>),
}

/// Follows the table for a page that shows the decision `number`.
pub(crate) fn follow(follower: Follower, number: u64) -> SeatMessages {
    let (sender, receiver) = async_channel::bounded(WAITING);
    let changed = follower.cell.changed.listen();
    let coming = follower.cell.presence.changes();
    let tasks = follower.tasks.clone();
    tasks.spawn(run(follower, number, sender, changed, coming));
    receiver
}

async fn run(
    follower: Follower,
    number: u64,
    sender: async_channel::Sender<SeatMessage>,
    mut changed: BellListener,
    mut coming: BellListener,
) {
    let (tasks, cell, seat, limits) = (&follower.tasks, &follower.cell, follower.seat, &follower.limits);
    let quota = cell.quota(seat);
    let mut seen = ShownPage::of(number, cell.room().table().is_none());
    // Beats come by the clock, whatever else is sent: a page answers nothing else.
    let mut next_beat = Moment::now() + BEAT;
    loop {
        let (room, mut before, quota_of_job) = (cell.room(), std::mem::take(&mut seen), Arc::clone(quota));
        let presence = cell.presence.of(seat.other());
        let allowed = *limits;
        let made = work(tasks, quota, limits, move || {
            let begun = Moment::now();
            let frames = allowed.timed(|trials| before.frames(&room, seat, presence, trials));
            (frames, before, quota_of_job.spend(begun.elapsed()))
        });
        // Whoever asks for more than there is comes back later.
        let Ok((frames, after, pause)) = made.await else {
            return;
        };
        seen = after;
        for frame in frames {
            let Ok(text) = serde_json::to_string(&frame) else {
                return;
            };
            let message = sse::Event::default()
                .id(frame.number.to_string())
                .retry(RETRY)
                .data(text);
            if !send(tasks, &sender, message).await {
                return;
            }
        }
        tasks.sleep(pause).await;
        // Until there is news, beats show the page that the table is there, and find out who is not.
        loop {
            let table = async {
                changed.rung().await;
                Woken::Changed
            };
            let people = async {
                coming.rung().await;
                Woken::PersonCame
            };
            let reader = async {
                sender.closed().await;
                Woken::ReaderLeft
            };
            let beat_due = async {
                tasks.sleep(next_beat.since(Moment::now())).await;
                Woken::Beat
            };
            match future::or(future::or(reader, table), future::or(people, beat_due)).await {
                Woken::ReaderLeft => return,
                Woken::Changed if cell.is_asleep() => return,
                Woken::Changed | Woken::PersonCame => break,
                Woken::Beat => {
                    next_beat += BEAT;
                    if !send(tasks, &sender, beat()).await {
                        return;
                    }
                    if cell.presence.of(seat.other()) != presence {
                        break;
                    }
                }
            }
        }
    }
}

/// Why a follower goes on.
enum Woken {
    Changed,
    PersonCame,
    ReaderLeft,
    Beat,
}

/// Sends a message; false if nobody reads any more, or not for too long.
pub(crate) async fn send(
    tasks: &Tasks,
    sender: &async_channel::Sender<SeatMessage>,
    event: sse::Event,
) -> bool {
    matches!(tasks.within(PATIENCE, sender.send(Ok(event))).await, Some(Ok(())))
}

/// A message without news: the page answers it at `here`. Browsers drop an event whose data is empty.
pub(crate) fn beat() -> sse::Event {
    sse::Event::default().event("beat").data(".")
}
