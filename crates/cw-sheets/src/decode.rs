//! Bytes of text files as text: the encoding is guessed as spreadsheets write it.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A text, and which encoding it was taken for.
pub(crate) fn decode(bytes: &[u8]) -> Result<(String, &'static str), String> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => match std::str::from_utf8(rest) {
            Ok(text) => Ok((text.to_owned(), "UTF-8")),
            Err(error) => Err(format!(
                "the file begins as UTF-8, but byte {} is not; save it again as UTF-8",
                error.valid_up_to() + 4
            )),
        },
        [0xff, 0xfe, ..] => utf16(bytes, UTF_16LE, "UTF-16"),
        [0xfe, 0xff, ..] => utf16(bytes, UTF_16BE, "UTF-16 (big-endian)"),
        _ => match without_mark(bytes) {
            Some(encoding) => utf16(bytes, encoding, "UTF-16 without a mark"),
            None => match std::str::from_utf8(bytes) {
                Ok(text) => Ok((text.to_owned(), "UTF-8")),
                Err(_) => Ok((
                    WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
                    "Windows-1252",
                )),
            },
        },
    }
}

fn utf16(
    bytes: &[u8],
    encoding: &'static Encoding,
    name: &'static str,
) -> Result<(String, &'static str), String> {
    let (text, broken) = encoding.decode_with_bom_removal(bytes);
    match broken {
        true => Err("the file begins as UTF-16, but is none; save it again as UTF-8".to_owned()),
        false => Ok((text.into_owned(), name)),
    }
}

/// UTF-16 without a byte-order mark: of plain letters, every other byte is 0.
fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024) & !1];
    if head.len() < 4 {
        return None;
    }
    let zeros = |first: usize| {
        head.iter()
            .skip(first)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let enough = head.len() / 2 * 3 / 4;
    match (zeros(0), zeros(1)) {
        (0, high) if high > enough => Some(UTF_16LE),
        (high, 0) if high > enough => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn encodings_are_told_apart() {
        let utf16 = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        let cases: [(Vec<u8>, &str, &str); 6] = [
            (b"Na\xc3\xafve".to_vec(), "Naïve", "UTF-8"),
            (b"\xef\xbb\xbfNa\xc3\xafve".to_vec(), "Naïve", "UTF-8"),
            (b"Na\xefve \x96 \x80".to_vec(), "Naïve – €", "Windows-1252"),
            (utf16("\u{feff}Naïve"), "Naïve", "UTF-16"),
            (utf16("Name;Cost"), "Name;Cost", "UTF-16 without a mark"),
            (Vec::new(), "", "UTF-8"),
        ];
        for (bytes, text, name) in cases {
            assert_eq!(decode(&bytes), Ok((text.to_owned(), name)), "{bytes:?}");
        }
        assert!(decode(b"\xef\xbb\xbf\xff").is_err());
        assert!(decode(b"\xff\xfe\x00\xd8").is_err());
    }
}
