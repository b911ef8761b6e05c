//! Target filters: quantity, types, pick, filters, zone, selector (R202–R243).

use cw_text::{Safety, Span};

use crate::codes::rs;
use crate::lexer::{RuleToken, RuleTokenKind};
use crate::parser::{List, RuleParser, TokenRange, shorten};
use crate::tree::{
    FilterSyntax, Operator, PickSyntax, Prefix, QuantityForm, QuantitySyntax, Selector, Target, TypeJoiner,
    TypeSyntax, WordSyntax,
};

/// A `<…>` group.
enum Angle {
    Quantity(QuantityForm),
    Pick(i16),
    Malformed,
}

impl<'a> RuleParser<'a> {
    /// Reads the target in tokens `lo..hi`; `around` is where its absence is reported.
    pub(crate) fn target(&mut self, lo: TokenRange, hi: TokenRange, around: Span) -> Target<'a> {
        let mut target = Target {
            text: self.words(lo, hi),
            quantity: None,
            types: &[],
            joiner: TypeJoiner::Or,
            pick: None,
            filters: &[],
            brackets: None,
            zone: None,
            selector: None,
            expression: None,
        };
        if lo >= hi {
            self.report.add(rs::RS068, around, "no target here");
            return target;
        }
        let mut at = lo;
        if self.opens_angle(at) {
            at = self.first_angle(at, hi, &mut target);
        }
        if self.is_expression(at, hi) {
            let end = self.expression_end(at, hi);
            target.expression = Some(self.words(at, end));
            at = end;
        } else {
            at = self.types(at, hi, &mut target);
        }
        while at < hi {
            at = self.target_part(at, hi, &mut target);
        }
        target
    }

    fn opens_angle(&self, at: TokenRange) -> bool {
        matches!(
            self.kind(at),
            Some(RuleTokenKind::Less | RuleTokenKind::LessGreater | RuleTokenKind::LessEqual)
        )
    }

    /// `<…>` at the very start: a quantity, or a signed pick (R203).
    fn first_angle(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let (angle, span, next) = self.angle(at, hi);
        match angle {
            Some(Angle::Quantity(form)) => {
                self.check_quantity(form, span);
                target.quantity = Some(QuantitySyntax { form, span });
            }
            Some(Angle::Pick(count)) => target.pick = Some(PickSyntax { count, span }),
            Some(Angle::Malformed) => self.malformed_angle(span),
            None => {}
        }
        next
    }

    fn malformed_angle(&mut self, span: Span) {
        let text = &self.text[span.range()];
        let message = format!("`{}` is not a quantity", shorten(text));
        let help = "quantities are <n>, <a,b>, <,b>, <**>, <r> and <rN>; \
                    after the type, <n> and <-n> pick the first or last n";
        let Some(meant) = meant_quantity(text) else {
            self.report.help(rs::RS018, span, message, help);
            return;
        };
        let title = format!("write `{meant}`");
        let edits = [(span, &*meant)];
        if self
            .report
            .fix(rs::RS018, span, message, title, Safety::Unsafe, &edits)
        {
            self.report.help_last(help);
        }
    }

    fn check_quantity(&mut self, form: QuantityForm, span: Span) {
        let wrong = match form {
            QuantityForm::Exactly(0) | QuantityForm::Between(0, 0) => "the most is 0: nothing is ever chosen",
            QuantityForm::Between(least, most) if least > most => "the least is greater than the most",
            QuantityForm::Exactly(_)
            | QuantityForm::Between(..)
            | QuantityForm::Any
            | QuantityForm::Random(_) => return,
        };
        self.report.add(rs::RS019, span, wrong);
    }

    /// Reads `<…>`; without `>` that is reported and `None` comes back.
    fn angle(&mut self, at: TokenRange, hi: TokenRange) -> (Option<Angle>, Span, TokenRange) {
        if self.kind(at) == Some(RuleTokenKind::LessGreater) {
            return (Some(Angle::Malformed), self.lexer.tokens[at].span(), at + 1);
        }
        // A quantity is short; what is longer is no quantity.
        let reach = hi.min(at + 9);
        let close = (at + 1..reach).find(|index| {
            matches!(
                self.kind(*index),
                Some(RuleTokenKind::Greater | RuleTokenKind::GreaterEqual)
            )
        });
        let Some(close) = close else {
            let span = self.lexer.tokens[at].span();
            // Up to what can stand in no quantity.
            let inside = |index: &TokenRange| {
                matches!(
                    self.kind(*index),
                    Some(RuleTokenKind::Number | RuleTokenKind::Comma | RuleTokenKind::StarStar)
                ) || self.kind(*index) == Some(RuleTokenKind::Word) && *index == at + 1
            };
            let end = (at + 1..reach).find(|index| !inside(index)).unwrap_or(reach);
            let rest = Span::between(span.end, self.words(at, (end + 1).min(hi)).span.end);
            self.report.labelled(
                rs::RS047,
                span,
                "`<` is never closed",
                rest,
                "it ends somewhere here",
            );
            return (None, span, at + 1);
        };
        let span = self.span(at, close + 1);
        if self.kind(at) == Some(RuleTokenKind::LessEqual)
            || self.kind(close) == Some(RuleTokenKind::GreaterEqual)
        {
            return (Some(Angle::Malformed), span, close + 1);
        }
        (Some(self.angle_form(at + 1, close)), span, close + 1)
    }

    fn angle_form(&self, lo: TokenRange, hi: TokenRange) -> Angle {
        let kinds = [
            self.kind_before(lo, hi),
            self.kind_before(lo + 1, hi),
            self.kind_before(lo + 2, hi),
            self.kind_before(lo + 3, hi),
        ];
        let number = |at: TokenRange| self.token_word(at).text.parse::<u16>().unwrap_or(u16::MAX);
        let pick = |at: TokenRange| i16::try_from(number(at)).unwrap_or(i16::MAX);
        match kinds {
            [Some(RuleTokenKind::StarStar), None, ..] => Angle::Quantity(QuantityForm::Any),
            [Some(RuleTokenKind::Number), None, ..] => Angle::Quantity(QuantityForm::Exactly(number(lo))),
            [
                Some(RuleTokenKind::Number),
                Some(RuleTokenKind::Comma),
                Some(RuleTokenKind::Number),
                None,
            ] => Angle::Quantity(QuantityForm::Between(number(lo), number(lo + 2))),
            [Some(RuleTokenKind::Comma), Some(RuleTokenKind::Number), None, _] => {
                Angle::Quantity(QuantityForm::Between(1, number(lo + 1)))
            }
            [Some(RuleTokenKind::Plus), Some(RuleTokenKind::Number), None, _] => Angle::Pick(pick(lo + 1)),
            [Some(RuleTokenKind::Minus), Some(RuleTokenKind::Number), None, _] => Angle::Pick(-pick(lo + 1)),
            [Some(RuleTokenKind::Word), None, ..] => {
                let word = self.token_word(lo).text;
                let digits = word.strip_prefix(['r', 'R']);
                match digits {
                    Some("") => Angle::Quantity(QuantityForm::Random(1)),
                    Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                        // R204: `<r0>` acts as 1.
                        let count = digits.parse::<u16>().unwrap_or(u16::MAX).max(1);
                        Angle::Quantity(QuantityForm::Random(count))
                    }
                    _ => Angle::Malformed,
                }
            }
            _ => Angle::Malformed,
        }
    }

    /// Whether the text is an expression (R230): it has a `.` or `(` where types would stand.
    fn is_expression(&self, lo: TokenRange, hi: TokenRange) -> bool {
        if !self.lexer.has(RuleTokenKind::Dot) && !self.lexer.has(RuleTokenKind::LeftParen) {
            return false;
        }
        let mut at = lo;
        while at < hi {
            match self.kind(at) {
                Some(RuleTokenKind::Dot | RuleTokenKind::LeftParen) => return true,
                Some(
                    RuleTokenKind::LeftBracket
                    | RuleTokenKind::At
                    | RuleTokenKind::ColonColon
                    | RuleTokenKind::Less,
                ) => {
                    return false;
                }
                _ => at = self.next(at, hi),
            }
        }
        false
    }

    /// Behind an expression target: where its filters, pick, zone or selector begin (D95).
    fn expression_end(&self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = lo;
        while at < hi {
            let ends = match self.kind(at) {
                Some(RuleTokenKind::ColonColon | RuleTokenKind::At) => true,
                Some(RuleTokenKind::LeftBracket) => at > lo && self.is_filter(at, hi),
                Some(RuleTokenKind::Less) => at > lo && self.is_pick(at, hi),
                _ => false,
            };
            if ends {
                return at;
            }
            at = self.next(at, hi);
        }
        hi
    }

    /// Whether the brackets hold filters, and are not Python's: words with perhaps a comparison, separated
    /// by `,` and `&`, and behind them nothing that goes on with the expression.
    fn is_filter(&self, open: TokenRange, hi: TokenRange) -> bool {
        let mate = self.lexer.tokens[open].mate;
        if mate == RuleToken::ALONE || (mate as usize) >= hi {
            return false;
        }
        let close = mate as usize;
        let goes_on = close + 1 < hi
            && !matches!(
                self.kind(close + 1),
                Some(RuleTokenKind::ColonColon | RuleTokenKind::At)
            )
            && !self.is_pick(close + 1, hi);
        if goes_on {
            return false;
        }
        let mut at = open + 1;
        loop {
            if matches!(
                self.kind_before(at, close),
                Some(RuleTokenKind::Minus | RuleTokenKind::Plus | RuleTokenKind::Caret | RuleTokenKind::Bang)
            ) {
                at += 1;
            }
            // By habit a variable's name begins with `_`: that is an index.
            let is_word = self.kind_before(at, close) == Some(RuleTokenKind::Word)
                && !self.token_word(at).text.starts_with('_');
            if !is_word {
                return false;
            }
            while matches!(
                self.kind_before(at, close),
                Some(RuleTokenKind::Word | RuleTokenKind::Number)
            ) {
                at += 1;
            }
            let compares = matches!(
                self.kind_before(at, close),
                Some(
                    RuleTokenKind::EqualEqual
                        | RuleTokenKind::Equal
                        | RuleTokenKind::LessEqual
                        | RuleTokenKind::GreaterEqual
                        | RuleTokenKind::Less
                        | RuleTokenKind::Greater
                        | RuleTokenKind::BangEqual
                        | RuleTokenKind::LessGreater
                        | RuleTokenKind::Colon
                )
            );
            if compares {
                let sign = self.kind_before(at + 1, close);
                at += 1 + usize::from(matches!(sign, Some(RuleTokenKind::Minus | RuleTokenKind::Plus)));
                if !matches!(
                    self.kind_before(at, close),
                    Some(RuleTokenKind::Number | RuleTokenKind::Word)
                ) {
                    return false;
                }
                at += 1;
            }
            if at >= close {
                return true;
            }
            let joins = matches!(
                self.kind(at),
                Some(
                    RuleTokenKind::Comma
                        | RuleTokenKind::And
                        | RuleTokenKind::AndAnd
                        | RuleTokenKind::Pipe
                        | RuleTokenKind::PipePipe
                )
            );
            if !joins {
                return false;
            }
            at += 1;
        }
    }

    /// Whether `<n>`, `<+n>` or `<-n>` begins here, and is no comparison.
    fn is_pick(&self, at: TokenRange, hi: TokenRange) -> bool {
        if self.kind_before(at, hi) != Some(RuleTokenKind::Less) {
            return false;
        }
        let sign = matches!(
            self.kind_before(at + 1, hi),
            Some(RuleTokenKind::Minus | RuleTokenKind::Plus)
        );
        let number = at + 1 + usize::from(sign);
        self.kind_before(number, hi) == Some(RuleTokenKind::Number)
            && self.kind_before(number + 1, hi) == Some(RuleTokenKind::Greater)
            && (number + 2 >= hi
                || matches!(
                    self.kind(number + 2),
                    Some(RuleTokenKind::LeftBracket | RuleTokenKind::At | RuleTokenKind::ColonColon)
                ))
    }

    fn types(&mut self, lo: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let mut types = List::with_capacity_in(1, self.arena);
        let mut at = lo;
        let mut joiner: Option<(TypeJoiner, Span)> = None;
        loop {
            let (read, next) = self.one_type(at, hi);
            at = next;
            let separator = match self.kind_before(at, hi) {
                Some(RuleTokenKind::Comma) => Some(TypeJoiner::Or),
                Some(RuleTokenKind::And) => Some(TypeJoiner::And),
                _ => None,
            };
            match read {
                Some(read) => types.push(read),
                None if separator.is_some() || joiner.is_some() => {
                    let near = if separator.is_some() { at } else { at - 1 };
                    let span = self.lexer.tokens[near].span();
                    self.report.fix(
                        rs::RS006,
                        span,
                        "a type is missing here",
                        "remove the separator",
                        Safety::Unsafe,
                        &[(span, "")],
                    );
                }
                None => {}
            }
            let Some(separator) = separator else { break };
            let span = self.lexer.tokens[at].span();
            match joiner {
                Some((before, _)) if before != separator => {
                    self.report.help(
                        rs::RS021,
                        span,
                        "`,` and `&` in one list of types",
                        "use one of them; put `;` between targets that are chosen one after the other",
                    );
                }
                Some(_) => {}
                None => joiner = Some((separator, span)),
            }
            at += 1;
        }
        target.joiner = joiner.map_or(TypeJoiner::Or, |(joiner, _)| joiner);
        target.types = types.into_bump_slice();
        at
    }

    fn one_type(&mut self, lo: TokenRange, hi: TokenRange) -> (Option<TypeSyntax<'a>>, TokenRange) {
        let mut at = lo;
        let prefix = match self.kind_before(at, hi) {
            Some(RuleTokenKind::Caret) => Some(Prefix::Caret),
            Some(RuleTokenKind::Bang) => Some(Prefix::Bang),
            _ => None,
        };
        if prefix.is_some() {
            at += 1;
            while matches!(
                self.kind_before(at, hi),
                Some(RuleTokenKind::Caret | RuleTokenKind::Bang)
            ) {
                // A type has one prefix (R211).
                let span = self.lexer.tokens[at].span();
                self.unexpected(span, "a type has one prefix");
                at += 1;
            }
        }
        let start = at;
        let (name, quoted, plural) = match self.kind_before(at, hi) {
            Some(RuleTokenKind::Quoted) => {
                let name = self.card_name(at);
                at += 1;
                (name, true, self.plural_suffix(&mut at, hi))
            }
            Some(RuleTokenKind::Star) => {
                let name = self.token_word(at);
                at += 1;
                (name, false, self.plural_suffix(&mut at, hi))
            }
            _ => {
                at = self.name_end(at, hi);
                (self.words(start, at), false, false)
            }
        };
        if name.text.is_empty() && !quoted {
            if prefix.is_some() {
                let span = self.lexer.tokens[lo].span();
                self.unexpected(span, "a type follows the prefix");
            }
            return (None, at);
        }
        let span = self.span(lo, at);
        let read = TypeSyntax {
            prefix,
            name,
            quoted,
            plural,
            span,
        };
        (Some(read), at)
    }

    /// The text between the quotes; `'` is no quote for names (R116).
    fn card_name(&mut self, at: TokenRange) -> WordSyntax<'a> {
        let token = self.lexer.tokens[at];
        let span = token.span();
        if self.text.as_bytes()[token.start as usize] == b'\'' {
            let inner = &self.text[span.start as usize + 1..span.end as usize - 1];
            let double = format!("\"{inner}\"");
            self.report.fix(
                rs::RS068,
                span,
                "put a card name in double quotes",
                "use double quotes",
                Safety::Safe,
                &[(span, &double)],
            );
        }
        self.word(Span::between(span.start + 1, span.end - 1))
    }

    /// The `s` that touches `*` or a closing quote.
    fn plural_suffix(&self, at: &mut TokenRange, hi: TokenRange) -> bool {
        let plural = self.kind_before(*at, hi) == Some(RuleTokenKind::Word)
            && self.touches(*at)
            && self.token_word(*at).is("s");
        *at += usize::from(plural);
        plural
    }

    /// Behind a name: words, numbers, `-` and apostrophes between them.
    fn name_end(&self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = lo;
        while at < hi {
            match self.kind(at) {
                Some(RuleTokenKind::Word | RuleTokenKind::Number) => at += 1,
                Some(RuleTokenKind::Minus | RuleTokenKind::StrayQuote | RuleTokenKind::Dot)
                    if at > lo && self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word) =>
                {
                    at += 1;
                }
                _ => break,
            }
        }
        at
    }

    /// Pick, filters, zone or selector; returns the token behind.
    fn target_part(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        match self.kind(at) {
            Some(RuleTokenKind::Less | RuleTokenKind::LessGreater | RuleTokenKind::LessEqual) => {
                self.pick(at, hi, target)
            }
            Some(RuleTokenKind::LeftBracket) => self.filters(at, hi, target),
            Some(RuleTokenKind::At) => self.zone(at, hi, target),
            Some(RuleTokenKind::ColonColon) => self.selector(at, hi, target),
            _ => {
                let mut end = self.next(at, hi);
                while end < hi
                    && !matches!(
                        self.kind(end),
                        Some(
                            RuleTokenKind::Less
                                | RuleTokenKind::LeftBracket
                                | RuleTokenKind::At
                                | RuleTokenKind::ColonColon
                        )
                    )
                {
                    end = self.next(end, hi);
                }
                let span = self.span(at, end);
                let help = match self.kind(at) {
                    Some(RuleTokenKind::Comma) => {
                        "several targets are separated by `;`: `character@oppRing; opp`; \
                         write how many in front: `<2>character`; \
                         both rings are `character@anyRing`, or no zone"
                    }
                    Some(RuleTokenKind::Plus | RuleTokenKind::And | RuleTokenKind::AndAnd) => {
                        "several targets are separated by `;`, as `me; opp`; both players are `players`"
                    }
                    _ => "a target is written <quantity>type<pick>[filter]@zone::not(…)",
                };
                let kept = self.unexpected(span, help);
                let sign = self.kind(at);
                if kept
                    && matches!(sign, Some(RuleTokenKind::Greater | RuleTokenKind::GreaterEqual))
                    && at > 0
                {
                    let before = self.lexer.tokens[at.saturating_sub(4)..at][0].span();
                    let before = before.to(self.lexer.tokens[at - 1].span());
                    self.report.label_last(before, "perhaps `<` is missing here");
                }
                end
            }
        }
    }

    fn pick(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let (angle, span, next) = self.angle(at, hi);
        let count = match angle {
            Some(Angle::Pick(count)) => count,
            Some(Angle::Quantity(QuantityForm::Exactly(count))) => i16::try_from(count).unwrap_or(i16::MAX),
            Some(Angle::Quantity(_) | Angle::Malformed) => {
                let text = &self.text[span.range()];
                self.report.help(
                    rs::RS018,
                    span,
                    format!("`{}` is not a pick", shorten(text)),
                    "after the type, <n> and <-n> pick the first or last n; a quantity goes in front",
                );
                return next;
            }
            None => return next,
        };
        if let Some(first) = target.pick {
            self.unexpected_second(span, "a target has one pick", first.span);
            return next;
        }
        if target.brackets.is_some() || target.zone.is_some() || target.selector.is_some() {
            // A pick after the filter or zone is accepted, with a warning (R207).
            let before = target
                .types
                .last()
                .map_or(target.text.span.start, |last| last.span.end);
            let text = self.text[span.range()].to_string();
            self.report.fix(
                rs::RS020,
                span,
                "the pick comes after the filter or zone",
                "move it right after the type",
                Safety::Safe,
                &[(Span::at(before as usize), &text), (span, "")],
            );
        }
        target.pick = Some(PickSyntax { count, span });
        next
    }

    fn filters(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let mate = self.lexer.tokens[at].mate;
        let (close, next) = if mate != RuleToken::ALONE && (mate as usize) < hi {
            (mate as usize, mate as usize + 1)
        } else {
            let end = self.find(at + 1, hi, RuleTokenKind::At);
            (end, end)
        };
        let span = self.span(at, next);
        if target.brackets.is_some() {
            self.unexpected(
                span,
                "a target has one pair of brackets; join filters with `&` or `,`",
            );
            return next;
        }
        target.brackets = Some(span);
        if at + 1 >= close {
            self.report.fix(
                rs::RS006,
                span,
                "no filter in the brackets",
                "remove them",
                Safety::Safe,
                &[(span, "")],
            );
            return next;
        }
        let mut alternatives = List::with_capacity_in(1, self.arena);
        let mut from = at + 1;
        loop {
            let end = self.find(from, close, RuleTokenKind::Comma);
            let all = self.and_filter(from, end);
            alternatives.push(all);
            if end >= close {
                break;
            }
            from = end + 1;
        }
        target.filters = alternatives.into_bump_slice();
        next
    }

    fn and_filter(&mut self, lo: TokenRange, hi: TokenRange) -> &'a [FilterSyntax<'a>] {
        let mut filters = List::with_capacity_in(1, self.arena);
        let mut at = lo;
        loop {
            let end = self.filter_end(at, hi);
            if at < end {
                if let Some(filter) = self.filter(at, end) {
                    filters.push(filter);
                }
            } else {
                let near = end.min(self.lexer.tokens.len() - 1);
                let span = self.lexer.tokens[near].span();
                self.report.add(rs::RS006, span, "a filter is missing here");
            }
            if end >= hi {
                break;
            }
            at = end + 1;
        }
        filters.into_bump_slice()
    }

    /// The next `&`; `&&`, `|` and `||` are reported and stand for it or for `,`.
    fn filter_end(&mut self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = lo;
        while at < hi {
            let (wrong, right) = match self.kind(at) {
                Some(RuleTokenKind::And) => return at,
                Some(RuleTokenKind::AndAnd) => ("`&&` between filters", "&"),
                Some(RuleTokenKind::Pipe | RuleTokenKind::PipePipe) => ("`|` between filters", ","),
                _ => {
                    at = self.next(at, hi);
                    continue;
                }
            };
            let span = self.lexer.tokens[at].span();
            self.report.fix(
                rs::RS068,
                span,
                format!("{wrong}; `&` is and, `,` is or"),
                format!("replace with `{right}`"),
                Safety::Safe,
                &[(span, right)],
            );
            return at;
        }
        hi
    }

    fn filter(&mut self, lo: TokenRange, hi: TokenRange) -> Option<FilterSyntax<'a>> {
        let mut at = lo;
        let prefix = match self.kind(at) {
            Some(RuleTokenKind::Plus) => Some(Prefix::Plus),
            Some(RuleTokenKind::Minus) => Some(Prefix::Minus),
            Some(RuleTokenKind::Caret) => Some(Prefix::Caret),
            Some(RuleTokenKind::Bang) => {
                let span = self.lexer.tokens[at].span();
                self.report.fix(
                    rs::RS068,
                    span,
                    "a filter is negated with `-`",
                    "replace `!` with `-`",
                    Safety::Safe,
                    &[(span, "-")],
                );
                Some(Prefix::Minus)
            }
            _ => None,
        };
        at += usize::from(prefix.is_some());
        let start = at;
        at = self.name_end(at, hi);
        let name = self.words(start, at);
        let span = self.span(lo, hi);
        if name.is_empty() {
            self.unexpected(
                span,
                "a filter is a word such as `frozen`, or a comparison such as `bp <= 300`",
            );
            return None;
        }
        let mut compare = None;
        if at < hi {
            (compare, at) = self.compare(name, at, hi);
        }
        if at < hi {
            let span = self.span(at, hi);
            let help = match self.kind(at) {
                Some(RuleTokenKind::Word) => "filters are joined by `&`, and alternatives by `,`",
                _ if compare.is_some() => {
                    "a filter compares with a number written out; \
                     with another value cards are found by an expression: \
                     `vars = _few := [one for one in opp.ring if one.bp <= this.bp]`, and then `to(_few)`"
                }
                _ => "",
            };
            self.unexpected(span, help);
        }
        Some(FilterSyntax {
            prefix,
            name,
            compare,
            span,
        })
    }

    /// An operator and its right side (R216, R217, RS023).
    fn compare(
        &mut self,
        name: WordSyntax<'_>,
        lo: TokenRange,
        hi: TokenRange,
    ) -> (Option<(Operator, WordSyntax<'a>)>, TokenRange) {
        let span = self.lexer.tokens[lo].span();
        let operator = match self.kind(lo) {
            Some(RuleTokenKind::EqualEqual | RuleTokenKind::Equal) => Operator::Equal,
            Some(RuleTokenKind::LessEqual) => Operator::LessOrEqual,
            Some(RuleTokenKind::GreaterEqual | RuleTokenKind::Arrow) => Operator::GreaterOrEqual,
            Some(RuleTokenKind::Colon) => Operator::Colon,
            Some(RuleTokenKind::Less) => Operator::Less,
            Some(RuleTokenKind::Greater) => Operator::Greater,
            Some(RuleTokenKind::BangEqual | RuleTokenKind::LessGreater) => Operator::NotEqual,
            _ => return (None, lo),
        };
        let mut at = lo + 1;
        let more = matches!(
            self.kind_before(at, hi),
            Some(
                RuleTokenKind::Equal
                    | RuleTokenKind::EqualEqual
                    | RuleTokenKind::Less
                    | RuleTokenKind::Greater
            )
        );
        if more && self.touches(at) {
            let both = self.span(lo, at + 1);
            self.unexpected(both, "comparisons are ==, <= and >=");
            at += 1;
        } else {
            self.check_operator(operator, span);
        }
        let start = at;
        if matches!(
            self.kind_before(at, hi),
            Some(RuleTokenKind::Minus | RuleTokenKind::Plus)
        ) {
            at += 1;
        }
        if matches!(
            self.kind_before(at, hi),
            Some(RuleTokenKind::Number | RuleTokenKind::Word)
        ) {
            at += 1;
            let value = self.words(start, at);
            return (Some((operator, value)), at);
        }
        let message = "an integer follows a comparison";
        match of_texts(name) {
            Some(help) => {
                self.report.help(rs::RS024, span, message, help);
            }
            None => {
                self.report.add(rs::RS024, span, message);
            }
        }
        (None, hi)
    }

    fn check_operator(&mut self, operator: Operator, span: Span) {
        let text = &self.text[span.range()];
        let right = match (operator, text) {
            (Operator::Equal, "=") => "==",
            (Operator::GreaterOrEqual, "=>") => ">=",
            (Operator::NotEqual, "<>") => "!=",
            (Operator::NotEqual | Operator::Less | Operator::Greater, _) => {
                let message = format!("`{text}` in a filter works only in Cardwright");
                self.report
                    .help(rs::RS023, span, message, "documented are ==, <= and >=");
                return;
            }
            (Operator::Equal | Operator::LessOrEqual | Operator::GreaterOrEqual | Operator::Colon, _) => {
                return;
            }
        };
        self.report.fix(
            rs::RS023,
            span,
            format!("`{text}` is not a comparison of filters"),
            format!("replace with `{right}`"),
            Safety::Safe,
            &[(span, right)],
        );
    }

    fn zone(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let end = self.zone_end(at + 1, hi);
        let name = self.words(at + 1, end);
        let sign = self.lexer.tokens[at].span();
        if name.is_empty() {
            self.report.add(rs::RS012, sign, "a zone follows `@`");
            return end.max(at + 1);
        }
        if let Some(first) = target.zone {
            self.unexpected_second(sign.to(name.span), "a target has one zone", first.span);
        } else {
            target.zone = Some(name);
        }
        end
    }

    /// Behind the words of a zone; `@opp.ring` is taken whole, so that it is reported whole.
    fn zone_end(&self, lo: TokenRange, hi: TokenRange) -> TokenRange {
        let mut at = lo;
        while matches!(
            self.kind_before(at, hi),
            Some(
                RuleTokenKind::Word
                    | RuleTokenKind::Number
                    | RuleTokenKind::Dot
                    | RuleTokenKind::Minus
                    | RuleTokenKind::Colon
            )
        ) {
            at += 1;
        }
        at
    }

    fn selector(&mut self, at: TokenRange, hi: TokenRange, target: &mut Target<'a>) -> TokenRange {
        let name = self.words(at + 1, (at + 2).min(hi));
        let named = self.kind_before(at + 1, hi) == Some(RuleTokenKind::Word);
        if !named || self.kind_before(at + 2, hi) != Some(RuleTokenKind::LeftParen) {
            let end = if named { at + 2 } else { at + 1 };
            let span = self.span(at, end);
            self.unexpected(span, "the only selector is `::not(…)`");
            return end;
        }
        let mate = self.lexer.tokens[at + 2].mate;
        let (close, next) = if mate != RuleToken::ALONE && (mate as usize) < hi {
            (mate as usize, mate as usize + 1)
        } else {
            (hi, hi)
        };
        let span = self.span(at, next);
        if !name.is("not") {
            self.report.fix(
                rs::RS068,
                name.span,
                format!("unknown selector `{}`; the only one is `not`", shorten(name.text)),
                "replace with `not`",
                Safety::Unsafe,
                &[(name.span, "not")],
            );
        }
        if target.selector.is_some() {
            self.unexpected(span, "a target has one selector; exclude a sum of lists");
            return next;
        }
        target.selector = Some(Selector {
            name,
            argument: self.words(at + 3, close),
            span,
        });
        next
    }
}

/// The quantity that something in angle brackets was meant to be: `<1-2>`, `<*>`, `<up to 2>`.
fn meant_quantity(text: &str) -> Option<String> {
    let inner = text.trim_matches(['<', '>', '=', ' ']).to_lowercase();
    let number = |text: &str| text.trim().parse::<u16>().ok();
    if ["*", "all", "any", "n", "x"].contains(&&*inner) {
        return Some("<**>".to_owned());
    }
    if let Some(most) = inner.strip_prefix("up to").or_else(|| inner.strip_prefix("max")) {
        return number(most).map(|most| format!("<0,{most}>"));
    }
    if text.starts_with("<=") {
        return number(&inner).map(|most| format!("<,{most}>"));
    }
    if let Some(count) = inner.strip_prefix("random") {
        return Some(format!("<r{}>", count.trim()));
    }
    if let Some(least) = inner.strip_suffix('+').or_else(|| inner.strip_suffix("or more")) {
        return number(least).map(|least| format!("<{least},99>"));
    }
    let parted = ["-", "..", " to ", ";", ":", "\u{2013}", " or "];
    let (least, most) = parted.iter().find_map(|sign| inner.split_once(sign))?;
    let most = most.trim_matches(['.', '=']);
    Some(format!("<{},{}>", number(least)?, number(most)?))
}

/// How cards with this text are found, where a filter compares it.
fn of_texts(name: WordSyntax<'_>) -> Option<&'static str> {
    let is_one = |words: &[&str]| words.iter().any(|word| name.is(word));
    if is_one(&["name", "card", "called", "named", "title"]) {
        Some("to name a card, write its name in double quotes in place of the type: `\"Crumb\"@myRing`")
    } else if is_one(&["subtype", "type", "kind", "class", "school"]) {
        Some("write a subtype by itself in the filter, and a type in front: `character[warrior]@myRing`")
    } else if is_one(&["controller", "owner", "player"]) {
        Some("write whose card it is, and where, after `@`: `character@oppRing`")
    } else if is_one(&["ability"]) {
        Some("an ability type is asked for by `abInstant`, `abTrigger` and `abAuto`: `character[abAuto]`")
    } else {
        None
    }
}
