//! The pages of decks that somebody builds: all of them, the builder, the packs of a sealed game.

use std::collections::BTreeMap;

use cw_load::{DeckCurve, Loaded};
use cw_octgn::{CardRef, Pool, PoolCard, Ratings};
use cw_players::Level;
use maud::{Markup, html};

use super::foes::LadderDeck;
use super::gallery::{card_document, percent, search_field};
use crate::bench::{BuilderRow, CardSupply, FoundRows};
use crate::decks::{
    DraftLine, KeptDeck, OpenPack, changes_in_words, deck_of_lines, key_of, lines_of, main_section, rules_of,
    text_of,
};
use crate::drafts::KeptDraft;
use crate::labels;
use crate::ladder::LadderProgress;
use crate::library::CardLibrary;
use crate::package::{DuelPackage, MOST_PASTED};

/// Turns whose chances are told.
const TURNS: u32 = 8;

/// What the page of all decks shows beside them.
#[derive(Clone, Copy, Debug)]
pub struct DeckListPage<'a> {
    /// Every deck by its name in addresses, the newest first.
    pub decks: &'a [(String, KeptDeck)],
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// A list of cards that could not be taken.
    pub pasted: &'a str,
    /// Drafts, the newest first.
    pub drafts: &'a [(String, KeptDraft)],
}

/// All decks of whoever runs the host, and how a new one begins.
pub fn deck_list(library: &CardLibrary, duels: &DuelPackage, page: DeckListPage<'_>) -> String {
    let package = library.package();
    let has_packs = package.sets.iter().any(|set| !set.packs.is_empty());
    let hidden = html! { input type="hidden" name="k" value=(page.stamp); };
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { "Your decks" } p { a href="/front/" { (library.name()) } } } }
            main.gallery.decks-page {
                @if let Some(words) = page.notice { p.notice.fault role="status" { (words) } }
                section.room {
                    h2 { "Build" }
                    @if page.decks.is_empty() { p.quiet { "You have not built a deck yet." } }
                    ul.plain.own-decks {
                        @for (id, deck) in page.decks {
                            li {
                                a.way href=(format!("/front/decks/{id}")) {
                                    b { (deck.name) } span.quiet { (summary(library, deck)) }
                                }
                                form method="post" action=(format!("/front/decks/{id}/forget")) data-plain {
                                    (hidden)
                                    button.small type="submit" aria-label=(format!("Forget {}", deck.name)) {
                                        (labels::FORGET)
                                    }
                                }
                            }
                        }
                    }
                    form method="post" action="/front/decks/new" data-plain {
                        (hidden)
                        button.go type="submit" { "A new deck" }
                    }
                    @if has_packs {
                        p {
                            a.way href="/front/sealed" {
                                b { "Open packs" }
                                span.quiet { "A sealed game: a deck of what lies in them" }
                            }
                        }
                    }
                    p {
                        a.way href="/front/draft" {
                            b { "Draft" }
                            span.quiet { "Packs go round, and everybody takes a card of each" }
                        }
                    }
                    (super::drafts::draft_list(page.drafts, page.stamp))
                }
                section.room {
                    h2 { "Begin with a deck that is there" }
                    form method="post" action="/front/decks/new" data-plain {
                        (hidden)
                        @for (at, (name, _)) in duels.decks.iter().enumerate() {
                            button.way type="submit" name="from" value=(at) { b { (name) } }
                        }
                    }
                    h2 { "Bring a deck" }
                    form method="post" action="/front/decks/new" data-plain {
                        (hidden)
                        label {
                            "A list of cards, or the text of an .o8d file"
                            textarea name="list" rows="6" maxlength=(MOST_PASTED) spellcheck="false"
                                placeholder=(labels::LIST_OF_CARDS) { (page.pasted) }
                        }
                        button.go type="submit" { "Take it" }
                    }
                }
            }
        }
    };
    card_document("Your decks", Some("decks"), &body)
}

/// How many cards, and of which packs.
fn summary(library: &CardLibrary, deck: &KeptDeck) -> String {
    let (lines, _) = lines_of(library.package(), &deck.cards);
    let cards: u64 = lines.iter().map(|line| u64::from(line.count)).sum();
    let sealed = deck.sealed.as_ref().map_or("", |_| ", of a sealed game");
    format!("{}{sealed}", cards_in_words(cards))
}

/// How many cards, in words.
pub fn cards_in_words(many: u64) -> String {
    match many {
        1 => "1 card".to_owned(),
        many => format!("{many} cards"),
    }
}

/// The seat whose cards a deck is made of.
#[derive(Clone, Copy, Debug)]
pub struct DeckOrigin<'a> {
    /// The address of the seat.
    pub base: &'a str,
    /// Whether it is a sealed game, in which the duel begins when everybody is ready.
    pub sealed: bool,
}

/// A deck in the builder.
#[derive(Clone, Copy, Debug)]
pub struct BuilderPage<'a> {
    /// Its address.
    pub base: &'a str,
    /// The draft or the sealed game whose cards it is made of.
    pub draft: Option<DeckOrigin<'a>>,
    /// The deck.
    pub deck: &'a KeptDeck,
    /// In a sealed game what lay in the packs.
    pub pool: Option<&'a Pool>,
    /// What forms must carry.
    pub stamp: &'a str,
    /// Whether chances are told for who goes second.
    pub second: bool,
    /// Words for whoever builds it.
    pub notice: Option<&'a str>,
    /// How far the ladder is climbed, if the deck may climb it.
    pub ladder: Option<&'a LadderProgress>,
}

/// The builder.
pub fn builder(
    library: &CardLibrary,
    loaded: &Loaded,
    duels: &DuelPackage,
    page: BuilderPage<'_>,
    found: Result<&FoundRows, &cw_octgn::QueryError>,
) -> String {
    let (package, base) = (library.package(), page.base);
    let sections = &package.definition.sections;
    let hand = loaded.project.config.constants.opening_hand;
    let body = html! {
        body.front.cards.builder data-hand=(hand) {
            header.masthead.low {
                div {
                    h1 { (page.deck.name) }
                    p {
                        @match page.draft {
                            Some(draft) => a href=(draft.base) {
                                @if draft.sealed { "The sealed game" } @else { "The draft" }
                            },
                            None => a href="/front/decks" { "Your decks" }
                        }
                    }
                }
            }
            main.bench {
                section.shelf aria-label="Cards" {
                    form.search role="search" method="get" action=(base) data-find=(format!("{base}/found")) {
                        (search_field(""))
                        div id="found" { (builder_found(library, base, "", found)) }
                    }
                }
                aside.deck-side aria-label="The deck" id="deck" data-keep=(format!("{base}/keep"))
                    data-stamp=(page.stamp)
                    data-lines=(text_of(package, &lines_of(package, &page.deck.cards).0))
                    data-section=(main_section(package)) {
                    @if let Some(words) = page.notice { p.fault id="refused" role="alert" { (words) } }
                    div.deck-head {
                        label.named {
                            span { "Name" }
                            input type="text" name="name" value=(page.deck.name) maxlength="80"
                                autocomplete="off";
                        }
                        @if sections.len() > 1 {
                            label.named {
                                span { "Add to" }
                                select id="section" {
                                    @for (at, section) in sections.iter().enumerate() {
                                        option value=(at) selected[at == main_section(package)] {
                                            (*section.name)
                                        }
                                    }
                                }
                            }
                        }
                        div.acts {
                            button.small type="button" id="undo" disabled title="Ctrl+Z" { "Undo" }
                            button.small type="button" id="redo" disabled title="Ctrl+Y" { "Redo" }
                            @if page.pool.is_some() {
                                button.small type="button" id="suggest"
                                    data-from=(format!("{base}/suggest")) { "Suggest a deck" }
                            }
                            button.small type="button" id="hand" { "Test hand" }
                            a.small href=(format!("{base}/compare")) { (labels::COMPARE) }
                        }
                        p.quiet id="saved" role="status" { "Saved." }
                    }
                    div id="panel" { (panel(library, loaded, page)) }
                    @if let Some(draft) = page.draft {
                        @if draft.sealed {
                            form.play method="post" action=(format!("{}ready", draft.base)) data-plain {
                                input type="hidden" name="k" value=(page.stamp);
                                input type="hidden" name="ready" value="yes";
                                p.quiet {
                                    "The duel begins when both of you are ready. \
                                     A deck that is changed is not ready any more."
                                }
                                button.go type="submit" { "I am ready" }
                            }
                        } @else {
                            a.way.go href=(format!("{}results", draft.base)) { "Play the other drafters" }
                        }
                    } @else {
                        form.play method="post" action=(format!("{base}/duel")) data-plain {
                            h2 { "Play with it" }
                            input type="hidden" name="k" value=(page.stamp);
                            @if page.pool.is_some() {
                                p { "The computer plays a deck of the same packs: it opened its own." }
                            } @else {
                                label.named {
                                    span { "Against" }
                                    select name="other" {
                                        @for (at, (name, _)) in duels.decks.iter().enumerate() {
                                            option value=(at) selected[at == 1] { (name) }
                                        }
                                    }
                                }
                            }
                            label.named {
                                span { "Strength" }
                                select name="level" {
                                    @for level in Level::ALL {
                                        option value=(level.name()) selected[level == Level::BEST] {
                                            (labels::capital(level.name()))
                                        }
                                    }
                                }
                            }
                            button.go type="submit" { "Begin the duel" }
                        }
                    }
                    @if page.draft.is_none() {
                        a.way href=(format!("{base}/arena")) {
                            b { (labels::TRY_IN_ARENA) }
                            span.quiet { (labels::ARENA_IN_SHORT) }
                        }
                    }
                    @if let Some(progress) = page.ladder {
                        (super::foes::ladder(duels, progress, page.stamp, LadderDeck::This(base)))
                    }
                    div.out {
                        h2 { "Take it along" }
                        a.small href=(format!("{base}/deck.o8d"))
                            download=(format!("{}.o8d", page.deck.name)) { "As .o8d" }
                        a.small href=(format!("{base}/deck.txt"))
                            download=(format!("{}.txt", page.deck.name)) { "As text" }
                        @if page.draft.is_none() { a.small href=(format!("{base}/link")) { "As a link" } }
                    }
                    details.keys {
                        summary { "Keys" }
                        dl {
                            @for (keys, words) in [
                                ("arrows", "from card to card"),
                                ("Enter", "one more"),
                                ("−  Delete", "one less"),
                                ("/", "search"),
                                ("Ctrl+Z  Ctrl+Y", "undo, redo"),
                            ] {
                                dt { code { (keys) } } dd { (words) }
                            }
                        }
                    }
                }
            }
            nav.switch aria-label="What is shown" {
                button type="button" data-show="cards" aria-pressed="true" { "Cards" }
                button type="button" data-show="deck" aria-pressed="false" { "Deck" span id="so-far" {} }
            }
            dialog.test-hand id="test-hand" aria-labelledby="test-hand-title" {
                h2 id="test-hand-title" { "A test hand" }
                ul.hand-cards {}
                p.acts {
                    button.small type="button" data-draw { "Draw one more" }
                    button.small type="button" data-again { "Another hand" }
                    button.small type="button" data-close { (labels::CLOSE) }
                }
            }
        }
    };
    card_document(&page.deck.name, Some("builder"), &body)
}

/// What a search in the builder has found.
pub fn builder_found(
    library: &CardLibrary,
    base: &str,
    query: &str,
    found: Result<&FoundRows, &cw_octgn::QueryError>,
) -> Markup {
    let many = found.map_or(0, |found| found.rows.len());
    html! {
        @if let Ok(found) = found {
            div.facets role="group" aria-label="Sort out" {
                @for facet in &found.facets { (super::gallery::facet(facet)) }
            }
        }
        div.told id="told" role="status" {
            @match found {
                Err(error) => (super::gallery::query_error(query, error)),
                Ok(found) => {
                    p { b { (cards_in_words(found.rows.len() as u64)) } }
                    @for remark in &found.remarks { p.quiet { (remark) } }
                },
            }
        }
        ul.window.grid id="cards" data-count=(many) data-first="0"
            data-rows=(super::gallery::address(
                &format!("{base}/rows"),
                &found.map_or_else(|_| Default::default(), |found| found.wish.clone()),
            )) {
            @if let Ok(found) = found { (builder_rows(library, found, 0, super::FIRST_CARDS)) }
        }
    }
}

/// Some of the cards that can be put into a deck.
pub fn builder_rows(library: &CardLibrary, found: &FoundRows, from: usize, many: usize) -> Markup {
    html! { @for row in found.rows.iter().skip(from).take(many) { (builder_row(library, row)) } }
}

fn builder_row(library: &CardLibrary, row: &BuilderRow) -> Markup {
    let (package, card) = (library.package(), row.card);
    let found = package.card(card.card);
    let form = cw_octgn::SearchedForm {
        set: package.set_of(card.card),
        card: found,
        alternate: None,
    };
    let changed = changes_in_words(package, card);
    let (copies, there) = match row.there {
        CardSupply::Free => (None, String::new()),
        CardSupply::Unlimited => (Some("∞".to_owned()), ", any number".to_owned()),
        CardSupply::Copies(many) => (Some(many.to_string()), format!(", {many} in the packs")),
    };
    html! {
        li data-key=(key_of(package, card)) data-name=(*found.name) data-there=[copies] draggable="true" {
            button.card type="button"
                aria-label=(format!(
                    "{}{}{there}",
                    super::gallery::label(library, &form),
                    changed.iter().map(|one| format!(", here {one}")).collect::<String>(),
                )) {
                img src=(library.picture(card.card, row.number, 0, "full")) alt="" width="63" height="88"
                    loading="lazy" decoding="async" draggable="false";
            }
            span.held aria-hidden="true" {}
            (changed_badge(library, card))
            a.more href=(format!("/cards/{}", row.number)) aria-label=(format!("About {}", *found.name)) {
                "i"
            }
        }
    }
}

/// The deck so far: whether it is legal, its cards, its curves, its chances.
pub fn panel(library: &CardLibrary, loaded: &Loaded, page: BuilderPage<'_>) -> Markup {
    let (package, project) = (library.package(), &loaded.project);
    let (lines, _) = lines_of(package, &page.deck.cards);
    let deck = deck_of_lines(package, &page.deck.name, &lines);
    let rules = rules_of(project, page.pool);
    let reasons = project.reasons(&deck, rules.as_ref());
    let counted = project.counted_cards(&deck);
    let total: u64 = counted.iter().map(|(_, count)| u64::from(*count)).sum();
    let wanted = rules
        .as_ref()
        .map(|rules| match (*rules.size.start(), *rules.size.end()) {
            (least, most) if least == most => format!(" of {least}"),
            (least, most) => format!(" of {least} to {most}"),
        });
    html! {
        p.count data-total=(total) { b { (total) } (wanted.unwrap_or_default()) " cards" }
        div.legal data-legal=(reasons.is_empty() && rules.is_some()) {
            @if reasons.is_empty() {
                p { @if rules.is_some() { (labels::LEGAL_DECK) } @else { (labels::ONLY_PEOPLE_JUDGE) } }
            } @else { ul.plain { @for reason in &reasons { li { (labels::capital(reason)) } } } }
        }
        (sections(library, &lines))
        @if total > 0 {
            div.figures {
                @for curve in shown_curves(project.deck_curves(&counted)) { (bars(&curve)) }
            }
            (chances(loaded, &counted, total, page.second))
        }
    }
}

fn sections(library: &CardLibrary, lines: &[DraftLine]) -> Markup {
    let package = library.package();
    let of = |at: usize| -> Vec<&DraftLine> {
        let mut own: Vec<&DraftLine> = lines.iter().filter(|line| line.section == at).collect();
        own.sort_by_key(|line| package.card(line.card.card).name.to_lowercase());
        own
    };
    let all: Vec<(usize, Vec<&DraftLine>)> = (0..package.definition.sections.len())
        .map(|at| (at, of(at)))
        .filter(|(_, own)| !own.is_empty())
        .collect();
    html! {
        @if all.is_empty() { p.quiet { "Nothing is in it yet: choose a card, or drag one here." } }
        @for (at, own) in &all {
            @if all.len() > 1 {
                h3 {
                    (*package.definition.sections[*at].name) " ("
                    (own.iter().map(|line| u64::from(line.count)).sum::<u64>()) ")"
                }
            }
            ul.lines-of-deck {
                @for line in own {
                    @let name = &package.card(line.card.card).name;
                    li data-key=(key_of(package, line.card)) data-section=(at) draggable="true"
                        data-picture=(library.picture(
                            line.card.card,
                            library.number(line.card.card),
                            0,
                            "full",
                        )) {
                        span.many { (line.count) }
                        span.called { (**name) (changed_words(package, line.card)) }
                        button.step type="button" data-step="-1" aria-label=(format!("One {} less", **name)) {
                            "−"
                        }
                        button.step type="button" data-step="1" aria-label=(format!("One {} more", **name)) {
                            "+"
                        }
                    }
                }
            }
        }
    }
}

/// Below the name of a card what a pack has made of it.
pub(super) fn changed_words(package: &cw_octgn::Package, card: PoolCard) -> Markup {
    let changed = changes_in_words(package, card);
    html! { @if !changed.is_empty() { " " small.quiet { (changed.join(", ")) } } }
}

/// Curves that fit beside a deck: numbers and kinds, not the many properties that say where an icon stands.
pub(super) fn shown_curves(curves: Vec<DeckCurve>) -> Vec<DeckCurve> {
    let mut shown = curves;
    shown.retain(|curve| curve.values.len() > 1 || !curve.is_number);
    shown.truncate(8);
    shown
}

pub(super) fn bars(curve: &DeckCurve) -> Markup {
    let most = curve
        .values
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(1)
        .max(1);
    html! {
        table.bars {
            caption { (curve.name) }
            @for (value, count) in &curve.values {
                tr {
                    th scope="row" { (value) }
                    td.gauge {
                        meter min="0" max=(most) value=(count) aria-label=(format!("{value}: {count}")) {}
                    }
                    td { (count) }
                }
            }
        }
    }
}

/// Exact chances to have drawn one of so many copies by each turn.
fn chances(loaded: &Loaded, counted: &[(CardRef, u32)], total: u64, second: bool) -> Markup {
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    if total > 1000 {
        return html! {};
    }
    let mut names: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (card, count) in counted {
        names
            .entry(*count)
            .or_default()
            .push(&loaded.project.package.card(*card).name);
    }
    html! {
        table.chances {
            caption {
                "Chance to have drawn a card, by turn "
                label { input type="checkbox" id="second" checked[second]; " going second" }
            }
            thead { tr { th scope="col" { "Copies" } @for turn in 1..=TURNS { th scope="col" { (turn) } } } }
            tbody {
                @for (count, names) in &names {
                    tr {
                        th scope="row" title=(names.join(", ")) { (count) }
                        @for chance in loaded.project.draw_chances(total, *count as usize, TURNS, second) {
                            td { (percent(&chance)) }
                        }
                    }
                }
            }
        }
    }
}

/// Why the computer has chosen the cards of a deck, the best first.
pub fn reasons(library: &CardLibrary, cards: &[(CardRef, u32)], ratings: &Ratings, pool: &Pool) -> Markup {
    let package = library.package();
    let have = pool.cards.len();
    html! {
        div.reasons {
            p {
                "Of " (have) " cards the best rated are taken. "
                @if ratings.are_measured() {
                    "A card is worth what decks scored that had drawn it, in thousandths of a duel."
                } @else {
                    "A card is worth more the rarer its packs make it, \
                     and the more other cards have less of each of its numbers."
                }
            }
            ol { @for (card, count) in cards.iter().take(12) {
                @let found = package.card(*card);
                li { (count) " " b { (*found.name) } ": rated " (ratings.of(*card)) }
            } }
        }
    }
}

/// What the page on which packs are chosen shows beside them.
#[derive(Clone, Copy, Debug)]
pub struct SealedPage<'a> {
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// Whether a friend can be invited.
    pub friends: bool,
}

/// Which packs are opened.
pub fn sealed_page(library: &CardLibrary, page: SealedPage<'_>) -> String {
    let package = library.package();
    let many: usize = package.sets.iter().map(|set| set.packs.len()).sum();
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { "Open packs" } p { a href="/front/decks" { "Your decks" } } } }
            main.gallery.decks-page {
                section.room {
                    @if let Some(words) = page.notice { p.fault role="status" { (words) } }
                    p {
                        "A sealed game: you and your opponent each open these packs, \
                         of which nobody sees the other's. Build a deck of what lies in yours, then play."
                    }
                    form.packs method="post" action="/front/sealed/open" data-plain {
                        input type="hidden" name="k" value=(page.stamp);
                        @for set in package.sets.iter().filter(|set| !set.packs.is_empty()) {
                            @for pack in &set.packs {
                                label.named {
                                    span { (*set.name) ": " b { (*pack.name) } }
                                    input type="number" name=(format!("p.{}", pack.id.value)) min="0" max="12"
                                        value=(if many == 1 { 6 } else { 0 }) inputmode="numeric";
                                }
                            }
                        }
                        @if page.friends {
                            label.named {
                                span { "Opponent" }
                                select name="with" {
                                    option value="" selected { "The computer" }
                                    option value="friend" { "A friend, by a link" }
                                }
                            }
                        }
                        button.go type="submit" { "Open them" }
                    }
                }
            }
        }
    };
    card_document("Open packs", None, &body)
}

/// The packs of a sealed game as they are opened: each card face down until it is turned, the rarest last.
/// `builder` is where a deck is built of them.
pub fn opening(library: &CardLibrary, packs: &[OpenPack], builder: &str) -> String {
    let many = packs.len();
    let mut unlimited: Vec<PoolCard> = Vec::new();
    for card in packs.iter().flat_map(|pack| &pack.unlimited) {
        if !unlimited.contains(card) {
            unlimited.push(*card);
        }
    }
    let body = html! {
        body.front.cards.opening {
            header.masthead.low {
                div { h1 { "Open packs" } p.quiet { "Touch a card to turn it." } }
                p.acts {
                    button.small type="button" id="turn-pack" { "Turn this pack" }
                    button.small type="button" id="turn-all" { "Turn all" }
                    a.go.way href=(builder) { "Build a deck" }
                }
            }
            main.gallery {
                @for (at, pack) in packs.iter().enumerate().filter(|(_, pack)| !pack.cards.is_empty()) {
                    section.pack aria-label=(format!("Pack {} of {many}: {}", at + 1, pack.name)) {
                        h2 { (pack.name) " " small.quiet { (at + 1) " of " (many) } }
                        ul.grid.pack-cards {
                            @for (card, mean) in &pack.cards { (packed(library, *card, *mean)) }
                        }
                    }
                }
                @if !unlimited.is_empty() {
                    section.pack.in-any-number aria-label="Cards in any number" {
                        h2 { "In any number " small.quiet { "as many of these as you like" } }
                        ul.grid.pack-cards {
                            @for card in &unlimited {
                                @let number = library.number(card.card);
                                li {
                                    a.card href=(format!("/cards/{number}"))
                                        aria-label=(super::drafts::name_of(library, *card)) {
                                        img src=(library.picture(card.card, number, 0, "full"))
                                            alt="" width="63" height="88" loading="lazy";
                                    }
                                    (changed_badge(library, *card))
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    card_document("Open packs", Some("opening"), &body)
}

/// On a card what a pack has made of it.
pub(super) fn changed_badge(library: &CardLibrary, card: PoolCard) -> Markup {
    let changed = changes_in_words(library.package(), card);
    html! { @if !changed.is_empty() { span.changed aria-hidden="true" { (changed.join(", ")) } } }
}

fn packed(library: &CardLibrary, card: PoolCard, mean: f64) -> Markup {
    // One copy in twenty packs is rare, one in four is uncommon.
    let light = if mean < 0.05 {
        Some("rare")
    } else if mean < 0.25 {
        Some("uncommon")
    } else {
        None
    };
    html! {
        li data-light=[light] {
            button.card.turned type="button" data-name=(super::drafts::name_of(library, card))
                aria-label="A card, face down" {
                img.face src=(library.picture(card.card, library.number(card.card), 0, "full"))
                    alt="" width="63" height="88" loading="lazy";
                img.back src="/face/back.svg" alt="" width="63" height="88";
            }
            (changed_badge(library, card))
        }
    }
}
