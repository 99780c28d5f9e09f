import {
  apiVersion as pinionApiVersion,
  explainProblem,
  isError,
  type ManifestInput,
  type PlatformKind,
} from '../../../api';
import {
  safeInstallManifests,
  safeUninstallManifests,
  type KubernetesObject,
  type UninstallOptions,
} from '../../../expand';
import { exitCodes } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { findPlatformFile } from '../../input/target-cluster';
import { textOf, type OutputFormat } from '../../output/object-text';
import { OutputFolder } from '../../output/output-folder';
import { inputArgument } from '../../input/input-options';
import { objectOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';

/** `pinion install`. */
export const installCommand = defineCommand({
  description: `Print the manifests in the order in which to apply them: CRDs, the controller with the RBAC permissions that it needs, the policies that protect resources in use, the gateway to the API server if the Platform has one, the client monitor, and the platform manifests in the inputs (Platform, RuntimeProfile, Project). This command does not connect to a cluster.`,
  arguments: {
    inputs: {
      ...inputArgument,
      description: `${inputArgument.description} (default: the nearest pinion.platform.yaml)`,
    },
  },
  options: {
    image: {
      type: 'string',
      valueName: 'IMAGE',
      requiredUnless: 'uninstall',
      description: 'image of the controller, with tag or digest',
    },
    'gateway-image': {
      type: 'string',
      valueName: 'IMAGE',
      description: 'image of the gateway to the API server, with tag or digest, for a Platform with spec.gateway',
      defaultText: 'the gateway is not installed',
    },
    'client-monitor-image': {
      type: 'string',
      valueName: 'IMAGE',
      description:
        'image of the client monitor, with tag or digest, for control plane nodes whose API server sends it audit events',
      defaultText: 'the client monitor is not installed',
    },
    'client-history-namespace': {
      type: 'string',
      valueName: 'NAME',
      description:
        'existing namespace in which the client monitor stores its history: that of the quota monitor, if the page is to read it',
      defaultText: 'no history is stored',
      requires: 'client-monitor-image',
    },
    platform: { type: 'string', valueName: 'FILE', description: 'manifests of the cluster, read in addition to INPUT' },
    namespace: {
      type: 'string',
      valueName: 'NAME',
      description: 'namespace of the controller',
      defaultText: 'pinion-controller',
    },
    replicas: {
      type: 'integer',
      min: 1,
      max: 10,
      defaultText: '2',
      description: 'number of controller replicas, up to 10',
    },
    'profiles-from': {
      type: 'list',
      valueName: 'NETWORKS',
      description:
        'networks of the API servers that may profile the controller with "pinion profile controller", such as 10.0.0.0/24',
      defaultText: 'profiling is disabled',
    },
    dir: {
      type: 'string',
      valueName: 'DIR',
      description:
        'folder to write the subfolders 1-definitions, 2-controller and 3-platform to; apply them in this order',
      conflictsWith: ['uninstall'],
    },
    uninstall: {
      type: 'flag',
      description:
        'print the objects that can be deleted while workloads keep running: all except CRDs and custom resources',
    },
    output: objectOutput,
    quiet: { type: 'flag', short: 'q', description: 'print no summary' },
  },
  examples: [
    { command: 'pinion crds | kubectl apply --server-side -f -' },
    { command: 'pinion install --image IMAGE | kubectl apply --server-side -f -' },
    { command: 'pinion install --uninstall | kubectl delete -f -' },
  ],
  async run({ args, options: values }, io) {
    const { image } = values;
    const given = [...args.inputs, ...(values.platform === undefined ? [] : [values.platform])];
    const { documents, problems, inaccessible } = await documentsOf(given, io);
    const options: UninstallOptions = {
      ...(image !== undefined && { image }),
      documents,
      ...(values.namespace !== undefined && { namespace: values.namespace }),
      ...(values.replicas !== undefined && { replicas: values.replicas }),
      ...(values['gateway-image'] !== undefined && { gatewayImage: values['gateway-image'] }),
      ...(values['client-monitor-image'] !== undefined && { clientMonitorImage: values['client-monitor-image'] }),
      ...(values['client-history-namespace'] !== undefined && {
        clientHistoryNamespace: values['client-history-namespace'],
      }),
      ...(values['profiles-from'] !== undefined && { profilesFrom: values['profiles-from'] }),
    };
    const result = problems.some(isError)
      ? { problems: [] }
      : image === undefined || values.uninstall
        ? safeUninstallManifests(options)
        : safeInstallManifests({ ...options, image });
    const all = [...problems, ...result.problems];
    for (const problem of all) io.writeError(`${explainProblem(problem)}\n`);
    if (inaccessible) return exitCodes.unavailable;
    if (!result.objects) return exitCodes.failure;
    const format: OutputFormat = values.output;
    if (values.dir === undefined) await io.write(textOf(result.objects, format));
    else writeFolder(values.dir, result.objects, format, io);
    if (!values.quiet)
      io.writeError(
        values.uninstall ? `${result.objects.length} objects\n` : summary(result.objects, documents, values.dir),
      );
    return exitCodes.success;
  },
});

/** Returns the platform manifests in the inputs; without inputs, those of the nearest platform file. */
async function documentsOf(positionals: readonly string[], io: Io) {
  const nearest = positionals.length === 0 ? findPlatformFile(io.cwd) : undefined;
  const inputs = await readInputs(nearest === undefined ? positionals : [nearest], io, true);
  const documents = inputs.documents.flatMap((document) =>
    document.is === 'platform' ? [document.value as unknown as ManifestInput<PlatformKind>] : [],
  );
  return { documents, problems: inputs.problems, inaccessible: inputs.isUnavailable };
}

const stages = ['1-definitions', '2-controller', '3-platform'] as const;

/** Definitions must be served before custom resources of their kinds are accepted. */
const stageOf = ({ apiVersion, kind }: KubernetesObject): (typeof stages)[number] =>
  kind === 'CustomResourceDefinition'
    ? '1-definitions'
    : apiVersion === pinionApiVersion
      ? '3-platform'
      : '2-controller';

function writeFolder(path: string, objects: readonly KubernetesObject[], format: OutputFormat, io: Io): void {
  const folder = new OutputFolder(path, format, io);
  try {
    for (const stage of stages) {
      const stageObjects = objects.filter((object) => stageOf(object) === stage);
      if (stageObjects.length > 0) folder.put(stage, stageObjects);
    }
    folder.commit();
  } catch (error) {
    folder.abandon();
    throw error;
  }
}

function summary(
  objects: readonly object[],
  documents: readonly ManifestInput<PlatformKind>[],
  dir: string | undefined,
): string {
  const countText = `${objects.length} objects${dir === undefined ? '' : ` in ${dir}`}`;
  const hasPlatform = documents.some(({ kind }) => kind === 'Platform');
  return hasPlatform
    ? `${countText}\n`
    : `${countText}; no Platform among them, so the controller waits until one is applied\n`;
}
