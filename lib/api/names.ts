/** API group of all kinds. */
export const group = 'pinterest.com';
/** The only served and stored version. */
export const version = 'v1';
/** `apiVersion` of all kinds. */
export const apiVersion = `${group}/${version}`;

/** Label and annotation keys that pinion writes or reads. */
export const metadataKeys = {
  /** Label: workload of an object; with `kind` the complete selector. */
  workload: `${group}/workload`,
  /** Label: kind of the workload of an object. */
  kind: `${group}/kind`,
  /** Label: shard, role or other member within the workload. */
  member: `${group}/member`,
  /** Label: variant of a workload whose versions run side by side. */
  variant: `${group}/variant`,
  /** Label: job of a job set with several jobs. */
  job: `${group}/job`,
  /** Label on a pod of a job set with several jobs: its Job, unique in the cluster. */
  jobKey: `${group}/job-key`,
  /** Label on a Job and its pods: hook of a workload that they run. */
  hook: `${group}/hook`,
  /** Annotation on objects with pods: hashes of the deployed specs whose hooks succeeded, separated by commas. */
  hooksSucceeded: `${group}/hooks-succeeded`,
  /** Annotation on a workload: time of the last requested retry of failed hooks, RFC 3339. */
  retry: `${group}/retried-at`,
  /** Label: priority tier. */
  tier: `${group}/tier`,
  /** Label: team that owns the object. */
  team: `${group}/team`,
  /** Label: cost center. */
  costCenter: `${group}/cost-center`,
  /** Label on a Namespace and its Project: infrastructure projects may run daemons. */
  infrastructure: `${group}/infrastructure`,
  /** Annotation: name and version of the runtime profile of a pod. */
  profile: `${group}/runtime-profile`,
  /** Annotation: cluster of a pod. */
  cluster: `${group}/cluster`,
  /** Annotation: environment of the cluster. */
  environment: `${group}/environment`,
  /** Annotation: image of the app's first container. */
  image: `${group}/image`,
  /** Annotation: owner of the workload. */
  owner: `${group}/owner`,
  /** Annotation on a Namespace: on-call contact. */
  onCall: `${group}/on-call`,
  /** Label on objects that an uninstall keeps by default: `keep`. */
  uninstall: `${group}/uninstall`,
  /** Annotation: creator of the object. */
  creator: `${group}/creator`,
  /** Annotation on an object that the controller applied: hash of its last applied state. */
  lastAppliedHash: `${group}/last-applied-hash`,
  /** Annotation on an object with pods that the controller applied: record of the expansion, in case the status of its workload is lost. */
  expansion: `${group}/expansion`,
  /** Annotation on a Job that the controller applied: its run, and the number of restarts of that run. */
  run: `${group}/run`,
  /** Annotation: time from which the object may be garbage-collected. */
  expiry: `${group}/expiry`,
  /** Annotation on an autoscaler: scheduled windows as JSON, for the adapter that serves them as a metric. */
  windows: `${group}/scheduled-windows`,
  /** Annotation on a CronJob: expected duration of a run, for alerts. */
  expectedDuration: `${group}/expected-duration`,
  /** Annotation prefix: links of a workload, one key each. */
  link: `link.${group}`,
  /** Annotation on a Node: start of its drain, which precedes the replacement of its machine. */
  draining: `${group}/draining`,
  /** Label on a workload that was deployed from an artifact: its workflow. */
  workflow: `${group}/workflow`,
  /** Label on a workload that was deployed from an artifact: stage of the workflow. */
  stage: `${group}/stage`,
  /** Annotation on a workload: its artifact, as `project/workflow@version`. */
  artifact: `${group}/artifact`,
  /** Annotation on a workload: digest of that artifact. */
  artifactDigest: `${group}/artifact-digest`,
  /** Annotation on a workload: sequence number of its deployment in the project; never decreases. */
  deploymentSequence: `${group}/deployment-sequence`,
  /** Annotation on a workload: the publisher's signature, and where the workload is in the signed artifact. */
  proof: `${group}/proof`,
  /** Annotation on a workload: authorization of its deployment, signed by the submission service. */
  authorization: `${group}/authorization`,
  /** Annotation on a workload: reason and expiry of a change that bypasses its proof in an emergency, as JSON. */
  breakGlass: `${group}/break-glass`,
  /** Annotation on a workload, and on its pods if they run until replaced: time of the last requested restart, RFC 3339. */
  restart: `${group}/restarted-at`,
  /** Label on a ControllerRevision: record of a verified workload. */
  verified: `${group}/verified`,
  /** Label on objects of a canary run: ID of the run. */
  canary: `${group}/canary`,
  /** Annotation on a Namespace: host access that daemons of the project may have. */
  host: `${group}/host`,
  /** Label on a Namespace: `true` if a stage with publishers or deployers owns the cluster in this project. */
  protected: `${group}/protected`,
  /** Annotation on a Namespace: stages of the Project that list the cluster, separated by commas. */
  stages: `${group}/stages`,
  /** Annotation on a Namespace: host names of the project, and after `!` those that another project has. */
  hosts: `${group}/hosts`,
  /** Annotation on a Namespace: ARNs of the project's IAM roles, and after `!` those that another project has. */
  iamRoles: `${group}/iam-roles`,
  /** Annotation on a ServiceAccount: IAM role that the webhook of EKS gives to its pods. */
  webIdentityRole: 'eks.amazonaws.com/role-arn',
  /** Annotation on a Namespace: tiers that the Project lists, separated by commas. */
  tiers: `${group}/tiers`,
  /** Annotation on a Namespace: tiers that every project may take, separated by commas. */
  openTiers: `${group}/open-tiers`,
  /** Annotation on a Namespace: priority of the Platform's default tier. */
  defaultPriority: `${group}/default-priority`,
  /** Annotation on a Namespace: groups of the Platform's administrators, separated by spaces. */
  administrators: `${group}/administrators`,
  /** Label on a Namespace: stage of the gateway in the project; `Off` if the project does not use it. */
  gateway: `${group}/gateway`,
} as const;

/**
 * Keys that deployments and operators set on a workload and that its objects do not inherit, so that their pods need not
 * change.
 */
export const deploymentKeys: readonly string[] = [
  metadataKeys.workflow,
  metadataKeys.stage,
  metadataKeys.artifact,
  metadataKeys.artifactDigest,
  metadataKeys.deploymentSequence,
  metadataKeys.proof,
  metadataKeys.authorization,
  metadataKeys.breakGlass,
  metadataKeys.restart,
  metadataKeys.retry,
];

/** Labels recommended by Kubernetes. */
export const recommended = {
  name: 'app.kubernetes.io/name',
  version: 'app.kubernetes.io/version',
  component: 'app.kubernetes.io/component',
  partOf: 'app.kubernetes.io/part-of',
  managedBy: 'app.kubernetes.io/managed-by',
} as const;

/** Value of the managed-by label, and field manager of server-side apply. */
export const manager = 'pinion';
/** Prefix of environment variables that the platform sets. */
export const environmentPrefix = 'PINION_';
/** Prefix of volumes and containers that the platform adds; users cannot use it. */
export const reservedPrefix = 'pinion-';

/** Audience of tokens for the gateway to the API server, which the API server itself rejects. */
export const gatewayAudience = 'pinion-gateway';
/** Namespace of the gateway. */
export const gatewayNamespace = 'pinion-gateway';
/** Port of the gateway's pods for clients. */
export const gatewayPort = 8443;
/** ConfigMap in each project with the certificates of the authorities of the gateway, under the key `ca.crt`. */
export const gatewayAuthority = 'pinion-gateway-ca';
/** Projects of pinion's own programs, which impersonate or must work while no gateway does. */
export const ownProgramProjects: string[] = ['pinion-canary', 'pinion-quota', 'pinion-submission'];

/** ConfigMap of the canary's report, and its key that the controller reads. */
export const canaryReport = { name: 'canary-report', verdict: 'verdict.json' } as const;

/** File of a repository with its Platform, besides the manifests of its workloads. */
export const platformFileName = 'pinion.platform.yaml';
