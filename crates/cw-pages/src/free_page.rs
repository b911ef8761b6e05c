//! The frame of the page; the page's script fills it with what its seat is sent.

use maud::{DOCTYPE, html};

/// The page of a seat. `base` is its address, with a slash at its end; `stamp` is what its requests must carry.
pub fn page(title: &str, base: &str, stamp: &str) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="dark light";
                title { (title) }
                base href=(base);
                link rel="icon" href="/face/back.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/free/free.css";
                script type="module" src="/assets/free/free.js" {}
            }
            body data-stamp=(stamp) data-title=(title) {
                noscript { p.alone { "The free table needs scripts: cards are moved by hand here." } }
                p.alone id="opening" role="status" { "The table is being laid …" }
            }
        }
    }
    .into_string()
}
