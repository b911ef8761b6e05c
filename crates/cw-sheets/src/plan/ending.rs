//! The end of planning: rows that only the package has, pictures, the next base, and the files.

use std::collections::{BTreeMap, BTreeSet};

use cw_octgn::{FormPlace, SetChange, rewrite_set, write_set};

use super::{ImportPlan, ImportPlanning, ImportPreference, NewCard, PlannedPicture, of_row, told};
use crate::base::{BaseRows, base_table};
use crate::cards::SheetCard;
use crate::{CellMerge, PackageRow, RowKey, SheetFinding, SheetPlace, merge_cell};

impl ImportPlanning<'_> {
    /// Rows that only the package has.
    pub(super) fn missing(&mut self, rows: &[PackageRow], in_sheet: &BTreeSet<&RowKey>) {
        let (mut own, mut gone) = (0, Vec::new());
        let mut removed: BTreeSet<(usize, usize)> = BTreeSet::new();
        for row in rows.iter().filter(|row| !in_sheet.contains(&row.key)) {
            let Some(base) = self.base.as_ref().and_then(|base| base.get(&row.key)) else {
                own += 1;
                continue;
            };
            let set = &self.request.package.sets[row.set];
            let told = told(&row.name, &row.key.form, &set.name);
            if !self.request.delete {
                gone.push(told);
                continue;
            }
            let changed = base.iter().any(|(field, base)| {
                field != "set" && merge_cell(of_row(row, field), base, None) != CellMerge::Same
            });
            if changed && self.request.prefer.is_none() {
                let message = format!("{told} is gone from the sheet, and the game has changed it");
                let place = SheetPlace::default();
                let found = SheetFinding::new(&self.request.book.file, place, message);
                self.found
                    .push(found.help("--prefer sheet deletes it, --prefer game keeps it"));
                continue;
            }
            if changed && self.request.prefer == Some(ImportPreference::Package) {
                self.kept += 1;
                continue;
            }
            let change = match row.place.form {
                None => {
                    removed.insert((row.set, row.place.card));
                    SetChange::RemoveCard(row.place.card)
                }
                // It goes with its card.
                Some(_) if removed.contains(&(row.set, row.place.card)) => continue,
                Some(form) => SetChange::RemoveForm(row.place.card, form),
            };
            self.changes.entry(row.set).or_default().push(change);
            self.plan.changes.push(format!("- {told}"));
        }
        // What stands in a card that goes would be an edit inside of an edit.
        for (set, card) in removed {
            let inside = |place: &FormPlace| place.card == card;
            if let Some(changes) = self.changes.get_mut(&set) {
                changes.retain(|change| match change {
                    SetChange::Name(place, _)
                    | SetChange::Size(place, _)
                    | SetChange::Property(place, ..) => !inside(place),
                    SetChange::AddForm(of, _) | SetChange::RemoveForm(of, _) => *of != card,
                    SetChange::AddCard(_) | SetChange::RemoveCard(_) => true,
                });
            }
        }
        if !gone.is_empty() {
            let shown: Vec<String> = gone.iter().take(5).map(|name| format!("  {name}")).collect();
            let more = if gone.len() > shown.len() {
                format!("\n  and {} more", gone.len() - shown.len())
            } else {
                String::new()
            };
            let count = cw_text::count(gone.len(), "row");
            self.plan.notes.push(format!(
                "{count} of the last import are not in the sheet; --delete deletes them:\n{}{more}",
                shown.join("\n")
            ));
        }
        if own > 0 && !rows.is_empty() {
            let count = cw_text::count(own, "form");
            self.plan.notes.push(format!(
                "{count} of the game's cards are not in the sheet, and stay"
            ));
        }
    }

    pub(super) fn pictures(&mut self, cards: &[SheetCard]) {
        for card in cards {
            let new = self.new_cards.iter().find(|new| *new.card.raw_id == *card.key.id);
            let (folder, id) = match (self.rows.get(&card.key), new) {
                (Some(row), _) => {
                    let set = &self.request.package.sets[row.set];
                    (
                        set.folder.to_string(),
                        set.cards[row.place.card].raw_id.to_string(),
                    )
                }
                (None, Some(new)) => {
                    let folder = match new.set {
                        Ok(set) => self.request.package.sets[set].folder.to_string(),
                        Err(new) => self.new_sets[new].folder.to_string(),
                    };
                    (folder, card.key.id.clone())
                }
                (None, None) => continue,
            };
            let file = match card.key.form.as_str() {
                "" => id,
                form => format!("{id}.{form}"),
            };
            let table = &self.request.book.tables[card.table];
            let place = match &card.picture {
                Some((_, column)) => table.place(card.row, *column),
                None => table.row_place(card.row),
            };
            self.plan.pictures.push(PlannedPicture {
                named: card
                    .picture
                    .as_ref()
                    .map(|(text, _)| text.clone())
                    .unwrap_or_default(),
                name: card.name.clone(),
                target: format!("Sets/{folder}/Cards/{file}"),
                place,
            });
        }
    }

    pub(super) fn keep_base(&mut self, cards: &[SheetCard]) {
        // A column that the sheet lacks for once is compared again when it is back.
        let definition = &self.request.package.definition;
        let is_known = |field: &str| match field.strip_prefix("property:") {
            Some(name) => definition.property(name).is_some(),
            None => field == "name" || field == "size",
        };
        let earlier = self.base.iter().flatten().flat_map(|(_, values)| values.keys());
        let of_sheet = cards
            .iter()
            .flat_map(|card| &card.fields)
            .map(|(field, ..)| field);
        let mut fields: Vec<String> = Vec::new();
        for field in of_sheet.chain(earlier) {
            if !fields.contains(field) && is_known(field) {
                fields.push(field.clone());
            }
        }
        let mut rows = BaseRows::new();
        // What is gone from the sheet and stays in the game is told again the next time.
        for (key, values) in self.base.iter().flatten().filter(|_| !self.request.delete) {
            if self.rows.contains_key(key) {
                rows.insert(key.clone(), values.clone());
            }
        }
        for card in cards {
            let before = self.base.as_ref().and_then(|base| base.get(&card.key));
            let mut values: BTreeMap<String, String> = before.cloned().unwrap_or_default();
            values.insert("set".to_owned(), card.set.clone());
            for (field, text, _) in &card.fields {
                values.insert(field.clone(), text.clone());
            }
            rows.insert(card.key.clone(), values);
        }
        // Of what no sheet has said, the game has not changed anything yet.
        for (key, values) in &mut rows {
            let Some(row) = self.rows.get(key) else { continue };
            for field in &fields {
                let now = || of_row(row, field).to_owned();
                values.entry(field.clone()).or_insert_with(now);
            }
        }
        self.plan.base = base_table(&fields, &rows);
    }

    pub(super) fn finish(mut self) -> Result<ImportPlan, Vec<SheetFinding>> {
        for NewCard { set, card } in self.new_cards {
            match set {
                Ok(set) => self
                    .changes
                    .entry(set)
                    .or_default()
                    .push(SetChange::AddCard(card)),
                Err(new) => self.new_sets[new].cards.push(card),
            }
        }
        let package = self.request.package;
        for (set, changes) in &self.changes {
            let name = format!("Sets/{}/set.xml", package.sets[*set].folder);
            let wrong = |why: String| {
                let found = SheetFinding::new(&self.request.book.file, SheetPlace::default(), why);
                vec![found.help("`cardwright check` says what is wrong with it")]
            };
            let most = cw_octgn::PackageLimits::default().file;
            let old = self
                .request
                .files
                .read(&name, most)
                .map_err(|why| wrong(why.to_string()))?;
            let new = rewrite_set(&old, changes)
                .ok_or_else(|| wrong(format!("`{name}` cannot be changed as it is")))?;
            self.plan.files.push((name, new));
        }
        for set in &self.new_sets {
            let name = format!("Sets/{}/set.xml", set.folder);
            self.plan.files.push((name, write_set(set).into_bytes()));
        }
        if self.kept > 0 {
            let count = cw_text::count(self.kept, "cell");
            self.plan.notes.push(format!(
                "{count} changed in the game alone, and stay as they are there"
            ));
        }
        if self.looks > 0 {
            let count = cw_text::count(self.looks, "cell");
            let note = format!(
                "{count} differ only in how the spreadsheet shows a number, and stay as they are in the game"
            );
            self.plan.notes.push(note);
        }
        Ok(self.plan)
    }
}
