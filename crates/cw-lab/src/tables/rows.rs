//! One table: rows are gathered by column and written in groups.

use std::io::{self, Write};
use std::sync::Arc;

use cw_duel::Seat;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// A column: its name, and what it holds.
pub(crate) type ColumnSpec = (&'static str, ColumnKind);

/// Rows that are written at once; part of what makes the same rows the same bytes.
const GROUP: usize = 65_536;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// A number of 32 bits.
    I32,
    /// A number of 64 bits.
    I64,
    /// A text.
    Text,
    /// A text, or nothing.
    MaybeText,
}

#[derive(Debug)]
enum ColumnValues {
    I32(Vec<i32>),
    I64(Vec<i64>),
    Text(Vec<ByteArray>),
    MaybeText(Vec<ByteArray>, Vec<i16>),
}

#[derive(Debug)]
pub(crate) struct RowTable<W: Write + Send> {
    writer: RowWriter<W>,
    columns: Vec<ColumnValues>,
    rows: usize,
}

struct RowWriter<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> std::fmt::Debug for RowWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writer")
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Send> RowTable<W> {
    pub(crate) fn begin(columns: &[ColumnSpec], plan: &str, to: W) -> io::Result<RowTable<W>> {
        let fields = columns.iter().map(|(name, kind)| {
            let (physical, logical) = match kind {
                ColumnKind::I32 => (Physical::INT32, None),
                ColumnKind::I64 => (Physical::INT64, None),
                ColumnKind::Text | ColumnKind::MaybeText => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let repetition = match kind {
                ColumnKind::MaybeText => Repetition::OPTIONAL,
                ColumnKind::I32 | ColumnKind::I64 | ColumnKind::Text => Repetition::REQUIRED,
            };
            let field = Type::primitive_type_builder(name, physical);
            let field = field.with_logical_type(logical).with_repetition(repetition);
            field.build().map(Arc::new)
        });
        let fields: Result<Vec<_>, _> = fields.collect();
        let schema = Type::group_type_builder("duels").with_fields(fields.map_err(failed)?);
        let schema = schema.build().map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_created_by("cardwright".to_owned())
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP))
            .set_key_value_metadata(Some(vec![KeyValue::new(
                "cardwright.plan".to_owned(),
                plan.to_owned(),
            )]))
            .build();
        let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        let columns = columns.iter().map(|(_, kind)| match kind {
            ColumnKind::I32 => ColumnValues::I32(Vec::new()),
            ColumnKind::I64 => ColumnValues::I64(Vec::new()),
            ColumnKind::Text => ColumnValues::Text(Vec::new()),
            ColumnKind::MaybeText => ColumnValues::MaybeText(Vec::new(), Vec::new()),
        });
        Ok(RowTable {
            writer: RowWriter(writer),
            columns: columns.collect(),
            rows: 0,
        })
    }

    /// A row, to be filled in the order of the columns.
    pub(crate) fn row(&mut self) -> Row<'_> {
        Row {
            columns: self.columns.iter_mut(),
        }
    }

    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        self.rows += 1;
        if self.rows == GROUP { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.writer.0.next_row_group().map_err(failed)?;
        for values in &mut self.columns {
            let Some(mut column) = group.next_column().map_err(failed)? else {
                break;
            };
            let written = match values {
                ColumnValues::I32(values) => {
                    let written = column.typed::<Int32Type>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                ColumnValues::I64(values) => {
                    let written = column.typed::<Int64Type>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                ColumnValues::Text(values) => {
                    let written = column.typed::<ByteArrayType>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                ColumnValues::MaybeText(values, there) => {
                    let to = column.typed::<ByteArrayType>();
                    let written = to.write_batch(values, Some(there), None);
                    values.clear();
                    there.clear();
                    written
                }
            };
            written.map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group.close().map(drop).map_err(failed)
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write()?;
        self.writer.0.into_inner().map_err(failed)
    }
}

/// A row that is being filled. A value that does not fit its column is left out, and the file is
/// refused when the group is written: the tests of the tables write every column.
pub(crate) struct Row<'a> {
    columns: std::slice::IterMut<'a, ColumnValues>,
}

impl Row<'_> {
    pub(crate) fn i32(&mut self, value: i32) -> &mut Self {
        if let Some(ColumnValues::I32(values)) = self.columns.next() {
            values.push(value);
        }
        self
    }

    pub(crate) fn i64(&mut self, value: i64) -> &mut Self {
        if let Some(ColumnValues::I64(values)) = self.columns.next() {
            values.push(value);
        }
        self
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        if let Some(ColumnValues::Text(values)) = self.columns.next() {
            values.push(ByteArray::from(value));
        }
        self
    }

    pub(crate) fn maybe(&mut self, value: Option<&str>) -> &mut Self {
        if let Some(ColumnValues::MaybeText(values, there)) = self.columns.next() {
            there.push(i16::from(value.is_some()));
            values.extend(value.map(ByteArray::from));
        }
        self
    }
}

/// The players by seat, where the first one has the measured seat.
pub(crate) fn seated(players: &[String; 2], measured: Seat) -> [&str; 2] {
    let [one, two] = players;
    match measured {
        Seat::One => [one, two],
        Seat::Two => [two, one],
    }
}

pub(crate) fn small(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
