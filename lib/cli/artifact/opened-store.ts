import { isAbsolute, resolve } from 'node:path';
import { ArtifactStore, FolderObjects, storePlaceOf, type StoreInaccessible, type Objects } from '../../artifact';
import type * as CloudRoom from '../../cloud';
import { type Option, UsageError } from '../arguments';
import { shownPath } from '../input-files';
import { Inaccessible, type Io } from '../io';

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
  const objects = objectsAt(placeOf(given, io), io.cwd);
  try {
    return await action(new ArtifactStore(objects));
  } catch (error) {
    if (!isInaccessible(error)) throw error;
    throw new Inaccessible(error.message, { cause: error });
  }
}

/** A store as messages name it: a folder relative to the working one, where it lies below that. */
export const shownStore = ({ name }: ArtifactStore, io: Io): string => (isAbsolute(name) ? shownPath(name, io) : name);

/** An empty variable of CI says as little as none. */
const placeOf = (given: string | undefined, { outside }: Io): string =>
  [given, outside?.environment['PINION_STORE']].find((text) => text !== undefined && text !== '') ?? usualFolder;

/** By its name: the part that talks to AWS is a bundle with a class of its own. */
const isInaccessible = (error: unknown): error is StoreInaccessible =>
  error instanceof Error && error.name === ('StoreInaccessible' satisfies StoreInaccessible['name']);

/** Region, credentials and endpoint of S3 are what the SDK of AWS finds in the environment. */
function objectsAt(text: string, cwd: string): Objects {
  const place = storePlaceOf(text);
  if (!place) throw new UsageError(`${text} is no store; write a folder, s3://BUCKET or s3://BUCKET/PREFIX`);
  if ('folder' in place) return new FolderObjects(resolve(cwd, place.folder));
  const cloud = module.require('../../cloud') as typeof CloudRoom;
  return new cloud.S3Objects(place);
}
