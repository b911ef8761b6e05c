//! Rules of the specification that no test elsewhere shows: each test would fail if its rule were broken.

use cw_octgn::{
    Booster, Deck, MemoryFiles, OpenedBooster, Opener, PackChance, PackItem, Package, PackageCard,
    PackageLimits, PropertyKind, PropertyValue, TextKind, check_deck, deck_text, forms, pool_text, write_set,
};
use cw_text::{Severity, Sources};

use crate::support::{DEFINITION, GAME, SET, files, found_by_checking, set};

const OTHER: &str = "0a000000-0000-4000-8000-000000000003";

fn read(content: &str) -> Package {
    Package::read(&files(&set(content))).unwrap()
}

fn id(number: u32) -> String {
    format!("0c000000-0000-4000-8000-{number:012}")
}

fn card(number: u32, name: &str, inner: &str) -> String {
    format!("<card id=\"{}\" name=\"{name}\">{inner}</card>", id(number))
}

fn property(name: &str, value: &str) -> String {
    format!("<property name=\"{name}\" value=\"{value}\"/>")
}

fn pack(inner: &str) -> String {
    format!(
        "<packaging><pack name=\"p\" id=\"0a000000-0000-4000-8000-000000000006\">{inner}</pack></packaging>"
    )
}

/// The codes found in a set with this content, each once.
fn codes(content: &str) -> Vec<String> {
    let mut codes: Vec<String> = found_by_checking(&files(&set(content)))
        .iter()
        .map(|line| line.split(' ').nth(1).unwrap().to_owned())
        .collect();
    codes.sort();
    codes.dedup();
    codes
}

/// The content has this finding, and the near miss has not.
#[track_caller]
fn check(code: &str, wrong: &str, right: &str) {
    let has = |content: &str| codes(content).iter().any(|found| found == code);
    assert!(has(wrong), "{code} is missing: {:?} in {wrong}", codes(wrong));
    assert!(!has(right), "{code} is found in {right}");
}

fn names(package: &Package, booster: &Booster, entries: &[u32]) -> String {
    let name = |entry: &u32| package.card(booster.pool[*entry as usize].card).name.to_string();
    entries.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The names of the candidates of a pack's first pick.
fn candidates(content: &str) -> String {
    let package = read(content);
    let booster = Booster::new(&package, 0, 0);
    let mut found = None;
    booster.picks(&mut |pick| {
        found.get_or_insert_with(|| names(&package, &booster, &pick.candidates));
    });
    found.unwrap()
}

/// P4, P41: what only a schema refuses is read all the same, with a warning.
#[test]
fn schema_violations_reject_nothing() {
    let inner = format!("<alternate name=\"B\" type=\"b\"/>{}", property("Rarity", "Rare"));
    let content = format!(
        "<cards>{}</cards><markers/>{}",
        card(1, "A", &inner),
        pack("<pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>")
    );
    let package = read(&content);
    let read = &package.sets[0];
    assert_eq!((read.cards.len(), read.packs.len()), (1, 1));
    // P41: properties and alternates in any order.
    assert_eq!(
        (read.cards[0].properties.len(), read.cards[0].alternates.len()),
        (1, 1)
    );
    let found = cw_octgn::check(&package);
    assert!(found.iter().any(|finding| finding.code.0 == "PK009"));
    assert!(
        found.iter().all(|finding| finding.severity < Severity::Error),
        "{found:#?}"
    );
}

/// P30: a set has no size, and stands alone.
#[test]
fn sets_have_no_size() {
    for attribute in ["standalone", "dependent", "size"] {
        let text = set("").replacen("<set ", &format!("<set {attribute}=\"x\" "), 1);
        let found = found_by_checking(&files(&text));
        assert!(
            found.iter().any(|line| line.contains(" PK008 ")),
            "{attribute}: {found:?}"
        );
    }
    assert!(!codes("").contains(&"PK008".to_owned()));
}

/// P32, P214: an id that two sets use is found across files; the first in directory order counts.
#[test]
fn ids_are_looked_up_over_all_sets() {
    let one = set(
        &(pack("") + "<cards><card id=\"0c000000-0000-4000-8000-000000000001\" name=\"first\"/></cards>")
    );
    let two = one.replace(SET, OTHER).replace("first", "second");
    let files = files(&one).with(format!("Sets/{OTHER}/set.xml"), two);
    let found = found_by_checking(&files);
    assert!(found.iter().any(|line| line.contains(" PK026 ")), "{found:#?}");
    assert!(found.iter().any(|line| line.contains(" PK024 ")), "{found:#?}");
    let package = Package::read(&files).unwrap();
    let found = package.card_by_id(id(1).parse().unwrap()).unwrap();
    assert_eq!(package.card(found).name.as_str(), "first");
    assert_eq!(package.cards_by_id(id(1).parse().unwrap()).count(), 2);
}

/// P33, P34: an include's properties are read as a card's, where inner text wins; the name cannot be one,
/// and an include stands in a pack alone.
#[test]
fn includes_change_custom_properties() {
    let include = |inner: &str| format!("<include id=\"{}\" set=\"{SET}\">{inner}</include>", id(1));
    let inner = "<property name=\"Rarity\" value=\"lost\">Rare</property>";
    let content = format!(
        "{}<cards>{}</cards>",
        pack(&(include(inner) + "<pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>")),
        card(1, "A", &property("Rarity", "Common"))
    );
    let package = read(&content);
    let pack_read = &package.sets[0].packs[0];
    let booster = Booster::new(&package, 0, 0);
    let seen = |entry: usize| pool_text(&package, pack_read, booster.pool[entry], "Rarity").unwrap();
    assert_eq!((seen(0), seen(1)), ("Common", "Rare"));
    let cards = format!("<cards>{}</cards>", card(1, "A", ""));
    check(
        "PK094",
        &(pack(&include(&property("Name", "B"))) + &cards),
        &(pack(&include(&property("Rarity", "B"))) + &cards),
    );
    let in_option = format!("<options><option>{}</option></options>", include(""));
    check("PK007", &pack(&in_option), &pack(&include("")));
}

/// P40, P203: a marker needs name and id; in sets it is out of date.
#[test]
fn set_markers_need_name_and_id() {
    let marker = |attributes: &str| format!("<markers><marker {attributes}/></markers>");
    let sound = marker(&format!("name=\"m\" id=\"{}\"", id(1)));
    check("PK010", &marker("name=\"m\""), &sound);
    check("PK010", &marker(&format!("id=\"{}\"", id(1))), &sound);
    check("PK101", &sound, "");
    assert_eq!(read(&sound).sets[0].markers.len(), 1);
}

/// P43, P217: no size is the default one, and so is an empty one; only the names of other sizes are known.
#[test]
fn sizes_are_those_of_the_definition() {
    let sized = |size: &str| {
        format!(
            "<cards><card id=\"{}\" name=\"A\" size=\"{size}\"/></cards>",
            id(1)
        )
    };
    check("PK040", &sized("wide"), &sized("Wide"));
    check("PK041", &sized(""), &sized("Wide"));
    check("PK041", &sized("Default"), &sized("Wide"));
    let plain = format!("<cards>{}</cards>", card(1, "A", ""));
    assert!(
        !codes(&plain)
            .iter()
            .any(|code| code.starts_with("PK04") && code != "PK043")
    );
}

/// P45, P48, P59e, P160: what o8build finds in cards, forms, includes and picks; here in one run, also in
/// the order of the file, and also inside `c`.
#[test]
fn everything_that_o8build_checks_is_checked() {
    let cards = |inner: &str| format!("<cards>{}</cards>", card(1, "A", inner));
    let form = |inner: &str| cards(&format!("<alternate name=\"B\" type=\"b\">{inner}</alternate>"));
    let rare = property("Rarity", "Rare");
    for wrap in [&cards as &dyn Fn(&str) -> String, &form] {
        check("PK032", &wrap(&(rare.clone() + &rare)), &wrap(&rare));
        check("PK030", &wrap(&property("Strange", "x")), &wrap(&rare));
        check("PK031", &wrap(&property("rarity", "x")), &wrap(&rare));
        let both = "<property name=\"Rarity\" value=\"a\">b</property>";
        check("PK033", &wrap(both), &wrap(&rare));
        let rich = |inner: &str| wrap(&format!("<property name=\"Text\">{inner}</property>"));
        check(
            "PK060",
            &rich("<c value=\"#000000\"><s value=\"ice\">i</s></c>"),
            &rich("<s value=\"fire\">f</s>"),
        );
        check(
            "PK061",
            &rich("<c value=\"red\">r</c>"),
            &rich("<c value=\"#ff0000\">r</c>"),
        );
    }
    let two = |kind: &str| {
        cards(&format!(
            "<alternate name=\"B\" type=\"b\"/><alternate name=\"C\" type=\"{kind}\"/>"
        ))
    };
    check("PK051", &two("b"), &two("c"));
    check("PK007", &form("<b/>"), &form(""));
    let pick = |key: &str| {
        pack(&format!(
            "<pick qty=\"1\" key=\"Rarity\" value=\"x\"><property key=\"{key}\" value=\"x\"/></pick>"
        ))
    };
    check("PK070", &pick("Strange"), &pick("Kind"));
    // P161: here the built-in name is allowed in nested criteria, as the client does.
    check("PK070", &pick("strange"), &pick("nAME"));
    let foreign = set("").replace(GAME, OTHER);
    assert!(
        found_by_checking(&files(&foreign))
            .iter()
            .any(|line| line.contains(" PK028 "))
    );
    // P48: the inner text counts.
    let package = read(&cards("<property name=\"Rarity\" value=\"a\">b</property>"));
    assert_eq!(package.sets[0].cards[0].text("Rarity"), Some("b"));
}

/// P50: names may be empty or have blanks around; nothing is trimmed.
#[test]
fn names_are_as_written() {
    let cards = |name: &str| format!("<cards>{}</cards>", card(1, name, ""));
    assert_eq!(read(&cards(" A ")).sets[0].cards[0].name.as_str(), " A ");
    assert_eq!(read(&cards("")).sets[0].cards[0].name.as_str(), "");
    check("PK043", &cards(" A "), &cards("A"));
    check("PK043", &cards(""), &cards("A"));
    // What is missing is told once, as a missing attribute (PK010).
    let nameless = cards("A").replace(" name=\"A\"", "");
    let own = codes(&nameless).into_iter().filter(|code| code != "PK138");
    assert_eq!(own.collect::<Vec<_>>(), ["PK010"]);
}

/// P244, P245: what o8build says of sets and OCTGN does not mind.
#[test]
fn what_only_the_packaging_tool_refuses_in_sets() {
    check("PK101", "<markers></markers>", "");
    let pick = |own: &str, inner: &str| {
        let pick = format!(
            "<pick qty=\"1\" key=\"{own}\" value=\"x\"><property key=\"{inner}\" value=\"x\"/></pick>"
        );
        pack(&pick) + "<cards/>"
    };
    check("PK151", &pick("Rarity", "name"), &pick("Name", "Rarity"));
}

/// P59b, P59c, P106: values of every type are kept as text; only a finding says what they are not.
#[test]
fn values_are_text_whatever_their_type() {
    let cards = |name: &str, value: &str| format!("<cards>{}</cards>", card(1, "A", &property(name, value)));
    for value in ["X", "", " +5 ", "99999999999"] {
        let package = read(&cards("Power", value));
        assert_eq!(package.sets[0].cards[0].text("Power"), Some(value));
    }
    check("PK035", &cards("Power", "X"), &cards("Power", " +5 "));
    check("PK035", &cards("Power", "99999999999"), &cards("Power", ""));
    check("PK036", &cards("Letter", "ab"), &cards("Letter", "é"));
    let kinds: Vec<_> = read("")
        .definition
        .properties
        .iter()
        .map(|one| (one.kind, one.text_kind.clone()))
        .collect();
    assert_eq!(kinds[2], (PropertyKind::Integer, TextKind::Free));
    assert!(matches!(&kinds[1].1, TextKind::Tokens(delimiter) if delimiter.as_str() == " "));
}

/// P75, P201: types may be anything, but those that file names or people mix up are found.
#[test]
fn types_are_part_of_file_names() {
    let form = |kinds: &[&str]| {
        let all: String = kinds
            .iter()
            .map(|kind| {
                format!(
                    "<alternate name=\"B\" type=\"{kind}\">{}</alternate>",
                    property("Kind", kind)
                )
            })
            .collect();
        format!("<cards>{}</cards>", card(1, "A", &all))
    };
    check("PK053", &form(&["a.b"]), &form(&["ab"]));
    check("PK053", &form(&["a b"]), &form(&["ab"]));
    check("PK052", &form(&["ab", "AB"]), &form(&["ab", "ac"]));
    let package = read(&form(&["a b"]));
    let found = &package.sets[0].cards[0];
    assert_eq!(
        found.picture_name(found.alternate("a b")),
        format!("{}.a b", id(1))
    );
    assert!(found.alternate("A B").is_none());
}

/// P77: every form is listed; a value of one never shows in the next.
#[test]
fn forms_do_not_leak_into_each_other() {
    let inner = format!(
        "{}<alternate name=\"B\" type=\"b\">{}</alternate><alternate name=\"C\" type=\"c\"/>",
        property("Rarity", "Rare"),
        property("Kind", "Elf")
    );
    let package = read(&format!("<cards>{}</cards>", card(1, "A", &inner)));
    let seen: Vec<_> = forms(&package)
        .map(|form| (form.name(), form.text("Rarity"), form.text("Kind")))
        .collect();
    let rare = Some("Rare");
    assert_eq!(
        seen,
        [("A", rare, None), ("B", rare, Some("Elf")), ("C", rare, None)]
    );
}

/// P79, P80, P81: a pool needs no files: the set's cards in file order, then the included ones, by sets in
/// order of first mention, in file order inside each, once for each include.
#[test]
fn pools_are_in_the_rules_order() {
    let set_of = |id_of_set: &str, name: &str, cards: &str| {
        format!("<set name=\"{name}\" id=\"{id_of_set}\" gameId=\"{GAME}\"><cards>{cards}</cards></set>")
    };
    let third = "0a000000-0000-4000-8000-000000000004";
    let include = |number: u32, from: &str| format!("<include id=\"{}\" set=\"{from}\"/>", id(number));
    let includes = include(31, third)
        + &include(22, OTHER)
        + &include(21, OTHER)
        + &include(32, third)
        + &include(22, OTHER);
    let own = pack(&(includes + "<pick qty=\"1\" key=\"Name\" value=\"own2\"/>"))
        + &format!("<cards>{}{}</cards>", card(12, "own2", ""), card(11, "own1", ""));
    let files = files(&set(&own))
        .with(
            format!("Sets/{OTHER}/set.xml"),
            set_of(OTHER, "T", &(card(21, "t1", "") + &card(22, "t2", ""))),
        )
        .with(
            format!("Sets/{third}/set.xml"),
            set_of(third, "U", &(card(32, "u2", "") + &card(31, "u1", ""))),
        );
    let read = Package::read(&files).unwrap();
    let package = Package::of_parts(read.definition.clone(), read.sets.clone(), Vec::new());
    let booster = Booster::new(&package, 0, 0);
    let all: Vec<u32> = (0..booster.pool.len() as u32).collect();
    assert_eq!(names(&package, &booster, &all), "own2 own1 u2 u1 t1 t2 t2");
    let mut out = OpenedBooster::default();
    Opener::new(&booster).open(&mut PackChance::new(1), &mut out);
    assert_eq!(out.limited[0].entry, 0);
}

/// P84, P85, P86, P213, P216: items in document order; each pick starts from the whole pool; what is
/// unlimited stands apart; what is missing and what chose nothing is told, with the pick that drew each card.
#[test]
fn picks_are_done_in_order_from_the_whole_pool() {
    let rare = "<pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>";
    let land = "<pick qty=\"unlimited\" key=\"Rarity\" value=\"Land\"/>";
    let two = "<pick qty=\"2\" key=\"Rarity\" value=\"Rare\"/>";
    let never =
        "<options><option probability=\"0\"><pick qty=\"1\" key=\"Name\" value=\"x\"/></option></options>";
    let content = pack(&format!("{rare}{land}{rare}{never}{two}"))
        + &format!(
            "<cards>{}{}{}</cards>",
            card(1, "L1", &property("Rarity", "Land")),
            card(2, "R", &property("Rarity", "Rare")),
            card(3, "L2", &property("Rarity", "Land"))
        );
    let package = read(&content);
    let booster = Booster::new(&package, 0, 0);
    let mut out = OpenedBooster::default();
    Opener::new(&booster).open(&mut PackChance::new(4), &mut out);
    let limited: Vec<(u32, u32)> = out
        .limited
        .iter()
        .map(|drawn| (drawn.entry, drawn.pick))
        .collect();
    assert_eq!(limited, [(1, 0), (1, 2), (1, 4)]);
    let unlimited: Vec<(u32, u32)> = out
        .unlimited
        .iter()
        .map(|drawn| (drawn.entry, drawn.pick))
        .collect();
    assert_eq!(unlimited, [(0, 1), (2, 1)]);
    assert_eq!((out.short, out.nothing), (vec![(4, 1)], vec![0]));
}

/// P92, P178: a pack cannot ask for more than the limits; what they cut is said.
#[test]
fn packs_are_limited() {
    let content = |quantity: &str| {
        pack(&format!(
            "<pick qty=\"{quantity}\" key=\"Rarity\" value=\"Rare\"/>"
        ))
    };
    check("PK005", &content("10001"), &content("10000"));
    let PackItem::Pick(pick) = read(&content("2000000000")).sets[0].packs[0].items[0].clone() else {
        panic!("a pick")
    };
    assert_eq!(pick.quantity.value, cw_octgn::PickQuantity::Count(10_000));
    let nested =
        |depth: usize| pack(&("<options><option>".repeat(depth) + &"</option></options>".repeat(depth)));
    let deep = codes(&nested(20));
    assert!(deep.contains(&"PK086".to_owned()) && !codes(&nested(3)).contains(&"PK086".to_owned()));
    assert!(codes(&nested(31)).contains(&"PK005".to_owned()));
}

/// P101, P102, P104, P106, P208: whole values, letter case ignored, formatting taken out, no numbers, no
/// parts.
#[test]
fn picks_compare_whole_texts() {
    let rich = "<property name=\"Text\">Draw <b>two</b></property>";
    let cards = format!(
        "<cards>{}{}{}</cards>",
        card(
            1,
            "A",
            &(property("Kind", "Elf Warrior") + &property("Power", "01") + rich)
        ),
        card(2, "B", &(property("Kind", "ELF") + &property("Power", "1"))),
        card(3, "C", &(property("Kind", "Élf") + &property("Rarity", "Rare ")))
    );
    let found = |key: &str, value: &str| {
        candidates(&(pack(&format!("<pick qty=\"1\" key=\"{key}\" value=\"{value}\"/>")) + &cards))
    };
    assert_eq!(found("Kind", "elf"), "B");
    assert_eq!(found("Kind", "elf warrior"), "A");
    assert_eq!(found("Kind", "éLF"), "C");
    assert_eq!(found("Power", "1"), "B");
    assert_eq!(found("Text", "draw TWO"), "A");
    assert_eq!(found("Rarity", "Rare"), "");
    assert_eq!(found("Rarity", "rare "), "C");
    assert_eq!(found("Rarity", ""), "A B");
}

fn deck(text: &str) -> (Option<Deck>, Vec<&'static str>) {
    let (deck, found) = Deck::read(
        "d.o8d",
        text.as_bytes().to_vec(),
        &PackageLimits::default(),
        &mut Sources::new(),
    );
    (deck, found.iter().map(|finding| finding.code.0).collect())
}

/// P140: each way in which a deck cannot be used is told apart.
#[test]
fn deck_errors_are_told_apart() {
    let package = read(&format!("<cards>{}</cards>", card(1, "A", "")));
    let of = |game: &str, line: &str| {
        let text = format!("<deck game=\"{game}\"><section name=\"Main\">{line}</section></deck>");
        let (deck, mut codes) = deck(&text);
        if let Some(deck) = deck {
            codes.extend(check_deck(&package, &deck).iter().map(|finding| finding.code.0));
        }
        codes
    };
    let line = |id: &str, quantity: &str| format!("<card qty=\"{quantity}\" id=\"{id}\">A</card>");
    assert_eq!(of(GAME, &line(&id(1), "1")), Vec::<&str>::new());
    assert_eq!(of(OTHER, &line(&id(1), "1")), ["PK120"]);
    assert_eq!(of(GAME, &line(&id(9), "1").replace(">A<", ">Z<")), ["PK121"]);
    assert!(of(GAME, &line("12", "1")).contains(&"PK020"));
    assert!(!of(GAME, &line(&id(1), "many")).is_empty());
    assert!(!of(GAME, "<card qty=\"1\"/>").is_empty());
    assert_eq!(deck("<deck game=\"x\"><section name=\"Main\">").0, None);
}

/// P141: a deck that may not be written can be read.
#[test]
fn read_only_decks_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.o8d");
    std::fs::write(folder.path().join("definition.xml"), DEFINITION).unwrap();
    std::fs::write(
        &path,
        format!("<deck game=\"{GAME}\"><section name=\"Main\"/></deck>"),
    )
    .unwrap();
    let mut rights = std::fs::metadata(&path).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights).unwrap();
    let package = Package::read(&cw_octgn::Folder::new(folder.path())).unwrap();
    assert_eq!(package.decks.len(), 1);
}

/// P142: a deck as text.
#[test]
fn decks_are_exported_as_text() {
    let text = format!(
        "<deck game=\"{GAME}\">\
             <section name=\"Main\">\
                 <card qty=\"2\" id=\"{}\">A</card>\
                 <card qty=\"1\" id=\"{}\">B</card>\
             </section>\
             <section name=\"Side\"><card qty=\"3\" id=\"{}\">C</card></section>\
             <notes><![CDATA[Hold on.]]></notes>\
         </deck>",
        id(1),
        id(2),
        id(3)
    );
    assert_eq!(
        deck_text(&Package::read(&files(&set(""))).unwrap(), &deck(&text).0.unwrap()),
        "Main\n2x A\n1x B\n\nSide\n3x C\n\nG\nHold on.\n"
    );
}

/// P146: decks in the root's `Decks` and below sets are decks of the game; what would be run is warned of.
#[test]
fn decks_anywhere_are_the_games_decks() {
    let deck = format!("<deck game=\"{GAME}\"><section name=\"Main\"/></deck>");
    let files = files(&set(""))
        .with("Decks/one.o8d", deck.clone())
        .with(format!("Sets/{SET}/Decks/two.o8d"), deck)
        .with("Plugins/x.dll", "");
    let package = Package::read(&files).unwrap();
    let names: Vec<&str> = package.decks.iter().map(|deck| deck.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert!(
        found_by_checking(&files)
            .iter()
            .any(|line| line.contains(" PK135 "))
    );
}

/// P150, P151, P172, P212: definition and sets are judged in one run, each finding with file, line
/// and column; what the definition says holds for the sets, though its name sorts behind theirs.
#[test]
fn definition_and_sets_are_judged_together() {
    let wrong = set(&format!(
        "<cards>\n{}</cards>",
        card(1, "A", &property("Power", "x"))
    ));
    let definition = DEFINITION
        .replace("width=\"63\"", "width=\"wide\"")
        .replace("<player>", "<player><x/>");
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with(format!("Sets/{SET}/set.xml"), wrong);
    let found = found_by_checking(&files);
    let power = found.iter().find(|line| line.contains(" PK035 ")).unwrap();
    assert!(power.starts_with("3:"), "{power}");
    assert!(
        found.iter().any(|line| line.starts_with("definition.xml:")),
        "{found:#?}"
    );
}

/// P172: a finding says which card or pack it is in, and who trips over it.
#[test]
fn findings_say_where_and_who() {
    let content = pack("<pick qty=\"1\" key=\"Rarty\" value=\"x\"/>")
        + &format!(
            "<cards>{}{}</cards>",
            card(1, "A", ""),
            card(2, "B", &property("Rarty", "x"))
        );
    let package = read(&content);
    let text = &package.sources.get(package.sets[0].file).text;
    let found = cw_octgn::check(&package);
    let told = |code: &str| {
        let finding = found.iter().find(|finding| finding.code.0 == code).unwrap();
        let label = finding.labels.last().unwrap();
        let help = finding.help.clone().unwrap_or_default();
        (text[label.span.range()].to_owned() + " " + &label.text, help)
    };
    let (place, help) = told("PK030");
    assert_eq!(place, "B in this card");
    assert!(
        help.ends_with("\nOCTGN refuses it when loading, and so does o8build"),
        "{help}"
    );
    assert_eq!(told("PK070").0, "p in this pack");
    // What stands in a card's own tag needs no second place.
    let nameless = read(&format!("<cards>{}</cards>", card(1, "", "")));
    let found = cw_octgn::check(&nameless);
    let finding = found.iter().find(|finding| finding.code.0 == "PK043").unwrap();
    assert!(finding.labels.is_empty());
    assert_eq!(
        finding.help.as_deref(),
        Some("OCTGN takes it as it is; players trip over it")
    );
}

/// P171: names that are nearly right are suggested: of properties, symbols, sizes, keys and sections.
#[test]
fn near_names_are_suggested() {
    #[track_caller]
    fn near(files: &MemoryFiles, code: &str, name: &str) {
        let package = Package::read(files).unwrap();
        let found = cw_octgn::check(&package);
        let finding = found.iter().find(|finding| finding.code.0 == code).unwrap();
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(help.contains(name), "{code}: {help}");
    }
    let cards = |inner: &str| files(&set(&format!("<cards>{}</cards>", card(1, "A", inner))));
    near(&cards(&property("Rarty", "x")), "PK030", "`Rarity`");
    near(&cards(&property("RARITY", "x")), "PK031", "`Rarity`");
    near(
        &cards("<property name=\"Text\"><s value=\"fir\">f</s></property>"),
        "PK060",
        "`fire`",
    );
    let sized = format!("<cards><card id=\"{}\" name=\"A\" size=\"Wyde\"/></cards>", id(1));
    near(&files(&set(&sized)), "PK040", "`Wide`");
    near(
        &files(&set(&pack("<pick qty=\"1\" key=\"Rarty\" value=\"x\"/>"))),
        "PK070",
        "`Rarity`",
    );
    let deck = format!(
        "<deck game=\"{GAME}\"><section name=\"Mian\"><card qty=\"1\" id=\"{}\">A</card></section></deck>",
        id(1)
    );
    near(&cards("").with("Decks/d.o8d", deck), "PK124", "`Main`");
}

/// P190, P29: versions change nothing; a newer one than the game's is only mentioned.
#[test]
fn versions_are_only_mentioned() {
    let with = |attributes: &str| set("").replacen("<set ", &format!("<set {attributes} "), 1);
    let found = found_by_checking(&files(&with("version=\"1.0\" gameVersion=\"9.0.0.0\"")));
    assert!(found.iter().any(|line| line.contains(" PK029 ")));
    let found = found_by_checking(&files(&with("version=\"1.0\" gameVersion=\"1.0.0.0\"")));
    assert!(!found.iter().any(|line| line.contains(" PK029 ")));
}

/// P193, P83: a card of the own set may be included; it is then twice in the pool, which is warned of.
#[test]
fn own_cards_may_be_included() {
    let include = format!("<include id=\"{}\" set=\"{SET}\"/>", id(1));
    let cards = format!("<cards>{}</cards>", card(1, "A", &property("Rarity", "Rare")));
    let pick = "<pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>";
    assert_eq!(candidates(&(pack(&format!("{include}{pick}")) + &cards)), "A A");
    check("PK092", &(pack(&include) + &cards), &(pack(pick) + &cards));
}

/// P197: probabilities are taken as they are, never scaled to 1.
#[test]
fn probabilities_are_not_scaled() {
    let option = |probability: &str| {
        format!("<option probability=\"{probability}\"><pick qty=\"1\" key=\"Name\" value=\"A\"/></option>")
    };
    let content = pack(&format!("<options>{}{}</options>", option("0.1"), option("0.1")))
        + &format!("<cards>{}</cards>", card(1, "A", ""));
    let package = read(&content);
    let booster = Booster::new(&package, 0, 0);
    let odds = cw_octgn::Odds::new(&booster);
    assert_eq!(odds.at_least_one(&|_| true, 1).unwrap().to_string(), "1/5");
}

/// P209: the repaired form of the sample that the wiki prints is sound and means what it says.
#[test]
fn the_repaired_sample_is_sound() {
    let content = pack(
        "<pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/>\
         <options>\
             <option probability=\"0.5\"><pick qty=\"2\" key=\"Rarity\" value=\"Common\">\
                 <property key=\"Kind\" value=\"Elf\"/>\
             </pick></option>\
             <option probability=\"0.5\"/>\
         </options>",
    ) + &format!(
        "<cards>{}{}{}</cards>",
        card(1, "A", &property("Rarity", "Rare")),
        card(2, "B", &(property("Rarity", "Common") + &property("Kind", "Elf"))),
        card(3, "C", &(property("Rarity", "Common") + &property("Kind", "Elf")))
    );
    let package = read(&content);
    let own = package.sets[0].file;
    let found: Vec<_> = cw_octgn::check(&package)
        .into_iter()
        .filter(|finding| finding.file == own && finding.severity > Severity::Hint)
        .collect();
    assert_eq!(found, []);
    let booster = Booster::new(&package, 0, 0);
    let size = cw_octgn::Odds::new(&booster).size().unwrap();
    assert_eq!(
        (size.exactly(1).to_string(), size.exactly(3).to_string()),
        ("1/2".to_owned(), "1/2".to_owned())
    );
}

/// P213: the model keeps the text of an id, the places, and what is null, empty and missing apart.
#[test]
fn the_model_keeps_what_was_written() {
    let upper = id(1).to_uppercase();
    let inner = "<property name=\"Rarity\"/><property name=\"Kind\" value=\"\"/>";
    let package = read(&format!(
        "<cards><card id=\"{upper}\" name=\"A\">{inner}</card></cards>"
    ));
    let found: &PackageCard = &package.sets[0].cards[0];
    assert_eq!(found.raw_id.as_str(), upper);
    assert_eq!(found.id.value.to_string(), id(1));
    assert_eq!(found.properties[0].value.value, PropertyValue::Null);
    assert_eq!(found.text("Rarity"), None);
    assert_eq!(found.text("Kind"), Some(""));
    assert_eq!(found.value("Power"), None);
    let text = &package.sources.get(package.sets[0].file).text;
    assert_eq!(&text[found.name.span().range()], "A");
    assert!(write_set(&package.sets[0]).contains(&upper));
}
