//! Every prefix of what the fuzz targets start from obeys their laws.

mod laws;

fn seeds(name: &str) -> Vec<String> {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds")).join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the seeds are in the repository")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    paths.sort();
    let read = |path| String::from_utf8_lossy(&std::fs::read(path).expect("a seed can be read")).into_owned();
    paths.into_iter().map(read).collect()
}

fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.map(|end| &text[..end])
}

#[test]
fn rules_keep_the_laws() {
    for text in seeds("rules_check") {
        for text in prefixes(&text) {
            laws::checking(text);
            laws::formatting(text);
        }
    }
}

#[test]
fn scripts_are_read() {
    for text in seeds("rules_python") {
        assert_eq!(laws::scripts(&text), 2);
        for text in prefixes(&text) {
            assert!(laws::scripts(text) <= 2);
        }
    }
}
