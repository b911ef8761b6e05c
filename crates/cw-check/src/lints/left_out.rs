//! What the printed text says and the rule lacks: a deed, a condition, an event, a cost, a choice, a count
//! (RS093). One finding of a rule is enough, and none where another of the text's findings tells more.

use cw_program::{CardType, CommandName};
use cw_syntax::{CostArgument, CostSyntax, StatementSyntax, TargetClauseSyntax, rs};
use cw_text::Span;

use super::Lints;
use super::heard::comes_itself;
use super::said::{SaidText, number};
use super::steps::{names_of, plain, reads_results, swapped, words_for};
use crate::groups::{StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let rule = lints.lower;
    // What a copied or another card does is written there.
    let is_elsewhere = ["copyability", "transform", "activate(", "swapabilit"];
    if lints.keys.actions > 1 || is_elsewhere.iter().any(|word| rule.contains(word)) {
        return;
    }
    let _is_told = costs(lints, said)
        || either(lints, said)
        || condition(lints, said, rule)
        || event(lints, said)
        || count(lints, said, rule)
        || order(lints, said)
        || deeds(lints, said, rule);
}

/// The effect as it stands in the rule, without its blanks.
fn packed(text: &str) -> String {
    text.to_ascii_lowercase().split_whitespace().collect()
}

/// The statements of all actions.
fn in_actions<'a>(lints: &Lints<'a, '_>) -> Vec<&'a StatementSyntax<'a>> {
    let actions = lints.groups.iter().filter(|group| group.action);
    actions.flat_map(|group| group.statements).collect()
}

/// What the text says is paid: the words before a colon, for each letter of a cost.
fn paid(said: &SaidText) -> impl Iterator<Item = (char, SaidText)> + '_ {
    let parts: Vec<SaidText> = said.sentences().filter_map(|one| one.before_colon()).collect();
    const VERBS: [(char, &str); 3] = [('f', "freeze"), ('s', "ko|sacrifice|destroy"), ('d', "discard")];
    parts.into_iter().flat_map(|part| {
        let letters = VERBS.map(|(letter, verb)| part.says(verb).then_some(letter));
        let paid = letters.into_iter().flatten();
        paid.map(|letter| (letter, part.clone())).collect::<Vec<_>>()
    })
}

/// R701, RS093: what a text says before a colon is a cost: `{F}` freezes this character, `{S}` sacrifices it,
/// `{D}` discards a card.
fn costs(lints: &mut Lints<'_, '_>, said: &SaidText) -> bool {
    let statements = in_actions(lints);
    let Some(first) = statements.first() else {
        return false;
    };
    let all: Vec<&CostSyntax<'_>> = statements.iter().flat_map(|statement| statement.costs).collect();
    for (letter, part) in paid(said) {
        let own = match letter {
            'f' => part.says_one(&["freeze this|it"]),
            's' => part.says_one(&["ko|sacrifice|destroy this|it"]),
            _ => {
                part.says_one(&["discard a|one ?card"])
                    && !part.says_one(&["discard .. action|reaction|character"])
            }
        };
        let other = part.says_one(&[
            "freeze|ko|sacrifice|destroy another|a|an|one|any|two",
            "discard an|a|one ?other action|reaction|character",
        ]);
        let paid = all
            .iter()
            .find(|cost| cost.letter.text.eq_ignore_ascii_case(&letter.to_string()));
        match paid {
            None => return cost_left_out(lints, first, letter, own, &part),
            Some(cost) if other && !own && matches!(cost.argument, CostArgument::None) => {
                return other_card(lints, cost, letter, &part);
            }
            Some(_) => {}
        }
    }
    unsaid_cost(lints, &all, said)
}

/// A cost of the text that the rule does not have, or has as an effect.
fn cost_left_out(
    lints: &mut Lints<'_, '_>,
    first: &StatementSyntax<'_>,
    letter: char,
    own: bool,
    part: &SaidText,
) -> bool {
    let letter = letter.to_ascii_uppercase();
    let on_itself = |branch: &&cw_syntax::BranchSyntax<'_>| {
        let is_this =
            |clause: &TargetClauseSyntax<'_>| matches!(clause.targets, [target] if target.text.is("this"));
        branch.restriction.is_none() && branch.to.as_ref().is_none_or(is_this)
    };
    let effect = plain(first).filter(on_itself);
    let effect = effect.and_then(|branch| branch.effects.first()).and_then(call);
    let is_cost = effect.filter(|call| match (letter, call.name) {
        ('F', CommandName::Freeze) => call.arguments.is_empty(),
        ('S', CommandName::Destroy) => packed(&lints.text[call.span.range()]).ends_with("()"),
        ('D', CommandName::Discard) => own || call.arguments.is_empty(),
        _ => false,
    });
    let only = plain(first).is_some_and(|branch| branch.effects.len() == 1);
    let text = format!("{{{letter}}}: ");
    if let Some(effect) = is_cost.filter(|_| only && lints.keys.target.is_none()) {
        let clause = plain(first).and_then(|branch| branch.to.as_ref());
        let end = clause.map_or(effect.span.end, |clause| clause.span.end) as usize;
        let rest = &lints.text[end..];
        let trimmed = rest.trim_start_matches([' ', ';']);
        // With nothing behind it there is no ability to pay for.
        if trimmed.is_empty() || trimmed.starts_with('\n') {
            return false;
        }
        let span = Span::new(effect.span.start as usize, end + rest.len() - trimmed.len());
        lints
            .fix(
                rs::RS093,
                effect.span,
                "this is an effect, not a cost: the rest happens even if it cannot be done; \
                 the card's text has it before a colon",
                format!("write `{}`", text.trim_end()),
                &[(span, &text)],
            )
            .help = Some("a cost stands in braces before a colon: `{F}` freezes this character".to_owned());
        return true;
    }
    let asks = lints.lower;
    let pays = ["freeze", "destroy", "discard", "requisite"];
    if pays.iter().any(|word| asks.contains(word)) || letter == 'F' && !own {
        return false;
    }
    let argument = cost_argument(letter.to_ascii_lowercase(), part);
    let text = match (own, argument) {
        (true, _) | (false, None) => format!("{{{letter}}}"),
        (false, Some(argument)) => format!("{{{letter}({argument})}}"),
    };
    let insert = if first.costs.is_empty() {
        format!("{text}: ")
    } else {
        text.clone()
    };
    lints
        .fix(
            rs::RS093,
            first.span,
            "this is done without the cost that stands before the colon in the card's text",
            format!("write `{text}` before it"),
            &[(Span::at(first.span.start as usize), &insert)],
        )
        .help = Some(
        "a cost stands in braces before a colon: \
         `{F}` freezes this character, `{S}` sacrifices it, `{D}` discards a card"
            .to_owned(),
    );
    true
}

/// What stands in the parentheses of a cost, by the words of the text.
fn cost_argument(letter: char, part: &SaidText) -> Option<String> {
    if letter == 'd' {
        let kinds = ["action", "reaction", "character"];
        return kinds
            .iter()
            .find(|kind| part.has(kind))
            .map(|kind| (*kind).to_owned());
    }
    let other = part.says("another|other");
    Some(if other { "^character" } else { "character" }.to_owned())
}

/// R702, R703, RS093: without parentheses a cost is this card itself, or any card of the hand.
fn other_card(lints: &mut Lints<'_, '_>, cost: &CostSyntax<'_>, letter: char, part: &SaidText) -> bool {
    let Some(argument) = cost_argument(letter, part) else {
        return false;
    };
    let text = format!("{{{}({argument})}}", cost.letter.text);
    let (does, says) = match letter {
        'f' => ("freezes this character itself", "another"),
        's' => ("sacrifices this character itself", "another"),
        _ => ("discards any card", "of which kind"),
    };
    lints
        .rewrite(
            rs::RS093,
            cost.span,
            format!("this {does}; the card's text says {says}"),
            &text,
        )
        .help =
        Some("in parentheses stands what is frozen, sacrificed or discarded: `{S(^character)}`".to_owned());
    true
}

/// R701, RS093: a cost that nobody can read on the card.
fn unsaid_cost(lints: &mut Lints<'_, '_>, all: &[&CostSyntax<'_>], said: &SaidText) -> bool {
    let is_character = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character));
    // Games have words of their own for costs: what stands before a colon may be one.
    if said.sentences().any(|sentence| sentence.before_colon().is_some()) {
        return false;
    }
    let unsaid = all.iter().find(|cost| match cost.letter.text {
        // What is no character cannot pay with itself, which is told elsewhere.
        "F" | "f" | "S" | "s" if !is_character => false,
        "F" | "f" => !said.says("freeze|freezes|freezing|frozen"),
        "S" | "s" => !said.says("ko|kos|ko'd|sacrifice|sacrifices|destroy|destroys|destroyed|leaves|koed"),
        "D" | "d" => !said.says("discard|discards|discarding|discarded"),
        _ => false,
    });
    let Some(cost) = unsaid else { return false };
    let does = match cost.letter.text {
        "F" | "f" => "freezes this character",
        "S" | "s" => "sacrifices a character",
        _ => "discards a card",
    };
    lints.help(
        rs::RS093,
        cost.span,
        format!("this cost {does}; the card's text does not say so"),
        "leave the cost out, or print it before a colon, \
         as \u{201c}Freeze this character: draw a card.\u{201d}",
    );
    true
}

/// D23, RS093: statements that follow each other all happen.
fn either(lints: &mut Lints<'_, '_>, said: &SaidText) -> bool {
    let statements = in_actions(lints);
    let [one, other] = statements[..] else {
        return false;
    };
    let (Some(first), Some(second)) = (plain(one), plain(other)) else {
        return false;
    };
    if lints.keys.target.is_some()
        || !other.costs.is_empty()
        || reads_results(&lints.text[other.span.range()])
    {
        return false;
    }
    let words = |names: Vec<CommandName>| match names[..] {
        [name] => words_for(name).first().copied(),
        _ => None,
    };
    let (Some(does), Some(or)) = (words(names_of(first)), words(names_of(second))) else {
        return false;
    };
    let says = said.says(&format!("{does} .. or ?you ?may ?the ?opponent {or}"))
        || said.any(&[
            "choose one:",
            "choose one \u{2014}",
            "choose one -",
            "choose one of two:",
        ]);
    if !says {
        return false;
    }
    let message = "this and the next both happen; the card's text lets the player choose one";
    let help = "each `action` is a choice; a `label` line before it says in words what it does";
    let is_action = |property: &&cw_syntax::PropertySyntax<'_>| property.key.is("action");
    let line = lints.rule.properties.iter().find(is_action);
    let (Some([choice, another]), Some(line), 0) = (said.two_choices(), line, lints.keys.labels) else {
        lints.help(rs::RS093, one.span, message, help);
        return true;
    };
    let before = Span::at(line.key.span.start as usize);
    let between = Span::new(one.span.end as usize, other.span.start as usize);
    let edits = [
        (
            before,
            format!(
                "label = \"{choice}\"
"
            ),
        ),
        (
            between,
            format!(
                "
label = \"{another}\"
action = "
            ),
        ),
    ];
    let edits = edits.each_ref().map(|(span, text)| (*span, text.as_str()));
    lints
        .fix(rs::RS093, one.span, message, "write two actions", &edits)
        .help = Some(help.to_owned());
    true
}

/// Whether a piece of a text says when, or under which condition, the rest of its sentence holds.
const SAYS_IF: &str = "if|unless";
const IF_IN_RULE: [&str; 9] = ["[", "?", "&&", "||", "min(", "max(", " if ", "requisite", "<"];

/// R501, RS093: a condition of the text that the rule does not ask.
fn condition(lints: &mut Lints<'_, '_>, said: &SaidText, rule: &str) -> bool {
    if IF_IN_RULE.iter().any(|word| rule.contains(word)) || lints.groups.iter().any(StatementGroup::is_hook) {
        return false;
    }
    let Some(piece) = said.pieces().find(|piece| {
        piece.says(&format!("^ ?then ?but ?and {SAYS_IF}"))
            && !piece.says_one(&[
                "if you do|can|like|wish|want|choose|did",
                "if not|so|possible|able|necessary|there|any",
                "if it|they|that|this",
            ])
    }) else {
        return false;
    };
    let Some(part) = lints.groups.iter().find_map(|group| group.parts.first()) else {
        return false;
    };
    let message = format!(
        "this happens in any case; the card's text says \u{201c}{}\u{201d}",
        piece.quoted()
    );
    lints.help(
        rs::RS093,
        part.branch.span,
        message,
        "a condition stands before what depends on it: `[[if me.hand.size == 0]] draw(2)`",
    );
    true
}

const ON_EVENTS: &[&str] = &[
    "^ ?then when|whenever",
    "^ each|every time",
    "^ in|at ?the ?start|beginning|end ?of your|each|every|the ?opponent's ?player's \
     turn|turns|activate|draw|end|cleanup|counter-attack|main|attack",
];

/// R902, R903, RS093: an `action` runs when it is used, or as its card enters, whatever happens later.
fn event(lints: &mut Lints<'_, '_>, said: &SaidText) -> bool {
    let is_character = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character));
    let only_action = lints.groups.len() == 1 && lints.groups[0].action;
    if !is_character || !only_action || comes_itself(lints, said) {
        return false;
    }
    let Some(piece) = said.pieces().find(|piece| {
        piece.says_one(ON_EVENTS) && !piece.says_one(&["you play|played", "enters|arrives|played"])
    }) else {
        return false;
    };
    let Some(part) = lints.groups[0].parts.first() else {
        return false;
    };
    let span = part.branch.span;
    let message = format!(
        "an `action` runs when the ability is used, or as the card enters; \
         the card's text says \u{201c}{}\u{201d}",
        piece.quoted()
    );
    lints.help(
        rs::RS093,
        span,
        message,
        "what happens later is an `auto` with an event: \
         `auto = ~attacks:this~ draw()`, `auto = ~myEndPhase~ sp(+1)`",
    );
    true
}

const COUNTED: [&str; 13] = [
    "each(", "size", "len(", "sum(", "*", "tgt", "count", "cost", "/", "all", "for ", "players", "max(",
];

/// R1022, RS093: the same amount, whatever is counted.
fn count(lints: &mut Lints<'_, '_>, said: &SaidText, rule: &str) -> bool {
    let says = said.says_one(&[
        "# ?more ?less ?bp|hp|sp|card|cards|damage for each|every",
        "for each|every .. gain|gains|gets|get|lose|loses|draw|draws|deal|deals \
         # ?bp|hp|sp|card|cards|damage",
        "a card for each|every",
    ]);
    if !says || COUNTED.iter().any(|word| rule.contains(word)) {
        return false;
    }
    let amounts = [
        CommandName::Bp,
        CommandName::Hp,
        CommandName::Sp,
        CommandName::Draw,
        CommandName::Damage,
        CommandName::LoseLife,
    ];
    let parts = lints.groups.iter().flat_map(|group| group.parts);
    let mut calls = parts.flat_map(|part| part.calls);
    let Some(called) = calls.find(|call| amounts.contains(&call.name)) else {
        return false;
    };
    lints.help(
        rs::RS093,
        called.span,
        "this is the same however many there are; the card's text says for each",
        "count them, as in `bp(+100 * me.ring.size)`, \
         or go over them, as in `each(char in me.discards => bp(+100))`",
    );
    true
}

/// R601, RS093: statements run in their order.
fn order(lints: &mut Lints<'_, '_>, said: &SaidText) -> bool {
    for group in lints.groups {
        let [one, other] = group.statements else { continue };
        let (Some(first), Some(second)) = (plain(one), plain(other)) else {
            continue;
        };
        let words = |names: Vec<CommandName>| match names[..] {
            [name] => words_for(name).first().copied().map(|words| (name, words)),
            _ => None,
        };
        let (Some((name, does)), Some((next, then))) = (words(names_of(first)), words(names_of(second)))
        else {
            continue;
        };
        let says = format!("{then} .. then ?you ?the ?opponent {does}");
        if name == next || !said.says(&says) || said.says(&format!("{does} .. {then}")) {
            continue;
        }
        // Costs and events stand before the first statement, and stay there.
        let (from, to) = (first.span, other.span);
        if reads_results(&lints.text[from.range()])
            || reads_results(&lints.text[to.range()])
            || !other.costs.is_empty()
        {
            continue;
        }
        let text = lints.text;
        let edits = swapped(text, from, to);
        lints
            .fix(
                rs::RS093,
                from,
                "this runs first; the card's text says that it comes after the next",
                "write it behind the other",
                &edits,
            )
            .help = Some("statements run in the order in which they stand".to_owned());
        return true;
    }
    false
}

/// Something that a text says is done.
struct Deed {
    /// The words for it, in a main clause: behind the subject, or at its beginning.
    says: &'static [&'static str],
    /// What may do it in a rule: parts of words.
    done_by: &'static [&'static str],
    /// The command that does it, where it is written with a number only.
    command: Option<&'static str>,
}

const CARDS: &str =
    "a|an|another|one|two|three|four|five|# ?more ?random ?action ?reaction ?character card|cards";

const fn deed(says: &'static [&'static str], done_by: &'static [&'static str]) -> Deed {
    let command = None;
    Deed {
        says,
        done_by,
        command,
    }
}

impl Deed {
    const fn by(mut self, command: &'static str) -> Deed {
        self.command = Some(command);
        self
    }
}

const DEEDS: &[Deed] = &[
    deed(&["draw|draws"], &["draw", "hand", "prophecy"]).by("draw"),
    deed(
        &["discard|discards"],
        &["discard", "trash", "{d", "movepile", "moveto", "movere"],
    )
    .by("discard"),
    deed(&["gain|gains|get|gets # ?more sp"], &["sp"]).by("sp+"),
    deed(&["lose|loses # ?more sp"], &["sp"]).by("sp-"),
    deed(&["gain|gains|get|gets|recover|recovers # ?more hp"], &["hp"]).by("hp+"),
    deed(&["lose|loses # ?more hp"], &["hp", "loselife", "damage"]).by("loseLife"),
    deed(&["gains|gain|lose|loses|gets|get # ?more bp"], &["bp"]),
    deed(
        &["deal|deals|takes # ?more damage"],
        &["damage", "loselife", "hp"],
    ),
    deed(
        &["ko|kos|destroy|destroys|sacrifice|sacrifices"],
        &["destroy", "sacrifice", "{s", "damage", "bp"],
    ),
    deed(&["freeze|freezes"], &["freez", "{f", "frosted"]),
    deed(&["unfreeze|unfreezes"], &["unfreez", "freeze(toggle"]),
    deed(&["shuffle|shuffles"], &["shuffle"]),
    deed(&["skip|skips"], &["skip", "turns(", "disablerule"]),
    deed(
        &["return|returns"],
        &["moveto", "movere", "hand", "movepile", "backup", "steal"],
    ),
    deed(
        &[
            "stops|stop attacking",
            "no longer attacks|attack",
            "leaves|leave the attack",
            "is|are removed from ?the|its attack",
        ],
        &["removefromattack", "moveto", "movere", "destroy", "{s"],
    ),
    deed(&["flip|flips a coin"], &["flipcoin", "coin"]),
    deed(&["take|takes another|an turn|extra"], &["turns("]),
];

/// The words before which a deed is the deed of somebody: the subject's, or none.
const YOU: [&str; 4] = [
    "^ ?then ?and ?also",
    "^ ?then ?and you ?may ?also",
    "and ?then ?you ?may ?also",
    "then ?you ?may ?also",
];
const OPPONENT: [&str; 2] = [
    "^ ?then ?and ?the|your opponent|opponents ?also ?must",
    "and ?then ?the|your opponent ?also ?must",
];
const ANYBODY: [&str; 2] = ["^ ?then ?and each|both|every ?player|players ?also", "^ .."];

/// Whether a deed is said behind one of these.
fn is_done(piece: &SaidText, subjects: &[&str], deed: &Deed, is_of_cards: bool) -> bool {
    piece.says_one(deed.says)
        && subjects.iter().any(|subject| {
            deed.says.iter().any(|verb| match is_of_cards {
                true => piece.says(&format!("{subject} {verb} {CARDS}")),
                false => piece.says(&format!("{subject} {verb}")),
            })
        })
}

/// R601, RS093: a sentence of the text that no part of the rule does.
fn deeds(lints: &mut Lints<'_, '_>, said: &SaidText, rule: &str) -> bool {
    let Some(last) = lints.groups.last().and_then(|group| group.statements.last()) else {
        return false;
    };
    // With abilities a text says more than its commands.
    if lints.groups.iter().any(StatementGroup::is_hook) {
        return false;
    }
    let is_mine = |deed: &&Deed| !deed.done_by.iter().any(|word| rule.contains(word));
    for piece in said.main_pieces() {
        for deed in DEEDS.iter().filter(is_mine) {
            let is_of_cards = matches!(deed.command, Some("draw" | "discard"));
            let to = if is_done(&piece, &OPPONENT, deed, is_of_cards) {
                " to(opp)"
            } else if is_done(&piece, &YOU, deed, is_of_cards)
                || deed.command.is_none() && is_done(&piece, &ANYBODY, deed, is_of_cards)
            {
                ""
            } else {
                continue;
            };
            let message = format!(
                "nothing in the rule does what the card's text says: \u{201c}{}\u{201d}",
                piece.quoted()
            );
            let span = last.span;
            let only = lints.groups.len() == 1;
            let written = deed.command.filter(|_| only).and_then(|command| {
                let words = piece.words();
                let count = words.iter().find_map(|word| match *word {
                    "a" | "an" | "another" => Some(1),
                    word => number(word),
                })?;
                Some(match command.split_at(command.len() - 1) {
                    (name, "+") => format!("; {name}(+{count}){to}"),
                    (name, "-") => format!("; {name}(-{count}){to}"),
                    _ => format!("; {command}({count}){to}"),
                })
            });
            let Some(written) = written else {
                lints.add(rs::RS093, span, message);
                return true;
            };
            lints.fix(
                rs::RS093,
                span,
                message,
                format!("add `{}`", written.trim_start_matches("; ")),
                &[(Span::at(span.end as usize), &written)],
            );
            return true;
        }
    }
    false
}
