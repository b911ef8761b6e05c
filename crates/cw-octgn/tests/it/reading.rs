//! What is read of sets, definitions and decks: values, forms, formatted text, booleans, numbers.

use cw_octgn::{
    Deck, MemoryFiles, PackItem, Package, PackageCard, PackageLimits, PickQuantity, PropertyKind,
    PropertyValue, RichPiece, RichStyle, Sleeve, TextKind,
};
use cw_text::{Diagnostic, Severity, Sources};

use crate::support::{DEFINITION, GAME, SET, files, found_by_checking, found_by_reading, set};

fn read(content: &str) -> Package {
    Package::read(&files(&set(content))).unwrap()
}

fn card_of(inner: &str) -> PackageCard {
    let content = format!("<cards><card id=\"{GAME}\" name=\"A\">{inner}</card></cards>");
    read(&content).sets[0].cards[0].clone()
}

/// How a rich text is built: `[b text]`, `{symbol:text}`, `(#rrggbb text)`.
fn pieces(all: &[RichPiece]) -> String {
    all.iter()
        .map(|piece| match piece {
            RichPiece::Text(text) => text.to_string(),
            RichPiece::Styled { style, pieces: inner } => {
                let name = match style {
                    RichStyle::Bold => 'b',
                    RichStyle::Italic => 'i',
                    RichStyle::Underline => 'u',
                };
                format!("[{name} {}]", pieces(inner))
            }
            RichPiece::Coloured {
                colour: [r, g, b],
                pieces: inner,
            } => {
                format!("(#{r:02x}{g:02x}{b:02x} {})", pieces(inner))
            }
            RichPiece::Symbol { id, text, .. } => format!("{{{}:{text}}}", **id),
        })
        .collect()
}

/// A property as it is written, and what it says.
#[track_caller]
fn check_value(property: &str, expected: &str) {
    let card = card_of(property);
    let got = match &card.properties[0].value.value {
        PropertyValue::Null => "null".to_owned(),
        PropertyValue::Text(text) => format!("text {:?}", text.as_str()),
        PropertyValue::Rich(rich) => {
            format!("rich {:?} plain {:?}", pieces(&rich.pieces), rich.plain.as_str())
        }
    };
    assert_eq!(got, expected, "{property}");
}

/// P44, P46, P59a, P59d, P69, P10, P11: what a plain property says.
#[test]
fn values_of_plain_properties() {
    check_value(r#"<property name="Rarity" value="Rare"/>"#, r#"text "Rare""#);
    check_value(r#"<property name="Rarity" value=""/>"#, r#"text """#);
    check_value(r#"<property name="Rarity"/>"#, "null");
    check_value(r#"<property name="Rarity">Rare</property>"#, r#"text "Rare""#);
    check_value(r#"<property name="Rarity"></property>"#, r#"text """#);
    check_value(r#"<property name="Rarity" value="a">b</property>"#, r#"text "b""#);
    // P46: the client would lose the value; it is kept here.
    check_value(r#"<property name="Rarity" value="a"></property>"#, r#"text "a""#);
    check_value(
        r#"<property name="Rarity"><b>a</b><i>b</i></property>"#,
        r#"text "ab""#,
    );
    check_value(
        r#"<property name="Rarity"><![CDATA[<b>]]></property>"#,
        r#"text "<b>""#,
    );
    check_value(
        "<property name=\"Rarity\" value=\"a\nb&#10;c&#xA;d\te\"/>",
        r#"text "a b\nc\nd e""#,
    );
    check_value(
        r#"<property name="Rarity" value="&lt;&amp;&gt;&quot;&apos;&#233;"/>"#,
        r#"text "<&>\"'é""#,
    );
    check_value(r#"<property name="Power" value="X"/>"#, r#"text "X""#);
    check_value("<property name=\"Rarity\">a\r\nb</property>", r#"text "a\nb""#);
}

/// P47, P60–P68, P7, P204–P207, P182: formatted text and its plain text.
#[test]
fn values_of_rich_properties() {
    let rich = |inner: &str| format!("<property name=\"Text\">{inner}</property>");
    check_value(r#"<property name="Text" value="a"/>"#, r#"rich "a" plain "a""#);
    check_value(&rich(""), "null");
    check_value(&rich("a <b>b</b> c"), r#"rich "a [b b] c" plain "a b c""#);
    check_value(
        &rich("<B>a</B><ITALIC>b</ITALIC><underline>c</underline>"),
        r#"rich "[b a][i b][u c]" plain "abc""#,
    );
    check_value(
        &rich(r##"<color value="#FF00aa">a</color>"##),
        r##"rich "(#ff00aa a)" plain "a""##,
    );
    check_value(
        &rich(r#"<s value="fire">[F]</s>"#),
        r#"rich "{fire:[F]}" plain "[F]""#,
    );
    // P62: the client keeps `&amp;` in the symbol's text; here it is the character.
    check_value(
        &rich(r#"<symbol value="fire">a &amp; b</symbol>"#),
        r#"rich "{fire:a & b}" plain "a & b""#,
    );
    check_value(&rich("<t>a<b>b</b></t>c"), r#"rich "abc" plain "abc""#);
    check_value(&rich("a<em>gone</em>b"), r#"rich "ab" plain "ab""#);
    // P66: blanks alone between two elements are lost, with and without a newline.
    check_value(&rich("<b>a</b> <i>b</i>"), r#"rich "[b a][i b]" plain "ab""#);
    check_value(&rich("<b>a</b>\n   <i>b</i>"), r#"rich "[b a][i b]" plain "ab""#);
    check_value(
        &rich("<b>a</b>&#32;<i>b</i>"),
        r#"rich "[b a] [i b]" plain "a b""#,
    );
    check_value(
        "<property name=\"Text\" xml:space=\"preserve\"><b>a</b> <i>b</i></property>",
        r#"rich "[b a] [i b]" plain "a b""#,
    );
    // P67: layout inside a text that can be seen is kept.
    check_value(
        &rich("\n  a\n  b\n"),
        r#"rich "\n  a\n  b\n" plain "\n  a\n  b\n""#,
    );
    check_value(
        &rich("<b><i><u>deep</u></i></b>"),
        r#"rich "[b [i [u deep]]]" plain "deep""#,
    );
    check_value(&rich("a<!-- not seen -->b"), r#"rich "ab" plain "ab""#);
}

/// P70: o8build does not look inside `c`; here symbols are checked everywhere.
#[test]
fn symbols_inside_colours_are_checked() {
    let content = "\
        <cards><card id=\"0a000000-0000-4000-8000-000000000005\" name=\"A\">\
            <property name=\"Text\"><c value=\"#ff0000\"><s value=\"x\">X</s></c></property>\
        </card></cards>";
    let found = found_by_checking(&files(&set(content)));
    assert!(found.iter().any(|line| line.contains("PK060")), "{found:?}");
}

/// P42, P51, P71–P74, P76, P78, P199, P200, P215: forms, what they inherit and what not.
#[test]
fn forms_inherit_properties_and_nothing_else() {
    let content = format!(
        "<cards><card id=\"{{{GAME}}}\" name=\"A\" size=\"Wide\">\
         <property name=\"Rarity\" value=\"Rare\"/>\
         <property name=\"Power\" value=\"1\"/>\n\
         \x20       <alternate name=\"B\" type=\"b\">\
                        <property name=\"Power\" value=\"2\"/>\
                        <property name=\"Rarity\"/>\
                        <property name=\"Kind\" value=\"k\"/>\
                    </alternate>\n\
         \x20       <alternate name=\"A\" type=\"c\" size=\"Wide\"/></card></cards>"
    );
    let package = read(&content);
    let card = &package.sets[0].cards[0];
    let told = |form| {
        let all = card.effective(form).into_iter();
        all.map(|(name, value)| format!("{name}={}", value.plain().unwrap()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(told(None), "Rarity=Rare Power=1");
    assert_eq!(told(card.alternate("b")), "Power=2 Kind=k");
    assert_eq!(told(card.alternate("c")), "Rarity=Rare Power=1");
    assert!(card.alternate("B").is_none());
    assert_eq!(card.alternate("b").unwrap().size, None);
    assert_eq!(card.text("Kind"), None);
    // P15, P76: the picture goes by the text of the id.
    assert_eq!(card.picture_name(None), format!("{{{GAME}}}"));
    assert_eq!(card.picture_name(card.alternate("b")), format!("{{{GAME}}}.b"));
    assert_eq!(card.id.value.to_string(), GAME);
    let shown = package.value(
        package.card_by_id(card.id.value).unwrap(),
        card.alternate("b"),
        "Power",
    );
    assert_eq!(shown.and_then(PropertyValue::plain), Some("2"));
}

/// P1, P2, P5, P6, P8: any depth, any order; names are exact; comments do not count.
#[test]
fn elements_are_found_at_any_depth() {
    let card = |number: u32| {
        format!("<card id=\"0b000000-0000-4000-8000-00000000000{number}\" name=\"c{number}\"/>")
    };
    let package = read(&format!(
        "{}<x><cards>{}</cards></x><!-- --><cards>{}</cards><Card/>",
        card(1),
        card(2),
        card(3)
    ));
    let names: Vec<&str> = package.sets[0]
        .cards
        .iter()
        .map(|card| card.name.as_str())
        .collect();
    assert_eq!(names, ["c1", "c2", "c3"]);
    let of_namespace = format!("<set xmlns=\"http://x\" name=\"S\" id=\"{SET}\" gameId=\"{GAME}\"/>");
    assert_eq!(
        found_by_reading(&files(&of_namespace)),
        ["1:6-22 PK006 the outermost element has a namespace"]
    );
    let schema = format!(
        "<set xmlns:xsi=\"http://x\" xsi:noNamespaceSchemaLocation=\"s.xsd\" \
             name=\"S\" id=\"{SET}\" gameId=\"{GAME}\"/>"
    );
    assert_eq!(found_by_reading(&files(&schema)), Vec::<String>::new());
}

/// P16, P19–P29, P191, P192: attributes of a set, as the client and the new tool read them.
#[test]
fn attributes_of_a_set() {
    let read = |attributes: &str| {
        let text = format!("<set name=\"S\" id=\"{SET}\" gameId=\"{GAME}\" {attributes}/>");
        let package = Package::read(&files(&text)).unwrap();
        let worst = package.diagnostics.iter().map(|finding| finding.severity).max();
        ((*package.sets[0]).clone(), worst)
    };
    for (spelling, hidden, worst) in [
        ("true", true, None),
        ("false", false, None),
        ("True", true, Some(Severity::Warning)),
        (" FALSE ", false, Some(Severity::Warning)),
        ("1", true, Some(Severity::Error)),
        ("0", false, Some(Severity::Error)),
        ("yes", false, Some(Severity::Error)),
    ] {
        let (set, found) = read(&format!("hidden=\"{spelling}\""));
        assert_eq!((set.hidden, found), (hidden, worst), "{spelling}");
    }
    let (set, found) = read(
        "shortName=\"abc\" description=\"d\" releaseDate=\"2024-02-29\" \
         version=\"1.2\" gameVersion=\"1.2.3.4\"",
    );
    assert_eq!(found, None);
    assert_eq!(set.short_name.unwrap().as_str(), "abc");
    assert_eq!(set.version.unwrap().to_string(), "1.2");
    for date in [
        "2023-02-29",
        "2020-13-01",
        "20-01-01",
        "2020-1-1",
        "01/02/2020",
        "",
        "2020-01-01x",
    ] {
        assert_eq!(
            read(&format!("releaseDate=\"{date}\"")).1,
            Some(Severity::Warning),
            "{date}"
        );
    }
    assert_eq!(read("releaseDate=\"2020-01-01Z\"").1, None);
    for version in ["1", "1.2.3.4.5", "1.a", "1..2", "-1.0", "99999999999.0"] {
        assert_eq!(
            read(&format!("version=\"{version}\"")).1,
            Some(Severity::Error),
            "{version}"
        );
    }
}

/// P17, P31, P35, P37–P39, P196, P198: packs as written.
#[test]
fn packs_are_read_as_written() {
    let package = read(&format!(
        "<packaging><pack name=\"p\" id=\"{SET}\">\
             <pick qty=\" +2 \" key=\"Rarity\" value=\"\"><property key=\"Kind\" value=\"k\"/></pick>\
             <options><option/><option probability=\"1e-1\"><options/></option></options>\
             <pick key=\"Name\" value=\"x\"/>\
         </pack></packaging>"
    ));
    let pack = &package.sets[0].packs[0];
    let PackItem::Pick(pick) = &pack.items[0] else {
        panic!("{pack:?}")
    };
    assert_eq!(pick.quantity.value, PickQuantity::Count(2));
    assert_eq!(pick.criteria.len(), 2);
    let PackItem::Options(options) = &pack.items[1] else {
        panic!("{pack:?}")
    };
    // D63: what is missing has the client's default, with PK010 as a warning.
    let probabilities: Vec<String> = options
        .options
        .iter()
        .map(|option| option.probability.value.to_string())
        .collect();
    assert_eq!(probabilities, ["1", "0.1"]);
    let PackItem::Pick(pick) = &pack.items[2] else {
        panic!("{pack:?}")
    };
    assert_eq!(pick.quantity.value, PickQuantity::Count(0));
    let missing = package
        .diagnostics
        .iter()
        .filter(|finding| finding.code.0 == "PK010");
    assert_eq!(
        missing.map(|finding| finding.severity).collect::<Vec<_>>(),
        [Severity::Warning; 2]
    );
}

/// P14, P52–P59, P210: a definition, its children in any order.
#[test]
fn definitions() {
    let text = "\
        <game version=\"1.2.3.4\" name=\"G\" \
            id=\"{0a000000-0000-4000-8000-000000000001}\" markersize=\"20\"\n\
        octgnVersion=\"3.4.0.0\" authors=\"a\" tags=\"t\" \
            gameurl=\"https://example.org\" iconurl=\"https://example.org/i.png\">\n\
        <table name=\"T\" width=\"9\" height=\"9\"/><proxygen definitionsrc=\"p.xml\"/>\n\
        <sharedDeck><section name=\"Side\" group=\"Pool\"/></sharedDeck>\
        <shared><group name=\"Pool\"/></shared>\n\
        <deck><section name=\"Main\" group=\"Deck\"/></deck>\
        <player><hand name=\"Hand\"/><group name=\"Deck\"/></player>\n\
        <markers><marker id=\"any text\" name=\"M\" src=\"m.png\" showCount=\"False\"/></markers>\n\
        <card name=\"Std\" front=\"f.png\" back=\"b.png\" width=\"63\" height=\"88\" cornerRadius=\"2\">\n\
        <size name=\"Big\" width=\"100\" height=\"120\" back=\"b.png\"/>\n\
        <property name=\"A\" type=\"Integer\" hidden=\"True\"/>\
        <property name=\"B\" type=\"String\" textKind=\"Tokens\" delimiter=\"/\"/>\n\
        <property name=\"C\" type=\"String\" textKind=\"Tokens\" ignoreText=\"True\"/>\
        <property name=\"D\" type=\"RichText\" textKind=\"Enum\"/></card></game>";
    let files = ["f.png", "b.png", "m.png"]
        .iter()
        .fold(MemoryFiles::new(), |files, name| files.with(*name, ""));
    let package = Package::read(&files.with("definition.xml", text)).unwrap();
    // What only the packaging tool wants is told, and keeps nobody from reading (P281).
    let errors: Vec<_> = package
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    assert_eq!(errors, [] as [&Diagnostic; 0]);
    let definition = &package.definition;
    assert_eq!(definition.version.as_ref().unwrap().to_string(), "1.2.3.4");
    assert_eq!(
        (definition.card.name.as_str(), definition.card.corner_radius),
        ("Std", 2.0)
    );
    assert_eq!(
        (definition.sizes[0].width, definition.sizes[0].front.is_none()),
        (100.0, true)
    );
    assert_eq!(
        definition
            .property("A")
            .map(|property| (property.kind, property.hidden)),
        Some((PropertyKind::Integer, true))
    );
    assert_eq!(
        definition
            .property("B")
            .map(|property| property.text_kind.clone()),
        Some(TextKind::Tokens("/".into()))
    );
    assert_eq!(
        definition
            .property("C")
            .map(|property| property.text_kind.clone()),
        Some(TextKind::Tokens(" ".into()))
    );
    assert!(definition.property("a").is_none());
    assert_eq!(definition.groups.len(), 2);
    assert!(definition.section("Side", true).is_some() && definition.section("Side", false).is_none());
    assert_eq!(definition.references.len(), 5);
}

/// P158, P124, P239: every file a definition names is looked for.
#[test]
fn every_named_file_is_looked_for() {
    let text = DEFINITION.replace(
        "</game>",
        "<scripts><script src=\"../a.py\"/></scripts>\
         <fonts><font src=\"C:\\f.ttf\" size=\"1\"/></fonts>\
         <documents><document name=\"d\" src=\"d.html\" icon=\"\"/></documents></game>",
    );
    let found = found_by_checking(&files(&set("")).with("definition.xml", text));
    let missing: Vec<&str> = found
        .iter()
        .filter(|line| line.contains("PK110"))
        .map(|line| line.split("PK110 ").nth(1).unwrap())
        .collect();
    assert_eq!(
        missing,
        [
            "the path `../a.py` leaves the package",
            "the path `C:\\f.ttf` is absolute",
            "there is no file `d.html`",
        ]
    );
}

/// P100, P120–P122, P202: a set marker's picture matters only where there is a folder.
#[test]
fn marker_pictures() {
    let marker = "0a000000-0000-4000-8000-000000000006";
    let text = set(&format!(
        "<markers><marker name=\"M\" id=\"{marker}\"/></markers>"
    ));
    let codes = |files: &MemoryFiles| {
        let package = Package::read(files).unwrap();
        let found = cw_octgn::check(&package);
        found
            .into_iter()
            .filter(|finding| finding.code.0 == "PK100")
            .map(|finding| finding.severity)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&files(&text)), [Severity::Warning]);
    let other = files(&text).with(format!("Sets/{SET}/Markers/{GAME}.png"), "");
    assert_eq!(codes(&other), [Severity::Error]);
    assert_eq!(
        codes(&files(&text).with(format!("Sets/{SET}/Markers/{marker}.JPG"), "")),
        []
    );
}

/// P123: OCTGN's own markers.
#[test]
fn reserved_marker_ids() {
    let with = |id: &str| {
        let text = DEFINITION.replace(
            "</game>",
            &format!("<markers><marker id=\"{id}\" name=\"m\" src=\"fire.png\"/></markers></game>"),
        );
        found_by_checking(&files(&set("")).with("definition.xml", text))
            .iter()
            .any(|line| line.contains("PK022"))
    };
    assert!(with("00000000-0000-0000-0000-000000000001") && with("00000000-0000-0000-0000-00000000000a"));
    assert!(!with("00000000-0000-0000-0000-00000000000b") && !with("tap"));
}

/// P138, P143, P144, P152–P157, P161, P235: what o8build says about folders, all in one run.
#[test]
fn folder_layout() {
    let files = files(&set(""))
        .with("_rels/.rels", "")
        .with("Sets/readme.txt", "")
        .with("Sets/empty/Decks/a.txt", "")
        .with(format!("Sets/{SET}/notes.txt"), "")
        .with(format!("Sets/{SET}/Cards/Crops/{SET}.png"), "")
        .with(format!("Sets/{SET}/Cards/Other/{SET}.png"), "")
        .with(format!("Sets/{SET}/Cards/{SET}"), "")
        .with(format!("Sets/{SET}/Markers/m.png"), "")
        .with(format!("Sets/{SET}/Markers/{SET}.old.png"), "")
        .with(format!("Sets/{SET}/Sounds/a.mp3"), "")
        .with(format!("Sets/{SET}/Decks/a.txt"), "");
    let found = found_by_checking(&files);
    let mut told: Vec<&str> = found
        .iter()
        .filter(|line| line.contains("PK138"))
        .map(|line| line.split("PK138 ").nth(1).unwrap())
        .collect();
    told.sort_unstable();
    told.retain(|line| {
        !line.contains(".png` in the root")
            && !line.contains("not `front.png`")
            && !line.contains("not `back.png`")
            && !line.contains("not `fire.png`")
    });
    assert_eq!(
        told,
        [
            "o8build allows a set only two of the folders Cards, Markers, Decks",
            "o8build crashes on `Cards/0a000000-0000-4000-8000-000000000002`, a picture without an extension",
            "o8build knows the folders Cards, Markers, Decks, not `Sounds`",
            "o8build refuses the folder `_rels`",
            "o8build refuses the folder of `Cards/Other/0a000000-0000-4000-8000-000000000002.png`",
            "o8build wants only `set.xml` in a set folder, not `notes.txt`",
            "o8build wants only folders in `Sets`, not `readme.txt`",
            "o8build wants pictures of markers named by GUID, \
             not `0a000000-0000-4000-8000-000000000002.old.png`",
            "o8build wants pictures of markers named by GUID, not `m.png`",
            "the set folder `empty` has no `set.xml`",
        ]
    );
}

/// What follows from a set that cannot be read, or a name that is not there, is not told beside it.
#[test]
fn nothing_stands_beside_the_true_finding() {
    let tag = format!(
        "<set name=\"A\" id=\"{SET}\" gameId=\"0a000000-0000-4000-8000-000000000001\" \
         version=\"1.0\" gameVersion=\"1.0\""
    );
    let nameless = "<cards><card id=\"0a000000-0000-4000-8000-000000000005\"/></cards>";
    for (text, code) in [
        (tag.clone(), "PK001"),
        (format!("{tag}><cards></set>"), "PK002"),
        (String::new(), "PK0"),
        ("<sets/>".to_owned(), "PK0"),
        (format!("{tag}>{nameless}</set>"), "PK010"),
    ] {
        let files = MemoryFiles::new()
            .with("definition.xml", DEFINITION)
            .with(format!("Sets/{SET}/set.xml"), text.clone());
        let found = found_by_checking(&files);
        assert!(found.iter().any(|line| line.contains(code)), "{text}\n{found:#?}");
        let beside = found
            .iter()
            .find(|line| line.contains("PK043") || line.contains("PK138") && line.contains("set"));
        assert_eq!(beside, None, "{text}");
    }
}

/// A package without sets is installed with a failure (P256).
#[test]
fn a_package_needs_a_folder_of_sets() {
    let is_told = |files: &MemoryFiles| {
        let found = found_by_checking(files);
        found
            .iter()
            .any(|line| line.contains("PK138") && line.contains("no folder `Sets`"))
    };
    let without = MemoryFiles::new().with("definition.xml", DEFINITION);
    assert!(is_told(&without));
    for path in ["Sets/a/notes.txt", "sets/a/set.xml"] {
        assert!(!is_told(&without.clone().with(path, "")), "{path}");
    }
    assert!(!is_told(&files(&set(""))));
}

fn deck(text: &str) -> (Option<Deck>, Vec<&'static str>) {
    let (deck, found) = Deck::read(
        "x/My deck.o8d",
        text.as_bytes().to_vec(),
        &PackageLimits::default(),
        &mut Sources::new(),
    );
    (deck, found.iter().map(|finding| finding.code.0).collect())
}

/// P130–P135, P137–P139: decks as they are, old and odd ones too.
#[test]
fn decks_are_read_as_they_are() {
    let (read, found) = deck(&format!(
        "\u{feff}\
         <deck game=\"{GAME}\" sleeveid=\"1\">\
             <x><section name=\"Main\" shared=\"TRUE\">\
                 <y><card qty=\" 2 \" id=\"{SET}\"> A </card></y>\
                 <card qty=\"-1\" id=\"{GAME}\"/>\
             </section></x>\
             <section name=\"Side\"/>\
             <notes><![CDATA[n]]></notes>\
             <sleeve>game:s:{GAME}</sleeve>\
         </deck>"
    ));
    let read = read.unwrap();
    assert_eq!(found, ["PK007", "PK007", "PK125"]);
    assert_eq!(
        (read.name.as_str(), read.sections.len(), read.sections[0].shared),
        ("My deck", 1, true)
    );
    assert_eq!(
        (
            read.sections[0].cards[0].quantity.value,
            read.sections[0].cards[0].name.as_str()
        ),
        (2, " A ")
    );
    assert_eq!((read.count(), read.notes.unwrap().as_str()), (2, "n"));
    assert!(matches!(read.sleeve.unwrap().value, Sleeve::Game { .. }));
    // The old style: all sections are shared.
    let old = deck(&format!(
        "<deck game=\"{GAME}\" shared=\"true\">\
             <section name=\"M\"><card qty=\"1\" id=\"{SET}\"/></section>\
         </deck>"
    ));
    assert!(old.0.unwrap().sections[0].shared);
    for (sleeve, codes) in [
        ("octgn:x:", vec![]),
        ("custom:x:QUI=", vec![]),
        ("custom:x:Q", vec!["PK127"]),
        ("octgn:x", vec!["PK127"]),
        ("game:x:1", vec!["PK020"]),
        ("silk:x:", vec!["PK127"]),
    ] {
        assert_eq!(
            deck(&format!("<deck game=\"{GAME}\"><sleeve>{sleeve}</sleeve></deck>")).1,
            codes,
            "{sleeve}"
        );
    }
    assert_eq!(deck("<deck").0, None);
    assert_eq!(deck("<list/>"), (None, vec!["PK006"]));
    let corrupt = deck(&format!(
        "<deck game=\"{GAME}\">\
             <section name=\"M\" shared=\"1\"><card qty=\"x\" id=\"{SET}\"/></section>\
         </deck>"
    ));
    assert_eq!(corrupt.1, ["PK010", "PK010"]);
}

/// P49, P134: the first card with an id counts; a stale id falls back on the name, letter case ignored.
#[test]
fn lines_find_cards_by_id_then_by_name() {
    let cards = format!(
        "<cards>\
             <card id=\"{GAME}\" name=\"First\"/>\
             <card id=\"{GAME}\" name=\"Second\"/>\
             <card id=\"{SET}\" name=\"Émile\"/>\
         </cards>"
    );
    let package = read(&cards);
    let line = |id: &str, name: &str| {
        let text = format!(
            "<deck game=\"{GAME}\">\
                 <section name=\"Main\"><card qty=\"1\" id=\"{id}\">{name}</card></section>\
             </deck>"
        );
        let resolved = package.resolve(&deck(&text).0.unwrap());
        resolved.sections[0]
            .lines
            .first()
            .map(|line| package.card(line.card).name.to_string())
    };
    assert_eq!(line(GAME, "Second").as_deref(), Some("First"));
    let stale = "0f000000-0000-4000-8000-000000000000";
    assert_eq!(line(stale, "ÉMILE").as_deref(), Some("Émile"));
    assert_eq!(line(stale, "Emile"), None);
    assert_eq!(line("nonsense", "second").as_deref(), Some("Second"));
    assert_eq!(package.cards_by_id(GAME.parse().unwrap()).count(), 2);
}

/// P170: how far a sum is from 1 decides how much it matters.
#[test]
fn sums_of_probabilities() {
    let severity = |second: &str| {
        let pick = "<pick qty=\"1\" key=\"Name\" value=\"A\"/>";
        let content = format!(
            "<packaging><pack name=\"p\" id=\"{SET}\"><options>\
                 <option probability=\"0.5\">{pick}</option>\
                 <option probability=\"{second}\">{pick}</option>\
             </options></pack></packaging>\
             <cards><card id=\"{GAME}\" name=\"A\"/></cards>"
        );
        let found = cw_octgn::check(&read(&content));
        found
            .iter()
            .find(|finding| finding.code.0 == "PK080")
            .map(|finding| finding.severity)
    };
    assert_eq!(severity("0.5"), None);
    assert_eq!(severity("0.5000009"), None);
    assert_eq!(severity("0.4999"), Some(Severity::Hint));
    assert_eq!(severity("0.51"), Some(Severity::Hint));
    assert_eq!(severity("0.48"), Some(Severity::Warning));
    assert_eq!(severity("0.684375"), Some(Severity::Warning));
}

/// P12, P172, P211: everything is found in one run; nothing stops at the first.
#[test]
fn all_findings_come_in_one_run() {
    let broken = "<set><cards>".to_owned();
    let files = files(&set(
        "<cards><card id=\"x\" name=\"A\"><property name=\"Nope\" value=\"1\"/></card></cards>",
    ))
    .with("Sets/b/set.xml", broken)
    .with("Decks/d.o8d", "<deck");
    let found = found_by_checking(&files);
    for code in ["PK001", "PK002", "PK010", "PK020", "PK030"] {
        assert!(found.iter().any(|line| line.contains(code)), "{code}: {found:#?}");
    }
}

/// P23, P36: with no readable definition nothing is said about what it would define.
#[test]
fn without_a_definition_only_the_files_are_judged() {
    let files = files(&set(
        "<cards><card id=\"x\" name=\"A\"><property name=\"Nope\" value=\"1\"/></card></cards>",
    ))
    .with("definition.xml", "<game");
    let found = found_by_checking(&files);
    assert!(
        found.iter().any(|line| line.contains("PK020")) && !found.iter().any(|line| line.contains("PK030")),
        "{found:#?}"
    );
}

/// P212: who wants only the cards gets the same cards, and neither decks nor judgements of form.
#[test]
fn only_the_cards_are_read_where_only_they_are_wanted() {
    let set = "\
        <set name=\"S\" id=\"0a000000-0000-4000-8000-000000000001\" \
            gameId=\"0a000000-0000-4000-8000-000000000000\" \
            gameVersion=\"1.0.0.0\" version=\"1.0.0.0\" strange=\"1\">\
            <cards><card id=\"0a000000-0000-4000-8000-000000000002\" name=\"A\"/></cards>\
        </set>";
    let definition = "<game name=\"G\" id=\"0a000000-0000-4000-8000-000000000000\" version=\"1.0.0.0\">\
        <card front=\"f.png\"/></game>";
    let files = cw_octgn::MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/0a000000-0000-4000-8000-000000000001/set.xml", set)
        .with("Decks/d.o8d", "<deck><section");
    let read = |only_cards: bool| {
        let limits = cw_octgn::PackageLimits {
            only_cards,
            ..cw_octgn::PackageLimits::default()
        };
        cw_octgn::Package::read_with(&files, &limits, cw_text::Sources::new(), &|_| {}).unwrap()
    };
    let (whole, cards) = (read(false), read(true));
    let names = |package: &cw_octgn::Package| -> Vec<String> {
        package
            .cards()
            .map(|(_, card)| card.name.value.to_string())
            .collect()
    };
    assert_eq!(names(&whole), ["A"]);
    assert_eq!(names(&whole), names(&cards));
    // What the schema says of `strange` is left out; what reading itself says is not.
    assert!(
        cards.diagnostics.len() < whole.diagnostics.len(),
        "{:?}",
        cards.diagnostics
    );
    let reads_deck = |package: &cw_octgn::Package| {
        package
            .sources
            .iter()
            .any(|(_, source)| source.name.ends_with("d.o8d"))
    };
    assert!(reads_deck(&whole) && !reads_deck(&cards));
}
