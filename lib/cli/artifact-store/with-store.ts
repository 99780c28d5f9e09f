import { isAbsolute, resolve } from 'node:path';
import {
  ArtifactStore,
  FolderBlobStore,
  parseStoreLocation,
  type StoreLocation,
  type StoreUnavailable,
  type BlobStore,
} from '../../artifact';
import type * as CloudRoom from '../../cloud';
import { type OptionSpecs } from '../command/command-spec';
import { shownPath } from '../input/input-files';
import { UnavailableError, type Io } from '../io/io';
import { type ValueType } from '../command/value-type';

const storeLocationType = {
  valueName: 'LOCATION',
  expected: 'a folder, s3://BUCKET or s3://BUCKET/PREFIX',
  parse: parseStoreLocation,
} as const satisfies ValueType<StoreLocation>;

/** Folder of the store by default. */
const defaultFolder = '.pinion/artifacts';

/** Options of commands that use the artifact store. */
export const storeOptions = {
  store: {
    type: 'parsed',
    valueType: storeLocationType,
    environment: 'PINION_STORE',
    default: defaultFolder,
    description: 'artifact store: a folder, or s3://BUCKET/PREFIX',
  },
} as const satisfies OptionSpecs;

/** Runs `action` with an artifact store. Throws `UnavailableError` where the store cannot be used. */
export async function withStore<T>(
  location: StoreLocation,
  io: Io,
  action: (store: ArtifactStore) => Promise<T>,
): Promise<T> {
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
function objectsAt(location: StoreLocation, cwd: string): BlobStore {
  if ('folder' in location) return new FolderBlobStore(resolve(cwd, location.folder));
  const cloud = module.require('../../cloud') as typeof CloudRoom;
  return new cloud.S3Objects(location);
}
