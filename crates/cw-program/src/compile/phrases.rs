//! Words of other games and of everyday speech, and the sentence of the book that says what is meant.

/// Words in lower case with commas between, and the sentence for all of them.
type Phrases = &'static [(&'static str, &'static str)];

/// Of commands.
const COMMANDS: Phrases = &[
    (
        "search, tutor, find, fetch, lookfor, take",
        "to take cards out of a deck, write `moveTo(hand) from(character@deck) & shuffle()`",
    ),
    (
        "random, choose, choice, either, select",
        "write what is chosen in the target: the player chooses `<2>character`, and `<r>character` is \
         random; `[[if flipCoin()]] … [[else]] …` leaves it to a coin",
    ),
    (
        "copy, clone",
        "`copyAbility(card)` copies an ability, `transform(model)` a card",
    ),
    (
        "gaincontrol, takecontrol, control, capture",
        "a character stays with its player; `steal()` takes its ability, `moveTo(removed)` the card",
    ),
    (
        "heal, gainlife, gainhp, addhp, recover, life",
        "to give HP, write `hp(+300)`",
    ),
    (
        "losehp, paylife, payhp, drain",
        "to take HP, write `hp(-300)` or `damage(300)`",
    ),
    (
        "gainsp, addsp, losesp, pay, mana",
        "to give or take SP, write `sp(+3)` or `sp(-3)`",
    ),
    (
        "buff, boost, pump, power, strengthen, addbp, gainbp, losebp, weaken",
        "to change BP, write `bp(+100) to(this)`, with `ueot` after it for “until the end of the turn”",
    ),
    (
        "mill",
        "to put cards from the deck into the discards, write `trash(n)`",
    ),
    (
        "kill, ko, destroyed, remove, defeat",
        "to destroy a character, write `destroy() to(character@oppRing)`",
    ),
    (
        "exile, banish, removefromgame",
        "to remove a card from the game, write `moveTo(removed)`",
    ),
    (
        "bounce, return, returntohand, tohand",
        "to return a card to the hand, write `moveTo(hand)`",
    ),
    (
        "tap, exhaust, rest, stun",
        "to freeze a character, write `freeze()`",
    ),
    (
        "untap, ready, refresh, unexhaust, thaw",
        "to unfreeze a character, write `unfreeze()`",
    ),
    (
        "scry, look, lookat, see, show",
        "`peek()` looks at cards, `prophecy(n)` orders the top of a deck, `reveal()` shows cards to both",
    ),
    (
        "sacrifice, sac",
        "to sacrifice this card as a cost, write `{S}: draw(1)`; to destroy others, `destroy()`",
    ),
    (
        "summon, play, put, deploy, enter",
        "to bring a character back to its ring, write `moveToSlot()`",
    ),
    (
        "give, gain, grant, addability, ability",
        "to give an ability, write `+rush to(character@myRing)`; to take it, `-rush`",
    ),
    (
        "for, foreach, repeat, loop, forall",
        "to repeat an effect, write `each(card in me.ring => draw(1))`",
    ),
    (
        "block, cantblock, cantattack, unblockable",
        "to give an ability, write `+cantblock to(character@oppRing)`",
    ),
    (
        "count, size, number",
        "a number of cards is `me.ring.size`, or `getTargets('character[frozen]').size`",
    ),
];

/// Of abilities.
const ABILITIES: Phrases = &[
    (
        "haste, charge, swift, quick, fast, ambush, blitz",
        "a character that may attack at once has `rush`",
    ),
    (
        "flying, flight, stealth, evasion, evasive, unblocked, fear, shadow, elusive",
        "a character that cannot be countered has `unblockable`",
    ),
    (
        "trample, breakthrough, overrun, penetrate, overwhelm",
        "a character whose excess damage hits the player has `pierce`",
    ),
    (
        "defender, wall, passive, pacifist, noattack, disarmed",
        "a character that does not attack has `cantattack`",
    ),
    (
        "vigilance, vigilant, alert, tireless",
        "a character that does not freeze by attacking has `unfreezable`",
    ),
    (
        "frozen, freeze, stun, stunned, tapped, sleep, asleep",
        "to freeze a character, write `freeze()`; to keep it frozen, `+frosted`",
    ),
    (
        "silence, silenced, powerless, blank",
        "to take a character's ability away, write `loseAbility()`",
    ),
];

/// Of events.
const EVENTS: Phrases = &[
    (
        "counterattackphase, counterphase, counteringphase, blockingphase, blockersphase, \
         defensephase, defencephase, defendphase",
        "the Counter-attack phase is `blockPhase`: \
         `~myBlockPhase~` in your turn, `~oppBlockPhase~` in the opponent's",
    ),
    (
        "turn, startturn, turnstart, beginturn, begin, start, upkeep, startphase, beginphase, \
         mainphase, attackphase, startofturn, beginningofturn, turnbegin, turnbegins, turnstarts, \
         newturn, nextturn, eachturn, everyturn, endofturn, endturn, turnend, turnends, turnended, \
         endstep, eot",
        "a turn begins with `activatePhase`, and ends with `endPhase`",
    ),
    (
        "destroyed, dies, die, death, killed, kill, kod, ko, defeated, sacrificed, leaves, leave",
        "`leavesRing` is when this character leaves the ring, whatever the reason",
    ),
    (
        "damaged, damage, damages, dealsdamage, hit, hits, combatdamage, directdamage",
        "`playerCombatDamaged` is when this attacker has hurt the player, \
         `beforeDamage` when another card does",
    ),
    (
        "draw, draws, drawn, drawcard",
        "`drawPhase` is after the draw of the turn, `handChanges` when a card comes to the hand or leaves it",
    ),
    (
        "discarded, discard, discards",
        "`handChanges` is when a card comes to the hand or leaves it",
    ),
    (
        "frozen, freeze, freezes, unfreeze, unfrozen, always, passive, continuous",
        "an effect that always holds has no event: `auto = [[if alone]] +rush`",
    ),
];

/// Of what stands where a type does.
const TYPES: Phrases = &[
    (
        "any, anything, anyone, one",
        "`character` lets the player choose a character, `player` one of the two players, `*` any card",
    ),
    (
        "target, targets, tgts, chosen, selected, it, them, that, first, second",
        "an effect without `to` takes what is in `target =`; `to(tgt.0)` names the first of it",
    ),
    (
        "allies, ally, friends, friend, friendly, mine, my characters, my character, \
         friendly characters, friendly character, characters of mine, own characters, your characters",
        "one of your own is `character@myRing`, all of them `characters@myRing`",
    ),
    (
        "enemies, foes, enemy characters, enemy character, opposing character, opposing characters, \
         opp characters, opp character, rivals, enemy, foe",
        "the opponent is `opp`; one of the opponent's characters is `character@oppRing`, \
         all of them `characters@oppRing`",
    ),
    ("card, cards", "`*` is any card, `*s` all of them"),
    ("everything", "`*s` is every card, `characters` every character"),
    (
        "unit, creature, minion, monster, units, creatures, minions, monsters",
        "what fights is a `character`",
    ),
    (
        "spell, event, spells, events, item",
        "what is played and discarded is an `action` or a `reaction`",
    ),
    (
        "hand, deck, discards, ring, graveyard, discard pile",
        "write where cards are after `@`: `*@oppHand`; a pile itself goes in the brackets: `shuffle(deck)`",
    ),
];

/// Of what a filter compares, or names.
const FILTERS: Phrases = &[
    (
        "cost, costs, price, mana",
        "a cost is a negative SP: `sp >= -3` is a cost of 3 or less",
    ),
    (
        "power, strength, attack, atk",
        "the strength of a character is its `bp`",
    ),
    (
        "hp, health, life",
        "only players have HP: `[[if opp.hp < 500]]`; a character has `bp`",
    ),
    (
        "subtype, type, kind, school, class, race, is",
        "write a type or subtype alone: `character[warrior]`",
    ),
    (
        "name, id, title",
        "to name a card, write its name in double quotes in place of the type: `\"Crumb\"@deck`",
    ),
    (
        "this, self, other, another",
        "to leave out the card itself, write `^` before the type: `^characters@myRing`",
    ),
    (
        "owner, controller, player, side, ring, zone, in, hand",
        "write whose card it is, and where, after `@`: `character@oppRing`",
    ),
    (
        "highest, strongest, max bp, highest bp",
        "to find the highest, use an expression: \
         `vars = _best := [one for one in opp.ring if one.bp == max([two.bp for two in opp.ring])]`, \
         and then `to(_best)`",
    ),
    (
        "lowest, weakest, lowest bp, least bp, min bp",
        "to find the lowest, write `character[bp:lowest]`",
    ),
    (
        "ability, abilities, keyword",
        "to ask whether there is an ability, use `powerful` and `powerless`",
    ),
    ("tapped, exhausted", "it is called `frozen`"),
    ("untapped, ready, unfrozen", "for “not frozen”, write `-frozen`"),
];

/// Of what stands behind a dot.
const ATTRIBUTES: Phrases = &[
    (
        "frozen, fresh, attack, attacking, attacks, block, blocking, blocks, blocked, backedup, \
         backup, powerful, powerless, uattack, tapped, untapped, ready, exhausted",
        "use a filter to ask this: `getTargets('this[frozen]')`",
    ),
    (
        "cost, costs, price, mana",
        "a cost is a negative SP: `tgt.0.sp <= -3` is a cost of 3 or more",
    ),
    (
        "power, strength, atk, attackpower, force",
        "the strength of a character is its `.bp`",
    ),
    (
        "life, lives, health, lifepoints, hitpoints, hps",
        "the life of a player is its `.hp`; a character has `.bp`",
    ),
    (
        "energy, skill, points, resources, sps",
        "what a player pays with is its `.sp`",
    ),
    (
        "cards, characters",
        "a player's cards are `.hand`, `.deck`, `.discards`, `.removed` and `.ring`",
    ),
    (
        "board, field, battlefield, arena, play, inplay, creatures, units, team, table",
        "the characters of a player are `.ring`",
    ),
    (
        "length, count, number, len, total, amount",
        "how many there are is `.size`",
    ),
    ("empty, isempty", "for “none”, write `.size == 0`"),
    (
        "first, top, last, bottom",
        "elements have numbers: `.0` is the first, `[-1]` the last",
    ),
    (
        "graveyard, discard, trash, discardpile, grave, cemetery",
        "a player's discard pile is `.discards`",
    ),
    (
        "exile, exiled, banished, removedpile",
        "a player's removed pile is `.removed`",
    ),
    ("library, drawpile, stack, pile", "a player's deck is `.deck`"),
    (
        "contains, includes, include, contain, member",
        "to ask whether a card is among them, write `this in me.ring`",
    ),
    (
        "hasability, has_ability, haskeyword, hastype, hassubtype, hasname",
        "use a filter to ask this: `getTargets('this[warrior]')`, or of `.subtype`, `.name` and `.ability`",
    ),
    (
        "player, side, master",
        "whose a card is: `.controller`, or `.owner`",
    ),
    (
        "opponent, opp, enemy, other",
        "the players are `me` and `opp`; that a card is the opponent's is `.controller == opp`",
    ),
    (
        "school, class, race, kind, tribe, family, faction, subtypes",
        "what a character is: `.subtype == 'warrior'`",
    ),
    (
        "abilities, keywords, keyword, rush, pierce, unblockable",
        "the type of a card's ability is `.ability`, comparable with `instant`, `triggered` and `auto`",
    ),
    (
        "text, rules, rule, id, guid, rarity, cardname, title",
        "of what is printed on a card, rules know `.name`, `.type`, `.subtype`, `.bp` and `.sp`",
    ),
    (
        "damage, damaged, hurt",
        "whether a player took damage outside of combat this turn is `.ncDamaged`",
    ),
    (
        "zone, location, position, slot, place",
        "to ask where a card is, ask the list: `this in me.ring`",
    ),
    (
        "turn, turns, active, activeplayer",
        "the event says whose turn it is, as in `~myEndPhase~` and `~oppEndPhase~`",
    ),
];

/// Of what stands alone in an expression.
const NAMES: Phrases = &[
    (
        "bp",
        "whose BP? `this.bp` is the card's own, `trigger.bp` the event's",
    ),
    (
        "count, counter, length, number, size, numberof, amount",
        "the number of cards is `.size`, as `me.ring.size` and `getTargets('characters[frozen]').size`",
    ),
    (
        "x2, x3, x4, x5, x10",
        "only `bp` multiplies; to double a player's HP, write `hp(me.hp)`",
    ),
    (
        "all, half, double, twice, max, min, some, many, extra",
        "a number is written in digits, or computed: `me.ring.size`, `this.bp / 2`, `this.bp * 2`",
    ),
    (
        "heads, tails",
        "`flipCoin()` is true for heads: `[[if flipCoin()]]`",
    ),
    (
        "hp, sp, life",
        "whose? `me.hp` and `me.sp` are your own, `opp.hp` and `opp.sp` the opponent's",
    ),
    (
        "hand, deck, discards, ring, removed, myhand, mydeck, mydiscards, myring, myremoved, cards, \
         characters",
        "whose? `me.hand` is your own, `opp.hand` the opponent's; its size is `me.hand.size`",
    ),
    (
        "opphand, oppdeck, oppdiscards, oppring, oppremoved",
        "the opponent's cards are `opp.hand`, `opp.ring` and so on; their number is `opp.ring.size`",
    ),
    (
        "target, targets, it, that",
        "the targets are the list `tgt`, the first of them is `tgt.0`",
    ),
    ("self, card", "the card whose rule this is: `this`"),
    (
        "opponent, enemy, foe, opposition, rival, them, player2",
        "the other player is `opp`",
    ),
    (
        "rush, pierce, unblockable, cantblock, cantattack, frosted, unfreezable",
        "effects give and take abilities, as in `+rush to(this)`; no condition can ask for them",
    ),
    (
        "turn, turns, round, myturn, oppturn, phase",
        "rules do not know the number of the turn; \
         the event says whose turn it is, as in `~myEndPhase~` and `~oppEndPhase~`",
    ),
    ("empty, none, nothing", "for “none”, write `opp.ring.size == 0`"),
    (
        "null, undefined, void",
        "what does not exist is `nil`; for an empty list, write `opp.ring.size == 0`",
    ),
    (
        "yes, no, on, off",
        "a condition is `true` or `false` by itself: `[[if alone]]`, `[[if not alone]]`",
    ),
    (
        "math, floor, ceil, sqrt",
        "numbers have `+ - * / %`, `abs`, `min`, `max`, `round` and `sum`; `/` rounds down",
    ),
    (
        "owner, controller, player, active, activeplayer, you, your, my",
        "the players are `me` and `opp`; whose a card is: `this.controller`",
    ),
    (
        "attackers, blockers",
        "use a filter to ask for these: `getTargets('characters[attack]')`",
    ),
    (
        "random, rand, randint, randrange, random.randint, random.choice, randomint, randomnumber, \
         rnd, rng, dice, die, d4, d6, d10, d20, rolldice, rolldie, coin, roll, choice, choose, \
         shuffle, sample, chance",
        "there are no random numbers: chance is `flipCoin()`, as in `[[if flipCoin()]] damage(300) to(opp)`, \
         and cards are drawn by `<r>`, as in `to(<r>character@oppRing)` and `discard(<r2>)`",
    ),
    (
        "frozen, fresh, attacking, blocking, blocked",
        "use a filter to ask this: `getTargets('this[frozen]')`",
    ),
];

fn meant(phrases: Phrases, word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut known = phrases.iter();
    known
        .find(|(words, _)| words.split(", ").any(|known| known == word))
        .map(|(_, sentence)| *sentence)
}

pub(super) fn of_command(word: &str) -> Option<&'static str> {
    meant(COMMANDS, word)
}

/// Of an event, with or without its prefix.
pub(super) fn of_event(word: &str) -> Option<&'static str> {
    meant(EVENTS, word).or_else(|| meant(EVENTS, without_when(word)?))
}

/// An event without the word in front that other games give it: `onAttack`, `whenBlocked`.
pub(super) fn without_when(word: &str) -> Option<&str> {
    let mut words = ["whenever", "when", "on", "at", "after", "if", "is"].into_iter();
    words.find_map(|when| {
        let (first, rest) = word.split_at_checked(when.len())?;
        let rest = rest.trim_start_matches('_');
        (first.eq_ignore_ascii_case(when) && rest.len() > 2).then_some(rest)
    })
}

/// Of an ability.
pub(super) fn of_ability(word: &str) -> Option<&'static str> {
    meant(ABILITIES, word)
}

/// Words that compare in English.
const COMPARED: &[&str] = &[
    "less", "below", "under", "lower", "greater", "above", "over", "higher", "least", "than", "equal", "more",
];
const BY_SIGN: &str = "a filter compares with a sign: `character[bp <= 300]`, `character[sp >= 2]`";

/// The target that is meant by words of English in one, as `strongest character` or
/// `frozen character of opp`.
pub(super) fn of_words(name: &str) -> Option<String> {
    let words: Vec<&str> = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() < 2 {
        return None;
    }
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    if has(&["bp", "sp"]) && has(COMPARED) {
        return Some(BY_SIGN.to_owned());
    }
    if has(&[
        "strongest",
        "highest",
        "biggest",
        "largest",
        "best",
        "greatest",
        "most",
        "maximum",
        "max",
    ]) {
        return Some(
            "to find the strongest, use an expression: \
             `vars = _best := [one for one in opp.ring if one.bp == max([two.bp for two in opp.ring])]`, \
             and then `to(_best)`"
                .to_owned(),
        );
    }
    let side = if has(&[
        "enemy",
        "enemys",
        "opposing",
        "opponent",
        "opponents",
        "opp",
        "their",
        "foe",
    ]) {
        "@oppRing"
    } else if has(&["my", "own", "friendly", "allied", "ally", "mine", "your"]) {
        "@myRing"
    } else {
        ""
    };
    let filter = if has(&["weakest", "lowest", "smallest", "least"]) {
        "[bp:lowest]"
    } else if has(&["frozen", "tapped"]) {
        "[frozen]"
    } else if has(&["fresh", "new"]) {
        "[fresh]"
    } else if has(&["attacking"]) {
        "[attack]"
    } else if has(&["blocking", "countering"]) {
        "[block]"
    } else {
        ""
    };
    let other = if has(&["other", "another", "else", "except", "but"]) {
        "^"
    } else {
        ""
    };
    let random = if has(&["random"]) { "<r>" } else { "" };
    let is_many = has(&["characters", "all", "every", "each", "both"]);
    let what = match is_many && random.is_empty() {
        true => "characters",
        false => "character",
    };
    Some(format!(
        "a target is written `{random}{other}{what}{filter}{side}`: \
         a subtype stands in place of the type, or in the filter"
    ))
}

pub(super) fn of_type(word: &str) -> Option<&'static str> {
    let is_joined = [" and ", " or "].iter().any(|joiner| word.contains(joiner));
    meant(TYPES, word).or(is_joined.then_some(
        "one of several, as the player chooses, is `opp, character`; all of them are `opp; character`",
    ))
}

pub(super) fn of_filter(word: &str) -> Option<&'static str> {
    let is_joined = [" and ", " or "].iter().any(|joiner| word.contains(joiner));
    let is_compared = word.split(' ').any(|word| COMPARED.contains(&word));
    let by_sign = is_compared.then_some(BY_SIGN);
    meant(FILTERS, word)
        .or(by_sign)
        .or(is_joined.then_some("filters are joined by `&`, and alternatives by `,`"))
}

/// Of an attribute, also behind `is`, `get` and the like: `.isFrozen`, `.getHp`.
pub(super) fn of_attribute(word: &str) -> Option<String> {
    let sentence = |word: &str| meant(ATTRIBUTES, word).map(str::to_owned);
    let written = |word: &str| {
        let known = cw_formula::AttributeWord::find(&word.to_lowercase())?;
        Some(format!("it is called `.{}`", known.word))
    };
    sentence(word).or_else(|| {
        let mut prefixes = ["is_", "get_", "has_", "is", "get", "has", "num", "current", "my"].into_iter();
        prefixes.find_map(|prefix| {
            let rest = word.strip_prefix(prefix).filter(|rest| !rest.is_empty())?;
            written(rest).or_else(|| sentence(rest))
        })
    })
}

pub(super) fn of_name(word: &str) -> Option<&'static str> {
    meant(NAMES, word)
}
