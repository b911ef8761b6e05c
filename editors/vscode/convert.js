// What the protocol says as VS Code has it, and back. Both count columns in units of UTF-16.
"use strict";

const vscode = require("vscode");

const place = (position) => ({ line: position.line, character: position.character });
const stretch = (range) => ({ start: place(range.start), end: place(range.end) });
const position = (told) => new vscode.Position(told.line, told.character);
const range = (told) => new vscode.Range(position(told.start), position(told.end));
const location = (told) => new vscode.Location(vscode.Uri.parse(told.uri), range(told.range));
const textEdit = (told) => new vscode.TextEdit(range(told.range), told.newText);
const list = (told, convert) => (told ?? []).map(convert);

/** @param {{ kind: string, value: string } | string | undefined} told */
function markdown(told) {
  if (told === undefined || told === null || typeof told === "string") return told ?? undefined;
  return told.kind === "markdown" ? new vscode.MarkdownString(told.value) : told.value;
}

/** Changes of several files. */
function workspaceEdit(told) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(told?.changes ?? {})) edit.set(vscode.Uri.parse(uri), edits.map(textEdit));
  return edit;
}

function diagnostic(told) {
  // The protocol counts from 1: error, warning, information, hint.
  const one = new vscode.Diagnostic(range(told.range), told.message, told.severity - 1);
  one.source = told.source;
  const href = told.codeDescription?.href;
  one.code = told.code && href ? { value: told.code, target: vscode.Uri.parse(href) } : told.code;
  one.relatedInformation = list(
    told.relatedInformation,
    (related) => new vscode.DiagnosticRelatedInformation(location(related.location), related.message),
  );
  return one;
}

function codeAction(told) {
  const kind = told.kind.split(".").reduce((kind, part) => kind.append(part), vscode.CodeActionKind.Empty);
  const action = new vscode.CodeAction(told.title, kind);
  action.isPreferred = told.isPreferred;
  action.diagnostics = told.diagnostics?.map(diagnostic);
  action.edit = workspaceEdit(told.edit);
  return action;
}

function completionItem(told) {
  // The protocol counts kinds from 1.
  const item = new vscode.CompletionItem(told.label, told.kind - 1);
  item.detail = told.detail;
  item.documentation = markdown(told.documentation);
  item.filterText = told.filterText;
  item.range = range(told.textEdit.range);
  item.insertText = told.textEdit.newText;
  return item;
}

function signatureHelp(told) {
  const help = new vscode.SignatureHelp();
  help.signatures = told.signatures.map((one) => {
    const signature = new vscode.SignatureInformation(one.label, markdown(one.documentation));
    signature.parameters = list(
      one.parameters,
      (parameter) => new vscode.ParameterInformation(parameter.label, markdown(parameter.documentation)),
    );
    return signature;
  });
  help.activeSignature = told.activeSignature;
  help.activeParameter = told.activeParameter;
  return help;
}

function symbol(told) {
  return new vscode.DocumentSymbol(told.name, told.detail ?? "", told.kind - 1, range(told.range), range(told.selectionRange));
}

function inlayHint(told) {
  const hint = new vscode.InlayHint(position(told.position), told.label);
  hint.tooltip = told.tooltip;
  hint.paddingLeft = told.paddingLeft;
  return hint;
}

function foldingRange(told) {
  const kinds = { comment: vscode.FoldingRangeKind.Comment, region: undefined };
  return new vscode.FoldingRange(told.startLine, told.endLine, kinds[told.kind]);
}

const codeLens = (told) => new vscode.CodeLens(range(told.range), told.command);
const tokens = (told) => new vscode.SemanticTokens(Uint32Array.from(told.data));
const hover = (told) => new vscode.Hover(markdown(told.contents), told.range && range(told.range));

module.exports = {
  place, stretch, position, range, location, textEdit, list, workspaceEdit, diagnostic, codeAction, completionItem, signatureHelp,
  symbol, inlayHint, foldingRange, codeLens, tokens, hover,
};
