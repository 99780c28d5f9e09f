import { isPlainObject, type Problem } from '../../../api';
import {
  safeParseSubmissionSettings,
  submissionFileProblems,
  submissionManifests,
  type SubmissionOptions,
  type SubmissionInput,
  defaultSecretFolder,
} from '../../../programs';
import { UsageError } from '../../command/arguments';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { type ExitCode } from '../../command/exit-codes';
import { withProblemSource } from '../../input/input-documents';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { defineCommand } from '../../command/command';

const help = `pinion submission manifests --config FILE --image IMAGE [options]

Prints the objects that run the submission service in a cluster, in the order in which they are applied: its Project, the RBAC
permissions that it needs, and a PinterestService. It talks to no cluster.

  --config FILE     settings of the service, YAML or JSON; it becomes a ConfigMap, so it must hold no secret
  --image IMAGE     image of the service, with its tag or digest
  --project NAME    its Project (default: pinion-submission)
  --team NAME       team of that Project (default: platform)
  --replicas COUNT  processes: all accept deployments, one drives them (default: 2)
  --exposure FROM   from where it can be reached: Cluster, Internal or External (default: Internal)
  --host NAME,NAME  host names that lead to it (default: as the Platform names services)
  --secret NAME     Secret of its Project, mounted as files below ${defaultSecretFolder}, where settings name
                    them: keys of sessions, the secret of the login, kubeconfigs of other clusters, a webhook's URL
  --iam-role ARN    role by which it reaches a store in S3
  -o, --output      yaml or json (one List)

  pinion submission manifests --config submission.yaml --image IMAGE | kubectl apply --server-side -f -
`;

const exposures = ['Cluster', 'Internal', 'External'] as const;
const submissionOptions = {
  config: { type: 'string' },
  image: { type: 'string' },
  project: { type: 'string' },
  team: { type: 'string' },
  replicas: { type: 'string' },
  exposure: { type: 'string', values: exposures },
  host: { type: 'string' },
  secret: { type: 'string' },
  'iam-role': { type: 'string' },
  output: { type: 'string', short: 'o', values: ['yaml', 'json'] },
} as const;

type Values = Readonly<Partial<Record<keyof typeof submissionOptions, string>>>;

/** `pinion submission`: the objects that run the submission service. */
export const submissionCommand = defineCommand({
  help,
  options: submissionOptions,
  subcommands: ['manifests'],
  async run({ positionals, values }, io) {
    const [word, ...rest] = positionals;
    if (word !== 'manifests') throw new UsageError('submission needs a word: manifests');
    if (rest.length > 0) throw new UsageError(`submission manifests takes options only, not ${rest[0] ?? ''}`);
    const { config, image } = values;
    if (config === undefined || image === undefined)
      throw new UsageError('submission manifests needs --config FILE and --image IMAGE');
    return submissionObjects(config, image, values, io);
  },
});

async function submissionObjects(config: string, image: string, values: Values, io: Io): Promise<ExitCode> {
  const options = optionsOf(values);
  const input = await readSingleDocument(config, io);
  if (!input.document) return printRejected(input, io);
  const { document } = input;
  const { problems } = safeParseSubmissionSettings(document.value);
  // As it was written: the service itself fills in what was left out.
  const settings = (isPlainObject(document.value) ? document.value : {}) as SubmissionInput;
  const files = submissionFileProblems(settings, options.secrets);
  const ofFile = [...input.problems, ...problems, ...files, ...portProblems(settings)].map((problem) =>
    withProblemSource(problem, document),
  );
  return printManifests(submissionManifests({ ...options, image, settings }), values.output, io, ofFile);
}

/** Ports are those that the workload says, whatever the settings do. */
const portProblems = (settings: SubmissionInput): Problem[] =>
  (['port', 'statusPort'] as const)
    .filter((field) => settings[field] !== undefined)
    .map((field) => {
      const reason = 'follows from the workload that is printed';
      return { code: 'platform-owned', path: [field], value: settings[field], reason, remedy: 'leave it out' };
    });

function optionsOf(values: Values): Omit<SubmissionOptions, 'image' | 'settings'> {
  const { project, team, host, secret, exposure } = values;
  const iamRole = values['iam-role'];
  const replicas = values.replicas === undefined ? undefined : Number(values.replicas);
  if (replicas !== undefined && !(Number.isInteger(replicas) && replicas >= 1 && replicas <= 20))
    throw new UsageError('--replicas takes a number from 1 to 20');
  const from = exposures.find((one) => one === exposure);
  return {
    ...(project !== undefined && { project }),
    ...(team !== undefined && { team }),
    ...(replicas !== undefined && { replicas }),
    ...(from && { exposure: from }),
    ...(host !== undefined && { hosts: host.split(',') }),
    ...(secret !== undefined && { secrets: { [defaultSecretFolder]: { name: secret } } }),
    ...(iamRole !== undefined && { iamRole }),
  };
}
