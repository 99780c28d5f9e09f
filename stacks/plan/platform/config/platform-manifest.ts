import { resolvePlatform } from 'pinion';
import { apiVersion, isPlainObject, type ManifestInput, type Problem } from 'pinion/api';
import { partitionOf } from '../../config/regions';
import { mirrored } from '../add-ons/add-ons';
import { platformProjects } from './platform-accounts';
import { type NodeGroup, type PlatformStackConfig } from './platform-stack-config';

/** Default storage class. */
export const storageClassName = 'gp3';

type PlatformSpec = ManifestInput<'Platform'>['spec'];

/** Returns the fields of the Platform that follow from the cluster. */
const clusterFields = (facts: PlatformStackConfig) => ({
  cluster: facts.cluster,
  region: facts.region,
  kubernetesVersion: facts.kubernetesVersion,
  domain: facts.hostedZone.domain,
  zones: facts.zones,
  aws: { accountId: facts.accountId, partition: partitionOf(facts.region) },
  pools: facts.nodeGroups.map(poolOf),
});

/** Returns a pool with the labels and taints of its nodes; without a selector it would match any node. */
const poolOf = ({ pool, labels, taints, accelerators }: NodeGroup) => ({
  name: pool,
  nodeSelector: labels,
  ...(taints.length > 0 && {
    tolerations: taints.map(({ key, value, effect }) =>
      value === '' ? { key, operator: 'Exists' as const, effect } : { key, operator: 'Equal' as const, value, effect },
    ),
  }),
  accelerators,
});

/** Returns the node groups without hard taints that always have nodes. */
const plainGroups = ({ nodeGroups }: PlatformStackConfig): NodeGroup[] =>
  nodeGroups.filter(({ min, taints }) => min > 0 && taints.every(({ effect }) => effect === 'PreferNoSchedule'));

/** Returns the pool of the platform's components: the default pool, or the first one without hard taints. */
export const ownPool = (facts: PlatformStackConfig): string | undefined => {
  const named = facts.platform['defaultPool'];
  return typeof named === 'string' ? named : plainGroups(facts)[0]?.pool;
};

/** Returns the Platform manifest: configured fields, and those that follow from the cluster. */
export function platformManifest(facts: PlatformStackConfig): ManifestInput<'Platform'> {
  const given = facts.platform as Partial<PlatformSpec>;
  const pool = ownPool(facts);
  const spec = {
    ...given,
    ...clusterFields(facts),
    ...(pool !== undefined && { defaultPool: pool }),
    ...runtimeOf(facts, given.runtime),
    storage: { classes: [storageClassName], defaultClass: storageClassName, ...given.storage },
    network: { ...given.network, ingressNamespaces: [platformProjects.ingress], dnsNamespace: 'kube-system' },
  } as PlatformSpec;
  return { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec };
}

/** Returns runtime settings with mirrored images of the profile, unless configured. */
function runtimeOf({ registries }: PlatformStackConfig, given: PlatformSpec['runtime']): Pick<PlatformSpec, 'runtime'> {
  const images = profileImages().flatMap(([part, image]) => {
    const instead = mirrored(image, registries);
    return instead === image ? [] : [[part, instead] as const];
  });
  if (images.length === 0) return given ? { runtime: given } : {};
  return { runtime: { ...given, images: { ...Object.fromEntries(images), ...given?.images } } };
}

/** The image of each part of the built-in profile that has one; a part that needs one of one's own has none here. */
function profileImages(): (readonly [part: string, image: string])[] {
  return resolvePlatform([]).profile.spec.parts.flatMap(({ name, needsImage, pod, node }) => {
    const daemon = node?.daemon as { template?: { spec?: { containers?: readonly { image?: string }[] } } } | undefined;
    const containers = [
      ...(pod?.initContainers ?? []),
      ...(pod?.sidecars ?? []),
      ...(daemon?.template?.spec?.containers ?? []),
    ];
    const image = containers[0]?.image;
    return needsImage || image === undefined ? [] : [[name, image] as const];
  });
}

/** Rejects fields of the Platform that follow from the cluster. */
export function platformManifestProblems(facts: PlatformStackConfig): Problem[] {
  const { network } = facts.platform;
  const owned = [
    ...Object.keys(clusterFields(facts)).map((field) => [field]),
    ['network', 'ingressNamespaces'],
    ['network', 'dnsNamespace'],
  ];
  return owned
    .filter(([field = '', member]) =>
      member === undefined
        ? Object.hasOwn(facts.platform, field)
        : isPlainObject(network) && Object.hasOwn(network, member),
    )
    .map((path) => ({
      code: 'platform-owned',
      path: ['platform', ...path],
      reason: 'follows from the cluster',
      remedy: 'remove it',
    }));
}
