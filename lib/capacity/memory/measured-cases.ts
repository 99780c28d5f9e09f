import { objectBytes, type CachedLoad } from './memory-model';

/** A published measurement of an API server's memory. */
export interface MemoryCase {
  /** Letter of the case; rows with one letter come from one experiment and are excluded together. */
  readonly letter: string;
  readonly description: string;
  readonly load: CachedLoad;
  /** Measured bytes. */
  readonly measured: number;
  /** Resident memory, or the live heap of Go. */
  readonly of: 'resident' | 'heap';
  /** `limit`: the server's limit, so it needs no more; `most` and `least`: it was seen to stay below or above. */
  readonly kind: 'measured' | 'limit' | 'most' | 'least';
  readonly source: string;
  /** Unpublished inputs, and the values assumed. */
  readonly assumed?: string;
  /** Temporary memory of lists in addition to the cache, in bytes. */
  readonly lists?: number;
}

const early = (nodes: number, pods: number): CachedLoad => ({
  nodes,
  pods,
  podBytes: objectBytes.podBefore118,
  customResources: [],
});
const late = (nodes: number, pods: number): CachedLoad => ({
  nodes,
  pods,
  podBytes: objectBytes.pod,
  customResources: [],
});
const hollow = '1,000 hollow nodes (kubemark)';
const perNode = '30 pods on each node, as in the density test';

const densities: readonly (readonly [pods: number, gigabytes: number])[] = [
  [12_500, 2.2],
  [15_000, 2.7],
  [18_500, 2.9],
  [21_000, 3.5],
  [23_500, 3.26],
  [26_500, 4.1],
  [28_000, 4.46],
  [29_500, 4.96],
];

const limits: readonly (readonly [nodes: number, gigabytes: number])[] = [
  [5, 0.15],
  [100, 1.5],
  [500, 3.4],
  [1000, 4],
];

const published = (
  letter: string,
  what: string,
  load: CachedLoad,
  measured: number,
  source: string,
  more: Partial<MemoryCase> = {},
): MemoryCase => ({ letter, description: what, load, measured, of: 'resident', kind: 'measured', source, ...more });

/** Published measurements of API servers under an ordinary load, by letter. */
export const memoryCases: readonly MemoryCase[] = [
  published('a', '100 nodes, Kubernetes 1.2', early(100, 3_000), 0.895e9, 'kubernetes/website PR #77'),
  published('b', '500 nodes, Kubernetes 1.2', early(500, 15_000), 2.439e9, 'kubernetes/website PR #77'),
  published('c', '1,000 nodes, Kubernetes 1.2', early(1_000, 30_000), 4.285e9, 'kubernetes/website PR #77'),
  published('d', '300 nodes', early(300, 9_000), 1.726e9, 'k/k #21500'),
  published('e', hollow, early(1_000, 30_000), 2.9e9, 'k/k PR #25395', { assumed: perNode }),
  ...densities.map(([pods, gigabytes]) => published('f', hollow, early(1_000, pods), gigabytes * 1e9, 'k/k #15064')),
  published('g', '5,000 nodes, 2017', early(5_000, 150_000), 35.05e9, 'k/k #52107', { assumed: '150,000 pods' }),
  published('i', '5,000 nodes, 1.33 and 1.34', late(5_000, 150_000), 23e9, 'KEP-4988', { of: 'heap' }),
  published('j', '100 nodes, 2019', late(100, 3_000), 0.98e9, 'perf-tests #361'),
];

/** Published bounds: limits that were sufficient, servers that stayed below or died above. */
export const memoryBounds: readonly MemoryCase[] = [
  ...limits.map(([nodes, gigabytes]) =>
    published(
      'k',
      `${nodes} hollow nodes`,
      early(nodes, 30 * nodes),
      gigabytes * 1e9,
      'test/e2e/scalability/density.go',
      {
        kind: 'limit',
        assumed: perNode,
      },
    ),
  ),
  published('j', '100 nodes, 2017', early(100, 3_000), 1.5e9, 'perf-tests #322', { kind: 'limit' }),
  published('j', '100 nodes, 2019', late(100, 3_000), 1.2e9, 'perf-tests #361', { kind: 'limit' }),
  published(
    'q',
    '10,000 objects of 100 KB, streamed',
    { ...late(0, 0), customResources: [] },
    6e9,
    'KEP-5116, perf-tests #3624',
    {
      kind: 'most',
      assumed: 'ConfigMaps: one text each, held once',
      lists: 10_000 * 100_000,
    },
  ),
  published('l', '7,500 nodes', late(7_500, 0), 70e9, 'OpenAI 2021', {
    of: 'heap',
    kind: 'most',
    assumed: 'no pods: their number was not published',
  }),
  published('o', 'lists of a type of 1.5 GB, before streaming', late(0, 0), 120e9, 'test-infra #35980', {
    of: 'heap',
    kind: 'least',
    assumed: 'as many lists at once as the 245 seats of workload-low admit: 24',
    lists: 24 * 1.5e9 * 5,
  }),
  published('p', '1,024 informers of 400 objects of 1 MB, streamed', late(0, 0), 2e9, 'KEP-3157', {
    kind: 'most',
    assumed: 'one text each, held once',
    lists: 400 * 1e6,
  }),
];

/** Published cases that cannot be compared with a model, and why. */
export const incomparable: Readonly<Record<string, string>> = {
  h: 'CPUs only (10, then 25 with a regression): no memory was published',
  m: 'no size of the cluster was published',
  n: 'died at about 90 GB after 400 nodes and 2,000 pending pods more: what it had before was not published',
  'p, before streaming':
    'lost at 16 informers (16 x 400 MB x 5 copies = 32 GB): the memory of the machine was not published',
};
