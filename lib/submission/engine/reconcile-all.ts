import { WorkQueue } from '../../kube';
import { DeploymentReconciler, type ReconcilerOptions } from './deployment-reconciler';
import { deleteOldDeployments } from './delete-old-deployments';

/** Milliseconds between searches for deployments that are old enough to delete. */
const sweepInterval = 600_000;
/** Maximum number of concurrently reconciled deployments; they mostly wait for responses. */
const maxConcurrent = 512;

/** Reconciles all deployments until the signal is aborted; only one process at a time does so. */
export async function reconcileAll(options: ReconcilerOptions, signal: AbortSignal): Promise<void> {
  const { state, targets, clock, onError } = options;
  const queue = new WorkQueue({ clock, retryBase: 100, retryCap: 10_000 });
  const enqueue = ({ project }: { readonly project: string }): void => {
    try {
      for (const { id } of state.ledger(project).open) queue.add(`${project}/${id}`);
    } catch (error) {
      onError(error, project);
    }
  };
  const unsubscribers = [state.onChange(enqueue), ...[...targets.values()].map((target) => target.onChange(enqueue))];
  for (const project of state.projects()) enqueue({ project });
  unsubscribers.push(startSweep(options, signal));
  const stop = (): void => void queue.shutDown({ discard: true });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // State must not survive a change of leadership: another process may have led meanwhile.
  const reconciler = new DeploymentReconciler(options);
  const rest = releaseRemaining(reconciler, options, signal);
  const reconcile = (key: string) => reconciler.reconcile(...(key.split('/') as [string, string]));
  await queue.run(maxConcurrent, reconcile, (error, key) => onError(error, key.split('/')[0] ?? ''));
  for (const end of unsubscribers) end();
  await rest;
}

/** Releases the remaining holds, one project after the other. */
async function releaseRemaining(
  reconciler: DeploymentReconciler,
  { state, onError }: ReconcilerOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const project of state.projects())
    if (!signal.aborted) await reconciler.releaseRemaining(project).catch((error: unknown) => onError(error, project));
}

/** Deletes old deployments periodically; returns a function that stops it. */
function startSweep({ state, clock, onError }: ReconcilerOptions, signal: AbortSignal): () => void {
  let cancelTimer = (): void => undefined;
  const sweep = async (): Promise<void> => {
    for (const project of state.projects())
      if (!signal.aborted)
        await deleteOldDeployments(state, project).catch((error: unknown) => onError(error, project));
    if (!signal.aborted) cancelTimer = clock.after(sweepInterval, () => void sweep());
  };
  cancelTimer = clock.after(sweepInterval, () => void sweep());
  return () => cancelTimer();
}
