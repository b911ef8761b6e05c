// A stand-in for the module `vscode`: as much of its API as the extension uses, as strict about what it is given.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const { fileURLToPath, pathToFileURL } = require("node:url");

class Disposable {
  constructor(dispose) { this.dispose = dispose; }
  static from(...all) { return new Disposable(() => all.forEach((one) => one.dispose())); }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return new Disposable(() => this.listeners.delete(listener));
    };
  }
  fire(value) { [...this.listeners].forEach((listener) => listener(value)); }
  dispose() { this.listeners.clear(); }
}

class Position {
  constructor(line, character) {
    assert(Number.isInteger(line) && line >= 0 && Number.isInteger(character) && character >= 0, "a position is two counts");
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end) {
    assert(start instanceof Position && end instanceof Position, "a range is two positions");
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(text) { this.text = text; [this.scheme] = text.split(":", 1); }
  static parse(text) { assert.match(text, /^[a-z]+:/); return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}

/** A class whose fields are its parameters, each of which must be of its kind. */
function record(kinds) {
  return class {
    constructor(...values) {
      Object.entries(kinds).forEach(([name, kind], at) => {
        const value = values[at];
        const fits = value === undefined ? kind.optional : [kind].flat().some((one) =>
          typeof one === "string" ? typeof value === one : value instanceof (one.optional ?? one));
        assert(fits, `${name} is ${value}`);
        this[name] = value;
      });
    }
  };
}
const maybe = (kind) => ({ optional: kind });

const Location = record({ uri: Uri, range: Range });
const TextEdit = record({ range: Range, newText: "string" });
const MarkdownString = record({ value: "string" });
const Diagnostic = record({ range: Range, message: "string", severity: "number" });
const DiagnosticRelatedInformation = record({ location: Location, message: "string" });
const CompletionItem = record({ label: "string", kind: "number" });
const CompletionList = record({ items: Array, isIncomplete: "boolean" });
const SignatureInformation = record({ label: "string" });
const ParameterInformation = record({ label: "string" });
const DocumentSymbol = record({ name: "string", detail: "string", kind: "number", range: Range, selectionRange: Range });
const InlayHint = record({ position: Position, label: "string" });
const FoldingRange = record({ start: "number", end: "number" });
const CodeLens = record({ range: Range, command: Object });
const SemanticTokens = record({ data: Uint32Array });
const SemanticTokensLegend = record({ tokenTypes: Array, tokenModifiers: Array });
const Hover = record({ contents: MarkdownString, range: maybe(Range) });
class SignatureHelp {}

class CodeActionKind {
  constructor(value) { this.value = value; }
  append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); }
}
CodeActionKind.Empty = new CodeActionKind("");
const CodeAction = record({ title: "string", kind: CodeActionKind });

class WorkspaceEdit {
  constructor() { this.files = new Map(); }
  set(uri, edits) { assert(edits.every((edit) => edit instanceof TextEdit)); this.files.set(uri.toString(), edits); }
}

/** An open text. Its lines end with `\n`. */
class TextDocument {
  constructor(path, languageId) {
    Object.assign(this, { uri: Uri.file(path), languageId, version: 1, text: fs.readFileSync(path, "utf8") });
  }
  getText() { return this.text; }
  offset({ line, character }) {
    const lines = this.text.split("\n");
    return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  }
  /** The place of the first letter of these words, or behind them. */
  place(words, behind = false) {
    const at = this.text.indexOf(words) + (behind ? words.length : 0);
    assert(this.text.includes(words), words);
    const before = this.text.slice(0, at).split("\n");
    return new Position(before.length - 1, before.at(-1).length);
  }
}

const providers = {};
const commands = new Map();
const shown = [];
const opened = [];
const settings = { path: process.env.CARDWRIGHT };
const events = Object.fromEntries(["Open", "Change", "Save", "Close"].map((name) => [name, new EventEmitter()]));
const configured = new EventEmitter();
const collections = new Map();

const provide = (kind) => (selector, provider, ...more) => {
  assert(Array.isArray(selector), kind);
  providers[kind] = { selector, provider, more };
  return new Disposable(() => delete providers[kind]);
};

const pattern = (glob) => {
  const [, ends] = /^\*\*\/\*\.\{?([a-z0-9,]+)\}?$/.exec(glob);
  return new RegExp(`\\.(?:${ends.replaceAll(",", "|")})$`);
};

const vscode = {
  Disposable, EventEmitter, Position, Range, Uri, Location, TextEdit, MarkdownString, Diagnostic, DiagnosticRelatedInformation,
  CompletionItem, CompletionList, SignatureInformation, ParameterInformation, DocumentSymbol, InlayHint, FoldingRange, CodeLens,
  SemanticTokens, SemanticTokensLegend, Hover, SignatureHelp, CodeActionKind, CodeAction, WorkspaceEdit,
  FoldingRangeKind: { Comment: 1, Imports: 2, Region: 3 },
  version: "1.82.0",
  env: { appName: "A stand-in", openExternal: async (uri) => { opened.push(uri.toString()); return true; } },
  languages: {
    match: (selector, { uri }) => Number(selector.some((one) => one.scheme === uri.scheme && pattern(one.pattern).test(uri.toString()))),
    createDiagnosticCollection: () => ({
      set: (uri, all) => {
        assert(all.every((one) => one instanceof Diagnostic && one.severity >= 0 && one.severity < 4));
        collections.set(uri.toString(), all);
      },
      clear: () => collections.clear(),
      dispose: () => {},
    }),
    ...Object.fromEntries([
      "Hover", "CompletionItem", "SignatureHelp", "Definition", "Reference", "Rename", "CodeActions", "DocumentFormattingEdit",
      "DocumentRangeFormattingEdit", "DocumentSymbol", "FoldingRange", "InlayHints", "CodeLens", "DocumentSemanticTokens",
      "DocumentRangeSemanticTokens",
    ].map((kind) => [`register${kind}Provider`, provide(kind)])),
  },
  workspace: {
    textDocuments: [],
    workspaceFolders: [{ uri: Uri.file(process.cwd()) }],
    getConfiguration: () => ({ get: (key) => settings[key] }),
    onDidOpenTextDocument: events.Open.event,
    onDidChangeTextDocument: events.Change.event,
    onDidSaveTextDocument: events.Save.event,
    onDidCloseTextDocument: events.Close.event,
    onDidChangeConfiguration: configured.event,
    registerTextDocumentContentProvider: (scheme, provider) => {
      providers[scheme] = { provider };
      return new Disposable(() => delete providers[scheme]);
    },
    createFileSystemWatcher: (glob) => {
      const [created, changed, deleted] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
      const watcher = { glob, onDidCreate: created.event, onDidChange: changed.event, onDidDelete: deleted.event, changed };
      watcher.dispose = () => vscode.watchers.delete(watcher);
      vscode.watchers.add(watcher);
      return watcher;
    },
  },
  window: {
    activeTextEditor: undefined,
    createOutputChannel: () => Object.fromEntries(["info", "warn", "error", "show", "dispose"].map((name) => [name, () => {}])),
    ...Object.fromEntries(["Error", "Warning", "Information"].map((kind) =>
      [`show${kind}Message`, async (words) => { shown.push(`${kind}: ${words}`); }])),
    showTextDocument: async (uri) => { opened.push(uri.toString()); },
  },
  commands: {
    registerCommand: (name, run) => {
      assert(!commands.has(name), `${name} is registered twice`);
      commands.set(name, run);
      return new Disposable(() => commands.delete(name));
    },
    executeCommand: async (name, ...parameters) => {
      assert(commands.has(name), `nobody has registered ${name}`);
      return commands.get(name)(...parameters);
    },
  },
  // What only the session uses.
  watchers: new Set(),
  stand: { providers, commands, shown, opened, settings, collections, configured,
    open(path, languageId) {
      const document = new TextDocument(path, languageId);
      vscode.workspace.textDocuments.push(document);
      events.Open.fire(document);
      return document;
    },
    /** Types over a stretch of a text. */
    type(document, start, end, text) {
      const range = new Range(start, end);
      document.text = document.text.slice(0, document.offset(start)) + text + document.text.slice(document.offset(end));
      document.version += 1;
      events.Change.fire({ document, contentChanges: [{ range, text }] });
    },
    save(document) {
      fs.writeFileSync(document.uri.fsPath, document.text);
      events.Save.fire(document);
    },
    close(document) {
      vscode.workspace.textDocuments = vscode.workspace.textDocuments.filter((one) => one !== document);
      events.Close.fire(document);
    },
  },
};

module.exports = vscode;
