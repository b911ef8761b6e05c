//! Formatted text in a cell: `*bold*`, `_italic_`, and tags for whatever is rarer.

use cw_octgn::{LocatedValue, RichPiece, RichStyle, RichText, Str};

/// Pieces of formatted text as a cell has them. [`unmarked`] reads the same pieces back.
pub fn marked(rich: &RichText, symbol: &dyn Fn(&str) -> Option<String>) -> String {
    let wanted = joined(&rich.pieces);
    let ways = [(true, false), (true, true), (false, true)];
    let mut text = String::new();
    for (simple, escape) in ways {
        text.clear();
        write(&rich.pieces, simple, escape, &mut text);
        if unmarked(&text, symbol).is_ok_and(|read| joined(&read.pieces) == wanted) {
            break;
        }
    }
    text
}

fn write(pieces: &[RichPiece], simple: bool, escape: bool, out: &mut String) {
    for piece in pieces {
        match piece {
            RichPiece::Text(text) => {
                for letter in text.chars() {
                    if escape && "*_<\\{".contains(letter) {
                        out.push('\\');
                    }
                    out.push(letter);
                }
            }
            RichPiece::Styled { style, pieces } => {
                let (open, close) = match style {
                    RichStyle::Bold if simple => ("*", "*"),
                    RichStyle::Italic if simple => ("_", "_"),
                    RichStyle::Bold => ("<b>", "</b>"),
                    RichStyle::Italic => ("<i>", "</i>"),
                    RichStyle::Underline => ("<u>", "</u>"),
                };
                out.push_str(open);
                write(pieces, simple, escape, out);
                out.push_str(close);
            }
            RichPiece::Coloured {
                colour: [r, g, b],
                pieces,
            } => {
                out.push_str(&format!("<c #{r:02x}{g:02x}{b:02x}>"));
                write(pieces, simple, escape, out);
                out.push_str("</c>");
            }
            RichPiece::Symbol { id, text, .. } => {
                out.push_str(&format!("<s {}>", **id));
                write(&[RichPiece::Text(text.clone())], simple, escape, out);
                out.push_str("</s>");
            }
        }
    }
}

/// Neighbouring texts as one, to compare.
fn joined(pieces: &[RichPiece]) -> Vec<RichPiece> {
    let mut out: Vec<RichPiece> = Vec::new();
    for piece in pieces {
        match (piece, out.last_mut()) {
            (RichPiece::Text(more), Some(RichPiece::Text(text))) => {
                *text = Str::from(format!("{text}{more}"));
            }
            (RichPiece::Styled { style, pieces }, _) => out.push(RichPiece::Styled {
                style: *style,
                pieces: joined(pieces),
            }),
            (RichPiece::Coloured { colour, pieces }, _) => out.push(RichPiece::Coloured {
                colour: *colour,
                pieces: joined(pieces),
            }),
            _ => out.push(piece.clone()),
        }
    }
    out
}

/// Reads a cell: `symbol` gives the name of a symbol of the game by its id.
///
/// # Errors
/// A tag that is not closed, or a symbol that the game does not have.
pub fn unmarked(text: &str, symbol: &dyn Fn(&str) -> Option<String>) -> Result<RichText, String> {
    let reading = MarkReading { symbol };
    let pieces = joined(&reading.pieces(text, 0)?);
    let mut plain = String::new();
    plain_of(&pieces, &mut plain);
    Ok(RichText {
        pieces,
        plain: Str::from(plain),
    })
}

fn plain_of(pieces: &[RichPiece], out: &mut String) {
    for piece in pieces {
        match piece {
            RichPiece::Text(text) | RichPiece::Symbol { text, .. } => out.push_str(text),
            RichPiece::Styled { pieces, .. } | RichPiece::Coloured { pieces, .. } => plain_of(pieces, out),
        }
    }
}

struct MarkReading<'s> {
    symbol: &'s dyn Fn(&str) -> Option<String>,
}

/// Marks inside marks; deeper ones are letters.
const DEPTH: usize = 16;

impl MarkReading<'_> {
    fn pieces(&self, text: &str, depth: usize) -> Result<Vec<RichPiece>, String> {
        let mut out = Vec::new();
        let mut plain = String::new();
        let mut before = ' ';
        // Marks that are never closed from here on: nobody looks for their end again.
        let mut open = (false, false);
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let rest = &text[at + letter.len_utf8()..];
            let mut found = None;
            match letter {
                '\\' => {
                    if let Some(next) = rest.chars().next().filter(|next| "*_<\\{".contains(*next)) {
                        plain.push(next);
                        before = next;
                        at += 1 + next.len_utf8();
                        continue;
                    }
                }
                '*' | '_' if depth < DEPTH && !before.is_alphanumeric() => {
                    let known = if letter == '*' { &mut open.0 } else { &mut open.1 };
                    let begins = rest
                        .chars()
                        .next()
                        .is_some_and(|next| !next.is_whitespace() && next != letter);
                    if begins && !*known {
                        match closing(rest, letter) {
                            None => *known = true,
                            Some(end) => {
                                let style = if letter == '*' {
                                    RichStyle::Bold
                                } else {
                                    RichStyle::Italic
                                };
                                let pieces = self.pieces(&rest[..end], depth + 1)?;
                                found = Some((RichPiece::Styled { style, pieces }, 2 + end));
                            }
                        }
                    }
                }
                '<' if depth < DEPTH => found = self.tag(&text[at..], depth)?,
                '{' => {
                    if let Some((id, _)) = rest.split_once('}')
                        && let Some(name) = (self.symbol)(id)
                    {
                        found = Some((symbol_piece(id, &name), id.len() + 2));
                    }
                }
                _ => {}
            }
            match found {
                Some((piece, length)) => {
                    if !plain.is_empty() {
                        out.push(RichPiece::Text(Str::from(std::mem::take(&mut plain))));
                    }
                    out.push(piece);
                    at += length;
                    before = ' ';
                }
                None => {
                    plain.push(letter);
                    before = letter;
                    at += letter.len_utf8();
                }
            }
        }
        if !plain.is_empty() {
            out.push(RichPiece::Text(Str::from(plain)));
        }
        Ok(out)
    }

    /// A tag at the beginning of the text, with what is inside it; nothing if it is none.
    fn tag(&self, text: &str, depth: usize) -> Result<Option<(RichPiece, usize)>, String> {
        let Some((head, _)) = text.split_once('>') else {
            return Ok(None);
        };
        let (name, argument) = match head[1..].split_once(' ') {
            Some((name, argument)) => (name, argument),
            None => (&head[1..], ""),
        };
        if !matches!(
            (name, argument.is_empty()),
            ("b" | "i" | "u", true) | ("c" | "s", false)
        ) {
            return Ok(None);
        }
        let body = &text[head.len() + 1..];
        let Some(end) = end_of(body, name) else {
            return Err(format!("`{head}>` is never closed: `</{name}>` is missing"));
        };
        let inner = &body[..end];
        let length = head.len() + 1 + end + name.len() + 3;
        let piece = match name {
            "s" => {
                if (self.symbol)(argument).is_none() {
                    return Err(format!("the game has no symbol `{argument}`"));
                }
                let mut plain = String::new();
                plain_of(&self.pieces(inner, DEPTH)?, &mut plain);
                symbol_piece(argument, &plain)
            }
            "c" => {
                let digits = argument.strip_prefix('#').filter(|digits| digits.len() == 6);
                let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(number) = number else {
                    return Err(format!("`{argument}` is not a colour as #20c040"));
                };
                let [_, r, g, b] = number.to_be_bytes();
                RichPiece::Coloured {
                    colour: [r, g, b],
                    pieces: self.pieces(inner, depth + 1)?,
                }
            }
            _ => RichPiece::Styled {
                style: match name {
                    "b" => RichStyle::Bold,
                    "i" => RichStyle::Italic,
                    _ => RichStyle::Underline,
                },
                pieces: self.pieces(inner, depth + 1)?,
            },
        };
        Ok(Some((piece, length)))
    }
}

fn symbol_piece(id: &str, text: &str) -> RichPiece {
    RichPiece::Symbol {
        id: LocatedValue::from(Str::from(id)),
        text: Str::from(text),
        place: cw_octgn::FilePlace::default(),
    }
}

/// Where a mark ends that began before the text: behind a letter, and not before one.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut before = ' ';
    let mut escaped = false;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if letter == mark && !before.is_whitespace() && at > 0 {
            let next = letters.peek().map(|(_, next)| *next);
            if next.is_none_or(|next| !next.is_alphanumeric() && next != mark) {
                return Some(at);
            }
        }
        before = letter;
    }
    None
}

/// Where the end tag of an element stands whose start tag stood before the text.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let (close, bare, with) = (format!("</{name}>"), format!("<{name}>"), format!("<{name} "));
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        if escaped {
            escaped = false;
        } else if letter == '\\' {
            escaped = true;
        } else if rest.starts_with(&close) {
            match depth.checked_sub(1) {
                None => return Some(at),
                Some(less) => depth = less,
            }
        } else if rest.starts_with(&bare) || rest.starts_with(&with) {
            depth += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(id: &str) -> Option<String> {
        (id == "sun").then(|| "Sun".to_owned())
    }

    fn shown(pieces: &[RichPiece]) -> String {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                RichPiece::Text(text) => out.push_str(text),
                RichPiece::Styled { style, pieces } => {
                    out.push_str(&format!("[{style:?}:{}]", shown(pieces)));
                }
                RichPiece::Coloured { pieces, .. } => out.push_str(&format!("[Colour:{}]", shown(pieces))),
                RichPiece::Symbol { text, .. } => out.push_str(&format!("[Symbol:{text}]")),
            }
        }
        out
    }

    /// P60–P65: what is read is written so that it reads the same.
    #[test]
    fn marks_are_read_and_written() {
        let cases = [
            ("*Flying.* Pay 2*3 or 4 * 5.", "[Bold:Flying.] Pay 2*3 or 4 * 5."),
            (
                "snake_case and _so *it* is_.",
                "snake_case and [Italic:so [Bold:it] is].",
            ),
            (
                "\\*not\\* <u>under</u> <c #20c040>g</c>",
                "*not* [Underline:under] [Colour:g]",
            ),
            (
                "Pay {sun}, not {moon}; <s sun>S</s>",
                "Pay [Symbol:Sun], not {moon}; [Symbol:S]",
            ),
            ("a < b > c <x>", "a < b > c <x>"),
            ("un<b>do</b>", "un[Bold:do]"),
            ("*open and _open", "*open and _open"),
            ("", ""),
        ];
        for (text, wanted) in cases {
            let read = unmarked(text, &symbol).unwrap();
            assert_eq!(shown(&read.pieces), wanted, "{text}");
            let again = unmarked(&marked(&read, &symbol), &symbol).unwrap();
            assert_eq!(again, read, "{text}");
        }
        for (text, wanted) in [
            ("a <b>c", "`<b>` is never closed: `</b>` is missing"),
            ("<c red>a</c>", "`red` is not a colour as #20c040"),
            ("<s moon>M</s>", "the game has no symbol `moon`"),
        ] {
            assert_eq!(
                unmarked(text, &symbol).map(|read| shown(&read.pieces)),
                Err(wanted.to_owned()),
                "{text}"
            );
        }
    }
}
