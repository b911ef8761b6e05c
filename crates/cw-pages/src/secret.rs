//! Tokens that nobody can guess.

use std::fmt::{self, Write};

/// Proves that a browser sits at a seat. Never in a page; only in the invitation and the cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret of these bytes. Whoever makes one takes them from where nobody can foresee them: this crate
    /// has no chance of its own.
    pub fn of(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Another secret that follows from this one; who knows it learns nothing about this one.
    pub fn child(&self, purpose: &str) -> Secret {
        Secret(self.derive(purpose))
    }

    /// Reads what [`Secret::reveal`] wrote.
    pub fn read(text: &str) -> Option<Secret> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()?;
        }
        Some(Secret(bytes))
    }

    /// The token itself: for the invitation and the cookie.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// Its bytes: 256 bits that nobody knows.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// A name for the seat that says nothing about the token: it stands in addresses.
    pub fn public(&self) -> String {
        hex(&self.derive("cardwright seat name")[..8])
    }

    /// What a form for the decision with this number must carry: it protects against forged
    /// requests, and equal stamps mean that the same form was sent twice.
    pub fn stamp(&self, number: u64) -> String {
        hex(&self.derive(&format!("cardwright form {number}"))[..12])
    }

    fn derive(&self, purpose: &str) -> [u8; 32] {
        *blake3::keyed_hash(&self.0, purpose.as_bytes()).as_bytes()
    }

    /// Compares without telling by its duration where a difference is.
    pub fn is(&self, text: &str) -> bool {
        // Hashes compare in constant time, and a near miss is as far off as any other.
        Secret::read(text).is_some_and(|other| blake3::hash(&self.0) == blake3::hash(&other.0))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({}…)", self.public())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        write!(out, "{byte:02x}").expect("writing to a String works");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_is_read_back_and_its_names_tell_nothing() {
        let secret = Secret::of([7; 32]);
        let token = secret.reveal();
        assert_eq!(Secret::read(&token), Some(secret.clone()));
        assert!(secret.is(&token) && !secret.is(&Secret::of([8; 32]).reveal()) && !secret.is(""));
        assert!(!token.contains(&secret.public()) && !token.contains(&secret.stamp(1)));
        assert_ne!(secret.stamp(1), secret.stamp(2));
        assert!(!format!("{secret:?}").contains(&token[..20]));
        assert_eq!(Secret::read(&"é".repeat(32)), None);
    }
}
