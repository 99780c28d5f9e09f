/**
 * Audit policy: who asked for what, with which verb, on which resource, and how long it took; never what was in it.
 *
 * Everything is kept that is load, reads and node heartbeats included, because the log is what later tells load apart
 * by account. Probes are left out: they are the same at all times. Bodies are left out of all, so no Secret's is kept.
 */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  // A request is told once, when it is answered; a watch also when it begins, since its end may be far away.
  omitStages: ['RequestReceived'],
  rules: [{ level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*'] }, { level: 'Metadata' }],
} as const;
