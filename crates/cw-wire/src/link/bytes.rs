//! Numbers, texts and blocks as bytes, and bytes as letters of an address.

/// Puts one thing behind the other.
#[derive(Debug, Default)]
pub(super) struct ByteWriter {
    pub(super) bytes: Vec<u8>,
}

impl ByteWriter {
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    pub(super) fn number(&mut self, number: usize) {
        self.wide(number as u64);
    }

    /// Seven bits in each byte, the lowest first; the highest bit says that more follow.
    pub(super) fn wide(&mut self, mut number: u64) {
        while number > 0x7f {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }

    pub(super) fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.raw(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.block(text.as_bytes());
    }
}

/// Takes one thing after the other. Whatever is cut, too large or written in a longer way than it need be is
/// nothing.
#[derive(Debug)]
pub(super) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { rest: bytes }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn raw(&mut self, many: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(many)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn array<const MANY: usize>(&mut self) -> Option<[u8; MANY]> {
        self.raw(MANY)?.try_into().ok()
    }

    pub(super) fn wide(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            // The last group has room for one bit.
            (part << shift >> shift == part).then_some(())?;
            number |= part << shift;
            if byte & 0x80 == 0 {
                let is_shortest = byte != 0 || shift == 0;
                return is_shortest.then_some(number);
            }
        }
        None
    }

    pub(super) fn number(&mut self, most: usize) -> Option<usize> {
        let number = usize::try_from(self.wide()?).ok()?;
        (number <= most).then_some(number)
    }

    pub(super) fn block(&mut self, most: usize) -> Option<&'a [u8]> {
        let many = self.number(most)?;
        self.raw(many)
    }

    pub(super) fn text(&mut self, most: usize) -> Option<String> {
        let bytes = self.block(most)?;
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    }
}

/// The letters of base64url (RFC 4648, 5), in their order.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The bytes as letters that every address may have, without padding.
pub(super) fn letters(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for three in bytes.chunks(3) {
        let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for group in 0..=three.len() {
            let letter = bits >> (18 - 6 * group) & 63;
            out.push(char::from(LETTERS[letter as usize]));
        }
    }
    out
}

/// The bytes that the letters stand for; nothing if other letters are among them, or bits are left over.
pub(super) fn from_letters(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for place in 0..4 {
            let value = match four.get(place) {
                Some(letter) => u32::try_from(LETTERS.iter().position(|one| one == letter)?).ok()?,
                None => 0,
            };
            bits = bits << 6 | value;
        }
        let bytes = bits.to_be_bytes();
        let (taken, left) = bytes[1..].split_at(four.len().checked_sub(1).filter(|many| *many > 0)?);
        if left.iter().any(|byte| *byte != 0) {
            return None;
        }
        out.extend(taken);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_for_the_same_bytes() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
        ] {
            assert_eq!(letters(bytes.as_bytes()), text);
            assert_eq!(from_letters(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(letters(&[0xfb, 0xff]), "-_8");
        for wrong in ["Z", "Zh", "Zm9", "Zm9=", "Zm9+", "Zm9vY"] {
            assert_eq!(from_letters(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_written_in_one_way() {
        for number in [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u64::MAX - 1, u64::MAX] {
            let mut out = ByteWriter::default();
            out.wide(number);
            let mut from = ByteReader::new(&out.bytes);
            assert_eq!(from.wide(), Some(number));
            assert!(from.is_at_end());
        }
        let too_long: &[&[u8]] = &[
            &[0x80, 0],
            &[0x80],
            &[0xff; 10],
            &[255, 255, 255, 255, 255, 255, 255, 255, 255, 2],
        ];
        for bytes in too_long {
            assert_eq!(ByteReader::new(bytes).wide(), None, "{bytes:?}");
        }
    }
}
