/** Kubernetes minor versions whose metric names are known. */
export const kubernetesVersions = ['1.35', '1.36'] as const;

/** A Kubernetes version whose metric names are known. */
export type MetricsVersion = (typeof kubernetesVersions)[number];

/** Component that exposes a metric; Prometheus itself records `up` for each target. */
export type Component =
  | 'prometheus'
  | 'kube-apiserver'
  | 'etcd'
  | 'pinion-controller'
  | 'pinion-registrar'
  | 'pinion-quota'
  | 'pinion-canary'
  | 'pinion-submission'
  | 'pinion-apiserver-memory'
  | 'pinion-clients'
  | 'pinion-gateway';

/** A metric that a rule or a panel uses. */
export interface Metric {
  /** Name in the newest known version; for a histogram, without `_bucket`, `_sum` and `_count`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Labels of the metric itself; Prometheus adds those of the target. */
  readonly labels: readonly string[];
  readonly component: Component;
  /** Meaning, as a noun phrase. */
  readonly description: string;
  /** Different names in other Kubernetes versions. @default - none */
  readonly namesByVersion?: Partial<Readonly<Record<MetricsVersion, string>>>;
  /** Former names, which the known versions have removed or will remove. @default - none */
  readonly replaces?: readonly string[];
  /** Event after which the metric appears. @default - at startup */
  readonly appearsWhen?: string;
}

/** Returns the name of a metric in a Kubernetes version. */
export const nameIn = ({ name, namesByVersion: names }: Metric, version: MetricsVersion): string =>
  names?.[version] ?? name;
