use cw_text::{Safety, Span};

use crate::codes::{PK060, PK061, PK062, PK063, PK064, PK065, PK066, PK157};
use crate::read::{clipped, replace};
use crate::report::FileReport;
use crate::xml::{Child, XmlElement};
use crate::{FilePlace, LocatedValue, Str};

/// Formatted text of a RichText property (section 3 of the package rules).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RichText {
    /// The pieces in order.
    pub pieces: Vec<RichPiece>,
    /// All text without formatting, symbols as their inner text (P65).
    pub plain: Str,
}

/// One piece of a [`RichText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RichPiece {
    /// Characters.
    Text(Str),
    /// `<b>`, `<i>` or `<u>` around pieces.
    Styled {
        /// Which of them.
        style: RichStyle,
        /// What is inside.
        pieces: Vec<RichPiece>,
    },
    /// `<c value="#rrggbb">` around pieces.
    Coloured {
        /// Red, green, blue.
        colour: [u8; 3],
        /// What is inside.
        pieces: Vec<RichPiece>,
    },
    /// `<s value="id">text</s>`: a symbol of the definition.
    Symbol {
        /// The id as written (P61: compared as text).
        id: LocatedValue<Str>,
        /// What stands for it in plain text (P62, unescaped).
        text: Str,
        /// The whole element.
        place: FilePlace,
    },
}

/// How text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RichStyle {
    /// `<b>`
    Bold,
    /// `<i>`
    Italic,
    /// `<u>`
    Underline,
}

impl RichText {
    /// Text without any formatting.
    pub fn plain_text(text: Str) -> RichText {
        RichText {
            pieces: vec![RichPiece::Text(text.clone())],
            plain: text,
        }
    }

    /// Calls `visit` for every symbol, also those inside other pieces.
    pub fn symbols(&self, visit: &mut dyn FnMut(&LocatedValue<Str>)) {
        symbols(&self.pieces, visit);
    }
}

fn symbols(pieces: &[RichPiece], visit: &mut dyn FnMut(&LocatedValue<Str>)) {
    for piece in pieces {
        match piece {
            RichPiece::Text(_) => {}
            RichPiece::Styled { pieces, .. } | RichPiece::Coloured { pieces, .. } => symbols(pieces, visit),
            RichPiece::Symbol { id, .. } => visit(id),
        }
    }
}

/// Reads the content of a property; nothing if there are no pieces (P68).
pub(crate) fn read(element: XmlElement<'_>, report: &mut FileReport) -> Option<RichText> {
    let mut text = RichReading {
        report,
        plain: PlainText::Nothing,
    };
    let pieces = text.pieces(element, None);
    if pieces.is_empty() {
        return None;
    }
    let plain = match text.plain {
        PlainText::Nothing => Str::default(),
        PlainText::One(one) => one,
        PlainText::Many(many) => Str::from(many),
    };
    if let Some(tag) = escaped_tag(&plain) {
        let message = format!("`{tag}` is shown as text: the markup is escaped");
        let help = "write `<` and `>` themselves around the tags of formatted text";
        let span = Span::between(element.tag_span().end, element.span().end);
        report.add(report.warning(PK157, span, message).help(help));
    }
    Some(RichText { pieces, plain })
}

/// PK157: a start tag of formatted text that stands in the text itself, of which the end tag stands there,
/// too.
fn escaped_tag(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = rest.find('>')? + 1;
        let tag = &rest[..end];
        let name = tag[1..end - 1].split_whitespace().next().unwrap_or_default();
        let known = matches!(
            name,
            "b" | "i" | "u" | "c" | "s" | "bold" | "italic" | "underline" | "color" | "symbol"
        );
        if known && rest[end..].contains(&format!("</{name}>")) {
            return Some(tag);
        }
        rest = &rest[1..];
    }
    None
}

struct RichReading<'r> {
    report: &'r mut FileReport,
    plain: PlainText,
}

/// The plain text so far; one piece stays a slice of the file.
enum PlainText {
    Nothing,
    One(Str),
    Many(String),
}

impl RichReading<'_> {
    fn say(&mut self, text: &Str) {
        if text.is_empty() {
            return;
        }
        self.plain = match std::mem::replace(&mut self.plain, PlainText::Nothing) {
            PlainText::Nothing => PlainText::One(text.clone()),
            PlainText::One(one) => PlainText::Many(one.to_string() + text),
            PlainText::Many(mut many) => {
                many.push_str(text);
                PlainText::Many(many)
            }
        };
    }

    fn pieces(&mut self, parent: XmlElement<'_>, inside: Option<RichStyle>) -> Vec<RichPiece> {
        let mut pieces = Vec::new();
        let mut children = parent.children().peekable();
        let mut after_element = false;
        while let Some(child) = children.next() {
            match child {
                Child::Text(text) => {
                    let value = text.value();
                    self.say(&value);
                    push_text(&mut pieces, value);
                    after_element = false;
                }
                Child::Blank(span) => {
                    let before_element = matches!(children.peek(), Some(Child::Element(_)));
                    if after_element && before_element {
                        self.lost_blank(span);
                    }
                }
                Child::Comment(_) => {}
                Child::Element(element) => {
                    match self.element(element, inside) {
                        Some(RichPiece::Text(text)) => push_text(&mut pieces, text),
                        piece => pieces.extend(piece),
                    }
                    after_element = true;
                }
            }
        }
        pieces
    }

    /// Reports a blank alone between two elements, which OCTGN loses (PK066, P66).
    fn lost_blank(&mut self, span: Span) {
        let help = "put the blank inside one of the elements";
        let message = "OCTGN loses a blank that stands alone between two elements";
        self.report
            .add(self.report.warning(PK066, span, message).help(help));
    }

    fn element(&mut self, element: XmlElement<'_>, inside: Option<RichStyle>) -> Option<RichPiece> {
        let name = element.name();
        let short = match name.to_ascii_lowercase().as_str() {
            "b" | "bold" => "b",
            "i" | "italic" => "i",
            "u" | "underline" => "u",
            "c" | "color" => "c",
            "s" | "symbol" => "s",
            "t" | "text" => "t",
            _ => {
                self.unknown(element);
                return None;
            }
        };
        if name != short {
            self.long_form(element, short);
        }
        match short {
            "b" => Some(self.styled(element, RichStyle::Bold, inside)),
            "i" => Some(self.styled(element, RichStyle::Italic, inside)),
            "u" => Some(self.styled(element, RichStyle::Underline, inside)),
            "c" => self.coloured(element),
            "s" => self.symbol(element),
            _ => {
                // P62: `t` yields its text, flattened.
                let text = element.inner_text();
                self.say(&text);
                (!text.is_empty()).then_some(RichPiece::Text(text))
            }
        }
    }

    /// Reports an element that is not rich text (PK063, P63).
    fn unknown(&mut self, element: XmlElement<'_>) {
        let message = format!(
            "`<{}>` is not rich text: OCTGN drops it with all its text",
            clipped(element.name())
        );
        let help = match element.name() {
            "br" => "write `&#10;` for a new line",
            "em" => "did you mean `<i>`?",
            "strong" => "did you mean `<b>`?",
            "font" => "did you mean `<c value=\"#rrggbb\">`?",
            _ => "b, i, u, c and s are known",
        };
        let finding = self
            .report
            .warning(PK063, element.name_span(), message)
            .help(help);
        self.report.add(finding);
    }

    /// Reports the long form of a tag (PK064, P60).
    fn long_form(&mut self, element: XmlElement<'_>, short: &str) {
        let message = format!("o8build refuses `<{}>`", clipped(element.name()));
        let finding = self.report.hint(PK064, element.name_span(), message);
        let fix = rename(self.report, element, short);
        self.report
            .add(finding.help(format!("write `<{short}>`")).fix(fix));
    }

    fn styled(&mut self, element: XmlElement<'_>, style: RichStyle, inside: Option<RichStyle>) -> RichPiece {
        if inside == Some(style) {
            let message = format!("`<{0}>` directly inside `<{0}>` changes nothing", element.name());
            self.report
                .add(self.report.hint(PK065, element.name_span(), message));
        }
        RichPiece::Styled {
            style,
            pieces: self.pieces(element, Some(style)),
        }
    }

    fn coloured(&mut self, element: XmlElement<'_>) -> Option<RichPiece> {
        let colour = element
            .attribute("value")
            .map(|value| (value.value(), value.value_span()));
        let parsed = colour.as_ref().and_then(|(text, _)| parse_colour(text));
        if parsed.is_none() {
            let (text, span) = colour.unwrap_or_else(|| (Str::default(), element.name_span()));
            let message = format!(
                "colour `{}` is not `#` and six hexadecimal digits",
                clipped(&text)
            );
            let mut finding = self.report.error(PK061, span, message);
            if let Some(named) = named_colour(&text) {
                finding = finding.help(format!("did you mean `{named}`?"));
                finding = finding.fix(replace(self.report, span, named, Safety::Unsafe));
            }
            self.report.add(finding);
        }
        let pieces = self.pieces(element, None);
        Some(RichPiece::Coloured {
            colour: parsed.unwrap_or_default(),
            pieces,
        })
    }

    fn symbol(&mut self, element: XmlElement<'_>) -> Option<RichPiece> {
        let Some(value) = element.attribute("value") else {
            let message = "symbol without `value`";
            self.report
                .add(self.report.error(PK060, element.name_span(), message));
            return None;
        };
        let text = element.inner_text();
        let is_content = |child| matches!(child, Child::Text(_) | Child::Element(_));
        if !element.children().any(is_content) {
            let help = format!(
                "write a text for it, as `<s value=\"{0}\">{0}</s>`",
                clipped(&value.value())
            );
            let message = "symbol without text: OCTGN drops the whole set";
            self.report
                .add(self.report.error(PK062, element.tag_span(), message).help(help));
        }
        self.say(&text);
        Some(RichPiece::Symbol {
            id: LocatedValue::new(value.value(), value.value_span()),
            text,
            place: FilePlace(element.span()),
        })
    }
}

/// Adds a text; two in a row are one, since nothing is inserted between (P65).
fn push_text(pieces: &mut Vec<RichPiece>, text: Str) {
    if text.is_empty() {
        return;
    }
    if let Some(RichPiece::Text(last)) = pieces.last_mut() {
        *last = Str::from(last.to_string() + &text);
    } else {
        pieces.push(RichPiece::Text(text));
    }
}

/// Renames start and end tag of an element.
fn rename(report: &FileReport, element: XmlElement<'_>, name: &str) -> cw_text::FindingFix {
    let mut fix = replace(report, element.name_span(), name, Safety::Safe);
    if !element.is_empty_tag() {
        let close = element.span().end as usize;
        let inner = &element.source()[element.span().range()];
        let tag = inner.rfind("</").unwrap_or(inner.len());
        let start = element.span().start as usize + tag + 2;
        let length = element.name().len();
        if start + length < close {
            fix.edits.push(cw_text::TextEdit {
                file: report.file,
                span: Span::new(start, start + length),
                text: name.to_owned(),
            });
        }
    }
    fix
}

/// P61: `#` and six hexadecimal digits.
fn parse_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    let fits = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

fn named_colour(text: &str) -> Option<String> {
    let short = text.strip_prefix('#').filter(|digits| digits.len() == 3);
    if let Some(digits) = short.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        return Some(
            digits
                .chars()
                .fold("#".to_owned(), |all, digit| all + &format!("{digit}{digit}")),
        );
    }
    let bare = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = match text.to_ascii_lowercase().as_str() {
        "red" => "#ff0000",
        "green" => "#008000",
        "blue" => "#0000ff",
        "yellow" => "#ffff00",
        "black" => "#000000",
        "white" => "#ffffff",
        "grey" | "gray" => "#808080",
        "orange" => "#ffa500",
        "purple" => "#800080",
        _ if bare => return Some(format!("#{text}")),
        _ => return None,
    };
    Some(code.to_owned())
}
