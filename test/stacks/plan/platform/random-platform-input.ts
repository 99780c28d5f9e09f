import fc from 'fast-check';
import { type PlatformStackInput } from '../../../../stacks/plan/platform';
import { makePlatformInput, plainPlatformInput } from './make-platform-input';

type Group = PlatformStackInput['nodeGroups'][number];

const group = (pool: string, minNodes: number): fc.Arbitrary<Group> =>
  fc
    .record({
      min: fc.integer({ min: minNodes, max: 20 }),
      more: fc.integer({ min: 0, max: 900 }),
      cpus: fc.constantFrom(2, 4, 8, 48, 96),
      memoryGib: fc.constantFrom(7.5, 16, 32, 384),
      isTainted: fc.boolean(),
    })
    .map(({ min, more, cpus, memoryGib, isTainted }) => ({
      pool,
      group: `shop-node-${pool}`,
      min,
      max: min + more,
      cpus,
      memoryGib,
      labels: { 'pinion/pool': pool },
      ...(isTainted &&
        minNodes === 0 && { taints: [{ key: 'pinion/spot', value: 'true', effect: 'NoSchedule' as const }] }),
    }));

const ingressClass = (name: string) =>
  fc.record({ ingressClassName: fc.constantFrom(name, `${name}-web`), tls: fc.boolean() });

const boundsOf = (
  controlPlaneNodes: PlatformStackInput['controlPlane'],
  groups: readonly Group[],
  scanSeconds: number,
) => {
  const sum = (of: (group: Group) => number, own: number) =>
    Math.ceil(groups.reduce((total, one) => total + one.max * of(one), controlPlaneNodes.count * own));
  return {
    maxNodes: sum(() => 1, 1),
    maxCores: sum(({ cpus }) => cpus, controlPlaneNodes.cpus),
    maxMemoryGib: sum(({ memoryGib }) => memoryGib, controlPlaneNodes.memoryGib),
    scanSeconds,
    podDelaySeconds: 30,
  };
};

/** Generates valid stack configurations of all sizes, with all combinations of optional Platform fields. */
export const randomPlatformInput: fc.Arbitrary<PlatformStackInput> = fc
  .record({
    kubernetesVersion: fc.constantFrom('1.35' as const, '1.36' as const),
    first: group('general', 1),
    others: fc.tuple(group('memory', 0), group('batch', 0)).chain((groups) => fc.subarray(groups)),
    internal: fc.option(ingressClass('internal'), { nil: undefined }),
    external: fc.option(ingressClass('external'), { nil: undefined }),
    defaultDeny: fc.boolean(),
    zones: fc.subarray(['us-east-1a', 'us-east-1b', 'us-east-1c'], { minLength: 1 }),
    isMirrored: fc.boolean(),
    hasKey: fc.boolean(),
    scanSeconds: fc.constantFrom(10, 30),
  })
  .map(
    ({ kubernetesVersion, first, others, internal, external, defaultDeny, zones, isMirrored, hasKey, scanSeconds }) => {
      const { volumeKey, submission, ...rest } = makePlatformInput();
      const { hosts, ...withoutHosts } = submission ?? { image: '', settings: {} };
      return {
        ...rest,
        kubernetesVersion,
        zones,
        nodeGroups: [first, ...others],
        autoscaler: boundsOf(rest.controlPlane, [first, ...others], scanSeconds),
        submission: { ...withoutHosts, ...(internal && hosts && { hosts }) },
        ...(hasKey && volumeKey !== undefined && { volumeKey }),
        platform: {
          ...plainPlatformInput.platform,
          ingress: { ...(internal && { internal }), ...(external && { external }) },
          network: { defaultDeny },
        },
        registries: isMirrored
          ? Object.fromEntries(
              ['docker.io', 'ghcr.io', 'public.ecr.aws', 'quay.io', 'registry.k8s.io'].map((registry) => [
                registry,
                `mirror.example.com/${registry}`,
              ]),
            )
          : {},
      };
    },
  );
