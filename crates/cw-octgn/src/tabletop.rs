//! What a definition says about the table: piles, counters, boards, phases, actions.
//!
//! Nothing here is an error: what is missing or cannot be read has its default (F1).

use crate::Str;
use crate::read::optional;
use crate::xml::XmlElement;

/// Everything of a definition that only a table needs (F1–F28).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tabletop {
    /// Width of the table, in the unit of card sizes; 0 if it cannot be read (F2).
    pub width: u32,
    /// Height of the table.
    pub height: u32,
    /// The table's visibility as written, if any (F3).
    pub visibility: Option<Str>,
    /// Path of the picture behind the table (F4).
    pub background: Option<Str>,
    /// How it is drawn, as written.
    pub background_style: Option<Str>,
    /// The default board, then the named ones (F5).
    pub boards: Vec<BoardDefinition>,
    /// Whether the first of [`Tabletop::boards`] lies there from the start (F5).
    pub has_default_board: bool,
    /// Seats opposite each other (F22).
    pub two_sided: bool,
    /// Piles of every player, in file order (F7).
    pub piles: Vec<PileDefinition>,
    /// Piles of nobody.
    pub shared_piles: Vec<PileDefinition>,
    /// Counters of every player (F18).
    pub counters: Vec<CounterDefinition>,
    /// Counters of nobody.
    pub shared_counters: Vec<CounterDefinition>,
    /// The text of a seat's header (F19).
    pub summary: Option<Str>,
    /// The text of the shared header.
    pub shared_summary: Option<Str>,
    /// Phases in order, with their icons (F20).
    pub phases: Vec<NamedPath>,
    /// Game modes (F21).
    pub modes: Vec<ModeDefinition>,
    /// Documents of the package (F24).
    pub documents: Vec<NamedPath>,
    /// Sounds of the package (F24).
    pub sounds: Vec<NamedPath>,
    /// Paths of scripts, in file order (F31).
    pub scripts: Vec<Str>,
    /// Actions of the table (F27).
    pub actions: Vec<ActionDefinition>,
    /// Events with the functions they call, in file order (F25).
    pub events: Vec<EventDefinition>,
    /// Variables of the table with their first values (F25).
    pub variables: Vec<(Str, Str)>,
    /// Variables of every player.
    pub player_variables: Vec<(Str, Str)>,
    /// `showCount` and `canDrag` of the markers, in the order of [`crate::Definition::markers`].
    pub can_drag: Vec<(Str, bool)>,
}

/// A function that a script wants to be called when something happens.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EventDefinition {
    /// What happens.
    pub name: Str,
    /// The function.
    pub action: Str,
}

/// A name and a path.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NamedPath {
    /// The name.
    pub name: Str,
    /// The path of what it stands for; empty if there is none.
    pub path: Str,
}

/// A board below the cards (F5), in table coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BoardDefinition {
    /// Its name; empty for the default board.
    pub name: Str,
    /// Path of its picture.
    pub source: Str,
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

/// A pile as the definition describes it (F7–F17).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PileDefinition {
    /// Its name as written: what sections are bound to (F8).
    pub name: Str,
    /// Written as `hand` rather than `group` (F8).
    pub legacy_hand: bool,
    /// Who sees the cards without doing anything, as written (F11).
    pub visibility: Option<Str>,
    /// Whether the order is part of the game (F14).
    pub ordered: bool,
    /// First look on a screen, as written (F15).
    pub view_state: Option<Str>,
    /// The older `collapsed`, which wins (F15).
    pub collapsed: Option<bool>,
    /// Who else may look into it, as written (F16).
    pub protection: Option<Str>,
    /// Key that moves the selection there (F17).
    pub shortcut: Option<Str>,
    /// Key that shuffles it (F17).
    pub shuffle: Option<Str>,
    /// Listed under "move to" (F17).
    pub move_to: bool,
    /// Path of its picture.
    pub icon: Option<Str>,
    /// Its actions (F27).
    pub actions: Vec<ActionDefinition>,
}

/// A counter (F18).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CounterDefinition {
    /// Its name.
    pub name: Str,
    /// Its value at the start.
    pub default: i32,
    /// Whether a reset brings that value back.
    pub reset: bool,
    /// Path of its picture.
    pub icon: Option<Str>,
}

/// A game mode (F21).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ModeDefinition {
    /// Its name.
    pub name: Str,
    /// What it is.
    pub description: Str,
    /// Path of its picture.
    pub image: Str,
    /// How many seats it preselects.
    pub players: u32,
    /// Its own two-sided setting.
    pub two_sided: Option<bool>,
}

/// An entry of a package's menu (F27, F28).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ActionDefinition {
    /// Of a card, or of the group.
    pub of_card: bool,
    /// Submenus around it, outermost first.
    pub submenus: Vec<Str>,
    /// Its text.
    pub menu: Str,
    /// A line between entries, nothing else.
    pub separator: bool,
    /// The function it names.
    pub execute: Str,
    /// The function that says whether it is shown; empty if it always is.
    pub show_if: Str,
    /// The function that says what it is called; empty if its text does.
    pub get_name: Str,
    /// The function gets the whole selection at once.
    pub batch: bool,
    /// Its key.
    pub shortcut: Option<Str>,
    /// Chosen by a double click.
    pub default: bool,
}

impl ActionDefinition {
    /// Submenus and text with `/` between.
    pub fn path(&self) -> String {
        let mut path: Vec<&str> = self.submenus.iter().map(Str::as_str).collect();
        path.push(&self.menu);
        path.join("/")
    }
}

/// Submenus inside submenus that are followed; real packages have one or two levels (F27).
const DEPTH: usize = 8;

/// Reads the table's part of a definition.
pub(crate) fn read(root: XmlElement<'_>) -> Tabletop {
    let mut tabletop = Tabletop {
        two_sided: flag(root, "usetwosidedtable").unwrap_or(true),
        ..Tabletop::default()
    };
    let mut table = None;
    let mut boards = None;
    for child in root.elements() {
        match child.name() {
            "table" => table = table.or(Some(child)),
            "gameboards" => boards = boards.or(Some(child)),
            "player" => {
                (tabletop.piles, tabletop.counters) = owned(child);
                tabletop.summary = text(child, "summary");
                tabletop.player_variables = variables(child);
            }
            "globalvariables" => tabletop.variables = variables(child),
            "events" => {
                let events = child.elements().filter(|event| event.name() == "event");
                let event = |event| {
                    Some(EventDefinition {
                        name: text(event, "name")?,
                        action: text(event, "action")?,
                    })
                };
                tabletop.events = events.filter_map(event).collect();
            }
            "shared" => {
                (tabletop.shared_piles, tabletop.shared_counters) = owned(child);
                tabletop.shared_summary = text(child, "summary");
            }
            "phases" => tabletop.phases = named(child, "phase", "icon"),
            "documents" => tabletop.documents = named(child, "document", "src"),
            "sounds" => tabletop.sounds = named(child, "sound", "src"),
            "gameModes" | "gamemodes" => tabletop.modes = modes(child),
            "scripts" => {
                let scripts = child.elements().filter(|script| script.name() == "script");
                tabletop.scripts = scripts.filter_map(|script| text(script, "src")).collect();
            }
            "markers" => {
                let markers = child.elements().filter(|marker| marker.name() == "marker");
                tabletop.can_drag = markers
                    .filter_map(|marker| Some((text(marker, "id")?, flag(marker, "canDrag").unwrap_or(true))))
                    .collect();
            }
            _ => {}
        }
    }
    if let Some(table) = table {
        tabletop.width = number(table, "width").unwrap_or(0);
        tabletop.height = number(table, "height").unwrap_or(0);
        tabletop.visibility = text(table, "visibility");
        tabletop.background = text(table, "background");
        tabletop.background_style = text(table, "backgroundStyle");
        actions(table, &mut Vec::new(), &mut tabletop.actions);
    }
    match (boards, table) {
        (Some(boards), _) => {
            if let Some(board) = board(boards, Str::default()) {
                tabletop.boards.push(board);
                tabletop.has_default_board = true;
            }
            let children = boards.elements().filter(|child| child.name() == "gameboard");
            let children = children.filter_map(|child| board(child, text(child, "name").unwrap_or_default()));
            tabletop.boards.extend(children);
        }
        (None, Some(table)) => {
            if let Some(board) = board_of_table(table) {
                tabletop.boards.push(board);
                tabletop.has_default_board = true;
            }
        }
        (None, None) => {}
    }
    tabletop
}

/// Piles and counters of a `player` or of `shared`.
fn owned(element: XmlElement<'_>) -> (Vec<PileDefinition>, Vec<CounterDefinition>) {
    let (mut piles, mut counters) = (Vec::new(), Vec::new());
    for child in element.elements() {
        match child.name() {
            "group" | "hand" => {
                if let Some(name) = text(child, "name") {
                    piles.push(pile(child, name));
                }
            }
            "counter" => {
                if let Some(name) = text(child, "name") {
                    counters.push(CounterDefinition {
                        name,
                        default: number(child, "default").unwrap_or(0),
                        reset: flag(child, "reset").unwrap_or(true),
                        icon: text(child, "icon"),
                    });
                }
            }
            _ => {}
        }
    }
    (piles, counters)
}

fn pile(element: XmlElement<'_>, name: Str) -> PileDefinition {
    let mut pile = PileDefinition {
        name,
        legacy_hand: element.name() == "hand",
        visibility: text(element, "visibility"),
        ordered: flag(element, "ordered").unwrap_or(true),
        view_state: text(element, "viewState"),
        collapsed: flag(element, "collapsed"),
        protection: text(element, "protectionState"),
        shortcut: text(element, "shortcut"),
        shuffle: text(element, "shuffle"),
        move_to: flag(element, "moveto").unwrap_or(true),
        icon: text(element, "icon"),
        actions: Vec::new(),
    };
    actions(element, &mut Vec::new(), &mut pile.actions);
    pile
}

fn actions(element: XmlElement<'_>, submenus: &mut Vec<Str>, out: &mut Vec<ActionDefinition>) {
    for child in element.elements() {
        let (of_card, kind) = match child.name() {
            "cardaction" => (true, MenuEntryKind::Action),
            "groupaction" => (false, MenuEntryKind::Action),
            "cardactions" => (true, MenuEntryKind::Menu),
            "groupactions" => (false, MenuEntryKind::Menu),
            "cardseparator" => (true, MenuEntryKind::Separator),
            "groupseparator" => (false, MenuEntryKind::Separator),
            _ => continue,
        };
        let menu = text(child, "menu").unwrap_or_default();
        match kind {
            MenuEntryKind::Menu => {
                if submenus.len() < DEPTH {
                    submenus.push(menu);
                    actions(child, submenus, out);
                    submenus.pop();
                }
            }
            MenuEntryKind::Action | MenuEntryKind::Separator => {
                let batch = text(child, "batchExecute");
                out.push(ActionDefinition {
                    of_card,
                    submenus: submenus.clone(),
                    menu,
                    separator: matches!(kind, MenuEntryKind::Separator),
                    batch: batch.is_some(),
                    // F28: `batchExecute` wins.
                    execute: batch.or_else(|| text(child, "execute")).unwrap_or_default(),
                    show_if: text(child, "showIf").unwrap_or_default(),
                    get_name: text(child, "getName").unwrap_or_default(),
                    shortcut: text(child, "shortcut").filter(|key| !key.trim().is_empty()),
                    default: flag(child, "default").unwrap_or(false),
                });
            }
        }
    }
}

#[derive(Clone, Copy)]
enum MenuEntryKind {
    Action,
    Menu,
    Separator,
}

fn modes(element: XmlElement<'_>) -> Vec<ModeDefinition> {
    let modes = element
        .elements()
        .filter(|mode| mode.name().eq_ignore_ascii_case("gamemode"));
    modes
        .map(|mode| ModeDefinition {
            name: text(mode, "name").unwrap_or_default(),
            description: text(mode, "shortDescription").unwrap_or_default(),
            image: text(mode, "image").unwrap_or_default(),
            players: number(mode, "playerCount").unwrap_or(2),
            two_sided: flag(mode, "useTwoSidedTable"),
        })
        .collect()
}

/// A board is there only if all of it is readable (F5).
fn board(element: XmlElement<'_>, name: Str) -> Option<BoardDefinition> {
    Some(BoardDefinition {
        name,
        source: text(element, "src")?,
        x: number(element, "x")?,
        y: number(element, "y")?,
        width: number(element, "width")?,
        height: number(element, "height")?,
    })
}

/// F5: `board` of the table counts with four numbers in `boardPosition`.
fn board_of_table(table: XmlElement<'_>) -> Option<BoardDefinition> {
    let source = text(table, "board")?;
    let position = text(table, "boardPosition")?;
    let numbers: Option<Vec<i32>> = position.split(',').map(|part| part.trim().parse().ok()).collect();
    let [x, y, width, height] = numbers?.try_into().ok()?;
    Some(BoardDefinition {
        name: Str::default(),
        source,
        x,
        y,
        width,
        height,
    })
}

fn variables(element: XmlElement<'_>) -> Vec<(Str, Str)> {
    let children = element
        .elements()
        .filter(|child| child.name() == "globalvariable");
    children
        .filter_map(|found| Some((text(found, "name")?, text(found, "value").unwrap_or_default())))
        .collect()
}

fn named(element: XmlElement<'_>, child: &str, path: &str) -> Vec<NamedPath> {
    let children = element.elements().filter(|found| found.name() == child);
    children
        .filter_map(|found| {
            Some(NamedPath {
                name: text(found, "name")?,
                path: text(found, path).unwrap_or_default(),
            })
        })
        .collect()
}

fn text(element: XmlElement<'_>, name: &str) -> Option<Str> {
    optional(element, name).map(|found| found.value)
}

fn number<N: std::str::FromStr>(element: XmlElement<'_>, name: &str) -> Option<N> {
    text(element, name)?.trim().parse().ok()
}

fn flag(element: XmlElement<'_>, name: &str) -> Option<bool> {
    match text(element, name)?.trim().to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
