//! What is wrong with a scenario of the free table, as far as that can be told without running it.

use std::sync::Arc;

use cw_table::{FreeTable, Kit, TableModel, TableSeat, VerbRefusal};
use cw_text::Span;
use serde_json::Value as Json;

use super::facts::{FreeActual, mismatches, state};
use super::lay::{lay, marker, model, settings};
use super::read::{FreeAction, FreeScenario, FreeStep};
use crate::node::{ENTRY, KIND, ScenarioFault, ScenarioNode, ScenarioValue};

/// Everything that is wrong with a scenario whatever its steps come to: its beginning, the menu entries,
/// cards, piles, markers and verbs that they name, and the keys of what is expected.
pub fn check_free(scenario: &FreeScenario, kit: &Arc<Kit>) -> Vec<ScenarioFault> {
    let mut found = Vec::new();
    let table = lay(scenario, kit).unwrap_or_else(|fault| {
        found.push(fault);
        FreeTable::new(Arc::clone(kit), settings(scenario), scenario.seed)
    });
    let check = FreeCheck {
        seats: scenario.seats.len(),
        state: state(&table),
        table,
    };
    let faults = scenario.steps.iter().flat_map(|step| check.step(step));
    found.extend(faults);
    found
}

struct FreeCheck {
    seats: usize,
    state: Json,
    /// As the scenario begins: names of the package mean the same at any time.
    table: FreeTable,
}

impl FreeCheck {
    fn kit(&self) -> &Kit {
        self.table.kit()
    }

    fn step(&self, step: &FreeStep) -> Vec<ScenarioFault> {
        let mut found = Vec::new();
        match &step.action {
            Some(FreeAction::Run(path, span)) => found.extend(self.entry(path, *span)),
            // What is refused may be nonsense on purpose.
            Some(FreeAction::Do(line, span)) if step.refused.is_none() => {
                found.extend(self.line(step.by, line, *span));
            }
            Some(FreeAction::Do(..)) | None => {}
        }
        let on = step.on.iter();
        found.extend(on.filter_map(|(name, span)| self.card(name.split('#').next()?.trim(), *span).err()));
        found.extend(step.answers.iter().filter_map(|node| self.answer(node).err()));
        if let Some(expected) = &step.expect {
            let read = vec![Vec::new(); self.seats];
            let actual = FreeActual {
                kit: self.kit(),
                state: &self.state,
                read: &read,
                by: step.by,
            };
            found.extend(mismatches(expected, &actual).err());
        }
        found
    }

    fn entry(&self, path: &str, span: Span) -> Option<ScenarioFault> {
        let words = self.kit().entry_named(path).err()?;
        let (message, help) = words.split_once("; ").unwrap_or((&words, ""));
        let fault = ScenarioFault::new(ENTRY, span, message);
        Some(match help {
            "" => fault,
            help => fault.help(help),
        })
    }

    /// A verb's words and the names in it, not whether it is possible then.
    fn line(&self, by: usize, line: &str, span: Span) -> Option<ScenarioFault> {
        let mut plain = String::new();
        let mut rest = line;
        while let Some((before, (name, after))) = rest
            .split_once('{')
            .and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            if let Err(fault) = self.card(name.split('#').next().unwrap_or(name).trim(), span) {
                return Some(fault);
            }
            plain.push_str(before);
            plain.push_str("table:1");
            rest = after;
        }
        plain.push_str(rest);
        let refusal = self.table.parse(TableSeat::at(by), &plain).err()?;
        let is_name = matches!(
            refusal,
            VerbRefusal::NotUnderstood(..)
                | VerbRefusal::NoSuchPile
                | VerbRefusal::NoSuchMarker
                | VerbRefusal::NoSuchCounter
                | VerbRefusal::NoSuchPhase
                | VerbRefusal::NoSuchBoard
                | VerbRefusal::NoSuchModel
                | VerbRefusal::NoSuchProperty(..)
        );
        is_name.then(|| ScenarioFault::new(KIND, span, refusal.to_string()))
    }

    /// An answer that names a marker, a card or several cards; others mean what the question makes of them.
    fn answer(&self, node: &ScenarioNode) -> Result<(), ScenarioFault> {
        match &node.value {
            ScenarioValue::Table(fields) => {
                for (key, value) in fields {
                    match &*key.name {
                        "marker" => drop(marker(self.kit(), value.text()?, value.span)?),
                        "card" => self.card(value.text()?, value.span)?,
                        _ => {}
                    }
                }
            }
            ScenarioValue::List(items) => {
                for item in items {
                    if let ScenarioValue::Text(name) = &item.value {
                        self.card(name, item.span)?;
                    }
                }
            }
            ScenarioValue::Text(_) | ScenarioValue::Number(_) | ScenarioValue::Bool(_) => {}
        }
        Ok(())
    }

    /// A card of the package by its id or the name of one of its forms.
    fn card(&self, name: &str, span: Span) -> Result<(), ScenarioFault> {
        model(self.kit(), name, span).map(drop).or_else(|fault| {
            let of_form = (0..self.kit().count()).map(TableModel::Card).any(|model| {
                let mut forms = 0..self.kit().forms(&model);
                forms.any(|form| self.kit().name(&model, form).eq_ignore_ascii_case(name))
            });
            if of_form { Ok(()) } else { Err(fault) }
        })
    }
}
