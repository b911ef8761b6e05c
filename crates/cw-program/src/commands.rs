//! The commands of RuleScript (section 6): all that compiler, checker, reference, words and engine know
//! of each stands in its row of one table.

use crate::compile::{
    ArgumentKind, Bp, Card, CommandCall, CostChange, Discards, End, Flag, FlagValue, Form, Found, Loop,
    OfCost, OfTurn, OnePile, Optional, Perhaps, Place, RandomCards, RuleCompiler, SomePile, Sum, Switch,
    TargetsPile, Truth, Turned, View, Whole,
};
use crate::rule::{
    Amount, CostAmount, FormulaId, Freezing, NumberArgument, PilePosition, PileRef, RuleValue, Target, Whose,
};
use crate::visit::{ArgumentPart, ArgumentVisitor};
use crate::words::{ClosedWord, CostKind, PhaseName, PileName, PileViewState, RuleFlag, words};

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// An expression that gives a card.
    Card,
    /// An integer or an expression.
    Number,
    /// An integer.
    Int,
    /// `n`, `xn`, `=n` or an expression, also behind `x` and `=` (`bp`).
    Amount,
    /// `n`, `=n` or an expression, also behind `=` (`sp`).
    Sum,
    /// `n` or `=n`.
    CostAmount,
    /// A character, action, reaction, ua2 or ua3.
    CostKind,
    /// A number of cards, `all`, or a target.
    Discard,
    /// A target.
    Target,
    /// `X in L => effects` or `target => effects`.
    Each,
    /// hand, deck, discards or removed, with `my`, `opp` or `ctrl`.
    Pile,
    /// hand, deck, discards or removed.
    PileName,
    /// An integer or `?`.
    Position,
    /// `true` or `false`.
    Reveal,
    /// A rule of the game.
    Flag,
    /// `true`, `false` or an integer.
    FlagValue,
    /// A phase.
    Phase,
    /// collapsed, pile or expanded.
    View,
    /// `true` or `toggle`.
    Toggle,
    /// `top` or `bottom`.
    End,
    /// A card's id in quotes, or an expression that gives a card.
    Model,
}

impl ArgKind {
    /// What to write, for messages and the reference.
    pub fn describe(self) -> &'static str {
        match self {
            ArgKind::Card => "an expression that gives a card",
            ArgKind::Number => "an integer or an expression",
            ArgKind::Int => "an integer",
            ArgKind::Amount => "`n`, `xn`, `=n` or an expression",
            ArgKind::Sum => "`n`, `=n` or an expression",
            ArgKind::CostAmount => "`n` or `=n`",
            ArgKind::CostKind => "character, action, reaction, ua2 or ua3",
            ArgKind::Discard => "a number, `all` or a target",
            ArgKind::Target => "a target",
            ArgKind::Each => "`X in list => effect` or `target => effect`",
            ArgKind::Pile => "hand, deck, discards or removed, perhaps with `my`, `opp` or `ctrl`",
            ArgKind::PileName => "hand, deck, discards or removed",
            ArgKind::Position => "an integer or `?`",
            ArgKind::Reveal => "`true` or `false`",
            ArgKind::Flag => "a rule of the game",
            ArgKind::FlagValue => "`true`, `false` or an integer",
            ArgKind::Phase => "a phase",
            ArgKind::View => "collapsed, pile or expanded",
            ArgKind::Toggle => "`true` or `toggle`",
            ArgKind::End => "`top` or `bottom`",
            ArgKind::Model => "a card's id in quotes, or an expression that gives a card",
        }
    }
}

/// What a command acts on, and what it takes where no clause names a target (R602, D27, D104).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsOn {
    /// Players; without one (or with cards) the controller of the source.
    Players,
    /// Cards; without a clause, and also where a clause found nothing, the source.
    CardsOrSource,
    /// Cards; without a clause the source, and where a clause found nothing none.
    Cards,
    /// Cards; without a clause the pile that was searched last (D33).
    CardsElsePile,
    /// Cards or players; without a clause the source.
    Both,
    /// Cards or players; without a clause a pile of its own: a hand or a deck (D34, G212, G216).
    BothElsePile,
    /// Players; without a clause the controller of the source.
    PlayersOnly,
    /// Targets do not matter.
    Nothing,
    /// A player among the targets narrows it.
    Rules,
}

/// One command's form.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The arguments, in order.
    pub arguments: &'static [ArgKind],
    /// How many must be written.
    pub required: usize,
    /// What it acts on.
    pub acts_on: ActsOn,
    /// The variable it sets (section 11).
    pub sets: Option<&'static str>,
    /// Whether it can fail (R604).
    pub can_fail: bool,
    /// Whether a restriction times it (R608, D26).
    pub timed: bool,
    /// Whether it does nothing to a card outside of a ring.
    pub in_ring: bool,
    /// How it is written.
    pub usage: &'static str,
}

/// What most commands are.
const PLAIN: Signature = Signature {
    arguments: &[],
    required: 0,
    acts_on: ActsOn::Nothing,
    sets: None,
    can_fail: false,
    timed: false,
    in_ring: false,
    usage: "",
};

impl CommandName {
    /// The form of this command.
    pub fn signature(self) -> &'static Signature {
        &SIGNATURES[self as usize]
    }
}

/// One table makes everything that is known of a command before it runs. A row reads: its name, its
/// arguments (what each is, and what reads it), its spelling, how it is written, what it acts on, whether it
/// can fail, can be timed and needs a ring, the variable it sets; then what it does, for the reference, and
/// what it is called on buttons (R307, R605).
macro_rules! commands {
    (@sets) => {
        None
    };
    (@sets $variable:literal) => {
        Some($variable)
    };
    ($(
        $name:ident $(($($field:ident: $value:ty = $kind:ty),+))? $word:literal $usage:literal $acts_on:ident
        [$($flag:ident),*] $(sets $variable:literal)?; $meaning:literal, $deed:literal;
    )*) => {
        words! {
            /// The commands (section 6 of the language).
            CommandName { $($name $word $meaning,)* }
        }

        /// A command with its arguments (section 6, G202–G243). Defaults of left-out arguments are
        /// filled in.
        #[derive(Clone, Debug)]
        pub enum Command {
            $(
                #[doc = concat!("`", $usage, "`: ", $meaning, ".")]
                $name $(($($value),+))?,
            )*
        }

        /// The forms of all commands, in the order of [`CommandName`].
        static SIGNATURES: [Signature; CommandName::ALL.len()] = [$(
            Signature {
                arguments: &[$($(<$kind as ArgumentKind>::KIND),+)?],
                required: 0 $($(+ <$kind as ArgumentKind>::REQUIRED)+)?,
                acts_on: ActsOn::$acts_on,
                usage: $usage,
                sets: commands!(@sets $($variable)?),
                $($flag: true,)*
                ..PLAIN
            },
        )*];

        impl Command {
            /// Which it is.
            pub fn name(&self) -> CommandName {
                match self { $(Command::$name { .. } => CommandName::$name,)* }
            }

            /// The command in words, for questions and buttons (R307, R605).
            pub fn describe(&self) -> &'static str {
                match self {
                    Command::Reveal(Some(_)) => "reveal the pile",
                    $(Command::$name { .. } => $deed,)*
                }
            }

            /// Shows the arguments in order, but for those that were left out.
            pub fn visit(&self, visitor: &mut dyn ArgumentVisitor) {
                match self {
                    $(Command::$name $(($($field),+))? => {
                        let parts: &[&dyn ArgumentPart] = &[$($($field),+)?];
                        parts.iter().for_each(|part| part.show(visitor));
                    })*
                }
            }

            /// Reads the arguments; each is looked at, so that each gets its findings.
            pub(crate) fn read<'a>(
                name: CommandName,
                compiler: &mut RuleCompiler<'a>,
                call: &CommandCall<'_, 'a>,
            ) -> Option<Command> {
                match name {
                    $(CommandName::$name => {
                        #[allow(unused_mut, unused_variables, reason = "not every command has arguments")]
                        let mut places = 0..;
                        $($(let $field = <$kind as ArgumentKind>::read(compiler, call, places.next()?);)+)?
                        Some(Command::$name $(($($field?),+))?)
                    })*
                }
            }
        }
    };
}

commands! {
    Activate(card: FormulaId = Card) "activate" "activate(card)" Nothing [];
        "runs the action of a card as if it were printed on the source", "use another card's rule";
    AlterCost(kind: CostKind = OfCost, amount: CostAmount = CostChange)
        "alterCost" "alterCost(kind, n)" Nothing [timed];
        "changes or sets what a kind of card or United Attack costs; \
         positive makes cheaper, but not below 1 SP a card",
        "change costs";
    Bp(amount: Amount = Bp) "bp" "bp(n)" CardsOrSource [timed, in_ring];
        "adds to, multiplies or sets the BP of characters; `=` rounds to the nearest hundred", "change BP";
    Clear "clear" "clear()" Nothing [];
        "lets the ability be used again", "clear the mark";
    CopyAbility(card: FormulaId = Card) "copyAbility" "copyAbility(card)" CardsOrSource [timed, in_ring];
        "gives the targets a copy of a card's ability", "copy the ability";
    Damage(number: NumberArgument = Whole) "damage" "damage(n)" Both [in_ring];
        "does damage that is not combat damage", "deal damage";
    Destroy "destroy" "destroy()" CardsOrSource [] sets "destroyed";
        "puts the targets into their controllers' discards", "KO";
    DisableRule(rule: RuleFlag = Switch) "disableRule" "disableRule(rule)" Rules [timed];
        "switches a rule of the game off", "change a rule of the game";
    Discard(which: Box<Target> = Optional<Discards>)
        "discard" "discard([which])" Players [can_fail] sets "discarded";
        "makes players discard", "discard";
    Draw(number: NumberArgument = Optional<Whole>) "draw" "draw([n])" Players [];
        "makes players draw", "draw";
    Each(each: Box<crate::rule::EachEffect> = Loop) "each" "each(X in list => effect)" Nothing [];
        "repeats effects, once per element", "repeat the effect";
    EnableRule(rule: RuleFlag = Switch) "enableRule" "enableRule(rule)" Rules [timed];
        "switches a rule of the game on", "change a rule of the game";
    Freeze(how: Freezing = Optional<Turned>) "freeze" "freeze([toggle])" Cards [in_ring];
        "freezes the targets; with an argument, toggles them", "freeze";
    Hp(number: NumberArgument = Whole) "hp" "hp(n)" Players [];
        "adds to the HP of players", "change HP";
    LoseAbility "loseAbility" "loseAbility()" Cards [timed, in_ring];
        "takes the ability of the targets away", "remove the ability";
    LoseLife(number: NumberArgument = Whole) "loseLife" "loseLife(n)" Players [];
        "takes HP from players without damaging them", "lose HP";
    ModCost(kind: CostKind = OfCost, number: NumberArgument = Whole) "modCost" "modCost(kind, n)" Nothing [];
        "changes the cost that is being computed; positive makes cheaper, but not below 1 SP a card",
        "change the cost";
    ModDamage(number: NumberArgument = Whole) "modDamage" "modDamage(n)" Nothing [];
        "changes the damage that is about to be dealt", "change the damage";
    ModRule(rule: RuleFlag = Flag, value: RuleValue = FlagValue)
        "modRule" "modRule(rule, value)" Rules [timed];
        "gives a rule of the game a value", "change a rule of the game";
    MovePile(from: PileRef = OnePile, to: PileRef = OnePile) "movePile" "movePile(from, to)" Nothing [];
        "moves all cards of one pile onto another", "move the pile";
    MoveRevealedTo(pile: PileRef = OnePile, position: PilePosition = Optional<Place>)
        "moveRevealedTo" "moveRevealedTo(pile[, position])" CardsElsePile [can_fail] sets "moved";
        "moves the cards above the found one to a pile", "move the revealed cards";
    MoveTo(
        pile: PileRef = OnePile,
        position: PilePosition = Optional<Place>,
        reveal: Option<bool> = Perhaps<Truth>
    )
        "moveTo" "moveTo(pile[, position[, reveal]])" Cards [] sets "moved";
        "moves the targets to a pile", "move";
    MoveToSlot "moveToSlot" "moveToSlot()" Cards [in_ring];
        "moves a character to an empty slot of its ring", "move to another slot";
    Peek "peek" "peek()" BothElsePile [];
        "shows hidden cards to the player who runs it", "look at the hand";
    PileView(pile: PileRef = OnePile, view: PileViewState = View)
        "pileView" "pileView(pile, view)" Nothing [];
        "changes how a pile is shown", "show the pile";
    PlayExtraChar "playExtraChar" "playExtraChar()" Nothing [];
        "allows one more character this turn", "play one more character";
    Prophecy(number: NumberArgument = Optional<Whole>, end: Option<PilePosition> = Perhaps<End>)
        "prophecy" "prophecy([n[, end]])" BothElsePile [];
        "lets a player look at top cards and put them back in a chosen order", "look at the top of the deck";
    RemoveFromAttack "removeFromAttack" "removeFromAttack()" Cards [in_ring];
        "ends the attack of the targets", "remove from the attack";
    Reveal(pile: Option<PileName> = Perhaps<TargetsPile>) "reveal" "reveal([pile])" Both [];
        "shows the targets, or a pile, to both players", "reveal";
    RndDiscard(which: Box<Target> = Optional<RandomCards>)
        "rndDiscard" "rndDiscard([n])" Players [can_fail] sets "discarded";
        "makes players discard random cards", "discard";
    Shuffle(pile: (Option<Whose>, PileName) = Optional<SomePile>) "shuffle" "shuffle([pile])" BothElsePile [];
        "shuffles a pile", "shuffle";
    Skip(phase: PhaseName = OfTurn) "skip" "skip(phase)" PlayersOnly [];
        "lets players skip their next phase of a kind", "skip the phase";
    Sp(amount: Amount = Sum) "sp" "sp(n)" Players [];
        "adds to or sets the SP of players", "change SP";
    Steal(thief: Option<Box<Target>> = Perhaps<Found>) "steal" "steal([target])" Cards [timed, in_ring];
        "moves the ability of the target to the source or another character", "steal the ability";
    SwapAbilities "swapAbilities" "swapAbilities()" Cards [timed, in_ring];
        "exchanges the abilities of two targets", "swap abilities";
    SwapChars "swapChars" "swapChars()" Cards [in_ring];
        "exchanges the slots of two targets", "swap places";
    SwapPiles(one: PileRef = OnePile, other: PileRef = OnePile) "swapPiles" "swapPiles(a, b)" Nothing [];
        "exchanges the contents of two piles", "swap the piles";
    Transform(into: crate::rule::Transform = Form) "transform" "transform(model)" Cards [timed];
        "turns the targets into copies of another card", "transform";
    Trash(number: NumberArgument = Optional<Whole>) "trash" "trash([n])" Players [] sets "trashed";
        "puts top cards of players' decks into their discards", "discard from the deck";
    Turns(number: NumberArgument = Whole) "turns" "turns(n)" Nothing [];
        "gives extra turns", "take another turn";
    Unfreeze "unfreeze" "unfreeze()" Cards [in_ring];
        "unfreezes the targets", "unfreeze";
    Unite "unite" "unite()" Cards [in_ring];
        "forces attackers into one United Attack", "unite the attackers";
}
