import { type Change, type ProjectView, type WorkloadView } from '../../lib/contract';
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
  private readonly waiting: (() => void)[] = [];
  private readonly heard: StreamEvent[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly address: string,
    private readonly lists: { readonly projects?: ProjectView[]; readonly workloads?: WorkloadView[] },
  ) {}

  /** Text of the current view. */
  get text(): string {
    const last = this.shown.at(-1);
    return last ? textOf(last) : '';
  }

  /** Streams a change, and lets the page process it. */
  async stream(change: Change): Promise<void> {
    this.heard.push({ data: JSON.stringify(change) });
    this.wake();
    await this.settle();
  }

  /** Runs everything that waits for time only. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const end of this.waiting.splice(0)) end();
    }
  }

  send: Browser['send'] = async (path) => {
    const list = path.startsWith('/v1/projects')
      ? this.lists.projects
      : path.startsWith('/v1/workloads')
        ? this.lists.workloads
        : [];
    return { status: 200, ok: true, headers: { get: () => null }, json: async () => ({ items: list ?? [] }) };
  };
  openStream: Browser['openStream'] = async () => ({ ok: true, events: this.events() });
  private async *events(): AsyncGenerator<StreamEvent> {
    for (;;) {
      yield* this.heard.splice(0);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  now = (): number => sampleNow;
  newKey = (): string => '0'.repeat(32);
  random = (): number => 0;
  /** The periodic timer never fires, shorter ones fire at once. */
  wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      if (milliseconds < 10_000) this.waiting.push(resolve);
    });
  show = (page: VNode): void => void this.shown.push(page);
  report = (error: unknown): void => void this.reported.push(error);
  beforePaint = (then: () => void): void => void this.waiting.push(then);
  hash = (): string => this.address;
  go = (): void => undefined;
  replace = (): void => undefined;
  onHash = (): void => undefined;
  onKey = (): void => undefined;
  focus = (): void => undefined;
  scroll = (): void => undefined;
  toTop = (): void => undefined;
  reload = (): void => void (this.reloads += 1);
  title = (): void => undefined;
}

/** Returns the text of an element as displayed. */
export const textOf = (described: VNode | string): string =>
  typeof described === 'string' ? described : described.children.map(textOf).join('');

/** Returns all elements with a tag in an element, including itself. */
export const allOf = (described: VNode, tag: string): VNode[] => [
  ...(described.tag === tag ? [described] : []),
  ...described.children.flatMap((child) => (typeof child === 'string' ? [] : allOf(child, tag))),
];
