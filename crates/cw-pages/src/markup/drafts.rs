//! The pages of drafts: how one begins, the pack before a seat, the picks, looking back, the duels among the
//! drafters.

use cw_draft::{CardFate, DraftPlayer, DraftView, PassSide, PickReview};
use cw_load::Loaded;
use cw_octgn::{CardRef, Pool, PoolCard, counted};
use cw_players::Level;
use maud::{Markup, html};

use super::decks::{bars, cards_in_words, changed_badge, changed_words, shown_curves};
use super::gallery::card_document;
use crate::decks::{SealedGame, changes_in_words};
use crate::drafts::KeptDraft;
use crate::labels;
use crate::library::CardLibrary;
use crate::package::{DuelPackage, MOST_PASTED};
use crate::presence::Presence;

/// What the page on which a draft begins shows beside its choices.
#[derive(Clone, Copy, Debug)]
pub struct NewDraftPage<'a> {
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// A list of cards that could not be taken.
    pub pasted: &'a str,
    /// Whether friends can be invited.
    pub friends: bool,
}

/// How a draft begins.
pub fn new_draft(library: &CardLibrary, duels: &DuelPackage, page: NewDraftPage<'_>) -> String {
    let package = library.package();
    let packs: Vec<_> = package
        .sets
        .iter()
        .flat_map(|set| set.packs.iter().map(move |pack| (set, pack)))
        .collect();
    let seats = html! {
        div.choices-of-draft {
            label.named {
                span { "Seats" }
                select name="seats" {
                    @for many in 2..=8 { option value=(many) selected[many == 8] { (many) } }
                }
            }
            @if page.friends {
                label.named {
                    span { "Friends, by a link each" }
                    select name="friends" {
                        @for many in 0..=7 {
                            option value=(many) {
                                @match many { 0 => "None", 1 => "1 friend", _ => { (many) " friends" } }
                            }
                        }
                    }
                }
            }
            label.named { span { "Time for a pick" } select name="timer" {
                option value="" selected { "No limit" }
                option value="20+5" { "Calm: 20 s, and 5 s a card" }
                option value="8+3" { "Quick: 8 s, and 3 s a card" }
            } }
        }
    };
    let hidden = html! { input type="hidden" name="k" value=(page.stamp); };
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { "Draft" } p { a href="/front/decks" { "Your decks" } } } }
            main.gallery.decks-page {
                @if let Some(words) = page.notice { p.notice.fault role="status" { (words) } }
                @if !packs.is_empty() {
                    section.room {
                        h2 { "Out of packs" }
                        p {
                            "Everybody opens a pack, takes a card and passes the rest on, \
                             until all are taken. Then each builds a deck and plays the others."
                        }
                        form method="post" action="/front/draft" data-plain {
                            (hidden)
                            div.packs {
                                @for (set, pack) in &packs {
                                    label.named {
                                        span { (*set.name) ": " b { (*pack.name) } ", for each seat" }
                                        input type="number" name=(format!("p.{}", pack.id.value)) min="0"
                                            max="12" value=(if packs.len() == 1 { 3 } else { 0 })
                                            inputmode="numeric";
                                    }
                                }
                            }
                            (seats)
                            button.go type="submit" { "Open the packs" }
                        }
                    }
                }
                section.room {
                    h2 { "Out of a list of cards" }
                    p { "A cube: the cards are shuffled into packs, each as often as the list has it." }
                    form method="post" action="/front/draft" data-plain {
                        (hidden)
                        label.named {
                            span { "The cards of" }
                            select name="cube" {
                                option value="all" { "the whole game, one of each" }
                                option value="three" { "the whole game, three of each" }
                                option value="list" selected[!page.pasted.is_empty()] { "the list below" }
                                @for (at, (name, _)) in duels.decks.iter().enumerate() {
                                    option value=(at) { (name) }
                                }
                            }
                        }
                        details.brings open[!page.pasted.is_empty()] {
                            summary { "Paste a list" }
                            textarea name="list" rows="6" maxlength=(MOST_PASTED) spellcheck="false"
                                aria-label="A list of cards" placeholder=(labels::LIST_OF_CARDS) {
                                (page.pasted)
                            }
                        }
                        div.choices-of-draft {
                            label.named {
                                span { "Packs for each seat" }
                                input type="number" name="rounds" min="1" max="12" value="3"
                                    inputmode="numeric";
                            }
                            label.named {
                                span { "Cards in a pack" }
                                input type="number" name="size" min="1" max="60" value="9"
                                    inputmode="numeric";
                            }
                        }
                        (seats)
                        button.go type="submit" { "Deal the packs" }
                    }
                }
            }
        }
    };
    card_document("Draft", None, &body)
}

/// What a seat's page shows beside what the seat may know of the cards: nothing here names one.
#[derive(Clone, Copy, Debug)]
pub struct DraftPage<'a> {
    /// What the seats are called, and whether somebody is there.
    pub seats: &'a [SeatShown],
    /// The address of the seat.
    pub base: &'a str,
    /// What forms must carry.
    pub stamp: &'a str,
    /// Seconds left for the pick.
    pub seconds: Option<u64>,
    /// Whether the seat is that of whoever runs the host.
    pub is_owner: bool,
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// The card that a computer has taken for the person, whose time was over.
    pub late: Option<PoolCard>,
    /// In a sealed game how far everybody is.
    pub sealed: Option<&'a SealedShown>,
}

/// A sealed game as a seat sees it: nothing here tells of the other's cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedShown {
    /// The packs that everybody has opened.
    pub packs: String,
    /// By seat, whether their deck is built and they wait for the duel.
    pub ready: Vec<bool>,
    /// The deck of the seat in a few words.
    pub deck: String,
    /// Why it cannot be played.
    pub reason: Option<String>,
    /// The way to the duel that goes on.
    pub duel: Option<String>,
    /// Won, lost and drawn duels.
    pub score: [usize; 3],
}

/// A seat as its neighbours see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatShown {
    /// What they are called.
    pub name: String,
    /// Whether somebody is there; none for computers.
    pub presence: Option<Presence>,
    /// The link for a friend who is yet to come, in the page of whoever invites.
    pub link: Option<String>,
}

/// The page of a seat.
pub fn draft_document(
    library: &CardLibrary,
    loaded: &Loaded,
    view: &DraftView,
    page: DraftPage<'_>,
) -> String {
    let title = match page.sealed {
        Some(_) => "Sealed game",
        None => "Draft",
    };
    let body = html! {
        body.front.cards.drafting {
            header.masthead.low {
                div {
                    h1 { (title) }
                    p {
                        @if page.is_owner {
                            a href="/front/decks" { "Your decks" }
                        } @else {
                            (library.name())
                        }
                    }
                }
            }
            // It stands outside of what is replaced, so that it is there until the page is left.
            @if let Some(words) = page.notice { p.fault.told-once role="status" { (words) } }
            main.bench id="draft" data-events=(format!("{}events", page.base))
                data-here=(format!("{}here", page.base)) { (draft_region(library, loaded, view, page)) }
            // What is said to readers of screens stands outside of what is replaced: else some say it twice,
            // some never.
            p.sr id="aloud" role="status" {}
        }
    };
    card_document(title, Some("draft"), &body)
}

/// What changes on it: the seats, the pack, the picks. It is made of the seat's view, and names no card
/// beside.
pub fn draft_region(library: &CardLibrary, loaded: &Loaded, view: &DraftView, page: DraftPage<'_>) -> Markup {
    html! {
        section.shelf aria-label="The draft" {
            (seats(view, page))
            p.fault id="said" role="status" {}
            @if let Some(card) = page.late {
                p.late id="late" data-pick=(view.number) {
                    "Your time was over: a computer took " b { (*library.package().card(card.card).name) }
                    " for you."
                }
            }
            @if let Some(sealed) = page.sealed {
                (sealed_ways(view, page, sealed))
            } @else if view.is_over {
                (after(view, page))
            } @else {
                (pack(library, view, page))
            }
        }
        @let (title, short) = if page.sealed.is_some() {
            ("Your cards", "Cards")
        } else {
            ("Your picks", "Picks")
        };
        aside.deck-side tabindex="0" aria-label=(title) { (picks(library, loaded, view, title)) }
        nav.switch aria-label="What is shown" {
            button type="button" data-show="cards" aria-pressed="true" {
                @if page.sealed.is_some() { "Game" } @else if view.is_over { "Draft" } @else { "Pack" }
            }
            button type="button" data-show="deck" aria-pressed="false" { (short) " " (view.pool.cards.len()) }
        }
    }
}

fn seats(view: &DraftView, page: DraftPage<'_>) -> Markup {
    let arrow = match view.side {
        PassSide::Left => "→",
        PassSide::Right => "←",
    };
    html! {
        ol.seats-of-draft tabindex="0" aria-label="Seats" {
            @for (at, (seat, shown)) in view.seats.iter().zip(page.seats).enumerate() {
                li data-own[at == view.seat] data-waits[seat.waiting > 0 && !view.is_over] {
                    b { @if at == view.seat { "You" } @else { (shown.name) } }
                    @match (seat.player, shown.presence) {
                        (DraftPlayer::Computer, _) => span.quiet { "computer" },
                        (DraftPlayer::StandIn, _) => span.away { "away: a computer picks" },
                        (DraftPlayer::Person, Some(Presence::NotYet)) if at != view.seat => span.away {
                            "not here yet"
                        },
                        (DraftPlayer::Person, Some(Presence::Away(_))) if at != view.seat => span.away {
                            "away"
                        },
                        (DraftPlayer::Person, Some(Presence::Reconnecting)) if at != view.seat => span.away {
                            "reconnecting"
                        },
                        (DraftPlayer::Person, _) => span.quiet { "here" },
                    }
                    @if let Some(sealed) = page.sealed {
                        span {
                            @if sealed.ready.get(at) == Some(&true) {
                                "✓ ready"
                            } @else if sealed.duel.is_some() {
                                "in the duel"
                            } @else {
                                "builds a deck"
                            }
                        }
                    }
                    @else {
                        span.exact {
                            (seat.taken) " taken"
                            @if !view.is_over && seat.waiting > 0 { " · " (packs_in_words(seat.waiting)) }
                        }
                    }
                    @if let Some(link) = &shown.link {
                        label.link {
                            span.quiet { "Link for this seat" }
                            input readonly value=(link) aria-label=(format!("Link for {}", shown.name));
                        }
                    }
                    @if at != view.seat
                        && seat.player == DraftPlayer::Person
                        && !view.is_over
                        && matches!(shown.presence, Some(Presence::NotYet | Presence::Away(_)))
                    {
                        form method="post" action=(format!("{}stand-in", page.base)) data-plain {
                            input type="hidden" name="k" value=(page.stamp);
                            button.small type="submit" name="seat" value=(at) { "Let a computer pick" }
                        }
                    }
                }
            }
        }
        @if !view.is_over {
            p.quiet.side {
                "Round " (view.round) " of " (view.rounds) ". Packs go " (arrow) " to "
                (neighbour(view, page)) "."
            }
        }
    }
}

/// Whom the seat passes to.
fn neighbour<'a>(view: &DraftView, page: DraftPage<'a>) -> &'a str {
    let many = view.seats.len();
    let next = match view.side {
        PassSide::Left => view.seat + 1,
        PassSide::Right => view.seat + many - 1,
    };
    page.seats.get(next % many).map_or("", |shown| &shown.name)
}

fn packs_in_words(many: usize) -> String {
    match many {
        1 => "1 pack".to_owned(),
        many => format!("{many} packs"),
    }
}

fn pack(library: &CardLibrary, view: &DraftView, page: DraftPage<'_>) -> Markup {
    let place = view.number;
    html! {
        @if view.pack.is_empty() {
            div.waits id="pack" {
                h2 { "Waiting for a pack" }
                p.quiet { "Your neighbour is still choosing." }
            }
        } @else {
            form.picking id="pack" method="post" action=(format!("{}pick", page.base)) data-number=(place)
                data-plain {
                input type="hidden" name="k" value=(page.stamp); input type="hidden" name="n" value=(place);
                div.pick-head {
                    h2 {
                        "Pick " (place + 1) ": "
                        @if view.pack.len() == 1 { "the last card" } @else { "one of " (view.pack.len()) }
                    }
                    @if let Some(seconds) = page.seconds {
                        p.clock role="timer" aria-label="Time for this pick" data-seconds=(seconds)
                            data-short[seconds <= SHORT] {
                            b { (seconds) } " s"
                        }
                    }
                    button.go.take type="button" hidden { "Take it" }
                }
                ul.grid.pack-cards.offered {
                    @for (at, card) in view.pack.iter().enumerate() { (offered(library, *card, at)) }
                }
            }
        }
    }
}

/// So many seconds are few.
const SHORT: u64 = 5;

fn offered(library: &CardLibrary, card: PoolCard, at: usize) -> Markup {
    let found = library.package().card(card.card);
    let number = library.number(card.card);
    html! {
        li data-name=(*found.name) {
            button.card type="submit" name="at" value=(at) aria-pressed="false"
                aria-label=(name_of(library, card)) {
                img src=(library.picture(card.card, number, 0, "full")) alt="" width="63" height="88"
                    decoding="async";
            }
            (changed_badge(library, card))
            a.more href=(format!("/cards/{number}")) target="_blank" rel="noopener"
                aria-label=(format!("About {}", *found.name)) { "i" }
        }
    }
}

/// A card by its name, with what a pack has made of it.
pub(super) fn name_of(library: &CardLibrary, card: PoolCard) -> String {
    let package = library.package();
    let changed: String = changes_in_words(package, card)
        .into_iter()
        .map(|change| format!(", here {change}"))
        .collect();
    format!("{}{changed}", *package.card(card.card).name)
}

fn picks(library: &CardLibrary, loaded: &Loaded, view: &DraftView, title: &str) -> Markup {
    let cards: Vec<(CardRef, u32)> = counted(view.pool.cards.iter().map(|card| card.card));
    html! {
        h2 { (title) }
        p.count data-total=(view.pool.cards.len()) {
            b { (view.pool.cards.len()) }
            @if view.pool.cards.len() == 1 { " card" } @else { " cards" }
        }
        @if view.pool.cards.is_empty() {
            p.quiet { "What you take comes here." }
        } @else {
            (card_lines(library, &view.pool))
            div.figures {
                @for curve in shown_curves(loaded.project.deck_curves(&cards)).iter().take(5) {
                    (bars(curve))
                }
            }
        }
    }
}

fn card_lines(library: &CardLibrary, pool: &Pool) -> Markup {
    let package = library.package();
    let cards: Vec<(PoolCard, u32)> = counted(pool.cards.iter().copied());
    html! {
        // The newest first: what was just taken is in sight.
        ul.lines-of-deck.picked {
            @for (card, count) in cards.iter().rev() {
                li {
                    span.many { (count) }
                    span.called { (*package.card(card.card).name) (changed_words(package, *card)) }
                }
            }
            @for card in &pool.unlimited {
                li {
                    span.many title="any number" { "∞" }
                    span.called { (*package.card(card.card).name) (changed_words(package, *card)) }
                }
            }
        }
    }
}

fn after(view: &DraftView, page: DraftPage<'_>) -> Markup {
    html! {
        div.after id="pack" {
            h2 { "All cards are taken" }
            p {
                "You have " (cards_in_words(view.pool.cards.len() as u64))
                ". Build a deck of them, then play the others."
            }
            a.way href=(format!("{}deck", page.base)) {
                b { "Build your deck" }
                span.quiet { "A suggestion is in it already" }
            }
            a.way href=(format!("{}results", page.base)) {
                b { "Decks and duels" }
                span.quiet { "Play the other drafters; who has beaten whom" }
            }
            a.way href=(format!("{}review", page.base)) {
                b { "Look back" }
                span.quiet { "Each pick, what else there was, and who took that" }
            }
        }
    }
}

/// What there is to do in a sealed game: turn the cards, build a deck, be ready.
fn sealed_ways(view: &DraftView, page: DraftPage<'_>, sealed: &SealedShown) -> Markup {
    let is_ready = sealed.ready.get(view.seat) == Some(&true);
    let form = |word: &str, words: &str, style: &str| {
        html! {
            form method="post" action=(format!("{}ready", page.base)) data-plain {
                input type="hidden" name="k" value=(page.stamp);
                input type="hidden" name="ready" value=(word);
                button class=(style) type="submit" { (words) }
            }
        }
    };
    html! {
        div.after.sealed-ways id="pack" {
            p { "Each of you has opened " (sealed.packs) ". Nobody sees the other's cards." }
            a.way href=(format!("{}opening", page.base)) {
                b { "Turn your cards" }
                span.quiet { "Pack by pack, the rarest last" }
            }
            a.way href=(format!("{}deck", page.base)) { b { "Build your deck" } span.quiet { (sealed.deck) } }
            section.readiness data-waits[is_ready] aria-label="The duel" {
                @if let Some(duel) = &sealed.duel {
                    h2 { "The duel has begun" }
                    a.go href=(duel) data-duel { "Go to the duel" }
                } @else {
                    h2 { @if is_ready { "You are ready" } @else { "The duel" } }
                    @if let Some(reason) = &sealed.reason {
                        p.fault { "Your deck cannot be played yet: " (reason) "." }
                    }
                    @else if is_ready {
                        p { "The duel begins as soon as the other one is ready, too." }
                        (form("no", "Not yet", "small"))
                    }
                    @else { p { "It begins when both of you are ready." } (form("yes", "I am ready", "go")) }
                }
                @let [won, lost, drawn] = sealed.score;
                @if won + lost + drawn > 0 {
                    p.quiet.exact { "So far: " (won) " won, " (lost) " lost, " (drawn) " drawn" }
                }
            }
        }
    }
}

/// The picks of a seat, looked back at.
pub fn draft_review(
    library: &CardLibrary,
    kept: &KeptDraft,
    seat: usize,
    base: &str,
    picks: &[PickReview],
) -> String {
    let who = |fate: &CardFate| match fate.seat == seat {
        true => "you".to_owned(),
        false => kept
            .seats
            .get(fate.seat)
            .map_or_else(String::new, |seat| seat.name.clone()),
    };
    let package = library.package();
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { "Looking back" } p { a href=(base) { "The draft" } } } }
            main.gallery {
                @for (at, pick) in picks.iter().enumerate() {
                    section.pick-review aria-label=(format!("Pick {}", at + 1)) {
                        h2 {
                            "Pick " (at + 1) ": " (*package.card(pick.pack[pick.taken].card).name) " "
                            small.quiet {
                                "round " (pick.round) ", " (cards_in_words(pick.pack.len() as u64))
                            }
                        }
                        ul.grid.pack-cards.reviewed {
                            @for (place, (card, fate)) in pick.pack.iter().zip(&pick.fates).enumerate() {
                                li data-taken[place == pick.taken] {
                                    a.card href=(format!("/cards/{}", library.number(card.card)))
                                        aria-label=(name_of(library, *card)) {
                                        img src=(library.picture(
                                            card.card,
                                            library.number(card.card),
                                            0,
                                            "full",
                                        )) alt="" width="63" height="88" loading="lazy";
                                    }
                                    p {
                                        @if place == pick.taken {
                                            b { "Taken" }
                                        } @else if let Some(fate) = fate {
                                            (who(fate)) ", pick " (fate.number)
                                        } @else {
                                            "Nobody"
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    card_document("Looking back", None, &body)
}

/// A drafter on the page of results.
#[derive(Clone, Debug)]
pub struct Drafter {
    /// The cards of the deck.
    pub cards: u64,
    /// Whether it is legal; none where nobody knows.
    pub is_legal: Option<bool>,
    /// Whether a person has built it.
    pub is_built: bool,
    /// Whether a person plays it.
    pub is_person: bool,
}

/// What the page of results shows.
#[derive(Clone, Copy, Debug)]
pub struct ResultsPage<'a> {
    /// The draft.
    pub kept: &'a KeptDraft,
    /// The deck of each seat.
    pub decks: &'a [Drafter],
    /// Whose page it is.
    pub seat: usize,
    /// The address of the seat.
    pub base: &'a str,
    /// What forms must carry.
    pub stamp: &'a str,
    /// Words for the person.
    pub notice: Option<&'a str>,
}

/// Whom one can play, and who has beaten whom.
pub fn draft_results(library: &CardLibrary, page: ResultsPage<'_>) -> String {
    let kept = page.kept;
    let mut order: Vec<usize> = (0..kept.seats.len()).collect();
    order.sort_by_key(|seat| {
        let [won, lost, _] = kept.score(*seat);
        (std::cmp::Reverse(won), lost, *seat)
    });
    let name = |seat: usize| match seat == page.seat {
        true => "You",
        false => kept.seats[seat].name.as_str(),
    };
    let computers: Vec<usize> = (0..kept.seats.len())
        .filter(|seat| !page.decks[*seat].is_person)
        .collect();
    let (all, played) = pairs_played(kept, &computers);
    let hidden = html! { input type="hidden" name="k" value=(page.stamp); };
    let body = html! {
        body.front.cards {
            header.masthead.low {
                div { h1 { "Decks and duels" } p { a href=(page.base) { (library.name()) ": the draft" } } }
            }
            main.gallery.decks-page {
                @if let Some(words) = page.notice { p.notice.fault role="status" { (words) } }
                section.room {
                    h2 { "Table" }
                    table.standings {
                        thead {
                            tr {
                                th scope="col" { "Drafter" }
                                th scope="col" { "Deck" }
                                th scope="col" { "Won" }
                                th scope="col" { "Lost" }
                                th scope="col" { "Drawn" }
                            }
                        }
                        tbody {
                            @for seat in &order {
                                @let deck = &page.decks[*seat];
                                @let score = kept.score(*seat);
                                tr data-own[*seat == page.seat] {
                                    th scope="row" { (name(*seat)) }
                                    td {
                                        (cards_in_words(deck.cards))
                                        @if deck.is_legal == Some(false) { ", not legal" }
                                        @if deck.is_person && !deck.is_built { ", suggested" }
                                    }
                                    @for count in score { td.exact { (count) } }
                                }
                            }
                        }
                    }
                    @if all > 0 {
                        @if played < all {
                            form method="post" action=(format!("{}others", page.base)) data-plain {
                                (hidden)
                                button.small type="submit" { "Let the computers play each other" }
                                span.quiet { " " (played) " of " (all) " matches played, two duels each" }
                            }
                        } @else {
                            p.quiet { "The computers have played each other." }
                        }
                    }
                    p {
                        a.way href=(format!("{}deck", page.base)) {
                            b { "Your deck" } span.quiet { "Change it before you play" }
                        }
                    }
                }
                section.room {
                    h2 { "Play" }
                    ul.plain.foes-of-draft {
                        @for seat in (0..kept.seats.len()).filter(|seat| *seat != page.seat) {
                            li {
                                b { (kept.seats[seat].name) }
                                @match kept.duel_of(page.seat, seat) {
                                    Some(duel) if duel.won.is_none() && duel.table.is_some() => {
                                        @let (style, words) = if duel.seats[0] == page.seat {
                                            ("small", "Go to your duel")
                                        } else {
                                            ("small go", "They wait for you: to the duel")
                                        };
                                        a class=(style) href=(format!("{}table/{seat}", page.base)) {
                                            (words)
                                        }
                                    }
                                    last => {
                                        @if let Some(won) = last.and_then(|duel| Some((duel, duel.won?))) {
                                            span.quiet { (ended(page.seat, won)) }
                                        }
                                        form method="post" action=(format!("{}duel", page.base)) data-plain {
                                            (hidden)
                                            input type="hidden" name="other" value=(seat);
                                            @if !page.decks[seat].is_person {
                                                select name="level" aria-label=(format!(
                                                    "Strength of {}",
                                                    kept.seats[seat].name,
                                                )) {
                                                    @for level in Level::ALL {
                                                        option value=(level.name())
                                                            selected[level == Level::BEST] {
                                                            (labels::capital(level.name()))
                                                        }
                                                    }
                                                }
                                            }
                                            button.small type="submit" {
                                                @if page.decks[seat].is_person {
                                                    "Ask for a duel"
                                                } @else {
                                                    "Play"
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    card_document("Decks and duels", None, &body)
}

/// How the last duel ended for a seat.
fn ended(seat: usize, (duel, won): (&crate::drafts::KeptMatch, usize)) -> &'static str {
    match won {
        2 => "drawn",
        won if duel.seats.get(won) == Some(&seat) => "you won",
        _ => "you lost",
    }
}

/// Matches among these seats, and how many were played.
fn pairs_played(kept: &KeptDraft, seats: &[usize]) -> (usize, usize) {
    let all = seats.len() * seats.len().saturating_sub(1) / 2;
    let played = kept
        .duels
        .iter()
        .filter(|duel| duel.won.is_some() && duel.seats.iter().all(|seat| seats.contains(seat)));
    (all, played.count())
}

/// What somebody sees who opens a link to a seat.
pub fn draft_invitation(library: &CardLibrary, kept: &KeptDraft, path: &str) -> String {
    let host = kept.seats.get(kept.owner()).map_or("", |seat| &seat.name);
    let (title, what) = match kept.sealed {
        true => ("Sealed game", "a sealed game"),
        false => ("Draft", "a draft"),
    };
    let body = html! {
        body.front.cards {
            header.masthead.low { div { h1 { (title) } p { (library.name()) } } }
            main.gallery.decks-page {
                section.room {
                    h2 { (host) " invites you to " (what) }
                    @if let Some(game) = kept.sealed_game() {
                        p {
                            "Both of you open the same packs, " (packs_of(library, &game))
                            ", each their own. Of what lies in yours you build a deck, \
                             and play against each other."
                        }
                    }
                    @else {
                        p {
                            "Everybody opens a pack, takes a card and passes the rest on. \
                             Of what you have taken you build a deck, and play the others."
                        }
                    }
                    form method="post" action=(path) data-plain {
                        label.named {
                            span { "Your name" }
                            input type="text" name="name" maxlength="40" autocomplete="nickname";
                        }
                        button.go type="submit" { "Sit down" }
                    }
                }
            }
        }
    };
    card_document(title, None, &body)
}

/// The packs of a sealed game in a few words: `6 Booster`, and the set where the name alone would not tell.
pub fn packs_of(library: &CardLibrary, game: &SealedGame) -> String {
    let package = library.package();
    let found = game.packs.iter().filter_map(|(id, many)| {
        let id: cw_octgn::Guid = id.parse().ok()?;
        let mut packs = package
            .sets
            .iter()
            .flat_map(|set| set.packs.iter().map(move |pack| (set, pack)));
        let (set, pack) = packs.find(|(_, pack)| pack.id.value == id)?;
        Some(format!("{many} × {}: {}", *set.name, *pack.name))
    });
    found.collect::<Vec<_>>().join(", ")
}

/// The drafts on the page of all decks.
pub(super) fn draft_list(drafts: &[(String, KeptDraft)], stamp: &str) -> Markup {
    html! {
        @if !drafts.is_empty() {
            h2 {
                @if drafts.iter().any(|(_, draft)| draft.sealed) {
                    "Your drafts and sealed games"
                } @else {
                    "Your drafts"
                }
            }
            ul.plain.own-decks {
                @for (id, draft) in drafts {
                    li {
                        a.way href=(format!("/front/drafts/{id}")) {
                            @if draft.sealed {
                                b { "Sealed game" } span.quiet { "with " (friends_of(draft)) }
                            }
                            @else {
                                b { (draft.seats.len()) " seats" }
                                span.quiet { (cards_in_words(picks_of(draft))) " taken" }
                            }
                        }
                        form method="post" action=(format!("/front/drafts/{id}/forget")) data-plain {
                            input type="hidden" name="k" value=(stamp);
                            button.small type="submit" aria-label="Forget this draft" { (labels::FORGET) }
                        }
                    }
                }
            }
        }
    }
}

/// The people in it beside its owner.
fn friends_of(draft: &KeptDraft) -> String {
    let seats = draft.seats.iter().enumerate();
    let others = seats.filter(|(at, _)| *at != draft.owner());
    others
        .map(|(_, seat)| seat.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Cards that its owner has taken.
fn picks_of(draft: &KeptDraft) -> u64 {
    let start = format!("pick {} ", draft.owner());
    draft.acts.lines().filter(|line| line.starts_with(&start)).count() as u64
}
