//! Who is at the table: people see whether the other one is there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use cw_duel::{PerSeat, Seat};
use tokio::sync::watch;

use crate::server::locked;

/// Whether somebody is at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// A page of the seat follows the table.
    Here,
    /// The last one lost it a moment ago.
    Reconnecting,
    /// The last one has left; when, in seconds since 1970.
    Away(u64),
    /// None was there since the table was woken.
    NotYet,
}

/// Who has lost the table for less than this is expected back.
const EXPECTED: Duration = Duration::from_secs(10);

/// The pages that follow a table, by seat.
#[derive(Debug)]
pub(crate) struct Attendance {
    pages: PerSeat<AtomicUsize>,
    left: Mutex<PerSeat<Option<SystemTime>>>,
    changed: watch::Sender<u64>,
}

impl Default for Attendance {
    fn default() -> Attendance {
        Attendance {
            pages: PerSeat::default(),
            left: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }
}

impl Attendance {
    /// Whether somebody is at the seat.
    pub(crate) fn of(&self, seat: Seat) -> Presence {
        if self.pages[seat].load(Ordering::Acquire) > 0 {
            return Presence::Here;
        }
        let Some(left) = locked(&self.left)[seat] else {
            return Presence::NotYet;
        };
        match left.elapsed() {
            Ok(ago) if ago < EXPECTED => Presence::Reconnecting,
            // A clock that was put back tells nothing.
            Ok(_) | Err(_) => Presence::Away(
                left.duration_since(SystemTime::UNIX_EPOCH)
                    .map_or(0, |since| since.as_secs()),
            ),
        }
    }

    /// A page of the seat follows the table as long as what comes back lives.
    pub(crate) fn come(self: &Arc<Attendance>, seat: Seat) -> Present {
        self.pages[seat].fetch_add(1, Ordering::AcqRel);
        self.tell();
        Present {
            attendance: Arc::clone(self),
            seat,
        }
    }

    /// Tells of everybody who comes and goes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn tell(&self) {
        self.changed.send_modify(|times| *times += 1);
    }
}

/// One page that follows a table.
#[derive(Debug)]
pub(crate) struct Present {
    attendance: Arc<Attendance>,
    seat: Seat,
}

impl Drop for Present {
    fn drop(&mut self) {
        locked(&self.attendance.left)[self.seat] = Some(SystemTime::now());
        self.attendance.pages[self.seat].fetch_sub(1, Ordering::AcqRel);
        self.attendance.tell();
        // Who does not come back soon is away.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let attendance = Arc::clone(&self.attendance);
            runtime.spawn(async move {
                tokio::time::sleep(EXPECTED + Duration::from_millis(50)).await;
                attendance.tell();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_is_expected_back_and_then_away() {
        let attendance = Arc::new(Attendance::default());
        assert_eq!(attendance.of(Seat::One), Presence::NotYet);
        let mut told = attendance.changes();
        let pages = [attendance.come(Seat::One), attendance.come(Seat::One)];
        let [first, second] = pages;
        drop(first);
        assert_eq!(attendance.of(Seat::One), Presence::Here, "another page is open");
        assert_eq!(attendance.of(Seat::Two), Presence::NotYet);
        drop(second);
        assert_eq!(attendance.of(Seat::One), Presence::Reconnecting);
        assert!(told.has_changed().unwrap());
        told.mark_unchanged();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(77);
        locked(&attendance.left)[Seat::One] = Some(long_ago);
        assert_eq!(attendance.of(Seat::One), Presence::Away(77));
        let _back = attendance.come(Seat::One);
        assert_eq!(attendance.of(Seat::One), Presence::Here);
        assert!(told.has_changed().unwrap());
    }
}
