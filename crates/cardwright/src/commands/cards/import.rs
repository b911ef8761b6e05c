//! `cardwright cards import`: cards of a spreadsheet, or of another program, into a game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::PackageLimits;
use cw_sheets::{
    ColumnUse, ImportPreference, ImportRequest, SheetBook, SheetColumns, SheetFinding, SheetForm,
    SheetLimits, SheetTable, columns_of, find_pictures, is_picture, left_out, plan, read, read_base,
    with_columns, write_delimited,
};

use super::pictures::PictureFolder;
use crate::output::say;
use crate::progress::busy;
use crate::{game, output};

/// Import cards from a spreadsheet into a game, or merge changes made in the spreadsheet
///
/// Read CSV, TSV, XLSX (each sheet is a set), Lackey's `carddata.txt`, Cockatrice cards and MTGJSON sets.
/// Columns become properties by their headings; the preview shows which. A row without an id is found by its
/// name and set. Compare the file with the last import or export of a file of the same name: apply changes
/// made in the sheet, and keep changes made in the game. If both changed the same cell, refuse the whole
/// import and list those cells. Values change in place; the rest of set.xml stays as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// Folder of the game [default: the one you are in]
    #[arg(long, value_name = "FOLDER")]
    game: Option<PathBuf>,
    /// Show what would change, without writing anything
    #[arg(long)]
    dry_run: bool,
    /// Delete cards that the last import contained and the sheet no longer contains
    #[arg(long)]
    delete: bool,
    /// Use this side's value if both changed a cell
    #[arg(long, value_enum, value_name = "SIDE")]
    prefer: Option<SideArg>,
    #[command(flatten)]
    sheet: SheetArgs,
}

/// What every command that reads a sheet takes.
#[derive(Debug, clap::Args)]
pub(crate) struct SheetArgs {
    /// Meaning of a column: a property, @id, @form, @name, @set, @size, @picture, @count, or - to leave it
    /// out
    #[arg(long, value_name = "HEADING=MEANING", value_parser = column)]
    column: Vec<(String, String)>,
    /// Folder with the cards' pictures [default: the folder of the file]
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// Format of the file [default: detected from its contents and name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FormArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SideArg {
    Sheet,
    Game,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FormArg {
    Csv,
    Tsv,
    Xlsx,
    Lackey,
    Cockatrice,
    Mtgjson,
}

fn column(text: &str) -> Result<(String, String), String> {
    let (heading, meaning) = text.rsplit_once('=').ok_or("a column is HEADING=MEANING")?;
    match ColumnUse::read(meaning) {
        Some(_) => Ok((heading.to_owned(), meaning.to_owned())),
        None => Err(format!("`{meaning}` says nothing that a column can mean")),
    }
}

impl SheetArgs {
    /// What the user says of columns.
    pub(crate) fn said(&self) -> BTreeMap<String, String> {
        self.column.iter().cloned().collect()
    }

    /// The folder of pictures, if one is named.
    pub(crate) fn pictures(&self) -> Option<&Path> {
        self.pictures.as_deref()
    }

    /// Reads the file; findings go to the terminal.
    pub(crate) fn read(&self, path: &Path) -> anyhow::Result<Option<SheetBook>> {
        let shown = path.display();
        let bytes =
            cw_files::read(path, cw_files::SHEET).with_context(|| format!("cannot read “{shown}”"))?;
        let name = file_name(path);
        let form = match self.format {
            None => SheetForm::of(&name, &bytes),
            Some(FormArg::Csv | FormArg::Tsv) => SheetForm::Delimited,
            Some(FormArg::Xlsx) => SheetForm::Xlsx,
            Some(FormArg::Lackey) => SheetForm::Lackey,
            Some(FormArg::Cockatrice) => SheetForm::Cockatrice,
            Some(FormArg::Mtgjson) => SheetForm::Mtgjson,
        };
        match busy("reading", || read(&name, &bytes, form, &SheetLimits::default())) {
            Ok(book) => {
                book.notes.iter().for_each(|note| output::note(note));
                Ok(Some(book))
            }
            Err(found) => {
                refuse(&[found]);
                Ok(None)
            }
        }
    }
}

/// The name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Shows what is wrong with a sheet.
pub(crate) fn refuse(found: &[SheetFinding]) {
    const MOST: usize = 100;
    for one in found.iter().take(MOST) {
        output::note(&format!("error: {one}"));
    }
    if found.len() > MOST {
        output::note(&format!("and {} more", found.len() - MOST));
    }
    output::note(&format!(
        "{}: nothing is written",
        output::count(found.len(), "error")
    ));
}

/// Shows what the columns mean.
pub(crate) fn show_columns(columns: &[(String, String)]) {
    let words = columns.iter().map(|(heading, meaning)| match meaning.as_str() {
        "-" => format!("  {heading}: left out"),
        meaning => format!("  {heading}: {meaning}"),
    });
    say!("columns:\n{}", words.collect::<Vec<_>>().join("\n"));
}

/// Where the base of a sheet is kept, below the folder of the game.
pub(crate) fn base_name(file: &str) -> String {
    format!(".cardwright/sheets/{file}.csv")
}

/// The bytes of a base.
pub(crate) fn base_bytes(base: &SheetTable) -> Vec<u8> {
    write_delimited(base, ',')
}

/// The file of the game's settings.
const SETTINGS: &str = "Rules/game.toml";

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let root = game::standing_in(args.game.clone())?;
    if !root.is_dir() {
        bail!("“{}” is packed; import into the folder of a game", root.display());
    }
    let Some(book) = args.sheet.read(&args.file)? else {
        return Ok(ExitCode::FAILURE);
    };
    let project = game::read(Some(&root))?;
    let definition = &project.package.definition;
    let mut said = project.config.import.columns.clone();
    said.extend(args.sheet.said());
    let mut columns = Vec::new();
    let mut found = Vec::new();
    for table in &book.tables {
        match columns_of(&book.file, table, definition, &said) {
            Ok(of_table) => columns.push(of_table),
            Err(wrong) => found.extend(wrong),
        }
    }
    if !found.is_empty() {
        refuse(&found);
        return Ok(ExitCode::FAILURE);
    }
    let base_path = root.join(base_name(&book.file));
    let base = base(&base_path)?;
    if base.is_none() {
        output::note(
            "no earlier import of a file of this name is known: \
             where sheet and game differ, the sheet counts",
        );
    }
    let planned = busy("comparing", || {
        plan(&ImportRequest {
            package: &project.package,
            files: &*project.files,
            book: &book,
            columns: &columns,
            base: base.as_ref(),
            delete: args.delete,
            prefer: args.prefer.map(|side| match side {
                SideArg::Sheet => ImportPreference::Sheet,
                SideArg::Game => ImportPreference::Package,
            }),
        })
    });
    let picture_files = planned.and_then(|plan| {
        let found = find_pictures(
            &plan.pictures,
            &book.file,
            &PictureFolder::of(&args.file, args.sheet.pictures()),
        )?;
        Ok((plan, found))
    });
    let (plan, pictures) = match picture_files {
        Ok(planned) => planned,
        Err(found) => {
            refuse(&found);
            return Ok(ExitCode::FAILURE);
        }
    };
    show_columns(&meanings(&book, &columns));
    for doubt in left_out(&book, &columns, definition) {
        output::note(&format!("warning: {doubt}"));
    }
    let shown = if args.dry_run { usize::MAX } else { 50 };
    for line in plan.changes.iter().take(shown) {
        say!("{}", output::safe(line));
    }
    if plan.changes.len() > shown {
        say!("and {} more; --dry-run shows all", plan.changes.len() - shown);
    }
    plan.notes.iter().for_each(|note| output::note(note));
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut replaced: Vec<PathBuf> = Vec::new();
    for (name, bytes) in pictures.files {
        let path = root.join(&name);
        let same = cw_files::read(&path, cw_files::PICTURE).is_ok_and(|old| old == bytes);
        if !same {
            say!("+ picture {name}");
            for (older, path) in older_pictures(&root, &name) {
                say!("- picture {older}");
                replaced.push(path);
            }
            files.push((path, bytes));
        }
    }
    pictures.notes.iter().for_each(|note| output::note(note));
    files.extend(
        plan.files
            .iter()
            .map(|(name, bytes)| (root.join(name), bytes.clone())),
    );
    let new = kept(&book, &columns, &args.sheet.said());
    let most = PackageLimits::default().file;
    let old = project
        .files
        .read(SETTINGS, most)
        .ok()
        .map(String::from_utf8)
        .transpose()
        .with_context(|| format!("cannot keep the columns in {SETTINGS}"))?;
    let settings = with_columns(&old.unwrap_or_default(), &new);
    let settings = settings.map_err(|why| anyhow::anyhow!("cannot keep the columns in {SETTINGS}: {why}"))?;
    if let Some(text) = settings.filter(|_| !new.is_empty()) {
        files.push((root.join(SETTINGS), text.into_bytes()));
    }
    let count = output::count(plan.changes.len(), "change");
    let in_files = output::count(files.len(), "file");
    if args.dry_run {
        say!("{count}; {in_files} would be written; nothing is written (--dry-run)");
        return Ok(ExitCode::SUCCESS);
    }
    // The base comes last: whoever is interrupted imports again, and what is done already is the same on both
    // sides.
    files.push((base_path, base_bytes(&plan.base)));
    cw_files::write_all(&files).map_err(|(path, error)| {
        anyhow::Error::new(error).context(format!("cannot write “{}”", path.display()))
    })?;
    for path in replaced {
        std::fs::remove_file(&path).with_context(|| format!("cannot remove “{}”", path.display()))?;
    }
    say!("{count}; {in_files} written");
    Ok(ExitCode::SUCCESS)
}

/// Pictures of the same card or form with another ending, by name and place: one of them would be shown
/// instead of the new one (P76).
fn older_pictures(root: &Path, new: &str) -> Vec<(String, PathBuf)> {
    let Some((folder, file)) = new.rsplit_once('/') else {
        return Vec::new();
    };
    let stem = |file: &str| file.rsplit_once('.').map(|(stem, _)| stem.to_lowercase());
    let Ok(entries) = root.join(folder).read_dir() else {
        return Vec::new();
    };
    let others = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let other = file_name(&path);
        let is_older = is_picture(&other) && stem(&other) == stem(file) && !other.eq_ignore_ascii_case(file);
        (is_older && path.is_file()).then(|| (format!("{folder}/{other}"), path))
    });
    let mut others: Vec<(String, PathBuf)> = others.collect();
    others.sort();
    others
}

fn base(path: &Path) -> anyhow::Result<Option<SheetTable>> {
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let shown = path.display();
    let bytes = cw_files::read(path, cw_files::SHEET).with_context(|| format!("cannot read “{shown}”"))?;
    match read_base(&bytes) {
        Some(base) => Ok(Some(base)),
        None => bail!(
            "“{shown}”, what the sheet last said, is broken; \
             delete it, and the sheet counts where both differ"
        ),
    }
}

/// The columns of all tables with what they mean.
fn meanings(book: &SheetBook, columns: &[SheetColumns]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (table, columns) in book.tables.iter().zip(columns) {
        for (heading, meaning) in table.headings.iter().zip(&columns.uses) {
            let known = all.iter().any(|(other, _)| other == heading);
            if !known && !heading.is_empty() {
                all.push((heading.clone(), meaning.written()));
            }
        }
    }
    all
}

/// What of it does not go without saying, and is kept in the game's settings.
fn kept(
    book: &SheetBook,
    columns: &[SheetColumns],
    said: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let all = meanings(book, columns).into_iter();
    let all = all.filter(|(heading, meaning)| {
        let plain = meaning.strip_prefix('@').unwrap_or(meaning);
        let guessed = *heading != plain && heading.strip_prefix("property:") != Some(plain) && meaning != "-";
        said.contains_key(heading) || guessed
    });
    all.collect()
}
