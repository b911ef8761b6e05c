//! `cardwright table`: what a package brings to the free table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use cw_table::{DeckList, FreeTable, TableSeat, TableSettings, TableVerb};

use crate::commands::free;
use crate::output::{note, say};
use crate::{game, package};

/// Show a package's menu entries on the free table, and what they mean
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<TableWhat>,
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
    /// Mapping of menu entries, in addition to the package's own `Rules/table.toml`
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum TableWhat {
    /// Run a menu entry of a package on a new table, and show what each seat sees
    Run(RunArgs),
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Folder or .o8g of the game
    game: PathBuf,
    /// The entry, with `/` between its menus
    entry: String,
    /// Decks of the seats, in their order
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// Names of cards on the first seat's table, separated by commas; an entry for cards is chosen on them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    cards: Vec<String>,
    /// An entry to run first; may be repeated
    #[arg(long, value_name = "ENTRY")]
    before: Vec<String>,
    /// An answer, as `reply` takes it: yes, 3, "words", places 0,1; may be repeated
    #[arg(long, value_name = "ANSWER")]
    answer: Vec<String>,
    /// How many seats there are
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    seats: u8,
    /// Where chance comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Runs an entry from the shell; 1 if it fails or an answer is missing.
fn run_entry(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let project = package::open(Some(&args.game))?.into_project();
    let decks = project.package.decks.clone();
    let kit = Arc::new(free::kit(project, None)?);
    let settings = TableSettings::for_seats(usize::from(args.seats));
    let mut table = FreeTable::new(Arc::clone(&kit), settings, cw_duel::Seed::from(args.seed));
    for (seat, deck) in args.decks.iter().enumerate().take(usize::from(args.seats)) {
        let deck = free::find_deck(&kit.package, &decks, deck)?;
        let (list, _) = DeckList::of(&kit, &deck);
        table.act(TableSeat::at(seat), TableVerb::Load { deck: Arc::new(list) })?;
    }
    let me = TableSeat(0);
    for name in &args.cards {
        let line = format!("create \"{}\" kept", name.trim());
        let verb = table.parse(me, &line)?;
        table.act(me, verb)?;
    }
    let mut answers = args.answer.iter();
    let mut is_well = true;
    let entries = args.before.iter().chain([&args.entry]);
    for path in entries {
        let number = free::entry_named(&kit, path)?;
        let all: Vec<String> = table
            .view(me)
            .table
            .iter()
            .map(|card| card.handle.to_string())
            .collect();
        let on = match kit.actions[number].definition.of_card && !all.is_empty() {
            true => format!(" on table:{}", all.join(",")),
            false => String::new(),
        };
        let verb = table.parse(me, &format!("run #{number}{on} time {}", free::now()))?;
        let mut events = table.act(me, verb)?;
        loop {
            for event in &events {
                if let Some(line) = event.read_by(me.into()).filter(|line| !line.is_empty()) {
                    say!("{line}");
                }
            }
            is_well &= events.iter().all(|event| event.kind != "failed");
            let waits = table.state().runs.first();
            let waits = waits.and_then(|run| Some((run.id, run.waits()?.seat)));
            let Some((id, seat)) = waits else { break };
            free::print_asked(&kit, &table.view(seat));
            let Some(answer) = answers.next() else {
                bail!("an answer is missing: say it with --answer");
            };
            say!("> {answer}");
            let verb = table.parse(seat, &format!("reply {id} {answer}"))?;
            events = table.act(seat, verb)?;
        }
    }
    Ok(ExitCode::from(u8::from(!is_well)))
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(TableWhat::Run(run)) = &args.what {
        return run_entry(run);
    }
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
    if let Some(scripts) = &kit.scripts {
        let entries = 0..kit.actions.len();
        let runs = entries.filter(|entry| kit.runs(*entry)).count();
        say!(
            "scripts: {} lines; {runs} menu entries run them; package {}",
            scripts.lines,
            kit.short_hash()
        );
        for fault in &scripts.faults {
            note(fault);
        }
    }
    say!(
        "menu entries: {} exact, {} likely, {} say something, {} are scripts",
        marked(cw_table::EntryMark::Exact),
        marked(cw_table::EntryMark::Likely),
        marked(cw_table::EntryMark::Says),
        marked(cw_table::EntryMark::Script)
    );
    Ok(code)
}
