//! Which run it is.

use std::fmt;
use std::str::FromStr;

/// What all chance of a run comes from: a day, so that everybody has the same run on it, or a number.
///
/// ```
/// use cw_run::RunSeed;
///
/// let today: RunSeed = "2026-11-27".parse()?;
/// assert_eq!(today, RunSeed::of_day(20_784));
/// assert_eq!(today.to_string(), "2026-11-27");
/// assert_eq!("77".parse(), Ok(RunSeed::Number(77)));
/// # Ok::<(), cw_run::NoRunSeed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunSeed {
    /// Days since the first of January 1970.
    Day(u32),
    /// Any number.
    Number(u64),
}

/// Days have seeds of their own, which no number that people write down is.
const DAYS: u64 = 0xda75_0000_0000_0000;
/// The last day that has a run: the end of the year 9999.
const LAST_DAY: u32 = 2_932_896;

impl RunSeed {
    /// The run of a day.
    pub fn of_day(day: u32) -> RunSeed {
        RunSeed::Day(day.min(LAST_DAY))
    }

    /// The run of the day on which so many seconds have passed since 1970, in universal time.
    pub fn of_time(seconds: u64) -> RunSeed {
        RunSeed::of_day(u32::try_from(seconds / 86_400).unwrap_or(LAST_DAY))
    }

    /// The number from which everything is drawn.
    pub(crate) fn number(self) -> u64 {
        match self {
            RunSeed::Day(day) => DAYS | u64::from(day),
            RunSeed::Number(number) => number,
        }
    }
}

/// Year, month and day of a day since 1970 (in the calendar of today, for any day).
fn date_of(day: u32) -> (u32, u32, u32) {
    // Years are counted from March on, so that the day that is sometimes there is the last one.
    let day = u64::from(day) + 719_468;
    let (era, in_era) = (day / 146_097, day % 146_097);
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * in_year + 2) / 153;
    let day = in_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year + era * 400 + u64::from(month <= 2);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    (small(year), small(month), small(day))
}

impl fmt::Display for RunSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunSeed::Day(day) => {
                let (year, month, day) = date_of(*day);
                write!(f, "{year:04}-{month:02}-{day:02}")
            }
            RunSeed::Number(number) => number.fmt(f),
        }
    }
}

/// A text says no seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a run has a day as its seed, as 2026-11-27, or a whole number")]
pub struct NoRunSeed;

impl FromStr for RunSeed {
    type Err = NoRunSeed;

    fn from_str(text: &str) -> Result<RunSeed, NoRunSeed> {
        let Some((year, rest)) = text.split_once('-') else {
            return text.parse().map(RunSeed::Number).map_err(|_| NoRunSeed);
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| NoRunSeed);
        let (month, day) = rest.split_once('-').ok_or(NoRunSeed)?;
        let wanted = (number(year)?, number(month)?, number(day)?);
        // A year has 365 or 366 days: the day is one of those around the guess.
        let years = wanted
            .0
            .checked_sub(1970)
            .filter(|years| *years < 8030)
            .ok_or(NoRunSeed)?;
        let first = years * 365 + years / 4 - years / 100;
        let found = (first.saturating_sub(3)..first + 400).find(|day| date_of(*day) == wanted);
        found
            .filter(|day| *day <= LAST_DAY)
            .map(RunSeed::Day)
            .ok_or(NoRunSeed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_read_as_it_is_written() {
        for day in (0..LAST_DAY)
            .step_by(97)
            .chain([0, 58, 59, 11_016, 20_784, LAST_DAY])
        {
            let seed = RunSeed::of_day(day);
            assert_eq!(seed.to_string().parse(), Ok(seed), "{seed}");
        }
        let days = [0, 59, 11_016, LAST_DAY].map(|day| RunSeed::of_day(day).to_string());
        assert_eq!(days, ["1970-01-01", "1970-03-01", "2000-02-29", "9999-12-31"]);
    }

    #[test]
    fn what_is_no_day_is_no_seed() {
        for text in [
            "",
            "x",
            "2026-02-29",
            "2026-13-01",
            "1969-12-31",
            "10000-01-01",
            "2026-11",
            "-1",
        ] {
            assert_eq!(text.parse::<RunSeed>(), Err(NoRunSeed), "{text}");
        }
    }
}
