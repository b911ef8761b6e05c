//! Writing a changed deck into the text that it was read from: lines and sections change, everything else
//! (comments, notes, sleeve, unknown elements and attributes, blanks) stays as it is written.

use cw_text::{FileId, SharedText, Span};

use crate::deck::truth;
use crate::report::FileReport;
use crate::write::{escape_attribute, escape_text};
use crate::xml::{self, XmlElement};
use crate::{Deck, DeckCard, DeckSection, Guid, Package, PackageLimits};

/// The bytes of a deck file with the sections and lines of another deck; nothing where the bytes are not
/// those of a deck.
///
/// ```
/// let text = b"<deck game=\"6ac0a9aa-437c-4074-8135-5f1bef8a6dca\"><!-- mine --></deck>";
/// let mut deck = cw_octgn::Deck::default();
/// deck.sections.push(cw_octgn::DeckSection::default());
/// let bytes = cw_octgn::rewrite_deck(text, &deck).ok_or("not a deck")?;
/// assert!(String::from_utf8(bytes)?.contains("<!-- mine -->"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite_deck(original: &[u8], deck: &Deck) -> Option<Vec<u8>> {
    let decoded = xml::decode(original.to_vec());
    let mut report = FileReport::new(FileId(0));
    let decodes = decoded.report(&mut report);
    let text = decoded.text.clone();
    let tree = xml::parse(
        text.clone(),
        decoded.is_utf16(),
        &PackageLimits::default(),
        &mut report,
    );
    let root = tree.root().filter(|root| root.name() == "deck")?;
    let is_nested = |section: &XmlElement<'_>| section.descendants().any(|inside| inside.name() == "section");
    let sections: Vec<XmlElement<'_>> = root
        .descendants()
        .filter(|element| element.name() == "section")
        .collect();
    // Cards of a section inside another count in both (P228): no line there has one place.
    if !decodes || !tree.well_formed || sections.iter().any(is_nested) {
        return None;
    }
    let mut rewriting = Rewriting {
        text: &text,
        edits: Vec::new(),
    };
    rewriting.sections(root, &sections, &deck.sections);
    Some(xml::encoded_like(original, &rewriting.finish()))
}

pub(crate) struct Rewriting<'t> {
    pub(crate) text: &'t SharedText,
    /// What comes in place of what, in no order; no two overlap.
    pub(crate) edits: Vec<(Span, String)>,
}

impl Rewriting<'_> {
    pub(crate) fn finish(mut self) -> String {
        self.edits.sort_by_key(|(span, _)| *span);
        let mut out = String::with_capacity(self.text.len() + 256);
        let mut at = 0;
        for (span, text) in self.edits {
            out.push_str(&self.text[at..span.start as usize]);
            out.push_str(&text);
            at = span.end as usize;
        }
        out.push_str(&self.text[at..]);
        out
    }

    fn sections(&mut self, root: XmlElement<'_>, old: &[XmlElement<'_>], new: &[DeckSection]) {
        let all_shared = root
            .attribute("shared")
            .is_some_and(|shared| truth(&shared.value()));
        let mut wanted: Vec<(&DeckSection, Vec<Option<&DeckCard>>)> = new
            .iter()
            .map(|section| (section, section.cards.iter().map(Some).collect()))
            .collect();
        let key = |section: &XmlElement<'_>| {
            let name = section
                .attribute("name")
                .map(crate::xml::XmlAttribute::value)
                .unwrap_or_default();
            let shared = section
                .attribute("shared")
                .is_some_and(|shared| truth(&shared.value()));
            (name, shared || all_shared)
        };
        // A section that appears twice is filled from the first on; what is new goes into the last.
        for (index, section) in old.iter().enumerate() {
            let own = key(section);
            let is_last = !old[index + 1..].iter().any(|later| key(later) == own);
            let lines: Vec<&mut Option<&DeckCard>> = wanted
                .iter_mut()
                .filter(|(section, _)| (&section.name.value, section.shared) == (&own.0, own.1))
                .flat_map(|(_, lines)| lines)
                .collect();
            self.section(*section, lines, is_last);
        }
        let is_old = |section: &DeckSection| {
            old.iter()
                .any(|old| key(old) == (section.name.value.clone(), section.shared))
        };
        let added: Vec<&DeckSection> = new
            .iter()
            .filter(|section| !is_old(section) && !section.cards.is_empty())
            .collect();
        if added.is_empty() {
            return;
        }
        let indent = old
            .first()
            .map_or_else(|| "\t".to_owned(), |section| self.indent(*section));
        let mut text = String::new();
        for section in added {
            text.push_str(&format!("{}{indent}<section name=\"", self.line_end()));
            escape_attribute(&section.name, &mut text);
            text.push_str(&format!(
                "\" shared=\"{}\">",
                if section.shared { "True" } else { "False" }
            ));
            for card in &section.cards {
                text.push_str(&self.line(card, &format!("{indent}\t")));
            }
            text.push_str(&format!("{}{indent}</section>", self.line_end()));
        }
        self.inside(root, old.last().copied(), &text, "");
    }

    /// Gives a section its lines: known ones keep their elements, new ones come behind them.
    fn section(&mut self, section: XmlElement<'_>, mut lines: Vec<&mut Option<&DeckCard>>, is_last: bool) {
        let cards: Vec<XmlElement<'_>> = section
            .descendants()
            .filter(|inside| inside.name() == "card")
            .collect();
        let mut last = None;
        for card in &cards {
            let id = card
                .attribute("id")
                .and_then(|id| id.value().parse::<Guid>().ok());
            let name = card.inner_text();
            let is_same = |line: &DeckCard| match id {
                Some(id) => line.id.value == id,
                None => line.id.is_nil() && line.name.value == name,
            };
            let by_id = lines.iter().position(|line| line.is_some_and(is_same));
            // A stale id whose card was found by its name (P134).
            let is_named = |line: &DeckCard| line.name.value == name && !name.is_empty();
            let place = by_id.or_else(|| lines.iter().position(|line| line.is_some_and(is_named)));
            let Some(line) = place.and_then(|place| lines[place].take()) else {
                self.remove(*card);
                continue;
            };
            last = Some(*card);
            self.value(*card, "qty", &line.quantity.value.to_string(), |old| {
                old.trim().parse() == Ok(line.quantity.value)
            });
            if by_id.is_none() && !line.id.is_nil() {
                self.value(*card, "id", &line.id.value.to_string(), |old| {
                    old.parse() == Ok(line.id.value)
                });
            }
        }
        if !is_last {
            return;
        }
        let indent = match cards.first() {
            Some(card) => self.indent(*card),
            None => format!("{}\t", self.indent(section)),
        };
        let text: String = lines
            .iter()
            .filter_map(|line| line.as_ref())
            .map(|line| self.line(line, &indent))
            .collect();
        if !text.is_empty() {
            let close = self.indent(section);
            self.inside(section, last.or(cards.last().copied()), &text, &close);
        }
    }

    /// Puts a text into an element: behind one of those inside, or behind its start tag.
    pub(crate) fn inside(
        &mut self,
        element: XmlElement<'_>,
        behind: Option<XmlElement<'_>>,
        text: &str,
        indent: &str,
    ) {
        if let Some(behind) = behind {
            let end = behind.span().end;
            self.edits.push((Span { start: end, end }, text.to_owned()));
            return;
        }
        let tag = element.tag_span();
        if element.is_empty_tag() {
            let name = element.name();
            let text = format!(">{text}{}{indent}</{name}>", self.line_end());
            self.edits.push((Span::between(tag.end - 2, tag.end), text));
            return;
        }
        let is_bare = element.children().next().is_none();
        let text = match is_bare {
            true => format!("{text}{}{indent}", self.line_end()),
            false => text.to_owned(),
        };
        self.edits.push((Span::between(tag.end, tag.end), text));
    }

    /// Sets an attribute, unless what is written means the same.
    fn value(&mut self, element: XmlElement<'_>, name: &str, new: &str, is_same: impl Fn(&str) -> bool) {
        match element.attribute(name) {
            Some(old) if is_same(&old.value()) => {}
            Some(old) => self.edits.push((old.value_span(), new.to_owned())),
            None => {
                let at = element.name_span().end;
                self.edits
                    .push((Span { start: at, end: at }, format!(" {name}=\"{new}\"")));
            }
        }
    }

    /// Takes an element out, with its whole line if nothing else stands on it.
    pub(crate) fn remove(&mut self, element: XmlElement<'_>) {
        let span = element.span();
        let before = &self.text[..span.start as usize];
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        let line_start = before.len() - blanks;
        let after = &self.text[span.end as usize..];
        let rest = after.trim_start_matches([' ', '\t']);
        let is_alone =
            before[..line_start].ends_with('\n') && (rest.starts_with('\n') || rest.starts_with("\r\n"));
        let mut span = span;
        if is_alone {
            // The line break before it goes; the one behind it ends the line above.
            let above = before[..line_start].trim_end_matches('\n');
            let above = above.strip_suffix('\r').unwrap_or(above);
            let kept = if before[..line_start].len() - above.len() > 2 {
                line_start
            } else {
                above.len()
            };
            span.start = cw_text::offset(kept);
        }
        self.edits.push((span, String::new()));
    }

    fn line(&self, card: &DeckCard, indent: &str) -> String {
        let mut text = format!(
            "{}{indent}<card qty=\"{}\" id=\"{}\">",
            self.line_end(),
            card.quantity.value,
            card.id.value
        );
        escape_text(&card.name, &mut text);
        text.push_str("</card>");
        text
    }

    pub(crate) fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The blanks before an element that begins its line.
    pub(crate) fn indent(&self, element: XmlElement<'_>) -> String {
        let before = &self.text[..element.span().start as usize];
        let line = before.rsplit('\n').next().unwrap_or_default();
        match line.trim().is_empty() {
            true => line.to_owned(),
            false => String::new(),
        }
    }
}

impl Package {
    /// The lines of a deck that nothing is known about here: of cards or sections that the package does not
    /// have, and of no copies. Whoever changes the deck keeps them with [`Deck::add_lines`].
    pub fn unknown_lines(&self, deck: &Deck) -> Vec<DeckSection> {
        let unknown = |section: &DeckSection| {
            let is_known = self.definition.section(&section.name, section.shared).is_some();
            let cards = section.cards.iter();
            let unknown =
                cards.filter(|line| !is_known || line.quantity.value <= 0 || self.find(line).is_none());
            DeckSection {
                cards: unknown.cloned().collect(),
                ..section.clone()
            }
        };
        deck.sections
            .iter()
            .map(unknown)
            .filter(|section| !section.cards.is_empty())
            .collect()
    }
}

impl Deck {
    /// Adds lines to the sections of their names, behind those that are there.
    pub fn add_lines(&mut self, sections: Vec<DeckSection>) {
        for added in sections {
            let own =
                |own: &&mut DeckSection| own.name.value == added.name.value && own.shared == added.shared;
            match self.sections.iter_mut().find(own) {
                Some(section) => section.cards.extend(added.cards),
                None => self.sections.push(added),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cw_text::Sources;

    const ORIGINAL: &str = "<?xml version=\"1.0\"?>\r\n<!-- mine -->\r\n\
        <deck game=\"0a000000-0000-4000-8000-000000000001\" sleeveid=\"3\">\r\n  \
        <section name=\"Main\" shared=\"False\">\r\n    \
        <card qty=\"3\" id=\"0a000000-0000-4000-8000-000000000004\" foil=\"yes\">Far &amp; near</card> \
        <!-- best -->\r\n    \
        <card qty=\" 2 \" id=\"0a000000-0000-4000-8000-000000000005\">Two</card>\r\n    \
        <card qty=\"1\" id=\"0a000000-0000-4000-8000-000000000009\">Unknown</card>\r\n  \
        </section>\r\n  <section name=\"Side\"/>\r\n  <stats wins=\"3\"/>\r\n  \
        <notes><![CDATA[Play fast.]]></notes>\r\n  <sleeve>octgn:plain:</sleeve>\r\n</deck>\r\n";

    fn read(bytes: &[u8]) -> Deck {
        let (deck, _) = Deck::read(
            "d.o8d",
            bytes.to_vec(),
            &PackageLimits::default(),
            &mut Sources::new(),
        );
        deck.unwrap()
    }

    fn lines(deck: &Deck) -> Vec<String> {
        let lines = deck.sections.iter().flat_map(|section| {
            let name = &section.name.value;
            section
                .cards
                .iter()
                .map(move |card| format!("{name}: {} {} {}", card.quantity.value, card.id.value, *card.name))
        });
        lines.collect()
    }

    /// P227: what is not changed is kept byte for byte, in every encoding.
    #[test]
    fn an_unchanged_deck_is_written_as_it_was() {
        let utf16: Vec<u8> = format!("\u{feff}{ORIGINAL}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for bytes in [
            ORIGINAL.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", ORIGINAL.as_bytes()].concat(),
            utf16,
        ] {
            assert_eq!(rewrite_deck(&bytes, &read(&bytes)), Some(bytes));
        }
        assert_eq!(rewrite_deck(b"<set/>", &Deck::default()), None);
        assert_eq!(rewrite_deck(b"<deck>", &Deck::default()), None);
    }

    /// P227: only the lines that change are touched; comments, unknown attributes and elements, notes, sleeve
    /// stay.
    #[test]
    fn changes_touch_only_their_lines() {
        let mut deck = read(ORIGINAL.as_bytes());
        deck.sections[0].cards[0].quantity.value = 1;
        let two = deck.sections[0].cards.remove(1);
        deck.sections[0].cards.push(DeckCard {
            quantity: crate::LocatedValue::from(4),
            name: crate::LocatedValue::from(crate::Str::from("New <1>")),
            id: crate::LocatedValue::from(Guid([7; 16])),
            ..DeckCard::default()
        });
        deck.add_lines(vec![DeckSection {
            name: crate::LocatedValue::from(crate::Str::from("Side")),
            shared: false,
            cards: vec![two.clone()],
        }]);
        deck.add_lines(vec![DeckSection {
            name: crate::LocatedValue::from(crate::Str::from("Extra")),
            shared: true,
            cards: vec![two],
        }]);
        let bytes = rewrite_deck(ORIGINAL.as_bytes(), &deck).unwrap();
        assert_eq!(lines(&read(&bytes)), lines(&deck));
        let text = String::from_utf8(bytes).unwrap();
        let wanted = ORIGINAL
            .replace("qty=\"3\"", "qty=\"1\"")
            .replace(
                "    <card qty=\" 2 \" id=\"0a000000-0000-4000-8000-000000000005\">Two</card>\r\n",
                "",
            )
            .replace(
                "Unknown</card>\r\n",
                "Unknown</card>\r\n    \
                 <card qty=\"4\" id=\"07070707-0707-0707-0707-070707070707\">New &lt;1&gt;</card>\r\n",
            )
            .replace(
                "<section name=\"Side\"/>",
                "<section name=\"Side\">\r\n  \
                 \t<card qty=\"2\" id=\"0a000000-0000-4000-8000-000000000005\">Two</card>\r\n  \
                 </section>\r\n  <section name=\"Extra\" shared=\"True\">\r\n  \
                 \t<card qty=\"2\" id=\"0a000000-0000-4000-8000-000000000005\">Two</card>\r\n  </section>",
            );
        assert_eq!(text, wanted);
    }
}
