import { metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { attemptName } from './attempt';
import { type Child } from '../observed/child';
import { type RunRecord } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the desired Job of an attempt, without its own TTL, and suspended if it must not run. */
export function jobOfAttempt(
  { object, progress }: ReplicatedJob,
  record: RunRecord,
  suspended: boolean,
): KubernetesObject {
  const { ttlSecondsAfterFinished: _, suspend: __, ...spec } = object['spec'] as Fields;
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [metadataKeys.run]: attemptName(record) } },
    spec: { ...spec, ...(suspended && !progress?.finished && !progress?.terminating && { suspend: true }) },
  };
}

/** Returns a live object as a desired one, unchanged. */
export function unchangedObject(child: Child): KubernetesObject {
  const { metadata, status: _, ...body } = child.content() as ReturnType<Child['content']> & { status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const { [metadataKeys.lastAppliedHash]: __, ...annotationsToKeep } = annotations ?? {};
  return {
    ...body,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(Object.keys(annotationsToKeep).length > 0 && { annotations: annotationsToKeep }),
    },
  };
}
