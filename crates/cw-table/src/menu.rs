//! What a seat's menu shows of the entries that say so themselves (S201), found once for each position.

use std::sync::{Arc, Mutex, PoisonError};

use crate::act::VerbAct;
use crate::{Kit, TableCardId, TableSeat, TableState, TableVerb};

/// Whether an entry is shown, and under which name if it is not its own.
type MenuLook = (bool, Option<String>);

/// What the scripts have said of menu entries in one position. A table begins a new one with every step, and
/// so does each copy of a table, which goes on differently. A menu that was opened before a step keeps the
/// old one.
#[derive(Debug, Default)]
pub(crate) struct MenuMemory(Arc<Mutex<KnownLooks>>);

impl Clone for MenuMemory {
    fn clone(&self) -> MenuMemory {
        MenuMemory::default()
    }
}

/// What was found, in the order of asking: a menu is seldom opened with more than a few entries that are
/// asked about.
#[derive(Debug, Default)]
struct KnownLooks {
    looks: Vec<KnownLook>,
    /// How many the scripts were asked for.
    asked: u64,
}

#[derive(Debug)]
struct KnownLook {
    seat: TableSeat,
    run: TableVerb,
    look: MenuLook,
    /// The steps that it took.
    steps: u64,
}

impl KnownLooks {
    /// More than this are not kept: a menu for every place of the table could be asked for within one step.
    const MOST: usize = 500;

    fn find(&self, seat: TableSeat, run: &TableVerb) -> Option<(MenuLook, u64)> {
        let found = self.looks.iter().find(|one| one.seat == seat && one.run == *run);
        found.map(|one| (one.look.clone(), one.steps))
    }
}

impl MenuMemory {
    /// How many looks the scripts were asked for in this position.
    pub(crate) fn asked(&self) -> u64 {
        self.known(|known| known.asked)
    }

    fn known<T>(&self, does: impl FnOnce(&mut KnownLooks) -> T) -> T {
        does(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A seat's menu at one moment.
#[derive(Debug)]
pub struct TableMenu {
    kit: Arc<Kit>,
    state: TableState,
    seat: TableSeat,
    runs: Vec<TableVerb>,
    /// By entry, whether scripts are asked about it at all.
    is_asked: Vec<bool>,
    memory: MenuMemory,
}

impl TableMenu {
    /// What all the entries of a menu may take together (S201): twenty that use up their own share.
    const STEPS: u64 = 20 * cw_script::ScriptLimits::MENU.steps;

    /// The menu of a seat with these entries and whether scripts are asked about each.
    pub(crate) fn new(
        kit: &Arc<Kit>,
        state: &TableState,
        seat: TableSeat,
        runs: Vec<(TableVerb, bool)>,
        memory: &MenuMemory,
    ) -> TableMenu {
        let (runs, is_asked) = runs.into_iter().unzip();
        TableMenu {
            kit: Arc::clone(kit),
            state: state.clone(),
            seat,
            runs,
            is_asked,
            memory: MenuMemory(Arc::clone(&memory.0)),
        }
    }

    /// Of each entry whether it is shown, and under which name if it is not its own (S201). Those behind the
    /// one that has used up the menu's steps are shown as they are. What was found before in this position is
    /// not asked again; it takes as many of the menu's steps as it took then, so that the answer is always
    /// the same.
    pub fn looks(&self) -> Vec<(bool, Option<String>)> {
        let mut left = TableMenu::STEPS;
        let runs = self.runs.iter().zip(&self.is_asked);
        runs.map(|(run, is_asked)| match is_asked {
            true => self.look(run, &mut left),
            false => (true, None),
        })
        .collect()
    }

    fn look(&self, run: &TableVerb, left: &mut u64) -> MenuLook {
        let known = self.memory.known(|known| known.find(self.seat, run));
        // One that took more than is left now is asked again: it has to stop where the menu's steps end.
        if let Some((look, steps)) = known.filter(|(_, steps)| steps <= left) {
            *left -= steps;
            return look;
        }
        let before = *left;
        let look = self.found(run, left);
        let steps = before - *left;
        self.memory.known(|known| {
            known.asked += u64::from(before > 0);
            // One that had less than its own share might have said something else with all of it.
            let is_whole = before >= 2 * cw_script::ScriptLimits::MENU.steps;
            if is_whole && known.looks.len() < KnownLooks::MOST {
                known.looks.push(KnownLook {
                    seat: self.seat,
                    run: run.clone(),
                    look: look.clone(),
                    steps,
                });
            }
        });
        look
    }

    /// What the scripts say of an entry.
    fn found(&self, run: &TableVerb, left: &mut u64) -> MenuLook {
        let (
            Some(scripts),
            TableVerb::Run {
                entry,
                cards,
                pile,
                at,
                ..
            },
        ) = (&self.kit.scripts, run)
        else {
            return (true, None);
        };
        let chosen = cards.as_ref().map(|cards| {
            let act = VerbAct::new(&self.kit, self.state.clone(), self.seat);
            act.choose(cards).unwrap_or_default()
        });
        let chosen = chosen.unwrap_or_default();
        let cards: Vec<TableCardId> = chosen.into_iter().map(|chosen| chosen.id).collect();
        let on = crate::script::EntryPlace {
            entry: usize::from(*entry),
            cards: &cards,
            pile: *pile,
            at: *at,
        };
        crate::script::shown(&self.kit, scripts, &self.state, self.seat, &on, left)
    }
}
