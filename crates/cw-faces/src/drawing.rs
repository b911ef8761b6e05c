//! Drawings as data: what a school wears and carries, and what an action is about.
//!
//! The drawings of Saltmarsh lie in its folder, in `Rules/illustrations.txt`, which also says how they are
//! written. They are part of the program: any package whose words they know is drawn with them.

use std::sync::LazyLock;

const FILE: &str = include_str!("../../../games/saltmarsh/Rules/illustrations.txt");

static DRAWINGS: LazyLock<Drawings> = LazyLock::new(|| Drawings::read(FILE));

/// All drawings of a file.
#[derive(Debug, Default)]
struct Drawings {
    schools: Vec<SchoolDrawing>,
    things: Vec<ThingDrawing>,
}

/// What people of a school wear and carry.
#[derive(Debug, Default)]
pub(crate) struct SchoolDrawing {
    words: Vec<&'static str>,
    pub(crate) is_ghost: bool,
    pub(crate) reads: bool,
    pub(crate) hats: Vec<Vec<DrawnShape>>,
    pub(crate) tools: Vec<Vec<DrawnShape>>,
}

/// A thing that an action or reaction is about.
#[derive(Debug)]
pub(crate) struct ThingDrawing {
    words: Vec<&'static str>,
    pub(crate) shapes: Vec<DrawnShape>,
}

/// One line of a drawing. Inks and numbers are words of the file; paths may have expressions in braces.
#[derive(Debug)]
pub(crate) enum DrawnShape {
    Cut {
        ink: &'static str,
        path: &'static str,
    },
    Path {
        ink: &'static str,
        path: &'static str,
    },
    Line {
        ink: &'static str,
        wide: f32,
        path: &'static str,
    },
    Disc {
        ink: &'static str,
        x: f32,
        y: f32,
        radius: f32,
    },
    Svg(&'static str),
}

/// Returns the drawing of the first school that has one of the words.
pub(crate) fn school(words: &str) -> Option<&'static SchoolDrawing> {
    DRAWINGS.schools.iter().find(|school| knows(&school.words, words))
}

/// Returns the drawing of the first thing that has one of the words.
pub(crate) fn thing(words: &str) -> Option<&'static ThingDrawing> {
    DRAWINGS.things.iter().find(|thing| knows(&thing.words, words))
}

/// Returns the first word of every school and thing.
#[cfg(test)]
pub(crate) fn all_words() -> impl Iterator<Item = &'static str> {
    let schools = DRAWINGS.schools.iter().map(|school| school.words[0]);
    schools.chain(DRAWINGS.things.iter().map(|thing| thing.words[0]))
}

/// Whether one of the words is known: a short one whole, a longer one as a beginning.
fn knows(row: &[&str], words: &str) -> bool {
    let words = words.to_lowercase();
    let of = |known: &&str| {
        let mut words = words.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| word == *known || (known.len() > 3 && word.starts_with(known)))
    };
    row.iter().any(of)
}

impl Drawings {
    /// Reads a file. Its lines are part of the program, and the tests draw all of them: one that is not
    /// understood ends it.
    fn read(file: &'static str) -> Drawings {
        let mut drawings = Drawings::default();
        for line in file.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            drawings
                .line(line)
                .unwrap_or_else(|| panic!("not a line of a drawing: {line}"));
        }
        drawings
    }

    fn line(&mut self, line: &'static str) -> Option<()> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "character" => self.schools.push(SchoolDrawing {
                words: rest.split(' ').collect(),
                ..SchoolDrawing::default()
            }),
            "thing" => self.things.push(ThingDrawing {
                words: rest.split(' ').collect(),
                shapes: Vec::new(),
            }),
            "body" if rest == "ghost" => self.schools.last_mut()?.is_ghost = true,
            "glasses" if rest == "often" => self.schools.last_mut()?.reads = true,
            "hat" => self.schools.last_mut()?.hats.push(Vec::new()),
            "tool" => self.schools.last_mut()?.tools.push(Vec::new()),
            _ => {
                let shape = DrawnShape::read(verb, rest)?;
                self.open()?.push(shape);
            }
        }
        Some(())
    }

    /// The drawing to which shapes are added: things come behind all schools, and the tools of a school
    /// behind its hats.
    fn open(&mut self) -> Option<&mut Vec<DrawnShape>> {
        if let Some(thing) = self.things.last_mut() {
            return Some(&mut thing.shapes);
        }
        let school = self.schools.last_mut()?;
        school.tools.last_mut().or(school.hats.last_mut())
    }
}

impl DrawnShape {
    fn read(verb: &str, rest: &'static str) -> Option<DrawnShape> {
        if verb == "svg" {
            return Some(DrawnShape::Svg(rest));
        }
        let (ink, path) = rest.split_once(' ')?;
        Some(match verb {
            "cut" => DrawnShape::Cut { ink, path },
            "path" => DrawnShape::Path { ink, path },
            "line" => {
                let (wide, path) = path.split_once(' ')?;
                let wide = wide.parse().ok()?;
                DrawnShape::Line { ink, wide, path }
            }
            "disc" => {
                let mut numbers = path.split(' ').map(|word| word.parse().ok());
                let mut next = || numbers.next().flatten();
                DrawnShape::Disc {
                    ink,
                    x: next()?,
                    y: next()?,
                    radius: next()?,
                }
            }
            _ => return None,
        })
    }
}
