//! What changes on a page: one frame for each moment, with the regions that differ from those that it shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_duel::{DuelEvent, Seat};
use serde::Serialize;

use crate::beats::beats;
use crate::effects::{ScreenEffect, effects, side};
use crate::labels;
use crate::markup;
use crate::notice::WorkNotice;
use crate::presence::Presence;
use crate::room::SeatRoom;
use crate::scene::{SeatScene, Trials};

/// One message.
#[derive(Debug, Serialize)]
pub struct StreamFrame {
    /// The number of the decision, on the newest step.
    pub number: u64,
    /// Whether more frames follow at once: this one may be shown shortly.
    pub(crate) more: bool,
    /// Id, parent and element of each region that changed.
    pub(crate) swap: Vec<(String, &'static str, String)>,
    /// Regions that are gone.
    pub(crate) gone: Vec<String>,
    pub(crate) effects: Vec<ScreenEffect>,
    /// Who acted: `me` or `them`; nobody where nothing was chosen.
    pub(crate) by: Option<&'static str>,
    /// Into how many moments the fight is cut of which this is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fight: Option<usize>,
    /// Why the seat's turn is over, if it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ended: Option<&'static str>,
    pub(crate) aloud: String,
    /// The page is another one now and must be asked for again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reload: bool,
}

/// Steps shown one by one; whoever was away longer sees only the last ones.
const SHOWN: usize = 16;
/// Why the turn of the seat is over, where the next one begins and nobody was asked.
fn ended(scene: &SeatScene<'_>) -> Option<&'static str> {
    let others =
        |event: &DuelEvent| matches!(event, DuelEvent::TurnBegan { seat, .. } if *seat != scene.seat);
    let begins = scene.news().iter().any(others);
    (begins && scene.table.ended_by_itself(scene.seat, scene.at)).then_some(labels::ENDED_BY_ITSELF)
}

/// What a connection has shown.
#[derive(Debug, Default)]
pub struct ShownPage {
    step: usize,
    number: u64,
    /// Where the numbers of the duel begin that is shown: another duel is another page.
    first: Option<u64>,
    /// The page is that of people who have not begun.
    gathering: bool,
    /// Whether anything was looked at.
    begun: bool,
    regions: BTreeMap<String, String>,
    /// What was told of the other person.
    presence: Option<Presence>,
    /// Which notice of whoever works on the game stands there, and which is to.
    noticed: Option<u64>,
    notice: Option<Arc<WorkNotice>>,
}

impl ShownPage {
    /// A page that has shown the question of this number, of a duel or of people who have not begun one.
    pub fn of(number: u64, gathering: bool) -> ShownPage {
        ShownPage {
            number,
            gathering,
            ..ShownPage::default()
        }
    }

    /// This notice of whoever works on the game is to stand on the page from now on.
    pub fn notice(&mut self, notice: Option<Arc<WorkNotice>>) {
        self.notice = notice;
    }

    fn note(&mut self, regions: &[markup::PageRegion]) {
        self.regions = regions
            .iter()
            .map(|region| (region.id.clone(), region.markup.clone()))
            .collect();
    }

    /// The regions that differ from those shown; notes them as shown.
    fn frame(&mut self, scene: &SeatScene<'_>, more: bool, with_effects: bool) -> StreamFrame {
        let regions = markup::regions(scene);
        let swap = regions
            .iter()
            .filter(|region| self.regions.get(&region.id) != Some(&region.markup))
            .map(|region| (region.id.clone(), region.parent, region.markup.clone()))
            .collect();
        let stays = |id: &String| regions.iter().any(|region| region.id == *id);
        let gone = self.regions.keys().filter(|id| !stays(id)).cloned().collect();
        self.note(&regions);
        StreamFrame {
            number: scene.table.number(),
            more,
            swap,
            gone,
            by: scene
                .step
                .by
                .filter(|_| with_effects)
                .map(|by| side(by, scene.seat)),
            effects: if with_effects {
                effects(scene.news(), scene.seat)
            } else {
                Vec::new()
            },
            fight: None,
            ended: ended(scene).filter(|_| with_effects),
            aloud: if with_effects {
                markup::aloud(scene)
            } else {
                String::new()
            },
            reload: false,
        }
    }

    /// What happened since the last look.
    pub fn frames(
        &mut self,
        room: &SeatRoom,
        seat: Seat,
        presence: Presence,
        trials: &Trials<'_>,
    ) -> Vec<StreamFrame> {
        let Some(table) = room.table().filter(|_| !self.gathering) else {
            return self.gathered(room);
        };
        let first = self.first.replace(table.first_number());
        let another = first.is_some_and(|first| first != table.first_number());
        if another && !table.is_carried() {
            return self.gathered(room);
        }
        let last = table.last();
        let between_people = table.people_shuffle();
        let notice = self.notice.clone();
        let notice = notice.as_deref();
        let mut changed = self.presence.replace(presence) != Some(presence) && between_people;
        changed |= std::mem::replace(&mut self.noticed, notice.map(|notice| notice.serial))
            != notice.map(|notice| notice.serial);
        let now = || SeatScene::now(table, seat, trials).with(presence).noted(notice);
        if another {
            // The same position under new rules (D108): what they change is drawn anew, and nothing has
            // happened.
            (self.begun, self.step, self.number) = (true, table.last(), table.number());
            return vec![self.frame(&now(), false, false)];
        }
        if !self.begun {
            self.begun = true;
            self.step = last;
            if self.number == table.number() {
                self.note(&markup::regions(&SeatScene::now(table, seat, trials)));
                // The other person may have come or gone while the page was on its way, or the notice
                // changed.
                return match between_people || notice.is_some() {
                    true => vec![self.frame(&now(), false, false)],
                    false => Vec::new(),
                };
            }
        } else if table.number() == self.number && !changed {
            return Vec::new();
        }
        let from = (self.step + 1).max(last.saturating_sub(SHOWN));
        let fresh = self.regions.is_empty();
        let mut frames = Vec::new();
        // Where what is new of the newest step begins.
        let mut news = 0;
        if !fresh {
            for at in from..=last {
                let shown = beats(table, at);
                let parts = shown.len();
                for beat in &shown[..parts.saturating_sub(1)] {
                    let mut passing = SeatScene::beat(table, seat, at, beat)
                        .with(presence)
                        .noted(notice);
                    passing.passing = true;
                    let frame = self.frame(&passing, true, true);
                    frames.push(StreamFrame {
                        fight: Some(parts),
                        ..frame
                    });
                }
                news = shown.last().map_or(0, |beat| beat.events.start);
                if at < last {
                    let passing = SeatScene::passing(table, seat, at)
                        .with(presence)
                        .noted(notice)
                        .since(news);
                    frames.push(self.frame(&passing, true, true));
                }
            }
        }
        let moved = last > self.step && !fresh;
        frames.push(self.frame(&now().since(news), false, moved));
        self.step = last;
        self.number = table.number();
        frames
    }

    /// Before a duel, or with the next one, there is one kind of news: the page is another one.
    fn gathered(&mut self, room: &SeatRoom) -> Vec<StreamFrame> {
        if room.number() == self.number {
            return Vec::new();
        }
        self.number = room.number();
        vec![StreamFrame {
            number: self.number,
            more: false,
            swap: Vec::new(),
            gone: Vec::new(),
            effects: Vec::new(),
            by: None,
            fight: None,
            ended: None,
            aloud: String::new(),
            reload: true,
        }]
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use cw_duel::PerSeat;
    use cw_octgn::Folder;

    use super::*;
    use crate::beats::is_blow;
    use crate::secret::Secret;
    use crate::table::{ChanceOrigin, DuelStart, DuelTable, SeatPlayer, TablePlace};

    const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");

    /// What people look at one by one: blows, KOs and changes of a player's HP.
    fn blows(frame: &StreamFrame) -> usize {
        let looked_at = |effect: &&ScreenEffect| matches!(effect.kind, "blow" | "ko" | "hp");
        frame.effects.iter().filter(looked_at).count()
    }

    /// Two decks of the demo game, played by chance; `look` sees the table after every choice.
    fn play_by_chance(duel: u64, mut look: impl FnMut(&DuelTable)) {
        let loaded = cw_load::load(Folder::new(Path::new(SALTMARSH))).expect("it is there");
        let game = loaded.game.expect("it has rules");
        let catalogue = Arc::new(cw_faces::Catalogue::of(&loaded.project));
        let decks: Vec<_> = loaded.decks.iter().map(|deck| deck.cards.clone()).collect();
        let many = decks.len() as u64;
        let at = |number: u64| decks[usize::try_from(number % many).expect("few decks")].clone();
        let start = DuelStart {
            game,
            catalogue,
            decks: PerSeat([at(duel), at(duel / many + 3)]),
            names: PerSeat::default(),
            who: PerSeat([SeatPlayer::Person; 2]),
            seed: Some(duel.into()),
            first: None,
            allow_illegal_decks: true,
            stage: None,
            invites: None,
            opponent: None,
        };
        let seats = PerSeat::from_fn(|_| TablePlace::new(SeatPlayer::Person, Secret::of([1; 32])));
        let mut table = DuelTable::set_up(
            Arc::new(start),
            seats,
            ChanceOrigin::Given(duel.into()),
            1,
            Secret::of([2; 32]),
        )
        .expect("it begins");
        let mut chance = duel;
        while let Some(decision) = table.duel().pending().cloned() {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let option = usize::try_from(chance >> 33).expect("31 bits") % decision.options.len();
            let (number, seat) = (table.number(), decision.seat);
            let stamp = table.seats[seat].secret.stamp(number);
            table.answer(seat, number, &stamp, option).expect("it is offered");
            look(&table);
        }
    }

    /// D2, G149-G155: in a fight no moment holds more than one blow, KO or change of a player's HP; together
    /// they hold all that happened, in order, and the last one ends where the step does.
    #[test]
    fn a_fight_is_cut_into_its_blows() {
        let (mut fights, mut longest) = (0, 0);
        for duel in 0..24 {
            play_by_chance(duel, |table| {
                let at = table.last();
                let step = &table.steps()[at];
                let cut = beats(table, at);
                let whole = step.events.iter().filter(|event| is_blow(event)).count();
                if cut.is_empty() {
                    assert!(whole <= 1, "{whole} blows in one moment: {:?}", step.events);
                    return;
                }
                (fights, longest) = (fights + 1, longest.max(cut.len()));
                let mut next = 0;
                for beat in &cut {
                    assert_eq!(beat.events.start, next, "nothing is left out");
                    next = beat.events.end;
                    let events = &step.events[beat.events.clone()];
                    let many = events.iter().filter(|event| is_blow(event)).count();
                    assert!(many <= 1, "{many} blows: {events:?}");
                    // The state is that after the blow and before the next one.
                    for event in events {
                        if let cw_duel::DuelEvent::Hp { seat, to, .. } = *event {
                            assert_eq!(beat.duel.view(seat).players[seat].hp, to);
                        }
                    }
                }
                assert_eq!(next, step.events.len());
                let last = cut.last().expect("there are some");
                assert_eq!(last.duel.hash(), table.duel().hash());
            });
        }
        assert!(
            fights >= 50 && longest >= 5,
            "{fights} fights, the longest of {longest} moments"
        );
    }

    /// The same of what both seats' pages are sent, with what the frames show.
    #[test]
    fn no_frame_carries_more_than_one_blow() {
        let mut fights = 0;
        for duel in 100..104 {
            play_by_chance(duel, |table| {
                let last = table.last();
                let blows_of_step = table.steps()[last].events.iter().filter(|event| is_blow(event));
                if blows_of_step.count() < 2 {
                    return;
                }
                let room = SeatRoom::Playing(Box::new(table.clone()));
                for seat in Seat::BOTH {
                    let mut seen = ShownPage {
                        step: last - 1,
                        first: Some(table.first_number()),
                        begun: true,
                        ..ShownPage::default()
                    };
                    seen.note(&markup::regions(&SeatScene::at(table, seat, last - 1)));
                    let frames = seen.frames(&room, seat, Presence::NotYet, &Trials::WITHOUT_CLOCK);
                    for frame in &frames {
                        assert!(blows(frame) <= 1, "{:?}", frame.effects);
                    }
                    let told: Vec<ScreenEffect> =
                        frames.iter().flat_map(|frame| frame.effects.clone()).collect();
                    assert_eq!(
                        told,
                        effects(&table.steps()[last].events, seat),
                        "all of it, in order"
                    );
                    let in_words = frames
                        .iter()
                        .filter(|frame| blows(frame) == 1 && frame.aloud.is_empty());
                    assert_eq!(in_words.count(), 0, "each blow is told in words: {frames:?}");
                }
                fights += 1;
            });
        }
        assert!(fights >= 8, "{fights} fights");
    }

    /// A region without the numbers that say which step and which decision it was made for.
    fn without_step(markup: &str, at: usize, number: u64) -> String {
        let mut plain = String::new();
        let mut rest = markup;
        while let Some(from) = rest.find(|one: char| one.is_ascii_digit()) {
            let digits = &rest[from..];
            let length = digits
                .find(|one: char| !one.is_ascii_digit())
                .unwrap_or(digits.len());
            let run = &digits[..length];
            plain.push_str(&rest[..from]);
            plain.push_str(if *run == at.to_string() || *run == number.to_string() {
                "#"
            } else {
                run
            });
            rest = &digits[length..];
        }
        plain + rest
    }

    /// What a page shows already is not sent to it again: a region changes only where a reader could see it.
    /// The prompt alone names its decision, and a sheet of cards is never part of a bar, which changes often.
    #[test]
    fn what_did_not_change_is_not_sent() {
        let (mut sent, mut all) = (BTreeMap::<String, usize>::new(), 0);
        for duel in 0..2 {
            let mut shown = PerSeat([const { BTreeMap::<String, String>::new() }; 2]);
            let mut before = (0, 0);
            play_by_chance(duel, |table| {
                let now = (table.last(), table.number());
                for seat in Seat::BOTH {
                    let regions = markup::regions(&SeatScene::now(table, seat, &Trials::WITHOUT_CLOCK));
                    for region in &regions {
                        all += region.markup.len();
                        let bare = region.id.ends_with("-bar") && region.markup.contains(" popover ");
                        assert!(!bare, "{} holds what opens over the table", region.id);
                        let Some(old) = shown[seat].get(&region.id).filter(|old| **old != region.markup)
                        else {
                            continue;
                        };
                        *sent.entry(region.id.clone()).or_default() += region.markup.len();
                        assert!(
                            region.id == "prompt"
                                || without_step(old, before.0, before.1)
                                    != without_step(&region.markup, now.0, now.1),
                            "{} is sent again for its numbers alone: {}",
                            region.id,
                            region.markup
                        );
                    }
                    shown[seat] = regions
                        .into_iter()
                        .map(|region| (region.id, region.markup))
                        .collect();
                }
                before = now;
            });
        }
    }

    /// What an answer may change: HP, SP, cards in the hand and the discards, characters in the ring.
    fn stock(duel: &cw_duel::Duel) -> Vec<(i32, i32, usize, usize, usize)> {
        Seat::BOTH
            .map(|seat| {
                let own = &duel.view(seat).players[seat];
                let ring = own.ring.iter().flatten().count();
                (own.hp, own.sp, own.hand.len(), own.discards.len(), ring)
            })
            .to_vec()
    }

    /// An answer that is called Undo takes back what was begun: all is as it was at the last question of a
    /// phase, or stays as it is. Where
    /// a target may be refused, refusing it goes on instead (R309), and the button says so.
    #[test]
    fn an_answer_called_undo_takes_back() {
        let (mut taken_back, mut refused) = (0, 0);
        for duel in 200..224 {
            let mut before = Vec::new();
            play_by_chance(duel, |table| {
                let Some(decision) = table.duel().pending() else {
                    return;
                };
                if !decision.declinable {
                    before = stock(table.duel());
                    return;
                }
                let scene = SeatScene::now(table, decision.seat, &Trials::WITHOUT_CLOCK);
                for offer in scene
                    .offers
                    .iter()
                    .filter(|offer| offer.choice == cw_duel::Choice::Decline)
                {
                    let mut after = table.duel().clone();
                    after.answer_silently(offer.choice).expect("it is offered");
                    if offer.back {
                        assert_eq!(offer.label, crate::labels::UNDO);
                        // The first question of all was not seen.
                        let is_back = before.is_empty() || stock(&after) == before;
                        // An ability that begins by itself is given up; what its card did before stays.
                        let stays = stock(&after) == stock(table.duel());
                        assert!(is_back || stays, "{:?}: {:?}", decision.question, stock(&after));
                        taken_back += 1;
                    } else {
                        assert_eq!(offer.label, crate::labels::CHOOSE_NONE);
                        refused += 1;
                    }
                }
                // One button says that none is chosen.
                let none = |offer: &&crate::scene::AnswerButton| offer.label == crate::labels::CHOOSE_NONE;
                assert!(scene.offers.iter().filter(none).count() <= 1);
                refused += scene.offers.iter().filter(none).count();
            });
        }
        assert!(
            taken_back > 100 && refused > 3,
            "{taken_back} taken back, {refused} refused"
        );
    }
}
