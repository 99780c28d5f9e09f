import { environmentPrefix } from '../../../api';
import { entriesAt, fieldsAt, numberAt, textAt, type Fields } from './fields';
import { podsOf } from './job-shards';
import { noteAdder, type KindSource } from './kind-source';
import { type AddNote } from './note';

const domain = 'jobset.sigs.k8s.io';

/** Values by the name of a label or annotation that the JobSet controller sets, without the domain. */
type LabelValues = Readonly<Record<string, string | undefined>>;

const variable = (name: string): string => `$(${environmentPrefix}${name})`;

/** Returns the values in the pods of a set with `replicatedJobs`: variables of the platform. */
export const valuesOfReplica = ({ object, name }: KindSource): LabelValues => ({
  'jobset-name': name,
  'job-index': variable('REPLICA_INDEX'),
  'replicatedjob-name': variable('JOB_NAME'),
  'replicatedjob-replicas': variable('REPLICA_COUNT'),
  ...(fieldsAt(object, 'spec')['coordinator'] !== undefined && { coordinator: variable('COORDINATOR') }),
});

/** Returns the values in the pods of a set with one template, whose shards are the pods of all Jobs of one entry. */
export function valuesOfShard({ name }: KindSource, entry: Fields): LabelValues {
  const replicas = numberAt(entry, 'replicas') ?? 1;
  const isJobShard = replicas > 1 && podsOf(fieldsAt(entry, 'template', 'spec')) === 1;
  return {
    'jobset-name': name,
    'job-index': isJobShard ? variable('SHARD_INDEX') : replicas > 1 ? undefined : '0',
    'replicatedjob-name': String(entry['name']),
    'replicatedjob-replicas': isJobShard ? variable('SHARD_COUNT') : String(replicas),
  };
}

/**
 * Returns a template whose variables do not read labels and annotations of the JobSet controller, which the pods no longer
 * have: the given values stand for them, and the others are empty, each with a note. `path` is that of the Job's spec.
 */
export function withoutJobSetVariables(
  template: Fields,
  values: LabelValues,
  source: KindSource,
  path: string,
): Fields {
  const note = noteAdder(source, '');
  const pod = fieldsAt(template, 'spec');
  const lists = ['initContainers', 'containers'].flatMap((list) => {
    const containers = entriesAt(pod, list);
    const at = `${path}.template.spec.${list}`;
    return containers.length === 0
      ? []
      : [[list, containers.map((container) => withoutVariables(container, values, at, note))] as const];
  });
  return { ...template, spec: { ...pod, ...Object.fromEntries(lists) } };
}

function withoutVariables(container: Fields, values: LabelValues, path: string, note: AddNote): Fields {
  if (container['env'] === undefined) return container;
  const env = entriesAt(container, 'env').map((entry) => {
    const fieldPath = textAt(entry, 'valueFrom', 'fieldRef', 'fieldPath');
    const key = fieldPath && /^metadata\.(?:labels|annotations)\['([^']+)'\]$/.exec(fieldPath)?.[1];
    if (fieldPath === undefined || !key?.startsWith(`${domain}/`)) return entry;
    const label = key.slice(domain.length + 1);
    const value = Object.hasOwn(values, label) ? values[label] : undefined;
    note(
      `${path}[${String(container['name'])}].env[${String(entry['name'])}]`,
      value === undefined
        ? `reads ${fieldPath}, which pods no longer have, so that it is empty`
        : `is now ${JSON.stringify(value)}`,
    );
    return value === undefined ? entry : { name: entry['name'], value };
  });
  return { ...container, env };
}
