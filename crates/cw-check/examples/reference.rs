//! Writes `docs/reference`.
#![expect(clippy::disallowed_methods, reason = "a developer command writes files")]

fn main() -> std::io::Result<()> {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference"));
    std::fs::create_dir_all(folder)?;
    for file in cw_check::reference() {
        std::fs::write(folder.join(file.name), file.text)?;
    }
    Ok(())
}
