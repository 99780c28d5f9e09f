import { type KeyPress, type VNode } from './dom/vnode';
import { type OpenedStream } from './transport/event-stream';
import { type Send } from './transport/page-transport';

/** Browser functions that the page uses; everything else is computed from them and from responses of the service. */
export interface Browser {
  readonly send: Send;
  readonly openStream: (path: string, lastEventId: string | undefined, signal: AbortSignal) => Promise<OpenedStream>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Returns a new idempotency key. */
  readonly newIdempotencyKey: () => string;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Waits; ends early when the browser is back online. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Renders the page. Throws if that fails; the next render then starts from an empty document. */
  readonly show: (page: VNode) => void;
  /** Logs an internal error of the page. */
  readonly report: (error: unknown) => void;
  /** Calls a function once before the next paint. */
  readonly beforePaint: (callback: () => void) => void;
  /** Returns the fragment of the URL, with its leading `#`. */
  readonly hash: () => string;
  readonly go: (hash: string) => void;
  readonly replace: (hash: string) => void;
  readonly onHash: (callback: () => void) => void;
  /** Listens to key presses outside of text fields and dialogs. */
  readonly onKey: (callback: (press: KeyPress) => void) => void;
  readonly focus: (id: string) => void;
  readonly scroll: (id: string, top: number) => void;
  readonly scrollToTop: () => void;
  /** Reloads the page without its state. */
  readonly reload: () => void;
  readonly setTitle: (text: string) => void;
}
