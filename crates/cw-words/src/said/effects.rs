//! Effects as clauses: somebody, and what they do.

use cw_program::{
    ActsOn, Command, CountRange, EffectJoiner, Keyword, PileName, RuleBranch, RuleEffect, RuleEffectKind,
    Target, TargetClause, TargetQuantity, Zone, ZonePlace, ZoneSide,
};

use super::phrases::{NounNumber, NounPhrase, joined};
use super::teller::{NamedCards, NoWords, ReadPlayer, RuleTeller, Worded};

/// Somebody and what they do.
#[derive(Clone, Debug)]
pub(super) struct ClauseWords {
    /// `for each card in your hand, `.
    pub(super) before: String,
    pub(super) subject: NounPhrase,
    pub(super) predicate: String,
    /// How it hangs on the one before it.
    pub(super) joiner: EffectJoiner,
}

/// What the effects of a statement act on.
#[derive(Debug)]
pub(super) struct ActedOn {
    pub(super) named: Option<NamedCards>,
    /// Named already: the next time it is called "that character".
    pub(super) is_said: bool,
}

impl ActedOn {
    /// All of it.
    pub(super) fn noun(&mut self) -> Option<NounPhrase> {
        let named = self.named.as_ref()?;
        if std::mem::replace(&mut self.is_said, true) {
            return Some(named.again());
        }
        Some(match &named.parts[..] {
            [one] => one.clone(),
            parts => {
                let texts: Vec<String> = parts.iter().map(|part| part.text.clone()).collect();
                NounPhrase::many(joined(&texts, "and"))
            }
        })
    }
}

impl RuleTeller<'_> {
    /// The effects of a branch, in order. `is_gone`: the card has paid with itself.
    pub(super) fn effects(
        &mut self,
        branch: &RuleBranch,
        acted: &mut ActedOn,
        is_gone: bool,
    ) -> Worded<Vec<ClauseWords>> {
        let optional = branch.to.as_ref().is_some_and(|clause| clause.optional);
        let mut out: Vec<ClauseWords> = Vec::new();
        let mut can_fail = false;
        let mut is_optional = false;
        for effect in &branch.effects {
            // What is declined counts as done (R605): "if that was done" would say the contrary.
            if can_fail && is_optional && effect.joiner != EffectJoiner::Then {
                return Err(NoWords(
                    "what follows from something that may be declined".to_owned(),
                ));
            }
            is_optional = effect.optional;
            let joiner = match (effect.joiner, can_fail) {
                (EffectJoiner::OrElse, false) if !out.is_empty() => continue, // nothing before it can fail
                (EffectJoiner::AndThen, false) => EffectJoiner::Then,
                (joiner, _) => joiner,
            };
            can_fail = match &effect.kind {
                RuleEffectKind::Command(command) => command.name().signature().can_fail,
                RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => false,
            };
            let is_timed = match &effect.kind {
                RuleEffectKind::Command(command) => command.name().signature().timed,
                RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => true,
            };
            if optional && self.falls_back(effect) {
                return Err(NoWords(
                    "what happens to the card itself if nothing is found".to_owned(),
                ));
            }
            // In arguments `tgt` is what the statement acts on (R1104).
            self.argument.clone_from(&acted.named);
            let clause = self.effect(effect, acted);
            self.argument = None;
            let mut clause = clause?;
            clause.joiner = joiner;
            if is_timed {
                match branch.restriction {
                    Some(restriction) => clause.predicate += &format!(" {}", self.until(restriction)),
                    None => clause.predicate += &self.untimed(effect, &clause.subject, is_gone),
                }
            }
            out.push(clause);
        }
        // The same time is said once, behind the last of them.
        if let Some(restriction) = branch.restriction {
            let until = format!(" {}", self.until(restriction));
            let all_have = out.iter().all(|clause| clause.predicate.ends_with(&until));
            let last = out.len().saturating_sub(1);
            for clause in out.iter_mut().take(last).filter(|_| all_have) {
                clause.predicate.truncate(clause.predicate.len() - until.len());
            }
        }
        Ok(out)
    }

    /// Whether an effect takes the card itself where its clause has found nothing.
    fn falls_back(&self, effect: &RuleEffect) -> bool {
        match &effect.kind {
            RuleEffectKind::Command(command) => command.name().signature().acts_on == ActsOn::CardsOrSource,
            RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => false,
        }
    }

    fn untimed(&self, effect: &RuleEffect, subject: &NounPhrase, is_gone: bool) -> String {
        match &effect.kind {
            RuleEffectKind::Command(
                Command::AlterCost(..)
                | Command::EnableRule(_)
                | Command::DisableRule(_)
                | Command::ModRule(..),
            ) => format!(" {}", self.for_good(is_gone)),
            RuleEffectKind::Grant(Keyword::Rush) => String::new(),
            RuleEffectKind::Grant(_) if *subject != self.this() && self.card.is_character() && !is_gone => {
                " while this character is in the ring".to_owned()
            }
            RuleEffectKind::Command(_) | RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => {
                String::new()
            }
        }
    }

    /// One effect.
    pub(super) fn effect(&mut self, effect: &RuleEffect, acted: &mut ActedOn) -> Worded<ClauseWords> {
        let mut clause = match &effect.kind {
            RuleEffectKind::Grant(keyword) => {
                let subject = self.holders(*keyword, acted)?;
                let predicate = self.granted(*keyword, &subject);
                does(subject, predicate)
            }
            RuleEffectKind::Remove(keyword) => {
                let subject = self.holders(*keyword, acted)?;
                let predicate = self.taken(*keyword, &subject);
                does(subject, predicate)
            }
            RuleEffectKind::Command(command) => self.command(command, acted)?,
        };
        if effect.optional {
            let me = self.player(self.me);
            if clause.subject.number == NounNumber::You && self.me == ReadPlayer::You {
                clause.predicate = format!("may {}", clause.predicate);
                clause.subject.number = NounNumber::Many; // said, since `may` wants it
            } else {
                clause.before = format!("if {} {}, {}", me.text, me.verb("likes", "like"), clause.before);
            }
        }
        Ok(clause)
    }

    /// Who receives or loses a keyword.
    fn holders(&mut self, keyword: Keyword, acted: &mut ActedOn) -> Worded<NounPhrase> {
        match keyword {
            Keyword::CantPlayAc | Keyword::CantPlayRe => self.players(acted),
            _ => self.acted_cards(acted),
        }
    }

    pub(super) fn acted_cards(&mut self, acted: &mut ActedOn) -> Worded<NounPhrase> {
        if acted.named.as_ref().is_some_and(|named| !named.is_cards) {
            return Err(NoWords("an effect on cards that is for a player".to_owned()));
        }
        Ok(acted.noun().unwrap_or_else(|| self.this()))
    }

    pub(super) fn players(&mut self, acted: &mut ActedOn) -> Worded<NounPhrase> {
        match &acted.named {
            Some(named) if !named.is_cards => {
                let noun = acted.noun();
                noun.ok_or_else(|| NoWords("a player".to_owned()))
            }
            _ => Ok(self.player(ReadPlayer::You)),
        }
    }

    /// A request to whoever runs the rule.
    pub(super) fn agent(&self, one: &str, many: &str, rest: &str) -> ClauseWords {
        let me = self.player(self.me);
        let verb = me.verb(one, many);
        let predicate = format!("{verb} {rest}").trim_end().to_owned();
        does(me, predicate)
    }

    /// What is discarded, without "in your hand".
    pub(super) fn hand_cards(&mut self, which: &Target) -> Worded<String> {
        let mut in_hand = which.clone();
        in_hand.zone = Zone {
            side: ZoneSide::Mine,
            place: ZonePlace::Pile(PileName::Hand),
        };
        if in_hand.quantity == TargetQuantity::Between(CountRange { min: 0, max: 0 }) {
            return Err(NoWords("no cards at all".to_owned()));
        }
        let noun = self.target(&in_hand)?.text;
        let hand = format!(" in {} hand", self.player(self.me).whose());
        Ok(noun.replace(&hand, ""))
    }

    /// What a statement acts on, and what `prevTgt` is inside of it (R1102).
    pub(super) fn acted_on(&mut self, clause: Option<&TargetClause>, is_auto: bool) -> Worded<ActedOn> {
        let this = NamedCards {
            parts: vec![self.this()],
            is_cards: true,
        };
        let Some(clause) = clause else {
            return Ok(ActedOn {
                named: self.main.clone(),
                is_said: false,
            });
        };
        let named = self.clause(clause)?;
        if self.main.is_some() || is_auto {
            self.last = Some(self.main.clone().unwrap_or(this));
        }
        Ok(ActedOn {
            named: Some(named),
            is_said: false,
        })
    }
}

pub(super) fn does(subject: NounPhrase, predicate: impl Into<String>) -> ClauseWords {
    ClauseWords {
        before: String::new(),
        subject,
        predicate: predicate.into(),
        joiner: EffectJoiner::Then,
    }
}

/// A clause whose subject is part of it.
pub(super) fn bare(text: impl Into<String>) -> ClauseWords {
    does(NounPhrase::one(""), text)
}
