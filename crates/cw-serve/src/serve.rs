//! Connections: accepted, watched, and closed where nothing comes of them.
//!
//! A connection that has not shown a seat's secret is a stranger's. There is room for so many of them;
//! one more closes the oldest, so that half a request a second from a thousand connections keeps nobody
//! out. Whoever is slow with the head of a request is closed, too: hyper's own time-out does not cover
//! the time before the first byte, so the time is taken here, for all cases in one place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tower::Service as _;

use cw_hall::lock::locked;
use cw_hall::quota::HostLimits;
use cw_routes::connection::{Connection, Door};

/// A connection that is open, and how it is closed.
#[derive(Clone, Debug)]
struct Open {
    connection: Arc<Connection>,
    close: Arc<Notify>,
}

/// All connections, the oldest first.
#[derive(Debug, Default)]
struct Connections {
    next: u64,
    open: BTreeMap<u64, Open>,
}

impl Connections {
    /// Lets a new one in; closes a stranger's if there are too many.
    fn admit(&mut self, limits: &HostLimits, door: Door) -> (u64, Open) {
        let stranger = |(_, one): &(&u64, &Open)| one.connection.is_a_strangers();
        let strangers = self.open.iter().filter(stranger).count();
        if strangers >= limits.strangers
            && let Some((number, _)) = self.open.iter().find(stranger)
        {
            let number = *number;
            if let Some(oldest) = self.open.remove(&number) {
                oldest.close.notify_one();
            }
        }
        let open = Open {
            connection: Arc::new(Connection::new(door)),
            close: Arc::default(),
        };
        self.next += 1;
        self.open.insert(self.next, open.clone());
        (self.next, open)
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
        let (number, open) = locked(&connections).admit(&limits, door);
        let (router, connections) = (router.clone(), Arc::clone(&connections));
        tokio::spawn(async move {
            converse(stream, router, &open, limits).await;
            locked(&connections).open.remove(&number);
        });
    }
}

async fn converse(stream: TcpStream, router: Router, open: &Open, limits: HostLimits) {
    let connection = &open.connection;
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
            () = open.close.notified() => return,
            _ = look.tick() => if connection.is_stale(&limits) { return },
        }
    }
}

#[cfg(test)]
mod tests {
    use cw_hall::quota::Quota;

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
        let connection = connection.connection;
        assert!(connection.shows(&quota, &limits) && connection.shows(&quota, &limits));
        let numbers: Vec<u64> = (0..20).map(|_| all.admit(&limits, Door::Own).0).collect();
        let mut left = vec![known];
        left.extend(&numbers[17..]);
        assert_eq!(all.open.keys().copied().collect::<Vec<_>>(), left);
        // A seat has so many connections, and gets them back when they end.
        let others: Vec<_> = (0..2)
            .map(|_| all.admit(&limits, Door::Own).1.connection)
            .collect();
        assert!(others[0].shows(&quota, &limits) && !others[1].shows(&quota, &limits));
        drop((others, connection));
        all.open.clear();
        assert!(all.admit(&limits, Door::Own).1.connection.shows(&quota, &limits));
    }
}
