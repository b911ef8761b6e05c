//! The printed text and the events of a rule: whose turn, which moment, how often, and what may not be
//! done (RS081, RS093).

use cw_program::{CardType, CommandName, EventKind, EventName, Scope};
use cw_syntax::{EffectSyntaxKind, StatementBody, rs};
use cw_text::Span;

use super::Lints;
use super::said::SaidText;
use super::triggers::lone_condition;
use crate::cards::AbilityType;
use crate::groups::{Listened, StatementGroup};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    for group in lints.groups {
        not_asked(lints, group, said);
        if group.events.is_empty() {
            continue;
        }
        for event in group.events {
            if turn(lints, *event, said) || moment(lints, *event, said) {
                break;
            }
        }
        how_often(lints, group, said);
        own_damage(lints, group, said);
        more_than_drawing(lints, group, said);
        forbids(lints, group, said);
    }
}

/// Where the name of an event begins behind its prefix.
fn bare_name<'a>(lints: &Lints<'a, '_>, event: Listened<'a>) -> (&'a str, usize, usize) {
    let written = &lints.text[event.span.range()];
    let end = written.find(':').unwrap_or(written.len());
    let lower = written.to_ascii_lowercase();
    let prefix = ["my", "opp", "any"]
        .into_iter()
        .find(|prefix| lower.starts_with(prefix));
    (&written[..end], prefix.map_or(0, str::len), end)
}

fn with_prefix(name: &str, prefix: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if !prefix.is_empty() => {
            format!("{prefix}{}{}", first.to_uppercase(), letters.as_str())
        }
        Some(first) => format!("{}{}", first.to_lowercase(), letters.as_str()),
        None => String::new(),
    }
}

fn is_phase(name: EventName) -> bool {
    matches!(
        name,
        EventName::ActivatePhase
            | EventName::DrawPhase
            | EventName::BlockPhase
            | EventName::EndPhase
            | EventName::CleanupPhase
    )
}

const EVERY_TURN: [&str; 11] = [
    "each turn",
    "every turn",
    "each player's turn",
    "every player's turn",
    "either player's turn",
    "both players' turns",
    "each player's",
    "every player's",
    "any turn",
    "both turns",
    "all turns",
];
const PHASES: [&str; 7] = [
    "turn",
    "turns",
    "end phase",
    "activate phase",
    "draw phase",
    "cleanup phase",
    "counter-attack phase",
];

/// Whether the text names a turn or phase of these owners.
fn names_turn(said: &SaidText, owners: &[&str]) -> bool {
    // Most texts speak of nobody's turn.
    owners.iter().filter(|owner| said.has(owner)).any(|owner| {
        PHASES.iter().any(|phase| {
            let plain = format!("{owner} {phase}");
            let next = format!("{owner} next {phase}");
            said.has(&plain) || said.has(&next)
        })
    })
}

/// R905, RS093: in whose turn the text says that it happens.
fn turn(lints: &mut Lints<'_, '_>, event: Listened<'_>, said: &SaidText) -> bool {
    if !is_phase(event.name) {
        return false;
    }
    let own = names_turn(
        said,
        &["your", "your own", "of your", "its controller's", "its player's"],
    );
    let theirs = names_turn(
        said,
        &[
            "the opponent's",
            "your opponent's",
            "opponent's",
            "their",
            "the enemy's",
            "the other player's",
        ],
    );
    let all = said.any(&EVERY_TURN)
        || ["each", "every"].into_iter().any(|all| {
            let phases = ["end", "activate", "draw", "cleanup"];
            said.has(all)
                && phases
                    .iter()
                    .any(|phase| said.has(&format!("{all} {phase} phase")))
        });
    let (wanted, says) = match (own, theirs, all) {
        (true, false, false) => (Scope::My, "yours"),
        (false, true, false) => (Scope::Opp, "the opponent's"),
        (false, false, true) => (Scope::Any, "every player's"),
        _ => return false,
    };
    if event.scope == wanted || once_a_turn(said) {
        return false;
    }
    // A paper that waits for a later moment speaks of both turns.
    let (name, prefix, end) = bare_name(lints, event);
    let word = match wanted {
        Scope::My => "my",
        Scope::Opp => "opp",
        Scope::Any => "any",
    };
    let right = with_prefix(&name[prefix..], word);
    let heard = match event.scope {
        Scope::My => "only in your own turn",
        Scope::Opp => "only in the opponent's turn",
        Scope::Any => "in every player's turn",
    };
    let span = Span::new(event.span.start as usize, event.span.start as usize + end);
    let message = format!("`{name}` is heard {heard}; the card's text says {says}");
    lints.rewrite(rs::RS093, span, message, &right).help =
        Some("without a prefix it is your own turn, `opp` the opponent's, `any` both players'".to_owned());
    true
}

fn once_a_turn(said: &SaidText) -> bool {
    said.any(&[
        "once per turn",
        "once a turn",
        "once each turn",
        "once every turn",
        "times a turn",
        "times per turn",
    ])
}

/// R910, RS093: another moment than the text names.
fn moment(lints: &mut Lints<'_, '_>, event: Listened<'_>, said: &SaidText) -> bool {
    let start = said.any(&[
        "at the start of",
        "at the beginning of",
        "at start of",
        "when your turn begins",
        "when your turn starts",
    ]) && said.any(&["turn", "turns"]);
    let end =
        said.any(&["at the end of", "at end of", "when your turn ends"]) && said.any(&["turn", "turns"]);
    let attacks = said.any(&[
        "when it attacks",
        "whenever it attacks",
        "when this character attacks",
        "whenever this character attacks",
        "when this attacks",
        "each time it attacks",
    ]);
    let counters = said.any(&[
        "when it blocks",
        "whenever it blocks",
        "when this character blocks",
        "whenever this character blocks",
        "when it counters",
        "whenever it counters",
        "when this character counters",
        "whenever this character counters",
        "when it counter-attacks",
        "whenever it counter-attacks",
        "when this character counter-attacks",
        "when this blocks",
        "when this counters",
    ]);
    let is_blocked = said.any(&[
        "is blocked",
        "is countered",
        "is counter-attacked",
        "gets blocked",
        "becomes blocked",
        "gets countered",
    ]);
    let unblocked = said.any(&[
        "not blocked",
        "not countered",
        "unblocked",
        "isn't blocked",
        "isn't countered",
        "is not counter-attacked",
        "deals combat damage to",
        "damages the opponent",
        "deals damage to the opponent",
    ]);
    let leaves = said.any(&[
        "is ko'd",
        "is koed",
        "is destroyed",
        "is defeated",
        "leaves the ring",
        "dies",
        "leaves play",
    ]);
    let removed = said.any(&[
        "removed from the game",
        "is removed",
        "are removed",
        "removed pile",
        "exiled",
    ]);
    let fights = [attacks, counters, is_blocked, unblocked, leaves];
    let one_fight = fights.iter().filter(|is| **is).count() == 1;
    let right = match event.name {
        EventName::EndPhase | EventName::CleanupPhase if start && !end => "activatePhase",
        EventName::ActivatePhase if end && !start => "endPhase",
        EventName::Blocks | EventName::Blocked | EventName::PlayerCombatDamaged if one_fight && attacks => {
            "attacks"
        }
        EventName::Attacks | EventName::Blocked if one_fight && counters => "blocks",
        EventName::Attacks | EventName::Blocks if one_fight && is_blocked && !counters => "blocked",
        EventName::Attacks | EventName::Blocks | EventName::Blocked if one_fight && unblocked => {
            "playerCombatDamaged"
        }
        EventName::Removed if leaves && !removed => "leavesRing",
        _ => return false,
    };
    let (name, prefix, end) = bare_name(lints, event);
    let right = with_prefix(right, &name[..prefix].to_ascii_lowercase());
    let span = Span::new(event.span.start as usize, event.span.start as usize + end);
    let heard = match event.name {
        EventName::ActivatePhase => "at the beginning of a turn",
        EventName::EndPhase | EventName::CleanupPhase => "at the end of a turn",
        EventName::Attacks => "when this character attacks",
        EventName::Blocks => "when this character counter-attacks another",
        EventName::Blocked => "when this character attacks and is counter-attacked",
        EventName::PlayerCombatDamaged => "when this attacker, unblocked, has dealt its damage",
        _ => "when this card enters a removed pile, not when it is KOed",
    };
    let message = format!("`{name}` is {heard}; the card's text says otherwise");
    lints.rewrite(rs::RS093, span, message, &right);
    true
}

/// R909, RS093: `:once` is once in the duel.
fn how_often(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let is_character = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character));
    if !is_character {
        return;
    }
    let often = once_a_turn(said)
        || said.any(&EVERY_TURN)
        || said.any(&[
            "whenever",
            "each time",
            "every time",
            "each of your turns",
            "every one of your turns",
            "once in each",
        ]);
    let first = said.any(&[
        "the first time",
        "once per duel",
        "once per game",
        "only once",
        "once in the duel",
    ]);
    for event in group.events {
        let suffix = event.suffixes.iter().find(|suffix| suffix.is("once"));
        match suffix {
            Some(suffix) if often && !first => {
                let span = Span::new(suffix.span.start as usize - 1, suffix.span.end as usize);
                let message = "`:once` is once in the duel, not once in each turn";
                let help = if is_phase(event.name) {
                    "a phase comes once in each turn: without `:once` this runs each time"
                } else {
                    "without `:once` this runs each time; \
                     once in each turn is what happens in a phase, as `~myEndPhase~`"
                };
                lints
                    .fix(rs::RS093, span, message, "remove `:once`", &[(span, "")])
                    .help = Some(help.to_owned());
            }
            None if first && !often => {
                let end = Span::at(event.span.end as usize);
                lints
                    .fix(
                        rs::RS093,
                        event.span,
                        "this runs each time; the card's text says once",
                        "add `:once`",
                        &[(end, ":once")],
                    )
                    .help = Some("`:once` lets it run one time in the duel".to_owned());
            }
            _ => {}
        }
    }
}

/// D22, RS093: damage that the card's own player takes.
fn own_damage(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let takes = said.any(&[
        "you take",
        "you are dealt",
        "dealt to you",
        "damages you",
        "you suffer",
        "hits you",
        "you are damaged",
        "you receive",
        "damage to you",
    ]);
    let asks = group.statements.iter().any(|statement| match &statement.body {
        StatementBody::If { arms, .. } => arms[0].test.text.to_ascii_lowercase().contains("controller"),
        StatementBody::Plain(_) | StatementBody::May { .. } => false,
    });
    if !takes || asks {
        return;
    }
    for event in group.events {
        if event.name != EventName::PlayerCombatDamaged {
            continue;
        }
        lints.help(
            rs::RS093,
            event.span,
            "this is heard when this card itself has hit the opponent; the card's text says that you are hit",
            "damage that you take: \
             `~playerCombatDamaged:any~ [[if trigger.controller != this.controller]] \
             draw(1) to(this.controller)`",
        );
    }
}

/// G189, RS093: hands and rings change in both directions.
fn more_than_drawing(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    for event in group.events {
        let (what, message) = match event.name {
            EventName::HandChanges => (
                [
                    "whenever you draw",
                    "when you draw",
                    "each time you draw",
                    "draws a card",
                    "whenever you discard",
                    "when you discard",
                    "discards a card",
                ],
                "`handChanges` is heard for cards that come to the hand \
                 and for cards that leave it, played ones too",
            ),
            EventName::RingChanges => (
                [
                    "enters your ring",
                    "enters the ring",
                    "play a character",
                    "plays a character",
                    "comes into",
                    "leaves your ring",
                    "leaves the ring",
                ],
                "`ringChanges` is heard when a character comes and when one leaves",
            ),
            _ => continue,
        };
        if !said.any(&what)
            || said.any(&[
                "hand changes",
                "ring changes",
                "enters or leaves",
                "comes or goes",
            ])
            || super::heard::comes_itself(lints, said)
        {
            continue;
        }
        let help = match event.name {
            EventName::RingChanges => {
                "of leaving alone tells `~leavesRing:any~`; of coming alone tells no event"
            }
            _ => "the draw of each turn is `~myDrawPhase~`; of drawing or discarding alone tells no event",
        };
        lints.help(rs::RS093, event.span, message, help);
    }
}

/// What a condition, or a clause of a text, asks of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Alone,
    None,
    Some,
    More,
    Less,
}

impl Asked {
    /// Whether one is true where the other is false.
    fn is_opposite(self, other: Asked) -> bool {
        matches!(
            (self, other),
            (Asked::More, Asked::Less)
                | (Asked::Less, Asked::More)
                | (Asked::None, Asked::Some)
                | (Asked::Some, Asked::None)
        )
    }
}

/// R507, RS081: a text that forbids, and a condition that is true where it says so.
fn forbids(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    const VERBS: [(EventName, [&str; 4]); 4] = [
        (
            EventName::BeforeAttack,
            ["attack", "attacks", "attacking", "fight"],
        ),
        (
            EventName::BeforeBlock,
            ["block", "counter", "counter-attack", "blocks"],
        ),
        (
            EventName::BeforePlayAc,
            ["action", "actions", "action cards", "cards"],
        ),
        (
            EventName::BeforePlayRe,
            ["reaction", "reactions", "reaction cards", "cards"],
        ),
    ];
    let Some((event, verbs)) = VERBS.iter().find(|(name, _)| group.listens_to(&[*name])) else {
        return;
    };
    for statement in group.statements {
        let Some(arm) = lone_condition(&statement.body) else {
            continue;
        };
        let mut sentences = said.sentences();
        let Some(sentence) = sentences.find(|one| one.any(verbs)) else {
            continue;
        };
        let cannot = sentence.any(&[
            "cannot",
            "can't",
            "can not",
            "may not",
            "can neither",
            "must not",
            "unable to",
        ]);
        let only = sentence.any(&[
            "unless",
            "only if",
            "only while",
            "only when",
            "except",
            "without",
        ]);
        let (Some(says), Some(asks)) = (asked_by_text(&sentence), asked_by_test(arm.test.text)) else {
            continue;
        };
        // \u{201c}Only while\u{201d} says when it may.
        let may = only && says.is_opposite(asks);
        if !may && (!cannot || only || says != asks) {
            continue;
        }
        let test = arm.test;
        let forbid = if asks == Asked::Alone {
            format!("not {}", test.text)
        } else {
            format!("not ({})", test.text)
        };
        let message = match event {
            _ if may => "true allows it here; the card's text allows it only in the opposite case",
            EventName::BeforeAttack => "this says when it may attack; its text says when it cannot",
            EventName::BeforeBlock => "this says when it may counter-attack; its text says when it cannot",
            _ => "this says when the card may be played; the text says when it cannot",
        };
        lints.rewrite(rs::RS081, test.span, message, &forbid).help =
            Some("true allows it, false forbids it".to_owned());
    }
}

pub(super) fn asked_by_text(said: &SaidText) -> Option<Asked> {
    let any = |words: &[&str]| said.any(words);
    if any(&["only character", "alone", "only one", "by itself"]) {
        return Some(Asked::Alone);
    }
    if any(&[
        "or more",
        "at least",
        "more than",
        "higher",
        "above",
        "greater",
        "stronger",
    ]) {
        return Some(Asked::More);
    }
    if any(&[
        "or less",
        "or fewer",
        "at most",
        "less than",
        "fewer",
        "fewer than",
        "lower",
        "below",
        "weaker",
        "less",
    ]) {
        return Some(Asked::Less);
    }
    if any(&[
        "empty",
        "no cards",
        "no card",
        "no characters",
        "no character",
        "has no",
        "have no",
        "there are no",
    ]) {
        return Some(Asked::None);
    }
    any(&[
        "while you have",
        "while the opponent has",
        "if you have",
        "if the opponent has",
        "while there is",
        "while there are",
    ])
    .then_some(Asked::Some)
}

pub(super) fn asked_by_test(test: &str) -> Option<Asked> {
    let test = test.to_ascii_lowercase();
    let mut words = test.split(|letter: char| !letter.is_alphanumeric());
    if words.any(|word| ["not", "and", "or", "if"].contains(&word)) {
        return None;
    }
    let test = test.replace(' ', "");
    if test == "alone" {
        return Some(Asked::Alone);
    }
    if test.ends_with("==0") || test.ends_with("<1") {
        return Some(Asked::None);
    }
    if test.ends_with(">0") || test.ends_with("!=0") || test.ends_with(">=1") {
        return Some(Asked::Some);
    }
    match (test.contains('>'), test.contains('<')) {
        (true, false) => Some(Asked::More),
        (false, true) => Some(Asked::Less),
        _ => test.ends_with(".size").then_some(Asked::Some),
    }
}

/// R501, RS093: the text lets the player decide, and the auto asks nobody.
fn not_asked(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    const MAY: &str = "you may \
                       draw|discard|return|freeze|unfreeze|ko|destroy|move|take|deal|look|put|\
                       exchange|swap|reveal|remove|search|shuffle|sacrifice|steal|transform|gain|give";
    // Nobody has to use what is used.
    let is_used = group.action
        && lints
            .card
            .is_some_and(|card| card.ability == Some(AbilityType::Triggered));
    let may = !is_used && said.says(MAY);
    let only = lints.groups.len() == 1
        && group
            .events
            .iter()
            .all(|event| event.name.form().kind == EventKind::Event);
    if !may || !only || lints.keys.target.is_some_and(|clause| clause.optional) {
        return;
    }
    let asks = group
        .statements
        .iter()
        .any(|statement| matches!(statement.body, StatementBody::May { .. }) || !statement.costs.is_empty());
    let optional = group.parts.iter().any(|part| {
        let effects = part.branch.effects.iter();
        let mut asked =
            effects.map(|effect| matches!(effect.kind, EffectSyntaxKind::Call { optional: true, .. }));
        asked.any(|is| is)
            || part.branch.to.as_ref().is_some_and(|clause| {
                clause.optional
                    || clause.targets.iter().any(|target| {
                        matches!(
                            target.quantity.map(|quantity| quantity.form),
                            Some(cw_syntax::QuantityForm::Between(0, _))
                        )
                    })
            })
    });
    if asks || optional {
        return;
    }
    let Some(part) = group.parts.iter().find(|part| {
        let is_deed = |call: &crate::groups::CheckedCall<'_>| call.name != CommandName::Shuffle;
        part.calls.iter().any(is_deed)
            && matches!(group.statements[part.statement].body, StatementBody::Plain(_))
    }) else {
        return;
    };
    let start = Span::at(part.branch.span.start as usize);
    lints
        .fix(
            rs::RS093,
            part.branch.span,
            "nobody is asked; the card's text says that you may",
            "write `[[may]]` before it",
            &[(start, "[[may]] ")],
        )
        .help =
        Some("`[[may 'Draw a card?']]` asks for the statement, `draw?(1)` for one command".to_owned());
}
