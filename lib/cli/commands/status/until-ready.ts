import { type WorkloadView } from '../../../contract';
import { causeText } from '../../service/deployment-text';
import { type Service } from '../../service/service-connection';
import { runWithTimeout } from '../../service/wait';
import { isInScope, type StatusScope } from './status-view';

/** Waits until all selected workloads are Ready, or none exists; prints the number of unready ones whenever it changes. */
export async function waitUntilReady(
  where: StatusScope,
  milliseconds: number,
  service: Service,
): Promise<'ready' | 'late'> {
  const work = (signal: AbortSignal): Promise<'ready'> => watch(where, signal, service);
  return (
    (await runWithTimeout(service, milliseconds, 'nothing was changed; run the command again', service.io, work)) ??
    'late'
  );
}

type Key = Pick<WorkloadView, 'project' | 'target' | 'kind' | 'name'>;
const keyOf = ({ project, target, kind, name }: Key): string => [project, target, kind, name].join('/');

async function watch(where: StatusScope, signal: AbortSignal, { client, lines }: Service): Promise<'ready'> {
  const { project } = where;
  const known = new Map<string, WorkloadView>();
  for await (const change of client.changes({ project }, signal)) {
    if (change.type === 'connected') {
      // The list includes what changed while the watch was down.
      known.clear();
      for await (const workload of client.list('workloads', { query: { project } }, signal))
        known.set(keyOf(workload), workload);
    } else if (change.type === 'workload') known.set(keyOf(change.workload), change.workload);
    else if (change.type === 'workloadGone') known.delete(keyOf(change.workload));
    else continue;
    const meant = [...known.values()].filter(isInScope(where));
    const missing = meant.filter(({ ready }) => !ready);
    if (missing.length === 0) return 'ready';
    const [first] = missing;
    const why = first && `${first.kind}/${first.name}${first.cause ? `: ${causeText(first.cause)}` : ''}`;
    lines.update('ready', `${meant.length - missing.length} of ${meant.length} Ready; ${why}`);
  }
  return 'ready';
}
