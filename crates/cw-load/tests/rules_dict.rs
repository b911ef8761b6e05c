//! Rules in the package's Python scripts (D60): read as data, never run.

use std::path::Path;

use cw_load::load;
use cw_octgn::{Folder, MemoryFiles};

const CRUMB: &str = "Crumb";
const ROPE: &str = "Gasket";

/// D38, D60, R120, RS075: a rule that is understood runs; one that is not is named with its place, and its
/// card is played without it. `.rules` wins over scripts, with a warning.
#[test]
fn rules_dict_is_read_as_data() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let folder = Folder::new(root);
    let plain = load(folder.clone()).expect("the demo game can be read");
    let game = plain.game.expect("the demo game can be played");
    let id = |name: &str| {
        game.model(game.find(name).expect("a card of the game"))
            .id
            .clone()
    };
    let script = format!(
        "import os\nos.remove('everything')\n\
         RulesDict[\"{}\"] = \"\"\"\naction = draw()\n\"\"\"\n\
         RulesDict[\"{}\"] = \"\"\"\naction = drow()\n\"\"\"\n\
         RulesDict[\"{}\"] = \"\"\"\naction = draw(7)\n\"\"\"\n",
        id(CRUMB),
        id("Auntie Rye"),
        id(ROPE),
    );
    let files = MemoryFiles::copy_of(&folder, 1 << 24)
        .expect("the demo game can be read")
        .with("Scripts/card_rules.py", script);
    let loaded = load(files).expect("memory can be read");
    let game = loaded.game.as_ref().expect("the game can be played");
    let actions = |name: &str| {
        let model = game.model(game.find(name).expect("a card of the game"));
        model.program.as_ref().map(|program| program.rule.actions.len())
    };
    assert_eq!(actions(CRUMB), Some(1), "a plain card got a rule");
    assert_eq!(actions("Auntie Rye"), None, "its rule is not understood");
    let errors = loaded.project.rule_errors();
    let [error] = &errors[..] else {
        panic!("{errors:#?}")
    };
    assert_eq!(error.code.0, "RS003");
    assert_eq!(
        loaded.project.package.sources.get(error.file).name,
        "Scripts/card_rules.py"
    );
    let found = loaded.project.check().found;
    let doubled = found.iter().filter(|found| found.code.0 == "RS075").count();
    assert_eq!(doubled, 1, "the rule of Gasket stands in core.rules, too");
}
