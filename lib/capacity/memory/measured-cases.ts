import { objectBytes, type CachedLoad } from './memory-model';

/** A published measurement of an API server's memory. */
export interface MemoryCase {
  /** Letter of the case; rows with one letter come from one experiment and are excluded together. */
  readonly letter: string;
  readonly description: string;
  readonly load: CachedLoad;
  /** Measured bytes. */
  readonly measured: number;
  /** Resident memory, or the live Go heap. */
  readonly of: 'resident' | 'heap';
  /** `limit`: memory limit that was sufficient; `most` and `least`: observed upper and lower bound. */
  readonly kind: 'measured' | 'limit' | 'most' | 'least';
  readonly source: string;
  /** Values assumed for unpublished inputs. */
  readonly assumed?: string;
  /** Temporary memory of lists, in addition to the cache, in bytes. */
  readonly lists?: number;
}

const podsBefore118 = (nodes: number, pods: number): CachedLoad => ({
  nodes,
  pods,
  podBytes: objectBytes.podBefore118,
  customResources: [],
});
const currentPods = (nodes: number, pods: number): CachedLoad => ({
  nodes,
  pods,
  podBytes: objectBytes.pod,
  customResources: [],
});
const hollow = '1,000 hollow nodes (kubemark)';
const densityTest = '30 pods per node, as in the density test';

const kubemarkCases: readonly (readonly [pods: number, gigabytes: number])[] = [
  [12_500, 2.2],
  [15_000, 2.7],
  [18_500, 2.9],
  [21_000, 3.5],
  [23_500, 3.26],
  [26_500, 4.1],
  [28_000, 4.46],
  [29_500, 4.96],
];

const kubemarkLimits: readonly (readonly [nodes: number, gigabytes: number])[] = [
  [5, 0.15],
  [100, 1.5],
  [500, 3.4],
  [1000, 4],
];

const published = (
  letter: string,
  description: string,
  load: CachedLoad,
  measured: number,
  source: string,
  options: Partial<MemoryCase> = {},
): MemoryCase => ({ letter, description, load, measured, of: 'resident', kind: 'measured', source, ...options });

/** Published measurements of API servers under ordinary load, by letter. */
export const memoryCases: readonly MemoryCase[] = [
  published('a', '100 nodes, Kubernetes 1.2', podsBefore118(100, 3_000), 0.895e9, 'kubernetes/website PR #77'),
  published('b', '500 nodes, Kubernetes 1.2', podsBefore118(500, 15_000), 2.439e9, 'kubernetes/website PR #77'),
  published('c', '1,000 nodes, Kubernetes 1.2', podsBefore118(1_000, 30_000), 4.285e9, 'kubernetes/website PR #77'),
  published('d', '300 nodes', podsBefore118(300, 9_000), 1.726e9, 'k/k #21500'),
  published('e', hollow, podsBefore118(1_000, 30_000), 2.9e9, 'k/k PR #25395', { assumed: densityTest }),
  ...kubemarkCases.map(([pods, gigabytes]) =>
    published('f', hollow, podsBefore118(1_000, pods), gigabytes * 1e9, 'k/k #15064'),
  ),
  published('g', '5,000 nodes, 2017', podsBefore118(5_000, 150_000), 35.05e9, 'k/k #52107', {
    assumed: '150,000 pods',
  }),
  published('i', '5,000 nodes, 1.33 and 1.34', currentPods(5_000, 150_000), 23e9, 'KEP-4988', { of: 'heap' }),
  published('j', '100 nodes, 2019', currentPods(100, 3_000), 0.98e9, 'perf-tests #361'),
];

/** Published bounds: sufficient limits, and observed minimum and maximum memory. */
export const memoryBounds: readonly MemoryCase[] = [
  ...kubemarkLimits.map(([nodes, gigabytes]) =>
    published(
      'k',
      `${nodes} hollow nodes`,
      podsBefore118(nodes, 30 * nodes),
      gigabytes * 1e9,
      'test/e2e/scalability/density.go',
      {
        kind: 'limit',
        assumed: densityTest,
      },
    ),
  ),
  published('j', '100 nodes, 2017', podsBefore118(100, 3_000), 1.5e9, 'perf-tests #322', { kind: 'limit' }),
  published('j', '100 nodes, 2019', currentPods(100, 3_000), 1.2e9, 'perf-tests #361', { kind: 'limit' }),
  published(
    'q',
    '10,000 objects of 100 KB, streamed',
    { ...currentPods(0, 0), customResources: [] },
    6e9,
    'KEP-5116, perf-tests #3624',
    {
      kind: 'most',
      assumed: 'one serialized copy per ConfigMap',
      lists: 10_000 * 100_000,
    },
  ),
  published('l', '7,500 nodes', currentPods(7_500, 0), 70e9, 'OpenAI 2021', {
    of: 'heap',
    kind: 'most',
    assumed: 'no pods, because their number was not published',
  }),
  published('o', 'lists of 1.5 GB, before streaming', currentPods(0, 0), 120e9, 'test-infra #35980', {
    of: 'heap',
    kind: 'least',
    assumed: '24 concurrent lists, the maximum of the 245 workload-low seats',
    lists: 24 * 1.5e9 * 5,
  }),
  published('p', '1,024 informers of 400 objects of 1 MB, streamed', currentPods(0, 0), 2e9, 'KEP-3157', {
    kind: 'most',
    assumed: 'one serialized copy per object',
    lists: 400 * 1e6,
  }),
];

/** Published cases that cannot be compared with the model, with the reason. */
export const incomparable: Readonly<Record<string, string>> = {
  h: 'only CPUs were published (10, then 25 with a regression)',
  m: 'the size of the cluster was not published',
  n: 'ran out of memory at about 90 GB after adding 400 nodes and 2,000 pending pods; the initial size was not published',
  'p, before streaming':
    'failed at 16 informers (16 x 400 MB x 5 copies = 32 GB); the memory of the machine was not published',
};
