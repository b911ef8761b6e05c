//! Commands on players: damage, HP, SP, draws, turns.

use cw_program::{Amount, EventName, PhaseName, PileName};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::list::{DuelObject, Objects};
use crate::event::{ChangeCause, DuelEvent};
use crate::machine::zones::MoveReveal;
use crate::machine::{Flow, Guard, Machine, MachineStep};
use crate::script::commands::{Begun, Deed};
use crate::state::{AgendaTask, Dispatch, EffectStage, EffectTask, Register};
use crate::{Phase, Seat};

impl Machine<'_> {
    /// G202, G160: each target in order; damage to a player from a card that is no character asks
    /// `beforeDamage` first.
    pub fn damage_step(&mut self, task: EffectTask, target: DuelObject, amount: i32) -> MachineStep {
        let source = self.frame().source;
        let cause = ChangeCause::Effect(self.s.running_source());
        if let Some(card) = target.as_card() {
            self.tick()?;
            self.damage_character(card, amount, source, cause);
        } else if let Some(seat) = target.as_player() {
            if task.stage == EffectStage::Announces && !self.facts().model(source).is_character() {
                self.tick()?;
                self.announced(task);
                let executor = self.frame().executor;
                self.push_dispatch(EventName::BeforeDamage, None, Some(source), executor)?;
                return Ok(Flow::Go);
            }
            let sum = match self.take_register() {
                Register::Answered { sum, .. } => sum,
                Register::None | Register::Ended { .. } | Register::Effect(_) => 0,
            };
            self.damage_player(seat, amount.saturating_add(sum), source, cause);
        }
        self.next_target(task);
        Ok(Flow::Go)
    }

    pub fn change_hps(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let (amount, cause) = (deed.prepared.amount, ChangeCause::Effect(self.s.running_source()));
        for seat in self.hit_players(deed) {
            self.tick()?;
            self.change_hp(seat, amount, cause);
        }
        if amount < 0 {
            self.settle_hp(&self.hit_players(deed)); // G163
        }
        Ok(Begun::Done)
    }

    /// Makes players lose life (G162).
    pub fn lose_life(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let cause = ChangeCause::Effect(self.s.running_source());
        for seat in self.hit_players(deed) {
            self.tick()?;
            self.change_hp(seat, -deed.prepared.amount.max(0), cause);
        }
        self.settle_hp(&self.hit_players(deed));
        Ok(Begun::Done)
    }

    pub fn draw_all(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let count = usize::try_from(deed.prepared.amount).unwrap_or(0);
        for seat in self.hit_players(deed) {
            self.tick()?;
            self.draw(seat, count)?;
        }
        Ok(Begun::Done)
    }

    /// Moves the top cards of the players' decks to their discards (G207).
    pub fn trash(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        for seat in self.hit_players(deed) {
            self.tick()?;
            let cards: SmallVec<[CardId; 16]> = self
                .s
                .pile_cards(seat, PileName::Deck)
                .take(deed.prepared.amount.max(0) as usize)
                .collect();
            for card in &cards {
                self.move_card(*card, seat, PileName::Discards, 0, MoveReveal::Nobody)?;
            }
            let all: Objects = cards.iter().map(|card| DuelObject::card(*card)).collect();
            let list = self.keep(&all)?;
            self.frame_mut().trashed = list; // the last player's (R611)
        }
        Ok(Begun::Done)
    }

    pub fn change_sps(&mut self, how: Amount, deed: &Deed) -> Result<Begun, Guard> {
        let cause = ChangeCause::Effect(self.s.running_source());
        for seat in self.hit_players(deed) {
            self.tick()?;
            self.change_sp(seat, how, deed.prepared.amount, cause);
        }
        Ok(Begun::Done)
    }

    /// G164, G165, D32, D96: the last loss by an effect; one of 0 is none.
    pub fn change_sp(&mut self, seat: Seat, how: Amount, amount: i32, cause: ChangeCause) {
        let from = self.s.players[seat].sp;
        let to = match how {
            Amount::Add(_) | Amount::Times(_) => from.saturating_add(amount),
            Amount::Set(_) => amount,
        }
        .max(0);
        self.s.players[seat].sp = to;
        if to < from {
            self.s.players[seat].lost_sp = from - to;
        }
        if from != to {
            let by = self.origin();
            self.log.tell(|| DuelEvent::Sp {
                seat,
                from,
                to,
                cause,
                by,
            });
        }
    }

    /// Lets the executor play one more character this turn (G229).
    pub fn play_extra_char(&mut self) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let player = &mut self.s.players[executor];
        player.chars_per_turn = player.chars_per_turn.saturating_add(1);
        self.tell_play_limit(executor, None);
        Ok(Begun::Done)
    }

    /// Makes players skip the next such phase (G45).
    pub fn skip_phase(&mut self, phase: PhaseName, deed: &Deed) -> Result<Begun, Guard> {
        let phase = Phase::from_index(phase as usize).expect("phases have the same order");
        for seat in self.hit_players(deed) {
            self.s.players[seat].skip |= 1 << phase as u8;
            self.log.tell(|| DuelEvent::WillSkip { seat, phase });
        }
        Ok(Begun::Done)
    }

    /// D34: at least so many; two effects of one give one (GQ16).
    pub fn add_turns(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        let player = &mut self.s.players[executor];
        player.extra_turns = player.extra_turns.max(deed.prepared.amount.clamp(0, 100) as u8);
        let turns = player.extra_turns;
        let by = self.origin();
        self.log.tell(|| DuelEvent::ExtraTurns {
            seat: executor,
            turns,
            by,
        });
        Ok(Begun::Done)
    }

    /// G233, GQ8: adds to the damage being dealt.
    pub fn mod_damage(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let event = EventName::BeforeDamage;
        for task in self.s.tasks.iter_mut().rev() {
            if let AgendaTask::Dispatch(Dispatch { event: of, sum, .. }) = task
                && *of == event
            {
                *sum = sum.saturating_add(deed.prepared.amount);
                break;
            }
        }
        Ok(Begun::Done)
    }
}
