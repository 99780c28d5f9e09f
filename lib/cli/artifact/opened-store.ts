import { resolve } from 'node:path';
import { ArtifactStore, FolderObjects, StoreInaccessible, type Objects } from '../../artifact';
import type * as CloudRoom from '../../cloud';
import { type Option, UsageError } from '../arguments';
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
  const place = given ?? io.outside?.environment['PINION_STORE'] ?? usualFolder;
  const objects = place.startsWith('s3://') ? inS3(place) : new FolderObjects(resolve(io.cwd, place));
  try {
    return await action(new ArtifactStore(objects));
  } catch (error) {
    if (!(error instanceof StoreInaccessible)) throw error;
    throw new Inaccessible(error.message, { cause: error });
  }
}

/** Region, credentials and endpoint are what the SDK of AWS finds in the environment. */
function inS3(place: string): Objects {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(place) ?? [];
  if (bucket === undefined) throw new UsageError(`${place} is no store; write s3://BUCKET or s3://BUCKET/PREFIX`);
  const cloud = module.require('../../cloud') as typeof CloudRoom;
  return new cloud.S3Objects({ bucket, ...(prefix && { prefix }) });
}
