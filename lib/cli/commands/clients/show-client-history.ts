import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type ClientsOptions } from './clients-options';
import { readClientHistories, reportClientHistories } from './client-history-report';
import { clientHistoryText } from './client-history-text';
import { dateOf } from '../../../capacity';

/** Prints the last week of the client history, and what it means for API budgets. */
export async function showClientHistory(
  manifests: readonly unknown[],
  options: ClientsOptions,
  io: Io,
): Promise<ExitCode> {
  const histories = await readClientHistories(options, io);
  if (typeof histories === 'number') return histories;
  const now = io.system?.clock.now() ?? Number.MAX_SAFE_INTEGER;
  const { day, projects } = reportClientHistories(histories, manifests, options, now);
  if (projects.length === 0) {
    io.writeError(
      'pinion: the client history is empty; start "pinion clients --listen" with --history, and check the filters\n',
    );
    return exitCodes.failure;
  }
  await io.write(
    options.output === 'json'
      ? `${JSON.stringify({ day: dateOf(day), projects }, null, 2)}\n`
      : clientHistoryText(day, projects, options.top),
  );
  const isViolated = projects.some(({ violations }) => violations.length > 0);
  return options.check && isViolated ? exitCodes.failure : exitCodes.success;
}
