//! Sends what changes on a page: one message for each frame.
//!
//! Nothing is queued for a reader: each connection renders what it has not seen from the table's
//! history when it can take it. A slow one misses nothing and holds nobody up; one that takes
//! nothing for long is dropped, and finds its place again when it comes back.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::response::sse;
use cw_duel::Seat;
use cw_pages::frames::ShownPage;
use futures_core::Stream;
use tokio::sync::mpsc;

use crate::serve::Busy;
use crate::work::work;
use cw_hall::bell::BellListener;
use cw_hall::host::SharedTable;
use cw_hall::presence::{BEAT, Present};
use cw_hall::quota::{Held, HostLimits};

/// Messages that wait for a reader; more are not made until it takes one.
const WAITING: usize = 2;
/// When a browser that lost the table asks again.
const RETRY: Duration = Duration::from_millis(300);
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);

type SeatMessage = Result<sse::Event, Infallible>;

/// The messages of one connection.
pub(crate) struct SeatMessages(mpsc::Receiver<SeatMessage>);

impl Stream for SeatMessages {
    type Item = SeatMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<SeatMessage>> {
        self.0.poll_recv(context)
    }
}

/// One connection of those that follow a table.
#[derive(Debug)]
pub(crate) struct Follower {
    pub cell: Arc<SharedTable>,
    pub seat: Seat,
    pub limits: HostLimits,
    /// The connection is in use, and counts among those of the seat, as long as these live.
    pub _held: (Held, Option<Busy>, Present),
}

/// Follows the table for a page that shows the decision `number`.
pub(crate) fn follow(follower: Follower, number: u64) -> SeatMessages {
    let (sender, receiver) = mpsc::channel(WAITING);
    let changed = follower.cell.changed.listen();
    let coming = follower.cell.presence.changes();
    tokio::spawn(run(follower, number, sender, changed, coming));
    SeatMessages(receiver)
}

async fn run(
    follower: Follower,
    number: u64,
    sender: mpsc::Sender<SeatMessage>,
    mut changed: BellListener,
    mut coming: BellListener,
) {
    let (cell, seat, limits) = (&follower.cell, follower.seat, &follower.limits);
    let quota = &cell.quotas[seat];
    let mut seen = ShownPage::of(number, cell.room().table().is_none());
    // Beats come by the clock, whatever else is sent: a page answers nothing else.
    let mut next_beat = tokio::time::Instant::now() + BEAT;
    loop {
        let (room, mut before, quota_of_job) = (cell.room(), std::mem::take(&mut seen), Arc::clone(quota));
        let presence = cell.presence.of(seat.other());
        let allowed = *limits;
        let made = work(quota, limits, move || {
            let begun = Instant::now();
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
            match tokio::time::timeout(PATIENCE, sender.send(Ok(message))).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
        tokio::time::sleep(pause).await;
        // Until there is news, beats show the page that the table is there, and find out who is not.
        loop {
            tokio::select! {
                () = changed.rung() => match cell.is_asleep() {
                    false => break,
                    true => return,
                },
                () = coming.rung() => break,
                () = sender.closed() => return,
                () = tokio::time::sleep_until(next_beat) => {
                    next_beat += BEAT;
                    match tokio::time::timeout(PATIENCE, sender.send(Ok(beat()))).await {
                        Ok(Ok(())) => {}
                        Ok(Err(_)) | Err(_) => return,
                    }
                    if cell.presence.of(seat.other()) != presence {
                        break;
                    }
                }
            }
        }
    }
}

/// A message without news: the page answers it at `here`. Browsers drop an event whose data is empty.
pub(crate) fn beat() -> sse::Event {
    sse::Event::default().event("beat").data(".")
}
