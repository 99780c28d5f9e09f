import { isPlainObject, type Problem } from '../api';
import {
  examineSubmissionSettings,
  serviceFileProblems,
  serviceObjects,
  type ServiceOptions,
  type SubmissionInput,
  usualSecretFolder,
} from '../programs';
import { UsageError } from './arguments';
import { capacityInput, refused } from './capacity-input';
import { type ExitCode } from './exit-codes';
import { placed } from './input-documents';
import { type Io } from './io';
import { writeProgram } from './program-objects';
import { verb } from './verb';

const help = `pinion submission objects --config FILE --image IMAGE [options]

Prints the objects that run the submission service in a cluster, in the order in which they are applied: its Project, the rights
that it needs and no others, and a PinterestService. It talks to no cluster.

  --config FILE     settings of the service, YAML or JSON; it becomes a ConfigMap, so it must hold no secret
  --image IMAGE     image of the service, with its tag or digest
  --project NAME    its Project (default: pinion-submission)
  --team NAME       team of that Project (default: platform)
  --replicas COUNT  processes: all accept deployments, one drives them (default: 2)
  --exposure FROM   from where it can be reached: cluster, internal or external (default: internal)
  --host NAME,NAME  host names that lead to it (default: as the Platform names services)
  --secret NAME     Secret of its Project, mounted as files below ${usualSecretFolder}, where settings name
                    them: keys of sessions, the secret of the login, kubeconfigs of other clusters, a webhook's URL
  --iam-role ARN    role by which it reaches a store in S3
  -o, --output      yaml or json (one List)

  pinion submission objects --config submission.yaml --image IMAGE | kubectl apply --server-side -f -
`;

const exposures = ['cluster', 'internal', 'external'] as const;
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

type Texts = Readonly<Partial<Record<keyof typeof submissionOptions, string>>>;

/** `pinion submission`: the objects that run the submission service. */
export const submission = verb({
  help,
  options: submissionOptions,
  words: ['objects'],
  async run({ words, texts }, io) {
    const [word, ...rest] = words;
    if (word !== 'objects') throw new UsageError('submission needs a word: objects');
    if (rest.length > 0) throw new UsageError(`submission objects takes options only, not ${rest[0] ?? ''}`);
    const { config, image } = texts;
    if (config === undefined || image === undefined)
      throw new UsageError('submission objects needs --config FILE and --image IMAGE');
    return submissionObjects(config, image, texts, io);
  },
});

async function submissionObjects(config: string, image: string, texts: Texts, io: Io): Promise<ExitCode> {
  const options = optionsOf(texts);
  const input = await capacityInput(config, io);
  if (!input.document) return refused(input, io);
  const { document } = input;
  const { problems } = examineSubmissionSettings(document.value);
  // As it was written: the service itself fills in what was left out.
  const settings = (isPlainObject(document.value) ? document.value : {}) as SubmissionInput;
  const files = serviceFileProblems(settings, options.secrets);
  const ofFile = [...input.problems, ...problems, ...files, ...portProblems(settings)].map((problem) =>
    placed(problem, document),
  );
  return writeProgram(serviceObjects({ ...options, image, settings }), texts.output, io, ofFile);
}

/** Ports are those that the workload says, whatever the settings do. */
const portProblems = (settings: SubmissionInput): Problem[] =>
  (['port', 'statusPort'] as const)
    .filter((field) => settings[field] !== undefined)
    .map((field) => {
      const reason = 'follows from the workload that is printed';
      return { code: 'platform-owned', path: [field], value: settings[field], reason, remedy: 'leave it out' };
    });

function optionsOf(texts: Texts): Omit<ServiceOptions, 'image' | 'settings'> {
  const { project, team, host, secret, exposure } = texts;
  const iamRole = texts['iam-role'];
  const replicas = texts.replicas === undefined ? undefined : Number(texts.replicas);
  if (replicas !== undefined && !(Number.isInteger(replicas) && replicas >= 1 && replicas <= 20))
    throw new UsageError('--replicas takes a number from 1 to 20');
  const from = exposures.find((one) => one === exposure);
  return {
    ...(project !== undefined && { project }),
    ...(team !== undefined && { team }),
    ...(replicas !== undefined && { replicas }),
    ...(from && { exposure: from }),
    ...(host !== undefined && { hosts: host.split(',') }),
    ...(secret !== undefined && { secrets: { [usualSecretFolder]: { name: secret } } }),
    ...(iamRole !== undefined && { iamRole }),
  };
}
