//! Pictures: those that are drawn, each once, and those that lie in a package.

use std::sync::Arc;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use cw_hall::hall::{Hall, Hosted};
use cw_hall::lock::locked;

use crate::visitor::not_found;

/// Pictures that are remembered.
const MOST_DRAWN: usize = 4096;

/// Does something for nobody in particular, a few at a time.
pub(crate) async fn off_hand<H: Hosted, T: Send + 'static>(
    hall: &Arc<Hall<H>>,
    job: impl FnOnce(&Hall<H>) -> Option<T> + Send + 'static,
) -> Option<T> {
    let (permit, own) = (hall.drawing.acquire_arc().await, Arc::clone(hall));
    let done = hall.tasks.work(move || {
        let done = job(&own);
        drop(permit);
        done
    });
    done.await.ok()?
}

/// What was drawn under this name, or what is drawn now.
pub(crate) async fn drawn_once<H: Hosted>(
    hall: &Arc<Hall<H>>,
    name: String,
    draw: impl FnOnce(&Hall<H>) -> Option<String> + Send + 'static,
) -> Option<Arc<str>> {
    if let Some(drawn) = locked(&hall.drawn).get(&name) {
        return Some(Arc::clone(drawn));
    }
    let drawn = off_hand(hall, move |hall| {
        let drawn: Arc<str> = draw(hall)?.into();
        let mut all = locked(&hall.drawn);
        if all.len() < MOST_DRAWN {
            all.insert(name, Arc::clone(&drawn));
        }
        Some(drawn)
    });
    drawn.await
}

/// A picture that is drawn.
pub(crate) fn picture(svg: &str) -> Response {
    sent("image/svg+xml", svg.to_owned())
}

/// A picture of a package.
pub(crate) fn image(bytes: Vec<u8>) -> Response {
    match kind_of(&bytes) {
        Some(kind) => sent(kind, bytes),
        None => not_found(),
    }
}

fn sent(kind: &'static str, body: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, body).into_response()
}

/// What the first bytes say a picture is: a package's file is sent as nothing else.
pub(crate) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
