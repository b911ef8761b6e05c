//! `cardwright rules say`: writes a card's text from its rule.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use cw_duel::Game;
use cw_load::Loaded;
use cw_octgn::{FormPlace, PackageLimits, PropertyValue, SetChange, rewrite_set};
use cw_program::ModelId;
use cw_text::nearest;
use cw_words::{RuleText, TextStyle, rule_text};
use serde_json::json;

use crate::game;
use crate::output::{self, count, note, say};

#[derive(Debug, clap::Args)]
pub(super) struct SayArgs {
    /// A card's name or id; with --all, the game
    #[arg(value_name = "CARD", required_unless_present = "all")]
    card: Option<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(value_name = "PATH")]
    game: Option<PathBuf>,
    /// Write the texts of all cards that have a rule
    #[arg(long)]
    all: bool,
    /// Write the texts into the set files, in place of the printed ones
    #[arg(long)]
    write: bool,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: SayArgs) -> anyhow::Result<ExitCode> {
    let (card, path) = match (args.all, args.card, args.game) {
        (true, Some(_), Some(_)) => bail!("--all is for every card: name none"),
        (true, only, game) => (None, game.or(only.map(PathBuf::from))),
        (false, card, game) => (card, game),
    };
    if args.write
        && let Some(path) = path.as_ref().filter(|path| path.is_file())
    {
        bail!(
            "“{}” is packed; --write needs the folder of a game",
            path.display()
        );
    }
    let root = if args.write {
        Some(game::standing_in(path.clone())?)
    } else {
        None
    };
    let (loaded, game) = game::open(path.as_deref())?;
    game::refuse_rule_errors(&loaded)?;
    let models = match &card {
        Some(card) => named(&game, card)?,
        None => with_rules(&game),
    };
    if models.is_empty() {
        bail!(
            "{} has no rules for its cards (Rules/*.rules)",
            loaded.project.name()
        );
    }
    let style = TextStyle::of(&game);
    let texts = models
        .iter()
        .filter_map(|model| Some((*model, rule_text(&game, *model, &style)?)));
    let texts: Vec<(ModelId, RuleText)> = texts.collect();
    let unsaid: usize = texts.iter().map(|(_, text)| text.unsaid.len()).sum();
    match args.json {
        true => say!("{}", as_json(&game, &texts)),
        false => print(&game, &texts),
    }
    if unsaid > 0 {
        let parts = count(unsaid, "part");
        let written = if args.write { "; nothing is written" } else { "" };
        note(&format!(
            "there are no words for {parts} of these rules: the texts are without them{written}"
        ));
        return Ok(ExitCode::FAILURE);
    }
    if let Some(root) = root {
        write(&root, &loaded, &game, &texts)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn with_rules(game: &Game) -> Vec<ModelId> {
    let cards = game.numbered().filter(|(_, card)| card.program.is_some());
    cards.map(|(model, _)| model).collect()
}

/// The cards with this name, or the one with this id.
fn named(game: &Game, wanted: &str) -> anyhow::Result<Vec<ModelId>> {
    let mut models: Vec<ModelId> = game.named(wanted).collect();
    if models.is_empty() {
        let of_id = game
            .numbered()
            .filter(|(_, card)| card.id.eq_ignore_ascii_case(wanted));
        models = of_id.map(|(model, _)| model).collect();
    }
    if models.is_empty() {
        match nearest(wanted, game.models.iter().map(|card| &*card.name)) {
            Some(near) => bail!("there is no card “{wanted}”; did you mean “{near}”?"),
            None => bail!("there is no card “{wanted}”; `cardwright cards` lists all"),
        }
    }
    models.retain(|model| game.model(*model).program.is_some());
    match models.is_empty() {
        true => bail!("“{wanted}” has no rule, so there is nothing to say"),
        false => Ok(models),
    }
}

fn print(game: &Game, texts: &[(ModelId, RuleText)]) {
    for (number, (model, text)) in texts.iter().enumerate() {
        let name = &game.model(*model).name;
        match texts.len() {
            1 => say!("{}", output::safe(&text.text)),
            _ => {
                if number > 0 {
                    say!("");
                }
                say!("{}\n  {}", output::safe(name), output::safe(&text.text));
            }
        }
        for unsaid in &text.unsaid {
            say!("  no words: {}: {}", unsaid.part, output::safe(&unsaid.what));
        }
    }
}

fn as_json(game: &Game, texts: &[(ModelId, RuleText)]) -> serde_json::Value {
    let one = |(model, text): &(ModelId, RuleText)| {
        let card = game.model(*model);
        let unsaid = text
            .unsaid
            .iter()
            .map(|unsaid| json!({ "part": unsaid.part, "what": unsaid.what }));
        json!({
            "card": card.name,
            "id": card.id,
            "text": text.text,
            "printed": card.text,
            "unsaid": unsaid.collect::<Vec<_>>(),
        })
    };
    json!(texts.iter().map(one).collect::<Vec<_>>())
}

/// Puts the texts into the set files: all of them, or none.
fn write(
    root: &std::path::Path,
    loaded: &Loaded,
    game: &Game,
    texts: &[(ModelId, RuleText)],
) -> anyhow::Result<()> {
    let package = &loaded.project.package;
    let property = &loaded.project.config.properties.rules;
    let mut changes: BTreeMap<usize, Vec<SetChange>> = BTreeMap::new();
    for (model, text) in texts {
        let card = game.model(*model);
        if *card.text == *text.text {
            continue;
        }
        let place = package.sets.iter().enumerate().find_map(|(set, cards)| {
            let at = cards
                .cards
                .iter()
                .position(|one| one.id.value.to_string() == *card.id);
            at.map(|at| (set, at))
        });
        let Some((set, at)) = place else {
            bail!("“{}” stands in no set of this game", card.name);
        };
        let place = FormPlace { card: at, form: None };
        let value = PropertyValue::Text(text.text.as_str().into());
        changes
            .entry(set)
            .or_default()
            .push(SetChange::Property(place, property.clone(), Some(value)));
    }
    let changed: usize = changes.values().map(Vec::len).sum();
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (set, changes) in &changes {
        let name = format!("Sets/{}/set.xml", package.sets[*set].folder);
        let old = loaded.project.files.read(&name, PackageLimits::default().file)?;
        let Some(new) = rewrite_set(&old, changes) else {
            bail!("`{name}` cannot be changed as it is; `cardwright check` says what is wrong with it");
        };
        files.push((root.join(name), new));
    }
    cw_files::write_all(&files).map_err(|(path, error)| {
        anyhow::Error::new(error).context(format!("cannot write “{}”", path.display()))
    })?;
    note(&format!(
        "{} changed in {}",
        count(changed, "text"),
        count(files.len(), "file")
    ));
    Ok(())
}
