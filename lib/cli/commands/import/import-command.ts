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

const aroundKinds = ['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'];

interface Found {
  readonly object: NativeObject;
  readonly around: readonly NativeObject[];
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
    description: 'name of the custom resource; a different one runs alongside the native workload',
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
    const [kind, name] = wantedOf(args.workload);
    const found =
      values.file === undefined
        ? await withCluster(values, io, (cluster) => fromCluster(cluster, kind, name, values, io))
        : await fromFile(values.file, kind, name, values, io);
    const owned = ownedProblem(found.object, found.namespace);
    if (owned) {
      io.writeError(`${explainProblem(owned)}\n`);
      return exitCodes.failure;
    }
    const imported = importWorkload({ ...found, ...(values.name !== undefined && { name: values.name }) });
    if (!imported) throw new UsageError(`${kind} cannot be imported: no pinion kind corresponds to it`);
    await io.write(importedText(imported, found.origin));
    for (const problem of imported.problems) io.writeError(`${explainProblem(problem)}\n`);
    return imported.problems.length > 0 ? exitCodes.failure : exitCodes.success;
  },
});

/** Parses `deployment/cart` to a kind and a name. */
function wantedOf(word: string): readonly [string, string] {
  const [given = '', name, ...rest] = word.split('/');
  const kinds = importTargets.map(({ nativeKind }) => nativeKind);
  const lower = given.toLowerCase();
  const kind = importTargets.find(({ nativeKind, shortName }) =>
    [shortName, nativeKind.toLowerCase(), `${nativeKind.toLowerCase()}s`].includes(lower),
  )?.nativeKind;
  if (kind !== undefined && name !== undefined && name !== '' && rest.length === 0) return [kind, name];
  const guess = nearest(given, kinds);
  throw new UsageError(
    kind === undefined && guess !== undefined
      ? `${given} cannot be imported; did you mean ${guess}?`
      : `import requires KIND/NAME with ${kinds.join(', ')}, not ${JSON.stringify(word)}`,
  );
}

interface Choices {
  readonly namespace?: string;
  readonly platform?: string;
}

async function fromCluster(cluster: ReadCluster, kind: string, name: string, choices: Choices, io: Io): Promise<Found> {
  const namespace = choices.namespace ?? cluster.namespace;
  const object = await cluster.get(kind, name, namespace);
  if (!object) throw new UsageError(`no ${kind} ${name} in namespace ${namespace}`);
  const around = await Promise.all(aroundKinds.map((one) => cluster.list(one, { namespace })));
  return {
    object: { ...object, kind },
    around: around.flat(),
    cluster:
      (choices.platform === undefined ? await clusterFrom(cluster) : undefined) ??
      (await givenCluster(choices.platform, io)),
    namespace,
    origin: `${kind} ${namespace}/${name} of the cluster`,
  };
}

async function fromFile(file: string, kind: string, name: string, choices: Choices, io: Io): Promise<Found> {
  const inputs = await readInputs([file], io);
  const objects = inputs.documents.flatMap(({ is, value }) => (is === 'foreign' ? listed(value) : []));
  const object = objects.find(
    (one) =>
      one.kind === kind &&
      one.metadata.name === name &&
      (choices.namespace === undefined || (one.metadata.namespace ?? choices.namespace) === choices.namespace),
  );
  if (!object) throw new UsageError(`no ${kind} ${name} in ${file}`);
  return {
    object,
    around: objects.filter((one) => aroundKinds.includes(one.kind)),
    cluster: await givenCluster(choices.platform, io),
    namespace: object.metadata.namespace ?? choices.namespace ?? 'default',
    origin: `${kind} ${name} in ${file}`,
  };
}

/** Returns the objects of a document: itself, or the items of a List. */
function listed(value: Readonly<Record<string, unknown>>): readonly NativeObject[] {
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

async function givenCluster(platform: string | undefined, io: Io): Promise<PlatformContext> {
  const nothing = { documents: [], problems: [], files: [], isUnavailable: false };
  const { cluster, problems } = await resolveTargetCluster(nothing, platform, io);
  if (cluster) return cluster;
  throw new UsageError(`the platform manifests have errors:\n${problems.map(explainProblem).join('\n')}`);
}
