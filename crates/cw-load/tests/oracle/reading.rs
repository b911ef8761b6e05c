//! A second reading of the rules of costs, attacks and combat: slow, obvious, and written from the
//! specification alone. It knows a table as people see it and nothing of the engine's inside.

use cw_duel::{
    CardId, CardModel, ChangedThing, CharacterSnapshot, CostChange, Duel, DuelObject, Game, PerSeat, Phase,
    Seat, Snapshot,
};
use cw_program::{CardType, CostKind, Keyword, ModelId, RuleFlag, SubtypeId};

/// A duel as it lies on the table, hands open.
pub struct Table<'a> {
    game: &'a Game,
    duel: &'a Duel,
    truth: Snapshot,
}

/// What combat does, step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    Freezes(CardId),
    Bp(CardId, i32, i32),
    Hp(Seat, i32, i32),
    Falls(CardId),
    Wins(Seat),
}

impl<'a> Table<'a> {
    pub fn new(duel: &'a Duel) -> Table<'a> {
        Table {
            game: duel.game(),
            duel,
            truth: duel.snapshot(),
        }
    }

    pub fn active(&self) -> Seat {
        self.truth.active
    }

    fn model(&self, card: CardId) -> &'a CardModel {
        let model = self.duel.true_model(card).expect("a card of this duel");
        self.game.model(model)
    }

    /// Characters in the ring, in slot order.
    fn ring(&self, seat: Seat) -> Vec<&CharacterSnapshot> {
        self.truth.players[seat].ring.iter().flatten().collect()
    }

    fn find(&self, card: CardId) -> Option<(Seat, &CharacterSnapshot)> {
        Seat::BOTH.into_iter().find_map(|seat| {
            let found = self.ring(seat).into_iter().find(|one| one.card == card)?;
            Some((seat, found))
        })
    }

    fn has(one: &CharacterSnapshot, keyword: Keyword) -> bool {
        one.keywords.contains(&keyword)
    }

    /// The values of a flag for a player: the own entries, else those for everybody (G249, D25).
    fn entries(&self, seat: Seat, flag: RuleFlag) -> Vec<i32> {
        let of = |subject: Option<DuelObject>| -> Vec<i32> {
            let mut values = Vec::new();
            for change in &self.truth.changes {
                if change.subject == subject
                    && let ChangedThing::Rule(which, value) = change.what
                    && which == flag
                {
                    values.push(value);
                }
            }
            values
        };
        let own = of(Some(DuelObject::player(seat)));
        if own.is_empty() { of(None) } else { own }
    }

    /// Says whether a rule flag is true for a player (G249, G252, G253).
    pub fn flag(&self, seat: Seat, flag: RuleFlag) -> bool {
        let entries = self.entries(seat, flag);
        if !entries.is_empty() {
            return !entries.contains(&0);
        }
        !matches!(
            flag,
            RuleFlag::AbTriggerFresh
                | RuleFlag::BackupFresh
                | RuleFlag::PlayRemoved
                | RuleFlag::PlayCharBpLimit
        )
    }

    /// G79–G82: what playing or uniting adds to SP.
    pub fn amount(&self, kind: CostKind, printed: i32, is_card: bool) -> i32 {
        let mut initial = printed;
        let mut new = printed;
        let mut delta = 0;
        for change in &self.truth.changes {
            match change.what {
                ChangedThing::Cost(which, CostChange::Set(value)) if which == kind => {
                    initial = value;
                    new = value;
                }
                ChangedThing::Cost(which, CostChange::Add(value)) if which == kind => delta += value,
                _ => {}
            }
        }
        if delta != 0 {
            new += delta;
            if is_card && new >= 0 {
                new = if initial > -1 { initial } else { -1 };
            }
        }
        new
    }

    fn can_pay(&self, seat: Seat, amount: i32) -> bool {
        // G76: what is 0 or more is gained.
        amount >= 0 || self.truth.players[seat].sp + amount >= 0
    }

    /// The amount of a card (G79).
    pub fn card_amount(&self, card: CardId) -> i32 {
        let model = self.model(card);
        let kind = match model.card_type {
            Some(CardType::Character) => CostKind::Character,
            Some(CardType::Action) => CostKind::Action,
            _ => CostKind::Reaction,
        };
        self.amount(kind, model.sp, true)
    }

    /// Cards that may be played from: the hand, and the removed pile while the rule says so (G64, G254).
    fn playable_piles(&self, seat: Seat) -> Vec<CardId> {
        let player = &self.truth.players[seat];
        let mut cards = player.hand.clone();
        if self.flag(seat, RuleFlag::PlayRemoved) {
            cards.extend(&player.removed);
        }
        cards
    }

    /// G65, G70 in the Main phase, G72 in the Counter-attack phase: what may be played, by model.
    pub fn plays(&self, seat: Seat) -> Vec<ModelId> {
        let player = &self.truth.players[seat];
        let cards = self.playable_piles(seat);
        let may = |card: &CardId| {
            let model = self.model(*card);
            let payable = self.can_pay(seat, self.card_amount(*card));
            match (self.truth.phase, model.card_type) {
                (Phase::Main, Some(CardType::Character)) => {
                    let limit = self.entries(seat, RuleFlag::PlayCharBpLimit).into_iter().min();
                    let room = self.ring(seat).len() < usize::from(self.game.constants.ring_slots);
                    payable
                        && room
                        && player.characters_played < player.characters_per_turn
                        && limit.is_none_or(|limit| model.bp < limit)
                }
                (Phase::Main, Some(CardType::Action)) => {
                    payable && !player.keywords.contains(&Keyword::CantPlayAc)
                }
                (Phase::CounterAttack, Some(CardType::Reaction)) => {
                    payable && !player.keywords.contains(&Keyword::CantPlayRe)
                }
                _ => false,
            }
        };
        self.models(cards.into_iter().filter(may))
    }

    fn models(&self, cards: impl Iterator<Item = CardId>) -> Vec<ModelId> {
        let mut models: Vec<ModelId> = cards.filter_map(|card| self.duel.true_model(card)).collect();
        models.sort();
        models.dedup();
        models
    }

    /// G125: whom the card may back up.
    pub fn hosts(&self, seat: Seat, card: CardId) -> Vec<CardId> {
        let model = self.model(card);
        let Some(subtype) = model.subtype.filter(|_| model.is_character()) else {
            return Vec::new();
        };
        let mut hosts = Vec::new();
        for one in self.ring(seat) {
            let icons = self.model(one.card).backups.iter();
            let icons = icons.filter(|icon| **icon == subtype).count();
            let attached = one.backups.iter();
            let attached = attached
                .filter(|card| self.subtype(**card) == Some(subtype))
                .count();
            let fresh_is_fine = !one.fresh || self.flag(seat, RuleFlag::BackupFresh);
            let limit_is_fine = self.truth.players[seat].backups_played
                < self.game.constants.backups_per_turn
                || !self.flag(seat, RuleFlag::BackupLimit)
                || Self::has(one, Keyword::UnlimitedBackup);
            if !one.frozen && fresh_is_fine && limit_is_fine && icons > attached {
                hosts.push(one.card);
            }
        }
        hosts
    }

    fn subtype(&self, card: CardId) -> Option<SubtypeId> {
        self.model(card).subtype
    }

    /// Models of which a card may be a back-up now.
    pub fn back_ups(&self, seat: Seat) -> Vec<ModelId> {
        let cards = self.playable_piles(seat);
        self.models(
            cards
                .into_iter()
                .filter(|card| !self.hosts(seat, *card).is_empty()),
        )
    }

    fn attacks(one: &CharacterSnapshot) -> bool {
        one.attacks || one.follows
    }

    /// G130: who may declare a solo attack.
    pub fn attackers(&self) -> Vec<CardId> {
        let seat = self.active();
        let mut found = Vec::new();
        for one in self.ring(seat) {
            let refused = !self.flag(seat, RuleFlag::Attack)
                || Self::has(one, Keyword::CantAttack)
                || one.fresh
                || one.frozen
                || Self::attacks(one);
            if !refused {
                found.push(one.card);
            }
        }
        found
    }

    /// What a United Attack with so many members adds to SP (G133.9, G137).
    pub fn united_amount(&self, members: usize) -> i32 {
        let followers = members as i32 - 1;
        let kind = if followers == 1 {
            CostKind::Ua2
        } else {
            CostKind::Ua3
        };
        self.amount(kind, self.game.constants.united_sp * followers, false)
    }

    fn united_is_payable(&self, members: usize) -> bool {
        self.truth.players[self.active()].sp + self.united_amount(members) >= 0
    }

    /// G133: who may join, and whom.
    pub fn joiners(&self) -> Vec<(CardId, Vec<CardId>)> {
        let seat = self.active();
        let united = &self.truth.united;
        let solo: Vec<CardId> = self
            .ring(seat)
            .into_iter()
            .filter(|one| one.attacks)
            .map(|one| one.card)
            .collect();
        let whom = if united.is_empty() { solo } else { vec![united[0]] };
        let members = if united.is_empty() { 2 } else { united.len() + 1 };
        let mut found = Vec::new();
        for one in self.ring(seat) {
            let refused = whom.is_empty()
                || !self.flag(seat, RuleFlag::Attack)
                || one.fresh
                || one.frozen
                || Self::attacks(one)
                || members > usize::from(self.game.constants.united_followers) + 1
                || !self.united_is_payable(members);
            if !refused {
                found.push((one.card, whom.clone()));
            }
        }
        found
    }

    /// G136: whose attack may be cancelled.
    pub fn cancellable(&self) -> Vec<CardId> {
        let ring = self.ring(self.active()).into_iter();
        ring.filter(|one| Self::attacks(one))
            .map(|one| one.card)
            .collect()
    }

    /// GQ14: the Attack phase cannot be left while the United Attack cannot be paid.
    pub fn may_end_attacks(&self) -> bool {
        let members = self.truth.united.len();
        members == 0 || self.united_is_payable(members)
    }

    /// G140, G141: the attack after one of its characters was taken out: solo attackers and leads, and
    /// the United Attack.
    pub fn after_cancelling(&self, card: CardId) -> (Vec<CardId>, Vec<CardId>) {
        let seat = self.active();
        let mut leads: Vec<CardId> = Vec::new();
        for one in self.ring(seat) {
            if one.attacks && one.card != card {
                leads.push(one.card);
            }
        }
        leads.sort();
        let mut united = self.truth.united.clone();
        let Some(at) = united.iter().position(|member| *member == card) else {
            return (leads, united);
        };
        united.remove(at);
        if at == 0 || united.len() == 1 {
            for member in std::mem::take(&mut united) {
                let (_, one) = self.find(member).expect("members stand in the ring");
                leads.retain(|lead| *lead != member);
                let may = self.flag(seat, RuleFlag::Attack)
                    && !Self::has(one, Keyword::CantAttack)
                    && !one.fresh
                    && !one.frozen;
                if may {
                    leads.push(member);
                }
            }
        }
        leads.sort();
        (leads, united)
    }

    /// Who attacks alone or leads, and the United Attack, now.
    pub fn standing(&self) -> (Vec<CardId>, Vec<CardId>) {
        let ring = self.ring(self.active()).into_iter();
        let mut leads: Vec<CardId> = ring.filter(|one| one.attacks).map(|one| one.card).collect();
        leads.sort();
        (leads, self.truth.united.clone())
    }

    /// G144: who may counter-attack whom.
    pub fn blockers(&self) -> Vec<(CardId, Vec<CardId>)> {
        let defender = self.active().other();
        let mut found = Vec::new();
        for one in self.ring(defender) {
            if one.frozen || Self::has(one, Keyword::CantBlock) || one.blocks {
                continue;
            }
            let mut whom = Vec::new();
            for attacker in self.ring(self.active()) {
                let blocked = self.truth.blocks.iter().any(|(a, _)| *a == attacker.card);
                if attacker.attacks && !blocked && !Self::has(attacker, Keyword::Unblockable) {
                    whom.push(attacker.card);
                }
            }
            if !whom.is_empty() {
                found.push((one.card, whom));
            }
        }
        found
    }

    /// G144.5: whose block may be cancelled.
    pub fn blocking(&self) -> Vec<CardId> {
        let ring = self.ring(self.active().other()).into_iter();
        ring.filter(|one| one.blocks).map(|one| one.card).collect()
    }

    /// G58.1–G58.3, G149–G158, D2: the End phase up to the KOs after combat.
    pub fn combat(&self) -> Vec<Blow> {
        let me = self.active();
        let mut fight = Fight {
            bp: PerSeat::from_fn(|seat| self.ring(seat).iter().map(|one| (one.card, one.bp)).collect()),
            hp: self.truth.players[me.other()].hp,
            blows: Vec::new(),
        };
        // Attackers freeze before combat (G58.2).
        if self.flag(me, RuleFlag::AttackFreeze) {
            for one in self.ring(me) {
                if Self::attacks(one) && !one.unfreezable && !one.frozen {
                    fight.blows.push(Blow::Freezes(one.card));
                }
            }
        }
        // G157: attackers and blockers deal nothing while the rule is off.
        let deals = self.flag(me, RuleFlag::DmgCombatDeal);
        for one in self.ring(me) {
            if !one.attacks {
                continue;
            }
            let followers: Vec<CardId> = match self.truth.united.first() {
                Some(lead) if *lead == one.card => self.truth.united[1..].to_vec(),
                _ => Vec::new(),
            };
            // The BP of lead and followers are read once, before the fight (G150).
            let lead = fight.bp_of(me, one.card);
            let extra: i32 = followers.iter().map(|card| fight.bp_of(me, *card)).sum();
            let blocker = self.truth.blocks.iter().find(|(a, _)| *a == one.card);
            let Some((_, blocker)) = blocker else {
                if deals && fight.hit_player(me, lead + extra) {
                    return fight.blows;
                }
                continue;
            };
            let b = fight.bp_of(me.other(), *blocker);
            if !deals {
                continue;
            }
            fight.hit(me.other(), *blocker, lead + extra);
            fight.hit(me, one.card, b);
            // What the lead does not take of the blocker's BP goes on to the followers (G151.7).
            if !followers.is_empty() && b > lead {
                let mut rest = b - lead;
                for follower in &followers {
                    let before = fight.bp_of(me, *follower);
                    fight.hit(me, *follower, rest);
                    rest -= before;
                    if rest <= 0 {
                        break;
                    }
                }
            }
            // What the blocker does not take of the attack's BP may pierce (G151.8).
            let p = lead + extra - b;
            let (_, other) = self.find(*blocker).expect("the blocker stands in the ring");
            let united = !followers.is_empty() && !Self::has(other, Keyword::PreventPierce);
            let pierces = one.pierces || Self::has(one, Keyword::Pierce);
            if self.flag(me, RuleFlag::Piercing) && p > 0 && (united || pierces) && fight.hit_player(me, p) {
                return fight.blows;
            }
        }
        // D2: the active player's characters first.
        for seat in [me, me.other()] {
            for (card, bp) in fight.bp[seat].clone() {
                if bp == 0 {
                    fight.blows.push(Blow::Falls(card));
                }
            }
        }
        fight.blows
    }
}

struct Fight {
    bp: PerSeat<Vec<(CardId, i32)>>,
    /// The defender's.
    hp: i32,
    blows: Vec<Blow>,
}

impl Fight {
    fn bp_of(&self, seat: Seat, card: CardId) -> i32 {
        let found = self.bp[seat].iter().find(|(one, _)| *one == card);
        found.map_or(0, |(_, bp)| *bp)
    }

    /// Takes damage from a character's BP, down to 0 (G159).
    fn hit(&mut self, seat: Seat, card: CardId, amount: i32) {
        for (one, bp) in &mut self.bp[seat] {
            if *one == card {
                let from = *bp;
                *bp = (from - amount).max(0);
                if *bp != from {
                    self.blows.push(Blow::Bp(card, from, *bp));
                }
            }
        }
    }

    /// G160; whether that was the end (D8).
    fn hit_player(&mut self, attacker: Seat, amount: i32) -> bool {
        let from = self.hp;
        self.hp = (from - amount).max(0);
        if self.hp != from {
            self.blows.push(Blow::Hp(attacker.other(), from, self.hp));
        }
        if self.hp == 0 {
            self.blows.push(Blow::Wins(attacker));
        }
        self.hp == 0
    }
}
