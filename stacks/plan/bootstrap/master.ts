import { addressAt, formatAddress, parseCidr } from '../cidr';
import { etcdPorts, ports, type EtcdName } from '../ports';
import { type Tags } from '../tags';
import { accessObjects, administratorBinding, bootstrapGroup } from './access-objects';
import { endingPatch } from './api-server-ending';
import { apiServerFiles } from './api-server-configuration';
import { type ControlPlaneSpec, type Member } from './control-plane-spec';
import { documentText } from './document-text';
import { etcdUnit, etcdUnitName, initialCluster } from './etcd-unit';
import { hostFiles, hostUnits } from './host-parts';
import { imageCredentials } from './image-credentials';
import { kubeadmDocuments } from './kubeadm-configuration';
import { plainFile, program, type MachineFile } from './machine-file';
import { crictlConfiguration, masterUnits } from './machine-units';
import { attachScript } from './scripts/attach-script';
import { certificatesScript } from './scripts/certificates-script';
import { etcdctlScript } from './scripts/etcdctl-script';
import { machineScript } from './scripts/machine-script';
import { masterScript } from './scripts/master-script';
import { recoveryScript } from './scripts/recovery-script';
import { settleScript } from './scripts/settle-script';
import { snapshotScript } from './scripts/snapshot-script';
import { shellSettings, type ShellSettings } from './shell-settings';
import { userData, type UserData } from './user-data';

/** User data of one master; the same specification and member always give the same bytes. */
export const masterUserData = (spec: ControlPlaneSpec, member: Member): UserData =>
  userData(masterFiles(spec, member), spec.host.packages, 'pinion-master.service');

/** Files of one master, secrets apart: those are made or fetched on the machine. */
export const masterFiles = (spec: ControlPlaneSpec, member: Member): MachineFile[] => [
  ...hostFiles(spec.host),
  plainFile('/etc/pinion/machine.conf', shellSettings(masterSettings(spec, member))),
  plainFile('/etc/pinion/kubeadm.yaml', documentText(...kubeadmDocuments(spec, member))),
  endingPatch(spec.flags['kube-apiserver']),
  plainFile('/etc/pinion/administrators.yaml', documentText(administratorBinding)),
  plainFile('/etc/pinion/objects.yaml', documentText(...accessObjects(spec.people), ...spec.objects)),
  ...apiServerFiles(spec),
  crictlConfiguration,
  ...imageCredentials(spec.imageRegistries ?? []),
  plainFile('/etc/systemd/networkd.conf.d/90-pinion.conf', keepRoutes),
  ...spec.etcds.map((etcd) =>
    plainFile(`/etc/systemd/system/${etcdUnitName(etcd.name)}`, etcdUnit(spec, member, etcd)),
  ),
  ...masterUnits(spec, member),
  plainFile('/opt/pinion/lib/machine.sh', machineScript),
  plainFile('/opt/pinion/lib/attach.sh', attachScript),
  program('/opt/pinion/bin/master', masterScript),
  program('/opt/pinion/bin/settle', settleScript),
  program('/opt/pinion/bin/etcdctl-of', etcdctlScript),
  program('/opt/pinion/bin/etcd-snapshot', snapshotScript),
  program('/opt/pinion/bin/etcd-recover', recoveryScript),
  program('/opt/pinion/bin/renew-certificates', certificatesScript),
];

const keepRoutes = `# The routes of the second interface are not networkd's, which would otherwise remove them when it restarts.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;

/** What a master's scripts are told. */
function masterSettings(spec: ControlPlaneSpec, member: Member): ShellSettings {
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

/** The router of a subnet, which AWS puts at the first address after that of the block itself. */
function routerOf(subnet: string): string {
  const block = parseCidr(subnet);
  if (!block) throw new TypeError(`${subnet} is no block of addresses`);
  return formatAddress(addressAt(block, 1));
}
