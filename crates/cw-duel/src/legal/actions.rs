//! Why something is not offered: the tests of the rules again, in their order, each with its number.

use cw_program::{CardType, EventName, Keyword, PileName, RuleFlag};

use crate::base::card::{CardId, ZoneKind};
use crate::base::list::Object;
use crate::base::refusal::Refusal;
use crate::base::refusal::{Tests, by, test};
use crate::game::AbilityKind;
use crate::machine::Machine;
use crate::state::Marks;
use crate::state::decision::Choice;
use crate::{Phase, Seat};

impl Machine<'_> {
    /// A free action, whatever the question that waits.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other choices are no free actions"
    )]
    pub fn tests_of_free(&mut self, seat: Seat, choice: Choice, at: Option<CardId>) -> Tests {
        let own = |machine: &Self, card: CardId, rules, why| {
            test(machine.facts().controller(card) == seat, rules, why)
        };
        let theirs = "belongs to the opponent";
        match choice {
            Choice::Play(card) => {
                own(self, card, &["G64"], theirs)?;
                self.tests_of_play(card)?;
                self.is_the_first_copy(card)
            }
            Choice::BackUp(card) => {
                own(self, card, &["G64", "G126"], theirs)?;
                self.tests_of_back_up(card, at)?;
                self.is_the_first_copy(card)
            }
            Choice::Activate(card) => {
                own(self, card, &["G93", "G96"], theirs)?;
                self.tests_of_activation(card)
            }
            Choice::Attack(card) => {
                own(self, card, &["G130.2"], theirs)?;
                self.tests_of_attack(card)
            }
            Choice::Join(card) => {
                own(self, card, &["G133.1"], theirs)?;
                self.tests_of_joining(card, at)
            }
            Choice::CancelAttack(card) => {
                own(self, card, &["G136"], theirs)?;
                let attacks = self.facts().attacks(card);
                test(attacks, &["G140"], "does not attack")?;
                let now = self.has_turn_in(seat, Phase::Attack);
                test(now, &["G136", "G47"], "is taken out only in the Attack phase")
            }
            Choice::Block(card) => {
                own(self, card, &["G144.2"], theirs)?;
                self.tests_of_block(card, at)
            }
            Choice::CancelBlock(card) => {
                own(self, card, &["G144.5"], theirs)?;
                let blocks = self.s.marked(card, Marks::BLOCK);
                test(blocks, &["G144.5"], "does not block")?;
                let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
                test(
                    now,
                    &["G148", "G61"],
                    "is taken out only in the opponent's Counter-attack phase",
                )
            }
            _ => Ok(()),
        }
    }

    /// D29: equal copies are one option.
    fn is_the_first_copy(&self, card: CardId) -> Tests {
        let Some((seat, pile)) = self.pile_of(card) else {
            return Ok(());
        };
        test(
            self.playable(seat, pile).contains(&card),
            &["D29"],
            "is one of several equal copies, which are offered once",
        )
    }

    pub(crate) fn has_turn_in(&self, seat: Seat, phase: Phase) -> bool {
        seat == self.s.active && self.s.phase == phase
    }

    fn tests_of_play(&mut self, card: CardId) -> Tests {
        let facts = self.facts();
        let seat = facts.controller(card);
        let zone = facts.zone(card);
        let card_type = facts.model(card).card_type;
        let from_removed =
            zone == ZoneKind::Pile(PileName::Removed) && facts.flag(seat, RuleFlag::PlayRemoved);
        test(
            zone == ZoneKind::Pile(PileName::Hand) || from_removed,
            &["G64", "G254"],
            "is not in the hand",
        )?;
        match card_type {
            Some(CardType::Character) => self.tests_of_character(card, seat),
            Some(CardType::Action) => {
                let facts = self.facts();
                let barred = facts.has_keyword(Object::player(seat), Keyword::CantPlayAc);
                test(
                    !barred,
                    &["G70.1", "G258"],
                    "is an action, and its player cannot play any",
                )?;
                let hook = self.hook_allows(EventName::BeforePlayAc, None, None, seat);
                test(hook, &["G70.1"], "is an action, and an effect forbids those")?;
                let now = self.has_turn_in(seat, Phase::Main);
                test(now, &["G70.2"], "is an action: only for one's own Main phase")?;
                test(
                    self.is_payable(card, seat),
                    &["G70.3", "G76"],
                    "costs more SP than there are",
                )
            }
            Some(CardType::Reaction) => {
                let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
                test(
                    now,
                    &["G72.1"],
                    "is a reaction: only for the opponent's Counter-attack phase",
                )?;
                let facts = self.facts();
                let barred = facts.has_keyword(Object::player(seat), Keyword::CantPlayRe);
                test(
                    !barred,
                    &["G72.2", "G258"],
                    "is a reaction, and its player cannot play any",
                )?;
                let hook = self.hook_allows(EventName::BeforePlayRe, None, None, seat);
                test(hook, &["G72.2"], "is a reaction, and an effect forbids those")?;
                test(
                    self.is_payable(card, seat),
                    &["G72.3", "G76"],
                    "costs more SP than there are",
                )
            }
            None => Err(by(&["D60"], "is of a type that the game does not know")),
        }
    }

    fn tests_of_character(&mut self, card: CardId, seat: Seat) -> Tests {
        let now = self.has_turn_in(seat, Phase::Main);
        test(now, &["G65.1"], "is a character: only for one's own Main phase")?;
        let player = self.s.players[seat];
        test(
            player.chars_played < player.chars_per_turn,
            &["G65.2"],
            "is one character too many this turn",
        )?;
        let facts = self.facts();
        let low = facts
            .bp_limit(seat)
            .is_none_or(|limit| facts.model(card).bp < limit);
        test(low, &["G65.3"], "has more BP than an effect allows")?;
        let room = self.empty_slots(seat).next().is_some();
        test(room, &["G65.4"], "finds no empty slot")?;
        test(
            self.is_payable(card, seat),
            &["G65.7", "G76"],
            "costs more SP than there are",
        )
    }

    fn tests_of_back_up(&mut self, card: CardId, host: Option<CardId>) -> Tests {
        let facts = self.facts();
        let seat = facts.controller(card);
        let zone = facts.zone(card);
        let from_removed =
            zone == ZoneKind::Pile(PileName::Removed) && facts.flag(seat, RuleFlag::PlayRemoved);
        test(
            zone == ZoneKind::Pile(PileName::Hand) || from_removed,
            &["G126", "G254"],
            "is not in the hand",
        )?;
        let now = self.has_turn_in(seat, Phase::Main);
        test(
            now,
            &["G125.1"],
            "cannot back up now: only in one's own Main phase",
        )?;
        let is_character = self.facts().model(card).is_character();
        test(is_character, &["G125.2"], "is no character")?;
        if let Some(host) = host {
            return self.tests_of_host(card, host, seat);
        }
        // The refusal of the best candidate: the one that passes most tests.
        let hosts: Vec<CardId> = self.s.ring(seat).map(|slot| slot.card).collect();
        let mut best: Option<(usize, Refusal)> = None;
        for host in hosts {
            let Err(refusal) = self.tests_of_host(card, host, seat) else {
                return Ok(());
            };
            let passed = HOST_TESTS
                .iter()
                .position(|rule| refusal.is_by(rule))
                .unwrap_or(0);
            if best.is_none_or(|(most, _)| passed > most) {
                best = Some((passed, refusal));
            }
        }
        let nobody = by(&["G125.3"], "finds nobody in the ring to back up");
        Err(best.map_or(nobody, |(_, refusal)| refusal))
    }

    pub(crate) fn tests_of_host(&mut self, card: CardId, host: CardId, seat: Seat) -> Tests {
        let facts = self.facts();
        let stands = facts.in_ring(host) && facts.controller(host) == seat;
        test(stands, &["G125.3"], "backs up only characters of one's own ring")?;
        let subtype = facts.model(card).subtype;
        let icons = &facts.model(host).backups;
        let fits = subtype.is_some_and(|subtype| icons.contains(&subtype));
        test(
            fits,
            &["G125.3", "G125.7"],
            "has no subtype that the character's icons name",
        )?;
        let frozen = facts.is_frozen(host);
        test(!frozen, &["G125.4"], "finds its character frozen")?;
        let fresh = facts.s.marked(host, Marks::FRESH) && !facts.flag(seat, RuleFlag::BackupFresh);
        test(!fresh, &["G125.5"], "finds its character fresh")?;
        let within = self.backup_limit_allows(host, seat);
        test(within, &["G125.6"], "is one back-up too many this turn")?;
        let facts = self.facts();
        let free = subtype.is_some_and(|subtype| facts.free_icons(host, subtype) > 0);
        test(free, &["G125.8", "G129"], "finds every icon of its subtype taken")
    }

    fn tests_of_activation(&mut self, card: CardId) -> Tests {
        let facts = self.facts();
        let seat = facts.controller(card);
        let attached = facts.zone(card) == ZoneKind::Backup;
        test(!attached, &["G127"], "is a back-up: it has no working ability")?;
        let Some(slot) = facts.s.slot(card).copied() else {
            return Err(by(&["G96"], "is not in the ring"));
        };
        let kind = facts.ability_kind(card);
        let program = facts.program(card);
        let Some(program) = program else {
            return Err(by(&["G96", "D17"], "has no ability that the rules engine knows"));
        };
        let kind = match kind {
            Some(AbilityKind::Auto) => return Err(by(&["G99"], "works by itself, never by hand")),
            Some(kind) => kind,
            None if program.actions_are_free() => AbilityKind::Instant,
            None => AbilityKind::Triggered,
        };
        test(
            !program.rule.actions.is_empty(),
            &["G96"],
            "has nothing to activate",
        )?;
        let now = self.has_turn_in(seat, Phase::Main);
        test(now, &["G96"], "is activated only in one's own Main phase")?;
        let used = slot.marks.has(Marks::ACTIVATED);
        test(!used, &["G96", "G101"], "was activated already")?;
        let spent = slot.marks.has(Marks::SPENT);
        test(
            !spent,
            &["D3", "D78", "GQ5"],
            "was tried in vain, and once more by hand is all there is",
        )?;
        let facts = self.facts();
        if kind == AbilityKind::Instant {
            let on = facts.flag(seat, RuleFlag::AbInstantAct);
            test(on, &["G97", "G253"], "is instant, and an effect forbids those")?;
            test(
                slot.marks.has(Marks::FRESH),
                &["G97"],
                "is instant and not fresh any more",
            )?;
            let tried = self.instant_may_be_tried(card);
            test(tried, &["G100", "GQ5"], "is instant and had its try")?;
        } else {
            let on = facts.flag(seat, RuleFlag::AbTriggerAct);
            test(
                on,
                &["G98", "G253"],
                "is a trigger ability, and an effect forbids those",
            )?;
            let fresh = slot.marks.has(Marks::FRESH) && !facts.flag(seat, RuleFlag::AbTriggerFresh);
            test(!fresh, &["G98", "G95"], "is fresh")?;
            test(!slot.marks.has(Marks::FROZEN), &["G98"], "is frozen")?;
            test(!slot.marks.has(Marks::ATTACKING), &["G98"], "attacks")?;
        }
        let satisfiable = self.looks_satisfiable(card, seat);
        test(
            satisfiable,
            &["D17", "G105"],
            "lacks a requisite, a target or the means to pay its cost",
        )
    }

    /// G130.1 to G130.7, and G133.1 to G133.4 with them.
    fn tests_of_attacker(&mut self, card: CardId, joining: bool) -> Tests {
        let facts = self.facts();
        let seat = facts.controller(card);
        let now = self.has_turn_in(seat, Phase::Attack);
        test(now, &["G130.1"], "attacks only in its controller's Attack phase")?;
        let facts = self.facts();
        let Some(slot) = facts.s.slot(card).copied() else {
            return Err(by(&["G130.2", "G133.1"], "is not in the ring"));
        };
        let rule = facts.flag(seat, RuleFlag::Attack);
        test(
            rule,
            &["G130.3", "G133.2", "G253"],
            "cannot attack: a rule forbids all attacks",
        )?;
        let barred = !joining && facts.has_keyword(Object::card(card), Keyword::CantAttack);
        test(!barred, &["G130.4", "G258"], "has “cantattack”")?;
        let hook = self.hook_allows(EventName::BeforeAttack, Some(card), Some(card), seat);
        test(hook, &["G130.4", "G133.4"], "cannot attack: an effect forbids it")?;
        let attacking = slot.marks.has(Marks::ATTACKING);
        test(!attacking, &["G130.5", "G133.5"], "attacks already")?;
        let fresh = slot.marks.has(Marks::FRESH);
        test(!fresh, &["G130.6", "G133.3", "G95"], "is fresh")?;
        let frozen = slot.marks.has(Marks::FROZEN);
        test(!frozen, &["G130.7", "GQ12", "G133"], "is frozen")
    }

    fn tests_of_attack(&mut self, card: CardId) -> Tests {
        self.tests_of_attacker(card, false)
    }

    fn tests_of_joining(&mut self, card: CardId, lead: Option<CardId>) -> Tests {
        self.tests_of_attacker(card, true)?;
        let facts = self.facts();
        let anyone = facts.leads().any(|lead| lead != card);
        test(anyone, &["G132", "G133.6"], "finds no attack to join")?;
        if let Some(lead) = lead {
            let united = &facts.s.united;
            let fits = united.is_empty() || united.contains(&lead);
            test(fits, &["G133.7"], "can join only the United Attack that there is")?;
            test(
                facts.attacks(lead),
                &["G133.6"],
                "finds that nobody attacks there",
            )?;
        }
        let members = self.s.united.len();
        let limit = usize::from(self.game.constants.united_followers);
        test(members <= limit, &["G133.8"], "is one follower too many")?;
        let payable = self.can_pay_united(members.max(1) as u8);
        test(
            payable,
            &["G133.9"],
            "would make the United Attack cost more SP than there are",
        )
    }

    fn tests_of_block(&mut self, card: CardId, attacker: Option<CardId>) -> Tests {
        let seat = self.facts().controller(card);
        let now = seat != self.s.active && self.s.phase == Phase::CounterAttack;
        test(
            now,
            &["G144.1"],
            "blocks only in the opponent's Counter-attack phase",
        )?;
        let facts = self.facts();
        test(facts.in_ring(card), &["G144.2"], "is not in the ring")?;
        test(!facts.is_frozen(card), &["G144.3"], "is frozen")?;
        let barred = facts.has_keyword(Object::card(card), Keyword::CantBlock);
        test(!barred, &["G144.4", "G258"], "has “cantblock”")?;
        let hook = self.hook_allows(EventName::BeforeBlock, Some(card), Some(card), seat);
        test(hook, &["G144.4"], "cannot block: an effect forbids it")?;
        let blocks = self.s.marked(card, Marks::BLOCK);
        test(!blocks, &["G144.5"], "blocks already")?;
        if let Some(attacker) = attacker {
            return self.tests_of_blocked(attacker, card, seat);
        }
        let attackers: Vec<CardId> = self.facts().leads().collect();
        let mut refused = by(&["G144.6"], "finds no attacker that could be blocked");
        for attacker in attackers {
            match self.tests_of_blocked(attacker, card, seat) {
                Ok(()) => return Ok(()),
                Err(refusal) => refused = refusal,
            }
        }
        Err(refused)
    }

    pub(crate) fn tests_of_blocked(&mut self, attacker: CardId, card: CardId, seat: Seat) -> Tests {
        let leads = self.s.marked(attacker, Marks::ATTACK);
        test(
            leads,
            &["G144.6", "G138"],
            "can only block solo attackers and the lead of a United Attack",
        )?;
        let free = self.s.blocker_of(attacker).is_none();
        test(free, &["G144.7", "G146"], "finds the attacker blocked already")?;
        let facts = self.facts();
        let unblockable = facts.has_keyword(Object::card(attacker), Keyword::Unblockable);
        test(
            !unblockable,
            &["G144.8", "G258"],
            "finds the attacker unblockable",
        )?;
        let hook = self.can_block_hook(attacker, card, seat);
        test(
            hook,
            &["G144.8"],
            "cannot block this attacker: an effect forbids it",
        )
    }
}

/// The tests of [`Machine::tests_of_host`] in their order.
const HOST_TESTS: [&str; 5] = ["G125.3", "G125.4", "G125.5", "G125.6", "G125.8"];
