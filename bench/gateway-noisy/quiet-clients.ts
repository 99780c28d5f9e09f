/**
 * Well-behaved clients: gets and lists by label at a fixed rate, which does not slow down with the responses, and a watch
 * each. For every message with a number of seconds it measures for so long, and answers with the times in milliseconds.
 */
import { WatchRecorder } from '../../test/e2e/gateway/watch-recorder';
import { HttpsReader } from '../gateway-clients/https-reader';
import { readLogin } from '../gateway-clients/login';

/** Well-behaved clients: their kubeconfigs and namespaces. */
export interface QuietPlan {
  readonly clients: readonly { readonly kubeconfig: string; readonly namespace: string }[];
}

/** Milliseconds of their reads, and from each write to the event of it. */
export interface QuietResults {
  readonly gets: readonly number[];
  readonly lists: readonly number[];
  readonly events: readonly number[];
  readonly failed: number;
}

/** Reads of each client per second. */
const rate = 5;
/** Label of the pods with the time at which they were changed. */
export const writtenAtLabel = 'written-at';

interface QuietClient {
  readonly reader: HttpsReader;
  readonly watch: WatchRecorder;
  readonly namespace: string;
}

const clients: QuietClient[] = [];
let recorded: { gets: number[]; lists: number[]; events: number[]; failed: number } | undefined;

/** Starts the clients one after the other: the gateway authenticates only some new tokens of an address at a time. */
async function start({ clients: given }: QuietPlan): Promise<void> {
  for (const { kubeconfig, namespace } of given) {
    const path = `/api/v1/namespaces/${namespace}/pods?watch=true&resourceVersion=0&labelSelector=${writtenAtLabel}`;
    const watch = await WatchRecorder.start(readLogin(kubeconfig), path, ({ object }) =>
      onEvent(object.metadata.labels?.[writtenAtLabel]),
    );
    if (watch.status !== 200) throw new Error(`${path}: status ${watch.status}`);
    clients.push({ reader: new HttpsReader(kubeconfig, 2), watch, namespace });
  }
}

function onEvent(writtenAt: string | undefined): void {
  if (writtenAt !== undefined) recorded?.events.push(Date.now() - Number(writtenAt));
}

async function measure(seconds: number): Promise<QuietResults> {
  const current = { gets: [] as number[], lists: [] as number[], events: [] as number[], failed: 0 };
  recorded = current;
  const count = Math.round(clients.length * rate * seconds);
  const startedAt = performance.now();
  const reads: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const dueAt = startedAt + (index * seconds * 1_000) / count;
    if (dueAt > performance.now()) await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    reads.push(readOnce(index, current));
  }
  await Promise.all(reads);
  recorded = undefined;
  return current;
}

async function readOnce(
  index: number,
  into: { readonly gets: number[]; readonly lists: number[]; failed: number },
): Promise<void> {
  const { reader, namespace } = clients[index % clients.length] as QuietClient;
  const turn = Math.floor(index / clients.length);
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const isGet = turn % 2 === 0;
  const path = isGet
    ? `${pods}/pod-${turn % 50}?resourceVersion=0`
    : `${pods}?resourceVersion=0&labelSelector=app%3Dapp-${turn % 10}`;
  const startedAt = performance.now();
  try {
    await reader.get(path);
    into[isGet ? 'gets' : 'lists'].push(performance.now() - startedAt);
  } catch {
    into.failed += 1;
  }
}

process.on('message', (message) => {
  if (typeof message === 'number') void measure(message).then((results) => process.send?.(results));
  else void start(message as QuietPlan).then(() => process.send?.('started'));
});
