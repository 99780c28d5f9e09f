import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, ProblemsError } from '../../api';
import { type ConnectionSettings, credentialOf, fileText } from './connection-settings';

/** Mount path of the service account in a pod. */
const defaultFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Options of the in-cluster configuration. */
export interface InClusterConfigOptions {
  /** Environment of the process: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder with `token`, `ca.crt` and `namespace`. @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly folder?: string;
}

/** Returns the settings of the pod's service account; its token is read again every minute. Throws a `ProblemsError` outside a pod. */
export function inClusterConfig({ environment, folder = defaultFolder }: InClusterConfigOptions): ConnectionSettings {
  const problems: Problem[] = [];
  const variable = (name: string): string => {
    const value = environment[name];
    if (!value) {
      problems.push({
        code: 'required',
        object: 'environment',
        path: [name],
        reason: 'is not set, although Kubernetes sets it in every pod',
        remedy: 'run in a pod, or set a kubeconfig file',
      });
    }
    return value ?? '';
  };
  const host = variable('KUBERNETES_SERVICE_HOST');
  const port = variable('KUBERNETES_SERVICE_PORT');
  for (const file of ['token', 'ca.crt']) {
    if (existsSync(join(folder, file))) continue;
    problems.push({
      code: 'required',
      object: folder,
      path: [file],
      reason: 'service account file not found',
      remedy: 'set automountServiceAccountToken: true for the pod, or set a kubeconfig file',
    });
  }
  if (problems.length > 0) throw new ProblemsError(problems);
  const namespace = join(folder, 'namespace');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: existsSync(namespace) ? readFileSync(namespace, 'utf8').trim() : 'default',
    authority: fileText(join(folder, 'ca.crt')),
    credential: credentialOf({ token: fileText(join(folder, 'token')) }),
  };
}
