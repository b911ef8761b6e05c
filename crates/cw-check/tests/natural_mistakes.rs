//! Mistakes that an author makes who has read the book once: each is told, at its place, in words that
//! lead to what was meant.

use cw_check::{KnownCards, SeveritySettings, check_file};
use cw_syntax::{Arena, parse_rules};
use cw_text::{Diagnostic, FileId};

use support::character;

mod support;

const ROOK: &str = "0f8fad5b-d9cb-469f-a165-70867728950e";

fn cards() -> KnownCards {
    KnownCards::new(vec![
        character(ROOK, "Rook", "Warrior"),
        character("16fd2706-8baf-433b-82eb-8c7fada847da", "Auntie Rye", "Ninja"),
    ])
}

/// Values of one kind where another is wanted are told, also in variables and
/// loops (R302, R606, R1011, R1020).
#[test]
fn values_of_another_kind() {
    let table = [
        ("action = activate(me)", "RS007", "gives a card"),
        ("action = activate(me.hp)", "RS007", "gives a card"),
        (
            "action = transform(me) to(character@myRing)",
            "RS007",
            "gives a card",
        ),
        (
            "vars = _n := me.hp\naction = bp(+100) to(_n)",
            "RS007",
            "this is a number",
        ),
        (
            "vars = _n := 'Rook'\naction = bp(+100) to(_n)",
            "RS007",
            "this is a text",
        ),
        ("action = each(card in me => draw(1))", "RS007", "`.ring`"),
        ("action = hp(len(me))", "RS082", "a player is not a list"),
        (
            "action = hp(sum([one.bp for one in opp]))",
            "RS082",
            "a player is not a list",
        ),
        (
            "action = hp(sum([one.hp for one in me.ring]))",
            "RS039",
            "a card has no `.hp`",
        ),
        ("action = hp(this + 100)", "RS082", "a card is not a number"),
        (
            "action = hp(me.ring - opp.ring)",
            "RS082",
            "a list is not a number",
        ),
        (
            "action = damage(300) to(me.ring.controller)",
            "RS039",
            "a list has no `.controller`",
        ),
        (
            "auto = ~myBackedUp~ [[if trigger in opp]] draw(1)",
            "RS082",
            "a player is not a list",
        ),
        (
            "action = [[if 'Rook' in me.ring]] draw(1)",
            "RS072",
            "getTargets(",
        ),
        ("action = [[if 300 in me.ring]] draw(1)", "RS072", "any card.bp"),
        (
            "action = [[if not me]] draw(1)",
            "RS072",
            "`me` alone is a condition",
        ),
        (
            "action = [[if me and alone]] draw(1)",
            "RS072",
            "`me` alone is a condition",
        ),
        ("action = [[if me.sp < 0]] draw(1)", "RS072", "always false"),
        (
            "action = [[if 0 <= len(me.hand)]] draw(1)",
            "RS072",
            "always true",
        ),
        (
            "action = bp(+100) to(character[pierce]@oppRing)",
            "RS048",
            "no filter asks who has",
        ),
        (
            "action = bp(+100) to(character[bp < 0]@oppRing)",
            "RS052",
            "so few BP",
        ),
        ("action = draw(me.ring.size > 2)", "RS088", "counts as 1"),
        (
            "action = damage(100) to(tgt)",
            "RS064",
            "`target = character@oppRing`",
        ),
        ("action = damage(tgt.0.bp)", "RS064", "no targets"),
        ("action = [[if tgt.0.bp > 300]] draw(1)", "RS064", "no targets"),
        (
            "target = character@oppRing\naction = damage(tgt.1.bp) to(opp)",
            "RS064",
            "only one target",
        ),
        ("action = hp(+3)", "RS088", "`hp(+300)`"),
        ("action = damage(2) to(opp)", "RS088", "hundreds"),
        ("action = sp(+300)", "RS088", "in ones"),
        ("action = alterCost(action, -1) ueot", "RS088", "more expensive"),
        (
            "action = [[if attacker.bp > 400]] draw(1)",
            "RS044",
            "`character[attack]@oppRing`",
        ),
    ];
    assert_eq!(untold(&table), "");
    for sound in [
        "action = hp(100 * me.hand.size)",
        "action = hp(100 * alone)",
        "action = hp(sum([one.bp for one in me.ring]))",
        "vars = _few := [one for one in opp.ring if one.bp <= this.bp]\naction = freeze() to(_few)",
        "vars = _n := me.ring.size\naction = draw(_n)",
        "action = draw(len(me.ring + opp.ring))",
        "action = [[if me.ring and me.hand]] draw(1)",
        "action = [[if this in me.ring * 2]] draw(1)",
        "action = [[if me.sp > 0 and me.hand.size >= 1]] draw(1)",
        "target = character@oppRing\naction = damage(tgt.bp)",
    ] {
        let said = said(sound);
        assert!(
            !said.contains("RS072") && !said.contains("Error"),
            "{sound}\n{said}"
        );
        let errors = found(sound)
            .iter()
            .any(|one| one.severity == cw_text::Severity::Error);
        assert!(!errors, "{sound}\n{said}");
    }
}

/// What is found in a rule of Rook.
fn found(rule: &str) -> Vec<Diagnostic> {
    let text = format!("[{ROOK}]\n{rule}\n");
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), &text);
    check_file(FileId(0), &text, parsed, &cards(), &SeveritySettings::default()).diagnostics
}

/// Everything that is said: code, message, help and what the fix does.
fn said(rule: &str) -> String {
    let lines = found(rule).into_iter().map(|one| {
        let fix = one.fix.map(|fix| fix.title).unwrap_or_default();
        format!(
            "{} {} / {} / {fix}",
            one.code,
            one.message,
            one.help.unwrap_or_default()
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Of rules with a code and words that must be said, those of which they are not, with what is said.
fn untold(table: &[(&str, &str, &str)]) -> String {
    let silent = table.iter().filter_map(|(rule, code, words)| {
        let said = said(rule);
        let is_told = said
            .lines()
            .any(|line| line.starts_with(code) && line.contains(words));
        (!is_told).then(|| format!("{rule}\n  wanted {code} {words}\n  said {said}\n"))
    });
    silent.collect()
}

/// R1004, D104: what always fails is found where it stands, in the words of `eval`.
#[test]
fn expressions_that_always_fail() {
    let table = [
        (
            "action = sp(+1/0)",
            "RS082",
            "ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            "action = draw(len(5))",
            "RS082",
            "TypeError: object of type 'int' has no len()",
        ),
        (
            "action = draw([1][3])",
            "RS082",
            "IndexError: list index out of range",
        ),
        ("action = draw([1].3)", "RS082", "IndexError"),
        ("action = draw(me.hp/0)", "RS082", "ZeroDivisionError"),
        ("action = draw(me.hp % 0)", "RS082", "ZeroDivisionError"),
        ("action = draw(me.hp // (1 - 1))", "RS082", "ZeroDivisionError"),
        ("action = draw(me.hp + 'a')", "RS082", "TypeError"),
        ("action = draw('a' + 1)", "RS082", "TypeError"),
        ("action = draw(len(me.hp))", "RS082", "TypeError"),
        ("action = draw(me.hp[0])", "RS082", "TypeError"),
        ("action = draw(max(me.sp))", "RS082", "TypeError"),
        ("action = draw(int('x'))", "RS082", "ValueError"),
        ("action = draw(5())", "RS082", "TypeError"),
        (
            "action = draw(me.hand.size + 9 ** 9 ** 9)",
            "RS082",
            "LimitExceeded",
        ),
        ("action = [[if 1/0]] draw()", "RS082", "ZeroDivisionError"),
        (
            "vars = _a := 1/0\naction = draw(_a)",
            "RS082",
            "ZeroDivisionError",
        ),
    ];
    assert_eq!(untold(&table), "");
    let rule = "action = draw(me.hp / 0)";
    let place = found(rule)[0].span.range();
    assert_eq!(&format!("[{ROOK}]\n{rule}\n")[place], "me.hp / 0");
}

/// What may never be reached, or has a value in some game, is not said to fail.
#[test]
fn expressions_that_may_have_a_value() {
    for rule in [
        "action = [[if alone or 1/0]] draw()",
        "action = draw(1 if alone else 1/0)",
        "action = draw(6 / me.sp)",
        "action = draw(me.hp * 0.5)",
        "action = draw(max(me.sp, 3))",
        "action = draw([1, 2, 3][me.sp])",
        "action = draw(len(me.ring) + sum([card.bp for card in me.ring]))",
        "action = [[if me.ring.0]] draw()",
        "auto = ~myBackedUp~ [[if trigger]] draw()",
        "action = draw(-1 + 2)",
    ] {
        let said = said(rule);
        assert!(
            !said.contains("RS082") && !said.contains("RS072"),
            "{rule}\n{said}"
        );
    }
}

/// D20, D23, D33, D94, D102, R301, R621, R702, R902: traps that are no error of grammar.
#[test]
fn traps() {
    let table = [
        ("action = discard(*@oppHand)", "RS083", "`discard(…) to(opp)`"),
        (
            "action = {S(character@oppRing)}: draw()",
            "RS083",
            "the ring of the player who pays",
        ),
        (
            "action = {D(*@deck)}: draw()",
            "RS083",
            "the hand of the player who pays",
        ),
        ("action = discard(opp)", "RS063", "write `discard() to(opp)`"),
        ("action = {S(opp)}: draw()", "RS063", "never paid"),
        (
            "auto = ~oppEndPhase~ damage(100) to(opp)",
            "RS061",
            "the card's own player",
        ),
        (
            "auto = ~oppEndPhase~ [[if opp.hp < 300]] draw()",
            "RS061",
            "the card's own player",
        ),
        (
            "auto = ~oppEndPhase~ moveTo(oppHand) to(this)",
            "RS061",
            "`oppHand`",
        ),
        (
            "action = [[if all card.bp >= 300 in me.ring and alone]] draw()",
            "RS040",
            "brackets",
        ),
        ("auto = [[if alone]] draw()", "RS084", "once"),
        ("auto = ~anyAttacks~ draw()", "RS085", "`:any`"),
        (
            "auto = ~oppAttacks~ draw()",
            "RS085",
            "`:any` hears it of every card",
        ),
        ("action = skip(counter-attack) to(opp)", "RS088", "to(me)"),
        ("action = prophecy(2)", "RS088", "`top`"),
        ("action = bp(=250)", "RS088", "sets 300"),
        ("action = {F}: draw(); {F}: hp(100)", "RS086", "frozen before"),
        ("action = {S}: draw(); {F}: hp(100)", "RS086", "sacrificed before"),
        ("action = {S}: disableRule(attack)", "RS087", "ueot"),
        (
            "auto = ~removed:this~ +unblockable to(character@myRing)",
            "RS087",
            "ueot",
        ),
        (
            "action = transform(\"Auntie Rye\") to(this)",
            "RS050",
            "16fd2706-8baf-433b-82eb-8c7fada847da",
        ),
        ("action = freeze() to(Rook)", "RS048", "write `\"Rook\"`"),
        (
            "action = freeze() to(Auntie Rye)",
            "RS048",
            "write `\"Auntie Rye\"`",
        ),
    ];
    assert_eq!(untold(&table), "");
    for fine in [
        "action = {S(character@myRing)}: draw()",
        "action = {D(*@hand)}: draw()",
        "action = discard(character@hand)",
        "action = discard() to(opp)",
        "auto = ~oppEndPhase~ draw() to(this.controller)",
        "action = [[if (all card.bp >= 300 in me.ring) and alone]] draw()",
        "auto = [[if alone]] +rush",
        "auto = ~anyAttacks:any~ draw()",
        "auto = ~attacks:this~ draw()",
        "action = skip(draw) to(opp)",
        "action = prophecy(2, top)",
        "action = bp(=300)",
        "action = {S}: disableRule(attack) ueot",
        "action = +rush to(character@myRing)",
        "action = {F}: draw(); unfreeze() to(this); {F}: hp(100)",
    ] {
        assert_eq!(said(fine), "", "{fine}");
    }
}

/// Words of English between effects: the remedy is what the language writes instead.
#[test]
fn slips_of_plain_english() {
    let table = [
        ("action = damage(300) opp", "RS004", "write `to(opp)`"),
        ("action = draw(2) and hp(100)", "RS004", "write `&`"),
        ("action = draw(2) then hp(100)", "RS004", "write `&`"),
        (
            "action = freeze() to(2 character)",
            "RS048",
            "replace with `<2>character`",
        ),
        (
            "action = [[if alone]] draw() else hp(100)",
            "RS004",
            "write `[[else]]`",
        ),
    ];
    assert_eq!(untold(&table), "");
}

/// Slips of the pen that are natural for somebody who has read only the book.
#[test]
fn slips_of_the_pen() {
    let table = [
        (
            "action = damage 300 to(opp)",
            "RS004",
            "put the number in parentheses",
        ),
        ("action = damage(300, opp)", "RS005", "damage(n)"),
        ("action = draw(2), hp(100)", "RS068", "write `&`"),
        ("auto = ~myEndPhase draw()", "RS047", "~"),
        ("action = [[if alone] draw()", "RS047", "`[` is never closed"),
        ("action = [[if me.hp = 500]] draw()", "RS038", "=="),
        ("action = [[if me.hp => 500]] draw()", "RS038", ""),
        ("action = destroy(character)", "RS005", "destroy()"),
        ("action = destroy() to(enemy)", "RS048", ""),
        ("action = freeze() to(character<2>)", "RS020", "quantity"),
        ("action = {T}: draw()", "RS026", "by `{F}`"),
        ("action = {F} draw()", "RS028", ":"),
        ("action = +haste to(this)", "RS013", "rush"),
        ("action = rush", "RS004", "+rush"),
        ("abilities = +rush", "RS", "rush"),
        ("action = bp(*2)", "RS007", "x"),
        ("action = damage(300) to(opponent)", "RS048", "opp"),
        ("action = draw() to(you)", "RS048", "me"),
        ("action = moveTo(graveyard) to(this)", "RS012", "discards"),
        ("action = search(character)", "RS003", ""),
        ("auto = ~onAttack~ draw()", "RS015", "ttack"),
        ("auto = ~endTurn~ draw()", "RS015", ""),
        ("vars = x = 3\naction = draw(x)", "RS036", ":="),
        ("action = [[if opponent.hp < 300]] draw()", "RS038", "opp"),
        ("action = [[if me.life < 300]] draw()", "RS039", ""),
        ("auto: ~endPhase~ draw()", "RS002", "="),
        ("action = {SP(3)}: draw()", "RS026", "sp(-2)"),
        ("action = damage(300) to(character@opp)", "RS012", ""),
        ("action = damage(\"300\") to(opp)", "RS007", "an integer"),
        ("action = +rush, +pierce to(this)", "RS068", "write `&`"),
        ("action = draw() if alone", "RS068", ""),
        ("actions = draw()", "RS001", "action"),
    ];
    assert_eq!(untold(&table), "");
}

/// Mistakes that a reader of the reference pages alone has written down, before anything was run.
#[test]
fn slips_of_a_reader_of_the_reference() {
    let table = [
        ("action = draw 2", "RS", "put the number in parentheses"),
        ("action = bp(*2)", "RS", "x2"),
        ("action = {F} draw(1)", "RS", "`:`"),
        ("auto = when attacks: draw(1)", "RS", "~attacks~"),
        ("auto = ~attack~ draw(1)", "RS", "attacks"),
        ("auto = ~entersRing~ draw(1)", "RS", "action"),
        ("action = destroy() to(frozen@oppRing)", "RS", "[frozen]"),
        (
            "target = character[bp => 300]@oppRing\naction = destroy()",
            "RS",
            ">=",
        ),
        ("action = if me.hp > 1000: draw(1)", "RS", "[[if"),
        ("action = [[me.hp > 1000]] draw(1)", "RS", "add `if`"),
        ("action = draw(1) to(both)", "RS", "players"),
        ("action = moveTo(graveyard)", "RS", "discards"),
        ("action = moveTo(myDiscard)", "RS", "myDiscards"),
        ("action = skip(block) to(opp)", "RS", "counter-attack"),
        (
            "action = bp(+100) to(all characters@myRing)",
            "RS",
            "`characters`",
        ),
        ("action = bp(+100) until end of turn", "RS", "ueot"),
        ("action = gain unblockable", "RS", "+unblockable"),
        ("action = +unfreezeable", "RS", "unfreezable"),
        ("vars = _n = 3\naction = draw(_n)", "RS", ":="),
        ("action = each(character@myRing: bp(+100))", "RS", "=>"),
        ("action = [[if me.hp > 500 && me.sp > 2]] draw(1)", "RS", "`and`"),
        ("action = [[if !alone]] draw(1)", "RS", "`not`"),
        ("action = sp(-2) to(opponent)", "RS", "`opp`"),
        ("action = damage(opp, 300)", "RS", "to(opp)"),
        ("action = freeze(character@oppRing)", "RS", "to("),
        ("action = modCost(action, +1)", "RS", "alterCost"),
        ("action = [[if me.hand == 0]] draw(2)", "RS", ".size"),
        ("action = draw(1) // and smile", "RS", "`#`"),
        ("action = {2}: draw(1)", "RS", "{F}"),
        ("action = [[if flipCoin]] draw(1)", "RS", "flipCoin()"),
        ("effect = draw(2)", "RS", "action"),
        ("action = moveTo(deck, bottom)", "RS", "-1"),
        ("auto = ~attacks draw(1)", "RS", "`~`"),
        (
            "action = [[if character[frozen]@oppRing]] draw(1)",
            "RS",
            "getTargets(",
        ),
        ("action = hp(+destroyed)", "RS082", "a list is not a number"),
        ("auto = ~leavesRing~ draw(1) to(owner)", "RS", "this.owner"),
    ];
    assert_eq!(untold(&table), "");
}

/// Mistakes that a second reader of the reference has written down, before anything was run.
#[test]
fn slips_of_a_second_reader_of_the_reference() {
    let table = [
        (
            "action = draw(1) per character@myRing",
            "RS004",
            "a number can be computed",
        ),
        ("action = may draw(1)", "RS004", "`draw?(1)`"),
        ("action = draw(2)?", "RS068", "`draw?(1)`"),
        ("action = opp.draw(1)", "RS004", "`draw(1) to(opp)`"),
        ("action = bp(+100, ueot) to(this)", "RS005", "`bp(n) ueot`"),
        ("action = +rush(ueot)", "RS068", "`+rush ueot`"),
        (
            "action = destroy() to(character[bp <= 300] in oppRing)",
            "RS068",
            "`@`",
        ),
        ("action = hp(-100) to(opp) if me.hp > 500", "RS068", "[[if"),
        (
            "action = [[if flipCoin() == heads]] draw(1)",
            "RS038",
            "`[[if flipCoin()]]`",
        ),
        ("action = damage(bp) to(opp)", "RS038", "`this.bp`"),
        ("action = bp(+100) to(each character)", "RS048", "`characters`"),
        (
            "action = moveTo(deck, top) to(character@oppRing)",
            "RS007",
            "0 is the top",
        ),
        ("action = destroy() to(<1..2>character@oppRing)", "RS018", "<a,b>"),
        ("auto = ~attacks~ {F}: draw(1)", "RS027", "to the front"),
        ("action = loseAbility to(character@oppRing)", "RS004", "add `()`"),
        ("auto = ~startTurn~ draw(1)", "RS015", "activatePhase"),
    ];
    assert_eq!(untold(&table), "");
}

/// Mistakes that a third reader of the reference has written down; those of the first two lines of each group
/// had no remedy before.
#[test]
fn slips_of_a_third_reader_of_the_reference() {
    let table = [
        (
            "auto = ~attacks~ ~blocks~ draw(1)",
            "RS068",
            "`~attacks, blocks~`",
        ),
        (
            "auto = ~attacks or blocks~ draw(1)",
            "RS068",
            "events are separated by `,`",
        ),
        (
            "action = damage(100) to(character@oppRing) to(opp)",
            "RS032",
            "`to(opp; character@oppRing)`",
        ),
        (
            "action = damage(100) to(opp and character@oppRing)",
            "RS048",
            "`opp; character`",
        ),
        (
            "action = damage(100) to(opp or character@oppRing)",
            "RS048",
            "`opp, character`",
        ),
        (
            "target = character@oppRing, opp\naction = damage(100)",
            "RS068",
            "`character@oppRing; opp`",
        ),
        (
            "action = search(character)",
            "RS003",
            "`moveTo(hand) from(character@deck) & shuffle()`",
        ),
        ("action = discard() to(opponent's hand)", "RS047", "`*@oppHand`"),
        ("action = freeze() to(all)", "RS088", "`characters@oppRing`"),
        ("target = all\naction = freeze()", "RS088", "`characters@oppRing`"),
        ("action = freeze() to(character@ring)", "RS088", "`@oppRing`"),
        (
            "action = destroy() to(character[wizard]@oppRing)",
            "RS048",
            "subtypes are warrior, ninja",
        ),
        (
            "action = destroy() to(wizard@oppRing)",
            "RS048",
            "subtypes are warrior, ninja",
        ),
        (
            "action = destroy() to(character@battlefield)",
            "RS012",
            "it is called `arena`",
        ),
        (
            "action = destroy() to(character[cost<=3]@oppRing)",
            "RS023",
            "`sp >= -3`",
        ),
        (
            "action = destroy() to(character[subtype=ninja]@oppRing)",
            "RS023",
            "alone",
        ),
        (
            "action = destroy() to(character[frozen=true]@oppRing)",
            "RS023",
            "replace with `frozen`",
        ),
        (
            "action = destroy() to(character[fresh==false]@oppRing)",
            "RS023",
            "replace with `-fresh`",
        ),
        (
            "action = bp(-100) to(characters[-this]@myRing)",
            "RS048",
            "`^characters@myRing`",
        ),
        (
            "action = bp(+100) to(other characters@myRing)",
            "RS048",
            "replace with `^characters`",
        ),
        (
            "action = +rush to(random character@myRing)",
            "RS048",
            "replace with `<r>character`",
        ),
        (
            "action = damage(200) to(any)",
            "RS048",
            "`character` lets the player choose",
        ),
        ("action = damage(200) to(target)", "RS048", "`target =`"),
        ("action = bp(+100) to(allies)", "RS048", "`characters@myRing`"),
        ("action = bp(+100) to(enemies)", "RS048", "`characters@oppRing`"),
        (
            "auto = ~attacks~: draw(1)",
            "RS068",
            "after an event or a condition",
        ),
        ("auto = ~myDraw~ draw(1)", "RS015", "`drawPhase`"),
        ("auto = ~destroyed~ draw(1)", "RS015", "`leavesRing`"),
        ("auto = ~myTurn~ sp(+1)", "RS015", "`activatePhase`"),
        (
            "action = {S: character@myRing}: draw(1)",
            "RS068",
            "`{S(character@myRing)}`",
        ),
        (
            "action = copy() to(character@oppRing)",
            "RS003",
            "`copyAbility(card)`",
        ),
        (
            "action = gainControl() to(character@oppRing)",
            "RS003",
            "stays with its player",
        ),
        ("action = random(draw(1), hp(100))", "RS003", "flipCoin"),
        ("action = heal(300)", "RS003", "`hp(+300)`"),
        (
            "action = moveTo(myRing) to(character@myDiscards)",
            "RS007",
            "`moveToSlot()`",
        ),
        (
            "action = [[if this.frozen]] draw(1)",
            "RS039",
            "`getTargets('this[frozen]')`",
        ),
        (
            "action = [[if tgt.0.cost > 3]] draw(1)",
            "RS039",
            "`tgt.0.sp <= -3`",
        ),
        ("action = [[if me.cards > 3]] draw(1)", "RS039", "`.hand`"),
        (
            "action = [[if turn == 1]] draw(1)",
            "RS038",
            "the number of the turn",
        ),
        ("action = [[if hand.size > 3]] draw(1)", "RS", "`me.hand.size`"),
        (
            "action = [[if oppRing.size > 3]] draw(1)",
            "RS",
            "`opp.ring.size`",
        ),
        ("abilities = piercing, rush", "RS013", "did you mean `pierce`?"),
        ("action = hp(50%)", "RS038", "percentages"),
        (
            "action = draw(2) unless alone",
            "RS004",
            "`[[if not alone]] draw(1)`",
        ),
        ("action = damage(-100) to(opp)", "RS076", "`hp(+100)`"),
        ("action = {F}, {D}: draw(1)", "RS028", "`{F}{D}: draw(1)`"),
        ("action = {D 2}: draw(1)", "RS068", "`{D(2)}`"),
        ("auto = ~any attacks~ draw(1)", "RS068", "`anyAttacks`"),
        ("auto = ~attacks:opp~ draw(1)", "RS072", "never false"),
        ("auto = [[if me.ring.size >= 3]] +100", "RS068", "`bp(+100)`"),
        (
            "action = +cant block to(character@oppRing)",
            "RS068",
            "one word, as `+cantblock`",
        ),
        (
            "action = -all abilities to(character@oppRing)",
            "RS068",
            "`loseAbility()`",
        ),
        (
            "action = damage(100 x me.ring.size) to(opp)",
            "RS038",
            "`*` multiplies",
        ),
        (
            "action = draw(1) to(player[hp<500])",
            "RS023",
            "`[[if opp.hp < 500]]`",
        ),
        (
            "action = damage(200) to(character[fresh and frozen]@oppRing)",
            "RS",
            "joined by `&`",
        ),
        (
            "action = damage(200) to(character[bp<=300 or fresh]@oppRing)",
            "RS068",
            "alternatives by `,`",
        ),
        (
            "action = damage(200) to(character[not frozen]@oppRing)",
            "RS048",
            "replace with `-frozen`",
        ),
        (
            "action = damage(200) to(character(frozen)@oppRing)",
            "RS082",
            "`character[frozen]@oppRing`",
        ),
        (
            "action = damage(200) to(characters[2]@oppRing)",
            "RS048",
            "`<2>character`",
        ),
        (
            "action = [[if opp.ring is empty]] damage(300) to(opp)",
            "RS038",
            "`opp.ring.size == 0`",
        ),
        (
            "action = [[if me.hp > opp.hp then]] draw(1)",
            "RS038",
            "without a `then`",
        ),
        (
            "action = [[if me.hp > opp.hp]]: draw(1)",
            "RS068",
            "a condition, the effects follow",
        ),
        (
            "action = [[if me.hp > opp.hp]] {F}: draw(1)",
            "RS068",
            "in front of the condition",
        ),
        (
            "requisite = alone\naction = draw(1)",
            "RS048",
            "`[[if alone]] draw(1)`",
        ),
        (
            "requisite = me.hp > 500\naction = draw(1)",
            "RS007",
            "`[[if me.hp > 500]] draw(1)`",
        ),
    ];
    assert_eq!(untold(&table), "");
}

/// What a text says is meant, and what is written in full needs no word.
#[test]
fn targets_that_say_what_they_mean() {
    for rule in [
        "action = freeze() to(characters)",
        "action = freeze() to(characters@oppRing)",
        "action = destroy() to(all@myRing)",
        "action = discard() to(opp)",
        "auto = ~attacks, blocks~ draw(1)",
        "action = damage(100) to(opp; character@oppRing)",
        "action = damage(100) to(opp, character@oppRing)",
        "action = moveTo(hand) from(character@deck) & shuffle()",
        "action = draw(1) & hp(+100) to(me)",
    ] {
        assert_eq!(said(rule), "", "{rule}");
    }
}

/// R10.2, R1004, R1020, R606: what a value is, is known before it is compared, added or called.
#[test]
fn kinds_of_values() {
    let table = [
        ("action = [[if me.hand.count > 3]] draw(1)", "RS039", "`.size`"),
        (
            "vars = _n := me.ring.count\naction = draw(_n)",
            "RS039",
            "`.size`",
        ),
        ("action = [[if me.ring[0].hp > 300]] draw(1)", "RS039", "`.bp`"),
        ("action = [[if me.ring[0:2].bp > 300]] draw(1)", "RS039", "`.0`"),
        (
            "action = [[if (me if alone else opp).bp > 300]] draw(1)",
            "RS039",
            "`.hp`",
        ),
        (
            "action = [[if (me.hp - 100).size > 3]] draw(1)",
            "RS039",
            "a number already",
        ),
        (
            "action = [[if len(me.ring).size > 3]] draw(1)",
            "RS039",
            "a number already",
        ),
        (
            "action = [[if opp.hand.size() > 3]] draw(1)",
            "RS082",
            "without the parentheses",
        ),
        (
            "action = [[if me.ring() > 3]] draw(1)",
            "RS082",
            "without the parentheses",
        ),
        (
            "action = [[if alone()]] draw(1)",
            "RS082",
            "without the parentheses",
        ),
        ("action = [[if me > 3]] draw(1)", "RS072", "`.hp`"),
        ("action = [[if this > 300]] draw(1)", "RS072", "`.bp`"),
        (
            "action = [[if me.hp == '500']] draw(1)",
            "RS072",
            "without quotes",
        ),
        ("action = [[if this == 'rook']] draw(1)", "RS072", "`.name`"),
        ("action = [[if this == me]] draw(1)", "RS072", "`.controller`"),
        ("action = [[if me.ring > opp.ring]] draw(1)", "RS072", "`.size`"),
        ("action = [[if me < opp]] draw(1)", "RS072", "`.hp`"),
        ("action = [[if trigger > this]] draw(1)", "RS072", "`.bp`"),
        ("action = damage(max(me.ring)) to(opp)", "RS007", "`.bp`"),
        ("action = damage(me.ring) to(opp)", "RS007", "`.size`"),
        ("action = damage(me.ring[-1]) to(opp)", "RS007", "`.bp`"),
        (
            "action = damage(max(card.bp in me.ring)) to(opp)",
            "RS038",
            "for one in",
        ),
        ("action = [[if me.hp is 500]] draw(1)", "RS040", "`==`"),
        (
            "action = [[if this.subtype is not 'ninja']] draw(1)",
            "RS040",
            "`!=`",
        ),
        (
            "action = [[if me.hp == 500 or 600]] draw(1)",
            "RS072",
            "`me.hp == 600`",
        ),
        (
            "action = [[if this.subtype == 'ninja' or 'warrior']] draw(1)",
            "RS072",
            "`this.subtype == 'warrior'`",
        ),
        (
            "action = [[if alone and not (me.hp == 1 or 2)]] draw(1)",
            "RS072",
            "`me.hp == 2`",
        ),
    ];
    assert_eq!(untold(&table), "");
    let rule = "action = [[if alone and me.hp == 500 or 600]] draw(1)";
    let place = found(rule)[0].span.range();
    assert_eq!(&format!("[{ROOK}]\n{rule}\n")[place], "600");
    for fine in [
        "action = [[if me.hand.count(this) > 0]] draw(1)",
        "action = [[if this.name.upper() == 'ROOK']] draw(1)",
        "action = draw(len(filter(isChar, me.hand)))",
        "action = draw(max([one.bp for one in me.ring]) / 100)",
        "action = draw(max(me.ring, key=lambda one: one.bp).bp / 100)",
        "action = draw(me.ring[0].bp / 100)",
        "action = draw(me.hand[0:2].size)",
        "action = draw((me if alone else opp).hand.size)",
        "action = [[if trigger is nil]] draw(1)",
        "action = [[if me.ring.0 is this]] draw(1)",
        "action = [[if me.ring or me.hand]] draw(1)",
        "action = [[if this.name < 'k']] draw(1)",
        "action = [[if me.sp + alone > 3]] draw(1)",
        "action = draw(alone or 2)",
        "action = [[if (me.hp or 1) > 300]] draw(1)",
        "action = [[if this.type == character]] draw(1)",
        "action = draw(2 * len(me.ring + me.hand))",
        "action = draw(min(me.hand.size, 2))",
        "action = draw(max(alone, 2))",
    ] {
        let said = said(fine);
        let told = ["RS007", "RS039", "RS040", "RS072", "RS082"];
        assert!(!told.iter().any(|code| said.contains(code)), "{fine}\n{said}");
    }
}

/// R10.2: the words of other games and languages behind a dot, with and without `is` and `get`.
#[test]
fn attributes_of_other_games() {
    let table = [
        ("action = [[if me.life < 500]] draw(1)", "RS039", "`.hp`"),
        ("action = [[if me.getHp < 500]] draw(1)", "RS039", "`.hp`"),
        ("action = [[if this.isFrozen]] draw(1)", "RS039", "this[frozen]"),
        ("action = [[if this.is_fresh]] draw(1)", "RS039", "this[frozen]"),
        ("action = [[if me.ring.empty]] draw(1)", "RS039", "`.size == 0`"),
        (
            "action = [[if me.ring.isEmpty()]] draw(1)",
            "RS039",
            "`.size == 0`",
        ),
        ("action = draw(me.ring.first.bp)", "RS039", "`.0`"),
        ("action = [[if this.school == 'x']] draw(1)", "RS039", "`.subtype"),
        ("action = [[if me.field.size > 1]] draw(1)", "RS039", "`.ring`"),
        ("action = [[if this.text == 'x']] draw(1)", "RS039", "`.name`"),
        (
            "action = [[if me.ring.contains(this)]] draw(1)",
            "RS039",
            "`this in me.ring`",
        ),
        (
            "action = [[if this.hasAbility('x')]] draw(1)",
            "RS039",
            "this[warrior]",
        ),
        (
            "action = [[if trigger.owner == opponent]] draw(1)",
            "RS038",
            "`opp`",
        ),
    ];
    assert_eq!(untold(&table), "");
}

/// R1040, R116: expressions of other languages, and words in quotes.
#[test]
fn expressions_of_other_languages() {
    let table = [
        (
            "action = [[if me.hp => 500]] draw(1)",
            "RS038",
            "replace `=>` with `>=`",
        ),
        (
            "action = [[if me.hp =< 500]] draw(1)",
            "RS038",
            "replace `=<` with `<=`",
        ),
        (
            "action = damage(f\"{this.bp}\") to(opp)",
            "RS038",
            "without quotes",
        ),
        (
            "action = damage(this.bp // 2 if alone) to(opp)",
            "RS038",
            "else 100",
        ),
        (
            "action = moveTo(\"hand\") to(character@oppRing)",
            "RS007",
            "replace with `hand`",
        ),
        ("action = skip(\"draw\") to(opp)", "RS007", "replace with `draw`"),
        ("action = enableRule('attack')", "RS007", "replace with `attack`"),
        ("action = damage(\"300\") to(opp)", "RS007", "replace with `300`"),
        ("action = activate(\"Rook\")", "RS007", "getTargets("),
        (
            "action = [[if me.hand.size between 1 and 3]] draw(1)",
            "RS038",
            "`1 <= me.hand.size <= 3`",
        ),
        (
            "action = [[if me.hand.size in (1..3)]] draw(1)",
            "RS038",
            "`1 <= me.hand.size <= 3`",
        ),
        ("action = draw(alone ? 2 : 1)", "RS038", "else 100"),
    ];
    assert_eq!(untold(&table), "");
}

/// G166–G168, G220: cards in hands and piles have no BP to change, and cannot be frozen.
#[test]
fn effects_on_cards_that_are_in_no_ring() {
    let commands = [
        "bp(+100)",
        "damage(100)",
        "freeze()",
        "unfreeze()",
        "loseAbility()",
        "moveToSlot()",
        "removeFromAttack()",
    ];
    for command in commands {
        let rule = format!("action = {command} to(character@oppHand)");
        let said = said(&rule);
        assert!(
            said.contains("RS063") && said.contains("in a ring"),
            "{rule}\n{said}"
        );
        for target in [
            "character@oppRing",
            "character@infront",
            "character",
            "this",
            "tgt.0",
        ] {
            let rule = format!("target = character\naction = {command} to({target})");
            let said = self::said(&rule);
            assert!(!said.contains("in a ring"), "{rule}\n{said}");
        }
    }
    let said = said("action = moveTo(hand) to(character@discards)");
    assert!(!said.contains("RS063"), "{said}");
}

/// R901, R905, R909: what does not belong between the signs of a trigger.
#[test]
fn triggers_with_too_much_in_them() {
    let table = [
        (
            "auto = ~myEndPhase; myDrawPhase~ draw(1)",
            "RS047",
            "separated by `,`",
        ),
        ("auto = ~attacks or blocks~ draw(1)", "RS068", "separated by `,`"),
        (
            "auto = ~blocked by character~ draw(1)",
            "RS068",
            "a condition after it",
        ),
        (
            "auto = ~attacks:opp~ draw(1)",
            "RS072",
            "write whose event it is in front",
        ),
    ];
    assert_eq!(untold(&table), "");
}

/// R108: keys that people expect lead to the line in which what they mean stands.
#[test]
fn keys_in_other_words() {
    let table = [
        ("cost = {F}\naction = draw(1)", "RS001", "`action = {F}: draw(1)`"),
        ("effect = draw(1)", "RS001", "is its `action`"),
        ("On Play = draw(1)", "RS001", "is its `action`"),
        (
            "trigger = ~attacks~\naction = draw(1)",
            "RS001",
            "`auto = ~attacks~ draw(1)`",
        ),
        ("when = ~attacks~ draw(1)", "RS001", "`auto = ~attacks~ draw(1)`"),
        ("requires = alone\naction = draw(1)", "RS001", "[[if alone]]"),
        ("condition = alone\naction = draw(1)", "RS001", "[[if alone]]"),
        (
            "variable = _n := 2\naction = draw(_n)",
            "RS001",
            "`vars = _a := me.hp",
        ),
        ("keywords = rush", "RS001", "`abilities = rush"),
        ("title = Draw\naction = draw(1)", "RS001", "`label ="),
        // A slip of the pen is one still.
        ("acton = draw(1)", "RS001", "did you mean `action`?"),
    ];
    assert_eq!(untold(&table), "");
}

/// R231, R701: what people write in place of costs.
#[test]
fn costs_in_other_words() {
    let table = [
        ("action = (F): draw(1)", "RS068", "costs in braces"),
        ("action = (freeze): draw(1)", "RS068", "costs in braces"),
        ("action = {SP(2)}: draw(1)", "RS026", "sp(-2)"),
        ("action = {life}: draw(1)", "RS026", "loseLife("),
        ("action = {discard}: draw(1)", "RS026", "`{D}`"),
        ("action = {tap}: draw(1)", "RS026", "`{F}`"),
        ("action = {sac}: draw(1)", "RS026", "`{S}`"),
        ("action = {D(1, character)}: draw(1)", "RS048", "`<1>character`"),
        ("action = freeze() to(2)", "RS048", "`<2>character`"),
    ];
    assert_eq!(untold(&table), "");
}

/// R901: events of other games, with the words that are put before them.
#[test]
fn events_in_other_words() {
    let table = [
        ("auto = ~onAttack~ draw(1)", "RS015", "did you mean `attacks`?"),
        ("auto = ~whenBlocked~ draw(1)", "RS015", "did you mean `blocked`?"),
        ("auto = ~on_attack~ draw(1)", "RS015", "did you mean `attacks`?"),
        ("auto = ~endOfTurn~ draw(1)", "RS015", "ends with `endPhase`"),
        (
            "auto = ~onTurnStart~ draw(1)",
            "RS015",
            "begins with `activatePhase`",
        ),
        ("auto = ~whenDies~ draw(1)", "RS015", "`leavesRing`"),
        ("auto = ~myEndOfTurn~ draw(1)", "RS015", "ends with `endPhase`"),
    ];
    assert_eq!(untold(&table), "");
}

/// R244: methods, assignments and signs of other languages.
#[test]
fn effects_of_other_languages() {
    let table = [
        ("action = this.freeze()", "RS004", "write `freeze() to(this)`"),
        ("action = opp.draw(1)", "RS004", "write `draw(1) to(opp)`"),
        (
            "action = tgt.0.bp(+100) & draw(1)",
            "RS004",
            "write `bp(+100) to(tgt.0)`",
        ),
        ("action = opp.hp -= 200", "RS004", "`hp(-200) to(opp)`"),
        ("action = me.sp += 3", "RS004", "`sp(+3) to(me)`"),
        ("action = this.bp = 500", "RS004", "`bp(=500) to(this)`"),
        ("action = me.sp++", "RS004", "`sp(+1) to(me)`"),
        ("action = damage(200).to(opp)", "RS068", "remove the dot"),
        ("action = draw(1).hp(+100)", "RS068", "write `&`"),
        ("action = +bp(100)", "RS068", "`bp(+…)`"),
        ("action = -hp(100) to(opp)", "RS068", "`hp(-…)`"),
        ("action = bp(+200, this)", "RS005", "`bp(n) to(this)`"),
        ("action = damage(200, opp)", "RS005", "`damage(n) to(opp)`"),
        (
            "action = each(character@oppRing: freeze())",
            "RS007",
            "write `=>`",
        ),
        (
            "action = each(c in opp.ring => freeze())",
            "RS038",
            "is called `card`",
        ),
        (
            "action = [[if me.ring has \"Rook\"]] draw(1)",
            "RS038",
            "use a target to ask",
        ),
    ];
    assert_eq!(untold(&table), "");
    for (rule, mended) in [
        ("action = damage(200).to(opp)", "action = damage(200) to(opp)"),
        ("action = +bp(100)", "action = bp(+100)"),
        (
            "action = this.freeze() & draw(1)",
            "action = freeze() to(this) & draw(1)",
        ),
        (
            "action = each(c in opp.ring => draw(1))",
            "action = each(card in opp.ring => draw(1))",
        ),
        (
            "action = freeze() to(<1-2>character)",
            "action = freeze() to(<1,2>character)",
        ),
        ("abilities = rush; pierce", "abilities = rush, pierce"),
        (
            "action = freeze() to(character@enemyBoard)",
            "action = freeze() to(character@oppRing)",
        ),
    ] {
        let text = format!("[{ROOK}]\n{rule}\n");
        let all = found(rule);
        assert_eq!(all.len(), 1, "{rule}: {all:?}");
        let fix = all[0].fix.as_ref().expect("it is mended");
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut out = text;
        for edit in edits {
            out.replace_range(edit.span.range(), &edit.text);
        }
        assert_eq!(out, format!("[{ROOK}]\n{mended}\n"));
        assert_eq!(said(mended), "", "{mended}");
    }
    // What begins with a name and a dot is an expression where one may stand.
    assert_eq!(said("action = freeze() to(me.ring.0)"), "");
}

/// R204, R219, R214–R217, R801: quantities, zones, filters and abilities of other games.
#[test]
fn targets_of_other_games() {
    let table = [
        ("action = freeze() to(<1-2>character)", "RS018", "write `<1,2>`"),
        ("action = freeze() to(<1..2>character)", "RS018", "write `<1,2>`"),
        ("action = freeze() to(<*>character)", "RS018", "write `<**>`"),
        ("action = freeze() to(<all>character)", "RS018", "write `<**>`"),
        (
            "action = freeze() to(<up to 2>character)",
            "RS018",
            "write `<0,2>`",
        ),
        (
            "action = freeze() to(<random 2>character)",
            "RS018",
            "write `<r2>`",
        ),
        (
            "action = freeze() to(character@opponentRing)",
            "RS012",
            "`oppRing`",
        ),
        ("action = freeze() to(character@board)", "RS012", "`arena`"),
        (
            "action = moveTo(hand) to(character@myGraveyard)",
            "RS012",
            "`myDiscards`",
        ),
        ("action = moveTo(graveyard) to(character)", "RS012", "`discards`"),
        ("action = moveTo(exile) to(character)", "RS012", "`removed`"),
        ("action = freeze() to(enemy)", "RS048", "`character@oppRing`"),
        (
            "action = freeze() to(character[bp <= this.bp]@oppRing)",
            "RS068",
            "`to(_few)`",
        ),
        ("abilities = unblockable; rush", "RS013", "separated by `,`"),
        ("abilities = rush and pierce", "RS013", "separated by `,`"),
        ("abilities = haste", "RS013", "`rush`"),
        ("action = +trample to(this)", "RS013", "`pierce`"),
    ];
    assert_eq!(untold(&table), "");
    let way = "vars = _few := [one for one in opp.ring if one.bp <= this.bp]\naction = freeze() to(_few)";
    assert_eq!(said(way), "", "what the help says is no mistake");
}

/// R108–R247: whatever is found in a mistake of any of the tables above, and of the lists below, says what to
/// do.
#[test]
fn every_finding_says_what_to_do() {
    let rules = [
        "action = destroy character@oppRing",
        "action = destroy() to(strongest character@oppRing)",
        "action = destroy() to(character[bp:highest]@oppRing)",
        "action = bp(+100) to(Warrior characters@myRing)",
        "action = bp(+100) to(characters@myRing except this)",
        "action = bp(half) to(character@oppRing)",
        "action = bp(/2) to(character@oppRing)",
        "action = bp(2x) to(this)",
        "action = bp(==500) to(this)",
        "action = hp(=1000) to(opp)",
        "action = hp(x2)",
        "action = draw(one)",
        "action = draw(?)",
        "action = draw(X) where X = me.sp",
        "action = draw()x2",
        "action = 2x draw()",
        "action = discard(random)",
        "action = discard(1, random) to(opp)",
        "action = rndDiscard(character) to(opp)",
        "action = shuffle(myDeck, oppDeck)",
        "action = moveTo(deck, 0, shuffle) to(character@discards)",
        "action = moveTo(top of deck) to(character@discards)",
        "action = moveTo(ownerHand) to(character)",
        "action = swapPiles(hand, hand)",
        "action = steal(opp)",
        "action = turns(1) to(opp)",
        "action = turns(extra)",
        "action = playExtraChar(2)",
        "action = disableRule(attack, block)",
        "action = modRule(play_char_bp_limit = 500)",
        "action = peek(3) to(deck)",
        "action = prophecy(3, deck)",
        "action = +rush() to(this)",
        "action = +\"rush\"",
        "action = freeze() to(character)@oppRing",
        "action = freeze() to(oppRing)",
        "action = freeze() to(oppRing.character)",
        "action = freeze() to({2}character@oppRing)",
        "action = freeze() to(character@oppRing x2)",
        "action = freeze() to(character@oppRing, 2)",
        "action = sp(-2): draw(1)",
        "action = {F}: {D}: draw(1)",
        "auto = ~attacks~:once draw(1)",
        "auto = ~ringChanges:Student~ draw(1)",
        "action = [[if Warrior in me.ring]] draw(1)",
        "action = draw(Warriors@myRing)",
        "action = [[if me.hp ~ 3]] draw(1)",
        "action = ; & draw(1)",
        "vars = := 3\naction = draw(1)",
        "vars = 3x := 3\naction = draw(1)",
        "target = <4,2>character\naction = freeze()",
        "action = draw(1) [[if alone]] hp(100)",
        "action = [[else]] draw(1)",
    ];
    let mut silent = String::new();
    for rule in rules {
        let all = found(rule);
        if all.is_empty() {
            silent += &format!("{rule}: nothing\n");
        }
        for one in all.iter().filter(|one| one.help.is_none() && one.fix.is_none()) {
            silent += &format!("{rule}: {} {}\n", one.code, one.message);
        }
    }
    assert_eq!(silent, "");
}

/// R213–R247: what is meant is said in particular where it shows.
#[test]
fn what_is_meant_is_said() {
    let table = [
        ("action = sp(-2): draw(1)", "RS068", "[[if me.sp >= 2]] sp(-2)"),
        ("action = discard(1): draw(1)", "RS068", "`{D}: draw(1)`"),
        ("auto = ~attacks~:once draw(1)", "RS068", "`~attacks:once~"),
        ("action = {F}: {D}: draw(1)", "RS068", "`{F}{D}:"),
        ("action = peek(3) to(deck)", "RS005", "`prophecy(3)`"),
        (
            "action = freeze() to(oppRing)",
            "RS048",
            "replace with `characters@oppRing`",
        ),
        ("action = discard(2) to(oppHand)", "RS048", "`to(opp)`"),
        ("action = bp(==500) to(this)", "RS007", "`bp(=500)`"),
        ("action = bp(2x) to(this)", "RS038", "`bp(x2)`"),
        (
            "action = draw(Warriors@myRing)",
            "RS007",
            "getTargets('Warriors@myRing').size",
        ),
        (
            "action = draw(character@myRing)",
            "RS007",
            "getTargets('characters@myRing').size",
        ),
        (
            "action = [[if Warrior in me.ring]] draw(1)",
            "RS038",
            "getTargets('warriors@myRing').size",
        ),
        (
            "auto = ~ringChanges:Ninja~ draw(1)",
            "RS016",
            "trigger.subtype == 'ninja'",
        ),
        ("action = moveTo(ownerHand) to(character)", "RS012", "`ctrlHand`"),
        ("action = draw(two)", "RS038", "replace with `2`"),
        (
            "action = steal(opp)",
            "RS063",
            "`steal() from(character@oppRing)`",
        ),
        ("action = turns(1) to(opp)", "RS063", "takes no targets"),
        (
            "action = freeze(2) to(character@oppRing)",
            "RS088",
            "`freeze() to(<2>character@oppRing)`",
        ),
        (
            "action = destroy character@oppRing",
            "RS004",
            "`destroy() to(character@oppRing)`",
        ),
        ("action = shuffle deck", "RS004", "`shuffle(deck)`"),
        (
            "action = destroy() to(frozen character of opp)",
            "RS048",
            "`character[frozen]@oppRing`",
        ),
        (
            "action = destroy() to(lowest character)",
            "RS048",
            "character[bp:lowest]",
        ),
        (
            "action = destroy() to(character[lowest]@oppRing)",
            "RS048",
            "character[bp:lowest]",
        ),
        (
            "action = destroy() to(characters@myRing except this)",
            "RS012",
            "`^characters@myRing`",
        ),
        ("action = freeze() to(<2+>character)", "RS018", "write `<2,99>`"),
        ("action = draw(count(me.ring))", "RS038", "is `.size`"),
        (
            "action = sp(Warriors.size)",
            "RS038",
            "getTargets('warriors@myRing').size",
        ),
        ("auto = ~this.attacks~ draw(1)", "RS015", "replace with `attacks`"),
        (
            "auto = ~beforePayCost:character~ modCost(character, 1)",
            "RS015",
            "`beforePayCostCharacter`",
        ),
        (
            "action = freeze() to(characters[bp less than 400])",
            "RS048",
            "compares with a sign",
        ),
        (
            "action = swapChars(this) to(^character@myRing)",
            "RS005",
            "<2>character@myRing",
        ),
        ("action = loseLife(300) to(me + opp)", "RS068", "`players`"),
        ("action = draw(2) or hp(+500)", "RS068", "`label`"),
        ("action = 2*damage(100) to(opp)", "RS068", "in the parentheses"),
        ("action = {F}{3 SP}: draw(2)", "RS026", "sp(-2)"),
        ("action = skip(oppDrawPhase)", "RS007", "replace with `draw`"),
        (
            "action = skip(main phase) to(opp)",
            "RS007",
            "replace with `main`",
        ),
        ("abilities = rush to(Warriors)", "RS013", "`auto = +rush to("),
        (
            "action = [[may and if me.sp >= 2]] draw(1)",
            "RS031",
            "[[if me.sp >= 2]]",
        ),
        ("action = [[may if alone]] draw(1)", "RS031", "sp?(-2)"),
    ];
    assert_eq!(untold(&table), "");
    // Effects that go beside targets, and targets that are asked for in the argument, mean something.
    for fine in [
        "action = turns(1) & draw(1) to(opp)",
        "target = character@oppRing\naction = activate(tgt) to(opp)",
        "action = freeze(toggle) to(character@oppRing)",
        "action = steal() from(character@oppRing)",
    ] {
        let said = said(fine);
        assert!(
            !said.contains("RS063") && !said.contains("RS088"),
            "{fine}\n{said}"
        );
    }
}

/// D27, D31, R622, R910: rules that are sound and do something else than what was meant.
#[test]
fn traps_of_targets_and_events() {
    let table = [
        (
            "target = ^character@myRing\naction = bp(+tgt.bp) to(this)",
            "RS064",
            "`bp(prevTgt.0.bp) to(this)`",
        ),
        (
            "target = ^character@myRing\naction = bp(tgt.0.bp) to(this)",
            "RS064",
            "`bp(prevTgt.0.bp) to(this)`",
        ),
        (
            "auto = ~blocked:this~ destroy() to(trigger)",
            "RS088",
            "`blocker`",
        ),
        ("auto = ~attacks~ +rush to(trigger)", "RS088", "write `this`"),
        (
            "target = character@anyRing\naction = draw(2) to(tgt); destroy() to(tgt)",
            "RS063",
            "`to(tgt.0.controller)`",
        ),
        (
            "target = character@anyRing\naction = draw(2) to(tgt.0)",
            "RS063",
            "`to(tgt.0.controller)`",
        ),
        (
            "action = each(character@oppRing => freeze())",
            "RS066",
            "`freeze() to(characters@oppRing)`",
        ),
        (
            "action = each(card in opp.ring => destroy())",
            "RS066",
            "`destroy() to(characters@oppRing)`",
        ),
        ("action = loseLife(-300) to(opp)", "RS076", "`loseLife(300)`"),
        ("action = draw(-1)", "RS076", "`discard(1)`"),
        ("action = bp(+100) to(me)", "RS063", "`to(characters@myRing)`"),
        ("action = destroy() to(opp)", "RS063", "`to(characters@oppRing)`"),
        ("action = draw(2) || hp(+300)", "RS058", "`label`"),
        ("action = modCost(action, +2) ueot", "RS025", "`alterCost("),
        (
            "target = character@oppRing\naction = freeze() oppUeot",
            "RS025",
            "`freeze(); +frosted oppUeot`",
        ),
        (
            "action = hp(=1000) to(opp)",
            "RS007",
            "`hp(1000 - opp.hp) to(opp)`",
        ),
        (
            "requisite = me.sp >= 3\naction = draw(1)",
            "RS007",
            "`me[sp >= 3]`",
        ),
        (
            "target = character\naction = [[if tgt.0.subtype == Ninja]] draw(1)",
            "RS038",
            "`.subtype == 'ninja'`",
        ),
        (
            "target = character\naction = [[if tgt.0.type == 'ninja']] draw(1)",
            "RS072",
            "`.subtype == 'ninja'`",
        ),
        ("auto = myEndPhase: bp(+100) to(this)", "RS004", "`~myEndPhase~`"),
        ("auto = oppAttacks draw(1)", "RS004", "`~oppAttacks~`"),
    ];
    assert_eq!(untold(&table), "");
    for fine in [
        "target = ^character@myRing\naction = bp(prevTgt.0.bp) to(this)",
        "target = ^character@myRing\naction = bp(tgt.0.bp) to(tgt)",
        "auto = ~blocked:this~ destroy() to(blocker)",
        "auto = ~blocks~ destroy() to(trigger)",
        "auto = ~anyAttacks:any~ freeze() to(trigger)",
        "target = character@anyRing\naction = draw(2) to(tgt.0.controller); destroy() to(tgt)",
        "action = each(char in me.discards => draw())",
        "action = each(card in me.ring => hp(card.bp))",
        "target = character@oppRing\naction = freeze(); +frosted oppUeot",
    ] {
        assert_eq!(said(fine), "", "{fine}");
    }
}
