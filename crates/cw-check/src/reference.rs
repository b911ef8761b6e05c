pub struct ReferenceFile;
pub fn reference() -> Vec<ReferenceFile> {
    Vec::new()
}
