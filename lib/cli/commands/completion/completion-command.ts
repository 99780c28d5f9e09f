import { defineCommand, type Command, type CommandEntry } from '../../command/command';
import { exitCodes } from '../../command/exit-codes';
import { bashCompletion } from './bash';
import { completionNodes } from './completion-nodes';
import { fishCompletion } from './fish';
import { zshCompletion } from './zsh';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `pinion completion`: prints the completion script for a shell, for the commands of `root`. */
export const completionCommandOf = (root: CommandEntry): Command =>
  defineCommand({
    description: `The script completes commands, subcommands, options and their values.`,
    arguments: {
      shell: { valueName: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish'], description: 'bash, zsh or fish' },
    },
    examples: [
      { description: 'in ~/.bashrc', command: 'source <(pinion completion bash)' },
      { description: 'in ~/.zshrc, after compinit', command: 'source <(pinion completion zsh)' },
      { description: 'once', command: 'pinion completion fish > ~/.config/fish/completions/pinion.fish' },
    ],
    async run({ args }, io) {
      await io.write(shells[args.shell](completionNodes(root)));
      return exitCodes.success;
    },
  });
