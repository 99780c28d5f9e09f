import { type ControlPlaneSpec, type OidcIssuer } from './control-plane-spec';
import { yamlText } from '../text/yaml-text';
import { plainFile, type MachineFile } from '../text/machine-file';

/** Folder of what API servers are configured with; each mounts it. */
export const apiServerFolder = '/etc/kubernetes/apiserver';

/** Folder of the audit log. */
export const auditFolder = '/var/log/kubernetes/apiserver';

/** Files that the API server's flags name, but for the encryption key, which is only known on the machine. */
export const apiServerFiles = (spec: ControlPlaneSpec): MachineFile[] => [
  plainFile(`${apiServerFolder}/admission.yaml`, yamlText(admission(spec.eventRateLimit))),
  plainFile(`${apiServerFolder}/audit-policy.yaml`, yamlText(auditPolicy)),
  plainFile(`${apiServerFolder}/authentication.yaml`, yamlText(authentication(spec.oidc.issuers))),
];

const admission = (eventRateLimit: object) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [{ name: 'EventRateLimit', configuration: eventRateLimit }],
});

const authentication = (issuers: readonly OidcIssuer[]) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  // Probes of the kubelet and of the load balancer carry no credentials; nothing else is answered without.
  anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }, { path: '/healthz' }] },
  jwt: issuers.map(({ url, audiences, usernameClaim, groupsClaim, prefix, certificateAuthority }) => ({
    issuer: {
      url,
      audiences,
      ...(audiences.length > 1 && { audienceMatchPolicy: 'MatchAny' }),
      ...(certificateAuthority !== undefined && { certificateAuthority }),
    },
    claimMappings: {
      username: { claim: usernameClaim, prefix },
      groups: { claim: groupsClaim, prefix },
    },
  })),
});

/** Flags of the API server that follow from where its files are, in no order. */
export const apiServerFileFlags = (): Readonly<Record<string, string>> => ({
  'admission-control-config-file': `${apiServerFolder}/admission.yaml`,
  'audit-log-maxage': '7',
  'audit-log-maxbackup': '10',
  'audit-log-maxsize': '256',
  'audit-log-mode': 'batch',
  'audit-log-path': `${auditFolder}/audit.log`,
  'audit-policy-file': `${apiServerFolder}/audit-policy.yaml`,
  'authentication-config': `${apiServerFolder}/authentication.yaml`,
  'encryption-provider-config': `${apiServerFolder}/encryption.yaml`,
});

/**
 * Audit policy: who asked for what, with which verb, on which resource, and how long it took; never what was in it.
 *
 * All load is logged, including reads and node heartbeats, because the log is what later attributes load
 * to accounts. Probes are not logged: they are constant. Bodies are never logged, so the log contains no Secret.
 */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  // A request is logged once, when it is answered; a watch also when it starts, since its end may be far away.
  omitStages: ['RequestReceived'],
  rules: [{ level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*'] }, { level: 'Metadata' }],
} as const;
