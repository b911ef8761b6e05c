// The editor of the playground: what is needed of CodeMirror, and the colours of RuleScript.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The texts of a game: rules, and settings and scenarios in TOML. */
const MODES = {
  xml: StreamLanguage.define({
    name: "xml",
    token(stream, state) {
      if (state.inside) {
        if (stream.match(/^\/?>/)) { state.inside = false; return "heading"; }
        if (stream.match(/^"[^"]*"?/) || stream.match(/^'[^']*'?/)) return "string";
        if (stream.match(/^[\w:.-]+/)) return "propertyName";
        stream.next();
        return null;
      }
      if (stream.match(/^<!--.*?(?:-->|$)/)) return "comment";
      if (stream.match(/^<[\/?!]?[\w:.-]*/)) { state.inside = true; return "heading"; }
      stream.next();
      return null;
    },
    startState: () => ({ inside: false }),
    copyState: ({ inside }) => ({ inside }),
  }),
  rules: StreamLanguage.define({
    name: "rules",
    token(stream, state) {
      if (stream.sol() && stream.match(/^\[[^\]]*\]?/)) return "heading";
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
      if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
      if (stream.sol() && stream.match(/^\s*[A-Za-z_][\w-]*(?=\s*[=:])/)) return "propertyName";
      if (stream.match(/^[A-Za-z_][\w-]*(?=\s*\()/)) return "variableName.function";
      const word = stream.match(/^[A-Za-z_][\w-]*/);
      if (word) return state.words.has(word[0]) ? "keyword" : "variableName";
      if (stream.match(/^[-+*/%=<>!&|~^:;]+/)) return "operator";
      stream.next();
      return null;
    },
    startState: () => ({ words: new Set("if else for while and or not in is lambda target event var cost requirement action trigger choice return True False None me opp self".split(" ")) }),
    copyState: (state) => state,
    languageData: { commentTokens: { line: "#" } },
  }),
  toml: StreamLanguage.define({
    name: "toml",
    token(stream) {
      if (stream.sol() && stream.match(/^\s*\[\[?[^\]]*\]?\]?/)) return "heading";
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return "string";
      if (stream.match(/^[A-Za-z_][\w.-]*(?=\s*=)/)) return "propertyName";
      if (stream.match(/^(?:true|false)\b/)) return "keyword";
      if (stream.match(/^[-+]?\d[\d_.]*/)) return "number";
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "#" } },
  }),
};

const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--code-heading)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.propertyName, color: "var(--code-name)", fontWeight: "600" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.operator, color: "var(--code-operator)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--code-ground)", fontSize: "var(--code-size)" },
  ".cm-scroller": { fontFamily: "ui-monospace, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { color: "var(--code-comment)", backgroundColor: "transparent", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "#ffffff0d" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused": { outline: "2px solid var(--go)", outlineOffset: "-2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "#3f6f86" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "#ffffff2a" },
  ".cm-tooltip": { color: "#eef3f2", backgroundColor: "#1d3543", border: "1px solid #ffffff55", borderRadius: ".4rem", maxWidth: "min(32rem, 90vw)" },
  ".cm-diagnosticAction": { font: "inherit", padding: ".2rem .6rem", borderRadius: ".4rem", color: "#1b1204", backgroundColor: "var(--go)" },
}, { dark: true });

/**
 * An editor in a root of its own.
 * @param {ShadowRoot} root
 * @param {(text: string) => void} changed Is told the text whenever somebody changes it.
 * @param {(at: number) => void} moved Is told where the cursor stands.
 */
export function editor(root, changed, moved) {
  const listen = EditorView.updateListener.of((update) => {
    if (update.docChanged) changed(update.state.doc.toString());
    if (update.docChanged || update.selectionSet) moved(update.state.selection.main.head);
  });
  const begin = (text, kind, label) => EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), lintGutter(), EditorView.lineWrapping, listen, look,
      MODES[kind] ?? [], syntaxHighlighting(colours), EditorState.tabSize.of(4),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    ],
  });
  const view = new EditorView({ root, parent: root, state: begin("", "rules", "Text") });
  return {
    /** Shows another text. */
    show(text, kind, label) { view.setState(begin(text, kind, label)); },
    text: () => view.state.doc.toString(),
    place: () => view.state.selection.main.head,
    /** Marks what was found: places in characters of this text. */
    mark(found) {
      const end = view.state.doc.length;
      const at = (place) => Math.max(0, Math.min(place, end));
      view.dispatch(setDiagnostics(view.state, found.map((one) => ({ ...one, from: at(one.from), to: at(Math.max(one.to, one.from)) }))));
    },
    /** Changes parts of the text at once, as one step to be taken back. */
    change(changes) { view.dispatch({ changes, userEvent: "input.fix" }); view.focus(); },
    /** Goes to a place. */
    go(from) {
      const place = Math.max(0, Math.min(from, view.state.doc.length));
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
      view.focus();
    },
  };
}
