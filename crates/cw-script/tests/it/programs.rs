//! Programs written by hand, one or more for each rule, and their answers by Python 2.7.18.

use crate::answers::answer;

/// Programs with their titles.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#### ")
        .skip(1)
        .filter_map(|piece| piece.split_once('\n'))
}

/// Statements, values, methods and modules do what Python 2.7 does (S8 to S23, S25).
#[test]
fn programs_by_hand_do_what_python_does() {
    let programs = include_str!("../programs/by_hand.py.txt");
    let answers = include_str!("../programs/by_hand.answers.txt");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for ((title, text), line) in pieces(programs).zip(answers.lines()) {
        let mut parts = line.splitn(3, '\t');
        assert_eq!(parts.next(), Some(title), "the answers belong to other programs");
        let wanted = parts.nth(1).unwrap_or_default();
        let got = answer(text);
        count += 1;
        if got != wanted {
            wrong.push(format!(
                "#### {title}\n{text}    wanted {wanted}\n    got    {got}"
            ));
        }
    }
    assert_eq!(count, answers.lines().count(), "every answer has its program");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
