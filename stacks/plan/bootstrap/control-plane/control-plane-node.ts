import { addressAt, formatAddress, parseCidr } from '../../network/cidr';
import { etcdPorts, ports, type EtcdName } from '../../network/ports';
import { type Tags } from '../../tags';
import { accessObjects, administratorBinding, bootstrapGroup } from './access-objects';
import { shutdownPatch } from './api-server-shutdown';
import { apiServerFiles } from './api-server-configuration';
import { type ControlPlaneSpec, type Member } from './control-plane-spec';
import { yamlText } from '../text/yaml-text';
import { etcdUnit, etcdUnitName, initialCluster } from './etcd-unit';
import { hostFiles, hostUnits } from '../host-parts';
import { imageCredentials } from '../image-credentials';
import { kubeadmDocuments } from './kubeadm-configuration';
import { podTraffic } from '../pod-traffic';
import { plainFile, program, type MachineFile } from '../text/machine-file';
import { crictlConfiguration, controlPlaneUnits } from '../machine-units';
import { attachScript } from '../scripts/attach-script';
import { certificatesScript } from '../scripts/certificates-script';
import { etcdctlScript } from '../scripts/etcdctl-script';
import { machineScript } from '../scripts/machine-script';
import { controlPlaneScript } from '../scripts/control-plane-script';
import { recoveryScript } from '../scripts/recovery-script';
import { postBootstrapScript } from '../scripts/post-bootstrap-script';
import { snapshotScript } from '../scripts/snapshot-script';
import { shellSettings, type ShellSettings } from '../text/shell-settings';
import { userData, type UserData } from '../user-data';

/** Returns the user data of one control plane node; deterministic for a specification and member. */
export const controlPlaneUserData = (spec: ControlPlaneSpec, member: Member): UserData =>
  userData(controlPlaneFiles(spec, member), spec.host.packages, 'pinion-control-plane.service');

/** Returns the files of one control plane node without secrets: those are created or fetched on the machine. */
export const controlPlaneFiles = (spec: ControlPlaneSpec, member: Member): MachineFile[] => [
  ...hostFiles(spec.host),
  plainFile('/etc/pinion/machine.conf', shellSettings(nodeSettings(spec, member))),
  plainFile('/etc/pinion/kubeadm.yaml', yamlText(...kubeadmDocuments(spec, member))),
  shutdownPatch(spec.flags['kube-apiserver']),
  plainFile('/etc/pinion/administrators.yaml', yamlText(administratorBinding)),
  plainFile('/etc/pinion/objects.yaml', yamlText(...accessObjects(spec.oidc), ...spec.objects)),
  ...apiServerFiles(spec),
  crictlConfiguration,
  podTraffic(spec.cluster.workerSubnets),
  ...imageCredentials(spec.imageRegistries ?? []),
  plainFile('/etc/systemd/networkd.conf.d/90-pinion.conf', keepRoutes),
  ...spec.etcds.map((etcd) =>
    plainFile(`/etc/systemd/system/${etcdUnitName(etcd.name)}`, etcdUnit(spec, member, etcd)),
  ),
  ...controlPlaneUnits(spec, member),
  plainFile('/opt/pinion/lib/machine.sh', machineScript),
  plainFile('/opt/pinion/lib/attach.sh', attachScript),
  program('/opt/pinion/bin/control-plane', controlPlaneScript),
  program('/opt/pinion/bin/post-bootstrap', postBootstrapScript),
  program('/opt/pinion/bin/etcdctl-of', etcdctlScript),
  program('/opt/pinion/bin/etcd-snapshot', snapshotScript),
  program('/opt/pinion/bin/etcd-recover', recoveryScript),
  program('/opt/pinion/bin/renew-certificates', certificatesScript),
];

const keepRoutes = `# networkd does not manage the routes of the second interface; without this it removes them when it restarts.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;

/** Returns the settings of a control plane node's scripts. */
function nodeSettings(spec: ControlPlaneSpec, member: Member): ShellSettings {
  const { cluster, members, serviceAccounts, snapshots } = spec;
  const names = spec.etcds.map(({ name }) => name);
  const perEtcd = (value: (name: EtcdName) => string) => Object.fromEntries(names.map((name) => [name, value(name)]));
  return {
    CLUSTER: cluster.name,
    AWS_REGION: cluster.region,
    API_PORT: String(ports.apiServer),
    PARAMETERS: cluster.parameters,
    PARAMETER_KEY: spec.parameterKey ?? '',
    MEMBER: member.name,
    ADDRESS: member.address,
    GATEWAY: routerOf(member.subnet),
    ROUTE_TABLE: '100',
    PEERS: members.filter(({ name }) => name !== member.name).map(({ name, address }) => `${name}=${address}`),
    INTERFACE_FILTERS: tagFilters(member.interfaceTags),
    ETCDS: names,
    VOLUME_FILTERS: names.map((name) => tagFilters(member.volumeTags[name] ?? {})),
    CLIENT_PORTS: perEtcd((name) => String(etcdPorts[name].client)),
    PEER_PORTS: perEtcd((name) => String(etcdPorts[name].peer)),
    INITIAL_CLUSTERS: perEtcd((name) => initialCluster(members, name)),
    BOOTSTRAP_GROUP: bootstrapGroup,
    DISCOVERY_BUCKET: serviceAccounts.bucket,
    DISCOVERY_PATH: serviceAccounts.path,
    SNAPSHOT_BUCKET: snapshots.bucket,
    SNAPSHOT_PATH: snapshots.path,
    HOST_PACKAGES: spec.host.packages,
    HOST_UNITS: hostUnits(spec.host),
  };
}

const tagFilters = (tags: Tags): string =>
  JSON.stringify(
    Object.keys(tags)
      .sort()
      .map((key) => ({ Name: `tag:${key}`, Values: [tags[key]] })),
  );

/** Returns the router address of a subnet, which on AWS is the first address after the network address. */
function routerOf(subnet: string): string {
  const block = parseCidr(subnet);
  if (!block) throw new TypeError(`${subnet} is not a CIDR block`);
  return formatAddress(addressAt(block, 1));
}
