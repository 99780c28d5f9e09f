import { UsageError } from './arguments';
import { type Io } from './io';
import { isYes } from './question';

/** Asks a person whether to go on; where nobody can be asked, that is wrong usage. */
export async function isConfirmed(io: Io): Promise<boolean> {
  if (!io.terminal.err) throw new UsageError('nobody can be asked here; look at --dry-run, then give --yes');
  return isYes('Go on?', io);
}
