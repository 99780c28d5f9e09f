import { amountsOf } from '../../lib/api';
import { defaultProfile } from '../../lib/expand';
import { computeImpact, type ImpactSide, type NodeSurge } from '../../lib/impact';
import { clusterOf, documentOf, projectOf, sideOf } from './impact-fleet';

const template = (cpu: string, more: object = {}) => ({
  spec: {
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/app:1.4.2',
        resources: { requests: { cpu, memory: '64Mi' }, limits: { memory: '64Mi' } },
      },
    ],
    ...more,
  },
});
const nodeWith = (name: string, cpu: string, labels: Readonly<Record<string, string>> = {}) => ({
  ...{ name, labels, taints: [] },
  free: amountsOf({ cpu, memory: '8Gi', pods: '20' }),
});
/** Sidecars would have requests of their own. */
const bareProfile = { ...defaultProfile, spec: { ...defaultProfile.spec, parts: [] } };
type FreeCapacity = ImpactSide['freeCapacity'];
const services = (count: number, project: string, cpu = '1') =>
  Array.from({ length: count }, (_, index) =>
    documentOf('PinterestService', `web-${index}`, { replicas: 4, template: template(cpu) }, project),
  );
const surgeOf = (
  workloads: ImpactSide['workloads'],
  freeCapacity: FreeCapacity,
  more: object = {},
): readonly NodeSurge[] => {
  const projects = ['shop', 'search'].map((name) => projectOf(name));
  const cluster = (environment: string) => clusterOf({ environment, ...more }, [bareProfile], projects);
  const side = (environment: string): ImpactSide => ({
    ...sideOf(cluster(environment), workloads),
    ...(freeCapacity && { freeCapacity }),
  });
  return computeImpact(side('staging'), side('prod')).nodeSurge;
};

test('surge pods are placed on the free capacity of nodes, the largest first', () => {
  const workloads = [
    ...services(2, 'shop'),
    documentOf('PinterestService', 'large', { replicas: 2, template: template('3') }),
  ];
  // A surge of a quarter of the pods, rounded up, each with 1, 1 and 3 CPU.
  expect(surgeOf(workloads, [nodeWith('a', '3'), nodeWith('b', '2')])).toEqual([
    { pods: 3, fits: 'yes', unplaced: [] },
  ]);
  expect(surgeOf(workloads, [nodeWith('a', '3'), nodeWith('b', '1')])).toEqual([
    { pods: 3, fits: 'no', unplaced: [{ workload: expect.any(String) as string, pods: 1, isAdmitted: true }] },
  ]);
  // Enough in total, but not on a node.
  expect(surgeOf(workloads, [nodeWith('a', '2'), nodeWith('b', '2'), nodeWith('c', '1')])).toMatchObject([
    { fits: 'no', unplaced: [{ workload: 'PinterestService shop/large', pods: 1 }] },
  ]);
});

test('only nodes that match a pod count', () => {
  const pinned = documentOf('PinterestService', 'pinned', {
    replicas: 1,
    template: template('1', { nodeSelector: { disk: 'ssd' } }),
  });
  expect(surgeOf([pinned], [nodeWith('a', '8')])).toMatchObject([{ fits: 'no', unplaced: [{ isAdmitted: false }] }]);
  expect(surgeOf([pinned], [nodeWith('a', '8'), nodeWith('b', '1', { disk: 'ssd' })])).toMatchObject([{ fits: 'yes' }]);
});

test('without the nodes of a cluster it is unknown, and without surge nothing is listed', () => {
  expect(surgeOf(services(1, 'shop'), undefined)).toEqual([{ pods: 1, fits: 'unknown', unplaced: [] }]);
  expect(surgeOf([documentOf('PinterestStatefulSet', 'store')], [nodeWith('a', '8')])).toEqual([]);
});

test('each wave of a rollout needs the capacity for as many workloads as its budget moves at once', () => {
  const workloads = [...services(3, 'shop'), ...services(3, 'search')];
  const rollouts = (workloadsAtOnce: number, workloadsPerProject: number) => ({
    rollouts: {
      waves: [{ name: 'first', projects: ['shop'], soak: '5m' }],
      soak: '5m',
      budget: { workloads: workloadsAtOnce, workloadsPerProject },
    },
  });
  expect(surgeOf(workloads, [nodeWith('a', '2')], rollouts(10, 2))).toEqual([
    { wave: 'first', pods: 2, fits: 'yes', unplaced: [] },
    { wave: 'rest', pods: 2, fits: 'yes', unplaced: [] },
  ]);
  expect(surgeOf(workloads, [nodeWith('a', '2')], rollouts(10, 3))).toMatchObject([
    { wave: 'first', pods: 3, fits: 'no', unplaced: [{ pods: 1 }] },
    { wave: 'rest', fits: 'no' },
  ]);
  expect(surgeOf(workloads, [nodeWith('a', '2')], rollouts(1, 1))).toMatchObject([
    { pods: 1, fits: 'yes' },
    { pods: 1 },
  ]);
});
