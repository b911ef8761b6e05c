//! Filters of targets in words: `frozen`, `with 300 BP or less`, `that is in a United Attack`.

use cw_program::{CardType, FilterComparison, FilterTest, TargetFilter};

use super::phrases::{joined, plural, with_an};
use super::teller::{NoWords, RuleTeller, Worded};

/// What is looked for: the word for one and for many, and what is said before and behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct CardWords {
    pub(super) one: String,
    pub(super) many: String,
    pub(super) before: Vec<String>,
    pub(super) behind_one: Vec<String>,
    pub(super) behind_many: Vec<String>,
}

/// One filter in words.
enum FilterWords {
    Before(&'static str),
    Behind(String),
    /// `is frozen`, `are frozen`.
    That(String, String),
}

impl RuleTeller<'_> {
    /// Adds what the filters ask.
    pub(super) fn filtered(&self, words: &mut CardWords, groups: Vec<Vec<TargetFilter>>) -> Worded<()> {
        let groups = attackers_as_one(groups);
        match &groups[..] {
            [] => Ok(()),
            [(all, attacking)] => {
                if *attacking {
                    words.before.push("attacking".to_owned());
                }
                let mut that = (Vec::new(), Vec::new());
                let is_alone = |test: &TargetFilter| test.test == FilterTest::Attack && !test.negated;
                let not_united = |test: &TargetFilter| test.test == FilterTest::UAttack && test.negated;
                let by_itself = all.iter().any(is_alone) && all.iter().any(not_united);
                if by_itself {
                    that.0.push("attacks alone".to_owned());
                    that.1.push("attack alone".to_owned());
                }
                for filter in all
                    .iter()
                    .filter(|one| !by_itself || !(is_alone(one) || not_united(one)))
                {
                    match self.filter(filter)? {
                        FilterWords::Before(word) => words.before.push(word.to_owned()),
                        FilterWords::Behind(text) => {
                            words.behind_one.push(text.clone());
                            words.behind_many.push(text);
                        }
                        FilterWords::That(one, many) => {
                            that.0.push(one);
                            that.1.push(many);
                        }
                    }
                }
                if !that.0.is_empty() {
                    words.behind_one.push(format!("that {}", joined(&that.0, "and")));
                    words.behind_many.push(format!("that {}", joined(&that.1, "and")));
                }
                Ok(())
            }
            several => {
                if let Some(exact) = exact_bps(several) {
                    words.behind_one.push(exact.clone());
                    words.behind_many.push(exact);
                    return Ok(());
                }
                let with = |(all, attacking): &(Vec<TargetFilter>, bool)| match (&all[..], attacking) {
                    ([only], false) => match self.filter(only) {
                        Ok(FilterWords::Behind(text)) => text.strip_prefix("with ").map(str::to_owned),
                        _ => None,
                    },
                    _ => None,
                };
                let all_with: Option<Vec<String>> = several.iter().map(with).collect();
                if let Some(all) = all_with {
                    let text = format!("with {}", joined(&all, "or"));
                    words.behind_one.push(text.clone());
                    words.behind_many.push(text);
                    return Ok(());
                }
                let mut ones = Vec::new();
                let mut manys = Vec::new();
                for (all, attacking) in several {
                    let mut one = Vec::new();
                    let mut many = Vec::new();
                    if *attacking {
                        one.push("attacks".to_owned());
                        many.push("attack".to_owned());
                    }
                    for filter in all {
                        let (single, each) = match self.filter(filter)? {
                            FilterWords::Before(word) => (format!("is {word}"), format!("are {word}")),
                            FilterWords::Behind(text) => match text.strip_prefix("with ") {
                                Some(what) => (format!("has {what}"), format!("have {what}")),
                                None => return Err(NoWords("filters of several kinds".to_owned())),
                            },
                            FilterWords::That(single, each) => (single, each),
                        };
                        one.push(single);
                        many.push(each);
                    }
                    ones.push(joined(&one, "and"));
                    manys.push(joined(&many, "and"));
                }
                words.behind_one.push(format!("that {}", ones.join(", or ")));
                words.behind_many.push(format!("that {}", manys.join(", or ")));
                Ok(())
            }
        }
    }

    fn filter(&self, filter: &TargetFilter) -> Worded<FilterWords> {
        let negated = filter.negated;
        let that = |yes: (&str, &str), no: (&str, &str)| {
            let (one, many) = if negated { no } else { yes };
            FilterWords::That(one.to_owned(), many.to_owned())
        };
        let has = |what: &str, is_had: bool| {
            FilterWords::Behind(format!("{} {what}", if is_had { "with" } else { "without" }))
        };
        Ok(match filter.test {
            FilterTest::BackedUp => that(
                ("has a back-up", "have a back-up"),
                ("has no back-up", "have no back-up"),
            ),
            FilterTest::Attack => that(
                (
                    "attacks alone or leads a United Attack",
                    "attack alone or lead a United Attack",
                ),
                (
                    "neither attacks alone nor leads a United Attack",
                    "neither attack alone nor lead a United Attack",
                ),
            ),
            FilterTest::UAttack => that(
                ("is in a United Attack", "are in a United Attack"),
                ("is not in a United Attack", "are not in a United Attack"),
            ),
            FilterTest::Block if !negated => FilterWords::Before("countering"),
            FilterTest::Block => that(("counters", "counter"), ("does not counter", "do not counter")),
            FilterTest::Blocked => that(
                ("attacks and is countered", "attack and are countered"),
                ("is not a countered attacker", "are not countered attackers"),
            ),
            FilterTest::Frozen if !negated => FilterWords::Before("frozen"),
            FilterTest::Frozen => that(("is frozen", "are frozen"), ("is not frozen", "are not frozen")),
            FilterTest::Fresh if !negated => FilterWords::Before("fresh"),
            FilterTest::Fresh => that(("is fresh", "are fresh"), ("is not fresh", "are not fresh")),
            FilterTest::Powerful => has("an ability", !negated),
            FilterTest::Powerless => has("an ability", negated),
            FilterTest::AbInstant => has("an instant ability", !negated),
            FilterTest::AbTrigger => has("a trigger ability", !negated),
            FilterTest::AbAuto => has("an auto ability", !negated),
            FilterTest::BpLowest if negated => return Err(NoWords("all but the lowest BP".to_owned())),
            FilterTest::BpLowest => FilterWords::Behind("with the lowest BP".to_owned()),
            FilterTest::Bp(compare, number) => {
                let compare = if negated { opposite(compare) } else { compare };
                FilterWords::Behind(format!("with {}", compared(compare, number, "BP")))
            }
            FilterTest::Sp(compare, number) => {
                let compare = if negated { opposite(compare) } else { compare };
                printed_sp(compare, number)
            }
            FilterTest::Type(card_type) => {
                let word = card_word(card_type);
                let (one, many) = (with_an(word), plural(word));
                that(
                    (&format!("is {one}"), &format!("are {many}")),
                    (&format!("is not {one}"), &format!("are not {many}")),
                )
            }
            FilterTest::Subtype(subtype) => {
                let word = self.subtype(subtype)?;
                let (one, many) = (with_an(&word), plural(&word));
                that(
                    (&format!("is {one}"), &format!("are {many}")),
                    (&format!("is not {one}"), &format!("are not {many}")),
                )
            }
        })
    }
}

pub(super) fn card_word(card_type: CardType) -> &'static str {
    match card_type {
        CardType::Character => "character",
        CardType::Action => "action",
        CardType::Reaction => "reaction",
    }
}
fn opposite(compare: FilterComparison) -> FilterComparison {
    match compare {
        FilterComparison::Equal => FilterComparison::NotEqual,
        FilterComparison::NotEqual => FilterComparison::Equal,
        FilterComparison::Less => FilterComparison::GreaterOrEqual,
        FilterComparison::LessOrEqual => FilterComparison::Greater,
        FilterComparison::Greater => FilterComparison::LessOrEqual,
        FilterComparison::GreaterOrEqual => FilterComparison::Less,
    }
}

/// `300 BP or more`.
fn compared(compare: FilterComparison, number: i32, unit: &str) -> String {
    match compare {
        FilterComparison::Equal => format!("exactly {number} {unit}"),
        FilterComparison::NotEqual => format!("other than {number} {unit}"),
        FilterComparison::Less => format!("less than {number} {unit}"),
        FilterComparison::LessOrEqual => format!("{number} {unit} or less"),
        FilterComparison::Greater => format!("more than {number} {unit}"),
        FilterComparison::GreaterOrEqual => format!("{number} {unit} or more"),
    }
}

/// A card gives its SP, or costs it where it is negative.
fn printed_sp(compare: FilterComparison, number: i32) -> FilterWords {
    let that = |one: &str, many: &str, what: String| {
        FilterWords::That(format!("{one} {what}"), format!("{many} {what}"))
    };
    match (compare, number) {
        (FilterComparison::GreaterOrEqual | FilterComparison::Equal, 1..)
        | (FilterComparison::Greater, 0..) => that("gives", "give", compared(compare, number, "SP")),
        (FilterComparison::LessOrEqual, ..=-1) => that(
            "costs",
            "cost",
            compared(FilterComparison::GreaterOrEqual, -number, "SP"),
        ),
        (FilterComparison::Less, ..=0) => that(
            "costs",
            "cost",
            compared(FilterComparison::Greater, -number, "SP"),
        ),
        (FilterComparison::Equal, ..=-1) => that("costs", "cost", compared(compare, -number, "SP")),
        _ => {
            let how = match compare {
                FilterComparison::Equal => format!("{number}"),
                FilterComparison::NotEqual => format!("other than {number}"),
                FilterComparison::Less => format!("less than {number}"),
                FilterComparison::LessOrEqual => format!("{number} or less"),
                FilterComparison::Greater => format!("more than {number}"),
                FilterComparison::GreaterOrEqual => format!("{number} or more"),
            };
            FilterWords::Behind(format!("with a printed SP of {how}"))
        }
    }
}

/// Two alternatives that differ in `attack` and `uattack` alone are all who attack.
fn attackers_as_one(groups: Vec<Vec<TargetFilter>>) -> Vec<(Vec<TargetFilter>, bool)> {
    let without = |all: &[TargetFilter], test: FilterTest| -> Option<Vec<TargetFilter>> {
        let at = all.iter().position(|one| one.test == test && !one.negated)?;
        let mut rest = all.to_vec();
        rest.remove(at);
        Some(rest)
    };
    if let [one, other] = &groups[..]
        && let Some(rest) = without(one, FilterTest::Attack)
        && without(other, FilterTest::UAttack).as_ref() == Some(&rest)
    {
        return vec![(rest, true)];
    }
    groups.into_iter().map(|all| (all, false)).collect()
}

/// `with exactly 100, 200 or 300 BP`, where all alternatives are that.
fn exact_bps(groups: &[(Vec<TargetFilter>, bool)]) -> Option<String> {
    let exact = |(all, attacking): &(Vec<TargetFilter>, bool)| match (&all[..], attacking) {
        (
            [
                TargetFilter {
                    negated: false,
                    test: FilterTest::Bp(FilterComparison::Equal, number),
                },
            ],
            false,
        ) => Some(number.to_string()),
        _ => None,
    };
    let all: Option<Vec<String>> = groups.iter().map(exact).collect();
    Some(format!("with exactly {} BP", joined(&all?, "or")))
}
