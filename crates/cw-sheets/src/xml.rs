//! XML as a row of parts, for the two formats here that are XML.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// A start tag, an end tag, or text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum XmlPart {
    /// The name without its prefix, and the attributes with theirs.
    Open(String, Vec<(String, String)>),
    Close(String),
    Text(String),
}

/// The parts of a text, one after the other; ends with the first fault, which is told with its place.
pub(crate) struct XmlParts<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    /// An element without content ends as it begins.
    closing: Option<String>,
    depth: usize,
    done: bool,
}

/// Elements inside elements.
const DEPTH: usize = 64;

impl<'t> XmlParts<'t> {
    pub(crate) fn new(text: &'t str) -> XmlParts<'t> {
        XmlParts {
            text,
            reader: Reader::from_str(text),
            closing: None,
            depth: 0,
            done: false,
        }
    }

    fn open(tag: &BytesStart<'_>) -> Result<(String, Vec<(String, String)>), String> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|fault| fault.to_string())?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|fault| fault.to_string())?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok((tag.local_name().as_ref().to_owned(), attributes))
    }

    fn part(&mut self) -> Result<Option<XmlPart>, String> {
        if let Some(name) = self.closing.take() {
            self.depth -= 1;
            return Ok(Some(XmlPart::Close(name)));
        }
        loop {
            let event = self.reader.read_event().map_err(|fault| fault.to_string())?;
            return Ok(Some(match event {
                Event::Start(tag) => {
                    self.deeper()?;
                    let (name, attributes) = XmlParts::open(&tag)?;
                    XmlPart::Open(name, attributes)
                }
                Event::Empty(tag) => {
                    self.deeper()?;
                    let (name, attributes) = XmlParts::open(&tag)?;
                    self.closing = Some(name.clone());
                    XmlPart::Open(name, attributes)
                }
                Event::End(tag) => {
                    self.depth = self.depth.saturating_sub(1);
                    XmlPart::Close(tag.local_name().as_ref().to_owned())
                }
                Event::Text(text) => XmlPart::Text(text.xml10_content().into_owned()),
                Event::CData(text) => XmlPart::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    if let Some(letter) = reference.resolve_char_ref().map_err(|fault| fault.to_string())? {
                        return Ok(Some(XmlPart::Text(letter.to_string())));
                    }
                    let name = reference.xml10_content();
                    match quick_xml::escape::resolve_predefined_entity(&name) {
                        Some(text) => XmlPart::Text(text.to_owned()),
                        None => return Err(format!("`&{name};` is not known")),
                    }
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
                Event::Eof if self.depth > 0 => return Err("the file ends inside an element".to_owned()),
                Event::Eof => return Ok(None),
            }));
        }
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        match self.depth > DEPTH {
            true => Err(format!("there are more than {DEPTH} elements inside each other")),
            false => Ok(()),
        }
    }

    /// The line that the reader has come to.
    fn line(&self) -> usize {
        let at = usize::try_from(self.reader.error_position().max(self.reader.buffer_position()));
        let read = self.text.as_bytes().get(..at.unwrap_or(0)).unwrap_or_default();
        read.iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

impl Iterator for XmlParts<'_> {
    type Item = Result<XmlPart, String>;

    fn next(&mut self) -> Option<Result<XmlPart, String>> {
        if self.done {
            return None;
        }
        match self.part() {
            Ok(part) => part.map(Ok),
            Err(why) => {
                self.done = true;
                Some(Err(format!("line {}: this is not XML: {why}", self.line())))
            }
        }
    }
}

/// The value of an attribute.
pub(crate) fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|(found, _)| found == name);
    found.map(|(_, value)| value.as_str())
}

/// Text for an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            _ => out.push(letter),
        }
    }
    out
}
