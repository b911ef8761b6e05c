//! Section 12 of the game's rules: what the commands do.

use cw_stage::{check, go, holds};

/// G203, G162: life lost is no damage: no event, no mark, no rule stops it; a player by default.
#[test]
fn losing_life() {
    let cards = "
        Bleed action: action = loseLife(100)
        Both action: action = loseLife(200) to(players)
        Amp auto: auto = ~anyBeforeDamage~ modDamage(+500)
        End action: action = loseLife(5000) to(opp)
    ";
    check(
        cards,
        "me Amp; me.hand Bleed",
        "play Bleed",
        "me.hp 2900; me.hurt false; opp.hp 3000",
    );
    check(
        cards,
        "me Amp; me.hand Both; rule dmg_combat_deal 0",
        "play Both",
        "me.hp 2800; opp.hp 2800; opp.hurt false",
    );
    check(cards, "me.hand End", "play End", "opp.hp 0; winner me");
}

/// G204, R611: `destroy` takes the source where nothing is named; `destroyed` are all targets.
#[test]
fn destroying_the_source() {
    let cards = "
        Fuse triggered: action = destroy(); hp(+100 * destroyed.size) to(me)
        Comb action: action = destroy() to(characters; \"Aid\"@myDiscards); hp(+100 * destroyed.size) to(me)
    ";
    check(
        cards,
        "me Fuse Rook",
        "use Fuse",
        "me.ring . Rook300; me.discards Fuse; me.hp 3100",
    );
    check(
        cards,
        "me Rook; opp Foe; me.hand Comb; me.discards Aid",
        "play Comb",
        "me.hp 3300; me.ring; opp.ring; opp.discards Foe; me.discards Comb Rook Aid",
    );
}

/// G210, R618: `movePile` takes card after card from the top, so the order is reversed.
#[test]
fn moving_a_pile() {
    let cards = "
        Heap action: action = movePile(myDiscards, myRemoved); hp(+100 + 10 * moved.size) to(me)
        Rob action: action = movePile(oppDiscards, myDiscards)
    ";
    check(
        cards,
        "me.hand Heap; me.discards Rook Knave Foe; me.removed Fiend",
        "play Heap",
        "me.discards Heap; me.removed Foe Knave Rook Fiend; me.hp 3100",
    );
    check(
        cards,
        "me.hand Rob; opp.discards Rook Knave",
        "play Rob",
        "me.discards Rob Knave Rook; opp.discards",
    );
}

/// G211, D33: exchanged piles keep their order; empty ones are no matter.
#[test]
fn exchanging_piles() {
    let cards = "Swap action: action = swapPiles(myDiscards, myRemoved)";
    check(
        cards,
        "me.hand Swap; me.discards Rook Knave; me.removed Foe Fiend Wall",
        "play Swap",
        "me.discards Swap Foe Fiend Wall; me.removed Rook Knave",
    );
    check(
        cards,
        "me.hand Swap; me.removed Foe Fiend",
        "play Swap",
        "me.discards Swap Foe Fiend; me.removed",
    );
}

/// G214, G271: `reveal` shows targets to both, or a pile to the other player; nothing moves.
#[test]
fn revealing() {
    let cards = "
        Show action: action = reveal() to(*<1>@hand)
        Bare action: action = reveal(hand)
        Open action: action = reveal(hand) to(opp)
    ";
    check(
        cards,
        "me.hand Show Rook Knave",
        "play Show",
        "opp.knows Knave; me.hand Rook Knave",
    );
    check(
        cards,
        "me.hand Bare Rook Knave",
        "play Bare",
        "opp.knows Rook Knave",
    );
    check(
        cards,
        "me.hand Open; opp.hand Foe Fiend",
        "play Open",
        "me.knows Foe Fiend; opp.knows",
    );
}

/// G215, G271, D34: `peek` shows the opponent's hand to the executor alone, or the cards or the hand
/// that it names; they stay known until they move.
#[test]
fn peeking() {
    let cards = "
        Spy action: action = peek()
        Lens action: action = peek() to(*<1>@oppDeck)
        Wink action: action = peek() to(*<1>@oppHand)
        Mirror action: action = peek() to(me)
        Mix action: action = moveTo(oppDeck) to(*<1>@oppHand)
        Back action: action = moveTo(oppHand) to(*<1>@oppDeck)
    ";
    let mut play = check(
        cards,
        "me.hand Spy Mix Back; opp.hand Foe Fiend; me.sp 0",
        "play Spy",
        "me.knows Foe Fiend; opp.knows; opp.hand Foe Fiend",
    );
    go(&mut play, "play Mix, play Back");
    holds(&play, "me.knows Foe");
    check(
        cards,
        "me.hand Lens; opp.deck Foe Fiend; opp.hand Rook",
        "play Lens",
        "me.knows; me.sees.opp.deck Foe ?; opp.sees.opp.deck ? ?",
    );
    check(
        cards,
        "me.hand Wink; opp.hand Foe Fiend",
        "play Wink",
        "me.knows Fiend",
    );
    check(cards, "me.hand Mirror; opp.hand Foe", "play Mirror", "me.knows");
}

/// G218, G164, G165, D32, D96: SP are added down to 0, or set; `lostSP` is what was really lost.
#[test]
fn changing_sp() {
    let cards = "
        Gain action: action = sp(+3)
        Drain action: action = sp(-5) to(opp); sp(opp.lostSP) to(me)
        Level action: action = sp(=2) to(players)
        Zero action: action = sp(-0) to(opp)
    ";
    check(
        cards,
        "me.hand Gain; me.sp 1",
        "play Gain",
        "me.sp 4; me.lost 0; opp.sp 0",
    );
    check(
        cards,
        "me.hand Drain; opp.sp 3",
        "play Drain",
        "me.sp 3; opp.sp 0; opp.lost 3",
    );
    check(
        cards,
        "me.hand Drain; opp.sp 9",
        "play Drain",
        "me.sp 5; opp.sp 4; opp.lost 5",
    );
    // D96, against GQ17: nothing to lose is no loss, and the one before stays.
    check(
        cards,
        "me.hand Drain Drain; opp.sp 5",
        "play Drain, play Drain",
        "me.sp 10; opp.sp 0; opp.lost 5",
    );
    check(
        cards,
        "me.hand Level; me.sp 1; opp.sp 6",
        "play Level",
        "me.sp 2; me.lost 0; opp.sp 2; opp.lost 4",
    );
    check(
        cards,
        "me.hand Zero; opp.sp 6",
        "play Zero",
        "opp.sp 6; opp.lost 0",
    );
}

/// G219, GQ56, D16: HP are added to the source's controller by default; several changes add up.
#[test]
fn changing_hp() {
    let cards = "
        Heal action: action = hp(+100) & hp(+100)
        Both action: action = hp(+10) to(players)
        Hit action: action = hp(+500) to(opp); damage(100) to(opp); loseLife(100) & loseLife(100) to(opp)
        One auto: auto = ~endPhase~ hp(+1) to(me)
        Ten auto: auto = ~endPhase~ hp(+10) to(me)
    ";
    check(cards, "me.hand Heal", "play Heal", "me.hp 3200; opp.hp 3000");
    check(cards, "me.hand Both", "play Both", "me.hp 3010; opp.hp 3010");
    check(cards, "me.hand Hit", "play Hit", "opp.hp 3200");
    check(cards, "phase end; me One Ten", "", "me.hp 3011");
}

/// G220, G221: freezing stops attack, block, `■` and back-up, and nothing else; attackers and
/// blockers stay what they are.
#[test]
fn what_freezing_stops() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Ice reaction: action = freeze() to(characters)
        Nip auto: auto = ~blockPhase~ freeze() to(characters@oppRing)
    ";
    check(
        cards,
        "me Well^ Bell^ Rook; me.hand Aid",
        "!use Well, back Aid, !to Well, !to Bell, to Rook, pass, \
         !attack Well, !attack Bell, ?attack Rook, pass",
        "me.hp 3001",
    );
    // Frozen after the declaration, both fight.
    check(
        cards,
        "phase attack; me Rook=500; opp Foe; opp.hand Ice",
        "attack Rook, pass, block Foe, play Ice, pass",
        "me.ring Rook200^; opp.ring",
    );
    check(
        cards,
        "phase attack; me Rook Nip; opp Foe",
        "attack Rook, pass, !block Foe",
        "opp.ring Foe300^",
    );
}

/// G222, G118: each target loses its ability, but for those without a text; twice is harmless.
#[test]
fn losing_abilities() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Lance plain: abilities = pierce
        Ear auto: auto = ~powerless:any~ hp(+1) to(me)
        Hush action: action = loseAbility() to(all@myRing)
        Spur action: action = +unblockable to(\"Rook\") ueot; loseAbility() to(\"Rook\")
    ";
    let mut play = check(
        cards,
        "me Well Lance Rook; opp Ear; me.hand Hush Hush",
        "play Hush, !use Well",
        "me.ring Well300- Lance300- Rook300; me.hp 3002",
    );
    go(&mut play, "play Hush");
    holds(&play, "me.hp 3002; me.ring Well300- Lance300- Rook300");
    // Timed effects on it stay.
    check(
        cards,
        "me Rook; me.hand Spur",
        "play Spur",
        "me.ring Rook300~unblockable",
    );
}

/// G223, G119, G120: the recipients are the targets, else the source; BP, marks and back-ups stay.
#[test]
fn copying_abilities() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Chain triggered: vars = _w := getTargets('\"Well\"s');; action = copyAbility(_w)
        Many action: vars = _w := getTargets('\"Well\"s');; action = copyAbility(_w) to(characters@oppRing)
        Far action: vars = _c := getTargets('\"Chain\"s');; action = copyAbility(_c) to(\"Rook\")
    ";
    check(
        cards,
        "me Well Chain=700(filler)~pierce",
        "use Chain, !use Chain",
        "me.sp 0; me.ring Well300 Chain700%+@Well~pierce",
    );
    check(
        cards,
        "me Well; opp Foe Fiend^; me.hand Many",
        "play Many",
        "opp.ring Foe300@Well Fiend300^@Well",
    );
    // A copy of a copy is the original's.
    check(
        cards,
        "me Well Chain Rook; me.hand Far",
        "use Chain, play Far",
        "me.ring Well300 Chain300%@Well Rook300@Well",
    );
}

/// G224, G121: `steal` takes from the first target, for the source or the character it names.
#[test]
fn stealing_abilities() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Thief triggered: action = steal() from(\"Well\")
        Fence action: action = steal(character@myRing) from(\"Well\")
        Empty action: action = steal(character@myRing) from(\"Foe\")
    ";
    check(
        cards,
        "me Thief; opp Well",
        "use Thief",
        "me.ring Thief300%@Well; opp.ring Well300-",
    );
    check(
        cards,
        "me Rook; opp Well; me.hand Fence",
        "play Fence",
        "me.ring Rook300@Well; opp.ring Well300-",
    );
    check(
        cards,
        "me Rook; opp Foe; me.hand Empty",
        "play Empty",
        "me.ring Rook300; opp.ring Foe300",
    );
}

/// D65, G121: who steals from itself takes the copy, then loses its ability: none is left.
#[test]
fn stealing_from_oneself_leaves_nothing() {
    let cards = "
        Well triggered: action = steal() from(this)
        Lapse triggered: action = steal() from(this) ueot
        Ear auto: auto = ~powerless:any~ sp(+1) to(me)
        Fence action: action = steal(\"Well\") from(\"Well\")
    ";
    check(
        cards,
        "me Well Ear",
        "use Well, !use Well",
        "me.ring Well300%- Ear300; me.sp 2",
    );
    check(cards, "me Well; me.hand Fence", "play Fence", "me.ring Well300-");
    // D26: for a time.
    check(
        cards,
        "me Lapse",
        "use Lapse, pass, pass",
        "turn 4; me.ring Lapse300; changes 0",
    );
}

/// G225, G122, D33: the first two targets exchange abilities; both must be in a ring and have one.
#[test]
fn swapping_abilities() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Ear auto: auto = ~powerless:any~ sp(+1) to(me)
        Swap action: action = swapAbilities() to(\"Well\"; \"Bell\")
        Void action: action = swapAbilities() to(\"Well\"; \"Rook\")
        Away action: action = swapAbilities() to(\"Well\"; \"Bell\"@myDiscards)
    ";
    check(
        cards,
        "me Well Ear; opp Bell; me.hand Swap",
        "play Swap",
        "me.ring Well300@Bell Ear300; opp.ring Bell300@Well; me.sp 2",
    );
    check(
        cards,
        "me Well Rook Ear; me.hand Void",
        "play Void",
        "me.ring Well300 Rook300 Ear300; me.sp 0",
    );
    check(
        cards,
        "me Well; me.hand Away; me.discards Bell",
        "play Away",
        "me.ring Well300",
    );
}

/// G226, D31: another card's action is run as if it were the source's, with its own targets.
#[test]
fn activating_another_rule() {
    let cards = "
        Well triggered: action = {F}: bp(+100) to(this); hp(+1) to(me)
        Ape triggered: vars = _w := getTargets('\"Well\"s@oppRing');; action = activate(_w)
        Bell auto: auto = ~endPhase~ hp(+1) to(me)
        Dumb triggered: vars = _w := getTargets('\"Bell\"s@oppRing');; action = activate(_w)
    ";
    check(
        cards,
        "me Ape; opp Well",
        "use Ape",
        "me.ring Ape400^%; opp.ring Well300; me.hp 3001",
    );
    check(
        cards,
        "me Dumb; opp Bell",
        "use Dumb, pass, pass",
        "me.hp 3000; turn 4",
    );
}

/// G227, G229: extra turns and characters are the executor's; extra characters add up, for this turn.
#[test]
fn extra_turns_and_characters() {
    let cards = "
        More action: action = playExtraChar() to(opp)
        Again action: action = turns(1)
    ";
    let mut play = check(
        cards,
        "me.hand More More Rook Knave Foe Fiend",
        "play More, play More, play Rook, slot 1, play Knave, slot 2, play Foe, slot 3, !play Fiend",
        "me.played 3/3; opp.played 0/1",
    );
    go(&mut play, "pass, pass, pass, !play filler");
    holds(&play, "active me; turn 5; me.played 0/1");
    check(
        cards,
        "me.hand Again",
        "play Again, pass",
        "active me; turn 4; me.turns 0",
    );
}

/// G228, GQ45: a phase is put on the list of each target once, however often it is said.
#[test]
fn skipping_phases() {
    let cards = "
        Rest action: action = skip(draw) to(opp)
        Idle action: action = skip(cleanup) to(me)
    ";
    let mut play = check(
        cards,
        "me.hand Rest Rest; opp.hand",
        "play Rest, play Rest",
        "opp.skips Draw; me.skips",
    );
    go(&mut play, "pass");
    holds(&play, "active opp; opp.decksize 10; opp.skips");
    go(&mut play, "pass, pass");
    holds(&play, "active opp; opp.decksize 9");
    check(cards, "me.hand Idle", "play Idle, pass", "turn 4; me.skips");
}

/// G230, G250, GQ7, D25: rules are set for the game, or for the first target that is a player; a new
/// entry of the same card replaces the old one.
#[test]
fn setting_rules() {
    let cards = "
        Peace action: action = disableRule(attack) ueot
        War action: action = enableRule(attack) to(me) ueot
        Low action: action = modRule(play_char_bp_limit, 300)
        Curb triggered: action = disableRule(attack)
    ";
    check(
        cards,
        "me Rook; me.hand Peace",
        "play Peace, pass, !attack Rook",
        "phase Attack",
    );
    // The own table goes before the global one.
    check(
        cards,
        "me Rook; me.hand Peace War",
        "play Peace, play War, pass, ?attack Rook",
        "phase Attack",
    );
    check(
        cards,
        "me.hand Low Rook filler",
        "?play Rook, play Low, !play Rook, ?play filler",
        "changes 1",
    );
    // Twice is not undone.
    check(
        cards,
        "me Curb Rook; me.hand",
        "use Curb, pass, !attack Rook",
        "changes 1",
    );
    let cards = "
        Curb triggered: action = disableRule(attack) & clear()
        Lose action: action = loseAbility() to(\"Curb\")
    ";
    check(
        cards,
        "me Curb Rook; me.hand Lose",
        "use Curb, use Curb, play Lose, pass, ?attack Rook",
        "changes 0",
    );
    check(
        cards,
        "me Curb Rook",
        "use Curb, use Curb, pass, !attack Rook",
        "changes 1",
    );
}

/// G232, G81, G85: `modCost` adds to the cost that is being counted, once per payment and listener.
#[test]
fn modifying_a_cost() {
    let cards = "
        Cheap auto: auto = ~beforePayCostAction~ modCost(action, +2)
        Dear auto: auto = ~anyBeforePayCostAction~ modCost(action, -1)
        Spark action -5: action = modCost(action, +4); hp(+1) to(me)
    ";
    check(cards, "me Cheap; me.sp 9; me.hand Spark", "play Spark", "me.sp 6");
    check(
        cards,
        "me Cheap Cheap; me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 8",
    );
    check(
        cards,
        "me Cheap; opp Dear; me.sp 9; me.hand Spark Spark",
        "play Spark, play Spark",
        "me.sp 1; me.hp 3002",
    );
    // Elsewhere it means nothing.
    check(
        cards,
        "me.sp 9; me.hand Spark",
        "play Spark",
        "me.sp 4; me.hp 3001",
    );
}

/// G233, G160.3, GQ8: `modDamage` adds to the damage at hand, and to that alone.
#[test]
fn modifying_damage() {
    let cards = "
        Amp auto: auto = ~beforeDamage~ modDamage(+100)
        Zap action: action = damage(200) to(opp); damage(200) to(opp)
        Both action: action = damage(200) to(players)
        Mix action: action = damage(200) to(opp); damage(200) to(\"Foe\")
        Idle action: action = modDamage(+500); damage(100) to(opp)
        Fang triggered: action = damage(100) to(opp)
    ";
    check(cards, "me Amp; me.hand Zap", "play Zap", "opp.hp 2400");
    check(cards, "me Amp Amp; me.hand Zap", "play Zap", "opp.hp 2200");
    check(
        cards,
        "me Amp; me.hand Both",
        "play Both",
        "opp.hp 2700; me.hp 2700",
    );
    check(
        cards,
        "me Amp; opp Foe; me.hand Mix",
        "play Mix",
        "opp.hp 2700; opp.ring Foe100",
    );
    check(cards, "me.hand Idle", "play Idle", "opp.hp 2900");
    // A character's damage is not asked about.
    check(cards, "me Amp Fang", "use Fang", "opp.hp 2900; opp.hurt true");
}

/// G234, GQ48, G235: characters exchange slots within one ring; attacks and blocks go with them.
#[test]
fn swapping_slots() {
    let cards = "
        Swap reaction: action = swapChars() to(characters@oppRing)
        Odd action: action = swapChars() to(\"Rook\"; \"Foe\")
        One action: action = swapChars() to(\"Rook\")
    ";
    check(
        cards,
        "phase attack; me Rook=500 Knave; opp Foe; opp.hand Swap",
        "attack Rook, pass, block Foe, play Swap",
        "me.ring Knave300 Rook500!; blocks Rook<Foe",
    );
    check(
        cards,
        "me Rook; opp . Foe; me.hand Odd",
        "play Odd",
        "me.ring Rook300; opp.ring . Foe300",
    );
    check(cards, "me . Rook; me.hand One", "play One", "me.ring . Rook300");
}

/// G236, G237, D12: only the defender forces the attackers together or apart.
#[test]
fn uniting_and_parting() {
    let cards = "
        Herd reaction: action = unite() to(characters[attack]@oppRing)
        Part reaction: action = removeFromAttack() to(\"Rook\")
        Vain action: action = removeFromAttack() to(characters)
    ";
    check(
        cards,
        "phase attack; me Rook Knave Lead Fol; opp.hand Herd",
        "attack Rook, attack Knave, attack Lead, attack Fol, pass, play Herd",
        "united Rook Knave Lead; me.ring Rook300! Knave300& Lead300& Fol300!; me.sp 0",
    );
    check(
        cards,
        "phase attack; me Rook Knave; opp.hand Part",
        "attack Rook, attack Knave, pass, play Part, pass",
        "opp.hp 2700; me.ring Rook300 Knave300^",
    );
    check(
        cards,
        "me Rook; me.hand Vain",
        "play Vain, pass, ?attack Rook",
        "phase Attack",
    );
}

/// D66, G236, D12: of the targets only those that attack are united; one alone is not.
#[test]
fn only_attackers_are_united() {
    let cards = "
        Herd reaction: action = unite() to(characters@oppRing)
        Call reaction: action = unite() to(\"Fol\")
    ";
    check(
        cards,
        "phase attack; me Rook Knave Lead Fol; opp.hand Herd",
        "attack Knave, attack Fol, pass, play Herd",
        "united Knave Fol; me.ring Rook300 Knave300! Lead300 Fol300&",
    );
    check(
        cards,
        "phase attack; me Rook Knave; opp.hand Herd",
        "attack Knave, pass, play Herd",
        "united; me.ring Rook300 Knave300!",
    );
    check(
        cards,
        "phase attack; me Rook Fol; opp.hand Call",
        "attack Rook, pass, play Call",
        "united; me.ring Rook300! Fol300",
    );
    // Where there is a United Attack, its lead is the other one.
    check(
        cards,
        "phase attack; me.sp 5; me Rook Knave Fol; opp.hand Call",
        "attack Rook, join Knave, attack Fol, pass, play Call",
        "united Rook Knave Fol; me.ring Rook300! Knave300& Fol300&",
    );
}

/// G238, D30: `each` repeats its effect on the statement's targets, once per element; the list is
/// made before.
#[test]
fn repeating() {
    let cards = "
        Drum action: action = each(characters@myRing => damage(100)) to(opp)
        Grow action: action = each(card in me.hand => draw()) to(me)
        Sum action: action = each(card.bp >= 300 in me.discards => sp(+1)) to(me)
        Spur action: action = each(characters@myRing => +pierce) to(\"Rook\") ueot
    ";
    check(
        cards,
        "me Rook Knave; me.hand Drum",
        "play Drum",
        "opp.hp 2800; me.ring Rook300 Knave300",
    );
    check(cards, "me.hand Grow Rook Knave", "play Grow", "me.decksize 8");
    check(
        cards,
        "me.hand Sum; me.discards Rook filler Knave",
        "play Sum",
        "me.sp 2",
    );
    let mut play = check(
        cards,
        "me Rook Knave; me.hand Spur",
        "play Spur",
        "me.ring Rook300~pierce Knave300",
    );
    go(&mut play, "pass, pass");
    holds(&play, "turn 4; me.ring Rook300 Knave300");
}

/// G240: how a pile is shown changes nothing but the showing.
#[test]
fn showing_piles() {
    let cards = "Fan action: action = pileView(myDiscards, expanded)";
    let plain = "Fan action: action = clear()";
    let position = "me.hand Fan; me.discards Rook Knave";
    let play = check(cards, position, "play Fan", "me.discards Fan Rook Knave");
    let other = check(plain, position, "play Fan", "me.discards Fan Rook Knave");
    let (mut one, mut two) = (play.duel.snapshot(), other.duel.snapshot());
    (one.hash, two.hash) = (play.duel.hash(), play.duel.hash());
    assert_eq!(one, two);
    assert_eq!(
        play.count(|event| matches!(event, cw_duel::DuelEvent::PileView { .. })),
        1
    );
}

/// G243, G244, G245, GQ52, D6: what is transformed keeps slot, orientation, freshness and fight; it
/// loses back-ups and timed effects; nobody entered or left.
#[test]
fn transforming() {
    let cards = "
        Hen auto 700: auto = ~endPhase~ hp(+1) to(me)
        Ear auto: auto = ~anyRingChanges~ sp(+1) to(me)
        Gone auto: auto = ~leavesRing:any~ sp(+10) to(me)
        Warm action: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; \
            action = +pierce to(\"Rook\") ueot; transform(_h) to(\"Rook\")
        Heat reaction: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; \
            action = transform(_h) to(characters@arena)
        Spell action: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; \
            action = transform(_h) to(\"Aid\"@hand)
    ";
    let mut play = check(
        cards,
        "me Rook=900^*(filler) Ear Gone; me.hand Warm; me.discards Hen",
        "play Warm",
        "me.ring Hen700*^ Ear300 Gone300; me.sp 20; me.played 0/1; me.discards Warm filler Hen",
    );
    go(&mut play, "pass, pass");
    holds(&play, "turn 4; me.hp 3001");
    // United attacks and blocks follow.
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp Foe; opp.hand Heat; opp.discards Hen",
        "attack Lead, join Fol, pass, block Foe, play Heat",
        "united Hen Hen; blocks Hen<Hen; me.ring Hen700! Hen700&; opp.ring Hen700#",
    );
    // G247: in a hand it becomes the other card there.
    check(
        cards,
        "me.hand Spell Aid; me.discards Hen; me Ear",
        "play Spell",
        "me.hand Hen; me.sp 0",
    );
}

/// G246, GQ52: a lead that is transformed is still the lead; the blocked attacker is still blocked.
#[test]
fn a_transformed_fighter_fights_on() {
    let cards = "
        Hen plain 700
        Heat reaction: target = \"Hen\"@myDiscards;; vars = _h := tgt.0;; action = transform(_h) to(\"Lead\")
    ";
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp Foe; opp.hand Heat; opp.discards Hen",
        "attack Lead, join Fol, pass, block Foe, play Heat, pass",
        "opp.hp 2300; opp.ring; me.ring Hen400^ Fol300^",
    );
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp.hand Heat; opp.discards Hen",
        "attack Lead, join Fol, pass, play Heat, pass",
        "opp.hp 2000",
    );
}

/// G104.3, G244: the autos of the new form run once, and the script goes on behind the change.
#[test]
fn a_new_form_enters_once() {
    let cards = "
        Lord auto 700: auto = hp(+100) to(me)
        Mask action: target = \"Lord\"@myDiscards;; vars = _l := tgt.0;; \
            action = transform(_l) to(\"Rook\") ueot; sp(+1) to(me)
    ";
    let mut play = check(
        cards,
        "me Rook; me.hand Mask; me.discards Lord",
        "play Mask",
        "me.hp 3100; me.sp 1; me.ring Lord700; changes 1",
    );
    go(&mut play, "pass, pass");
    holds(&play, "turn 4; me.ring Rook300; changes 0");
}
