import { UsageError } from './arguments';
import { type Io } from './io';

/** Asks a person whether to go on; where nobody can be asked, that is wrong usage. */
export async function isConfirmed(io: Io): Promise<boolean> {
  if (!io.terminal.err) throw new UsageError('nobody can be asked here; look at --dry-run, then give --yes');
  io.tell('Go on? [y/N] ');
  const answer = Buffer.from(await io.readStdin(0)).toString();
  return /^y(es)?$/i.test(answer.trim());
}
