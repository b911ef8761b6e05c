pub struct Rules;
pub struct Page;
pub const PAGES: &[Page] = &[];
pub fn page(_: &str) -> Option<Page> {
    None
}
