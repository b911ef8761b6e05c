//! What is behind a seat's door: two people who have not agreed on a shuffle yet, or a table.

use std::sync::Arc;

use cw_duel::{Game, PerSeat, Seat};
use cw_players::SeatPolicy;
use cw_program::ModelId;
use cw_wire::{Agreeing, Agreement, PartRefused};

use crate::entry::DuelEntry;
use crate::secret::Secret;
use crate::table::{
    CannotBegin, ChanceOrigin, DuelStart, DuelTable, LoggedAct, PendingLog, Refused, Revealed, SeatSettings,
    TablePlace, models_of, name_of, number_of, seat_of,
};

/// What is behind a seat's door.
#[derive(Clone, Debug)]
pub enum SeatRoom {
    /// Two people who have not agreed on a shuffle yet.
    Gathering(Box<Gathering>),
    /// A duel.
    Playing(Box<DuelTable>),
}

impl SeatRoom {
    /// Names the pending question; every change makes it larger.
    pub fn number(&self) -> u64 {
        match self {
            SeatRoom::Gathering(gathering) => gathering.number(),
            SeatRoom::Playing(table) => table.number(),
        }
    }

    /// The duel, if it has begun.
    pub fn table(&self) -> Option<&DuelTable> {
        match self {
            SeatRoom::Gathering(_) => None,
            SeatRoom::Playing(table) => Some(table),
        }
    }

    /// The table, to be changed.
    pub fn playing(&mut self) -> Result<&mut DuelTable, Refused> {
        match self {
            SeatRoom::Gathering(_) => Err(Refused::NotBegun),
            SeatRoom::Playing(table) => Ok(table),
        }
    }

    /// How the duel began, or is to begin.
    pub fn start(&self) -> &DuelStart {
        match self {
            SeatRoom::Gathering(gathering) => &gathering.start,
            SeatRoom::Playing(table) => &table.start,
        }
    }

    /// Who sits where.
    pub fn seats(&self) -> &PerSeat<TablePlace> {
        match self {
            SeatRoom::Gathering(gathering) => &gathering.seats,
            SeatRoom::Playing(table) => &table.seats,
        }
    }

    /// Whether somebody is invited to this seat, and nobody has come.
    pub fn invites(&self, seat: Seat) -> bool {
        match self {
            SeatRoom::Gathering(gathering) => {
                gathering.start.invites == Some(seat.other()) && !gathering.has_come(seat)
            }
            SeatRoom::Playing(_) => false,
        }
    }

    /// The entries of the log since the last call: what a store does not have yet.
    pub fn take_fresh(&mut self) -> Vec<DuelEntry> {
        match self {
            SeatRoom::Gathering(gathering) => gathering.log.take_fresh(),
            SeatRoom::Playing(table) => table.take_fresh(),
        }
    }

    /// Whether anything was done here.
    pub fn is_touched(&self) -> bool {
        match self {
            SeatRoom::Gathering(gathering) => gathering.log.len() > 0,
            SeatRoom::Playing(table) => table.is_touched(),
        }
    }
}

/// Two people who are about to play. Each page commits to its part of the shuffle; when host and both pages
/// are bound, each reveals it, so that nobody can choose or know what comes (D70, D105).
#[derive(Clone, Debug)]
pub struct Gathering {
    /// How the duel is to begin.
    pub start: Arc<DuelStart>,
    /// Who sits where.
    pub seats: PerSeat<TablePlace>,
    /// The host's part, which nobody sees before the end.
    secret: Secret,
    agreeing: Agreeing,
    /// Seats where somebody has sat down, also before a beginning that came to nothing.
    came: PerSeat<bool>,
    /// Parts from a log in which pages did not commit first.
    old_parts: PerSeat<Option<String>>,
    /// Whose fault it was that it begins anew.
    spoilt_by: Option<Seat>,
    /// How often it began anew.
    spoilt: usize,
    log: PendingLog,
}

/// A deck that a seat has chosen when it sat down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenDeck {
    /// What it is called.
    pub name: String,
    /// Its cards.
    pub cards: Vec<ModelId>,
}

impl ChosenDeck {
    /// As the log keeps it: cards keep their ids when the game changes.
    fn written(&self, game: &Game) -> (String, Vec<String>) {
        let ids = self.cards.iter().map(|model| game.model(*model).id.to_string());
        (self.name.clone(), ids.collect())
    }

    fn read((name, ids): &(String, Vec<String>), game: &Game) -> Result<ChosenDeck, String> {
        Ok(ChosenDeck {
            name: name.clone(),
            cards: models_of(ids, game)?,
        })
    }
}

/// Puts the names of the decks with which somebody sat down, as the log has them, in the place of those that
/// were meant.
pub fn chosen_in(log: &[DuelEntry], names: &mut [String; 2]) {
    for entry in log {
        if let Ok(LoggedAct::SatDown {
            seat,
            deck: Some((name, _)),
            ..
        }) = serde_json::from_str(&entry.choice)
            && let Some(seat) = seat_of(seat)
        {
            names[seat.index()] = name;
        }
    }
}

/// How often a beginning may come to nothing.
const MOST_SPOILT: usize = 64;

impl Gathering {
    /// Two seats where nobody has sat down. `secret` is the host's part of the shuffle, `first` the number of
    /// the first question.
    pub fn new(start: Arc<DuelStart>, seats: PerSeat<TablePlace>, secret: Secret, first: u64) -> Gathering {
        Gathering {
            agreeing: Agreeing::new(secret.reveal()),
            start,
            seats,
            secret,
            came: PerSeat::default(),
            old_parts: PerSeat::default(),
            spoilt_by: None,
            spoilt: 0,
            log: PendingLog::new(first),
        }
    }

    /// Who is bound, and who has revealed.
    pub fn agreeing(&self) -> &Agreeing {
        &self.agreeing
    }

    /// Where its numbers begin.
    pub fn first_number(&self) -> u64 {
        self.log.first()
    }

    /// Every change makes it larger.
    pub fn number(&self) -> u64 {
        self.log.number()
    }

    /// Whether the seat has committed to its part.
    pub(crate) fn has_sat_down(&self, seat: Seat) -> bool {
        self.agreeing.commitment(seat).is_some()
    }

    /// Whether somebody has ever sat down there.
    pub fn has_come(&self, seat: Seat) -> bool {
        self.came[seat]
    }

    /// The seat whose part did not fit, if the last beginning came to nothing.
    pub(crate) fn spoilt_by(&self) -> Option<Seat> {
        self.spoilt_by
    }

    /// A seat commits to its part, and says who sits there.
    ///
    /// # Errors
    /// If it has done so already, or sends no commitment.
    pub fn sit_down(&mut self, seat: Seat, commitment: &str, name: &str) -> Result<(), Refused> {
        self.sit_down_with(seat, commitment, name, None)
    }

    /// As [`Gathering::sit_down`], with another deck than the one that was meant for the seat. It is part of
    /// what the seat commits to: nobody knows yet how it will be shuffled.
    pub fn sit_down_with(
        &mut self,
        seat: Seat,
        commitment: &str,
        name: &str,
        deck: Option<ChosenDeck>,
    ) -> Result<(), Refused> {
        if self
            .agreeing
            .commitment(seat)
            .is_some_and(|own| own != commitment)
        {
            return Err(Refused::Stale);
        }
        self.agreeing.commit(seat, commitment)?;
        self.came[seat] = true;
        let name = name_of(name).or_else(|| self.seats[seat].name.take());
        self.seats[seat].name.clone_from(&name);
        let written = deck.as_ref().map(|deck| deck.written(&self.start.game));
        if let Some(deck) = deck {
            let start = Arc::make_mut(&mut self.start);
            start.names[seat] = deck.name;
            start.decks[seat] = deck.cards;
        }
        let sat_down = LoggedAct::SatDown {
            seat: number_of(seat),
            nonce: String::new(),
            commitment: self.agreeing.commitment(seat).unwrap_or_default().to_owned(),
            name,
            deck: written,
        };
        self.log.enter(self.log.number(), &sat_down);
        Ok(())
    }

    /// A seat reveals its part. One that does not fit ends this beginning: everybody commits anew.
    ///
    /// # Errors
    /// If it is not the time for it.
    pub fn reveal(&mut self, seat: Seat, nonce: &str) -> Result<Revealed, Refused> {
        match self.agreeing.reveal(seat, nonce) {
            Ok(()) => {
                let reveals = LoggedAct::Reveals {
                    seat: number_of(seat),
                    nonce: Agreement::nonce(nonce),
                };
                self.log.enter(self.log.number(), &reveals);
                Ok(Revealed::Fits)
            }
            Err(PartRefused::DoesNotFit) if self.spoilt < MOST_SPOILT => {
                self.spoil(seat);
                Ok(Revealed::Spoilt)
            }
            Err(PartRefused::DoesNotFit) => Err(Refused::TooMuch),
            Err(fault) => Err(fault.into()),
        }
    }

    /// What was agreed on comes to nothing by the fault of a seat.
    fn spoil(&mut self, seat: Seat) {
        self.agreeing = Agreeing::new(self.secret.reveal());
        self.spoilt_by = Some(seat);
        self.spoilt += 1;
        let spoils = LoggedAct::Spoils {
            seat: number_of(seat),
        };
        self.log.enter(self.log.number(), &spoils);
    }

    /// A seat goes on with settings that it made elsewhere.
    pub fn take_settings(&mut self, seat: Seat, policy: &SeatPolicy) {
        if *policy == SeatPolicy::default() {
            return;
        }
        self.seats[seat].policy.clone_from(policy);
        let settled = LoggedAct::Settled {
            seat: number_of(seat),
            settings: SeatSettings::of(policy, &self.start.game),
        };
        self.log.enter(self.log.number(), &settled);
    }

    /// The table, with the log as it is, if both parts are there; `next_secret` is the host's part of the
    /// shuffle after this duel.
    pub fn begin(&self, next_secret: Secret) -> Option<Result<DuelTable, CannotBegin>> {
        let agreement = self.agreeing.agreement()?;
        let (start, seats) = (Arc::clone(&self.start), self.seats.clone());
        let table = DuelTable::set_up(
            start,
            seats,
            ChanceOrigin::Agreed(agreement),
            self.log.first(),
            next_secret,
        );
        Some(table.map(|mut table| {
            table.continue_log(self.log.clone());
            table
        }))
    }

    /// Does again what the store remembers until the duel begins; how many entries that is.
    ///
    /// # Errors
    /// If an entry makes no sense here: which, and why.
    pub fn redo(&mut self, log: &[DuelEntry]) -> Result<usize, String> {
        let mut done = 0;
        for entry in log {
            if self.agreeing.agreement().is_some() {
                break;
            }
            self.redo_one(entry)
                .map_err(|why| format!("entry {} of its log {why}", entry.number))?;
            done += 1;
        }
        self.log.take_fresh();
        Ok(done)
    }

    fn redo_one(&mut self, entry: &DuelEntry) -> Result<(), String> {
        let seat_of = |number: u8| seat_of(number).ok_or_else(|| "is of nobody".to_owned());
        let twice = |_| "comes twice".to_owned();
        match self.log.read(entry)? {
            // A duel that began before pages committed first has both parts at once.
            LoggedAct::SatDown {
                seat, nonce, name, ..
            } if !nonce.is_empty() => {
                let (seat, name) = (seat_of(seat)?, name.unwrap_or_default());
                let commitment = Agreement::commitment_to(&nonce);
                self.sit_down(seat, &commitment, &name).map_err(twice)?;
                self.old_parts[seat] = Some(nonce);
                if let [Some(one), Some(two)] = &self.old_parts.0 {
                    let parts = [(Seat::One, one), (Seat::Two, two)];
                    let fits = parts.map(|(seat, nonce)| self.agreeing.reveal(seat, nonce));
                    fits.into_iter()
                        .collect::<Result<(), _>>()
                        .map_err(|_| "does not fit")?;
                }
            }
            LoggedAct::SatDown {
                seat,
                commitment,
                name,
                deck,
                ..
            } => {
                let name = name.unwrap_or_default();
                let deck = deck
                    .map(|deck| ChosenDeck::read(&deck, &self.start.game))
                    .transpose()?;
                self.sit_down_with(seat_of(seat)?, &commitment, &name, deck)
                    .map_err(twice)?;
            }
            LoggedAct::Reveals { seat, nonce } => {
                let revealed = self.agreeing.reveal(seat_of(seat)?, &nonce);
                revealed.map_err(|_| "reveals what does not fit".to_owned())?;
                self.log
                    .enter(self.log.number(), &LoggedAct::Reveals { seat, nonce });
            }
            LoggedAct::Spoils { seat } => self.spoil(seat_of(seat)?),
            LoggedAct::Settled { seat, settings } => {
                let policy = settings.policy(&self.start.game);
                self.take_settings(seat_of(seat)?, &policy);
            }
            LoggedAct::Moved { .. }
            | LoggedAct::TookBack { .. }
            | LoggedAct::AsksBack { .. }
            | LoggedAct::LetsBack { .. }
            | LoggedAct::PlaysOn { .. }
            | LoggedAct::OffersDraw { .. }
            | LoggedAct::NoRematch { .. }
            | LoggedAct::PutAway { .. }
            | LoggedAct::WantsRematch { .. } => return Err("comes before the duel begins".to_owned()),
        }
        Ok(())
    }
}

impl From<PartRefused> for Refused {
    fn from(fault: PartRefused) -> Refused {
        match fault {
            PartRefused::NoCommitment => Refused::NoCommitment,
            PartRefused::Twice => Refused::Repeated,
            PartRefused::TooEarly => Refused::NotBound,
            PartRefused::DoesNotFit => Refused::DoesNotFit,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cw_duel::{Game, PerSeat, Seat};
    use cw_faces::Catalogue;
    use cw_wire::Agreement;

    use super::Gathering;
    use crate::entry::DuelEntry;
    use crate::secret::Secret;
    use crate::table::{DuelStart, Revealed, SeatPlayer, TablePlace};

    fn start() -> Arc<DuelStart> {
        let game = Arc::new(Game::default());
        Arc::new(DuelStart {
            catalogue: Arc::new(Catalogue::blank(&game)),
            game,
            decks: PerSeat::default(),
            names: PerSeat::default(),
            who: PerSeat([SeatPlayer::Person; 2]),
            seed: None,
            first: None,
            allow_illegal_decks: true,
            stage: None,
            invites: None,
            opponent: None,
        })
    }

    /// Every text of 64 hexadecimal digits in what the host was given to keep.
    fn digits_in(entries: &[DuelEntry]) -> Vec<String> {
        let texts = entries.iter().flat_map(|entry| entry.choice.split('"'));
        let long = |text: &&str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        texts.filter(long).map(ToOwned::to_owned).collect()
    }

    /// Where a seed would lead: one of sixteen hands.
    const HANDS: usize = 16;

    fn hand(agreement: &Agreement) -> usize {
        usize::from(agreement.seed().0[0]) % HANDS
    }

    /// D105, the attack: whoever runs the host sits at one seat, knows the host's secret and reads all that
    /// the friend's page sends, before its own part is bound and again before it reveals; out of 64 parts it
    /// takes the one that would deal the hand it wants. It does no better than chance, over 10,000 duels.
    #[test]
    fn a_host_that_reads_everything_cannot_choose_the_shuffle() {
        let start = start();
        let mut dealt = [0u32; HANDS];
        let mut made = 0u64;
        // A stream of bits without a pattern, by its place in it.
        let mut fresh = || {
            made += 1;
            Secret::of([9; 32]).child(&made.to_string())
        };
        for _ in 0..10_000 {
            let secret = fresh();
            let seats = PerSeat::from_fn(|_| TablePlace::new(SeatPlayer::Person, fresh()));
            let mut gathering = Gathering::new(Arc::clone(&start), seats, secret.clone(), 1);
            let friend = fresh().reveal();
            let bound = Agreement::commitment_to(&friend);
            gathering.sit_down(Seat::Two, &bound, "Ann").unwrap();
            let read = digits_in(&gathering.log.take_fresh());
            assert!(!read.is_empty(), "the host has something to read");
            let would = |own: &str, other: &str| Agreement {
                secret: secret.reveal(),
                nonces: [own.to_owned(), other.to_owned()],
            };
            let parts: Vec<String> = (0..64).map(|_| fresh().reveal()).collect();
            // Whatever it was sent may be the friend's part, for all it knows.
            let wanted = parts
                .iter()
                .find(|own| read.iter().any(|other| hand(&would(own, other)) == 0));
            let own = wanted.unwrap_or(&parts[0]).clone();
            let other_part = parts.iter().find(|part| **part != own).unwrap();
            gathering
                .sit_down(Seat::One, &Agreement::commitment_to(&own), "Bo")
                .unwrap();
            assert_eq!(gathering.reveal(Seat::Two, &friend), Ok(Revealed::Fits));
            // Now it knows everything; another part than its own does not count.
            let mut forged = gathering.clone();
            assert_eq!(forged.reveal(Seat::One, other_part), Ok(Revealed::Spoilt));
            assert!(forged.begin(fresh()).is_none() && forged.agreeing().agreement().is_none());
            assert_eq!(gathering.reveal(Seat::One, &own), Ok(Revealed::Fits));
            dealt[hand(&gathering.agreeing().agreement().unwrap())] += 1;
        }
        let expected = 10_000.0 / HANDS as f64;
        let chi: f64 = dealt
            .iter()
            .map(|count| f64::from(*count) - expected)
            .map(|off| off * off / expected)
            .sum();
        // Fifteen degrees of freedom: chance alone exceeds 58 once in a million times.
        assert!(chi < 58.0, "χ² = {chi:.1}: {dealt:?}");
    }
}
