//! Section 13 of the game's rules: rule flags, cost changes, keywords.

use cw_stage::{check, go, holds};

/// G249, G252, D25: without entries the default; a false wins over a true; several limits: the least.
#[test]
fn reading_flags() {
    let cards = "
        On auto: auto = enableRule(attack)
        Off auto: auto = disableRule(attack)
        Low auto: auto = modRule(play_char_bp_limit, 300)
        Mid auto: auto = modRule(play_char_bp_limit, 700)
        Mine auto: auto = enableRule(attack) to(me)
        Giant plain 800
        Big plain 500
    ";
    check(cards, "phase attack; me Rook", "?attack Rook", "");
    check(cards, "phase attack; me Rook On", "?attack Rook", "");
    check(cards, "phase attack; me Rook Off", "!attack Rook", "");
    check(cards, "phase attack; me Rook On Off", "!attack Rook", "");
    check(cards, "phase attack; me Rook Off On", "!attack Rook", "");
    check(cards, "phase attack; me Rook Off Mine", "?attack Rook", "");
    check(
        cards,
        "me.hand Giant Big filler; me Mid",
        "!play Giant, ?play Big, ?play filler",
        "",
    );
    check(
        cards,
        "me.hand Giant Big filler; me Mid; opp Low",
        "!play Giant, !play Big, ?play filler",
        "",
    );
}

/// G251, GQ7, D1: a flag of a character ends with it, that of an action lasts; ended, the default holds
/// again, and nothing is left behind.
#[test]
fn flags_end() {
    let cards = "
        Off auto: auto = disableRule(attack)
        Burn action: action = destroy() to(\"Off\")
        Law action: action = disableRule(attack)
        Day action: action = disableRule(attack) ueot
        Leave triggered: action = disableRule(attack) ueot; moveTo(hand) to(this)
    ";
    check(
        cards,
        "me Off Rook; me.hand Burn",
        "play Burn, pass, ?attack Rook",
        "changes 0",
    );
    check(
        cards,
        "me Rook; me.hand Law; me.turns 1",
        "play Law, pass, pass, pass, !attack Rook",
        "turn 4; changes 1",
    );
    check(
        cards,
        "me Rook; me.hand Day; me.turns 1",
        "play Day, pass, pass, pass, ?attack Rook",
        "turn 4; changes 0",
    );
    // R806: with a restriction it outlives its source, and leaves nothing behind.
    check(
        cards,
        "me Leave Rook; me.turns 1",
        "use Leave, pass, !attack Rook, pass, pass, ?attack Rook",
        "turn 4; changes 0",
    );
}

/// GQ7: bounced and played again in one turn, the same card sets its flag again instead of lifting it.
#[test]
fn setting_a_flag_again_renews_it() {
    let cards = "
        Curb instant: action = disableRule(attack) to(opp) oppUeot
        Lift action: action = moveTo(hand) to(\"Curb\"); playExtraChar()
    ";
    check(
        cards,
        "me.hand Curb Lift; opp Foe",
        "play Curb, slot 1, play Lift, play Curb, slot 1, pass, pass, !attack Foe",
        "turn 4; active opp; changes 1",
    );
}

/// G255, GQ39: a flag without a player binds both, whatever ring its card speaks of.
#[test]
fn flags_without_a_player_bind_both() {
    let cards = "Calm action: action = disableRule(attack) to(characters@myRing) oppUeot";
    let mut play = check(
        cards,
        "me Rook; opp Foe; me.hand Calm",
        "play Calm, pass, !attack Rook",
        "",
    );
    go(&mut play, "pass, pass, !attack Foe");
    holds(&play, "active opp");
}

/// G256, G80, G84: costs are the one thing of the game that cards modify besides flags; the last `=`
/// wins, the others add up.
#[test]
fn game_modifications_are_costs() {
    let cards = "
        Two auto: auto = alterCost(action, =-2)
        Five auto: auto = alterCost(action, =-5)
        Less auto: auto = alterCost(action, +1)
        Spark action -9: action = hp(+1) to(me)
    ";
    check(cards, "me Two; me.sp 9; me.hand Spark", "play Spark", "me.sp 7");
    check(
        cards,
        "me Two Five; me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 4",
    );
    check(
        cards,
        "me Five Two; me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 7",
    );
    check(
        cards,
        "me Five Less Less; me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 6",
    );
    check(
        cards,
        "opp Five Less; me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 5",
    );
}

/// G257, R803: printed keywords last with the ability; granted ones as long as object and giver stay,
/// or until their time.
#[test]
fn how_long_keywords_last() {
    let cards = "
        Lance plain: abilities = pierce
        Giver auto: auto = ~myActivatePhase~ +pierce to(\"Rook\")
        Timer auto: auto = ~myActivatePhase~ +pierce to(\"Rook\") ueot
        Hush action: action = loseAbility() to(\"Lance\")
        Burn action: action = destroy() to(characters[abauto])
        Lift action: action = moveTo(hand) to(\"Rook\")
    ";
    check(cards, "me Lance; me.hand Hush", "play Hush", "me.ring Lance300-");
    let given = "phase activate; me Giver Rook; me.hand Burn Lift";
    check(cards, given, "", "me.ring Giver300 Rook300~pierce");
    check(cards, given, "play Burn", "me.ring . Rook300");
    check(
        cards,
        given,
        "play Lift, play Rook, slot 2",
        "me.ring Giver300 Rook300*",
    );
    check(
        cards,
        "phase activate; me Timer Rook; me.hand Burn Lift",
        "play Burn",
        "me.ring . Rook300~pierce",
    );
    check(
        cards,
        "phase activate; me Timer Rook; me.hand Burn Lift",
        "pass, pass",
        "me.ring Timer300 Rook300; turn 4",
    );
}

/// G258: what each keyword does, and that a false condition takes back untimed grants only.
#[test]
fn keywords_are_taken_back() {
    let cards = "
        Both action: action = +pierce to(\"Rook\") ueot
        Toggle auto: auto = ~myHandChanges~ [[if me.hand.size == 0]] +pierce & +unblockable to(\"Rook\")
        Draw action: action = draw()
    ";
    let mut play = check(
        cards,
        "me Rook Toggle; me.hand Both",
        "play Both",
        "me.ring Rook300~unblockable~pierce Toggle300; changes 3",
    );
    go(&mut play, "pass, pass, pass, pass");
    holds(
        &play,
        "turn 5; me.hand filler; me.ring Rook300 Toggle300; changes 0",
    );
}

/// G260, GQ51: `frosted` of two sources holds while either lasts; it freezes nobody by itself.
#[test]
fn frost_of_two_sources() {
    let cards = "
        Long action: action = +frosted to(\"Foe\") uynt
        Short action: action = +frosted to(\"Foe\") ueot
        Burn action: action = destroy() to(\"Rook\")
    ";
    check(
        cards,
        "opp Foe; me.hand Short",
        "play Short",
        "opp.ring Foe300~frosted",
    );
    // The shorter one ends first; in the opponent's Activate phase the longer one still holds.
    check(
        cards,
        "opp Foe^; me.hand Long Short",
        "play Long, play Short, pass",
        "active opp; opp.ring Foe300^~frosted",
    );
    check(
        cards,
        "opp Foe^; me.hand Short",
        "play Short, pass",
        "active opp; opp.ring Foe300",
    );
}
