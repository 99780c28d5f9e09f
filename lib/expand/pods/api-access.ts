import {
  gatewayAudience,
  gatewayAuthority,
  type ApiAccess,
  type Container,
  type EnvVar,
  type Volume,
  type VolumeMount,
} from '../../api';
import { type ProjectContext } from '../project-context';

/** Folder in which clients in pods look for their credential. */
const credentialPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumeName = 'pinion-api-access';
/** That of the tokens that Kubernetes mounts itself. */
const tokenSeconds = 3607;

/** What a pod needs for its access to the API server. */
export interface ApiAccessOfPod {
  /** Whether Kubernetes mounts a token for the API server. */
  readonly mountsToken: boolean;
  readonly volumes: readonly Volume[];
  /** Returns a container whose clients find the gateway; variables and mounts of its own take precedence. */
  readonly wire: (container: Container) => Container;
}

/**
 * Returns what a pod needs for its access to the API server.
 *
 * Clients that are configured by their pod, as all common ones can be, use the gateway because they find its address,
 * its authority and a token for it where they look for those of the API server.
 */
export function apiAccessOf(access: ApiAccess, { platform }: Pick<ProjectContext, 'platform'>): ApiAccessOfPod {
  const { gateway } = platform.spec;
  if (access !== 'Gateway' || !gateway)
    return { mountsToken: access === true || access === 'Direct', volumes: [], wire: (container) => container };
  const env = [
    { name: 'KUBERNETES_SERVICE_HOST', value: gateway.address },
    { name: 'KUBERNETES_SERVICE_PORT', value: String(gateway.port) },
  ];
  return { mountsToken: false, volumes: [credentialVolume], wire: (container) => wired(container, env) };
}

const credentialVolume: Volume = {
  name: volumeName,
  projected: {
    sources: [
      { serviceAccountToken: { audience: gatewayAudience, expirationSeconds: tokenSeconds, path: 'token' } },
      { configMap: { name: gatewayAuthority, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
    ],
  },
};
const credentialMount: VolumeMount = { name: volumeName, mountPath: credentialPath, readOnly: true };

function wired(container: Container, variables: readonly EnvVar[]): Container {
  const { env = [], volumeMounts = [] } = container;
  const added = variables.filter(({ name }) => !env.some((own) => own.name === name));
  const isMounted = volumeMounts.some(({ mountPath }) => mountPath === credentialPath);
  return {
    ...container,
    env: [...added, ...env],
    volumeMounts: isMounted ? volumeMounts : [credentialMount, ...volumeMounts],
  };
}
