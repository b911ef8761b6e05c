//! What the compiler, the checker and the reference know about each command (section 6).

use crate::words::{CommandName, Word as _};

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

/// What a command acts on, and what it takes where there is no target (R602).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsOn {
    /// Players; without one (or with cards) the controller of the source.
    Players,
    /// Cards; without one the source.
    CardsOrSource,
    /// Cards; without one nothing happens.
    Cards,
    /// Cards or players.
    Both,
    /// Players; without one nothing happens.
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
    /// How it is written.
    pub usage: &'static str,
}

/// The forms of all commands, in the order of [`CommandName`].
static SIGNATURES: [Signature; CommandName::ALL.len()] = {
    let mut all = [CommandName::ALL[0].form(); CommandName::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = CommandName::ALL[at].form();
        at += 1;
    }
    all
};

const fn form(
    usage: &'static str,
    required: usize,
    arguments: &'static [ArgKind],
    acts_on: ActsOn,
) -> Signature {
    Signature {
        arguments,
        required,
        acts_on,
        sets: None,
        can_fail: false,
        timed: false,
        usage,
    }
}

const fn timed(form: Signature) -> Signature {
    Signature { timed: true, ..form }
}

const fn sets(name: &'static str, form: Signature) -> Signature {
    Signature {
        sets: Some(name),
        ..form
    }
}

impl CommandName {
    /// The form of this command.
    pub fn signature(self) -> &'static Signature {
        &SIGNATURES[self as usize]
    }

    const fn form(self) -> Signature {
        use ActsOn::{Both, Cards, CardsOrSource, Nothing, Players, PlayersOnly, Rules};
        use ArgKind as Kind;
        use CommandName as Name;
        match self {
            Name::Activate => form("activate(card)", 1, &[Kind::Card], Nothing),
            Name::AlterCost => timed(form(
                "alterCost(kind, n)",
                2,
                &[Kind::CostKind, Kind::CostAmount],
                Nothing,
            )),
            Name::Bp => timed(form("bp(n)", 1, &[Kind::Amount], CardsOrSource)),
            Name::Clear => form("clear()", 0, &[], Nothing),
            Name::CopyAbility => timed(form("copyAbility(card)", 1, &[Kind::Card], CardsOrSource)),
            Name::Damage => form("damage(n)", 1, &[Kind::Number], Both),
            Name::Destroy => sets("destroyed", form("destroy()", 0, &[], CardsOrSource)),
            Name::DisableRule => timed(form("disableRule(rule)", 1, &[Kind::Flag], Rules)),
            Name::Discard => Signature {
                can_fail: true,
                ..sets(
                    "discarded",
                    form("discard([which])", 0, &[Kind::Discard], Players),
                )
            },
            Name::Draw => form("draw([n])", 0, &[Kind::Number], Players),
            Name::Each => form("each(X in list => effect)", 1, &[Kind::Each], Nothing),
            Name::EnableRule => timed(form("enableRule(rule)", 1, &[Kind::Flag], Rules)),
            Name::Freeze => form("freeze([toggle])", 0, &[Kind::Toggle], Cards),
            Name::Hp => form("hp(n)", 1, &[Kind::Number], Players),
            Name::LoseAbility => timed(form("loseAbility()", 0, &[], Cards)),
            Name::LoseLife => form("loseLife(n)", 1, &[Kind::Number], Players),
            Name::ModCost => form("modCost(kind, n)", 2, &[Kind::CostKind, Kind::Number], Nothing),
            Name::ModDamage => form("modDamage(n)", 1, &[Kind::Number], Nothing),
            Name::ModRule => timed(form(
                "modRule(rule, value)",
                2,
                &[Kind::Flag, Kind::FlagValue],
                Rules,
            )),
            Name::MovePile => form("movePile(from, to)", 2, &[Kind::Pile, Kind::Pile], Nothing),
            Name::MoveRevealedTo => Signature {
                can_fail: true,
                ..sets(
                    "moved",
                    form(
                        "moveRevealedTo(pile[, position])",
                        1,
                        &[Kind::Pile, Kind::Position],
                        Cards,
                    ),
                )
            },
            Name::MoveTo => sets(
                "moved",
                form(
                    "moveTo(pile[, position[, reveal]])",
                    1,
                    &[Kind::Pile, Kind::Position, Kind::Reveal],
                    Cards,
                ),
            ),
            Name::MoveToSlot => form("moveToSlot()", 0, &[], Cards),
            Name::Peek => form("peek()", 0, &[], Both),
            Name::PileView => form("pileView(pile, view)", 2, &[Kind::Pile, Kind::View], Nothing),
            Name::PlayExtraChar => form("playExtraChar()", 0, &[], Nothing),
            Name::Prophecy => form("prophecy([n[, end]])", 0, &[Kind::Number, Kind::End], Both),
            Name::RemoveFromAttack => form("removeFromAttack()", 0, &[], Cards),
            Name::Reveal => form("reveal([pile])", 0, &[Kind::PileName], Both),
            Name::RndDiscard => Signature {
                can_fail: true,
                ..sets("discarded", form("rndDiscard([n])", 0, &[Kind::Int], Players))
            },
            Name::Shuffle => form("shuffle([pile])", 0, &[Kind::Pile], Both),
            Name::Skip => form("skip(phase)", 1, &[Kind::Phase], PlayersOnly),
            Name::Sp => form("sp(n)", 1, &[Kind::Sum], Players),
            Name::Steal => timed(form("steal([target])", 0, &[Kind::Target], Cards)),
            Name::SwapAbilities => timed(form("swapAbilities()", 0, &[], Cards)),
            Name::SwapChars => form("swapChars()", 0, &[], Cards),
            Name::SwapPiles => form("swapPiles(a, b)", 2, &[Kind::Pile, Kind::Pile], Nothing),
            Name::Transform => timed(form("transform(model)", 1, &[Kind::Model], Cards)),
            Name::Trash => sets("trashed", form("trash([n])", 0, &[Kind::Number], Players)),
            Name::Turns => form("turns(n)", 1, &[Kind::Number], Nothing),
            Name::Unfreeze => form("unfreeze()", 0, &[], Cards),
            Name::Unite => form("unite()", 0, &[], Cards),
        }
    }
}
