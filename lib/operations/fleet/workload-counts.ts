import { apiVersion, entriesAt, textAt } from '../../api';
import { type KubeClient } from '../../kube';

/** Number of workloads by state. */
export interface WorkloadCounts {
  readonly total: number;
  /** Those that should be Ready and are not; a finished or suspended run should not. */
  readonly notReady: number;
  /** By RuntimeProfile of their pods; a workload without pods yet is in none. */
  readonly byProfile: Readonly<Record<string, number>>;
}

/** Rows of a page. */
const pageSize = 500;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** Reasons of a Ready condition that is false and needs no attention. */
const endedReasons: readonly unknown[] = ['Succeeded', 'Suspended'];

/** Counts the workloads of a kind by their printed columns: some hundred bytes for each, however large it is. */
export async function countWorkloads(client: KubeClient, plural: string): Promise<WorkloadCounts> {
  let [total, notReady] = [0, 0];
  const byProfile: Record<string, number> = {};
  for await (const page of tablePages(client, `/apis/${apiVersion}/${plural}`)) {
    const columns = entriesAt(page, 'columnDefinitions').map(({ name }) => name);
    const [ready = -1, reason = -1, profile = -1] = ['Ready', 'Reason', 'Profile'].map((name) => columns.indexOf(name));
    if (ready < 0) throw new Error(`${plural}: the API server prints no column Ready; apply the definitions of pinion`);
    for (const row of entriesAt(page, 'rows')) {
      const cells = row['cells'] as readonly unknown[];
      total += 1;
      if (cells[ready] !== 'True' && !endedReasons.includes(cells[reason])) notReady += 1;
      const name = cells[profile];
      if (typeof name === 'string' && name !== '') byProfile[name] = (byProfile[name] ?? 0) + 1;
    }
  }
  return { total, notReady, byProfile };
}

/** Returns the sums of counts. */
export function addWorkloadCounts(counts: readonly WorkloadCounts[]): WorkloadCounts {
  const byProfile: Record<string, number> = {};
  for (const one of counts)
    for (const [name, count] of Object.entries(one.byProfile)) byProfile[name] = (byProfile[name] ?? 0) + count;
  return {
    total: counts.reduce((sum, { total }) => sum + total, 0),
    notReady: counts.reduce((sum, { notReady }) => sum + notReady, 0),
    byProfile,
  };
}

async function* tablePages(client: KubeClient, path: string): AsyncGenerator<unknown> {
  let token: string | undefined;
  do {
    const more = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
    const query = `includeObject=None&limit=${pageSize}${more}`;
    const answer = await client.request('GET', `${path}?${query}`, undefined, { accept: table });
    const page: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
    yield page;
    token = textAt(page, 'metadata', 'continue');
  } while (token !== undefined);
}
