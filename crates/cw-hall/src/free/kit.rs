//! What the page is told once: the package's piles, markers, phases, menus, boards and decks.

use cw_octgn::Str;
use cw_table::{COMMANDS, EntryMark, OF_HOST, PileKind, VERBS};
use serde_json::{Value, json};

use super::FreeSetting;

/// The package for the page. Nothing of a game in progress is in it.
pub(crate) fn json(setting: &FreeSetting, backs: &[String]) -> Value {
    let kit = &setting.kit;
    let top = &kit.package.definition.tabletop;
    // OCTGN runs where names of files have no case.
    let is_there = |path: &Str| {
        let path = path.replace('\\', "/");
        kit.package
            .files
            .iter()
            .any(|file| file.eq_ignore_ascii_case(&path))
    };
    let card = kit.default_measures();
    let drawn = &setting.catalogue.markers;
    let plain = kit.markers.len().saturating_sub(cw_faces::BUILT_IN.len());
    let markers = kit.markers.iter().enumerate().map(|(at, marker)| {
        let own = drawn.iter().find(|own| own.name == marker.name);
        let picture = at >= plain || own.is_some_and(|own| own.built_in.is_some() || own.picture.is_some());
        json!({ "name": marker.name, "drag": marker.can_drag, "picture": picture })
    });
    let phases = top
        .phases
        .iter()
        .take(usize::from(kit.phases()))
        .map(|phase| phase.name.as_str());
    let boards = top.boards.iter().map(|board| {
        json!({
            "name": board.name.as_str(),
            "box": [board.x, board.y, board.width, board.height],
            "picture": is_there(&board.source)
        })
    });
    let actions = kit.actions.iter().enumerate().map(|(number, action)| {
        let definition = &action.definition;
        let mapped = kit.mapping.rule(&definition.path(), definition.of_card).is_some();
        json!({
            "n": number, "pile": action.pile, "card": definition.of_card,
            "menu": definition.submenus.iter().map(Str::as_str).chain([definition.menu.as_str()])
                .collect::<Vec<_>>(),
            "asks": !definition.show_if.is_empty() || !definition.get_name.is_empty(),
            "line": definition.separator, "key": action.key, "default": definition.default,
            "mark": match action.mark {
                _ if mapped => "mapped",
                _ if kit.runs(number) => "runs",
                EntryMark::Exact => "exact",
                EntryMark::Likely => "likely",
                EntryMark::Says => "says",
                EntryMark::Script => "script",
            },
        })
    });
    let hears = |event: &str| kit.scripts.as_ref().is_some_and(|scripts| scripts.hears(event));
    let packs = kit.package.sets.iter().enumerate().flat_map(|(at, set)| {
        let pack = move |(number, pack): (usize, &cw_octgn::PackDefinition)| {
            json!([
                format!("{at}.{number}"),
                format!("{}: {}", set.name.value, pack.name.as_str())
            ])
        };
        set.packs.iter().enumerate().map(pack)
    });
    json!({
        "name": kit.package.definition.name.as_str(),
        "table": [kit.table.0, kit.table.1],
        "card": [card.width, card.height, card.corner],
        "piles": kit.piles.iter().map(pile).collect::<Vec<_>>(),
        "sharedPiles": kit.shared_piles.iter().map(pile).collect::<Vec<_>>(),
        "clicks": hears("OnCardClicked") || hears("OnCardClick"),
        "doubles": hears("OnCardDoubleClicked") || hears("OnCardDoubleClick"),
        "hand": kit.hand, "deck": kit.deck,
        "markers": markers.collect::<Vec<_>>(),
        "phases": phases.collect::<Vec<_>>(),
        "boards": boards.collect::<Vec<_>>(),
        "background": top.background.as_ref().is_some_and(is_there),
        "style": top.background_style.as_deref().unwrap_or("uniform"),
        "backs": backs.len(),
        "documents": top.documents.iter().map(|document| json!({
            "name": document.name.as_str(), "opens": is_there(&document.path) && may_open(&document.path),
        })).collect::<Vec<_>>(),
        "sounds": top.sounds.iter().map(|sound| sound.name.as_str()).collect::<Vec<_>>(),
        "packs": packs.collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
        "decks": setting.decks.iter().map(|deck| deck.name.as_str()).collect::<Vec<_>>(),
        "commands": COMMANDS.iter()
            .map(|(word, rest, _)| format!("/{word} {rest}").trim().to_owned()).collect::<Vec<_>>(),
        "verbs": VERBS.iter().filter(|(.., what)| !what.starts_with(OF_HOST))
            .map(|(word, rest, what)| json!([format!("{word} {rest}").trim(), what])).collect::<Vec<_>>(),
    })
}

fn ends_in(path: &str, kinds: &[&str]) -> bool {
    let extension = path
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| kinds.contains(&extension.as_str()))
}

/// A document that is plain text by its name.
pub fn is_text(path: &str) -> bool {
    ends_in(path, &["txt", "md"])
}

/// Documents that are served (F24).
fn may_open(path: &str) -> bool {
    is_text(path) || ends_in(path, &["pdf", "png", "jpg", "jpeg", "gif", "webp"])
}

fn pile(kind: &PileKind) -> Value {
    json!({
        "name": kind.name, "ordered": kind.ordered, "moveto": kind.definition.move_to,
        "key": kind.definition.shortcut.as_deref(), "shuffle": kind.definition.shuffle.as_deref(),
        "hidden": matches!(kind.visibility, cw_table::Visibility::None),
        "open": matches!(kind.visibility, cw_table::Visibility::All),
        "collapsed": kind.definition.collapsed,
    })
}
