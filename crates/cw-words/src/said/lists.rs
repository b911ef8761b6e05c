//! Lists and cards of expressions as nouns: `moved`, `me.ring`, `prevTgt.0`, `getTargets('…')`.

use cw_formula::ast::{BinaryOp, Expr, ExprKind, Literal, Subscript, UnaryOp};
use cw_program::{FormulaId, PileName, Target, ZoneSide};

use super::phrases::{NounNumber, NounPhrase, joined};
use super::targets::is_settled_by_itself;
use super::teller::{NamedCards, NoWords, RuleTeller, Worded};

/// The elements of a list: `card`, `cards` and ` in your hand`.
#[derive(Clone, Debug)]
pub(super) struct ElementWords {
    pub(super) one: String,
    pub(super) many: String,
    pub(super) place: String,
}

impl ElementWords {
    fn new(one: &str, many: &str, place: String) -> ElementWords {
        ElementWords {
            one: one.to_owned(),
            many: many.to_owned(),
            place,
        }
    }

    /// `card in your hand`.
    pub(super) fn each(&self) -> String {
        format!("{}{}", self.one, self.place)
    }

    /// `cards in your hand`.
    pub(super) fn all(&self) -> String {
        format!("{}{}", self.many, self.place)
    }

    /// Only those of a type.
    pub(super) fn of_type(&self, name: &str) -> ElementWords {
        let (one, many) = match (name, self.one.as_str()) {
            ("char" | "character", "character") => ("character", "characters"),
            ("char" | "character", _) => ("character card", "character cards"),
            ("action", _) => ("action", "actions"),
            _ => ("reaction", "reactions"),
        };
        ElementWords::new(one, many, self.place.clone())
    }
}

impl<'a> RuleTeller<'a> {
    pub(super) fn tree(&self, formula: FormulaId) -> Worded<&'a Expr<'a>> {
        match cw_formula::tree(self.formula(formula), self.arena) {
            Some(tree) => Ok(tree),
            None => self.no_words(formula),
        }
    }

    /// The cards, or the player, that an expression names.
    pub(super) fn card_list(&self, formula: FormulaId) -> Worded<NounPhrase> {
        let tree = self.tree(formula)?;
        self.cards(tree, formula).or_else(|_| self.no_words(formula))
    }

    /// Whether an expression gives a player.
    pub(super) fn is_player(&self, formula: FormulaId) -> bool {
        self.tree(formula).is_ok_and(|tree| match tree.kind {
            ExprKind::Name(name) => matches!(name, "me" | "opp"),
            ExprKind::Attribute { name, .. } => matches!(name, "controller" | "owner"),
            _ => false,
        })
    }

    pub(super) fn cards(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<NounPhrase> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        match expr.kind {
            ExprKind::Name(name) => self.named_cards(name, formula),
            ExprKind::DotIndex { object, index, .. } => self.element_at(object, i64::from(index), formula),
            ExprKind::Subscript {
                object,
                index: Subscript::Index(index),
            } => self.element_at(object, whole(index).ok_or_else(none)?, formula),
            ExprKind::Attribute { object, name, .. } => match name {
                "controller" => {
                    let card = self.cards(object, formula)?;
                    Ok(NounPhrase::one(format!("{} player", card.whose())))
                }
                "owner" => {
                    let card = self.cards(object, formula)?;
                    Ok(NounPhrase::one(format!("{} owner", card.whose())))
                }
                _ => {
                    let elements = self.elements(expr, formula)?;
                    Ok(NounPhrase::many(format!("all {}", elements.all())))
                }
            },
            ExprKind::Call(_) => {
                let targets = self.filters_of(expr, formula).ok_or_else(none)?;
                if !is_settled_by_itself(targets) {
                    return Err(none());
                }
                self.all_of(targets)
            }
            _ => Err(none()),
        }
    }

    /// The targets of a `getTargets('…')`.
    pub(super) fn filters_of(&self, expr: &Expr<'_>, formula: FormulaId) -> Option<&'a [Target]> {
        let ExprKind::Call(call) = expr.kind else {
            return None;
        };
        let ExprKind::Name("gettargets") = call.function.kind else {
            return None;
        };
        let [argument] = call.args else { return None };
        let known = self.rule.formulas.get(usize::from(formula.0))?;
        let start = known.span.start + argument.span.start;
        let end = known.span.start + argument.span.end;
        let is_it = |targets: &&Vec<Target>| {
            targets
                .first()
                .is_some_and(|first| start <= first.span.start && first.span.start < end)
        };
        self.rule.filters.iter().find(is_it).map(Vec::as_slice)
    }

    /// Targets that nobody chooses, as one noun.
    fn all_of(&self, targets: &[Target]) -> Worded<NounPhrase> {
        let mut copy = self.clone();
        let all: Worded<Vec<NounPhrase>> = targets.iter().map(|target| copy.target(target)).collect();
        let texts: Vec<String> = all?.into_iter().map(|noun| noun.text).collect();
        Ok(NounPhrase::many(joined(&texts, "and")))
    }

    fn named_cards(&self, name: &str, formula: FormulaId) -> Worded<NounPhrase> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        let known = |noun: &Option<NounPhrase>| noun.clone().ok_or_else(none);
        if let Some(noun) = self.settled(name) {
            return Ok(noun);
        }
        if let Some(value) = self.variable(name) {
            return self.card_list(value);
        }
        match name {
            "this" => Ok(self.this()),
            "me" => Ok(self.player(self.me)),
            "opp" => Ok(self.player(self.me.other())),
            "tgt" if self.argument.is_some() => {
                let first = self.argument.as_ref().and_then(|named| named.part(0));
                first.ok_or_else(none)
            }
            "tgt" => self.main.as_ref().map(NamedCards::again).ok_or_else(none),
            "prevtgt" => self.last.as_ref().map(NamedCards::again).ok_or_else(none),
            "trigger" => known(&self.trigger),
            "attacker" => known(&self.attacker),
            "blocker" => known(&self.blocker),
            "card" => known(&self.element),
            "moved" => Ok(NounPhrase::many("the moved cards")),
            "discarded" => Ok(NounPhrase::many("the discarded cards")),
            "destroyed" => Ok(NounPhrase::many(format!(
                "the {} cards",
                self.style.knock_out().2
            ))),
            "trashed" => Ok(NounPhrase::many("the cards put away this way")),
            "sacrificed" => Ok(NounPhrase::many(format!(
                "the {} characters",
                self.style.knock_out().2
            ))),
            _ => Err(none()),
        }
    }

    /// A variable that is called something once its value is settled.
    pub(super) fn settled(&self, name: &str) -> Option<NounPhrase> {
        let mut known = self.settled.iter();
        known
            .find(|(known, _)| known == name)
            .map(|(_, noun)| noun.clone())
    }

    pub(super) fn variable(&self, name: &str) -> Option<FormulaId> {
        let mut known = self.rule.vars.iter();
        known.find(|var| &*var.name == name).map(|var| var.value)
    }

    fn element_at(&self, list: &'a Expr<'a>, at: i64, formula: FormulaId) -> Worded<NounPhrase> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        match list.kind {
            ExprKind::Name(name @ ("tgt" | "prevtgt")) => {
                let named = match (name, &self.argument) {
                    ("tgt", Some(argument)) => return argument.part(at).ok_or_else(none),
                    ("tgt", None) => &self.main,
                    _ => &self.last,
                };
                let named = named.as_ref().ok_or_else(none)?;
                named.part(at).ok_or_else(none)
            }
            ExprKind::Name(name) if at == 0 => {
                let word = match name {
                    "moved" => "the moved card",
                    "discarded" => "the discarded card",
                    "trashed" => "the card put away this way",
                    "destroyed" => {
                        return Ok(NounPhrase::one(format!("the {} card", self.style.knock_out().2)));
                    }
                    "sacrificed" => {
                        return Ok(NounPhrase::one(format!(
                            "the {} character",
                            self.style.knock_out().2
                        )));
                    }
                    _ => return self.first_of_variable(name, formula),
                };
                Ok(NounPhrase::one(word))
            }
            ExprKind::Attribute { object, name, .. } => {
                let pile = match name {
                    "ring" if at == 0 => {
                        let whose = self.cards(object, formula)?.whose();
                        return Ok(NounPhrase::one(format!("the first character in {whose} ring")));
                    }
                    "discards" => PileName::Discards,
                    "deck" => PileName::Deck,
                    "removed" => PileName::Removed,
                    _ => return Err(none()),
                };
                let end = match at {
                    0 => "top",
                    -1 => "bottom",
                    _ => return Err(none()),
                };
                let whose = self.cards(object, formula)?.whose();
                Ok(NounPhrase::one(format!(
                    "the {end} card of {whose} {}",
                    self.pile_name(pile)
                )))
            }
            _ => Err(none()),
        }
    }

    fn first_of_variable(&self, name: &str, formula: FormulaId) -> Worded<NounPhrase> {
        let noun = self.named_cards(name, formula)?;
        match noun.number {
            NounNumber::One => Ok(noun),
            _ => self.no_words(formula),
        }
    }

    /// The elements of a list that is counted or gone through.
    pub(super) fn elements(&self, expr: &'a Expr<'a>, formula: FormulaId) -> Worded<ElementWords> {
        let none = || NoWords(format!("`{}`", self.formula(formula)));
        match expr.kind {
            ExprKind::Attribute { object, name, .. } => {
                let pile = match name {
                    "ring" => {
                        let whose = self.cards(object, formula)?.whose();
                        let place = format!(" in {whose} ring");
                        return Ok(ElementWords::new("character", "characters", place));
                    }
                    "hand" => PileName::Hand,
                    "deck" => PileName::Deck,
                    "discards" => PileName::Discards,
                    "removed" => PileName::Removed,
                    _ => return Err(none()),
                };
                let whose = self.cards(object, formula)?.whose();
                let place = format!(" in {whose} {}", self.pile_name(pile));
                Ok(ElementWords::new("card", "cards", place))
            }
            ExprKind::Binary(BinaryOp::Add, one, other) => {
                let (one, other) = (self.elements(one, formula)?, self.elements(other, formula)?);
                if one.one != other.one {
                    return Err(none());
                }
                let place = format!("{} or{}", one.place, other.place);
                Ok(ElementWords { place, ..one })
            }
            ExprKind::Name(name) => {
                if let Some(value) = self.variable(name).filter(|_| self.settled(name).is_none()) {
                    if self.is_late {
                        return Err(none());
                    }
                    return self.elements(self.tree(value)?, value);
                }
                match name {
                    "moved" => Ok(ElementWords::new("moved card", "moved cards", String::new())),
                    "discarded" => Ok(ElementWords::new(
                        "discarded card",
                        "discarded cards",
                        String::new(),
                    )),
                    "trashed" => Ok(ElementWords::new(
                        "card",
                        "cards",
                        " put away this way".to_owned(),
                    )),
                    "destroyed" | "sacrificed" => {
                        let word = self.style.knock_out().2;
                        Ok(ElementWords::new(
                            &format!("{word} card"),
                            &format!("{word} cards"),
                            String::new(),
                        ))
                    }
                    "tgt" if self.argument.is_some() => {
                        Ok(ElementWords::new("of them", "them", String::new()))
                    }
                    "tgt" | "prevtgt" => {
                        let noun = self.named_cards(name, formula)?;
                        let place = match noun.number {
                            NounNumber::Many => format!(" of {}", noun.text),
                            _ => return Err(none()),
                        };
                        Ok(ElementWords::new("one", "ones", place))
                    }
                    _ => Err(none()),
                }
            }
            ExprKind::Call(_) => {
                let [target] = self.filters_of(expr, formula).ok_or_else(none)? else {
                    return Err(none());
                };
                if !is_settled_by_itself(std::slice::from_ref(target))
                    || target.pick.is_some()
                    || target.not.is_some()
                {
                    return Err(none());
                }
                let mut single = target.clone();
                if let cw_program::TargetKind::Either(items) = &mut single.kind {
                    items.iter_mut().for_each(|item| item.plural = false);
                }
                let all = self.clone().target(target)?.text;
                let one = self.clone().target(&single)?.text;
                let strip = |text: &str, words: &[&str]| {
                    let stripped = words.iter().find_map(|word| text.strip_prefix(word));
                    stripped.map(str::to_owned)
                };
                let many = strip(&all, &["all "]).ok_or_else(none)?;
                let one = strip(
                    &one,
                    &["one of your ", "another of your ", "another ", "an ", "a "],
                )
                .ok_or_else(none)?;
                // `one of your characters`: there is no word for one of them alone.
                if target.zone.side == ZoneSide::Mine && many.starts_with("your ") {
                    let many = many.trim_start_matches("your ").to_owned();
                    return Ok(ElementWords {
                        one: format!("of your {many}"),
                        many: format!("your {many}"),
                        place: String::new(),
                    });
                }
                Ok(ElementWords {
                    one,
                    many,
                    place: String::new(),
                })
            }
            _ => Err(none()),
        }
    }
}

impl NamedCards {
    /// How what has been named is called the next time.
    pub(super) fn again(&self) -> NounPhrase {
        match &self.parts[..] {
            [one] if one.text.contains("opponent or ") => NounPhrase::one("that target"),
            [one] => self.shortly(one),
            _ => NounPhrase::many("the chosen ones"),
        }
    }

    fn shortly(&self, noun: &NounPhrase) -> NounPhrase {
        let text = noun.text.as_str();
        let keeps = text.starts_with("this ") || text.starts_with("that ") || text.starts_with("the ");
        if noun.number == NounNumber::You || keeps || text.starts_with("those ") || text == "each player" {
            return noun.clone();
        }
        let word = match self.is_cards {
            false => "player",
            true if text.contains("character") && !text.contains("character card") => "character",
            true => "card",
        };
        match noun.number {
            NounNumber::Many => NounPhrase::many(format!("those {word}s")),
            NounNumber::One | NounNumber::You => NounPhrase::one(format!("that {word}")),
        }
    }

    /// One of what has been named, by its number.
    fn part(&self, at: i64) -> Option<NounPhrase> {
        const PLACES: [&str; 4] = ["the first", "the second", "the third", "the fourth"];
        let at = usize::try_from(at).ok()?;
        match &self.parts[..] {
            [one] if at == 0 && one.number != NounNumber::Many => Some(self.again()),
            [one] if at == 0 => {
                let all = self.shortly(one);
                Some(NounPhrase::one(format!("the first of {}", all.text)))
            }
            [_] => None,
            parts if parts.iter().all(|part| part.number == NounNumber::One) && at < parts.len() => {
                PLACES.get(at).map(|place| NounPhrase::one(*place))
            }
            _ => None,
        }
    }
}

/// A number that is written out, with its sign.
pub(super) fn whole(expr: &Expr<'_>) -> Option<i64> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(number)) => Some(number),
        ExprKind::Unary(UnaryOp::Neg, inner) => whole(inner).and_then(i64::checked_neg),
        ExprKind::Unary(UnaryOp::Pos, inner) => whole(inner),
        _ => None,
    }
}
