//! What is sent to a page: first all that its seat may see, then what changes, and the signals of others.
//!
//! Nothing is queued for a reader but signals, which may be lost: each connection makes what it has not sent
//! from the table as it is when it can take it.

use std::sync::Arc;

use axum::response::sse;
use cw_table::Looker;
use futures_lite::future;

use crate::connection::Busy;
use crate::stream::{RETRY, Reader, SeatMessages, Woken};
use cw_hall::free::wire::{SentPicture, TablePicture};
use cw_hall::free::{FreeHall, FreeRoom};
use cw_hall::lock::locked;
use cw_hall::quota::Held;

/// Follows a table with the eyes of one looker.
pub(super) fn follow(
    hall: Arc<FreeHall>,
    room: Arc<FreeRoom>,
    looker: Looker,
    held: (Held, Option<Busy>),
) -> SeatMessages {
    let (reader, messages) = Reader::new(hall.tasks.clone(), 4);
    hall.tasks.clone().spawn(async move {
        if let Looker::Seat(seat) = looker {
            locked(&room.live).came.insert(seat);
        }
        let present = room.presence.come(looker);
        run(&hall, &room, looker, reader).await;
        // Others see that somebody left.
        drop((held, present));
        room.changed.ring();
    });
    messages
}

async fn run(hall: &Arc<FreeHall>, room: &Arc<FreeRoom>, looker: Looker, mut reader: Reader) {
    let mut changed = room.changed.listen();
    let mut signals = room.beside.signals.follow();
    room.changed.ring();
    let mut sent = SentPicture::default();
    loop {
        changed.mark_heard();
        if let Some(text) = picture(hall, room, looker, &mut sent) {
            let event = sse::Event::default().event("view").retry(RETRY).data(text);
            if !reader.send(event).await {
                return;
            }
        }
        loop {
            let table = async {
                changed.rung().await;
                None
            };
            let others = async { Some(signals.next().await) };
            match reader.wait(future::or(table, others)).await {
                Woken::ReaderLeft => return,
                Woken::News(None) => break,
                Woken::Beat => {}
                Woken::News(Some(signal)) => {
                    let read = signal.read_by(&locked(&room.live).table, looker);
                    if let Some(value) = read {
                        let event = sse::Event::default().event("signal").data(value.to_string());
                        if !reader.send(event).await {
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
