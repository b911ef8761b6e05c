//! What a definition needs beyond its schema: values that the client or the packaging tool cannot use, and
//! parts that they want or no longer know (P237–P241, P250, P257–P263).

use std::collections::BTreeMap;

use cw_text::{Safety, Severity, Span, nearest};

use crate::codes::{PK010, PK056, PK143, PK144, PK145, PK146, PK151, PK152};
use crate::read::{clipped, missing_at, replace};
use crate::report::FileReport;
use crate::xml::{XmlAttribute, XmlElement};

/// What a value has to be beyond its type in the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueRule {
    /// Something that can be seen.
    Visible,
    /// More than nothing.
    Positive,
    /// The name of a colour, or its digits.
    Colour,
    /// An address with `http`.
    Address,
    /// A key with or without Ctrl, Alt, Shift (P241).
    Key,
    /// It is there; the client needs it where the schema does not (P257).
    Needed,
    /// It is there and not blank, or the packaging tool refuses the package (P239).
    Wanted,
}

use ValueRule::{Address, Colour, Key, Needed, Positive, Visible, Wanted};

/// Elements, one of their attributes, and what it has to be.
const VALUE_RULES: [(&[&str], &str, ValueRule); 24] = [
    (
        &[
            "game",
            "event",
            "document",
            "sound",
            "phase",
            "globalvariable",
            "gameMode",
            "size",
        ],
        "name",
        Visible,
    ),
    (&["group", "hand", "counter", "table"], "name", Visible),
    (&["event"], "action", Visible),
    (&["game"], "authors", Visible),
    (&["game"], "tags", Visible),
    (&["game"], "description", Wanted),
    (&["game"], "gameurl", Address),
    (&["game"], "iconurl", Address),
    (&["game"], "markersize", Positive),
    (&["game"], "noteBackgroundColor", Colour),
    (&["game"], "noteForegroundColor", Colour),
    (&["font"], "size", Needed),
    (&["font", "card", "size"], "size", Positive),
    (&["card", "size"], "width", Needed),
    (&["card", "size"], "height", Needed),
    (&["card", "size", "table"], "width", Positive),
    (&["card", "size", "table"], "height", Positive),
    (&["card", "size"], "front", Wanted),
    (&["card", "size"], "back", Wanted),
    (&["table"], "background", Wanted),
    (&["group", "hand", "counter"], "icon", Wanted),
    (&["marker"], "id", Wanted),
    (&["gameboard"], "name", Wanted),
    (&["game"], "scriptVersion", Wanted),
];

/// Finds values that nobody can use, and parts that are wanted or outdated.
pub(crate) fn check(root: XmlElement<'_>, report: &mut FileReport) {
    element(root, report);
    for inside in root.descendants() {
        element(inside, report);
    }
    outdated(root, report);
    names_twice(root, report);
    unbuildable(root, report);
}

fn element(element: XmlElement<'_>, report: &mut FileReport) {
    for (names, attribute, rule) in VALUE_RULES {
        if names.contains(&element.name()) {
            value(element, attribute, rule, report);
        }
    }
    for key in ["shortcut", "shuffle"] {
        value(element, key, Key, report);
    }
    defaults(element, report);
}

fn value(element: XmlElement<'_>, name: &str, rule: ValueRule, report: &mut FileReport) {
    let attribute = element.attribute(name);
    let text = attribute.map(XmlAttribute::value);
    let Some((attribute, text)) = attribute.zip(text.as_ref()) else {
        match rule {
            Needed => missing_at(element, name, Severity::Error, report),
            // Those that the schema demands too are told by it.
            Wanted if name != "description" && !matches!(element.name(), "marker" | "gameboard") => {
                let message = format!(
                    "`{}` without `{name}`: o8build refuses the package",
                    element.name()
                );
                report.add(report.warning(PK151, element.name_span(), message));
            }
            Wanted | Visible | Positive | Colour | Address | Key => {}
        }
        return;
    };
    let text = text.trim();
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let (code, message) = match rule {
        Needed => return,
        Visible if text.is_empty() => (PK010, format!("`{name}` is empty")),
        // Paths that are empty are told with the other paths.
        Wanted if text.is_empty() && !matches!(name, "front" | "back" | "background" | "icon") => {
            let message = format!("`{name}` is empty: o8build refuses the package");
            report.add(report.warning(PK151, attribute.value_span(), message));
            return;
        }
        Positive if number.is_some_and(|number| number <= 0.0) => (
            PK143,
            format!("`{name}` is `{}`, it must be a number above 0", clipped(text)),
        ),
        Colour if !is_colour(text) => (
            PK143,
            format!("`{}` is not a colour: write #RRGGBB", clipped(text)),
        ),
        Address if !is_address(text) => (
            PK145,
            format!("`{name}` is not an address: it must begin with `https://`"),
        ),
        Key if !text.is_empty() && !is_key(text) => (
            PK144,
            format!("`{}` is not a key, such as `Ctrl+F` or `Del`", clipped(text)),
        ),
        Visible | Wanted | Positive | Colour | Address | Key => return,
    };
    report.add(report.error(code, attribute.value_span(), message));
}

/// PK152: what OCTGN no longer knows, reads in an old way or leaves out (P237, P239, P258, P260, P263).
fn outdated(root: XmlElement<'_>, report: &mut FileReport) {
    let version = root.attribute("scriptVersion");
    let version_text = version.map(XmlAttribute::value);
    let version_text = version_text.as_ref().map_or("", |text| text.trim());
    if let Some(version) = version.filter(|_| !matches!(version_text, "" | CURRENT)) {
        let span = version.value_span();
        if version_text == "0.0.0.0" {
            let message = "`scriptVersion` is 0.0.0.0: o8build refuses the package";
            report.add(
                report
                    .warning(PK151, span, message)
                    .help(format!("write {CURRENT}")),
            );
        } else if is_version(version_text) {
            let what = match EVENTS.iter().any(|(known, _)| *known == version_text) {
                true => "an old version of the script interface",
                false => "no version of the script interface; OCTGN uses 3.1.0.0",
            };
            let message = format!("`{}` is {what}", clipped(version_text));
            report.add(
                report
                    .warning(PK152, span, message)
                    .help(format!("the newest is {CURRENT}")),
            );
        }
    }
    for inside in root.descendants() {
        match inside.name() {
            "hand" => {
                let message = "`hand` is outdated: o8build warns of it";
                let help = "write `group` with `visibility=\"me\"`";
                report.add(report.warning(PK152, inside.name_span(), message).help(help));
            }
            "table" => {
                let board = inside
                    .attribute("board")
                    .filter(|board| !board.value().trim().is_empty());
                if let Some(board) = board {
                    let message = "`board` of the table is outdated: o8build warns of it";
                    report.add(
                        report
                            .warning(PK152, board.name_span(), message)
                            .help("use `gameboards`"),
                    );
                }
            }
            "gameboards" if inside.attribute("src").is_some() => {
                let lacks = |name: &&&str| inside.attribute(name).is_none();
                if let Some(name) = ["x", "y", "width", "height"].iter().find(lacks) {
                    let message = format!("OCTGN leaves out the default board: it has no `{name}`");
                    report.add(report.warning(PK152, inside.name_span(), message));
                }
            }
            "event" => event(inside, version_text, report),
            _ => {}
        }
    }
}

/// The version of the script interface that the packaging tool wants.
const CURRENT: &str = "3.1.0.2";

const EVENTS_OLD: &[&str] = &[
    "OnTableLoad",
    "OnGameStart",
    "OnLoadDeck",
    "OnChangeCounter",
    "OnEndTurn",
    "OnTurn",
    "OnTargetCard",
    "OnTargetCardArrow",
    "OnMoveCard",
    "OnMoveCards",
    "OnPlayerGlobalVariableChanged",
    "OnGlobalVariableChanged",
    "OnCardClick",
    "OnCardDoubleClick",
    "OnMarkerChanged",
];

const EVENTS_ADDED: &[&str] = &[
    "OnPlayerConnect",
    "OnPlayerLeaveGame",
    "OnScriptedMoveCard",
    "OnScriptedMoveCards",
];

const EVENTS_NEW: &[&str] = &[
    "OnTableLoaded",
    "OnGameStarted",
    "OnPlayerConnected",
    "OnPlayerQuit",
    "OnDeckLoaded",
    "OnCounterChanged",
    "OnTurnPaused",
    "OnTurnPassed",
    "OnCardTargeted",
    "OnCardArrowTargeted",
    "OnPlayerGlobalVariableChanged",
    "OnGlobalVariableChanged",
    "OnCardClicked",
    "OnCardDoubleClicked",
    "OnMarkerChanged",
    "OnCardControllerChanged",
    "OnCardsMoved",
    "OnScriptedCardsMoved",
    "OnPhasePassed",
    "OnPhasePaused",
    "OverrideCardsMoved",
    "OverrideTurnPassed",
    "OverrideGameReset",
    "OverrideGameSoftReset",
    "OverridePhasePassed",
    "OverridePhaseClicked",
];

/// Versions of the script interface with the events that each knows (P263).
const EVENTS: [(&str, &[&[&str]]); 3] = [
    ("3.1.0.0", &[EVENTS_OLD]),
    ("3.1.0.1", &[EVENTS_OLD, EVENTS_ADDED]),
    (CURRENT, &[EVENTS_NEW]),
];

fn event(element: XmlElement<'_>, version: &str, report: &mut FileReport) {
    let Some(name) = element.attribute("name") else {
        return;
    };
    let text = name.value();
    let Some((_, known)) = EVENTS.iter().find(|(known, _)| *known == version) else {
        return;
    };
    let mut known = known.iter().flat_map(|events| events.iter().copied());
    if text.trim().is_empty() || known.clone().any(|event| event == text.as_str()) {
        return;
    }
    let message = format!(
        "script interface {version} has no event `{}`: it never runs",
        clipped(&text)
    );
    let same = known.find(|event| event.eq_ignore_ascii_case(&text));
    let finding = report.hint(PK152, name.value_span(), message);
    report.add(match same.or_else(|| nearest(&text, known)) {
        Some(near) => finding.help(format!("did you mean `{near}`?")).fix(replace(
            report,
            name.value_span(),
            near,
            Safety::Unsafe,
        )),
        None => finding,
    });
}

fn is_version(text: &str) -> bool {
    text.split('.')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// PK056: names that the client keeps once (P257, P260); those that the typed reader keeps are told by it.
fn names_twice(root: XmlElement<'_>, report: &mut FileReport) {
    let lists = ["sounds", "gameboards", "globalvariables", "player"];
    for list in root.elements().filter(|list| lists.contains(&list.name())) {
        let mut seen: BTreeMap<(String, String), Span> = BTreeMap::new();
        for item in list.elements() {
            let is_kept = matches!(item.name(), "sound" | "gameboard" | "globalvariable");
            let Some(name) = item.attribute("name").filter(|_| is_kept) else {
                continue;
            };
            let text = name.value();
            let key = match item.name() {
                "sound" => text.to_lowercase(),
                _ => text.to_string(),
            };
            let first = *seen
                .entry((item.name().to_owned(), key))
                .or_insert(name.value_span());
            if first != name.value_span() {
                let message = format!("{} `{}` is defined twice", item.name(), clipped(&text));
                let finding = report.error(PK056, name.value_span(), message);
                report.add(finding.label(report.file, first, "first here"));
            }
        }
    }
    let Some(card) = root.elements().find(|child| child.name() == "card") else {
        return;
    };
    let default = card.attribute("name").map(XmlAttribute::value);
    let default = default.as_ref().map_or("Default", |name| name.as_str());
    let sizes = card.elements().filter(|child| child.name() == "size");
    for name in sizes.filter_map(|size| size.attribute("name")) {
        if &*name.value() == default {
            let message = format!(
                "size `{}` has the same name as the default card",
                clipped(default)
            );
            report.add(report.error(PK056, name.value_span(), message));
        }
    }
}

/// PK151: what the packaging tool cannot build a package of (P250).
fn unbuildable(root: XmlElement<'_>, report: &mut FileReport) {
    if let Some(id) = root.attribute("id").filter(|id| id.value().starts_with('{')) {
        let message = "o8build cannot build a package of an id in braces";
        let plain = id.value().trim_matches(['{', '}']).to_owned();
        let fix = replace(report, id.value_span(), plain, Safety::Unsafe);
        report.add(report.warning(PK151, id.value_span(), message).fix(fix));
    }
    if let Some(name) = root.attribute("name") {
        let text = name.value();
        let refused = |letter: &char| matches!(letter, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*');
        if let Some(letter) = text.chars().find(refused) {
            let message = format!("`{letter}` cannot be in the name of the package's file");
            report.add(report.warning(PK151, name.value_span(), message));
        }
    }
}

/// PK146: of the actions of a pile that are for cards, or for the pile, one is chosen by a double click.
fn defaults(element: XmlElement<'_>, report: &mut FileReport) {
    for name in ["cardaction", "groupaction"] {
        let is_default = |child: &XmlElement<'_>| {
            let value = child.attribute("default").map(XmlAttribute::value);
            // Conditions may leave only one of them.
            child.name() == name
                && child.attribute("showIf").is_none()
                && value.is_some_and(|value| &*value == "True")
        };
        let mut found = element.elements().filter(is_default);
        let Some(first) = found.next() else { continue };
        for again in found {
            let message = "a second default action: a double click runs the first";
            let finding = report.warning(PK146, again.name_span(), message);
            report.add(finding.label(report.file, first.name_span(), "the first"));
        }
    }
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#');
    match digits {
        Some(digits) => {
            matches!(digits.len(), 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        }
        None => !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_alphabetic()),
    }
}

fn is_address(text: &str) -> bool {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.trim().strip_prefix(scheme));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// Names of keys beside letters, digits and F1 to F24.
const KEYS: [&str; 46] = [
    "space",
    "enter",
    "return",
    "tab",
    "escape",
    "esc",
    "delete",
    "del",
    "insert",
    "ins",
    "home",
    "end",
    "pageup",
    "pgup",
    "prior",
    "pagedown",
    "pgdn",
    "next",
    "up",
    "down",
    "left",
    "right",
    "back",
    "backspace",
    "bksp",
    "add",
    "subtract",
    "multiply",
    "divide",
    "decimal",
    "oemplus",
    "oemminus",
    "oemcomma",
    "oemperiod",
    "oemquestion",
    "oemtilde",
    "oemopenbrackets",
    "oemclosebrackets",
    "oemquotes",
    "oemsemicolon",
    "oempipe",
    "oembackslash",
    "capslock",
    "pause",
    "break",
    "help",
];

/// Whether a text is a key, with or without Ctrl, Alt, Shift and Windows before it.
fn is_key(text: &str) -> bool {
    let lower = text.trim().to_ascii_lowercase();
    let mut parts: Vec<&str> = lower.split('+').map(str::trim).collect();
    let Some(key) = parts.pop() else { return false };
    let modifiers = ["ctrl", "control", "alt", "shift", "windows", "win"];
    let digits = |prefix: &str| {
        let rest = key.strip_prefix(prefix)?;
        rest.parse::<u8>()
            .ok()
            .filter(|_| rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let single = key.len() == 1 && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let known = single
        || KEYS.contains(&key)
        || digits("f").is_some_and(|number| (1..=24).contains(&number))
        || digits("d").is_some_and(|number| number <= 9)
        || digits("numpad").is_some_and(|number| number <= 9);
    let is_shift_alone = parts.iter().all(|part| *part == "shift");
    // A letter or digit alone, or with Shift, is no shortcut (P241).
    known && !(single && is_shift_alone) && parts.iter().all(|part| modifiers.contains(part))
}
