//! What commands are made of, shown to whoever wants to see it: the listing, tests, tools.

use crate::rule::{
    Amount, CostAmount, EachEffect, FormulaId, Freezing, NumberArgument, PilePosition, PileRef, RuleValue,
    Target, Transform, Whose,
};
use crate::words::{CostKind, PhaseName, PileName, PileViewState, RuleFlag};

macro_rules! parts {
    ($($(#[$doc:meta])* $method:ident($value:ident: $type:ty) $of:ty: $pass:expr;)*) => {
        /// Sees the arguments of a command, one after another; what it does not want to see it passes
        /// over.
        ///
        /// ```
        /// use cw_program::{Command, NumberArgument, ArgumentVisitor};
        ///
        /// #[derive(Default)]
        /// struct Sum(i32);
        ///
        /// impl ArgumentVisitor for Sum {
        ///     fn number(&mut self, number: NumberArgument) {
        ///         if let NumberArgument::Literal(number) = number {
        ///             self.0 += number;
        ///         }
        ///     }
        /// }
        ///
        /// let mut sum = Sum::default();
        /// Command::Damage(NumberArgument::Literal(300)).visit(&mut sum);
        /// assert_eq!(sum.0, 300);
        /// ```
        pub trait ArgumentVisitor {
            $($(#[$doc])* fn $method(&mut self, $value: $type) { let _ = $value; })*
        }

        $(impl ArgumentPart for $of {
            fn show(&self, visitor: &mut dyn ArgumentVisitor) {
                let pass: fn(&$of) -> $type = $pass;
                visitor.$method(pass(self));
            }
        })*
    };
}

/// An argument of a command.
pub(crate) trait ArgumentPart {
    fn show(&self, visitor: &mut dyn ArgumentVisitor);
}

impl<T: ArgumentPart> ArgumentPart for Option<T> {
    fn show(&self, visitor: &mut dyn ArgumentVisitor) {
        if let Some(part) = self {
            part.show(visitor);
        }
    }
}

parts! {
    /// An expression that gives a card.
    card(card: FormulaId) FormulaId: |card| *card;
    /// A number.
    number(number: NumberArgument) NumberArgument: |number| *number;
    /// What becomes of BP or SP.
    amount(amount: Amount) Amount: |amount| *amount;
    /// What becomes of a cost.
    cost_amount(amount: CostAmount) CostAmount: |amount| *amount;
    /// Which costs.
    cost_kind(kind: CostKind) CostKind: |kind| *kind;
    /// A phase.
    phase(phase: PhaseName) PhaseName: |phase| *phase;
    /// A pile of the targets.
    pile_name(pile: PileName) PileName: |pile| *pile;
    /// How a pile is shown.
    pile_view(view: PileViewState) PileViewState: |view| *view;
    /// A rule of the game.
    flag(flag: RuleFlag) RuleFlag: |flag| *flag;
    /// The value of a rule of the game.
    flag_value(value: RuleValue) RuleValue: |value| *value;
    /// Whether cards are shown.
    reveal(reveal: bool) bool: |reveal| *reveal;
    /// Freezing or toggling.
    freezing(how: Freezing) Freezing: |how| *how;
    /// A target.
    target(target: &Target) Box<Target>: |target| target;
    /// A loop with its effects.
    each(each: &EachEffect) Box<EachEffect>: |each| each;
    /// A pile of a player.
    pile(pile: PileRef) PileRef: |pile| *pile;
    /// A pile, perhaps of a player.
    some_pile(pile: (Option<Whose>, PileName)) (Option<Whose>, PileName): |pile| *pile;
    /// A place in a pile.
    position(position: PilePosition) PilePosition: |position| *position;
    /// What a card becomes.
    transform(into: Transform) Transform: |into| *into;
}
