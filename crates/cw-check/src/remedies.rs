//! What to do about a finding where whoever found it does not know: one sentence for each code.

use cw_text::Diagnostic;

/// Adds the sentence of its code to each finding that has neither help nor fix.
pub(crate) fn add(found: &mut [Diagnostic]) {
    for one in found {
        if one.help.is_none() && one.fix.is_none() {
            one.help = remedy(one.code.0).map(str::to_owned);
        }
    }
}

/// How what a code is about is written rightly.
fn remedy(code: &str) -> Option<&'static str> {
    Some(match code {
        "RS002" => "a line is `key = value`, as `action = draw(1)`",
        "RS003" | "RS004" => {
            "an effect is a command, as `draw(1)` and `damage(200) to(opp)`, or an ability with its sign, as `+rush`"
        }
        "RS006" => "something was forgotten between the separators, or one of them is too many",
        "RS007" => "the reference of commands shows what stands in the brackets",
        "RS008" => "a card does something by an `action`, an `auto` or `abilities`",
        "RS009" => "several targets stand in one line, parted by `;`, as several abilities by `,`",
        "RS010" => "the first label names the first action, the second the second",
        "RS011" => "write `label = \"…\"` before each action",
        "RS012" => {
            "zones are arena, ring, infront, hand, deck, discards and removed, with `my`, `opp` or `ctrl` before them, as `oppRing`"
        }
        "RS014" => {
            "whom an ability is for stands behind it: `+rush to(character@myRing)`, `+cantplayac to(opp)`"
        }
        "RS015" => "an event stands between two `~`, as in `~attacks~`, `~myEndPhase~` and `~oppDrawPhase~`",
        "RS016" => {
            "more than a suffix says is asked in a condition: `~ringChanges~ [[if trigger.bp >= 300]] draw(1)`"
        }
        "RS019" => "the least stands first and the most second: `<1,3>character`",
        "RS020" => "how many are chosen stands in front: `<2>character`",
        "RS022" => "a card that is both is found by a filter: `character[warrior & frozen]`",
        "RS023" => "filters compare `bp` and `sp`: `character[bp <= 300]`",
        "RS024" => "numbers are whole: `300`, `-2`",
        "RS029" => "events stand between two `~`, hooks between two `?`",
        "RS030" => {
            "the condition is asked whenever something happens; write the event that is meant, as `~ringChanges~`"
        }
        "RS031" => "a statement is `[[if …]] effects [[else]] effects`; `;` begins another one",
        "RS032" => "a statement has one `to(…)` and one time; `;` begins another statement",
        "RS034" => "what is always done stands before the condition",
        "RS035" => "its effects stand behind the condition: `[[if alone]] draw(1)`",
        "RS036" => "write `_name := expression`, and `;` between two of them",
        "RS037" => "a name has letters, digits and `_`, and does not start with a digit",
        "RS038" => {
            "names are this, me, opp, tgt, trigger and more of the book, and one's own of `vars = _n := me.sp`"
        }
        "RS039" => "players have `.hp`, `.sp`, `.hand` and more, cards `.bp` and `.sp`, lists `.size`",
        "RS040" => {
            "every element is asked by `any card.bp >= 300 in me.ring` and `all card.bp >= 300 in me.ring`"
        }
        "RS041" => "give the variable another name, with `_` in front",
        "RS042" => "rules see the game only: its cards, its players and their numbers",
        "RS043" => "part it: `vars = _a := …; _b := …` gives parts a name",
        "RS044" => "read it in an effect behind the command or the cost that sets it",
        "RS045" => "without the `?`, or with a condition, it does nothing where nothing is found",
        "RS046" => "write the text without `#`",
        "RS047" => "each bracket, quote, `~` and `<` has its partner in the same line",
        "RS048" => {
            "a subtype is one that a character of the game has; the name of a card stands in double quotes"
        }
        "RS049" => "the name is written as on the card, whole, in double quotes",
        "RS050" => "an id is copied from the card's `id=\"…\"` in its set",
        "RS051" => "the section of a card begins with its id in brackets, as its set has it",
        "RS052" => "only characters in a ring attack, block, are frozen or fresh, and have BP that change",
        "RS053" => "write `& shuffle()` behind it",
        "RS054" => "write `<1>` behind the type: `character<1>@oppRing`",
        "RS055" => "an auto has its condition in it: `~myEndPhase~ [[if opp.ring.size > 0]] draw(1)`",
        "RS056" => {
            "write the event before it, as `~myBeforePayCostAction~`; later costs are changed by `alterCost`"
        }
        "RS057" => "with `:once`, as in `~myEndPhase:once~`, it waits for the next one",
        "RS058" => "behind an effect that always works write `&`",
        "RS059" => "write its effects behind the condition",
        "RS060" => "two are chosen by `<2>character@myRing`, one by `character@myRing`",
        "RS061" => "the card's own player is `this.controller`",
        "RS062" => "with `ctrl`, as in `ctrlHand`, each card goes to its own player",
        "RS063" => "cards are named as `to(character@oppRing)`, players as `to(opp)`",
        "RS064" => "`tgt` are the targets of this statement",
        "RS065" => {
            "here it works as the manual says; nothing need be done unless the card is for other engines, too"
        }
        "RS066" => "name a target, as `to(opp)`; for this card write `to(this)`",
        "RS067" => "effects are joined by `&`, and statements by `;`",
        "RS068" => {
            "a statement is `{costs}: ~events~ [[if …]] effects to(targets) time`, a target `<quantity>type[filter]@zone`"
        }
        "RS069" => "make it smaller, or part it",
        "RS070" => "save the file as UTF-8 text",
        "RS071" => "mend the one that is wrong: the text or the rule",
        "RS072" => "compare numbers of the game, as `me.hp`, `me.ring.size` or `this.bp`",
        "RS073" => "codes are RS001 and so on, levels allow, hint, warning and error",
        "RS074" => "the section of a card begins with a line `[id]`",
        "RS075" => "join both rules in one section",
        "RS076" => "write a number that changes something, or leave the effect out",
        "RS077" => "use it, or leave it out",
        "RS079" => "write what it does into the card's property of rules text",
        "RS080" => "what an action costs is its `SP`, a property of the card",
        "RS082" => "`cardwright eval` tries an expression",
        "RS086" => "write each cost once, at the front",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use cw_syntax::LINTS;

    /// Whatever is found says what to do: codes without a sentence are those whose finders always have one.
    #[test]
    fn every_code_has_a_remedy() {
        let without: Vec<&str> = LINTS
            .iter()
            .map(|lint| lint.code)
            .filter(|code| super::remedy(code).is_none())
            .collect();
        let own = [
            "RS001", "RS005", "RS013", "RS017", "RS018", "RS021", "RS025", "RS026", "RS027", "RS028",
            "RS033", "RS078", "RS081", "RS083", "RS084", "RS085", "RS087", "RS088", "RS089", "RS090",
            "RS091", "RS092", "RS093",
        ];
        assert_eq!(without, own);
    }
}
