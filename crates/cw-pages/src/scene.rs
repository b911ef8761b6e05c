//! What a seat sees at one step of a duel.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use cw_duel::{
    AbilityKind, CardId, Choice, Decision, Duel, DuelEvent, DuelOutcome, DuelView, ExplainedNumber,
    Explanation, Game, Ledger, Phase, Seat, Sink, StatementsEnding, TraceStep, Traced,
};
use cw_faces::Catalogue;
use cw_program::{ModelId, PileName, PileViewState};
use cw_words::EventReader;

use crate::beats::Beat;
use crate::labels;
use crate::notice::WorkNotice;
use crate::presence::Presence;
use crate::preview;
use crate::several::Collection;
use crate::table::{DuelTable, Puzzle, Refused, SeatPlayer, TableStep};

/// Steps that are gone back at most to find one in which a program ran.
const MOST_STEPS_BACK: usize = 12;

/// Keeps the trace of programs.
#[derive(Debug, Default)]
struct Witness(Vec<Traced>);

/// A loss of HP at once that an opponent remarks on.
const GOOD_BLOW: i32 = 400;

/// Lines that are kept of one choice.
const MOST_LINES: usize = 500;

impl Sink for Witness {
    fn event(&mut self, _: &DuelEvent) {}

    fn wants_trace(&self) -> bool {
        self.0.len() < MOST_LINES
    }

    fn traced(&mut self, line: &Traced) {
        self.0.push(line.clone());
    }
}

/// How long the options of a question may be tried out. The time is handed in, so that the same scene can be
/// made where there is no clock.
#[derive(Clone, Copy)]
pub struct Trials<'a> {
    /// How much time has passed since the page was asked for.
    pub clock: &'a dyn Fn() -> Duration,
    /// What trying out all options of one question may take; those that are left then are offered untried.
    pub all: Duration,
    /// What trying out one option may take before its card is named as slow.
    pub one: Duration,
}

impl Trials<'_> {
    /// All options are tried out, however long that takes.
    pub const WITHOUT_CLOCK: Trials<'static> = Trials {
        clock: &|| Duration::ZERO,
        all: Duration::MAX,
        one: Duration::MAX,
    };
}

impl std::fmt::Debug for Trials<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trials")
            .field("all", &self.all)
            .field("one", &self.one)
            .finish_non_exhaustive()
    }
}

/// One answer to the pending decision, as a button.
#[derive(Clone, Debug)]
pub(crate) struct AnswerButton {
    /// Its place among the decision's options.
    pub(crate) index: usize,
    pub(crate) choice: Choice,
    /// What the button says.
    pub(crate) label: String,
    /// What would come of it, if that was found out.
    pub(crate) consequence: Option<String>,
    /// Whether nothing would come of it but its price.
    pub(crate) idle: bool,
    /// Whether it takes back what was begun.
    pub(crate) back: bool,
}

impl AnswerButton {
    /// The card that one clicks on for this answer.
    pub(crate) fn card(&self) -> Option<CardId> {
        self.choice.card()
    }
}

/// A step of a duel through the eyes of a seat.
#[derive(Debug)]
pub struct SeatScene<'a> {
    pub(crate) table: &'a DuelTable,
    /// Which step.
    pub(crate) at: usize,
    pub(crate) step: &'a TableStep,
    /// What is new of the step's events; what follows them has not happened yet.
    pub(crate) moment: Range<usize>,
    /// The duel there.
    pub duel: Duel,
    pub(crate) seat: Seat,
    /// Whose page it is: the same seat, but for a replay of the other side.
    pub own: Seat,
    pub(crate) view: DuelView,
    /// Whether the seat can answer here: the newest step, and its decision.
    pub(crate) live: bool,
    /// Whether it is shown in passing, on the way to the newest step.
    pub(crate) passing: bool,
    /// Whether the other person is there, where both are people.
    pub(crate) presence: Option<Presence>,
    /// What whoever works on the game tells.
    pub(crate) notice: Option<&'a WorkNotice>,
    /// The answers; empty if it is not this seat's decision.
    pub(crate) offers: Vec<AnswerButton>,
    /// Cards that took too long to be tried out.
    pub slow: Vec<ModelId>,
    /// The cards that are chosen together, where the seat is asked for several.
    pub(crate) collects: Option<Collection>,
    /// A duel that looks the same to the seat, to try things out on (D50).
    guess: Option<Duel>,
}

impl<'a> SeatScene<'a> {
    /// Where a number of this step comes from; nothing that the seat may not know.
    pub fn explain(&self, value: ExplainedNumber) -> Option<Explanation> {
        let mut ledger = Ledger::new(&self.table.duel_at(0));
        for event in (1..=self.at).flat_map(|at| self.events_of(at)) {
            ledger.event(event);
        }
        ledger.explain(&self.duel, self.seat, value)
    }

    /// What programs did in the last choice that ran any: it is made again, with a witness.
    pub fn trace(&self) -> Vec<Traced> {
        for at in (1..=self.at).rev().take(MOST_STEPS_BACK) {
            let Some(choice) = self.table.steps()[at].choice else {
                continue;
            };
            let mut witness = Witness::default();
            let again = self.table.duel_at(at - 1).answer(choice, &mut witness);
            if again.is_ok() && witness.0.iter().any(|line| line.depth > 0) {
                return witness.0;
            }
        }
        Vec::new()
    }

    /// How the puzzle stands, if the table has one.
    pub(crate) fn puzzle(&self) -> Option<Puzzle> {
        self.table.puzzle().filter(|_| self.live)
    }

    /// What is to be reached in the puzzle.
    pub(crate) fn goal(&self) -> Option<&'a str> {
        self.table.start.stage.as_deref()?.goal()
    }

    /// What the coach says now.
    pub(crate) fn coach(&self) -> Option<&'a str> {
        self.table.start.stage.as_deref()?.coach(self.at)
    }

    /// Cards that the seat could still use with profit where it may pass (D68), by their offers.
    pub(crate) fn still_useful(&self) -> Vec<&AnswerButton> {
        let useful = |offer: &&AnswerButton| match offer.choice {
            Choice::Attack(_) | Choice::Block(_) | Choice::BackUp(_) => true,
            Choice::Play(_) | Choice::Activate(_) => !offer.idle,
            _ => false,
        };
        self.offers.iter().filter(useful).collect()
    }

    /// Whether it is asked what to pay for an effect that does nothing, whatever it is paid with.
    pub(crate) fn pays_for_nothing(&self) -> bool {
        let mut cards = self
            .offers
            .iter()
            .filter(|offer| offer.card().is_some())
            .peekable();
        let asked = self
            .decision()
            .is_some_and(|decision| preview::is_price(decision.question));
        asked && cards.peek().is_some() && cards.all(|offer| offer.idle)
    }

    /// Where a card lies, as the eye goes: the hand from the left, then the own ring, then the other's.
    pub(crate) fn place_of(&self, card: CardId) -> usize {
        let hand = &self.view.players[self.seat].hand;
        if let Some(at) = hand.iter().position(|held| held.card == card) {
            return at;
        }
        let rings = [self.seat, self.seat.other()].map(|seat| (seat, &self.view.players[seat].ring));
        let found = rings.iter().find_map(|(seat, ring)| {
            let holds =
                |one: &Option<cw_duel::CharacterView>| one.as_ref().is_some_and(|one| one.card == card);
            let slot = ring.iter().position(holds)?;
            let own = *seat == self.seat;
            Some(labels::from_the_left(slot, ring.len(), own) + if own { 0 } else { ring.len() })
        });
        hand.len() + found.unwrap_or(usize::MAX / 2)
    }

    /// The card whose effect asks, and its text, where the question alone does not say what for.
    pub(crate) fn because(&self) -> Option<(ModelId, &'a str)> {
        use cw_duel::Question;
        let decision = self.decision()?;
        let asks = matches!(
            decision.question,
            Question::Target { .. }
                | Question::Player
                | Question::Zone
                | Question::Type
                | Question::TopOrBottom
                | Question::Coin
                | Question::DiscardCost { .. }
                | Question::SacrificeCost { .. }
                | Question::WhichAction
        );
        let card = decision.source.filter(|_| asks)?;
        Some((self.known(card)?, self.text_of(card)?))
    }

    /// The rule text of a card that the seat knows; `None` if it has none.
    pub(crate) fn text_of(&self, card: CardId) -> Option<&'a str> {
        let text = &*self.game().model(self.known(card)?).text;
        (!text.is_empty()).then_some(text)
    }

    /// What attacking with all who can deals in all if nobody counters.
    pub(crate) fn all_attack(&self) -> Option<i32> {
        preview::all_attack(self.guess.as_ref()?, self.decision()?)
    }

    /// Of which kind the ability of a card is that the seat knows.
    pub(crate) fn ability_of(&self, card: CardId) -> Option<AbilityKind> {
        let ability = self.game().model(self.known(card)?).ability.as_ref()?;
        Some(ability.kind)
    }

    /// What was chosen already for the question that asks for several.
    pub(crate) fn chosen(&self) -> Vec<ModelId> {
        let counts = self.decision().and_then(|decision| decision.question.counts());
        let chosen = counts.map_or(0, |(chosen, _, _)| usize::from(chosen));
        // Of a `prophecy` it is asked in between where the cards go (D33).
        let is_part = |choice: &Choice| {
            matches!(
                choice,
                Choice::Card(_) | Choice::Copy(_) | Choice::Top | Choice::Bottom
            )
        };
        let is_pick = |choice: &Choice| matches!(choice, Choice::Card(_) | Choice::Copy(_));
        let steps = self.table.steps()[..=self.at].iter().rev();
        let choices = steps.filter_map(|step| step.choice);
        let picks = choices.take_while(is_part).filter(is_pick).take(chosen);
        let mut choices: Vec<Choice> = picks.collect();
        choices.reverse();
        let model = |choice: Choice| {
            if let Choice::Copy(model) = choice {
                return Some(model);
            }
            self.known(choice.card()?)
        };
        choices.into_iter().filter_map(model).collect()
    }

    /// How a pile is to be shown (G240), if a card has said so.
    pub(crate) fn pile_view(&self, whose: Seat, wanted: PileName) -> Option<PileViewState> {
        let mut events = (0..=self.at).rev().flat_map(|at| self.events_of(at).iter().rev());
        events.find_map(|event| match *event {
            DuelEvent::PileView { seat, pile, view } if seat == whose && pile == wanted => Some(view),
            _ => None,
        })
    }

    /// The newest step, with what its options would bring as far as `trials` allow to find out.
    pub fn now(table: &'a DuelTable, seat: Seat, trials: &Trials<'_>) -> SeatScene<'a> {
        let mut scene = SeatScene::at(table, seat, table.last());
        scene.live = true;
        if let Some(decision) = scene.view.decision.clone() {
            scene.guess = scene.duel.sample(seat, table.number());
            (scene.offers, scene.slow) = offers(&scene, &decision, trials);
            scene.collects = Collection::of(&scene.duel).filter(|_| table.cue().is_none());
        }
        scene
    }

    /// A step that is shown in passing, as it happens.
    pub(crate) fn passing(table: &'a DuelTable, seat: Seat, at: usize) -> SeatScene<'a> {
        let mut scene = SeatScene::at(table, seat, at);
        scene.passing = true;
        scene
    }

    /// A moment of a step, as it happens.
    pub fn beat(table: &'a DuelTable, seat: Seat, at: usize, beat: &Beat) -> SeatScene<'a> {
        let mut scene = SeatScene::at(table, seat, at);
        if beat.events.end < scene.step.events.len() {
            scene.view = beat.duel.view(seat);
            scene.duel = beat.duel.clone();
        }
        scene.moment = beat.events.clone();
        scene
    }

    /// The same, of whose last step only the events from this one on are new.
    #[must_use]
    pub(crate) fn since(mut self, from: usize) -> SeatScene<'a> {
        self.moment.start = from;
        self
    }

    /// What is new: the events of this moment of the step.
    pub(crate) fn news(&self) -> &'a [DuelEvent] {
        &self.step.events[self.moment.clone()]
    }

    /// What has happened of a step.
    pub(crate) fn events_of(&self, at: usize) -> &'a [DuelEvent] {
        let events = &self.table.steps()[at].events;
        match at == self.at {
            true => &events[..self.moment.end],
            false => events,
        }
    }

    /// The same, with what is known of the other person, if both play a duel of their own.
    #[must_use]
    pub fn with(mut self, presence: Presence) -> SeatScene<'a> {
        self.presence = self.table.people_shuffle().then_some(presence);
        self
    }

    /// The same, with what whoever works on the game tells.
    #[must_use]
    pub fn noted(mut self, notice: Option<&'a WorkNotice>) -> SeatScene<'a> {
        self.notice = notice;
        self
    }

    /// Whether the page is that of the table as it is played, not of the past.
    pub(crate) fn is_played(&self) -> bool {
        self.live || self.passing
    }

    /// An earlier step, to look at.
    pub fn at(table: &'a DuelTable, seat: Seat, at: usize) -> SeatScene<'a> {
        let duel = table.duel_at(at);
        SeatScene {
            table,
            at,
            step: &table.steps()[at],
            moment: 0..table.steps()[at].events.len(),
            seat,
            own: seat,
            view: duel.view(seat),
            duel,
            live: false,
            passing: false,
            presence: None,
            notice: None,
            offers: Vec::new(),
            slow: Vec::new(),
            collects: None,
            guess: None,
        }
    }

    pub(crate) fn game(&self) -> &'a Arc<Game> {
        &self.table.start.game
    }

    pub(crate) fn catalogue(&self) -> &'a Catalogue {
        &self.table.start.catalogue
    }

    pub(crate) fn reader(&self) -> EventReader<'_> {
        EventReader {
            duel: &self.duel,
            seat: Some(self.seat),
        }
    }

    pub(crate) fn decision(&self) -> Option<&Decision> {
        self.view.decision.as_ref().filter(|_| self.live)
    }

    /// Whether this answer may be given now: a lesson takes only what its coach says.
    pub(crate) fn allows(&self, offer: &AnswerButton) -> bool {
        self.table.cue().is_none_or(|cue| cue == offer.choice)
    }

    /// The answers that a click on this card could mean, as far as they may be given.
    pub(crate) fn offers_on(&self, card: CardId) -> Vec<&AnswerButton> {
        let mut meant = self.meant_by(card);
        meant.retain(|offer| self.allows(offer));
        meant
    }

    fn meant_by(&self, card: CardId) -> Vec<&AnswerButton> {
        let direct: Vec<&AnswerButton> = self
            .offers
            .iter()
            .filter(|offer| offer.card() == Some(card))
            .collect();
        if !direct.is_empty() {
            return direct;
        }
        // Equal copies in the hand are offered once; each of them may be clicked.
        let Some(model) = self.known(card).filter(|_| self.holds(card)) else {
            return direct;
        };
        let equal = |offer: &&AnswerButton| {
            let other = offer.card().filter(|other| self.holds(*other));
            other.is_some_and(|other| self.known(other) == Some(model))
        };
        let first = self.offers.iter().find(equal).and_then(AnswerButton::card);
        let of_first = |offer: &&AnswerButton| first.is_some() && offer.card() == first;
        self.offers.iter().filter(of_first).collect()
    }

    fn holds(&self, card: CardId) -> bool {
        self.view.players[self.seat]
            .hand
            .iter()
            .any(|held| held.card == card)
    }

    /// Why nothing can be done with one of the seat's cards now.
    pub(crate) fn why_not(&self, card: CardId) -> Option<String> {
        let guess = self.guess.as_ref()?;
        let meant = self.meant_by(card);
        if let Some(offer) = meant.first() {
            return (!self.allows(offer)).then(|| Refused::Lesson.to_string());
        }
        if self.is_asked_about(card) {
            return None;
        }
        let name = self.reader().card(card);
        let choices: &[Choice] = match (self.holds(card), self.view.phase) {
            (true, _) => &[Choice::Play(card)],
            (false, Phase::Main) => &[Choice::Activate(card)],
            (false, Phase::Attack) => &[Choice::Attack(card)],
            (false, Phase::CounterAttack) => &[Choice::Block(card)],
            (false, _) => return None,
        };
        preview::why_not(guess, &name, choices)
    }

    /// Why characters of the seat that are not frozen cannot attack, a sentence each, where it is asked who
    /// attacks.
    pub(crate) fn cannot_attack(&self) -> Vec<String> {
        let asked = self.decision();
        let attack = asked.is_some_and(|decision| decision.question == cw_duel::Question::Attack);
        // Who is led attacks with whom the coach names.
        if !attack || self.table.cue().is_some() {
            return Vec::new();
        }
        let own = self.view.players[self.seat].ring.iter().flatten();
        own.filter(|one| !one.frozen && !one.attacks && !one.follows)
            .filter_map(|one| self.why_not(one.card))
            .map(|why| why.replace(labels::IS_FRESH[0], labels::IS_FRESH[1]))
            .collect()
    }

    /// Whether the question is this card's, or about what it does just now: then nobody wants to play it.
    pub(crate) fn is_asked_about(&self, card: CardId) -> bool {
        use cw_duel::Question;
        self.decision().is_some_and(|decision| {
            let about = match decision.question {
                Question::SlotFor(card)
                | Question::BackUpWhom(card)
                | Question::JoinWhom(card)
                | Question::BlockWhom(card)
                | Question::MoveToSlot(card) => Some(card),
                _ => None,
            };
            decision.source == Some(card) || about == Some(card)
        }) || self.acts_here(card)
    }

    /// Whether a step that is looked back at is about what this card does.
    fn acts_here(&self, card: CardId) -> bool {
        let acts = |effect: &crate::effects::ScreenEffect| {
            matches!(effect.kind, "card" | "use" | "attack" | "block")
                && effect.at == crate::effects::key(card)
        };
        !self.live && crate::effects::effects(self.news(), self.seat).iter().any(acts)
    }

    /// What playing a card of the seat's hand adds to its SP now.
    pub(crate) fn cost_in_hand(&self, card: CardId) -> Option<i32> {
        self.decision().filter(|_| self.holds(card))?;
        self.guess.as_ref()?.cost_of(self.seat, card)
    }

    /// The answer that is a slot of this ring.
    pub(crate) fn offer_on_slot(&self, whose: Seat, slot: usize) -> Option<&AnswerButton> {
        let owner = if let cw_duel::Question::MoveToSlot(card) = self.decision()?.question {
            self.ring_of(card)?
        } else {
            self.seat
        };
        self.offers.iter().find(|offer| {
            owner == whose
                && self.allows(offer)
                && offer.choice == Choice::Slot(u8::try_from(slot).unwrap_or(u8::MAX))
        })
    }

    fn ring_of(&self, card: CardId) -> Option<Seat> {
        let in_ring = |seat: &Seat| {
            self.view.players[*seat]
                .ring
                .iter()
                .flatten()
                .any(|one| one.card == card)
        };
        Seat::BOTH.into_iter().find(in_ring)
    }

    /// Whether the card is drawn somewhere on the open table, where it can be clicked.
    pub(crate) fn is_in_the_open(&self, card: CardId) -> bool {
        self.ring_of(card).is_some()
            || self.view.players[self.seat]
                .hand
                .iter()
                .any(|held| held.card == card)
            || self.view.table.iter().any(|played| played.card == card)
    }

    pub(crate) fn known(&self, card: CardId) -> Option<ModelId> {
        self.duel.known_model(self.seat, card)
    }

    /// The other player's kind.
    pub(crate) fn opponent(&self) -> SeatPlayer {
        self.table.seats[self.seat.other()].who
    }

    /// What the other player is called.
    pub(crate) fn opponents_name(&self) -> Option<&'a str> {
        self.table.seats[self.seat.other()].name.as_deref()
    }

    /// The other player as the subject of a sentence, wherever the page speaks of it.
    pub(crate) fn other(&self) -> String {
        labels::other(self.opponent(), self.opponents_name())
    }

    /// What the opponent says, if it is somebody: when the duel begins, after the largest blow so far, and at
    /// the end; until this seat chooses again.
    pub(crate) fn says(&self) -> Option<&'a str> {
        let [begin, blow, end] = &self.table.start.opponent.as_deref()?.lines;
        let line = if self.view.outcome.is_some() {
            end
        } else if self.table.is_before_choices_of(self.seat, self.at) {
            begin
        } else if self.was_struck_hard() {
            blow
        } else {
            return None;
        };
        (!line.is_empty()).then_some(line)
    }

    /// Whether the largest blow of the duel has hit this seat since it last chose.
    fn was_struck_hard(&self) -> bool {
        let mut largest = GOOD_BLOW - 1;
        let mut hard = false;
        for at in 0..=self.at {
            // What it chooses itself ends what was said.
            hard &= !self.table.chose_by_hand(self.seat, at);
            for event in self.events_of(at) {
                if let DuelEvent::Hp { seat, from, to, .. } = *event
                    && seat == self.seat
                    && from - to > largest
                {
                    (largest, hard) = (from - to, true);
                }
            }
        }
        hard
    }

    /// What the other player does just now: the last card that does something, if the seat knows it.
    pub(crate) fn acting(&self) -> Option<(CardId, ModelId)> {
        let card = self.news().iter().rev().find_map(|event| match *event {
            DuelEvent::Played { card, .. }
            | DuelEvent::Activated { card, .. }
            | DuelEvent::Triggered { card, .. }
            | DuelEvent::AttackDeclared { card }
            | DuelEvent::Joined { card, .. }
            | DuelEvent::BlockDeclared { card, .. } => Some(card),
            DuelEvent::Fought { attacker, .. } => Some(attacker),
            _ => None,
        })?;
        Some((card.card, card.model(self.seat)?))
    }

    /// How it ended for this seat: won, lost or drawn.
    pub(crate) fn result(&self) -> Option<Option<bool>> {
        Some(match self.view.outcome? {
            DuelOutcome::Won { winner, .. } => Some(winner == self.seat),
            DuelOutcome::Drawn => None,
        })
    }
}

fn offers(
    scene: &SeatScene<'_>,
    decision: &Decision,
    trials: &Trials<'_>,
) -> (Vec<AnswerButton>, Vec<ModelId>) {
    let mut slow = Vec::new();
    let others: LazyCell<Vec<Duel>, _> = LazyCell::new(|| {
        let another = |number| {
            scene
                .duel
                .sample(scene.seat, scene.table.number().rotate_left(32) ^ number)
        };
        let all: Option<Vec<Duel>> = (1..preview::GUESSES).map(another).collect();
        all.unwrap_or_default()
    });
    let wasted = |choice: Choice| {
        let guess = scene.guess.as_ref();
        (trials.clock)() <= trials.all
            && guess.is_some_and(|guess| preview::is_wasted(guess, || &others[..], decision, choice))
    };
    let mut consequence = |choice: Choice| {
        let guess = scene.guess.as_ref()?;
        let begun = (trials.clock)();
        if begun > trials.all {
            return Some(labels::NOT_TRIED.to_owned());
        }
        // An option that takes long is tried out on one guess only.
        let more = || match (trials.clock)().saturating_sub(begun) > trials.one / 3 {
            true => &[][..],
            false => &others[..],
        };
        let found = preview::consequence(scene.reader(), guess, more, decision, scene.seat, choice);
        if (trials.clock)().saturating_sub(begun) > trials.one {
            slow.extend(choice.card().and_then(|card| scene.known(card)));
        }
        found
    };
    // A slot of the other ring, which is drawn from the right, as its reader counts it.
    let owner = match decision.question {
        cw_duel::Question::MoveToSlot(card) => scene.ring_of(card),
        _ => None,
    };
    let theirs = |choice: Choice| match (choice, owner.filter(|owner| *owner != scene.seat)) {
        (Choice::Slot(slot), Some(owner)) => {
            let slots = scene.view.players[owner].ring.len();
            let seen = labels::from_the_left(usize::from(slot), slots, false).saturating_sub(1);
            Some(Choice::Slot(u8::try_from(seen).unwrap_or(slot)))
        }
        _ => None,
    };
    let back = decision.declinable && takes_back(scene.guess.as_ref().unwrap_or(&scene.duel), decision);
    let none_chosen = decision
        .question
        .counts()
        .is_some_and(|(chosen, _, _)| chosen == 0);
    // Where a target may be refused, that is the same as to be done before one is chosen: one button says it.
    let said_by_done = !back && none_chosen && decision.options.contains(&Choice::Done);
    let options = decision.options.iter().enumerate();
    let options = options.filter(|(_, choice)| **choice != Choice::Decline || !said_by_done);
    let offers = options.map(|(index, choice)| {
        let idle = wasted(*choice);
        let told = consequence(*choice).or_else(|| {
            (idle && !matches!(choice, Choice::Card(_))).then(|| labels::DOES_NOTHING.to_owned())
        });
        AnswerButton {
            index,
            choice: *choice,
            back: back && *choice == Choice::Decline,
            label: match theirs(*choice) {
                None if *choice == Choice::Decline && !back => labels::CHOOSE_NONE.to_owned(),
                Some(seen) => labels::option(scene.reader(), decision, &scene.view, seen),
                None => labels::called(
                    &labels::option(scene.reader(), decision, &scene.view, *choice),
                    *choice,
                    &scene.other(),
                ),
            },
            consequence: told.map(|words| labels::calling(&words, &scene.other())),
            idle,
        }
    });
    let mut offers: Vec<AnswerButton> = offers.collect();
    tell_apart(scene, &mut offers);
    (offers, slow)
}

/// Characters of the same name are told apart: by whose they are where both players have one, else by their
/// slots.
fn tell_apart(scene: &SeatScene<'_>, offers: &mut [AnswerButton]) {
    let fighters = Seat::BOTH.into_iter().flat_map(|seat| {
        let ring = scene.view.players[seat].ring.iter().enumerate();
        ring.filter_map(move |(slot, fighter)| Some((seat, slot, fighter.as_ref()?)))
    });
    let fighters: Vec<_> = fighters.collect();
    let labels: Vec<String> = offers.iter().map(|offer| offer.label.clone()).collect();
    for offer in offers {
        let Some(card) = offer.card() else { continue };
        let Some((seat, slot, own)) = fighters.iter().find(|(_, _, other)| other.card == card) else {
            continue;
        };
        let twin = |seat: Seat| {
            fighters
                .iter()
                .any(|(whose, _, other)| *whose == seat && other.card != card && other.model == own.model)
        };
        let chosen = matches!(offer.choice, Choice::Card(_));
        let equal = labels.iter().filter(|label| **label == offer.label).count() > 1;
        if chosen && twin(seat.other()) {
            offer.label += &format!(" ({})", labels::owner(*seat == scene.seat, &scene.other()));
        }
        if equal && twin(*seat) {
            let slots = scene.view.players[*seat].ring.len();
            let number = labels::from_the_left(*slot, slots, *seat == scene.seat);
            offer.label += &format!(", slot {number}");
        }
    }
}

/// Whether [`Choice::Decline`] takes the whole activation back (D3). Where a target may be refused
/// (`target?`, `to?`) the program goes on without one instead (R309). What comes first of it depends on the
/// program alone.
pub(crate) fn takes_back(duel: &Duel, decision: &Decision) -> bool {
    let mut witness = Witness::default();
    let answered = duel.clone().answer(Choice::Decline, &mut witness);
    let first = witness.0.first().map(|line| &line.step);
    decision.place.is_none()
        || answered.is_ok() && matches!(first, Some(TraceStep::Ends(StatementsEnding::Cancelled)))
}

#[cfg(test)]
mod tests {
    use cw_duel::PerSeat;

    use super::*;
    use crate::secret::Secret;
    use crate::stage::ScenarioStage;
    use crate::table::{ChanceOrigin, DuelStart, TablePlace};

    /// A table on which a scenario has been played to its end.
    fn table(game: &Arc<Game>, scenario: &str) -> DuelTable {
        let stages = ScenarioStage::read(scenario, game).expect("a scenario");
        let start = DuelStart {
            game: Arc::clone(game),
            catalogue: Arc::new(Catalogue::blank(game)),
            decks: PerSeat::default(),
            names: PerSeat::default(),
            who: PerSeat([SeatPlayer::Person; 2]),
            seed: Some(1.into()),
            first: None,
            allow_illegal_decks: true,
            stage: Some(Arc::new(stages[0].after_its_steps())),
            invites: None,
            opponent: None,
        };
        let seats = PerSeat::from_fn(|_| TablePlace::new(SeatPlayer::Person, Secret::of([1; 32])));
        let origin = ChanceOrigin::Given(1.into());
        DuelTable::set_up(Arc::new(start), seats, origin, 1, Secret::of([2; 32])).expect("it begins")
    }

    /// D33: a prophecy asks after the first pick where the cards go; the picks stay shown as chosen.
    #[test]
    fn what_a_prophecy_has_picked_is_shown() {
        let game = cw_stage::start("Sight action: action = prophecy(3)", "")
            .duel
            .game()
            .clone();
        let chosen = |picks: &str| {
            let deck = r#"["Rook", "Knave", "Foe", "Fiend"]"#;
            let scenario = format!(
                r#"
                [[scenario]]
                name = "a"
                me = {{ hand = ["Sight"], deck = {deck} }}
                steps = [{{ play = "Sight", choose = [{picks}] }}]
                "#
            );
            let table = table(&game, &scenario);
            let scene = SeatScene::now(&table, Seat::One, &Trials::WITHOUT_CLOCK);
            let names = scene
                .chosen()
                .into_iter()
                .map(|model| game.model(model).name.to_string());
            names.collect::<Vec<String>>()
        };
        assert_eq!(chosen("\"Knave\", \"bottom\""), ["Knave"]);
    }
}
