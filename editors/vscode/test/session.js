// A session of an author in VS Code: the extension with the real server, and a stand-in for VS Code itself. What each step
// shows is written to the file $CARDWRIGHT_SHOWN, a line a step. Runs with Node in the folder of a game.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const vscode = require("./vscode.js");

const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const extension = require(path.join(__dirname, "..", "extension.js"));

const { stand } = vscode;
const lines = fs.openSync(process.env.CARDWRIGHT_SHOWN, "w");
const show = (step, words) => fs.writeSync(lines, `${step}: ${String(words).replaceAll("\n", "⏎")}\n`);
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

/** Waits until something is so; a minute at most. */
async function until(what, is) {
  for (let tries = 0; tries < 3000; tries += 1) {
    const value = await is();
    if (value) return value;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  throw new Error(`nothing within a minute: ${what}`);
}

const ask = (kind, method, ...parameters) => stand.providers[kind].provider[method](...parameters, token);
const found = (document) => stand.collections.get(document.uri.toString()) ?? [];
const errors = (document) => found(document).filter((one) => one.severity === 0);

async function main() {
  const context = { subscriptions: [] };
  const rules = stand.open(path.resolve("Rules/core.rules"), "rulescript");
  stand.open(path.resolve("../other.js"), "javascript");
  await extension.activate(context);
  await until("findings", () => stand.collections.has(rules.uri.toString()));
  assert.deepStrictEqual(errors(rules), []);

  // A slip, its page, its fix.
  const slip = rules.place("bp(+200); [[if");
  stand.type(rules, slip, new vscode.Position(slip.line, slip.character + 2), "bo");
  const [slipped] = await until("a slip", () => errors(rules).length > 0 && errors(rules));
  show("slip", `${slip.line + 1}:${slip.character + 1} ${slipped.code.value}`);
  const page = await stand.providers.cardwright.provider.provideTextDocumentContent(slipped.code.target, token);
  show("page", page.split("\n", 1)[0]);
  const fixes = await ask("CodeActions", "provideCodeActions", rules, slipped.range, { only: undefined });
  const fix = fixes.find((one) => one.kind.value === "quickfix");
  show("fix", fix.title);
  for (const edit of fix.edit.files.get(rules.uri.toString())) stand.type(rules, edit.range.start, edit.range.end, edit.newText);
  await until("no slip", () => errors(rules).length === 0);
  show("fixed", rules.text.split("\n")[slip.line]);

  const behind = new vscode.Position(slip.line, slip.character + 2);
  const completed = await ask("CompletionItem", "provideCompletionItems", rules, behind);
  show("completion", `bp is ${completed.items.some((item) => item.label === "bp") ? "" : "not "}offered`);
  const hover = await ask("Hover", "provideHover", rules, slip);
  show("hover", hover.contents.value.split("\n", 1)[0]);
  const signature = await ask("SignatureHelp", "provideSignatureHelp", rules, new vscode.Position(slip.line, slip.character + 3));
  show("signature", signature.signatures[0].label);
  const id = rules.place("303cf61c");
  const definition = await ask("Definition", "provideDefinition", rules, id);
  show("definition", path.basename(definition[0].uri.fsPath));
  show("references", (await ask("Reference", "provideReferences", rules, id, { includeDeclaration: true })).length > 3 ? "many" : "few");
  show("symbols", (await ask("DocumentSymbol", "provideDocumentSymbols", rules)).length > 50 ? "many" : "few");
  const { placeholder } = await stand.providers.Rename.provider.prepareRename(rules, id, token);
  const renamed = await stand.providers.Rename.provider.provideRenameEdits(rules, id, "Leaven", token);
  show("rename", `${placeholder} in ${renamed.files.size > 2 ? "many" : "few"} texts`);
  await assert.rejects(stand.providers.Rename.provider.prepareRename(rules, slip, token), /no card/);
  show("folds", (await ask("FoldingRange", "provideFoldingRanges", rules)).length > 50 ? "many" : "few");
  const all = new vscode.Range(new vscode.Position(0, 0), new vscode.Position(12, 0));
  const hints = await ask("InlayHints", "provideInlayHints", rules, all);
  show("hints", hints.map((hint) => hint.label).slice(0, 2).join(", "));
  const tokens = await ask("DocumentSemanticTokens", "provideDocumentSemanticTokens", rules);
  show("tokens", tokens.data.length % 5 === 0 && tokens.data.length > 1000 ? "many" : "few");

  // Layout, as edits.
  stand.type(rules, rules.place("abilities = cantblock"), rules.place("abilities = cantblock", true), "abilities   =   cantblock");
  const [laid] = await ask("DocumentFormattingEdit", "provideDocumentFormattingEdits", rules, { tabSize: 2, insertSpaces: true });
  show("format", laid.newText.trim());
  stand.type(rules, laid.range.start, laid.range.end, laid.newText);

  // A click above the card: its scenarios, then a table.
  const lens = async (at) => {
    const lenses = await ask("CodeLens", "provideCodeLenses", rules);
    return lenses.filter((one) => one.range.start.line === id.line)[at].command;
  };
  const click = ({ command, arguments: parameters }) => vscode.commands.executeCommand(command, ...parameters);
  let renewed = 0;
  stand.providers.CodeLens.provider.onDidChangeCodeLenses(() => { renewed += 1; });
  show("lens", (await lens(0)).title);
  await click(await lens(0));
  show("scenarios", await until("an outcome", () => stand.shown.find((words) => words.includes("scenario"))));
  await until("new lenses", () => renewed > 0);
  show("outcome", (await lens(0)).title);
  await click(await lens(1));
  const address = await until("a table", () => stand.opened[0]);
  const answer = await fetch(address, { redirect: "manual" });
  show("table", `${new URL(address).hostname} ${answer.status < 400 ? "answers" : answer.status}`);
  await vscode.commands.executeCommand("cardwright.runAllScenarios");
  show("nothing open", stand.shown.at(-1));
  vscode.window.activeTextEditor = { document: rules };
  await vscode.commands.executeCommand("cardwright.runAllScenarios");
  show("all", await until("all", () => stand.shown.find((words) => /: \d{3,} scenarios passed/.test(words))));

  // A file that another program changed.
  const deck = path.resolve("Decks/One Attacker.o8d");
  fs.writeFileSync(deck, fs.readFileSync(deck, "utf8").replace(/id="[0-9a-f]{4}/g, 'id="0000'));
  const watcher = [...vscode.watchers].find((one) => one.glob.includes("o8d"));
  watcher.changed.fire(vscode.Uri.file(deck));
  const wrong = await until("the deck", () => [...stand.collections].find(([uri, all]) => uri.endsWith(".o8d") && all.length > 0));
  show("deck", wrong[1][0].code.value);

  // A server that is killed comes back with what is open; one that is told to end is gone.
  stand.collections.clear();
  process.kill(extension.running(), "SIGKILL");
  await until("a new server", () => stand.collections.size > 0);
  show("again", `${errors(rules).length} errors, ${vscode.watchers.size > 0 ? "watching" : "blind"}`);
  stand.settings.path = path.resolve("no-such-program");
  stand.configured.fire({ affectsConfiguration: () => true });
  const missing = await until("a missing program", () => stand.shown.find((words) => words.includes("cannot be started")));
  show("missing", missing.replace(process.cwd(), "…"));
  stand.settings.path = process.env.CARDWRIGHT;
  await vscode.commands.executeCommand("cardwright.restart");
  await until("findings again", () => stand.collections.has(rules.uri.toString()));
  const last = extension.running();
  await extension.deactivate();
  const isGone = () => { try { process.kill(last, 0); return false; } catch { return true; } };
  await until("the end", isGone);
  show("end", `${Object.keys(stand.providers).length} providers, ${stand.collections.size} findings`);
  context.subscriptions.forEach((one) => one.dispose());
  show("commands left", stand.commands.size);
}

main().then(() => process.exit(0), (error) => {
  show("failed", error.stack);
  process.exit(1);
});
