/** Stands for the host name of a workload with problems, whose app is not synthesized. */
export const unresolvedHost = 'unresolved.invalid';
/** Stands for the port of a workload with problems, whose app is not synthesized. */
export const unresolvedPort = 0;
