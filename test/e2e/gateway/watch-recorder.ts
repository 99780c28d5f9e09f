import { request } from 'node:https';

/** Event of a watch, as it came. */
export interface RecordedEvent {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name?: string;
      readonly namespace?: string;
      readonly resourceVersion?: string;
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly code?: number;
  };
}

/** Where and as whom to watch. */
export interface WatchTarget {
  readonly url: string;
  readonly authority: string;
  readonly token: string;
}

/** Watch that records its events until it ends. */
export class WatchRecorder {
  readonly events: RecordedEvent[] = [];
  status: number | undefined;
  /** Whether a cache sends the events. */
  isCached = false;
  hasEnded = false;
  #stop: () => void = () => undefined;

  /** Starts a watch; resolves when the answer begins. */
  static start(
    { url, authority, token }: WatchTarget,
    path: string,
    onEvent: (event: RecordedEvent) => void = () => undefined,
  ): Promise<WatchRecorder> {
    const recorder = new WatchRecorder();
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, {
        ca: authority,
        headers: { authorization: `Bearer ${token}` },
        agent: false,
      });
      recorder.#stop = () => sent.destroy();
      sent.once('error', (error) => (recorder.status === undefined ? reject(error) : (recorder.hasEnded = true)));
      sent.once('response', (response) => {
        recorder.status = response.statusCode ?? 0;
        recorder.isCached = response.headers['pinion-cache-age'] !== undefined;
        let pending = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = (pending + chunk).split('\n');
          pending = lines.pop() ?? '';
          for (const line of lines.filter((text) => text !== '')) {
            const event = JSON.parse(line) as RecordedEvent;
            recorder.events.push(event);
            onEvent(event);
          }
        });
        response.once('close', () => (recorder.hasEnded = true));
        resolve(recorder);
      });
      sent.end();
    });
  }

  /** Events of objects, without bookmarks. */
  get changes(): readonly RecordedEvent[] {
    return this.events.filter(({ type }) => type !== 'BOOKMARK');
  }

  stop(): void {
    this.#stop();
  }
}
