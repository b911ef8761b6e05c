//! One layout for all rules: order of parts, blanks, spelling. Comments stay where they are, and
//! the tree stays the same.

use bumpalo::Bump;
use cw_text::FileId;

use crate::codes::rs;
use crate::dump::operator_text;
use crate::parser::{RuleParser, trim};
use crate::tree::{
    ArgForm, Argument, BranchSyntax, CostArgument, CostSyntax, EffectSyntax, EffectSyntaxKind, FilterSyntax,
    JoinerSyntax, NumberSign, Prefix, PropertySyntax, PropertyValueSyntax, QuantityForm, StatementBody,
    StatementSyntax, Target, TargetClauseSyntax, TypeJoiner, TypeSyntax, WordSyntax,
};

/// What a name names; the formatter asks for its usual spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A command.
    Command,
    /// A keyword ability.
    Ability,
    /// An event with its prefix.
    Event,
    /// What follows `:` behind an event.
    Suffix,
    /// A zone with its prefix.
    Zone,
    /// A type of a target.
    Type,
    /// A filter.
    Filter,
    /// A word that is an argument: a pile, a phase, a rule.
    Argument,
}

/// Knows the usual spelling of names.
pub trait Spelling {
    /// The usual spelling, or `None` where the name is to stay as it is. It may differ from the
    /// name only in case.
    fn spell(&self, kind: NameKind, name: &str) -> Option<String>;
}

/// Leaves every name as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsWritten;

impl Spelling for AsWritten {
    fn spell(&self, _kind: NameKind, _name: &str) -> Option<String> {
        None
    }
}

/// Lays out a `.rules` file. A line with a mistake stays as it is; formatting twice is formatting
/// once. Lines end as the first one does; a byte order mark goes.
///
/// ```
/// use cw_syntax::{AsWritten, format_rules};
///
/// assert_eq!(
///     format_rules("ACTION=draw( 2 )&  hp(+3 )ueot", &AsWritten),
///     "action = draw(2) & hp(+3) ueot\n"
/// );
/// ```
pub fn format_rules(text: &str, spelling: &dyn Spelling) -> String {
    let mut arena = Bump::new();
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let (start, end) = trim(line, 0, line.len());
        let line = &line[start..end];
        if line.starts_with('[') {
            section(&mut lines, line);
        } else if line.is_empty() || line.starts_with('#') {
            lines.push(line.to_string());
        } else {
            lines.push(format_line(&arena, line, spelling));
            arena.reset();
        }
    }
    // One blank line says as much as three, and none is needed at either end.
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    let blank = |line: Option<&String>| line.is_some_and(String::is_empty);
    if blank(lines.last()) {
        lines.pop();
    }
    let first = usize::from(blank(lines.first()));
    let ends = text.split_inclusive('\n').next().unwrap_or_default();
    let end = if ends.ends_with("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len());
    for line in &lines[first..] {
        out.push_str(line);
        out.push_str(end);
    }
    out
}

/// A header with a blank line before it and the comments that lead to it.
fn section(lines: &mut Vec<String>, line: &str) {
    let mut at = lines.len();
    while at > 0 && lines[at - 1].starts_with('#') {
        at -= 1;
    }
    if at > 0 && !lines[at - 1].is_empty() {
        lines.insert(at, String::new());
    }
    let header = match line[1..].split_once(']') {
        Some((id, rest)) if !id.contains('#') => format!("[{}] {}", id.trim(), rest.trim()),
        _ => line.to_string(),
    };
    lines.push(header.trim_end().to_string());
}

fn format_line(arena: &Bump, line: &str, spelling: &dyn Spelling) -> String {
    let mut parser = RuleParser::new(arena, FileId::default(), line);
    let rule = parser.rule(0, line.len());
    let clean = parser.finish().iter().all(|found| found.code.0 == rs::RS046.code);
    match rule.properties {
        [property] if clean => Layout { spelling }.property(line, property),
        _ => line.to_string(),
    }
}

struct Layout<'s> {
    spelling: &'s dyn Spelling,
}

impl Layout<'_> {
    fn property(&self, line: &str, property: &PropertySyntax<'_>) -> String {
        let value = match &property.value {
            PropertyValueSyntax::Target(clause) => self.targets(clause.targets, "; "),
            PropertyValueSyntax::Requisite(targets) => self.targets(targets, " && "),
            PropertyValueSyntax::Vars(assigns) => {
                let assign = assigns
                    .iter()
                    .map(|assign| format!("{} := {}", assign.name.text, squeeze(assign.value.text)));
                assign.collect::<Vec<_>>().join("; ")
            }
            PropertyValueSyntax::Abilities(words) => {
                let words = words.iter().map(|word| self.name(NameKind::Ability, *word));
                words.collect::<Vec<_>>().join(", ")
            }
            PropertyValueSyntax::Label(_) => property.text.text.to_string(),
            PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
                let statements = statements.iter().map(|statement| self.statement(statement));
                statements.collect::<Vec<_>>().join("; ")
            }
        };
        let mut out = format!("{} = {value}", property.key.text.to_lowercase());
        if let Some(comment) = property.comment {
            out.push(' ');
            out.push_str(line[comment.range()].trim_end());
        }
        out
    }

    fn name(&self, kind: NameKind, word: WordSyntax<'_>) -> String {
        let text = squeeze(word.text);
        let spelled = self.spelling.spell(kind, &text);
        spelled
            .filter(|spelled| spelled.eq_ignore_ascii_case(&text))
            .unwrap_or(text)
    }

    fn statement(&self, statement: &StatementSyntax<'_>) -> String {
        let mut parts: Vec<String> = Vec::new();
        if !statement.costs.is_empty() {
            let costs: String = statement.costs.iter().map(|cost| self.cost(cost)).collect();
            parts.push(format!("{costs}:"));
        }
        if let Some(trigger) = &statement.trigger {
            let delimiter = if trigger.hook { '?' } else { '~' };
            let events = trigger.events.iter().map(|event| {
                let suffixes = event
                    .suffixes
                    .iter()
                    .map(|suffix| format!(":{}", self.name(NameKind::Suffix, *suffix)));
                format!(
                    "{}{}",
                    self.name(NameKind::Event, event.name),
                    suffixes.collect::<String>()
                )
            });
            parts.push(format!(
                "{delimiter}{}{delimiter}",
                events.collect::<Vec<_>>().join(", ")
            ));
        }
        self.body(&statement.body, &mut parts);
        parts.join(" ")
    }

    fn cost(&self, cost: &CostSyntax<'_>) -> String {
        let letter = cost.letter.text.to_uppercase();
        match &cost.argument {
            CostArgument::None => format!("{{{letter}}}"),
            CostArgument::Count(count) => format!("{{{letter}({count})}}"),
            CostArgument::Target(target) => format!("{{{letter}({})}}", self.target(target)),
        }
    }

    fn body(&self, body: &StatementBody<'_>, parts: &mut Vec<String>) {
        match body {
            StatementBody::Plain(branch) => self.branch(branch, parts),
            StatementBody::May { question, branch, .. } => {
                parts.push(match question {
                    None => "[[may]]".to_string(),
                    Some(question) => format!("[[may {}]]", quoted(question.text)),
                });
                self.branch(branch, parts);
            }
            StatementBody::If { arms, otherwise } => {
                for (index, arm) in arms.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "elif" };
                    parts.push(format!("[[{word} {}]]", squeeze(arm.test.text)));
                    self.branch(&arm.branch, parts);
                }
                if let Some((_, branch)) = otherwise {
                    parts.push("[[else]]".to_string());
                    self.branch(branch, parts);
                }
            }
        }
    }

    fn branch(&self, branch: &BranchSyntax<'_>, parts: &mut Vec<String>) {
        if !branch.effects.is_empty() {
            parts.push(self.effects(branch.effects));
        }
        parts.extend(branch.to.iter().map(|clause| self.clause(clause)));
        if let Some(word) = branch.restriction {
            let lower = word.text.to_lowercase();
            // `oppUeot`, `myUeot`, `ueot`.
            let (prefix, rest) = lower.split_at(lower.len() - 4);
            parts.push(match prefix {
                "" => rest.to_string(),
                prefix => format!("{prefix}U{}", &rest[1..]),
            });
        }
    }

    fn effects(&self, effects: &[EffectSyntax<'_>]) -> String {
        let mut out = String::new();
        for (index, effect) in effects.iter().enumerate() {
            if index > 0 {
                out.push_str(match effect.joiner {
                    JoinerSyntax::Then => " & ",
                    JoinerSyntax::AndThen => " && ",
                    JoinerSyntax::OrElse => " || ",
                });
            }
            match &effect.kind {
                EffectSyntaxKind::Ability { sign, name } => {
                    out.push(if *sign == NumberSign::Plus { '+' } else { '-' });
                    out.push_str(&self.name(NameKind::Ability, *name));
                }
                EffectSyntaxKind::Call {
                    name,
                    optional,
                    arguments,
                    ..
                } => {
                    out.push_str(&self.name(NameKind::Command, *name));
                    out.push_str(if *optional { "?(" } else { "(" });
                    let arguments = arguments.iter().map(|argument| self.argument(argument));
                    out.push_str(&arguments.collect::<Vec<_>>().join(", "));
                    out.push(')');
                }
            }
        }
        out
    }

    fn argument(&self, argument: &Argument<'_>) -> String {
        match &argument.form {
            ArgForm::Each(each) => format!("{} => {}", squeeze(each.over.text), self.effects(each.effects)),
            ArgForm::Word => self.name(NameKind::Argument, argument.text),
            ArgForm::Int(_) => argument.text.text.split_whitespace().collect(),
            ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Text => squeeze(argument.text.text),
        }
    }

    fn clause(&self, clause: &TargetClauseSyntax<'_>) -> String {
        let optional = if clause.optional { "?" } else { "" };
        let keyword = clause.keyword.text.to_lowercase();
        format!("{keyword}{optional}({})", self.targets(clause.targets, "; "))
    }

    fn targets(&self, targets: &[Target<'_>], separator: &str) -> String {
        targets
            .iter()
            .map(|target| self.target(target))
            .collect::<Vec<_>>()
            .join(separator)
    }

    fn target(&self, target: &Target<'_>) -> String {
        let mut out = String::new();
        if let Some(quantity) = target.quantity {
            out.push_str(&match quantity.form {
                QuantityForm::Exactly(count) => format!("<{count}>"),
                QuantityForm::Between(1, most) => format!("<,{most}>"),
                QuantityForm::Between(least, most) => format!("<{least},{most}>"),
                QuantityForm::Any => "<**>".to_string(),
                QuantityForm::Random(1) => "<r>".to_string(),
                QuantityForm::Random(count) => format!("<r{count}>"),
            });
        }
        if let Some(expression) = target.expression {
            out.push_str(&squeeze(expression.text));
        }
        let joiner = if target.joiner == TypeJoiner::And {
            "&"
        } else {
            ","
        };
        let types = target.types.iter().map(|one| self.one_type(one));
        out.push_str(&types.collect::<Vec<_>>().join(joiner));
        if let Some(pick) = target.pick {
            // Without types a positive pick in front would read as a quantity; it never gets there.
            out.push_str(&format!("<{}>", pick.count));
        }
        if !target.filters.is_empty() {
            let all = target.filters.iter().map(|all| {
                let all = all.iter().map(|filter| self.filter(filter));
                all.collect::<Vec<_>>().join(" & ")
            });
            out.push_str(&format!("[{}]", all.collect::<Vec<_>>().join(", ")));
        }
        if let Some(zone) = target.zone {
            out.push('@');
            out.push_str(&self.name(NameKind::Zone, zone));
        }
        if let Some(selector) = target.selector {
            out.push_str(&format!("::not({})", squeeze(selector.argument.text)));
        }
        out
    }

    fn one_type(&self, one: &TypeSyntax<'_>) -> String {
        let prefix = one.prefix.map_or("", prefix_text);
        let plural = if one.plural { "s" } else { "" };
        if one.quoted {
            return format!("{prefix}\"{}\"{plural}", one.name.text);
        }
        format!("{prefix}{}{plural}", self.name(NameKind::Type, one.name))
    }

    fn filter(&self, filter: &FilterSyntax<'_>) -> String {
        let prefix = filter.prefix.map_or("", prefix_text);
        let name = self.name(NameKind::Filter, filter.name);
        match filter.compare {
            None => format!("{prefix}{name}"),
            Some((operator, value)) => {
                let value: String = value.text.split_whitespace().collect();
                format!(
                    "{prefix}{name}{}{}",
                    operator_text(operator),
                    value.to_lowercase()
                )
            }
        }
    }
}

fn prefix_text(prefix: Prefix) -> &'static str {
    match prefix {
        Prefix::Caret => "^",
        Prefix::Bang => "!",
        Prefix::Minus => "-",
        Prefix::Plus => "+",
    }
}

/// A question in quotes, unless it holds both kinds of them.
fn quoted(question: &str) -> String {
    if !question.contains('\'') {
        format!("'{question}'")
    } else if !question.contains('"') {
        format!("\"{question}\"")
    } else {
        question.to_string()
    }
}

/// Runs of blanks outside quotes become one blank.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    for letter in text.trim().chars() {
        match quote {
            Some(open) => {
                if letter == open {
                    quote = None;
                }
                out.push(letter);
            }
            None if letter.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            None => {
                if matches!(letter, '"' | '\'') {
                    quote = Some(letter);
                }
                out.push(letter);
            }
        }
    }
    out
}
