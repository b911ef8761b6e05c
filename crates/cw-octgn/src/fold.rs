//! Names as the client compares them.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// Letters with their marks (NFC, UAX #15).
const COMPOSED: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
/// Letters without their marks and without how they are written (NFKD).
const PLAIN: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();

/// What is the same for two names that the client takes for the same (P134): letter case does not count, nor
/// whether a letter with a mark is one character or two, and ligatures are their letters.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(name.len());
    for letter in COMPOSED.normalize_iter(name.chars()).flat_map(char::to_lowercase) {
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

/// A name as the client compares it, without the blanks around it and with one between its words.
pub(crate) fn strict_name(name: &str) -> String {
    fold(&one_blank(name))
}

/// A name as people compare it: see [`loose`]; how many blanks stand between its words does not count.
pub(crate) fn loose_name(name: &str) -> String {
    one_blank(&loose(name))
}

fn one_blank(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is the same for two texts that people take for the same when they search or type: letter case,
/// accents, ligatures, and the many apostrophes, quotes and dashes do not count, however a letter is
/// composed.
pub(crate) fn loose(text: &str) -> String {
    if let Some(plain) = loose_keyboard(text) {
        return plain;
    }
    let plain = PLAIN
        .normalize_iter(text.chars().map(plain_mark))
        .flat_map(char::to_lowercase);
    let mut out = String::with_capacity(text.len());
    for letter in plain {
        match letter {
            // Accents of the European alphabets. Those of others are letters of their own, as in か and が.
            '\u{300}'..='\u{36f}' => {}
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ß' => out.push_str("ss"),
            'þ' => out.push_str("th"),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'ł' => out.push('l'),
            'ħ' => out.push('h'),
            'ı' => out.push('i'),
            // Nobody sees them, so nobody types them: a soft hyphen, characters without a width.
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            _ => out.push(plain_mark(letter)),
        }
    }
    COMPOSED.normalize_iter(out.chars()).collect()
}

/// [`loose`] for a text that stands on a keyboard but for its marks, as most cards' texts do: it needs no
/// tables.
fn loose_keyboard(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let plain = rest.bytes().position(|byte| !byte.is_ascii() || byte == b'`');
        let (ascii, more) = rest.split_at(plain.unwrap_or(rest.len()));
        out.push_str(ascii);
        let Some(mark) = more.chars().next() else { break };
        let plain = plain_mark(mark);
        if !plain.is_ascii() {
            return None;
        }
        out.push(plain);
        rest = &more[mark.len_utf8()..];
    }
    out.make_ascii_lowercase();
    Some(out)
}

/// The mark that stands on a keyboard for one that typesetters use.
fn plain_mark(mark: char) -> char {
    match mark {
        '‘' | '’' | '‛' | 'ʼ' | '´' | '`' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '«' | '»' => '"',
        '‐'..='―' | '−' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are compared as OCTGN's client does, ignoring case (P134).
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
    /// What people take for the same.
    #[test]
    fn texts_are_compared_as_people_do() {
        for (one, other) in [
            ("Séance", "seance"),
            ("Se\u{301}ance", "SÉANCE"),
            ("Æther", "aether"),
            ("Łódź", "lodz"),
            ("Hero’s Path", "hero's path"),
            ("Hero´s Path", "Hero`s Path"),
            ("Jack – of all", "jack - of all"),
            ("İzmir", "izmir"),
            ("ﬁre", "FIRE"),
            ("can\u{200b}not", "cannot"),
        ] {
            assert_eq!(loose(one), loose(other), "{one} {other}");
        }
        for text in ["", "`A`", "“Hero’s – Path”", "a\u{301}", "—", "Ab’\u{301}"] {
            let slow: String = loose(&format!("{text}\u{e9}"));
            assert_eq!(format!("{}e", loose(text)), slow, "{text}");
        }
        for (one, other) in [("か", "が"), ("o", "0"), ("한", "하")] {
            assert_ne!(loose(one), loose(other), "{one} {other}");
        }
        assert_eq!(loose_name("  Far\u{a0}  away "), "far away");
    }
}
