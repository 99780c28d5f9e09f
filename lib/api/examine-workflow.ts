import type * as z from 'zod';
import { type Metadata } from './complete';
import { examineDocument } from './examine-document';
import { type apiVersion } from './names';
import { nearest } from './nearest';
import { isPlainObject } from './plain-object';
import { isError, type FieldPath, type Problem } from './problem';
import { propertyTypes, readProperty, type PropertyType, type PropertyValue } from './property';
import { workflowKind, workflowSpec } from './workflow';

/** What a person writes as a Workflow. */
export interface WorkflowInput {
  readonly apiVersion: typeof apiVersion;
  readonly kind: typeof workflowKind;
  readonly metadata: Metadata;
  readonly spec: z.input<ReturnType<typeof workflowSpec>>;
}

/** A Workflow whose defaults are set and whose durations have their one form. */
export interface Workflow {
  readonly kind: typeof workflowKind;
  readonly metadata: Metadata & { readonly namespace: string };
  readonly spec: z.output<ReturnType<typeof workflowSpec>>;
}

let made: ReturnType<typeof workflowSpec> | undefined;

/** The schema of a Workflow's `spec`, made when first asked for. */
export const workflowSchema = (): ReturnType<typeof workflowSpec> => (made ??= workflowSpec());

/** True for a document that says it is a Workflow. */
export const isWorkflow = (input: unknown): boolean => isPlainObject(input) && input['kind'] === workflowKind;

/** Completes a Workflow, or says all that is wrong with it; never throws for bad input. */
export function examineWorkflow(input: unknown): {
  readonly workflow?: Workflow;
  readonly problems: readonly Problem[];
} {
  if (!isPlainObject(input) || input['kind'] !== workflowKind) {
    const found = isPlainObject(input) ? input['kind'] : undefined;
    const reason = found === undefined ? 'is no Workflow' : 'is another kind than Workflow';
    const remedy = `write kind: ${workflowKind}`;
    return { problems: [{ code: 'unknown-kind', path: ['kind'], value: found, reason, remedy }] };
  }
  const { data, problems } = examineDocument(input, workflowKind, workflowSchema());
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

/** Clusters of a stage and files of the workflow that are named more than once. */
function repeatedNames({ workloads, stages }: Workflow['spec']): Problem[] {
  const repeated = (names: readonly string[], path: FieldPath): Problem[] =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : { code: 'duplicate', path: [...path, index], value: name, reason: 'is named twice', remedy: 'name it once' },
    );
  return [
    ...repeated(workloads.files ?? [], ['spec', 'workloads', 'files']),
    ...stages.flatMap(({ targets }, index) => repeated(targets, ['spec', 'stages', index, 'targets'])),
  ];
}

/** What is wrong with the values of properties that the workflow itself gives. */
function valueProblems({ properties, stages }: Workflow['spec']): Problem[] {
  const problems: Problem[] = [];
  const look = (type: PropertyType, value: PropertyValue, path: FieldPath): void => {
    if (readProperty(type, value) === undefined) problems.push(notOfType(type, value, path));
  };
  for (const [name, { type, default: value }] of Object.entries(properties))
    if (value !== undefined) look(type, value, ['spec', 'properties', name, 'default']);
  for (const [index, { properties: own = {} }] of stages.entries())
    for (const [name, value] of Object.entries(own)) {
      const path = ['spec', 'stages', index, 'properties', name];
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (declared) look(declared.type, value, path);
      else problems.push(unknownProperty(name, path, Object.keys(properties)));
    }
  return problems;
}

/** The problem that a value is none of its property's type. */
export function notOfType(type: PropertyType, value: unknown, path: FieldPath): Problem {
  const { what, example } = propertyTypes[type];
  const remedy = `write ${what}, such as ${JSON.stringify(example)}`;
  return { code: 'bad-format', path, value, reason: `is not ${what}`, remedy };
}

/** The problem that a property is named that the workflow does not declare. */
export function unknownProperty(name: string, path: FieldPath, known: readonly string[]): Problem {
  const guess = nearest(name, known);
  return {
    code: 'unknown-reference',
    path,
    value: name,
    reason: 'is no property that the workflow declares',
    remedy: guess
      ? `did you mean "${guess}"?`
      : known.length > 0
        ? `use ${known.join(', ')}`
        : 'declare it in spec.properties',
  };
}
