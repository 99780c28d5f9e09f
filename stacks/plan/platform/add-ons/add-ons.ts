import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Kubernetes minor version. */
type KubernetesMinor = PlatformStackConfig['kubernetesVersion'];

/** Add-on of the platform. */
export interface AddOn {
  /** Purpose. */
  readonly purpose: string;
  /** Version, by Kubernetes minor version if it differs. */
  readonly version: string | Readonly<Record<KubernetesMinor, string>>;
  /** Images by container; the tag, with an optional digest, defaults to the version. */
  readonly images: Readonly<Record<string, { readonly repository: string; readonly tag?: string }>>;
  /** Upstream owner. */
  readonly owner: string;
  /** Upgrade policy. */
  readonly upkeep: string;
  /** Form: plain objects, or pinion kinds. */
  readonly as: 'plain objects' | 'PinterestService' | 'PinterestDaemon' | 'PinterestService and PinterestDaemon';
  /** Reason why it uses other kinds besides those of pinion. */
  readonly reason?: string;
}

const components = 'public.ecr.aws/csi-components';
const beforeController = 'the controller depends on it';

/** All add-ons of the platform with their images. */
export const addOns = {
  'cloud-controller-manager': {
    purpose: 'Node addresses and zones, load balancers of services',
    version: { '1.35': 'v1.35.2', '1.36': 'v1.36.1' },
    images: { 'cloud-controller-manager': { repository: 'registry.k8s.io/provider-aws/cloud-controller-manager' } },
    owner: 'Kubernetes SIG Cloud Provider',
    upkeep: 'With the minor version of Kubernetes, after the API servers; patches within a month',
    as: 'plain objects',
    reason: beforeController,
  },
  'kube-proxy': {
    purpose: 'Routes service addresses to pods',
    version: { '1.35': 'v1.35.6', '1.36': 'v1.36.3' },
    images: { 'kube-proxy': { repository: 'registry.k8s.io/kube-proxy' } },
    owner: 'Kubernetes SIG Network',
    upkeep: 'With the minor version of Kubernetes, after the API servers and before the kubelets',
    as: 'plain objects',
    reason: beforeController,
  },
  cilium: {
    purpose: 'Network plugin: pod addresses, traffic between nodes, network policies',
    version: 'v1.19.6',
    images: {
      agent: {
        repository: 'quay.io/cilium/cilium',
        tag: 'v1.19.6@sha256:0df5b2750b64c49843aba1d649e9eaf61467cb0645ad3171db6f6962c095ac92',
      },
      operator: {
        repository: 'quay.io/cilium/operator-generic',
        tag: 'v1.19.6@sha256:0db4ca4e06969d8904ee036617795d0e9c3228cf7b8d902ba74fc2bb98d2d665',
      },
    },
    owner: 'Cilium project',
    upkeep:
      'Patches within a month; one minor version at a time, following the upgrade notes; the agent needs Linux 5.10',
    as: 'plain objects',
    reason: beforeController,
  },
  coredns: {
    purpose: 'DNS of services and external names',
    version: { '1.35': 'v1.13.1', '1.36': 'v1.14.2' },
    images: { coredns: { repository: 'registry.k8s.io/coredns/coredns' } },
    owner: 'CoreDNS project',
    upkeep: 'The version that kubeadm uses for the minor version of Kubernetes',
    as: 'plain objects',
    reason: beforeController,
  },
  'ebs-csi-driver': {
    purpose: 'Volumes for pods',
    version: 'v1.63.0',
    images: {
      plugin: { repository: 'public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver' },
      provisioner: { repository: `${components}/csi-provisioner`, tag: 'v6.3.0-eksbuild.3' },
      attacher: { repository: `${components}/csi-attacher`, tag: 'v4.12.0-eksbuild.4' },
      resizer: { repository: `${components}/csi-resizer`, tag: 'v2.2.1-eksbuild.2' },
      liveness: { repository: `${components}/livenessprobe`, tag: 'v2.19.0-eksbuild.4' },
      registrar: { repository: `${components}/csi-node-driver-registrar`, tag: 'v2.17.0-eksbuild.4' },
    },
    owner: 'Kubernetes SIG Storage, with AWS',
    upkeep: 'Quarterly, driver and sidecars as one release',
    as: 'PinterestService and PinterestDaemon',
    reason: 'cluster roles, CSIDriver and StorageClass are plain objects',
  },
  'metrics-server': {
    purpose: 'CPU and memory metrics of pods, for autoscalers',
    version: 'v0.8.1',
    images: { 'metrics-server': { repository: 'registry.k8s.io/metrics-server/metrics-server' } },
    owner: 'Kubernetes SIG Instrumentation',
    upkeep: 'Twice a year, following its Kubernetes compatibility table',
    as: 'PinterestService',
    reason: 'cluster roles and the APIService are plain objects',
  },
  'cluster-autoscaler': {
    purpose: 'Scales nodes for pending pods, within bounds',
    version: { '1.35': 'v1.35.2', '1.36': 'v1.36.1' },
    images: { 'cluster-autoscaler': { repository: 'registry.k8s.io/autoscaling/cluster-autoscaler' } },
    owner: 'Kubernetes SIG Autoscaling',
    upkeep: 'With the minor version of Kubernetes, whose scheduler it simulates',
    as: 'PinterestService',
    reason: 'cluster roles are plain objects',
  },
  traefik: {
    purpose: 'Ingress controller: HTTP by host name',
    version: 'v3.7.11',
    images: { traefik: { repository: 'docker.io/library/traefik' } },
    owner: 'Traefik Labs',
    upkeep: 'Patches within a week, because it faces clients; one minor version at a time',
    as: 'PinterestService',
    reason: 'cluster roles, IngressClasses and the load balancer Service are plain objects',
  },
  'external-dns': {
    purpose: 'Host names of services in the hosted zone',
    version: 'v0.21.0',
    images: { 'external-dns': { repository: 'registry.k8s.io/external-dns/external-dns' } },
    owner: 'Kubernetes SIG Network',
    upkeep: 'Twice a year, after a --dry-run',
    as: 'PinterestService',
    reason: 'cluster roles are plain objects',
  },
} as const satisfies Readonly<Record<string, AddOn>>;

/** Name of an add-on. */
export type AddOnName = keyof typeof addOns;

/** Returns the version of an add-on for a Kubernetes minor version. */
export function addOnVersion(name: AddOnName, kubernetesVersion: KubernetesMinor): string {
  const { version }: AddOn = addOns[name];
  return typeof version === 'string' ? version : version[kubernetesVersion];
}

/** Returns an image as the cluster pulls it: from its registry or the mirror of that registry. */
export function mirrored(image: string, registries: PlatformStackConfig['registries']): string {
  const [registry = '', ...path] = image.split('/');
  return [registries[registry] ?? registry, ...path].join('/');
}

/** Returns the image of an add-on as the cluster pulls it. */
export function addOnImage(
  { kubernetesVersion, registries }: Pick<PlatformStackConfig, 'kubernetesVersion' | 'registries'>,
  name: AddOnName,
  container: string = name,
): string {
  const images: AddOn['images'] = addOns[name].images;
  const image = images[container];
  if (!image) throw new RangeError(`add-on ${name} has no image for ${container}`);
  return mirrored(`${image.repository}:${image.tag ?? addOnVersion(name, kubernetesVersion)}`, registries);
}
