//! What was meant by a line that is wrong is offered where it can be found: as a whole line that is sound.

use cw_check::{CheckedFile, KnownCards, MeantRules, SeveritySettings, check_text, offer_meant};
use cw_text::{Diagnostic, FileId, Safety, Severity, apply_fixes};

use support::character;

mod support;

const ROOK: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

fn cards() -> KnownCards {
    KnownCards::new(vec![
        character(ROOK, "Rook", "Warrior"),
        character("16fd2706-8baf-433b-82eb-8c7fada847da", "Auntie Rye", "Ninja"),
        character("16fd2706-8baf-433b-82eb-8c7fada847db", "Halberdier", "Guard"),
    ])
}

/// The text of a rule of Rook.
fn text_of(rule: &str) -> String {
    format!("[{ROOK}]\n{rule}\n")
}

/// What is found in it, with what is offered.
fn found(text: &str) -> Vec<Diagnostic> {
    found_after(text, &mut MeantRules::default())
}

/// The same, with what is known of the texts before.
fn found_after(text: &str, known: &mut MeantRules) -> Vec<Diagnostic> {
    let (cards, settings) = (cards(), SeveritySettings::default());
    let CheckedFile {
        rules,
        diagnostics: mut found,
    } = check_text(FileId(0), text, &cards, &settings);
    offer_meant(FileId(0), text, &rules, &cards, &settings, &mut found, known);
    found
}

/// What was meant is known the next time, wherever the rule stands then, and however many lines were thought
/// about.
#[test]
fn what_was_meant_is_known_the_next_time() {
    let wrong = "action = damage(300, opp)\n".repeat(5);
    let text = |many: usize| format!("[{ROOK}]\n{wrong}").repeat(many);
    // With eight rules the lines that may be thought about end in the middle of one.
    for many in [1, 2, 4, 8] {
        let mut known = MeantRules::default();
        let first = found_after(&text(many), &mut known);
        assert!(offered(&first).next().is_some());
        for new in [
            format!("# moved\n{}", text(many)),
            text(many + 1),
            text(many - 1),
            text(many),
        ] {
            known = known.again();
            assert_eq!(found_after(&new, &mut known), found(&new), "{many}");
        }
    }
}

fn offered(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(|one| {
        let title = one.fix.as_ref().map(|fix| fix.title.as_str()).unwrap_or_default();
        title.starts_with("did you mean")
    })
}

/// The rule with the first whole line that is offered.
fn meant(rule: &str) -> Option<String> {
    let text = text_of(rule);
    let found = found(&text);
    taken(&text, offered(&found).next()?)
}

/// The rule with the first whole line, or else the first fix, that is offered.
fn mended(rule: &str) -> Option<String> {
    let text = text_of(rule);
    let found = found(&text);
    let offer = offered(&found).next();
    taken(
        &text,
        offer.or_else(|| found.iter().find(|one| one.fix.is_some()))?,
    )
}

fn taken(text: &str, offer: &Diagnostic) -> Option<String> {
    let (text, _) = apply_fixes(FileId(0), text, std::slice::from_ref(offer), Safety::Unsafe);
    let (_, rule) = text.split_once('\n')?;
    Some(rule.trim_end().to_owned())
}

/// What people write who have read the book once, and what they mean.
#[rustfmt::skip]
const MEANT: &[(&str, &str)] = &[
    (
        "target = character@oppRing\naction = {2}: damage(300)",
        "target = character@oppRing\naction = [[if me.sp >= 2]] sp(-2) & damage(300)",
    ),
    ("auto = ~destroyed:this~ draw(1)", "auto = ~leavesRing:this~ draw(1)"),
    ("action = [[if me.hand < 3]] draw(2)", "action = [[if me.hand.size < 3]] draw(2)"),
    (
        "target = character@myRing\naction = [[if tgt.0.type == 'guard']] bp(+400) [[else]] bp(+200)",
        "target = character@myRing\naction = [[if tgt.0.subtype == 'guard']] bp(+400) [[else]] bp(+200)",
    ),
    ("target = character@myRing\naction = bp(*2) ueot", "target = character@myRing\naction = bp(x2) ueot"),
    ("action = loseLife(-300) to(opp)", "action = loseLife(300) to(opp)"),
    (
        "target = character[bp <= 300 and frozen]@oppRing\naction = destroy()",
        "target = character[bp <= 300 & frozen]@oppRing\naction = destroy()",
    ),
    ("action = each(char in opp.ring: damage(100) to(char))", "action = damage(100) to(characters@oppRing)"),
    (
        "requisite = me.sp >= 3\ntarget = character@oppRing\naction = {F}: damage(300)",
        "requisite = me[sp>=3]\ntarget = character@oppRing\naction = {F}: damage(300)",
    ),
    ("action = may draw(1)", "action = draw?(1)"),
    ("action = modCost(action, +2) ueot", "action = alterCost(action, +2) ueot"),
    ("action = {F, D}: draw(2)", "action = {F}{D}: draw(2)"),
    (
        "target = character@oppRing\naction = freeze() oppUeot",
        "target = character@oppRing\naction = freeze(); +frosted oppUeot",
    ),
    ("action = peek(opp.hand)", "action = peek() to(opp)"),
    (
        "target = character@oppRing\naction = moveTo(deck, bottom)",
        "target = character@oppRing\naction = moveTo(deck, -1)",
    ),
    (
        "action = draw(2) || hp(+300)",
        "label = \"First\"\naction = draw(2)\nlabel = \"Second\"\naction = hp(+300)",
    ),
    ("action = [[if flipCoin]] draw(2)", "action = [[if flipCoin()]] draw(2)"),
    ("action = [[if me.sp >= '5']] draw(2)", "action = [[if me.sp >= 5]] draw(2)"),
    ("action = hp(=1000) to(opp)", "action = hp(1000 - opp.hp) to(opp)"),
    ("action = discard(opp)", "action = discard() to(opp)"),
    ("action = damage(300, opp)", "action = damage(300) to(opp)"),
    ("auto = ~myEndPhase draw()", "auto = ~myEndPhase~ draw()"),
    ("action = [[if alone] draw()", "action = [[if alone]] draw()"),
    ("action = destroy(character)", "action = destroy() to(character)"),
    ("action = destroy() to(enemy)", "action = destroy() to(character@oppRing)"),
    ("action = {T}: draw()", "action = {F}: draw()"),
    ("action = +haste to(this)", "action = +rush to(this)"),
    ("action = bp(*2)", "action = bp(x2)"),
    ("action = search(character)", "action = moveTo(hand) from(character@deck) & shuffle()"),
    ("auto = ~endTurn~ draw()", "auto = ~myEndPhase~ draw()"),
    ("action = [[if opponent.hp < 300]] draw()", "action = [[if opp.hp < 300]] draw()"),
    ("action = [[if me.life < 300]] draw()", "action = [[if me.hp < 300]] draw()"),
    ("action = {SP(3)}: draw()", "action = [[if me.sp >= 3]] sp(-3) & draw()"),
    ("action = damage(300) to(character@opp)", "action = damage(300) to(character@oppRing)"),
    ("action = draw() if alone", "action = [[if alone]] draw()"),
    ("auto = when attacks: draw(1)", "auto = ~attacks~ draw(1)"),
    ("auto = ~entersRing~ draw(1)", "action = draw(1)"),
    ("action = if me.hp > 1000: draw(1)", "action = [[if me.hp > 1000]] draw(1)"),
    ("action = skip(block) to(opp)", "action = skip(counter-attack) to(opp)"),
    ("action = [[if me.hp > 500 && me.sp > 2]] draw(1)", "action = [[if me.hp > 500 and me.sp > 2]] draw(1)"),
    ("action = [[if !alone]] draw(1)", "action = [[if not alone]] draw(1)"),
    ("action = damage(opp, 300)", "action = damage(300) to(opp)"),
    ("action = freeze(character@oppRing)", "action = freeze() to(character@oppRing)"),
    ("action = [[if me.hand == 0]] draw(2)", "action = [[if me.hand.size == 0]] draw(2)"),
    ("action = {2}: draw(1)", "action = [[if me.sp >= 2]] sp(-2) & draw(1)"),
    ("action = [[if flipCoin]] draw(1)", "action = [[if flipCoin()]] draw(1)"),
    ("effect = draw(2)", "action = draw(2)"),
    ("action = moveTo(deck, bottom)", "action = moveTo(deck, -1)"),
    ("auto = ~attacks draw(1)", "auto = ~attacks~ draw(1)"),
    (
        "action = [[if character[frozen]@oppRing]] draw(1)",
        "action = [[if getTargets('character[frozen]@oppRing')]] draw(1)",
    ),
    ("action = draw(2)?", "action = draw?(2)"),
    ("action = +rush(ueot)", "action = +rush ueot"),
    (
        "action = destroy() to(character[bp <= 300] in oppRing)",
        "action = destroy() to(character[bp <= 300]@oppRing)",
    ),
    ("action = hp(-100) to(opp) if me.hp > 500", "action = [[if me.hp > 500]] hp(-100) to(opp)"),
    ("action = [[if flipCoin() == heads]] draw(1)", "action = [[if flipCoin()]] draw(1)"),
    ("action = damage(bp) to(opp)", "action = damage(this.bp) to(opp)"),
    ("action = moveTo(deck, top) to(character@oppRing)", "action = moveTo(deck, 0) to(character@oppRing)"),
    ("auto = ~startTurn~ draw(1)", "auto = ~myActivatePhase~ draw(1)"),
    ("auto = ~attacks~ ~blocks~ draw(1)", "auto = ~attacks, blocks~ draw(1)"),
    ("auto = ~attacks or blocks~ draw(1)", "auto = ~attacks, blocks~ draw(1)"),
    ("action = damage(100) to(opp and character@oppRing)", "action = damage(100) to(opp; character@oppRing)"),
    ("action = damage(100) to(opp or character@oppRing)", "action = damage(100) to(opp, character@oppRing)"),
    (
        "target = character@oppRing, opp\naction = damage(100)",
        "target = character@oppRing; opp\naction = damage(100)",
    ),
    (
        "action = destroy() to(character[cost<=3]@oppRing)",
        "action = destroy() to(character[sp >= -3]@oppRing)",
    ),
    (
        "action = destroy() to(character[subtype=ninja]@oppRing)",
        "action = destroy() to(character[ninja]@oppRing)",
    ),
    ("action = bp(-100) to(characters[-this]@myRing)", "action = bp(-100) to(^characters@myRing)"),
    ("auto = ~attacks~: draw(1)", "auto = ~attacks~ draw(1)"),
    ("auto = ~destroyed~ draw(1)", "auto = ~leavesRing~ draw(1)"),
    ("auto = ~myTurn~ sp(+1)", "auto = ~myActivatePhase~ sp(+1)"),
    ("action = {S: character@myRing}: draw(1)", "action = {S(character@myRing)}: draw(1)"),
    ("action = heal(300)", "action = hp(+300)"),
    ("action = [[if this.frozen]] draw(1)", "action = [[if getTargets('this[frozen]')]] draw(1)"),
    ("action = [[if tgt.0.cost > 3]] draw(1)", "action = [[if tgt.0.sp < -3]] draw(1)"),
    ("action = [[if hand.size > 3]] draw(1)", "action = [[if me.hand.size > 3]] draw(1)"),
    ("action = draw(2) unless alone", "action = [[if not (alone)]] draw(2)"),
    ("action = damage(-100) to(opp)", "action = damage(100) to(opp)"),
    ("action = {F}, {D}: draw(1)", "action = {F}{D}: draw(1)"),
    ("action = {D 2}: draw(1)", "action = {D(2)}: draw(1)"),
    ("auto = ~any attacks~ draw(1)", "auto = ~anyAttacks~ draw(1)"),
    (
        "auto = ~attacks:opp~ draw(1)",
        "auto = ~attacks:any~ [[if trigger.controller != this.controller]] draw(1)",
    ),
    ("action = +cant block to(character@oppRing)", "action = +cantblock to(character@oppRing)"),
    ("action = -all abilities to(character@oppRing)", "action = loseAbility() to(character@oppRing)"),
    ("action = damage(100 x me.ring.size) to(opp)", "action = damage(100 * me.ring.size) to(opp)"),
    (
        "action = damage(200) to(character[fresh and frozen]@oppRing)",
        "action = damage(200) to(character[fresh & frozen]@oppRing)",
    ),
    (
        "action = damage(200) to(character[bp<=300 or fresh]@oppRing)",
        "action = damage(200) to(character[bp<=300, fresh]@oppRing)",
    ),
    (
        "action = damage(200) to(character(frozen)@oppRing)",
        "action = damage(200) to(character[frozen]@oppRing)",
    ),
    ("action = damage(200) to(characters[2]@oppRing)", "action = damage(200) to(<2>character@oppRing)"),
    (
        "action = [[if opp.ring is empty]] damage(300) to(opp)",
        "action = [[if opp.ring.size == 0]] damage(300) to(opp)",
    ),
    ("action = [[if me.hp > opp.hp then]] draw(1)", "action = [[if me.hp > opp.hp]] draw(1)"),
    ("action = [[if me.hp > opp.hp]]: draw(1)", "action = [[if me.hp > opp.hp]] draw(1)"),
    ("action = [[if me.hp > opp.hp]] {F}: draw(1)", "action = {F}: [[if me.hp > opp.hp]] draw(1)"),
    ("action = [[if me.hand.count > 3]] draw(1)", "action = [[if me.hand.size > 3]] draw(1)"),
    ("vars = _n := me.ring.count\naction = draw(_n)", "vars = _n := me.ring.size\naction = draw(_n)"),
    ("action = [[if me.hp == '500']] draw(1)", "action = [[if me.hp == 500]] draw(1)"),
    ("action = [[if this == 'rook']] draw(1)", "action = [[if this.name == 'rook']] draw(1)"),
    ("action = [[if this == me]] draw(1)", "action = [[if this.controller == me]] draw(1)"),
    ("action = [[if me.ring > opp.ring]] draw(1)", "action = [[if me.ring.size > opp.ring.size]] draw(1)"),
    ("action = damage(max(me.ring)) to(opp)", "action = damage(max([one.bp for one in me.ring])) to(opp)"),
    ("action = damage(me.ring) to(opp)", "action = damage(me.ring.size) to(opp)"),
    ("action = damage(me.ring[-1]) to(opp)", "action = damage(me.ring[-1].bp) to(opp)"),
    ("action = [[if me.life < 500]] draw(1)", "action = [[if me.hp < 500]] draw(1)"),
    ("action = [[if me.getHp < 500]] draw(1)", "action = [[if me.hp < 500]] draw(1)"),
    ("action = [[if this.isFrozen]] draw(1)", "action = [[if getTargets('this[frozen]')]] draw(1)"),
    ("action = [[if me.ring.empty]] draw(1)", "action = [[if me.ring.size == 0]] draw(1)"),
    ("action = [[if me.ring.isEmpty()]] draw(1)", "action = [[if me.ring.size == 0]] draw(1)"),
    ("action = draw(me.ring.first.bp)", "action = draw(me.ring.0.bp)"),
    ("action = [[if me.field.size > 1]] draw(1)", "action = [[if me.ring.size > 1]] draw(1)"),
    (
        "action = damage(this.bp // 2 if alone) to(opp)",
        "action = damage(this.bp // 2 if alone else 0) to(opp)",
    ),
    (
        "action = [[if me.hand.size between 1 and 3]] draw(1)",
        "action = [[if 1 <= me.hand.size <= 3]] draw(1)",
    ),
    ("action = [[if me.hand.size in (1..3)]] draw(1)", "action = [[if 1 <= me.hand.size <= 3]] draw(1)"),
    ("action = draw(alone ? 2 : 1)", "action = draw(2 if alone else 1)"),
    ("auto = ~myEndPhase; myDrawPhase~ draw(1)", "auto = ~myEndPhase, myDrawPhase~ draw(1)"),
    ("effect = draw(1)", "action = draw(1)"),
    ("On Play = draw(1)", "action = draw(1)"),
    ("trigger = ~attacks~\naction = draw(1)", "auto = ~attacks~ draw(1)"),
    ("when = ~attacks~ draw(1)", "auto = ~attacks~ draw(1)"),
    ("variable = _n := 2\naction = draw(_n)", "vars = _n := 2\naction = draw(_n)"),
    ("keywords = rush", "abilities = rush"),
    ("action = (F): draw(1)", "action = {F}: draw(1)"),
    ("action = (freeze): draw(1)", "action = {F}: draw(1)"),
    ("action = {SP(2)}: draw(1)", "action = [[if me.sp >= 2]] sp(-2) & draw(1)"),
    ("action = {discard}: draw(1)", "action = {D}: draw(1)"),
    ("action = {tap}: draw(1)", "action = {F}: draw(1)"),
    ("action = {sac}: draw(1)", "action = {S}: draw(1)"),
    ("action = {D(1, character)}: draw(1)", "action = {D(<1>character)}: draw(1)"),
    ("auto = ~endOfTurn~ draw(1)", "auto = ~myEndPhase~ draw(1)"),
    ("auto = ~onTurnStart~ draw(1)", "auto = ~myActivatePhase~ draw(1)"),
    ("auto = ~whenDies~ draw(1)", "auto = ~leavesRing~ draw(1)"),
    ("auto = ~myEndOfTurn~ draw(1)", "auto = ~myEndPhase~ draw(1)"),
    ("action = opp.hp -= 200", "action = hp(-200) to(opp)"),
    ("action = me.sp += 3", "action = sp(+3) to(me)"),
    ("action = this.bp = 500", "action = bp(=500) to(this)"),
    ("action = me.sp++", "action = sp(+1) to(me)"),
    ("action = bp(+200, this)", "action = bp(+200) to(this)"),
    ("action = damage(200, opp)", "action = damage(200) to(opp)"),
    ("action = each(character@oppRing: freeze())", "action = freeze() to(characters@oppRing)"),
    ("action = [[if me.ring has \"Rook\"]] draw(1)", "action = [[if getTargets('\"Rook\"@myRing')]] draw(1)"),
    ("action = freeze() to(enemy)", "action = freeze() to(character@oppRing)"),
    (
        "action = freeze() to(character[bp <= this.bp]@oppRing)",
        "vars = _few := [one for one in opp.ring if one.bp <= this.bp]\naction = freeze() to(_few)",
    ),
    ("abilities = haste", "abilities = rush"),
    ("action = +trample to(this)", "action = +pierce to(this)"),
    ("action = destroy character@oppRing", "action = destroy() to(character@oppRing)"),
    (
        "action = destroy() to(strongest character@oppRing)",
        "vars = _best := [one for one in opp.ring if one.bp == max([two.bp for two in opp.ring])]\n\
         action = destroy() to(_best)",
    ),
    (
        "action = destroy() to(character[bp:highest]@oppRing)",
        "vars = _best := [one for one in opp.ring if one.bp == max([two.bp for two in opp.ring])]\n\
         action = destroy() to(_best)",
    ),
    ("action = bp(2x) to(this)", "action = bp(x2) to(this)"),
    ("action = bp(==500) to(this)", "action = bp(=500) to(this)"),
    ("action = draw()x2", "action = draw(2)"),
    ("action = 2x draw()", "action = draw(2)"),
    ("action = discard(random)", "action = rndDiscard(1)"),
    ("action = discard(1, random) to(opp)", "action = rndDiscard(1) to(opp)"),
    ("action = shuffle(myDeck, oppDeck)", "action = shuffle(myDeck) & shuffle(oppDeck)"),
    (
        "action = moveTo(top of deck) to(character@discards)",
        "action = moveTo(deck, 0) to(character@discards)",
    ),
    ("action = playExtraChar(2)", "action = playExtraChar() & playExtraChar()"),
    ("action = +rush() to(this)", "action = +rush to(this)"),
    ("action = +\"rush\"", "action = +rush"),
    ("action = freeze() to(character)@oppRing", "action = freeze() to(character@oppRing)"),
    ("action = freeze() to(oppRing.character)", "action = freeze() to(character@oppRing)"),
    ("action = freeze() to({2}character@oppRing)", "action = freeze() to(<2>character@oppRing)"),
    ("action = freeze() to(character@oppRing x2)", "action = freeze() to(<2>character@oppRing)"),
    ("action = freeze() to(character@oppRing, 2)", "action = freeze() to(<2>character@oppRing)"),
    ("action = sp(-2): draw(1)", "action = [[if me.sp >= 2]] sp(-2) & draw(1)"),
    ("action = {F}: {D}: draw(1)", "action = {F}{D}: draw(1)"),
    ("auto = ~attacks~:once draw(1)", "auto = ~attacks:once~ draw(1)"),
    ("action = [[if Warrior in me.ring]] draw(1)", "action = [[if getTargets('Warriors@myRing')]] draw(1)"),
    ("action = draw(1) [[if alone]] hp(100)", "action = draw(1); [[if alone]] hp(100)"),
    ("action = discard(1): draw(1)", "action = {D(1)}: draw(1)"),
    ("action = shuffle deck", "action = shuffle(deck)"),
    ("action = destroy() to(frozen character of opp)", "action = destroy() to(character[frozen]@oppRing)"),
    ("action = destroy() to(characters@myRing except this)", "action = destroy() to(^characters@myRing)"),
    ("action = draw(count(me.ring))", "action = draw(len(me.ring))"),
    (
        "action = draw(2) or hp(+500)",
        "label = \"First\"\naction = draw(2)\nlabel = \"Second\"\naction = hp(+500)",
    ),
    ("action = {F}{3 SP}: draw(2)", "action = {F}: [[if me.sp >= 3]] sp(-3) & draw(2)"),
    ("auto = attacks -> bp(+200) to(this) ueot", "auto = ~attacks~ bp(+200) to(this) ueot"),
    ("auto = on myEndPhase draw(1)", "auto = ~myEndPhase~ draw(1)"),
    ("auto = ~end phase~ draw(1)", "auto = ~endPhase~ draw(1)"),
    ("auto = ~each turn~ sp(+1)", "auto = ~myActivatePhase~ sp(+1)"),
    ("action = freeze(<2>character@oppRing)", "action = freeze() to(<2>character@oppRing)"),
    ("action = freeze() <2>character@oppRing", "action = freeze() to(<2>character@oppRing)"),
    ("action = freeze 2 characters", "action = freeze() to(<2>character)"),
    ("action = damage(200) on character@oppRing", "action = damage(200) to(character@oppRing)"),
    ("action = deal 300 damage to opp", "action = damage(300) to(opp)"),
    ("action = gain 2 sp", "action = sp(+2)"),
    ("action = opp loses 300 hp", "action = loseLife(300) to(opp)"),
    ("action = you draw 2 cards", "action = draw(2)"),
    ("action = draw 2 cards and gain 300 hp", "action = draw(2) & hp(+300)"),
    ("action = if alone then draw(2) else draw(1)", "action = [[if alone]] draw(2) [[else]] draw(1)"),
    (
        "action = if (me.sp >= 3) { draw(2) } else { draw(1) }",
        "action = [[if me.sp >= 3]] draw(2) [[else]] draw(1)",
    ),
    ("action = [[if alone]] { draw(2) }", "action = [[if alone]] draw(2)"),
    ("action = [[if alone]] draw(2) [[endif]]", "action = [[if alone]] draw(2)"),
    ("action = alone ? draw(2) : draw(1)", "action = [[if alone]] draw(2) [[else]] draw(1)"),
    (
        "action = [[if me.hp >= 1000 and opp.hp >= 1000]] draw(2); else draw(1)",
        "action = [[if me.hp >= 1000 and opp.hp >= 1000]] draw(2) [[else]] draw(1)",
    ),
    ("action = freeze: draw(1)", "action = {F}: draw(1)"),
    ("action = F: draw(1)", "action = {F}: draw(1)"),
    ("action = pay 2 SP: draw(1)", "action = [[if me.sp >= 2]] sp(-2) & draw(1)"),
    ("action = {discard 2}: draw(3)", "action = {D(2)}: draw(3)"),
    ("action = {D:2}: draw(3)", "action = {D(2)}: draw(3)"),
    ("action = {sacrifice this}: draw(3)", "action = {S}: draw(3)"),
    ("action = {D(action)}: draw(3", "action = {D(action)}: draw(3)"),
    (
        "action = destroy() to(character@oppRing where frozen)",
        "action = destroy() to(character[frozen]@oppRing)",
    ),
    ("action = destroy() to(frozen characters)", "action = destroy() to(characters[frozen])"),
    ("action = destroy() to(opp.ring.frozen)", "action = destroy() to(characters[frozen]@oppRing)"),
    ("action = destroy() to(character@oppRing & frozen)", "action = destroy() to(character[frozen]@oppRing)"),
    (
        "action = destroy() to(character @ oppRing, frozen)",
        "action = destroy() to(character[frozen]@oppRing)",
    ),
    ("action = bp(+200) to(my guards)", "action = bp(+200) to(guards@myRing)"),
    ("action = bp(+200) to(character[subtype == \"Guard\"])", "action = bp(+200) to(character[Guard])"),
    ("action = bp(+200) to(all my characters)", "action = bp(+200) to(characters@myRing)"),
    ("action = give rush to this", "action = +rush to(this)"),
    ("action = this gains pierce ueot", "action = +pierce to(this) ueot"),
    ("action = add pierce to(this)", "action = +pierce to(this)"),
    ("action = rush ueot", "action = +rush ueot"),
    ("action = grant(rush) to(character@myRing)", "action = +rush to(character@myRing)"),
    ("action = this.addAbility(rush)", "action = +rush to(this)"),
    ("action = remove rush from(character@oppRing)", "action = -rush to(character@oppRing)"),
    ("action = moveTo hand", "action = moveTo(hand)"),
    ("action = return to hand", "action = moveTo(hand)"),
    ("action = moveTo(hand, character@discards)", "action = moveTo(hand) to(character@discards)"),
    ("action = moveTo(opponent hand) to(this)", "action = moveTo(oppHand) to(this)"),
    ("action = moveTo(oppHand, this)", "action = moveTo(oppHand) to(this)"),
    ("action = skip draw phase", "action = skip(draw)"),
    ("action = skip(opp, draw)", "action = skip(draw) to(opp)"),
    ("action = transform(this, \"Rook\")", "action = transform(\"Rook\") to(this)"),
    ("action = [[if no cards in hand]] draw(1)", "action = [[if me.hand.size == 0]] draw(1)"),
    ("action = [[if frozen]] draw(1)", "action = [[if getTargets('this[frozen]')]] draw(1)"),
    ("action = [[if this is frozen]] draw(1)", "action = [[if getTargets('this[frozen]')]] draw(1)"),
    ("action = [[if tgt.frozen]] draw(1)", "action = [[if getTargets('tgt.0[frozen]')]] draw(1)"),
    ("action = [[if me.ring > 2]] draw(1)", "action = [[if me.ring.size > 2]] draw(1)"),
    (
        "action = [[if 2 characters@myRing]] draw(1)",
        "action = [[if getTargets('characters@myRing').size >= 2]] draw(1)",
    ),
    ("action = [[if not alone && me.sp > 2]] draw(1)", "action = [[if not alone and me.sp > 2]] draw(1)"),
    ("action = [[if (alone or me.sp > 2) draw(1)", "action = [[if (alone or me.sp > 2)]] draw(1)"),
    ("action = [if alone]] draw(1)", "action = [[if alone]] draw(1)"),
    ("action = [[if alone]], draw(1)", "action = [[if alone]] draw(1)"),
    ("vars = _n == me.sp\naction = draw(_n)", "vars = _n := me.sp\naction = draw(_n)"),
    (
        "vars = _n := me.sp, _m := opp.sp\naction = draw(_n + _m)",
        "vars = _n := me.sp; _m := opp.sp\naction = draw(_n + _m)",
    ),
    ("vars _n := me.sp\naction = draw(_n)", "vars = _n := me.sp\naction = draw(_n)"),
    ("target = characters in oppRing\naction = freeze()", "target = characters@oppRing\naction = freeze()"),
    ("target = to(character)\naction = freeze()", "target = character\naction = freeze()"),
    ("target = enemy character\naction = freeze()", "target = character@oppRing\naction = freeze()"),
    ("auto = when this card attacks, draw a card", "auto = ~attacks~ draw(1)"),
    ("auto = whenever a character is blocked draw(1)", "auto = ~blocked~ draw(1)"),
    ("action = for each card in me.ring: hp(card.bp)", "action = each(card in me.ring => hp(card.bp))"),
    ("action = each(card in me.ring: hp(card.bp))", "action = each(card in me.ring => hp(card.bp))"),
    ("action = each(c in me.ring => hp(c.bp))", "action = each(card in me.ring => hp(card.bp))"),
    ("action = hp(sum(me.ring.bp))", "action = hp(sum([one.bp for one in me.ring]))"),
    ("action = damage(me.ring.size * 100, opp)", "action = damage(me.ring.size * 100) to(opp)"),
    ("action = sp(+2) me", "action = sp(+2) to(me)"),
    ("action = extraTurn()", "action = turns(1)"),
    ("action = unfreeze all", "action = unfreeze() to(characters)"),
    ("action = disableRule(\"attack\", ueot)", "action = disableRule(attack) ueot"),
    ("action = alterCost(action, -2, ueot)", "action = alterCost(action, -2) ueot"),
    ("action = draw?", "action = draw?()"),
    ("action = optional draw(1)", "action = draw?(1)"),
    ("action = discard 1 card: draw(2)", "action = {D(1)}: draw(2)"),
    ("ability = rush", "abilities = rush"),
    // Lists and cards where numbers are wanted.
    ("action = hp(100 * me.hand)", "action = hp(100 * me.hand.size)"),
    ("action = hp(100 * (me.hand + opp.hand))", "action = hp(100 * (me.hand.size + opp.hand.size))"),
    ("action = hp(-me.hand)", "action = hp(-me.hand.size)"),
    ("vars = _n := me.hand\naction = draw(_n)", "vars = _n := me.hand\naction = draw(_n.size)"),
    (
        "vars = _n := me.hand\naction = [[if _n > 3]] draw(1)",
        "vars = _n := me.hand\naction = [[if _n.size > 3]] draw(1)",
    ),
    (
        "vars = _c := me.ring.0\naction = damage(_c) to(opp)",
        "vars = _c := me.ring.0\naction = damage(_c.bp) to(opp)",
    ),
    ("action = [[if me.hp > 100 * me.hand]] draw(1)", "action = [[if me.hp > 100 * me.hand.size]] draw(1)"),
    ("action = hp(sum(me.ring))", "action = hp(sum([one.bp for one in me.ring]))"),
    ("action = hp([one.bp for one in me.ring])", "action = hp(sum([one.bp for one in me.ring]))"),
    (
        "action = hp(100 * getTargets('characters@myRing'))",
        "action = hp(100 * getTargets('characters@myRing').size)",
    ),
    (
        "target = characters@myRing\naction = hp(100 * tgt)",
        "target = characters@myRing\naction = hp(100 * tgt.size)",
    ),
    ("action = discard(2) & hp(100 * discarded)", "action = discard(2) & hp(100 * discarded.size)"),
    // Cards that are compared with texts, players and cards.
    (
        "action = [[if any card == 'Rook' in me.ring]] draw(1)",
        "action = [[if any card.name == 'Rook' in me.ring]] draw(1)",
    ),
    (
        "action = [[if any card == 'Guard' in me.ring]] draw(1)",
        "action = [[if any card.subtype == 'Guard' in me.ring]] draw(1)",
    ),
    (
        "action = [[if any bp > 300 in me.ring]] draw(1)",
        "action = [[if any card.bp > 300 in me.ring]] draw(1)",
    ),
    (
        "action = [[if me.ring.0 > opp.ring.0]] draw(1)",
        "action = [[if me.ring.0.bp > opp.ring.0.bp]] draw(1)",
    ),
    (
        "auto = ~myBackedUp~ [[if trigger.owner == this]] draw(1)",
        "auto = ~myBackedUp~ [[if trigger.owner == this.controller]] draw(1)",
    ),
    // Numbers where cards are wanted.
    ("action = damage(300) to(opp.hp)", "action = damage(300) to(opp)"),
    (
        "target = character@oppRing\naction = freeze() to(tgt.0.bp)",
        "target = character@oppRing\naction = freeze() to(tgt.0)",
    ),
    ("action = each(card in me.ring.size => draw(1))", "action = each(card in me.ring => draw(1))"),
    (
        "target = character@oppRing\naction = draw(2) to(tgt)",
        "target = character@oppRing\naction = draw(2) to(tgt.0.controller)",
    ),
    ("action = draw(2) to(character@oppRing)", "action = draw(2) to(opp)"),
    // Filters that compare texts.
    ("action = bp(+300) to(character[name == \"Rook\"]@myRing)", "action = bp(+300) to(\"Rook\"@myRing)"),
    ("action = bp(+300) to(character[name=Rook])", "action = bp(+300) to(\"Rook\")"),
    ("action = bp(+300) to(character[\"Rook\"]@myRing)", "action = bp(+300) to(\"Rook\"@myRing)"),
    ("action = bp(+300) to(character[controller == me])", "action = bp(+300) to(character@myRing)"),
    (
        "action = bp(+300) to(character[ability == instant]@myRing)",
        "action = bp(+300) to(character[abInstant]@myRing)",
    ),
    (
        "action = bp(+300) to(character[subtype != \"Guard\"]@myRing)",
        "action = bp(+300) to(character[-Guard]@myRing)",
    ),
    ("action = prophecy(3, oppDeck)", "action = prophecy(3, top) to(opp)"),
    (
        "action = [[if me.characters < opp.characters]] draw(2)",
        "action = [[if me.ring.size < opp.ring.size]] draw(2)",
    ),
    (
        "action = cancelAttack() to(character[attack]@oppRing)",
        "action = removeFromAttack() to(character[attack]@oppRing)",
    ),
    (
        "action = hp(100 * getTargets(guards@myRing).size)",
        "action = hp(100 * getTargets('guards@myRing').size)",
    ),
    ("action = draw(1) &\n  hp(+100)", "action = draw(1) & hp(+100)"),
    ("action = draw(1)\n  & hp(+100)", "action = draw(1) & hp(+100)"),
    ("action = damage(100)\n  to(opp)", "action = damage(100) to(opp)"),
    ("action = loseAbility(pierce) to(character@oppRing)", "action = -pierce to(character@oppRing)"),
    ("action = removeAbility(rush) to(character@oppRing)", "action = -rush to(character@oppRing)"),
];

/// R108–R1040: each is offered as written in the second column.
#[test]
fn what_is_meant_is_offered() {
    let other = MEANT.iter().filter_map(|(written, wanted)| {
        let meant = mended(written);
        (meant.as_deref() != Some(wanted))
            .then(|| format!("{written}\n  wanted {wanted}\n  offered {meant:?}\n"))
    });
    assert_eq!(other.collect::<String>(), "");
}

/// R1201: nothing is offered that is not sound, and the same text is always answered the same.
#[test]
fn what_is_offered_is_sound() {
    for (written, _) in MEANT {
        let text = text_of(written);
        let first = found(&text);
        assert_eq!(first, found(&text), "{written}");
        for offer in offered(&first) {
            let (mended, count) = apply_fixes(FileId(0), &text, std::slice::from_ref(offer), Safety::Unsafe);
            assert_eq!(count, 1, "{written}");
            let line = |text: &str, at: u32| text[..at as usize].matches('\n').count();
            let here = line(&text, offer.span.start);
            let checked = check_text(FileId(0), &mended, &cards(), &SeveritySettings::default());
            let wrong = checked
                .diagnostics
                .iter()
                .find(|one| one.severity == Severity::Error && line(&mended, one.span.start) == here);
            assert_eq!(wrong, None, "{written}\n{mended}");
        }
    }
}

/// R1201: where nothing near is sound nothing is offered, and what is mended by a word keeps that mend.
#[test]
fn nothing_is_offered_without_need() {
    for rule in [
        "action = draw(1)",
        "action = drow(1)",
        "vars = _n = 3\naction = draw(_n)",
        "action = xyzzy(plugh)",
        "action = draw(1/0)",
        "action = [[if turn == 1]] draw(1)",
        "action = gainControl() to(character@oppRing)",
    ] {
        assert_eq!(meant(rule), None, "{rule}");
    }
}

/// R1201: the question of a `may` is any text, so that a slip in it is not made one.
#[test]
fn no_question_is_made_of_a_slip() {
    assert_eq!(
        meant("action = [[may and if me.sp >= 2]] draw(1)").as_deref(),
        None
    );
}

/// A checker continues after an error, and a file of nothing but wrong lines is thought about only
/// so long (R1201).
#[test]
fn long_files_are_thought_about_only_so_long() {
    let text = "[0f8fad5b-d9cb-469f-a165-70867728950e]\naction = damage(300, opp)\n".repeat(1_000);
    assert_eq!(offered(&found(&text)).count(), 24);
    let long = format!("action = damage(300, opp) # {}", "x ".repeat(400));
    assert_eq!(meant(&long), None);
}
