//! What changes on a page: one message for each step, with the regions that differ.
//!
//! Nothing is queued for a reader: each connection renders what it has not seen from the table's
//! history when it can take it. A slow one misses nothing and holds nobody up; one that takes
//! nothing for long is dropped, and finds its place again when it comes back.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::response::sse;
use cw_duel::Seat;
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::{mpsc, watch};

use crate::effects::{Effect, effects};
use crate::pages;
use crate::scene::Scene;
use crate::server::{Cell, locked};

/// One message.
#[derive(Debug, Serialize)]
struct Frame {
    /// The number of the decision, on the newest step.
    number: u64,
    /// Whether more frames follow at once: this one may be shown shortly.
    more: bool,
    /// Id, parent and element of each region that changed.
    swap: Vec<(String, &'static str, String)>,
    /// Regions that are gone.
    gone: Vec<String>,
    effects: Vec<Effect>,
    aloud: String,
}

/// Steps shown one by one; whoever was away longer sees only the last ones.
const SHOWN: usize = 16;
/// Messages that wait for a reader; more are not made until it takes one.
const WAITING: usize = 2;
/// When a browser that lost the table asks again.
const RETRY: Duration = Duration::from_millis(300);
/// A reader that takes nothing for so long is dropped.
const PATIENCE: Duration = Duration::from_secs(30);

type Message = Result<sse::Event, Infallible>;

/// The messages of one connection.
pub(crate) struct Messages(mpsc::Receiver<Message>);

impl Stream for Messages {
    type Item = Message;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Message>> {
        self.0.poll_recv(context)
    }
}

/// One connection of those that a table may have.
#[derive(Debug)]
pub(crate) struct Follower(Arc<Cell>);

/// Connections that may follow a table at once.
const FOLLOWERS: usize = 32;

impl Follower {
    /// `None` if there are too many.
    pub(crate) fn new(cell: &Arc<Cell>) -> Option<Follower> {
        let follower = Follower(Arc::clone(cell));
        let before = cell.followers.fetch_add(1, Ordering::AcqRel);
        (before < FOLLOWERS).then_some(follower)
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.followers.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Follows the table for a seat whose page shows the decision `number`.
pub(crate) fn follow(follower: Follower, seat: Seat, number: u64) -> Messages {
    let (sender, receiver) = mpsc::channel(WAITING);
    let changed = follower.0.changed.subscribe();
    tokio::spawn(run(follower, seat, number, sender, changed));
    Messages(receiver)
}

async fn run(
    follower: Follower,
    seat: Seat,
    number: u64,
    sender: mpsc::Sender<Message>,
    mut changed: watch::Receiver<u64>,
) {
    let cell = &follower.0;
    let mut seen = Seen::default();
    {
        let table = cell.table();
        seen.step = table.steps.len() - 1;
        seen.number = table.number();
        if number == table.number() {
            seen.note(&pages::regions(&Scene::now(&table, seat)));
        } else {
            seen.number = 0;
        }
    }
    loop {
        let frames = cell_frames(cell, seat, &mut seen);
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
        tokio::select! {
            changed = changed.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
    }
}

/// What a connection has shown.
#[derive(Debug, Default)]
struct Seen {
    step: usize,
    number: u64,
    regions: BTreeMap<String, String>,
}

impl Seen {
    fn note(&mut self, regions: &[pages::Region]) {
        self.regions = regions
            .iter()
            .map(|region| (region.id.clone(), region.markup.clone()))
            .collect();
    }

    /// The regions that differ from those shown; notes them as shown.
    fn frame(&mut self, scene: &Scene<'_>, more: bool, with_effects: bool) -> Frame {
        let regions = pages::regions(scene);
        let swap = regions
            .iter()
            .filter(|region| self.regions.get(&region.id) != Some(&region.markup))
            .map(|region| (region.id.clone(), region.parent, region.markup.clone()))
            .collect();
        let stays = |id: &String| regions.iter().any(|region| region.id == *id);
        let gone = self.regions.keys().filter(|id| !stays(id)).cloned().collect();
        self.note(&regions);
        Frame {
            number: scene.table.number(),
            more,
            swap,
            gone,
            effects: if with_effects {
                effects(scene.step, scene.seat)
            } else {
                Vec::new()
            },
            aloud: if with_effects {
                pages::aloud(scene)
            } else {
                String::new()
            },
        }
    }
}

fn cell_frames(cell: &Cell, seat: Seat, seen: &mut Seen) -> Vec<Frame> {
    let begun = Instant::now();
    let frames = frames(cell, seat, seen);
    locked(&cell.budget).spend(begun.elapsed());
    frames
}

fn frames(cell: &Cell, seat: Seat, seen: &mut Seen) -> Vec<Frame> {
    let table = cell.table();
    if table.number() == seen.number {
        return Vec::new();
    }
    let last = table.steps.len() - 1;
    let from = (seen.step + 1).max(last.saturating_sub(SHOWN));
    let fresh = seen.regions.is_empty();
    let mut frames = Vec::new();
    if !fresh {
        for at in from..last {
            frames.push(seen.frame(&Scene::at(&table, seat, at), true, true));
        }
    }
    let moved = last > seen.step && !fresh;
    frames.push(seen.frame(&Scene::now(&table, seat), false, moved));
    seen.step = last;
    seen.number = table.number();
    frames
}
