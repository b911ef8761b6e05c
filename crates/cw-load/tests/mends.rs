//! A mend never makes it worse; and what beginners write is answered with what is right.

mod mistakes;
mod slips;

use std::path::Path;

use cw_load::Project;
use cw_octgn::{Folder, MemoryFiles, PackChance, PackageFiles};
use cw_text::{Diagnostic, Safety, Severity, apply_fixes};
use mistakes::mistaken;
use rayon::prelude::*;
use slips::slip;

/// How many packages are tried where nobody says otherwise; `MISTAKES=5000` is a campaign.
const MISTAKES: u64 = 45;

fn demo() -> MemoryFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read")
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|one| one.severity == Severity::Error).count()
}

fn without_fixes(found: &[Diagnostic]) -> Vec<Diagnostic> {
    let bare = |one: &Diagnostic| Diagnostic {
        fix: None,
        ..one.clone()
    };
    found.iter().map(bare).collect()
}

/// Applies every fix by itself: of an error the number of errors goes down, else it does not go up.
fn fixes_make_it_better(files: &MemoryFiles, mistake: &str) -> usize {
    let project = Project::read(files.clone()).expect("memory can be read");
    let found = project.check().found;
    let quick = project.findings();
    assert_eq!(without_fixes(&quick.found), without_fixes(&found), "{mistake}");
    assert_eq!(project.with_tried_fixes(&quick, |_| true), found, "{mistake}");
    let before = errors(&found);
    let with_fix = found.iter().filter(|one| one.fix.is_some()).collect::<Vec<_>>();
    let mut tried = 0;
    for one in with_fix {
        let source = project.package.sources.get(one.file);
        let bytes = files.read(&source.name, u64::MAX).expect("it is there");
        if bytes != source.text.as_bytes() {
            continue;
        }
        let alone = std::slice::from_ref(one);
        let (text, applied) = apply_fixes(one.file, &source.text, alone, Safety::Unsafe);
        assert_eq!(applied, 1, "{mistake}: {one:#?}");
        let mended =
            Project::read(files.clone().with(source.name.as_str(), text)).expect("memory can be read");
        let again = mended.check().found;
        let after = errors(&again);
        let is_better = match one.severity {
            Severity::Error => after < before,
            Severity::Warning | Severity::Hint => after <= before,
        };
        assert!(
            is_better,
            "{mistake}: from {before} to {after} errors by {one:#?}: {again:#?}"
        );
        tried += 1;
    }
    tried
}

/// P173, RS003, RS004: on packages with a mistake each; two of three are slips in texts that people write.
/// What an editor shows before fixes are tried is what `check` finds.
#[test]
fn a_mend_never_makes_it_worse() {
    let demo = demo();
    let wanted = std::env::var("MISTAKES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(MISTAKES);
    let tried: usize = (0..wanted)
        .into_par_iter()
        .map(|seed| {
            let chance = &mut PackChance::new(seed);
            let (files, mistake) = match seed % 3 {
                0 => mistaken(&demo, chance),
                _ => slip(&demo, chance),
            };
            fixes_make_it_better(&files, &format!("{seed}, {mistake}"))
        })
        .sum();
    println!("{wanted} packages, {tried} mends, none makes it worse");
    assert!(
        tried as u64 >= wanted / 4,
        "only {tried} mends of {wanted} packages"
    );
}

/// What a beginner writes as the rule of Crumb, the code, and words of message, help or fix.
const BEGINNERS: &[(&str, &str, &str)] = &[
    ("action = if me.sp > 3 sp(+3)", "RS004", "[[if me.sp > 3]]"),
    ("action = draw 2", "RS004", "put the number in parentheses"),
    ("action = deal 200 damage", "RS004", "`damage(200)`"),
    ("action = damage(200) to(opponent)", "RS048", "`opp`"),
    (
        "action = damage(200) to(\u{201c}Gasket\u{201d})",
        "RS048",
        "\"gasket\"",
    ),
    (
        "action = [[if me.sp = 3]] draw(1)",
        "RS038",
        "replace `=` with `==`",
    ),
    ("actions = draw(1)", "RS001", "`action`"),
    ("action = drow(1)", "RS003", "`draw`"),
    ("action: draw(1)", "RS002", "="),
    (
        "auto = ?oppCanBlock:this? [[if blocker.bp >= 600]]",
        "RS081",
        "true allows the block",
    ),
];

/// RS001, RS002, RS003, RS004, RS038, RS048, RS050, RS051, RS080, RS081: what, where, why and a right mend.
#[test]
fn beginners_are_answered() {
    let demo = demo();
    let found = |rule: &str| {
        let files = demo.clone().with("Rules/zz.rules", rule);
        let project = Project::read(files).expect("memory can be read");
        let found = project.check().found;
        let is_here = |one: &&Diagnostic| project.package.sources.get(one.file).name == "Rules/zz.rules";
        found.iter().filter(is_here).cloned().collect::<Vec<_>>()
    };
    let told = |one: &Diagnostic| {
        let fix = one.fix.as_ref().map(|fix| {
            let texts = fix.edits.iter().map(|edit| edit.text.as_str());
            format!("{} {}", fix.title, texts.collect::<String>())
        });
        format!("{} {:?} {fix:?}", one.message, one.help).replace('\\', "")
    };
    for (line, code, words) in BEGINNERS {
        let rule = format!("[7abd72f1-6ace-4a58-98dc-2863810537b0]\n{line}\n");
        let all = found(&rule);
        let is_told = all
            .iter()
            .any(|one| one.code.0 == *code && told(one).contains(words));
        assert!(
            is_told,
            "{line}: {code} {words}: {:#?}",
            all.iter().map(told).collect::<Vec<_>>()
        );
        fixes_make_it_better(&demo.clone().with("Rules/zz.rules", rule), line);
    }
    // Potluck is an action.
    let frozen = "[a4caffeb-e497-4b08-9867-7f98ca899e3d]\naction = {F}: draw(1)\n";
    let all = found(frozen);
    let is_told = all
        .iter()
        .any(|one| one.code.0 == "RS080" && told(one).contains("remove `{F}`"));
    assert!(is_told, "{:#?}", all.iter().map(told).collect::<Vec<_>>());
    fixes_make_it_better(&demo.clone().with("Rules/zz.rules", frozen), "{F}");
    for (header, code) in [
        ("Crumb", "RS050"),
        ("7abd72f1-6ace-4a58-98dc-2863810537b1", "RS051"),
    ] {
        let all = found(&format!("[{header}]\naction = draw(1)\n"));
        let wanted = "7abd72f1-6ace-4a58-98dc-2863810537b0";
        let is_told = all
            .iter()
            .any(|one| one.code.0 == code && told(one).contains(wanted));
        assert!(is_told, "{header}: {all:#?}");
    }
}

/// GT001, GT002, CW006, CW010, CW013, PK001: what beginners write in settings and sets is answered in words
/// of the file.
#[test]
fn settings_and_sets_of_beginners_are_answered() {
    let demo = demo();
    let set = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
    let toml = "Rules/game.toml";
    for (file, written, instead, code, words) in [
        (
            toml,
            "# hp = 3000",
            "hp = \"many\"",
            "GT001",
            "`hp` is a text, it must be a whole number",
        ),
        (
            toml,
            "# hp = 3000",
            "hp = true",
            "GT001",
            "it must be a whole number",
        ),
        (
            toml,
            "# hp = 3000",
            "hpp = 3000",
            "GT001",
            "`hpp` is no key of `[constants]`",
        ),
        (toml, "[constants]", "[constant]", "GT001", "constant"),
        (toml, "# hp = 3000", "united-sp = 4", "CW010", "gives 4 SP"),
        (
            set,
            "value=\"Baker\"",
            "value=\"Baker, Musician\"",
            "CW013",
            "is no `Baker`",
        ),
        (set, "name=\"Crumb\"", "name=\"Crumb & Co\"", "PK001", "&amp;"),
        (
            set,
            "value=\"Character\"",
            "value=\"Charakter\"",
            "CW006",
            "did you mean `Character`?",
        ),
    ] {
        let text = String::from_utf8(demo.read(file, u64::MAX).expect("it is there")).expect("it is text");
        assert!(text.contains(written), "{file}: {written}");
        let files = demo.clone().with(file, text.replacen(written, instead, 1));
        let found = Project::read(files.clone())
            .expect("memory can be read")
            .check()
            .found;
        let told = |one: &Diagnostic| format!("{} {}", one.message, one.help.clone().unwrap_or_default());
        let is_told = found
            .iter()
            .any(|one| one.code.0 == code && told(one).contains(words));
        assert!(is_told, "{instead}: {code} {words}: {found:#?}");
        for rust in ["expected", "i64", "usize", "Option", "serde", "invalid type"] {
            assert!(
                found.iter().all(|one| !told(one).contains(rust)),
                "{instead}: {rust}: {found:#?}"
            );
        }
        fixes_make_it_better(&files, instead);
    }
}
