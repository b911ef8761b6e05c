//! One table: rows are gathered by column and written in groups.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::Column;

/// Rows that are written at once; part of what makes the same rows the same bytes.
const GROUP: usize = 65_536;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
enum Values {
    I32(Vec<i32>),
    I64(Vec<i64>),
    Text(Vec<ByteArray>),
    MaybeText(Vec<ByteArray>, Vec<i16>),
}

#[derive(Debug)]
pub(crate) struct Table<W: Write + Send> {
    writer: Writer<W>,
    columns: Vec<Values>,
    rows: usize,
}

struct Writer<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writer")
    }
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Send> Table<W> {
    pub(crate) fn begin(columns: &[Column], plan: &str, to: W) -> io::Result<Table<W>> {
        let fields = columns.iter().map(|(name, kind)| {
            let (physical, logical) = match kind {
                Kind::I32 => (Physical::INT32, None),
                Kind::I64 => (Physical::INT64, None),
                Kind::Text | Kind::MaybeText => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let repetition = match kind {
                Kind::MaybeText => Repetition::OPTIONAL,
                Kind::I32 | Kind::I64 | Kind::Text => Repetition::REQUIRED,
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
            Kind::I32 => Values::I32(Vec::new()),
            Kind::I64 => Values::I64(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
            Kind::MaybeText => Values::MaybeText(Vec::new(), Vec::new()),
        });
        Ok(Table {
            writer: Writer(writer),
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
                Values::I32(values) => {
                    let written = column.typed::<Int32Type>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                Values::I64(values) => {
                    let written = column.typed::<Int64Type>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                Values::Text(values) => {
                    let written = column.typed::<ByteArrayType>().write_batch(values, None, None);
                    values.clear();
                    written
                }
                Values::MaybeText(values, there) => {
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
    columns: std::slice::IterMut<'a, Values>,
}

impl Row<'_> {
    pub(crate) fn i32(&mut self, value: i32) -> &mut Self {
        if let Some(Values::I32(values)) = self.columns.next() {
            values.push(value);
        }
        self
    }

    pub(crate) fn i64(&mut self, value: i64) -> &mut Self {
        if let Some(Values::I64(values)) = self.columns.next() {
            values.push(value);
        }
        self
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        if let Some(Values::Text(values)) = self.columns.next() {
            values.push(ByteArray::from(value));
        }
        self
    }

    pub(crate) fn maybe(&mut self, value: Option<&str>) -> &mut Self {
        if let Some(Values::MaybeText(values, there)) = self.columns.next() {
            there.push(i16::from(value.is_some()));
            values.extend(value.map(ByteArray::from));
        }
        self
    }
}
