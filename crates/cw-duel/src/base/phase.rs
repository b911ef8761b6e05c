use std::fmt;

/// The phases of a turn (G2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Phase {
    /// Before the first turn.
    Setup = 0,
    /// The active player's characters unfreeze.
    Activate = 1,
    /// The active player draws.
    Draw = 2,
    /// The active player plays cards and uses abilities.
    Main = 3,
    /// The active player declares attacks.
    Attack = 4,
    /// The defender plays reactions and counter-attacks.
    CounterAttack = 5,
    /// Combat.
    End = 6,
    /// Timed effects end.
    Cleanup = 7,
}

impl Phase {
    /// All, in order.
    pub const ALL: [Phase; 8] = [
        Phase::Setup,
        Phase::Activate,
        Phase::Draw,
        Phase::Main,
        Phase::Attack,
        Phase::CounterAttack,
        Phase::End,
        Phase::Cleanup,
    ];

    /// The phase with this index (G2).
    pub fn from_index(index: usize) -> Option<Phase> {
        Phase::ALL.get(index).copied()
    }

    /// The name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Setup => "Setup",
            Phase::Activate => "Activate",
            Phase::Draw => "Draw",
            Phase::Main => "Main",
            Phase::Attack => "Attack",
            Phase::CounterAttack => "Counter-attack",
            Phase::End => "End",
            Phase::Cleanup => "Cleanup",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
