//! What can be said about an expression without evaluating it.

use cw_expr::ast::{
    BinaryOp, CallExpr, CompareOp, Comprehension, ComprehensionKind, ConstantWord, Expr, ExprKind,
    ExprVisitor, Lambda, Literal, Subscript, Target, UnaryOp, walk,
};
use cw_text::Span;

use crate::compile::{FormulaPlace, FormulaScope};
use crate::keep::{MOST_BYTES, MOST_ITEMS};
use crate::rewrite::Own;
use crate::words::{
    ATTRIBUTES, AttributeWord, EngineFunction, FUNCTIONS, FunctionWord, KEYWORDS, NAMES, NameSet, NameWord,
    REFUSED, WordKind,
};

/// Something about an expression that a checker reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFinding {
    /// Where, in the text given to `compile`.
    pub span: Span,
    /// What.
    pub fault: FormulaFindingKind,
    /// What is put in for it to be what was probably meant; nothing where that is not known.
    pub mends: Vec<FormulaMend>,
}

/// A text that is put into an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormulaMend {
    /// Before which byte of the text given to `compile`.
    pub at: u32,
    /// `.size`, `.bp` and the like.
    pub text: &'static str,
}

/// Kinds of [`FormulaFinding`], each with the code that section 12 gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaFindingKind {
    /// RS038: the text is no expression; why.
    Syntax(String),
    /// RS038: nothing has this name; perhaps the nearest that something has.
    UnknownName {
        /// As written, in lower case.
        name: String,
        /// What was perhaps meant.
        nearest: Option<&'static str>,
    },
    /// RS039: no value has this attribute.
    UnknownAttribute {
        /// As written, in lower case.
        name: String,
        /// What was perhaps meant.
        nearest: Option<&'static str>,
    },
    /// RS039: this kind of value lacks the attribute.
    WrongAttribute {
        /// As written, in lower case.
        name: String,
        /// What it was asked of.
        of: WordKind,
    },
    /// RS038: a function stands where its result is meant; how it is called.
    NotCalled(&'static FunctionWord),
    /// RS007: a function of the language is called with something else.
    WrongCall(&'static FunctionWord),
    /// RS072: values of two kinds are compared.
    Compared(WordKind, WordKind),
    /// RS072: `<` or `>` between values that have no order.
    Ordered(WordKind),
    /// RS039: a method of Python stands where its result is meant.
    Method(String),
    /// RS082: what is no function is called; its name.
    Called(String),
    /// RS082: a card, a player or a list is added or multiplied as if it were a number.
    Reckoned(WordKind),
    /// RS082: what is no list is gone through, or its elements are counted.
    NoList(WordKind),
    /// RS072: `in` asks a list of cards for another kind of value.
    NoMember(WordKind),
    /// RS072: a comparison that has the same answer in every game; what is never below 0.
    Always(bool, NeverNegative),
    /// RS040: `is` between a value and a number or text, where `==` is meant.
    Identity,
    /// The attribute `type`, `subtype` or `name` is compared with this text: to be looked up.
    Text {
        /// Which attribute.
        attribute: &'static str,
        /// As written.
        text: String,
    },
    /// RS040: `in` is membership here, where older engines map.
    Membership,
    /// RS040: a group form whose list goes on behind `and` or a comparison.
    Swallowed,
    /// RS082: it fails in every game; Python's words for it.
    Fails(String),
    /// RS042: the sandbox refuses the name.
    Refused(String),
    /// RS043: a limit of the sandbox; which.
    Limit(String),
}

/// Numbers that are never below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeverNegative {
    /// How many there are.
    Size,
    /// The SP of a player.
    PlayerSp,
}

/// All that [`inspect`] found.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    pub(crate) findings: Vec<FormulaFinding>,
    pub(crate) uses: NameSet,
    /// Whether it may ask or draw.
    pub(crate) asks: bool,
    /// Whether it names something that may differ from game to game.
    varies: bool,
    /// What it gives, as far as its words tell.
    pub(crate) kind: WordKind,
    /// Whether it can never be a number.
    pub(crate) no_number: bool,
    /// Whether it is worked out of nothing but numbers and texts.
    pub(crate) constant: bool,
    /// What it makes that no variable can hold (D103).
    pub(crate) unkept: Option<&'static str>,
    /// A number or text that stands where a condition is meant.
    pub(crate) idle: Option<IdleOperand>,
    /// What makes a number of it, where it is a card or a list.
    pub(crate) mends: Vec<FormulaMend>,
}

/// A number or text as one of several conditions: `600` in `me.hp == 500 or 600`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleOperand {
    /// Where it stands.
    pub span: Span,
    /// What the comparison beside it compares, as `me.hp ==`.
    pub compared: Option<Span>,
}

/// Looks an expression over, as read and not yet rewritten.
pub(crate) fn inspect<'a>(expr: &'a Expr<'a>, own: Own<'_>, scope: &FormulaScope<'_>) -> Inspection {
    let mut inspector = Inspector {
        own,
        place: scope.place,
        groups: usize::from(scope.in_each),
        handed: false,
        bound: Vec::new(),
        out: Inspection::default(),
    };
    let kind = inspector.kind(expr);
    let mends = match kind {
        WordKind::Card | WordKind::Cards | WordKind::List => inspector.numbered(expr),
        _ => Vec::new(),
    };
    let mut out = inspector.out;
    out.kind = kind;
    out.mends = mends;
    out.no_number = holds(expr)
        || matches!(
            kind,
            WordKind::Card | WordKind::Player | WordKind::Cards | WordKind::List | WordKind::Text
        );
    let plain = matches!(
        expr.kind,
        ExprKind::Literal(Literal::Int(_) | Literal::Long(_) | Literal::Constant(_))
    );
    out.constant = !out.varies && !plain;
    out.unkept = unkept(expr);
    out.idle = idle(expr);
    out
}

struct Inspector<'o, 'a> {
    own: Own<'o>,
    /// Decides what `tgt` is.
    place: FormulaPlace,
    /// Group forms around this place: only there is `card` defined.
    groups: usize,
    /// Whether the next expression is called, or handed to a call.
    handed: bool,
    /// The names that loops and functions around this place bind, the inner ones last.
    bound: Vec<(&'a str, WordKind)>,
    out: Inspection,
}

impl<'a> ExprVisitor<'a> for Inspector<'_, 'a> {
    fn expr(&mut self, expr: &'a Expr<'a>) {
        self.kind(expr);
    }
}

impl<'a> Inspector<'_, 'a> {
    fn find(&mut self, span: Span, fault: FormulaFindingKind) {
        self.mended(span, fault, Vec::new());
    }

    fn mended(&mut self, span: Span, fault: FormulaFindingKind, mends: Vec<FormulaMend>) {
        self.out.findings.push(FormulaFinding { span, fault, mends });
    }

    /// What an expression that was looked over gives.
    fn kind_again(&mut self, expr: &'a Expr<'a>) -> WordKind {
        let (findings, asks) = (self.out.findings.len(), self.out.asks);
        let (uses, varies) = (self.out.uses, self.out.varies);
        let kind = self.kind(expr);
        self.out.findings.truncate(findings);
        (self.out.asks, self.out.uses, self.out.varies) = (asks, uses, varies);
        kind
    }

    /// What makes numbers of the lists and cards in a sum or product; nothing where that is not known.
    fn numbered(&mut self, expr: &'a Expr<'a>) -> Vec<FormulaMend> {
        let behind = |text| {
            vec![FormulaMend {
                at: expr.span.end,
                text,
            }]
        };
        match expr.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) => {
                let mut mends = self.numbered(left);
                mends.extend(self.numbered(right));
                mends
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Pos, operand) => self.numbered(operand),
            // `max(me.ring)`
            ExprKind::Call(CallExpr {
                function:
                    Expr {
                        kind: ExprKind::Name("max" | "min" | "sum"),
                        ..
                    },
                args: [only],
                ..
            }) => match self.kind_again(only) {
                WordKind::Cards => Self::of_each(only),
                _ => Vec::new(),
            },
            ExprKind::Name(_)
            | ExprKind::Attribute { .. }
            | ExprKind::DotIndex { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Call(_)
            | ExprKind::Comprehension(_) => match self.kind_again(expr) {
                WordKind::Cards => behind(".size"),
                WordKind::List if !is_ready_list(expr) => behind(".size"),
                WordKind::List => vec![
                    FormulaMend {
                        at: expr.span.start,
                        text: "sum(",
                    },
                    FormulaMend {
                        at: expr.span.end,
                        text: ")",
                    },
                ],
                WordKind::Card => behind(".bp"),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// What makes the BP of its cards of a list.
    fn of_each(list: &Expr<'_>) -> Vec<FormulaMend> {
        match list.kind {
            ExprKind::Comprehension(inner) => vec![FormulaMend {
                at: inner.element.span.end,
                text: ".bp",
            }],
            _ => vec![
                FormulaMend {
                    at: list.span.start,
                    text: "[one.bp for one in ",
                },
                FormulaMend {
                    at: list.span.end,
                    text: "]",
                },
            ],
        }
    }

    /// What makes two values that are compared alike.
    fn alike(&mut self, left: &'a Expr<'a>, right: &'a Expr<'a>, kinds: [WordKind; 2]) -> Vec<FormulaMend> {
        use WordKind::{Card, Cards, List, Number, Player, Text, Truth};
        let behind = |expr: &Expr<'_>, text| {
            vec![FormulaMend {
                at: expr.span.end,
                text,
            }]
        };
        match kinds {
            [Card | Cards | List, Number | Truth] => self.numbered(left),
            [Number | Truth, Card | Cards | List] => self.numbered(right),
            [Card, Player] => behind(left, ".controller"),
            [Player, Card] => behind(right, ".controller"),
            // Of which text the caller knows more.
            [Card, Text] => behind(left, ".name"),
            [Text, Card] => behind(right, ".name"),
            [Cards, Cards] | [Card, Card] => {
                let mut mends = self.numbered(left);
                mends.extend(self.numbered(right));
                mends
            }
            _ => Vec::new(),
        }
    }

    /// Looks an expression over; what it gives, as far as its words tell.
    fn kind(&mut self, expr: &'a Expr<'a>) -> WordKind {
        let handed = std::mem::take(&mut self.handed);
        match expr.kind {
            ExprKind::Name(name) => return self.name(name, expr.span, handed),
            ExprKind::Literal(literal) => return literal_kind(literal),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.kind(operand);
                return WordKind::Truth;
            }
            ExprKind::Unary(_, operand) => {
                let kind = self.kind(operand);
                if !matches!(kind, WordKind::Any | WordKind::Number | WordKind::Truth) {
                    let mends = self.numbered(operand);
                    self.mended(expr.span, FormulaFindingKind::Reckoned(kind), mends);
                }
                return kind.of_sign();
            }
            ExprKind::Binary(op, left, right) => {
                let kinds = [self.kind(left), self.kind(right)];
                // `'%d' % 3` is a text, and lists may be added.
                let is_number = kinds.iter().all(|kind| kind.of_sign() == WordKind::Number);
                if let Some(kind) = reckoned(op, kinds) {
                    let mends = self.numbered(expr);
                    self.mended(expr.span, FormulaFindingKind::Reckoned(kind), mends);
                }
                return match (op, kinds) {
                    _ if is_number => WordKind::Number,
                    (BinaryOp::Add, [one, other])
                        if one == other && (one.is_list() || one == WordKind::Text) =>
                    {
                        one
                    }
                    // Lists are repeated.
                    (BinaryOp::Mul, [list, times] | [times, list])
                        if list.is_list() && times.of_sign() == WordKind::Number =>
                    {
                        list
                    }
                    _ => WordKind::Any,
                };
            }
            ExprKind::And(items) | ExprKind::Or(items) => return self.same_kind(items),
            ExprKind::IfElse {
                test,
                then,
                otherwise,
            } => {
                self.kind(test);
                return self.same_kind(&[then, otherwise]);
            }
            ExprKind::Attribute {
                object,
                name,
                name_span,
            } => {
                let of = self.kind(object);
                let is_first =
                    matches!(object.kind, ExprKind::Name("tgt")) && self.place == FormulaPlace::Argument;
                return self.attribute(of, is_first, handed, name, name_span);
            }
            ExprKind::Subscript { object, index } => {
                let is_list = self.kind(object) == WordKind::Cards && !is_targets(object);
                let kind = self.subscript(index);
                return if is_list { kind } else { WordKind::Any };
            }
            ExprKind::DotIndex { object, .. } => {
                // Targets may be players.
                if self.kind(object) == WordKind::Cards && !is_targets(object) {
                    return WordKind::Card;
                }
            }
            ExprKind::Call(call) => return self.call(call, expr.span),
            ExprKind::Compare(first, rest) => {
                self.comparison(expr.span, first, rest);
                return WordKind::Truth;
            }
            ExprKind::Group { element, list, .. } => {
                self.groups += 1;
                self.kind(element);
                self.groups -= 1;
                let of = self.kind(list);
                self.listed(list.span, of);
                let is_more = matches!(
                    list.kind,
                    ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Compare(..)
                );
                // In brackets of its own it is meant.
                if is_more && expr.span.end == list.span.end {
                    self.find(list.span, FormulaFindingKind::Swallowed);
                }
            }
            ExprKind::Comprehension(comprehension) => return self.comprehension(comprehension),
            ExprKind::Lambda(lambda) => self.lambda(lambda, expr),
            ExprKind::List(_) | ExprKind::Tuple(_) => {
                walk(self, expr);
                return WordKind::List;
            }
            _ => walk(self, expr),
        }
        WordKind::Any
    }

    /// What is gone through is a list.
    fn listed(&mut self, span: Span, kind: WordKind) {
        if matches!(
            kind,
            WordKind::Number | WordKind::Truth | WordKind::Card | WordKind::Player
        ) {
            self.find(span, FormulaFindingKind::NoList(kind));
        }
    }

    fn bind(&mut self, target: &Target<'a>, kind: WordKind) {
        match *target {
            Target::Name(name, _) => self.bound.push((name, kind)),
            Target::Tuple(items) => items.iter().for_each(|item| self.bind(item, WordKind::Any)),
        }
    }

    /// `[one.bp for one in me.ring if one.bp > 300]`
    fn comprehension(&mut self, comprehension: &'a Comprehension<'a>) -> WordKind {
        let outer = self.bound.len();
        for each in comprehension.loops {
            let of = self.kind(each.source);
            self.listed(each.source.span, of);
            let element = match of {
                WordKind::Cards if !is_targets(each.source) => WordKind::Card,
                _ => WordKind::Any,
            };
            self.bind(&each.target, element);
            for test in each.tests {
                self.kind(test);
            }
        }
        let element = self.kind(comprehension.element);
        if let Some(value) = comprehension.value {
            self.kind(value);
        }
        self.bound.truncate(outer);
        match (comprehension.kind, element) {
            (ComprehensionKind::List, WordKind::Card) => WordKind::Cards,
            (ComprehensionKind::List, _) => WordKind::List,
            _ => WordKind::Any,
        }
    }

    fn lambda(&mut self, lambda: &'a Lambda<'a>, expr: &'a Expr<'a>) {
        let outer = self.bound.len();
        for param in lambda.params {
            self.bind(&param.target, WordKind::Any);
        }
        let more = lambda.rest.into_iter().chain(lambda.named);
        self.bound.extend(more.map(|name| (name, WordKind::Any)));
        walk(self, expr);
        self.bound.truncate(outer);
    }

    /// Looks an index over; what it gives of a list.
    fn subscript(&mut self, index: &Subscript<'a>) -> WordKind {
        match *index {
            Subscript::Index(index) => {
                self.kind(index);
                WordKind::Card
            }
            Subscript::Slice {
                start, stop, step, ..
            } => {
                for part in [start, stop, step].into_iter().flatten() {
                    self.kind(part);
                }
                WordKind::Cards
            }
            Subscript::Tuple(parts) => {
                for part in parts {
                    self.subscript(part);
                }
                WordKind::Any
            }
            Subscript::Ellipsis => WordKind::Any,
        }
    }

    /// What several expressions give, one of which is the value.
    fn same_kind(&mut self, items: &[&'a Expr<'a>]) -> WordKind {
        let mut kinds = items.iter().map(|item| self.kind(item));
        let first = kinds.next().unwrap_or_default();
        let others: Vec<WordKind> = kinds.collect();
        match others.iter().all(|kind| *kind == first) {
            true => first,
            false => WordKind::Any,
        }
    }

    /// What is called, and what is handed to a call, may be functions (R1041: `map(isChar, moved)`).
    fn call(&mut self, call: &CallExpr<'a>, span: Span) -> WordKind {
        self.handed = true;
        self.kind(call.function);
        let mut first = WordKind::Any;
        let mut mixed = None;
        for (index, argument) in call.args.iter().enumerate() {
            self.handed = true;
            let kind = self.kind(argument);
            if index == 0 {
                first = kind;
            } else if differ(first, kind) && !is_targets(argument) && !is_targets(call.args[0]) {
                mixed = Some((first, kind));
            }
        }
        let keywords = call.keywords.iter().map(|(_, value)| *value);
        for more in keywords.chain(call.star).chain(call.star_star) {
            self.handed = true;
            self.kind(more);
        }
        self.handed = false;
        let name = match call.function.kind {
            ExprKind::Name(name) if !self.own.has(name) => name,
            ExprKind::Attribute { name, .. } if AttributeWord::find(name).is_some() => {
                self.find(span, FormulaFindingKind::Called(name.to_owned()));
                return WordKind::Any;
            }
            // Of lists and texts.
            ExprKind::Attribute {
                name: "count" | "index" | "find",
                ..
            } => return WordKind::Number,
            _ => return WordKind::Any,
        };
        let Some(word) = FunctionWord::find(name) else {
            if NameWord::find(name).is_some() && !is_python_name(name) {
                self.find(span, FormulaFindingKind::Called(name.to_owned()));
            }
            // `min(me.hand, 2)`.
            if let Some((one, other)) = mixed.filter(|_| matches!(name, "min" | "max" | "cmp")) {
                self.find(span, FormulaFindingKind::Compared(one, other));
            }
            let goes_through = match name {
                "len" | "sum" | "sorted" | "list" | "tuple" => true,
                "max" | "min" => call.args.len() == 1,
                _ => false,
            };
            if goes_through && matches!(first, WordKind::Card | WordKind::Player) {
                self.listed(span, first);
            }
            // It begins with 0.
            if name == "sum" && first == WordKind::Cards {
                let mends = Self::of_each(call.args[0]);
                self.mended(span, FormulaFindingKind::Reckoned(WordKind::Cards), mends);
            }
            return result_of(name, first, call.args.len());
        };
        // Each function of the engine takes arguments of its own (R1015).
        let fits = match (word.function, call.args) {
            (EngineFunction::FlipCoin, []) => true,
            (EngineFunction::GetTargets, [_]) => matches!(first, WordKind::Any | WordKind::Text),
            (EngineFunction::IsChar | EngineFunction::InUnitedAttack, [only]) => {
                matches!(first, WordKind::Any | WordKind::Card) || is_targets(only)
            }
            _ => call.star.is_some(),
        };
        if !fits {
            self.find(span, FormulaFindingKind::WrongCall(word));
        }
        word.kind
    }

    fn comparison(&mut self, span: Span, first: &'a Expr<'a>, rest: &'a [(CompareOp, &'a Expr<'a>)]) {
        let found = self.out.findings.len();
        let mut is_membership = false;
        let (mut left, mut left_kind) = (first, self.kind(first));
        for (op, right) in rest {
            let right_kind = self.kind(right);
            let is_in = matches!(op, CompareOp::In | CompareOp::NotIn);
            let between = left.span.to(right.span);
            let is_order = matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge);
            let is_identity = matches!(op, CompareOp::Is | CompareOp::IsNot);
            if is_in {
                let before = self.out.findings.len();
                self.listed(right.span, right_kind);
                let is_other = matches!(left_kind, WordKind::Text | WordKind::Number | WordKind::Player);
                if right_kind == WordKind::Cards && is_other && !is_targets(right) {
                    self.find(between, FormulaFindingKind::NoMember(left_kind));
                }
                is_membership |= self.out.findings.len() == before;
            } else if differ(left_kind, right_kind) && !is_targets(left) && !is_targets(right) {
                let mends = self.alike(left, right, [left_kind, right_kind]);
                let fault = FormulaFindingKind::Compared(left_kind, right_kind);
                self.mended(between, fault, mends);
            } else if let Some((answer, of)) = never_negative(left, *op, right, left_kind, right_kind) {
                self.find(between, FormulaFindingKind::Always(answer, of));
            } else if is_order && left_kind == right_kind && has_no_order(left_kind) {
                let mends = self.alike(left, right, [left_kind, right_kind]);
                self.mended(between, FormulaFindingKind::Ordered(left_kind), mends);
            } else if is_identity && [left, right].into_iter().any(is_value) {
                self.find(between, FormulaFindingKind::Identity);
            }
            self.compared_text(left, right);
            self.compared_text(right, left);
            (left, left_kind) = (right, right_kind);
        }
        if is_membership {
            let finding = FormulaFinding {
                span,
                fault: FormulaFindingKind::Membership,
                mends: Vec::new(),
            };
            self.out.findings.insert(found, finding);
        }
    }

    /// `trigger.type == 'character'`, `trigger.subtype in ['baker', 'sailor']`.
    fn compared_text(&mut self, attribute: &Expr<'_>, text: &Expr<'_>) {
        let ExprKind::Attribute { name, .. } = attribute.kind else {
            return;
        };
        let Some(attribute) = ["type", "subtype", "name"]
            .into_iter()
            .find(|known| *known == name)
        else {
            return;
        };
        let texts = match text.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => items,
            _ => &[text],
        };
        for one in texts {
            if let ExprKind::Literal(Literal::Str(bytes)) = one.kind
                && let Ok(text) = std::str::from_utf8(bytes)
            {
                let text = text.to_string();
                self.find(one.span, FormulaFindingKind::Text { attribute, text });
            }
        }
    }

    fn name(&mut self, name: &str, span: Span, handed: bool) -> WordKind {
        let varied = std::mem::replace(&mut self.out.varies, true);
        if self.own.has(name) {
            let bound = self.bound.iter().rev().find(|(bound, _)| *bound == name);
            return bound.map_or_else(|| self.own.kind(name), |(_, kind)| *kind);
        }
        let outside_group = name == "card" && self.groups == 0;
        if !outside_group && let Some(word) = self.out.uses.add(name) {
            return word.kind;
        }
        if let Some(word) = FunctionWord::find(name) {
            self.out.asks |= matches!(
                word.function,
                EngineFunction::GetTargets | EngineFunction::FlipCoin
            );
            if !handed {
                self.find(span, FormulaFindingKind::NotCalled(word));
            }
            return WordKind::Any;
        }
        if KEYWORDS.contains(&name) {
            // Its own text (D44).
            self.out.varies = varied;
            return WordKind::Text;
        }
        if is_python_name(name) {
            self.out.varies = varied;
            return WordKind::Any;
        }
        if REFUSED.contains(&name) || cw_expr::refused(name) {
            self.find(span, FormulaFindingKind::Refused(name.to_owned()));
            return WordKind::Any;
        }
        let nearest = if outside_group {
            None
        } else {
            let names = NAMES.iter().map(|word| word.word);
            cw_text::nearest(name, names.chain(FUNCTIONS.iter().map(|word| word.word)))
        };
        let name = name.to_owned();
        self.find(span, FormulaFindingKind::UnknownName { name, nearest });
        if outside_group {
            WordKind::Card
        } else {
            WordKind::Any
        }
    }

    fn attribute(
        &mut self,
        of: WordKind,
        of_targets: bool,
        handed: bool,
        name: &str,
        span: Span,
    ) -> WordKind {
        let Some(word) = AttributeWord::find(name) else {
            let pythons = match of {
                WordKind::Any | WordKind::Text | WordKind::Number | WordKind::Truth => {
                    cw_expr::has_attribute_named(name)
                }
                WordKind::Cards | WordKind::List => matches!(name, "count" | "index"),
                WordKind::Card | WordKind::Player => false,
            };
            if !pythons {
                let nearest = cw_text::nearest(name, ATTRIBUTES.iter().map(|word| word.word));
                let name = name.to_owned();
                self.find(span, FormulaFindingKind::UnknownAttribute { name, nearest });
            } else if !handed && cw_expr::has_method_named(name) {
                self.find(span, FormulaFindingKind::Method(name.to_owned()));
            }
            return WordKind::Any;
        };
        let fits = match (of, word.on) {
            // `.sp` is on both; `tgt.bp` in an argument goes to the first target (R1104).
            (WordKind::Any, _) | (WordKind::Card | WordKind::Player, WordKind::Any) => true,
            (WordKind::Cards | WordKind::List, on) => on == WordKind::Cards || of_targets,
            (of, on) => of == on,
        };
        if !fits {
            let name = name.to_owned();
            self.find(span, FormulaFindingKind::WrongAttribute { name, of });
        }
        word.kind
    }
}

fn literal_kind(literal: Literal<'_>) -> WordKind {
    match literal {
        Literal::Int(_) | Literal::Long(_) | Literal::Float(_) | Literal::Imaginary(_) => WordKind::Number,
        Literal::Str(_) | Literal::Unicode(_) => WordKind::Text,
        Literal::Constant(ConstantWord::True | ConstantWord::False) => WordKind::Truth,
        Literal::Constant(ConstantWord::None) => WordKind::Any,
    }
}

/// Whether values of these kinds are never equal. True and false are numbers too.
fn differ(one: WordKind, other: WordKind) -> bool {
    let number = |kind| match kind {
        WordKind::Truth => WordKind::Number,
        WordKind::List => WordKind::Cards,
        other => other,
    };
    one != WordKind::Any && other != WordKind::Any && number(one) != number(other)
}

/// Whether `<` says nothing about values of a kind.
fn has_no_order(kind: WordKind) -> bool {
    matches!(kind, WordKind::Card | WordKind::Player | WordKind::Cards)
}

/// Whether an expression is a number or a text as written.
fn is_value(expr: &Expr<'_>) -> bool {
    matches!(
        expr.kind,
        ExprKind::Literal(literal) if matches!(literal_kind(literal), WordKind::Number | WordKind::Text)
    )
}

/// The kind that keeps a sum or product from having a value, whatever the game is like.
fn reckoned(op: BinaryOp, kinds: [WordKind; 2]) -> Option<WordKind> {
    let [left, right] = kinds;
    // `'%s' % this` is a text.
    if op == BinaryOp::Mod && matches!(left, WordKind::Text | WordKind::Any) {
        return None;
    }
    let is_object = |kind: &WordKind| matches!(kind, WordKind::Card | WordKind::Player);
    if let Some(object) = kinds.into_iter().find(is_object) {
        return Some(object);
    }
    let other = match (left.of_sign(), right.of_sign()) {
        (WordKind::Number, _) => right,
        (_, WordKind::Number) => left,
        // Lists are joined by `+`.
        _ if left.is_list() && right.is_list() && op != BinaryOp::Add => left,
        _ => return None,
    };
    // Lists are repeated by `*`.
    (other.is_list() && (op != BinaryOp::Mul || left.is_list() && right.is_list())).then_some(other)
}

/// The answer of a comparison of what is never below 0 with 0 or a negative number.
fn never_negative(
    left: &Expr<'_>,
    op: CompareOp,
    right: &Expr<'_>,
    left_kind: WordKind,
    right_kind: WordKind,
) -> Option<(bool, NeverNegative)> {
    if [left_kind, right_kind] != [WordKind::Number; 2] {
        return None;
    }
    let (of, number, op) = match (counted(left), number_of(right)) {
        (Some(of), Some(number)) => (of, number, op),
        _ => {
            let op = match op {
                CompareOp::Lt => CompareOp::Gt,
                CompareOp::Gt => CompareOp::Lt,
                CompareOp::Le => CompareOp::Ge,
                CompareOp::Ge => CompareOp::Le,
                other => other,
            };
            (counted(right)?, number_of(left)?, op)
        }
    };
    let answer = match op {
        CompareOp::Lt if number <= 0 => false,
        CompareOp::Ge if number <= 0 => true,
        CompareOp::Le | CompareOp::Eq if number < 0 => false,
        CompareOp::Gt | CompareOp::Ne if number < 0 => true,
        _ => return None,
    };
    Some((answer, of))
}

fn counted(expr: &Expr<'_>) -> Option<NeverNegative> {
    let is_player = |object: &Expr<'_>| {
        matches!(
            object.kind,
            ExprKind::Name("me" | "opp")
                | ExprKind::Attribute {
                    name: "controller" | "owner",
                    ..
                }
        )
    };
    match expr.kind {
        ExprKind::Attribute { name: "size", .. } => Some(NeverNegative::Size),
        ExprKind::Call(call) if matches!(call.function.kind, ExprKind::Name("len")) => {
            Some(NeverNegative::Size)
        }
        ExprKind::Attribute {
            name: "sp", object, ..
        } if is_player(object) => Some(NeverNegative::PlayerSp),
        _ => None,
    }
}

/// A whole number as written.
fn number_of(expr: &Expr<'_>) -> Option<i64> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(number)) => Some(number),
        ExprKind::Unary(UnaryOp::Neg, operand) => number_of(operand)?.checked_neg(),
        _ => None,
    }
}

/// What a function of Python gives, as far as its name tells.
fn result_of(name: &str, first: WordKind, arguments: usize) -> WordKind {
    match (name, first) {
        ("len" | "int" | "ord" | "cmp" | "abs" | "round" | "sum", _) => WordKind::Number,
        ("bool" | "isinstance", _) => WordKind::Truth,
        ("str" | "chr" | "hex" | "repr", _) => WordKind::Text,
        ("max" | "min", WordKind::Cards) if arguments == 1 => WordKind::Card,
        ("list" | "sorted" | "tuple", WordKind::Cards) => WordKind::Cards,
        ("list" | "sorted" | "tuple" | "range" | "zip" | "map", _) => WordKind::List,
        _ => WordKind::Any,
    }
}

/// A number or text among conditions that `and` and `or` join.
fn idle(expr: &Expr<'_>) -> Option<IdleOperand> {
    let alone = |operand: &Expr<'_>| {
        is_there(operand).then_some(IdleOperand {
            span: operand.span,
            compared: None,
        })
    };
    let items = match expr.kind {
        ExprKind::Unary(UnaryOp::Not, operand) => return alone(operand).or_else(|| idle(operand)),
        ExprKind::IfElse { test, .. } => return alone(test).or_else(|| idle(test)),
        ExprKind::And(items) | ExprKind::Or(items) => items,
        _ => return None,
    };
    let mut compared = None;
    for item in items {
        match item.kind {
            ExprKind::Compare(_, [(CompareOp::Eq | CompareOp::Ne, right)]) => {
                compared = Some(Span::between(item.span.start, right.span.start));
            }
            _ if is_value(item) || is_there(item) => {
                return Some(IdleOperand {
                    span: item.span,
                    compared,
                });
            }
            _ => {}
        }
    }
    items.iter().find_map(|item| idle(item))
}

/// Whether it is a list of what may be numbers.
fn is_ready_list(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Comprehension(_))
}

/// Whether an expression names what is there in every game.
fn is_there(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Name("this" | "me" | "opp"))
}

/// Whether an expression makes something that holds others, or does something.
fn holds(expr: &Expr<'_>) -> bool {
    matches!(
        expr.kind,
        ExprKind::List(_)
            | ExprKind::Tuple(_)
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Lambda(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Repr(_)
    )
}

/// What an expression makes, if no variable can hold it whatever the game is like (D103).
fn unkept(expr: &Expr<'_>) -> Option<&'static str> {
    let literal = |kind: &ExprKind<'_>| match kind {
        ExprKind::Lambda(_) => Some("a function"),
        ExprKind::Dict(_) => Some("a dict"),
        ExprKind::Set(_) => Some("a set"),
        ExprKind::Literal(Literal::Imaginary(_)) => Some("a complex number"),
        ExprKind::Literal(Literal::Str(bytes)) if bytes.len() > MOST_BYTES => Some("so long a text"),
        _ => None,
    };
    match expr.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) if items.len() > MOST_ITEMS => Some("so long a list"),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().find_map(|item| match item.kind {
            ExprKind::List(_) | ExprKind::Tuple(_) => Some("a list of lists"),
            kind => literal(&kind),
        }),
        kind => literal(&kind),
    }
}

fn is_targets(expr: &Expr<'_>) -> bool {
    matches!(expr.kind, ExprKind::Name("tgt" | "prevtgt"))
}

pub(crate) fn is_python_name(name: &str) -> bool {
    !name.starts_with('_') && cw_expr::builtin_names().any(|known| known.eq_ignore_ascii_case(name))
}
