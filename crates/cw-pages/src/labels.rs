//! Every word the page says by itself, in one place, ready to be translated. What happened and what
//! is asked comes from `cw_words`.

use cw_duel::{CardId, Choice, Decision, DuelEvent, DuelView, Phase, Question, Seat, WinReason};
use cw_program::{CardType, Keyword, PileName};
use cw_words::EventReader;

use crate::story::Strikes;

// --- What pages say by themselves ---------------------------------------------------------------

pub(crate) const WHAT_TO_DO: &str = "What to do";
pub(crate) const EARLIER_MOMENT: &str = "An earlier moment of the duel.";
pub(crate) const SKIP_THE_SHOW: &str = "Press any key or click to skip.";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const CHOOSE_NONE: &str = "Choose none";
pub(crate) const UNDO_HINT: &str = "Take back your last choice (Z)";
pub(crate) const AGAIN: &str = "Begin again";
pub(crate) const WORK: &str = "Work on the game";
pub(crate) const RULES_CHANGED: &str =
    "the rules of this duel have changed on the way, so no link can hold it";
pub(crate) const WORKBENCH: &str = "Workbench";
pub(crate) const BENCH_RULE: &str = "Its rule";
pub(crate) const BENCH_NO_RULE: &str = "It has no rule.";
pub(crate) const BENCH_SCENARIOS: &str = "Its scenarios";
pub(crate) const BENCH_NO_SCENARIO: &str =
    "It is in no scenario yet. Lay out a board below, and keep it as one.";
pub(crate) const BENCH_BOARD: &str = "A board to try things on";
pub(crate) const BENCH_BOARD_HINT: &str = "Drag cards from the list onto the board, \
     or click a card and then a place. Play it, or keep it as a scenario file.";
pub(crate) const BENCH_SLOT: &str = "Slot";
pub(crate) const BENCH_HAND: &str = "Hand";
pub(crate) const BENCH_DISCARDS: &str = "Discard pile";
pub(crate) const BENCH_TOP_OF_DECK: &str = "Top of the deck";
pub(crate) const BENCH_ME: &str = "You";
pub(crate) const BENCH_OPPONENT: &str = "Opponent";
pub(crate) const BENCH_PHASE: &str = "Phase";
pub(crate) const BENCH_NAME: &str = "Name";
pub(crate) const BENCH_PLAY_BOARD: &str = "Play it";
pub(crate) const BENCH_KEEP_BOARD: &str = "Keep as a scenario";
pub(crate) const BENCH_CLEAR_BOARD: &str = "Clear";

/// The way to the bench of a card.
pub(crate) fn bench_of(name: &str) -> String {
    format!("Bench of {name}")
}

/// Lines of a notice that are not shown at once.
pub(crate) fn more_lines(many: usize) -> String {
    format!("{many} more")
}

pub(crate) const TRY_AGAIN: &str = "Try again";
pub(crate) const SOLVED: &str = "Solved";
pub(crate) const NOT_SOLVED: &str = "Not solved";
pub(crate) const NOBODY_WON: &str = "Nobody won in time.";
pub(crate) const REMATCH: &str = "Rematch";
pub(crate) const BACK_TO_THE_RUN: &str = "Back to the run";

/// How many duels of a run may still be lost.
pub(crate) fn lives(lives: usize) -> String {
    match lives {
        0 => "no life".to_owned(),
        1 => "1 life".to_owned(),
        lives => format!("{lives} lives"),
    }
}
pub(crate) const AGAINST_THE_NEXT: &str = "Next opponent";
/// Before the name of a lesson that was not done yet.
pub(crate) const LESSON_DUE: &str = "Next lesson:";

/// After a duel against a level of the computer's: another one to play against.
pub(crate) fn other_level(level: cw_players::Level, harder: bool) -> String {
    let how = if harder { "A harder" } else { "An easier" };
    format!("{how} opponent: {}", level.name())
}

pub(crate) const SWAP: &str = "Rematch with decks swapped";
pub(crate) const WATCH: &str = "Watch it again";
pub(crate) const SAVE_RECORD: &str = "Save the record";
pub(crate) fn waiting_for_rematch(other: &str) -> String {
    format!("Waiting for {other} to agree.")
}

pub(crate) const ALWAYS_YES: &str = "Always yes";
pub(crate) const ALWAYS_NO: &str = "Always no";
pub(crate) const AUTOMATIC: &str = "Answered automatically";
pub(crate) const BEFORE_THE_FIRST_TURN: &str = "Before the first turn";
pub(crate) const BEGINNING: &str = "The beginning";
pub(crate) const OWN_RING: &str = "your ring";
pub(crate) const ENLARGED: &str = "Enlarged card";
pub(crate) const POINT_AT_A_CARD: &str = "Point at a card to read it.";
pub(crate) const LOG: &str = "Log";
pub(crate) const TOOLS: &str = "Tools";
pub(crate) const LEARN: &str = "Learn";
/// Below the name of a lesson.
pub(crate) const LESSON: &str = "A lesson, step by step";

/// What stands above the stages that a shelf lists together.
pub(crate) fn shelf_group(group: crate::stage::ShelfGroup) -> &'static str {
    use crate::stage::ShelfGroup::{Lessons, Positions, Puzzles};
    match group {
        Lessons => "Lessons",
        Puzzles(None) => "Puzzles",
        Puzzles(Some(1)) => "Puzzles: first steps",
        Puzzles(Some(2)) => "Puzzles: for regulars",
        Puzzles(Some(_)) => "Puzzles: for masters",
        Positions => "Positions to play from",
    }
}

/// The name of a stage, with its number if it is a lesson: they follow each other.
pub(crate) fn in_order(group: crate::stage::ShelfGroup, nth: usize, name: &str) -> String {
    match group {
        crate::stage::ShelfGroup::Lessons => format!("{}. {name}", nth + 1),
        _ => name.to_owned(),
    }
}
pub(crate) const SET: &str = "Set";
pub(crate) const ANY: &str = "any";
pub(crate) const NO_SUCH_CARD: &str = "No cards match.";
pub(crate) const IN_DECKS: &str = "In these decks";
pub(crate) const OTHER_CARDS: &str = "Other cards";
pub(crate) const CARD_BEFORE: &str = "Previous";
pub(crate) const CARD_AFTER: &str = "Next";
pub(crate) const LEARN_TITLE: &str = "Lessons and puzzles";
pub(crate) const LEARN_HINT: &str = "Each opens a table of its own. This duel waits for you.";
pub(crate) const THEME: &str = "Theme";
pub(crate) const THEMES: [(&str, &str); 3] =
    [("", "follow the system"), ("dark", "dark"), ("light", "light")];
/// With what they deal in all if nobody counters.
pub(crate) fn attack_with_all(many: usize, deal: Option<i32>) -> String {
    let all = match many {
        2 => "both".to_owned(),
        _ => format!("all {many}"),
    };
    let deal = deal.map_or(String::new(), |hp| format!(" ({hp} in all)"));
    format!("Attack with {all}{deal}")
}

/// What would not be done any more if the phase ended so: who would stay back of those who could attack, what
/// would not be played or used in the other phases.
pub(crate) fn without(question: Question, names: &[String]) -> String {
    let all = match names {
        [] => return String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    };
    match (question, names) {
        (Question::Attack, [_]) => format!("{all} stays back"),
        (Question::Attack, _) => format!("{all} stay back"),
        _ => format!("unused: {all}"),
    }
}

const WHO_ELSE: &str = "Who else attacks?";
/// Where nobody is left to be asked for.
const BEGIN_THE_ATTACK: &str = "Begin the attack?";

/// Of an option of which nothing would come but its price.
pub(crate) const DOES_NOTHING: &str = "as things stand, this does nothing";
/// The same where it is asked what to pay with.
pub(crate) const PAYS_FOR_NOTHING: &str = "As things stand, this does nothing, whatever you pay with.";

pub(crate) const HOW_IT_WENT: &str = "How it went";
pub(crate) const LOOK_AT_THE_TABLE: &str = "Look at the table";
/// Above what the loser lost.
pub(crate) fn what_decided_it(mine: bool, other: &str) -> String {
    let whose = if mine { "your".to_owned() } else { whose(other) };
    format!("What decided it: {whose} losses")
}

pub(crate) const BIGGEST_MOMENTS: &str = "The biggest moments";
/// Before the moment at which the winner was nearest to losing.
pub(crate) fn closest(mine: bool, other: &str) -> String {
    let whom = if mine { "you" } else { other };
    format!("The closest moment for {whom}:")
}

/// After a blow: what was left.
pub(crate) fn left_over(hp: i32) -> String {
    format!(", {hp} HP left")
}

pub(crate) const PLOT_KEY: &str =
    "HP at the end of each turn; a cross in a player's colour marks a KO of their character";
pub(crate) const TURNS: &str = "Turns";

pub(crate) fn plot(turns: usize) -> String {
    format!("The HP of both players over {turns} turns")
}

pub(crate) const WHY_YOU_LOST: &str = "Why you lost";
pub(crate) fn why_they_lost(other: &str) -> String {
    format!("Why {other} lost")
}

pub(crate) fn their_ring(other: &str) -> String {
    format!("ring of {other}")
}

/// After the name of a card.
pub(crate) fn took(mine: bool, hp: i32, how: Strikes) -> String {
    let whose = if mine { "your" } else { "their" };
    let many = |many: usize, of: &str| match many {
        0 => None,
        1 => Some(format!("one {of}")),
        more => Some(format!("{more} {of}s")),
    };
    let leading = "leading a United Attack";
    if how.blows + how.effects == 1 {
        return match how.united {
            0 => format!("took {hp} of {whose} HP at once."),
            _ => format!("took {hp} of {whose} HP at once, {leading}."),
        };
    }
    let blows = many(how.blows, "blow").map(|blows| match how.united {
        0 => blows,
        all if all == how.blows => format!("{blows}, {leading}"),
        some => format!("{blows}, {some} of them {leading}"),
    });
    let effects = many(how.effects, "effect");
    match (blows, effects) {
        (Some(blows), Some(effects)) if how.united > 0 => {
            format!("took {hp} of {whose} HP, in {effects} and {blows}.")
        }
        (blows, effects) => {
            let how: Vec<String> = blows.into_iter().chain(effects).collect();
            format!("took {hp} of {whose} HP, in {}.", how.join(" and "))
        }
    }
}

fn turns_of(many: usize) -> &'static str {
    if many == 1 { "turn" } else { "turns" }
}

/// Before the numbers of turns.
pub(crate) fn open(mine: bool, hp: i32, many: usize) -> String {
    let whose = if mine { "your" } else { "their" };
    let turns = turns_of(many);
    format!("{hp} HP lost when nobody in {whose} ring could counter, in {turns}")
}

/// Before the numbers of turns.
pub(crate) fn idle(mine: bool, many: usize) -> String {
    let who = if mine { "You" } else { "They" };
    format!(
        "{who} could have played a card but did not, in {}",
        turns_of(many)
    )
}

pub(crate) fn left(mine: bool, sp: i32, cards: usize) -> String {
    let who = if mine { "You" } else { "They" };
    let cards = if cards == 1 {
        "a card".to_owned()
    } else {
        format!("{cards} cards")
    };
    format!("{who} still had {sp} SP and {cards} in hand.")
}

pub(crate) fn blow(mine: bool, card: Option<&str>, united: bool, other: &str) -> String {
    let whom = format!("to {}", if mine { "you" } else { other });
    card.map_or_else(|| whom.clone(), |card| format!("{whom}, {}", by(card, united)))
}

/// Who struck: alone, or leading others in a United Attack.
pub(crate) fn by(card: &str, united: bool) -> String {
    let others = if united { " and those who joined it" } else { "" };
    format!("by {card}{others}")
}

pub(crate) fn is_koed(card: Option<&str>) -> String {
    format!("{} is KOed", card.unwrap_or("A character"))
}

/// The name stands first: “the computer's The Shusher” reads badly.
pub(crate) fn koed(mine: bool, card: Option<&str>, other: &str) -> String {
    format!("{} ({})", is_koed(card), owner(mine, other))
}

// --- What the choices of a duel cost ----------------------------------------------------------------

pub(crate) const CHANCE_OF_WINNING: &str = "Your chance of winning";
pub(crate) const REVIEW_COMES: &str =
    "The computer is looking through your choices. What each one did to your chance will appear here …";
pub(crate) const LOOK_THROUGH: &str = "Show it on its own page";
pub(crate) const REVIEW_MEANS: &str = "As the computer sees it, knowing only what you knew then; \
     it makes mistakes, too. Select a point to see the moment before the choice.";
pub(crate) const NO_TURNING_POINT: &str = "None of your choices cost you much.";
pub(crate) const NOTHING_TO_REVIEW: &str = "You had no choice in this duel.";
pub(crate) const COSTLIEST: &str = "Which of your choices cost the most";
pub(crate) const COSTLY_KEY: &str = "one of your costliest choices, listed below";
pub(crate) const LARGEST_FALLS: &str = "Where your chance fell the most, turn by turn";
pub(crate) const WHAT_WOULD_COMPUTER_DO: &str = "What would the computer do?";
pub(crate) const THOUGHTS_MEAN: &str = "The chance of winning after each option, as the computer sees it \
     without looking at hidden cards; it makes mistakes, too.";
pub(crate) const LEFT_OUT: &str = "Left out, because it has no effect:";
pub(crate) const CHOSEN_HERE: &str = "chosen here";

/// A chance as people read it.
pub(crate) fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// A chance in the plot's description.
pub(crate) fn plot_of_chance(choices: usize) -> String {
    format!("Your chance of winning before each of {choices} choices")
}

/// What was chosen, what it cost, and what would have been better.
pub(crate) fn turning_point(what: &str, cost: f64, best: &str) -> String {
    format!(
        "{what}: cost {:.0} percentage points; better: {best}",
        cost * 100.0
    )
}

/// How the chance fell in a turn, and what of that was the player's own doing. Whole percents, so that they
/// add up.
pub(crate) fn fall(fall: &crate::review::Fall, other: &str) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and at most 100")]
    let whole = |part: f64| (part * 100.0).round() as i32;
    let (from, to, own) = (whole(fall.from), whole(fall.to), whole(fall.own));
    let rest = from - to - own;
    let luck = format!("luck and {} play", whose(other));
    let why = match (own, rest) {
        (0, _) => luck,
        (own, 0) => format!("your choices cost {own} percentage points"),
        (own, 1..) => format!("your choices cost {own} percentage points, {luck} {rest}"),
        (own, _) => format!(
            "your choices cost {own} percentage points, {luck} gave {} back",
            -rest
        ),
    };
    format!("{from} % → {to} %: {why}")
}

/// So many options that are one to the computer.
pub(crate) fn and_like_it(many: usize) -> String {
    match many {
        0 => String::new(),
        1 => ", and one like it".to_owned(),
        more => format!(", and {more} like it"),
    }
}

/// A turn of a replay, as a title.
/// Whether one's own characters and the other's were KOed in it.
pub(crate) fn turn_of_replay(number: u16, mine: bool, ko: [bool; 2]) -> String {
    let kos = match ko {
        [false, false] => "",
        [true, false] => ", with a KO of your character",
        [false, true] => ", with a KO of their character",
        [true, true] => ", with KOs on both sides",
    };
    format!("{}{kos}", turn(number, mine))
}

pub(crate) const HOME: &str = "Home";
pub(crate) const FRONT_HINT: &str = "Learn the game in three minutes, then beat the whole town.";
pub(crate) const YOUR_SEAT: &str = "Your seat";
pub(crate) const SEAT_WAITS: &str = "The duel waits for you; the other player can see that you are away.";
pub(crate) const HOW_TO_PLAY: &str = "How to play";

/// What a fight is, which *Help* tells first: attacks, and United Attacks.
pub(crate) fn fights(constants: &cw_duel::Constants) -> [(&'static str, String); 2] {
    let (followers, sp) = (constants.united_followers, -constants.united_sp);
    [
        (
            "Fights",
            "An attack costs no SP, and freezes the attacker until your next turn. \
             The opponent may counter each attack with one character, even a fresh one: \
             both deal their BP to each other, and a character at 0 is KOed. \
             An attack that nobody counters takes its BP from the opponent's HP. \
             Lost BP stays lost as long as the character is in the ring."
                .to_owned(),
        ),
        (
            "United Attacks",
            format!(
                "Up to {followers} characters can join an attack, for {sp} SP each: they all strike as one. \
                 Only the leader can be countered, \
                 and the damage left over pierces: it hits the opponent's HP."
            ),
        ),
    ]
}

/// The rules on one page: headings, and what they head.
pub(crate) fn rules(constants: &cw_duel::Constants) -> [(&'static str, String); 8] {
    let (hp, hand, slots) = (constants.hp, constants.opening_hand, constants.ring_slots);
    let (backups, gain) = (constants.backups_per_turn, constants.backup_bp);
    let times = if backups == 1 {
        "once".to_owned()
    } else {
        format!("{backups} times")
    };
    let [fights, united] = fights(constants);
    [
        (
            "Aim",
            format!(
                "You begin with {hp} HP and {hand} cards. Bring the opponent to 0 HP. \
                 A player who has to draw but has no cards left also loses."
            ),
        ),
        (
            "Cards",
            "Characters fight. The large number is BP: how hard a character hits, \
             and how much it can take; damage stays. \
             The number with a sign is SP: you gain a green one and pay a red one. \
             Actions are played in your Main phase, reactions while the opponent attacks."
                .to_owned(),
        ),
        (
            "Your ring",
            format!(
                "It has {slots} slots. A new character is fresh until your next turn: \
                 it cannot attack, but it can counter. A frozen one can do neither."
            ),
        ),
        (
            "Your turn",
            "Your characters unfreeze and you draw a card. \
             Main: play a character and any actions, use abilities, \
             put a card under a fighter to back it up. Then attack with any that can."
                .to_owned(),
        ),
        (
            "Back-ups",
            format!(
                "A character card of your hand can be put under a fighter of yours, {times} in a turn: \
                 the fighter gains {gain} BP. \
                 The icons at the fighter's foot are the places for back-ups, \
                 and say which subtype fits in each. \
                 Fresh and frozen fighters cannot be backed up."
            ),
        ),
        fights,
        united,
        (
            "Abilities",
            "Instant: once, when the character is played. Trigger: in your Main phase, at a cost. \
             Auto: by itself while the character is in the ring. \
             What a card says overrides these rules."
                .to_owned(),
        ),
    ]
}

pub(crate) const NEXT_OPPONENT: &str = "Next opponent";
pub(crate) const ALL_BEATEN: &str = "You have beaten them all";
pub(crate) const PLAY_THE_COMPUTER: &str = "Play against the computer";
pub(crate) const ABOUT_COMPUTER: &str = "Choose two decks and how well it plays.";
pub(crate) const DECKS_AND_LEVELS: &str = "Choose decks and a level";
pub(crate) const READ_THE_DECKS: &str = "Read the decks";
pub(crate) const LESSONS_AND_PUZZLES: &str = "All lessons and puzzles";
pub(crate) const WITH_A_FRIEND: &str = "With a friend";
pub(crate) const FINISHED_DUELS: &str = "Finished duels";
pub(crate) const MORE_WAYS: &str = "More";
pub(crate) const LADDER: &str = "All opponents, the easiest first";
pub(crate) const OPEN_ALL: &str = "Open all opponents";
pub(crate) const OPEN_IN_TURN: &str = "Go back to opening them one by one";
pub(crate) const OPENS_LATER: &str = "opens once you have beaten the one before";
pub(crate) const BEATEN: &str = "beaten";
/// Where a turn was over before anybody was asked.
pub(crate) const ENDED_BY_ITSELF: &str = "Your turn ended by itself: there was nothing left to do.";
/// In the title of the tab while the seat is asked.
pub(crate) const ASKED: &str = "Your turn";
pub(crate) const SILENT: &str = "The connection has gone quiet. Your answer is kept and will be sent again.";

pub(crate) fn challenge(name: &str) -> String {
    format!("Challenge {name}")
}

pub(crate) fn copies(copies: usize, card: &str) -> String {
    format!("{copies}× {card}")
}

pub(crate) fn beaten_of(beaten: usize, all: usize) -> String {
    format!("{beaten} of {all} beaten")
}
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const CANNOT_GO_ON: &str = "Unfinished, and cannot be continued";
pub(crate) const WHY_NOT_ON: &str = "The cards or rules have changed since these duels began, \
     so their choices no longer fit. \
     They are kept: once the game's files are as they were, you can continue them.";
pub(crate) const FORGET: &str = "Forget it";
pub(crate) const NEW_DUEL: &str = "New duel";
pub(crate) const OWN_DECK: &str = "Your deck";
pub(crate) const BROUGHT_DECK: &str = "A deck of your own";
pub(crate) const PASTE_A_DECK: &str = "Or paste a list of cards";
pub(crate) const LIST_OF_CARDS: &str = "One card per line, such as “3 Name of a card”";
pub(crate) const LEGAL_DECK: &str = "A legal deck.";
pub(crate) const ONLY_PEOPLE_JUDGE: &str =
    "Its cards and sections are there; only people know this game's deck rules.";
/// What whoever wants something of a forgotten deck reads.
pub const DECK_IS_GONE: &str = "That deck is not kept any more: perhaps it was forgotten in another tab.";
pub(crate) const ARENA: &str = "Arena";
pub(crate) const TRY_IN_ARENA: &str = "Try it in the arena";
pub(crate) const ARENA_IN_SHORT: &str = "Computers play it against the other decks";
pub(crate) const ABOUT_ARENA: &str = "Computers play this deck against the other decks of the game, \
     in pairs of duels: both duels of a pair have the same cards, and each deck goes first once.";
pub(crate) const ARENA_LEVEL: &str = "Who plays both sides";
pub(crate) const ARENA_PAIRS: &str = "Pairs against each deck";
pub(crate) const ARENA_START: &str = "Start the run";
pub(crate) const ARENA_STOP: &str = "Stop";
pub(crate) const ARENA_STOP_OTHER: &str = "Stop that run";
pub(crate) const ARENA_GO_ON: &str = "Go on";
pub(crate) const ARENA_RUNNING: &str = "Computers are playing.";
pub(crate) const ARENA_STOPPED: &str = "The run was stopped.";
pub(crate) const ARENA_DONE: &str = "All pairs have been played.";
pub(crate) const ARENA_BROKEN: &str = "A duel could not be played on, so the run ended early.";
pub(crate) const ARENA_PROGRESS: &str = "Pairs played";
pub(crate) const ARENA_CHANGED: &str =
    "The deck has changed since this run began. Start a new run to measure it as it is now.";
pub(crate) const ARENA_COMMAND: &str = "A run like this on the command line";
pub(crate) const ARENA_TABLE: &str = "Results against each deck";
pub(crate) const ARENA_AGAINST: &str = "Against";
pub(crate) const ARENA_WON: &str = "Won";
pub(crate) const ARENA_DRAWN: &str = "Drawn";
pub(crate) const ARENA_LOST: &str = "Lost";
pub(crate) const ARENA_SCORE: &str = "Score";
pub(crate) const ARENA_INTERVAL: &str = "Interval";
pub(crate) const ARENA_ALL: &str = "All decks";
pub(crate) const AHEAD: &str = "ahead";
pub(crate) const BEHIND: &str = "behind";
/// Why a run cannot begin.
pub fn cannot_run(name: &str, why: &str) -> String {
    format!("“{name}” cannot play in the arena: {why}.")
}
/// Why a run has to wait.
pub fn arena_is_busy(name: &str) -> String {
    format!("Computers are playing “{name}” in the arena now, and they play one deck at a time.")
}
pub(crate) fn pairs_played(played: u64, all: u64) -> String {
    format!("{played} of {all} pairs played, two duels each.")
}
/// The ends of an interval, in per cent.
pub(crate) fn interval(low: f64, high: f64) -> String {
    format!("{low:.0}–{high:.0} %")
}
pub(crate) fn about_intervals(done: bool) -> &'static str {
    match done {
        true => {
            "A draw counts as half a win. \
             The bar is the interval that holds the true score in 95 of 100 runs."
        }
        false => {
            "A draw counts as half a win. The bar is an interval that stays valid however often you look; \
             it is narrower when all pairs have been played."
        }
    }
}
/// The share of decided duels that the deck won which went first.
pub(crate) fn first_won(share: f64) -> String {
    format!(
        "The deck that went first won {:.0} % of the decided duels.",
        share * 100.0
    )
}
pub(crate) const COMPARE: &str = "Compare";
/// The title of the page on which two decks lie beside each other.
pub const COMPARE_DECKS: &str = "Compare decks";
pub(crate) const CHOOSE_TO_COMPARE: &str =
    "Choose two decks, or paste a list, to see what each has more of and what both share.";
pub(crate) const THIS_DECK: &str = "This deck";
/// Two decks of the same name, in a sentence: the one of the page and another one, or both as they were
/// chosen.
pub(crate) const NAMESAKES: [[&str; 2]; 2] = [
    ["the first deck", "the second deck"],
    ["this deck", "the other deck"],
];
pub(crate) const BESIDE: &str = "Beside";
pub(crate) const FIRST_DECK: &str = "First deck";
pub(crate) const SECOND_DECK: &str = "Second deck";
pub(crate) const CHOOSE_A_DECK: &str = "Choose a deck";
pub(crate) const YOUR_DECKS: &str = "Your decks";
pub(crate) const DECKS_OF_THE_GAME: &str = "Decks of the game";
/// What a deck is called that was pasted beside another one.
pub const PASTED_LIST: &str = "A pasted list";
pub(crate) const PASTE_A_LIST: &str = "Paste a list";
pub(crate) const LIST_TO_COMPARE: &str = "A list of cards, or the text of an .o8d file";
pub(crate) const LINES_LEFT_OUT: &str = "Not all of the list could be read:";
pub(crate) const IN_BOTH: &str = "In both";
pub(crate) const OTHER_DECK: &str = "The opponent's deck";
pub(crate) const OPPONENT: &str = "Opponent: the computer";
pub(crate) const WHO_BEGINS: &str = "Who goes first";
pub(crate) const FIRSTS: [(&str, &str); 3] = [("", "random"), ("me", "you"), ("them", "the opponent")];
pub(crate) const BEGIN_DUEL: &str = "Begin the duel";
pub(crate) const CARDS: &str = "Cards";
pub(crate) const WATCH_A_DUEL: &str = "Watch a finished duel";
pub(crate) const FREE_TABLE: &str = "The free table";
pub(crate) const ABOUT_FREE_TABLE: &str = "The same cards, moved by hand, without rules: \
     lay them out, try a deck, or play by rules of your own.";
pub(crate) const HOW_MANY: &str = "Who is playing?";
pub(crate) const SEATS: [(usize, &str); 4] = [
    (1, "Just me"),
    (2, "Two people"),
    (3, "Three people"),
    (4, "Four people"),
];
pub(crate) const OPEN_FREE_TABLE: &str = "Open the table";
pub(crate) const INVITE: &str = "Invite a friend";
pub(crate) const HOW_TO_INVITE: &str = "You get a link and a QR code. \
     The first person to open it sits down opposite you; neither of you sees the other's cards.";
pub(crate) const CHOOSE_AND_INVITE: &str = "Choose decks and make a link";
pub(crate) const FRIENDS_DECK: &str = "Your friend's deck";
pub(crate) const FIRSTS_OF_FRIENDS: [(&str, &str); 3] =
    [("", "random"), ("me", "you"), ("them", "your friend")];
pub(crate) const WHERE_IS_FRIEND: &str = "Where your friend plays";
pub(crate) const PLACES: [(&str, &str); 2] = [
    (
        "network",
        "on another device in this network; it can reach the table until you close the program",
    ),
    ("here", "on this machine, in another browser"),
];
pub(crate) const MAKE_LINK: &str = "Make a link";
pub(crate) const SEND_THIS_LINK: &str = "Send this link, or let your friend scan the code.";
pub(crate) const LINK_FOR_FRIEND: &str = "Link for your friend";
pub(crate) const LINK_IS_GOOD_ONCE: &str = "It works for one person only. \
     Do not open it yourself: you would take your friend's seat.";
pub(crate) const CODE_OF_LINK: &str = "The same link as a QR code";
pub(crate) const COPY: &str = "Copy";
pub(crate) const COPIED: &str = "Copied.";
pub(crate) const SHARE: &str = "Share";
pub(crate) const SHARE_PUZZLE: &str = "Share this puzzle";
/// Where the device has a way of its own to share a text.
pub(crate) const SHARE_BY: &str = "Share …";
pub(crate) const SHARE_HINT: &str = "Copy the text and send it to anybody. The link contains everything.";
pub(crate) const SHARE_STAGE: &str = "This puzzle";
pub(crate) const SHARE_DUEL: &str = "The whole duel";
pub(crate) const SHARE_MOMENT: &str = "This moment, to watch";
pub(crate) const SHARE_POSITION: &str = "This position, to play";
pub(crate) const SHARE_DECK: &str = "This deck";
pub(crate) const SHARE_RUN: &str = "This run";
pub(crate) const SHARE_CANNOT: &str = "This cannot be shared";
pub(crate) const NOT_SHARED_YET: &str =
    "a link shows both hands, so you can only make one when the duel is over";

pub(crate) fn quoted(name: &str) -> String {
    format!("“{name}”")
}

// Lines to be pasted tell no result and no solution.

pub(crate) fn share_stage(game: &str, name: &str, goal: Option<&str>, is_lesson: bool) -> String {
    match goal {
        Some(goal) => format!("{game}, puzzle “{name}”: {goal} Can you solve it?"),
        None if is_lesson => format!("{game}, lesson “{name}”."),
        None => format!("{game}, a position to play from: “{name}”."),
    }
}

pub(crate) fn share_duel(game: &str, pair: &str, turns: u16) -> String {
    format!(
        "{game}: {pair}, a duel of {turns} {}. Watch it:",
        turns_of(usize::from(turns))
    )
}

pub(crate) fn share_moment(game: &str, pair: &str, turn: u16) -> String {
    format!("{game}: {pair}, turn {turn}. Watch it from here:")
}

pub(crate) fn share_position(game: &str, pair: &str, turn: u16) -> String {
    format!("{game}: {pair}, turn {turn}. What would you do? Play on from here:")
}

pub(crate) fn share_deck(game: &str, name: &str) -> String {
    format!("{game}: the deck “{name}”. Try it:")
}

pub(crate) fn share_run(line: &str, over: bool) -> String {
    match over {
        true => format!("{line}. Look at the run:"),
        false => format!("{line}. Go on from here:"),
    }
}

pub(crate) const GO_ON_WITH_RUN: &str = "Open this run";
pub(crate) const REPLACE_RUN: &str = "Replace my run with this one";
pub(crate) const RUN_OF_ANOTHER: &str =
    "A run in a link is as its sender says: its duels were not played here.";

/// What is lost if a run from elsewhere is opened.
pub(crate) fn replaces_run(seed: &str, standing: &str) -> String {
    format!("You have a run {seed} of your own ({standing}). It is lost if you open this one.")
}

pub(crate) const LINK_TITLE: &str = "What the link contains";
pub(crate) const OPEN_A_LINK: &str = "Open a link";
pub(crate) const PASTE_A_LINK: &str = "Paste the link, or the message with it";
pub(crate) const OPEN: &str = "Open";
pub(crate) const WATCH_IT: &str = "Watch it";
pub(crate) const PLAY_ON_FROM_HERE: &str = "Play on from here";
pub(crate) const ITS_CARDS: &str = "Its cards";
pub(crate) const PLAY_THIS_DECK: &str = "Play this deck";
pub(crate) const LINK_NOT_OPENED: &str = "This link cannot be opened here";

/// What a link to a duel says of itself, also where it cannot be opened.
pub fn linked_duel(names: [&str; 2], choices: usize, at: usize, plays_on: bool) -> String {
    let choices = match choices {
        1 => "1 choice".to_owned(),
        many => format!("{many} choices"),
    };
    let pair = decks(&quoted(names[0]), &quoted(names[1]));
    match plays_on {
        true => format!("A position to play from: {pair}, after {choices}."),
        false if at == 0 => format!("A duel: {pair}, {choices}."),
        false => format!("A duel: {pair}, {choices}, shown from choice {at} on."),
    }
}

pub(crate) fn linked_stage(name: &str) -> String {
    format!("The lesson or puzzle “{name}”.")
}

pub(crate) const LINKED_SCENARIO: &str = "Somebody's own scenario.";

pub(crate) fn linked_package(bytes: usize) -> String {
    format!("A whole game of {} kB.", bytes.div_ceil(1000))
}

pub(crate) fn linked_deck(name: &str, cards: usize) -> String {
    format!("The deck “{name}”, {cards} cards.")
}

/// What a link to a run says of itself: only its seed, since the rest is read in its game.
pub(crate) fn linked_run(record: &str) -> String {
    let seed = record.split('.').next().unwrap_or_default();
    match seed.parse::<cw_run::RunSeed>() {
        Ok(seed) => format!("The run {seed}, as far as it has come."),
        Err(_) => "A run.".to_owned(),
    }
}

pub(crate) const YOUR_NAME: &str = "Your name (if you like):";

/// The other player as the page calls them everywhere: by name, or by what they are.
pub(crate) fn other(who: crate::table::SeatPlayer, name: Option<&str>) -> String {
    match (who, name) {
        (crate::table::SeatPlayer::Person, Some(name)) => name.to_owned(),
        (crate::table::SeatPlayer::Person, None) => "the opponent".to_owned(),
        (crate::table::SeatPlayer::Computer(_), Some(name)) => name.to_owned(),
        (crate::table::SeatPlayer::Computer(_), None) => "the computer".to_owned(),
    }
}

/// Whose something is.
fn whose(other: &str) -> String {
    format!("{other}'s")
}

/// A sentence that speaks of “the opponent”, with the other player called as everywhere. Only for sentences
/// that the game makes: on a card of the other player “the opponent” is the reader.
pub(crate) fn calling(words: &str, other: &str) -> String {
    words
        .replace("The opponent", &capital(other))
        .replace("the opponent", other)
}

/// An option's label with the other player called as everywhere, where it is the player who is chosen.
pub(crate) fn called(label: &str, choice: Choice, other: &str) -> String {
    match choice {
        Choice::Player(_) | Choice::Zone(_) | Choice::Type(_) => calling(label, other),
        _ => label.to_owned(),
    }
}

/// While a computer takes its time.
pub(crate) fn thinks(other: &str) -> String {
    format!("{} is thinking", capital(other))
}

/// A person, at the beginning of a sentence.
fn somebody(name: Option<&str>) -> &str {
    name.unwrap_or("The other player")
}

pub(crate) fn has_sat_down(name: Option<&str>) -> String {
    format!("{} has sat down.", somebody(name))
}

/// A word for tests and styles, and what people read.
pub(crate) fn presence(presence: crate::presence::Presence) -> (&'static str, &'static str) {
    use crate::presence::Presence;
    match presence {
        Presence::Here => ("here", "here"),
        Presence::Reconnecting => ("reconnecting", "reconnecting"),
        Presence::Away(_) => ("away", "away since"),
        Presence::NotYet => ("not-yet", "not here yet"),
    }
}

pub(crate) fn all_cards(many: usize) -> String {
    format!("All {many} cards")
}

/// Two decks that play against each other, in words.
pub fn decks(own: &str, other: &str) -> String {
    format!("{own} against {other}")
}

pub(crate) fn against(who: crate::table::SeatPlayer, name: Option<&str>) -> String {
    match (who.level(), name) {
        (Some(_), Some(name)) => format!("against {name}"),
        (Some(level), None) => format!("against the computer, {}", level.name()),
        (None, Some(name)) => format!("against {name}"),
        (None, None) => "against a friend".to_owned(),
    }
}

pub(crate) fn in_turn(turn: u16) -> String {
    format!("turn {turn}")
}

pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const SHOW_SPEED: &str = "Show what others do";
pub(crate) const SHOW_SPEEDS: [(&str, &str); 4] = [
    ("slow", "slowly"),
    ("normal", "at normal speed"),
    ("fast", "fast"),
    ("off", "at once"),
];
pub(crate) const TEXT_SIZE: &str = "Text";
pub(crate) const TEXT_SIZES: [(&str, &str); 3] = [("", "normal"), ("large", "large"), ("largest", "largest")];
pub(crate) const VOLUME: &str = "Volume of blows and endings";
pub(crate) const VOLUME_OF_TABLE: &str = "Volume of cards and turns";
pub(crate) const SOUND_HINT: &str = "Sound on or off";
pub(crate) const SOUND: &str = "Sound";
/// The switch among the tools, where a word more would need a second row.
pub(crate) const SOUND_SIGN: &str = "♪";
pub(crate) const HELP: &str = "Help";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const MARKS_ON_CARDS: &str = "Marks on cards";
pub(crate) const THE_GAME: &str = "The game";
pub(crate) const THE_GAME_IN_SHORT: &str = "Bring the opponent to 0 HP. \
     In your Main phase, play one character and any actions, then attack. \
     You gain the SP in a green number and pay the SP in a red one.";
/// Where it is asked who attacks or counters: leads to *Help*.
pub(crate) const HOW_A_FIGHT_GOES: &str = "How fights work";

/// What is said once, where something can be done for the first time: a word to remember it by, and what it
/// is.
pub(crate) fn hint(question: Question, back_up: bool) -> Option<(&'static str, &'static str)> {
    Some(match question {
        Question::Main if back_up => ("back-up", "New: a back-up goes under a fighter, for more BP."),
        Question::Main => ("main", "Play a character: the green number is SP you gain."),
        Question::Attack => ("attack", "New: attackers freeze, and cannot counter next turn."),
        Question::CounterAttack => ("counter", "New: a counter stops one attack; both deal their BP."),
        _ => return None,
    })
}
pub(crate) const UNDERSTOOD: &str = "Got it";
/// For fingers.
pub(crate) const HELP_TOUCH: [(&str, &str); 4] = [
    ("Tap", "a card that glows: play it, attack or choose with it"),
    (
        "Hold",
        "a finger on a card to read it; tap next to it to close it",
    ),
    ("Coloured", "the button to continue: end the phase, pass, done"),
    ("Log", "below the table: what happened so far"),
];
pub(crate) const WITH_A_FINGER: &str = "With a finger";
/// For a mouse.
pub(crate) const HELP_MOUSE: [(&str, &str); 3] = [
    ("Click", "a card that glows: play it, attack or choose with it"),
    (
        "Point",
        "at a card to read it; click one that does not glow to keep it in view",
    ),
    ("Drag", "a card to where it should go"),
];
pub(crate) const WITH_A_MOUSE: &str = "Mouse and keys";
pub(crate) const HELP_KEYS: [(&str, &str); 11] = [
    ("1 – 9", "choose an option"),
    ("Space", "continue: end the phase, pass, done"),
    ("Esc", "back out, or close what is open"),
    ("Arrows", "move between cards"),
    ("A", "attack with all"),
    ("Enter", "play, attack or choose the card"),
    ("Z", "undo"),
    ("F", "full control"),
    ("L", "the log"),
    ("T", "what the engine did last"),
    ("?", "this help"),
];
pub(crate) const ASK_BACK: &str = "Take back?";
pub(crate) const ASK_BACK_HINT: &str =
    "The other player is asked whether you may take your last choice back.";
pub(crate) const ASK_BACK_YES: &str = "Ask";

pub(crate) fn other_asks_back(name: Option<&str>) -> String {
    format!("{} would like to take this back:", somebody(name))
}

pub(crate) fn other_offers_draw(name: Option<&str>) -> String {
    format!("{} offers a draw.", somebody(name))
}

pub(crate) fn wants_rematch(name: Option<&str>, swap: bool) -> String {
    let how = if swap {
        "again, with the decks swapped"
    } else {
        "again"
    };
    format!("{} would like to play {how}.", somebody(name))
}

pub(crate) fn rematch_refused(name: Option<&str>) -> String {
    format!("{} does not want to play again now.", somebody(name))
}

pub(crate) const AGREE_TO_REMATCH: &str = "Play again";
pub(crate) const RATHER_SAME: &str = "Keep the same decks instead";
pub(crate) const RATHER_SWAP: &str = "Swap decks instead";
pub(crate) const NO_REMATCH: &str = "Not now";
pub(crate) const OFFER_DRAW: &str = "Offer a draw";
pub(crate) const DRAW_MEANS: &str = "Or ask the other player to call it a draw.";
pub(crate) const ACCEPT_DRAW: &str = "Accept the draw";
pub(crate) const WAITING_FOR_DRAW: &str = "You have offered a draw. Waiting for the other player.";
pub(crate) const AGREED_DRAW: &str = "You agreed to a draw.";
pub(crate) const LET_BACK: &str = "Allow it";
pub(crate) const PLAY_ON: &str = "Play on";
pub(crate) const NEVER_MIND: &str = "Never mind";
pub(crate) const WAITING_FOR_CONSENT: &str =
    "You asked to take back your choice. Waiting for the other player.";
pub(crate) const ASKING_REFUSED: &str = "The other player would rather play on.";
pub(crate) const SHUFFLED_ANEW: &str =
    "Something was taken back: the cards nobody had seen are shuffled again.";
pub(crate) const RESHUFFLE_HINT: &str =
    "Something has been revealed since: the cards nobody has seen are shuffled again";
pub(crate) const RESHUFFLE_EXPLAINED: &str = "The host has already chosen its part, as this digest shows; \
     your page and the other player's page each add one. \
     When the duel is over, all of them are shown.";
pub(crate) const CONCEDE: &str = "Concede";
pub(crate) const CONCEDE_QUESTION: &str = "Give up this duel?";
pub(crate) fn concede_means(other: &str) -> String {
    format!("{} wins at once.", capital(other))
}

pub(crate) const CONCEDE_YES: &str = "Concede the duel";
pub(crate) const CONCEDE_NO: &str = "Play on";
pub(crate) const LOST: &str = "The connection was lost. Trying again.";
pub(crate) const NOT_TRIED: &str = "not tried out: it takes too long";
pub(crate) const SIT_DOWN: &str = "Sit down";
pub(crate) const LEARN_FIRST: &str = "Learn first";
pub(crate) const LEARN_FIRST_HINT: &str = "A lesson that takes a few minutes; Home brings you back here.";
pub(crate) const SIT_DOWN_TO_SHUFFLE: &str = "The cards are shuffled when both players have sat down.";
pub(crate) const WAITING_FOR_SHUFFLE: &str = "You have sat down. Waiting for the other player.";
pub(crate) const HOW_IT_IS_SHUFFLED: &str = "Why nobody can cheat in the shuffle";
pub(crate) const SHUFFLE_EXPLAINED: &str = "The host has chosen a secret number, \
     and the digest below commits it to that number. \
     Your page and the other player's page each choose a number, too, and send only its digest at first. \
     Once all three digests are shown, the pages send their numbers, and the shuffle follows from all three. \
     Nobody can choose or predict it alone. \
     When the duel is over, you are shown everything, and your page checks it.";
pub(crate) const COMMITMENT: &str = "Digest of the host's secret:";
pub(crate) const OWN_DIGEST: &str = "Digest of your part (leave both empty to have them made for you):";
pub(crate) const DIGEST_OF_YOURS: &str = "Digest of your part:";
pub(crate) const DIGEST_OF_OTHER: &str = "Digest of the other player's part:";
pub(crate) const OWN_PART: &str = "Your part:";
pub(crate) const SHOW_OWN_PART: &str = "Show your part of the shuffle";
pub(crate) const ALL_ARE_BOUND: &str = "Everybody is here. The cards are shuffled.";
pub(crate) const OWN_PART_IS_LOST: &str = "This browser no longer has your part of the shuffle. Show an \
    empty part to start the shuffle over.";
pub(crate) const DIGESTS_CHANGED: &str = "The digests of the shuffle are not the ones you were shown before. \
    Your page keeps its part secret: ask whoever runs the host.";
pub(crate) const SHUFFLE_FITS: &str =
    "Your page has checked it: everybody used the part they had committed to.";
pub(crate) const SHUFFLE_IS_WRONG: &str =
    "Your page has checked it, and it does not match: the shuffle was not made as shown.";
pub(crate) const SHUFFLE_UNSEEN: &str =
    "Everything shown matches, but this browser did not see the digests before the shuffle.";
pub(crate) const WAITING_FOR_PARTS: &str = "Taking back: waiting for both parts of the new shuffle.";
/// Why the shuffle begins anew.
pub(crate) fn shuffle_spoilt(by_reader: bool) -> &'static str {
    match by_reader {
        true => "Your part of the shuffle did not match its digest: the shuffle starts over.",
        false => "The other player's part of the shuffle did not match its digest: the shuffle starts over.",
    }
}

pub(crate) const HOW_IT_WAS_SHUFFLED: &str = "How it was shuffled";
pub(crate) const SEED_WAS_CHOSEN: &str = "The person who started the table chose the seed.";
pub(crate) const SEED_WAS_DRAWN: &str = "The seed was drawn by the operating system.";
pub(crate) const SEED_WAS_AGREED: &str = "The seed was made from a secret of the host and a part from each \
    player. All three were fixed by their digests before anybody showed theirs.";
pub(crate) const HOST_PART: &str = "The host's secret:";
pub(crate) const CHECK_COMMITMENT: &str = "This prints the digest of the secret:";
pub(crate) const CHECK_SEED: &str = "This prints the seed:";
pub(crate) const SEED: &str = "Seed:";
pub(crate) const NEXT_COMMITMENT: &str = "Digest of the host's secret for the next duel:";
pub(crate) const CONNECTED: &str = "Connected again.";
pub(crate) const UNREAD: &str = "The table does not answer. Try it again in a moment.";
pub(crate) const NO_ANSWER: &str = "The table does not answer. Trying again as soon as it does.";
pub(crate) const QUESTION_CHANGED: &str = "The question has changed, so nothing was answered.";
pub(crate) const REPLAY: &str = "Replay";
pub(crate) const BACK_TO_TABLE: &str = "Back to the table";
pub(crate) const FIRST: &str = "First";
pub(crate) const EARLIER: &str = "Earlier";
pub(crate) const LATER: &str = "Later";
pub(crate) const LAST: &str = "Last";
pub(crate) const RUN: &str = "Play";
pub(crate) const GO: &str = "Go";
pub(crate) const SPEED: &str = "Speed";
/// How fast a replay runs: milliseconds for a step.
pub(crate) const SPEEDS: [(&str, u16); 4] = [("½×", 2000), ("1×", 1000), ("2×", 500), ("4×", 250)];
/// Which moment of a replay.
pub(crate) fn step_of(step: usize, last: usize) -> String {
    format!("{step} of {last} · ×: KO")
}

pub(crate) const MOMENT: &str = "Moment of the duel";
pub(crate) const OTHER_SIDE: &str = "Other side";
pub(crate) const OWN_SIDE: &str = "Own side";
pub(crate) const PLAY_FROM_HERE: &str = "Take over from here";
pub(crate) const FIND_A_CARD: &str = "Find a card";
pub(crate) const NOBODY_LOOKS: &str = "Nobody may look through a deck.";
pub(crate) const KNOWN_TO_YOU: &str = " Known to you, from the top:";
pub(crate) const EMPTY_PILE: &str = "Nothing yet.";
pub(crate) const UNKNOWN_CARD: &str = "unknown card";
pub(crate) const SHOWN_TO_YOU: &str = "Shown to you";
pub(crate) const PUT_AWAY: &str = "Hide";
pub(crate) const READ_THE_CARD: &str = "Read the card";

/// Opens the cards that were shown.
pub(crate) fn look_at(cards: usize) -> String {
    match cards {
        1 => "Look at it".to_owned(),
        many => format!("Look at {many} cards"),
    }
}
pub(crate) const PHASES: &str = "Phases";
pub(crate) const FULL_CONTROL: &str = "Full control";
pub(crate) const FULL_CONTROL_HINT: &str = "Ask me in every phase (F)";
pub(crate) const STOP_HINT: &str = "Stop here even if there is nothing to do";
pub(crate) const PLAYED_CARDS: &str = "Cards being played";
/// The same as a mark on their place, and where there is little room.
pub(crate) const BEING_PLAYED: [&str; 2] = ["being played", "played"];
pub(crate) const YOU: &str = "You";
pub(crate) const YOUR_TURN: &str = "your turn";
pub(crate) const THEIR_TURN: &str = "their turn";
pub(crate) const CHOOSE_WHAT: &str = "Choose what to do";

pub(crate) const HAS_ABILITY_OF: &str = "Has the ability of ";

pub(crate) fn seat_digest(seat: usize) -> String {
    format!("Digest of the part of player {seat}:")
}

pub(crate) fn seat_part(seat: usize) -> String {
    format!("Part of player {seat}:")
}

pub(crate) fn owner(mine: bool, other: &str) -> String {
    if mine { "yours".to_owned() } else { whose(other) }
}

pub(crate) fn printed(bp: i32) -> String {
    format!("(printed {bp})")
}

pub(crate) fn backed_up_by(name: &str) -> String {
    format!("Backed up by {name}.")
}

pub(crate) const BACK_UP: &str = " back-up";

pub(crate) const EXPLAIN_HINT: &str = "Where does this number come from?";
pub(crate) const EXPLAINED: &str = "Explanation";
pub(crate) const TRACE: &str = "What the engine did last";
pub(crate) const FOR_AUTHORS: &str = "For authors of cards";
pub(crate) const TRACE_LINK: &str = "What the engine did last, statement by statement";
pub(crate) const NO_TRACE: &str = "No card's rule ran for you in the last step.";
pub(crate) const NO_REQUISITE: &str = "a requisite is missing";
pub(crate) const TARGET_FOUND: &str = "target found";
pub(crate) const NOTHING: &str = "nothing";
/// A value that could tell of cards which the reader does not see.
pub(crate) const HIDDEN_VALUE: &str = "? (shown when the duel is over)";

pub(crate) fn result_of_step(result: cw_duel::StepResult) -> &'static str {
    use cw_duel::StepResult;
    match result {
        StepResult::Condition(true) => "condition holds",
        StepResult::Condition(false) => "condition does not hold",
        StepResult::Targets(_) => "targets found",
        StepResult::NoTargets => "no targets: it stops here",
        StepResult::Effect(true) => "done",
        StepResult::Effect(false) => "failed",
        StepResult::Skipped => "skipped",
        StepResult::Paid => "costs paid",
        StepResult::Unpaid => "costs not paid",
        StepResult::Reverted => "what it gave is taken back",
    }
}

pub(crate) const COSTS_NOW: &str = "Played now: ";
/// The same of a card that cannot be played now.
pub(crate) const COSTS_THEN: &str = "When played: ";

pub(crate) fn cost_now(sp: i32) -> String {
    format!("{} SP", cw_words::signed(sp))
}

/// How the refusal ends whose reason is a mark on the card.
pub(crate) const IS_FROZEN: &str = " is frozen.";

/// How the refusal ends whose reason is that the character came in this turn, and what that means for its
/// player.
pub(crate) const IS_FRESH: [&str; 2] = [" is fresh.", " is fresh: it cannot attack before your next turn."];

/// What a mark on a character means.
pub(crate) fn mark(word: &str) -> &'static str {
    match word {
        "fresh" => {
            "Fresh: it entered the ring in its player's latest turn. \
             It can counter now, and attack from its next turn on."
        }
        "frozen" => {
            "Frozen: it cannot attack, counter or use a trigger ability until it unfreezes, \
             normally at the start of its player's next turn."
        }
        "ability used" => "Its ability was used this turn.",
        "leads" => "Leads the United Attack.",
        "attacks" => "Attacks.",
        "joins" => "Follows in the United Attack.",
        "counters" => "Counters an attack.",
        "no ability" => "Its ability is lost.",
        _ => "",
    }
}

/// What the cards under a character do.
pub(crate) fn backed_up(bp: i32) -> String {
    format!("Cards under it that back it up: each gave {bp} BP.")
}

/// How a deck plays, in a line: what it has more of than the other decks, and whose cards they are.
pub(crate) fn manner_of_deck(traits: &[&str], subtypes: &[&str]) -> String {
    let whose = match subtypes {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two, ..] => format!("{one}, {two}"),
    };
    match (traits.is_empty(), whose.is_empty()) {
        (true, _) => whose,
        (false, true) => capital(&traits.join(", ")),
        (false, false) => format!("{} · {whose}", capital(&traits.join(", "))),
    }
}

/// Whether a deck has more or less of something than the others, in words: its mean, first less, then more.
pub(crate) const TRAITS: [[&str; 2]; 5] = [
    ["many small fighters", "strong fighters"],
    ["mostly fighters", "many tricks"],
    ["cards that cost SP", "cards that give SP"],
    ["few back-ups", "many back-ups"],
    ["abilities that last", "abilities that act at once"],
];

/// The letters of a back-up icon, as faces show them.
pub(crate) fn backup_icon(subtype: &str) -> String {
    subtype.chars().take(2).collect()
}

/// Which back-up icons a card has.
pub(crate) fn backup_names(subtypes: &[&str]) -> String {
    let once = |at: &usize| !subtypes[..*at].contains(&subtypes[*at]);
    let names: Vec<String> = (0..subtypes.len())
        .filter(once)
        .map(|at| {
            let times = subtypes.iter().filter(|other| **other == subtypes[at]).count();
            match times {
                1 => subtypes[at].to_owned(),
                more => format!("{more}× {}", subtypes[at]),
            }
        })
        .collect();
    format!("back-up icons: {}", names.join(", "))
}

/// What they mean.
pub(crate) fn backup_icons(subtypes: &[&str], bp: i32) -> String {
    let names = capital(&backup_names(subtypes));
    match subtypes {
        [] | [_] => format!("{names}. A card of that kind can back it up and gives {bp} BP."),
        _ => format!("{names}. Each icon takes one card of its kind as a back-up, which gives {bp} BP."),
    }
}

/// A slot as its reader counts: from the left, also in the ring of the other, which is drawn from the right.
pub(crate) fn from_the_left(slot: usize, slots: usize, own: bool) -> usize {
    if own { slot + 1 } else { slots.saturating_sub(slot) }
}

pub(crate) fn slot(number: usize, empty: bool) -> String {
    format!("slot {number}{}", if empty { ", empty" } else { "" })
}

pub(crate) fn hp_of(hp: i32, full: i32) -> String {
    format!("{hp} of {full} HP")
}

/// Where the cards of one's hand would lie.
pub(crate) const NO_CARDS: &str = "no cards in your hand";

pub(crate) fn hand(mine: bool, cards: usize, other: &str) -> String {
    let whose = if mine { "your".to_owned() } else { whose(other) };
    format!("{whose} hand, {cards} cards")
}

/// A pile as a button: what it shows, and whose it is.
pub(crate) fn count_of_pile(mine: bool, name: PileName, cards: usize, other: &str) -> String {
    let whose = owner(mine, other);
    format!("{cards} {}, {whose}", pile(name))
}

/// Whose pile, as a heading.
pub(crate) fn whose_pile(mine: bool, name: PileName, other: &str) -> String {
    let whose = if mine {
        "Your".to_owned()
    } else {
        capital(&whose(other))
    };
    format!("{whose} {}", pile(name).to_lowercase())
}

pub(crate) fn opponent(who: crate::table::SeatPlayer, name: Option<&str>) -> &str {
    match who {
        crate::table::SeatPlayer::Person => name.unwrap_or("Opponent"),
        crate::table::SeatPlayer::Computer(_) => name.unwrap_or("Computer"),
    }
}

/// How far back it goes.
pub(crate) fn steps_back(steps: usize) -> String {
    match steps {
        1 => "Nothing else has been chosen since.".to_owned(),
        more => format!("It goes back {more} choices, whoever made them."),
    }
}

pub(crate) fn decides(other: &str) -> String {
    format!("{} decides.", capital(other))
}

pub(crate) fn versus(own: &str, other: &str) -> String {
    format!("You play “{own}” against “{other}”.")
}

pub(crate) fn turn(number: u16, mine: bool) -> String {
    format!("{}{}", turn_number(number), whose_turn(mine))
}

pub(crate) fn turn_number(number: u16) -> String {
    format!("Turn {number}")
}

pub(crate) fn whose_turn(mine: bool) -> &'static str {
    if mine { " · yours" } else { " · theirs" }
}

pub(crate) fn result(won: Option<bool>) -> &'static str {
    match won {
        Some(true) => "You win",
        Some(false) => "You lose",
        None => "A draw",
    }
}

pub(crate) fn in_numbers(turn: u16, mine: i32, theirs: i32) -> String {
    let turns = if turn == 1 {
        "1 turn".to_owned()
    } else {
        format!("{turn} turns")
    };
    format!("{turns}; {mine} HP to {theirs}.")
}

pub(crate) fn choose(name: &str, summary: &str) -> String {
    format!("Choose {name}. {summary}")
}

pub(crate) fn automatic(count: usize) -> String {
    format!("{count} automatic")
}

pub(crate) fn ask_again(card: &str, yes: bool) -> String {
    format!("{card}: always {}. Ask me again", if yes { "yes" } else { "no" })
}

pub(crate) fn nothing_matches(card: &str) -> String {
    format!("{card} finds nothing to act on.")
}

/// From where cards are that were shown.
pub(crate) fn shown(mine: bool, name: PileName, other: &str) -> String {
    let whose = if mine { "your".to_owned() } else { whose(other) };
    format!("Shown from {whose} {}:", pile(name).to_lowercase())
}

/// The same of cards that lie open.
pub(crate) const SHOWN: &str = "Shown:";

pub(crate) fn progress(chosen: u8, min: u8, max: u8) -> String {
    match (min, max) {
        _ if min == max => format!("{chosen} of {max}"),
        (_, u8::MAX) if min == 0 => format!("{chosen} chosen, as many as you like"),
        (_, u8::MAX) => format!("{chosen} chosen, at least {min}"),
        (0, _) => format!("{chosen} of up to {max}"),
        _ => format!("{chosen} of {min} to {max}"),
    }
}

pub(crate) const NEXT_PUZZLE: &str = "Next puzzle";
pub(crate) const SHOW_A_HINT: &str = "Show a hint";
pub(crate) const SHOW_THE_SOLUTION: &str = "Show the solution";
pub(crate) const STEP_THROUGH: &str = "Step through the solution";
pub(crate) const REAL_DUEL: &str = "Play a whole duel";
/// Beside an answer that a lesson does not take now.
pub(crate) const NOT_YET: &str = "later";
pub(crate) const GO_ON_LEARNING: &str = "Keep learning";

/// What the button says that ends a choice of several; “{n}” stands for how many.
#[derive(Debug)]
pub(crate) struct Collecting {
    pub(crate) none: &'static str,
    pub(crate) some: &'static str,
}

impl Collecting {
    pub(crate) fn of(question: Question) -> Collecting {
        let (none, some) = match question {
            Question::Discard { .. } => ("Discard none", "Discard these {n}"),
            Question::DiscardCost { .. } => ("Pay with none", "Pay: discard these {n}"),
            Question::SacrificeCost { .. } => ("Sacrifice none", "Pay: sacrifice these {n}"),
            Question::Target { .. }
            | Question::Main
            | Question::Attack
            | Question::CounterAttack
            | Question::SlotFor(_)
            | Question::BackUpWhom(_)
            | Question::JoinWhom(_)
            | Question::BlockWhom(_)
            | Question::Player
            | Question::Zone
            | Question::Type
            | Question::WhichAction
            | Question::May(_)
            | Question::Optional
            | Question::TopOrBottom
            | Question::Prophecy { .. }
            | Question::Coin
            | Question::MoveToSlot(_) => ("Choose none", "Continue with these {n}"),
        };
        Collecting { none, some }
    }
}

/// “{n}” stands for how many are missing.
pub(crate) const CHOOSE_MORE: &str = "Choose {n} more";

pub(crate) fn choose_more(missing: usize) -> String {
    CHOOSE_MORE.replace("{n}", &missing.to_string())
}

/// How many may be chosen together, after “2 of”.
pub(crate) fn collected_of(min: usize, max: usize) -> String {
    match min {
        _ if min == max => max.to_string(),
        0 => format!("up to {max}"),
        _ => format!("{min} to {max}"),
    }
}

pub(crate) fn collected(chosen: usize, min: usize, max: usize) -> String {
    format!("{chosen} of {}", collected_of(min, max))
}

/// A card whose face the chooser does not see.
pub(crate) fn unknown_card(number: usize) -> String {
    format!("Card {number}")
}

/// The question, its first letter large. How many are chosen stands below it.
pub(crate) fn question(reader: EventReader<'_>, decision: &Decision, other: &str) -> String {
    let words = capital(&cw_words::question(reader, decision));
    // What stands in brackets may be a card's own words.
    let words = match words.split_once(" (") {
        Some((begin, rest)) => format!("{} ({rest}", calling(begin, other)),
        None => calling(&words, other),
    };
    let attacks_already = |duel: &cw_duel::Duel| {
        let view = duel.view(decision.seat);
        let mut own = view.players[decision.seat].ring.iter().flatten();
        own.any(|fighter| fighter.attacks)
    };
    let words = match decision.question {
        Question::Type => words.replace("what do you choose?", WHOM_OR_WHAT),
        Question::Attack if attacks_already(reader.duel) => {
            let more = |choice: &Choice| matches!(choice, Choice::Attack(_) | Choice::Join(_));
            let asks = if decision.options.iter().any(more) {
                WHO_ELSE
            } else {
                BEGIN_THE_ATTACK
            };
            words.replace("Who attacks?", asks)
        }
        _ => words,
    };
    // A card's own words keep their case and come after its name.
    match decision.question.counts().filter(|(_, _, max)| *max > 1) {
        Some(_) => match words.rsplit_once(" (") {
            Some((begin, _)) if begin.ends_with('?') => begin.to_owned(),
            Some((begin, _)) => format!("{begin}."),
            None => words,
        },
        None => words,
    }
}

// --- Cards ---------------------------------------------------------------------------------------

/// What a card with an effect asks before it asks for the target itself.
const WHOM_OR_WHAT: &str = "who or what is it for?";

/// A sentence of the log as the page tells it: the eye finds the slot.
pub(crate) fn told(words: &str, event: &DuelEvent, other: &str) -> String {
    let words = match event {
        DuelEvent::Played { slot: Some(slot), .. } => words.replace(&format!(" in slot {}.", slot + 1), "."),
        _ => words.to_owned(),
    };
    calling(&words, other)
}

/// What a button for this choice says. Equal words mean equal consequences.
pub(crate) fn option(
    reader: EventReader<'_>,
    decision: &Decision,
    view: &DuelView,
    choice: Choice,
) -> String {
    let name = |card: CardId| reader.card(card);
    match choice {
        Choice::Pass => pass(decision, view).into(),
        Choice::Play(card) => format!("Play {}{}", name(card), price(reader, card)),
        Choice::BackUp(card) => format!("Back up with {}", name(card)),
        Choice::Activate(card) => match ability_name(reader, view, card) {
            Some(ability) => format!("{}: ■ {ability}", name(card)),
            None => format!("Use the ability of {}", name(card)),
        },
        Choice::Attack(card) => format!("Attack with {}", name(card)),
        Choice::Join(card) => format!("{} joins a United Attack", name(card)),
        Choice::CancelAttack(card) => format!("Call {} back", name(card)),
        Choice::Block(card) => format!("Counter with {}", name(card)),
        Choice::CancelBlock(card) => format!("Do not counter with {}", name(card)),
        Choice::Slot(slot) => format!("Slot {}", slot + 1),
        Choice::Card(card) => name(card),
        Choice::Yes => "Yes".into(),
        Choice::No => "No, leave it".into(),
        Choice::Top => "On top of the deck".into(),
        Choice::Bottom => "At the bottom of the deck".into(),
        Choice::Done
            if decision
                .question
                .counts()
                .is_some_and(|(chosen, _, _)| chosen == 0) =>
        {
            CHOOSE_NONE.into()
        }
        Choice::Done => "Done choosing".into(),
        Choice::Decline => UNDO.into(),
        Choice::Action(_) => action(reader, decision, choice),
        Choice::Copy(_)
        | Choice::Player(_)
        | Choice::Zone(_)
        | Choice::Type(_)
        | Choice::Heads
        | Choice::Tails => capital(&cw_words::choice(reader, decision, choice)),
    }
}

/// What an answer does, where its button only says a name or yes: for those who do not see the question.
pub(crate) fn done(reader: EventReader<'_>, decision: &Decision, choice: Choice) -> Option<String> {
    let name = |card: CardId| reader.card(card);
    let source = decision.source.map(name);
    Some(match (decision.question, choice) {
        (Question::DiscardCost { .. } | Question::Discard { .. }, Choice::Card(card)) => {
            format!("Discard {}", name(card))
        }
        (Question::SacrificeCost { .. }, Choice::Card(card)) => format!("Sacrifice {}", name(card)),
        (Question::BackUpWhom(with), Choice::Card(card)) => {
            format!("Back up {} with {}", name(card), name(with))
        }
        (Question::BlockWhom(with), Choice::Card(card)) => {
            format!("Counter {} with {}", name(card), name(with))
        }
        (Question::JoinWhom(with), Choice::Card(card)) => format!("{} joins {}", name(with), name(card)),
        (_, Choice::Card(card)) => format!("{}: {}", source?, name(card)),
        (_, Choice::Decline) => format!("Take {} back", source?),
        (_, Choice::Yes | Choice::No | Choice::Done) => {
            let word = match choice {
                Choice::Yes => "yes",
                Choice::No => "no",
                _ => "no more",
            };
            format!("{}: {word}", source?)
        }
        _ => return None,
    })
}

/// R307: a label of its own, or what the action does.
fn action(reader: EventReader<'_>, decision: &Decision, choice: Choice) -> String {
    let words = cw_words::choice(reader, decision, choice);
    let Choice::Action(index) = choice else {
        return capital(&words);
    };
    // The number that keeps equal labels apart is on the button already. Other brackets are a part of the
    // label itself (R111).
    let program = decision
        .place
        .and_then(|place| reader.game().model(place.model).program.as_ref());
    let label = program
        .and_then(|program| program.rule.actions.get(usize::from(index)))
        .map(|action| &*action.label)
        .filter(|label| !label.is_empty());
    capital(label.unwrap_or(&words))
}

fn pass(decision: &Decision, view: &DuelView) -> &'static str {
    match decision.question {
        Question::Main => "End the Main phase",
        Question::Attack
            if view.players[decision.seat]
                .ring
                .iter()
                .flatten()
                .any(|fighter| fighter.attacks) =>
        {
            "Attack!"
        }
        Question::Attack => "Do not attack",
        Question::CounterAttack if view.blocks.is_empty() => {
            let theirs = view.players[decision.seat.other()].ring.iter().flatten();
            match theirs.filter(|fighter| fighter.attacks).count() {
                1 => "Let the attack through",
                _ => "Let the attacks through",
            }
        }
        Question::CounterAttack => "Done, fight",
        _ => "Pass",
    }
}

fn price(reader: EventReader<'_>, card: CardId) -> String {
    let model = reader.seat.and_then(|seat| reader.duel.known_model(seat, card));
    match model.map(|model| reader.game().model(model).sp) {
        None => String::new(),
        Some(0) => " (0 SP)".to_owned(),
        Some(sp) => format!(" ({} SP)", cw_words::signed(sp)),
    }
}

fn ability_name<'a>(reader: EventReader<'a>, view: &DuelView, card: CardId) -> Option<&'a str> {
    let rings = Seat::BOTH.into_iter().flat_map(|seat| &view.players[seat].ring);
    let found = rings.flatten().find(|fighter| fighter.card == card)?;
    let ability = reader.game().model(found.ability?).ability.as_ref()?;
    (!ability.name.is_empty()).then_some(&ability.name)
}

/// The title of the cards that a deck has more of.
pub(crate) fn more_in(deck: &str) -> String {
    format!("More in {deck}")
}

/// The copies that a deck has of a card, and those of the other deck.
pub(crate) fn copies_to([own, other]: [u32; 2]) -> String {
    format!("{own} to {other}")
}

/// The first letter large.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A phase on the ribbon.
pub(crate) fn phase(phase: Phase) -> &'static str {
    if phase == Phase::CounterAttack {
        "Counter"
    } else {
        phase.name()
    }
}

/// A pile as a heading.
pub(crate) fn pile(pile: PileName) -> &'static str {
    match pile {
        PileName::Hand => "Hand",
        PileName::Deck => "Deck",
        PileName::Discards => "Discards",
        PileName::Removed => "Removed",
    }
}

/// What a player's type of card is called.
pub(crate) fn card_type(card_type: Option<CardType>) -> &'static str {
    match card_type {
        Some(CardType::Character) => "character",
        Some(CardType::Action) => "action",
        Some(CardType::Reaction) => "reaction",
        None => "cannot be played",
    }
}

/// How a duel ended, from this seat.
pub(crate) fn reason(reason: WinReason, won: bool, other: &str) -> String {
    let words = match (reason, won) {
        (WinReason::Hp, true) => "The opponent has no HP left.",
        (WinReason::Hp, false) => "You have no HP left.",
        (WinReason::DeckOut, true) => "The opponent had to draw and could not.",
        (WinReason::DeckOut, false) => "You had to draw and could not.",
        (WinReason::Forfeit, true) => "The opponent gave up.",
        (WinReason::Forfeit, false) => "You gave up.",
    };
    calling(words, other)
}

/// A keyword with what it means.
pub(crate) fn keyword(keyword: Keyword) -> String {
    format!(
        "{}: {}.",
        capital(keyword_mark(keyword)),
        cw_words::keyword(keyword)
    )
}

/// A keyword in as few words as a mark on a card has room for.
pub(crate) fn keyword_mark(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Unblockable => "no counter",
        Keyword::CantAttack => "only joins",
        Keyword::CantBlock => "cannot counter",
        Keyword::UnlimitedBackup => "free back-ups",
        Keyword::Unfreezable => "solo: no freeze",
        Keyword::Pierce => "pierces",
        Keyword::PreventPierce => "not pierced",
        Keyword::Rush => "rush",
        Keyword::Frosted => "stays frozen",
        Keyword::CantPlayAc => "no actions",
        Keyword::CantPlayRe => "no reactions",
    }
}

/// Words of card texts that need a reminder.
const REMINDERS: [(&str, &str); 9] = [
    (
        "fresh",
        "Fresh: it entered the ring in its player's latest turn. \
         From its next turn on, it can attack and use a trigger ability.",
    ),
    (
        "freeze",
        "Frozen: it cannot attack, counter or use a trigger ability until it unfreezes, \
         normally at the start of its player's next turn.",
    ),
    (
        "frozen",
        "Frozen: it cannot attack, counter or use a trigger ability until it unfreezes, \
         normally at the start of its player's next turn.",
    ),
    (
        "back up",
        "Back-up: a character card put under another from the hand; it gives BP.",
    ),
    (
        "united attack",
        "United Attack: up to three attack as one; only the leader can be countered.",
    ),
    (
        "pierce",
        "Piercing: damage beyond the BP of the countering character hits the player.",
    ),
    (
        "counter",
        "Counter: one character meets one attacker; both deal their BP.",
    ),
    ("ko", "KO: a character with 0 BP goes to the discard pile."),
    (
        "auto abilit",
        "Auto ●: works by itself, but not during a United Attack.",
    ),
];

/// Reminders for a card's text, each once.
pub(crate) fn reminders(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let mut found = Vec::new();
    for (word, reminder) in REMINDERS {
        if text.contains(word) && !found.contains(&reminder) {
            found.push(reminder);
        }
    }
    found
}

/// The symbol and the name alone: before what an ability does, where it must not be read as what playing the
/// card does.
pub(crate) fn ability_name_of(kind: cw_duel::AbilityKind) -> &'static str {
    let meaning = ability(kind);
    meaning.split_once(':').map_or(meaning, |(name, _)| name)
}

/// What the three symbols mean.
pub(crate) fn ability(kind: cw_duel::AbilityKind) -> &'static str {
    match kind {
        cw_duel::AbilityKind::Instant => "▲ Instant: once, when it is played.",
        cw_duel::AbilityKind::Triggered => "■ Trigger: in your Main phase, if neither fresh nor frozen.",
        cw_duel::AbilityKind::Auto => "● Auto: by itself, while it is in the ring.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_card_took_tells_blows_and_effects_apart() {
        let how = |blows, united, effects| Strikes {
            blows,
            united,
            effects,
        };
        let yours = |hp, how| took(true, hp, how);
        assert_eq!(yours(500, how(1, 0, 0)), "took 500 of your HP at once.");
        assert_eq!(yours(300, how(0, 0, 1)), "took 300 of your HP at once.");
        assert_eq!(
            took(false, 900, how(2, 0, 0)),
            "took 900 of their HP, in 2 blows."
        );
        assert_eq!(
            yours(900, how(1, 0, 1)),
            "took 900 of your HP, in one blow and one effect."
        );
        assert_eq!(
            yours(2000, how(1, 1, 0)),
            "took 2000 of your HP at once, leading a United Attack."
        );
        assert_eq!(
            yours(2500, how(3, 1, 1)),
            "took 2500 of your HP, in one effect and 3 blows, 1 of them leading a United Attack."
        );
    }

    /// R111, R307: a button says the whole label, brackets included, and nothing else: the number that tells
    /// equal labels apart is on the button already.
    #[test]
    fn a_button_says_its_whole_label() {
        let buttons = |labels: [&str; 2]| {
            let [one, two] = labels;
            let rule = format!("label = {one};; label = {two};; action = sp(+1);; action = sp(+2)");
            let mut play = cw_stage::start(&format!("Two action: {rule}"), "me.hand Two");
            cw_stage::go(&mut play, "play Two");
            let duel = &play.duel;
            let decision = duel.pending().expect("the duel goes on");
            let reader = EventReader {
                duel,
                seat: Some(decision.seat),
            };
            [0, 1].map(|index| option(reader, decision, &duel.view(decision.seat), Choice::Action(index)))
        };
        let told = buttons(["Hurt (a character)", "Hurt (the player)"]);
        assert_eq!(told, ["Hurt (a character)", "Hurt (the player)"]);
        assert_eq!(buttons(["Hurt", "Hurt"]), ["Hurt", "Hurt"]);
    }
}
