import { UsageError } from '../../command/arguments';
import { bashCompletion } from './bash';
import { commandLines } from './command-lines';
import { fishCompletion } from './fish';
import { zshCompletion } from './zsh';
import { exitCodes } from '../../command/exit-codes';
import { defineCommand, type Command, type CommandTable } from '../../command/command';

const help = `pinion completion bash|zsh|fish

Prints what a shell needs to complete verbs, their words, options and values. To have it in each new shell:

  bash   source <(pinion completion bash)      in ~/.bashrc
  zsh    source <(pinion completion zsh)       in ~/.zshrc, after compinit
  fish   pinion completion fish > ~/.config/fish/completions/pinion.fish
`;

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `pinion completion`: the completion of a shell, made from the table of verbs. */
export const completionCommandOf = (verbs: CommandTable): Command =>
  defineCommand({
    help,
    options: {},
    subcommands: Object.keys(shells),
    async run({ positionals: [word, ...more] }, io) {
      if (word === undefined || !Object.hasOwn(shells, word) || more.length > 0)
        throw new UsageError(`completion needs the name of a shell: ${Object.keys(shells).join(', ')}`);
      await io.write(shells[word as keyof typeof shells](commandLines(verbs)));
      return exitCodes.success;
    },
  });
