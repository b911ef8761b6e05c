//! Making the trace (R1402): only for who wants it.

use crate::base::card::CardId;
use crate::base::list::{ArenaList, DuelObject};
use crate::base::place::RulePlace;
use crate::base::seat::SeatSet;
use crate::event::trace::{TraceStep, TraceValue, Traced, Variable};
use crate::machine::Machine;
use crate::script::formula::traced_values;
use crate::state::ProgramFrame;
use crate::state::seen::Seen;

impl Machine<'_> {
    /// A line about the top frame.
    pub fn trace(&mut self, step: TraceStep) {
        let Some(frame) = self.s.frames.last().copied() else {
            return;
        };
        let depth = self.s.frames.len();
        self.trace_frame(&frame, depth, step);
    }

    /// A line about a frame that may be on no stack.
    pub fn trace_frame(&mut self, frame: &ProgramFrame, depth: usize, step: TraceStep) {
        if self.log.tracer().is_none() {
            return;
        }
        let targets: Vec<DuelObject> = self.s.arena.objects(frame.targets).collect();
        let variables = self.variables_of(frame);
        let in_variables = variables.iter().flat_map(|variable| match &variable.value {
            TraceValue::Objects(objects) => &objects[..],
            TraceValue::Text(_) => &[],
        });
        let mut cards: Vec<CardId> = in_variables
            .chain(&targets)
            .filter_map(|object| object.as_card())
            .collect();
        let source = self.s.source_seen(frame.giver(), frame.named);
        cards.retain(|card| *card != source.card);
        cards.sort_unstable();
        cards.dedup();
        let mut cards: Vec<Seen> = cards.into_iter().map(|card| self.s.seen(card)).collect();
        cards.push(source);
        let traced = Traced {
            place: RulePlace {
                model: frame.model,
                step: frame.pc,
            },
            source: source.card,
            executor: frame.executor,
            depth,
            step,
            targets,
            variables,
            cards,
        };
        if let Some(sink) = self.log.tracer() {
            sink.traced(&traced);
        }
    }

    fn variables_of(&self, frame: &ProgramFrame) -> Vec<Variable> {
        let to = SeatSet::only(frame.executor);
        let variable = |name: &str, value: TraceValue| Variable {
            name: name.into(),
            value,
            to,
        };
        let lists = [
            ("tgt", frame.main),
            ("prevtgt", frame.previous),
            ("discarded", frame.discarded),
            ("sacrificed", frame.sacrificed),
            ("destroyed", frame.destroyed),
            ("moved", frame.moved),
            ("trashed", frame.trashed),
        ];
        let mut found = Vec::new();
        for (name, list) in lists {
            if list.is_defined() && list != ArenaList::EMPTY {
                let objects = self.s.arena.objects(list).collect();
                found.push(variable(name, TraceValue::Objects(objects)));
            }
        }
        let cards = [
            ("trigger", frame.trigger),
            ("attacker", frame.attacker),
            ("blocker", frame.blocker),
        ];
        for (name, card) in cards {
            if let Some(card) = card.some() {
                found.push(variable(name, TraceValue::Objects(vec![DuelObject::card(card)])));
            }
        }
        if frame.attacker.some().is_some() {
            found.push(variable("uabp", TraceValue::Text(frame.ua_bp.to_string())));
        }
        if let Some(element) = frame.element {
            found.push(variable("card", TraceValue::Objects(vec![element])));
        }
        let Some(program) = &self.game.model(frame.model).program else {
            return found;
        };
        // What was made of cards that the player does not see says something about them.
        let unseen = |object: &DuelObject| {
            let card = object.as_card();
            card.is_some_and(|card| !self.s.seen(card).to.contains(frame.executor))
        };
        let blind = found.iter().any(|variable| match &variable.value {
            TraceValue::Objects(objects) => objects.iter().any(unseen),
            TraceValue::Text(_) => false,
        });
        let mut hidden: Vec<&str> = Vec::new();
        let values = traced_values(self.s.arena.get(frame.vars));
        for (var, value) in program.rule.vars.iter().zip(values) {
            let formula = program.rule.formulas.get(usize::from(var.value.0));
            let open = formula.is_some_and(|formula| is_open(&formula.text, &hidden));
            if blind || !open {
                hidden.push(&var.name);
            }
            if let Some(value) = value {
                found.push(Variable {
                    name: var.name.clone(),
                    value,
                    to: if blind || !open { SeatSet::NONE } else { to },
                });
            }
        }
        found
    }
}

/// Whether an expression reads no hand or deck but by its size, or the own hand, and no variable that
/// does. In doubt it does.
fn is_open(text: &str, hidden: &[&str]) -> bool {
    let text = text.to_lowercase();
    if text.contains("getattr") || text.contains('\\') {
        return false;
    }
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = text.split(|letter| !in_word(letter));
    if words.any(|word| hidden.contains(&word)) {
        return false;
    }
    ["hand", "deck"].iter().all(|pile| {
        text.match_indices(pile).all(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + pile.len()..]);
            let counted = before.ends_with('.')
                && after
                    .strip_prefix(".size")
                    .is_some_and(|rest| !rest.starts_with(in_word));
            let of_me = before
                .strip_suffix("me.")
                .is_some_and(|rest| !rest.ends_with(|letter| in_word(letter) || letter == '.'));
            counted || (*pile == "hand" && (of_me || before.ends_with("@my")))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_open;

    /// G267: what a player does not see must not show in what is made of it.
    #[test]
    fn what_reads_hidden_cards_is_not_open() {
        for (text, open) in [
            ("me.hp + 2", true),
            ("tgt.0.bp", true),
            ("opp.hand.size * 100", true),
            ("me.hand.0.bp", true),
            ("Me.Deck.Size", true),
            ("getTargets('character@myHand')", true),
            ("getTargets('character@oppHand')", false),
            ("getTargets('character@hand')", false),
            ("opp.hand.0.bp", false),
            ("len(opp.hand)", false),
            ("home.hand.0", false),
            ("this.me.hand", false),
            ("me.deck.0.bp", false),
            ("opp.hand.sizes", false),
            ("getattr(opp, 'ha' + 'nd')", false),
            ("getTargets('character@opp\\x48and')", false),
            ("2 * _n", false),
            ("_nn", true),
        ] {
            assert_eq!(is_open(text, &["_n"]), open, "{text}");
        }
    }
}
