//! The hall's clock: how much time has passed, and what time it is.
//!
//! Programs take both from the standard library. A page in a browser has no such clock: whoever runs the hall
//! there says what its clock is, once, before anything is asked of it.

use std::ops::{Add, AddAssign};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

/// What tells the time.
#[derive(Clone, Copy, Debug)]
pub struct HallClock {
    /// Time since some moment that stays the same. It never goes back.
    pub passed: fn() -> Duration,
    /// Time since 1970-01-01 in UTC.
    pub today: fn() -> Duration,
}

static CLOCK: OnceLock<HallClock> = OnceLock::new();

/// The hall takes the time from this clock from now on; false if it had one before.
pub fn set(clock: HallClock) -> bool {
    CLOCK.set(clock).is_ok()
}

fn clock() -> &'static HallClock {
    CLOCK.get_or_init(|| HallClock {
        passed: || {
            static BEGUN: OnceLock<Instant> = OnceLock::new();
            BEGUN.get_or_init(Instant::now).elapsed() + BEFORE
        },
        today: || {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            since.unwrap_or_default()
        },
    })
}

/// There is a time before the first moment, so that tests can go back.
const BEFORE: Duration = Duration::from_hours(24);

/// Seconds since 1970-01-01 in UTC.
pub fn today() -> u64 {
    (clock().today)().as_secs()
}

/// A moment of the hall's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// This moment.
    pub fn now() -> Moment {
        Moment((clock().passed)())
    }

    /// Time since then.
    pub fn elapsed(self) -> Duration {
        Moment::now().since(self)
    }

    /// Time between an earlier moment and this one; none if it was later.
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// So much earlier, where the clock goes back that far.
    #[cfg(test)]
    pub(crate) fn checked_sub(self, time: Duration) -> Option<Moment> {
        self.0.checked_sub(time).map(Moment)
    }
}

impl Add<Duration> for Moment {
    type Output = Moment;

    fn add(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(time))
    }
}

impl AddAssign<Duration> for Moment {
    fn add_assign(&mut self, time: Duration) {
        *self = *self + time;
    }
}
