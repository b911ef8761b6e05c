//! What the server offers, as clients are told when they greet it.

use serde_json::{Value, json};

use crate::actions::FIX_ALL;
use crate::lenses;
use crate::pages;
use crate::places::PositionEncoding;
use crate::tokens;

/// What the server says of itself.
pub(crate) fn of_server(version: &str, encoding: PositionEncoding) -> Value {
    json!({
        "serverInfo": { "name": "cardwright", "version": version },
        "capabilities": {
            "positionEncoding": encoding.word(),
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "codeActionProvider": { "codeActionKinds": ["quickfix", FIX_ALL] },
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["@", "~", "+", ".", "[", "\"", "("] },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentSymbolProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": tokens::LEGEND, "tokenModifiers": [] },
                "full": true,
                "range": true,
            },
            "foldingRangeProvider": true,
            "inlayHintProvider": true,
            "codeLensProvider": {},
            "executeCommandProvider": { "commands": [lenses::RUN, lenses::PLAY, lenses::BALANCE] },
            "workspace": { "textDocumentContent": { "schemes": [pages::SCHEME] } },
        },
    })
}
