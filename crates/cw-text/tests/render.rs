//! How findings look in each format.

use cw_text::{
    Code, Counts, Diagnostic, Edit, FileId, Fix, Format, NoCatalog, Safety, Severity, Sources, Span, render,
};

fn sample() -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(
        "Rules/core.rules",
        "action = draw()\nlabel = \u{fc}\u{30ab} x\naction = drow(2)\n",
    );
    let span = Span::new(41, 45);
    let found = vec![
        Diagnostic::new(
            Code("RS003"),
            Severity::Error,
            file,
            span,
            "unknown command `drow`",
        )
        .label(file, Span::new(9, 13), "this one is known")
        .help("it is written `draw([n])`")
        .fix(Fix {
            title: "replace with `draw`".to_string(),
            safety: Safety::Unsafe,
            edits: vec![Edit {
                file,
                span,
                text: "draw".to_string(),
            }],
        }),
        Diagnostic::new(Code("RS011"), Severity::Hint, file, Span::new(30, 31), "100% odd"),
    ];
    (sources, found)
}

fn rendered(format: Format) -> String {
    let (sources, found) = sample();
    render(format, &sources, &found, false, &NoCatalog)
}

#[test]
fn text_underlines_the_place_and_shows_the_fix() {
    insta::assert_snapshot!(rendered(Format::Text));
}

#[test]
fn short_is_a_line_each() {
    assert_eq!(
        rendered(Format::Short),
        "Rules/core.rules:3:10: error[RS003]: unknown command `drow`\n\
         Rules/core.rules:2:12: hint[RS011]: 100% odd\n"
    );
}

#[test]
fn github_escapes() {
    let lines: Vec<String> = rendered(Format::Github)
        .lines()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "::error file=Rules/core.rules,line=3,col=10,endLine=3,endColumn=14,title=RS003::unknown command `drow`%0Ait is written `draw([n])`",
            "::notice file=Rules/core.rules,line=2,col=12,endLine=2,endColumn=13,title=RS011::100%25 odd",
        ]
    );
}

#[test]
fn json_and_sarif_are_json_with_places() {
    let json: serde_json::Value = serde_json::from_str(&rendered(Format::Json)).unwrap();
    assert_eq!(json["errors"], 1);
    assert_eq!(json["findings"][0]["start"]["column"], 10);
    assert_eq!(json["findings"][0]["fix"]["safe"], false);
    let sarif: serde_json::Value = serde_json::from_str(&rendered(Format::Sarif)).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(
        run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"],
        3
    );
    assert_eq!(run["tool"]["driver"]["rules"][1]["id"], "RS011");
}

#[test]
fn places_outside_the_text_are_drawn_at_its_end() {
    let mut sources = Sources::new();
    let file = sources.add("a", "\u{fc}");
    let odd = [
        Diagnostic::new(Code("X"), Severity::Error, file, Span::new(1, 900), "odd"),
        Diagnostic::new(Code("X"), Severity::Error, FileId(7), Span::new(1, 900), "odd"),
    ];
    for format in [
        Format::Text,
        Format::Short,
        Format::Json,
        Format::Sarif,
        Format::Github,
    ] {
        assert!(render(format, &sources, &odd, true, &NoCatalog).contains("odd"));
    }
}

#[test]
fn counts_read_as_a_sentence() {
    assert_eq!(Counts::of(&sample().1).to_string(), "1 error, 1 hint");
    assert_eq!(Counts::default().to_string(), "no findings");
}
