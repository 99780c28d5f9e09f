import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder next to this file that pins Go programs with `go.mod` and `go.sum`; the code of most is in the modules that it requires. */
export interface GoModule {
  readonly folder: string;
  /** The module whose version its programs report. */
  readonly pins: string;
  /** Go package of each program. */
  readonly programs: Readonly<Record<string, string>>;
  /** Packages whose version variables are set at link time; otherwise a server reports v0.0.0. */
  readonly versionPackages: readonly string[];
  /** Variables that are set to the plain version. @default - none */
  readonly versionVariables?: readonly string[];
}

const kubernetes: GoModule = {
  folder: 'kubernetes',
  pins: 'k8s.io/kubernetes',
  programs: {
    'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
    'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
    'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
    kubectl: 'k8s.io/kubernetes/cmd/kubectl',
    kubelet: 'k8s.io/kubernetes/cmd/kubelet',
    'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
    kubeadm: 'k8s.io/kubernetes/cmd/kubeadm',
  },
  versionPackages: ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'],
};

/** The older of the supported versions, for rehearsals of control plane nodes and workers. */
const olderKubernetes: GoModule = {
  folder: 'kubernetes-1.35',
  pins: 'k8s.io/kubernetes',
  programs: {
    'kube-apiserver-1.35': 'k8s.io/kubernetes/cmd/kube-apiserver',
    'kube-controller-manager-1.35': 'k8s.io/kubernetes/cmd/kube-controller-manager',
    'kube-scheduler-1.35': 'k8s.io/kubernetes/cmd/kube-scheduler',
    'kubeadm-1.35': 'k8s.io/kubernetes/cmd/kubeadm',
    'kubectl-1.35': 'k8s.io/kubernetes/cmd/kubectl',
    'kubelet-1.35': 'k8s.io/kubernetes/cmd/kubelet',
  },
  versionPackages: kubernetes.versionPackages,
};

const etcd: GoModule = {
  folder: 'etcd',
  pins: 'go.etcd.io/etcd/server/v3',
  programs: {
    etcd: 'go.etcd.io/etcd/server/v3',
    etcdctl: 'go.etcd.io/etcd/etcdctl/v3',
    etcdutl: 'go.etcd.io/etcd/etcdutl/v3',
  },
  versionPackages: [],
};

/** The older etcd, whose files are read; its programs have a version suffix. */
const olderEtcd: GoModule = {
  folder: 'etcd-3.5',
  pins: 'go.etcd.io/etcd/server/v3',
  programs: {
    'etcd-3.5': 'go.etcd.io/etcd/server/v3',
    'etcdctl-3.5': 'go.etcd.io/etcd/etcdctl/v3',
    'etcdutl-3.5': 'go.etcd.io/etcd/etcdutl/v3',
  },
  versionPackages: [],
};

const kwok: GoModule = {
  folder: 'kwok',
  pins: 'sigs.k8s.io/kwok',
  programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
  versionPackages: [],
};

/** The controller that job sets are compared with. */
const jobSet: GoModule = {
  folder: 'jobset',
  pins: 'sigs.k8s.io/jobset',
  programs: { jobset: 'sigs.k8s.io/jobset' },
  versionPackages: [],
};

/** The engine that runs the stacks. */
const pulumi: GoModule = {
  folder: 'pulumi',
  pins: 'github.com/pulumi/pulumi/pkg/v3',
  programs: { pulumi: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi' },
  versionPackages: [],
  versionVariables: ['github.com/pulumi/pulumi/sdk/v3/go/common/version.Version'],
};

/** Keeps the metrics of short-lived programs until they are scraped. */
const pushgateway: GoModule = {
  folder: 'pushgateway',
  pins: 'github.com/prometheus/pushgateway',
  programs: { pushgateway: 'github.com/prometheus/pushgateway' },
  versionPackages: [],
  versionVariables: ['github.com/prometheus/common/version.Version'],
};

/** The ingress controller of the platform stack. */
const traefik: GoModule = {
  folder: 'traefik',
  pins: 'github.com/traefik/traefik/v3',
  programs: { traefik: 'github.com/traefik/traefik/v3/cmd/traefik' },
  versionPackages: [],
};

/** Checks GitHub workflows. */
const actionlint: GoModule = {
  folder: 'actionlint',
  pins: 'github.com/rhysd/actionlint',
  programs: { actionlint: 'github.com/rhysd/actionlint/cmd/actionlint' },
  versionPackages: [],
};

/** Clients as other teams write them in Go, for benchmarks; their code is in the folder. */
const kubernetesClients: GoModule = {
  folder: 'kubernetes-clients',
  pins: 'k8s.io/client-go',
  programs: { 'kubernetes-clients': '.' },
  versionPackages: ['k8s.io/client-go/pkg/version'],
};

/** All Go modules that the end-to-end tests and the benchmarks can build. */
export const goModules: readonly GoModule[] = [
  kubernetes,
  olderKubernetes,
  etcd,
  olderEtcd,
  kwok,
  jobSet,
  pulumi,
  pushgateway,
  traefik,
  actionlint,
  kubernetesClients,
];

/** Returns the module that builds a program. Throws if there is none. */
export function findModule(program: string): GoModule {
  const module = goModules.find(({ programs }) => program in programs);
  if (!module) throw new Error(`no Go module here builds ${program}`);
  return module;
}

/** Returns the absolute folder of a module. */
export const moduleFolder = (module: GoModule): string => join(__dirname, module.folder);

const codeOf = (module: GoModule): readonly string[] =>
  readdirSync(moduleFolder(module))
    .filter((name) => name.endsWith('.go'))
    .sort();

const goMod = (module: GoModule): string => readFileSync(join(moduleFolder(module), 'go.mod'), 'utf8');

/** Returns the version that a module pins, such as `v1.36.3`. Throws if its go.mod does not require it. */
export function pinnedVersion(module: GoModule): string {
  const required = new RegExp(`^\\s*(?:require )?${module.pins} (v[\\d.]+)(?: //.*)?$`, 'm').exec(goMod(module));
  if (!required?.[1]) throw new Error(`${module.folder}/go.mod does not require ${module.pins}`);
  return required[1];
}

/** Returns the minimum Go version of a module, as [major, minor]. */
export function neededGo(module: GoModule): readonly [number, number] {
  const line = /^go (\d+)\.(\d+)/m.exec(goMod(module));
  if (!line) throw new Error(`${module.folder}/go.mod has no go line`);
  return [Number(line[1]), Number(line[2])];
}

/** Returns the arguments of `go build` before the output; they are part of the cache key. */
export function buildFlags(module: GoModule): readonly string[] {
  const version = pinnedVersion(module);
  const [major = '', minor = ''] = version.slice(1).split('.');
  const settings = module.versionPackages.flatMap((name) => [
    `-X ${name}.gitVersion=${version}`,
    `-X ${name}.gitMajor=${major}`,
    `-X ${name}.gitMinor=${minor}`,
    `-X ${name}.gitTreeState=clean`,
  ]);
  for (const name of module.versionVariables ?? []) settings.push(`-X ${name}=${version}`);
  return ['-mod=readonly', '-buildvcs=false', '-trimpath', `-ldflags=${['-s -w', ...settings].join(' ')}`];
}

/** Returns the cache folder name of a module: it changes with go.mod, go.sum, its code, the build flags and the platform. */
export function cacheKey(module: GoModule): string {
  const hash = createHash('sha256').update(goMod(module));
  for (const file of ['go.sum', ...codeOf(module)]) hash.update(readFileSync(join(moduleFolder(module), file)));
  hash.update([process.platform, process.arch, ...buildFlags(module)].join('\n'));
  return `${module.folder}-${hash.digest('hex').slice(0, 16)}`;
}
