/** One client of the mix. */
export interface ClientPlan {
  readonly kind: ClientKind;
  /** Path of its kubeconfig. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Seconds between its operations. */
  readonly period: number;
}

/** Clients that one program runs, and for how many seconds. */
export interface ProgramPlan {
  readonly seconds: number;
  readonly clients: readonly ClientPlan[];
}

/** What the clients of one kind did. */
export interface KindResults {
  /** Milliseconds of each operation that succeeded. */
  readonly milliseconds: number[];
  failed: number;
  /** The last error. */
  error?: string;
}

/** Results of a program, by kind of its clients. */
export type ProgramResults = Readonly<Record<string, KindResults>>;

/** Programs of the mix. */
export type ClientProgram = 'go' | 'python' | 'node' | 'kubectl';

interface KindOfClient {
  readonly program: ClientProgram;
  readonly count: number;
  readonly period: number;
  /** What one operation is. */
  readonly what: string;
}

/**
 * The mix, 200 clients. Programs restart as they do when they are rolled out or crash; pollers ask without a version, and
 * some of them for everything in their namespace.
 */
export const clientKinds = {
  'client-go': { program: 'go', count: 40, period: 30, what: 'start and sync of informers of three resources' },
  'controller-runtime': { program: 'go', count: 20, period: 5, what: 'list by label at the API reader of a manager' },
  kubectl: { program: 'kubectl', count: 20, period: 10, what: 'command: table, JSON of all pods, JSON of one pod' },
  python: { program: 'python', count: 20, period: 2, what: 'list by label, or read of a pod' },
  poller: { program: 'node', count: 60, period: 0.5, what: 'list of pods over HTTPS, every tenth one of all' },
  'lib-client-reader': { program: 'node', count: 20, period: 1, what: 'list by label, or get of a pod' },
  'lib-client-informer': { program: 'node', count: 20, period: 30, what: 'start and sync of an informer' },
} as const satisfies Readonly<Record<string, KindOfClient>>;

/** Kind of a client of the mix. */
export type ClientKind = keyof typeof clientKinds;

/** Collects what clients did. */
export class ResultRecorder {
  readonly results: Record<string, KindResults> = {};

  /** Runs an operation of a client, and notes how long it took or that it failed. */
  async measure(kind: ClientKind, operation: () => Promise<unknown>): Promise<void> {
    const one = (this.results[kind] ??= { milliseconds: [], failed: 0 });
    const startedAt = performance.now();
    try {
      await operation();
      one.milliseconds.push(performance.now() - startedAt);
    } catch (error) {
      one.failed += 1;
      one.error = String(error);
    }
  }
}

/** Repeats an operation once a period for some seconds, from a random part of the first period on. */
export async function repeat(
  { seconds, period }: { readonly seconds: number; readonly period: number },
  operation: (turn: number) => Promise<unknown>,
): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  let next = performance.now() + Math.random() * period * 1_000;
  for (let turn = 0; next < until; turn++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    next = Math.max(performance.now(), next + period * 1_000);
    await operation(turn);
  }
}
