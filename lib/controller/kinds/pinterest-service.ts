import { metadataKeys } from '../../api';
import { fieldsOf } from '../observed/child-status';
import { type KubernetesObject } from '../../expand';
import { type DesiredObjectStatus } from '../report/desired-object-status';
import { continuousReadiness } from '../report/readiness';
import { replicaCounts, selectorField } from '../report/replica-counts';
import { type KindController } from './kind-controller';

/** Maximum number of host names in a status. */
const maxHosts = 16;

/** Controller behavior of PinterestService. */
export const pinterestServiceController: KindController<'PinterestService'> = {
  revisionKinds: ['ReplicaSet'],
  statusFields: ({ statuses }) => ({
    ...replicaCounts(statuses),
    ...selectorField(statuses),
    ...variantsField(statuses),
    ...hostsField(statuses),
  }),
  readiness: continuousReadiness,
};

/** Returns the pod counts of each variant; none without variants. */
function variantsField(statuses: readonly DesiredObjectStatus[]): { readonly variants?: readonly object[] } {
  const variants = statuses.flatMap(({ object, status: { counts } }) => {
    const name = object.kind === 'Deployment' ? object.metadata.labels?.[metadataKeys.variant] : undefined;
    if (name === undefined) return [];
    return [
      {
        name,
        desiredReplicas: counts?.desired ?? desiredOf(object),
        replicas: counts?.existing ?? 0,
        updatedReplicas: counts?.updated ?? 0,
        readyReplicas: counts?.ready ?? 0,
        availableReplicas: counts?.available ?? 0,
      },
    ];
  });
  return variants.length === 0 ? {} : { variants };
}

function desiredOf(object: KubernetesObject): number {
  const { replicas } = fieldsOf(object, 'spec');
  return typeof replicas === 'number' ? replicas : 1;
}

function hostsField(statuses: readonly DesiredObjectStatus[]): { readonly hosts?: readonly string[] } {
  const hosts = statuses.flatMap(({ object }) => {
    const rules = object.kind === 'Ingress' ? fieldsOf(object, 'spec')['rules'] : undefined;
    return Array.isArray(rules) ? (rules as readonly { host?: string }[]).flatMap(({ host }) => host ?? []) : [];
  });
  return hosts.length === 0 ? {} : { hosts: [...new Set(hosts)].slice(0, maxHosts) };
}
