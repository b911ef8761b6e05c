//! What a request knows of the connection over which it came.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cw_hall::clock::Moment;
use cw_hall::lock::locked;
use cw_hall::quota::{Counted, Held, HostLimits, Quota};

/// One connection, as requests over it know it: it stands among the extensions of each.
#[derive(Debug)]
pub struct Connection {
    /// Requests that are worked on, and streams that run.
    busy: AtomicUsize,
    /// When the last request was done.
    since: Mutex<Moment>,
    /// The seat whose secret was shown over it.
    seat: Mutex<Option<Held>>,
    known: AtomicBool,
    /// It came by the way that is open to a network.
    door: Door,
}

/// Who can reach a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// This machine.
    Own,
    /// A network.
    Network,
}

impl Connection {
    /// A connection that came this way, over which nothing has been asked for.
    pub fn new(door: Door) -> Connection {
        Connection {
            door,
            busy: AtomicUsize::new(0),
            since: Mutex::new(Moment::now()),
            seat: Mutex::new(None),
            known: AtomicBool::new(false),
        }
    }

    /// Whether it came by the way that is open to a network.
    pub(crate) fn is_of_network(&self) -> bool {
        self.door == Door::Network
    }

    /// A seat's secret was shown: it is no stranger's any more. False if the seat has too many.
    pub fn shows(&self, quota: &Arc<Quota>, limits: &HostLimits) -> bool {
        let mut seat = locked(&self.seat);
        if seat.is_none() {
            *seat = quota.hold(Counted::Connection, limits.connections);
            self.known.store(seat.is_some(), Ordering::Release);
        }
        seat.is_some()
    }

    /// Whether no seat's secret was shown over it.
    pub fn is_a_strangers(&self) -> bool {
        !self.known.load(Ordering::Acquire)
    }

    /// Something goes on over it as long as what comes back lives.
    pub fn begin(self: &Arc<Connection>) -> Busy {
        self.busy.fetch_add(1, Ordering::AcqRel);
        Busy(Arc::clone(self))
    }

    /// Whether nothing came of it for too long.
    pub fn is_stale(&self, limits: &HostLimits) -> bool {
        let patience = match self.is_a_strangers() {
            true => limits.head,
            false => limits.idle,
        };
        self.busy.load(Ordering::Acquire) == 0 && locked(&self.since).elapsed() > patience
    }
}

/// Tells that something goes on over a connection.
#[derive(Debug)]
pub struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        *locked(&self.0.since) = Moment::now();
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_connection_without_a_request_is_stale_after_a_while() {
        let limits = HostLimits {
            head: Duration::ZERO,
            idle: Duration::from_secs(1000),
            ..HostLimits::default()
        };
        let connection = Arc::new(Connection::new(Door::Own));
        std::thread::sleep(Duration::from_millis(5));
        assert!(connection.is_stale(&limits));
        let busy = connection.begin();
        assert!(!connection.is_stale(&limits), "it is worked on");
        drop(busy);
        assert!(connection.shows(&Arc::new(Quota::default()), &limits));
        assert!(!connection.is_stale(&limits), "a page may be looked at for long");
    }
}
