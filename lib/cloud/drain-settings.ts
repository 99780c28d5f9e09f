import { type Problem } from '../api';
import { type DrainPolicy, patientKinds, usualRollPolicy } from '../operations';
import { Variables } from './variables';

/** What the drain consumer is told by its environment. */
export interface DrainSettings {
  readonly region: string;
  /** Name of the queue of notices. */
  readonly queue: string;
  readonly policy: DrainPolicy;
}

/** Reads AWS_REGION and QUEUE, which must be there, and EVICT, POD_PATIENCE and JOB_PATIENCE, which may; all that is wrong at once. */
export function readDrainSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: DrainSettings } | { readonly problems: readonly Problem[] } {
  const variables = new Variables(environment);
  const { drain } = usualRollPolicy;
  const settings = {
    region: variables.needed('AWS_REGION', "the region of the cluster's groups"),
    queue: variables.needed('QUEUE', 'the name of the queue that the hooks write to'),
    policy: {
      evict: variables.someOf('EVICT', patientKinds, 'kind of pods that are waited for'),
      podPatience: variables.duration('POD_PATIENCE', drain.podPatience),
      jobPatience: variables.duration('JOB_PATIENCE', drain.jobPatience),
    },
  };
  return variables.problems.length > 0 ? { problems: variables.problems } : { settings };
}
