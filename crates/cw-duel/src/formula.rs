//! Expressions over the state.

use cw_program::{Expr, Number, Var};
use smallvec::SmallVec;

use crate::query::{Found, Objects, Query, Stop};

impl Query<'_> {
    pub fn truth(&mut self, _: Expr) -> bool {
        self.failed = true;
        false
    }
    pub fn objects_of(&mut self, _: Expr) -> Option<Objects> {
        self.failed = true;
        None
    }
    pub fn argument_objects(&mut self, expr: Expr) -> Objects {
        self.objects_of(expr).unwrap_or_default()
    }
    pub fn number(&mut self, number: Number) -> Found<i32> {
        match number {
            Number::Literal(value) => Ok(value),
            Number::Computed(_) => Err(Stop::Fail),
        }
    }
    pub fn variables(&mut self, _: &[Var]) -> Found<SmallVec<[u8; 64]>> {
        Ok(SmallVec::new())
    }
    pub fn group(&mut self, _: Expr, _: Expr) -> Found<Objects> {
        Err(Stop::Fail)
    }
}
