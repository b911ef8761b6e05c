//! The markers that every game has (P123), drawn: each in its own shape, so that none is told by its
//! colour alone.

/// Their names, in the order of their ids.
pub const BUILT_IN: [&str; 8] = [
    "White", "Blue", "Black", "Red", "Green", "Orange", "Brown", "Yellow",
];

/// Colour and outline in a square of 24.
const SHAPES: [(&str, &str); 8] = [
    ("#f6f1e4", "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18z"),
    (
        "#4d9be6",
        "M12 2.5c3.6 5 7 8.3 7 12.3a7 6.7 0 0 1-14 0c0-4 3.4-7.3 7-12.3z",
    ),
    ("#3a3d46", "M4 4h16v16h-16z"),
    ("#e2534a", "M12 3L21.5 20.5H2.5z"),
    (
        "#4fae5c",
        "M21 3c.5 11-4 18-11.5 18a6 6 0 0 1-6-6c0-7.5 7-12 17.5-12z",
    ),
    ("#f0913a", "M12 2.5l8.5 4.75v9.5l-8.5 4.75l-8.5-4.75v-9.5z"),
    ("#9a6b45", "M4 3.5h16v8.5c0 5-4 8-8 9.5c-4-1.5-8-4.5-8-9.5z"),
    (
        "#f4cc45",
        "M12 2l3 6.7l7.3.8l-5.4 5l1.5 7.2l-6.4-3.7l-6.4 3.7l1.5-7.2l-5.4-5l7.3-.8z",
    ),
];

/// The picture of a built-in marker, as SVG; `None` if there is none of this number, from 0.
///
/// A dark line around a light one: it stands out from any ground.
pub fn token(number: usize) -> Option<String> {
    let ((colour, shape), name) = (SHAPES.get(number)?, BUILT_IN.get(number)?);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\" \
         width=\"24\" height=\"24\" role=\"img\">\
         <title>{name}</title>\
         <path d=\"{shape}\" fill=\"{colour}\" stroke=\"#15171d\" stroke-width=\"3\" \
         stroke-linejoin=\"round\"/>\
         <path d=\"{shape}\" fill=\"{colour}\" stroke=\"#fff8\" stroke-width=\"1\" \
         stroke-linejoin=\"round\"/></svg>"
    ))
}
