//! Many duels on several threads: each has players of its own and takes the next piece of work; what
//! comes of it is handed over in order, so that nothing depends on who was faster.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::bail;
use cw_bot::Limits;
use cw_duel::Game;
use indicatif::{ProgressBar, ProgressStyle};

use crate::contestant::{Contestant, Seated};

/// Who plays, on how many threads.
pub(crate) struct Crew<'a> {
    pub contestants: [&'a Contestant; 2],
    pub game: &'a Arc<Game>,
    pub limits: Limits,
    pub threads: Option<u16>,
    /// Answers are timed.
    pub timed: bool,
}

/// How the players behaved.
#[derive(Debug, Default)]
pub(crate) struct Behaviour {
    pub faults: [u64; 2],
    /// Microseconds of their answers, if they were wanted.
    pub micros: [Vec<u32>; 2],
}

impl Crew<'_> {
    /// Does `number` pieces of work, the first one first, and hands over what comes of each, in order,
    /// until `take` has had enough.
    pub(crate) fn work<T: Send>(
        &self,
        number: u64,
        play: impl Fn(u64, &mut Seated, &mut Seated) -> T + Sync,
        mut take: impl FnMut(u64, T) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Behaviour> {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(available, usize::from);
        let (next, enough) = (AtomicU64::new(0), AtomicBool::new(number == 0));
        let mut behaviour = Behaviour::default();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let mut players = Vec::new();
            for _ in 0..if number == 0 { 0 } else { threads } {
                let sender = sender.clone();
                let (next, enough, play) = (&next, &enough, &play);
                players.push(scope.spawn(move || {
                    let seated = |at: usize| {
                        let seated = self.contestants[at].seat(self.game, self.limits)?;
                        Ok::<_, anyhow::Error>(if self.timed { seated.timed() } else { seated })
                    };
                    let (mut one, mut two) = match (seated(0), seated(1)) {
                        (Ok(one), Ok(two)) => (one, two),
                        (Err(error), _) | (_, Err(error)) => {
                            let _ = sender.send(Err(error));
                            return None;
                        }
                    };
                    while !enough.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= number {
                            break;
                        }
                        let came = play(at, &mut one, &mut two);
                        if sender.send(Ok((at, came))).is_err() {
                            break;
                        }
                    }
                    Some([one.leave(), two.leave()])
                }));
            }
            drop(sender);
            let mut taken = 0;
            let mut collect = || -> anyhow::Result<()> {
                let mut waiting: BTreeMap<u64, T> = BTreeMap::new();
                for came in &receiver {
                    let (at, came) = came?;
                    waiting.insert(at, came);
                    while let Some(came) = waiting.remove(&taken) {
                        let flow = take(taken, came)?;
                        taken += 1;
                        if flow.is_break() {
                            taken = number;
                            return Ok(());
                        }
                    }
                }
                Ok(())
            };
            let collected = collect();
            enough.store(true, Ordering::Relaxed);
            for left in players
                .into_iter()
                .filter_map(|player| player.join().ok().flatten())
            {
                for (at, (made, took)) in left.into_iter().enumerate() {
                    behaviour.faults[at] += made;
                    behaviour.micros[at].extend(took);
                }
            }
            collected?;
            if taken < number {
                bail!("a duel made the program fail (above): this is a mistake in Cardwright");
            }
            Ok(())
        })?;
        Ok(behaviour)
    }
}

/// How far it is, on standard error where that is a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    began: Instant,
}

impl Bar {
    pub(crate) fn new(most: u64) -> Bar {
        let style =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {per_sec}, {eta} left; {msg}");
        let bar = ProgressBar::new(most);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar {
            bar,
            began: Instant::now(),
        }
    }

    /// So many are done; `message` says what came of them.
    pub(crate) fn show(&self, done: u64, message: impl FnOnce() -> String) {
        // Only what takes longer than a moment shows a bar.
        if self.began.elapsed() < Duration::from_millis(300) || self.bar.is_hidden() {
            return;
        }
        self.bar.set_message(message());
        self.bar.set_position(done);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
