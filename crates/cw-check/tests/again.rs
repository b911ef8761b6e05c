//! What is kept of a text that changed a little is what a fresh look finds.

use cw_chance::Chance;
use cw_check::{CheckedFile, KnownCard, KnownCards, SeveritySettings, check_again, check_file};
use cw_program::CardType;
use cw_syntax::{Arena, parse_rules};
use cw_text::FileId;

const FILE: FileId = FileId(3);

/// Edits of one text, one after the other.
const EDITS: usize = 4_000;

fn id(index: u32) -> String {
    format!("0f8fad5b-d9cb-469f-a165-{index:012x}")
}

/// Rules with mistakes that are mended in themselves, in two lines and in the whole rule, and such without
/// any.
fn rules() -> String {
    let mut text = "astray = 1\r\n".to_owned();
    for index in 0..30 {
        text.push_str(&format!("[{}]\n", id(index)));
        text.push_str(match index % 6 {
            0 => "action = drow(1) # cardwright: hint RS003\naction = drow(2)\n",
            1 => "  # cardwright: allow RS053\r\naction = moveTo(hand) to(*@deck)\r\n\r\n",
            2 => "trigger = attacks\naction = {F draw()\n",
            3 => "auto = ~myEndPhase~ sp(+1) to(me)\n\n",
            4 => "action = [[if me.sp = 3]] draw(1) &\n  damage(200) to(opp)\n",
            _ => "# nothing 漢😀\n",
        });
    }
    text
}

/// What somebody types.
const PIECES: [&str; 24] = [
    "\n",
    "\r\n",
    "[",
    "]",
    "\n[",
    "x",
    "😀",
    "\u{feff}",
    "#",
    "=",
    "\n\n",
    " ",
    "&",
    "draw(1)",
    "~attacks~",
    "{S}: ",
    "[[if ",
    "(",
    "action = drow(1)\n",
    "[0f8fad5b-d9cb-469f-a165-00000000001a]\n",
    "auto = bp(+100) to(",
    "\0",
    "# cardwright: allow RS003\n",
    "\r",
];

fn fresh(text: &str, cards: &KnownCards, settings: &SeveritySettings) -> CheckedFile {
    let arena = Arena::new();
    check_file(FILE, text, parse_rules(&arena, FILE, text), cards, settings)
}

/// All rules, as text; places of their programs are those of the rules' text.
fn placed(checked: &CheckedFile) -> Vec<String> {
    let rules = checked.rules.iter().map(|rule| {
        let program = rule.placed().expect("programs are kept");
        let (shown, mut out) = (format!("{program:?}"), String::new());
        for (at, part) in shown.split("span: ").enumerate() {
            let (place, rest) = part.split_at(part.find([' ', ',']).unwrap_or(part.len()));
            // Findings of a formula count from its own beginning.
            let is_own = at == 0 || place == "0..0" || out.ends_with("FormulaFinding { ");
            match place.split_once("..").filter(|_| !is_own) {
                Some(ends) => {
                    for end in [ends.0, ends.1] {
                        let end: isize = end.parse().expect("it is a number");
                        out += &format!(" {}", end + program.moved);
                    }
                }
                None => out += place,
            }
            out += rest;
        }
        let out = out.split(", moved: ").next().unwrap_or_default();
        format!("{:?} {:?} {:?} {out}", rule.card, rule.header, rule.body)
    });
    rules.collect()
}

fn place(chance: &mut Chance, text: &str) -> usize {
    let mut at = chance.below(u32::try_from(text.len() + 1).unwrap_or(u32::MAX), &[]) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whatever is typed, pasted or taken away, and however often findings were kept before.
#[test]
fn kept_findings_are_those_of_a_fresh_look() {
    let cards = (0..25).map(|index| KnownCard {
        id: id(index),
        name: format!("Rook {index}"),
        card_type: Some([CardType::Character, CardType::Action][index as usize % 2]),
        text: "Deal 300 damage, then draw 2 cards.".to_owned(),
        ..KnownCard::default()
    });
    let (cards, settings) = (KnownCards::new(cards.collect()), SeveritySettings::default());
    let mut kept = 0;
    for seed in 0..4 {
        let mut chance = Chance::seeded(seed);
        let mut text = rules();
        let mut checked = fresh(&text, &cards, &settings);
        for edit in 0..EDITS / 4 {
            let mut new = text.clone();
            let from = place(&mut chance, &text);
            let mut to = match chance.below(3, &[]) {
                0 => from,
                1 => (from + chance.below(60, &[]) as usize).min(text.len()),
                _ => (from + 1).min(text.len()),
            };
            while !text.is_char_boundary(to) {
                to += 1;
            }
            let pieces = 0..chance.below(3, &[]);
            let count = u32::try_from(PIECES.len()).unwrap_or(u32::MAX);
            let typed: String = pieces
                .map(|_| PIECES[chance.below(count, &[]) as usize])
                .collect();
            new.replace_range(from..to, &typed);
            // A text that has become another one begins anew.
            if edit % 50 == 49 {
                new = rules();
            }
            let expected = fresh(&new, &cards, &settings);
            let again = check_again(FILE, (&text, &checked), &new, &cards, &settings);
            kept += usize::from(again.is_some());
            let again = again.unwrap_or_else(|| expected.clone());
            assert_eq!(
                again.diagnostics, expected.diagnostics,
                "seed {seed}, edit {edit}: {text:?} {new:?}"
            );
            for (again, expected) in placed(&again).iter().zip(placed(&expected)) {
                assert_eq!(*again, expected, "seed {seed}, edit {edit}");
            }
            assert_eq!(
                again.rules.len(),
                expected.rules.len(),
                "seed {seed}, edit {edit}"
            );
            (text, checked) = (new, again);
        }
    }
    assert!(kept > EDITS * 3 / 4, "{kept} of {EDITS} were kept");
}
