//! Queries find the cards they say, and errors stand at their place.

use cw_octgn::{Aliases, CardIndex, CardQuery, Package, SearchedForm, forms};

use crate::support::{files, set};

fn package() -> Package {
    let card = |number: u32, name: &str, inner: &str| {
        format!("<card id=\"0b000000-0000-4000-8000-00000000000{number}\" name=\"{name}\">{inner}</card>")
    };
    let property = |name: &str, value: &str| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let cards = [
        card(
            1,
            "Rook",
            &(property("Kind", "Elf Warrior") + &property("Power", "500") + &property("Rarity", "Rare")),
        ),
        card(
            2,
            "Émile",
            &(property("Kind", "Human") + &property("Power", "1200")),
        ),
        card(
            3,
            "Heron",
            &(property("Kind", "Bird")
                + &property("Power", "X")
                + "<property name=\"Text\">Draw <b>two</b> cards.</property>\
                   <alternate name=\"Heron Flying\" type=\"b\">\
                   <property name=\"Power\" value=\"900\"/><property name=\"Kind\"/></alternate>"),
        ),
    ];
    Package::read(&files(&set(&format!("<cards>{}</cards>", cards.concat())))).unwrap()
}

#[track_caller]
fn check(query: &str, expected: &str) {
    let package = package();
    let aliases: Aliases = [("pow", "Power"), ("n", "name"), ("bad", "Nothing")]
        .map(|(short, long)| (short.to_owned(), long.to_owned()))
        .into();
    let got = match CardQuery::parse_with(query, &package.definition, &aliases) {
        Err(error) => {
            let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{:?} {}{help}", error.span, error.message)
        }
        Ok(query) => {
            let found = query.select(forms(&package));
            // Laid out for searching, the forms are found in the same order.
            let index = CardIndex::new(&package);
            let places = index.select(&package, &query, true, &[]);
            let of_index = places
                .iter()
                .filter_map(|at| index.form(&package, *at))
                .map(|form| form.name());
            assert!(found.iter().map(SearchedForm::name).eq(of_index), "{query:?}");
            assert_eq!(
                query.near_misses(&package),
                index.near_misses(&package, &query, true)
            );
            let found = found.into_iter();
            found
                .map(|form: SearchedForm<'_>| form.name().to_owned())
                .collect::<Vec<_>>()
                .join(", ")
        }
    };
    assert_eq!(got, expected, "{query}");
}

/// P65, P72, P103: formatted text is searched without formatting, forms inherit and erase.
#[test]
fn queries_find_cards() {
    check("", "Rook, Émile, Heron, Heron Flying");
    check("two cards", "Heron, Heron Flying");
    check("\"two cards\"", "Heron, Heron Flying");
    check("émile", "Émile");
    check("kind:elf", "Rook");
    check("kind:warr", "Rook");
    check("kind:lf", "");
    check("kind:man", "");
    check("uma", "Émile");
    check("name:é", "Émile");
    check("kind=elf", "");
    check("kind=\"elf warrior\"", "Rook");
    check("power>=900", "Émile, Heron Flying");
    check("power<900", "Rook");
    check("power=x", "Heron");
    check("kind=", "Heron Flying");
    check("rarity!=rare", "Émile, Heron, Heron Flying");
    check("is:alternate", "Heron Flying");
    check("form:b", "Heron Flying");
    check("set:\"s\" power>500", "Émile, Heron Flying");
    check("not power>500 -kind:bird", "Rook");
    check("kind:bird or kind:human", "Émile, Heron");
    check("(rook or heron) and -is:alternate", "Rook, Heron");
    check("id:000000000003 power:900", "Heron Flying");
    check("is:hidden", "");
}

#[test]
fn wrong_queries_say_where() {
    check(
        "powr>1",
        "0..4 the game has no property `powr`; did you mean `Power`?",
    );
    check("power>", "6..6 a value is missing here");
    check("power>x", "6..7 `x` is neither a number nor a property");
    check("(rook", "0..1 this `(` is not closed");
    check("rook)", "4..5 this `)` closes nothing");
    check("\"rook", "0..1 this quote is not closed");
    check("rook or", "7..7 a search term is missing here");
    check(
        "is:big",
        "3..6 a card is never `big`; `is:alternate` and `is:hidden` are known",
    );
    check(":x", "0..1 a property is missing before this");
    check(&"(".repeat(100_000), "65..66 nested deeper than 64");
    check(&"not ".repeat(100), "260..263 nested deeper than 64");
}

/// A number that is looked for is a whole one.
#[test]
fn numbers_are_whole() {
    check("power:9", "");
    check("power:900", "Heron Flying");
    check("power:12", "");
}

#[test]
fn what_is_found_can_be_put_in_order() {
    check("order:name", "Émile, Heron, Heron Flying, Rook");
    check("order:-name", "Rook, Heron Flying, Heron, Émile");
    check("order:power", "Rook, Heron Flying, Émile, Heron");
    check("order:power dir:desc", "Émile, Heron Flying, Rook, Heron");
    check("order:rarity order:-power", "Rook, Émile, Heron Flying, Heron");
    check("-order:name or rook", "Rook");
    check(
        "order:powr",
        "6..10 the game has no property `powr`; did you mean `Power`?",
    );
}

#[test]
fn of_equal_cards_one_is_enough() {
    check("unique:set", "Rook");
    check("unique:cards is:alternate", "Heron Flying");
    check("unique:prints", "Rook, Émile, Heron, Heron Flying");
    check("unique:rarity order:-name", "Rook, Émile");
}

#[test]
fn regular_expressions_find_cards() {
    // Without a property any of them may match: Émile is a Human.
    check("/^h.*n$/", "Émile, Heron");
    check("name:/^h.*n$/", "Heron");
    check("name:/^h/ kind=", "Heron Flying");
    check("kind:/elf|human/", "Rook, Émile");
    check("text:/two\\s+cards/", "Heron, Heron Flying");
    check("/a\\/b/", "");
    check("1/2", "");
    check("power>/1/", "6..9 a regular expression comes after `:`");
    check("/(/", "0..3 this is not a regular expression: unclosed group");
    check(
        "/(((a{99}){99}){99})/",
        "0..21 this regular expression is too large",
    );
}

#[test]
fn two_properties_are_compared() {
    check("power>=power", "Rook, Émile, Heron Flying");
    check("power=power", "Rook, Émile, Heron, Heron Flying");
    check("kind!=rarity", "Rook, Émile, Heron");
    check("kind=\"rarity\"", "");
}

#[test]
fn a_game_has_short_names() {
    check("pow>500", "Émile, Heron Flying");
    check("n:rook", "Rook");
    check("!heron", "Heron");
    check("!\"heron flying\"", "Heron Flying");
    check("bad:1", "0..3 `bad` stands for `Nothing`, which is no property");
}

#[test]
fn a_value_that_no_card_has_suggests_one() {
    let package = package();
    let near = |text: &str| {
        let query = CardQuery::parse(text, &package.definition).unwrap();
        query.near_misses(&package).join("; ")
    };
    assert_eq!(
        near("rarity=rar"),
        "no card has Rarity `rar`; did you mean `Rare`?"
    );
    assert_eq!(
        near("kind=warrior"),
        "no card has Kind `warrior`; did you mean `Elf Warrior`?"
    );
    assert_eq!(
        near("kind:warrier"),
        "no card has Kind `warrier`; did you mean `Elf Warrior`?"
    );
    assert_eq!(near("rarity:rare power:7"), "");
}

/// Accents, ligatures, apostrophes and how letters are composed do not count, in the query and on the card.
#[test]
fn accents_do_not_count() {
    for name in ["Séance", "Se\u{301}ance", "SEANCE"] {
        let set = set(&format!(
            "<cards><card id=\"0b000000-0000-4000-8000-000000000001\" name=\"{name}\"/>\
             <card id=\"0b000000-0000-4000-8000-000000000002\" name=\"Hero’s Æther\"/></cards>"
        ));
        let package = Package::read(&files(&set)).unwrap();
        let found = |text: &str| {
            let query = CardQuery::parse(text, &package.definition).unwrap();
            let found = query.select(forms(&package));
            found
                .iter()
                .map(|form| form.name().to_owned())
                .collect::<Vec<_>>()
                .join(", ")
        };
        for query in [
            "seance",
            "séance",
            "SE\u{301}ANCE",
            "name:sea",
            "!séance",
            "name=seance",
        ] {
            assert_eq!(found(query), name, "{query}");
        }
        for query in [
            "aether",
            "æther",
            "Hero's",
            "hero´s",
            "name:aeth",
            "!\"hero‘s aether\"",
        ] {
            assert_eq!(found(query), "Hero’s Æther", "{query}");
        }
        assert_eq!(found("order:name"), format!("Hero’s Æther, {name}"));
    }
}

/// Our words mean the same in every game; the game's property of such a name is written in quotes.
#[test]
fn properties_with_the_names_of_our_words_take_none_away() {
    let mut definition = crate::support::DEFINITION.to_owned();
    let names = [
        "Unique",
        "Set",
        "Order",
        "Is",
        "Sort",
        "Direction",
        "Dir",
        "Id",
        "Form",
    ];
    let properties: String = names
        .iter()
        .map(|name| format!("<property name=\"{name}\" type=\"String\"/>"))
        .collect();
    definition = definition.replace(
        "<property name=\"Power\"",
        &format!("{properties}<property name=\"Power\""),
    );
    let card = |number: u32, name: &str, value: &str, power: &str| {
        let all: String = names
            .iter()
            .map(|name| format!("<property name=\"{name}\" value=\"{value}\"/>"))
            .collect();
        format!(
            "<card id=\"0b000000-0000-4000-8000-00000000000{number}\" name=\"{name}\">{all}{power}</card>"
        )
    };
    let cards = card(1, "One", "first", "<property name=\"Power\" value=\"2\"/>")
        + &card(2, "Two", "second", "<property name=\"Power\" value=\"1\"/>")
        + &card(3, "Two", "third", "");
    let files = files(&set(&format!("<cards>{cards}</cards>"))).with("definition.xml", definition);
    let package = Package::read(&files).unwrap();
    let ask = |text: &str| {
        let query = CardQuery::parse(text, &package.definition).unwrap();
        let found = query.select(forms(&package));
        let names: Vec<String> = found.iter().map(|form| form.name().to_owned()).collect();
        (names.join(", "), query.remarks(&found).join("; "))
    };
    for (query, expected) in [
        ("unique:cards", "One, Two"),
        ("unique:set", "One"),
        ("set:s", "One, Two, Two"),
        ("order:-name", "Two, Two, One"),
        ("sort:power", "Two, One, Two"),
        ("order:name dir:desc", "Two, Two, One"),
        ("is:alternate", ""),
        ("id:000000000001", "One"),
    ] {
        let (found, remarks) = ask(query);
        assert_eq!(found, expected, "{query}");
        let word = query.split(':').next().unwrap();
        assert!(
            remarks.contains(&format!("written `\"{word}\":`")),
            "{query}: {remarks}"
        );
    }
    for name in names {
        let (found, remarks) = ask(&format!("\"{name}\":second"));
        assert_eq!((found.as_str(), remarks.as_str()), ("Two", ""), "{name}");
        assert_eq!(
            ask(&format!("\"{name}\"=third or \"{name}\"=first")).0,
            "One, Two"
        );
    }
}

/// `!=` finds what lacks the property, too, and says so.
#[test]
fn what_lacks_a_property_is_different_and_said() {
    let package = package();
    let ask = |text: &str| {
        let query = CardQuery::parse(text, &package.definition).unwrap();
        let found = query.select(forms(&package));
        (found.len(), query.remarks(&found).join("; "))
    };
    let more = "3 of these have no `Rarity`; add `Rarity!=` to exclude them";
    assert_eq!(ask("rarity!=common"), (4, more.to_owned()));
    assert_eq!(ask("rarity!=common rarity!="), (1, String::new()));
    let one = "1 of these has no `Kind`; add `Kind!=` to exclude it";
    assert_eq!(ask("kind!=bird"), (3, one.to_owned()));
}

#[track_caller]
fn check_completion(begun: &str, expected: &str) {
    let package = package();
    let aliases: Aliases = [("pow".to_owned(), "Power".to_owned())].into();
    let index = CardIndex::new(&package);
    let offered = index.complete(&package.definition, &aliases, begun);
    let offered: Vec<&str> = offered.iter().map(|one| one.query.as_str()).collect();
    assert_eq!(offered.join("|"), expected, "{begun}");
}

/// What is offered is what the query language reads: names of properties, words of its own, values that are
/// there.
#[test]
fn what_is_being_typed_is_completed() {
    for (begun, expected) in [
        ("po", "Power:|pow:"),
        ("rook ra", "rook Rarity:"),
        ("rook -kin", "rook -Kind:"),
        ("(un", "(unique:"),
        ("kind:", "kind:Bird |kind:\"Elf Warrior\" |kind:Human "),
        ("kind:w", "kind:\"Elf Warrior\" "),
        ("kind:\"elf w", "kind:\"Elf Warrior\" "),
        ("pow>=9", "pow>=900 "),
        ("name:em", "name:Émile "),
        ("is:", "is:alternate |is:hidden "),
        ("order:po", "order:Power |order:pow "),
        ("", ""),
        ("nothing:x", ""),
        ("zzz", ""),
    ] {
        check_completion(begun, expected);
    }
}

/// Values of a facet are counted among the forms that are found, numbers before texts; one that is chosen
/// leaves those that have it.
#[test]
fn facets_count_and_choose() {
    let package = package();
    let index = CardIndex::new(&package);
    let facets: Vec<&str> = index.facets().iter().map(|facet| facet.name.as_str()).collect();
    assert_eq!(facets, ["Kind", "Power"]);
    let query = CardQuery::parse("", &package.definition).unwrap();
    let all = index.select(&package, &query, false, &[]);
    let values = index.values(1, &all);
    let told: Vec<String> = values
        .iter()
        .map(|value| format!("{} {}", value.text, value.count))
        .collect();
    assert_eq!(told, ["500 1", "900 1", "1200 1", "X 1"]);
    let chosen = [(1, "900".to_owned())];
    let some = index.select(&package, &query, false, &chosen);
    assert_eq!(some.len(), 1);
    assert_eq!(index.form(&package, some[0]).unwrap().name(), "Heron Flying");
    assert!(
        index
            .select(&package, &query, false, &[(9, "900".to_owned())])
            .len()
            == all.len()
    );
}
