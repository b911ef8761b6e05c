//! A small package of our own, people at a table, and verbs by chance.
#![expect(dead_code, reason = "every test file uses another part")]

use std::sync::Arc;

use cw_chance::Seed;
use cw_octgn::{MemoryFiles, Package};
use cw_table::{
    CardGroup, DeckList, FreeTable, Kit, Looker, PileId, TableCardId, TableEvent, TableSeat, TableSettings,
    TableVerb, TableView, VerbRefusal,
};

pub mod random;
pub mod scripted;

pub const ANN: TableSeat = TableSeat(0);
pub const BEN: TableSeat = TableSeat(1);

pub const DEFINITION: &str = "\
    <game name=\"Orchard\" id=\"7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f\" \
        version=\"1.0.0.0\" markersize=\"20\">\n\
    \x20 <card width=\"63\" height=\"88\" back=\"back.png\">\n\
    \x20   <property name=\"Kind\" type=\"String\"/>\n\
    \x20   <property name=\"Sweet\" type=\"Integer\"/>\n\
    \x20   <size name=\"wide\" width=\"88\" height=\"63\" back=\"back.png\"/>\n\
    \x20 </card>\n\
    \x20 <markers>\n\
    \x20   <marker id=\"worm\" name=\"Worm\" src=\"w.png\"/>\n\
    \x20   <marker id=\"stone\" name=\"Stone\" src=\"s.png\" canDrag=\"False\"/>\n\
    \x20 </markers>\n\
    \x20 <phases>\n\
    \x20   <phase name=\"Dawn\" icon=\"\"/>\
           <phase name=\"Morning\" icon=\"\"/>\
           <phase name=\"Noon\" icon=\"\"/>\n\
    \x20   <phase name=\"Evening\" icon=\"\"/><phase name=\"Night\" icon=\"\"/>\n\
    \x20 </phases>\n\
    \x20 <gameboards src=\"b.png\" x=\"-100\" y=\"-50\" width=\"200\" height=\"100\">\n\
    \x20   <gameboard name=\"winter\" src=\"c.png\" x=\"-100\" y=\"-50\" width=\"200\" height=\"100\"/>\n\
    \x20 </gameboards>\n\
    \x20 <table name=\"Table\" visibility=\"undefined\" width=\"1000\" height=\"800\">\n\
    \x20   <cardaction menu=\"Fruit/Pick\" execute=\"pick\"/>\n\
    \x20   <cardaction menu=\"Worm\" execute=\"worm\" shortcut=\"ctrl+W\" default=\"True\"/>\n\
    \x20   <cardaction menu=\"Wormy\" execute=\"wormy\" shortcut=\"Ctrl+W\"/>\n\
    \x20   <cardaction menu=\"Maybe a worm\" execute=\"maybe\"/>\n\
    \x20   <groupaction menu=\"No rain.\" execute=\"calm\"/>\n\
    \x20   <groupaction menu=\"Draw the storm\" execute=\"storm\"/>\n\
    \x20 </table>\n\
    \x20 <sounds><sound name=\"bell\" src=\"bell.wav\"/></sounds>\n\
    \x20 <player summary=\"Luck {#Luck} of {#Basket} and {#Nothing}\">\n\
    \x20   <counter name=\"Luck\" default=\"3\"/>\n\
    \x20   <counter name=\"Harvest\" default=\"0\" reset=\"False\"/>\n\
    \x20   <group name=\"Hand\" visibility=\"me\"/>\n\
    \x20   <group name=\"Deck\" visibility=\"none\">\
               <groupaction menu=\"Draw\" execute=\"drawOne\" default=\"True\"/>\
           </group>\n\
    \x20   <group name=\"Basket\" visibility=\"all\" shortcut=\"Del\"/>\n\
    \x20   <group name=\"Shed\" visibility=\"me\"/>\n\
    \x20   <group name=\"Row\" visibility=\"undefined\"/>\n\
    \x20 </player>\n\
    \x20 <shared>\
             <counter name=\"Rain\" default=\"0\"/>\
             <group name=\"Market\" visibility=\"none\"/>\
             <group name=\"Stall\" visibility=\"all\" ordered=\"False\"/>\
         </shared>\n\
    \x20 <deck>\
             <section name=\"Main\" group=\"Deck\"/>\
             <section name=\"Start\" group=\"Hand\"/>\
             <section name=\"Sideboard\" group=\"Shed\"/>\
         </deck>\n\
    \x20 <sharedDeck><section name=\"Common\" group=\"Market\"/></sharedDeck>\n\
    </game>";

const SCRIPT: &str = "def pick(card):\n    card.moveTo(me.piles['Basket'])\n\
    def worm(card):\n    card.markers[(\"Worm\", \"worm\")] += 1\n\
    def maybe(card):\n    if confirm(\"?\"):\n        card.markers[(\"Worm\", \"worm\")] += 1\n\
    def calm(group): notify('no rain')\n\
    def storm(group):\n    remoteCall(players[1], 'f', [])\n\
    def drawOne(group):\n    group[0].moveTo(me.hand)\n";

/// Fruit by name: every one has its kind and how sweet it is; every fourth has another form, every fifth is
/// wide.
pub const FRUIT: [&str; 12] = [
    "Apple", "Pear", "Plum", "Quince", "Cherry", "Medlar", "Fig", "Grape", "Sloe", "Mulberry", "Apricot",
    "Peach",
];

fn set() -> String {
    let mut cards = String::new();
    for (n, name) in FRUIT.iter().enumerate() {
        let size = if n % 5 == 4 { " size=\"wide\"" } else { "" };
        let kind = if n % 3 == 0 { "Pome" } else { "Stone" };
        let other = if n % 4 == 0 {
            format!(
                "<alternate name=\"Rotten {name}\" type=\"rotten\">\
                     <property name=\"Sweet\" value=\"0\"/>\
                 </alternate>"
            )
        } else {
            String::new()
        };
        cards.push_str(&format!(
            "<card id=\"00000000-0000-0000-0001-{n:012}\" name=\"{name}\"{size}>\
             <property name=\"Kind\" value=\"{kind}\"/><property name=\"Sweet\" value=\"{n}\"/>{other}</card>"
        ));
    }
    format!(
        "<set name=\"First\" id=\"00000000-0000-0000-0002-000000000001\" \
             gameId=\"7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f\" gameVersion=\"1.0.0.0\" version=\"1.0.0.0\">\
             <packaging><pack id=\"00000000-0000-0000-0003-000000000001\" name=\"Bag\">\
                 <pick qty=\"5\" key=\"Kind\" value=\"Stone\"/>\
                 <pick qty=\"unlimited\" key=\"Kind\" value=\"Pome\"/>\
             </pack></packaging>\
             <cards>{cards}</cards>\
         </set>"
    )
}

pub fn package_of(definition: &str) -> Arc<Package> {
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/00000000-0000-0000-0002-000000000001/set.xml", set());
    Arc::new(Package::read(&files).expect("memory can be read"))
}

pub fn kit() -> Arc<Kit> {
    Arc::new(Kit::of(package_of(DEFINITION)).with_scripts(&[SCRIPT.to_owned()]))
}

/// People at a table, who speak in lines.
pub struct People {
    pub table: FreeTable,
    /// Everything that was said, as events, newest last.
    pub told: Vec<TableEvent>,
}

impl People {
    pub fn of(kit: Arc<Kit>, settings: TableSettings, seed: u64) -> People {
        People {
            table: FreeTable::new(kit, settings, Seed::from(seed)),
            told: Vec::new(),
        }
    }

    /// Ann and Ben with nothing.
    pub fn new() -> People {
        People::of(kit(), TableSettings::for_people(&["Ann", "Ben"]), 7)
    }

    pub fn with(change: impl FnOnce(&mut TableSettings)) -> People {
        let mut settings = TableSettings::for_people(&["Ann", "Ben"]);
        change(&mut settings);
        People::of(kit(), settings, 7)
    }

    /// Ann and Ben with a deck each: twelve fruit, unshuffled, the Apple on top.
    pub fn with_decks() -> People {
        let mut people = People::with(|settings| settings.shuffle_after_loading = false);
        for seat in [ANN, BEN] {
            people.load(seat, 1);
        }
        people
    }

    /// Loads so many of each fruit.
    pub fn load(&mut self, seat: TableSeat, each: u32) {
        self.act(
            seat,
            TableVerb::Load {
                deck: Arc::new(self.deck(each)),
            },
        )
        .expect("it fits");
    }

    pub fn deck(&self, each: u32) -> DeckList {
        let cards = FRUIT
            .iter()
            .map(|name| (self.table.kit().by_name(name).expect("it is there"), each));
        let part = cw_table::DeckPart {
            section: "Main".into(),
            shared: false,
            pile: Some(1),
            cards: cards.collect(),
        };
        DeckList {
            name: "Fruit".into(),
            parts: vec![part],
            sleeve: None,
        }
    }

    pub fn act(&mut self, seat: TableSeat, verb: TableVerb) -> Result<Vec<TableEvent>, VerbRefusal> {
        let events = self.table.act(seat, verb)?;
        self.told.extend(events.clone());
        Ok(events)
    }

    /// Does a line that is possible.
    #[track_caller]
    pub fn does(&mut self, seat: TableSeat, line: &str) -> Vec<TableEvent> {
        match self.tries(seat, line) {
            Ok(events) => events,
            Err(refusal) => panic!("“{line}” of seat {seat}: {refusal}"),
        }
    }

    pub fn tries(&mut self, seat: TableSeat, line: &str) -> Result<Vec<TableEvent>, VerbRefusal> {
        let verb = self.table.parse(seat, line)?;
        self.act(seat, verb)
    }

    /// Does a line that is refused; nothing has changed then.
    #[track_caller]
    pub fn fails(&mut self, seat: TableSeat, line: &str) -> VerbRefusal {
        let before = (self.table.hash(), self.table.len());
        let refusal = self.tries(seat, line).expect_err("it is refused");
        assert_eq!((self.table.hash(), self.table.len()), before, "{line}");
        refusal
    }

    /// What a looker reads of the last line that was done.
    pub fn read(&self, events: &[TableEvent], looker: impl Into<Looker>) -> String {
        let looker = looker.into();
        let lines: Vec<String> = events
            .iter()
            .filter_map(|event| event.read_by(looker))
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("\n")
    }

    pub fn pile(&self, seat: TableSeat, name: &str) -> PileId {
        let kit = self.table.kit();
        let kind = kit
            .piles
            .iter()
            .position(|pile| pile.name == name)
            .expect("the pile is there");
        self.table.state().pile_of(kit, seat, kind)
    }

    /// Names of the cards of a pile, the top one first, whoever may know them.
    pub fn truth(&self, seat: TableSeat, pile: &str) -> Vec<String> {
        let group = CardGroup::Pile(self.pile(seat, pile));
        self.names(self.table.state().of_group(group))
    }

    pub fn names(&self, ids: &[TableCardId]) -> Vec<String> {
        let state = self.table.state();
        let name = |id: &TableCardId| {
            self.table
                .kit()
                .name(&state.card(*id).model, state.card(*id).form)
                .to_owned()
        };
        ids.iter().map(name).collect()
    }

    /// A seat's handle for the first card of this name in a group, as the seat sees it.
    #[track_caller]
    pub fn handle(&self, seat: TableSeat, name: &str) -> u32 {
        let view = self.table.view(seat);
        let found = view
            .cards()
            .find(|(_, card)| card.face.as_ref().is_some_and(|face| face.name == name));
        found
            .unwrap_or_else(|| panic!("{name} is not to be seen by seat {seat}"))
            .1
            .handle
    }

    /// What a looker knows of a pile: places and names.
    pub fn known(
        &self,
        looker: impl Into<Looker>,
        seat: TableSeat,
        pile: &str,
    ) -> Vec<(Option<u32>, Option<String>)> {
        let view: TableView = self.table.view(looker);
        let found = view
            .pile(self.pile(seat, pile))
            .expect("the pile is in every view");
        let card =
            |card: &cw_table::PileCard| (card.place, card.card.face.as_ref().map(|face| face.name.clone()));
        found.cards.iter().map(card).collect()
    }

    /// Every name that a view holds.
    pub fn names_in(&self, looker: impl Into<Looker>) -> Vec<String> {
        let view = self.table.view(looker);
        let mut names: Vec<String> = view
            .cards()
            .filter_map(|(_, card)| card.face.as_ref().map(|face| face.name.clone()))
            .collect();
        names.sort();
        names
    }

    /// The card that lies highest on the table, in a seat's words.
    pub fn highest(&self, seat: TableSeat) -> u32 {
        self.table
            .view(seat)
            .table
            .last()
            .expect("a card lies there")
            .handle
    }
}
