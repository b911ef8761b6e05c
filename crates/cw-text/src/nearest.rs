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
        let distance = distance(word, letters);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
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

/// Optimal string alignment distance: insert, delete, replace, swap neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [[0; LONGEST + 1]; 3];
    for (index, cell) in rows[0].iter_mut().enumerate() {
        *cell = index;
    }
    for i in 1..=a.len() {
        let [now, above, two_above] = [i % 3, (i + 2) % 3, (i + 1) % 3];
        rows[now][0] = i;
        for j in 1..=b.len() {
            let replace = rows[above][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(rows[above][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[two_above][j - 2] + 1);
            }
            rows[now][j] = least;
        }
    }
    rows[a.len() % 3][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    /// R1201.
    #[test]
    fn short_words_need_a_closer_match() {
        assert_eq!(nearest("drow", ["discard", "draw"]), Some("draw"));
        assert_eq!(nearest("drwo", ["draw"]), None);
        assert_eq!(nearest("dicsard", ["discard"]), Some("discard"));
        assert_eq!(nearest("unblokable", ["unblockable"]), Some("unblockable"));
        assert_eq!(nearest("xyz", ["draw"]), None);
    }
}
