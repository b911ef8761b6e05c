//! A table in the middle of a game, as a test describes it.

use std::sync::Arc;

use cw_chance::Seed;

use crate::script::Variables;
use crate::{
    CardGroup, CardSide, FreeTable, Kit, PileId, Quarter, TableCard, TableModel, TableSeat, TableSettings,
    TableState, VerbRefusal,
};

/// What lies where. Whoever sees it there has seen it, and nobody remembers anything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablePosition {
    /// Cards of a pile, the top one first: of a seat or of nobody, by the pile's place among its kind.
    pub piles: Vec<(Option<TableSeat>, usize, Vec<TableModel>)>,
    /// Cards on the table, the lowest first.
    pub table: Vec<PlacedCard>,
    /// Counters of a seat or of nobody, by the counter's place.
    pub counters: Vec<(Option<TableSeat>, usize, i32)>,
    /// Variables of scripts: of a seat or of the table.
    pub variables: Vec<(Option<TableSeat>, String, String)>,
    /// Whose turn it is.
    pub active: Option<TableSeat>,
    /// The number of the turn.
    pub turn: u32,
    /// The phase, counted from 1; 0 is none.
    pub phase: u8,
    /// Chance comes from this and not from the seed; of what scripts draw, too.
    pub chance: Option<cw_chance::Chance>,
    /// Scripts are told of the table's opening and the game's beginning with the first step (S216).
    pub begins: bool,
}

/// A card that lies on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedCard {
    /// What it is.
    pub model: TableModel,
    /// Whose it is, and who may act on it.
    pub owner: TableSeat,
    /// Where.
    pub at: (i32, i32),
    /// Which side is up.
    pub face: CardSide,
    /// How it is turned.
    pub quarter: Quarter,
    /// Its markers with their number.
    pub markers: Vec<(u16, u16)>,
}

/// Variables of scripts, sorted by name.
pub type NamedTexts = Vec<(String, String)>;

impl FreeTable {
    /// A table that begins like this.
    ///
    /// # Errors
    /// If no table can be so: too many cards, a number that is none of the package's.
    pub fn with_position(
        kit: &Arc<Kit>,
        settings: TableSettings,
        seed: Seed,
        position: &TablePosition,
    ) -> Result<FreeTable, VerbRefusal> {
        let mut table = FreeTable::new(Arc::clone(kit), settings, seed);
        let mut state = table.state().clone();
        state.lay(kit, position)?;
        state.refresh_handles(kit);
        state.look_around(kit);
        match state.broken(kit) {
            Some(broken) => Err(VerbRefusal::Broken(broken)),
            None => {
                table.begin_with(state);
                Ok(table)
            }
        }
    }

    /// What the package's scripts keep in variables: those of the table, those of each seat (S117, S119).
    pub fn variables(&self) -> (NamedTexts, Vec<NamedTexts>) {
        let plain = |all: &Variables| {
            let pairs = all.iter();
            pairs
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect()
        };
        let scripts = &self.state().scripts;
        (plain(&scripts.globals), scripts.own.iter().map(plain).collect())
    }
}

fn write(variables: &mut Variables, name: &str, value: &str) {
    match variables.binary_search_by(|(own, _)| (**own).cmp(name)) {
        Ok(at) => variables[at].1 = Arc::from(value),
        Err(at) => variables.insert(at, (Arc::from(name), Arc::from(value))),
    }
}

impl TableState {
    fn lay(&mut self, kit: &Kit, position: &TablePosition) -> Result<(), VerbRefusal> {
        let all: usize = position.piles.iter().map(|(.., cards)| cards.len()).sum();
        if all + position.table.len() > kit.limits.cards {
            return Err(VerbRefusal::Limit("cards"));
        }
        for (owner, kind, cards) in &position.piles {
            let pile = match owner {
                Some(seat) if seat.index() >= self.seats.len() => return Err(VerbRefusal::NoSuchSeat),
                Some(seat) => self.pile_of(kit, *seat, *kind),
                None => PileId::at(*kind),
            };
            if self
                .piles
                .get(pile.index())
                .is_none_or(|found| found.owner != *owner)
            {
                return Err(VerbRefusal::NoSuchPile);
            }
            for model in cards {
                let card = TableCard::new(model.clone(), *owner, CardGroup::Pile(pile));
                self.add(card);
            }
        }
        for placed in &position.table {
            let mut card = TableCard::new(placed.model.clone(), Some(placed.owner), CardGroup::Table);
            (card.x, card.y) = placed.at;
            card.face = placed.face;
            card.quarter = placed.quarter;
            card.markers.clone_from(&placed.markers);
            self.add(card);
        }
        for (owner, counter, value) in &position.counters {
            let counters = match owner {
                Some(seat) => &mut self.seat_mut(*seat).counters,
                None => &mut self.shared_counters,
            };
            if let Some(own) = counters.get_mut(*counter) {
                *own = *value;
            }
        }
        for (owner, name, value) in &position.variables {
            let variables = match owner {
                Some(seat) => self.scripts.own.get_mut(seat.index()),
                None => Some(&mut self.scripts.globals),
            };
            if let Some(variables) = variables {
                write(variables, name, value);
            }
        }
        (self.active, self.turn, self.phase) = (position.active, position.turn, position.phase);
        self.scripts.begun = !position.begins;
        if let Some(chance) = position.chance {
            self.chance = chance;
        }
        Ok(())
    }
}
