//! Every page's wrong example has the finding, at the place in the snapshot; the right one has not.

use std::fmt::Write as _;

use cw_octgn::{MemoryFiles, PAGES, Trips};
use cw_text::FindingPage;

use crate::support::{GAME, PROXY, SET, found_by_checking, set};

const OTHER_SET: &str = "0a000000-0000-4000-8000-000000000003";
const FOREIGN_SET: &str = "0a000000-0000-4000-8000-000000000007";
const FOREIGN_GAME: &str = "0a000000-0000-4000-8000-000000000009";

/// A package with three sets (one of another game), into which an example is put.
fn files(kind: &str, example: &str) -> MemoryFiles {
    let in_card = if kind == "in-card" { example } else { "" };
    let in_game = if kind == "in-game" { example } else { "" };
    let (in_table, scripts) = match kind {
        "script" => (
            r#"<groupaction menu="m" execute="flip"/>"#,
            r#"<scripts><script src="Scripts/s.py"/></scripts>"#,
        ),
        _ => ("", ""),
    };
    let definition = format!(
        "<game id=\"{GAME}\" name=\"G\" version=\"1.0.0.0\" octgnVersion=\"3.4.0.0\" \
         scriptVersion=\"3.1.0.2\" authors=\"a\" description=\"d\" tags=\"t\" \
         gameurl=\"https://example.org\" setsurl=\"\" iconurl=\"https://example.org/i.png\">\n\
         <symbols><symbol name=\"Fire\" id=\"fire\" src=\"front.png\"/></symbols>\n\
         <markers><marker name=\"Token\" id=\"0a000000-0000-4000-8000-00000000000a\" src=\"front.png\"/>\
         </markers>\n\
         <card front=\"front.png\" back=\"front.png\" width=\"63\" height=\"88\">\n\
         <property name=\"Rarity\" type=\"String\" textKind=\"Enum\"/>\n\
         <property name=\"Kind\" type=\"String\" textKind=\"Tokens\"/>\n\
         <property name=\"Power\" type=\"Integer\"/>\n\
         <property name=\"Letter\" type=\"Char\"/>\n\
         <property name=\"Text\" type=\"RichText\"/>\n\
         {in_card}\n\
         <size name=\"Wide\" front=\"front.png\" back=\"front.png\" width=\"88\" height=\"63\"/>\n\
         </card>\n\
         <player><group name=\"Deck\" icon=\"front.png\"/></player>\
         <table name=\"T\" width=\"10\" height=\"10\" background=\"front.png\">{in_table}</table>\
         <proxygen definitionsrc=\"Proxy/p.xml\"/>\n\
         <deck><section name=\"Main\" group=\"Deck\"/></deck>\n\
         {in_game}{scripts}\n\
         </game>"
    );
    let far = "<card id=\"0a000000-0000-4000-8000-000000000004\" name=\"Far\">\
               <property name=\"Rarity\" value=\"Common\"/></card>";
    let other = format!(
        "<set name=\"Other\" id=\"{OTHER_SET}\" gameId=\"{GAME}\"><cards>{far}\
         <card id=\"0a000000-0000-4000-8000-00000000000b\" name=\"Rich\">\
         <property name=\"Rarity\" value=\"Rare\"/></card></cards></set>"
    );
    let foreign = format!(
        "<set name=\"Foreign\" id=\"{FOREIGN_SET}\" gameId=\"{FOREIGN_GAME}\"><cards>\
         <card id=\"0a000000-0000-4000-8000-000000000008\" name=\"Strange\">\
         <property name=\"Rarity\" value=\"Common\"/></card></cards></set>"
    );
    let own = match kind {
        "set" => set(example),
        "set-file" => example.to_owned(),
        _ => set(r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#),
    };
    let mut files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Art/front.png", "")
        .with("Proxy/p.xml", PROXY)
        .with(format!("Sets/{SET}/set.xml"), own)
        .with(format!("Sets/{OTHER_SET}/set.xml"), other)
        .with(format!("Sets/{FOREIGN_SET}/set.xml"), foreign);
    match kind {
        "deck" => files = files.with("Decks/deck.o8d", example),
        "files" => files = files.with(example, ""),
        "definition-file" => files = files.with("definition.xml", example),
        "proxy-file" => files = files.with("Proxy/p.xml", example),
        "script" => files = files.with("Scripts/s.py", example),
        _ => {}
    }
    files.with("front.png", "")
}

fn is_run(page: &FindingPage) -> bool {
    !matches!(page.example, "archive" | "image-pack" | "list" | "amount")
}

fn count(lines: &[String], page: &FindingPage) -> usize {
    lines
        .iter()
        .filter(|line| line.contains(&format!(" {} ", page.code)))
        .count()
}

/// PK165, PK166: lists are no part of a package.
#[test]
fn the_examples_of_lists_have_the_finding_and_the_right_ones_do_not() {
    let package = cw_octgn::Package::read(&files("list", "")).unwrap();
    let found = |text: &str| {
        let mut sources = cw_text::Sources::new();
        let limits = cw_octgn::PackageLimits::default();
        let (_, found) = package.read_deck("list.txt", text.into(), &limits, &mut sources);
        found.into_iter().map(|one| one.code).collect::<Vec<_>>()
    };
    for page in PAGES.iter().filter(|page| page.example == "list") {
        assert_eq!(found(page.wrong), [page.code], "{}", page.wrong);
        assert_eq!(found(page.right), [], "{}", page.right);
    }
}

/// PK001 to PK158, all that need no archive and no large package.
#[test]
fn wrong_examples_have_the_finding_and_right_ones_do_not() {
    let sound = found_by_checking(&files(
        "set",
        r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#,
    ));
    for page in PAGES.iter().filter(|page| is_run(page)) {
        let wrong = found_by_checking(&files(page.example, page.wrong));
        let right = found_by_checking(&files(page.example, page.right));
        assert!(
            count(&wrong, page) > count(&sound, page),
            "{}: not found in the wrong example: {wrong:#?}",
            page.code
        );
        assert_eq!(
            count(&right, page),
            count(&sound, page),
            "{}: found in the right example: {right:#?}",
            page.code
        );
    }
}

/// Their exact places; archives have tests of their own.
///
/// They are the findings about XML and its elements (PK001–PK011), ids and the game of a set
/// (PK020–PK029), properties of cards (PK030–PK039), sizes and names of cards (PK040–PK043), alternates
/// (PK050–PK055), names in the definition (PK056–PK058), formatted text (PK060–PK066, PK157), picks and
/// options of packs (PK070–PK086), includes (PK090–PK096), pictures and markers (PK100–PK103), references
/// and values of definitions and sets (PK110–PK116), decks (PK120–PK128), files of a package (PK135,
/// PK138), what is missing, unreadable or without use in a definition (PK140–PK154), and unseen characters
/// of a name (PK158).
#[test]
fn findings_stand_at_their_exact_places() {
    let sound = found_by_checking(&files(
        "set",
        r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#,
    ));
    let mut all = String::new();
    for page in PAGES.iter().filter(|page| is_run(page)) {
        let _ = writeln!(all, "{} {}\n  {}", page.code, page.title, page.wrong);
        for line in found_by_checking(&files(page.example, page.wrong)) {
            if line.contains(&format!(" {} ", page.code)) && !sound.contains(&line) {
                let _ = writeln!(all, "  {line}");
            }
        }
    }
    insta::assert_snapshot!(all);
}

/// Pages are in order, each code has one, and texts are sentences.
#[test]
fn pages_are_complete() {
    assert!(PAGES.windows(2).all(|pair| pair[0].code < pair[1].code));
    for page in PAGES.iter() {
        assert!(
            page.text.ends_with('.') || page.text.ends_with('"'),
            "{}",
            page.code
        );
        assert!(!page.title.is_empty() && !page.wrong.is_empty(), "{}", page.code);
        assert_eq!(
            PAGES.find(&page.code.0.to_lowercase()).map(|found| found.code),
            Some(page.code)
        );
    }
    assert!(PAGES.find("PK999").is_none());
}

/// Who refuses what, read out of the rules about packages, which are cited: `L` OCTGN when it loads, `B`
/// o8build, `P` OCTGN in play, `U` the people who play, `C` Cardwright alone.
const WHO: [(&str, &str, &str); 130] = [
    ("PK001", "LB", "P8 P12"),
    ("PK002", "LB", "P12"),
    ("PK003", "BC", "P9"),
    ("PK004", "LB", "P3 P12"),
    ("PK005", "C", "P178"),
    ("PK006", "LB", "P1 P4"),
    ("PK007", "B", "P6 P8"),
    ("PK008", "B", "P6"),
    ("PK009", "B", "P5"),
    ("PK010", "LB", "P12 P21 P36"),
    ("PK011", "LB", "P12"),
    ("PK012", "C", "P178"),
    ("PK013", "C", "P178"),
    ("PK014", "C", "P178"),
    ("PK015", "C", "P178"),
    ("PK020", "LB", "P12 P13"),
    ("PK021", "LB", "P13 P14 P15"),
    ("PK022", "BU", "P123 P158"),
    ("PK023", "U", "P49"),
    ("PK024", "U", "P49"),
    ("PK025", "U", "P49"),
    ("PK026", "U", "P32"),
    ("PK027", "U", "P49"),
    ("PK028", "LB", "P23 P160"),
    ("PK029", "", "P25"),
    ("PK030", "LB", "P12 P59e P160"),
    ("PK031", "LB", "P12 P44 P160"),
    ("PK032", "LB", "P45 P160"),
    ("PK033", "B", "P48"),
    ("PK034", "U", "P46"),
    ("PK035", "U", "P59b"),
    ("PK036", "U", "P59c"),
    ("PK037", "U", "P101"),
    ("PK038", "U", "P59f"),
    ("PK039", "U", "P46 P69"),
    ("PK040", "LB", "P43 P160"),
    ("PK041", "LB", "P43"),
    ("PK042", "U", "P74"),
    ("PK043", "U", "P50 P134"),
    ("PK050", "LB", "P42 P71"),
    ("PK051", "LB", "P71 P160"),
    ("PK052", "P", "P75"),
    ("PK053", "U", "P75"),
    ("PK054", "B", "P42 P160"),
    ("PK055", "U", "P72"),
    ("PK056", "LB", "P54 P56 P57 P58 P158"),
    ("PK057", "U", "P56"),
    ("PK058", "B", "P56"),
    ("PK060", "LB", "P61 P160"),
    ("PK061", "LB", "P61 P160"),
    ("PK062", "L", "P61"),
    ("PK063", "BU", "P63 P6"),
    ("PK064", "B", "P60"),
    ("PK065", "B", "P64"),
    ("PK066", "U", "P66"),
    ("PK070", "L", "P36 P161"),
    ("PK071", "U", "P87"),
    ("PK072", "U", "P87"),
    ("PK073", "U", "P17"),
    ("PK074", "L", "P17"),
    ("PK075", "U", "P17"),
    ("PK076", "U", "P35"),
    ("PK077", "U", "P88"),
    ("PK078", "U", "P100 P104"),
    ("PK079", "U", "P80"),
    ("PK080", "U", "P90"),
    ("PK081", "LB", "P18"),
    ("PK082", "BU", "P18"),
    ("PK083", "U", "P18 P90"),
    ("PK084", "U", "P39 P90"),
    ("PK085", "U", "P39"),
    ("PK086", "", "P38"),
    ("PK090", "P", "P83 P161"),
    ("PK091", "U", "P83"),
    ("PK092", "U", "P83"),
    ("PK093", "U", "P83"),
    ("PK094", "LB", "P34 P59e P160"),
    ("PK095", "U", "P85"),
    ("PK096", "P", "P83"),
    ("PK100", "L", "P120"),
    ("PK101", "", "P40 P160"),
    ("PK102", "U", "P76 P122"),
    ("PK103", "U", "P121"),
    ("PK110", "BP", "P124 P158"),
    ("PK111", "U", "P158"),
    ("PK112", "LB", "P52"),
    ("PK113", "LB", "P16"),
    ("PK114", "LB", "P20 P52"),
    ("PK115", "BU", "P58"),
    ("PK116", "BU", "P19"),
    ("PK120", "L", "P132"),
    ("PK121", "L", "P134"),
    ("PK122", "U", "P134"),
    ("PK123", "U", "P134"),
    ("PK124", "P", "P136"),
    ("PK125", "U", "P134"),
    ("PK126", "U", "P138"),
    ("PK127", "L", "P139"),
    ("PK128", "U", "P137"),
    ("PK130", "C", "P147"),
    ("PK131", "C", "P147"),
    ("PK132", "C", "P147"),
    ("PK133", "LB", "P146 P152"),
    ("PK134", "U", "P15"),
    ("PK135", "U", "P146"),
    ("PK136", "L", "P148"),
    ("PK137", "U", "P148"),
    ("PK138", "B", "P143 P144"),
    ("PK139", "U", "P120"),
    ("PK140", "BU", "P158"),
    ("PK141", "B", "P52"),
    ("PK142", "B", "P52"),
    ("PK143", "LB", "P12 P52"),
    ("PK144", "B", "P158"),
    ("PK145", "B", "P145"),
    ("PK146", "U", "P59"),
    ("PK147", "P", "P59"),
    ("PK148", "BP", "P159"),
    ("PK149", "B", "P219 P226"),
    ("PK150", "U", "P221 P279"),
    ("PK151", "B", "P237 P239 P250"),
    ("PK152", "U", "P237 P239 P258 P260 P263"),
    ("PK153", "P", "P265 P266 P268"),
    ("PK154", "U", "P266 P267 P269 P270 P271 P273"),
    ("PK155", "C", "P178"),
    ("PK156", "LB", "P12"),
    ("PK157", "U", "P60 P63"),
    ("PK158", "U", "P50"),
    ("PK165", "C", "P142"),
    ("PK166", "U", "P142"),
];

/// P172: each page says who refuses what it is about, and nobody else.
#[test]
fn pages_say_who_refuses_it() {
    let said = PAGES.iter().map(|page| {
        let letter = |trips: &Trips| match trips {
            Trips::Loading => 'L',
            Trips::Builder => 'B',
            Trips::Playing => 'P',
            Trips::Players => 'U',
            Trips::Cardwright => 'C',
        };
        (
            page.code.0,
            Trips::of(page).iter().map(letter).collect::<String>(),
        )
    });
    let table = WHO.iter().map(|(code, who, _)| (*code, (*who).to_owned()));
    assert_eq!(said.collect::<Vec<_>>(), table.collect::<Vec<_>>());
    for (code, who, _) in WHO {
        let sentence = PAGES.find(code).map(Trips::sentence).unwrap();
        let is = |words: &str| sentence.contains(words);
        assert_eq!(
            who.contains('L'),
            is("OCTGN refuses it when loading"),
            "{code}: {sentence}"
        );
        assert_eq!(who.contains('B'), is("o8build"), "{code}: {sentence}");
        assert_eq!(who.contains('P'), is("in play"), "{code}: {sentence}");
        assert_eq!(who.contains('U'), is("players"), "{code}: {sentence}");
        assert_eq!(who.contains('C'), is("Cardwright"), "{code}: {sentence}");
        let refused = who.contains(['L', 'B', 'C']) || who == "P";
        assert_eq!(!refused, is("OCTGN takes it as it is"), "{code}: {sentence}");
    }
}
