//! Cards for Tabletop Simulator and Card Game Simulator: pictures, and a file that names them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_faces::{CardFace, Catalogue, FaceSize, back, face};
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;
use cw_sheets::{SimulatorSheet, card_game_simulator, tabletop_object};

use super::export::Args;
use crate::game;
use crate::output::{self, say};
use crate::package::OpenedGame;
use crate::progress::busy;

/// A sheet has ten in a row and seven rows; the last place belongs to the side that nobody may see.
const COLUMNS: usize = 10;
const ROWS: usize = 7;
const CARDS: usize = COLUMNS * ROWS - 1;

/// The width of a card on a sheet, in dots.
const WIDE: u32 = 400;

/// Writes the saved object, and beside it a picture for each 69 cards and one for the back.
pub(super) fn tabletop(args: &Args, path: Option<&Path>) -> anyhow::Result<ExitCode> {
    let (loaded, game) = game::open(path)?;
    let catalogue = Catalogue::of(&loaded.project);
    let wanted = args
        .deck
        .as_deref()
        .map(|deck| game::copies_in_deck(&loaded, deck))
        .transpose()?;
    let numbers = loaded.project.numbers();
    let mut drawn = Vec::new();
    for (at, card) in loaded.project.package.cards() {
        let Some(model) = numbers.get(&at).copied() else {
            continue;
        };
        let hidden = loaded.project.package.set_of(at).hidden;
        let copies = match &wanted {
            None => usize::from(!hidden),
            Some(counts) => counts.get(&model).copied().unwrap_or(0),
        };
        if copies == 0 {
            continue;
        }
        let svg = face(
            CardFace {
                game: &game,
                model,
                form: None,
                catalogue: &catalogue,
                files: Some(&*loaded.project.files as &dyn PackageFiles),
                picture: match catalogue.picture {
                    PicturePlace::None => PicturePlace::None,
                    PicturePlace::Frame | PicturePlace::Full => PicturePlace::Full,
                },
            },
            FaceSize::Full,
        );
        if let Some(svg) = svg {
            drawn.push((svg, card.name.to_string(), copies));
        }
    }
    if drawn.is_empty() {
        bail!("no card is found, so nothing is written");
    }
    let folder = args.file.parent().unwrap_or(Path::new("")).to_owned();
    let stem = args
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let address = |name: &str| -> anyhow::Result<String> {
        match &args.address {
            Some(address) => Ok(format!("{}/{name}", address.trim_end_matches('/'))),
            None => {
                let whole = std::path::absolute(folder.join(name)).context("this folder has no path")?;
                Ok(format!(
                    "file:///{}",
                    whole.display().to_string().trim_start_matches('/')
                ))
            }
        }
    };
    let (wide, high) = catalogue.shapes.first().map_or((63.0, 88.0), |shape| shape.sides);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it lies within the limits of a picture"
    )]
    let cell = (WIDE, (f64::from(WIDE) * high / wide).clamp(20.0, 8000.0) as u32);
    let behind = back();
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut sheets = Vec::new();
    for (number, cards) in (1..).zip(drawn.chunks(CARDS)) {
        let columns = cards.len().clamp(2, COLUMNS);
        let rows = (cards.len() + 1).div_ceil(columns).max(2);
        let name = format!("{stem}-{number}.png");
        let mut faces: Vec<&str> = cards.iter().map(|(svg, ..)| svg.as_str()).collect();
        faces.resize(columns * rows, "");
        if let Some(last) = faces.last_mut() {
            *last = &behind;
        }
        let picture = busy("drawing", || super::picture_grid(&faces, columns, cell))?;
        files.push((folder.join(&name), picture));
        sheets.push(SimulatorSheet {
            face: address(&name)?,
            columns,
            rows,
            cards: cards
                .iter()
                .map(|(_, name, copies)| (name.clone(), String::new(), *copies))
                .collect(),
        });
    }
    let name = format!("{stem}-back.png");
    files.push((folder.join(&name), super::picture_grid(&[&behind], 1, cell)?));
    let title = loaded.project.name().to_owned();
    let object = tabletop_object(&title, &address(&name)?, &sheets);
    files.push((args.file.clone(), object.into_bytes()));
    write(args, &files)?;
    let pictures = output::count(files.len() - 1, "picture");
    say!(
        "wrote {} and {pictures}: {}",
        args.file.display(),
        output::count(drawn.len(), "card")
    );
    Ok(ExitCode::SUCCESS)
}

/// Writes a folder for Card Game Simulator, with the pictures that the package has.
pub(super) fn card_game(args: &Args, opened: &OpenedGame) -> anyhow::Result<ExitCode> {
    let package = &opened.package;
    let most = cw_octgn::PackageLimits::default().file;
    let mut pictures: Vec<(String, String)> = Vec::new();
    for (number, set) in (1..).zip(&package.sets) {
        for card in &set.cards {
            let begin = format!("Sets/{}/Cards/{}.", set.folder, card.raw_id);
            let file = package
                .files
                .iter()
                .find(|file| file.starts_with(&begin) && !file[begin.len()..].contains('.'));
            if let Some(file) = file {
                pictures.push((file.clone(), format!("sets/S{number}/{}", card.id.value)));
            }
        }
    }
    let ending = |name: &str| {
        name.rsplit_once('.')
            .map_or_else(|| "png".to_owned(), |(_, ending)| ending.to_lowercase())
    };
    let common = pictures
        .first()
        .map_or_else(|| "png".to_owned(), |(file, _)| ending(file));
    let texts = card_game_simulator(package, &common);
    let mut files: Vec<(String, Vec<u8>)> = texts
        .into_iter()
        .map(|(name, text)| (name, text.into_bytes()))
        .collect();
    let mut odd = 0;
    for (file, target) in &pictures {
        odd += usize::from(ending(file) != common);
        files.push((
            format!("{target}.{}", ending(file)),
            opened.files.read(file, most)?,
        ));
    }
    cw_files::write_folder(&args.file, &files).map_err(|(path, error)| {
        anyhow::Error::new(error).context(format!("cannot write “{}”", path.display()))
    })?;
    let cards: usize = package.sets.iter().map(|set| set.cards.len()).sum();
    let shown = args.file.display();
    say!(
        "wrote {} and {} into {shown}",
        output::count(cards, "card"),
        output::count(pictures.len(), "picture")
    );
    if odd > 0 {
        output::note(&format!(
            "{} do not end with .{common}: Card Game Simulator wants one ending for all",
            output::count(odd, "picture")
        ));
    }
    if pictures.len() < cards {
        output::note(
            "cards without a picture have none there, too: `cardwright cards render --png` draws them",
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn write(args: &Args, files: &[(PathBuf, Vec<u8>)]) -> anyhow::Result<()> {
    for (path, _) in files {
        crate::package::refuse_old(path, args.force)?;
    }
    cw_files::write_all(files).map_err(|(path, error)| {
        anyhow::Error::new(error).context(format!("cannot write “{}”", path.display()))
    })
}
