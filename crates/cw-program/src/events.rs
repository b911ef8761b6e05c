//! What the compiler, the checker and the reference know about each event (R910, D18, D20).

use crate::words::EventName;

/// What kind of thing an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Something happened; answers do not matter.
    Event,
    /// Asked whenever options are listed; only conditions and `modCost` run (D18).
    Query,
    /// A hook that is really dispatched and whose answer counts (D18).
    Hook,
}

/// How an event is dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventForm {
    /// Event, query or hook.
    pub kind: EventKind,
    /// The card it is tied to: only that card's listeners hear it, unless `:any` (R906).
    pub object: Option<&'static str>,
    /// The card that `trigger` is, if any (R910).
    pub trigger: Option<&'static str>,
    /// Who runs what listens (R301, G189).
    pub executor: &'static str,
}

impl EventName {
    /// How this event is dispatched.
    pub fn form(self) -> EventForm {
        use EventKind::{Event, Hook, Query};
        let form = |kind, object, trigger, executor| EventForm {
            kind,
            object,
            trigger,
            executor,
        };
        let active = "the active player";
        match self {
            EventName::ActivatePhase
            | EventName::DrawPhase
            | EventName::BlockPhase
            | EventName::EndPhase
            | EventName::CleanupPhase => form(Event, None, None, active),
            EventName::Attacks | EventName::Blocked | EventName::PlayerCombatDamaged => {
                form(Event, Some("the attacker"), Some("the attacker"), active)
            }
            EventName::Blocks => form(Event, Some("the blocker"), Some("the attacker"), active),
            EventName::CancelCombatDamage => form(Hook, Some("the attacker"), Some("the attacker"), active),
            EventName::HandChanges => form(Event, None, None, "the owner of the hand"),
            EventName::RingChanges => form(Event, None, None, "the owner of the ring"),
            EventName::Removed | EventName::LeavesRing => {
                form(Event, Some("the card"), None, "the controller of the card")
            }
            EventName::Powerless => form(Event, Some("the card"), None, "the controller of the card"),
            EventName::BackedUp => form(
                Event,
                None,
                Some("the backed-up character"),
                "the player who backs up",
            ),
            EventName::BeforePayCostCharacter
            | EventName::BeforePayCostAction
            | EventName::BeforePayCostReaction => {
                form(Query, None, Some("the card being paid for"), "the payer")
            }
            EventName::BeforePayCostUa2 | EventName::BeforePayCostUa3 => form(Query, None, None, "the payer"),
            EventName::BeforeDamage => form(
                Hook,
                None,
                Some("the source of the damage"),
                "the player who deals it",
            ),
            EventName::CanBlock => form(
                Query,
                Some("the attacker"),
                Some("the attacker"),
                "the defending player",
            ),
            EventName::BeforeAttack | EventName::BeforeBlock => form(
                Query,
                Some("the card"),
                Some("the card"),
                "the player who declares",
            ),
            EventName::BeforePlayAc | EventName::BeforePlayRe => {
                form(Query, None, None, "the player who plays")
            }
            EventName::BackupLimit => form(Query, Some("the card"), Some("the card"), active),
            EventName::PreventPierce => form(Hook, Some("the blocker"), Some("the blocker"), active),
            EventName::PlayAsFresh => form(
                Query,
                None,
                Some("the entering character"),
                "the player who plays",
            ),
        }
    }
}
