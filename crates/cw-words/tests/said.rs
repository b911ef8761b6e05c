//! Texts that are written from rules say what the rules do, in the eyes of the checker.

use std::collections::BTreeSet;
use std::path::Path;

use cw_check::{KnownCard, KnownCards, SeveritySettings, check_text};
use cw_duel::{AbilityKind, Game};
use cw_octgn::{Folder, MemoryFiles, PackageFiles};
use cw_program::ModelId;
use cw_stage::{ByteSource, RandomGame};
use cw_text::FileId;
use cw_words::{RuleText, TextStyle, rule_text};

/// The cards of a game as the checker knows them, with other texts.
fn known(game: &Game, text: impl Fn(ModelId) -> String) -> KnownCards {
    let cards = game.numbered().map(|(model, card)| KnownCard {
        id: card.id.to_string(),
        name: card.name.to_string(),
        card_type: card.card_type,
        subtype: card
            .subtype
            .map(|subtype| game.subtypes[usize::from(subtype.0)].to_string()),
        ability: card.ability_kind().map(|kind| match kind {
            AbilityKind::Instant => cw_check::AbilityType::Instant,
            AbilityKind::Triggered => cw_check::AbilityType::Triggered,
            AbilityKind::Auto => cw_check::AbilityType::Auto,
        }),
        text: text(model),
    });
    KnownCards::numbered(cards.collect(), &game.subtypes, &game.names)
}

fn findings(rules: &str, cards: &KnownCards) -> BTreeSet<String> {
    let checked = check_text(FileId::default(), rules, cards, &SeveritySettings::default());
    let found = checked.diagnostics.iter();
    found
        .map(|one| format!("{} {:?} {}", one.code.0, one.span, one.message))
        .collect()
}

/// All texts of a game, and what the checker finds with them that it does not find without any.
fn judged(game: &Game, rules: &str) -> (Vec<(ModelId, RuleText)>, Vec<String>) {
    let style = TextStyle::of(game);
    let said: Vec<(ModelId, RuleText)> = game
        .numbered()
        .filter_map(|(model, _)| Some((model, rule_text(game, model, &style)?)))
        .collect();
    let text = |model: ModelId| {
        let mut all = said.iter();
        all.find(|(of, _)| *of == model)
            .map_or_else(String::new, |(_, said)| said.text.clone())
    };
    let with = findings(rules, &known(game, text));
    let without = findings(rules, &known(game, |_| String::new()));
    let new = with.difference(&without).cloned().collect();
    (said, new)
}

/// RS081, RS088, RS093: every rule of the demo game has a text, whole, and the checker finds nothing in it.
#[test]
fn every_rule_of_the_demo_game_is_said() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let files = MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read");
    let rules = files.read("Rules/core.rules", u64::MAX).expect("it is there");
    let rules = String::from_utf8(rules).expect("it is text");
    let loaded = cw_load::load(files).expect("memory can be read");
    let game = loaded.game.expect("it can be played");
    let (said, new) = judged(&game, &rules);
    let mut out = String::new();
    for (model, said) in &said {
        out += &format!("{}: {}\n", game.model(*model).name, said.text);
        for unsaid in &said.unsaid {
            out += &format!("    no words in {}: {}\n", unsaid.part, unsaid.what);
        }
    }
    if std::env::var_os("CARDWRIGHT_SAY").is_some() {
        eprintln!("{out}");
    }
    assert_eq!(new, [""; 0], "{out}");
    reads_well(&out);
    assert!(
        said.iter()
            .all(|(_, said)| said.is_whole() && !said.text.is_empty()),
        "{out}"
    );
}

/// Nothing here that is not English: no double blanks, no blank before a stop, no sentence without its
/// capital.
fn reads_well(out: &str) {
    for slip in ["  ,", " ,", " .", "..", ",,", ": :", "an an ", "a a ", "the the "] {
        assert!(
            !out.replace("    no words", "").contains(slip),
            "{slip:?} in\n{out}"
        );
    }
}

/// Random rules are put into words or said to have none; the checker finds nothing in any of these texts.
#[test]
fn random_rules_are_said_without_a_finding() {
    let games =
        std::env::var("CARDWRIGHT_SAYINGS").map_or(60, |games| games.parse().expect("a number of games"));
    let (mut whole, mut all) = (0_usize, 0_usize);
    let mut wrong = Vec::new();
    let mut none = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..games {
        let random = RandomGame::read(&mut ByteSource::of_seed(seed));
        let mut rules = String::new();
        for ((_, card), text) in random.game.numbered().zip(&random.texts) {
            if !text.is_empty() {
                rules += &format!("[{}]\n{text}\n\n", card.id);
            }
        }
        let (said, new) = judged(&random.game, &rules);
        all += said.len();
        whole += said.iter().filter(|(_, said)| said.is_whole()).count();
        for (_, said) in &said {
            for unsaid in &said.unsaid {
                *none.entry(unsaid.what.clone()).or_default() += 1;
            }
        }
        for finding in new {
            // The card that it is about: the last whose rule begins before it.
            let at = finding
                .split([' ', '.'])
                .nth(1)
                .and_then(|at| at.parse::<usize>().ok());
            let before = &rules[..at.unwrap_or_default().min(rules.len())];
            let id = before.rfind("\n[").map_or(before, |from| &before[from + 1..]);
            let is_about = |model: ModelId| id.starts_with(&format!("[{}]", random.game.model(model).id));
            let about = said.iter().find(|(model, _)| is_about(*model));
            // What is left out of a text is not said by it. Forms of a card share its id, and each has a
            // text.
            let mut forms = said.iter().filter(|(model, _)| is_about(*model));
            if forms.any(|(_, said)| !said.is_whole()) {
                continue;
            }
            let text = about.map(|(model, said)| (&random.texts[usize::from(model.0)], &said.text));
            wrong.push(format!("{seed}: {finding}: {text:#?}"));
        }
    }
    if std::env::var_os("CARDWRIGHT_SAY").is_some() {
        let mut most: Vec<_> = none.iter().map(|(what, times)| (*times, what)).collect();
        most.sort_unstable();
        most.reverse();
        most.truncate(40);
        eprintln!("{whole} of {all} whole, {} findings\n{most:#?}", wrong.len());
    }
    // The checker's patterns go by the whole text: now and then it takes a sentence about one statement for
    // one about another.
    assert!(
        wrong.len() * 100 <= whole,
        "{} findings:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(whole * 2 >= all, "{whole} of {all} rules are said as a whole");
}

/// What is said of the first card of these.
fn said_of(cards: &str) -> String {
    let game = cw_stage::start(cards, "").duel.game().clone();
    let name = cards.split_whitespace().next().expect("a card");
    let mut all = game.numbered();
    let (model, _) = all
        .find(|(_, card)| &*card.name == name)
        .expect("it is in the game");
    let said = rule_text(&game, model, &TextStyle::default()).expect("it has a rule");
    assert!(said.is_whole(), "{:?}", said.unsaid);
    said.text
}

/// D35: `soloAttack` is about the card itself. D96: what the opponent lost, it lost in this turn.
#[test]
fn conditions_say_whom_and_when_they_are_about() {
    let lone = |condition: &str| {
        said_of(&format!(
            "Lone auto: auto = ~attacks~ [[if {condition}]] hp(+100) to(me)"
        ))
    };
    let said = lone("soloAttack");
    assert!(
        said.contains("this character attacks and nobody else does"),
        "{said}"
    );
    let said = lone("not soloAttack");
    assert!(
        said.contains("this character does not attack, or somebody else does, too"),
        "{said}"
    );
    let said = lone("oppLostSP");
    assert!(said.contains("has lost SP this turn"), "{said}");
}

/// R203: a filter holds for each of several types, so that nothing may be read as standing between them.
#[test]
fn one_article_stands_before_several_types() {
    let said = said_of("Ice action: target = rope,bell@oppRing[frozen];; action = damage(100)");
    assert!(said.starts_with("A frozen enemy rope or bell "), "{said}");
}

/// G80, G86: what costs more than 0 gives SP.
#[test]
fn a_cost_that_is_a_gain_is_said_as_one() {
    let boon = |cost: i32| said_of(&format!("Boon action: action = alterCost(action, ={cost})"));
    let [pays, free, gains] = [-2, 0, 2].map(boon);
    assert!(pays.contains("cost 2 SP"), "{pays}");
    assert!(free.contains("cost nothing"), "{free}");
    assert!(
        gains.contains("give 2 SP") && !gains.contains("nothing"),
        "{gains}"
    );
}
