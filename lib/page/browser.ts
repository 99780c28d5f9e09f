import { type KeyPress, type VNode } from './dom/vnode';
import { type OpenedStream } from './transport/event-stream';
import { type Send } from './transport/page-transport';

/** Browser services of the page; everything else is computed from this and from responses of the service. */
export interface Browser {
  readonly send: Send;
  readonly openStream: (path: string, lastEventId: string | undefined, signal: AbortSignal) => Promise<OpenedStream>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a new idempotency key. */
  readonly newKey: () => string;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Waits; ends early when the browser is back online. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Renders the page. Throws if that fails; the next render then starts from an empty document. */
  readonly show: (page: VNode) => void;
  /** Logs an internal error of the page. */
  readonly report: (error: unknown) => void;
  /** Calls back once before the next paint. */
  readonly beforePaint: (then: () => void) => void;
  /** Returns the fragment of the address, with its number sign. */
  readonly hash: () => string;
  readonly go: (hash: string) => void;
  readonly replace: (hash: string) => void;
  readonly onHash: (then: () => void) => void;
  /** Listens to key presses outside of text fields and dialogs. */
  readonly onKey: (then: (press: KeyPress) => void) => void;
  readonly focus: (id: string) => void;
  readonly scroll: (id: string, top: number) => void;
  readonly toTop: () => void;
  /** Reloads the page without its state. */
  readonly reload: () => void;
  readonly title: (text: string) => void;
}
