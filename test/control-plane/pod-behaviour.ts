/**
 * Annotations that say how a simulated pod behaves; they may be set, changed and removed while it lives.
 * Durations are Go's: `500ms`, `2s`, `1m30s`. A pod without any becomes Ready at once,
 * and ends with code 0 after 1 s where its restart policy is not Always.
 */
export const behaviour = {
  /** How long after its start (or after it recovered) a pod becomes Ready; `never`: not at all. */
  readyAfter: 'test.pinion/ready-after',
  /**
   * How long after it became Ready a pod's containers end; `never`: they run on.
   * Under restart policy Always (or OnFailure with a code other than 0) the container starts again, and ends again.
   */
  exitAfter: 'test.pinion/exit-after',
  /** The code that the exit container ends with; the others end with 0. */
  exitCode: 'test.pinion/exit-code',
  /** The container that the exit code is of. Where it is not given: the first. */
  exitContainer: 'test.pinion/exit-container',
  /** Name of the container, init container or sidecar that is in CrashLoopBackOff; its restarts are counted up to 5. */
  crashLoop: 'test.pinion/crash-loop',
  /** The code that the crashing container ends with; 1 where it is not given. */
  crashCode: 'test.pinion/crash-code',
  /** Name of the container, init container or sidecar whose image does not pull. */
  imagePull: 'test.pinion/image-pull',
  /** How long a deleted pod takes to be gone. */
  deleteAfter: 'test.pinion/delete-after',
} as const;

/** On a Node, with any value: its Ready condition is False. */
export const notReadyNode = 'test.pinion/not-ready';

/** On a Node: kwok plays its kubelet. */
export const simulatedNode = { 'kwok.x-k8s.io/node': 'fake' } as const;

/** How often a crashing container is seen to start again; then it stays in its back-off. */
export const crashLimit = 5;
