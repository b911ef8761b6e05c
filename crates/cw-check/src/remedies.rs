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
            "an effect is a command, as `draw(1)` and `damage(200) to(opp)`, \
             or an ability with its sign, as `+rush`"
        }
        "RS006" => "something is missing between the separators, or there is one separator too many",
        "RS007" => "the command reference shows what goes in the brackets",
        "RS008" => "a card does something through an `action`, an `auto` or `abilities`",
        "RS009" => "write several targets on one line, separated by `;`, as several abilities by `,`",
        "RS010" => "the first label names the first action, the second the second",
        "RS011" => "write `label = \"…\"` before each action",
        "RS012" => {
            "zones are arena, ring, infront, hand, deck, discards and removed, \
             with `my`, `opp` or `ctrl` in front, such as `oppRing`"
        }
        "RS014" => "write who gets an ability after it: `+rush to(character@myRing)`, `+cantplayac to(opp)`",
        "RS015" => "write an event between two `~`, as in `~attacks~`, `~myEndPhase~` and `~oppDrawPhase~`",
        "RS016" => {
            "to ask for more than a suffix can, use a condition: \
             `~ringChanges~ [[if trigger.bp >= 300]] draw(1)`"
        }
        "RS019" => "the minimum comes first, then the maximum: `<1,3>character`",
        "RS020" => "write how many are chosen in front: `<2>character`",
        "RS022" => "to find a card that is both, use a filter: `character[warrior & frozen]`",
        "RS023" => "filters compare `bp` and `sp`: `character[bp <= 300]`",
        "RS024" => "numbers are whole: `300`, `-2`",
        "RS029" => "write events between two `~`, hooks between two `?`",
        "RS030" => {
            "the condition is checked whenever something happens; \
             write the event you mean, such as `~ringChanges~`"
        }
        "RS031" => "a statement is `[[if …]] effects [[else]] effects`; `;` begins another one",
        "RS032" => "a statement has one `to(…)` and one time; `;` begins another statement",
        "RS034" => "put what is always done before the condition",
        "RS035" => "put its effects after the condition: `[[if alone]] draw(1)`",
        "RS036" => "write `_name := expression`, and `;` between two of them",
        "RS037" => "a name has letters, digits and `_`, and does not start with a digit",
        "RS038" => {
            "names are this, me, opp, tgt, trigger and others in the book, \
             and your own from `vars = _n := me.sp`"
        }
        "RS039" => "players have `.hp`, `.sp`, `.hand` and more, cards `.bp` and `.sp`, lists `.size`",
        "RS040" => {
            "test every element with `any card.bp >= 300 in me.ring` and `all card.bp >= 300 in me.ring`"
        }
        "RS041" => "give the variable another name, with `_` in front",
        "RS042" => "rules see only the game: its cards, its players and their numbers",
        "RS043" => "split it: `vars = _a := …; _b := …` names the parts",
        "RS044" => "read it in an effect behind the command or the cost that sets it",
        "RS045" => "without the `?`, or with a condition, it does nothing where nothing is found",
        "RS046" => "write the text without `#`",
        "RS047" => "each bracket, quote, `~` and `<` needs its partner on the same line",
        "RS048" => {
            "a subtype is one that some character in the game has; a card's name goes in double quotes"
        }
        "RS049" => "write the whole name as it is on the card, in double quotes",
        "RS050" => "copy the id from the card's `id=\"…\"` in its set",
        "RS051" => "the section of a card begins with its id in brackets, as in its set",
        "RS052" => "only characters in a ring attack, block, are frozen or fresh, and have BP that change",
        "RS053" => "write `& shuffle()` after it",
        "RS054" => "write `<1>` after the type: `character<1>@oppRing`",
        "RS055" => "put the condition of an auto inside it: `~myEndPhase~ [[if opp.ring.size > 0]] draw(1)`",
        "RS056" => {
            "write the event before it, as `~myBeforePayCostAction~`; later costs are changed by `alterCost`"
        }
        "RS057" => "with `:once`, as in `~myEndPhase:once~`, it waits for the next one",
        "RS058" => "after an effect that always works, write `&`",
        "RS059" => "write its effects after the condition",
        "RS060" => "choose two with `<2>character@myRing`, one with `character@myRing`",
        "RS061" => "the card's own player is `this.controller`",
        "RS062" => "with `ctrl`, as in `ctrlHand`, each card goes to its own player",
        "RS063" => "name cards as in `to(character@oppRing)`, players as in `to(opp)`",
        "RS064" => "`tgt` are the targets of this statement",
        "RS065" => {
            "here it works as the manual says; \
             you need to change it only if the card is for other engines, too"
        }
        "RS066" => "name a target, such as `to(opp)`; for this card, write `to(this)`",
        "RS067" => "effects are joined by `&`, and statements by `;`",
        "RS068" => {
            "a statement is `{costs}: ~events~ [[if …]] effects to(targets) time`, \
             a target `<quantity>type[filter]@zone`"
        }
        "RS069" => "make it smaller, or split it",
        "RS070" => "save the file as UTF-8 text",
        "RS071" => "correct whichever is wrong: the text or the rule",
        "RS072" => "compare numbers of the game, as `me.hp`, `me.ring.size` or `this.bp`",
        "RS073" => "codes are RS001 and so on, levels allow, hint, warning and error",
        "RS074" => "the section of a card begins with a line `[id]`",
        "RS075" => "put both rules in one section",
        "RS076" => "write a number that changes something, or leave the effect out",
        "RS077" => "use it, or leave it out",
        "RS079" => "write what it does in the card's rules text property",
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
