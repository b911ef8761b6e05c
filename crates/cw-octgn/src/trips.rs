//! The parties that refuse a mistake in a package, or notice it.

use cw_text::{FindingPage, Severity};

/// A party that trips over a mistake (P172).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trips {
    /// OCTGN's client when it loads the game, a set or a deck: it drops the set, refuses the deck, or stops.
    Loading,
    /// o8build, the official packager: it refuses the package.
    Builder,
    /// OCTGN's client in play: what was loaded fails when somebody uses it.
    Playing,
    /// The people who play: no program refuses it; they notice, or worse, do not.
    Players,
    /// Cardwright alone, to protect whoever reads a stranger's package.
    Cardwright,
}

use Trips::{Builder, Cardwright, Loading, Players, Playing};

impl Trips {
    /// Returns the parties that a page names.
    ///
    /// # Panics
    /// If the page names another one; the pages are part of the program, and tests read all of them.
    pub fn of(page: &FindingPage) -> Vec<Trips> {
        let words = page.trips.split(", ").filter(|word| !word.is_empty());
        words
            .map(|word| match word {
                "loading" => Loading,
                "builder" => Builder,
                "playing" => Playing,
                "players" => Players,
                "cardwright" => Cardwright,
                _ => panic!("{}: nobody is called `{word}`", page.code),
            })
            .collect()
    }

    /// Says who refuses the mistake and who else trips over it, without a full stop.
    ///
    /// ```
    /// let who = |code| cw_octgn::PAGES.find(code).map(cw_octgn::Trips::sentence);
    /// assert_eq!(who("PK030").as_deref(), Some("OCTGN refuses it when loading, and so does o8build"));
    /// assert_eq!(who("PK090").as_deref(), Some("OCTGN loads it and fails in play"));
    /// assert_eq!(who("PK029").as_deref(), Some("OCTGN takes it as it is"));
    /// ```
    pub fn sentence(page: &FindingPage) -> String {
        Trips::sentence_at(page, page.severity)
    }

    /// As [`Trips::sentence`], for a finding of this severity: one that is milder than the page says is about
    /// something that the client reads all the same (P281).
    pub fn sentence_at(page: &FindingPage, severity: Severity) -> String {
        let milder = severity < page.severity;
        let mut trips = Trips::of(page);
        trips.retain(|one| !milder || *one != Loading && (*one != Builder || severity > Severity::Hint));
        sentence(&trips)
    }
}

fn sentence(trips: &[Trips]) -> String {
    let has = |one: Trips| trips.contains(&one);
    let refused = match (has(Loading), has(Builder), has(Cardwright)) {
        (true, true, _) => "OCTGN refuses it when loading, and so does o8build",
        (true, false, _) => "OCTGN refuses it when loading",
        (false, true, true) => "o8build and Cardwright refuse it",
        (false, true, false) => "o8build refuses it",
        (false, false, true) => "only Cardwright refuses it",
        (false, false, false) if has(Playing) => "OCTGN loads it and fails in play",
        (false, false, false) => "OCTGN takes it as it is",
    };
    let rest = match (has(Players), has(Playing)) {
        (true, _) => "; players trip over it",
        (false, true) if has(Loading) || has(Builder) => "; OCTGN fails in play",
        (false, _) => "",
    };
    format!("{refused}{rest}")
}
