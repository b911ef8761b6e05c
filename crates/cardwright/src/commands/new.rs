//! `cardwright new`: starts a game.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_octgn::{Guid, PackageLimits};
use cw_sheets::{DraftRequest, draft_game, find_pictures};

use crate::commands::cards::import::{SheetArgs, base_bytes, base_name, refuse, show_columns};
use crate::commands::cards::pictures::PictureFolder;
use crate::output::say;
use crate::{game, output, package};

/// Create a game: a small, valid package that you can play
///
/// Write a set of 17 cards with a booster, rules for some of them, a deck, and plain pictures. Change
/// whatever you like. With --from, create the game from a spreadsheet with a row for each card, or from
/// another program's cards. The new game has a deck, and you can play it on the free table at once.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The game's name, and the folder to make [with --from: the file's name]
    #[arg(required_unless_present = "from")]
    name: Option<String>,
    /// Create the game from this file: CSV, TSV, XLSX, Lackey's carddata.txt, Cockatrice cards, or an MTGJSON
    /// set
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Make the folder here instead
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
    /// Seed for the ids; the same seed gives the same ids
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    sheet: SheetArgs,
}

/// Name, type, subtype, rarity, BP, SP, ability (symbol and name), rules, back-ups.
const SAMPLES: [&str; 17] = [
    "Apprentice|Character|Student|D|300|5|||Student, Guard",
    "Porter|Character|Student|D|400|4|||Student",
    "Bell Ringer|Character|Student|C|200|7|||Student, Fencer",
    "Lantern Keeper|Character|Student|B|300|3|¢ LAMPLIGHT|Draw a card.|Student",
    "Duellist|Character|Fencer|D|500|3|||Fencer",
    "Left-hander|Character|Fencer|C|600|2|||Fencer, Guard",
    "Old Fencer|Character|Fencer|A|700|0|£ ONE LESSON|\
     Freeze this character: deal 200 damage points to an enemy character.|Fencer",
    "Watchman|Character|Guard|D|500|3|||Guard",
    "Halberdier|Character|Guard|C|700|1|||Guard",
    "Gate Guard|Character|Guard|B|400|3|¤ VIGIL|At the end of your turn, it gains 100 BP.|Guard, Student",
    "Captain|Character|Guard|A|1000|-2|||Guard",
    "Innkeeper|Character|Citizen|D|300|6|||Citizen, Student",
    "Second Wind|Action||C||-2||One of your characters gains 300 BP.|",
    "Good Harvest|Action||D||0||Gain 3 SP.|",
    "Market Day|Action||D||0|||",
    "Sudden Rain|Reaction||D||0|||",
    "Locked Gate|Reaction||C||-1|||",
];

/// Whether Windows takes the name for a device's, whatever stands behind a dot.
fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_uppercase();
    let numbered = |word: &str| {
        let rest = stem.strip_prefix(word);
        rest.is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    ["CON", "PRN", "AUX", "NUL"].contains(&&*stem) || numbered("COM") || numbered("LPT")
}

/// The game's name and its folder: of `games/Harbour` the last part is the name.
fn place(args: &Args) -> anyhow::Result<(String, PathBuf)> {
    let given = match (&args.name, &args.from) {
        (Some(name), _) => name.clone(),
        (None, Some(file)) => file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        (None, None) => String::new(),
    };
    if let Some(path) = &args.path {
        return Ok((given, path.clone()));
    }
    let path = PathBuf::from(given.trim());
    let last = match path.file_name() {
        Some(last) => last.to_owned(),
        // `.` and `..` are folders that have a name, too.
        None => {
            let whole = path.canonicalize();
            let whole = whole.with_context(|| format!("there is no folder “{}”", path.display()))?;
            whole
                .file_name()
                .context("the topmost folder has no name")?
                .to_owned()
        }
    };
    Ok((last.to_string_lossy().into_owned(), path))
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (name, root) = place(&args)?;
    let name = name.trim();
    let odd = |c: char| c.is_control() || "<>:\"/\\|?*&".contains(c);
    if name.is_empty() || name.starts_with('.') || name.contains(odd) || name.len() > 100 {
        bail!(
            "“{name}” cannot be the name of a game and of its folder; \
             choose another name, or give the folder with --path"
        );
    }
    if is_device(name) {
        bail!("“{name}” is the name of a device on Windows: nobody could have the game's folder there");
    }
    if root.exists()
        && root
            .read_dir()
            .map(|mut inside| inside.next().is_some())
            .unwrap_or(true)
    {
        let import = match args.from {
            Some(_) => "; `cardwright cards import` brings a sheet into a game that is there",
            None => "",
        };
        bail!("“{}” already exists and is not empty{import}", root.display());
    }
    let seed = package::seed(args.seed);
    if let Some(file) = &args.from {
        return from_sheet(&args, file, name, &root, seed);
    }
    let id = |what: &str| Guid::of_bytes(format!("{seed} {name} {what}").as_bytes()).to_string();
    let card = |number: usize| id(&format!("card {number}"));
    let fill = |template: &str| {
        let mut text = template.replace("{NAME}", name).replace("{GAME}", &id("game"));
        for number in 0..SAMPLES.len() {
            text = text.replace(&format!("{{CARD {number}}}"), &card(number));
        }
        text
    };
    let set = id("set");
    write(
        &root,
        "definition.xml",
        fill(include_str!("new/definition.xml")).as_bytes(),
    )?;
    write(
        &root,
        "Rules/game.toml",
        fill(include_str!("new/game.toml")).as_bytes(),
    )?;
    write(
        &root,
        "Rules/core.rules",
        fill(include_str!("new/core.rules")).as_bytes(),
    )?;
    write(
        &root,
        &format!("Sets/{set}/set.xml"),
        set_xml(&set, &id("game"), &id("pack"), &card).as_bytes(),
    )?;
    write(&root, "Decks/Starter.o8d", deck(&id("game"), &card).as_bytes())?;
    // Pictures and the template of proxies are those of the demo game.
    let demo = game::files(None)?;
    for file in demo.list()? {
        let wanted =
            file.starts_with("Proxy/") || (file.starts_with("Resources/") && !file.contains("marker"));
        if wanted {
            write(&root, &file, &demo.read(&file, PackageLimits::default().file)?)?;
        }
    }
    let shown = root.display();
    say!(
        "{shown} is a game of {} cards now. What to do next:",
        SAMPLES.len()
    );
    say!("  cardwright check \"{shown}\"          find mistakes; there are none yet");
    say!("  cardwright play --game \"{shown}\"    play it against the computer");
    say!("  cardwright cards --game \"{shown}\"   look at its cards");
    say!("Its cards are in Sets/{set}/set.xml, what they do in Rules/core.rules.");
    Ok(ExitCode::SUCCESS)
}

/// A game of the cards in a file.
fn from_sheet(args: &Args, file: &Path, name: &str, root: &Path, seed: u64) -> anyhow::Result<ExitCode> {
    let Some(book) = args.sheet.read(file)? else {
        return Ok(ExitCode::FAILURE);
    };
    let drafted = draft_game(&DraftRequest {
        name,
        id: Guid::of_bytes(format!("{seed} {name} game").as_bytes()),
        book: &book,
        said: &args.sheet.said(),
    });
    let with_pictures = drafted.and_then(|drafted| {
        let found = find_pictures(
            &drafted.plan.pictures,
            &book.file,
            &PictureFolder::of(file, args.sheet.pictures()),
        )?;
        Ok((drafted, found))
    });
    let (drafted, pictures) = match with_pictures {
        Ok(drafted) => drafted,
        Err(found) => {
            refuse(&found);
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut files = drafted.files;
    let count = pictures.files.len();
    files.extend(pictures.files);
    files.push((base_name(&book.file), base_bytes(&drafted.plan.base)));
    cw_files::write_folder(root, &files).map_err(|(path, error)| {
        anyhow::Error::new(error).context(format!("cannot write “{}”", path.display()))
    })?;
    show_columns(&drafted.columns);
    for doubt in &drafted.doubts {
        output::note(&format!("warning: {doubt}"));
    }
    pictures.notes.iter().for_each(|note| output::note(note));
    let shown = root.display();
    let pictures = match count {
        0 => String::new(),
        count => format!(" and {}", output::count(count, "picture")),
    };
    say!(
        "{shown} is a game of {}{pictures} now. What to do next:",
        output::count(drafted.cards, "card")
    );
    say!(
        "  cardwright play --game \"{shown}\"           open a table in the browser; \
         add --host, and friends join by a link"
    );
    say!("  cardwright check \"{shown}\"                 find mistakes");
    say!(
        "  cardwright cards import \"{}\" --game \"{shown}\"    bring in what you change in the sheet",
        file.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn write(root: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let path = root.join(name);
    let folder = path.parent().context("files lie in folders")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make “{}”", folder.display()))?;
    cw_files::write(&path, bytes).with_context(|| format!("cannot write “{}”", path.display()))
}

fn set_xml(set: &str, game: &str, pack: &str, card: &dyn Fn(usize) -> String) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n\
         <!-- One set: its boosters, then its cards. -->\n\
         <set name=\"Core\" id=\"{set}\" gameId=\"{game}\" version=\"1.0.0.0\" gameVersion=\"1.0.0.0\">\n"
    );
    out.push_str(&format!(
        "\t<packaging>\n\
         \t\t<!-- One rare card in four packs; otherwise an uncommon one. -->\n\
         \t\t<pack name=\"Booster\" id=\"{pack}\">\n\
         \t\t\t<options>\n\
         \t\t\t\t<option probability=\"0.25\">\n\
         \t\t\t\t\t<pick qty=\"1\" key=\"Rarity\" value=\"A\" />\n\
         \t\t\t\t</option>\n\
         \t\t\t\t<option probability=\"0.75\">\n\
         \t\t\t\t\t<pick qty=\"1\" key=\"Rarity\" value=\"B\" />\n\
         \t\t\t\t</option>\n\
         \t\t\t</options>\n\
         \t\t\t<pick qty=\"2\" key=\"Rarity\" value=\"C\" />\n\
         \t\t\t<pick qty=\"4\" key=\"Rarity\" value=\"D\" />\n\
         \t\t</pack>\n\
         \t</packaging>\n\
         \t<cards>\n"
    ));
    for (number, sample) in SAMPLES.iter().enumerate() {
        let fields: Vec<&str> = sample.split('|').collect();
        let [name, kind, subtype, rarity, bp, sp, ability, rules, backups] = fields[..] else {
            continue;
        };
        out.push_str(&format!("\t\t<card name=\"{name}\" id=\"{}\">\n", card(number)));
        let mut property = |name: &str, value: &str| {
            if !value.is_empty() {
                out.push_str(&format!("\t\t\t<property name=\"{name}\" value=\"{value}\" />\n"));
            }
        };
        property("Kind", kind);
        property("Subtype", subtype);
        property("Rarity", rarity);
        property("BP", bp);
        property("SP", sp);
        property("Ability", ability);
        let (symbol, title) = ability.split_once(' ').unwrap_or_default();
        property("Ability Type", symbol);
        property("Ability Name", title);
        property("Rules", rules);
        for (place, backup) in (1..).zip(backups.split(", ")) {
            property(&format!("Backup {place}"), backup);
        }
        out.push_str("\t\t</card>\n");
    }
    out.push_str("\t</cards>\n</set>\n");
    out
}

/// Three of each card but the last, of which there are two: 50.
fn deck(game: &str, card: &dyn Fn(usize) -> String) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n\
         <deck game=\"{game}\">\n\
         \t<section name=\"Main\" shared=\"False\">\n"
    );
    for (number, sample) in SAMPLES.iter().enumerate() {
        let count = if number + 1 == SAMPLES.len() { 2 } else { 3 };
        out.push_str(&format!(
            "\t\t<card qty=\"{count}\" id=\"{}\">{}</card>\n",
            card(number),
            sample.split_once('|').map_or("", |(name, _)| name)
        ));
    }
    out.push_str("\t</section>\n</deck>\n");
    out
}
