// What the server offers, registered with VS Code: each provider asks the server and converts its answer.
"use strict";

const vscode = require("vscode");
const to = require("./convert");

/** The texts that can belong to a game; the server leaves alone those that belong to none. */
const SELECTOR = [{ scheme: "file", pattern: "**/*.{rules,xml,o8d,toml}" }];
const RULES = [{ scheme: "file", pattern: "**/*.rules" }];
/** The server says that a text belongs to no game, or refuses what was asked. */
const REFUSED = -32803;

/**
 * Registers what the server said it can do.
 * @param {(method: string, params: any, token?: any) => Promise<any>} ask
 * @param {any} abilities
 * @param {vscode.Event<void>} lensesChanged
 * @returns {vscode.Disposable[]}
 */
function register(ask, abilities, lensesChanged) {
  const { languages } = vscode;
  const about = (document) => ({ textDocument: { uri: document.uri.toString() } });
  const at = (document, position) => ({ ...about(document), position: to.place(position) });
  /** Where there is nothing to say VS Code is told nothing; only what nobody expected is an error. */
  const asked = async (method, params, token, convert) => {
    try {
      const answer = await ask(method, params, token);
      return answer === null || token?.isCancellationRequested ? undefined : convert(answer);
    } catch (error) {
      if (error.code === REFUSED || token?.isCancellationRequested) return undefined;
      throw error;
    }
  };
  const each = (convert) => (answer) => answer.map(convert);
  const all = [];
  const offer = (ability, begin) => {
    if (ability) all.push(begin(ability));
  };

  offer(abilities.hoverProvider, () => languages.registerHoverProvider(SELECTOR, {
    provideHover: (document, position, token) => asked("textDocument/hover", at(document, position), token, to.hover),
  }));
  offer(abilities.completionProvider, ({ triggerCharacters }) => languages.registerCompletionItemProvider(SELECTOR, {
    provideCompletionItems: (document, position, token) => asked("textDocument/completion", at(document, position), token,
      (answer) => new vscode.CompletionList(answer.items.map(to.completionItem), answer.isIncomplete)),
  }, ...triggerCharacters));
  offer(abilities.signatureHelpProvider, ({ triggerCharacters }) => languages.registerSignatureHelpProvider(RULES, {
    provideSignatureHelp: (document, position, token) => asked("textDocument/signatureHelp", at(document, position), token, to.signatureHelp),
  }, ...triggerCharacters));
  offer(abilities.definitionProvider, () => languages.registerDefinitionProvider(SELECTOR, {
    provideDefinition: (document, position, token) => asked("textDocument/definition", at(document, position), token, each(to.location)),
  }));
  offer(abilities.referencesProvider, () => languages.registerReferenceProvider(SELECTOR, {
    provideReferences: (document, position, context, token) =>
      asked("textDocument/references", { ...at(document, position), context }, token, each(to.location)),
  }));
  offer(abilities.renameProvider, () => languages.registerRenameProvider(SELECTOR, {
    // What the server refuses is shown where the name was typed.
    provideRenameEdits: async (document, position, newName, token) =>
      to.workspaceEdit(await ask("textDocument/rename", { ...at(document, position), newName }, token)),
    prepareRename: async (document, position, token) => {
      const answer = await ask("textDocument/prepareRename", at(document, position), token);
      if (answer === null) throw new Error("no card is named here");
      return { range: to.range(answer.range), placeholder: answer.placeholder };
    },
  }));
  offer(abilities.codeActionProvider, ({ codeActionKinds }) => languages.registerCodeActionsProvider(SELECTOR, {
    provideCodeActions: (document, range, context, token) => {
      const wanted = { diagnostics: [], only: context.only && [context.only.value] };
      const params = { ...about(document), range: to.stretch(range), context: wanted };
      return asked("textDocument/codeAction", params, token, each(to.codeAction));
    },
  }, { providedCodeActionKinds: codeActionKinds.map((kind) => to.codeAction({ title: "", kind }).kind) }));
  offer(abilities.documentFormattingProvider, () => languages.registerDocumentFormattingEditProvider(RULES, {
    provideDocumentFormattingEdits: (document, options, token) =>
      asked("textDocument/formatting", { ...about(document), options }, token, each(to.textEdit)),
  }));
  offer(abilities.documentRangeFormattingProvider, () => languages.registerDocumentRangeFormattingEditProvider(RULES, {
    provideDocumentRangeFormattingEdits: (document, range, options, token) =>
      asked("textDocument/rangeFormatting", { ...about(document), range: to.stretch(range), options }, token, each(to.textEdit)),
  }));
  offer(abilities.documentSymbolProvider, () => languages.registerDocumentSymbolProvider(SELECTOR, {
    provideDocumentSymbols: (document, token) => asked("textDocument/documentSymbol", about(document), token, each(to.symbol)),
  }));
  offer(abilities.foldingRangeProvider, () => languages.registerFoldingRangeProvider(SELECTOR, {
    provideFoldingRanges: (document, _context, token) => asked("textDocument/foldingRange", about(document), token, each(to.foldingRange)),
  }));
  offer(abilities.inlayHintProvider, () => languages.registerInlayHintsProvider(SELECTOR, {
    provideInlayHints: (document, range, token) =>
      asked("textDocument/inlayHint", { ...about(document), range: to.stretch(range) }, token, each(to.inlayHint)),
  }));
  offer(abilities.codeLensProvider, () => languages.registerCodeLensProvider(SELECTOR, {
    onDidChangeCodeLenses: lensesChanged,
    provideCodeLenses: (document, token) => asked("textDocument/codeLens", about(document), token, each(to.codeLens)),
  }));
  offer(abilities.semanticTokensProvider, ({ legend }) => {
    const names = new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers);
    const whole = languages.registerDocumentSemanticTokensProvider(RULES, {
      provideDocumentSemanticTokens: (document, token) => asked("textDocument/semanticTokens/full", about(document), token, to.tokens),
    }, names);
    const part = languages.registerDocumentRangeSemanticTokensProvider(RULES, {
      provideDocumentRangeSemanticTokens: (document, range, token) =>
        asked("textDocument/semanticTokens/range", { ...about(document), range: to.stretch(range) }, token, to.tokens),
    }, names);
    return vscode.Disposable.from(whole, part);
  });
  // The pages of findings are texts of the server.
  for (const scheme of abilities.workspace?.textDocumentContent?.schemes ?? []) {
    all.push(vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: async (uri, token) => (await ask("workspace/textDocumentContent", { uri: uri.toString() }, token)).text,
    }));
  }
  // A click on a lens; what came of it the server shows itself.
  for (const command of abilities.executeCommandProvider?.commands ?? []) {
    all.push(vscode.commands.registerCommand(command, async (...parameters) => {
      try {
        return await ask("workspace/executeCommand", { command, arguments: parameters });
      } catch (error) {
        vscode.window.showWarningMessage(`Cardwright: ${error.message}`);
        return undefined;
      }
    }));
  }
  return all;
}

/** Whether the server may know a text. */
const isOurs = (document) => vscode.languages.match(SELECTOR, document) > 0;

module.exports = { register, isOurs };
