import { fieldsAt, fieldIfSet, numberAt, textAt, without, type Fields } from './fields';
import { completionOf, maxFailedShardsOf } from './job-completion';
import { jobSetFields } from './job-set-fields';
import { podsOf, shardsOf } from './job-shards';
import { importedTemplate, noteAdder, type KindSource } from './kind-source';
import { type AddNote } from './note';
import { noteSharedClaims, withSharedClaims } from './shared-claims';
import { shownValue } from './shown-value';
import { noteUnconverted } from './unconverted-fields';
import { valuesOfShard, withoutJobSetVariables } from './job-set-variables';

const path = 'spec.replicatedJobs[0]';
const jobPath = `${path}.template.spec`;

/** Returns the spec of a set with one template from a JobSet with one replicated Job, whose Jobs become its shards. */
export function singleJobSet(source: KindSource): Fields {
  const spec = fieldsAt(source.object, 'spec');
  const note = noteAdder(source, '');
  const only = fieldsAt(spec, 'replicatedJobs', 0);
  const inner = fieldsAt(only, 'template', 'spec');
  const replicas = numberAt(only, 'replicas') ?? 1;
  const { template, fields } = importedTemplate(source, {
    basePath: ['spec', 'replicatedJobs', 0, 'template', 'spec'],
  });
  const set = jobSetFields(source, {
    hosts: [`${source.object.metadata.name}-${String(only['name'])}-0-0`, `${source.name}-0`],
    converted: ['volumeClaimPolicies'],
    annotations: [],
    ttl: inner['ttlSecondsAfterFinished'],
  });
  noteSharedClaims(source);
  noteReplicas(only, replicas, inner, note);
  noteRest(spec, only, note);
  const { ttlAfterFinished: _, ...completion } = completionOf({ ...inner, ttlSecondsAfterFinished: 0 }, jobPath, note);
  const { ttlAfterFinished, ...first } = set;
  return {
    ...shardsOf(inner, replicas, jobPath, 'spec', note),
    ...first,
    ...(replicas === 0 && { suspend: true }),
    ...fieldIfSet('failurePolicy', failurePolicyOf(spec, inner, replicas)),
    ...completion,
    ...fieldIfSet('ttlAfterFinished', ttlAfterFinished),
    ...anyPolicy(spec, inner, replicas, note),
    ...fields,
    template: withoutJobSetVariables(
      withSharedClaims(template, source.object),
      valuesOfShard(source, only),
      source,
      jobPath,
    ),
  };
}

/** Returns the failure policy: a failed Job fails the set, and so does the shard that it becomes. */
function failurePolicyOf(spec: Fields, inner: Fields, replicas: number): Fields {
  const maxRestarts = numberAt(spec, 'failurePolicy', 'maxRestarts') ?? 0;
  return {
    ...(replicas > 1 && podsOf(inner) === 1 ? { maxFailedShards: 0 } : maxFailedShardsOf(inner)),
    ...(maxRestarts > 0 && { maxRestarts }),
  };
}

/** Returns the success policy of a set that succeeds with any of its Jobs, each of one pod; the pods of an only Job must all succeed. */
function anyPolicy(spec: Fields, inner: Fields, replicas: number, note: AddNote): Fields {
  if (textAt(spec, 'successPolicy', 'operator') !== 'Any' || replicas === 1) {
    noteOnlyJob(fieldsAt(spec, 'successPolicy'), inner, note);
    return {};
  }
  note('spec.successPolicy', `one Job was enough, ${shownValue(spec['successPolicy'])}; one shard is now enough`);
  return { successPolicy: { count: 1 } };
}

/** Notes what the success of the only Job means for the shards. */
function noteOnlyJob(policy: Fields, inner: Fields, note: AddNote): void {
  if (policy['operator'] !== 'Any' && policy['targetReplicatedJobs'] === undefined) return;
  const pods = podsOf(inner);
  // A Job that takes work from a queue has a note of its own.
  const all = inner['completions'] === undefined ? '' : `, with all its ${pods} pods`;
  note(
    'spec.successPolicy',
    inner['successPolicy'] === undefined
      ? `the only Job was enough, ${shownValue(policy)}${all}; all ${pods} shards must succeed`
      : `the only Job was enough, ${shownValue(policy)}; the successPolicy of the Job now applies to all shards`,
  );
}

function noteReplicas(only: Fields, replicas: number, inner: Fields, note: AddNote): void {
  if (replicas === 0)
    note(`${path}.replicas`, 'has 0 Jobs, and the custom resource would have one, so that it is suspended');
  if (replicas <= 1) return;
  const pods = podsOf(inner);
  note(
    `${path}.replicas`,
    `${replicas} Jobs ${String(only['name'])} of ${pods} ${pods === 1 ? 'pod' : 'pods'} become one Job of ${replicas * pods} shards; PINION_SHARD_INDEX, from 0 to ${replicas * pods - 1}, replaces the index of the Job and of the pod`,
  );
}

/** Notes what else the set says. */
function noteRest(spec: Fields, only: Fields, note: AddNote): void {
  noteUnconverted(fieldsAt(spec, 'failurePolicy'), ['maxRestarts', 'rules'], 'spec.failurePolicy.', note);
  noteUnconverted(only, ['name', 'replicas', 'template'], `${path}.`, note);
  const metadata = without(fieldsAt(only, 'template', 'metadata'), 'name', 'creationTimestamp');
  noteUnconverted(metadata, [], `${path}.template.metadata.`, note);
}
