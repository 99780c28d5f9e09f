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
import { type PodTemplate } from './fields/pod-template';

/** A long-running stateless workload, and how clients reach it. */
export interface PinterestServiceSpec {
  /** Number of pods; 1 where neither this nor autoscaling is given. */
  readonly replicas?: number | undefined;
  /** Number of pods by the load, instead of replicas. */
  readonly autoscaling?: Autoscaling | undefined;
  /** How clients reach it; without it nobody does. */
  readonly loadBalancer?: LoadBalancer | undefined;
  /** Further ports of its Service, within the cluster only. */
  readonly ports?: readonly Port[] | undefined;
  /** Probes for the first container, where it has none of its own. */
  readonly health?: Health | undefined;
  /** How new versions replace old ones. */
  readonly rollout?: Rollout | undefined;
  /** How many pods a drain must leave. */
  readonly disruption?: ServiceDisruption | undefined;
  /**
   * Whether its pods may hold a Lease of the name of the workload; gives them a token for the API server.
   *
   * @default false
   */
  readonly leaderElection?: boolean | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: Placement | undefined;
  /** How its pods end. */
  readonly termination?: Termination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run: containers and init containers exactly as Kubernetes knows them. */
  readonly template: PodTemplate;
}

/** Number of pods by the load, instead of replicas. */
export interface Autoscaling {
  /**
   * Least number of pods.
   *
   * @default 1
   */
  readonly minReplicas?: number | undefined;
  /** Most pods. */
  readonly maxReplicas: number;
  /** CPU to keep, in percent of the requests of the pod; 80 where no target at all is given. */
  readonly cpu?: number | undefined;
  /** Memory to keep, in percent of the requests of the pod. */
  readonly memory?: number | undefined;
  /** Container whose CPU and memory count; the whole pod where left out. */
  readonly container?: string | undefined;
  /** Metrics beyond CPU and memory, such as requests per second or queue lag. */
  readonly custom?: readonly CustomTarget[] | undefined;
  /** Windows with a least number of pods, by the clock. */
  readonly scheduled?: readonly ScheduledTarget[] | undefined;
  /** How pods are removed. */
  readonly scaleDown?: ScaleDown | undefined;
  /** How pods are added. */
  readonly scaleUp?: ScaleUp | undefined;
}

/** A metric beyond CPU and memory. */
export interface CustomTarget {
  /** Metric to follow. */
  readonly metric: string;
  /**
   * Whether the pods report it or something outside.
   *
   * @default "Pods"
   */
  readonly source?: 'Pods' | 'External' | undefined;
  /** Value per pod to keep. */
  readonly average: Quantity;
  /** Labels that the series must carry. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
}

/** A window with a least number of pods. */
export interface ScheduledTarget {
  /** Name of the window. */
  readonly name: string;
  /** When the window opens, as a cron expression. */
  readonly schedule: string;
  /**
   * Time zone of the schedule.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /** How long the window stays open. */
  readonly for: string;
  /** Least number of pods within the window. */
  readonly replicas: number;
}

/** How pods are removed. */
export interface ScaleDown {
  /**
   * How long the need must have been lower before pods go.
   *
   * @default "5m"
   */
  readonly stabilization?: string | undefined;
  /**
   * Most pods to remove in a minute, in percent.
   *
   * @default 100
   */
  readonly percentPerMinute?: number | undefined;
  /**
   * Whether pods are only ever added.
   *
   * @default false
   */
  readonly disabled?: boolean | undefined;
}

/** How pods are added. */
export interface ScaleUp {
  /**
   * How long the need must have been higher before pods come.
   *
   * @default "0s"
   */
  readonly stabilization?: string | undefined;
  /**
   * Most pods to add in a minute, in percent; four are always allowed.
   *
   * @default 100
   */
  readonly percentPerMinute?: number | undefined;
}

/** How clients reach it; without it nobody does. */
export interface LoadBalancer {
  /** The one port that clients reach, at the same number in the container. */
  readonly port?: number | undefined;
  /** Port of the container for `port`, where it differs. */
  readonly targetPort?: number | string | undefined;
  /**
   * What is spoken on `port`; HTTP, HTTPS, GRPC and H2C get an Ingress.
   *
   * @default "HTTP"
   */
  readonly protocol?: 'HTTP' | 'HTTPS' | 'GRPC' | 'H2C' | 'TCP' | 'UDP' | undefined;
  /** Several ports; the first one that speaks HTTP is behind the Ingress. */
  readonly ports?: readonly Port[] | undefined;
  /**
   * Who can reach it: the cluster only, the company's network, or the internet.
   *
   * @default "Internal"
   */
  readonly exposure?: 'Cluster' | 'Internal' | 'External' | undefined;
  /** Host names; `<name>.<project>.<domain of the Platform>` where left out. */
  readonly hosts?: readonly string[] | undefined;
  /** Paths that lead here; all where left out. */
  readonly paths?: readonly HttpPath[] | undefined;
  /** TLS of the host names; as the Platform says for the exposure where left out. */
  readonly tls?: Tls | undefined;
  /** How long a request may take. */
  readonly timeout?: string | undefined;
  /** Whether a client stays with one pod. */
  readonly stickiness?: boolean | undefined;
  /** Further annotations on the Ingress. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** A port that clients reach, and where it leads. */
export interface Port {
  /** Name of the port. */
  readonly name: string;
  /** Port that clients reach. */
  readonly port: number;
  /** Port of the container, by number or name; the same number where left out. */
  readonly targetPort?: number | string | undefined;
  /**
   * What is spoken on it.
   *
   * @default "HTTP"
   */
  readonly protocol?: 'HTTP' | 'HTTPS' | 'GRPC' | 'H2C' | 'TCP' | 'UDP' | undefined;
}

/** A path that leads to the workload. */
export interface HttpPath {
  /**
   * Path that requests start with.
   *
   * @default "/"
   */
  readonly path?: string | undefined;
  /**
   * How the path is compared.
   *
   * @default "Prefix"
   */
  readonly match?: 'Prefix' | 'Exact' | undefined;
}

/** TLS of the host names; as the Platform says for the exposure where left out. */
export interface Tls {
  /**
   * Whether the host names are served over TLS.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /** Secret with the certificate; where left out the Platform's issuer makes one, or the way in has its own. */
  readonly secretName?: string | undefined;
}

/** Probes for the first container, where it has none of its own. */
export interface Health {
  /** Path that answers 200 when healthy; where left out a connection is enough. */
  readonly path?: string | undefined;
  /** Port to ask; the first port of the load balancer where left out. */
  readonly port?: number | string | undefined;
  /**
   * Time between two questions.
   *
   * @default "10s"
   */
  readonly interval?: string | undefined;
  /**
   * How long an answer may take.
   *
   * @default "1s"
   */
  readonly timeout?: string | undefined;
  /**
   * How long the start may take before the container is restarted.
   *
   * @default "1m"
   */
  readonly startup?: string | undefined;
  /**
   * Questions in a row without an answer before a pod is sent no more requests; after twice as many its container is restarted.
   *
   * @default 3
   */
  readonly failures?: number | undefined;
}

/** How new versions replace old ones. */
export interface Rollout {
  /**
   * Whether old and new pods run side by side, or old ones end first.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'Recreate' | undefined;
  /**
   * Pods above the wanted number during a rollout.
   *
   * @default "25%"
   */
  readonly maxSurge?: number | string | undefined;
  /**
   * Pods below the wanted number during a rollout.
   *
   * @default 0
   */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * How long a new pod must be ready before it counts.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * How long a rollout may make no progress before it is called failed.
   *
   * @default "10m"
   */
  readonly progressDeadline?: string | undefined;
  /**
   * Old versions to keep for a roll back.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
  /**
   * Whether changes wait.
   *
   * @default false
   */
  readonly paused?: boolean | undefined;
}

/** How many pods a drain must leave. */
export interface ServiceDisruption {
  /** Pods that must stay. */
  readonly minAvailable?: number | string | undefined;
  /** Pods that may go; 1 where neither is given, and 25% from eight replicas on. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Whether pods that are not ready may always be evicted.
   *
   * @default "AlwaysAllow"
   */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow' | undefined;
  /**
   * Whether there is a budget at all.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
}

/** Pages about it. */
export interface Links {
  /** Source code. */
  readonly repository?: string | undefined;
  /** What to do when it fails. */
  readonly runbook?: string | undefined;
  /** Where its team talks. */
  readonly chat?: string | undefined;
  /** Its logs. */
  readonly logs?: string | undefined;
  /** Its dashboards. */
  readonly graphs?: string | undefined;
  /** Its availability. */
  readonly uptime?: string | undefined;
}

/** Choices about one part of the runtime profile. */
export interface SidecarChoice {
  /** Whether the part runs; required parts cannot be switched off, parts on request are off until this is true. */
  readonly enabled?: boolean | undefined;
  /** Settings that the part declares, by name. */
  readonly config?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Further variables of the part's containers. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** CPU and memory of the part's main container instead of those of the profile. */
  readonly resources?: Resources | undefined;
  /** Volumes of the pod that the part's containers see too. */
  readonly mounts?: readonly Mount[] | undefined;
}

/** CPU and memory of a container. */
export interface Resources {
  /** What the scheduler keeps free for the container. */
  readonly requests?: Readonly<Record<string, Quantity>> | undefined;
  /** What the container may not pass. */
  readonly limits?: Readonly<Record<string, Quantity>> | undefined;
}

/** A volume of the pod that a part sees too. */
export interface Mount {
  /** Volume of the pod. */
  readonly name: string;
  /** Where the part sees it. */
  readonly mountPath: string;
  /** Whether the part may only read it. */
  readonly readOnly?: boolean | undefined;
}

/** Files and variables, written inline. */
export interface Config {
  /** Files by absolute path, seen by every container of the app; a change rolls the workload. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Variables of every container of the app; a container's own variable of the same name wins. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Secrets, by reference. */
export interface Secrets {
  /** Variables whose values are keys of secrets. */
  readonly env?: Readonly<Record<string, SecretVariable>> | undefined;
  /** Folders that show the keys of a secret as files. */
  readonly files?: Readonly<Record<string, SecretFolder>> | undefined;
}

/** A key of a secret that becomes a variable. */
export interface SecretVariable {
  /** Secret in the project. */
  readonly name: string;
  /** Key within the secret. */
  readonly key: string;
  /** Whether the pod starts without it. */
  readonly optional?: boolean | undefined;
}

/** A secret that becomes a folder. */
export interface SecretFolder {
  /** Secret in the project. */
  readonly name: string;
  /** Whether the pod starts without it. */
  readonly optional?: boolean | undefined;
}

/** Where Prometheus metrics are served. */
export interface Metrics {
  /** Port that serves metrics. */
  readonly port: number;
  /**
   * Path that serves metrics.
   *
   * @default "/metrics"
   */
  readonly path?: string | undefined;
}

/** Where its pods may run. */
export interface Placement {
  /** Node pool that the Platform offers; its default pool where left out. */
  readonly pool?: string | undefined;
  /** Zones that pods may run in; all of the cluster's where left out. */
  readonly zones?: readonly string[] | undefined;
  /** How pods are spread. */
  readonly spread?: Spread | undefined;
}

/** How pods are spread. */
export interface Spread {
  /**
   * Whether pods are spread evenly over zones.
   *
   * @default "Preferred"
   */
  readonly zones?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Whether pods are spread evenly over nodes.
   *
   * @default "Preferred"
   */
  readonly hosts?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * How uneven the spread may be, in pods.
   *
   * @default 1
   */
  readonly maxSkew?: number | undefined;
}

/** How its pods end. */
export interface Termination {
  /**
   * Time between the request to end and the kill, drain included.
   *
   * @default "30s"
   */
  readonly gracePeriod?: string | undefined;
  /** How long containers go on serving after the pod left the load balancers; kinds that serve wait 5s where left out, and at most half of the grace period. */
  readonly drain?: string | undefined;
}

/** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
export interface Access {
  /** Who may connect; the own project's load balancer is always allowed. */
  readonly from?: readonly Peer[] | undefined;
  /** Whom it may connect to; names are always resolved. */
  readonly to?: readonly Peer[] | undefined;
}

/** Who may connect, or whom a workload may connect to. */
export interface Peer {
  /** Project of the peer. */
  readonly project?: string | undefined;
  /** Workload of the peer; all of the project where left out. */
  readonly workload?: string | undefined;
  /** Address range outside the cluster. */
  readonly cidr?: string | undefined;
  /** Ports; all where left out. */
  readonly ports?: readonly number[] | undefined;
}

/** A change to finished objects. */
export interface Patch {
  /** Kind of the objects to change. */
  readonly kind: string;
  /** Name of the object; all of the kind where left out. */
  readonly name?: string | undefined;
  /** JSON merge patch (RFC 7386): null removes, lists are replaced. */
  readonly merge?: Readonly<Record<string, unknown>> | undefined;
  /** JSON Patch (RFC 6902). */
  readonly operations?: readonly PatchOperation[] | undefined;
}

/** An operation of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  /** What to do at the path. */
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  /** JSON pointer into the object. */
  readonly path: string;
  /** New or expected value. */
  readonly value?: unknown;
}

/** Work to completion, cut into independent shards that each know their index and the count. */
export interface PinterestJobSetSpec {
  /**
   * Number of shards; each knows its index and the count.
   *
   * @default 1
   */
  readonly shards?: number | undefined;
  /** How many shards run at the same time; all where left out. */
  readonly parallelism?: number | undefined;
  /** What is different for some shards. */
  readonly overrides?: readonly ShardOverride[] | undefined;
  /** ConfigMaps that every shard gets for itself. */
  readonly configTemplates?: readonly ConfigTemplate[] | undefined;
  /** Volumes that every shard gets for itself. */
  readonly volumeClaimTemplates?: readonly ClaimTemplate[] | undefined;
  /**
   * What becomes of the volumes when the job set is deleted; Retain needs the controller.
   *
   * @default "Delete"
   */
  readonly claimRetention?: 'Retain' | 'Delete' | undefined;
  /** When it has succeeded; when all shards have, where left out. */
  readonly successPolicy?: ShardSuccessPolicy | undefined;
  /** When it has failed. */
  readonly failurePolicy?: ShardFailurePolicy | undefined;
  /**
   * Whether it waits; its pods end when this is set while they run.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /**
   * Whether the shards find each other by name, `<workload>-<index>.<workload>`.
   *
   * @default false
   */
  readonly dnsNames?: boolean | undefined;
  /**
   * How often a failed pod is replaced before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** How long all of it may take before it is ended and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /**
   * How long it stays to be looked at after its end.
   *
   * @default "1d"
   */
  readonly ttlAfterFinished?: string | undefined;
  /** How pod failures are handled. */
  readonly podFailurePolicy?: JobSetPodFailurePolicy | undefined;
  /** Whether a new pod starts while the old one is still ending; Defaults to TerminatingOrFailed, and to Failed with podFailurePolicy. */
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: Placement | undefined;
  /** How its pods end. */
  readonly termination?: Termination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run: containers and init containers exactly as Kubernetes knows them. */
  readonly template: PodTemplate;
}

/** What is different for some shards. */
export interface ShardOverride {
  /** Shards that it is about. */
  readonly shards: readonly number[];
  /** Variables of every container of the app; they win over the template's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Arguments of the first container instead of the template's. */
  readonly args?: readonly string[] | undefined;
  /** CPU and memory of the first container instead of the template's. */
  readonly resources?: Resources | undefined;
  /** Files by name of the config template; they replace or add to those of the template. */
  readonly config?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Sizes by name of the claim template. */
  readonly claimSizes?: Readonly<Record<string, Quantity>> | undefined;
  /** Node pool instead of that of the placement. */
  readonly pool?: string | undefined;
}

/** A ConfigMap that every shard gets for itself. */
export interface ConfigTemplate {
  /** Name of the volume, and of the ConfigMaps between the names of workload and shard. */
  readonly name: string;
  /** Folder where the app's containers see its keys as files. */
  readonly mountPath: string;
  /** Files by name; $(PINION_SHARD_INDEX) and $(PINION_SHARD_COUNT) stand for the numbers of the shard. */
  readonly data: Readonly<Record<string, string>>;
}

/** A volume that every member gets for itself. */
export interface ClaimTemplate {
  /** Name of the volume, and of the claims before the name of the member. */
  readonly name: string;
  /** Where the app's containers see it. */
  readonly mountPath: string;
  /** Folder within the volume that they see. */
  readonly subPath?: string | undefined;
  /** Size to ask for; it can grow where the storage class allows it. */
  readonly size: Quantity;
  /** Storage class; the Platform's where left out. */
  readonly storageClass?: string | undefined;
  /**
   * Who may mount it at the same time.
   *
   * @default ["ReadWriteOnce"]
   */
  readonly accessModes?:
    readonly ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[] | undefined;
  /** Labels on the claims; the platform's own stay as they are. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** When it has succeeded; when all shards have, where left out. */
export interface ShardSuccessPolicy {
  /** Shards that decide; all where left out. */
  readonly shards?: readonly number[] | undefined;
  /** How many of them must succeed; all of them where left out. */
  readonly count?: number | undefined;
}

/** When it has failed. */
export interface ShardFailurePolicy {
  /** How many shards may fail before the rest is ended; all where left out, for shards are independent. */
  readonly maxFailedShards?: number | undefined;
  /**
   * How often the whole set is started anew after it failed; needs the controller.
   *
   * @default 0
   */
  readonly maxRestarts?: number | undefined;
}

/** How pod failures are handled. */
export interface JobSetPodFailurePolicy {
  /** Rules by exit code or pod condition, exactly as in a Job. */
  readonly rules: readonly PodFailurePolicyRule[];
}

/** Work that starts on a schedule and runs to completion. */
export interface PinterestCronJobSpec {
  /** When it starts, as a cron expression of five fields or a name such as @daily. */
  readonly schedule: string;
  /**
   * Time zone of the schedule.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /**
   * What happens at a start while the last run goes on.
   *
   * @default "Forbid"
   */
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
  /**
   * Whether no run starts.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /** How late a run may start; later ones are skipped. */
  readonly startingDeadline?: string | undefined;
  /** Runs to keep. */
  readonly history?: History | undefined;
  /**
   * Pods of a run at the same time.
   *
   * @default 1
   */
  readonly parallelism?: number | undefined;
  /**
   * Pods that must succeed for a run to succeed.
   *
   * @default 1
   */
  readonly completions?: number | undefined;
  /** How long a run usually takes; alerts compare with it. */
  readonly expectedDuration?: string | undefined;
  /**
   * How often a failed pod is replaced before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** How long all of it may take before it is ended and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /** How long a run stays to be looked at after its end; as long as history says where left out. */
  readonly ttlAfterFinished?: string | undefined;
  /** How pod failures are handled. */
  readonly podFailurePolicy?: JobSetPodFailurePolicy | undefined;
  /** Whether a new pod starts while the old one is still ending; Defaults to TerminatingOrFailed, and to Failed with podFailurePolicy. */
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: Placement | undefined;
  /** How its pods end. */
  readonly termination?: Termination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run: containers and init containers exactly as Kubernetes knows them. */
  readonly template: PodTemplate;
}

/** Runs to keep. */
export interface History {
  /**
   * Successful runs to keep.
   *
   * @default 3
   */
  readonly successful?: number | undefined;
  /**
   * Failed runs to keep.
   *
   * @default 3
   */
  readonly failed?: number | undefined;
}

/** One pod on every node, for infrastructure projects. */
export interface PinterestDaemonSpec {
  /** Node pools that it runs on; all nodes where left out. */
  readonly pools?: readonly string[] | undefined;
  /**
   * Whether it runs on nodes with taints, failing ones included.
   *
   * @default true
   */
  readonly tolerateAll?: boolean | undefined;
  /** Taints that it tolerates beside those of its pools, where it does not tolerate all. */
  readonly tolerations?: readonly Toleration[] | undefined;
  /**
   * Whether its pods are as important as the node itself (system-node-critical).
   *
   * @default false
   */
  readonly critical?: boolean | undefined;
  /** How new versions replace old ones. */
  readonly update?: DaemonUpdate | undefined;
  /** Access to the node, as far as the Project allows. */
  readonly host?: DaemonHost | undefined;
  /** What it may cost on every node, in requests. */
  readonly nodeBudget?: NodeBudget | undefined;
  /** Ports of a Service that leads to the pod on the own node. */
  readonly ports?: readonly Port[] | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: Placement | undefined;
  /** How its pods end. */
  readonly termination?: Termination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run: containers and init containers exactly as Kubernetes knows them. */
  readonly template: PodTemplate;
}

/** How new versions replace old ones. */
export interface DaemonUpdate {
  /**
   * Whether pods are replaced, or wait until somebody deletes them.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'OnDelete' | undefined;
  /** Nodes without a ready pod during an update; 1 where neither this nor maxSurge is given. */
  readonly maxUnavailable?: number | string | undefined;
  /** Nodes with an old and a new pod during an update, instead of maxUnavailable. */
  readonly maxSurge?: number | string | undefined;
  /**
   * How long a new pod must be ready before it counts.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * Old versions to keep for a roll back.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
}

/** Access to the node, as far as the Project allows. */
export interface DaemonHost {
  /**
   * Whether it uses the node's network.
   *
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Whether it sees the node's processes.
   *
   * @default false
   */
  readonly pid?: boolean | undefined;
  /**
   * Whether it uses the node's IPC.
   *
   * @default false
   */
  readonly ipc?: boolean | undefined;
  /**
   * Folders and files of the node.
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
  /** Where the app's containers see it. */
  readonly mountPath: string;
  /**
   * Whether they may only read it.
   *
   * @default true
   */
  readonly readOnly?: boolean | undefined;
  /** What must be there; unchecked where left out. */
  readonly type?:
    'DirectoryOrCreate' | 'Directory' | 'FileOrCreate' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice' | undefined;
  /**
   * Whether file systems that the node mounts below it later are seen too.
   *
   * @default false
   */
  readonly followMounts?: boolean | undefined;
}

/** What it may cost on every node, in requests. */
export interface NodeBudget {
  /** Most CPU that its pod may ask for, injected containers included. */
  readonly cpu?: Quantity | undefined;
  /** Most memory that its pod may ask for, injected containers included. */
  readonly memory?: Quantity | undefined;
}

/** Distributed training with TensorFlow or PyTorch, its members started together. */
export interface PinterestTrainingJobSpec {
  /** Framework whose rendezvous is set up. */
  readonly framework: 'tensorflow' | 'pytorch';
  /** Members by role. */
  readonly roles: Readonly<Record<string, TrainingRole>>;
  /**
   * Port of the rendezvous.
   *
   * @default 23456
   */
  readonly port?: number | undefined;
  /** Processes per member, which torchrun starts where there are several; one for each accelerator where left out. */
  readonly processesPerNode?: number | undefined;
  /** Range of members that PyTorch can go on with. */
  readonly elastic?: Elastic | undefined;
  /**
   * Whose success is the success of the job: that of the chief or master, or of worker 0 where there is neither; or that of all who end by themselves.
   *
   * @default "Leader"
   */
  readonly successPolicy?: 'Leader' | 'AllWorkers' | undefined;
  /**
   * Which pods are removed once the job has succeeded: all; those that still run; or none, so that members run on.
   *
   * @default "Running"
   */
  readonly cleanPodPolicy?: 'All' | 'Running' | 'None' | undefined;
  /** Start of all members together, or of none; needs the controller where the scheduler knows no gangs. */
  readonly gang?: Gang | undefined;
  /** Volume for checkpoints. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Size of /dev/shm, which data loaders use; what lies in it counts to the memory limit. */
  readonly sharedMemory?: Quantity | undefined;
  /** Accelerators of the first container. */
  readonly accelerators?: Accelerators | undefined;
  /**
   * Whether it waits.
   *
   * @default false
   */
  readonly suspend?: boolean | undefined;
  /**
   * How often a failed pod is replaced before its work counts as failed.
   *
   * @default 3
   */
  readonly retries?: number | undefined;
  /** How long all of it may take before it is ended and counts as failed. */
  readonly activeDeadline?: string | undefined;
  /**
   * How long it stays to be looked at after its end.
   *
   * @default "1d"
   */
  readonly ttlAfterFinished?: string | undefined;
  /** How pod failures are handled. */
  readonly podFailurePolicy?: JobSetPodFailurePolicy | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: TrainingJobPlacement | undefined;
  /** How its pods end. */
  readonly termination?: Termination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run, for roles without one of their own. */
  readonly template?: PodTemplate | undefined;
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
   * Whether a member that failed is started again: Always, however often; OnFailure, as often as retries say; Never; ExitCode, like OnFailure where the first container ended with 128 or more, while a lower code ends the job.
   *
   * @default "OnFailure"
   */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never' | 'ExitCode' | undefined;
  /** The pod to run, where it differs from the job's template. */
  readonly template?: PodTemplate | undefined;
}

/** Range of members that PyTorch can go on with. */
export interface Elastic {
  /** Least number of members. */
  readonly minReplicas: number;
  /** Most members. */
  readonly maxReplicas: number;
  /**
   * How often the group may form anew.
   *
   * @default 3
   */
  readonly maxRestarts?: number | undefined;
}

/** Start of all members together, or of none; needs the controller where the scheduler knows no gangs. */
export interface Gang {
  /** Members that must fit before any starts; all where left out. */
  readonly minAvailable?: number | undefined;
  /**
   * How long members may wait for the rest before all are withdrawn.
   *
   * @default "10m"
   */
  readonly timeout?: string | undefined;
}

/** Volume for checkpoints. */
export interface Checkpoint {
  /** Volume to make, shared by all members. */
  readonly claim?: Claim | undefined;
  /** Volume claim that exists. */
  readonly claimName?: string | undefined;
  /**
   * Where the containers see it; CHECKPOINT_DIR names it.
   *
   * @default "/checkpoints"
   */
  readonly mountPath?: string | undefined;
}

/** Volume to make, shared by all members. */
export interface Claim {
  /** Folder within the volume that they see. */
  readonly subPath?: string | undefined;
  /** Size to ask for; it can grow where the storage class allows it. */
  readonly size: Quantity;
  /** Storage class; the Platform's where left out. */
  readonly storageClass?: string | undefined;
  /** Labels on the claims; the platform's own stay as they are. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Who may mount it at the same time; ReadWriteMany where left out and members are several. */
  readonly accessModes?:
    readonly ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[] | undefined;
}

/** Accelerators of the first container. */
export interface Accelerators {
  /**
   * Resource to ask for.
   *
   * @default "nvidia.com/gpu"
   */
  readonly resource?: string | undefined;
  /** Number for each member of the roles. */
  readonly count: number;
  /** Roles whose members have them; all but ps and evaluator where left out. */
  readonly roles?: readonly string[] | undefined;
}

/** Where its pods may run. */
export interface TrainingJobPlacement {
  /** Node pool that the Platform offers; its default pool where left out. */
  readonly pool?: string | undefined;
  /** Zones that pods may run in; all of the cluster's where left out. */
  readonly zones?: readonly string[] | undefined;
  /** How members are spread; by default they may be close to each other. */
  readonly spread?: TrainingJobPlacementSpread | undefined;
}

/** How members are spread; by default they may be close to each other. */
export interface TrainingJobPlacementSpread {
  /**
   * Whether members are spread evenly over zones.
   *
   * @default "Off"
   */
  readonly zones?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * Whether members are spread evenly over nodes.
   *
   * @default "Off"
   */
  readonly hosts?: 'Required' | 'Preferred' | 'Off' | undefined;
  /**
   * How uneven the spread may be, in pods.
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
   * Volumes that every member gets for itself.
   *
   * @default []
   */
  readonly volumeClaimTemplates?: readonly ClaimTemplate[] | undefined;
  /** What becomes of the volumes. */
  readonly persistentVolumeClaimRetentionPolicy?: PersistentVolumeClaimRetentionPolicy | undefined;
  /** How members are numbered. */
  readonly ordinals?: Ordinals | undefined;
  /**
   * Whether members start one after the other.
   *
   * @default "OrderedReady"
   */
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
  /** How new versions replace old ones. */
  readonly update?: StatefulSetUpdate | undefined;
  /** How many members a drain must leave. */
  readonly disruption?: StatefulSetDisruption | undefined;
  /** Ports by which members find each other, beside those of the load balancer. */
  readonly ports?: readonly Port[] | undefined;
  /**
   * Whether members find each other before they are ready.
   *
   * @default false
   */
  readonly publishNotReadyAddresses?: boolean | undefined;
  /** How clients reach any member. */
  readonly loadBalancer?: LoadBalancer | undefined;
  /** Version of the build; the tag of the first container's image where left out. */
  readonly version?: string | undefined;
  /** Team that answers for it; the Project's team where left out. */
  readonly team?: string | undefined;
  /** Where its cost is booked; the Project's where left out. */
  readonly costCenter?: string | undefined;
  /** Pages about it. */
  readonly links?: Links | undefined;
  /** IAM role of its pods, by name in the Platform's account or by ARN. */
  readonly iamRole?: string | undefined;
  /**
   * Whether its pods get a token for the API server.
   *
   * @default false
   */
  readonly apiAccess?: boolean | undefined;
  /** Priority tier that the Platform offers; its default tier where left out. */
  readonly tier?: string | undefined;
  /** Choices about parts of the runtime profile, by name of the part. */
  readonly sidecars?: Readonly<Record<string, SidecarChoice>> | undefined;
  /** Files and variables, written inline. */
  readonly config?: Config | undefined;
  /** Secrets, by reference. */
  readonly secrets?: Secrets | undefined;
  /** Where Prometheus metrics are served. */
  readonly metrics?: Metrics | undefined;
  /** Where its pods may run. */
  readonly placement?: Placement | undefined;
  /** How its pods end. */
  readonly termination?: StatefulSetTermination | undefined;
  /** Who may reach it and whom it may reach; all where left out, unless the Platform denies by default. */
  readonly access?: Access | undefined;
  /** Labels on all that it becomes, pods included. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations on all that it becomes, pods included. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether objects of the same names that were deployed natively before are taken over, without a restart; a name that is taken stands in the way where left out. */
  readonly adopt?: boolean | undefined;
  /** What may be lost where a change cannot be made in place: claims are deleted with their data and made anew; progress of running work is given up and it starts anew. */
  readonly allowLoss?: readonly ('Claims' | 'Progress')[] | undefined;
  /** Changes to finished objects, for what no field says. */
  readonly patches?: readonly Patch[] | undefined;
  /** The pod to run: containers and init containers exactly as Kubernetes knows them. */
  readonly template: PodTemplate;
}

/** What becomes of the volumes. */
export interface PersistentVolumeClaimRetentionPolicy {
  /**
   * When the workload is deleted.
   *
   * @default "Retain"
   */
  readonly whenDeleted?: 'Retain' | 'Delete' | undefined;
  /**
   * When a member is removed.
   *
   * @default "Retain"
   */
  readonly whenScaled?: 'Retain' | 'Delete' | undefined;
}

/** How members are numbered. */
export interface Ordinals {
  /**
   * Number of the first member.
   *
   * @default 0
   */
  readonly start?: number | undefined;
}

/** How new versions replace old ones. */
export interface StatefulSetUpdate {
  /**
   * Whether members are replaced, the last one first, or wait until somebody deletes them.
   *
   * @default "RollingUpdate"
   */
  readonly strategy?: 'RollingUpdate' | 'OnDelete' | undefined;
  /**
   * Members with a lower number keep the old version; a number beyond the last holds all of them.
   *
   * @default 0
   */
  readonly partition?: number | undefined;
  /** Members that may be missing during an update, on clusters that allow more than one; one where left out. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * How long a new member must be ready before the next one.
   *
   * @default "0s"
   */
  readonly minReady?: string | undefined;
  /**
   * Old versions to keep for a roll back.
   *
   * @default 5
   */
  readonly revisionHistoryLimit?: number | undefined;
}

/** How many members a drain must leave. */
export interface StatefulSetDisruption {
  /** Pods that must stay. */
  readonly minAvailable?: number | string | undefined;
  /** Pods that may go; 1 where neither is given. */
  readonly maxUnavailable?: number | string | undefined;
  /**
   * Whether pods that are not ready may always be evicted.
   *
   * @default "AlwaysAllow"
   */
  readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow' | undefined;
  /**
   * Whether there is a budget at all.
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
}

/** How its pods end. */
export interface StatefulSetTermination {
  /**
   * Time between the request to end and the kill, drain included.
   *
   * @default "1m"
   */
  readonly gracePeriod?: string | undefined;
  /** How long containers go on serving after the pod left the load balancers; kinds that serve wait 5s where left out, and at most half of the grace period. */
  readonly drain?: string | undefined;
}

/** Owner of a namespace, with its quota, members and policies. */
export interface ProjectSpec {
  /** Team that answers for the project. */
  readonly team: string;
  /** Where its cost is booked. */
  readonly costCenter?: string | undefined;
  /** Pages about the project. */
  readonly links?: Links | undefined;
  /** How the people on call are reached. */
  readonly onCall?: string | undefined;
  /** When people may be told of things that can wait. */
  readonly businessHours?: BusinessHours | undefined;
  /**
   * Who may do what.
   *
   * @default []
   */
  readonly members?: readonly ProjectMember[] | undefined;
  /** Most that all of its workloads may ask for together; those of the Platform for what is left out. */
  readonly quota?: Readonly<Record<string, Quantity>> | undefined;
  /**
   * Whether it belongs to the infrastructure, whose projects may run daemons.
   *
   * @default false
   */
  readonly infrastructure?: boolean | undefined;
  /**
   * Pod Security level that its namespace enforces.
   *
   * @default "restricted"
   */
  readonly podSecurity?: 'restricted' | 'baseline' | 'privileged' | undefined;
  /** Access to machines that its daemons may have. */
  readonly host?: ProjectHost | undefined;
  /** Bounds for one container, kept by a LimitRange. */
  readonly maxContainer?: MaxContainer | undefined;
  /** Stages that may be deployed here; any, and none of them protected, where left out. */
  readonly stages?: readonly Stage[] | undefined;
  /**
   * What becomes of a deployment for which the quota has no room: it is refused, or it waits its turn.
   *
   * @default "Reject"
   */
  readonly onQuotaExceeded?: 'Reject' | 'Queue' | undefined;
  /** Node pool of its workloads that name none. */
  readonly defaultPool?: string | undefined;
  /** Whether a namespace of its name that exists is taken over, with the quota and the limits in it; such a namespace stays when the Project is deleted. */
  readonly adopt?: boolean | undefined;
  /** Labels on the namespace. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** When people may be told of things that can wait. */
export interface BusinessHours {
  /**
   * Time zone of the hours.
   *
   * @default "Etc/UTC"
   */
  readonly timeZone?: string | undefined;
  /**
   * Days of work.
   *
   * @default ["Mon","Tue","Wed","Thu","Fri"]
   */
  readonly days?: readonly ('Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun')[] | undefined;
  /**
   * Begin of the day.
   *
   * @default "09:00"
   */
  readonly from?: string | undefined;
  /**
   * End of the day.
   *
   * @default "17:00"
   */
  readonly to?: string | undefined;
}

/** A member of a project. */
export interface ProjectMember {
  /**
   * What the name names.
   *
   * @default "Group"
   */
  readonly kind?: 'Group' | 'User' | 'ServiceAccount' | undefined;
  /** Name as the API server knows it. */
  readonly name: string;
  /** What the member may do in the project. */
  readonly role: 'view' | 'edit' | 'admin';
}

/** Access to machines that its daemons may have. */
export interface ProjectHost {
  /**
   * Whether its daemons may use the node's network.
   *
   * @default false
   */
  readonly network?: boolean | undefined;
  /**
   * Whether its daemons may see the node's processes.
   *
   * @default false
   */
  readonly pid?: boolean | undefined;
  /**
   * Whether its daemons may use the node's IPC.
   *
   * @default false
   */
  readonly ipc?: boolean | undefined;
  /**
   * Whether its daemons may run privileged containers.
   *
   * @default false
   */
  readonly privileged?: boolean | undefined;
  /**
   * Folders of the node that its daemons may mount, with all below them.
   *
   * @default []
   */
  readonly paths?: readonly string[] | undefined;
}

/** Bounds for one container, kept by a LimitRange. */
export interface MaxContainer {
  /** Most memory that a container may have. */
  readonly memory?: Quantity | undefined;
}

/** Stages that may be deployed here; any, and none of them protected, where left out. */
export interface Stage {
  /** Name of the stage, as workflows call it. */
  readonly name: string;
  /**
   * CI identities whose artifacts it accepts, which protects it; without any it accepts all.
   *
   * @default []
   */
  readonly publishers?: readonly Publisher[] | undefined;
  /**
   * Groups whose members may deploy what others published in an emergency, which is told and recorded.
   *
   * @default []
   */
  readonly breakGlass?: readonly string[] | undefined;
  /** Groups whose people may deploy to it, each of them a member with the role edit or admin; all such members where left out. */
  readonly deployers?: readonly string[] | undefined;
}

/** CI identities whose artifacts it accepts, which protects it; without any it accepts all. */
export interface Publisher {
  /** Issuer of the identity tokens of the CI, or its own address where it signs by a key. */
  readonly issuer: string;
  /** Repository whose runs are meant, as the CI names it. */
  readonly repository: string;
  /** Branch or tag of the runs; a star at its end stands for any rest. */
  readonly ref: string;
  /** Public keys that its artifacts are signed with; a token of the issuer where left out. */
  readonly keys?: readonly string[] | undefined;
}

/** What the platform adds to workloads, nodes and machines; immutable. */
export interface RuntimeProfileSpec {
  /** Version of the profile. */
  readonly version: string;
  /** What it is, and what changed. */
  readonly summary?: string | undefined;
  /** Variables of every container of the app. */
  readonly env?: readonly EnvVar[] | undefined;
  /** What it is made of; parts keep this order as far as their requirements allow. */
  readonly parts: readonly RuntimePart[];
}

/** A part of a runtime profile. */
export interface RuntimePart {
  /** Name of the part; what people write under sidecars. */
  readonly name: string;
  /** What it is for. */
  readonly summary: string;
  /**
   * Whether every workload has it, may switch it off, or must ask for it.
   *
   * @default "Required"
   */
  readonly injection?: 'Required' | 'OptOut' | 'OptIn' | undefined;
  /** Kinds that have it; all where left out. */
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
  /** Tiers that have it; all where left out. */
  readonly tiers?: readonly string[] | undefined;
  /**
   * Parts that must be there too, and start before it.
   *
   * @default []
   */
  readonly requires?: readonly string[] | undefined;
  /**
   * Parts that start before it where they are there.
   *
   * @default []
   */
  readonly after?: readonly string[] | undefined;
  /**
   * Whether it is off until the Platform's runtime.images names its image.
   *
   * @default false
   */
  readonly needsImage?: boolean | undefined;
  /**
   * Values of the Platform's runtime.values without which it is off.
   *
   * @default []
   */
  readonly needsValues?: readonly string[] | undefined;
  /** What people may set. */
  readonly settings?: Readonly<Record<string, Setting>> | undefined;
  /** Variables of the part's containers that carry values of the Platform. */
  readonly valueEnv?: Readonly<Record<string, string>> | undefined;
  /** What it adds to every pod. */
  readonly pod?: RuntimePartPod | undefined;
  /** What it adds to every node. */
  readonly node?: RuntimePartNode | undefined;
  /** What it adds to every machine. */
  readonly machine?: Machine | undefined;
}

/** A setting of a part. */
export interface Setting {
  /**
   * Type of its values.
   *
   * @default "string"
   */
  readonly type?: 'string' | 'integer' | 'boolean' | undefined;
  /** Values that it may have; any where left out. */
  readonly values?: readonly string[] | undefined;
  /** Value where a person chose none; the variable is absent without one. */
  readonly default?: string | number | boolean | undefined;
  /** Variable of the part's containers that carries it. */
  readonly env?: string | undefined;
  /** What it does. */
  readonly summary: string;
}

/** What it adds to every pod. */
export interface RuntimePartPod {
  /** Containers that end before the app starts. */
  readonly initContainers?: readonly Container[] | undefined;
  /** Containers that run beside the app and end after it. */
  readonly sidecars?: readonly Container[] | undefined;
  /** Variables of the app's containers. */
  readonly env?: readonly EnvVar[] | undefined;
  /** Volumes of the pod. */
  readonly volumes?: readonly Volume[] | undefined;
  /** Where the app's containers see them. */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Labels of the pod. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the pod. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Files that the part's containers see, kept in a ConfigMap of the workload. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Where its settings are written as JSON. */
  readonly configFile?: string | undefined;
}

/** What it adds to every node. */
export interface RuntimePartNode {
  /** Specification of the PinterestDaemon that it becomes. */
  readonly daemon: Readonly<Record<string, unknown>>;
}

/** What it adds to every machine. */
export interface Machine {
  /** Units of systemd by name. */
  readonly units?: Readonly<Record<string, string>> | undefined;
  /** Files by path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Packages of the operating system. */
  readonly packages?: readonly string[] | undefined;
}

/** Facts of one cluster that workloads depend on, and the runtime profile in force. */
export interface PlatformSpec {
  /** Name of the cluster. */
  readonly cluster: string;
  /**
   * What the cluster is for.
   *
   * @default "dev"
   */
  readonly environment?: string | undefined;
  /** Region of the cluster. */
  readonly region?: string | undefined;
  /**
   * Minor version of its API server.
   *
   * @default "1.36"
   */
  readonly kubernetesVersion?: '1.35' | '1.36' | undefined;
  /** Domain below which host names are derived. */
  readonly domain: string;
  /**
   * Zones of its nodes.
   *
   * @default []
   */
  readonly zones?: readonly string[] | undefined;
  /** Where IAM roles live. */
  readonly aws?: Aws | undefined;
  /** Priority tiers that it offers. */
  readonly tiers: readonly Tier[];
  /** Tier of workloads that name none. */
  readonly defaultTier: string;
  /** Requests and limits of containers that have none. */
  readonly resources: Resources;
  /**
   * Node pools that it offers.
   *
   * @default []
   */
  readonly pools?: readonly Pool[] | undefined;
  /** Pool of workloads that name none; any node where left out. */
  readonly defaultPool?: string | undefined;
  /** How HTTP traffic enters. */
  readonly ingress?: PlatformIngress | undefined;
  /** Volumes that it offers. */
  readonly storage?: Storage | undefined;
  /** How its network behaves. */
  readonly network?: Network | undefined;
  /** The runtime support that it adds to workloads. */
  readonly runtime?: Runtime | undefined;
  /** What autoscaling can follow. */
  readonly scaling?: Scaling | undefined;
  /**
   * Whether the scheduler's GangScheduling gate is on.
   *
   * @default false
   */
  readonly gangScheduling?: boolean | undefined;
  /** Quota of Projects for what they leave out. */
  readonly defaultQuota?: Readonly<Record<string, Quantity>> | undefined;
  /**
   * Namespaces that belong to no Project, such as kube-system, and their quotas; those that are not listed are left alone.
   *
   * @default []
   */
  readonly systemNamespaces?: readonly SystemNamespace[] | undefined;
}

/** Where IAM roles live. */
export interface Aws {
  /** Account of IAM roles that are named without an ARN. */
  readonly accountId: string;
  /**
   * Partition of the account.
   *
   * @default "aws"
   */
  readonly partition?: 'aws' | 'aws-cn' | 'aws-us-gov' | undefined;
}

/** A tier of priority. */
export interface Tier {
  /** Name of the tier, and of its PriorityClass. */
  readonly name: string;
  /** Priority of its pods; higher ones are scheduled first. */
  readonly priority: number;
  /**
   * Whether its pods may displace others of lower priority.
   *
   * @default true
   */
  readonly preemption?: boolean | undefined;
  /**
   * Whether requests and limits that a person left out are defaulted or refused.
   *
   * @default "Default"
   */
  readonly requests?: 'Default' | 'Required' | undefined;
  /** Defaults of its containers instead of the Platform's. */
  readonly resources?: Resources | undefined;
  /** Taints that its pods tolerate. */
  readonly tolerations?: readonly Toleration[] | undefined;
}

/** A group of nodes that pods may ask for. */
export interface Pool {
  /** Name of the pool. */
  readonly name: string;
  /** Labels of its nodes. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** Taints of its nodes. */
  readonly tolerations?: readonly Toleration[] | undefined;
  /**
   * Extended resources that its nodes have.
   *
   * @default []
   */
  readonly accelerators?: readonly string[] | undefined;
}

/** How HTTP traffic enters. */
export interface PlatformIngress {
  /** How the company's network reaches workloads. */
  readonly internal?: IngressSettings | undefined;
  /** How the internet reaches workloads. */
  readonly external?: IngressSettings | undefined;
}

/** Ingress of one exposure. */
export interface IngressSettings {
  /** Ingress class. */
  readonly ingressClassName: string;
  /** Domain of derived host names; the Platform's where left out. */
  readonly domain?: string | undefined;
  /**
   * Whether host names are served over TLS.
   *
   * @default true
   */
  readonly tls?: boolean | undefined;
  /** Cluster issuer of cert-manager that makes certificates. */
  readonly clusterIssuer?: string | undefined;
  /** Annotations on every Ingress. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Volumes that it offers. */
export interface Storage {
  /**
   * Storage classes that it offers; any where empty.
   *
   * @default []
   */
  readonly classes?: readonly string[] | undefined;
  /** Class of claims that name none; the cluster's default where left out. */
  readonly defaultClass?: string | undefined;
}

/** How its network behaves. */
export interface Network {
  /**
   * Whether nothing reaches a workload that does not allow it.
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

/** The runtime support that it adds to workloads. */
export interface Runtime {
  /**
   * RuntimeProfile in force.
   *
   * @default "default-1"
   */
  readonly profile?: string | undefined;
  /**
   * When workloads move to a new profile.
   *
   * @default "OnNextDeploy"
   */
  readonly rollout?: 'Immediate' | 'OnNextDeploy' | undefined;
  /**
   * When workloads are moved that were not deployed since.
   *
   * @default "14d"
   */
  readonly rolloutDeadline?: string | undefined;
  /** The canary that has to be well with a new profile before workloads move that were not deployed; it is not asked where left out. */
  readonly canary?: Canary | undefined;
  /**
   * Infrastructure project of node-level parts.
   *
   * @default "pinion-system"
   */
  readonly project?: string | undefined;
  /** Images of parts by name, for parts without a public one and for mirrors. */
  readonly images?: Readonly<Record<string, string>> | undefined;
  /** Facts that parts need, by the name that the part declares. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** The canary that has to be well with a new profile before workloads move that were not deployed; it is not asked where left out. */
export interface Canary {
  /**
   * Project of the canary.
   *
   * @default "pinion-canary"
   */
  readonly project?: string | undefined;
  /**
   * For how long a run of it speaks of the cluster.
   *
   * @default "30m"
   */
  readonly freshness?: string | undefined;
}

/** What autoscaling can follow. */
export interface Scaling {
  /** What serves custom metrics; none where left out. */
  readonly customAdapter?: string | undefined;
  /** What serves external metrics; none where left out. */
  readonly externalAdapter?: string | undefined;
  /** What serves scheduled targets as an external metric; none where left out. */
  readonly scheduledAdapter?: string | undefined;
}

/** Namespaces that belong to no Project, such as kube-system, and their quotas; those that are not listed are left alone. */
export interface SystemNamespace {
  /** Name of the namespace, which exists. */
  readonly name: string;
  /**
   * Most that there may be in it; pods of the priority classes system-cluster-critical and system-node-critical never count.
   *
   * @default {"pods":"1k","services":"100","services.loadbalancers":"10","configmaps":"1k","secrets":"1k","persistentvolumeclaims":"100"}
   */
  readonly quota?: Readonly<Record<string, Quantity>> | undefined;
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
}
