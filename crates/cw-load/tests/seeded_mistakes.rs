//! A table of mistakes that strangers make in packages: each is found by its own code, at its place.

use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use cw_load::{Project, ReadOptions};
use cw_octgn::{Archive, Folder, MemoryFiles, Package, PackageFiles, PackageLimits, export};
use cw_text::LineIndex;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const DEFINITION: &str = "definition.xml";
const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
const DECK: &str = "Decks/Harbour Lights.o8d";
const SCRIPT: &str = "Scripts/actions.py";
const TOML: &str = "Rules/game.toml";
const RULES: &str = "Rules/core.rules";

/// The demo game with a script, an event, a phase, a sound and an action.
fn base() -> MemoryFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let files = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let definition = read(&files, DEFINITION).replace(
        "  <proxygen",
        "  <scripts><script src=\"Scripts/actions.py\" /></scripts>\n  \
         <events><event name=\"OnGameStarted\" action=\"begin\" /></events>\n  \
         <phases><phase name=\"Draw\" icon=\"Resources/deck.png\" /></phases>\n  \
         <shared><group name=\"Bag\" visibility=\"all\" shortcut=\"Ctrl+B\">\n    \
         <groupaction menu=\"Shake\" shortcut=\"Ctrl+F\" execute=\"shake\" default=\"True\" />\n    \
         <groupaction menu=\"Empty\" execute=\"shake\" />\n  </group></shared>\n  <proxygen",
    );
    files.with(DEFINITION, definition).with(
        SCRIPT,
        "def begin():\n    pass\n\ndef shake(group, x=0, y=0):\n    group.shuffle()\n",
    )
}

fn read(files: &MemoryFiles, name: &str) -> String {
    String::from_utf8(files.read(name, u64::MAX).expect("it is there")).expect("it is text")
}

/// Code, file, what is written, what is written instead, and what the line of the finding holds.
type Mistake = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const MISTAKES: &[Mistake] = &[
    // definition.xml
    ("PK141", DEFINITION, "<table ", "<tabel ", "<game"),
    ("PK007", DEFINITION, "<table ", "<tabel ", "<tabel"),
    ("PK010", DEFINITION, "octgnVersion=", "octgnversion=", "<game"),
    (
        "PK008",
        DEFINITION,
        "octgnVersion=",
        "octgnversion=",
        "octgnversion",
    ),
    ("PK010", DEFINITION, "tags=\"fighting demo\"", "", "<game"),
    (
        "PK010",
        DEFINITION,
        "authors=\"Cardwright\"",
        "authors=\"\"",
        "authors",
    ),
    (
        "PK141",
        DEFINITION,
        "<proxygen definitionsrc=\"Proxy/proxydef.xml\" />",
        "",
        "<game",
    ),
    (
        "PK010",
        DEFINITION,
        "definitionsrc=\"Proxy/proxydef.xml\"",
        "",
        "<proxygen",
    ),
    (
        "PK110",
        DEFINITION,
        "Proxy/proxydef.xml",
        "Proxy/proxy.xml",
        "<proxygen",
    ),
    (
        "PK010",
        DEFINITION,
        "gameurl=\"https://example.org/saltmarsh\"",
        "",
        "<game",
    ),
    (
        "PK145",
        DEFINITION,
        "iconurl=\"https://example.org/saltmarsh/icon.png\"",
        "iconurl=\"icon.png\"",
        "iconurl",
    ),
    (
        "PK140",
        DEFINITION,
        "icon=\"Resources/hp.png\"",
        "icon=\"Resources/health.png\"",
        "health",
    ),
    (
        "PK111",
        DEFINITION,
        "Resources/sp.png",
        "Resources/SP.png",
        "SP.png",
    ),
    (
        "PK110",
        DEFINITION,
        "Resources/table.png",
        "/Resources/table.png",
        "<table",
    ),
    ("PK143", DEFINITION, "width=\"63\"", "width=\"0\"", "<card"),
    ("PK143", DEFINITION, "height=\"88\"", "height=\"88mm\"", "<card"),
    ("PK143", DEFINITION, "width=\"640\"", "width=\"wide\"", "<table"),
    (
        "PK143",
        DEFINITION,
        "default=\"3000\"",
        "default=\"many\"",
        "many",
    ),
    (
        "PK112",
        DEFINITION,
        "reset=\"True\"",
        "reset=\"true\"",
        "<counter",
    ),
    (
        "PK112",
        DEFINITION,
        "ordered=\"False\" icon=\"Resources/hand.png\"",
        "ordered=\"no\" icon=\"Resources/hand.png\"",
        "Hand",
    ),
    (
        "PK112",
        DEFINITION,
        "hidden=\"True\"",
        "hidden=\"yes\"",
        "Ability",
    ),
    (
        "PK112",
        DEFINITION,
        "usetwosidedtable=\"True\"",
        "usetwosidedtable=\"1\"",
        "usetwosided",
    ),
    (
        "PK010",
        DEFINITION,
        "visibility=\"undefined\"",
        "visibility=\"nobody\"",
        "<table",
    ),
    (
        "PK010",
        DEFINITION,
        "viewState=\"expanded\"",
        "viewState=\"open\"",
        "Hand",
    ),
    ("PK010", DEFINITION, "uniformToFill", "fill", "<table"),
    (
        "PK144",
        DEFINITION,
        "shortcut=\"Ctrl+F\"",
        "shortcut=\"Strg+F\"",
        "Strg",
    ),
    (
        "PK144",
        DEFINITION,
        "shortcut=\"Ctrl+B\"",
        "shortcut=\"Ctrl+\"",
        "Bag",
    ),
    (
        "PK146",
        DEFINITION,
        "<groupaction menu=\"Empty\"",
        "<groupaction menu=\"Empty\" default=\"True\"",
        "Empty",
    ),
    (
        "PK147",
        DEFINITION,
        "execute=\"shake\" default",
        "execute=\"shakes\" default",
        "shakes",
    ),
    (
        "PK147",
        DEFINITION,
        "action=\"begin\"",
        "action=\"start\"",
        "start",
    ),
    (
        "PK010",
        DEFINITION,
        "<event name=\"OnGameStarted\"",
        "<event",
        "<event",
    ),
    ("PK008", DEFINITION, "summary=", "sumary=", "sumary"),
    (
        "PK007",
        DEFINITION,
        "<counter name=\"SP\"",
        "<countr name=\"SP\"",
        "<countr",
    ),
    (
        "PK142",
        DEFINITION,
        "  <deck>",
        "  <deck></deck>\n  <deck>",
        "<deck>",
    ),
    ("PK115", DEFINITION, "group=\"Deck\"", "group=\"Deckk\"", "Deckk"),
    (
        "PK056",
        DEFINITION,
        "property name=\"SP\"",
        "property name=\"BP\"",
        "BP",
    ),
    (
        "PK114",
        DEFINITION,
        "version=\"1.0.0.0\"",
        "version=\"1.0\"",
        "1.0",
    ),
    (
        "PK010",
        DEFINITION,
        "type=\"Integer\"",
        "type=\"Number\"",
        "Number",
    ),
    (
        "PK020",
        DEFINITION,
        "id=\"6ac0a9aa-437c-4074-8135-5f1bef8a6dca\"",
        "id=\"saltmarsh\"",
        "saltmarsh",
    ),
    (
        "PK022",
        DEFINITION,
        "4d1217f4-490d-40df-a881-34d0cba164bb",
        "00000000-0000-0000-0000-000000000001",
        "marker-bp",
    ),
    ("PK001", DEFINITION, "<markers>", "<markers", "<marker"),
    // sets
    ("PK002", SET, "</packaging>", "", "<packaging>"),
    ("PK028", SET, "gameId=\"6ac0a9aa", "gameId=\"6ac0a9ab", "gameId"),
    ("PK010", SET, "name=\"Crumb\"", "", "<card"),
    (
        "PK030",
        SET,
        "name=\"Flavor\" value=\"First",
        "name=\"Flavour\" value=\"First",
        "Flavour",
    ),
    (
        "PK031",
        SET,
        "name=\"Rarity\" value=\"D\"",
        "name=\"rarity\" value=\"D\"",
        "rarity",
    ),
    (
        "PK032",
        SET,
        "name=\"School\" value=\"Rising",
        "name=\"Kind\" value=\"Rising",
        "Rising",
    ),
    (
        "PK035",
        SET,
        "name=\"BP\" value=\"200\"",
        "name=\"BP\" value=\"2OO\"",
        "2OO",
    ),
    ("PK020", SET, "645a68a2-ac7a", "645a68a2-ac7", "Auntie Rye"),
    (
        "PK023",
        SET,
        "645a68a2-ac7a-41fb-8671-b7bcec6ce5f3",
        "7abd72f1-6ace-4a58-98dc-2863810537b0",
        "Auntie Rye",
    ),
    (
        "PK070",
        SET,
        "key=\"Rarity\" value=\"B\"",
        "key=\"Rareness\" value=\"B\"",
        "Rareness",
    ),
    (
        "PK071",
        SET,
        "key=\"Rarity\" value=\"B\"",
        "key=\"Rarity\" value=\"X\"",
        "value=\"X\"",
    ),
    ("PK074", SET, "qty=\"2\" key", "qty=\"two\" key", "two"),
    (
        "PK080",
        SET,
        "probability=\"0.25\"",
        "probability=\"0.2\"",
        "<options>",
    ),
    (
        "PK082",
        SET,
        "probability=\"0.25\"",
        "probability=\"0,25\"",
        "0,25",
    ),
    (
        "CW006",
        SET,
        "name=\"Kind\" value=\"Character\"",
        "name=\"Kind\" value=\"Charakter\"",
        "Charakter",
    ),
    (
        "CW006",
        SET,
        "name=\"Ability Type\" value=\"£\"",
        "name=\"Ability Type\" value=\"Triggered\"",
        "Triggered",
    ),
    (
        "CW010",
        SET,
        "name=\"SP\" value=\"-8\"",
        "name=\"SP\" value=\"15\"",
        "value=\"15\"",
    ),
    (
        "CW011",
        SET,
        "name=\"BP\" value=\"200\"",
        "name=\"BP\" value=\"20000\"",
        "20000",
    ),
    (
        "CW012",
        SET,
        "name=\"Backup 1\" value=\"Baker\"",
        "name=\"Backup 1\" value=\"Bakers\"",
        "Bakers",
    ),
    // decks
    ("PK120", DECK, "game=\"6ac0a9aa", "game=\"6ac0a9ab", "<deck"),
    (
        "PK121",
        DECK,
        "id=\"7abd72f1-6ace-4a58-98dc-2863810537b0\">Crumb",
        "id=\"7abd72f1-6ace-4a58-98dc-286381053700\">Crumbs",
        "Crumbs",
    ),
    (
        "PK122",
        DECK,
        "7abd72f1-6ace-4a58-98dc-2863810537b0",
        "7abd72f1-6ace-4a58-98dc-286381053700",
        "Crumb",
    ),
    ("PK123", DECK, ">Crumb<", ">Auntie<", "Auntie"),
    ("PK124", DECK, "name=\"Main\"", "name=\"Mian\"", "Mian"),
    (
        "PK125",
        DECK,
        "qty=\"3\" id=\"7abd72f1",
        "qty=\"0\" id=\"7abd72f1",
        "Crumb",
    ),
    (
        "CW003",
        DECK,
        "qty=\"3\" id=\"7abd72f1",
        "qty=\"2\" id=\"7abd72f1",
        "<deck",
    ),
    (
        "CW004",
        DECK,
        "qty=\"3\" id=\"7abd72f1",
        "qty=\"4\" id=\"7abd72f1",
        "Crumb",
    ),
    // scripts
    ("PK148", SCRIPT, "def begin():", "def begin(:", "begin"),
    ("PK148", SCRIPT, "group.shuffle()", "group.shuffle(", "shuffle"),
    ("PK148", SCRIPT, "    pass", "    name = 'it", "it"),
    (
        "PK147",
        DEFINITION,
        "execute=\"shake\" />",
        "execute=\"shuffle\" />",
        "Empty",
    ),
    // settings and rules
    ("GT001", TOML, "# hp = 3000", "hp = \"many\"", "many"),
    ("GT001", TOML, "[constants]", "[constant]", "constant"),
    (
        "GT002",
        TOML,
        "rarity = \"Rarity\"",
        "rarity = \"Rareness\"",
        "Rareness",
    ),
    (
        "RS073",
        TOML,
        "[severities]",
        "[severities]\nRS999 = \"allow\"",
        "RS999",
    ),
    ("RS003", RULES, "draw(", "drow(", "drow"),
];

/// Each mistake that is put into a sound package is found at its
/// place (P52–P59, P134, P150–P160, D60, D71, D72).
#[test]
fn seeded_mistakes_are_found_at_their_places() {
    let base = base();
    let sound = Project::read(base.clone())
        .expect("memory can be read")
        .check()
        .found;
    let errors: Vec<_> = sound
        .iter()
        .filter(|found| found.severity == cw_text::Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let mut missed = Vec::new();
    for (code, file, written, instead, at) in MISTAKES {
        let text = read(&base, file);
        assert!(text.contains(written), "{file} has no `{written}`");
        let files = base.clone().with(*file, text.replacen(written, instead, 1));
        let project = Project::read(files).expect("memory can be read");
        let found = project.check().found;
        let places: Vec<String> = found
            .iter()
            .filter(|one| one.code.0 == *code)
            .map(|one| {
                let source = project.package.sources.get(one.file);
                let lines = LineIndex::new(&source.text);
                let line = lines.line_column(&source.text, one.span.start).line;
                let span = lines.line_span(&source.text, line).unwrap_or_default();
                format!("{}: {} {}", source.name, &source.text[span.range()], one.message)
            })
            .collect();
        let is_there = |place: &&String| place.starts_with(*file) && place.contains(at);
        if !places.iter().any(|place| is_there(&place)) {
            let others: Vec<String> = found
                .iter()
                .map(|one| format!("{} {}", one.code, one.message))
                .collect();
            missed.push(format!("{code} `{instead}`: {places:?}, but {others:?}"));
        }
    }
    println!(
        "{} of {} mistakes found",
        MISTAKES.len() - missed.len(),
        MISTAKES.len()
    );
    assert!(missed.is_empty(), "{missed:#?}");
}

/// P46: a property that is never closed is not closed over those behind it.
#[test]
fn no_fix_takes_what_stands_inside() {
    let base = base();
    let text = read(&base, SET);
    let files = base.with(
        SET,
        text.replacen("name=\"BP\" value=\"400\" />", "name=\"BP\" value=\"400\">", 1),
    );
    let found = Project::read(files).expect("memory can be read").check().found;
    let closing: Vec<_> = found.iter().filter(|one| one.code.0 == "PK034").collect();
    assert_eq!(closing.len(), 1, "{found:#?}");
    assert_eq!(closing[0].fix, None);
}

/// P134: a line that has the name of one card and the id of another is offered the id of the first; a name
/// that nobody has any more is old.
#[test]
fn names_and_ids_of_lines_agree() {
    let base = base();
    let deck = read(&base, DECK);
    let lines: Vec<&str> = deck.lines().filter(|line| line.contains("<card ")).collect();
    let id = |line: &str| {
        line.split("id=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned()
    };
    let (first, second) = (id(lines[0]), id(lines[1]));
    let fix_of = |text: String| {
        let found = Project::read(base.clone().with(DECK, text))
            .expect("memory can be read")
            .check()
            .found;
        let one = found
            .into_iter()
            .find(|one| one.code.0 == "PK123")
            .expect("it is told");
        let edits = one.fix.expect("there is a fix").edits;
        (one.help.unwrap_or_default(), edits[0].text.clone())
    };
    let (help, text) = fix_of(deck.replacen(&first, &second, 1));
    assert_eq!(text, first);
    assert!(help.contains(&first) && !help.contains("nobody"), "{help}");
    let name = lines[0].split('>').nth(1).unwrap().split('<').next().unwrap();
    let (_, text) = fix_of(deck.replacen(&format!(">{name}<"), ">Nobody At All<", 1));
    assert_eq!(text, name);
}

/// Files that are missing or called otherwise.
#[test]
fn what_is_not_read_is_told() {
    let base = base();
    let check = |files: MemoryFiles, code: &str, words: &str| {
        let found = Project::read(files).expect("memory can be read").check().found;
        let is_told = found
            .iter()
            .any(|one| one.code.0 == code && one.message.contains(words));
        assert!(is_told, "{code} {words}: {found:#?}");
    };
    let without = |name: &str| {
        let names = base.list().expect("memory can be listed");
        let kept = names.into_iter().filter(|other| other != name);
        kept.fold(MemoryFiles::new(), |files, name| {
            let bytes = base.read(&name, u64::MAX).expect("it is there");
            files.with(name, bytes)
        })
    };
    check(without(DEFINITION), "PK133", "no `definition.xml`");
    check(without(SET), "CW001", "no cards");
    check(without(SCRIPT), "PK110", "Scripts/actions.py");
    check(without("Resources/sp.png"), "PK140", "Resources/sp.png");
    let rules = read(&base, RULES);
    check(
        without(RULES).with("rules/core.rules", rules.clone()),
        "CW009",
        "`rules/core.rules` is not read",
    );
    check(
        without(RULES).with("Rules/core.rule", rules),
        "CW009",
        "`Rules/core.rule` is not read",
    );
    check(without(RULES), "CW009", "the folder `Rules` holds no rules");
    check(base.clone().with("readme.txt", ""), "PK138", "readme.txt");
    check(
        base.clone().with("Sets/empty/notes.txt", ""),
        "PK138",
        "has no `set.xml`",
    );
    check(base.clone().with("Plugins/x.dll", ""), "PK135", "Plugins/x.dll");
}

/// P171, CW005, GT001, PK030, PK071: mistakes outside of rules are answered with what is meant, too.
#[test]
fn files_are_answered_with_what_is_meant() {
    let base = base();
    let changed = |name: &str, written: &str, instead: &str| {
        let text = read(&base, name);
        assert!(text.contains(written), "{name} has no `{written}`");
        base.clone().with(name, text.replacen(written, instead, 1))
    };
    let said = |files: MemoryFiles| -> String {
        let found = Project::read(files).expect("memory can be read").check().found;
        let lines = found.iter().map(|one| {
            let fix = one.fix.as_ref().map(|fix| fix.title.as_str()).unwrap_or_default();
            format!(
                "{} {} / {} / {fix}\n",
                one.code.0,
                one.message,
                one.help.as_deref().unwrap_or_default()
            )
        });
        lines.collect()
    };
    let kind = changed(SET, "<property name=\"Kind\"", "<property name=\"Type\"");
    let kind = said(kind);
    assert!(
        kind.contains("this game calls it `Kind`") && kind.contains("replace with `Kind`"),
        "{kind}"
    );
    let rarity = said(changed(
        SET,
        "key=\"Rarity\" value=\"S\"",
        "key=\"Rarity\" value=\"Secret\"",
    ));
    assert!(
        rarity.contains("PK071") && rarity.contains("cards have `A`, `B`"),
        "{rarity}"
    );
    for range in ["40-60", "40..60", "\"40 to 60\""] {
        let text = format!("{}\n[deck]\nsize = {range}\n", read(&base, TOML));
        let said = said(base.clone().with(TOML, text));
        assert!(said.contains("{ min = 40, max = 60 }"), "{said}");
        assert!(!said.contains("a date"), "{said}");
    }
}

/// The entries of an archive.
type Entries = Vec<(String, Vec<u8>)>;

/// A mistake in an archive: its code, words of its message, and how it comes about.
type ArchiveMistake = (&'static str, &'static str, fn(&mut Entries));

fn replace(entries: &mut Entries, end: &str, written: &str, instead: &str) {
    let found = entries.iter_mut().find(|(name, _)| name.ends_with(end));
    let (_, bytes) = found.expect("the entry is there");
    let text = std::str::from_utf8(bytes).expect("it is text");
    assert!(text.contains(written), "{end} has no `{written}`");
    *bytes = text.replacen(written, instead, 1).into_bytes();
}

fn add(entries: &mut Entries, name: &str, bytes: &[u8]) {
    entries.push((name.to_owned(), bytes.to_vec()));
}

const ARCHIVE_MISTAKES: &[ArchiveMistake] = &[
    ("PK133", "no nuspec", |entries| {
        entries.retain(|(name, _)| !name.ends_with(".nuspec"));
    }),
    ("PK133", "the nuspec says id", |entries| {
        replace(entries, ".nuspec", "<id>6ac0a9aa", "<id>6ac0a9ab");
    }),
    ("PK133", "the nuspec says version", |entries| {
        replace(entries, ".nuspec", "<version>1.0.0.0", "<version>1.0.0.1");
    }),
    ("PK133", "no `definition.xml`", |entries| {
        entries.retain(|(name, _)| name != "def/definition.xml");
    }),
    ("PK134", "the set folder `core`", |entries| {
        for (name, _) in entries {
            *name = name.replace("48bbf5e7-da58-470c-b58b-b642cac888f3", "core");
        }
    }),
    ("PK130", "the name `def/../out.txt`", |entries| {
        add(entries, "def/../out.txt", b"x");
    }),
    ("PK130", "the name `/etc/out.txt`", |entries| {
        add(entries, "/etc/out.txt", b"x");
    }),
    ("PK130", "the name `def/Resources/con.png`", |entries| {
        add(entries, "def/Resources/con.png", b"x");
    }),
    ("PK131", "or the same but for case", |entries| {
        add(entries, "def/Definition.xml", b"<game/>");
    }),
    ("PK132", "times its size", |entries| {
        add(entries, "def/Resources/zeros.png", &vec![0; 8 << 20]);
    }),
    ("PK132", "is an archive inside the archive", |entries| {
        add(entries, "def/Resources/more.zip", b"PK");
    }),
    ("PK001", "`<` does not begin a tag here", |entries| {
        replace(entries, "def/definition.xml", "<markers>", "<<markers>");
    }),
];

/// P144–P149, P178: archives, each with one mistake; the sound one has none.
#[test]
fn seeded_mistakes_in_archives_are_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let files = Folder::new(root);
    let package = Package::read(&files).expect("the demo game can be read");
    let exported = export(&files, &package, &PackageLimits::default()).expect("it can be packed");
    let mut zip = ZipArchive::new(Cursor::new(exported.bytes)).expect("it is an archive");
    let mut sound: Entries = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).expect("it is there");
        let name = entry.name().expect("names are text").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("it can be unpacked");
        sound.push((name, bytes));
    }
    let check = |entries: &Entries| {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            let started = zip.start_file(name.as_str(), SimpleFileOptions::default());
            started.expect("there is room");
            zip.write_all(bytes).expect("there is room");
        }
        let bytes = zip.finish().expect("there is room").into_inner();
        let archive = Archive::new(bytes, &PackageLimits::default()).expect("it is an archive");
        let project = Project::read_archive(archive, &ReadOptions::default(), &|_| {});
        project.expect("memory can be read").check().found
    };
    let is_error = |one: &&cw_text::Diagnostic| one.severity == cw_text::Severity::Error;
    let found = check(&sound);
    assert_eq!(found.iter().filter(is_error).count(), 0, "{found:#?}");
    for (code, words, spoil) in ARCHIVE_MISTAKES {
        let mut entries = sound.clone();
        spoil(&mut entries);
        let found = check(&entries);
        let is_found = found
            .iter()
            .any(|one| one.code.0 == *code && one.message.contains(words));
        assert!(is_found, "{code} {words}: {found:#?}");
    }
    println!(
        "{} of {} mistakes found",
        ARCHIVE_MISTAKES.len(),
        ARCHIVE_MISTAKES.len()
    );
}
