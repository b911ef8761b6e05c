//! Chance that nobody at the table could choose (D70).

use cw_duel::Seed;
use serde::{Deserialize, Serialize};

/// What the seed of a duel between people is made of: a secret of the host, to which it was bound before
/// it saw anything else, and a number of each seat's own.
///
/// All are texts of 64 hexadecimal digits. Anybody can check them with a command that computes BLAKE3:
/// the digest of the secret is the [commitment](Agreement::commitment), the digest of the secret and
/// both numbers behind it, without anything between them, is the seed.
///
/// ```
/// use cw_wire::Agreement;
/// let made = Agreement { secret: "5".repeat(64), nonces: ["1".repeat(64), "2".repeat(64)] };
/// assert_eq!(made.commitment(), Agreement::commitment_to(&made.secret));
/// let other = Agreement { nonces: ["1".repeat(64), "3".repeat(64)], ..made.clone() };
/// assert_ne!(made.seed(), other.seed());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// The host's part.
    pub secret: String,
    /// The parts of both seats.
    pub nonces: [String; 2],
}

impl Agreement {
    /// What shows before the seats send their parts that the host has chosen its own.
    pub fn commitment_to(secret: &str) -> String {
        blake3::hash(secret.as_bytes()).to_hex().to_string()
    }

    /// The commitment to this secret.
    pub fn commitment(&self) -> String {
        Agreement::commitment_to(&self.secret)
    }

    /// The seed of the duel.
    pub fn seed(&self) -> Seed {
        Seed(*blake3::hash(self.text().as_bytes()).as_bytes())
    }

    /// The text whose digest is the seed.
    pub fn text(&self) -> String {
        let [one, two] = &self.nonces;
        format!("{}{one}{two}", self.secret)
    }

    /// A seat's part from what somebody typed or a page made: 64 hexadecimal digits stand for
    /// themselves, any other text for its digest.
    pub fn nonce(text: &str) -> String {
        let text = text.trim();
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return text.to_ascii_lowercase();
        }
        Agreement::commitment_to(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D70: the digests are those of BLAKE3, as its own program computes them.
    #[test]
    fn anybody_can_compute_it() {
        // b3sum of an empty text.
        let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(Agreement::commitment_to(""), empty);
        assert_eq!(Agreement::nonce(" "), empty);
        assert_eq!(Agreement::nonce(&"AB".repeat(32)), "ab".repeat(32));
        let made = Agreement {
            secret: "a".repeat(64),
            nonces: ["b".repeat(64), "c".repeat(64)],
        };
        assert_eq!(made.text().len(), 192);
        assert_eq!(made.seed().0, *blake3::hash(made.text().as_bytes()).as_bytes());
    }
}
