import type * as z from 'zod';
import { type WorkloadKind, workloadKinds } from '../kinds/workload-kinds';
import { manager, metadataKeys, recommended } from '../names';
import { type FieldPath } from '../problem';
import { evaluateCel } from '../rules/cel';
import { entryListAt } from '../rules/own-volumes';
import { templatesOfSpec, type TemplateOfSpec } from '../rules/templates-of-spec';
import { parseValidFields } from '../schema/parse-valid-fields';
import { isPlainObject } from '../values/plain-object';
import { valueAt } from '../values/value-at';
import { withoutMember } from '../values/without-member';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a workload manifest without the labels and pod fields that have the value that the platform sets, and without
 * creation times that are null, so that they are no error, and all rules apply to the rest. A manifest without such values is returned as it is.
 */
export function withoutPlatformValues(input: Fields, kind: WorkloadKind, schema: z.ZodType): Fields {
  const spec = input['spec'];
  if (!isPlainObject(spec)) return input;
  const own = platformLabels(input, spec);
  const templates = templatesOfSpec(spec);
  const labels: FieldPath[] = [['labels'], ...templates.map(({ path }) => labelsBeside(path))];
  const equal = [
    ...labels.flatMap((path) => equalMembers(spec, path, own)),
    ...equalPodFields(input, kind, schema, templates),
    ...unsetTimes(spec, templates),
  ];
  return equal.length === 0 ? input : { ...input, spec: equal.reduce<unknown>(withoutMember, spec) };
}

/** Labels of the pods of a workload that depend only on its manifest. */
function platformLabels({ kind, metadata }: Fields, spec: Fields): Fields {
  const { name, namespace } = isPlainObject(metadata) ? metadata : ({} as Fields);
  return {
    [recommended.name]: name,
    [recommended.partOf]: namespace,
    [recommended.managedBy]: manager,
    [recommended.version]: spec['version'],
    [metadataKeys.workload]: name,
    [metadataKeys.kind]: kind,
    [metadataKeys.team]: spec['team'],
    [metadataKeys.tier]: spec['tier'],
    [metadataKeys.costCenter]: spec['costCenter'],
  };
}

/** Returns the path of the labels of a template from that of its spec. */
const labelsBeside = (path: FieldPath): FieldPath => [...path.slice(0, -1), 'metadata', 'labels'];

/** Lists the members of a map that have the same value in another one. */
function equalMembers(spec: Fields, path: FieldPath, own: Fields): FieldPath[] {
  const map = valueAt(spec, path);
  if (!isPlainObject(map)) return [];
  return Object.keys(map).flatMap((key) =>
    Object.hasOwn(own, key) && own[key] !== undefined && own[key] === map[key] ? [[...path, key]] : [],
  );
}

/** Lists the fields of pods that have the value of the platform, by the expressions that the API server evaluates. */
function equalPodFields(
  { metadata, spec }: Fields,
  kind: WorkloadKind,
  schema: z.ZodType,
  templates: readonly TemplateOfSpec[],
): FieldPath[] {
  let self: Fields | undefined;
  const holds = (expression: string, value: unknown): boolean => {
    self ??= { metadata, spec: parseValidFields(schema, spec) };
    try {
      return evaluateCel(expression, { self, value }) === true;
    } catch {
      // A value of another type, or an invalid value of the field that it repeats.
      return false;
    }
  };
  const fields = Object.entries(workloadKinds[kind].podFields);
  return templates.flatMap(({ pod, path }) =>
    fields.flatMap(([name, { value, equals }]) => {
      const found = pod[name];
      if (found === undefined) return [];
      return (equals === undefined ? found === value : holds(equals('value'), found)) ? [[...path, name]] : [];
    }),
  );
}

/** Lists the creation times that are null in the metadata of templates of pods and claims. */
function unsetTimes(spec: Fields, templates: readonly TemplateOfSpec[]): FieldPath[] {
  const metadata = templates.flatMap(({ pod, path }) => [
    [...path.slice(0, -1), 'metadata'],
    ...entryListAt(pod, ['volumes']).map((_, index) => [
      ...path,
      ...['volumes', index, 'ephemeral', 'volumeClaimTemplate', 'metadata'],
    ]),
  ]);
  return metadata
    .map((path): FieldPath => [...path, 'creationTimestamp'])
    .filter((path) => valueAt(spec, path) === null);
}
