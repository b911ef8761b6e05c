//! Puts the page's WebAssembly modules into the program, where `CARDWRIGHT_MODULE` names the file of the
//! whole one: the others are looked for beside it.
//!
//! They lie there as one packed stream (LZMA): they have much in common, few who install the program make a
//! page, and the modules would be a third of it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use lzma_rust2::{LzmaOptions, LzmaWriter};

/// The most that is tried for few bytes.
const LEVEL: u32 = 9;
/// The most bytes of all modules, less than the window that who unpacks them allows (`MOST_MEMORY` in
/// `commands/site.rs`).
const MOST: usize = 100 << 20;

fn main() {
    println!("cargo::rerun-if-env-changed=CARDWRIGHT_MODULE");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let module = env::var_os("CARDWRIGHT_MODULE").map(PathBuf::from);
    let packed = module.map_or_else(Vec::new, |module| packed(&module));
    fs::write(out.join("modules.lzma"), packed).expect("the modules can be written");
}

/// The whole module, that of duels alone and the rest of that one, each behind its length (32 bits, lowest
/// first); what is not there has the length 0.
fn packed(module: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for name in [None, Some("play.wasm"), Some("play-rest.wasm")] {
        let path = name.map_or_else(|| module.to_path_buf(), |name| module.with_file_name(name));
        let bytes = match path.is_file() {
            true => fs::read(&path).expect("the module can be read"),
            false if name.is_some() => Vec::new(),
            false => {
                let path = std::path::absolute(&path).unwrap_or(path);
                panic!(
                    "CARDWRIGHT_MODULE names a file that is not there: {}",
                    path.display()
                )
            }
        };
        // Cargo takes a file that is not there for one that has changed.
        let watched = if path.is_file() {
            Some(&*path)
        } else {
            path.parent()
        };
        println!("cargo::rerun-if-changed={}", watched.unwrap_or(&path).display());
        let length = u32::try_from(bytes.len()).expect("a module is smaller than 4 GiB");
        all.extend(length.to_le_bytes());
        all.extend(bytes);
    }
    assert!(
        all.len() <= MOST,
        "the modules have {} bytes in all, at most {MOST} fit in",
        all.len()
    );
    let mut options = LzmaOptions::with_preset(LEVEL);
    // Who unpacks it needs as much memory as that.
    options.dict_size = u32::try_from(all.len()).expect("modules are smaller than 4 GiB");
    let size = u64::try_from(all.len()).ok();
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, size).expect("the options are valid");
    writer.write_all(&all).expect("memory takes all");
    writer.finish().expect("memory takes all")
}
