use std::fmt::Display;

/// A number of things: `1 card`, `2 cards`. The plural ends in `s`, or in `es` behind a hiss.
///
/// ```
/// assert_eq!(cw_text::count(1, "card"), "1 card");
/// assert_eq!(cw_text::count(0, "card"), "0 cards");
/// assert_eq!(cw_text::count(2_u64, "fix"), "2 fixes");
/// ```
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    let ending = match number == N::from(1) {
        true => "",
        false if one.ends_with(['s', 'x']) || one.ends_with("sh") || one.ends_with("ch") => "es",
        false => "s",
    };
    format!("{number} {one}{ending}")
}
