import { fieldsOf } from '../observed/child-status';
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
    ...hostsField(statuses),
  }),
  readiness: continuousReadiness,
};

function hostsField(statuses: readonly DesiredObjectStatus[]): { readonly hosts?: readonly string[] } {
  const hosts = statuses.flatMap(({ object }) => {
    const rules = object.kind === 'Ingress' ? fieldsOf(object, 'spec')['rules'] : undefined;
    return Array.isArray(rules) ? (rules as readonly { host?: string }[]).flatMap(({ host }) => host ?? []) : [];
  });
  return hosts.length === 0 ? {} : { hosts: [...new Set(hosts)].slice(0, maxHosts) };
}
