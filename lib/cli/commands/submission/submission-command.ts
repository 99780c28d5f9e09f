import { isPlainObject, type Problem } from '../../../api';
import {
  safeParseSubmissionSettings,
  submissionFileProblems,
  submissionManifests,
  type SubmissionOptions,
  type SubmissionInput,
  defaultSecretFolder,
} from '../../../programs';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { type ExitCode } from '../../command/exit-codes';
import { withProblemSource } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { objectOutput } from '../../command/output-options';
import { defineCommand, type CommandGroup } from '../../command/command';

const options = {
  config: {
    type: 'string',
    valueName: 'FILE',
    required: true,
    description:
      'file with the settings of the service in YAML or JSON; it is stored in a ConfigMap and must not contain secrets',
  },
  image: {
    type: 'string',
    valueName: 'IMAGE',
    required: true,
    description: 'image of the service, with tag or digest',
  },
  project: {
    type: 'string',
    valueName: 'NAME',
    description: 'project of the service',
    defaultText: 'pinion-submission',
  },
  team: { type: 'string', valueName: 'NAME', description: 'team of that Project', defaultText: 'platform' },
  replicas: {
    type: 'integer',
    min: 1,
    max: 20,
    defaultText: '2',
    description: 'number of replicas; all accept deployments, and the leader executes them',
  },
  exposure: {
    type: 'choice',
    choices: ['Cluster', 'Internal', 'External'],
    defaultText: 'Internal',
    description: 'where the service can be reached from',
  },
  host: {
    type: 'list',
    valueName: 'NAMES',
    description: 'host names of the service',
    defaultText: 'derived by the Platform',
  },
  secret: {
    type: 'string',
    valueName: 'NAME',
    description: `Secret in that Project, mounted under ${defaultSecretFolder}, for files that the settings refer to: the deployment key, session keys, the OIDC client secret, kubeconfigs of other clusters, the webhook URL`,
  },
  'iam-role': { type: 'string', valueName: 'ARN', description: 'IAM role with access to an artifact store in S3' },
  output: objectOutput,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

/** `pinion submission`. */
export const submissionCommand: CommandGroup = {
  subcommands: {
    manifests: {
      summary: 'print the manifests of the submission service',
      load: () =>
        defineCommand({
          description: `Print the Project of the service, the RBAC permissions that it needs, and a PinterestService, in the order in which to apply them. This command does not connect to a cluster.`,
          options,
          examples: [
            {
              command:
                'pinion submission manifests --config submission.yaml --image IMAGE | kubectl apply --server-side -f -',
            },
          ],
          run: (parsed, io) => printSubmissionManifests(parsed.options, io),
        }),
    },
  },
};

async function printSubmissionManifests(given: Options, io: Io): Promise<ExitCode> {
  const { image, config, output } = given;
  const manifestOptions = manifestOptionsOf(given);
  const input = await readSingleDocument(config, io);
  if (!input.document) return printRejected(input, io);
  const { document } = input;
  const { problems } = safeParseSubmissionSettings(document.value);
  // The service sets the defaults itself.
  const settings = (isPlainObject(document.value) ? document.value : {}) as SubmissionInput;
  const files = submissionFileProblems(settings, manifestOptions.secrets);
  const fileProblems = [...input.problems, ...problems, ...files, ...portProblems(settings)].map((problem) =>
    withProblemSource(problem, document),
  );
  return printManifests(submissionManifests({ ...manifestOptions, image, settings }), output, io, fileProblems);
}

/** Ports of the printed workload override those of the settings. */
const portProblems = (settings: SubmissionInput): Problem[] =>
  (['port', 'statusPort'] as const)
    .filter((field) => settings[field] !== undefined)
    .map((field) => {
      const reason = 'is set by the printed workload';
      return { code: 'platform-owned', path: [field], value: settings[field], reason, remedy: 'remove it' };
    });

function manifestOptionsOf(given: Options): Omit<SubmissionOptions, 'image' | 'settings'> {
  const { project, team, replicas, exposure, host, secret, 'iam-role': iamRole } = given;
  return {
    ...(project !== undefined && { project }),
    ...(team !== undefined && { team }),
    ...(replicas !== undefined && { replicas }),
    ...(exposure !== undefined && { exposure }),
    ...(host !== undefined && { hosts: host }),
    ...(secret !== undefined && { secrets: { [defaultSecretFolder]: { name: secret } } }),
    ...(iamRole !== undefined && { iamRole }),
  };
}
