//! What each finding means: the pages that `explain` shows and the reference is made of.

use cw_syntax::{LINTS, Lint};

/// What a kind of finding means.
#[derive(Clone, Copy, Debug)]
pub struct RuleFindingPage {
    /// The code, as `RS003`.
    pub code: &'static str,
    /// What it finds, why that matters, what to do.
    pub text: &'static str,
    /// What the examples are.
    pub kind: Rules,
    /// An example that has it.
    pub wrong: &'static str,
    /// The same example mended.
    pub right: &'static str,
}

/// What an example is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// The rule of a character.
    Character,
    /// The rule of an action card whose text says "Deal 300 damage."
    Action,
    /// A whole `.rules` file.
    File,
    /// Something that is not text, or lies in several files.
    Elsewhere,
}

impl RuleFindingPage {
    /// Severity and title of the code.
    pub fn lint(&self) -> &'static Lint {
        let found = LINTS.iter().find(|lint| lint.code == self.code);
        found.unwrap_or(&LINTS[0])
    }

    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        let lint = self.lint();
        let severity = match lint.severity {
            cw_text::Severity::Error => "error",
            cw_text::Severity::Warning => "warning",
            cw_text::Severity::Hint => "hint",
        };
        format!(
            "# {}: {}\n\nSeverity: {severity}\n\n{}\n\nWrong:\n\n```rules\n{}\n```\n\nRight:\n\n```rules\n{}\n```\n",
            self.code, lint.title, self.text, self.wrong, self.right
        )
    }
}

/// The page of a code, in any case.
pub fn page(code: &str) -> Option<&'static RuleFindingPage> {
    PAGES.iter().find(|page| page.code.eq_ignore_ascii_case(code))
}

macro_rules! pages {
    ($($code:literal $kind:ident $text:literal wrong $wrong:literal right $right:literal;)*) => {
        /// All pages, in order of their codes.
        pub const PAGES: &[RuleFindingPage] = &[$(
            RuleFindingPage { code: $code, text: $text, kind: Rules::$kind, wrong: $wrong, right: $right },
        )*];
    };
}

pages! {
"RS001" Character
"The word in front of `=` is not a key of RuleScript, so the whole line would be passed over and the card would silently do less than it says. Keys are target, action, abilities, auto, requisite, vars and label."
wrong "actions = draw()" right "action = draw()";
"RS002" Character
"A rule is made of lines `key = value`. This line has no `=`, uses `:`, or splits a key with a blank. A value never goes on in the next line."
wrong "target: me\naction = draw()" right "target = me\naction = draw()";
"RS003" Character
"No command has this name. At run time the effect would be skipped, so half of the card would do nothing."
wrong "action = drow(2)" right "action = draw(2)";
"RS004" Character
"An effect is a command with parentheses, `destroy()`, or an ability with a sign, `+rush`. A bare word is neither."
wrong "action = destroy to(character)" right "action = destroy() to(character)";
"RS005" Character
"The command takes a different number of arguments. The reference of commands shows how it is written."
wrong "auto = ~myBeforePayCostAction~ modCost(action)" right "auto = ~myBeforePayCostAction~ modCost(action, 1)";
"RS006" Character
"Nothing stands between two separators. The empty item is dropped; usually something was forgotten."
wrong "action = draw(,2)" right "action = draw(2)";
"RS007" Character
"The command cannot use an argument of this kind: for example a pile where it needs a phase, or a word, card or list where it needs a number. Or a function is given something it does not take. The effect would be skipped, or the expression would fail."
wrong "action = skip(lunch) to(opp)" right "action = skip(draw) to(opp)";
"RS008" Character
"A rule without action, auto and abilities never does anything."
wrong "target = character" right "target = character\naction = freeze()";
"RS009" Character
"Only action and label may be given several times. Of any other key the first line counts and later ones are ignored; `target` and `target?` are the same key."
wrong "target = me\ntarget = opp\naction = draw()" right "target = me; opp\naction = draw()";
"RS010" Character
"Labels name actions in order: the first label the first action, and so on. This one has no action to name."
wrong "label = Strike\nlabel = Rest\naction = damage(100) to(opp)" right "label = Strike\naction = damage(100) to(opp)";
"RS011" Character
"With several actions the player chooses among their labels. Without one the button shows the name of the first command."
wrong "label = Strike\naction = damage(100) to(opp)\naction = hp(100)" right "label = Strike\naction = damage(100) to(opp)\nlabel = Rest\naction = hp(100)";
"RS012" Character
"No zone or pile has this name. Other engines then search the rings, which is hardly ever meant. Prefix and zone are one word, and `@` stands before it in a target; commands take `my`, `opp` and `ctrl`, targets also `same` and `any`."
wrong "action = moveTo(oppHands) to(character@oppRing)" right "action = moveTo(oppHand) to(character@oppRing)";
"RS013" Character
"No keyword ability has this name, so it would be ignored."
wrong "abilities = unblokable" right "abilities = unblockable";
"RS014" Character
"`cantplayac` and `cantplayre` are abilities of players, all others of characters. On the wrong object an ability does nothing."
wrong "action = +cantplayac to(character)" right "action = +cantplayac to(opp)";
"RS015" Character
"No event or hook has this name, so the auto would never run."
wrong "auto = ~myEndFase~ draw()" right "auto = ~myEndPhase~ draw()";
"RS016" Character
"Suffixes are this, fromThis, any and once, and the tests action, reaction and char. Any other word is read as a condition. `:this` means nothing on an event that carries no card."
wrong "auto = ~endPhase:this~ draw()" right "auto = ~endPhase~ draw()";
"RS017" Character
"A plural takes everything that matches, without a choice, so a quantity in front of it does nothing."
wrong "action = freeze() to(<2>characters)" right "action = freeze() to(<2>character)";
"RS018" Character
"This is neither a quantity nor a pick. In front of the type stand `<n>`, `<a,b>`, `<,b>`, `<**>`, `<r>` or `<rN>`; behind it `<n>` or `<-n>`."
wrong "action = freeze() to(<1,2,3>character)" right "action = freeze() to(<1,3>character)";
"RS019" Character
"The minimum is greater than the maximum, or the maximum is 0: nothing can ever be chosen or paid."
wrong "action = freeze() to(<4,2>character)" right "action = freeze() to(<2,4>character)";
"RS020" Character
"`<n>` behind the type takes the first n, in slot order, and nobody chooses. That is useful in piles, where order matters; in a ring the author usually meant a quantity, which stands in front."
wrong "action = destroy() to(character<2>)" right "action = destroy() to(<2>character)";
"RS021" Character
"In one list of types either all are joined by `,` (choose one of these) or all by `&`. Which binds tighter is not defined."
wrong "action = hp(100) to(me,character&ninja)" right "action = hp(100) to(me,ninja)";
"RS022" Character
"Between two names, two subtypes or two card types `&` asks for one of each, not for a card that is both. Some cards rely on this, but often a filter was meant."
wrong "action = freeze() to(warrior&ninja)" right "action = freeze() to(warrior,ninja)";
"RS023" Character
"Filters compare bp and sp with ==, <= and >=. `=` is read as `==`; <, > and != work here, but not in other engines; nothing else can be compared."
wrong "action = freeze() to(character[bp=300])" right "action = freeze() to(character[bp==300])";
"RS024" Character
"All numbers of the game are 32-bit integers with at most one sign; filters compare `bp` and `sp` with such a number."
wrong "action = damage(1.5) to(opp)" right "action = damage(1) to(opp)";
"RS025" Character
"ueot, uynt and unac limit how long abilities, rules of the game, costs, BP and changes of a card's ability or form last. No effect here is one of these, so the restriction would be silently ignored."
wrong "action = draw() ueot" right "action = draw() & +rush ueot";
"RS026" Character
"Costs are {F} freeze this card, {S} sacrifice it, {S(target)} sacrifice characters of one's ring, {D}, {D(n)} and {D(target)} discard. In other engines an unknown cost is free."
wrong "action = {E}: draw()" right "action = {F}: draw()";
"RS027" Character
"Costs come first, then the trigger, then the condition; an action has no trigger. In other engines a cost behind a trigger is free."
wrong "auto = ~endPhase~ {F}: draw()" right "auto = {F}: ~endPhase~ draw()";
"RS028" Character
"Costs end with a colon. In other engines costs without colon are dropped, and the action is free."
wrong "action = {F} draw()" right "action = {F}: draw()";
"RS029" Character
"Hooks such as canBlock are questions, written between `?`. A condition answers them: true allows, false forbids. They are asked whenever options are listed, so effects in them never run (an error), except `modCost` in `~beforePayCost…~`. Events are written between `~`."
wrong "auto = ~beforeBlock:this~ [[if this.bp >= 600]]" right "auto = ?beforeBlock:this? [[if this.bp >= 600]]";
"RS030" Character
"A condition on the size of a hand makes the auto listen to `handChanges` as well. If the auto only gives and takes abilities, it does not: then it applies all the time."
wrong "auto = [[if me.hand.size == 2]] draw()" right "auto = ~myHandChanges~ [[if me.hand.size == 2]] draw()";
"RS031" Character
"A statement has one condition, and it stands in front of the effects; elif and else follow an if. What stands behind a misplaced mark never runs."
wrong "action = [[else]] draw()" right "action = [[if alone]] hp(100) [[else]] draw()";
"RS032" Character
"A branch has one to-clause and one restriction; the first counts for all its effects."
wrong "action = draw() to(me) to(opp)" right "action = draw() to(me; opp)";
"RS033" Character
"The effects inside `each` act on the targets of the statement. A to-clause, restriction or condition inside would be ignored; outside it holds for the inner effects too."
wrong "action = each(card in me.discards => draw() to(opp))" right "action = each(card in me.discards => draw()) to(opp)";
"RS034" Character
"Here the following statements run in any case. Other engines skip them when an elif or else branch ran."
wrong "action = [[if alone]] draw() [[else]] hp(100); sp(+1)" right "action = sp(+1); [[if alone]] draw() [[else]] hp(100)";
"RS035" Character
"The condition guards no effect. Only a hook is answered by a condition alone."
wrong "action = [[if alone]]" right "action = [[if alone]] draw()";
"RS036" Character
"`vars` is a list of `name := expression`, parted by `;`."
wrong "vars = _a = 3\naction = draw(_a)" right "vars = _a := 3\naction = draw(_a)";
"RS037" Character
"A name has letters, digits and `_` and does not start with a digit. Many authors start their own names with `_`."
wrong "vars = my-var := 1\naction = draw()" right "vars = my_var := 1\naction = draw(my_var)";
"RS038" Character
"The expression uses a name that is neither a variable of this rule nor one of the language. It would fail each time, and count as false or 0. Or a function is written without parentheses although its result is meant."
wrong "action = damage(_x) to(opp)" right "vars = _x := me.sp\naction = damage(_x) to(opp)";
"RS039" Character
"The value has no such attribute: players have hp, sp, hand and so on, cards bp, sp and so on, lists size and a number. The expression would fail each time."
wrong "action = [[if me.bp > 3]] draw()" right "action = [[if me.sp > 3]] draw()";
"RS040" Character
"Here `in` asks whether a value is in a list, as in Python. Other engines compute the left side once per element, so `this in me.ring` is true whenever the ring is not empty. `is` asks whether two values are one and the same object, which numbers and texts may or may not be; `==` asks whether they are equal."
wrong "action = [[if this in me.ring]] draw()" right "action = [[if any card.bp >= 300 in me.ring]] draw()";
"RS041" Character
"The variable has the name of something that already exists, and hides it."
wrong "vars = opp := 1\naction = draw(opp)" right "vars = _opp := 1\naction = draw(_opp)";
"RS042" Character
"Card rules see the game and nothing else: no files, no modules, no names that start with two underscores."
wrong "vars = _f := open('x')\naction = draw(_f)" right "vars = _f := me.sp\naction = draw(_f)";
"RS043" Character
"The expression is deeper or longer than any rule needs, so it is refused before it can stop the game."
wrong "vars = _n := ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\naction = draw(_n)" right "vars = _n := 1\naction = draw(_n)";
"RS044" Character
"The variable is set by something that comes later, or not at all: costs are paid after `vars`, `destroyed` is set by destroy(), attacker and blocker exist only while a fight is asked about or fought."
wrong "vars = _d := discarded.size\naction = {D}: draw(_d)" right "action = {D}: draw(discarded.size)";
"RS045" Character
"An optional target, or a pick from a pile, may find nothing. The effects run all the same, and destroy, bp and copyAbility then act on the card itself."
wrong "action = destroy() to?(character[frozen])" right "action = destroy() to(character[frozen])";
"RS046" Character
"Other engines see a comment in this `#` and cut the line there."
wrong "label = \"Rule #1\"\naction = draw()" right "label = \"Rule 1\"\naction = draw()";
"RS047" Character
"A bracket, a quote, `<`, `~` or `?` has no partner in this line."
wrong "action = {F: draw()" right "action = {F}: draw()";
"RS048" Character
"No card of the package has this subtype, so the target finds nothing. Filters know no plurals."
wrong "action = freeze() to(warior@oppRing)" right "action = freeze() to(warrior@oppRing)";
"RS049" Character
"No card of the package has this name. A name in double quotes must be the whole name."
wrong "action = moveTo(hand) & shuffle() to(\"Rok\"@deck)" right "action = moveTo(hand) & shuffle() to(\"Rook\"@deck)";
"RS050" Character
"No card of the package has this id, or it is no id at all."
wrong "action = transform(\"1234\") to(this)" right "action = transform(\"0f8fad5b-d9cb-469f-a165-70867728950e\") to(this)";
"RS051" File
"No card has the id above this rule. Or a card has rules text but no rule, and players are told to apply it by hand."
wrong "[99999999-d9cb-469f-a165-70867728950e]\nabilities = rush" right "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush";
"RS052" Character
"Nothing passes this filter here: characters attack, freeze and are fresh only in a ring, only characters have BP, actions and reactions never lie in a ring, and some filters exclude each other."
wrong "action = moveTo(hand) & shuffle() to(character[frozen]@deck)" right "action = freeze() to(character[frozen]@oppRing)";
"RS053" Character
"The player has looked through a deck and chosen. Shuffle the deck afterwards, or its order stays known."
wrong "action = moveTo(hand) to(character@deck)" right "action = moveTo(hand) & shuffle() to(character@deck)";
"RS054" Character
"A requisite only asks whether something matches. Without a pick other engines let the player choose a match; with one they do not."
wrong "requisite = character@oppRing\naction = draw()" right "requisite = character<1>@oppRing\naction = draw()";
"RS055" Character
"A requisite is checked before an action, a label names an action; this rule has none."
wrong "requisite = character<1>@oppRing\nauto = ~myEndPhase~ draw()" right "auto = ~myEndPhase~ [[if opp.ring.size > 0]] draw()";
"RS056" Character
"`modCost` changes the cost that is being computed, `modDamage` the damage that is about to be dealt; they work only in those events. `alterCost` changes later costs."
wrong "action = modCost(action, 1)" right "auto = ~myBeforePayCostAction~ modCost(action, 1)";
"RS057" Action
"An action or reaction card leaves the table at once, and what it listens to with it, unless the event has `:once`."
wrong "auto = ~endPhase~ damage(300) to(opp)" right "auto = ~endPhase:once~ damage(300) to(opp)";
"RS058" Character
"Only discard, rndDiscard and moveRevealedTo can fail. Behind anything else `&&` is `&`, and what follows `||` never runs."
wrong "action = draw() && hp(100)" right "action = discard() && hp(100)";
"RS059" Character
"A condition without effects ends the list of statements, so what follows never runs."
wrong "action = [[if alone]]; draw()" right "action = [[if alone]] draw()";
"RS060" Character
"swapChars and swapAbilities need two targets; moveToSlot and steal use only the first."
wrong "action = swapChars() to(character@myRing)" right "action = swapChars() to(<2>character@myRing)";
"RS061" Character
"An event is run by the player who caused it. In an opponent's event `me`, `my…` and zones without prefix are the opponent's, `opp` is the card's own controller."
wrong "auto = ~oppEndPhase~ draw() to(me)" right "auto = ~oppEndPhase~ draw() to(this.controller)";
"RS062" Character
"Cards go to the pile that is named, whoever owns them. With `ctrl` each goes to its own player's pile."
wrong "action = moveTo(hand) to(character)" right "action = moveTo(ctrlHand) to(character)";
"RS063" Character
"A command on cards does nothing to players (an error). A command on players, aimed at cards, acts on the controller of this card; a to-clause of its own hides that. Commands such as `bp` and `freeze` do nothing to cards that are in no ring (a warning)."
wrong "action = draw() to(character@oppRing)" right "action = draw() to(opp)";
"RS064" Character
"`prevTgt` is what the statement before acted on, or the rule's targets where a to-clause replaces them. Here there is neither."
wrong "action = bp(prevTgt.0.bp)" right "action = freeze() to(character); bp(prevTgt.0.bp)";
"RS065" Character
"This works as the manual says. Other engines ignore the negation of powerful and its kin, find nothing with bp:lowest, do nothing for `-ability`, and never fire `:char`."
wrong "action = freeze() to(character[-powerful])" right "action = freeze() to(character[powerless])";
"RS066" Character
"Without a target a command on cards acts on the card itself, in an auto as well. For damage and the like that is rarely meant."
wrong "auto = ~endPhase~ damage(100)" right "auto = ~endPhase~ damage(100) to(opp)";
"RS067" Character
"Effects are joined by `&` (and then), `&&` (only if it did not fail) or `||` (only if it failed). One is missing, doubled or left over."
wrong "action = draw() hp(100)" right "action = draw() & hp(100)";
"RS068" Character
"This cannot stand here. A statement is `{costs}: ~events~ [[if …]] effects to(targets) restriction`; a target is `<quantity>type<pick>[filter]@zone::not(…)`."
wrong "action = draw() form(opp)" right "action = draw() from(opp)";
"RS069" Character
"Rules are small, so anything beyond these limits is not read: a million bytes in a line, ten thousand lines or a thousand variables in a rule, 64 MiB in a file, `each` nested eight deep. After 2,000 findings in a rule or 20,000 in a file, no more are reported."
wrong "action = each(card in moved => each(card in moved => each(card in moved => each(card in moved => each(card in moved => each(card in moved => each(card in moved => each(card in moved => each(card in moved => draw())))))))))" right "action = moveTo(deck) to(character@hand); each(card in moved => draw())";
"RS070" Character
"Rules are UTF-8 text. This file holds other bytes or control characters, which usually come from a wrong encoding."
wrong "action = draw()\u{1}" right "action = draw()";
"RS071" Action
"A number of the printed text is not in the rule, and a number of the rule is not in the text. One of them is probably wrong."
wrong "action = damage(400) to(opp)" right "action = damage(300) to(opp)";
"RS072" Character
"The condition is the same in every game, or was tested before, so one branch never runs. Values of different kinds are never equal, and cards, players and lists have no order: compare their numbers, as `.bp`, `.hp` and `.size`. A number behind `or` is a condition of its own, and true."
wrong "action = [[if me.hand.size < 0]] draw()" right "action = [[if me.hand.size < 2]] draw()";
"RS073" File
"A comment `# cardwright: allow RS061`, or a line in `[severities]` of `Rules/game.toml`, names a code or level that does not exist, so it changes nothing."
wrong "[0f8fad5b-d9cb-469f-a165-70867728950e]\n# cardwright: allow RS999\nabilities = rush" right "[0f8fad5b-d9cb-469f-a165-70867728950e]\n# cardwright: allow RS061\nabilities = rush";
"RS074" File
"A rules file is made of sections: a line `[card-guid]`, then the card's rule. Comments may stand anywhere."
wrong "abilities = rush" right "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush";
"RS075" Elsewhere
"The card has two rules. The first counts; `.rules` files come before RulesDict in scripts."
wrong "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush\n[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = pierce" right "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush, pierce";
"RS076" Character
"The effect changes nothing whatever happens: drawing 0, adding 0, moving a pile onto itself."
wrong "action = draw(0)" right "action = draw(1)";
"RS077" Character
"Nothing uses this variable. Perhaps its name is spelled differently where it is used."
wrong "vars = _low := me.sp; _high := opp.sp\naction = draw(_low)" right "vars = _low := me.sp\naction = draw(_low)";
"RS078" Character
"The ability goes from this card to this card and is then taken from it, so none is left. Without a target a command acts on its own card."
wrong "action = steal() from(this)" right "action = steal() from(character@oppRing)";
"RS079" Elsewhere
"The card has a rule, but players read nothing on it. The rule counts all the same, as if the card had a text: its ability can be copied, stolen and lost."
wrong "[0f8fad5b-d9cb-469f-a165-70867728950e]\nabilities = rush" right "<card name=\"Rook\"><property name=\"Rules\" value=\"Rush.\"/></card>";
"RS080" Action
"The cost `{F}` freezes the card itself. Only characters lie in the ring and can be frozen, so an action or reaction can never pay it and could not be used. What a card costs in SP is printed on it, not written in its rule."
wrong "action = {F}: damage(300) to(opp)" right "action = damage(300) to(opp)";
"RS081" Character
"The condition of `?canBlock?` says when a block is allowed: true allows it, false forbids it. Many expect the opposite. And `me` is the player who blocks, not the player of the card. The warning goes away where the card's text says who can block it, and agrees with the condition."
wrong "auto = ?canBlock:this? [[if blocker.bp >= 600]]" right "auto = ~blocked:fromThis~ bp(-300) target(blocker) ueot";
"RS082" Character
"This part of the expression fails in every game, so the condition is false, the number 0, and the card does nothing. The message says why in the words of `cardwright eval`, which tries expressions."
wrong "action = draw(me.hp / 0)" right "action = draw(me.hp / 500)";
"RS083" Character
"Costs are paid with the cards of the player who pays: `{S}` looks in the ring, `{D}` in the hand. `discard` looks in the hand of the player who discards. A zone that is written there is not searched."
wrong "action = {S(character@oppRing)}: draw()" right "action = {S(character)}: draw()";
"RS084" Character
"Without an event an auto runs once, when its card enters the ring. If its condition is false then, it never runs. Only conditions that give and take abilities hold all the time. The hint goes away where the card's text speaks of entering."
wrong "auto = [[if alone]] hp(100)" right "auto = ~ringChanges~ [[if alone]] hp(100)";
"RS085" Character
"Events of a card, as attacks, blocks or removed, are heard only by the card that they are about, whoever's they are called. With `:any` every such event is heard."
wrong "auto = ~anyAttacks~ hp(100)" right "auto = ~anyAttacks:any~ hp(100)";
"RS086" Character
"A card that was frozen or sacrificed as a cost cannot be frozen or sacrificed again. A cost that is not paid ends the list, so what follows never runs."
wrong "action = {F}: draw(); {F}: hp(100)" right "action = {F}: draw(); hp(100)";
"RS087" Character
"A granted ability, a changed rule or a changed cost without a limit of time lasts as long as the card that made it. If that card is gone already, as after `{S}`, nothing ends the change: `{S}: disableRule(attack)` ends all attacks of the duel. `ueot` and `uynt` limit it."
wrong "action = {S}: disableRule(attack)" right "action = {S}: disableRule(attack) ueot";
"RS088" Character
"The argument or target is allowed, but hardly means what it seems to. `prophecy(2)` asks whether the cards go to the top or to the bottom. `bp(=n)` sets hundreds, and others are rounded. A player skips phases of the own turn: in the counter-attack phase of the opponent's turn it is you who blocks. `@ring` is your own ring, and `all` without a zone is every character of both."
wrong "action = prophecy(2)" right "action = prophecy(2, top)";
}
