/** Native kinds that are imported as a workload kind. */
export const importedNativeKinds = {
  PinterestService: ['Deployment'],
  PinterestStatefulSet: ['StatefulSet'],
  PinterestCronJob: ['CronJob'],
  PinterestDaemon: ['DaemonSet'],
  PinterestJobSet: ['Job', 'JobSet'],
  PinterestTrainingJob: ['TFJob', 'PyTorchJob', 'JAXJob'],
} as const;

/** Returns whether a native kind can be imported as a workload. */
export const isImportable = (kind: unknown): boolean =>
  Object.values<readonly string[]>(importedNativeKinds).some((natives) => natives.some((native) => native === kind));
