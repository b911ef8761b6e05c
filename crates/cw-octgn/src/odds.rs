//! Exact chances of what a booster holds (P117).

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::share::{BigRational, shares, to_f64};
use crate::{Booster, BoosterItem, BoosterPick, Guid, Package, PickQuantity};

/// Chances of 0, 1, 2, … cards; they sum to exactly 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution(pub Vec<BigRational>);

/// A number that lies between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedNumber {
    /// Not less than this.
    pub low: f64,
    /// Not more than this.
    pub high: f64,
}

/// The most cards of a pack that distributions are computed for: more would take minutes.
const MAX_CARDS: u64 = 500;

/// Chances of [`Odds::packs_until_complete`] are summed up over at most so many packs.
const MAX_PACKS: usize = 200_000;

/// Answers questions about a booster; only limited cards count, as in OCTGN's pools (P116).
#[derive(Debug)]
pub struct Odds<'b> {
    booster: &'b Booster,
}

/// Odds of one card in a booster.
#[derive(Clone, Debug)]
pub struct CardOdds {
    /// Its first entry, as index into [`Booster::pool`].
    pub entry: u32,
    /// How many copies a pack has.
    pub copies: Arc<Distribution>,
}

/// The booster can yield more cards than distributions are computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pack of more than {MAX_CARDS} cards")]
pub struct TooManyCards;

impl Distribution {
    fn certain(count: usize) -> Distribution {
        let mut chances = vec![BigRational::zero(); count + 1];
        chances[count] = BigRational::one();
        Distribution(chances)
    }

    /// The chance of exactly `count`.
    pub fn exactly(&self, count: usize) -> BigRational {
        self.0.get(count).cloned().unwrap_or_default()
    }

    /// The chance of `count` or more.
    pub fn at_least(&self, count: usize) -> BigRational {
        self.0
            .iter()
            .skip(count)
            .fold(BigRational::zero(), |sum, chance| sum + chance)
    }

    /// The mean.
    pub fn mean(&self) -> BigRational {
        let weighted = self.0.iter().enumerate();
        weighted.fold(BigRational::zero(), |sum, (count, chance)| {
            sum + chance * BigRational::from_integer(BigInt::from(count))
        })
    }

    /// How many packs are opened, on average, until `copies` cards came, if this is what one pack has;
    /// nothing if none ever comes.
    pub fn packs_until(&self, copies: usize) -> Option<BigRational> {
        let none = self.exactly(0);
        if none.is_one() {
            return None;
        }
        // E(j) = 1 + Σ p(i) · E(j - i) over all i. For i = 0 that is E(j) itself; solved for it: E(j) =
        // (1 + Σ p(i) · E(j - i) over i ≥ 1) / (1 - p(0)).
        let some = BigRational::one() - none;
        // expected[j]: packs until j more came. One pack is opened, and with i cards j - i are left.
        let mut expected = vec![BigRational::zero()];
        for left in 1..=copies {
            let mut sum = BigRational::one();
            for (came, chance) in self.0.iter().enumerate().skip(1) {
                // A pack may hold more copies than are still missing; then nothing is left to wait for.
                sum += chance * &expected[left.saturating_sub(came)];
            }
            expected.push(sum / &some);
        }
        expected.pop()
    }

    /// Of the sum of two independent counts.
    fn and(&self, other: &Distribution) -> Distribution {
        let mut sum = vec![BigRational::zero(); self.0.len() + other.0.len() - 1];
        for (a, chance) in self.0.iter().enumerate().filter(|(_, chance)| !chance.is_zero()) {
            for (b, more) in other.0.iter().enumerate().filter(|(_, more)| !more.is_zero()) {
                sum[a + b] += chance * more;
            }
        }
        Distribution(sum)
    }

    fn add(&mut self, other: &Distribution, weight: &BigRational) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), BigRational::zero());
        }
        for (sum, chance) in self.0.iter_mut().zip(&other.0) {
            *sum += chance * weight;
        }
    }

    /// The same without chances of 0 at the end.
    fn trimmed(mut self) -> Distribution {
        while self.0.len() > 1 && self.0.last().is_some_and(Zero::is_zero) {
            self.0.pop();
        }
        self
    }
}

impl<'b> Odds<'b> {
    /// Asks about this booster.
    pub fn new(booster: &'b Booster) -> Odds<'b> {
        Odds { booster }
    }

    /// Expected copies of each entry of the pool in one pack, by index (P117).
    pub fn expected(&self) -> Vec<BigRational> {
        // Many picks share a list of candidates, and entries in the same lists have the same chance.
        let mut lists: BTreeMap<*const u32, (Arc<[u32]>, BigRational)> = BTreeMap::new();
        // P117 in two steps: first one sum of path · min(1, q/n) for each list of candidates, then for
        // each entry the sum over its lists. Picks with equal criteria share one list, so its address
        // stands for it.
        weigh(&self.booster.items, &BigRational::one(), &mut lists);
        let lists: Vec<_> = lists.into_values().collect();
        // The order of the lists is that of addresses and differs from run to run. The sums do not,
        // because fractions are exact in any order.
        let mut member: Vec<Vec<usize>> = vec![Vec::new(); self.booster.pool.len()];
        for (number, (list, _)) in lists.iter().enumerate() {
            for entry in list.iter() {
                member[*entry as usize].push(number);
            }
        }
        // A set has hundreds of cards but only a few combinations of lists (one for each rarity, say),
        // so each combination is summed once.
        let mut sums: BTreeMap<Vec<usize>, BigRational> = BTreeMap::new();
        member
            .into_iter()
            .map(|numbers| {
                let sum = |numbers: &[usize]| {
                    let weights = numbers.iter().map(|number| &lists[*number].1);
                    weights.fold(BigRational::zero(), |sum, weight| sum + weight)
                };
                if let Some(known) = sums.get(&numbers) {
                    return known.clone();
                }
                let sum = sum(&numbers);
                sums.insert(numbers, sum.clone());
                sum
            })
            .collect()
    }

    /// How many cards a pack has (P117).
    ///
    /// # Errors
    /// When it can be more than 500.
    pub fn size(&self) -> Result<Distribution, TooManyCards> {
        self.bounded()?;
        let all = |pick: &BoosterPick| Distribution::certain(taken(pick));
        Ok(of_items(&self.booster.items, &all).trimmed())
    }

    /// How many cards of those wanted a pack has; `wanted` is asked for pool entries by index.
    ///
    /// # Errors
    /// When a pack can have more than 500 cards.
    pub fn copies(&self, wanted: &dyn Fn(u32) -> bool) -> Result<Distribution, TooManyCards> {
        self.bounded()?;
        let mut known: BTreeMap<(*const u32, usize), Distribution> = BTreeMap::new();
        self.booster.picks(&mut |pick| {
            known
                .entry((pick.candidates.as_ptr(), taken(pick)))
                .or_insert_with(|| {
                    let matching = pick.candidates.iter().filter(|entry| wanted(**entry)).count();
                    hypergeometric(pick.candidates.len(), matching, taken(pick))
                });
        });
        let of_pick = |pick: &BoosterPick| known[&(pick.candidates.as_ptr(), taken(pick))].clone();
        Ok(of_items(&self.booster.items, &of_pick).trimmed())
    }

    /// The chance of at least one of the cards wanted in `packs` packs.
    ///
    /// # Errors
    /// As [`Odds::copies`].
    pub fn at_least_one(
        &self,
        wanted: &dyn Fn(u32) -> bool,
        packs: u32,
    ) -> Result<BigRational, TooManyCards> {
        // Packs are independent of each other: the chance that all of them miss is the product.
        let none = self.copies(wanted)?.exactly(0);
        Ok(BigRational::one() - pow(&none, packs))
    }

    /// How many packs are opened, on average, until `copies` of the cards wanted came; nothing if none ever
    /// comes.
    ///
    /// # Errors
    /// As [`Odds::copies`].
    pub fn packs_until(
        &self,
        wanted: &dyn Fn(u32) -> bool,
        copies: usize,
    ) -> Result<Option<BigRational>, TooManyCards> {
        Ok(self.copies(wanted)?.packs_until(copies))
    }

    /// How many packs are opened, on average, until every card that can come has come; nothing if there is
    /// none.
    ///
    /// The bounds are proven, up to rounding of floating-point numbers: cards in the same picks are
    /// counted exactly as one class, and of all classes the set is complete when the last one is. The
    /// chance that any is incomplete lies between the largest and the sum of theirs.
    pub fn packs_until_complete(&self, package: &Package) -> Option<BoundedNumber> {
        let classes = classes(self.booster, package);
        if classes.is_empty() {
            return None;
        }
        // How to read this: the mean of a waiting time is the sum over n of the chance that it is not
        // over after n packs. A round of the loop adds this chance for one n, starting at 0, as two
        // bounds.
        let mut running: Vec<Incomplete> = classes
            .iter()
            .map(|class| Incomplete::new(self.booster, class))
            .collect();
        let (mut low, mut high) = (0.0, 0.0);
        for _ in 0..MAX_PACKS {
            let chances: Vec<f64> = running.iter().map(Incomplete::chance).collect();
            let sum: f64 = chances.iter().sum();
            // The set is incomplete if any class is: at least as likely as the likeliest of them, and
            // no more likely than their sum, however they depend on each other.
            low += chances.iter().copied().fold(0.0, f64::max);
            high += sum.min(1.0);
            if sum < 1e-12 {
                break;
            }
            for class in &mut running {
                class.open_one();
            }
        }
        // What is left after the last pack that was counted.
        let rest: f64 = running.iter().map(Incomplete::rest).sum();
        Some(BoundedNumber {
            low: low * (1.0 - 1e-9),
            high: (high + rest) * (1.0 + 1e-9),
        })
    }

    /// Odds of each card that can come, in pool order; entries of one card are counted together.
    ///
    /// # Errors
    /// As [`Odds::copies`].
    pub fn per_card(&self, package: &Package) -> Result<Vec<CardOdds>, TooManyCards> {
        let member = membership(self.booster);
        let mut order: Vec<Vec<u32>> = Vec::new();
        let mut by_card: BTreeMap<Guid, usize> = BTreeMap::new();
        // A card may have several entries: in its own set and by includes (P83). Their copies count
        // together.
        for (index, entry) in (0u32..).zip(&self.booster.pool) {
            if member[index as usize].is_empty() {
                continue;
            }
            let place = *by_card
                .entry(package.card(entry.card).id.value)
                .or_insert_with(|| {
                    order.push(Vec::new());
                    order.len() - 1
                });
            order[place].push(index);
        }
        // Cards in the same picks have the same odds.
        let mut known: BTreeMap<Vec<&[u32]>, Arc<Distribution>> = BTreeMap::new();
        let mut all = Vec::with_capacity(order.len());
        for entries in order {
            let lists: Vec<&[u32]> = entries
                .iter()
                .map(|entry| member[*entry as usize].as_slice())
                .collect();
            let copies = match known.get(&lists) {
                Some(copies) => Arc::clone(copies),
                None => {
                    let copies = Arc::new(self.copies(&|entry| entries.contains(&entry))?);
                    known.insert(lists, Arc::clone(&copies));
                    copies
                }
            };
            all.push(CardOdds {
                entry: entries[0],
                copies,
            });
        }
        Ok(all)
    }

    fn bounded(&self) -> Result<(), TooManyCards> {
        if most(&self.booster.items) > MAX_CARDS {
            return Err(TooManyCards);
        }
        Ok(())
    }
}

/// How many cards a pick takes; unlimited ones are not counted.
fn taken(pick: &BoosterPick) -> usize {
    match pick.quantity {
        PickQuantity::Unlimited => 0,
        PickQuantity::Count(count) => (count as usize).min(pick.candidates.len()),
    }
}

fn most(items: &[BoosterItem]) -> u64 {
    // An upper bound: of each group the largest option counts that can happen (P90).
    items
        .iter()
        .map(|item| match item {
            BoosterItem::Pick(pick) => taken(pick) as u64,
            BoosterItem::Options(options) => {
                let real = shares(options.options.iter().map(|option| option.probability));
                let possible = options.options.iter().zip(&real.options);
                possible
                    .filter(|(_, share)| !share.is_zero())
                    .map(|(option, _)| most(&option.items))
                    .max()
                    .unwrap_or(0)
            }
        })
        .sum()
}

fn fraction(numerator: usize, denominator: usize) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Adds up, for each list of candidates, the expected number that one of them is taken (P117).
fn weigh(
    items: &[BoosterItem],
    path: &BigRational,
    lists: &mut BTreeMap<*const u32, (Arc<[u32]>, BigRational)>,
) {
    for item in items {
        match item {
            BoosterItem::Pick(pick) => {
                let count = taken(pick);
                if count == 0 {
                    continue;
                }
                // Each of n candidates is among the q taken with the chance q/n (P117). `taken` is at
                // most n, so this is never above 1.
                let weight = path * fraction(count, pick.candidates.len());
                let list = lists
                    .entry(pick.candidates.as_ptr())
                    .or_insert_with(|| (Arc::clone(&pick.candidates), BigRational::zero()));
                list.1 += weight;
            }
            BoosterItem::Options(options) => {
                // The chance of an option is what it adds to the running sum of the group, which may be
                // less than its written probability (P90). The chance of the whole path is the product.
                let real = shares(options.options.iter().map(|option| option.probability));
                for (option, share) in options.options.iter().zip(&real.options) {
                    if !share.is_zero() {
                        weigh(&option.items, &(path * share), lists);
                    }
                }
            }
        }
    }
}

/// Picks are independent of each other; of options one happens (P84, P90).
fn of_items(items: &[BoosterItem], of_pick: &dyn Fn(&BoosterPick) -> Distribution) -> Distribution {
    // The sum of independent counts is a convolution (`and`); a choice among options is a weighted mean
    // (`add`). A group that may yield nothing starts with that chance at 0 cards.
    let mut all = Distribution::certain(0);
    for item in items {
        let one = match item {
            BoosterItem::Pick(pick) => of_pick(pick),
            BoosterItem::Options(options) => {
                let real = shares(options.options.iter().map(|option| option.probability));
                let mut mixed = Distribution(vec![real.nothing]);
                for (option, share) in options.options.iter().zip(&real.options) {
                    if !share.is_zero() {
                        mixed.add(&of_items(&option.items, of_pick), share);
                    }
                }
                mixed
            }
        };
        all = all.and(&one);
    }
    all
}

/// How many of `matching` among `all` are taken when `count` are taken without putting back.
fn hypergeometric(all: usize, matching: usize, count: usize) -> Distribution {
    let others = all - matching;
    // With 2 others among 5 and 4 taken, at least 2 of the 3 matching ones are taken: chances below
    // `least` stay 0. `binomial` must not be asked for them: it needs `count <= all`.
    let least = count.saturating_sub(others);
    let greatest = count.min(matching);
    let mut chances = vec![BigRational::zero(); greatest + 1];
    let sum = binomial(all, count);
    // Weights C(matching, k) · C(others, count - k), each from the one before; all divide evenly.
    let mut weight = binomial(matching, least) * binomial(others, count - least);
    for (k, chance) in chances.iter_mut().enumerate().skip(least) {
        *chance = BigRational::new(weight.clone(), sum.clone());
        if k < greatest {
            weight *= BigInt::from(matching - k) * BigInt::from(count - k);
            // The last factor is at least 1, because `k` is not below `count - others`: no underflow,
            // no division by 0.
            weight /= BigInt::from(k + 1) * BigInt::from(others + k + 1 - count);
        }
    }
    Distribution(chances)
}

/// How many ways there are to take `count` of `all`.
fn binomial(all: usize, count: usize) -> BigInt {
    let count = count.min(all - count);
    // The product after each step is a binomial too, C(all, k + 1), so the division leaves no
    // remainder.
    (0..count).fold(BigInt::one(), |ways, k| {
        ways * BigInt::from(all - k) / BigInt::from(k + 1)
    })
}

fn pow(base: &BigRational, exponent: u32) -> BigRational {
    BigRational::new(base.numer().pow(exponent), base.denom().pow(exponent))
}

/// Cards that are in the same picks: one as likely as the other, in any combination.
struct Class {
    /// A member, as index into the pool.
    example: u32,
    cards: usize,
    /// The entries of a single card that has several; empty if each card of the class has one.
    entries: Vec<u32>,
}

/// For each entry of the pool the picks, in document order, that can take it.
fn membership(booster: &Booster) -> Vec<Vec<u32>> {
    let mut member: Vec<Vec<u32>> = vec![Vec::new(); booster.pool.len()];
    let mut number = 0;
    with_possibility(&booster.items, true, &mut |pick, is_possible| {
        if is_possible && taken(pick) > 0 {
            for entry in pick.candidates.iter() {
                member[*entry as usize].push(number);
            }
        }
        number += 1;
    });
    member
}

/// Visits all picks in document order, each with whether it can happen: no option on its way has the chance
/// 0, as the second of "1 0.5" has (P90).
fn with_possibility<'b>(
    items: &'b [BoosterItem],
    is_possible: bool,
    visit: &mut dyn FnMut(&'b BoosterPick, bool),
) {
    for item in items {
        match item {
            BoosterItem::Pick(pick) => visit(pick, is_possible),
            BoosterItem::Options(options) => {
                let real = shares(options.options.iter().map(|option| option.probability));
                for (option, share) in options.options.iter().zip(&real.options) {
                    with_possibility(&option.items, is_possible && !share.is_zero(), visit);
                }
            }
        }
    }
}

fn classes(booster: &Booster, package: &Package) -> Vec<Class> {
    let member = membership(booster);
    let mut by_card: BTreeMap<Guid, Vec<u32>> = BTreeMap::new();
    for (index, entry) in (0u32..).zip(&booster.pool) {
        if !member[index as usize].is_empty() {
            by_card
                .entry(package.card(entry.card).id.value)
                .or_default()
                .push(index);
        }
    }
    let mut shared: BTreeMap<&[u32], Class> = BTreeMap::new();
    let mut classes = Vec::new();
    // A card with one entry joins the class of its picks. A card with several entries is a class of its
    // own, since its odds are its own; only then `entries` is filled.
    for entries in by_card.into_values() {
        if let [one] = entries.as_slice() {
            let class = shared.entry(&member[*one as usize]).or_insert(Class {
                example: *one,
                cards: 0,
                entries: Vec::new(),
            });
            class.cards += 1;
        } else {
            classes.push(Class {
                example: entries[0],
                cards: 1,
                entries,
            });
        }
    }
    classes.extend(shared.into_values());
    classes
}

/// The chance that some card of a class has not come yet, pack by pack.
struct Incomplete<'b> {
    booster: &'b Booster,
    /// Chance that so many cards of the class have come.
    seen: Vec<f64>,
    /// For each pick in document order: from (seen, new) to the chance, new cards side by side.
    picks: Vec<Option<Vec<Vec<f64>>>>,
    /// For each group of options in document order: chance of each, and of none.
    groups: Vec<(Vec<f64>, f64)>,
    /// Chance that one card of the class does not come in a pack.
    avoid: f64,
}

impl<'b> Incomplete<'b> {
    fn new(booster: &'b Booster, class: &Class) -> Incomplete<'b> {
        let size = class.cards;
        // Of a class of many cards one example is followed: all of them have the same odds.
        let wanted = |entry: u32| {
            if class.entries.is_empty() {
                entry == class.example
            } else {
                class.entries.contains(&entry)
            }
        };
        let copies = Odds::new(booster).copies(&wanted);
        // If the pack is too large to compute with, 1 makes `rest` huge: the upper bound then says
        // nothing, but it is not wrong.
        let avoid = copies.map_or(1.0, |copies| to_f64(&copies.exactly(0)));
        let mut picks = Vec::new();
        booster.picks(&mut |pick| {
            let all = pick.candidates.len();
            let count = taken(pick);
            let entries = pick.candidates.iter().filter(|entry| wanted(**entry)).count();
            picks.push(
                // A pick that can take the example can take every card of the class, because all of
                // them are in the same picks. A pick that cannot changes nothing and is `None`.
                (entries > 0 && count > 0).then(|| match class.entries.is_empty() {
                    true => of_class(all, size, count),
                    false => of_card(all, entries, count),
                }),
            );
        });
        let mut groups = Vec::new();
        group_chances(&booster.items, &mut groups);
        // Before the first pack no card of the class has come.
        let mut seen = vec![0.0; size + 1];
        seen[0] = 1.0;
        Incomplete {
            booster,
            seen,
            picks,
            groups,
            avoid,
        }
    }

    fn chance(&self) -> f64 {
        // The last place is the chance that all have come.
        self.seen[..self.seen.len() - 1].iter().sum()
    }

    /// More than the sum of the chances after this pack: each card is missing with a power of `avoid`.
    fn rest(&self) -> f64 {
        // At most `cards` are missing, each of them in the next k packs with the chance avoid^k,
        // whatever came before. The sum over all k is geometric: 1 / (1 - avoid).
        self.chance() * (self.seen.len() as f64) / (1.0 - self.avoid).max(f64::MIN_POSITIVE)
    }

    fn open_one(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        self.seen = self.items(&self.booster.items, seen, &mut DocumentPosition::default());
    }

    fn items(&self, items: &[BoosterItem], mut seen: Vec<f64>, at: &mut DocumentPosition) -> Vec<f64> {
        // The picks of a pack are taken in order, and each changes the distribution of cards seen. This
        // is exact, because each pick draws from the full pool again (P85). `at` numbers picks and
        // groups as `new` has listed them, so every option is walked, even one with the chance 0.
        for item in items {
            match item {
                BoosterItem::Pick(_) => {
                    if let Some(pick) = &self.picks[at.pick] {
                        seen = advance(&seen, pick);
                    }
                    at.pick += 1;
                }
                BoosterItem::Options(options) => {
                    let (chances, nothing) = &self.groups[at.group];
                    at.group += 1;
                    // With the chance `nothing` the group leaves everything as it was (P90).
                    let mut mixed: Vec<f64> = seen.iter().map(|chance| chance * nothing).collect();
                    for (option, share) in options.options.iter().zip(chances) {
                        let after = self.items(&option.items, seen.clone(), at);
                        for (sum, chance) in mixed.iter_mut().zip(after) {
                            *sum += share * chance;
                        }
                    }
                    seen = mixed;
                }
            }
        }
        seen
    }
}

/// Counts picks and groups in document order.
#[derive(Default)]
struct DocumentPosition {
    pick: usize,
    group: usize,
}

fn group_chances(items: &[BoosterItem], out: &mut Vec<(Vec<f64>, f64)>) {
    for item in items {
        if let BoosterItem::Options(options) = item {
            let real = shares(options.options.iter().map(|option| option.probability));
            // A group comes before those in its options: `items` counts in this order.
            out.push((real.options.iter().map(to_f64).collect(), to_f64(&real.nothing)));
            for option in &options.options {
                group_chances(&option.items, out);
            }
        }
    }
}

fn advance(seen: &[f64], pick: &[Vec<f64>]) -> Vec<f64> {
    let mut after = vec![0.0; seen.len()];
    // Row `before` of a pick has the chances of 0, 1, … new cards, never of more than are still
    // missing, so `before + new` stays within the class.
    for (before, chance) in seen.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        for (new, weight) in pick[before].iter().enumerate() {
            after[before + new] += chance * weight;
        }
    }
    after
}

/// For a class of `size` cards among `all` candidates of which `count` are taken: row = cards seen
/// before, column = new ones.
fn of_class(all: usize, size: usize, count: usize) -> Vec<Vec<f64>> {
    // Which cards were seen does not matter, only how many: the unseen ones are `size - before` of
    // `all`.
    (0..=size)
        .map(|before| {
            hypergeometric(all, size - before, count)
                .0
                .iter()
                .map(to_f64)
                .collect()
        })
        .collect()
}

/// The same for one card with several entries.
fn of_card(all: usize, entries: usize, count: usize) -> Vec<Vec<f64>> {
    // Several entries taken at once are still one card, so only none or at least one matters. In the
    // second row the card has come already.
    let none = to_f64(&hypergeometric(all, entries, count).exactly(0));
    vec![vec![none, 1.0 - none], vec![1.0]]
}

/// The chance of at least `least` of `copies` cards among the first `drawn` of a shuffled deck.
///
/// ```
/// // One of three copies in an opening hand of five from fifty cards: nearly three in ten.
/// let chance = cw_octgn::chance_to_draw(50, 3, 5, 1);
/// assert_eq!(chance.to_string(), "541/1960");
/// ```
pub fn chance_to_draw(deck: usize, copies: usize, drawn: usize, least: usize) -> BigRational {
    let (copies, drawn) = (copies.min(deck), drawn.min(deck));
    hypergeometric(deck, copies, drawn).at_least(least)
}
