//! What a player may begin: one function for each rule, which gives the refusal. An option is offered
//! exactly if there is none, and [`Duel::why_not`](crate::Duel::why_not) tells the same one.

use cw_program::{CardType, EventName, Keyword, PileName, RuleFlag};
use smallvec::SmallVec;

use crate::base::card::{CardId, ZoneKind};
use crate::base::count::byte;
use crate::base::list::DuelObject;
use crate::base::refusal::{Legal, RefusalReason, require};
use crate::game::{AbilityKind, MAX_SLOTS};
use crate::machine::Machine;
use crate::state::decision::Choice;
use crate::state::{Marks, RingSlot};
use crate::{Phase, Seat};

impl Machine<'_> {
    /// A free action, whatever the question that waits.
    pub fn free_action(&mut self, seat: Seat, choice: Choice, at: Option<CardId>) -> Legal {
        let own = |machine: &Self, card: CardId, rules, why| {
            require(machine.facts().controller(card) == seat, rules, why)
        };
        let theirs = "belongs to the opponent";
        match choice {
            Choice::Play(card) => {
                own(self, card, &["G64"], theirs)?;
                self.playing(card)?;
                self.is_the_first_copy(card)
            }
            Choice::BackUp(card) => {
                own(self, card, &["G64", "G126"], theirs)?;
                self.backing_up(card, at)?;
                self.is_the_first_copy(card)
            }
            Choice::Activate(card) => {
                own(self, card, &["G93", "G96"], theirs)?;
                self.activating(card)
            }
            Choice::Attack(card) => {
                own(self, card, &["G130.2"], theirs)?;
                self.attacking(card)
            }
            Choice::Join(card) => {
                own(self, card, &["G133.1"], theirs)?;
                self.joining(card, at)
            }
            Choice::CancelAttack(card) => {
                own(self, card, &["G136"], theirs)?;
                let attacks = self.facts().attacks(card);
                require(attacks, &["G140"], "does not attack")?;
                let now = self.has_turn_in(seat, Phase::Attack);
                require(now, &["G136", "G47"], "is taken out only in the Attack phase")
            }
            Choice::Block(card) => {
                own(self, card, &["G144.2"], theirs)?;
                self.blocking(card, at)
            }
            Choice::CancelBlock(card) => {
                own(self, card, &["G144.5"], theirs)?;
                let blocks = self.s.marked(card, Marks::BLOCK);
                require(blocks, &["G144.5"], "does not counter")?;
                let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
                require(
                    now,
                    &["G148", "G61"],
                    "is taken out only in the opponent's Counter-attack phase",
                )
            }
            _ => Ok(()),
        }
    }

    /// D29: equal copies are one option.
    fn is_the_first_copy(&self, card: CardId) -> Legal {
        require(
            self.is_first_of_equals(card),
            &["D29"],
            "is one of several equal copies, which are offered once",
        )
    }

    pub(crate) fn has_turn_in(&self, seat: Seat, phase: Phase) -> bool {
        seat == self.s.active && self.s.phase == phase
    }

    /// Says whether a card may be played, or why not (G64, G65, G70, G72).
    pub fn playing<R: RefusalReason>(&mut self, card: CardId) -> Legal<R> {
        let facts = self.facts();
        let seat = facts.controller(card);
        let zone = facts.zone(card);
        let card_type = facts.model(card).card_type;
        let from_removed =
            zone == ZoneKind::Pile(PileName::Removed) && facts.flag(seat, RuleFlag::PlayRemoved);
        require(
            zone == ZoneKind::Pile(PileName::Hand) || from_removed,
            &["G64", "G254"],
            "is not in the hand",
        )?;
        match card_type {
            Some(CardType::Character) => self.playing_character(card, seat),
            Some(CardType::Action) => {
                let facts = self.facts();
                let barred = facts.has_keyword(DuelObject::player(seat), Keyword::CantPlayAc);
                require(
                    !barred,
                    &["G70.1", "G258"],
                    "is an action, and its player cannot play any",
                )?;
                let hook = self.hook_allows(EventName::BeforePlayAc, None, None, seat);
                require(hook, &["G70.1"], "is an action, and an effect forbids those")?;
                let now = self.has_turn_in(seat, Phase::Main);
                require(now, &["G70.2"], "is an action: only for one's own Main phase")?;
                require(
                    self.is_payable(card, seat),
                    &["G70.3", "G76"],
                    "costs more SP than there are",
                )
            }
            Some(CardType::Reaction) => {
                let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
                require(
                    now,
                    &["G72.1"],
                    "is a reaction: only for the opponent's Counter-attack phase",
                )?;
                let facts = self.facts();
                let barred = facts.has_keyword(DuelObject::player(seat), Keyword::CantPlayRe);
                require(
                    !barred,
                    &["G72.2", "G258"],
                    "is a reaction, and its player cannot play any",
                )?;
                let hook = self.hook_allows(EventName::BeforePlayRe, None, None, seat);
                require(hook, &["G72.2"], "is a reaction, and an effect forbids those")?;
                require(
                    self.is_payable(card, seat),
                    &["G72.3", "G76"],
                    "costs more SP than there are",
                )
            }
            None => Err(R::by(&["D60"], "is of a type that the game does not know")),
        }
    }

    fn playing_character<R: RefusalReason>(&mut self, card: CardId, seat: Seat) -> Legal<R> {
        let now = self.has_turn_in(seat, Phase::Main);
        require(now, &["G65.1"], "is a character: only for one's own Main phase")?;
        let player = self.s.players[seat];
        require(
            player.chars_played < player.chars_per_turn,
            &["G65.2"],
            "is one character too many this turn",
        )?;
        let facts = self.facts();
        let low = facts
            .bp_limit(seat)
            .is_none_or(|limit| facts.model(card).bp < limit);
        require(low, &["G65.3"], "has more BP than an effect allows")?;
        let room = self.empty_slots(seat).next().is_some();
        require(room, &["G65.4"], "finds no empty slot")?;
        require(
            self.is_payable(card, seat),
            &["G65.7", "G76"],
            "costs more SP than there are",
        )
    }

    /// G125: with a host that one, else anybody.
    pub fn backing_up<R: RefusalReason>(&mut self, card: CardId, host: Option<CardId>) -> Legal<R> {
        let facts = self.facts();
        let seat = facts.controller(card);
        let zone = facts.zone(card);
        let from_removed =
            zone == ZoneKind::Pile(PileName::Removed) && facts.flag(seat, RuleFlag::PlayRemoved);
        require(
            zone == ZoneKind::Pile(PileName::Hand) || from_removed,
            &["G126", "G254"],
            "is not in the hand",
        )?;
        let now = self.has_turn_in(seat, Phase::Main);
        require(
            now,
            &["G125.1"],
            "cannot back up now: only in one's own Main phase",
        )?;
        let is_character = self.facts().model(card).is_character();
        require(is_character, &["G125.2"], "is no character")?;
        if let Some(host) = host {
            return self.backing_up_host(card, host, seat);
        }
        // The refusal of the host that comes nearest.
        let mut nearest: Option<R> = None;
        for at in 0..usize::from(self.game.constants.ring_slots) {
            if self.s.rings[seat][at].card == CardId::NONE {
                continue;
            }
            let Err(refusal) = self.backing_up_at::<R>(card, seat, at) else {
                return Ok(());
            };
            if nearest.is_none_or(|nearest| refusal.is_later_than(&nearest)) {
                nearest = Some(refusal);
            }
        }
        Err(nearest.unwrap_or(R::by(&["G125.3"], "finds nobody in the ring to back up")))
    }

    /// Says whether a card may back up this character, or why not (G125.3–G125.8).
    pub fn backing_up_host<R: RefusalReason>(&mut self, card: CardId, host: CardId, seat: Seat) -> Legal<R> {
        let place = self.s.slot_of(host).filter(|(whose, _)| *whose == seat);
        match place {
            Some((_, at)) => self.backing_up_at(card, seat, at),
            None => Err(R::by(&["G125.3"], "backs up only characters of one's own ring")),
        }
    }

    fn backing_up_at<R: RefusalReason>(&mut self, card: CardId, seat: Seat, at: usize) -> Legal<R> {
        let facts = self.facts();
        let RingSlot {
            card: host, marks, ..
        } = facts.s.rings[seat][at];
        let subtype = facts.model(card).subtype;
        let icons = &facts.model(host).backups;
        let fits = subtype.is_some_and(|subtype| icons.contains(&subtype));
        require(
            fits,
            &["G125.3", "G125.7"],
            "has no subtype that the character's icons name",
        )?;
        let frozen = marks.has(Marks::FROZEN);
        require(!frozen, &["G125.4"], "finds its character frozen")?;
        let fresh = marks.has(Marks::FRESH) && !facts.flag(seat, RuleFlag::BackupFresh);
        require(!fresh, &["G125.5"], "finds its character fresh")?;
        let within = self.backup_limit_allows(host, seat);
        require(within, &["G125.6"], "is one back-up too many this turn")?;
        let facts = self.facts();
        let free = subtype.is_some_and(|subtype| facts.free_icons(host, subtype) > 0);
        require(free, &["G125.8", "G129"], "finds every icon of its subtype taken")
    }

    /// Says whether the ability of a character may be used by hand, or why not (G96–G100, D17).
    pub fn activating<R: RefusalReason>(&mut self, card: CardId) -> Legal<R> {
        let facts = self.facts();
        let seat = facts.controller(card);
        let attached = facts.zone(card) == ZoneKind::Backup;
        require(!attached, &["G127"], "is a back-up: it has no working ability")?;
        let Some(slot) = facts.s.slot(card).copied() else {
            return Err(R::by(&["G96"], "is not in the ring"));
        };
        let kind = facts.ability_kind(card);
        let program = facts.program(card);
        let Some(program) = program else {
            return Err(R::by(&["G96", "D17"], "has no ability to use"));
        };
        let kind = match kind {
            Some(AbilityKind::Auto) => return Err(R::by(&["G99"], "works by itself, never by hand")),
            Some(kind) => kind,
            // D98: D37 is for characters of games without ability types.
            None if !facts.has_ability_of_character(card) => {
                return Err(R::by(
                    &["D98"],
                    "has the rule of a card that is no character: it has no type and is not activated",
                ));
            }
            None if program.actions_are_free() => AbilityKind::Instant,
            None => AbilityKind::Triggered,
        };
        require(
            !program.rule.actions.is_empty(),
            &["G96"],
            "has nothing to activate",
        )?;
        let now = self.has_turn_in(seat, Phase::Main);
        require(now, &["G96"], "is activated only in one's own Main phase")?;
        let used = slot.marks.has(Marks::ACTIVATED);
        require(!used, &["G96", "G101"], "was activated already")?;
        let spent = slot.marks.has(Marks::SPENT);
        require(
            !spent,
            &["D3", "D78", "GQ5"],
            "was tried in vain, and once more by hand is all there is",
        )?;
        let facts = self.facts();
        if kind == AbilityKind::Instant {
            let on = facts.flag(seat, RuleFlag::AbInstantAct);
            require(on, &["G97", "G253"], "is instant, and an effect forbids those")?;
            require(
                slot.marks.has(Marks::FRESH),
                &["G97"],
                "is instant and not fresh any more",
            )?;
            let tried = self.instant_may_be_tried(card);
            require(tried, &["G100", "GQ5"], "is instant and had its try")?;
        } else {
            let on = facts.flag(seat, RuleFlag::AbTriggerAct);
            require(
                on,
                &["G98", "G253"],
                "is a trigger ability, and an effect forbids those",
            )?;
            let fresh = slot.marks.has(Marks::FRESH) && !facts.flag(seat, RuleFlag::AbTriggerFresh);
            require(!fresh, &["G98", "G95"], "is fresh")?;
            require(!slot.marks.has(Marks::FROZEN), &["G98"], "is frozen")?;
            require(!slot.marks.has(Marks::ATTACKING), &["G98"], "attacks")?;
        }
        let satisfiable = self.looks_satisfiable(card, seat);
        require(
            satisfiable,
            &["D17", "G105"],
            "lacks a requisite, a target or the means to pay its cost",
        )
    }

    /// G130: a solo attack.
    pub fn attacking<R: RefusalReason>(&mut self, card: CardId) -> Legal<R> {
        self.declaring(card, false)
    }

    fn declaring<R: RefusalReason>(&mut self, card: CardId, joining: bool) -> Legal<R> {
        let seat = self.facts().controller(card);
        let now = self.has_turn_in(seat, Phase::Attack);
        require(now, &["G130.1"], "attacks only in its controller's Attack phase")?;
        self.able_to_attack(card, joining)?;
        let attacking = self.s.marked(card, Marks::ATTACKING);
        require(!attacking, &["G130.5", "G133.5"], "attacks already")
    }

    /// G130.2 to G130.7 and G133.1 to G133.4, whatever the phase and whether it attacks already: who
    /// becomes a solo attacker when a United Attack dissolves (G141), who can be forced to join (G139).
    pub fn able_to_attack<R: RefusalReason>(&mut self, card: CardId, joining: bool) -> Legal<R> {
        let facts = self.facts();
        let seat = facts.controller(card);
        let Some(slot) = facts.s.slot(card).copied() else {
            return Err(R::by(&["G130.2", "G133.1"], "is not in the ring"));
        };
        let rule = facts.flag(seat, RuleFlag::Attack);
        require(
            rule,
            &["G130.3", "G133.2", "G253"],
            "cannot attack: a rule forbids all attacks",
        )?;
        // G259: it may join, but not attack alone or lead.
        let barred = !joining && facts.slot_has_keyword(&slot, Keyword::CantAttack);
        require(
            !barred,
            &["G130.4", "G258"],
            "cannot attack alone; it may join a United Attack",
        )?;
        let hook = self.hook_allows(EventName::BeforeAttack, Some(card), Some(card), seat);
        require(hook, &["G130.4", "G133.4"], "cannot attack: an effect forbids it")?;
        let fresh = slot.marks.has(Marks::FRESH);
        require(!fresh, &["G130.6", "G133.3", "G95"], "is fresh")?;
        let frozen = slot.marks.has(Marks::FROZEN);
        require(!frozen, &["G130.7", "GQ12", "G133"], "is frozen")
    }

    /// G133: with a lead that one, else anybody.
    pub fn joining<R: RefusalReason>(&mut self, card: CardId, lead: Option<CardId>) -> Legal<R> {
        self.declaring(card, true)?;
        let facts = self.facts();
        let anyone = facts.leads().any(|lead| lead != card);
        require(anyone, &["G132", "G133.6"], "finds no attack to join")?;
        if let Some(lead) = lead {
            let united = &facts.s.united;
            let fits = united.is_empty() || united.contains(&lead);
            require(fits, &["G133.7"], "can join only the United Attack that there is")?;
            require(
                facts.attacks(lead),
                &["G133.6"],
                "finds that nobody attacks there",
            )?;
        }
        let members = self.s.united.len();
        let limit = usize::from(self.game.constants.united_followers);
        require(members <= limit, &["G133.8"], "is one follower too many")?;
        let payable = self.can_pay_united(byte(members.max(1)));
        require(
            payable,
            &["G133.9"],
            "would make the United Attack cost more SP than there are",
        )
    }

    /// G144: with an attacker that one, else anybody.
    pub fn blocking<R: RefusalReason>(&mut self, card: CardId, attacker: Option<CardId>) -> Legal<R> {
        let seat = self.facts().controller(card);
        let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
        require(
            now,
            &["G144.1"],
            "counters only in the opponent's Counter-attack phase",
        )?;
        let facts = self.facts();
        let Some(slot) = facts.s.slot(card).copied() else {
            return Err(R::by(&["G144.2"], "is not in the ring"));
        };
        require(!slot.marks.has(Marks::FROZEN), &["G144.3"], "is frozen")?;
        let barred = facts.slot_has_keyword(&slot, Keyword::CantBlock);
        require(!barred, &["G144.4", "G258"], "cannot counter")?;
        let hook = self.hook_allows(EventName::BeforeBlock, Some(card), Some(card), seat);
        require(hook, &["G144.4"], "cannot counter: an effect forbids it")?;
        let blocks = slot.marks.has(Marks::BLOCK);
        require(!blocks, &["G144.5"], "counters already")?;
        if let Some(attacker) = attacker {
            return self.blocking_attacker(attacker, card, seat);
        }
        let attackers: SmallVec<[CardId; MAX_SLOTS]> = self.facts().leads().collect();
        let mut refused = R::by(&["G144.6"], "finds no attacker that could be countered");
        for attacker in attackers {
            match self.blocking_attacker(attacker, card, seat) {
                Ok(()) => return Ok(()),
                Err(refusal) => refused = refusal,
            }
        }
        Err(refused)
    }

    /// Says whether a character may block this attacker, or why not (G144.6–G144.8).
    pub fn blocking_attacker<R: RefusalReason>(
        &mut self,
        attacker: CardId,
        card: CardId,
        seat: Seat,
    ) -> Legal<R> {
        let leads = self.s.marked(attacker, Marks::ATTACK);
        require(
            leads,
            &["G144.6", "G138"],
            "can counter only who attacks alone or leads a United Attack",
        )?;
        let free = self.s.blocker_of(attacker).is_none();
        require(free, &["G144.7", "G146"], "finds the attacker countered already")?;
        let facts = self.facts();
        let unblockable = facts.has_keyword(DuelObject::card(attacker), Keyword::Unblockable);
        require(
            !unblockable,
            &["G144.8", "G258"],
            "faces an attacker that nobody can counter",
        )?;
        let hook = self.can_block_hook(attacker, card, seat);
        require(
            hook,
            &["G144.8"],
            "cannot counter this attacker: an effect forbids it",
        )
    }
}
