import { defineCommand, isCommandGroup, type Command, type CommandEntry } from '../../command/command';
import { exitCodes } from '../../command/exit-codes';
import { helpText } from '../../command/help-text';
import { resolveCommand, unknownSubcommand } from '../../command/resolve-command';

/** `pinion help`: shows the help of a command of `root`. */
export function helpCommandOf(root: CommandEntry): Command {
  const all = root.load();
  return defineCommand({
    arguments: {
      command: {
        valueName: 'COMMAND',
        repeatable: true,
        description: 'command, and subcommand if it has any (default: all commands)',
        suggestions: isCommandGroup(all) ? Object.keys(all.subcommands) : [],
      },
    },
    async run({ args }, io) {
      const { path, summary, command, rest } = resolveCommand(root, args.command);
      if (isCommandGroup(command) && rest.length > 0) throw unknownSubcommand(path, command, rest[0]);
      await io.write(helpText(path, summary, command));
      return exitCodes.success;
    },
  });
}
