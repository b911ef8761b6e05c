//! Setting text: signs with their widths, lines, and the size at which a text has room.
//!
//! A width is in thousandths of the font's size, so that a text is measured once for all sizes.

use std::ops::Range;

use cw_octgn::{RichPiece, RichStyle, RichText};

use crate::font::Cut;
use crate::round::whole;

/// How a sign is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignStyle {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underline: bool,
    /// In the second, quieter colour of its place.
    pub(crate) quiet: bool,
    pub(crate) colour: Option<[u8; 3]>,
}

impl SignStyle {
    pub(crate) const BOLD: SignStyle = SignStyle {
        bold: true,
        italic: false,
        underline: false,
        quiet: false,
        colour: None,
    };
    pub(crate) const QUIET: SignStyle = SignStyle {
        bold: false,
        italic: false,
        underline: false,
        quiet: true,
        colour: None,
    };
    pub(crate) const ITALIC: SignStyle = SignStyle {
        bold: false,
        italic: true,
        underline: false,
        quiet: false,
        colour: None,
    };

    pub(crate) fn cut(self) -> Cut {
        Cut::of(self.bold, self.italic)
    }
}

/// What stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSign {
    /// A letter of the font, as its glyph.
    Glyph(u16),
    /// A blank.
    Blank,
    /// A letter that the font lacks: the reader's font draws it in the width that is set aside.
    Foreign,
    /// A symbol of the definition, by its place there.
    Symbol(usize),
}

/// A sign in its style, with its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextCell {
    pub(crate) sign: TextSign,
    pub(crate) letter: char,
    pub(crate) style: SignStyle,
    pub(crate) wide: i32,
}

/// A paragraph, or a line of one.
pub(crate) type Cells = Vec<TextCell>;

/// A symbol of rich text as a face shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaceSymbol {
    /// Its id in the definition.
    pub(crate) id: String,
    /// What stands in its plate.
    pub(crate) text: String,
    /// Its picture, as a path in the package.
    pub(crate) picture: Option<String>,
    /// The ground of its plate.
    pub(crate) ground: &'static str,
}

/// The height of a symbol's plate, in thousandths of the size, and the size of the text in it.
pub(crate) const PLATE: i32 = 940;
pub(crate) const IN_PLATE: f32 = 0.62;
/// The gap after a symbol.
const PLATE_GAP: i32 = 90;

impl FaceSymbol {
    /// How wide its plate is: round up to two signs.
    pub(crate) fn wide(&self) -> i32 {
        let text = width(&letters(&self.text, SignStyle::BOLD)) as f32 * IN_PLATE;
        match self.picture {
            Some(_) => PLATE,
            None if text <= 0.95 * PLATE as f32 => PLATE,
            None => whole(text) + 420,
        }
    }
}

/// Appends a letter in a style.
pub(crate) fn push(cells: &mut Cells, letter: char, style: SignStyle) {
    if letter.is_whitespace() {
        let wide = style.cut().glyph(' ').map_or(260, |(_, wide)| wide);
        cells.push(TextCell {
            sign: TextSign::Blank,
            letter: ' ',
            style,
            wide,
        });
        return;
    }
    if invisible(letter) {
        return;
    }
    let Some((glyph, wide)) = style.cut().glyph(letter).filter(|(_, wide)| *wide > 0) else {
        // A mark above or below the letter before needs a font that knows where: both go there.
        let joins = wide_of_foreign(letter) == 0;
        if joins
            && let Some(before) = cells
                .last_mut()
                .filter(|cell| matches!(cell.sign, TextSign::Glyph(_)))
        {
            before.sign = TextSign::Foreign;
        }
        // Words of such a script are one text: it may run from right to left.
        if let [.., before, blank] = cells.as_mut_slice()
            && (before.sign, blank.sign) == (TextSign::Foreign, TextSign::Blank)
        {
            blank.sign = TextSign::Foreign;
        }
        cells.push(TextCell {
            sign: TextSign::Foreign,
            letter,
            style,
            wide: wide_of_foreign(letter),
        });
        return;
    };
    if let Some(before) = cells.last_mut()
        && before.style.cut() == style.cut()
        && let TextSign::Glyph(first) = before.sign
    {
        before.wide += style.cut().kerning(first, glyph);
    }
    cells.push(TextCell {
        sign: TextSign::Glyph(glyph),
        letter,
        style,
        wide,
    });
}

/// Control characters, and those that steer the direction of text.
fn invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{ad}')
}

/// A width that is hardly ever too small, in any font.
fn wide_of_foreign(letter: char) -> i32 {
    match letter {
        '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' => 0,
        '\u{2000}'..='\u{2fff}' => 950,
        '\u{1100}'.. => 1000,
        _ => 750,
    }
}

/// Scripts that break lines between any two letters.
fn is_ideographic(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// One paragraph of this text.
pub(crate) fn letters(text: &str, style: SignStyle) -> Cells {
    let mut cells = Cells::new();
    for letter in text.chars() {
        push(&mut cells, letter, style);
    }
    cells
}

/// Paragraphs of a plain text, one for each of its lines that is not blank.
pub(crate) fn paragraphs(text: &str, style: SignStyle) -> Vec<Cells> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| letters(line, style)).collect()
}

/// Paragraphs of a rich text; `symbol` gives a symbol's place among the definition's, and its width.
pub(crate) fn rich_paragraphs(
    rich: &RichText,
    style: SignStyle,
    symbol: &dyn Fn(&str) -> Option<(usize, i32)>,
) -> Vec<Cells> {
    let mut out = vec![Cells::new()];
    pieces(&rich.pieces, style, symbol, &mut out);
    out.iter_mut().for_each(trim);
    out.retain(|paragraph| !paragraph.is_empty());
    out
}

fn pieces(
    of: &[RichPiece],
    style: SignStyle,
    symbol: &dyn Fn(&str) -> Option<(usize, i32)>,
    out: &mut Vec<Cells>,
) {
    for piece in of {
        match piece {
            RichPiece::Text(text) => {
                for letter in text.chars() {
                    match (letter, out.last_mut()) {
                        ('\n', _) | (_, None) => out.push(Cells::new()),
                        (letter, Some(cells)) => push(cells, letter, style),
                    }
                }
            }
            RichPiece::Styled {
                style: with,
                pieces: inner,
            } => {
                let style = match with {
                    RichStyle::Bold => SignStyle { bold: true, ..style },
                    RichStyle::Italic => SignStyle {
                        italic: true,
                        ..style
                    },
                    RichStyle::Underline => SignStyle {
                        underline: true,
                        ..style
                    },
                };
                pieces(inner, style, symbol, out);
            }
            RichPiece::Coloured {
                colour,
                pieces: inner,
            } => {
                let style = SignStyle {
                    colour: Some(*colour),
                    ..style
                };
                pieces(inner, style, symbol, out);
            }
            RichPiece::Symbol { id, text, .. } => match (symbol(id), out.last_mut()) {
                (Some((at, wide)), Some(cells)) => cells.push(TextCell {
                    sign: TextSign::Symbol(at),
                    letter: '\u{fffc}',
                    style,
                    wide: wide + PLATE_GAP,
                }),
                (None, Some(cells)) => text.chars().for_each(|letter| push(cells, letter, style)),
                (_, None) => {}
            },
        }
    }
}

fn trim(cells: &mut Cells) {
    while cells.last().is_some_and(|cell| cell.letter == ' ') {
        cells.pop();
    }
    let blanks = cells.iter().take_while(|cell| cell.letter == ' ').count();
    cells.drain(..blanks);
}

/// The width of a line.
pub(crate) fn width(cells: &[TextCell]) -> i32 {
    cells.iter().map(|cell| cell.wide).sum()
}

/// Breaks a paragraph into lines of at most `room`; whether every break is at a place for one.
fn wrap(cells: &[TextCell], room: i32) -> (Vec<Range<usize>>, bool) {
    let mut lines = Vec::new();
    let mut whole = true;
    let (mut start, mut wide) = (0, 0);
    // Where the line could end, and the next one begin.
    let mut chance: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < cells.len() {
        let cell = cells[at];
        if cell.letter == ' ' {
            chance = Some((at, at + 1));
        } else if at > start && (is_ideographic(cell.letter) || is_ideographic(cells[at - 1].letter)) {
            chance = Some((at, at));
        }
        let over = wide + cell.wide > room && cell.letter != ' ';
        if over && at > start {
            let (end, next) = chance.filter(|(end, _)| *end > start).unwrap_or_else(|| {
                whole = false;
                (at, at)
            });
            lines.push(start..end);
            (start, chance) = (next, None);
            wide = width(&cells[start..at.max(start)]);
            continue;
        }
        whole &= !over;
        wide += cell.wide;
        if matches!(cell.letter, '-' | '–' | '—' | '/') && at > start {
            chance = Some((at + 1, at + 1));
        }
        at += 1;
    }
    if start < cells.len() {
        lines.push(start..cells.len());
    }
    (lines, whole)
}

/// A text in lines, at the size that was found for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TypesetText {
    /// The font's size.
    pub(crate) size: f32,
    /// Each line with its distance from the line before, in units; the first one's is 0.
    pub(crate) lines: Vec<(Cells, f32)>,
    /// Whether something had to be left out.
    pub(crate) cut: bool,
}

/// From one line to the next, in sizes.
pub(crate) const LEADING: f32 = 1.25;
/// More than that between paragraphs, in sizes.
const PARAGRAPH: f32 = 0.3;

impl TypesetText {
    /// From the top of the first line's letters to below the last one's.
    pub(crate) fn height(&self) -> f32 {
        match self.lines.is_empty() {
            true => 0.0,
            false => self.lines.iter().map(|(_, gap)| gap).sum::<f32>() + self.size * LEADING,
        }
    }

    /// The text at this size, however high, and whether no word is broken.
    pub(crate) fn at(paragraphs: &[Cells], size: f32, across: f32) -> (TypesetText, bool) {
        let room = whole(across / size * 1000.0);
        let mut set = TypesetText {
            size,
            ..TypesetText::default()
        };
        let mut all_whole = true;
        for paragraph in paragraphs {
            let (lines, whole) = wrap(paragraph, room);
            all_whole &= whole;
            for (index, line) in lines.into_iter().enumerate() {
                let more = if index == 0 { PARAGRAPH } else { 0.0 };
                let gap = if set.lines.is_empty() {
                    0.0
                } else {
                    (LEADING + more) * size
                };
                set.lines.push((paragraph[line].to_vec(), gap));
            }
        }
        (set, all_whole)
    }
}

/// How much smaller a text may become so that no word of it is broken.
const FOR_WHOLE_WORDS: f32 = 0.75;

/// The largest of these sizes at which a text has room without a broken word. If a word without an end would
/// make all of it much smaller than it need be, that word is broken. At the smallest size what is too much is
/// cut, with an ellipsis.
pub(crate) fn fit(paragraphs: &[Cells], sizes: &[f32], room: (f32, f32)) -> TypesetText {
    let mut broken: Option<TypesetText> = None;
    for size in sizes {
        let least = broken.as_ref().map_or(0.0, |set| set.size * FOR_WHOLE_WORDS);
        if *size < least {
            break;
        }
        let (set, whole) = TypesetText::at(paragraphs, *size, room.0);
        if set.height() > room.1 {
            continue;
        }
        if whole {
            return set;
        }
        broken = broken.or(Some(set));
    }
    if let Some(set) = broken {
        return set;
    }
    let smallest = sizes.last().copied().unwrap_or(12.0);
    let (mut set, _) = TypesetText::at(paragraphs, smallest, room.0);
    while set.height() > room.1 && !set.lines.is_empty() {
        set.lines.pop();
        set.cut = true;
    }
    if set.cut
        && let Some((last, _)) = set.lines.last_mut()
    {
        shorten(last, whole(room.0 / smallest * 1000.0));
    }
    set
}

/// Drops signs until an ellipsis has room at the end.
fn shorten(cells: &mut Cells, room: i32) {
    let style = cells.last().map(|cell| cell.style).unwrap_or_default();
    let dots = letters("…", style);
    while width(cells) + width(&dots) > room && cells.pop().is_some() {}
    trim(cells);
    cells.extend(dots);
}

/// A line, the size that was found for it, and how much narrower than that its letters are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TextLine {
    pub(crate) cells: Cells,
    pub(crate) size: f32,
    pub(crate) squeeze: f32,
}

impl TextLine {
    pub(crate) fn wide(&self) -> f32 {
        width(&self.cells) as f32 * self.size / 1000.0 * self.squeeze
    }
}

/// How narrow letters may become before a line is cut.
const NARROWEST: f32 = 0.76;

/// One line in the largest of these sizes; at the smallest one it is set narrower, then cut.
pub(crate) fn fit_line(cells: &[TextCell], sizes: &[f32], across: f32) -> TextLine {
    let mut line = TextLine {
        cells: cells.to_vec(),
        size: sizes.last().copied().unwrap_or(12.0),
        squeeze: 1.0,
    };
    let wide = width(cells) as f32 / 1000.0;
    if let Some(size) = sizes.iter().find(|size| wide * **size <= across) {
        line.size = *size;
        return line;
    }
    line.squeeze = (across / (wide * line.size)).clamp(NARROWEST, 1.0);
    let room = whole(across / line.size / line.squeeze * 1000.0);
    if width(&line.cells) > room {
        shorten(&mut line.cells, room);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(set: &TypesetText) -> Vec<String> {
        let line = |(cells, _): &(Cells, f32)| cells.iter().map(|cell| cell.letter).collect();
        set.lines.iter().map(line).collect()
    }

    #[test]
    fn lines_break_at_blanks_and_keep_every_word() {
        let text = [letters("one two three four five", SignStyle::default())];
        let set = fit(&text, &[20.0], (90.0, 900.0));
        assert!(set.lines.len() > 1);
        assert_eq!(shown(&set).join(" "), "one two three four five");
        for (line, _) in &set.lines {
            assert!(width(line) as f32 * 0.02 <= 90.0);
        }
        assert_eq!(fit(&[], &[20.0], (90.0, 900.0)).height(), 0.0);
    }

    #[test]
    fn a_longer_text_is_set_smaller_and_only_then_cut() {
        let sizes = [40.0, 30.0, 20.0];
        let short = fit(&[letters("short", SignStyle::default())], &sizes, (200.0, 60.0));
        let long = fit(
            &[letters(&"word ".repeat(20), SignStyle::default())],
            &sizes,
            (200.0, 220.0),
        );
        assert!(short.size > long.size && !long.cut);
        let cut = fit(
            &[letters(&"word ".repeat(90), SignStyle::default())],
            &sizes,
            (200.0, 200.0),
        );
        assert!(cut.cut && cut.height() <= 200.0);
        assert!(shown(&cut).last().is_some_and(|line| line.ends_with('…')));
    }

    #[test]
    fn a_word_without_an_end_is_broken_and_makes_nothing_tiny() {
        let word = [letters("incomprehensibilities", SignStyle::default())];
        for sizes in [&[40.0, 20.0][..], &[40.0, 20.0, 5.0]] {
            let set = fit(&word, sizes, (100.0, 900.0));
            assert_eq!(set.size, 40.0, "{sizes:?}");
            assert_eq!(shown(&set).concat(), "incomprehensibilities");
            let fits = |(line, _): &(Cells, f32)| width(line) as f32 * 0.04 <= 100.0;
            assert!(set.lines.iter().all(fits));
        }
        // A little smaller is better than a broken word.
        let long = [letters("a comprehensive text", SignStyle::default())];
        let wide = width(&letters("comprehensive", SignStyle::default())) as f32 * 0.018;
        let set = fit(&long, &[20.0, 18.0, 16.0, 5.0], (wide + 0.5, 900.0));
        assert_eq!(
            (set.size, shown(&set).join(" ")),
            (18.0, "a comprehensive text".to_owned())
        );
    }

    #[test]
    fn signs_of_other_scripts_have_room_and_break_anywhere() {
        let text = [letters("中文字幕中文字幕", SignStyle::default())];
        let set = fit(&text, &[20.0], (62.0, 900.0));
        assert_eq!(shown(&set), ["中文字", "幕中文", "字幕"]);
    }

    #[test]
    fn a_line_shrinks_then_narrows_then_is_cut() {
        let line = |text: &str| fit_line(&letters(text, SignStyle::default()), &[40.0, 30.0], 200.0);
        assert_eq!(line("short").size, 40.0);
        let narrow = line("a line too long");
        assert_eq!(narrow.size, 30.0);
        let cut = line("a line that is far too long for its room");
        assert!(cut.cells.last().is_some_and(|cell| cell.letter == '…'));
        for line in [narrow, cut] {
            assert!(line.wide() <= 200.5, "{}", line.wide());
        }
    }
}
