//! Dice, coins, numbers, sealed values (F110, F111).

use std::sync::Arc;

use super::{VerbAct, VerbResult};
use crate::state::plain;
use crate::{TableSeat, VerbRefusal};

impl VerbAct<'_> {
    /// Rolls dice, adds a number, and tells each result and the sum (F110).
    pub(crate) fn roll(&mut self, dice: u32, sides: u32, add: i64) -> VerbResult {
        let limits = self.kit.limits;
        if dice == 0 || sides == 0 {
            return Err(VerbRefusal::Impossible("a roll without dice"));
        }
        if dice > limits.dice || sides > limits.sides {
            return Err(VerbRefusal::Limit("dice"));
        }
        let rolled: Vec<i64> = (0..dice)
            .map(|_| i64::from(self.s.chance.below(sides, &[])) + 1)
            .collect();
        let sum = rolled.iter().sum::<i64>().saturating_add(add);
        let each: Vec<String> = rolled.iter().map(ToString::to_string).collect();
        let added = if add == 0 {
            String::new()
        } else {
            format!("{add:+}")
        };
        let mut words = format!("rolls {dice}d{sides}{added}: {}", each.join(" + "));
        if add != 0 {
            let sign = if add < 0 { '-' } else { '+' };
            words.push_str(&format!(" {sign} {}", add.unsigned_abs()));
        }
        if dice > 1 || add != 0 {
            words.push_str(&format!(" = {sum}"));
        }
        let words = self.by(&words);
        self.tell("roll", words);
        Ok(())
    }

    /// Flips coins and tells the side of each (F110).
    pub(crate) fn coin(&mut self, count: u32) -> VerbResult {
        if count == 0 || count > self.kit.limits.dice {
            return Err(VerbRefusal::Limit("coins"));
        }
        let sides: Vec<&str> = (0..count)
            .map(|_| {
                if self.s.chance.below(2, &[]) == 0 {
                    "heads"
                } else {
                    "tails"
                }
            })
            .collect();
        let coins = if count == 1 {
            "a coin".to_owned()
        } else {
            format!("{count} coins")
        };
        let words = self.by(&format!("flips {coins}: {}", sides.join(", ")));
        self.tell("roll", words);
        Ok(())
    }

    /// F110: bounds inclusive.
    pub(crate) fn number(&mut self, from: i64, to: i64) -> VerbResult {
        if from > to {
            return Err(VerbRefusal::Impossible("a number between these"));
        }
        let span = to.abs_diff(from);
        let drawn = self.up_to(span);
        let number = from.wrapping_add_unsigned(drawn);
        let words = self.by(&format!("draws a number from {from} to {to}: {number}"));
        self.tell("roll", words);
        Ok(())
    }

    /// A number up to and with `most`, each equally likely.
    fn up_to(&mut self, most: u64) -> u64 {
        if let Ok(bound) = u32::try_from(most.saturating_add(1)) {
            return u64::from(self.s.chance.below(bound, &[]));
        }
        let mask = u64::MAX >> most.leading_zeros();
        loop {
            let drawn = self.bits() & mask;
            if drawn <= most {
                return drawn;
            }
        }
    }

    /// 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        (0..4).fold(0, |bits, _| {
            (bits << 16) | u64::from(self.s.chance.below(1 << 16, &[]))
        })
    }

    /// F110: who begins, who is next.
    pub(crate) fn order(&mut self) -> VerbResult {
        let mut seats: Vec<TableSeat> = self.s.seat_ids().collect();
        self.s.chance.shuffle(&mut seats);
        let names: Vec<&str> = seats.iter().map(|seat| &*self.s.seat(*seat).name).collect();
        let words = self.by(&format!("draws an order: {}", names.join(", ")));
        self.tell("roll", words);
        Ok(())
    }

    /// Keeps a text that nobody else sees until it is opened (F111).
    pub(crate) fn seal(&mut self, text: &str) -> VerbResult {
        if self.s.seat(self.seat).sealed.is_some() {
            return Err(VerbRefusal::SealedAlready);
        }
        if text.chars().count() > self.kit.limits.chat {
            return Err(VerbRefusal::Limit("characters"));
        }
        let text = plain(text, self.kit.limits.chat, "nothing");
        self.s.seat_mut(self.seat).sealed = Some(Arc::from(text));
        let words = self.by("seals a value");
        self.tell("seal", words);
        if self.s.seats.iter().any(|seat| seat.opens) {
            self.open_if_complete();
        }
        Ok(())
    }

    /// Opens what the seat has sealed (F111).
    pub(crate) fn open(&mut self) -> VerbResult {
        let me = self.seat;
        self.open_of(me)
    }

    fn open_of(&mut self, seat: TableSeat) -> VerbResult {
        let sealed = self
            .s
            .seat_mut(seat)
            .sealed
            .take()
            .ok_or(VerbRefusal::NothingSealed)?;
        self.s.seat_mut(seat).opens = false;
        self.is_final = true;
        let words = crate::event::SentenceWords::by(&self.s, seat, &format!("had sealed “{sealed}”"));
        self.tell("seal", words);
        Ok(())
    }

    /// F111: waits until all who are there have sealed something.
    pub(crate) fn open_all(&mut self) -> VerbResult {
        if self.s.seat(self.seat).sealed.is_none() {
            return Err(VerbRefusal::NothingSealed);
        }
        self.s.seat_mut(self.seat).opens = true;
        let words = self.by("wants all sealed values to be opened");
        self.tell("seal", words);
        self.open_if_complete();
        Ok(())
    }

    fn open_if_complete(&mut self) {
        let waits = self
            .s
            .seats
            .iter()
            .any(|seat| seat.present && !seat.conceded && seat.sealed.is_none());
        if waits {
            return;
        }
        for seat in self.s.seat_ids() {
            // Who is away may have sealed nothing.
            let _ = self.open_of(seat);
        }
    }
}
