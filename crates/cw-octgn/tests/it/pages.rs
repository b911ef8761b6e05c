//! Every page's wrong example has the finding, at the place in the snapshot; the right one has not.

use std::fmt::Write as _;

use cw_octgn::{ExampleKind, MemoryFiles, PAGES, Page};

use crate::support::{GAME, SET, found_by_checking, set};

const OTHER_SET: &str = "0a000000-0000-4000-8000-000000000003";
const FOREIGN_SET: &str = "0a000000-0000-4000-8000-000000000007";
const FOREIGN_GAME: &str = "0a000000-0000-4000-8000-000000000009";

/// A package with three sets (one of another game), into which an example is put.
fn files(kind: ExampleKind, example: &str) -> MemoryFiles {
    let in_card = if kind == ExampleKind::InCard { example } else { "" };
    let in_game = if kind == ExampleKind::InGame { example } else { "" };
    let (in_table, scripts) = match kind {
        ExampleKind::Script => (
            r#"<groupaction menu="m" execute="flip"/>"#,
            r#"<scripts><script src="Scripts/s.py"/></scripts>"#,
        ),
        _ => ("", ""),
    };
    let definition = format!(
        r#"<game id="{GAME}" name="G" version="1.0.0.0" octgnVersion="3.4.0.0" authors="a" tags="t" gameurl="https://example.org" iconurl="https://example.org/i.png">
<symbols><symbol name="Fire" id="fire" src="front.png"/></symbols>
<markers><marker name="Token" id="0a000000-0000-4000-8000-00000000000a" src="front.png"/></markers>
<card front="front.png" back="front.png" width="63" height="88">
<property name="Rarity" type="String" textKind="Enum"/>
<property name="Kind" type="String" textKind="Tokens"/>
<property name="Power" type="Integer"/>
<property name="Letter" type="Char"/>
<property name="Text" type="RichText"/>
{in_card}
<size name="Wide" width="88" height="63"/>
</card>
<player><group name="Deck"/></player><table name="T" width="10" height="10">{in_table}</table><proxygen definitionsrc="Proxy/p.xml"/>
<deck><section name="Main" group="Deck"/></deck>
{in_game}{scripts}
</game>"#
    );
    let far = r#"<card id="0a000000-0000-4000-8000-000000000004" name="Far"><property name="Rarity" value="Common"/></card>"#;
    let other = format!(
        r#"<set name="Other" id="{OTHER_SET}" gameId="{GAME}"><cards>{far}<card id="0a000000-0000-4000-8000-00000000000b" name="Rich"><property name="Rarity" value="Rare"/></card></cards></set>"#
    );
    let foreign = format!(
        r#"<set name="Foreign" id="{FOREIGN_SET}" gameId="{FOREIGN_GAME}"><cards><card id="0a000000-0000-4000-8000-000000000008" name="Strange"><property name="Rarity" value="Common"/></card></cards></set>"#
    );
    let own = match kind {
        ExampleKind::Set => set(example),
        ExampleKind::SetFile => example.to_owned(),
        _ => set(r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#),
    };
    let mut files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Art/front.png", "")
        .with("Proxy/p.xml", "<templates/>")
        .with(format!("Sets/{SET}/set.xml"), own)
        .with(format!("Sets/{OTHER_SET}/set.xml"), other)
        .with(format!("Sets/{FOREIGN_SET}/set.xml"), foreign);
    match kind {
        ExampleKind::Deck => files = files.with("Decks/deck.o8d", example),
        ExampleKind::Files => files = files.with(example, ""),
        ExampleKind::DefinitionFile => files = files.with("definition.xml", example),
        ExampleKind::Script => files = files.with("Scripts/s.py", example),
        _ => {}
    }
    files.with("front.png", "")
}

fn is_run(page: &Page) -> bool {
    !matches!(
        page.kind,
        ExampleKind::Archive | ExampleKind::ImagePack | ExampleKind::Amount
    )
}

fn count(lines: &[String], page: &Page) -> usize {
    lines
        .iter()
        .filter(|line| line.contains(&format!(" {} ", page.code)))
        .count()
}

/// PK001 to PK148, all that need no archive and no large package.
#[test]
fn wrong_examples_have_the_finding_and_right_ones_do_not() {
    let sound = found_by_checking(&files(
        ExampleKind::Set,
        r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#,
    ));
    for page in PAGES.iter().filter(|page| is_run(page)) {
        let wrong = found_by_checking(&files(page.kind, page.wrong));
        let right = found_by_checking(&files(page.kind, page.right));
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
/// PK001, PK002, PK003, PK004, PK005, PK006, PK007, PK008, PK009, PK010, PK011, PK020, PK021,
/// PK022, PK023, PK024, PK025, PK026, PK027, PK028, PK029, PK030, PK031, PK032, PK033, PK034,
/// PK035, PK036, PK037, PK038, PK039, PK040, PK041, PK042, PK043, PK050, PK051, PK052, PK053,
/// PK054, PK055, PK056, PK057, PK058, PK060, PK061, PK062, PK063, PK064, PK065, PK066, PK070,
/// PK071, PK072, PK073, PK074, PK075, PK076, PK077, PK078, PK079, PK080, PK081, PK082, PK083,
/// PK084, PK085, PK086, PK090, PK091, PK092, PK093, PK094, PK095, PK096, PK100, PK101, PK102,
/// PK103, PK110, PK111, PK112, PK113, PK114, PK115, PK116, PK120, PK121, PK122, PK123, PK124,
/// PK125, PK126, PK127, PK128, PK135, PK138, PK140, PK141, PK142, PK143, PK144, PK145, PK146, PK147, PK148.
#[test]
fn findings_stand_at_their_exact_places() {
    let sound = found_by_checking(&files(
        ExampleKind::Set,
        r#"<cards><card id="0a000000-0000-4000-8000-000000000005" name="A"/></cards>"#,
    ));
    let mut all = String::new();
    for page in PAGES.iter().filter(|page| is_run(page)) {
        let _ = writeln!(all, "{} {}\n  {}", page.code, page.title, page.wrong);
        for line in found_by_checking(&files(page.kind, page.wrong)) {
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
    for page in PAGES {
        assert!(
            page.text.ends_with('.') || page.text.ends_with('"'),
            "{}",
            page.code
        );
        assert!(!page.title.is_empty() && !page.wrong.is_empty(), "{}", page.code);
        assert_eq!(
            cw_octgn::page(&page.code.0.to_lowercase()).map(|found| found.code),
            Some(page.code)
        );
    }
    assert!(cw_octgn::page("PK999").is_none());
}
