import { UsageError } from '../command/arguments';
import { type Io } from './io';
import { confirm } from './question';

/** Asks a person whether to go on; where nobody can be asked, that is wrong usage. */
export async function confirmOrRefuse(io: Io): Promise<boolean> {
  if (!io.terminal.err) throw new UsageError('nobody can be asked here; look at --dry-run, then give --yes');
  return confirm('Go on?', io);
}
