//! Pairs what is expected with what is there, each with one of its own.

/// Gives as many of the `wanted` as possible a place of their own that fits, out of so many `places` (Kuhn's
/// algorithm). Returns the place of each.
pub(crate) fn matching(
    wanted: usize,
    places: usize,
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let fitting = (0..wanted).map(|one| (0..places).filter(|place| fits(one, *place)).collect());
    let mut pairing = Pairing {
        fitting: fitting.collect(),
        taken: vec![None; places],
        seen: Vec::new(),
    };
    for one in 0..wanted {
        pairing.seen = vec![false; places];
        pairing.place(one);
    }
    let mut found = vec![None; wanted];
    for (place, one) in pairing.taken.iter().enumerate() {
        if let Some(one) = one {
            found[*one] = Some(place);
        }
    }
    found
}

struct Pairing {
    /// The places that fit each.
    fitting: Vec<Vec<usize>>,
    /// Who has each place.
    taken: Vec<Option<usize>>,
    /// Places that were tried for the one that is placed now.
    seen: Vec<bool>,
}

impl Pairing {
    /// Finds a place for one; others that have one may move to another that fits them.
    fn place(&mut self, one: usize) -> bool {
        let free = self.fitting[one]
            .iter()
            .find(|place| self.taken[**place].is_none());
        if let Some(place) = free.copied() {
            self.taken[place] = Some(one);
            return true;
        }
        for at in 0..self.fitting[one].len() {
            let place = self.fitting[one][at];
            if std::mem::replace(&mut self.seen[place], true) {
                continue;
            }
            if self.taken[place].is_some_and(|other| self.place(other)) {
                self.taken[place] = Some(one);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that came first makes room for one that has no other place.
    #[test]
    fn everybody_moves_up() {
        let fits = |one: usize, place: usize| [vec![0, 1], vec![0, 2], vec![0]][one].contains(&place);
        assert_eq!(matching(3, 3, fits), [Some(1), Some(2), Some(0)]);
        assert_eq!(matching(3, 2, fits).iter().flatten().count(), 2);
        assert_eq!(matching(2, 3, |_, place| place == 0), [Some(0), None]);
    }
}
