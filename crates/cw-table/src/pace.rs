/// How fast a seat may ask (F201): so many requests a second on average, so many at once.
///
/// Time comes from outside, in milliseconds that never run backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    // Invariant: at most `burst · 1000`; thousandths of a request that may still be made.
    left: u64,
    last: u64,
    per_second: u64,
    burst: u64,
}

impl Pace {
    /// Verbs: 30 a second, 120 at once.
    pub fn of_verbs() -> Pace {
        Pace::new(30, 120)
    }

    /// Flashes (F102): 2 a second.
    pub fn of_flashes() -> Pace {
        Pace::new(2, 2)
    }

    /// So many a second, so many at once.
    pub fn new(per_second: u64, burst: u64) -> Pace {
        Pace {
            left: burst * 1000,
            last: 0,
            per_second,
            burst,
        }
    }

    /// Whether one more request may be made now; if so it counts.
    pub fn allows(&mut self, now: u64) -> bool {
        let gained = now.saturating_sub(self.last).saturating_mul(self.per_second);
        self.last = self.last.max(now);
        self.left = self.left.saturating_add(gained).min(self.burst * 1000);
        let allowed = self.left >= 1000;
        if allowed {
            self.left -= 1000;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seat may do 120 verbs at once, and then thirty a second (F201).
    #[test]
    fn a_burst_is_let_through_then_thirty_a_second() {
        let mut pace = Pace::of_verbs();
        let allowed = |pace: &mut Pace, now| (0..200).filter(|_| pace.allows(now)).count();
        assert_eq!(allowed(&mut pace, 0), 120);
        assert_eq!(allowed(&mut pace, 1000), 30);
        assert_eq!(allowed(&mut pace, 500), 0, "time does not run backwards");
        assert_eq!(allowed(&mut pace, 100_000), 120);
    }
}
