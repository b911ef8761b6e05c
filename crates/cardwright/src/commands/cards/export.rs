//! `cardwright cards export`: the cards of a game as a spreadsheet, or for another program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_sheets::{export_cockatrice, export_lackey, export_tables, write_delimited, write_xlsx};

use super::import::{base_bytes, base_name, file_name};
use super::simulators;
use crate::output::say;
use crate::{game, output, package};

/// Write the cards of a game to a spreadsheet, or to a file for another program
///
/// Write one row for each form of each card: id, form, set, name, size, then the properties. Formatted text
/// has marks: `*bold*`, `_italic_`. The form of the file follows from its ending: .csv, .tsv, .xlsx (a sheet
/// for each set), .xml (Cockatrice), `carddata.txt` (Lackey). With `--format tts`, write pictures of up to 69
/// cards and a saved object of Tabletop Simulator; with `--format cgs`, a folder for Card Game Simulator.
/// `cards import` brings a changed spreadsheet back.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File to write; with `--format cgs` the folder to make
    pub(super) file: PathBuf,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// What to write [default: what the ending says]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ExportFormat>,
    /// With `--format tts`, write the cards of this deck, as many copies as it has
    #[arg(long, value_name = "DECK")]
    pub(super) deck: Option<String>,
    /// With `--format tts`, the address below which the pictures will lie [default: this folder]
    #[arg(long, value_name = "ADDRESS")]
    pub(super) address: Option<String>,
    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// Text with commas
    Csv,
    /// Text with tabs
    Tsv,
    /// Excel
    Xlsx,
    /// Lackey
    Lackey,
    /// Cockatrice
    Cockatrice,
    /// Tabletop Simulator
    Tts,
    /// Card Game Simulator
    Cgs,
}

fn by_ending(path: &Path) -> Option<ExportFormat> {
    let name = file_name(path).to_lowercase();
    match name.rsplit_once('.')?.1 {
        "csv" => Some(ExportFormat::Csv),
        "tsv" => Some(ExportFormat::Tsv),
        "xlsx" => Some(ExportFormat::Xlsx),
        "xml" => Some(ExportFormat::Cockatrice),
        "txt" if name.starts_with("carddata") => Some(ExportFormat::Lackey),
        _ => None,
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some(format) = args.format.or_else(|| by_ending(&args.file)) else {
        bail!(
            "“{}” does not say what to write; name the form with --format",
            args.file.display()
        );
    };
    package::refuse_old(&args.file, args.force && format != ExportFormat::Cgs)?;
    if format == ExportFormat::Tts {
        return simulators::tabletop(args, args.game.as_deref());
    }
    let opened = package::open_cards(args.game.as_deref())?;
    if format == ExportFormat::Cgs {
        return simulators::card_game(args, &opened);
    }
    let of = &opened.package;
    let (tables, base, numbers) = export_tables(of, format == ExportFormat::Xlsx);
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let bytes = match format {
        ExportFormat::Csv | ExportFormat::Tsv => {
            let separator = if format == ExportFormat::Csv { ',' } else { '\t' };
            tables
                .first()
                .map_or_else(Vec::new, |table| write_delimited(table, separator))
        }
        ExportFormat::Xlsx => write_xlsx(&tables, &numbers).context("cannot pack the workbook")?,
        ExportFormat::Lackey => export_lackey(of).into_bytes(),
        ExportFormat::Cockatrice => export_cockatrice(of).into_bytes(),
        ExportFormat::Tts | ExportFormat::Cgs => bail!("this form is written elsewhere"),
    };
    package::write_new(&args.file, &bytes, args.force)?;
    let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
    say!("wrote {} ({})", args.file.display(), output::count(rows, "row"));
    let is_sheet = matches!(format, ExportFormat::Csv | ExportFormat::Tsv | ExportFormat::Xlsx);
    if let Some(root) = game::folder(args.game.as_deref())?.filter(|_| is_sheet) {
        // Without it, the next import cannot tell who changed what; with it, nobody has to care.
        let path = root.join(base_name(&file_name(&args.file)));
        if let Err((path, why)) = cw_files::write_all(&[(path, base_bytes(&base))]) {
            output::note(&format!(
                "cannot write “{}” ({why}): an import cannot tell what changed in the game meanwhile",
                path.display()
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
