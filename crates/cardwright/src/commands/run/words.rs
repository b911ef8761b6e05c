//! What a run says at the prompt.

use cw_program::ModelId;
use cw_run::{Run, RunDuel, RunFoe, RunSeed};

use crate::output::{count, say};

pub(super) fn greet(run: &Run) {
    let book = run.book();
    let which = match run.seed() {
        RunSeed::Day(_) => format!("the run of {}", run.seed()),
        RunSeed::Number(number) => format!("run {number}"),
    };
    say!("{}: {}, {which}", book.game.name, book.name);
    if run.acts().is_empty() {
        say!("{}", book.about);
    }
}

/// A card in one line.
fn card(run: &Run, model: ModelId) -> String {
    let found = run.book().game.model(model);
    let kind = found.card_type.map(|kind| kind.to_string()).unwrap_or_default();
    let bp = if found.is_character() {
        format!(", {} BP", found.bp)
    } else {
        String::new()
    };
    let sp = match found.sp {
        0 => String::new(),
        sp => format!(", {sp:+} SP"),
    };
    let text = if found.text.is_empty() {
        String::new()
    } else {
        format!(": {}", found.text)
    };
    format!("{} ({kind}{bp}{sp}){text}", found.name)
}

pub(super) fn pack(run: &Run, pack: usize, cards: &[ModelId], left: usize) {
    say!(
        "\nPack {} of {}: take {}.",
        pack + 1,
        run.book().packs(),
        match left {
            1 => "one card".to_owned(),
            left => format!("{left} cards, one after the other"),
        }
    );
    for (at, model) in cards.iter().enumerate() {
        say!("{:>3} {}", at + 1, card(run, *model));
    }
}

fn hearts(run: &Run) -> String {
    "♥".repeat(run.lives())
}

/// Who they are, in a line.
fn foe(foe: &RunFoe) -> String {
    let about = if foe.about.is_empty() {
        String::new()
    } else {
        format!(" {}", foe.about)
    };
    let rule = if foe.is_boss() {
        format!(" Boss: {}", foe.rule)
    } else {
        String::new()
    };
    format!("{}{about}{rule}", foe.name)
}

/// The whole way, with what was won and what is to come.
pub(super) fn standing(run: &Run) {
    let book = run.book();
    say!(
        "{} in the deck, {}, {} of {} won",
        count(run.deck().len(), "card"),
        hearts(run),
        run.step(),
        run.way().len()
    );
    for (at, (two, step)) in run.way().iter().zip(&book.steps).enumerate() {
        let mark = match at.cmp(&run.step()) {
            std::cmp::Ordering::Less => "won",
            std::cmp::Ordering::Equal => "now",
            std::cmp::Ordering::Greater => "",
        };
        let [one, other] = two.map(|at| foe(&book.foes[at]));
        say!("{:>4} {}. {}: {one} — or — {other}", mark, at + 1, step.place);
    }
    for charm in run.charms() {
        let charm = &book.charms[*charm];
        say!("Charm: {}. {}", charm.name, charm.about);
    }
}

pub(super) fn way(run: &Run) {
    let book = run.book();
    let step = &book.steps[run.step()];
    say!(
        "\n{} {} of {}: {}. {}",
        hearts(run),
        run.step() + 1,
        run.way().len(),
        step.place,
        step.about
    );
    for (at, found) in run.way()[run.step()].iter().enumerate() {
        say!("{:>3} {}", at + 1, foe(&book.foes[*found]));
    }
}

pub(super) fn deck(run: &Run) {
    say!("\nYour deck: {}", count(run.deck().len(), "card"));
    for (at, (model, copies)) in run.cards().into_iter().enumerate() {
        say!("{:>3} {copies} {}", at + 1, card(run, model));
    }
}

pub(super) fn rewards(run: &Run, offered: Option<ModelId>, charm: Option<usize>) {
    say!("\nChoose one:");
    if let Some(model) = offered {
        say!("  1 a card: {}", card(run, model));
    }
    if run.can_remove() {
        say!("  2 a card less: take one out of your deck");
    }
    if let Some(charm) = charm.map(|at| &run.book().charms[at]) {
        say!("  3 a charm: {}. {}", charm.name, charm.about);
    }
}

fn line(foe: &RunFoe, which: usize) {
    if !foe.lines[which].is_empty() {
        say!("{}: “{}”", foe.name, foe.lines[which]);
    }
}

pub(super) fn before(run: &Run, duel: &RunDuel) {
    let foe = &run.book().foes[duel.foe];
    say!("\nYou play against {} ({}).", foe.name, foe.deck_name);
    if foe.is_boss() {
        say!("{}", foe.rule);
    }
    line(foe, 0);
}

pub(super) fn after(run: &Run, duel: &RunDuel, won: bool) {
    let foe = &run.book().foes[duel.foe];
    line(foe, 2);
    match (won, run.lives()) {
        (true, _) => say!("You have beaten {}.", foe.name),
        (false, 0 | 1) => say!("That was your last life."),
        (false, _) => say!("That costs a life. The place is still before you."),
    }
}

pub(super) fn ending(run: &Run, won: bool) {
    let book = run.book();
    say!("\n{}", book.endings[usize::from(!won)]);
    say!("{}", run.result_line());
}
