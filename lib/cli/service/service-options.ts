import { idempotencyKeyPattern } from '../../contract';
import { type OptionSpecs, type OptionValues } from '../command/command-spec';
import { parseHttpUrl, textType, type OptionValueType } from '../command/option-value-type';

const localHost = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isServiceUrl(text: string): boolean {
  const url = parseHttpUrl(text);
  if (!url || `${url.username}${url.password}${url.search}${url.hash}` !== '') return false;
  return url.protocol === 'https:' || localHost.test(url.hostname);
}

const serviceUrlType = {
  ...textType('URL', 'an https URL without credentials or query (http only for localhost)', isServiceUrl),
  // It could hold a password or a token.
  isSensitive: (text: string) => /[@?#]/.test(text),
} as const satisfies OptionValueType<string>;

const idempotencyKeyType = textType('KEY', '8 to 128 letters, digits, dots, underscores, colons and dashes', (text) =>
  idempotencyKeyPattern.test(text),
);

/** Options of commands that call the submission service. */
export const serviceOptions = {
  server: {
    type: 'parsed',
    valueType: serviceUrlType,
    required: true,
    environment: 'PINION_SERVER',
    description: 'URL of the submission service',
  },
  'token-file': {
    type: 'string',
    valueName: 'FILE',
    description: 'file with the bearer token; read before each request',
    defaultText:
      'PINION_TOKEN, else the file named by PINION_TOKEN_FILE, else a GitHub Actions token for PINION_AUDIENCE',
  },
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'json'],
    default: 'text',
    description: 'output format; json is one document',
  },
  json: { type: 'flag', description: 'same as --output json' },
} as const satisfies OptionSpecs;

/** Values of `serviceOptions`. */
export type ServiceOptions = OptionValues<typeof serviceOptions>;

/** Returns whether the output is JSON. */
export const isJson = ({ json, output }: ServiceOptions): boolean => json || output === 'json';

/** Options of commands that deploy. */
export const idempotencyKeyOption = {
  'idempotency-key': {
    type: 'parsed',
    valueType: idempotencyKeyType,
    description: 'idempotency key; requests with the same key run only once',
    defaultText: 'derived from the job attempt in GitHub Actions, GitLab and Jenkins, else random',
  },
} as const satisfies OptionSpecs;

/** The artifact of a deployment, as a positional argument. */
export const artifactArgument = {
  artifact: {
    valueName: 'PROJECT/WORKFLOW@VERSION',
    required: true,
    description: 'published artifact, such as shop/cart@1.4.2',
  },
} as const;

/** The workflow of deployments, as a positional argument. */
export const workflowArgument = {
  workflow: { valueName: 'PROJECT/WORKFLOW', required: true, description: 'workflow, such as shop/cart' },
} as const;
