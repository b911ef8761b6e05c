//! The one question, always in the same place.

use cw_duel::{CardView, Choice, Question, Seat};
use cw_players::Level;
use cw_program::{ModelId, PileName};
use cw_wire::Agreement;
use cw_words::EventReader;
use maud::{Markup, html};

use super::card;
use super::document::HOME;
use crate::effects::key;
use crate::labels;
use crate::scene::{AnswerButton, SeatScene};
use crate::table::{Asking, ChanceOrigin, ConsentRequest, Puzzle, Refused, SeatPlayer, is_yes_or_no};

pub(super) fn prompt(scene: &SeatScene<'_>) -> Markup {
    let number = scene.table.number();
    let stamp = scene.table.seats[scene.own].secret.stamp(number);
    let asked = scene
        .decision()
        .filter(|_| scene.puzzle() != Some(Puzzle::Failed));
    html! {
        section.prompt id="prompt" data-number=(number)
            data-kind=[asked.map(|decision| kind(decision.question))] data-mine[asked.is_some()]
            data-collect[asked.is_some() && scene.collects.is_some()]
            data-source=[asked.and_then(|decision| decision.source).map(key)]
            aria-label=(labels::WHAT_TO_DO) {
            form id="answer" method="post" action="answer" {
                input type="hidden" name="n" value=(number);
                input type="hidden" name="k" value=(stamp);
            }
            form id="act" method="post" action="act" {
                input type="hidden" name="n" value=(number);
                input type="hidden" name="k" value=(stamp);
                @if shuffles(scene) { input type="hidden" name="commit" value="" data-commit; }
            }
            @if let Some(words) = scene.coach() { p.coach { (words) } }
            @if scene.live { (asking(scene)) }
            @match (scene.puzzle(), scene.result(), asked) {
                (Some(Puzzle::Failed), ..) => (puzzle_failed(scene)),
                (_, Some(won), _) => (over(scene, won)),
                (_, None, Some(_)) if consents(scene) => {},
                (_, None, Some(_)) => (question(scene)),
                (_, None, None) if scene.passing => (passing(scene)),
                (_, None, None) if !scene.live => (earlier(scene)),
                (_, None, None) if matches!(scene.opponent(), SeatPlayer::Computer(_)) => (thinking(scene)),
                (_, None, None) => p.quiet.waiting { (decides(scene)) },
            }
            @if scene.live && scene.view.outcome.is_none() { (foot(scene)) }
        }
    }
}

/// What is said where something can be done for the first time; the page's script shows it once.
fn hint(scene: &SeatScene<'_>) -> Option<(&'static str, &'static str)> {
    let question = scene.decision()?.question;
    let backs_up = |offer: &AnswerButton| matches!(offer.choice, Choice::BackUp(_));
    let plays = scene.table.start.stage.is_none() && scene.is_played();
    labels::hint(question, scene.offers.iter().any(backs_up)).filter(|_| plays)
}

fn decides(scene: &SeatScene<'_>) -> String {
    labels::decides(&scene.other())
}

/// A word for the kind of question: the page's style and its tests know it.
fn kind(question: Question) -> &'static str {
    match question {
        Question::Main => "main",
        Question::Attack => "attack",
        Question::CounterAttack => "counter",
        Question::SlotFor(_) => "slot",
        Question::BackUpWhom(_) => "back-up",
        Question::JoinWhom(_) => "join",
        Question::BlockWhom(_) => "block",
        Question::Target { .. } => "target",
        Question::DiscardCost { .. } => "discard-cost",
        Question::SacrificeCost { .. } => "sacrifice",
        Question::Discard { .. } => "discard",
        Question::Player => "player",
        Question::Zone => "zone",
        Question::Type => "type",
        Question::WhichAction => "action",
        Question::May(_) => "may",
        Question::Optional => "optional",
        Question::TopOrBottom => "top-or-bottom",
        Question::Prophecy { .. } => "prophecy",
        Question::Coin => "coin",
        Question::MoveToSlot(_) => "move",
    }
}

/// Bytes of a story that is set in smaller letters.
const LONG: usize = 260;

/// What happened at an earlier moment.
fn earlier(scene: &SeatScene<'_>) -> Markup {
    let words = super::aloud(scene);
    html! {
        @if !words.is_empty() { p.happening.long[words.len() > LONG] tabindex="0" { (words) } }
        p.quiet { (labels::EARLIER_MOMENT) }
    }
}

/// What happens just now, and how to see the end of it at once.
fn passing(scene: &SeatScene<'_>) -> Markup {
    let words = super::aloud(scene);
    html! {
        @if words.is_empty() {
            p.quiet.waiting { (decides(scene)) }
        } @else {
            (act(scene, &words))
        }
        p.quiet.skip { (labels::SKIP_THE_SHOW) }
    }
}

/// An act in words, with the card that acts.
fn act(scene: &SeatScene<'_>, words: &str) -> Markup {
    html! {
        div.act {
            @if let Some((_, model)) = scene.acting() {
                span.actor aria-hidden="true" { (card::picture(scene, model, "small")) }
            }
            p.happening.long[words.len() > LONG] tabindex="0" { (words) }
        }
    }
}

/// What the other player did last, while they think about what follows.
fn thinking(scene: &SeatScene<'_>) -> Markup {
    let words = match scene.step.by == Some(scene.seat.other()) {
        true => super::aloud(scene),
        false => String::new(),
    };
    html! {
        @if !words.is_empty() { (act(scene, &words)) }
        p.quiet.waiting.thinks { (labels::thinks(&scene.other())) }
    }
}

fn question(scene: &SeatScene<'_>) -> Markup {
    let Some(decision) = scene.decision() else {
        return html! {};
    };
    if let Some(collection) = &scene.collects {
        return super::collect::question(scene, decision, collection);
    }
    let mut listed: Vec<(&AnswerButton, usize)> = Vec::new();
    for offer in scene.offers.iter().filter(|offer| !needs_face(scene, offer)) {
        match listed.iter_mut().find(|(other, _)| other.label == offer.label) {
            // Equal copies in a hand are one button; each of them can be clicked.
            Some((other, copies)) if in_hand(scene, other) && in_hand(scene, offer) => *copies += 1,
            _ => listed.push((offer, 1)),
        }
    }
    // What goes on or back stands last, after what comes to nothing; cards stand as they lie, so that the
    // numbers follow the hand.
    listed.sort_by_key(|(offer, _)| {
        let last = match offer.choice {
            Choice::CancelAttack(_) | Choice::CancelBlock(_) => 1,
            Choice::Pass | Choice::Done => 2,
            Choice::Decline => 3,
            _ => 0,
        };
        (
            last,
            offer.idle && offer.choice != Choice::Yes,
            offer.card().map_or(0, |card| scene.place_of(card)),
        )
    });
    let cue = scene.table.cue();
    let attackers = scene
        .offers
        .iter()
        .filter(|offer| matches!(offer.choice, Choice::Attack(_)))
        .count();
    // What goes on or back never scrolls away, and nothing lies under it.
    let ends = |offer: &AnswerButton| tone(offer) != "option";
    let without = passed_over(scene, decision);
    let nothing_chosen = decision
        .question
        .counts()
        .is_some_and(|(chosen, _, _)| chosen == 0);
    let cannot_wait = |offer: &AnswerButton| {
        let plain = match offer.choice {
            Choice::Pass => without.is_some(),
            Choice::Done => nothing_chosen,
            Choice::Yes => offer.idle,
            _ => false,
        };
        plain && cue != Some(offer.choice)
    };
    let onward = listed
        .iter()
        .position(|(offer, _)| ends(offer))
        .unwrap_or(listed.len());
    // Where there is only one answer, or two of which nothing else is told, each has room to say what its
    // card does.
    let explains = |offer: &AnswerButton| match offer.choice {
        Choice::Play(card) | Choice::Activate(card)
            if onward == 1 || onward == 2 && offer.consequence.is_none() =>
        {
            scene.text_of(card).map(|text| match scene.ability_of(card) {
                Some(kind) => format!("{}: {text}", labels::ability_name_of(kind)),
                None => text.to_owned(),
            })
        }
        _ => None,
    };
    let list = |class: &str, from: usize, listed: &[(&AnswerButton, usize)]| {
        html! {
            @if !listed.is_empty() {
                ol.(class) {
                    @for (at, (offer, copies)) in (from..).zip(listed) {
                        li {
                            @let later = !scene.allows(offer);
                            button.(if later || cannot_wait(offer) { "option" } else { tone(offer) })
                                .idle[later || offer.idle].cue[cue == Some(offer.choice)]
                                type="submit" form="answer" name="o" value=(offer.index) disabled[later]
                                title=[later.then_some(Refused::Lesson)] data-for=[offer.card().map(key)] {
                                @if at < 9 { kbd { (at + 1) } }
                                @let (label, price) = priced(offer);
                                span {
                                    (label)
                                    @if *copies > 1 { small { " ×" (copies) } }
                                    @let passed = without
                                        .as_ref()
                                        .filter(|_| offer.choice == Choice::Pass && cannot_wait(offer));
                                    @let told: Vec<&str> = offer
                                        .consequence
                                        .iter()
                                        .chain(passed)
                                        .map(|words| &**words)
                                        .collect();
                                    @if !told.is_empty() && !later { " " small.then { (told.join(", ")) } }
                                    @if let Some(text) = explains(offer).filter(|_| !later) {
                                        " " small.then.does { (text) }
                                    }
                                }
                                @if later { " " small { (labels::NOT_YET) } }
                                @if let Some(price) = price.filter(|_| !later) {
                                    " " small.price.cost[price.starts_with('−')] { (price) span.sr { " SP" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    html! {
        h2 id="question" tabindex="-1" { (labels::question(scene.reader(), decision, &scene.other())) }
        @if let Some((_, text)) = scene.because() { p.because { (text) } }
        @let cannot = scene.cannot_attack();
        @if !cannot.is_empty() { p.because.cannot { (cannot.join(" ")) } }
        (progress(scene, decision.question))
        div.choices {
            @if let Some((name, words)) = hint(scene) {
                p.once data-once=(name) hidden {
                    (words) " " button type="button" aria-label=(labels::UNDERSTOOD) { "×" }
                }
            }
            @if scene.pays_for_nothing() { p.warns { (labels::PAYS_FOR_NOTHING) } }
            (faces(scene, decision.question))
            @if attackers > 1 && cue.is_none() {
                button.all type="submit" form="act" name="act" value="attack-all" {
                    (labels::attack_with_all(attackers, scene.all_attack()))
                }
            }
            (list("options", 0, &listed[..onward]))
        }
        (list("options onward", onward, &listed[onward..]))
        @if is_yes_or_no(decision) && decision.place.is_some() && cue.is_none() {
            div.always {
                button.small type="submit" form="act" name="act" value="always-yes" { (labels::ALWAYS_YES) }
                button.small type="submit" form="act" name="act" value="always-no" { (labels::ALWAYS_NO) }
            }
        }
    }
}

/// What the seat could do with profit instead of passing, in words: then passing is no matter of course. Who
/// has declared an attack or a counter means it.
fn passed_over(scene: &SeatScene<'_>, decision: &cw_duel::Decision) -> Option<String> {
    let own = &scene.view.players[scene.seat].ring;
    let declared = own.iter().flatten().any(|fighter| match decision.question {
        Question::Attack => fighter.attacks,
        Question::CounterAttack => fighter.blocks,
        _ => false,
    });
    let useful = scene.still_useful();
    if declared || useful.is_empty() {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for name in useful
        .iter()
        .filter_map(|offer| offer.card())
        .map(|card| scene.reader().card(card))
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(labels::without(decision.question, &names))
}

/// The label and, apart from it, what playing the card costs or gives.
fn priced(offer: &AnswerButton) -> (&str, Option<&str>) {
    match (offer.choice, offer.label.rsplit_once(" (")) {
        (Choice::Play(_), Some((label, price))) if price.ends_with(" SP)") => {
            (label, price.strip_suffix(" SP)"))
        }
        _ => (&offer.label, None),
    }
}

fn tone(offer: &AnswerButton) -> &'static str {
    match offer.choice {
        Choice::Pass | Choice::Done | Choice::Yes => "go",
        Choice::Decline if !offer.back => "option",
        Choice::Decline | Choice::No => "back",
        _ => "option",
    }
}

/// How many are chosen, of how many, and which.
fn progress(scene: &SeatScene<'_>, question: Question) -> Markup {
    let Some((chosen, min, max)) = question.counts().filter(|(_, _, max)| *max > 1) else {
        return html! {};
    };
    let many = u8::try_from(scene.offers.len()).unwrap_or(u8::MAX);
    let most = max.min(many.saturating_add(chosen));
    html! {
        p.progress {
            span.steps aria-hidden="true" { @for at in 0..most.min(12) { i .done[at < chosen] {} } }
            span { (labels::progress(chosen, min, max)) }
            @for model in scene.chosen() {
                span.name.pick data-model=(model.0) { (scene.game().model(model).name) }
            }
        }
    }
}

/// Cards in piles and shown hands cannot be clicked on the table: their faces lie in the prompt,
/// with those that do not match beside them where the whole pile may be seen (G270).
fn faces(scene: &SeatScene<'_>, question: Question) -> Markup {
    let offered: Vec<&AnswerButton> = scene
        .offers
        .iter()
        .filter(|offer| needs_face(scene, offer))
        .collect();
    let others = if offered.is_empty() && !matches!(question, Question::Discard { .. }) {
        Vec::new()
    } else {
        others(scene, question)
    };
    if offered.is_empty() && others.is_empty() {
        return html! {};
    }
    let search = offered.len() + others.len() > 8;
    html! {
        @if search {
            input.find type="search" placeholder=(labels::FIND_A_CARD) aria-label=(labels::FIND_A_CARD)
                data-search;
        }
        ul.faces data-many[search] {
            @for offer in &offered { (face_of(scene, offer)) }
            @for model in others {
                li data-name=(scene.game().model(model).name.to_lowercase()) {
                    (card::loose(scene, model, "card no"))
                }
            }
        }
    }
}

/// Known cards of the pile that is chosen from which are no answers.
fn others(scene: &SeatScene<'_>, question: Question) -> Vec<ModelId> {
    let hand = if let Question::Discard { hand, .. } = question {
        Some((hand, PileName::Hand))
    } else {
        None
    };
    let Some((whose, pile)) = hand.or_else(|| pile_of_offers(scene)) else {
        return Vec::new();
    };
    // One's own hand lies open on the table.
    if pile == PileName::Hand && whose == scene.seat {
        return Vec::new();
    }
    let no_answer = |card: &&CardView| {
        let chosen = Some(card.card);
        !scene.offers.iter().any(|offer| offer.card() == chosen)
    };
    let cards = open_pile(scene, whose, pile).iter().filter(no_answer);
    cards.filter_map(|card| card.model).collect()
}

/// Piles that may be looked through. Of a deck only the matching cards are shown.
fn open_pile<'a>(scene: &'a SeatScene<'_>, whose: Seat, pile: PileName) -> &'a [CardView] {
    let player = &scene.view.players[whose];
    match pile {
        PileName::Hand => &player.hand,
        PileName::Discards => &player.discards,
        PileName::Removed => &player.removed,
        PileName::Deck => &[],
    }
}

/// The one pile in which all the offered cards lie.
fn pile_of_offers(scene: &SeatScene<'_>) -> Option<(Seat, PileName)> {
    let offered: Vec<_> = scene.offers.iter().filter_map(AnswerButton::card).collect();
    let piles = Seat::BOTH
        .into_iter()
        .flat_map(|seat| [PileName::Hand, PileName::Discards, PileName::Removed].map(|pile| (seat, pile)));
    let holds_all = |(seat, pile): &(Seat, PileName)| {
        let cards = open_pile(scene, *seat, *pile);
        let held = |card| cards.iter().any(|held| held.card == card);
        offered.iter().all(|card| held(*card))
    };
    let mut piles = piles.filter(holds_all);
    piles.next().filter(|_| !offered.is_empty())
}

fn needs_face(scene: &SeatScene<'_>, offer: &AnswerButton) -> bool {
    match offer.choice {
        Choice::Copy(_) => true,
        Choice::Card(card) => !scene.is_in_the_open(card) && scene.known(card).is_some(),
        _ => false,
    }
}

fn in_hand(scene: &SeatScene<'_>, offer: &AnswerButton) -> bool {
    let hand = &scene.view.players[scene.seat].hand;
    offer
        .card()
        .is_some_and(|card| hand.iter().any(|held| held.card == card))
}

fn face_of(scene: &SeatScene<'_>, offer: &AnswerButton) -> Markup {
    let model = if let Choice::Copy(model) = offer.choice {
        Some(model)
    } else {
        offer.card().and_then(|card| scene.known(card))
    };
    let Some(model) = model else {
        return html! {};
    };
    let printed = scene.game().model(model);
    let cue = scene.table.cue() == Some(offer.choice);
    html! {
        li data-name=(printed.name.to_lowercase()) {
            button.card.legal[scene.allows(offer)].cue[cue] type="submit" form="answer" name="o"
                value=(offer.index) disabled[!scene.allows(offer)] data-model=(model.0)
                aria-label=(labels::choose(&printed.name, &card::summary(scene.game(), printed))) {
                (card::picture(scene, model, "small"))
                @if printed.is_character() { b.bp { (printed.bp) } }
                (card::facts(scene, model, None, None))
            }
        }
    }
}

/// Undo, and what is answered without asking.
fn foot(scene: &SeatScene<'_>) -> Markup {
    let always = &scene.table.seats[scene.seat].policy.habits;
    // Where the question itself can be taken back, a second button for that would only make one wonder.
    let declines = scene.offers.iter().any(|offer| offer.back);
    let undo = !declines && scene.table.undo_step(scene.seat).is_some();
    html! {
        footer {
            @if scene.decision().is_some_and(|decision| matches!(
                decision.question,
                Question::Attack | Question::CounterAttack
            )) {
                button.small.why type="button" popovertarget="help" aria-label=(labels::HOW_A_FIGHT_GOES) {
                    "?"
                }
            }
            // Where there is no pane beside the table, the card that asks is a tap away.
            @if let Some((model, _)) = scene.because() {
                button.small.name.read type="button" data-model=(model.0)
                    title=(scene.game().model(model).name) { (labels::READ_THE_CARD) }
            }
            @if undo {
                button.small type="submit" form="act" name="act" value="undo" title=(labels::UNDO_HINT) {
                    (labels::UNDO)
                }
            }
            @if let Some(to) = scene.table.step_to_ask_for(scene.seat) {
                button.small type="button" popovertarget="ask-back" { (labels::ASK_BACK) }
                div.sheet.narrow popover id="ask-back" role="dialog" aria-label=(labels::ASK_BACK) {
                    h3 { (labels::ASK_BACK) }
                    p { (labels::ASK_BACK_HINT) }
                    (gone_back(scene, to))
                    button.go type="submit" form="act" name="act" value="ask-back" { (labels::ASK_BACK_YES) }
                    button.back type="button" popovertarget="ask-back" popovertargetaction="hide" {
                        (labels::PLAY_ON)
                    }
                }
            }
            @if scene.table.start.stage.is_some() {
                button.small type="submit" form="act" name="act" value="again" { (labels::AGAIN) }
            }
            @if !always.is_empty() {
                button.small type="button" popovertarget="always" { (labels::automatic(always.len())) }
                div.sheet.narrow popover id="always" role="dialog" aria-label=(labels::AUTOMATIC) {
                    h3 { (labels::AUTOMATIC) }
                    @for (at, (place, habit)) in always.iter().enumerate() {
                        @let name = &scene.game().model(place.model).name;
                        button type="submit" form="act" name="act" value=(format!("ask-{at}")) {
                            (labels::ask_again(name, *habit == cw_players::Habit::Yes))
                        }
                    }
                }
            }
        }
    }
}

/// Whether the other person waits for this seat's consent: one question at a time.
fn consents(scene: &SeatScene<'_>) -> bool {
    let back = |asking: &Asking| matches!(asking.what, ConsentRequest::Back { .. });
    let asking = scene.table.asking().filter(|asking| back(asking));
    asking.is_some_and(|asking| asking.by == scene.seat.other())
}

/// What one person asks the other one for, and how that was answered.
fn asking(scene: &SeatScene<'_>) -> Markup {
    let refused = scene.table.seats[scene.seat].refused == Some(scene.at);
    html! {
        @match scene.table.asking() {
            Some(Asking { what: ConsentRequest::Shuffle { agreeing, .. }, .. }) => div.asking role="status" {
                p { (labels::WAITING_FOR_PARTS) }
                @if !agreeing.has_revealed(scene.seat) {
                    (super::reveal_form(agreeing, scene.seat, &scene.table.seats[scene.seat].secret.stamp(0)))
                }
            },
            Some(asking) if asking.by == scene.seat => div.asking role="status" {
                p {
                    (if asking.what == ConsentRequest::Draw {
                        labels::WAITING_FOR_DRAW
                    } else {
                        labels::WAITING_FOR_CONSENT
                    })
                }
                button.small type="submit" form="act" name="act" value="play-on" { (labels::NEVER_MIND) }
            },
            Some(Asking { what: ConsentRequest::Draw, .. }) => div.asking role="status" {
                p { (labels::other_offers_draw(scene.opponents_name())) }
                button.small type="submit" form="act" name="act" value="accept-draw" { (labels::ACCEPT_DRAW) }
                button.small type="submit" form="act" name="act" value="play-on" { (labels::PLAY_ON) }
            },
            Some(Asking { what: ConsentRequest::Back { to, .. }, .. }) => div.asking role="status" {
                h2 id="question" tabindex="-1" { (labels::other_asks_back(scene.opponents_name())) }
                (gone_back(scene, *to))
                button.small.go type="submit" form="act" name="act" value="let-back" { (labels::LET_BACK) }
                button.small type="submit" form="act" name="act" value="play-on" { (labels::PLAY_ON) }
            },
            None if refused => p.quiet role="status" { (labels::ASKING_REFUSED) },
            None => {},
        }
    }
}

/// What was chosen at a step, as far as the reader may know.
fn chosen_at(scene: &SeatScene<'_>, to: usize) -> Option<String> {
    let choice = scene.table.steps().get(to + 1)?.choice?;
    let duel = scene.table.duel_at(to);
    let reader = EventReader {
        duel: &duel,
        seat: Some(scene.seat),
    };
    Some(labels::option(
        reader,
        duel.pending()?,
        &duel.view(scene.seat),
        choice,
    ))
}

/// What going back to a step would take back, and what it means for the shuffle.
fn gone_back(scene: &SeatScene<'_>, to: usize) -> Markup {
    html! {
        @if let Some(words) = chosen_at(scene, to) { blockquote { (words) } }
        p { (labels::steps_back(scene.table.last() - to)) }
        @if scene.table.needs_another_shuffle(to) {
            details.chance {
                summary { (labels::RESHUFFLE_HINT) }
                p { (labels::RESHUFFLE_EXPLAINED) }
                p { (labels::COMMITMENT) " " code.digest { (scene.table.reshuffle_commitment()) } }
            }
        }
    }
}

/// Whether another person may have to shuffle with this seat next.
fn shuffles(scene: &SeatScene<'_>) -> bool {
    scene.live && scene.table.people_shuffle()
}

/// Whether a rematch would be shuffled together.
fn shuffles_again(scene: &SeatScene<'_>) -> bool {
    shuffles(scene) && scene.view.outcome.is_some()
}

/// How chance came about, now that it may be told, and what binds the host for the next shuffle (D70).
fn chance(scene: &SeatScene<'_>) -> Markup {
    let seed = scene.table.origin.seed();
    html! {
        details.chance {
            summary { (labels::HOW_IT_WAS_SHUFFLED) }
            @match &scene.table.origin {
                ChanceOrigin::Given(_) => p { (labels::SEED_WAS_CHOSEN) },
                ChanceOrigin::Drawn(_) => p { (labels::SEED_WAS_DRAWN) },
                ChanceOrigin::Agreed(made) => {
                    p { (labels::SEED_WAS_AGREED) }
                    dl {
                        dt { (labels::COMMITMENT) } dd { code.digest { (made.commitment()) } }
                        @for (seat, digest) in made.commitments().iter().enumerate() {
                            dt { (labels::seat_digest(seat + 1)) } dd { code.digest { (digest) } }
                        }
                        dt { (labels::HOST_PART) } dd { code.digest { (made.secret) } }
                        @for (seat, part) in made.nonces.iter().enumerate() {
                            dt { (labels::seat_part(seat + 1)) } dd { code.digest { (part) } }
                        }
                    }
                    (checked(scene, made))
                    p { (labels::CHECK_COMMITMENT) } pre { (format!("printf %s {} | b3sum", made.secret)) }
                    p { (labels::CHECK_SEED) } pre { (format!("printf %s {} | b3sum", made.text())) }
                },
            }
            p { (labels::SEED) " " code.digest { (seed) } }
            @for made in scene.table.reshuffles() {
                p { (labels::SHUFFLED_ANEW) " " (labels::CHECK_SEED) }
                pre { (format!("printf %s {} | b3sum", made.text())) }
                (checked(scene, made))
            }
            @if shuffles_again(scene) {
                p { (labels::NEXT_COMMITMENT) " " code.digest { (scene.table.next_commitment()) } }
            }
        }
    }
}

/// Where the page's script says whether a shuffle was made as it was told before (D105).
fn checked(scene: &SeatScene<'_>, made: &Agreement) -> Markup {
    let [one, two] = &made.nonces;
    html! {
        p role="status" data-shuffle data-secret=(made.secret) data-one=(one) data-two=(two)
            data-seed=(made.seed()) data-mine=(scene.seat.index() + 1) data-say-fits=(labels::SHUFFLE_FITS)
            data-say-wrong=(labels::SHUFFLE_IS_WRONG) data-say-unseen=(labels::SHUFFLE_UNSEEN) {}
    }
}

fn puzzle_failed(scene: &SeatScene<'_>) -> Markup {
    html! {
        h2.result id="question" tabindex="-1" data-won="false" { (labels::NOT_SOLVED) }
        (super::feats::daily_result(scene))
        @if let Some(goal) = scene.goal() { p { (goal) } }
        div.after {
            button.go type="submit" form="act" name="act" value="again" { (labels::TRY_AGAIN) }
            @let stage = scene.table.start.stage.as_deref();
            @if let Some(hint) = stage.and_then(crate::stage::ScenarioStage::note) {
                details.hinted { summary { (labels::SHOW_A_HINT) } p { (hint) } }
            }
            @if stage.is_some_and(crate::stage::ScenarioStage::has_solution) {
                button.option type="submit" form="act" name="act" value="solution" {
                    (labels::SHOW_THE_SOLUTION)
                }
            }
            button.option type="submit" form="act" name="act" value="next" { (labels::NEXT_PUZZLE) }
            a.option href="share" data-insight { (labels::SHARE) }
        }
    }
}

fn over(scene: &SeatScene<'_>, won: Option<bool>) -> Markup {
    let reason = reason(scene, won);
    let place = &scene.table.seats[scene.seat];
    let staged = scene.table.start.stage.is_some();
    html! {
        h2.result id="question" tabindex="-1" data-won=[won] {
            (if scene.puzzle() == Some(Puzzle::Solved) { labels::SOLVED } else { labels::result(won) })
        }
        p { (reason) (numbers(scene)) }
        @if scene.live {
            div.after {
                @if place.wants_rematch.is_some() {
                    p.quiet { (labels::waiting_for_rematch(&scene.other())) }
                }
                @if place.rematch_refused {
                    p.quiet role="status" { (labels::rematch_refused(scene.opponents_name())) }
                }
                (rematch_asked(scene))
                @if staged {
                    (super::feats::daily_result(scene))
                    (super::feats::of_duel(scene))
                    @let shows_it = scene.table.start.stage.as_deref().is_some_and(|stage| stage.played);
                    @match scene.puzzle() {
                        Some(Puzzle::Solved) if shows_it => {
                            a.go.option href="moment/0" { (labels::STEP_THROUGH) }
                            button.option type="submit" form="act" name="act" value="next" {
                                (labels::NEXT_PUZZLE)
                            }
                        },
                        Some(Puzzle::Solved) => button.go type="submit" form="act" name="act" value="next" {
                            (labels::NEXT_PUZZLE)
                        },
                        Some(Puzzle::Open | Puzzle::Failed) => {},
                        None => {
                            button.go type="submit" form="act" name="act" value="real-duel" {
                                (labels::REAL_DUEL)
                            }
                            button.option type="submit" form="act" name="act" value="next" {
                                (labels::GO_ON_LEARNING)
                            }
                        },
                    }
                    button.option type="submit" form="act" name="act" value="again" { (labels::AGAIN) }
                    @if !shows_it { a.option href="moment/0" { (labels::WATCH) } }
                    a.option href="share" data-insight { (labels::SHARE) }
                } @else {
                    @if let Some(run) = run_of(scene) { a.go.option href=(run) { (labels::BACK_TO_THE_RUN) } }
                    button.go.option[run_of(scene).is_some()] type="button" popovertarget="ending" {
                        (labels::HOW_IT_WENT)
                    }
                }
            }
        }
    }
}

/// The way back to the run that the duel belongs to.
fn run_of(scene: &SeatScene<'_>) -> Option<String> {
    let run = scene.table.start.opponent.as_deref()?.run.as_ref()?;
    Some(format!("/front/run/{}", run.seed))
}

/// What the other person would like to play next, and how that was answered.
fn rematch_asked(scene: &SeatScene<'_>) -> Markup {
    let theirs = &scene.table.seats[scene.seat.other()];
    let own = &scene.table.seats[scene.seat];
    let name = scene.opponents_name();
    html! {
        @if let Some(wish) = theirs
            .wants_rematch
            .as_ref()
            .filter(|wish| own.wants_rematch.as_ref().is_none_or(|own| own.swap != wish.swap))
        {
            p role="status" { (labels::wants_rematch(name, wish.swap)) }
            button.go type="submit" form="act" name="act" value=(if wish.swap { "swap" } else { "rematch" }) {
                (labels::AGREE_TO_REMATCH)
            }
            button.option type="submit" form="act" name="act"
                value=(if wish.swap { "rematch" } else { "swap" }) {
                (if wish.swap { labels::RATHER_SAME } else { labels::RATHER_SWAP })
            }
            button.option type="submit" form="act" name="act" value="no-rematch" { (labels::NO_REMATCH) }
        }
    }
}

/// Whether there is something to tell about a duel that is over.
pub(super) fn has_ending(scene: &SeatScene<'_>) -> bool {
    scene.live && scene.view.outcome.is_some() && scene.table.start.stage.is_none()
}

/// After the end of a whole duel: how it went, and what can be done now.
pub(super) fn ending(scene: &SeatScene<'_>) -> Markup {
    let won = scene.result().flatten();
    let waits = scene.table.seats[scene.seat].wants_rematch.is_some();
    html! {
        div.sheet.ending popover id="ending" role="dialog" aria-label=(labels::HOW_IT_WENT) {
            div.story tabindex="0" role="group" aria-label=(labels::HOW_IT_WENT) {
                h2.result data-won=[won] { (labels::result(won)) }
                p { (reason(scene, won)) (numbers(scene)) }
                (super::feats::of_duel(scene))
                (super::ending::plot(scene))
                (super::ending::reasons(scene))
                (super::ending::moments(scene))
                (super::review::place())
                div.after {
                    a.option href="record.json" download="duel.json" { (labels::SAVE_RECORD) }
                    (chance(scene))
                }
            }
            div.after.again {
                @if waits { p.quiet { (labels::waiting_for_rematch(&scene.other())) } }
                @if scene.table.seats[scene.seat].rematch_refused {
                    p.quiet role="status" { (labels::rematch_refused(scene.opponents_name())) }
                }
                @let asked = rematch_asked(scene);
                @if let Some(run) = run_of(scene) {
                    a.go.option href=(run) { (labels::BACK_TO_THE_RUN) }
                } @else if asked.0.is_empty() {
                    @let onward = onward(scene, won);
                    (onward)
                    button.(if won == Some(true) && !onward.0.is_empty() { "option" } else { "go" })
                        type="submit" form="act" name="act" value="rematch" { (labels::REMATCH) }
                    button.option type="submit" form="act" name="act" value="swap" { (labels::SWAP) }
                } @else {
                    (asked)
                }
                a.option href="moment/0" { (labels::WATCH) }
                a.option href="share" data-insight { (labels::SHARE) }
                button.option type="button" popovertarget="ending" popovertargetaction="hide" {
                    (labels::LOOK_AT_THE_TABLE)
                }
                a.option href=(HOME) { (labels::HOME) }
            }
        }
    }
}

/// What a duel against the computer leads on to: who has won plays somebody harder; else there are the
/// lessons that were not done yet, which only the page's script knows, and an easier level.
fn onward(scene: &SeatScene<'_>, won: Option<bool>) -> Markup {
    let Some(level) = scene.opponent().level() else {
        return html! {};
    };
    let at = Level::ALL.iter().position(|other| *other == level).unwrap_or(0);
    let other = match won {
        Some(true) => Level::ALL.get(at + 1),
        _ => at.checked_sub(1).map(|at| &Level::ALL[at]),
    };
    let leads_on = won == Some(true);
    html! {
        @if !leads_on {
            button.go type="submit" form="act" name="act" data-due hidden { (labels::LESSON_DUE) " " b {} }
        }
        @if leads_on && scene.table.start.opponent.is_some() {
            button.go type="submit" form="act" name="act" value="real-duel" { (labels::AGAINST_THE_NEXT) }
        } @else if let Some(other) = other {
            a.option.go[leads_on] href=(format!("{HOME}#level-{}", other.name())) {
                (labels::other_level(*other, leads_on))
            }
        }
    }
}

fn reason(scene: &SeatScene<'_>, won: Option<bool>) -> String {
    match scene.view.outcome {
        Some(cw_duel::DuelOutcome::Won { reason, .. }) => {
            labels::reason(reason, won == Some(true), &scene.other())
        }
        Some(cw_duel::DuelOutcome::Drawn) if scene.table.was_agreed_draw() => labels::AGREED_DRAW.to_owned(),
        Some(cw_duel::DuelOutcome::Drawn) | None => labels::NOBODY_WON.to_owned(),
    }
}

/// The duel in numbers.
fn numbers(scene: &SeatScene<'_>) -> Markup {
    let hp = |seat: Seat| scene.view.players[seat].hp;
    html! {
        span.quiet { " " (labels::in_numbers(scene.view.turn, hp(scene.seat), hp(scene.seat.other()))) }
    }
}
