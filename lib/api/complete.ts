import {
  isPlatformKind,
  isWorkloadKind,
  pinionKinds,
  type PinionKind,
  type PlatformKind,
  type WorkloadKind,
} from './kinds';
import { apiVersion } from './names';
import { nearest } from './nearest';
import { nameForm } from './object-name';
import { isPlainObject } from './plain-object';
import { isError, ProblemsError, type Problem } from './problem';
import { checkRules } from './schema-rules';
import { schemaProblems } from './schema-problems';
import { schemaOf, type Spec, type SpecInput } from './schemas';

declare const completed: unique symbol;

/** Metadata that a person may write; the rest belongs to the API server. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** A document of one of our kinds, as a person writes it. */
export interface Input<K extends PinionKind = PinionKind> {
  readonly apiVersion: typeof apiVersion;
  readonly kind: K;
  readonly metadata: Metadata;
  readonly spec: SpecInput<K>;
}

/** A completed document of one kind, where `K` names one. */
interface CompletedOne<K extends PinionKind> {
  readonly [completed]: true;
  readonly kind: K;
  readonly metadata: Metadata & { readonly namespace: string };
  readonly spec: Spec<K>;
}

/** A document whose defaults are set and whose values have their one form; only `complete` makes it. */
export type Completed<K extends PinionKind = PinionKind> = { [One in K]: CompletedOne<One> }[K];
/** A completed workload of any of the six kinds, or of one. */
export type Workload<K extends WorkloadKind = WorkloadKind> = Completed<K>;
/** A completed Project, RuntimeProfile or Platform. */
export type PlatformDocument<K extends PlatformKind = PlatformKind> = Completed<K>;

/** What came of an input: the completed document unless an error stands against it, and all problems. */
export interface Examined {
  readonly completed?: Completed;
  readonly problems: readonly Problem[];
}

/** Completes a document or throws a `ProblemsError` with all that is wrong. */
export function complete<K extends PinionKind>(input: Input<K>): Completed<K> {
  const { completed: document, problems } = examine(input);
  if (!document) throw new ProblemsError(problems);
  return document as Completed<K>;
}

/** Completes a document of any kind, or says all that is wrong with it; never throws for bad input. */
export function examine(input: unknown): Examined {
  if (!isPlainObject(input)) return { problems: [unknownKind([], input, 'is not a document')] };
  const kind = input['kind'];
  if (!isWorkloadKind(kind) && !isPlatformKind(kind)) return { problems: [kindProblem(kind)] };
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  if (input['apiVersion'] !== apiVersion) {
    report({
      code: 'unknown-kind',
      path: ['apiVersion'],
      value: input['apiVersion'],
      reason: `is not the version of ${kind}`,
      remedy: `write ${apiVersion}`,
    });
  }
  checkTop(input, kind, report);
  const schema = schemaOf(kind);
  const parsed = schema.safeParse(input['spec'] ?? {}, { reportInput: false });
  if (parsed.success) checkRules(schema, parsed.data, ['spec'], report);
  else problems.push(...schemaProblems(schema, input['spec'] ?? {}, parsed.error.issues, ['spec']));
  const named = problems.map((problem) => ({ ...problem, object: nameOf(input, kind) }));
  if (named.some(isError) || !parsed.success) return { problems: named };
  const metadata = input['metadata'] as Metadata;
  const document = {
    kind,
    metadata: { ...metadata, namespace: isWorkloadKind(kind) ? metadata.namespace : '' },
    spec: parsed.data,
  };
  return { completed: document as Workload, problems: named };
}

const topFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

function checkTop(input: Record<string, unknown>, kind: PinionKind, report: (problem: Problem) => void): void {
  for (const key of Object.keys(input)) {
    if (topFields.includes(key)) continue;
    const guess = nearest(key, topFields);
    report({
      code: 'unknown-field',
      path: [key],
      value: input[key],
      reason: 'does not exist',
      remedy: guess ? `did you mean "${guess}"?` : 'move it below spec, or remove it',
    });
  }
  const metadata = input['metadata'];
  if (!isPlainObject(metadata))
    return report({ code: 'required', path: ['metadata'], reason: 'is missing', remedy: 'give metadata.name' });
  const { pattern, max } = nameForm(kind);
  checkName(metadata['name'], ['metadata', 'name'], new RegExp(pattern), max, report);
  if (kind === 'Platform' && metadata['name'] !== undefined && metadata['name'] !== 'cluster') {
    report({
      code: 'not-one-of',
      path: ['metadata', 'name'],
      value: metadata['name'],
      reason: 'is not the one Platform of a cluster',
      remedy: 'name it cluster',
    });
  }
  if (pinionKinds[kind].scope === 'Namespaced')
    checkName(metadata['namespace'], ['metadata', 'namespace'], /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63, report);
  else if (metadata['namespace'] !== undefined) {
    report({
      code: 'contradiction',
      path: ['metadata', 'namespace'],
      value: metadata['namespace'],
      reason: `a ${kind} belongs to no namespace`,
      remedy: 'remove it',
    });
  }
  checkMaps(metadata, report);
}

function checkMaps(metadata: Record<string, unknown>, report: (problem: Problem) => void): void {
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined) continue;
    if (!isPlainObject(map)) {
      report({
        code: 'wrong-type',
        path: ['metadata', field],
        value: map,
        reason: 'is not a map',
        remedy: 'write names and texts',
      });
      continue;
    }
    for (const [key, value] of Object.entries(map)) {
      const path = ['metadata', field, key];
      if (typeof value !== 'string')
        report({ code: 'wrong-type', path, value, reason: 'is not a text', remedy: 'write it in quotes' });
      else if (field === 'labels' && !/^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/.test(value)) {
        report({
          code: 'bad-format',
          path,
          value,
          reason: 'is not a label value',
          remedy: 'use letters, digits, - _ and ., at most 63',
        });
      }
      if (!/^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(key)) {
        report({
          code: 'bad-format',
          path,
          value: key,
          reason: 'is not a label key',
          remedy: 'write a key such as "example.com/division"',
        });
      }
    }
  }
}

function checkName(
  name: unknown,
  path: string[],
  pattern: RegExp,
  max: number,
  report: (problem: Problem) => void,
): void {
  const remedy = path[1] === 'namespace' ? 'give the project, such as "shop"' : 'write a name such as "cart"';
  if (name === undefined || name === '') report({ code: 'required', path, reason: 'is missing', remedy });
  else if (typeof name !== 'string') report({ code: 'wrong-type', path, value: name, reason: 'is not a text', remedy });
  else if (name.length > max)
    report({
      code: 'out-of-range',
      path,
      value: name,
      reason: `has more than ${max} characters`,
      remedy: 'choose a shorter name',
    });
  else if (!pattern.test(name))
    report({
      code: 'bad-format',
      path,
      value: name,
      reason: 'is not a lower-case DNS label that begins with a letter',
      remedy,
    });
}

function kindProblem(kind: unknown): Problem {
  const guess = typeof kind === 'string' ? nearest(kind, Object.keys(pinionKinds)) : undefined;
  return unknownKind(['kind'], kind, kind === undefined ? 'is missing' : 'is no kind of this platform', guess);
}

const unknownKind = (path: string[], value: unknown, reason: string, guess?: string): Problem => ({
  code: 'unknown-kind',
  path,
  value,
  reason,
  remedy: guess ? `did you mean "${guess}"?` : `use ${Object.keys(pinionKinds).join(', ')}`,
});

function nameOf(input: Record<string, unknown>, kind: string): string {
  const metadata = isPlainObject(input['metadata']) ? input['metadata'] : {};
  const name = [metadata['namespace'], metadata['name']].filter((part) => typeof part === 'string').join('/');
  return `${kind} ${name || '(without a name)'}`;
}
