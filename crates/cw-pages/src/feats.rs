//! What a player has done in a duel that is worth telling: achievements, judged by what their seat has seen.
//!
//! None of them names a card, so they work for any game with rules. Who has done what is kept by the reader's
//! browser; the page only says which were done in this duel.

use std::collections::BTreeSet;

use cw_duel::{
    CardId, ChangeCause, Choice, DuelEvent, DuelOutcome, DuelView, Phase, Question, Seat, Seen, Silent,
    WinReason,
};
use cw_program::CardType;

use crate::story::United;
use crate::table::{DuelTable, Puzzle, TableStep};

/// Something to do once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Achievement {
    /// How browsers keep it. It never changes.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What is to be done.
    pub task: &'static str,
    /// How to go about it.
    pub hint: &'static str,
}

const fn one(id: &'static str, name: &'static str, task: &'static str, hint: &'static str) -> Achievement {
    Achievement { id, name, task, hint }
}

/// All of them, the easiest first: the first one that was not done is what to try next.
#[rustfmt::skip]
pub static ACHIEVEMENTS: [Achievement; 20] = [
    one(
        "back-up", "A helping hand",
        "Back a character up, and deal damage with it in the same turn.",
        "Back up before the Attack phase: the BP stays for the whole fight.",
    ),
    one(
        "abilities", "Ask them to",
        "Use the abilities of characters three times in one duel.",
        "An ability is a button on the card. It often costs less than a card from your hand.",
    ),
    one(
        "two-at-once", "Two at a stroke",
        "KO two of the opponent’s characters in one turn.",
        "Damage stays: a character that has fought already falls to a smaller one.",
    ),
    one(
        "exact-counter", "Not one BP too many",
        "Counter so that the attacker falls to exactly its BP.",
        "Compare the two numbers before you counter: the same number is enough.",
    ),
    one(
        "reaction", "Not so fast",
        "Stop an attack with a reaction.",
        "Keep SP for the opponent’s turn: reactions are played while they attack.",
    ),
    one(
        "wall", "Nothing gets through",
        "Face two attacks in one turn and lose no HP.",
        "Keep as many characters unfrozen as the opponent has attackers.",
    ),
    one(
        "full-ring", "Full house",
        "Fill every place of your ring.",
        "Play a character in each of your turns, and do not trade them away.",
    ),
    one(
        "pierce", "Right through them",
        "Deal damage to the opponent through a character that counters.",
        "In a United Attack, what is left over after the counter hits the opponent.",
    ),
    one(
        "united-win", "All together now",
        "Win by a United Attack.",
        "Followers cost SP: save some for the turn in which the sum is enough.",
    ),
    one(
        "three-as-one", "Three as one",
        "Hit the opponent with a United Attack of three or more.",
        "Two followers may join one leader. Only the leader can be countered.",
    ),
    one(
        "quick", "Before the tea is cold",
        "Win by your fifth turn.",
        "Attack whenever nobody can counter: open turns decide short duels.",
    ),
    one(
        "exact-win", "To the last point",
        "Win by a fight that takes exactly the HP that were left.",
        "Count what is missing first, and keep the rest of your characters at home.",
    ),
    one(
        "effect-win", "Without lifting a finger",
        "Take the opponent’s last HP by an effect, not by a fight.",
        "Some cards deal damage by themselves. Hold one back for the end.",
    ),
    one(
        "last-sp", "Not a point to spare",
        "Win with no SP left.",
        "SP are there to be spent: plan the last turn so that nothing is left over.",
    ),
    one(
        "comeback", "It is not over yet",
        "Win after you were down to a quarter of your HP and the opponent had more than half.",
        "Counter first, attack later: every character that you keep strikes back.",
    ),
    one(
        "thread", "By a thread",
        "Win with at most a twentieth of your HP left.",
        "If you win next turn, HP are worth nothing: spend them.",
    ),
    one(
        "untouched", "Not a scratch",
        "Win a whole duel without losing HP.",
        "A counter costs no SP. Keep a character back for each of theirs.",
    ),
    one(
        "deck-out", "The long game",
        "Win because the opponent has no cards left to draw.",
        "Stay behind your counters, and do not draw more than you must.",
    ),
    one(
        "puzzle", "Puzzle of the day",
        "Solve a puzzle of the day.",
        "Everything is on the table. Start with what the opponent could do against it.",
    ),
    one(
        "boss", "Who is in charge here",
        "Beat a boss of a run.",
        "Read their rule before you choose: one of two may be easier for your deck.",
    ),
];

/// Which achievements a seat has earned in a duel that is over, by their ids. Nothing in a lesson or in a
/// puzzle but that of the day, and nothing in a duel that goes on under other rules than it began with.
pub fn earned(table: &DuelTable, seat: Seat) -> Vec<&'static Achievement> {
    if table.is_carried() || !table.is_over() {
        return Vec::new();
    }
    let mut ids = BTreeSet::new();
    match &table.start.stage {
        Some(stage) => {
            if stage.day().is_some() && !stage.played && table.puzzle() == Some(Puzzle::Solved) {
                ids.insert("puzzle");
            }
        }
        None => {
            ids = done(table, seat);
            let opponent = table.start.opponent.as_deref();
            let is_boss = opponent.is_some_and(|one| one.run.is_some() && !one.rule.is_empty());
            if is_boss && winner(table) == Some(seat) {
                ids.insert("boss");
            }
        }
    }
    let all = ACHIEVEMENTS.iter();
    all.filter(|one| ids.contains(one.id)).collect()
}

fn winner(table: &DuelTable) -> Option<Seat> {
    match table.duel().outcome()? {
        DuelOutcome::Won { winner, .. } => Some(winner),
        DuelOutcome::Drawn => None,
    }
}

/// What a seat has done in the steps of a table, by ids; who won how is judged at the end.
pub fn done(table: &DuelTable, seat: Seat) -> BTreeSet<&'static str> {
    let mut duel = table.duel_at(0);
    let mut watch = FeatWatch::new(table, seat, duel.view(seat));
    let taken = table.timeline().taken().iter();
    for (at, step) in table.steps().iter().enumerate() {
        if let Some(taken) = at.checked_sub(1).and_then(|at| taken.as_slice().get(at)) {
            taken.act.repeat(&mut duel, &mut Silent);
        }
        watch.step(step, duel.view(seat));
    }
    watch.ends();
    watch.done
}

/// Turns of each player in a duel that is a quick win.
const QUICK: u16 = 5;

/// A blow against the opponent.
#[derive(Clone, Copy, Debug)]
struct LastBlow {
    from: i32,
    cause: ChangeCause,
    /// What the attack dealt, if it was a fight that nobody countered.
    dealt: Option<i32>,
    /// How many struck as one.
    strikers: usize,
}

/// What is remembered on the way through a duel.
struct FeatWatch<'a> {
    table: &'a DuelTable,
    seat: Seat,
    done: BTreeSet<&'static str>,
    active: Seat,
    phase: Phase,
    hp: [i32; 2],
    /// Whether the seat has lost HP at all, and in this turn.
    hurt: [bool; 2],
    was_down: bool,
    abilities: usize,
    kos: usize,
    /// Attacks that the seat faces in this turn.
    attackers: BTreeSet<CardId>,
    /// Characters that were backed up in this turn.
    helped: BTreeSet<CardId>,
    united: United,
    /// What the seat saw before it began to use an ability, as long as that is not over.
    asked: Option<DuelView>,
    /// The fight that is resolved: who attacks, who counters, and what the attack deals.
    fight: Option<(Seen, Option<Seen>, i32)>,
    last: Option<LastBlow>,
    /// The position before the step.
    before: DuelView,
}

impl<'a> FeatWatch<'a> {
    fn new(table: &'a DuelTable, seat: Seat, first: DuelView) -> FeatWatch<'a> {
        FeatWatch {
            table,
            seat,
            done: BTreeSet::new(),
            active: first.active,
            phase: first.phase,
            hp: [first.players[Seat::One].hp, first.players[Seat::Two].hp],
            // A position may begin with a wound.
            hurt: [first.players[seat].hp < table.start.game.hp_of(seat), false],
            was_down: false,
            abilities: 0,
            kos: 0,
            attackers: BTreeSet::new(),
            helped: BTreeSet::new(),
            united: United::default(),
            asked: None,
            fight: None,
            last: None,
            before: first,
        }
    }

    fn full(&self, seat: Seat) -> i32 {
        self.table.start.game.hp_of(seat).max(1)
    }

    /// A step, and what the seat sees after it.
    fn step(&mut self, step: &TableStep, after: DuelView) {
        if step.by == Some(self.seat)
            && let Some(Choice::Activate(card)) = step.choice
        {
            let mut ring = self.before.players[self.seat].ring.iter().flatten();
            self.asked = ring.any(|one| one.card == card).then(|| self.before.clone());
        }
        self.note_ability(&after);
        // A position may begin in the middle of an attack; then nothing tells who declared it.
        self.note_attackers(&after);
        for event in &step.events {
            self.event(event, &after);
        }
        self.note_attackers(&after);
        let ring = &after.players[self.seat].ring;
        if !ring.is_empty() && ring.iter().all(Option::is_some) {
            self.done.insert("full-ring");
        }
        let [own, other] =
            [self.seat, self.seat.other()].map(|seat| (self.hp[seat.index()], self.full(seat)));
        self.was_down |= own.0 > 0 && own.0 * 4 <= own.1 && other.0 * 2 > other.1;
        self.before = after;
    }

    /// An ability is used when all of its questions are answered, unless it was taken back (D3).
    fn note_ability(&mut self, after: &DuelView) {
        let is_over = after.decision.as_ref().is_none_or(|decision| {
            matches!(
                decision.question,
                Question::Main | Question::Attack | Question::CounterAttack
            )
        });
        let Some(before) = self.asked.as_ref().filter(|_| is_over) else {
            return;
        };
        let stock = |view: &DuelView| DuelView {
            to_decide: None,
            decision: None,
            ..view.clone()
        };
        if stock(before) != stock(after) {
            self.asked = None;
            self.abilities += 1;
            if self.abilities == 3 {
                self.done.insert("abilities");
            }
        } else if after.decision.is_some() {
            self.asked = None;
        }
    }

    fn note_attackers(&mut self, view: &DuelView) {
        if self.active == self.seat.other() && view.active == self.active {
            let ring = view.players[self.active].ring.iter().flatten();
            let attack = ring.filter(|one| one.attacks || one.follows);
            self.attackers.extend(attack.map(|one| one.card));
        }
    }

    /// Whose character it is, of those in a ring before or after the step.
    fn owner(&self, card: CardId, after: &DuelView) -> Option<Seat> {
        let stands = |view: &DuelView, seat: Seat| {
            let mut ring = view.players[seat].ring.iter().flatten();
            ring.any(|one| one.card == card)
        };
        let both = Seat::BOTH.into_iter();
        let mut found = both.filter(|seat| stands(&self.before, *seat) || stands(after, *seat));
        found.next()
    }

    fn event(&mut self, event: &DuelEvent, after: &DuelView) {
        let (me, them) = (self.seat, self.seat.other());
        self.united.note(event);
        match *event {
            DuelEvent::TurnBegan { seat, .. } => self.turn(seat),
            DuelEvent::PhaseBegan { phase } => self.phase = phase,
            DuelEvent::BackedUp { host, .. } if self.active == me => {
                self.helped.insert(host.card);
            }
            DuelEvent::AttackDeclared { card } if self.active == them => {
                self.attackers.insert(card.card);
            }
            DuelEvent::AttackCancelled { card, by } if self.active == them => match by {
                Some(by) if self.is_own_reaction(by.source) => {
                    self.done.insert("reaction");
                }
                // The attacking player has called it back (G136): nobody has faced it.
                None if self.phase == Phase::Attack => {
                    self.attackers.remove(&card.card);
                }
                _ => {}
            },
            DuelEvent::Fought {
                attacker,
                blocker,
                damage,
            } => self.fight = Some((attacker, blocker, damage)),
            DuelEvent::Bp {
                card,
                from,
                to,
                cause,
                by,
            } => {
                self.bp(card, from, to, cause);
                let stopped = self.active == them && self.phase == Phase::CounterAttack && to <= 0;
                if stopped
                    && self.attackers.contains(&card.card)
                    && by.is_some_and(|by| self.is_own_reaction(by.source))
                {
                    self.done.insert("reaction");
                }
            }
            DuelEvent::KnockedOut { card }
                if self.active == me && self.owner(card.card, after) == Some(them) =>
            {
                self.kos += 1;
                if self.kos == 2 {
                    self.done.insert("two-at-once");
                }
            }
            DuelEvent::Hp {
                seat,
                from,
                to,
                cause,
                ..
            } => {
                self.hp[seat.index()] = to;
                if to < from && seat == me {
                    self.hurt = [true; 2];
                } else if to < from {
                    self.blow(from, cause);
                }
            }
            _ => {}
        }
    }

    /// What a turn was is judged when the next one begins.
    fn turn(&mut self, next: Seat) {
        if self.active == self.seat.other() && self.attackers.len() >= 2 && !self.hurt[1] {
            self.done.insert("wall");
        }
        self.active = next;
        self.hurt[1] = false;
        self.kos = 0;
        self.attackers.clear();
        self.helped.clear();
        self.fight = None;
    }

    /// Whether a card is a reaction of the seat's own: in its hand before the step.
    fn is_own_reaction(&self, card: Seen) -> bool {
        let model = card.model(self.seat);
        let game = &self.table.start.game;
        let is_reaction = model.is_some_and(|model| game.model(model).card_type == Some(CardType::Reaction));
        let held = self.before.players[self.seat]
            .hand
            .iter()
            .any(|held| held.card == card.card);
        let played = self.before.table.iter().any(|held| held.card == card.card);
        is_reaction && (held || played)
    }

    fn bp(&mut self, card: Seen, from: i32, to: i32, cause: ChangeCause) {
        let Some((attacker, Some(blocker), _)) = self.fight else {
            return;
        };
        let ChangeCause::Combat(striker) = cause else {
            return;
        };
        if self.helped.contains(&striker.card) && self.active == self.seat && to < from {
            self.done.insert("back-up");
        }
        let is_counter =
            self.active != self.seat && card.card == attacker.card && striker.card == blocker.card;
        if is_counter && to == 0 && self.strength(blocker.card) == Some(from) {
            self.done.insert("exact-counter");
        }
    }

    /// The BP of an own character before the step.
    fn strength(&self, card: CardId) -> Option<i32> {
        let mut ring = self.before.players[self.seat].ring.iter().flatten();
        ring.find(|one| one.card == card).map(|one| one.bp)
    }

    /// The opponent loses HP.
    fn blow(&mut self, from: i32, cause: ChangeCause) {
        let (mut dealt, mut strikers) = (None, 1);
        if let ChangeCause::Combat(card) | ChangeCause::Piercing(card) = cause {
            strikers = 1 + self.united.followers(card.card);
            if self.active == self.seat {
                if self.helped.contains(&card.card) {
                    self.done.insert("back-up");
                }
                if matches!(cause, ChangeCause::Piercing(_)) {
                    self.done.insert("pierce");
                }
                if strikers >= 3 {
                    self.done.insert("three-as-one");
                }
            }
            dealt = self
                .fight
                .filter(|(_, blocker, _)| blocker.is_none())
                .map(|(_, _, damage)| damage);
        }
        self.last = Some(LastBlow {
            from,
            cause,
            dealt,
            strikers,
        });
    }

    fn ends(&mut self) {
        let Some(DuelOutcome::Won { winner, reason }) = self.table.duel().outcome() else {
            return;
        };
        if winner != self.seat {
            return;
        }
        let end = self.table.duel().view(self.seat);
        let (hp, full) = (self.hp[self.seat.index()], self.full(self.seat));
        let mut earn = |id: &'static str, so: bool| {
            if so {
                self.done.insert(id);
            }
        };
        // Who gives up has not been beaten in any of these ways.
        match reason {
            WinReason::Forfeit => return,
            WinReason::DeckOut => earn("deck-out", true),
            WinReason::Hp => {
                earn("quick", end.turn <= 2 * QUICK);
                earn("last-sp", end.players[self.seat].sp == 0);
                if let Some(blow) = self.last {
                    let fought = matches!(blow.cause, ChangeCause::Combat(_) | ChangeCause::Piercing(_));
                    earn("united-win", fought && blow.strikers > 1);
                    earn("exact-win", fought && blow.dealt == Some(blow.from));
                    let effect = matches!(blow.cause, ChangeCause::Effect(_) | ChangeCause::Play(_));
                    earn("effect-win", effect);
                }
            }
        }
        earn("untouched", !self.hurt[0]);
        earn("thread", hp > 0 && hp * 20 <= full);
        earn("comeback", self.was_down);
    }
}
