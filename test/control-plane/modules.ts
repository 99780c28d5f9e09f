import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder beside this file that pins Go programs by `go.mod` and `go.sum`, and has no code of its own. */
export interface GoModule {
  readonly folder: string;
  /** The module whose version its programs call themselves. */
  readonly pins: string;
  /** Go package of each program that can be built here. */
  readonly programs: Readonly<Record<string, string>>;
  /** Packages whose version variables are filled in at link time; without them a server calls itself v0.0.0. */
  readonly versionPackages: readonly string[];
  /** Variables that are the version as it stands. @default - none */
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

/** The older of the supported versions, as far as masters and workers are rehearsed with it. */
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

/** The older etcd whose files are read; programs are told apart by their names. */
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

/** The controller that job sets are measured against. */
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

/** What keeps the metrics of programs that end before anybody scrapes them. */
const pushgateway: GoModule = {
  folder: 'pushgateway',
  pins: 'github.com/prometheus/pushgateway',
  programs: { pushgateway: 'github.com/prometheus/pushgateway' },
  versionPackages: [],
  versionVariables: ['github.com/prometheus/common/version.Version'],
};

/** Checks GitHub workflows. */
const actionlint: GoModule = {
  folder: 'actionlint',
  pins: 'github.com/rhysd/actionlint',
  programs: { actionlint: 'github.com/rhysd/actionlint/cmd/actionlint' },
  versionPackages: [],
};

/** Every Go module that the end-to-end tests and the measurements can build. */
export const goModules: readonly GoModule[] = [
  kubernetes,
  olderKubernetes,
  etcd,
  olderEtcd,
  kwok,
  jobSet,
  pulumi,
  pushgateway,
  actionlint,
];

/** The absolute folder of a module. */
export const moduleFolder = (module: GoModule): string => join(__dirname, module.folder);

const goMod = (module: GoModule): string => readFileSync(join(moduleFolder(module), 'go.mod'), 'utf8');

/** The version that a module pins, `v1.36.3`. Throws where its go.mod does not name it. */
export function pinnedVersion(module: GoModule): string {
  const required = new RegExp(`^\\s*(?:require )?${module.pins} (v[\\d.]+)(?: //.*)?$`, 'm').exec(goMod(module));
  if (!required?.[1]) throw new Error(`${module.folder}/go.mod requires no version of ${module.pins}`);
  return required[1];
}

/** The oldest Go that builds a module, as [major, minor]. */
export function neededGo(module: GoModule): readonly [number, number] {
  const line = /^go (\d+)\.(\d+)/m.exec(goMod(module));
  if (!line) throw new Error(`${module.folder}/go.mod has no go line`);
  return [Number(line[1]), Number(line[2])];
}

/** The arguments of `go build` that come before the output; they are part of what the cache is keyed by. */
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

/** Names the cache folder of a module: it changes with go.mod, go.sum, the build flags and the machine's kind. */
export function cacheKey(module: GoModule): string {
  const hash = createHash('sha256').update(goMod(module));
  hash.update(readFileSync(join(moduleFolder(module), 'go.sum')));
  hash.update([process.platform, process.arch, ...buildFlags(module)].join('\n'));
  return `${module.folder}-${hash.digest('hex').slice(0, 16)}`;
}
