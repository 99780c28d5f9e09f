import { gatewayNamespace, ownProgramProjects, type PlatformManifest } from '../../api';
import { installationLabels } from './installation-labels';
import { type KubernetesObject } from '../objects/kubernetes-object';

const flowApi = 'flowcontrol.apiserver.k8s.io/v1';

/** Names of the flow schemas; that of clients is also the name of its priority level. */
const names = { programs: 'pinion-programs', clients: 'pinion-clients' } as const;

/**
 * Share of the API server's seats for service accounts that send requests to it: a fifth of what Kubernetes gives to
 * all of them. It may borrow as much again, and each account has its turn.
 */
const clientShares = 20;

/**
 * Creates the flow schemas that bound what clients without the gateway take from the API server, and what the gateway
 * passes on for them, while pinion's own programs, system namespaces and infrastructure projects keep a level of their
 * own. `namespace` is that of the installation, `infrastructure` are the names of the projects.
 *
 * Kubernetes' schemas for nodes, its controllers and kube-system precede both.
 */
export const flowSchemas = (
  namespace: string,
  { systemNamespaces, runtime }: PlatformManifest<'Platform'>['spec'],
  infrastructure: readonly string[],
): KubernetesObject[] => [
  {
    apiVersion: flowApi,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: names.clients, labels: installationLabels },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: clientShares,
        lendablePercent: 50,
        borrowingLimitPercent: 100,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
      },
    },
  },
  flowSchema(
    names.programs,
    950,
    'workload-high',
    [
      ...new Set([
        namespace,
        gatewayNamespace,
        ...ownProgramProjects,
        runtime.project,
        ...systemNamespaces.map(({ name }) => name),
        // Node agents and drivers use the API server directly, so that a cluster works without any gateway.
        ...infrastructure,
      ]),
    ].map((of) => ({ kind: 'ServiceAccount', serviceAccount: { namespace: of, name: '*' } })),
  ),
  flowSchema(names.clients, 8900, names.clients, [{ kind: 'Group', group: { name: 'system:serviceaccounts' } }]),
];

function flowSchema(
  name: string,
  matchingPrecedence: number,
  priorityLevel: string,
  subjects: readonly object[],
): KubernetesObject {
  const everything = {
    subjects,
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  };
  const spec = {
    matchingPrecedence,
    priorityLevelConfiguration: { name: priorityLevel },
    distinguisherMethod: { type: 'ByUser' },
    rules: [everything],
  };
  return { apiVersion: flowApi, kind: 'FlowSchema', metadata: { name, labels: installationLabels }, spec };
}
