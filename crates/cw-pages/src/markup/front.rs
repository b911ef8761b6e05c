//! The front page, and the page of all cards.

use cw_players::Level;
use cw_program::ModelId;
use cw_run::RunSeed;
use maud::{Markup, html};

use super::card;
use super::document::{page_with, settings_with};
use super::foes::LadderDeck;
use super::{feats, foes, runs};
use crate::labels;
use crate::ladder::LadderProgress;
use crate::listed::{Listed, OutdatedDuel};
use crate::package::{DuelPackage, MOST_PASTED};
use crate::stage::{ShelfGroup, in_groups};

/// Duels that are over and offered to be watched.
const MOST_OVER: usize = 8;

/// What a form was sent with that could not be taken: why, and the list of cards that was pasted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Untaken<'a> {
    /// Words for the person.
    pub notice: Option<&'a str>,
    /// It stands in the form again.
    pub pasted: &'a str,
}

/// Where else the front page leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontWays<'a> {
    /// To the ladder, with one of these decks.
    pub deck: LadderDeck<'a>,
    /// To free tables of the same package.
    pub free_tables: bool,
    /// To a table with somebody who is invited.
    pub friends: bool,
    /// The day whose puzzle is offered.
    pub today: RunSeed,
}

/// The front page. `stamp` is what its forms must carry.
pub fn front(
    package: &DuelPackage,
    duels: &[Listed],
    changed: &[OutdatedDuel],
    progress: &LadderProgress,
    stamp: &str,
    untaken: Untaken<'_>,
    ways: FrontWays<'_>,
) -> String {
    let going = duels.iter().filter(|duel| !duel.over);
    let over = duels.iter().filter(|duel| duel.over).take(MOST_OVER);
    let (mut going, mut over) = (going.peekable(), over.peekable());
    let body = html! {
        body.front {
            header.masthead {
                div { h1 { (package.game.name) } p { (labels::FRONT_HINT) } }
                div.fan aria-hidden="true" { @for model in show_pieces(package) { (face(package, model)) } }
            }
            main.home id="table-of-contents" {
                p.notice id="notice" role="status" { @if let Some(words) = untaken.notice { (words) } }
                div.column {
                    @if package.opponents.is_empty() {
                        (against_computer(package))
                    } @else {
                        (foes::ladder(package, progress, stamp, ways.deck))
                    }
                    @if package.loaded.is_some() { (feats::today(package, stamp, &ways.today.to_string())) }
                }
                div.column {
                    @if going.peek().is_some() {
                        section.room.going {
                            h2 { (labels::CONTINUE) }
                            ul.duels { @for duel in going { li { (self::duel(duel, "enter")) } } }
                        }
                    }
                    @if !changed.is_empty() { (cannot_go_on(changed, stamp)) }
                    @if !package.shelf.is_empty() { (learn(package, stamp)) }
                    @if ways.friends && !package.decks.is_empty() {
                        section.room.friend {
                            h2 { (labels::WITH_A_FRIEND) }
                            p { (labels::HOW_TO_INVITE) }
                            p {
                                button.way type="button" popovertarget="invite" {
                                    (labels::CHOOSE_AND_INVITE)
                                }
                            }
                        }
                    }
                }
                nav.ways aria-label=(labels::MORE_WAYS) {
                    @if !package.decks.is_empty() {
                        @if !package.opponents.is_empty() {
                            button.way type="button" popovertarget="new-duel" { (labels::DECKS_AND_LEVELS) }
                        }
                        button.way type="button" popovertarget="decks" { (labels::READ_THE_DECKS) }
                    }
                    @if package.loaded.is_some() {
                        a.way href="/cards" { (labels::all_cards(package.game.models.len())) }
                    }
                    @if package.loaded.is_some() { a.way href="/front/decks" { "Decks and packs" } }
                    @if package.decks.len() >= 2 && package.loaded.is_some() { (runs::invitation()) }
                    @if over.peek().is_some() {
                        button.way type="button" popovertarget="over" { (labels::FINISHED_DUELS) }
                    }
                    @if ways.free_tables {
                        button.way type="button" popovertarget="free" { (labels::FREE_TABLE) }
                    }
                    a.way href="/front/link" { (labels::OPEN_A_LINK) }
                    button.way type="button" popovertarget="settings" { (labels::SETTINGS) }
                }
            }
            @if !package.decks.is_empty() {
                (sheet("new-duel", labels::NEW_DUEL, new_duel(package, stamp, untaken.pasted)))
                @if ways.friends { (sheet("invite", labels::INVITE, invite(package, stamp, untaken.pasted))) }
                (foes::deck_lists(package))
            }
            @if !package.shelf.is_empty() {
                (sheet("all-stages", labels::LEARN_TITLE, stages(package, stamp, true)))
            }
            @if package.loaded.is_some() {
                (sheet("all-feats", "Achievements", feats::list(package, &ways.today.to_string())))
            }
            @if over.peek().is_some() {
                (sheet("over", labels::WATCH_A_DUEL, html! {
                    ul.duels { @for duel in over { li { (self::duel(duel, "watch")) } } }
                }))
            }
            @if ways.free_tables { (sheet("free", labels::FREE_TABLE, free(stamp))) }
            (settings_with(html! { @if !package.opponents.is_empty() { (foes::open_all(progress, stamp)) } }))
        }
    };
    page_with(&package.game.name, "/front/", style(), body)
}

/// What only these pages look like.
pub(super) fn style() -> Markup {
    html! { link rel="stylesheet" href="/assets/front.css"; }
}

fn duel(duel: &Listed, way: &str) -> Markup {
    let [own, other] = &duel.decks;
    html! {
        a.way href=(format!("/front/{way}/{}", duel.seat.public())) {
            b { (labels::decks(own, other)) }
            span.quiet {
                (labels::against(duel.opponent, duel.name.as_deref()))
                @if let Some(turn) = duel.turn { " · " (labels::in_turn(turn)) }
                @if let Some(won) = duel.won { " · " (labels::result(won)) }
                @if duel.begun > 0 { " · " time data-seconds=(duel.begun) {} }
            }
        }
    }
}

/// Duels that were not finished before the game was changed.
fn cannot_go_on(changed: &[OutdatedDuel], stamp: &str) -> Markup {
    html! {
        section.room {
            h2 { (labels::CANNOT_GO_ON) }
            p { (labels::WHY_NOT_ON) }
            ul.duels {
                @for one in changed {
                    li {
                        form method="post" action="/front/forget" data-plain {
                            input type="hidden" name="k" value=(stamp);
                            input type="hidden" name="duel" value=(one.id);
                            b { (labels::decks(&one.decks[0], &one.decks[1])) }
                            " "
                            @if one.begun > 0 { span.quiet { time data-seconds=(one.begun) {} } " " }
                            button.small type="submit" { (labels::FORGET) }
                        }
                    }
                }
            }
        }
    }
}

/// The decks of the package, one of which is chosen.
pub(super) fn decks(package: &DuelPackage, name: &str, words: &str, chosen: usize) -> Markup {
    let all: Vec<Character> = package
        .decks
        .iter()
        .map(|(_, cards)| Character::of(package, cards))
        .collect();
    html! {
        fieldset.decks {
            legend { (words) }
            @for (at, (deck, cards)) in package.decks.iter().enumerate() {
                label.deck {
                    input type="radio" name=(name) value=(at)
                        checked[at == chosen.min(package.decks.len() - 1)];
                    span.fan aria-hidden="true" {
                        @for model in distinctive(package, cards, 3) { (face(package, model)) }
                    }
                    span.called { (deck) " " small.quiet { (all[at].words(package, &all)) } }
                }
            }
        }
    }
}

/// The decks from which somebody chooses who was invited. The deck that was meant for them is chosen, also
/// where it is none of the package's.
pub fn decks_of_guest(package: &DuelPackage, name: &str, cards: &[ModelId], pasted: &str) -> Markup {
    let is_meant = |(deck, own): &(String, Vec<ModelId>)| *deck == *name && *own == *cards;
    html! {
        @match package.decks.iter().position(is_meant) {
            Some(at) => (decks(package, "deck", labels::OWN_DECK, at)),
            None => p { (labels::OWN_DECK) ": " b { (name) } },
        }
        (brings(package, pasted))
    }
}

/// A deck that somebody brings, as they paste it; what could not be taken stands there again.
fn brings(package: &DuelPackage, pasted: &str) -> Markup {
    html! {
        @if package.loaded.is_some() {
            details.brings open[!pasted.is_empty()] {
                summary { (labels::PASTE_A_DECK) }
                textarea name="list" rows="6" maxlength=(MOST_PASTED) spellcheck="false"
                    aria-label=(labels::PASTE_A_DECK) placeholder=(labels::LIST_OF_CARDS) { (pasted) }
            }
        }
    }
}

/// Something that is one click behind the page.
#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
fn sheet(id: &str, title: &str, inside: Markup) -> Markup {
    html! {
        div.sheet popover id=(id) role="dialog" aria-label=(title) {
            div.heading {
                h3 { (title) }
                button type="button" popovertarget=(id) popovertargetaction="hide" { (labels::CLOSE) }
            }
            (inside)
        }
    }
}

/// A duel with somebody who gets a link.
fn invite(package: &DuelPackage, stamp: &str, pasted: &str) -> Markup {
    html! {
        form method="post" action="/front/invite" data-plain {
            input type="hidden" name="k" value=(stamp);
            (decks(package, "own", labels::OWN_DECK, 0))
            (brings(package, pasted))
            (decks(package, "other", labels::FRIENDS_DECK, 1))
            fieldset {
                legend { (labels::WHO_BEGINS) }
                @for (value, words) in labels::FIRSTS_OF_FRIENDS {
                    label.choice {
                        input type="radio" name="first" value=(value) checked[value.is_empty()];
                        span { (words) }
                    }
                }
            }
            fieldset {
                legend { (labels::WHERE_IS_FRIEND) }
                @for (value, words) in labels::PLACES {
                    label.choice {
                        input type="radio" name="reach" value=(value) checked[value == "network"];
                        span { (words) }
                    }
                }
            }
            div.start { button.go type="submit" { (labels::MAKE_LINK) } }
        }
    }
}

/// A table without rules, for the same cards.
fn free(stamp: &str) -> Markup {
    html! {
        p { (labels::ABOUT_FREE_TABLE) }
        form method="post" action="/front/free" data-plain {
            input type="hidden" name="k" value=(stamp);
            fieldset {
                legend { (labels::HOW_MANY) }
                @for (value, words) in labels::SEATS {
                    label.choice {
                        input type="radio" name="seats" value=(value) checked[value == 2];
                        span { (words) }
                    }
                }
            }
            button.go type="submit" { (labels::OPEN_FREE_TABLE) }
        }
    }
}

/// What stands where a package has no opponents of its own.
fn against_computer(package: &DuelPackage) -> Markup {
    html! {
        @if !package.decks.is_empty() {
            section.room.foe id="next-opponent" {
                h2 { (labels::PLAY_THE_COMPUTER) }
                p { (labels::ABOUT_COMPUTER) }
                p { button.go type="button" popovertarget="new-duel" { (labels::DECKS_AND_LEVELS) } }
            }
        }
    }
}

fn new_duel(package: &DuelPackage, stamp: &str, pasted: &str) -> Markup {
    html! {
        form method="post" action="/front/new" data-plain {
            input type="hidden" name="k" value=(stamp);
            (decks(package, "own", labels::OWN_DECK, 0))
            (brings(package, pasted))
            (decks(package, "other", labels::OTHER_DECK, 1))
            fieldset {
                legend { (labels::OPPONENT) }
                @for level in Level::ALL {
                    label.choice {
                        input type="radio" name="level" id=(format!("level-{}", level.name()))
                            value=(level.name()) checked[level == Level::BEST];
                        span { b { (labels::capital(level.name())) } " " (level.manner()) }
                    }
                }
            }
            fieldset {
                legend { (labels::WHO_BEGINS) }
                @for (value, words) in labels::FIRSTS {
                    label.choice {
                        input type="radio" name="first" value=(value) checked[value.is_empty()];
                        span { (words) }
                    }
                }
            }
            div.start { button.go type="submit" { (labels::BEGIN_DUEL) } }
        }
    }
}

/// The lessons, and a way to the puzzles.
fn learn(package: &DuelPackage, stamp: &str) -> Markup {
    let lessons = package.shelf.iter().any(|stage| stage.is_lesson());
    html! {
        section.room.learn {
            h2 { (labels::LEARN) }
            @if lessons { (stages(package, stamp, false)) }
            p { button.small type="button" popovertarget="all-stages" { (labels::LESSONS_AND_PUZZLES) } }
        }
    }
}

/// The lessons, or all lessons and puzzles in groups; each is a button that opens it.
fn stages(package: &DuelPackage, stamp: &str, all: bool) -> Markup {
    let groups = in_groups(&package.shelf);
    let wanted = groups
        .iter()
        .filter(|(group, _)| all || **group == ShelfGroup::Lessons);
    html! {
        form.stages method="post" action="/front/learn" data-plain {
            input type="hidden" name="k" value=(stamp);
            @for (group, stages) in wanted {
                @if all { h4 { (labels::shelf_group(*group)) } }
                @for (nth, (at, stage)) in stages.iter().enumerate() {
                    button.way type="submit" name="stage" value=(at) data-stage=(stage.name())
                        data-lesson[*group == ShelfGroup::Lessons] {
                        b { (labels::in_order(*group, nth, stage.name())) } " "
                        span.quiet { (stage.goal().unwrap_or(labels::LESSON)) }
                    }
                }
            }
        }
    }
}

/// The cards that tell a deck from the others: those that the fewest decks have, the most copies of them and
/// the strongest first, each of another subtype as far as there are enough.
fn distinctive(package: &DuelPackage, cards: &[ModelId], many: usize) -> Vec<ModelId> {
    let held_by = |model: &ModelId| {
        package
            .decks
            .iter()
            .filter(|(_, deck)| deck.contains(model))
            .count()
    };
    let mut models = cards.to_vec();
    models.sort_unstable();
    models.dedup();
    models.sort_by_key(|model| {
        let copies = cards.iter().filter(|other| *other == model).count();
        let printed = package.game.model(*model);
        (
            held_by(model),
            std::cmp::Reverse((printed.is_character(), copies, printed.bp)),
            *model,
        )
    });
    let mut seen = Vec::new();
    let other = |model: &ModelId| {
        let subtype = package.game.model(*model).subtype;
        let fresh = subtype.is_none() || !seen.contains(&subtype);
        seen.push(subtype);
        fresh
    };
    let (first, rest): (Vec<ModelId>, Vec<ModelId>) = models.into_iter().partition(other);
    first.into_iter().chain(rest).take(many).collect()
}

/// What a deck is like, in numbers that can be compared.
struct Character {
    /// In the order of [`labels::TRAITS`].
    means: [f64; 5],
    /// The subtypes of its characters, the most frequent first.
    subtypes: Vec<usize>,
}

impl Character {
    fn of(package: &DuelPackage, cards: &[ModelId]) -> Character {
        let printed: Vec<_> = cards.iter().map(|model| package.game.model(*model)).collect();
        let fighters: Vec<_> = printed.iter().filter(|model| model.is_character()).collect();
        let mean = |sum: f64, many: usize| sum / many.max(1) as f64;
        let at_once =
            |model: &&&&cw_duel::CardModel| model.ability_kind() == Some(cw_duel::AbilityKind::Instant);
        let means = [
            mean(
                fighters.iter().map(|model| f64::from(model.bp)).sum(),
                fighters.len(),
            ),
            mean((printed.len() - fighters.len()) as f64, printed.len()),
            mean(
                printed.iter().map(|model| f64::from(model.sp)).sum(),
                printed.len(),
            ),
            mean(
                fighters.iter().map(|model| model.backups.len() as f64).sum(),
                fighters.len(),
            ),
            mean(
                fighters.iter().filter(|model| at_once(model)).count() as f64,
                fighters.len(),
            ),
        ];
        let mut counted = vec![0usize; package.game.subtypes.len()];
        for subtype in fighters.iter().filter_map(|model| model.subtype) {
            if let Some(count) = counted.get_mut(usize::from(subtype.0)) {
                *count += 1;
            }
        }
        let mut subtypes: Vec<usize> = (0..counted.len()).filter(|at| counted[*at] > 0).collect();
        subtypes.sort_by_key(|at| std::cmp::Reverse(counted[*at]));
        Character { means, subtypes }
    }

    /// Up to two things in which it differs most from all decks, and its two most frequent subtypes.
    fn words(&self, package: &DuelPackage, all: &[Character]) -> String {
        let many = all.len().max(1) as f64;
        let mut apart: Vec<(f64, &str)> = Vec::new();
        for (at, words) in labels::TRAITS.iter().enumerate() {
            let mean = all.iter().map(|one| one.means[at]).sum::<f64>() / many;
            let spread = (all
                .iter()
                .map(|one| one.means[at] - mean)
                .map(|off| off * off)
                .sum::<f64>()
                / many)
                .sqrt();
            if spread > 0.0 {
                let far = (self.means[at] - mean) / spread;
                apart.push((far.abs(), words[usize::from(far > 0.0)]));
            }
        }
        apart.sort_by(|one, other| other.0.total_cmp(&one.0));
        let traits: Vec<&str> = apart
            .iter()
            .filter(|one| one.0 > 0.5)
            .take(2)
            .map(|one| one.1)
            .collect();
        let names = self
            .subtypes
            .iter()
            .take(2)
            .map(|at| &*package.game.subtypes[*at]);
        labels::manner_of_deck(&traits, &names.collect::<Vec<_>>())
    }
}

/// A card of its own for each school that is shown at the top.
fn show_pieces(package: &DuelPackage) -> Vec<ModelId> {
    let all: Vec<ModelId> = package
        .decks
        .iter()
        .flat_map(|(_, cards)| cards.iter().copied())
        .collect();
    best_of(package, &all, 5)
}

/// The strongest characters of a deck, each of another subtype.
fn best_of(package: &DuelPackage, cards: &[ModelId], many: usize) -> Vec<ModelId> {
    let mut cards = cards.to_vec();
    cards.sort_by_key(|model| (std::cmp::Reverse(package.game.model(*model).bp), *model));
    cards.dedup();
    let (mut chosen, mut seen) = (Vec::new(), Vec::new());
    for model in cards {
        let subtype = package.game.model(model).subtype;
        if chosen.len() < many && !seen.contains(&subtype) {
            seen.push(subtype);
            chosen.push(model);
        }
    }
    chosen
}

fn face(package: &DuelPackage, model: ModelId) -> Markup {
    html! {
        img src=(card::source(&package.catalogue, model, "small")) alt="" width="63" height="88"
            loading="lazy";
    }
}
