import { parseDuration } from '../../api';
import type * as OperationsRoom from '../../operations';
import { canaryProject } from '../../programs';
import { UsageError } from '../arguments';
import { withConnection } from '../cluster-connection';
import { exitCodes, type ExitCode } from '../exit-codes';
import { type Io } from '../io';
import { type GivenCanary } from './canary-options';

/** `pinion canary gate`: whether the last runs are good and fresh. */
export async function canaryGate({ texts, flags }: GivenCanary, io: Io): Promise<ExitCode> {
  const operations = module.require('../../operations') as typeof OperationsRoom;
  const fresh = texts.fresh === undefined ? operations.canaryFreshness : parseDuration(texts.fresh)?.millis;
  if (fresh === undefined || fresh <= 0) throw new UsageError('--fresh takes a duration such as 30m');
  const namespace = texts.namespace ?? canaryProject;
  return withConnection(texts, io, async ({ client, clock }) => {
    const verdict = operations.canaryVerdict(await operations.loadReport(client, namespace), clock.now(), fresh);
    const { isOpen, reasons } = verdict;
    const lines = [isOpen ? 'open' : 'closed', ...reasons].map((line) => `${line}\n`).join('');
    await io.write(flags.json === true ? `${JSON.stringify(verdict, null, 2)}\n` : lines);
    return isOpen ? exitCodes.fine : exitCodes.halted;
  });
}
