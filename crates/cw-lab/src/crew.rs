//! Many duels on several threads: each has players of its own and takes the next piece of work; what
//! comes of it is handed over in order, so that nothing depends on who was faster.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::bail;
use cw_bot::BotLimits;
use cw_duel::Game;

use crate::contestant::{Contestant, Seated};
use crate::watch::ProgressWatch;

/// Between two questions whether to go on.
const MOMENT: Duration = Duration::from_millis(50);

/// How many pieces per thread are begun ahead of the first one that was not taken yet. What comes of them is
/// kept until then, a third of a megabyte for each block of pairs, so without a limit one slow piece on a
/// busy machine would fill the memory with all the others. A piece that takes a few times as long as most, or
/// a thread that has to wait for a processor, holds nobody up: the others have this many to play meanwhile.
const AHEAD: u64 = 4;

/// How this machine plays; nothing of it changes what comes out.
#[derive(Clone, Copy)]
pub struct MachineSettings<'a> {
    /// How many duels at the same time; as many as there are processors if left out.
    pub threads: Option<u16>,
    /// What bots are allowed.
    pub limits: BotLimits,
    /// Who looks on.
    pub watch: &'a dyn ProgressWatch,
}

impl<'a> MachineSettings<'a> {
    /// On one thread.
    pub fn alone(watch: &'a dyn ProgressWatch) -> MachineSettings<'a> {
        MachineSettings {
            threads: Some(1),
            limits: BotLimits::default(),
            watch,
        }
    }
}

impl std::fmt::Debug for MachineSettings<'_> {
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
    pub here: MachineSettings<'a>,
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

/// How far the work is, for those who would be too far ahead of it.
#[derive(Debug)]
struct Far {
    /// How many pieces were taken.
    taken: Mutex<u64>,
    /// One more was, or nobody wants more.
    changed: Condvar,
    /// Nobody wants more.
    enough: Arc<AtomicBool>,
}

impl Far {
    /// Waits until a piece is fewer than so many ahead, and tells whether it is wanted. The one that all wait
    /// for never has to.
    fn awaits(&self, at: u64, ahead: u64) -> bool {
        let mut taken = self.taken();
        while at.saturating_sub(*taken) >= ahead && !self.enough.load(Ordering::Relaxed) {
            let waited = self.changed.wait_timeout(taken, MOMENT);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        !self.enough.load(Ordering::Relaxed)
    }

    /// One more was taken.
    fn took(&self) {
        *self.taken() += 1;
        self.changed.notify_all();
    }

    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work when it goes, in whatever way, so that nobody waits for what will not come.
struct EndGuard<'a>(&'a Far);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        // Whoever looks whether it is over, and then waits, does so before this or after it.
        let taken = self.0.taken();
        self.0.enough.store(true, Ordering::Relaxed);
        drop(taken);
        self.0.changed.notify_all();
    }
}

impl Crew<'_> {
    /// Does `number` pieces of work, the first one first, and hands over what comes of each, in order,
    /// until `take` has had enough. Whatever is being played then is given up. No thread is many pieces ahead
    /// of what was taken: memory does not grow with the number of pieces.
    ///
    /// # Errors
    /// If a player cannot be started, `take` fails, who looks on ends it, or a piece that is wanted panics.
    pub fn work<T: Send>(
        &self,
        number: u64,
        play: impl Fn(u64, &mut Seated, &mut Seated) -> T + Sync,
        mut take: impl FnMut(u64, T) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Behaviour> {
        let Crew {
            contestants,
            game,
            here:
                MachineSettings {
                    threads,
                    limits,
                    watch,
                },
            timed,
        } = *self;
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.map_or_else(available, usize::from);
        let ahead = AHEAD.saturating_mul(threads as u64);
        let next = AtomicU64::new(0);
        let far = Far {
            taken: Mutex::new(0),
            changed: Condvar::new(),
            enough: Arc::new(AtomicBool::new(number == 0)),
        };
        let mut behaviour = Behaviour::default();
        std::thread::scope(|scope| {
            let ending = EndGuard(&far);
            let (sender, receiver) = mpsc::channel();
            let mut players = Vec::new();
            for _ in 0..if number == 0 { 0 } else { threads } {
                let sender = sender.clone();
                let (next, far, play) = (&next, &far, &play);
                players.push(scope.spawn(move || {
                    let seated = |at: usize| {
                        let seated = contestants[at].seat(game, limits)?.until(Arc::clone(&far.enough));
                        Ok::<_, anyhow::Error>(if timed { seated.timed() } else { seated })
                    };
                    let (mut one, mut two) = match (seated(0), seated(1)) {
                        (Ok(one), Ok(two)) => (one, two),
                        (Err(error), _) | (_, Err(error)) => {
                            let _ = sender.send(Err(error));
                            return None;
                        }
                    };
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= number || !far.awaits(at, ahead) {
                            break;
                        }
                        // One that panics is told of as well: those before it still count, and it ends the
                        // work only if they did not, as on one thread.
                        let played = AssertUnwindSafe(|| play(at, &mut one, &mut two));
                        let Ok(came) = catch_unwind(played) else {
                            let _ = sender.send(Ok((at, None)));
                            return None;
                        };
                        if sender.send(Ok((at, Some(came)))).is_err() {
                            break;
                        }
                    }
                    Some([one.leave(), two.leave()])
                }));
            }
            drop(sender);
            let mut taken = 0;
            let mut collect = || -> anyhow::Result<()> {
                let mut waiting: BTreeMap<u64, Option<T>> = BTreeMap::new();
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
                        let Some(came) = came else { return Ok(()) };
                        let flow = take(taken, came)?;
                        if flow.is_break() {
                            taken = number;
                            return Ok(());
                        }
                        taken += 1;
                        far.took();
                    }
                    if asked.elapsed() >= MOMENT {
                        asked = Instant::now();
                        watch.goes_on()?;
                    }
                }
                Ok(())
            };
            let collected = collect();
            drop(ending);
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

#[cfg(test)]
mod tests {
    use super::*;

    use cw_players::Level;

    use crate::watch::Nobody;

    fn game() -> Arc<Game> {
        let project = crate::open(None, &cw_load::ReadOptions::default(), &|_| {}).unwrap();
        cw_load::Loaded::of(project).unwrap().game.unwrap()
    }

    fn crew<'a>(
        game: &'a Arc<Game>,
        player: &'a Contestant,
        threads: u16,
        watch: &'a dyn ProgressWatch,
    ) -> Crew<'a> {
        Crew {
            contestants: [player; 2],
            game,
            here: MachineSettings {
                threads: Some(threads),
                ..MachineSettings::alone(watch)
            },
            timed: false,
        }
    }

    fn ahead(threads: u16) -> u64 {
        AHEAD * u64::from(threads)
    }

    /// Waits until so many are begun, and so long that more would be if they could.
    fn until(begun: &AtomicU64, number: u64) -> u64 {
        let began = Instant::now();
        while begun.load(Ordering::SeqCst) < number && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(MOMENT * 3);
        begun.load(Ordering::SeqCst)
    }

    #[test]
    fn nobody_is_far_ahead_of_a_slow_piece() {
        let (game, player) = (game(), Contestant::from(Level::Random));
        for threads in [2, 5] {
            let most = ahead(threads);
            let (begun, mut came) = (AtomicU64::new(0), Vec::new());
            let worked = crew(&game, &player, threads, &Nobody).work(
                most * 20,
                |at, _, _| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    match at {
                        0 | 37 => until(&begun, at + most) - at,
                        _ => most,
                    }
                },
                |at, begun| {
                    came.push((at, begun));
                    Ok(ControlFlow::Continue(()))
                },
            );
            worked.unwrap();
            assert_eq!(came, (0..most * 20).map(|at| (at, most)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nobody_is_far_ahead_of_what_was_taken() {
        let (game, player) = (game(), Contestant::from(Level::Random));
        for threads in [1, 3] {
            let most = ahead(threads);
            let (begun, mut taken) = (AtomicU64::new(0), 0);
            let worked = crew(&game, &player, threads, &Nobody).work(
                most * 20,
                |_, _, _| begun.fetch_add(1, Ordering::SeqCst),
                |at, _| {
                    if at == 0 || at == 37 {
                        assert_eq!(until(&begun, at + most) - at, most);
                    }
                    taken += 1;
                    Ok(ControlFlow::Continue(()))
                },
            );
            worked.unwrap();
            assert_eq!(taken, most * 20);
        }
    }

    #[test]
    fn a_piece_that_panics_ends_the_work_after_those_before_it() {
        let (game, player) = (game(), Contestant::from(Level::Random));
        for threads in [1, 2, 4] {
            let (begun, mut taken) = (AtomicU64::new(0), Vec::new());
            let worked = crew(&game, &player, threads, &Nobody).work(
                100_000,
                |at, _, _| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    if at == 3 && threads > 1 {
                        until(&begun, 6);
                    }
                    assert_ne!(at, 5, "this is meant to be seen");
                },
                |at, ()| {
                    taken.push(at);
                    Ok(ControlFlow::Continue(()))
                },
            );
            let error = worked.unwrap_err().to_string();
            assert!(error.starts_with("a duel made the program fail"), "{error}");
            assert_eq!(taken, [0, 1, 2, 3, 4]);
            let begun = begun.into_inner();
            assert!(begun <= 5 + ahead(threads), "{begun} were begun");
        }
    }

    #[test]
    fn a_piece_that_nobody_wants_may_panic() {
        let (game, player) = (game(), Contestant::from(Level::Random));
        for threads in [1, 2, 4] {
            let begun = AtomicU64::new(0);
            let worked = crew(&game, &player, threads, &Nobody).work(
                100_000,
                |at, _, _| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    if at == 3 && threads > 1 {
                        until(&begun, 6);
                    }
                    assert_ne!(at, 5, "this is meant to be seen");
                },
                |at, ()| match at {
                    4 => Ok(ControlFlow::Break(())),
                    _ => Ok(ControlFlow::Continue(())),
                },
            );
            worked.unwrap();
        }
    }

    /// Has had enough when so many are begun.
    struct Impatient<'a>(&'a AtomicU64, u64);

    impl ProgressWatch for Impatient<'_> {
        fn goes_on(&self) -> anyhow::Result<()> {
            if self.0.load(Ordering::SeqCst) >= self.1 {
                bail!("enough was seen");
            }
            Ok(())
        }
    }

    #[test]
    fn whoever_waits_is_told_of_the_end() {
        let (game, player) = (game(), Contestant::from(Level::Random));
        let most = ahead(2);
        for end in ["take fails", "take panics", "enough was seen", "enough was taken"] {
            let begun = AtomicU64::new(0);
            let seen = Impatient(&begun, if end == "enough was seen" { most } else { u64::MAX });
            let crew = crew(&game, &player, 2, &seen);
            let work = || {
                crew.work(
                    100_000,
                    |at, one, _| {
                        begun.fetch_add(1, Ordering::SeqCst);
                        // What is being played is given up; here it looks whether it is.
                        while end == "enough was seen" && at == 0 && !one.is_over() {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    },
                    |_, ()| {
                        until(&begun, most);
                        match end {
                            "take fails" => bail!(end),
                            "take panics" => panic!("{end}"),
                            _ => Ok(ControlFlow::Break(())),
                        }
                    },
                )
            };
            let came = match catch_unwind(AssertUnwindSafe(work)) {
                Ok(worked) => worked.map_or_else(|error| error.to_string(), |_| "enough was taken".into()),
                Err(_) => "take panics".to_owned(),
            };
            assert_eq!(came, end);
            assert_eq!(begun.into_inner(), most);
        }
    }
}
