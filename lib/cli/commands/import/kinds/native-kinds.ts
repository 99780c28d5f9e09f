/** Native kind that is imported as a workload kind. */
export const importedNativeKinds = {
  PinterestService: 'Deployment',
  PinterestStatefulSet: 'StatefulSet',
  PinterestCronJob: 'CronJob',
  PinterestDaemon: 'DaemonSet',
} as const;

/** Returns whether a native kind can be imported as a workload. */
export const isImportable = (kind: unknown): boolean =>
  Object.values(importedNativeKinds).some((native) => native === kind);
