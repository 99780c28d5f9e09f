import type * as OperationsModule from '../../../operations';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type CanaryGateValues } from './canary-options';

/** `pinion canary gate`: evaluates the last runs. */
export async function runCanaryGate(options: CanaryGateValues, io: Io): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const { namespace, fresh = operations.canaryFreshness } = options;
  return withConnection(options, io, async ({ client, clock }) => {
    const verdict = operations.evaluateCanaryReport(await operations.loadReport(client, namespace), clock.now(), fresh);
    const { isOpen, reasons } = verdict;
    const lines = [isOpen ? 'open' : 'closed', ...reasons].map((line) => `${line}\n`).join('');
    await io.write(options.json ? `${JSON.stringify(verdict, null, 2)}\n` : lines);
    return isOpen ? exitCodes.success : exitCodes.incomplete;
  });
}
