import { etcdPorts, ports, type EtcdName } from '../../network/ports';
import { patchesFolder, withShutdownGracePeriod } from './api-server-shutdown';
import { apiServerFileFlags, apiServerFolder } from './api-server-configuration';
import { auditFolder } from './audit-log';
import { type ControlPlaneSpec, type Flags, type Member } from './control-plane-spec';
import { withMutatingPolicies } from './mutating-policies';
import { imageCredentialFlags } from '../image-credentials';
import { containerRuntimeEndpoint, kubeletConfiguration, type NodeTaint } from '../kubelet-configuration';

/** Placeholder of the node name, which is replaced on the machine. */
const nodeNamePlaceholder = '@NODE@';

/** Placeholder of the provider ID. */
const providerIdPlaceholder = '@PROVIDER_ID@';

/** Taint that keeps ordinary pods off control plane nodes. */
const controlPlaneTaint: NodeTaint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

const extraArgs = (flags: Flags) =>
  Object.keys(flags)
    .sort()
    .map((name) => ({ name, value: flags[name] ?? '' }));

/** Resources stored in an etcd of their own, in the format of `--etcd-servers-overrides`. */
const separateResources: Readonly<Partial<Record<EtcdName, string>>> = {
  events: '/events',
  leases: 'coordination.k8s.io/leases',
};

const clientUrl = (member: Member, name: EtcdName): string => `https://${member.address}:${etcdPorts[name].client}`;

/** Returns the flags of the API server that this module sets; a plan must not set them. */
export function apiServerFlags(spec: ControlPlaneSpec, member: Member): Flags {
  const { issuer } = spec.serviceAccounts;
  const overrides = spec.etcds.flatMap(({ name }) => {
    const resources = separateResources[name];
    return resources === undefined ? [] : [`${resources}#${clientUrl(member, name)}`];
  });
  return {
    ...apiServerFileFlags(spec),
    'etcd-servers': clientUrl(member, 'main'),
    ...(overrides.length > 0 && { 'etcd-servers-overrides': overrides.join(',') }),
    'kubelet-certificate-authority': '/etc/kubernetes/pki/ca.crt',
    'service-account-issuer': issuer,
    'service-account-jwks-uri': `${issuer}/openid/v1/jwks`,
  };
}

/** Returns all flags of the API server that kubeadm does not set itself: those of this module, and those of the plan. */
export const allApiServerFlags = (spec: ControlPlaneSpec, member: Member): Flags => ({
  ...apiServerFlags(spec, member),
  ...withMutatingPolicies(spec.cluster.kubernetesVersion, spec.flags['kube-apiserver']),
});

/** Returns the flags to serve metrics and profiles on the fixed address; the API server authorizes requests. */
export const servingFlags = (member: Member): Flags => ({ 'bind-address': member.address });

const initConfiguration = (spec: ControlPlaneSpec, member: Member) => ({
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'InitConfiguration',
  localAPIEndpoint: { advertiseAddress: member.address, bindPort: ports.apiServer },
  patches: { directory: patchesFolder },
  nodeRegistration: {
    name: nodeNamePlaceholder,
    criSocket: containerRuntimeEndpoint,
    taints: [controlPlaneTaint],
    kubeletExtraArgs: [
      { name: 'cloud-provider', value: 'external' },
      { name: 'provider-id', value: providerIdPlaceholder },
      ...extraArgs(imageCredentialFlags(spec.imageRegistries ?? [])),
    ],
  },
});

function clusterConfiguration(spec: ControlPlaneSpec, member: Member) {
  const { cluster, flags } = spec;
  const serving = servingFlags(member);
  const addresses = [member.address];
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: cluster.name,
    kubernetesVersion: `v${cluster.kubernetesVersion}`,
    controlPlaneEndpoint: `${cluster.endpoint}:${ports.apiServer}`,
    ...(spec.imageRepository !== undefined && { imageRepository: spec.imageRepository }),
    networking: { dnsDomain: cluster.clusterDomain, serviceSubnet: spec.serviceSubnet },
    apiServer: {
      certSANs: [cluster.endpoint, ...addresses, ...(spec.extraNames ?? [])],
      extraArgs: extraArgs(allApiServerFlags(spec, member)),
      extraEnvs: extraArgs(spec.apiServerEnvironment),
      extraVolumes: [
        volume('configuration', apiServerFolder, 'Directory', true),
        volume('audit', auditFolder, 'DirectoryOrCreate', false),
      ],
    },
    controllerManager: { extraArgs: extraArgs({ ...serving, ...flags['kube-controller-manager'] }) },
    scheduler: { extraArgs: extraArgs({ ...serving, ...flags['kube-scheduler'] }) },
    // Local, so that kubeadm creates and renews the certificates; its static pod is never created.
    etcd: { local: { dataDir: '/var/lib/etcd/main/data', serverCertSANs: addresses, peerCertSANs: addresses } },
  };
}

const volume = (name: string, path: string, pathType: string, readOnly: boolean) => ({
  name,
  hostPath: path,
  mountPath: path,
  pathType,
  readOnly,
});

/** Returns the configuration of kubeadm (`kubeadm.k8s.io/v1beta4`) and of the kubelet on one control plane node. */
export const kubeadmDocuments = (spec: ControlPlaneSpec, member: Member): object[] => [
  initConfiguration(spec, member),
  clusterConfiguration(spec, member),
  kubeletConfiguration(spec.cluster, withShutdownGracePeriod(spec.kubelet, spec.flags['kube-apiserver']), [
    controlPlaneTaint,
  ]),
];
