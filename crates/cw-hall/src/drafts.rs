//! Drafts of a host: their seats, who is there, whose turn runs out.
//!
//! A draft is a text in the store. A pick changes a copy, the copy is stored, then it takes the place of what
//! was there and whoever follows the draft is woken: what was shown is kept, and what cannot be kept never
//! was. A person who is gone for long, while somebody else is there, is stood in for by a computer; the place
//! is theirs again as soon as they are back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_draft::{DraftAct, DraftPlayer, DraftRefused};
use cw_duel::Seat;
use cw_load::Loaded;
use cw_octgn::PoolCard;
use cw_pages::drafts::{CannotDraft, KeptDraft, KeptMatch, OpenedDraft};
use cw_pages::presence::Presence;
use cw_pages::secret::Secret;

use crate::bell::Bell;
use crate::clock::Moment;
use crate::duels::{DuelHall, HostedDuel};
use crate::lock::locked;
use crate::presence::{Attendance, Present};
use crate::quota::Quota;
use crate::runtime::Tasks;
use crate::store::StoreError;

/// Who has been gone for so long, while others are there, is stood in for.
pub const PATIENCE: Duration = Duration::from_secs(45);

/// The drafts that somebody has opened since the program started, by their names.
#[derive(Debug, Default)]
pub struct DraftRooms(Mutex<BTreeMap<String, Arc<DraftRoom>>>);

/// A draft that several requests share.
#[derive(Debug)]
pub struct DraftRoom {
    /// Its name.
    pub id: String,
    now: Mutex<Arc<OpenedDraft>>,
    /// One change at a time.
    writer: Mutex<()>,
    /// Rings at each change.
    pub changed: Arc<Bell>,
    /// What each seat uses up.
    pub quotas: Vec<Arc<Quota>>,
    /// Who is there.
    pub presence: Arc<Attendance<usize>>,
    /// By seat, the pick that is waited for and when its time is over.
    due: Mutex<Vec<Option<(usize, Moment)>>>,
    /// By seat, the pick after one that a computer has made because the time was over, and what it took.
    late: Mutex<Vec<Option<(usize, PoolCard)>>>,
}

/// Why something cannot be done in a draft.
#[derive(Debug, thiserror::Error)]
pub enum DraftFault {
    /// The draft says no.
    #[error(transparent)]
    Refused(#[from] DraftRefused),
    /// There is no such draft.
    #[error(transparent)]
    Cannot(#[from] CannotDraft),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The host's package has no rules and no packs.
    #[error("nothing can be drafted with this package")]
    NoPackage,
    /// They are at the table.
    #[error("they are at the table")]
    IsHere,
    /// Somebody else sits there.
    #[error("somebody has already used this invitation")]
    Taken,
    /// Somebody's own deck is not legal: their page says why.
    #[error("your deck cannot be played yet")]
    NotLegal,
    /// A duel cannot begin, for this reason.
    #[error("{0}")]
    NoDuel(String),
    /// Somebody has forgotten it meanwhile.
    #[error("this draft has been forgotten")]
    Forgotten,
}

impl DraftRoom {
    fn new(id: String, opened: OpenedDraft, tasks: Tasks) -> DraftRoom {
        let seats = opened.kept.seats.len();
        DraftRoom {
            id,
            now: Mutex::new(Arc::new(opened)),
            writer: Mutex::default(),
            changed: Arc::default(),
            quotas: (0..seats).map(|_| Arc::default()).collect(),
            presence: Arc::new(Attendance::new(tasks)),
            due: Mutex::new(vec![None; seats]),
            late: Mutex::new(vec![None; seats]),
        }
    }

    /// The draft as it stands.
    pub fn now(&self) -> Arc<OpenedDraft> {
        Arc::clone(&locked(&self.now))
    }

    /// Seconds that a seat has left for its pick, where there is a timer.
    pub fn seconds_left(&self, seat: usize) -> Option<u64> {
        let (_, until) = (*locked(&self.due).get(seat)?)?;
        // A second that has begun is one that is left: nothing is left when the time is over.
        let left = until.since(Moment::now());
        Some(left.as_secs() + u64::from(left.subsec_nanos() > 0))
    }

    /// What a computer has taken for a seat whose time was over, until the seat's next pick.
    pub fn taken_late(&self, seat: usize) -> Option<PoolCard> {
        let (next, card) = (*locked(&self.late).get(seat)?)?;
        let now = self.now();
        (now.record.draft().pool(seat).cards.len() == next).then_some(card)
    }
}

/// One page that follows a draft.
pub struct DraftPresent {
    hall: Arc<DuelHall>,
    room: Arc<DraftRoom>,
    seat: usize,
    _present: Present<usize>,
}

impl std::fmt::Debug for DraftPresent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DraftPresent")
            .field("seat", &self.seat)
            .finish_non_exhaustive()
    }
}

impl Drop for DraftPresent {
    fn drop(&mut self) {
        let (hall, room, seat) = (Arc::clone(&self.hall), Arc::clone(&self.room), self.seat);
        self.hall.tasks.spawn(async move {
            hall.tasks.sleep(PATIENCE).await;
            let others = hall.tasks.work({
                let (hall, room) = (Arc::clone(&hall), Arc::clone(&room));
                move || hall.stand_in_for_the_lost(&room, seat)
            });
            let _ = others.await;
        });
    }
}

impl DuelHall {
    fn loaded(&self) -> Result<Arc<Loaded>, DraftFault> {
        let loaded = self.setting.package.now().loaded.clone();
        loaded.ok_or(DraftFault::NoPackage)
    }

    /// Under which names the store keeps the drafts of this game.
    fn drafts_prefix(&self) -> Result<String, DraftFault> {
        Ok(format!(
            "draft {} ",
            self.loaded()?.project.package.definition.id.value
        ))
    }

    fn keep_draft(&self, id: &str, kept: &KeptDraft) -> Result<(), DraftFault> {
        let text = serde_json::to_string(kept).unwrap_or_default();
        let name = format!("{}{id}", self.drafts_prefix()?);
        Ok(self.setting.store.keep_text(&name, Some(&text))?)
    }

    /// Proves that a browser sits at a seat of a draft.
    pub fn draft_secret(&self, draft: &str, seat: usize) -> Secret {
        self.keys.draft_seat(draft, seat)
    }

    /// The drafts of this game, the newest first. What cannot be read is left where it is.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn drafts(&self) -> Result<Vec<(String, KeptDraft)>, DraftFault> {
        let prefix = self.drafts_prefix()?;
        let texts = self.setting.store.kept_texts(&prefix)?;
        let read = |(key, text): (String, String)| {
            Some((
                key.strip_prefix(&prefix)?.to_owned(),
                serde_json::from_str(&text).ok()?,
            ))
        };
        let mut drafts: Vec<(String, KeptDraft)> = texts.into_iter().filter_map(read).collect();
        drafts.sort_by_key(|(_, draft)| std::cmp::Reverse(draft.order));
        Ok(drafts)
    }

    /// Begins a draft; its name.
    ///
    /// # Errors
    /// If there is no such draft in this game, or it cannot be kept.
    pub fn begin_draft(self: &Arc<DuelHall>, mut kept: KeptDraft) -> Result<String, DraftFault> {
        let loaded = self.loaded()?;
        let project = &loaded.project;
        let last = self.drafts()?.first().map_or(0, |(_, draft)| draft.order);
        kept.order = last + 1;
        let mut opened = kept.open(project)?;
        opened.settle(&project.most_in_draft());
        let id: String = (self.setting.chance)().public().chars().take(12).collect();
        self.keep_draft(&id, &opened.kept)?;
        let room = Arc::new(DraftRoom::new(id.clone(), opened, self.tasks.clone()));
        locked(&self.drafts.0).insert(id.clone(), Arc::clone(&room));
        self.watch_the_time(&room);
        Ok(id)
    }

    /// A draft by its name, read from the store if nobody has asked for it yet.
    ///
    /// # Errors
    /// If it cannot be read, or does not fit the game any more.
    pub fn draft_room(self: &Arc<DuelHall>, id: &str) -> Result<Option<Arc<DraftRoom>>, DraftFault> {
        if let Some(room) = locked(&self.drafts.0).get(id) {
            return Ok(Some(Arc::clone(room)));
        }
        let name = format!("{}{id}", self.drafts_prefix()?);
        let Some(text) = self.setting.store.kept_texts(&name)?.remove(&name) else {
            return Ok(None);
        };
        let kept: KeptDraft =
            serde_json::from_str(&text).map_err(|fault| CannotDraft::Changed(fault.to_string()))?;
        let opened = kept.open(&self.loaded()?.project)?;
        let fresh = Arc::new(DraftRoom::new(id.to_owned(), opened, self.tasks.clone()));
        let mut rooms = locked(&self.drafts.0);
        // Somebody may have forgotten it while it was read.
        if !self.setting.store.kept_texts(&name)?.contains_key(&name) {
            return Ok(None);
        }
        // Of two that came at once there is one room.
        let room = Arc::clone(rooms.entry(id.to_owned()).or_insert(fresh));
        drop(rooms);
        self.watch_the_time(&room);
        Ok(Some(room))
    }

    /// Forgets a draft, with what was picked in it.
    ///
    /// # Errors
    /// If the store cannot.
    pub fn forget_draft(&self, id: &str) -> Result<(), DraftFault> {
        let name = format!("{}{id}", self.drafts_prefix()?);
        loop {
            let room = locked(&self.drafts.0).get(id).cloned();
            // Who is changing it is waited for; whoever changes it afterwards finds it gone.
            let _writer = room.as_ref().map(|room| locked(&room.writer));
            let mut rooms = locked(&self.drafts.0);
            if rooms.get(id).map(Arc::as_ptr) != room.as_ref().map(Arc::as_ptr) {
                // Somebody has come to it meanwhile.
                continue;
            }
            self.setting.store.keep_text(&name, None)?;
            rooms.remove(id);
            return Ok(());
        }
    }

    /// Changes a draft: a copy is changed and stored, then shown.
    fn change_draft(
        self: &Arc<DuelHall>,
        room: &Arc<DraftRoom>,
        make: impl FnOnce(&mut OpenedDraft) -> Result<(), DraftFault>,
    ) -> Result<(), DraftFault> {
        let loaded = self.loaded()?;
        let project = &loaded.project;
        let writer = locked(&room.writer);
        // Timers and streams hold the room of a draft that was forgotten: it must not come back by them.
        let is_same = |known: &Arc<DraftRoom>| Arc::ptr_eq(known, room);
        if !locked(&self.drafts.0).get(&room.id).is_some_and(is_same) {
            return Err(DraftFault::Forgotten);
        }
        let mut next = OpenedDraft::clone(&room.now());
        make(&mut next)?;
        next.settle(&project.most_in_draft());
        self.keep_draft(&room.id, &next.kept)?;
        *locked(&room.now) = Arc::new(next);
        drop(writer);
        room.changed.ring();
        self.watch_the_time(room);
        Ok(())
    }

    /// A seat takes the card at a place of the pack before it.
    ///
    /// # Errors
    /// If it cannot, or the pick cannot be kept; nothing has changed then.
    pub fn pick(
        self: &Arc<DuelHall>,
        room: &Arc<DraftRoom>,
        seat: usize,
        number: usize,
        place: usize,
    ) -> Result<(), DraftFault> {
        let act = DraftAct::Pick { seat, number, place };
        self.change_draft(room, |draft| {
            // A browser sends a request again whose answer was lost on the way: it is the same pick.
            if draft.record.has_done(act) {
                return Ok(());
            }
            // Whoever picks is here.
            if draft.record.draft().player(seat) == Some(DraftPlayer::StandIn) {
                draft.record.act(DraftAct::Return { seat })?;
            }
            Ok(draft.record.act(act)?)
        })
    }

    /// A seat of a sealed game is ready for the duel, or not any more. When everybody is, `begin` makes the
    /// duel: it is kept together with the last word that it waited for.
    ///
    /// # Errors
    /// If the duel cannot begin, or it cannot be kept; nothing has changed then.
    pub fn be_ready(
        self: &Arc<DuelHall>,
        room: &Arc<DraftRoom>,
        seat: usize,
        is_ready: bool,
        begin: impl FnOnce(&OpenedDraft) -> Result<KeptMatch, DraftFault>,
    ) -> Result<(), DraftFault> {
        self.change_draft(room, |draft| {
            let seats = &mut draft.kept.seats;
            let own = seats.get_mut(seat).ok_or(DraftRefused::NoSeat)?;
            own.is_ready = is_ready;
            let all = seats.iter().all(|seat| seat.is_ready);
            if all && draft.kept.open_duel(seat).is_none() {
                let duel = begin(draft)?;
                draft.kept.duels.push(duel);
                for seat in &mut draft.kept.seats {
                    seat.is_ready = false;
                }
            }
            Ok(())
        })
    }

    /// A person sits down by a link, under a name.
    ///
    /// # Errors
    /// If somebody has sat down there already, or it cannot be kept.
    pub fn sit_down_to_draft(
        self: &Arc<DuelHall>,
        room: &Arc<DraftRoom>,
        seat: usize,
        name: &str,
    ) -> Result<(), DraftFault> {
        self.change_draft(room, |draft| {
            let own = draft.kept.seats.get_mut(seat).ok_or(DraftRefused::NoSeat)?;
            if own.has_come || !own.is_person {
                return Err(DraftFault::Taken);
            }
            own.has_come = true;
            if !name.trim().is_empty() {
                own.name = cw_pages::decks::clean_name(name);
            }
            if draft.record.draft().player(seat) == Some(DraftPlayer::StandIn) {
                draft.record.act(DraftAct::Return { seat })?;
            }
            Ok(())
        })
    }

    /// A computer stands in for somebody who is not there.
    ///
    /// # Errors
    /// If they are there, or it cannot be kept.
    pub fn stand_in(self: &Arc<DuelHall>, room: &Arc<DraftRoom>, seat: usize) -> Result<(), DraftFault> {
        if room.presence.of(seat) == Presence::Here {
            return Err(DraftFault::IsHere);
        }
        self.change_draft(room, |draft| Ok(draft.record.act(DraftAct::Leave { seat })?))
    }

    /// After a while without a page of the seat: nobody else shall wait for it.
    fn stand_in_for_the_lost(self: &Arc<DuelHall>, room: &Arc<DraftRoom>, seat: usize) {
        let now = room.now();
        let waits =
            (0..now.kept.seats.len()).any(|other| other != seat && room.presence.of(other) == Presence::Here);
        let is_lost = matches!(room.presence.of(seat), Presence::Away(_));
        if waits && is_lost && !now.record.draft().is_over() {
            // Who stands in already, or whose place cannot be kept now, is left as it is.
            let _ = self.stand_in(room, seat);
        }
    }

    /// The person is at the seat: the place is theirs again, if a computer stood in.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub fn is_back(self: &Arc<DuelHall>, room: &Arc<DraftRoom>, seat: usize) -> Result<(), DraftFault> {
        if room.now().record.draft().player(seat) != Some(DraftPlayer::StandIn) {
            return Ok(());
        }
        match self.change_draft(room, |draft| Ok(draft.record.act(DraftAct::Return { seat })?)) {
            Err(DraftFault::Refused(DraftRefused::NotAway)) => Ok(()),
            done => done,
        }
    }

    /// A page of the seat follows the draft as long as what comes back lives.
    pub fn come_to_draft(self: &Arc<DuelHall>, room: &Arc<DraftRoom>, seat: usize) -> DraftPresent {
        DraftPresent {
            hall: Arc::clone(self),
            room: Arc::clone(room),
            seat,
            _present: room.presence.come(seat),
        }
    }

    /// Where there is a timer, the time of each pick begins when its pack lies there; when it is over, a
    /// computer picks.
    fn watch_the_time(self: &Arc<DuelHall>, room: &Arc<DraftRoom>) {
        let now = room.now();
        let Some(timer) = now.kept.pick_timer() else {
            return;
        };
        let draft = now.record.draft();
        let mut due = locked(&room.due);
        for (seat, due) in due.iter_mut().enumerate() {
            // Nobody's time runs before they have sat down.
            let has_come = now.kept.seats.get(seat).is_some_and(|seat| seat.has_come);
            let waits = has_come && draft.player(seat) == Some(DraftPlayer::Person);
            let cards = draft.before(seat).len();
            let number = draft.pool(seat).cards.len();
            if !waits || cards == 0 {
                *due = None;
                continue;
            }
            if due.is_some_and(|(known, _)| known == number) {
                continue;
            }
            let time = Duration::from_secs(timer.seconds(cards));
            *due = Some((number, Moment::now() + time));
            let (hall, room) = (Arc::clone(self), Arc::clone(room));
            self.tasks.spawn(async move {
                hall.tasks.sleep(time + Duration::from_millis(200)).await;
                let (hall_of_work, room) = (Arc::clone(&hall), Arc::clone(&room));
                let _ = hall
                    .tasks
                    .work(move || hall_of_work.time_is_up(&room, seat, number))
                    .await;
            });
        }
    }

    /// A computer picks for who has not picked in time.
    fn time_is_up(self: &Arc<DuelHall>, room: &Arc<DraftRoom>, seat: usize, number: usize) {
        let is_due = locked(&room.due)
            .get(seat)
            .copied()
            .flatten()
            .is_some_and(|(known, until)| known == number && until.since(Moment::now()) == Duration::ZERO);
        let Ok(loaded) = self.loaded() else { return };
        let project = &loaded.project;
        if is_due {
            let most = project.most_in_draft();
            // Who picked in this very moment has picked.
            let _ = self.change_draft(room, |draft| {
                let before = draft.record.draft().before(seat);
                let ratings = Arc::clone(&draft.ratings);
                let act = draft
                    .record
                    .computers_pick(seat, &ratings, &most)
                    .ok_or(DraftRefused::NoPack)?;
                match act {
                    DraftAct::Pick {
                        number: next, place, ..
                    } if next == number => {
                        draft.record.act(act)?;
                        if let Some(late) = locked(&room.late).get_mut(seat) {
                            *late = before.get(place).map(|card| (number + 1, *card));
                        }
                        Ok(())
                    }
                    _ => Err(DraftRefused::Stale { next: number }.into()),
                }
            });
        }
    }

    /// Notes a duel between two drafters, or how it ended.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub fn note_duels(
        self: &Arc<DuelHall>,
        room: &Arc<DraftRoom>,
        note: impl FnOnce(&mut Vec<KeptMatch>),
    ) -> Result<(), DraftFault> {
        self.change_draft(room, |draft| {
            note(&mut draft.kept.duels);
            Ok(())
        })
    }

    /// The seats that friends have opened for duels of a draft, by their public names.
    pub(crate) fn seats_of_guests(&self) -> BTreeSet<String> {
        let drafts = self.drafts().unwrap_or_default();
        let of_guests = drafts.iter().flat_map(|(_, kept)| {
            let owner = kept.owner();
            let duels = kept.duels.iter().filter(move |duel| duel.seats[0] != owner);
            duels.filter_map(|duel| Some(duel.table.as_ref()?[0].clone()))
        });
        of_guests.collect()
    }

    /// Notes how the duel of a table has ended in the draft that it belongs to: another one takes its place
    /// there.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub(crate) fn note_end_in_drafts(self: &Arc<DuelHall>, cell: &HostedDuel) -> Result<(), DraftFault> {
        let own = Seat::BOTH.map(|seat| cell.secret(seat).public());
        let waits = |duel: &KeptMatch| {
            let table = duel.table.as_ref().filter(|_| duel.won.is_none());
            table.is_some_and(|table| table.iter().any(|name| own.contains(name)))
        };
        for (id, kept) in self.drafts()? {
            if !kept.duels.iter().any(waits) {
                continue;
            }
            match self.draft_room(&id) {
                Ok(Some(room)) => self.see_how_duels_ended(&room)?,
                Err(DraftFault::Store(fault)) => return Err(fault.into()),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Looks at the tables where drafters play, and notes who has won. A duel whose table is not there any
    /// more, as where nothing was done in it before the program ended, makes room for another one.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub fn see_how_duels_ended(self: &Arc<DuelHall>, room: &Arc<DraftRoom>) -> Result<(), DraftFault> {
        let now = room.now();
        let (mut ended, mut gone) = (Vec::<(KeptMatch, usize)>::new(), Vec::<KeptMatch>::new());
        for duel in now.kept.duels.iter().filter(|duel| duel.won.is_none()) {
            let Some([first, _]) = &duel.table else { continue };
            let (cell, seat) = match self.wake(first) {
                Ok(Some(found)) => found,
                Ok(None) => {
                    gone.push(duel.clone());
                    continue;
                }
                // A table that cannot be woken now is asked again the next time.
                Err(_) => continue,
            };
            let outcome = cell.room().table().and_then(|table| table.duel().outcome());
            let won = match outcome {
                None => continue,
                Some(cw_duel::DuelOutcome::Drawn) => 2,
                Some(cw_duel::DuelOutcome::Won { winner, .. }) => usize::from(winner != seat),
            };
            ended.push((duel.clone(), won));
        }
        if ended.is_empty() && gone.is_empty() {
            return Ok(());
        }
        self.note_duels(room, |duels| {
            duels.retain(|duel| !gone.contains(duel));
            for (duel, won) in ended {
                if let Some(own) = duels.iter_mut().find(|one| **one == duel) {
                    own.won = Some(won);
                }
            }
        })
    }
}
