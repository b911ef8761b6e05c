//! A duel in short: how the HP of both went, turn by turn, and what decided it.

use cw_duel::{CardId, ChangeCause, Choice, DuelEvent, DuelOutcome, Phase, Seat, Seen, WinReason, ZoneKind};
use cw_program::ModelId;

use crate::effects::effects;
use crate::table::{DuelTable, TableStep};

/// A turn of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoryTurn {
    pub(crate) number: u16,
    pub(crate) whose: Seat,
    /// The step with which it begins.
    pub(crate) step: usize,
    /// What both had at its end, by seat.
    pub(crate) hp: [i32; 2],
    /// Whether a character was KOed in it, by its owner's seat.
    pub(crate) ko: [bool; 2],
}

/// Something worth going back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoryMoment {
    pub(crate) step: usize,
    pub(crate) turn: u16,
    pub(crate) what: StoryEvent,
    /// Whose loss it was.
    pub(crate) whose: Seat,
    /// The card that was KOed, or that struck, if it is known.
    pub(crate) card: Option<ModelId>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoryEvent {
    Ko,
    /// A loss of this much HP, and whether the card struck at the head of a United Attack (G140).
    Blow {
        hp: i32,
        united: bool,
    },
}

/// Who leads whom in the turn's United Attacks: what several deal together is told as dealt by the leader.
#[derive(Default)]
pub(crate) struct United(Vec<(CardId, CardId)>);

impl United {
    pub(crate) fn note(&mut self, event: &DuelEvent) {
        match *event {
            DuelEvent::TurnBegan { .. } => self.0.clear(),
            DuelEvent::Joined { card, lead } => self.0.push((card.card, lead.card)),
            // Where a United Attack dissolves, a character that is left attacks alone from then on (G141).
            DuelEvent::AttackCancelled { card, .. } | DuelEvent::AttackDeclared { card } => {
                self.0
                    .retain(|&(follower, lead)| card.card != follower && card.card != lead);
            }
            DuelEvent::Moved { card, from, to, .. }
                if from.zone == ZoneKind::Ring && to.zone != ZoneKind::Ring =>
            {
                self.0.retain(|&(follower, _)| card.card != follower);
            }
            _ => {}
        }
    }

    /// The followers of a lead.
    pub(crate) fn followers(&self, lead: CardId) -> usize {
        self.0.iter().filter(|(_, of)| *of == lead).count()
    }

    /// Whether it was several who struck.
    fn strikes(&self, cause: ChangeCause) -> bool {
        match cause {
            ChangeCause::Combat(card) | ChangeCause::Piercing(card) => self.followers(card.card) > 0,
            _ => false,
        }
    }
}

/// The turns up to a step, as a seat sees them.
pub(crate) fn turns(table: &DuelTable, to: usize) -> Vec<StoryTurn> {
    let mut hp = Seat::BOTH.map(|seat| table.start.game.hp_of(seat));
    let mut turns: Vec<StoryTurn> = Vec::new();
    for (at, step) in table.steps().iter().enumerate().take(to + 1) {
        for event in &step.events {
            match *event {
                DuelEvent::TurnBegan { turn, seat } => turns.push(StoryTurn {
                    number: turn,
                    whose: seat,
                    step: at,
                    hp,
                    ko: [false; 2],
                }),
                DuelEvent::Hp { seat, to, .. } => hp[seat.index()] = to,
                DuelEvent::KnockedOut { card } => {
                    if let Some(turn) = turns.last_mut() {
                        turn.ko[owner(table, at, card).index()] = true;
                    }
                }
                _ => {}
            }
            if let Some(turn) = turns.last_mut() {
                turn.hp = hp;
            }
        }
    }
    turns
}

/// Blows that are told.
const BLOWS: usize = 4;
/// KOs that are told.
const KOS: usize = 5;

/// What was remarkable in a duel that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoryMoments {
    /// Whether they are what decided it: only what the loser lost. Else they are of both.
    pub(crate) decided: bool,
    pub(crate) list: Vec<StoryMoment>,
    /// When the winner was nearest to the end, and with how much HP left.
    pub(crate) closest: Option<(StoryMoment, i32)>,
}

/// What decided the duel, in order: the largest blows that the loser took, the last one, and the loser's KOs.
/// If it ended otherwise than by HP, the largest blows and KOs of both.
pub(crate) fn moments(table: &DuelTable, seat: Seat) -> StoryMoments {
    let loser = match table.duel().outcome() {
        Some(DuelOutcome::Won {
            winner,
            reason: WinReason::Hp,
        }) => Some(winner.other()),
        _ => None,
    };
    let told = |whose: Seat| loser.is_none_or(|loser| loser == whose);
    let (mut blows, mut kos) = (Vec::new(), Vec::new());
    let mut closest: Option<(StoryMoment, i32)> = None;
    let mut turn = 0;
    let mut united = United::default();
    for (at, step) in table.steps().iter().enumerate() {
        for event in &step.events {
            united.note(event);
            match *event {
                DuelEvent::TurnBegan { turn: number, .. } => turn = number,
                DuelEvent::Hp {
                    seat: whose,
                    from,
                    to,
                    cause,
                    ..
                } if to < from => {
                    let blow = StoryMoment {
                        step: at,
                        turn,
                        what: StoryEvent::Blow {
                            hp: from - to,
                            united: united.strikes(cause),
                        },
                        whose,
                        card: striker(cause).and_then(|card| card.model(seat)),
                    };
                    if told(whose) {
                        blows.push(blow);
                    } else if closest.is_none_or(|(_, left)| to < left) {
                        closest = Some((blow, to));
                    }
                }
                DuelEvent::KnockedOut { card } => {
                    let whose = owner(table, at, card);
                    if told(whose) {
                        kos.push(StoryMoment {
                            step: at,
                            turn,
                            what: StoryEvent::Ko,
                            whose,
                            card: card.model(seat),
                        });
                    }
                }
                _ => {}
            }
        }
    }
    // The blow that ended the duel is told, however small it was.
    let last = blows.pop();
    blows.sort_by_key(|blow| match blow.what {
        StoryEvent::Blow { hp, .. } => std::cmp::Reverse(hp),
        StoryEvent::Ko => std::cmp::Reverse(0),
    });
    blows.truncate(BLOWS - 1);
    blows.extend(last);
    // The last ones weigh most.
    let early = kos.len().saturating_sub(KOS);
    let mut list: Vec<StoryMoment> = blows.into_iter().chain(kos.drain(early..)).collect();
    list.sort_by_key(|moment| moment.step);
    let half = table.start.game.hp_of(loser.unwrap_or(seat).other()) / 2;
    StoryMoments {
        decided: loser.is_some(),
        list,
        closest: closest.filter(|(_, left)| *left <= half),
    }
}

fn striker(cause: ChangeCause) -> Option<Seen> {
    match cause {
        ChangeCause::Combat(card)
        | ChangeCause::Piercing(card)
        | ChangeCause::Effect(card)
        | ChangeCause::Play(card) => Some(card),
        ChangeCause::BackUp(_) | ChangeCause::UnitedAttack | ChangeCause::Expiry => None,
    }
}

/// Whose discards a card goes to when it is KOed.
fn owner(table: &DuelTable, at: usize, card: Seen) -> Seat {
    let moved = table.steps()[at..]
        .iter()
        .flat_map(|step| &step.events)
        .find_map(|event| match event {
            DuelEvent::Moved {
                card: other, from, ..
            } if other.card == card.card => Some(from.seat),
            _ => None,
        });
    moved.unwrap_or(Seat::One)
}

/// A reason why somebody lost, as the record shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LossReason {
    /// This card took so much of the loser's HP; the step of the largest blow.
    Took {
        card: ModelId,
        hp: i32,
        how: Strikes,
        step: usize,
    },
    /// Attacks in turns in which nobody in the loser's ring could counter: it was empty, or all were
    /// frozen. The turns with the steps of their fights.
    Open { hp: i32, turns: Vec<(u16, usize)> },
    /// Own turns in which the loser played no card, though it could have when its Main phase began.
    Idle { turns: Vec<(u16, usize)> },
    /// What the loser had and did not use.
    Left { sp: i32, cards: usize },
}

/// In how many blows of fights, how many of them at the head of a United Attack, and by how many effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strikes {
    pub(crate) blows: usize,
    pub(crate) united: usize,
    pub(crate) effects: usize,
}

/// What a card took of a player's HP.
struct Taker {
    card: ModelId,
    hp: i32,
    how: Strikes,
    /// The most that it took at once, and at which step.
    largest: (i32, usize),
}

/// Cards that are named, and those that took as much as the last of them.
const TAKERS: usize = 3;

/// Why a seat lost all of its HP: what took them, and what stood against it. It tells what was, and does
/// not guess what would have been; which choices would have been better is for a review to say.
pub(crate) fn reasons(table: &DuelTable, loser: Seat) -> Vec<LossReason> {
    let mut takers: Vec<Taker> = Vec::new();
    let (mut turn, mut active) = (0, loser);
    // The step at which the defender is asked, and what it loses in this turn's fights, from which step on.
    let (mut asked, mut lost) = (None, (0, 0));
    let mut open: (i32, Vec<(u16, usize)>) = (0, Vec::new());
    let mut idle: Vec<(u16, usize)> = Vec::new();
    let mut fights: Vec<(u16, usize, usize, i32)> = Vec::new();
    let mut played = true;
    // The step at which the loser's Main phase begins.
    let mut main: Option<usize> = None;
    let could_play = |main: Option<usize>| {
        main.is_some_and(|at| {
            let duel = table.duel_at(at);
            let asked = duel.pending();
            asked.is_some_and(|asked| {
                asked
                    .options
                    .iter()
                    .any(|option| matches!(option, Choice::Play(_)))
            })
        })
    };
    let mut united = United::default();
    for (at, step) in table.steps().iter().enumerate() {
        for event in &step.events {
            united.note(event);
            match *event {
                DuelEvent::TurnBegan { turn: number, seat } => {
                    if !played && active == loser && could_play(main) {
                        idle.push((turn, at.saturating_sub(1)));
                    }
                    fights.extend(
                        asked
                            .filter(|_| lost.0 > 0)
                            .map(|asked| (turn, asked, lost.1, lost.0)),
                    );
                    (turn, active, asked, lost, played) = (number, seat, None, (0, 0), false);
                    main = None;
                }
                DuelEvent::Played { seat, .. } if seat == loser => played = true,
                DuelEvent::PhaseBegan { phase: Phase::Main } if active == loser => main = Some(at),
                DuelEvent::PhaseBegan {
                    phase: Phase::CounterAttack,
                } if active != loser => asked = Some(at),
                DuelEvent::Hp {
                    seat,
                    from,
                    to,
                    cause,
                    ..
                } if seat == loser && to < from => {
                    let by = from - to;
                    let fought = matches!(cause, ChangeCause::Combat(_) | ChangeCause::Piercing(_));
                    if fought {
                        lost = (lost.0 + by, if lost.0 == 0 { at } else { lost.1 });
                    }
                    let Some(card) = striker(cause).and_then(|card| card.model(loser)) else {
                        continue;
                    };
                    let known = takers.iter().position(|taker| taker.card == card);
                    let index = known.unwrap_or_else(|| {
                        takers.push(Taker {
                            card,
                            hp: 0,
                            how: Strikes::default(),
                            largest: (0, at),
                        });
                        takers.len() - 1
                    });
                    let taker = &mut takers[index];
                    taker.hp += by;
                    taker.how.blows += usize::from(fought);
                    taker.how.united += usize::from(united.strikes(cause));
                    taker.how.effects += usize::from(!fought);
                    taker.largest = taker.largest.max((by, at));
                }
                _ => {}
            }
        }
    }
    fights.extend(
        asked
            .filter(|_| lost.0 > 0)
            .map(|asked| (turn, asked, lost.1, lost.0)),
    );
    for (turn, asked, at, hp) in fights {
        let duel = table.duel_at(asked);
        let view = duel.view(loser);
        if view.players[loser]
            .ring
            .iter()
            .flatten()
            .all(|fighter| fighter.frozen)
        {
            open.0 += hp;
            open.1.push((turn, at));
        }
    }
    takers.sort_by_key(|taker| std::cmp::Reverse(taker.hp));
    let least = takers.get(TAKERS - 1).map_or(0, |taker| taker.hp);
    let named = takers.into_iter().filter(|taker| taker.hp >= least);
    let mut whys: Vec<LossReason> = named
        .take(2 * TAKERS)
        .map(|taker| LossReason::Took {
            card: taker.card,
            hp: taker.hp,
            how: taker.how,
            step: taker.largest.1,
        })
        .collect();
    if !open.1.is_empty() {
        whys.push(LossReason::Open {
            hp: open.0,
            turns: open.1,
        });
    }
    if !idle.is_empty() {
        whys.push(LossReason::Idle { turns: idle });
    }
    let end = table.duel().view(loser);
    let (sp, cards) = (end.players[loser].sp, end.players[loser].hand.len());
    if sp > 0 && cards > 0 {
        whys.push(LossReason::Left { sp, cards });
    }
    whys
}

/// Whether a step shows something: the others are passed over when one goes step by step.
pub(crate) fn shows(step: &TableStep, seat: Seat) -> bool {
    step.choice.is_none() || !effects(&step.events, seat).is_empty()
}
