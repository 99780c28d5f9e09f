import { type OptionSpecs, type OptionValues } from '../command/command-spec';

/** Options of commands that call the submission service. */
export const serviceOptions = {
  server: {
    type: 'string',
    valueName: 'URL',
    required: true,
    environment: 'PINION_SERVER',
    description: 'URL of the submission service',
  },
  'token-file': {
    type: 'string',
    valueName: 'FILE',
    description: 'file of the bearer token; read before each request',
    defaultText: 'PINION_TOKEN, else the file of PINION_TOKEN_FILE, else a GitHub Actions token for PINION_AUDIENCE',
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

/** Whether the output is JSON. */
export const isJson = ({ json, output }: ServiceOptions): boolean => json || output === 'json';

/** Options of commands that deploy. */
export const idempotencyKeyOption = {
  'idempotency-key': {
    type: 'string',
    valueName: 'KEY',
    description: 'run requests with the same key only once',
    defaultText: 'the job attempt in GitHub Actions, GitLab and Jenkins, else a new key',
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
