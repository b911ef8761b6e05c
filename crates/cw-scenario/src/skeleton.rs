//! A scenario that plays a card, to be filled in.

use std::fmt::Write as _;

use cw_duel::{AbilityKind, CardModel, Game};
use cw_program::CardType;

use crate::expect::quoted;
use crate::names::{self, NamePlace};
use crate::node::ScenarioFault;

/// A scenario file with one scenario in which the card is played; every expectation is empty, so
/// that `--bless` fills it in.
///
/// # Errors
/// If the game has no such card; the fault tells which one was probably meant.
///
/// ```
/// let game = cw_stage::start("", "me").duel.game().clone();
/// let text = cw_scenario::skeleton(&game, "Rook").expect("there is such a card");
/// assert_eq!(cw_scenario::read(&text).expect("a skeleton can be read").scenarios.len(), 1);
/// assert!(cw_scenario::skeleton(&game, "Rok").is_err());
/// ```
pub fn skeleton(game: &Game, card: &str) -> Result<String, ScenarioFault> {
    let model = names::card(game, card, NamePlace::Pile, cw_text::Span::at(0))?;
    let model = game.model(model);
    let name = quoted(&model.name);
    let mut plain = game
        .models
        .iter()
        .filter(|other| other.is_character() && other.text.is_empty() && other.program.is_none())
        .map(|other| &*other.name)
        .chain(std::iter::repeat_n("", 3));
    let [a, b, c] = std::array::from_fn(|_| plain.next().unwrap_or_default());
    let sp = (-model.sp).max(0);
    let mut out = String::new();
    // Writing to a string cannot fail.
    for line in model.text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "# {}", line.trim());
    }
    let title = quoted(&format!("{}: what does it show? (G…)", model.name));
    let _ = writeln!(out, "[[scenario]]\nname = {title}");
    let _ = writeln!(out, "answers = \"first\"");
    match model.card_type {
        Some(CardType::Reaction) => {
            let _ = writeln!(out, "active = \"opponent\"\nphase = \"counter-attack\"");
            let _ = writeln!(out, "me.hand = [{name}, {}]\nme.sp = {sp}", quoted(a));
            let _ = writeln!(out, "me.ring = [{}]", quoted(b));
            let _ = writeln!(out, "opponent.ring = [{}]", quoted(&format!("{c} attacks")));
        }
        Some(CardType::Character | CardType::Action) | None => {
            let _ = writeln!(out, "me.hand = [{name}, {}]\nme.sp = {sp}", quoted(a));
            let _ = writeln!(out, "me.ring = [\"\", {}]", quoted(b));
            let _ = writeln!(out, "opponent.ring = [{}]", quoted(c));
        }
    }
    let _ = writeln!(out, "steps = [");
    for step in steps(model, &name) {
        let _ = writeln!(out, "  {step},");
    }
    let _ = writeln!(out, "]");
    Ok(out)
}

fn steps(model: &CardModel, name: &str) -> Vec<String> {
    let played = match model.card_type {
        Some(CardType::Character) => format!("{{ play = {name}, slot = 1, expect = {{}} }}"),
        _ => format!("{{ play = {name}, expect = {{}} }}"),
    };
    let next: &[&str] = match (model.card_type, model.ability_kind()) {
        (Some(CardType::Reaction), _) => &["{ do = \"pass\", expect = {} }"],
        (Some(CardType::Character), Some(AbilityKind::Auto)) => &["{ do = \"end turn\", expect = {} }"],
        _ => &[],
    };
    let triggered = (model.ability_kind() == Some(AbilityKind::Triggered)).then(|| {
        [
            "\"end turn\"".to_owned(),
            "\"end turn\"".to_owned(),
            format!("{{ activate = {name}, expect = {{}} }}"),
        ]
    });
    let mut steps = vec![played];
    steps.extend(next.iter().map(|step| (*step).to_owned()));
    steps.extend(triggered.into_iter().flatten());
    steps
}
