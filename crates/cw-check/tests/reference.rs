//! The committed reference is the one that the tables give.

#[test]
fn reference_is_fresh() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference"));
    for file in cw_check::reference() {
        let committed = std::fs::read_to_string(folder.join(file.name))
            .unwrap_or_default()
            .replace("\r\n", "\n");
        assert!(
            committed == file.text,
            "docs/reference/{} is stale: run `cargo run -p cw-check --example reference`",
            file.name
        );
    }
}
