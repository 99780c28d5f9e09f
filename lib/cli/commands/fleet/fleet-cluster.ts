import type * as OperationsModule from '../../../operations';
import { type ClusterSummary } from '../../../operations';
import { withConnection } from '../../cluster/cluster-connection';
import { UnavailableError, type Io } from '../../io/io';

/** State of one cluster in the view: what was read, or why nothing was. */
export type FleetCluster = { readonly context: string } & (
  | { readonly state: 'ok' | 'attention' | 'unknown'; readonly summary: ClusterSummary }
  | { readonly state: 'unreachable'; readonly reason: string }
);

/** Reads the state of the cluster of a context; one that does not respond in time is unreachable. */
export async function readFleetCluster(
  {
    kubeconfig,
    context,
    timeout,
  }: { readonly kubeconfig?: string; readonly context: string; readonly timeout: number },
  io: Io,
): Promise<FleetCluster> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const options = { context, ...(kubeconfig !== undefined && { kubeconfig }) };
  try {
    const summary = await withConnection(options, io, ({ client, clock }) => {
      let cancel: (() => void) | undefined;
      const late = new Promise<never>((_, reject) => {
        const error = new UnavailableError(`no response within ${timeout / 1_000} s`);
        cancel = clock.after(timeout, () => reject(error));
      });
      return Promise.race([operations.readClusterSummary(client, clock), late]).finally(() => cancel?.());
    });
    return { context, state: stateOf(summary), summary };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { context, state: 'unreachable', reason: error.message };
  }
}

const stateOf = ({ findings, unknown }: ClusterSummary): 'ok' | 'attention' | 'unknown' =>
  findings.length > 0 ? 'attention' : unknown.length > 0 ? 'unknown' : 'ok';
