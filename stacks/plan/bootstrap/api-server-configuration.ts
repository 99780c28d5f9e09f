import { auditPolicy } from './audit-policy';
import { type ControlPlaneSpec, type PeopleIssuer } from './control-plane-spec';
import { documentText } from './document-text';
import { plainFile, type MachineFile } from './machine-file';

/** Folder of what API servers are configured with; each mounts it. */
export const apiServerFolder = '/etc/kubernetes/apiserver';

/** Folder of the audit log. */
export const auditFolder = '/var/log/kubernetes/apiserver';

/** Files that the API server's flags name, but for the encryption key, which is only known on the machine. */
export const apiServerFiles = (spec: ControlPlaneSpec): MachineFile[] => [
  plainFile(`${apiServerFolder}/admission.yaml`, documentText(admission(spec.eventRateLimit))),
  plainFile(`${apiServerFolder}/audit-policy.yaml`, documentText(auditPolicy)),
  plainFile(`${apiServerFolder}/authentication.yaml`, documentText(authentication(spec.people.issuers))),
];

const admission = (eventRateLimit: object) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [{ name: 'EventRateLimit', configuration: eventRateLimit }],
});

const authentication = (issuers: readonly PeopleIssuer[]) => ({
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
