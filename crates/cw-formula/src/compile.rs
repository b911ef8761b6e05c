//! Text to [`Formula`].

use cw_expr::ast::{Arena, Expr};
use cw_expr::{
    AttributeId, CompileError, CompileErrorKind, CompiledExpr, Dialect, Error, ExprLimits, NameMeaning,
    Syntax, Value, compile_ast, parse, parse_group,
};
use cw_text::Span;

use crate::facts::{Bridge, GameFacts, attribute_id, function, name_id};
use crate::fails::failing;
use crate::inspect::{FormulaFinding, FormulaFindingKind, FormulaMend, IdleOperand, Inspection, inspect};
use crate::rewrite::{CardMeaning, Own, REREAD, Rewriter, bound_names, hidden};
use crate::words::{
    AttributeWord, EngineFunction, EngineName, FunctionWord, KEYWORDS, NameSet, REFUSED, VarId, WordKind,
};

/// Where an expression stands: decides what `tgt` is (R1104).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaPlace {
    /// A condition, variable, selector or expression target: `tgt` is the list.
    Condition,
    /// An argument of a command: `tgt` is the first target, its `.N`, `.size` and elements the list's.
    Argument,
}

/// What surrounds an expression.
#[derive(Clone, Copy, Debug)]
pub struct FormulaScope<'a> {
    /// The user variables of the rule, in lower case; [`VarId`] is the place in this list.
    pub vars: &'a [String],
    /// What they hold, as far as it is known; those beyond the end of the list may hold anything.
    pub kinds: &'a [WordKind],
    /// Where the expression stands.
    pub place: FormulaPlace,
    /// Inside the effect of `each`, where `card` is the element (R622).
    pub in_each: bool,
    /// The number that the first literal filter gets.
    pub first_filter: u16,
    /// Limits of the text.
    pub limits: ExprLimits,
}

impl FormulaScope<'_> {
    /// A place without variables.
    pub fn new(place: FormulaPlace) -> FormulaScope<'static> {
        FormulaScope {
            vars: &[],
            kinds: &[],
            place,
            in_each: false,
            first_filter: 0,
            limits: ExprLimits::CARD,
        }
    }
}

/// A literal argument of `getTargets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterLiteral {
    /// The filter as written, without quotes.
    pub text: String,
    /// Where it stands in the text given to [`compile`]; with quotes if it has escapes.
    pub span: Span,
}

/// A compiled expression with what a checker wants to know about it.
#[derive(Clone, Debug)]
pub struct Formula {
    code: CompiledExpr,
    /// Literal filters, numbered from [`FormulaScope::first_filter`].
    pub filters: Vec<FilterLiteral>,
    /// What is wrong or doubtful.
    pub findings: Vec<FormulaFinding>,
    /// Words of R10.1 that it uses.
    pub uses: NameSet,
    /// Whether it may ask or draw (D42).
    pub asks: bool,
    /// What it gives, as far as its words tell.
    pub kind: WordKind,
    /// Whether its words tell that it can never be a number.
    pub no_number: bool,
    /// Whether it is worked out of nothing but numbers and texts.
    pub constant: bool,
    /// What it makes, where its words tell that no variable can hold it (D103).
    pub unkept: Option<&'static str>,
    /// A number or text that stands where a condition is meant.
    pub idle: Option<IdleOperand>,
    /// What makes a number of it, where it is a card or a list.
    pub mends: Vec<FormulaMend>,
}

/// The two halves of `X in L` in `each` (R622).
#[derive(Clone, Debug)]
pub struct GroupFormula {
    /// X: evaluated once per element, with [`EngineName::Card`] as the element.
    pub value: Formula,
    /// L.
    pub list: Formula,
}

/// The syntax of RuleScript's expressions.
const SYNTAX: Syntax = Syntax {
    fold_case: true,
    dot_index: true,
    groups: true,
    constants: true,
};

/// The two halves of `X in L`, the left part of a repetition (R1020), as they are written.
pub fn group_tree<'a>(
    text: &'a str,
    arena: &'a Arena,
) -> Option<(&'a cw_expr::ast::Expr<'a>, &'a cw_expr::ast::Expr<'a>)> {
    let parts = cw_expr::parse_group(text, arena, &SYNTAX, &ExprLimits::CARD).ok()?;
    Some((parts.element, parts.list))
}

/// The tree of an expression as it is written, for those that put it into words; nothing where it is none.
///
/// ```
/// use cw_formula::{Arena, ast::ExprKind, tree};
///
/// let arena = Arena::new();
/// assert!(matches!(tree("me.hand.size > 7", &arena).map(|tree| tree.kind), Some(ExprKind::Compare(..))));
/// ```
pub fn tree<'a>(text: &'a str, arena: &'a Arena) -> Option<&'a cw_expr::ast::Expr<'a>> {
    cw_expr::parse(text, arena, &SYNTAX, &ExprLimits::CARD).ok()
}

/// Compiles an expression, whose tree lies in `arena` while it is read. Unknown names do not keep it
/// from compiling: they are findings, and nil when it runs (R1004).
///
/// ```
/// use cw_formula::{Arena, FormulaFindingKind, FormulaPlace, FormulaScope, compile};
///
/// let scope = FormulaScope::new(FormulaPlace::Condition);
/// assert!(compile("me.hand.size > 7", &scope, &Arena::new()).is_ok());
/// let refused = compile("open('x')", &scope, &Arena::new()).expect_err("the sandbox refuses it");
/// assert!(matches!(refused.fault, FormulaFindingKind::Refused(_)));
/// ```
///
/// # Errors
/// Why the text is no expression (RS038), which name the sandbox refuses (RS042), or which limit it
/// exceeds (RS043).
pub fn compile(text: &str, scope: &FormulaScope<'_>, arena: &Arena) -> Result<Formula, FormulaFinding> {
    let expr = parse(text, arena, &SYNTAX, &scope.limits).map_err(finding)?;
    formula(text, arena, expr, scope, GroupForm::Whole)
}

/// Compiles `X in L`, the left part of `each`.
///
/// ```
/// use cw_formula::{Arena, FormulaPlace, FormulaScope, compile_group};
///
/// let scope = FormulaScope::new(FormulaPlace::Condition);
/// assert!(compile_group("card.bp in me.ring", &scope, &Arena::new()).is_ok());
/// assert!(compile_group("card.bp", &scope, &Arena::new()).is_err(), "in what?");
/// ```
///
/// # Errors
/// As [`compile`]; also when there is no ` in `.
pub fn compile_group(
    text: &str,
    scope: &FormulaScope<'_>,
    arena: &Arena,
) -> Result<GroupFormula, FormulaFinding> {
    let parts = parse_group(text, arena, &SYNTAX, &scope.limits).map_err(finding)?;
    let list_scope = FormulaScope {
        place: FormulaPlace::Condition,
        ..*scope
    };
    let list = formula(text, arena, parts.list, &list_scope, GroupForm::Whole)?;
    let filters = u16::try_from(list.filters.len()).unwrap_or(u16::MAX);
    let value_scope = FormulaScope {
        in_each: true,
        first_filter: scope.first_filter.saturating_add(filters),
        ..*scope
    };
    let value = formula(text, arena, parts.element, &value_scope, GroupForm::Mapped)?;
    Ok(GroupFormula { value, list })
}

/// Whether an expression is X of `X in L`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupForm {
    Whole,
    Mapped,
}

fn formula<'a>(
    text: &'a str,
    arena: &'a Arena,
    mut expr: &'a Expr<'a>,
    scope: &FormulaScope<'_>,
    form: GroupForm,
) -> Result<Formula, FormulaFinding> {
    let bound = if expr.binds() {
        bound_names(expr)
    } else {
        Vec::new()
    };
    let own = Own {
        vars: scope.vars,
        kinds: scope.kinds,
        bound: &bound,
    };
    let words = LanguageWords {
        vars: scope.vars,
        in_each: scope.in_each,
    };
    let Inspection {
        mut findings,
        uses,
        asks,
        kind,
        no_number,
        constant,
        unkept,
        idle,
        mends,
        ..
    } = inspect(expr, own, scope);
    // What was found to be wrong with a part tells more than that it fails.
    let mut fails = failing(expr, own, &words, arena);
    let is_within = |found: &FormulaFinding, fails: &FormulaFinding| {
        !matches!(
            found.fault,
            FormulaFindingKind::Text { .. } | FormulaFindingKind::Membership
        ) && fails.span.start <= found.span.start
            && found.span.end <= fails.span.end
    };
    fails.retain(|fails| !findings.iter().any(|found| is_within(found, fails)));
    findings.extend(fails);
    let mut filters = Vec::new();
    if asks || uses.meets(REREAD) {
        let mut rewriter = Rewriter {
            arena,
            text,
            place: scope.place,
            own,
            first_filter: scope.first_filter,
            filters,
        };
        expr = match (form, scope.in_each) {
            (GroupForm::Mapped, _) => rewriter.mapped(expr, CardMeaning::Each),
            (GroupForm::Whole, true) => rewriter.expr(expr, CardMeaning::Each),
            (GroupForm::Whole, false) => rewriter.expr(expr, CardMeaning::None),
        };
        filters = rewriter.filters;
    }
    Ok(Formula {
        code: compile_ast(expr, &words).map_err(finding)?,
        filters,
        findings,
        uses,
        asks,
        kind,
        no_number,
        constant,
        unkept,
        idle,
        mends,
    })
}

impl Formula {
    /// Evaluates.
    ///
    /// # Errors
    /// Any, [`Error::suspend`] among them; other errors mean nil (R1004).
    pub fn eval<F: GameFacts + ?Sized>(&self, facts: &mut F, limits: &ExprLimits) -> Result<Value, Error> {
        cw_expr::eval(&self.code, &mut Bridge(facts), limits)
    }

    /// Evaluates for its truth (R1005).
    ///
    /// # Errors
    /// As [`Formula::eval`]; a condition is false then.
    pub fn truth<F: GameFacts + ?Sized>(&self, facts: &mut F, limits: &ExprLimits) -> Result<bool, Error> {
        cw_expr::eval_truth(&self.code, &mut Bridge(facts), limits)
    }

    /// Evaluates and shows the value, for logs and tests.
    ///
    /// # Errors
    /// As [`Formula::eval`].
    pub fn repr<F: GameFacts + ?Sized>(&self, facts: &mut F, limits: &ExprLimits) -> Result<String, Error> {
        cw_expr::eval_repr(&self.code, &mut Bridge(facts), limits)
    }
}

fn finding(error: CompileError) -> FormulaFinding {
    let fault = match error.cause {
        CompileErrorKind::NotAvailable => FormulaFindingKind::Refused(error.message),
        CompileErrorKind::Limit => FormulaFindingKind::Limit(error.message),
        CompileErrorKind::Exception(_) => FormulaFindingKind::Syntax(error.message),
    };
    FormulaFinding {
        span: error.span,
        fault,
        mends: Vec::new(),
    }
}

/// What the words of section 10 mean to the compiler.
struct LanguageWords<'a> {
    vars: &'a [String],
    in_each: bool,
}

impl Dialect for LanguageWords<'_> {
    fn name(&self, name: &str) -> Option<NameMeaning> {
        // R1044: variables, then words, then built-ins.
        if let Some(at) = self.vars.iter().position(|var| var == name) {
            return u16::try_from(at)
                .ok()
                .map(|at| NameMeaning::Name(name_id(EngineName::Var(VarId(at)))));
        }
        let asked = match name {
            "this" => EngineName::This,
            "me" => EngineName::Me,
            "opp" => EngineName::Opp,
            "tgt" => EngineName::Targets,
            hidden::FIRST_TARGET => EngineName::FirstTarget,
            "prevtgt" => EngineName::PrevTargets,
            "discarded" => EngineName::Discarded,
            "trashed" => EngineName::Trashed,
            "destroyed" => EngineName::Destroyed,
            "moved" => EngineName::Moved,
            "sacrificed" => EngineName::Sacrificed,
            "attacker" => EngineName::Attacker,
            "blocker" => EngineName::Blocker,
            "trigger" => EngineName::Trigger,
            "uabp" => EngineName::UaBp,
            "alone" => EngineName::Alone,
            "soloattack" => EngineName::SoloAttack,
            "card" if self.in_each => EngineName::Card,
            _ => return other_meaning(name),
        };
        Some(NameMeaning::Name(name_id(asked)))
    }

    fn attribute(&self, name: &str) -> Option<AttributeId> {
        AttributeWord::find(name).map(|word| attribute_id(word.attribute))
    }
}

fn other_meaning(name: &str) -> Option<NameMeaning> {
    if let Some(word) = FunctionWord::find(name) {
        return Some(NameMeaning::Function(match word.function {
            EngineFunction::IsChar => function::IS_CHAR,
            EngineFunction::InUnitedAttack => function::IN_UNITED_ATTACK,
            EngineFunction::FlipCoin => function::FLIP_COIN,
            EngineFunction::GetTargets => function::GET_TARGETS,
        }));
    }
    let hidden_function = match name {
        hidden::AS_CHARACTER => Some(function::AS_CHARACTER),
        hidden::AS_ACTION => Some(function::AS_ACTION),
        hidden::AS_REACTION => Some(function::AS_REACTION),
        hidden::GET_LITERAL => Some(function::GET_LITERAL),
        _ => None,
    };
    if let Some(function) = hidden_function {
        return Some(NameMeaning::Function(function));
    }
    if REFUSED.contains(&name) {
        return Some(NameMeaning::Refused);
    }
    // D44: ability types and documented keywords are texts.
    if matches!(name, "instant" | "triggered" | "auto") || KEYWORDS.contains(&name) {
        return Some(NameMeaning::Constant(Value::str(name)));
    }
    // Python's own names, of which some have capitals.
    let exact = cw_expr::builtin_names().find(|known| known.eq_ignore_ascii_case(name))?;
    if exact == name {
        None
    } else {
        cw_expr::builtin_value(exact).map(NameMeaning::Constant)
    }
}
