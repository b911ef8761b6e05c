//! What every request must pass, and what every response carries.

use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::pages;

/// Nothing from elsewhere, no inline script, no inline style, no frame around the table.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// Tests the request's host and origin, and adds the security headers to the response.
pub(crate) async fn guard(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let mut response = if !is_local(headers) {
        refuse("This table answers only on this machine's own address.")
    } else if request.method() == Method::POST && !is_own_form(headers) {
        refuse("That form came from another site.")
    } else {
        next.run(request).await
    };
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refuse(words: &str) -> Response {
    let page = pages::message("Refused", words);
    (StatusCode::FORBIDDEN, axum::response::Html(page)).into_response()
}

/// A foreign name that leads here must not reach the table (DNS rebinding).
fn is_local(headers: &HeaderMap) -> bool {
    let host = text(headers, &header::HOST);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

/// Whether a form was sent by one of our pages, as far as the browser tells.
fn is_own_form(headers: &HeaderMap) -> bool {
    let site = headers
        .get("sec-fetch-site")
        .and_then(|value| value.to_str().ok());
    if site.is_some_and(|site| site != "same-origin") {
        return false;
    }
    match text(headers, &header::ORIGIN) {
        "" => true,
        origin => origin.strip_prefix("http://") == Some(text(headers, &header::HOST)),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> &'a str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
}

/// The token in the seat's cookie.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix("seat="))
}

/// So many requests at once, and so many in a second afterwards.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: f64,
    at: Instant,
}

const BURST: f64 = 1000.0;
const PER_SECOND: f64 = 200.0;

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            left: BURST,
            at: Instant::now(),
        }
    }
}

impl Allowance {
    /// Takes one; false if none is left.
    pub(crate) fn take(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.at).as_secs_f64() * PER_SECOND).min(BURST);
        self.at = now;
        let may = self.left >= 1.0;
        if may {
            self.left -= 1.0;
        }
        may
    }
}

/// The time that may be spent on a table: some at once, and a part of every second afterwards.
#[derive(Debug)]
pub(crate) struct Budget {
    left: f64,
    at: Instant,
}

/// Seconds that may be spent at once.
const SAVED: f64 = 10.0;
/// The part of a core that a table may use for long.
const SHARE: f64 = 0.5;

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            left: SAVED,
            at: Instant::now(),
        }
    }
}

impl Budget {
    /// Notes that so much was spent; returns how long to wait until something is left again.
    pub(crate) fn spend(&mut self, spent: Duration) -> Duration {
        self.fill();
        self.left -= spent.as_secs_f64();
        Duration::from_secs_f64((-self.left / SHARE).max(0.0))
    }

    /// Whether anything is left.
    pub(crate) fn has_some(&mut self) -> bool {
        self.fill();
        self.left > 0.0
    }

    fn fill(&mut self) {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.at).as_secs_f64() * SHARE).min(SAVED);
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_often_must_wait() {
        let mut allowance = Allowance::default();
        let granted = (0..5000).take_while(|_| allowance.take()).count();
        assert!((1000..5000).contains(&granted), "{granted}");
    }

    #[test]
    fn who_spends_too_much_time_must_wait() {
        let mut budget = Budget::default();
        assert_eq!(budget.spend(Duration::from_secs(3)), Duration::ZERO);
        assert!(budget.has_some());
        let wait = budget.spend(Duration::from_secs(8));
        assert!(!budget.has_some());
        assert!(
            wait > Duration::from_secs(1) && wait < Duration::from_secs(3),
            "{wait:?}"
        );
    }
}
