import { explainProblem, nearest } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { UsageError } from '../../command/arguments';
import { clusterHelp, clusterOptions, withCluster, type ReadCluster } from '../../cluster/cluster-connection';
import { clusterFrom } from './cluster-from';
import { exitCodes } from '../../command/exit-codes';
import { importedKinds } from './kinds/imported-kinds';
import { importWorkload } from './import-workload';
import { importedText } from './imported-text';
import { type NativeObject } from './native-object';
import { ownedProblem } from './owned';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { resolveTargetCluster } from '../../input/target-cluster';
import { defineCommand } from '../../command/command';

const help = `pinion import [options] KIND/NAME

Writes the custom resource for a Deployment, StatefulSet, CronJob or DaemonSet that exists, with the Service, Ingress,
autoscaler and budget around it; above it, as comments, what becomes of the running pods and what could not be carried over.
It changes nothing in the cluster. What a custom resource keeps already is not imported; the answer names that one.

  -n, --namespace NAME  namespace of the workload (default: that of the context)
  --name NAME           another name for the custom resource, to run beside the old one
  -f, --file FILE       read the objects from a file or folder instead of a cluster
  --platform FILE       documents of the cluster (default: those that the cluster has, else the nearest pinion.platform.yaml)
${clusterHelp}
`;

const aroundKinds = ['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'];

interface Found {
  readonly object: NativeObject;
  readonly around: readonly NativeObject[];
  readonly cluster: PlatformContext;
  readonly namespace: string;
  readonly origin: string;
}

/** `pinion import`: the custom resource for an existing workload. */
export const importCommand = defineCommand({
  help,
  options: {
    ...clusterOptions,
    namespace: { type: 'string', short: 'n' },
    name: { type: 'string' },
    file: { type: 'string', short: 'f' },
    platform: { type: 'string' },
  },
  async run({ positionals, values }, io) {
    const [word, ...others] = positionals;
    if (word === undefined || others.length > 0) throw new UsageError('import takes one workload, as KIND/NAME');
    const [kind, name] = wantedOf(word);
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
    if (!imported) throw new UsageError(`${kind} has no kind of ours that it could become`);
    await io.write(importedText(imported, found.origin));
    for (const problem of imported.problems) io.writeError(`${explainProblem(problem)}\n`);
    return imported.problems.length > 0 ? exitCodes.failure : exitCodes.success;
  },
});

const shortNames: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  sts: 'StatefulSet',
  cj: 'CronJob',
  ds: 'DaemonSet',
};

/** The kind and the name that a person means by `deployment/cart`. */
function wantedOf(word: string): readonly [string, string] {
  const [given = '', name, ...rest] = word.split('/');
  const kinds = Object.keys(importedKinds);
  const lower = given.toLowerCase();
  const kind = shortNames[lower] ?? kinds.find((one) => [one.toLowerCase(), `${one.toLowerCase()}s`].includes(lower));
  if (kind !== undefined && name !== undefined && name !== '' && rest.length === 0) return [kind, name];
  const guess = nearest(given, kinds);
  throw new UsageError(
    kind === undefined && guess !== undefined
      ? `${given} is no kind that can be imported; did you mean ${guess}?`
      : `import takes KIND/NAME with ${kinds.join(', ')}, not ${JSON.stringify(word)}`,
  );
}

interface Choices {
  readonly namespace?: string;
  readonly platform?: string;
}

async function fromCluster(cluster: ReadCluster, kind: string, name: string, choices: Choices, io: Io): Promise<Found> {
  const namespace = choices.namespace ?? cluster.namespace;
  const object = await cluster.get(kind, name, namespace);
  if (!object) throw new UsageError(`there is no ${kind} ${name} in namespace ${namespace}`);
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
  if (!object) throw new UsageError(`there is no ${kind} ${name} in ${file}`);
  return {
    object,
    around: objects.filter((one) => aroundKinds.includes(one.kind)),
    cluster: await givenCluster(choices.platform, io),
    namespace: object.metadata.namespace ?? choices.namespace ?? 'default',
    origin: `${kind} ${name} in ${file}`,
  };
}

/** The objects of a document: itself, or the items of a List as kubectl prints one. */
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
  throw new UsageError(`the documents of the Platform have problems:\n${problems.map(explainProblem).join('\n')}`);
}
