//! Statements: costs, trigger, branches, effects, arguments (R231–R247).

use bumpalo::Bump;
use cw_text::{Safety, Severity, Span, nearest};

use crate::codes::rs;
use crate::lexer::{RuleToken, RuleTokenKind, is_clause_word};
use crate::mark::BranchMark;
use crate::parser::{List, RuleParser, TokenRange, shorten};
use crate::tree::{
    ArgForm, Argument, BranchSyntax, Condition, CostArgument, CostSyntax, EachSyntax, EffectSyntax,
    EffectSyntaxKind, EventSyntax, JoinerSyntax, NumberSign, StatementBody, StatementSyntax,
    TargetClauseSyntax, Trigger, WordSyntax,
};

/// How deep `each` may lie in `each`.
const DEEPEST_EACH: u32 = 8;

/// Where a statement stands: an `action` has no trigger.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementPlace {
    Action,
    Auto,
}

/// What is being collected for a branch.
struct OpenBranch<'a> {
    effects: List<'a, EffectSyntax<'a>>,
    to: Option<TargetClauseSyntax<'a>>,
    restriction: Option<WordSyntax<'a>>,
    span: Option<Span>,
    joiner: Option<(JoinerSyntax, Span)>,
    last_effect: Option<Span>,
}

impl<'a> OpenBranch<'a> {
    fn new(arena: &'a Bump) -> OpenBranch<'a> {
        OpenBranch {
            effects: List::with_capacity_in(1, arena),
            to: None,
            restriction: None,
            span: None,
            joiner: None,
            last_effect: None,
        }
    }

    fn cover(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |all| all.to(span)));
    }
}

impl<'a> RuleParser<'a> {
    pub(crate) fn statements(&mut self, hi: TokenRange, script: StatementPlace) -> &'a [StatementSyntax<'a>] {
        let mut statements = List::with_capacity_in(1, self.arena);
        let mut at = 0;
        while at < hi {
            let end = self.find(at, hi, RuleTokenKind::Semicolon);
            if at < end {
                let statement = self.statement(at, end, script);
                statements.push(statement);
            } else {
                self.empty_item(self.lexer.tokens[end].span());
            }
            at = end + 1;
        }
        statements.into_bump_slice()
    }

    fn statement(&mut self, lo: TokenRange, hi: TokenRange, script: StatementPlace) -> StatementSyntax<'a> {
        let span = self.span(lo, hi);
        let mut at = lo;
        let mut costs: &[CostSyntax<'a>] = &[];
        if self.kind_before(at, hi) == Some(RuleTokenKind::LeftBrace) {
            (costs, at) = self.costs(at, hi);
        }
        let mut trigger = None;
        let delimiter = self.kind_before(at, hi);
        if delimiter == Some(RuleTokenKind::Tilde) || delimiter == Some(RuleTokenKind::Question) {
            let (read, next) = self.trigger(at, hi);
            at = next;
            if script == StatementPlace::Action {
                self.report.help(
                    rs::RS027,
                    read.span,
                    "an action has no trigger",
                    "write the statement in an `auto`",
                );
            } else {
                trigger = Some(read);
            }
            if self.kind_before(at, hi) == Some(RuleTokenKind::LeftBrace)
                && self.lexer.tokens[at].mate != RuleToken::ALONE
            {
                let start = at;
                (costs, at) = self.costs(at, hi);
                let cost = self.span(start, at);
                let text = format!("{} ", &self.text[cost.range()]);
                self.report.fix(
                    rs::RS027,
                    cost,
                    "the cost goes before the trigger",
                    "move the cost to the front",
                    Safety::Safe,
                    &[(Span::at(read.span.start as usize), &text), (cost, "")],
                );
            }
        } else if delimiter == Some(RuleTokenKind::Colon) && at == lo {
            self.unexpected(
                self.lexer.tokens[at].span(),
                "only costs such as `{F}` go before `:`",
            );
            at += 1;
        }
        StatementSyntax {
            costs,
            trigger,
            body: self.body(at, hi),
            span,
        }
    }

    /// `{…}{…}:`; returns the token behind (R231, R232).
    fn costs(&mut self, lo: TokenRange, hi: TokenRange) -> (&'a [CostSyntax<'a>], TokenRange) {
        let mut costs = List::with_capacity_in(1, self.arena);
        let mut at = lo;
        while self.kind_before(at, hi) == Some(RuleTokenKind::LeftBrace) {
            let (close, next) = self.closing(at, hi, RuleTokenKind::Colon);
            self.cost(at, close, &mut costs);
            at = next;
        }
        let costs = costs.into_bump_slice();
        if self.kind_before(at, hi) == Some(RuleTokenKind::Colon) {
            at += 1;
        } else if !self.lexer.unbalanced {
            let span = self.span(lo, at);
            self.report.fix(
                rs::RS028,
                span,
                "costs are followed by `:`",
                "add `:`",
                Safety::Safe,
                &[(Span::at(span.end as usize), ":")],
            );
            // `{F}, {D}: …`
            let is_listed = self.kind_before(at, hi) == Some(RuleTokenKind::Comma)
                && self.kind_before(self.next(at, hi), hi) == Some(RuleTokenKind::LeftBrace);
            if is_listed && let Some(found) = self.report.found.last_mut().filter(|found| found.span == span)
            {
                found.fix = None;
                found.help = Some("put costs side by side: `{F}{D}: draw(1)`".to_owned());
            }
        }
        (costs, at)
    }

    /// Where the bracket at `open` ends: its content's end and the token behind. Without partner
    /// it ends at the first token of kind `stop`, or at `hi`.
    pub(crate) fn closing(
        &self,
        open: TokenRange,
        hi: TokenRange,
        stop: RuleTokenKind,
    ) -> (TokenRange, TokenRange) {
        let mate = self.lexer.tokens[open].mate;
        if mate != RuleToken::ALONE && (mate as usize) < hi {
            (mate as usize, mate as usize + 1)
        } else {
            let end = self.find(open + 1, hi, stop);
            (end, end)
        }
    }

    /// One `{…}` whose content ends at token `close` (R701–R709, RS026).
    fn cost(&mut self, open: TokenRange, close: TokenRange, out: &mut List<'a, CostSyntax<'a>>) {
        let outer = self.span(open, (close + 1).min(self.lexer.tokens.len()));
        let lo = open + 1;
        let letter = match self.kind_before(lo, close) {
            Some(RuleTokenKind::Word) => self.token_word(lo),
            _ => {
                let inner = self.words(lo, close).text;
                let mut known = OTHER_COSTS.iter();
                let meant = known.find(|(words, _)| {
                    let mut parts = inner.split(|letter: char| !letter.is_alphabetic());
                    parts.any(|part| {
                        part.len() > 1 && words.iter().any(|word| part.eq_ignore_ascii_case(word))
                    })
                });
                let help = meant.map_or(
                    "costs are {F}, {S}, {S(target)}, {D}, {D(n)} and {D(target)}",
                    |(_, help)| *help,
                );
                self.report.help(rs::RS026, outer, "unknown cost", help);
                return;
            }
        };
        if !(letter.is("f") || letter.is("s") || letter.is("d")) {
            let message = format!("unknown cost `{}`", shorten(letter.text));
            let mut known = OTHER_COSTS.iter();
            let meant = known.find(|(words, _)| words.iter().any(|word| letter.is(word)));
            let help = meant.map_or(
                "costs are F (freeze), S (sacrifice) and D (discard)",
                |(_, help)| *help,
            );
            self.report.help(rs::RS026, letter.span, message, help);
            return;
        }
        let mut argument = CostArgument::None;
        let mut at = lo + 1;
        if self.kind_before(at, close) == Some(RuleTokenKind::LeftParen) {
            let (end, next) = self.closing(at, close, RuleTokenKind::RightBrace);
            let inner = self.words(at + 1, end);
            let whole = self.span(at, next);
            if inner.is_empty() {
                self.report.fix(
                    rs::RS006,
                    whole,
                    "nothing in the parentheses",
                    "remove them",
                    Safety::Safe,
                    &[(whole, "")],
                );
            } else if letter.is("f") {
                self.report.fix(
                    rs::RS026,
                    whole,
                    "`F` freezes the card itself and takes nothing",
                    "remove it",
                    Safety::Unsafe,
                    &[(whole, "")],
                );
            } else if letter.is("d") && end == at + 2 && self.kind(at + 1) == Some(RuleTokenKind::Number) {
                let count = inner.text.parse().unwrap_or(u16::MAX);
                if count == 0 || count > 1000 {
                    self.report
                        .add(rs::RS019, inner.span, "this number of cards can never be paid");
                }
                argument = CostArgument::Count(count);
            } else {
                argument = CostArgument::Target(self.target(at + 1, end, whole));
            }
            at = next;
        }
        if at < close {
            let span = self.span(at, close);
            let help = match self.kind(at) {
                Some(RuleTokenKind::Number) => "put how many in parentheses: `{D(2)}`",
                Some(RuleTokenKind::Colon) => "put what a cost takes in parentheses: `{S(character@myRing)}`",
                _ => "write each cost in its own braces, as `{D}{F}`",
            };
            self.unexpected(span, help);
        }
        out.push(CostSyntax {
            letter,
            argument,
            span: outer,
        });
    }

    /// `~…~` or `?…?`; returns the token behind.
    fn trigger(&mut self, open: TokenRange, hi: TokenRange) -> (Trigger<'a>, TokenRange) {
        let delimiter = self.lexer.tokens[open].kind;
        let mut events = List::with_capacity_in(1, self.arena);
        let mut at = open + 1;
        loop {
            let start = at;
            while matches!(
                self.kind_before(at, hi),
                Some(RuleTokenKind::Word | RuleTokenKind::Dot | RuleTokenKind::Number)
            ) && (at == start || self.touches(at) || self.kind(at) == Some(RuleTokenKind::Dot))
            {
                at += 1;
            }
            let name = self.words(start, at);
            let mut words = List::with_capacity_in(1, self.arena);
            while matches!(
                self.kind_before(at, hi),
                Some(RuleTokenKind::Colon | RuleTokenKind::ColonColon)
            ) {
                if self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word) {
                    words.push(self.token_word(at + 1));
                    at += 2;
                } else {
                    self.unexpected(
                        self.lexer.tokens[at].span(),
                        "a suffix such as `once` follows `:`",
                    );
                    at += 1;
                }
            }
            let suffixes = words.into_bump_slice();
            if name.is_empty() {
                // From the separator to what stands where the event should.
                let span = self.span(start - 1, (start + 1).min(hi));
                self.report.add(rs::RS015, span, "an event is missing here");
            } else {
                let span = suffixes.last().map_or(name.span, |last| name.span.to(last.span));
                events.push(EventSyntax { name, suffixes, span });
            }
            if self.kind_before(at, hi) == Some(RuleTokenKind::Comma) {
                at += 1;
            } else {
                break;
            }
        }
        let events = events.into_bump_slice();
        match self.kind_before(at, hi) {
            Some(RuleTokenKind::Tilde | RuleTokenKind::Question) => {
                if self.kind(at) != Some(delimiter) {
                    let span = self.lexer.tokens[at].span();
                    let wanted = if delimiter == RuleTokenKind::Tilde {
                        "~"
                    } else {
                        "?"
                    };
                    self.report.fix(
                        rs::RS047,
                        span,
                        format!("a trigger that opens with `{wanted}` closes with `{wanted}`"),
                        format!("replace with `{wanted}`"),
                        Safety::Safe,
                        &[(span, wanted)],
                    );
                }
                at += 1;
            }
            _ => {
                // Text up to the other delimiter belongs to the event that could not be read.
                let close = self.find(at, hi, delimiter);
                let near = close < hi
                    && (at..close).all(|index| {
                        !matches!(
                            self.kind(index),
                            Some(RuleTokenKind::LeftParen | RuleTokenKind::LeftBracket)
                        )
                    });
                if near {
                    let span = self.span(at, close);
                    let is_prefix = events
                        .last()
                        .is_some_and(|event| ["my", "opp", "any"].iter().any(|prefix| event.name.is(prefix)));
                    let first = &self.text[self.lexer.tokens[at].span().range()];
                    let is_joiner = |word: &&str| first.eq_ignore_ascii_case(word);
                    let help = if is_prefix {
                        "an event and its prefix are one word, as `anyAttacks`"
                    } else if ["or", "and", "~"].iter().any(is_joiner)
                        || !first.starts_with(char::is_alphabetic)
                    {
                        "events are separated by `,`"
                    } else {
                        "for more than an event's name, put a condition after it: \
                         `~blocks~ [[if attacker.bp >= 300]] draw(1)`"
                    };
                    self.unexpected(span, help);
                    at = close + 1;
                } else {
                    let span = self.lexer.tokens[open].span();
                    let message = format!("`{}` is never closed", &self.text[span.range()]);
                    let rest = Span::between(span.end, self.span(at, (at + 1).min(hi)).start.max(span.end));
                    let is_kept =
                        self.report
                            .labelled(rs::RS047, span, message, rest, "it ends somewhere here");
                    // `;` ends the statement, and the trigger with it.
                    let rest = self.text.get(rest.end as usize..).unwrap_or_default();
                    let line = rest.split('\n').next().unwrap_or_default();
                    if is_kept && at >= hi && line.trim_start().starts_with(';') && line.contains(['~', '?'])
                    {
                        self.report.help_last("events are separated by `,`");
                    }
                }
            }
        }
        let trigger = Trigger {
            hook: delimiter == RuleTokenKind::Question,
            events,
            span: self.span(open, at),
        };
        (trigger, at)
    }

    /// Whether no blank stands before the token.
    pub(crate) fn touches(&self, at: TokenRange) -> bool {
        at > 0 && self.lexer.tokens[at - 1].end == self.lexer.tokens[at].start
    }

    /// Conditions and what they guard.
    fn body(&mut self, lo: TokenRange, hi: TokenRange) -> StatementBody<'a> {
        let (plain, at, found) = self.branch(lo, hi);
        match found {
            None => StatementBody::Plain(plain),
            Some(found) => self.marked(plain, found, at, hi),
        }
    }

    /// A body whose first mark was read; `plain` is what stands before it.
    fn marked(
        &mut self,
        plain: BranchSyntax<'a>,
        first: BranchMark<'a>,
        lo: TokenRange,
        hi: TokenRange,
    ) -> StatementBody<'a> {
        let mut conditions = List::with_capacity_in(1, self.arena);
        let mut may: Option<(Span, Option<WordSyntax<'a>>, BranchSyntax<'a>)> = None;
        let mut otherwise: Option<(Span, BranchSyntax<'a>)> = None;
        let is_plain = !plain.span.is_empty();
        let mut mark = self.place_mark(first, plain.span.end, is_plain, false, false, false);
        let mut at = lo;
        loop {
            let (branch, next, found) = self.branch(at, hi);
            at = next;
            match mark {
                BranchMark::May(span, question) => may = Some((span, question, branch)),
                BranchMark::If(span, test) | BranchMark::Elif(span, test) => {
                    conditions.push(Condition {
                        mark: span,
                        test,
                        branch,
                    });
                }
                BranchMark::Else(span) => otherwise = Some((span, branch)),
                BranchMark::Lost => {}
            }
            let Some(found) = found else { break };
            let has_if = !conditions.is_empty();
            mark = self.place_mark(
                found,
                branch.span.end,
                is_plain,
                may.is_some(),
                has_if,
                otherwise.is_some(),
            );
        }
        let arms = conditions.into_bump_slice();
        if let Some((mark, question, branch)) = may {
            return StatementBody::May {
                mark,
                question,
                branch,
            };
        }
        if arms.is_empty() {
            return StatementBody::Plain(plain);
        }
        StatementBody::If { arms, otherwise }
    }

    /// Says whether a mark may stand where it stands (R234, R236, RS031).
    fn place_mark(
        &mut self,
        mark: BranchMark<'a>,
        before: u32,
        plain: bool,
        may: bool,
        has_if: bool,
        has_else: bool,
    ) -> BranchMark<'a> {
        let (span, wrong) = match mark {
            BranchMark::Lost => return BranchMark::Lost,
            BranchMark::May(span, _) | BranchMark::If(span, _) if may || has_if || has_else => {
                (span, "a statement has one condition; put `;` before the next")
            }
            BranchMark::May(span, _) | BranchMark::If(span, _) if plain => {
                (span, "the condition goes in front of the effects")
            }
            BranchMark::Elif(span, _) | BranchMark::Else(span) if may => {
                (span, "nothing follows `may`; write it as a statement of its own")
            }
            BranchMark::Elif(span, _) | BranchMark::Else(span) if !has_if => {
                (span, "there is no `if` before this")
            }
            BranchMark::Elif(span, _) | BranchMark::Else(span) if has_else => {
                (span, "never reached: there is an `else` before it")
            }
            BranchMark::May(..) | BranchMark::If(..) | BranchMark::Elif(..) | BranchMark::Else(_) => {
                return mark;
            }
        };
        if matches!(mark, BranchMark::May(..) | BranchMark::If(..)) {
            let gap = Span::between(before.min(span.start), span.start);
            self.report
                .labelled(rs::RS031, span, wrong, gap, "perhaps a `;` is missing here");
        } else {
            self.report.add(rs::RS031, span, wrong);
        }
        // `draw() [[if x]]` guards what stands before; nothing is lost by reading on.
        BranchMark::Lost
    }

    /// Effects up to the next mark or the end; the mark is returned (R237).
    fn branch(
        &mut self,
        lo: TokenRange,
        hi: TokenRange,
    ) -> (BranchSyntax<'a>, TokenRange, Option<BranchMark<'a>>) {
        let mut open = OpenBranch::new(self.arena);
        let mut at = lo;
        let mut found = None;
        while at < hi {
            if self.kind(at) == Some(RuleTokenKind::LeftBracket) {
                let (mark, next) = self.mark(at, hi);
                at = next;
                found = Some(mark);
                break;
            }
            at = self.branch_part(at, hi, &mut open);
        }
        (self.close_branch(open), at, found)
    }

    fn close_branch(&mut self, open: OpenBranch<'a>) -> BranchSyntax<'a> {
        if let Some((_, span)) = open.joiner {
            self.left_over_joiner(span);
        }
        let lonely = open
            .to
            .map(|clause| clause.span)
            .or(open.restriction.map(|word| word.span));
        if let Some(span) = lonely
            && open.last_effect.is_none()
        {
            self.unexpected(span, "an effect must come before it");
        }
        BranchSyntax {
            effects: open.effects.into_bump_slice(),
            to: open.to,
            restriction: open.restriction,
            span: open.span.unwrap_or_default(),
        }
    }

    fn left_over_joiner(&mut self, span: Span) {
        if self.lexer.unbalanced {
            return;
        }
        let text = &self.text[span.range()];
        self.report.fix(
            rs::RS067,
            span,
            format!("`{text}` joins nothing"),
            format!("remove `{text}`"),
            Safety::Safe,
            &[(span, "")],
        );
    }

    /// One effect, joiner, clause or restriction; returns the token behind.
    fn branch_part(&mut self, at: TokenRange, hi: TokenRange, open: &mut OpenBranch<'a>) -> TokenRange {
        if self.kind(at) == Some(RuleTokenKind::Word) {
            return self.word_part(at, hi, open);
        }
        let span = self.lexer.tokens[at].span();
        let joiner = match self.kind(at) {
            Some(RuleTokenKind::And) => Some(JoinerSyntax::Then),
            Some(RuleTokenKind::AndAnd) => Some(JoinerSyntax::AndThen),
            Some(RuleTokenKind::PipePipe) => Some(JoinerSyntax::OrElse),
            Some(RuleTokenKind::Pipe) => {
                self.report.fix(
                    rs::RS068,
                    span,
                    "unexpected `|`",
                    "write `||`",
                    Safety::Safe,
                    &[(span, "||")],
                );
                Some(JoinerSyntax::OrElse)
            }
            _ => None,
        };
        if let Some(joiner) = joiner {
            open.cover(span);
            if open.last_effect.is_none() || open.joiner.is_some() {
                self.left_over_joiner(span);
            } else {
                open.joiner = Some((joiner, span));
            }
            return at + 1;
        }
        match self.kind(at) {
            Some(RuleTokenKind::Plus | RuleTokenKind::Minus)
                if self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word)
                    && self.kind_before(at + 2, hi) == Some(RuleTokenKind::LeftParen)
                    && self.kind_before(at + 3, hi) == Some(RuleTokenKind::Number)
                    && !self.lexer.unbalanced =>
            {
                open.cover(span);
                self.sign_of_command(at);
                at + 1
            }
            Some(RuleTokenKind::Dot)
                if open.last_effect.is_some()
                    && self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word)
                    && !self.lexer.unbalanced =>
            {
                open.cover(span);
                let (written, title) = match is_clause_word(self.token_word(at + 1).text) {
                    true => (" ", "remove the dot"),
                    false => (" & ", "write `&`"),
                };
                let told = "nothing is called after a dot";
                let edits = [(span, written)];
                if self
                    .report
                    .fix(rs::RS068, span, told, title, Safety::Unsafe, &edits)
                {
                    self.report.help_last(
                        "put what an effect acts on after it: `damage(200) to(opp)`; `&` joins effects",
                    );
                }
                at + 1
            }
            Some(RuleTokenKind::Plus | RuleTokenKind::Minus)
                if self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word) =>
            {
                self.ability(at, open);
                self.more_of_ability(at + 2, hi)
            }
            Some(RuleTokenKind::Word) => self.word_part(at, hi, open),
            // `sp(-2): draw(1)`, `~attacks~:once draw(1)`.
            Some(RuleTokenKind::Colon) if !self.lexer.unbalanced => {
                open.cover(span);
                let before = open.last_effect.map_or("", |effect| &self.text[effect.range()]);
                let is_suffix = open.last_effect.is_none()
                    && at > 0
                    && matches!(
                        self.kind(at - 1),
                        Some(RuleTokenKind::Tilde | RuleTokenKind::Question)
                    )
                    && self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word)
                    && self.kind_before(at + 2, hi) != Some(RuleTokenKind::LeftParen);
                let end = at + 1 + usize::from(is_suffix);
                let span = self.span(at, end);
                let help = if is_suffix {
                    "put a suffix between the two `~`: `~attacks:once~ draw(1)`"
                } else {
                    as_cost(before)
                };
                self.unexpected(span, help);
                end
            }
            Some(RuleTokenKind::Comma) if open.last_effect.is_some() && !self.lexer.unbalanced => {
                open.cover(span);
                self.report.fix(
                    rs::RS068,
                    span,
                    "effects are joined by `&`, `&&` or `||`",
                    "write `&`",
                    Safety::Unsafe,
                    &[(span, " &")],
                );
                at + 1
            }
            Some(RuleTokenKind::Tilde) if self.find(at + 1, hi, RuleTokenKind::Tilde) < hi => {
                let end = self.find(at + 1, hi, RuleTokenKind::Tilde) + 1;
                let span = self.span(at, end);
                open.cover(span);
                self.unexpected(
                    span,
                    "put several events between one pair of `~`: `~attacks, blocks~`",
                );
                end
            }
            _ => {
                let end = self.skip_unexpected(at, hi);
                let span = self.span(at, end);
                open.cover(span);
                self.unexpected(span, "");
                end
            }
        }
    }

    /// Behind what can start nothing: up to the next word, sign, joiner or mark.
    fn skip_unexpected(&self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = self.next(lo, hi);
        while at < hi
            && !matches!(
                self.kind(at),
                Some(
                    RuleTokenKind::Word
                        | RuleTokenKind::Plus
                        | RuleTokenKind::Minus
                        | RuleTokenKind::And
                        | RuleTokenKind::AndAnd
                        | RuleTokenKind::PipePipe
                        | RuleTokenKind::LeftBracket
                )
            )
        {
            at = self.next(at, hi);
        }
        at
    }

    /// `+bp(100)`: the sign belongs to the number.
    fn sign_of_command(&mut self, at: TokenRange) {
        let (sign, name) = (self.token_word(at), self.token_word(at + 1));
        let told = format!("`{}` must come before a number or an ability", sign.text);
        let inner = Span::at(self.lexer.tokens[at + 2].span().end as usize);
        let title = format!("write `{}({}…)`", name.text, sign.text);
        let edits = [(sign.span, ""), (inner, sign.text)];
        self.report
            .fix(rs::RS068, sign.span, told, title, Safety::Unsafe, &edits);
    }

    fn ability(&mut self, at: TokenRange, open: &mut OpenBranch<'a>) {
        let sign = match self.kind(at) {
            Some(RuleTokenKind::Plus) => NumberSign::Plus,
            _ => NumberSign::Minus,
        };
        let name = self.token_word(at + 1);
        let span = self.span(at, at + 2);
        self.push_effect(open, EffectSyntaxKind::Ability { sign, name }, span);
    }

    /// An ability is one word: what follows it without a joiner, and starts nothing, was meant to belong to
    /// it.
    fn more_of_ability(&mut self, at: TokenRange, hi: TokenRange) -> TokenRange {
        if self.kind_before(at, hi) != Some(RuleTokenKind::Word) {
            return at;
        }
        let name = self.token_word(at);
        let starts = self.kind_before(at + 1, hi);
        let is_part = is_restriction(name.text)
            || is_clause_word(name.text)
            || matches!(starts, Some(RuleTokenKind::LeftParen | RuleTokenKind::Question))
            || ![
                "all",
                "block",
                "attack",
                "blocked",
                "blockable",
                "abilities",
                "ability",
                "freeze",
                "play",
            ]
            .iter()
            .any(|word| name.is(word));
        if is_part {
            return at;
        }
        let help = match name.text.to_ascii_lowercase().starts_with("abilit") {
            true => "`loseAbility()` takes all abilities; one is taken as `-rush`",
            false => "an ability is one word, as `+cantblock`",
        };
        self.unexpected(name.span, help);
        at + 1
    }

    fn push_effect(&mut self, open: &mut OpenBranch<'a>, kind: EffectSyntaxKind<'a>, span: Span) {
        open.cover(span);
        let joiner = open.joiner.take();
        if let (None, Some(last)) = (joiner, open.last_effect)
            && !self.lexer.unbalanced
            && !self.is_told_behind(last)
        {
            let between = Span::between(last.end, span.start.max(last.end));
            self.report.fix(
                rs::RS067,
                if between.is_empty() { span } else { between },
                "no joiner between two effects",
                "add `&`",
                Safety::Unsafe,
                &[(between, " & ")],
            );
        }
        open.last_effect = Some(span);
        open.effects.push(EffectSyntax {
            joiner: joiner.map_or(JoinerSyntax::Then, |(joiner, _)| joiner),
            joiner_span: joiner.map(|(_, span)| span),
            kind,
            span,
        });
    }

    /// Whether what stands at the end of an effect or behind it is reported: then a joiner that is missing
    /// there is the same slip.
    fn is_told_behind(&self, effect: Span) -> bool {
        let last = self.report.found.last();
        last.is_some_and(|found| found.severity == Severity::Error && found.span.end >= effect.end)
    }

    /// A call, a to-clause, a restriction, or a word that is none of them.
    fn word_part(&mut self, at: TokenRange, hi: TokenRange, open: &mut OpenBranch<'a>) -> TokenRange {
        let name = self.token_word(at);
        let question = self.kind_before(at + 1, hi) == Some(RuleTokenKind::Question);
        let paren = at + 1 + usize::from(question);
        if self.kind_before(paren, hi) == Some(RuleTokenKind::LeftParen) {
            if is_clause_word(name.text) || self.is_misspelled_clause(name, open) {
                return self.clause(at, paren, question, hi, open);
            }
            return self.call(at, paren, question, hi, open);
        }
        if is_restriction(name.text) {
            self.restriction(name, open);
            return at + 1;
        }
        open.cover(name.span);
        let behind = open.last_effect.is_some() && open.joiner.is_none();
        if behind {
            if let Some(near) = nearest(name.text, RESTRICTIONS) {
                self.report.fix(
                    rs::RS068,
                    name.span,
                    format!("unexpected `{}`; did you mean `{near}`?", shorten(name.text)),
                    format!("replace with `{near}`"),
                    Safety::Unsafe,
                    &[(name.span, near)],
                );
                return at + 1;
            }
            if is_clause_word(name.text) {
                return self.clause_without_parentheses(at, hi);
            }
            if name.is("if") {
                // All of the condition belongs to it.
                self.unexpected(name.span, "");
                return hi;
            }
            if name.text.len() < 3 {
                self.unexpected(name.span, "");
                return at + 1;
            }
        }
        if let Some(end) = self.dotted(at, hi, open) {
            return end;
        }
        if self.is_plain_english(name, at, hi, behind, open) {
            return self.end_of_part(at + 1, hi);
        }
        self.bare_word(name, at, hi, open);
        self.end_of_part(at + 1, hi)
    }

    /// What stands up to the next part belongs to the same slip.
    fn end_of_part(&self, mut at: TokenRange, hi: TokenRange) -> TokenRange {
        while at < hi {
            let starts_part = match self.kind(at) {
                Some(
                    RuleTokenKind::And
                    | RuleTokenKind::AndAnd
                    | RuleTokenKind::PipePipe
                    | RuleTokenKind::LeftBracket
                    | RuleTokenKind::Plus
                    | RuleTokenKind::Minus,
                ) => true,
                Some(RuleTokenKind::Word) => {
                    let name = self.token_word(at).text;
                    let open =
                        at + 1 + usize::from(self.kind_before(at + 1, hi) == Some(RuleTokenKind::Question));
                    is_restriction(name)
                        || is_clause_word(name)
                        || self.kind_before(open, hi) == Some(RuleTokenKind::LeftParen)
                }
                _ => false,
            };
            if starts_part {
                break;
            }
            at = self.next(at, hi);
        }
        at
    }

    /// `to opp`.
    fn clause_without_parentheses(&mut self, at: TokenRange, hi: TokenRange) -> TokenRange {
        let name = self.token_word(at);
        let end = self.end_of_part(at + 1, hi);
        let message = format!("put the targets after `{}` in parentheses", name.text);
        if end == at + 1 {
            self.report.add(rs::RS068, name.span, message);
            return end;
        }
        let targets = self.words(at + 1, end).span;
        let gap = Span::between(name.span.end, targets.start);
        let close = Span::at(targets.end as usize);
        self.report.fix(
            rs::RS068,
            name.span.to(targets),
            message,
            "add the parentheses",
            Safety::Unsafe,
            &[(gap, "("), (close, ")")],
        );
        end
    }

    /// Words of English that stand for something of the language: `and`, `else`, `opp` without `to`,
    /// `gain rush`, `until end of turn`. `behind` says that an effect stands before without a joiner (RS004).
    fn is_plain_english(
        &mut self,
        name: WordSyntax<'a>,
        at: TokenRange,
        hi: TokenRange,
        behind: bool,
        open: &mut OpenBranch<'a>,
    ) -> bool {
        if self.lexer.unbalanced || self.is_reported(name.span) {
            return false;
        }
        let second =
            (self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word)).then(|| self.token_word(at + 1));
        let sign = |words: &[&str], sign: &str| {
            let ability = second.filter(|_| words.iter().any(|word| name.is(word)))?;
            Some((name.span.to(ability.span), format!("{sign}{}", ability.text)))
        };
        let (span, written, why) = if let Some((span, ability)) =
            sign(&["gain", "gains", "get", "gets", "has"], "+").or_else(|| sign(&["lose", "loses"], "-"))
        {
            (span, ability, "abilities come with `+` and go with `-`")
        } else if !behind {
            return false;
        } else if name.is("and") || name.is("then") {
            (name.span, "&".to_owned(), "`&` and `;` join effects")
        } else if name.is("else") {
            (
                name.span,
                "[[else]]".to_owned(),
                "branches start with two brackets",
            )
        } else if name.is("until") {
            let end = self.end_of_part(at + 1, hi);
            let span = name.span.to(self.words(at, end).span);
            (
                span,
                "ueot".to_owned(),
                "`ueot` means until the end of the turn, `uynt` until your next turn",
            )
        } else if PLAYERS.iter().any(|player| name.is(player)) {
            (
                name.span,
                format!("to({})", name.text),
                "put who an effect is for after `to`",
            )
        } else {
            return false;
        };
        open.joiner = None;
        let told = format!("`{}` is neither a command nor an ability", shorten(name.text));
        let title = format!("write `{written}`");
        let edits = [(span, &*written)];
        let kept = self
            .report
            .fix(rs::RS004, span, told, title, Safety::Unsafe, &edits);
        if let Some(found) = self.report.found.last_mut().filter(|_| kept) {
            found.help = Some(why.to_owned());
        }
        true
    }

    /// `this.freeze()`, `opp.hp -= 200`: methods and assignments of other languages (RS004). Returns the
    /// token behind.
    fn dotted(&mut self, at: TokenRange, hi: TokenRange, open: &mut OpenBranch<'a>) -> Option<TokenRange> {
        let mut last = at;
        while self.kind_before(last + 1, hi) == Some(RuleTokenKind::Dot)
            && matches!(
                self.kind_before(last + 2, hi),
                Some(RuleTokenKind::Word | RuleTokenKind::Number)
            )
        {
            last += 2;
        }
        if last == at || self.lexer.unbalanced || self.is_reported(self.token_word(at).span) {
            return None;
        }
        let (of, what) = (self.words(at, last - 1), self.token_word(last));
        let told = format!(
            "`{}` is neither a command nor an ability",
            shorten(self.words(at, last + 1).text)
        );
        open.joiner = None;
        if self.kind_before(last + 1, hi) == Some(RuleTokenKind::LeftParen) {
            let (_, next) = self.closing(last + 1, hi, RuleTokenKind::LeftBracket);
            let call = self.words(last, next);
            let span = of.span.to(call.span);
            let written = format!("{} to({})", call.text, of.text);
            let title = format!("write `{}`", shorten(&written));
            let edits = [(span, &*written)];
            if self
                .report
                .fix(rs::RS004, span, told, title, Safety::Unsafe, &edits)
            {
                self.report
                    .help_last("put the effect first, and what it acts on after it: `freeze() to(this)`");
            }
            open.last_effect = Some(span);
            return Some(next);
        }
        // An assignment goes on to the next joiner.
        let mut end = last + 1;
        while end < hi
            && !matches!(
                self.kind(end),
                Some(
                    RuleTokenKind::And
                        | RuleTokenKind::AndAnd
                        | RuleTokenKind::PipePipe
                        | RuleTokenKind::LeftBracket
                )
            )
        {
            end = self.next(end, hi);
        }
        let rest = self.words(last + 1, end);
        let is_set =
            rest.text.split('=').count() == 2 || rest.text.starts_with("++") || rest.text.starts_with("--");
        if !is_set {
            return None;
        }
        let span = of.span.to(rest.span);
        let value = rest.text.trim_start_matches([':', '+', '-', '=', ' ', '*']);
        let sign = match rest.text.as_bytes() {
            [b'+', ..] => "+",
            [b'-', ..] => "-",
            [b'*', ..] => "x",
            _ => "=",
        };
        let value = if value.is_empty() { "1" } else { value };
        let help = format!(
            "values are changed by effects: `{}({sign}{value}) to({})`",
            what.text, of.text
        );
        self.report.help(rs::RS004, span, told, help);
        open.last_effect = Some(span);
        Some(end)
    }

    /// An effect needs parentheses or a sign (R244, RS004).
    fn bare_word(&mut self, name: WordSyntax<'a>, at: TokenRange, hi: TokenRange, open: &mut OpenBranch<'a>) {
        if self.lexer.unbalanced || self.is_reported(name.span) {
            return;
        }
        open.joiner = None;
        open.last_effect = Some(name.span);
        let told = format!("`{}` is neither a command nor an ability", shorten(name.text));
        let is_of = at + 1 < hi && self.kind(at + 1) == Some(RuleTokenKind::Dot);
        let help = match name.text.to_ascii_lowercase().as_str() {
            "when" => Some("put what an `auto` waits for between two `~`: `~attacks~ draw(1)`"),
            "unless" => Some(
                "put a condition before its effects, its opposite with `not`: `[[if not alone]] draw(1)`",
            ),
            "if" => Some("put a condition in two brackets: `[[if me.sp > 3]] sp(+3)`"),
            "may" => Some("to make an effect optional, put a `?` before its parentheses: `draw?(1)`"),
            "per" | "for" => Some("a number can be computed: `draw(me.hand.size)`"),
            "where" | "with" | "whose" => Some(
                "put your own numbers on a line before: `vars = _n := me.sp`; \
                 put which cards you mean in a filter: `character[bp <= 300]`",
            ),
            word if word.starts_with(|first: char| first.is_ascii_digit()) => {
                Some("put how much or how often in the parentheses: `draw(2)`")
            }
            player if is_of && PLAYERS.contains(&player) => {
                Some("put who an effect is for after it: `draw(1) to(opp)`")
            }
            _ => None,
        };
        if let Some(help) = help {
            self.report.help(rs::RS004, name.span, told, help);
            return;
        }
        let is = |at: TokenRange, kind| at < hi && self.kind(at) == Some(kind);
        let number = is(at + 1, RuleTokenKind::Number).then(|| self.token_word(at + 1));
        let ends = |at: TokenRange| self.end_of_part(at, hi) == at;
        match number {
            // `draw 2`.
            Some(number) if ends(at + 2) => {
                let gap = Span::between(name.span.end, number.span.start);
                let close = Span::at(number.span.end as usize);
                self.report.fix(
                    rs::RS004,
                    name.span.to(number.span),
                    told,
                    "put the number in parentheses",
                    Safety::Unsafe,
                    &[(gap, "("), (close, ")")],
                );
            }
            // `deal 200 damage`.
            Some(number) if is(at + 2, RuleTokenKind::Word) => {
                let command = self.token_word(at + 2);
                let call = format!("{}({})", command.text, number.text);
                let help = format!("the command comes first, then its number: `{call}`");
                self.report
                    .help(rs::RS004, name.span.to(command.span), told, help);
            }
            // `destroy character@oppRing`, `shuffle deck`.
            _ if is(at + 1, RuleTokenKind::Word) && !ends(at + 1) => {
                let end = self.end_of_part(at + 1, hi);
                let rest = self.words(at + 1, end).text;
                let help = match rest.contains(['@', '[']) {
                    true => format!(
                        "put what an effect acts on in parentheses: `{}() to({})`",
                        shorten(name.text),
                        shorten(rest)
                    ),
                    false => format!(
                        "put arguments in parentheses: `{}({})`; to give an ability, write `+rush`",
                        shorten(name.text),
                        shorten(rest)
                    ),
                };
                self.report.help(rs::RS004, name.span, told, help);
            }
            _ => {
                let kept = self.report.fix(
                    rs::RS004,
                    name.span,
                    told,
                    "add `()`",
                    Safety::Unsafe,
                    &[(Span::at(name.span.end as usize), "()")],
                );
                if let Some(found) = self.report.found.last_mut().filter(|_| kept) {
                    found.help = Some(format!(
                        "a command is written `{0}()`, an ability `+{0}`",
                        shorten(name.text)
                    ));
                }
            }
        }
    }

    /// `form(character)` behind an effect, without joiner, means `from`.
    fn is_misspelled_clause(&mut self, name: WordSyntax<'a>, open: &OpenBranch<'a>) -> bool {
        if open.last_effect.is_none() || open.joiner.is_some() || open.to.is_some() {
            return false;
        }
        let Some(near) = nearest(name.text, ["to", "target", "from"]) else {
            return false;
        };
        self.report.fix(
            rs::RS068,
            name.span,
            format!("unexpected `{}`; did you mean `{near}`?", name.text),
            format!("replace with `{near}`"),
            Safety::Unsafe,
            &[(name.span, near)],
        );
        true
    }

    fn restriction(&mut self, name: WordSyntax<'a>, open: &mut OpenBranch<'a>) {
        open.cover(name.span);
        if self.each_depth > 0 {
            self.report.help(
                rs::RS033,
                name.span,
                "a restriction inside `each`",
                "write it after the `each(…)`",
            );
        } else if let Some(first) = open.restriction {
            self.second(name.span, "second restriction; only the first counts", first.span);
        } else {
            open.restriction = Some(name);
        }
    }

    /// Reports a second to-clause or restriction of a branch, and offers to remove it (RS032).
    fn second(&mut self, span: Span, message: &str, first: Span) {
        let edits = [(span, "")];
        if self
            .report
            .fix(rs::RS032, span, message, "remove it", Safety::Unsafe, &edits)
        {
            self.report.label_last(first, "the first");
        }
    }

    /// `to(…)`, `target?(…)`, `from(…)`.
    fn clause(
        &mut self,
        at: TokenRange,
        paren: TokenRange,
        optional: bool,
        hi: TokenRange,
        open: &mut OpenBranch<'a>,
    ) -> TokenRange {
        let (close, next) = self.closing(paren, hi, RuleTokenKind::LeftBracket);
        let span = self.span(at, next);
        open.cover(span);
        let inner = self.span(paren + 1, close);
        let targets = self.target_list(paren + 1, close, RuleTokenKind::Semicolon, inner);
        if paren + 1 == close {
            self.report.add(rs::RS068, span, "no target in the parentheses");
        }
        let clause = TargetClauseSyntax {
            keyword: self.token_word(at),
            optional,
            targets,
            span,
        };
        if self.each_depth > 0 {
            self.report.help(
                rs::RS033,
                span,
                "a to-clause inside `each`",
                "write it after the `each(…)`: it holds for the inner effects too",
            );
        } else if let Some(first) = open.to {
            self.second(span, "second to-clause; only the first counts", first.span);
            if let Some(found) = self.report.found.last_mut().filter(|found| found.span == span) {
                found.help =
                    Some("put several targets in one clause: `to(opp; character@oppRing)`".to_owned());
            }
        } else {
            open.to = Some(clause);
        }
        next
    }

    fn call(
        &mut self,
        at: TokenRange,
        paren: TokenRange,
        optional: bool,
        hi: TokenRange,
        open: &mut OpenBranch<'a>,
    ) -> TokenRange {
        let (close, next) = self.closing(paren, hi, RuleTokenKind::LeftBracket);
        let arguments = self.arguments(paren + 1, close);
        let kind = EffectSyntaxKind::Call {
            name: self.token_word(at),
            optional,
            arguments,
            parentheses: self.span(paren, next),
        };
        let span = self.span(at, next);
        self.push_effect(open, kind, span);
        next
    }

    fn arguments(&mut self, lo: TokenRange, hi: TokenRange) -> &'a [Argument<'a>] {
        if lo >= hi {
            return &[];
        }
        let mut arguments = List::with_capacity_in(1, self.arena);
        let arrow = self.find(lo, hi, RuleTokenKind::Arrow);
        if arrow < hi {
            let each = self.each(lo, arrow, hi);
            arguments.push(each);
            return arguments.into_bump_slice();
        }
        let mut at = lo;
        loop {
            let end = self.argument_end(at, hi);
            if at < end {
                let argument = self.argument(at, end);
                arguments.push(argument);
            } else {
                let comma = if end < hi { end } else { end - 1 };
                self.empty_item(self.lexer.tokens[comma].span());
            }
            if end >= hi {
                break;
            }
            at = end + 1;
        }
        arguments.into_bump_slice()
    }

    /// The next comma that parts arguments: not nested, and not that of `<1,2>` (R242).
    fn argument_end(&self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = self.find(lo, hi, RuleTokenKind::Comma);
        while at < hi && self.is_quantity_comma(at, hi) {
            at = self.find(at + 1, hi, RuleTokenKind::Comma);
        }
        at
    }

    fn is_quantity_comma(&self, comma: TokenRange, hi: TokenRange) -> bool {
        let kind = |at: Option<TokenRange>| at.and_then(|at| self.kind_before(at, hi));
        let back = |steps: usize| comma.checked_sub(steps);
        let opens = kind(back(1)) == Some(RuleTokenKind::Less)
            || (kind(back(1)) == Some(RuleTokenKind::Number) && kind(back(2)) == Some(RuleTokenKind::Less));
        let closes = kind(Some(comma + 1)) == Some(RuleTokenKind::Number)
            && kind(Some(comma + 2)) == Some(RuleTokenKind::Greater);
        opens && closes
    }

    fn argument(&self, lo: TokenRange, hi: TokenRange) -> Argument<'a> {
        let text = self.words(lo, hi);
        let form = match (self.kind(lo), hi - lo) {
            (Some(RuleTokenKind::Number), 1) => integer(text.text, false),
            (Some(RuleTokenKind::Minus), 2) if self.kind(lo + 1) == Some(RuleTokenKind::Number) => {
                integer(self.token_word(lo + 1).text, true)
            }
            (Some(RuleTokenKind::Plus), 2) if self.kind(lo + 1) == Some(RuleTokenKind::Number) => {
                integer(self.token_word(lo + 1).text, false)
            }
            (Some(RuleTokenKind::Quoted), 1) => ArgForm::Quoted(&text.text[1..text.text.len() - 1]),
            (Some(RuleTokenKind::Question), 1) => ArgForm::Question,
            (Some(RuleTokenKind::Word), 1) => ArgForm::Word,
            (Some(RuleTokenKind::Word), _) if self.is_hyphenated(lo, hi) => ArgForm::Word,
            _ => ArgForm::Text,
        };
        Argument { text, form }
    }

    fn is_hyphenated(&self, lo: TokenRange, hi: TokenRange) -> bool {
        (lo..hi).all(|at| {
            let wanted = if (at - lo).is_multiple_of(2) {
                RuleTokenKind::Word
            } else {
                RuleTokenKind::Minus
            };
            self.kind(at) == Some(wanted) && (at == lo || self.touches(at))
        }) && (hi - lo) % 2 == 1
    }

    /// `over => effects` (R622, D30).
    fn each(&mut self, lo: TokenRange, arrow: TokenRange, hi: TokenRange) -> Argument<'a> {
        let over = self.words(lo, arrow);
        if over.is_empty() {
            let span = self.lexer.tokens[arrow].span();
            self.report.help(
                rs::RS068,
                span,
                "nothing to repeat over",
                "write `each(card in me.ring => …)`",
            );
        }
        let text = self.words(lo, hi);
        let effects = if self.each_depth >= DEEPEST_EACH {
            self.report
                .add(rs::RS069, text.span, "`each` within too many others");
            &[]
        } else {
            self.each_depth += 1;
            let effects = self.each_effects(arrow, hi);
            self.each_depth -= 1;
            effects
        };
        Argument {
            text,
            form: ArgForm::Each(EachSyntax { over, effects }),
        }
    }

    fn each_effects(&mut self, arrow: TokenRange, hi: TokenRange) -> &'a [EffectSyntax<'a>] {
        let mut open = OpenBranch::new(self.arena);
        let mut at = arrow + 1;
        while at < hi {
            if self.kind(at) == Some(RuleTokenKind::LeftBracket) {
                let (_, next) = self.mark(at, hi);
                let span = self.span(at, next);
                self.report.help(
                    rs::RS033,
                    span,
                    "a condition inside `each`",
                    "select the elements on the left of `=>`",
                );
                at = next;
                continue;
            }
            at = self.branch_part(at, hi, &mut open);
        }
        if open.last_effect.is_none() {
            let span = self.lexer.tokens[arrow].span();
            if !self.is_reported(span) {
                self.report.add(rs::RS068, span, "nothing to repeat after `=>`");
            }
        }
        self.close_branch(open).effects
    }
}

/// What is meant by an effect with a `:` behind it, as other games write costs.
fn as_cost(effect: &str) -> &'static str {
    let name = effect
        .split('(')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match name.as_str() {
        "sp" => {
            "costs are braces and take no SP; an effect does, if there are enough: \
             `[[if me.sp >= 2]] sp(-2) & draw(1)`"
        }
        "hp" | "loselife" | "damage" => {
            "costs are braces and take no HP; an effect does, if there are enough: \
             `[[if me.hp > 200]] loseLife(200) & draw(1)`"
        }
        "discard" | "rnddiscard" => "costs are braces: `{D}: draw(1)` discards a card to draw one",
        "freeze" => "costs are braces: `{F}: draw(1)` freezes this card to draw one",
        "destroy" | "sacrifice" => {
            "costs are braces: `{S}: draw(1)` sacrifices this card, `{S(character)}` another"
        }
        _ => {
            "`:` goes after costs, as in `{F}: draw(1)`; \
             after an event or a condition, the effects follow directly"
        }
    }
}

/// Costs that people expect, and how what they mean is written.
const OTHER_COSTS: [(&[&str], &str); 5] = [
    (
        &["freeze", "tap", "t", "exhaust", "rest", "turn"],
        "a card freezes to pay by `{F}`",
    ),
    (
        &["sacrifice", "sac", "destroy", "kill", "ko"],
        "a card sacrifices itself by `{S}`, and others by `{S(character)}`",
    ),
    (
        &["discard", "discards", "card", "cards"],
        "a card is discarded by `{D}`, several by `{D(2)}`, and a kind of them by `{D(character)}`",
    ),
    (
        &["sp", "mana", "energy", "pay", "skill"],
        "no cost takes SP; an effect does, if there are enough: `[[if me.sp >= 2]] sp(-2) & draw(1)`",
    ),
    (
        &["hp", "life", "damage", "loselife"],
        "no cost takes HP; an effect does, if there are enough: `[[if me.hp > 200]] loseLife(200) & draw(1)`",
    ),
];

/// Whom an effect may be for.
const PLAYERS: [&str; 4] = ["me", "opp", "players", "tgt"];

const RESTRICTIONS: [&str; 9] = [
    "ueot", "uynt", "unac", "oppueot", "oppuynt", "oppunac", "myueot", "myuynt", "myunac",
];

fn is_restriction(word: &str) -> bool {
    word.len() <= 7 && RESTRICTIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn integer(digits: &str, negative: bool) -> ArgForm<'static> {
    let value = digits.parse::<i64>().unwrap_or(i64::MAX);
    ArgForm::Int(if negative { -value } else { value })
}
