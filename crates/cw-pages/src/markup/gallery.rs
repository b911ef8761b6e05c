//! All cards of a game, to be searched, sorted out and read; what is printed is no secret.

use cw_octgn::{
    BigRational, CardRef, QueryCompletion, QueryError, RichPiece, RichStyle, SearchedForm, to_f64,
};
use cw_program::ModelId;
use maud::{DOCTYPE, Markup, html};

use crate::labels;
use crate::library::{CardInPack, CardLibrary, CardWish, FoundCards, ShownFacet};
use crate::package::DuelPackage;

/// Cards that a page shows before anybody scrolls.
pub const FIRST_CARDS: usize = 48;

/// Where the gallery leads back to: the page that it was opened from, carried along from card to card.
#[derive(Clone, Copy, Debug)]
pub struct WayBack<'a>(pub Option<&'a str>);

impl WayBack<'_> {
    /// The address of a page of the gallery that leads back the same way.
    pub(crate) fn along(self, page: &str) -> String {
        match self.0 {
            Some(back) if page.contains('?') => format!("{page}&back={back}"),
            Some(back) => format!("{page}?back={back}"),
            None => page.to_owned(),
        }
    }
}

/// What a page of the gallery stands in.
#[derive(Clone, Copy, Debug)]
pub struct GalleryPlace<'a> {
    /// The page that it leads back to; without one it leads to the front page, if there is one.
    pub back: WayBack<'a>,
    /// Where the front page is.
    pub home: Option<&'a str>,
}

impl GalleryPlace<'_> {
    fn way_home(self) -> Option<String> {
        self.back.0.or(self.home).map(str::to_owned)
    }
}

/// A search, and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// What was looked for.
    pub wish: &'a CardWish,
    /// What was found, or what is wrong with the query.
    pub found: Result<&'a FoundCards, &'a QueryError>,
    /// The place of the first card that is shown, for pages without scripts.
    pub from: usize,
}

/// A page of cards.
pub(super) fn card_document(title: &str, script: Option<&str>, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="dark light";
                title { (title) }
                base href="/";
                link rel="icon" href="/face/back.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/table.css";
                link rel="stylesheet" href="/assets/front.css";
                link rel="stylesheet" href="/assets/cards/cards.css";
                script type="module" src="/assets/table.js" {}
                @if let Some(script) = script {
                    script type="module" src=(format!("/assets/cards/{script}.js")) {}
                }
            }
            (body)
        }
    }
    .into_string()
}

/// All cards of the game that are looked for.
pub fn cards(library: &CardLibrary, searched: &Searched<'_>, place: GalleryPlace<'_>) -> String {
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { (labels::CARDS) } p {
                @match place.way_home() {
                    Some(home) => a href=(home) { (library.name()) },
                    None => (library.name()),
                }
                " · " a href="/cards/compare" { (labels::COMPARE_DECKS) }
            } } }
            main.gallery {
                form.search role="search" method="get" action="/cards" data-find="/cards/found" {
                    @if let Some(back) = place.back.0 { input type="hidden" name="back" value=(back); }
                    (search_field(&searched.wish.text))
                    (search_help())
                    div id="found" { (found(library, searched, place)) }
                }
            }
        }
    };
    card_document(labels::CARDS, Some("gallery"), &body)
}

/// The field that a query is written in; what can be written stands below it.
pub(super) fn search_field(text: &str) -> Markup {
    html! {
        div.ask {
            input.find type="search" name="q" value=(text) placeholder=(labels::FIND_A_CARD)
                aria-label=(labels::FIND_A_CARD) role="combobox" aria-controls="offers" aria-expanded="false"
                aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false"
                enterkeyhint="search" data-complete="/cards/complete";
            button.go type="submit" { "Search" }
            ul.offers id="offers" role="listbox" aria-label="What can be written here" hidden {}
        }
    }
}

/// The search language on a few lines.
fn search_help() -> Markup {
    let rows = [
        ("king", "text anywhere in a card"),
        ("type:action", "words in a property that begin so"),
        ("type=action", "the whole value; `cost=` alone: it is missing"),
        ("cost>=3", "numbers; also <, <=, >, !=, and another property"),
        ("a or (b -c)", "or, and, not, parentheses, quotes"),
        ("!\"whole name\"", "exactly this name"),
        ("/draw(s)?/", "a regular expression"),
        ("is:alternate is:hidden", "other forms; cards of hidden sets"),
        (
            "unique:cards order:-cost",
            "each name once; sorted, here downwards",
        ),
    ];
    html! {
        details.search-help {
            summary { "How to search" }
            dl { @for (query, words) in rows { dt { code { (query) } } dd { (words) } } }
        }
    }
}

/// What a search has found, below its field: how cards can be sorted out, how many there are, and the first
/// of them.
pub fn found(library: &CardLibrary, searched: &Searched<'_>, place: GalleryPlace<'_>) -> Markup {
    let (wish, from) = (searched.wish, searched.from);
    let many = searched.found.map_or(0, |found| found.places.len());
    html! {
        @if let Ok(found) = searched.found {
            div.facets role="group" aria-label="Sort out" {
                @for facet in &found.facets { (self::facet(facet)) }
            }
        }
        div.told id="told" role="status" {
            @match searched.found {
                Err(error) => (query_error(&wish.text, error)),
                Ok(found) => {
                    p { b { (forms(found.places.len())) } }
                    @for remark in &found.remarks { p.quiet { (remark) } }
                    @if found.places.is_empty() { p { (labels::NO_SUCH_CARD) } }
                },
            }
        }
        ul.window.grid.large id="cards" data-count=(many) data-first=(from)
            data-rows=(place.back.along(&address("/cards/rows", wish))) {
            @if let Ok(found) = searched.found { (rows(library, found, from, FIRST_CARDS, place.back)) }
        }
        @if many > FIRST_CARDS {
            nav.ways.pages aria-label="More cards" {
                @if let Some(before) = from.checked_sub(FIRST_CARDS) {
                    a.way href=(place.back.along(&format!("{}&from={before}", address("/cards", wish)))) {
                        "The cards before"
                    }
                }
                @if from + FIRST_CARDS < many {
                    a.way href=(place.back.along(&format!(
                        "{}&from={}",
                        address("/cards", wish),
                        from + FIRST_CARDS,
                    ))) {
                        "More cards"
                    }
                }
            }
        }
    }
}

fn forms(many: usize) -> String {
    match many {
        1 => "1 card".to_owned(),
        many => format!("{many} cards"),
    }
}

pub(super) fn facet(facet: &ShownFacet) -> Markup {
    let words = match facet.is_set {
        true => "Set",
        false => facet.name.as_str(),
    };
    let is_gone = |chosen: &String| !facet.values.iter().any(|value| value.text == *chosen);
    html! {
        label {
            span { (words) } " "
            select name=(format!("f.{}", facet.name)) data-chosen[facet.chosen.is_some()] {
                option value="" { (labels::ANY) }
                @if let Some(chosen) = facet.chosen.as_ref().filter(|chosen| is_gone(chosen)) {
                    option value=(chosen) selected { (chosen) " (0)" }
                }
                @for value in &facet.values {
                    option value=(value.text) selected[facet.chosen.as_ref() == Some(&value.text)] {
                        (value.text) " (" (value.count) ")"
                    }
                }
            }
        }
    }
}

/// A query with what is wrong with it, at its place.
pub(super) fn query_error(text: &str, error: &QueryError) -> Markup {
    let range = error.span.range();
    let (start, end) = (range.start.min(text.len()), range.end.min(text.len()));
    let (before, wrong, after) = (text.get(..start), text.get(start..end), text.get(end..));
    html! {
        p.fault {
            b { (labels::capital(&error.message)) "." }
            @if let Some(help) = &error.help { " " (labels::capital(help)) }
        }
        p.wrong aria-hidden="true" {
            (before.unwrap_or(text))
            mark { @match wrong { Some("") | None => "␣", Some(wrong) => (wrong) } }
            (after.unwrap_or(""))
        }
    }
}

/// Some of the cards that were found.
pub fn rows(
    library: &CardLibrary,
    found: &FoundCards,
    from: usize,
    many: usize,
    back: WayBack<'_>,
) -> Markup {
    let shown = found.places.iter().skip(from).take(many);
    html! {
        @for at in shown {
            @if let (Some(form), Some((card, number, nth))) = (
                library.index().form(library.package(), *at),
                library.index().card(*at),
            ) {
                li {
                    a.card href=(back.along(&format!("/cards/{number}"))) aria-label=(label(library, &form))
                        data-number=(number) {
                        img src=(library.picture(card, number, nth, "full")) alt="" width="63" height="88"
                            loading="lazy" decoding="async";
                    }
                }
            }
        }
    }
}

/// A card in a few words, for readers of screens: its name, its form, and the values by which cards are
/// sorted out.
pub(super) fn label(library: &CardLibrary, form: &SearchedForm<'_>) -> String {
    let facets = library.index().facets().iter().filter(|facet| !facet.is_set());
    let values = facets
        .filter_map(|facet| Some((facet.name.as_str(), form.text(&facet.name)?.trim())))
        .filter(|(_, value)| !value.is_empty())
        .take(4)
        .map(|(name, value)| match value.parse::<f64>() {
            Ok(_) => format!("{name} {value}"),
            Err(_) => value.to_owned(),
        });
    let kind = form.alternate.map(|alternate| alternate.kind.to_string());
    let all: Vec<String> = std::iter::once(form.name().to_owned())
        .chain(kind)
        .chain(values)
        .collect();
    all.join(", ")
}

/// What can be written where a query is being typed.
pub fn completions(offered: &[QueryCompletion]) -> Markup {
    html! {
        @for (at, one) in offered.iter().enumerate() {
            li role="option" id=(format!("offer-{at}")) aria-selected="false" data-query=(one.query) {
                (one.word)
                @if !one.about.is_empty() { " " small.quiet { (one.about) } }
            }
        }
    }
}

/// The address of a page for a wish.
pub(super) fn address(page: &str, wish: &CardWish) -> String {
    let mut address = format!("{page}?q={}", escaped(&wish.text));
    for (name, value) in &wish.choices {
        address.push_str(&format!("&f.{}={}", escaped(name), escaped(value)));
    }
    address
}

/// A text in an address (RFC 3986, section 2).
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The page of one card; nothing if there is no such card. `duels` are what is played with it.
pub fn card_page(
    library: &CardLibrary,
    number: u32,
    duels: Option<&DuelPackage>,
    place: GalleryPlace<'_>,
) -> Option<String> {
    let card = library.card(number)?;
    let package = library.package();
    let (found, set) = (package.card(card), package.set_of(card));
    let model = library.model(card);
    let printings = library.printings(card);
    let packs = library.packs_of(card);
    let [before, after] = library.beside(number);
    let forms: Vec<SearchedForm<'_>> = std::iter::once(None)
        .chain(found.alternates.iter().map(Some))
        .map(|alternate| SearchedForm {
            set,
            card: found,
            alternate,
        })
        .collect();
    let rest = html! {
        @if !printings.is_empty() {
            h2 { "In other sets" }
            ul.plain {
                @for (other, set) in printings.iter().take(40) {
                    li { a href=(place.back.along(&format!("/cards/{other}"))) { (set) } }
                }
            }
        }
        @if !packs.is_empty() { (in_packs(&packs)) }
        @if let (Some(model), Some(duels)) = (model, duels) { (in_duels(duels, model, &found.name)) }
        nav.ways aria-label=(labels::OTHER_CARDS) {
            @for (other, rel, words) in [
                (before, "prev", labels::CARD_BEFORE),
                (after, "next", labels::CARD_AFTER),
            ] {
                @if let Some((number, other)) = other {
                    a.way rel=(rel) href=(place.back.along(&format!("/cards/{number}"))) {
                        (words) ": " (*package.card(other).name)
                    }
                }
            }
        }
    };
    let body = html! {
        body.front.cards {
            header.masthead.low {
                div { h1 { (*found.name) } p { a href=(place.back.along("/cards")) { (labels::CARDS) } } }
            }
            main.gallery.one-card {
                @for (nth, form) in (0u32..).zip(&forms) {
                    (one_form(library, card, number, nth, form))
                    @if nth == 0 { div.room.about { (rest) } }
                }
            }
        }
    };
    Some(card_document(&found.name, None, &body))
}

/// A form: its picture, and everything that it says.
fn one_form(library: &CardLibrary, card: CardRef, number: u32, nth: u32, form: &SearchedForm<'_>) -> Markup {
    let properties = library.package().definition.properties.iter();
    let lines = properties
        .filter(|property| !property.hidden)
        .filter_map(|property| {
            Some((
                property.name.as_str(),
                form.card.form_value(form.alternate, &property.name)?,
            ))
        })
        .filter(|(_, value)| value.plain().is_some_and(|text| !text.trim().is_empty()));
    html! {
        img src=(library.picture(card, number, nth, "full")) alt=(label(library, form))
            width="63" height="88";
        div.room {
            @if let Some(alternate) = form.alternate {
                h2 { (form.name()) " " small.quiet { (*alternate.kind) } }
            }
            dl.printed {
                @for (name, value) in lines { dt { (name) } dd { (value_in_full(value)) } }
                dt { (labels::SET) }
                dd { (*form.set.name) @if form.set.hidden { " " small.quiet { "(hidden: not for decks)" } } }
            }
        }
    }
}

fn value_in_full(value: &cw_octgn::PropertyValue) -> Markup {
    match value {
        cw_octgn::PropertyValue::Rich(rich) => rich_text(&rich.pieces),
        cw_octgn::PropertyValue::Text(text) => html! { (text.as_str()) },
        cw_octgn::PropertyValue::Null => html! {},
    }
}

fn rich_text(pieces: &[RichPiece]) -> Markup {
    html! {
        @for piece in pieces {
            @match piece {
                RichPiece::Text(text) => (text.as_str()),
                RichPiece::Symbol { text, .. } => span.symbol { (text.as_str()) },
                RichPiece::Styled { style: RichStyle::Bold, pieces } => b { (rich_text(pieces)) },
                RichPiece::Styled { style: RichStyle::Italic, pieces } => i { (rich_text(pieces)) },
                RichPiece::Styled { style: RichStyle::Underline, pieces } => u { (rich_text(pieces)) },
                // Colours are chosen for a white card: on ours nobody could read some of them.
                RichPiece::Coloured { pieces, .. } => (rich_text(pieces)),
            }
        }
    }
}

/// The packs in which a card comes, with exact odds.
fn in_packs(packs: &[CardInPack]) -> Markup {
    html! {
        h2 { "In packs" }
        ul.plain {
            @for one in packs {
                li {
                    b { (one.set) ": " (one.pack) } " "
                    @if one.is_unlimited { "as many as you want" }
                    @else if let (Some(chance), Some(mean)) = (&one.at_least_one, &one.mean) {
                        (percent(chance)) " of packs have it (" span.exact { (fraction(chance)) }
                        "), " (decimal(mean)) " copies a pack"
                    } @else {
                        "too large a pack to say how often"
                    }
                    @if !one.overrides.is_empty() {
                        small.quiet {
                            "; there "
                            @for (at, (name, value)) in one.overrides.iter().enumerate() {
                                @if at > 0 { ", " }
                                (name) " is " (value)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A chance in per cent; what is not certain is never shown as such.
pub(super) fn percent(chance: &BigRational) -> String {
    let share = to_f64(chance) * 100.0;
    match share {
        _ if chance.is_integer() => format!("{share:.0} %"),
        share if share < 0.1 => "under 0.1 %".to_owned(),
        share if share > 99.9 => "over 99.9 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

/// The exact fraction, where it can be read.
fn fraction(chance: &BigRational) -> String {
    let text = chance.to_string();
    match text.len() {
        ..=24 => text,
        _ => format!("{:.6}", to_f64(chance)),
    }
}

fn decimal(number: &BigRational) -> String {
    let text = format!("{:.3}", to_f64(number));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What the rules make of a card: its rule, the decks that hold it, lessons and puzzles in which it takes
/// part.
fn in_duels(duels: &DuelPackage, model: ModelId, name: &str) -> Markup {
    let decks = duels.decks.iter().filter_map(|(deck, cards)| {
        let copies = cards.iter().filter(|card| **card == model).count();
        (copies > 0).then_some((copies, deck))
    });
    let decks: Vec<_> = decks.collect();
    let quoted = format!("\"{name}\"");
    let stages: Vec<&str> = duels
        .shelf
        .iter()
        .filter(|stage| stage.text.contains(&quoted))
        .map(|stage| stage.name())
        .collect();
    html! {
        @if let Some(rule) = duels.rules.get(&model).filter(|rule| !rule.text.trim().is_empty()) {
            details.rule { summary { "Its rule, as the game runs it" } pre { code { (rule.text) } } }
        }
        @if !decks.is_empty() {
            h2 { (labels::IN_DECKS) }
            ul.plain { @for (copies, deck) in &decks { li { (labels::copies(*copies, deck)) } } }
        }
        @if !stages.is_empty() {
            h2 { "In lessons and puzzles" }
            ul.plain { @for stage in &stages { li { (stage) } } }
        }
    }
}
