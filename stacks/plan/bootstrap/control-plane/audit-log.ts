/** Folder of the audit log. */
export const auditFolder = '/var/log/kubernetes/apiserver';

/**
 * Audit policy: logs the user, verb, resource and duration of each request, but never its body.
 *
 * All authenticated requests are logged, including reads and node heartbeats, because the log is used to attribute load to users.
 * Requests without a user would let anyone who reaches the API server rotate the log: they are rejected, and counted by
 * `authentication_attempts`. Probes are among them. Without bodies, the log contains no Secret.
 */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  // A request is logged once, when it completes; a watch also when it starts, because it may run for hours.
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*'] },
    { level: 'Metadata', userGroups: ['system:authenticated'] },
  ],
} as const;

/**
 * Flags of the audit log, except its paths: 100 files of 256 MiB at most, and the rotated ones compressed. Even if nothing can be
 * compressed, they fit on the root volume.
 */
export const auditLogFlags = {
  'audit-log-compress': 'true',
  'audit-log-maxage': '7',
  'audit-log-maxbackup': '99',
  'audit-log-maxsize': '256',
  'audit-log-mode': 'batch',
} as const satisfies Readonly<Record<string, string>>;
