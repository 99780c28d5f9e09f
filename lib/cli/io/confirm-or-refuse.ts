import { UsageError } from '../command/usage-error';
import { type Io } from './io';
import { confirm } from './confirm';

/** Asks for confirmation. Throws a `UsageError` without a terminal. */
export async function confirmOrRefuse(io: Io, remedy = 'review --dry-run, then pass --yes'): Promise<boolean> {
  if (!io.terminal.err) throw new UsageError(`cannot ask for confirmation without a terminal; ${remedy}`);
  return confirm('Continue?', io);
}
