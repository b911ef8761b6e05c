//! Puts the page's WebAssembly modules into the program, where `CARDWRIGHT_MODULE` names the file of the whole one:
//! `play.wasm` is looked for beside it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=CARDWRIGHT_MODULE");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (mut module, mut play) = (Vec::new(), Vec::new());
    if let Some(path) = env::var_os("CARDWRIGHT_MODULE").map(PathBuf::from) {
        println!("cargo::rerun-if-changed={}", path.display());
        module = fs::read(&path).expect("CARDWRIGHT_MODULE names the module's file");
        let beside = path.with_file_name("play.wasm");
        println!("cargo::rerun-if-changed={}", beside.display());
        if beside.is_file() {
            play = fs::read(beside).expect("a file beside the module can be read");
        }
    }
    for (name, bytes) in [("module.wasm", module), ("play.wasm", play)] {
        fs::write(out.join(name), bytes).expect("the module can be written");
    }
}
