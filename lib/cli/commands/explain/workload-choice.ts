import { nearest, workloadKinds, type WorkloadKind } from '../../../api';
import { UsageError } from '../../command/usage-error';
import { nameOf, type InputDocument } from '../../input/input-documents';

/** Returns the workload for `name`, `project/name`, `kind/name` or `kind/project/name`. Throws a `UsageError` unless there is exactly one. */
export function selectWorkload(reference: string, documents: readonly InputDocument[]): InputDocument {
  const workloads = documents.filter(({ is }) => is === 'workload');
  const found = workloads.filter((document) => isCalled(document, reference.split('/')));
  if (found.length === 1) return found[0] as InputDocument;
  const names = (listed: readonly InputDocument[]) =>
    listed.map(({ value }) => nameOf(value).replace(' ', '/')).join(', ');
  if (found.length > 1)
    throw new UsageError(`${reference} is ambiguous: it matches ${names(found)}; use kind/project/name`);
  if (workloads.length === 0) throw new UsageError(`workload not found: ${reference}; the inputs contain no workloads`);
  const suggestion = nearest(
    reference.split('/').at(-1) as string,
    workloads.map(({ value }) => namesOf(value).name),
  );
  const known = `the inputs contain ${names(workloads.slice(0, 10))}${workloads.length > 10 ? ', …' : ''}`;
  throw new UsageError(`workload not found: ${reference}; ${suggestion ? `did you mean ${suggestion}?` : known}`);
}

function isCalled({ value }: InputDocument, reference: readonly string[]): boolean {
  const { kinds, project, name } = namesOf(value);
  const [last, ...before] = [...reference].reverse();
  if (last !== name || before.length > 2) return false;
  const [qualifier, kind] = before;
  if (qualifier === undefined) return true;
  const isKind = (word: string) => kinds.includes(word.toLowerCase());
  return kind === undefined ? qualifier === project || isKind(qualifier) : qualifier === project && isKind(kind);
}

function namesOf({ kind, metadata }: InputDocument['value']): {
  kinds: readonly string[];
  project: string;
  name: string;
} {
  const { namespace, name } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { plural, singular, shortNames } = workloadKinds[kind as WorkloadKind];
  const kinds = [String(kind).toLowerCase(), plural, singular, ...shortNames];
  return { kinds, project: String(namespace), name: String(name) };
}
