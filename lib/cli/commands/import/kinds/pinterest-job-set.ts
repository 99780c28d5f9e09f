import { importedNativeKinds } from './native-kinds';
import { entriesAt, fieldsAt, fieldIfSet, numberAt, textAt, type Fields } from '../fields';
import { completionOf, maxFailedShardsOf } from '../job-completion';
import { exclusiveKey, noteHostNames } from '../job-set-fields';
import { podsOf, shardsOf } from '../job-shards';
import { replicatedJobSet } from '../replicated-job-set';
import { importedTemplate, noteAdder, type KindSource } from '../kind-source';
import { type NativeObject } from '../native-object';
import { withSharedClaims } from '../shared-claims';
import { singleJobSet } from '../single-job-set';
import { type KindImport } from './kind-import';

const [job, jobSet] = importedNativeKinds.PinterestJobSet;

/** Import of a Job. */
export const jobImport: KindImport = {
  nativeKind: job,
  shortName: 'job',
  isRun: true,
  specOf: specOfJob,
};

/** Import of a JobSet. */
export const jobSetImport: KindImport = {
  nativeKind: jobSet,
  shortName: 'jobset',
  isRun: true,
  specOf: (source) => (hasOwnJobs(source.object) ? replicatedJobSet(source) : singleJobSet(source)),
  jobsIn: (object) =>
    entriesAt(object, 'spec', 'replicatedJobs').flatMap((entry, index) =>
      // Nothing is generated for an entry without Jobs.
      hasOwnJobs(object) && entry['replicas'] === 0
        ? []
        : {
            path: `spec.replicatedJobs[${index}].template.spec`,
            job: String(entry['name']),
            spec: withClaims(fieldsAt(entry, 'template', 'spec'), object),
          },
    ),
};

/** Returns the spec of a Job as the JobSet controller creates it. */
const withClaims = (spec: Fields, object: NativeObject): Fields => ({
  ...spec,
  template: withSharedClaims(fieldsAt(spec, 'template'), object),
});

/** Returns whether a set needs `replicatedJobs`, because one template cannot say what it says. */
function hasOwnJobs(object: NativeObject): boolean {
  const spec = fieldsAt(object, 'spec');
  const [only = {}, ...others] = entriesAt(spec, 'replicatedJobs');
  const annotations = [object.metadata.annotations, fieldsAt(only, 'template', 'metadata', 'annotations')];
  const isAny = textAt(spec, 'successPolicy', 'operator') === 'Any';
  return (
    others.length > 0 ||
    spec['coordinator'] !== undefined ||
    entriesAt(spec, 'failurePolicy', 'rules').length > 0 ||
    annotations.some((map) => map?.[exclusiveKey] !== undefined) ||
    (isAny && (numberAt(only, 'replicas') ?? 1) > 1 && podsOf(fieldsAt(only, 'template', 'spec')) > 1)
  );
}

function specOfJob(source: KindSource): Fields {
  const { object } = source;
  const spec = fieldsAt(object, 'spec');
  const note = noteAdder(source, '');
  const { template, fields } = importedTemplate(source);
  const subdomain = textAt(spec, 'template', 'spec', 'subdomain');
  if (subdomain !== undefined)
    noteHostNames(`${object.metadata.name}-0.${subdomain}`, `${source.name}-0.${source.name}`, subdomain, source);
  return {
    ...shardsOf(spec, 1, 'spec', 'spec', note),
    ...(spec['suspend'] === true && { suspend: true }),
    ...(subdomain !== undefined && { dnsNames: true }),
    ...fieldIfSet('failurePolicy', maxFailedShardsOf(spec)),
    ...completionOf(spec, 'spec', note),
    ...fields,
    template,
  };
}
