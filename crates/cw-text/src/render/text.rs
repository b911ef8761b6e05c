//! For people: source lines with what is wrong underlined, fixes as differences.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::{Places, clamp};
use crate::{Diagnostic, FileId, Severity, Span};

/// Longer excerpts are not drawn.
const LONGEST_EXCERPT: usize = 4096;
/// Places as near as this many lines are drawn in one piece.
const NEAR: u32 = 3;

pub(super) fn render<'a>(places: &mut Places<'a>, found: &'a [Diagnostic], color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for one in found {
        out.push_str(&renderer.render(&groups(places, one)));
        out.push_str("\n\n");
    }
    out
}

/// One place to mark.
struct TextMark<'a> {
    span: Span,
    primary: bool,
    text: &'a str,
}

/// An excerpt of a file and where it lies.
struct Excerpt<'a> {
    name: &'a str,
    text: &'a str,
    start: usize,
    line: usize,
}

fn groups<'a>(places: &mut Places<'a>, one: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match one.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name(Some("hint")),
    };
    let mut group = level
        .primary_title(one.message.as_str())
        .id(one.code.0)
        .elements(Vec::<Origin<'_>>::new());
    for (file, marks) in by_file(one) {
        group = draw(places, group, file, marks);
    }
    if let Some(help) = &one.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![group];
    groups.extend(fix(places, one));
    groups
}

/// The marks of a finding, file by file, the primary file first.
fn by_file(one: &Diagnostic) -> Vec<(FileId, Vec<TextMark<'_>>)> {
    let primary = TextMark {
        span: one.span,
        primary: true,
        text: "",
    };
    let mut files = vec![(one.file, vec![primary])];
    for label in &one.labels {
        let mark = TextMark {
            span: label.span,
            primary: false,
            text: &label.text,
        };
        match files.iter_mut().find(|(file, _)| *file == label.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((label.file, vec![mark])),
        }
    }
    files
}

fn draw<'a>(
    places: &mut Places<'a>,
    mut group: Group<'a>,
    file: FileId,
    mut marks: Vec<TextMark<'a>>,
) -> Group<'a> {
    if places.text(file).is_empty() {
        return group.element(Origin::path(places.name(file)));
    }
    let primary_line = places.range(file, marks[0].span).0.line;
    marks.sort_by_key(|mark| {
        (
            places.range(file, mark.span).0.line.abs_diff(primary_line) > NEAR,
            mark.span,
        )
    });
    while !marks.is_empty() {
        let line = places.range(file, marks[0].span).0.line;
        let rest = marks
            .iter()
            .position(|mark| places.range(file, mark.span).0.line.abs_diff(line) > NEAR)
            .unwrap_or(marks.len());
        let near: Vec<TextMark<'a>> = marks.drain(..rest).collect();
        let span = near
            .iter()
            .map(|mark| mark.span)
            .reduce(Span::to)
            .unwrap_or_default();
        group = match excerpt(places, file, span) {
            Some(excerpt) => group
                .element(snippet(&excerpt).annotations(near.iter().map(|mark| annotation(&excerpt, mark)))),
            None => {
                let (at, _) = places.range(file, span);
                let origin = Origin::path(places.name(file)).line(at.line as usize);
                group.element(origin.char_column(at.column as usize))
            }
        };
    }
    group
}

fn snippet<'a, T: Clone>(excerpt: &Excerpt<'a>) -> Snippet<'a, T> {
    Snippet::source(excerpt.text)
        .line_start(excerpt.line)
        .path(excerpt.name)
}

fn annotation<'a>(excerpt: &Excerpt<'a>, mark: &TextMark<'a>) -> Annotation<'a> {
    let kind = if mark.primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let label = if mark.text.is_empty() {
        None
    } else {
        Some(mark.text)
    };
    kind.span(within(excerpt, mark.span)).label(label)
}

fn within(excerpt: &Excerpt<'_>, span: Span) -> Range<usize> {
    let at = |offset: u32| (offset as usize).saturating_sub(excerpt.start);
    clamp(excerpt.text, Span::new(at(span.start), at(span.end))).range()
}

/// The whole lines around a span, unless they are too long to draw.
fn excerpt<'a>(places: &mut Places<'a>, file: FileId, span: Span) -> Option<Excerpt<'a>> {
    let text = places.text(file);
    let span = clamp(text, span);
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end as usize..]
        .find('\n')
        .map_or(text.len(), |at| span.end as usize + at);
    let end = end - usize::from(end > span.end as usize && text[..end].ends_with('\r'));
    let line = places.range(file, span).0.line;
    (end - start <= LONGEST_EXCERPT).then(|| Excerpt {
        name: places.name(file),
        text: &text[start..end],
        start,
        line: line as usize,
    })
}

fn fix<'a>(places: &mut Places<'a>, one: &'a Diagnostic) -> Option<Group<'a>> {
    let fix = one.fix.as_ref()?;
    let file = fix.edits.first()?.file;
    let same_file = fix.edits.iter().all(|edit| edit.file == file);
    let span = fix.edits.iter().map(|edit| edit.span).reduce(Span::to)?;
    let excerpt = excerpt(places, file, span).filter(|_| same_file)?;
    let patches = fix
        .edits
        .iter()
        .map(|edit| Patch::new(within(&excerpt, edit.span), edit.text.as_str()));
    Some(
        Level::HELP
            .secondary_title(fix.title.as_str())
            .element(snippet(&excerpt).patches(patches)),
    )
}
