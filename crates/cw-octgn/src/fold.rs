//! Names as the client compares them.

use unicode_normalization::UnicodeNormalization as _;

/// What is the same for two names that the client takes for the same (P134): letter case does not count, nor
/// whether a letter with a mark is one character or two, and ligatures are their letters.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(name.len());
    for letter in name.nfc().flat_map(char::to_lowercase) {
        match letter {
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ß' => out.push_str("ss"),
            'ĳ' => out.push_str("ij"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P134.
    #[test]
    fn names_are_compared_as_the_client_does() {
        for (one, other) in [
            ("Æther", "AETHER"),
            ("E\u{301}", "é"),
            ("Straße", "STRASSE"),
            ("A b", "a B"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        for (one, other) in [("e", "é"), ("A b", "Ab")] {
            assert_ne!(fold(one), fold(other), "{one} {other}");
        }
    }
}
