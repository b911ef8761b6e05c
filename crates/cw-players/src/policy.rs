//! What a seat does not want to be asked about (D50). The engine always asks: whether a seat passes
//! by itself must not show what it holds, so it is a policy of the seat and no rule of the game.

use cw_duel::{Choice, Decision, Phase, Question, RulePlace};

/// A phase in which a seat wants to be asked even if it can only pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhaseStop {
    /// In its own Main phase.
    Main,
    /// In its own Attack phase.
    Attack,
    /// In the opponent's turn.
    Counter,
}

impl PhaseStop {
    /// All, in the order of a turn.
    pub const ALL: [PhaseStop; 3] = [PhaseStop::Main, PhaseStop::Attack, PhaseStop::Counter];

    /// Its name in forms and settings.
    pub fn word(self) -> &'static str {
        match self {
            PhaseStop::Main => "main",
            PhaseStop::Attack => "attack",
            PhaseStop::Counter => "counter",
        }
    }

    /// The stop of a phase, if a seat is asked there.
    pub fn of(phase: Phase) -> Option<PhaseStop> {
        match phase {
            Phase::Main => Some(PhaseStop::Main),
            Phase::Attack => Some(PhaseStop::Attack),
            Phase::CounterAttack => Some(PhaseStop::Counter),
            Phase::Setup | Phase::Activate | Phase::Draw | Phase::End | Phase::Cleanup => None,
        }
    }
}

/// What is answered to a card's `may` and optional commands without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Habit {
    /// Always yes.
    Yes,
    /// Always no.
    No,
}

/// A seat's settings: which decisions it leaves to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatPolicy {
    /// Where the seat is asked although it can only pass.
    pub stops: Vec<PhaseStop>,
    /// The seat is asked everything, whatever else is set.
    pub full_control: bool,
    /// By the card whose rule asks, and the place in it.
    pub habits: Vec<(RulePlace, Habit)>,
}

impl SeatPolicy {
    /// Sets a stop, or clears it.
    pub fn toggle(&mut self, stop: PhaseStop) {
        match self.stops.iter().position(|other| *other == stop) {
            Some(at) => drop(self.stops.remove(at)),
            None => self.stops.push(stop),
        }
    }

    /// Sets what is answered to this question of a rule; `None` asks again.
    pub fn set_habit(&mut self, place: RulePlace, habit: Option<Habit>) {
        self.habits.retain(|(other, _)| *other != place);
        self.habits.extend(habit.map(|habit| (place, habit)));
    }

    /// The answer that the seat has left to its settings; `None` if it must be asked.
    ///
    /// It passes where passing is all that is offered and no stop is set (C6, C20), and says yes or
    /// no for cards with a habit (C10, C17). Nothing else is ever decided here.
    pub fn answer(&self, decision: &Decision) -> Option<Choice> {
        if self.full_control {
            return None;
        }
        match decision.question {
            Question::Main | Question::Attack | Question::CounterAttack => {
                let stopped = PhaseStop::of(decision.phase).is_some_and(|stop| self.stops.contains(&stop));
                let idle = decision.options[..] == [Choice::Pass];
                (idle && !stopped).then_some(Choice::Pass)
            }
            Question::May(_) | Question::Optional => {
                let (_, habit) = self
                    .habits
                    .iter()
                    .find(|(place, _)| decision.place == Some(*place))?;
                let choice = match habit {
                    Habit::Yes => Choice::Yes,
                    Habit::No => Choice::No,
                };
                decision.options.contains(&choice).then_some(choice)
            }
            Question::SlotFor(_)
            | Question::BackUpWhom(_)
            | Question::JoinWhom(_)
            | Question::BlockWhom(_)
            | Question::Target { .. }
            | Question::DiscardCost { .. }
            | Question::SacrificeCost { .. }
            | Question::Discard { .. }
            | Question::Player
            | Question::Zone
            | Question::Type
            | Question::WhichAction
            | Question::TopOrBottom
            | Question::Prophecy { .. }
            | Question::Coin
            | Question::MoveToSlot(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use cw_duel::Seat;
    use cw_program::ModelId;

    use super::*;

    fn decision(question: Question, phase: Phase, options: &[Choice]) -> Decision {
        Decision {
            seat: Seat::One,
            question,
            source: None,
            place: Some(RulePlace {
                model: ModelId(7),
                step: 3,
            }),
            phase,
            declinable: false,
            options: options.iter().copied().collect(),
        }
    }

    /// D50, C6, C20: only a lone pass is passed, and only where no stop is set.
    #[test]
    fn a_lone_pass_is_passed_unless_there_is_a_stop() {
        let card = cw_duel::CardId(1);
        let idle = decision(Question::Main, Phase::Main, &[Choice::Pass]);
        let busy = decision(Question::Main, Phase::Main, &[Choice::Play(card), Choice::Pass]);
        let counter = decision(Question::CounterAttack, Phase::CounterAttack, &[Choice::Pass]);
        let mut policy = SeatPolicy::default();
        assert_eq!(policy.answer(&idle), Some(Choice::Pass));
        assert_eq!(policy.answer(&busy), None);
        policy.toggle(PhaseStop::Main);
        assert_eq!(policy.answer(&idle), None);
        assert_eq!(policy.answer(&counter), Some(Choice::Pass));
        policy.toggle(PhaseStop::Main);
        assert_eq!(policy.answer(&idle), Some(Choice::Pass));
        policy.full_control = true;
        assert_eq!(policy.answer(&counter), None);
    }

    /// A forced answer that is no pass is not given: the player learns that something happens.
    #[test]
    fn a_single_option_of_another_question_is_asked() {
        let card = cw_duel::CardId(1);
        let target = Question::Target {
            chosen: 0,
            min: 1,
            max: 1,
            pile: None,
        };
        let policy = SeatPolicy::default();
        assert_eq!(
            policy.answer(&decision(target, Phase::Main, &[Choice::Card(card)])),
            None
        );
        assert_eq!(
            policy.answer(&decision(target, Phase::Main, &[Choice::Pass])),
            None
        );
    }

    /// C10, C17: yes or no is remembered by the card whose rule asks.
    #[test]
    fn yes_and_no_are_remembered_by_question() {
        let may = decision(Question::May(0), Phase::End, &[Choice::Yes, Choice::No]);
        let optional = decision(Question::Optional, Phase::End, &[Choice::Yes, Choice::No]);
        let mut policy = SeatPolicy::default();
        assert_eq!(policy.answer(&may), None);
        let place = may.place.expect("a rule asks");
        policy.set_habit(place, Some(Habit::No));
        assert_eq!(policy.answer(&may), Some(Choice::No));
        policy.set_habit(place, Some(Habit::Yes));
        assert_eq!(policy.answer(&optional), Some(Choice::Yes));
        let other = Decision {
            place: None,
            ..may.clone()
        };
        assert_eq!(policy.answer(&other), None);
        policy.full_control = true;
        assert_eq!(policy.answer(&may), None);
        policy.full_control = false;
        policy.set_habit(place, None);
        assert_eq!(policy.answer(&may), None);
    }
}
