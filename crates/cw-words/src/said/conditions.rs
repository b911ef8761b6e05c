//! Conditions in words: `if your hand is empty`.

use cw_formula::ast::{CompareOp, ConstantWord, Expr, ExprKind, Literal, Quantifier, UnaryOp};
use cw_program::FormulaId;

use super::lists::whole;
use super::phrases::{NounPhrase, with_an};
use super::teller::{NoWords, RuleTeller, Worded};
use super::values::text;

impl<'a> RuleTeller<'a> {
    /// A condition, or its contrary, as a clause behind "if".
    pub(super) fn condition(&self, formula: FormulaId, holds: bool) -> Worded<String> {
        let tree = self.tree(formula)?;
        self.test(tree, holds, formula)
            .or_else(|_| self.no_words(formula))
    }

    pub(super) fn test(&self, expr: &'a Expr<'a>, holds: bool, formula: FormulaId) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        match expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.test(inner, !holds, formula),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let is_and = matches!(expr.kind, ExprKind::And(_)) == holds;
                let is_nested = |part: &&Expr<'_>| matches!(part.kind, ExprKind::And(_) | ExprKind::Or(_));
                if parts.iter().copied().any(|part| is_nested(&part)) {
                    return Err(none());
                }
                let all: Worded<Vec<String>> =
                    parts.iter().map(|part| self.test(part, holds, formula)).collect();
                Ok(all?.join(if is_and { " and " } else { " or " }))
            }
            ExprKind::Name(name) => self.named_test(name, holds, formula),
            ExprKind::Literal(Literal::Constant(ConstantWord::True | ConstantWord::False)) => Err(none()),
            ExprKind::Compare(left, [(op, right)]) => {
                self.comparison(left, *op, right, holds, formula, false)
            }
            ExprKind::Call(call) => {
                let ExprKind::Name(name) = call.function.kind else {
                    return Err(none());
                };
                match (name, call.args) {
                    ("flipcoin", []) => Ok(match holds {
                        true => "you call the toss of a coin".to_owned(),
                        false => "you do not call the toss of a coin".to_owned(),
                    }),
                    ("ischar" | "ischaracter", [card]) => {
                        Ok(is(&self.cards(card, formula)?, "a character", holds))
                    }
                    ("inuattack", [card]) => Ok(is(&self.cards(card, formula)?, "in a United Attack", holds)),
                    _ => Err(none()),
                }
            }
            ExprKind::Group {
                quantifier,
                element,
                list,
            } => {
                if matches!(
                    element.kind,
                    ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Unary(UnaryOp::Not, _)
                ) {
                    return Err(none());
                }
                let elements = self.elements(list, formula)?;
                let is_any = (quantifier == Quantifier::Any) == holds;
                let noun = match is_any {
                    true => format!("at least one {}", elements.each()),
                    false => format!("every {}", elements.each()),
                };
                let looking = self.with_element(NounPhrase::one(noun));
                looking.test(element, holds, formula)
            }
            ExprKind::Attribute {
                object,
                name: "ncdamaged",
                ..
            } => {
                let player = self.cards(object, formula)?;
                let have = player.verb("has", "have");
                let not = if holds { "" } else { " not" };
                Ok(format!(
                    "{} {have}{not} been dealt non-combat damage this turn",
                    player.text
                ))
            }
            _ => Err(none()),
        }
    }

    /// The same teller with something that `card` stands for.
    pub(super) fn with_element(&self, element: NounPhrase) -> RuleTeller<'a> {
        RuleTeller {
            element: Some(element),
            ..self.clone()
        }
    }

    fn named_test(&self, name: &str, holds: bool, formula: FormulaId) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        if let Some(noun) = self.settled(name) {
            return match noun.text.as_str() {
                "the toss" => Ok(match holds {
                    true => "you call it".to_owned(),
                    false => "you do not call it".to_owned(),
                }),
                _ => Err(none()),
            };
        }
        if let Some(value) = self.variable(name) {
            return self.test(self.tree(value)?, holds, value);
        }
        let not = if holds { "" } else { "not " };
        match name {
            "alone" if !self.card.is_character() => Err(none()),
            "alone" => Ok(format!("{} is {not}alone in its ring", self.this().text)),
            // D35: the source attacks and nobody else does; a card that is not in a ring never does.
            "soloattack" if !self.card.is_character() => Err(none()),
            "soloattack" => {
                let this = self.this().text;
                Ok(match holds {
                    true => format!("{this} attacks and nobody else does"),
                    false => format!("{this} does not attack, or somebody else does, too"),
                })
            }
            "opplostsp" => {
                let player = self.player(self.me.other());
                let have = player.verb("has", "have");
                Ok(format!("{} {have} {not}lost SP this turn", player.text))
            }
            "char" | "action" | "reaction" => {
                let card = match &self.element {
                    Some(element) => element.clone(),
                    None => self.trigger.clone().ok_or_else(none)?,
                };
                let word = if name == "char" { "character" } else { name };
                Ok(is(&card, &with_an(word), holds))
            }
            _ => Err(none()),
        }
    }

    fn comparison(
        &self,
        left: &'a Expr<'a>,
        op: CompareOp,
        right: &'a Expr<'a>,
        holds: bool,
        formula: FormulaId,
        had: bool,
    ) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        if let ExprKind::Name(name) = left.kind
            && self.settled(name).is_none()
            && let Some(value) = self.variable(name)
            && let ExprKind::Attribute { name: "ability", .. } = self.tree(value)?.kind
        {
            return self.comparison(self.tree(value)?, op, right, holds, value, self.is_late);
        }
        let op = if holds { op } else { contrary(op).ok_or_else(none)? };
        let is_equal = op == CompareOp::Eq;
        if let ExprKind::Attribute { object, name, .. } = left.kind
            && matches!(op, CompareOp::Eq | CompareOp::Ne)
            && matches!(name, "ability" | "subtype" | "type" | "name")
        {
            let card = self.cards(object, formula)?;
            if name == "ability" {
                let ExprKind::Name(kind) = right.kind else {
                    return Err(none());
                };
                let kind = if kind == "triggered" { "trigger" } else { kind };
                let has = match (is_equal, card.verb("one", "many")) {
                    (true, _) if had => "had",
                    (false, _) if had => "did not have",
                    (true, "one") => "has",
                    (true, _) => "have",
                    (false, "one") => "does not have",
                    (false, _) => "do not have",
                };
                return Ok(format!("{} {has} {} ability", card.text, with_an(kind)));
            }
            let word = text(right).ok_or_else(none)?;
            let printed = match name {
                "name" => {
                    let card = self
                        .game
                        .models
                        .iter()
                        .find(|card| card.name.to_lowercase() == word);
                    card.ok_or_else(none)?.name.to_string()
                }
                "subtype" => {
                    let known = self
                        .game
                        .subtypes
                        .iter()
                        .find(|known| known.to_lowercase() == word);
                    with_an(known.ok_or_else(none)?)
                }
                _ => with_an(&word),
            };
            return Ok(is(&card, &printed, is_equal));
        }
        // Nothing there, or anything.
        if let ExprKind::Attribute {
            object, name: "size", ..
        } = left.kind
        {
            let is_none = match (op, whole(right)) {
                (CompareOp::Eq | CompareOp::Le, Some(0)) | (CompareOp::Lt, Some(1)) => Some(true),
                (CompareOp::Ne | CompareOp::Gt, Some(0)) => Some(false),
                _ => None,
            };
            if let Some(is_none) = is_none {
                let elements = self.elements(object, formula)?;
                return Ok(match is_none {
                    true => format!("there is no {}", elements.each()),
                    false => format!("the number of {} is not 0", elements.all()),
                });
            }
        }
        let value = self.value(left, formula)?;
        let is_number = whole(right).is_some();
        let other = self.value(right, formula)?;
        Ok(match (op, is_number) {
            (CompareOp::Eq, _) => format!("{value} is {other}"),
            (CompareOp::Ne, _) => format!("{value} is not {other}"),
            (CompareOp::Lt, _) => format!("{value} is less than {other}"),
            (CompareOp::Le, true) => format!("{value} is {other} or less"),
            (CompareOp::Le, false) => format!("{value} is at most {other}"),
            (CompareOp::Gt, _) => format!("{value} is more than {other}"),
            (CompareOp::Ge, true) => format!("{value} is {other} or more"),
            (CompareOp::Ge, false) => format!("{value} is at least {other}"),
            _ => return Err(none()),
        })
    }
}

fn is(card: &NounPhrase, what: &str, holds: bool) -> String {
    let verb = card.verb("is", "are");
    let not = if holds { "" } else { " not" };
    format!("{} {verb}{not} {what}", card.text)
}

fn contrary(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}
