//! Writing sets and decks: what is written reads back as the same.

use std::fmt::Write;

use crate::{
    Alternate, CardProperty, Deck, Include, PackDefinition, PackItem, PackOptions, PackPick, Package,
    PackageCard, PackageSet, PickQuantity, PropertyValue, RichPiece, RichStyle, Sleeve,
};

/// Writes a `set.xml`: UTF-8, tabs, the wrappers in the order that o8build wants (P5).
pub fn write_set(set: &PackageSet) -> String {
    let mut out = DeckWriter::new();
    out.text.push_str("<set");
    out.attribute("name", &set.name);
    out.attribute("id", &identity(&set.raw_id, set.id.value));
    out.attribute("gameId", &set.game_id.value.to_string());
    if let Some(version) = &set.version {
        out.attribute("version", &version.value.to_string());
    }
    if let Some(version) = &set.game_version {
        out.attribute("gameVersion", &version.value.to_string());
    }
    if set.hidden {
        // P16, P191: the one spelling that everything accepts.
        out.attribute("hidden", "true");
    }
    for (name, value) in [
        ("shortName", &set.short_name),
        ("description", &set.description),
        ("releaseDate", &set.release_date),
    ] {
        if let Some(value) = value {
            out.attribute(name, value);
        }
    }
    out.text.push_str(">\n");
    out.wrapped("packaging", &set.packs, DeckWriter::pack);
    out.wrapped("markers", &set.markers, |out, marker| {
        out.open("marker");
        out.attribute("name", &marker.name);
        out.attribute("id", &marker.id);
        out.close_empty();
    });
    out.wrapped("cards", &set.cards, DeckWriter::card);
    out.text.push_str("</set>\n");
    out.text
}

/// A deck as OCTGN's text export has it (P142): sections with their lines, then the game's name and the
/// notes. Cards have the names of today; [`Package::read_deck`] reads it back.
pub fn deck_text(package: &Package, deck: &Deck) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for section in &deck.sections {
        let _ = writeln!(text, "{}", one_line(&section.name));
        for line in &section.cards {
            let name = package.find(line).map(|(card, _)| &package.card(card).name);
            let name = one_line(name.unwrap_or(&line.name));
            let _ = writeln!(text, "{}x {name}", line.quantity.value);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", one_line(&package.definition.name));
    if let Some(notes) = &deck.notes {
        let _ = writeln!(text, "{}", notes.trim_end());
    }
    text
}

/// Writes an `.o8d` file as OCTGN does (P130).
pub fn write_deck(deck: &Deck) -> String {
    let mut out = DeckWriter::new();
    out.text.truncate(0);
    out.text
        .push_str("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n<deck");
    out.attribute("game", &deck.game.value.to_string());
    out.text.push_str(">\n");
    for section in &deck.sections {
        out.open("section");
        out.attribute("name", &section.name);
        out.attribute("shared", if section.shared { "True" } else { "False" });
        out.close_start();
        for card in &section.cards {
            out.open("card");
            out.attribute("qty", &card.quantity.value.to_string());
            out.attribute("id", &card.id.value.to_string());
            out.text.push('>');
            escape_text(&card.name, &mut out.text);
            out.text.push_str("</card>\n");
        }
        out.end("section");
    }
    if let Some(notes) = &deck.notes {
        // P138: the only form that is read back; a `]]>` inside cannot be written in one section.
        let safe = notes.replace("]]>", "]] >");
        let _ = writeln!(out.text, "\t<notes><![CDATA[{safe}]]></notes>");
    }
    if let Some(sleeve) = &deck.sleeve {
        let text = match &sleeve.value {
            Sleeve::Custom { name, image } => format!("custom:{name}:{image}"),
            Sleeve::Game { name, game } => format!("game:{name}:{game}"),
            Sleeve::Octgn { name } => format!("octgn:{name}:"),
        };
        out.text.push_str("\t<sleeve>");
        escape_text(&text, &mut out.text);
        out.text.push_str("</sleeve>\n");
    }
    out.text.push_str("</deck>\n");
    out.text
}

/// The id as it was written, since pictures go by its text (P15); its value where it was made.
fn identity(raw: &str, id: crate::Guid) -> String {
    if raw.is_empty() {
        id.to_string()
    } else {
        raw.to_owned()
    }
}

/// The element of a card, without blanks before its first line; further lines begin with `indent`.
pub(crate) fn card_text(card: &PackageCard, indent: &str) -> String {
    DeckWriter::piece(indent, |out| out.card(card))
}

/// The element of another form, as [`card_text`].
pub(crate) fn alternate_text(alternate: &Alternate, indent: &str) -> String {
    DeckWriter::piece(indent, |out| out.alternate(alternate))
}

/// The element of a property, as [`card_text`].
pub(crate) fn property_text(property: &CardProperty) -> String {
    DeckWriter::piece("", |out| out.properties(std::slice::from_ref(property)))
}

struct DeckWriter {
    text: String,
    /// What every line begins with.
    base: String,
    depth: usize,
}

impl DeckWriter {
    fn new() -> DeckWriter {
        DeckWriter {
            text: "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n".to_owned(),
            base: String::new(),
            depth: 1,
        }
    }

    /// What `write` writes, for a place inside another text.
    fn piece(indent: &str, write: impl FnOnce(&mut DeckWriter)) -> String {
        let mut out = DeckWriter {
            text: String::new(),
            base: indent.to_owned(),
            depth: 0,
        };
        write(&mut out);
        let text = out.text.strip_prefix(indent).unwrap_or(&out.text);
        text.strip_suffix('\n').unwrap_or(text).to_owned()
    }

    fn indent(&mut self) {
        self.text.push_str(&self.base);
        for _ in 0..self.depth {
            self.text.push('\t');
        }
    }

    fn open(&mut self, name: &str) {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        escape_attribute(value, &mut self.text);
        self.text.push('"');
    }

    fn close_empty(&mut self) {
        self.text.push_str(" />\n");
    }

    fn close_start(&mut self) {
        self.text.push_str(">\n");
        self.depth += 1;
    }

    fn end(&mut self, name: &str) {
        self.depth -= 1;
        self.indent();
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    fn wrapped<T>(&mut self, name: &str, items: &[T], mut item: impl FnMut(&mut DeckWriter, &T)) {
        if items.is_empty() {
            return;
        }
        self.open(name);
        self.close_start();
        for one in items {
            item(self, one);
        }
        self.end(name);
    }

    fn pack(&mut self, pack: &PackDefinition) {
        self.open("pack");
        self.attribute("name", &pack.name);
        self.attribute("id", &pack.id.value.to_string());
        self.close_start();
        for include in &pack.includes {
            self.include(include);
        }
        self.items(&pack.items);
        self.end("pack");
    }

    fn include(&mut self, include: &Include) {
        self.open("include");
        self.attribute("id", &include.id.value.to_string());
        self.attribute("set", &include.set.value.to_string());
        if include.properties.is_empty() {
            self.close_empty();
            return;
        }
        self.close_start();
        self.properties(&include.properties);
        self.end("include");
    }

    fn items(&mut self, items: &[PackItem]) {
        for item in items {
            match item {
                PackItem::Pick(pick) => self.pick(pick),
                PackItem::Options(options) => self.options(options),
            }
        }
    }

    fn pick(&mut self, pick: &PackPick) {
        self.open("pick");
        let quantity = match pick.quantity.value {
            PickQuantity::Count(count) => count.to_string(),
            PickQuantity::Unlimited => "unlimited".to_owned(),
        };
        self.attribute("qty", &quantity);
        let Some((first, rest)) = pick.criteria.split_first() else {
            self.close_empty();
            return;
        };
        self.attribute("key", &first.key);
        self.attribute("value", &first.value);
        if rest.is_empty() {
            self.close_empty();
            return;
        }
        self.close_start();
        for criterion in rest {
            self.open("property");
            self.attribute("key", &criterion.key);
            self.attribute("value", &criterion.value);
            self.close_empty();
        }
        self.end("pick");
    }

    fn options(&mut self, options: &PackOptions) {
        self.open("options");
        self.close_start();
        for option in &options.options {
            self.open("option");
            self.attribute("probability", &option.probability.value.to_string());
            if option.items.is_empty() {
                self.close_empty();
                continue;
            }
            self.close_start();
            self.items(&option.items);
            self.end("option");
        }
        self.end("options");
    }

    fn card(&mut self, card: &PackageCard) {
        self.open("card");
        self.attribute("name", &card.name);
        self.attribute("id", &identity(&card.raw_id, card.id.value));
        if let Some(size) = &card.size {
            self.attribute("size", size);
        }
        self.close_start();
        self.properties(&card.properties);
        for alternate in &card.alternates {
            self.alternate(alternate);
        }
        self.end("card");
    }

    fn alternate(&mut self, alternate: &Alternate) {
        self.open("alternate");
        self.attribute("name", &alternate.name);
        self.attribute("type", &alternate.kind);
        if let Some(size) = &alternate.size {
            self.attribute("size", size);
        }
        self.close_start();
        self.properties(&alternate.properties);
        self.end("alternate");
    }

    fn properties(&mut self, properties: &[CardProperty]) {
        for property in properties {
            self.open("property");
            self.attribute("name", &property.name);
            match &property.value.value {
                PropertyValue::Null => self.close_empty(),
                PropertyValue::Text(text) => {
                    self.attribute("value", text);
                    self.close_empty();
                }
                PropertyValue::Rich(rich) => {
                    // An attribute is the only place where blanks alone survive (P7).
                    let blank = rich.pieces.iter().all(|piece| match piece {
                        RichPiece::Text(text) => text.trim().is_empty(),
                        RichPiece::Styled { .. } | RichPiece::Coloured { .. } | RichPiece::Symbol { .. } => {
                            false
                        }
                    });
                    if blank && rich.pieces.len() == 1 {
                        self.attribute("value", &rich.plain);
                        self.close_empty();
                        continue;
                    }
                    self.text.push('>');
                    self.pieces(&rich.pieces);
                    self.text.push_str("</property>\n");
                }
            }
        }
    }

    fn pieces(&mut self, pieces: &[RichPiece]) {
        for piece in pieces {
            match piece {
                RichPiece::Text(text) => self.rich_text(text),
                RichPiece::Styled { style, pieces } => {
                    let name = match style {
                        RichStyle::Bold => "b",
                        RichStyle::Italic => "i",
                        RichStyle::Underline => "u",
                    };
                    let _ = write!(self.text, "<{name}>");
                    self.pieces(pieces);
                    let _ = write!(self.text, "</{name}>");
                }
                RichPiece::Coloured {
                    colour: [r, g, b],
                    pieces,
                } => {
                    let _ = write!(self.text, "<c value=\"#{r:02x}{g:02x}{b:02x}\">");
                    self.pieces(pieces);
                    self.text.push_str("</c>");
                }
                RichPiece::Symbol { id, text, .. } => {
                    self.text.push_str("<s");
                    self.attribute("value", id);
                    if text.is_empty() {
                        self.text.push_str("/>");
                        continue;
                    }
                    self.text.push('>');
                    self.rich_text(text);
                    self.text.push_str("</s>");
                }
            }
        }
    }

    /// A text of nothing but blanks is written as references: alone it would vanish (P7).
    fn rich_text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            escape_text(text, &mut self.text);
            return;
        }
        for character in text.chars() {
            let _ = write!(self.text, "&#{};", u32::from(character));
        }
    }
}

pub(crate) fn escape_attribute(value: &str, out: &mut String) {
    for character in value.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            _ => out.push(character),
        }
    }
}

pub(crate) fn escape_text(value: &str, out: &mut String) {
    for character in value.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            _ => out.push(character),
        }
    }
}
