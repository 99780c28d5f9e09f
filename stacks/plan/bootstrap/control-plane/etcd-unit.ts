import { etcdPorts, type EtcdName } from '../../network/ports';
import { type ControlPlaneSpec, type EtcdSpec, type Flags, type Member } from './control-plane-spec';
import { commandText, unitText } from '../text/unit-text';

/** Returns the mount path of the database volume; the data is in a subfolder, because the root of a file system contains other files. */
export const etcdFolder = (name: EtcdName): string => `/var/lib/etcd/${name}`;

/** Returns the `--initial-cluster` value of an etcd, such as `a=https://10.0.1.10:2380,…`. */
export const initialCluster = (members: readonly Member[], name: EtcdName): string =>
  members.map((member) => `${member.name}=${peerUrl(member, name)}`).join(',');

const peerUrl = (member: Member, name: EtcdName): string => `https://${member.address}:${etcdPorts[name].peer}`;

const pki = '/etc/kubernetes/pki/etcd';

/** Returns the flags of a member that this module sets; a plan must not set them. */
export function etcdFlags(spec: ControlPlaneSpec, member: Member, name: EtcdName): Flags {
  const client = `https://${member.address}:${etcdPorts[name].client}`;
  const peer = peerUrl(member, name);
  return {
    name: member.name,
    'data-dir': `${etcdFolder(name)}/data`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': initialCluster(spec.members, name),
    'initial-cluster-token': `${spec.cluster.name}-${name}`,
    'client-cert-auth': 'true',
    'trusted-ca-file': `${pki}/ca.crt`,
    'cert-file': `${pki}/server.crt`,
    'key-file': `${pki}/server.key`,
    'peer-client-cert-auth': 'true',
    'peer-trusted-ca-file': `${pki}/ca.crt`,
    'peer-cert-file': `${pki}/peer.crt`,
    'peer-key-file': `${pki}/peer.key`,
    'listen-metrics-urls': `http://${member.address}:${etcdPorts[name].metrics}`,
    'enable-pprof': 'true',
  };
}

/** Returns the unit name of an etcd. */
export const etcdUnitName = (name: EtcdName): string => `etcd-${name}.service`;

/** Returns the unit of a member; only a file on the machine decides whether it starts a new cluster or joins one. */
export function etcdUnit(spec: ControlPlaneSpec, member: Member, etcd: EtcdSpec): string {
  const flags = { ...etcdFlags(spec, member, etcd.name), ...etcd.flags };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return unitText({
    Unit: {
      Description: `etcd ${etcd.name}, member ${member.name}`,
      StartLimitIntervalSec: '0',
    },
    Service: {
      Type: 'notify',
      // Readiness requires a quorum, which may need the other control plane nodes first.
      TimeoutStartSec: 'infinity',
      Environment: 'ETCD_INITIAL_CLUSTER_STATE=new',
      EnvironmentFile: `-/etc/pinion/etcd-${etcd.name}.join`,
      ExecStart: commandText('/usr/local/bin/etcd', args),
      Restart: 'always',
      RestartSec: '5',
      LimitNOFILE: '1048576',
      OOMScoreAdjust: '-998',
      IOSchedulingClass: 'best-effort',
      IOSchedulingPriority: '0',
    },
  });
}
