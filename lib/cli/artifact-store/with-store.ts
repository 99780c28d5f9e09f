import { isAbsolute, resolve } from 'node:path';
import {
  ArtifactStore,
  FolderBlobStore,
  parseStoreLocation,
  type StoreLocation,
  type StoreUnavailable,
  type BlobStore,
} from '../../artifact';
import type * as CloudModule from '../../cloud';
import { type OptionSpecs } from '../command/command-spec';
import { shownPath } from '../input/input-files';
import { UnavailableError, type Io } from '../io/io';
import { type OptionValueType } from '../command/option-value-type';

const storeLocationType = {
  valueName: 'LOCATION',
  expected: 'a folder, s3://BUCKET or s3://BUCKET/PREFIX',
  parse: parseStoreLocation,
} as const satisfies OptionValueType<StoreLocation>;

/** Default folder of the store. */
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

/** Runs `action` with an artifact store. Throws `UnavailableError` if the store cannot be used. */
export async function withStore<T>(
  location: StoreLocation,
  io: Io,
  action: (store: ArtifactStore) => Promise<T>,
): Promise<T> {
  const blobs = openBlobStore(location, io.cwd);
  try {
    return await action(new ArtifactStore(blobs));
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    throw new UnavailableError(error.message, { cause: error });
  }
}

/** Returns the name of a store for messages; a folder under the working directory is relative to it. */
export const storeName = ({ name }: ArtifactStore, io: Io): string => (isAbsolute(name) ? shownPath(name, io) : name);

/** Compares by name, because the AWS bundle has its own copy of the class. */
const isStoreUnavailable = (error: unknown): error is StoreUnavailable =>
  error instanceof Error && error.name === ('StoreUnavailable' satisfies StoreUnavailable['name']);

/** Returns the store at a location. The AWS SDK reads region, credentials and endpoint of S3 from the environment. */
function openBlobStore(location: StoreLocation, cwd: string): BlobStore {
  if ('folder' in location) return new FolderBlobStore(resolve(cwd, location.folder));
  const cloud = module.require('../../cloud') as typeof CloudModule;
  return new cloud.S3Objects(location);
}
