//! Chance that nobody at the table could choose (D70, D105).

use cw_duel::{PerSeat, Seat, Seed};
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

    /// The commitments of both seats to their parts.
    pub fn commitments(&self) -> [String; 2] {
        self.nonces
            .each_ref()
            .map(|nonce| Agreement::commitment_to(nonce))
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
        digits(text).unwrap_or_else(|| Agreement::commitment_to(text.trim()))
    }
}

/// The way to an [`Agreement`] (D105): the host and both seats commit; only then do the seats reveal.
///
/// Whoever holds it holds no nonce before all three are bound: neither the host nor a seat can make its part
/// depend on another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreeing {
    secret: String,
    commitments: PerSeat<Option<String>>,
    // Invariant: a nonce is there only if both commitments are, and it fits its own.
    nonces: PerSeat<Option<String>>,
}

/// Why a seat's part was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRefused {
    /// A commitment is 64 hexadecimal digits.
    NoCommitment,
    /// The seat has committed, or revealed, already.
    Twice,
    /// Not everybody is bound yet.
    TooEarly,
    /// The nonce is not the one to which the seat has committed.
    DoesNotFit,
}

impl Agreeing {
    /// The host has chosen its part, nobody else has.
    pub fn new(secret: String) -> Agreeing {
        Agreeing {
            secret,
            commitments: PerSeat::default(),
            nonces: PerSeat::default(),
        }
    }

    /// What binds the host.
    pub fn commitment_of_host(&self) -> String {
        Agreement::commitment_to(&self.secret)
    }

    /// What binds a seat, once it has committed.
    pub fn commitment(&self, seat: Seat) -> Option<&str> {
        self.commitments[seat].as_deref()
    }

    /// Whether all three are bound.
    pub fn is_bound(&self) -> bool {
        self.commitments.0.iter().all(Option::is_some)
    }

    /// Whether a seat has shown its nonce.
    pub fn has_revealed(&self, seat: Seat) -> bool {
        self.nonces[seat].is_some()
    }

    /// A seat binds itself.
    ///
    /// # Errors
    /// If it is bound already, or this is no digest.
    pub fn commit(&mut self, seat: Seat, commitment: &str) -> Result<(), PartRefused> {
        if self.commitments[seat].is_some() {
            return Err(PartRefused::Twice);
        }
        self.commitments[seat] = Some(digits(commitment).ok_or(PartRefused::NoCommitment)?);
        Ok(())
    }

    /// A seat shows the nonce to which it has committed.
    ///
    /// # Errors
    /// If not everybody is bound, the seat has shown one already, or this is another one.
    pub fn reveal(&mut self, seat: Seat, nonce: &str) -> Result<(), PartRefused> {
        if !self.is_bound() {
            return Err(PartRefused::TooEarly);
        }
        if self.has_revealed(seat) {
            return Err(PartRefused::Twice);
        }
        let nonce = Agreement::nonce(nonce);
        if self.commitments[seat].as_deref() != Some(&*Agreement::commitment_to(&nonce)) {
            return Err(PartRefused::DoesNotFit);
        }
        self.nonces[seat] = Some(nonce);
        Ok(())
    }

    /// What all have agreed on, once both seats have revealed.
    pub fn agreement(&self) -> Option<Agreement> {
        let [one, two] = &self.nonces.0;
        Some(Agreement {
            secret: self.secret.clone(),
            nonces: [one.clone()?, two.clone()?],
        })
    }
}

/// 64 hexadecimal digits, in lower case.
fn digits(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| text.to_ascii_lowercase())
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

    /// What `assets/shuffle.js` computes for a text of several blocks.
    #[test]
    fn a_page_computes_the_same_digest() {
        let page = "b29a1fce5a8842f2b6ece4c1776cc1f40856d3d08b89cbc0f6577264ffcae580";
        assert_eq!(Agreement::commitment_to(&"ab".repeat(96)), page);
    }

    /// D105: nobody reveals before all are bound, and nobody reveals anything else.
    #[test]
    fn parts_are_revealed_when_all_are_bound() {
        let nonces = ["b".repeat(64), "c".repeat(64)];
        let digest = |at: usize| Agreement::commitment_to(&nonces[at]);
        let mut agreeing = Agreeing::new("a".repeat(64));
        assert_eq!(agreeing.commit(Seat::One, ""), Err(PartRefused::NoCommitment));
        assert_eq!(agreeing.commit(Seat::One, &digest(0)), Ok(()));
        assert_eq!(agreeing.commit(Seat::One, &digest(1)), Err(PartRefused::Twice));
        assert_eq!(agreeing.reveal(Seat::One, &nonces[0]), Err(PartRefused::TooEarly));
        assert_eq!(agreeing.commit(Seat::Two, &digest(1).to_uppercase()), Ok(()));
        assert_eq!(agreeing.reveal(Seat::One, &nonces[0]), Ok(()));
        assert_eq!(
            agreeing.reveal(Seat::Two, &nonces[0]),
            Err(PartRefused::DoesNotFit)
        );
        assert_eq!(agreeing.agreement(), None);
        assert_eq!(agreeing.reveal(Seat::One, &nonces[0]), Err(PartRefused::Twice));
        assert_eq!(agreeing.reveal(Seat::Two, &nonces[1]), Ok(()));
        let made = agreeing.agreement().unwrap();
        assert_eq!(
            (&made.nonces, made.commitments()),
            (&nonces, [digest(0), digest(1)])
        );
        assert_eq!(made.commitment(), agreeing.commitment_of_host());
    }
}
