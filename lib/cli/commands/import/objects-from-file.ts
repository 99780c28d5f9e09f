import { isPlainObject, valueAt, type Problem } from '../../../api';
import { readInputs, withProblemSource, type InputDocument } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { groupBy } from '../../output/group-by';
import { fieldsAt, isSame, textAt } from './fields';
import { nativeObject, type NativeObject } from './native-object';

/** Native objects of a file or folder, and problems of those that cannot be read. */
export interface FileObjects {
  readonly objects: readonly NativeObject[];
  /** Manifests of the platform among them. */
  readonly platformDocuments: InputDocument[];
  readonly problems: readonly Problem[];
}

/** Reads the native objects of a file or folder; of several with one kind, namespace and name, the first. */
export async function objectsFromFile(file: string, io: Io): Promise<FileObjects> {
  const inputs = await readInputs([file], io);
  const problems = [...inputs.unread];
  const found = inputs.documents.flatMap(({ is, value, read }): Item[] =>
    is === 'foreign' ? itemsIn(value).map((item) => ({ item, read })) : [],
  );
  const named = found.filter(({ item, read }) => {
    const misnamed = misnamedProblem(item);
    if (misnamed) problems.push(withProblemSource(misnamed, read));
    return !misnamed;
  });
  const { first, repeated } = partRepeated(named);
  return {
    objects: first.map(({ item }) => nativeObject(item, item.kind)),
    platformDocuments: inputs.documents.filter(({ is }) => is === 'platform'),
    problems: [...problems, ...repeatedProblems(repeated)],
  };
}

/** An object of a file, and where it is. */
interface Item {
  readonly item: Readonly<Record<string, unknown>> & { readonly kind: string };
  readonly read: InputDocument['read'];
}

/** An object whose kind, namespace and name an earlier one has. */
interface Repeated extends Item {
  readonly earlier: Item;
}

/** Separates the first object of each kind, namespace and name from those that differ from it; equal ones are one. */
function partRepeated(items: readonly Item[]): { readonly first: readonly Item[]; readonly repeated: Repeated[] } {
  const firsts = new Map<string, Item>();
  const repeated: Repeated[] = [];
  const first = items.filter((entry) => {
    const name = textAt(entry.item, 'metadata', 'name');
    if (name === undefined) return true;
    const apiGroup = /^(.*)\//.exec(String(entry.item['apiVersion']))?.[1];
    const key = JSON.stringify([apiGroup, entry.item.kind, textAt(entry.item, 'metadata', 'namespace'), name]);
    const earlier = firsts.get(key);
    if (!earlier) firsts.set(key, entry);
    else if (!isSame(earlier.item, entry.item)) repeated.push({ ...entry, earlier });
    return !earlier;
  });
  return { first, repeated };
}

/** Returns a problem for each pair of files with objects of one name. */
function repeatedProblems(repeated: readonly Repeated[]): readonly Problem[] {
  const fileOf = ({ read }: Item): string => read.locate([]).file;
  const pairs = groupBy(repeated, (entry) => JSON.stringify([fileOf(entry), fileOf(entry.earlier)]));
  return [...pairs.values()].flatMap(([entry, ...more]) => {
    if (!entry) return [];
    const { item, read, earlier } = entry;
    const { file, line } = earlier.read.locate([]);
    const others =
      more.length === 0
        ? ''
        : `, and ${more.length} more ${more.length === 1 ? 'object of this file is' : 'objects of this file are'} in that one, too`;
    const { namespace, name } = fieldsAt(item, 'metadata');
    const problem: Problem = {
      code: 'duplicate',
      path: ['metadata', 'name'],
      value: name,
      reason: `is also the name of the ${item.kind} at ${file}:${line}${others}; only ${more.length === 0 ? 'that one is' : `those of ${file} are`} imported`,
      remedy: 'import each version of an application on its own',
      object: `${item.kind} ${[namespace, name].filter((part) => part !== undefined).join('/')}`,
    };
    return withProblemSource(problem, read);
  });
}

/** Returns the objects in a document: the document itself, or the items of a List. */
function itemsIn(value: Readonly<Record<string, unknown>>): readonly Item['item'][] {
  const items = value['kind'] === 'List' && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value];
  return items.filter((item): item is Item['item'] => isPlainObject(item) && typeof item['kind'] === 'string');
}

/** Returns the problem that the name or namespace of an object is not a text, such as a number without quotes. */
function misnamedProblem(item: Item['item']): Problem | undefined {
  const isMisnamed = (field: string): boolean => typeof (given(item, field) ?? '') !== 'string';
  const field = ['name', 'namespace'].find(isMisnamed);
  return field === undefined
    ? undefined
    : {
        code: 'wrong-type',
        path: ['metadata', field],
        value: given(item, field),
        reason: 'is not a text, so the object is not imported',
        remedy: 'put it in quotes, or correct it',
        object: item.kind,
      };
}

const given = (item: Item['item'], field: string): unknown => valueAt(item, ['metadata', field]);
