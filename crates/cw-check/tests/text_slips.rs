//! Mistakes that the printed text gives away: what it says, and what the rule does instead. Beside each family stands
//! what is right.

use slips::Kind::{Action, Auto, Reaction, Triggered};
use slips::{silent, told};

mod slips;

/// Rows of the table of phrases: piles, kinds of cards, both or one, abilities, rules and whose ability (R206, R208,
/// R619, R624, R631, R1010, R1022).
#[test]
fn slips_of_phrases() {
    told(&[
        (
            Action,
            "Return the top card of your discard pile to your hand.",
            "action = moveTo(hand) to(me.discards[-1])",
            "RS093",
            "this is the bottom card",
            "action = moveTo(hand) to(me.discards.0)",
        ),
        (
            Action,
            "Shuffle the top card of the opponent's discard pile into their deck.",
            "action = moveTo(oppDeck) to(opp.discards[-1]) & shuffle(oppDeck)",
            "RS093",
            "this is the bottom card",
            "action = moveTo(oppDeck) to(opp.discards.0) & shuffle(oppDeck)",
        ),
        (
            Action,
            "Return the bottom card of your discard pile to your hand.",
            "action = moveTo(hand) to(me.discards.0)",
            "RS093",
            "this is the top card",
            "action = moveTo(hand) to(me.discards[-1])",
        ),
        (
            Action,
            "Remove the top two cards of the opponent's discard pile from the game.",
            "action = moveTo(ctrlRemoved) to(*<-2>@oppDiscards)",
            "RS093",
            "these are the bottom cards",
            "action = moveTo(ctrlRemoved) to(*<2>@oppDiscards)",
        ),
        (
            Triggered,
            "Look at the top three cards of your deck. Take one of them and put the others on the bottom of your deck.",
            "action = prophecy(3, bottom); draw()",
            "RS093",
            "nobody chooses it among the cards looked at",
            "",
        ),
        (
            Triggered,
            "Look at the top four cards of your deck and put one of them into your hand.",
            "action = prophecy(4, top) & draw(1)",
            "RS093",
            "nobody chooses it among the cards looked at",
            "",
        ),
        (
            Triggered,
            "Put the top three cards of your deck into your discard pile. Gain 1 SP for each character card among them.",
            "action = trash(3); sp(+trashed.size)",
            "RS093",
            "counts cards of all types",
            "action = trash(3); each(char in trashed => sp(+1))",
        ),
        (
            Action,
            "Discard your hand. The opponent loses 100 HP for every action card discarded.",
            "action = discard(*s); loseLife(100 * discarded.size) to(opp)",
            "RS093",
            "counts cards of all types",
            "action = discard(*s); each(action in discarded => loseLife(100)) to(opp)",
        ),
        (
            Action,
            "Gain 1 SP for each character card in your discard pile.",
            "action = sp(me.discards.size)",
            "RS093",
            "counts cards of all types",
            "action = sp(getTargets('characters@myDiscards').size)",
        ),
        (
            Action,
            "Deal 200 damage to the opponent and to one enemy character.",
            "action = damage(200) to(opp, character@oppRing)",
            "RS093",
            "says both",
            "action = damage(200) to(opp; character@oppRing)",
        ),
        (
            Auto,
            "Cannot be frozen.",
            "abilities = unfreezable",
            "RS093",
            "only keeps it from freezing because it attacked",
            "",
        ),
        (
            Auto,
            "Can be countered only by characters with 600 BP or more.",
            "abilities = unblockable",
            "RS093",
            "nobody can counter it",
            "",
        ),
        (
            Action,
            "An enemy character freezes.",
            "action = +frosted to(character@oppRing)",
            "RS093",
            "freezes nobody",
            "action = freeze() to(character@oppRing)",
        ),
        (
            Action,
            "Until your next turn, the opponent cannot play characters with 700 BP or more.",
            "action = modRule(play_char_bp_limit, 700) uynt",
            "RS093",
            "holds for both players",
            "action = modRule(play_char_bp_limit, 700) to(opp) uynt",
        ),
        (
            Action,
            "The opponent's characters cannot attack in their next turn.",
            "action = disableRule(attack) oppUeot",
            "RS093",
            "holds for both players",
            "action = disableRule(attack) to(opp) oppUeot",
        ),
        (
            Triggered,
            "Take up to 3 SP from the opponent.",
            "action = sp(-3) to(opp); sp(+3)",
            "RS093",
            "whatever the opponent had to lose",
            "action = sp(-3) to(opp); [[if oppLostSP]] sp(opp.lostSP) to(me)",
        ),
        (
            Triggered,
            "Copies the ability of an enemy character.",
            "action = copyAbility(this) to(character@oppRing)",
            "RS093",
            "the other way round",
            "action = copyAbility(getTargets('character@oppRing').0) to(this)",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_slips_of_phrases() {
    silent(&[
        (
            Action,
            "Return the bottom card of your discard pile to your hand.",
            "action = moveTo(hand) to(me.discards[-1])",
        ),
        (
            Action,
            "Return the top card of your discard pile to your hand.",
            "action = moveTo(hand) to(me.discards.0)",
        ),
        (
            Action,
            "Remove the bottom two cards of the opponent's discard pile from the game.",
            "action = moveTo(ctrlRemoved) to(*<-2>@oppDiscards)",
        ),
        (
            Triggered,
            "Look at the top three cards of your deck and put them back in any order. Then draw a card.",
            "action = prophecy(3, top); draw()",
        ),
        (
            Triggered,
            "Put the top three cards of your deck into your discard pile. Gain 1 SP for each of them.",
            "action = trash(3); sp(+trashed.size)",
        ),
        (
            Action,
            "Gain 1 SP for each card in your discard pile.",
            "action = sp(me.discards.size)",
        ),
        (
            Action,
            "Deal 200 damage to the opponent or to an enemy character.",
            "action = damage(200) to(opp, character@oppRing)",
        ),
        (
            Action,
            "Deal 200 damage to the opponent and to one enemy character.",
            "action = damage(200) to(opp; character@oppRing)",
        ),
        (
            Auto,
            "Does not freeze after attacking alone.",
            "abilities = unfreezable",
        ),
        (Auto, "Cannot be countered.", "abilities = unblockable"),
        (
            Action,
            "A frozen enemy character stays frozen in its player's next Activate phase.",
            "action = +frosted to(character[frozen]@oppRing) oppUeot",
        ),
        (
            Action,
            "Until your next turn, nobody can play characters with 700 BP or more.",
            "action = modRule(play_char_bp_limit, 700) uynt",
        ),
        (
            Action,
            "The opponent loses 3 SP, and you gain 3 SP.",
            "action = sp(-3) to(opp); sp(+3)",
        ),
        (
            Triggered,
            "An enemy character gets this character's ability.",
            "action = copyAbility(this) to(character@oppRing)",
        ),
    ]);
}
