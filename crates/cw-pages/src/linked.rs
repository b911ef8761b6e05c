//! What a link means at the tables of a package, and which link stands for what a table shows.

use std::sync::Arc;

use cw_duel::{PerSeat, Seat};
use cw_load::RuleTwist;
use cw_run::{Run, RunBook};
use cw_wire::{
    GameLink, LINK_MARK, LinkContent, LinkRefused, LinkedDeck, LinkedGame, SharedDeck, SharedDuel,
    SharedStart, TimelineAct,
};

use crate::labels;
use crate::package::DuelPackage;
use crate::room::ChosenDeck;
use crate::stage::ScenarioStage;
use crate::table::{DuelStart, DuelTable, SeatPlayer};

/// What a link opens.
#[derive(Clone, Debug)]
pub enum LinkedThing {
    /// A duel at a moment.
    Duel(Box<LinkedDuel>),
    /// A lesson, a puzzle or a position.
    Stage(Arc<ScenarioStage>),
    /// A deck to play with.
    Deck(ChosenDeck),
    /// A run that goes on.
    Run(Box<LinkedRun>),
}

/// A run that a link opens.
#[derive(Clone, Debug)]
pub struct LinkedRun {
    /// As it stands.
    pub run: Run,
    /// The run of the same seed that would be lost if it was opened; whoever opens the link looks for it.
    pub replaces: Option<Run>,
}

/// A duel that a link opens.
#[derive(Clone, Debug)]
pub struct LinkedDuel {
    /// How it began.
    pub start: DuelStart,
    /// Every step, and whether nobody was asked for it.
    pub steps: Vec<(TimelineAct, bool)>,
    /// Through whose eyes it is shown.
    pub seat: Seat,
    /// The step at which it is opened.
    pub at: usize,
    /// Whether it is played on from there.
    pub plays_on: bool,
}

/// What a link means in this package.
///
/// # Errors
/// With a sentence, if it is for another game, or cannot be opened in this one.
pub fn meaning(link: GameLink, package: &DuelPackage) -> Result<LinkedThing, LinkRefused> {
    let game = &package.game;
    let own = LinkedGame::of(game);
    match link.what {
        LinkContent::Duel(duel) => {
            link.game.must_play_alike(&own)?;
            Ok(LinkedThing::Duel(Box::new(duel_of(*duel, package)?)))
        }
        LinkContent::Stage(name) => {
            link.game.must_be(&own)?;
            let found = package.shelf.iter().find(|stage| stage.name() == name);
            let found = found.cloned().ok_or(LinkRefused::UnknownStage(name))?;
            Ok(LinkedThing::Stage(found))
        }
        LinkContent::Scenario { text, index } => {
            link.game.must_be(&own)?;
            let stages = ScenarioStage::read(&text, game);
            let stages = stages.map_err(|fault| LinkRefused::Unreadable(fault.message))?;
            let found = stages.get(index).cloned();
            Ok(LinkedThing::Stage(found.ok_or(LinkRefused::NoLink)?))
        }
        LinkContent::Deck(deck) => {
            link.game.must_be(&own)?;
            let cards = deck.cards(game)?;
            Ok(LinkedThing::Deck(ChosenDeck {
                name: deck.name,
                cards,
            }))
        }
        LinkContent::Run(record) => {
            link.game.must_play_alike(&own)?;
            Ok(LinkedThing::Run(Box::new(LinkedRun {
                run: run_of(&record, package)?,
                replaces: None,
            })))
        }
        LinkContent::Package(_) => Err(LinkRefused::OtherGame {
            linked: link.game.name,
            own: game.name.clone(),
        }),
    }
}

fn run_of(record: &str, package: &DuelPackage) -> Result<Run, LinkRefused> {
    let unreadable = |why: &dyn std::fmt::Display| LinkRefused::Unreadable(why.to_string());
    let loaded = package.loaded.as_deref();
    let loaded = loaded.ok_or_else(|| unreadable(&cw_run::NoRun::NoGame))?;
    let book = RunBook::of(loaded).map_err(|why| unreadable(&why))?;
    Run::read(Arc::new(book), record).map_err(|why| unreadable(&why))
}

fn duel_of(duel: SharedDuel, package: &DuelPackage) -> Result<LinkedDuel, LinkRefused> {
    let twist = duel.start.twist.parse::<RuleTwist>();
    let twist = twist.map_err(|why| LinkRefused::Unreadable(why.to_string()))?;
    let game = match twist.is_empty() {
        true => Arc::clone(&package.game),
        false => Arc::new(twist.of_game(&package.game)),
    };
    let opened = duel.play(&game, &package.lists)?;
    let (seat, start) = (duel.seat, duel.start);
    let played = |of: Seat| SeatPlayer::try_from(start.who[of].clone()).unwrap_or(SeatPlayer::COMPUTER);
    let who = PerSeat::from_fn(|of| match (duel.plays_on, of == seat) {
        (true, true) => SeatPlayer::Person,
        (true, false) => SeatPlayer::COMPUTER,
        (false, true) => SeatPlayer::Person,
        (false, false) => played(of),
    });
    Ok(LinkedDuel {
        start: DuelStart {
            game,
            catalogue: Arc::clone(&package.catalogue),
            decks: opened.decks,
            names: start.names,
            who,
            seed: Some(start.seed),
            first: start.first,
            allow_illegal_decks: start.illegal_decks,
            stage: None,
            invites: None,
            opponent: None,
        },
        steps: opened.steps,
        seat,
        at: duel.at,
        plays_on: duel.plays_on,
    })
}

/// Something that is ready to be shared: a line for people, and the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedText {
    /// What it is, where there are several.
    pub heading: &'static str,
    /// What is pasted: the line, and the link below it.
    pub text: String,
}

/// The link for a reader: of the static page where there is one, else what a terminal takes.
pub fn linked_text(words: &str, letters: &str, page: Option<&str>) -> String {
    match page {
        Some(page) => {
            let page = page.split('#').next().unwrap_or_default();
            format!("{words}\n{page}{LINK_MARK}{letters}")
        }
        None => format!("{words}\ncardwright open {letters}"),
    }
}

/// What a seat of this table may share at a step: its lesson or puzzle; of a duel that is over the moment, to
/// be watched or played on from. Before the end a link would show both hands.
///
/// # Errors
/// If there is nothing to share yet, or it has no room in a link.
pub fn of_table(
    table: &DuelTable,
    seat: Seat,
    at: usize,
    package: &DuelPackage,
    page: Option<&str>,
) -> Result<Vec<SharedText>, LinkRefused> {
    let game = LinkedGame::of(&package.game);
    let named = |heading, words: String, what| -> Result<SharedText, LinkRefused> {
        let letters = GameLink {
            game: game.clone(),
            what,
        }
        .write()?;
        Ok(SharedText {
            heading,
            text: linked_text(&words, &letters, page),
        })
    };
    if let Some(stage) = &table.start.stage {
        let words = labels::share_stage(&game.name, stage.name(), stage.goal(), stage.is_lesson());
        let is_known = package.shelf.iter().any(|known| known.name() == stage.name());
        let what = match is_known {
            true => LinkContent::Stage(stage.name().to_owned()),
            false => LinkContent::Scenario {
                text: stage.text.to_string(),
                index: stage.index,
            },
        };
        return Ok(vec![named(labels::SHARE_STAGE, words, what)?]);
    }
    if !table.is_over() {
        return Err(LinkRefused::Unreadable(labels::NOT_SHARED_YET.to_owned()));
    }
    if table.is_carried() {
        return Err(LinkRefused::Unreadable(labels::RULES_CHANGED.to_owned()));
    }
    let names = &table.start.names;
    let pair = labels::decks(
        &labels::quoted(&names[seat]),
        &labels::quoted(&names[seat.other()]),
    );
    let duel = |at, plays_on| -> Result<LinkContent, LinkRefused> {
        let shared = table.shared(seat, at, plays_on, &package.lists)?;
        Ok(LinkContent::Duel(Box::new(shared)))
    };
    let turn = table.turn_at(at);
    if at == 0 || at >= table.last() {
        let whole = labels::share_duel(&game.name, &pair, table.duel().turn());
        // From its beginning: the end would be told at once.
        return Ok(vec![named(labels::SHARE_DUEL, whole, duel(0, false)?)?]);
    }
    Ok(vec![
        named(
            labels::SHARE_MOMENT,
            labels::share_moment(&game.name, &pair, turn),
            duel(at, false)?,
        )?,
        named(
            labels::SHARE_POSITION,
            labels::share_position(&game.name, &pair, turn),
            duel(at, true)?,
        )?,
    ])
}

/// What stands for a deck of the package.
///
/// # Errors
/// If it has no room in a link.
pub fn of_deck(
    name: &str,
    cards: &[cw_program::ModelId],
    package: &DuelPackage,
    page: Option<&str>,
) -> Result<SharedText, LinkRefused> {
    let game = LinkedGame::of(&package.game);
    let words = labels::share_deck(&game.name, name);
    let what = LinkContent::Deck(SharedDeck::of(name, cards, &package.game));
    let letters = GameLink { game, what }.write()?;
    Ok(SharedText {
        heading: labels::SHARE_DECK,
        text: linked_text(&words, &letters, page),
    })
}

/// What stands for a run: how far it has come, told without whom or what it met.
///
/// # Errors
/// If it has no room in a link.
pub fn of_run(run: &Run, package: &DuelPackage, page: Option<&str>) -> Result<SharedText, LinkRefused> {
    let game = LinkedGame::of(&package.game);
    let what = LinkContent::Run(run.record());
    let letters = GameLink { game, what }.write()?;
    let words = labels::share_run(&run.result_line(), run.is_over());
    Ok(SharedText {
        heading: labels::SHARE_RUN,
        text: linked_text(&words, &letters, page),
    })
}

impl DuelTable {
    /// This duel in a link, opened at a step.
    ///
    /// # Errors
    /// If it has no room there.
    pub(crate) fn shared(
        &self,
        seat: Seat,
        at: usize,
        plays_on: bool,
        known: &[Vec<cw_program::ModelId>],
    ) -> Result<SharedDuel, LinkRefused> {
        let start = &self.start;
        let shared = SharedStart {
            seed: self.origin.seed(),
            first: start.first,
            illegal_decks: start.allow_illegal_decks,
            twist: RuleTwist::in_fingerprint(&start.game.fingerprint)
                .unwrap_or_default()
                .to_owned(),
            decks: PerSeat::from_fn(|of| LinkedDeck::of(&start.decks[of], &start.game, known)),
            names: start.names.clone(),
            who: PerSeat::from_fn(|of| String::from(start.who[of])),
        };
        SharedDuel::of(shared, self.timeline(), seat, at, plays_on)
    }
}
