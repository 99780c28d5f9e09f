import { nearest } from '../../../api';
import { defineCommand } from '../../command/command';
import { type OptionSpecs } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { clusterOptions, withCluster, type KubeconfigOptions } from '../../cluster/cluster-connection';
import { platformOption } from '../../input/input-options';
import { type Io } from '../../io/io';
import { importAll, writeProblems } from './import-all';
import {
  isInNamespace,
  objectsOfNamespace,
  platformFromFiles,
  sourceFromCluster,
  sourceInFiles,
  type ImportSource,
  type SourceOptions,
} from './import-source';
import { leftoverText } from './imported-text';
import { importTargetOf, importTargets } from './kinds/kind-imports';
import { type NativeObject } from './native-object';
import { objectsFromFile } from './objects-from-file';
import { writeImport } from './write-import';
import { releaseNamespaceHint } from './release-namespace';

const options = {
  namespace: {
    type: 'string',
    short: 'n',
    valueName: 'NAME',
    description: 'namespace of the workload; without KIND/NAME and -f, all its workloads',
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
  description: `Print the custom resource for a Deployment, StatefulSet, CronJob, DaemonSet, Job, JobSet, TFJob, PyTorchJob or JAXJob with its Service, Ingress, autoscaler and disruption budget. Comments above it explain what happens to the running pods and what could not be converted: each value that is not carried over, and each object that stays. The cluster is not changed. A workload that is already managed by a custom resource is not imported; the error names that resource.`,
  arguments: {
    workload: { valueName: 'KIND/NAME', description: 'native workload, such as deployment/cart' },
  },
  options,
  examples: [
    { command: 'pinion import deployment/cart -n shop > cart.yaml' },
    { command: 'pinion import -n shop > shop.yaml', description: 'all workloads of a namespace of the cluster' },
    { command: 'pinion import -f manifests > shop.yaml', description: 'all workloads of a folder' },
  ],
  exitCodes: { failure: 'the workload is already managed, or the result needs manual changes' },
  async run({ args, options: values }, io) {
    if (values.file !== undefined) return importFromFile(values.file, args.workload, values, io);
    if (args.workload === undefined && values.namespace !== undefined)
      return importNamespace(values.namespace, values, io);
    if (args.workload === undefined)
      throw new UsageError(
        'import requires KIND/NAME: native workload, such as deployment/cart; or -n NAMESPACE or -f FILE for all',
      );
    const reference = parseReference(args.workload);
    const source = await withCluster(values, io, (cluster) => sourceFromCluster(cluster, reference, values, io));
    const { code } = await writeImport(source, values.name, io);
    await io.write(leftoverText({ denied: source.denied }));
    return code;
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
  const { objects, platformDocuments, problems } = await objectsFromFile(file, io);
  const unread = writeProblems(problems, io);
  const chosen = objects.filter((object) => isInNamespace(object, namespace));
  const elsewhere = objects.filter((object) => !isInNamespace(object, namespace));
  const cluster = await platformFromFiles(platform, io, platformDocuments);
  const sourceOf = (object: NativeObject, relatedObjects: readonly NativeObject[]) =>
    sourceInFiles(object, relatedObjects, cluster, file, namespace);
  const code = reference
    ? await importNamed(chosen, reference, (object) => sourceOf(object, objects), name, io)
    : await importAll({ objects: chosen, elsewhere, cluster, place: file, sourceOf }, io);
  if (code !== undefined) return code === exitCodes.success ? unread : code;
  if (reference) throw new UsageError(`no ${reference.join(' ')} in ${file}`);
  if (unread !== exitCodes.success) return unread;
  throw new UsageError(noWorkload(file, namespace, elsewhere));
}

/** Returns the message that a file has no workload of the chosen namespace, with the namespaces that have some. */
function noWorkload(file: string, namespace: string | undefined, elsewhere: readonly NativeObject[]): string {
  const namespaces = new Set(
    elsewhere.filter((object) => importTargetOf(object)).flatMap(({ metadata }) => metadata.namespace ?? []),
  );
  if (namespace === undefined || namespaces.size === 0) return `no workload in ${file}`;
  const others = [...namespaces].map((other) => `those of namespace ${other} need -n ${other}`);
  const hint = releaseNamespaceHint(elsewhere);
  return [`no workload of namespace ${namespace} in ${file}`, others.join(', '), ...(hint ? [hint] : [])].join('; ');
}

/** Imports the first object of a kind and name; returns undefined if there is none. */
async function importNamed(
  objects: readonly NativeObject[],
  [kind, objectName]: readonly [string, string],
  sourceOf: (object: NativeObject) => ImportSource,
  name: string | undefined,
  io: Io,
): Promise<ExitCode | undefined> {
  const object = objects.find((candidate) => candidate.kind === kind && candidate.metadata.name === objectName);
  return object && (await writeImport(sourceOf(object), name, io)).code;
}

/** Imports all workloads of a namespace. */
async function importNamespace(
  namespace: string,
  options: SourceOptions & KubeconfigOptions & { readonly name?: string },
  io: Io,
): Promise<ExitCode> {
  if (options.name !== undefined) throw new UsageError('--name requires KIND/NAME');
  const set = await withCluster(options, io, (cluster) => objectsOfNamespace(cluster, namespace, options, io));
  const code = await importAll(set, io);
  if (code === undefined) throw new UsageError(`no workload in ${set.place}`);
  return code;
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
