import { type ServerResponse } from 'node:http';
import { type Caller } from '../../contract';

/** What a request is about, as its audit line says it; only of what was found to be well-formed. */
export type About = Readonly<
  Partial<Record<'project' | 'workflow' | 'artifact' | 'stage' | 'version' | 'deployment' | 'breakGlass', string>>
>;

/** Status of a request whose sender left before there was one, as proxies count it. */
const senderLeft = 499;

/** One request from its first to its last moment: it ends when its connection is done with it and its work is over. */
export class Visit {
  /** Name of the operation, or path of the route. */
  operation = 'unknown';
  changes = false;
  caller: Caller | undefined;
  by: 'bearer' | 'session' | undefined;
  about: About = {};
  /** What it was answered. */
  status: number | undefined;

  #pending = 1;
  #leaveCount: (() => void) | undefined;
  #isStream = false;
  readonly #atEnd: ((status: number) => void)[] = [];

  constructor(
    readonly id: string,
    readonly address: string,
    readonly beganAt: number,
    response: ServerResponse,
  ) {
    response.once('close', () => this.#done());
  }

  /** Has it last until some work is over, however that ends. */
  hold<T>(work: Promise<T>): Promise<T> {
    this.#pending += 1;
    const done = (): void => this.#done();
    work.then(done, done);
    return work;
  }

  /** Whether it was answered by a stream. */
  get isStream(): boolean {
    return this.#isStream;
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.#pending === 0;
  }

  /** Has it counted among the requests under way until it ends or becomes a stream. */
  countedUntil(leave: () => void): void {
    this.#leaveCount = leave;
    this.atEnd(leave);
  }

  /** From now on it is a stream, and no request under way. */
  becomeStream(): void {
    this.#isStream = true;
    this.#leaveCount?.();
  }

  /** Calls back once, when it ends. */
  atEnd(callback: (status: number) => void): void {
    this.#atEnd.push(callback);
  }

  #done(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    for (const callback of this.#atEnd) callback(this.status ?? senderLeft);
  }
}
