/** Minor versions of Kubernetes whose names are known. */
export const kubernetesVersions = ['1.35', '1.36'] as const;

/** A version of Kubernetes whose names of metrics are known. */
export type KubernetesVersion = (typeof kubernetesVersions)[number];

/** Who shows a metric; `prometheus` makes its own of each target. */
export type Component =
  | 'prometheus'
  | 'kube-apiserver'
  | 'etcd'
  | 'pinion-controller'
  | 'pinion-registrar'
  | 'pinion-quota'
  | 'pinion-canary'
  | 'pinion-submission'
  | 'pinion-master-memory';

/** One metric that a rule or a panel uses. */
export interface Metric {
  /** What the newest known version calls it; a histogram without `_bucket`, `_sum` and `_count`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Labels that it has itself, of which rules and panels use some; those of the target come from Prometheus. */
  readonly labels: readonly string[];
  readonly component: Component;
  /** What it says, in one clause. */
  readonly tells: string;
  /** Names in versions of Kubernetes that call it otherwise. @default - the same in all that are known */
  readonly names?: Partial<Readonly<Record<KubernetesVersion, string>>>;
  /** Names that it replaced, for those who look for them: the versions known here have them no more, or will lose them. @default - none */
  readonly replaces?: readonly string[];
  /** What has to happen before it is there at all. @default - it is there from the start */
  readonly appears?: string;
}

/** What a version of Kubernetes calls a metric. */
export const nameIn = ({ name, names }: Metric, version: KubernetesVersion): string => names?.[version] ?? name;
