//! Puts the page's WebAssembly module into the program, where `CARDWRIGHT_MODULE` names its file.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=CARDWRIGHT_MODULE");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("module.wasm");
    let module = match env::var_os("CARDWRIGHT_MODULE") {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", PathBuf::from(&path).display());
            fs::read(&path).expect("CARDWRIGHT_MODULE names the module's file")
        }
        None => Vec::new(),
    };
    fs::write(out, module).expect("the module can be written");
}
