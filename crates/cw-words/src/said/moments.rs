//! When a rule runs, and what hooks allow.

use cw_program::{
    Command, CostAmount, CostKind, EventKind, EventName, NumberArgument, RuleEffectKind, RuleStatement,
    Scope, StatementKind, TriggerEvent,
};

use super::phrases::NounPhrase;
use super::style::StyleSlot;
use super::teller::{NoWords, ReadPlayer, ReadTurn, RuleTeller, Worded};

/// The cards and players of an event, and how it begins a sentence.
struct MomentWords {
    text: String,
    me: ReadPlayer,
    turn: ReadTurn,
    trigger: Option<NounPhrase>,
    attacker: Option<NounPhrase>,
    blocker: Option<NounPhrase>,
}

impl RuleTeller<'_> {
    /// The beginning of what an auto says, and who runs it from here on.
    /// `is_asked`: only under a condition, until which what runs once goes on waiting (D19).
    pub(super) fn moment(&mut self, events: &[TriggerEvent], is_asked: bool) -> Worded<String> {
        let all: Worded<Vec<MomentWords>> = events.iter().map(|event| self.event(*event, is_asked)).collect();
        let all = all?;
        let Some(first) = all.first() else {
            return Err(NoWords("an auto without an event".to_owned()));
        };
        if all
            .iter()
            .any(|one| one.me != first.me || one.trigger != first.trigger)
        {
            return Err(NoWords("events of both players at once".to_owned()));
        }
        self.me = first.me;
        self.turn = match all.iter().all(|one| one.turn == first.turn) {
            true => first.turn,
            false => ReadTurn::Either,
        };
        self.trigger.clone_from(&first.trigger);
        self.attacker.clone_from(&first.attacker);
        self.blocker.clone_from(&first.blocker);
        let texts: Vec<String> = all.into_iter().map(|one| one.text).collect();
        Ok(texts.join(" or "))
    }

    fn event(&self, event: TriggerEvent, is_asked: bool) -> Worded<MomentWords> {
        let opponent = self.style.word(StyleSlot::Opponent).to_owned();
        let is_character = self.card.is_character();
        let this = self.this();
        let form = event.name.form();
        let is_own = form.object.is_some() && !event.any;
        // Who raises it: of events that are tied to this card, that follows from what happens to it.
        let (me, turn) = match (event.name, form.object.is_some(), event.any, event.scope) {
            (EventName::Blocks | EventName::PreventPierce, true, false, _) => {
                (ReadPlayer::Opponent, ReadTurn::Opponents)
            }
            (EventName::Removed | EventName::LeavesRing | EventName::Powerless, true, false, _) => {
                (ReadPlayer::You, ReadTurn::Either)
            }
            (_, true, false, _) => (ReadPlayer::You, ReadTurn::Yours),
            (_, true, true, _) => (ReadPlayer::That, ReadTurn::Either),
            (_, false, _, Scope::My) => (ReadPlayer::You, ReadTurn::Yours),
            (EventName::HandChanges | EventName::RingChanges, false, _, Scope::Opp) => {
                (ReadPlayer::Opponent, ReadTurn::Either)
            }
            (_, false, _, Scope::Opp) => (ReadPlayer::Opponent, ReadTurn::Opponents),
            (_, false, _, Scope::Any) => (ReadPlayer::That, ReadTurn::Either),
        };
        let phase = |name: &str| {
            let whose = match event.scope {
                Scope::My => "your".to_owned(),
                Scope::Opp => format!("{opponent}'s"),
                Scope::Any if event.once && !is_asked => {
                    return format!("in the next {name}, in either player's turn");
                }
                Scope::Any => "each player's".to_owned(),
            };
            if event.once && is_asked {
                return format!("only once, in {whose} {name}");
            }
            if event.scope == Scope::Any {
                return format!("in each player's {name}");
            }
            match event.once {
                true => format!("in {whose} next {name}"),
                false => format!("in {whose} {name}"),
            }
        };
        let who = match is_own {
            true => this.clone(),
            false => NounPhrase::one("a character"),
        };
        let that = match is_own {
            true => this.clone(),
            false => NounPhrase::one("that character"),
        };
        let whenever = match (event.once, is_own) {
            (true, _) if is_asked => "only once, when",
            (true, _) => "the first time that",
            (false, true) => "when",
            (false, false) => "whenever",
        };
        let pile = |what: &str| {
            let whose = match event.scope {
                Scope::My => "your".to_owned(),
                Scope::Opp => format!("{opponent}'s"),
                Scope::Any => "a player's".to_owned(),
            };
            let when = if event.scope == Scope::My {
                " in your turn"
            } else {
                ""
            };
            format!("{whenever} {whose} {what} changes{when}")
        };
        let (text, trigger) = match event.name {
            EventName::ActivatePhase => (phase("Activate phase"), None),
            EventName::DrawPhase => (phase("Draw phase"), None),
            EventName::BlockPhase => (phase("Counter-attack phase"), None),
            EventName::EndPhase => (phase("End phase"), None),
            EventName::CleanupPhase => (phase("Cleanup phase"), None),
            EventName::Attacks => (format!("{whenever} {} attacks", who.text), Some(that)),
            EventName::Blocks => (
                format!("{whenever} {} counters", who.text),
                Some(NounPhrase::one("the attacker")),
            ),
            EventName::Blocked => (format!("{whenever} {} is countered", who.text), Some(that)),
            EventName::PlayerCombatDamaged => (
                format!(
                    "{whenever} {} attacks, is not countered and has dealt its damage",
                    who.text
                ),
                Some(that),
            ),
            EventName::CancelCombatDamage => (
                format!(
                    "{whenever} {} attacks and is not countered, instead of its damage",
                    who.text
                ),
                Some(that),
            ),
            EventName::HandChanges => (pile("hand"), None),
            EventName::RingChanges => (pile("ring"), None),
            EventName::Removed => {
                let who = if is_own {
                    this.text.clone()
                } else {
                    "a card".to_owned()
                };
                (format!("{whenever} {who} is removed from the game"), None)
            }
            EventName::LeavesRing => (format!("{whenever} {} leaves the ring", who.text), None),
            EventName::Powerless => (
                format!("{whenever} {} loses or exchanges its ability", who.text),
                None,
            ),
            EventName::BackedUp => {
                let whose = match (event.this, event.scope) {
                    (true, _) => this.text.clone(),
                    (false, Scope::My) => "one of your characters".to_owned(),
                    (false, Scope::Opp) => format!("an {} character", self.style.word(StyleSlot::Enemy)),
                    (false, Scope::Any) => "a character".to_owned(),
                };
                let trigger = match event.this {
                    true => this.clone(),
                    false => NounPhrase::one("that character"),
                };
                let when = if event.once { whenever } else { "whenever" };
                (format!("{when} {whose} is backed up"), Some(trigger))
            }
            EventName::PreventPierce => (
                format!(
                    "{whenever} {} counters a United Attack, no damage beyond its BP hits the player and",
                    who.text
                ),
                Some(that),
            ),
            EventName::BeforeDamage
            | EventName::BeforePayCostCharacter
            | EventName::BeforePayCostAction
            | EventName::BeforePayCostReaction
            | EventName::BeforePayCostUa2
            | EventName::BeforePayCostUa3
            | EventName::CanBlock
            | EventName::BeforeAttack
            | EventName::BeforeBlock
            | EventName::BeforePlayAc
            | EventName::BeforePlayRe
            | EventName::BackupLimit
            | EventName::PlayAsFresh => return Err(NoWords(format!("`{}` with effects", event.name))),
        };
        // `:char` asks nothing of what is always a character; other suffixes are conditions.
        let is_tested = event
            .test
            .is_some_and(|test| !self.formula(test).eq_ignore_ascii_case("char"));
        if is_tested || (event.this && event.name != EventName::BackedUp && form.object.is_none()) {
            return Err(NoWords(format!("the condition of `{}`", event.name)));
        }
        if !is_character && !event.once {
            return Err(NoWords(
                "an event that a card hears which does not stay".to_owned(),
            ));
        }
        let (attacker, blocker) = match event.name {
            EventName::Blocks => (Some(NounPhrase::one("the attacker")), Some(who)),
            EventName::Blocked => (Some(who), Some(NounPhrase::one("the character that counters"))),
            _ => (None, None),
        };
        Ok(MomentWords {
            text,
            me,
            turn,
            trigger,
            attacker,
            blocker,
        })
    }

    /// Whether an event asks something instead of telling it.
    pub(super) fn is_hook(event: TriggerEvent) -> bool {
        event.name.form().kind == EventKind::Query || event.name == EventName::BeforeDamage
    }

    /// What the listeners of a hook say.
    pub(super) fn hook(&mut self, event: TriggerEvent, statements: &[RuleStatement]) -> Worded<String> {
        let [statement] = statements else {
            return Err(NoWords(format!("`{}` with several statements", event.name)));
        };
        // On an event without an object `:this` asks whether the card is its own (D20).
        if event.once || event.this && event.name.form().object.is_none() {
            return Err(NoWords(format!("a suffix of `{}`", event.name)));
        }
        if !statement.costs.is_empty() {
            return Err(NoWords(format!("`{}` with costs", event.name)));
        }
        let has_object = event.name.form().object.is_some();
        let is_own = has_object && !event.any;
        self.me = match (event.name, is_own, event.scope) {
            (EventName::CanBlock, true, _) => ReadPlayer::Opponent,
            (_, true, _) => ReadPlayer::You,
            (_, false, _) if has_object => ReadPlayer::That,
            (_, false, Scope::My) => ReadPlayer::You,
            (_, false, Scope::Opp) => ReadPlayer::Opponent,
            (_, false, Scope::Any) => ReadPlayer::That,
        };
        let (test, branch) = match &statement.kind {
            StatementKind::Plain(branch) => (None, branch),
            StatementKind::If {
                arms,
                otherwise: None,
            } => match &arms[..] {
                [(test, branch)] => (Some(*test), branch),
                _ => return Err(NoWords(format!("`{}` with several conditions", event.name))),
            },
            StatementKind::If { .. } | StatementKind::May { .. } => {
                return Err(NoWords(format!("`{}` with a choice", event.name)));
            }
        };
        let whose = match event.scope {
            Scope::My => "your ".to_owned(),
            Scope::Opp => format!("{}'s ", self.style.word(StyleSlot::Opponent)),
            Scope::Any => String::new(),
        };
        if let [effect] = &branch.effects[..]
            && !effect.optional
            && let RuleEffectKind::Command(command) = &effect.kind
        {
            self.trigger = Some(NounPhrase::one("the card"));
            let changed = match command {
                Command::ModCost(kind, NumberArgument::Literal(number)) => {
                    self.hook_cost(event, *kind, *number, &whose)?
                }
                Command::ModDamage(NumberArgument::Literal(number)) => {
                    self.hook_damage(event, *number, &whose)?
                }
                _ => return Err(NoWords(format!("`{}` with a computed number", event.name))),
            };
            return Ok(match test {
                Some(test) => format!("{changed} if {}", self.condition(test, true)?),
                None => changed,
            });
        }
        let Some(test) = test.filter(|_| branch.effects.is_empty()) else {
            return Err(NoWords(format!("`{}` with effects", event.name)));
        };
        if event.test.is_some() {
            return Err(NoWords(format!("the suffix of `{}`", event.name)));
        }
        let this = self.this().text;
        self.trigger = Some(match is_own {
            true => self.this(),
            false => NounPhrase::one("that character"),
        });
        let who = if is_own {
            this.clone()
        } else {
            "a character".to_owned()
        };
        let player = match event.scope {
            Scope::My => "you".to_owned(),
            Scope::Opp => self.style.word(StyleSlot::Opponent).to_owned(),
            Scope::Any => "a player".to_owned(),
        };
        Ok(match event.name {
            EventName::CanBlock => {
                self.attacker = self.trigger.clone();
                self.blocker = Some(NounPhrase::one("it"));
                format!(
                    "a character can counter {who} only if {}",
                    self.condition(test, true)?
                )
            }
            EventName::BeforeAttack => format!("{who} can attack only if {}", self.condition(test, true)?),
            EventName::BeforeBlock => format!("{who} can counter only if {}", self.condition(test, true)?),
            EventName::BeforePlayAc => format!(
                "{player} can play actions only if {}",
                self.condition(test, true)?
            ),
            EventName::BeforePlayRe => format!(
                "{player} can play reactions only if {}",
                self.condition(test, true)?
            ),
            EventName::BackupLimit => format!(
                "{who} can be backed up any number of times a turn if {}",
                self.condition(test, false)?
            ),
            EventName::PlayAsFresh => {
                let of = match event.scope {
                    Scope::My => "one of your characters".to_owned(),
                    Scope::Opp => format!("one of {}'s characters", self.style.word(StyleSlot::Opponent)),
                    Scope::Any => "a character".to_owned(),
                };
                format!(
                    "{of} is not fresh when played if {}",
                    self.condition(test, false)?
                )
            }
            _ => return Err(NoWords(format!("`{}`", event.name))),
        })
    }

    fn hook_cost(&self, event: TriggerEvent, kind: CostKind, number: i32, whose: &str) -> Worded<String> {
        let (asked, united) = match event.name {
            EventName::BeforePayCostCharacter => (CostKind::Character, false),
            EventName::BeforePayCostAction => (CostKind::Action, false),
            // Reactions are paid in the other's turn: one's own scope never hears of them (R905).
            EventName::BeforePayCostReaction if event.scope != Scope::My => (CostKind::Reaction, false),
            EventName::BeforePayCostUa2 => (CostKind::Ua2, true),
            EventName::BeforePayCostUa3 => (CostKind::Ua3, true),
            _ => return Err(NoWords(format!("a cost at `{}`", event.name))),
        };
        if asked != kind || event.test.is_some() {
            return Err(NoWords(format!("another cost at `{}`", event.name)));
        }
        let cost = self.cost(kind, CostAmount::Add(number), whose)?;
        let unless = match united && self.card.is_character() {
            true => ", unless this character is part of it",
            false => "",
        };
        Ok(format!("{cost}{unless}"))
    }

    fn hook_damage(&self, event: TriggerEvent, number: i32, whose: &str) -> Worded<String> {
        if event.name != EventName::BeforeDamage || number == 0 {
            return Err(NoWords(format!("damage at `{}`", event.name)));
        }
        let test = event.test.map(|test| self.formula(test).to_lowercase());
        let what = match test.as_deref() {
            None => "cards that are not characters",
            Some("action") => "actions",
            Some("reaction") => "reactions",
            Some(_) => return Err(NoWords("a suffix of `beforeDamage`".to_owned())),
        };
        let damage = self.style.word(StyleSlot::Damage);
        let how = if number > 0 { "more" } else { "less" };
        Ok(format!(
            "{whose}{what} deal {} {damage} {how} to players",
            number.abs()
        ))
    }
}
