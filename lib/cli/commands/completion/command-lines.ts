import { type CommandTable } from '../../command/command';

/** An option as it is written. */
export interface WrittenOption {
  /** `output`. */
  readonly name: string;
  /** `o`. */
  readonly short?: string;
  readonly takesValue: boolean;
  /** The values that it takes; any, such as the name of a file, where there are none. */
  readonly values: readonly string[];
  /** Whether it takes several of them, with commas between. */
  readonly takesSeveral: boolean;
}

/** What may be written after a verb. */
export interface CommandLine {
  readonly verb: string;
  readonly does: string;
  /** What its first word is one of; any where there are none. */
  readonly words: readonly string[];
  readonly options: readonly WrittenOption[];
}

/** All command lines that there are, the help of each verb among them. */
export function commandLines(verbs: CommandTable): readonly CommandLine[] {
  const lines = Object.entries(verbs).map(([name, { does, load }]): CommandLine => {
    const { options, subcommands: words = [] } = load();
    const written = Object.entries(options).map(
      ([option, { type, short, listOf: several, values = several ?? [] }]): WrittenOption => ({
        name: option,
        ...(short !== undefined && { short }),
        takesValue: type === 'string',
        values,
        takesSeveral: several !== undefined,
      }),
    );
    return {
      verb: name,
      does,
      words,
      options: [...written, { name: 'help', short: 'h', takesValue: false, values: [], takesSeveral: false }],
    };
  });
  return [...lines, { verb: 'help', does: 'prints the options of a verb', words: Object.keys(verbs), options: [] }];
}

/** An option with its dashes, the short form too. */
export const optionFlags = ({ name, short }: WrittenOption): string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
];

/** Text within single quotes of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
