//! A duel that begins in the middle: everything of a state that people may set.
//!
//! Scenarios, puzzles and bug reports start here. A position is taken as it is written, but nothing
//! that the rules could never produce is accepted.

use std::fmt;
use std::sync::Arc;

use cw_program::{CostKind, Keyword, ModelId, PileName, RuleFlag};

use crate::base::card::{CardId, DuelCard, ZoneKind};
use crate::base::cost::CostChange;
use crate::base::count::byte;
use crate::base::list::DuelObject;
use crate::duel::{Duel, SetupError, check_limits};
use crate::game::{Game, MAX_CARDS};
use crate::machine::{Flow, Guard, Machine};
use crate::state::{
    AgendaTask, CardTable, ChangeKind, DuelState, LOST, Life, Marks, PlayerState, RingSlot, StateChange,
};
use crate::{PerSeat, Phase, Seat, SeatSet};
use cw_chance::Chance;

/// A state as people write it down: at the beginning of a phase, before the phase does its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelPosition {
    /// Both players.
    pub players: PerSeat<PlayerPosition>,
    /// The turn's number, from 1. In turn 1 nobody draws (G37).
    pub turn: u16,
    /// The phase that begins.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// Who began the duel.
    pub first: Seat,
    /// The United Attack as slots of the active player's ring, lead first; empty if there is none.
    pub united: Vec<u8>,
    /// Blocks: the attacker's slot in the active player's ring, the blocker's in the other one.
    pub blocks: Vec<(u8, u8)>,
    /// Rules that are changed for the rest of the duel (G249): for one player, or for the game.
    pub rules: Vec<(RuleFlag, Option<Seat>, i32)>,
    /// Costs that are changed for the rest of the duel (G80), in order.
    pub costs: Vec<(CostKind, CostChange)>,
    /// Where random outcomes come from.
    pub chance: Chance,
    /// Outcomes for [`Chance::List`].
    pub script: Vec<u32>,
}

/// What a player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerPosition {
    /// Hit points, more than 0.
    pub hp: i32,
    /// Skill points, 0 or more.
    pub sp: i32,
    /// The ring by slots; slots that are left out at the end are empty.
    pub ring: Vec<Option<CharacterPosition>>,
    /// The hand.
    pub hand: Vec<ModelId>,
    /// The deck, top first.
    pub deck: Vec<ModelId>,
    /// The discard pile, top first.
    pub discards: Vec<ModelId>,
    /// The removed pile, top first.
    pub removed: Vec<ModelId>,
    /// Characters played this turn.
    pub characters_played: u8,
    /// Characters that may be played this turn.
    pub characters_per_turn: u8,
    /// Back-ups made this turn.
    pub backups_played: u8,
    /// Was dealt non-combat damage this turn (G161).
    pub nc_damaged: bool,
    /// Size of the latest SP loss this turn (D32).
    pub lost_sp: i32,
    /// Phases to be skipped (G45).
    pub skips: Vec<Phase>,
    /// Extra turns owed (G52).
    pub extra_turns: u8,
    /// Keywords on the player (G257), for the rest of the duel.
    pub keywords: Vec<Keyword>,
}

impl PlayerPosition {
    /// A player with the numbers of the game and no cards at all.
    pub fn new(game: &Game) -> PlayerPosition {
        PlayerPosition {
            hp: game.constants.hp,
            sp: game.constants.sp,
            ring: Vec::new(),
            hand: Vec::new(),
            deck: Vec::new(),
            discards: Vec::new(),
            removed: Vec::new(),
            characters_played: 0,
            characters_per_turn: game.constants.characters_per_turn,
            backups_played: 0,
            nc_damaged: false,
            lost_sp: 0,
            skips: Vec::new(),
            extra_turns: 0,
            keywords: Vec::new(),
        }
    }
}

/// A character in a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the rules")]
pub struct CharacterPosition {
    /// What it is.
    pub model: ModelId,
    /// Its BP, more than 0; `None`: printed, raised by its back-ups and by what it does on entering.
    pub bp: Option<i32>,
    /// Whose ability it has.
    pub ability: AbilityNow,
    /// Entered since its controller's last Activate phase (G95).
    pub fresh: bool,
    /// Frozen.
    pub frozen: bool,
    /// Its ability was used.
    pub activated: bool,
    /// Attacks alone; members of the United Attack are told by [`DuelPosition::united`].
    pub attacks: bool,
    /// Its back-ups, in order of attaching.
    pub backups: Vec<ModelId>,
    /// Keywords that were given to it and stay as long as it does.
    pub keywords: Vec<Keyword>,
}

impl CharacterPosition {
    /// A character that stands in the ring since an earlier turn.
    pub fn new(model: ModelId) -> CharacterPosition {
        CharacterPosition {
            model,
            bp: None,
            ability: AbilityNow::Own,
            fresh: false,
            frozen: false,
            activated: false,
            attacks: false,
            backups: Vec::new(),
            keywords: Vec::new(),
        }
    }
}

/// Whose ability a character has (G21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbilityNow {
    /// Its printed one.
    Own,
    /// That of another card.
    Of(ModelId),
    /// None.
    Lost,
}

/// A position that the rules cannot produce, or that the engine cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// Whose part of the position it is.
    pub seat: Option<Seat>,
    /// The slot, from 0.
    pub slot: Option<u8>,
    /// What is wrong.
    pub fault: PositionFault,
}

/// What is wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionFault {
    /// The engine cannot hold the game or so many cards (D9).
    Limits(SetupError),
    /// More slots than a ring has (G4).
    Slots {
        /// The ring's.
        limit: u8,
    },
    /// Not a character (G4).
    NotACharacter,
    /// HP of 0 or less: the duel would be over (G38, D8).
    Hp,
    /// SP below 0 (G3).
    Sp,
    /// BP of 0 or less: it would have been KOed (D2).
    Bp,
    /// No free icon for this back-up, by its place (G125).
    Backup(usize),
    /// Attacks, but it is not its controller's turn (G130).
    NotActive,
    /// Attacks or blocks before the phase for it (G130, G144).
    TooEarly,
    /// An empty slot is said to attack or block.
    Empty,
    /// A United Attack of one, of too many, or with a member twice (G133).
    United,
    /// An attacker or blocker in two blocks, or a block of what does not lead (G144, G146).
    Block,
    /// More changes, listeners or keywords than fit (D13).
    TooMuch,
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionFault::Limits(error) => error.fmt(f),
            PositionFault::Slots { limit } => write!(f, "the ring has only {limit} slots (G4)"),
            PositionFault::NotACharacter => f.write_str("only characters stand in a ring (G4)"),
            PositionFault::Hp => f.write_str("with 0 HP or less the duel would be over (G38)"),
            PositionFault::Sp => f.write_str("SP are never below 0 (G3)"),
            PositionFault::Bp => f.write_str("a character with 0 BP or less would have been KOed (D2)"),
            PositionFault::Backup(at) => {
                write!(f, "back-up {} finds no free icon of its subtype (G125.8)", at + 1)
            }
            PositionFault::NotActive => f.write_str("only characters of the active player attack (G130.1)"),
            PositionFault::TooEarly => f.write_str(
                "nobody attacks before the Attack phase \
                 or blocks before the Counter-attack phase (G130, G144)",
            ),
            PositionFault::Empty => f.write_str("an empty slot neither attacks nor blocks"),
            PositionFault::United => f.write_str(
                "not a United Attack: \
                 too few, too many or the same character twice (G133)",
            ),
            PositionFault::Block => f.write_str(
                "a blocker blocks one attacker, an attacker has one blocker, \
                 and followers are not blocked (G144, G146)",
            ),
            PositionFault::TooMuch => f.write_str("more changes and listeners than the engine holds (D13)"),
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = self.seat {
            write!(f, "player {}", seat.index() + 1)?;
            if let Some(slot) = self.slot {
                write!(f, ", slot {}", slot + 1)?;
            }
            f.write_str(": ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for PositionError {}

impl PositionFault {
    fn of_game(self) -> PositionError {
        PositionError {
            seat: None,
            slot: None,
            fault: self,
        }
    }

    fn of(self, seat: Seat) -> PositionError {
        PositionError {
            seat: Some(seat),
            slot: None,
            fault: self,
        }
    }

    fn at(self, seat: Seat, slot: usize) -> PositionError {
        PositionError {
            seat: Some(seat),
            slot: Some(byte(slot)),
            fault: self,
        }
    }
}

impl Duel {
    /// Starts in the middle: the characters in the rings have their scripts, as if they had entered
    /// in slot order, the active player's first; what they ask on entering is answered with the
    /// first option; then the numbers and marks of the position hold, and the phase begins.
    ///
    /// # Errors
    /// If the rules could never produce the position, or it is beyond the engine's limits (D9).
    pub fn from_position(game: Arc<Game>, position: &DuelPosition) -> Result<Duel, PositionError> {
        Duel::from_position_with(game, position, &mut crate::Silent)
    }

    /// Like [`Duel::from_position`]; tells `sink` what happens on the way to the first decision.
    ///
    /// # Errors
    /// As [`Duel::from_position`].
    pub fn from_position_with(
        game: Arc<Game>,
        position: &DuelPosition,
        sink: &mut dyn crate::Sink,
    ) -> Result<Duel, PositionError> {
        check_limits(&game).map_err(|error| PositionFault::Limits(error).of_game())?;
        for seat in Seat::BOTH {
            check_player(&game, position, seat)?;
        }
        check_fight(&game, position)?;
        let state = lay_out(&game, position)?;
        let mut duel = Duel::assemble(game, position.script.clone(), state);
        initialise(&mut duel.machine(None), position.active)
            .map_err(|Guard| PositionFault::TooMuch.of_game())?;
        settle(&mut duel.machine(None), position).map_err(|Guard| PositionFault::TooMuch.of_game())?;
        let mut machine = duel.machine(Some(sink));
        let phase = position.phase;
        machine.s.tasks.clear();
        machine
            .s
            .tasks
            .push(AgendaTask::Phase { phase, step: 0 })
            .expect("the agenda is empty");
        machine.run();
        Ok(duel)
    }
}

fn check_player(game: &Game, position: &DuelPosition, seat: Seat) -> Result<(), PositionError> {
    let player = &position.players[seat];
    let limit = game.constants.ring_slots;
    if player.ring.len() > usize::from(limit) {
        return Err(PositionFault::Slots { limit }.at(seat, player.ring.len() - 1));
    }
    if player.hp <= 0 {
        return Err(PositionFault::Hp.of(seat));
    }
    if player.sp < 0 {
        return Err(PositionFault::Sp.of(seat));
    }
    for (at, character) in player.ring.iter().enumerate() {
        let Some(character) = character else { continue };
        let fault = character_fault(game, position, seat, character);
        if let Some(fault) = fault {
            return Err(fault.at(seat, at));
        }
    }
    Ok(())
}

fn character_fault(
    game: &Game,
    position: &DuelPosition,
    seat: Seat,
    character: &CharacterPosition,
) -> Option<PositionFault> {
    let model = game.model(character.model);
    if !model.is_character() {
        return Some(PositionFault::NotACharacter);
    }
    if character.bp.is_some_and(|bp| bp <= 0) {
        return Some(PositionFault::Bp);
    }
    if character.attacks && seat != position.active {
        return Some(PositionFault::NotActive);
    }
    if character.attacks && position.phase < Phase::Attack {
        return Some(PositionFault::TooEarly);
    }
    let mut icons = model.backups.clone();
    for (at, backup) in character.backups.iter().enumerate() {
        let subtype = game.model(*backup).subtype;
        match icons.iter().position(|icon| Some(*icon) == subtype) {
            Some(icon) => drop(icons.remove(icon)),
            None => return Some(PositionFault::Backup(at)),
        }
    }
    None
}

fn check_fight(game: &Game, position: &DuelPosition) -> Result<(), PositionError> {
    let (active, defender) = (position.active, position.active.other());
    let stands = |seat: Seat, slot: u8| {
        let ring = &position.players[seat].ring;
        ring.get(usize::from(slot)).and_then(Option::as_ref)
    };
    let united = &position.united;
    for (index, slot) in united.iter().enumerate() {
        let fault = if position.phase < Phase::Attack {
            PositionFault::TooEarly
        } else if stands(active, *slot).is_none() {
            PositionFault::Empty
        } else if united[..index].contains(slot)
            || united.len() == 1
            || united.len() > usize::from(game.constants.united_followers) + 1
        {
            PositionFault::United
        } else {
            continue;
        };
        return Err(fault.at(active, usize::from(*slot)));
    }
    for (index, (attacker, blocker)) in position.blocks.iter().enumerate() {
        let leads = united.first() == Some(attacker)
            || stands(active, *attacker).is_some_and(|character| character.attacks)
                && !united.contains(attacker);
        let twice = position.blocks[..index]
            .iter()
            .any(|(a, b)| a == attacker || b == blocker);
        let fault = if position.phase < Phase::CounterAttack {
            PositionFault::TooEarly
        } else if stands(defender, *blocker).is_none() {
            PositionFault::Empty
        } else if twice || !leads {
            PositionFault::Block
        } else {
            continue;
        };
        return Err(fault.at(defender, usize::from(*blocker)));
    }
    Ok(())
}

/// Every card in its place, with nothing on it yet.
fn lay_out(game: &Game, position: &DuelPosition) -> Result<DuelState, PositionError> {
    let deck = ZoneKind::Pile(PileName::Deck);
    let mut cards = Vec::new();
    let mut places: Vec<(CardId, Seat, PositionSpot)> = Vec::new();
    for seat in Seat::BOTH {
        let player = &position.players[seat];
        let piles = [
            (PileName::Deck, &player.deck),
            (PileName::Hand, &player.hand),
            (PileName::Discards, &player.discards),
            (PileName::Removed, &player.removed),
        ];
        let mut add = |model: ModelId, spot: PositionSpot| {
            let card = CardId(byte(cards.len().min(MAX_CARDS)));
            cards.push(DuelCard::new(model, seat, deck));
            places.push((card, seat, spot));
            card
        };
        for (pile, models) in piles {
            for model in models {
                add(*model, PositionSpot::Pile(pile));
            }
        }
        for (slot, character) in player.ring.iter().enumerate() {
            let Some(character) = character else { continue };
            let host = add(character.model, PositionSpot::Slot(slot, character.ability));
            for backup in &character.backups {
                add(*backup, PositionSpot::Backup(host));
            }
        }
    }
    let Ok(cards) = CardTable::from_slice(&cards) else {
        let cards = cards.len();
        return Err(PositionFault::Limits(SetupError::TooManyCards { cards }).of_game());
    };
    let mut state = DuelState::new(cards, position.chance);
    state.turn = position.turn;
    state.phase = position.phase;
    state.active = position.active;
    state.first = position.first;
    for (card, seat, spot) in places {
        put(game, &mut state, card, seat, spot).map_err(|_| PositionFault::TooMuch.of(seat))?;
    }
    for seat in Seat::BOTH {
        // The numbers that scripts may read on entering.
        state.players[seat] = player_of(&position.players[seat]);
    }
    Ok(state)
}

/// Where a card of a position lies.
#[derive(Clone, Copy)]
enum PositionSpot {
    Pile(PileName),
    Slot(usize, AbilityNow),
    Backup(CardId),
}

fn put(
    game: &Game,
    state: &mut DuelState,
    card: CardId,
    seat: Seat,
    spot: PositionSpot,
) -> Result<(), crate::base::table::Full> {
    state.take_out(card);
    let model = state.cards[card.index()].model;
    match spot {
        PositionSpot::Pile(pile) => {
            let bottom = state.pile_count(seat, pile);
            state.insert(card, seat, pile, bottom);
            state.cards[card.index()].set_known(match pile {
                PileName::Hand => SeatSet::only(seat),
                PileName::Deck => SeatSet::NONE,
                PileName::Discards | PileName::Removed => SeatSet::BOTH,
            });
        }
        PositionSpot::Slot(slot, ability) => {
            let entry = &mut state.cards[card.index()];
            entry.set_zone(ZoneKind::Ring);
            entry.set_known(SeatSet::BOTH);
            entry.bp = game.model(model).bp;
            let ability = match ability {
                AbilityNow::Own => model,
                AbilityNow::Of(other) => other,
                AbilityNow::Lost => LOST,
            };
            state.rings[seat][slot] = RingSlot {
                card,
                marks: Marks(0),
                ability,
            };
        }
        PositionSpot::Backup(host) => {
            let entry = &mut state.cards[card.index()];
            entry.set_zone(ZoneKind::Backup);
            entry.set_known(SeatSet::BOTH);
            state.backups.push((card, host))?;
            let raised = &mut state.cards[host.index()].bp;
            *raised = raised.saturating_add(game.constants.backup_bp);
        }
    }
    Ok(())
}

fn player_of(player: &PlayerPosition) -> PlayerState {
    PlayerState {
        hp: player.hp,
        sp: player.sp,
        lost_sp: player.lost_sp,
        chars_played: player.characters_played,
        chars_per_turn: player.characters_per_turn,
        backups_played: player.backups_played,
        nc_damaged: player.nc_damaged,
        skip: player
            .skips
            .iter()
            .fold(0, |bits, phase| bits | 1 << *phase as u8),
        extra_turns: player.extra_turns,
    }
}

/// G104, for every character in slot order; instants do not act.
fn initialise(machine: &mut Machine<'_>, active: Seat) -> Result<(), Guard> {
    for seat in [active, active.other()] {
        for at in 0..usize::from(machine.game.constants.ring_slots) {
            let card = machine.s.rings[seat][at].card;
            if card == CardId::NONE {
                continue;
            }
            machine.begin_unit()?;
            machine.initialise(card, false)?;
            while !machine.s.tasks.is_empty() && machine.s.outcome.is_none() {
                match machine.step() {
                    Ok(Flow::Go) => {}
                    Ok(Flow::Ask) => machine.s.reply = machine.s.decision.options.first().copied(),
                    Err(Guard) => machine.guard(),
                }
            }
        }
    }
    Ok(())
}

/// The numbers and marks of the position, whatever the scripts did on entering.
fn settle(machine: &mut Machine<'_>, position: &DuelPosition) -> Result<(), Guard> {
    for seat in Seat::BOTH {
        let player = &position.players[seat];
        machine.s.players[seat] = player_of(player);
        for keyword in &player.keywords {
            add_change(
                machine,
                ChangeKind::Grant(*keyword),
                DuelObject::player(seat),
                Life::Forever,
            )?;
        }
        for (at, character) in player.ring.iter().enumerate() {
            let card = machine.s.rings[seat][at].card;
            let Some(character) = character.as_ref().filter(|_| card != CardId::NONE) else {
                continue;
            };
            if let Some(bp) = character.bp {
                machine.s.cards[card.index()].bp = bp;
            }
            let marks = &mut machine.s.rings[seat][at].marks;
            for (holds, mark) in [
                (character.fresh, Marks::FRESH),
                (character.frozen, Marks::FROZEN),
                (character.activated, Marks::ACTIVATED),
                (character.attacks, Marks::ATTACK),
            ] {
                if holds {
                    marks.set(mark);
                }
            }
            for keyword in &character.keywords {
                let subject = DuelObject::card(card);
                add_change(machine, ChangeKind::Grant(*keyword), subject, Life::WithSubject)?;
            }
        }
    }
    for (flag, whose, value) in &position.rules {
        let subject = whose.map_or(DuelObject::GAME, DuelObject::player);
        let kind = match flag {
            RuleFlag::PlayCharBpLimit => ChangeKind::BpLimit(*value),
            _ => ChangeKind::Flag(*flag, *value != 0),
        };
        add_change(machine, kind, subject, Life::Forever)?;
    }
    for (kind, change) in &position.costs {
        let kind = match change {
            CostChange::Set(value) => ChangeKind::CostSet(*kind, *value),
            CostChange::Add(value) => ChangeKind::CostAdd(*kind, *value),
        };
        add_change(machine, kind, DuelObject::GAME, Life::Forever)?;
    }
    settle_fight(machine, position)
}

fn add_change(
    machine: &mut Machine<'_>,
    kind: ChangeKind,
    subject: DuelObject,
    life: Life,
) -> Result<(), Guard> {
    let source = CardId::NONE;
    Ok(machine.s.changes.push(StateChange {
        kind,
        subject,
        source,
        named: LOST,
        life,
    })?)
}

fn settle_fight(machine: &mut Machine<'_>, position: &DuelPosition) -> Result<(), Guard> {
    let active = position.active;
    for (index, slot) in position.united.iter().enumerate() {
        let slot = &mut machine.s.rings[active][usize::from(*slot)];
        slot.marks.clear(Marks::ATTACKING);
        slot.marks.set(if index == 0 {
            Marks::ATTACK
        } else {
            Marks::FOLLOWER
        });
        let card = slot.card;
        machine.s.united.push(card)?;
    }
    for (attacker, blocker) in &position.blocks {
        let attacker = machine.s.rings[active][usize::from(*attacker)].card;
        let slot = &mut machine.s.rings[active.other()][usize::from(*blocker)];
        slot.marks.set(Marks::BLOCK);
        let blocker = slot.card;
        machine.s.blocks.push((attacker, blocker))?;
    }
    Ok(())
}
