//! The arena: computers play a deck against others, beside everything else. One run at a time, one answer
//! after the other among the computers of all tables, and on a host that others reach no more than a share of
//! a core for long.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_pages::arena::{ArenaRun, ArenaState};
use cw_sim::PacedPair;

use crate::clock::Moment;
use crate::duels::DuelHall;
use crate::lock::locked;
use crate::quota::Quota;

/// How long computers play before others get their turn.
const AT_ONCE: Duration = Duration::from_millis(40);
/// The longest pause between two answers.
const MOST_PAUSE: Duration = Duration::from_secs(2);

/// The last run of a host, with its number among all.
#[derive(Debug, Default)]
pub struct ArenaBoard(Mutex<(u64, Option<ArenaRun>)>);

impl ArenaBoard {
    /// The last run as it stands now.
    pub fn now(&self) -> Option<ArenaRun> {
        locked(&self.0).1.clone()
    }

    /// Stops the run of a deck.
    pub fn stop(&self, deck: &str) {
        if let Some(run) = locked(&self.0).1.as_mut().filter(|run| run.deck == deck) {
            run.stop();
        }
    }

    /// Forgets the run of a deck that is forgotten.
    pub fn forget(&self, deck: &str) {
        let mut board = locked(&self.0);
        if board.1.as_ref().is_some_and(|run| run.deck == deck) {
            board.1 = None;
        }
    }

    /// Puts a run on the board; nothing if the run of another deck is going on.
    fn begin(&self, run: ArenaRun) -> Option<u64> {
        let mut board = locked(&self.0);
        let is_busy = |last: &ArenaRun| last.state == ArenaState::Running && last.deck != run.deck;
        if board.1.as_ref().is_some_and(is_busy) {
            return None;
        }
        board.0 += 1;
        board.1 = Some(run);
        Some(board.0)
    }

    /// Lets a run that was stopped go on; its new number.
    fn go_on(&self, deck: &str) -> Option<u64> {
        let mut board = locked(&self.0);
        let run = board.1.as_mut()?;
        if run.deck != deck || run.state != ArenaState::Stopped {
            return None;
        }
        run.state = ArenaState::Running;
        board.0 += 1;
        Some(board.0)
    }

    /// Does something with a run, if it is still that of this number and runs.
    fn with<T>(&self, number: u64, act: impl FnOnce(&mut ArenaRun) -> T) -> Option<T> {
        let mut board = locked(&self.0);
        let (now, run) = &mut *board;
        let run = run.as_mut().filter(|run| run.state == ArenaState::Running)?;
        (*now == number).then(|| act(run))
    }
}

impl DuelHall {
    /// Begins a run; false if that of another deck is going on. One of the same deck ends.
    pub fn begin_arena(self: &Arc<DuelHall>, run: ArenaRun) -> bool {
        let begun = self.arena.begin(run);
        if let Some(number) = begun {
            self.tasks.spawn(Arc::clone(self).play_arena(number));
        }
        begun.is_some()
    }

    /// Lets the run of a deck go on that was stopped; false if there is none.
    pub fn go_on_in_arena(self: &Arc<DuelHall>, deck: &str) -> bool {
        let begun = self.arena.go_on(deck);
        if let Some(number) = begun {
            self.tasks.spawn(Arc::clone(self).play_arena(number));
        }
        begun.is_some()
    }

    /// Computers play until the run ends, is stopped, or another one begins.
    async fn play_arena(self: Arc<DuelHall>, number: u64) {
        let quota = Quota::default();
        let mut held: Option<PacedPair> = None;
        loop {
            let wanted = self.arena.with(number, |run| {
                let next = run.next()?;
                Some((Arc::clone(run.plan()), next, run.level))
            });
            let Some((plan, at, level)) = wanted.flatten() else {
                return;
            };
            let permit = self.thinkers.acquire().await;
            let values = self.setting.package.now().values.clone();
            let pair = held.take();
            let played = self.tasks.work(move || {
                let begun = Moment::now();
                let mut pair = pair.unwrap_or_else(|| plan.begin_pair(at));
                loop {
                    if let Some(ends) = plan.go_on(&mut pair, [level; 2], values.as_deref()) {
                        return (None, Some(ends), begun.elapsed());
                    }
                    if begun.elapsed() > AT_ONCE {
                        return (Some(pair), None, begun.elapsed());
                    }
                }
            });
            let played = played.await;
            drop(permit);
            let Ok((pair, ends, spent)) = played else {
                self.arena.with(number, |run| run.state = ArenaState::Broken);
                return;
            };
            held = pair;
            if let Some(ends) = ends {
                self.arena.with(number, |run| run.note(at, ends));
            }
            // On a page of one's own nobody else wants the machine.
            if self.setting.has_friends {
                self.tasks.sleep(quota.spend(spent).min(MOST_PAUSE)).await;
            }
        }
    }
}
