//! The typed tree as indented text, for people and for tests.

use std::fmt::Write;

use crate::tree::{
    ArgForm, BranchSyntax, CostArgument, CostSyntax, EffectSyntax, EffectSyntaxKind, JoinerSyntax,
    NumberSign, Operator, Prefix, PropertyValueSyntax, QuantityForm, RuleSyntax, StatementBody,
    StatementSyntax, Target, TargetClauseSyntax, TypeJoiner, WordSyntax,
};

/// Writes the tree: one node a line, children indented, leaves as written.
///
/// ```
/// use cw_syntax::{Arena, dump, parse};
/// use cw_text::{FileId, Span};
///
/// let (arena, text) = (Arena::new(), "abilities = rush");
/// let tree = dump(&parse(&arena, FileId(0), text, Span::new(0, text.len())).rule);
/// assert!(tree.contains("rush"));
/// ```
pub fn dump(rule: &RuleSyntax<'_>) -> String {
    let mut out = Dump {
        out: String::new(),
        depth: 0,
    };
    for property in rule.properties {
        let key = property.key.text.to_lowercase();
        match &property.value {
            PropertyValueSyntax::Target(clause) => out.nest(key, |out| out.targets(clause.targets)),
            PropertyValueSyntax::Requisite(targets) => out.nest(key, |out| out.targets(targets)),
            PropertyValueSyntax::Vars(assigns) => out.nest(key, |out| {
                for assign in *assigns {
                    out.line(format!("{} := {}", assign.name.text, assign.value.text));
                }
            }),
            PropertyValueSyntax::Abilities(words) => {
                out.nest(key, |out| words.iter().for_each(|word| out.line(word.text)));
            }
            PropertyValueSyntax::Label(label) => out.line(format!("label {:?}", label.text.text)),
            PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
                out.nest(key, |out| {
                    statements.iter().for_each(|statement| out.statement(statement));
                });
            }
        }
    }
    out.out
}

struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:1$}{2}", "", self.depth * 2, text.as_ref());
    }

    fn nest(&mut self, head: impl AsRef<str>, inside: impl FnOnce(&mut Dump)) {
        self.line(head);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &StatementSyntax<'_>) {
        self.nest("statement", |out| {
            statement.costs.iter().for_each(|cost| out.cost(cost));
            if let Some(trigger) = &statement.trigger {
                out.nest(if trigger.hook { "hook" } else { "trigger" }, |out| {
                    for event in trigger.events {
                        let suffixes: String = event
                            .suffixes
                            .iter()
                            .map(|suffix| format!(":{}", suffix.text))
                            .collect();
                        out.line(format!("{}{suffixes}", event.name.text));
                    }
                });
            }
            out.body(&statement.body);
        });
    }

    fn cost(&mut self, cost: &CostSyntax<'_>) {
        let letter = cost.letter.text.to_uppercase();
        match &cost.argument {
            CostArgument::None => self.line(format!("cost {letter}")),
            CostArgument::Count(count) => self.line(format!("cost {letter} {count}")),
            CostArgument::Target(target) => self.nest(format!("cost {letter}"), |out| out.target(target)),
        }
    }

    fn body(&mut self, body: &StatementBody<'_>) {
        match body {
            StatementBody::Plain(branch) => self.branch(branch),
            StatementBody::May { question, branch, .. } => {
                let question = question.map_or(String::new(), |question| format!(" {:?}", question.text));
                self.nest(format!("may{question}"), |out| out.branch(branch));
            }
            StatementBody::If { arms, otherwise } => {
                for (index, arm) in arms.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "elif" };
                    self.nest(format!("{word} {}", arm.test.text), |out| out.branch(&arm.branch));
                }
                if let Some((_, branch)) = otherwise {
                    self.nest("else", |out| out.branch(branch));
                }
            }
        }
    }

    fn branch(&mut self, branch: &BranchSyntax<'_>) {
        self.effects(branch.effects);
        if let Some(clause) = &branch.to {
            self.clause(clause);
        }
        if let Some(restriction) = branch.restriction {
            self.line(format!("until {}", restriction.text.to_lowercase()));
        }
    }

    fn clause(&mut self, clause: &TargetClauseSyntax<'_>) {
        let optional = if clause.optional { "?" } else { "" };
        self.nest(format!("to{optional}"), |out| out.targets(clause.targets));
    }

    fn effects(&mut self, effects: &[EffectSyntax<'_>]) {
        for effect in effects {
            let joiner = match effect.joiner {
                JoinerSyntax::Then => "",
                JoinerSyntax::AndThen => "&& ",
                JoinerSyntax::OrElse => "|| ",
            };
            match &effect.kind {
                EffectSyntaxKind::Ability { sign, name } => {
                    let sign = if *sign == NumberSign::Plus { '+' } else { '-' };
                    self.line(format!("{joiner}{sign}{}", name.text));
                }
                EffectSyntaxKind::Call {
                    name,
                    optional,
                    arguments,
                    ..
                } => {
                    let optional = if *optional { "?" } else { "" };
                    self.nest(format!("{joiner}{}{optional}", name.text), |out| {
                        for argument in *arguments {
                            out.argument(argument.text, &argument.form);
                        }
                    });
                }
            }
        }
    }

    fn argument(&mut self, text: WordSyntax<'_>, form: &ArgForm<'_>) {
        match form {
            ArgForm::Int(value) => self.line(format!("int {value}")),
            ArgForm::Word => self.line(format!("word {}", text.text)),
            ArgForm::Quoted(inner) => self.line(format!("text {inner:?}")),
            ArgForm::Question => self.line("?"),
            ArgForm::Each(each) => self.nest(format!("each {}", each.over.text), |out| {
                out.effects(each.effects);
            }),
            ArgForm::Text => self.line(format!("raw {}", text.text)),
        }
    }

    fn targets(&mut self, targets: &[Target<'_>]) {
        targets.iter().for_each(|target| self.target(target));
    }

    fn target(&mut self, target: &Target<'_>) {
        let mut line = String::from("target");
        if let Some(quantity) = target.quantity {
            let _ = match quantity.form {
                QuantityForm::Exactly(count) => write!(line, " <{count}>"),
                QuantityForm::Between(least, most) => write!(line, " <{least},{most}>"),
                QuantityForm::Any => write!(line, " <**>"),
                QuantityForm::Random(count) => write!(line, " <r{count}>"),
            };
        }
        if let Some(expression) = target.expression {
            let _ = write!(line, " expression {}", expression.text);
        }
        let joiner = match target.joiner {
            TypeJoiner::Or => " or",
            TypeJoiner::And => " and",
        };
        for (index, one) in target.types.iter().enumerate() {
            let quote = if one.quoted { "\"" } else { "" };
            let plural = if one.plural { "s" } else { "" };
            let _ = write!(
                line,
                "{} {}{quote}{}{quote}{plural}",
                if index > 0 { joiner } else { "" },
                one.prefix.map_or("", prefix),
                one.name.text
            );
        }
        if let Some(pick) = target.pick {
            let _ = write!(line, " pick {}", pick.count);
        }
        for (index, all) in target.filters.iter().enumerate() {
            line.push_str(if index == 0 { " where" } else { " or" });
            for (index, filter) in all.iter().enumerate() {
                line.push_str(if index == 0 { " " } else { " and " });
                line.push_str(filter.prefix.map_or("", prefix));
                line.push_str(filter.name.text);
                if let Some((operator, value)) = filter.compare {
                    let _ = write!(line, " {} {}", operator_text(operator), value.text);
                }
            }
        }
        if let Some(zone) = target.zone {
            let _ = write!(line, " at {}", zone.text);
        }
        if let Some(selector) = target.selector {
            let _ = write!(line, " not ({})", selector.argument.text);
        }
        self.line(line);
    }
}

fn prefix(prefix: Prefix) -> &'static str {
    match prefix {
        Prefix::Caret => "^",
        Prefix::Bang => "!",
        Prefix::Minus => "-",
        Prefix::Plus => "+",
    }
}

pub(crate) fn operator_text(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Colon => ":",
    }
}
