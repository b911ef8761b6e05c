//! What a definition says about the table (F1–F28).

use cw_octgn::{MemoryFiles, Package, Tabletop};

fn tabletop(inside: &str) -> Tabletop {
    let text = format!("<game name=\"Orchard\">{inside}</game>");
    let files = MemoryFiles::new().with("definition.xml", text);
    let package = Package::read(&files).expect("memory can be read");
    assert!(package.has_definition, "it is well-formed");
    package.definition.tabletop
}

/// F1: nothing is needed.
#[test]
fn an_empty_definition_has_defaults() {
    let empty = tabletop("");
    assert_eq!((empty.width, empty.piles.len(), empty.two_sided), (0, 0, true));
    assert_eq!(tabletop("<table width=\"wide\"/>").width, 0);
}

/// F5: the default board needs all of its numbers; `table@board` counts only without `gameboards`.
#[test]
fn boards_need_all_their_numbers() {
    let boards = tabletop(
        "<table board=\"t.png\" boardPosition=\"1,2,3,4\"/>
         <gameboards src=\"a.png\" x=\"-5\" y=\"-4\" width=\"10\">
           <gameboard name=\"night\" src=\"b.png\" x=\"-5\" y=\"-4\" width=\"10\" height=\"8\"/>
         </gameboards>",
    );
    assert!(!boards.has_default_board);
    assert_eq!(boards.boards.len(), 1);
    assert_eq!((&*boards.boards[0].name, boards.boards[0].x), ("night", -5));
    let old = tabletop("<table board=\"t.png\" boardPosition=\"-650,-370,1300,808\"/>");
    assert!(old.has_default_board);
    assert_eq!((old.boards[0].x, old.boards[0].height), (-650, 808));
    assert!(tabletop("<table board=\"t.png\"/>").boards.is_empty());
}

/// Piles and counters come in file order, with their settings (F7, F8, F11, F14–F18).
#[test]
fn piles_and_counters_come_in_file_order() {
    let found = tabletop(
        "<player summary=\"{#Luck}\">
           <counter name=\"Luck\" default=\"3\" reset=\"False\"/>
           <group name=\"Draw\" shortcut=\"ctrl+I\"/>
           <hand name=\"Basket\" visibility=\"me\" ordered=\"False\" collapsed=\"True\" moveto=\"False\"/>
         </player>",
    );
    let names: Vec<&str> = found.piles.iter().map(|pile| pile.name.as_str()).collect();
    assert_eq!(names, ["Draw", "Basket"]);
    let [draw, basket] = &found.piles[..] else {
        panic!("two piles")
    };
    assert!(draw.ordered && draw.move_to && !draw.legacy_hand && draw.visibility.is_none());
    assert!(!basket.ordered && basket.legacy_hand && !basket.move_to);
    assert_eq!(basket.collapsed, Some(true));
    assert_eq!((found.counters[0].default, found.counters[0].reset), (3, false));
    assert_eq!(found.summary.as_deref(), Some("{#Luck}"));
}

/// F27, F28: `batchExecute` wins; submenus nest; an empty shortcut is none.
#[test]
fn actions_keep_their_menus() {
    let found = tabletop(
        "<table><cardactions menu=\"Fruit\">\
         <cardaction menu=\"Pick\" execute=\"a\" batchExecute=\"b\" default=\"True\"/>\n\
         \x20          <cardseparator/></cardactions>\
                       <groupaction menu=\"Wait\" execute=\"c\" shortcut=\"\"/></table>",
    );
    let [pick, line, wait] = &found.actions[..] else {
        panic!("three entries: {found:?}")
    };
    assert_eq!((pick.path().as_str(), &*pick.execute), ("Fruit/Pick", "b"));
    assert!(pick.of_card && pick.batch && pick.default && line.separator);
    assert!(!wait.of_card && wait.shortcut.is_none());
}

/// Phases, game modes and markers are read (F20–F23).
#[test]
fn phases_modes_and_markers_are_read() {
    let found = tabletop(
        "<phases><phase name=\"Dawn\" icon=\"d.png\"/><phase name=\"Dusk\" icon=\"e.png\"/></phases>
         <gameModes><gameMode name=\"Trio\" playerCount=\"3\" useTwoSidedTable=\"False\"/></gameModes>
         <markers><marker id=\"m\" name=\"Worm\" src=\"w.png\" canDrag=\"False\"/></markers>",
    );
    assert_eq!(found.phases.len(), 2);
    assert_eq!(
        (found.modes[0].players, found.modes[0].two_sided),
        (3, Some(false))
    );
    assert!(!found.can_drag[0].1);
}
