//! What a package has for its runs.

use std::sync::Arc;

use cw_duel::Game;
use cw_load::{FoeConfig, Loaded, Mention, StepConfig};
use cw_octgn::{Booster, CardRef, OpenedBooster, Opener, PackChance, PoolCard, Ratings};
use cw_program::ModelId;

use crate::defaults;
use crate::way::{RunCharm, RunFoe, RunStep};

/// What a package has for its runs: cards to begin with, packs, the places on the way, whom one meets,
/// charms.
#[derive(Debug)]
pub struct RunBook {
    /// The game that is played.
    pub game: Arc<Game>,
    /// What the run is called.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// What is said at the end of a run that was won, and of one that was lost.
    pub endings: [String; 2],
    /// Cards that are drafted.
    pub picks: usize,
    /// Duels that may be lost.
    pub lives: usize,
    /// The cards that everybody begins with.
    pub starter: Vec<ModelId>,
    /// The places on the way, in order.
    pub steps: Vec<RunStep>,
    /// Whom one may meet.
    pub foes: Vec<RunFoe>,
    /// What one may find.
    pub charms: Vec<RunCharm>,
    pub(crate) packs: RunPacks,
    /// By model: how good it is held to be.
    ratings: Vec<i64>,
}

/// Where the cards of a run come from.
#[derive(Debug)]
pub(crate) enum RunPacks {
    /// Packs of the package; for each the models of its pool.
    Boosters(Vec<(Booster, Vec<Option<ModelId>>)>),
    /// So many handfuls of the cards of the game, where it has no packs.
    Cards(Vec<ModelId>, usize),
}

/// Cards of a pack, where the game has none of its own.
const HANDFUL: usize = 12;

/// Why a package has no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRun {
    /// It cannot be played at all.
    #[error(
        "this package has no rules that the program knows, so it has no duels; `cardwright check` says more"
    )]
    NoGame,
    /// Nobody could be met.
    #[error("a run needs two decks that can be played; this package has {0}")]
    FewDecks(usize),
    /// Nothing could be drafted.
    #[error("a run needs cards that can be played, and packs that hold some")]
    NoCards,
    /// Its file has mistakes.
    #[error("`Rules/run.toml` has mistakes; `cardwright check` shows them")]
    Mistakes,
}

impl RunBook {
    /// What a package has for its runs: what its `Rules/run.toml` says, and the rest by default.
    ///
    /// # Errors
    /// Why it has no runs.
    pub fn of(loaded: &Loaded) -> Result<RunBook, NoRun> {
        let game = loaded.game.clone().ok_or(NoRun::NoGame)?;
        let (project, config) = (&loaded.project, &loaded.project.run);
        if !project.run_mistakes().is_empty() {
            return Err(NoRun::Mistakes);
        }
        let decks: Vec<(&str, &[ModelId])> = loaded
            .decks
            .iter()
            .filter(|deck| is_playable(&game, &deck.cards))
            .map(|deck| (&*deck.name, &*deck.cards))
            .collect();
        if decks.len() < 2 {
            return Err(NoRun::FewDecks(decks.len()));
        }
        let packs = packs(loaded, &game)?;
        let starter = match config.starter.is_empty() {
            true => defaults::starter(decks[0].1),
            false => starter(loaded, &config.starter),
        };
        let mut foes: Vec<RunFoe> = config.foes.iter().map(|foe| of_package(foe, &decks)).collect();
        let mut steps: Vec<RunStep> = config.steps.iter().map(|step| place(step, &foes)).collect();
        if foes.is_empty() {
            foes = defaults::foes(loaded, &decks);
        }
        if steps.is_empty() {
            steps = defaults::steps(&game, &mut foes);
        }
        let many = steps.len();
        for (at, step) in steps.iter_mut().enumerate() {
            step.level = defaults::level(at, many);
            if step.foes.is_empty() {
                step.foes = (0..foes.len()).collect();
            }
        }
        let charms = match config.charms.is_empty() {
            true => defaults::charms(&game),
            false => config.charms.iter().map(charm).collect(),
        };
        let or = |text: &str, default: &str| match text.is_empty() {
            true => default.to_owned(),
            false => text.to_owned(),
        };
        let number = |number: Option<u32>, default: usize| {
            number.map_or(default, |number| usize::try_from(number).unwrap_or(default))
        };
        Ok(RunBook {
            name: or(&config.name, "A run"),
            about: or(&config.about, defaults::ABOUT),
            endings: [
                or(&config.endings[0], "You have beaten them all."),
                or(&config.endings[1], "Your run ends here."),
            ],
            picks: number(config.picks, 15),
            lives: number(config.lives, 3),
            starter,
            steps,
            foes,
            charms,
            ratings: ratings(loaded, &game, &packs),
            packs,
            game,
        })
    }

    /// How good a card is held to be: what the game's figures say, else what is printed.
    pub fn rating(&self, card: ModelId) -> i64 {
        self.ratings.get(usize::from(card.0)).copied().unwrap_or(0)
    }

    /// How many packs are opened.
    pub fn packs(&self) -> usize {
        match &self.packs {
            RunPacks::Boosters(packs) => packs.len(),
            RunPacks::Cards(_, many) => *many,
        }
    }

    /// Opens a pack, one of those for the draft. Cards that come in any number (P113) are left out: a run
    /// counts its cards.
    pub(crate) fn open(&self, at: usize, mut chance: PackChance) -> Vec<ModelId> {
        match &self.packs {
            RunPacks::Boosters(packs) => {
                let Some((booster, models)) = packs.get(at) else {
                    return Vec::new();
                };
                let mut opened = OpenedBooster::default();
                Opener::new(booster).open(&mut chance, &mut opened);
                let cards = opened.limited.iter();
                cards.filter_map(|drawn| models[drawn.entry as usize]).collect()
            }
            RunPacks::Cards(cards, _) => {
                let mut cards = cards.clone();
                chance.shuffle(&mut cards);
                cards.truncate(HANDFUL);
                cards
            }
        }
    }
}

fn is_playable(game: &Game, deck: &[ModelId]) -> bool {
    !deck.is_empty()
        && deck.len() * 2 <= cw_duel::MAX_CARDS
        && deck.iter().all(|card| game.model(*card).card_type.is_some())
}

fn packs(loaded: &Loaded, game: &Game) -> Result<RunPacks, NoRun> {
    let (project, package) = (&loaded.project, &loaded.project.package);
    // A pack of a hidden set is opened where it is named (P80, P110), and not by itself.
    let places = |hidden: bool| {
        let sets = package.sets.iter().enumerate();
        let sets = sets.filter(move |(_, set)| hidden || !set.hidden);
        sets.flat_map(|(at, set)| {
            set.packs
                .iter()
                .enumerate()
                .map(move |(pack, found)| (at, pack, found))
        })
    };
    let named = |one: &Mention| {
        let is_it = |name: &str| name.eq_ignore_ascii_case(&one.name);
        let found = places(true).find(|(_, _, pack)| is_it(&pack.name) || is_it(&pack.id.value.to_string()));
        found.map(|(set, pack, _)| (set, pack))
    };
    let playable = |card: CardRef| {
        let model = *project.numbers().get(&card)?;
        game.model(model).card_type.is_some().then_some(model)
    };
    let wanted: Vec<(usize, usize)> = match project.run.packs.is_empty() {
        false => project.run.packs.iter().filter_map(named).collect(),
        true => {
            let first = places(false).next().map(|(set, pack, _)| (set, pack));
            first.map_or_else(Vec::new, |first| vec![first; 3])
        }
    };
    let boosters = wanted.into_iter().map(|(set, pack)| {
        let booster = Booster::new(package, set, pack);
        let models = booster.pool.iter().map(|entry| playable(entry.card)).collect();
        (booster, models)
    });
    let boosters: Vec<(Booster, Vec<Option<ModelId>>)> = boosters.collect();
    if boosters
        .iter()
        .any(|(_, models)| models.iter().any(Option::is_some))
    {
        return Ok(RunPacks::Boosters(boosters));
    }
    let cards = package.cards().filter(|(card, _)| !package.set_of(*card).hidden);
    let mut cards: Vec<ModelId> = cards.filter_map(|(card, _)| playable(card)).collect();
    cards.sort_unstable();
    cards.dedup();
    match cards.is_empty() {
        true => Err(NoRun::NoCards),
        false => Ok(RunPacks::Cards(cards, 3)),
    }
}

fn ratings(loaded: &Loaded, game: &Game, packs: &RunPacks) -> Vec<i64> {
    let project = &loaded.project;
    let printed = match packs {
        RunPacks::Boosters(packs) => {
            let boosters: Vec<Booster> = packs.iter().map(|(booster, _)| booster.clone()).collect();
            Ratings::new(&project.package, &boosters, None)
        }
        RunPacks::Cards(cards, _) => {
            let cards: Vec<CardRef> = cards
                .iter()
                .map(|card| project.refs()[usize::from(card.0)])
                .collect();
            Ratings::of_cards(&project.package, &cards, None)
        }
    };
    // Figures that cannot be read are said by whoever drafts with them; a run goes by what is printed then.
    let ratings = project.draft_ratings(printed.clone()).unwrap_or(printed);
    let cards = game.models.iter().enumerate();
    cards.map(|(at, _)| ratings.of(project.refs()[at])).collect()
}

fn starter(loaded: &Loaded, cards: &[(Mention, u32)]) -> Vec<ModelId> {
    let Some(game) = &loaded.game else {
        return Vec::new();
    };
    let copies = cards.iter().filter_map(|(card, copies)| {
        let model = game.find(&card.name)?;
        Some(std::iter::repeat_n(model, usize::try_from(*copies).unwrap_or(1)))
    });
    copies.flatten().collect()
}

fn of_package(foe: &FoeConfig, decks: &[(&str, &[ModelId])]) -> RunFoe {
    let wanted = foe.deck.as_ref().map_or("", |deck| &*deck.name);
    let deck = decks.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let (name, cards) = deck.copied().unwrap_or(decks[0]);
    RunFoe {
        name: foe.name.clone(),
        card: foe
            .card
            .as_ref()
            .map(|card| card.name.clone())
            .unwrap_or_default(),
        deck_name: name.to_owned(),
        deck: cards.to_vec(),
        level: foe.level.clone(),
        about: foe.about.clone(),
        lines: foe.lines.clone(),
        rule: foe.rule.clone(),
        twist: foe.twist.clone(),
    }
}

fn place(step: &StepConfig, foes: &[RunFoe]) -> RunStep {
    let named = |one: &Mention| {
        foes.iter()
            .position(|foe| foe.name.eq_ignore_ascii_case(&one.name))
    };
    RunStep {
        place: step.place.clone(),
        about: step.about.clone(),
        foes: step.foes.iter().filter_map(named).collect(),
        survive: step.survive,
        twist: step.twist.clone(),
        level: "",
    }
}

fn charm(charm: &cw_load::CharmConfig) -> RunCharm {
    RunCharm {
        name: charm.name.clone(),
        about: charm.about.clone(),
        twist: charm.twist.clone(),
    }
}

/// A card as pages of packs show it.
impl RunBook {
    /// The card of the package that a model is.
    pub fn card_of(loaded: &Loaded, model: ModelId) -> PoolCard {
        PoolCard::plain(loaded.project.refs()[usize::from(model.0)])
    }
}
