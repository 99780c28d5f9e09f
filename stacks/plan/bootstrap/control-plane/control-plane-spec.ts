import { type EtcdName } from '../../network/ports';
import { type Tags } from '../../tags';
import { type NodeClusterConfig } from '../node-cluster-config';
import { type HostParts } from '../host-parts';
import { type KubeletSpec } from '../kubelet-configuration';

/** Flags by name, without leading dashes. */
export type Flags = Readonly<Record<string, string>>;

/** Control plane node: its stable name, and its persistent interface and volumes. */
export interface Member {
  /** Short name, such as `a`; also the name of its etcd members. */
  readonly name: string;
  /** Fixed address of the persistent interface, such as `10.0.1.10`. */
  readonly address: string;
  /** CIDR block of the interface's subnet, such as `10.0.1.0/24`; its first address is the gateway. */
  readonly subnet: string;
  /** Tags that identify the interface. */
  readonly interfaceTags: Tags;
  /** Tags that identify the volume of each etcd. */
  readonly volumeTags: Readonly<Partial<Record<EtcdName, Tags>>>;
}

/** etcd cluster with a member on each control plane node; `flags` are from the capacity plan. */
export interface EtcdSpec {
  readonly name: EtcdName;
  readonly flags: Flags;
}

/** OIDC issuer of user tokens. */
export interface OidcIssuer {
  /** Issuer URL exactly as in its tokens, such as `https://login.example.com`. */
  readonly url: string;
  readonly audiences: readonly string[];
  readonly usernameClaim: string;
  readonly groupsClaim: string;
  /** Prefix of users and groups, such as `oidc:`, which separates them from system names. */
  readonly prefix: string;
  /** CA certificate of the issuer in PEM. @default - the machine's trust store */
  readonly certificateAuthority?: string;
}

/** OIDC login, and the permissions of user groups; group names include the prefix. */
export interface OidcAuthentication {
  readonly issuers: readonly OidcIssuer[];
  /** Groups with cluster-admin permissions. */
  readonly administrators: readonly string[];
  /** Groups that may read metrics and profiles of the control plane. */
  readonly observers: readonly string[];
}

/** Settings of the control plane nodes of a cluster, with the values of its capacity plan. */
export interface ControlPlaneSpec {
  readonly cluster: NodeClusterConfig;
  readonly members: readonly Member[];
  /** etcd clusters, `main` first. */
  readonly etcds: readonly EtcdSpec[];
  readonly flags: Readonly<Record<'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler', Flags>>;
  /** Environment of the API server, such as GOMEMLIMIT. */
  readonly apiServerEnvironment: Readonly<Record<string, string>>;
  /** `Configuration` object of the EventRateLimit admission plugin. */
  readonly eventRateLimit: object;
  /** Objects that the control plane nodes apply, such as priority levels and flow schemas. */
  readonly objects: readonly object[];
  readonly serviceSubnet: string;
  readonly serviceAccounts: {
    /** Issuer URL of tokens, `https://…`; discovery documents are served under it. */
    readonly issuer: string;
    /** Bucket that serves the issuer URL. */
    readonly bucket: string;
    /** Path within the bucket, without slashes at its ends; empty for the root. */
    readonly path: string;
  };
  readonly oidc: OidcAuthentication;
  readonly kubelet: KubeletSpec;
  /** Size of the root volume in GiB, which limits the audit log. */
  readonly rootGib: number;
  /** Whether API servers send their audit events to the client monitor on their machine. */
  readonly sendsAuditEvents: boolean;
  readonly snapshots: {
    readonly bucket: string;
    /** Path within the bucket, without slashes at its ends. */
    readonly path: string;
    /** Hours between two snapshots of one control plane node; nodes take turns, so the cluster is saved more often. */
    readonly everyHours: number;
  };
  /** KMS key that encrypts secret parameters. @default - the account's default key for Systems Manager */
  readonly parameterKey?: string;
  /** Additional names and addresses in the certificates of API servers. @default - none */
  readonly extraNames?: readonly string[];
  /** Registry of control plane images. @default - registry.k8s.io */
  readonly imageRepository?: string;
  /** Registries that control plane nodes log in to with their own role, such as `*.dkr.ecr.*.amazonaws.com`. @default - none */
  readonly imageRegistries?: readonly string[];
  readonly host: HostParts;
}
