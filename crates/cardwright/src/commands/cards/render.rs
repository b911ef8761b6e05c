//! `cardwright cards render`: card faces as files, or as a sheet to print.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use cw_faces::{Catalogue, Face, Size, face};
use cw_octgn::{CardRef, Form};
use cw_program::ModelId;

use crate::output::say;
use crate::{game, output, package};

/// Draws the face of each card into an SVG file, named by the card's id as OCTGN names pictures. With --sheet
/// one HTML page to print at 100 %, nine cards of 63 × 88 mm to a sheet, with marks where to cut.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which cards, as a query of `cardwright cards`; all if left out
    query: Vec<String>,
    /// Folder to write into; it is made if it is not there
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Folder or .o8g of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// The cards of this deck, on a sheet each as often as it has it
    #[arg(long, value_name = "DECK")]
    deck: Option<String>,
    /// One page to print instead of a file per card
    #[arg(long, value_enum, value_name = "PAPER")]
    sheet: Option<Paper>,
    /// As on a table, to be seen small: name, emblem, SP
    #[arg(long, conflicts_with = "sheet")]
    small: bool,
    /// Also cards of hidden sets
    #[arg(long)]
    hidden: bool,
    /// Replaces files that are there
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

/// More are no sheet that anybody prints.
const MAX_ON_SHEETS: usize = 5000;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some(query) = super::query(
        &args.query.join(" "),
        &package::open(args.game.as_deref())?.package.definition,
    ) else {
        return Ok(ExitCode::FAILURE);
    };
    let (loaded, game) = game::open(args.game.as_deref())?;
    let catalogue = Catalogue::of(&loaded);
    let in_deck: Option<BTreeMap<usize, usize>> = match &args.deck {
        None => None,
        Some(deck) => {
            let (_, cards) = game::deck(&loaded, Some(deck), 0)?;
            let mut counts = BTreeMap::new();
            for card in cards {
                *counts.entry(usize::from(card.0)).or_insert(0) += 1;
            }
            Some(counts)
        }
    };
    // Models stand in the order of the package's cards.
    let mut chosen: Vec<(ModelId, CardRef, usize)> = Vec::new();
    for (number, (at, card)) in loaded.package.cards().enumerate() {
        let form = Form {
            set: loaded.package.set_of(at),
            card,
            alternate: None,
        };
        let count = match &in_deck {
            None => usize::from(!form.set.hidden || args.hidden),
            Some(counts) => counts.get(&number).copied().unwrap_or(0),
        };
        if count > 0 && number < game.models.len() && query.matches(&form) {
            chosen.push((ModelId(number.try_into().unwrap_or(u16::MAX)), at, count));
        }
    }
    if chosen.is_empty() {
        output::note("no card is looked for");
        return Ok(ExitCode::FAILURE);
    }
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot make “{}”", args.output.display()))?;
    if let Some(paper) = args.sheet {
        let repeated = chosen
            .iter()
            .flat_map(|(model, _, count)| std::iter::repeat_n(*model, *count));
        let models: Vec<ModelId> = repeated.take(MAX_ON_SHEETS + 1).collect();
        if models.len() > MAX_ON_SHEETS {
            bail!("more than {MAX_ON_SHEETS} cards; say more precisely which");
        }
        let (name, paper) = match paper {
            Paper::A4 => ("sheet-a4.html", cw_faces::Paper::A4),
            Paper::Letter => ("sheet-letter.html", cw_faces::Paper::Letter),
        };
        let page = cw_faces::sheet(&game, &catalogue, &models, paper);
        let path = args.output.join(name);
        package::write_new(&path, page.as_bytes(), args.force)?;
        say!(
            "wrote {}: {} cards on {} sheets; print it at 100 %",
            path.display(),
            models.len(),
            models.len().div_ceil(9)
        );
        return Ok(ExitCode::SUCCESS);
    }
    let size = if args.small { Size::Small } else { Size::Full };
    let mut names = BTreeSet::new();
    for (model, at, _) in &chosen {
        let drawn = face(
            Face {
                game: &game,
                model: *model,
                catalogue: &catalogue,
            },
            size,
        );
        let id = loaded.package.card(*at).id.value.to_string();
        // Cards that share an id (P49) are told apart by their place.
        let name = match names.insert(id.clone()) {
            true => format!("{id}.svg"),
            false => format!("{id}-{}.svg", model.0),
        };
        package::write_new(&args.output.join(Path::new(&name)), drawn.as_bytes(), args.force)?;
    }
    say!("wrote {} faces into {}", chosen.len(), args.output.display());
    Ok(ExitCode::SUCCESS)
}
