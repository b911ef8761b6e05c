//! `cardwright table`: what a package brings to the free table.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::commands::free;
use crate::output::{note, say};
use crate::{game, package};

/// Show a package's menu entries on the free table, and what they mean
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder or .o8g of the game [default: the one you are in]
    game: Option<PathBuf>,
    /// The same as the argument, as in other commands
    #[arg(long = "game", value_name = "PATH", conflicts_with = "game")]
    named: Option<PathBuf>,
    /// List every menu entry with its mark and its verbs
    #[arg(long)]
    actions: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A mapping of menu entries, over the package's own `Rules/table.toml`
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let named = args.game.or(args.named);
    game::standing_in(named.clone())?;
    let (kit, faults) = free::kit_with_faults(
        package::open(named.as_deref())?.into_project(),
        args.mapping.as_deref(),
    )?;
    let code = ExitCode::from(u8::from(faults > 0));
    if args.json {
        say!("{}", serde_json::to_string_pretty(&free::actions_json(&kit))?);
        return Ok(code);
    }
    for remark in &kit.remarks {
        note(remark);
    }
    if args.actions {
        free::print_actions(&kit);
        return Ok(code);
    }
    say!("{}", *kit.package.definition.name);
    say!(
        "{} × {}, cards of {} × {}",
        kit.table.0,
        kit.table.1,
        kit.default_measures().width,
        kit.default_measures().height
    );
    for (owner, piles) in [("seat", &kit.piles), ("shared", &kit.shared_piles)] {
        for pile in piles {
            say!(
                "{owner}: {}, seen by {:?}, {}",
                pile.name,
                pile.visibility,
                if pile.ordered { "ordered" } else { "unordered" }
            );
        }
    }
    let marked = |mark| {
        kit.actions
            .iter()
            .filter(|action| action.mark == mark && !action.definition.separator)
            .count()
    };
    say!(
        "menu entries: {} exact, {} likely, {} say something, {} are scripts",
        marked(cw_table::EntryMark::Exact),
        marked(cw_table::EntryMark::Likely),
        marked(cw_table::EntryMark::Says),
        marked(cw_table::EntryMark::Script)
    );
    Ok(code)
}
