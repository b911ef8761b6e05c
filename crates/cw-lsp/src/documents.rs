//! The texts that are open in an editor.

use std::collections::BTreeMap;

use cw_text::SharedText;

use crate::places::{LineTable, PositionEncoding};
use crate::protocol::TextChange;

/// An open text.
#[derive(Clone, Debug)]
pub(crate) struct OpenText {
    /// Its path.
    pub(crate) path: String,
    pub(crate) version: i64,
    pub(crate) text: SharedText,
    pub(crate) lines: LineTable,
}

impl OpenText {
    pub(crate) fn new(path: String, version: i64, text: String) -> OpenText {
        OpenText {
            path,
            version,
            lines: LineTable::new(&text),
            text: SharedText::from(text),
        }
    }

    /// Makes changes, each in the text that the one before left.
    pub(crate) fn change(&mut self, changes: Vec<TextChange>, encoding: PositionEncoding) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let span = self.lines.span(&self.text, range, encoding);
                    let mut text = self.text.to_string();
                    text.replace_range(span, &change.text);
                    text
                }
            };
            self.lines = LineTable::new(&text);
            self.text = SharedText::from(text);
        }
    }
}

/// Open texts by the names that the client gives them.
pub(crate) type OpenTexts = BTreeMap<String, OpenText>;

/// The path of a `file:` URI, with `/` between its parts; nothing for other places.
pub(crate) fn path_of(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let slash = rest.find('/')?;
    // A share of another machine keeps its name; `localhost` is this one.
    let (host, rest) = rest.split_at(slash);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.as_bytes();
    while let [first, behind @ ..] = left {
        let two = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let coded = two.and_then(|two| u8::from_str_radix(two, 16).ok());
        match coded.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                left = &behind[2..];
            }
            None => {
                bytes.push(*first);
                left = behind;
            }
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    let path = match path.as_bytes() {
        // `/c:/games` is a path of Windows.
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    };
    Some(match host {
        "" | "localhost" => path,
        host => format!("//{host}{path}"),
    })
}

/// The `file:` URI of a path.
pub(crate) fn uri_of(path: &str) -> String {
    let mut uri = match path.strip_prefix("//") {
        Some(_) => "file:".to_owned(),
        None if path.starts_with('/') => "file://".to_owned(),
        None => "file:///".to_owned(),
    };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_two_names_of_one_file() {
        for path in ["/a b/ü#1/core.rules", "c:/games/x.toml", "//host/share/a.xml"] {
            assert_eq!(path_of(&uri_of(path)).as_deref(), Some(path));
        }
        assert_eq!(path_of("file:///c%3A/x"), Some("c:/x".to_owned()));
        assert_eq!(path_of("file:///%zz%"), Some("/%zz%".to_owned()));
        assert_eq!(path_of("file:///%"), Some("/%".to_owned()));
        assert_eq!(path_of("untitled:Untitled-1"), None);
    }
}
