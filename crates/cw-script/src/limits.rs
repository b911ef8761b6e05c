//! What a run may use up. All of it is counted, none is measured by a clock, so that a run stops at the same
//! place on every machine (S195).

use cw_expr::ExprLimits;

/// Bounds of one run, all its jobs together.
///
/// ```
/// assert!(cw_script::ScriptLimits::LOAD.steps > cw_script::ScriptLimits::RUN.steps);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptLimits {
    /// Steps of the machine; elements that a built-in function touches count too.
    pub steps: u64,
    /// Bytes of new objects and texts, those that are gone again included.
    pub bytes: usize,
    /// Calls within calls. A call that a built-in function makes counts for [`ScriptLimits::NATIVE`].
    pub depth: u32,
    /// Characters of a text.
    pub text: usize,
    /// Elements of a list, tuple, dict or set.
    pub items: usize,
    /// Bytes that `print` may write.
    pub output: usize,
    /// Bits of an integer.
    pub bits: u64,
}

impl ScriptLimits {
    /// For what one choice of an entry causes.
    pub const RUN: ScriptLimits = ScriptLimits {
        steps: 20_000_000,
        bytes: 64 << 20,
        depth: 250,
        text: 1 << 20,
        items: 100_000,
        output: 64 << 10,
        bits: 1 << 17,
    };

    /// For loading a package's files.
    pub const LOAD: ScriptLimits = ScriptLimits {
        steps: 50_000_000,
        ..ScriptLimits::RUN
    };

    /// For what decides whether a menu shows an entry.
    pub const MENU: ScriptLimits = ScriptLimits {
        steps: 50_000,
        ..ScriptLimits::RUN
    };

    /// What a call from inside a built-in function takes of the depth: it needs the native stack, which is
    /// short in a page.
    pub const NATIVE: u32 = 6;

    /// What one operation of the calculator may still use.
    pub(crate) fn of_calculator(&self, steps: u64, bytes: usize) -> ExprLimits {
        ExprLimits {
            steps,
            sequence: self.items,
            string: self.text,
            bits: self.bits,
            memory: bytes,
            ..ExprLimits::FILE
        }
    }
}

/// Which bound a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptLimit {
    /// Too many steps.
    Steps,
    /// Too many bytes, or one value is too large.
    Memory,
    /// Too many calls within calls, or values within values.
    Depth,
    /// Too much was printed.
    Output,
}

impl ScriptLimit {
    /// The words of S196.
    pub fn words(self) -> &'static str {
        match self {
            ScriptLimit::Steps => "it ran for too long",
            ScriptLimit::Memory => "it needed too much memory",
            ScriptLimit::Depth => "it called itself too often",
            ScriptLimit::Output => "it wanted to write too much",
        }
    }
}
