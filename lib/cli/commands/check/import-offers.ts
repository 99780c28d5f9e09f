import { dirname, resolve } from 'node:path';
import { textAt } from '../../../api';
import { type InputDocument } from '../../input/input-documents';
import { shownPath, standardInput } from '../../input/input-files';
import { type Io } from '../../io/io';
import { groupBy } from '../../output/group-by';
import { isImportable } from '../import/kinds/native-kinds';

/** How many named files get a line of their own. */
const maxOffers = 3;

/**
 * Returns lines with the commands that import the native objects among the inputs that could be workloads: one for each
 * file named by an argument, and one for all those found in folders, because what belongs to a workload is often in
 * other files. Empty if there are none.
 */
export function importOffers(documents: readonly InputDocument[], args: readonly string[], io: Io): string {
  const named = new Set(args.map((arg) => shownPath(resolve(io.cwd, arg), io)));
  const importable = documents.filter(
    (document) =>
      document.is === 'foreign' && isImportable(document.value['kind']) && fileOf(document) !== standardInput,
  );
  const isNamed = (document: InputDocument): boolean => named.has(fileOf(document));
  const found = importable.filter((document) => !isNamed(document));
  const byFile = [...groupBy(importable.filter(isNamed), fileOf)];
  const more = byFile.length - maxOffers;
  return [
    ...(found.length === 0 ? [] : [offer(commonFolder(found.map(fileOf), io), found)]),
    ...byFile.slice(0, maxOffers).map(([file, objects]) => offer(file, objects)),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'file' : 'files'} of them\n`] : []),
  ].join('');
}

const fileOf = ({ read }: InputDocument): string => read.locate([]).file;

/** Returns the line for the objects of a file or folder. */
function offer(place: string, objects: readonly InputDocument[]): string {
  const title =
    objects.length === 1
      ? '1 native object could be a workload'
      : `${objects.length} native objects could be workloads`;
  const isPlaced = objects.every(({ value }) => textAt(value, 'metadata', 'namespace') !== undefined);
  return `${title}: pinion import -f ${/^[\w./-]+$/.test(place) ? place : `'${place}'`}${isPlaced ? '' : ' -n NAMESPACE'}\n`;
}

/** Returns the innermost folder that contains all files. */
function commonFolder(files: readonly string[], io: Io): string {
  const paths = files.map((file) => resolve(io.cwd, file));
  let folder = dirname(paths[0] ?? io.cwd);
  while (!paths.every((path) => path.startsWith(folder === '/' ? folder : `${folder}/`))) folder = dirname(folder);
  return folder === io.cwd ? '.' : shownPath(folder, io);
}
