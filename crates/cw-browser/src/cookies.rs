//! What a browser would have kept for a server: names with values, each for the addresses below a path.

use std::collections::BTreeMap;

/// Cookies by path and name. Their ages do not matter: the page keeps them as long as its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CookieJar(BTreeMap<(String, String), String>);

impl CookieJar {
    /// Puts a cookie there.
    pub fn put(&mut self, path: &str, name: &str, value: &str) {
        self.0
            .insert((path.to_owned(), name.to_owned()), value.to_owned());
    }

    /// Takes a header `set-cookie`: path, name and value of what it sets. One without a path is for all
    /// addresses.
    pub fn read(header: &str) -> Option<(&str, &str, &str)> {
        let mut parts = header.split(';').map(str::trim);
        let (name, value) = parts.next()?.split_once('=')?;
        let path = parts.find_map(|part| part.strip_prefix("Path="));
        Some((path.unwrap_or("/"), name, value))
    }

    /// The header `cookie` for an address; of two with one name the longer path stands first (RFC 6265, 5.4).
    pub fn header(&self, address: &str) -> String {
        let fits = |path: &str| {
            let rest = address.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || path.ends_with('/') || rest.starts_with('/'))
        };
        let mut found: Vec<_> = self.0.iter().filter(|((path, _), _)| fits(path)).collect();
        found.sort_by_key(|((path, _), _)| std::cmp::Reverse(path.len()));
        let pairs: Vec<String> = found
            .iter()
            .map(|((_, name), value)| format!("{name}={value}"))
            .collect();
        pairs.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_for_the_addresses_below_its_path() {
        let mut jar = CookieJar::default();
        for header in [
            "seat=1; Path=/s/ab; HttpOnly",
            "seat=2; Path=/s/abc; Max-Age=1",
            "came=/s/x/; Path=/s",
            "any=0",
        ] {
            let (path, name, value) = CookieJar::read(header).unwrap();
            jar.put(path, name, value);
        }
        assert_eq!(jar.header("/s/ab/"), "seat=1; came=/s/x/; any=0");
        assert_eq!(jar.header("/s/abc/answer"), "seat=2; came=/s/x/; any=0");
        assert_eq!(jar.header("/front/"), "any=0");
        assert_eq!(CookieJar::read("nothing"), None);
    }
}
