import { type Opened } from './connection';
import { type Described, type KeyPress } from './element';
import { type Send } from './page-transport';

/** Browser services of the page; everything else is computed from this and from responses of the service. */
export interface Browser {
  readonly send: Send;
  readonly openStream: (path: string, lastEventId: string | undefined, signal: AbortSignal) => Promise<Opened>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A key that was never made before. */
  readonly newKey: () => string;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Waits; ends early when the browser is on line again. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Throws where that fails; what was shown is then gone, and the next page is shown from nothing. */
  readonly show: (page: Described) => void;
  /** Logs an internal error of the page. */
  readonly report: (error: unknown) => void;
  /** Calls once before the browser paints next. */
  readonly beforePaint: (then: () => void) => void;
  /** The part of the address from the number sign on. */
  readonly hash: () => string;
  readonly go: (hash: string) => void;
  readonly replace: (hash: string) => void;
  readonly onHash: (then: () => void) => void;
  /** Keys that are pressed anywhere but where text is typed, or in a dialog. */
  readonly onKey: (then: (press: KeyPress) => void) => void;
  readonly focus: (id: string) => void;
  readonly scroll: (id: string, top: number) => void;
  readonly toTop: () => void;
  /** Reloads the page without its state. */
  readonly reload: () => void;
  readonly title: (text: string) => void;
}
