//! The pages' own files, by their addresses: styles, scripts, surfaces. They say nothing of a table.

use axum::Router;
use axum::routing::get;

use crate::asset::PageAsset;
use crate::pictures::picture;

/// A file of the pages, by its name below `/assets/`.
type NamedAsset = (&'static str, PageAsset);

/// Files that are named as they lie below `cw-pages/assets`.
macro_rules! assets {
    ($($kind:ident $name:literal),* $(,)?) => {
        [$(($name, PageAsset::$kind(include_str!(concat!("../../cw-pages/assets/", $name))))),*]
    };
}

/// The styles that the pages of duels and of free tables share.
static STYLES: [NamedAsset; 2] = assets![style "table.css", style "front.css"];

/// The scripts of the duels' pages. That of the table imports its rooms.
#[rustfmt::skip]
static OF_DUELS: [NamedAsset; 21] = assets![
    script "table.js", script "shuffle.js", script "share.js",
    script "duel/answers.js", script "duel/drag.js", script "duel/ending.js", script "duel/forms.js",
    script "duel/frames.js", script "duel/gather.js", script "duel/hints.js", script "duel/kept.js",
    script "duel/keyboard.js", script "duel/layout.js",
    script "duel/motion.js", script "duel/pace.js", script "duel/page.js", script "duel/replay.js",
    script "duel/settings.js", script "duel/sheets.js", script "duel/stream.js", script "duel/zoom.js",
];

/// The files of the free table's page.
#[rustfmt::skip]
static OF_FREE_TABLES: [NamedAsset; 14] = assets![
    style "free/free.css",
    script "free/state.js", script "free/table.js", script "free/dialogs.js", script "free/entries.js",
    script "free/decks.js", script "free/windows.js", script "free/menu.js", script "free/panels.js",
    script "free/questions.js", script "free/log.js", script "free/drag.js", script "free/keys.js",
    script "free/free.js",
];

/// Two people shuffle with it; the free table reads it only where packs were opened.
static FREE_SHUFFLE: PageAsset = PageAsset::script(include_str!("../../cw-pages/assets/shuffle.js"));

/// A page of the duels' table asks for these as well: at a free table they are empty.
static EMPTY: [NamedAsset; 2] = [
    ("cards.css", PageAsset::style("")),
    ("table.js", PageAsset::script("")),
];

/// The files of the pages about cards.
#[rustfmt::skip]
static OF_CARDS: [NamedAsset; 11] = assets![
    style "cards/cards.css",
    script "cards/arena.js", script "cards/builder.js", script "cards/compare.js", script "cards/decks.js",
    script "cards/draft.js", script "cards/opening.js", script "cards/gallery.js", script "cards/run.js",
    script "cards/search.js", script "cards/window.js",
];

/// The files of the pages where somebody works on the game; a static site has none of them.
static OF_WORK: [NamedAsset; 2] = assets![style "work.css", script "work.js"];

/// The addresses of the pages' own files.
pub fn assets() -> impl Iterator<Item = String> {
    let all = STYLES
        .iter()
        .chain(&OF_DUELS)
        .chain(&OF_FREE_TABLES)
        .chain(&OF_CARDS);
    let others = [
        "cards.css",
        "free/shuffle.js",
        "surface/planks.svg",
        "surface/canvas.svg",
    ];
    let names = all.map(|(name, _)| *name).chain(others);
    names.map(|name| format!("/assets/{name}"))
}

fn routes<S: Clone + Send + Sync + 'static>(
    files: impl IntoIterator<Item = &'static NamedAsset>,
) -> Router<S> {
    files.into_iter().fold(Router::new(), |router, (name, asset)| {
        router.route(&format!("/assets/{name}"), asset.route())
    })
}

/// What the pages of duels ask for.
pub(crate) fn of_duels<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(STYLES.iter().chain(&OF_DUELS)).merge(surfaces())
}

/// What the pages of free tables ask for.
pub(crate) fn of_free_tables<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(STYLES.iter().chain(&OF_FREE_TABLES).chain(&EMPTY))
        .route("/assets/free/shuffle.js", FREE_SHUFFLE.route())
        .merge(surfaces())
}

/// What the pages about cards ask for.
pub(crate) fn of_cards<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(&OF_CARDS)
}

/// What the pages ask for where somebody works on the game.
pub(crate) fn of_work<S: Clone + Send + Sync + 'static>() -> Router<S> {
    routes(&OF_WORK)
}

/// What tables lie on.
fn surfaces<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let planks = async || picture(include_str!("../../cw-pages/assets/surface/planks.svg"));
    let canvas = async || picture(include_str!("../../cw-pages/assets/surface/canvas.svg"));
    Router::new()
        .route("/assets/surface/planks.svg", get(planks))
        .route("/assets/surface/canvas.svg", get(canvas))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All scripts of the pages.
    fn scripts() -> impl Iterator<Item = &'static str> {
        let all = OF_DUELS.iter().chain(&OF_FREE_TABLES);
        all.filter_map(|(_, asset)| asset.as_script())
    }

    /// Lines of comment are not sent, so no line may look like one and be text.
    #[test]
    fn no_text_of_a_script_goes_over_several_lines() {
        for line in scripts().flat_map(|script| {
            let sent = crate::asset::without_comments(script);
            sent.lines().map(str::to_owned).collect::<Vec<_>>()
        }) {
            let marks = line.replace("\\`", "").matches('`').count();
            assert!(marks.is_multiple_of(2), "{line}");
        }
    }

    /// What the page of a table names ahead is what its script imports.
    #[test]
    fn rooms_are_named_ahead() {
        let script = |name: String| {
            let found = OF_DUELS.iter().find(|(own, _)| *own == name);
            found.and_then(|(_, asset)| asset.as_script())
        };
        let asset = |name: &str| script(format!("duel/{name}.js"));
        let table = script("table.js".to_owned()).unwrap();
        for name in cw_pages::markup::ROOMS {
            assert!(asset(name).is_some(), "{name}");
            let import = format!("/{name}.js\";");
            let mut importing = cw_pages::markup::ROOMS.iter().filter_map(|other| asset(other));
            assert!(
                table.contains(&import) || importing.any(|script| script.contains(&import)),
                "{name}"
            );
        }
        let later: Vec<&str> = OF_DUELS
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("duel/")?.strip_suffix(".js"))
            .filter(|room| !cw_pages::markup::ROOMS.contains(room))
            .collect();
        assert_eq!(
            later,
            ["gather", "kept", "replay"],
            "they are imported where they are needed"
        );
    }

    /// On a silent network nothing comes back: whatever a page asks for is asked by the one function of each
    /// table that ends it.
    #[test]
    fn no_request_of_a_page_waits_for_ever() {
        let asking: Vec<&str> = scripts()
            .flat_map(str::lines)
            .filter(|line| line.contains("fetch(") || line.contains("XMLHttpRequest"))
            .collect();
        assert_eq!(asking.len(), 2, "one function of each table: {asking:#?}");
        for line in asking {
            assert!(
                line.starts_with("const request = ")
                    && line.contains("signal: AbortSignal.timeout(patience)"),
                "{line}"
            );
        }
    }
}
