//! What keywords, rules of the game, costs and restrictions say of somebody.

use cw_program::{CostAmount, CostKind, Keyword, Restriction, RestrictionEnd, RuleFlag, RuleValue};

use super::phrases::{NounNumber, NounPhrase};
use super::style::StyleSlot;
use super::teller::{NoWords, ReadTurn, RuleTeller, Worded};

impl RuleTeller<'_> {
    /// What somebody with a keyword does or cannot do.
    pub(super) fn keyword(&self, keyword: Keyword, of: &NounPhrase) -> String {
        let (one, many) = match keyword {
            Keyword::Unblockable => ("cannot be countered", "cannot be countered"),
            Keyword::CantAttack => (
                "cannot attack alone or lead a United Attack",
                "cannot attack alone or lead a United Attack",
            ),
            Keyword::CantBlock => ("cannot counter", "cannot counter"),
            Keyword::UnlimitedBackup => (
                "can be backed up any number of times a turn",
                "can be backed up any number of times a turn",
            ),
            Keyword::Unfreezable => (
                "does not freeze after attacking alone",
                "do not freeze after attacking alone",
            ),
            Keyword::Pierce => (
                "deals damage beyond the BP of the character that counters it to the player",
                "deal damage beyond the BP of the characters that counter them to the player",
            ),
            Keyword::PreventPierce => (
                "lets no piercing damage of a United Attack through",
                "let no piercing damage of a United Attack through",
            ),
            Keyword::Rush => ("is not fresh when played", "are not fresh when played"),
            Keyword::Frosted => (
                "does not unfreeze in its player's Activate phase",
                "do not unfreeze in their players' Activate phases",
            ),
            Keyword::CantPlayAc => ("cannot play actions", "cannot play actions"),
            Keyword::CantPlayRe => ("cannot play reactions", "cannot play reactions"),
        };
        of.verb(one, many).to_owned()
    }

    /// What somebody does who receives a keyword by an effect: who gains `rush` later stops being fresh.
    pub(super) fn granted(&self, keyword: Keyword, to: &NounPhrase) -> String {
        match keyword {
            Keyword::Rush => to
                .verb("is not fresh any more", "are not fresh any more")
                .to_owned(),
            _ => self.keyword(keyword, to),
        }
    }

    pub(super) fn taken(&self, keyword: Keyword, from: &NounPhrase) -> String {
        let what = self.keyword(keyword, from);
        let loses = from.verb("loses", "lose");
        let it = from.verb("it", "they");
        format!("{loses} the ability that {it} {what}")
    }

    /// A rule of the game that changes; a player among the targets narrows it.
    pub(super) fn flag(&self, flag: RuleFlag, value: RuleValue, who: Option<&NounPhrase>) -> Worded<String> {
        let whose = match who {
            None => String::new(),
            Some(who) if who.text == "each player" => String::new(),
            Some(who) => format!("{} ", who.whose()),
        };
        let is_on = match value {
            RuleValue::Bool(is_on) => is_on,
            RuleValue::Limit(limit) if flag == RuleFlag::PlayCharBpLimit => {
                return Ok(format!(
                    "{whose}characters with a printed BP of {limit} or more cannot be played"
                ));
            }
            RuleValue::Limit(_) => return Err(NoWords("a limit of a rule that has none".to_owned())),
        };
        let (on, off) = match flag {
            RuleFlag::AbTriggerFresh => (
                "fresh characters may use trigger abilities",
                "fresh characters may not use trigger abilities",
            ),
            RuleFlag::AbTriggerAct => (
                "trigger abilities may be used",
                "trigger abilities may not be used",
            ),
            RuleFlag::AbInstantAct => ("instant abilities work", "instant abilities do not work"),
            RuleFlag::Piercing => (
                "United Attacks deal piercing damage",
                "United Attacks deal no piercing damage",
            ),
            RuleFlag::BackupFresh => (
                "fresh characters may be backed up",
                "fresh characters may not be backed up",
            ),
            RuleFlag::BackupLimit => (
                "characters may be backed up only as often a turn as usual",
                "characters may be backed up any number of times a turn",
            ),
            RuleFlag::PlayCharBpLimit => return Err(NoWords("a limit without a number".to_owned())),
            RuleFlag::DmgCombatDeal => (
                "characters that attack or counter deal damage",
                "characters that attack or counter deal no damage",
            ),
            RuleFlag::AttackFreeze => (
                "attackers freeze in the End phase",
                "attackers do not freeze in the End phase",
            ),
            RuleFlag::Attack => ("characters may attack", "characters may not attack"),
            RuleFlag::PlayRemoved => {
                let player = match who {
                    Some(who) if who.text != "each player" => who.clone(),
                    _ => NounPhrase::many("both players"),
                };
                let piles = match player.number {
                    NounNumber::Many => "their removed piles".to_owned(),
                    _ => format!("{} removed pile", player.whose()),
                };
                let may = if is_on { "may" } else { "may not" };
                return Ok(format!("{} {may} play cards from {piles}", player.text));
            }
        };
        Ok(format!("{whose}{}", if is_on { on } else { off }))
    }

    /// What a kind of card costs from now on.
    pub(super) fn cost(&self, kind: CostKind, amount: CostAmount, whose: &str) -> Worded<String> {
        let what = match kind {
            CostKind::Character => "characters",
            CostKind::Action => "actions",
            CostKind::Reaction => "reactions",
            CostKind::Ua2 => "United Attacks of two",
            CostKind::Ua3 => "United Attacks of three",
        };
        let is_card = !matches!(kind, CostKind::Ua2 | CostKind::Ua3);
        let least = if is_card { ", but at least 1," } else { "" };
        Ok(match amount {
            CostAmount::Add(0) => return Err(NoWords("a cost that does not change".to_owned())),
            CostAmount::Add(number @ 1..) => format!("{whose}{what} cost {number} SP less{least}"),
            CostAmount::Add(number) => format!("{whose}{what} cost {} SP more", -number),
            CostAmount::Set(number @ ..=-1) => format!("{whose}{what} cost {} SP", -number),
            CostAmount::Set(0) => format!("{whose}{what} cost nothing"),
            // G80, G86: a cost of more than 0 is gained.
            CostAmount::Set(number) => format!("{whose}{what} give {number} SP"),
        })
    }

    /// Until when something lasts.
    pub(super) fn until(&self, restriction: Restriction) -> String {
        let opponent = self.style.word(StyleSlot::Opponent);
        let this_turn = self.style.word(StyleSlot::EndOfTurn).to_owned();
        match (restriction.until, restriction.opponent, self.turn) {
            (RestrictionEnd::EndOfTurn, false, ReadTurn::Yours)
            | (RestrictionEnd::EndOfTurn, true, ReadTurn::Opponents) => this_turn,
            (RestrictionEnd::EndOfTurn, false, ReadTurn::Opponents) => {
                "until the end of your next turn".to_owned()
            }
            (RestrictionEnd::EndOfTurn, false, ReadTurn::Either) => "until a turn of yours ends".to_owned(),
            (RestrictionEnd::EndOfTurn, true, ReadTurn::Yours) => {
                format!("until the end of {opponent}'s turn")
            }
            (RestrictionEnd::EndOfTurn, true, ReadTurn::Either) => format!("until a turn of {opponent} ends"),
            (RestrictionEnd::NextTurn, false, _) => "until your next Activate phase".to_owned(),
            (RestrictionEnd::NextTurn, true, _) => format!("until {opponent}'s next Activate phase"),
            (RestrictionEnd::NextAction, false, _) => {
                "until you play an action, and at most until the end of your turn".to_owned()
            }
            (RestrictionEnd::NextAction, true, _) => {
                format!("until {opponent} plays an action, and at most until the end of {opponent}'s turn")
            }
        }
    }

    /// How long a change of a rule or a cost lasts that nothing ends.
    pub(super) fn for_good(&self, is_gone: bool) -> &'static str {
        match self.card.is_character() && !is_gone {
            true => "while this character is in the ring",
            false => "for the rest of the duel",
        }
    }
}
