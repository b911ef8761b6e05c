//! What a player may expect to be able to do and cannot: each refusal with its rule.

use cw_duel::{Attempt, CardId, Choice, Seat, ZoneKind, ZoneLocation};
use cw_program::{ModelId, PileName};

use cw_stage::Play;
use cw_stage::{go, start};

/// The cards of all rows.
const CARDS: &str = "
    Free action: action = sp(+1)
    Act action -2: action = draw(1)
    Rea reaction -1: action = sp(+1)
    Dear plain 500 -9
    Giant plain 900
    Sailor plain 300 0 sail
    Mate plain 300 2 sail
    Limit auto: auto = modRule(play_char_bp_limit, 800)
    NoAct auto: auto = ?anyBeforePlayAc? [[if 1 == 2]]
    NoRea auto: auto = ?anyBeforePlayRe? [[if 1 == 2]]
    NoAtt auto: auto = ?anyBeforeAttack:any? [[if 1 == 2]]
    NoBlk auto: auto = ?anyBeforeBlock:any? [[if 1 == 2]]
    Duchess auto: auto = ?oppCanBlock:this? [[if 1 == 2]]
    Trig triggered: action = {F}: sp(+1)
    Inst instant: action = sp(+1)
    Auto auto: auto = ~endPhase~ sp(+1)
    Disc triggered: action = {D}: sp(+1)
    Discs triggered: action = {D}{D}: sp(+1)
    Sac triggered: action = {S(^character)}: sp(+1)
    Need triggered: target = character@oppRing;; action = {F}: destroy()
    Req triggered: requisite = action@myHand;; action = {F}: sp(+1)
    Others triggered: action = freeze() to(^character@myRing)
    Coin action: action = [[if flipCoin()]] sp(+1)
    May action: action = sp(+1); [[may 'More?']] sp(+1)
    Opt action: action = sp(+1) & sp?(+1)
    Bounce action: action = moveTo(deck, ?) to(character@oppRing)
    Prophet action: action = prophecy(3, top)
    Prophet2 action: action = prophecy(3)
    Move action: action = moveToSlot() to(character@myRing)
    Two action: label = a;; action = sp(+1);; action = sp(+2)
    Drop action: action = discard(1)
    Rob action: action = discard(1) to(opp)
    Hit action: action = damage(100) to(player)
    Some action: action = damage(100) to(player, character)
    Side action: action = moveTo(hand) to(character@anyDiscards)
    Same action: action = freeze() to(<1>character@sameRing)
    Foes action: action = freeze() to(character@oppRing)
    Mine action: action = freeze() to(character@myRing)
    All action: action = freeze() to(character)
    Show action: action = reveal() to(character@myHand)
    Raise action: action = moveTo(hand) to(character@myDiscards)
    Reuse action: action = moveTo(hand) to(action@myDiscards)
    React action: action = moveTo(hand) to(reaction@myDiscards)
    Named action: action = freeze() to(\"foe\")
    Sails action: action = freeze() to(sail)
    Lands action: action = freeze() to(!sail)
    Pair action: action = freeze() to(<2>character@oppRing)
    UpTo action: action = freeze() to(<0,2>character@oppRing)
    First action: action = moveTo(hand) to(<1>character<2>@myDiscards)
    Twice action: action = damage(300) to(character@oppRing) ; freeze() to(character@oppRing)
    Spare action: target = character@oppRing;; action = freeze() to(<1>character@oppRing::not(tgt))
    Search action: action = moveTo(hand) to(character@myDeck)
    FBacked action: action = freeze() to(character[backedup])
    FUnbacked action: action = freeze() to(character[-backedup])
    FFrozen action: action = bp(+1) to(character[frozen])
    FFree action: action = bp(+1) to(character[-frozen])
    FFresh action: action = bp(+1) to(character[fresh])
    FOld action: action = bp(+1) to(character[-fresh])
    FPower action: action = bp(+1) to(character[powerful])
    FNone action: action = bp(+1) to(character[powerless])
    FInst action: action = bp(+1) to(character[abinstant])
    FTrig action: action = bp(+1) to(character[abtrigger])
    FAuto action: action = bp(+1) to(character[abauto])
    FNoAuto action: action = bp(+1) to(character[-abauto])
    FStrong action: action = bp(+1) to(character[bp >= 400])
    FWeak action: action = bp(+1) to(character[bp <= 300])
    FSame action: action = bp(+1) to(character[bp == 300])
    FLow action: action = bp(+1) to(character[bp:lowest])
    FSp action: action = bp(+1) to(character[sp >= 1])
    FSail action: action = bp(+1) to(character[sail])
    FLand action: action = bp(+1) to(character[-sail])
    FBoth action: action = bp(+1) to(character[frozen & sail])
    FEither action: action = bp(+1) to(character[frozen, sail])
    FChar action: action = moveTo(hand) to(*[character]@myDiscards)
    FAct action: action = moveTo(hand) to(*[-character]@myDiscards)
    RAtt reaction: action = freeze() to(character[attack])
    RNoAtt reaction: action = freeze() to(character[-attack])
    RUni reaction: action = freeze() to(character[uattack])
    RBlock reaction: action = freeze() to(character[block])
    RNoBlk reaction: action = freeze() to(character[-block])
    RHit reaction: action = freeze() to(character[blocked])
";

/// Position, choices up to there, what is tried, and the rule that forbids it. What is tried is by
/// player 1; `opp:` in front makes it player 2. A card is looked for among player 1's, with `opp.`
/// among player 2's; `#2` is the second of its name.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    // Playing a character (section 4.1).
    ("phase attack; me Rook; me.hand Knave", "", "play Knave", "G65.1"),
    (
        "phase attack; me Rook; me.hand Knave; opp Foe",
        "attack Rook, pass",
        "play Knave",
        "G65.1",
    ),
    ("opp.hand Knave", "", "opp: play opp.Knave", "G65.1"),
    ("me.hand Knave Solo", "play Knave, slot 1", "play Solo", "G65.2"),
    ("me.hand Knave; me.played 1", "", "play Knave", "G65.2"),
    ("me Limit; me.hand Giant", "", "play Giant", "G65.3"),
    ("opp Limit; me.hand Giant", "", "play Giant", "G65.3"),
    ("me Rook Knave Wall Lead; me.hand Solo", "", "play Solo", "G65.4"),
    ("me Rook; me.hand Knave", "play Knave", "slot 1", "G65.6"),
    ("me.hand Knave", "play Knave", "slot 9", "G4"),
    ("me.hand Dear", "", "play Dear", "G65.7"),
    ("me.hand Dear; me.sp 8", "", "play Dear", "G65.7"),
    ("me.hand Knave; cost character -5", "", "play Knave", "G65.7"),
    ("me Rook", "", "play Rook", "G64"),
    ("", "", "play filler", "G64"),
    ("me.discards Rook", "", "play Rook", "G64"),
    ("me.removed Rook", "", "play Rook", "G254"),
    ("me Rook(Aid)", "", "play Aid", "G64"),
    ("opp.hand Knave", "", "play opp.Knave", "G64"),
    ("me.hand Knave Knave", "", "play Knave#2", "D29"),
    ("me.hand Knave Free", "play Knave", "play Free", "G73"),
    ("me.hand Knave Solo", "play Knave", "play Solo", "G73"),
    // An action (4.2).
    ("phase attack; me Rook; me.hand Free", "", "play Free", "G70.2"),
    ("opp.hand Free", "", "opp: play opp.Free", "G70.2"),
    (
        "phase attack; me Rook; me.hand Free; opp Foe",
        "attack Rook, pass",
        "play Free",
        "G70.2",
    ),
    (
        "phase attack; me Rook; opp.hand Free; opp Foe",
        "attack Rook, pass",
        "opp: play opp.Free",
        "G70.2",
    ),
    ("me.hand Act", "", "play Act", "G70.3"),
    ("me.hand Act; me.sp 1", "", "play Act", "G70.3"),
    ("me.hand Free; cost action -3", "", "play Free", "G70.3"),
    ("me.keyword cantplayac; me.hand Free", "", "play Free", "G70.1"),
    ("me NoAct; me.hand Free", "", "play Free", "G70.1"),
    ("opp NoAct; me.hand Free", "", "play Free", "G70.1"),
    ("me.hand Free Free", "", "play Free#2", "D29"),
    ("me.discards Free", "", "play Free", "G64"),
    ("me.hand Free", "play Free", "again Free", "D1"),
    ("me.hand Act; me.sp 2", "play Act", "refund Act", "G78"),
    ("me.hand Act; me.sp 2", "play Act", "take back Act", "G89"),
    // A reaction (4.3).
    ("me.hand Rea; me.sp 5", "", "play Rea", "G72.1"),
    (
        "phase attack; me Rook; me.hand Rea; me.sp 5",
        "",
        "play Rea",
        "G72.1",
    ),
    (
        "phase attack; me Rook; me.hand Rea; opp Foe",
        "attack Rook, pass",
        "play Rea",
        "G72.1",
    ),
    ("opp.hand Rea; opp.sp 5", "", "opp: play opp.Rea", "G72.1"),
    (
        "phase attack; me Rook; opp.hand Rea; opp Foe",
        "attack Rook, pass",
        "opp: play opp.Rea",
        "G72.3",
    ),
    (
        "phase attack; me Rook; opp.hand Rea; opp.sp 3; cost reaction -4",
        "attack Rook, pass",
        "opp: play opp.Rea",
        "G72.3",
    ),
    (
        "phase attack; me Rook; opp.hand Rea; opp.sp 3; opp.keyword cantplayre",
        "attack Rook, pass",
        "opp: play opp.Rea",
        "G72.2",
    ),
    (
        "phase attack; me Rook; opp.hand Rea; opp.sp 3; opp NoRea",
        "attack Rook, pass",
        "opp: play opp.Rea",
        "G72.2",
    ),
    (
        "phase attack; me Rook; opp.hand Rea Rea; opp.sp 3",
        "attack Rook, pass",
        "opp: play opp.Rea#2",
        "D29",
    ),
    (
        "phase attack; me Rook; opp.discards Rea; opp.sp 3",
        "attack Rook, pass",
        "opp: play opp.Rea",
        "G64",
    ),
    (
        "phase attack; me Rook; opp.hand Rea; opp.sp 3",
        "attack Rook, pass",
        "play opp.Rea",
        "G64",
    ),
    // Backing up (section 6).
    ("phase attack; me Rook; me.hand Aid", "", "back Aid", "G125.1"),
    ("opp.hand Aid; opp Foe", "", "opp: back opp.Aid", "G125.1"),
    ("me.hand Free; me Rook", "", "back Free", "G125.2"),
    ("me.hand Aid", "", "back Aid", "G125.3"),
    (
        "me.hand Aid; me Rook; opp Foe",
        "",
        "back Aid on opp.Foe",
        "G125.3",
    ),
    ("me.hand Aid Knave; me Rook", "", "back Aid on Knave", "G125.3"),
    ("me.hand Sailor; me Rook", "", "back Sailor", "G125.7"),
    (
        "me.hand Sailor; me Rook Wall",
        "",
        "back Sailor on Wall",
        "G125.7",
    ),
    ("me Rook^; me.hand Aid", "", "back Aid", "G125.4"),
    ("me Rook^ Wall; me.hand Aid", "", "back Aid on Rook", "G125.4"),
    ("me Rook*; me.hand Aid", "", "back Aid", "G125.5"),
    ("me Rook* Wall; me.hand Aid", "", "back Aid on Rook", "G125.5"),
    (
        "me Rook; me.hand Aid Solo",
        "back Aid, to Rook",
        "back Solo",
        "G125.6",
    ),
    (
        "me Rook; me.hand Aid; me.backed 1",
        "",
        "back Aid on Rook",
        "G125.6",
    ),
    ("me Rook(Aid/Solo); me.hand Knave", "", "back Knave", "G125.8"),
    (
        "me Rook(Aid/Solo) Wall; me.hand Knave",
        "",
        "back Knave on Rook",
        "G129",
    ),
    ("me Rook Aid", "", "back Aid", "G126"),
    ("me.discards Aid; me Rook", "", "back Aid", "G126"),
    ("me Rook Wall^; me.hand Aid", "back Aid", "to Wall", "G125.4"),
    ("me Rook Wall*; me.hand Aid", "back Aid", "to Wall", "G125.5"),
    (
        "me Rook; me.hand Aid; opp Foe",
        "back Aid",
        "to opp.Foe",
        "G125.3",
    ),
    ("me Rook; me.hand Aid Aid", "", "back Aid#2", "D29"),
    ("me Rook; me.hand Aid Solo", "back Aid", "back Solo", "G73"),
    ("me Rook; opp.hand Aid", "", "back opp.Aid", "G126"),
    ("me Rook(Aid)", "", "take off Aid", "G128"),
    // Using an ability (section 5).
    ("me Rook", "", "use Rook", "D17"),
    ("me Auto", "", "use Auto", "G99"),
    ("me.hand Trig", "", "use Trig", "G96"),
    ("phase attack; me Trig", "", "use Trig", "G96"),
    ("opp Trig", "", "opp: use opp.Trig", "G96"),
    ("opp Trig", "", "use opp.Trig", "G93"),
    ("me Trig*", "", "use Trig", "G98"),
    ("me Trig^", "", "use Trig", "G98"),
    ("me Trig; rule ab_trigger_act 0", "", "use Trig", "G253"),
    ("me Inst", "", "use Inst", "G97"),
    ("me Inst*", "", "use Inst", "G100"),
    ("me Inst*; rule ab_instant_act 0", "", "use Inst", "G97"),
    ("me.hand Inst", "play Inst, slot 1", "use Inst", "G101"),
    ("me Disc; me.hand Rook", "use Disc", "use Disc", "G101"),
    ("me Need", "", "use Need", "D17"),
    ("me Req", "", "use Req", "G105"),
    ("me Disc", "", "use Disc", "D17"),
    ("me Sac", "", "use Sac", "D17"),
    ("me Rook(Trig)", "", "use Trig", "G127"),
    ("me Trig; me.hand Knave", "play Knave", "use Trig", "G73"),
    ("me.discards Trig", "", "use Trig", "G96"),
    // Attacking alone (7.1).
    ("me Rook", "", "attack Rook", "G130.1"),
    (
        "phase attack; me Rook Wall; opp Foe",
        "attack Rook, pass",
        "attack Wall",
        "G130.1",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "",
        "opp: attack opp.Foe",
        "G130.1",
    ),
    (
        "phase attack; me Rook; me.hand Knave",
        "",
        "attack Knave",
        "G130.2",
    ),
    ("phase attack; me Rook; opp Foe", "", "attack opp.Foe", "G130.2"),
    ("phase attack; me Rook(Aid)", "", "attack Aid", "G130.2"),
    (
        "phase attack; me Rook; me.discards Knave",
        "",
        "attack Knave",
        "G130.2",
    ),
    (
        "phase attack; me Rook; rule attack 0",
        "",
        "attack Rook",
        "G130.3",
    ),
    (
        "phase attack; me Rook~cantattack Wall",
        "",
        "attack Rook",
        "G130.4",
    ),
    ("phase attack; me Rook NoAtt", "", "attack Rook", "G130.4"),
    ("phase attack; me Rook", "attack Rook", "attack Rook", "G130.5"),
    ("phase attack; me Rook* Wall", "", "attack Rook", "G130.6"),
    ("phase attack; me Rook^ Wall", "", "attack Rook", "G130.7"),
    // United (7.2).
    ("me Rook Wall", "", "join Rook", "G130.1"),
    ("phase attack; me Rook Wall", "", "join Rook", "G132"),
    (
        "phase attack; me Rook; me.hand Knave",
        "attack Rook",
        "join Knave",
        "G133.1",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook",
        "join opp.Foe",
        "G133.1",
    ),
    (
        "phase attack; me Rook Wall; rule attack 0",
        "",
        "join Wall",
        "G133.2",
    ),
    (
        "phase attack; me Rook Wall*; me.sp 9",
        "attack Rook",
        "join Wall",
        "G133.3",
    ),
    (
        "phase attack; me Rook Wall NoAtt; me.sp 9",
        "",
        "join Wall",
        "G133.4",
    ),
    (
        "phase attack; me Rook Wall; me.sp 9",
        "attack Rook, attack Wall",
        "join Wall",
        "G133.5",
    ),
    (
        "phase attack; me Rook Wall; me.sp 9",
        "attack Rook, join Wall",
        "join Wall",
        "G133.5",
    ),
    (
        "phase attack; me Rook Wall^; me.sp 9",
        "attack Rook",
        "join Wall",
        "GQ12",
    ),
    (
        "phase attack; me Rook Wall Lead; me.sp 9",
        "attack Rook",
        "join Wall on Lead",
        "G133.6",
    ),
    (
        "phase attack; me Rook Wall Lead Solo; me.sp 9",
        "attack Rook, attack Solo, join Wall",
        "to Lead",
        "G133.6",
    ),
    (
        "phase attack; me Rook Wall Lead Solo; me.sp 50",
        "attack Rook, attack Solo, join Wall, to Rook",
        "join Lead on Solo",
        "G133.7",
    ),
    (
        "phase attack; me Rook Wall Lead Solo; me.sp 50",
        "attack Rook, join Wall, join Lead",
        "join Solo",
        "G133.8",
    ),
    ("phase attack; me Rook Wall", "attack Rook", "join Wall", "G133.9"),
    (
        "phase attack; me Rook Wall Lead; me.sp 7",
        "attack Rook, join Wall",
        "join Lead",
        "G133.9",
    ),
    (
        "phase attack; me Rook Wall; me.sp 5; cost ua2 -1",
        "attack Rook",
        "join Wall",
        "G133.9",
    ),
    ("phase attack; me Rook Wall", "", "cancel Rook", "G140"),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass",
        "cancel Rook",
        "G136",
    ),
    ("phase attack; me Rook; opp Foe", "", "cancel opp.Foe", "G136"),
    ("phase attack; me Rook; me.hand Knave", "", "cancel Knave", "G140"),
    ("phase attack; me Rook Wall; united 0 1", "", "pass", "GQ14"),
    // Counter-attacking (section 8).
    ("opp Foe", "", "opp: block opp.Foe", "G144.1"),
    (
        "phase attack; me Rook; opp Foe",
        "",
        "opp: block opp.Foe",
        "G144.1",
    ),
    (
        "phase attack; me Rook Wall; opp Foe",
        "attack Rook, pass",
        "block Wall",
        "G144.1",
    ),
    (
        "phase attack; me Rook; opp Foe; opp.hand Knave",
        "attack Rook, pass",
        "opp: block opp.Knave",
        "G144.2",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass",
        "opp: block Rook",
        "G144.2",
    ),
    (
        "phase attack; me Rook; opp Foe^",
        "attack Rook, pass",
        "opp: block opp.Foe",
        "G144.3",
    ),
    (
        "phase attack; me Rook; opp Foe~cantblock",
        "attack Rook, pass",
        "opp: block opp.Foe",
        "G144.4",
    ),
    (
        "phase attack; me Rook; opp Foe NoBlk",
        "attack Rook, pass",
        "opp: block opp.Foe",
        "G144.4",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass, block Foe",
        "opp: block opp.Foe",
        "G144.5",
    ),
    (
        "phase attack; me Rook Wall; me.sp 9; opp Foe",
        "attack Rook, join Wall, pass",
        "opp: block opp.Foe on Wall",
        "G144.6",
    ),
    (
        "phase attack; me Rook Wall; opp Foe",
        "attack Rook, pass",
        "opp: block opp.Foe on Wall",
        "G138",
    ),
    (
        "phase attack; me Rook; opp Foe Fiend",
        "attack Rook, pass, block Foe",
        "opp: block opp.Fiend",
        "G144.7",
    ),
    (
        "phase attack; me Rook Wall; opp Foe Fiend",
        "attack Rook, attack Wall, pass, block Foe, to Rook",
        "opp: block opp.Fiend on Rook",
        "G146",
    ),
    (
        "phase attack; me Rook Wall Lead; opp Foe Fiend",
        "attack Rook, attack Wall, attack Lead, pass, block Foe, to Rook, block Fiend",
        "opp: to Rook",
        "G144.7",
    ),
    (
        "phase attack; me Rook Wall Solo; opp Foe",
        "attack Rook, attack Wall, pass, block Foe",
        "opp: to Solo",
        "G144.6",
    ),
    (
        "phase attack; me Rook~unblockable; opp Foe",
        "attack Rook, pass",
        "opp: block opp.Foe",
        "G144.8",
    ),
    (
        "phase attack; me Duchess; opp Foe",
        "attack Duchess, pass",
        "opp: block opp.Foe",
        "G144.8",
    ),
    (
        "phase attack; me Duchess Rook; opp Foe",
        "attack Duchess, attack Rook, pass",
        "opp: block opp.Foe on Duchess",
        "G144.8",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass",
        "opp: unblock opp.Foe",
        "G144.5",
    ),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass, block Foe",
        "unblock opp.Foe",
        "G144.5",
    ),
    // Phases and turns.
    ("", "", "opp: pass", "G46"),
    ("phase attack; me Rook", "", "opp: pass", "C20"),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass",
        "pass",
        "G47",
    ),
    ("", "", "step back", "GQ28"),
    ("", "", "pass turn", "G46"),
    (
        "opp.hp 300; phase attack; me Rook",
        "attack Rook, pass, pass",
        "pass",
        "D8",
    ),
    (
        "opp.hp 300; phase attack; me Rook",
        "attack Rook, pass, pass",
        "attack Rook",
        "G42",
    ),
    // What is never done by hand.
    ("", "", "draw", "G50"),
    ("", "", "mulligan", "G35"),
    ("me.hand Rook", "", "discard Rook", "G205"),
    ("me Rook", "", "ko Rook", "G169"),
    ("me Rook", "", "freeze Rook", "G220"),
    ("me Rook^", "", "unfreeze Rook", "G48"),
    ("me Rook", "", "move Rook", "G235"),
    ("me Rook Wall", "", "exchange Rook", "G234"),
    ("", "", "shuffle", "G212"),
    ("", "", "look into deck", "G267"),
    ("", "", "set a number", "GQ29"),
    ("me.hand Knave", "play Knave", "opp: respond", "G73"),
    // Answers that are none to the question.
    ("", "", "yes", "G87"),
    ("phase attack; me Rook", "", "slot 1", "C3"),
    (
        "phase attack; me Rook; opp Foe",
        "attack Rook, pass",
        "opp: yes",
        "C6",
    ),
    ("", "", "decline", "D3"),
    ("me.hand Knave", "play Knave", "pass", "C1"),
    ("me.hand Knave", "play Knave", "opp: slot 1", "G262"),
    ("me Rook Wall; me.hand Aid", "back Aid", "done", "C2"),
    (
        "phase attack; me Rook Wall Lead; me.sp 9",
        "attack Rook, attack Lead, join Wall",
        "pass",
        "C4",
    ),
    (
        "phase attack; me Rook Wall; opp Foe",
        "attack Rook, attack Wall, pass, block Foe",
        "opp: pass",
        "C5",
    ),
    ("opp Foe Fiend; me.hand Foes", "play Foes", "yes", "C8"),
    ("opp Foe Fiend; me.hand Foes", "play Foes", "pass", "C11"),
    ("me Disc; me.hand Rook Wall", "use Disc", "yes", "C12"),
    ("me Sac Rook Wall", "use Sac", "pass", "C13"),
    ("me.hand Drop Rook Wall", "play Drop", "pass", "C14"),
    ("me.hand Hit", "play Hit", "pass", "R409"),
    (
        "me.discards Rook; opp.discards Foe; me.hand Side",
        "play Side",
        "to Rook",
        "R405",
    ),
    ("me Rook; me.hand Some", "play Some", "to Rook", "R401"),
    ("me.hand Two", "play Two", "pass", "C9"),
    ("me.hand Two", "play Two", "action 3", "C9"),
    ("me.hand May", "play May", "pass", "C10"),
    ("me.hand May", "play May", "decline", "C10"),
    ("me.hand Opt", "play Opt", "heads", "C17"),
    ("me.hand Opt", "play Opt", "decline", "C17"),
    ("opp Foe; me.hand Bounce", "play Bounce", "yes", "C15"),
    (
        "me.hand Prophet; me.deck Rook Wall Lead Solo",
        "play Prophet",
        "pass",
        "C16",
    ),
    ("me.hand Coin", "play Coin", "yes", "C18"),
    ("me Rook Wall; me.hand Move", "play Move, to Rook", "pass", "C19"),
    (
        "me Rook Wall; me.hand Move",
        "play Move, to Rook",
        "slot 2",
        "G235",
    ),
    ("me Rook Wall; me.hand Move", "play Move, to Rook", "slot 9", "G4"),
    // Committed: no way back.
    ("opp Foe Fiend; me.hand Foes", "play Foes", "decline", "GQ23"),
    ("me.hand Drop Rook Wall", "play Drop", "decline", "GQ23"),
    ("me.hand Hit", "play Hit", "decline", "D3"),
    ("opp Foe; me.hand Bounce", "play Bounce", "decline", "GQ23"),
    // Who is no target, and why (section 4 of the language).
    (
        "opp Foe Fiend; me Rook; me.hand Foes",
        "play Foes",
        "to Rook",
        "R407",
    ),
    (
        "opp Foe Fiend; me Rook Wall; me.hand Mine",
        "play Mine",
        "to opp.Foe",
        "R407",
    ),
    (
        "opp Foe; me Rook; me.hand All Knave",
        "play All",
        "to Knave",
        "R406",
    ),
    (
        "opp Foe; me Rook; me.hand All; me.discards Knave",
        "play All",
        "to Knave",
        "R406",
    ),
    ("opp Foe; me Rook(Aid); me.hand All", "play All", "to Aid", "R406"),
    (
        "opp Foe Fiend; me Rook Wall; me.hand Same",
        "play Same, opp",
        "to Rook",
        "R419",
    ),
    (
        "me.hand Raise; me.discards Rook Wall; opp.discards Foe",
        "play Raise",
        "to opp.Foe",
        "R406",
    ),
    (
        "me.hand Raise; me.discards Rook Wall Free",
        "play Raise",
        "to Free",
        "R410",
    ),
    (
        "me.hand Reuse; me.discards Free Act Rook",
        "play Reuse",
        "to Rook",
        "R410",
    ),
    (
        "me.hand React; me.discards Rea RAtt Free",
        "play React",
        "to Free",
        "R410",
    ),
    (
        "opp Foe Foe Fiend; me.hand Named",
        "play Named",
        "to opp.Fiend",
        "R212",
    ),
    (
        "opp Sailor Mate Foe; me.hand Sails",
        "play Sails",
        "to opp.Foe",
        "R213",
    ),
    (
        "opp Sailor Fiend Foe; me.hand Lands",
        "play Lands",
        "to opp.Sailor",
        "R211",
    ),
    ("me Others Rook Wall", "use Others", "to Others", "R211"),
    ("me Sac Rook Wall", "use Sac", "to Sac", "R211"),
    ("me Sac Rook Wall; opp Foe", "use Sac", "to opp.Foe", "R407"),
    ("me Disc Wall; me.hand Rook Knave", "use Disc", "to Wall", "R406"),
    (
        "me Discs; me.hand Rook Knave Wall",
        "use Discs, to Knave",
        "to Knave",
        "D4",
    ),
    (
        "me.hand Drop Rook Wall; me Knave",
        "play Drop",
        "to Knave",
        "R406",
    ),
    ("me.hand Drop Rook Wall", "play Drop", "done", "R204"),
    (
        "me.hand Rob Rook; opp.hand Foe Fiend",
        "play Rob",
        "to Rook",
        "R406",
    ),
    (
        "me.hand First; me.discards Rook Wall Lead",
        "play First",
        "to Lead",
        "R414",
    ),
    (
        "opp Foe Fiend Wall; me.hand Twice",
        "play Twice, to Foe",
        "to opp.Foe",
        "R425",
    ),
    (
        "opp Foe Fiend Wall; me.hand Spare",
        "play Spare, to Foe",
        "to opp.Foe",
        "R420",
    ),
    (
        "opp Foe Fiend Wall; me.hand Pair",
        "play Pair, to Foe",
        "to opp.Foe",
        "D29",
    ),
    (
        "opp Foe Fiend Wall; me.hand Pair",
        "play Pair",
        "to opp.Wall",
        "D29",
    ),
    ("opp Foe Fiend Wall; me.hand Pair", "play Pair", "done", "R204"),
    (
        "opp Foe Fiend Wall; me.hand UpTo",
        "play UpTo, to Fiend",
        "to opp.Foe",
        "D29",
    ),
    (
        "me.hand Search; me.deck Rook Wall Free",
        "play Search",
        "copy Free",
        "R410",
    ),
    (
        "me.hand Search; me.deck Rook Wall Free",
        "play Search",
        "copy Lead",
        "R406",
    ),
    (
        "me.hand Search; me.deck Rook Wall Free",
        "play Search",
        "to Rook",
        "D29",
    ),
    (
        "me.hand Prophet2; me.deck Rook Wall Lead Solo",
        "play Prophet2",
        "to Solo",
        "G216",
    ),
    ("me Rook Wall; me.hand All", "play All", "copy Rook", "D29"),
    // Filters.
    (
        "me Rook(Aid) Wall(Aid) Lead; me.hand FBacked",
        "play FBacked",
        "to Lead",
        "R422",
    ),
    (
        "me Rook(Aid) Wall Lead; me.hand FUnbacked",
        "play FUnbacked",
        "to Rook",
        "R422",
    ),
    (
        "me Rook^ Wall^ Lead; me.hand FFrozen",
        "play FFrozen",
        "to Lead",
        "R422",
    ),
    (
        "me Rook^ Wall Lead; me.hand FFree",
        "play FFree",
        "to Rook",
        "R422",
    ),
    (
        "me Rook* Wall* Lead; me.hand FFresh",
        "play FFresh",
        "to Lead",
        "R422",
    ),
    ("me Rook* Wall Lead; me.hand FOld", "play FOld", "to Rook", "R422"),
    (
        "me Trig Auto Lead; me.hand FPower",
        "play FPower",
        "to Lead",
        "R422",
    ),
    (
        "me Trig Wall Lead; me.hand FNone",
        "play FNone",
        "to Trig",
        "R422",
    ),
    (
        "me Inst Inst Lead; me.hand FInst",
        "play FInst",
        "to Lead",
        "R422",
    ),
    (
        "me Trig Need Auto; me.hand FTrig",
        "play FTrig",
        "to Auto",
        "R422",
    ),
    (
        "me Auto Auto Trig; me.hand FAuto",
        "play FAuto",
        "to Trig",
        "R422",
    ),
    (
        "me Auto Rook Trig; me.hand FNoAuto",
        "play FNoAuto",
        "to Auto",
        "R422",
    ),
    (
        "me Giant Rook=400 Wall; me.hand FStrong",
        "play FStrong",
        "to Wall",
        "R422",
    ),
    (
        "me Giant Rook Wall; me.hand FWeak",
        "play FWeak",
        "to Giant",
        "R422",
    ),
    (
        "me Giant Rook Wall; me.hand FSame",
        "play FSame",
        "to Giant",
        "R422",
    ),
    (
        "me Giant Rook Wall; me.hand FLow",
        "play FLow",
        "to Giant",
        "R422",
    ),
    ("me Mate Mate Wall; me.hand FSp", "play FSp", "to Wall", "R422"),
    (
        "me Sailor Mate Wall; me.hand FSail",
        "play FSail",
        "to Wall",
        "R422",
    ),
    (
        "me Sailor Lead Wall; me.hand FLand",
        "play FLand",
        "to Sailor",
        "R422",
    ),
    (
        "me Sailor^ Mate^ Wall^; me.hand FBoth",
        "play FBoth",
        "to Wall",
        "R422",
    ),
    (
        "me Sailor Lead^ Wall; me.hand FEither",
        "play FEither",
        "to Wall",
        "R411",
    ),
    (
        "me.hand FChar; me.discards Rook Wall Free",
        "play FChar",
        "to Free",
        "R422",
    ),
    (
        "me.hand FAct; me.discards Rook Act Free",
        "play FAct",
        "to Rook",
        "R422",
    ),
    (
        "phase attack; me Rook Wall Lead; opp.hand RAtt",
        "attack Rook, attack Wall, pass, play RAtt",
        "opp: to Lead",
        "R422",
    ),
    (
        "phase attack; me Rook Wall Lead; opp.hand RNoAtt",
        "attack Rook, pass, play RNoAtt",
        "opp: to Rook",
        "R422",
    ),
    (
        "phase attack; me Rook Wall Lead; me.sp 5; opp.hand RUni",
        "attack Rook, join Wall, pass, play RUni",
        "opp: to Lead",
        "R422",
    ),
    (
        "phase attack; me Rook Wall; opp Foe Fiend Solo; opp.hand RBlock",
        "attack Rook, attack Wall, pass, block Foe, to Rook, block Fiend, play RBlock",
        "opp: to opp.Solo",
        "R422",
    ),
    (
        "phase attack; me Rook Wall; opp Foe Fiend; opp.hand RNoBlk",
        "attack Rook, pass, block Foe, play RNoBlk",
        "opp: to opp.Foe",
        "R422",
    ),
    (
        "phase attack; me Rook Wall Lead; opp Foe Fiend; opp.hand RHit",
        "attack Rook, attack Wall, attack Lead, pass, block Foe, to Rook, block Fiend, to Wall, play RHit",
        "opp: to Lead",
        "R422",
    ),
];

/// More than two hundred kinds of things that cannot be done are each refused by the right rule: one of
/// the game (G42, G64, G65, G70, G72, G87, G96, G98, G125, G130, G133, G136, G140, G144), of its quirks
/// (GQ14, GQ23, GQ28, GQ29), of choices (C1, C2, C4, C5, C8, C9, C10, C12, C13, C14, C16, C17, C18, C19),
/// of the decisions (D3, D29), or of RuleScript (R204, R211, R212, R213 for types and quantities,
/// R405, R406, R407, R410, R411, R414, R419, R420, R422, R425 for how targets are found).
#[test]
fn refusals_name_their_rules() {
    let mut wrong = Vec::new();
    for (position, choices, attempt, rule) in REFUSED {
        let mut play = start(CARDS, position);
        go(&mut play, choices);
        let (seat, tried) = read(&play, attempt);
        let found = play.duel.why_not_by(seat, tried);
        if !found.is_some_and(|refusal| refusal.is_by(rule)) {
            wrong.push(format!(
                "{position} | {choices} | {attempt}: {rule}, but {found:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut kinds: Vec<_> = REFUSED.iter().collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 263, "kinds of refusal");
}

#[track_caller]
fn read(play: &Play, text: &str) -> (Seat, Attempt) {
    let (seat, text) = match text.strip_prefix("opp: ") {
        Some(rest) => (Seat::Two, rest),
        None => (Seat::One, text),
    };
    let (text, on) = match text.split_once(" on ") {
        Some((text, on)) => (text, Some(find(play, on))),
        None => (text, None),
    };
    let (verb, rest) = text.rsplit_once(' ').unwrap_or((text, ""));
    let card = || find(play, rest);
    let number = || rest.parse::<u8>().expect("a number") - 1;
    let model = |name: &str| play.duel.game().find(name).expect("a card of the game");
    let choice = match verb {
        "play" => Choice::Play(card()),
        "back" => Choice::BackUp(card()),
        "use" => Choice::Activate(card()),
        "attack" => Choice::Attack(card()),
        "join" => Choice::Join(card()),
        "cancel" => Choice::CancelAttack(card()),
        "block" => Choice::Block(card()),
        "unblock" => Choice::CancelBlock(card()),
        "to" => Choice::Card(card()),
        "copy" => Choice::Copy(ModelId(model(rest).0)),
        "slot" => Choice::Slot(number()),
        "action" => Choice::Action(number()),
        "yes" => Choice::Yes,
        "heads" => Choice::Heads,
        "done" => Choice::Done,
        "decline" => Choice::Decline,
        _ if text == "pass" => Choice::Pass,
        _ => return (seat, never(play, text)),
    };
    let attempt = match on {
        Some(second) => Attempt::On(choice, second),
        None => Attempt::Answer(choice),
    };
    (seat, attempt)
}

#[track_caller]
fn never(play: &Play, text: &str) -> Attempt {
    let (verb, name) = text.rsplit_once(' ').unwrap_or((text, ""));
    let card = || find(play, name);
    match (verb, text) {
        ("again", _) => Attempt::TryAgain(card()),
        ("refund", _) => Attempt::Refund(card()),
        ("take back", _) => Attempt::TakeBack(card()),
        ("take off", _) => Attempt::TakeBackUpOff(card()),
        ("discard", _) => Attempt::Discard(card()),
        ("ko", _) => Attempt::KnockOut(card()),
        ("freeze", _) => Attempt::Freeze(card()),
        ("unfreeze", _) => Attempt::Unfreeze(card()),
        ("move", _) => Attempt::MoveToSlot(card(), 2),
        ("exchange", _) => Attempt::Exchange(card(), card()),
        (_, "step back") => Attempt::StepBack,
        (_, "pass turn") => Attempt::PassTurn,
        (_, "draw") => Attempt::Draw,
        (_, "mulligan") => Attempt::Mulligan,
        (_, "shuffle") => Attempt::Shuffle(PileName::Deck),
        (_, "look into deck") => Attempt::LookInto(Seat::Two, PileName::Deck),
        (_, "set a number") => Attempt::SetNumber,
        (_, "respond") => Attempt::Respond,
        _ => panic!("`{text}` is nothing that one could try"),
    }
}

/// A card by its name: not in a deck, if there is another.
#[track_caller]
fn find(play: &Play, text: &str) -> CardId {
    let (seat, name) = match text.strip_prefix("opp.") {
        Some(rest) => (Seat::Two, rest),
        None => (Seat::One, text),
    };
    let (name, nth) = match name.split_once('#') {
        Some((name, nth)) => (name, nth.parse::<usize>().expect("a number") - 1),
        None => (name, 0),
    };
    let deck = ZoneKind::Pile(PileName::Deck);
    let mut found: Vec<(bool, CardId)> = (0..250)
        .map(CardId)
        .filter_map(|card| {
            let ZoneLocation { seat: of, zone } = play.duel.zone_of(card)?;
            (of == seat && play.name(card) == name).then_some((zone == deck, card))
        })
        .collect();
    found.sort_unstable();
    let found = found.get(nth).unwrap_or_else(|| panic!("there is no {text}"));
    found.1
}
