// Written by scripts/generate.mjs from the schemas; do not edit.
import {
  type Container,
  type EnvVar,
  type PodFailurePolicyRule,
  type Quantity,
  type Toleration,
  type Volume,
  type VolumeMount,
} from './native';
import { type PodTemplateInput } from './fields/pod-template';

/** A long-running stateless workload, optionally behind a load balancer. */
export interface PinterestServiceSpec {
  /** Number of pods. Defaults to 1 without autoscaling. */
  readonly replicas?: number | undefined;
  /** Autoscaling of the number of pods, instead of replicas. */
  readonly autoscaling?: Autoscaling | undefined;
  /** Versions that run side by side behind one Service, each in a Deployment of its own. */
  readonly variants?: readonly Variant[] | undefined;
  /** Load balancing of client requests. Defaults to none. */
  readonly loadBalancer?: LoadBalancer | undefined;
  /** Additional ports of its Service, reachable within the cluster only. */
  readonly ports?: readonly Port[] | undefined;
  /** Probes of the first container, unless it has its own. */
  readonly health?: Health | undefined;
  /** Rollout strategy. */
  readonly rollout?: Rollout | undefined;
  /** Disruption budget during node drains. */
  readonly disruption?: ServiceDisruption | undefined;
  /**
   * Whether to allow its pods a Lease with the name of the workload; mounts a service account token.
   *
   * @default false
   */
  readonly leaderElection?: boolean | undefined;
  /** Hooks, such as a migration: containers that run one after another, once for each deployed spec, before its pods start; if one fails, the pods stay as they are. */
  readonly beforeDeployment?: readonly BeforeDeployment[] | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: Placement | undefined;
  /** Termination of the pods. */
  readonly termination?: Termination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template: containers and init containers as in Kubernetes. */
  readonly template: PodTemplateInput;
}

/** Autoscaling of the number of pods, instead of replicas. */
export interface Autoscaling {
  /**
   * Minimum number of pods.
   *
   * @default 1
   */
  readonly minReplicas?: number | undefined;
  /** Maximum number of pods. */
  readonly maxReplicas: number;
  /** Target CPU utilization, in percent of requests. Defaults to 80 if no target is set. */
  readonly cpu?: number | undefined;
  /** Target memory utilization, in percent of requests. */
  readonly memory?: number | undefined;
  /** Container whose CPU and memory are measured. Defaults to the whole pod. */
  readonly container?: string | undefined;
  /** Targets for metrics other than CPU and memory, such as requests per second or queue lag. */
  readonly custom?: readonly CustomTarget[] | undefined;
  /** Time windows with a minimum number of pods. */
  readonly scheduled?: readonly ScheduledTarget[] | undefined;
  /** Scale-down behavior. */
  readonly scaleDown?: ScaleDown | undefined;
  /** Scale-up behavior. */
  readonly scaleUp?: ScaleUp | undefined;
}

/** A metric beyond CPU and memory. */
export interface CustomTarget {
  /** Name of the metric. */
  readonly metric: string;
  /**
   * Source of the metric: the pods, or a system outside the cluster.
   *
   * @default "Pods"
   */
  readonly source?: 'Pods' | 'External' | undefined;
  /** Target average value per pod. */
  readonly average: Quantity;
  /** Labels that select the series. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
}

/** A time window with a minimum number of pods. */
export interface ScheduledTarget {
  /** Name of the window. */
  readonly name: string;
  /** Start of the window, as a cron expression. */
  readonly schedule: string;
  /**
   * Time zone of the schedule, as an IANA name.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /** Length of the window. */
  readonly for: string;
  /** Minimum number of pods during the window. */
  readonly replicas: number;
}

/** Scale-down behavior. */
export interface ScaleDown {
  /**
   * Stabilization window: time that a lower target must last before pods are removed.
   *
   * @default "5m"
   */
  readonly stabilization?: string | undefined;
  /**
   * Maximum number of pods to remove per minute, in percent.
   *
   * @default 100
   */
  readonly percentPerMinute?: number | undefined;
  /**
   * Whether to disable scaling down.
   *
   * @default false
   */
  readonly disabled?: boolean | undefined;
}

/** Scale-up behavior. */
export interface ScaleUp {
  /**
   * Stabilization window: time that a higher target must last before pods are added.
   *
   * @default "0s"
   */
  readonly stabilization?: string | undefined;
  /**
   * Maximum number of pods to add per minute, in percent; adding four is always allowed.
   *
   * @default 100
   */
  readonly percentPerMinute?: number | undefined;
}

/** Versions that run side by side behind one Service, each in a Deployment of its own. */
export interface Variant {
  /** Name of the variant, appended to the name of its Deployment. */
  readonly name: string;
  /** Image of the first container. Defaults to the template's. */
  readonly image?: string | undefined;
  /** Version of the build. Defaults to the tag of its image, or to that of the workload without an image. */
  readonly version?: string | undefined;
  /** Number of pods. Defaults to 1 without autoscaling. */
  readonly replicas?: number | undefined;
  /** Autoscaling of the number of pods, instead of replicas. */
  readonly autoscaling?: Autoscaling | undefined;
  /** Environment variables of every container of the app; they win over the template's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Arguments of the first container. Defaults to the template's. */
  readonly args?: readonly string[] | undefined;
  /** CPU and memory of the first container. Defaults to the template's. */
  readonly resources?: Resources | undefined;
  /** Node pool. Defaults to that of the placement. */
  readonly pool?: string | undefined;
}

/** CPU and memory of a container. */
export interface Resources {
  /** Container resource requests. */
  readonly requests?: Readonly<Record<string, Quantity>> | undefined;
  /** Container resource limits. */
  readonly limits?: Readonly<Record<string, Quantity>> | undefined;
}

/** Load balancing of client requests. Defaults to none. */
export interface LoadBalancer {
  /** Port that clients connect to, and the container port unless targetPort is set. */
  readonly port?: number | undefined;
  /** Container port for `port`, by number or name. Defaults to the same number. */
  readonly targetPort?: number | string | undefined;
  /**
   * Protocol of `port`; HTTP, HTTPS, GRPC and H2C get an Ingress.
   *
   * @default "HTTP"
   */
  readonly protocol?: 'HTTP' | 'HTTPS' | 'GRPC' | 'H2C' | 'TCP' | 'UDP' | undefined;
  /** Multiple ports; the Ingress routes to the first one with an HTTP protocol. */
  readonly ports?: readonly Port[] | undefined;
  /**
   * Network that can reach it: the cluster, the company network or the internet.
   *
   * @default "Internal"
   */
  readonly exposure?: 'Cluster' | 'Internal' | 'External' | undefined;
  /** Host names. Defaults to `<name>.<project>.<domain of the Platform>`. */
  readonly hosts?: readonly string[] | undefined;
  /** Paths that are routed to this workload. Defaults to all paths. */
  readonly paths?: readonly HttpPath[] | undefined;
  /** TLS of the host names. Defaults to the Platform's settings for the exposure. */
  readonly tls?: Tls | undefined;
  /** Timeout of a request. */
  readonly timeout?: string | undefined;
  /** Whether to send all requests of a client to the same pod. */
  readonly stickiness?: boolean | undefined;
  /** Additional annotations of the Ingress. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** A port for clients, and its target. */
export interface Port {
  /** Name of the port. */
  readonly name: string;
  /** Port that clients connect to. */
  readonly port: number;
  /** Container port, by number or name. Defaults to the same number. */
  readonly targetPort?: number | string | undefined;
  /**
   * Protocol of the port.
   *
   * @default "HTTP"
   */
  readonly protocol?: 'HTTP' | 'HTTPS' | 'GRPC' | 'H2C' | 'TCP' | 'UDP' | undefined;
}

/** A path routed to the workload. */
export interface HttpPath {
  /**
   * Path of requests.
   *
   * @default "/"
   */
  readonly path?: string | undefined;
  /**
   * Path matching: by prefix or exactly.
   *
   * @default "Prefix"
   */
  readonly match?: 'Prefix' | 'Exact' | undefined;
}

/** TLS of the host names. Defaults to the Platform's settings for the exposure. */
export interface Tls {
  /**
   * Whether to serve the host names over TLS.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /** Secret with the certificate. Defaults to a certificate from the Platform's issuer, or that of the ingress controller. */
  readonly secretName?: string | undefined;
}

/** Probes of the first container, unless it has its own. */
export interface Health {
  /** HTTP path that returns 200 if healthy. Defaults to a TCP check. */
  readonly path?: string | undefined;
  /** Port of the probes, by number or name. Defaults to the first port of the load balancer. */
  readonly port?: number | string | undefined;
  /**
   * Time between probes.
   *
   * @default "10s"
   */
  readonly interval?: string | undefined;
  /**
   * Timeout of a probe.
   *
   * @default "1s"
   */
  readonly timeout?: string | undefined;
  /**
   * Maximum startup time before the container is restarted.
   *
   * @default "1m"
   */
  readonly startup?: string | undefined;
  /**
   * Number of consecutive failures before a pod stops receiving requests; after twice as many the container is restarted.
   *
   * @default 3
   */
  readonly failures?: number | undefined;
}

/** Rollout strategy. */
export interface Rollout {
  /**
   * Replacement strategy: RollingUpdate overlaps old and new pods, Recreate terminates the old ones first.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'Recreate' | undefined;
  /**
   * Maximum number of pods above `replicas` during a rollout, absolute or in percent.
   *
   * @default "25%"
   */
  readonly maxSurge?: number | string | undefined;
  /**
   * Maximum number of unavailable pods during a rollout, absolute or in percent.
   *
   * @default 0
   */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Time that a new pod must be ready before it counts as available.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * Time without progress after which a rollout counts as failed.
   *
   * @default "10m"
   */
  readonly progressDeadline?: string | undefined;
  /**
   * Number of old revisions to keep for rollbacks.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
  /**
   * Whether to pause rollouts.
   *
   * @default false
   */
  readonly paused?: boolean | undefined;
}

/** Disruption budget during node drains. */
export interface ServiceDisruption {
  /** Minimum number of available pods, absolute or in percent. */
  readonly minAvailable?: number | string | undefined;
  /** Maximum number of unavailable pods, absolute or in percent. Defaults to 1, or to 25% from eight replicas on. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Eviction of unhealthy pods: always, or only while the budget is met.
   *
   * @default "AlwaysAllow"
   */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow' | undefined;
  /**
   * Whether to create a PodDisruptionBudget.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
}

/** Hooks, such as a migration: containers that run one after another, once for each deployed spec, before its pods start; if one fails, the pods stay as they are. */
export interface BeforeDeployment {
  /** Name of the hook and of its container. */
  readonly name: string;
  /** Image of its container. Defaults to that of the first container of the template. */
  readonly image?: string | undefined;
  /** Command, instead of the entrypoint of the image. */
  readonly command?: readonly string[] | undefined;
  /** Arguments of the command. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables, besides those of the first container of the template; these win. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** CPU and memory. Defaults to those of the first container of the template. */
  readonly resources?: Resources | undefined;
  /**
   * Number of times that a failed pod is replaced.
   *
   * @default 0
   */
  readonly retries?: number | undefined;
  /**
   * Maximum duration, with retries, after which the hook fails.
   *
   * @default "30m"
   */
  readonly deadline?: string | undefined;
}

/** Links to pages about the workload. */
export interface Links {
  /** URL of the source code. */
  readonly repository?: string | undefined;
  /** URL of the runbook. */
  readonly runbook?: string | undefined;
  /** URL of the team's chat. */
  readonly chat?: string | undefined;
  /** URL of the logs. */
  readonly logs?: string | undefined;
  /** URL of the dashboards. */
  readonly graphs?: string | undefined;
  /** URL of the availability report. */
  readonly uptime?: string | undefined;
}

/** Settings of one part of the runtime profile. */
export interface SidecarChoice {
  /** Whether to inject the part; Required parts cannot be disabled, OptIn parts are disabled by default. */
  readonly enabled?: boolean | undefined;
  /** Settings of the part, by name. */
  readonly config?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Additional environment variables of the part's containers. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** CPU and memory of the part's main container. Defaults to those of the profile. */
  readonly resources?: Resources | undefined;
  /** Pod volumes to mount into the part's containers. */
  readonly mounts?: readonly Mount[] | undefined;
}

/** A volume of the pod that is also mounted into a part. */
export interface Mount {
  /** Name of the pod volume. */
  readonly name: string;
  /** Mount path in the containers of the part. */
  readonly mountPath: string;
  /** Whether to mount the volume read-only. */
  readonly readOnly?: boolean | undefined;
}

/** Inline configuration files and environment variables. */
export interface Config {
  /** Files by absolute path, mounted into every container of the app; a change rolls out the workload. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Environment variables of every container of the app; the container's own variables win. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Secrets, by reference. */
export interface Secrets {
  /** Environment variables from keys of Secrets, by name. */
  readonly env?: Readonly<Record<string, SecretVariable>> | undefined;
  /** Secrets to mount as folders, by absolute path. */
  readonly files?: Readonly<Record<string, SecretFolder>> | undefined;
}

/** An environment variable from a key of a secret. */
export interface SecretVariable {
  /** Name of a Secret in the project. */
  readonly name: string;
  /** Key in the Secret. */
  readonly key: string;
  /** Whether to start the pod if the Secret or key does not exist. */
  readonly optional?: boolean | undefined;
}

/** A secret mounted as a folder. */
export interface SecretFolder {
  /** Name of a Secret in the project. */
  readonly name: string;
  /** Whether to start the pod if the Secret does not exist. */
  readonly optional?: boolean | undefined;
}

/** Prometheus metrics endpoint. */
export interface Metrics {
  /** Port of the metrics endpoint. */
  readonly port: number;
  /**
   * Path of the metrics endpoint.
   *
   * @default "/metrics"
   */
  readonly path?: string | undefined;
}

/** Scheduling of the pods. */
export interface Placement {
  /** Node pool of the Platform. Defaults to the Platform's default pool. */
  readonly pool?: string | undefined;
  /** Zones of the pods. Defaults to all zones of the cluster. */
  readonly zones?: readonly string[] | undefined;
  /** Topology spread of the pods. */
  readonly spread?: Spread | undefined;
}

/** Topology spread of the pods. */
export interface Spread {
  /**
   * Spread of pods across zones: Required, Preferred or Off.
   *
   * @default "Preferred"
   */
  readonly zones?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Spread of pods across nodes: Required, Preferred or Off.
   *
   * @default "Preferred"
   */
  readonly hosts?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Maximum difference in the number of pods between zones or nodes.
   *
   * @default 1
   */
  readonly maxSkew?: number | undefined;
}

/** Termination of the pods. */
export interface Termination {
  /**
   * Time between the termination request and the kill, drain included.
   *
   * @default "30s"
   */
  readonly gracePeriod?: string | undefined;
  /** Time that containers keep serving after the pod left the load balancers. Defaults to 5s for kinds that serve, and to at most half of the grace period. */
  readonly drain?: string | undefined;
}

/** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
export interface Access {
  /** Peers that may connect; the project's load balancer always may. */
  readonly from?: readonly Peer[] | undefined;
  /** Peers that it may connect to; DNS is always allowed. */
  readonly to?: readonly Peer[] | undefined;
}

/** A source or destination of network traffic. */
export interface Peer {
  /** Project of the peer. */
  readonly project?: string | undefined;
  /** Workload of the peer. Defaults to all workloads of the project. */
  readonly workload?: string | undefined;
  /** IP range outside the cluster, in CIDR notation. */
  readonly cidr?: string | undefined;
  /** Ports. Defaults to all ports. */
  readonly ports?: readonly number[] | undefined;
}

/** A patch of generated objects. */
export interface Patch {
  /** Kind of the objects to patch. */
  readonly kind:
    | 'PersistentVolumeClaim'
    | 'PodDisruptionBudget'
    | 'Service'
    | 'Deployment'
    | 'StatefulSet'
    | 'DaemonSet'
    | 'Job'
    | 'CronJob'
    | 'HorizontalPodAutoscaler'
    | 'Ingress';
  /** Name of the object. Defaults to all objects of the kind. */
  readonly name?: string | undefined;
  /** JSON merge patch (RFC 7386): null removes a field, lists are replaced. */
  readonly merge?: Readonly<Record<string, unknown>> | undefined;
  /** JSON Patch (RFC 6902). */
  readonly operations?: readonly PatchOperation[] | undefined;
}

/** An operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  /** Operation at the path. */
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  /** JSON Pointer of the field. */
  readonly path: string;
  /** New or expected value. */
  readonly value?: unknown;
}

/** Work to completion, divided into independent shards that each receive their index and the number of shards. */
export interface PinterestJobSetSpec {
  /**
   * Number of shards; each receives its index and the number of shards.
   *
   * @default 1
   */
  readonly shards?: number | undefined;
  /** Maximum number of shards that run concurrently. Defaults to all shards. */
  readonly parallelism?: number | undefined;
  /** Overrides for individual shards. */
  readonly overrides?: readonly ShardOverride[] | undefined;
  /** ConfigMaps to create for every shard. */
  readonly configTemplates?: readonly ConfigTemplate[] | undefined;
  /** Volume claims to create for every shard. */
  readonly volumeClaimTemplates?: readonly ClaimTemplate[] | undefined;
  /**
   * Policy for claims when the job set is deleted; Retain needs the controller.
   *
   * @default "Delete"
   */
  readonly claimRetention?: 'Retain' | 'Delete' | undefined;
  /** Jobs of the set, each with its own pods, instead of shards and a template. */
  readonly replicatedJobs?: readonly ReplicatedJob[] | undefined;
  /** Success policy. Defaults to success of all shards of all jobs. */
  readonly successPolicy?: JobSetShardSuccessPolicy | undefined;
  /** Failure policy. */
  readonly failurePolicy?: ShardFailurePolicy | undefined;
  /**
   * Whether to suspend it; running pods are terminated.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /**
   * Whether to create DNS names for shards, `<workload>-<index>.<workload>`, or `<workload>-<job>-<replica>-<index>.<workload>`.
   *
   * @default false
   */
  readonly dnsNames?: boolean | undefined;
  /** Shard of replicatedJobs whose host name all pods receive; creates the DNS names. */
  readonly coordinator?: Coordinator | undefined;
  /**
   * Number of retries of a failed pod before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** Maximum duration of the whole run, after which it is terminated and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /**
   * Time to keep it after it finishes.
   *
   * @default "1d"
   */
  readonly ttlAfterFinished?: string | undefined;
  /** Policy for failed pods. */
  readonly podFailurePolicy?: ReplicatedJobPodFailurePolicy | undefined;
  /** When to create a replacement pod: while the failed pod terminates, or after it failed. Defaults to TerminatingOrFailed, or to Failed with podFailurePolicy. */
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: Placement | undefined;
  /** Termination of the pods. */
  readonly termination?: Termination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template: containers and init containers as in Kubernetes; required without replicatedJobs. */
  readonly template?: PodTemplateInput | undefined;
}

/** Overrides for some shards. */
export interface ShardOverride {
  /** Indexes of the shards to override. */
  readonly shards: readonly number[];
  /** Environment variables of every container of the app; they win over the template's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Arguments of the first container. Defaults to the template's. */
  readonly args?: readonly string[] | undefined;
  /** CPU and memory of the first container. Defaults to the template's. */
  readonly resources?: Resources | undefined;
  /** Files by name of the config template; merged with those of the template. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Storage sizes by name of the claim template. */
  readonly claimSizes?: Readonly<Record<string, Quantity>> | undefined;
  /** Node pool. Defaults to that of the placement. */
  readonly pool?: string | undefined;
}

/** A ConfigMap created for each shard. */
export interface ConfigTemplate {
  /** Name of the volume, and infix of the ConfigMap names. */
  readonly name: string;
  /** Mount path of the files in the containers of the app. */
  readonly mountPath: string;
  /** Files by name; $(PINION_SHARD_INDEX) and $(PINION_SHARD_COUNT) are replaced by the index of the shard and the number of shards. */
  readonly data: Readonly<Record<string, string>>;
}

/** A volume claim created for each member. */
export interface ClaimTemplate {
  /** Name of the volume, and prefix of the claim names. */
  readonly name: string;
  /** Mount path in the containers of the app. */
  readonly mountPath: string;
  /** Path within the volume. Defaults to its root. */
  readonly subPath?: string | undefined;
  /** Requested storage size; can grow if the storage class allows expansion. */
  readonly size: Quantity;
  /** Storage class. Defaults to that of the Platform. */
  readonly storageClass?: string | undefined;
  /**
   * Access modes of the volume.
   *
   * @default ["ReadWriteOnce"]
   */
  readonly accessModes?:
    readonly ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[] | undefined;
  /** Labels of the claims; keys set by the platform are kept. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Jobs of the set, each with its own pods, instead of shards and a template. */
export interface ReplicatedJob {
  /** Name of the job, part of the names of its Jobs and hosts. */
  readonly name: string;
  /**
   * Number of equal Jobs.
   *
   * @default 1
   */
  readonly replicas?: number | undefined;
  /**
   * Number of shards of each Job.
   *
   * @default 1
   */
  readonly shards?: number | undefined;
  /** Maximum number of shards of each Job that run concurrently. Defaults to all shards. */
  readonly parallelism?: number | undefined;
  /** Jobs to wait for before it starts; needs the controller. */
  readonly dependsOn?: readonly DependsOn[] | undefined;
  /** Node label, such as that of zones or racks: each Job has one of its values to itself. */
  readonly exclusiveTopology?: string | undefined;
  /** Number of retries of a failed pod before its shard counts as failed. Defaults to the set's. */
  readonly retries?: number | undefined;
  /** Number of shards that may fail before the others of the same Job are terminated. Defaults to all. */
  readonly maxFailedShards?: number | undefined;
  /** Success policy of each Job. Defaults to success of all shards. */
  readonly successPolicy?: ReplicatedJobShardSuccessPolicy | undefined;
  /** Maximum duration of each Job, after which it is terminated and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /** Policy for failed pods. Defaults to the set's. */
  readonly podFailurePolicy?: ReplicatedJobPodFailurePolicy | undefined;
  /** When to create a replacement pod: while the failed pod terminates, or after it failed. Defaults to the set's. */
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  /** Pod template: containers and init containers as in Kubernetes. */
  readonly template: PodTemplateInput;
}

/** Jobs to wait for before it starts; needs the controller. */
export interface DependsOn {
  /** Name of an earlier job of the list. */
  readonly name: string;
  /** State to wait for: Ready, all pods of all its Jobs are ready; Complete, all its Jobs succeeded. */
  readonly status: 'Ready' | 'Complete';
}

/** Success policy of each Job. Defaults to success of all shards. */
export interface ReplicatedJobShardSuccessPolicy {
  /** Indexes of the shards that count. Defaults to all shards. */
  readonly shards?: readonly number[] | undefined;
  /** Number of these shards that must succeed. Defaults to all of them. */
  readonly count?: number | undefined;
}

/** Policy for failed pods. Defaults to the set's. */
export interface ReplicatedJobPodFailurePolicy {
  /** Rules by exit code or pod condition, as in a Job. */
  readonly rules: readonly PodFailurePolicyRule[];
}

/** Success policy. Defaults to success of all shards of all jobs. */
export interface JobSetShardSuccessPolicy {
  /** Indexes of the shards that count. Defaults to all shards. */
  readonly shards?: readonly number[] | undefined;
  /** Number of these shards that must succeed. Defaults to all of them. */
  readonly count?: number | undefined;
  /** Whether All Jobs or Any Job must succeed, with replicatedJobs. Defaults to All. */
  readonly operator?: 'All' | 'Any' | undefined;
  /** Names of the jobs that count, with replicatedJobs. Defaults to all jobs. */
  readonly jobs?: readonly string[] | undefined;
}

/** Failure policy. */
export interface ShardFailurePolicy {
  /** Number of shards that may fail before the others are terminated. Defaults to all shards. */
  readonly maxFailedShards?: number | undefined;
  /**
   * Maximum number of restarts of the whole set after a failure; needs the controller.
   *
   * @default 0
   */
  readonly maxRestarts?: number | undefined;
  /** Rules for failed Jobs of replicatedJobs, of which the first match applies; needs the controller. Defaults to RestartJobSet. */
  readonly rules?: readonly ShardFailurePolicyRule[] | undefined;
}

/** Rules for failed Jobs of replicatedJobs, of which the first match applies; needs the controller. Defaults to RestartJobSet. */
export interface ShardFailurePolicyRule {
  /** Action for a failed Job: FailJobSet, RestartJobSet up to maxRestarts times, or RestartJobSetAndIgnoreMaxRestarts. */
  readonly action: 'FailJobSet' | 'RestartJobSet' | 'RestartJobSetAndIgnoreMaxRestarts';
  /** Names of the jobs that the rule applies to. Defaults to all jobs. */
  readonly jobs?: readonly string[] | undefined;
  /** Reasons of the failure of the Job. Defaults to all reasons. */
  readonly reasons?:
    readonly ('DeadlineExceeded' | 'FailedIndexes' | 'MaxFailedIndexesExceeded' | 'PodFailurePolicy')[] | undefined;
}

/** Shard of replicatedJobs whose host name all pods receive; creates the DNS names. */
export interface Coordinator {
  /** Name of the job. */
  readonly job: string;
  /**
   * Index of the Job among its replicas.
   *
   * @default 0
   */
  readonly replica?: number | undefined;
  /**
   * Index of the shard.
   *
   * @default 0
   */
  readonly shard?: number | undefined;
}

/** Work that starts on a schedule and runs to completion. */
export interface PinterestCronJobSpec {
  /** Schedule, as a cron expression of five fields or a name such as @daily. */
  readonly schedule: string;
  /**
   * Time zone of the schedule, as an IANA name.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /**
   * Policy for a start while the last run is active.
   *
   * @default "Forbid"
   */
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
  /**
   * Whether to suspend the schedule.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /** Maximum delay of a start; later ones are skipped. */
  readonly startingDeadline?: string | undefined;
  /** Number of finished runs to keep. */
  readonly history?: History | undefined;
  /**
   * Maximum number of concurrent pods of a run.
   *
   * @default 1
   */
  readonly parallelism?: number | undefined;
  /**
   * Number of pods that must succeed.
   *
   * @default 1
   */
  readonly completions?: number | undefined;
  /** Expected duration of a run, for alerts. */
  readonly expectedDuration?: string | undefined;
  /**
   * Number of retries of a failed pod before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** Maximum duration of the whole run, after which it is terminated and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /** Time to keep a run after it finishes. Defaults to the limits of history. */
  readonly ttlAfterFinished?: string | undefined;
  /** Policy for failed pods. */
  readonly podFailurePolicy?: ReplicatedJobPodFailurePolicy | undefined;
  /** When to create a replacement pod: while the failed pod terminates, or after it failed. Defaults to TerminatingOrFailed, or to Failed with podFailurePolicy. */
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: Placement | undefined;
  /** Termination of the pods. */
  readonly termination?: Termination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template: containers and init containers as in Kubernetes. */
  readonly template: PodTemplateInput;
}

/** Number of finished runs to keep. */
export interface History {
  /**
   * Number of successful runs to keep.
   *
   * @default 3
   */
  readonly successful?: number | undefined;
  /**
   * Number of failed runs to keep.
   *
   * @default 3
   */
  readonly failed?: number | undefined;
}

/** One pod on every node, for infrastructure projects. */
export interface PinterestDaemonSpec {
  /** Node pools to run on. Defaults to all nodes. */
  readonly pools?: readonly string[] | undefined;
  /**
   * Whether to tolerate all taints, those of failing nodes included.
   *
   * @default true
   */
  readonly tolerateAll?: boolean | undefined;
  /** Tolerations besides those for its pools, if tolerateAll is false. */
  readonly tolerations?: readonly Toleration[] | undefined;
  /**
   * Whether to use the priority class system-node-critical.
   *
   * @default false
   */
  readonly critical?: boolean | undefined;
  /** Update strategy. */
  readonly update?: DaemonUpdate | undefined;
  /** Access to the node; the Project must allow it. */
  readonly host?: DaemonHost | undefined;
  /** Maximum resource requests on every node. */
  readonly nodeBudget?: NodeBudget | undefined;
  /** Ports of a Service that routes to the pod on the same node. */
  readonly ports?: readonly Port[] | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: Placement | undefined;
  /** Termination of the pods. */
  readonly termination?: Termination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template: containers and init containers as in Kubernetes. */
  readonly template: PodTemplateInput;
}

/** Update strategy. */
export interface DaemonUpdate {
  /**
   * Update strategy: RollingUpdate replaces pods, OnDelete waits until they are deleted.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'OnDelete' | undefined;
  /** Maximum number of nodes without an available pod during an update, absolute or in percent. Defaults to 1 without maxSurge. */
  readonly maxUnavailable?: number | string | undefined;
  /** Maximum number of nodes with both an old and a new pod during an update, absolute or in percent. */
  readonly maxSurge?: number | string | undefined;
  /**
   * Time that a new pod must be ready before it counts as available.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * Number of old revisions to keep for rollbacks.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
}

/** Access to the node; the Project must allow it. */
export interface DaemonHost {
  /**
   * Whether to use the node's network namespace.
   *
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Whether to use the node's process namespace.
   *
   * @default false
   */
  readonly pid?: boolean | undefined;
  /**
   * Whether to use the node's IPC namespace.
   *
   * @default false
   */
  readonly ipc?: boolean | undefined;
  /**
   * Folders and files of the node to mount.
   *
   * @default []
   */
  readonly paths?: readonly HostPath[] | undefined;
}

/** A folder or file of the node. */
export interface HostPath {
  /** Name of the volume. */
  readonly name: string;
  /** Path on the node; the Project must allow it. */
  readonly path: string;
  /** Mount path in the containers of the app. */
  readonly mountPath: string;
  /**
   * Whether to mount the path read-only.
   *
   * @default true
   */
  readonly readOnly?: boolean | undefined;
  /** Required type of the path. Defaults to no check. */
  readonly type?:
    'DirectoryOrCreate' | 'Directory' | 'FileOrCreate' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice' | undefined;
  /**
   * Whether to propagate file systems that the node mounts under the path later.
   *
   * @default false
   */
  readonly followMounts?: boolean | undefined;
}

/** Maximum resource requests on every node. */
export interface NodeBudget {
  /** Maximum CPU request of the pod, injected containers included. */
  readonly cpu?: Quantity | undefined;
  /** Maximum memory request of the pod, injected containers included. */
  readonly memory?: Quantity | undefined;
}

/** Distributed training with TensorFlow, PyTorch or JAX whose members start together. */
export interface PinterestTrainingJobSpec {
  /** Training framework; the platform configures its rendezvous. */
  readonly framework: 'tensorflow' | 'pytorch' | 'jax';
  /** Members by role. */
  readonly roles: Readonly<Record<string, TrainingRole>>;
  /**
   * Port of the rendezvous.
   *
   * @default 23456
   */
  readonly port?: number | undefined;
  /** Processes per member, started by torchrun if more than one. Defaults to one per accelerator. */
  readonly processesPerNode?: number | undefined;
  /** Range of the number of members for elastic training; PyTorch only. */
  readonly elastic?: Elastic | undefined;
  /**
   * When the job succeeds: Leader, when the chief or master role succeeds, or worker 0 if the job has neither; AllWorkers, when all members that are expected to complete succeed.
   *
   * @default "Leader"
   */
  readonly successPolicy?: 'Leader' | 'AllWorkers' | undefined;
  /**
   * Pods to delete after success: All, Running or None.
   *
   * @default "Running"
   */
  readonly cleanPodPolicy?: 'All' | 'Running' | 'None' | undefined;
  /** Gang scheduling: all members start together or none; needs the controller if the scheduler does not support gangs. */
  readonly gang?: Gang | undefined;
  /** Volume for checkpoints. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Size of /dev/shm for data loaders; its contents count towards the memory limit. */
  readonly sharedMemory?: Quantity | undefined;
  /** Accelerators of the first container. */
  readonly accelerators?: Accelerators | undefined;
  /**
   * Whether to suspend it; running pods are terminated.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /**
   * Number of retries of a failed pod before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** Maximum duration of the whole run, after which it is terminated and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /**
   * Time to keep it after it finishes.
   *
   * @default "1d"
   */
  readonly ttlAfterFinished?: string | undefined;
  /** Policy for failed pods. */
  readonly podFailurePolicy?: ReplicatedJobPodFailurePolicy | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: TrainingJobPlacement | undefined;
  /** Termination of the pods. */
  readonly termination?: Termination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template of roles without their own. */
  readonly template?: PodTemplateInput | undefined;
}

/** Members of one role. */
export interface TrainingRole {
  /**
   * Number of members.
   *
   * @default 1
   */
  readonly replicas?: number | undefined;
  /**
   * Restart policy of failed members: Always, without limit; OnFailure, up to `retries` times; Never; ExitCode, like OnFailure for exit codes of 128 or more of the first container, while lower codes fail the job.
   *
   * @default "OnFailure"
   */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode' | undefined;
  /** Pod template. Defaults to that of the job. */
  readonly template?: PodTemplateInput | undefined;
}

/** Range of the number of members for elastic training; PyTorch only. */
export interface Elastic {
  /** Minimum number of members. */
  readonly minReplicas: number;
  /** Maximum number of members. */
  readonly maxReplicas: number;
  /**
   * Maximum number of worker group restarts.
   *
   * @default 3
   */
  readonly maxRestarts?: number | undefined;
}

/** Gang scheduling: all members start together or none; needs the controller if the scheduler does not support gangs. */
export interface Gang {
  /** Minimum number of members that must be schedulable before any starts. Defaults to all members. */
  readonly minAvailable?: number | undefined;
  /**
   * Maximum time that members wait for the others before the attempt is abandoned.
   *
   * @default "10m"
   */
  readonly timeout?: string | undefined;
}

/** Volume for checkpoints. */
export interface Checkpoint {
  /** Volume claim to create, shared by all members. */
  readonly claim?: Claim | undefined;
  /** Name of an existing volume claim. */
  readonly claimName?: string | undefined;
  /**
   * Mount path in the containers, also set as CHECKPOINT_DIR.
   *
   * @default "/checkpoints"
   */
  readonly mountPath?: string | undefined;
}

/** Volume claim to create, shared by all members. */
export interface Claim {
  /** Path within the volume. Defaults to its root. */
  readonly subPath?: string | undefined;
  /** Requested storage size; can grow if the storage class allows expansion. */
  readonly size: Quantity;
  /** Storage class. Defaults to that of the Platform. */
  readonly storageClass?: string | undefined;
  /** Labels of the claims; keys set by the platform are kept. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Access mode of the volume. Defaults to ReadWriteMany for multiple members. */
  readonly accessModes?:
    readonly ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[] | undefined;
}

/** Accelerators of the first container. */
export interface Accelerators {
  /**
   * Name of the extended resource.
   *
   * @default "nvidia.com/gpu"
   */
  readonly resource?: string | undefined;
  /** Number of accelerators per member. */
  readonly count: number;
  /** Roles with accelerators. Defaults to all except ps and evaluator. */
  readonly roles?: readonly string[] | undefined;
}

/** Scheduling of the pods. */
export interface TrainingJobPlacement {
  /** Node pool of the Platform. Defaults to the Platform's default pool. */
  readonly pool?: string | undefined;
  /** Zones of the pods. Defaults to all zones of the cluster. */
  readonly zones?: readonly string[] | undefined;
  /** Topology spread of the members. Defaults to none. */
  readonly spread?: TrainingJobPlacementSpread | undefined;
}

/** Topology spread of the members. Defaults to none. */
export interface TrainingJobPlacementSpread {
  /**
   * Spread of members across zones: Required, Preferred or Off.
   *
   * @default "Off"
   */
  readonly zones?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Spread of members across nodes: Required, Preferred or Off.
   *
   * @default "Off"
   */
  readonly hosts?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Maximum difference in the number of members between zones or nodes.
   *
   * @default 1
   */
  readonly maxSkew?: number | undefined;
}

/** Members with stable names and volumes of their own. */
export interface PinterestStatefulSetSpec {
  /**
   * Number of members.
   *
   * @default 1
   */
  readonly replicas?: number | undefined;
  /**
   * Volume claims to create for every member.
   *
   * @default []
   */
  readonly volumeClaimTemplates?: readonly ClaimTemplate[] | undefined;
  /** Policy for claims that are no longer used. */
  readonly persistentVolumeClaimRetentionPolicy?: PersistentVolumeClaimRetentionPolicy | undefined;
  /** Ordinals of the members. */
  readonly ordinals?: Ordinals | undefined;
  /**
   * Pod management policy: start members one after another, or all at once.
   *
   * @default "OrderedReady"
   */
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
  /** Update strategy. */
  readonly update?: StatefulSetUpdate | undefined;
  /** Disruption budget during node drains. */
  readonly disruption?: StatefulSetDisruption | undefined;
  /** Ports for traffic between members, besides those of the load balancer. */
  readonly ports?: readonly Port[] | undefined;
  /** Name of the headless Service of the members, and so of their domain. Defaults to the name of the workload and "-members"; cannot change. */
  readonly membersService?: string | undefined;
  /**
   * Whether to publish addresses of members before they are ready.
   *
   * @default false
   */
  readonly publishNotReadyAddresses?: boolean | undefined;
  /** Load balancing of client requests to any member. Defaults to none. */
  readonly loadBalancer?: LoadBalancer | undefined;
  /** Hooks, such as a migration: containers that run one after another, once for each deployed spec, before its pods start; if one fails, the pods stay as they are. */
  readonly beforeDeployment?: readonly BeforeDeployment[] | undefined;
  /** Version of the build. Defaults to the image tag of the first container. */
  readonly version?: string | undefined;
  /** Team that owns the workload. Defaults to the Project's. */
  readonly team?: string | undefined;
  /** Cost center. Defaults to the Project's. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the workload. */
  readonly links?: Links | undefined;
  /** IAM role of the pods, by ARN or by name in the Platform's account. */
  readonly iamRole?: string | undefined;
  /**
   * How the workload's clients reach the API server: not at all (None or false), through the gateway (Gateway), directly (Direct; where the Platform has a gateway, only for infrastructure projects and those that it lists), or as Kubernetes and the Platform decide (true).
   *
   * @default false
   */
  readonly apiAccess?: 'None' | 'Gateway' | 'Direct' | boolean | undefined;
  /** Priority tier of the Platform. Defaults to the Platform's default tier. */
  readonly tier?: string | undefined;
  /** Settings of parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Inline configuration files and environment variables. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Prometheus metrics endpoint. */
  readonly metrics?: Metrics | undefined;
  /** Scheduling of the pods. */
  readonly placement?: Placement | undefined;
  /** Termination of the pods. */
  readonly termination?: StatefulSetTermination | undefined;
  /** Network access to and from the workload. Defaults to no restriction, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels of all generated objects, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of all generated objects, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether to adopt existing native objects of the same names, without a restart; otherwise they conflict. */
  readonly adopt?: boolean | undefined;
  /** What may be lost if a change cannot be made in place: Claims (deleted with their data and recreated) or Progress (running work restarts). */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Patches of generated objects, for settings without a field. */
  readonly patches?: readonly Patch[] | undefined;
  /** Pod template: containers and init containers as in Kubernetes. */
  readonly template: PodTemplateInput;
}

/** Policy for claims that are no longer used. */
export interface PersistentVolumeClaimRetentionPolicy {
  /**
   * Policy for claims when the workload is deleted.
   *
   * @default "Retain"
   */
  readonly whenDeleted?: 'Retain' | 'Delete' | undefined;
  /**
   * Policy for claims when the workload is scaled down.
   *
   * @default "Retain"
   */
  readonly whenScaled?: 'Retain' | 'Delete' | undefined;
}

/** Ordinals of the members. */
export interface Ordinals {
  /**
   * Ordinal of the first member.
   *
   * @default 0
   */
  readonly start?: number | undefined;
}

/** Update strategy. */
export interface StatefulSetUpdate {
  /**
   * Update strategy: RollingUpdate replaces members, last one first; OnDelete waits until they are deleted.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'OnDelete' | undefined;
  /**
   * Members with a lower ordinal keep the old revision; a number beyond the last member keeps all of them.
   *
   * @default 0
   */
  readonly partition?: number | undefined;
  /** Maximum number of unavailable members during an update, on clusters that support more than one. Defaults to 1. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Time that a new member must be ready before the next one is replaced.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * Number of old revisions to keep for rollbacks.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
}

/** Disruption budget during node drains. */
export interface StatefulSetDisruption {
  /** Minimum number of available pods, absolute or in percent. */
  readonly minAvailable?: number | string | undefined;
  /** Maximum number of unavailable pods, absolute or in percent. Defaults to 1 if neither is set. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Eviction of unhealthy pods: always, or only while the budget is met.
   *
   * @default "AlwaysAllow"
   */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow' | undefined;
  /**
   * Whether to create a PodDisruptionBudget.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
}

/** Termination of the pods. */
export interface StatefulSetTermination {
  /**
   * Time between the termination request and the kill, drain included.
   *
   * @default "1m"
   */
  readonly gracePeriod?: string | undefined;
  /** Time that containers keep serving after the pod left the load balancers. Defaults to 5s for kinds that serve, and to at most half of the grace period. */
  readonly drain?: string | undefined;
}

/** A namespace with its quota, members and policies. */
export interface ProjectSpec {
  /** Team that owns the project. */
  readonly team: string;
  /** Cost center. */
  readonly costCenter?: string | undefined;
  /** Links to pages about the project. */
  readonly links?: Links | undefined;
  /** On-call contact. */
  readonly onCall?: string | undefined;
  /** Hours for notifications that are not urgent. */
  readonly businessHours?: BusinessHours | undefined;
  /**
   * Members of the project, with their roles.
   *
   * @default []
   */
  readonly members?: readonly ProjectMember[] | undefined;
  /**
   * Roles whose members may also run commands in pods, attach to them and forward ports.
   *
   * @default []
   */
  readonly exec?: readonly ('operate' | 'edit' | 'admin')[] | undefined;
  /** Total resource quota of its workloads. Defaults to the Platform's for resources not listed. */
  readonly quota?: Readonly<Record<string, Quantity>> | undefined;
  /** Reads through the gateway to the API server by all service accounts of the project. Defaults to the Platform's. */
  readonly apiBudget?: ApiBudget | undefined;
  /**
   * Whether to allow daemons, as an infrastructure project.
   *
   * @default false
   */
  readonly infrastructure?: boolean | undefined;
  /**
   * Pod Security level that the namespace enforces.
   *
   * @default "restricted"
   */
  readonly podSecurity?: 'restricted' | 'baseline' | 'privileged' | undefined;
  /** Host access that daemons may use. */
  readonly host?: ProjectHost | undefined;
  /** Limits of one container, enforced by a LimitRange. */
  readonly maxContainer?: MaxContainer | undefined;
  /**
   * Host names of its workloads, in addition to the generated ones, `*.<project>.<domain>`; `*.` covers one label.
   *
   * @default []
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * IAM roles of its workloads, by ARN or by name in the Platform's account, in addition to those in the path `/<project>/`; `/*` covers the roles of one path.
   *
   * @default []
   */
  readonly iamRoles?: readonly string[] | undefined;
  /**
   * Tiers that its workloads may take, in addition to those whose pods preempt none of the default tier.
   *
   * @default []
   */
  readonly tiers?: readonly string[] | undefined;
  /** Stages that may be deployed to. Defaults to any stage, without protection. */
  readonly stages?: readonly Stage[] | undefined;
  /**
   * Handling of deployments that exceed the quota: reject them, or queue them until they fit.
   *
   * @default "Reject"
   */
  readonly onQuotaExceeded?: 'Reject' | 'Queue' | undefined;
  /** Default node pool of its workloads. Defaults to the Platform's. */
  readonly defaultPool?: string | undefined;
  /** Whether to adopt an existing namespace of the same name with its quota and limits; an adopted namespace is kept when the Project is deleted. */
  readonly adopt?: boolean | undefined;
  /** Labels of the namespace. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Hours for notifications that are not urgent. */
export interface BusinessHours {
  /**
   * Time zone of the hours, as an IANA name.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /**
   * Working days.
   *
   * @default ["Mon","Tue","Wed","Thu","Fri"]
   */
  readonly days?: readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[] | undefined;
  /**
   * Start of the working day.
   *
   * @default "09:00"
   */
  readonly from?: string | undefined;
  /**
   * End of the working day.
   *
   * @default "17:00"
   */
  readonly to?: string | undefined;
}

/** A member of a project. */
export interface ProjectMember {
  /**
   * Type of subject.
   *
   * @default "Group"
   */
  readonly kind?: 'Group' | 'User' | 'ServiceAccount' | undefined;
  /** Name of the subject, as known to the API server. */
  readonly name: string;
  /** Role of the member in the project. */
  readonly role: 'view' | 'deploy' | 'operate' | 'edit' | 'admin';
}

/** Reads through the gateway to the API server by all service accounts of the project. Defaults to the Platform's. */
export interface ApiBudget {
  /** Average rate of reads; twice as many may come at once. Defaults to the Platform's. */
  readonly requestsPerSecond?: number | undefined;
  /** Reads in progress; a watch counts only while it starts. Defaults to the Platform's. */
  readonly concurrentRequests?: number | undefined;
  /** Average size of the responses. Defaults to the Platform's. */
  readonly bytesPerSecond?: string | undefined;
  /** Budget of each service account. */
  readonly serviceAccount?: ApiBudgetServiceAccount | undefined;
}

/** Budget of each service account. */
export interface ApiBudgetServiceAccount {
  /** Average rate of reads; twice as many may come at once. Defaults to the Platform's. */
  readonly requestsPerSecond?: number | undefined;
  /** Reads in progress; a watch counts only while it starts. Defaults to the Platform's. */
  readonly concurrentRequests?: number | undefined;
  /** Average size of the responses. Defaults to the Platform's. */
  readonly bytesPerSecond?: string | undefined;
}

/** Host access that daemons may use. */
export interface ProjectHost {
  /**
   * Whether to allow daemons the node's network namespace.
   *
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Whether to allow daemons the node's process namespace.
   *
   * @default false
   */
  readonly pid?: boolean | undefined;
  /**
   * Whether to allow daemons the node's IPC namespace.
   *
   * @default false
   */
  readonly ipc?: boolean | undefined;
  /**
   * Whether to allow daemons privileged containers.
   *
   * @default false
   */
  readonly privileged?: boolean | undefined;
  /**
   * Folders of the node that daemons may mount, including subfolders.
   *
   * @default []
   */
  readonly paths?: readonly string[] | undefined;
}

/** Limits of one container, enforced by a LimitRange. */
export interface MaxContainer {
  /** Maximum memory of a container. */
  readonly memory?: Quantity | undefined;
}

/** Stages that may be deployed to. Defaults to any stage, without protection. */
export interface Stage {
  /** Name of the stage, as in workflows. */
  readonly name: string;
  /**
   * Trusted publishers of artifacts, which protect the stage. Defaults to any publisher.
   *
   * @default []
   */
  readonly publishers?: readonly Publisher[] | undefined;
  /**
   * Groups whose members may bypass publishers in an emergency; each use is announced and recorded.
   *
   * @default []
   */
  readonly breakGlass?: readonly string[] | undefined;
  /** Clusters that the stage may deploy to, by the names in their Platform; a stage with publishers or deployers requires them and shares none with other stages. Defaults to any cluster that no protected stage owns. */
  readonly clusters?: readonly string[] | undefined;
  /** Groups whose members may deploy to the stage; each needs the role deploy, edit or admin. Defaults to all members with these roles. */
  readonly deployers?: readonly string[] | undefined;
  /** Conditions for deploying a version to the stage, in addition to those of its workflow. Defaults to none. */
  readonly promotion?: Promotion | undefined;
}

/** Trusted publishers of artifacts, which protect the stage. Defaults to any publisher. */
export interface Publisher {
  /** Issuer of the CI's identity tokens, or the base URL of the CI if it signs with a key. */
  readonly issuer: string;
  /** Repository of the CI runs, as named by the CI. */
  readonly repository: string;
  /** Branch or tag of the CI runs; a trailing * matches any suffix. */
  readonly ref: string;
  /** Other claims that the tokens must have, by name: the workflow file, IDs of the repository and its owner, the event, the environment; required for GitHub Actions. */
  readonly claims?: Readonly<Record<string, string>> | undefined;
  /** Public keys that artifacts are signed with. Defaults to identity tokens of the issuer. */
  readonly keys?: readonly string[] | undefined;
}

/** Conditions for deploying a version to the stage, in addition to those of its workflow. Defaults to none. */
export interface Promotion {
  /** Stage of the Project in which the same version must be Ready. Defaults to none. */
  readonly from?: string | undefined;
  /** Time for which it must have been Ready there without interruption. Defaults to 0s. */
  readonly soak?: string | undefined;
  /** Number of users who must approve the version, not counting the one who deploys. Defaults to none. */
  readonly approvals?: number | undefined;
  /** Groups whose approvals count; their members need any role in the project. Defaults to members with the role admin. */
  readonly approvers?: readonly string[] | undefined;
}

/** Runtime support that the platform adds to workloads, nodes and machines; immutable. */
export interface RuntimeProfileSpec {
  /** Version of the profile. */
  readonly version: string;
  /** Description of the profile and its changes. */
  readonly summary?: string | undefined;
  /** Environment variables of every container of the app. */
  readonly env?: readonly EnvVar[] | undefined;
  /** Parts in startup order, as far as dependencies allow. */
  readonly parts: readonly RuntimePart[];
}

/** A part of a runtime profile. */
export interface RuntimePart {
  /** Name of the part, as in `sidecars` of workloads. */
  readonly name: string;
  /** Description of the part. */
  readonly summary: string;
  /**
   * Injection: Required for every workload, OptOut unless the workload disables it, OptIn only if the workload enables it.
   *
   * @default "Required"
   */
  readonly injection?: 'Required' | 'OptOut' | 'OptIn' | undefined;
  /** Kinds that the part applies to. Defaults to all kinds. */
  readonly kinds?:
    | readonly (
        | 'PinterestService'
        | 'PinterestJobSet'
        | 'PinterestCronJob'
        | 'PinterestDaemon'
        | 'PinterestTrainingJob'
        | 'PinterestStatefulSet'
      )[]
    | undefined;
  /** Tiers that the part applies to. Defaults to all tiers. */
  readonly tiers?: readonly string[] | undefined;
  /**
   * Parts that it depends on, which start before it.
   *
   * @default []
   */
  readonly requires?: readonly string[] | undefined;
  /**
   * Parts that start before it if present.
   *
   * @default []
   */
  readonly after?: readonly string[] | undefined;
  /**
   * Whether to disable the part until the Platform's runtime.images names its image.
   *
   * @default false
   */
  readonly needsImage?: boolean | undefined;
  /**
   * Names of the Platform's runtime.values that the part needs; it is disabled without them.
   *
   * @default []
   */
  readonly needsValues?: readonly string[] | undefined;
  /** Settings that workloads can change. */
  readonly settings?: Readonly<Record<string, Setting>> | undefined;
  /** Environment variables of the part's containers, set to values from the Platform's runtime.values. */
  readonly valueEnv?: Readonly<Record<string, string>> | undefined;
  /** What the part adds to every pod. */
  readonly pod?: RuntimePartPod | undefined;
  /** PinterestDaemon to run on every node. */
  readonly node?: RuntimePartNode | undefined;
  /** Files, packages and systemd units to install on every machine through user data. */
  readonly machine?: Machine | undefined;
}

/** A setting of a part. */
export interface Setting {
  /**
   * Type of the values.
   *
   * @default "string"
   */
  readonly type?: 'string' | 'integer' | 'boolean' | undefined;
  /** Allowed values. Defaults to any. */
  readonly values?: readonly string[] | undefined;
  /** Default value. Defaults to leaving the variable unset. */
  readonly default?: string | number | boolean | undefined;
  /** Environment variable of the part's containers that holds the value. */
  readonly env?: string | undefined;
  /** Description of the setting. */
  readonly summary: string;
}

/** What the part adds to every pod. */
export interface RuntimePartPod {
  /** Init containers, which finish before the app starts. */
  readonly initContainers?: readonly Container[] | undefined;
  /** Sidecar containers, which start before the app and stop after it. */
  readonly sidecars?: readonly Container[] | undefined;
  /** Environment variables of the app's containers. */
  readonly env?: readonly EnvVar[] | undefined;
  /** Volumes of the pod. */
  readonly volumes?: readonly Volume[] | undefined;
  /** Volume mounts of the app's containers. */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Labels of the pod. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the pod. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Files of the part's containers, kept in a ConfigMap of the workload. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Path of a file with the settings as JSON. */
  readonly configFile?: string | undefined;
}

/** PinterestDaemon to run on every node. */
export interface RuntimePartNode {
  /** Spec of the generated PinterestDaemon. */
  readonly daemon: Readonly<Record<string, unknown>>;
}

/** Files, packages and systemd units to install on every machine through user data. */
export interface Machine {
  /** Systemd units, by name. */
  readonly units?: Readonly<Record<string, string>> | undefined;
  /** Files by path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Operating system packages. */
  readonly packages?: readonly string[] | undefined;
}

/** Settings of one cluster that workloads depend on, and the runtime profile in force. */
export interface PlatformSpec {
  /** Name of the cluster. */
  readonly cluster: string;
  /**
   * Environment of the cluster, such as production.
   *
   * @default "dev"
   */
  readonly environment?: string | undefined;
  /** Cloud region of the cluster. */
  readonly region?: string | undefined;
  /**
   * Minor version of the API server.
   *
   * @default "1.36"
   */
  readonly kubernetesVersion?: '1.35' | '1.36' | undefined;
  /** Base domain of generated host names. */
  readonly domain: string;
  /**
   * Groups of the platform team, which alone may write Projects, RuntimeProfiles and the Platform, delete PlatformRollouts, and change protected projects directly.
   *
   * @default ["system:masters"]
   */
  readonly administrators?: readonly string[] | undefined;
  /**
   * Zones of the nodes.
   *
   * @default []
   */
  readonly zones?: readonly string[] | undefined;
  /** AWS account of IAM roles. */
  readonly aws?: Aws | undefined;
  /** Priority tiers for workloads. */
  readonly tiers: readonly Tier[];
  /** Default tier of workloads. */
  readonly defaultTier: string;
  /** Default requests and limits of containers. */
  readonly resources: Resources;
  /**
   * Node pools for workloads.
   *
   * @default []
   */
  readonly pools?: readonly Pool[] | undefined;
  /** Default pool of workloads. Defaults to any node. */
  readonly defaultPool?: string | undefined;
  /** Ingress of HTTP traffic, by exposure. */
  readonly ingress?: PlatformIngress | undefined;
  /** Storage for workloads. */
  readonly storage?: Storage | undefined;
  /** Network settings. */
  readonly network?: Network | undefined;
  /** Runtime support that is added to workloads. */
  readonly runtime?: Runtime | undefined;
  /** Rollouts of changes of the runtime and of other settings that workloads depend on, in waves; spec.runtime.rollout and rolloutDeadline then do not count. Defaults to none: such changes reach all workloads as spec.runtime says. */
  readonly rollouts?: Rollouts | undefined;
  /** Metrics adapters for autoscaling. */
  readonly scaling?: Scaling | undefined;
  /** Gateway to the API server, and which clients must use it. Defaults to none. */
  readonly gateway?: Gateway | undefined;
  /**
   * Whether the scheduler's feature gate GangScheduling is enabled.
   *
   * @default false
   */
  readonly gangScheduling?: boolean | undefined;
  /**
   * Public keys with which the submission service authorizes deployments to protected stages, which are rejected without one; list two during a rotation.
   *
   * @default []
   */
  readonly deploymentKeys?: readonly string[] | undefined;
  /**
   * Groups whose members may change workloads of protected projects without a proof in an emergency, with the annotation pinterest.com/break-glass, and pause, abort, roll back and speed up PlatformRollouts.
   *
   * @default []
   */
  readonly breakGlass?: readonly string[] | undefined;
  /** Default quota of Projects. */
  readonly defaultQuota?: Readonly<Record<string, Quantity>> | undefined;
  /** Default budgets of reads through the gateway to the API server. */
  readonly defaultApiBudget?: DefaultApiBudget | undefined;
  /**
   * Resources of which the gateway answers reads without a resource version from its cache. Defaults to none: the API server answers such reads.
   *
   * @default []
   */
  readonly boundedReads?: readonly BoundedRead[] | undefined;
  /**
   * Fields that patches of some workloads may change in addition to those that all patches may change.
   *
   * @default []
   */
  readonly patchExceptions?: readonly PatchException[] | undefined;
  /**
   * Namespaces outside Projects, such as kube-system, with their quotas; namespaces not listed have none.
   *
   * @default []
   */
  readonly systemNamespaces?: readonly SystemNamespace[] | undefined;
}

/** AWS account of IAM roles. */
export interface Aws {
  /** AWS account of IAM roles that are named without an ARN. */
  readonly accountId: string;
  /**
   * AWS partition of the account.
   *
   * @default "aws"
   */
  readonly partition?: 'aws' | 'aws-cn' | 'aws-us-gov' | undefined;
}

/** A priority tier. */
export interface Tier {
  /** Name of the tier, and of its PriorityClass. */
  readonly name: string;
  /** Priority value; higher ones are scheduled first. */
  readonly priority: number;
  /**
   * Whether its pods may preempt others of lower priority.
   *
   * @default true
   */
  readonly preemption?: boolean | undefined;
  /**
   * Handling of containers without requests and limits: apply defaults, or reject.
   *
   * @default "Default"
   */
  readonly requests?: 'Default' | 'Required' | undefined;
  /** Default requests and limits of its containers. Defaults to those of the Platform. */
  readonly resources?: Resources | undefined;
  /** Taints that its pods tolerate. */
  readonly tolerations?: readonly Toleration[] | undefined;
}

/** A group of nodes that workloads can select. */
export interface Pool {
  /** Name of the pool. */
  readonly name: string;
  /** Labels of its nodes. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** Taints of its nodes. */
  readonly tolerations?: readonly Toleration[] | undefined;
  /**
   * Extended resources of its nodes.
   *
   * @default []
   */
  readonly accelerators?: readonly string[] | undefined;
}

/** Ingress of HTTP traffic, by exposure. */
export interface PlatformIngress {
  /** Ingress from the company network. */
  readonly internal?: IngressSettings | undefined;
  /** Ingress from the internet. */
  readonly external?: IngressSettings | undefined;
  /**
   * Annotations that projects may set on Ingresses, in addition to those that the platform sets; a trailing * matches any suffix.
   *
   * @default []
   */
  readonly allowedAnnotations?: readonly string[] | undefined;
}

/** Ingress of one exposure. */
export interface IngressSettings {
  /** Ingress class. */
  readonly ingressClassName: string;
  /** Base domain of generated host names. Defaults to the Platform's. */
  readonly domain?: string | undefined;
  /**
   * Whether to serve host names over TLS.
   *
   * @default true
   */
  readonly tls?: boolean | undefined;
  /** ClusterIssuer of cert-manager that issues certificates. */
  readonly clusterIssuer?: string | undefined;
  /** Annotations of every Ingress. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Storage for workloads. */
export interface Storage {
  /**
   * Storage classes for workloads; empty allows any.
   *
   * @default []
   */
  readonly classes?: readonly string[] | undefined;
  /** Default storage class of claims. Defaults to that of the cluster. */
  readonly defaultClass?: string | undefined;
}

/** Network settings. */
export interface Network {
  /**
   * Whether to deny traffic to workloads unless they allow it.
   *
   * @default false
   */
  readonly defaultDeny?: boolean | undefined;
  /**
   * Namespaces of the ingress controllers.
   *
   * @default ["ingress"]
   */
  readonly ingressNamespaces?: readonly string[] | undefined;
  /**
   * Namespace of the cluster DNS.
   *
   * @default "kube-system"
   */
  readonly dnsNamespace?: string | undefined;
}

/** Runtime support that is added to workloads. */
export interface Runtime {
  /**
   * Name of the RuntimeProfile in force.
   *
   * @default "default-1"
   */
  readonly profile?: string | undefined;
  /**
   * When to move workloads to a new profile, immediately or with their next deployment; deprecated since 0.3.0: set rollouts.
   *
   * @default "OnNextDeploy"
   */
  readonly rollout?: 'Immediate' | 'OnNextDeploy' | undefined;
  /**
   * Time after which workloads without a deployment are moved to a new profile; deprecated since 0.3.0: set rollouts.
   *
   * @default "14d"
   */
  readonly rolloutDeadline?: string | undefined;
  /** Canary that must succeed with a new profile before workloads without a deployment are moved. Defaults to none. */
  readonly canary?: Canary | undefined;
  /** Release of workloads whose pods a new version of the controller would change. Defaults to none. */
  readonly expansionRelease?: ExpansionRelease | undefined;
  /** Number that is raised to take along what a new version of the controller expands differently: another number is another revision, which spec.rollouts moves workloads to. Defaults to none. */
  readonly expansionEpoch?: number | undefined;
  /**
   * Infrastructure project of node-level parts.
   *
   * @default "pinion-system"
   */
  readonly project?: string | undefined;
  /** Container images of parts by name, for parts without a public image and for mirrors. */
  readonly images?: Readonly<Record<string, string>> | undefined;
  /** Values that parts need, by the name that the part declares. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** Canary that must succeed with a new profile before workloads without a deployment are moved. Defaults to none. */
export interface Canary {
  /**
   * Project of the canary.
   *
   * @default "pinion-canary"
   */
  readonly project?: string | undefined;
  /**
   * Maximum age of a canary run that counts.
   *
   * @default "30m"
   */
  readonly freshness?: string | undefined;
}

/** Release of workloads whose pods a new version of the controller would change. Defaults to none. */
export interface ExpansionRelease {
  /** Time until which workloads must have been held to be released; one in the future counts as the time at which the controller first saw it. */
  readonly heldBefore: string;
  /**
   * Projects of the workloads; empty releases all.
   *
   * @default []
   */
  readonly projects?: readonly string[] | undefined;
}

/** Rollouts of changes of the runtime and of other settings that workloads depend on, in waves; spec.runtime.rollout and rolloutDeadline then do not count. Defaults to none: such changes reach all workloads as spec.runtime says. */
export interface Rollouts {
  /**
   * Waves in their order; workloads of no wave follow in the wave "rest", then daemons in "daemons", workloads that were not ready at the start in "unready", and those created since in "created".
   *
   * @default [{"name":"first","share":2},{"name":"early","share":20}]
   */
  readonly waves?: readonly Wave[] | undefined;
  /**
   * Time that workloads of the last waves must stay healthy.
   *
   * @default "5m"
   */
  readonly soak?: string | undefined;
  /** Limits of what changes at once. */
  readonly budget?: Budget | undefined;
  /**
   * Number of workloads that may fail after their release; one more stops the rollout.
   *
   * @default 0
   */
  readonly maxFailures?: number | undefined;
  /**
   * Time after which a released workload that is not ready pauses the rollout.
   *
   * @default "30m"
   */
  readonly stalledAfter?: string | undefined;
  /**
   * What follows a failure: workloads return to their former revisions, or stay as they are.
   *
   * @default "Rollback"
   */
  readonly onFailure?: 'Rollback' | 'Halt' | undefined;
  /** Metrics that stop the rollout as failures do; without an answer, it pauses. Defaults to none: the health of workloads alone decides. */
  readonly metricGates?: MetricGates | undefined;
  /**
   * Times without releases.
   *
   * @default []
   */
  readonly freezes?: readonly Freeze[] | undefined;
  /**
   * Whether to release workloads only once the impact of the rollout is approved in the PlatformRollout.
   *
   * @default false
   */
  readonly requireApproval?: boolean | undefined;
}

/** Waves in their order; workloads of no wave follow in the wave "rest", then daemons in "daemons", workloads that were not ready at the start in "unready", and those created since in "created". */
export interface Wave {
  /** Name of the wave. */
  readonly name: string;
  /** Tiers of its workloads. Defaults to all. */
  readonly tiers?: readonly string[] | undefined;
  /** Projects of its workloads. Defaults to all. */
  readonly projects?: readonly string[] | undefined;
  /** Kinds of its workloads. Defaults to all except PinterestDaemon, whose wave is the last but one. */
  readonly kinds?:
    | readonly (
        | 'PinterestService'
        | 'PinterestJobSet'
        | 'PinterestCronJob'
        | 'PinterestDaemon'
        | 'PinterestTrainingJob'
        | 'PinterestStatefulSet'
      )[]
    | undefined;
  /** Labels that its workloads have. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Percentage of the workloads that match, at least one; other revisions choose others.
   *
   * @default 100
   */
  readonly share?: number | undefined;
  /**
   * Time that its workloads must stay healthy before the next wave.
   *
   * @default "5m"
   */
  readonly soak?: string | undefined;
}

/** Limits of what changes at once. */
export interface Budget {
  /**
   * Maximum number of workloads that change at once.
   *
   * @default 10
   */
  readonly workloads?: number | undefined;
  /**
   * Maximum number of workloads of one project that change at once.
   *
   * @default 2
   */
  readonly workloadsPerProject?: number | undefined;
  /**
   * Maximum number of pods of workloads that change at once; a larger workload changes alone.
   *
   * @default 200
   */
  readonly pods?: number | undefined;
  /** By tier, the number of workloads that have become unready since the start from which no other of the tier is released. */
  readonly unready?: Readonly<Record<string, number>> | undefined;
}

/** Metrics that stop the rollout as failures do; without an answer, it pauses. Defaults to none: the health of workloads alone decides. */
export interface MetricGates {
  /** URL of Prometheus, which the controller must reach without credentials. */
  readonly prometheus: string;
  /** Gates; a result of one stops the rollout. */
  readonly queries: readonly Query[];
}

/** Gates; a result of one stops the rollout. */
export interface Query {
  /** Name of the gate. */
  readonly name: string;
  /** Expression in PromQL that has a result only while something is wrong, as that of an alert. */
  readonly expression: string;
}

/** Times without releases. */
export interface Freeze {
  /** Name of the freeze. */
  readonly name: string;
  /** Start of the freeze, as a cron expression. */
  readonly schedule: string;
  /**
   * Time zone of the schedule, as an IANA name.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /** Duration of the freeze. */
  readonly duration: string;
}

/** Metrics adapters for autoscaling. */
export interface Scaling {
  /** Adapter that serves custom metrics. Defaults to none. */
  readonly customAdapter?: string | undefined;
  /** Adapter that serves external metrics. Defaults to none. */
  readonly externalAdapter?: string | undefined;
  /** Adapter that serves scheduled windows as an external metric. Defaults to none. */
  readonly scheduledAdapter?: string | undefined;
}

/** Gateway to the API server, and which clients must use it. Defaults to none. */
export interface Gateway {
  /** Cluster IP of the Service of the gateway, for which its certificate is valid. */
  readonly address: string;
  /**
   * Port of the Service.
   *
   * @default 443
   */
  readonly port?: number | undefined;
  /** Certificates of the authorities that clients trust; list the old and the new one during a rotation. */
  readonly certificateAuthority: string;
  /**
   * Number of gateways; each caches all of the resources.
   *
   * @default 2
   */
  readonly replicas?: number | undefined;
  /**
   * Resources whose reads it answers from its caches, in addition to pods, nodes, services, endpoint slices, namespaces and pinion's own kinds.
   *
   * @default []
   */
  readonly resources?: readonly string[] | undefined;
  /**
   * Whether `configmaps.v1` may be among the resources: some contain credentials.
   *
   * @default false
   */
  readonly cacheConfigMaps?: boolean | undefined;
  /**
   * What happens to clients of the API server: nothing (Off), new pods are led to the gateway and direct access is reported (Observe), direct access is refused (Enforce).
   *
   * @default "Off"
   */
  readonly stage?: 'Off' | 'Observe' | 'Enforce' | undefined;
  /**
   * Whether to enforce although pods still have a token for the API server.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
  /**
   * Projects whose pods may have a token for the API server, besides infrastructure projects.
   *
   * @default ["pinion-canary","pinion-quota","pinion-submission"]
   */
  readonly directProjects?: readonly string[] | undefined;
  /**
   * Audiences of tokens that the API server accepts, as in its flag --api-audiences.
   *
   * @default ["https://kubernetes.default.svc.cluster.local","https://kubernetes.default.svc"]
   */
  readonly audiences?: readonly string[] | undefined;
}

/** Default budgets of reads through the gateway to the API server. */
export interface DefaultApiBudget {
  /** Budget of all service accounts of a project. */
  readonly project?: DefaultApiBudgetProject | undefined;
  /** Budget of each service account. */
  readonly serviceAccount?: DefaultApiBudgetServiceAccount | undefined;
  /** Budget of each user outside the platform team. */
  readonly user?: DefaultApiBudgetServiceAccount | undefined;
}

/** Budget of all service accounts of a project. */
export interface DefaultApiBudgetProject {
  /**
   * Average rate of reads; twice as many may come at once.
   *
   * @default 200
   */
  readonly requestsPerSecond?: number | undefined;
  /**
   * Reads in progress; a watch counts only while it starts.
   *
   * @default 100
   */
  readonly concurrentRequests?: number | undefined;
  /**
   * Average size of the responses.
   *
   * @default "64Mi"
   */
  readonly bytesPerSecond?: string | undefined;
}

/** Budget of each service account. */
export interface DefaultApiBudgetServiceAccount {
  /**
   * Average rate of reads; twice as many may come at once.
   *
   * @default 50
   */
  readonly requestsPerSecond?: number | undefined;
  /**
   * Reads in progress; a watch counts only while it starts.
   *
   * @default 20
   */
  readonly concurrentRequests?: number | undefined;
  /**
   * Average size of the responses.
   *
   * @default "32Mi"
   */
  readonly bytesPerSecond?: string | undefined;
}

/** Resources of which the gateway answers reads without a resource version from its cache. Defaults to none: the API server answers such reads. */
export interface BoundedRead {
  /** Plural of the resource; with its group, unless it is in the core group. */
  readonly resource: string;
  /**
   * Maximum age of an answer; the API server answers when the cache is not proved to be that recent.
   *
   * @default "10s"
   */
  readonly maxAge?: string | undefined;
}

/** Fields that patches of some workloads may change in addition to those that all patches may change. */
export interface PatchException {
  /** Project of the workloads. */
  readonly project: string;
  /** Name of the workload. Defaults to all of the project. */
  readonly workload?: string | undefined;
  /** Kind of the generated objects. */
  readonly kind:
    | 'PersistentVolumeClaim'
    | 'PodDisruptionBudget'
    | 'Service'
    | 'Deployment'
    | 'StatefulSet'
    | 'DaemonSet'
    | 'Job'
    | 'CronJob'
    | 'HorizontalPodAutoscaler'
    | 'Ingress';
  /** JSON Pointers of the fields, which include all fields below them; `*` matches any key or index. */
  readonly fields: readonly string[];
}

/** Namespaces outside Projects, such as kube-system, with their quotas; namespaces not listed have none. */
export interface SystemNamespace {
  /** Name of an existing namespace. */
  readonly name: string;
  /**
   * Resource quota of the namespace; pods of the priority classes system-cluster-critical and system-node-critical do not count.
   *
   * @default {"pods":"1k","services":"100","services.loadbalancers":"10","configmaps":"1k","secrets":"1k","persistentvolumeclaims":"100"}
   */
  readonly quota?: Readonly<Record<string, Quantity>> | undefined;
}

/** What workloads are expanded from, except their own spec and their Project; written by the controller. */
export interface PlatformRevisionSpec {
  /** Runtime profile of the revision. */
  readonly profile: Profile;
  /** Fields of spec of the Platform that objects of workloads depend on, as written, without defaults. */
  readonly platform: Readonly<Record<string, unknown>>;
}

/** Runtime profile of the revision. */
export interface Profile {
  /** Name of the RuntimeProfile. */
  readonly name: string;
  /** Its content as written. Defaults to the profile of that name in the library. */
  readonly spec?: Readonly<Record<string, unknown>> | undefined;
}

/** Moves the workloads of a cluster to a revision in waves; created by the controller. */
export interface PlatformRolloutSpec {
  /** Revision of the Platform or the Project that workloads move to; of a rollback, the one that they leave. */
  readonly revision: string;
  /** Project whose change it rolls out to its workloads. Defaults to a rollout of the Platform. */
  readonly project?: string | undefined;
  /** Rollout that it rolls back: workloads return to the revisions that they had before, or to `returnTo`. */
  readonly rollbackOf?: string | undefined;
  /** Revision that workloads return to, because the Platform or the Project has it again. Defaults to the former one of each. */
  readonly returnTo?: string | undefined;
  /** Policy of the Platform when the rollout started. */
  readonly policy?: Rollouts | undefined;
  /**
   * Whether to release no more workloads until it is false again.
   *
   * @default false
   */
  readonly paused?: boolean | undefined;
  /**
   * Whether to release no more workloads for good.
   *
   * @default false
   */
  readonly aborted?: boolean | undefined;
  /**
   * Whether workloads that it moved return to their former revisions; it is then aborted, too.
   *
   * @default false
   */
  readonly rollback?: boolean | undefined;
  /** Digest of the impact that is approved, as `pinion impact report` prints it; it counts if the policy requires an approval. Defaults to none. */
  readonly approvedImpact?: string | undefined;
  /** Emergency: soak, freezes, the canary and a missing approval do not count; budgets and disruption budgets do. Defaults to none. */
  readonly emergency?: Emergency | undefined;
}

/** Emergency: soak, freezes, the canary and a missing approval do not count; budgets and disruption budgets do. Defaults to none. */
export interface Emergency {
  /** Reason, which is in the events of the rollout and visible to all who read it. */
  readonly reason: string;
  /** Time until which it counts; at most 24 hours ahead. */
  readonly until: string;
}

/** Input of `spec` by kind. */
export interface SpecInputs {
  PinterestService: PinterestServiceSpec;
  PinterestJobSet: PinterestJobSetSpec;
  PinterestCronJob: PinterestCronJobSpec;
  PinterestDaemon: PinterestDaemonSpec;
  PinterestTrainingJob: PinterestTrainingJobSpec;
  PinterestStatefulSet: PinterestStatefulSetSpec;
  Project: ProjectSpec;
  RuntimeProfile: RuntimeProfileSpec;
  Platform: PlatformSpec;
  PlatformRevision: PlatformRevisionSpec;
  PlatformRollout: PlatformRolloutSpec;
}
