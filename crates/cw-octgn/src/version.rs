use std::fmt;

/// A version: up to four numbers (P20, P52).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Version {
    // Invariant: those from `count` on are 0, so that comparing numbers compares versions.
    numbers: [u32; 4],
    count: u8,
}

impl Version {
    /// Reads `1.2`, `1.2.3` or `1.2.3.4`; also a single number.
    pub fn parse(text: &str) -> Option<Version> {
        let mut version = Version::default();
        for part in text.split('.') {
            let slot = version.numbers.get_mut(usize::from(version.count))?;
            if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            *slot = part.parse().ok().filter(|number| *number <= i32::MAX as u32)?;
            version.count += 1;
        }
        Some(version)
    }

    /// The numbers that were written.
    pub fn parts(&self) -> &[u32] {
        &self.numbers[..usize::from(self.count)]
    }

    /// Whether it is newer, missing numbers counting as 0.
    pub fn is_newer_than(&self, other: &Version) -> bool {
        self.numbers > other.numbers
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, number) in self.parts().iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{number}")?;
        }
        Ok(())
    }
}
