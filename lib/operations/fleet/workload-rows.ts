import { apiVersion, entriesAt, textAt } from '../../api';
import { type KubeClient } from '../../kube';

/** State of a workload, as its printed columns show it. */
export interface WorkloadRow {
  /** Namespace and name, as `namespace/name`; empty if only counted. */
  readonly key: string;
  /** Whether it should be Ready and is not; a finished or suspended run should not. */
  readonly isNotReady: boolean;
  /** RuntimeProfile of its pods; undefined before it has any. */
  readonly profile?: string;
}

/** Rows of a page. */
const pageSize = 500;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** Reasons of a Ready condition that is false and needs no attention. */
const endedReasons: readonly unknown[] = ['Succeeded', 'Suspended'];

/**
 * Reads the state of all workloads of a kind by their printed columns, some hundred bytes each, however large it is.
 * With names, the API server adds the metadata, which is some kilobytes.
 */
export async function workloadRows(
  client: KubeClient,
  plural: string,
  { isNamed }: { readonly isNamed: boolean },
): Promise<readonly WorkloadRow[]> {
  const rows: WorkloadRow[] = [];
  for await (const page of tablePages(client, `/apis/${apiVersion}/${plural}`, isNamed ? 'Metadata' : 'None')) {
    const columns = entriesAt(page, 'columnDefinitions').map(({ name }) => name);
    const [ready = -1, reason = -1, profileAt = -1] = ['Ready', 'Reason', 'Profile'].map((name) =>
      columns.indexOf(name),
    );
    if (ready < 0) throw new Error(`${plural}: the API server prints no column Ready; apply the definitions of pinion`);
    for (const row of entriesAt(page, 'rows')) {
      const cells = row['cells'] as readonly unknown[];
      const profile = cells[profileAt];
      const key = isNamed ? ['namespace', 'name'].map((name) => textAt(row, 'object', 'metadata', name)).join('/') : '';
      const isNotReady = cells[ready] !== 'True' && !endedReasons.includes(cells[reason]);
      rows.push({ key, isNotReady, ...(typeof profile === 'string' && profile !== '' && { profile }) });
    }
  }
  return rows;
}

async function* tablePages(
  client: KubeClient,
  path: string,
  includeObject: 'Metadata' | 'None',
): AsyncGenerator<unknown> {
  let token: string | undefined;
  do {
    const more = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
    const query = `includeObject=${includeObject}&limit=${pageSize}${more}`;
    const answer = await client.request('GET', `${path}?${query}`, undefined, { accept: table });
    const page: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
    yield page;
    token = textAt(page, 'metadata', 'continue');
  } while (token !== undefined);
}
