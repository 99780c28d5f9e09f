import { resolve } from 'pinion';
import { apiVersion, isPlainObject, type Input, type Problem } from 'pinion/api';
import { partitionOf } from '../regions';
import { mirrored } from './add-ons';
import { platformProjects } from './platform-accounts';
import { type NodeGroup, type PlatformFacts } from './platform-facts';

/** Storage class of volumes for which nobody asks another. */
export const storageClassName = 'gp3';

type PlatformSpec = Input<'Platform'>['spec'];

/** The fields of the Platform that follow from the cluster. */
const clusterFields = (facts: PlatformFacts) => ({
  cluster: facts.cluster,
  region: facts.region,
  kubernetesVersion: facts.kubernetes,
  domain: facts.hostedZone.domain,
  zones: facts.zones,
  aws: { accountId: facts.account, partition: partitionOf(facts.region) },
  pools: facts.nodeGroups.map(poolOf),
});

/** A pool by the labels of its nodes and its taints; one that is known by its name alone would be any node. */
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

/** Groups of nodes that anything may run on, and of which some are always there. */
const plainGroups = ({ nodeGroups }: PlatformFacts): NodeGroup[] =>
  nodeGroups.filter(({ min, taints }) => min > 0 && taints.every(({ effect }) => effect === 'PreferNoSchedule'));

/** Pool of the platform's own parts: the Platform's default, else the first one that anything may run on. */
export const ownPool = (facts: PlatformFacts): string | undefined => {
  const named = facts.platform['defaultPool'];
  return typeof named === 'string' ? named : plainGroups(facts)[0]?.pool;
};

/** The Platform document: what a person says, and what the cluster decides. */
export function platformDocument(facts: PlatformFacts): Input<'Platform'> {
  const given = facts.platform as Partial<PlatformSpec>;
  const pool = ownPool(facts);
  const spec = {
    ...given,
    ...clusterFields(facts),
    ...(pool !== undefined && { defaultPool: pool }),
    ...runtimeOf(facts, given.runtime),
    storage: { classes: [storageClassName], defaultClass: storageClassName, ...given.storage },
    network: { ...given.network, ingressNamespaces: [platformProjects.entrance], dnsNamespace: 'kube-system' },
  } as PlatformSpec;
  return { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec };
}

/** What the profile adds comes from mirrors too, unless a person names an image. */
function runtimeOf({ registries }: PlatformFacts, given: PlatformSpec['runtime']): Pick<PlatformSpec, 'runtime'> {
  const images = profileImages().flatMap(([part, image]) => {
    const instead = mirrored(image, registries);
    return instead === image ? [] : [[part, instead] as const];
  });
  if (images.length === 0) return given ? { runtime: given } : {};
  return { runtime: { ...given, images: { ...Object.fromEntries(images), ...given?.images } } };
}

/** The image of each part of the built-in profile that has one; a part that needs one of one's own has none here. */
function profileImages(): (readonly [part: string, image: string])[] {
  return resolve([]).profile.spec.parts.flatMap(({ name, needsImage, pod, node }) => {
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

/** What a person says of the Platform that the cluster decides. */
export function platformDocumentProblems(facts: PlatformFacts): Problem[] {
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
      remedy: 'leave it out',
    }));
}
