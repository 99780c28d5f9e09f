import { isAbsolute, resolve } from 'node:path';
import {
  ArtifactStore,
  FolderBlobStore,
  parseStoreLocation,
  type StoreUnavailable,
  type BlobStore,
} from '../../artifact';
import type * as CloudRoom from '../../cloud';
import { type CommandOption, UsageError } from '../command/arguments';
import { shownPath } from '../input/input-files';
import { UnavailableError, type Io } from '../io/io';

/** The option by which a verb is told of the artifact store. */
export const storeOptions = { store: { type: 'string' } } as const satisfies Record<string, CommandOption>;

/** Folder of the store where nothing else is said. */
const defaultFolder = '.pinion/artifacts';

/** What `--help` says of the store. */
export const storeHelp = `  --store PLACE     a folder, or s3://BUCKET/PREFIX (default: PINION_STORE, else ${defaultFolder})`;

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
    throw new UnavailableError(error.message, { cause: error });
  }
}

/** A store as messages name it: a folder relative to the working one, where it lies below that. */
export const storeName = ({ name }: ArtifactStore, io: Io): string => (isAbsolute(name) ? shownPath(name, io) : name);

/** An empty variable of CI says as little as none. */
const placeOf = (given: string | undefined, { system }: Io): string =>
  [given, system?.environment['PINION_STORE']].find((text) => text !== undefined && text !== '') ?? defaultFolder;

/** By its name: the part that talks to AWS is a bundle with a class of its own. */
const isInaccessible = (error: unknown): error is StoreUnavailable =>
  error instanceof Error && error.name === ('StoreUnavailable' satisfies StoreUnavailable['name']);

/** Region, credentials and endpoint of S3 are what the SDK of AWS finds in the environment. */
function objectsAt(text: string, cwd: string): BlobStore {
  const place = parseStoreLocation(text);
  if (!place) throw new UsageError(`${text} is no store; write a folder, s3://BUCKET or s3://BUCKET/PREFIX`);
  if ('folder' in place) return new FolderBlobStore(resolve(cwd, place.folder));
  const cloud = module.require('../../cloud') as typeof CloudRoom;
  return new cloud.S3Objects(place);
}
