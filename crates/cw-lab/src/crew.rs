//! Many duels on several threads: each has players of its own and takes the next piece of work; what
//! comes of it is handed over in order, so that nothing depends on who was faster.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::bail;
use cw_bot::Limits;
use cw_duel::Game;

use crate::contestant::{Contestant, Seated};
use crate::watch::Watch;

/// Between two questions whether to go on.
const MOMENT: Duration = Duration::from_millis(50);

/// How this machine plays; nothing of it changes what comes out.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    /// How many duels at the same time; as many as there are processors if left out.
    pub threads: Option<u16>,
    /// What bots are allowed.
    pub limits: Limits,
    /// Who looks on.
    pub watch: &'a dyn Watch,
}

impl<'a> Here<'a> {
    /// On one thread.
    pub fn alone(watch: &'a dyn Watch) -> Here<'a> {
        Here {
            threads: Some(1),
            limits: Limits::default(),
            watch,
        }
    }
}

impl std::fmt::Debug for Here<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Here");
        shown
            .field("threads", &self.threads)
            .field("limits", &self.limits);
        shown.finish_non_exhaustive()
    }
}

/// Who plays, and how.
#[derive(Clone, Copy, Debug)]
pub struct Crew<'a> {
    /// The players.
    pub contestants: [&'a Contestant; 2],
    /// What they play.
    pub game: &'a Arc<Game>,
    /// How this machine plays.
    pub here: Here<'a>,
    /// Answers are timed.
    pub timed: bool,
}

/// How the players behaved.
#[derive(Debug, Default)]
pub struct Behaviour {
    /// Answers that were none.
    pub faults: [u64; 2],
    /// Microseconds of their answers, if they were wanted.
    pub micros: [Vec<u32>; 2],
}

impl Crew<'_> {
    /// Does `number` pieces of work, the first one first, and hands over what comes of each, in order,
    /// until `take` has had enough. Whatever is being played then is given up.
    ///
    /// # Errors
    /// If a player cannot be started, `take` fails, or who looks on ends it.
    pub fn work<T: Send>(
        &self,
        number: u64,
        play: impl Fn(u64, &mut Seated, &mut Seated) -> T + Sync,
        mut take: impl FnMut(u64, T) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Behaviour> {
        let Crew {
            contestants,
            game,
            here: Here {
                threads,
                limits,
                watch,
            },
            timed,
        } = *self;
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.map_or_else(available, usize::from);
        let (next, enough) = (AtomicU64::new(0), Arc::new(AtomicBool::new(number == 0)));
        let mut behaviour = Behaviour::default();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let mut players = Vec::new();
            for _ in 0..if number == 0 { 0 } else { threads } {
                let sender = sender.clone();
                let (next, enough, play) = (&next, &enough, &play);
                players.push(scope.spawn(move || {
                    let seated = |at: usize| {
                        let seated = contestants[at].seat(game, limits)?.until(Arc::clone(enough));
                        Ok::<_, anyhow::Error>(if timed { seated.timed() } else { seated })
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
                let mut asked = Instant::now();
                loop {
                    let (at, came) = match receiver.recv_timeout(MOMENT) {
                        Ok(came) => came?,
                        Err(RecvTimeoutError::Timeout) => {
                            watch.goes_on()?;
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => break,
                    };
                    waiting.insert(at, came);
                    while let Some(came) = waiting.remove(&taken) {
                        let flow = take(taken, came)?;
                        taken += 1;
                        if flow.is_break() {
                            taken = number;
                            return Ok(());
                        }
                    }
                    if asked.elapsed() >= MOMENT {
                        asked = Instant::now();
                        watch.goes_on()?;
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
