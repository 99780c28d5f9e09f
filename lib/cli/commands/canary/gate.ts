import { parseDuration } from '../../../api';
import type * as OperationsRoom from '../../../operations';
import { canaryProject } from '../../../programs';
import { UsageError } from '../../command/arguments';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type CanaryArguments } from './canary-options';

/** `pinion canary gate`: whether the last runs are good and fresh. */
export async function runCanaryGate({ values, flags }: CanaryArguments, io: Io): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsRoom;
  const fresh = values.fresh === undefined ? operations.canaryFreshness : parseDuration(values.fresh)?.millis;
  if (fresh === undefined || fresh <= 0) throw new UsageError('--fresh takes a duration such as 30m');
  const namespace = values.namespace ?? canaryProject;
  return withConnection(values, io, async ({ client, clock }) => {
    const verdict = operations.evaluateCanaryReport(await operations.loadReport(client, namespace), clock.now(), fresh);
    const { isOpen, reasons } = verdict;
    const lines = [isOpen ? 'open' : 'closed', ...reasons].map((line) => `${line}\n`).join('');
    await io.write(flags.json === true ? `${JSON.stringify(verdict, null, 2)}\n` : lines);
    return isOpen ? exitCodes.success : exitCodes.incomplete;
  });
}
