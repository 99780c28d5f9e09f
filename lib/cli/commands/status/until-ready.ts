import { type WorkloadView } from '../../../contract';
import { causeText } from '../../service/deployment-text';
import { type Service } from '../../service/service-connection';
import { runWithTimeout } from '../../service/wait';
import { isInScope, type StatusScope } from './status-view';

/** Waits until all selected workloads are Ready, or none exists; prints the number of unready ones whenever it changes. */
export async function waitUntilReady(
  scope: StatusScope,
  milliseconds: number,
  service: Service,
): Promise<'ready' | 'timeout'> {
  const action = (signal: AbortSignal): Promise<'ready'> => watch(scope, signal, service);
  return (
    (await runWithTimeout(service, milliseconds, 'nothing was changed; run the command again', service.io, action)) ??
    'timeout'
  );
}

type Key = Pick<WorkloadView, 'project' | 'target' | 'kind' | 'name'>;
const keyOf = ({ project, target, kind, name }: Key): string => [project, target, kind, name].join('/');

async function watch(scope: StatusScope, signal: AbortSignal, { client, lines }: Service): Promise<'ready'> {
  const { project } = scope;
  const known = new Map<string, WorkloadView>();
  for await (const change of client.changes({ project }, signal)) {
    if (change.type === 'connected') {
      // The list includes changes made while the watch was disconnected.
      known.clear();
      for await (const workload of client.list('workloads', { query: { project } }, signal))
        known.set(keyOf(workload), workload);
    } else if (change.type === 'workload') known.set(keyOf(change.workload), change.workload);
    else if (change.type === 'workloadGone') known.delete(keyOf(change.workload));
    else continue;
    const selected = [...known.values()].filter(isInScope(scope));
    const notReady = selected.filter(({ ready }) => !ready);
    if (notReady.length === 0) return 'ready';
    const [first] = notReady;
    const example = first && `${first.kind}/${first.name}${first.cause ? `: ${causeText(first.cause)}` : ''}`;
    lines.update('ready', `${selected.length - notReady.length} of ${selected.length} Ready; ${example}`);
  }
  return 'ready';
}
