/** The API group of every kind here. */
export const group = 'pinterest.com';
/** The one version that is served and stored. */
export const version = 'v1';
/** `apiVersion` of every kind here. */
export const apiVersion = `${group}/${version}`;

/** Label and annotation keys that pinion writes or reads. */
export const metadataKeys = {
  /** Label: name of the workload that an object belongs to; with `kind` the whole of every selector. */
  workload: `${group}/workload`,
  /** Label: kind of the workload that an object belongs to. */
  kind: `${group}/kind`,
  /** Label: shard, role or other member within the workload. */
  member: `${group}/member`,
  /** Label: priority tier. */
  tier: `${group}/tier`,
  /** Label: team that answers for the object. */
  team: `${group}/team`,
  /** Label: where the cost is booked. */
  costCenter: `${group}/cost-center`,
  /** Label on a Namespace and its Project: infrastructure projects may run daemons. */
  infrastructure: `${group}/infrastructure`,
  /** Annotation: name and version of the runtime profile that a pod was made with. */
  profile: `${group}/runtime-profile`,
  /** Annotation: cluster that a pod runs on. */
  cluster: `${group}/cluster`,
  /** Annotation: what the cluster is for. */
  environment: `${group}/environment`,
  /** Annotation: image of the app's first container. */
  image: `${group}/image`,
  /** Annotation: who owns the workload. */
  owner: `${group}/owner`,
  /** Annotation on a Namespace: on-call contact. */
  onCall: `${group}/on-call`,
  /** Label on what an uninstall leaves in place unless it is asked for by name: `keep`. */
  uninstall: `${group}/uninstall`,
  /** Annotation: what created the object. */
  creator: `${group}/creator`,
  /** Annotation on an object that the controller applied: hash of its last applied state. */
  lastAppliedHash: `${group}/last-applied-hash`,
  /** Annotation on a Job that the controller applied: its run, and the number of restarts of that run. */
  run: `${group}/run`,
  /** Annotation: when the object may be collected. */
  expiry: `${group}/expiry`,
  /** Annotation on an autoscaler: scheduled windows as JSON, for the adapter that serves them as a metric. */
  windows: `${group}/scheduled-windows`,
  /** Annotation on a CronJob: how long a run usually takes, for alerts. */
  expectedDuration: `${group}/expected-duration`,
  /** Annotation prefix: links of a workload, one key each. */
  link: `link.${group}`,
  /** Annotation on a Node: since when it is being drained, so that its machine can be replaced. */
  draining: `${group}/draining`,
  /** Label on a workload that was deployed as part of an artifact: workflow that it belongs to. */
  workflow: `${group}/workflow`,
  /** Label on a workload that was deployed as part of an artifact: stage of the workflow. */
  stage: `${group}/stage`,
  /** Annotation on a workload: artifact that it was deployed from, as `project/workflow@version`. */
  artifact: `${group}/artifact`,
  /** Annotation on a workload: address of the content of that artifact. */
  artifactDigest: `${group}/artifact-digest`,
  /** Annotation on a workload: place of its deployment in the order of the project; it never goes back. */
  deploymentSequence: `${group}/deployment-sequence`,
  /** Label on what a run of the canary made: id of the run. */
  canary: `${group}/canary`,
  /** Annotation on a Namespace: access to the host that daemons of the project may have. */
  host: `${group}/host`,
} as const;

/** What a deployment notes on a workload and on nothing that the workload becomes: it changes while pods need not. */
export const deploymentKeys: readonly string[] = [
  metadataKeys.workflow,
  metadataKeys.stage,
  metadataKeys.artifact,
  metadataKeys.artifactDigest,
  metadataKeys.deploymentSequence,
];

/** Labels that Kubernetes recommends. */
export const recommended = {
  name: 'app.kubernetes.io/name',
  version: 'app.kubernetes.io/version',
  component: 'app.kubernetes.io/component',
  partOf: 'app.kubernetes.io/part-of',
  managedBy: 'app.kubernetes.io/managed-by',
} as const;

/** Value of the managed-by label, and the field manager of server-side apply. */
export const manager = 'pinion';
/** Prefix of environment variables that the platform sets. */
export const environmentPrefix = 'PINION_';
/** Prefix of volumes and containers that the platform adds; users cannot use it. */
export const reservedPrefix = 'pinion-';

/** The ConfigMap in which the canary keeps what it found, and its key that the controller reads. */
export const canaryReport = { name: 'canary-report', verdict: 'verdict.json' } as const;

/** File of a repository that holds its Platform, besides the manifests of its workloads. */
export const platformFileName = 'pinion.platform.yaml';
