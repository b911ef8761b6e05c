//! What is wrong with a file as XML is found at its exact place, and reading goes on behind it.

use crate::support::{files, found_by_reading, set};
use cw_octgn::{MemoryFiles, Package, PackageLimits};

/// Reads a whole `set.xml`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let shown: String = text.chars().take(300).collect();
    assert_eq!(found_by_reading(&files(text)), expected, "in {shown}");
}

/// Reads the content of a sound `<set>`; it begins on line 2.
#[track_caller]
fn check_inside(content: &str, expected: &[&str]) {
    check(&set(content), expected);
}

/// PK001: the sample of the wiki page, as printed there: `<property name` is never finished.
#[test]
fn the_dangling_tag_of_the_wiki_sample() {
    check_inside(
        r#"<packaging><pack name="Booster" id="0a000000-0000-4000-8000-000000000003">
      <pick qty="2" key="Rarity" value="Uncommon" />
         <property name
      <pick qty="5" key="Rarity" value="Common" />
      <pick qty="1" key="Rarity" value="Common" >
        <property key="Type" value="Resource" />
      </pick>
    </pack></packaging>"#,
        &[
            "4:10-24 PK001 tag is not finished: another tag begins inside it",
            "4:11-19 PK007 `property` does not belong in `pack`; OCTGN ignores it",
        ],
    );
}

/// PK002: the other sample of the wiki page: a list is opened twice and never closed.
#[test]
fn the_unclosed_list_of_the_wiki_sample() {
    check_inside(
        "<cards>\n<card id=\"0a000000-0000-4000-8000-000000000003\" name=\"jim\"></card>\n<cards>",
        &[
            "4:1-8 PK002 `<cards>` is opened again, not closed",
            "4:2-7 PK007 `cards` does not belong in `cards`; OCTGN ignores it",
        ],
    );
}

/// PK002: text copies of the wiki page lost their end tags.
#[test]
fn lost_end_tags_are_told_at_their_openings() {
    check(
        "<set name=\"S\" id=\"0a000000-0000-4000-8000-000000000002\" \
             gameId=\"0a000000-0000-4000-8000-000000000001\">\n\
         <packaging>\n\
         <pack id=\"0a000000-0000-4000-8000-000000000003\" name=\"p\">\n\
         <pick qty=\"1\" key=\"Rarity\" value=\"C\">\n\
         </packaging></set>",
        &[
            "3:1-6 PK002 `<pack>` is never closed",
            "4:1-6 PK002 `<pick>` is never closed",
        ],
    );
    check_inside(
        "<cards></card></cards>",
        &[
            "2:8-15 PK002 `</card>` does not close `<cards>`",
            "2:15-23 PK002 `</cards>` closes nothing: no such element is open",
        ],
    );
    check_inside(
        "</x>",
        &["2:1-5 PK002 `</x>` closes nothing: no such element is open"],
    );
}

/// Broken tags, attributes and references are reported at their places (PK001).
#[test]
fn broken_tags_and_attributes() {
    check_inside(
        "<cards a></cards>",
        &[
            "2:8-9 PK001 attribute `a` has no value",
            "2:10-18 PK002 `</cards>` closes nothing: no such element is open",
        ],
    );
    check_inside(
        "<cards a=b/>",
        &["2:8-10 PK001 value of attribute `a` is not in quotes"],
    );
    check_inside(
        "<cards a=\"<\"/>",
        &[
            "2:8-9 PK008 `cards` has no attribute `a`; OCTGN ignores it",
            "2:11-12 PK001 `<` in an attribute value",
        ],
    );
    check_inside("<!-- never closed", &["2:1-18 PK001 comment without `-->`"]);
    check_inside(
        "a & b",
        &[
            "2:1-6 PK007 text directly in `set`; OCTGN ignores it",
            "2:3-4 PK001 `&` does not begin a reference",
        ],
    );
    check_inside(
        "1 < 2",
        &[
            "2:1-2 PK007 text directly in `set`; OCTGN ignores it",
            "2:3-4 PK001 `<` does not begin a tag here",
        ],
    );
    check_inside(
        "<cards>&nbsp;</cards>",
        &[
            "2:8-14 PK001 unknown entity `&nbsp;`",
            "2:8-14 PK007 text directly in `cards`; OCTGN ignores it",
        ],
    );
    check("", &["1:1-1 PK001 no element in this file"]);
    check(
        &(set("") + "<set/>"),
        &["3:7-11 PK001 second outermost element `set`; a file has only one"],
    );
    check(
        &(set("") + " more"),
        &["3:8-12 PK001 text outside the outermost element"],
    );
}

/// PK001: an unclosed quote is reported at the quote, not at the end of the file.
#[test]
fn an_unclosed_quote_does_not_eat_the_file() {
    check_inside(
        "<cards>\n\
         <card id=\"0a000000-0000-4000-8000-000000000003\" name=\"a>\n\
         </card>\n\
         <card id=\"1\" name=\"b\"/></cards>",
        &[
            "3:54-55 PK001 quote is not closed",
            "4:1-8 PK002 `</card>` does not close `<cards>`",
            "5:2-6 PK009 `card` outside of `cards`; o8build refuses it",
            "5:11-12 PK020 `1` is not a GUID",
            "5:24-32 PK002 `</cards>` closes nothing: no such element is open",
        ],
    );
}

/// Document types are refused and never expanded (PK003, P9).
#[test]
fn document_types_are_refused_and_never_expanded() {
    let bomb = "<!DOCTYPE set [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>";
    check(
        &format!("{bomb}{}", set("")),
        &["1:1-10 PK003 document type declarations are refused"],
    );
    let external = "<!DOCTYPE set SYSTEM \"file:///etc/passwd\">";
    check(
        &format!("{external}{}", set("")),
        &["1:1-10 PK003 document type declarations are refused"],
    );
}

/// UTF-8 and UTF-16 are read; other encodings and characters that XML does not allow are
/// reported (PK004, P3).
#[test]
fn encodings() {
    let sound = set("");
    let with_mark = [b"\xef\xbb\xbf".as_slice(), sound.as_bytes()].concat();
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(sound.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let utf16_be: Vec<u8> = std::iter::once(0xfeff)
        .chain(sound.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    for bytes in [with_mark, utf16, utf16_be] {
        let files = files("").with("Sets/0a000000-0000-4000-8000-000000000002/set.xml", bytes);
        let package = Package::read(&files).unwrap();
        assert_eq!((package.diagnostics.len(), package.sets.len()), (0, 1));
    }
    let latin = [sound.as_bytes(), b"<!-- caf\xe9 -->"].concat();
    let latin = files("").with("Sets/0a000000-0000-4000-8000-000000000002/set.xml", latin);
    assert_eq!(found_by_reading(&latin), ["3:15-16 PK004 byte 0xE9 is not UTF-8"]);
    let declared = format!("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>{sound}");
    check(
        &declared,
        &["1:31-41 PK004 encoding `iso-8859-1` is not supported"],
    );
    check_inside(
        "\0",
        &[
            "2:1-2 PK004 character U+0000 is not allowed in XML",
            "2:1-2 PK007 text directly in `set`; OCTGN ignores it",
        ],
    );
    check_inside(
        "<!-- &#1; --><cards>&#1;</cards>",
        &[
            "2:21-25 PK004 `&#1;` is not a character that XML allows",
            "2:21-25 PK007 text directly in `cards`; OCTGN ignores it",
        ],
    );
}

/// Limits on depth, length and number stop the reading (PK005, P178).
#[test]
fn limits_stop_reading() {
    let deep = "<a>".repeat(1_000_000);
    check(
        &deep,
        &[
            "1:2-3 PK006 the outermost element is `a`, not `set`",
            "1:193-195 PK005 elements nested deeper than 64",
        ],
    );
    let long = format!("<set name=\"{}\"/>", "a".repeat((1 << 20) + 1));
    let found = found_by_reading(&files(&long));
    assert!(found.contains(&"1:6-10 PK005 attribute value longer than 1048576 bytes".to_owned()));
    let many: String = (0..300).map(|number| format!(" a{number}=\"\"")).collect();
    let found = found_by_reading(&files(&format!("<set{many}/>")));
    assert!(
        found
            .iter()
            .any(|line| line.ends_with("PK005 more than 200 attributes")),
        "{found:?}"
    );
    let limits = PackageLimits {
        file: 100,
        ..PackageLimits::default()
    };
    let files = MemoryFiles::new().with("definition.xml", " ".repeat(101));
    let package = Package::read_with(&files, &limits, cw_text::Sources::new(), &|_| {}).unwrap();
    assert_eq!(package.diagnostics[0].message, "file larger than 100 bytes");
}

/// An attribute stands only once in an element (PK011).
#[test]
fn an_attribute_stands_once() {
    check(
        "<set name=\"a\" name=\"b\" id=\"0a000000-0000-4000-8000-000000000002\" \
             gameId=\"0a000000-0000-4000-8000-000000000001\"/>",
        &["1:15-19 PK011 attribute `name` appears twice"],
    );
}

/// P174: a malformed file never becomes a set.
#[test]
fn no_set_comes_of_a_malformed_file() {
    let package = Package::read(&files(&set("<cards><card>"))).unwrap();
    assert_eq!(package.sets.len(), 0);
    let package = Package::read(&files(&set("<cards/>"))).unwrap();
    assert_eq!(package.sets.len(), 1);
}
