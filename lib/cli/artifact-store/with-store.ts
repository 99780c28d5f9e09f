import { isAbsolute, resolve } from 'node:path';
import {
  ArtifactStore,
  FolderBlobStore,
  parseStoreLocation,
  type StoreUnavailable,
  type BlobStore,
} from '../../artifact';
import type * as CloudRoom from '../../cloud';
import { UsageError } from '../command/usage-error';
import { type OptionSpecs } from '../command/command-spec';
import { shownPath } from '../input/input-files';
import { UnavailableError, type Io } from '../io/io';

/** Folder of the store by default. */
const defaultFolder = '.pinion/artifacts';

/** Options of commands that use the artifact store. */
export const storeOptions = {
  store: {
    type: 'string',
    valueName: 'LOCATION',
    environment: 'PINION_STORE',
    default: defaultFolder,
    description: 'artifact store: a folder, or s3://BUCKET/PREFIX',
  },
} as const satisfies OptionSpecs;

/** Runs `action` with an artifact store. Throws `UnavailableError` where the store cannot be used. */
export async function withStore<T>(location: string, io: Io, action: (store: ArtifactStore) => Promise<T>): Promise<T> {
  const objects = objectsAt(location, io.cwd);
  try {
    return await action(new ArtifactStore(objects));
  } catch (error) {
    if (!isInaccessible(error)) throw error;
    throw new UnavailableError(error.message, { cause: error });
  }
}

/** A store as messages name it: a folder relative to the working one, where it lies below that. */
export const storeName = ({ name }: ArtifactStore, io: Io): string => (isAbsolute(name) ? shownPath(name, io) : name);

/** By its name: the part that talks to AWS is a bundle with a class of its own. */
const isInaccessible = (error: unknown): error is StoreUnavailable =>
  error instanceof Error && error.name === ('StoreUnavailable' satisfies StoreUnavailable['name']);

/** Region, credentials and endpoint of S3 are what the SDK of AWS finds in the environment. */
function objectsAt(text: string, cwd: string): BlobStore {
  const place = parseStoreLocation(text);
  if (!place) throw new UsageError(`${text} is not an artifact store; use a folder, s3://BUCKET or s3://BUCKET/PREFIX`);
  if ('folder' in place) return new FolderBlobStore(resolve(cwd, place.folder));
  const cloud = module.require('../../cloud') as typeof CloudRoom;
  return new cloud.S3Objects(place);
}
