/**
 * Annotations that control a simulated pod; they may be set, changed and removed while it runs.
 * Durations are Go's: `500ms`, `2s`, `1m30s`. A pod without any becomes Ready at once,
 * and exits with code 0 after 1 s if its restart policy is not Always.
 */
export const podBehavior = {
  /** Time from the start (or recovery) of a pod until it is Ready; `never` keeps it unready. */
  readyAfter: 'test.pinion/ready-after',
  /**
   * Time from Ready until a pod's containers exit; `never` keeps them running.
   * With restart policy Always (or OnFailure with a code other than 0) the container restarts and exits again.
   */
  exitAfter: 'test.pinion/exit-after',
  /** Exit code of the exit container; the others exit with 0. */
  exitCode: 'test.pinion/exit-code',
  /** Container that exits with the exit code. Defaults to the first. */
  exitContainer: 'test.pinion/exit-container',
  /** Name of the container, init container or sidecar that is in CrashLoopBackOff; restarts are counted up to 5. */
  crashLoop: 'test.pinion/crash-loop',
  /** Exit code of the crashing container. Defaults to 1. */
  crashCode: 'test.pinion/crash-code',
  /** Name of the container, init container or sidecar whose image pull fails. */
  imagePull: 'test.pinion/image-pull',
  /** Time that the deletion of a pod takes. */
  deleteAfter: 'test.pinion/delete-after',
} as const;

/** Annotation of a Node, with any value, that makes its Ready condition False. */
export const notReadyNode = 'test.pinion/not-ready';

/** Annotation of a Node whose kubelet kwok simulates. */
export const simulatedNode = { 'kwok.x-k8s.io/node': 'fake' } as const;

/** Number of restarts of a crashing container; after that it stays in back-off. */
export const crashLimit = 5;
