//! Connections: accepted, watched, and closed where nothing comes of them.
//!
//! A connection that has not shown a seat's secret is a stranger's. There is room for so many of them;
//! one more closes the oldest, so that half a request a second from a thousand connections keeps nobody
//! out. Whoever is slow with the head of a request is closed, too: hyper's own time-out does not cover
//! the time before the first byte, so the time is taken here, for all cases in one place.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tower::Service as _;

use cw_hall::lock::locked;
use cw_hall::quota::{Counted, Held, HostLimits, Quota};

/// One connection, as requests over it know it.
#[derive(Debug)]
pub(crate) struct Connection {
    /// Requests that are worked on, and streams that run.
    busy: AtomicUsize,
    /// When the last request was done.
    since: Mutex<Instant>,
    /// The seat whose secret was shown over it.
    seat: Mutex<Option<Held>>,
    known: AtomicBool,
    /// It came by the way that is open to a network.
    door: Door,
    close: Notify,
}

/// Who can reach a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// This machine.
    Own,
    /// A network.
    Network,
}

impl Connection {
    fn new(door: Door) -> Connection {
        Connection {
            door,
            busy: AtomicUsize::new(0),
            since: Mutex::new(Instant::now()),
            seat: Mutex::new(None),
            known: AtomicBool::new(false),
            close: Notify::new(),
        }
    }

    /// Whether it came by the way that is open to a network.
    pub(crate) fn is_of_network(&self) -> bool {
        self.door == Door::Network
    }

    /// A seat's secret was shown: it is no stranger's any more. False if the seat has too many.
    pub(crate) fn shows(&self, quota: &Arc<Quota>, limits: &HostLimits) -> bool {
        let mut seat = locked(&self.seat);
        if seat.is_none() {
            *seat = quota.hold(Counted::Connection, limits.connections);
            self.known.store(seat.is_some(), Ordering::Release);
        }
        seat.is_some()
    }

    /// Something goes on over it as long as what comes back lives.
    pub(crate) fn begin(self: &Arc<Connection>) -> Busy {
        self.busy.fetch_add(1, Ordering::AcqRel);
        Busy(Arc::clone(self))
    }

    /// Whether nothing came of it for too long.
    fn is_stale(&self, limits: &HostLimits) -> bool {
        let patience = match self.known.load(Ordering::Acquire) {
            true => limits.idle,
            false => limits.head,
        };
        self.busy.load(Ordering::Acquire) == 0 && locked(&self.since).elapsed() > patience
    }
}

/// Tells that something goes on over a connection.
#[derive(Debug)]
pub(crate) struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        *locked(&self.0.since) = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// All connections, the oldest first.
#[derive(Debug, Default)]
struct Connections {
    next: u64,
    open: BTreeMap<u64, Arc<Connection>>,
}

impl Connections {
    /// Lets a new one in; closes a stranger's if there are too many.
    fn admit(&mut self, limits: &HostLimits, door: Door) -> (u64, Arc<Connection>) {
        let stranger = |(_, one): &(&u64, &Arc<Connection>)| !one.known.load(Ordering::Acquire);
        let strangers = self.open.iter().filter(stranger).count();
        if strangers >= limits.strangers
            && let Some((number, _)) = self.open.iter().find(stranger)
        {
            let number = *number;
            if let Some(oldest) = self.open.remove(&number) {
                oldest.close.notify_one();
            }
        }
        let connection = Arc::new(Connection::new(door));
        self.next += 1;
        self.open.insert(self.next, Arc::clone(&connection));
        (self.next, connection)
    }
}

/// Serves until the listener fails for good.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: HostLimits, door: Door) {
    let connections = Arc::new(Mutex::new(Connections::default()));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or the other end was gone already: others may do better.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (number, connection) = locked(&connections).admit(&limits, door);
        let (router, connections) = (router.clone(), Arc::clone(&connections));
        tokio::spawn(async move {
            converse(stream, router, &connection, limits).await;
            locked(&connections).open.remove(&number);
        });
    }
}

async fn converse(stream: TcpStream, router: Router, connection: &Arc<Connection>, limits: HostLimits) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let (mut router, busy) = (router.clone(), connection.begin());
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Arc::clone(connection));
        async move {
            let response = router.call(request).await;
            drop(busy);
            response
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head.max(limits.idle));
    let conversation = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(conversation);
    let mut look = tokio::time::interval((limits.head / 4).max(Duration::from_millis(10)));
    loop {
        tokio::select! {
            _ = &mut conversation => return,
            () = connection.close.notified() => return,
            _ = look.tick() => if connection.is_stale(&limits) { return },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many strangers come, there is room for the next; who has shown a seat's secret stays.
    #[test]
    fn strangers_make_room_for_each_other_and_nobody_else() {
        let limits = HostLimits {
            strangers: 3,
            connections: 2,
            ..HostLimits::default()
        };
        let mut all = Connections::default();
        let quota = Arc::new(Quota::default());
        let (known, connection) = all.admit(&limits, Door::Own);
        assert!(connection.shows(&quota, &limits) && connection.shows(&quota, &limits));
        let numbers: Vec<u64> = (0..20).map(|_| all.admit(&limits, Door::Own).0).collect();
        let mut left = vec![known];
        left.extend(&numbers[17..]);
        assert_eq!(all.open.keys().copied().collect::<Vec<_>>(), left);
        // A seat has so many connections, and gets them back when they end.
        let others: Vec<_> = (0..2).map(|_| all.admit(&limits, Door::Own).1).collect();
        assert!(others[0].shows(&quota, &limits) && !others[1].shows(&quota, &limits));
        drop((others, connection));
        all.open.clear();
        assert!(all.admit(&limits, Door::Own).1.shows(&quota, &limits));
    }

    #[test]
    fn a_connection_without_a_request_is_stale_after_a_while() {
        let limits = HostLimits {
            head: Duration::ZERO,
            idle: Duration::from_secs(1000),
            ..HostLimits::default()
        };
        let connection = Arc::new(Connection::new(Door::Own));
        *locked(&connection.since) = Instant::now() - Duration::from_millis(5);
        assert!(connection.is_stale(&limits));
        let busy = connection.begin();
        assert!(!connection.is_stale(&limits), "it is worked on");
        drop(busy);
        assert!(connection.shows(&Arc::new(Quota::default()), &limits));
        assert!(!connection.is_stale(&limits), "a page may be looked at for long");
    }
}
