import { metadataKeys, type Workload } from '../../api';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { labelOf, derivedName } from './name';
import { selectorOf } from './labels';
import { nodeNamesAddress } from '../profile/default-profile/node-names';
import { type ProjectContext } from '../project-context';

/** Traffic that is allowed in addition to the workload's `access`. */
interface NetworkPolicyOptions {
  /** Whether ingress controllers can reach its pods. */
  readonly ingress: boolean;
  /** Whether its pods can reach each other. */
  readonly peers: boolean;
}

type Peer = NonNullable<NonNullable<Workload['spec']['access']>['from']>[number];
const namespaceKey = 'kubernetes.io/metadata.name';

/** Creates a NetworkPolicy if the workload restricts access, or the Platform denies by default. */
export function networkPolicy(
  workload: Workload,
  context: ProjectContext,
  options: NetworkPolicyOptions,
): KubernetesObject[] {
  const { access } = workload.spec;
  const { defaultDeny } = context.platform.spec.network;
  const from = access?.from ?? (defaultDeny ? [] : undefined);
  const to = access?.to ?? (defaultDeny ? [] : undefined);
  if (!from && !to) return [];
  const spec = {
    podSelector: { matchLabels: selectorOf(workload) },
    policyTypes: [...(from ? ['Ingress'] : []), ...(to ? ['Egress'] : [])],
    ...(from && {
      ingress: [
        ...from.map((peer) => ({ from: [peerOf(peer, workload)], ...portsOf(peer) })),
        ...(options.ingress ? [ingressRule(context)] : []),
        ...(options.peers ? [{ from: [ownPods(workload)] }] : []),
      ],
    }),
    ...(to && {
      egress: [
        ...to.map((peer) => ({ to: [peerOf(peer, workload)], ...portsOf(peer) })),
        dnsRule(context),
        ...(options.peers ? [{ to: [ownPods(workload)] }] : []),
      ],
    }),
  };
  return [draftObject('NetworkPolicy', { name: derivedName([workload.metadata.name]) }, { spec })];
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

const ownPods = (workload: Workload) => ({ podSelector: { matchLabels: selectorOf(workload) } });

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
