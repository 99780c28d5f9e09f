import { type PlatformManifest, type Spec } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

type SystemNamespace = Spec<'Platform'>['systemNamespaces'][number];

/** Priority classes that no quota limits, because the cluster does not work without their pods. */
const critical = ['system-cluster-critical', 'system-node-critical'];

/** Effectively unlimited. The quota exists because admission can require one that matches critical pods. */
const unlimitedPods = '1G';

/**
 * Returns the quotas of namespaces without a Project, as set by the Platform. The namespace of node-level parts is
 * excluded, because its Project sets the quota.
 *
 * Critical pods are counted separately and without a limit. Compute is never limited: pods of add-ons often have no
 * requests, and such a quota would reject them.
 */
export function systemQuotas(
  { spec }: PlatformManifest<'Platform'>,
  partsNamespace: string | undefined,
): KubernetesObject[] {
  return spec.systemNamespaces.filter(({ name }) => name !== partsNamespace).flatMap(quotasOf);
}

function quotasOf({ name, quota: { pods, ...objects } }: SystemNamespace): KubernetesObject[] {
  return [
    ...(Object.keys(objects).length === 0 ? [] : [quota(name, 'pinion-objects', { hard: sorted(objects) })]),
    ...(pods === undefined ? [] : [quota(name, 'pinion-pods', { hard: { pods }, ...scope('NotIn') })]),
    quota(name, 'pinion-critical-pods', { hard: { pods: unlimitedPods }, ...scope('In') }),
  ];
}

function quota(namespace: string, name: string, spec: Readonly<Record<string, unknown>>): KubernetesObject {
  const { metadata, ...rest } = draftObject('ResourceQuota', { name }, { spec });
  return { ...rest, metadata: { ...metadata, namespace } };
}

/** Returns the quota scope of critical pods or of all other pods; a pod without a priority class is not critical. */
const scope = (operator: 'In' | 'NotIn') => ({
  scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values: critical }] },
});

/**
 * Returns the quota of the Project of node-level parts: that of its system namespace, without the Platform's defaults,
 * because the number of its pods grows with the nodes.
 */
export function ownQuota({ spec }: PlatformManifest<'Platform'>): Readonly<Record<string, string>> {
  const ownLimits = spec.systemNamespaces.find(({ name }) => name === spec.runtime.project)?.quota;
  const unlimitedDefaults = Object.keys(spec.defaultQuota).map((resource) => [resource, unlimitedAmount]);
  return sorted({ ...(Object.fromEntries(unlimitedDefaults) as Record<string, string>), ...ownLimits });
}

/** Effectively unlimited for every resource, including bytes. */
const unlimitedAmount = '1P';

const sorted = (amounts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
