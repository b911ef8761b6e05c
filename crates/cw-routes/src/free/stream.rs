//! What is sent to a page: first all that its seat may see, then what changes, and the signals of others.
//!
//! Nothing is queued for a reader but signals, which may be lost: each connection makes what it has not sent from the
//! table as it is when it can take it.

use std::sync::Arc;

use axum::response::sse;
use cw_table::Looker;
use futures_lite::future;

use crate::connection::Busy;
use crate::stream::{RETRY, SeatMessage, SeatMessages, beat, send};
use cw_hall::clock::Moment;
use cw_hall::free::signals::Signal;
use cw_hall::free::wire::{SentPicture, TablePicture};
use cw_hall::free::{FreeHall, FreeRoom};
use cw_hall::lock::locked;
use cw_hall::presence::BEAT;
use cw_hall::quota::Held;

/// Messages that wait for a reader.
const WAITING: usize = 4;

/// Follows a table with the eyes of one looker.
pub(super) fn follow(
    hall: Arc<FreeHall>,
    room: Arc<FreeRoom>,
    looker: Looker,
    held: (Held, Option<Busy>),
) -> SeatMessages {
    let (sender, receiver) = async_channel::bounded(WAITING);
    hall.tasks.clone().spawn(async move {
        if let Looker::Seat(seat) = looker {
            locked(&room.live).came.insert(seat);
        }
        let present = room.presence.come(looker);
        run(&hall, &room, looker, &sender).await;
        // Others see that somebody left.
        drop((held, present));
        room.changed.ring();
    });
    receiver
}

/// Why a follower goes on.
enum Woken {
    Changed,
    ReaderLeft,
    Beat,
    Signal(Signal),
}

async fn run(
    hall: &Arc<FreeHall>,
    room: &Arc<FreeRoom>,
    looker: Looker,
    sender: &async_channel::Sender<SeatMessage>,
) {
    let tasks = &hall.tasks;
    let mut changed = room.changed.listen();
    let mut signals = room.beside.signals.follow();
    room.changed.ring();
    let mut sent = SentPicture::default();
    // Beats come by the clock, whatever else is sent: a page answers nothing else.
    let mut next_beat = Moment::now() + BEAT;
    loop {
        changed.mark_heard();
        if let Some(text) = picture(hall, room, looker, &mut sent)
            && !send(
                tasks,
                sender,
                sse::Event::default().event("view").retry(RETRY).data(text),
            )
            .await
        {
            return;
        }
        loop {
            let table = async {
                changed.rung().await;
                Woken::Changed
            };
            let reader = async {
                sender.closed().await;
                Woken::ReaderLeft
            };
            let beat_due = async {
                tasks.sleep(next_beat.since(Moment::now())).await;
                Woken::Beat
            };
            let others = async { Woken::Signal(signals.next().await) };
            match future::or(future::or(table, reader), future::or(beat_due, others)).await {
                Woken::Changed => break,
                Woken::ReaderLeft => return,
                Woken::Beat => {
                    next_beat += BEAT;
                    if !send(tasks, sender, beat()).await {
                        return;
                    }
                }
                Woken::Signal(signal) => {
                    let read = signal.read_by(&locked(&room.live).table, looker);
                    if let Some(value) = read {
                        let event = sse::Event::default().event("signal").data(value.to_string());
                        if !send(tasks, sender, event).await {
                            return;
                        }
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
