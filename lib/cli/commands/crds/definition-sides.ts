import { type CustomResourceDefinition, type StoredObject } from '../../../definitions';
import { withConnection } from '../../cluster/cluster-connection';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { withRevision } from '../diff/revision-files';
import { type DefinitionCheckOptions } from './check-options';
import { clusterDefinitions, clusterObjects } from './cluster-definitions';
import { ownDefinitions, readAllDocuments, readDefinitions } from './read-definitions';

/** The definitions to compare, and the stored objects to try; undefined if none were named. */
export interface DefinitionSides {
  readonly before: readonly CustomResourceDefinition[];
  readonly after: readonly CustomResourceDefinition[];
  readonly objects: readonly StoredObject[] | undefined;
  /** What is compared with what. */
  readonly title: string;
}

const ownLabel = 'this version of pinion';

const titleOf = (before: string, after: string): string => `${before} (old) → ${after} (new)`;

/** Reads the definitions that the arguments and options name. */
export async function readDefinitionSides(args: readonly string[], options: DefinitionCheckOptions, io: Io): Promise<DefinitionSides> {
  const objects = options.objects === undefined ? undefined : await readAllDocuments(options.objects, io);
  if (options.live) return readLive(args, options, objects, io);
  if (options.from !== undefined) return { ...(await readRevisions(args, options.from, options.to, io)), objects };
  const [before, after, other] = args;
  if (before === undefined || other !== undefined)
    throw new UsageError('check compares two versions: pinion crds check OLD [NEW], pinion crds check --from REVISION PATH..., or pinion crds check --live [NEW...]');
  return {
    before: await readDefinitions([before], before, io),
    after: after === undefined ? ownDefinitions() : await readDefinitions([after], after, io),
    objects,
    title: titleOf(before, after ?? ownLabel),
  };
}

async function readRevisions(paths: readonly string[], from: string, to: string | undefined, io: Io): Promise<Omit<DefinitionSides, 'objects'>> {
  if (paths.length === 0) throw new UsageError('--from requires PATH: the files or folders of the definitions');
  const read = (revision: string): Promise<CustomResourceDefinition[]> =>
    withRevision(revision, io, async (files) => {
      const present = paths.flatMap((path) => files.locate(path) ?? []);
      return readDefinitions(present, `revision ${revision}`, files.io);
    });
  return {
    before: await read(from),
    after: to === undefined ? await readDefinitions(paths, 'the work tree', io) : await read(to),
    title: titleOf(`revision ${from}`, to === undefined ? 'the work tree' : `revision ${to}`),
  };
}

/** A definition that the cluster has and the new ones lack is not compared: it may be of another program. */
async function readLive(args: readonly string[], options: DefinitionCheckOptions, given: readonly StoredObject[] | undefined, io: Io): Promise<DefinitionSides> {
  const after = args.length === 0 ? ownDefinitions() : await readDefinitions(args, args.join(', '), io);
  return withConnection(options, io, async (connection) => {
    const before = await clusterDefinitions(
      after.map(({ metadata }) => metadata.name),
      connection,
    );
    const objects = given ?? (await clusterObjects(before, connection));
    return { before, after, objects, title: titleOf('the cluster', args.length === 0 ? ownLabel : args.join(', ')) };
  });
}
