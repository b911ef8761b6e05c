//! The pages' own files, sent compressed to whoever can unpack them.
//!
//! Lines of scripts that are only a comment are sent empty, so that what explains a script to its readers,
//! types included, costs those who play nothing, and a fault in the browser still names the line of the
//! source.
//!
//! Only these are compressed: they are the same for everybody. A seat's page holds its secret beside texts
//! that others may choose, and the length of such a page, compressed, would tell something of the secret.

use std::borrow::Cow;
use std::sync::OnceLock;

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

/// A style or script, as its authors wrote it.
#[derive(Debug)]
pub(crate) struct PageAsset {
    kind: &'static str,
    text: &'static str,
    /// What is sent of it, made when it is first asked for.
    sent: OnceLock<Cow<'static, str>>,
    /// The same, compressed (zlib), made when it is first asked for.
    packed: OnceLock<Vec<u8>>,
}

/// The media type of a script.
const SCRIPT: &str = "text/javascript";
/// The media type of a style sheet.
const STYLE: &str = "text/css";

/// How much work goes into compressing: the most that zlib knows, since it is done once.
const LEVEL: u8 = 9;

impl PageAsset {
    pub(crate) const fn style(text: &'static str) -> PageAsset {
        PageAsset::new(STYLE, text)
    }

    pub(crate) const fn script(text: &'static str) -> PageAsset {
        PageAsset::new(SCRIPT, text)
    }

    const fn new(kind: &'static str, text: &'static str) -> PageAsset {
        PageAsset {
            kind,
            // Beside the module of a page they lie as files, which its pages take:
            // it need not bring them, too.
            text: if cfg!(target_family = "wasm") { "" } else { text },
            sent: OnceLock::new(),
            packed: OnceLock::new(),
        }
    }

    /// Its text, if it is a script.
    #[cfg(test)]
    pub(crate) fn as_script(&self) -> Option<&'static str> {
        (self.kind == SCRIPT).then_some(self.text)
    }

    /// Answers requests for it.
    pub(crate) fn route<S: Clone + Send + Sync + 'static>(&'static self) -> MethodRouter<S> {
        get(move |headers: HeaderMap| async move { self.sent(&headers) })
    }

    fn sent(&'static self, headers: &HeaderMap) -> Response {
        let kind = [
            (header::CONTENT_TYPE, self.kind),
            (header::CACHE_CONTROL, "no-cache"),
            (header::VARY, "accept-encoding"),
        ];
        let text = self.sent.get_or_init(|| match self.kind {
            SCRIPT | STYLE => Cow::Owned(without_comments(self.text)),
            _ => Cow::Borrowed(self.text),
        });
        if !unpacks(headers) {
            return (kind, &**text).into_response();
        }
        let packed = self
            .packed
            .get_or_init(|| miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), LEVEL));
        let encoding = [(header::CONTENT_ENCODING, "deflate")];
        (kind, encoding, packed.as_slice()).into_response()
    }
}

/// A script or a style sheet whose lines of comment are empty. A line is one if nothing but a comment stands
/// in it. A line that begins with `//` or `/*` and is not a comment would have to stand in a text of several
/// lines, and our scripts have none.
pub fn without_comments(script: &str) -> String {
    let mut text = String::with_capacity(script.len());
    let mut is_inside = false;
    for line in script.lines() {
        let words = line.trim();
        let begins = words.starts_with("/*");
        let end = words.find("*/").map(|at| at + "*/".len());
        let is_comment = match is_inside || begins {
            true => end.is_none_or(|end| end == words.len()),
            false => words.starts_with("//"),
        };
        is_inside = (is_inside || begins) && end.is_none();
        if !is_comment {
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

/// Whether the reader takes what HTTP calls deflate, which is zlib: every browser does. A weight of 0 means
/// that it does not.
fn unpacks(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    let mut encodings = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    encodings.any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
        let is_refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("deflate") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use futures_lite::future::block_on;

    use super::*;

    static ASSET: PageAsset = PageAsset::script("const one = 1; // one\n");

    #[test]
    fn lines_of_comment_are_sent_empty() {
        for (line, sent) in [
            ("  // words", ""),
            ("/** Words. */", ""),
            ("/** Words\n * and more.\n */\none();", "\n\n\none();"),
            (
                "/** @type {number} */ (one).two = 2;",
                "/** @type {number} */ (one).two = 2;",
            ),
            (
                "/** Words. */ const one = 1; /* more */",
                "/** Words. */ const one = 1; /* more */",
            ),
            ("one(); // words", "one(); // words"),
            ("const far = \"https://\";", "const far = \"https://\";"),
        ] {
            assert_eq!(without_comments(line), format!("{sent}\n"), "{line}");
        }
    }

    /// The encoding that is named, and the bytes.
    fn sent(accepted: &'static str) -> (Option<HeaderValue>, Vec<u8>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        let response = ASSET.sent(&headers);
        assert_eq!(response.headers()[header::CONTENT_TYPE], SCRIPT);
        let encoding = response.headers().get(header::CONTENT_ENCODING).cloned();
        let body = block_on(axum::body::to_bytes(response.into_body(), 1000)).unwrap();
        (encoding, body.to_vec())
    }

    #[test]
    fn a_file_is_compressed_for_those_who_unpack_it() {
        for accepted in ["deflate", "gzip, deflate, br", "br;q=1, Deflate;q=0.5"] {
            let (encoding, bytes) = sent(accepted);
            assert_eq!(encoding, Some(HeaderValue::from_static("deflate")), "{accepted}");
            let text = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
            assert_eq!(text, ASSET.text.as_bytes(), "{accepted}");
        }
        for accepted in ["", "gzip, br", "deflate;q=0", "deflate; q=0.0"] {
            assert_eq!(
                sent(accepted),
                (None, ASSET.text.as_bytes().to_vec()),
                "{accepted}"
            );
        }
    }
}
