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

/** Share of the root volume that the audit log may fill. */
const rootShare = 0.4;
/** Size of a file in MiB. */
const fileMib = 256;

/**
 * Returns the flags of the audit log, except its paths, for a root volume in GiB.
 *
 * Rotated files are compressed, but the size is that of files that cannot be.
 */
export const auditLogFlags = (rootGib: number) =>
  ({
    'audit-log-compress': 'true',
    'audit-log-maxage': '7',
    'audit-log-maxbackup': String(Math.floor((rootGib * 1024 * rootShare) / fileMib) - 1),
    'audit-log-maxsize': String(fileMib),
    'audit-log-mode': 'batch',
  }) as const satisfies Readonly<Record<string, string>>;
