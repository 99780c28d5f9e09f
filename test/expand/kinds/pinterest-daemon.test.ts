import { parseManifest, explainProblem, type PlatformManifest, type SpecInput } from '@pinion-platform/pinion';
import { safeExpand, resolvePlatform } from '../../../lib/expand';

const base = { apiVersion: 'pinterest.com/v1' } as const;
const profile = parseManifest({
  ...base,
  kind: 'RuntimeProfile',
  metadata: { name: 'default-1' },
  spec: {
    version: '1.0.0',
    parts: [
      {
        name: 'network',
        summary: 'Waits for the network, then guards it.',
        pod: {
          initContainers: [
            { name: 'pinion-wait', image: 'registry.example.com/wait:1.0.0', resources: cost('1m', '8Mi') },
          ],
          sidecars: [
            { name: 'pinion-guard', image: 'registry.example.com/guard:1.0.0', resources: cost('50m', '64Mi') },
          ],
        },
      },
    ],
  },
});
const project = parseManifest({
  ...base,
  kind: 'Project',
  metadata: { name: 'infra' },
  spec: { team: 'cloud-runtime', infrastructure: true },
});

function cost(cpu: string, memory: string) {
  return { requests: { cpu, memory }, limits: { memory } };
}

function expanded(spec: Omit<SpecInput<'PinterestDaemon'>, 'template'>) {
  const workload = parseManifest({
    ...base,
    kind: 'PinterestDaemon',
    metadata: { name: 'agent', namespace: 'infra' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'agent', image: 'registry.example.com/agent:1.0.0', resources: cost('100m', '128Mi') }],
        },
      },
      ...spec,
    },
  });
  const cluster = resolvePlatform([profile, project] as PlatformManifest[]);
  return safeExpand(workload, cluster.project('infra'));
}

describe('the node budget', () => {
  test('includes injected sidecars, and accepts a pod of exactly that size', () =>
    expect(expanded({ nodeBudget: { cpu: '150m', memory: '192Mi' } }).problems).toEqual([]));

  test('lists the requests per container if they exceed it', () => {
    const { objects, problems } = expanded({ nodeBudget: { cpu: '1', memory: '150Mi' } });
    expect(objects).toBeUndefined();
    expect(problems.map(explainProblem)).toEqual([
      'error invalid-combination: PinterestDaemon infra/agent: spec.nodeBudget.memory: "150Mi" is less than the 192Mi that its ' +
        'pod requests on every node: agent 128Mi, pinion-wait 8Mi (init), pinion-guard 64Mi (sidecar); lower the requests ' +
        'of a container, disable an optional part, or raise the budget',
    ]);
  });

  test('is checked for each resource', () =>
    expect(expanded({ nodeBudget: { cpu: '1m', memory: '1Mi' } }).problems.map(({ path }) => path[2])).toEqual([
      'cpu',
      'memory',
    ]));
});
