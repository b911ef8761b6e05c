//! Who is at the table: people see whether the other one is there.
//!
//! An open connection is no proof: where the network is silent, it stays open for minutes. So the host sends
//! each page a beat, and the page answers it; who has not answered for a while is away.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_pages::presence::Presence;

use crate::bell::{Bell, BellListener};
use crate::clock::{self, Moment};
use crate::lock::locked;
use crate::runtime::Tasks;

/// How often a page is sent a beat. It may take the network for lost after three that did not come.
pub const BEAT: Duration = Duration::from_secs(2);
/// A page that has answered beats and answers none for so long has lost the table.
const SILENT: Duration = Duration::from_millis(4500);
/// Who has lost the table for less than this is expected back.
const EXPECTED: Duration = Duration::from_secs(7);

/// When a seat's pages were last heard.
#[derive(Clone, Copy, Debug)]
struct Pulse {
    heard: Moment,
    /// Seconds since 1970-01-01 in UTC.
    clock: u64,
    /// Whether they answer beats: a program that only reads the stream does not.
    answers: bool,
}

impl Pulse {
    /// A page that comes now.
    fn now() -> Pulse {
        Pulse {
            heard: Moment::now(),
            clock: clock::today(),
            answers: false,
        }
    }

    /// A page that answers a beat now.
    fn beat() -> Pulse {
        Pulse {
            answers: true,
            ..Pulse::now()
        }
    }

    /// Whether its pages have stopped answering.
    fn is_silent(&self) -> bool {
        self.answers && self.heard.elapsed() >= SILENT
    }
}

/// The pages that follow a table, by who looks.
#[derive(Debug)]
pub struct Attendance<L> {
    pages: Mutex<BTreeMap<L, SeatPages>>,
    changed: Arc<Bell>,
    tasks: Tasks,
}

/// The pages of one seat. Once somebody came there, there is a pulse.
#[derive(Debug)]
struct SeatPages {
    open: usize,
    pulse: Pulse,
}

impl<L: Copy + Ord> Attendance<L> {
    /// Nobody has come yet. Who does not come back soon is told as away by one of these tasks.
    pub(crate) fn new(tasks: Tasks) -> Attendance<L> {
        Attendance {
            pages: Mutex::default(),
            changed: Arc::default(),
            tasks,
        }
    }

    /// Whether somebody is at the seat.
    pub fn of(&self, seat: L) -> Presence {
        let pages = locked(&self.pages);
        let Some(SeatPages { open, pulse }) = pages.get(&seat) else {
            return Presence::NotYet;
        };
        if *open > 0 && !pulse.is_silent() {
            return Presence::Here;
        }
        if pulse.heard.elapsed() < EXPECTED {
            return Presence::Reconnecting;
        }
        Presence::Away(pulse.clock)
    }

    /// A page of the seat follows the table as long as what comes back lives.
    pub fn come(self: &Arc<Self>, seat: L) -> Present<L>
    where
        L: Send + Sync + 'static,
    {
        let mut pages = locked(&self.pages);
        let pulse = Pulse::now();
        let own = pages.entry(seat).or_insert(SeatPages { open: 0, pulse });
        if own.open == 0 {
            own.pulse = pulse;
        }
        own.open += 1;
        drop(pages);
        self.changed.ring();
        Present {
            attendance: Arc::clone(self),
            seat,
        }
    }

    /// A page of the seat answers a beat.
    pub fn answer_beat(&self, seat: L) {
        let mut pages = locked(&self.pages);
        let pulse = Pulse::beat();
        let before = match pages.get_mut(&seat) {
            Some(own) => Some(std::mem::replace(&mut own.pulse, pulse)),
            None => {
                pages.insert(seat, SeatPages { open: 0, pulse });
                None
            }
        };
        drop(pages);
        if before.is_none_or(|before| before.is_silent()) {
            self.changed.ring();
        }
    }

    /// Tells of everybody who comes and goes.
    pub fn changes(&self) -> BellListener {
        self.changed.listen()
    }

    /// A page of the seat is gone; whether it was the last one.
    fn leave(&self, seat: L) -> bool {
        let mut pages = locked(&self.pages);
        let Some(own) = pages.get_mut(&seat) else {
            return false;
        };
        own.open -= 1;
        // A connection that breaks long after its page fell silent does not make it any newer.
        if own.open == 0 && !own.pulse.is_silent() {
            own.pulse = Pulse::now();
        }
        own.open == 0
    }
}

/// One page that follows a table.
#[derive(Debug)]
pub struct Present<L: Copy + Ord + Send + Sync + 'static> {
    attendance: Arc<Attendance<L>>,
    seat: L,
}

impl<L: Copy + Ord + Send + Sync + 'static> Drop for Present<L> {
    fn drop(&mut self) {
        if !self.attendance.leave(self.seat) {
            return;
        }
        self.attendance.changed.ring();
        // Who does not come back soon is away.
        let (changed, tasks) = (
            Arc::clone(&self.attendance.changed),
            self.attendance.tasks.clone(),
        );
        self.attendance.tasks.spawn(async move {
            tasks.sleep(EXPECTED + Duration::from_millis(50)).await;
            changed.ring();
        });
    }
}

#[cfg(test)]
mod tests {
    use cw_duel::Seat;

    use super::*;

    /// The pulse of a seat as it would be after so much time.
    fn wait(attendance: &Attendance<Seat>, seat: Seat, passed: Duration) {
        let mut pages = locked(&attendance.pages);
        let pulse = &mut pages.get_mut(&seat).unwrap().pulse;
        pulse.heard = pulse.heard.checked_sub(passed).unwrap();
    }

    #[test]
    fn who_leaves_is_expected_back_and_then_away() {
        let attendance = Arc::new(Attendance::new(Tasks::default()));
        assert_eq!(attendance.of(Seat::One), Presence::NotYet);
        let mut told = attendance.changes();
        let pages = [attendance.come(Seat::One), attendance.come(Seat::One)];
        let [first, second] = pages;
        drop(first);
        assert_eq!(attendance.of(Seat::One), Presence::Here, "another page is open");
        assert_eq!(attendance.of(Seat::Two), Presence::NotYet);
        drop(second);
        assert_eq!(attendance.of(Seat::One), Presence::Reconnecting);
        assert!(told.has_rung());
        told.mark_heard();
        wait(&attendance, Seat::One, EXPECTED);
        assert!(matches!(attendance.of(Seat::One), Presence::Away(when) if when > 0));
        let _back = attendance.come(Seat::One);
        assert_eq!(attendance.of(Seat::One), Presence::Here);
        assert!(told.has_rung());
    }

    /// A connection over a silent network stays open: who answers no beat is away all the same, soon enough
    /// for the other one, who looks at every beat, to read it within ten seconds.
    #[test]
    fn who_answers_no_beat_is_away_though_the_connection_is_open() {
        let attendance = Arc::new(Attendance::new(Tasks::default()));
        let page = attendance.come(Seat::One);
        wait(&attendance, Seat::One, Duration::from_secs(60));
        assert_eq!(
            attendance.of(Seat::One),
            Presence::Here,
            "it never answered beats"
        );
        attendance.answer_beat(Seat::One);
        wait(&attendance, Seat::One, BEAT);
        assert_eq!(attendance.of(Seat::One), Presence::Here);
        wait(&attendance, Seat::One, SILENT - BEAT);
        assert_eq!(attendance.of(Seat::One), Presence::Reconnecting);
        wait(&attendance, Seat::One, EXPECTED - SILENT);
        let away = attendance.of(Seat::One);
        assert!(matches!(away, Presence::Away(_)), "{away:?}");
        drop(page);
        assert_eq!(
            attendance.of(Seat::One),
            away,
            "it broke long after it fell silent"
        );
        assert!(
            BEAT * 3 <= Duration::from_secs(6),
            "a page notices within six seconds"
        );
        assert!(EXPECTED + BEAT < Duration::from_secs(10));
        let _back = attendance.come(Seat::One);
        attendance.answer_beat(Seat::One);
        assert_eq!(attendance.of(Seat::One), Presence::Here);
    }
}
