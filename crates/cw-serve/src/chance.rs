//! Secrets that nobody can foresee.

use cw_pages::secret::Secret;

/// A new secret, from the operating system's generator.
///
/// # Panics
/// If the operating system has no randomness to give.
pub fn fresh_secret() -> Secret {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    Secret::of(bytes)
}
