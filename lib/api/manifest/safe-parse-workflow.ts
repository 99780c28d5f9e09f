import type * as z from 'zod';
import { type Metadata } from './parse-manifest';
import { validateManifest } from './validate-manifest';
import { type apiVersion } from '../names';
import { nearest } from '../values/nearest';
import { isPlainObject } from '../values/plain-object';
import { isError, type FieldPath, type Problem } from '../problem';
import { propertyTypes, readProperty, type PropertyType, type PropertyValue } from '../schema/property';
import { workflowKind, workflowSpec } from './workflow';

/** Workflow manifest as users write it. */
export interface WorkflowInput {
  readonly apiVersion: typeof apiVersion;
  readonly kind: typeof workflowKind;
  readonly metadata: Metadata;
  readonly spec: z.input<ReturnType<typeof workflowSpec>>;
}

/** Workflow with defaults set and durations normalized. */
export interface Workflow {
  readonly kind: typeof workflowKind;
  readonly metadata: Metadata & { readonly namespace: string };
  readonly spec: z.output<ReturnType<typeof workflowSpec>>;
}

let schema: ReturnType<typeof workflowSpec> | undefined;

/** Returns the schema of `Workflow.spec`, created on first use. */
export const workflowSchema = (): ReturnType<typeof workflowSpec> => (schema ??= workflowSpec());

/** Returns whether a manifest has the kind Workflow. */
export const isWorkflow = (input: unknown): boolean => isPlainObject(input) && input['kind'] === workflowKind;

/** Parses a Workflow; reports all problems and never throws. */
export function safeParseWorkflow(input: unknown): {
  readonly workflow?: Workflow;
  readonly problems: readonly Problem[];
} {
  if (!isPlainObject(input) || input['kind'] !== workflowKind) {
    const found = isPlainObject(input) ? input['kind'] : undefined;
    const reason = found === undefined ? 'is missing' : 'must be Workflow';
    const remedy = `set kind: ${workflowKind}`;
    return { problems: [{ code: 'unknown-kind', path: ['kind'], value: found, reason, remedy }] };
  }
  const { data, problems } = validateManifest(input, workflowKind, workflowSchema());
  if (data === undefined) return { problems };
  const { namespace = '', ...metadata } = input['metadata'] as Metadata;
  const workflow: Workflow = {
    kind: workflowKind,
    metadata: { ...metadata, namespace },
    spec: data as Workflow['spec'],
  };
  const object = `${workflowKind} ${namespace}/${metadata.name}`;
  const own = [...repeatedNames(workflow.spec), ...valueProblems(workflow.spec)];
  const all = [...problems, ...own.map((problem) => ({ ...problem, object }))];
  return all.some(isError) ? { problems: all } : { workflow, problems: all };
}

/** Reports duplicate files of a workflow and duplicate clusters of a stage. */
function repeatedNames({ workloads, stages }: Workflow['spec']): Problem[] {
  const repeated = (names: readonly string[], path: FieldPath): Problem[] =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : { code: 'duplicate', path: [...path, index], value: name, reason: 'is listed twice', remedy: 'list it once' },
    );
  return [
    ...repeated(workloads.files ?? [], ['spec', 'workloads', 'files']),
    ...stages.flatMap(({ targets }, index) => repeated(targets, ['spec', 'stages', index, 'targets'])),
  ];
}

/** Reports invalid default and stage values of properties. */
function valueProblems({ properties, stages }: Workflow['spec']): Problem[] {
  const problems: Problem[] = [];
  const check = (type: PropertyType, value: PropertyValue, path: FieldPath): void => {
    if (readProperty(type, value) === undefined) problems.push(notOfType(type, value, path));
  };
  for (const [name, { type, default: value }] of Object.entries(properties))
    if (value !== undefined) check(type, value, ['spec', 'properties', name, 'default']);
  for (const [index, { properties: own = {} }] of stages.entries())
    for (const [name, value] of Object.entries(own)) {
      const path = ['spec', 'stages', index, 'properties', name];
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (declared) check(declared.type, value, path);
      else problems.push(unknownProperty(name, path, Object.keys(properties)));
    }
  return problems;
}

/** Returns the problem of a value that does not match its property's type. */
export function notOfType(type: PropertyType, value: unknown, path: FieldPath): Problem {
  const { what, example } = propertyTypes[type];
  const remedy = `use ${what}, such as ${JSON.stringify(example)}`;
  return { code: 'bad-format', path, value, reason: `must be ${what}`, remedy };
}

/** Returns the problem of a property that the workflow does not declare. */
export function unknownProperty(name: string, path: FieldPath, known: readonly string[]): Problem {
  const guess = nearest(name, known);
  return {
    code: 'unknown-reference',
    path,
    value: name,
    reason: 'is not declared in spec.properties',
    remedy: guess
      ? `did you mean "${guess}"?`
      : known.length > 0
        ? `use ${known.join(', ')}`
        : 'declare it in spec.properties',
  };
}
