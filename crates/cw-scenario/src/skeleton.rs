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
    let name = quoted(names::unambiguous_name(game, model));
    let model = game.model(model);
    let title = format!("{}: what does it show? (G…)", model.name);
    let mut out = begun(game, model, &name, &title);
    let _ = writeln!(out, "steps = [");
    for step in steps(model, &name) {
        let _ = writeln!(out, "  {step},");
    }
    let _ = writeln!(out, "]");
    Ok(out)
}

/// A scenario file with one scenario that begins with the card of this id in hand, and what it costs: a
/// position to play from.
///
/// # Errors
/// If the game has no such card.
///
/// ```
/// let game = cw_stage::start("", "me").duel.game().clone();
/// let id = &game.model(game.find("Rook").expect("there is such a card")).id;
/// let file = cw_scenario::read(&cw_scenario::in_hand(&game, id).expect("there is such a card"))
///     .expect("it can be read");
/// assert!(file.scenarios[0].steps.is_empty() && cw_scenario::begin(&file.scenarios[0], &game).is_ok());
/// ```
pub fn in_hand(game: &Game, id: &str) -> Result<String, ScenarioFault> {
    let model = names::card(game, id, NamePlace::Pile, cw_text::Span::at(0))?;
    let name = quoted(names::unambiguous_name(game, model));
    let model = game.model(model);
    Ok(begun(game, model, &name, &format!("{} in hand", model.name)))
}

/// How a scenario begins in which the card can be played.
fn begun(game: &Game, model: &CardModel, name: &str, title: &str) -> String {
    // Characters without a rule change nothing; a game may have none.
    let fighters = || {
        let all = game.models.iter().filter(|other| other.is_character());
        all.filter(|other| game.named(&other.name).count() == 1)
    };
    let is_plain = |other: &&CardModel| other.text.is_empty() && other.program.is_none();
    let others = fighters().filter(is_plain).chain(fighters());
    let mut plain = others.map(|other| &*other.name).chain(std::iter::repeat_n("", 3));
    let [a, b, c] = std::array::from_fn(|_| plain.next().unwrap_or_default());
    // An empty slot is a place of a ring, but no card of a hand.
    let hand = match a {
        "" => name.to_owned(),
        a => format!("{name}, {}", quoted(a)),
    };
    let sp = (-model.sp).max(0);
    let mut out = String::new();
    // Writing to a string cannot fail.
    for line in model.text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "# {}", line.trim());
    }
    let _ = writeln!(out, "[[scenario]]\nname = {}", quoted(title));
    let _ = writeln!(out, "answers = \"first\"");
    match model.card_type {
        Some(CardType::Reaction) => {
            let attacker = match c {
                "" => String::new(),
                c => format!("{c} attacks"),
            };
            let _ = writeln!(out, "active = \"opponent\"\nphase = \"counter-attack\"");
            let _ = writeln!(out, "me.hand = [{hand}]\nme.sp = {sp}");
            let _ = writeln!(out, "me.ring = [{}]", quoted(b));
            let _ = writeln!(out, "opponent.ring = [{}]", quoted(&attacker));
        }
        Some(CardType::Character | CardType::Action) | None => {
            let _ = writeln!(out, "me.hand = [{hand}]\nme.sp = {sp}");
            let _ = writeln!(out, "me.ring = [\"\", {}]", quoted(b));
            let _ = writeln!(out, "opponent.ring = [{}]", quoted(c));
        }
    }
    out
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
