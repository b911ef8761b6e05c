//! Tree to program: every name is looked up once, here. What cannot be understood is reported
//! and left out, as a run would skip it (R609).

mod argument;
mod command;
mod expression;
mod phrases;
mod target;

pub(crate) use argument::{
    ArgumentKind, Bp, Card, CommandCall, CostChange, Discards, End, Flag, FlagValue, Form, Found, Loop,
    OfCost, OfTurn, OnePile, Optional, Perhaps, Place, RandomCards, SomePile, Sum, Switch, TargetsPile,
    Truth, Turned, View, Whole,
};
pub use target::{find_zone, zone_words};

use std::borrow::Cow;

use cw_formula::WordKind;
use cw_syntax as tree;
use cw_syntax::{Arena, PropertyValueSyntax, rs};
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Span, nearest, offset};

use crate::commands::{Command, CommandName};
use crate::rule::{
    Auto, AutoKind, CompiledRule, EffectJoiner, Few, PackageNames, Restriction, RestrictionEnd, RuleAction,
    RuleBranch, RuleCost, RuleEffect, RuleEffectKind, RuleStatement, StatementKind, TargetClause,
    TargetQuantity, TriggerEvent, Zone,
};
use crate::words::{ClosedWord, EventName, Keyword, Scope};

/// A program and what is wrong with the names in its text.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// What could be understood.
    pub rule: CompiledRule,
    /// What could not; empty for a good rule.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles one rule. `text` is the whole file that the tree was read from.
pub fn compile(file: FileId, text: &str, rule: &tree::RuleSyntax<'_>, names: &dyn PackageNames) -> Compiled {
    let mut out = Compiled::default();
    compile_into(&mut out, &Arena::new(), file, text, rule, names);
    out
}

/// As [`compile`], for who compiles many rules: what `out` held is replaced, its lists are used again,
/// and `arena` holds what is only needed meanwhile.
pub fn compile_into(
    out: &mut Compiled,
    arena: &Arena,
    file: FileId,
    text: &str,
    rule: &tree::RuleSyntax<'_>,
    names: &dyn PackageNames,
) {
    let Compiled {
        rule: program,
        diagnostics,
    } = out;
    program.clear();
    diagnostics.clear();
    let mut compiler = RuleCompiler {
        file,
        text,
        names,
        arena,
        out: diagnostics,
        rule: program,
        vars: Vec::new(),
        kinds: Vec::new(),
        in_each: false,
    };
    compiler.rule(rule);
}

/// The most actions of a rule, and the most groups of an `auto`.
const MOST_LISTS: usize = 200;
/// The most events of a trigger.
const MOST_EVENTS: usize = 16;
/// The most steps of a rule: each effect takes one, what stands around it a few more.
const MOST_STEPS: usize = 60_000;

/// Cuts what is longer than it may be; says whether it was.
fn shorten_to(most: usize, length: usize, cut: impl FnOnce(usize)) -> bool {
    let long = length > most;
    if long {
        cut(most);
    }
    long
}

/// How many steps a statement takes at most; it has no more parts of any kind.
fn steps_of(statement: &RuleStatement) -> usize {
    let of_branch = |branch: &RuleBranch| 2 + steps_of_effects(&branch.effects);
    let body = match &statement.kind {
        StatementKind::Plain(branch) => of_branch(branch),
        StatementKind::May { body, .. } => 1 + of_branch(body),
        StatementKind::If { arms, otherwise } => {
            let arms: usize = arms.iter().map(|(_, branch)| 3 + of_branch(branch)).sum();
            arms + otherwise.as_ref().map_or(0, of_branch)
        }
    };
    usize::from(!statement.costs.is_empty()) + body
}

fn steps_of_effects(effects: &[RuleEffect]) -> usize {
    let each = |effect: &RuleEffect| {
        let joined = usize::from(effect.joiner != EffectJoiner::Then);
        let body = match &effect.kind {
            RuleEffectKind::Command(Command::Each(each)) => 4 + steps_of_effects(&each.body),
            RuleEffectKind::Command(_) | RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => 1,
        };
        joined + body
    };
    effects.iter().map(each).sum()
}

/// How many findings of a rule come with a guess at what was meant.
const MOST_GUESSES: usize = 1_000;

pub(crate) struct RuleCompiler<'a> {
    file: FileId,
    text: &'a str,
    names: &'a dyn PackageNames,
    arena: &'a Arena,
    out: &'a mut Vec<Diagnostic>,
    rule: &'a mut CompiledRule,
    /// The user variables so far, in lower case (R304.5).
    vars: Vec<String>,
    /// What they hold, as far as it is known.
    kinds: Vec<WordKind>,
    /// Inside the effect of `each` (R622).
    in_each: bool,
}

impl<'a> RuleCompiler<'a> {
    fn rule(&mut self, rule: &tree::RuleSyntax<'a>) {
        // R109: the first of these wins.
        let keys = rule.keys();
        self.vars(keys.vars.unwrap_or_default());
        for word in keys.abilities.unwrap_or_default() {
            let keyword = self.keyword(*word);
            self.rule.abilities.extend(keyword);
        }
        if let Some(PropertyValueSyntax::Requisite(targets)) = keys.requisite.map(|property| &property.value)
        {
            for target in *targets {
                let target = self.target(target);
                self.rule.requisites.push(target);
            }
        }
        self.rule.target = keys.target.map(|clause| self.clause(clause));
        self.rule.actions.reserve_exact(keys.actions);
        let mut labels = rule
            .properties
            .iter()
            .filter_map(|property| match &property.value {
                PropertyValueSyntax::Label(label) => Some(label.text.text),
                PropertyValueSyntax::Target(_)
                | PropertyValueSyntax::Requisite(_)
                | PropertyValueSyntax::Vars(_)
                | PropertyValueSyntax::Abilities(_)
                | PropertyValueSyntax::Action(_)
                | PropertyValueSyntax::Auto(_) => None,
            });
        for property in rule.properties {
            if let PropertyValueSyntax::Action(statements) = &property.value {
                self.action(statements, property.span, labels.next());
            }
        }
        self.autos(keys.auto.unwrap_or_default());
        if let Some(last) = rule.properties.last() {
            self.limits(last.span);
        }
    }

    /// A rule larger than anything real is cut and refused: what runs it counts its lists in a byte, the
    /// events of a trigger in the bits of two, and its steps in two bytes.
    fn limits(&mut self, span: Span) {
        let rule = &mut *self.rule;
        let events = rule.autos.iter_mut().filter_map(|auto| match &mut auto.kind {
            AutoKind::Events(events) => Some(events),
            AutoKind::Entering | AutoKind::Continuous => None,
        });
        let mut beyond = Vec::new();
        if events.fold(false, |cut, events| {
            cut | shorten_to(MOST_EVENTS, events.len(), |most| events.truncate(most))
        }) {
            beyond.push((MOST_EVENTS, "events of a trigger"));
        }
        if shorten_to(MOST_LISTS, rule.actions.len(), |most| rule.actions.truncate(most)) {
            beyond.push((MOST_LISTS, "actions"));
        }
        if shorten_to(MOST_LISTS, rule.autos.len(), |most| rule.autos.truncate(most)) {
            beyond.push((MOST_LISTS, "groups of an auto"));
        }
        let actions = rule.actions.iter_mut().map(|action| &mut action.statements);
        let lists = actions.chain(rule.autos.iter_mut().map(|auto| &mut auto.statements));
        let mut left = MOST_STEPS;
        for statements in lists {
            let fits = statements.iter().take_while(|statement| {
                let steps = steps_of(statement);
                let fits = steps <= left;
                left = left.saturating_sub(steps);
                fits
            });
            let fits = fits.count();
            if fits < statements.len() {
                statements.truncate(fits);
                left = 0;
                beyond.push((MOST_STEPS, "steps"));
            }
        }
        beyond.dedup();
        for (most, what) in beyond {
            self.add(
                rs::RS043,
                span,
                format!("beyond the limits of card rules: more than {most} {what}"),
            );
        }
    }

    // ---- Findings ----

    fn add(&mut self, lint: tree::Lint, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.out.push(lint.at(self.file, span, message));
        self.out.last_mut().expect("one was pushed")
    }

    fn help(&mut self, lint: tree::Lint, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.add(lint, span, message).help = Some(help.into());
    }

    /// Says more about what was found last.
    fn last_help(&mut self, help: &str) {
        if let Some(found) = self.out.last_mut() {
            found.help = Some(help.to_owned());
        }
    }

    /// With a replacement for the span itself.
    fn replace(
        &mut self,
        lint: tree::Lint,
        span: Span,
        message: impl Into<String>,
        safety: Safety,
        text: &str,
    ) {
        let file = self.file;
        self.add(lint, span, message).fix = Some(FindingFix::one(
            if text.is_empty() {
                "remove it".to_string()
            } else {
                format!("replace with `{text}`")
            },
            safety,
            file,
            span,
            text.to_string(),
        ));
    }

    /// The nearest of some names. In a rule with very many findings there is none: nobody reads them.
    fn nearest<'w>(&self, word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
        (self.out.len() < MOST_GUESSES)
            .then(|| nearest(word, known))
            .flatten()
    }

    /// An unknown name, with the nearest known one, or else the list of them.
    fn unknown<'w>(
        &mut self,
        lint: tree::Lint,
        what: &str,
        word: tree::WordSyntax<'_>,
        known: impl Iterator<Item = &'w str> + Clone,
    ) {
        let message = format!("unknown {what} `{}`", shorten(word.text));
        let near = self
            .nearest(word.text, known.clone())
            .or_else(|| longer_or_shorter(word.text, known.clone()))
            .or_else(|| with_the_same_word(word.text, known.clone()));
        match near {
            Some(near) => {
                let message = format!("{message}; did you mean `{near}`?");
                self.replace(lint, word.span, message, Safety::Unsafe, near);
            }
            None => {
                let known: Vec<&str> = known.take(12).collect();
                self.help(
                    lint,
                    word.span,
                    message,
                    format!("known are {}", known.join(", ")),
                );
            }
        }
    }

    /// Looks a word up in a closed set.
    fn find<W: ClosedWord>(&mut self, lint: tree::Lint, what: &str, word: tree::WordSyntax<'_>) -> Option<W> {
        let found = W::find(word.text);
        if found.is_none() {
            self.unknown(lint, what, word, W::ALL.iter().map(|known| known.word()));
        }
        found
    }

    fn keyword(&mut self, word: tree::WordSyntax<'_>) -> Option<Keyword> {
        let found = Keyword::find(word.text);
        if found.is_none() {
            self.unknown_keyword(word);
        }
        found
    }

    /// Reports a word that names no keyword ability, with the nearest one (finding RS013).
    fn unknown_keyword(&mut self, word: tree::WordSyntax<'_>) {
        let lower = word.text.to_lowercase();
        let message = format!("unknown ability `{}`", shorten(word.text));
        let parts: Vec<&str> = lower
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|part| !part.is_empty() && *part != "and")
            .collect();
        if parts.len() > 1 && parts.iter().all(|part| Keyword::find(part).is_some()) {
            let list = parts.join(", ");
            self.replace(rs::RS013, word.span, message, Safety::Unsafe, &list);
            self.last_help("abilities are separated by `,`");
            return;
        }
        let is_sign = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
        if let Some((first, _)) = lower.split_once(is_sign)
            && Keyword::find(first).is_some()
            && parts.len() > 1
        {
            let words = ["to", "if", "when", "while", "ueot", "uynt", "until", "for"];
            let help = match parts.iter().any(|part| words.contains(part)) {
                true => format!(
                    "`abilities` lists those that this card itself always has; \
                     give others, or for a time only, with an effect: \
                     `auto = +{first} to(characters@myRing)`, `auto = [[if alone]] +{first}`"
                ),
                false => "write abilities alone, separated by `,`: `abilities = rush, pierce`".to_owned(),
            };
            self.help(rs::RS013, word.span, message, help);
            return;
        }
        let near = self.nearest(&lower, Keyword::ALL.iter().map(|known| known.word()));
        match phrases::of_ability(&lower).filter(|_| near.is_none()) {
            Some(meant) => self.help(rs::RS013, word.span, message, meant),
            None => self.unknown(
                rs::RS013,
                "ability",
                word,
                Keyword::ALL.iter().map(|known| known.word()),
            ),
        }
    }

    fn is_variable(&self, word: &str) -> bool {
        is_variable(word)
            || self
                .rule
                .vars
                .iter()
                .any(|var| word.eq_ignore_ascii_case(&var.name))
    }

    // ---- Statements ----

    /// Adds an action; its statements are written where they will lie.
    fn action(&mut self, statements: &[tree::StatementSyntax<'a>], span: Span, label: Option<&str>) {
        let written = label.filter(|label| !label.is_empty());
        let label = match written {
            Some(label) => label.to_string().into(),
            None => self.default_label(statements),
        };
        let at = self.rule.actions.len();
        self.rule.actions.push(RuleAction {
            label,
            labelled: written.is_some(),
            statements: Vec::with_capacity(statements.len()),
            span,
        });
        for statement in statements {
            let compiled = self.statement(statement);
            self.rule.actions[at].statements.push(compiled);
        }
    }

    /// Names an action that has no label after the first command of its first statement (R307).
    fn default_label(&self, statements: &[tree::StatementSyntax<'a>]) -> Cow<'static, str> {
        let first = statements.first().map(|statement| &statement.body);
        let branch = match first {
            Some(tree::StatementBody::Plain(branch) | tree::StatementBody::May { branch, .. }) => {
                Some(branch)
            }
            Some(tree::StatementBody::If { arms, .. }) => arms.first().map(|arm| &arm.branch),
            None => None,
        };
        let name = branch.and_then(|branch| {
            branch.effects.iter().find_map(|effect| match effect.kind {
                tree::EffectSyntaxKind::Call { name, .. } => CommandName::find(name.text),
                tree::EffectSyntaxKind::Ability { .. } => None,
            })
        });
        match name {
            Some(name) => readable(name).into(),
            None => format!("Action {}", self.rule.actions.len() + 1).into(),
        }
    }

    /// Cuts an `auto` into groups that share a trigger (D23).
    fn autos(&mut self, statements: &[tree::StatementSyntax<'a>]) {
        let mut from = 0;
        while from < statements.len() {
            let more = statements[from + 1..]
                .iter()
                .position(|statement| statement.trigger.is_some());
            let to = more.map_or(statements.len(), |more| from + 1 + more);
            self.auto(&statements[from..to]);
            from = to;
        }
    }

    fn auto(&mut self, statements: &[tree::StatementSyntax<'a>]) {
        let mut events = Few::new();
        if let Some(trigger) = statements[0].trigger {
            events.extend(trigger.events.iter().filter_map(|event| self.event(event)));
        }
        let at = self.rule.autos.len();
        self.rule.autos.push(Auto {
            kind: AutoKind::Events(events),
            statements: Vec::with_capacity(statements.len()),
            span: statements[0].span.to(statements[statements.len() - 1].span),
        });
        for statement in statements {
            let compiled = self.statement(statement);
            self.rule.autos[at].statements.push(compiled);
        }
        if statements[0].trigger.is_none() {
            self.rule.autos[at].kind = self.eventless(statements, at);
        }
    }

    /// What an auto without trigger is: continuous (D24), listening to hands (R509), or run once (R902).
    fn eventless(&mut self, statements: &[tree::StatementSyntax<'a>], auto: usize) -> AutoKind {
        let mut events: Few<TriggerEvent> = Few::new();
        for statement in statements {
            let tree::StatementBody::If { arms, .. } = &statement.body else {
                continue;
            };
            for arm in *arms {
                if let Some(event) = self.implicit_event(arm.test)
                    && events.iter().all(|known| known.scope != event.scope)
                {
                    events.push(event);
                }
            }
        }
        if self.rule.autos[auto].statements.iter().all(is_continuous) {
            return AutoKind::Continuous;
        }
        if events.is_empty() {
            AutoKind::Entering
        } else {
            AutoKind::Events(events)
        }
    }

    /// Finds the event that a condition on the size of a hand listens to, and reports it (R509, RS030).
    fn implicit_event(&mut self, test: tree::WordSyntax<'_>) -> Option<TriggerEvent> {
        let end = test
            .text
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.'))
            .unwrap_or(test.text.len());
        let lead = test.text[..end].to_ascii_lowercase();
        let scope = match lead.as_str() {
            "me.hand.size" | "hand.size" | "myhand.size" => Scope::My,
            "opp.hand.size" | "opphand.size" => Scope::Opp,
            "anyhand.size" => Scope::Any,
            _ => return None,
        };
        let span = Span::between(test.span.start, test.span.start + offset(end));
        let event = if scope == Scope::Opp {
            "oppHandChanges"
        } else {
            "myHandChanges"
        };
        self.help(
            rs::RS030,
            span,
            "this condition listens to the hand without saying so",
            format!("write the event: `~{event}~`"),
        );
        Some(TriggerEvent {
            scope,
            name: EventName::HandChanges,
            any: false,
            once: false,
            this: false,
            test: None,
            span,
        })
    }

    /// Compiles an event with its scope and suffixes (R905–R910).
    fn event(&mut self, event: &tree::EventSyntax<'a>) -> Option<TriggerEvent> {
        let (scope, name) = self.event_name(event.name)?;
        let form = name.form();
        let mut read = TriggerEvent {
            scope,
            name,
            any: false,
            once: false,
            this: false,
            test: None,
            span: event.span,
        };
        for suffix in event.suffixes {
            if suffix.is("any") {
                read.any = true;
            } else if suffix.is("once") {
                read.once = true;
            } else if suffix.is("this") || suffix.is("fromthis") {
                // `:this` says that the card carried by an event without object is the source (D20).
                read.this = form.object.is_none() && form.trigger.is_some();
                if form.object.is_none() && form.trigger.is_none() {
                    let with_colon = Span::between(suffix.span.start - 1, suffix.span.end);
                    let message = format!("`{name}` is tied to no card, so `:{}` says nothing", suffix.text);
                    self.replace(rs::RS016, with_colon, message, Safety::Safe, "");
                }
            } else {
                if self.is_test(*suffix) {
                    let before = self.out.len();
                    read.test = Some(self.test(*suffix));
                    if self.out.len() > before && (suffix.is("opp") || suffix.is("me")) {
                        self.last_help("write whose event it is in front of it, as in `oppEndPhase`");
                    }
                }
            }
        }
        Some(read)
    }

    /// Whether a suffix is a condition (R909); an unknown word is reported.
    fn is_test(&mut self, suffix: tree::WordSyntax<'_>) -> bool {
        let known = ["action", "reaction", "char"];
        let is_name = cw_formula::NameWord::find(&suffix.text.to_lowercase()).is_some();
        if is_name || known.iter().any(|known| suffix.is(known)) || self.is_variable(suffix.text) {
            return true;
        }
        let known = ["this", "fromThis", "any", "once", "action", "reaction", "char"];
        self.unknown(rs::RS016, "event suffix", suffix, known.into_iter());
        if self.out.last().is_some_and(|found| found.fix.is_none()) {
            let name = suffix.text.to_lowercase();
            let help = format!(
                "suffixes are this, fromThis, any, once, action, reaction and char; \
                 to ask for more, use a condition: `[[if trigger.subtype == '{name}']]`"
            );
            self.last_help(&help);
        }
        false
    }

    fn event_name(&mut self, word: tree::WordSyntax<'_>) -> Option<(Scope, EventName)> {
        let found = event_name(word.text);
        if found.is_none() {
            self.unknown_event(word);
        }
        found
    }

    fn unknown_event(&mut self, word: tree::WordSyntax<'_>) {
        let lower = word.text.to_ascii_lowercase();
        for (dotted, prefix) in [
            ("me.", "my"),
            ("my.", "my"),
            ("opp.", "opp"),
            ("any.", "any"),
            ("this.", ""),
            ("self.", ""),
        ] {
            if let Some(rest) = lower.strip_prefix(dotted)
                && let Some(name) = EventName::find(rest)
            {
                let text = with_prefix(prefix, name.word());
                self.replace(
                    rs::RS015,
                    word.span,
                    "an event's prefix has no dot",
                    Safety::Safe,
                    &text,
                );
                return;
            }
        }
        let prefix = Scope::ALL
            .iter()
            .map(|scope| scope.word())
            .find(|prefix| lower.starts_with(prefix))
            .unwrap_or_default();
        let rest = tree::WordSyntax {
            text: &word.text[prefix.len()..],
            span: word.span,
        };
        let known = EventName::ALL.iter().map(|known| known.word());
        let bare = phrases::without_when(rest.text);
        match self
            .nearest(rest.text, known.clone())
            .or_else(|| self.nearest(word.text, known.clone()))
            .or_else(|| self.nearest(bare?, known.clone()))
        {
            Some(near) => {
                let text = with_prefix(&word.text[..prefix.len()], near);
                let message = format!("unknown event `{}`; did you mean `{text}`?", shorten(word.text));
                self.replace(rs::RS015, word.span, message, Safety::Unsafe, &text);
            }
            None if lower.contains("cost") => self.help(
                rs::RS015,
                word.span,
                format!("unknown event `{}`", shorten(word.text)),
                "what costs is changed in `beforePayCostCharacter`, `beforePayCostAction`, \
                 `beforePayCostReaction`, `beforePayCostUa2` and `beforePayCostUa3`, \
                 with `opp` or `any` in front",
            ),
            None if ["enter", "play", "summon"].iter().any(|verb| lower.contains(verb)) => self.help(
                rs::RS015,
                word.span,
                format!("unknown event `{}`", shorten(word.text)),
                "what a card does when it is played goes in its `action`; for other cards, use `ringChanges`",
            ),
            None => match phrases::of_event(rest.text).or_else(|| phrases::of_event(word.text)) {
                Some(meant) => self.help(
                    rs::RS015,
                    word.span,
                    format!("unknown event `{}`", shorten(word.text)),
                    meant,
                ),
                None => self.unknown(rs::RS015, "event", word, known),
            },
        }
    }

    #[inline]
    fn statement(&mut self, statement: &tree::StatementSyntax<'a>) -> RuleStatement {
        let mut costs = Vec::with_capacity(statement.costs.len());
        for cost in statement.costs {
            costs.push(self.cost(cost));
        }
        RuleStatement {
            costs,
            kind: self.body(&statement.body),
            span: statement.span,
        }
    }

    /// R701–R706. The zone of a cost's target is forced.
    fn cost(&mut self, cost: &tree::CostSyntax<'a>) -> RuleCost {
        let sacrifice = cost.letter.is("s");
        if cost.letter.is("f") {
            return RuleCost::Freeze;
        }
        let mut target = match &cost.argument {
            tree::CostArgument::None if sacrifice => return RuleCost::SacrificeSelf,
            tree::CostArgument::None => target::any_cards(TargetQuantity::Default, cost.span),
            tree::CostArgument::Count(count) => target::any_cards(target::exactly(*count), cost.span),
            tree::CostArgument::Target(target) => self.target(target),
        };
        if sacrifice {
            target.zone = Zone::MY_RING;
            RuleCost::Sacrifice(target)
        } else {
            target.zone = Zone::MY_HAND;
            RuleCost::Discard(target)
        }
    }

    #[inline]
    fn body(&mut self, body: &tree::StatementBody<'a>) -> StatementKind {
        match body {
            tree::StatementBody::Plain(branch) => StatementKind::Plain(self.branch(branch)),
            tree::StatementBody::May { question, branch, .. } => StatementKind::May {
                question: question
                    .filter(|question| !question.is_empty())
                    .map(|question| question.text.into()),
                body: self.branch(branch),
            },
            tree::StatementBody::If { arms, otherwise } => StatementKind::If {
                arms: arms
                    .iter()
                    .map(|arm| (self.test(arm.test), self.branch(&arm.branch)))
                    .collect(),
                otherwise: otherwise.as_ref().map(|(_, branch)| self.branch(branch)),
            },
        }
    }

    #[inline]
    fn branch(&mut self, branch: &tree::BranchSyntax<'a>) -> RuleBranch {
        let compiled = RuleBranch {
            effects: self.effects(branch.effects),
            to: branch.to.as_ref().map(|clause| self.clause(clause)),
            restriction: branch.restriction.map(|word| restriction(word.text)),
            span: branch.span,
        };
        if let Some(word) = branch.restriction {
            self.check_restriction(branch, word);
        }
        compiled
    }

    /// RS025 (D26): an error where nothing in the branch can be timed.
    fn check_restriction(&mut self, branch: &tree::BranchSyntax<'a>, word: tree::WordSyntax<'_>) {
        if branch.effects.iter().any(is_timed) {
            return;
        }
        let message = format!("`{}` times nothing here", word.text);
        self.replace(rs::RS025, word.span, message, Safety::Unsafe, "");
        if let Some(found) = self.out.last_mut() {
            let has = |name| branch.effects.iter().any(|effect| is_call_of(effect, name));
            let help = match () {
                () if has(CommandName::ModCost) => {
                    "to change costs for a time, write `alterCost(action, +2) ueot`"
                }
                () if has(CommandName::Freeze) => {
                    "who is to stay frozen is kept so by an ability: `freeze(); +frosted oppUeot`"
                }
                () => {
                    "only abilities, rules of the game, costs, bp, \
                     and changes of a card's ability or form can be timed"
                }
            };
            found.help = Some(help.to_string());
        }
    }

    fn effects(&mut self, effects: &[tree::EffectSyntax<'a>]) -> Few<RuleEffect> {
        let mut compiled: Few<RuleEffect> = Few::with_capacity(effects.len());
        for effect in effects {
            let Some((kind, optional)) = self.effect(effect) else {
                continue;
            };
            let joiner = match effect.joiner {
                _ if compiled.is_empty() => EffectJoiner::Then,
                tree::JoinerSyntax::Then => EffectJoiner::Then,
                tree::JoinerSyntax::AndThen => EffectJoiner::AndThen,
                tree::JoinerSyntax::OrElse => EffectJoiner::OrElse,
            };
            compiled.push(RuleEffect {
                joiner,
                optional,
                kind,
                span: effect.span,
            });
        }
        compiled
    }

    fn effect(&mut self, effect: &tree::EffectSyntax<'a>) -> Option<(RuleEffectKind, bool)> {
        match &effect.kind {
            tree::EffectSyntaxKind::Ability { sign, name } => {
                let keyword = self.keyword(*name)?;
                let kind = match sign {
                    tree::NumberSign::Plus => RuleEffectKind::Grant(keyword),
                    tree::NumberSign::Minus => RuleEffectKind::Remove(keyword),
                };
                Some((kind, false))
            }
            tree::EffectSyntaxKind::Call {
                name,
                optional,
                arguments,
                parentheses,
            } => {
                let command = self.command(*name, arguments, *parentheses)?;
                Some((RuleEffectKind::Command(command), *optional))
            }
        }
    }

    fn clause(&mut self, clause: &tree::TargetClauseSyntax<'a>) -> TargetClause {
        TargetClause {
            targets: few(clause.targets.iter().map(|target| self.target(target))),
            optional: clause.optional,
            span: clause.span,
        }
    }
}

/// A list of items; faster than `collect` where there is one.
fn few<T>(items: impl Iterator<Item = T>) -> Few<T> {
    let mut list = Few::new();
    items.for_each(|item| list.push(item));
    list
}

/// The event that a word with or without prefix names (R905).
pub fn event_name(word: &str) -> Option<(Scope, EventName)> {
    if let Some(name) = EventName::find(word) {
        return Some((Scope::My, name));
    }
    Scope::ALL.iter().find_map(|scope| {
        let (head, rest) = word.split_at_checked(scope.word().len())?;
        let name = EventName::find(rest).filter(|_| head.eq_ignore_ascii_case(scope.word()))?;
        Some((*scope, name))
    })
}

/// Whether a word is a predefined variable that can be a target (D44).
pub fn is_variable(word: &str) -> bool {
    // Its length tells which ones it can be.
    let known: &[&str] = match word.len() {
        3 => &["tgt"],
        4 => &["card"],
        5 => &["moved"],
        7 => &["prevtgt", "trashed", "blocker", "trigger"],
        8 => &["attacker"],
        9 => &["discarded", "destroyed"],
        10 => &["sacrificed"],
        _ => return false,
    };
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Names of R10.1 that hold cards, players or lists, and so can be targets (D44).
const VARIABLES: [&str; 11] = [
    "tgt",
    "prevtgt",
    "discarded",
    "trashed",
    "destroyed",
    "moved",
    "sacrificed",
    "attacker",
    "blocker",
    "trigger",
    "card",
];

/// D24: `[[if …]]` with ±abilities and nothing else.
fn is_continuous(statement: &RuleStatement) -> bool {
    let StatementKind::If { arms, otherwise } = &statement.kind else {
        return false;
    };
    let mut branches = arms.iter().map(|(_, branch)| branch).chain(otherwise);
    let is_ability =
        |effect: &RuleEffect| matches!(effect.kind, RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_));
    statement.costs.is_empty()
        && branches.clone().any(|branch| !branch.effects.is_empty())
        && branches.all(|branch| branch.effects.iter().all(is_ability))
}

/// Whether a restriction times this effect (R608, D26, D30).
fn is_call_of(effect: &tree::EffectSyntax<'_>, command: CommandName) -> bool {
    match &effect.kind {
        tree::EffectSyntaxKind::Call { name, .. } => CommandName::find(name.text) == Some(command),
        tree::EffectSyntaxKind::Ability { .. } => false,
    }
}

fn is_timed(effect: &tree::EffectSyntax<'_>) -> bool {
    match &effect.kind {
        tree::EffectSyntaxKind::Ability { .. } => true,
        tree::EffectSyntaxKind::Call { name, arguments, .. } => {
            let Some(name) = CommandName::find(name.text) else {
                return true;
            };
            name.signature().timed
                || arguments.iter().any(|argument| {
                    matches!(argument.form, tree::ArgForm::Each(each) if each.effects.iter().any(is_timed))
                })
        }
    }
}

/// R804; the parser lets only these through.
fn restriction(word: &str) -> Restriction {
    let lower = word.to_ascii_lowercase();
    let until = match lower.get(lower.len().saturating_sub(4)..) {
        Some("uynt") => RestrictionEnd::NextTurn,
        Some("unac") => RestrictionEnd::NextAction,
        _ => RestrictionEnd::EndOfTurn,
    };
    Restriction {
        opponent: lower.starts_with("opp"),
        until,
    }
}

/// Says how the button of an action without label names its first command (R307).
fn readable(name: CommandName) -> &'static str {
    match name {
        CommandName::SwapChars => "Swap characters",
        CommandName::MoveToSlot => "Move to a slot",
        CommandName::Damage => "Deal damage",
        CommandName::Hp => "Change HP",
        CommandName::Bp => "Change BP",
        CommandName::Discard => "Discard",
        CommandName::Destroy => "Destroy",
        CommandName::Shuffle => "Shuffle",
        other => other.word(),
    }
}

/// `oppEndPhase` from `opp` and `endPhase`.
/// The one known word that has more letters behind these, or fewer: `pierce` of `piercing` is told by its
/// first letters, too.
fn longer_or_shorter<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const LEAST: usize = 4;
    let word = word.to_ascii_lowercase();
    let mut similar = known.filter(|known| {
        let known = known.to_ascii_lowercase();
        let alike = word
            .bytes()
            .zip(known.bytes())
            .take_while(|(one, other)| one == other)
            .count();
        alike >= LEAST && alike + 1 >= word.len().min(known.len())
    });
    let found = similar.next();
    found.filter(|_| similar.next().is_none())
}

/// The only one that has a long word in common, as `removeFromAttack` with `cancelAttack`.
fn with_the_same_word<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const LEAST: usize = 6;
    let parts = words_in(word);
    let mut similar = known.filter(|known| {
        let all = words_in(known);
        all.len() > 1 && all.iter().any(|one| one.len() >= LEAST && parts.contains(one))
    });
    let found = similar.next().filter(|_| parts.len() > 1);
    found.filter(|_| similar.next().is_none())
}

/// The words that are written in one, as `removeFromAttack`.
fn words_in(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for letter in text.chars() {
        if letter.is_uppercase() || letter == '_' || out.is_empty() {
            out.push(String::new());
        }
        if let Some(last) = out.last_mut().filter(|_| letter != '_') {
            last.extend(letter.to_lowercase());
        }
    }
    out
}

fn with_prefix(prefix: &str, name: &str) -> String {
    match name.split_at_checked(1) {
        Some((first, rest)) if !prefix.is_empty() => format!("{prefix}{}{rest}", first.to_uppercase()),
        _ => name.to_string(),
    }
}

/// As much of a text as fits into a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{VARIABLES, is_variable};

    /// D44: the list for suggestions and the test by length agree.
    #[test]
    fn every_variable_is_found() {
        for name in VARIABLES {
            assert!(is_variable(name) && is_variable(&name.to_uppercase()), "{name}");
            assert!(!is_variable(&format!("{name}s")), "{name}");
        }
    }
}
