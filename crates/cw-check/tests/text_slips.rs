//! Mistakes that the printed text gives away: what it says, and what the rule does instead. Beside each
//! family stands what is right.

use slips::Kind::{Action, Auto, Instant, Reaction, Triggered};
use slips::{silent, told};

mod slips;

/// Rows of the table of phrases: piles and kinds of cards (R206, R208), both or one (R510), abilities and
/// rules (R631, R1010, R1022), and whose ability it is (G216).
#[test]
fn slips_of_phrases() {
    told(&[
        (
            Action,
            "Each player draws two cards.",
            "action = draw(2)",
            "RS093",
            "says each player",
            "action = draw(2) to(players)",
        ),
        (
            Action,
            "Both players discard a card. Gain 1 SP.",
            "action = discard(); sp(+1)",
            "RS093",
            "says each player",
            "action = discard() to(players); sp(+1)",
        ),
        (
            Action,
            "KO a frozen enemy character with 300 BP or less.",
            "action = destroy() to(character[frozen, bp <= 300]@oppRing)",
            "RS093",
            "one of the two",
            "action = destroy() to(character[frozen & bp <= 300]@oppRing)",
        ),
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
            "Look at the top three cards of your deck. \
             Take one of them and put the others on the bottom of your deck.",
            "action = prophecy(3, bottom); draw()",
            "RS093",
            "nobody chooses it among the cards looked at",
            "action = moveTo(hand) from(<1>*<3>@myDeck); moveTo(deck, -1) to(*s<2>@myDeck)",
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
            "Put the top three cards of your deck into your discard pile. \
             Gain 1 SP for each character card among them.",
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
            "At the start of this turn each player draws two cards. Draw two cards.",
            "action = draw(2)",
        ),
        (
            Action,
            "KO an enemy character that is frozen or has 300 BP or less.",
            "action = destroy() to(character[frozen, bp <= 300]@oppRing)",
        ),
        (
            Action,
            "An enemy character freezes, for two turns.",
            "action = freeze() to(character@oppRing); +frosted to(prevTgt) oppUeot",
        ),
        (
            Action,
            "Draw a card for each character in your ring. Gain as many SP as you have cards.",
            "action = draw(me.ring.size); sp(me.hand.size)",
        ),
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

/// What an auto hears, and of whom it speaks (D20, R301, R505, R602, R613, R620, R902, R906, R910, R911).
#[test]
fn slips_of_what_is_heard() {
    told(&[
        (
            Auto,
            "When this character enters the ring, the opponent discards a card at random.",
            "auto = ~ringChanges~ rndDiscard() to(opp)",
            "RS093",
            "once, when this one enters",
            "auto = rndDiscard() to(opp)",
        ),
        (
            Auto,
            "When it is played, draw a card.",
            "auto = ~handChanges~ draw()",
            "RS093",
            "once, when this one enters",
            "auto = draw()",
        ),
        (
            Auto,
            "When this character comes into play, gain 2 SP.",
            "auto = ~activatePhase~ sp(+2)",
            "RS093",
            "once, when this one enters",
            "auto = sp(+2)",
        ),
        (
            Auto,
            "When this character is KOed, the opponent takes 300 damage.",
            "auto = ~leavesRing~ damage(300) to(opp)",
            "RS093",
            "goes to a hand or a deck",
            "auto = ~leavesRing~ [[if any card == this in this.owner.discards]] damage(300) to(opp)",
        ),
        (
            Auto,
            "When it dies, draw a card. Then discard a card.",
            "auto = ~leavesRing:this~ draw(); discard()",
            "RS093",
            "goes to a hand or a deck",
            "",
        ),
        (
            Auto,
            "Whenever one of your characters deals combat damage to the opponent, gain 2 SP.",
            "auto = ~playerCombatDamaged~ sp(+2)",
            "RS093",
            "heard of this card alone",
            "auto = ~playerCombatDamaged:any~ [[if trigger.controller == this.controller]] sp(+2)",
        ),
        (
            Auto,
            "Each time another of your characters attacks, gain 1 SP.",
            "auto = ~attacks:this~ sp(+1)",
            "RS093",
            "heard of this card alone",
            "auto = ~attacks:any~ [[if trigger.controller == this.controller]] sp(+1)",
        ),
        (
            Auto,
            "Whenever a character counters, draw a card.",
            "auto = ~blocks~ draw()",
            "RS093",
            "any character",
            "auto = ~blocks:any~ draw()",
        ),
        (
            Auto,
            "While this character is alone in your ring, it has 300 BP more.",
            "auto = ~ringChanges~ [[if alone]] bp(+300)",
            "RS093",
            "for good",
            "",
        ),
        (
            Auto,
            "Loses 200 BP for as long as the opponent has no characters.",
            "auto = ~anyRingChanges~ [[if this.controller.hp > 100]] bp(-200)",
            "RS093",
            "for good",
            "",
        ),
        (
            Auto,
            "Whenever you back up a character, that character gains 100 BP more.",
            "auto = ~myBackedUp~ bp(+100)",
            "RS093",
            "acts on this card itself",
            "auto = ~myBackedUp~ bp(+100) to(trigger)",
        ),
        (
            Auto,
            "Whenever you back up a character, it unfreezes and that character cannot be countered.",
            "auto = ~myBackedUp~ unfreeze() & +unblockable ueot",
            "RS093",
            "acts on this card itself",
            "auto = ~myBackedUp~ unfreeze() & +unblockable to(trigger) ueot",
        ),
        (
            Auto,
            "At the end of each player's turn, that player loses 1 SP.",
            "auto = ~anyEndPhase~ sp(-1)",
            "RS093",
            "for the card's own player",
            "auto = ~anyEndPhase~ sp(-1) to(me)",
        ),
        (
            Auto,
            "At the start of each player's turn they draw a card.",
            "auto = ~anyActivatePhase~ draw()",
            "RS093",
            "for the card's own player",
            "auto = ~anyActivatePhase~ draw() to(me)",
        ),
        (
            Auto,
            "Takes 100 damage less from actions.",
            "auto = ~anyBeforeDamage:action~ modDamage(-100)",
            "RS093",
            "only damage to players",
            "",
        ),
        (
            Auto,
            "While you have 5 SP or more, this character can be backed up any number of times a turn.",
            "auto = ?backupLimit:this? [[if me.sp >= 5]]",
            "RS081",
            "the limit holds where this is true",
            "auto = ?backupLimit:this? [[if me.sp < 5]]",
        ),
        (
            Auto,
            "At the start of your Counter-attack phase, \
             all your attacking characters gain 100 BP until the end of the turn.",
            "auto = ~myBlockPhase~ bp(+100) to(characters[attack]@myRing) ueot",
            "RS093",
            "leaves out who follows",
            "auto = ~myBlockPhase~ bp(+100) to(characters[attack, uattack]@myRing) ueot",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_slips_of_what_is_heard() {
    silent(&[
        (
            Auto,
            "When this character attacks while your hand is empty, it gains 300 BP.",
            "auto = ~attacks:this~ [[if me.hand.size == 0]] bp(+300)",
        ),
        (
            Auto,
            "Whenever it's countered, one of your characters gains 100 BP.",
            "auto = ~blocked:this~ bp(+100) to(character@myRing)",
        ),
        (
            Auto,
            "When Rook attacks, one of your characters gains 100 BP.",
            "auto = ~attacks:this~ bp(+100) to(character@myRing)",
        ),
        (
            Auto,
            "When this character is KOed or returns to your hand, draw a card.",
            "auto = ~leavesRing~ draw()",
        ),
        (
            Auto,
            "When this character enters the ring, draw a card.",
            "auto = draw()",
        ),
        (
            Auto,
            "At the start of your turn, when this character is in play, gain 2 SP.",
            "auto = ~activatePhase~ sp(+2)",
        ),
        (
            Auto,
            "When this character leaves the ring, draw a card.",
            "auto = ~leavesRing~ draw()",
        ),
        (
            Auto,
            "When this character is KOed, draw a card.",
            "auto = ~leavesRing~ [[if any card == this in this.owner.discards]] draw()",
        ),
        (
            Auto,
            "Whenever this character attacks, one of your characters gains 100 BP.",
            "auto = ~attacks:this~ bp(+100) to(character@myRing)",
        ),
        (
            Auto,
            "Whenever it counters, your characters gain 100 BP.",
            "auto = ~blocks~ bp(+100) to(characters@myRing)",
        ),
        (
            Auto,
            "While this character is alone in your ring, it cannot be countered.",
            "auto = ~ringChanges~ [[if alone]] +unblockable",
        ),
        (
            Auto,
            "At the start of your turn, if this character is alone, \
             it gains 300 BP until the end of the turn.",
            "auto = ~myActivatePhase~ [[if alone]] bp(+300) ueot",
        ),
        (
            Auto,
            "Whenever you back up a character, this character gains 100 BP.",
            "auto = ~myBackedUp~ bp(+100)",
        ),
        (
            Auto,
            "At the end of each player's turn, draw a card.",
            "auto = ~anyEndPhase~ draw()",
        ),
        (
            Auto,
            "You take 100 damage less from actions.",
            "auto = ~oppBeforeDamage:action~ modDamage(-100)",
        ),
        (
            Auto,
            "While you have less than 5 SP, this character can be backed up any number of times a turn.",
            "auto = ?backupLimit:this? [[if me.sp >= 5]]",
        ),
        (
            Auto,
            "Can counter only characters with less BP than it has.",
            "auto = ?anyCanBlock:any? [[if blocker != this or attacker.bp < this.bp]]",
        ),
    ]);
}

/// The order of statements, what is paid, and the same card (R301, R303, R504, R601, R602).
#[test]
fn slips_of_steps() {
    told(&[
        (
            Action,
            "KO a frozen enemy character, if there is one. Draw a card.",
            "action = destroy() to(character[frozen]@oppRing); draw()",
            "RS093",
            "what follows does not run",
            "action = draw(); destroy() to(character[frozen]@oppRing)",
        ),
        (
            Action,
            "If possible, freeze an enemy character. Gain 2 SP.",
            "action = freeze() to(character@oppRing); sp(+2)",
            "RS093",
            "what follows does not run",
            "action = sp(+2); freeze() to(character@oppRing)",
        ),
        (
            Action,
            "If your hand is empty, draw two cards. Gain 2 SP.",
            "action = [[if me.hand.size == 0]] draw(2); sp(+2)",
            "RS093",
            "does not run if the condition before it is false",
            "action = sp(+2); [[if me.hand.size == 0]] draw(2)",
        ),
        (
            Action,
            "If you have 3 SP or more, deal 200 damage to the opponent. Gain 1 SP.",
            "action = [[if me.sp >= 3]] damage(200) to(opp); sp(+1)",
            "RS093",
            "does not run if the condition before it is false",
            "",
        ),
        (
            Triggered,
            "Pay 3 SP: draw two cards.",
            "action = sp(-3); draw(2)",
            "RS093",
            "not a cost",
            "requisite = me[sp>=3]\naction = sp(-3); draw(2)",
        ),
        (
            Triggered,
            "Pay two SP to freeze an enemy character.",
            "action = sp(-2); freeze() to(character@oppRing)",
            "RS093",
            "not a cost",
            "requisite = me[sp>=2]\naction = sp(-2); freeze() to(character@oppRing)",
        ),
        (
            Action,
            "One of your characters gains 200 BP and cannot be countered, until the end of the turn.",
            "action = bp(+200) to(character@myRing) ueot; +unblockable to(character@myRing) ueot",
            "RS093",
            "asks again",
            "action = bp(+200) to(character@myRing) ueot; +unblockable to(prevTgt) ueot",
        ),
        (
            Action,
            "An enemy character freezes and loses 200 BP.",
            "action = freeze() to(character@oppRing); bp(-200) to(character@oppRing)",
            "RS093",
            "asks again",
            "action = freeze() to(character@oppRing); bp(-200) to(prevTgt)",
        ),
        (
            Triggered,
            "Gain 1 SP for each card in the opponent's hand.",
            "action = each(card in opp.hand => sp(+1)) to(opp)",
            "RS093",
            "gives it to you",
            "action = each(card in opp.hand => sp(+1))",
        ),
        (
            Action,
            "Deal 100 damage to the opponent. Then draw two cards.",
            "action = damage(100) to(opp); draw(2) to(opp)",
            "RS093",
            "gives it to you",
            "action = damage(100) to(opp); draw(2)",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_slips_of_steps() {
    silent(&[
        (
            Action,
            "With an empty hand, draw two cards and gain 2 SP.",
            "action = [[if me.hand.size == 0]] draw(2); sp(+2)",
        ),
        (
            Action,
            "The opponent must discard a card and draw a card.",
            "action = discard() to(opp); draw() to(opp)",
        ),
        (
            Action,
            "KO a frozen enemy character. Then draw a card.",
            "action = destroy() to(character[frozen]@oppRing); draw()",
        ),
        (
            Action,
            "Gain 2 SP. If your hand is empty, draw two cards.",
            "action = sp(+2); [[if me.hand.size == 0]] draw(2)",
        ),
        (
            Action,
            "If your hand is empty, draw two cards and gain 2 SP.",
            "action = [[if me.hand.size == 0]] draw(2); sp(+2)",
        ),
        (
            Action,
            "If your hand is empty, draw two cards. Then gain 2 SP.",
            "action = [[if me.hand.size == 0]] draw(2); sp(+2)",
        ),
        (Action, "Lose 3 SP. Draw two cards.", "action = sp(-3); draw(2)"),
        (
            Triggered,
            "Pay 3 SP: draw two cards.",
            "requisite = me[sp>=3]\naction = sp(-3); draw(2)",
        ),
        (
            Action,
            "An enemy character freezes. An enemy character loses 200 BP.",
            "action = freeze() to(character@oppRing); bp(-200) to(character@oppRing)",
        ),
        (
            Action,
            "One of your characters gains 100 BP and another one freezes.",
            "action = bp(+100) to(character@myRing); freeze() to(character@myRing)",
        ),
        (Action, "The opponent draws a card.", "action = draw() to(opp)"),
        (Action, "The opponent gains 2 SP.", "action = sp(+2) to(opp)"),
    ]);
}

/// What is counted, remembered or chosen at another time or by somebody else (R301, R903, R1105).
#[test]
fn slips_of_later() {
    told(&[
        (
            Action,
            "Draw two cards, then deal 100 damage to the opponent for each card in your hand.",
            "vars = _n := me.hand.size\naction = draw(2); damage(100 * _n) to(opp)",
            "RS090",
            "counted before anything ran",
            "action = draw(2); damage(100 * me.hand.size) to(opp)",
        ),
        (
            Action,
            "One of your characters gains 500 BP. At the end of the turn it is KOed.",
            "target = character@myRing\naction = bp(+500)\nauto = ~myEndPhase:once~ destroy()",
            "RS093",
            "does not remember",
            "",
        ),
        (
            Action,
            "Freeze an enemy character. In your next Activate phase it returns to its player's hand.",
            "target = character@oppRing\naction = freeze()\nauto = ~myActivatePhase:once~ moveTo(ctrlHand)",
            "RS093",
            "does not remember",
            "",
        ),
        (
            Action,
            "The opponent chooses one of their characters and KOs it.",
            "action = destroy() to(character@oppRing)",
            "RS093",
            "lets the opponent choose",
            "",
        ),
        (
            Reaction,
            "Freeze an enemy character of its player's choice.",
            "action = freeze() to(character@oppRing)",
            "RS093",
            "lets the opponent choose",
            "",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_slips_of_later() {
    silent(&[
        (
            Action,
            "Freeze an enemy character. The opponent chooses and discards a card.",
            "action = freeze() to(character@oppRing); discard() to(opp)",
        ),
        (
            Action,
            "One of your characters gains 500 BP. At the end of the turn, draw a card: it is yours.",
            "target = character@myRing\naction = bp(+500) ueot\n\
             auto = ~myEndPhase:once~ draw() to(this.controller)",
        ),
        (
            Action,
            "Deal 100 damage to the opponent for each card in your hand. Then draw two cards.",
            "vars = _n := me.hand.size\naction = damage(100 * _n) to(opp); draw(2)",
        ),
        (
            Action,
            "Discard your hand. Deal 100 damage to the opponent for each card discarded.",
            "vars = _n := me.hand.size\naction = discard(*s); damage(100 * _n) to(opp)",
        ),
        (
            Action,
            "Draw two cards. In your next End phase, KO one of your characters.",
            "action = draw(2)\nauto = ~myEndPhase:once~ destroy() to(character@myRing)",
        ),
        (
            Action,
            "KO an enemy character.",
            "action = destroy() to(character@oppRing)",
        ),
        (
            Action,
            "The opponent discards a card of their choice.",
            "action = discard() to(opp)",
        ),
    ]);
}

/// The card itself: counted, compared and copied; and what binds tighter (R312, R907, R910, R1031, R1101).
#[test]
fn slips_about_itself() {
    told(&[
        (
            Triggered,
            "If you have no other character in your ring, this character gains 300 BP.",
            "action = [[if me.ring.size == 0]] bp(+300)",
            "RS072",
            "stands in your ring",
            "action = [[if alone]] bp(+300)",
        ),
        (
            Triggered,
            "",
            "action = [[if me.ring.size > 0]] draw()",
            "RS072",
            "always true here",
            "action = [[if me.ring.size > 1]] draw()",
        ),
        (
            Auto,
            "",
            "auto = ~myEndPhase~ [[if me.ring.size < 1]] draw()",
            "RS072",
            "stands in your ring",
            "auto = ~myEndPhase~ [[if alone]] draw()",
        ),
        (
            Triggered,
            "",
            "target = character@oppRing\naction = transform(tgt.0) ueot",
            "RS078",
            "a copy of itself",
            "target = character@oppRing\naction = transform(prevTgt.0) to(this) ueot",
        ),
        (
            Triggered,
            "",
            "target = character@oppRing\naction = copyAbility(tgt.0)",
            "RS078",
            "its own ability",
            "target = character@oppRing\naction = copyAbility(prevTgt.0) to(this)",
        ),
        (
            Auto,
            "Can counter only characters with less BP than it has.",
            "auto = ?beforeBlock:this? [[if trigger.bp < this.bp]]",
            "RS072",
            "`trigger` is this card itself",
            "auto = ?anyCanBlock:any? [[if blocker != this or attacker.bp < this.bp]]",
        ),
        (
            Auto,
            "",
            "auto = ~attacks:this~ [[if trigger.bp >= this.bp]] draw()",
            "RS072",
            "always true",
            "",
        ),
        (
            Auto,
            "When this character attacks as part of a United Attack, \
             it gains 300 BP until the end of the turn.",
            "auto = ~attacks:this~ [[if inUAttack(this)]] bp(+300) ueot",
            "RS072",
            "part of a United Attack",
            "",
        ),
        (
            Action,
            "Each of your characters gains 100 BP for each other character \
             in your ring, until the end of the turn.",
            "action = bp(100 * me.ring.size - 1) to(characters@myRing) ueot",
            "RS088",
            "binds tighter",
            "action = bp(100 * (me.ring.size - 1)) to(characters@myRing) ueot",
        ),
        (
            Action,
            "",
            "action = damage(me.hand.size + 1 * 100) to(opp)",
            "RS088",
            "binds tighter",
            "action = damage((me.hand.size + 1) * 100) to(opp)",
        ),
        (
            Action,
            "Gain 2 SP for each other card in your hand.",
            "action = sp(+2 * me.hand.size - 1)",
            "RS088",
            "binds tighter",
            "action = sp(+2 * (me.hand.size - 1))",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_slips_about_itself() {
    silent(&[
        (Triggered, "", "action = [[if me.ring.size == 1]] bp(+300)"),
        (Triggered, "", "action = {S}: [[if me.ring.size == 0]] draw(2)"),
        (Action, "", "action = [[if me.ring.size == 0]] draw(2)"),
        (
            Auto,
            "",
            "auto = ~leavesRing:this~ [[if me.ring.size == 0]] draw(2)",
        ),
        (
            Triggered,
            "",
            "target = character@oppRing\naction = transform(prevTgt.0) to(this) ueot",
        ),
        (
            Auto,
            "",
            "auto = ~attacks:any~ [[if trigger.bp < this.bp]] draw()",
        ),
        (Auto, "", "auto = ~attacks:any~ [[if inUAttack(trigger)]] draw()"),
        (
            Action,
            "",
            "action = bp(100 * me.ring.size - 50) to(characters@myRing) ueot",
        ),
        (Action, "", "action = sp(2 * me.ring.size - 1)"),
    ]);
}

/// Cards as people write them, with rules that do what they say: nothing is found.
#[test]
fn usual_cards_that_are_right() {
    silent(&[
        (
            Action,
            "Deal 200 damage to an enemy character. If you have 5 SP or more, draw a card.",
            "action = damage(200) to(character@oppRing); [[if me.sp >= 5]] draw(1)",
        ),
        (
            Action,
            "One of your characters gains 200 BP until the end of the turn. Draw a card.",
            "action = bp(+200) to(character@myRing) ueot; draw()",
        ),
        (Action, "Each player draws a card.", "action = draw() to(players)"),
        (
            Action,
            "The opponent discards a card at random.",
            "action = rndDiscard() to(opp)",
        ),
        (
            Action,
            "Return an enemy character to its player's hand.",
            "action = moveTo(ctrlHand) to(character@oppRing)",
        ),
        (
            Action,
            "Gain 1 SP for each character in your ring.",
            "action = sp(me.ring.size)",
        ),
        (
            Action,
            "Freeze up to two enemy characters.",
            "action = freeze() to(<0,2>character@oppRing)",
        ),
        (
            Action,
            "Put the top two cards of the opponent's deck into their discard pile.",
            "action = trash(2) to(opp)",
        ),
        (
            Action,
            "Look at the top three cards of your deck and put them back on top in any order.",
            "action = prophecy(3, top)",
        ),
        (
            Action,
            "The opponent loses 100 HP for each action card in your discard pile.",
            "action = loseLife(100 * getTargets('actions@myDiscards').size) to(opp)",
        ),
        (
            Action,
            "KO all frozen characters. Gain 1 SP for each of them.",
            "action = destroy() to(characters[frozen]); sp(+destroyed.size)",
        ),
        (
            Action,
            "Return the top card of your discard pile to your hand, then discard a card.",
            "action = moveTo(hand) to(me.discards.0); discard()",
        ),
        (Action, "Draw a card and lose 1 SP.", "action = draw(); sp(-1)"),
        (
            Action,
            "The opponent loses 2 SP and you draw a card.",
            "action = sp(-2) to(opp); draw()",
        ),
        (
            Action,
            "An enemy character loses 200 BP. If it has none left, draw a card.",
            "action = bp(-200) to(character@oppRing); draw()",
        ),
        (
            Action,
            "One of your characters cannot be countered this turn. Another one freezes.",
            "action = +unblockable to(character@myRing) ueot; freeze() to(character@myRing)",
        ),
        (
            Auto,
            "Whenever this character deals combat damage to the opponent, draw a card.",
            "auto = ~playerCombatDamaged:this~ draw()",
        ),
        (
            Auto,
            "At the start of your turn, if you have the most HP, gain 1 SP.",
            "auto = ~myActivatePhase~ [[if me.hp > opp.hp]] sp(+1)",
        ),
        (
            Auto,
            "At the end of your turn, unfreeze one of your characters.",
            "auto = ~myEndPhase~ unfreeze() to(character@myRing)",
        ),
        (
            Auto,
            "While you have no cards in hand, it cannot be countered.",
            "auto = ~myHandChanges~ [[if me.hand.size == 0]] +unblockable",
        ),
        (
            Auto,
            "Cannot attack while you have fewer than three cards in hand.",
            "auto = ?beforeAttack? [[if me.hand.size >= 3]]",
        ),
        (
            Auto,
            "Whenever you back up a character, draw a card.",
            "auto = ~myBackedUp~ draw()",
        ),
        (
            Auto,
            "Whenever it is backed up, it gains 100 BP more.",
            "auto = ~backedUp:this~ bp(+100)",
        ),
        (
            Auto,
            "When this character attacks alone, it gains 200 BP until the end of the turn.",
            "auto = ~attacks:this~ [[if soloAttack]] bp(+200) ueot",
        ),
        (
            Auto,
            "At the end of each player's turn, both players lose 100 HP.",
            "auto = ~anyEndPhase~ loseLife(100) to(players)",
        ),
        (
            Auto,
            "When this character is countered, the one who counters loses 300 BP until the end of the turn.",
            "auto = ~blocked:this~ bp(-300) to(blocker) ueot",
        ),
        (
            Triggered,
            "Freeze this character: the opponent loses 1 SP.",
            "action = {F}: sp(-1) to(opp)",
        ),
        (
            Triggered,
            "KO this character: return another character card from your discard pile to your hand.",
            "action = {S}: moveTo(hand) to(character@myDiscards)",
        ),
        (
            Triggered,
            "Becomes a copy of an enemy character until the end of the turn.",
            "target = character@oppRing\naction = transform(prevTgt.0) to(this) ueot",
        ),
        (
            Triggered,
            "When this character enters the ring, if your hand is empty, draw two cards.",
            "action = [[if me.hand.size == 0]] draw(2)",
        ),
        (
            Triggered,
            "When it enters, the opponent discards a card and you gain 1 SP.",
            "action = discard() to(opp); sp(+1)",
        ),
    ]);
}

/// What a text says and a rule lacks: costs (R701 to R703), conditions (R501), events (R902), counts (R1022),
/// choices (D23), the order (R601), what is done at all, and how long it lasts (R804).
#[test]
fn slips_of_what_is_left_out() {
    told(&[
        (
            Triggered,
            "Discard a reaction card and freeze this character: \
             an enemy character loses 300 BP until the end of the turn.",
            "action = {F}: bp(-300) to(character@oppRing) ueot",
            "RS093",
            "without the cost",
            "action = {D(reaction)}{F}: bp(-300) to(character@oppRing) ueot",
        ),
        (
            Instant,
            "You may exchange your hand and your discard pile.",
            "action = swapPiles(myHand, myDiscards)",
            "RS093",
            "you may",
            "action = [[may]] swapPiles(myHand, myDiscards)",
        ),
        (
            Auto,
            "When this character has dealt its damage to the opponent in an attack that was not countered, \
             the opponent discards a card at random.",
            "auto = ~attacks~ rndDiscard() to(opp)",
            "RS093",
            "`attacks` is when this character attacks",
            "auto = ~playerCombatDamaged~ rndDiscard() to(opp)",
        ),
        (
            Auto,
            "In your Draw phase look at the top two cards of your deck \
             and put them back on the top or the bottom in any order.",
            "auto = ~myDrawPhase~ prophecy(2, top) to(me)",
            "RS093",
            "the top or the bottom",
            "auto = ~myDrawPhase~ prophecy(2) to(me)",
        ),
        (
            Action,
            "Look at the top three cards of your deck and put them back on the top in any order.",
            "action = prophecy(3)",
            "RS093",
            "the card's text says the top",
            "action = prophecy(3, top)",
        ),
        (
            Action,
            "Look at the top three cards of your deck and put them on the bottom of your deck in any order.",
            "action = prophecy(3)",
            "RS093",
            "the card's text says the bottom",
            "action = prophecy(3, bottom)",
        ),
        (
            Action,
            "Remove the top three cards of the opponent's deck from the game.",
            "action = moveTo(ctrlRemoved) from(<3>*@oppDeck)",
            "RS093",
            "somebody chooses",
            "action = moveTo(ctrlRemoved) from(*<3>@oppDeck)",
        ),
        (
            Reaction,
            "An attacking character stops attacking.",
            "action = freeze() to(character[attack, uattack]@oppRing)",
            "RS093",
            "nothing in the rule does",
            "",
        ),
        (
            Action,
            "Gain 400 HP and 1 SP.",
            "action = hp(+40); sp(+1)",
            "RS071",
            "the rule says 40",
            "",
        ),
        (
            Triggered,
            "Freeze this character: you gain 2 SP.",
            "action = freeze(); sp(+2)",
            "RS093",
            "an effect, not a cost",
            "action = {F}: sp(+2)",
        ),
        (
            Triggered,
            "Freeze this character: the opponent loses 200 HP.",
            "action = freeze() to(this); loseLife(200) to(opp)",
            "RS093",
            "an effect, not a cost",
            "action = {F}: loseLife(200) to(opp)",
        ),
        (
            Triggered,
            "Freeze this character: draw a card.",
            "action = draw()",
            "RS093",
            "without the cost",
            "action = {F}: draw()",
        ),
        (
            Triggered,
            "Discard a card and freeze this character: draw two cards.",
            "action = {D}: draw(2)",
            "RS093",
            "without the cost",
            "action = {F}{D}: draw(2)",
        ),
        (
            Triggered,
            "KO another of your characters: this character gains 400 BP.",
            "action = {S}: bp(+400)",
            "RS093",
            "sacrifices this character itself",
            "action = {S(^character)}: bp(+400)",
        ),
        (
            Triggered,
            "Discard an action card: draw a card.",
            "action = {D}: draw()",
            "RS093",
            "discards any card",
            "action = {D(action)}: draw()",
        ),
        (
            Triggered,
            "Draw two cards.",
            "action = {F}: draw(2)",
            "RS093",
            "does not say so",
            "",
        ),
        (
            Action,
            "Choose one: draw two cards; or gain 300 HP.",
            "action = draw(2); hp(+300)",
            "RS093",
            "both happen",
            "label = \"Draw two cards\"\naction = draw(2)\nlabel = \"Gain 300 HP\"\naction = hp(+300)",
        ),
        (
            Action,
            "Draw a card or gain 2 SP.",
            "action = draw(); sp(+2)",
            "RS093",
            "both happen",
            "label = \"Draw a card\"\naction = draw()\nlabel = \"Gain 2 SP\"\naction = sp(+2)",
        ),
        (
            Action,
            "If your hand is empty, draw two cards.",
            "action = draw(2)",
            "RS093",
            "in any case",
            "",
        ),
        (
            Triggered,
            "When this character attacks, draw a card.",
            "action = draw()",
            "RS093",
            "runs when the ability is used",
            "",
        ),
        (
            Action,
            "Gain 1 SP for each character in your ring.",
            "action = sp(+1)",
            "RS093",
            "says for each",
            "",
        ),
        (
            Action,
            "Draw two cards, then discard a card.",
            "action = discard(); draw(2)",
            "RS093",
            "this runs first",
            "action = draw(2); discard()",
        ),
        (
            Action,
            "Freeze an enemy character. The opponent draws a card.",
            "action = freeze() to(character@oppRing)",
            "RS093",
            "\u{201c}the opponent draws a card\u{201d}",
            "action = freeze() to(character@oppRing); draw(1) to(opp)",
        ),
        (
            Action,
            "KO an enemy character. Gain 2 SP.",
            "action = destroy() to(character@oppRing)",
            "RS093",
            "\u{201c}gain 2 sp\u{201d}",
            "action = destroy() to(character@oppRing); sp(+2)",
        ),
        (
            Action,
            "Draw three cards. Shuffle your deck.",
            "action = draw(3)",
            "RS093",
            "\u{201c}shuffle your deck\u{201d}",
            "",
        ),
        (
            Action,
            "One of your characters gains 200 BP and pierce until the end of the turn.",
            "target = character@myRing\naction = bp(+200); +pierce ueot",
            "RS093",
            "for the statement before it alone",
            "target = character@myRing\naction = bp(+200) ueot; +pierce ueot",
        ),
        (
            Instant,
            "You may put the top three cards of your deck into your discard pile.",
            "action = trash(3)",
            "RS093",
            "nobody is asked",
            "action = [[may]] trash(3)",
        ),
        (
            Auto,
            "Whenever a character leaves the ring, this character gains 100 BP.",
            "auto = ~leavesRing~ bp(+100)",
            "RS093",
            "heard of this card alone",
            "auto = ~leavesRing:any~ bp(+100)",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_what_is_left_out() {
    silent(&[
        (
            Triggered,
            "You may exchange your hand and your discard pile.",
            "action = swapPiles(myHand, myDiscards)",
        ),
        (
            Auto,
            "When this character attacks and is not countered, draw a card.",
            "auto = ~playerCombatDamaged~ draw()",
        ),
        (
            Action,
            "Look at the top three cards of your deck \
             and put them back on the top or the bottom in any order.",
            "action = prophecy(3)",
        ),
        (
            Action,
            "Look at the top five cards of your deck and choose three of them; remove those from the game.",
            "action = moveTo(removed) from(<3>*<5>@myDeck)",
        ),
        (
            Reaction,
            "An attacking character stops attacking and freezes.",
            "action = removeFromAttack() & freeze() to(character[attack, uattack]@oppRing)",
        ),
        (
            Triggered,
            "Freeze this character. Gain 2 SP.",
            "action = freeze(); sp(+2)",
        ),
        (
            Triggered,
            "KO this character: the opponent loses 300 HP.",
            "action = {S}: loseLife(300) to(opp)",
        ),
        (
            Action,
            "If you have no cards in hand, draw two cards.",
            "action = [[if me.hand.size == 0]] draw(2)",
        ),
        (
            Triggered,
            "When this character enters the ring, draw a card.",
            "action = draw()",
        ),
        (
            Action,
            "Draw a card for each character in your ring.",
            "action = draw(me.ring.size)",
        ),
        (
            Action,
            "Draw two cards. Then discard a card.",
            "action = draw(2); discard()",
        ),
        (
            Action,
            "You and the opponent draw a card.",
            "action = draw() to(players)",
        ),
        (
            Action,
            "Return a character card from your discard pile to your hand.",
            "action = moveTo(hand) from(character@myDiscards)",
        ),
        (
            Action,
            "Whoever draws a card next turn loses 1 SP.",
            "action = sp(-1) to(players)",
        ),
        (
            Reaction,
            "An attacking character loses 200 BP. Until then it may draw nobody's anger.",
            "action = bp(-200) to(character[attack, uattack]@oppRing)",
        ),
    ]);
}

/// Other kinds than those of the text: subtypes (R205), types of cards (R204), piles (R206), whose they are
/// (R219), and damage or a loss (R620).
#[test]
fn slips_of_other_kinds() {
    told(&[
        (
            Triggered,
            "Freeze this character: your other Guards gain 200 BP until the end of the turn.",
            "action = {F}: bp(+200) to(^characters[student]@myRing) ueot",
            "RS093",
            "says `student`, the card's text guard",
            "action = {F}: bp(+200) to(^characters[guard]@myRing) ueot",
        ),
        (
            Action,
            "Return a reaction card from your discard pile to your hand.",
            "action = moveTo(hand) from(action@myDiscards)",
            "RS093",
            "says `action`, the card's text reaction",
            "action = moveTo(hand) from(reaction@myDiscards)",
        ),
        (
            Action,
            "Return a character card from your discard pile to your hand.",
            "action = moveTo(hand) from(character@myRemoved)",
            "RS093",
            "the card's text discard pile",
            "action = moveTo(hand) from(character@myDiscards)",
        ),
        (
            Action,
            "Return a character card from your discard pile to your hand.",
            "action = moveTo(hand) from(character@oppDiscards)",
            "RS093",
            "the card's text says yours",
            "action = moveTo(hand) from(character@myDiscards)",
        ),
        (
            Action,
            "KO an enemy character that is frozen and has 300 BP or less.",
            "action = destroy() to(character[frozen, bp<=300]@oppRing)",
            "RS093",
            "says both",
            "action = destroy() to(character[frozen & bp <= 300]@oppRing)",
        ),
        (
            Triggered,
            "Freeze this character: an enemy character loses 200 BP until the end of the turn, \
             and this character gains 100 BP.",
            "target = character@oppRing\naction = {F}: bp(-200) ueot; bp(+100)",
            "RS093",
            "says this character",
            "target = character@oppRing\naction = {F}: bp(-200) ueot; bp(+100) to(this)",
        ),
        (
            Action,
            "This turn your characters cost 2 SP less, and you may play one more character.",
            "action = alterCost(character, -2) ueot; playExtraChar()",
            "RS093",
            "makes it dearer",
            "action = alterCost(character, +2) ueot; playExtraChar()",
        ),
        (
            Action,
            "Return up to two character cards from your discard pile to your hand.",
            "action = moveTo(hand) from(<2>character@myDiscards)",
            "RS093",
            "says up to 2",
            "action = moveTo(hand) from(<0,2>character@myDiscards)",
        ),
        (
            Auto,
            "When this character attacks alone, it gains 300 BP until the end of the turn.",
            "auto = ~attacks:this~ [[if alone]] bp(+300) ueot",
            "RS093",
            "says that it attacks alone",
            "auto = ~attacks:this~ [[if soloAttack]] bp(+300) ueot",
        ),
        (
            Reaction,
            "All attacking characters, the followers in a United Attack included, \
             lose 200 BP until the end of the turn.",
            "action = bp(-200) to(characters[attack]@oppRing) oppUeot",
            "RS093",
            "leaves out who follows",
            "action = bp(-200) to(characters[attack, uattack]@oppRing) oppUeot",
        ),
        (
            Auto,
            "This character cannot be countered.",
            "abilities = cantblock",
            "RS093",
            "cannot be blocked when it attacks",
            "abilities = unblockable",
        ),
        (
            Action,
            "One of your characters gains pierce until the end of the turn.",
            "action = +rush to(character@myRing) ueot",
            "RS093",
            "`rush` is",
            "action = +pierce to(character@myRing) ueot",
        ),
        (
            Reaction,
            "An attacking character takes 200 damage.",
            "action = damage(200) to(character[attack]@oppRing)",
            "RS093",
            "leaves out who follows",
            "action = damage(200) to(character[attack, uattack]@oppRing)",
        ),
        (
            Reaction,
            "An attacking character, alone or leading, has 500 BP until the end of the turn.",
            "action = bp(500) to(character[attack]@oppRing) oppUeot",
            "RS093",
            "says becomes",
            "action = bp(=500) to(character[attack]@oppRing) oppUeot",
        ),
        (
            Auto,
            "Can attack only while you have three or more cards in hand.",
            "auto = ?beforeAttack:this? [[if me.hand.size < 3]]",
            "RS081",
            "only in the opposite case",
            "auto = ?beforeAttack:this? [[if not (me.hand.size < 3)]]",
        ),
        (
            Action,
            "Return up to three Students from your discard pile to your hand.",
            "action = moveTo(hand) from(<3>student@myDiscards)",
            "RS093",
            "says up to 3",
            "action = moveTo(hand) from(<0,3>student@myDiscards)",
        ),
        (
            Action,
            "Deal 300 damage to the opponent.",
            "action = loseLife(300) to(opp)",
            "RS093",
            "a loss of HP",
            "action = damage(300) to(opp)",
        ),
        (
            Action,
            "The top three cards of the opponent's deck are put into the opponent's discard pile.",
            "action = discard(3) to(opp)",
            "RS093",
            "says the top of the deck",
            "action = trash(3) to(opp)",
        ),
        (
            Action,
            "The BP of an enemy character becomes 300 until the end of the turn.",
            "action = bp(300) to(character@oppRing) ueot",
            "RS093",
            "says becomes",
            "action = bp(=300) to(character@oppRing) ueot",
        ),
        (
            Action,
            "An enemy character's BP is set to 300 until the end of the turn.",
            "action = bp(300) to(character@oppRing) ueot",
            "RS093",
            "says becomes",
            "action = bp(=300) to(character@oppRing) ueot",
        ),
    ]);
}

/// Beside them, what is right.
#[test]
fn twins_of_other_kinds() {
    silent(&[
        (
            Action,
            "Your Guards and Students gain 100 BP.",
            "action = bp(+100) to(characters[guard, student]@myRing)",
        ),
        (
            Action,
            "The opponent discards a card of their choice from their hand.",
            "action = discard() to(opp)",
        ),
        (
            Action,
            "Put a card of your hand on top of your deck.",
            "action = moveTo(deck) from(*@hand)",
        ),
        (
            Action,
            "The opponent loses 300 HP.",
            "action = loseLife(300) to(opp)",
        ),
        (
            Auto,
            "Can attack only while you have three or more cards in hand.",
            "auto = ?beforeAttack:this? [[if me.hand.size >= 3]]",
        ),
        (
            Auto,
            "Pierce: damage beyond the BP of the character that counters it hits the player. Is not fresh.",
            "abilities = pierce, rush",
        ),
        (
            Reaction,
            "An attacking character that leads a United Attack takes 200 damage.",
            "action = damage(200) to(character[attack]@oppRing)",
        ),
    ]);
}
