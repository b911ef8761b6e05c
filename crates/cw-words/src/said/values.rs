//! Numbers of expressions in words: `the number of cards in your hand`, `half of this character's BP`.

use cw_formula::ast::Target as LoopTarget;
use cw_formula::ast::{BinaryOp, Expr, ExprKind, Literal, Subscript, UnaryOp};
use cw_program::{FormulaId, NumberArgument};

use super::lists::{ElementWords, whole};
use super::phrases::{NounPhrase, count_word};
use super::teller::{NoWords, RuleTeller, Worded};

/// An amount of something, as a sentence takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AmountWords {
    Fixed(u32),
    /// So many for each of these.
    Each(u32, String),
    /// So many, and so many more for each of these.
    AndEach(u32, u32, String),
    /// As a noun.
    As(String),
}

impl<'a> RuleTeller<'a> {
    /// An amount without its sign, and whether that is a minus.
    pub(super) fn amount(&self, number: NumberArgument) -> Worded<(bool, AmountWords)> {
        let formula = match number {
            NumberArgument::Literal(number) => {
                return Ok((number < 0, AmountWords::Fixed(number.unsigned_abs())));
            }
            NumberArgument::Computed(formula) => formula,
        };
        let tree = self.tree(formula)?;
        self.amount_of(tree, formula).or_else(|_| self.no_words(formula))
    }

    fn amount_of(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<(bool, AmountWords)> {
        if let Some(number) = whole(expr) {
            let size = u32::try_from(number.unsigned_abs()).map_err(|_| NoWords(number.to_string()))?;
            return Ok((number < 0, AmountWords::Fixed(size)));
        }
        match expr.kind {
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let (is_minus, words) = self.amount_of(inner, formula)?;
                return Ok((!is_minus, words));
            }
            ExprKind::Unary(UnaryOp::Pos, inner) => return self.amount_of(inner, formula),
            ExprKind::Name(name) if self.settled(name).is_none() => {
                if let Some(value) = self.variable(name).filter(|_| !self.is_late) {
                    return self.amount_of(self.tree(value)?, value);
                }
            }
            ExprKind::Binary(BinaryOp::Add, base, more) => {
                if let (Some(base), Some((false, times, each))) = (whole(base), self.for_each(more, formula))
                    && let Ok(base) = u32::try_from(base)
                {
                    return Ok((false, AmountWords::AndEach(base, times, each)));
                }
            }
            _ => {}
        }
        if let Some((is_minus, times, each)) = self.for_each(expr, formula) {
            return Ok((is_minus, AmountWords::Each(times, each)));
        }
        Ok((false, AmountWords::As(self.value(expr, formula)?)))
    }

    /// `100 * L.size`: whether it is taken away, how much, and for each of what.
    fn for_each(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Option<(bool, u32, String)> {
        let size = |expr: &'a Expr<'a>| match expr.kind {
            ExprKind::Attribute {
                object, name: "size", ..
            } => self.elements(object, formula).ok(),
            _ => None,
        };
        let (number, elements) = match expr.kind {
            ExprKind::Binary(BinaryOp::Mul, one, other) => match (whole(one), whole(other)) {
                (Some(number), None) => (number, size(other)?),
                (None, Some(number)) => (number, size(one)?),
                _ => return None,
            },
            _ => (1, size(expr)?),
        };
        let times = u32::try_from(number.unsigned_abs()).ok()?;
        Some((number < 0, times, elements.each()))
    }

    /// A number as a noun.
    pub(super) fn value(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        match expr.kind {
            ExprKind::Literal(Literal::Int(number)) => Ok(number.to_string()),
            ExprKind::Literal(Literal::Float(number)) => Ok(number.to_string()),
            ExprKind::Unary(UnaryOp::Neg, _) => whole(expr).map(|number| number.to_string()).ok_or_else(none),
            ExprKind::Unary(UnaryOp::Pos, inner) => self.value(inner, formula),
            ExprKind::Name("uabp") => Ok("the attack's BP".to_owned()),
            ExprKind::Name(name) => match (self.settled(name), self.variable(name)) {
                (None, Some(value)) => {
                    let text = self.value(self.tree(value)?, value)?;
                    let is_number = text.chars().all(|letter| letter.is_ascii_digit());
                    Ok(if self.is_late && !is_number {
                        format!("{text} before this")
                    } else {
                        text
                    })
                }
                _ => Err(none()),
            },
            ExprKind::Attribute { object, name, .. } => self.attribute(object, name, formula),
            ExprKind::Binary(op, one, other) => self.computed(op, one, other, formula),
            ExprKind::Call(call) => {
                let ExprKind::Name(name) = call.function.kind else {
                    return Err(none());
                };
                if !call.keywords.is_empty() || call.star.is_some() || call.star_star.is_some() {
                    return Err(none());
                }
                match (name, call.args) {
                    ("int", [only]) => self.value(only, formula),
                    ("min" | "max", [one, other]) => {
                        let is_min = name == "min";
                        let bound = if is_min { "at most" } else { "at least" };
                        match (whole(one), whole(other)) {
                            (Some(number), None) => {
                                Ok(format!("{}, but {bound} {number}", self.value(other, formula)?))
                            }
                            (None, Some(number)) => {
                                Ok(format!("{}, but {bound} {number}", self.value(one, formula)?))
                            }
                            _ => {
                                let which = if is_min { "smaller" } else { "greater" };
                                let (one, other) = (self.value(one, formula)?, self.value(other, formula)?);
                                Ok(format!("the {which} of {one} and {other}"))
                            }
                        }
                    }
                    ("max", [list]) => {
                        let (what, of) = self.values_of(list, formula)?;
                        Ok(format!("the highest {what} of {of}"))
                    }
                    ("min", [list]) => {
                        let (what, of) = self.values_of(list, formula)?;
                        Ok(format!("the lowest {what} of {of}"))
                    }
                    ("sum", [list]) => {
                        let (what, of) = self.values_of(list, formula)?;
                        Ok(format!("the total {what} of {of}"))
                    }
                    _ => Err(none()),
                }
            }
            ExprKind::Subscript {
                object,
                index: Subscript::Index(index),
            } if whole(index) == Some(-1) => self.last_sorted(object, formula),
            _ => Err(none()),
        }
    }

    /// `sorted([0] + [c.bp for c in L])[-1]`: the highest, or 0.
    fn last_sorted(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        let call = match expr.kind {
            ExprKind::Call(call) => call,
            ExprKind::Name(name) if self.settled(name).is_none() => {
                let value = self.variable(name).ok_or_else(none)?;
                return self.last_sorted(self.tree(value)?, value);
            }
            _ => return Err(none()),
        };
        let (ExprKind::Name("sorted"), [list]) = (call.function.kind, call.args) else {
            return Err(none());
        };
        if !call.keywords.is_empty() {
            return Err(none());
        }
        match list.kind {
            ExprKind::Binary(BinaryOp::Add, base, more) => {
                let ExprKind::List([base]) = base.kind else {
                    return Err(none());
                };
                let least = whole(base).ok_or_else(none)?;
                let (what, of) = self.values_of(more, formula)?;
                Ok(format!("the highest {what} of {of} ({least} if there is none)"))
            }
            _ => {
                let (what, of) = self.values_of(list, formula)?;
                Ok(format!("the highest {what} of {of}"))
            }
        }
    }

    /// `[c.bp for c in L if c.type == 'character']`: `BP` and `the characters in your hand`.
    fn values_of(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<(&'static str, String)> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        let ExprKind::Comprehension(all) = expr.kind else {
            return Err(none());
        };
        let [each] = all.loops else { return Err(none()) };
        let LoopTarget::Name(name, _) = each.target else {
            return Err(none());
        };
        let ExprKind::Attribute {
            object,
            name: attribute,
            ..
        } = all.element.kind
        else {
            return Err(none());
        };
        let what = match attribute {
            "bp" => "BP",
            "sp" => "printed SP",
            _ => return Err(none()),
        };
        let is_it = |expr: &Expr<'_>| matches!(expr.kind, ExprKind::Name(other) if other == name);
        if !is_it(object) {
            return Err(none());
        }
        let elements = self.elements(each.source, formula)?;
        let elements: ElementWords = match each.tests {
            [] => elements,
            [test] => {
                let ExprKind::Compare(left, [(cw_formula::ast::CompareOp::Eq, right)]) = test.kind else {
                    return Err(none());
                };
                let (
                    ExprKind::Attribute {
                        object, name: "type", ..
                    },
                    Some(word),
                ) = (left.kind, text(right))
                else {
                    return Err(none());
                };
                if !is_it(object) || !matches!(&*word, "character" | "action" | "reaction") {
                    return Err(none());
                }
                let one = elements.of_type(&word);
                match elements.one.strip_suffix("card").map(str::trim) {
                    Some("") | None => one,
                    Some(kind) => ElementWords {
                        many: format!("{kind} {}", one.many),
                        ..one
                    },
                }
            }
            _ => return Err(none()),
        };
        Ok((what, format!("the {}", elements.all())))
    }

    fn attribute(&self, object: &'a Expr<'a>, name: &str, formula: FormulaId) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        let is_player = |object: &Expr<'_>| match object.kind {
            ExprKind::Name(name) => matches!(name, "me" | "opp"),
            ExprKind::Attribute { name, .. } => matches!(name, "controller" | "owner"),
            _ => false,
        };
        match name {
            "size" => Ok(format!("the number of {}", self.elements(object, formula)?.all())),
            "hp" | "sp" if is_player(object) => {
                let player = self.cards(object, formula)?;
                Ok(format!("{} {}", player.whose(), name.to_uppercase()))
            }
            "lostsp" => {
                let player = self.cards(object, formula)?;
                let have = player.verb("has", "have");
                Ok(format!("the SP that {} {have} lost", player.text))
            }
            "bp" => Ok(of(&self.cards(object, formula)?, "BP")),
            "lastbp" => Ok(of(&self.cards(object, formula)?, "last BP")),
            "sp" => Ok(of(&self.cards(object, formula)?, "printed SP")),
            _ => Err(none()),
        }
    }

    fn computed(
        &self,
        op: BinaryOp,
        one: &'a Expr<'a>,
        other: &'a Expr<'a>,
        formula: FormulaId,
    ) -> Worded<String> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        let is_sum = |expr: &Expr<'_>| matches!(expr.kind, ExprKind::Binary(..));
        // Half of a sum of two is their average.
        if let (BinaryOp::Div, ExprKind::Binary(BinaryOp::Add, first, second), Some(2)) =
            (op, &one.kind, whole(other))
        {
            if is_sum(first) || is_sum(second) {
                return Err(none());
            }
            let (first, second) = (self.value(first, formula)?, self.value(second, formula)?);
            return Ok(format!("the average of {first} and {second}"));
        }
        if is_sum(one) || is_sum(other) {
            return Err(none());
        }
        let left = self.value(one, formula)?;
        match (op, whole(other)) {
            (BinaryOp::Div, Some(2)) => return Ok(format!("half of {left}")),
            (BinaryOp::Mul, Some(2)) => return Ok(format!("twice {left}")),
            _ => {}
        }
        let right = self.value(other, formula)?;
        Ok(match op {
            BinaryOp::Add => format!("{left} plus {right}"),
            BinaryOp::Sub => format!("{left} minus {right}"),
            BinaryOp::Mul => format!("{left} times {right}"),
            BinaryOp::Div => format!("{left} divided by {right}"),
            _ => return Err(none()),
        })
    }

    /// So many cards: `a card`, `two cards`, `a card for each …`.
    pub(super) fn cards_of(&self, number: NumberArgument, what: (&str, &str)) -> Worded<String> {
        let (is_minus, amount) = self.amount(number)?;
        let count = |count: u32| match count {
            1 => super::phrases::with_an(what.0),
            count => format!("{} {}", count_word(count), what.1),
        };
        Ok(match amount {
            _ if is_minus => return Err(NoWords("a number below zero".to_owned())),
            AmountWords::Fixed(0) => return Err(NoWords("nothing of anything".to_owned())),
            AmountWords::Fixed(number) => count(number),
            AmountWords::Each(number, each) => format!("{} for each {each}", count(number)),
            AmountWords::AndEach(base, more, each) => {
                format!("{} and {} more for each {each}", count(base), count_word(more))
            }
            AmountWords::As(value) => format!("as many {} as {value}", what.1),
        })
    }
}

fn of(card: &NounPhrase, what: &str) -> String {
    let is_short = card.text.split(' ').count() <= 2;
    match is_short {
        true if card.text == "which" => format!("whose {what}"),
        true if card.text == "it" => format!("its {what}"),
        true => format!("{} {what}", card.whose()),
        false => format!("the {what} of {}", card.text),
    }
}

/// A text that is written out.
pub(super) fn text(expr: &Expr<'_>) -> Option<String> {
    match expr.kind {
        ExprKind::Literal(Literal::Str(bytes)) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    }
}
