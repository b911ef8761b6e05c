//! How much of a package is read: `--limit NAME=NUMBER` raises it.

use std::sync::OnceLock;

use cw_octgn::PackageLimits;

static LIMITS: OnceLock<PackageLimits> = OnceLock::new();

/// What this run reads at most.
pub(crate) fn limits() -> PackageLimits {
    LIMITS.get().cloned().unwrap_or_default()
}

/// One `NAME=NUMBER`.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    name: String,
    most: u64,
}

impl std::str::FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, most) = text.split_once('=').ok_or("a limit is NAME=NUMBER")?;
        if !PackageLimits::NAMES.contains(&name) {
            return Err(format!("limits are {}", named()));
        }
        let most = most.parse().map_err(|_| format!("`{most}` is no number"))?;
        Ok(Limit {
            name: name.to_owned(),
            most,
        })
    }
}

/// Sets what holds for this run.
pub(crate) fn set(wanted: &[Limit]) {
    let mut limits = PackageLimits::default();
    for limit in wanted {
        limits.set(&limit.name, limit.most);
    }
    LIMITS.get_or_init(|| limits);
}

/// Every limit with what it stands on.
pub(crate) fn named() -> String {
    let named = PackageLimits::MEANINGS.map(|(name, meaning)| format!("`{name}` ({meaning})"));
    named.join(", ")
}
