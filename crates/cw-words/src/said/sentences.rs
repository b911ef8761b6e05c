//! Statements as sentences.

use cw_program::{
    EffectJoiner, FilterComparison, FilterTest, RuleBranch, RuleCost, RuleStatement, StatementKind, Target,
    TargetKind, TargetType,
};

use super::effects::{ActedOn, ClauseWords};
use super::phrases::{NounNumber, NounPhrase, joined, sentence, with_an};
use super::teller::{NamedCards, NoWords, ReadPlayer, RuleTeller, Worded};

/// What surrounds statements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StatementPlace {
    /// Of an auto: without a clause they act on the card itself.
    pub(super) is_auto: bool,
    /// On its events: what a false condition gave before, it takes away (R505).
    pub(super) is_heard: bool,
}

impl RuleTeller<'_> {
    /// All statements of an action or auto; `opening` stands before the first.
    pub(super) fn statements(
        &mut self,
        statements: &[RuleStatement],
        opening: &str,
        place: StatementPlace,
    ) -> Worded<String> {
        let mut out = String::new();
        let mut is_gone = false;
        let mut then = "";
        let last = statements.len().saturating_sub(1);
        for (number, statement) in statements.iter().enumerate() {
            self.is_late = number > 0;
            is_gone |= statement
                .costs
                .iter()
                .any(|cost| matches!(cost, RuleCost::SacrificeSelf));
            let mut text = then.to_owned();
            if number == 0 && !opening.is_empty() {
                text += &format!("{opening}, ");
            }
            if !statement.costs.is_empty() {
                text += &self.costs(&statement.costs)?;
                text += ": ";
            }
            if number == 0 {
                text += &self.choice()?;
            }
            let ends_all = number < last;
            match &statement.kind {
                StatementKind::Plain(branch) => {
                    let found = self.player_condition(branch);
                    let branch = match &found {
                        Some((condition, whole)) => {
                            if ends_all {
                                return Err(NoWords("what follows if a player is not found".to_owned()));
                            }
                            text += &format!("if {condition}, ");
                            whole
                        }
                        None => branch,
                    };
                    text += &self.branch(branch, place, is_gone)?;
                }
                StatementKind::May { body, .. } => {
                    text += &self.may(body, place, is_gone)?;
                    if ends_all {
                        then = "then, ";
                        text += ". If so, all of this happens, too";
                    }
                }
                StatementKind::If { arms, otherwise } => {
                    for (at, (test, branch)) in arms.iter().enumerate() {
                        let condition = self.condition(*test, true)?;
                        if branch.effects.is_empty() {
                            return Err(NoWords(format!("a condition without effects: {condition}")));
                        }
                        text += if at == 0 { "" } else { ". Otherwise, " };
                        // A first condition of an action that is false ends it (R504).
                        let is_for_all = number == 0
                            && ends_all
                            && !place.is_auto
                            && arms.len() == 1
                            && otherwise.is_none();
                        let all = if is_for_all { "all of this happens: " } else { "" };
                        then = if is_for_all { "then, " } else { then };
                        text += &format!("if {condition}, {all}{}", self.branch(branch, place, is_gone)?);
                    }
                    match otherwise {
                        Some(branch) if branch.effects.is_empty() => {}
                        Some(branch) => {
                            text += &format!(". Otherwise, {}", self.branch(branch, place, is_gone)?);
                        }
                        None if place.is_heard && gives(&arms[0].1) && arms.len() == 1 => {
                            text += ". If not, that ends";
                        }
                        // A first condition of an action that is false ends it (R504).
                        None => {}
                    }
                    if arms.len() > 1 || otherwise.is_some() {
                        self.last = None;
                    }
                }
            }
            if !out.is_empty() {
                out.push(' ');
            }
            out += &sentences(&text);
        }
        Ok(out)
    }

    /// The rule's own targets, chosen before anything else: where later words refer to them.
    fn choice(&mut self) -> Worded<String> {
        let Some(main) = &self.main else {
            return Ok(String::new());
        };
        let refers = self
            .rule
            .formulas
            .iter()
            .any(|formula| formula.text.to_lowercase().contains("tgt"));
        let optional = self.rule.target.as_ref().is_some_and(|clause| clause.optional);
        let is_plain = main.parts.len() == 1 && !refers && !optional;
        if is_plain || !main.is_cards {
            return Ok(String::new());
        }
        let texts: Vec<String> = main
            .parts
            .iter()
            .map(|part| {
                match (
                    optional,
                    part.text.strip_prefix("up to one of "),
                    part.text.strip_prefix("up to one "),
                ) {
                    (true, Some(rest), _) => format!("one of {rest}"),
                    (true, None, Some(rest)) => with_an(rest),
                    _ => part.text.clone(),
                }
            })
            .collect();
        let choose = match (self.me, optional) {
            (ReadPlayer::You, false) => "choose",
            (ReadPlayer::You, true) => "you may choose",
            _ => return Err(NoWords("a choice of somebody else".to_owned())),
        };
        let text = format!("{choose} {}. ", joined(&texts, "and"));
        self.now_said();
        Ok(text)
    }

    /// From here on the rule's own targets are "that character".
    fn now_said(&mut self) {
        if let Some(main) = &mut self.main
            && main.parts.len() == 1
        {
            main.parts = vec![main.again()];
        }
    }

    fn branch(&mut self, branch: &RuleBranch, place: StatementPlace, is_gone: bool) -> Worded<String> {
        let (text, acted) = self.clauses(branch, place, is_gone)?;
        let text = render(&text, None);
        self.after(branch, acted, place);
        Ok(text)
    }

    fn clauses(
        &mut self,
        branch: &RuleBranch,
        place: StatementPlace,
        is_gone: bool,
    ) -> Worded<(Vec<ClauseWords>, ActedOn)> {
        let mut acted = self.acted_on(branch.to.as_ref(), place.is_auto)?;
        let optional = branch.to.as_ref().is_some_and(|clause| clause.optional);
        let mut clauses = self.effects(branch, &mut acted, is_gone)?;
        if branch.to.is_some() && !acted.is_said && acted.named.as_ref().is_some_and(|named| named.is_cards) {
            return Err(NoWords("targets that nothing happens to".to_owned()));
        }
        if optional && let Some(first) = clauses.first_mut() {
            first.before = format!("where possible, {}", first.before);
        }
        Ok((clauses, acted))
    }

    /// What later statements call what this one acted on.
    fn after(&mut self, branch: &RuleBranch, acted: ActedOn, place: StatementPlace) {
        if branch.to.is_none() && acted.is_said {
            self.now_said();
        }
        self.last = match acted.named {
            Some(named) => Some(named),
            None if place.is_auto => Some(NamedCards {
                parts: vec![self.this()],
                is_cards: true,
            }),
            None => None,
        };
    }

    fn may(&mut self, branch: &RuleBranch, place: StatementPlace, is_gone: bool) -> Worded<String> {
        let (clauses, acted) = self.clauses(branch, place, is_gone)?;
        let me = self.player(self.me);
        let is_request =
            |clause: &ClauseWords| clause.subject.number == NounNumber::You && clause.before.is_empty();
        let text = match clauses.iter().all(is_request) {
            true => render(&clauses, Some("you may")),
            false => format!(
                "if {} {}, {}",
                me.text,
                me.verb("likes", "like"),
                render(&clauses, None)
            ),
        };
        self.after(branch, acted, place);
        Ok(text)
    }

    /// `to(me[sp==0])`: a player who is found only if something holds, and the effects without that.
    fn player_condition(&self, branch: &RuleBranch) -> Option<(String, RuleBranch)> {
        let clause = branch.to.as_ref()?;
        let [target] = &clause.targets[..] else {
            return None;
        };
        let TargetKind::Either(items) = &target.kind else {
            return None;
        };
        let who = match items[..] {
            [item] if item.what == TargetType::Me && !item.negated => self.me,
            [item] if item.what == TargetType::Opp && !item.negated => self.me.other(),
            _ => return None,
        };
        let [all] = &target.filters[..] else { return None };
        let [filter] = all[..] else { return None };
        let FilterTest::Sp(compare, number) = filter.test else {
            return None;
        };
        let how = match compare {
            FilterComparison::Equal => number.to_string(),
            FilterComparison::NotEqual => format!("not {number}"),
            FilterComparison::Less => format!("less than {number}"),
            FilterComparison::LessOrEqual => format!("{number} or less"),
            FilterComparison::Greater => format!("more than {number}"),
            FilterComparison::GreaterOrEqual => format!("{number} or more"),
        };
        if filter.negated {
            return None;
        }
        let mut whole = branch.clone();
        if let Some(clause) = &mut whole.to {
            clause.targets[0].filters.clear();
            clause.optional = false;
        }
        Some((format!("{} SP is {how}", self.player(who).whose()), whole))
    }

    /// Conditions that always hold while the card is there: `while …, this character cannot be countered`.
    pub(super) fn continuous(&mut self, statements: &[RuleStatement]) -> Worded<String> {
        let mut out = Vec::new();
        for statement in statements {
            let StatementKind::If {
                arms,
                otherwise: None,
            } = &statement.kind
            else {
                return Err(NoWords("what holds without a condition".to_owned()));
            };
            let [(test, branch)] = &arms[..] else {
                return Err(NoWords("several conditions at once".to_owned()));
            };
            let condition = self.condition(*test, true)?;
            let place = StatementPlace {
                is_auto: true,
                is_heard: false,
            };
            // It ends with its condition: nothing else about time is to be said.
            let (mut clauses, acted) = self.clauses(branch, place, true)?;
            if acted.named.is_none() && clauses.is_empty() {
                return Err(NoWords("a condition without effects".to_owned()));
            }
            for (clause, effect) in clauses.iter_mut().zip(&branch.effects) {
                if let cw_program::RuleEffectKind::Grant(keyword) = effect.kind {
                    clause.predicate = self.keyword(keyword, &clause.subject);
                }
            }
            out.push(sentence(&format!(
                "while {condition}, {}",
                render(&clauses, None)
            )));
        }
        Ok(out.join(" "))
    }

    fn costs(&mut self, costs: &[RuleCost]) -> Worded<String> {
        let mut parts = Vec::new();
        let (_, knock_out, _) = self.style.knock_out();
        let this = self.this().text;
        for cost in costs {
            parts.push(match cost {
                RuleCost::Freeze => format!("freeze {this}"),
                RuleCost::SacrificeSelf => format!("{knock_out} {this}"),
                RuleCost::Sacrifice(target) => {
                    let mut own = target.clone();
                    own.zone = cw_program::Zone {
                        side: cw_program::ZoneSide::Mine,
                        place: cw_program::ZonePlace::Ring,
                    };
                    format!("{knock_out} {}", self.target(&own)?.text)
                }
                RuleCost::Discard(target) => {
                    let all = is_everything(target);
                    match all {
                        true => "discard your hand, at least one card".to_owned(),
                        false => format!("discard {}", self.hand_cards(target)?),
                    }
                }
            });
        }
        if self.me != ReadPlayer::You {
            return Err(NoWords("a cost that somebody else pays".to_owned()));
        }
        Ok(joined(&parts, "and"))
    }
}

/// Whether keywords are given for as long as a condition holds.
fn gives(branch: &RuleBranch) -> bool {
    branch.restriction.is_none()
        && branch
            .effects
            .iter()
            .any(|effect| matches!(effect.kind, cw_program::RuleEffectKind::Grant(_)))
}

/// `{D(all)}`: the whole hand.
fn is_everything(target: &Target) -> bool {
    let plain = target.filters.is_empty() && target.pick.is_none() && target.not.is_none();
    match &target.kind {
        TargetKind::Either(items) => {
            plain
                && target.quantity == cw_program::TargetQuantity::Default
                && items.iter().all(|item| {
                    item.plural && item.what == cw_program::TargetType::Card(cw_program::CardTest::default())
                })
        }
        TargetKind::Each(_) | TargetKind::Computed(_) => false,
    }
}

/// Clauses one behind the other; what one does twice is said with one subject.
fn render(clauses: &[ClauseWords], asked: Option<&str>) -> String {
    let mut out = String::new();
    let mut subject: Option<&NounPhrase> = None;
    for clause in clauses {
        let goes_on = subject.is_some_and(|known| same(known, &clause.subject)) && clause.before.is_empty();
        if !out.is_empty() {
            out += match clause.joiner {
                EffectJoiner::Then => " and ",
                EffectJoiner::AndThen => ". If that was done, ",
                EffectJoiner::OrElse => ". If that was not possible, ",
            };
        } else if let Some(asked) = asked {
            out += asked;
            out.push(' ');
        }
        out += &clause.before;
        let is_told = goes_on && clause.joiner == EffectJoiner::Then;
        if clause.subject.number != NounNumber::You && !is_told && !clause.subject.text.is_empty() {
            out += &clause.subject.text;
            out.push(' ');
        }
        out += &clause.predicate;
        subject = (!clause.subject.text.is_empty()).then_some(&clause.subject);
    }
    out
}

/// Whether two subjects are the same somebody: `an enemy character`, and then `that character`.
fn same(one: &NounPhrase, other: &NounPhrase) -> bool {
    let again = other.text.starts_with("that ") || other.text.starts_with("those ");
    one.number == other.number && (one.text == other.text || again && !one.text.is_empty())
}

/// Each sentence with its capital.
fn sentences(text: &str) -> String {
    let parts: Vec<String> = text
        .split(". ")
        .filter(|part| !part.trim().is_empty())
        .map(sentence)
        .collect();
    parts.join(" ")
}
