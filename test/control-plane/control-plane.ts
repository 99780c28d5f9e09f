import { type Audit } from './audit';
import { type controlPlanePrograms } from './binaries';
import { type Client } from './client';
import { type CommandResult } from './command';
import { type User } from './credentials';
import { type Part } from './part';

/** How a control plane of the tests starts. */
export interface ControlPlaneOptions {
  /** Where etcd, kube-apiserver and kubectl are. */
  readonly paths: Readonly<Record<(typeof controlPlanePrograms)[number], string>>;
  /** Who may log in besides `admin`, a member of system:masters. @default - nobody */
  readonly users?: readonly User[];
  /** More flags of kube-apiserver; a repeated one wins. @default - none */
  readonly apiServerFlags?: readonly string[];
  /** More flags of etcd. @default - none */
  readonly etcdFlags?: readonly string[];
  /** Milliseconds until it must be ready. @default 60000 */
  readonly timeout?: number;
}

/** Who a kubeconfig or a client logs in as: a user that the control plane was started with, or whoever has the token. */
export type Login = { readonly user: string } | { readonly token: string };

/** The servers of a control plane that tests may kill, pause and restart. */
export type ControlPlanePart = 'etcd' | 'kube-apiserver';

/** A real etcd and kube-apiserver on free ports of the loopback address. */
export interface ControlPlane<PartName extends string = ControlPlanePart> {
  /** Where the API server answers, `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** State and logs; removed by `stop`. */
  readonly folder: string;
  /** Path of a kubeconfig that logs in as `admin`. */
  readonly kubeconfig: string;
  /** Path of the API server's audit log: one JSON event a line. */
  readonly auditLog: string;
  /** Who asked the API server what. */
  readonly audit: Audit;
  /** A client that logs in as `admin`. */
  readonly client: Client;
  /** Ids of all processes that belong to it. */
  readonly pids: readonly number[];
  /** A client that logs in as one of the given users. */
  as(userName: string): Client;
  /** A client that logs in with a token, `serviceAccountToken` say. */
  withToken(token: string): Client;
  /** A token of a service account that exists, by TokenRequest; valid for the seconds given, 3600 unless told. */
  serviceAccountToken(namespace: string, name: string, seconds?: number): Promise<string>;
  /** Writes a kubeconfig that logs in so, and returns its path. */
  kubeconfigFor(login: Login): string;
  /** Runs the real kubectl as `admin`, or as whom another kubeconfig says. */
  kubectl(args: readonly string[], stdin?: string, kubeconfig?: string): Promise<CommandResult>;
  /** One of its servers. */
  part(name: PartName): Part;
  /** Waits until all servers do their work, but those that a test has killed or paused. */
  ready(): Promise<void>;
  /** Ends all servers and removes the folder; with `keepLogs` it stays and its path is returned. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<string | undefined>;
}
