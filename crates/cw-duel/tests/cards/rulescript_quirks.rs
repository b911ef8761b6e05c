//! What the quirks of section 14 of the language became: what is kept is kept, what is mended does
//! what it says. Most are one action card and what is so after it.

use cw_duel::{Choice, Phase, Question, Seat};
use cw_program::Keyword;
use cw_stage::{AUTO, DuelScene, Play, SceneCard, SceneCardKind, TRIGGERED, game};

use SceneCardKind::{Action, Character};

const FILLER: SceneCard = SceneCard("Filler", Character(300, None, ""));
const ROOK: SceneCard = SceneCard("Rook", Character(500, None, ""));
const KNAVE: SceneCard = SceneCard("Knave", Character(600, None, ""));
const NIMBLE: SceneCard = SceneCard("Nimble", Character(400, None, ""));
const IDLE: SceneCard = SceneCard("Idle", Action(""));

/// Rook stands against Knave and Nimble; the first player holds Deed, which has the rule, and a Filler,
/// the second an Idle and a Filler and 10 SP.
#[track_caller]
fn scene(rule: &'static str, more: Vec<SceneCard>) -> DuelScene {
    let mut cards = vec![FILLER, ROOK, KNAVE, NIMBLE, IDLE, SceneCard("Deed", Action(rule))];
    cards.extend(more);
    let mut scene = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Rook"])
        .ring(Seat::Two, &["Knave", "Nimble"])
        .hand(Seat::One, &["Deed", "Filler"])
        .hand(Seat::Two, &["Idle", "Filler"]);
    scene.position.players[Seat::Two].sp = 10;
    scene
}

/// Plays Deed, answers by name, and compares the facts, written as `me.hp 3000, opp.ring Knave600`.
#[track_caller]
fn check(rule: &'static str, answers: &[&str], facts: &str) {
    let mut play = scene(rule, Vec::new()).start();
    play.choose(Choice::Play, "Deed");
    for answer in answers {
        match *answer {
            "done" => play.answer(Choice::Done),
            name => play.choose(Choice::Card, name),
        };
    }
    is(&play, facts);
}

#[track_caller]
fn is(play: &Play, facts: &str) {
    for fact in facts.split(", ") {
        let (name, expected) = fact.split_once(' ').unwrap_or((fact, ""));
        assert_eq!(value(play, name), expected, "{name}");
    }
}

fn value(play: &Play, name: &str) -> String {
    let (seat, what) = name.split_once('.').expect("a seat and a fact");
    let seat = if seat == "me" { Seat::One } else { Seat::Two };
    let snapshot = play.duel.snapshot();
    let player = &snapshot.players[seat];
    match what {
        "hp" => player.hp.to_string(),
        "sp" => player.sp.to_string(),
        "hand" => player.hand.len().to_string(),
        "discards" => player.discards.len().to_string(),
        "ring" => {
            let all = player.ring.iter().flatten();
            let all: Vec<String> = all
                .map(|one| format!("{}{}", play.name(one.card), one.bp))
                .collect();
            all.join(" ")
        }
        _ => panic!("no fact is called `{what}`"),
    }
}

/// Passes until the phase of the turn begins.
#[track_caller]
fn pass_to(play: &mut Play, turn: u16, phase: Phase) {
    for _ in 0..20 {
        if play.duel.turn() > turn || (play.duel.turn() == turn && play.duel.phase() >= phase) {
            return;
        }
        play.pass();
    }
    panic!("turn {turn} never comes");
}

/// RQ2, R404: `&` between two names means one of each.
#[test]
fn one_of_each() {
    check(
        "action = damage(100) to(\"Knave\"&\"Nimble\")",
        &[],
        "opp.ring Knave500 Nimble300",
    );
}

/// RQ3, R401, R402: `,` with a keyword asks what is meant; plurals unite.
#[test]
fn comma_asks_or_unites() {
    check(
        "action = damage(100) to(\"Knave\"s,\"Nimble\"s)",
        &[],
        "opp.ring Knave500 Nimble300",
    );
    let mut play = scene("action = damage(100) to(opp,character@oppRing)", Vec::new()).start();
    play.choose(Choice::Play, "Deed");
    assert_eq!(play.question(), Question::Type);
}

/// RQ4, R413: nothing found with a pick is no failure; without a pick it ends the list.
#[test]
fn an_empty_pick_goes_on() {
    check(
        "action = moveTo(hand) to(reaction<1>@myDeck); hp(+100) to(me)",
        &[],
        "me.hp 3100",
    );
    check(
        "action = moveTo(hand) to(reaction@myDeck); hp(+100) to(me)",
        &[],
        "me.hp 3000",
    );
}

/// RQ5, R309: with nothing found for `to?` the default of the command holds.
#[test]
fn nothing_optional_means_the_default() {
    check("action = draw() to?(character[frozen]@oppRing)", &[], "me.hand 2");
}

/// RQ6, R622: `each` repeats on the targets of its statement.
#[test]
fn each_repeats_on_the_targets() {
    check(
        "action = each(card in opp.ring => damage(100)) to(\"Knave\")",
        &[],
        "opp.ring Knave400 Nimble400",
    );
}

/// RQ7, R1104: in an argument `tgt` is the first target and all of them.
#[test]
fn tgt_is_one_and_all() {
    check(
        "action = damage(tgt.bp / 6 + tgt.size) to(characters@oppRing)",
        &[],
        "opp.ring Knave498 Nimble298",
    );
}

/// RQ8: a hook's true allows.
#[test]
fn true_allows() {
    let duchess = SceneCard(
        "Duchess",
        Character(300, AUTO, "auto = ?canBlock:this? [[if blocker.bp < 500]]"),
    );
    let mut scene = scene("", vec![duchess]).ring(Seat::One, &["Duchess"]);
    scene.position.phase = Phase::Attack;
    let mut play = scene.start();
    play.choose(Choice::Attack, "Duchess").pass();
    let options = &play.duel.pending().expect("the defender decides").options;
    let blockers: Vec<&str> = options
        .iter()
        .filter_map(|choice| match choice {
            Choice::Block(card) => Some(play.name(*card)),
            _ => None,
        })
        .collect();
    assert_eq!(blockers, ["Nimble"]);
}

/// RQ9, R611: trashed cards lie in the discard pile.
#[test]
fn trash_is_discarded() {
    // Deed itself comes to them.
    check("action = trash(2) to(me)", &[], "me.discards 3");
}

/// RQ10, D32: `lostSP` is the last loss.
#[test]
fn the_last_loss_counts() {
    check(
        "action = sp(-3) to(opp); sp(-1) to(opp); hp(opp.lostSP * 100) to(me)",
        &[],
        "me.hp 3100, opp.sp 6",
    );
}

/// RQ11, R504: the first `if` ends everything when it is false; what was paid stays paid.
#[test]
fn a_false_first_condition_ends_all() {
    check(
        "action = {D}: [[if me.sp > 100]] draw(); hp(+100) to(me)",
        &[],
        "me.hp 3000, me.hand 0, me.discards 2",
    );
}

/// RQ12, R505: a condition that fails takes the ability back.
#[test]
fn a_failed_condition_takes_back() {
    let watcher = SceneCard(
        "Watcher",
        Character(
            300,
            AUTO,
            "auto = ~myHandChanges~ [[if me.hand.size >= 3]] +unblockable",
        ),
    );
    let waste = SceneCard("Waste", Action("action = discard(3)"));
    let mut play = scene("action = draw(3)", vec![watcher, waste])
        .ring(Seat::One, &["Watcher"])
        .hand(Seat::One, &["Deed", "Waste"])
        .start();
    let is_unblockable = |play: &Play| {
        let snapshot = play.duel.snapshot();
        let mut ring = snapshot.players[Seat::One].ring.iter().flatten();
        ring.any(|one| one.keywords.contains(&Keyword::Unblockable))
    };
    assert!(!is_unblockable(&play));
    play.choose(Choice::Play, "Deed");
    assert!(is_unblockable(&play), "four cards in hand");
    play.choose(Choice::Play, "Waste");
    while matches!(play.question(), Question::Discard { .. }) {
        play.choose(Choice::Card, "Filler");
    }
    assert_eq!(value(&play, "me.hand"), "0");
    assert!(!is_unblockable(&play), "no cards in hand");
}

/// RQ13, R503: what follows an `else` runs whichever branch ran.
#[test]
fn statements_behind_else_run() {
    check(
        "action = [[if me.sp > 100]] draw() [[else]] hp(+100) to(me); sp(+1) to(me)",
        &[],
        "me.hp 3100, me.sp 1, me.hand 1",
    );
    check(
        "action = [[if opp.sp > 1]] draw() [[else]] hp(+100) to(me); sp(+1) to(me)",
        &[],
        "me.hp 3000, me.sp 1, me.hand 2",
    );
}

/// RQ14, R603, R604: `discard` can fail, `destroy` of nobody cannot.
#[test]
fn only_discard_fails() {
    check("action = discard(reaction) && hp(+100) to(me)", &[], "me.hp 3000");
    check("action = discard(reaction) || hp(+100)", &[], "me.hp 3100");
    check(
        "action = draw(-1) && hp(+100) to(me)",
        &[],
        "me.hp 3100, me.hand 1",
    );
}

/// RQ15, R804: `ueot` ends in the owner's turn, `oppueot` in the opponent's.
#[test]
fn ueot_counts_the_owners_turn() {
    for (rule, after_mine, after_theirs) in [
        ("action = bp(+300) to(\"Rook\") ueot", "Rook500", "Rook500"),
        ("action = bp(+300) to(\"Rook\") oppUeot", "Rook800", "Rook500"),
    ] {
        let mut play = scene(rule, Vec::new()).start();
        play.choose(Choice::Play, "Deed");
        is(&play, "me.ring Rook800");
        pass_to(&mut play, 4, Phase::Main);
        assert_eq!(value(&play, "me.ring"), after_mine, "{rule}");
        pass_to(&mut play, 5, Phase::Main);
        assert_eq!(value(&play, "me.ring"), after_theirs, "{rule}");
    }
}

/// RQ1, RQ17, R301, R909: the one who raises the event runs the rule, so `me` is the opponent; and the
/// controller's own End phase does not use up an `opp…:once`.
#[test]
fn the_raiser_acts_and_once_waits() {
    let mut play = scene("auto = ~oppEndPhase:once~ hp(+100) to(me)", Vec::new()).start();
    play.choose(Choice::Play, "Deed");
    pass_to(&mut play, 4, Phase::Main);
    is(&play, "me.hp 3000, opp.hp 3000");
    pass_to(&mut play, 5, Phase::Main);
    is(&play, "me.hp 3000, opp.hp 3100");
    pass_to(&mut play, 7, Phase::Main);
    is(&play, "me.hp 3000, opp.hp 3100");
}

/// RQ18, R905: a `my` event needs the own turn.
#[test]
fn my_events_need_my_turn() {
    for (active, rule, hp) in [
        (Seat::One, "action = draw() to(me)", "me.hp 3200"),
        (Seat::Two, "action = draw() to(opp)", "me.hp 3000"),
    ] {
        let ear = SceneCard(
            "Ear",
            Character(300, AUTO, "auto = ~myHandChanges~ hp(+100) to(this.controller)"),
        );
        let mut scene = scene(rule, vec![ear])
            .ring(Seat::One, &["Ear"])
            .hand(active, &["Deed"]);
        scene.position.active = active;
        let mut play = scene.start();
        play.choose(Choice::Play, "Deed");
        is(&play, hp);
    }
}

/// RQ19, R906: of an event that is tied to a card the prefix says nothing.
#[test]
fn prefixes_of_object_events_say_nothing() {
    let boaster = SceneCard(
        "Boaster",
        Character(300, AUTO, "auto = ~oppAttacks:this~ hp(+100) to(me)"),
    );
    let mut scene = scene("", vec![boaster]).ring(Seat::One, &["Boaster"]);
    scene.position.phase = Phase::Attack;
    let mut play = scene.start();
    play.choose(Choice::Attack, "Boaster").pass();
    is(&play, "me.hp 3100");
}

/// RQ20, R1020: `in` asks for membership, except in `each`.
#[test]
fn in_is_membership() {
    check(
        "action = [[if this in me.ring]] hp(+100) to(me)",
        &[],
        "me.hp 3000",
    );
    check(
        "action = each(card.bp >= 600 in opp.ring => hp(+100)) to(me)",
        &[],
        "me.hp 3100",
    );
}

/// RQ21, R1003: `True` and `None` are known in any case.
#[test]
fn python_constants_are_known() {
    check(
        "action = [[if True and None == nil]] hp(+100) to(me)",
        &[],
        "me.hp 3100",
    );
}

/// RQ26, R422, D32: `bp:lowest`, a negated `powerful` and `oppLostSP` work.
#[test]
fn ignored_constructs_work() {
    check(
        "action = destroy() to(character[bp:lowest]@oppRing)",
        &[],
        "opp.ring Knave600",
    );
    check(
        "action = sp(-2) to(opp); [[if oppLostSP]] hp(+100) to(me)",
        &[],
        "me.hp 3100",
    );
    let singer = SceneCard("Singer", Character(500, AUTO, "abilities = frosted"));
    let mut play = scene(
        "action = damage(100) to(characters[-powerful]@oppRing)",
        vec![singer],
    )
    .ring(Seat::Two, &["Knave", "Singer"])
    .start();
    play.choose(Choice::Play, "Deed");
    is(&play, "opp.ring Knave500 Singer500");
}

/// RQ28, R412: a player who does not pass the filter is not found all the same.
#[test]
fn players_must_pass_the_filter() {
    check("action = damage(100) to(opp[sp >= 11])", &[], "opp.hp 3000");
    check("action = damage(100) to(opp[sp >= 10])", &[], "opp.hp 2900");
}

/// RQ32, R701, D4: nothing is paid unless all can be paid.
#[test]
fn costs_are_paid_together() {
    for frozen in [false, true] {
        let miller = SceneCard("Miller", Character(300, TRIGGERED, "action = {D}{F}: draw(2)"));
        let mut scene = DuelScene::new(game(&[FILLER, miller]), Phase::Main)
            .ring(Seat::One, &["Miller"])
            .hand(Seat::One, &["Filler"]);
        if let Some(Some(one)) = scene.position.players[Seat::One].ring.first_mut() {
            one.frozen = frozen;
        }
        let play = scene.start();
        let options = &play.duel.pending().expect("the duel goes on").options;
        let offered = options.iter().any(|choice| matches!(choice, Choice::Activate(_)));
        assert_eq!(offered, !frozen);
        is(&play, "me.hand 1");
    }
}

/// RQ33, R416: with a minimum of 0 the player is asked and may take nothing.
#[test]
fn nothing_may_be_chosen() {
    check(
        "action = damage(100) to(<0,2>character@oppRing); hp(+100) to(me)",
        &["done"],
        "me.hp 3100, opp.ring Knave600 Nimble400",
    );
    check(
        "action = damage(100) to(<0,2>character@oppRing); hp(+100) to(me)",
        &["Nimble"],
        "me.hp 3100, opp.ring Knave600 Nimble300",
    );
}

/// RQ34, R903: an auto that finds no target does not fall back to its card.
#[test]
fn autos_without_target_do_nothing() {
    let cook = SceneCard(
        "Cook",
        Character(
            300,
            AUTO,
            "target = character[frozen]@oppRing\nauto = ~endPhase~ damage(100)",
        ),
    );
    let mut play = scene("", vec![cook]).ring(Seat::One, &["Cook"]).start();
    pass_to(&mut play, 4, Phase::Main);
    is(&play, "me.ring Cook300, opp.ring Knave600 Nimble400");
}

/// RQ35, R1102, R1103: the next card knows nothing of the targets of this one.
#[test]
fn targets_are_forgotten() {
    let next = SceneCard(
        "Next",
        Action("action = [[if isChar(prevTgt.0)]] hp(+100) to(me)"),
    );
    let mut play = scene("action = damage(100) to(\"Knave\")", vec![next])
        .hand(Seat::One, &["Deed", "Next"])
        .start();
    play.choose(Choice::Play, "Deed").choose(Choice::Play, "Next");
    is(&play, "me.hp 3000");
}

/// RQ36, R630: saying it twice does not take it back.
#[test]
fn rule_changes_are_idempotent() {
    for (rule, attacks) in [
        ("action = disableRule(attack); disableRule(attack)", false),
        ("action = draw()", true),
    ] {
        let mut play = scene(rule, Vec::new()).start();
        play.choose(Choice::Play, "Deed");
        assert_eq!(may_attack(&mut play), attacks, "{rule}");
    }
}

fn may_attack(play: &mut Play) -> bool {
    pass_to(play, 3, Phase::Attack);
    let pending = play.duel.pending().expect("the duel goes on");
    pending
        .options
        .iter()
        .any(|choice| matches!(choice, Choice::Attack(_)))
}

/// RQ37, D19: a hook whose `if` failed does not cancel.
#[test]
fn a_failed_condition_cancels_nothing() {
    for (sp, hp) in [(0, "opp.hp 2500"), (200, "opp.hp 3000")] {
        let gentle = SceneCard(
            "Gentle",
            Character(
                500,
                AUTO,
                "auto = ~cancelCombatDamage:this~ [[if me.sp > 100]] draw() to(me)",
            ),
        );
        let mut scene = scene("", vec![gentle])
            .ring(Seat::One, &["Gentle"])
            .ring(Seat::Two, &[]);
        scene.position.phase = Phase::Attack;
        scene.position.players[Seat::One].sp = sp;
        let mut play = scene.start();
        play.choose(Choice::Attack, "Gentle");
        pass_to(&mut play, 4, Phase::Main);
        is(&play, hp);
    }
}

/// RQ40, R620: what one damage was raised by is not added to the next.
#[test]
fn damage_changes_do_not_add_up() {
    let amplifier = SceneCard(
        "Amplifier",
        Character(300, AUTO, "auto = ~anyBeforeDamage~ modDamage(+100)"),
    );
    let mut play = scene(
        "action = damage(100) to(opp); damage(100) to(opp)",
        vec![amplifier],
    )
    .ring(Seat::One, &["Amplifier"])
    .start();
    play.choose(Choice::Play, "Deed");
    is(&play, "opp.hp 2600");
}

/// RQ42, R1015: `getTargets` that finds nothing gives an empty list.
#[test]
fn get_targets_gives_a_list() {
    check(
        "action = [[if getTargets('character[frozen]@oppRing').size == 0]] hp(+100) to(me)",
        &[],
        "me.hp 3100",
    );
}

/// RQ43, R506: a statement that is skipped asks nothing.
#[test]
fn skipped_statements_do_not_ask() {
    check(
        "action = draw(); [[if me.sp > 100]] damage(100) to(character@oppRing); hp(+100) to(me)",
        &[],
        "me.hp 3100, me.hand 2, opp.ring Knave600 Nimble400",
    );
}

/// RQ44, R621, D33: a random discard honours the type and sets `discarded`.
#[test]
fn random_discards_honour_the_type() {
    let mut play = scene(
        "action = discard(<r>character); hp(discarded.size * 100 + discarded.0.bp) to(me)",
        Vec::new(),
    )
    .hand(Seat::One, &["Deed", "Idle", "Filler"])
    .start();
    play.choose(Choice::Play, "Deed");
    is(&play, "me.hp 3400, me.hand 1");
}

/// RQ45, R422: of a character at 0 BP a filter sees the printed BP, an expression 0.
#[test]
fn filters_see_printed_bp() {
    check(
        "action = damage(400) to(\"Nimble\"); each(characters[bp >= 400]@oppRing => hp(+1)) to(me); \
         each(card.bp >= 400 in opp.ring => hp(+10)) to(me)",
        &[],
        "me.hp 3012",
    );
}

/// RQ46, R304: a requisite guards actions, not autos.
#[test]
fn requisites_guard_actions_only() {
    let bell = SceneCard(
        "Bell",
        Character(
            300,
            AUTO,
            "requisite = character<1>[frozen]@oppRing\nauto = ~myEndPhase~ hp(+100) to(me)",
        ),
    );
    let mut play = scene("", vec![bell]).ring(Seat::One, &["Bell"]).start();
    pass_to(&mut play, 4, Phase::Main);
    is(&play, "me.hp 3100");
}

/// RQ47, D16: changes of HP add up.
#[test]
fn changes_of_hp_add_up() {
    check(
        "action = hp(+100) to(me) ; loseLife(50) to(me) ; hp(+100) to(me)",
        &[],
        "me.hp 3150",
    );
}

/// RQ48, R806: a timed change of a rule outlives its source.
#[test]
fn timed_changes_outlive_the_source() {
    for (rule, attacks) in [
        ("action = {S}: disableRule(attack) ueot", false),
        ("action = {S}: draw()", true),
    ] {
        let cards = [FILLER, ROOK, SceneCard("Herald", Character(300, TRIGGERED, rule))];
        let mut play = DuelScene::new(game(&cards), Phase::Main)
            .ring(Seat::One, &["Rook", "Herald"])
            .start();
        play.choose(Choice::Activate, "Herald");
        is(&play, "me.ring Rook500, me.discards 1");
        assert_eq!(may_attack(&mut play), attacks, "{rule}");
    }
}

/// RQ49, R1107: of a card that left the ring `.bp` is printed, `.lastBP` what it had; the opponent's too.
#[test]
fn last_bp_is_remembered() {
    check(
        "action = bp(+300) to(\"Knave\"); destroy() to(\"Knave\"); \
         hp(destroyed.0.bp) to(me); sp(destroyed.0.lastBP) to(me)",
        &[],
        "me.hp 3600, me.sp 900",
    );
}

/// RQ50, R421: who is made to discard a character can choose nothing else.
#[test]
fn forced_discards_must_match() {
    let mut play = scene("action = discard(character) to(opp)", Vec::new())
        .hand(Seat::Two, &["Idle", "Filler", "Rook"])
        .start();
    play.choose(Choice::Play, "Deed");
    let options = &play.duel.pending().expect("asked").options;
    let mut names: Vec<&str> = options
        .iter()
        .filter_map(|choice| match choice {
            Choice::Card(card) | Choice::Play(card) => Some(play.name(*card)),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Filler", "Rook"]);
}

/// R1101: `tgt` stays the list of `target =`, whatever a to-clause finds.
#[test]
fn tgt_is_the_main_list() {
    check(
        "target = \"Knave\"\naction = damage(100) to(\"Nimble\"); [[if tgt.0.bp == 600]] hp(+100) to(me)",
        &[],
        "me.hp 3100, opp.ring Knave600 Nimble300",
    );
}
