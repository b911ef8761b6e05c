//! What an option would do, found out on a duel that looks the same to the seat: never on the true
//! one, and no further than to the first thing that the sample made up (D50).

use cw_duel::{CardId, Choice, Duel, DuelEvent, DuelOutcome, Question, Seat, ZoneKind};
use cw_program::PileName;

/// Decisions that are passed on the way to the end of a fight.
const STEPS: usize = 12;

/// What came of trying an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// HP lost by the seat; gains are negative.
    pub lost: i32,
    /// HP lost by the opponent.
    pub dealt: i32,
    /// SP of the seat, gained or paid.
    pub sp: i32,
    /// Characters that were KOed, in order.
    pub knocked_out: Vec<CardId>,
    /// Characters that left a ring, with the pile they went to, in order; also those that were KOed.
    pub left: Vec<(CardId, PileName)>,
    /// Characters whose BP would be other ones, with those before and after; also of those that were KOed.
    pub bp: Vec<(CardId, i32, i32)>,
    /// Whether the duel would end, and whether the seat would win it.
    pub won: Option<bool>,
    /// Something came up that only the real duel knows; nothing after it is counted.
    pub unknown: bool,
}

/// Tries an option of the seat's decision on `sample`, a duel that the seat cannot tell from the true
/// one ([`Duel::sample`]). Attacks, blocks and passes are followed to the end of the
/// fight, as if nobody did anything more.
///
/// ```
/// # use cw_duel::{Choice, Duel, Seat};
/// fn damage_of(duel: &Duel, seat: Seat, attack: Choice) -> Option<i32> {
///     let sample = duel.sample(seat, 1)?;
///     let preview = cw_players::preview(&sample, seat, attack);
///     (!preview.unknown).then_some(preview.dealt)
/// }
/// ```
pub fn preview(sample: &Duel, seat: Seat, choice: Choice) -> Preview {
    let whom = sample
        .pending()
        .is_some_and(|decision| matches!(decision.question, Question::BlockWhom(_) | Question::JoinWhom(_)));
    let to_the_end_of_the_fight = whom
        || matches!(
            choice,
            Choice::Attack(_) | Choice::Join(_) | Choice::Block(_) | Choice::Pass
        );
    let mut duel = sample.clone();
    let mut preview = Preview::default();
    if preview.follows(sample, seat, &mut duel, choice) && to_the_end_of_the_fight {
        preview.passes(sample, seat, &mut duel);
    }
    preview
}

/// The same of several choices one after the other, followed to the end of the turn's fight: of a reaction
/// with its target, or of a counter. What came up on the way that only the real duel knows is noted, and the
/// fight is told nevertheless: so all ways to answer the same attack are followed equally far.
pub fn preview_line(sample: &Duel, seat: Seat, line: &[Choice]) -> Preview {
    let mut duel = sample.clone();
    let mut preview = Preview::default();
    let mut line = line.iter().copied();
    let mut passes = 0..STEPS;
    loop {
        let choice = match line.next() {
            Some(choice) => choice,
            None => {
                let asked = duel.pending();
                let may_pass = asked.is_some_and(|decision| decision.options.contains(&Choice::Pass));
                if !may_pass || passes.next().is_none() {
                    return preview;
                }
                Choice::Pass
            }
        };
        let mut events: Vec<DuelEvent> = Vec::new();
        if duel.answer(choice, &mut events).is_err() {
            return preview;
        }
        for event in &events {
            if matches!(event, DuelEvent::TurnBegan { .. }) {
                return preview;
            }
            preview.note(sample, seat, event);
        }
    }
}

impl Preview {
    /// Keeps only the parts that are the same in a preview of the same choice on another sample. The other
    /// parts depend on cards that the seat does not know (D50).
    pub fn agree_with(&mut self, other: &Preview) {
        fn keep_common<T: PartialEq>(own: &mut Vec<T>, other: &[T]) -> bool {
            let agrees = own[..] == *other;
            own.retain(|one| other.contains(one));
            agrees
        }
        fn keep_equal<T: PartialEq + Default>(own: &mut T, other: &T) -> bool {
            let agrees = own == other;
            if !agrees {
                *own = T::default();
            }
            agrees
        }
        let agree = [
            keep_equal(&mut self.lost, &other.lost),
            keep_equal(&mut self.dealt, &other.dealt),
            keep_equal(&mut self.sp, &other.sp),
            keep_equal(&mut self.won, &other.won),
            keep_common(&mut self.knocked_out, &other.knocked_out),
            keep_common(&mut self.left, &other.left),
            keep_common(&mut self.bp, &other.bp),
        ];
        self.unknown |= other.unknown || agree.contains(&false);
    }

    /// Makes a choice and notes what came of it; whether the duel goes on in the same turn with all known.
    fn follows(&mut self, sample: &Duel, seat: Seat, duel: &mut Duel, choice: Choice) -> bool {
        let mut events: Vec<DuelEvent> = Vec::new();
        if duel.answer(choice, &mut events).is_err() {
            return false;
        }
        for event in &events {
            // What happens after the phase comes of no yes, and what happens after the fight of no attack.
            let is_over = match choice {
                Choice::Yes | Choice::No => {
                    matches!(
                        event,
                        DuelEvent::PhaseBegan { .. } | DuelEvent::PhaseSkipped { .. }
                    )
                }
                _ => false,
            };
            if is_over {
                return false;
            }
            self.note(sample, seat, event);
            if self.unknown || matches!(event, DuelEvent::TurnBegan { .. }) {
                return false;
            }
        }
        true
    }

    /// Passes to the end of the turn's fight.
    fn passes(&mut self, sample: &Duel, seat: Seat, duel: &mut Duel) {
        for _ in 1..STEPS {
            let asked = duel.pending();
            let passes = asked.is_some_and(|decision| decision.options.contains(&Choice::Pass));
            if !passes || !self.follows(sample, seat, duel, Choice::Pass) {
                return;
            }
        }
    }

    fn note(&mut self, sample: &Duel, seat: Seat, event: &DuelEvent) {
        match *event {
            DuelEvent::Hp {
                seat: whose,
                from,
                to,
                ..
            } if whose == seat => self.lost += from - to,
            DuelEvent::Hp { from, to, .. } => self.dealt += from - to,
            DuelEvent::Sp {
                seat: whose,
                from,
                to,
                ..
            } if whose == seat => self.sp += to - from,
            DuelEvent::Bp { card, from, to, .. } => match self.bp.iter_mut().find(|bp| bp.0 == card.card) {
                Some(bp) => bp.2 = to,
                None => self.bp.push((card.card, from, to)),
            },
            DuelEvent::Ended {
                outcome: DuelOutcome::Won { winner, .. },
            } => self.won = Some(winner == seat),
            DuelEvent::KnockedOut { card } => self.knocked_out.push(card.card),
            DuelEvent::Moved { card, from, to, .. } if from.zone == ZoneKind::Ring => {
                if let ZoneKind::Pile(pile) = to.zone {
                    self.left.push((card.card, pile));
                }
            }
            DuelEvent::Moved { card, .. } | DuelEvent::Shown { card } | DuelEvent::Played { card, .. } => {
                self.unknown |= sample.known_model(seat, card.card).is_none();
            }
            DuelEvent::Rolled { .. } | DuelEvent::Looked { .. } => self.unknown = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cw_duel::{
        CardModel, Chance, CharacterPosition, DuelPosition, Game, PerSeat, Phase, PlayerPosition, Shuffle,
    };
    use cw_program::{CardNameId, CardType, ModelId, SubtypeId};

    use super::*;

    fn model(number: u16, bp: i32) -> CardModel {
        CardModel {
            id: format!("{number}").into(),
            name: format!("Fighter {number}").into(),
            name_id: CardNameId(number),
            card_type: Some(CardType::Character),
            subtype: Some(SubtypeId(0)),
            bp,
            sp: 0,
            ability: None,
            text: "".into(),
            backups: Vec::new(),
            program: None,
        }
    }

    /// Player 1 attacks with 700 against 300 and `hp` HP.
    fn duel(phase: Phase, hp: i32) -> Duel {
        let game = Arc::new(Game {
            models: vec![model(0, 300), model(1, 700)],
            names: vec!["a".into(), "b".into()],
            subtypes: vec!["One".into()],
            ..Game::default()
        });
        let player = |bp: u16| PlayerPosition {
            ring: vec![Some(CharacterPosition::new(ModelId(bp)))],
            hand: vec![ModelId(0)],
            deck: vec![ModelId(0), ModelId(1), ModelId(0)],
            hp,
            ..PlayerPosition::new(&game)
        };
        let position = DuelPosition {
            players: PerSeat([player(1), player(0)]),
            turn: 3,
            phase,
            active: Seat::One,
            first: Seat::One,
            united: Vec::new(),
            blocks: Vec::new(),
            rules: Vec::new(),
            costs: Vec::new(),
            chance: Chance::First {
                shuffle: Shuffle::Keep,
            },
            script: Vec::new(),
        };
        Duel::from_position(game, &position).expect("a possible position")
    }

    fn options(duel: &Duel) -> Vec<Choice> {
        duel.pending().expect("the duel goes on").options.to_vec()
    }

    /// D50: an attack is followed to the end of the fight, and the true duel stays as it is.
    #[test]
    fn an_attack_is_followed_to_its_damage() {
        let duel = duel(Phase::Attack, 3000);
        let before = duel.hash();
        let seen = preview(&duel, Seat::One, options(&duel)[0]);
        assert_eq!(
            (seen.dealt, seen.lost, seen.won, seen.unknown),
            (700, 0, None, false)
        );
        assert_eq!(duel.hash(), before);
    }

    /// G38: the end of the duel is told for the seat that asks; a block shows who is KOed.
    #[test]
    fn an_end_and_a_block_are_told() {
        let attacked = duel(Phase::Attack, 700);
        let seen = preview(&attacked, Seat::One, options(&attacked)[0]);
        assert_eq!(seen.won, Some(true));
        let mut duel = duel(Phase::Attack, 3000);
        duel.answer_silently(options(&duel)[0]).expect("it was offered");
        duel.answer_silently(Choice::Pass).expect("it was offered");
        let block = options(&duel)[0];
        assert!(matches!(block, Choice::Block(_)));
        let seen = preview(&duel, Seat::Two, block);
        assert_eq!(seen.knocked_out.len(), 1);
        assert_eq!((seen.lost, seen.dealt), (0, 0));
        let changes: Vec<(i32, i32)> = seen.bp.iter().map(|bp| (bp.1, bp.2)).collect();
        assert_eq!(changes, [(300, 0), (700, 400)], "who stays is wounded");
        assert_eq!(preview_line(&duel, Seat::Two, &[block]), seen);
    }

    /// D50: what two samples do not agree about is not told, and that something is not known is.
    #[test]
    fn what_hangs_on_the_sample_is_not_told() {
        let bp = |to: i32| (CardId(1), 300, to);
        let mut seen = Preview {
            lost: 100,
            dealt: 200,
            bp: vec![bp(0), (CardId(2), 400, 100)],
            ..Preview::default()
        };
        seen.agree_with(&seen.clone());
        assert_eq!((seen.dealt, seen.bp.len(), seen.unknown), (200, 2, false));
        let other = Preview {
            dealt: 300,
            bp: vec![bp(0)],
            ..seen.clone()
        };
        seen.agree_with(&other);
        let expected = Preview {
            lost: 100,
            bp: vec![bp(0)],
            unknown: true,
            ..Preview::default()
        };
        assert_eq!(seen, expected);
    }

    /// D50: whoever lets an attack through is told of this fight only: the next turn, with its draw, is not
    /// reached, so that it can be compared with a counter.
    #[test]
    fn a_line_ends_with_the_turn() {
        let mut duel = duel(Phase::Attack, 3000);
        duel.answer_silently(options(&duel)[0]).expect("it was offered");
        duel.answer_silently(Choice::Pass).expect("it was offered");
        let block = options(&duel)[0];
        let through = preview_line(&duel, Seat::Two, &[Choice::Pass]);
        let expected = Preview {
            lost: 700,
            ..Preview::default()
        };
        assert_eq!(through, expected);
        assert_eq!(preview_line(&duel, Seat::Two, &[block]).lost, 0);
    }

    /// D50: the first card that the seat cannot know ends the preview: here the next turn's draw is
    /// never reached, and a card drawn by playing on is not told.
    #[test]
    fn a_preview_stops_before_what_nobody_knows() {
        let duel = duel(Phase::Attack, 3000);
        let seen = preview(&duel, Seat::One, Choice::Pass);
        assert_eq!(seen, Preview::default());
    }
}
