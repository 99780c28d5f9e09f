import { parseDuration, type Problem } from '../api';
import { type DrainPolicy, patientKinds, usualRollPolicy } from '../operations';

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
  const problems: Problem[] = [];
  const needed = (name: string, what: string): string => {
    const value = environment[name] ?? '';
    if (value === '')
      problems.push({ code: 'required', path: [name], reason: 'is not set', remedy: `set it to ${what}` });
    return value;
  };
  const patience = (name: string, usual: number): number => {
    const text = environment[name];
    const read = text === undefined ? usual : parseDuration(text)?.millis;
    if (read === undefined)
      problems.push({
        code: 'bad-format',
        path: [name],
        value: text,
        reason: 'is no duration',
        remedy: 'write it as 90m or 6h',
      });
    return read ?? usual;
  };
  const given = (environment['EVICT'] ?? '').split(',').filter((name) => name !== '');
  for (const name of given)
    if (!patientKinds.some((kind) => kind === name))
      problems.push({
        code: 'not-one-of',
        path: ['EVICT'],
        value: name,
        reason: 'is no kind of pods that are waited for',
        remedy: `use ${patientKinds.join(', ')}`,
      });
  const { drain } = usualRollPolicy;
  const settings = {
    region: needed('AWS_REGION', "the region of the cluster's groups"),
    queue: needed('QUEUE', 'the name of the queue that the hooks write to'),
    policy: {
      evict: patientKinds.filter((kind) => given.includes(kind)),
      podPatience: patience('POD_PATIENCE', drain.podPatience),
      jobPatience: patience('JOB_PATIENCE', drain.jobPatience),
    },
  };
  return problems.length > 0 ? { problems } : { settings };
}
