import { auditFolder, auditLogFlags, auditPolicy } from './audit-log';
import { auditWebhook, auditWebhookFlags } from './audit-webhook';
import { type ControlPlaneSpec, type OidcIssuer } from './control-plane-spec';
import { yamlText } from '../text/yaml-text';
import { plainFile, type MachineFile } from '../text/machine-file';

/** Folder of the API server's configuration files, mounted into its pod. */
export const apiServerFolder = '/etc/kubernetes/apiserver';

const auditWebhookPath = `${apiServerFolder}/audit-webhook.yaml`;

/** Returns the files that the API server's flags refer to, except the encryption configuration, whose key is known only on the machine. */
export const apiServerFiles = (spec: ControlPlaneSpec): MachineFile[] => [
  plainFile(`${apiServerFolder}/admission.yaml`, yamlText(admission(spec.eventRateLimit))),
  plainFile(`${apiServerFolder}/audit-policy.yaml`, yamlText(auditPolicy)),
  ...(spec.sendsAuditEvents ? [plainFile(auditWebhookPath, yamlText(auditWebhook))] : []),
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
  // Kubelet and load balancer probes carry no credentials; all other requests require them.
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

/** Returns the API server flags that refer to these files and to the audit log, in no particular order. */
export const apiServerFileFlags = ({
  rootGib,
  sendsAuditEvents,
}: Pick<ControlPlaneSpec, 'rootGib' | 'sendsAuditEvents'>): Readonly<Record<string, string>> => ({
  'admission-control-config-file': `${apiServerFolder}/admission.yaml`,
  ...auditLogFlags(rootGib),
  'audit-log-path': `${auditFolder}/audit.log`,
  ...(sendsAuditEvents && auditWebhookFlags(auditWebhookPath)),
  'audit-policy-file': `${apiServerFolder}/audit-policy.yaml`,
  'authentication-config': `${apiServerFolder}/authentication.yaml`,
  'encryption-provider-config': `${apiServerFolder}/encryption.yaml`,
});
