/**
 * Reads as fast as it can over many connections until it is told to stop, whatever the answers are; gets its plan as a
 * message, says when it has as many responses as connections, and when told to stop answers with the number of responses by status,
 * and their bytes.
 */
import { HttpsReader } from '../gateway-clients/https-reader';

/** What a noisy client reads. */
export interface NoisyPlan {
  readonly kubeconfig: string;
  readonly connections: number;
  readonly paths: readonly string[];
}

/** What it got. */
export interface NoisyResults {
  readonly statuses: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly seconds: number;
}

let isStopped = false;

async function run({ kubeconfig, connections, paths }: NoisyPlan): Promise<NoisyResults> {
  const reader = new HttpsReader(kubeconfig, connections);
  const statuses: Record<string, number> = {};
  let [bytes, turn, responses] = [0, 0, 0];
  const read = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await reader.read(paths[turn++ % paths.length] ?? '/').catch(() => ({ status: 0, bytes: 0 }));
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      bytes += answer.bytes;
      responses += 1;
      if (responses === connections) process.send?.('started');
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, read));
  reader.close();
  return { statuses, bytes, seconds: (performance.now() - startedAt) / 1_000 };
}

process.once('message', (plan) => {
  process.once('message', () => (isStopped = true));
  void run(plan as NoisyPlan).then((results) => process.send?.(results, () => process.exit(0)));
});
