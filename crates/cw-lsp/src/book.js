// Colours rules in the book by the grammar that editors have. Made by `cargo run -p cw-lsp --example grammar`; do not edit.
(() => {
  /** @type {any} */
  const grammar = "{{GRAMMAR}}";

  // What the book's theme calls the kinds of words; of several that fit, the first.
  /** @type {[string, string][]} */
  const kinds = [
    ["comment", "comment"], ["string", "string"], ["constant.numeric", "number"], ["keyword", "keyword"],
    ["entity.name.class", "title"], ["entity.name.function", "symbol"], ["support.function", "built_in"],
    ["support.variable", "attr"], ["variable.other.property", "attr"], ["variable", "variable"], ["storage", "type"],
    ["constant", "literal"], ["support", "literal"],
  ];
  const patterns = grammar.patterns.map((/** @type {{ match: string, name?: string, captures: Record<string, { name: string }> }} */ { match, name, captures }) => {
    const anyCase = match.startsWith("(?i)");
    return { name, captures, regex: new RegExp(anyCase ? match.slice(4) : match, anyCase ? "dgi" : "dg") };
  });
  const escaped = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  function span(/** @type {string} */ text, /** @type {string} */ scope) {
    const kind = kinds.find(([prefix]) => scope.startsWith(prefix));
    return kind ? `<span class="hljs-${kind[1]}">${escaped(text)}</span>` : escaped(text);
  }

  function line(/** @type {string} */ text) {
    let out = "", at = 0;
    while (at < text.length) {
      let first;
      for (const pattern of patterns) {
        pattern.regex.lastIndex = at;
        const found = pattern.regex.exec(text);
        if (found?.[0] && (!first || found.index < first.found.index)) first = { pattern, found };
      }
      if (!first) break;
      const { pattern: { name, captures }, found } = first;
      out += escaped(text.slice(at, found.index));
      at = found.index + found[0].length;
      if (name) { out += span(found[0], name); continue; }
      let from = found.index;
      for (const [number, { name: scope }] of Object.entries(captures)) {
        const [start, end] = found.indices[number];
        out += escaped(text.slice(from, start)) + span(text.slice(start, end), scope);
        from = end;
      }
      out += escaped(text.slice(from, at));
    }
    return out + escaped(text.slice(at));
  }

  /** A text of rules as markup with colours. */
  const coloured = (/** @type {string} */ text) => text.split("\n").map(line).join("\n");
  Object.assign(globalThis, { colouredRules: coloured });
  const blocks = globalThis.document?.querySelectorAll("code.language-rules") ?? [];
  for (const block of blocks) block.innerHTML = coloured(block.textContent ?? "");
})();
