//! Writing workbooks: texts as texts, so that no spreadsheet makes a date or a number of them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::xml::escaped;
use crate::{SheetTable, excel_letters};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

/// Writes an `.xlsx` file with a sheet for each table: the same bytes for the same tables. Cells of
/// `numbers`, by their heading, are numbers where they look like one.
///
/// # Errors
/// Never in memory; the archive's writer says it.
pub fn write_xlsx(tables: &[SheetTable], numbers: &[&str]) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| -> Result<(), zip::result::ZipError> {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(text.as_bytes())?;
        Ok(())
    };
    let sheet_type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut types = format!(
        "{HEAD}<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" ContentType=\"{sheet_type}.sheet.main+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" ContentType=\"{sheet_type}.styles+xml\"/>"
    );
    let mut book = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>");
    let mut relations = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    let mut names: Vec<String> = Vec::new();
    for (number, table) in (1..).zip(tables) {
        let name = sheet_name(&table.name, &names);
        let _ = write!(
            types,
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" \
             ContentType=\"{sheet_type}.worksheet+xml\"/>"
        );
        let _ = write!(
            book,
            "<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>",
            escaped(&name)
        );
        let _ = write!(
            relations,
            "<Relationship Id=\"rId{number}\" \
             Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
        names.push(name.to_lowercase());
    }
    let styles = tables.len() + 1;
    let _ = write!(
        relations,
        "<Relationship Id=\"rId{styles}\" Type=\"{RELATIONS}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    add("[Content_Types].xml", &(types + "</Types>"))?;
    let root = format!(
        "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" \
         Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    add("_rels/.rels", &root)?;
    add("xl/workbook.xml", &(book + "</sheets></workbook>"))?;
    add("xl/_rels/workbook.xml.rels", &relations)?;
    // Format 1 is text, so that what people write into a cell stays as they write it.
    let style = format!(
        "{HEAD}<styleSheet xmlns=\"{MAIN}\"><fonts count=\"2\"><font/><font><b/></font></fonts>\
         <fills count=\"1\"><fill/></fills><borders count=\"1\"><border/></borders>\
         <cellStyleXfs count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"3\"><xf/>\
         <xf numFmtId=\"49\" applyNumberFormat=\"1\"/><xf fontId=\"1\" applyFont=\"1\"/></cellXfs>\
         </styleSheet>"
    );
    add("xl/styles.xml", &style)?;
    for (number, table) in (1..).zip(tables) {
        add(
            &format!("xl/worksheets/sheet{number}.xml"),
            &sheet(table, numbers),
        )?;
    }
    Ok(zip.finish()?.into_inner())
}

fn sheet(table: &SheetTable, numbers: &[&str]) -> String {
    let mut out = format!(
        "{HEAD}<worksheet xmlns=\"{MAIN}\"><sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>\
         </sheetView></sheetViews><sheetData>"
    );
    let rows = table.rows.iter().map(|row| &row.cells);
    for (number, cells) in (1..).zip(std::iter::once(&table.headings).chain(rows)) {
        let _ = write!(out, "<row r=\"{number}\">");
        for (column, text) in cells.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let place = format!("{}{number}", excel_letters(column));
            let heading = table.headings.get(column).map_or("", String::as_str);
            let value = text
                .parse::<i32>()
                .ok()
                .filter(|value| value.to_string() == *text);
            match value.filter(|_| number > 1 && numbers.contains(&heading)) {
                Some(value) => {
                    let _ = write!(out, "<c r=\"{place}\"><v>{value}</v></c>");
                }
                None => {
                    let style = if number == 1 { 2 } else { 1 };
                    let text = escaped(text);
                    let _ = write!(
                        out,
                        "<c r=\"{place}\" s=\"{style}\" t=\"inlineStr\">\
                         <is><t xml:space=\"preserve\">{text}</t></is></c>"
                    );
                }
            }
        }
        out.push_str("</row>");
    }
    out + "</sheetData></worksheet>"
}

/// A name that Excel takes for a sheet: 31 letters, some not among them, no two the same.
fn sheet_name(name: &str, taken: &[String]) -> String {
    let plain: String = name
        .chars()
        .map(|letter| {
            if "[]:*?/\\".contains(letter) || letter < ' ' {
                ' '
            } else {
                letter
            }
        })
        .collect();
    let plain = plain.trim().trim_matches('\'');
    let plain = if plain.is_empty() { "Cards" } else { plain };
    let cut = |most: usize| plain.chars().take(most).collect::<String>().trim().to_owned();
    let numbered = (2..).map(|number| format!("{} ({number})", cut(24)));
    let mut names = std::iter::once(cut(31)).chain(numbered);
    let free = names.find(|name| !taken.contains(&name.to_lowercase()));
    free.unwrap_or_default()
}
