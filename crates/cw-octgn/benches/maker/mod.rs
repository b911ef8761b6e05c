//! The large package that the benchmarks of reading (`cw-octgn`) and of checking (`cw-load`) share, and the
//! bare parse that both are compared with.

use std::fmt::Write as _;

use cw_octgn::MemoryFiles;
use quick_xml::Reader;
use quick_xml::events::Event;

const GAME: &str = "0a000000-0000-4000-8000-000000000000";

/// Properties of the game's cards.
const NAMES: [&str; 12] = [
    "Kind",
    "Subtype",
    "Cost",
    "Colour",
    "Rarity",
    "Power",
    "Toughness",
    "Number",
    "Artist",
    "Keywords",
    "Text",
    "Flavor",
];

/// Makes a package of so many sets, which have so many bytes in all, and so many decks. Most lines of the
/// decks have ids of other days, and some name cards that are not there, so that fixes are offered and tried.
pub fn generated(sets: usize, bytes: usize, decks: usize) -> MemoryFiles {
    let properties = NAMES
        .map(|name| format!(r#"<property name="{name}" type="String"/>"#))
        .concat();
    let definition = format!(
        "<game name=\"Big\" id=\"{GAME}\" octgnVersion=\"3.4.0.0\" version=\"1.0.0.0\" tags=\"x\" \
         authors=\"x\" gameurl=\"https://example.org\" iconurl=\"https://example.org/i.png\">\
         <card name=\"Default\" front=\"f.png\" back=\"b.png\" width=\"63\" height=\"88\" cornerRadius=\"3\">\
         {properties}</card><deck><section name=\"Main\" group=\"Deck\"/></deck></game>"
    );
    let mut files = MemoryFiles::new().with("definition.xml", definition);
    let mut names = Vec::new();
    for set in 0..sets {
        let id = format!("0b000000-0000-4000-8000-{set:012}");
        let text = set_text(set, &id, bytes / sets, &mut names);
        files = files.with(format!("Sets/{id}/set.xml"), text);
    }
    for deck in 0..decks {
        files = files.with(format!("Decks/Deck {deck}.o8d"), deck_text(deck, &names));
    }
    files
}

fn set_text(set: usize, id: &str, bytes: usize, names: &mut Vec<String>) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n\
         <set name=\"Set {set}\" id=\"{id}\" gameId=\"{GAME}\" gameVersion=\"1.0.0.0\" \
         version=\"1.0.0.0\">\r\n  <cards>\r\n"
    );
    let mut card = 0;
    while text.len() < bytes {
        let number = set * 1000 + card;
        let name = format!("{} of {} {number}", word(number), word(number / 7 + 3));
        write!(
            text,
            "    <card id=\"0c{set:06}-0000-4000-8000-{card:012}\" name=\"{name}\">\r\n"
        )
        .unwrap();
        for (at, property) in NAMES.iter().enumerate() {
            let value = match *property {
                "Text" => format!(
                    "When this enters, look at the top {} cards of your library.&#10;\
                     Put one of them into your hand &amp; the rest below it in any order.",
                    number % 7
                ),
                "Flavor" => format!(
                    "“Nobody counts the {} steps twice,” said the keeper.",
                    number % 997
                ),
                _ => format!("{property} {}", number * (at + 3) % 89),
            };
            write!(
                text,
                "      <property name=\"{property}\" value=\"{value}\" />\r\n"
            )
            .unwrap();
        }
        text.push_str("    </card>\r\n");
        names.push(name);
        card += 1;
    }
    text.push_str("  </cards>\r\n</set>\r\n");
    text
}

fn deck_text(deck: usize, names: &[String]) -> String {
    let mut text = format!("<deck game=\"{GAME}\"><section name=\"Main\" shared=\"False\">\r\n");
    for line in 0..20 {
        let name = &names[(deck * 977 + line * 31) % names.len()];
        // One of five has a slip, so that somebody has to look for the name that was meant.
        let name = if line % 5 == 0 {
            name.replacen('e', "o", 1)
        } else {
            name.clone()
        };
        write!(
            text,
            "<card qty=\"1\" id=\"0d{deck:06}-0000-4000-8000-{line:012}\">{name}</card>\r\n"
        )
        .unwrap();
    }
    text.push_str("</section></deck>\r\n");
    text
}

/// A word of no language, another one for each number.
fn word(number: usize) -> String {
    let syllables = [
        "ka", "lo", "mir", "tus", "ven", "zy", "ba", "dro", "fel", "gin", "hu", "qua", "rex",
    ];
    let mixed = number.wrapping_mul(2_654_435_761);
    (0..4)
        .map(|at| syllables[(mixed >> (at * 5 + 3)) % syllables.len()])
        .collect()
}

/// What any reader has to do: all events, all attributes.
pub fn bare_parse(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return count,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    count += attribute.unwrap().value.len();
                }
            }
            _ => {}
        }
    }
}
