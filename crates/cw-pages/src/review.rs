//! What a person's choices cost in chance of winning, as a computer sees it: for the page after a duel.
//!
//! It takes seconds, so nobody waits for it: the first request begins it, later ones ask whether it is ready.
//! It thinks one choice at a time among the computers of all tables, and knows what the person knew then.

use std::sync::Arc;

use cw_duel::{CardId, CharacterView, Choice, Decision, Duel, DuelView, Seat};
use cw_players::{Level, Lists, SearchInsight, SeatEyes, Sight as _, mix, sight};
use cw_words::EventReader;

use crate::labels;
use crate::package::DuelPackage;
use crate::scene;
use crate::table::DuelTable;

/// A choice that a person made, and what a computer thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedChoice {
    /// The step before it: what the person saw.
    pub(crate) step: usize,
    pub(crate) turn: u16,
    /// What was chosen, and what the computer likes best.
    pub(crate) what: String,
    pub(crate) best: String,
    /// The chance of winning with the best option, 0 to 1, and with what was chosen, if that was looked at.
    pub(crate) before: f64,
    pub(crate) with: Option<f64>,
    /// What the choice cost of it; nothing if it was not looked at.
    pub(crate) cost: Option<f64>,
}

/// What a choice has to cost to be told.
const TOLD: f64 = 0.03;
/// How many of them are told.
const MOST_TOLD: usize = 6;
/// Choices of one seat that are judged at most: those of a very long duel are judged from its end.
const MOST_JUDGED: usize = 200;

/// All judged choices of a seat in one duel, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// In the order of the duel.
    pub choices: Vec<JudgedChoice>,
}

/// A turn over which the chance of winning fell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fall {
    pub(crate) turn: u16,
    /// The step before its first choice.
    pub(crate) step: usize,
    /// The chance there, and before the first choice of a later turn.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// What the seat's own choices cost of it. The rest was luck, and what the other player did.
    pub(crate) own: f64,
}

/// What a turn has to cost to be told, and how many are.
const FELL: f64 = 0.05;
const MOST_FALLS: usize = 4;

impl Review {
    /// The turns over which the chance fell most, in order of the duel.
    pub(crate) fn falls(&self) -> Vec<Fall> {
        let turns: Vec<&[JudgedChoice]> = self.choices.chunk_by(|one, next| one.turn == next.turn).collect();
        let fall = |pair: &[&[JudgedChoice]]| Fall {
            turn: pair[0][0].turn,
            step: pair[0][0].step,
            from: pair[0][0].before,
            to: pair[1][0].before,
            own: pair[0].iter().map(cost).sum(),
        };
        let mut falls: Vec<Fall> = turns.windows(2).map(fall).collect();
        falls.retain(|fall| fall.from - fall.to >= FELL);
        falls.sort_by(|one, other| (other.from - other.to).total_cmp(&(one.from - one.to)));
        falls.truncate(MOST_FALLS);
        falls.sort_by_key(|fall| fall.step);
        falls
    }

    /// The costliest choices, the costliest first.
    pub(crate) fn turning_points(&self) -> Vec<&JudgedChoice> {
        let mut points: Vec<&JudgedChoice> = self.choices.iter().filter(|one| cost(one) >= TOLD).collect();
        points.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
        points.truncate(MOST_TOLD);
        points
    }
}

fn cost(one: &JudgedChoice) -> f64 {
    one.cost.unwrap_or(0.0)
}

/// How far a review is.
#[derive(Clone, Debug)]
pub enum ReviewProgress {
    /// It was begun and is not ready.
    Running,
    /// It is ready.
    Done(Arc<Review>),
}

/// What a computer thinks of the question at a step, knowing no more than who is asked there.
pub fn insight(package: &DuelPackage, duel: &Duel) -> Option<SearchInsight> {
    let eyes = SeatEyes::of_who_is_asked(duel)?
        .knowing(Lists::Closed(&package.lists))
        .valuing(package.values.as_deref());
    let decision = eyes.decision();
    if decision.options.len() < 2 {
        return None;
    }
    let ask = cw_players::Ask {
        budget: Level::Normal.budget(),
        ..eyes.ask(mix(&[sight(&eyes.view())]))
    };
    Level::Normal.think(&ask, 1)
}

/// The steps before which a seat chose something. An attack or a counter-attack that was taken out again is
/// no choice, and neither is to take it out (G136, G144).
pub fn choices_of(table: &DuelTable, seat: Seat) -> Vec<usize> {
    let mut own: Vec<usize> = Vec::new();
    let chosen = |at: usize| table.steps()[at].choice;
    for at in 1..=table.last() {
        let step = &table.steps()[at];
        let Some(choice) = step.choice.filter(|_| step.by == Some(seat)) else {
            continue;
        };
        let is_undone = |before: Choice| match (before, choice) {
            (Choice::Attack(card) | Choice::Join(card), Choice::CancelAttack(other))
            | (Choice::Block(card), Choice::CancelBlock(other)) => card == other,
            _ => false,
        };
        let undone = own
            .iter()
            .rposition(|before| chosen(before + 1).is_some_and(is_undone));
        match undone {
            Some(place) => _ = own.remove(place),
            None => own.push(at - 1),
        }
    }
    let surplus = own.len().saturating_sub(MOST_JUDGED);
    own.drain(..surplus);
    own
}

/// What a computer thinks of what a seat chose at a step; nothing if it chose nothing there.
pub fn judge(package: &DuelPackage, table: &DuelTable, seat: Seat, step: usize) -> Option<JudgedChoice> {
    let chosen = table.steps().get(step + 1)?.choice?;
    let duel = table.duel_at(step);
    let decision = duel.pending().filter(|decision| decision.seat == seat)?;
    let insight = insight(package, &duel)?;
    let best = insight.best()?;
    let other = labels::other(
        table.seats[seat.other()].who,
        table.seats[seat.other()].name.as_deref(),
    );
    let [what, better] = both_words(&duel, decision, [chosen, best.choice], &other);
    Some(JudgedChoice {
        step,
        turn: duel.turn(),
        what,
        best: better,
        before: best.win,
        with: insight.of(chosen).map(|weighed| weighed.win),
        cost: insight.cost(chosen),
    })
}

/// An option as its button says it to who is asked, with what the question says where the button alone does
/// not.
pub(crate) fn words(duel: &Duel, decision: &Decision, choice: cw_duel::Choice) -> String {
    let reader = EventReader {
        duel,
        seat: Some(decision.seat),
    };
    if choice == Choice::Decline && !(decision.declinable && scene::takes_back(duel, decision)) {
        // Where a target may be refused, that takes nothing back (R309).
        return match decision.source {
            Some(source) => format!("{}: choose none", reader.card(source)),
            None => labels::CHOOSE_NONE.to_owned(),
        };
    }
    let option = || labels::option(reader, decision, &duel.view(decision.seat), choice);
    labels::done(reader, decision, choice).unwrap_or_else(option)
}

/// Two different options in words. Characters of the same name are told apart by their places, as on the
/// buttons.
fn both_words(duel: &Duel, decision: &Decision, choices: [Choice; 2], other: &str) -> [String; 2] {
    let both = choices.map(|choice| words(duel, decision, choice));
    let view = duel.view(decision.seat);
    let places = choices.map(|choice| place(&view, choice.card()?));
    let ([Some(one), Some(two)], true) = (places, choices[0] != choices[1] && both[0] == both[1]) else {
        return both;
    };
    let told = |(owner, slot): (Seat, usize)| match one.0 == two.0 {
        true => format!(", slot {slot}"),
        false => format!(" ({})", labels::owner(owner == decision.seat, other)),
    };
    let [first, second] = both;
    [first + &told(one), second + &told(two)]
}

/// In whose ring a card is, and in which slot from the left.
fn place(view: &DuelView, card: CardId) -> Option<(Seat, usize)> {
    Seat::BOTH.into_iter().find_map(|seat| {
        let ring = &view.players[seat].ring;
        let is_it = |one: &Option<CharacterView>| one.as_ref().is_some_and(|one| one.card == card);
        let slot = ring.iter().position(is_it)?;
        Some((seat, labels::from_the_left(slot, ring.len(), seat == view.seat)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(step: usize, cost: Option<f64>) -> JudgedChoice {
        JudgedChoice {
            step,
            turn: 1,
            what: "Pass".to_owned(),
            best: "Attack".to_owned(),
            before: 0.5,
            with: cost.map(|cost| 0.5 - cost),
            cost,
        }
    }

    #[test]
    fn turning_points_are_the_costliest_choices_the_costliest_first() {
        let costs = [0.01, 0.3, 0.05, 0.04, 0.2, 0.06, 0.07, 0.08];
        let mut choices: Vec<JudgedChoice> = costs
            .iter()
            .enumerate()
            .map(|(at, cost)| judged(at, Some(*cost)))
            .collect();
        choices.push(judged(8, None));
        let review = Review { choices };
        let steps: Vec<usize> = review.turning_points().iter().map(|one| one.step).collect();
        assert_eq!(steps, [1, 4, 7, 6, 5, 2]);
    }

    #[test]
    fn falls_are_those_of_turns_with_what_the_own_choices_cost_of_them() {
        let at = |step: usize, turn: u16, before: f64, cost: f64| JudgedChoice {
            turn,
            before,
            ..judged(step, Some(cost))
        };
        let choices = vec![
            at(0, 1, 0.54, 0.07),
            at(1, 1, 0.48, 0.05),
            at(2, 2, 0.22, 0.0),
            at(3, 3, 0.5, 0.0),
            at(4, 4, 0.47, 0.2),
        ];
        let falls = Review { choices }.falls();
        let told: Vec<_> = falls
            .iter()
            .map(|fall| (fall.turn, fall.step, fall.from, fall.to))
            .collect();
        assert_eq!(
            told,
            [(1, 0, 0.54, 0.22)],
            "gains, small falls and the end are no falls"
        );
        assert!(
            (falls[0].own - 0.12).abs() < 1e-9,
            "all of the turn's choices, small ones too"
        );
        assert_eq!(
            labels::fall(&falls[0], "the computer"),
            "54 % → 22 %: your choices cost 12 percentage points, luck and the computer's play 20"
        );
        let fall = |own| labels::fall(&Fall { own, ..falls[0] }, "the computer");
        assert_eq!(fall(0.0), "54 % → 22 %: luck and the computer's play");
        assert_eq!(
            fall(0.4),
            "54 % → 22 %: your choices cost 40 percentage points, luck and the computer's play gave 8 back"
        );
        assert!(Review::default().falls().is_empty());
    }

    /// R309, D3: refusing a target takes nothing back, but declining the first question of an ability does.
    /// Characters of the same name are told apart.
    #[test]
    fn a_judged_choice_is_told_as_its_button_says_it() {
        let cards = "
            Zap action: action = damage(100) to?(character@oppRing)
            Stan triggered: target = character@arena;; action = damage(100)
        ";
        let refused = |choices: &str| {
            let mut play = cw_stage::start(cards, "me.hand Zap; me Stan Foe; opp Foe Foe Rook");
            cw_stage::go(&mut play, choices);
            let decision = play.duel.pending().expect("the duel goes on");
            let is_decline = |choice: &&Choice| matches!(choice, Choice::Decline | Choice::Done);
            let decline = decision
                .options
                .iter()
                .find(is_decline)
                .expect("it may be refused");
            (words(&play.duel, decision, *decline), play)
        };
        assert_eq!(refused("play Zap").0, "Zap: choose none");
        let (taken_back, play) = refused("use Stan");
        assert_eq!(taken_back, "Take Stan back");
        let decision = play.duel.pending().expect("the duel goes on");
        let is_foe = |choice: &&Choice| choice.card().is_some_and(|card| play.name(card) == "Foe");
        let foes: Vec<Choice> = decision.options.iter().filter(is_foe).copied().collect();
        let both =
            |one: usize, two: usize| both_words(&play.duel, decision, [foes[one], foes[two]], "the opponent");
        assert_eq!(foes.len(), 3);
        assert_eq!(both(1, 2), ["Stan: Foe, slot 4", "Stan: Foe, slot 3"]);
        assert_eq!(both(0, 1), ["Stan: Foe (yours)", "Stan: Foe (the opponent's)"]);
        assert_eq!(both(1, 1), ["Stan: Foe"; 2]);
    }
}
