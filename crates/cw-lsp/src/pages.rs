//! The pages of all findings.

use cw_text::FindingPage;

/// The page of a code, as Markdown.
pub(crate) fn markdown(code: &str) -> Option<String> {
    let families = [
        &cw_load::PAGES,
        &cw_octgn::PAGES,
        &cw_check::PAGES,
        &cw_scenario::PAGES,
        &cw_table::PAGES,
    ];
    let page: &FindingPage = families.into_iter().find_map(|family| family.find(code))?;
    let who = match cw_octgn::PAGES.find(code).is_some() {
        true => format!("; {}.", cw_octgn::Trips::sentence(page)),
        false => String::new(),
    };
    Some(page.markdown(&who))
}

/// The address of a page, for clients that ask the server for texts.
pub(crate) fn address(code: &str) -> String {
    format!("{SCHEME}:/explain/{code}.md")
}

/// The page at an address.
pub(crate) fn at(uri: &str) -> Option<String> {
    let name = uri.strip_prefix(SCHEME)?.strip_prefix(":/explain/")?;
    markdown(name.strip_suffix(".md")?)
}

/// What addresses of pages begin with.
pub(crate) const SCHEME: &str = "cardwright";
