//! The demo game speaks the whole language: every word of the language's tables stands in a compiled
//! rule of it. A word that nobody uses is a word that no duel of ours has ever run.

use std::collections::BTreeSet;
use std::path::Path;

use cw_duel::{AbilityKind, Game};
use cw_formula::{ATTRIBUTES, FUNCTIONS, NAMES};
use cw_load::load;
use cw_octgn::Folder;
use cw_program::{
    Amount, ArgumentVisitor, AutoKind, CardType, ClosedWord, Command, CommandName, CompiledRule, CostAmount,
    CostKind, EachEffect, EachGroup, EffectJoiner, EventName, FilterComparison, FilterFlag, FilterTest,
    Keyword, NumberArgument, PhaseName, PileName, PilePosition, PileRef, PileViewState, Restriction,
    RestrictionEnd, RuleBranch, RuleCost, RuleEffect, RuleEffectKind, RuleFlag, RuleStatement, Scope,
    StatementKind, Target, TargetClause, TargetKind, TargetQuantity, TargetType, Transform, Whose, ZonePlace,
    ZoneSide,
};

/// R301–R1047, G189, G253, G258: nothing of the language is missing from the demo game.
#[test]
fn the_demo_game_uses_the_whole_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.expect("the demo game can be played");
    let used = used_by(&game);
    let missing: Vec<String> = vocabulary()
        .into_iter()
        .filter(|word| !used.contains(word))
        .collect();
    assert!(missing.is_empty(), "no card uses {missing:#?}");
}

/// Every word that a rule can use, with its kind in front.
fn vocabulary() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |kind: &str, word: &str| all.insert(format!("{kind} {}", word.to_lowercase()));
    for command in CommandName::ALL {
        add("command", command.word());
    }
    for cost in ["{f}", "{s}", "{s(target)}", "{d}", "{d(n)}", "{d(target)}"] {
        add("cost", cost);
    }
    for event in EventName::ALL {
        add("event", event.word());
    }
    for scope in Scope::ALL {
        add("event prefix", scope.word());
    }
    for suffix in ["this", "any", "once", "condition"] {
        add("event suffix", suffix);
    }
    for kind in ["instant", "triggered", "auto"] {
        add("ability kind", kind);
    }
    for auto in ["with events", "on entering", "continuous"] {
        add("auto", auto);
    }
    for keyword in Keyword::ALL {
        add("ability", keyword.word());
    }
    for ability in ["printed", "granted", "removed"] {
        add("ability is", ability);
    }
    for until in ["ueot", "uynt", "unac"] {
        add("restriction", until);
        add("restriction", &format!("opp{until}"));
    }
    for flag in RuleFlag::ALL {
        add("rule", flag.word());
    }
    for kind in CostKind::ALL {
        add("cost of", kind.word());
    }
    for flag in FilterFlag::ALL {
        add("filter", flag.word());
    }
    for filter in ["bp:lowest", "bp", "sp", "type", "subtype", "not", "and", "or"] {
        add("filter", filter);
    }
    for compare in ["==", "<=", ">="] {
        add("comparison", compare);
    }
    for place in ["arena", "ring", "infront"] {
        add("zone", place);
    }
    for pile in PileName::ALL {
        add("zone", pile.word());
    }
    for side in ["my", "opp", "ctrl", "same", "any"] {
        add("zone prefix", side);
    }
    for condition in ["if", "elif", "else", "may", "may with a question", "none"] {
        add("condition", condition);
    }
    for selector in ["::not", "pick", "<n>", "<a,b>", "<**>", "<r>", "^", "!", "plural"] {
        add("selector", selector);
    }
    for joiner in ["&", "&&", "||", "cmd?", "to?", "target?"] {
        add("form", joiner);
    }
    for what in [
        "player",
        "me",
        "opp",
        "this",
        "*",
        "name",
        "subtype",
        "expression",
        "a,b",
        "a&b",
    ] {
        add("target", what);
    }
    for card_type in CardType::ALL {
        add("target", card_type.word());
    }
    for amount in ["n", "x", "=", "expression"] {
        add("amount", amount);
    }
    for place in ["top", "below the top", "bottom", "?"] {
        add("position", place);
    }
    for key in [
        "abilities",
        "requisite",
        "target",
        "vars",
        "action",
        "auto",
        "label",
    ] {
        add("key", key);
    }
    for each in ["mapped", "found"] {
        add("each", each);
    }
    for whose in ["my", "opp", "ctrl"] {
        add("pile of", whose);
    }
    for pile in PileName::ALL {
        add("pile", pile.word());
    }
    add("reveal", "a pile");
    for into in ["a model", "a card"] {
        add("transform into", into);
    }
    for name in NAMES {
        add("name", name.word);
    }
    for attribute in ATTRIBUTES {
        add("attribute", attribute.word);
    }
    for function in FUNCTIONS {
        // Another spelling of a function is no function of its own.
        if function.word != "isCharacter" {
            add("function", function.word);
        }
    }
    all
}

fn used_by(game: &Game) -> BTreeSet<String> {
    let mut used = Used::default();
    for model in &game.models {
        let Some(program) = &model.program else { continue };
        if let Some(ability) = &model.ability {
            used.add(
                "ability kind",
                match ability.kind {
                    AbilityKind::Instant => "instant",
                    AbilityKind::Triggered => "triggered",
                    AbilityKind::Auto => "auto",
                },
            );
        }
        used.rule(&program.rule);
    }
    used.0
}

/// What was met on the walk through the rules.
#[derive(Default)]
struct Used(BTreeSet<String>);

/// The words in the arguments of a command.
struct Arguments<'u>(&'u mut Used);

impl ArgumentVisitor for Arguments<'_> {
    fn number(&mut self, number: NumberArgument) {
        self.0.number(number);
    }

    fn amount(&mut self, amount: Amount) {
        self.0.amount(amount);
    }

    fn cost_amount(&mut self, amount: CostAmount) {
        let word = match amount {
            CostAmount::Add(_) => "n",
            CostAmount::Set(_) => "=",
        };
        self.0.add("amount", word);
    }

    fn cost_kind(&mut self, kind: CostKind) {
        self.0.add("cost of", kind.word());
    }

    fn phase(&mut self, phase: PhaseName) {
        self.0.add("phase", phase.word());
    }

    fn pile_name(&mut self, _: PileName) {
        self.0.add("reveal", "a pile");
    }

    fn pile_view(&mut self, view: PileViewState) {
        self.0.add("pile view", view.word());
    }

    fn flag(&mut self, flag: RuleFlag) {
        self.0.add("rule", flag.word());
    }

    fn target(&mut self, target: &Target) {
        self.0.target(target);
    }

    fn each(&mut self, each: &EachEffect) {
        match &each.over {
            EachGroup::Mapped { .. } => self.0.add("each", "mapped"),
            EachGroup::Found(target) => {
                self.0.add("each", "found");
                self.0.target(target);
            }
        }
        each.body.iter().for_each(|effect| self.0.effect(effect));
    }

    fn pile(&mut self, pile: PileRef) {
        self.0.pile(pile);
    }

    fn position(&mut self, position: PilePosition) {
        self.0.position(position);
    }

    fn transform(&mut self, into: Transform) {
        let word = match into {
            Transform::Model(_) => "a model",
            Transform::Like(_) => "a card",
        };
        self.0.add("transform into", word);
    }
}

impl Used {
    fn add(&mut self, kind: &str, word: &str) {
        self.0.insert(format!("{kind} {}", word.to_lowercase()));
    }

    fn add_if(&mut self, holds: bool, kind: &str, word: &str) {
        if holds {
            self.add(kind, word);
        }
    }

    fn rule(&mut self, rule: &CompiledRule) {
        let CompiledRule {
            abilities,
            requisites,
            target,
            vars,
            actions,
            autos,
            formulas,
            filters,
            moved: _,
        } = rule;
        self.add_if(!abilities.is_empty(), "key", "abilities");
        for keyword in abilities {
            self.add("ability", keyword.word());
            self.add("ability is", "printed");
        }
        for target in requisites {
            self.add("key", "requisite");
            self.target(target);
        }
        if let Some(clause) = target {
            self.add("key", "target");
            self.clause(clause, "target?");
        }
        self.add_if(!vars.is_empty(), "key", "vars");
        for action in actions {
            self.add("key", "action");
            self.add_if(action.labelled, "key", "label");
            self.costs(action.costs());
            self.statements(&action.statements);
        }
        for auto in autos {
            self.add("key", "auto");
            self.costs(auto.costs());
            match &auto.kind {
                AutoKind::Entering => self.add("auto", "on entering"),
                AutoKind::Continuous => self.add("auto", "continuous"),
                AutoKind::Events(events) => {
                    self.add("auto", "with events");
                    for event in events {
                        self.add("event", event.name.word());
                        self.add("event prefix", event.scope.word());
                        self.add_if(event.any, "event suffix", "any");
                        self.add_if(event.once, "event suffix", "once");
                        self.add_if(event.this, "event suffix", "this");
                        self.add_if(event.test.is_some(), "event suffix", "condition");
                    }
                }
            }
            self.statements(&auto.statements);
        }
        for formula in formulas {
            assert!(formula.code.is_some(), "`{}` is no expression", formula.text);
            self.expression(&formula.text);
        }
        for target in filters.iter().flatten() {
            self.target(target);
        }
    }

    fn costs(&mut self, costs: &[RuleCost]) {
        for cost in costs {
            let word = match cost {
                RuleCost::Freeze => "{f}",
                RuleCost::SacrificeSelf => "{s}",
                RuleCost::Sacrifice(target) => {
                    self.target(target);
                    "{s(target)}"
                }
                RuleCost::Discard(target) => {
                    let any = |kind: &TargetKind| {
                        matches!(kind, TargetKind::Either(items)
                        if matches!(
                            items[..],
                            [item] if item.what == TargetType::Card(Default::default()) && !item.plural
                        ))
                    };
                    match target.quantity {
                        TargetQuantity::Default if any(&target.kind) => "{d}",
                        TargetQuantity::Between(count) if any(&target.kind) && count.min == count.max => {
                            "{d(n)}"
                        }
                        TargetQuantity::Between(_) | TargetQuantity::Default | TargetQuantity::Random(_) => {
                            self.target(target);
                            "{d(target)}"
                        }
                    }
                }
            };
            self.add("cost", word);
        }
    }

    fn statements(&mut self, statements: &[RuleStatement]) {
        for statement in statements {
            self.costs(&statement.costs);
            match &statement.kind {
                StatementKind::Plain(branch) => {
                    self.add("condition", "none");
                    self.branch(branch);
                }
                StatementKind::May { question, body } => {
                    self.add(
                        "condition",
                        if question.is_some() {
                            "may with a question"
                        } else {
                            "may"
                        },
                    );
                    self.branch(body);
                }
                StatementKind::If { arms, otherwise } => {
                    self.add("condition", "if");
                    self.add_if(arms.len() > 1, "condition", "elif");
                    arms.iter().for_each(|(_, branch)| self.branch(branch));
                    if let Some(branch) = otherwise {
                        self.add("condition", "else");
                        self.branch(branch);
                    }
                }
            }
        }
    }

    fn branch(&mut self, branch: &RuleBranch) {
        if let Some(clause) = &branch.to {
            self.clause(clause, "to?");
        }
        if let Some(Restriction { opponent, until }) = branch.restriction {
            let word = match until {
                RestrictionEnd::EndOfTurn => "ueot",
                RestrictionEnd::NextTurn => "uynt",
                RestrictionEnd::NextAction => "unac",
            };
            let prefix = if opponent { "opp" } else { "" };
            self.add("restriction", &format!("{prefix}{word}"));
        }
        branch.effects.iter().for_each(|effect| self.effect(effect));
    }

    fn clause(&mut self, clause: &TargetClause, optional: &str) {
        self.add_if(clause.optional, "form", optional);
        clause.targets.iter().for_each(|target| self.target(target));
    }

    fn effect(&mut self, effect: &RuleEffect) {
        self.add_if(effect.optional, "form", "cmd?");
        match effect.joiner {
            EffectJoiner::Then => self.add("form", "&"),
            EffectJoiner::AndThen => self.add("form", "&&"),
            EffectJoiner::OrElse => self.add("form", "||"),
        }
        match &effect.kind {
            RuleEffectKind::Command(command) => self.command(command),
            RuleEffectKind::Grant(keyword) => {
                self.add("ability", keyword.word());
                self.add("ability is", "granted");
            }
            RuleEffectKind::Remove(keyword) => {
                self.add("ability", keyword.word());
                self.add("ability is", "removed");
            }
        }
    }

    fn command(&mut self, command: &Command) {
        self.add("command", command.name().word());
        command.visit(&mut Arguments(self));
    }

    fn amount(&mut self, amount: Amount) {
        let (word, number) = match amount {
            Amount::Add(number) => ("n", number),
            Amount::Times(number) => ("x", number),
            Amount::Set(number) => ("=", number),
        };
        self.add("amount", word);
        self.number(number);
    }

    fn number(&mut self, number: NumberArgument) {
        match number {
            NumberArgument::Literal(_) => self.add("amount", "n"),
            NumberArgument::Computed(_) => self.add("amount", "expression"),
        }
    }

    fn position(&mut self, position: PilePosition) {
        let word = match position {
            PilePosition::FromTop(0) => "top",
            PilePosition::FromTop(_) => "below the top",
            PilePosition::FromBottom(_) => "bottom",
            PilePosition::Ask => "?",
        };
        self.add("position", word);
    }

    fn pile(&mut self, pile: PileRef) {
        let whose = match pile.whose {
            Whose::Mine => "my",
            Whose::Opponent => "opp",
            Whose::Controller => "ctrl",
        };
        self.add("pile of", whose);
        self.add("pile", pile.name.word());
    }

    fn target(&mut self, target: &Target) {
        let word = match target.quantity {
            TargetQuantity::Default => "one",
            TargetQuantity::Random(_) => "<r>",
            TargetQuantity::Between(count) if count.max == u16::MAX => "<**>",
            TargetQuantity::Between(count) if count.min == count.max => "<n>",
            TargetQuantity::Between(_) => "<a,b>",
        };
        self.add("selector", word);
        self.add_if(target.pick.is_some(), "selector", "pick");
        self.add_if(target.not.is_some(), "selector", "::not");
        let items = match &target.kind {
            TargetKind::Either(items) => {
                self.add_if(items.len() > 1, "target", "a,b");
                &items[..]
            }
            TargetKind::Each(items) => {
                self.add_if(items.len() > 1, "target", "a&b");
                &items[..]
            }
            TargetKind::Computed(_) => {
                self.add("target", "expression");
                &[]
            }
        };
        for item in items {
            self.add_if(item.not_source, "selector", "^");
            self.add_if(item.negated, "selector", "!");
            self.add_if(item.plural, "selector", "plural");
            match item.what {
                TargetType::Player => self.add("target", "player"),
                TargetType::Me => self.add("target", "me"),
                TargetType::Opp => self.add("target", "opp"),
                TargetType::This => self.add("target", "this"),
                TargetType::Card(test) => {
                    self.add_if(test == Default::default(), "target", "*");
                    self.add_if(test.name.is_some(), "target", "name");
                    self.add_if(test.subtype.is_some(), "target", "subtype");
                    if let Some(card_type) = test.card_type {
                        self.add("target", card_type.word());
                    }
                }
            }
        }
        self.add_if(target.filters.len() > 1, "filter", "or");
        for all in &target.filters {
            self.add_if(all.len() > 1, "filter", "and");
            for filter in all {
                self.add_if(filter.negated, "filter", "not");
                self.filter(filter.test);
            }
        }
        let (place, pile) = match target.zone.place {
            ZonePlace::Arena => ("arena", None),
            ZonePlace::Ring => ("ring", None),
            ZonePlace::InFront => ("infront", None),
            ZonePlace::Pile(pile) => ("", Some(pile)),
        };
        self.add("zone", pile.map_or(place, ClosedWord::word));
        let side = match target.zone.side {
            ZoneSide::Mine => "my",
            ZoneSide::Opponent => "opp",
            ZoneSide::Controller => "ctrl",
            ZoneSide::Same => "same",
            ZoneSide::Any => "any",
        };
        self.add("zone prefix", side);
    }

    fn filter(&mut self, test: FilterTest) {
        let flag = |flag: FilterFlag| flag.word();
        let word = match test {
            FilterTest::BackedUp => flag(FilterFlag::BackedUp),
            FilterTest::Attack => flag(FilterFlag::Attack),
            FilterTest::UAttack => flag(FilterFlag::UAttack),
            FilterTest::Block => flag(FilterFlag::Block),
            FilterTest::Blocked => flag(FilterFlag::Blocked),
            FilterTest::Frozen => flag(FilterFlag::Frozen),
            FilterTest::Fresh => flag(FilterFlag::Fresh),
            FilterTest::Powerful => flag(FilterFlag::Powerful),
            FilterTest::Powerless => flag(FilterFlag::Powerless),
            FilterTest::AbInstant => flag(FilterFlag::AbInstant),
            FilterTest::AbTrigger => flag(FilterFlag::AbTrigger),
            FilterTest::AbAuto => flag(FilterFlag::AbAuto),
            FilterTest::BpLowest => "bp:lowest",
            FilterTest::Bp(compare, _) => {
                self.compare(compare);
                "bp"
            }
            FilterTest::Sp(compare, _) => {
                self.compare(compare);
                "sp"
            }
            FilterTest::Type(_) => "type",
            FilterTest::Subtype(_) => "subtype",
        };
        self.add("filter", word);
    }

    fn compare(&mut self, compare: FilterComparison) {
        let word = match compare {
            FilterComparison::Equal => "==",
            FilterComparison::NotEqual => "!=",
            FilterComparison::Less => "<",
            FilterComparison::LessOrEqual => "<=",
            FilterComparison::Greater => ">",
            FilterComparison::GreaterOrEqual => ">=",
        };
        self.add("comparison", word);
    }

    /// The words of an expression: attributes stand after a dot, functions before a parenthesis.
    fn expression(&mut self, text: &str) {
        let mut rest = text;
        let mut before = ' ';
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if first == '\'' || first == '"' {
                let end = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
                rest = &rest[end..];
                before = first;
                continue;
            }
            if !is_word(first) {
                before = first;
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if before == '.' {
                self.add("attribute", word);
            } else if after.trim_start().starts_with('(') {
                self.add("function", word);
            } else {
                self.add("name", word);
            }
            before = 'a';
            rest = after;
        }
    }
}
