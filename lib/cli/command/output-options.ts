import { type OptionSpec } from './command-spec';

/** Text, or JSON for programs. */
export const textOutput = {
  type: 'choice',
  short: 'o',
  choices: ['text', 'json'],
  default: 'text',
  description: 'output format',
} as const satisfies OptionSpec;

/** Output of Kubernetes objects; JSON is one List. */
export const objectOutput = {
  type: 'choice',
  short: 'o',
  choices: ['yaml', 'json'],
  default: 'yaml',
  description: 'output format; json is one List',
} as const satisfies OptionSpec;

/** Confirmation of a command that changes something. */
export const yesOption = {
  type: 'flag',
  short: 'y',
  description: 'do not ask for confirmation; required without a terminal',
} as const satisfies OptionSpec;
