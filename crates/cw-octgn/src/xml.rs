//! XML with places: a tree over one text, built from quick-xml's events, that goes on after errors.

use cw_text::{SharedText, Span, offset};
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::Event;

use crate::codes::{PK001, PK002, PK003, PK004, PK005, PK011};
use crate::report::FileReport;
use crate::{PackageLimits, Str};

/// After so many XML errors the rest of a file is not looked at.
const MAX_ERRORS: usize = 50;

/// A document: elements, texts and comments in document order.
#[derive(Debug)]
pub(crate) struct XmlTree {
    text: SharedText,
    nodes: Vec<XmlNode>,
    attributes: Vec<AttributeNode>,
    /// Whether it is well-formed and within the limits: only then a model may be made of it (P174).
    pub(crate) well_formed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XmlNodeKind {
    /// `<a …>` … `</a>`
    Element,
    /// `<a …/>`
    Empty,
    /// Characters; `flagged`: has references or carriage returns.
    Text,
    /// Only blanks without a newline, between two tags (P66).
    Blank,
    CData,
    Comment,
}

#[derive(Clone, Copy, Debug)]
struct XmlNode {
    kind: XmlNodeKind,
    flagged: bool,
    name_length: u16,
    /// First byte of the tag or text.
    start: u32,
    /// After the start tag or text.
    end: u32,
    /// After the end tag.
    close: u32,
    /// Index after the last descendant.
    next: u32,
    attributes: u32,
    attribute_count: u32,
}

#[derive(Clone, Copy, Debug)]
struct AttributeNode {
    name_start: u32,
    name_end: u32,
    value_start: u32,
    value_end: u32,
    flagged: bool,
}

/// One element of a [`XmlTree`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct XmlElement<'t> {
    tree: &'t XmlTree,
    index: usize,
}

/// One attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct XmlAttribute<'t> {
    tree: &'t XmlTree,
    node: &'t AttributeNode,
}

/// What an element contains.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Child<'t> {
    Element(XmlElement<'t>),
    /// Text with its place; references are still to be replaced.
    Text(TextNode<'t>),
    /// Blanks without a newline between two tags, with their place (P66).
    Blank(Span),
    Comment(Span),
}

/// A run of characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextNode<'t> {
    tree: &'t XmlTree,
    node: &'t XmlNode,
}

impl XmlTree {
    /// The outermost element, if there is one.
    pub(crate) fn root(&self) -> Option<XmlElement<'_>> {
        let is_element = |node: &XmlNode| matches!(node.kind, XmlNodeKind::Element | XmlNodeKind::Empty);
        let index = self.nodes.iter().position(is_element)?;
        Some(XmlElement { tree: self, index })
    }

    fn slice(&self, start: u32, end: u32) -> &str {
        &self.text[start as usize..end as usize]
    }

    fn str(&self, start: u32, end: u32, flagged: bool, place: Whitespace) -> Str {
        if flagged {
            return Str::from(unescape(self.slice(start, end), place));
        }
        Str::cut(&self.text, start, end)
    }
}

impl<'t> XmlElement<'t> {
    fn node(self) -> &'t XmlNode {
        &self.tree.nodes[self.index]
    }

    pub(crate) fn name(self) -> &'t str {
        let node = self.node();
        let start = node.start + 1;
        self.tree.slice(start, start + u32::from(node.name_length))
    }

    pub(crate) fn name_span(self) -> Span {
        let node = self.node();
        let start = node.start as usize + 1;
        Span::new(start, start + usize::from(node.name_length))
    }

    /// The start tag.
    pub(crate) fn tag_span(self) -> Span {
        let node = self.node();
        Span::between(node.start, node.end)
    }

    /// From the start tag to the end tag.
    pub(crate) fn span(self) -> Span {
        let node = self.node();
        Span::between(node.start, node.close)
    }

    /// Whether it was written `<a/>` (P46).
    pub(crate) fn is_empty_tag(self) -> bool {
        self.node().kind == XmlNodeKind::Empty
    }

    /// The text of the file.
    pub(crate) fn source(self) -> &'t SharedText {
        &self.tree.text
    }

    pub(crate) fn attributes(self) -> impl Iterator<Item = XmlAttribute<'t>> {
        let node = self.node();
        let first = node.attributes as usize;
        self.tree.attributes[first..first + node.attribute_count as usize]
            .iter()
            .map(move |attribute| XmlAttribute {
                tree: self.tree,
                node: attribute,
            })
    }

    pub(crate) fn attribute(self, name: &str) -> Option<XmlAttribute<'t>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// Everything directly inside.
    pub(crate) fn children(self) -> impl Iterator<Item = Child<'t>> {
        let tree = self.tree;
        let end = self.node().next as usize;
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            if index >= end {
                return None;
            }
            let node = &tree.nodes[index];
            let child = match node.kind {
                XmlNodeKind::Element | XmlNodeKind::Empty => Child::Element(XmlElement { tree, index }),
                XmlNodeKind::Text | XmlNodeKind::CData => Child::Text(TextNode { tree, node }),
                XmlNodeKind::Blank => Child::Blank(node_span(node)),
                XmlNodeKind::Comment => Child::Comment(node_span(node)),
            };
            index = node.next as usize;
            Some(child)
        })
    }

    /// The elements directly inside.
    pub(crate) fn elements(self) -> impl Iterator<Item = XmlElement<'t>> {
        self.children().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) | Child::Blank(_) | Child::Comment(_) => None,
        })
    }

    /// All elements inside, at any depth, in document order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = XmlElement<'t>> {
        let tree = self.tree;
        (self.index + 1..self.node().next as usize)
            .filter(|index| matches!(tree.nodes[*index].kind, XmlNodeKind::Element | XmlNodeKind::Empty))
            .map(move |index| XmlElement { tree, index })
    }

    /// All text inside, at any depth, without the markup.
    pub(crate) fn inner_text(self) -> Str {
        let nodes = &self.tree.nodes[self.index + 1..self.node().next as usize];
        let mut texts = nodes
            .iter()
            .filter(|node| matches!(node.kind, XmlNodeKind::Text | XmlNodeKind::CData))
            .map(|node| TextNode {
                tree: self.tree,
                node,
            });
        let Some(first) = texts.next() else {
            return Str::default();
        };
        let first = first.value();
        let Some(second) = texts.next() else {
            return first;
        };
        let mut all = first.to_string() + &second.value();
        for text in texts {
            all.push_str(&text.value());
        }
        Str::from(all)
    }
}

fn node_span(node: &XmlNode) -> Span {
    Span::between(node.start, node.end)
}

impl<'t> XmlAttribute<'t> {
    pub(crate) fn name(self) -> &'t str {
        self.tree.slice(self.node.name_start, self.node.name_end)
    }

    pub(crate) fn name_span(self) -> Span {
        Span::between(self.node.name_start, self.node.name_end)
    }

    /// The value with references replaced and line breaks as blanks (P10).
    pub(crate) fn value(self) -> Str {
        let AttributeNode {
            value_start,
            value_end,
            flagged,
            ..
        } = *self.node;
        self.tree.str(value_start, value_end, flagged, Whitespace::Blanks)
    }

    /// The bytes between the quotes.
    pub(crate) fn value_span(self) -> Span {
        Span::between(self.node.value_start, self.node.value_end)
    }

    /// From the name to the closing quote.
    pub(crate) fn span(self) -> Span {
        Span::between(self.node.name_start, self.node.value_end + 1)
    }
}

impl TextNode<'_> {
    /// The text with references replaced.
    pub(crate) fn value(self) -> Str {
        let node = self.node;
        if node.kind != XmlNodeKind::CData {
            return self
                .tree
                .str(node.start, node.end, node.flagged, Whitespace::Kept);
        }
        let inner = self.tree.slice(node.start + 9, node.end - 3);
        if inner.contains('\r') {
            return Str::from(inner.replace("\r\n", "\n").replace('\r', "\n"));
        }
        Str::slice(&self.tree.text, node.start as usize + 9..node.end as usize - 3)
    }

    pub(crate) fn span(self) -> Span {
        node_span(self.node)
    }

    /// Its place without the blanks around it.
    pub(crate) fn trimmed_span(self) -> Span {
        trim_end(&self.tree.text, trim_start(&self.tree.text, self.span()))
    }

    pub(crate) fn is_cdata(self) -> bool {
        self.node.kind == XmlNodeKind::CData
    }
}

/// What becomes of line breaks and tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whitespace {
    /// Attribute values: each becomes a blank (P10).
    Blanks,
    /// Element content: only `\r\n` becomes `\n`.
    Kept,
}

fn unescape(raw: &str, whitespace: Whitespace) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['&', '\r', '\n', '\t']) {
        out.push_str(&rest[..at]);
        let special = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match special {
            b'&' => {
                let end = rest.find(';').unwrap_or(0);
                match reference(&rest[..end]) {
                    Some(character) => {
                        out.push(character);
                        rest = &rest[end + 1..];
                    }
                    None => out.push('&'),
                }
            }
            b'\r' => {
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                out.push(if whitespace == Whitespace::Blanks {
                    ' '
                } else {
                    '\n'
                });
            }
            _ if whitespace == Whitespace::Blanks => out.push(' '),
            _ => out.push(char::from(special)),
        }
    }
    out.push_str(rest);
    out
}

/// The character a reference (without `&` and `;`) stands for, if XML knows it and allows it.
fn reference(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    if number.len() > 9 {
        return None;
    }
    let code = match number.strip_prefix('x') {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()?
        }
        None if number.bytes().all(|byte| byte.is_ascii_digit()) => number.parse().ok()?,
        _ => return None,
    };
    char::from_u32(code).filter(|character| allowed(*character))
}

/// Whether XML 1.0 allows the character.
fn allowed(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => character >= ' ',
    }
}

/// Makes text of the bytes of a file, without its byte-order mark (P3).
///
/// Whatever cannot be decoded is reported as PK004 and replaced; the flag tells whether all was well.
pub(crate) fn decode(mut bytes: Vec<u8>) -> Decoded {
    let unit = match bytes.get(..2) {
        Some([0xff, 0xfe]) => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        Some([0xfe, 0xff]) => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    if let Some(unit) = unit {
        let (text, broken) = utf16(&bytes[2..], unit);
        let trouble = broken.then(|| {
            let at = text.find('\u{fffd}').unwrap_or(0);
            (at, "not valid UTF-16".to_owned())
        });
        return Decoded {
            text: text.into(),
            trouble,
            utf16: true,
        };
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let (text, trouble) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[at];
            let trouble = (at, format!("byte 0x{byte:02X} is not UTF-8"));
            (
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                Some(trouble),
            )
        }
    };
    Decoded {
        text: text.into(),
        trouble,
        utf16: false,
    }
}

/// The text of UTF-16 whose units are made of two bytes each, and whether something was no character: half a
/// pair, or half a unit at the end.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, bool) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut broken = !rest.is_empty();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text: String = char::decode_utf16(units)
        .map(|decoded| {
            decoded.unwrap_or_else(|_| {
                broken = true;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    // Half a pair before half a unit is one that was cut.
    let is_told = pairs
        .last()
        .is_some_and(|pair| (0xd800..0xdc00).contains(&unit(*pair)));
    if !rest.is_empty() && !is_told {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, broken)
}

/// A text in the encoding of the file that it comes from, with that file's byte-order mark (P3): what
/// reading takes off the bytes is put on again.
pub fn encoded_like(original: &[u8], text: &str) -> Vec<u8> {
    let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
    match original {
        [0xff, 0xfe, ..] => units().flat_map(u16::to_le_bytes).collect(),
        [0xfe, 0xff, ..] => units().flat_map(u16::to_be_bytes).collect(),
        [0xef, 0xbb, 0xbf, ..] => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        _ => text.as_bytes().to_vec(),
    }
}

/// The text of a file, and what was wrong with its bytes.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) text: SharedText,
    trouble: Option<(usize, String)>,
    utf16: bool,
}

impl Decoded {
    /// A text that was decoded before.
    pub(crate) fn again(text: SharedText, utf16: bool) -> Decoded {
        Decoded {
            text,
            trouble: None,
            utf16,
        }
    }

    /// Reports what was wrong with the bytes; tells whether nothing was.
    pub(crate) fn report(&self, report: &mut FileReport) -> bool {
        if let Some((at, message)) = &self.trouble {
            let span = Span::new(*at, *at + '\u{fffd}'.len_utf8());
            let help = "save the file as UTF-8 (or UTF-16 with a byte-order mark)";
            report.add(report.error(PK004, span, message).help(help));
            return false;
        }
        true
    }

    pub(crate) fn is_utf16(&self) -> bool {
        self.utf16
    }
}

/// Where the reader stands: in the text, which is in memory.
fn position(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Builds the tree of a text, reporting everything that is wrong with it as XML.
pub(crate) fn parse(
    text: SharedText,
    utf16: bool,
    limits: &PackageLimits,
    report: &mut FileReport,
) -> XmlTree {
    parse_by(text, utf16, limits, report, true)
}

fn parse_by(
    text: SharedText,
    utf16: bool,
    limits: &PackageLimits,
    report: &mut FileReport,
    is_plain: bool,
) -> XmlTree {
    let length = text.len();
    let mut builder = XmlBuilder {
        source: &text,
        limits,
        report,
        utf16,
        nodes: Vec::with_capacity(length / 40),
        attributes: Vec::with_capacity(length / 40),
        open: Vec::new(),
        elements: 0,
        roots: 0,
        errors: 0,
        preserve: 0,
        stopped: false,
        is_plain,
    };
    builder.control_characters();
    builder.run();
    let well_formed = builder.errors == 0;
    let (nodes, attributes) = (builder.nodes, builder.attributes);
    XmlTree {
        text,
        nodes,
        attributes,
        well_formed,
    }
}

struct XmlBuilder<'a> {
    source: &'a str,
    limits: &'a PackageLimits,
    report: &'a mut FileReport,
    utf16: bool,
    nodes: Vec<XmlNode>,
    attributes: Vec<AttributeNode>,
    open: Vec<usize>,
    elements: usize,
    roots: usize,
    errors: usize,
    /// How many of the open elements, counted from the outermost with it, are below `xml:space="preserve"`.
    preserve: usize,
    stopped: bool,
    /// Whether what is plain is read without the reader.
    is_plain: bool,
}

/// What a tag's attributes turned out to be.
enum Scanned {
    Fine,
    /// Reading goes on at this byte.
    ResumeAt(usize),
}

impl XmlBuilder<'_> {
    fn error(
        &mut self,
        code: cw_text::FindingCode,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.errors += 1;
        let mut finding = self.report.error(code, clip(self.source, span), message);
        finding.help = help;
        self.report.add(finding);
        if self.errors >= MAX_ERRORS {
            self.stopped = true;
        }
    }

    fn stop(&mut self, span: Span, message: String) {
        self.error(PK005, span, message, None);
        self.stopped = true;
    }

    fn control_characters(&mut self) {
        let control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
        let bytes = self.source.as_bytes();
        // Without a way out inside a chunk, many bytes are looked at together. U+FFFE and U+FFFF begin with
        // 0xEF.
        let (mut dirty, mut high) = (false, false);
        for chunk in bytes.chunks(4096) {
            dirty |= chunk.iter().fold(false, |found, byte| found | control(*byte));
            high |= chunk.iter().fold(false, |found, byte| found | (*byte == 0xef));
        }
        let first = if dirty {
            bytes.iter().position(|byte| control(*byte))
        } else if high {
            self.source.find(['\u{fffe}', '\u{ffff}'])
        } else {
            None
        };
        if let Some(at) = first {
            let character = self.source[at..].chars().next().unwrap_or('\0');
            let message = format!("character U+{:04X} is not allowed in XML", u32::from(character));
            let span = Span::new(at, at + character.len_utf8());
            self.error(PK004, span, message, None);
        }
    }

    fn run(&mut self) {
        let mut base = 0;
        loop {
            match self.read_from(base) {
                Some(resume) if !self.stopped => base = resume,
                _ => break,
            }
        }
        if !self.stopped {
            self.close_at_end();
        }
        // Whatever is still open ends with the text.
        let end = self.source.len();
        while let Some(index) = self.open.pop() {
            self.close(index, end);
        }
        if !self.stopped && self.roots == 0 && self.errors == 0 {
            let help = "an XML file needs one element around everything".to_owned();
            self.error(PK001, Span::at(0), "no element in this file", Some(help));
        }
    }

    /// Reads events from a byte on; tells where to go on after an error in the middle, or after what only the
    /// reader understands.
    fn read_from(&mut self, base: usize) -> Option<usize> {
        let source = self.source;
        let mut base = self.plain(base);
        // The reader would take it for a byte-order mark, and count without it.
        while source[base..].starts_with('\u{feff}') {
            let end = base + '\u{feff}'.len_utf8();
            self.text(base, end);
            base = end;
        }
        let mut reader = Reader::from_str(&source[base..]);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        loop {
            let start = base + position(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return self.syntax(start, &error),
            };
            let end = base + position(reader.buffer_position());
            let resume = match event {
                Event::Start(tag) => self.start(start, end, tag.name().as_ref().len(), XmlNodeKind::Element),
                Event::Empty(tag) => self.start(start, end, tag.name().as_ref().len(), XmlNodeKind::Empty),
                Event::End(tag) => {
                    self.end(start, end, tag.name().as_ref());
                    Scanned::Fine
                }
                Event::Text(_) | Event::GeneralRef(_) => {
                    self.text(start, end);
                    Scanned::Fine
                }
                Event::CData(_) => {
                    self.cdata(start, end);
                    Scanned::Fine
                }
                Event::Comment(_) => {
                    self.leaf(XmlNodeKind::Comment, start, end, false);
                    Scanned::Fine
                }
                Event::PI(_) => Scanned::Fine,
                Event::Decl(_) => {
                    self.declaration(start, end);
                    Scanned::Fine
                }
                Event::DocType(_) => {
                    let help = "remove it; nothing in a package needs one".to_owned();
                    let message = "document type declarations are refused";
                    self.error(PK003, Span::new(start, start + 9), message, Some(help));
                    Scanned::Fine
                }
                Event::Eof => return None,
            };
            if self.stopped {
                return None;
            }
            if let Scanned::ResumeAt(at) = resume {
                return Some(at.max(start + 1));
            }
            if self.is_plain && !self.open.is_empty() && source.as_bytes().get(end) == Some(&b'<') {
                return Some(end);
            }
        }
    }

    /// Reads plain tags and texts, which is nearly all of any file, without the reader: those in an element,
    /// of usual form, texts without references. Stops before anything else, having changed nothing for it.
    fn plain(&mut self, from: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = from;
        while self.is_plain && !self.stopped && !self.open.is_empty() {
            let next = match bytes.get(at) {
                Some(b'<') => match bytes.get(at + 1) {
                    Some(b'/') => self.plain_end(at),
                    _ => self.plain_start(at),
                },
                Some(_) => match memchr::memchr2(b'<', b'&', &bytes[at..]) {
                    Some(length) if bytes[at + length] == b'<' => {
                        self.text(at, at + length);
                        Some(at + length)
                    }
                    _ => None,
                },
                None => None,
            };
            let Some(next) = next else { break };
            at = next;
        }
        at
    }

    /// `</name>` of the innermost open element; tells where it ends.
    fn plain_end(&mut self, start: usize) -> Option<usize> {
        let top = *self.open.last()?;
        let node = self.nodes[top];
        let length = usize::from(node.name_length);
        let opened = node.start as usize + 1;
        let bytes = self.source.as_bytes();
        let name = bytes.get(start + 2..start + 2 + length)?;
        let end = start + 3 + length;
        if length == usize::from(u16::MAX)
            || *name != bytes[opened..opened + length]
            || bytes[end - 1..].first() != Some(&b'>')
        {
            return None;
        }
        self.open.pop();
        self.close(top, end);
        Some(end)
    }

    /// A start or empty tag of usual form; tells where it ends.
    fn plain_start(&mut self, start: usize) -> Option<usize> {
        if self.elements >= self.limits.elements || self.open.len() >= self.limits.depth {
            return None;
        }
        let bytes = self.source.as_bytes();
        let ends_name = |at: usize| {
            bytes
                .get(at)
                .is_none_or(|byte| SPECIAL[*byte as usize] & ENDS_NAME != 0)
        };
        let begins = *bytes.get(start + 1)?;
        if !(begins.is_ascii_alphabetic() || begins == b'_' || begins >= 0x80) {
            return None;
        }
        let mut at = start + 2;
        while !ends_name(at) {
            at += 1;
        }
        let name_length = at - start - 1;
        if name_length > 1000 {
            return None;
        }
        let first = self.attributes.len();
        let kind = match self.plain_attributes(&mut at) {
            Some(kind) if self.attributes.len() - first <= self.limits.attributes => kind,
            _ => {
                self.attributes.truncate(first);
                return None;
            }
        };
        for index in first..self.attributes.len() {
            let attribute = self.attributes[index];
            if attribute.flagged {
                self.references(attribute.value_start as usize, attribute.value_end as usize);
            }
        }
        self.elements += 1;
        let index = self.nodes.len();
        self.nodes.push(XmlNode {
            kind,
            flagged: false,
            name_length: u16::try_from(name_length).unwrap_or(u16::MAX),
            start: offset(start),
            end: offset(at),
            close: offset(at),
            next: offset(index + 1),
            attributes: offset(first),
            attribute_count: offset(self.attributes.len() - first),
        });
        if kind == XmlNodeKind::Element {
            self.open.push(index);
        }
        Some(at)
    }

    /// Attributes of usual form, to the end of their tag.
    fn plain_attributes(&mut self, at: &mut usize) -> Option<XmlNodeKind> {
        let bytes = self.source.as_bytes();
        let first = self.attributes.len();
        loop {
            let blanks = *at;
            while is_blank(*bytes.get(*at)?) {
                *at += 1;
            }
            match bytes[*at] {
                b'>' => {
                    *at += 1;
                    return Some(XmlNodeKind::Element);
                }
                b'/' if bytes.get(*at + 1) == Some(&b'>') => {
                    *at += 2;
                    return Some(XmlNodeKind::Empty);
                }
                _ if *at == blanks => return None,
                _ => {}
            }
            let name_start = *at;
            while SPECIAL[*bytes.get(*at)? as usize] & ENDS_NAME == 0 {
                *at += 1;
            }
            let name_end = *at;
            let name = &bytes[name_start..name_end];
            let quote = *bytes.get(name_end + 1)?;
            let is_usual = bytes[name_end] == b'=' && matches!(quote, b'"' | b'\'');
            if name.is_empty() || !is_usual || name.starts_with(b"xml:") {
                return None;
            }
            let value_start = name_end + 2;
            let mut seen = 0u8;
            let mut value_end = value_start;
            loop {
                let byte = *bytes.get(value_end)?;
                if byte == quote {
                    break;
                }
                seen |= SPECIAL[byte as usize];
                value_end += 1;
            }
            if seen & LESS != 0 || value_end - value_start > self.limits.text {
                return None;
            }
            let is_same = |other: &AttributeNode| {
                (other.name_end - other.name_start) as usize == name.len()
                    && bytes[other.name_start as usize..other.name_end as usize] == *name
            };
            if self.attributes[first..].iter().any(is_same) {
                return None;
            }
            self.attributes.push(AttributeNode {
                name_start: offset(name_start),
                name_end: offset(name_end),
                value_start: offset(value_start),
                value_end: offset(value_end),
                flagged: seen & (AMPERSAND | BREAK) != 0,
            });
            *at = value_end + 1;
        }
    }

    /// A construct that quick-xml could not read to its end.
    fn syntax(&mut self, start: usize, error: &Error) -> Option<usize> {
        let rest = &self.source[start..];
        let Error::Syntax(error) = error else {
            self.error(PK001, Span::at(start), "not XML", None);
            return rest.get(1..)?.find('<').map(|at| start + 1 + at);
        };
        let message = match error {
            SyntaxError::UnclosedComment => "comment without `-->`",
            SyntaxError::UnclosedCData => "CDATA section without `]]>`",
            SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "processing instruction without `?>`",
            SyntaxError::UnclosedDoctype => {
                let message = "document type declarations are refused";
                self.error(
                    PK003,
                    Span::new(start, (start + 9).min(self.source.len())),
                    message,
                    None,
                );
                return None;
            }
            SyntaxError::InvalidBangMarkup => "`<!` begins neither a comment nor a CDATA section",
            SyntaxError::UnclosedTag
            | SyntaxError::UnclosedSingleQuotedAttributeValue
            | SyntaxError::UnclosedDoubleQuotedAttributeValue => {
                return self.unclosed_tag(start);
            }
        };
        let span = Span::new(
            start,
            start + rest.find(['\n', '>']).unwrap_or(rest.len()).min(40),
        );
        self.error(PK001, clip(self.source, span), message, None);
        // The next tag is the next place that can make sense.
        rest.get(1..)?.find('<').map(|at| start + 1 + at)
    }

    /// A tag that has no `>`: its attributes tell where it went wrong.
    fn unclosed_tag(&mut self, start: usize) -> Option<usize> {
        let name = name_length(&self.source[start + 1..]);
        let errors = self.errors;
        let scanned = self.attributes(start + 1 + name, self.source.len());
        if let Scanned::ResumeAt(at) = scanned
            && self.errors > errors
        {
            return Some(at.max(start + 1));
        }
        let span = Span::new(start, start + 1 + name);
        self.error(PK001, span, "tag without `>`", None);
        let rest = &self.source[start + 1..];
        rest.find('<').map(|at| start + 1 + at)
    }

    fn declaration(&mut self, start: usize, end: usize) {
        if start != 0 {
            let message = "the XML declaration must be at the very start of the file";
            self.error(PK001, Span::new(start, end), message, None);
            return;
        }
        let text = &self.source[start..end];
        let Some(at) = text.find("encoding") else {
            return;
        };
        let Some(open) = text[at..].find(['"', '\'']).map(|open| at + open) else {
            return;
        };
        let quote = char::from(text.as_bytes()[open]);
        let Some(length) = text[open + 1..].find(quote) else {
            return;
        };
        let span = Span::new(start + open + 1, start + open + 1 + length);
        let name = &self.source[span.range()];
        let known = if self.utf16 {
            name.to_ascii_lowercase().starts_with("utf-16")
        } else {
            ["utf-8", "utf8", "us-ascii", "ascii"].contains(&name.to_ascii_lowercase().as_str())
        };
        if !known {
            let help = "save the file as UTF-8 and declare `encoding=\"utf-8\"`".to_owned();
            let message = if self.utf16 {
                format!("the file is UTF-16, its declaration says `{name}`")
            } else {
                format!("encoding `{name}` is not supported")
            };
            self.error(PK004, span, message, Some(help));
        }
    }

    fn start(&mut self, start: usize, end: usize, name_length: usize, kind: XmlNodeKind) -> Scanned {
        self.elements += 1;
        if self.elements > self.limits.elements {
            self.stop(
                Span::new(start, start + 1 + name_length),
                format!("more than {} elements", self.limits.elements),
            );
            return Scanned::Fine;
        }
        if self.open.len() >= self.limits.depth {
            self.stop(
                Span::new(start, start + 1 + name_length.min(100)),
                format!("elements nested deeper than {}", self.limits.depth),
            );
            return Scanned::Fine;
        }
        let name = &self.source[start + 1..start + 1 + name_length];
        let begins = name.as_bytes().first().copied().unwrap_or(b' ');
        if name_length > 1000
            || !(begins.is_ascii_alphabetic() || begins == b'_' || begins == b':' || begins >= 0x80)
        {
            let span = clip(self.source, Span::new(start, start + 1 + name_length.min(40)));
            let help = "write `&lt;` for the character `<`".to_owned();
            self.error(PK001, span, "`<` does not begin a tag here", Some(help));
            return Scanned::ResumeAt(
                start + 1 + self.source[start + 1..end].find('<').unwrap_or(end - start - 1),
            );
        }
        if self.open.is_empty() {
            self.roots += 1;
            if self.roots == 2 {
                let span = Span::new(start, start + 1 + name_length);
                let message = format!("second outermost element `{name}`; a file has only one");
                self.error(PK001, span, message, None);
            }
        }
        let first_attribute = self.attributes.len();
        let index = self.nodes.len();
        self.nodes.push(XmlNode {
            kind,
            flagged: false,
            name_length: u16::try_from(name_length).unwrap_or(u16::MAX),
            start: offset(start),
            end: offset(end),
            close: offset(end),
            next: offset(index + 1),
            attributes: offset(first_attribute),
            attribute_count: 0,
        });
        let content_end = if kind == XmlNodeKind::Empty {
            end - 2
        } else {
            end - 1
        };
        let scanned = self.attributes(start + 1 + name_length, content_end);
        self.nodes[index].attribute_count = offset(self.attributes.len() - first_attribute);
        if let Scanned::ResumeAt(at) = scanned {
            // The tag is broken: nobody knows whether it was to be closed; it is taken as empty.
            self.nodes[index].kind = XmlNodeKind::Empty;
            self.nodes[index].end = offset(at);
            self.nodes[index].close = offset(at);
            return scanned;
        }
        if kind == XmlNodeKind::Element {
            self.open.push(index);
            let preserves = || {
                self.attributes[first_attribute..].iter().any(|attribute| {
                    &self.source[attribute.name_start as usize..attribute.name_end as usize] == "xml:space"
                        && &self.source[attribute.value_start as usize..attribute.value_end as usize]
                            == "preserve"
                })
            };
            if self.preserve == 0 && self.attributes.len() > first_attribute && preserves() {
                self.preserve = self.open.len();
            }
        }
        Scanned::Fine
    }

    /// Reads the attributes between two bytes.
    fn attributes(&mut self, from: usize, to: usize) -> Scanned {
        let bytes = self.source.as_bytes();
        let first = self.attributes.len();
        let mut at = from;
        loop {
            let blanks = at;
            while at < to && is_blank(bytes[at]) {
                at += 1;
            }
            if at >= to {
                return Scanned::Fine;
            }
            if at == blanks {
                let message = "blank missing between two attributes";
                return self.broken(at, to, Span::new(at, at + 1), message, None);
            }
            let name_start = at;
            while at < to && SPECIAL[bytes[at] as usize] & ENDS_NAME == 0 {
                at += 1;
            }
            let name_end = at;
            while at < to && is_blank(bytes[at]) {
                at += 1;
            }
            if at < to && bytes[at] == b'<' {
                // A tag begins inside a tag: the outer one was never finished.
                let tag = self.source[..from].rfind('<').unwrap_or(0);
                let span = Span::new(tag, name_end.max(from));
                let help = "finish it with `/>` or `>`, or remove it".to_owned();
                let message = "tag is not finished: another tag begins inside it";
                return self.broken(at, to, trim_end(self.source, span), message, Some(help));
            }
            if name_end == name_start {
                let message = "not an attribute";
                return self.broken(at, to, clip(self.source, Span::new(at, at + 1)), message, None);
            }
            if at >= to || bytes[at] != b'=' {
                let span = Span::new(name_start, name_end);
                let name = &self.source[span.range()];
                let message = format!("attribute `{}` has no value", shorten(name));
                return self.broken(at, to, span, &message, None);
            }
            at += 1;
            while at < to && is_blank(bytes[at]) {
                at += 1;
            }
            let quote = match bytes.get(at) {
                Some(quote @ (b'"' | b'\'')) if at < to => *quote,
                _ => {
                    let span = Span::new(name_start, at.max(name_end));
                    let name = &self.source[name_start..name_end];
                    let message = format!("value of attribute `{}` is not in quotes", shorten(name));
                    return self.broken(at, to, span, &message, None);
                }
            };
            let open = at;
            at += 1;
            let value_start = at;
            let mut seen = 0u8;
            for byte in &bytes[value_start..to] {
                if *byte == quote {
                    break;
                }
                seen |= SPECIAL[*byte as usize];
                at += 1;
            }
            if at >= to || seen & LESS != 0 {
                let value = &self.source[value_start..at];
                let less = value.find('<');
                let message = if less.is_none() || value.contains('\n') || at >= to {
                    "quote is not closed"
                } else {
                    "`<` in an attribute value"
                };
                if message.starts_with('`') {
                    let less = value_start + less.unwrap_or(0);
                    let help = Some("write `&lt;`".to_owned());
                    self.error(PK001, Span::new(less, less + 1), message, help);
                } else {
                    let resume = less.map_or(to, |less| value_start + less);
                    return self.broken(resume, resume, Span::new(open, open + 1), message, None);
                }
            }
            if at - value_start > self.limits.text {
                let message = format!("attribute value longer than {} bytes", self.limits.text);
                self.stop(Span::new(name_start, name_end), message);
                return Scanned::Fine;
            }
            if seen & AMPERSAND != 0 {
                self.references(value_start, at);
            }
            let duplicate = self.attributes[first..].iter().find(|other| {
                self.source[other.name_start as usize..other.name_end as usize]
                    == self.source[name_start..name_end]
            });
            if let Some(other) = duplicate {
                let other = Span::between(other.name_start, other.name_end);
                let name = &self.source[name_start..name_end];
                let message = format!("attribute `{}` appears twice", shorten(name));
                let finding = self.report.error(PK011, Span::new(name_start, name_end), message);
                let finding = finding.label(self.report.file, other, "first here");
                self.errors += 1;
                self.report.add(finding);
                if self.errors >= MAX_ERRORS {
                    self.stopped = true;
                    return Scanned::Fine;
                }
            } else {
                self.attributes.push(AttributeNode {
                    name_start: offset(name_start),
                    name_end: offset(name_end),
                    value_start: offset(value_start),
                    value_end: offset(at),
                    flagged: seen & (AMPERSAND | BREAK) != 0,
                });
            }
            if self.attributes.len() - first > self.limits.attributes {
                let message = format!("more than {} attributes", self.limits.attributes);
                self.stop(Span::new(name_start, name_end), message);
                return Scanned::Fine;
            }
            at += 1;
        }
    }

    /// Reports a broken tag; reading goes on at the next `<` inside it, or after it.
    fn broken(&mut self, at: usize, to: usize, span: Span, message: &str, help: Option<String>) -> Scanned {
        self.error(PK001, clip(self.source, span), message, help);
        let bytes = self.source.as_bytes();
        if at < to
            && let Some(less) = bytes[at..to].iter().position(|byte| *byte == b'<')
        {
            return Scanned::ResumeAt(at + less);
        }
        let after = match bytes.get(to..) {
            Some([b'/', b'>', ..]) => to + 2,
            Some([b'>', ..]) => to + 1,
            _ => to,
        };
        Scanned::ResumeAt(after)
    }

    /// Checks that every `&…;` between two bytes is one that XML knows.
    fn references(&mut self, from: usize, to: usize) {
        let mut at = from;
        while let Some(found) = self.source[at..to].find('&') {
            let start = at + found;
            let rest = &self.source[start + 1..to];
            let name_length = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '#'))
                .unwrap_or(rest.len());
            at = start + 1 + name_length;
            if !rest[name_length..].starts_with(';') {
                let help = Some("write `&amp;` for the character `&`".to_owned());
                self.error(
                    PK001,
                    Span::new(start, start + 1),
                    "`&` does not begin a reference",
                    help,
                );
            } else if reference(&rest[..name_length]).is_none() {
                let name = &rest[..name_length];
                let span = Span::new(start, at + 1);
                if name.starts_with('#') {
                    let message = format!("`&{};` is not a character that XML allows", shorten(name));
                    self.error(PK004, span, message, None);
                } else {
                    let message = format!("unknown entity `&{};`", shorten(name));
                    let help = Some("XML knows amp, lt, gt, quot, apos and numbers like `&#233;`".to_owned());
                    self.error(PK001, span, message, help);
                }
            }
            if self.stopped {
                return;
            }
        }
    }

    fn text(&mut self, start: usize, end: usize) {
        let text = &self.source[start..end];
        // Layout between two tags is most of a file's texts.
        let layout = self.preserve == 0
            && matches!(text.as_bytes().first(), Some(b'\n' | b'\r'))
            && text.bytes().all(is_blank);
        let touches = self
            .nodes
            .last()
            .is_some_and(|last| last.end as usize == start && last.kind == XmlNodeKind::Text);
        if layout && !touches && self.source.as_bytes().get(end) != Some(&b'&') && text.contains('\n') {
            return;
        }
        let referenced = text.as_bytes().contains(&b'&');
        if referenced {
            self.references(start, end);
        }
        // A run may come in pieces, cut at references; the pieces are one text.
        if let Some(last) = self.nodes.last_mut()
            && matches!(last.kind, XmlNodeKind::Text | XmlNodeKind::Blank)
            && last.end as usize == start
        {
            last.end = offset(end);
            last.close = offset(end);
            last.kind = XmlNodeKind::Text;
            last.flagged |= referenced || text.contains('\r');
            let length = last.end - last.start;
            if length as usize > self.limits.text {
                let message = format!("text longer than {} bytes", self.limits.text);
                self.stop(Span::at(start), message);
            }
            return;
        }
        let bytes = text.as_bytes();
        let blank = bytes.iter().all(|byte| is_blank(*byte));
        if self.open.is_empty() {
            if !blank {
                let span = trim_start(self.source, Span::new(start, end));
                self.error(
                    PK001,
                    clip_line(self.source, span),
                    "text outside the outermost element",
                    None,
                );
            }
            return;
        }
        if blank && self.preserve == 0 {
            // P7: blanks alone between two tags vanish. Those in one line are remembered (P66).
            // A run that goes on with a reference is text: then the pieces touch, and both are kept.
            let goes_on = self.source.as_bytes().get(end) == Some(&b'&');
            if goes_on {
                self.leaf(XmlNodeKind::Text, start, end, bytes.contains(&b'\r'));
            } else if !bytes.contains(&b'\n') {
                self.leaf(XmlNodeKind::Blank, start, end, false);
            }
            return;
        }
        if end - start > self.limits.text {
            let message = format!("text longer than {} bytes", self.limits.text);
            self.stop(trim_start(self.source, Span::at(start)), message);
            return;
        }
        if let Some(bracket) = memchr::memchr(b']', bytes)
            && let Some(at) = text[bracket..].find("]]>").map(|at| bracket + at)
        {
            let help = Some("write `]]&gt;`".to_owned());
            self.error(
                PK001,
                Span::new(start + at, start + at + 3),
                "`]]>` outside of a CDATA section",
                help,
            );
        }
        let flagged = referenced || bytes.contains(&b'\r');
        self.leaf(XmlNodeKind::Text, start, end, flagged);
    }

    fn cdata(&mut self, start: usize, end: usize) {
        if self.open.is_empty() {
            let span = Span::new(start, start + 9);
            self.error(PK001, span, "text outside the outermost element", None);
        } else if end - start > self.limits.text + 12 {
            self.stop(
                Span::new(start, start + 9),
                format!("text longer than {} bytes", self.limits.text),
            );
        } else {
            self.leaf(XmlNodeKind::CData, start, end, false);
        }
    }

    fn leaf(&mut self, kind: XmlNodeKind, start: usize, end: usize, flagged: bool) {
        let next = offset(self.nodes.len() + 1);
        self.nodes.push(XmlNode {
            kind,
            flagged,
            name_length: 0,
            start: offset(start),
            end: offset(end),
            close: offset(end),
            next,
            attributes: 0,
            attribute_count: 0,
        });
    }

    fn name_of(&self, index: usize) -> &str {
        let node = self.nodes[index];
        let start = node.start as usize + 1;
        &self.source[start..start + usize::from(node.name_length)]
    }

    fn name_span_of(&self, index: usize) -> Span {
        let node = self.nodes[index];
        let start = node.start as usize;
        Span::new(start, start + 1 + usize::from(node.name_length))
    }

    fn close(&mut self, index: usize, end: usize) {
        self.nodes[index].close = offset(end);
        self.nodes[index].next = offset(self.nodes.len());
        if self.open.len() < self.preserve {
            self.preserve = 0;
        }
    }

    fn end(&mut self, start: usize, end: usize, name: &str) {
        let span = Span::new(start, end);
        let Some(position) = self.open.iter().rposition(|index| self.name_of(*index) == name) else {
            match self.open.last().copied() {
                Some(top) if cw_text::nearest(name, [self.name_of(top)]).is_some() => {
                    let message = format!("`</{}>` does not close `<{}>`", shorten(name), self.name_of(top));
                    self.errors += 1;
                    let finding = self.report.error(PK002, span, message);
                    let opening = self.name_span_of(top);
                    self.report
                        .add(finding.label(self.report.file, opening, "opened here"));
                    self.open.pop();
                    self.close(top, end);
                }
                _ => {
                    let message = format!("`</{}>` closes nothing: no such element is open", shorten(name));
                    self.error(PK002, span, message, None);
                }
            }
            return;
        };
        // Everything opened after it was never closed.
        let unclosed = self.open.split_off(position + 1);
        self.report_unclosed(&unclosed, Some((span, name)));
        for index in unclosed.into_iter().rev() {
            self.close(index, start);
        }
        if let Some(index) = self.open.pop() {
            self.close(index, end);
        }
    }

    fn close_at_end(&mut self) {
        let unclosed = std::mem::take(&mut self.open);
        self.report_unclosed(&unclosed, None);
        self.open = unclosed;
    }

    /// PK002 for elements without end tag, at their opening.
    fn report_unclosed(&mut self, unclosed: &[usize], before: Option<(Span, &str)>) {
        let mut at = 0;
        while let Some(index) = unclosed.get(at).copied() {
            at += 1;
            if self.stopped {
                return;
            }
            let name = shorten(self.name_of(index)).to_owned();
            let opening = self.name_span_of(index);
            // `<cards> … <cards>`: the second was meant to close the first.
            if let Some(again) = unclosed.get(at).copied()
                && self.name_of(again) == self.name_of(index)
            {
                at += 1;
                let span = Span::between(self.nodes[again].start, self.nodes[again].end);
                self.errors += 1;
                let fix = cw_text::FindingFix::one(
                    format!("replace with `</{name}>`"),
                    cw_text::Safety::Unsafe,
                    self.report.file,
                    span,
                    format!("</{name}>"),
                );
                let finding = self
                    .report
                    .error(PK002, span, format!("`<{name}>` is opened again, not closed"))
                    .label(self.report.file, opening, "opened here")
                    .help(format!("did you mean `</{name}>`?"))
                    .fix(fix);
                self.report.add(finding);
                continue;
            }
            self.errors += 1;
            let mut finding = self
                .report
                .error(PK002, opening, format!("`<{name}>` is never closed"));
            if let Some((span, closing)) = before {
                let text = format!("`</{}>` comes before `</{name}>`", shorten(closing));
                finding = finding.label(self.report.file, span, text);
            }
            self.report.add(finding);
            if self.errors >= MAX_ERRORS {
                self.stopped = true;
            }
        }
    }
}

const LESS: u8 = 1;
const AMPERSAND: u8 = 2;
const BREAK: u8 = 4;
const ENDS_NAME: u8 = 8;

/// What a byte of an attribute's value calls for, and whether it ends a name.
const SPECIAL: [u8; 256] = {
    let mut table = [0; 256];
    let ends = b"=<>\"'/ \t\n\r";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = ENDS_NAME;
        at += 1;
    }
    table[b'<' as usize] |= LESS;
    table[b'&' as usize] |= AMPERSAND;
    table[b'\n' as usize] |= BREAK;
    table[b'\r' as usize] |= BREAK;
    table[b'\t' as usize] |= BREAK;
    table
};

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '/' | '=' | '"' | '\''))
        .unwrap_or(text.len())
        .min(1000)
}

/// The beginning of a name, for messages.
fn shorten(name: &str) -> &str {
    let end = name.char_indices().nth(60).map_or(name.len(), |(at, _)| at);
    &name[..end]
}

/// The span made to lie in the text, on character boundaries.
fn clip(text: &str, span: Span) -> Span {
    let mut start = (span.start as usize).min(text.len());
    let mut end = (span.end as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Span::new(start, end.max(start))
}

fn clip_line(text: &str, span: Span) -> Span {
    let inner = &text[span.range()];
    let length = inner.find('\n').unwrap_or(inner.len()).min(60);
    clip(text, Span::new(span.start as usize, span.start as usize + length))
}

fn trim_start(text: &str, span: Span) -> Span {
    let inner = &text[span.range()];
    let start = span.start as usize + (inner.len() - inner.trim_start().len());
    Span::new(start, span.end as usize)
}

fn trim_end(text: &str, span: Span) -> Span {
    let span = clip(text, span);
    let inner = text[span.range()].trim_end();
    Span::new(span.start as usize, span.start as usize + inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cw_text::FileId;

    const SET: &str = include_str!("../../../fuzz/seeds/octgn_set/sound.xml");

    /// UTF-16 is decoded as an independent library decodes it, also where it is cut or half a pair stands
    /// alone (P3).
    #[test]
    fn utf16_is_decoded_as_by_another_library() {
        let units = [0x41, 0xe9, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xfffd, 0x2022];
        let (mut broken, mut sound) = (0, 0);
        for number in 0..units.len().pow(4) {
            let picked = (0..4).map(|place| units[number / units.len().pow(place) % units.len()]);
            let bytes: Vec<u8> = picked.flat_map(u16::to_be_bytes).collect();
            for end in 5..=8 {
                for (mark, encoding) in [
                    ([0xfe, 0xff], encoding_rs::UTF_16BE),
                    ([0xff, 0xfe], encoding_rs::UTF_16LE),
                ] {
                    let file = [&mark[..], &bytes[..end]].concat();
                    let (text, has_errors) = encoding.decode_with_bom_removal(&file);
                    let decoded = decode(file.clone());
                    assert_eq!(&*decoded.text, &*text, "{file:x?}");
                    assert_eq!(decoded.trouble.is_some(), has_errors, "{file:x?}");
                    if has_errors { broken += 1 } else { sound += 1 }
                }
            }
        }
        assert!(broken > 10_000 && sound > 1_000, "{broken}, {sound}");
    }

    fn read(text: &str, is_plain: bool) -> String {
        let mut report = FileReport::new(FileId(0));
        let limits = PackageLimits {
            depth: 12,
            attributes: 9,
            ..PackageLimits::default()
        };
        let tree = parse_by(text.into(), false, &limits, &mut report, is_plain);
        format!(
            "{:?} {:?} {} {:#?}",
            tree.nodes,
            tree.attributes,
            tree.well_formed,
            report.finish()
        )
    }

    /// P1–P10: what is read without the reader is read as the reader would, in any text.
    #[test]
    fn plain_tags_are_read_as_the_reader_reads_them() {
        assert_eq!(read(SET, true), read(SET, false));
        let odd = [
            "<",
            ">",
            "/",
            "\"",
            "'",
            "=",
            "&",
            "&amp;",
            "&#10;",
            " ",
            "\n",
            "<a",
            "</a>",
            "<a/>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "xml:space=\"preserve\"",
            "\u{feff}",
            "\r\n",
            "<?x?>",
            "name=\"a\"",
            "é",
            ":",
        ];
        let mut chance = crate::PackChance::new(7);
        let mut below = |most: usize| chance.below(u32::try_from(most.max(1)).unwrap()) as usize;
        for round in 0..4_000 {
            let mut text = SET.to_owned();
            for _ in 0..1 + below(3) {
                let mut at = below(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let mut end = (at + below(6)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, odd[below(odd.len())]);
            }
            assert_eq!(read(&text, true), read(&text, false), "{round}: {text}");
        }
    }
}
