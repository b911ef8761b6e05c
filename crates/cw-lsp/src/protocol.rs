//! The part of the protocol that the server reads, and what it sends of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct TextPosition {
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0, in the units that were agreed.
    pub character: u32,
}

/// A stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct TextRange {
    /// Where it begins.
    pub start: TextPosition,
    /// The place behind its end.
    pub end: TextPosition,
}

/// A message that the server sends of its own accord.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerMessage {
    /// A notification.
    Notification {
        /// Its method.
        method: &'static str,
        /// What it says.
        params: Value,
    },
    /// A request; what the client answers does not matter.
    Request {
        /// Its method.
        method: &'static str,
        /// What it asks.
        params: Value,
    },
}

/// Why a request cannot be answered, in words for whoever uses the editor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The server knows no such request.
    #[error("the server does not know the request `{0}`")]
    UnknownMethod(String),
    /// The parameters are not those of the request.
    #[error("the parameters cannot be read: {0}")]
    BadParams(String),
    /// The text is not open, or belongs to no game.
    #[error("“{0}” is not open, or lies in no game's folder")]
    NoDocument(String),
    /// The folder of the game cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// It cannot be done, for this reason.
    #[error("{0}")]
    Refused(String),
}

impl RequestError {
    /// The number of the error in the protocol.
    pub fn code(&self) -> i32 {
        match self {
            RequestError::UnknownMethod(_) => -32601,
            RequestError::BadParams(_) => -32602,
            RequestError::NoDocument(_) | RequestError::Unreadable(_) | RequestError::Refused(_) => -32803,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DocumentId {
    pub(crate) uri: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OpenedText {
    pub(crate) uri: String,
    #[serde(default)]
    pub(crate) version: i64,
    pub(crate) text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    pub(crate) text_document: OpenedText,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct VersionedId {
    pub(crate) uri: String,
    pub(crate) version: Option<i64>,
}

/// A change of a text: of a part, or of the whole.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TextChange {
    pub(crate) range: Option<TextRange>,
    pub(crate) text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    pub(crate) text_document: VersionedId,
    pub(crate) content_changes: Vec<TextChange>,
}

/// Parameters of every request about a whole text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutDocument {
    pub(crate) text_document: DocumentId,
}

/// Parameters of every request about a place.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutPlace {
    pub(crate) text_document: DocumentId,
    pub(crate) position: TextPosition,
}

/// Parameters of a rename.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedName {
    pub(crate) text_document: DocumentId,
    pub(crate) position: TextPosition,
    pub(crate) new_name: String,
}

/// Parameters of every request about a stretch.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutRange {
    pub(crate) text_document: DocumentId,
    pub(crate) range: TextRange,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WatchedFiles {
    pub(crate) changes: Vec<DocumentId>,
}

/// Reads parameters.
pub(crate) fn params<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, RequestError> {
    serde_json::from_value(value).map_err(|why| RequestError::BadParams(why.to_string()))
}
