//! Who is at the table: people see whether the other one is there.
//!
//! An open connection is no proof: where the network is silent, it stays open for minutes. So the host sends each page a
//! beat, and the page answers it; who has not answered for a while is away.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_duel::{PerSeat, Seat};

use cw_pages::presence::Presence;

use crate::bell::{Bell, BellListener};
use crate::clock::{self, Moment};
use crate::lock::locked;
use crate::runtime::Tasks;

/// How often a page is sent a beat. It may take the network for lost after three that did not come.
pub const BEAT: Duration = Duration::from_secs(2);
/// A page that has answered beats and answers none for so long has lost the table.
pub(crate) const SILENT: Duration = Duration::from_millis(4500);
/// Who has lost the table for less than this is expected back.
const EXPECTED: Duration = Duration::from_secs(7);

/// When a seat's pages were last heard.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    heard: Moment,
    /// Seconds since 1970-01-01 in UTC.
    clock: u64,
    /// Whether they answer beats: a program that only reads the stream does not.
    answers: bool,
}

impl Pulse {
    /// A page that comes now.
    pub fn now() -> Pulse {
        Pulse {
            heard: Moment::now(),
            clock: clock::today(),
            answers: false,
        }
    }

    /// A page that answers a beat now.
    pub fn beat() -> Pulse {
        Pulse {
            answers: true,
            ..Pulse::now()
        }
    }

    /// Whether its pages have stopped answering.
    pub(crate) fn is_silent(&self) -> bool {
        self.answers && self.heard.elapsed() >= SILENT
    }
}

/// The pages that follow a table, by seat.
#[derive(Debug)]
pub struct Attendance {
    pages: PerSeat<AtomicUsize>,
    pulses: Mutex<PerSeat<Option<Pulse>>>,
    changed: Arc<Bell>,
    tasks: Tasks,
}

impl Attendance {
    /// Nobody has come yet. Who does not come back soon is told as away by one of these tasks.
    pub(crate) fn new(tasks: Tasks) -> Attendance {
        Attendance {
            pages: PerSeat::default(),
            pulses: Mutex::default(),
            changed: Arc::default(),
            tasks,
        }
    }

    /// Whether somebody is at the seat.
    pub fn of(&self, seat: Seat) -> Presence {
        let Some(pulse) = locked(&self.pulses)[seat] else {
            return Presence::NotYet;
        };
        if self.pages[seat].load(Ordering::Acquire) > 0 && !pulse.is_silent() {
            return Presence::Here;
        }
        if pulse.heard.elapsed() < EXPECTED {
            return Presence::Reconnecting;
        }
        Presence::Away(pulse.clock)
    }

    /// A page of the seat follows the table as long as what comes back lives.
    pub fn come(self: &Arc<Attendance>, seat: Seat) -> Present {
        if self.pages[seat].fetch_add(1, Ordering::AcqRel) == 0 {
            locked(&self.pulses)[seat] = Some(Pulse::now());
        }
        self.tell();
        Present {
            attendance: Arc::clone(self),
            seat,
        }
    }

    /// A page of the seat answers a beat.
    pub fn answer_beat(&self, seat: Seat) {
        let before = locked(&self.pulses)[seat].replace(Pulse::beat());
        if before.is_none_or(|before| before.is_silent()) {
            self.tell();
        }
    }

    /// Tells of everybody who comes and goes.
    pub fn changes(&self) -> BellListener {
        self.changed.listen()
    }

    fn tell(&self) {
        self.changed.ring();
    }
}

/// One page that follows a table.
#[derive(Debug)]
pub struct Present {
    attendance: Arc<Attendance>,
    seat: Seat,
}

impl Drop for Present {
    fn drop(&mut self) {
        if self.attendance.pages[self.seat].fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let mut pulses = locked(&self.attendance.pulses);
        // A connection that breaks long after its page fell silent does not make it any newer.
        if pulses[self.seat].is_none_or(|pulse| !pulse.is_silent()) {
            pulses[self.seat] = Some(Pulse::now());
        }
        drop(pulses);
        self.attendance.tell();
        // Who does not come back soon is away.
        let (attendance, tasks) = (Arc::clone(&self.attendance), self.attendance.tasks.clone());
        self.attendance.tasks.spawn(async move {
            tasks.sleep(EXPECTED + Duration::from_millis(50)).await;
            attendance.tell();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pulse of a seat as it would be after so much time.
    fn wait(attendance: &Attendance, seat: Seat, passed: Duration) {
        let mut pulses = locked(&attendance.pulses);
        let pulse = pulses[seat].as_mut().unwrap();
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

    /// A connection over a silent network stays open: who answers no beat is away all the same, soon enough for the
    /// other one, who looks at every beat, to read it within ten seconds.
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
