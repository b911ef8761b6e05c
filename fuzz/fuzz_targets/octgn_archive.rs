//! Any bytes are an archive: nothing unsafe is listed, and everything listed is read within the limits.
#![no_main]

use cw_octgn::{Archive, Files, Limits, Package};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { file: 1 << 20, unpacked: 8 << 20, ..Limits::default() };
    let Ok(archive) = Archive::new(bytes.to_vec(), &limits) else {
        return;
    };
    for name in archive.list().expect("an archive can be listed") {
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."));
        if let Ok(bytes) = archive.read(&name, limits.file) {
            assert!(bytes.len() as u64 <= limits.file);
        }
    }
    let _ = Package::read_with(&archive.package(), &limits, &|_| {});
});
