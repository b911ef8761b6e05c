//! Commands as clauses, one by one.

use cw_formula::ast::{Expr, ExprKind};
use cw_program::{
    Amount, Command, EachGroup, Freezing, NumberArgument, PhaseName, PileName, PilePosition, PileRef,
    PileViewState, RuleFlag, RuleValue, TargetKind, TargetQuantity, Transform, Whose,
};

use super::effects::{ActedOn, ClauseWords, bare, does};
use super::phrases::{NounNumber, NounPhrase, count_word, joined};
use super::style::StyleSlot;
use super::teller::{NoWords, ReadPlayer, RuleTeller, Worded};
use super::values::AmountWords;

impl RuleTeller<'_> {
    pub(super) fn command(&mut self, command: &Command, acted: &mut ActedOn) -> Worded<ClauseWords> {
        Ok(match command {
            Command::Activate(card) => {
                let card = self.card_list(*card)?;
                self.agent("uses", "use", &format!("the effect of {}", card.text))
            }
            Command::AlterCost(kind, amount) => bare(self.cost(*kind, *amount, "")?),
            Command::Bp(amount) => self.bp(*amount, acted)?,
            Command::Clear => bare("this ability can be used again this turn"),
            Command::CopyAbility(card) => {
                let card = self.card_list(*card)?;
                let subject = self.acted_cards(acted)?;
                let predicate = format!(
                    "{} a copy of the ability of {}",
                    subject.verb("receives", "receive"),
                    card.text
                );
                does(subject, predicate)
            }
            Command::Damage(number) => {
                let subject = match &acted.named {
                    Some(_) => acted.noun().ok_or_else(|| NoWords("damage".to_owned()))?,
                    None => self.this(),
                };
                let (is_minus, amount) = self.amount(*number)?;
                let damage = self.style.word(StyleSlot::Damage);
                let what = match amount {
                    _ if is_minus => return Err(NoWords("damage below zero".to_owned())),
                    AmountWords::As(value) => format!("{damage} equal to {value}"),
                    amount => counted(&amount, damage, |number| number.to_string()),
                };
                let predicate = format!("{} {what}", subject.verb("takes", "take"));
                does(subject, predicate)
            }
            Command::Destroy => {
                let cards = self.acted_cards(acted)?;
                let (one, many, _) = self.style.knock_out();
                self.agent(one, many, &cards.text)
            }
            Command::DisableRule(rule) => bare(self.rule_change(*rule, RuleValue::Bool(false), acted)?),
            Command::EnableRule(rule) => bare(self.rule_change(*rule, RuleValue::Bool(true), acted)?),
            Command::ModRule(rule, value) => bare(self.rule_change(*rule, *value, acted)?),
            Command::Discard(which) | Command::RndDiscard(which) => {
                let subject = self.players(acted)?;
                let what = self.hand_cards(which)?;
                let is_random = matches!(which.quantity, TargetQuantity::Random(_));
                let is_all = what.starts_with("all ");
                let of_choice = match subject.text == self.player(self.me).text || is_random || is_all {
                    true => String::new(),
                    false => match self.me {
                        ReadPlayer::You => " of your choice".to_owned(),
                        who => format!(" of {} choice", self.player(who).whose()),
                    },
                };
                let predicate = format!("{} {what}{of_choice}", subject.verb("discards", "discard"));
                does(subject, predicate)
            }
            Command::Draw(number) => {
                let subject = self.players(acted)?;
                let what = self.cards_of(*number, ("card", "cards"))?;
                let predicate = format!("{} {what}", subject.verb("draws", "draw"));
                does(subject, predicate)
            }
            Command::Each(each) => {
                let over = self.repeated(&each.over)?;
                let before = self.element.replace(NounPhrase::one("that card"));
                let mut clauses = Vec::new();
                for effect in &each.body {
                    clauses.push(self.effect(effect, acted)?);
                }
                self.element = before;
                let [clause] = &clauses[..] else {
                    return Err(NoWords("a repetition of several effects".to_owned()));
                };
                let mut clause = clause.clone();
                clause.before = format!("for each {over}, {}", clause.before);
                clause
            }
            Command::Freeze(Freezing::Freezes) => {
                let subject = self.acted_cards(acted)?;
                let predicate = subject.verb("freezes", "freeze").to_owned();
                does(subject, predicate)
            }
            Command::Freeze(Freezing::Toggles) => {
                let subject = self.acted_cards(acted)?;
                let predicate = subject.verb(
                    "freezes, or unfreezes if it was frozen",
                    "freeze, or unfreeze if they were frozen",
                );
                let predicate = predicate.to_owned();
                does(subject, predicate)
            }
            Command::Unfreeze => {
                let subject = self.acted_cards(acted)?;
                let predicate = subject.verb("unfreezes", "unfreeze").to_owned();
                does(subject, predicate)
            }
            Command::Hp(number) => {
                let subject = self.players(acted)?;
                let predicate = self.gains(Amount::Add(*number), "HP", &subject)?;
                does(subject, predicate)
            }
            Command::Sp(amount) => {
                let subject = self.players(acted)?;
                let predicate = match amount {
                    Amount::Add(_) => self.gains(*amount, "SP", &subject)?,
                    Amount::Set(number) => {
                        let value = self.plain_value(*number)?;
                        return Ok(match subject.text.as_str() {
                            "each player" => bare(format!("the SP of both players become {value}")),
                            _ => bare(format!("{} SP become {value}", subject.whose())),
                        });
                    }
                    Amount::Times(_) => return Err(NoWords("SP that are multiplied".to_owned())),
                };
                does(subject, predicate)
            }
            Command::LoseAbility => {
                let subject = self.acted_cards(acted)?;
                let predicate = match subject.number {
                    NounNumber::Many => "lose their abilities".to_owned(),
                    _ => "loses its ability".to_owned(),
                };
                does(subject, predicate)
            }
            Command::LoseLife(number) => {
                let subject = self.players(acted)?;
                let (is_minus, amount) = self.amount(*number)?;
                let what = match amount {
                    _ if is_minus => return Err(NoWords("a loss below zero".to_owned())),
                    AmountWords::As(value) => format!("HP equal to {value}"),
                    amount => counted(&amount, "HP", |number| number.to_string()),
                };
                let predicate = format!("{} {what}", subject.verb("loses", "lose"));
                does(subject, predicate)
            }
            Command::ModCost(..) | Command::ModDamage(_) => {
                return Err(NoWords("a change of what is not being computed".to_owned()));
            }
            Command::MovePile(from, to) => {
                let (from, to) = (self.pile(*from)?, self.pile(*to)?);
                self.agent("puts", "put", &format!("all cards of {from} into {to}"))
            }
            Command::SwapPiles(one, other) => {
                let (one, other) = (self.pile(*one)?, self.pile(*other)?);
                self.agent("exchanges", "exchange", &format!("{one} and {other}"))
            }
            Command::MoveRevealedTo(pile, position) => {
                let cards = match acted.named {
                    Some(_) => self.acted_cards(acted)?.text,
                    None => return Err(NoWords("cards above nothing".to_owned())),
                };
                let to = self.pile_end(&self.pile(*pile)?, pile.name, *position);
                self.agent(
                    "reveals",
                    "reveal",
                    &format!("all cards above {cards} and {} them {to}", self.put()),
                )
            }
            Command::MoveTo(pile, position, reveal) => self.move_to(*pile, *position, *reveal, acted)?,
            Command::MoveToSlot => {
                let cards = self.acted_cards(acted)?;
                self.agent(
                    "moves",
                    "move",
                    &format!("{} to an empty slot of its ring", cards.text),
                )
            }
            Command::Peek => {
                let what = match &acted.named {
                    None => format!("{} hand", self.player(self.me.other()).whose()),
                    Some(named) if named.is_cards => self.acted_cards(acted)?.text,
                    Some(_) => self.players(acted)?.owned("hand"),
                };
                self.agent("looks", "look", &format!("at {what}"))
            }
            Command::PileView(pile, view) => {
                let pile = self.pile(*pile)?;
                bare(match view {
                    PileViewState::Collapsed => format!("{pile} is shown as a count"),
                    PileViewState::Pile => format!("{pile} is shown by its top card"),
                    PileViewState::Expanded => format!("all cards of {pile} are shown"),
                })
            }
            Command::PlayExtraChar => {
                let me = self.player(self.me);
                bare(format!("{} may play one more character this turn", me.text))
            }
            Command::Prophecy(number, end) => self.prophecy(*number, *end, acted)?,
            Command::RemoveFromAttack => {
                let subject = self.acted_cards(acted)?;
                let predicate = subject.verb("stops attacking", "stop attacking").to_owned();
                does(subject, predicate)
            }
            Command::Reveal(None) => {
                if acted.named.is_none() {
                    return Err(NoWords("revealing the card itself".to_owned()));
                }
                let cards = self.acted_cards(acted)?;
                self.agent("reveals", "reveal", &cards.text)
            }
            Command::Reveal(Some(pile)) => {
                let subject = self.players(acted)?;
                let whose = match subject.text.as_str() {
                    "each player" => "their".to_owned(),
                    _ => subject.its().replace("its", "their"),
                };
                let predicate = format!(
                    "{} {whose} {}",
                    subject.verb("reveals", "reveal"),
                    self.pile_name(*pile)
                );
                does(subject, predicate)
            }
            Command::Shuffle((whose, name)) => self.shuffle(*whose, *name, acted)?,
            Command::Skip(phase) => {
                let subject = self.players(acted)?;
                let whose = if subject.number == NounNumber::You {
                    "your"
                } else {
                    "their"
                };
                let predicate = format!(
                    "{} {whose} next {}",
                    subject.verb("skips", "skip"),
                    phase_name(*phase)
                );
                does(subject, predicate)
            }
            Command::Steal(thief) => {
                let thief = match thief {
                    Some(target) => {
                        // Who steals is looked for among the cards of whoever runs the rule, too.
                        self.target(target)?
                    }
                    None => self.this(),
                };
                if acted.named.is_none() {
                    return Err(NoWords(
                        "an ability that is taken from the card itself".to_owned(),
                    ));
                }
                let from = self.acted_cards(acted)?;
                let predicate = format!("{} the ability of {}", thief.verb("takes", "take"), from.text);
                does(thief, predicate)
            }
            Command::SwapAbilities => {
                let subject = self.pair(acted)?;
                does(subject, "swap their abilities".to_owned())
            }
            Command::SwapChars => {
                let subject = self.pair(acted)?;
                does(subject, "swap their slots".to_owned())
            }
            Command::Transform(into) => {
                let what = match into {
                    Transform::Model(Some(model)) => self.game.model(*model).name.to_string(),
                    Transform::Model(None) => return Err(NoWords("a card that is not there".to_owned())),
                    Transform::Like(card) => format!("a copy of {}", self.card_list(*card)?.text),
                };
                let subject = self.acted_cards(acted)?;
                let predicate = format!("{} {what}", subject.verb("becomes", "become"));
                does(subject, predicate)
            }
            Command::Trash(number) => {
                let subject = self.players(acted)?;
                let whose = if subject.number == NounNumber::You {
                    "your"
                } else {
                    "their"
                };
                let cards = match self.amount(*number)? {
                    (false, AmountWords::Fixed(1)) => "card".to_owned(),
                    (false, AmountWords::Fixed(count @ 2..)) => format!("{} cards", count_word(count)),
                    _ => return Err(NoWords("a computed number of top cards".to_owned())),
                };
                let predicate = format!(
                    "{} the top {cards} of {whose} deck into {whose} {}",
                    subject.verb("puts", "put"),
                    self.pile_name(PileName::Discards)
                );
                does(subject, predicate)
            }
            Command::Turns(number) => match self.amount(*number)? {
                (false, AmountWords::Fixed(1)) => self.agent("takes", "take", "another turn after this one"),
                (false, AmountWords::Fixed(count @ 2..)) => self.agent(
                    "takes",
                    "take",
                    &format!("{} more turns after this one", count_word(count)),
                ),
                _ => return Err(NoWords("a computed number of turns".to_owned())),
            },
            Command::Unite => {
                let subject = self.acted_cards(acted)?;
                let predicate = subject.verb("forms", "form").to_owned();
                does(subject, format!("{predicate} a United Attack, at no cost"))
            }
        })
    }

    fn put(&self) -> &'static str {
        self.player(self.me).verb("puts", "put")
    }

    /// Two cards that something is exchanged between.
    fn pair(&mut self, acted: &mut ActedOn) -> Worded<NounPhrase> {
        let subject = self.acted_cards(acted)?;
        match subject.number {
            NounNumber::Many => Ok(subject),
            _ => Err(NoWords("an exchange with one card alone".to_owned())),
        }
    }

    fn rule_change(&mut self, rule: RuleFlag, value: RuleValue, acted: &mut ActedOn) -> Worded<String> {
        let who = match &acted.named {
            Some(named) if !named.is_cards => acted.noun(),
            _ => None,
        };
        self.flag(rule, value, who.as_ref())
    }

    fn bp(&mut self, amount: Amount, acted: &mut ActedOn) -> Worded<ClauseWords> {
        let subject = self.acted_cards(acted)?;
        let predicate = match amount {
            Amount::Add(_) => self.gains(amount, "BP", &subject)?,
            Amount::Times(number) => {
                let has = subject.verb("has", "have");
                match self.amount(number)? {
                    (false, AmountWords::Fixed(2)) => format!("{has} twice as much BP"),
                    (false, AmountWords::Fixed(0)) => format!("{has} 0 BP"),
                    (false, AmountWords::Fixed(number)) => format!("{has} {number} times as much BP"),
                    _ => return Err(NoWords("BP that are multiplied by what is computed".to_owned())),
                }
            }
            Amount::Set(number) => {
                let value = self.plain_value(number)?;
                return Ok(match subject.number {
                    NounNumber::Many => bare(format!("the BP of {} becomes {value}", subject.text)),
                    _ => bare(format!("the BP of {} becomes {value}", subject.text)),
                });
            }
        };
        Ok(does(subject, predicate))
    }

    fn plain_value(&self, number: NumberArgument) -> Worded<String> {
        match number {
            NumberArgument::Literal(number) => Ok(number.to_string()),
            NumberArgument::Computed(formula) => {
                let tree = self.tree(formula)?;
                self.value(tree, formula).or_else(|_| self.no_words(formula))
            }
        }
    }

    /// `gains 200 BP`, `lose SP equal to …`.
    fn gains(&self, amount: Amount, unit: &str, subject: &NounPhrase) -> Worded<String> {
        let Amount::Add(number) = amount else {
            return Err(NoWords("an amount that is not added".to_owned()));
        };
        let (is_minus, amount) = self.amount(number)?;
        if amount == AmountWords::Fixed(0) {
            return Err(NoWords(format!("a change by 0 {unit}")));
        }
        let verb = match is_minus {
            true => subject.verb("loses", "lose"),
            false => subject.verb("gains", "gain"),
        };
        let what = match amount {
            AmountWords::As(value) => format!("{unit} equal to {value}"),
            amount => counted(&amount, unit, |number| match is_minus {
                true => number.to_string(),
                false => self.style.gained(number),
            }),
        };
        Ok(format!("{verb} {what}"))
    }

    pub(super) fn pile(&self, pile: PileRef) -> Worded<String> {
        let owner = self.pile_owner(pile.whose);
        let owner = owner.ok_or_else(|| NoWords("the pile of a card's player".to_owned()))?;
        Ok(format!(
            "{} {}",
            self.player(owner).whose(),
            self.pile_name(pile.name)
        ))
    }

    /// Where in a pile: `on the bottom of your deck`, `into your hand`.
    fn pile_end(&self, pile: &str, name: PileName, position: PilePosition) -> String {
        let has_ends = name == PileName::Deck;
        let nth = |above: u16| match above {
            1 => "second".to_owned(),
            2 => "third".to_owned(),
            3 => "fourth".to_owned(),
            4 => "fifth".to_owned(),
            above => format!("{}th", u32::from(above) + 1),
        };
        match position {
            PilePosition::FromTop(0) if has_ends => format!("on top of {pile}"),
            PilePosition::FromTop(0) => format!("into {pile}"),
            PilePosition::FromTop(above) => format!("into {pile}, {} from the top", nth(above)),
            PilePosition::FromBottom(0) => format!("on the bottom of {pile}"),
            PilePosition::FromBottom(below) => format!("into {pile}, {} from the bottom", nth(below)),
            PilePosition::Ask => {
                let me = self.player(self.me);
                let choose = me.verb("chooses", "choose");
                format!("on the top or the bottom of {pile}, as {} {choose}", me.text)
            }
        }
    }

    fn move_to(
        &mut self,
        pile: PileRef,
        position: PilePosition,
        reveal: Option<bool>,
        acted: &mut ActedOn,
    ) -> Worded<ClauseWords> {
        let cards = self.acted_cards(acted)?;
        let name = self.pile_name(pile.name);
        let place = match self.pile_owner(pile.whose) {
            Some(owner) => format!("{} {name}", self.player(owner).whose()),
            None if cards.number == NounNumber::Many => format!("their players' {name}s"),
            None => format!("its player's {name}"),
        };
        let to = self.pile_end(&place, pile.name, position);
        let is_hidden = matches!(pile.name, PileName::Hand | PileName::Deck);
        let it = match cards.number {
            NounNumber::Many => "them",
            _ => "it",
        };
        Ok(match reveal {
            Some(true) if is_hidden && was_hidden(&cards) => {
                let put = self.put();
                self.agent(
                    "reveals",
                    "reveal",
                    &format!("{} and {put} {it} {to}", cards.text),
                )
            }
            Some(false) if is_hidden => self.agent("puts", "put", &format!("{} face down {to}", cards.text)),
            _ => self.agent("puts", "put", &format!("{} {to}", cards.text)),
        })
    }

    fn prophecy(
        &mut self,
        number: NumberArgument,
        end: Option<PilePosition>,
        acted: &mut ActedOn,
    ) -> Worded<ClauseWords> {
        let deck = match &acted.named {
            None => "your deck".to_owned(),
            Some(named) if named.is_cards => return Err(NoWords("the pile of a card".to_owned())),
            Some(_) => self.players(acted)?.owned("deck"),
        };
        let (false, AmountWords::Fixed(count @ 1..)) = self.amount(number)? else {
            return Err(NoWords("a computed number of top cards".to_owned()));
        };
        let (cards, them) = match count {
            1 => ("card".to_owned(), "it"),
            count => (format!("{} cards", count_word(count)), "them"),
        };
        let place = match end {
            Some(PilePosition::FromTop(_)) => "on its top",
            Some(PilePosition::FromBottom(_)) => "on its bottom",
            Some(PilePosition::Ask) | None => "on its top or its bottom",
        };
        let order = if count > 1 { " in any order" } else { "" };
        let put = self.put();
        Ok(self.agent(
            "looks",
            "look",
            &format!("at the top {cards} of {deck} and {put} {them} back {place}{order}"),
        ))
    }

    fn shuffle(&mut self, whose: Option<Whose>, name: PileName, acted: &mut ActedOn) -> Worded<ClauseWords> {
        let name = self.pile_name(name);
        let owner = match whose {
            Some(whose) => match self.pile_owner(whose) {
                Some(owner) => self.player(owner),
                None => return Err(NoWords("the pile of a card's player".to_owned())),
            },
            None => match &acted.named {
                Some(named) if !named.is_cards => self.players(acted)?,
                _ => self.player(self.me),
            },
        };
        if owner.text == "each player" {
            return Ok(does(owner, format!("shuffles their {name}")));
        }
        Ok(self.agent("shuffles", "shuffle", &owner.owned(name)))
    }

    /// What `each` runs for.
    fn repeated(&mut self, over: &EachGroup) -> Worded<String> {
        match over {
            EachGroup::Found(target) => {
                let mut single = target.clone();
                match &mut single.kind {
                    TargetKind::Either(items) if items.iter().all(|item| item.plural) => {
                        // `actions,reactions`: each of both kinds.
                        items.iter_mut().for_each(|item| item.plural = false);
                    }
                    _ => return Err(NoWords("a repetition for cards that are chosen".to_owned())),
                }
                let noun = self.target(&single)?.text;
                let stripped = noun.strip_prefix("an ").or_else(|| noun.strip_prefix("a "));
                match (noun.strip_prefix("one of your "), stripped) {
                    (Some(rest), _) => Ok(format!("of your {rest}")),
                    (None, Some(rest)) => Ok(rest.replace(" or a ", " or ").replace(" or an ", " or ")),
                    (None, None) => Err(NoWords("a repetition".to_owned())),
                }
            }
            EachGroup::Mapped { value, .. } => {
                let text = self.formula(*value);
                let Some((element, list)) = cw_formula::group_tree(text, self.arena) else {
                    return self.no_words(*value);
                };
                let elements = self.elements(list, *value).or_else(|_| self.no_words(*value))?;
                if matches!(element.kind, ExprKind::Name("card")) {
                    return Ok(elements.each());
                }
                if let Some(kinds) = types(element) {
                    let ones: Vec<String> = kinds.iter().map(|kind| elements.of_type(kind).one).collect();
                    return Ok(format!("{}{}", joined(&ones, "or"), elements.place));
                }
                let which = self.with_element(NounPhrase::one("which"));
                let test = which
                    .test(element, true, *value)
                    .or_else(|_| self.no_words(*value))?;
                Ok(format!("{} {test}", elements.each()))
            }
        }
    }
}

/// The words for types that an element may be: `char`, `action or reaction`.
fn types<'e>(element: &Expr<'e>) -> Option<Vec<&'e str>> {
    let word = |expr: &Expr<'e>| match expr.kind {
        ExprKind::Name(name @ ("char" | "character" | "action" | "reaction")) => Some(name),
        _ => None,
    };
    match element.kind {
        ExprKind::Or(parts) => parts.iter().map(|part| word(part)).collect(),
        _ => word(element).map(|one| vec![one]),
    }
}

/// Whether cards come from where nobody sees them, as far as their name tells.
fn was_hidden(cards: &NounPhrase) -> bool {
    let begins = ["that ", "those ", "the "];
    let seen = ["discard pile", "removed pile", "discards"];
    let is_seen = seen.iter().any(|pile| cards.text.contains(pile));
    let pile = cards.text.contains(" deck") || cards.text.contains(" hand");
    !is_seen && (pile || begins.iter().any(|word| cards.text.starts_with(word)))
}

/// `200 BP for each card in your hand`.
fn counted(amount: &AmountWords, unit: &str, shown: impl Fn(u32) -> String) -> String {
    match amount {
        AmountWords::Fixed(number) => format!("{} {unit}", shown(*number)),
        AmountWords::Each(number, each) => format!("{} {unit} for each {each}", shown(*number)),
        AmountWords::AndEach(base, more, each) => {
            format!("{} {unit} and {more} more for each {each}", shown(*base))
        }
        AmountWords::As(value) => format!("{unit} equal to {value}"),
    }
}

fn phase_name(phase: PhaseName) -> &'static str {
    match phase {
        PhaseName::Setup => "Setup phase",
        PhaseName::Activate => "Activate phase",
        PhaseName::Draw => "Draw phase",
        PhaseName::Main => "Main phase",
        PhaseName::Attack => "Attack phase",
        PhaseName::CounterAttack => "Counter-attack phase",
        PhaseName::End => "End phase",
        PhaseName::Cleanup => "Cleanup phase",
    }
}
