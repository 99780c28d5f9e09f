import { type Audit } from './audit';
import { type controlPlanePrograms } from './binaries';
import { type Client } from './client';
import { type CommandResult } from './command';
import { type ImpersonatedIdentity } from './connection';
import { type User } from './credentials';
import { type ServerComponent } from './server-component';

/** Options of a control plane of the tests. */
export interface ControlPlaneOptions {
  /** Paths of etcd, kube-apiserver and kubectl. */
  readonly paths: Readonly<Record<(typeof controlPlanePrograms)[number], string>>;
  /** Users besides `admin`, a member of system:masters. @default - none */
  readonly users?: readonly User[];
  /** More flags of kube-apiserver; a repeated flag overrides. @default - none */
  readonly apiServerFlags?: readonly string[];
  /** More flags of etcd. @default - none */
  readonly etcdFlags?: readonly string[];
  /** Timeout of the start in milliseconds. @default 60000 */
  readonly timeout?: number;
}

/** Identity of a kubeconfig or client: a user of the control plane, or the bearer of a token. */
export type Login = { readonly user: string } | { readonly token: string };

/** The servers of a control plane that tests may kill, pause and restart. */
export type ControlPlaneComponent = 'etcd' | 'kube-apiserver';

/** A real etcd and kube-apiserver on free ports of the loopback address. */
export interface ControlPlane<PartName extends string = ControlPlaneComponent> {
  /** URL of the API server, `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Folder of state and logs; removed by `stop`. */
  readonly folder: string;
  /** Path of a kubeconfig that logs in as `admin`. */
  readonly kubeconfig: string;
  /** Path of the API server's audit log: one JSON event per line. */
  readonly auditLog: string;
  /** Reader of the audit log. */
  readonly audit: Audit;
  /** A client that logs in as `admin`. */
  readonly client: Client;
  /** IDs of all its processes. */
  readonly pids: readonly number[];
  /** Returns the token of one of the given users. */
  tokenOf(userName: string): string;
  /** Returns a client that logs in as one of the given users. */
  as(userName: string): Client;
  /** Returns a client that logs in with a token, such as one of `serviceAccountToken`, and acts as another identity if one is given. */
  withToken(token: string, impersonated?: ImpersonatedIdentity): Client;
  /** Requests a token of an existing service account; valid for the given seconds, 3600 by default. */
  serviceAccountToken(namespace: string, name: string, seconds?: number): Promise<string>;
  /** Writes a kubeconfig of an identity, and returns its path. */
  kubeconfigFor(login: Login): string;
  /** Runs the real kubectl as `admin`, or with another kubeconfig. */
  kubectl(args: readonly string[], stdin?: string, kubeconfig?: string): Promise<CommandResult>;
  /** Returns one of its servers. */
  part(name: PartName): ServerComponent;
  /** Waits until all servers are ready, except those that a test has killed or paused. */
  ready(): Promise<void>;
  /** Stops all servers and removes the folder; with `keepLogs` it is kept and its path is returned. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<string | undefined>;
}
