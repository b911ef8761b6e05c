//! Section 11 of the game's rules: events, hooks, listeners.

use cw_duel::{DuelEvent, Lasts, Seat};
use cw_program::EventName;

use cw_stage::{check, go, holds, start, triggered};

/// G174, GQ20, G173: what a departure does to the state happens at once; its events wait for the end
/// of the unit.
#[test]
fn state_at_once_events_later() {
    let cards = "
        Ears auto: auto = ~anyRingChanges~ sp(=me.sp * 10) to(me)
        Burn action: action = destroy() to(\"Foe\"); sp(+1 + opp.ring.size) to(me)
    ";
    // One left of two when the second statement runs: 2, and 20 only afterwards.
    check(
        cards,
        "me Ears; opp Foe Fiend; me.hand Burn",
        "play Burn",
        "me.sp 2; opp.ring . Fiend300",
    );
    // The ring that changed is the opponent's: the opponent raises the event (G189).
    let cards = cards.replace("sp(=me.sp * 10) to(me)", "sp(=opp.sp * 10) to(opp)");
    check(
        &cards,
        "me Ears; opp Foe Fiend; me.hand Burn",
        "play Burn",
        "me.sp 20",
    );
}

/// G175: every other event is dispatched in the middle of what causes it, and runs to its end first.
#[test]
fn events_run_in_the_middle() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Echo auto: auto = ~powerless:any~ sp(=me.sp * 10) to(me)
        Hush action: action = sp(+1) to(me); loseAbility() to(\"Well\"); sp(+1) to(me)
    ";
    check(
        cards,
        "me Well Echo; me.hand Hush",
        "play Hush",
        "me.sp 11; me.ring Well300- Echo300",
    );
}

/// G176, G29: a listener knows its card, whose ability it runs, its events and its controller; a timed
/// change its source and its end.
#[test]
fn listeners_are_records() {
    let cards = "
        Bell auto: auto = ~endPhase, oppRingChanges:once~ hp(+1) to(me)
        Spur action: action = +pierce to(\"Bell\") oppUeot
        Ape action: target = \"Bell\";; vars = _b := tgt.0;; action = copyAbility(_b) to(\"Rook\")
    ";
    let mut play = start(cards, "me Bell Rook; me.hand Spur Ape");
    go(&mut play, "play Spur, play Ape");
    let truth = play.duel.snapshot();
    let bell = play.duel.game().find("Bell");
    let names: Vec<&str> = truth
        .listeners
        .iter()
        .map(|listener| play.name(listener.card))
        .collect();
    assert_eq!(names, ["Bell", "Rook"]);
    for listener in &truth.listeners {
        assert_eq!(Some(listener.model), bell);
        assert_eq!(listener.controller, Seat::One);
        assert_eq!(listener.events, [EventName::EndPhase, EventName::RingChanges]);
    }
    assert!(
        truth.changes.iter().any(|change| {
            let source = change.source.map(|card| play.name(card));
            change.lasts == Lasts::UntilCleanup(Seat::Two) && source == Some("Spur")
        }),
        "{:?}",
        truth.changes
    );
}

/// G177, R801, R915: what is there already is not registered again.
#[test]
fn nothing_is_registered_twice() {
    let cards = "
        Spur auto: auto = ~activatePhase, endPhase~ +pierce to(\"Rook\")
        Twin auto: auto = ~endPhase, endPhase~ hp(+100) to(me)
    ";
    let play = check(
        cards,
        "phase activate; me Rook Spur",
        "pass, pass",
        "turn 4; changes 1; me.ring Rook300~pierce Spur300",
    );
    // Once before the first decision, and once now.
    assert_eq!(triggered(&play, "Spur"), 1);
    check(cards, "phase end; me Twin", "", "me.hp 3100; listeners 1");
}

/// G178, R909, GQ53: several events, each with its own prefix; an unknown suffix is a condition on the
/// event's card, of that event alone.
#[test]
fn event_names_carry_conditions() {
    let cards = "
        Toll auto: auto = ~beforePayCostAction:action, endPhase~ hp(+100) to(me)
        Fan auto: auto = ~myBackedUp:char~ hp(+100) to(me)
        Foil auto: auto = ~myBackedUp:action~ hp(+100) to(me)
        Ring auto: auto = ~anyBeforeDamage:reaction, oppEndPhase~ hp(+100) to(me)
        Zap action: action = damage(100) to(opp)
    ";
    check(cards, "phase end; me Toll", "", "me.hp 3100");
    check(
        cards,
        "me Fan Rook; me.hand Aid",
        "back Aid, to Rook",
        "me.hp 3100",
    );
    check(
        cards,
        "me Foil Rook; me.hand Aid",
        "back Aid, to Rook",
        "me.hp 3000",
    );
    // The action's damage is no reaction's; the opponent's End phase is heard all the same. There
    // `me` is the opponent (D5).
    check(
        cards,
        "me Ring; me.hand Zap",
        "play Zap, pass, pass, pass",
        "turn 5; me.hp 3000; opp.hp 3000",
    );
}

/// G179, GQ19, R509: a condition on the hand's size listens to changes of that hand.
#[test]
fn a_condition_on_the_hand_listens_to_it() {
    let cards = "
        Bare auto: auto = [[if me.hand.size == 0]] hp(+100) to(me)
        Full auto: auto = [[if opp.hand.size >= 2]] hp(+1) to(me)
        Spark action: action = sp(+1) to(me)
        Gift action: action = draw(2) to(opp)
    ";
    let play = check(cards, "me Bare; me.hand Spark", "play Spark", "me.hp 3100");
    assert_eq!(triggered(&play, "Bare"), 1);
    // `oppHandChanges`: raised by the opponent, who is `me` then; its opponent has no cards.
    let play = check(cards, "me Full; me.hand Gift", "play Gift", "me.hp 3000");
    assert_eq!(triggered(&play, "Full"), 2);
    // It does not run on entering.
    check(cards, "me Bare", "", "me.hp 3000");
}

/// G180, G184, GQ24, D5: who raises an event executes what it triggers: `me` is that player.
#[test]
fn the_dispatcher_executes() {
    let cards = "
        Mine auto: auto = ~endPhase~ hp(+100) to(me)
        Theirs auto: auto = ~oppEndPhase~ hp(+10) to(me)
        Both auto: auto = ~anyEndPhase~ hp(+1) to(me)
        Hold auto: auto = ~anyEndPhase~ draw()
    ";
    check(
        cards,
        "phase end; me Mine Theirs Both",
        "pass, pass",
        "turn 5; me.hp 3101; opp.hp 3011",
    );
    // A command without target acts on the source's real controller (G180, D27).
    check(
        cards,
        "phase end; active opp; turn 4; me Hold",
        "",
        "me.hand filler filler; turn 5; opp.hand",
    );
    // Combat: both fighters' events belong to the attacker, blocks as well as blocked.
    let cards = "
        Wall auto 300: auto = ~blocks:this~ sp(+1) to(me)
        Rook auto 300: auto = ~blocked:this~ sp(+10) to(me)
    ";
    check(
        cards,
        "phase attack; me Rook; opp Wall",
        "attack Rook, pass, block Wall, pass",
        "me.sp 11; opp.sp 0",
    );
}

/// G182, G190, D20: without suffix and with `:this` an object event is about this card; with `:any`
/// about every card, of both sides; an event without object is heard by its scope.
#[test]
fn objects_and_suffixes() {
    let listener = |event: &str| {
        format!("Ear auto: auto = ~{event}~ sp(+1) to(me)\nSpark action: action = damage(100) to(opp)")
    };
    let fight = |event: &str, facts: &str| {
        check(
            &listener(event),
            "phase attack; me Ear Rook",
            "attack Ear, attack Rook, pass, pass",
            facts,
        );
    };
    fight("attacks", "me.sp 1");
    fight("attacks:this", "me.sp 1");
    fight("attacks:fromThis", "me.sp 1");
    fight("oppAttacks", "me.sp 1");
    fight("attacks:any", "me.sp 2");
    fight("oppAttacks:any", "me.sp 2");
    let foreign = |event: &str, facts: &str| {
        check(
            &listener(event),
            "phase attack; me Rook; opp Ear",
            "attack Rook, pass, pass",
            facts,
        );
    };
    foreign("attacks", "me.sp 0");
    foreign("attacks:any", "me.sp 1");
    // G190: damage of an action has no object; `:this` means that this card deals it.
    let dealt = |event: &str, facts: &str| {
        check(&listener(event), "me Ear; me.hand Spark", "play Spark", facts);
    };
    dealt("beforeDamage", "me.sp 1");
    dealt("oppBeforeDamage", "me.sp 0");
    dealt("anyBeforeDamage", "me.sp 1");
    dealt("beforeDamage:this", "me.sp 0");
}

/// G183, G186, D19, GQ18: `:once` is used up when it ran, not by an event that did not concern it;
/// the listener behind it is not skipped.
#[test]
fn once_is_used_up_by_running() {
    let cards = "
        Once auto: auto = ~oppEndPhase:once~ hp(+100) to(opp)
        Next auto: auto = ~anyEndPhase~ hp(+1) to(opp)
        If auto: auto = ~anyEndPhase:once~ [[if me.sp >= 1]] hp(+100) to(opp)
    ";
    // Rounds: mine, theirs, mine, theirs. `opp` in the opponent's phase is the card's controller.
    let mut play = check(
        cards,
        "phase end; me Once Next",
        "",
        "turn 4; me.hp 3000; opp.hp 3001; listeners 2",
    );
    go(&mut play, "pass");
    holds(&play, "turn 5; me.hp 3101; listeners 1");
    go(&mut play, "pass, pass, pass");
    holds(&play, "turn 7; me.hp 3102; opp.hp 3002");
    // A false condition ran nothing: it waits.
    let mut play = check(
        cards,
        "phase end; me If; opp.sp 1",
        "",
        "opp.hp 3000; listeners 1",
    );
    go(&mut play, "pass");
    holds(&play, "turn 5; me.hp 3100; listeners 0");
}

/// G185, G261, GQ6: keywords are not silenced by a United Attack, autos are.
#[test]
fn keywords_work_in_a_united_attack() {
    let cards = "
        Ghost plain: abilities = unblockable
        Shy auto: auto = ?canBlock:this? [[if me.hp > 9000]]
        Lance auto 900: abilities = pierce
    ";
    let united = "attack Lead, join Fol, pass";
    for (lead, blocked) in [("Ghost", false), ("Shy", true)] {
        let play = check(
            cards,
            &format!("phase attack; me.sp 5; me {lead} Fol; opp Foe"),
            &format!("attack {lead}, join Fol, pass"),
            "asks CounterAttack",
        );
        let offered = cw_stage::offered(&play);
        assert_eq!(offered.contains(&"block Foe".to_owned()), blocked, "{lead}");
    }
    // Alone, the hook forbids as well.
    check(
        cards,
        "phase attack; me Shy; opp Foe",
        "attack Shy, pass, !block Foe",
        "",
    );
    check(
        cards,
        "phase attack; me.sp 5; me Lance Fol; opp Foe~preventpierce",
        &united
            .replace("Lead", "Lance")
            .replace("pass", "pass, block Foe, pass"),
        "opp.hp 2100",
    );
}

/// G187, G188, R911: the first false wins; a hook answers true only if something said so.
#[test]
fn how_hooks_answer() {
    let cards = "
        Yes auto: auto = ?canBlock:any? [[if me.hp > 0]]
        No auto: auto = ?canBlock:any? [[if me.hp > 9000]]
        Void auto: auto = ?canBlock:any? [[if me.removed.0.bp > 0]]
        Stop auto: auto = ~cancelCombatDamage:any~ sp(+1) to(me)
        Idle auto: auto = ~cancelCombatDamage:any~ [[if me.hp > 9000]] sp(+1) to(me)
    ";
    let blocks = |ring: &str, offered: bool| {
        let choice = if offered { "?block Foe" } else { "!block Foe" };
        check(
            cards,
            &format!("phase attack; me Rook {ring}; opp Foe"),
            &format!("attack Rook, pass, {choice}"),
            "",
        );
    };
    blocks("", true);
    blocks("Yes", true);
    blocks("Yes No", false);
    blocks("No Yes", false);
    // D19: a failed expression is false.
    blocks("Void", false);
    // G192, D19: exactly true cancels; an auto whose effects did not run says nothing.
    check(
        cards,
        "phase attack; me Rook Stop",
        "attack Rook, pass, pass",
        "opp.hp 3000; me.sp 1",
    );
    check(
        cards,
        "phase attack; me Rook Idle",
        "attack Rook, pass, pass",
        "opp.hp 2700; me.sp 0",
    );
    check(
        cards,
        "phase attack; me Rook",
        "attack Rook, pass, pass",
        "opp.hp 2700",
    );
}

/// G191, G147: `canBlock` has an object, so no prefix restricts it; `me` is the defender.
#[test]
fn can_block_is_asked_whatever_the_prefix() {
    for prefix in ["", "my", "opp", "any"] {
        let cards = format!("Guard auto: auto = ?{prefix}CanBlock:any? [[if me.sp >= 3]]");
        for (sp, offered) in [(2, "!block Foe"), (3, "?block Foe")] {
            for position in [
                format!("phase attack; me Rook Guard; opp Foe; opp.sp {sp}"),
                format!("phase attack; me Rook; opp Foe Guard^; opp.sp {sp}"),
            ] {
                check(&cards, &position, &format!("attack Rook, pass, {offered}"), "");
            }
        }
        // With `:this` only where this card is the attacker.
        let cards = cards.replace(":any", ":this");
        check(
            &cards,
            "phase attack; me Rook Guard; opp Foe",
            "attack Rook, pass, ?block Foe",
            "",
        );
        check(
            &cards,
            "phase attack; me Rook Guard; opp Foe",
            "attack Guard, pass, !block Foe",
            "",
        );
    }
}

/// G193, GQ54: the size of a hand is no card: `trigger` is not set by `handChanges`.
#[test]
fn a_number_is_no_trigger() {
    let cards = "
        Ear auto: auto = ~myHandChanges~ [[if trigger]] hp(+100) to(me) [[else]] hp(+1) to(me)
        Post auto: auto = ~myBackedUp~ [[if trigger]] hp(+100) to(me) [[else]] hp(+1) to(me)
        Spark action: action = sp(+1) to(me)
    ";
    check(cards, "me Ear; me.hand Spark", "play Spark", "me.hp 3001");
    check(
        cards,
        "me Post Rook; me.hand Aid",
        "back Aid, to Rook",
        "me.hp 3100",
    );
}

/// G194, G195, G118, R908: untimed listeners and changes end when the card leaves, loses its ability,
/// or gets another.
#[test]
fn untimed_listeners_end_with_the_ability() {
    let cards = "
        Lord auto: auto = disableRule(attack)
        Bell auto: auto = ~endPhase~ hp(+100) to(me)
        Plain auto: auto = ~activatePhase~ hp(+1) to(me)
        Cheap auto: auto = alterCost(action, +5)
        Frost auto: auto = ~activatePhase~ +frosted to(\"Rook\")
        Hush action: action = loseAbility() to(characters[powerful])
        Burn action: action = destroy() to(characters[powerful])
        Lift action: action = moveTo(ctrlHand) to(characters[powerful])
        Ape action: target = \"Plain\"@myDiscards;; vars = _p := tgt.0;; \
            action = copyAbility(_p) to(characters[powerful])
    ";
    for tool in ["Hush", "Burn", "Lift", "Ape"] {
        let position = |name: &str| format!("me {name} Rook; me.hand {tool}; me.discards Plain");
        // G195: the rule is put back.
        check(
            cards,
            &position("Lord"),
            &format!("play {tool}, pass, ?attack Rook"),
            "phase Attack",
        );
        let play = check(
            cards,
            &position("Bell"),
            &format!("play {tool}, pass, pass"),
            "me.hp 3000",
        );
        assert_eq!(triggered(&play, "Bell"), 0, "{tool}");
        check(cards, &position("Cheap"), &format!("play {tool}"), "changes 0");
    }
    check(
        cards,
        "phase activate; me Frost Rook^; me.hand Burn; me.turns 1",
        "play Burn, pass, pass",
        "turn 4; active me; me.ring . Rook300",
    );
    check(cards, "me Lord Rook", "pass, !attack Rook", "phase Attack");
}

/// G199, R804: `ueot` made in the opponent's turn lasts through one's own next turn; `oppUeot` ends
/// in the turn at hand.
#[test]
fn timed_effects_belong_to_their_maker() {
    let cards = "
        Long reaction: action = +pierce to(\"Rook\") ueot
        Short reaction: action = +pierce to(\"Rook\") oppUeot
    ";
    let mut play = check(
        cards,
        "phase attack; me Rook; opp.hand Long; opp.turns 0",
        "attack Rook, pass, play Long, pass",
        "turn 4; me.ring Rook300^~pierce",
    );
    go(&mut play, "pass");
    holds(&play, "turn 5; active me; me.ring Rook300");
    check(
        cards,
        "phase attack; me Rook; opp.hand Short",
        "attack Rook, pass, play Short, pass",
        "turn 4; me.ring Rook300^",
    );
}

/// G200, D16: an untimed grant on a character without rules text stays.
#[test]
fn a_grant_on_a_plain_character_stays() {
    let cards = "
        Spur action: action = +pierce to(\"Rook\")
        Spark action: action = sp(+1) to(me)
    ";
    check(
        cards,
        "me Rook; me.hand Spur Spark",
        "play Spur, play Spark, pass, pass, pass",
        "turn 5; me.ring Rook300~pierce",
    );
}

/// G201, R602, D27: without targets, player commands act on the source's controller, card commands on
/// the source, others on nothing; the opponent's cards go to the opponent's piles.
#[test]
fn default_targets() {
    let cards = "
        Any triggered: action = draw() & sp(+1) & hp(+10) & bp(+100)
        Bare action: action = damage(100) & freeze() & unfreeze()
        Foul action: action = destroy() to(\"Foe\")
        All action: action = sp(+1) to(players)
        Mix action: target = \"Rook\";; action = sp(+1)
    ";
    check(
        cards,
        "me Any; opp Foe",
        "use Any",
        "me.hand filler; me.sp 1; me.hp 3010; me.ring Any400%; opp.ring Foe300; opp.sp 0",
    );
    check(
        cards,
        "me Rook; me.hand Bare",
        "play Bare",
        "me.ring Rook300; me.hp 3000; opp.hp 3000",
    );
    check(
        cards,
        "opp Foe; me.hand Foul",
        "play Foul",
        "opp.discards Foe; me.discards Foul",
    );
    check(cards, "me.hand All", "play All", "me.sp 1; opp.sp 1");
    // A list that begins with a card means the controller of the source.
    check(cards, "opp Rook; me.hand Mix", "play Mix", "me.sp 1; opp.sp 0");
}

/// G189: `powerless` is raised by who executes, for a copy by the controller of the recipient.
#[test]
fn who_raises_powerless() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Echo auto: auto = ~powerless:any~ sp(+1) to(me)
        Hush action: action = loseAbility() to(\"Well\")
        Ape action: target = \"Well\"@myDiscards;; vars = _w := tgt.0;; \
            action = copyAbility(_w) to(\"Well\"@oppRing)
    ";
    check(
        cards,
        "me Echo; opp Well; me.hand Hush",
        "play Hush",
        "me.sp 1; opp.sp 0",
    );
    check(
        cards,
        "me Echo; opp Well; me.hand Ape; me.discards Well",
        "play Ape",
        "me.sp 0; opp.sp 1",
    );
}

/// D2: the events of a unit come one after another, each a unit of its own; what they cause joins the
/// end of the row.
#[test]
fn queued_events_wait_in_line() {
    let cards = "
        Ear auto: auto = ~myHandChanges~ hp(+100) to(me)
        Spark action: action = draw(2) to(me)
    ";
    let play = check(cards, "me Ear; me.hand Spark", "play Spark", "me.hp 3300");
    let order: Vec<&str> = play
        .events
        .iter()
        .filter_map(|event| match event {
            DuelEvent::Moved { .. } => Some("moved"),
            DuelEvent::Triggered { .. } => Some("heard"),
            _ => None,
        })
        .collect();
    assert_eq!(order, ["moved", "moved", "moved", "heard", "heard", "heard"]);
}

/// D68, D3, D19: an effect has run when a command was carried out, also one that found nothing to do
/// or failed.
#[test]
fn a_command_that_finds_nothing_has_run() {
    let cards = "
        Calm auto: auto = ~cancelCombatDamage~ freeze() to?(character[frozen]@oppRing)
        Vain auto: auto = ~cancelCombatDamage~ discard() to(opp)
        Idle auto: auto = ~cancelCombatDamage~ [[if me.hp < 0]] freeze() to?(character@oppRing)
        Once auto: auto = ~endPhase:once~ discard() to(opp)
        Spent instant: action = freeze() to?(character[frozen]@oppRing)
    ";
    for (name, left) in [("Calm", 3000), ("Vain", 3000), ("Idle", 2700)] {
        check(
            cards,
            &format!("phase attack; me {name}"),
            &format!("attack {name}, pass, pass"),
            &format!("opp.hp {left}"),
        );
    }
    check(cards, "me Once", "pass, pass", "turn 4; listeners 0");
    check(
        cards,
        "me.hand Spent",
        "play Spent, slot 1, !use Spent",
        "me.ring Spent300*%",
    );
}

/// D31, R908: a card that has left the table in the middle of its effect hears nothing of the rule
/// that it activates, but for `:once`.
#[test]
fn a_card_that_left_activates_no_listeners() {
    let cards = "
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Once auto: auto = ~endPhase:once~ hp(+10) to(me)
        Stay action: vars = _b := getTargets('characters@oppRing').0;; action = activate(_b)
        Gone action: vars = _b := getTargets('characters@oppRing').0;; \
            action = moveTo(deck) to(this); activate(_b)
    ";
    check(cards, "opp Bell; me.hand Gone", "play Gone", "listeners 1");
    check(cards, "opp Once; me.hand Gone", "play Gone", "listeners 2");
    check(cards, "opp Once; me.hand Stay", "play Stay", "listeners 2");
}
