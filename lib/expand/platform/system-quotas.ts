import { type PlatformManifest, type Spec } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

type SystemNamespace = Spec<'Platform'>['systemNamespaces'][number];

/** Priority classes that no quota limits, because nothing else runs without their pods. */
const critical = ['system-cluster-critical', 'system-node-critical'];

/** Effectively unlimited; where admission requires a quota that matches critical pods, this is that quota. */
const unlimited = '1G';

/**
 * Returns the quotas of namespaces without a Project, as set by the Platform; `own` is the namespace of its node-level
 * parts, which has a Project and gets its quota from there.
 *
 * Critical pods are counted separately and without a limit. Compute is never limited: pods of add-ons often have no
 * requests, and such a quota would reject them.
 */
export function systemQuotas({ spec }: PlatformManifest<'Platform'>, own: string | undefined): KubernetesObject[] {
  return spec.systemNamespaces.filter(({ name }) => name !== own).flatMap(quotasOf);
}

function quotasOf({ name, quota: { pods, ...objects } }: SystemNamespace): KubernetesObject[] {
  return [
    ...(Object.keys(objects).length === 0 ? [] : [quota(name, 'pinion-objects', { hard: sorted(objects) })]),
    ...(pods === undefined ? [] : [quota(name, 'pinion-pods', { hard: { pods }, ...scope('NotIn') })]),
    quota(name, 'pinion-critical-pods', { hard: { pods: unlimited }, ...scope('In') }),
  ];
}

function quota(namespace: string, name: string, spec: Readonly<Record<string, unknown>>): KubernetesObject {
  const { metadata, ...rest } = draftObject('ResourceQuota', { name }, { spec });
  return { ...rest, metadata: { ...metadata, namespace } };
}

/** Returns the scope of critical pods or of all others; a pod without a priority class is not critical. */
const scope = (operator: 'In' | 'NotIn') => ({
  scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values: critical }] },
});

/**
 * Returns the quota of the Project of node-level parts: the Platform's for its namespace, without defaults, because its
 * pods grow with the nodes.
 */
export function ownQuota({ spec }: PlatformManifest<'Platform'>): Readonly<Record<string, string>> {
  const stated = spec.systemNamespaces.find(({ name }) => name === spec.runtime.project)?.quota;
  const open = Object.keys(spec.defaultQuota).map((resource) => [resource, boundless]);
  return sorted({ ...(Object.fromEntries(open) as Record<string, string>), ...stated });
}

/** Effectively unlimited for every resource, including bytes. */
const boundless = '1P';

const sorted = (amounts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
