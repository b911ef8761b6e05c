use std::fmt;
use std::str::FromStr;

/// The identity of a game, set, pack or card: 16 bytes, compared as a value (P15).
///
/// Shown canonically: lower case, `8-4-4-4-12`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid(pub [u8; 16]);

/// How a GUID was spelled (P13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuidForm {
    /// `8-4-4-4-12`, any letter case: accepted everywhere.
    Hyphens,
    /// `{8-4-4-4-12}`: accepted in sets by schema and client.
    Braces,
    /// 32 digits: accepted in sets by schema and client.
    Digits,
    /// `{32 digits}`: accepted by the schema, rejected by the client.
    BracedDigits,
    /// `(8-4-4-4-12)`: accepted by the client, rejected by the schema.
    Parentheses,
    /// `{0x…,0x…,0x…,{0x…,…}}`: accepted by the client, rejected by the schema.
    Hexadecimal,
    /// One of the above between blanks: accepted by the client, rejected by the schema.
    Padded,
}

/// The text is no GUID in any form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a GUID")]
pub struct NotAGuid;

impl Guid {
    /// All zeros; stands for an identity that is missing or cannot be read.
    pub const NIL: Guid = Guid([0; 16]);

    /// Reads every form of P13 and tells which it was.
    ///
    /// # Errors
    /// When the text is none of them.
    ///
    /// ```
    /// use cw_octgn::{Guid, GuidForm};
    ///
    /// let (plain, _) = Guid::parse("0F8FAD5B-D9CB-469F-A165-70867728950E")?;
    /// let (braces, form) = Guid::parse(" {0f8fad5b-d9cb-469f-a165-70867728950e} ")?;
    /// assert_eq!((plain, form), (braces, GuidForm::Padded));
    /// # Ok::<(), cw_octgn::NotAGuid>(())
    /// ```
    pub fn parse(text: &str) -> Result<(Guid, GuidForm), NotAGuid> {
        let trimmed = text.trim();
        let (guid, form) = parse_trimmed(trimmed)?;
        let padded = trimmed.len() != text.len();
        Ok((guid, if padded { GuidForm::Padded } else { form }))
    }

    /// Whether it is all zeros.
    pub fn is_nil(self) -> bool {
        self == Guid::NIL
    }

    /// Makes a GUID (version 8) out of any bytes: the same for the same bytes.
    pub fn of_bytes(bytes: &[u8]) -> Guid {
        let hash = blake3::hash(bytes);
        let mut guid = [0; 16];
        guid.copy_from_slice(&hash.as_bytes()[..16]);
        guid[6] = (guid[6] & 0x0f) | 0x80;
        guid[8] = (guid[8] & 0x3f) | 0x80;
        Guid(guid)
    }
}

impl FromStr for Guid {
    type Err = NotAGuid;

    fn from_str(text: &str) -> Result<Guid, NotAGuid> {
        Guid::parse(text).map(|(guid, _)| guid)
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // A large package writes tens of thousands of them, so the digits are looked up and written at once.
        let mut text = [b'-'; 36];
        let mut at = 0;
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                at += 1;
            }
            text[at] = DIGITS[usize::from(byte >> 4)];
            text[at + 1] = DIGITS[usize::from(byte & 0xf)];
            at += 2;
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn parse_trimmed(text: &str) -> Result<(Guid, GuidForm), NotAGuid> {
    let bytes = text.as_bytes();
    match (bytes.len(), bytes.first(), bytes.last()) {
        (36, _, _) => Ok((hyphenated(bytes)?, GuidForm::Hyphens)),
        (32, _, _) => Ok((digits(bytes)?, GuidForm::Digits)),
        (38, Some(b'{'), Some(b'}')) => Ok((hyphenated(&bytes[1..37])?, GuidForm::Braces)),
        (38, Some(b'('), Some(b')')) => Ok((hyphenated(&bytes[1..37])?, GuidForm::Parentheses)),
        (34, Some(b'{'), Some(b'}')) => Ok((digits(&bytes[1..33])?, GuidForm::BracedDigits)),
        (_, Some(b'{'), Some(b'}')) => Ok((hexadecimal(text)?, GuidForm::Hexadecimal)),
        _ => Err(NotAGuid),
    }
}

fn hyphenated(bytes: &[u8]) -> Result<Guid, NotAGuid> {
    /// Where the pairs of digits stand.
    const PAIRS: [usize; 16] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
    let bytes: &[u8; 36] = bytes.try_into().map_err(|_| NotAGuid)?;
    let mut guid = [0; 16];
    let mut odd = [8, 13, 18, 23]
        .iter()
        .fold(0, |odd, at| odd | (bytes[*at] ^ b'-'));
    for (byte, at) in guid.iter_mut().zip(PAIRS) {
        let (high, low) = (DIGITS[bytes[at] as usize], DIGITS[bytes[at + 1] as usize]);
        odd |= (high | low) & NO_DIGIT;
        *byte = high << 4 | low & 15;
    }
    if odd == 0 { Ok(Guid(guid)) } else { Err(NotAGuid) }
}

fn digits(bytes: &[u8]) -> Result<Guid, NotAGuid> {
    let mut guid = [0; 16];
    for (byte, pair) in guid.iter_mut().zip(bytes.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(Guid(guid))
}

/// What stands in [`DIGITS`] for bytes that are no hexadecimal digit.
const NO_DIGIT: u8 = 0x80;

/// The values of hexadecimal digits.
const DIGITS: [u8; 256] = {
    let mut table = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        table[b"0123456789abcdef"[value as usize] as usize] = value;
        table[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    table
};

fn digit(byte: u8) -> Result<u8, NotAGuid> {
    match DIGITS[byte as usize] {
        NO_DIGIT => Err(NotAGuid),
        value => Ok(value),
    }
}

/// `{0xdddddddd,0xdddd,0xdddd,{0xdd,0xdd,0xdd,0xdd,0xdd,0xdd,0xdd,0xdd}}`, fewer digits allowed.
fn hexadecimal(text: &str) -> Result<Guid, NotAGuid> {
    if text.len() > 100 {
        return Err(NotAGuid);
    }
    let inner = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix("}}"))
        .ok_or(NotAGuid)?;
    let (head, tail) = inner.split_once(",{").ok_or(NotAGuid)?;
    let mut guid = [0; 16];
    let mut at = 0;
    let widths = [4, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1];
    let mut parts = head.split(',').chain(tail.split(','));
    for width in widths {
        let part = parts.next().ok_or(NotAGuid)?.trim();
        let number = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X"));
        let number = number.filter(|digits| !digits.is_empty() && digits.len() <= 2 * width);
        let number = number.ok_or(NotAGuid)?.bytes().try_fold(0u32, |sum, byte| {
            digit(byte).map(|value| sum << 4 | u32::from(value))
        })?;
        guid[at..at + width].copy_from_slice(&number.to_be_bytes()[4 - width..]);
        at += width;
    }
    match (parts.next(), head.split(',').count()) {
        (None, 3) => Ok(Guid(guid)),
        _ => Err(NotAGuid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "0123abcd-4567-89ef-0123-456789abcdef";

    #[track_caller]
    fn check(text: &str, expected: Option<GuidForm>) {
        let got = Guid::parse(text).ok();
        assert_eq!(got.map(|(_, form)| form), expected, "{text:?}");
        if let Some((guid, _)) = got {
            assert_eq!(guid.to_string(), PLAIN);
        }
    }

    /// Every form of a GUID is read and told apart (P13, P15).
    #[test]
    fn every_form_is_read_and_told_apart() {
        check(PLAIN, Some(GuidForm::Hyphens));
        check("0123ABCD-4567-89EF-0123-456789abcdef", Some(GuidForm::Hyphens));
        check("{0123abcd-4567-89ef-0123-456789abcdef}", Some(GuidForm::Braces));
        check(
            "(0123abcd-4567-89ef-0123-456789abcdef)",
            Some(GuidForm::Parentheses),
        );
        check("0123abcd456789ef0123456789abcdef", Some(GuidForm::Digits));
        check("{0123abcd456789ef0123456789abcdef}", Some(GuidForm::BracedDigits));
        check(" 0123abcd456789ef0123456789abcdef\n", Some(GuidForm::Padded));
        let hexadecimal = "{0x123abcd,0x4567,0x89ef,{0x1,0x23,0x45,0x67,0x89,0xab,0xcd,0xef}}";
        check(hexadecimal, Some(GuidForm::Hexadecimal));
    }

    /// Texts that are no GUID are refused (P13, PK020).
    #[test]
    fn other_texts_are_refused() {
        let wrong = [
            "",
            "1234",
            "0123abcd-4567-89ef-0123-456789abcdeg",
            "0123abcd-4567-89ef-0123_456789abcdef",
            "{0123abcd-4567-89ef-0123-456789abcdef)",
            "é123abcd456789ef0123456789abcde",
            "{0x,0x,0x,{0x,0x,0x,0x,0x,0x,0x,0x}}",
            "{0x1,0x2,0x3,{1}}",
            "{}}",
            "{",
        ];
        for text in wrong {
            check(text, None);
        }
    }
}
