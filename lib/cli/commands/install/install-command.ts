import { apiVersion as ours, explainProblem, isError, type ManifestInput, type PlatformKind } from '../../../api';
import { examineInstall, examineUninstall, type KubernetesObject, type UninstallOptions } from '../../../expand';
import { UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { readInputs } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { findPlatformFile } from '../../input/target-cluster';
import { textOf, type OutputFormat } from '../../output/object-text';
import { OutputFolder } from '../../output/output-folder';
import { defineCommand } from '../../command/command';

const help = `pinion install --image IMAGE [options] [INPUT...]
pinion install --uninstall [options] [INPUT...]

Prints the objects that install pinion in a cluster, in the order in which they are applied: definitions, the controller with
the rights that it needs and no others, the policies that protect what is in use, and the documents among the inputs
(Platform, RuntimeProfile, Project; default: the nearest pinion.platform.yaml). It talks to no cluster.

  --image IMAGE     image of the controller, with its tag or digest
  --platform FILE   documents of the cluster, as an input
  --namespace NAME  namespace of the controller (default: pinion-controller)
  --replicas COUNT  processes of the controller, of which one leads (default: 2)
  --profiles-from NETWORKS
                    networks of the API servers, such as 10.0.0.0/24,10.0.1.0/24, through which "pinion profile controller"
                    may ask (default: no profiles)
  --dir DIR         write 1-definitions, 2-controller and 3-documents to a folder, to be applied one after the other
  --uninstall       print what can be deleted while workloads keep running: all but definitions and documents; needs no image
  -o, --output      yaml or json (one List)
  -q, --quiet       no summary

  pinion crds | kubectl apply --server-side -f -
  pinion install --image IMAGE | kubectl apply --server-side -f -
  pinion install --uninstall | kubectl delete -f -
`;

/** `pinion install`: the objects of an installation. */
export const installCommand = defineCommand({
  help,
  options: {
    image: { type: 'string' },
    platform: { type: 'string' },
    namespace: { type: 'string' },
    replicas: { type: 'string' },
    'profiles-from': { type: 'string' },
    dir: { type: 'string' },
    uninstall: { type: 'boolean' },
    output: { type: 'string', short: 'o', values: ['yaml', 'json'] },
    quiet: { type: 'boolean', short: 'q' },
  },
  async run({ positionals, values, flags }, io) {
    const { image } = values;
    if (image === undefined && !flags.uninstall)
      throw new UsageError('install needs --image IMAGE, the image of the controller');
    if (values.dir !== undefined && flags.uninstall)
      throw new UsageError('--uninstall prints what to delete, and --dir writes what to apply; give one of the two');
    const given = [...positionals, ...(values.platform === undefined ? [] : [values.platform])];
    const { documents, problems, inaccessible } = await documentsOf(given, io);
    const options: UninstallOptions = {
      ...(image !== undefined && { image }),
      documents,
      ...(values.namespace !== undefined && { namespace: values.namespace }),
      ...(values.replicas !== undefined && { replicas: Number(values.replicas) }),
      ...(values['profiles-from'] !== undefined && { profilesFrom: values['profiles-from'].split(',') }),
    };
    const made = problems.some(isError)
      ? { problems: [] }
      : image === undefined || flags.uninstall
        ? examineUninstall(options)
        : examineInstall({ ...options, image });
    const all = [...problems, ...made.problems];
    for (const problem of all) io.writeError(`${explainProblem(problem)}\n`);
    if (inaccessible) return exitCodes.unavailable;
    if (!made.objects) return exitCodes.failure;
    const format: OutputFormat = values.output === 'json' ? 'json' : 'yaml';
    if (values.dir === undefined) await io.write(textOf(made.objects, format));
    else writeFolder(values.dir, made.objects, format, io);
    if (!flags.quiet)
      io.writeError(
        flags.uninstall ? `${made.objects.length} objects\n` : summary(made.objects, documents, values.dir),
      );
    return exitCodes.success;
  },
});

/** Documents of the cluster among the inputs; without inputs those of the nearest platform file. */
async function documentsOf(positionals: readonly string[], io: Io) {
  const nearest = positionals.length === 0 ? findPlatformFile(io.cwd) : undefined;
  const inputs = await readInputs(nearest === undefined ? positionals : [nearest], io, true);
  const documents = inputs.documents.flatMap((document) =>
    document.is === 'platform' ? [document.value as unknown as ManifestInput<PlatformKind>] : [],
  );
  return { documents, problems: inputs.problems, inaccessible: inputs.isUnavailable };
}

const stages = ['1-definitions', '2-controller', '3-documents'] as const;

/** Definitions must be served before documents of their kinds are taken. */
const stageOf = ({ apiVersion, kind }: KubernetesObject): (typeof stages)[number] =>
  kind === 'CustomResourceDefinition' ? '1-definitions' : apiVersion === ours ? '3-documents' : '2-controller';

function writeFolder(path: string, objects: readonly KubernetesObject[], format: OutputFormat, io: Io): void {
  const folder = new OutputFolder(path, format, io);
  try {
    for (const stage of stages) {
      const some = objects.filter((object) => stageOf(object) === stage);
      if (some.length > 0) folder.put(stage, some);
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
  const what = `${objects.length} objects${dir === undefined ? '' : ` in ${dir}`}`;
  const hasPlatform = documents.some(({ kind }) => kind === 'Platform');
  return hasPlatform ? `${what}\n` : `${what}; no Platform among them: the controller waits until one is applied\n`;
}
