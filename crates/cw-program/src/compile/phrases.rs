//! Words of other games and of everyday speech, and the sentence of the book that says what is meant.

/// Words in lower case, and the sentence for all of them.
type Phrases = &'static [(&'static [&'static str], &'static str)];

/// Of commands.
const COMMANDS: Phrases = &[
    (
        &["search", "tutor", "find", "fetch", "lookfor", "take"],
        "cards are taken out of a deck by `moveTo(hand) from(character@deck) & shuffle()`",
    ),
    (
        &["random", "choose", "choice", "either", "select"],
        "what is chosen stands in the target: `<2>character` the player chooses, `<r>character` is drawn; \
         `[[if flipCoin()]] … [[else]] …` leaves it to a coin",
    ),
    (
        &["copy", "clone"],
        "`copyAbility(card)` copies an ability, `transform(model)` a card",
    ),
    (
        &["gaincontrol", "takecontrol", "control", "capture"],
        "a character stays with its player; `steal()` takes its ability, `moveTo(removed)` the card",
    ),
    (
        &["heal", "gainlife", "gainhp", "addhp", "recover", "life"],
        "HP are given by `hp(+300)`",
    ),
    (
        &["losehp", "paylife", "payhp", "drain"],
        "HP are taken by `hp(-300)`, or by `damage(300)`",
    ),
    (
        &["gainsp", "addsp", "losesp", "pay", "mana"],
        "SP are given and taken by `sp(+3)` and `sp(-3)`",
    ),
    (
        &[
            "buff",
            "boost",
            "pump",
            "power",
            "strengthen",
            "addbp",
            "gainbp",
            "losebp",
            "weaken",
        ],
        "BP are changed by `bp(+100) to(this)`, with `ueot` behind it until the end of the turn",
    ),
    (&["mill"], "cards go from the deck to the discards by `trash(n)`"),
    (
        &["kill", "ko", "destroyed", "remove", "defeat"],
        "a character is destroyed by `destroy() to(character@oppRing)`",
    ),
    (
        &["exile", "banish", "removefromgame"],
        "a card leaves the game by `moveTo(removed)`",
    ),
    (
        &["bounce", "return", "returntohand", "tohand"],
        "a card returns to the hand by `moveTo(hand)`",
    ),
    (
        &["tap", "exhaust", "rest", "stun"],
        "a character is frozen by `freeze()`",
    ),
    (
        &["untap", "ready", "refresh", "unexhaust", "thaw"],
        "a character is unfrozen by `unfreeze()`",
    ),
    (
        &["scry", "look", "lookat", "see", "show"],
        "`peek()` looks at cards, `prophecy(n)` orders the top of a deck, `reveal()` shows cards to both",
    ),
    (
        &["sacrifice", "sac"],
        "a card sacrifices itself as a cost: `{S}: draw(1)`; others are destroyed by `destroy()`",
    ),
    (
        &["summon", "play", "put", "deploy", "enter"],
        "a character comes back to its ring by `moveToSlot()`",
    ),
    (
        &["give", "gain", "grant", "addability", "ability"],
        "abilities are given by `+rush to(character@myRing)`, and taken by `-rush`",
    ),
    (
        &["for", "foreach", "repeat", "loop", "forall"],
        "an effect is repeated by `each(card in me.ring => draw(1))`",
    ),
    (
        &["block", "cantblock", "cantattack", "unblockable"],
        "abilities are given by `+cantblock to(character@oppRing)`",
    ),
    (
        &["count", "size", "number"],
        "a number of cards is `me.ring.size`, or `getTargets('character[frozen]').size`",
    ),
];

/// Of events.
const EVENTS: Phrases = &[
    (
        &[
            "turn",
            "startturn",
            "turnstart",
            "beginturn",
            "begin",
            "start",
            "upkeep",
            "startphase",
            "beginphase",
            "mainphase",
            "attackphase",
        ],
        "a turn begins with `activatePhase`, and ends with `endPhase`",
    ),
    (
        &[
            "destroyed",
            "dies",
            "die",
            "death",
            "killed",
            "kill",
            "kod",
            "ko",
            "defeated",
            "sacrificed",
            "leaves",
            "leave",
        ],
        "`leavesRing` is when this character leaves the ring, whatever the reason",
    ),
    (
        &[
            "damaged",
            "damage",
            "damages",
            "dealsdamage",
            "hit",
            "hits",
            "combatdamage",
            "directdamage",
        ],
        "`playerCombatDamaged` is when this attacker has hurt the player, `beforeDamage` when another card does",
    ),
    (
        &["draw", "draws", "drawn", "drawcard"],
        "`drawPhase` is after the draw of the turn, `handChanges` when a card comes to the hand or leaves it",
    ),
    (
        &["discarded", "discard", "discards"],
        "`handChanges` is when a card comes to the hand or leaves it",
    ),
    (
        &[
            "frozen",
            "freeze",
            "freezes",
            "unfreeze",
            "unfrozen",
            "always",
            "passive",
            "continuous",
        ],
        "what holds all the time has no event: `auto = [[if alone]] +rush`",
    ),
];

/// Of what stands where a type does.
const TYPES: Phrases = &[
    (
        &["any", "anything", "anyone", "one"],
        "`character` lets the player choose a character, `player` one of the two players, `*` any card",
    ),
    (
        &[
            "target", "targets", "chosen", "selected", "it", "them", "that", "first", "second",
        ],
        "an effect without `to` takes what stands in `target =`; `to(tgt.0)` names the first of it",
    ),
    (
        &[
            "allies",
            "ally",
            "friends",
            "friend",
            "friendly",
            "mine",
            "my characters",
            "my character",
            "friendly characters",
            "friendly character",
            "characters of mine",
            "own characters",
            "your characters",
        ],
        "your own are `character@myRing`, all of them `characters@myRing`",
    ),
    (
        &[
            "enemies",
            "foes",
            "enemy characters",
            "enemy character",
            "opposing character",
            "opposing characters",
            "opp characters",
            "opp character",
            "rivals",
        ],
        "the opponent's are `character@oppRing`, all of them `characters@oppRing`",
    ),
    (&["card", "cards"], "`*` is any card, `*s` all of them"),
    (
        &["everything"],
        "`*s` is every card, `characters` every character",
    ),
    (
        &[
            "unit",
            "creature",
            "minion",
            "monster",
            "units",
            "creatures",
            "minions",
            "monsters",
        ],
        "what fights is a `character`",
    ),
    (
        &["spell", "event", "spells", "events", "item"],
        "what is played and discarded is an `action` or a `reaction`",
    ),
    (
        &["hand", "deck", "discards", "ring", "graveyard", "discard pile"],
        "where cards are stands behind `@`: `*@oppHand`",
    ),
];

/// Of what a filter compares, or names.
const FILTERS: Phrases = &[
    (
        &["cost", "costs", "price", "mana"],
        "a cost is a negative SP: `sp >= -3` is a cost of 3 or less",
    ),
    (
        &["power", "strength", "attack", "atk"],
        "the strength of a character is its `bp`",
    ),
    (
        &["hp", "health", "life"],
        "HP are a player's: `[[if opp.hp < 500]]`; a character has `bp`",
    ),
    (
        &["subtype", "type", "kind", "school", "class", "race", "is"],
        "a type or subtype stands alone: `character[warrior]`",
    ),
    (
        &["name", "id", "title"],
        "a card is named by its name in double quotes, in the place of the type: `\"Crumb\"@deck`",
    ),
    (
        &["this", "self", "other", "another"],
        "a card leaves itself out by `^` before the type: `^characters@myRing`",
    ),
    (&["tapped", "exhausted"], "it is called `frozen`"),
    (
        &["untapped", "ready", "unfrozen"],
        "what is not frozen is `-frozen`",
    ),
];

/// Of what stands behind a dot.
const ATTRIBUTES: Phrases = &[
    (
        &[
            "frozen",
            "fresh",
            "attack",
            "attacking",
            "block",
            "blocking",
            "blocked",
            "backedup",
            "powerful",
            "powerless",
            "uattack",
            "tapped",
        ],
        "this is asked by a filter: `getTargets('this[frozen]')`",
    ),
    (
        &["cost", "price", "mana"],
        "a cost is a negative SP: `tgt.0.sp <= -3` is a cost of 3 or more",
    ),
    (
        &["power", "strength", "atk"],
        "the strength of a character is its `.bp`",
    ),
    (
        &["cards", "characters"],
        "a player's cards are `.hand`, `.deck`, `.discards`, `.removed` and `.ring`",
    ),
    (
        &["length", "count", "number", "len"],
        "how many there are is `.size`",
    ),
    (
        &["graveyard", "discard", "trash"],
        "a player's discard pile is `.discards`",
    ),
    (&["player"], "whose a card is: `.controller`, or `.owner`"),
];

/// Of what stands alone in an expression.
const NAMES: Phrases = &[
    (
        &["bp"],
        "whose BP? `this.bp` is the card's own, `trigger.bp` the event's",
    ),
    (
        &["heads", "tails"],
        "`flipCoin()` is true for heads: `[[if flipCoin()]]`",
    ),
    (
        &["hp", "sp", "life"],
        "whose? `me.hp` and `me.sp` are your own, `opp.hp` and `opp.sp` the opponent's",
    ),
    (
        &[
            "hand",
            "deck",
            "discards",
            "ring",
            "removed",
            "myhand",
            "mydeck",
            "mydiscards",
            "myring",
            "myremoved",
            "cards",
            "characters",
        ],
        "whose? `me.hand` is your own, `opp.hand` the opponent's; its size is `me.hand.size`",
    ),
    (
        &["opphand", "oppdeck", "oppdiscards", "oppring", "oppremoved"],
        "the opponent's cards are `opp.hand`, `opp.ring` and so on; their number is `opp.ring.size`",
    ),
    (
        &["target", "targets", "it", "that"],
        "the targets are the list `tgt`, the first of them is `tgt.0`",
    ),
    (&["self", "card"], "the card whose rule this is: `this`"),
    (
        &["turn", "turns", "round", "myturn", "oppturn", "phase"],
        "no rule knows the number of the turn; whose turn it is stands in the event, as `~myEndPhase~` and `~oppEndPhase~`",
    ),
    (
        &["empty", "none", "nothing", "null"],
        "that there are none is `opp.ring.size == 0`",
    ),
    (
        &["random", "dice", "coin", "roll"],
        "chance is `flipCoin()`: `[[if flipCoin()]]`",
    ),
    (
        &["frozen", "fresh", "attacking", "blocking", "blocked"],
        "this is asked by a filter: `getTargets('this[frozen]')`",
    ),
];

fn meant(phrases: Phrases, word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut known = phrases.iter();
    known
        .find(|(words, _)| words.contains(&word.as_str()))
        .map(|(_, sentence)| *sentence)
}

pub(super) fn of_command(word: &str) -> Option<&'static str> {
    meant(COMMANDS, word)
}

/// Of an event, with or without its prefix.
pub(super) fn of_event(word: &str) -> Option<&'static str> {
    meant(EVENTS, word)
}

pub(super) fn of_type(word: &str) -> Option<&'static str> {
    let is_joined = [" and ", " or "].iter().any(|joiner| word.contains(joiner));
    meant(TYPES, word).or(is_joined.then_some(
        "one of several, as the player chooses, is `opp, character`; all of them are `opp; character`",
    ))
}

pub(super) fn of_filter(word: &str) -> Option<&'static str> {
    let is_joined = [" and ", " or "].iter().any(|joiner| word.contains(joiner));
    meant(FILTERS, word).or(is_joined.then_some("filters are joined by `&`, and alternatives by `,`"))
}

pub(super) fn of_attribute(word: &str) -> Option<&'static str> {
    meant(ATTRIBUTES, word)
}

pub(super) fn of_name(word: &str) -> Option<&'static str> {
    meant(NAMES, word)
}
