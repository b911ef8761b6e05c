// Cardwright's language server in VS Code. All that is known of games is in the server: this starts it, tells it of texts
// and files, and shows what it says.
"use strict";

const vscode = require("vscode");
const { Connection } = require("./connection");
const { diagnostic, stretch } = require("./convert");
const features = require("./features");

/** A server that ends more often within this time stays down. */
const MOST_STARTS = 4;
const WITHIN_MS = 180_000;

class Client {
  /** @param {vscode.LogOutputChannel} log */
  constructor(log) {
    this.log = log;
    /** @type {Connection | null} */
    this.connection = null;
    /** What lasts as long as the server runs. @type {vscode.Disposable[]} */
    this.live = [];
    /** @type {Map<string, vscode.Disposable[]>} */
    this.registered = new Map();
    /** @type {number[]} */
    this.starts = [];
    this.findings = vscode.languages.createDiagnosticCollection("cardwright");
    this.lensesChanged = new vscode.EventEmitter();
  }

  async start() {
    const program = vscode.workspace.getConfiguration("cardwright").get("path") || "cardwright";
    this.starts = [...this.starts.filter((time) => Date.now() - time < WITHIN_MS), Date.now()];
    const connection = new Connection(program, ["lsp"], {
      notified: (method, params) => this.notified(method, params),
      asked: (method, params) => this.asked(method, params),
      said: (words) => this.log.info(words.trimEnd()),
      ended: (why) => this.ended(connection, program, why),
    });
    this.connection = connection;
    const { capabilities } = await connection.request("initialize", {
      processId: process.pid,
      clientInfo: { name: vscode.env.appName, version: vscode.version },
      rootUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null,
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: {
          didChangeWatchedFiles: { dynamicRegistration: true },
          textDocumentContent: {},
          codeLens: { refreshSupport: true },
        },
        window: { showDocument: { support: true } },
      },
    });
    connection.notify("initialized", {});
    const ask = (method, params, token) => connection.request(method, params, token);
    this.live.push(...features.register(ask, capabilities, this.lensesChanged.event), ...this.follow(connection));
  }

  /** Tells the server of texts that are opened, changed, saved and closed. */
  follow(connection) {
    const open = (document) => {
      if (!features.isOurs(document)) return;
      const { uri, languageId, version } = document;
      const textDocument = { uri: uri.toString(), languageId, version, text: document.getText() };
      connection.notify("textDocument/didOpen", { textDocument });
    };
    const about = (document) => ({ textDocument: { uri: document.uri.toString(), version: document.version } });
    const told = (method, more) => (event) => {
      const document = event.document ?? event;
      if (features.isOurs(document)) connection.notify(method, { ...about(document), ...more?.(event) });
    };
    // Each change is one of the text that the one before it left.
    const changes = ({ contentChanges }) => ({
      contentChanges: contentChanges.map(({ range, text }) => ({ range: stretch(range), text })),
    });
    vscode.workspace.textDocuments.forEach(open);
    return [
      vscode.workspace.onDidOpenTextDocument(open),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0) told("textDocument/didChange", changes)(event);
      }),
      vscode.workspace.onDidSaveTextDocument(told("textDocument/didSave")),
      vscode.workspace.onDidCloseTextDocument(told("textDocument/didClose")),
    ];
  }

  notified(method, params) {
    if (method === "textDocument/publishDiagnostics") {
      this.findings.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
    } else if (method === "window/showMessage") {
      const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
      const show = [showErrorMessage, showWarningMessage][params.type - 1] ?? showInformationMessage;
      show(`Cardwright: ${params.message}`);
    } else if (method === "window/logMessage") {
      this.log.info(params.message);
    }
  }

  async asked(method, params) {
    switch (method) {
      case "client/registerCapability":
        for (const one of params.registrations) this.registered.set(one.id, this.watch(one));
        return null;
      case "client/unregisterCapability":
        // The protocol's own spelling.
        for (const { id } of params.unregisterations) this.forget(id);
        return null;
      case "workspace/codeLens/refresh":
        this.lensesChanged.fire();
        return null;
      case "window/showDocument": {
        const uri = vscode.Uri.parse(params.uri);
        if (params.external) return { success: await vscode.env.openExternal(uri) };
        await vscode.window.showTextDocument(uri);
        return { success: true };
      }
      default:
        throw Object.assign(new Error(`this editor does not know ${method}`), { code: -32601 });
    }
  }

  /** Watches files for the server. */
  watch({ method, registerOptions }) {
    if (method !== "workspace/didChangeWatchedFiles") return [];
    return registerOptions.watchers.map(({ globPattern }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(globPattern);
      const tell = (type) => (uri) =>
        this.connection?.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type }] });
      watcher.onDidCreate(tell(1));
      watcher.onDidChange(tell(2));
      watcher.onDidDelete(tell(3));
      return watcher;
    });
  }

  forget(id) {
    this.registered.get(id)?.forEach((one) => one.dispose());
    this.registered.delete(id);
  }

  /** Forgets what the server has said and asked for. */
  clear() {
    this.live.splice(0).forEach((one) => one.dispose());
    [...this.registered.keys()].forEach((id) => this.forget(id));
    this.findings.clear();
  }

  /** The server is gone without being asked to. */
  async ended(connection, program, why) {
    if (this.connection !== connection) return;
    this.connection = null;
    this.clear();
    if (why === null && this.starts.length < MOST_STARTS) {
      this.log.warn("the server has ended and is started again");
      await this.start().catch((error) => this.log.error(String(error)));
      return;
    }
    const words = why === null
      ? "The server of Cardwright keeps ending. What it said stands in the output."
      : `“${program}” cannot be started (${why.message}). Install Cardwright, or say in the settings where it is.`;
    const settings = why === null ? "Show Output" : "Open Settings";
    const chosen = await vscode.window.showErrorMessage(words, settings);
    if (chosen === "Show Output") this.log.show();
    if (chosen === "Open Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "cardwright.path");
  }

  async stop() {
    const { connection } = this;
    this.connection = null;
    this.clear();
    await connection?.stop();
  }

  async restart() {
    await this.stop();
    this.starts = [];
    await this.start();
  }
}

/** @type {Client | null} */
let client = null;

async function activate(context) {
  const log = vscode.window.createOutputChannel("Cardwright", { log: true });
  const own = new Client(log);
  client = own;
  const failed = (error) => log.error(String(error));
  context.subscriptions.push(
    log,
    own.findings,
    own.lensesChanged,
    vscode.commands.registerCommand("cardwright.restart", () => own.restart().catch(failed)),
    vscode.commands.registerCommand("cardwright.runAllScenarios", () => {
      const document = vscode.window.activeTextEditor?.document;
      if (document && features.isOurs(document)) {
        return vscode.commands.executeCommand("cardwright.runScenarios", { uri: document.uri.toString() });
      }
      return vscode.window.showInformationMessage("Cardwright: open a text of the game first.");
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("cardwright.path")) own.restart().catch(failed);
    }),
  );
  await own.start().catch(failed);
}

async function deactivate() {
  await client?.stop();
  client = null;
}

/** The process of the server, for who looks after it. */
const running = () => client?.connection?.child.pid;

module.exports = { activate, deactivate, running };
