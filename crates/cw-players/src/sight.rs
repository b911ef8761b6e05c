//! All that a seat sees, as a number.

use std::fmt::{self, Write as _};

use cw_duel::View;

/// A number made of everything in the view and of nothing else: a seed for a player whose choices
/// are the same again where it sees the same, and tell nothing of what it does not see (D50).
pub fn sight(view: &View) -> u64 {
    let mut sight = Sight(0xcbf2_9ce4_8422_2325);
    write!(sight, "{view:?}").expect("a number takes any text");
    sight.0
}

/// FNV-1a.
struct Sight(u64);

impl fmt::Write for Sight {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}
