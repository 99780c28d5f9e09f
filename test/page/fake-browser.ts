import { type Change, type ClusterRolloutsView, type ProjectView, type WorkloadView } from '../../lib/contract';
import { type Browser } from '../../lib/page/browser';
import { type VNode } from '../../lib/page/dom/vnode';
import { type StreamEvent } from '../../lib/page/transport/event-stream';
import { sampleNow } from './sample-data';

/** A browser without a window, whose service returns the given lists; time advances only while a test waits. */
export class FakeBrowser implements Browser {
  /** All rendered views, the latest last. */
  readonly shown: VNode[] = [];
  readonly reported: unknown[] = [];
  reloads = 0;
  private readonly pendingCallbacks: (() => void)[] = [];
  private readonly periodicCallbacks: (() => void)[] = [];
  private readonly streamedEvents: StreamEvent[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly address: string,
    private readonly lists: {
      readonly projects?: ProjectView[];
      readonly rollouts?: ClusterRolloutsView[];
      readonly workloads?: WorkloadView[];
    },
  ) {}

  /** Text of the current view. */
  get text(): string {
    const last = this.shown.at(-1);
    return last ? textOf(last) : '';
  }

  /** Streams a change, and lets the page process it. */
  async stream(change: Change): Promise<void> {
    this.streamedEvents.push({ data: JSON.stringify(change) });
    this.wake();
    await this.settle();
  }

  /** Runs all callbacks that wait only for time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of this.pendingCallbacks.splice(0)) end();
    }
  }

  /** Whether the service responds to lists of rollouts. */
  servesRollouts = true;

  send: Browser['send'] = async (path) => {
    const isServed = this.servesRollouts || !path.startsWith('/v1/rollouts');
    const [, list] = Object.entries(this.lists).find(([name]) => path.startsWith(`/v1/${name}`)) ?? [];
    const json = async () => (isServed ? { items: list ?? [] } : { title: 'Unavailable' });
    return { status: isServed ? 200 : 503, ok: isServed, headers: { get: () => null }, json };
  };
  openStream: Browser['openStream'] = async () => ({ ok: true, events: this.events() });
  private async *events(): AsyncGenerator<StreamEvent> {
    for (;;) {
      yield* this.streamedEvents.splice(0);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  now = (): number => sampleNow;
  newIdempotencyKey = (): string => '0'.repeat(32);
  random = (): number => 0;
  /** The periodic timer fires on `refresh` only, shorter ones fire at once. */
  wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      if (milliseconds < 10_000) this.pendingCallbacks.push(resolve);
      else this.periodicCallbacks.push(resolve);
    });

  /** Lets the periodic timer fire once. */
  async refresh(): Promise<void> {
    for (const end of this.periodicCallbacks.splice(0)) end();
    await this.settle();
  }

  show = (page: VNode): void => void this.shown.push(page);
  report = (error: unknown): void => void this.reported.push(error);
  beforePaint = (callback: () => void): void => void this.pendingCallbacks.push(callback);
  hash = (): string => this.address;
  go = (): void => undefined;
  replace = (): void => undefined;
  onHash = (): void => undefined;
  onKey = (): void => undefined;
  focus = (): void => undefined;
  scroll = (): void => undefined;
  scrollToTop = (): void => undefined;
  reload = (): void => void (this.reloads += 1);
  setTitle = (): void => undefined;
}

/** Returns the text of an element as displayed. */
export const textOf = (node: VNode | string): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

/** Returns all elements with a tag in an element, including itself. */
export const allOf = (node: VNode, tag: string): VNode[] => [
  ...(node.tag === tag ? [node] : []),
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : allOf(child, tag))),
];
