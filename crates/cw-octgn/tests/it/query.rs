//! Queries find the cards they say, and errors stand at their place.

use cw_octgn::{Form, Package, Query, forms};

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
                + "<property name=\"Text\">Draw <b>two</b> cards.</property><alternate name=\"Heron Flying\" type=\"b\"><property name=\"Power\" value=\"900\"/><property name=\"Kind\"/></alternate>"),
        ),
    ];
    Package::read(&files(&set(&format!("<cards>{}</cards>", cards.concat())))).unwrap()
}

#[track_caller]
fn check(query: &str, expected: &str) {
    let package = package();
    let got = match Query::parse(query, &package.definition) {
        Err(error) => {
            let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{:?} {}{help}", error.span, error.message)
        }
        Ok(query) => {
            let found = forms(&package).filter(|form| query.matches(form));
            found
                .map(|form: Form<'_>| form.name().to_owned())
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
    check("id:000000000003 power:9", "Heron Flying");
    check("is:hidden", "");
}

#[test]
fn wrong_queries_say_where() {
    check(
        "powr>1",
        "0..4 the game has no property `powr`; did you mean `Power`?",
    );
    check("power>", "6..6 a value is missing here");
    check("power>x", "6..7 `x` is not a number");
    check("(rook", "0..1 this `(` is not closed");
    check("rook)", "4..5 this `)` closes nothing");
    check("\"rook", "0..1 this quote is not closed");
    check("rook or", "7..7 something to look for is missing here");
    check(
        "is:big",
        "3..6 a card is never `big`; `is:alternate` and `is:hidden` are known",
    );
    check(":x", "0..1 a property is missing before this");
    check(&"(".repeat(100_000), "65..66 nested deeper than 64");
    check(&"not ".repeat(100), "260..263 nested deeper than 64");
}
