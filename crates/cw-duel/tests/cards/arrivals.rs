//! A keyword does what it does on arrival, however it arrives (G104.1, G257, G258, R801).

use cw_stage::{check, go, holds};

/// Cards that bring the ability of a printed keyword to `Rook` or `Bell`, each in its own way.
const WAYS: &str = "
    Bell auto: auto = ~endPhase~ hp(+1) to(me)
    Swift plain: abilities = rush
    Take action: vars = _m := getTargets('\"Swift\"s');; action = copyAbility(_m) to(\"Rook\")
    Rob action: action = steal(\"Rook\") from(\"Swift\")
    Trade action: action = swapAbilities() to(\"Bell\"; \"Swift\")
    Become action: target = \"Swift\"@arena;; vars = _s := tgt.0;; action = transform(_s) to(\"Rook\")
    Give action: action = +rush to(\"Rook\")
    Lend action: action = +rush to(\"Rook\") ueot
";

/// G104.1, G258, R801: who gets `rush` is not fresh any more.
#[test]
fn rush_ends_fresh_however_it_arrives() {
    for (way, ring) in [
        ("Take", "Rook300@Swift~rush"),
        ("Rob", "Rook300@Swift~rush"),
        ("Become", "Swift300~rush"),
        ("Give", "Rook300~rush"),
        ("Lend", "Rook300~rush"),
    ] {
        let mut play = check(
            WAYS,
            &format!("me Rook*; opp Swift; me.hand {way}"),
            &format!("play {way}"),
            &format!("me.ring {ring}"),
        );
        let name = ring.split(char::is_numeric).next().expect("a name");
        go(&mut play, &format!("pass, ?attack {name}"));
    }
    check(
        WAYS,
        "me Bell*; opp Swift; me.hand Trade",
        "play Trade, pass, ?attack Bell",
        "me.ring Bell300@Swift~rush; opp.ring Swift300@Bell",
    );
}

/// G66, G104: a copy taken on entering counts when it is asked whether the character is fresh.
#[test]
fn a_copy_on_entering_is_in_time() {
    let cards = "
        Swift plain: abilities = rush
        Chain auto: vars = _m := getTargets('\"Swift\"s');; auto = copyAbility(_m) to(this)
        Steal auto: auto = steal() from(\"Swift\")
    ";
    check(
        cards,
        "me Swift; me.hand Chain",
        "play Chain, slot 2, pass, ?attack Chain",
        "me.ring Swift300~rush Chain300@Swift~rush",
    );
    check(
        cards,
        "opp Swift; me.hand Steal",
        "play Steal, slot 2, pass, ?attack Steal",
        "me.ring . Steal300@Swift~rush; opp.ring Swift300-",
    );
}

/// G104.1, G258, D12, G141: `cantattack` takes the card out of its attack and rearranges a united one.
#[test]
fn cantattack_ends_an_attack_however_it_arrives() {
    let cards = "
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Calm plain: abilities = cantattack
        Take reaction: vars = _m := getTargets('\"Calm\"s');; action = copyAbility(_m) to(\"Lead\")
        Rob reaction: action = steal(\"Lead\") from(\"Calm\")
        Trade reaction: action = swapAbilities() to(\"Bell\"; \"Calm\")
        Become reaction: target = \"Calm\"@arena;; vars = _s := tgt.0;; action = transform(_s) to(\"Lead\")
    ";
    for (way, ring) in [
        ("Take", "Lead300@Calm~cantattack"),
        ("Rob", "Lead300@Calm~cantattack"),
        ("Become", "Calm300~cantattack"),
    ] {
        check(
            cards,
            &format!("phase attack; me Lead Rook; opp . . . Calm; opp.hand {way}"),
            &format!("attack Lead, attack Rook, pass, play {way}, pass"),
            &format!("me.ring {ring} Rook300^; opp.hp 2700"),
        );
        // Without its lead the follower attacks alone.
        check(
            cards,
            &format!("phase attack; me.sp 5; me Lead Rook; opp . . . Calm; opp.hand {way}"),
            &format!("attack Lead, join Rook, pass, play {way}"),
            &format!("me.ring {ring} Rook300!; united"),
        );
    }
    check(
        cards,
        "phase attack; me Bell Rook; opp . . . Calm; opp.hand Trade",
        "attack Bell, attack Rook, pass, play Trade, pass",
        "me.ring Bell300@Calm~cantattack Rook300^; opp.hp 2700",
    );
}

/// G104.1, G148: `cantblock` ends the block of its bearer.
#[test]
fn cantblock_ends_a_block_however_it_arrives() {
    let cards = "
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Meek plain: abilities = cantblock
        Take reaction: vars = _m := getTargets('\"Meek\"s');; action = copyAbility(_m) to(\"Wall\")
        Rob reaction: action = steal(\"Wall\") from(\"Meek\")
        Trade reaction: action = swapAbilities() to(\"Bell\"; \"Meek\")
        Become reaction: target = \"Meek\"@arena;; vars = _s := tgt.0;; action = transform(_s) to(\"Wall\")
    ";
    for (way, ring) in [
        ("Take", "Wall300@Meek~cantblock . . Meek200~cantblock"),
        ("Rob", "Wall300@Meek~cantblock . . Meek200-"),
        ("Become", "Meek300~cantblock . . Meek200~cantblock"),
    ] {
        let mut play = check(
            cards,
            &format!("phase attack; me Rook; opp Wall . . Meek=200; opp.hand {way}"),
            &format!("attack Rook, pass, block Wall, play {way}, !block Wall"),
            &format!("blocks; opp.ring {ring}"),
        );
        go(&mut play, "pass");
        holds(&play, "opp.hp 2700");
    }
    check(
        cards,
        "phase attack; me Rook; opp Bell . . Meek; opp.hand Trade",
        "attack Rook, pass, block Bell, play Trade, !block Bell, ?block Meek",
        "opp.ring Bell300@Meek~cantblock . . Meek300@Bell; blocks",
    );
}

/// D35, G257: a keyword whose suppression is over is in force again, and has arrived.
#[test]
fn what_suppressed_a_keyword_is_over() {
    let cards = "
        Swift plain: abilities = rush
        Warden triggered: action = -rush to(\"Swift\")
        Bye action: action = destroy() to(\"Warden\")
        Calm plain: abilities = cantattack
        Guard auto: auto = [[if me.hp >= 3000]] -cantattack to(\"Calm\")
        Cut reaction: action = loseLife(100) to(opp)
    ";
    let mut play = check(
        cards,
        "me Warden Swift*; me.hand Bye",
        "use Warden",
        "me.ring Warden300% Swift300*",
    );
    go(&mut play, "play Bye");
    holds(&play, "me.ring . Swift300~rush");
    // A continuous one, in the middle of the attack.
    check(
        cards,
        "phase attack; me Guard Calm; opp.hand Cut",
        "attack Calm, pass, play Cut, pass",
        "me.ring Guard300 Calm300~cantattack; opp.hp 3000",
    );
}

/// D79, D25: what keywords of the former model have left on a character goes with them.
#[test]
fn transform_keeps_no_keyword_markers() {
    let cards = "
        Hen plain 700
        Ice plain: abilities = unfreezable
        Heat reaction: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; action = transform(_h) to(\"Ice\")
    ";
    check(
        cards,
        "phase attack; me Ice; opp.discards Hen",
        "attack Ice, pass, pass",
        "me.ring Ice300~unfreezable; opp.hp 2700",
    );
    check(
        cards,
        "phase attack; me Ice; opp.hand Heat; opp.discards Hen",
        "attack Ice, pass, play Heat, pass",
        "me.ring Hen700^; opp.hp 2300",
    );
    // The mark of `pierce` is set when the attack is blocked.
    let cards = "
        Hen plain 700
        Awl auto 500: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; abilities = pierce;; \
            auto = ~blocked~ transform(_h) to(this)
        Pin plain 500: abilities = pierce
    ";
    for (attacker, left) in [("Pin", 2800), ("Awl", 3000)] {
        check(
            cards,
            &format!("phase attack; me {attacker}; opp Wall; me.discards Hen"),
            &format!("attack {attacker}, pass, block Wall, pass"),
            &format!("opp.hp {left}"),
        );
    }
}
