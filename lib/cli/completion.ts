import { UsageError } from './arguments';
import { bashCompletion } from './completion/bash';
import { commandLines } from './completion/command-lines';
import { fishCompletion } from './completion/fish';
import { zshCompletion } from './completion/zsh';
import { exitCodes } from './exit-codes';
import { verb, type Verb, type VerbTable } from './verb';

const help = `pinion completion bash|zsh|fish

Prints what a shell needs to complete verbs, their words, options and values. To have it in each new shell:

  bash   source <(pinion completion bash)      in ~/.bashrc
  zsh    source <(pinion completion zsh)       in ~/.zshrc, after compinit
  fish   pinion completion fish > ~/.config/fish/completions/pinion.fish
`;

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `pinion completion`: the completion of a shell, made from the table of verbs. */
export const completionOf = (verbs: VerbTable): Verb =>
  verb({
    help,
    options: {},
    words: Object.keys(shells),
    async run({ words: [word, ...more] }, io) {
      if (word === undefined || !Object.hasOwn(shells, word) || more.length > 0)
        throw new UsageError(`completion needs the name of a shell: ${Object.keys(shells).join(', ')}`);
      await io.write(shells[word as keyof typeof shells](commandLines(verbs)));
      return exitCodes.fine;
    },
  });
