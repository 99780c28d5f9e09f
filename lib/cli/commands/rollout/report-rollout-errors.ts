import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { RolloutError } from './read-rollouts';

/** Runs a command; prints a `RolloutError` and returns a failure for it. */
export async function reportRolloutErrors(io: Io, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error;
    io.writeError(`pinion: ${error.message}\n`);
    return exitCodes.failure;
  }
}
