//! Pairs as numbers, for files between machines.

use cw_duel::{DuelOutcome, PerSeat, Seat, StateHash, WinReason};
use cw_program::ModelId;

use crate::play::{Pair, Played, SeatResult};
use crate::tally::{CardCount, CardCounts, CardRow};

/// How the ways in which a duel can end are numbered: the winner's number and three times the reason; 0 is a
/// draw.
const REASONS: [WinReason; 3] = [WinReason::Hp, WinReason::DeckOut, WinReason::Forfeit];

impl Pair {
    /// All of it as numbers but for the choices, which the pair's number gives again.
    pub fn numbers(&self) -> Vec<i64> {
        let mut out = Vec::with_capacity(400);
        out.extend([signed(self.number), signed(self.seed)]);
        for duel in &self.duels {
            duel.write(&mut out);
        }
        out
    }

    /// Reads what [`Pair::numbers`] gave; `None` if these are no such numbers.
    pub fn of_numbers(numbers: &[i64]) -> Option<Pair> {
        let mut numbers = numbers.iter().copied();
        let from = &mut numbers;
        let pair = Pair {
            number: unsigned(from.next()?),
            seed: unsigned(from.next()?),
            duels: [Played::read(from)?, Played::read(from)?],
        };
        from.next().is_none().then_some(pair)
    }
}

/// The digest of pairs, in 32 hexadecimal digits: two machines that played the same have the same.
pub fn digest(pairs: &[Vec<i64>]) -> String {
    let mut hasher = blake3::Hasher::new();
    for numbers in pairs {
        hasher.update(&(numbers.len() as u64).to_le_bytes());
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The same 64 bits, where files know signed numbers only.
fn signed(number: u64) -> i64 {
    i64::from_le_bytes(number.to_le_bytes())
}

fn unsigned(number: i64) -> u64 {
    u64::from_le_bytes(number.to_le_bytes())
}

impl Played {
    fn write(&self, out: &mut Vec<i64>) {
        let outcome = match self.outcome {
            DuelOutcome::Won { winner, reason } => {
                let reason = REASONS.iter().position(|known| *known == reason);
                i64::from(winner.number()) + 3 * signed(reason.unwrap_or(0) as u64)
            }
            DuelOutcome::Drawn => 0,
        };
        out.extend([
            i64::from(self.first.number()),
            i64::from(self.measured.number()),
            outcome,
            i64::from(self.turns),
            i64::from(self.decisions),
            i64::from(self.guarded),
        ]);
        for seat in Seat::BOTH {
            let SeatResult { hp, sp, hand, deck } = self.ends[seat];
            out.extend([hp, sp, hand, deck].map(i64::from));
        }
        for half in self.hash.0.chunks_exact(8) {
            out.push(i64::from_le_bytes(std::array::from_fn(|at| half[at])));
        }
        out.push(signed(self.leads.len() as u64));
        out.extend(self.leads.iter().map(|lead| i64::from(*lead)));
        for seat in Seat::BOTH {
            out.push(signed(self.cards[seat].len() as u64));
            for row in &self.cards[seat] {
                // Most counts are 0: a number says which are not. The last bit is the surprise's.
                let there = |at: &usize| row.counts[*at] != 0;
                let all = 0..row.counts.len();
                let surprise = i64::from(row.surprise != 0) << row.counts.len();
                let bits = all
                    .clone()
                    .filter(there)
                    .fold(surprise, |bits, at| bits | 1 << at);
                out.extend([i64::from(row.model.0), bits]);
                out.extend(all.filter(there).map(|at| i64::from(row.counts[at])));
                out.extend((row.surprise != 0).then_some(i64::from(row.surprise)));
            }
        }
    }

    fn read(from: &mut impl Iterator<Item = i64>) -> Option<Played> {
        let seat = |number: i64| match number {
            1 => Some(Seat::One),
            2 => Some(Seat::Two),
            _ => None,
        };
        let (first, measured) = (seat(from.next()?)?, seat(from.next()?)?);
        let outcome = match from.next()? {
            0 => DuelOutcome::Drawn,
            number @ 1.. => DuelOutcome::Won {
                winner: seat(number % 3)?,
                reason: *REASONS.get(usize::try_from(number / 3).ok()?)?,
            },
            _ => return None,
        };
        let turns = u16::try_from(from.next()?).ok()?;
        let decisions = u32::try_from(from.next()?).ok()?;
        let guarded = u32::try_from(from.next()?).ok()?;
        let mut small = || i32::try_from(from.next()?).ok();
        let mut end = || {
            Some(SeatResult {
                hp: small()?,
                sp: small()?,
                hand: small()?,
                deck: small()?,
            })
        };
        let ends = PerSeat([end()?, end()?]);
        let mut hash = [0; 16];
        for half in hash.chunks_exact_mut(8) {
            half.copy_from_slice(&from.next()?.to_le_bytes());
        }
        let length = |number: i64| usize::try_from(number).ok().filter(|length| *length <= 100_000);
        let mut leads = Vec::new();
        for _ in 0..length(from.next()?)? {
            leads.push(i32::try_from(from.next()?).ok()?);
        }
        let mut cards = PerSeat([Vec::new(), Vec::new()]);
        for seat in Seat::BOTH {
            for _ in 0..length(from.next()?)? {
                let model = ModelId(u16::try_from(from.next()?).ok()?);
                let bits = from.next()?;
                let mut counts = CardCounts::default();
                for (at, count) in counts.iter_mut().enumerate() {
                    if bits >> at & 1 == 1 {
                        *count = i32::try_from(from.next()?).ok()?;
                    }
                }
                let surprise = match bits >> CardCount::ALL.len() {
                    0 => 0,
                    1 => i32::try_from(from.next()?).ok()?,
                    _ => return None,
                };
                cards[seat].push(CardRow {
                    model,
                    counts,
                    surprise,
                });
            }
        }
        Some(Played {
            first,
            measured,
            outcome,
            choices: Vec::new(),
            turns,
            decisions,
            guarded,
            ends,
            leads,
            cards,
            hash: StateHash(hash),
        })
    }
}
