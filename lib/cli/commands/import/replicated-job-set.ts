import { entriesAt, fieldsAt, fieldIfSet, isSame, numberAt, textAt, without, type Fields } from './fields';
import { completionOf, maxFailedShardsOf } from './job-completion';
import { jobFailurePolicyOf } from './job-failure-rules';
import { exclusiveKey, jobSetFields } from './job-set-fields';
import { valuesOfReplica, withoutJobSetVariables } from './job-set-variables';
import { shardsOf } from './job-shards';
import { importedTemplate, noteAdder, type KindSource } from './kind-source';
import { type AddNote } from './note';
import { noteSharedClaims, withSharedClaims } from './shared-claims';
import { shownValue } from './shown-value';
import { noteUnconverted } from './unconverted-fields';

/** Retries of a PinterestJobSet that sets none. */
const defaultRetries = 3;

/** An entry of `replicatedJobs` as an entry of a PinterestJobSet, and fields of the set that its pods need. */
interface ConvertedJob {
  readonly name: string;
  readonly job: Fields;
  readonly fields: Fields;
}

/** Returns the spec of a set with the jobs of a JobSet, each with its own pods. */
export function replicatedJobSet(source: KindSource): Fields {
  const { object } = source;
  const spec = fieldsAt(object, 'spec');
  const note = noteAdder(source, '');
  const entries = entriesAt(spec, 'replicatedJobs');
  const host = `${String(entries[0]?.['name'])}-0-0`;
  const set = jobSetFields(source, {
    hosts: [`${object.metadata.name}-${host}`, `${source.name}-${host}`],
    converted: ['coordinator', 'startupPolicy', 'volumeClaimPolicies'],
    annotations: [exclusiveKey],
  });
  noteSharedClaims(source);
  const jobs = entries.flatMap((entry, index) => convertedJob(entry, index, source));
  const retries = jobs.map(({ job }) => job['retries'] ?? defaultRetries);
  const shared = new Set(retries).size === 1 ? retries[0] : undefined;
  return {
    ...set,
    ...fieldIfSet('coordinator', coordinatorOf(fieldsAt(spec, 'coordinator'))),
    ...fieldIfSet('successPolicy', successPolicyOf(fieldsAt(spec, 'successPolicy'))),
    ...jobFailurePolicyOf(fieldsAt(spec, 'failurePolicy'), note),
    ...(shared !== undefined && shared !== defaultRetries && { retries: shared }),
    ...sharedFields(jobs, note),
    replicatedJobs: inOrder(jobs, spec, note).map((job) => (shared === undefined ? job : without(job, 'retries'))),
  };
}

const coordinatorOf = (coordinator: Fields): Fields => ({
  ...fieldIfSet('job', coordinator['replicatedJob']),
  ...(coordinator['jobIndex'] !== 0 && fieldIfSet('replica', coordinator['jobIndex'])),
  ...(coordinator['podIndex'] !== 0 && fieldIfSet('shard', coordinator['podIndex'])),
});

const successPolicyOf = (policy: Fields): Fields => ({
  ...(policy['operator'] !== 'All' && fieldIfSet('operator', policy['operator'])),
  ...fieldIfSet('jobs', policy['targetReplicatedJobs']),
});

/** Returns an entry of the set; nothing if it has no Jobs. */
function convertedJob(entry: Fields, index: number, source: KindSource): ConvertedJob[] {
  const { object } = source;
  const path = `spec.replicatedJobs[${index}]`;
  const note = noteAdder(source, '');
  const [name, replicas] = [String(entry['name']), numberAt(entry, 'replicas')];
  if (replicas === 0) {
    note(path, `has 0 replicas, so that it is omitted: ${shownValue(entry)}`);
    return [];
  }
  const inner = fieldsAt(entry, 'template', 'spec');
  const { template, fields } = importedTemplate(source, {
    basePath: ['spec', 'replicatedJobs', index, 'template', 'spec'],
  });
  noteEntry(entry, path, note);
  const at = `${path}.template.spec`;
  const { ttlAfterFinished: _, ...completion } = completionOf({ ...inner, ttlSecondsAfterFinished: 0 }, at, note);
  const job = {
    name,
    ...(replicas !== undefined && replicas !== 1 && { replicas }),
    ...shardsOf(inner, 1, at, `spec.replicatedJobs[${index}]`, note),
    ...fieldIfSet('dependsOn', entry['dependsOn']),
    ...fieldIfSet('exclusiveTopology', exclusiveTopologyOf(source, entry)),
    ...maxFailedShardsOf(inner),
    ...completion,
    template: withoutJobSetVariables(withSharedClaims(template, object), valuesOfReplica(source), source, at),
  };
  return [{ name, job, fields }];
}

/** Returns the topology whose domains the Jobs of an entry have to themselves. */
const exclusiveTopologyOf = ({ object }: KindSource, entry: Fields): unknown =>
  fieldsAt(entry, 'template', 'metadata', 'annotations')[exclusiveKey] ?? object.metadata.annotations?.[exclusiveKey];

/** Notes what else an entry and the metadata of its Jobs say. */
function noteEntry(entry: Fields, path: string, note: AddNote): void {
  const known = ['name', 'replicas', 'template', 'dependsOn'];
  noteUnconverted(entry, entry['groupName'] === 'default' ? [...known, 'groupName'] : known, `${path}.`, note);
  const { annotations, ...metadata } = without(fieldsAt(entry, 'template', 'metadata'), 'name', 'creationTimestamp');
  const others = without(fieldsAt(annotations), exclusiveKey);
  noteUnconverted({ ...metadata, ...fieldIfSet('annotations', others) }, [], `${path}.template.metadata.`, note);
}

/** Returns the jobs with what each waits for: with an order, all jobs before it. */
function inOrder(jobs: readonly ConvertedJob[], spec: Fields, note: AddNote): readonly Fields[] {
  const isOrdered = textAt(spec, 'startupPolicy', 'startupPolicyOrder') === 'InOrder';
  const names = new Set(jobs.map(({ name }) => name));
  return jobs.map(({ job, name }, index) => {
    const written = entriesAt(job, 'dependsOn');
    const known = written.filter((entry) => names.has(String(entry['name'])));
    if (known.length < written.length)
      note(
        `spec.replicatedJobs (${name}).dependsOn`,
        `jobs that are omitted are not waited for: ${shownValue(written)}`,
      );
    const earlier = jobs.slice(0, index).map((before) => ({ name: before.name, status: 'Ready' }));
    const dependsOn = isOrdered ? earlier : known;
    const { template, ...rest } = without(job, 'dependsOn');
    return { ...rest, ...fieldIfSet('dependsOn', dependsOn), template };
  });
}

/** Returns the fields that the pods of all jobs share: the first value of each, with a note where others differ. */
function sharedFields(jobs: readonly ConvertedJob[], note: AddNote): Fields {
  const names = [...new Set(jobs.flatMap(({ fields }) => Object.keys(fields)))];
  return Object.fromEntries(
    names.map((field) => {
      const value = jobs.find(({ fields }) => fields[field] !== undefined)?.fields[field];
      const others = jobs.filter(({ fields }) => !isSame(fields[field], value));
      if (others.length > 0)
        note(
          `spec.replicatedJobs (spec.${field})`,
          `all jobs have one ${field}, now ${shownValue(value, field)}; before, ${others.map(({ name, fields }) => `${name} had ${fields[field] === undefined ? 'none' : shownValue(fields[field], field)}`).join(', ')}`,
        );
      return [field, value];
    }),
  );
}
