//! What one seat may use up: requests, time, streams, connections, tables. A seat that uses its share up
//! waits; nobody else does.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_lock::Semaphore;
use cw_pages::scene::Trials;

use crate::clock::Moment;
use crate::lock::locked;

/// How much is allowed. The defaults are far above what people at a table do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// From the beginning of a connection, or the end of a request, to the last byte of the next
    /// request's head.
    pub head: Duration,
    /// The same, for connections over which a seat has been asked for already.
    pub idle: Duration,
    /// From the head of a request to the last byte of its body.
    pub body: Duration,
    /// How long a request may be worked on.
    pub work: Duration,
    /// What trying out the options of one question may take; those that are left then are offered untried.
    pub trials: Duration,
    /// What trying out one option may take before its card is named to whoever runs the host.
    pub trial: Duration,
    /// Connections of those who have not shown a seat's secret; one more closes the oldest.
    pub strangers: usize,
    /// Connections of one seat.
    pub connections: usize,
    /// Connections of one seat that follow a table.
    pub streams: usize,
    /// Requests of one seat that wait for each other.
    pub waiting: usize,
    /// Tables that one seat has opened from the shelf, or from a moment of a duel, and that are awake.
    pub opened: usize,
    /// Tables that are awake.
    pub tables: usize,
    /// Bytes of memory, about, that the free tables which are awake may take together.
    pub memory: usize,
    /// Entries of a log that a seat may add without an answer, beside two for each choice.
    pub remarks: usize,
    /// How long a table stays awake that nobody looks at.
    pub unwatched: Duration,
}

impl Default for HostLimits {
    fn default() -> HostLimits {
        HostLimits {
            head: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            body: Duration::from_secs(5),
            work: Duration::from_secs(10),
            trials: Duration::from_millis(400),
            trial: Duration::from_millis(200),
            strangers: 128,
            connections: 24,
            streams: 16,
            waiting: 32,
            opened: 8,
            tables: 256,
            memory: 1 << 30,
            remarks: 64,
            unwatched: Duration::from_secs(30 * 60),
        }
    }
}

impl HostLimits {
    /// Makes something that tries out options, with the time that these limits give for it.
    pub fn timed<T>(&self, make: impl FnOnce(&Trials<'_>) -> T) -> T {
        let begun = Moment::now();
        make(&Trials {
            clock: &|| begun.elapsed(),
            all: self.trials,
            one: self.trial,
        })
    }
}

/// What a seat has used up, at its table and at those that it has opened.
#[derive(Debug)]
pub struct Quota {
    allowance: Mutex<Allowance>,
    budget: Mutex<TimeBudget>,
    /// One piece of work at a time.
    pub turn: Arc<Semaphore>,
    waiting: AtomicUsize,
    streams: AtomicUsize,
    connections: AtomicUsize,
    /// The names of the tables that it has opened, the oldest first.
    opened: Mutex<Vec<String>>,
}

impl Default for Quota {
    fn default() -> Quota {
        Quota {
            allowance: Mutex::default(),
            budget: Mutex::default(),
            turn: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
            streams: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            opened: Mutex::default(),
        }
    }
}

/// What of a quota is counted while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Requests that wait for each other.
    Waiting,
    /// Connections that follow a table.
    Stream,
    /// Connections.
    Connection,
}

/// Counts as long as it lives.
#[derive(Debug)]
pub struct Held(Arc<Quota>, Counted);

impl Quota {
    /// So many more requests; false if there are not so many left.
    pub fn take(&self, requests: f64) -> bool {
        locked(&self.allowance).take(requests)
    }

    /// Whether any time is left.
    pub fn has_time(&self) -> bool {
        locked(&self.budget).has_some()
    }

    /// Notes that so much time was spent; returns how long to wait until something is left again.
    pub fn spend(&self, spent: Duration) -> Duration {
        locked(&self.budget).spend(spent)
    }

    /// One more; `None` if there are so many already.
    pub fn hold(self: &Arc<Quota>, what: Counted, most: usize) -> Option<Held> {
        let held = Held(Arc::clone(self), what);
        let before = self.count(what).fetch_add(1, Ordering::AcqRel);
        (before < most).then_some(held)
    }

    fn count(&self, what: Counted) -> &AtomicUsize {
        match what {
            Counted::Waiting => &self.waiting,
            Counted::Stream => &self.streams,
            Counted::Connection => &self.connections,
        }
    }

    /// It has opened one more table; those that it must give up for that, the oldest first.
    pub(crate) fn opens(&self, table: &str, most: usize) -> Vec<String> {
        let mut opened = locked(&self.opened);
        opened.push(table.to_owned());
        let surplus = opened.len().saturating_sub(most);
        opened.drain(..surplus).collect()
    }

    /// Whether anybody follows.
    pub(crate) fn is_followed(&self) -> bool {
        self.streams.load(Ordering::Acquire) > 0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.count(self.1).fetch_sub(1, Ordering::AcqRel);
    }
}

/// So many requests at once, and so many in a second afterwards.
#[derive(Debug)]
struct Allowance {
    left: f64,
    at: Moment,
}

const BURST: f64 = 1000.0;
const PER_SECOND: f64 = 200.0;

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            left: BURST,
            at: Moment::now(),
        }
    }
}

impl Allowance {
    fn take(&mut self, requests: f64) -> bool {
        let now = Moment::now();
        self.left = (self.left + now.since(self.at).as_secs_f64() * PER_SECOND).min(BURST);
        self.at = now;
        let may = self.left >= requests;
        if may {
            self.left -= requests;
        }
        may
    }
}

/// Time of a core: some at once, and a part of every second afterwards.
#[derive(Debug)]
pub(crate) struct TimeBudget {
    left: f64,
    at: Moment,
}

/// Seconds that may be spent at once.
const SAVED: f64 = 10.0;
/// The part of a core that may be used for long.
const SHARE: f64 = 0.5;

impl Default for TimeBudget {
    fn default() -> TimeBudget {
        TimeBudget {
            left: SAVED,
            at: Moment::now(),
        }
    }
}

impl TimeBudget {
    /// Notes that so much was spent; returns how long to wait until something is left again.
    pub(crate) fn spend(&mut self, spent: Duration) -> Duration {
        self.fill();
        self.left -= spent.as_secs_f64();
        Duration::from_secs_f64((-self.left / SHARE).max(0.0))
    }

    fn has_some(&mut self) -> bool {
        self.fill();
        self.left > 0.0
    }

    fn fill(&mut self) {
        let now = Moment::now();
        self.left = (self.left + now.since(self.at).as_secs_f64() * SHARE).min(SAVED);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_often_must_wait() {
        let quota = Quota::default();
        let granted = (0..5000).take_while(|_| quota.take(1.0)).count();
        assert!((1000..5000).contains(&granted), "{granted}");
        assert!(!quota.take(100.0));
    }

    #[test]
    fn who_spends_too_much_time_must_wait() {
        let mut budget = TimeBudget::default();
        assert_eq!(budget.spend(Duration::from_secs(3)), Duration::ZERO);
        assert!(budget.has_some());
        let wait = budget.spend(Duration::from_secs(8));
        assert!(!budget.has_some());
        assert!(
            wait > Duration::from_secs(1) && wait < Duration::from_secs(3),
            "{wait:?}"
        );
    }

    #[test]
    fn what_is_held_is_given_back() {
        let quota = Arc::new(Quota::default());
        let held: Vec<_> = (0..3).map_while(|_| quota.hold(Counted::Stream, 2)).collect();
        assert_eq!(held.len(), 2);
        drop(held);
        assert!(!quota.is_followed());
        assert!(quota.hold(Counted::Stream, 1).is_some());
    }
}
