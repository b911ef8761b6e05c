//! Three sides of a cell: the sheet, the game, and what both had before.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;

use cw_octgn::{MemoryFiles, Package, PackageFiles};
use cw_sheets::{
    ImportPlan, ImportPreference, ImportRequest, SheetFinding, SheetForm, SheetLimits, columns_of,
    export_tables, plan, read, read_base, write_delimited,
};

const DEFINITION: &str = "\
    <game name='G' id='0a000000-0000-4000-8000-000000000001' version='1.0.0.0'>\
        <card front='f.png' back='b.png' width='63' height='88'>\
            <property name='Cost' type='String'/>\
        </card>\
    </game>";
const SET: &str = "Sets/a/set.xml";
const ROOK: &str = "0a000000-0000-4000-8000-000000000003";

fn set(cards: &str) -> String {
    format!(
        "<set name='Core' id='0a000000-0000-4000-8000-000000000002' \
             gameId='0a000000-0000-4000-8000-000000000001'>\n\
         <cards>{cards}</cards></set>"
    )
}

fn rook(cost: &str) -> String {
    format!("<card name='Rook' id='{ROOK}'><property name='Cost' value='{cost}'/></card>")
}

fn files(cards: &str) -> MemoryFiles {
    MemoryFiles::new()
        .with("definition.xml", DEFINITION.as_bytes())
        .with(SET, set(cards).into_bytes())
}

struct Merging<'m> {
    base: Option<&'m str>,
    delete: bool,
    prefer: Option<ImportPreference>,
}

/// Imports a sheet into the cards; the base is what an import of the `base` sheet left.
fn merged(
    sheet: &str,
    cards: &str,
    merging: &Merging<'_>,
) -> Result<(ImportPlan, String), Vec<SheetFinding>> {
    let files = files(cards);
    let package = Package::read(&files).unwrap();
    let base = merging.base.map(|text| {
        let old = self::files("");
        let package = Package::read(&old).unwrap();
        planned(text, &package, &old, None, merging).unwrap().base
    });
    let plan = planned(sheet, &package, &files, base.as_ref(), merging)?;
    let now = plan
        .files
        .iter()
        .find(|(name, _)| name == SET)
        .map(|(_, bytes)| bytes.clone());
    let now = now.unwrap_or_else(|| files.read(SET, 1 << 20).unwrap());
    // What was kept is read back as it was.
    assert_eq!(
        read_base(&write_delimited(&plan.base, ',')),
        Some(plan.base.clone())
    );
    Ok((plan, String::from_utf8(now).unwrap()))
}

fn planned(
    sheet: &str,
    package: &Package,
    files: &MemoryFiles,
    base: Option<&cw_sheets::SheetTable>,
    merging: &Merging<'_>,
) -> Result<ImportPlan, Vec<SheetFinding>> {
    let book = read(
        "a.csv",
        sheet.as_bytes(),
        SheetForm::Delimited,
        &SheetLimits::default(),
    )
    .unwrap();
    let columns = columns_of("a.csv", &book.tables[0], &package.definition, &BTreeMap::new()).unwrap();
    plan(&ImportRequest {
        package,
        files,
        book: &book,
        columns: &[columns],
        base,
        delete: merging.delete,
        prefer: merging.prefer,
    })
}

fn sheet(cost: &str) -> String {
    format!("id,set,name,Cost\n{ROOK},Core,Rook,{cost}\n")
}

const EMPTY: &str = "id,set,name,Cost\n0a000000-0000-4000-8000-000000000009,Core,Other,1\n";
const OTHER: &str =
    "<card name='Other' id='0a000000-0000-4000-8000-000000000009'><property name='Cost' value='1'/></card>";

/// Every combination of a value before, in the sheet and in the game comes to what a person would expect.
#[test]
fn every_combination_of_a_cell() {
    let values = ["", "1", "2", "x"];
    for base in values.map(Some).into_iter().chain([None]) {
        for in_sheet in values {
            for in_game in values {
                for prefer in [
                    None,
                    Some(ImportPreference::Sheet),
                    Some(ImportPreference::Package),
                ] {
                    let text = base.map(sheet);
                    let merging = Merging {
                        base: text.as_deref(),
                        delete: false,
                        prefer,
                    };
                    let cards = match in_game {
                        "" => format!("<card name='Rook' id='{ROOK}'></card>"),
                        cost => rook(cost),
                    };
                    let got = merged(&sheet(in_sheet), &cards, &merging);
                    let is_conflict =
                        base.is_some_and(|base| base != in_sheet && base != in_game) && in_sheet != in_game;
                    let wanted = match (base, prefer) {
                        _ if is_conflict && prefer.is_none() => None,
                        _ if is_conflict && prefer == Some(ImportPreference::Package) => Some(in_game),
                        (Some(base), _) if in_sheet == base => Some(in_game),
                        _ => Some(in_sheet),
                    };
                    let case = format!("before {base:?}, sheet {in_sheet:?}, game {in_game:?}, {prefer:?}");
                    match (got, wanted) {
                        (Err(found), None) => {
                            assert!(
                                found[0]
                                    .to_string()
                                    .starts_with("a.csv: row 2, column D (\"Cost\"): both changed it"),
                                "{case}"
                            );
                        }
                        (Ok((plan, now)), Some(wanted)) => {
                            let has = now.contains(&format!("value='{wanted}'"))
                                || now.contains(&format!("value=\"{wanted}\""));
                            assert!(
                                has || wanted.is_empty() && !now.contains("value="),
                                "{case}: {now}"
                            );
                            // What does not change is not written at all.
                            assert_eq!(plan.files.is_empty(), wanted == in_game, "{case}");
                        }
                        (got, wanted) => panic!("{case}: {got:?}, not {wanted:?}"),
                    }
                }
            }
        }
    }
}

/// What is imported twice changes nothing the second time, also without ids.
#[test]
fn a_second_import_finds_the_same_cards() {
    let sheet = "set,name,form,Cost\nNew,Raven,,1\nNew,Raven two,back,2\nNew,Raven,,3\nCore,Rook,,2\n";
    let merging = Merging {
        base: None,
        delete: false,
        prefer: None,
    };
    let start = files(&rook("2"));
    let package = Package::read(&start).unwrap();
    let first = planned(sheet, &package, &start, None, &merging).unwrap();
    assert_eq!(
        first.changes,
        [
            "+ set \"New\"",
            "+ Raven (New)",
            "+ Raven [back]",
            "+ Raven (New)"
        ]
    );
    let after = first
        .files
        .iter()
        .fold(start, |files, (name, bytes)| files.with(name, bytes.clone()));
    let package = Package::read(&after).unwrap();
    for base in [None, Some(&first.base)] {
        let second = planned(sheet, &package, &after, base, &merging).unwrap();
        assert_eq!(
            (second.changes.len(), second.files.len()),
            (0, 0),
            "{:?}",
            second.changes
        );
    }
    // One of them gets another price.
    let changed = planned(
        &sheet.replace("Raven,,3", "Raven,,4"),
        &package,
        &after,
        Some(&first.base),
        &merging,
    )
    .unwrap();
    assert_eq!(changed.changes, ["~ Raven (New): Cost \"3\" → \"4\""]);
}

/// Rows that come and go: on either side, changed or not.
#[test]
fn rows_come_and_go() {
    let base = sheet("1");
    let case = |in_sheet: &str, cards: &str, delete: bool, prefer: Option<ImportPreference>| {
        let merging = Merging {
            base: Some(&base),
            delete,
            prefer,
        };
        merged(in_sheet, cards, &merging)
            .map(|(plan, _)| plan.changes)
            .map_err(|found| {
                found
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("\n")
            })
    };
    let both = format!("{}{OTHER}", rook("1"));
    // Gone from the sheet: told, and deleted if it is wanted.
    assert_eq!(case(EMPTY, &both, false, None), Ok(vec![]));
    assert_eq!(
        case(EMPTY, &both, true, None),
        Ok(vec!["- Rook (Core)".to_owned()])
    );
    // Changed in the game meanwhile.
    let changed = format!("{}{OTHER}", rook("5"));
    assert!(
        case(EMPTY, &changed, true, None)
            .unwrap_err()
            .contains("Rook (Core) is gone from the sheet, and the game has changed it")
    );
    assert_eq!(
        case(EMPTY, &changed, true, Some(ImportPreference::Package)),
        Ok(vec![])
    );
    assert_eq!(
        case(EMPTY, &changed, true, Some(ImportPreference::Sheet)),
        Ok(vec!["- Rook (Core)".to_owned()])
    );
    // Gone from the game: it stays away, unless the sheet has changed it.
    assert_eq!(case(&sheet("1"), "", false, None), Ok(vec![]));
    assert!(
        case(&sheet("2"), "", false, None)
            .unwrap_err()
            .starts_with("a.csv: row 2: the game has this card no more")
    );
    assert_eq!(
        case(&sheet("2"), "", false, Some(ImportPreference::Package)),
        Ok(vec![])
    );
    assert_eq!(
        case(&sheet("2"), "", false, Some(ImportPreference::Sheet)),
        Ok(vec!["+ Rook (Core)".to_owned()])
    );
    // Only in the game, and never in the sheet: it stays, also with --delete.
    assert_eq!(case(&sheet("1"), &both, true, None), Ok(vec![]));
}

/// A spreadsheet that shows a number otherwise changes nothing.
#[test]
fn zeros_that_a_spreadsheet_cut_come_back() {
    let merging = Merging {
        base: None,
        delete: false,
        prefer: None,
    };
    let (plan, now) = merged(&sheet("7"), &rook("007"), &merging).unwrap();
    assert!(now.contains("'007'") && plan.changes.is_empty());
    assert!(
        plan.notes
            .iter()
            .any(|note| note.contains("only in how the spreadsheet shows a number")),
        "{:?}",
        plan.notes
    );
}

/// An export is a base: what the game changes afterwards stays, what the sheet changes comes.
#[test]
fn an_export_is_where_a_merge_begins() {
    let start = files(&format!("{}{OTHER}", rook("1")));
    let (tables, base, _) = export_tables(&Package::read(&start).unwrap(), false);
    let sheet = String::from_utf8(write_delimited(&tables[0], ',')).unwrap();
    let changed = sheet.replace("Rook,,1", "Rook,,2");
    assert_ne!(changed, sheet);
    let now = files(&format!(
        "{}{}",
        rook("1"),
        OTHER.replace("value='1'", "value='9'")
    ));
    let package = Package::read(&now).unwrap();
    let merging = Merging {
        base: None,
        delete: false,
        prefer: None,
    };
    let plan = planned(&changed, &package, &now, Some(&base), &merging).unwrap();
    assert_eq!(plan.changes, ["~ Rook (Core): Cost \"1\" → \"2\""]);
}

/// A column that the sheet lacks for once is not forgotten: what the game changes in it stays, or is told.
#[test]
fn a_column_that_is_missing_once_is_compared_again() {
    let merging = |delete: bool| Merging {
        base: None,
        delete,
        prefer: None,
    };
    let at = |cost: &str| {
        let files = files(&format!("{}{OTHER}", rook(cost)));
        let package = Package::read(&files).unwrap();
        (files, package)
    };
    let told = |plan: Result<ImportPlan, Vec<SheetFinding>>| match plan {
        Ok(plan) => plan.changes.join("; "),
        Err(found) => found[0].to_string(),
    };
    let (old, package) = at("1");
    let without = format!("id,set,name\n{ROOK},Core,Rook\n");
    let first = planned(&sheet("1"), &package, &old, None, &merging(false))
        .unwrap()
        .base;
    let second = planned(&without, &package, &old, Some(&first), &merging(false))
        .unwrap()
        .base;
    // It comes back when only the game has changed it, when both have, and when the card is gone.
    let (now, package) = at("5");
    let base = Some(&second);
    assert_eq!(
        told(planned(&sheet("1"), &package, &now, base, &merging(false))),
        ""
    );
    assert!(
        told(planned(&sheet("2"), &package, &now, base, &merging(false)))
            .contains("both changed it: the sheet says \"2\", the game \"5\", and before it was \"1\"")
    );
    assert!(
        told(planned(EMPTY, &package, &now, base, &merging(true)))
            .contains("Rook (Core) is gone from the sheet, and the game has changed it")
    );
    // The game changed it before: the sheet's old value is still not a change of the sheet.
    let second = planned(&without, &package, &now, Some(&first), &merging(false))
        .unwrap()
        .base;
    assert_eq!(
        told(planned(
            &sheet("1"),
            &package,
            &now,
            Some(&second),
            &merging(false)
        )),
        ""
    );
    // What a row that stays in the game says of a new column is what the game says.
    let rows = format!("{without}0a000000-0000-4000-8000-000000000009,Core,Other\n");
    let (old, package) = at("1");
    let first = planned(&rows, &package, &old, None, &merging(false))
        .unwrap()
        .base;
    let second = planned(&sheet("1"), &package, &old, Some(&first), &merging(false))
        .unwrap()
        .base;
    assert_eq!(
        told(planned(
            &sheet("1"),
            &package,
            &old,
            Some(&second),
            &merging(true)
        )),
        "- Other (Core)"
    );
}
