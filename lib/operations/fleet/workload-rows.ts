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
  /** Time since which its pods are held, because only the library would change them; RFC 3339. */
  readonly heldSince?: string;
  /** Time of its creation, RFC 3339; undefined if only counted. */
  readonly createdAt?: string;
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
    const at = (name: string): number => columns.indexOf(name);
    const ready = at('Ready');
    if (ready < 0) throw new Error(`${plural}: the API server prints no column Ready; apply the definitions of pinion`);
    for (const row of entriesAt(page, 'rows')) {
      const cells = row['cells'] as readonly unknown[];
      const text = (name: string): string | undefined => {
        const cell = cells[at(name)];
        return typeof cell === 'string' && cell !== '' ? cell : undefined;
      };
      const [profile, heldSince] = [text('Profile'), text('HeldSince')];
      const createdAt = textAt(row, 'object', 'metadata', 'creationTimestamp');
      const key = isNamed ? ['namespace', 'name'].map((name) => textAt(row, 'object', 'metadata', name)).join('/') : '';
      const isNotReady = cells[ready] !== 'True' && !endedReasons.includes(text('Reason'));
      rows.push({
        ...{ key, isNotReady },
        ...(profile !== undefined && { profile }),
        ...(heldSince !== undefined && { heldSince }),
        ...(createdAt !== undefined && { createdAt }),
      });
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
