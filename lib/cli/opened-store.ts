import { resolve } from 'node:path';
import { ArtifactStore, FolderObjects, StoreInaccessible } from '../artifact';
import { type Option } from './arguments';
import { Inaccessible, type Io } from './io';

/** The option by which a verb is told of the artifact store. */
export const storeOptions = { store: { type: 'string' } } as const satisfies Record<string, Option>;

/** Folder of the store where nothing else is said. */
const usualFolder = '.pinion/artifacts';

/** What `--help` says of the store. */
export const storeHelp = `  --store PLACE     a folder, or s3://BUCKET/PREFIX (default: PINION_STORE, else ${usualFolder})`;

/** Does something with the artifact store that is meant; what keeps it from that is thrown as `Inaccessible`. */
export async function withStore<T>(
  given: string | undefined,
  io: Io,
  action: (store: ArtifactStore) => Promise<T>,
): Promise<T> {
  const place = given ?? io.outside?.environment['PINION_STORE'] ?? usualFolder;
  try {
    return await action(new ArtifactStore(new FolderObjects(resolve(io.cwd, place))));
  } catch (error) {
    if (!(error instanceof StoreInaccessible)) throw error;
    throw new Inaccessible(error.message, { cause: error });
  }
}
