import { metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { attemptName } from './attempt';
import { type Child } from '../observed/child';
import { type RunRecord } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

type Fields = Readonly<Record<string, unknown>>;

/** A Job as it is to be now: of its attempt, without a time to live of its own, and waiting where it must not run. */
export function jobOfAttempt({ object, progress }: ReplicatedJob, record: RunRecord, waits: boolean): KubernetesObject {
  const { ttlSecondsAfterFinished: _, suspend: __, ...spec } = object['spec'] as Fields;
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [metadataKeys.run]: attemptName(record) } },
    spec: { ...spec, ...(waits && !progress?.finished && !progress?.ending && { suspend: true }) },
  };
}

/** A live object as one to be: nothing of it changes. */
export function unchangedObject(child: Child): KubernetesObject {
  const { metadata, status: _, ...body } = child.content() as ReturnType<Child['content']> & { status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const { [metadataKeys.lastAppliedHash]: __, ...own } = annotations ?? {};
  return {
    ...body,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(Object.keys(own).length > 0 && { annotations: own }),
    },
  };
}
