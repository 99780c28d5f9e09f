import { type PlatformFacts } from './platform-facts';

/** Minor version of Kubernetes. */
type KubernetesMinor = PlatformFacts['kubernetes'];

/** One program that the platform puts on a cluster, and who keeps it up to date. */
export interface AddOn {
  /** What it does there. */
  readonly purpose: string;
  /** Version by minor version of Kubernetes where it differs, else the one. */
  readonly version: string | Readonly<Record<KubernetesMinor, string>>;
  /** Images by container: repository, and the tag or the tag with its digest where that is not the version. */
  readonly images: Readonly<Record<string, { readonly repository: string; readonly tag?: string }>>;
  /** Who releases it. */
  readonly owner: string;
  /** When it is renewed, and what to look at then. */
  readonly upkeep: string;
  /** How it is said: objects of Kubernetes, or kinds of ours. */
  readonly as: 'plain objects' | 'PinterestService' | 'PinterestDaemon' | 'PinterestService and PinterestDaemon';
  /** Why it is not, or not wholly, said in kinds of ours. */
  readonly because?: string;
}

const components = 'public.ecr.aws/csi-components';
const beforeController = 'the controller itself waits for it';

/** Every program that the platform puts on a cluster; an image that is not here is on none. */
export const addOns = {
  'cloud-controller-manager': {
    purpose: 'Gives nodes their addresses and zones, and services their load balancers',
    version: { '1.35': 'v1.35.2', '1.36': 'v1.36.1' },
    images: { 'cloud-controller-manager': { repository: 'registry.k8s.io/provider-aws/cloud-controller-manager' } },
    owner: 'Kubernetes SIG Cloud Provider',
    upkeep: 'With the minor version of Kubernetes, after the API servers; patches within a month',
    as: 'plain objects',
    because: beforeController,
  },
  'kube-proxy': {
    purpose: 'Leads the addresses of services to pods',
    version: { '1.35': 'v1.35.6', '1.36': 'v1.36.3' },
    images: { 'kube-proxy': { repository: 'registry.k8s.io/kube-proxy' } },
    owner: 'Kubernetes SIG Network',
    upkeep: 'With the minor version of Kubernetes, after the API servers and before the kubelets',
    as: 'plain objects',
    because: beforeController,
  },
  cilium: {
    purpose: 'Network plugin: addresses of pods, packets between nodes, network policies',
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
      'Patches within a month; one minor version at a time, after its upgrade notes were read; the agent needs Linux 5.10',
    as: 'plain objects',
    because: beforeController,
  },
  coredns: {
    purpose: 'Names of services, and of what is outside',
    version: { '1.35': 'v1.13.1', '1.36': 'v1.14.2' },
    images: { coredns: { repository: 'registry.k8s.io/coredns/coredns' } },
    owner: 'CoreDNS project',
    upkeep: 'The version that kubeadm names for the minor version of Kubernetes',
    as: 'plain objects',
    because: beforeController,
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
    upkeep: 'Quarterly, the driver and the programs beside it as one released set',
    as: 'PinterestService and PinterestDaemon',
    because: 'rights on the cluster, CSIDriver and StorageClass are no workloads',
  },
  'metrics-server': {
    purpose: 'CPU and memory of pods, which autoscalers follow',
    version: 'v0.8.1',
    images: { 'metrics-server': { repository: 'registry.k8s.io/metrics-server/metrics-server' } },
    owner: 'Kubernetes SIG Instrumentation',
    upkeep: 'Twice a year; its table of supported versions of Kubernetes decides',
    as: 'PinterestService',
    because: 'rights on the cluster and the APIService are no workloads',
  },
  'cluster-autoscaler': {
    purpose: 'Number of nodes by what waits for room, within bounds',
    version: { '1.35': 'v1.35.2', '1.36': 'v1.36.1' },
    images: { 'cluster-autoscaler': { repository: 'registry.k8s.io/autoscaling/cluster-autoscaler' } },
    owner: 'Kubernetes SIG Autoscaling',
    upkeep: 'With the minor version of Kubernetes, whose scheduler it simulates',
    as: 'PinterestService',
    because: 'rights on the cluster are no workloads',
  },
  traefik: {
    purpose: 'Ingress controller: HTTP by host name from outside',
    version: 'v3.7.11',
    images: { traefik: { repository: 'docker.io/library/traefik' } },
    owner: 'Traefik Labs',
    upkeep: 'Patches within a week, because it faces clients; one minor version at a time',
    as: 'PinterestService',
    because: 'rights on the cluster, IngressClasses and the Service with a load balancer of AWS are no workloads',
  },
  'external-dns': {
    purpose: 'Host names of services in the hosted zone',
    version: 'v0.21.0',
    images: { 'external-dns': { repository: 'registry.k8s.io/external-dns/external-dns' } },
    owner: 'Kubernetes SIG Network',
    upkeep: 'Twice a year; what it would change is looked at with --dry-run first',
    as: 'PinterestService',
    because: 'rights on the cluster are no workloads',
  },
} as const satisfies Readonly<Record<string, AddOn>>;

/** Name of an add-on. */
export type AddOnName = keyof typeof addOns;

/** Version of an add-on on a minor version of Kubernetes. */
export function versionOf(name: AddOnName, kubernetes: KubernetesMinor): string {
  const { version }: AddOn = addOns[name];
  return typeof version === 'string' ? version : version[kubernetes];
}

/** An image as the cluster pulls it: from the registry itself, or from where that is mirrored. */
export function mirrored(image: string, registries: PlatformFacts['registries']): string {
  const [registry = '', ...path] = image.split('/');
  return [registries[registry] ?? registry, ...path].join('/');
}

/** Full name of an image of an add-on, from where the cluster pulls it. */
export function imageOf(
  { kubernetes, registries }: Pick<PlatformFacts, 'kubernetes' | 'registries'>,
  name: AddOnName,
  container: string = name,
): string {
  const images: AddOn['images'] = addOns[name].images;
  const image = images[container];
  if (!image) throw new RangeError(`add-on ${name} has no image for ${container}`);
  return mirrored(`${image.repository}:${image.tag ?? versionOf(name, kubernetes)}`, registries);
}
