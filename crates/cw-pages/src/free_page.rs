//! The frame of the page; the page's script fills it with what its seat is sent.

use maud::{DOCTYPE, html};

/// Whether all seats of a table are on one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneDevice {
    /// Others reach the table from elsewhere.
    No,
    /// The table has one seat.
    Alone,
    /// It has several: this is whose page it is. It is covered until they say that the device is theirs.
    Shared(String),
}

/// The page of a seat. `base` is its address, with a slash at its end; `stamp` is what its requests must
/// carry.
pub fn page(title: &str, base: &str, stamp: &str, device: &OneDevice) -> String {
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
            body data-stamp=(stamp) data-title=(title) data-seats=[match device {
                OneDevice::No => None,
                OneDevice::Alone => Some("alone"),
                OneDevice::Shared(_) => Some("shared"),
            }] {
                @if let OneDevice::Shared(name) = device {
                    dialog id="cover" {
                        h2 { "Hand the device to " (name) }
                        p { "Their cards come next. Everybody else, please look away now." }
                        form method="dialog" { button autofocus { "I am " (name) ": show my cards" } }
                    }
                }
                noscript { p.alone { "The free table needs JavaScript: you move the cards by hand here." } }
                p.alone id="opening" role="status" { "Setting up the table …" }
            }
        }
    }
    .into_string()
}
