//! What players ask of real games, counted a second time by a plain scan.

use std::collections::BTreeSet;
use std::path::Path;

use cw_octgn::{Aliases, CardIndex, CardQuery, Folder, Package, SearchedForm, forms};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

fn package(name: &str) -> Option<Package> {
    let path = Path::new(DATA).join(name);
    if !path.is_dir() {
        eprintln!("SKIPPED: no {name} at {DATA}");
        return None;
    }
    Some(Package::read(&Folder::new(path)).unwrap())
}

/// A card as the scan sees it.
struct Card<'p>(SearchedForm<'p>);

impl Card<'_> {
    fn name(&self) -> String {
        self.0.name().to_lowercase()
    }

    /// A property in lower case; empty if the card lacks it.
    fn of(&self, property: &str) -> String {
        self.0.text(property).unwrap_or_default().trim().to_lowercase()
    }

    fn words(&self, property: &str) -> Vec<String> {
        let text = self.of(property);
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.map(str::to_owned).collect()
    }

    fn has_word(&self, property: &str, word: &str) -> bool {
        self.words(property).iter().any(|other| other == word)
    }

    fn number(&self, property: &str) -> Option<f64> {
        self.of(property).parse().ok()
    }

    fn anywhere(&self, text: &str) -> bool {
        let card = self.0.card.effective(self.0.alternate);
        let mut values = card.iter().filter_map(|(_, value)| value.plain());
        self.name().contains(text) || values.any(|value| value.to_lowercase().contains(text))
    }
}

type Scan = fn(&Card<'_>) -> bool;

#[track_caller]
fn check(package: &Package, queries: &[(&str, Scan)]) {
    let aliases: Aliases = [
        ("t", "Type"),
        ("pow", "Power"),
        ("tou", "Toughness"),
        ("o", "Rules"),
        ("f", "Faction"),
    ]
    .map(|(short, long)| (short.to_owned(), long.to_owned()))
    .into();
    let index = CardIndex::new(package);
    for (text, scan) in queries {
        let query = CardQuery::parse_with(text, &package.definition, &aliases).unwrap();
        let all = query.select(forms(package));
        let found = all.len();
        // What the pages search finds the same, in the same order.
        let places = index.select(package, &query, true, &[]);
        let of_index = places.iter().filter_map(|at| index.form(package, *at));
        let key = |form: &SearchedForm<'_>| {
            let form = *form;
            (form.card.id.value, form.set.id.value, form.name().to_owned())
        };
        assert!(all.iter().map(key).eq(of_index.map(|form| key(&form))), "{text}");
        let counted = forms(package).filter(|form| scan(&Card(*form))).count();
        assert_eq!(found, counted, "{text}");
        assert!(found > 0, "{text} finds nothing");
    }
}

#[test]
fn queries_of_magic_players() {
    let Some(package) = package("mtg-sample") else {
        return;
    };
    check(
        &package,
        &[
            ("t:creature", |card| card.has_word("Type", "creature")),
            ("t:creature t:legendary", |card| {
                card.has_word("Type", "creature") && card.has_word("Type", "legendary")
            }),
            ("t:instant or t:sorcery", |card| {
                card.has_word("Type", "instant") || card.has_word("Type", "sorcery")
            }),
            ("cmc=3", |card| card.of("CMC") == "3"),
            ("cmc:3", |card| card.has_word("CMC", "3")),
            ("cmc<=1 t:creature", |card| {
                card.number("CMC").is_some_and(|cmc| cmc <= 1.0) && card.has_word("Type", "creature")
            }),
            ("pow>=5", |card| {
                card.number("Power").is_some_and(|power| power >= 5.0)
            }),
            ("pow>tou", |card| {
                card.number("Power")
                    .zip(card.number("Toughness"))
                    .is_some_and(|(power, toughness)| power > toughness)
            }),
            ("power=toughness t:creature", |card| {
                let same = match (card.number("Power"), card.number("Toughness")) {
                    (Some(power), Some(toughness)) => power == toughness,
                    _ => card.of("Power") == card.of("Toughness"),
                };
                same && card.has_word("Type", "creature")
            }),
            ("rarity=\"mythic rare\"", |card| {
                card.of("Rarity") == "mythic rare"
            }),
            ("rarity:mythic", |card| card.has_word("Rarity", "mythic")),
            ("color=blue", |card| card.of("Color") == "blue"),
            ("color:blue color:red", |card| {
                card.has_word("Color", "blue") && card.has_word("Color", "red")
            }),
            ("o:/draws? (two|three) cards/", |card| {
                let text = card.of("Rules");
                [
                    "draw two cards",
                    "draw three cards",
                    "draws two cards",
                    "draws three cards",
                ]
                .iter()
                .any(|words| text.contains(words))
            }),
            ("o:\"enters tapped\"", |card| {
                card.of("Rules").contains("enters tapped")
            }),
            ("-t:land loyalty>=4", |card| {
                !card.words("Type").iter().any(|word| word.starts_with("land"))
                    && card.number("Loyalty").is_some_and(|loyalty| loyalty >= 4.0)
            }),
            ("set:\"neon dynasty\"", |card| {
                card.0.set.name.to_lowercase().contains("neon dynasty")
            }),
            ("subtype:samurai", |card| card.has_word("Subtype", "samurai")),
            ("goblin", |card| card.anywhere("goblin")),
            ("power=* or toughness=*", |card| {
                card.of("Power") == "*" || card.of("Toughness") == "*"
            }),
            ("is:alternate", |card| card.0.alternate.is_some()),
            ("flavor= t:creature", |card| {
                card.of("Flavor").is_empty() && card.has_word("Type", "creature")
            }),
        ],
    );
}

#[test]
fn one_print_of_each_name_is_found() {
    let Some(package) = package("mtg-sample") else {
        return;
    };
    let query = CardQuery::parse("unique:cards type:land order:name", &package.definition).unwrap();
    let found = query.select(forms(&package));
    let lands = forms(&package)
        .map(Card)
        .filter(|card| card.words("Type").iter().any(|word| word.starts_with("land")));
    let names: BTreeSet<String> = lands.map(|card| card.name()).collect();
    let found: Vec<String> = found.iter().map(|form| form.name().to_lowercase()).collect();
    assert_eq!(found.len(), names.len());
    assert!(found.len() > 50);
    let misses = CardQuery::parse("rarity=mythic", &package.definition)
        .unwrap()
        .near_misses(&package);
    assert_eq!(
        misses,
        ["no card has Rarity `mythic`; did you mean `Mythic Rare`?"]
    );
}

#[test]
fn queries_of_netrunner_players() {
    let Some(package) = package("netrunner") else {
        return;
    };
    check(
        &package,
        &[
            ("f:anarch", |card| card.has_word("Faction", "anarch")),
            ("type=ICE", |card| card.of("Type") == "ice"),
            ("type=ice stat>=5", |card| {
                card.of("Type") == "ice" && card.number("Stat").is_some_and(|stat| stat >= 5.0)
            }),
            ("side=corp cost<2", |card| {
                card.of("Side") == "corp" && card.number("Cost").is_some_and(|cost| cost < 2.0)
            }),
            ("keywords:icebreaker keywords:fracter", |card| {
                card.has_word("Keywords", "icebreaker") && card.has_word("Keywords", "fracter")
            }),
            ("influence=5 or influence=4", |card| {
                ["4", "5"].contains(&card.of("Influence").as_str())
            }),
            ("cost>stat type=agenda", |card| {
                card.of("Type") == "agenda"
                    && card
                        .number("Stat")
                        .zip(card.number("Cost"))
                        .is_some_and(|(stat, cost)| cost > stat)
            }),
            ("rules:/trace\\s?\\[?\\d/", |card| {
                let text = card.of("Rules");
                text.match_indices("trace").any(|(at, word)| {
                    let rest = &text[at + word.len()..];
                    let rest = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
                    rest.strip_prefix('[')
                        .unwrap_or(rest)
                        .starts_with(|letter: char| letter.is_ascii_digit())
                })
            }),
            (
                "(type=program or type=hardware) cost<=3 -keywords:virus",
                |card| {
                    ["program", "hardware"].contains(&card.of("Type").as_str())
                        && card.number("Cost").is_some_and(|cost| cost <= 3.0)
                        && !card
                            .words("Keywords")
                            .iter()
                            .any(|word| word.starts_with("virus"))
                },
            ),
            ("bioroid", |card| card.anywhere("bioroid")),
            ("set:core type=event", |card| {
                card.0
                    .set
                    .name
                    .to_lowercase()
                    .split_whitespace()
                    .any(|word| word.starts_with("core"))
                    && card.of("Type") == "event"
            }),
            ("!\"sure gamble\"", |card| card.name() == "sure gamble"),
        ],
    );
}
