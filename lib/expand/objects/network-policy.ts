import { gatewayNamespace, gatewayPort, hooksOf, metadataKeys, type ApiAccess, type Workload } from '../../api';
import { restrictionsOf } from './access-peers';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { labelOf, derivedName } from './name';
import { hookSelectorOf, selectorOf } from './labels';
import { nodeNamesAddress } from '../profile/default-profile/node-names';
import { type ProjectContext } from '../project-context';

/** Traffic that is allowed in addition to the workload's `access`. */
interface NetworkPolicyOptions {
  /** Whether ingress controllers can reach its pods. */
  readonly ingress: boolean;
  /** Whether its pods can reach each other. */
  readonly peers: boolean;
  /** How clients in its pods reach the API server. @default - spec.apiAccess of the workload */
  readonly apiAccess?: ApiAccess;
  /** @default - that of the workload */
  readonly name?: string;
  /** Labels of the pods. @default - those that the workload's selector matches */
  readonly selector?: Readonly<Record<string, string>>;
}

type Peer = NonNullable<NonNullable<Workload['spec']['access']>['from']>[number];
const namespaceKey = 'kubernetes.io/metadata.name';

/** Creates a NetworkPolicy if the workload restricts access, or the Platform denies by default. */
export function networkPolicy(
  workload: Workload,
  context: ProjectContext,
  options: NetworkPolicyOptions,
): KubernetesObject[] {
  const { from, to } = restrictionsOf(workload.spec.access, context);
  if (!from && !to) return [];
  const spec = {
    podSelector: { matchLabels: options.selector ?? selectorOf(workload) },
    policyTypes: [...(from ? ['Ingress'] : []), ...(to ? ['Egress'] : [])],
    ...(from && {
      ingress: [
        ...from.map((peer) => ({ from: [peerOf(peer, workload)], ...portsOf(peer) })),
        ...(options.ingress ? [ingressRule(context)] : []),
        ...(options.peers ? [{ from: ownPods(workload) }] : []),
      ],
    }),
    ...(to && {
      egress: [
        ...to.map((peer) => ({ to: [peerOf(peer, workload)], ...portsOf(peer) })),
        dnsRule(context),
        ...gatewayRule(options.apiAccess ?? workload.spec.apiAccess, context),
        ...(options.peers ? [{ to: ownPods(workload) }] : []),
      ],
    }),
  };
  return [draftObject('NetworkPolicy', { name: options.name ?? derivedName([workload.metadata.name]) }, { spec })];
}

function peerOf({ project, workload: name, cidr }: Peer, workload: Workload) {
  if (cidr !== undefined) return { ipBlock: { cidr } };
  return {
    namespaceSelector: { matchLabels: { [namespaceKey]: project ?? workload.metadata.namespace } },
    ...(name !== undefined && { podSelector: { matchLabels: { [metadataKeys.workload]: labelOf(name) } } }),
  };
}

const portsOf = ({ ports }: Peer) =>
  ports
    ? {
        ports: ports.flatMap((port) => [
          { port, protocol: 'TCP' },
          { port, protocol: 'UDP' },
        ]),
      }
    : {};

const ingressRule = (context: ProjectContext) => ({
  from: [
    {
      namespaceSelector: {
        matchExpressions: [
          { key: namespaceKey, operator: 'In', values: [...context.platform.spec.network.ingressNamespaces] },
        ],
      },
    },
  ],
});

/** Selects the pods of the workload, and those of its hooks, which prepare their data. */
const ownPods = (workload: Workload) =>
  [selectorOf(workload), ...(hooksOf(workload).length > 0 ? [hookSelectorOf(workload)] : [])].map((matchLabels) => ({
    podSelector: { matchLabels },
  }));

/** Allows the gateway to the API server to pods whose clients are led to it, but not its metrics. */
const gatewayRule = (access: ApiAccess, { platform }: ProjectContext) =>
  platform.spec.gateway && (access === 'Gateway' || access === true)
    ? [
        {
          to: [{ namespaceSelector: { matchLabels: { [namespaceKey]: gatewayNamespace } } }],
          ports: [{ port: gatewayPort, protocol: 'TCP' }],
        },
      ]
    : [];

/** Allows DNS; the node-local cache has an address that belongs to no namespace. */
const dnsRule = (context: ProjectContext) => ({
  to: [
    { namespaceSelector: { matchLabels: { [namespaceKey]: context.platform.spec.network.dnsNamespace } } },
    { ipBlock: { cidr: `${nodeNamesAddress}/32` } },
  ],
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
});
