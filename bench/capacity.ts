import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  safePlanCapacity,
  fitMemory,
  leaveOneOut,
  meanError,
  memoryBounds,
  memoryCases,
  memoryCoefficients,
  predictMemory,
  physicalRanges,
  planCapacity,
  type LoadInput,
  type CapacityPlan,
} from '../lib/capacity';
import { isWithin2x, measuredCasesTable, tableText } from './capacity-table';
import { ratio } from './ratio';

const loadCount = 10_000;
const coldRounds = 9;
const GB = 1e9;
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

const clusterOf = (nodes: number, pods: number, more: Partial<LoadInput> = {}): LoadInput => ({
  region: 'us-east-1',
  zones,
  kubernetes: '1.36',
  nodes,
  pods,
  ...more,
});

const print = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): void =>
  console.log(`\n${title}\n${tableText(head, rows)}`);

const gigabytes = (bytes: number): string => (bytes / GB).toFixed(2);

/** Prints the errors of cross-validated predictions, with and without the limits of cases k and q as measurements. */
function errors(): void {
  const predictions = leaveOneOut(memoryCases);
  const ratios = predictions.map(({ ratio: error }) => error);
  const letters = [...new Set(memoryCases.map(({ letter }) => letter))].map((letter) =>
    meanError(predictions.filter((one) => one.case.letter === letter).map((one) => one.ratio)),
  );
  const strict = memoryBounds.filter(({ letter }) => letter === 'k' || letter === 'q');
  const all = [...ratios, ...strict.map((one) => predictMemory(one, memoryCoefficients) / one.measured)];
  ratio('memory-within-2x', ratios.filter(isWithin2x).length / ratios.length, '>=', 0.8);
  ratio('memory-mean-error', meanError(ratios), '<=', 1.5);
  ratio('memory-letters-within-2x', letters.filter(isWithin2x).length / letters.length, '>=', 0.8);
  ratio('memory-letters-mean-error', meanError(letters), '<=', 1.5);
  ratio('memory-with-limits-within-2x', all.filter(isWithin2x).length / all.length, '>=', 0.8);
  ratio('memory-with-limits-mean-error', meanError(all), '<=', 1.5);
}

function coefficients(): void {
  const fitted = fitMemory(memoryCases);
  const names = Object.keys(physicalRanges) as (keyof typeof physicalRanges)[];
  print(
    'Coefficients',
    ['NAME', 'FITTED', 'USED IN PLANS', 'MIN', 'MAX', 'REASON FOR THE RANGE'],
    names.map((name) => {
      const { min, max, reason } = physicalRanges[name];
      return [name, ...[fitted[name], memoryCoefficients[name], min, max].map((value) => value.toPrecision(3)), reason];
    }),
  );
}

interface EtcdCase {
  readonly description: string;
  readonly measured: string;
  readonly source: string;
  readonly predict: () => readonly [text: string, holds: boolean];
}

const largeControlPlane = { controlPlaneInstanceType: 'r6i.32xlarge', etcdQuotaBytes: 17_179_869_184 };
const withoutChurn = { churn: { podsPerSecond: 0 }, controllers: { fullCaches: 0 } } as const;
const perMinute = ({ values }: CapacityPlan): number => values.etcdWindowBytes.value / 5 / 1e6;
const within2x = (value: number, measured: number, unit: string): readonly [string, boolean] => [
  `${value.toFixed(value < 10 ? 2 : 0)} ${unit} (${(value / measured).toFixed(2)}x)`,
  isWithin2x(value / measured),
];

const etcdCases: readonly EtcdCase[] = [
  {
    description: 'heartbeats of 5,000 nodes',
    measured: '30 MB per minute',
    source: 'KEP-589',
    predict: () => within2x(perMinute(planCapacity(clusterOf(5000, 0, withoutChurn))), 30, 'MB per minute'),
  },
  {
    description: 'heartbeats of 25,000 nodes',
    measured: '2 GB in 5 min',
    source: 'NVSentinel #1705',
    predict: () =>
      within2x(
        (perMinute(
          planCapacity(
            clusterOf(25_000, 0, { ...withoutChurn, overrides: { ...largeControlPlane, leasesEtcd: false } }),
          ),
        ) *
          5) /
          1000,
        2,
        'GB in 5 min',
      ),
  },
  {
    description: '5,000 nodes, 150,000 pods, quota of 2 GiB',
    measured: 'full',
    source: 'cilium #33778',
    predict: () => fills(planCapacity(clusterOf(5000, 150_000)), 2 ** 31, true),
  },
  {
    description: 'launch of 100,000 pods, quota of 2 GiB',
    measured: 'full (1.7 to 2 GB, then rejected)',
    source: 'agent-sandbox PR #1551',
    predict: () => fills(planCapacity(clusterOf(1000, 100_000, { overrides: largeControlPlane })), 2 ** 31, true),
  },
  {
    description: '100,005 nodes and 101,533 pods, quota of 16 GiB',
    measured: 'fits',
    source: 'NVSentinel PR #1789',
    predict: () =>
      fills(
        planCapacity(
          clusterOf(100_005, 101_533, { ...withoutChurn, overrides: { ...largeControlPlane, leasesEtcd: false } }),
        ),
        2 ** 34,
        false,
      ),
  },
  {
    description: 'the same with 203,411 resources of 50 KB',
    measured: 'full',
    source: 'NVSentinel PR #1789',
    predict: () =>
      fills(
        planCapacity(
          clusterOf(100_005, 101_533, {
            ...withoutChurn,
            overrides: { ...largeControlPlane, leasesEtcd: false },
            customResources: [{ name: 'healthevents.example.com', count: 203_411, bytes: 50_000 }],
          }),
        ),
        2 ** 34,
        true,
      ),
  },
];

function fills({ values }: CapacityPlan, quota: number, expected: boolean): readonly [string, boolean] {
  const file = expected ? values.etcdStormFileBytes.value : values.etcdFileBytes.value;
  return [`${gigabytes(file)} GB`, file > quota === expected];
}

function etcd(): void {
  const rows = etcdCases.map(({ description, measured, source, predict }) => {
    const [text, ok] = predict();
    return [description, measured, text, ok ? 'ok' : 'short', source];
  });
  print('etcd', ['CASE', 'MEASURED', 'MODEL', 'RESULT', 'SOURCE'], rows);
}

/** Nodes, pods, and total CPUs of all control plane components. */
const measuredCores: readonly (readonly [letter: string, nodes: number, pods: number, cores: number])[] = [
  ['a (scheduler not published)', 100, 3_000, 1.71],
  ['b', 500, 15_000, 5.45],
  ['c', 1_000, 30_000, 11.54],
  ['g', 5_000, 150_000, 24],
];

/** Published CPUs and memory (GiB) of control plane nodes. */
const publishedControlPlanes: readonly (readonly [
  setup: string,
  nodes: number,
  pods: number,
  cores: number,
  memoryGib: number,
])[] = [
  ['kube-up, AWS', 100, 3_000, 4, 15],
  ['kube-up, AWS', 250, 7_500, 8, 30],
  ['kube-up, AWS', 500, 15_000, 16, 30],
  ['kube-up, GCE', 3_000, 90_000, 32, 120],
  ['kube-up, GCE', 5_000, 150_000, 64, 240],
  ['OpenShift 4.10', 120, 3_600, 8, 32],
  ['OpenShift 4.10', 252, 7_560, 16, 64],
  ['OpenShift 4.10', 501, 15_030, 16, 96],
  ['kops scale test', 5_000, 150_000, 72, 144],
];

function sizes(): void {
  const cores = measuredCores.map(([letter, nodes, count, measured]) => {
    const { value } = planCapacity(clusterOf(nodes, count)).values.controlPlaneCores;
    return [letter, String(nodes), String(count), measured.toFixed(1), value.toFixed(1), (value / measured).toFixed(2)];
  });
  print('CPUs of a whole control plane', ['CASE', 'NODES', 'PODS', 'MEASURED', 'MODEL', 'RATIO'], cores);
  const controlPlaneNodes = publishedControlPlanes.map(([setup, nodes, count, vcpus, memoryGib]) => {
    const { controlPlaneNodeCores, controlPlaneNodeMemoryBytes, controlPlaneInstanceType } = planCapacity(
      clusterOf(nodes, count),
    ).values;
    const required = `${controlPlaneNodeCores.value.toFixed(1)} / ${(controlPlaneNodeMemoryBytes.value / 2 ** 30).toFixed(0)}`;
    return [setup, String(nodes), `${vcpus} / ${memoryGib}`, required, controlPlaneInstanceType.value];
  });
  print(
    'Control plane nodes, CPUs / GiB: published sizes, most of them oversized',
    ['SETUP', 'NODES', 'PUBLISHED', 'REQUIRED', 'PLANNED TYPE'],
    controlPlaneNodes,
  );
}

type Mix = NonNullable<LoadInput['mix']>;

/** Returns one to four pools with random shares, kinds, architectures and densities. */
function randomMix(next: (bound: number) => number): Mix {
  const weights = Array.from({ length: 1 + next(4) }, () => 1 + next(20));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const kinds = ['general', 'memory', 'spot', 'accelerator'] as const;
  const pools = weights.map((weight, index): [string, Mix[string]] => {
    const kind = kinds[next(4)] ?? 'general';
    return [
      `pool-${index}`,
      {
        kind,
        architecture: next(3) === 0 ? 'arm64' : 'amd64',
        share: weight / sum,
        cores: (1 + next(20)) / 10,
        memoryGib: (1 + next(40)) / 10,
        accelerators: kind === 'accelerator' ? 1 + next(2) : 0,
        ...(next(4) === 0 && { podsPerNode: 1 + next(20) }),
      },
    ];
  });
  return Object.fromEntries(pools);
}

/** Plans ten thousand random loads, half of them with a mix of pools, including validation and rejections. */
function sweep(): void {
  let seed = 1;
  const next = (bound: number): number => (seed = (seed * 48_271) % 2_147_483_647) % bound;
  const loads = Array.from({ length: loadCount }, () => {
    const nodes = 1 + next(6000);
    return clusterOf(nodes, next(30 * nodes), {
      churn: { podsPerSecond: next(40) },
      kubernetes: next(2) === 0 ? '1.35' : '1.36',
      ...(next(2) === 0 && { mix: randomMix(next) }),
    });
  });
  const started = performance.now();
  const planned = loads.filter((load) => safePlanCapacity(load).plan).length;
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `\n${loadCount} loads in ${seconds.toFixed(2)} s: ${planned} planned, ${loadCount - planned} rejected with the nearest possible load`,
  );
  ratio('sweep-seconds', seconds, '<=', 2);
}

function cold(): void {
  const program = join(__dirname, '../bin/pinion.js');
  const times = Array.from({ length: coldRounds }, () => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [program, 'capacity', 'plan', '-'], {
      input: JSON.stringify(clusterOf(1000, 20_000)),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`capacity plan exited with ${status}: ${stderr}`);
    return (performance.now() - started) / 1000;
  });
  ratio('plan-cold-seconds', times.sort((a, b) => a - b)[Math.floor(coldRounds / 2)] ?? Number.NaN, '<=', 0.3);
}

coefficients();
etcd();
sizes();
console.log(
  `\nMemory of an API server; each measured case is predicted with coefficients fitted without it\n${measuredCasesTable()}\n`,
);
errors();
sweep();
cold();
