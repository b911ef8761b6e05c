//! A second reading of what commands act on (R302, R305, R309, R602, D27, D94, D104): random rules with and
//! without target clauses, in actions, autos and rules that `activate` runs, on characters and Actions.
//! Slow, obvious, and written from the specification alone.

use cw_duel::{Duel, Seat};
use cw_stage::{go, start};

use crate::Dice;

const NAMES: [&str; 5] = ["Src", "Mia", "Oda", "Pim", "Kin"];
const SRC: usize = 0;
const KIN: usize = 4;

/// A command of the table, and what it acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Freeze,
    Turn,
    Unfreeze,
    Damage(i32),
    AddBp(i32),
    SetBp(i32),
    LoseAbility,
    Destroy,
    Remove,
    Give,
    Take,
    Hp(i32),
    LoseLife(i32),
    Sp(i32),
}

impl Deed {
    fn random(dice: &mut Dice) -> Deed {
        let hundreds = 100 * (1 + dice.below(4) as i32);
        match dice.below(16) {
            0 | 1 => Deed::Freeze,
            2 => Deed::Turn,
            3 => Deed::Unfreeze,
            4 | 5 => Deed::Damage(hundreds),
            6 => Deed::AddBp(hundreds),
            7 => Deed::SetBp(hundreds),
            8 => Deed::LoseAbility,
            9 => Deed::Destroy,
            10 => Deed::Remove,
            11 => Deed::Give,
            12 => Deed::Take,
            13 => Deed::Hp(hundreds),
            14 => Deed::LoseLife(hundreds),
            _ => Deed::Sp(1 + dice.below(3) as i32),
        }
    }

    fn text(self) -> String {
        match self {
            Deed::Freeze => "freeze()".into(),
            Deed::Turn => "freeze(toggle)".into(),
            Deed::Unfreeze => "unfreeze()".into(),
            Deed::Damage(n) => format!("damage({n})"),
            Deed::AddBp(n) => format!("bp(+{n})"),
            Deed::SetBp(n) => format!("bp(={n})"),
            Deed::LoseAbility => "loseAbility()".into(),
            Deed::Destroy => "destroy()".into(),
            Deed::Remove => "moveTo(myRemoved)".into(),
            Deed::Give => "+pierce".into(),
            Deed::Take => "-pierce".into(),
            Deed::Hp(n) => format!("hp(+{n})"),
            Deed::LoseLife(n) => format!("loseLife({n})"),
            Deed::Sp(n) => format!("sp(+{n})"),
        }
    }

    /// R602: the source where a clause found nothing.
    fn takes_source_for_nothing(self) -> bool {
        matches!(
            self,
            Deed::AddBp(_) | Deed::SetBp(_) | Deed::Destroy | Deed::Give | Deed::Take
        )
    }

    fn is_for_players(self) -> bool {
        matches!(self, Deed::Hp(_) | Deed::LoseLife(_) | Deed::Sp(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clause {
    /// No clause.
    None,
    /// One of the opponent's, by name.
    Named(usize),
    /// One that is never there, behind a clause that may be empty.
    Nobody,
    /// All of the opponent's characters.
    All,
    Opponent,
    This,
}

impl Clause {
    fn random(dice: &mut Dice) -> Clause {
        match dice.below(10) {
            0..=3 => Clause::None,
            4 => Clause::Named(2),
            5 => Clause::Named(3),
            6 => Clause::Nobody,
            7 => Clause::All,
            8 => Clause::Opponent,
            _ => Clause::This,
        }
    }

    fn text(self, word: &str) -> String {
        let inside = match self {
            Clause::None => return String::new(),
            Clause::Named(at) => format!("\"{}\"@oppRing", NAMES[at]),
            Clause::Nobody => "\"Kin\"@myRing".into(),
            Clause::All => "characters@oppRing".into(),
            Clause::Opponent => "opp".into(),
            Clause::This => "this".into(),
        };
        let optional = if self == Clause::Nobody { "?" } else { "" };
        if word == "to" {
            format!(" to{optional}({inside})")
        } else {
            format!("target{optional} = {inside};; ")
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Action,
    Auto,
    Nested,
}

/// Where a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Ring,
    Table,
    Discards(Seat),
    Removed(Seat),
}

#[derive(Clone, Debug)]
struct Card {
    owner: Seat,
    place: Place,
    bp: i32,
    frozen: bool,
    able: bool,
    /// Who gave `pierce`; `None` where the grant stands on its own (D94).
    given: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Card(usize),
    Player(Seat),
}

#[derive(Clone, Debug)]
struct Reading {
    cards: Vec<Card>,
    hp: [i32; 2],
    sp: [i32; 2],
    is_action: bool,
    /// Everything in the two piles of each seat, the last one uppermost.
    discards: [Vec<usize>; 2],
    removed: [Vec<usize>; 2],
}

impl Reading {
    /// R302, R305: what a clause finds; an error ends the list.
    fn find(&self, clause: Clause) -> Result<Option<Vec<Target>>, ()> {
        let stands = |at: &usize| self.cards[*at].place == Place::Ring;
        let theirs = [2, 3];
        let some = |found: Vec<Target>| {
            if found.is_empty() {
                Err(())
            } else {
                Ok(Some(found))
            }
        };
        match clause {
            Clause::None => Ok(None),
            // R425: who is at 0 BP is not chosen; a name alone is found without a choice all the same.
            Clause::Named(at) => {
                let there = stands(&at) && self.cards[at].bp > 0;
                some(there.then_some(Target::Card(at)).into_iter().collect())
            }
            Clause::Nobody => Ok(Some(Vec::new())),
            Clause::All => some(theirs.into_iter().filter(stands).map(Target::Card).collect()),
            Clause::Opponent => Ok(Some(vec![Target::Player(Seat::Two)])),
            Clause::This => {
                let fallen = stands(&SRC) && self.cards[SRC].bp == 0;
                some((!fallen).then_some(Target::Card(SRC)).into_iter().collect())
            }
        }
    }

    /// The statements, under the rule's own clause.
    fn run(&mut self, main: Clause, statements: &[(Vec<Deed>, Clause)]) {
        let Ok(main) = self.find(main) else { return };
        for (deeds, clause) in statements {
            let found = match self.find(*clause) {
                Ok(Some(found)) => Some(found),
                Ok(None) => main.clone(),
                Err(()) => return,
            };
            for deed in deeds {
                if self.hp.contains(&0) {
                    return;
                }
                self.apply(*deed, found.as_deref());
            }
        }
    }

    /// Applies a command to what its clause found, or else to the source where that is its
    /// default (R602, D27, D104).
    fn apply(&mut self, deed: Deed, found: Option<&[Target]>) {
        let source = [Target::Card(SRC)];
        let targets: Vec<Target> = match found {
            None => source.to_vec(),
            Some([]) if deed.takes_source_for_nothing() => source.to_vec(),
            Some(found) => found.to_vec(),
        };
        if deed.is_for_players() {
            let seat = match targets.first() {
                Some(Target::Player(seat)) => *seat,
                Some(Target::Card(_)) | None => Seat::One,
            };
            return self.apply_to_player(deed, seat);
        }
        for target in targets {
            match (target, deed) {
                (Target::Card(card), _) => self.apply_to_card(deed, card),
                (Target::Player(seat), Deed::Damage(n)) => {
                    self.hp[seat.index()] = (self.hp[seat.index()] - n).max(0);
                }
                (Target::Player(_), _) => {}
            }
        }
    }

    fn apply_to_player(&mut self, deed: Deed, seat: Seat) {
        let at = seat.index();
        match deed {
            Deed::Hp(n) => self.hp[at] += n,
            Deed::LoseLife(n) => self.hp[at] = (self.hp[at] - n).max(0),
            Deed::Sp(n) => self.sp[at] += n,
            _ => unreachable!("not for players"),
        }
    }

    fn apply_to_card(&mut self, deed: Deed, at: usize) {
        let in_ring = self.cards[at].place == Place::Ring;
        let giver = {
            let source = &self.cards[SRC];
            // D94: who is gone, or has lost what runs, gives for good.
            (source.place == Place::Ring && source.able).then_some(SRC)
        };
        let card = &mut self.cards[at];
        match deed {
            Deed::Destroy if !matches!(card.place, Place::Discards(_)) => self.leave(at, false),
            Deed::Destroy => {}
            Deed::Remove => self.leave(at, true),
            _ if !in_ring => {}
            Deed::Freeze => card.frozen = true,
            Deed::Turn => card.frozen = !card.frozen,
            Deed::Unfreeze => card.frozen = false,
            Deed::Damage(n) => card.bp = (card.bp - n).max(0),
            Deed::AddBp(n) => card.bp += n,
            Deed::SetBp(n) => card.bp = n,
            Deed::LoseAbility => {
                if card.able {
                    card.able = false;
                    self.end_grants_of(at);
                }
            }
            Deed::Give => {
                card.given.retain(|one| *one != giver);
                card.given.push(giver);
            }
            Deed::Take => card.given.clear(),
            Deed::Hp(_) | Deed::LoseLife(_) | Deed::Sp(_) => unreachable!("for players"),
        }
    }

    fn end_grants_of(&mut self, giver: usize) {
        for card in &mut self.cards {
            card.given.retain(|one| *one != Some(giver));
        }
    }

    /// To the discards of who has it, or to the removed pile of who runs the rule.
    fn leave(&mut self, at: usize, is_removed: bool) {
        for pile in self.discards.iter_mut().chain(&mut self.removed) {
            pile.retain(|card| *card != at);
        }
        let holder = match self.cards[at].place {
            Place::Ring | Place::Table => self.cards[at].owner,
            Place::Discards(seat) | Place::Removed(seat) => seat,
        };
        if self.cards[at].place == Place::Ring {
            self.end_grants_of(at);
            self.cards[at].given.clear();
        }
        if is_removed {
            self.removed[0].push(at);
            self.cards[at].place = Place::Removed(Seat::One);
        } else {
            self.discards[holder.index()].push(at);
            self.cards[at].place = Place::Discards(holder);
        }
    }

    /// The end of the unit (D1, D2): the Action leaves, then who is at 0 BP.
    fn end_unit(&mut self) {
        if self.hp.contains(&0) {
            return;
        }
        if self.cards[SRC].place == Place::Table {
            self.leave(SRC, false);
        }
        for at in [SRC, 1, 2, 3] {
            if self.cards[at].place == Place::Ring && self.cards[at].bp == 0 {
                self.leave(at, false);
            }
        }
    }

    fn told(&self) -> String {
        let mut told = format!("hp {:?} sp {:?}", self.hp, self.sp);
        for (at, card) in self.cards.iter().enumerate().take(KIN) {
            if card.place == Place::Ring {
                let Card { bp, frozen, able, .. } = card;
                let pierces = !card.given.is_empty();
                told += &format!("; {} {bp} {frozen} {able} {pierces}", NAMES[at]);
            }
        }
        for seat in [0, 1] {
            for (pile, cards) in [("discards", &self.discards), ("removed", &self.removed)] {
                let names: Vec<&str> = cards[seat].iter().rev().map(|at| NAMES[*at]).collect();
                told += &format!("; {pile} {}", names.join(" "));
            }
        }
        told
    }
}

fn told(duel: &Duel, is_action: bool) -> String {
    let truth = duel.snapshot();
    let game = duel.game();
    let name = |card| {
        let model = duel.true_model(card).expect("a card of this duel");
        &*game.model(model).name
    };
    let numbers = |of: fn(&cw_duel::PlayerSnapshot) -> i32| Seat::BOTH.map(|seat| of(&truth.players[seat]));
    let mut told = format!(
        "hp {:?} sp {:?}",
        numbers(|player| player.hp),
        numbers(|player| player.sp)
    );
    for wanted in &NAMES[usize::from(is_action)..KIN] {
        let rings = Seat::BOTH
            .into_iter()
            .flat_map(|seat| truth.players[seat].ring.iter().flatten());
        for one in rings.filter(|one| name(one.card) == *wanted) {
            let pierces = one.keywords.contains(&cw_program::Keyword::Pierce);
            let (bp, frozen, able) = (one.bp, one.frozen, one.ability.is_some());
            told += &format!("; {wanted} {bp} {frozen} {able} {pierces}");
        }
    }
    for seat in Seat::BOTH {
        let player = &truth.players[seat];
        for (pile, cards) in [("discards", &player.discards), ("removed", &player.removed)] {
            let names: Vec<&str> = cards
                .iter()
                .map(|card| name(*card))
                .filter(|name| !matches!(*name, "Inner" | "Spark"))
                .collect();
            told += &format!("; {pile} {}", names.join(" "));
        }
    }
    told
}

/// Oracle and engine agree about what commands act on (R302, R305, R309, R602, D27, D94, D104, D1, D2).
#[test]
fn what_commands_act_on_agrees() {
    let rules = crate::count("CARDWRIGHT_TABLES", 2_000);
    let (mut bare, mut on_source) = (0_u64, 0_u64);
    for seed in 0..rules {
        let mut dice = Dice(seed ^ 0xDEFA);
        let part = [Part::Action, Part::Auto, Part::Nested][dice.below(3)];
        let is_action = dice.one_in(3);
        // An optional main clause that finds nothing is a clause all the same.
        let main = if dice.one_in(2) {
            Clause::None
        } else {
            Clause::random(&mut dice)
        };
        let statements: Vec<(Vec<Deed>, Clause)> = (0..1 + dice.below(3))
            .map(|_| {
                let deeds = (0..1 + dice.below(2)).map(|_| Deed::random(&mut dice)).collect();
                (deeds, Clause::random(&mut dice))
            })
            .collect();
        let texts = statements.iter().map(|(deeds, clause)| {
            let deeds: Vec<String> = deeds.iter().map(|deed| deed.text()).collect();
            format!("{}{}", deeds.join(" & "), clause.text("to"))
        });
        let body = texts.collect::<Vec<_>>().join("; ");
        let target = main.text("target");
        let (source, inner) = match (part, is_action) {
            (Part::Action, _) => (format!("{target}action = {body}"), String::new()),
            (Part::Auto, true) => (
                format!("action = sp(+0) to(me);; auto = ~myHandChanges:once~ {body}"),
                String::new(),
            ),
            (Part::Auto, false) => (format!("{target}auto = ~myHandChanges~ {body}"), String::new()),
            (Part::Nested, _) => (
                "action = activate(me.discards.0)".into(),
                format!("{target}action = {body}"),
            ),
        };
        // An Action's own clause belongs to its action as well: without one there.
        let main = if (part, is_action) == (Part::Auto, true) {
            Clause::None
        } else {
            main
        };
        let kind = match (is_action, part) {
            (true, _) => "action",
            (false, Part::Auto) => "auto",
            (false, Part::Action | Part::Nested) => "triggered",
        };
        let cards = format!(
            "Src {kind} {}: {source}
            Inner action: {inner}
            Mia auto 200: auto = ~myDrawPhase~ sp(+0)
            Oda auto 300: auto = ~myDrawPhase~ sp(+0)
            Pim auto 500: auto = ~myDrawPhase~ sp(+0)
            Spark action: action = sp(+0) to(me)
            Kin plain",
            if is_action { 0 } else { 400 },
        );
        let place = if is_action {
            "me Mia; me.hand Src"
        } else {
            "me Src Mia; me.hand Spark"
        };
        let position = format!("{place}; opp Oda Pim; me.discards Inner; me.hp 1000; opp.hp 1000");
        let choices = match (part, is_action) {
            // The hand changes when a card is played from it.
            (Part::Auto, false) => "play Spark",
            (_, true) => "play Src",
            (_, false) => "use Src",
        };
        let mut play = start(&cards, &position);
        go(&mut play, choices);

        let card = |owner, place, bp| Card {
            owner,
            place,
            bp,
            frozen: false,
            able: true,
            given: Vec::new(),
        };
        let mut reading = Reading {
            cards: vec![
                card(Seat::One, if is_action { Place::Table } else { Place::Ring }, 400),
                card(Seat::One, Place::Ring, 200),
                card(Seat::Two, Place::Ring, 300),
                card(Seat::Two, Place::Ring, 500),
                card(Seat::One, Place::Removed(Seat::One), 300),
            ],
            hp: [1000; 2],
            sp: [0; 2],
            is_action,
            discards: Default::default(),
            removed: Default::default(),
        };
        if (part, is_action) == (Part::Auto, true) {
            reading.end_unit();
        }
        reading.run(main, &statements);
        reading.end_unit();
        let rule = format!("rule {seed}: {kind} {source} / {inner}");
        assert_eq!(told(&play.duel, reading.is_action), reading.told(), "{rule}");
        let is_bare = main == Clause::None && statements.iter().any(|(_, clause)| *clause == Clause::None);
        bare += u64::from(is_bare);
        on_source += u64::from(is_bare && !is_action);
    }
    eprintln!("{rules} rules, {bare} with a statement without a clause, {on_source} of them on a character");
    assert!(
        bare > rules / 5 && on_source > rules / 10,
        "{bare}, {on_source} of {rules}"
    );
}
