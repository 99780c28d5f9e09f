import { type Problem } from '../api';
import { type DrainPolicy, drainWaitKinds, defaultRollPolicy } from '../operations';
import { EnvReader } from './env-reader';

/** Settings of the drain consumer. */
export interface DrainSettings {
  readonly region: string;
  /** Name of the queue of termination notices. */
  readonly queue: string;
  readonly policy: DrainPolicy;
}

/** Reads the required AWS_REGION and QUEUE, and the optional EVICT, POD_DRAIN_TIMEOUT and JOB_DRAIN_TIMEOUT. Returns all problems at once. */
export function readDrainSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: DrainSettings } | { readonly problems: readonly Problem[] } {
  const variables = new EnvReader(environment);
  const { drain } = defaultRollPolicy;
  const settings = {
    region: variables.required('AWS_REGION', "the region of the cluster's Auto Scaling groups"),
    queue: variables.required('QUEUE', 'the name of the queue that the lifecycle hooks write to'),
    policy: {
      evict: variables.list('EVICT', drainWaitKinds, 'pod kind that a drain waits for'),
      podTimeout: variables.duration('POD_DRAIN_TIMEOUT', drain.podTimeout),
      jobTimeout: variables.duration('JOB_DRAIN_TIMEOUT', drain.jobTimeout),
    },
  };
  return variables.problems.length > 0 ? { problems: variables.problems } : { settings };
}
