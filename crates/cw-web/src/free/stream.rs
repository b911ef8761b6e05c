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
use tokio::sync::{broadcast::error::RecvError, mpsc};

use super::Inner;
use super::room::Room;
use super::wire::{Picture, Sent};
use crate::presence::{BEAT, Pulse};
use crate::quota::Held;
use crate::serve::Busy;
use crate::server::locked;
use crate::stream::beat;

type Message = Result<sse::Event, Infallible>;

/// Messages that wait for a reader.
const WAITING: usize = 4;
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);
/// When a browser that lost the table asks again.
const RETRY: Duration = Duration::from_millis(300);

/// The messages of one connection.
pub(super) struct Messages(mpsc::Receiver<Message>);

impl Stream for Messages {
    type Item = Message;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Message>> {
        self.0.poll_recv(context)
    }
}

/// Follows a table with the eyes of one looker.
pub(super) fn follow(
    inner: Arc<Inner>,
    room: Arc<Room>,
    looker: Looker,
    held: (Held, Option<Busy>),
) -> Messages {
    let (sender, receiver) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        if let Looker::Seat(seat) = looker {
            locked(&room.live).came.insert(seat);
            room.hear(looker, Pulse::new());
        }
        run(&inner, &room, looker, &sender).await;
        // Others see that somebody left.
        drop(held);
        room.changed.send_modify(|count| *count += 1);
    });
    Messages(receiver)
}

async fn run(inner: &Arc<Inner>, room: &Arc<Room>, looker: Looker, sender: &mpsc::Sender<Message>) {
    let mut changed = room.changed.subscribe();
    let mut signals = room.signals.subscribe();
    room.changed.send_modify(|count| *count += 1);
    let mut sent = Sent::default();
    // Beats come by the clock, whatever else is sent: a page answers nothing else.
    let mut next_beat = tokio::time::Instant::now() + BEAT;
    loop {
        changed.mark_unchanged();
        if let Some(text) = picture(inner, room, looker, &mut sent)
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
                it = changed.changed() => match it {
                    Ok(()) => break,
                    Err(_) => return,
                },
                () = sender.closed() => return,
                () = tokio::time::sleep_until(next_beat) => {
                    next_beat += BEAT;
                    if !send(sender, beat()).await {
                        return;
                    }
                }
                signal = signals.recv() => match signal {
                    Ok(signal) => {
                        let read = signal.read_by(&locked(&room.live).table, looker);
                        if let Some(value) = read
                            && !send(sender, sse::Event::default().event("signal").data(value.to_string())).await
                        {
                            return;
                        }
                    }
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }
}

fn picture(inner: &Inner, room: &Room, looker: Looker, sent: &mut Sent) -> Option<String> {
    let live = locked(&room.live);
    let there: Vec<bool> = live
        .table
        .state()
        .seat_ids()
        .map(|seat| room.is_there(seat))
        .collect();
    let picture = Picture::of(inner, room, &live, looker, sent, &there);
    drop(live);
    picture.since(sent)
}

async fn send(sender: &mpsc::Sender<Message>, event: sse::Event) -> bool {
    matches!(
        tokio::time::timeout(PATIENCE, sender.send(Ok(event))).await,
        Ok(Ok(()))
    )
}
