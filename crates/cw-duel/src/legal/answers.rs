//! Why an answer cannot be given to the question that waits, and why some things are never done.

use cw_program::{
    CardTest, CardType, Few, FilterTest, TargetFilter, TargetKind, TargetType, TypeItem, ZonePlace, ZoneSide,
};

use crate::Seat;
use crate::base::card::CardId;
use crate::base::count::byte;
use crate::base::list::CardList;
use crate::base::list::DuelObject;
use crate::base::refusal::{ChoiceRefusal, Legal, by, require};
use crate::machine::Machine;
use crate::script::query::{Choosing, TargetQuery};
use crate::state::decision::{Choice, Decision, Question};

/// The choice point that a question is.
fn point(question: Question) -> &'static [&'static str] {
    match question {
        Question::Main => &["G51", "G87"],
        Question::Attack => &["C3", "G87"],
        Question::CounterAttack => &["C6", "G87"],
        Question::SlotFor(_) => &["C1"],
        Question::BackUpWhom(_) => &["C2"],
        Question::JoinWhom(_) => &["C4"],
        Question::BlockWhom(_) => &["C5"],
        Question::Target { .. } => &["C8", "C11"],
        Question::DiscardCost { .. } => &["C12"],
        Question::SacrificeCost { .. } => &["C13"],
        Question::Discard { .. } => &["C14"],
        Question::Player => &["C8", "R409"],
        Question::Zone => &["C8", "R405"],
        Question::Type => &["C8", "R401"],
        Question::WhichAction => &["C9"],
        Question::May(_) => &["C10"],
        Question::Optional => &["C17"],
        Question::TopOrBottom => &["C15", "C16"],
        Question::Prophecy { .. } => &["C16"],
        Question::Coin => &["C18"],
        Question::MoveToSlot(_) => &["C19"],
    }
}

const OTHER_QUESTION: &str = "is no answer to the question that waits";

impl Machine<'_> {
    /// An answer, to whatever question waits.
    pub(crate) fn answering(&mut self, seat: Seat, decision: &Decision, choice: Choice) -> Legal {
        if choice == Choice::Pass {
            return self.passing(seat, decision);
        }
        let other = || Err(by(point(decision.question), OTHER_QUESTION));
        require(
            seat == decision.seat,
            &["G262", "G266"],
            "is for the other player to say",
        )?;
        if choice == Choice::Decline {
            return declining(decision);
        }
        match (decision.question, choice) {
            (Question::SlotFor(_), Choice::Slot(slot)) => {
                self.is_a_slot(slot)?;
                let free = self.empty_slots(seat).any(|empty| empty == usize::from(slot));
                require(free, &["G65.6"], "is not empty")
            }
            (Question::BackUpWhom(card), Choice::Card(host)) => self.backing_up_host(card, host, seat),
            (Question::JoinWhom(_), Choice::Card(lead)) => {
                let leads = self.facts().leads().any(|other| other == lead);
                require(leads, &["G133.6"], "does not attack")
            }
            (Question::BlockWhom(card), Choice::Card(attacker)) => {
                self.blocking_attacker(attacker, card, seat)
            }
            (
                Question::Target { chosen, min, .. }
                | Question::DiscardCost { chosen, min, .. }
                | Question::SacrificeCost { chosen, min, .. }
                | Question::Discard { chosen, min, .. },
                Choice::Done,
            ) => require(chosen >= min, &["D29", "R204"], "comes before enough are chosen"),
            (
                Question::Target { .. }
                | Question::DiscardCost { .. }
                | Question::SacrificeCost { .. }
                | Question::Discard { .. },
                Choice::Card(_) | Choice::Copy(_),
            ) => self.judged(choice),
            (Question::WhichAction, Choice::Action(index)) => {
                let actions = self.running().rule.actions.len();
                require(
                    usize::from(index) < actions,
                    &["C9", "R304"],
                    "is no action of this rule",
                )?;
                offered(decision, choice, &["D100"], "costs what cannot be paid")
            }
            (Question::MoveToSlot(card), Choice::Slot(slot)) => {
                self.is_a_slot(slot)?;
                let ring = self.facts().controller(card);
                let free = self.empty_slots(ring).any(|empty| empty == usize::from(slot));
                require(free, &["G235"], "is not empty")
            }
            (Question::May(_) | Question::Optional, Choice::Yes | Choice::No)
            | (Question::TopOrBottom, Choice::Top | Choice::Bottom)
            | (Question::Coin, Choice::Heads | Choice::Tails) => Ok(()),
            (Question::Player, Choice::Player(_) | Choice::Card(_) | Choice::Done) => offered(
                decision,
                choice,
                &["R409", "D29"],
                "does not match, or is chosen already",
            ),
            (Question::Zone, Choice::Zone(_)) => {
                offered(decision, choice, &["R405"], "has nothing to choose")
            }
            (Question::Type, Choice::Type(_)) => {
                offered(decision, choice, &["D28", "R401"], "has nothing to choose")
            }
            (Question::Prophecy { .. }, Choice::Card(_)) => offered(
                decision,
                choice,
                &["G216"],
                "is not among the cards looked at, or is put back already",
            ),
            _ => other(),
        }
    }

    fn passing(&mut self, seat: Seat, decision: &Decision) -> Legal {
        let ends = |rules, why| require(seat == decision.seat, rules, why);
        match decision.question {
            Question::Main => ends(
                &["G46", "C20"],
                "is for the active player: it ends the Main phase",
            ),
            Question::Attack => {
                ends(
                    &["G46", "C20"],
                    "is for the active player: it ends the Attack phase",
                )?;
                require(
                    self.united_is_payable(),
                    &["GQ14", "D14"],
                    "cannot be done while the United Attack cannot be paid",
                )
            }
            Question::CounterAttack => ends(
                &["G47", "G56.4"],
                "is for the defender: only then the phase is over",
            ),
            _ => Err(by(point(decision.question), OTHER_QUESTION)),
        }
    }

    fn is_a_slot(&self, slot: u8) -> Legal {
        let slots = self.game.constants.ring_slots;
        require(slot < slots, &["G4"], "is beyond the ring")
    }

    /// Lets the query that asked ask again, and judge the choice where it does.
    fn judged(&mut self, choice: Choice) -> Legal {
        self.probe = Some(choice);
        self.verdict = None;
        self.run();
        self.probe = None;
        self.verdict.take().unwrap_or(Err(by(&["C8"], OTHER_QUESTION)))
    }

    /// Lets the query that asked ask again, and tells which of the first or last cards of a pile it lets
    /// choose from.
    pub(crate) fn looking(mut self) -> Vec<CardId> {
        self.looks = Some(Vec::new());
        self.run();
        self.looks.unwrap_or_default()
    }
}

/// Says whether a choice may be declined, or why not (D3, GQ23).
fn declining(decision: &Decision) -> Legal {
    match decision.question {
        Question::Main | Question::Attack | Question::CounterAttack => {
            Err(by(&["D3", "G87"], "takes nothing back: no action has been begun"))
        }
        Question::May(_) | Question::Optional => require(
            decision.declinable,
            &["C10", "C17"],
            "is no answer here: say no instead",
        ),
        _ => require(
            decision.declinable,
            &["D3", "GQ23"],
            "comes too late: something was paid, drawn, shown or done, and this choice is not optional",
        ),
    }
}

/// Where the options are the whole rule.
fn offered(decision: &Decision, choice: Choice, rules: &'static [&'static str], why: &'static str) -> Legal {
    require(decision.options.contains(&choice), rules, why)
}

impl TargetQuery<'_> {
    /// Why the choice is not among the options here.
    pub(crate) fn judge(&mut self, probe: Choice, now: &Choosing<'_>) -> Legal {
        match probe {
            Choice::Card(card) => {
                if self.lies_in_a_deck(card) && self.passes_target(card, now).is_ok() {
                    return Err(by(
                        &["D29"],
                        "lies in a deck, where a copy is chosen and no place",
                    ));
                }
                self.judge_card(card, now)
            }
            Choice::Copy(model) => {
                require(
                    now.in_deck,
                    &["D29"],
                    "is chosen as a card: only those in decks are chosen as copies",
                )?;
                let is_copy = |card: &CardId| self.facts.s.cards[card.index()].model == model;
                if now.cards[now.from..=now.last].iter().any(is_copy) {
                    return Ok(());
                }
                let all = (0..byte(self.facts.s.cards.len())).map(CardId);
                let copies: Vec<CardId> = all.filter(is_copy).collect();
                // The refusal of the copy that comes nearest: the last one, as places go.
                let mut refused = by(&["R406"], "is not where the targets are looked for");
                for card in copies {
                    let place = self.is_in_place(card, now).is_ok();
                    match self.judge_card(card, now) {
                        Err(refusal) if place => return Err(refusal),
                        Err(refusal) => refused = refusal,
                        Ok(()) => {}
                    }
                }
                Err(refused)
            }
            _ => Ok(()),
        }
    }

    fn judge_card(&mut self, card: CardId, now: &Choosing<'_>) -> Legal {
        let object = DuelObject::card(card);
        require(!now.chosen.contains(&object), &["D29"], "is chosen already")?;
        require(
            !self.excluded.contains(&object),
            &["D4"],
            "serves another cost already",
        )?;
        self.passes_target(card, now)?;
        let at = now.cards.iter().position(|other| *other == card);
        let Some(at) = at else {
            return Err(by(&["R406"], "is not among the candidates"));
        };
        require(
            at >= now.from,
            &["D29"],
            "stands before a card that was chosen: cards are chosen in their order",
        )?;
        require(
            at <= now.last,
            &["D29", "R204"],
            "would leave too few: cards are chosen in their order",
        )?;
        let first = !now.is_hidden || !self.has_equal(card, &now.cards[now.from..at]);
        require(
            first,
            &["D29"],
            "is one of several equal copies, which are offered once",
        )
    }

    /// R406 to R420, in the order in which they are applied.
    fn passes_target(&mut self, card: CardId, now: &Choosing<'_>) -> Legal {
        if let TargetKind::Computed(_) = now.target.kind {
            return require(
                now.cards.contains(&card),
                &["R230", "D95"],
                "is not in the list that the rule works out, or its filters leave it out",
            );
        }
        self.is_in_place(card, now)?;
        self.is_of_a_type(card, now.items)?;
        let mut typed = CardList::new();
        for item in now.items {
            typed.extend(self.candidates(*item, now.target, now.side));
        }
        let mut filtered = typed.clone();
        self.filter(&mut filtered, &now.target.filters);
        if !filtered.contains(&card) {
            return Err(self.failed_filter(card, &typed, &now.target.filters));
        }
        let picked = self.matches(now.items, now.target, now.side).contains(&card);
        require(
            picked,
            &["R414"],
            "is not among the first or last matches that are picked",
        )?;
        let knocked_out = self.facts.in_ring(card) && self.facts.s.ring_bp(card) == 0;
        require(
            !knocked_out,
            &["R425", "G263"],
            "is at 0 BP, which is never chosen",
        )?;
        if let Some(expr) = now.target.not {
            let excluded = self.objects_of(expr).unwrap_or_default();
            require(
                !excluded.contains(&DuelObject::card(card)),
                &["R420"],
                "is excluded by the rule's `not`",
            )?;
        }
        Ok(())
    }

    /// Says whether a card lies where the target looks for cards, or why not (R406 to R408).
    fn is_in_place(&self, card: CardId, now: &Choosing<'_>) -> Legal {
        if now.items.iter().all(|item| item.what == TargetType::This) {
            return require(self.frame.source == card, &["R409"], "is not the source itself");
        }
        let anything = TypeItem {
            not_source: false,
            negated: false,
            plural: false,
            what: TargetType::Card(CardTest::default()),
        };
        let is_there = self.candidates(anything, now.target, now.side).contains(&card)
            || self.excluded.contains(&DuelObject::card(card));
        let (rules, why): (&'static [&'static str], _) = match (now.target.zone.place, now.side) {
            (ZonePlace::InFront, _) => (&["R408", "G5"], "does not face the source"),
            (ZonePlace::Arena, _) | (ZonePlace::Ring, None) => (&["R406"], "is in no ring"),
            (ZonePlace::Ring, Some(_)) if now.target.zone.side == ZoneSide::Same => {
                (&["R419"], "is not in the ring that was chosen")
            }
            (ZonePlace::Ring, Some(seat)) if seat == self.frame.executor => {
                (&["R407"], "is not in one's own ring")
            }
            (ZonePlace::Ring, Some(_)) => (&["R407"], "is not in the opponent's ring"),
            (ZonePlace::Pile(_), _) => (&["R406"], "is not in the pile that is searched"),
        };
        require(is_there, rules, why)
    }

    fn is_of_a_type(&self, card: CardId, items: &[TypeItem]) -> Legal {
        let is_source = self.frame.source == card;
        let fits = |item: &TypeItem| match item.what {
            TargetType::This => is_source,
            TargetType::Card(test) => {
                !(item.not_source && is_source) && self.passes(card, test, item.negated)
            }
            TargetType::Player | TargetType::Me | TargetType::Opp => false,
        };
        if items.iter().any(fits) {
            return Ok(());
        }
        let mut card_tests = items.iter().filter_map(|item| match item.what {
            TargetType::Card(test) => Some((item, test)),
            TargetType::This | TargetType::Player | TargetType::Me | TargetType::Opp => None,
        });
        if let Some((item, wanted)) = card_tests.next() {
            if item.not_source && is_source && self.passes(card, wanted, item.negated) {
                return Err(by(&["R211"], "is the source, which is left out"));
            }
            if item.negated {
                return Err(by(&["R211"], "is of the type that is left out"));
            }
            let model = self.facts.model(card);
            return Err(match wanted {
                CardTest {
                    card_type: Some(card_type),
                    ..
                } if model.card_type != Some(card_type) => match card_type {
                    CardType::Character => by(&["R410", "R422"], "is no character"),
                    CardType::Action => by(&["R410", "R422"], "is no action"),
                    CardType::Reaction => by(&["R410", "R422"], "is no reaction"),
                },
                CardTest {
                    subtype: Some(subtype),
                    ..
                } if model.subtype != Some(subtype) => {
                    by(&["R213"], "is not of the subtype that is looked for")
                }
                _ => by(&["R212"], "does not have the name that is looked for"),
            });
        }
        Err(by(&["R401"], "is none of the types that are looked for"))
    }

    /// The first test of the first alternative that the card does not pass.
    fn failed_filter(&self, card: CardId, typed: &CardList, filters: &[Few<TargetFilter>]) -> ChoiceRefusal {
        let Some(all) = filters.first() else {
            return by(&["R411"], "does not match");
        };
        let mut left = typed.clone();
        for filter in all {
            self.filter_all(&mut left, &[*filter]);
            if !left.contains(&card) {
                return ChoiceRefusal {
                    rules: &["R422", "R411"],
                    why: words(*filter),
                };
            }
        }
        by(&["R411"], "does not match")
    }
}

fn words(filter: TargetFilter) -> &'static str {
    let (plain, negated) = match filter.test {
        FilterTest::BackedUp => ("is not backed up", "is backed up"),
        FilterTest::Attack => ("does not attack", "attacks"),
        FilterTest::UAttack => ("is not in the United Attack", "is in the United Attack"),
        FilterTest::Block => ("does not counter-attack", "counter-attacks"),
        FilterTest::Blocked => ("is not blocked", "is blocked"),
        FilterTest::Frozen => ("is not frozen", "is frozen"),
        FilterTest::Fresh => ("is not fresh", "is fresh"),
        FilterTest::Powerful => ("has no ability", "has an ability"),
        FilterTest::Powerless => ("has an ability", "has no ability"),
        FilterTest::AbInstant => ("has no instant ability", "has an instant ability"),
        FilterTest::AbTrigger => ("has no trigger ability", "has a trigger ability"),
        FilterTest::AbAuto => ("has no auto ability", "has an auto ability"),
        FilterTest::BpLowest => ("does not have the lowest BP", "has the lowest BP"),
        FilterTest::Bp(..) => (
            "does not have the BP that is looked for",
            "has BP that are left out, or none",
        ),
        FilterTest::Sp(..) => (
            "does not have the SP that is looked for",
            "has SP that are left out",
        ),
        FilterTest::Type(_) => ("is not of the type that is looked for", "is of the type left out"),
        FilterTest::Subtype(_) => (
            "is not of the subtype that is looked for",
            "is of the subtype left out",
        ),
    };
    if filter.negated { negated } else { plain }
}
