//! Small changes of the rules for one duel: what the charms and bosses of a run do (D109).

use std::fmt;
use std::str::FromStr;

use cw_duel::{Constants, DuelTwist, Game, MAX_FOLLOWERS, MAX_SLOTS, Seat, SeatTwist};
use cw_program::{ClosedWord as _, RuleFlag};

/// A change of the rules for whole duels, line by line. As text the lines stand side by side, with commas
/// between: `you hp +300, both united-sp +2, foe piercing off`.
///
/// ```
/// use cw_duel::{Game, Seat};
/// use cw_load::RuleTwist;
///
/// let twist: RuleTwist = "you hp +300, foe piercing off".parse().expect("it is one");
/// let game = twist.of_game(&Game::default());
/// assert_eq!((game.hp_of(Seat::One), game.hp_of(Seat::Two)), (3300, 3000));
/// assert_eq!(twist.to_string(), "you hp +300, foe piercing off");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleTwist {
    /// The changes, all made at once.
    pub lines: Vec<TwistLine>,
}

/// What stands in a fingerprint before a twist.
const WITH: &str = " with ";

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TwistLine {
    /// Who has it.
    pub whose: TwistSide,
    /// What is changed.
    pub what: TwistChange,
}

/// Who has a change: the player whose run it is has seat one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TwistSide {
    /// The player.
    You,
    /// The opponent.
    Foe,
    /// Both.
    Both,
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TwistChange {
    /// So much is added to a number.
    Number(TwistNumber, i32),
    /// A rule of the game holds, or does not (G253).
    Rule(RuleFlag, bool),
}

/// A number that a twist may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the number of `[constants]` with this name")]
pub enum TwistNumber {
    Hp,
    Sp,
    OpeningHand,
    CharactersPerTurn,
    BackupsPerTurn,
    BackupBp,
    UnitedSp,
    UnitedFollowers,
    RingSlots,
}

impl TwistNumber {
    /// All of them.
    pub const ALL: [TwistNumber; 9] = [
        TwistNumber::Hp,
        TwistNumber::Sp,
        TwistNumber::OpeningHand,
        TwistNumber::CharactersPerTurn,
        TwistNumber::BackupsPerTurn,
        TwistNumber::BackupBp,
        TwistNumber::UnitedSp,
        TwistNumber::UnitedFollowers,
        TwistNumber::RingSlots,
    ];

    /// Its name in `[constants]`.
    pub fn name(self) -> &'static str {
        match self {
            TwistNumber::Hp => "hp",
            TwistNumber::Sp => "sp",
            TwistNumber::OpeningHand => "opening-hand",
            TwistNumber::CharactersPerTurn => "characters-per-turn",
            TwistNumber::BackupsPerTurn => "backups-per-turn",
            TwistNumber::BackupBp => "backup-bp",
            TwistNumber::UnitedSp => "united-sp",
            TwistNumber::UnitedFollowers => "united-followers",
            TwistNumber::RingSlots => "ring-slots",
        }
    }

    /// How much may be added or taken away at once.
    pub fn most(self) -> i32 {
        match self {
            TwistNumber::Hp | TwistNumber::BackupBp => 1_000_000,
            TwistNumber::Sp | TwistNumber::UnitedSp => 1_000,
            TwistNumber::OpeningHand => 20,
            TwistNumber::CharactersPerTurn | TwistNumber::BackupsPerTurn => 10,
            TwistNumber::UnitedFollowers => 7,
            TwistNumber::RingSlots => 8,
        }
    }

    /// Whether one seat alone can have more of it.
    pub fn is_of_seats(self) -> bool {
        of_seat(&mut SeatTwist::default(), self).is_some()
    }
}

impl TwistSide {
    /// All of them.
    pub const ALL: [TwistSide; 3] = [TwistSide::You, TwistSide::Foe, TwistSide::Both];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            TwistSide::You => "you",
            TwistSide::Foe => "foe",
            TwistSide::Both => "both",
        }
    }

    fn seats(self) -> &'static [Seat] {
        match self {
            TwistSide::You => &[Seat::One],
            TwistSide::Foe => &[Seat::Two],
            TwistSide::Both => &Seat::BOTH,
        }
    }
}

/// The rules of the game that a twist may switch: the others have values.
pub fn twisted_rules() -> impl Iterator<Item = RuleFlag> + Clone {
    let all = RuleFlag::ALL.iter().copied();
    all.filter(|flag| *flag != RuleFlag::PlayCharBpLimit)
}

impl TwistChange {
    /// As it is written: the number's name, or the rule's.
    pub fn name(self) -> &'static str {
        match self {
            TwistChange::Number(number, _) => number.name(),
            TwistChange::Rule(flag, _) => flag.word(),
        }
    }
}

impl RuleTwist {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// This and another one.
    pub fn and(&self, other: &RuleTwist) -> RuleTwist {
        RuleTwist {
            lines: self.lines.iter().chain(&other.lines).copied().collect(),
        }
    }

    /// The game with these changes; the player has seat one. Its fingerprint names the changes, so that
    /// nobody takes a record of one game for one of the other.
    pub fn of_game(&self, game: &Game) -> Game {
        let mut game = game.clone();
        if self.is_empty() {
            return game;
        }
        for line in &self.lines {
            match line.what {
                TwistChange::Number(number, more) => {
                    for seat in line.whose.seats() {
                        if let Some(known) = of_seat(&mut game.twist.seats[*seat], number) {
                            *known = known.saturating_add(more);
                        }
                    }
                    add(&mut game.constants, number, more);
                }
                TwistChange::Rule(flag, holds) => {
                    let whose = match line.whose {
                        TwistSide::You => Some(Seat::One),
                        TwistSide::Foe => Some(Seat::Two),
                        TwistSide::Both => None,
                    };
                    game.twist.rules.push((flag, whose, holds));
                }
            }
        }
        // A rule of one seat hides what holds for both (G249): a twist of both holds for each seat by name.
        let rules = std::mem::take(&mut game.twist.rules);
        let named = |flag: RuleFlag| {
            rules
                .iter()
                .any(|(other, whose, _)| *other == flag && whose.is_some())
        };
        game.twist = DuelTwist {
            rules: rules
                .iter()
                .flat_map(|(flag, whose, holds)| match whose {
                    None if named(*flag) => Seat::BOTH.map(|seat| (*flag, Some(seat), *holds)).to_vec(),
                    _ => vec![(*flag, *whose, *holds)],
                })
                .collect(),
            ..game.twist
        };
        game.fingerprint = format!("{}{WITH}{self}", game.fingerprint);
        game
    }

    /// What a game's fingerprint says of its twist, as text.
    pub fn in_fingerprint(fingerprint: &str) -> Option<&str> {
        fingerprint.split_once(WITH).map(|(_, twist)| twist)
    }
}

/// A number of which each seat has its own.
fn of_seat(own: &mut SeatTwist, number: TwistNumber) -> Option<&mut i32> {
    match number {
        TwistNumber::Hp => Some(&mut own.hp),
        TwistNumber::Sp => Some(&mut own.sp),
        TwistNumber::OpeningHand => Some(&mut own.opening_hand),
        TwistNumber::CharactersPerTurn => Some(&mut own.characters_per_turn),
        TwistNumber::BackupsPerTurn => Some(&mut own.backups_per_turn),
        TwistNumber::BackupBp
        | TwistNumber::UnitedSp
        | TwistNumber::UnitedFollowers
        | TwistNumber::RingSlots => None,
    }
}

/// Adds to a number that both seats have in common.
fn add(constants: &mut Constants, number: TwistNumber, more: i32) {
    let small = |known: u8, least: i32, most: usize| {
        let most = i32::try_from(most).unwrap_or(i32::MAX);
        let sum = i32::from(known).saturating_add(more).clamp(least, most);
        u8::try_from(sum).unwrap_or(known)
    };
    match number {
        TwistNumber::BackupBp => constants.backup_bp = constants.backup_bp.saturating_add(more),
        TwistNumber::UnitedSp => constants.united_sp = constants.united_sp.saturating_add(more),
        TwistNumber::UnitedFollowers => {
            constants.united_followers = small(constants.united_followers, 0, MAX_FOLLOWERS);
        }
        TwistNumber::RingSlots => constants.ring_slots = small(constants.ring_slots, 1, MAX_SLOTS),
        TwistNumber::Hp
        | TwistNumber::Sp
        | TwistNumber::OpeningHand
        | TwistNumber::CharactersPerTurn
        | TwistNumber::BackupsPerTurn => {}
    }
}

impl fmt::Display for RuleTwist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, line) in self.lines.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{} {} ", line.whose.name(), line.what.name())?;
            match line.what {
                TwistChange::Number(_, more) => write!(f, "{more:+}")?,
                TwistChange::Rule(_, holds) => f.write_str(if holds { "on" } else { "off" })?,
            }
        }
        Ok(())
    }
}

/// A text is no twist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no change of the rules, as in `you hp +300`")]
pub struct NoTwist(pub String);

impl FromStr for RuleTwist {
    type Err = NoTwist;

    fn from_str(text: &str) -> Result<RuleTwist, NoTwist> {
        let lines = text.split(',').map(str::trim).filter(|line| !line.is_empty());
        let lines: Result<Vec<TwistLine>, NoTwist> = lines
            .map(|line| twist_line(line).ok_or_else(|| NoTwist(line.to_owned())))
            .collect();
        Ok(RuleTwist { lines: lines? })
    }
}

fn twist_line(line: &str) -> Option<TwistLine> {
    let mut words = line.split(' ');
    let (whose, name, value) = (words.next()?, words.next()?, words.next()?);
    let whose = TwistSide::ALL.into_iter().find(|side| side.name() == whose)?;
    let number = TwistNumber::ALL.into_iter().find(|number| number.name() == name);
    let what = match number {
        Some(number) => {
            let more: i32 = value.parse().ok()?;
            let fits = more.abs() <= number.most() && (number.is_of_seats() || whose == TwistSide::Both);
            TwistChange::Number(number, Some(more).filter(|_| fits)?)
        }
        None => {
            let flag = twisted_rules().find(|flag| flag.word() == name)?;
            let holds = match value {
                "on" => true,
                "off" => false,
                _ => return None,
            };
            TwistChange::Rule(flag, holds)
        }
    };
    words.next().is_none().then_some(TwistLine { whose, what })
}
