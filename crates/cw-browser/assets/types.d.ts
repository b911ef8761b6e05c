// What the compiler knows of the scripts of a static site: what they send each other. No browser reads this file.

/** A request, as a page makes it. */
interface SiteRequest {
  method?: string;
  path: string;
  headers?: string[][];
  body?: string;
}

/** How an answer begins. */
interface AnswerHead {
  status: number;
  kind: string;
  location?: string;
}

/** A piece of an answer: its head, a part of its body, or its end. */
interface AnswerFrame {
  id: number;
  kind: string;
  head?: AnswerHead;
  bytes?: Uint8Array<ArrayBuffer>;
}

/** A change of what is kept. */
type KeptChange = { do: "put", key: string, text: string } | { do: "remove", key: string } | { do: "clear", prefix: string };

/** What is kept under a key. */
type KeptPair = [key: string, text: string];

/** What a page asks of the worker, or no longer waits for. */
interface SiteRequests {
  ask?: NumberedRequest;
  drop?: number;
}
interface NumberedRequest extends SiteRequest {
  id: number;
}

/** What is asked of the workshop: one of these things. */
interface WorkshopRequest {
  id: number;
  /** A game is opened: of these files, of this archive, or the one that is shown. */
  open?: { files?: { path: string, bytes: Uint8Array }[], archive?: Uint8Array };
  /** A question, as its reader in the module knows it. */
  ask?: object;
  /** The game as bytes. */
  bytes?: string;
  /** The game is tried out, with this card if there is one. */
  out?: number | null;
}

/** What the page sends the worker: one of these things. */
interface WorkerMessage extends SiteRequests {
  begin?: boolean;
  /** What the page's address carries. */
  link: string;
  /** The file of the module that holds duels alone, if the site has one. */
  play: string;
  visit?: Uint8Array<ArrayBuffer>;
  save?: boolean;
  bring?: string;
  workshop?: WorkshopRequest;
  /** A game as a link: this one, or the visitor's own. */
  pack?: true | Uint8Array;
}

/** A game that can be played now. */
interface OpenedGame {
  name: string;
  /** The address of its front page. */
  entry: string;
  remarks: string[];
  /** It is the visitor's own. */
  visiting: boolean;
  /** What the page's address carried for this game. */
  link?: string;
  /** It is a game with rules. */
  rules?: boolean;
}

/** A game as the letters of a link, or why it is not one. */
interface PackedGame {
  why?: string;
  name: string;
  letters: string;
}

/** What the worker sends the page: one of these things. */
interface WorkerAnswer {
  frames?: AnswerFrame[];
  /** How much of the game is loaded, of one. */
  progress?: number;
  opened?: OpenedGame;
  /** Why nothing can be played. */
  why?: string;
  notice?: string;
  saved?: string;
  packed?: PackedGame;
  workshop?: WorkshopAnswer;
  /** The page is to be loaded again. */
  again?: boolean;
  /** The whole module is there: what else belongs to it may be kept, too. */
  more?: boolean;
  broken?: boolean;
}

/** Who takes the answer of the workshop, or of the module: words of JSON, which their reader knows. */
type WorkshopAnswer = any;

/** What the page in the frame finds around it as `parent.cardwright`. */
interface Cardwright {
  /** Where the site's files lie. */
  folder: URL;
  /** The file that stands for an address, or nothing. */
  file(path: string): string | undefined;
  /** Pictures that the worker drew, by address: one for all pages. */
  drawn: Map<string, Promise<string>>;
  /** Settles when the worker can be asked. */
  ready: Promise<unknown>;
  /** Keeps a page that was led to, for the frame that shows it next. */
  carry(path: string, text: string): void;
  carried(path: string): string | undefined;
  ask(request: SiteRequest, hear: (frame: AnswerFrame) => void): number;
  drop(id: number): void;
  /** The address of the page that shows what a server would show under this path. */
  page(path: string): string;
  /** As `fetch`, of the worker. It follows where it is led. */
  fetch(path: string, more?: SiteFetch): Promise<Response>;
  /** A page is shown. */
  shown(path: string, title: string): void;
  /** Opens what was dropped on a page in the frame. */
  takeDrop?(transfer: DataTransfer): Promise<void>;
}

interface SiteFetch {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | null;
  /** Changes a text before it is given away. */
  prepare?(text: string): string;
}

/** Beside the site's own files lie those of the tables, under the names they have on a server. */
declare module "*/assets/share.js" {
  export function share(place: ParentNode): void;
}

interface Window {
  cardwright: Cardwright;
}
declare var cardwright: Cardwright;

/** The functions of the WebAssembly module, and its memory. */
interface SiteModule {
  memory: WebAssembly.Memory;
  room(length: number): number;
  given(): number;
  given_length(): number;
  begin(): void;
  ask(): void;
  drop_request(id: number): void;
  turn(): number;
  unpack(): void;
  pack(): void;
  workshop(): void;
  workshop_ask(): void;
  workshop_bytes(kind: number): void;
  try_out(card: number): void;
}

/** What a service worker is to itself: the compiler's own words for it exclude those for pages. A worker of a page has no registration. */
interface SiteKeeper {
  addEventListener(kind: "install" | "activate", use: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(kind: "message", use: (event: MessageEvent & { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(kind: "fetch", use: (event: { request: Request, respondWith(answer: Promise<Response>): void }) => void): void;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  registration?: { scope: string, update(): Promise<unknown> };
}
