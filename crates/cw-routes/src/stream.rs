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
use cw_hall::shared::NoticeBoard;

/// When a browser that lost the table asks again.
pub(crate) const RETRY: Duration = Duration::from_millis(300);
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);

/// The messages of one connection.
pub(crate) type SeatMessages = async_channel::Receiver<Result<sse::Event, Infallible>>;

/// Who reads the messages of one connection. Beats come by the clock, whatever else is sent: a page answers
/// nothing else.
pub(crate) struct Reader {
    tasks: Tasks,
    sender: async_channel::Sender<Result<sse::Event, Infallible>>,
    next_beat: Moment,
}

/// Why a follower goes on.
pub(crate) enum Woken<N> {
    News(N),
    ReaderLeft,
    /// A beat was sent.
    Beat,
}

impl Reader {
    /// A reader for whom so many messages wait; more are not made until it takes one.
    pub(crate) fn new(tasks: Tasks, waiting: usize) -> (Reader, SeatMessages) {
        let (sender, receiver) = async_channel::bounded(waiting);
        let next_beat = Moment::now() + BEAT;
        (
            Reader {
                tasks,
                sender,
                next_beat,
            },
            receiver,
        )
    }

    /// Sends a message; false if nobody reads any more, or not for too long.
    pub(crate) async fn send(&self, event: sse::Event) -> bool {
        let sent = self.tasks.within(PATIENCE, self.sender.send(Ok(event)));
        matches!(sent.await, Some(Ok(())))
    }

    /// Waits for news. Until there is some, beats show the page that the table is there, and find out who is
    /// not.
    pub(crate) async fn wait<N>(&mut self, news: impl Future<Output = N>) -> Woken<N> {
        let news = async { Woken::News(news.await) };
        let left = async {
            self.sender.closed().await;
            Woken::ReaderLeft
        };
        let beat_due = async {
            self.tasks.sleep(self.next_beat.since(Moment::now())).await;
            Woken::Beat
        };
        let woken = future::or(left, future::or(news, beat_due)).await;
        if matches!(woken, Woken::Beat) {
            self.next_beat += BEAT;
            // Browsers drop an event whose data is empty.
            if !self.send(sse::Event::default().event("beat").data(".")).await {
                return Woken::ReaderLeft;
            }
        }
        woken
    }
}

/// One connection of those that follow a table.
#[derive(Debug)]
pub(crate) struct Follower {
    pub tasks: Tasks,
    pub table: Arc<HostedDuel>,
    pub seat: Seat,
    pub limits: HostLimits,
    /// What whoever works on the game tells.
    pub notices: Arc<NoticeBoard>,
    /// The connection is in use, and counts among those of the seat, as long as these live.
    pub _held: (Held, Option<Busy>, Present<Seat>),
}

/// Follows the table for a page that shows the decision `number`.
pub(crate) fn follow(follower: Follower, number: u64) -> SeatMessages {
    let (reader, messages) = Reader::new(follower.tasks.clone(), 2);
    // From now on no change is missed, though the task begins later.
    let news = (follower.table.changed.listen(), follower.table.presence.changes());
    follower.tasks.clone().spawn(run(follower, number, reader, news));
    messages
}

async fn run(follower: Follower, number: u64, mut reader: Reader, mut news: (BellListener, BellListener)) {
    let (table, seat, limits) = (&follower.table, follower.seat, &follower.limits);
    let (tasks, quota) = (&follower.tasks, table.quota(seat));
    let mut seen = ShownPage::of(number, table.room().table().is_none());
    loop {
        let (room, mut before, quota_of_job) = (table.room(), std::mem::take(&mut seen), Arc::clone(quota));
        let presence = table.presence.of(seat.other());
        let allowed = *limits;
        before.notice(follower.notices.now());
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
            let message = sse::Event::default().id(frame.number.to_string());
            if !reader.send(message.retry(RETRY).data(text)).await {
                return;
            }
        }
        tasks.sleep(pause).await;
        loop {
            let rung = future::or(news.0.rung(), news.1.rung());
            match reader.wait(rung).await {
                Woken::ReaderLeft => return,
                Woken::News(()) if table.is_asleep() => return,
                Woken::News(()) => break,
                Woken::Beat if table.presence.of(seat.other()) != presence => break,
                Woken::Beat => {}
            }
        }
    }
}
