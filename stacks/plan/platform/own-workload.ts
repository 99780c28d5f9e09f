import { type KubernetesObject } from 'pinion';
import { apiVersion, type Input } from 'pinion/api';
import { versionOf, type AddOnName } from './add-ons';
import { ownPool } from './platform-document';
import { type PlatformFacts } from './platform-facts';

type Kind = 'PinterestService' | 'PinterestDaemon';

/** A workload of the platform as a custom resource; the version is that of its add-on. */
export const ownWorkload = <K extends Kind>(
  facts: PlatformFacts,
  addOn: AddOnName,
  kind: K,
  namespace: string,
  name: string,
  spec: Input<K>['spec'],
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec: { version: versionOf(addOn, facts.kubernetes), ...spec },
});

/** What services of the platform have in common: the highest tier, and nodes that are always there. */
export function importantService(facts: PlatformFacts): { tier?: string; placement: { pool?: string } } {
  const tiers = Array.isArray(facts.platform['tiers']) ? (facts.platform['tiers'] as readonly Tier[]) : [];
  const highest = tiers.reduce<Tier | undefined>(
    (best, tier) => (best === undefined || tier.priority > best.priority ? tier : best),
    undefined,
  );
  const pool = ownPool(facts);
  return { ...(highest && { tier: highest.name }), placement: { ...(pool !== undefined && { pool }) } };
}

interface Tier {
  readonly name: string;
  readonly priority: number;
}

/** A container's confinement where it needs nothing of the machine. */
export const confined = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

/** A pod's user and confinement where it needs nothing of the machine. */
export const unprivileged = (user: number) => ({
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: user,
  fsGroup: user,
  seccompProfile: { type: 'RuntimeDefault' as const },
});
