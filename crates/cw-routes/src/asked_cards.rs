//! What an address asks for among the cards of a package.

use std::collections::BTreeMap;

use cw_pages::library::CardWish;
use cw_pages::markup;

use crate::ways::is_own_way;

/// What an address asks for, as it stands there: the query, the values of facets, and from where on.
#[derive(Debug)]
pub(crate) struct AskedCards {
    pub(crate) wish: CardWish,
    pub(crate) from: usize,
    pub(crate) many: usize,
    /// Where somebody came from.
    pub(crate) back: Option<String>,
}

/// A query has so many bytes at most: nobody types more.
const MOST_QUERY: usize = 2000;
/// Cards that are sent at once.
const MOST_ROWS: usize = 200;

impl AskedCards {
    pub(crate) fn of(mut fields: BTreeMap<String, String>) -> AskedCards {
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let mut text = fields.remove("q").unwrap_or_default();
        let end = (0..=MOST_QUERY.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        AskedCards {
            from: number(fields.remove("from")).unwrap_or(0),
            many: number(fields.remove("many"))
                .unwrap_or(markup::FIRST_CARDS)
                .min(MOST_ROWS),
            // Only a page of this table is led back to: an address comes from anywhere.
            back: fields.remove("back").filter(|way| is_own_way(way)),
            wish: CardWish {
                text,
                choices: fields
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.strip_prefix("f.")?.to_owned(), value)))
                    .filter(|(_, value)| !value.is_empty())
                    .collect(),
            },
        }
    }
}
