//! What the arguments of commands must be: each kind reads one, and says what a left-out one
//! is (R606–R623, D33, D34).

use cw_syntax::{ArgForm, Argument, rs};
use cw_text::Span;

use super::RuleCompiler;
use super::target::{any_cards, exactly};
use crate::commands::ArgKind;
use crate::rule::{
    Amount, CostAmount, EachEffect, FormulaId, Freezing, NumberArgument, PilePosition, PileRef, RuleValue,
    Target, TargetQuantity, Transform, Whose, Zone,
};
use crate::words::{ClosedWord, CostKind, PhaseName, PileName, PileViewState, RuleFlag};

/// A call of a command: its arguments by their places, and where a missing one would stand.
pub(crate) struct CommandCall<'c, 'a> {
    pub arguments: [Option<&'c Argument<'a>>; 3],
    pub parentheses: Span,
}

/// What an argument must be. The commands' table names one for each argument.
pub(crate) trait ArgumentKind {
    /// What to write, for messages and the reference.
    const KIND: ArgKind;
    /// How many arguments must be written for it.
    const REQUIRED: usize = 1;
    type Value;

    /// Reads a written argument; `None` is reported.
    fn of<'a>(compiler: &mut RuleCompiler<'a>, argument: &Argument<'a>) -> Option<Self::Value>;

    /// What a left-out argument is.
    fn left_out(_parentheses: Span) -> Option<Self::Value> {
        None
    }

    /// Reads the argument at a place of a call.
    fn read<'a>(
        compiler: &mut RuleCompiler<'a>,
        call: &CommandCall<'_, 'a>,
        place: usize,
    ) -> Option<Self::Value> {
        match call.arguments.get(place).copied().flatten() {
            Some(argument) => Self::of(compiler, argument),
            None => Self::left_out(call.parentheses),
        }
    }
}

/// May be left out and has a value then.
pub(crate) struct Optional<K>(K);

impl<K: ArgumentKind> ArgumentKind for Optional<K> {
    const KIND: ArgKind = K::KIND;
    const REQUIRED: usize = 0;
    type Value = K::Value;

    fn of<'a>(compiler: &mut RuleCompiler<'a>, argument: &Argument<'a>) -> Option<K::Value> {
        K::of(compiler, argument)
    }

    fn left_out(parentheses: Span) -> Option<K::Value> {
        K::left_out(parentheses)
    }
}

/// May be left out, which means something else than any value.
pub(crate) struct Perhaps<K>(K);

impl<K: ArgumentKind> ArgumentKind for Perhaps<K> {
    const KIND: ArgKind = K::KIND;
    const REQUIRED: usize = 0;
    type Value = Option<K::Value>;

    fn of<'a>(compiler: &mut RuleCompiler<'a>, argument: &Argument<'a>) -> Option<Option<K::Value>> {
        K::of(compiler, argument).map(Some)
    }

    fn left_out(_parentheses: Span) -> Option<Option<K::Value>> {
        Some(None)
    }
}

/// A kind whose arguments are read by one method.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $kind:ident $value:ty: $read:expr $(, or $left_out:expr)?;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl ArgumentKind for $name {
            const KIND: ArgKind = ArgKind::$kind;
            type Value = $value;

            fn of<'a>(compiler: &mut RuleCompiler<'a>, argument: &Argument<'a>) -> Option<$value> {
                let read: fn(&mut RuleCompiler<'a>, &Argument<'a>) -> Option<$value> = $read;
                read(compiler, argument)
            }

            $(fn left_out(parentheses: Span) -> Option<$value> {
                let left_out: fn(Span) -> $value = $left_out;
                Some(left_out(parentheses))
            })?
        }
    )*};
}

kinds! {
    /// An expression that gives a card.
    Card Card FormulaId: |compiler, argument| compiler.card(argument);
    /// R606: an integer or an expression; 1.
    Whole Number NumberArgument: |compiler, argument| compiler.number(argument),
        or |_| NumberArgument::Literal(1);
    /// `n`, `xn`, `=n`.
    Bp Amount Amount: |compiler, argument| compiler.amount(argument, ArgKind::Amount);
    /// `n`, `=n`: SP cannot be multiplied.
    Sum Sum Amount: |compiler, argument| compiler.amount(argument, ArgKind::Sum);
    CostChange CostAmount CostAmount: |compiler, argument| compiler.cost_amount(argument);
    OfCost CostKind CostKind: |compiler, argument| compiler.word(argument, ArgKind::CostKind);
    OfTurn Phase PhaseName: |compiler, argument| compiler.word(argument, ArgKind::Phase);
    View View PileViewState: |compiler, argument| compiler.word(argument, ArgKind::View);
    Flag Flag RuleFlag: |compiler, argument| compiler.word(argument, ArgKind::Flag);
    /// A rule that is on or off.
    Switch Flag RuleFlag: |compiler, argument| switch(compiler, argument);
    Truth Reveal bool: |compiler, argument| compiler.truth(argument);
    /// R621, D33: cards of the hand of the player who discards; one.
    Discards Discard Box<Target>: |compiler, argument| discards(compiler, argument),
        or |parentheses| Box::new(any_cards(TargetQuantity::Default, parentheses));
    /// D33: so many random cards; one.
    RandomCards Int Box<Target>: |compiler, argument| random_cards(compiler, argument),
        or |parentheses| Box::new(any_cards(TargetQuantity::Random(1), parentheses));
    Found Target Box<Target>: |compiler, argument| Some(Box::new(compiler.parsed_target(argument.text)));
    /// What is done for each element of a list, or for each object found (R622, D30).
    Loop Each Box<EachEffect>: |compiler, argument| compiler.each(argument);
    OnePile Pile PileRef: |compiler, argument| compiler.pile_argument(argument);
    /// G212: without a prefix the targets say whose; the deck.
    SomePile Pile (Option<Whose>, PileName): |compiler, argument| some_pile(compiler, argument),
        or |_| (None, PileName::Deck);
    /// A pile of the targets.
    TargetsPile PileName PileName: |compiler, argument| targets_pile(compiler, argument);
    /// R617, GQ44: the top.
    Place Position PilePosition: |compiler, argument| compiler.position(argument),
        or |_| PilePosition::FromTop(0);
    End End PilePosition: |compiler, argument| end(compiler, argument);
    /// R610, section 6: with an argument it toggles, but `freeze(false)` freezes.
    Turned Toggle Freezing: |compiler, argument| turned(compiler, argument), or |_| Freezing::Freezes;
    Form Model Transform: |compiler, argument| form(compiler, argument);
}

/// The value of the rule that is named in front of it.
pub(crate) struct FlagValue;

impl ArgumentKind for FlagValue {
    const KIND: ArgKind = ArgKind::FlagValue;
    type Value = RuleValue;

    fn of<'a>(compiler: &mut RuleCompiler<'a>, argument: &Argument<'a>) -> Option<RuleValue> {
        match argument.form {
            ArgForm::Int(number @ (0 | 1)) => Some(RuleValue::Bool(number == 1)),
            ArgForm::Int(_)
            | ArgForm::Word
            | ArgForm::Quoted(_)
            | ArgForm::Question
            | ArgForm::Each(_)
            | ArgForm::Text => compiler.truth(argument).map(RuleValue::Bool),
        }
    }

    fn read<'a>(
        compiler: &mut RuleCompiler<'a>,
        call: &CommandCall<'_, 'a>,
        place: usize,
    ) -> Option<RuleValue> {
        let (rule, value) = (call.arguments[place - 1]?, call.arguments[place]?);
        match RuleFlag::find(rule.text.text)? {
            RuleFlag::PlayCharBpLimit => compiler.int(value).map(RuleValue::Limit),
            _ => FlagValue::of(compiler, value),
        }
    }
}

fn switch(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<RuleFlag> {
    let flag: RuleFlag = compiler.word(argument, ArgKind::Flag)?;
    if flag == RuleFlag::PlayCharBpLimit {
        compiler.help(
            rs::RS007,
            argument.text.span,
            "`play_char_bp_limit` is a number",
            "write `modRule(play_char_bp_limit, n)`",
        );
        return None;
    }
    Some(flag)
}

fn discards(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<Box<Target>> {
    let mut target = match argument.form {
        ArgForm::Int(value) => {
            let Some(count) = u16::try_from(value).ok() else {
                return compiler.wrong_kind(argument, ArgKind::Discard);
            };
            any_cards(exactly(count), argument.text.span)
        }
        ArgForm::Question | ArgForm::Each(_) => return compiler.wrong_kind(argument, ArgKind::Discard),
        ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Text => compiler.parsed_target(argument.text),
    };
    target.zone = Zone::MY_HAND;
    Some(Box::new(target))
}

fn random_cards(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<Box<Target>> {
    match u16::try_from(compiler.int(argument)?) {
        Ok(count) => Some(Box::new(any_cards(
            TargetQuantity::Random(count),
            argument.text.span,
        ))),
        Err(_) => compiler.wrong_kind(argument, ArgKind::Int),
    }
}

fn some_pile(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<(Option<Whose>, PileName)> {
    if !matches!(argument.form, ArgForm::Word) {
        return compiler.wrong_kind(argument, ArgKind::Pile);
    }
    compiler.pile_word(argument.text)
}

fn targets_pile(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<PileName> {
    if !matches!(argument.form, ArgForm::Word) {
        return compiler.wrong_kind(argument, ArgKind::PileName);
    }
    let (whose, name) = compiler.pile_word(argument.text)?;
    if whose.is_some() {
        compiler.replace(
            rs::RS012,
            argument.text.span,
            "the targets say whose pile is shown",
            cw_text::Safety::Unsafe,
            name.word(),
        );
        return None;
    }
    Some(name)
}

fn end(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<PilePosition> {
    if argument.text.is("top") {
        Some(PilePosition::FromTop(0))
    } else if argument.text.is("bottom") {
        Some(PilePosition::FromBottom(0))
    } else {
        compiler.wrong_kind(argument, ArgKind::End)
    }
}

fn turned(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<Freezing> {
    let toggles = match argument.form {
        ArgForm::Word if argument.text.is("false") || argument.text.is("nil") => false,
        ArgForm::Word if argument.text.is("true") || argument.text.is("toggle") => true,
        ArgForm::Int(value) => value != 0,
        ArgForm::Word | ArgForm::Quoted(_) | ArgForm::Question | ArgForm::Each(_) | ArgForm::Text => {
            return compiler.wrong_kind(argument, ArgKind::Toggle);
        }
    };
    Some(if toggles {
        Freezing::Toggles
    } else {
        Freezing::Freezes
    })
}

fn form(compiler: &mut RuleCompiler<'_>, argument: &Argument<'_>) -> Option<Transform> {
    match argument.form {
        ArgForm::Quoted(guid) => Some(Transform::Model(compiler.model(guid, argument.text.span))),
        ArgForm::Word | ArgForm::Text => compiler.like_card(argument, ArgKind::Model).map(Transform::Like),
        ArgForm::Int(_) | ArgForm::Question | ArgForm::Each(_) => {
            compiler.wrong_kind(argument, ArgKind::Model)
        }
    }
}
