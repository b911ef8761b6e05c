//! Decks that somebody builds: how they are kept, judged, and what may be put into them.

use std::collections::{BTreeMap, BTreeSet};

use cw_load::{DeckRules, Project};
use cw_octgn::{
    Booster, CardRef, Deck, DeckSection, Guid, IncludeRef, LocatedValue, OpenedBooster, Opener, PackChance,
    Package, Pool, PoolCard, Ratings, Str, counted, deck_of, sealed, to_f64,
};
use serde::{Deserialize, Serialize};

/// A deck as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDeck {
    /// What it is called.
    pub name: String,
    /// Its lines; see [`lines_of`].
    pub cards: String,
    /// The packs that its cards come from, in a sealed game.
    #[serde(default)]
    pub sealed: Option<SealedGame>,
    /// The draft and the seat that its cards come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<(String, usize)>,
    /// Counts what was kept, so that the newest deck comes first.
    #[serde(default)]
    pub order: u64,
}

/// A sealed game: every player opens the same packs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedGame {
    /// Ids of packs, with how many of each.
    pub packs: Vec<(String, u32)>,
    /// All pools follow from it.
    pub seed: u64,
}

/// A line of a deck that is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftLine {
    /// The section's place in the definition.
    pub section: usize,
    /// The card; in a sealed game the copies that a pack has changed are apart.
    pub card: PoolCard,
    /// How many.
    pub count: u32,
}

/// No line of a deck has more.
pub const MOST_OF_LINE: u32 = 1000;
/// No deck that is built has more lines.
const MOST_LINES: usize = 2000;
/// Packs of a sealed game.
pub const MOST_PACKS: u32 = 60;
/// The length of a name, in letters.
const MOST_NAME: usize = 80;

/// How a card is named in a line: its id, and behind `~` the pack and the include that change it.
pub fn key_of(package: &Package, card: PoolCard) -> String {
    let id = package.card(card.card).id.value;
    let pack = card.include.and_then(|include| {
        let pack = package
            .sets
            .get(include.set as usize)?
            .packs
            .get(include.pack as usize)?;
        Some(format!("~{}~{}", pack.id.value, include.include))
    });
    format!("{id}{}", pack.unwrap_or_default())
}

/// The card that a key names.
pub fn card_of(package: &Package, key: &str) -> Option<PoolCard> {
    let mut parts = key.split('~');
    let card = package.card_by_id(parts.next()?.parse().ok()?)?;
    let Some(pack) = parts.next() else {
        return Some(PoolCard::plain(card));
    };
    let wanted: Guid = pack.parse().ok()?;
    let include: u32 = parts.next()?.parse().ok()?;
    let found = (0u32..).zip(&package.sets).find_map(|(set, found)| {
        let mut packs = (0u32..).zip(&found.packs);
        let pack = packs.find(|(_, pack)| pack.id.value == wanted)?;
        Some((set, pack.0))
    });
    let (set, pack) = found?;
    let included = PoolCard {
        card,
        include: Some(IncludeRef { set, pack, include }),
    };
    included.changes(package).map(|_| included)
}

/// What a pack has made of a copy of a card (P82), property by property.
pub fn changes_in_words(package: &Package, card: PoolCard) -> Vec<String> {
    let properties = card
        .changes(package)
        .into_iter()
        .flat_map(|include| &include.properties);
    properties
        .map(|one| match one.value.plain() {
            Some(value) => format!("{} {value}", *one.name),
            None => format!("no {}", *one.name),
        })
        .collect()
}

/// Reads lines of a deck: section, count and key of a card, with blanks between them. Lines that name no card
/// of the package are left out; how many there were.
pub fn lines_of(package: &Package, text: &str) -> (Vec<DraftLine>, usize) {
    let (mut lines, mut left_out): (Vec<DraftLine>, usize) = (Vec::new(), 0);
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(MOST_LINES)
    {
        let mut words = line.split_whitespace();
        let read = || -> Option<DraftLine> {
            let section = words.next()?.parse().ok()?;
            package.definition.sections.get(section)?;
            let count: u32 = words.next()?.parse().ok()?;
            Some(DraftLine {
                section,
                count: count.min(MOST_OF_LINE),
                card: card_of(package, words.next()?)?,
            })
        }();
        match read {
            Some(line) if line.count > 0 => lines.push(line),
            Some(_) => {}
            None => left_out += 1,
        }
    }
    (lines, left_out)
}

/// Lines as [`lines_of`] reads them.
pub fn text_of(package: &Package, lines: &[DraftLine]) -> String {
    let lines = lines
        .iter()
        .map(|line| format!("{} {} {}\n", line.section, line.count, key_of(package, line.card)));
    lines.collect()
}

/// The section that cards go to unless somebody says another one: the first that is not shared.
pub fn main_section(package: &Package) -> usize {
    let mut sections = package.definition.sections.iter();
    sections.position(|section| !section.shared).unwrap_or(0)
}

/// The lines of a deck. Of a pool's copies those that no pack has changed are taken first.
pub fn lines_of_deck(package: &Package, deck: &Deck, pool: Option<&Pool>) -> Vec<DraftLine> {
    let mut left: BTreeMap<PoolCard, u32> = BTreeMap::new();
    for card in pool.into_iter().flat_map(|pool| &pool.cards) {
        *left.entry(*card).or_default() += 1;
    }
    let mut lines = Vec::new();
    for section in package.resolve(deck).sections {
        let sections = &package.definition.sections;
        let own = sections.iter().position(|own| *own.name == *section.name);
        let place = own.unwrap_or_else(|| main_section(package));
        for line in section.lines {
            let mut wanted = line.quantity.min(MOST_OF_LINE);
            let copies = left.iter_mut().filter(|(card, _)| card.card == line.card);
            for (card, there) in copies {
                let taken = wanted.min(*there);
                *there -= taken;
                wanted -= taken;
                if taken > 0 {
                    lines.push(DraftLine {
                        section: place,
                        card: *card,
                        count: taken,
                    });
                }
            }
            if wanted > 0 {
                let card = PoolCard::plain(line.card);
                lines.push(DraftLine {
                    section: place,
                    card,
                    count: wanted,
                });
            }
        }
    }
    lines
}

/// The deck that lines make, as it is written and judged: copies of one card are one line.
pub fn deck_of_lines(package: &Package, name: &str, lines: &[DraftLine]) -> Deck {
    let mut deck = deck_of(package, name, &[]);
    let sections = package.definition.sections.iter().enumerate();
    deck.sections = sections
        .filter_map(|(at, section)| {
            let mut cards: Vec<(CardRef, u32)> = Vec::new();
            for line in lines.iter().filter(|line| line.section == at) {
                match cards.iter_mut().find(|(card, _)| *card == line.card.card) {
                    Some((_, count)) => *count = count.saturating_add(line.count),
                    None => cards.push((line.card.card, line.count)),
                }
            }
            if cards.is_empty() {
                return None;
            }
            let mut made: DeckSection = deck_of(package, "", &cards).sections.pop()?;
            made.name = LocatedValue::from(Str::from(section.name.as_str()));
            made.shared = section.shared;
            Some(made)
        })
        .collect();
    deck
}

/// A name without what no line of a page can show, and not longer than one.
pub fn clean_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .filter(|letter| !letter.is_control())
        .take(MOST_NAME)
        .collect();
    match plain.trim() {
        "" => "My deck".to_owned(),
        name => name.to_owned(),
    }
}

/// The rules of a deck: those of limited play for one that is made of a pool, and nothing but its cards. None
/// where only people know them (D72).
pub fn rules_of(project: &Project, pool: Option<&Pool>) -> Option<DeckRules> {
    let rules = project.deck_rules()?;
    Some(match pool {
        None => rules,
        Some(pool) => limited(project, rules, pool).of_pool(pool),
    })
}

fn limited(project: &Project, rules: DeckRules, pool: &Pool) -> DeckRules {
    rules.limited(project, |rules| pool.playable(&|card| rules.copies_of(card)))
}

impl SealedGame {
    /// The packs, ready to be opened; those that the package does not have any more are left out.
    pub fn boosters(&self, package: &Package) -> Vec<Booster> {
        let mut boosters = Vec::new();
        for (id, count) in &self.packs {
            let Some((set, pack)) = find_pack(package, id) else {
                continue;
            };
            let booster = Booster::new(package, set, pack);
            boosters.extend(std::iter::repeat_n(booster, (*count).min(MOST_PACKS) as usize));
        }
        boosters.truncate(MOST_PACKS as usize);
        boosters
    }

    /// The pools of both players.
    pub fn pools(&self, package: &Package) -> Vec<Pool> {
        sealed(&self.boosters(package), 2, self.seed)
    }

    /// What lies in each pack of a player, as [`cw_octgn::sealed`] opens them.
    pub fn opened(&self, package: &Package, player: u64) -> Vec<OpenPack> {
        let boosters = self.boosters(package);
        let mut chance = PackChance::stream(self.seed, player);
        let mut all = Vec::new();
        let mut opened = OpenedBooster::default();
        // Copies that a pack has in the mean, by packs that are alike.
        let mut means: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        for booster in boosters {
            Opener::new(&booster).open(&mut chance, &mut opened);
            let mean = means.entry((booster.set, booster.pack)).or_insert_with(|| {
                cw_octgn::Odds::new(&booster)
                    .expected()
                    .iter()
                    .map(to_f64)
                    .collect()
            });
            let mut cards: Vec<(PoolCard, f64)> = opened
                .limited
                .iter()
                .map(|drawn| {
                    let share = mean.get(drawn.entry as usize).copied().unwrap_or(1.0);
                    (PoolCard::of(&booster, *drawn), share)
                })
                .collect();
            cards.sort_by(|one, other| other.1.total_cmp(&one.1));
            let free = opened.unlimited.iter();
            all.push(OpenPack {
                name: booster.name.to_string(),
                cards,
                unlimited: free.map(|drawn| PoolCard::of(&booster, *drawn)).collect(),
            });
        }
        all
    }

    /// The deck that the computer makes of a pool, as `cardwright sealed` does.
    pub fn suggested(&self, project: &Project, pool: &Pool) -> (Vec<(CardRef, u32)>, Ratings) {
        let package = &project.package;
        let printed = Ratings::new(package, &self.boosters(package), None);
        // What is wrong with a package's figures is said where a draft begins.
        let ratings = project.draft_ratings(printed.clone()).unwrap_or(printed);
        (crate::drafts::suggested(project, pool, &ratings), ratings)
    }
}

/// A pack that is opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenPack {
    /// What it is called.
    pub name: String,
    /// Its cards, the rarest last, each with how many copies a pack can be expected to have of it.
    pub cards: Vec<(PoolCard, f64)>,
    /// Cards that it gives in any number (P113).
    pub unlimited: Vec<PoolCard>,
}

fn find_pack(package: &Package, id: &str) -> Option<(usize, usize)> {
    let wanted: Guid = id.parse().ok()?;
    package.sets.iter().enumerate().find_map(|(set, found)| {
        let pack = found.packs.iter().position(|pack| pack.id.value == wanted)?;
        Some((set, pack))
    })
}

/// The copies that a pool gives, each kind once, with how many there are; any number of those without one.
pub fn offers_of(pool: &Pool) -> Vec<(PoolCard, Option<u32>)> {
    let there = counted(pool.cards.iter().copied())
        .into_iter()
        .map(|(card, count)| (card, Some(count)));
    let known: BTreeSet<PoolCard> = pool.cards.iter().copied().collect();
    let free = pool
        .unlimited
        .iter()
        .filter(|card| !known.contains(card))
        .map(|card| (*card, None));
    let mut all: Vec<(PoolCard, Option<u32>)> = there.chain(free).collect();
    // A card that comes both ways is there in any number.
    for (card, count) in &mut all {
        if pool.unlimited.contains(card) {
            *count = None;
        }
    }
    all
}
