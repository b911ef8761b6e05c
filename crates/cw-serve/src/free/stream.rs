//! What is sent to a page: first all that its seat may see, then what changes, and the signals of others.
//!
//! Nothing is queued for a reader but signals, which may be lost: each connection makes what it has not sent from the
//! table as it is when it can take it.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse;
use cw_table::Looker;
use futures_core::Stream;
use tokio::sync::mpsc;

use crate::serve::Busy;
use crate::stream::beat;
use cw_hall::free::FreeHall;
use cw_hall::free::room::FreeRoom;
use cw_hall::free::wire::{SentPicture, TablePicture};
use cw_hall::lock::locked;
use cw_hall::presence::{BEAT, Pulse};
use cw_hall::quota::Held;

type FreeMessage = Result<sse::Event, Infallible>;

/// Messages that wait for a reader.
const WAITING: usize = 4;
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);
/// When a browser that lost the table asks again.
const RETRY: Duration = Duration::from_millis(300);

/// The messages of one connection.
pub(super) struct FreeMessages(mpsc::Receiver<FreeMessage>);

impl Stream for FreeMessages {
    type Item = FreeMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<FreeMessage>> {
        self.0.poll_recv(context)
    }
}

/// Follows a table with the eyes of one looker.
pub(super) fn follow(
    hall: Arc<FreeHall>,
    room: Arc<FreeRoom>,
    looker: Looker,
    held: (Held, Option<Busy>),
) -> FreeMessages {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        if let Looker::Seat(seat) = looker {
            locked(&room.live).came.insert(seat);
            room.hear(looker, Pulse::now());
        }
        run(&hall, &room, looker, &sender).await;
        // Others see that somebody left.
        drop(held);
        room.changed.ring();
    });
    FreeMessages(receiver)
}

async fn run(hall: &Arc<FreeHall>, room: &Arc<FreeRoom>, looker: Looker, sender: &mpsc::Sender<FreeMessage>) {
    let mut changed = room.changed.listen();
    let mut signals = room.signals.follow();
    room.changed.ring();
    let mut sent = SentPicture::default();
    // Beats come by the clock, whatever else is sent: a page answers nothing else.
    let mut next_beat = tokio::time::Instant::now() + BEAT;
    loop {
        changed.mark_heard();
        if let Some(text) = picture(hall, room, looker, &mut sent)
            && !send(
                sender,
                sse::Event::default().event("view").retry(RETRY).data(text),
            )
            .await
        {
            return;
        }
        loop {
            tokio::select! {
                biased;
                () = changed.rung() => break,
                () = sender.closed() => return,
                () = tokio::time::sleep_until(next_beat) => {
                    next_beat += BEAT;
                    if !send(sender, beat()).await {
                        return;
                    }
                }
                signal = signals.next() => {
                    let read = signal.read_by(&locked(&room.live).table, looker);
                    if let Some(value) = read
                        && !send(sender, sse::Event::default().event("signal").data(value.to_string())).await
                    {
                        return;
                    }
                }
            }
        }
    }
}

fn picture(hall: &FreeHall, room: &FreeRoom, looker: Looker, sent: &mut SentPicture) -> Option<String> {
    let live = locked(&room.live);
    let there: Vec<bool> = live
        .table
        .state()
        .seat_ids()
        .map(|seat| room.is_there(seat))
        .collect();
    let picture = TablePicture::of(hall, room, &live, looker, sent, &there);
    drop(live);
    picture.since(sent)
}

async fn send(sender: &mpsc::Sender<FreeMessage>, event: sse::Event) -> bool {
    matches!(
        tokio::time::timeout(PATIENCE, sender.send(Ok(event))).await,
        Ok(Ok(()))
    )
}
