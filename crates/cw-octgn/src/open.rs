use std::collections::BTreeSet;

use num_traits::{One, Signed, ToPrimitive};

use crate::package::count;
use crate::share::{BigRational, rational};
use crate::{Booster, BoosterItem, BoosterOptions, Guid, PackChance, Package, PickQuantity};

/// Opens a booster, again and again.
#[derive(Clone, Debug)]
pub struct Opener {
    picks: Vec<OpenPick>,
    items: Vec<OpenItem>,
    swaps: Vec<u32>,
}

#[derive(Clone, Debug)]
struct OpenPick {
    quantity: PickQuantity,
    /// The candidates; while a pack is opened the taken ones stand in front.
    candidates: Vec<u32>,
}

#[derive(Clone, Debug)]
enum OpenItem {
    Pick(u32),
    Options { group: u32, options: Vec<OpenOption> },
}

#[derive(Clone, Debug)]
struct OpenOption {
    /// The greatest 64-bit number that chooses it, unless an earlier option is chosen.
    until: Option<u64>,
    items: Vec<OpenItem>,
}

/// What came out of a booster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenedBooster {
    /// The cards, in the order of drawing.
    pub limited: Vec<DrawnCard>,
    /// Cards of which a deck may have any number (P86).
    pub unlimited: Vec<DrawnCard>,
    /// Picks that found too few cards: the pick and how many are missing (P87).
    pub short: Vec<(u32, u32)>,
    /// Groups of options of which none was chosen, counted in document order (P89).
    pub nothing: Vec<u32>,
}

/// A card that came out of a booster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnCard {
    /// Index into [`Booster::pool`].
    pub entry: u32,
    /// The pick that took it, counted in document order.
    pub pick: u32,
}

impl OpenedBooster {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.limited.clear();
        self.unlimited.clear();
        self.short.clear();
        self.nothing.clear();
    }
}

impl Opener {
    /// Prepares a booster.
    pub fn new(booster: &Booster) -> Opener {
        let mut opener = Opener {
            picks: Vec::new(),
            items: Vec::new(),
            swaps: Vec::new(),
        };
        let mut groups = 0;
        opener.items = opener.prepare(&booster.items, &mut groups);
        opener
    }

    fn prepare(&mut self, items: &[BoosterItem], groups: &mut u32) -> Vec<OpenItem> {
        items
            .iter()
            .map(|item| match item {
                BoosterItem::Pick(pick) => {
                    self.picks.push(OpenPick {
                        quantity: pick.quantity,
                        candidates: pick.candidates.to_vec(),
                    });
                    OpenItem::Pick(count(self.picks.len() - 1))
                }
                BoosterItem::Options(options) => {
                    let group = *groups;
                    *groups += 1;
                    let options = options
                        .options
                        .iter()
                        .zip(limits(options))
                        .map(|(option, until)| OpenOption {
                            until,
                            items: self.prepare(&option.items, groups),
                        })
                        .collect();
                    OpenItem::Options { group, options }
                }
            })
            .collect()
    }

    /// Opens one pack (P84–P90); `out` is emptied first.
    pub fn open(&mut self, chance: &mut PackChance, out: &mut OpenedBooster) {
        out.clear();
        open_items(&self.items, &mut self.picks, &mut self.swaps, chance, out);
    }

    /// As [`Opener::open`], but no card comes twice in a pack: our own option, not OCTGN's way (P195).
    pub fn open_unique(
        &mut self,
        package: &Package,
        booster: &Booster,
        chance: &mut PackChance,
        out: &mut OpenedBooster,
    ) {
        out.clear();
        let mut taken = BTreeSet::new();
        let id = |entry: u32| package.card(booster.pool[entry as usize].card).id.value;
        let mut unique = Unique {
            id: &id,
            taken: &mut taken,
        };
        open_unique_items(&self.items, &self.picks, &mut unique, chance, out);
    }
}

/// For each option the greatest of the 2^64 numbers that still lies at or below its running sum (P89).
fn limits(options: &BoosterOptions) -> Vec<Option<u64>> {
    let mut sum = BigRational::default();
    let all = BigRational::from_integer(u64::MAX.into());
    options
        .options
        .iter()
        .map(|option| {
            sum += rational(option.probability);
            if sum.is_negative() {
                None
            } else if sum >= BigRational::one() {
                Some(u64::MAX)
            } else {
                (&sum * &all).floor().to_integer().to_u64()
            }
        })
        .collect()
}

fn open_items(
    items: &[OpenItem],
    picks: &mut [OpenPick],
    swaps: &mut Vec<u32>,
    chance: &mut PackChance,
    out: &mut OpenedBooster,
) {
    for item in items {
        match item {
            OpenItem::Pick(pick) => take(*pick, &mut picks[*pick as usize], swaps, chance, out),
            OpenItem::Options { group, options } => {
                let drawn = chance.bits();
                let chosen = options
                    .iter()
                    .find(|option| option.until.is_some_and(|until| drawn <= until));
                match chosen {
                    Some(option) => open_items(&option.items, picks, swaps, chance, out),
                    None => out.nothing.push(*group),
                }
            }
        }
    }
}

/// Draws the cards of a pick from its candidates (P85–P87).
fn take(
    index: u32,
    pick: &mut OpenPick,
    swaps: &mut Vec<u32>,
    chance: &mut PackChance,
    out: &mut OpenedBooster,
) {
    let drawn = |entry: &u32| DrawnCard {
        entry: *entry,
        pick: index,
    };
    let wanted = match pick.quantity {
        PickQuantity::Unlimited => {
            out.unlimited.extend(pick.candidates.iter().map(drawn));
            return;
        }
        PickQuantity::Count(count) => count,
    };
    let candidates = &mut pick.candidates[..];
    let present = count(candidates.len());
    if present < wanted {
        out.short.push((index, wanted - present));
    }
    let taken = wanted.min(present);
    if taken as usize <= FEW {
        take_few(candidates, taken as usize, index, chance, &mut out.limited);
        return;
    }
    swaps.clear();
    for place in 0..taken {
        let other = place + chance.below(present - place);
        candidates.swap(place as usize, other as usize);
        swaps.push(other);
        out.limited.push(drawn(&candidates[place as usize]));
    }
    // Put back, so that a pack does not depend on those opened before.
    for (place, other) in swaps.iter().enumerate().rev() {
        candidates.swap(place, *other as usize);
    }
}

/// Of so few cards it is quicker to look back than to swap and to put back.
const FEW: usize = 12;

/// As swapping the candidate at each place with itself or a later one, without touching the candidates.
fn take_few(candidates: &[u32], taken: usize, pick: u32, chance: &mut PackChance, out: &mut Vec<DrawnCard>) {
    let mut others = [0; FEW];
    let others = &mut others[..taken];
    for place in 0..taken {
        let other = place + chance.below(count(candidates.len() - place)) as usize;
        // What lies there now: the last swap that put something there took it from its own place.
        let (mut position, mut before) = (other, place);
        while let Some(earlier) = others[..before].iter().rposition(|swapped| *swapped == position) {
            (position, before) = (earlier, earlier);
        }
        others[place] = other;
        out.push(DrawnCard {
            entry: candidates[position],
            pick,
        });
    }
}

struct Unique<'a> {
    id: &'a dyn Fn(u32) -> Guid,
    taken: &'a mut BTreeSet<Guid>,
}

fn open_unique_items(
    items: &[OpenItem],
    picks: &[OpenPick],
    unique: &mut Unique<'_>,
    chance: &mut PackChance,
    out: &mut OpenedBooster,
) {
    for item in items {
        match item {
            OpenItem::Pick(index) => {
                let pick = &picks[*index as usize];
                let drawn = |entry: u32| DrawnCard { entry, pick: *index };
                let PickQuantity::Count(wanted) = pick.quantity else {
                    out.unlimited.extend(pick.candidates.iter().copied().map(drawn));
                    continue;
                };
                let free = |entry: &u32| !unique.taken.contains(&(unique.id)(*entry));
                let mut left: Vec<u32> = pick.candidates.iter().copied().filter(free).collect();
                for missing in (1..=wanted).rev() {
                    if left.is_empty() {
                        out.short.push((*index, missing));
                        break;
                    }
                    let entry = left.swap_remove(chance.below(count(left.len())) as usize);
                    let id = (unique.id)(entry);
                    unique.taken.insert(id);
                    left.retain(|other| (unique.id)(*other) != id);
                    out.limited.push(drawn(entry));
                }
            }
            OpenItem::Options { group, options } => {
                let drawn = chance.bits();
                let chosen = options
                    .iter()
                    .find(|option| option.until.is_some_and(|until| drawn <= until));
                match chosen {
                    Some(option) => open_unique_items(&option.items, picks, unique, chance, out),
                    None => out.nothing.push(*group),
                }
            }
        }
    }
}
