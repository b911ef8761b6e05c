//! Packs by name.

use anyhow::{Context, bail};
use cw_octgn::Package;
use cw_text::nearest;

/// The set and the place in it of a pack: by its id, its name, or its set's name and its name.
///
/// # Errors
/// If there is none, or several; the nearest name is told.
pub fn find_pack(package: &Package, wanted: &str) -> anyhow::Result<(usize, usize)> {
    let all = || {
        let sets = package.sets.iter().enumerate();
        sets.flat_map(|(set, found)| (0..found.packs.len()).map(move |pack| (set, pack)))
    };
    if let Ok(id) = wanted.parse() {
        let by_id = all().find(|(set, pack)| package.sets[*set].packs[*pack].id.value == id);
        return by_id.with_context(|| format!("there is no pack {wanted}"));
    }
    let same = |name: &str| name.to_lowercase() == wanted.to_lowercase();
    let by_whole: Vec<_> = all()
        .filter(|(set, pack)| same(&pack_name(package, *set, *pack)))
        .collect();
    let by_name = || {
        let own = |(set, pack): &(usize, usize)| same(&package.sets[*set].packs[*pack].name);
        all().filter(own).collect::<Vec<_>>()
    };
    let by_set = || {
        all()
            .filter(|(set, _)| same(&package.sets[*set].name))
            .collect::<Vec<_>>()
    };
    let found = [by_whole, by_name(), by_set()]
        .into_iter()
        .find(|found| !found.is_empty());
    match found.as_deref() {
        Some([one]) => Ok(*one),
        Some(several) => {
            let names: Vec<String> = several
                .iter()
                .take(8)
                .map(|(set, pack)| format!("“{}”", pack_name(package, *set, *pack)))
                .collect();
            bail!(
                "“{wanted}” may be {}; name the set too, or use the id",
                names.join(" or ")
            )
        }
        None => {
            let names: Vec<String> = all().map(|(set, pack)| pack_name(package, set, pack)).collect();
            let words = names.iter().map(String::as_str);
            let own = all().map(|(set, pack)| &*package.sets[set].packs[pack].name.value);
            match nearest(wanted, words.chain(own)) {
                Some(near) => bail!("there is no pack “{wanted}”; did you mean “{near}”?"),
                None if names.is_empty() => bail!("the game has no packs"),
                None => bail!("there is no pack “{wanted}”; `cardwright packs list` shows them all"),
            }
        }
    }
}

/// The display name of a pack (P31).
pub fn pack_name(package: &Package, set: usize, pack: usize) -> String {
    let set = &package.sets[set];
    format!("{}, {}", *set.name, *set.packs[pack].name)
}
