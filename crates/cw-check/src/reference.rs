//! The reference of the language, made of the tables that compiler and checker use.

use std::fmt::Write;

use cw_formula::{ATTRIBUTES, FUNCTIONS, NAMES, WordKind};
use cw_program::{
    ActsOn, CardType, ClosedWord, CommandName, CostKind, EventKind, EventName, FilterFlag, Keyword,
    PhaseName, PileName, PileViewState, RuleFlag, Scope, zone_words,
};

use crate::PAGES;

/// One file of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFile {
    /// Its name below `docs/reference`.
    pub name: &'static str,
    /// Its text, Markdown.
    pub text: String,
}

/// Writes the reference.
pub fn reference() -> Vec<ReferenceFile> {
    vec![
        ReferenceFile {
            name: "commands.md",
            text: commands(),
        },
        ReferenceFile {
            name: "events.md",
            text: events(),
        },
        ReferenceFile {
            name: "expressions.md",
            text: expressions(),
        },
        ReferenceFile {
            name: "findings.md",
            text: findings(),
        },
        ReferenceFile {
            name: "words.md",
            text: words(),
        },
    ]
}

const GENERATED: &str =
    "<!-- Generated from the tables of the compiler: `cargo run -p cw-check --example reference`. -->\n\n";

fn commands() -> String {
    let mut out = format!(
        "# Commands\n\n\
         {GENERATED}A command is an effect. `name?()` asks the player first. \
         Without any target, commands on cards take the card itself and commands on players its controller.\n"
    );
    for command in CommandName::ALL {
        let form = command.signature();
        let _ = write!(
            out,
            "\n## `{}`\n\n{}.\n\n",
            form.usage,
            capital(command.meaning())
        );
        let acts_on = match form.acts_on {
            ActsOn::Players => "players; given cards or nothing, the controller of this card",
            ActsOn::CardsOrSource => "cards; without a target, or where none is found, this card",
            ActsOn::Cards => "cards; without a target this card",
            ActsOn::CardsElsePile => "cards; without a target the pile that was searched last",
            ActsOn::Both => "cards and players; without a target this card",
            ActsOn::BothElsePile => "cards and players; without a target a hand or deck of a player",
            ActsOn::PlayersOnly => "players; without a target the controller of this card",
            ActsOn::Nothing => "nothing: targets do not matter",
            ActsOn::Rules => "the game; given a player, only for that player",
        };
        let _ = writeln!(out, "- Acts on: {acts_on}");
        for (index, argument) in form.arguments.iter().enumerate() {
            let optional = if index < form.required {
                ""
            } else {
                " (may be left out)"
            };
            let _ = writeln!(out, "- Argument {}{optional}: {}", index + 1, argument.describe());
        }
        if let Some(name) = form.sets {
            let _ = writeln!(out, "- Sets `{name}`");
        }
        if form.can_fail {
            out.push_str("- Can fail, for `&&` and `||`\n");
        }
        if form.timed {
            out.push_str("- Can be timed by `ueot`, `uynt` and `unac`\n");
        }
    }
    out
}

fn events() -> String {
    let mut out = format!(
        "# Events and hooks\n\n\
         {GENERATED}An event stands between `~`, a hook between `?`; \
         a prefix says whose: `my` (or none), `opp`, `any`. \
         Suffixes: `:this` and `:fromThis` (this very card; the default of events that are tied to a card), \
         `:any` (any card), `:once`, and the tests `:action`, `:reaction`, `:char`. \
         Effects are run by the player named here: `me` is that player.\n\n\
         | Event | When | Tied to | `trigger` | Run by |\n| --- | --- | --- | --- | --- |\n"
    );
    for event in EventName::ALL {
        let form = event.form();
        let kind = match form.kind {
            EventKind::Event => "",
            EventKind::Query => " (only asked: conditions and `modCost`)",
            EventKind::Hook => " (its answer counts)",
        };
        let _ = writeln!(
            out,
            "| `{event}` | {}{kind} | {} | {} | {} |",
            event.meaning(),
            form.object.unwrap_or("–"),
            form.trigger.unwrap_or("–"),
            form.executor
        );
    }
    table(&mut out, "Prefixes", Scope::ALL);
    out
}

fn expressions() -> String {
    let mut out = format!(
        "# Expressions\n\n\
         {GENERATED}Expressions are those of Python 2.7, without regard to case. \
         They stand in conditions, in `vars`, in arguments, in `::not(…)`, and as targets. \
         `x.0` is the first element of a list. `all X in L` and `any X in L` test every element, \
         which is called `card`. A failed expression is nil: false as a condition, 0 as a number.\n\n\
         ## Names\n\n| Name | Kind | Meaning |\n| --- | --- | --- |\n"
    );
    for name in NAMES {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            name.word,
            kind(name.kind),
            plain(name.meaning)
        );
    }
    out.push_str("\n## Attributes\n\n| Attribute | Of | Kind | Meaning |\n| --- | --- | --- | --- |\n");
    for attribute in ATTRIBUTES {
        let of = if attribute.on == WordKind::Any {
            "card, player"
        } else {
            kind(attribute.on)
        };
        let _ = writeln!(
            out,
            "| `.{}` | {of} | {} | {} |",
            attribute.word,
            kind(attribute.kind),
            plain(attribute.meaning)
        );
    }
    out.push_str("\n## Functions\n\n| Function | Kind | Meaning |\n| --- | --- | --- |\n");
    for function in FUNCTIONS {
        let call = format!("{}({})", function.word, function.params);
        let _ = writeln!(
            out,
            "| `{call}` | {} | {} |",
            kind(function.kind),
            plain(function.meaning)
        );
    }
    let builtins: Vec<String> = cw_expr::builtin_names().map(|name| format!("`{name}`")).collect();
    let _ = write!(out, "\n## Built-ins of Python\n\n{}.\n", builtins.join(", "));
    out
}

fn kind(kind: WordKind) -> &'static str {
    match kind {
        WordKind::Card => "card",
        WordKind::Player => "player",
        WordKind::Cards | WordKind::List => "list",
        WordKind::Number => "number",
        WordKind::Truth => "truth value",
        WordKind::Text => "text",
        WordKind::Any => "any",
    }
}

fn words() -> String {
    let mut out = format!("# Words\n\n{GENERATED}Words are compared without regard to case.\n");
    table(&mut out, "Abilities", Keyword::ALL);
    table(&mut out, "Rules of the game", RuleFlag::ALL);
    table(&mut out, "Filters", FilterFlag::ALL);
    out.push_str(
        "\nFilters also compare: `bp <= 300`, `sp >= 2`, `bp:lowest`; and name a card type or subtype.\n",
    );
    table(&mut out, "Card types", CardType::ALL);
    table(
        &mut out,
        "Costs that `alterCost` and `modCost` change",
        CostKind::ALL,
    );
    table(&mut out, "Phases", PhaseName::ALL);
    table(&mut out, "Piles", PileName::ALL);
    table(&mut out, "Views of a pile", PileViewState::ALL);
    out.push_str("\n## Zones\n\n");
    let zones: Vec<String> = zone_words().into_iter().map(|zone| format!("`{zone}`")).collect();
    let _ = writeln!(out, "{}.", zones.join(", "));
    out.push_str(
        "\n## Restrictions\n\n\
         `ueot` until the end of the turn, `uynt` until your next turn, \
         `unac` until the next action card; with `opp` the opponent's turn or card counts.\n\n\
         ## Costs\n\n\
         `{F}` freeze this card, `{S}` sacrifice it, `{S(target)}` sacrifice characters of your ring, \
         `{D}` discard a card, `{D(n)}` discard n, `{D(target)}` discard such cards.\n",
    );
    out
}

fn table<W: ClosedWord>(out: &mut String, title: &str, words: &[W]) {
    let _ = write!(out, "\n## {title}\n\n| Word | Meaning |\n| --- | --- |\n");
    for word in words {
        let _ = writeln!(out, "| `{}` | {} |", word.word(), plain(word.meaning()));
    }
}

/// A meaning without the rules of the specification that it cites: authors do not read those.
///
/// ```
/// assert_eq!(cw_check::plain("Draws a card (R602)"), "Draws a card");
/// ```
pub fn plain(meaning: &str) -> &str {
    let cited = meaning
        .strip_suffix(')')
        .and_then(|inner| inner.rsplit_once(" ("));
    let is_id = |id: &str| {
        let digits = id.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        digits.len() < id.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match cited {
        Some((text, ids)) if ids.split(", ").all(is_id) => text,
        _ => meaning,
    }
}

fn findings() -> String {
    let mut out = format!("# Findings\n\n{GENERATED}| Code | Severity | What |\n| --- | --- | --- |\n");
    for page in PAGES.iter() {
        let _ = writeln!(
            out,
            "| [{0}](#{1}) | {2} | {3} |",
            page.code,
            page.code.0.to_lowercase(),
            page.severity.word(),
            page.title
        );
    }
    for page in PAGES.iter() {
        let _ = write!(
            out,
            "\n<a id=\"{}\"></a>\n\n#{}",
            page.code.0.to_lowercase(),
            page.markdown("")
        );
    }
    out
}

fn capital(text: &str) -> String {
    match text.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}", first.to_uppercase()),
        None => String::new(),
    }
}
