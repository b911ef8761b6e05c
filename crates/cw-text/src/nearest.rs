/// Finds the candidate with the smallest edit distance to `word`: at most 2, at most 1 for words
/// shorter than 5 characters (R1201). Case does not count; the first of equals wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().collect();
    if word.len() > 64 {
        return None;
    }
    let limit = if word.len() < 5 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        if letters.len().abs_diff(word.len()) > limit {
            continue;
        }
        let distance = distance(&word, &letters);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance: insert, delete, replace, swap neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut two_above: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(two_above[j - 2] + 1);
            }
            row.push(least);
        }
        two_above = std::mem::replace(&mut above, row);
    }
    above[b.len()]
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
