//! Real packages as sheets, and back: what does not change stays to the byte.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cw_octgn::{Folder, Package, PackageFiles};
use cw_sheets::{
    ImportPlan, ImportRequest, SheetBook, SheetForm, SheetLimits, SheetTable, columns_of, export_cockatrice,
    export_lackey, export_tables, plan, read, write_delimited, write_xlsx,
};

/// Packages that are there: those of the repository, and real ones beside it.
fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = root.join("../shared/data");
    let mut all = vec![root.join("games/saltmarsh")];
    // Those that scripts of tables are tried on.
    let kits = root.join("crates/cw-table/tests/packages");
    let names = ["ferry", "harvest", "herbal", "lanterns", "mill", "novice"];
    all.extend(names.map(|name| kits.join(name)));
    if !data.is_dir() {
        println!(
            "skipped: {} is missing, so only packages of the repository are tried",
            data.display()
        );
        return all;
    }
    for name in [
        "cfc/cfc",
        "mlp/mlp",
        "netrunner/netrunner",
        "stargate/stargate",
        "mtg-sample/mtg-sample",
    ] {
        let folder = data.join(name);
        let deep = folder.join("definition.xml").is_file();
        let flat = data.join(name.split('/').next().unwrap_or(name));
        all.push(if deep { folder } else { flat });
    }
    all.retain(|folder| folder.join("definition.xml").is_file());
    all
}

fn imported(
    package: &Package,
    files: &dyn PackageFiles,
    book: &SheetBook,
    base: Option<&SheetTable>,
) -> ImportPlan {
    let said = BTreeMap::new();
    let columns: Vec<_> = book
        .tables
        .iter()
        .map(|table| columns_of(&book.file, table, &package.definition, &said).unwrap())
        .collect();
    let request = ImportRequest {
        package,
        files,
        book,
        columns: &columns,
        base,
        delete: true,
        prefer: None,
    };
    plan(&request).unwrap_or_else(|found| {
        panic!(
            "{}",
            found
                .iter()
                .take(5)
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("\n")
        )
    })
}

/// P59–P76: out and in again changes no byte, in each form that has all of a card; with a base and without.
#[test]
fn out_and_in_changes_nothing() {
    let mut rows = 0;
    for folder in packages() {
        let files = Folder::new(&folder);
        let package = Package::read(&files).unwrap();
        let (tables, base, numbers) = export_tables(&package, false);
        rows += tables[0].rows.len();
        let (sheets, _, _) = export_tables(&package, true);
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        // With what the sheet said last, and without.
        let forms = [
            ("a.csv", write_delimited(&tables[0], ','), Some(&base)),
            ("a.csv", write_delimited(&tables[0], ';'), None),
            ("a.tsv", write_delimited(&tables[0], '\t'), None),
            ("a.xlsx", write_xlsx(&sheets, &numbers).unwrap(), Some(&base)),
        ];
        for (name, bytes, base) in forms {
            let book = read(name, &bytes, SheetForm::of(name, &bytes), &SheetLimits::default()).unwrap();
            let plan = imported(&package, &files, &book, base);
            let shown = folder.display();
            assert_eq!(plan.changes, Vec::<String>::new(), "{shown} {name}");
            assert!(plan.files.is_empty(), "{shown} {name}");
        }
    }
    assert!(rows > 0);
    println!("{rows} rows");
}

/// P59: one cell that changes is one value that changes, in one line of one file.
#[test]
fn one_cell_changes_one_value() {
    for folder in packages() {
        let files = Folder::new(&folder);
        let package = Package::read(&files).unwrap();
        let (mut tables, base, _) = export_tables(&package, false);
        let table = &mut tables[0];
        let name = table
            .headings
            .iter()
            .position(|heading| heading == "name")
            .unwrap();
        let middle = table.rows.len() / 2;
        table.rows[middle].cells[name] = "A name & <another>".to_owned();
        let bytes = write_delimited(table, ',');
        let book = read("a.csv", &bytes, SheetForm::Delimited, &SheetLimits::default()).unwrap();
        let plan = imported(&package, &files, &book, Some(&base));
        assert_eq!(
            (plan.changes.len(), plan.files.len()),
            (1, 1),
            "{:?}",
            plan.changes
        );
        let (path, new) = &plan.files[0];
        let old = files.read(path, 1 << 30).unwrap();
        let differing = |one: &[u8], other: &[u8]| one.iter().zip(other).take_while(|(a, b)| a == b).count();
        let start = differing(&old, new);
        let mut turned = (old.clone(), new.clone());
        turned.0.reverse();
        turned.1.reverse();
        let end = differing(&turned.0, &turned.1);
        let changed =
            String::from_utf8_lossy(&new[start..new.len() - end.min(new.len() - start)]).into_owned();
        assert!(
            "A name &amp; &lt;another>".contains(&changed),
            "{}: {changed}",
            folder.display()
        );
    }
}

/// Files for Lackey and Cockatrice are read again, with all base forms under their ids.
#[test]
fn other_programs_files_are_read_again() {
    for folder in packages() {
        let package = Package::read(&Folder::new(&folder)).unwrap();
        let cards = package.cards().count();
        let lackey = export_lackey(&package).into_bytes();
        let book = read(
            "carddata.txt",
            &lackey,
            SheetForm::Lackey,
            &SheetLimits::default(),
        )
        .unwrap();
        assert_eq!(book.tables[0].rows.len(), cards, "{}", folder.display());
        let cockatrice = export_cockatrice(&package).into_bytes();
        let book = read(
            "cards.xml",
            &cockatrice,
            SheetForm::of("cards.xml", &cockatrice),
            &SheetLimits::default(),
        )
        .unwrap();
        let table = &book.tables[0];
        assert_eq!(table.rows.len(), cards, "{}", folder.display());
        let id = table.headings.iter().position(|heading| heading == "id").unwrap();
        let ids = package.cards().filter(|(_, card)| !card.id.value.is_nil());
        for ((_, card), row) in ids.zip(0..) {
            assert_eq!(table.text(row, id), card.id.value.to_string());
        }
    }
}

/// Files of other programs as they write them: formatted runs, faces, attributes.
#[test]
fn files_of_other_programs_are_understood() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let check = |path: &str, wanted: &str| {
        let bytes = std::fs::read(seeds.join(path)).unwrap();
        let name = path.rsplit('/').next().unwrap();
        let book = read(name, &bytes, SheetForm::of(name, &bytes), &SheetLimits::default()).unwrap();
        let mut shown = String::new();
        for table in &book.tables {
            let cells = table.rows.iter().map(|row| (row.number.to_string(), &row.cells));
            for (number, cells) in std::iter::once((table.name.clone(), &table.headings)).chain(cells) {
                shown.push_str(&format!("{number}: {}\n", cells.join(" | ")));
            }
        }
        book.notes
            .iter()
            .for_each(|note| shown.push_str(&format!("{note}\n")));
        assert_eq!(shown.trim_end(), wanted, "{path}");
    };
    check(
        "sheet_xlsx/runs.xlsx",
        "Core: name | Cost | Text\n3: Rook | 2 | *Flying.* Pays twice.\nthe hidden sheet \"Old\" is left out",
    );
    check(
        "sheet_delimited/carddata.txt",
        ": Name | Set | ImageFile | Cost\n\
         2: Rook | Core | core/rook | 2\n\
         3: Raven \"R\" | Core | core/raven | 3",
    );
    check(
        "sheet_cockatrice/two.xml",
        ": name | set | id | manacost | rarity | tablerow | text | type\n\
         1: Rook | CO | 0a000000-0000-4000-8000-000000000003 | 2W | rare | 2 | Flying & more | Bird\n\
         2: Raven | CO",
    );
    check(
        "sheet_mtgjson/faces.json",
        ": name | set | id | form | manaCost | manaValue | type | supertypes | subtypes | colors \
             | rarity | text | flavorText | power | toughness | loyalty | number | artist | defense\n\
         1: Day | Core | 0a000000-0000-4000-8000-000000000003 |  |  | 2 |  |  |  | W, U |  | Flies.\n\
         2: Night | Core | 0a000000-0000-4000-8000-000000000003 | b",
    );
}
