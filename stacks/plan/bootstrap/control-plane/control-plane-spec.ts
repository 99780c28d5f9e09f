import { type EtcdName } from '../../network/ports';
import { type Tags } from '../../tags';
import { type NodeClusterConfig } from '../node-cluster-config';
import { type HostParts } from '../host-parts';
import { type KubeletSpec } from '../kubelet-configuration';

/** Flags by name, without the two dashes. */
export type Flags = Readonly<Record<string, string>>;

/** One control plane node: a name that outlives its machines, and the interface that carries its address. */
export interface Member {
  /** Short name, `a`; etcd knows the member by it. */
  readonly name: string;
  /** Fixed address of the persistent interface, `10.0.1.10`. */
  readonly address: string;
  /** Block of the subnet that the interface is in, `10.0.1.0/24`; its first address is the gateway. */
  readonly subnet: string;
  /** Tags that only this interface has. */
  readonly interfaceTags: Tags;
  /** Tags that only the volume of one of its databases has. */
  readonly volumeTags: Readonly<Partial<Record<EtcdName, Tags>>>;
}

/** One etcd with a member on each control plane node; `flags` are the planned ones. */
export interface EtcdSpec {
  readonly name: EtcdName;
  readonly flags: Flags;
}

/** An OIDC token issuer of users. */
export interface OidcIssuer {
  /** Issuer URL exactly as in its tokens, such as `https://login.example.com`. */
  readonly url: string;
  readonly audiences: readonly string[];
  readonly usernameClaim: string;
  readonly groupsClaim: string;
  /** Prefix of users and groups, such as `oidc:`, which separates them from those of the system. */
  readonly prefix: string;
  /** PEM of the authority that signed its certificate. @default - the machine's own trust */
  readonly certificateAuthority?: string;
}

/** OIDC login, and the permissions of user groups; groups are written with their prefix. */
export interface OidcAuthentication {
  readonly issuers: readonly OidcIssuer[];
  /** Groups that may do everything. */
  readonly administrators: readonly string[];
  /** Groups that may read metrics and profiles of the control plane. */
  readonly observers: readonly string[];
}

/** Settings of the control plane nodes of a cluster; decisions of a capacity plan arrive here as plain values. */
export interface ControlPlaneSpec {
  readonly cluster: NodeClusterConfig;
  readonly members: readonly Member[];
  /** The main one first. */
  readonly etcds: readonly EtcdSpec[];
  readonly flags: Readonly<Record<'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler', Flags>>;
  /** Environment of the API server, such as GOMEMLIMIT. */
  readonly apiServerEnvironment: Readonly<Record<string, string>>;
  /** Configuration of the admission plugin EventRateLimit, as its kind has it. */
  readonly eventRateLimit: object;
  /** Objects that the control plane nodes apply, such as priority levels and flow schemas. */
  readonly objects: readonly object[];
  readonly serviceSubnet: string;
  readonly serviceAccounts: {
    /** `https://…`; tokens name it, and discovery documents are read below it. */
    readonly issuer: string;
    /** Bucket that answers at the issuer's address. */
    readonly bucket: string;
    /** Path within the bucket, without slashes at its ends; empty for the root. */
    readonly path: string;
  };
  readonly oidc: OidcAuthentication;
  readonly kubelet: KubeletSpec;
  readonly snapshots: {
    readonly bucket: string;
    /** Path within the bucket, without slashes at its ends. */
    readonly path: string;
    /** Hours between two snapshots of one control plane node; they alternate, so the cluster has one more often. */
    readonly everyHours: number;
  };
  /** Key that encrypts secret parameters. @default - the account's own key for parameters */
  readonly parameterKey?: string;
  /** Names and addresses besides the endpoint and its own that API servers answer to. @default - none */
  readonly extraNames?: readonly string[];
  /** Registry of control plane images. @default - registry.k8s.io */
  readonly imageRepository?: string;
  /** Registries that control plane nodes log in to with their own role, `*.dkr.ecr.*.amazonaws.com`. @default - none */
  readonly imageRegistries?: readonly string[];
  readonly host: HostParts;
}
