import { explainProblem, nearest } from '../../../api';
import { defineCommand } from '../../command/command';
import { type OptionSpecs } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { clusterOptions, withCluster } from '../../cluster/cluster-connection';
import { platformOption } from '../../input/input-options';
import { type Io } from '../../io/io';
import {
  isInNamespace,
  objectsFromFile,
  platformFromFiles,
  sourceFromCluster,
  sourceInFiles,
  type ImportSource,
  type SourceOptions,
} from './import-source';
import { importWorkload } from './import-workload';
import { importedText, leftoverText } from './imported-text';
import { importTargets } from './kinds/kind-imports';
import { namespaceProblems } from './namespace-problems';
import { type NativeObject } from './native-object';
import { ownedProblem } from './owned-problem';

const options = {
  namespace: {
    type: 'string',
    short: 'n',
    valueName: 'NAME',
    description: 'namespace of the workload',
    defaultText: 'namespace of the context',
  },
  name: {
    type: 'string',
    valueName: 'NAME',
    description: 'name of the custom resource; with a different name, it runs alongside the native workload',
  },
  file: {
    type: 'string',
    short: 'f',
    valueName: 'FILE',
    description: 'file or folder to read the objects from, instead of a cluster; without KIND/NAME, all its workloads',
  },
  platform: { ...platformOption, defaultText: 'those of the cluster, else the nearest pinion.platform.yaml' },
  ...clusterOptions,
} as const satisfies OptionSpecs;

/** `pinion import`. */
export const importCommand = defineCommand({
  description: `Print the custom resource for a Deployment, StatefulSet, CronJob or DaemonSet with its Service, Ingress, autoscaler and disruption budget. Comments above it explain what happens to the running pods and what could not be converted: each value that is not carried over, and each object that stays. The cluster is not changed. A workload that is already managed by a custom resource is not imported; the error names that resource.`,
  arguments: {
    workload: { valueName: 'KIND/NAME', description: 'native workload, such as deployment/cart' },
  },
  options,
  examples: [
    { command: 'pinion import deployment/cart -n shop > cart.yaml' },
    { command: 'pinion import -f manifests > shop.yaml', description: 'all workloads of a folder' },
  ],
  exitCodes: { failure: 'the workload is already managed, or the result needs manual changes' },
  async run({ args, options: values }, io) {
    if (values.file !== undefined) return importFromFile(values.file, args.workload, values, io);
    if (args.workload === undefined)
      throw new UsageError('import requires KIND/NAME: native workload, such as deployment/cart; or -f FILE for all');
    const reference = parseReference(args.workload);
    const source = await withCluster(values, io, (cluster) => sourceFromCluster(cluster, reference, values, io));
    return (await writeImport(source, values.name, io)).code;
  },
});

/** Imports one workload of a file or folder, or all of them. */
async function importFromFile(
  file: string,
  workload: string | undefined,
  { name, namespace, platform }: SourceOptions & { readonly name?: string },
  io: Io,
): Promise<ExitCode> {
  const reference = workload === undefined ? undefined : parseReference(workload);
  if (!reference && name !== undefined) throw new UsageError('--name requires KIND/NAME');
  const { objects, problems } = await objectsFromFile(file, io);
  for (const problem of problems) io.writeError(`${explainProblem(problem)}\n`);
  const workloads = objects.filter(
    (object) =>
      isInNamespace(object, namespace) &&
      (reference
        ? object.kind === reference[0] && object.metadata.name === reference[1]
        : importTargets.some(({ nativeKind }) => nativeKind === object.kind)),
  );
  const [first] = workloads;
  if (!first) throw new UsageError(`no ${reference?.join(' ') ?? 'workload'} in ${file}`);
  const cluster = await platformFromFiles(platform, io);
  const chosen = (reference ? [first] : workloads).map((object) =>
    sourceInFiles(object, objects, cluster, file, namespace),
  );
  const accounted = new Set<NativeObject>();
  let code: ExitCode = problems.length > 0 ? exitCodes.failure : exitCodes.success;
  for (const source of chosen) {
    if (accounted.size > 0) await io.write('---\n');
    const written = await writeImport(source, name, io);
    if (written.code !== exitCodes.success) code = written.code;
    for (const object of [source.object, ...written.related]) accounted.add(object);
  }
  if (!reference) await io.write(leftoverText(objects.filter((object) => !accounted.has(object))));
  return code;
}

/** Writes the custom resource of one workload; returns the exit code, and the native objects that its comments account for. */
async function writeImport(source: ImportSource, name: string | undefined, io: Io) {
  const owned = ownedProblem(source.object, source.namespace);
  if (owned) {
    io.writeError(`${explainProblem(owned)}\n`);
    return { code: exitCodes.failure, related: [] };
  }
  const misplaced = namespaceProblems(source);
  if (misplaced.length > 0) {
    for (const problem of misplaced) io.writeError(`${explainProblem(problem)}\n`);
    return { code: exitCodes.failure, related: [] };
  }
  const imported = importWorkload({ ...source, ...(name !== undefined && { name }) });
  if (!imported) throw new UsageError(`${source.object.kind} cannot be imported: no pinion kind corresponds to it`);
  await io.write(importedText(imported, source.origin));
  for (const problem of imported.problems) io.writeError(`${explainProblem(problem)}\n`);
  return { code: imported.problems.length > 0 ? exitCodes.failure : exitCodes.success, related: imported.related };
}

/** Parses `deployment/cart` to a kind and a name. */
function parseReference(reference: string): readonly [string, string] {
  const [kindText = '', name, ...rest] = reference.split('/');
  const kinds = importTargets.map(({ nativeKind }) => nativeKind);
  const lower = kindText.toLowerCase();
  const kind = importTargets.find(({ nativeKind, shortName }) =>
    [shortName, nativeKind.toLowerCase(), `${nativeKind.toLowerCase()}s`].includes(lower),
  )?.nativeKind;
  if (kind !== undefined && name !== undefined && name !== '' && rest.length === 0) return [kind, name];
  const suggestion = nearest(kindText, kinds);
  throw new UsageError(
    kind === undefined && suggestion !== undefined
      ? `${kindText} cannot be imported; did you mean ${suggestion}?`
      : `import requires KIND/NAME with ${kinds.join(', ')}, not ${JSON.stringify(reference)}`,
  );
}
