import { explainProblem, nearest } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { UsageError } from '../../command/usage-error';
import { clusterOptions, withCluster, type ReadCluster } from '../../cluster/cluster-connection';
import { clusterFrom } from './cluster-from';
import { exitCodes } from '../../command/exit-codes';
import { importTargets } from './kinds/kind-imports';
import { importWorkload } from './import-workload';
import { importedText } from './imported-text';
import { type NativeObject } from './native-object';
import { ownedProblem } from './owned-problem';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type OptionSpecs } from '../../command/command-spec';
import { platformOption } from '../../input/input-options';
import { defineCommand } from '../../command/command';

const relatedKinds = [
  'Service',
  'Ingress',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'ServiceAccount',
  'ConfigMap',
];

interface ImportSource {
  readonly object: NativeObject;
  readonly relatedObjects: readonly NativeObject[];
  readonly cluster: PlatformContext;
  readonly namespace: string;
  readonly origin: string;
}

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
    description: 'file or folder to read the objects from, instead of a cluster',
  },
  platform: { ...platformOption, defaultText: 'those of the cluster, else the nearest pinion.platform.yaml' },
  ...clusterOptions,
} as const satisfies OptionSpecs;

/** `pinion import`. */
export const importCommand = defineCommand({
  description: `Print the custom resource for a Deployment, StatefulSet, CronJob or DaemonSet with its Service, Ingress, autoscaler and disruption budget. Comments above it explain what happens to the running pods and what could not be converted. The cluster is not changed. A workload that is already managed by a custom resource is not imported; the error names that resource.`,
  arguments: {
    workload: { valueName: 'KIND/NAME', required: true, description: 'native workload, such as deployment/cart' },
  },
  options,
  examples: [{ command: 'pinion import deployment/cart -n shop > cart.yaml' }],
  exitCodes: { failure: 'the workload is already managed, or the result needs manual changes' },
  async run({ args, options: values }, io) {
    const [kind, name] = parseReference(args.workload);
    const source =
      values.file === undefined
        ? await withCluster(values, io, (cluster) => fromCluster(cluster, kind, name, values, io))
        : await fromFile(values.file, kind, name, values, io);
    const owned = ownedProblem(source.object, source.namespace);
    if (owned) {
      io.writeError(`${explainProblem(owned)}\n`);
      return exitCodes.failure;
    }
    const imported = importWorkload({ ...source, ...(values.name !== undefined && { name: values.name }) });
    if (!imported) throw new UsageError(`${kind} cannot be imported: no pinion kind corresponds to it`);
    await io.write(importedText(imported, source.origin));
    for (const problem of imported.problems) io.writeError(`${explainProblem(problem)}\n`);
    return imported.problems.length > 0 ? exitCodes.failure : exitCodes.success;
  },
});

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

interface SourceOptions {
  readonly namespace?: string;
  readonly platform?: string;
}

async function fromCluster(
  cluster: ReadCluster,
  kind: string,
  name: string,
  sourceOptions: SourceOptions,
  io: Io,
): Promise<ImportSource> {
  const namespace = sourceOptions.namespace ?? cluster.namespace;
  const object = await cluster.get(kind, name, namespace);
  if (!object) throw new UsageError(`no ${kind} ${name} in namespace ${namespace}`);
  const relatedObjects = await Promise.all(relatedKinds.map((relatedKind) => cluster.list(relatedKind, { namespace })));
  return {
    object: { ...object, kind },
    relatedObjects: relatedObjects.flat(),
    cluster:
      (sourceOptions.platform === undefined ? await clusterFrom(cluster) : undefined) ??
      (await clusterFromFiles(sourceOptions.platform, io)),
    namespace,
    origin: `${kind} ${namespace}/${name} of the cluster`,
  };
}

async function fromFile(
  file: string,
  kind: string,
  name: string,
  sourceOptions: SourceOptions,
  io: Io,
): Promise<ImportSource> {
  const inputs = await readInputs([file], io);
  const objects = inputs.documents.flatMap(({ is, value }) => (is === 'foreign' ? objectsIn(value) : []));
  const object = objects.find(
    (candidate) =>
      candidate.kind === kind &&
      candidate.metadata.name === name &&
      (sourceOptions.namespace === undefined ||
        (candidate.metadata.namespace ?? sourceOptions.namespace) === sourceOptions.namespace),
  );
  if (!object) throw new UsageError(`no ${kind} ${name} in ${file}`);
  return {
    object,
    relatedObjects: objects.filter((candidate) => relatedKinds.includes(candidate.kind)),
    cluster: await clusterFromFiles(sourceOptions.platform, io),
    namespace: object.metadata.namespace ?? sourceOptions.namespace ?? 'default',
    origin: `${kind} ${name} in ${file}`,
  };
}

/** Returns the objects in a document: the document itself, or the items of a List. */
function objectsIn(value: Readonly<Record<string, unknown>>): readonly NativeObject[] {
  const items = value['kind'] === 'List' && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value];
  return items.filter((item): item is NativeObject => isNamed(item));
}

function isNamed(value: unknown): boolean {
  const { kind, metadata } = (value ?? {}) as {
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown };
  };
  return typeof kind === 'string' && typeof metadata?.name === 'string';
}

async function clusterFromFiles(platform: string | undefined, io: Io): Promise<PlatformContext> {
  const noInputs = { documents: [], problems: [], workflows: [], files: [], isUnavailable: false };
  const { cluster, problems } = await resolveTargetCluster(noInputs, platform, io);
  if (cluster) return cluster;
  throw new UsageError(`the platform manifests have errors:\n${problems.map(explainProblem).join('\n')}`);
}
