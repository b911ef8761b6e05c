/// Bounds that make every expression end (R1046). They are data: a game may set its own.
///
/// ```
/// use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, compile, eval};
///
/// let code = compile("9 ** 9 ** 9", &Syntax::default(), &PlainPython, &ExprLimits::CARD)?;
/// let error = eval(&code, &mut NoHost, &ExprLimits::CARD).expect_err("it is too large");
/// assert_eq!(error.name(), "LimitExceeded");
/// # Ok::<(), cw_expr::CompileError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExprLimits {
    /// Bytes of expression text.
    pub text: usize,
    /// Brackets within brackets in the text.
    pub nesting: u16,
    /// Levels of the tree; also of lists within lists.
    pub height: u16,
    /// Levels of the tree in all calls that are running at once. Bounds the native stack: about 1 KiB
    /// for each in optimised code, 2 KiB in other.
    pub depth: u32,
    /// Steps of one evaluation: parts of the expression evaluated, elements touched.
    pub steps: u64,
    /// Elements of a list, tuple, dict or set.
    pub sequence: usize,
    /// Bytes of a string, characters of a unicode.
    pub string: usize,
    /// Bits of an integer.
    pub bits: u64,
    /// Bytes that one evaluation may ask for, freed ones included.
    pub memory: usize,
}

impl ExprLimits {
    /// The limits of R1046, for the expressions of cards.
    pub const CARD: ExprLimits = ExprLimits {
        text: 65_536,
        nesting: 64,
        height: 128,
        depth: 512,
        steps: 10_000,
        sequence: 10_000,
        string: 65_536,
        bits: 4_096,
        memory: 8 << 20,
    };

    /// Wider limits for people at a prompt: still milliseconds and megabytes. Needs a thread with
    /// 32 MiB of stack.
    pub const PROMPT: ExprLimits = ExprLimits {
        text: 1 << 20,
        nesting: 90,
        height: 400,
        depth: 8_000,
        steps: 2_000_000,
        sequence: 200_000,
        string: 1 << 20,
        bits: 1 << 17,
        memory: 128 << 20,
    };

    /// For the text of a file of statements, and for what its machine asks of one value at a time.
    pub const FILE: ExprLimits = ExprLimits {
        text: 4 << 20,
        nesting: 64,
        height: 100,
        depth: 512,
        steps: 1 << 40,
        sequence: 100_000,
        string: 1 << 20,
        bits: 1 << 17,
        memory: 64 << 20,
    };
}
