// What the compiler knows of the scripts of the free table: what they are sent, what they ask for, and what they hand each
// other. No browser reads this file. The server's side is `cw-hall/src/free`: `kit.rs`, `wire.rs`, `act.rs`, `signals.rs`.

// --- what the package has ---

/** A kind of pile, of each seat or shared. */
interface FreePileKind {
  name: string;
  ordered: boolean;
  /** Whether cards are offered to go there. */
  moveto: boolean;
  key: string | null;
  shuffle: string | null;
}

/** What the table does with an entry of the package's menus. */
type EntryMark = "mapped" | "runs" | "exact" | "likely" | "says" | "script";

/** An entry of the package's menus. */
interface PackageEntry {
  n: number;
  /** The kind of pile it is for; the table if there is none. */
  pile: string | null;
  /** It is for a card, not for the whole group. */
  card: boolean;
  /** Its submenus, then its own words. */
  menu: string[];
  /** It says itself whether it is shown, and under which name. */
  asks: boolean;
  /** It is a line between others. */
  line: boolean;
  key: string | null;
  /** The same as the page spells keys, once it has read it. */
  combo?: string | null;
  default: boolean;
  mark: EntryMark;
}

interface FreeMarker { name: string; drag: boolean; picture: boolean }

/** The package, as `kit.json` has it. */
interface FreeKit {
  name: string;
  table: [wide: number, high: number];
  card: [wide: number, high: number, corner: number];
  piles: FreePileKind[];
  sharedPiles: FreePileKind[];
  /** Its scripts hear of clicks, and of double clicks. */
  clicks: boolean;
  doubles: boolean;
  hand: number | null;
  deck: number | null;
  markers: FreeMarker[];
  phases: string[];
  boards: { name: string, box: [x: number, y: number, wide: number, high: number], picture: boolean }[];
  background: boolean;
  style: string;
  documents: { name: string, opens: boolean }[];
  sounds: string[];
  packs: [number: string, name: string][];
  actions: PackageEntry[];
  decks: string[];
  commands: string[];
  verbs: [line: string, what: string][];
}

// --- what a seat is sent ---

/** A model of the package (none: its words are of the table), the form that shows, and how many there are. */
type CardFace = [model: number | null, form: number, forms: number];

/** A card as the reader knows it. What is not sent is as it is with a plain card. */
interface FreeCard {
  /** Its handle: the reader's own number for it. */
  h: number;
  name?: string;
  face?: CardFace;
  size: [wide: number, high: number];
  at: [x: number, y: number];
  up?: boolean;
  remembered?: boolean;
  anchored?: boolean;
  locked?: boolean;
  token?: boolean;
  back?: number;
  quarter?: number;
  side?: number;
  owner?: number;
  /** The seat that controls it. */
  by?: number;
  target?: number;
  markers?: [kind: number, count: number][];
  edge?: string;
  tint?: string;
  host?: number;
  note?: string;
  seen?: number[];
  shown?: number[];
}
/** A card whose face has a picture. */
type FacedCard = FreeCard & { face: [model: number, form: number, forms: number] };

interface FreePile {
  id: number;
  kind: number;
  name: string;
  owner: number | null;
  controller: number | null;
  count: number;
  ordered: boolean;
  viewers: "nobody" | "everybody" | "byface" | number[];
  top: number[];
  /** Seats that look into it. */
  windows: number[];
  /** Those that the seat can tell apart, with their place if that is known. */
  cards: [handle: number, at: number | null][];
}

interface FreeSeat {
  name: string;
  summary: string;
  counters: [name: string, value: number][];
  here: boolean;
  came: boolean;
  present: boolean;
  conceded: boolean;
  ready: boolean;
  sealed: boolean;
  side: number;
}

interface FreeTurn { active: number | null; turn: number; phase: number; stops: number[]; end: boolean; ended: boolean }
interface FreeNote { id: number; by: number; x: number; y: number; text: string; private: boolean }

/** Something that others have to agree to. */
interface FreeQuestion {
  id: number;
  by: number;
  /** The step before which the table would be. */
  rewind: number | null;
  words: string;
  open: number[];
  mine: boolean;
}

/** A card in a question of a script. */
interface AskedCard { name: string; face?: [model: number, form: number] | null }
/** What a script asks. */
type ScriptQuestion =
  | { kind: "confirm", text: string }
  | { kind: "number", text: string, value: number }
  | { kind: "text", text: string, value: string }
  | { kind: "choice", text: string, choices: [text: string, colour: string | null][], buttons: string[] }
  | { kind: "marker", text: string }
  | { kind: "model", text: string, models: string[] }
  | { kind: "cards", text: string, label: string, below: string, cards: AskedCard[], bottom: AskedCard[] | null,
    least: number, most: number };
/** An entry whose script waits for somebody. */
interface ScriptRun { id: number; by: number; name: string; of: number; q: ScriptQuestion | null; said: string[] }

/** A line of the log. */
interface FreeLine {
  step: number;
  by: number | null;
  kind: string;
  text: string;
  cards: number[];
  /** Only this seat reads it. */
  own?: boolean;
}

/** What of the table is sent in one piece each. */
interface FreeSections {
  /** The seat; nobody's, for who watches. */
  me: number | null;
  two: boolean;
  seats: FreeSeat[];
  shared: [name: string, value: number][];
  turn: FreeTurn;
  table: number[];
  piles: FreePile[];
  arrows: [seat: number, from: number, to: number][];
  notes: FreeNote[];
  questions: FreeQuestion[];
  runs: ScriptRun[];
  born: string;
  scripts: string | null;
  board: number | null;
  turned: boolean;
  sealed: string | null;
  pool: [name: string, count: number][];
  undone: number[];
}
/** What changed; all of it, if it is fresh. */
interface FreeMessage extends Partial<FreeSections> {
  fresh?: boolean;
  gone?: number[];
  cards?: FreeCard[];
  log?: FreeLine[];
}
/** What the seat may see now. */
interface FreeState extends FreeSections { cards: Map<number, FreeCard>; log: FreeLine[] }

/** Where a card lies: on the table, or in the pile of this number. */
type FreePlace = "table" | number;

/** Where somebody points, and what they move. */
interface FreeSignal { at: Point | null; cards: number[]; shift?: Point | null }
/** The same of another seat. */
interface HeardSignal extends FreeSignal { by: number }

// --- what a seat asks for ---

/** What an entry of the package is chosen on. */
interface EntryTarget { cards?: string; pile?: string }
type FreeRequest =
  | { lines: string[] }
  | { chat: { line: string, selected?: string } }
  | { entry: { number: number, cards: string, pile: string, answers: Record<string, string>,
    sure: boolean, plain: boolean } }
  | { menu: EntryTarget }
  | { deck: number }
  | { "deck-text": { name: string, text: string, how?: OwnListKind } };
type OwnListKind = "build" | "sideboard";

/** A field of an entry's form: words only where they are the mapping's own. */
interface EntryField { name: string; words?: string; value?: string | null }
/** What an entry wants to know first, or why it is not done. */
type EntryAnswer =
  | { ask: EntryField[], form?: undefined, script?: undefined }
  | { form: EntryField[], lines: string[], ask?: undefined, script?: undefined }
  | { script: string, offers: string[], plain?: boolean, ask?: undefined, form?: undefined }
  | { ask?: undefined, form?: undefined, script?: undefined };
/** What the table says to what was asked for. */
type FreeAnswer = EntryAnswer & {
  /** Why not. */
  no?: string;
  help?: string;
  remarks?: string[];
  /** Names of entries by their number; false: it is not shown. */
  looks?: Record<number, string | false>;
};

/** A card of the package that was looked for. */
type FoundCard = [model: number, name: string, id: string | null, set: string | null];
/** What stands on a card. */
interface CardText { name: string; properties: [name: string, value: string][] }
interface InviteLink { seat: number | null; name: string; path: string; origin: string | null }
type OwnLists = Record<OwnListKind, string> & { free: string };

// --- the page ---

/** A property of an element as it can be set: numbers become text. */
type SetProperty<T> = T extends string ? T | number : T;
/** What an element is made with: its properties, its `data-` and its `aria-` attributes. */
type MadeProps<T> = { [Name in keyof T]?: SetProperty<T[Name]> } & {
  data?: Record<string, string | number>,
  aria?: Record<string, string | number | boolean>,
};
/** What stands in an element that is made. */
type MadeChild = Node | string | number | null | undefined | false;

/** What the stream of a table has. */
interface StreamEventMap {
  view: MessageEvent<string>;
  signal: MessageEvent<string>;
  beat: Event;
  open: Event;
  error: Event;
}

/** The parts of the page by their ids. `cover`, `opening` and `begin` are not always there. */
interface FreeParts {
  cover: HTMLDialogElement | null;
  begin: HTMLElement | null;
  opening: HTMLElement | null;
  others: HTMLElement;
  felt: HTMLElement;
  cloth: HTMLElement;
  world: HTMLElement;
  board: HTMLElement;
  arrows: SVGSVGElement;
  frame: HTMLElement;
  notice: HTMLElement;
  preview: HTMLImageElement;
  menu: HTMLButtonElement;
  undo: HTMLButtonElement;
  fit: HTMLButtonElement;
  closer: HTMLButtonElement;
  farther: HTMLButtonElement;
  "log-tab": HTMLButtonElement;
  questions: HTMLElement;
  asked: HTMLElement;
  shown: HTMLElement;
  turn: HTMLElement;
  mine: HTMLElement;
  hand: HTMLElement;
  links: HTMLButtonElement;
  look: HTMLButtonElement;
  help: HTMLButtonElement;
  unlog: HTMLButtonElement;
  packs: HTMLUListElement;
  log: HTMLOListElement;
  chat: HTMLFormElement;
  phrases: HTMLButtonElement;
  say: HTMLInputElement;
  windows: HTMLElement;
  drag: HTMLElement;
}

/** Something to choose in a menu: what it does, or what is below it. */
type MenuChoice = {
  words: string,
  key?: string | null,
  icon?: Node,
  mark?: string,
  hint?: string,
  /** Another name for it, when that is known; false: it goes. */
  later?: false | Promise<string | false | undefined>,
  title?: undefined,
} & ({ run: () => unknown, sub?: undefined } | { sub: MenuEntries | (() => MenuEntries), run?: undefined });
/** A heading of a menu. */
interface MenuTitle { title: string; words?: undefined; sub?: undefined; key?: undefined }
/** An entry, a line between entries, or nothing. */
type MenuEntry = MenuChoice | MenuTitle | "-" | 0 | "" | false | null | undefined;
type MenuEntries = MenuEntry[];

/** What can be chosen for a value, with its words. */
type FieldChoice = readonly [value: string | number, text: string];
/** A value that a person is asked for: chosen, or written. */
interface AskedField {
  name: string;
  words: string;
  type?: "text" | "number";
  value?: string | number | null;
  choices?: readonly FieldChoice[];
  min?: number;
  most?: number;
}

/** A window on a pile, and what is in it. */
interface PileWindow { made: HTMLElement; head: HTMLElement; find: HTMLInputElement; list: HTMLElement }
/** A place on the screen or the table. */
type Point = [x: number, y: number];
/** Where cards lay: what is known of it before something changes. */
type FormerPlaces = Map<number, FreePlace | undefined>;
/** Where piles and the hand are on the screen. */
type PlaceBoxes = Map<FreePlace | undefined, DOMRect>;
/** A card's element, the box with what it shows, what that was made of, and its picture. */
interface CardElement extends HTMLElement { inner: HTMLElement; dressed: string; shown: string }
/** Another seat's pointer. */
interface PointerElement extends HTMLElement { cards?: number[]; timer?: number }

// --- the pointer ---

/** What is pressed, and where. */
interface FreePress {
  id: number;
  x: number;
  y: number;
  time: number;
  touch: boolean;
  button: number;
  shift: boolean;
  ctrl: boolean;
  target: Element;
  handle: number | null;
  pile: number | null;
  marker: number | null;
  /** It is a card of a window, not one that lies somewhere. */
  thumb: boolean;
  note: HTMLElement | null;
  /** The timer that makes it a long press. */
  long: number;
}
/** A card that is dragged, and its transform before that. */
interface DraggedCard { one: CardElement; card: FreeCard; was: string }
/** What is dragged. */
type DraggedThing =
  | { kind: "pan", at: Point }
  | { kind: "arrow", card: number }
  | { kind: "marker", marker: number, card: number, ghost: HTMLElement }
  | { kind: "thumb", handles: number[], ghost: HTMLElement }
  | { kind: "pile", pile: number, ghost: HTMLElement }
  | { kind: "cards", handles: number[], isTable: boolean, moving: DraggedCard[], lead: FreeCard, snaps: FreeCard[],
    by: Point | null }
  | { kind: "note", note: FreeNote, element: HTMLElement, was: string, by: Point | null, kept: boolean }
  | { kind: "frame", before: Set<number>, cards: FreeCard[] };
/** Where cards can be dropped: a pile, the hand, a window. */
interface DragGoal { id: number; box: DOMRect; one: HTMLElement }
/** What is dragged, by which pointer, from where, and what was measured when it began. */
type FreeDrag = DraggedThing & {
  id: number, x: number, y: number, touch: boolean, time: number,
  felt: DOMRect, goals: DragGoal[], marked: HTMLElement | null,
};
/** Where something is dropped: on the screen, in the coordinates of side A, and with which keys. */
interface FreeDrop { x: number; goal?: DragGoal; inside: boolean; at: Point; shift: boolean; alt: boolean }
/** Two fingers: how far they are from each other, and their middle. */
interface FreePinch { far: number; x: number; y: number }

// Numbers that are put into an element become text.
interface ParentNode { append(...nodes: (Node | string | number)[]): void }

/** Beside the table's own modules the server puts what pages of duels shuffle with. */
declare module "*/shuffle.js" {
  export const blake3: typeof import("./shuffle.js").blake3;
}
