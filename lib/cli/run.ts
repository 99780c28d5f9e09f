import { UsageError } from './command/usage-error';
import { isCommandGroup } from './command/command';
import { rootCommand } from './command-table';
import { exitCodes, type ExitCode } from './command/exit-codes';
import { helpText } from './command/help-text';
import { parseCommandLine } from './command/parse-command-line';
import { resolveCommand, unknownSubcommand } from './command/resolve-command';
import { UnavailableError, OutputClosed, type Io } from './io/io';
import { ownVersion } from './io/own-version';

/** Runs a command line, without the program's own name, and returns the exit code; never throws. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof OutputClosed) return exitCodes.unavailable;
    if (error instanceof UsageError) {
      const command = ['pinion', ...resolveCommand(rootCommand, argv).path].join(' ');
      const lines = error.messages.map((message) => `pinion: ${message}\n`);
      io.writeError(`${lines.join('')}Try "${command} --help".\n`);
      return exitCodes.usage;
    }
    if (error instanceof UnavailableError) {
      io.writeError(`pinion: ${error.message}\n`);
      return exitCodes.unavailable;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.writeError(`pinion: internal error; please report it with this output\n${text}\n`);
    return exitCodes.internalError;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { path, summary, command, rest } = resolveCommand(rootCommand, argv);
  const help = (): string => helpText(path, summary, command);
  if (isCommandGroup(command)) {
    const [first] = rest;
    if (first === '--help' || first === '-h') return print(help(), io);
    if (path.length > 0 || (first !== undefined && !['--version', '-V'].includes(first)))
      throw unknownSubcommand(path, command, first);
    if (first !== undefined) return print(`${ownVersion()}\n`, io);
    io.writeError(help());
    return exitCodes.usage;
  }
  const parsed = parseCommandLine(path, command, rest, io.system?.environment ?? {});
  return parsed === 'help' ? print(help(), io) : command.run(parsed, io);
}

async function print(text: string, io: Io): Promise<ExitCode> {
  await io.write(text);
  return exitCodes.success;
}
