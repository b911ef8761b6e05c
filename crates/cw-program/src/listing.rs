//! A program as lines that people can read, for `cardwright rules program`.

use std::fmt::Write as _;

use crate::commands::Command;
use crate::rule::{
    Amount, Auto, AutoKind, CompiledRule, CostAmount, EachEffect, EachGroup, EffectJoiner, Few,
    FilterComparison, FilterTest, FormulaId, Freezing, NumberArgument, PilePosition, PileRef, Restriction,
    RestrictionEnd, RuleBranch, RuleCost, RuleEffect, RuleEffectKind, RuleStatement, RuleValue,
    StatementKind, Target, TargetClause, TargetFilter, TargetKind, TargetQuantity, TargetType, Transform,
    TypeItem, Whose, Zone, ZonePlace, ZoneSide,
};
use crate::visit::ArgumentVisitor;
use crate::words::{ClosedWord as _, CostKind, PhaseName, PileName, PileViewState, RuleFlag, Scope};

/// What the numbers of a program stand for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Labels<'a> {
    /// The subtypes, by [`SubtypeId`](crate::SubtypeId).
    pub subtypes: &'a [String],
    /// The card names, by [`NameId`](crate::CardNameId).
    pub names: &'a [String],
    /// What cards are called, by [`ModelId`](crate::ModelId).
    pub models: &'a [String],
}

/// The program, a line for each part; expressions stand in backquotes, as written.
pub fn listing(rule: &CompiledRule, labels: Labels<'_>) -> String {
    let mut lister = Lister {
        rule,
        labels,
        out: String::new(),
    };
    lister.rule();
    lister.out
}

/// When an auto runs, in words; empty if the rule has no such auto.
pub fn trigger_listing(rule: &CompiledRule, auto: usize, labels: Labels<'_>) -> String {
    let out = String::new();
    let lister = Lister { rule, labels, out };
    rule.autos
        .get(auto)
        .map_or_else(String::new, |auto| lister.starts(auto))
}

/// The statements of an auto, a line for each part; empty if the rule has no such auto.
pub fn auto_listing(rule: &CompiledRule, auto: usize, labels: Labels<'_>) -> String {
    let out = String::new();
    let mut lister = Lister { rule, labels, out };
    if let Some(auto) = rule.autos.get(auto) {
        lister.statements(&auto.statements);
    }
    lister.out
}

struct Lister<'a> {
    rule: &'a CompiledRule,
    labels: Labels<'a>,
    out: String,
}

impl Lister<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = depth * 2);
    }

    fn rule(&mut self) {
        let rule = self.rule;
        if !rule.abilities.is_empty() {
            let words: Vec<&str> = rule.abilities.iter().map(|keyword| keyword.word()).collect();
            self.line(0, &format!("abilities {}", words.join(", ")));
        }
        for target in &rule.requisites {
            let target = self.target(target);
            self.line(0, &format!("requisite {target}"));
        }
        if let Some(clause) = &rule.target {
            self.clause(0, "target", clause);
        }
        for var in &rule.vars {
            let value = self.expr(var.value);
            self.line(0, &format!("variable {} = {value}", var.name));
        }
        for action in &rule.actions {
            self.line(0, &format!("action \"{}\"", action.label));
            self.statements(&action.statements);
        }
        for auto in &rule.autos {
            let starts = self.starts(auto);
            self.line(0, &format!("auto {starts}"));
            self.statements(&auto.statements);
        }
        for (index, targets) in rule.filters.iter().enumerate() {
            let targets: Vec<String> = targets.iter().map(|target| self.target(target)).collect();
            self.line(0, &format!("list {index}: {}", targets.join("; ")));
        }
    }

    fn starts(&self, auto: &Auto) -> String {
        let events = match &auto.kind {
            AutoKind::Entering => return "when it enters".to_string(),
            AutoKind::Continuous => return "as long as its conditions hold".to_string(),
            AutoKind::Events(events) => events,
        };
        let words = events.iter().map(|event| {
            let mut word = match event.scope {
                Scope::My => format!("my {}", event.name),
                Scope::Opp => format!("opponent's {}", event.name),
                Scope::Any => format!("any {}", event.name),
            };
            for (holds, suffix) in [
                (event.any, ", of any card"),
                (event.once, ", once"),
                (event.this, ", by this card"),
            ] {
                word.push_str(if holds { suffix } else { "" });
            }
            if let Some(test) = event.test {
                let _ = write!(word, ", if {}", self.expr(test));
            }
            word
        });
        format!("on {}", words.collect::<Vec<_>>().join("; "))
    }

    fn statements(&mut self, statements: &[RuleStatement]) {
        for statement in statements {
            for cost in &statement.costs {
                let cost = match cost {
                    RuleCost::Freeze => "freeze this".to_string(),
                    RuleCost::SacrificeSelf => "sacrifice this".to_string(),
                    RuleCost::Sacrifice(target) => format!("sacrifice {}", self.target(target)),
                    RuleCost::Discard(target) => format!("discard {}", self.target(target)),
                };
                self.line(1, &format!("cost: {cost}"));
            }
            match &statement.kind {
                StatementKind::Plain(branch) => self.branch(1, branch),
                StatementKind::May { question, body } => {
                    self.line(1, &format!("may {:?}", question.as_deref().unwrap_or("use it")));
                    self.branch(2, body);
                }
                StatementKind::If { arms, otherwise } => {
                    for (index, (test, branch)) in arms.iter().enumerate() {
                        let word = if index == 0 { "if" } else { "else if" };
                        let test = self.expr(*test);
                        self.line(1, &format!("{word} {test}"));
                        self.branch(2, branch);
                    }
                    if let Some(branch) = otherwise {
                        self.line(1, "else");
                        self.branch(2, branch);
                    }
                }
            }
        }
    }

    fn branch(&mut self, depth: usize, branch: &RuleBranch) {
        self.effects(depth, &branch.effects);
        if let Some(clause) = &branch.to {
            self.clause(depth + 1, "to", clause);
        }
        if let Some(restriction) = branch.restriction {
            self.line(depth + 1, until(restriction));
        }
    }

    fn effects(&mut self, depth: usize, effects: &Few<RuleEffect>) {
        for (index, effect) in effects.iter().enumerate() {
            let joiner = match effect.joiner {
                EffectJoiner::Then => "",
                EffectJoiner::AndThen => "if that worked: ",
                EffectJoiner::OrElse => "if that failed: ",
            };
            let asked = if effect.optional { "perhaps " } else { "" };
            let joiner = if index == 0 { "" } else { joiner };
            match &effect.kind {
                RuleEffectKind::Grant(keyword) => self.line(depth, &format!("{joiner}give {keyword}")),
                RuleEffectKind::Remove(keyword) => self.line(depth, &format!("{joiner}take {keyword}")),
                RuleEffectKind::Command(Command::Each(each)) => {
                    let over = self.group(&each.over);
                    self.line(depth, &format!("{joiner}{asked}each {over}"));
                    self.effects(depth + 1, &each.body);
                }
                RuleEffectKind::Command(command) => {
                    let command = self.command(command);
                    self.line(depth, &format!("{joiner}{asked}{command}"));
                }
            }
        }
    }

    /// The command with its arguments, as they were understood.
    fn command(&self, command: &Command) -> String {
        let mut arguments = ListedArguments {
            lister: self,
            written: Vec::new(),
        };
        command.visit(&mut arguments);
        format!("{}({})", command.name(), arguments.written.join(", "))
    }

    fn group(&self, over: &EachGroup) -> String {
        match over {
            EachGroup::Found(target) => self.target(target),
            EachGroup::Mapped { value, list } => format!("{} in {}", self.expr(*value), self.expr(*list)),
        }
    }

    fn number(&self, number: NumberArgument) -> String {
        match number {
            NumberArgument::Literal(number) => number.to_string(),
            NumberArgument::Computed(expr) => self.expr(expr),
        }
    }

    fn expr(&self, expr: FormulaId) -> String {
        let formula = self.rule.formulas.get(usize::from(expr.0));
        formula.map_or_else(String::new, |formula| format!("`{}`", formula.text))
    }

    // ---- Targets ----

    fn clause(&mut self, depth: usize, word: &str, clause: &TargetClause) {
        let targets: Vec<String> = clause.targets.iter().map(|target| self.target(target)).collect();
        let optional = if clause.optional { " (may be none)" } else { "" };
        self.line(depth, &format!("{word} {}{optional}", targets.join("; ")));
    }

    fn target(&self, target: &Target) -> String {
        let mut text = match target.quantity {
            TargetQuantity::Default => String::new(),
            TargetQuantity::Between(count) if count.max == u16::MAX => "any number of ".to_string(),
            TargetQuantity::Between(count) if count.min == count.max => format!("{} of ", count.min),
            TargetQuantity::Between(count) => format!("{} to {} of ", count.min, count.max),
            TargetQuantity::Random(count) => format!("{count} random of "),
        };
        let kinds = |items: &[TypeItem], joiner: &str| {
            let items: Vec<String> = items.iter().map(|item| self.type_item(item)).collect();
            items.join(joiner)
        };
        text.push_str(&match &target.kind {
            TargetKind::Either(items) => kinds(items, " or "),
            TargetKind::Each(items) => kinds(items, " and "),
            TargetKind::Computed(expr) => self.expr(*expr),
        });
        match target.pick {
            Some(pick) if pick < 0 => _ = write!(text, ", the last {}", pick.unsigned_abs()),
            Some(pick) => _ = write!(text, ", the first {pick}"),
            None => {}
        }
        let alternatives: Vec<String> = target
            .filters
            .iter()
            .map(|all| {
                let all: Vec<String> = all.iter().map(|filter| self.filter(filter)).collect();
                all.join(" and ")
            })
            .collect();
        if !alternatives.is_empty() {
            let _ = write!(text, " that is {}", alternatives.join(", or "));
        }
        if !matches!(target.kind, TargetKind::Computed(_)) {
            text.push_str(&zone(target.zone));
        }
        if let Some(not) = target.not {
            let _ = write!(text, " but not {}", self.expr(not));
        }
        text
    }

    fn type_item(&self, item: &TypeItem) -> String {
        let mut text = String::new();
        text.push_str(if item.plural { "every " } else { "" });
        text.push_str(if item.not_source { "other " } else { "" });
        text.push_str(if item.negated { "non-" } else { "" });
        match item.what {
            TargetType::Player => text.push_str("player"),
            TargetType::Me => text.push_str("me"),
            TargetType::Opp => text.push_str("opponent"),
            TargetType::This => text.push_str("this"),
            TargetType::Card(test) => {
                if let Some(subtype) = test.subtype {
                    let known = self.labels.subtypes.get(usize::from(subtype.0));
                    let _ = write!(text, "{} ", known.map_or("unknown", String::as_str));
                }
                text.push_str(test.card_type.map_or("card", |card_type| card_type.word()));
                if let Some(name) = test.name {
                    let known = self.labels.names.get(usize::from(name.0));
                    let _ = write!(text, " \"{}\"", known.map_or("unknown", String::as_str));
                }
            }
        }
        text
    }

    fn filter(&self, filter: &TargetFilter) -> String {
        let test = match filter.test {
            FilterTest::Bp(compare, value) => format!("bp {} {value}", sign(compare)),
            FilterTest::Sp(compare, value) => format!("sp {} {value}", sign(compare)),
            FilterTest::BpLowest => "of the lowest bp".to_string(),
            FilterTest::Type(card_type) => card_type.word().to_string(),
            FilterTest::Subtype(subtype) => {
                let known = self.labels.subtypes.get(usize::from(subtype.0));
                known.map_or("unknown", String::as_str).to_string()
            }
            flag @ (FilterTest::BackedUp
            | FilterTest::Attack
            | FilterTest::UAttack
            | FilterTest::Block
            | FilterTest::Blocked
            | FilterTest::Frozen
            | FilterTest::Fresh
            | FilterTest::Powerful
            | FilterTest::Powerless
            | FilterTest::AbInstant
            | FilterTest::AbTrigger
            | FilterTest::AbAuto) => format!("{flag:?}").to_lowercase(),
        };
        format!("{}{test}", if filter.negated { "not " } else { "" })
    }
}

/// The arguments of a command, each as it would be written.
struct ListedArguments<'l, 'a> {
    lister: &'l Lister<'a>,
    written: Vec<String>,
}

impl ListedArguments<'_, '_> {
    fn add(&mut self, text: String) {
        self.written.push(text);
    }
}

impl ArgumentVisitor for ListedArguments<'_, '_> {
    fn card(&mut self, card: FormulaId) {
        self.add(self.lister.expr(card));
    }

    fn number(&mut self, number: NumberArgument) {
        self.add(self.lister.number(number));
    }

    fn amount(&mut self, amount: Amount) {
        self.add(match amount {
            Amount::Add(NumberArgument::Literal(number)) => format!("{number:+}"),
            Amount::Add(number) => self.lister.number(number),
            Amount::Times(number) => format!("x{}", self.lister.number(number)),
            Amount::Set(number) => format!("={}", self.lister.number(number)),
        });
    }

    fn cost_amount(&mut self, amount: CostAmount) {
        self.add(match amount {
            CostAmount::Add(number) => format!("{number:+}"),
            CostAmount::Set(number) => format!("={number}"),
        });
    }

    fn cost_kind(&mut self, kind: CostKind) {
        self.add(kind.to_string());
    }

    fn phase(&mut self, phase: PhaseName) {
        self.add(phase.to_string());
    }

    fn pile_name(&mut self, pile: PileName) {
        self.add(pile.to_string());
    }

    fn pile_view(&mut self, view: PileViewState) {
        self.add(view.to_string());
    }

    fn flag(&mut self, flag: RuleFlag) {
        self.add(flag.to_string());
    }

    fn flag_value(&mut self, value: RuleValue) {
        match value {
            RuleValue::Bool(on) => self.add(on.to_string()),
            RuleValue::Limit(limit) => self.add(limit.to_string()),
        }
    }

    fn reveal(&mut self, reveal: bool) {
        self.add(reveal.to_string());
    }

    fn freezing(&mut self, how: Freezing) {
        match how {
            Freezing::Freezes => {}
            Freezing::Toggles => self.add("toggle".to_owned()),
        }
    }

    fn target(&mut self, target: &Target) {
        self.add(self.lister.target(target));
    }

    fn each(&mut self, each: &EachEffect) {
        self.add(self.lister.group(&each.over));
    }

    fn pile(&mut self, pile: PileRef) {
        self.add(pile_word(Some(pile.whose), pile.name));
    }

    fn some_pile(&mut self, (whose, name): (Option<Whose>, PileName)) {
        self.add(pile_word(whose, name));
    }

    fn position(&mut self, position: PilePosition) {
        self.add(match position {
            PilePosition::FromTop(above) => above.to_string(),
            PilePosition::FromBottom(below) => format!("-{}", u32::from(below) + 1),
            PilePosition::Ask => "?".to_owned(),
        });
    }

    fn transform(&mut self, into: Transform) {
        self.add(match into {
            Transform::Like(card) => self.lister.expr(card),
            Transform::Model(model) => {
                let name = model.and_then(|model| self.lister.labels.models.get(usize::from(model.0)));
                format!("{:?}", name.map_or("unknown", String::as_str))
            }
        });
    }
}

/// A pile as rules name it: `myDeck`.
fn pile_word(whose: Option<Whose>, name: PileName) -> String {
    let prefix = match whose {
        None => return name.to_string(),
        Some(Whose::Mine) => "my",
        Some(Whose::Opponent) => "opp",
        Some(Whose::Controller) => "ctrl",
    };
    let (first, rest) = name.word().split_at(1);
    format!("{prefix}{}{rest}", first.to_uppercase())
}

fn sign(compare: FilterComparison) -> &'static str {
    match compare {
        FilterComparison::Equal => "==",
        FilterComparison::NotEqual => "!=",
        FilterComparison::Less => "<",
        FilterComparison::LessOrEqual => "<=",
        FilterComparison::Greater => ">",
        FilterComparison::GreaterOrEqual => ">=",
    }
}

fn zone(zone: Zone) -> String {
    let side = match zone.side {
        ZoneSide::Mine => "my",
        ZoneSide::Opponent => "the opponent's",
        ZoneSide::Controller => "the controller's",
        ZoneSide::Same => "one",
        ZoneSide::Any => "either",
    };
    match zone.place {
        ZonePlace::Arena => String::new(),
        ZonePlace::Ring => format!(" in {side} ring"),
        ZonePlace::InFront => " in front".to_string(),
        ZonePlace::Pile(pile) => format!(" in {side} {pile}"),
    }
}

fn until(restriction: Restriction) -> &'static str {
    match (restriction.opponent, restriction.until) {
        (false, RestrictionEnd::EndOfTurn) => "until the end of my turn",
        (false, RestrictionEnd::NextTurn) => "until my next turn",
        (false, RestrictionEnd::NextAction) => "until my next action card",
        (true, RestrictionEnd::EndOfTurn) => "until the end of the opponent's turn",
        (true, RestrictionEnd::NextTurn) => "until the opponent's next turn",
        (true, RestrictionEnd::NextAction) => "until the opponent's next action card",
    }
}
