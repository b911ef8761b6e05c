//! The schemas of OCTGN's packaging tool as rules of `check`: mutants of a sound package are judged by a
//! second reading of the specification's own tables, which shares nothing with the checker.

use std::collections::{BTreeMap, BTreeSet};

use cw_octgn::{MemoryFiles, Package};
use regex::Regex;

use crate::support::{SET, line};

/// The page of the specification: the only place that both readings come from.
const SPEC: &str = include_str!("../../../../docs/spec/octgn-schemas.md");

/// The rows of one table: element (with its parent where it has one) to children, attributes, text.
type Rows = BTreeMap<String, [String; 3]>;

fn rows(heading: &str) -> Rows {
    let part = SPEC.split(heading).nth(1).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let lines = part
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| element"));
    lines
        .map(|line| {
            let line = line.replace("\\|", "\u{1}");
            let cells: Vec<String> = line
                .split('|')
                .map(|cell| cell.trim().replace('\u{1}', "|"))
                .collect();
            (
                cells[1].clone(),
                [cells[2].clone(), cells[3].clone(), cells[4].clone()],
            )
        })
        .collect()
}

/// The lists of P221, spelled out.
fn attributes(text: &str) -> Vec<String> {
    let lists = SPEC.lines().find(|line| line.starts_with("- **P221**")).unwrap();
    text.split(' ')
        .flat_map(|word| match word.starts_with('@') {
            false => vec![word.to_owned()],
            true => {
                let found = Regex::new(&format!("`{word}` = `([^`]*)`")).unwrap();
                attributes(&found.captures(lists).unwrap()[1])
            }
        })
        .collect()
}

thread_local! {
    /// Patterns that were made already.
    static PATTERNS: std::cell::RefCell<BTreeMap<String, Regex>> =
        const { std::cell::RefCell::new(BTreeMap::new()) };
}

/// Whether the whole text is as the pattern says.
fn matches_whole(pattern: &str, text: &str) -> bool {
    PATTERNS.with_borrow_mut(|known| {
        let made = known
            .entry(pattern.to_owned())
            .or_insert_with(|| Regex::new(&format!("^(?:{pattern})$")).unwrap());
        made.is_match(text)
    })
}

/// P220, as patterns.
fn fits(kind: &str, text: &str) -> bool {
    let matches = |pattern: &str| matches_whole(pattern, text);
    let hex = "[0-9a-fA-F]";
    let hyphens = format!("{hex}{{8}}-{hex}{{4}}-{hex}{{4}}-{hex}{{4}}-{hex}{{12}}");
    let whole = || text.trim().parse::<i128>().ok();
    let int = || matches(r"[ \t\r\n]*[+-]?[0-9]+[ \t\r\n]*");
    match kind {
        "str" => true,
        "int" => int(),
        "nat" => int() && whole().unwrap() >= 0,
        "pos" => int() && whole().unwrap() >= 1,
        "deg" => int() && (0..=360).contains(&whole().unwrap()),
        "YN" => matches("True|False"),
        "yn" => matches(r"[ \t\r\n]*(true|false|1|0)[ \t\r\n]*"),
        "guid2" => matches(&format!(r"{hyphens}|\{{{hyphens}\}}")),
        "guid4" => matches(&format!(
            r"{hyphens}|\{{{hyphens}\}}|{hex}{{32}}|\{{{hex}{{32}}\}}"
        )),
        "v4" => matches(r"\d+(\.\d+){3}"),
        "v24" => matches(r"\d+(\.\d+){1,3}"),
        "rgb" => matches(&format!("#{hex}{{6}}")),
        "box" => matches(r"-*\d+(,-*\d+){3}"),
        "dbl" => {
            matches(r"[ \t\r\n]*([+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|INF|-INF|NaN)[ \t\r\n]*")
        }
        "date" => matches(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(Z|[+-]\d\d:\d\d)?"),
        _ => kind.trim_matches(['{', '}']).split('|').any(|word| word == text),
    }
}

/// Why the tables refuse an element, or nothing.
fn refused(rows: &Rows, node: roxmltree::Node<'_, '_>, parent: &str) -> Option<String> {
    let name = node.tag_name().name();
    let row = rows.get(&format!("{parent}/{name}")).or_else(|| rows.get(name));
    let Some([children, known, text]) = row else {
        return Some(format!("element {name}"));
    };
    let known = attributes(known);
    let is_open = known.iter().any(|word| word == "...");
    let takes_xml = rows.contains_key("templates");
    for attribute in node.attributes() {
        if let Some(namespace) = attribute.namespace() {
            let of_schemas = namespace.ends_with("XMLSchema-instance");
            if is_open
                || takes_xml && !of_schemas
                || of_schemas && attribute.name().ends_with("chemaLocation")
            {
                continue;
            }
            return Some(format!("{name}@xml:{}", attribute.name()));
        }
        let own = |word: &&String| word.split(['!', ':']).next() == Some(attribute.name());
        match known.iter().find(own) {
            None if is_open => {}
            None => return Some(format!("{name}@{}", attribute.name())),
            Some(word) => {
                let kind = word.split_once(':').unwrap().1.split('=').next().unwrap();
                if !fits(kind, attribute.value()) {
                    return Some(format!("{name}@{}={}", attribute.name(), attribute.value()));
                }
            }
        }
    }
    for word in known.iter().filter(|word| word.contains('!')) {
        let needed = word.split('!').next().unwrap();
        if !node.has_attribute(needed) {
            return Some(format!("{name} without @{needed}"));
        }
    }
    if text == "no"
        && node
            .children()
            .any(|child| child.is_text() && !child.text().unwrap().trim().is_empty())
    {
        return Some(format!("text in {name}"));
    }
    let inside: Vec<&str> = node
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|one| one.tag_name().name())
        .collect();
    if !follows(children, &inside) {
        return Some(format!("{inside:?} in {name}"));
    }
    let mut elements = node.children().filter(roxmltree::Node::is_element);
    elements.find_map(|child| refused(rows, child, name))
}

/// Whether the names of children follow a cell of the table, as a pattern over the names.
fn follows(cell: &str, inside: &[&str]) -> bool {
    let (kind, list) = cell.split_once(": ").unwrap_or(("any", ""));
    let joined: String = inside.iter().map(|name| format!("{name} ")).collect();
    let plain = |word: &str| word.trim_end_matches(['?', '*', '+']).to_owned();
    let pattern = match kind {
        "all" => {
            return list.split(' ').all(|word| {
                let count = inside.iter().filter(|name| **name == plain(word)).count();
                count <= 1 && (count == 1 || word.ends_with('?'))
            }) && inside
                .iter()
                .all(|name| list.split(' ').any(|word| plain(word) == *name));
        }
        "seq" => list
            .split(" || ")
            .map(|way| {
                way.split(' ')
                    .map(|word| {
                        let suffix = word.strip_prefix(&plain(word)).unwrap().to_owned();
                        format!("(?:{} ){suffix}", plain(word))
                    })
                    .collect::<String>()
            })
            .collect::<Vec<_>>()
            .join("|"),
        _ => {
            let any: Vec<String> = list.split(' ').map(|word| format!("{word} ")).collect();
            let times = if kind == "any+" { '+' } else { '*' };
            format!(
                "(?:{}){times}",
                if list.is_empty() {
                    "!".to_owned()
                } else {
                    any.join("|")
                }
            )
        }
    };
    matches_whole(&pattern, &joined)
}

/// What a file's outermost element has to be called, with the heading of its table.
const KINDS: [(&str, &str); 3] = [
    ("game", "## 2 Game.xsd"),
    ("set", "## 3 CardSet.xsd"),
    ("templates", "## 4 CardGenerator.xsd"),
];

thread_local! {
    /// The three tables, read once.
    static TABLES: [Rows; 3] = KINDS.map(|(_, heading)| rows(heading));
}

fn judged(kind: usize, text: &str) -> Option<String> {
    let document = roxmltree::Document::parse(text).unwrap();
    let (name, _) = KINDS[kind];
    match document.root_element().tag_name().name() == name {
        true => TABLES.with(|tables| refused(&tables[kind], document.root_element(), "")),
        false => Some("another outermost element".to_owned()),
    }
}

const DEFINITION: &str = "\
    <game xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
        xsi:noNamespaceSchemaLocation=\"Game.xsd\" id=\"0a000000-0000-4000-8000-000000000001\" \
        name=\"G\" version=\"1.0.0.0\" octgnVersion=\"3.4.0.0\" scriptVersion=\"3.1.0.2\" \
        markersize=\"20\" authors=\"a\" description=\"d\" tags=\"t\" gameurl=\"https://example.org\" \
        setsurl=\"\" iconurl=\"https://example.org/i.png\" usetwosidedtable=\"True\" \
        cardsRevertToOriginalOnGroupChange=\"False\" noteBackgroundColor=\"#FFEBE8C5\">\n\
    <scripts><script src=\"Scripts/s.py\"/></scripts>\n\
    <events><event name=\"OnTableLoaded\" action=\"f\"/></events>\n\
    <sounds><sound name=\"bell\" src=\"Art/a.png\"/><sound name=\"gong\" src=\"Art/a.png\"/></sounds>\n\
    <fonts><font src=\"Art/a.png\" size=\"12\" target=\"chat\"/></fonts>\n\
    <symbols><symbol name=\"Fire\" id=\"fire\" src=\"Art/a.png\"/></symbols>\n\
    <proxygen definitionsrc=\"Proxy/p.xml\"/>\n\
    <phases><phase name=\"one\" icon=\"Art/a.png\"/></phases>\n\
    <documents><document src=\"Art/a.png\" icon=\"Art/a.png\" name=\"Rules\"/></documents>\n\
    <gameModes>\
        <gameMode name=\"duel\" shortDescription=\"d\" \
            image=\"Art/a.png\" playerCount=\"2\" usetwosidedtable=\"True\"/>\
    </gameModes>\n\
    <globalvariables><globalvariable name=\"v\" value=\"\"/></globalvariables>\n\
    <markers><marker src=\"Art/a.png\" name=\"m\" id=\"m1\" canDrag=\"True\"/></markers>\n\
    <card front=\"Art/a.png\" back=\"Art/a.png\" width=\"63\" height=\"88\" cornerRadius=\"3\">\n\
    <property name=\"Rarity\" type=\"String\" textKind=\"Enum\" hidden=\"False\"/>\
    <property name=\"Kind\" type=\"String\"/>\
    <property name=\"Text\" type=\"RichText\" ignoreText=\"True\"/>\n\
    <size name=\"Wide\" front=\"Art/a.png\" back=\"Art/a.png\" \
        width=\"88\" height=\"63\" backWidth=\"-1\"/></card>\n\
    <gameboards src=\"Art/a.png\" x=\"0\" y=\"0\" width=\"9\" height=\"9\">\
        <gameboard name=\"b\" width=\"9\" height=\"9\" x=\"-1\" y=\"0\" src=\"Art/a.png\"/>\
    </gameboards>\n\
    <table name=\"T\" visibility=\"all\" width=\"10\" height=\"10\" \
        background=\"Art/a.png\" backgroundStyle=\"tile\">\
        <groupaction menu=\"m\" execute=\"f\" shortcut=\"Ctrl+M\"/>\
        <cardseparator/>\
        <cardactions menu=\"c\"><cardaction menu=\"d\" batchExecute=\"f\" default=\"True\"/></cardactions>\
    </table>\n\
    <player summary=\"s\">\
        <globalvariable name=\"w\" value=\"1\"/>\
        <counter name=\"HP\" icon=\"Art/a.png\" default=\"20\" reset=\"False\"/>\
        <group name=\"Deck\" icon=\"Art/a.png\" visibility=\"none\" ordered=\"True\" \
            viewState=\"pile\" protectionState=\"ask\" shuffle=\"Ctrl+S\">\
            <groupseparator/>\
        </group>\
    </player>\n\
    <shared>\
        <counter name=\"Round\" icon=\"Art/a.png\"/>\
        <group name=\"Bag\" icon=\"Art/a.png\" collapsed=\"True\"/>\
    </shared>\n\
    <deck><section name=\"Main\" group=\"Deck\"/></deck>\n\
    <sharedDeck><section name=\"Bag\" group=\"Bag\"/></sharedDeck>\n\
    </game>";

const SET_FILE: &str = "\
    <set name=\"S\" shortName=\"s\" id=\"0a000000-0000-4000-8000-000000000002\" \
        gameId=\"0a000000-0000-4000-8000-000000000001\" releaseDate=\"2020-02-01\" \
        description=\"d\" gameVersion=\"1.0.0.0\" version=\"1.0.0.0\" hidden=\"false\">\n\
    <packaging><pack name=\"Booster\" id=\"0a000000-0000-4000-8000-000000000006\">\
        <pick qty=\"1\" key=\"Rarity\" value=\"Common\"/>\
        <options>\
            <option probability=\"0.5\"><pick qty=\"1\" key=\"Rarity\" value=\"Rare\"/></option>\
            <option probability=\"0.5\">\
                <pick qty=\"1\" key=\"Rarity\" value=\"Common\"/>\
                <options><option probability=\"1\"><pick qty=\"1\" key=\"Rarity\" value=\"Rare\">\
                    <property key=\"Kind\" value=\"k\"/>\
                </pick></option></options>\
            </option>\
        </options>\
    </pack></packaging>\n\
    <cards>\
    <card name=\"A\" id=\"0a000000-0000-4000-8000-000000000011\" size=\"Wide\">\
        <property name=\"Rarity\" value=\"Common\"/>\
        <property name=\"Text\">x \
            <b>bold <i>both</i></b>\
            <c value=\"#aa0000\">red</c>\
            <s value=\"fire\">Fire</s>\
            <u>under</u>\
        </property>\
        <alternate name=\"B\" type=\"back\" size=\"Wide\">\
            <property name=\"Rarity\" value=\"Rare\"/>\
        </alternate>\
    </card>\n\
    <card name=\"C\" id=\"0a000000-0000-4000-8000-000000000012\">\
        <property name=\"Rarity\" value=\"Rare\"/>\
        <property name=\"Kind\" value=\"k\"/>\
        <property name=\"Text\" value=\"x\"/>\
    </card></cards>\n\
    </set>";

const PROXY: &str = "\
    <templates><blocks>\n\
    <block type=\"text\" id=\"name\">\
        <location x=\"20\" y=\"18\" rotate=\"90\" altrotate=\"True\" flip=\"False\"/>\
        <text color=\"#11131a\" size=\"22\" font=\"Art/a.png\"/>\
        <border color=\"#ffffff\" size=\"1\"/>\
        <wordwrap height=\"32\" width=\"275\" align=\"near\" valign=\"center\" shrinktofit=\"True\"/>\
    </block>\n\
    <block type=\"overlay\" id=\"frame\" src=\"Art/a.png\"><location x=\"0\" y=\"0\"/></block></blocks>\n\
    <template src=\"Art/a.png\">\
        <matches><match name=\"Rarity\" value=\"Rare\"/></matches>\
        <overlayblocks>\
            <link block=\"frame\"/>\
            <artoverlay><location x=\"1\" y=\"1\"/><size height=\"9\" width=\"9\"/></artoverlay>\
        </overlayblocks>\
        <textblocks><conditional>\
            <if property=\"Rarity\" value=\"Rare\">\
                <link block=\"name\"><property name=\"Name\"/></link>\
            </if>\
            <elseif property=\"Text\" value=\"x\"><link block=\"name\"/></elseif>\
            <else><link block=\"name\"/></else>\
        </conditional></textblocks>\
    </template>\n\
    <template src=\"Art/a.png\" default=\"True\"><textblocks>\
        <link block=\"name\" separator=\" / \">\
            <property name=\"Name\" format=\"{}!\"/>\
            <property name=\"Text\"/>\
        </link>\
        <conditional><switch property=\"Rarity\">\
            <case value=\"Rare\" break=\"True\"><link block=\"name\"/></case>\
            <default><link block=\"name\"/></default>\
        </switch></conditional>\
    </textblocks></template>\n\
    </templates>";

fn package(texts: [&str; 3]) -> MemoryFiles {
    MemoryFiles::new()
        .with("definition.xml", texts[0])
        .with(format!("Sets/{SET}/set.xml"), texts[1])
        .with("Proxy/p.xml", texts[2])
        .with("Art/a.png", "")
        .with("Scripts/s.py", "def f(group, x=0, y=0):\n    pass\n")
}

/// Findings that are more than hints, without their places.
fn found(texts: [&str; 3]) -> Vec<String> {
    let package = Package::read(&package(texts)).unwrap();
    cw_octgn::check(&package)
        .iter()
        .filter(|finding| finding.severity > cw_text::Severity::Hint)
        .map(|finding| line(finding, &package.sources))
        .collect()
}

/// An element that can be changed and written again.
#[derive(Clone, Debug)]
struct Tree {
    name: String,
    attributes: Vec<(String, String)>,
    inside: Vec<Inside>,
}

#[derive(Clone, Debug)]
enum Inside {
    Element(Tree),
    Raw(String),
}

impl Tree {
    fn of(node: roxmltree::Node<'_, '_>) -> Tree {
        Tree {
            name: node.tag_name().name().to_owned(),
            attributes: node
                .attributes()
                .filter(|one| one.namespace().is_none())
                .map(|one| (one.name().to_owned(), one.value().to_owned()))
                .collect(),
            inside: node
                .children()
                .map(|child| match child.is_element() {
                    true => Inside::Element(Tree::of(child)),
                    false => Inside::Raw(child.text().unwrap_or_default().to_owned()),
                })
                .collect(),
        }
    }

    fn write(&self, out: &mut String) {
        out.push_str(&format!("<{}", self.name));
        for (name, value) in &self.attributes {
            let value = value
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('"', "&quot;");
            out.push_str(&format!(" {name}=\"{value}\""));
        }
        if self.inside.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for inside in &self.inside {
            match inside {
                Inside::Element(tree) => tree.write(out),
                Inside::Raw(text) => out.push_str(text),
            }
        }
        out.push_str(&format!("</{}>", self.name));
    }

    /// Every element with what stands in it, by number.
    fn count(&self) -> usize {
        1 + self.elements().map(Tree::count).sum::<usize>()
    }

    fn elements(&self) -> impl Iterator<Item = &Tree> {
        self.inside.iter().filter_map(|inside| match inside {
            Inside::Element(tree) => Some(tree),
            Inside::Raw(_) => None,
        })
    }

    fn at(&mut self, number: usize) -> &mut Tree {
        if number == 0 {
            return self;
        }
        let mut left = number - 1;
        for inside in &mut self.inside {
            if let Inside::Element(tree) = inside {
                let count = tree.count();
                if left < count {
                    return tree.at(left);
                }
                left -= count;
            }
        }
        unreachable!("the number is less than the count")
    }
}

/// A generator of numbers, the same for the same seed.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const VALUES: [&str; 30] = [
    "",
    " ",
    "true",
    "True",
    "1",
    "0",
    "-1",
    "1.0",
    "1e3",
    " 7 ",
    "99999999999999999999",
    "361",
    "1.2",
    "1.2.3.4",
    "1.2.3.4.5",
    "#12345",
    "#abcdef",
    "red",
    "2020-02-30",
    "2020-2-1",
    "x",
    "me",
    "String",
    "pile",
    "near",
    "0a000000-0000-4000-8000-000000000099",
    "{0a000000-0000-4000-8000-000000000098}",
    "0a000000000040008000000000000097",
    "50%",
    "--5,0,1,2",
];

fn mutate(tree: &mut Tree, random: &mut Seeded) {
    let count = tree.count();
    let other = tree.at(random.below(count)).clone();
    let is_root = |number: usize| number == 0;
    let number = random.below(count);
    let here = tree.at(number);
    let place = random.below(here.inside.len() + 1);
    match random.below(13) {
        0 if !is_root(number) => {
            here.name = random
                .of(&["foo", "Card", "property", "link", "group", "size"])
                .to_owned();
        }
        1 => here.inside.insert(
            place,
            Inside::Element(Tree {
                name: "foo".to_owned(),
                attributes: Vec::new(),
                inside: Vec::new(),
            }),
        ),
        2 if place < here.inside.len() => drop(here.inside.remove(place)),
        3 if place < here.inside.len() => here.inside.insert(place, here.inside[place].clone()),
        4 if place + 1 < here.inside.len() => here.inside.swap(place, place + 1),
        5 if !is_root(count) && other.count() < 8 => here.inside.insert(place, Inside::Element(other)),
        6 if !here.attributes.is_empty() => drop(here.attributes.remove(random.below(here.attributes.len()))),
        7 => here
            .attributes
            .push((random.of(&["foo", "Name2", "valu"]).to_owned(), "x".to_owned())),
        8 | 12 if !here.attributes.is_empty() => {
            let at = random.below(here.attributes.len());
            here.attributes[at].1 = random.of(&VALUES).to_owned();
        }
        9 => here.inside.insert(
            place,
            Inside::Raw(random.of(&["stray", "&#65;", "<![CDATA[x]]>"]).to_owned()),
        ),
        10 => here.attributes.push((
            random.of(&["xml:space", "xml:lang"]).to_owned(),
            "default".to_owned(),
        )),
        11 => {
            let name = random.of(&["value", "name", "src", "size", "format", "reset"]);
            if here.attributes.iter().all(|(known, _)| known != name) {
                here.attributes.push((name.to_owned(), "1".to_owned()));
            }
        }
        _ => here.inside.reverse(),
    }
}

fn written(tree: &Tree) -> String {
    let mut out = String::new();
    tree.write(&mut out);
    out
}

/// P219, P220, P221, P222, P223, P224, P225, P226, P236, P247, P278: of thousands of seeded mutants of a
/// sound package, those that a second reading of the tables refuses have a finding.
#[test]
fn what_the_schemas_refuse_is_found() {
    let bases = [DEFINITION, SET_FILE, PROXY];
    assert_eq!(found(bases), [""; 0], "the base is sound");
    for (kind, base) in bases.iter().enumerate() {
        assert_eq!(judged(kind, base), None);
    }
    let trees = bases.map(|base| Tree::of(roxmltree::Document::parse(base).unwrap().root_element()));
    let mut random = Seeded(38);
    let (mut refused_count, mut unseen, mut false_alarms) = (0, Vec::new(), Vec::new());
    for _ in 0..2_400 {
        let kind = random.below(3);
        let mut tree = trees[kind].clone();
        mutate(&mut tree, &mut random);
        let text = written(&tree);
        let mut texts = bases;
        texts[kind] = &text;
        let found = found(texts);
        match judged(kind, &text) {
            Some(why) => {
                refused_count += 1;
                if found.is_empty() {
                    unseen.push(format!("{}: {why}", KINDS[kind].0));
                }
            }
            None => {
                let blamed = |line: &&String| {
                    [" PK008 ", " PK112 ", " PK141 ", " PK142 ", " PK149 "]
                        .iter()
                        .any(|code| line.contains(code))
                };
                false_alarms.extend(found.iter().filter(blamed).cloned());
            }
        }
    }
    assert!(refused_count >= 1_000, "{refused_count}");
    assert!(
        unseen.len() * 100 <= refused_count,
        "{} of {refused_count}: {unseen:#?}",
        unseen.len()
    );
    assert_eq!(false_alarms, [""; 0]);
}

/// P224, P225, P226: the checker's tables are those of the page, row by row.
#[test]
fn the_tables_are_those_of_the_specification() {
    let own = [
        include_str!("../../src/schema/definition.txt"),
        include_str!("../../src/schema/set.txt"),
        include_str!("../../src/schema/proxydef.txt"),
    ];
    for (text, (_, heading)) in own.iter().zip(KINDS) {
        let rows = rows(heading);
        let lines: BTreeSet<&str> = text.lines().collect();
        let page: BTreeSet<String> = rows
            .iter()
            .map(|(name, [a, b, c])| format!("{name} | {a} | {b} | {c}"))
            .collect();
        assert_eq!(lines, page.iter().map(String::as_str).collect());
    }
}

/// P229: real definitions and sets that the tables take are not blamed for their form.
#[test]
fn real_files_are_not_blamed() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let Ok(games) = std::fs::read_dir(data) else {
        eprintln!("SKIPPED: no real packages at {data}");
        return;
    };
    let mut seen = 0;
    for game in games
        .map(|game| game.unwrap().path())
        .filter(|path| path.is_dir())
    {
        let package = Package::read(&cw_octgn::Folder::new(game)).unwrap();
        let findings = cw_octgn::check(&package);
        for (file, source) in package.sources.iter() {
            let kind = match source.name.rsplit('/').next() {
                Some("definition.xml") => 0,
                Some("set.xml") => 1,
                _ => continue,
            };
            seen += 1;
            let why = judged(kind, &source.text);
            let own = findings.iter().filter(|finding| finding.file == file);
            let form = own
                .filter(|finding| matches!(finding.code.0, "PK007" | "PK008" | "PK141" | "PK142" | "PK149"));
            let lines: Vec<String> = form.map(|finding| line(finding, &package.sources)).collect();
            assert_eq!(
                why.is_some(),
                !lines.is_empty(),
                "{}: {why:?} {lines:#?}",
                source.name
            );
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Changes of one file of the sound package that do not have exactly the findings that they should have.
fn differing(kind: usize, changes: &[(&str, &str, &str)]) -> Vec<String> {
    let base = [DEFINITION, SET_FILE, PROXY][kind];
    let differs = |(from, to, wanted): &(&str, &str, &str)| {
        let text = base.replacen(from, to, 1);
        let mut texts = [DEFINITION, SET_FILE, PROXY];
        texts[kind] = &text;
        let package = Package::read(&package(texts)).unwrap();
        let found: Vec<String> = cw_octgn::check(&package)
            .iter()
            // The base has this hint already.
            .filter(|finding| finding.code.0 != "PK077")
            .map(|finding| format!("{} {:?}", finding.code, finding.severity))
            .collect();
        let found = found.join(", ");
        (text == base || found != *wanted).then(|| format!("{from} -> {to}: {found}, not {wanted}"))
    };
    changes.iter().filter_map(differs).collect()
}

/// P248, P265, P266, P267, P268, P269, P270, P271, P272, P273, P280, PK110, PK153, PK154: what a proxy
/// definition says that cannot be drawn, or never is.
#[test]
fn proxies_that_cannot_be_drawn_are_told() {
    let changes = [
        (
            "<template src=\"Art/a.png\" default=\"True\">",
            "<template src=\"Art/a.png\" default=\"true\">",
            "PK112 Warning",
        ),
        (
            "<template src=\"Art/a.png\" default",
            "<template src=\"b.png\" default",
            "PK140 Error",
        ),
        (
            "<template src=\"Art/a.png\" default",
            "<template src=\"../Art/a.png\" default",
            "PK110 Error",
        ),
        ("font=\"Art/a.png\"", "font=\"\"", "PK110 Error"),
        ("<link block=\"frame\"/>", "<link block=\"fram\"/>", "PK153 Error"),
        ("id=\"frame\" src=\"Art/a.png\"", "id=\"frame\"", "PK153 Error"),
        (
            "type=\"overlay\" id=\"frame\"",
            "type=\"overlay\" id=\"name\"",
            "PK154 Warning, PK153 Error",
        ),
        (
            "<matches><match name=\"Rarity\" value=\"Rare\"/></matches>",
            "",
            "PK154 Warning",
        ),
        ("match name=\"Rarity\"", "match name=\"Rarty\"", "PK154 Warning"),
        ("format=\"{}!\"", "format=\"!\"", "PK154 Warning"),
        (
            "property=\"Text\" value=\"x\"",
            "property=\"Text\"",
            "PK154 Warning",
        ),
        // `else` is taken before a later `contains`, unless the `if` has one (P272).
        (
            "property=\"Text\" value=\"x\"",
            "property=\"Text\" contains=\"x\"",
            "PK154 Warning",
        ),
        (
            "property=\"Rarity\" value=\"Rare\">\
             <link block=\"name\"><property name=\"Name\"/></link></if>\
             <elseif property=\"Text\" value",
            "property=\"Rarity\" contains=\"Rare\">\
             <link block=\"name\"><property name=\"Name\"/></link></if>\
             <elseif property=\"Text\" contains",
            "",
        ),
        (
            "<case value=\"Rare\"",
            "<case value=\"Rare\" contains=\"R\"",
            "PK154 Warning",
        ),
        (" default=\"True\"", "", ""),
    ];
    assert_eq!(differing(2, &changes), [""; 0]);
    let named = DEFINITION.replacen("name=\"Text\" type", "name=\"SetName\" type", 1);
    assert!(
        found([&named, SET_FILE, PROXY])
            .iter()
            .any(|line| line.contains("PK153"))
    );
}

/// P280: a path beside the proxy definition is told with the one that is meant.
#[test]
fn a_path_beside_the_proxy_definition_is_mended() {
    let files = package([DEFINITION, SET_FILE, ""]).with(
        "Proxy/p.xml",
        PROXY.replace(
            "<template src=\"Art/a.png\" d",
            "<template src=\"../Art/a.png\" d",
        ),
    );
    let package = Package::read(&files).unwrap();
    let found = cw_octgn::check(&package);
    let finding = found.iter().find(|finding| finding.code.0 == "PK110").unwrap();
    assert_eq!(finding.fix.as_ref().unwrap().edits[0].text, "Art/a.png");
}

/// P237, P239, P241, P250, P257, P258, P260, P262, P263, PK149, PK150, PK151, PK152: what o8build looks at
/// line by line, and what the client cannot read.
#[test]
fn what_the_packaging_tool_refuses_is_told() {
    let changes = [
        (" scriptVersion=\"3.1.0.2\"", "", "PK151 Warning"),
        (
            "scriptVersion=\"3.1.0.2\"",
            "scriptVersion=\"0.0.0.0\"",
            "PK151 Warning",
        ),
        (
            "scriptVersion=\"3.1.0.2\"",
            "scriptVersion=\"9.9.9.9\"",
            "PK152 Warning",
        ),
        (
            "scriptVersion=\"3.1.0.2\"",
            "scriptVersion=\"3.1.0.1\"",
            "PK152 Warning, PK152 Hint",
        ),
        ("OnTableLoaded", "onTableLoaded", "PK152 Hint"),
        ("description=\"d\"", "description=\"\"", "PK151 Warning"),
        (" setsurl=\"\"", "", "PK010 Warning"),
        (" value=\"\"", "", "PK010 Warning"),
        (" playerCount=\"2\"", "", "PK010 Error"),
        ("id=\"m1\"", "id=\"\"", "PK151 Warning"),
        ("<gameboard name=\"b\"", "<gameboard name=\"\"", "PK151 Warning"),
        ("name=\"HP\" icon=\"Art/a.png\"", "name=\"HP\"", "PK151 Warning"),
        (
            "name=\"Wide\" front=\"Art/a.png\"",
            "name=\"Wide\"",
            "PK151 Warning",
        ),
        (" background=\"Art/a.png\"", "", "PK151 Warning"),
        (
            "icon=\"Art/a.png\" name=\"Rules\"",
            "icon=\"\" name=\"Rules\"",
            "",
        ),
        (
            "<font src=\"Art/a.png\" size=\"12\"",
            "<font src=\"Art/a.png\"",
            "PK010 Error",
        ),
        ("size=\"12\"", "size=\"1.0\"", "PK143 Error"),
        ("default=\"20\"", "default=\"99999999999\"", "PK143 Error"),
        (
            "name=\"Wide\" front",
            "name=\"Default\" front",
            "PK040 Error, PK040 Error, PK056 Error",
        ),
        ("name=\"gong\"", "name=\"Bell\"", "PK056 Error"),
        ("Ctrl+M", "Shift+R", "PK144 Error"),
        ("Ctrl+M", "F5", ""),
        ("name=\"G\"", "name=\"G: the game\"", "PK151 Warning"),
        (
            "gameboards src=\"Art/a.png\" x=\"0\"",
            "gameboards src=\"Art/a.png\"",
            "PK152 Warning",
        ),
        ("<section name=\"Main\" group=\"Deck\"/>", "", "PK149 Warning"),
        (
            "width=\"10\" height",
            "depth=\"3\" width=\"10\" height",
            "PK150 Warning",
        ),
        ("<groupseparator/>", "<groupseparator getName=\"f\"/>", ""),
    ];
    assert_eq!(differing(0, &changes), [""; 0]);
}

/// P280, P281: what is asked of a game is asked of ours.
#[test]
fn our_own_game_is_taken_by_the_schemas() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
    for (kind, file) in [
        "definition.xml",
        "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml",
        "Proxy/proxydef.xml",
    ]
    .iter()
    .enumerate()
    {
        let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
        assert_eq!(judged(kind, &text), None, "{file}");
    }
    // Names of properties that OCTGN's builder keeps for itself are a hint; ours has none (P239, P277).
    let package = Package::read(&cw_octgn::Folder::new(folder)).unwrap();
    let found: Vec<String> = cw_octgn::check(&package)
        .iter()
        .map(|finding| line(finding, &package.sources))
        .collect();
    assert_eq!(found, [""; 0]);
}
