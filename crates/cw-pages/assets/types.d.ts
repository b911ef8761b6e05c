// What the compiler knows of all scripts of the pages beside what it knows of browsers. No browser reads this file, so
// what is said here weighs nothing.

/** One thing that happens: its kind, the card or side it happens to, by how much, and the card it comes from. */
interface Effect {
  kind: string;
  at: string;
  by: number;
  from?: string;
}

/** One act as the table sends it: regions that changed (id, parent, markup), those that are gone, and what the eye sees. */
interface Frame {
  number: number;
  /** Another frame follows at once. */
  more: boolean;
  by?: string;
  swap: [id: string, parent: string, markup: string][];
  gone: string[];
  effects: Effect[];
  /** One of so many blows of a fight. */
  fight?: number;
  /** Why the last turn is over, if nobody has ended it. */
  ended?: string;
  aloud: string;
  reload?: boolean;
}

// What scripts look for by a selector is HTML, not SVG.
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}
