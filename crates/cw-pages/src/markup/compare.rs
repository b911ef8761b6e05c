//! The page on which two decks lie beside each other.

use maud::{Markup, html};

use super::decks::cards_in_words;
use super::gallery::card_document;
use crate::compare::{
    ComparedCard, ComparedCurve, ComparedDeck, ComparedSection, compared_curves, compared_sections,
};
use crate::labels;
use crate::library::CardLibrary;
use crate::package::MOST_PASTED;

/// The choice of a pasted list.
pub const PASTED_LIST: &str = "list";
/// Curves that are shown.
const MOST_CURVES: usize = 8;

/// A deck that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckChoice {
    /// What the form sends for it.
    pub value: String,
    /// What it is called.
    pub name: String,
    /// Whether somebody has built it; the others are the game's.
    pub is_kept: bool,
}

/// One side of a comparison as it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedDeck {
    /// What was chosen.
    pub choice: String,
    /// The list that was pasted.
    pub list: String,
    /// Why it is not there.
    pub fault: Option<String>,
    /// Lines of the list that were left out, and why.
    pub remarks: Vec<String>,
}

/// What the page of a comparison shows.
#[derive(Clone, Copy, Debug)]
pub struct ComparePage<'a> {
    /// Its address.
    pub address: &'a str,
    /// The address of the page it leads back to, and what stands there.
    pub back: (&'a str, &'a str),
    /// The name of the first deck, where only the other one can be chosen.
    pub own: Option<&'a str>,
    /// The decks that can be chosen.
    pub choices: &'a [DeckChoice],
    /// Both sides as they were asked for.
    pub asked: &'a [AskedDeck; 2],
    /// Both decks, if both are there.
    pub decks: Option<[&'a ComparedDeck; 2]>,
}

/// Two decks beside each other, and how other ones are chosen.
pub fn compare(library: &CardLibrary, page: ComparePage<'_>) -> String {
    let body = html! {
        body.front.cards {
            header.masthead.low {
                div { h1 { (labels::COMPARE_DECKS) } p { a href=(page.back.0) { (page.back.1) } } }
            }
            main.gallery.versus {
                form.versus-form method="post" action=(page.address) data-plain {
                    @for side in 0..2 { (chooser(page, side)) }
                    button.go type="submit" { (labels::COMPARE) }
                }
                @if let Some(decks) = page.decks { (compared(library, decks, page.own.is_some())) }
                @else if page.asked.iter().all(|asked| asked.fault.is_none()) {
                    p.quiet { (labels::CHOOSE_TO_COMPARE) }
                }
            }
        }
    };
    card_document(labels::COMPARE_DECKS, Some("compare"), &body)
}

/// How the deck of one side is chosen.
fn chooser(page: ComparePage<'_>, side: usize) -> Markup {
    let (asked, letter) = (&page.asked[side], ["a", "b"][side]);
    if let Some(name) = page.own.filter(|_| side == 0) {
        return html! {
            div.side-of data-side=(letter) { p.quiet { (labels::THIS_DECK) } p { b { (name) } } }
        };
    }
    let is_list = asked.choice == PASTED_LIST;
    let group = |kept: bool| page.choices.iter().filter(move |one| one.is_kept == kept);
    let option = |one: &DeckChoice| {
        html! { option value=(one.value) selected[one.value == asked.choice] { (one.name) } }
    };
    html! {
        div.side-of data-side=(letter) {
            label.named {
                span {
                    (match (page.own, side) {
                        (Some(_), _) => labels::BESIDE,
                        (None, 0) => labels::FIRST_DECK,
                        (None, _) => labels::SECOND_DECK,
                    })
                }
                select name=(letter) {
                    option value="" selected[asked.choice.is_empty()] { (labels::CHOOSE_A_DECK) }
                    @if group(true).next().is_some() {
                        optgroup label=(labels::YOUR_DECKS) { @for one in group(true) { (option(one)) } }
                    }
                    @if group(false).next().is_some() {
                        optgroup label=(labels::DECKS_OF_THE_GAME) {
                            @for one in group(false) { (option(one)) }
                        }
                    }
                    option value=(PASTED_LIST) selected[is_list] { (labels::PASTED_LIST) }
                }
            }
            details open[is_list] {
                summary { (labels::PASTE_A_LIST) }
                textarea name=(format!("list-{letter}")) rows="6" maxlength=(MOST_PASTED / 2)
                    spellcheck="false" aria-label=(labels::LIST_TO_COMPARE)
                    placeholder=(labels::LIST_OF_CARDS) { (asked.list) }
            }
            @if let Some(words) = &asked.fault { p.fault role="status" { (words) } }
            @if !asked.remarks.is_empty() {
                div.fault role="status" {
                    p { (labels::LINES_LEFT_OUT) }
                    ul.plain { @for remark in &asked.remarks { li { (labels::capital(remark)) } } }
                }
            }
        }
    }
}

fn compared(library: &CardLibrary, decks: [&ComparedDeck; 2], is_own: bool) -> Markup {
    let sections = compared_sections(library.package(), decks.map(|deck| &deck.deck));
    let shared: u64 = sections.iter().map(ComparedSection::shared).sum();
    let more = [0, 1].map(|side| sections.iter().map(|section| section.more(side)).sum::<u64>());
    let mut curves = compared_curves(decks.map(|deck| &*deck.curves));
    curves.retain(|curve| curve.values.len() > 1 || !curve.is_number);
    curves.truncate(MOST_CURVES);
    // Two decks of the same name are told apart by their sides.
    let names = match decks[0].name == decks[1].name {
        false => decks.map(|deck| &*deck.name),
        true => labels::NAMESAKES[usize::from(is_own)],
    };
    html! {
        div.sides {
            @for (side, deck) in decks.into_iter().enumerate() { (head(deck, ["a", "b"][side])) }
        }
        p.sum-up role="status" {
            @match (shared, more) {
                (0, _) => "They have no card in common.",
                (_, [0, 0]) => "Both decks have the same cards.",
                (_, [one, two]) => {
                    "In common: " b { (cards_in_words(shared)) }
                    ". Only in one of them: " b { (one) } " and " b { (two) } "."
                },
            }
        }
        @for section in &sections {
            section.section-of {
                @if sections.len() > 1 { h2 { (section.name) } }
                div.piles-of {
                    (pile(
                        library,
                        &section.cards,
                        &labels::more_in(names[0]),
                        Some("a"),
                        |card| card.more(0),
                        |card| (card.copies[1] > 0).then(|| labels::copies_to(card.copies)),
                    ))
                    (pile(
                        library,
                        &section.cards,
                        &labels::more_in(names[1]),
                        Some("b"),
                        |card| card.more(1),
                        |card| (card.copies[0] > 0)
                            .then(|| labels::copies_to([card.copies[1], card.copies[0]])),
                    ))
                    (pile(library, &section.cards, labels::IN_BOTH, None, ComparedCard::shared, |_| None))
                }
            }
        }
        @if !curves.is_empty() { div.figures { @for curve in &curves { (butterfly(curve, names)) } } }
    }
}

/// How one of the decks is judged.
fn head(deck: &ComparedDeck, letter: &str) -> Markup {
    let size = deck.size.as_ref().map(|size| match (*size.start(), *size.end()) {
        (least, most) if least == most => format!(" of {least}"),
        (least, most) => format!(" of {least} to {most}"),
    });
    html! {
        section.room data-side=(letter) {
            h2 { (deck.name) }
            p.count { b { (deck.total) } (size.clone().unwrap_or_default()) " cards" }
            div.legal data-legal=(deck.reasons.is_empty() && size.is_some()) {
                @if deck.reasons.is_empty() {
                    p { @if size.is_some() { (labels::LEGAL_DECK) } @else { (labels::ONLY_PEOPLE_JUDGE) } }
                } @else { ul.plain { @for reason in &deck.reasons { li { (labels::capital(reason)) } } } }
            }
        }
    }
}

/// Cards of which so many copies count, with a note on each; nothing if there are none.
fn pile(
    library: &CardLibrary,
    cards: &[ComparedCard],
    title: &str,
    letter: Option<&str>,
    count: impl Fn(&ComparedCard) -> u32,
    note: impl Fn(&ComparedCard) -> Option<String>,
) -> Markup {
    let own: Vec<&ComparedCard> = cards.iter().filter(|card| count(card) > 0).collect();
    let sum: u64 = own.iter().map(|card| u64::from(count(card))).sum();
    if own.is_empty() {
        return html! {};
    }
    let sign = if letter.is_some() { "+" } else { "" };
    html! {
        section.pile-of data-side=[letter] {
            h3 { (title) " " span.quiet { "(" (sum) ")" } }
            ul.plain {
                @for card in own {
                    @let number = library.number(card.card);
                    li {
                        span.many { (sign) (count(card)) }
                        img src=(library.picture(card.card, number, 0, "small")) alt="" width="63" height="88"
                            loading="lazy" decoding="async";
                        a.called href=(format!("/cards/{number}")) {
                            (*library.package().card(card.card).name)
                        }
                        @if let Some(note) = note(card) { span.quiet { (note) } }
                    }
                }
            }
        }
    }
}

/// A curve of both decks: the bars of one grow to the left, those of the other one to the right.
fn butterfly(curve: &ComparedCurve, names: [&str; 2]) -> Markup {
    let most = curve
        .values
        .iter()
        .flat_map(|(_, counts)| *counts)
        .max()
        .unwrap_or(1)
        .max(1);
    let bar = |letter: &str, count: u32| {
        html! {
            td.half data-side=(letter) {
                svg viewBox=(format!("0 0 {most} 1")) preserveAspectRatio="none" aria-hidden="true" {
                    rect x=(if letter == "a" { most - count } else { 0 }) width=(count) height="1" {}
                }
            }
        }
    };
    html! {
        table.bars.butterfly {
            caption { (curve.name) }
            colgroup { col.number; col; col.value data-number[curve.is_number]; col; col.number; }
            thead {
                tr {
                    th scope="col" colspan="2" { span.sr { (names[0]) } }
                    th scope="col" { span.sr { (curve.name) } }
                    th scope="col" colspan="2" { span.sr { (names[1]) } }
                }
            }
            tbody { @for (value, [one, two]) in &curve.values {
                tr { td { (one) } (bar("a", *one)) th scope="row" { (value) } (bar("b", *two)) td { (two) } }
            } }
        }
    }
}
