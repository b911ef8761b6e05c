//! A table of what texts say and rules write instead: a new slip of this kind is a row (RS093).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use cw_syntax::{PropertyValueSyntax, rs, tokens};
use cw_text::Span;
use memchr::memmem::Finder;

use super::Lints;
use super::said::SaidText;
use crate::meant::pattern::{Line, PatternWords, Wording};

/// A slip: words of a text, and a rule that does something else.
struct Phrase {
    /// What the text says: one of these, as [`SaidText::says`] reads them.
    says: &'static [&'static str],
    /// What it must not say.
    unless: &'static [&'static str],
    /// The pattern of the rule, as in the table of wordings.
    written: &'static str,
    /// The part of the pattern that the finding stands at, counted from 1; 0 for all of it.
    at: usize,
    /// What is written in place of all of it; empty where no fix is certain enough.
    instead: &'static str,
    /// A word with which the rule means something else; empty where there is none.
    without: &'static str,
    message: &'static str,
    help: &'static str,
}

impl Phrase {
    /// Words in lower case, without one of which the pattern fits nowhere; none if it needs no word.
    fn needed_words(&self) -> Vec<&'static str> {
        let is_word =
            |part: &&str| part.starts_with(|first: char| first.is_ascii_lowercase() || first == '%');
        let parts = self.written.split(' ').filter(is_word);
        let longest = parts.max_by_key(|part| part.len());
        longest.map_or_else(Vec::new, |part| part.trim_start_matches('%').split('/').collect())
    }
}

const TOP: &str = "piles are listed from the top: `.0` is the top card, `[-1]` the bottom card";
const PICKS: &str = "behind the type `<2>` takes two from the top, `<-2>` two from the bottom";
const PUT_BACK: &str = "`prophecy(3)` puts each card back on the top or the bottom, \
                        `prophecy(3, top)` all on the top, `prophecy(3, bottom)` under the deck";
const TOP_OR_BOTTOM: &[&str] = &[
    "look|looks at .. top or ?on|at|to ?the|its|their bottom",
    "look|looks at .. bottom or ?on|at|to ?the|its|their top",
];
const ALL_OF_THEM: &str = "in `each`, `char`, `action` and `reaction` keep the cards of that type";
const BOTH: &str = "with a comma between targets, who acts chooses among them; `;` takes both";
const OF_PILE: &str = "`.size` counts all cards; a filter finds those of one type";

const SAYS_TOP: &[&str] = &["top ?card|cards ?of .. discard|discards|deck|removed|pile"];
const SAYS_BOTTOM: &[&str] = &["bottom ?card|cards ?of .. discard|discards|deck|removed|pile"];
const EACH_CHARACTER: &[&str] = &["each|every character ?card|cards"];
const EACH_ACTION: &[&str] = &["each|every action ?card|cards"];
const EACH_REACTION: &[&str] = &["each|every reaction ?card|cards"];
const CHARACTERS_IN: &[&str] = &[
    "each|every character ?card|cards in ?your ?the ?their ?opponent's ?player's \
     hand|discard|discards|removed",
];
const ACTIONS_IN: &[&str] = &[
    "each|every action ?card|cards in ?your ?the ?their ?opponent's ?player's hand|discard|discards|removed",
];
const REACTIONS_IN: &[&str] = &[
    "each|every reaction ?card|cards in ?your ?the ?their ?opponent's ?player's \
     hand|discard|discards|removed",
];
const OR_ANOTHER: &[&str] = &[
    "each|every card",
    "each|every discarded|moved|koed card",
    "or action|reaction|character|reactions",
];

const NOT_THE_BOTTOM: &str = "this is the bottom card; the card's text says the top";
const NOT_THE_TOP: &str = "this is the top card; the card's text says the bottom";
const FROM_THE_HAND: &str = "this takes cards of the hand; the card's text says the top of the deck";
const FROM_HAND: &[&str] = &[
    "look|looks|reveal|reveals|draw|draws|shuffle",
    "discard|discards a|an|one|two|# ?action ?reaction ?character card|cards",
    "hand|hands",
];
const EACH_PLAYER: &[&str] = &[
    "each|every player draws|discards|loses|takes|puts",
    "both|all players draw|discard|lose|take|put",
    "you and ?the|your opponent ?each ?both draw|discard|lose|take|put",
];
const FOR_YOU_ALONE: &str =
    "without `to` this is for the card's own player; the card's text says each player";
const DRAWS_UNSEEN: &str =
    "this draws the top card of what is left; nobody chooses it among the cards looked at";
const COUNTS_ALL: &str = "this counts cards of all types; the card's text says of which";

/// In order; one finding of a rule is enough.
const PHRASES: &[Phrase] = &[
    // Places in piles (R206, R1010).
    Phrase {
        says: SAYS_TOP,
        unless: SAYS_BOTTOM,
        written: "%discards/deck/removed [ - 1 ]",
        at: 0,
        instead: "$1.0",
        without: "",
        message: NOT_THE_BOTTOM,
        help: TOP,
    },
    Phrase {
        says: SAYS_BOTTOM,
        unless: SAYS_TOP,
        written: "%discards/deck/removed [ 0 ]",
        at: 0,
        instead: "$1[-1]",
        without: "",
        message: NOT_THE_TOP,
        help: TOP,
    },
    Phrase {
        says: SAYS_BOTTOM,
        unless: SAYS_TOP,
        written: "%discards/deck/removed . 0",
        at: 0,
        instead: "$1[-1]",
        without: "",
        message: NOT_THE_TOP,
        help: TOP,
    },
    Phrase {
        says: SAYS_TOP,
        unless: SAYS_BOTTOM,
        written: "< - $u > @ $z",
        at: 0,
        instead: "<$1>@$2",
        without: "",
        message: "these are the bottom cards; the card's text says the top ones",
        help: PICKS,
    },
    Phrase {
        says: &["top # ?cards"],
        unless: &[
            "choose|search|any|choice|look|looks|reveal|reveals",
            "one|two|three of them|those",
        ],
        written: "< $u > * @ $z",
        at: 0,
        instead: "*<$1>@$2",
        without: "",
        message: "these are cards that somebody chooses; the card's text says the top ones",
        help: PICKS,
    },
    // Where what was looked at is put back (G216).
    Phrase {
        says: TOP_OR_BOTTOM,
        unless: &[],
        written: "prophecy ( $u , %bottom/top )",
        at: 2,
        instead: "prophecy($1)",
        without: "",
        message: "all cards are put back there; the card's text says the top or the bottom",
        help: PUT_BACK,
    },
    Phrase {
        says: &["look|looks at .. bottom ?of ?your|the|their|his|its ?deck in any order"],
        unless: TOP_OR_BOTTOM,
        written: "prophecy ( $u )",
        at: 0,
        instead: "prophecy($1, bottom)",
        without: "",
        message: "each card is put back on the top or the bottom; the card's text says the bottom",
        help: PUT_BACK,
    },
    Phrase {
        says: &[
            "look|looks at .. back on|to ?the|its|their top ?of ?your|the|their|his|its ?deck in any order",
        ],
        unless: &["bottom"],
        written: "prophecy ( $u )",
        at: 0,
        instead: "prophecy($1, top)",
        without: "",
        message: "each card is put back on the top or the bottom; the card's text says the top",
        help: PUT_BACK,
    },
    // Looked at, and then drawn (G216).
    Phrase {
        says: &["others|rest .. bottom", "put .. bottom .. take|put one"],
        unless: &["any order"],
        written: "prophecy ( $u , bottom ) ; %draw ( ?1 )",
        at: 2,
        instead: "moveTo(hand) from(<1>*<$1>@myDeck); moveTo(deck, -1) to(*s<$1-1>@myDeck)",
        without: "",
        message: DRAWS_UNSEEN,
        help: "`<1>*<3>@myDeck` lets you choose one of the top three; what is left of them is on top then",
    },
    Phrase {
        says: &[
            "look|looks at ?the top # ?cards .. take|takes|put|puts|draw|choose one",
            "look|looks at ?the top # ?cards .. your hand",
            "take|takes|put|draw one of them|those",
        ],
        unless: &["any order"],
        written: "prophecy ( $u ?, ?bottom/top ) ;/& %draw ( ?1 )",
        at: 2,
        instead: "",
        without: "",
        message: DRAWS_UNSEEN,
        help: "to take one of the top three: `moveTo(hand) from(<1>*<3>@myDeck)`",
    },
    // Kinds of cards among those counted (R1022).
    Phrase {
        says: EACH_CHARACTER,
        unless: OR_ANOTHER,
        written: "%sp/hp/bp ( ?+ %trashed/discarded/moved . size )",
        at: 2,
        instead: "each(char in $2 => $1(+1))",
        without: "",
        message: COUNTS_ALL,
        help: ALL_OF_THEM,
    },
    Phrase {
        says: EACH_ACTION,
        unless: OR_ANOTHER,
        written: "%sp/hp/bp ( ?+ %trashed/discarded/moved . size )",
        at: 2,
        instead: "each(action in $2 => $1(+1))",
        without: "",
        message: COUNTS_ALL,
        help: ALL_OF_THEM,
    },
    Phrase {
        says: EACH_REACTION,
        unless: OR_ANOTHER,
        written: "%sp/hp/bp ( ?+ %trashed/discarded/moved . size )",
        at: 2,
        instead: "each(reaction in $2 => $1(+1))",
        without: "",
        message: COUNTS_ALL,
        help: ALL_OF_THEM,
    },
    Phrase {
        says: EACH_CHARACTER,
        unless: OR_ANOTHER,
        written: "%sp/hp/bp/damage/loselife ( ?+ $u * %trashed/discarded/moved . size )",
        at: 3,
        instead: "each(char in $3 => $1($2))",
        without: "",
        message: COUNTS_ALL,
        help: ALL_OF_THEM,
    },
    Phrase {
        says: EACH_ACTION,
        unless: OR_ANOTHER,
        written: "%sp/hp/bp/damage/loselife ( ?+ $u * %trashed/discarded/moved . size )",
        at: 3,
        instead: "each(action in $3 => $1($2))",
        without: "",
        message: COUNTS_ALL,
        help: ALL_OF_THEM,
    },
    Phrase {
        says: CHARACTERS_IN,
        unless: OR_ANOTHER,
        written: "me . %discards/hand/removed . size",
        at: 0,
        instead: "getTargets('characters@my$^1').size",
        without: "",
        message: COUNTS_ALL,
        help: OF_PILE,
    },
    Phrase {
        says: CHARACTERS_IN,
        unless: OR_ANOTHER,
        written: "opp . %discards/removed . size",
        at: 0,
        instead: "getTargets('characters@opp$^1').size",
        without: "",
        message: COUNTS_ALL,
        help: OF_PILE,
    },
    Phrase {
        says: ACTIONS_IN,
        unless: OR_ANOTHER,
        written: "me . %discards/hand/removed . size",
        at: 0,
        instead: "getTargets('actions@my$^1').size",
        without: "",
        message: COUNTS_ALL,
        help: OF_PILE,
    },
    Phrase {
        says: REACTIONS_IN,
        unless: OR_ANOTHER,
        written: "me . %discards/hand/removed . size",
        at: 0,
        instead: "getTargets('reactions@my$^1').size",
        without: "",
        message: COUNTS_ALL,
        help: OF_PILE,
    },
    // The only one in the ring, or the only attacker (R908).
    Phrase {
        says: &[
            "attack|attacks|attacking alone|solo",
            "attack|attacks|attacking by itself",
        ],
        unless: &["alone in", "while ?it ?is alone"],
        written: "alone",
        at: 0,
        instead: "soloAttack",
        without: "",
        message: "`alone` is the only character in its ring; the card's text says that it attacks alone",
        help: "`soloAttack` asks whether this is the only attacker",
    },
    // Loss and damage (R620), the hand and the deck (R621).
    Phrase {
        says: &["deal|deals|take|takes|dealt # ?more damage"],
        unless: &["lose|loses # hp"],
        written: "loselife ( $u )",
        at: 0,
        instead: "damage($1)",
        without: "",
        message: "this is a loss of HP, which nothing prevents and no event of damage hears; \
                  the card's text says damage",
        help: "`damage(300) to(opp)` deals damage to a player, or to characters",
    },
    Phrase {
        says: &["deal|deals|take|takes|dealt # ?more damage"],
        unless: &["lose|loses # hp"],
        written: "hp ( - $u ) to ( opp )",
        at: 0,
        instead: "damage($1) to(opp)",
        without: "",
        message: "this is a loss of HP, which nothing prevents and no event of damage hears; \
                  the card's text says damage",
        help: "`damage(300) to(opp)` deals damage to a player, or to characters",
    },
    Phrase {
        says: &["top # ?cards ?of .. deck"],
        unless: FROM_HAND,
        written: "discard ( $u )",
        at: 0,
        instead: "trash($1)",
        without: "",
        message: FROM_THE_HAND,
        help: "`trash(3)` puts the top three cards of the deck into the discard pile",
    },
    Phrase {
        says: &["top card of .. deck"],
        unless: FROM_HAND,
        written: "discard ( ?1 )",
        at: 0,
        instead: "trash(1)",
        without: "",
        message: FROM_THE_HAND,
        help: "`trash(1)` puts the top card of the deck into the discard pile",
    },
    // Both, not one of the two (R208).
    Phrase {
        says: &[
            "opponent and ?to ?an|one|each|all|the .. character|characters",
            "character|characters and ?to ?the|your opponent",
        ],
        unless: &["or ?to the|an|a|one|to|your|another", "choose one"],
        written: "to ( $t , $t )",
        at: 0,
        instead: "to($1; $2)",
        without: "",
        message: "one of the two is chosen here; the card's text says both",
        help: BOTH,
    },
    // For each player, not for the card's own alone (R602).
    Phrase {
        says: EACH_PLAYER,
        unless: &["turn|phase"],
        written: "%draw/discard/rnddiscard/trash/loselife ( ) $",
        at: 0,
        instead: "$1() to(players)",
        without: "to",
        message: FOR_YOU_ALONE,
        help: "`to(players)` is both players, each for their own hand and deck",
    },
    Phrase {
        says: EACH_PLAYER,
        unless: &["turn|phase"],
        written: "%draw/discard/rnddiscard/trash/loselife ( $n ) $",
        at: 0,
        instead: "$1($2) to(players)",
        without: "to",
        message: FOR_YOU_ALONE,
        help: "`to(players)` is both players, each for their own hand and deck",
    },
    // One of two conditions, or both (R214).
    Phrase {
        says: &[
            "frozen|fresh|attacking|countering|blocking ?enemy|opposing|of ?* character|characters with # bp",
            "character|characters with # bp .. \
             that|who|which is|are frozen|fresh|attacking|countering|blocking",
            "that|who|which is|are frozen|fresh|attacking|countering|blocking and has|have # bp",
            "that|who|which has|have # bp ?or ?more ?less \
             and is|are frozen|fresh|attacking|countering|blocking",
        ],
        unless: &["or with|frozen|fresh|attacking|countering|blocking|one|a|an"],
        written: "[ %frozen/fresh/attack/uattack/block , bp $o $u ]",
        at: 0,
        instead: "[$1 & bp $2 $3]",
        without: "",
        message: "a comma finds cards with one of the two; the card's text says both",
        help: "in brackets `,` is or, and `&` is and",
    },
    // Abilities whose word says more than they do (10.1 of the language).
    Phrase {
        says: &[
            "cannot|can't be ?ever frozen",
            "can not|never be frozen",
            "never|cannot|can't freeze|freezes",
            "is never frozen",
            "immune to freezing",
        ],
        unless: &["attack|attacks|attacking|attacked"],
        written: "unfreezable",
        at: 0,
        instead: "",
        without: "",
        message: "`unfreezable` only keeps it from freezing because it attacked alone; \
                  the card's text says that it cannot be frozen",
        help: "nothing keeps effects from freezing a character: \
               print \u{201c}does not freeze after attacking alone\u{201d}",
    },
    Phrase {
        says: &[
            "cannot|can't be countered|counter-attacked|blocked by ?enemy characters with|that|whose|of",
            "can be countered|counter-attacked|blocked only by",
            "only characters with|that|of .. can counter|block|counter-attack ?it|this",
        ],
        unless: &[],
        written: "abilities = unblockable $",
        at: 0,
        instead: "",
        without: "",
        message: "with `unblockable` nobody can counter it; the card's text says who can",
        help: "ask for each blocker: `auto = ?oppCanBlock:this? [[if blocker.bp >= 600]]` \
               lets those with 600 BP or more counter it",
    },
    Phrase {
        says: &["freeze|freezes|frozen"],
        unless: &["unfreeze|unfreezes|unfrozen|stay|stays|keeps|remain|remains|frozen"],
        written: "+ frosted",
        at: 0,
        instead: "freeze()",
        without: "freeze",
        message: "`frosted` freezes nobody: it keeps a frozen character from unfreezing",
        help: "to freeze is `freeze()`; `freeze() & +frosted oppUeot` lasts through the next Activate phase",
    },
    // For whom a rule of the game changes (R631).
    Phrase {
        says: &[
            "opponent|opponents|opponent's|enemy .. cannot|can't|may play|attack|counter|use|back|activate",
            "opponent|enemy|enemies cannot|can't",
            "opponent's|enemy characters|cards|actions|reactions cannot|can't",
        ],
        unless: &[
            "both players",
            "nobody|neither",
            "no player|one|character|characters",
            "you cannot|can't",
            "each|every player",
            "players cannot",
        ],
        written: "%modrule/disablerule/enablerule ( $x )",
        at: 0,
        instead: "$1($2) to(opp)",
        without: "to",
        message: "without `to` this holds for both players; the card's text says the opponent",
        help: "`to(opp)` changes the rule for the opponent alone, `to(me)` for you",
    },
    // What the opponent cannot give (R1010).
    Phrase {
        says: &[
            "up to # sp",
            "as many|much ?sp",
            "that many|much ?sp",
            "same amount",
            "as many .. possible",
        ],
        unless: &[],
        written: "sp ( - $u ) to ( opp ) %;/& %sp ( ?+ $u ) ?to ?( ?me ?)",
        at: 3,
        instead: "sp(-$1) to(opp); [[if oppLostSP]] sp(opp.lostSP) to(me)",
        without: "",
        message: "you gain this whatever the opponent had to lose; the card's text says as many as that",
        help: "`opp.lostSP` is what the opponent has lost, and `oppLostSP` asks whether it was anything",
    },
    // Who receives the ability (R510).
    Phrase {
        says: &[
            "copy|copies ?the|an .. ability|abilities",
            "gain|gains|get|gets|has|have the .. ability|abilities of",
            "gain|gains|get|gets a copy of .. ability",
            "learns|takes on the .. ability",
        ],
        unless: &["gets|gains|receives|has this character's|card's|ability"],
        written: "copyability ( %this ) to ( $t )",
        at: 0,
        instead: "copyAbility(getTargets('$2').0) to(this)",
        without: "",
        message: "who stands in `to(…)` gets the copy, and it is of this card's ability; \
                  the card's text says the other way round",
        help: "in the brackets stands whose ability it is, in `to(…)` who gets a copy",
    },
];

/// All phrases, ready to be looked up.
struct PhraseTable {
    wordings: Vec<Wording>,
    words: PatternWords,
    /// The rows that a rule with one of these words may fit, each row by one word or more.
    by_word: Vec<(Finder<'static>, Vec<usize>)>,
    /// The rows that fit without any word.
    always: Vec<usize>,
}

impl PhraseTable {
    fn get() -> &'static PhraseTable {
        static ALL: OnceLock<PhraseTable> = OnceLock::new();
        ALL.get_or_init(PhraseTable::new)
    }

    fn new() -> PhraseTable {
        let mut words = PatternWords::default();
        let wording = |phrase: &Phrase| Wording::new(1, phrase.written, phrase.instead, &mut words);
        let wordings = PHRASES.iter().map(wording).collect();
        let mut by_word: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        let mut always = Vec::new();
        for (row, phrase) in PHRASES.iter().enumerate() {
            let needed = phrase.needed_words();
            if needed.is_empty() {
                always.push(row);
            }
            for word in needed {
                by_word.entry(word).or_default().push(row);
            }
        }
        let by_word = by_word.into_iter();
        PhraseTable {
            wordings,
            words,
            by_word: by_word.map(|(word, rows)| (Finder::new(word), rows)).collect(),
            always,
        }
    }

    /// The rows that may fit a rule in lower case, in their order.
    fn candidates(&self, rule: &str) -> Vec<usize> {
        let mut rows = self.always.clone();
        for (word, more) in &self.by_word {
            if word.find(rule.as_bytes()).is_some() {
                rows.extend(more);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Looks the rule up in the table.
pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    // Of several choices nobody knows which one the words are about.
    if lints.keys.actions > 1 {
        return;
    }
    let (table, rule) = (PhraseTable::get(), lints.lower);
    let has_word = |wanted: &str| {
        let mut words = rule.split(|letter: char| !letter.is_alphanumeric());
        !wanted.is_empty() && words.any(|word| word == wanted)
    };
    let is_said = |phrase: &Phrase| {
        said.says_one(phrase.says) && !said.says_one(phrase.unless) && !has_word(phrase.without)
    };
    let mut rows = table.candidates(rule);
    rows.retain(|row| is_said(&PHRASES[*row]));
    if rows.is_empty() {
        return;
    }
    for property in lints.rule.properties {
        if matches!(property.value, PropertyValueSyntax::Label(_)) {
            continue;
        }
        let end = (property.text.span.end as usize).max(property.key.span.end as usize);
        let line = Span::new(property.key.span.start as usize, end);
        look_up(lints, table, line, &rows);
    }
}

fn look_up(lints: &mut Lints<'_, '_>, table: &PhraseTable, at: Span, rows: &[usize]) {
    let text = &lints.text[at.range()];
    let tokens = tokens(text);
    let line = Line::new(text, &tokens, lints.names, &table.words);
    for (phrase, wording) in rows.iter().map(|row| (&PHRASES[*row], &table.wordings[*row])) {
        let Some((all, place, instead)) = wording.find(&line, phrase.at) else {
            continue;
        };
        let start = at.start as usize;
        let place = Span::new(start + place.start, start + place.end);
        let instead = one_less(instead);
        if phrase.instead.is_empty() {
            lints.help(rs::RS093, place, phrase.message, phrase.help);
        } else {
            let title = format!("write `{instead}`");
            let all = Span::new(start + all.start, start + all.end);
            let edits = [(all, instead.as_str())];
            lints.fix(rs::RS093, place, phrase.message, title, &edits).help = Some(phrase.help.to_owned());
        }
        return;
    }
}

/// With `<3-1>` computed.
fn one_less(text: String) -> String {
    let Some(end) = text.find("-1>") else { return text };
    let from = text[..end].rfind('<').map_or(end, |at| at + 1);
    match text[from..end].parse::<u32>() {
        Ok(count) => format!("{}{}{}", &text[..from], count.saturating_sub(1), &text[end + 2..]),
        Err(_) => text,
    }
}
