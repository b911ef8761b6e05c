/// Finds the candidate with the smallest edit distance to `word`: at most 2, at most 1 for words
/// shorter than 5 characters (R1201). Case does not count; the first of equals wins.
///
/// ```
/// assert_eq!(cw_text::nearest("drow", ["move", "draw"]), Some("draw"));
/// assert_eq!(cw_text::nearest("xyzzy", ["move", "draw"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut letters = ['\0'; LONGEST];
    let word = lower(word, &mut letters)?;
    let limit = if word.len() < 5 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // Most are told apart by their length alone.
        if candidate.is_ascii() && candidate.len().abs_diff(word.len()) > limit {
            continue;
        }
        let mut letters = ['\0'; LONGEST];
        let Some(letters) = lower(candidate, &mut letters) else {
            continue;
        };
        if letters.len().abs_diff(word.len()) > limit {
            continue;
        }
        let limit = best.map_or(limit, |(least, _)| least.saturating_sub(1));
        if let Some(distance) = distance(word, letters, limit) {
            if distance == 0 {
                return Some(candidate);
            }
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The longest word that is compared, in characters.
const LONGEST: usize = 64;

/// The word in lower case, unless it is too long.
fn lower<'a>(word: &str, letters: &'a mut [char; LONGEST]) -> Option<&'a [char]> {
    let mut count = 0;
    for letter in word.chars().flat_map(char::to_lowercase) {
        *letters.get_mut(count)? = letter;
        count += 1;
    }
    Some(&letters[..count])
}

/// The largest distance that is asked for.
const FARTHEST: usize = 2;

/// Optimal string alignment distance: insert, delete, replace, swap neighbours; nothing if it is more than
/// `limit`.
///
/// Packages with thousands of unknown names ask this millions of times. So only the cells within `limit` of
/// the diagonal are computed (Ukkonen 1985): all others are larger. And a row without a cell of at most
/// `limit` ends it: a later row has none either, but for a swap, which takes its value from two rows above.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    const BAND: usize = 2 * FARTHEST + 1;
    let limit = limit.min(FARTHEST);
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let far = limit + 1;
    // Cell `k` of row `i` stands for the first `i` letters of `a` and the first `i + k - FARTHEST` of `b`.
    let first = std::array::from_fn(|k| k.checked_sub(FARTHEST).map_or(far, |j| j.min(far)));
    let mut rows: [[usize; BAND]; 3] = [[far; BAND], [far; BAND], first];
    for i in 1..=a.len() {
        let [two_above, above] = [rows[1], rows[2]];
        let mut now = [far; BAND];
        let mut hopeless = above.iter().all(|cell| *cell > limit);
        for k in 0..BAND {
            let Some(j) = (i + k).checked_sub(FARTHEST).filter(|j| *j <= b.len()) else {
                continue;
            };
            if j == 0 {
                now[k] = i.min(far);
                hopeless &= now[k] > limit;
                continue;
            }
            let mut least = above[k] + usize::from(a[i - 1] != b[j - 1]);
            if let Some(deleted) = above.get(k + 1) {
                least = least.min(deleted + 1);
            }
            if k > 0 {
                least = least.min(now[k - 1] + 1);
            }
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(two_above[k] + 1);
            }
            now[k] = least.min(far);
            hopeless &= now[k] > limit;
        }
        if hopeless {
            return None;
        }
        rows = [two_above, above, now];
    }
    let last = rows[2][b.len() + FARTHEST - a.len()];
    (last <= limit).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::{FARTHEST, distance, nearest};

    /// Short words need a closer match than long ones (R1201).
    #[test]
    fn short_words_need_a_closer_match() {
        assert_eq!(nearest("drow", ["discard", "draw"]), Some("draw"));
        assert_eq!(nearest("drwo", ["draw"]), None);
        assert_eq!(nearest("dicsard", ["discard"]), Some("discard"));
        assert_eq!(nearest("unblokable", ["unblockable"]), Some("unblockable"));
        assert_eq!(nearest("xyz", ["draw"]), None);
    }

    /// The whole table of the definition, for words of any length.
    fn whole_table(a: &[char], b: &[char]) -> usize {
        let mut cells = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let mut least = if i == 0 { j } else { usize::MAX };
                if i > 0 {
                    least = cells[i - 1][j] + 1;
                }
                if j > 0 {
                    least = least.min(cells[i][j - 1] + 1);
                }
                if i > 0 && j > 0 {
                    least = least.min(cells[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                }
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(cells[i - 2][j - 2] + 1);
                }
                cells[i][j] = least;
            }
        }
        cells[a.len()][b.len()]
    }

    /// The band finds what the whole table finds: every pair of words of up to five letters out of two, and
    /// of up to four out of three.
    #[test]
    fn the_band_agrees_with_the_whole_table() {
        let words = |letters: &[char], most: usize| {
            let mut words: Vec<Vec<char>> = vec![Vec::new()];
            let mut from = 0;
            for _ in 0..most {
                let upto = words.len();
                for at in from..upto {
                    for letter in letters {
                        let longer = words[at].iter().chain([letter]).copied().collect();
                        words.push(longer);
                    }
                }
                from = upto;
            }
            words
        };
        for words in [words(&['a', 'b'], 5), words(&['a', 'b', 'c'], 4)] {
            for a in &words {
                for b in &words {
                    let whole = whole_table(a, b);
                    for limit in 0..=FARTHEST {
                        let wanted = (whole <= limit).then_some(whole);
                        assert_eq!(distance(a, b, limit), wanted, "{a:?} {b:?} {limit}");
                    }
                }
            }
        }
    }
}
