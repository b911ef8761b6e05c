//! Where a number comes from: a base value and every change since, each with its card and statement.
//!
//! What a player has now is in the state; how it came about is not. A [`Ledger`] is a [`Sink`] that
//! keeps the books while a duel is played. It is asked for an [`Explanation`] of one number; base
//! and shares always add up to the number.
//!
//! ```
//! # use cw_duel::{Choice, Duel, Ledger, Seat};
//! fn play_and_ask(duel: &mut Duel, choice: Choice) {
//!     let mut ledger = Ledger::new(duel);
//!     duel.answer(choice, &mut ledger).expect("it was offered");
//!     for (value, number) in duel.view(Seat::One).numbers() {
//!         let explained = ledger.explain(duel, Seat::One, value).expect("it is in the view");
//!         assert_eq!(explained.value, number);
//!     }
//! }
//! ```

use std::sync::Arc;

use cw_program::{CardType, ClosedWord, Command, CostKind, ModelId, Op, PileName, RuleEffectKind};

use crate::base::card::{CardId, ZoneKind};
use crate::base::cost::CostChange;
use crate::base::count::{saturated, word};
use crate::base::place::RulePlace;
use crate::duel::Duel;
use crate::duel::view::{CardView, DuelView};
use crate::event::{ChangeCause, DuelEvent, Sink, StatementOrigin, ZoneLocation};
use crate::game::Game;
use crate::state::facts::DuelFacts;
use crate::state::seen::Seen;
use crate::state::{ChangeKind, EventListener, LOST};
use crate::{PerSeat, Phase, Seat};

/// A number that can be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExplainedNumber {
    /// The turn's number.
    Turn,
    /// Hit points.
    Hp(Seat),
    /// Skill points.
    Sp(Seat),
    /// BP of a character in a ring.
    Bp(CardId),
    /// Characters played this turn (G66).
    CharactersPlayed(Seat),
    /// Characters that may be played this turn (G6, G229).
    CharactersPerTurn(Seat),
    /// Back-ups made this turn (G126).
    Backups(Seat),
    /// Extra turns owed (G52).
    ExtraTurns(Seat),
    /// Cards in a pile.
    Cards(Seat, PileName),
    /// What playing the card adds to its player's SP now (G79); negative is paid.
    Cost(CardId),
    /// What a United Attack with so many followers adds to the active player's SP (G137).
    UnitedCost(u8),
    /// What an attacker deals if nothing changes: its BP and its followers' (G150).
    Attack(CardId),
}

/// A number, its base, and its changes; `value == base + Σ by`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is explained.
    pub of: ExplainedNumber,
    /// The number.
    pub value: i32,
    /// What it began with.
    pub base: i32,
    /// Where that comes from.
    pub from: Base,
    /// Every change since, in order.
    pub shares: Vec<Share>,
}

/// Where a base comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// It was so when the books were opened: at the start of the duel, or in the position.
    Start,
    /// A number of the game, by the rule that names it.
    Rule(&'static str),
    /// Printed on this card.
    Printed(ModelId),
    /// BP of this character.
    Character(CardId),
}

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How much.
    pub by: i32,
    /// Why.
    pub why: ChangeReason,
    /// The statement that did it, with the card on whose behalf it ran.
    pub statement: Option<StatementOrigin>,
    /// The card that came or went, as far as the reader may know it.
    pub card: Option<CardView>,
    /// In which turn.
    pub turn: u16,
}

/// Why a number changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeReason {
    /// As told by the event.
    Cause(ChangeCause),
    /// An effect of this card that is in force.
    InForce(Seen),
    /// A follower's BP.
    Follower(Seen),
    /// By this rule, without a card.
    Rule(&'static str),
    /// Something that the books do not know: they were not told of everything.
    Unrecorded,
}

/// A change as it is kept.
#[derive(Clone, Copy, Debug)]
struct ChangeEntry {
    value: ExplainedNumber,
    by: i32,
    why: ChangeReason,
    statement: Option<StatementOrigin>,
    card: Option<Seen>,
    turn: u16,
}

/// Keeps the books of a duel: give it to [`Duel::answer`] as sink, or feed it the events of a sink
/// of your own.
#[derive(Clone, Debug)]
pub struct Ledger {
    game: Arc<Game>,
    bases: Vec<(ExplainedNumber, i32, Base)>,
    entries: Vec<ChangeEntry>,
    /// Where each card is.
    places: Vec<ZoneLocation>,
    /// Changes of costs in force: what, how, by which statement.
    costs: Vec<(CostKind, CostChange, ModelId, Option<StatementOrigin>)>,
    extra_turns: PerSeat<i32>,
    limits: PerSeat<(i32, i32)>,
    turn: u16,
    phase: Phase,
    active: Seat,
}

impl DuelView {
    /// Every number in the view, with what it is.
    pub fn numbers(&self) -> Vec<(ExplainedNumber, i32)> {
        let mut numbers = vec![(ExplainedNumber::Turn, i32::from(self.turn))];
        for seat in Seat::BOTH {
            let player = &self.players[seat];
            let count = |pile: usize| i32::try_from(pile).unwrap_or(i32::MAX);
            numbers.extend([
                (ExplainedNumber::Hp(seat), player.hp),
                (ExplainedNumber::Sp(seat), player.sp),
                (
                    ExplainedNumber::CharactersPlayed(seat),
                    player.characters.0.into(),
                ),
                (
                    ExplainedNumber::CharactersPerTurn(seat),
                    player.characters.1.into(),
                ),
                (ExplainedNumber::Backups(seat), player.backups.into()),
                (ExplainedNumber::ExtraTurns(seat), player.extra_turns.into()),
                (
                    ExplainedNumber::Cards(seat, PileName::Hand),
                    count(player.hand.len()),
                ),
                (
                    ExplainedNumber::Cards(seat, PileName::Deck),
                    count(player.deck.len()),
                ),
                (
                    ExplainedNumber::Cards(seat, PileName::Discards),
                    count(player.discards.len()),
                ),
                (
                    ExplainedNumber::Cards(seat, PileName::Removed),
                    count(player.removed.len()),
                ),
            ]);
            for fighter in player.ring.iter().flatten() {
                numbers.push((ExplainedNumber::Bp(fighter.card), fighter.bp));
            }
        }
        numbers
    }
}

impl Duel {
    /// What playing the card would add to its controller's SP now (G79–G82); `None` if this player
    /// does not know the card.
    pub fn cost_of(&self, seat: Seat, card: CardId) -> Option<i32> {
        self.known_model(seat, card)?;
        let mut copy = self.clone();
        let mut machine = copy.machine(None);
        let payer = machine.facts().controller(card);
        Some(machine.cost_of(card, payer))
    }
}

impl Ledger {
    /// Opens the books of a duel as it stands.
    pub fn new(duel: &Duel) -> Ledger {
        let state = &duel.state;
        let mut ledger = Ledger {
            game: Arc::clone(duel.game()),
            bases: Vec::new(),
            entries: Vec::new(),
            places: state
                .cards
                .iter()
                .map(|card| ZoneLocation {
                    seat: card.controller(),
                    zone: card.zone(),
                })
                .collect(),
            costs: Vec::new(),
            extra_turns: PerSeat::from_fn(|seat| state.players[seat].extra_turns.into()),
            limits: PerSeat::from_fn(|seat| {
                let player = &state.players[seat];
                (player.chars_played.into(), player.chars_per_turn.into())
            }),
            turn: state.turn,
            phase: state.phase,
            active: state.active,
        };
        for (value, number) in duel.view(Seat::One).numbers() {
            ledger.bases.push((value, number, Base::Start));
        }
        ledger
    }

    /// Explains a number to a player; `None` if there is no such number, or the player may not know
    /// it. The duel must be the one whose events the ledger was told.
    pub fn explain(&self, duel: &Duel, seat: Seat, value: ExplainedNumber) -> Option<Explanation> {
        match value {
            ExplainedNumber::Cost(card) => self.explain_cost(duel, seat, card),
            ExplainedNumber::UnitedCost(followers) => Some(self.explain_united(duel, followers)),
            ExplainedNumber::Attack(attacker) => explain_attack(duel, attacker),
            ExplainedNumber::Turn
            | ExplainedNumber::Hp(_)
            | ExplainedNumber::Sp(_)
            | ExplainedNumber::Bp(_)
            | ExplainedNumber::CharactersPlayed(_)
            | ExplainedNumber::CharactersPerTurn(_)
            | ExplainedNumber::Backups(_)
            | ExplainedNumber::ExtraTurns(_)
            | ExplainedNumber::Cards(..) => self.explain_kept(duel, seat, value),
        }
    }

    fn explain_kept(&self, duel: &Duel, seat: Seat, value: ExplainedNumber) -> Option<Explanation> {
        let numbers = duel.view(seat).numbers();
        let (_, now) = numbers.into_iter().find(|(of, _)| *of == value)?;
        let kept = self.bases.iter().find(|(of, ..)| *of == value);
        let (base, from) = kept.map_or((0, Base::Start), |(_, base, from)| (*base, *from));
        let of_value = self.entries.iter().filter(|entry| entry.value == value);
        let shares = of_value.map(|entry| Share {
            by: entry.by,
            why: entry.why,
            statement: entry.statement,
            card: entry.card.map(|seen| CardView {
                card: seen.card,
                model: seen.model(seat),
            }),
            turn: entry.turn,
        });
        let mut explained = Explanation {
            of: value,
            value: now,
            base,
            from,
            shares: shares.collect(),
        };
        let rest = now - explained.sum();
        if rest != 0 {
            explained.share(rest, ChangeReason::Unrecorded, None, self.turn);
        }
        Some(explained)
    }

    fn explain_cost(&self, duel: &Duel, seat: Seat, card: CardId) -> Option<Explanation> {
        let model = duel.known_model(seat, card)?;
        let printed = self.game.model(model);
        let kind = match printed.card_type? {
            CardType::Character => CostKind::Character,
            CardType::Action => CostKind::Action,
            CardType::Reaction => CostKind::Reaction,
        };
        let base = (printed.sp, Base::Printed(model));
        let payer = duel.zone_of(card)?.seat;
        Some(self.modified(duel, ExplainedNumber::Cost(card), kind, base, Some(card), payer))
    }

    fn explain_united(&self, duel: &Duel, followers: u8) -> Explanation {
        let kind = if followers <= 1 {
            CostKind::Ua2
        } else {
            CostKind::Ua3
        };
        let printed = self.game.constants.united_sp.saturating_mul(i32::from(followers));
        let base = (printed, Base::Rule("G137"));
        let value = ExplainedNumber::UnitedCost(followers);
        self.modified(duel, value, kind, base, None, duel.active())
    }

    /// G80–G82, step by step.
    fn modified(
        &self,
        duel: &Duel,
        of: ExplainedNumber,
        kind: CostKind,
        (base, from): (i32, Base),
        card: Option<CardId>,
        payer: Seat,
    ) -> Explanation {
        let mut copy = duel.clone();
        let mut machine = copy.machine(None);
        let mut added: Vec<(EventListener, i32)> = Vec::new();
        let value = machine.explained_cost(kind, base, card, payer, |listener, queried| {
            if queried.sum != 0 {
                added.push((*listener, queried.sum));
            }
        });
        let mut explained = Explanation {
            of,
            value,
            base,
            from,
            shares: Vec::new(),
        };
        let turn = self.turn;
        let changes: Vec<_> = machine.s.changes.iter().copied().collect();
        for set in [true, false] {
            for change in &changes {
                let (by, how) = match change.kind {
                    ChangeKind::CostSet(which, to) if set && which == kind => {
                        (to - explained.sum(), CostChange::Set(to))
                    }
                    ChangeKind::CostAdd(which, by) if !set && which == kind => (by, CostChange::Add(by)),
                    _ => continue,
                };
                let source = machine.s.source_seen(change.source, change.named);
                let why = if change.named == LOST {
                    ChangeReason::Rule("G80")
                } else {
                    ChangeReason::InForce(source)
                };
                explained.share(by, why, self.statement_of(kind, how, change.named), turn);
            }
        }
        for (listener, by) in added {
            let origin = machine.facts().cost_statement(&listener);
            explained.share(by, ChangeReason::InForce(origin.source), Some(origin), turn);
        }
        let rest = value - explained.sum();
        if rest != 0 {
            explained.share(rest, ChangeReason::Rule("G82"), None, turn);
        }
        explained
    }

    /// By the name of the source: its index may be another one by now (D64).
    fn statement_of(&self, kind: CostKind, how: CostChange, named: ModelId) -> Option<StatementOrigin> {
        let found = self.costs.iter().rev();
        let mut found = found.filter(|(of, by, source, _)| (*of, *by, *source) == (kind, how, named));
        found.next()?.3
    }

    fn set(&mut self, value: ExplainedNumber, base: i32, from: Base) {
        self.bases.retain(|(of, ..)| *of != value);
        self.entries.retain(|entry| entry.value != value);
        self.bases.push((value, base, from));
    }

    fn add(
        &mut self,
        value: ExplainedNumber,
        by: i32,
        why: ChangeReason,
        statement: Option<StatementOrigin>,
        card: Option<Seen>,
    ) {
        if by != 0 {
            self.entries.push(ChangeEntry {
                value,
                by,
                why,
                statement,
                card,
                turn: self.turn,
            });
        }
    }

    fn begin_turn(&mut self, turn: u16, seat: Seat) {
        // G52: another turn uses one up; what was owed before one's turn begins is lost.
        let used = if seat == self.active && self.turn > 0 {
            self.extra_turns[seat].min(1)
        } else {
            self.extra_turns[seat]
        };
        self.turn = turn;
        self.active = seat;
        self.add(ExplainedNumber::Turn, 1, ChangeReason::Rule("G44"), None, None);
        self.add(
            ExplainedNumber::ExtraTurns(seat),
            -used,
            ChangeReason::Rule("G52"),
            None,
            None,
        );
        self.extra_turns[seat] -= used;
        for seat in Seat::BOTH {
            let limit = i32::from(self.game.characters_per_turn_of(seat));
            self.set(ExplainedNumber::CharactersPlayed(seat), 0, Base::Rule("G6"));
            self.set(ExplainedNumber::CharactersPerTurn(seat), limit, Base::Rule("G1"));
            self.set(ExplainedNumber::Backups(seat), 0, Base::Rule("G6"));
            self.limits[seat] = (0, limit);
        }
    }

    /// A card is somewhere else now: its pile and the new one change by one.
    fn moved(&mut self, card: Seen, to: ZoneLocation, why: ChangeReason, statement: Option<StatementOrigin>) {
        let place = &mut self.places[card.card.index()];
        let from = std::mem::replace(place, to);
        if from == to {
            return;
        }
        if let ZoneKind::Pile(pile) = from.zone {
            self.add(
                ExplainedNumber::Cards(from.seat, pile),
                -1,
                why,
                statement,
                Some(card),
            );
        }
        if let ZoneKind::Pile(pile) = to.zone {
            self.add(
                ExplainedNumber::Cards(to.seat, pile),
                1,
                why,
                statement,
                Some(card),
            );
        }
    }

    /// Which rule moves a card that no statement moves.
    fn rule_of_moving(&self, from: ZoneKind, to: ZoneKind) -> ChangeReason {
        ChangeReason::Rule(match (from, to) {
            (ZoneKind::Pile(PileName::Deck), ZoneKind::Pile(PileName::Hand)) if self.phase == Phase::Draw => {
                "G50"
            }
            (ZoneKind::Pile(PileName::Deck), ZoneKind::Pile(PileName::Hand)) => "G35",
            (ZoneKind::Ring, _) => "G169",
            (ZoneKind::Backup, _) => "G128",
            (ZoneKind::Table, _) => "D1",
            (ZoneKind::Pile(_), _) => "G12",
        })
    }
}

impl Sink for Ledger {
    fn event(&mut self, event: &DuelEvent) {
        match *event {
            DuelEvent::TurnBegan { turn, seat } => self.begin_turn(turn, seat),
            DuelEvent::PhaseBegan { phase } => self.phase = phase,
            DuelEvent::Hp {
                seat,
                from,
                to,
                cause,
                by,
            } => self.add(
                ExplainedNumber::Hp(seat),
                to - from,
                ChangeReason::Cause(cause),
                by,
                None,
            ),
            DuelEvent::Sp {
                seat,
                from,
                to,
                cause,
                by,
            } => self.add(
                ExplainedNumber::Sp(seat),
                to - from,
                ChangeReason::Cause(cause),
                by,
                None,
            ),
            DuelEvent::Bp {
                card,
                from,
                to,
                cause,
                by,
            } => self.add(
                ExplainedNumber::Bp(card.card),
                to - from,
                ChangeReason::Cause(cause),
                by,
                None,
            ),
            DuelEvent::Played { card, seat, slot } => {
                let zone = if slot.is_some() {
                    ZoneKind::Ring
                } else {
                    ZoneKind::Table
                };
                let why = ChangeReason::Cause(ChangeCause::Play(card));
                self.moved(card, ZoneLocation { seat, zone }, why, None);
                if slot.is_some() {
                    let model = card.true_model();
                    let bp = self.game.model(model).bp;
                    self.set(ExplainedNumber::Bp(card.card), bp, Base::Printed(model));
                }
            }
            DuelEvent::BackedUp { card, .. } => {
                let place = &mut self.places[card.card.index()];
                place.zone = ZoneKind::Backup;
                let seat = place.seat;
                self.add(
                    ExplainedNumber::Backups(seat),
                    1,
                    ChangeReason::Cause(ChangeCause::BackUp(card)),
                    None,
                    None,
                );
            }
            DuelEvent::Moved { card, from, to, by } => {
                let why = match by {
                    Some(origin) => ChangeReason::Cause(ChangeCause::Effect(origin.source)),
                    None => self.rule_of_moving(from.zone, to.zone),
                };
                self.moved(card, to, why, by);
            }
            DuelEvent::Transformed { card, into }
                if self.places[card.card.index()].zone == ZoneKind::Ring =>
            {
                let model = into.true_model();
                let bp = self.game.model(model).bp;
                self.set(ExplainedNumber::Bp(card.card), bp, Base::Printed(model));
            }
            DuelEvent::PlayLimit {
                seat,
                played,
                limit,
                card,
                by,
            } => {
                let (before, may) = self.limits[seat];
                let (played, limit) = (i32::from(played), i32::from(limit));
                self.limits[seat] = (played, limit);
                let why = match (card, by) {
                    (Some(card), _) => ChangeReason::Cause(ChangeCause::Play(card)),
                    (None, Some(origin)) => ChangeReason::Cause(ChangeCause::Effect(origin.source)),
                    (None, None) => ChangeReason::Unrecorded,
                };
                self.add(
                    ExplainedNumber::CharactersPlayed(seat),
                    played - before,
                    why,
                    by,
                    None,
                );
                self.add(
                    ExplainedNumber::CharactersPerTurn(seat),
                    limit - may,
                    why,
                    by,
                    None,
                );
            }
            DuelEvent::ExtraTurns { seat, turns, by } => {
                let more = i32::from(turns) - self.extra_turns[seat];
                self.extra_turns[seat] += more;
                let why = by.map_or(ChangeReason::Unrecorded, |origin| {
                    ChangeReason::Cause(ChangeCause::Effect(origin.source))
                });
                self.add(ExplainedNumber::ExtraTurns(seat), more, why, by, None);
            }
            DuelEvent::Cost {
                kind,
                source,
                made: true,
                how,
                by,
            } => self.costs.push((kind, how, source.true_model(), by)),
            _ => {}
        }
    }
}

impl Explanation {
    /// Base and shares together; it is the value.
    pub fn sum(&self) -> i32 {
        let shares = self.shares.iter().map(|share| i64::from(share.by));
        saturated(i64::from(self.base) + shares.sum::<i64>())
    }

    fn share(&mut self, by: i32, why: ChangeReason, statement: Option<StatementOrigin>, turn: u16) {
        self.shares.push(Share {
            by,
            why,
            statement,
            card: None,
            turn,
        });
    }
}

/// G150: the lead's BP and its followers'.
fn explain_attack(duel: &Duel, attacker: CardId) -> Option<Explanation> {
    let facts = duel.facts();
    if !facts.attacks(attacker) {
        return None;
    }
    let base = facts.s.ring_bp(attacker);
    let mut explained = Explanation {
        of: ExplainedNumber::Attack(attacker),
        value: base,
        base,
        from: Base::Character(attacker),
        shares: Vec::new(),
    };
    if facts.s.is_lead(attacker) {
        for follower in facts.s.united.iter().skip(1).filter(|card| facts.in_ring(**card)) {
            let by = facts.s.ring_bp(*follower);
            explained.share(
                by,
                ChangeReason::Follower(facts.s.seen(*follower)),
                None,
                facts.s.turn,
            );
        }
    }
    explained.value = explained.sum();
    Some(explained)
}

impl DuelFacts<'_> {
    /// Which statement of a listener changes the cost that is asked for.
    fn cost_statement(self, listener: &EventListener) -> StatementOrigin {
        let step = self.listener_program(listener).map(|program| {
            let start = usize::from(program.autos[usize::from(listener.auto)].start);
            let changes_cost = |op: &Op| {
                matches!(op, Op::Effect(effect) if matches!(
                    program.effects[usize::from(*effect)].effect.kind,
                    RuleEffectKind::Command(Command::ModCost(..))
                ))
            };
            let at = program.ops[start..].iter().position(changes_cost);
            word(start + at.unwrap_or(0))
        });
        StatementOrigin {
            source: self.s.source_seen(listener.card, listener.named),
            place: RulePlace {
                model: listener.model,
                step: step.unwrap_or(0),
            },
        }
    }
}

/// The words of what is explained, for pages and prompts.
impl ExplainedNumber {
    /// What the number is, without whose it is.
    pub fn name(self) -> &'static str {
        match self {
            ExplainedNumber::Turn => "turn",
            ExplainedNumber::Hp(_) => "HP",
            ExplainedNumber::Sp(_) => "SP",
            ExplainedNumber::Bp(_) => "BP",
            ExplainedNumber::CharactersPlayed(_) => "characters played",
            ExplainedNumber::CharactersPerTurn(_) => "characters a turn",
            ExplainedNumber::Backups(_) => "back-ups made",
            ExplainedNumber::ExtraTurns(_) => "extra turns",
            ExplainedNumber::Cards(_, pile) => pile.word(),
            ExplainedNumber::Cost(_) => "cost",
            ExplainedNumber::UnitedCost(_) => "cost of the United Attack",
            ExplainedNumber::Attack(_) => "damage",
        }
    }
}
