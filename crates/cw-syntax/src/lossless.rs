//! The lossless tree: every byte of the text is in it, for editors and debugging.
//!
//! It is made from the typed tree, which has the exact place of every node, and the tokens between:
//! so the two never disagree, and reading rules fast pays nothing for it.

use bumpalo::Bump;
use cw_text::{FileId, Span};
use rowan::{GreenNodeBuilder, Language};

use crate::files::parse_rules;
use crate::lexer::{RuleTokenKind, tokens};
use crate::tree::{
    ArgForm, BranchSyntax, CostArgument, EffectSyntax, EffectSyntaxKind, PropertyValueSyntax, RuleSyntax,
    StatementBody, StatementSyntax, Target, TargetClauseSyntax,
};

/// Kinds of nodes and tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum SyntaxKind {
    /// A whole file.
    File,
    /// A header and the lines below it.
    Section,
    /// `[card-guid]`
    Header,
    /// `key = value`
    Property,
    /// A part between `;`.
    Statement,
    /// `{…}`
    Cost,
    /// `~…~`
    Trigger,
    /// An event with its suffixes.
    Event,
    /// `[[…]]`
    Mark,
    /// A command with its arguments, or an ability.
    Effect,
    /// An argument.
    Argument,
    /// `to(…)`
    Clause,
    /// A target filter.
    Target,
    /// A type of a target.
    Type,
    /// A filter of a target.
    Filter,
    /// `::not(…)`
    Selector,
    /// `name := value`
    Assign,
    /// Letters and digits.
    Word,
    /// Digits.
    Number,
    /// A text in quotes.
    Quoted,
    /// A sign.
    Sign,
    /// `# …`
    Comment,
    /// Blanks.
    Blank,
    /// The end of a line.
    NewLine,
}

const KINDS: [SyntaxKind; 24] = [
    SyntaxKind::File,
    SyntaxKind::Section,
    SyntaxKind::Header,
    SyntaxKind::Property,
    SyntaxKind::Statement,
    SyntaxKind::Cost,
    SyntaxKind::Trigger,
    SyntaxKind::Event,
    SyntaxKind::Mark,
    SyntaxKind::Effect,
    SyntaxKind::Argument,
    SyntaxKind::Clause,
    SyntaxKind::Target,
    SyntaxKind::Type,
    SyntaxKind::Filter,
    SyntaxKind::Selector,
    SyntaxKind::Assign,
    SyntaxKind::Word,
    SyntaxKind::Number,
    SyntaxKind::Quoted,
    SyntaxKind::Sign,
    SyntaxKind::Comment,
    SyntaxKind::Blank,
    SyntaxKind::NewLine,
];

/// RuleScript for `rowan`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleScript {}

impl Language for RuleScript {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        KINDS.get(usize::from(raw.0)).copied().unwrap_or(SyntaxKind::Sign)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the lossless tree.
pub type SyntaxNode = rowan::SyntaxNode<RuleScript>;

/// The lossless tree of a `.rules` file. It can be passed between threads; make it a
/// [`SyntaxNode`] with [`SyntaxNode::new_root`].
///
/// ```
/// let text = "action = draw()  # twice";
/// assert_eq!(cw_syntax::SyntaxNode::new_root(cw_syntax::lossless(text)).to_string(), text);
/// ```
pub fn lossless(text: &str) -> rowan::GreenNode {
    let arena = Bump::new();
    let parsed = parse_rules(&arena, FileId::default(), text);
    let mut nodes = Nodes { list: Vec::new() };
    for section in &parsed.rules {
        nodes.add(SyntaxKind::Section, section.header.span.to(section.header.body));
        nodes.add(SyntaxKind::Header, section.header.span);
        nodes.rule(&section.rule);
    }
    build(text, nodes.list)
}

/// The places of all nodes.
struct Nodes {
    list: Vec<(Span, SyntaxKind)>,
}

impl Nodes {
    fn add(&mut self, kind: SyntaxKind, span: Span) {
        if !span.is_empty() {
            self.list.push((span, kind));
        }
    }

    fn rule(&mut self, rule: &RuleSyntax<'_>) {
        for property in rule.properties {
            self.add(SyntaxKind::Property, property.span);
            match &property.value {
                PropertyValueSyntax::Target(clause) => self.targets(clause.targets),
                PropertyValueSyntax::Requisite(targets) => self.targets(targets),
                PropertyValueSyntax::Vars(assigns) => {
                    assigns
                        .iter()
                        .for_each(|assign| self.add(SyntaxKind::Assign, assign.span));
                }
                PropertyValueSyntax::Abilities(_) | PropertyValueSyntax::Label(_) => {}
                PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
                    statements.iter().for_each(|statement| self.statement(statement));
                }
            }
        }
    }

    fn statement(&mut self, statement: &StatementSyntax<'_>) {
        self.add(SyntaxKind::Statement, statement.span);
        for cost in statement.costs {
            self.add(SyntaxKind::Cost, cost.span);
            if let CostArgument::Target(target) = &cost.argument {
                self.target(target);
            }
        }
        if let Some(trigger) = &statement.trigger {
            self.add(SyntaxKind::Trigger, trigger.span);
            trigger
                .events
                .iter()
                .for_each(|event| self.add(SyntaxKind::Event, event.span));
        }
        match &statement.body {
            StatementBody::Plain(branch) => self.branch(branch),
            StatementBody::May { mark, branch, .. } => {
                self.add(SyntaxKind::Mark, *mark);
                self.branch(branch);
            }
            StatementBody::If { arms, otherwise } => {
                for arm in *arms {
                    self.add(SyntaxKind::Mark, arm.mark);
                    self.branch(&arm.branch);
                }
                if let Some((mark, branch)) = otherwise {
                    self.add(SyntaxKind::Mark, *mark);
                    self.branch(branch);
                }
            }
        }
    }

    fn branch(&mut self, branch: &BranchSyntax<'_>) {
        branch.effects.iter().for_each(|effect| self.effect(effect));
        branch.to.iter().for_each(|clause| self.clause(clause));
    }

    fn effect(&mut self, effect: &EffectSyntax<'_>) {
        self.add(SyntaxKind::Effect, effect.span);
        if let EffectSyntaxKind::Call { arguments, .. } = &effect.kind {
            for argument in *arguments {
                self.add(SyntaxKind::Argument, argument.text.span);
                if let ArgForm::Each(each) = &argument.form {
                    each.effects.iter().for_each(|effect| self.effect(effect));
                }
            }
        }
    }

    fn clause(&mut self, clause: &TargetClauseSyntax<'_>) {
        self.add(SyntaxKind::Clause, clause.span);
        self.targets(clause.targets);
    }

    fn targets(&mut self, targets: &[Target<'_>]) {
        targets.iter().for_each(|target| self.target(target));
    }

    fn target(&mut self, target: &Target<'_>) {
        self.add(SyntaxKind::Target, target.text.span);
        target
            .types
            .iter()
            .for_each(|one| self.add(SyntaxKind::Type, one.span));
        for filter in target.filters.iter().copied().flatten() {
            self.add(SyntaxKind::Filter, filter.span);
        }
        target
            .selector
            .iter()
            .for_each(|selector| self.add(SyntaxKind::Selector, selector.span));
    }
}

/// Nodes in order of place, outer ones first, with the tokens in them.
fn build(text: &str, mut nodes: Vec<(Span, SyntaxKind)>) -> rowan::GreenNode {
    // Equal places keep the order in which they were found: outer first.
    nodes.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut builder = GreenNodeBuilder::new();
    builder.start_node(RuleScript::kind_to_raw(SyntaxKind::File));
    let mut open: Vec<u32> = Vec::new();
    let mut nodes = nodes.into_iter().peekable();
    for (span, kind) in pieces(text) {
        while open.last().is_some_and(|end| *end <= span.start) {
            open.pop();
            builder.finish_node();
        }
        while let Some((node, node_kind)) = nodes.next_if(|(node, _)| node.start <= span.start) {
            let within = open.last().is_none_or(|end| node.end <= *end);
            if within && node.end > span.start {
                builder.start_node(RuleScript::kind_to_raw(node_kind));
                open.push(node.end);
            }
        }
        builder.token(RuleScript::kind_to_raw(kind), &text[span.range()]);
    }
    open.iter().for_each(|_| builder.finish_node());
    builder.finish_node();
    builder.finish()
}

/// All bytes of the text as tokens, blanks included.
fn pieces(text: &str) -> Vec<(Span, SyntaxKind)> {
    let mut out = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        let mut at = 0;
        for token in tokens(body) {
            let span = token.span();
            blank(
                &mut out,
                line_start + at,
                line_start + span.start as usize,
                SyntaxKind::Blank,
            );
            let kind = match token.kind {
                RuleTokenKind::Word => SyntaxKind::Word,
                RuleTokenKind::Number => SyntaxKind::Number,
                RuleTokenKind::Quoted => SyntaxKind::Quoted,
                RuleTokenKind::Comment => SyntaxKind::Comment,
                _ => SyntaxKind::Sign,
            };
            out.push((
                Span::new(line_start + span.start as usize, line_start + span.end as usize),
                kind,
            ));
            at = span.end as usize;
        }
        blank(
            &mut out,
            line_start + at,
            line_start + body.len(),
            SyntaxKind::Blank,
        );
        blank(
            &mut out,
            line_start + body.len(),
            line_start + line.len(),
            SyntaxKind::NewLine,
        );
        line_start += line.len();
    }
    out
}

fn blank(out: &mut Vec<(Span, SyntaxKind)>, start: usize, end: usize, kind: SyntaxKind) {
    if start < end {
        out.push((Span::new(start, end), kind));
    }
}
