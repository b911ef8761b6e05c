//! The closed sets of words of RuleScript. Each word has its spelling and one line for the
//! reference; the compiler, the checker and the generated reference all read these tables.

use cw_syntax::is_word;

/// A word of a closed set.
pub trait ClosedWord: Copy + Eq + 'static {
    /// All words of the set, in the order of the specification.
    const ALL: &'static [Self];

    /// The spelling in rules; compared without regard to case (R104).
    fn word(self) -> &'static str;

    /// What it means, in one line.
    fn meaning(self) -> &'static str;

    /// Where each spelling is.
    const INDEX: WordIndex;

    /// Finds the word with this spelling, in any case.
    fn find(word: &str) -> Option<Self> {
        let mut slot = WordIndex::slot(word.as_bytes());
        loop {
            let at = usize::from(Self::INDEX.slots[slot]);
            if is_word(word, Self::INDEX.words.get(at)?) {
                return Self::ALL.get(at).copied();
            }
            slot = (slot + 1) % WordIndex::SLOTS;
        }
    }
}

/// A hash table of spellings, made when this crate is compiled. Rules are mostly words of closed
/// sets, so finding them decides how fast rules are read.
#[derive(Clone, Copy, Debug)]
pub struct WordIndex {
    /// The spellings, in the order of `ClosedWord::ALL`.
    words: &'static [&'static str],
    // Invariant: places in `ClosedWord::ALL`, or `EMPTY`; some are empty, so that every search ends.
    slots: [u8; WordIndex::SLOTS],
}

impl WordIndex {
    const SLOTS: usize = 128;
    const EMPTY: u8 = u8::MAX;

    /// Where the search for a word starts: length, first, middle and last letter in any case.
    const fn slot(word: &[u8]) -> usize {
        let length = word.len();
        if length == 0 {
            return 0;
        }
        let first = (word[0] | 0x20) as usize;
        let middle = (word[length / 2] | 0x20) as usize;
        let last = (word[length - 1] | 0x20) as usize;
        (length * 29 + first * 5 + middle * 11 + last * 47) % WordIndex::SLOTS
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "asserted: there are fewer words than a byte counts"
    )]
    pub(crate) const fn new(words: &'static [&'static str]) -> WordIndex {
        assert!(
            words.len() < WordIndex::SLOTS / 2 && WordIndex::SLOTS <= 256,
            "searches must be short"
        );
        let mut slots = [WordIndex::EMPTY; WordIndex::SLOTS];
        let mut at = 0;
        while at < words.len() {
            let mut slot = WordIndex::slot(words[at].as_bytes());
            while slots[slot] != WordIndex::EMPTY {
                slot = (slot + 1) % WordIndex::SLOTS;
            }
            slots[slot] = at as u8;
            at += 1;
        }
        WordIndex { words, slots }
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal $meaning:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = $meaning] $variant,)*
        }
        impl $crate::words::ClosedWord for $name {
            const ALL: &'static [$name] = &[$($name::$variant,)*];
            const INDEX: $crate::words::WordIndex = $crate::words::WordIndex::new(&[$($word,)*]);
            fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
            fn meaning(self) -> &'static str {
                match self { $($name::$variant => $meaning,)* }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::words::ClosedWord::word(*self))
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The types of cards that the game knows (G8).
    CardType {
        Character "character" "fights in the ring",
        Action "action" "is played in one's own Main phase",
        Reaction "reaction" "is played in the opponent's Counter-attack phase",
    }
}

words! {
    /// What a cost change applies to (G79).
    CostKind {
        Character "character" "playing a character",
        Action "action" "playing an action card",
        Reaction "reaction" "playing a reaction card",
        Ua2 "ua2" "a United Attack of two",
        Ua3 "ua3" "a United Attack of three",
    }
}

words! {
    /// Phases as `skip` names them (G2, R314).
    PhaseName {
        Setup "setup" "before the first turn",
        Activate "activate" "the active player's characters unfreeze",
        Draw "draw" "the active player draws a card",
        Main "main" "the active player plays cards and uses abilities",
        Attack "attack" "the active player declares attacks",
        CounterAttack "counter-attack" "the defender plays reactions and counter-attacks",
        End "end" "combat damage is dealt",
        Cleanup "cleanup" "timed effects end",
    }
}

words! {
    /// Piles of a player (G3).
    PileName {
        Hand "hand" "the cards in a player's hand",
        Deck "deck" "the draw pile, top first",
        Discards "discards" "the discard pile, top first",
        Removed "removed" "cards removed from the game",
    }
}

words! {
    /// How a pile is shown (`pileView`, G240); display only.
    PileViewState {
        Collapsed "collapsed" "only a count",
        Pile "pile" "the top card",
        Expanded "expanded" "all cards side by side",
    }
}

words! {
    /// Keyword abilities (R801, G258).
    Keyword {
        Unblockable "unblockable" "cannot be blocked when it attacks",
        CantAttack "cantattack" "cannot attack alone or lead; may join a United Attack",
        CantBlock "cantblock" "cannot counter-attack",
        UnlimitedBackup "unlimitedbackup" "ignores the limit of one back-up per turn",
        Unfreezable "unfreezable" "does not freeze after a solo attack",
        Pierce "pierce" "excess damage over its blocker hits the player",
        PreventPierce "preventpierce" "as blocker of a United Attack, no piercing damage",
        Rush "rush" "is not fresh on entering the ring",
        Frosted "frosted" "does not unfreeze in its controller's Activate phase",
        CantPlayAc "cantplayac" "the player cannot play action cards",
        CantPlayRe "cantplayre" "the player cannot play reaction cards",
    }
}

words! {
    /// Rules of the game that cards may change (R631, G253).
    RuleFlag {
        AbTriggerFresh "ab_trigger_fresh" "triggered abilities of fresh characters may be used",
        AbTriggerAct "ab_trigger_act" "triggered abilities may be used",
        AbInstantAct "ab_instant_act" "instant abilities may be used",
        Piercing "piercing" "United Attacks deal excess damage to the player",
        BackupFresh "backup_fresh" "fresh characters may be backed up",
        BackupLimit "backup_limit" "one back-up per turn",
        PlayCharBpLimit "play_char_bp_limit" "characters with this printed BP or more cannot be played",
        DmgCombatDeal "dmg_combat_deal" "attackers and blockers deal damage",
        AttackFreeze "attack_freeze" "attackers freeze in the End phase",
        Attack "attack" "characters may attack",
        PlayRemoved "play_removed" "cards may be played from the removed pile",
    }
}

impl RuleFlag {
    /// Whether the rule holds while no card has changed it (R631).
    pub fn is_on_at_start(self) -> bool {
        match self {
            RuleFlag::AbTriggerFresh
            | RuleFlag::BackupFresh
            | RuleFlag::PlayRemoved
            | RuleFlag::PlayCharBpLimit => false,
            RuleFlag::AbTriggerAct
            | RuleFlag::AbInstantAct
            | RuleFlag::Piercing
            | RuleFlag::BackupLimit
            | RuleFlag::DmgCombatDeal
            | RuleFlag::AttackFreeze
            | RuleFlag::Attack => true,
        }
    }
}

words! {
    /// Events and hooks (R910, G189, D18–D22).
    EventName {
        ActivatePhase "activatePhase" "Activate phase, after unfreezing",
        DrawPhase "drawPhase" "Draw phase, after the normal draw",
        BlockPhase "blockPhase" "start of the Counter-attack phase, after the United Attack was paid",
        Attacks "attacks" "this character attacks; right after `blockPhase`",
        Blocks "blocks" "this character counter-attacks; before the damage of that fight",
        Blocked "blocked" "this attacker is counter-attacked; after `blocks`",
        PlayerCombatDamaged "playerCombatDamaged" "this unblocked attacker has dealt its damage",
        CancelCombatDamage "cancelCombatDamage" "hook: true cancels the damage of this unblocked attacker",
        EndPhase "endPhase" "End phase, after combat",
        CleanupPhase "cleanupPhase" "Cleanup phase, before attack marks are cleared",
        HandChanges "handChanges" "a card entered or left the hand",
        RingChanges "ringChanges" "a character entered or left the ring",
        Removed "removed" "this card entered a removed pile",
        LeavesRing "leavesRing" "this character left the ring",
        Powerless "powerless" "this character loses or exchanges its ability",
        BackedUp "backedUp" "a character was backed up",
        BeforePayCostCharacter "beforePayCostCharacter" "while the cost of a character is computed",
        BeforePayCostAction "beforePayCostAction" "while the cost of an action card is computed",
        BeforePayCostReaction "beforePayCostReaction" "while the cost of a reaction card is computed",
        BeforePayCostUa2 "beforePayCostUa2" "while the cost of a United Attack of two is computed",
        BeforePayCostUa3 "beforePayCostUa3" "while the cost of a United Attack of three is computed",
        BeforeDamage "beforeDamage" "before a player is damaged by a card that is not a character",
        CanBlock "canBlock" "hook: false forbids to block this attacker",
        BeforeAttack "beforeAttack" "hook: false forbids this character to attack",
        BeforeBlock "beforeBlock" "hook: false forbids this character to block",
        BeforePlayAc "beforePlayAC" "hook: false forbids to play an action card",
        BeforePlayRe "beforePlayRE" "hook: false forbids to play a reaction card",
        BackupLimit "backupLimit" "hook: false lifts the limit of one back-up per turn for this character",
        PreventPierce "preventPierce" "hook: true prevents piercing damage over this blocker",
        PlayAsFresh "playAsFresh" "hook: false lets the entering character not be fresh",
    }
}

words! {
    /// The prefix of an event (R905, G183).
    Scope {
        My "my" "in the controller's own turn (also without prefix)",
        Opp "opp" "raised by the opponent",
        Any "any" "raised by either player",
    }
}

words! {
    /// Filters that are one word (R422).
    FilterFlag {
        BackedUp "backedup" "has a back-up attached",
        Attack "attack" "attacks alone or leads a United Attack",
        UAttack "uattack" "is in the United Attack, the lead included",
        Block "block" "counter-attacks",
        Blocked "blocked" "attacks and is counter-attacked",
        Frozen "frozen" "is frozen",
        Fresh "fresh" "entered the ring this turn",
        Powerful "powerful" "has an ability",
        Powerless "powerless" "has no ability",
        AbInstant "abinstant" "has an instant ability",
        AbTrigger "abtrigger" "has a triggered ability",
        AbAuto "abauto" "has an auto ability",
    }
}

words! {
    /// Types of a target that are no subtype (R209–R213).
    TypeWord {
        Any "*" "any card",
        All "all" "every card",
        Player "player" "a player",
        Players "players" "both players",
        Me "me" "the player who runs the rule",
        Opp "opp" "the other player",
        This "this" "the card whose rule it is",
        Character "character" "a character",
        Characters "characters" "every character",
        Action "action" "an action card",
        Actions "actions" "every action card",
        Reaction "reaction" "a reaction card",
        Reactions "reactions" "every reaction card",
    }
}
