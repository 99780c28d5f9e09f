import { leaf } from '../schema/field-facts';
import { environmentPrefix, reservedPrefix } from '../names';
import { checkNative, nativeSchema, type PodSpec, unsetTime } from '../native';
import { isPlainObject } from '../values/plain-object';
import { type FieldPath, type Problem } from '../problem';
import { isPlatformKey } from '../rules/workload-rules';
import { type continuousPodFields, type PlatformPodFields } from './platform-pod-fields';

/** Pod fields that the platform sets, each with the field to use instead. */
export const ownedPodFields = {
  activeDeadlineSeconds: 'set spec.activeDeadline on a kind that runs to completion',
  automountServiceAccountToken: 'set spec.apiAccess to Gateway or Direct if the workload calls the API server',
  ephemeralContainers: 'use kubectl debug on the running pod',
  hostIPC: 'use a PinterestDaemon and its spec.host',
  hostNetwork: 'use a PinterestDaemon and its spec.host',
  hostPID: 'use a PinterestDaemon and its spec.host',
  hostname: 'remove it; members of a set have stable names',
  nodeName: 'set spec.placement',
  preemptionPolicy: 'set spec.tier',
  priority: 'set spec.tier',
  priorityClassName: 'set spec.tier',
  restartPolicy: 'remove it; the kind sets it',
  schedulerName: 'remove it; the Platform sets it',
  serviceAccount: 'remove it; each workload has its own service account, and spec.iamRole grants AWS permissions',
  serviceAccountName: 'remove it; each workload has its own service account, and spec.iamRole grants AWS permissions',
  subdomain: 'remove it; the kind creates its headless Service',
  terminationGracePeriodSeconds: 'set spec.termination.gracePeriod',
  tolerations: 'set spec.placement.pool; the Platform defines its tolerations',
} as const satisfies Partial<Record<keyof PodSpec, string>>;

/** Native pod spec without the fields that the platform owns. */
export type OpenPodSpec = Omit<PodSpec, keyof typeof ownedPodFields>;

/** Pod template: labels, annotations and spec of the pods. */
export interface PodTemplate {
  readonly metadata?:
    | {
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly spec: OpenPodSpec;
}

/** Pod template as written: it may repeat pod fields with the values that the platform sets. */
export interface PodTemplateInput {
  readonly metadata?:
    | (NonNullable<PodTemplate['metadata']> & {
        /** As `kubectl create --dry-run` writes it; dropped. */
        readonly creationTimestamp?: null | undefined;
      })
    | undefined;
  readonly spec: OpenPodSpec & Pick<PodSpec, keyof typeof continuousPodFields>;
}

const metadataSchema = {
  type: 'object',
  properties: {
    creationTimestamp: unsetTime,
    labels: { type: 'object', maxProperties: 64, additionalProperties: { type: 'string', maxLength: 63 } },
    annotations: { type: 'object', maxProperties: 64, additionalProperties: { type: 'string', maxLength: 16384 } },
  },
};

/**
 * Returns the schema of `template`: native pods, checked by the structure and rules of the newest supported Kubernetes.
 * `fields` are those that may repeat the value of the platform; they are removed before a template is checked.
 */
export const podTemplate = (fields: PlatformPodFields) =>
  leaf<PodTemplate, PodTemplateInput>('PodTemplate', () => templateSchema(fields), checkTemplate);

function templateSchema(fields: PlatformPodFields): Record<string, unknown> {
  const { properties, ...spec } = nativeSchema('PodSpec', { omit: { PodSpec: ownedPodFields } });
  const repeatable = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      metadata: metadataSchema,
      spec: { ...spec, properties: { ...(properties as object), ...repeatable } },
    },
  };
}

function checkTemplate(value: unknown, report: (problem: Problem) => void): void {
  if (value === undefined) return report(missing([], 'the pod to run'));
  if (!isPlainObject(value))
    return report({
      code: 'wrong-type',
      path: [],
      value,
      reason: 'is not an object',
      remedy: 'write {spec: {containers: [...]}}',
    });
  for (const key of Object.keys(value)) {
    if (key !== 'metadata' && key !== 'spec') {
      report({
        code: 'unknown-field',
        path: [key],
        reason: 'does not exist',
        remedy: 'a template has metadata and spec',
      });
    }
  }
  if (value['metadata'] !== undefined) checkTemplateMetadata(value['metadata'], report);
  const spec = value['spec'];
  if (spec === undefined) return report(missing(['spec'], 'the pod to run'));
  if (isPlainObject(spec)) reserved(spec, report);
  checkNative('PodSpec', spec, ['spec'], report, { omit: { PodSpec: ownedPodFields } });
}

function checkTemplateMetadata(metadata: unknown, report: (problem: Problem) => void): void {
  if (!isPlainObject(metadata))
    return report({
      code: 'wrong-type',
      path: ['metadata'],
      value: metadata,
      reason: 'is not an object',
      remedy: 'write {labels: {...}, annotations: {...}}',
    });
  for (const key of Object.keys(metadata)) {
    if (key !== 'labels' && key !== 'annotations') {
      report({
        code: 'platform-owned',
        path: ['metadata', key],
        reason: 'is set by the platform',
        remedy: 'set only labels and annotations',
      });
    }
  }
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    for (const key of isPlainObject(map) ? Object.keys(map) : []) {
      if (!isPlatformKey(key)) continue;
      report({
        code: 'platform-owned',
        path: ['metadata', field, key],
        reason: 'is set by the platform',
        remedy: 'use another key',
      });
    }
  }
  checkNative('ObjectMeta', metadata, ['metadata'], report);
}

/** Rejects names of containers, volumes and variables that are reserved for the platform. */
function reserved(spec: Record<string, unknown>, report: (problem: Problem) => void): void {
  for (const list of ['containers', 'initContainers', 'volumes']) {
    const entries = spec[list];
    if (!Array.isArray(entries)) continue;
    entries.forEach((entry: unknown, index) => {
      const name = isPlainObject(entry) ? entry['name'] : undefined;
      if (typeof name === 'string' && name.startsWith(reservedPrefix)) {
        report({
          code: 'platform-owned',
          path: ['spec', list, index, 'name'],
          value: name,
          reason: `starts with "${reservedPrefix}", which is reserved for the platform`,
          remedy: 'use another name',
        });
      }
      const env = isPlainObject(entry) ? entry['env'] : undefined;
      if (Array.isArray(env)) reservedVariables(env, ['spec', list, index, 'env'], report);
    });
  }
}

function reservedVariables(env: readonly unknown[], path: FieldPath, report: (problem: Problem) => void): void {
  env.forEach((entry, index) => {
    const name = isPlainObject(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string' || !name.startsWith(environmentPrefix)) return;
    report({
      code: 'platform-owned',
      path: [...path, index, 'name'],
      value: name,
      reason: `starts with "${environmentPrefix}", which is reserved for the platform`,
      remedy: 'use another name',
    });
  });
}

const missing = (path: FieldPath, what: string): Problem => ({
  code: 'required',
  path,
  reason: 'is missing',
  remedy: `set ${what}`,
});
