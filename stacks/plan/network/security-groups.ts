import { type ClusterConfig } from '../config/cluster-config';
import { type PlannedResource } from '../planned-resource';
import { ciliumPorts } from '../platform/add-ons/cilium/cilium-configuration';
import { etcdPorts, ports, type EtcdName } from './ports';
import { kubernetesTag, tagsOf, type Tags } from '../tags';

/** Source or destination of traffic: a security group, CIDR blocks, the S3 prefix list, or any address. */
export type Peer = GroupName | 'api-clients' | 'buckets' | 'anywhere';

/** Roles of security groups. */
export const groupNames = ['control-plane', 'worker', 'load-balancer', 'endpoint'] as const;

/** Role of a security group. */
export type GroupName = (typeof groupNames)[number];

/** Allowed traffic: source, destination and ports. */
export interface TrafficRule {
  readonly from: Peer;
  readonly to: Peer;
  readonly protocol: 'tcp' | 'udp' | 'all';
  /** First and last port. @default - all */
  readonly ports?: readonly [first: number, last: number];
  readonly description: string;
}

/** Rule of a security group. */
export interface GroupRule extends PlannedResource<{
  readonly ipProtocol: string;
  readonly fromPort?: number;
  readonly toPort?: number;
  readonly description: string;
  readonly cidrIpv4?: string;
  readonly tags: Tags;
}> {
  readonly direction: 'ingress' | 'egress';
  readonly group: GroupName;
  readonly peer: Peer;
}

/** Security groups of a cluster with their rules. */
export interface SecurityGroupsPlan {
  readonly groups: readonly (PlannedResource<{
    readonly name: string;
    readonly description: string;
    readonly tags: Tags;
  }> & {
    readonly group: GroupName;
  })[];
  readonly rules: readonly GroupRule[];
}

const descriptions: Readonly<Record<GroupName, string>> = {
  'control-plane': 'Control plane nodes: API server, controllers, etcd',
  worker: 'Workers',
  'load-balancer': 'API load balancer',
  endpoint: 'VPC endpoints of AWS services',
};

/** Returns all allowed traffic; everything else is blocked. */
export function trafficRules(config: ClusterConfig, etcds: readonly EtcdName[]): readonly TrafficRule[] {
  const { egress } = config.network;
  return [
    ...apiRules(config),
    ...etcds.flatMap(etcdRules),
    ...nodeRules(config),
    ...pageCacheReclaimRules(config),
    ...clientMonitorRules(config),
    ...(egress === 'endpoints' ? endpointRules : internetRules),
  ];
}

const tcp = (from: Peer, to: Peer, first: number, description: string, last = first): TrafficRule => ({
  from,
  to,
  protocol: 'tcp',
  ports: [first, last],
  description,
});

const apiRules = ({ network }: ClusterConfig): TrafficRule[] => [
  tcp('worker', 'load-balancer', ports.apiServer, 'kubelets and pods to the API host name'),
  tcp('control-plane', 'load-balancer', ports.apiServer, 'pods on control plane nodes to the API host name'),
  ...(network.apiClients.length === 0
    ? []
    : [tcp('api-clients', 'load-balancer', ports.apiServer, 'clients outside the VPC')]),
  tcp('load-balancer', 'control-plane', ports.apiServer, 'requests and health checks'),
  tcp('worker', 'control-plane', ports.apiServer, 'service kubernetes.default resolves to control plane nodes'),
  tcp('control-plane', 'control-plane', ports.apiServer, 'same for pods on control plane nodes'),
];

const etcdRules = (name: EtcdName): TrafficRule[] => {
  const { client, peer, metrics } = etcdPorts[name];
  return [
    tcp('control-plane', 'control-plane', client, `API servers to etcd ${name}`),
    tcp('control-plane', 'control-plane', peer, `members of etcd ${name}`),
    tcp('worker', 'control-plane', metrics, `metrics of etcd ${name}`),
  ];
};

function nodeRules({ network }: ClusterConfig): TrafficRule[] {
  const { protocol, port } = network.overlay;
  const pairs: readonly (readonly [GroupName, GroupName])[] = [
    ['control-plane', 'control-plane'],
    ['control-plane', 'worker'],
    ['worker', 'control-plane'],
    ['worker', 'worker'],
  ];
  return [
    ...pairs.map(([from, to]): TrafficRule => ({
      from,
      to,
      protocol,
      ports: [port, port],
      description: 'pod traffic between nodes',
    })),
    tcp('control-plane', 'worker', ports.kubelet, 'logs, exec and port-forward through the API'),
    tcp('control-plane', 'control-plane', ports.kubelet, 'same for pods on control plane nodes'),
    tcp('worker', 'worker', ports.kubelet, 'kubelet metrics'),
    tcp('worker', 'control-plane', ports.kubelet, 'kubelet metrics of control plane nodes'),
    ...(['worker', 'control-plane'] as const).flatMap((to) => [
      tcp('worker', to, ports.nodeMetrics, 'node metrics'),
      tcp('worker', to, ciliumPorts.agentMetrics, 'network plugin metrics', ciliumPorts.operatorMetrics),
    ]),
    tcp('worker', 'control-plane', ports.controllerManager, 'controller manager metrics and profiles, if authorized'),
    tcp('worker', 'control-plane', ports.scheduler, 'scheduler metrics and profiles, if authorized'),
  ];
}

const pageCacheReclaimRules = ({ pageCacheReclaim: { mode, metrics } }: ClusterConfig): TrafficRule[] =>
  mode === 'off' || metrics === 'machine'
    ? []
    : [tcp('worker', 'control-plane', ports.pageCacheReclaim, 'memory agent metrics')];

const clientMonitorRules = ({ clientMonitor }: ClusterConfig): TrafficRule[] =>
  clientMonitor === 'workers'
    ? [tcp('worker', 'control-plane', ports.clientMonitorMetrics, 'client monitor metrics')]
    : [];

const internetRules: readonly TrafficRule[] = [
  tcp('control-plane', 'anywhere', 443, 'AWS services, images, the OIDC issuer'),
  tcp('control-plane', 'anywhere', 80, 'signed OS packages'),
  { from: 'worker', to: 'anywhere', protocol: 'all', description: 'egress of workloads' },
];

const endpointRules: readonly TrafficRule[] = (['control-plane', 'worker'] as const).flatMap((from) => [
  tcp(from, 'endpoint', 443, 'AWS services'),
  tcp(from, 'buckets', 443, 'snapshots, images and logs'),
]);

const isGroup = (peer: Peer): peer is GroupName => (groupNames as readonly string[]).includes(peer);

/** Plans security groups: each traffic rule becomes an egress rule of its source and an ingress rule of its destination. */
export function securityGroupsPlan(config: ClusterConfig, etcds: readonly EtcdName[]): SecurityGroupsPlan {
  const table = trafficRules(config, etcds);
  const used = groupNames.filter((group) => table.some(({ from, to }) => from === group || to === group));
  return {
    groups: used.map((group) => ({
      name: group,
      group,
      args: {
        name: `${config.name}-${group}`,
        description: descriptions[group],
        tags: tagsOf(config, 'network', group, group === 'worker' ? { [kubernetesTag(config.name)]: 'shared' } : {}),
      },
    })),
    rules: table.flatMap((trafficRule) => [
      ...(isGroup(trafficRule.from) ? rulesOf(config, trafficRule, 'egress', trafficRule.from, trafficRule.to) : []),
      ...(isGroup(trafficRule.to) ? rulesOf(config, trafficRule, 'ingress', trafficRule.to, trafficRule.from) : []),
    ]),
  };
}

function rulesOf(
  config: ClusterConfig,
  trafficRule: TrafficRule,
  direction: GroupRule['direction'],
  group: GroupName,
  peer: Peer,
): GroupRule[] {
  const { protocol, ports: range, description } = trafficRule;
  const route = direction === 'ingress' ? `${group}-from-${peer}` : `${group}-to-${peer}`;
  const portText = range ? `${protocol}-${range[0]}` : protocol;
  const addresses =
    peer === 'anywhere' ? ['0.0.0.0/0'] : peer === 'api-clients' ? config.network.apiClients : [undefined];
  return addresses.map((cidrIpv4) => {
    const name = [route, portText, ...(peer === 'api-clients' ? [cidrIpv4?.replace('/', '-')] : [])].join('-');
    return {
      name,
      direction,
      group,
      peer,
      args: {
        ipProtocol: protocol === 'all' ? '-1' : protocol,
        ...(range && { fromPort: range[0], toPort: range[1] }),
        description,
        ...(cidrIpv4 !== undefined && { cidrIpv4 }),
        tags: tagsOf(config, 'network', name),
      },
    };
  });
}
