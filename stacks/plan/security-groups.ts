import { type ClusterConfig } from './cluster-config';
import { type Planned } from './planned';
import { ciliumPorts } from './platform/cilium-configuration';
import { etcdPorts, ports, type EtcdName } from './ports';
import { kubernetesTag, tagsOf, type Tags } from './tags';

/** Machines and addresses that packets come from or go to: our groups, networks by address, and what is outside. */
export type Peer = GroupName | 'api-clients' | 'buckets' | 'anywhere';

/** Security groups of a cluster, by role. */
export const groupNames = ['master', 'worker', 'load-balancer', 'endpoint'] as const;

/** A security group of a cluster. */
export type GroupName = (typeof groupNames)[number];

/** Who may reach whom on which ports, and why. */
export interface Passage {
  readonly from: Peer;
  readonly to: Peer;
  readonly protocol: 'tcp' | 'udp' | 'all';
  /** First and last port; all of them where left out. */
  readonly ports?: readonly [first: number, last: number];
  readonly why: string;
}

/** One rule of one group; its peer is another group, addresses, or the prefix list of buckets. */
export interface GroupRule extends Planned<{
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

/** Groups of a cluster with their rules, one resource each. */
export interface SecurityGroupsPlan {
  readonly groups: readonly (Planned<{ readonly name: string; readonly description: string; readonly tags: Tags }> & {
    readonly group: GroupName;
  })[];
  readonly rules: readonly GroupRule[];
}

const descriptions: Readonly<Record<GroupName, string>> = {
  master: 'Masters: API server, controllers, etcd',
  worker: 'Nodes that run workloads',
  'load-balancer': 'Load balancer of the API',
  endpoint: 'Endpoints of services of AWS',
};

/** The table of passages: what is not in it is closed. */
export function passages(config: ClusterConfig, etcds: readonly EtcdName[]): readonly Passage[] {
  const { egress } = config.network;
  return [
    ...apiPassages(config),
    ...etcds.flatMap(etcdPassages),
    ...nodePassages(config),
    ...memoryPassages(config),
    ...(egress === 'endpoints' ? endpointPassages : outwardPassages),
  ];
}

const tcp = (from: Peer, to: Peer, first: number, why: string, last = first): Passage => ({
  from,
  to,
  protocol: 'tcp',
  ports: [first, last],
  why,
});

const apiPassages = ({ network }: ClusterConfig): Passage[] => [
  tcp('worker', 'load-balancer', ports.apiServer, 'kubelets and pods by the name of the API'),
  tcp('master', 'load-balancer', ports.apiServer, 'pods on masters by the name of the API'),
  ...(network.apiClients.length === 0
    ? []
    : [tcp('api-clients', 'load-balancer', ports.apiServer, 'people and programs outside the VPC')]),
  tcp('load-balancer', 'master', ports.apiServer, 'requests and health checks'),
  tcp('worker', 'master', ports.apiServer, 'the service kubernetes.default leads to the masters themselves'),
  tcp('master', 'master', ports.apiServer, 'the same for pods on masters'),
];

const etcdPassages = (name: EtcdName): Passage[] => {
  const { client, peer, metrics } = etcdPorts[name];
  return [
    tcp('master', 'master', client, `API servers to etcd ${name}`),
    tcp('master', 'master', peer, `members of etcd ${name}`),
    tcp('worker', 'master', metrics, `metrics of etcd ${name}`),
  ];
};

function nodePassages({ network }: ClusterConfig): Passage[] {
  const { protocol, port } = network.overlay;
  const pairs: readonly (readonly [GroupName, GroupName])[] = [
    ['master', 'master'],
    ['master', 'worker'],
    ['worker', 'master'],
    ['worker', 'worker'],
  ];
  return [
    ...pairs.map(([from, to]): Passage => ({
      from,
      to,
      protocol,
      ports: [port, port],
      why: 'packets of pods between nodes',
    })),
    tcp('master', 'worker', ports.kubelet, 'logs, exec and port-forward by way of the API'),
    tcp('master', 'master', ports.kubelet, 'the same for pods on masters'),
    tcp('worker', 'worker', ports.kubelet, 'metrics of kubelets'),
    tcp('worker', 'master', ports.kubelet, 'metrics of kubelets on masters'),
    ...(['worker', 'master'] as const).flatMap((to) => [
      tcp('worker', to, ports.nodeMetrics, 'metrics of machines'),
      tcp('worker', to, ciliumPorts.agentMetrics, 'metrics of the network plugin', ciliumPorts.operatorMetrics),
    ]),
    tcp('worker', 'master', ports.controllerManager, 'metrics and profiles of the controller manager, for who may'),
    tcp('worker', 'master', ports.scheduler, 'metrics and profiles of the scheduler, for who may'),
  ];
}

const memoryPassages = ({ masterMemory: { mode, metrics } }: ClusterConfig): Passage[] =>
  mode === 'off' || metrics === 'machine'
    ? []
    : [tcp('worker', 'master', ports.masterMemory, 'metrics of the memory agent')];

const outwardPassages: readonly Passage[] = [
  tcp('master', 'anywhere', 443, 'services of AWS, images, the issuer that people log in with'),
  tcp('master', 'anywhere', 80, 'packages of the operating system, which are signed'),
  { from: 'worker', to: 'anywhere', protocol: 'all', why: 'what workloads call' },
];

const endpointPassages: readonly Passage[] = (['master', 'worker'] as const).flatMap((from) => [
  tcp(from, 'endpoint', 443, 'services of AWS'),
  tcp(from, 'buckets', 443, 'snapshots, images and logs'),
]);

const isGroup = (peer: Peer): peer is GroupName => (groupNames as readonly string[]).includes(peer);

/** Plans security groups: a passage is a rule of each of its ends that is a group of ours. */
export function securityGroupsPlan(config: ClusterConfig, etcds: readonly EtcdName[]): SecurityGroupsPlan {
  const table = passages(config, etcds);
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
    rules: table.flatMap((passage) => [
      ...(isGroup(passage.from) ? rulesOf(config, passage, 'egress', passage.from, passage.to) : []),
      ...(isGroup(passage.to) ? rulesOf(config, passage, 'ingress', passage.to, passage.from) : []),
    ]),
  };
}

function rulesOf(
  config: ClusterConfig,
  passage: Passage,
  direction: GroupRule['direction'],
  group: GroupName,
  peer: Peer,
): GroupRule[] {
  const { protocol, ports: range, why } = passage;
  const way = direction === 'ingress' ? `${group}-from-${peer}` : `${group}-to-${peer}`;
  const what = range ? `${protocol}-${range[0]}` : protocol;
  const addresses =
    peer === 'anywhere' ? ['0.0.0.0/0'] : peer === 'api-clients' ? config.network.apiClients : [undefined];
  return addresses.map((cidrIpv4) => {
    const name = [way, what, ...(peer === 'api-clients' ? [cidrIpv4?.replace('/', '-')] : [])].join('-');
    return {
      name,
      direction,
      group,
      peer,
      args: {
        ipProtocol: protocol === 'all' ? '-1' : protocol,
        ...(range && { fromPort: range[0], toPort: range[1] }),
        description: why,
        ...(cidrIpv4 !== undefined && { cidrIpv4 }),
        tags: tagsOf(config, 'network', name),
      },
    };
  });
}
