//! Lists of cards are read as people write them, and what `deck_text` writes is read back.

use cw_octgn::{Deck, NameMatch, Package, PackageLimits, check_deck, deck_text};
use cw_text::Sources;

use crate::support::{DEFINITION, GAME, files, line};

const OTHER: &str = "0a000000-0000-4000-8000-000000000003";

/// A game with a main deck, a sideboard and a shared section, and cards whose names are traps.
fn package() -> Package {
    let names = [
        "Rook",
        "Big Pear",
        "Séance",
        "Æther Vial",
        "Hero\u{2019}s Path",
        "7 Wonders",
        "Fire // Ice",
        "#1 Fan",
        "Malcolm X",
        "Boeing x7",
        "X-Wing",
        "Resume",
        "Résumé",
        "Rook (Old)",
        "G",
        "Wonders of Old",
    ];
    let card = |number: usize, name: &str| {
        format!("<card id=\"0b000000-0000-4000-8000-0000000000{number:02}\" name=\"{name}\"/>")
    };
    let mut cards: String = names
        .iter()
        .enumerate()
        .map(|(number, name)| card(number, name))
        .collect();
    cards.push_str(
        "<card id=\"0b000000-0000-4000-8000-000000000050\" name=\"Wes\">\
         <alternate name=\"Wes Awake\" type=\"b\"/></card>",
    );
    let other = format!(
        "<set name=\"Second Print\" shortName=\"SEC\" id=\"{OTHER}\" gameId=\"{GAME}\">\
         <cards>{}</cards></set>",
        card(99, "Rook")
    );
    let sections = "<section name=\"Main\" group=\"Deck\"/><section name=\"Sideboard\" group=\"Deck\"/>\
                    <section name=\"Characters\" group=\"Deck\"/>";
    let definition = DEFINITION.replace("<section name=\"Main\" group=\"Deck\"/>", sections);
    let files = files(&crate::support::set(&format!("<cards>{cards}</cards>")))
        .with("definition.xml", definition)
        .with(format!("Sets/{OTHER}/set.xml"), other);
    Package::read(&files).unwrap()
}

fn read(package: &Package, text: &[u8]) -> (Option<Deck>, Vec<String>) {
    let mut sources = Sources::new();
    let (deck, mut found) =
        package.read_deck("list.txt", text.to_vec(), &PackageLimits::default(), &mut sources);
    if let Some(deck) = &deck {
        found.extend(check_deck(package, deck));
    }
    let found = found.iter().map(|finding| line(finding, &sources)).collect();
    (deck, found)
}

/// `Section: 3 Name, 1 Other; …`
fn shown(deck: &Deck) -> String {
    let sections = deck.sections.iter().map(|section| {
        let cards = section
            .cards
            .iter()
            .map(|line| format!("{} {}", line.quantity.value, *line.name));
        format!("{}: {}", *section.name, cards.collect::<Vec<_>>().join(", "))
    });
    sections.collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (deck, found) = read(&package(), text.as_bytes());
    let got = deck.as_ref().map_or("nothing".to_owned(), shown);
    let errors: Vec<&String> = found.iter().filter(|line| !line.contains(" PK166 ")).collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
    assert_eq!(got, expected, "{text}");
}

/// F210, P142: numbers stand before or behind names, and a name that looks like more is a name.
#[test]
fn one_line_is_read_as_people_write_it() {
    for (line, expected) in [
        ("3 Rook", "3 Rook"),
        ("3x Rook", "3 Rook"),
        ("3 x Rook", "3 Rook"),
        ("x3 Rook", "3 Rook"),
        ("3× Rook", "3 Rook"),
        ("3*  Rook", "3 Rook"),
        ("Rook x3", "3 Rook"),
        ("Rook x 3", "3 Rook"),
        ("Rook ×3", "3 Rook"),
        ("Rook (3)", "3 Rook"),
        ("Rook (x3)", "3 Rook"),
        ("Rook, 3", "3 Rook"),
        ("Rook: 3", "3 Rook"),
        ("Rook\t3", "3 Rook"),
        ("3\tRook", "3 Rook"),
        ("3\tRook\t1.50 $", "3 Rook"),
        ("- 3 Rook", "3 Rook"),
        ("* 3x Rook", "3 Rook"),
        ("• Rook x3", "3 Rook"),
        ("Rook", "1 Rook"),
        ("3 \"Rook\"", "3 Rook"),
        ("  3  ROOK  ", "3 Rook"),
        ("3 big   pear", "3 Big Pear"),
        ("3 Big\u{a0}Pear", "3 Big Pear"),
        ("3 Rook // my best", "3 Rook"),
        ("3 Rook # my best", "3 Rook"),
        ("3 Rook (SEC) 12 *F*", "3 Rook"),
        ("3 Big Pear (SEC) 12", "3 Big Pear"),
        ("3 Big Pear [S]", "3 Big Pear"),
        ("3 Rook (Old)", "3 Rook (Old)"),
        ("3 Rook (Old) (SEC)", "3 Rook (Old)"),
        ("3 seance", "3 Séance"),
        ("3 Se\u{301}ance", "3 Séance"),
        ("3 aether vial", "3 Æther Vial"),
        ("3 Hero's Path", "3 Hero\u{2019}s Path"),
        ("3 heros path", ""),
        ("7 Wonders", "1 7 Wonders"),
        ("7x 7 Wonders", "7 7 Wonders"),
        ("2 Wonders of Old", "2 Wonders of Old"),
        ("2 Fire // Ice", "2 Fire // Ice"),
        ("2 Fire // Ice // burn", "2 Fire // Ice"),
        ("#1 Fan", "1 #1 Fan"),
        ("2 #1 Fan", "2 #1 Fan"),
        ("Malcolm X", "1 Malcolm X"),
        ("Malcolm X x2", "2 Malcolm X"),
        ("Boeing x7", "1 Boeing x7"),
        ("3 X-Wing", "3 X-Wing"),
        ("x3 X-Wing", "3 X-Wing"),
        ("2 Resume", "2 Resume"),
        ("2 résumé", "2 Résumé"),
        ("2 wes awake", "2 Wes"),
    ] {
        match expected {
            "" => assert!(
                read(&package(), line.as_bytes())
                    .1
                    .iter()
                    .any(|found| found.contains(" PK121 ")),
                "{line}"
            ),
            _ => check(line, &format!("Main: {expected}")),
        }
    }
}

/// Sections by their names and by the words people use; comments; what a whole list looks like.
#[test]
fn lists_have_sections_and_comments() {
    for (text, expected) in [
        (
            "Main\n3 Rook\n\nSideboard\n1 Wes",
            "Main: 3 Rook; Sideboard: 1 Wes",
        ),
        ("Deck:\n3 Rook\nSide:\n1 Wes", "Main: 3 Rook; Sideboard: 1 Wes"),
        (
            "3 Rook\nSB: 1 Wes\n2 Big Pear",
            "Main: 3 Rook, 2 Big Pear; Sideboard: 1 Wes",
        ),
        (
            "// my deck\n3 Rook\n\n// Sideboard\n1 Wes",
            "Main: 3 Rook; Sideboard: 1 Wes",
        ),
        ("# my deck\n3 Rook\n# 2 Wes, but too slow", "Main: 3 Rook"),
        ("[Sideboard]\n1 Wes", "Sideboard: 1 Wes"),
        ("== Character ==\n1 Wes", "Characters: 1 Wes"),
        ("Characters (1)\n1 Wes", "Characters: 1 Wes"),
        (
            "Events (3)\n3 Rook\nSideboard (1)\n1 Wes",
            "Main: 3 Rook; Sideboard: 1 Wes",
        ),
        ("About\nName My deck\n\nDeck\n3 Rook", "Main: 3 Rook"),
        (
            "3 Rook\r\n\r\nSideboard\r\n1 Wes\r\n",
            "Main: 3 Rook; Sideboard: 1 Wes",
        ),
        ("\u{feff}3 Rook", "Main: 3 Rook"),
        ("Main\n3x Rook\n\nG\n3 Wes", "Main: 3 Rook"),
        ("Rook\n\nG\nWes", "Main: 1 Rook, 1 G, 1 Wes"),
        ("G\n\n3 Rook", "Main: 3 Rook"),
    ] {
        check(text, expected);
    }
    let (deck, _) = read(&package(), b"3x Rook\n\nG\nPlay fast.\nWin.\n");
    assert_eq!(deck.unwrap().notes.unwrap().to_string(), "Play fast.\nWin.");
    let utf16: Vec<u8> = "\u{feff}3 Séance"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(shown(&read(&package(), &utf16).0.unwrap()), "Main: 3 Séance");
}

/// What cannot be read, or in several ways, is said at its place.
#[test]
fn what_is_wrong_with_a_list_is_said() {
    for (text, expected) in [
        ("", "list.txt:1:1-1 PK165 this list has no cards"),
        ("// nothing", "list.txt:1:1-1 PK165 this list has no cards"),
        ("0 Rook", "list.txt:1:3-7 PK165 0 of a card cannot be in a deck"),
        (
            "99999999999999999999999 Rook",
            "PK165 18446744073709551615 of a card cannot be in a deck",
        ),
        ("3 Rok", "list.txt:1:3-6 PK121 no card is called `Rok`"),
        ("Rok", "list.txt:1:1-4 PK121 no card is called `Rok`"),
        (
            "1 resumé",
            "list.txt:1:3-9 PK165 `resumé` may be `Resume` or `Résumé`",
        ),
        (
            "3 Wes\nSidebord:\n1 Rook",
            "list.txt:2:1-10 PK124 the game has no section `Sidebord`",
        ),
        (
            "3 Wes\nEvents:\n1 Wes",
            "list.txt:2:1-8 PK166 `Events` is taken for a title; the cards below it go to `Main`",
        ),
        (
            "3 Wes\nHello",
            "list.txt:2:1-6 PK166 `Hello` is taken for a title; the cards below it go to `Main`",
        ),
        (
            "3 Rook",
            "list.txt:1:3-7 PK166 2 cards are called `Rook`; the one of `S` is taken",
        ),
    ] {
        let (_, found) = read(&package(), text.as_bytes());
        assert!(
            found.iter().any(|line| line.contains(expected)),
            "{text}: {found:?}"
        );
    }
    // Bytes that are no text are no list; XML that is no deck is no list either.
    assert!(read(&package(), b"\x89PNG\r\n\xff").0.is_none());
    assert!(read(&package(), b"<html>3 Rook</html>").0.is_none());
}

/// A set behind the name chooses between cards of one name.
#[test]
fn a_set_chooses_between_namesakes() {
    let package = package();
    let of = |text: &str| {
        let (deck, found) = read(&package, text.as_bytes());
        assert!(found.is_empty(), "{text}: {found:?}");
        deck.unwrap().sections[0].cards[0].id.value.to_string()
    };
    for text in [
        "3 Rook (SEC)",
        "3 Rook [second print]",
        "Rook (sec) 12",
        "3 Rook (SEC) *F* // best",
    ] {
        assert_eq!(of(text), "0b000000-0000-4000-8000-000000000099", "{text}");
    }
    assert_eq!(of("3 Rook (S)"), "0b000000-0000-4000-8000-000000000000");
    let several = package.card_named("resumé");
    assert!(
        matches!(&several, Some(NameMatch::Several(cards)) if cards.len() == 2),
        "{several:?}"
    );
}

/// P142: what the text export writes is read back, whatever the cards are called.
#[test]
fn the_text_of_a_deck_is_read_back() {
    let package = package();
    let cards: Vec<String> = package
        .cards()
        .enumerate()
        .map(|(number, (_, card))| {
            format!(
                "<card qty=\"{}\" id=\"{}\">old name</card>",
                number % 7 + 1,
                card.id.value
            )
        })
        .filter(|line| !line.contains("000000000099"))
        .collect();
    let half = cards.len() / 2;
    let text = format!(
        "<deck game=\"{GAME}\"><section name=\"Main\">{}</section>\
         <section name=\"Characters\">{}</section><notes><![CDATA[3 Rook\nin the notes]]></notes></deck>",
        cards[..half].concat(),
        cards[half..].concat()
    );
    let (deck, found) = Deck::read(
        "d.o8d",
        text.into_bytes(),
        &PackageLimits::default(),
        &mut Sources::new(),
    );
    assert!(found.is_empty(), "{found:?}");
    let deck = deck.unwrap();
    let (again, _) = read(&package, deck_text(&package, &deck).as_bytes());
    let again = again.unwrap();
    let lines = |deck: &Deck| -> Vec<(String, i32, String)> {
        let sections = deck.sections.iter();
        let lines = sections.flat_map(|section| section.cards.iter().map(move |line| (section, line)));
        lines
            .map(|(section, line)| {
                (
                    section.name.to_string(),
                    line.quantity.value,
                    line.id.value.to_string(),
                )
            })
            .collect()
    };
    assert_eq!(lines(&again), lines(&deck));
    assert_eq!(again.notes.unwrap().to_string(), "3 Rook\nin the notes");
}
