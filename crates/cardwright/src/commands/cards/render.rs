//! `cardwright cards render`: card faces as files, or as a sheet to print.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use cw_faces::{BUILT_IN, CardFace, Catalogue, FaceSize, face, size_on_paper, token};
use cw_load::PicturePlace;
use cw_octgn::{PackageFiles, SearchedForm};
#[cfg(feature = "png")]
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

#[cfg(feature = "png")]
use super::paint::PicturePainter;
use crate::output::say;
use crate::progress::{WorkProgress, busy};
use crate::{game, output, package};

/// Draw card faces: an SVG file for each card, or a sheet to print and cut
///
/// Draw the face of each card, and of each of its other forms, into an SVG file, named as OCTGN names
/// pictures, or a PNG file with --png. The layout follows from the package's properties, and from `[face]` in
/// Rules/game.toml. With --sheet, write one HTML page to print at 100 %, with cards at their true size (nine
/// of 63 × 88 mm to a sheet) and cutting marks. With --markers, draw the eight markers that every game has.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Draw the cards that this query of `cardwright cards` finds [default: all]
    query: Vec<String>,
    /// Folder to write into; it is made if it does not exist
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Draw the cards of this deck; on a sheet as many copies as the deck has
    #[arg(long, value_name = "DECK")]
    deck: Option<String>,
    /// Draw only this many, the same ones each time, to look at a large game
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,
    /// Write one page to print instead of a file per card
    #[arg(long, value_enum, value_name = "PAPER")]
    sheet: Option<PaperArg>,
    /// On sheets, print 3 mm more around each card, so that an inexact cut shows no white
    #[arg(long, requires = "sheet")]
    bleed: bool,
    /// On sheets, add a page of backs behind each page, for paper that is turned over its long edge
    #[arg(long, requires = "sheet")]
    backs: bool,
    /// Draw cards to be seen small, as on a table: name, emblem, SP
    #[arg(long, conflicts_with = "sheet")]
    small: bool,
    /// Use the package's picture of a card instead of the drawn face, if there is one
    #[arg(long)]
    full_art: bool,
    /// On sheets, add other forms of cards, each after its card
    #[arg(long, requires = "sheet")]
    forms: bool,
    /// Draw the markers that every game has, instead of cards
    #[arg(long, conflicts_with_all = ["query", "deck", "sheet", "small", "hidden"])]
    markers: bool,
    /// Write PNG instead of SVG
    #[arg(long, conflicts_with = "sheet")]
    png: bool,
    /// Dots per inch of a PNG: a card is 63 × 88 mm
    #[arg(
        long,
        requires = "png",
        default_value_t = 300,
        value_name = "DOTS",
        value_parser = clap::value_parser!(u16).range(30..=1200)
    )]
    dpi: u16,
    /// Use this font file for scripts that the built-in font lacks, before those of this machine
    #[arg(long, requires = "png", value_name = "FILE")]
    font: Vec<PathBuf>,
    /// Include cards of hidden sets
    #[arg(long)]
    hidden: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PaperArg {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

/// More are no sheet that anybody prints.
const MAX_ON_SHEETS: usize = 5000;

/// A picture, before it is a file.
pub(super) struct CardPicture {
    /// The file's name, without its ending.
    name: String,
    svg: String,
    /// How wide it is on paper, in mm.
    #[cfg_attr(
        not(feature = "png"),
        expect(dead_code, reason = "only pictures made of dots have to know")
    )]
    wide: f64,
}

/// So many pictures are drawn before they are written: large ones take memory.
const AT_ONCE: usize = 64;

/// A marker on paper, in mm.
const MARKER: f64 = 10.0;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.markers {
        return markers(args);
    }
    let (loaded, game) = game::open(args.game.as_deref())?;
    let Some(query) = super::query(&args.query.join(" "), &loaded.project) else {
        return Ok(ExitCode::FAILURE);
    };
    let catalogue = Catalogue::of(&loaded.project);
    let in_deck = args
        .deck
        .as_deref()
        .map(|deck| game::copies_in_deck(&loaded, deck))
        .transpose()?;
    let picture = match (args.full_art, catalogue.picture) {
        (true, _) => PicturePlace::Full,
        (false, place) => place,
    };
    let numbers = loaded.project.numbers();
    let mut chosen: Vec<(CardFace<'_>, String, usize)> = Vec::new();
    for (at, card) in loaded.project.package.cards() {
        let Some(model) = numbers.get(&at).copied() else {
            continue;
        };
        let set = loaded.project.package.set_of(at);
        let count = match &in_deck {
            None => usize::from(!set.hidden || args.hidden),
            Some(counts) => counts.get(&model).copied().unwrap_or(0),
        };
        let forms = std::iter::once(None).chain(card.alternates.iter().map(Some));
        // Who looks for a card wants all its forms; who looks for a form, that one.
        let whole = query.matches(&SearchedForm {
            set,
            card,
            alternate: None,
        });
        for (place, alternate) in forms.enumerate() {
            let form = SearchedForm { set, card, alternate };
            if count == 0 || !(whole || query.matches(&form)) {
                continue;
            }
            let face = CardFace {
                game: &game,
                model,
                form: place.checked_sub(1),
                catalogue: &catalogue,
                files: Some(&*loaded.project.files as &dyn PackageFiles),
                picture,
            };
            // P76: the name that OCTGN looks for.
            chosen.push((face, file_name(&card.picture_name(alternate)), count));
        }
    }
    if let Some(most) = args.sample {
        // An order that says nothing about them.
        chosen.sort_by_key(|(face, _, _)| (u32::from(face.model.0).wrapping_mul(2_654_435_761), face.form));
        chosen.truncate(most);
    }
    if chosen.is_empty() {
        output::note(match args.deck {
            None => "no card is found, so none is drawn",
            Some(_) => "no card of the deck is found, so none is drawn",
        });
        return Ok(ExitCode::FAILURE);
    }
    match args.sheet {
        Some(paper) => sheet(args, paper, &chosen),
        None => faces(args, &chosen),
    }
}

/// A name that no system takes for a path: the type of a form is any text (P75).
fn file_name(name: &str) -> String {
    let safe = |letter: char| letter.is_alphanumeric() || " ._-{}".contains(letter);
    let name = name.chars().map(|letter| if safe(letter) { letter } else { '_' });
    name.take(150).collect()
}

fn sheet(args: &Args, paper: PaperArg, chosen: &[(CardFace<'_>, String, usize)]) -> anyhow::Result<ExitCode> {
    let wanted = chosen
        .iter()
        .filter(|(face, _, _)| args.forms || face.form.is_none());
    let repeated = wanted.flat_map(|(face, _, count)| std::iter::repeat_n(*face, *count));
    let faces: Vec<CardFace<'_>> = repeated.take(MAX_ON_SHEETS + 1).collect();
    if faces.len() > MAX_ON_SHEETS {
        bail!("more than {MAX_ON_SHEETS} cards; narrow the query");
    }
    let (name, paper) = match paper {
        PaperArg::A4 => ("sheet-a4.html", cw_faces::PaperSheet::A4),
        PaperArg::Letter => ("sheet-letter.html", cw_faces::PaperSheet::Letter),
    };
    let (page, sheets) = busy("drawing", || {
        cw_faces::sheet(
            &faces,
            cw_faces::SheetContent {
                paper,
                bleed: args.bleed,
                backs: args.backs,
            },
        )
    });
    let path = args.output.join(name);
    make_folder(args)?;
    package::write_new(&path, page.as_bytes(), args.force)?;
    say!(
        "wrote {}: {} on {}; print it at 100 %",
        path.display(),
        output::count(faces.len(), "card"),
        output::count(sheets, "sheet")
    );
    Ok(ExitCode::SUCCESS)
}

fn faces(args: &Args, chosen: &[(CardFace<'_>, String, usize)]) -> anyhow::Result<ExitCode> {
    let size = if args.small {
        FaceSize::Small
    } else {
        FaceSize::Full
    };
    let mut names = BTreeSet::new();
    let draw = |(of, name, _): &(CardFace<'_>, String, usize)| {
        // Cards that share an id (P49) are told apart by their place.
        let name = match names.insert(name.clone()) {
            true => name.clone(),
            false => format!("{name}-{}", of.model.0),
        };
        Some(CardPicture {
            name,
            svg: face(*of, size)?,
            wide: size_on_paper(*of).0,
        })
    };
    let drawn = write(args, chosen.len(), chosen.iter().filter_map(draw))?;
    say!(
        "wrote {} into {}",
        output::count(drawn, "face"),
        args.output.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// P123: the markers that every game has.
fn markers(args: &Args) -> anyhow::Result<ExitCode> {
    let draw = |(number, name): (usize, &&str)| {
        Some(CardPicture {
            name: format!("marker-{}", name.to_lowercase()),
            svg: token(number)?,
            wide: MARKER,
        })
    };
    let drawn = write(args, BUILT_IN.len(), BUILT_IN.iter().enumerate().filter_map(draw))?;
    say!(
        "wrote {} into {}",
        output::count(drawn, "marker"),
        args.output.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn make_folder(args: &Args) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.output).with_context(|| format!("cannot make “{}”", args.output.display()))
}

/// Writes pictures as they are drawn, some at a time, and tells how many.
fn write(args: &Args, most: usize, mut drawings: impl Iterator<Item = CardPicture>) -> anyhow::Result<usize> {
    let painter = if args.png { Some(painter(args)?) } else { None };
    make_folder(args)?;
    let progress = WorkProgress::of(most as u64, "drawn");
    let mut drawn = 0;
    loop {
        let some: Vec<CardPicture> = drawings.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return Ok(drawn);
        }
        match &painter {
            Some(painter) => paint(args, painter, &some)?,
            None => {
                for drawing in &some {
                    let path = args.output.join(format!("{}.svg", drawing.name));
                    package::write_new(&path, drawing.svg.as_bytes(), args.force)?;
                }
            }
        }
        drawn += some.len();
        progress.add(some.len() as u64);
    }
}

/// What is there instead of a painter: nothing can be one. It has the painter's name, so that the rest is
/// written once.
#[cfg(not(feature = "png"))]
enum PicturePainter {}

#[cfg(not(feature = "png"))]
fn painter(_: &Args) -> anyhow::Result<PicturePainter> {
    bail!(
        "this cardwright cannot make PNG: \
         build it with `cargo build --release --features png`, or leave --png out for SVG"
    );
}

#[cfg(not(feature = "png"))]
fn paint(_: &Args, painter: &PicturePainter, _: &[CardPicture]) -> anyhow::Result<()> {
    match *painter {}
}

#[cfg(feature = "png")]
fn painter(args: &Args) -> anyhow::Result<PicturePainter> {
    PicturePainter::new(&args.font, args.dpi)
}

#[cfg(feature = "png")]
fn paint(args: &Args, painter: &PicturePainter, drawings: &[CardPicture]) -> anyhow::Result<()> {
    drawings.par_iter().try_for_each(|drawing| {
        let path = args.output.join(format!("{}.png", drawing.name));
        let picture = painter
            .paint(&drawing.svg, drawing.wide)
            .with_context(|| format!("cannot draw “{}”", path.display()))?;
        package::write_new(&path, &picture, args.force)
    })
}
