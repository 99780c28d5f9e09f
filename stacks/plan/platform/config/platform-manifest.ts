import { resolvePlatform } from '@pinion-platform/pinion';
import { apiVersion, isPlainObject, type ManifestInput, type Problem } from '@pinion-platform/pinion/api';
import { partitionOf } from '../../config/regions';
import { addressAt, formatAddress, parseCidr } from '../../network/cidr';
import { mirrored } from '../add-ons/add-ons';
import { stackPatchExceptions } from './stack-patch-exceptions';
import { platformProjects } from './platform-accounts';
import { type NodeGroup, type PlatformStackConfig } from './platform-stack-config';

/** Default storage class. */
export const storageClassName = 'gp3';

/** Default platform team: the group of kubeadm's administrator certificate, which creates the cluster, and superusers. */
const defaultAdministrators = ['system:masters', 'kubeadm:cluster-admins'];

type PlatformSpec = ManifestInput<'Platform'>['spec'];

/** Returns the fields of the Platform that are derived from the cluster. */
const clusterFields = (config: PlatformStackConfig) => ({
  cluster: config.cluster,
  region: config.region,
  kubernetesVersion: config.kubernetesVersion,
  domain: config.hostedZone.domain,
  zones: config.zones,
  aws: { accountId: config.accountId, partition: partitionOf(config.region) },
  pools: config.nodeGroups.map(poolOf),
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
const untaintedGroups = ({ nodeGroups }: PlatformStackConfig): NodeGroup[] =>
  nodeGroups.filter(({ min, taints }) => min > 0 && taints.every(({ effect }) => effect === 'PreferNoSchedule'));

/** Returns the pool of the platform's components: the default pool, or the first one without hard taints. */
export const ownPool = (config: PlatformStackConfig): string | undefined => {
  const named = config.platform['defaultPool'];
  return typeof named === 'string' ? named : untaintedGroups(config)[0]?.pool;
};

/** Returns the tier of highest priority, which the platform's components take. */
export function highestTier(config: PlatformStackConfig): string | undefined {
  const tiers = Array.isArray(config.platform['tiers']) ? (config.platform['tiers'] as PlatformSpec['tiers']) : [];
  return tiers.reduce<PlatformSpec['tiers'][number] | undefined>(
    (best, tier) => (best === undefined || tier.priority > best.priority ? tier : best),
    undefined,
  )?.name;
}

/** Returns the Platform manifest: configured fields, and those that are derived from the cluster. */
export function platformManifest(config: PlatformStackConfig): ManifestInput<'Platform'> {
  const configured = config.platform as Partial<PlatformSpec>;
  const pool = ownPool(config);
  const spec = {
    administrators: defaultAdministrators,
    ...configured,
    ...clusterFields(config),
    ...(pool !== undefined && { defaultPool: pool }),
    ...runtimeOf(config, configured.runtime),
    storage: { classes: [storageClassName], defaultClass: storageClassName, ...configured.storage },
    patchExceptions: [...stackPatchExceptions, ...(configured.patchExceptions ?? [])],
    ...gatewayOf(config, configured.gateway),
    network: { ...configured.network, ingressNamespaces: [platformProjects.ingress], dnsNamespace: 'kube-system' },
  } as PlatformSpec;
  return { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec };
}

/**
 * Returns the settings of the gateway. Its address is the eleventh of the service block, after that of the DNS service,
 * unless configured: Kubernetes gives other Services the first sixteen addresses last.
 */
function gatewayOf(
  { network }: PlatformStackConfig,
  configured: Partial<NonNullable<PlatformSpec['gateway']>> | undefined,
): Partial<Pick<PlatformSpec, 'gateway'>> {
  if (!configured) return {};
  const cidr = parseCidr(network.services);
  // A block that cannot be parsed has a problem of its own.
  const address = cidr ? formatAddress(addressAt(cidr, 11)) : '0.0.0.0';
  return { gateway: { address, ...configured } as NonNullable<PlatformSpec['gateway']> };
}

/** Returns runtime settings with mirrored images of the profile, unless configured. */
function runtimeOf(
  { registries }: PlatformStackConfig,
  configured: PlatformSpec['runtime'],
): Pick<PlatformSpec, 'runtime'> {
  const images = profileImages().flatMap(([part, image]) => {
    const mirror = mirrored(image, registries);
    return mirror === image ? [] : [[part, mirror] as const];
  });
  if (images.length === 0) return configured ? { runtime: configured } : {};
  return { runtime: { ...configured, images: { ...Object.fromEntries(images), ...configured?.images } } };
}

/** Returns the default image of each part of the built-in profile, without parts whose image must be configured. */
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

/** Rejects fields of the Platform that are derived from the cluster. */
export function platformManifestProblems(config: PlatformStackConfig): Problem[] {
  const { network } = config.platform;
  const owned = [
    ...Object.keys(clusterFields(config)).map((field) => [field]),
    ['network', 'ingressNamespaces'],
    ['network', 'dnsNamespace'],
  ];
  return owned
    .filter(([field = '', member]) =>
      member === undefined
        ? Object.hasOwn(config.platform, field)
        : isPlainObject(network) && Object.hasOwn(network, member),
    )
    .map((path) => ({
      code: 'platform-owned',
      path: ['platform', ...path],
      reason: 'is set by the platform stack',
      remedy: 'remove it',
    }));
}
