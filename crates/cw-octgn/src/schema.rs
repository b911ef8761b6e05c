//! What may stand in a definition, and what must: the table of the client's schema (P52–P59, P158).
//!
//! Values that the typed reader in `definition.rs` looks at are only known here.

use std::collections::BTreeSet;

use cw_text::{Safety, nearest};

use crate::codes::{PK007, PK008, PK010, PK112, PK141, PK142, PK143, PK144, PK145, PK146};
use crate::read::{clipped, replace};
use crate::report::Report;
use crate::xml::{Attribute, Element};

/// An element, by its name and that of the element around it.
struct Node {
    name: &'static str,
    within: &'static [&'static str],
    attributes: &'static [Known],
}

/// An attribute.
struct Known {
    name: &'static str,
    value: Value,
    need: Need,
}

/// What a value has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Any text; or the typed reader says what is wrong.
    Text,
    /// Something that can be seen.
    Visible,
    /// Exactly `True` or `False` (P52).
    Bool,
    /// A whole number that is not negative.
    Whole,
    /// Any whole number.
    Integer,
    /// A length that is more than nothing.
    Length,
    /// A number that may be negative.
    Number,
    /// `#RRGGBB` or the name of a colour.
    Colour,
    /// An address with `http`.
    Address,
    /// A key with or without Ctrl, Alt, Shift (P158).
    Key,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// Whether it must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    May,
    Must,
}

const fn may(name: &'static str, value: Value) -> Known {
    let need = Need::May;
    Known { name, value, need }
}

const fn must(name: &'static str, value: Value) -> Known {
    let need = Need::Must;
    Known { name, value, need }
}

use Value::{Address, Bool, Colour, Integer, Key, Length, Number, Text, Visible, Whole, Word};

const VISIBILITY: Value = Word(&["none", "me", "all", "undefined"]);
const GROUPS: &[&str] = &["player", "shared"];
const OWNERS: &[&str] = &["group", "hand", "table", "groupactions", "cardactions"];

/// Measures and pictures of a kind of card (P53, P54).
const MEASURES: &[Known] = &[
    may("name", Text),
    may("front", Text),
    may("back", Text),
    must("width", Length),
    must("height", Length),
    may("cornerRadius", Number),
    may("backWidth", Number),
    may("backHeight", Number),
    may("backCornerRadius", Number),
];

const ACTION: &[Known] = &[
    must("menu", Text),
    may("shortcut", Key),
    may("execute", Text),
    may("batchExecute", Text),
    may("default", Bool),
    may("showIf", Text),
    may("getName", Text),
];

const MENU: &[Known] = &[must("menu", Text), may("showIf", Text), may("getName", Text)];

const BOARD: &[Known] = &[
    may("name", Text),
    may("src", Text),
    may("x", Integer),
    may("y", Integer),
    may("width", Whole),
    may("height", Whole),
];

const PILE: &[Known] = &[
    must("name", Visible),
    may("visibility", VISIBILITY),
    may("viewState", Word(&["pile", "collapsed", "expanded"])),
    may(
        "protectionState",
        Word(&["false", "true", "ask", "False", "True", "Ask"]),
    ),
    may("ordered", Bool),
    may("collapsed", Bool),
    may("moveto", Bool),
    may("icon", Text),
    may("shortcut", Key),
    may("shuffle", Key),
    may("width", Whole),
    may("height", Whole),
    may("background", Text),
    may("backgroundStyle", Text),
];

const fn node(name: &'static str, within: &'static [&'static str], attributes: &'static [Known]) -> Node {
    Node {
        name,
        within,
        attributes,
    }
}

const GAME: &[&str] = &["game"];

/// Every element that the client knows.
const NODES: &[Node] = &[
    node(
        "game",
        &[],
        &[
            may("id", Text),
            may("name", Visible),
            may("version", Text),
            must("octgnVersion", Text),
            may("scriptVersion", Text),
            may("markersize", Length),
            must("tags", Visible),
            may("description", Text),
            must("authors", Visible),
            must("gameurl", Address),
            may("setsurl", Text),
            must("iconurl", Address),
            may("usetwosidedtable", Text),
            may("changetwosidedtable", Text),
            may("noteBackgroundColor", Colour),
            may("noteForegroundColor", Colour),
        ],
    ),
    node("scripts", GAME, &[]),
    node("script", &["scripts"], &[must("src", Text)]),
    node("events", GAME, &[]),
    node(
        "event",
        &["events"],
        &[must("name", Visible), must("action", Visible)],
    ),
    node("proxygen", GAME, &[must("definitionsrc", Text)]),
    node("documents", GAME, &[]),
    node(
        "document",
        &["documents"],
        &[must("name", Visible), must("src", Text), may("icon", Text)],
    ),
    node("sounds", GAME, &[]),
    node("sound", &["sounds"], &[must("name", Visible), must("src", Text)]),
    node("fonts", GAME, &[]),
    node(
        "font",
        &["fonts"],
        &[
            may("src", Text),
            may("size", Length),
            must("target", Word(&["chat", "context", "deckeditor", "notes"])),
        ],
    ),
    node("symbols", GAME, &[]),
    node(
        "symbol",
        &["symbols"],
        &[may("name", Text), may("id", Text), may("src", Text)],
    ),
    node("markers", GAME, &[]),
    node(
        "marker",
        &["markers"],
        &[
            may("name", Text),
            may("id", Text),
            may("src", Text),
            may("showCount", Text),
            may("canDrag", Text),
        ],
    ),
    node("gameboards", GAME, BOARD),
    node("gameboard", &["gameboards"], BOARD),
    node("phases", GAME, &[]),
    node("phase", &["phases"], &[must("name", Visible), must("icon", Text)]),
    node("globalvariables", GAME, &[]),
    node(
        "globalvariable",
        &["globalvariables", "player"],
        &[must("name", Visible), may("value", Text), may("reset", Bool)],
    ),
    node("gameModes", GAME, &[]),
    node(
        "gameMode",
        &["gameModes"],
        &[
            must("name", Visible),
            may("playerCount", Whole),
            may("shortDescription", Text),
            may("image", Text),
            may("useTwoSidedTable", Bool),
        ],
    ),
    node("card", GAME, MEASURES),
    node(
        "property",
        &["card"],
        &[
            may("name", Text),
            may("type", Text),
            may("textKind", Text),
            may("delimiter", Text),
            may("hidden", Text),
            may("ignoreText", Text),
        ],
    ),
    node("size", &["card"], MEASURES),
    node("deck", GAME, &[]),
    node("sharedDeck", GAME, &[]),
    node(
        "section",
        &["deck", "sharedDeck"],
        &[may("name", Text), may("group", Text)],
    ),
    node("player", GAME, &[may("summary", Text)]),
    node("shared", GAME, &[may("summary", Text)]),
    node(
        "counter",
        GROUPS,
        &[
            must("name", Visible),
            may("default", Integer),
            may("reset", Bool),
            may("icon", Text),
            may("shortcut", Key),
        ],
    ),
    node("hand", &["player"], PILE),
    node("group", GROUPS, PILE),
    node(
        "table",
        GAME,
        &[
            must("name", Visible),
            may("visibility", VISIBILITY),
            may("ordered", Bool),
            must("width", Length),
            must("height", Length),
            may("board", Text),
            may("boardPosition", Text),
            may("background", Text),
            may(
                "backgroundStyle",
                Word(&["tile", "stretch", "uniform", "uniformToFill"]),
            ),
            may("cross", Bool),
            may("icon", Text),
            may("shortcut", Key),
        ],
    ),
    node("cardaction", OWNERS, ACTION),
    node("groupaction", OWNERS, ACTION),
    node("cardactions", OWNERS, MENU),
    node("groupactions", OWNERS, MENU),
    node("cardseparator", OWNERS, &[may("showIf", Text)]),
    node("groupseparator", OWNERS, &[may("showIf", Text)]),
];

/// Children of `game` that must be there (P52).
const REQUIRED: [&str; 4] = ["card", "table", "player", "proxygen"];

/// Elements that the client has no use for behind these; the typed reader says it.
const SAID: [&str; 1] = ["card"];

/// Finds what does not belong into a definition, what is missing, and values that nobody can read.
pub(crate) fn check(root: Element<'_>, report: &mut Report) {
    if let Some(node) = NODES.iter().find(|node| node.name == "game") {
        attributes(root, node, report);
    }
    let mut seen = BTreeSet::new();
    for child in root.elements() {
        if !seen.insert(child.name().to_owned()) {
            let message = format!("`{}` is there twice", clipped(child.name()));
            report.add(report.error(PK142, child.name_span(), message));
        }
    }
    for name in REQUIRED {
        if !seen.contains(name) {
            let mut finding = report.error(PK141, root.name_span(), format!("the game has no `{name}`"));
            let near = root
                .elements()
                .find(|child| nearest(child.name(), [name]).is_some());
            if let Some(near) = near.filter(|near| !NODES.iter().any(|node| node.name == near.name())) {
                finding = finding.label(report.file, near.name_span(), format!("did you mean `{name}`?"));
            }
            report.add(finding);
        }
    }
    inside(root, report);
}

fn inside(element: Element<'_>, report: &mut Report) {
    let owner = element.name();
    for child in element.elements() {
        let name = child.name();
        let known = NODES
            .iter()
            .find(|node| node.name == name && node.within.contains(&owner));
        match known {
            Some(node) => {
                attributes(child, node, report);
                inside(child, report);
            }
            None if SAID.contains(&owner) => {}
            None => {
                let here = NODES.iter().filter(|node| node.within.contains(&owner));
                let message = format!("`{}` does not belong into `{}`", clipped(name), clipped(owner));
                let finding = report.warning(PK007, child.name_span(), message);
                report.add(match nearest(name, here.map(|node| node.name)) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
            }
        }
    }
    defaults(element, report);
}

/// PK146: of the actions of a pile that are for cards, or for the pile, one is chosen by a double click.
fn defaults(element: Element<'_>, report: &mut Report) {
    for name in ["cardaction", "groupaction"] {
        let is_default = |child: &Element<'_>| {
            let value = child.attribute("default").map(Attribute::value);
            // Conditions may leave only one of them.
            child.name() == name
                && child.attribute("showIf").is_none()
                && value.is_some_and(|value| &*value == "True")
        };
        let mut found = element.elements().filter(is_default);
        let Some(first) = found.next() else { continue };
        for again in found {
            let message = "a second default action: a double click takes the first";
            let finding = report.warning(PK146, again.name_span(), message);
            report.add(finding.label(report.file, first.name_span(), "the first"));
        }
    }
}

fn attributes(element: Element<'_>, node: &Node, report: &mut Report) {
    for attribute in element.attributes() {
        let name = attribute.name();
        let of_xml = name.starts_with("xmlns") || name.starts_with("xsi:") || name.starts_with("xml:");
        match node.attributes.iter().find(|known| known.name == name) {
            Some(known) => value(attribute, known, report),
            None if of_xml || node.name == "property" => {}
            None => {
                let message = format!("`{}` has no attribute `{}`", node.name, clipped(name));
                let finding = report.warning(PK008, attribute.name_span(), message);
                let known = node.attributes.iter().map(|known| known.name);
                report.add(match nearest(name, known) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
            }
        }
    }
    let missing = node.attributes.iter().filter(|known| known.need == Need::Must);
    for known in missing.filter(|known| element.attribute(known.name).is_none()) {
        crate::read::missing(element, known.name, report);
    }
}

fn value(attribute: Attribute<'_>, known: &Known, report: &mut Report) {
    let text = attribute.value();
    let text = text.as_str();
    let span = attribute.value_span();
    let name = known.name;
    let number = text
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite());
    let whole = text.trim().parse::<i32>().ok();
    let (code, message) = match known.value {
        Text => return,
        Visible if !text.trim().is_empty() => return,
        Visible => (PK010, format!("`{name}` is empty")),
        Bool if matches!(text, "True" | "False") => return,
        Bool => {
            let message = format!("`{}` is not `True` or `False`", clipped(text));
            let finding = report.error(PK112, span, message);
            let meant = match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" => Some("True"),
                "false" | "0" | "no" => Some("False"),
                _ => None,
            };
            report.add(match meant {
                Some(meant) => finding.fix(replace(report, span, meant, Safety::Safe)),
                None => finding,
            });
            return;
        }
        Whole if whole.is_some_and(|whole| whole >= 0) => return,
        Whole => (
            PK143,
            format!(
                "`{name}` is `{}`, it must be a whole number from 0",
                clipped(text)
            ),
        ),
        Integer if whole.is_some() => return,
        Integer => (
            PK143,
            format!("`{name}` is `{}`, it must be a whole number", clipped(text)),
        ),
        Length if number.is_some_and(|number| number > 0.0) => return,
        Length => (
            PK143,
            format!("`{name}` is `{}`, it must be a number above 0", clipped(text)),
        ),
        Number if number.is_some() => return,
        Number => (
            PK143,
            format!("`{name}` is `{}`, it must be a number", clipped(text)),
        ),
        Colour if is_colour(text) => return,
        Colour => (
            PK143,
            format!("`{}` is no colour: write it as #RRGGBB", clipped(text)),
        ),
        Address if is_address(text) => return,
        Address => (
            PK145,
            format!("`{name}` is no address: it begins with `https://`"),
        ),
        Key if text.trim().is_empty() || is_key(text) => return,
        Key => (
            PK144,
            format!("`{}` is no key, as `Ctrl+F` or `Del`", clipped(text)),
        ),
        Word(words) if words.contains(&text) => return,
        Word(words) => {
            let message = format!("`{}` is none of {}", clipped(text), words.join(", "));
            let finding = report.error(PK010, span, message);
            report.add(match nearest(text, words.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).fix(replace(
                    report,
                    span,
                    near,
                    Safety::Safe,
                )),
                None => finding,
            });
            return;
        }
    };
    report.add(report.error(code, span, message));
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
    known && parts.iter().all(|part| modifiers.contains(part))
}
