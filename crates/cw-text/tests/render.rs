//! How findings look in each format.

use cw_text::{
    Diagnostic, FileId, FindingCode, FindingFix, FindingFormat, NoCatalog, Safety, Severity, SeverityCounts,
    Sources, Span, TextEdit, render,
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
            FindingCode("RS003"),
            Severity::Error,
            file,
            span,
            "unknown command `drow`",
        )
        .label(file, Span::new(9, 13), "this one is known")
        .help("it is written `draw([n])`")
        .fix(FindingFix {
            title: "replace with `draw`".to_string(),
            safety: Safety::Unsafe,
            edits: vec![TextEdit {
                file,
                span,
                text: "draw".to_string(),
            }],
        }),
        Diagnostic::new(
            FindingCode("RS011"),
            Severity::Hint,
            file,
            Span::new(30, 31),
            "100% odd",
        ),
    ];
    (sources, found)
}

fn rendered(format: FindingFormat) -> String {
    let (sources, found) = sample();
    render(format, &sources, &found, false, &NoCatalog)
}

#[test]
fn text_underlines_the_place_and_shows_the_fix() {
    insta::assert_snapshot!(rendered(FindingFormat::Text));
}

#[test]
fn short_is_a_line_each() {
    assert_eq!(
        rendered(FindingFormat::Short),
        "Rules/core.rules:3:10: error[RS003]: unknown command `drow`\n\
         Rules/core.rules:2:12: hint[RS011]: 100% odd\n"
    );
}

#[test]
fn github_escapes() {
    let lines: Vec<String> = rendered(FindingFormat::Github)
        .lines()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        lines,
        [
            "::error file=Rules/core.rules,line=3,col=10,endLine=3,endColumn=14,\
             title=RS003::unknown command `drow`%0Ait is written `draw([n])`",
            "::notice file=Rules/core.rules,line=2,col=12,endLine=2,endColumn=13,title=RS011::100%25 odd",
        ]
    );
}

#[test]
fn json_and_sarif_are_json_with_places() {
    let json: serde_json::Value = serde_json::from_str(&rendered(FindingFormat::Json)).unwrap();
    assert_eq!(json["errors"], 1);
    assert_eq!(json["findings"][0]["start"]["column"], 10);
    assert_eq!(json["findings"][0]["fix"]["safe"], false);
    let sarif: serde_json::Value = serde_json::from_str(&rendered(FindingFormat::Sarif)).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(
        run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"],
        3
    );
    assert_eq!(run["tool"]["driver"]["rules"][1]["id"], "RS011");
}

/// What the text form draws of a line that ends in `\r\n` is the line alone.
#[test]
fn lines_end_where_they_end() {
    let mut sources = Sources::new();
    let file = sources.add("a", "drow()\r\ndrow()\r\n");
    let found = [Diagnostic::new(
        FindingCode("X"),
        Severity::Error,
        file,
        Span::new(0, 4),
        "odd",
    )];
    let shown = render(FindingFormat::Text, &sources, &found, false, &NoCatalog);
    assert!(shown.contains("1 | drow()\n"), "{shown}");
    let whole = [Diagnostic::new(
        FindingCode("X"),
        Severity::Error,
        file,
        Span::new(0, 7),
        "odd",
    )];
    assert!(render(FindingFormat::Text, &sources, &whole, false, &NoCatalog).contains("odd"));
}

/// Two edits in `name` and one elsewhere, over two lines.
fn two_files(name: &str) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add(name, "one\ntwo\n");
    let other = sources.add("other", "three\n");
    let edit = |file, span| TextEdit {
        file,
        span,
        text: "x".to_string(),
    };
    let fix = FindingFix {
        title: "mend".to_string(),
        safety: Safety::Safe,
        edits: vec![
            edit(file, Span::new(0, 1)),
            edit(other, Span::new(0, 1)),
            edit(file, Span::new(4, 5)),
        ],
    };
    let found = Diagnostic::new(
        FindingCode("X"),
        Severity::Warning,
        file,
        Span::new(0, 7),
        "a\r\nb: 5%, c",
    )
    .fix(fix);
    (sources, vec![found])
}

/// Properties of workflow commands escape more than their messages; columns stand for places in one line
/// only.
#[test]
fn github_escapes_properties_and_messages() {
    let (sources, found) = two_files("a,b: 5%.rules");
    assert_eq!(
        render(FindingFormat::Github, &sources, &found, false, &NoCatalog),
        "::warning file=a%2Cb%3A 5%25.rules,line=1,endLine=2,title=X::a%0D%0Ab: 5%25, c\n"
    );
    let nowhere = [Diagnostic::new(
        FindingCode("X"),
        Severity::Error,
        FileId(7),
        Span::new(1, 2),
        "odd",
    )];
    assert_eq!(
        render(FindingFormat::Github, &sources, &nowhere, false, &NoCatalog),
        "::error title=X::odd\n"
    );
}

/// What the schema of SARIF 2.1.0 demands, and what readers rely on.
#[test]
fn sarif_is_valid() {
    for (name, uri) in [
        ("a b/ä.rules", "a%20b/%C3%A4.rules"),
        ("/a/b.rules", "file:///a/b.rules"),
        ("C:/a b.rules", "file:///C:/a%20b.rules"),
        ("a\\b.rules", "a/b.rules"),
        ("a:b", "a%3Ab"),
    ] {
        let (sources, found) = two_files(name);
        let text = render(FindingFormat::Sarif, &sources, &found, false, &NoCatalog);
        let log: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert!(run["tool"]["driver"]["name"].is_string());
        for result in run["results"].as_array().unwrap() {
            assert!(result["message"]["text"].is_string());
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], uri);
            let region = &place["region"];
            let ends =
                ["startLine", "startColumn", "endLine", "endColumn"].map(|end| region[end].as_u64().unwrap());
            assert_eq!(ends, [1, 1, 2, 4]);
            for fix in result["fixes"].as_array().unwrap() {
                assert!(fix["description"]["text"].is_string());
                let changes = fix["artifactChanges"].as_array().unwrap();
                let edits = |change: &serde_json::Value| change["replacements"].as_array().unwrap().len();
                assert_eq!(changes.iter().map(edits).collect::<Vec<_>>(), [2, 1]);
                assert_eq!(changes[0]["artifactLocation"]["uri"], uri);
                let first = &changes[0]["replacements"][0];
                assert_eq!(first["deletedRegion"]["endColumn"], 2);
                assert_eq!(first["insertedContent"]["text"], "x");
            }
        }
    }
}

#[test]
fn places_outside_the_text_are_drawn_at_its_end() {
    let mut sources = Sources::new();
    let file = sources.add("a", "\u{fc}");
    let odd = [
        Diagnostic::new(FindingCode("X"), Severity::Error, file, Span::new(1, 900), "odd"),
        Diagnostic::new(
            FindingCode("X"),
            Severity::Error,
            FileId(7),
            Span::new(1, 900),
            "odd",
        ),
    ];
    for format in [
        FindingFormat::Text,
        FindingFormat::Short,
        FindingFormat::Json,
        FindingFormat::Sarif,
        FindingFormat::Github,
    ] {
        assert!(render(format, &sources, &odd, true, &NoCatalog).contains("odd"));
    }
}

#[test]
fn counts_read_as_a_sentence() {
    assert_eq!(SeverityCounts::of(&sample().1).to_string(), "1 error, 1 hint");
    assert_eq!(SeverityCounts::default().to_string(), "no findings");
}
