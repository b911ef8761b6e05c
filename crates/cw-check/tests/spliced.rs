//! Texts that are spliced from pieces of good rules hold the laws of reader, checker and formatter: no
//! panic, every span lies in the text, laying out twice is laying out once, and the tree stays.

use cw_syntax::tokens;

mod laws;

const DEMO: &str = include_str!("../../../games/saltmarsh/Rules/core.rules");
/// More than the demo's rules have.
const ODD: [&str; 24] = [
    "\"",
    "'",
    "[[",
    "]]",
    "[",
    "(",
    ")",
    "{",
    "}",
    "~",
    "?",
    "::not(",
    "#",
    "\n",
    "\r\n",
    "\u{feff}",
    "\u{0}",
    "\u{a0}",
    "ß",
    "=>",
    "<1,2>",
    "&&",
    ":=",
    "# cardwright: allow RS053",
];
const ROUNDS: u64 = 2_000;

/// A xorshift generator: the same texts on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

#[test]
fn spliced_texts_keep_the_laws() {
    let lines: Vec<&str> = DEMO.lines().collect();
    let pieces: Vec<&str> = lines
        .iter()
        .flat_map(|line| tokens(line).into_iter().map(|token| &line[token.span().range()]))
        .chain(ODD)
        .collect();
    for round in 0..ROUNDS {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (round + 1));
        (0..8).for_each(|_| _ = dice.below(2));
        let first = dice.below(lines.len());
        let count = 1 + dice.below(6);
        let mut text = lines[first..(first + count).min(lines.len())].join("\n");
        for _ in 0..=dice.below(5) {
            let mut at = dice.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match dice.below(3) {
                0 => text.insert_str(at, pieces[dice.below(pieces.len())]),
                1 => text.truncate(at),
                _ => {
                    let gone = text[at..]
                        .chars()
                        .take(1 + dice.below(4))
                        .map(char::len_utf8)
                        .sum::<usize>();
                    text.replace_range(at..at + gone, pieces[dice.below(pieces.len())]);
                }
            }
        }
        if dice.below(2) == 0 {
            text.insert_str(0, "[303cf61c-ae05-4ab3-a8b1-ba4db2fc22ec]\n");
        }
        laws::checking(&text);
        laws::formatting(&text);
        laws::scripts(&format!("RulesDict['x'] = '''{text}'''"));
    }
}
