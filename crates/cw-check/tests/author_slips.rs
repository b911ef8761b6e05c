//! Mistakes of authors who know the language and think of the game, or of the card's text, wrongly: phases
//! and turns, the order of statements, who hears an event, and words of the text. Beside each family stands
//! what is right.

use cw_text::{Diagnostic, FileId, Safety, apply_fixes};

use slips::Kind::{Action, Auto, Reaction, Triggered};
use slips::{CARD, Kind, found, lines, silent, told};

mod slips;

/// The mistakes of readers of the book alone: each is told (R301–R313, R402, R905, R1103, RS059–RS093).
#[test]
fn slips_of_readers_of_the_book() {
    told(&[
        (
            Auto,
            "When it attacks, 100 damage to the opponent.",
            "trigger = attacks\naction = damage(100) to(opp)",
            "RS001",
            "both lines as one",
            "auto = ~attacks~ damage(100) to(opp)",
        ),
        (
            Auto,
            "",
            "auto = ~attacks~\naction = damage(100) to(opp)",
            "RS076",
            "nothing follows this event",
            "auto = ~attacks~ damage(100) to(opp)",
        ),
        (
            Auto,
            "",
            "auto = ~attacks~ draw(1)\naction = damage(100) to(opp)",
            "RS059",
            "works by itself",
            "",
        ),
        (
            Triggered,
            "",
            "action = {F}: damage(randint(1, 6) * 100) to(opp)",
            "RS038",
            "there are no random numbers",
            "",
        ),
        (
            Action,
            "",
            "action = destroy() to(character@oppRing); hp(tgt.0.bp)",
            "RS064",
            "`destroyed.0.lastBP`",
            "action = destroy() to(character@oppRing); hp(destroyed.0.lastBP)",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = destroy(); hp(tgt.0.bp)",
            "RS090",
            "has left the ring",
            "target = character@oppRing\naction = destroy(); hp(tgt.0.lastBP)",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = destroy() to(character@oppRing)",
            "RS091",
            "is not used",
            "",
        ),
        (
            Triggered,
            "",
            "action = {F}: damage(300) to(character@oppRing); [[if destroyed.size > 0]] draw(1)",
            "RS044",
            "Ask `[[if prevTgt.0.bp <= 0]]`",
            "",
        ),
        (
            Action,
            "",
            "action = movePile(hand, discards) to(opp)",
            "RS063",
            "in the brackets",
            "action = movePile(oppHand, oppDiscards)",
        ),
        (
            Action,
            "",
            "action = damage(300) to(character[attack]@oppRing)",
            "RS089",
            "make the card a reaction",
            "",
        ),
        (
            Action,
            "",
            "action = discard(all) to(opp); draw(opp.hand.size)",
            "RS090",
            "is empty here",
            "action = discard(all) to(opp); draw(discarded.size)",
        ),
        (
            Action,
            "",
            "action = +cantattack to(character@oppRing) ueot",
            "RS089",
            "ends before it matters",
            "action = +cantattack to(character@oppRing) oppUeot",
        ),
        (
            Action,
            "",
            "action = +cantblock to(character@myRing) ueot",
            "RS089",
            "ends before it matters",
            "action = +cantblock to(character@myRing) oppUeot",
        ),
        (
            Triggered,
            "",
            "action = {S(character)}: bp(+300)",
            "RS088",
            "may be the card itself",
            "action = {S(^character)}: bp(+300)",
        ),
        (
            Triggered,
            "",
            "action = {F}: bp(this.bp * 2)",
            "RS088",
            "3 times as much",
            "action = {F}: bp(x2)",
        ),
        (
            Auto,
            "Whenever you take combat damage, draw a card.",
            "auto = ~playerCombatDamaged~ draw(1)",
            "RS093",
            "trigger.controller != this.controller",
            "",
        ),
        (
            Auto,
            "",
            "auto = ~handChanges~ draw(1)",
            "RS092",
            "until the deck is empty",
            "",
        ),
        (
            Auto,
            "Once per turn, at the end of your turn, gains 100 BP.",
            "auto = ~myEndPhase:once~ bp(+100)",
            "RS093",
            "once in the duel",
            "auto = ~myEndPhase~ bp(+100)",
        ),
        (
            Auto,
            "Cannot attack while it is your only character.",
            "auto = ?beforeAttack? [[if alone]]",
            "RS081",
            "its text says when it cannot",
            "auto = ?beforeAttack? [[if not alone]]",
        ),
        (
            Action,
            "KO an enemy character that costs 2 SP or more.",
            "action = destroy() to(character[sp >= 2]@oppRing)",
            "RS093",
            "a cost is negative",
            "action = destroy() to(character[sp <= -2]@oppRing)",
        ),
        (
            Triggered,
            "",
            "action = {F}: steal(character@oppRing)",
            "RS078",
            "gets the ability",
            "action = {F}: steal() from(character@oppRing)",
        ),
        (
            Action,
            "All your characters gain 100 BP.",
            "action = bp(+100) to(character@myRing)",
            "RS093",
            "the card's text says all",
            "action = bp(+100) to(characters@myRing)",
        ),
        (
            Action,
            "Each of your characters gains 100 BP.",
            "action = bp(+100) to(character@myRing)",
            "RS093",
            "the card's text says all",
            "action = bp(+100) to(characters@myRing)",
        ),
        (
            Auto,
            "At the end of each turn, it gains 100 BP.",
            "auto = ~endPhase~ bp(+100)",
            "RS093",
            "every player's",
            "auto = ~anyEndPhase~ bp(+100)",
        ),
        (
            Action,
            "",
            "action = bp(+100) to(characters[student & guard]@myRing)",
            "RS052",
            "one subtype",
            "action = bp(+100) to(characters[student, guard]@myRing)",
        ),
        (
            Action,
            "",
            "action = swapChars() to(character@myRing; character@oppRing)",
            "RS060",
            "different rings",
            "action = swapChars() to(<2>character@sameRing)",
        ),
        (
            Action,
            "Put a character on top of its player's deck.",
            "action = moveTo(ctrlDeck, 1) to(character@oppRing)",
            "RS093",
            "says on top",
            "action = moveTo(ctrlDeck, 0) to(character@oppRing)",
        ),
        (
            Auto,
            "The opponent loses 100 HP at the end of their turn.",
            "auto = ~oppEndPhase~ loseLife(100) to(opp)",
            "RS061",
            "means the card's own player",
            "",
        ),
    ]);
    silent(&[
        (
            Auto,
            "The opponent loses 100 HP at the end of their turn.",
            "auto = ~oppEndPhase~ loseLife(100) to(me)",
        ),
        (
            Auto,
            "Whenever you take combat damage, draw a card.",
            "auto = ~playerCombatDamaged:any~ [[if trigger.controller != this.controller]] \
             draw(1) to(this.controller)",
        ),
        (
            Action,
            "",
            "action = damage(300) to(character@oppRing); [[if prevTgt.0.bp <= 0]] draw(1)",
        ),
        (Reaction, "", "action = damage(300) to(character[attack]@oppRing)"),
        (
            Auto,
            "At the end of each of your turns, it gains 100 BP.",
            "auto = ~endPhase~ bp(+100)",
        ),
        (Auto, "", "auto = ~handChanges~ [[if me.hand.size < 3]] draw(1)"),
    ]);
}

/// Of cards with a text and a rule those of which a code is not found, or is found still once its fixes are
/// applied.
#[track_caller]
fn reported(table: &[(Kind, &str, &str, &str)]) {
    let mut out = String::new();
    for (kind, text, rule, code) in table {
        let all = found(*kind, text, rule);
        let of_code: Vec<Diagnostic> = all.iter().filter(|one| one.code.0 == *code).cloned().collect();
        let says_what_to_do = of_code.iter().all(|one| one.help.is_some() || one.fix.is_some());
        if of_code.is_empty() || !says_what_to_do {
            out += &format!(
                "{kind:?} {rule:?} {text:?}\n  wanted {code}\n  said   {}\n",
                lines(&all)
            );
            continue;
        }
        if of_code.iter().all(|one| one.fix.is_none()) {
            continue;
        }
        let file = format!("[{CARD}]\n{rule}\n");
        let (after, _) = apply_fixes(FileId(0), &file, &of_code, Safety::Unsafe);
        let after = after.trim_start_matches(&format!("[{CARD}]\n")).trim_end();
        let left = found(*kind, text, after);
        if left.iter().any(|one| one.code.0 == *code) {
            out += &format!("{kind:?} {rule:?} mended {after:?}\n  said {}\n", lines(&left));
        }
    }
    assert_eq!(out, "", "{out}");
}

/// More mistakes of the same families: moments, order, events, words of the
/// text (RS089, RS090, RS092, RS093).
#[test]
fn families_of_slips() {
    reported(&[
        (
            Action,
            "One of your characters gains 300 BP until the end of the turn.",
            "action = bp(+300) to(character@myRing)",
            "RS093",
        ),
        (
            Action,
            "",
            "action = freeze() to(character[block]@oppRing)",
            "RS089",
        ),
        (
            Action,
            "",
            "action = removeFromAttack() to(character@oppRing)",
            "RS089",
        ),
        (
            Reaction,
            "",
            "action = damage(200) to(character[attack]@myRing)",
            "RS089",
        ),
        (
            Reaction,
            "",
            "action = bp(+200) to(character[block]@oppRing) oppUeot",
            "RS089",
        ),
        (
            Action,
            "The opponent cannot play actions until the end of their turn.",
            "action = +cantplayac to(opp) ueot",
            "RS089",
        ),
        (
            Action,
            "",
            "action = freeze() to(character@oppRing); +frosted to(prevTgt.0) ueot",
            "RS089",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = freeze(); +frosted ueot",
            "RS089",
        ),
        (Action, "", "action = disableRule(attack) to(opp) ueot", "RS089"),
        (Reaction, "", "action = playExtraChar()", "RS089"),
        (
            Reaction,
            "",
            "action = +unblockable to(character@myRing) oppUeot",
            "RS089",
        ),
        (Auto, "", "auto = ~myEndPhase~ +pierce to(this) ueot", "RS089"),
        (
            Auto,
            "",
            "auto = ~myActivatePhase~ damage(200) to(character[attack]@oppRing)",
            "RS089",
        ),
        (
            Auto,
            "",
            "auto = ~attacks~ damage(200) to(character[attack]@oppRing)",
            "RS089",
        ),
        (Auto, "", "auto = ~endPhase~ bp(+300) ueot", "RS089"),
        (
            Triggered,
            "",
            "action = {F}: unite() to(<2>character@myRing)",
            "RS089",
        ),
        (
            Triggered,
            "",
            "action = {F}: +cantattack to(character@oppRing) ueot",
            "RS089",
        ),
        (
            Action,
            "",
            "action = sp(-opp.sp) to(opp); sp(opp.sp) to(me)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = destroy() to(characters@oppRing); damage(100 * opp.ring.size) to(opp)",
            "RS090",
        ),
        (Action, "", "action = {D(all)}: draw(me.hand.size)", "RS090"),
        (
            Action,
            "",
            "action = movePile(hand, deck); draw(me.hand.size)",
            "RS090",
        ),
        (Triggered, "", "action = {S}: damage(this.bp) to(opp)", "RS090"),
        (
            Triggered,
            "",
            "action = {S(^character)}: damage(sacrificed.0.bp) to(opp)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = destroy() to(character@oppRing); hp(destroyed.0.bp)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = discard(all); [[if me.hand.size == 0]] draw(2)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = moveTo(deck) to(*s@hand) & shuffle(); draw(me.hand.size)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = trash(3) to(opp); draw(discarded.size)",
            "RS044",
        ),
        (
            Action,
            "",
            "action = moveTo(ctrlHand) to(characters@oppRing); draw(destroyed.size)",
            "RS044",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = draw(2)",
            "RS091",
        ),
        (
            Action,
            "",
            "action = destroy() to(character@oppRing) & bp(+100)",
            "RS090",
        ),
        (
            Action,
            "",
            "action = freeze() to(character@oppRing); bp(-100) to(tgt)",
            "RS064",
        ),
        (
            Triggered,
            "Double this character's BP.",
            "action = {F}: bp(+this.bp * 2)",
            "RS088",
        ),
        (Action, "", "action = sp(me.sp * 2)", "RS088"),
        (Action, "", "action = hp(2 * me.hp) to(me)", "RS088"),
        (
            Triggered,
            "Freeze this character: the opponent loses 2 SP.",
            "action = {F}: sp(+2) to(opp)",
            "RS093",
        ),
        (
            Triggered,
            "Freeze this character: its BP becomes 500.",
            "action = {F}: bp(500)",
            "RS093",
        ),
        (Action, "Gain 300 HP.", "action = hp(-300)", "RS093"),
        (Action, "Draw two cards.", "action = draw(3)", "RS093"),
        (
            Action,
            "If you have more than 3 cards in hand, gain 2 SP.",
            "action = [[if me.hand.size >= 3]] sp(+2)",
            "RS093",
        ),
        (
            Action,
            "KO an enemy character with 500 BP or less.",
            "action = destroy() to(character[bp < 500]@oppRing)",
            "RS093",
        ),
        (
            Action,
            "KO an enemy character with 500 BP or less.",
            "action = destroy() to(character[bp <= 500])",
            "RS093",
        ),
        (
            Action,
            "Freeze two enemy characters.",
            "action = freeze() to(character@oppRing)",
            "RS093",
        ),
        (
            Action,
            "Freeze up to two enemy characters.",
            "action = freeze() to(<2>character@oppRing)",
            "RS093",
        ),
        (
            Action,
            "An enemy character freezes.",
            "action = freeze() to(characters@oppRing)",
            "RS093",
        ),
        (
            Action,
            "Every enemy character loses 100 BP.",
            "action = bp(-100) to(character@oppRing)",
            "RS093",
        ),
        (
            Triggered,
            "Freeze this character: another of your characters gains 100 BP.",
            "action = {F}: bp(+100) to(character@myRing)",
            "RS093",
        ),
        (
            Action,
            "The opponent discards a card.",
            "action = discard()",
            "RS093",
        ),
        (
            Action,
            "The opponent discards a card at random.",
            "action = discard() to(opp)",
            "RS093",
        ),
        (
            Action,
            "A random enemy character is KOed.",
            "action = destroy() to(character@oppRing)",
            "RS093",
        ),
        (Action, "The opponent draws a card.", "action = draw(1)", "RS093"),
        (
            Action,
            "Put an enemy character on the bottom of its player's deck.",
            "action = moveTo(ctrlDeck) to(character@oppRing)",
            "RS093",
        ),
        (
            Action,
            "Shuffle an enemy character into its player's deck.",
            "action = moveTo(ctrlDeck) to(character@oppRing)",
            "RS093",
        ),
        (
            Action,
            "Put a character second from the top of its player's deck.",
            "action = moveTo(ctrlDeck, 2) to(character@oppRing)",
            "RS093",
        ),
        (
            Action,
            "Return an enemy character to its player's hand.",
            "action = moveTo(hand) to(character@oppRing)",
            "RS062",
        ),
        (
            Auto,
            "At the end of the opponent's turn, draw a card.",
            "auto = ~endPhase~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "At the end of your turn, draw a card.",
            "auto = ~anyEndPhase~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "At the beginning of your turn, draw a card.",
            "auto = ~endPhase~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "At the start of your turn, gain 1 SP.",
            "auto = ~myCleanupPhase~ sp(+1)",
            "RS093",
        ),
        (
            Auto,
            "When it attacks, draw a card.",
            "auto = ~blocks~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "When it counters, it gains 100 BP.",
            "auto = ~blocked~ bp(+100)",
            "RS093",
        ),
        (
            Auto,
            "When it is countered, gain 1 SP.",
            "auto = ~blocks~ sp(+1) to(this.controller)",
            "RS093",
        ),
        (
            Auto,
            "When it leaves the ring, draw a card.",
            "auto = ~removed~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "Whenever an enemy character attacks, gain 1 SP.",
            "auto = ~oppAttacks:any~ sp(+1) to(this.controller)",
            "RS085",
        ),
        (
            Auto,
            "",
            "auto = ~leavesRing:any~ destroy() to(character@oppRing)",
            "RS092",
        ),
        (
            Auto,
            "",
            "auto = ~ringChanges~ destroy() to(character@myRing)",
            "RS092",
        ),
        (Auto, "", "auto = ~handChanges~ discard()", "RS092"),
        (Auto, "", "auto = ~anyHandChanges~ draw(1)", "RS092"),
        (Auto, "", "auto = ~oppHandChanges~ discard() to(me)", "RS092"),
        (
            Auto,
            "",
            "auto = ~powerless:any~ loseAbility() to(character)",
            "RS092",
        ),
        (
            Auto,
            "",
            "auto = ~removed:any~ moveTo(removed) to(*<1>@discards)",
            "RS092",
        ),
        (
            Auto,
            "Whenever you draw a card, gain 1 SP.",
            "auto = ~handChanges~ sp(+1)",
            "RS093",
        ),
        (
            Auto,
            "At the end of your turn you may draw a card.",
            "auto = ~endPhase~ draw(1)",
            "RS093",
        ),
        (
            Auto,
            "Cannot block while your hand is empty.",
            "auto = ?beforeBlock? [[if me.hand.size == 0]]",
            "RS081",
        ),
        (
            Auto,
            "The opponent cannot play actions while they have 3 or more cards.",
            "auto = ?oppBeforePlayAC? [[if me.hand.size >= 3]]",
            "RS081",
        ),
        (
            Auto,
            "The first time it attacks, draw a card.",
            "auto = ~attacks~ draw(1)",
            "RS093",
        ),
        (
            Action,
            "Discard an action that costs 3 SP or less.",
            "action = discard(action[sp <= 3])",
            "RS093",
        ),
        (Action, "", "abilities = rush", "RS014"),
        (Action, "", "action = alterCost(action, +1) to(opp)", "RS087"),
        (Action, "", "action = swapPiles(hand, discards) to(opp)", "RS063"),
        (Action, "", "action = swapChars() to(<2>character)", "RS060"),
        (Action, "", "action = bp(+100) to(student[guard]@myRing)", "RS052"),
        (Auto, "", "auto = ~attacks~\nabilities = rush", "RS076"),
        (Auto, "", "auto = ?canBlock:this?", "RS076"),
        (Action, "", "when = attacks\naction = draw(1)", "RS001"),
        (Action, "", "cost = {D}\naction = draw(2)", "RS001"),
        (
            Triggered,
            "Sacrifice another character: draw two cards.",
            "action = {S(character)}: draw(2)",
            "RS088",
        ),
    ]);
}

/// What looks alike and is right.
#[test]
fn twins_of_slips() {
    silent(&[
        (Action, "", "action = +cantplayac to(opp) oppUeot"),
        (Action, "", "action = +cantplayre to(opp) ueot"),
        (Action, "", "action = +unblockable to(character@myRing) ueot"),
        (Action, "", "action = +cantblock to(character@oppRing) ueot"),
        (Action, "", "action = +frosted to(character@oppRing) oppUeot"),
        (Action, "", "action = disableRule(attack) ueot"),
        (Action, "", "action = disableRule(attack) to(opp) oppUeot"),
        (
            Reaction,
            "",
            "action = +cantattack to(character[attack]@oppRing) oppUeot",
        ),
        (
            Reaction,
            "",
            "action = bp(+300) to(character[block]@myRing) oppUeot",
        ),
        (
            Reaction,
            "",
            "action = removeFromAttack() to(character[attack]@oppRing)",
        ),
        (Auto, "", "auto = ~attacks~ +pierce to(this) ueot"),
        (
            Auto,
            "",
            "auto = ~myEndPhase~ +cantattack to(characters@oppRing) oppUeot",
        ),
        (
            Auto,
            "",
            "auto = ~myCleanupPhase~ bp(+100) to(characters[attack]@myRing)",
        ),
        (
            Auto,
            "",
            "auto = ~blockPhase~ bp(+100) to(characters[uattack]@myRing) ueot",
        ),
        (Action, "", "action = discard(all) to(opp); draw(me.hand.size)"),
        (
            Action,
            "",
            "action = discard(all); draw(3); [[if me.hand.size > 2]] hp(+100)",
        ),
        (
            Action,
            "",
            "action = [[if me.ring.size == 1]] discard(all); draw(me.hand.size)",
        ),
        (Action, "", "action = sp(-opp.sp) to(opp); sp(opp.lostSP) to(me)"),
        (
            Action,
            "",
            "action = destroy() to(character@oppRing); damage(100 * opp.ring.size) to(opp)",
        ),
        (
            Triggered,
            "",
            "action = {S(^character)}: damage(sacrificed.0.lastBP) to(opp)",
        ),
        (Triggered, "", "action = {S(character)}{F}: bp(+300)"),
        (Triggered, "", "action = {S(character)}: draw(2)"),
        (Triggered, "", "action = {F}: bp(this.bp)"),
        (
            Triggered,
            "Freeze this character: it gains three times its BP.",
            "action = {F}: bp(this.bp * 3)",
        ),
        (Triggered, "", "action = {F}: bp(-this.bp / 2)"),
        (
            Action,
            "",
            "target = character@oppRing\naction = damage(tgt.0.bp / 2) to(opp)",
        ),
        (
            Action,
            "",
            "target = character@oppRing\naction = destroy(); draw(1)",
        ),
        (Auto, "", "auto = ~handChanges:once~ draw(1)"),
        (Auto, "", "auto = ~oppHandChanges~ draw(1)"),
        (
            Auto,
            "",
            "auto = ~attacks:any~ [[if trigger.controller != this.controller]] sp(+1) to(this.controller)",
        ),
        (
            Auto,
            "Once in the duel, when it attacks, draw a card.",
            "auto = ~attacks:once~ draw(1)",
        ),
        (
            Auto,
            "Cannot attack unless it is alone.",
            "auto = ?beforeAttack? [[if alone]]",
        ),
        (
            Auto,
            "Can attack only while you have 3 or more cards.",
            "auto = ?beforeAttack? [[if me.hand.size >= 3]]",
        ),
        (
            Auto,
            "At the end of each turn, it gains 100 BP.",
            "auto = ~anyEndPhase~ bp(+100)",
        ),
        (
            Auto,
            "At the end of your turn you may draw a card.",
            "auto = ~endPhase~ [[may]] draw(1)",
        ),
        (
            Action,
            "Draw a card for each of your characters.",
            "action = draw(me.ring.size)",
        ),
        (
            Action,
            "All your characters gain 100 BP.",
            "action = bp(+100) to(characters@myRing)",
        ),
        (
            Action,
            "One of your characters gains 100 BP.",
            "action = bp(+100) to(character@myRing)",
        ),
        (
            Action,
            "Each player discards a card.",
            "action = discard() to(players)",
        ),
        (
            Action,
            "You and the opponent discard a card.",
            "action = discard() to(players)",
        ),
        (
            Action,
            "The opponent discards a card.",
            "action = discard() to(opp)",
        ),
        (
            Action,
            "Discard a card. The opponent discards two cards.",
            "action = discard(); discard(2) to(opp)",
        ),
        (
            Action,
            "KO a character that gives 2 SP or more.",
            "action = destroy() to(character[sp >= 2])",
        ),
        (
            Action,
            "An enemy character loses 300 BP until the end of the turn.",
            "action = bp(-300) to(character@oppRing) ueot",
        ),
        (
            Action,
            "Put a character on the bottom of its player's deck.",
            "action = moveTo(ctrlDeck, -1) to(character)",
        ),
        (
            Auto,
            "The opponent's characters lose 100 BP.",
            "auto = ~oppActivatePhase~ bp(-100) to(characters@myRing)",
        ),
        (
            Auto,
            "At the end of each player's turn, that player loses 100 HP.",
            "auto = ~anyEndPhase~ loseLife(100) to(me)",
        ),
        (Action, "", "action = swapChars() to(<2>character@myRing)"),
        (
            Action,
            "",
            "action = bp(+100) to(characters[student, guard]@myRing)",
        ),
    ]);
}

/// Thirty more mistakes of somebody who has read the book alone: those that `check` was silent or
/// vague about (D35, G80, G252, G259, R408, R422, R601, R622, R1015, R1102).
#[test]
fn slips_of_another_reader() {
    told(&[
        (
            Auto,
            "The opponent's actions cost 1 SP more.",
            "auto = ~oppBeforePayCostAction~ modCost(action, +1)",
            "RS093",
            "makes it cheaper",
            "auto = ~oppBeforePayCostAction~ modCost(action, -1)",
        ),
        (
            Auto,
            "This character cannot attack.",
            "abilities = cantattack",
            "RS093",
            "may still join a United Attack",
            "",
        ),
        (
            Reaction,
            "All attacking characters lose 100 BP.",
            "action = bp(-100) to(characters[attack]@oppRing)",
            "RS093",
            "leaves out who follows",
            "action = bp(-100) to(characters[attack, uattack]@oppRing)",
        ),
        (
            Action,
            "Both players draw a card.",
            "action = draw(1) to(me, opp)",
            "RS093",
            "says both",
            "action = draw(1) to(players)",
        ),
        (
            Action,
            "You and the opponent draw a card.",
            "action = draw(1) to(me; opp)",
            "RS093",
            "says both",
            "action = draw(1) to(players)",
        ),
        (
            Triggered,
            "Gains 200 BP, and an enemy character freezes.",
            "action = bp(+200) & freeze() to(character@oppRing)",
            "RS093",
            "gives it to this card",
            "action = bp(+200); freeze() to(character@oppRing)",
        ),
        (
            Action,
            "Draw a card. The opponent loses 100 HP.",
            "action = draw(1) & loseLife(100) to(opp)",
            "RS093",
            "gives it to you",
            "action = draw(1); loseLife(100) to(opp)",
        ),
        (
            Action,
            "Draw a card. If you have only one character, draw two more.",
            "action = draw(1); [[if alone]] draw(2)",
            "RS072",
            "an action card is in no ring",
            "action = draw(1); [[if me.ring.size == 1]] draw(2)",
        ),
        (
            Auto,
            "Whenever it is backed up, draw a card.",
            "auto = ~backedUp~ draw(1)",
            "RS093",
            "any of your characters",
            "auto = ~backedUp:this~ draw(1)",
        ),
        (
            Auto,
            "You take 100 damage less from action cards.",
            "auto = ~myBeforeDamage:action~ modDamage(-100)",
            "RS093",
            "write `oppBeforeDamage`",
            "auto = ~oppBeforeDamage:action~ modDamage(-100)",
        ),
        (
            Action,
            "Deals 100 damage to each enemy character.",
            "action = each(char in opp.ring => damage(100))",
            "RS066",
            "`damage(100) to(characters@oppRing)` without `each`",
            "",
        ),
        (
            Action,
            "Deals 100 damage to each enemy character.",
            "action = each(char in opp.ring => damage(100)) to(opp)",
            "RS093",
            "`opp` is the player",
            "action = damage(100) to(characters@oppRing)",
        ),
        (
            Action,
            "",
            "action = each(char in opp.ring => damage(100)) to(characters@oppRing)",
            "RS088",
            "each time on all of them",
            "",
        ),
        (
            Action,
            "This turn, your attackers pierce.",
            "action = enableRule(piercing) to(me) ueot",
            "RS076",
            "on from the start",
            "",
        ),
        (
            Triggered,
            "Draw a card for each enemy character.",
            "action = draw(getTargets('character@oppRing').size)",
            "RS088",
            "lets the player choose one",
            "action = draw(getTargets('characters@oppRing').size)",
        ),
        (
            Action,
            "",
            "action = freeze() to(character@infront)",
            "RS083",
            "stands in no ring",
            "",
        ),
        (
            Triggered,
            "",
            "action = freeze() to(character@oppRing); draw(1); damage(100) to(prevTgt)",
            "RS064",
            "`prevTgt` is empty here",
            "",
        ),
    ]);
}

/// Beside each of those slips, what is right.
#[test]
fn twins_of_another_readers_slips() {
    silent(&[
        (
            Auto,
            "The opponent's actions cost 1 SP less.",
            "auto = ~oppBeforePayCostAction~ modCost(action, +1)",
        ),
        (
            Auto,
            "Cannot attack alone or lead a United Attack.",
            "abilities = cantattack",
        ),
        (
            Auto,
            "This character cannot attack.",
            "auto = ?beforeAttack? [[if false]]",
        ),
        (
            Reaction,
            "An attacking character, alone or leading, loses 100 BP.",
            "action = bp(-100) to(character[attack]@oppRing)",
        ),
        (
            Action,
            "One of the players draws a card.",
            "action = draw(1) to(me, opp)",
        ),
        (
            Triggered,
            "An enemy character gains 200 BP and freezes.",
            "action = bp(+200) & freeze() to(character@oppRing)",
        ),
        (
            Action,
            "The opponent draws a card and loses 100 HP.",
            "action = draw(1) & loseLife(100) to(opp)",
        ),
        (Triggered, "", "action = [[if alone]] draw(1)"),
        (
            Auto,
            "Whenever a character of yours is backed up, draw a card.",
            "auto = ~backedUp~ draw(1)",
        ),
        (
            Auto,
            "Your action cards deal 100 damage less.",
            "auto = ~myBeforeDamage:action~ modDamage(-100)",
        ),
        (
            Action,
            "Deals 100 damage to the opponent for each enemy character.",
            "action = each(char in opp.ring => damage(100)) to(opp)",
        ),
        (Action, "", "action = disableRule(piercing) ueot"),
        (Action, "", "action = draw(getTargets('characters@oppRing').size)"),
        (Triggered, "", "action = freeze() to(character@infront)"),
        (
            Action,
            "",
            "action = freeze() to(character@oppRing); damage(100) to(prevTgt); draw(1)",
        ),
    ]);
}
