import { type Arguments, type CommandOption } from '../command/arguments';

/** Options of the verbs that talk to the submission service. */
export const serviceOptions = {
  server: { type: 'string' },
  'token-file': { type: 'string' },
  json: { type: 'boolean' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
} as const satisfies Record<string, CommandOption>;

/** Lines of `--help` on `serviceOptions`. */
export const serviceHelp = `  --server URL       the submission service (default: PINION_SERVER)
  --token-file FILE  file of the token that authenticates you, read again before each request
                     (default: PINION_TOKEN, else the file of PINION_TOKEN_FILE; in GitHub Actions a token for
                     PINION_AUDIENCE)
  --json             one JSON document on standard output, like -o json`;

/** A command line of a verb that talks to the service. */
export type ServiceArguments = Pick<Arguments<keyof typeof serviceOptions>, 'values' | 'flags'>;

/** Whether a program reads the output. */
export const isJson = ({ values, flags }: ServiceArguments): boolean => flags.json === true || values.output === 'json';
