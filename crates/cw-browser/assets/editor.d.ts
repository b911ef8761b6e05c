// What `editor.js` gives: it is made from `../editor/editor.js`, and too large to be checked with each change.

interface EditorMark {
  from: number;
  to: number;
  severity: string;
  message: string;
}

/** An editor in a root of its own; `changed` is told the text whenever somebody changes it, `moved` where the cursor stands. */
export function editor(root: ShadowRoot, changed: (text: string) => void, moved: (at: number) => void): {
  /** Shows another text. */
  show(text: string, kind: string, label: string): void;
  text(): string;
  place(): number;
  /** Marks what was found: places in characters of this text. */
  mark(found: EditorMark[]): void;
  /** Changes parts of the text at once, as one step to be taken back. */
  change(changes: { from: number, to: number, insert: string }[]): void;
  /** Goes to a place. */
  go(from: number): void;
};
