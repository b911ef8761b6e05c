//! What a scenario says of its beginning becomes a position of the table.

use std::sync::Arc;

use cw_table::{
    CardSide, FreeTable, Kit, PlacedCard, Quarter, RemoteRule, Rights, ScriptReach, TableModel,
    TablePosition, TableSeat, TableSettings,
};
use cw_text::{Span, nearest};

use super::read::{FreeScenario, point, seat};
use crate::node::{
    CARD, Fields, KIND, POSITION, ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue, unknown_key,
};
use crate::read::{cards, one_of, unknown_word, words};

/// The table as the scenario begins.
pub(crate) fn lay(scenario: &FreeScenario, kit: &Arc<Kit>) -> Result<FreeTable, ScenarioFault> {
    let written = &scenario.position;
    let mut position = TablePosition {
        active: written.active.map(TableSeat::at),
        turn: written.turn,
        phase: match &written.phase {
            None => 0,
            Some((name, span)) => phase(kit, name, *span)?,
        },
        begins: written.begins,
        ..TablePosition::default()
    };
    for (of, node) in &written.of {
        let owner = of.map(TableSeat::at);
        for (key, node) in node.table()? {
            own(kit, owner, key, node, &mut position)?;
        }
    }
    for node in &written.table {
        placed(scenario, kit, node, &mut position)?;
    }
    for (key, node) in &written.variables {
        position.variables.push((None, key.name.clone(), value(node)?));
    }
    FreeTable::with_position(kit, settings(scenario), scenario.seed, &position)
        .map_err(|refusal| ScenarioFault::new(POSITION, scenario.span, refusal.to_string()))
}

/// The table's settings.
pub(crate) fn settings(scenario: &FreeScenario) -> TableSettings {
    let names: Vec<&str> = scenario.seats.iter().map(String::as_str).collect();
    let mut settings = TableSettings::for_people(&names);
    settings.shuffle_after_loading = false;
    settings.solo = scenario.rules.is_solo || names.len() == 1;
    if scenario.rules.remote_is_free {
        settings.remote = RemoteRule::Free;
    }
    if scenario.rules.reach_is_own {
        settings.reach = ScriptReach::Own;
    }
    if scenario.rules.rights_are_open {
        settings.rights = Rights::Open;
    }
    settings
}

fn phase(kit: &Kit, name: &str, span: Span) -> Result<u8, ScenarioFault> {
    let all = || (1..=kit.phases()).filter_map(|at| Some((at, kit.phase(at)?)));
    let found = all().find(|(_, own)| own.eq_ignore_ascii_case(name));
    found.map(|(at, _)| at).ok_or_else(|| {
        let names: Vec<&str> = all().map(|(_, name)| name).collect();
        unknown_word(span, name, &names)
    })
}

/// A pile, a counter or the variables of a seat, or of nobody.
fn own(
    kit: &Kit,
    owner: Option<TableSeat>,
    key: &ScenarioKey,
    node: &ScenarioNode,
    position: &mut TablePosition,
) -> Result<(), ScenarioFault> {
    let (piles, counters) = kinds(kit, owner.is_some());
    let same = |own: &&str| own.eq_ignore_ascii_case(&key.name);
    let pile = piles.iter().position(|own| same(&own.as_str()));
    let counter = counters.iter().position(|own| same(&own.as_str()));
    match (&node.value, pile, counter) {
        (ScenarioValue::Number(_), _, Some(counter)) => {
            position.counters.push((owner, counter, node.number()?));
        }
        (_, Some(pile), _) => {
            let models = cards(node)?.into_iter();
            let models = models.map(|(name, span)| model(kit, &name, span));
            position
                .piles
                .push((owner, pile, models.collect::<Result<_, _>>()?));
        }
        (_, None, Some(_)) => {
            node.number::<i32>()?;
        }
        (_, None, None) if key.name == "variables" => {
            for (name, node) in node.table()? {
                position.variables.push((owner, name.name.clone(), value(node)?));
            }
        }
        (_, None, None) => {
            let all = piles.iter().chain(&counters).map(String::as_str);
            let known: Vec<&str> = all.chain(["variables"]).collect();
            return Err(unknown_key(key, &known));
        }
    }
    Ok(())
}

/// Names of the piles and counters of a seat, or of nobody.
pub(crate) fn kinds(kit: &Kit, of_seat: bool) -> (Vec<String>, Vec<String>) {
    let (piles, counters) = match of_seat {
        true => (&kit.piles, kit.counters()),
        false => (&kit.shared_piles, kit.shared_counters()),
    };
    let piles = piles.iter().map(|pile| pile.name.clone()).collect();
    let counters = counters.iter().map(|counter| counter.name.to_string());
    (piles, counters.collect())
}

/// A variable holds a text; a number or a truth is written as scripts write it.
pub(crate) fn value(node: &ScenarioNode) -> Result<String, ScenarioFault> {
    Ok(match &node.value {
        ScenarioValue::Number(number) => number.to_string(),
        ScenarioValue::Bool(true) => "True".to_owned(),
        ScenarioValue::Bool(false) => "False".to_owned(),
        ScenarioValue::Text(_) | ScenarioValue::List(_) | ScenarioValue::Table(_) => node.text()?.to_owned(),
    })
}

/// A card of the package, by its name or its id.
pub(crate) fn model(kit: &Kit, name: &str, span: Span) -> Result<TableModel, ScenarioFault> {
    let of_id = name.parse().ok().and_then(|id| kit.by_id(id));
    of_id.or_else(|| kit.by_name(name)).ok_or_else(|| {
        let all: Vec<TableModel> = (0..kit.count()).map(TableModel::Card).collect();
        let names = all.iter().map(|model| kit.name(model, 0));
        let fault = ScenarioFault::new(CARD, span, format!("no card is called “{name}”"));
        match nearest(name, names) {
            Some(near) => fault.help(format!("did you mean “{near}”?")),
            None => fault,
        }
    })
}

/// A marker by its name.
pub(crate) fn marker(kit: &Kit, name: &str, span: Span) -> Result<u16, ScenarioFault> {
    kit.marker(name).ok_or_else(|| {
        let names: Vec<&str> = kit.markers.iter().map(|marker| marker.name.as_str()).collect();
        unknown_word(span, name, &names)
    })
}

/// A card on the table: its name, or a table with more.
fn placed(
    scenario: &FreeScenario,
    kit: &Kit,
    node: &ScenarioNode,
    position: &mut TablePosition,
) -> Result<(), ScenarioFault> {
    let count = i32::try_from(position.table.len()).unwrap_or(i32::MAX);
    let mut card = PlacedCard {
        model: TableModel::Card(0),
        owner: TableSeat::at(0),
        // Side by side, so that none lies over another.
        at: (count.saturating_mul(kit.default_measures().width + 10), 0),
        face: CardSide::Up,
        quarter: Quarter::Zero,
        markers: Vec::new(),
    };
    if let ScenarioValue::Text(name) = &node.value {
        card.model = model(kit, name, node.span)?;
        position.table.push(card);
        return Ok(());
    }
    let mut fields = Fields::of(node)?;
    let Some(name) = fields.get("card") else {
        return Err(ScenarioFault::new(
            KIND,
            node.span,
            "which card? As in { card = \"Candle\", at = [0, 0] }",
        ));
    };
    let (name, span) = words(name)?;
    card.model = model(kit, &name, span)?;
    if let Some(owner) = fields.get("owner") {
        card.owner = TableSeat::at(seat(owner, &scenario.seats)?);
    }
    if let Some(at) = fields.get("at") {
        card.at = point(at)?;
    }
    if let Some(face) = fields.get("face") {
        card.face = *one_of(face, &[("up", CardSide::Up), ("down", CardSide::Down)])?;
    }
    if let Some(turned) = fields.get("turned") {
        card.quarter = match turned.number::<u16>()? {
            0 => Quarter::Zero,
            90 => Quarter::One,
            180 => Quarter::Two,
            270 => Quarter::Three,
            _ => {
                return Err(ScenarioFault::new(
                    KIND,
                    turned.span,
                    "a card is turned by 0, 90, 180 or 270 degrees",
                ));
            }
        };
    }
    if let Some(markers) = fields.get("markers") {
        for (key, node) in markers.table()? {
            let count = node.number::<u16>()?;
            if count > 0 {
                card.markers.push((marker(kit, &key.name, key.span)?, count));
            }
        }
    }
    fields.finish()?;
    position.table.push(card);
    Ok(())
}
