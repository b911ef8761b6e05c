//! What runs beside requests in a page: one task after the other, in the page's own loop.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use async_executor::Executor;
use cw_hall::clock::Moment;
use cw_hall::lock::locked;
use cw_hall::runtime::{Runtime, RuntimeTask};

/// The tasks, the work and the pauses of a page.
#[derive(Default)]
pub struct PageTasks {
    executor: Executor<'static>,
    jobs: Mutex<VecDeque<Box<dyn FnOnce() + Send>>>,
    pauses: Arc<Mutex<Pauses>>,
}

impl std::fmt::Debug for PageTasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageTasks").finish_non_exhaustive()
    }
}

/// Pauses that are not over, by their ends.
#[derive(Debug, Default)]
struct Pauses {
    next: u64,
    waiting: BTreeMap<(Moment, u64), Waker>,
}

/// What a page does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTurn {
    /// There is more to do at once.
    Now,
    /// Nothing before so much time has passed.
    After(Duration),
    /// Nothing before something is asked for.
    Never,
}

impl PageTasks {
    /// Runs all tasks that can go on, then one piece of work. Work comes last, so that what tasks have to say
    /// is sent before a computer thinks.
    pub fn turn(&self, has_news: impl Fn() -> bool) -> NextTurn {
        self.end_pauses();
        while self.executor.try_tick() {}
        if has_news() {
            return NextTurn::Now;
        }
        let job = locked(&self.jobs).pop_front();
        if let Some(job) = job {
            job();
            return NextTurn::Now;
        }
        match locked(&self.pauses).waiting.keys().next() {
            Some((end, _)) => NextTurn::After(end.since(Moment::now())),
            None => NextTurn::Never,
        }
    }

    fn end_pauses(&self) {
        let mut pauses = locked(&self.pauses);
        let later = pauses.waiting.split_off(&(Moment::now(), u64::MAX));
        let over = std::mem::replace(&mut pauses.waiting, later);
        drop(pauses);
        over.into_values().for_each(Waker::wake);
    }

    /// Runs a task until it ends, or what comes back is dropped.
    pub fn hold(&self, task: RuntimeTask) -> async_executor::Task<()> {
        self.executor.spawn(task)
    }
}

impl Runtime for PageTasks {
    fn spawn(&self, task: RuntimeTask) {
        self.executor.spawn(task).detach();
    }

    fn work(&self, job: Box<dyn FnOnce() + Send>) {
        locked(&self.jobs).push_back(job);
    }

    fn sleep(&self, time: Duration) -> RuntimeTask {
        let mut pauses = locked(&self.pauses);
        pauses.next += 1;
        Box::pin(Pause {
            end: (Moment::now() + time, pauses.next),
            pauses: Arc::clone(&self.pauses),
        })
    }
}

/// A pause of a task.
struct Pause {
    end: (Moment, u64),
    pauses: Arc<Mutex<Pauses>>,
}

impl Future for Pause {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if Moment::now() >= self.end.0 {
            return Poll::Ready(());
        }
        let waker = context.waker().clone();
        locked(&self.pauses).waiting.insert(self.end, waker);
        Poll::Pending
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        locked(&self.pauses).waiting.remove(&self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_come_before_work_and_a_pause_that_is_given_up_wakes_nobody() {
        let tasks = PageTasks::default();
        let said: Arc<Mutex<Vec<&str>>> = Arc::default();
        let say = |words: &'static str| {
            let said = Arc::clone(&said);
            move || locked(&said).push(words)
        };
        tasks.work(Box::new(say("work")));
        let task = say("task");
        tasks.spawn(Box::pin(async move { task() }));
        assert_eq!(tasks.turn(|| false), NextTurn::Now);
        assert_eq!(*locked(&said), ["task", "work"]);
        assert_eq!(tasks.turn(|| false), NextTurn::Never);

        let pause = tasks.sleep(Duration::from_secs(60));
        let held = tasks.hold(pause);
        assert!(matches!(tasks.turn(|| false), NextTurn::After(rest) if rest > Duration::from_secs(50)));
        drop(held);
        tasks.turn(|| false);
        assert_eq!(tasks.turn(|| false), NextTurn::Never);
        let (over, pause) = (say("over"), tasks.sleep(Duration::ZERO));
        tasks.spawn(Box::pin(async move {
            pause.await;
            over();
        }));
        tasks.turn(|| false);
        assert_eq!(locked(&said).last(), Some(&"over"));
    }
}
