//! `cardwright cards`: finds cards, draws them, brings them in and out.

mod export;
pub(crate) mod import;
#[cfg(feature = "png")]
mod paint;
pub(crate) mod pictures;
mod render;
mod simulators;

use std::path::PathBuf;
use std::process::ExitCode;

use cw_load::Project;
use cw_octgn::{CardQuery, Definition, PropertyValue, RichPiece, RichStyle, SearchedForm, forms};
use serde_json::{Map, Value as Json, json};

use crate::output::{safe, say};
use crate::{output, package};

/// Find cards
///
/// A word finds text anywhere in a card. `property:value` finds words in a property that begin with the
/// value, and `=` the whole value. `<`, `<=`, `>`, `>=`, `!=` compare with a number or another property.
/// `/…/` is a regular expression, and `!name` the whole name. `name`, `id`, `set` and `form` always exist;
/// put a property with one of these names in quotes. `is:alternate` and `is:hidden` find other forms and
/// cards of hidden sets. `unique:cards` shows each name once; `order:property` and `order:-property` sort.
/// Combine terms with or, and, not (or `-`), parentheses and quotes. Write `--` before a query that begins
/// with `-`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// The query [default: all cards]
    query: Vec<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Print one JSON list with an object for each card
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a table with one line per card
    #[arg(long)]
    csv: bool,
    /// Include cards of hidden sets
    #[arg(long)]
    hidden: bool,
    /// Print every property, not only the first line
    #[arg(long)]
    full: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Render(render::Args),
    Import(import::Args),
    Export(export::Args),
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(Command::Render(args)) => return render::run(args),
        Some(Command::Import(args)) => return import::run(args),
        Some(Command::Export(args)) => return export::run(args),
        None => {}
    }
    let opened = package::open_cards(args.game.as_deref())?;
    let Some(query) = query(&args.query.join(" "), &opened) else {
        return Ok(ExitCode::FAILURE);
    };
    let properties: Vec<&str> = opened
        .package
        .definition
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .collect();
    if args.csv {
        let names = ["id", "form", "set", "name"]
            .into_iter()
            .chain(properties.iter().copied());
        output::line(&names.map(package::csv).collect::<Vec<_>>().join(","));
    }
    let found = query.select(forms(&opened.package).filter(|form| args.hidden || !form.set.hidden));
    let number = number(&opened.package.definition);
    if args.json {
        let all: Vec<serde_json::Value> = found.iter().map(as_json).collect();
        output::line(&serde_json::Value::from(all).to_string());
    }
    if args.csv {
        output::styled_lines(
            found
                .iter()
                .map(|form| safe(&as_csv(form, &properties)).into_owned()),
        );
    } else if args.full {
        found.iter().for_each(full);
    } else if !args.json {
        output::styled_lines(found.iter().map(|form| {
            let kind = form
                .alternate
                .map(|alternate| format!(" [{}]", *alternate.kind))
                .unwrap_or_default();
            let rest = package::form_line(&opened.package, form);
            let number = number.and_then(|number| form.text(number)).unwrap_or_default();
            let origin = format!("{} {number}", *form.set.name);
            format!(
                "\x1b[1m{}\x1b[0m{}  {}  \x1b[2m({})\x1b[0m",
                safe(form.name()),
                safe(&kind),
                safe(&rest),
                safe(origin.trim())
            )
        }));
    }
    let count = found.len();
    if count == 0 {
        for miss in query.near_misses(&opened.package) {
            output::note(&miss);
        }
    }
    for remark in query.remarks(&found) {
        output::note(&remark);
    }
    if !args.json && !args.csv {
        output::note(&output::count(count, "card"));
    }
    // The program ends: giving back millions of small pieces of memory would be a tenth of its work.
    std::mem::forget(opened);
    Ok(ExitCode::SUCCESS)
}

/// Card faces in a grid, as PNG.
#[cfg(feature = "png")]
fn picture_grid(faces: &[&str], columns: usize, cell: (u32, u32)) -> anyhow::Result<Vec<u8>> {
    paint::PicturePainter::new(&[], 300)?.grid(faces, columns, cell)
}

#[cfg(not(feature = "png"))]
fn picture_grid(_: &[&str], _: usize, _: (u32, u32)) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!(
        "this cardwright cannot make PNG, which Tabletop Simulator wants: \
         build it with `cargo build --release --features png`"
    );
}

/// The property that holds a card's number in its set.
fn number(definition: &Definition) -> Option<&str> {
    const NAMES: [&str; 3] = ["Number", "Card Number", "Collector Number"];
    let mut names = definition
        .properties
        .iter()
        .map(|property| property.name.as_str());
    names.find(|name| NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Understands a query; what is wrong with it is shown.
fn query(text: &str, project: &Project) -> Option<CardQuery> {
    match project.query(text) {
        Ok(query) => Some(query),
        Err(error) => {
            let before = text
                .get(..error.span.start as usize)
                .unwrap_or_default()
                .chars()
                .count();
            let length = text
                .get(error.span.range())
                .unwrap_or_default()
                .chars()
                .count()
                .max(1);
            output::note(&format!(
                "error: {}\n  {text}\n  {}{}",
                error,
                " ".repeat(before),
                "^".repeat(length)
            ));
            if let Some(help) = error.help {
                output::note(&format!("  help: {help}"));
            }
            None
        }
    }
}

fn as_json(form: &SearchedForm<'_>) -> Json {
    let mut properties = Map::new();
    for (name, value) in form.card.effective(form.alternate) {
        properties.insert(name.to_string(), json!(value.plain()));
    }
    json!({
        "id": form.card.id.value.to_string(),
        "form": form.alternate.map(|alternate| alternate.kind.to_string()),
        "set": form.set.name.to_string(),
        "name": form.name(),
        "properties": properties,
    })
}

fn as_csv(form: &SearchedForm<'_>, properties: &[&str]) -> String {
    let id = form.card.id.value.to_string();
    let kind = form
        .alternate
        .map(|alternate| alternate.kind.to_string())
        .unwrap_or_default();
    let first = [id.as_str(), kind.as_str(), &form.set.name, form.name()]
        .into_iter()
        .map(package::csv);
    let rest = properties
        .iter()
        .map(|name| package::csv(form.text(name).unwrap_or_default()));
    first.chain(rest).collect::<Vec<_>>().join(",")
}

fn full(form: &SearchedForm<'_>) {
    let kind = form
        .alternate
        .map(|alternate| format!(" [{}]", *alternate.kind))
        .unwrap_or_default();
    output::styled(&format!(
        "\x1b[1m{}\x1b[0m{}  ({})",
        safe(form.name()),
        safe(&kind),
        safe(form.set.name.as_str())
    ));
    say!("  {}", form.card.id.value);
    for (name, value) in form.card.effective(form.alternate) {
        let text = match value {
            PropertyValue::Rich(rich) => {
                let mut out = String::new();
                styled(&rich.pieces, &mut Vec::new(), &mut out);
                out
            }
            PropertyValue::Text(text) => safe(text).into_owned(),
            PropertyValue::Null => continue,
        };
        output::styled(&format!("  {}: {}", safe(name), text.replace('\n', "\n    ")));
    }
}

/// Formatted text as terminals show it; the stack restores the style around after an inner one ends.
fn styled(pieces: &[RichPiece], stack: &mut Vec<String>, out: &mut String) {
    for piece in pieces {
        match piece {
            RichPiece::Text(text) => out.push_str(&safe(text)),
            RichPiece::Symbol { text, .. } => out.push_str(&format!("\x1b[7m{}\x1b[27m", safe(text))),
            RichPiece::Styled { style, pieces } => {
                let code = match style {
                    RichStyle::Bold => "\x1b[1m",
                    RichStyle::Italic => "\x1b[3m",
                    RichStyle::Underline => "\x1b[4m",
                };
                inside(code.to_owned(), pieces, stack, out);
            }
            RichPiece::Coloured {
                colour: [r, g, b],
                pieces,
            } => {
                inside(format!("\x1b[38;2;{r};{g};{b}m"), pieces, stack, out);
            }
        }
    }
}

fn inside(code: String, pieces: &[RichPiece], stack: &mut Vec<String>, out: &mut String) {
    out.push_str(&code);
    stack.push(code);
    styled(pieces, stack, out);
    stack.pop();
    out.push_str("\x1b[0m");
    stack.iter().for_each(|code| out.push_str(code));
}
