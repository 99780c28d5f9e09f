import { nearest, workloadKinds, type WorkloadKind } from '../../../api';
import { UsageError } from '../../command/usage-error';
import { nameOf, type InputDocument } from '../../input/input-documents';

/** Returns the workload of `name`, `project/name`, `kind/name` or `kind/project/name`. Throws a `UsageError` unless there is exactly one. */
export function selectWorkload(wanted: string, documents: readonly InputDocument[]): InputDocument {
  const workloads = documents.filter(({ is }) => is === 'workload');
  const found = workloads.filter((document) => isCalled(document, wanted.split('/')));
  if (found.length === 1) return found[0] as InputDocument;
  const names = (some: readonly InputDocument[]) => some.map(({ value }) => nameOf(value).replace(' ', '/')).join(', ');
  if (found.length > 1) throw new UsageError(`${wanted} may be ${names(found)}; write kind/project/name`);
  if (workloads.length === 0) throw new UsageError(`workload not found: ${wanted}; the inputs contain no workloads`);
  const guess = nearest(
    wanted.split('/').at(-1) as string,
    workloads.map(({ value }) => wordsOf(value).name),
  );
  const known = `the inputs contain ${names(workloads.slice(0, 10))}${workloads.length > 10 ? ', …' : ''}`;
  throw new UsageError(`workload not found: ${wanted}; ${guess ? `did you mean ${guess}?` : known}`);
}

function isCalled({ value }: InputDocument, wanted: readonly string[]): boolean {
  const { kinds, project, name } = wordsOf(value);
  const [last, ...before] = [...wanted].reverse();
  if (last !== name || before.length > 2) return false;
  const [nearer, kind] = before;
  if (nearer === undefined) return true;
  const isKind = (word: string) => kinds.includes(word.toLowerCase());
  return kind === undefined ? nearer === project || isKind(nearer) : nearer === project && isKind(kind);
}

function wordsOf({ kind, metadata }: InputDocument['value']): {
  kinds: readonly string[];
  project: string;
  name: string;
} {
  const { namespace, name } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const { plural, singular, shortNames } = workloadKinds[kind as WorkloadKind];
  const kinds = [String(kind).toLowerCase(), plural, singular, ...shortNames];
  return { kinds, project: String(namespace), name: String(name) };
}
